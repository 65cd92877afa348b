/* SPDX-License-Identifier: MIT */
/*
 * The scenarios on the device itself, through the public headers: the trace is moved there once
 * more, and a frame ends when the rows, the bins and the indirect commands that draw them lie
 * there. Only counts come back.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "cli/bench_reference.h"
#include <frameglass/compute_runner.h>
#include <frameglass/gpu_trace_views.h>

enum { PARTS_MAX = 64, TOTALS_BYTES = 8 };
/* Rows of a window that there is room for: twice what 2.5 % of an even trace are. */
enum { ROOM_SHARE = 20, ROOM_LEAST = 65536 };
#define RING_BYTES (UINT64_C(16) << 20)

/* Lanes that one view asks about: together they may not have more rows than are counted. */
struct part {
    struct fg_gpu_view *view;
    uint32_t first, count;
};

struct fgi_bench_device {
    const struct fg_compute_runner *runner;
    struct fg_gpu_trace *gpu;
    struct fg_gpu_population *all, *some; /**< of every row; of the scenario's filter */
    struct fg_gpu_filter *filter;
    struct fg_compute_graph *graph; /**< of a frame */
    struct fg_compute_memory totals;
    struct fg_gpu_view_target *targets;
    uint32_t lanes, part_count;
    struct part parts[PARTS_MAX];
};

/* ---- running --------------------------------------------------------------------------------- */

static enum fg_result run_graph(const struct fgi_bench_device *d, struct fg_compute_graph *graph,
                                int64_t *out_encoded_ns)
{
    const struct fg_compute_runner *runner = d->runner;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    enum fg_result result = fg_compute_graph_compile(graph);
    result = result == FG_OK ? runner->begin(runner->context, &commands) : result;
    result = result == FG_OK ? fg_compute_graph_encode(graph, commands) : result;
    *out_encoded_ns = fgi_clock_monotonic_ns();
    result = result == FG_OK ? runner->submit(runner->context) : result;
    result = result == FG_OK ? runner->wait(runner->context) : result;
    if (result == FG_ERR_DEVICE_LOST) {
        fg_compute_set_lost(runner->compute);
    }
    return result;
}

static enum fg_result upload(const struct fgi_bench_device *d, struct fg_compute_graph *graph,
                             struct fg_compute_ring *ring)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    enum fg_result result = FG_OK;
    int64_t encoded_ns;
    for (uint64_t serial = 1; result == FG_OK; serial++) {
        fg_compute_graph_clear(graph);
        result = fg_gpu_trace_upload(d->gpu, &sink, ring, serial, 0);
        result = result == FG_OK ? run_graph(d, graph, &encoded_ns) : result;
        fg_compute_ring_complete(ring, serial);
    }
    fg_compute_graph_clear(graph);
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

static enum fg_result build(const struct fgi_bench_device *d, const struct fg_gpu_filter *filter,
                            uint32_t count, struct fg_gpu_population **out_population)
{
    int64_t encoded_ns;
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    fg_compute_graph_clear(d->graph);
    enum fg_result result = fg_gpu_population_create(d->gpu, filter, count,
                                                     FG_GPU_POPULATION_RANGE_MAX, out_population);
    result = result == FG_OK ? fg_gpu_population_build(*out_population, &sink) : result;
    result = result == FG_OK ? run_graph(d, d->graph, &encoded_ns) : result;
    fg_compute_graph_clear(d->graph);
    return result;
}

/* ---- moving the trace ------------------------------------------------------------------------ */

/* As few views as can count what their lanes may have. */
static uint32_t parts_for(uint32_t lanes, uint32_t rows)
{
    uint32_t parts = 1;
    while (parts < PARTS_MAX && parts < lanes &&
           (uint64_t)(rows / ROOM_SHARE / parts + ROOM_LEAST) * ((lanes + parts - 1) / parts) >=
               UINT64_C(1) << 31) {
        parts *= 2;
    }
    return parts;
}

