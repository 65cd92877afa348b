/* SPDX-License-Identifier: MIT */
/* Nodes for projections: by walking up, or for all rows by pointers that jump. */
#include "engine/vulkan/gpu_project.h"

#include <kernels/project_end.h>   /* made by the build */
#include <kernels/project_jump.h>  /* made by the build */
#include <kernels/project_start.h> /* made by the build */
#include <kernels/project_walk.h>  /* made by the build */

/** As in project.glsl. */
struct project_push {
    uint64_t trace, counts;
    struct fgi_gpu_column_push passing, mask, rows, target;
    uint32_t count, max_depth;
};
static const struct fg_compute_kernel walk_kernel = { "project_walk", FGI_CODE_project_walk,
                                                      sizeof(struct project_push), 0 };
static const struct fg_compute_kernel start_kernel = { "project_start", FGI_CODE_project_start,
                                                       sizeof(struct project_push), 0 };
static const struct fg_compute_kernel jump_kernel = { "project_jump", FGI_CODE_project_jump,
                                                      sizeof(struct project_push), 0 };
static const struct fg_compute_kernel end_kernel = { "project_end", FGI_CODE_project_end,
                                                     sizeof(struct project_push), 0 };

/** One pass over all places, from a column (none: the places themselves) to another. */
static enum fg_result add_pass(const struct fgi_gpu_work *work,
                               const struct fgi_gpu_project *project,
                               const struct fg_compute_kernel *kernel,
                               const struct fgi_gpu_column *from, const struct fgi_gpu_column *to)
{
    const struct fg_gpu_trace *gpu = project->gpu;
    const uint32_t words = fgi_mask_words(gpu->counts.rows);
    const struct project_push push = { .trace = fgi_gpu_table_address(gpu),
                                       .counts = project->counts.address,
                                       .passing = fgi_gpu_column_push(&project->passing),
                                       .mask = fgi_gpu_column_push(&project->mask),
                                       .rows = fgi_gpu_column_push(from),
                                       .target = fgi_gpu_column_push(to),
                                       .count = project->count,
                                       .max_depth = project->max_depth };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(project->count, fgi_prim_group(work->compute, kernel)));
    fgi_gpu_use_columns(&node, gpu, 1u << FG_GPU_COLUMN_PARENT);
    fgi_prim_column(&node, &project->passing, words, FG_COMPUTE_READ);
    fgi_prim_column(&node, &project->mask, words, FG_COMPUTE_READ);
    fgi_prim_column(&node, from, project->count, FG_COMPUTE_READ);
    fgi_prim_column(&node, to, project->count, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, project->counts, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

/** So many jumps that a pointer passes over all rows. */
static enum fg_result add_jumps(const struct fgi_gpu_work *work,
                                const struct fgi_gpu_project *project)
{
    const struct fgi_gpu_column *places[2] = { &project->target, &project->spare };
    uint32_t jumps = 0;
    while (jumps < 31 && (UINT32_C(1) << jumps) < project->count) {
        jumps++;
    }
    /* The last pass, which is no jump, writes to the target. */
    unsigned at = jumps % 2 == 0;
    enum fg_result result = add_pass(work, project, &start_kernel, &project->rows, places[at]);
    for (uint32_t i = 0; i < jumps && result == FG_OK; i++, at = !at) {
        result = add_pass(work, project, &jump_kernel, places[at], places[!at]);
    }
    return result == FG_OK ? add_pass(work, project, &end_kernel, places[at], places[!at]) : result;
}

enum fg_result fgi_gpu_project(const struct fg_compute_sink *sink,
                               const struct fgi_gpu_project *project)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(project->gpu, sink);
    const enum fg_result result = fg_compute_sink_add(
        sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL, .target = project->counts));
    if (result != FG_OK) {
        return result;
    }
    if (fgi_gpu_column_is_there(&project->spare)) {
        return add_jumps(&work, project);
    }
    return add_pass(&work, project, &walk_kernel, &project->rows, &project->target);
}
