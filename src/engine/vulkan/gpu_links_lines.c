/* SPDX-License-Identifier: MIT */
/* Dependencies that a window shows: judged, chosen by cells, one behind the other. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_links.h"
#include "engine/vulkan/gpu_project.h"
#include <frameglass/gpu_trace_links.h>

#include <kernels/lines_count.h> /* made by the build */
#include <kernels/lines_find.h>  /* made by the build */
#include <kernels/lines_judge.h> /* made by the build */
#include <kernels/lines_keep.h>  /* made by the build */
#include <kernels/lines_put.h>   /* made by the build */
#include <kernels/lines_share.h> /* made by the build */
#include <stddef.h>

enum {
    CELLS = 256,
    BINS = 2048, /* of a digit */
    DIGITS = 3,
    QUADS = 3, /* of a line */
    MOST_LINES = 1 << 24,
    VERTICES = 2, /* of a straight line */
};

/** struct lines_block of kernels/lines.glsl; from start_ns on it is what was asked. */
struct fgi_gpu_lines_block {
    struct fgi_gpu_column_push first, links, others, families, shown, cells, kept, target, bins;
    int64_t start_ns, end_ns;
    uint32_t top, bottom, wanted, most, most_of_cell, least_length, link_count, reserved;
};
/** struct lines_state of kernels/lines.glsl. */
struct fgi_gpu_lines_state {
    struct fg_gpu_lines_counts counts;
    uint32_t choosing;
    uint32_t reserved[7];
    uint32_t found[CELLS], share[CELLS], left[CELLS], hash[CELLS];
};
/** As in lines.glsl. */
struct lines_push {
    uint64_t trace, block, state;
    uint32_t digit, reserved;
};

struct fg_gpu_lines {
    const struct fgi_gpu_links *links;
    const struct fg_gpu_projection *shown; /**< NULL: rows stand for themselves */
    uint32_t most, vertices;
    struct fg_compute_memory block; /**< control memory */
    struct fg_compute_memory state, draw, sums;
    struct fgi_gpu_column_memory cells, mask, kept, target, bins;
};

#define LINES_KERNEL(name)                                                                         \
    static const struct fg_compute_kernel name##_kernel = { "lines_" #name, FGI_CODE_lines_##name, \
                                                            sizeof(struct lines_push), 0 }
LINES_KERNEL(judge);
LINES_KERNEL(share);
LINES_KERNEL(count);
LINES_KERNEL(find);
LINES_KERNEL(keep);
LINES_KERNEL(put);

/* ---- memory ---------------------------------------------------------------------------------- */

static enum fg_result take_columns(struct fg_gpu_lines *lines)
{
    const struct fg_gpu_trace *gpu = lines->links->gpu;
    const struct {
        struct fgi_gpu_column_memory *memory;
        uint64_t rows;
        uint32_t row_bytes;
    } wanted[] = {
        { &lines->cells, lines->links->count, 4 },
        { &lines->mask, fgi_mask_words(lines->links->count), 4 },
        { &lines->kept, lines->most, 4 },
        { &lines->target, (uint64_t)lines->most * QUADS, 16 },
        { &lines->bins, CELLS * BINS, 4 },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                     wanted[i].row_bytes, 0, wanted[i].memory);
    }
    return result;
}

static enum fg_result take_memory(struct fg_gpu_lines *lines)
{
    struct fg_compute *compute = lines->links->gpu->compute;
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_lines_block), &lines->block },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_gpu_lines_state), &lines->state },
        { FG_COMPUTE_DEVICE, sizeof(VkDrawIndirectCommand), &lines->draw },
        { FG_COMPUTE_DEVICE, fgi_compact_sums_bytes(compute, lines->links->count), &lines->sums },
    };
    enum fg_result result = take_columns(lines);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fg_compute_memory_take(compute, wanted[i].kind, wanted[i].bytes, wanted[i].memory);
    }
    return result;
}

/** Where everything is; what is asked follows. */
static void write_columns(struct fg_gpu_lines *lines)
{
    const struct fgi_gpu_links *links = lines->links;
    struct fgi_gpu_lines_block block = {
        .first = fgi_gpu_column_push(&links->out.offsets.column),
        .links = fgi_gpu_column_push(&links->out.links.column),
        .others = fgi_gpu_column_push(&links->out.others.column),
        .families = fgi_gpu_column_push(&links->families.column),
        .cells = fgi_gpu_column_push(&lines->cells.column),
        .kept = fgi_gpu_column_push(&lines->kept.column),
        .target = fgi_gpu_column_push(&lines->target.column),
        .bins = fgi_gpu_column_push(&lines->bins.column),
    };
    if (lines->shown) {
        block.shown = fgi_gpu_column_push(&fgi_gpu_projection_inside(lines->shown)->target);
    }
    fg_compute_write(links->gpu->compute, &lines->block, 0, &block,
                     offsetof(struct fgi_gpu_lines_block, start_ns));
}

