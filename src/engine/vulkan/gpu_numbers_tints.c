/* SPDX-License-Identifier: MIT */
/* Tints of windows from kept scores: a tree of the highest in lane order, and bins lane by lane. */
#include "engine/vulkan/gpu_numbers_scores.h"

#include <kernels/tint_bins.h>  /* made by the build */
#include <kernels/tint_level.h> /* made by the build */

enum { FAN = 16 }; /* as in tint.glsl */

/** As in tint_level.comp. */
struct level_push {
    uint64_t trace;
    struct fgi_gpu_column_push tints, levels;
    uint32_t source_first, source_count, target_first, target_count;
};
/** struct fg_tint_args of tint_bins.comp. */
struct tint_args {
    struct fgi_gpu_column_push tints, levels, lanes, target;
    int64_t first_bin;
    uint32_t bin_level, bin_count, lane_count, level_count;
    uint32_t level_first[FGI_GPU_TINT_LEVELS], level_size[FGI_GPU_TINT_LEVELS];
};
struct bins_push {
    uint64_t trace, population, tinting;
};
static const struct fg_compute_kernel level_kernel = { "tint_level", FGI_CODE_tint_level,
                                                       sizeof(struct level_push), 0 };
static const struct fg_compute_kernel bins_kernel = { "tint_bins", FGI_CODE_tint_bins,
                                                      sizeof(struct bins_push), 0 };

void fgi_gpu_tints_take(struct fgi_gpu_tints *tints, struct fgi_gpu_scoring *scoring)
{
    *tints = (struct fgi_gpu_tints){ .gpu = scoring->numbers->gpu,
                                     .reasons = scoring->reasons,
                                     .tints = scoring->tints };
    scoring->reasons = scoring->tints = (struct fgi_gpu_column_memory){ 0 };
}

void fgi_gpu_tints_end(struct fgi_gpu_tints *tints)
{
    if (tints->gpu) {
        struct fg_compute *compute = tints->gpu->compute;
        fgi_gpu_column_free(compute, &tints->reasons);
        fgi_gpu_column_free(compute, &tints->tints);
        fgi_gpu_column_free(compute, &tints->levels);
        tints->gpu = NULL;
    }
}

