/* SPDX-License-Identifier: MIT */
/* Time buckets by the device: what is asked, and its records as an answer. */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"
#include "engine/vulkan/gpu_numbers_buckets.h"
#include <frameglass/gpu_trace_numbers.h>

static const char what[] = "time buckets";

struct dividing {
    struct fgi_buckets_work base;
    struct fgi_gpu_counting counting;
    struct fg_buckets_request request; /* its lists are kept */
};

/** Counts of a record become what is asked for: sums that do not fit are told. */
static struct fg_bucket bucket_of(const struct fg_gpu_bucket *record, uint32_t lanes)
{
    const fgi_wide sum =
        (fgi_wide)record->sum[2] << 64 | (fgi_wide)record->sum[1] << 32 | record->sum[0];
    const fgi_wide capacity = (fgi_wide)fgi_duration(record->start_ns, record->end_ns) * lanes;
    struct fg_bucket bucket = {
        .start_ns = record->start_ns,
        .end_ns = record->end_ns,
        .starts = record->starts,
        .count = record->count,
        .covered_ns = record->covered_ns,
        .sum_ns = fgi_wide_saturated(sum),
        .capacity_ns = fgi_wide_saturated(capacity),
        .peak = record->peak,
        .is_saturated = sum > UINT64_MAX || capacity > UINT64_MAX,
    };
    bucket.idle_ns = bucket.capacity_ns > bucket.sum_ns ? bucket.capacity_ns - bucket.sum_ns : 0;
    return bucket;
}

static enum fg_result run(struct dividing *d, const struct fgi_question *question,
                          struct fg_compute_graph *graph, struct fgi_gpu_buckets *buckets)
{
    struct fgi_gpu_counting *c = &d->counting;
    struct fg_buckets_reply *reply = &d->base.reply;
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fg_bucket *items =
        fgi_arena_alloc(question->arena, (size_t)reply->count + 1, sizeof *items);
    struct fgi_gpu_read *reads = NULL;
    uint32_t *words = NULL;
    uint32_t count = 0;
    if (!items) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_gpu_buckets_begin(buckets, &c->numbers, reply->start_ns,
                                                  reply->end_ns, reply->count, &c->arena);
    result = result == FG_OK ? fgi_gpu_buckets_add(buckets, &sink) : result;
    if (result == FG_OK) {
        const uint64_t wanted =
            (uint64_t)reply->count * (sizeof(struct fg_gpu_bucket) / sizeof(uint32_t));
        result =
            fgi_gpu_counting_reads(c, &buckets->records.column, wanted, 0, &words, &reads, &count);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, what);
    }
    result = fgi_gpu_counting_run(c, question, graph, reads, count, c->numbers.gpu->counts.rows,
                                  &d->base.work);
    const struct fg_gpu_bucket *records = (const struct fg_gpu_bucket *)(const void *)words;
    for (uint32_t i = 0; result == FG_OK && i < reply->count; i++) {
        items[i] = bucket_of(&records[i], reply->lanes);
    }
    reply->buckets = items;
    return result;
}

