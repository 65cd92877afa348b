/* SPDX-License-Identifier: MIT */
/* Nodes for the rows of a window and for picks. */
#include "engine/vulkan/gpu_rows.h"

#include <kernels/pick.h>         /* made by the build */
#include <kernels/rows_reach.h>   /* made by the build */
#include <kernels/rows_visible.h> /* made by the build */

/** As in rows.glsl. */
struct visible_push {
    uint64_t trace, population, window, counts;
    struct fgi_gpu_column_push mask;
    uint64_t list;
};
/** As in pick.comp. */
struct pick_push {
    uint64_t trace, population, request, result;
};
static const struct fg_compute_kernel reach_kernel = { "rows_reach", FGI_CODE_rows_reach,
                                                       sizeof(struct visible_push), 0 };
static const struct fg_compute_kernel visible_kernel = { "rows_visible", FGI_CODE_rows_visible,
                                                         sizeof(struct visible_push), 0 };
static const struct fg_compute_kernel pick_kernel = { "pick", FGI_CODE_pick,
                                                      sizeof(struct pick_push), 0 };

enum {
    TIMES = 1 << FG_GPU_POPULATION_ROWS | 1 << FG_GPU_POPULATION_START | 1 << FG_GPU_POPULATION_END,
};

/** As in rows.glsl: rows of a part, and what its list begins with. */
enum { PART_ROWS = 1 << 16, LIST_HEAD = 4 };

uint64_t fgi_gpu_visible_list_bytes(uint32_t rows)
{
    return (LIST_HEAD + (uint64_t)fgi_prim_over(rows, PART_ROWS)) * sizeof(uint32_t);
}

/** Both passes touch the same, but for the rows and the mask. */
static enum fg_result add_pass(const struct fgi_gpu_work *work,
                               const struct fgi_gpu_visible *visible, bool is_reach)
{
    const struct fg_gpu_population *population = visible->population;
    const struct fg_gpu_trace *gpu = population->gpu;
    const uint32_t words = fgi_mask_words(gpu->counts.rows);
    const struct visible_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .population = fgi_gpu_population_address(population),
        .window = visible->window.address,
        .counts = visible->counts.address,
        .mask = fgi_gpu_column_push(&visible->mask),
        .list = visible->list.address,
    };
    struct fgi_prim_node node;
    const uint32_t parts = fgi_prim_over(population->count, PART_ROWS);
    fgi_prim_begin(&node, work, is_reach ? &reach_kernel : &visible_kernel, &push,
                   is_reach ? 1 : (uint64_t)parts * FG_GPU_BATCH_FAN);
    fgi_gpu_use_columns(&node, gpu, is_reach ? 0 : 1u << FG_GPU_COLUMN_LANE);
    fgi_gpu_use_population(&node, population,
                           1u << FG_GPU_POPULATION_BATCHES | (is_reach ? 0 : (uint32_t)TIMES),
                           FG_COMPUTE_READ);
    fgi_prim_view(&node, visible->window, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, visible->list, UINT64_MAX, is_reach ? FG_COMPUTE_WRITE : FG_COMPUTE_READ);
    fgi_prim_view(&node, visible->counts, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    if (!is_reach) {
        node.node.kind = FG_COMPUTE_DISPATCH_INDIRECT;
        node.node.arguments =
            fg_compute_view_part(visible->list, 0, sizeof(VkDispatchIndirectCommand));
        fgi_prim_view(&node, visible->lanes, UINT64_MAX, FG_COMPUTE_READ);
        fgi_prim_column(&node, &visible->mask, words, FG_COMPUTE_READ_WRITE);
    }
    return fgi_prim_add(&node);
}

enum fg_result fgi_gpu_visible(const struct fg_compute_sink *sink,
                               const struct fgi_gpu_visible *visible)
{
    const struct fg_gpu_trace *gpu = visible->population->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    enum fg_result result = fgi_prim_clear(&work, &visible->mask, fgi_mask_words(gpu->counts.rows));
    if (result == FG_OK) {
        result = fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                           .target = visible->counts));
    }
    result = result == FG_OK ? add_pass(&work, visible, true) : result;
    return result == FG_OK ? add_pass(&work, visible, false) : result;
}

enum fg_result fgi_gpu_pick(const struct fg_compute_sink *sink, const struct fgi_gpu_pick *pick)
{
    const struct fg_gpu_population *population = pick->population;
    const struct fg_gpu_trace *gpu = population->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct pick_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .population = fgi_gpu_population_address(population),
        .request = pick->words.address,
        .result = pick->result.address,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, &work, &pick_kernel, &push, 1);
    fgi_gpu_use_population(&node, population, TIMES | 1u << FG_GPU_POPULATION_LANE_FIRST,
                           FG_COMPUTE_READ);
    fgi_prim_view(&node, pick->words, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, pick->lanes, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, pick->result, UINT64_MAX, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}