static enum fg_result add_level(const struct fgi_gpu_tints *tints, const struct fgi_gpu_work *work,
                                uint32_t level, uint32_t entries)
{
    const uint32_t rows = tints->gpu->counts.rows;
    const struct level_push push = {
        .trace = fgi_gpu_table_address(tints->gpu),
        .tints = fgi_gpu_column_push(&tints->tints.column),
        .levels = fgi_gpu_column_push(&tints->levels.column),
        .source_first = level > 0 ? tints->level_first[level - 1] : FG_NONE,
        .source_count = level > 0 ? tints->level_size[level - 1] : rows,
        .target_first = tints->level_first[level],
        .target_count = tints->level_size[level],
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &level_kernel, &push,
                   fgi_prim_over(push.target_count, fgi_prim_group(work->compute, &level_kernel)));
    fgi_prim_view(&node, tints->gpu->table.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tints->gpu->lane_rows.column, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tints->tints.column, rows / 4 + 1, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tints->levels.column, entries, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fgi_gpu_tints_make_levels(struct fgi_gpu_tints *tints,
                                         const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = tints->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    uint32_t entries = 0;
    uint32_t below = gpu->counts.rows;
    tints->level_count = 0;
    do {
        const uint32_t size = below / FAN + (below % FAN != 0);
        tints->level_first[tints->level_count] = entries;
        tints->level_size[tints->level_count++] = size;
        entries += size;
        below = size;
    } while (below > FAN);
    enum fg_result result =
        fgi_gpu_column_take(gpu->compute, gpu->allocator, entries, 4, 0, &tints->levels);
    for (uint32_t level = 0; level < tints->level_count && result == FG_OK; level++) {
        result = add_level(tints, &work, level, entries);
    }
    return result;
}

/* ---- windows --------------------------------------------------------------------------------- */

static enum fg_result put_args(struct fgi_gpu_tinting *tinting, const struct fgi_gpu_tints *tints,
                               const struct fgi_gpu_tint_window *window)
{
    const struct fgi_gpu_column lanes = fgi_gpu_column_of(&tinting->lanes.view, 8);
    struct tint_args args = {
        .tints = fgi_gpu_column_push(&tints->tints.column),
        .levels = fgi_gpu_column_push(&tints->levels.column),
        .lanes = fgi_gpu_column_push(&lanes),
        .target = fgi_gpu_column_push(&tinting->target.column),
        .first_bin = window->first_bin,
        .bin_level = window->level,
        .bin_count = window->bin_count,
        .lane_count = window->lane_count,
        .level_count = tints->level_count,
    };
    for (uint32_t i = 0; i < tints->level_count; i++) {
        args.level_first[i] = tints->level_first[i];
        args.level_size[i] = tints->level_size[i];
    }
    return fgi_gpu_put(tinting->compute, &args, sizeof args, &tinting->args);
}

enum fg_result fgi_gpu_tinting_begin(struct fgi_gpu_tinting *tinting,
                                     const struct fgi_gpu_tints *tints,
                                     const struct fgi_gpu_tint_window *window)
{
    const struct fg_gpu_trace *gpu = tints->gpu;
    const size_t bytes = (size_t)window->lane_count * 2 * sizeof *window->lanes;
    *tinting = (struct fgi_gpu_tinting){ .compute = gpu->compute };
    enum fg_result result =
        fg_compute_memory_take(gpu->compute, FG_COMPUTE_CONTROL, bytes, &tinting->lanes);
    if (result == FG_OK) {
        fg_compute_write(gpu->compute, &tinting->lanes, 0, window->lanes, bytes);
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator,
                                     (uint64_t)window->target_count * window->bin_count, 4, 0,
                                     &tinting->target);
    }
    return result == FG_OK ? put_args(tinting, tints, window) : result;
}

void fgi_gpu_tinting_end(struct fgi_gpu_tinting *tinting)
{
    if (tinting->compute) {
        fgi_gpu_memory_end(tinting->compute, &tinting->args);
        fgi_gpu_memory_end(tinting->compute, &tinting->lanes);
        fgi_gpu_column_free(tinting->compute, &tinting->target);
        tinting->compute = NULL;
    }
}

enum fg_result fgi_gpu_tinting_add(const struct fgi_gpu_tinting *tinting,
                                   const struct fgi_gpu_tints *tints,
                                   const struct fgi_gpu_tint_window *window,
                                   const struct fg_gpu_population *all,
                                   const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = tints->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint64_t words = (uint64_t)window->target_count * window->bin_count;
    const struct bins_push push = { fgi_gpu_table_address(gpu), fgi_gpu_population_address(all),
                                    tinting->args.view.address };
    const uint64_t invocations = (uint64_t)window->lane_count * window->bin_count;
    struct fgi_prim_node node;
    const enum fg_result result = fgi_prim_clear(&work, &tinting->target.column, words);
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, &work, &bins_kernel, &push,
                   fgi_prim_over(invocations, fgi_prim_group(work.compute, &bins_kernel)));
    fgi_gpu_use_population(&node, all,
                           1u << FG_GPU_POPULATION_START | 1u << FG_GPU_POPULATION_END |
                               1u << FG_GPU_POPULATION_LANE_FIRST,
                           FG_COMPUTE_READ);
    fgi_prim_view(&node, gpu->table.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, tinting->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, tinting->lanes.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &gpu->lane_rows.column, gpu->counts.rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tints->tints.column, gpu->counts.rows / 4 + 1, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tints->levels.column, fgi_gpu_column_rows(&tints->levels.column),
                    FG_COMPUTE_READ);
    fgi_prim_column(&node, &tinting->target.column, words, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}
