/* SPDX-License-Identifier: MIT */
/* What children cover of their parents, kept for all questions of own times. */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"
#include "engine/vulkan/gpu_cover.h"

static const char what[] = "own times";

static enum fg_result make(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_cover *cover)
{
    struct fg_gpu_trace *gpu = NULL;
    struct fg_compute_graph *graph = NULL;
    uint32_t several = 0;
    enum fg_result result = fgi_gpu_trace_of(vulkan, &gpu);
    if (result != FG_OK) {
        return result;
    }
    result = fgi_gpu_cover_begin(cover, gpu);
    if (result == FG_OK) {
        result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
        result = fgi_gpu_cover_add(cover, &sink);
    }
    if (result == FG_OK) {
        struct fgi_gpu_read read = { cover->several.view, &several };
        read.view.size_bytes = sizeof several;
        result = fgi_gpu_run(vulkan, graph, &read, 1, what);
    }
    fg_compute_graph_destroy(graph);
    if (result == FG_OK) {
        cover->is_several = several != 0;
        fgi_gpu_cover_made(cover);
    }
    return result;
}

enum fg_result fgi_gpu_cover_of(struct fgi_engine_vulkan *vulkan,
                                const struct fgi_gpu_column **out_covered)
{
    *out_covered = NULL;
    if (!vulkan->cover) {
        struct fgi_gpu_cover *cover = fgi_calloc(vulkan->allocator, 1, sizeof *cover);
        const enum fg_result result = cover ? make(vulkan, cover) : FG_ERR_NO_MEMORY;
        vulkan->cover = cover;
        if (result != FG_OK) {
            fgi_gpu_cover_forget(vulkan);
            return fgi_gpu_fall_back(vulkan, result, what);
        }
    }
    *out_covered = vulkan->cover->is_several ? NULL : &vulkan->cover->covered.column;
    return FG_OK;
}

void fgi_gpu_cover_forget(struct fgi_engine_vulkan *vulkan)
{
    if (vulkan->cover) {
        fgi_gpu_cover_end(vulkan->cover);
        fgi_free(vulkan->allocator, vulkan->cover, sizeof *vulkan->cover);
        vulkan->cover = NULL;
    }
}
