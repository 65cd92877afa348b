/* SPDX-License-Identifier: MIT */
/* The trace on the device, filters and populations for the engine: made when they are needed. */
#include "engine/vulkan/engine_filter.h"

#include "base/alloc.h"
#include "engine/vulkan/engine_links.h"
#include "engine/vulkan/engine_view.h"

/* Of uploads: pieces of about 2.5 MiB, several on their way. */
#define RING_BYTES (UINT64_C(16) << 20)

/** What the device has of a filter. */
struct device_filter {
    struct fg_gpu_filter *filter;
    struct fg_gpu_population *population; /**< NULL until it is needed */
};

/* ---- the trace ------------------------------------------------------------------------------- */

static enum fg_result upload_all(struct fgi_engine_vulkan *vulkan, struct fg_gpu_trace *gpu,
                                 struct fg_compute_graph *graph, struct fg_compute_ring *ring)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    for (uint64_t serial = 1;; serial++) {
        fg_compute_graph_clear(graph);
        enum fg_result result = fg_gpu_trace_upload(gpu, &sink, ring, serial, 0);
        if (result == FG_ERR_NOT_FOUND) {
            return FG_OK;
        }
        if (result == FG_OK) {
            result = fgi_gpu_run(vulkan, graph, NULL, 0, "columns of the trace");
        }
        if (result != FG_OK) {
            return result;
        }
        fg_compute_ring_complete(ring, serial);
    }
}

static enum fg_result make_trace(struct fgi_engine_vulkan *vulkan)
{
    struct fg_compute *compute = vulkan->runner.compute;
    const uint64_t block_bytes = fg_compute_get_facts(compute)->block_bytes;
    struct fg_gpu_trace *gpu = NULL;
    struct fg_compute_ring *ring = NULL;
    struct fg_compute_graph *graph = NULL;
    enum fg_result result =
        fg_gpu_trace_create(FG_GPU_TRACE_OPTIONS(.allocator = vulkan->allocator, .compute = compute,
                                                 .trace = vulkan->engine.trace),
                            &gpu);
    if (result == FG_OK) {
        result = fg_compute_ring_create(compute, FG_COMPUTE_UPLOAD,
                                        RING_BYTES < block_bytes ? RING_BYTES : block_bytes, &ring);
    }
    result = result == FG_OK ? fg_compute_graph_create(compute, NULL, &graph) : result;
    result = result == FG_OK ? upload_all(vulkan, gpu, graph, ring) : result;
    fg_compute_graph_destroy(graph);
    fg_compute_ring_destroy(ring);
    if (result != FG_OK) {
        fg_gpu_trace_destroy(gpu);
        return fgi_gpu_fall_back(vulkan, result, "columns of the trace");
    }
    vulkan->gpu = gpu;
    return FG_OK;
}

enum fg_result fgi_gpu_trace_of(struct fgi_engine_vulkan *vulkan, struct fg_gpu_trace **out_gpu)
{
    const enum fg_result result = vulkan->gpu ? FG_OK : make_trace(vulkan);
    *out_gpu = vulkan->gpu;
    return result;
}

void fgi_gpu_trace_end(struct fgi_engine_vulkan *vulkan)
{
    fgi_gpu_cover_forget(vulkan);
    fgi_gpu_rows_end(vulkan);
    fgi_gpu_linked_end(vulkan);
    fgi_gpu_views_end(vulkan);
    fg_gpu_population_destroy(vulkan->all);
    fg_gpu_trace_destroy(vulkan->gpu);
    vulkan->all = NULL;
    vulkan->gpu = NULL;
}

/* ---- populations ----------------------------------------------------------------------------- */

/** With a range maximum where that leaves as much memory again; else views look at more spans. */
static uint32_t population_flags(const struct fg_gpu_trace *gpu, uint32_t count)
{
    const uint64_t bytes =
        fgi_gpu_column_bytes(count, 8) + fgi_gpu_column_bytes(fgi_range_max_nodes(count), 16);
    return bytes <= fg_compute_memory_left(gpu->compute) / 2 ? FG_GPU_POPULATION_RANGE_MAX : 0;
}

