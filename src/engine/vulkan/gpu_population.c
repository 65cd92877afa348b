/* SPDX-License-Identifier: MIT */
/* Populations: rows in lane order, their times, sums of durations, and batches of them. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_columns.h"
#include "trace/model.h"

#include <kernels/population_batch.h> /* made by the build */
#include <kernels/population_lanes.h> /* made by the build */
#include <kernels/population_level.h> /* made by the build */

enum { BATCH_QUADS = 3, QUAD_BYTES = 16, STATE_BYTES = 8 };

/** As in population_lanes.comp. */
struct lanes_push {
    uint64_t trace, population;
};
/** As in population_batch.comp. */
struct batch_push {
    uint64_t trace, population, changed;
    uint32_t piece_shift, reserved;
    struct fgi_gpu_column_push dirty;
    uint64_t state;
};
/** As in population_level.comp. */
struct level_push {
    uint64_t population;
    struct fgi_gpu_column_push dirty;
    uint64_t state;
    uint32_t from_first, from_count, first, count;
};

static const struct fg_compute_kernel lanes_kernel = { "population_lanes",
                                                       FGI_CODE_population_lanes,
                                                       sizeof(struct lanes_push), 0 };
static const struct fg_compute_kernel batch_kernel = { "population_batch",
                                                       FGI_CODE_population_batch,
                                                       sizeof(struct batch_push), 0 };
static const struct fg_compute_kernel level_kernel = { "population_level",
                                                       FGI_CODE_population_level,
                                                       sizeof(struct level_push), 0 };

/* ---- making it ------------------------------------------------------------------------------- */

/** Batches of all levels. */
static uint32_t plan_levels(struct fg_gpu_population *population)
{
    uint32_t size = fgi_prim_over(population->count, FG_GPU_BATCH_ROWS);
    uint32_t total = 0;
    population->batch_count = size;
    while (size > 0) {
        population->level_first[population->level_count] = total;
        population->level_size[population->level_count++] = size;
        total += size;
        size = size > 1 ? fgi_prim_over(size, FG_GPU_BATCH_FAN) : 0;
    }
    return total;
}

static enum fg_result take_column(struct fg_gpu_population *population,
                                  enum fg_gpu_population_column column, uint64_t rows,
                                  uint32_t row_bytes)
{
    struct fg_gpu_trace *gpu = population->gpu;
    const uint32_t shift = gpu->columns[FG_GPU_COLUMN_START].column.shift;
    const bool is_by_row = row_bytes <= 8;
    const enum fg_result result =
        fgi_gpu_column_take(gpu->compute, gpu->allocator, rows, row_bytes, is_by_row ? shift : 0,
                            &population->memory[column]);
    if (result == FG_OK) {
        population->columns[column] = population->memory[column].column;
    }
    return result;
}

static enum fg_result take_columns(struct fg_gpu_population *population, uint32_t batches)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    const uint32_t count = population->count;
    enum fg_result result = FG_OK;
    if (population->mask) {
        result = take_column(population, FG_GPU_POPULATION_ROWS, count, 4);
    } else {
        population->columns[FG_GPU_POPULATION_ROWS] = gpu->lane_rows.column;
    }
    const struct {
        enum fg_gpu_population_column column;
        uint64_t rows;
        uint32_t row_bytes;
        uint32_t flags; /**< that want it; 0 = always */
    } wanted[] = {
        { FG_GPU_POPULATION_START, count, 8, 0 },
        { FG_GPU_POPULATION_END, count, 8, 0 },
        { FG_GPU_POPULATION_PREFIX, (uint64_t)count + 1, 8, 0 },
        { FG_GPU_POPULATION_LANE_FIRST, (uint64_t)gpu->counts.lanes + 1, 4, 0 },
        { FG_GPU_POPULATION_BATCHES, (uint64_t)batches * BATCH_QUADS, QUAD_BYTES, 0 },
        { FG_GPU_POPULATION_DURATIONS, count, 8, FG_GPU_POPULATION_RANGE_MAX },
        { FG_GPU_POPULATION_NODES, fgi_range_max_nodes(count), QUAD_BYTES,
          FG_GPU_POPULATION_RANGE_MAX },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        if (wanted[i].flags == 0 || (population->flags & wanted[i].flags) != 0) {
            result = take_column(population, wanted[i].column, wanted[i].rows, wanted[i].row_bytes);
        }
    }
    return result;
}