static enum fg_result make_views(struct fgi_bench_device *d, const struct fgi_bench *bench)
{
    enum fg_result result = FG_OK;
    const uint32_t parts = parts_for(d->lanes, (uint32_t)bench->info.spans);
    const uint32_t each = (d->lanes + parts - 1) / parts;
    for (uint32_t first = 0; result == FG_OK && first < d->lanes; first += each) {
        struct part *part = &d->parts[d->part_count];
        part->first = first;
        part->count = d->lanes - first < each ? d->lanes - first : each;
        /* Bins are at least half a pixel wide. */
        const struct fg_gpu_view_sizes sizes = {
            .gpu = d->gpu,
            .targets = part->count,
            .slots = part->count * (2 * bench->width_px + 4),
            .spans = (uint32_t)(bench->info.spans / ROOM_SHARE / parts) + ROOM_LEAST,
        };
        result = fg_gpu_view_create(&sizes, &part->view);
        d->part_count += result == FG_OK;
    }
    return result;
}

static enum fg_result move_trace(struct fgi_bench_device *d, const struct fgi_bench *bench)
{
    struct fg_compute *compute = d->runner->compute;
    struct fg_compute_ring *ring = NULL;
    enum fg_result result = fg_gpu_trace_create(
        FG_GPU_TRACE_OPTIONS(.compute = compute, .trace = bench->trace), &d->gpu);
    result = result == FG_OK ? fg_compute_ring_create(compute, FG_COMPUTE_UPLOAD, RING_BYTES, &ring)
                             : result;
    result = result == FG_OK ? fg_compute_graph_create(compute, NULL, &d->graph) : result;
    result = result == FG_OK ? upload(d, d->graph, ring) : result;
    result = result == FG_OK ? build(d, NULL, (uint32_t)bench->info.spans, &d->all) : result;
    fg_compute_ring_destroy(ring);
    return result;
}