enum fg_result fg_gpu_lines_create(const struct fg_gpu_lines_options *options,
                                   struct fg_gpu_lines **out_lines)
{
    if (!options || !options->links || !out_lines || options->max_lines == 0) {
        return FG_ERR_ARGUMENT;
    }
    const struct fgi_gpu_links *links = fgi_gpu_links_inside(options->links);
    const struct fgi_gpu_project *shown =
        options->shown ? fgi_gpu_projection_inside(options->shown) : NULL;
    if (shown && (shown->gpu != links->gpu || fgi_gpu_column_is_there(&shown->rows))) {
        return FG_ERR_ARGUMENT;
    }
    if (options->max_lines > MOST_LINES) {
        return FG_ERR_LIMIT;
    }
    const struct fg_allocator *allocator = links->gpu->allocator;
    struct fg_gpu_lines *lines = fgi_calloc(allocator, 1, sizeof *lines);
    if (!lines) {
        return FG_ERR_NO_MEMORY;
    }
    lines->links = links;
    lines->shown = options->shown;
    lines->most = options->max_lines;
    lines->vertices = options->vertices ? options->vertices : VERTICES;
    enum fg_result result = take_memory(lines);
    if (result == FG_OK) {
        write_columns(lines);
        result = fg_gpu_lines_ask(lines, &(const struct fg_gpu_lines_request){ .families = 0 });
    }
    if (result != FG_OK) {
        fg_gpu_lines_destroy(lines);
        return result;
    }
    *out_lines = lines;
    return FG_OK;
}

void fg_gpu_lines_destroy(struct fg_gpu_lines *lines)
{
    if (lines) {
        struct fg_compute *compute = lines->links->gpu->compute;
        fgi_gpu_column_free(compute, &lines->cells);
        fgi_gpu_column_free(compute, &lines->mask);
        fgi_gpu_column_free(compute, &lines->kept);
        fgi_gpu_column_free(compute, &lines->target);
        fgi_gpu_column_free(compute, &lines->bins);
        fgi_gpu_memory_end(compute, &lines->block);
        fgi_gpu_memory_end(compute, &lines->state);
        fgi_gpu_memory_end(compute, &lines->draw);
        fgi_gpu_memory_end(compute, &lines->sums);
        fgi_free(lines->links->gpu->allocator, lines, sizeof *lines);
    }
}

/* ---- what is asked --------------------------------------------------------------------------- */

