/* SPDX-License-Identifier: MIT */
/* Rows of a window for callers: the mask, and what it comes to as a list that can be drawn. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_lanes.h"
#include "engine/vulkan/gpu_rows.h"
#include "trace/model.h"
#include <frameglass/gpu_trace_views.h>
#include <string.h>

enum { VERTICES = 6 };

struct fg_gpu_rows {
    struct fg_gpu_trace *gpu;
    uint32_t capacity, lane_words;
    uint32_t *lane_bits;
    struct fgi_gpu_lanes by_process;
    struct fg_compute_memory window, lanes, counts, list, total, sums, draw;
    struct fgi_gpu_column_memory mask, rows;
    uint64_t written_bytes;
};

static enum fg_result take_memory(struct fg_gpu_rows *rows)
{
    const struct fg_gpu_trace *gpu = rows->gpu;
    struct fg_compute *compute = gpu->compute;
    const uint32_t words = fgi_mask_words(gpu->counts.rows);
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_window), &rows->window },
        { FG_COMPUTE_CONTROL, rows->lane_words * sizeof(uint32_t), &rows->lanes },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_gpu_visible_counts), &rows->counts },
        { FG_COMPUTE_DEVICE, fgi_gpu_visible_list_bytes(gpu->counts.rows), &rows->list },
        { FG_COMPUTE_DEVICE, sizeof(uint32_t), &rows->total },
        { FG_COMPUTE_DEVICE, fgi_compact_sums_bytes(compute, gpu->counts.rows), &rows->sums },
        { FG_COMPUTE_DEVICE, sizeof(VkDrawIndirectCommand), &rows->draw },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result =
            fg_compute_memory_take(compute, wanted[i].kind, wanted[i].size_bytes, wanted[i].memory);
    }
    result = result == FG_OK
                 ? fgi_gpu_column_take(compute, gpu->allocator, words, 4, 0, &rows->mask)
                 : result;
    return result == FG_OK
               ? fgi_gpu_column_take(compute, gpu->allocator, rows->capacity, 4, 0, &rows->rows)
               : result;
}

enum fg_result fg_gpu_rows_create(struct fg_gpu_trace *gpu, uint32_t capacity,
                                  struct fg_gpu_rows **out_rows)
{
    if (capacity == 0 || capacity > FGI_GPU_COLUMN_MAX_ROWS) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_rows *rows = fgi_calloc(gpu->allocator, 1, sizeof *rows);
    if (!rows) {
        return FG_ERR_NO_MEMORY;
    }
    rows->gpu = gpu;
    rows->capacity = capacity;
    rows->lane_words = (uint32_t)gpu->trace->lanes.count / 32 + 1;
    rows->lane_bits = fgi_calloc(gpu->allocator, rows->lane_words, sizeof *rows->lane_bits);
    enum fg_result result = rows->lane_bits ? FG_OK : FG_ERR_NO_MEMORY;
    result = result == FG_OK ? fgi_gpu_lanes_list(gpu, &rows->by_process) : result;
    result = result == FG_OK ? take_memory(rows) : result;
    if (result != FG_OK) {
        fg_gpu_rows_destroy(rows);
        return result;
    }
    *out_rows = rows;
    return FG_OK;
}

void fg_gpu_rows_destroy(struct fg_gpu_rows *rows)
{
    if (!rows) {
        return;
    }
    const struct fg_gpu_trace *gpu = rows->gpu;
    struct fg_compute_memory *memory[] = { &rows->window, &rows->lanes, &rows->counts, &rows->list,
                                           &rows->total,  &rows->sums,  &rows->draw };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        fgi_gpu_memory_end(gpu->compute, memory[i]);
    }
    fgi_gpu_column_free(gpu->compute, &rows->mask);
    fgi_gpu_column_free(gpu->compute, &rows->rows);
    fgi_gpu_lanes_finish(gpu, &rows->by_process);
    fgi_free(gpu->allocator, rows->lane_bits, rows->lane_words * sizeof *rows->lane_bits);
    fgi_free(gpu->allocator, rows, sizeof *rows);
}

/** Bits of the lanes of all targets. */
static void choose_lanes(struct fg_gpu_rows *rows, const struct fg_gpu_view_target *targets,
                         uint32_t target_count)
{
    memset(rows->lane_bits, 0, rows->lane_words * sizeof *rows->lane_bits);
    for (uint32_t t = 0; t < target_count; t++) {
        const struct fg_gpu_view_target *target = &targets[t];
        const uint32_t lanes =
            fgi_gpu_lanes_of(rows->gpu, &rows->by_process, target->kind, target->lane);
        for (uint32_t i = 0; i < lanes; i++) {
            const uint32_t lane =
                fgi_gpu_lanes_at(rows->gpu, &rows->by_process, target->kind, target->lane, i);
            rows->lane_bits[lane / 32] |= UINT32_C(1) << (lane % 32);
        }
    }
}

