/* SPDX-License-Identifier: MIT */
/* Histograms: the domain, where none is given, from the least and greatest of all groups; then
 * bins, which are laid out by the host. */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"

enum { LOG_BINS = 65, DOMAIN_PASSES = 2 };

struct counting {
    struct fgi_histogram_work base;
    struct fgi_gpu_counting counting;
    struct fg_histogram_request request; /* its lists are kept */
    uint32_t bins;
    bool has_domain, is_counting; /* otherwise the domain is looked for */
    uint64_t low, high;
    uint64_t *firsts; /* linear and edges: first value of each bin; in the question's memory */
};

/* ---- bins ------------------------------------------------------------------------------------ */

/** Equal widths: the value v is in bin i where floor((v - low) * bins / (high - low)) is i. */
static void lay_out_bins(struct counting *c)
{
    const uint64_t width = c->high - c->low;
    if (width < c->bins - 1) { /* a bin is at least one number wide */
        c->bins = (uint32_t)width + 1;
    }
    for (uint32_t i = 0; i < c->bins; i++) {
        const fgi_wide part = (fgi_wide)width * i;
        c->firsts[i] = c->low + (uint64_t)(part / c->bins) + (part % c->bins > 0);
    }
}

static void set_domain(struct counting *c)
{
    c->low = UINT64_MAX;
    c->high = 0;
    for (uint32_t i = 0; i < c->counting.group_count; i++) {
        const struct fgi_gpu_group *group = &c->counting.groups[i];
        if (group->count > 0) {
            c->low = group->min < c->low ? group->min : c->low;
            c->high = group->max > c->high ? group->max : c->high;
            c->has_domain = true;
        }
    }
    if (!c->has_domain) { /* no value: nothing will be counted */
        c->low = c->high = 0;
    }
    lay_out_bins(c);
    c->is_counting = true;
}

static uint64_t first_of(const struct counting *c, uint32_t i)
{
    return c->firsts ? c->firsts[i] : i == 0 ? 0 : UINT64_C(1) << (i - 1);
}
static uint64_t last_of(const struct counting *c, uint32_t i)
{
    return i + 1 == c->bins ? c->high : first_of(c, i + 1) - 1;
}

static enum fg_result make_reply(struct counting *c, const struct fgi_question *question,
                                 const uint32_t *counts, const struct fgi_gpu_bin_totals *totals)
{
    struct fg_histogram_bin *bins =
        fgi_arena_alloc(question->arena, (size_t)c->bins + 1, sizeof *bins);
    struct fg_histogram_reply *reply = &c->base.reply;
    if (!bins) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->bins; i++) {
        bins[i] = (struct fg_histogram_bin){ first_of(c, i), last_of(c, i), counts[i] };
    }
    *reply = (struct fg_histogram_reply){
        .bins = bins,
        .count = c->has_domain ? c->bins : 0,
        .has_domain = c->has_domain,
        .low = c->low,
        .high = c->high,
        .below = totals->below,
        .above = totals->above,
        .measured = totals->measured,
        .unfinished = totals->unfinished,
        .unmeasured = totals->unmeasured,
        .is_clipped = c->request.measure == FG_MEASURE_CLIPPED,
    };
    while (!c->firsts && reply->count > 0 && bins[reply->count - 1].count == 0) {
        reply->count--;
    }
    return FG_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum fg_result run_bins(struct counting *c, const struct fgi_question *question,
                               struct fg_compute_graph *graph)
{
    struct fgi_gpu_counting *counting = &c->counting;
    const struct fgi_gpu_bins bins = { c->low, c->high, c->firsts, c->bins };
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fgi_gpu_bin_totals totals = { 0 };
    struct fgi_gpu_read *reads = NULL;
    uint32_t *counts = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_gpu_numbers_set_bins(&counting->numbers, &bins);
    result = result == FG_OK ? fgi_gpu_numbers_bins(&counting->numbers, &sink) : result;
    if (result == FG_OK) {
        result = fgi_gpu_counting_reads(counting, &counting->numbers.counts.column, c->bins, 1,
                                        &counts, &reads, &count);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(counting->vulkan, result, "a histogram");
    }
    reads[count] = (struct fgi_gpu_read){ counting->numbers.bin_totals.view, &totals };
    reads[count++].view.size_bytes = sizeof totals;
    result = fgi_gpu_counting_run(counting, question, graph, reads, count,
                                  counting->numbers.gpu->counts.rows, &c->base.work);
    return result == FG_OK ? make_reply(c, question, counts, &totals) : result;
}

static enum fg_result count_bins(struct counting *c, const struct fgi_question *question)
{
    struct fg_compute_graph *graph = NULL;
    struct fgi_engine_vulkan *vulkan = c->counting.vulkan;
    enum fg_result result = fgi_gpu_counting_ready(&c->counting);
    if (result != FG_OK) {
        return result;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "a histogram");
    }
    result = run_bins(c, question, graph);
    fg_compute_graph_destroy(graph);
    return result;
}

