/* SPDX-License-Identifier: MIT */
/* What the coarsest level of a trace follows from. */
#include "engine/vulkan/gpu_view.h"

#include <kernels/view_survey.h> /* made by the build */

/** As in view_survey.comp. */
struct survey_push {
    uint64_t trace, population, counts;
};
static const struct fg_compute_kernel survey_kernel = { "view_survey", FGI_CODE_view_survey,
                                                        sizeof(struct survey_push), 0 };

enum fg_result fgi_gpu_survey(const struct fg_compute_sink *sink,
                              const struct fg_gpu_population *population,
                              struct fg_compute_view counts)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct survey_push push = { fgi_gpu_table_address(gpu),
                                      fgi_gpu_population_address(population), counts.address };
    struct fgi_prim_node node;
    const enum fg_result result = fg_compute_sink_add(
        sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL, .target = counts));
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, &work, &survey_kernel, &push,
                   fgi_prim_over(population->count, fgi_prim_group(gpu->compute, &survey_kernel)));
    fgi_gpu_use_columns(&node, gpu, 1u << FG_GPU_COLUMN_LANE);
    fgi_gpu_use_population(&node, population,
                           1u << FG_GPU_POPULATION_ROWS | 1u << FG_GPU_POPULATION_START |
                               1u << FG_GPU_POPULATION_LANE_FIRST,
                           FG_COMPUTE_READ);
    fgi_prim_view(&node, counts, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

struct fg_compute_view fgi_gpu_extent(const struct fg_gpu_population *population)
{
    enum { BATCH_QUADS = 3, QUAD_BYTES = 16 };
    const struct fgi_gpu_column *batches = &population->columns[FG_GPU_POPULATION_BATCHES];
    const uint32_t quad = population->level_first[population->level_count - 1] * BATCH_QUADS;
    const uint32_t chunk = batches->chunk_count > 1 ? quad >> batches->shift : 0;
    const uint64_t first = batches->chunk_count > 1 ? (uint64_t)chunk << batches->shift : 0;
    return fg_compute_view_part(batches->chunks[chunk], (quad - first) * QUAD_BYTES, QUAD_BYTES);
}
