/* SPDX-License-Identifier: MIT */
/* Nodes for paths by parents: pointers that jump, twice as far each time. */
#include "engine/vulkan/gpu_forest.h"

#include <kernels/forest_end.h>     /* made by the build */
#include <kernels/forest_figures.h> /* made by the build */
#include <kernels/forest_jump.h>    /* made by the build */
#include <kernels/forest_split.h>   /* made by the build */
#include <kernels/forest_start.h>   /* made by the build */

/** As in forest.glsl. */
struct forest_push {
    uint64_t trace, words, counts, reserved;
    struct fgi_gpu_column_push up, times, new_up, new_times;
};
/** As in forest_split.comp. */
struct split_push {
    struct fgi_gpu_column_push pairs, roots, hops, flags;
    uint32_t count;
};
#define KERNEL(name, push)                                                                         \
    static const struct fg_compute_kernel name##_kernel = { #name, FGI_CODE_##name, sizeof(push),  \
                                                            0 }
KERNEL(forest_start, struct forest_push);
KERNEL(forest_jump, struct forest_push);
KERNEL(forest_end, struct forest_push);
KERNEL(forest_figures, struct forest_push);
KERNEL(forest_split, struct split_push);

enum {
    COLUMNS = 1 << FG_GPU_COLUMN_START | 1 << FG_GPU_COLUMN_END | 1 << FG_GPU_COLUMN_PARENT,
};

/* ---- memory ---------------------------------------------------------------------------------- */

static enum fg_result take_memories(const struct fg_gpu_trace *gpu, struct fgi_gpu_forest *forest)
{
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_forest_words), &forest->words },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_gpu_forest_counts), &forest->counts },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_reduction), &forest->longest },
        { FG_COMPUTE_DEVICE, fgi_reduce_parts_bytes(gpu->compute, gpu->counts.rows),
          &forest->parts },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fg_compute_memory_take(gpu->compute, wanted[i].kind, wanted[i].size_bytes,
                                        wanted[i].memory);
    }
    return result;
}

enum fg_result fgi_gpu_forest_take(const struct fg_gpu_trace *gpu, uint32_t figures,
                                   struct fgi_gpu_forest *forest)
{
    const uint32_t rows = gpu->counts.rows;
    const struct {
        bool is_wanted;
        uint32_t rows, row_bytes;
        struct fgi_gpu_column_memory *memory;
    } wanted[] = {
        { true, rows, 8, &forest->up[0] },
        { true, rows, 8, &forest->up[1] },
        { true, rows, 8, &forest->times[0] },
        { true, rows, 8, &forest->times[1] },
        { true, rows, 4, &forest->flags },
        { true, fgi_mask_words(rows), 4, &forest->mask },
        { figures & FG_PATH_ROOTS, rows, 4, &forest->roots },
        { figures & FG_PATH_HOPS, rows, 4, &forest->hops },
        { figures & FG_PATH_PREDECESSORS, rows, 4, &forest->predecessors },
        { figures & FG_PATH_SLACKS, rows, 8, &forest->slacks },
        { figures & FG_PATH_TIMES, rows, 8, &forest->earliest },
        { figures & FG_PATH_TIMES, rows, 8, &forest->latest },
    };
    forest->gpu = gpu;
    enum fg_result result = take_memories(gpu, forest);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        if (wanted[i].is_wanted) {
            result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                         wanted[i].row_bytes, 0, wanted[i].memory);
        }
    }
    return result;
}

void fgi_gpu_forest_end(struct fgi_gpu_forest *forest)
{
    if (!forest->gpu) {
        return;
    }
    struct fg_compute *compute = forest->gpu->compute;
    struct fgi_gpu_column_memory *columns[] = {
        &forest->up[0],  &forest->up[1],  &forest->times[0],     &forest->times[1],
        &forest->flags,  &forest->mask,   &forest->roots,        &forest->hops,
        &forest->slacks, &forest->latest, &forest->predecessors, &forest->earliest,
    };
    struct fg_compute_memory *memories[] = { &forest->words, &forest->counts, &forest->longest,
                                             &forest->parts };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fgi_gpu_column_free(compute, columns[i]);
    }
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        fgi_gpu_memory_end(compute, memories[i]);
    }
    *forest = (struct fgi_gpu_forest){ 0 };
}

