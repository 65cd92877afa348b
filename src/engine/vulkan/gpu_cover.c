/* SPDX-License-Identifier: MIT */
/* Nodes for what children cover. */
#include "engine/vulkan/gpu_cover.h"

#include <kernels/cover_children.h> /* made by the build */

/** As in cover_children.comp. */
struct cover_push {
    uint64_t trace, several;
    struct fgi_gpu_column_push covered, most, least;
};
static const struct fg_compute_kernel kernel = { "cover_children", FGI_CODE_cover_children,
                                                 sizeof(struct cover_push), 0 };

enum fg_result fgi_gpu_cover_begin(struct fgi_gpu_cover *cover, struct fg_gpu_trace *gpu)
{
    const uint32_t rows = gpu->counts.rows;
    struct fg_compute *compute = gpu->compute;
    *cover = (struct fgi_gpu_cover){ .gpu = gpu };
    enum fg_result result =
        fgi_gpu_column_take(compute, gpu->allocator, rows, 8, 0, &cover->covered);
    if (result == FG_OK) {
        result = fgi_gpu_column_take(compute, gpu->allocator, rows, 4, 0, &cover->most);
    }
    if (result == FG_OK) {
        result = fgi_gpu_column_take(compute, gpu->allocator, rows, 4, 0, &cover->least);
    }
    return result == FG_OK ? fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, sizeof(uint32_t),
                                                    &cover->several)
                           : result;
}

void fgi_gpu_cover_made(struct fgi_gpu_cover *cover)
{
    struct fg_compute *compute = cover->gpu->compute;
    fgi_gpu_column_free(compute, &cover->most);
    fgi_gpu_column_free(compute, &cover->least);
    fgi_gpu_memory_end(compute, &cover->several);
}

void fgi_gpu_cover_end(struct fgi_gpu_cover *cover)
{
    if (cover->gpu) {
        fgi_gpu_cover_made(cover);
        fgi_gpu_column_free(cover->gpu->compute, &cover->covered);
        cover->gpu = NULL;
    }
}

enum fg_result fgi_gpu_cover_add(const struct fgi_gpu_cover *cover,
                                 const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = cover->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint32_t rows = gpu->counts.rows;
    const struct cover_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .several = cover->several.view.address,
        .covered = fgi_gpu_column_push(&cover->covered.column),
        .most = fgi_gpu_column_push(&cover->most.column),
        .least = fgi_gpu_column_push(&cover->least.column),
    };
    enum fg_result result = fgi_prim_clear(&work, &cover->covered.column, (uint64_t)rows * 2);
    result = result == FG_OK ? fgi_prim_clear(&work, &cover->most.column, rows) : result;
    result = result == FG_OK ? fgi_prim_clear(&work, &cover->least.column, rows) : result;
    if (result == FG_OK) {
        result = fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                           .target = cover->several.view));
    }
    for (uint32_t pass = 0; pass < 2 && result == FG_OK; pass++) {
        struct fgi_prim_node node;
        fgi_prim_begin(&node, &work, &kernel, &push,
                       fgi_prim_over(rows, fgi_prim_group(gpu->compute, &kernel)));
        fgi_prim_constant(&node, pass);
        fgi_gpu_use_columns(&node, gpu,
                            1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END |
                                1u << FG_GPU_COLUMN_LANE | 1u << FG_GPU_COLUMN_PARENT);
        fgi_prim_column(&node, &cover->covered.column, rows, FG_COMPUTE_READ_WRITE);
        fgi_prim_column(&node, &cover->most.column, rows, FG_COMPUTE_READ_WRITE);
        fgi_prim_column(&node, &cover->least.column, rows, FG_COMPUTE_READ_WRITE);
        fgi_prim_view(&node, cover->several.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
        result = fgi_prim_add(&node);
    }
    return result;
}