static enum fg_result step_on_device(struct dividing *d, const struct fgi_question *question)
{
    struct fgi_gpu_counting *c = &d->counting;
    struct fg_compute_graph *graph = NULL;
    struct fgi_gpu_buckets buckets = { 0 };
    enum fg_result result = fgi_gpu_counting_ready(c);
    if (result != FG_OK) {
        return result;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    result = fg_compute_graph_create(c->vulkan->runner.compute, NULL, &graph);
    result = result == FG_OK ? run(d, question, graph, &buckets)
                             : fgi_gpu_fall_back(c->vulkan, result, what);
    fgi_gpu_buckets_end(&buckets);
    fg_compute_graph_destroy(graph);
    if (result == FG_OK) {
        fgi_gpu_counting_end_work(&d->base.work);
    }
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct dividing *d = (struct dividing *)work;
    struct fgi_gpu_counting *c = &d->counting;
    enum fg_result result = FG_ERR_STATE;
    if (!c->host) {
        if (fgi_gpu_ready(c->vulkan)) {
            result = step_on_device(d, question);
        }
        if (fgi_gpu_counting_did(c, work, result)) {
            return result;
        }
        struct fgi_buckets_work *host = NULL;
        result = fgi_host_buckets_begin(&c->vulkan->engine, question, &d->request, &host);
        if (result != FG_OK) {
            return result;
        }
        c->host = &host->work;
    }
    return fgi_gpu_counting_host_step(c, work, sizeof d->base, question, max_rows);
}

static void destroy(struct fgi_work *work)
{
    struct dividing *d = (struct dividing *)work;
    const struct fg_allocator *allocator = d->counting.vulkan->allocator;
    fgi_gpu_counting_end(&d->counting);
    fgi_free(allocator, d, sizeof *d);
}

static const struct fgi_task_ops ops = { step, destroy };

/* ---- which lanes ----------------------------------------------------------------------------- */

/** Selected lanes; whether times of several clocks would be put side by side. Which of them have
 *  spans of a filter is not known here. */
static enum fg_result see_lanes(const struct fg_trace *trace, const struct fg_selection *selection,
                                struct fgi_arena *arena, uint32_t *out_lanes, bool *out_mixes)
{
    bool is_nominal = false;
    bool is_several = false;
    uint32_t clock = FG_NONE;
    uint32_t *bits = NULL;
    const enum fg_result result = fgi_gpu_selected_lanes(trace, selection, arena, &bits);
    for (uint32_t i = 0; result == FG_OK && i < trace->lanes.count; i++) {
        if ((bits[i / 32] >> (i % 32) & 1) != 0) {
            const uint32_t own = trace->tracks.items[trace->lanes.items[i].track].clock;
            (*out_lanes)++;
            is_nominal |= trace->clocks.items[own].kind == FG_CLOCK_NOMINAL;
            is_several |= clock != FG_NONE && clock != own;
            clock = own;
        }
    }
    *out_mixes = is_nominal && is_several;
    return result;
}

static bool fits(struct fgi_engine_vulkan *vulkan, uint32_t count)
{
    const struct fg_compute *compute = vulkan->runner.compute;
    const uint64_t rows = fgi_trace_rows(vulkan->engine.trace);
    return fgi_gpu_counting_fits(vulkan, FG_AGGREGATE_ALL, FG_MEASURE_DURATION) &&
           ((uint64_t)count + 1) * sizeof(uint64_t) <= fg_compute_get_facts(compute)->block_bytes &&
           rows * FGI_GPU_BUCKET_ROW_BYTES <= fg_compute_memory_left(compute);
}

enum fg_result fgi_vulkan_buckets_begin(struct fg_engine *engine,
                                        const struct fgi_question *question,
                                        const struct fg_buckets_request *request,
                                        struct fgi_buckets_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    const struct fgi_gpu_number_rule rule = { .by = FG_AGGREGATE_ALL,
                                              .measure = FG_MEASURE_DURATION,
                                              .has_no_figures = true };
    uint32_t lanes = 0;
    bool mixes = false;
    enum fg_result result =
        see_lanes(engine->trace, &request->selection, question->arena, &lanes, &mixes);
    if (result != FG_OK) {
        return result;
    }
    if (mixes || !fits(vulkan, request->count)) {
        return fgi_host_buckets_begin(engine, question, request, out_work);
    }
    struct dividing *d = fgi_calloc(vulkan->allocator, 1, sizeof *d);
    if (!d) {
        return FG_ERR_NO_MEMORY;
    }
    d->counting.vulkan = vulkan;
    result = fgi_gpu_counting_begin(&d->counting, vulkan, question, &request->selection, &rule);
    if (result != FG_OK) {
        destroy(&d->base.work);
        return result;
    }
    const int64_t start = request->selection.start_ns;
    const int64_t end = request->selection.end_ns;
    const uint64_t width = fgi_duration(start, end);
    d->request = *request;
    d->request.selection = d->counting.selection;
    d->base.reply = (struct fg_buckets_reply){
        .count = request->count < width ? request->count : (uint32_t)width,
        .lanes = request->lanes > 0 ? request->lanes : lanes,
        .start_ns = start,
        .end_ns = end,
    };
    d->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_BUCKETS,
        .total_rows = fgi_trace_rows(engine->trace),
        .stage_count = 1,
    };
    *out_work = &d->base;
    return FG_OK;
}
