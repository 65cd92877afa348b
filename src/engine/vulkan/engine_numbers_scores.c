/* SPDX-License-Identifier: MIT */
/* Scores of spans by the device; what is kept of them: engine_numbers_tints.c. */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"
#include "engine/vulkan/gpu_numbers_scores.h"

static const char what[] = "scores of spans";

struct scoring {
    struct fgi_anomaly_work base;
    struct fgi_gpu_counting counting;
    struct fg_anomaly_request request; /* its lists are kept */
    struct fgi_gpu_peers peers;
    struct fgi_gpu_scoring device;
    struct fgi_gpu_scores *scores; /* owned, unless they are taken; NULL: they are not kept */
    struct fg_gpu_score_totals totals;
    bool is_scored;
};

/* ---- scoring --------------------------------------------------------------------------------- */

static enum fg_result run_scores(struct scoring *s, const struct fgi_question *question,
                                 struct fg_compute_graph *graph)
{
    struct fgi_gpu_counting *c = &s->counting;
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const struct fgi_gpu_score_terms terms = { .rule = &s->request.rule,
                                               .baselines = s->request.baselines,
                                               .baseline_count = s->request.baseline_count,
                                               .keeps = s->request.keep };
    const uint32_t rows = c->numbers.gpu->counts.rows;
    enum fg_result result =
        fgi_gpu_scoring_begin(&s->device, &c->numbers, &s->peers, &terms, &c->arena);
    result = result == FG_OK ? fgi_gpu_scoring_add(&s->device, &sink, 0, rows) : result;
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, what);
    }
    struct fgi_gpu_read read = { s->device.totals.view, &s->totals };
    read.view.size_bytes = sizeof s->totals;
    return fgi_gpu_counting_run(c, question, graph, &read, 1, rows, &s->base.work);
}

static enum fg_result run_anomalies(struct scoring *s, const struct fgi_question *question,
                                    struct fg_compute_graph *graph,
                                    struct fgi_gpu_anomalies *anomalies)
{
    struct fgi_gpu_counting *c = &s->counting;
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const uint32_t count =
        s->request.limit < s->totals.anomalous ? s->request.limit : s->totals.anomalous;
    struct fg_anomaly_row *rows = fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *rows);
    struct fgi_gpu_read *reads = NULL;
    uint32_t *words = NULL;
    uint32_t read_count = 0;
    if (!rows) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result =
        fgi_gpu_anomalies_begin(anomalies, &s->device, s->totals.anomalous, count);
    result = result == FG_OK ? fgi_gpu_anomalies_add(anomalies, &sink) : result;
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, what);
    }
    result =
        fgi_gpu_counting_reads(c, &anomalies->top.column, (uint64_t)count * FGI_GPU_ANOMALY_WORDS,
                               0, &words, &reads, &read_count);
    if (result == FG_OK) {
        result = fgi_gpu_counting_run(c, question, graph, reads, read_count, s->totals.anomalous,
                                      &s->base.work);
    }
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        rows[i] = fgi_gpu_anomaly(&c->numbers, words + (size_t)i * FGI_GPU_ANOMALY_WORDS);
    }
    s->base.reply.rows = rows;
    s->base.reply.count = count;
    return result;
}

/** All but the highest ones is known from the totals. */
static enum fg_result finish(struct scoring *s)
{
    struct fg_anomaly_reply *reply = &s->base.reply;
    const struct fg_gpu_score_totals *totals = &s->totals;
    const enum fg_result result =
        s->scores ? fgi_gpu_scores_keep(s->counting.vulkan, s->scores, &s->device) : FG_OK;
    for (unsigned i = 0; i < FG_SCORE_REASONS; i++) {
        reply->by_reason[i] = totals->by_reason[i];
    }
    reply->anomalous = totals->anomalous;
    reply->highest = totals->highest_row;
    reply->highest_micro = (uint64_t)totals->highest_score[1] << 32 | totals->highest_score[0];
    reply->scores = result == FG_OK && s->scores ? s->scores->id : 0;
    if (result == FG_OK) {
        fgi_gpu_counting_end_work(&s->base.work);
    }
    return result;
}