enum fg_result fg_gpu_rows_ask(struct fg_gpu_rows *rows, int64_t start_ns, int64_t end_ns,
                               const struct fg_gpu_view_target *targets, uint32_t target_count)
{
    struct fg_compute *compute = rows->gpu->compute;
    struct fgi_gpu_window window = { .start_ns = start_ns, .end_ns = end_ns };
    if (start_ns >= end_ns) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t i = 0; targets && i < target_count; i++) {
        if (targets[i].kind > FG_VIEW_PROCESS) {
            return FG_ERR_ARGUMENT;
        }
    }
    rows->written_bytes = 0;
    if (targets) {
        const struct fgi_gpu_column lanes = fgi_gpu_column_of(&rows->lanes.view, 4);
        choose_lanes(rows, targets, target_count);
        window.lanes = fgi_gpu_column_push(&lanes);
        rows->written_bytes = fg_compute_write(compute, &rows->lanes, 0, rows->lane_bits,
                                               rows->lane_words * sizeof *rows->lane_bits);
    }
    rows->written_bytes += fg_compute_write(compute, &rows->window, 0, &window, sizeof window);
    return FG_OK;
}

uint64_t fg_gpu_rows_written_bytes(const struct fg_gpu_rows *rows)
{
    return rows->written_bytes;
}

enum fg_result fg_gpu_rows_add(const struct fg_gpu_rows *rows,
                               const struct fg_gpu_population *population,
                               const struct fg_compute_sink *sink)
{
    if (population->gpu != rows->gpu) {
        return FG_ERR_ARGUMENT;
    }
    const struct fgi_gpu_work work = fgi_gpu_work_of(rows->gpu, sink);
    const struct fgi_gpu_visible visible = { .population = population,
                                             .window = rows->window.view,
                                             .lanes = rows->lanes.view,
                                             .mask = rows->mask.column,
                                             .counts = rows->counts.view,
                                             .list = rows->list.view };
    const struct fgi_compact compact = { .mask = rows->mask.column,
                                         .count = { .limit = rows->gpu->counts.rows },
                                         .target = rows->rows.column,
                                         .capacity = rows->capacity,
                                         .total = rows->total.view,
                                         .sums = rows->sums.view };
    const struct fgi_arguments arguments = { .count = { .limit = rows->capacity,
                                                        .device = rows->total.view },
                                             .vertex_count = VERTICES,
                                             .draw = rows->draw.view };
    enum fg_result result = fgi_gpu_visible(sink, &visible);
    result = result == FG_OK ? fgi_compact(&work, &compact) : result;
    return result == FG_OK ? fgi_arguments(&work, &arguments) : result;
}

void fg_gpu_rows_get_results(const struct fg_gpu_rows *rows,
                             struct fg_gpu_rows_results *out_results)
{
    *out_results = (struct fg_gpu_rows_results){ .counts = rows->counts.view,
                                                 .draw = rows->draw.view,
                                                 .mask_chunks = rows->mask.column.chunk_count,
                                                 .list_chunks = rows->rows.column.chunk_count };
}

struct fg_compute_view fg_gpu_rows_mask_chunk(const struct fg_gpu_rows *rows, uint32_t chunk)
{
    return rows->mask.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_rows_list_chunk(const struct fg_gpu_rows *rows, uint32_t chunk)
{
    return rows->rows.column.chunks[chunk];
}