enum fg_result fgi_bench_device_open(struct fgi_bench *bench)
{
    struct fgi_bench_device *d = fgi_calloc(NULL, 1, sizeof *d);
    if (d == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    bench->device = d;
    d->runner = fgi_device_runner(&bench->choice.device, NULL);
    d->lanes = (uint32_t)bench->info.lanes;
    d->targets = fgi_calloc(NULL, d->lanes, sizeof *d->targets);
    enum fg_result result = d->runner != NULL ? FG_OK : FG_ERR_UNSUPPORTED;
    result = result == FG_OK && d->targets == NULL ? FG_ERR_NO_MEMORY : result;
    for (uint32_t i = 0; result == FG_OK && i < d->lanes; i++) {
        d->targets[i] = (struct fg_gpu_view_target){ .lane = i, .previous_mode = FG_VIEW_NONE };
    }
    result = result == FG_OK ? move_trace(d, bench) : result;
    result = result == FG_OK ? make_views(d, bench) : result;
    return result == FG_OK ? fg_compute_memory_take(d->runner->compute, FG_COMPUTE_READBACK,
                                                    PARTS_MAX * TOTALS_BYTES, &d->totals)
                           : result;
}

void fgi_bench_device_close(struct fgi_bench *bench)
{
    struct fgi_bench_device *d = bench->device;
    if (d == NULL) {
        return;
    }
    for (uint32_t i = 0; i < d->part_count; i++) {
        fg_gpu_view_destroy(d->parts[i].view);
    }
    fg_compute_graph_destroy(d->graph);
    if (d->totals.block != NULL) {
        fg_compute_memory_free(d->runner->compute, &d->totals);
    }
    fg_gpu_population_destroy(d->some);
    fg_gpu_population_destroy(d->all);
    fg_gpu_filter_destroy(d->filter);
    fg_gpu_trace_destroy(d->gpu);
    fgi_free(NULL, d->targets, d->lanes * sizeof *d->targets);
    fgi_free(NULL, d, sizeof *d);
    bench->device = NULL;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Judge all rows by the scenario's terms, and put those that pass into lane order. */
static enum fg_result make_filter(struct fgi_bench_device *d, const struct fg_filter_terms *terms)
{
    int64_t encoded_ns;
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    const struct fg_compute_use seen = { .view = d->totals.view,
                                         .access = FG_COMPUTE_READ,
                                         .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                         .accesses = VK_ACCESS_HOST_READ_BIT };
    fg_compute_graph_clear(d->graph);
    enum fg_result result = fg_gpu_filter_create(d->gpu, terms, NULL, &d->filter);
    result = result == FG_OK ? fg_gpu_filter_judge(d->filter, &sink) : result;
    if (result == FG_OK) {
        const struct fg_compute_view count = fg_gpu_filter_count(d->filter);
        result = fg_compute_graph_add(
            d->graph,
            FG_COMPUTE_NODE(.name = "rows that pass", .kind = FG_COMPUTE_COPY,
                            .source = fg_compute_view_part(count, 0, sizeof(uint32_t)),
                            .target = fg_compute_view_part(d->totals.view, 0, sizeof(uint32_t))));
    }
    result = result == FG_OK
                 ? fg_compute_graph_add(d->graph, FG_COMPUTE_NODE(.name = "counted",
                                                                  .kind = FG_COMPUTE_PUBLISH,
                                                                  .uses = &seen, .use_count = 1))
                 : result;
    result = result == FG_OK ? run_graph(d, d->graph, &encoded_ns) : result;
    return result == FG_OK ? build(d, d->filter, *(const uint32_t *)d->totals.host, &d->some)
                           : result;
}

/* The nodes of a frame: what each part shows, and how much it was. */
static enum fg_result add_frame(struct fgi_bench_device *d)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    const struct fg_gpu_population *population = d->some != NULL ? d->some : d->all;
    const struct fg_compute_use seen = { .view = d->totals.view,
                                         .access = FG_COMPUTE_READ,
                                         .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                         .accesses = VK_ACCESS_HOST_READ_BIT };
    enum fg_result result = FG_OK;
    fg_compute_graph_clear(d->graph);
    for (uint32_t i = 0; result == FG_OK && i < d->part_count; i++) {
        struct fg_gpu_view_results results;
        fg_gpu_view_get_results(d->parts[i].view, &results);
        result = fg_gpu_view_add(d->parts[i].view, population, &sink);
        if (result == FG_OK) {
            const struct fg_compute_view to =
                fg_compute_view_part(d->totals.view, i * (uint64_t)TOTALS_BYTES, TOTALS_BYTES);
            result = fg_compute_graph_add(
                d->graph,
                FG_COMPUTE_NODE(.name = "how much", .kind = FG_COMPUTE_COPY,
                                .source = fg_compute_view_part(results.totals, 0, TOTALS_BYTES),
                                .target = to));
        }
    }
    return result == FG_OK
               ? fg_compute_graph_add(d->graph,
                                      FG_COMPUTE_NODE(.name = "counted", .kind = FG_COMPUTE_PUBLISH,
                                                      .uses = &seen, .use_count = 1))
               : result;
}

static enum fg_result begin(struct fgi_bench *bench, enum fgi_bench_scenario scenario)
{
    struct fg_filter_terms terms;
    struct fgi_bench_device *d = bench->device;
    enum fg_result result = FG_OK;
    if (fgi_bench_terms(bench, scenario, &terms)) {
        result = make_filter(d, &terms);
    }
    return result == FG_OK ? add_frame(d) : result;
}

static void end(struct fgi_bench *bench)
{
    struct fgi_bench_device *d = bench->device;
    fg_compute_graph_clear(d->graph);
    fg_gpu_population_destroy(d->some);
    fg_gpu_filter_destroy(d->filter);
    d->some = NULL;
    d->filter = NULL;
    bench->device_lost = bench->device_lost || fg_compute_is_lost(d->runner->compute);
}

static enum fg_result draw(struct fgi_bench *bench, const struct fgi_bench_frame *frame,
                           struct fgi_bench_drawn *out_drawn)
{
    struct fgi_bench_device *d = bench->device;
    const struct fg_gpu_view_window window = {
        .start_ns = frame->start_ns,
        .end_ns = frame->end_ns,
        .width_px = frame->width_px,
        .detail = frame->scenario == FGI_BENCH_DENSITY          ? FG_DETAIL_DENSITY
                  : frame->scenario == FGI_BENCH_REPRESENTATIVE ? FG_DETAIL_REPRESENTATIVE
                                                                : FG_DETAIL_EXACT,
    };
    enum fg_result result = FG_OK;
    int64_t begin_ns = fgi_clock_monotonic_ns(), encoded_ns;
    for (uint32_t i = 0; result == FG_OK && i < d->part_count; i++) {
        const struct part *part = &d->parts[i];
        result = fg_gpu_view_ask(part->view, &window, d->targets + part->first, part->count);
    }
    result = result == FG_OK ? run_graph(d, d->graph, &encoded_ns) : result;
    if (result != FG_OK) {
        return result;
    }
    const uint32_t *totals = d->totals.host;
    uint32_t room = (uint32_t)(bench->info.spans / ROOM_SHARE / d->part_count) + ROOM_LEAST;
    for (uint32_t i = 0; i < d->part_count; i++) {
        out_drawn->bins += totals[2 * i];
        out_drawn->spans += totals[2 * i + 1];
        out_drawn->unanswered += totals[2 * i + 1] > room;
    }
    out_drawn->candidates = out_drawn->spans;
    out_drawn->encode_ns = encoded_ns - begin_ns;
    return FG_OK;
}

const struct fgi_bench_renderer *fgi_bench_device_renderer(struct fgi_bench *bench)
{
    static const struct fgi_bench_renderer renderer = {
        .name = "device",
        .scenarios = 1u << FGI_BENCH_EXPANDED | 1u << FGI_BENCH_FILTERED | 1u << FGI_BENCH_FOCUSED |
                     1u << FGI_BENCH_DENSITY | 1u << FGI_BENCH_REPRESENTATIVE,
        .begin = begin,
        .end = end,
        .draw = draw,
    };
    struct fg_engine_info info;
    fg_engine_get_info(bench->engine, &info);
    return info.device != NULL && info.reason == NULL ? &renderer : NULL;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void put_facts(const struct fg_compute *compute, struct fgi_json *json)
{
    const struct fg_compute_facts *facts = fg_compute_get_facts(compute);
    fgi_json_key(json, "adapter");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "name", facts->device_name);
    fgi_json_key_uint(json, "vendor", facts->vendor);
    fgi_json_key_uint(json, "device", facts->device);
    fgi_json_key_uint(json, "driver_version", facts->driver_version);
    fgi_json_key_bool(json, "int64", (facts->flags & FG_COMPUTE_INT64) != 0);
    fgi_json_key_uint(json, "subgroup_size", facts->subgroup_size);
    fgi_json_object_end(json);
    fgi_json_key(json, "limits");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "block_bytes", facts->block_bytes);
    fgi_json_key_uint_or_null(json, "budget_bytes", facts->budget_bytes != UINT64_MAX,
                              facts->budget_bytes);
    fgi_json_key_uint(json, "group_limit", facts->group_limit);
    fgi_json_key_uint(json, "group_size", facts->group_size);
    fgi_json_key_uint(json, "max_group_size", facts->max_group_size);
    fgi_json_key_uint(json, "shared_bytes", facts->shared_bytes);
    fgi_json_key_uint(json, "push_bytes", facts->push_bytes);
    fgi_json_object_end(json);
}

void fgi_bench_device_put(const struct fgi_bench *bench, struct fgi_json *json)
{
    const struct fg_compute_runner *runner = NULL;
    struct fgi_device *device = bench->choice.device;
    struct fg_compute_counts counts;
    if (device != NULL) {
        runner = fgi_device_runner(&device, NULL);
    }
    if (runner == NULL) {
        return;
    }
    put_facts(runner->compute, json);
    fg_compute_get_counts(runner->compute, &counts);
    fgi_json_key(json, "allocations");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "used_bytes", counts.used_bytes);
    fgi_json_key_uint(json, "peak_used_bytes", counts.peak_used_bytes);
    fgi_json_key_uint(json, "allocated_bytes", counts.block_bytes);
    fgi_json_key_uint(json, "allocations", counts.blocks);
    fgi_json_key_uint(json, "views", counts.views);
    fgi_json_key_uint(json, "refused", counts.refused);
    fgi_json_key_uint(json, "control_bytes", counts.written_bytes);
    fgi_json_key_uint(json, "pipelines", counts.pipelines);
    fgi_json_object_end(json);
}