static enum fg_result step_on_device(struct scoring *s, const struct fgi_question *question)
{
    struct fgi_gpu_counting *c = &s->counting;
    struct fg_compute_graph *graph = NULL;
    struct fgi_gpu_anomalies anomalies = { 0 };
    enum fg_result result = fgi_gpu_counting_ready(c);
    if (result != FG_OK) {
        return result;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    result = fg_compute_graph_create(c->vulkan->runner.compute, NULL, &graph);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, what);
    }
    if (!s->is_scored) {
        result = run_scores(s, question, graph);
        s->is_scored = result == FG_OK;
    } else {
        result = run_anomalies(s, question, graph, &anomalies);
    }
    fgi_gpu_anomalies_end(&anomalies);
    fg_compute_graph_destroy(graph);
    const bool is_last = s->base.reply.rows || s->totals.anomalous == 0;
    return result == FG_OK && is_last ? finish(s) : result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct scoring *s = (struct scoring *)work;
    struct fgi_gpu_counting *c = &s->counting;
    enum fg_result result = FG_ERR_STATE;
    if (!c->host) {
        if (fgi_gpu_ready(c->vulkan)) {
            result = step_on_device(s, question);
        }
        if (fgi_gpu_counting_did(c, work, result)) {
            return result;
        }
        struct fgi_anomaly_work *host = NULL;
        result = fgi_host_anomalies_begin(&c->vulkan->engine, question, &s->request, &host);
        if (result != FG_OK) {
            return result;
        }
        c->host = &host->work;
    }
    return fgi_gpu_counting_host_step(c, work, offsetof(struct fgi_anomaly_work, is_taken),
                                      question, max_rows);
}

static void destroy(struct fgi_work *work)
{
    struct scoring *s = (struct scoring *)work;
    struct fgi_engine_vulkan *vulkan = s->counting.vulkan;
    if (s->counting.host) { /* what is kept is the host work's */
        ((struct fgi_anomaly_work *)s->counting.host)->is_taken = s->base.is_taken;
    }
    if (!s->base.is_taken || s->counting.host) {
        fgi_gpu_scores_drop(vulkan, s->scores);
    }
    fgi_gpu_scoring_end(&s->device);
    fgi_gpu_peers_finish(&s->peers);
    fgi_gpu_counting_end(&s->counting);
    fgi_free(vulkan->allocator, s, sizeof *s);
}

static const struct fgi_task_ops ops = { step, destroy };

static enum fg_result begin(struct scoring *s, struct fgi_engine_vulkan *vulkan,
                            const struct fgi_question *question,
                            const struct fg_anomaly_request *request)
{
    const struct fgi_gpu_number_rule rule = { .by = request->by,
                                              .measure = FG_MEASURE_DURATION,
                                              .class_mask = request->class_mask,
                                              .has_no_figures = true };
    const size_t count = (size_t)request->baseline_count;
    struct fg_baseline *baselines = fgi_arena_alloc(question->arena, count + 1, sizeof *baselines);
    if (!baselines) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        baselines[i] = request->baselines[i];
    }
    s->request = *request;
    s->request.baselines = baselines;
    s->base.reply.baselines = baselines;
    s->base.reply.baseline_count = request->baseline_count;
    enum fg_result result = fgi_gpu_peers_make(&s->peers, baselines, request->baseline_count);
    if (result == FG_OK) {
        result = fgi_gpu_counting_begin(&s->counting, vulkan, question, &request->selection, &rule);
    }
    if (result != FG_OK) {
        return result;
    }
    s->request.selection = s->counting.selection;
    return request->keep ? fgi_gpu_scores_make(vulkan, &s->request, &s->scores) : FG_OK;
}

/** Do tables, kept bytes and, at the most, all rows in order have room? */
static bool fits(struct fgi_engine_vulkan *vulkan, const struct fg_anomaly_request *request)
{
    const struct fg_compute *compute = vulkan->runner.compute;
    const struct fg_trace *trace = vulkan->engine.trace;
    const uint64_t block_bytes = fg_compute_get_facts(compute)->block_bytes;
    return fgi_gpu_counting_fits(vulkan, request->by, FG_MEASURE_DURATION) &&
           (fgi_gpu_numbers_slots(trace, request->by) + 1) * sizeof(uint32_t) <= block_bytes &&
           ((uint64_t)request->baseline_count + 1) * FGI_GPU_BASELINE_BYTES <= block_bytes &&
           (uint64_t)fgi_trace_rows(trace) * FGI_GPU_SCORE_BYTES <= fg_compute_memory_left(compute);
}

enum fg_result fgi_vulkan_anomalies_begin(struct fg_engine *engine,
                                          const struct fgi_question *question,
                                          const struct fg_anomaly_request *request,
                                          struct fgi_anomaly_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    if (!fits(vulkan, request)) {
        return fgi_host_anomalies_begin(engine, question, request, out_work);
    }
    struct scoring *s = fgi_calloc(vulkan->allocator, 1, sizeof *s);
    if (!s) {
        return FG_ERR_NO_MEMORY;
    }
    s->counting.vulkan = vulkan;
    s->counting.arena.allocator = vulkan->allocator;
    s->peers.by_key.allocator = s->peers.keys.allocator = vulkan->allocator;
    const enum fg_result result = begin(s, vulkan, question, request);
    if (result != FG_OK) {
        destroy(&s->base.work);
        return result;
    }
    s->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_ANOMALIES,
        .total_rows = fgi_trace_rows(engine->trace),
        .stage_count = 1,
    };
    *out_work = &s->base;
    return FG_OK;
}