/** Make and run the nodes of a population. */
static enum fg_result make_population(struct fgi_engine_vulkan *vulkan, struct fg_gpu_trace *gpu,
                                      const struct fg_gpu_filter *filter, uint32_t count,
                                      struct fg_gpu_population **out_population)
{
    struct fg_compute_graph *graph = NULL;
    struct fg_gpu_population *population = NULL;
    enum fg_result result =
        fg_gpu_population_create(gpu, filter, count, population_flags(gpu, count), &population);
    if (result == FG_OK) {
        result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
        result = fg_gpu_population_build(population, &sink);
    }
    if (result == FG_OK) {
        result = fgi_gpu_run(vulkan, graph, NULL, 0, "lanes in order");
    }
    fg_compute_graph_destroy(graph);
    if (result != FG_OK) {
        fg_gpu_population_destroy(population);
        return fgi_gpu_fall_back(vulkan, result, "lanes in order");
    }
    *out_population = population;
    return FG_OK;
}

/** What the device has of a filter; makes it there. */
static enum fg_result device_of(struct fgi_engine_vulkan *vulkan, uint32_t id,
                                struct device_filter **out_device, uint32_t *out_rows)
{
    struct fgi_gpu_filter *own = fgi_gpu_filter_find(vulkan, id);
    if (!own) {
        return FG_ERR_NOT_FOUND;
    }
    const enum fg_result result = own->device ? FG_OK : fgi_gpu_filter_fill(vulkan, own);
    *out_device = own->device;
    *out_rows = own->rows;
    return result;
}

enum fg_result fgi_gpu_population_of(struct fgi_engine_vulkan *vulkan, uint32_t filter,
                                     struct fg_gpu_population **out_population)
{
    struct fg_gpu_trace *gpu = NULL;
    struct device_filter *device = NULL;
    struct fg_gpu_population **place = &vulkan->all;
    uint32_t rows = 0;
    enum fg_result result = FG_OK;
    if (filter != 0) {
        result = device_of(vulkan, filter, &device, &rows);
        place = device ? &device->population : NULL;
    }
    result = result == FG_OK ? fgi_gpu_trace_of(vulkan, &gpu) : result;
    if (result == FG_OK && !*place) {
        result = make_population(vulkan, gpu, device ? device->filter : NULL,
                                 device ? rows : gpu->counts.rows, place);
    }
    *out_population = result == FG_OK ? *place : NULL;
    return result;
}

enum fg_result fgi_gpu_mask_of(struct fgi_engine_vulkan *vulkan, uint32_t filter,
                               const struct fgi_gpu_column **out_mask)
{
    struct device_filter *device = NULL;
    uint32_t rows = 0;
    *out_mask = NULL;
    const enum fg_result result = filter != 0 ? device_of(vulkan, filter, &device, &rows) : FG_OK;
    if (result == FG_OK && device) {
        *out_mask = &device->filter->mask.column;
    }
    return result;
}

/* ---- filters --------------------------------------------------------------------------------- */

static void end_device(struct fgi_engine_vulkan *vulkan, void *context)
{
    struct device_filter *device = context;
    fgi_gpu_rows_forget(vulkan, device->population);
    fgi_gpu_views_forget(vulkan, device->population);
    fg_gpu_population_destroy(device->population);
    fg_gpu_filter_destroy(device->filter);
    fgi_free(vulkan->allocator, device, sizeof *device);
}

static enum fg_result judge(struct fgi_engine_vulkan *vulkan, struct fg_gpu_trace *gpu,
                            const struct fg_filter_terms *terms, struct device_filter *device,
                            uint32_t *out_rows)
{
    struct fg_compute_graph *graph = NULL;
    enum fg_result result = fg_gpu_filter_create(gpu, terms, NULL, &device->filter);
    if (result == FG_OK) {
        result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
        result = fg_gpu_filter_judge(device->filter, &sink);
    }
    if (result == FG_OK) {
        const struct fgi_gpu_read read = { fg_gpu_filter_count(device->filter), out_rows };
        result = fgi_gpu_run(vulkan, graph, &read, 1, "a filter");
    }
    fg_compute_graph_destroy(graph);
    return result;
}

enum fg_result fgi_gpu_filter_fill(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_filter *filter)
{
    struct fg_gpu_trace *gpu = NULL;
    enum fg_result result = fgi_gpu_trace_of(vulkan, &gpu);
    if (result != FG_OK) {
        return result;
    }
    struct device_filter *device = fgi_calloc(vulkan->allocator, 1, sizeof *device);
    if (!device) {
        return fgi_gpu_fall_back(vulkan, FG_ERR_NO_MEMORY, "a filter");
    }
    uint32_t rows = 0;
    result = judge(vulkan, gpu, &filter->terms, device, &rows);
    if (result != FG_OK) {
        end_device(vulkan, device);
        return fgi_gpu_fall_back(vulkan, result, "a filter");
    }
    filter->rows = rows;
    filter->device = device;
    filter->device_end = end_device;
    return FG_OK;
}