static enum fg_result take_scratch(struct fg_gpu_population *population, uint32_t batches)
{
    struct fg_gpu_trace *gpu = population->gpu;
    struct fg_compute *compute = gpu->compute;
    const uint32_t rows = gpu->counts.rows;
    uint64_t sums = fgi_scan_sums_bytes(compute, population->count + 1);
    if (population->mask && fgi_compact_sums_bytes(compute, rows) > sums) {
        sums = fgi_compact_sums_bytes(compute, rows);
    }
    enum fg_result result =
        fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, sums, &population->sums);
    if (result == FG_OK && population->mask) {
        result = fgi_gpu_column_take(compute, gpu->allocator, fgi_mask_words(rows), 4, 0,
                                     &population->positions);
    }
    if (result == FG_OK) {
        result = fgi_gpu_column_take(compute, gpu->allocator, batches, 4, 0, &population->dirty);
    }
    if (result == FG_OK) {
        result =
            fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, STATE_BYTES, &population->state);
    }
    if (result == FG_OK) {
        result = fg_compute_memory_take(compute, FG_COMPUTE_DEVICE,
                                        (gpu->piece_count / 32 + 1) * sizeof(uint32_t),
                                        &population->changed);
    }
    return result;
}

static enum fg_result put_table(struct fg_gpu_population *population)
{
    struct fg_compute *compute = population->gpu->compute;
    struct fgi_gpu_population_table table = {
        .count = population->count,
        .batch_count = population->batch_count,
        .level_count = population->level_count,
    };
    for (unsigned c = 0; c < FG_GPU_POPULATION_COLUMNS; c++) {
        table.columns[c] = fgi_gpu_column_push(&population->columns[c]);
    }
    for (uint32_t level = 0; level < population->level_count; level++) {
        table.level_first[level] = population->level_first[level];
    }
    return fgi_gpu_put(compute, &table, sizeof table, &population->table);
}

enum fg_result fg_gpu_population_create(struct fg_gpu_trace *gpu,
                                        const struct fg_gpu_filter *filter, uint32_t count,
                                        uint32_t flags, struct fg_gpu_population **out_population)
{
    if ((!filter && count != gpu->counts.rows) || count > gpu->counts.rows ||
        (flags & ~(uint32_t)FG_GPU_POPULATION_RANGE_MAX) != 0) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_population *population = fgi_calloc(gpu->allocator, 1, sizeof *population);
    if (!population) {
        return FG_ERR_NO_MEMORY;
    }
    population->gpu = gpu;
    population->mask = filter ? &filter->mask.column : NULL;
    population->count = count;
    population->flags = flags;
    const uint32_t batches = plan_levels(population);
    enum fg_result result = take_columns(population, batches);
    result = result == FG_OK ? take_scratch(population, batches) : result;
    result = result == FG_OK ? put_table(population) : result;
    if (result != FG_OK) {
        fg_gpu_population_destroy(population);
        return result;
    }
    *out_population = population;
    return FG_OK;
}

void fg_gpu_population_destroy(struct fg_gpu_population *population)
{
    if (!population) {
        return;
    }
    struct fg_compute *compute = population->gpu->compute;
    for (unsigned c = 0; c < FG_GPU_POPULATION_COLUMNS; c++) {
        fgi_gpu_column_free(compute, &population->memory[c]);
    }
    fgi_gpu_column_free(compute, &population->positions);
    fgi_gpu_column_free(compute, &population->dirty);
    fgi_gpu_memory_end(compute, &population->sums);
    fgi_gpu_memory_end(compute, &population->state);
    fgi_gpu_memory_end(compute, &population->changed);
    fgi_gpu_memory_end(compute, &population->table);
    fgi_free(population->gpu->allocator, population, sizeof *population);
}

/* ---- its nodes ------------------------------------------------------------------------------- */