void fgi_gpu_forest_write(struct fgi_gpu_forest *forest, struct fgi_gpu_forest_words *words)
{
    words->passing = fgi_gpu_column_push(&forest->passing);
    words->slacks = fgi_gpu_column_push(&forest->slacks.column);
    words->earliest = fgi_gpu_column_push(&forest->earliest.column);
    words->latest = fgi_gpu_column_push(&forest->latest.column);
    words->predecessors = fgi_gpu_column_push(&forest->predecessors.column);
    fg_compute_write(forest->gpu->compute, &forest->words, 0, words, sizeof *words);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/** One pass over all rows; `from` and `to` are 0 or 1, or -1: none. */
static enum fg_result add_pass(const struct fgi_gpu_forest *forest, const struct fgi_gpu_work *work,
                               const struct fg_compute_kernel *kernel, int from, int to)
{
    const struct fg_gpu_trace *gpu = forest->gpu;
    const uint32_t rows = gpu->counts.rows;
    const struct fgi_gpu_column none = { 0 };
    const struct fgi_gpu_column *up = from >= 0 ? &forest->up[from].column : &none;
    const struct fgi_gpu_column *times = from >= 0 ? &forest->times[from].column : &none;
    const struct fgi_gpu_column *new_up = to >= 0 ? &forest->up[to].column : &none;
    const struct fgi_gpu_column *new_times = to >= 0 ? &forest->times[to].column : &none;
    const struct forest_push push = { .trace = fgi_gpu_table_address(gpu),
                                      .words = forest->words.view.address,
                                      .counts = forest->counts.view.address,
                                      .up = fgi_gpu_column_push(up),
                                      .times = fgi_gpu_column_push(times),
                                      .new_up = fgi_gpu_column_push(new_up),
                                      .new_times = fgi_gpu_column_push(new_times) };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(rows, fgi_prim_group(work->compute, kernel)));
    fgi_gpu_use_columns(&node, gpu, COLUMNS);
    fgi_prim_column(&node, up, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, times, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, new_up, rows, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, new_times, rows, FG_COMPUTE_WRITE);
    if (kernel != &forest_jump_kernel) {
        fgi_prim_column(&node, &forest->passing, fgi_mask_words(rows), FG_COMPUTE_READ);
    }
    fgi_prim_view(&node, forest->words.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, forest->counts.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    if (kernel == &forest_figures_kernel) {
        fgi_prim_view(&node, forest->longest.view, UINT64_MAX, FG_COMPUTE_READ);
        fgi_prim_column(&node, &forest->predecessors.column, rows, FG_COMPUTE_WRITE);
        fgi_prim_column(&node, &forest->slacks.column, rows, FG_COMPUTE_WRITE);
        fgi_prim_column(&node, &forest->earliest.column, rows, FG_COMPUTE_WRITE);
        fgi_prim_column(&node, &forest->latest.column, rows, FG_COMPUTE_WRITE);
    }
    return fgi_prim_add(&node);
}

/** Roots and steps in columns of their own, and which rows count. */
static enum fg_result add_split(const struct fgi_gpu_forest *forest,
                                const struct fgi_gpu_work *work)
{
    const uint32_t rows = forest->gpu->counts.rows;
    const struct fgi_gpu_column *pairs = &forest->up[forest->last].column;
    const struct split_push push = { .pairs = fgi_gpu_column_push(pairs),
                                     .roots = fgi_gpu_column_push(&forest->roots.column),
                                     .hops = fgi_gpu_column_push(&forest->hops.column),
                                     .flags = fgi_gpu_column_push(&forest->flags.column),
                                     .count = rows };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &forest_split_kernel, &push,
                   fgi_prim_over(rows, fgi_prim_group(work->compute, &forest_split_kernel)));
    fgi_prim_column(&node, pairs, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &forest->roots.column, rows, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &forest->hops.column, rows, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &forest->flags.column, rows, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

/** The longest of the rows that count, the lowest of these. */
static enum fg_result add_longest(const struct fgi_gpu_forest *forest,
                                  const struct fgi_gpu_work *work)
{
    const struct fgi_count count = { .limit = forest->gpu->counts.rows };
    const struct fgi_reduce reduce = { .source = forest->times[forest->last].column,
                                       .mask = forest->mask.column,
                                       .count = count,
                                       .result = forest->longest.view,
                                       .parts = forest->parts.view };
    const enum fg_result result =
        fgi_mask_of_flags(work, &forest->flags.column, count, &forest->mask.column);
    return result == FG_OK ? fgi_reduce(work, &reduce) : result;
}

enum fg_result fgi_gpu_forest_climb(struct fgi_gpu_forest *forest,
                                    const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(forest->gpu, sink);
    int at = 0;
    enum fg_result result =
        fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                  .target = forest->counts.view));
    result = result == FG_OK ? add_pass(forest, &work, &forest_start_kernel, -1, at) : result;
    /* Until a pointer has passed all rows that there can be above one. */
    for (uint64_t far = 1; far < forest->gpu->counts.rows && result == FG_OK; far *= 2, at = !at) {
        result = add_pass(forest, &work, &forest_jump_kernel, at, !at);
    }
    result = result == FG_OK ? add_pass(forest, &work, &forest_end_kernel, at, !at) : result;
    forest->last = (unsigned)!at;
    result = result == FG_OK ? add_split(forest, &work) : result;
    return result == FG_OK ? add_longest(forest, &work) : result;
}

enum fg_result fgi_gpu_forest_figures(const struct fgi_gpu_forest *forest,
                                      const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(forest->gpu, sink);
    return add_pass(forest, &work, &forest_figures_kernel, (int)forest->last, -1);
}
