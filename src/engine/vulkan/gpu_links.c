/* SPDX-License-Identifier: MIT */
/* Memory of dependencies, and the nodes that make lists by row of them. */
#include "engine/vulkan/gpu_links.h"

struct wanted {
    struct fgi_gpu_column_memory *memory;
    uint64_t rows;
};

static enum fg_result take_columns(struct fg_gpu_trace *gpu, const struct wanted *wanted,
                                   size_t count)
{
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < count && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows, 4, 0,
                                     wanted[i].memory);
    }
    return result;
}

enum fg_result fgi_gpu_links_take(struct fg_gpu_trace *gpu, uint32_t count,
                                  struct fgi_gpu_links *links)
{
    struct fgi_gpu_links_making *making = &links->making;
    const uint32_t rows = gpu->counts.rows;
    const uint64_t digits = fgi_adjacency_digits(gpu->compute, count, rows);
    const struct wanted wanted[] = {
        { &links->out.offsets, (uint64_t)rows + 1 },
        { &links->out.links, count },
        { &links->out.others, count },
        { &links->in.offsets, (uint64_t)rows + 1 },
        { &links->in.links, count },
        { &links->in.others, count },
        { &links->families, count },
        { &making->sources, count },
        { &making->targets, count },
        { &making->spare_keys[0], count },
        { &making->spare_keys[1], count },
        { &making->spare_payload, count },
        { &making->digits, digits },
    };
    links->gpu = gpu;
    links->count = count;
    enum fg_result result = count <= FGI_GPU_LINKS_MAX
                                ? take_columns(gpu, wanted, sizeof wanted / sizeof *wanted)
                                : FG_ERR_LIMIT;
    if (result == FG_OK) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                        fgi_adjacency_sums_bytes(gpu->compute, count, rows),
                                        &making->sums);
    }
    return result;
}

static enum fg_result make_way(struct fgi_gpu_links *links, const struct fgi_gpu_work *work,
                               const struct fgi_gpu_column *ends,
                               const struct fgi_gpu_column *others,
                               const struct fgi_gpu_links_way *way)
{
    const struct fgi_gpu_links_making *making = &links->making;
    const struct fgi_adjacency adjacency = {
        .ends = *ends,
        .others = *others,
        .link_count = links->count,
        .row_count = links->gpu->counts.rows,
        .offsets = way->offsets.column,
        .links = way->links.column,
        .neighbours = way->others.column,
        .spare_keys = { making->spare_keys[0].column, making->spare_keys[1].column },
        .spare_payload = making->spare_payload.column,
        .digits = making->digits.column,
        .sums = making->sums.view,
    };
    if (links->count == 0) {
        return fgi_prim_clear(work, &way->offsets.column, (uint64_t)adjacency.row_count + 1);
    }
    return fgi_adjacency(work, &adjacency);
}

enum fg_result fgi_gpu_links_make(struct fgi_gpu_links *links, const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(links->gpu, sink);
    const struct fgi_gpu_column *sources = &links->making.sources.column;
    const struct fgi_gpu_column *targets = &links->making.targets.column;
    enum fg_result result = make_way(links, &work, sources, targets, &links->out);
    return result == FG_OK ? make_way(links, &work, targets, sources, &links->in) : result;
}

void fgi_gpu_links_made(struct fgi_gpu_links *links)
{
    struct fgi_gpu_links_making *making = &links->making;
    struct fg_compute *compute = links->gpu ? links->gpu->compute : NULL;
    if (!compute) {
        return;
    }
    fgi_gpu_column_free(compute, &making->sources);
    fgi_gpu_column_free(compute, &making->targets);
    fgi_gpu_column_free(compute, &making->spare_keys[0]);
    fgi_gpu_column_free(compute, &making->spare_keys[1]);
    fgi_gpu_column_free(compute, &making->spare_payload);
    fgi_gpu_column_free(compute, &making->digits);
    fgi_gpu_memory_end(compute, &making->sums);
}

void fgi_gpu_links_end(struct fgi_gpu_links *links)
{
    struct fgi_gpu_links_way *ways[] = { &links->out, &links->in };
    fgi_gpu_links_made(links);
    for (size_t i = 0; links->gpu && i < sizeof ways / sizeof *ways; i++) {
        fgi_gpu_column_free(links->gpu->compute, &ways[i]->offsets);
        fgi_gpu_column_free(links->gpu->compute, &ways[i]->links);
        fgi_gpu_column_free(links->gpu->compute, &ways[i]->others);
    }
    if (links->gpu) {
        fgi_gpu_column_free(links->gpu->compute, &links->families);
    }
    *links = (struct fgi_gpu_links){ 0 };
}

void fgi_gpu_links_use(struct fgi_prim_node *node, const struct fgi_gpu_links *links,
                       const struct fgi_gpu_links_way *way)
{
    fgi_prim_column(node, &way->offsets.column, (uint64_t)links->gpu->counts.rows + 1,
                    FG_COMPUTE_READ);
    fgi_prim_column(node, &way->links.column, links->count, FG_COMPUTE_READ);
    fgi_prim_column(node, &way->others.column, links->count, FG_COMPUTE_READ);
}