void fgi_gpu_use_population(struct fgi_prim_node *node, const struct fg_gpu_population *population,
                            uint32_t columns, uint32_t access)
{
    const uint64_t rows = FGI_GPU_COLUMN_MAX_ROWS;
    for (unsigned c = 0; c < FG_GPU_POPULATION_COLUMNS; c++) {
        if ((columns >> c & 1) != 0) {
            fgi_prim_column(node, &population->columns[c], rows, access);
        }
    }
    fgi_prim_view(node, population->table.view, UINT64_MAX, FG_COMPUTE_READ);
}

struct fgi_range_max fgi_gpu_population_range_max(const struct fg_gpu_population *population)
{
    return (struct fgi_range_max){
        .durations = population->columns[FG_GPU_POPULATION_DURATIONS],
        .rows = population->columns[FG_GPU_POPULATION_ROWS],
        .count = population->count,
        .nodes = population->columns[FG_GPU_POPULATION_NODES],
    };
}

/** The rows of its filter, in lane order. */
static enum fg_result gather_rows(const struct fgi_gpu_work *work,
                                  const struct fg_gpu_population *population)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    const struct fgi_count all = { .limit = gpu->counts.rows };
    const enum fg_result result =
        fgi_mask_gather(work, population->mask, gpu->counts.rows, &gpu->lane_rows.column, all,
                        &population->positions.column);
    const struct fgi_compact compact = {
        .mask = population->positions.column,
        .count = all,
        .payload = gpu->lane_rows.column,
        .target = population->columns[FG_GPU_POPULATION_ROWS],
        .capacity = population->count,
        .sums = population->sums.view,
    };
    return result == FG_OK ? fgi_compact(work, &compact) : result;
}