static enum fg_result step_on_device(struct counting *c, const struct fgi_question *question,
                                     uint64_t max_rows)
{
    struct fgi_work *work = &c->base.work;
    if (!c->is_counting) {
        const enum fg_result result =
            fgi_gpu_counting_groups(&c->counting, question, DOMAIN_PASSES, max_rows, work);
        if (result == FG_OK && c->counting.pass == DOMAIN_PASSES) {
            set_domain(c);
        }
        return result;
    }
    const enum fg_result result = count_bins(c, question);
    if (result == FG_OK) {
        work->stage = work->stage_count;
        work->total_rows = work->done_rows;
        work->is_done = true;
    }
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct counting *c = (struct counting *)work;
    struct fgi_gpu_counting *counting = &c->counting;
    enum fg_result result = FG_ERR_STATE;
    if (!counting->host) {
        if (fgi_gpu_ready(counting->vulkan)) {
            result = step_on_device(c, question, max_rows);
        }
        if (fgi_gpu_counting_did(counting, work, result)) {
            return result;
        }
        struct fgi_histogram_work *host = NULL;
        result = fgi_host_histogram_begin(&counting->vulkan->engine, question, &c->request, &host);
        if (result != FG_OK) {
            return result;
        }
        counting->host = &host->work;
    }
    return fgi_gpu_counting_host_step(counting, work, sizeof c->base, question, max_rows);
}

static void counting_destroy(struct fgi_work *work)
{
    struct counting *c = (struct counting *)work;
    const struct fg_allocator *allocator = c->counting.vulkan->allocator;
    fgi_gpu_counting_end(&c->counting);
    fgi_free(allocator, c, sizeof *c);
}

static const struct fgi_task_ops ops = { step, counting_destroy };

static enum fg_result begin(struct counting *c, struct fgi_engine_vulkan *vulkan,
                            const struct fgi_question *question,
                            const struct fg_histogram_request *request)
{
    const struct fgi_gpu_number_rule rule = { .by = FG_AGGREGATE_ALL, .measure = request->measure };
    const enum fg_result result =
        fgi_gpu_counting_begin(&c->counting, vulkan, question, &request->selection, &rule);
    const bool is_log = request->scale == FG_HISTOGRAM_LOG2;
    const bool has_edges = request->scale == FG_HISTOGRAM_EDGES;
    if (result != FG_OK) {
        return result;
    }
    c->request = *request;
    c->request.selection = c->counting.selection;
    c->bins = is_log ? LOG_BINS : has_edges ? request->edge_count - 1 : request->bins;
    c->low = is_log ? 0 : has_edges ? request->edges[0] : request->low;
    c->high = is_log ? UINT64_MAX : has_edges ? request->edges[c->bins] : request->high;
    c->has_domain = c->is_counting = is_log || has_edges || request->has_domain;
    if (is_log) {
        return FG_OK;
    }
    c->firsts = fgi_arena_alloc(question->arena, (size_t)c->bins + 2, sizeof *c->firsts);
    if (!c->firsts) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; has_edges && i < request->edge_count; i++) {
        c->firsts[i] = request->edges[i];
    }
    if (has_edges) { /* one more than there are bins */
        c->request.edges = c->firsts;
    } else if (request->has_domain) {
        lay_out_bins(c);
    }
    return FG_OK;
}

enum fg_result fgi_vulkan_histogram_begin(struct fg_engine *engine,
                                          const struct fgi_question *question,
                                          const struct fg_histogram_request *request,
                                          struct fgi_histogram_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    const uint64_t bins_bytes = (uint64_t)FG_HISTOGRAM_BINS_MAX * sizeof(uint64_t);
    const uint64_t block_bytes = fg_compute_get_facts(vulkan->runner.compute)->block_bytes;
    const uint32_t most = request->bins > request->edge_count ? request->bins : request->edge_count;
    if (most * sizeof(uint64_t) > (bins_bytes < block_bytes ? bins_bytes : block_bytes) ||
        !fgi_gpu_counting_fits(vulkan, FG_AGGREGATE_ALL, request->measure)) {
        return fgi_host_histogram_begin(engine, question, request, out_work);
    }
    struct counting *c = fgi_calloc(vulkan->allocator, 1, sizeof *c);
    if (!c) {
        return FG_ERR_NO_MEMORY;
    }
    const enum fg_result result = begin(c, vulkan, question, request);
    if (result != FG_OK) {
        counting_destroy(&c->base.work);
        return result;
    }
    c->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_HISTOGRAM,
        .total_rows =
            (uint64_t)fgi_trace_rows(engine->trace) * (c->is_counting ? 1 : DOMAIN_PASSES + 1),
        .stage_count = 1,
    };
    *out_work = &c->base;
    return FG_OK;
}
