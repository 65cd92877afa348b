/* SPDX-License-Identifier: MIT */
/*
 * The scenarios on the device itself, through the public headers: the trace is moved there again,
 * after the engine's is gone, and a frame ends when the rows, the bins and the indirect commands
 * that draw them lie there. Only counts come back.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "cli/bench_reference.h"
#include <frameglass/compute_runner.h>
#include <frameglass/gpu_trace_pick.h>
#include <frameglass/gpu_trace_views.h>

enum { PARTS_MAX = 64, TOTALS_BYTES = 8 };
/* Rows of a window that there is room for: twice what 2.5 % of an even trace are. */
enum { ROOM_SHARE = 20, ROOM_LEAST = 65536 };
#define RING_BYTES (UINT64_C(16) << 20)

/* Targets that one view asks about: together they may not have more rows than are counted. */
struct part {
    struct fg_gpu_view *view;
    uint32_t first, count;
};
/* All targets of a kind. */
struct views {
    struct fg_gpu_view_target *targets;
    uint32_t count, part_count;
    struct part parts[PARTS_MAX];
};

struct fgi_bench_device {
    const struct fg_compute_runner *runner;
    struct fg_gpu_trace *gpu;
    struct fg_gpu_population *all, *some; /**< of every row; of the scenario's filter */
    struct fg_gpu_filter *filter;
    struct fg_gpu_order *order; /**< of what is folded, while it is */
    struct fg_gpu_fold *fold;
    struct fg_compute_graph *graph; /**< of a frame */
    struct fg_compute_memory totals;
    struct views lanes, processes; /**< the latter while they are folded */
    struct views *shown;
    struct fg_gpu_picks *picks;          /**< while there is picking, with a slot */
    struct fg_compute_graph *pick_graph; /**< of that slot */
    uint64_t pick_serial;
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

/* As few views as can count what their targets may have. */
static uint32_t parts_for(uint32_t targets, uint32_t rows)
{
    uint32_t parts = 1;
    while (parts < PARTS_MAX && parts < targets &&
           (uint64_t)(rows / ROOM_SHARE / parts + ROOM_LEAST) * ((targets + parts - 1) / parts) >=
               UINT64_C(1) << 31) {
        parts *= 2;
    }
    return parts;
}

/* Rows that one of the parts has room for. */
static uint32_t room_of(const struct fgi_bench *bench, uint32_t parts)
{
    return (uint32_t)(bench->info.spans / ROOM_SHARE / parts) + ROOM_LEAST;
}

/* Targets of a kind, and views of them. Bins are at least half a pixel wide. */
static enum fg_result make_views(struct fgi_bench_device *d, const struct fgi_bench *bench,
                                 enum fg_view_kind kind, uint32_t count, struct views *views)
{
    const uint32_t slots = 2 * bench->width_px + 4;
    const uint32_t parts = parts_for(count, (uint32_t)bench->info.spans);
    const uint32_t each = (count + parts - 1) / parts;
    const uint32_t members = kind == FG_VIEW_LANE ? 0 : (uint32_t)bench->info.lanes;
    enum fg_result result = FG_OK;
    views->count = count;
    views->targets = fgi_calloc(NULL, count, sizeof *views->targets);
    if (views->targets == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        views->targets[i] = (struct fg_gpu_view_target){ .lane = i,
                                                         .previous_mode = FG_VIEW_NONE,
                                                         .kind = (uint32_t)kind };
    }
    for (uint32_t first = 0; result == FG_OK && first < count; first += each) {
        struct part *part = &views->parts[views->part_count];
        part->first = first;
        part->count = count - first < each ? count - first : each;
        const struct fg_gpu_view_sizes sizes = { .gpu = d->gpu,
                                                 .targets = part->count,
                                                 .slots = part->count * slots,
                                                 .spans = room_of(bench, parts),
                                                 .members = members,
                                                 .member_slots = members * slots };
        result = fg_gpu_view_create(&sizes, &part->view);
        views->part_count += result == FG_OK;
    }
    return result;
}

static void end_views(struct views *views)
{
    for (uint32_t i = 0; i < views->part_count; i++) {
        fg_gpu_view_destroy(views->parts[i].view);
    }
    fgi_free(NULL, views->targets, views->count * sizeof *views->targets);
    *views = (struct views){ 0 };
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
    enum fg_result result = d->runner != NULL ? FG_OK : FG_ERR_UNSUPPORTED;
    result = result == FG_OK ? move_trace(d, bench) : result;
    result = result == FG_OK
                 ? make_views(d, bench, FG_VIEW_LANE, (uint32_t)bench->info.lanes, &d->lanes)
                 : result;
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
    end_views(&d->lanes);
    fg_compute_graph_destroy(d->graph);
    if (d->totals.block != NULL) {
        fg_compute_memory_free(d->runner->compute, &d->totals);
    }
    fg_gpu_population_destroy(d->some);
    fg_gpu_population_destroy(d->all);
    fg_gpu_filter_destroy(d->filter);
    fg_gpu_trace_destroy(d->gpu);
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

/* Every process as one line. */
static enum fg_result fold(struct fgi_bench_device *d, const struct fgi_bench *bench)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    int64_t encoded_ns;
    fg_compute_graph_clear(d->graph);
    enum fg_result result = fg_gpu_order_create(d->gpu, &d->order);
    result = result == FG_OK ? fg_gpu_order_build(d->order, &sink) : result;
    result = result == FG_OK ? run_graph(d, d->graph, &encoded_ns) : result;
    fg_compute_graph_clear(d->graph);
    if (result == FG_OK) {
        fg_gpu_order_settle(d->order);
        result = fg_gpu_fold_create(d->all, d->order, FG_VIEW_PROCESS, &d->fold);
    }
    result = result == FG_OK ? fg_gpu_fold_build(d->fold, &sink) : result;
    result = result == FG_OK ? run_graph(d, d->graph, &encoded_ns) : result;
    fg_compute_graph_clear(d->graph);
    if (result != FG_OK) {
        return result;
    }
    fg_gpu_fold_settle(d->fold);
    d->shown = &d->processes;
    return make_views(d, bench, FG_VIEW_PROCESS, (uint32_t)bench->info.processes, &d->processes);
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
    for (uint32_t i = 0; result == FG_OK && i < d->shown->part_count; i++) {
        const struct fg_gpu_view *view = d->shown->parts[i].view;
        struct fg_gpu_view_results results;
        fg_gpu_view_get_results(view, &results);
        result = fg_gpu_view_add_folded(view, population, NULL, d->fold, &sink);
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

static enum fg_result make_picks(struct fgi_bench_device *d)
{
    enum fg_result result = fg_gpu_picks_create(d->gpu, 1, &d->picks);
    result = result == FG_OK ? fg_compute_graph_create(d->runner->compute, NULL, &d->pick_graph)
                             : result;
    if (result != FG_OK) {
        return result;
    }
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->pick_graph);
    return fg_gpu_picks_add(d->picks, 0, d->all, &sink);
}

static enum fg_result begin(struct fgi_bench *bench, enum fgi_bench_scenario scenario)
{
    struct fg_filter_terms terms;
    struct fgi_bench_device *d = bench->device;
    enum fg_result result = FG_OK;
    d->shown = &d->lanes;
    if (scenario == FGI_BENCH_COLLAPSED) {
        result = fold(d, bench);
    } else if (fgi_bench_terms(bench, scenario, &terms)) {
        result = make_filter(d, &terms);
    } else if (scenario == FGI_BENCH_PICKING) {
        result = make_picks(d);
    }
    return result == FG_OK ? add_frame(d) : result;
}

static void end(struct fgi_bench *bench)
{
    struct fgi_bench_device *d = bench->device;
    fg_compute_graph_clear(d->graph);
    fg_compute_graph_destroy(d->pick_graph);
    fg_gpu_picks_destroy(d->picks);
    d->pick_graph = NULL;
    d->picks = NULL;
    end_views(&d->processes);
    fg_gpu_fold_destroy(d->fold);
    fg_gpu_order_destroy(d->order);
    fg_gpu_population_destroy(d->some);
    fg_gpu_filter_destroy(d->filter);
    d->fold = NULL;
    d->order = NULL;
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
    const struct views *shown = d->shown;
    for (uint32_t i = 0; result == FG_OK && i < shown->part_count; i++) {
        const struct part *part = &shown->parts[i];
        result = fg_gpu_view_ask(part->view, &window, shown->targets + part->first, part->count);
    }
    result = result == FG_OK ? run_graph(d, d->graph, &encoded_ns) : result;
    if (result != FG_OK) {
        return result;
    }
    const uint32_t *totals = d->totals.host;
    const uint32_t room = room_of(bench, shown->part_count);
    for (uint32_t i = 0; i < shown->part_count; i++) {
        out_drawn->bins += totals[2 * i];
        out_drawn->spans += totals[2 * i + 1];
        out_drawn->unanswered += totals[2 * i + 1] > room;
    }
    out_drawn->candidates = out_drawn->spans;
    out_drawn->encode_ns = encoded_ns - begin_ns;
    return FG_OK;
}

/* A submission of its own: what a pointer that moves between two frames costs. */
static enum fg_result pick(struct fgi_bench *bench, uint32_t lane, int64_t time_ns,
                           uint64_t tolerance_ns)
{
    struct fgi_bench_device *d = bench->device;
    const struct fg_gpu_pick_request request = {
        .kind = FG_VIEW_LANE, .index = lane, .time_ns = time_ns, .tolerance_ns = tolerance_ns
    };
    struct fg_gpu_pick_answer answer;
    uint64_t id = 0;
    int64_t encoded_ns;
    const uint64_t serial = ++d->pick_serial;
    enum fg_result result = fg_gpu_picks_ask(d->picks, FG_GPU_PICK_SELECT, &request, &id);
    if (result != FG_OK) {
        return result;
    }
    if (fg_gpu_picks_take(d->picks, serial) == FG_NONE) {
        return FG_ERR_BUSY;
    }
    result = run_graph(d, d->pick_graph, &encoded_ns);
    fg_gpu_picks_complete(d->picks, serial);
    return result == FG_OK ? fg_gpu_picks_poll(d->picks, &answer) : result;
}

const struct fgi_bench_renderer *fgi_bench_device_renderer(struct fgi_bench *bench)
{
    static const struct fgi_bench_renderer renderer = {
        .name = "device",
        .scenarios = (1u << FGI_BENCH_SCENARIOS) - 1,
        .begin = begin,
        .end = end,
        .draw = draw,
        .pick = pick,
    };
    return bench->told.device != NULL && bench->told.reason == NULL ? &renderer : NULL;
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