enum fg_result fg_gpu_lines_ask(struct fg_gpu_lines *lines,
                                const struct fg_gpu_lines_request *request)
{
    if (request->end_ns < request->start_ns || request->end_lane < request->first_lane) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_gpu_trace *gpu = lines->links->gpu;
    const uint32_t lanes = gpu->counts.lanes;
    const uint64_t window = (uint64_t)request->end_ns - (uint64_t)request->start_ns;
    const uint32_t most =
        request->budget && request->budget < lines->most ? request->budget : lines->most;
    const bool is_all = request->end_lane == 0 || request->end_lane > lanes;
    struct fgi_gpu_lines_block block = {
        .start_ns = request->start_ns,
        .end_ns = request->end_ns,
        .top = 2 * (request->first_lane < lanes ? request->first_lane : lanes),
        .bottom = 2 * (is_all ? lanes : request->end_lane),
        .wanted = request->families ? request->families : UINT32_MAX,
        .most = most,
        .most_of_cell = most / 4 > 0 ? most / 4 : 1,
        .link_count = lines->links->count,
    };
    while (block.least_length < 63 && UINT64_C(1) << block.least_length < window) {
        block.least_length++;
    }
    const size_t first = offsetof(struct fgi_gpu_lines_block, start_ns);
    fg_compute_write(gpu->compute, &lines->block, first, &block.start_ns, sizeof block - first);
    return FG_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/** What a pass touches beside the lists of dependencies. */
enum touched {
    READS_ENDS = 1 << 0, /**< what lines are made of */
    READS_CELLS = 1 << 1,
    WRITES_CELLS = 1 << 2,
    COUNTS_BINS = 1 << 3,
    READS_KEPT = 1 << 4,
};

static enum fg_result add_pass(const struct fgi_gpu_work *work, const struct fg_gpu_lines *lines,
                               const struct fg_compute_kernel *kernel, uint32_t digit,
                               uint64_t groups, uint32_t touched)
{
    const struct fgi_gpu_links *links = lines->links;
    const struct fg_gpu_trace *gpu = links->gpu;
    const struct lines_push push = { .trace = fgi_gpu_table_address(gpu),
                                     .block = lines->block.view.address,
                                     .state = lines->state.view.address,
                                     .digit = digit };
    const uint32_t cells = (touched & READS_CELLS ? FG_COMPUTE_READ : 0u) |
                           (touched & WRITES_CELLS ? FG_COMPUTE_WRITE : 0u);
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push, groups);
    fgi_prim_view(&node, lines->block.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, lines->state.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    fgi_prim_column(&node, &links->out.links.column, links->count, FG_COMPUTE_READ);
    if (touched & READS_ENDS) {
        fgi_gpu_use_columns(&node, gpu,
                            1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END |
                                1u << FG_GPU_COLUMN_LANE);
        fgi_prim_column(&node, &links->out.offsets.column, (uint64_t)gpu->counts.rows + 1,
                        FG_COMPUTE_READ);
        fgi_prim_column(&node, &links->out.others.column, links->count, FG_COMPUTE_READ);
        fgi_prim_column(&node, &links->families.column, links->count, FG_COMPUTE_READ);
        if (lines->shown) {
            fgi_prim_column(&node, &fgi_gpu_projection_inside(lines->shown)->target,
                            gpu->counts.rows, FG_COMPUTE_READ);
        }
    }
    if (cells != 0) {
        fgi_prim_column(&node, &lines->cells.column, links->count, cells);
    }
    if (touched & COUNTS_BINS) {
        fgi_prim_column(&node, &lines->bins.column, CELLS * BINS, FG_COMPUTE_READ_WRITE);
    }
    if (touched & READS_KEPT) {
        fgi_prim_column(&node, &lines->kept.column, lines->most, FG_COMPUTE_READ);
        fgi_prim_column(&node, &lines->target.column, (uint64_t)lines->most * QUADS,
                        FG_COMPUTE_WRITE);
    }
    return fgi_prim_add(&node);
}

static uint32_t groups_over(const struct fgi_gpu_work *work, const struct fg_compute_kernel *kernel,
                            uint64_t rows)
{
    return fgi_prim_over(rows, fgi_prim_group(work->compute, kernel));
}

/** Every line its cell, and of each cell the last hash that it shows. */
static enum fg_result add_choice(const struct fgi_gpu_work *work, const struct fg_gpu_lines *lines)
{
    const uint32_t count = lines->links->count;
    enum fg_result result =
        add_pass(work, lines, &judge_kernel, 0, groups_over(work, &judge_kernel, count),
                 READS_ENDS | WRITES_CELLS);
    result = result == FG_OK ? add_pass(work, lines, &share_kernel, 0, 1, 0) : result;
    for (uint32_t digit = 0; digit < DIGITS && result == FG_OK; digit++) {
        result = add_pass(work, lines, &count_kernel, digit,
                          groups_over(work, &count_kernel, count), READS_CELLS | COUNTS_BINS);
        if (result == FG_OK) {
            result = add_pass(work, lines, &find_kernel, digit, CELLS, COUNTS_BINS);
        }
    }
    return result == FG_OK
               ? add_pass(work, lines, &keep_kernel, 0, groups_over(work, &keep_kernel, count),
                          READS_CELLS | WRITES_CELLS)
               : result;
}

/** Places of lines that are shown, then the lines. */
static enum fg_result add_lines(const struct fgi_gpu_work *work, const struct fg_gpu_lines *lines)
{
    const struct fgi_count count = { .limit = lines->links->count };
    const struct fgi_compact compact = {
        .mask = lines->mask.column,
        .count = count,
        .target = lines->kept.column,
        .capacity = lines->most,
        .total = fg_compute_view_part(lines->state.view, 0, sizeof(uint32_t)),
        .sums = lines->sums.view,
    };
    enum fg_result result =
        fgi_mask_of_flags(work, &lines->cells.column, count, &lines->mask.column);
    result = result == FG_OK ? fgi_compact(work, &compact) : result;
    return result == FG_OK
               ? add_pass(work, lines, &put_kernel, 0, groups_over(work, &put_kernel, lines->most),
                          READS_ENDS | READS_KEPT)
               : result;
}

enum fg_result fg_gpu_lines_add(const struct fg_gpu_lines *lines,
                                const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(lines->links->gpu, sink);
    const struct fgi_arguments arguments = {
        .count = { .limit = lines->most,
                   .device = fg_compute_view_part(lines->state.view, 0, sizeof(uint32_t)) },
        .rows_of_group = 1,
        .vertex_count = lines->vertices,
        .draw = fg_compute_view_part(lines->draw.view, 0, sizeof(VkDrawIndirectCommand)),
    };
    enum fg_result result =
        fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                  .target = lines->state.view));
    if (result == FG_OK && lines->links->count > 0) {
        result = fgi_prim_clear(&work, &lines->bins.column, CELLS * BINS);
        result = result == FG_OK ? add_choice(&work, lines) : result;
        result = result == FG_OK ? add_lines(&work, lines) : result;
    }
    return result == FG_OK ? fgi_arguments(&work, &arguments) : result;
}

void fg_gpu_lines_get_results(const struct fg_gpu_lines *lines,
                              struct fg_gpu_lines_results *out_results)
{
    *out_results = (struct fg_gpu_lines_results){
        .counts = fg_compute_view_part(lines->state.view, 0, sizeof(struct fg_gpu_lines_counts)),
        .draw = fg_compute_view_part(lines->draw.view, 0, sizeof(VkDrawIndirectCommand)),
        .chunks = lines->target.column.chunk_count,
    };
}
struct fg_compute_view fg_gpu_lines_chunk(const struct fg_gpu_lines *lines, uint32_t chunk)
{
    return lines->target.column.chunks[chunk];
}