static enum fg_result add_lanes(const struct fgi_gpu_work *work,
                                const struct fg_gpu_population *population)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    const struct lanes_push push = { fgi_gpu_table_address(gpu),
                                     fgi_gpu_population_address(population) };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &lanes_kernel, &push,
                   fgi_prim_over((uint64_t)gpu->counts.lanes + 1,
                                 fgi_prim_group(gpu->compute, &lanes_kernel)));
    fgi_gpu_use_columns(&node, gpu, 1u << FG_GPU_COLUMN_LANE);
    fgi_gpu_use_population(&node, population, 1u << FG_GPU_POPULATION_ROWS, FG_COMPUTE_READ);
    fgi_gpu_use_population(&node, population, 1u << FG_GPU_POPULATION_LANE_FIRST, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

static enum fg_result add_batches(const struct fgi_gpu_work *work,
                                  const struct fg_gpu_population *population, bool all)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    struct batch_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .population = fgi_gpu_population_address(population),
        .changed = all ? 0 : population->changed.view.address,
        .dirty = fgi_gpu_column_push(&population->dirty.column),
        .state = population->state.view.address,
    };
    while (gpu->upload_rows >> (push.piece_shift + 1) != 0) {
        push.piece_shift++;
    }
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &batch_kernel, &push, population->batch_count);
    fgi_gpu_use_columns(&node, gpu,
                        1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END |
                            1u << FG_GPU_COLUMN_LANE | 1u << FG_GPU_COLUMN_KIND);
    fgi_gpu_use_population(&node, population, 1u << FG_GPU_POPULATION_ROWS, FG_COMPUTE_READ);
    fgi_gpu_use_population(&node, population,
                           1u << FG_GPU_POPULATION_START | 1u << FG_GPU_POPULATION_END |
                               1u << FG_GPU_POPULATION_PREFIX | 1u << FG_GPU_POPULATION_DURATIONS |
                               1u << FG_GPU_POPULATION_BATCHES,
                           FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, population->changed.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &population->dirty.column, FGI_GPU_COLUMN_MAX_ROWS, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, population->state.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

static enum fg_result add_level(const struct fgi_gpu_work *work,
                                const struct fg_gpu_population *population, uint32_t level)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    const struct level_push push = {
        .population = fgi_gpu_population_address(population),
        .dirty = fgi_gpu_column_push(&population->dirty.column),
        .state = population->state.view.address,
        .from_first = population->level_first[level - 1],
        .from_count = population->level_size[level - 1],
        .first = population->level_first[level],
        .count = population->level_size[level],
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &level_kernel, &push,
                   fgi_prim_over(push.count, fgi_prim_group(gpu->compute, &level_kernel)));
    fgi_gpu_use_population(&node, population, 1u << FG_GPU_POPULATION_BATCHES,
                           FG_COMPUTE_READ_WRITE);
    fgi_prim_column(&node, &population->dirty.column, FGI_GPU_COLUMN_MAX_ROWS,
                    FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, population->state.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

/** Times, batches, sums, the range maximum. */
static enum fg_result add_times(const struct fgi_gpu_work *work,
                                const struct fg_gpu_population *population, bool all)
{
    const struct fgi_gpu_column *prefix = &population->columns[FG_GPU_POPULATION_PREFIX];
    const struct fgi_scan sum = {
        .kind = FGI_SCAN_SUM_U64,
        .source = *prefix,
        .target = *prefix,
        .count = { .limit = population->count + 1 },
        .sums = population->sums.view,
    };
    enum fg_result result =
        fg_compute_sink_add(work->sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                        .target = population->state.view));
    if (result != FG_OK) {
        return result;
    }
    if (population->count == 0) {
        return fgi_prim_clear(work, prefix, 2);
    }
    result = add_batches(work, population, all);
    for (uint32_t level = 1; level < population->level_count && result == FG_OK; level++) {
        result = add_level(work, population, level);
    }
    result = result == FG_OK ? fgi_scan(work, &sum) : result;
    if (result == FG_OK && (population->flags & FG_GPU_POPULATION_RANGE_MAX) != 0) {
        const struct fgi_range_max tree = fgi_gpu_population_range_max(population);
        result = fgi_range_max_build(work, &tree);
    }
    return result;
}

enum fg_result fg_gpu_population_build(struct fg_gpu_population *population,
                                       const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(population->gpu, sink);
    enum fg_result result = FG_OK;
    if (!population->mask && population->gpu->counts.resident_rows < population->count) {
        return FG_ERR_STATE;
    }
    if (population->mask && population->count > 0) {
        result = gather_rows(&work, population);
    }
    result = result == FG_OK ? add_lanes(&work, population) : result;
    result = result == FG_OK ? add_times(&work, population, true) : result;
    if (result == FG_OK) {
        population->generation = population->gpu->generation;
        population->is_built = true;
    }
    return result;
}

/** Which pieces have changed; by nodes, as a refresh before may be in flight. */
static enum fg_result add_changed(const struct fgi_gpu_work *work,
                                  const struct fg_gpu_population *population)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    enum fg_result result =
        fg_compute_sink_add(work->sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                        .target = population->changed.view));
    for (uint32_t word = 0; word <= gpu->piece_count / 32 && result == FG_OK; word++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < 32 && word * 32 + i < gpu->piece_count; i++) {
            bits |= (uint32_t)(gpu->generations[word * 32 + i] > population->generation) << i;
        }
        if (bits != 0) {
            const struct fg_compute_view place =
                fg_compute_view_part(population->changed.view, word * sizeof bits, sizeof bits);
            result = fg_compute_sink_add(
                work->sink, FG_COMPUTE_NODE(.name = "changed pieces", .kind = FG_COMPUTE_FILL,
                                            .target = place, .word = bits));
        }
    }
    return result;
}

enum fg_result fg_gpu_population_refresh(struct fg_gpu_population *population,
                                         const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    if (!population->is_built) {
        return FG_ERR_STATE;
    }
    enum fg_result result = add_changed(&work, population);
    result = result == FG_OK ? add_times(&work, population, false) : result;
    if (result == FG_OK) {
        population->generation = gpu->generation;
    }
    return result;
}

/* ---- looking at it --------------------------------------------------------------------------- */

uint32_t fg_gpu_population_count(const struct fg_gpu_population *population)
{
    return population->count;
}

uint32_t fg_gpu_population_chunk_count(const struct fg_gpu_population *population,
                                       enum fg_gpu_population_column column)
{
    return population->columns[column].chunk_count;
}

struct fg_compute_view fg_gpu_population_chunk(const struct fg_gpu_population *population,
                                               enum fg_gpu_population_column column, uint32_t chunk)
{
    return population->columns[column].chunks[chunk];
}

struct fg_compute_view fg_gpu_population_state(const struct fg_gpu_population *population)
{
    return population->state.view;
}
