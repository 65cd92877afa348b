/* SPDX-License-Identifier: MIT */
/* Scores of spans against given baselines: reasons, the highest ones, and what tints rows. */
#include "base/alloc.h"
#include "engine/cpu/scores.h"
#include "trace/score.h"
#include "trace/task.h"

struct tally {
    uint64_t by_reason[FG_SCORE_REASONS];
    uint64_t anomalous;
    uint64_t highest_micro;
    uint32_t highest;
    struct fg_anomaly_row *top; /* heap: the one to go first is on top */
    uint32_t count;
};
struct scoring {
    struct fgi_anomaly_work base;
    struct fgi_engine_cpu *cpu;
    struct fgi_chosen chosen;
    struct fgi_reading reading;
    struct fgi_grouping_rule peers;
    struct fg_score_rule rule;
    struct fg_baseline *baselines; /* in the question's memory */
    struct fgi_map64 by_key;       /* key << 32 | clock to a baseline */
    struct fgi_map64 keys;         /* keys that have one under some clock */
    uint32_t limit;
    struct fgi_score_set *kept; /* owned until it is in the engine's list; NULL: not kept */
    struct tally tallies[FGI_READERS];
};

/* ---- the highest ones ------------------------------------------------------------------------ */

static bool is_worse(const struct fg_anomaly_row *a, const struct fg_anomaly_row *b)
{
    return a->score_micro != b->score_micro ? a->score_micro < b->score_micro : a->row > b->row;
}

static void sift_down(struct fg_anomaly_row *heap, uint32_t count, uint32_t at)
{
    struct fg_anomaly_row item = heap[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_worse(&heap[child + 1], &heap[child]);
        if (!is_worse(&heap[child], &item)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static void offer(struct fg_anomaly_row *heap, uint32_t *count, uint32_t limit,
                  const struct fg_anomaly_row *item)
{
    if (*count == limit) {
        if (is_worse(&heap[0], item)) {
            heap[0] = *item;
            sift_down(heap, limit, 0);
        }
        return;
    }
    uint32_t at = (*count)++;
    while (at > 0 && is_worse(item, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = *item;
}

/* ---- scoring --------------------------------------------------------------------------------- */

static enum fg_score_reason find_baseline(const struct scoring *s, uint32_t key, uint32_t clock,
                                          uint32_t *out_baseline)
{
    uint32_t unused = 0;
    uint64_t slot = (uint64_t)key << 32;
    if (fgi_map64_get(&s->by_key, slot | clock, out_baseline) ||
        fgi_map64_get(&s->by_key, slot | FG_NONE, out_baseline)) {
        return FG_SCORE_SCORED;
    }
    return fgi_map64_get(&s->keys, key, &unused) ? FG_SCORE_OTHER_CLOCK : FG_SCORE_NO_BASELINE;
}

static enum fg_score_reason score_span(const struct scoring *s, const struct fgi_block *block,
                                       uint32_t i, struct fg_anomaly_row *out)
{
    const struct fg_trace *trace = s->cpu->engine.trace;
    uint32_t key = fgi_group_key(s->cpu, &s->peers, block, i);
    if (fgi_is_unfinished(fgi_block_status(block, i))) {
        return FG_SCORE_UNFINISHED;
    }
    if (key == FG_NONE) {
        return FG_SCORE_NO_KEY;
    }
    *out = (struct fg_anomaly_row){
        .row = block->first_row + i,
        .key = key,
        .clock = trace->tracks.items[trace->lanes.items[block->lane[i]].track].clock,
        .duration_ns = fgi_duration(block->start_ns[i], block->end_ns[i]),
        .is_error = fgi_block_status(block, i) == FG_SPAN_ERROR,
    };
    enum fg_score_reason reason = find_baseline(s, key, out->clock, &out->baseline);
    if (reason != FG_SCORE_SCORED) {
        return reason;
    }
    reason = fgi_score_filled(&s->baselines[out->baseline], &s->rule, out->duration_ns,
                              out->is_error, &out->score_micro);
    out->is_saturated = reason == FG_SCORE_SATURATED;
    return reason;
}

static enum fg_result see(void *context, const struct fgi_batch *batch)
{
    struct scoring *s = context;
    struct tally *t = &s->tallies[batch->reader];
    for (uint32_t k = 0; k < batch->count; k++) {
        struct fg_anomaly_row item = { 0 };
        uint32_t row = batch->block->first_row + batch->items[k];
        enum fg_score_reason reason = score_span(s, batch->block, batch->items[k], &item);
        bool is_scored = reason == FG_SCORE_SCORED || reason == FG_SCORE_SATURATED;
        t->by_reason[reason]++;
        if (s->kept) {
            s->kept->reasons[row] = (uint8_t)reason;
            s->kept->tints[row] =
                is_scored ? fg_score_tint(item.score_micro, s->rule.threshold_micro) : 0;
        }
        if (!is_scored) {
            continue;
        }
        if (item.score_micro > t->highest_micro ||
            (item.score_micro == t->highest_micro && item.score_micro > 0 && row < t->highest)) {
            t->highest_micro = item.score_micro;
            t->highest = row;
        }
        if (item.score_micro >= s->rule.threshold_micro) {
            t->anomalous++;
            offer(t->top, &t->count, s->limit, &item);
        }
    }
    return FG_OK;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void join_tallies(struct scoring *s, struct fg_anomaly_reply *reply)
{
    struct tally *a = &s->tallies[0];
    uint64_t selected = 0;
    reply->highest = FG_NONE;
    for (unsigned r = 0; r < FGI_READERS; r++) {
        const struct tally *t = &s->tallies[r];
        for (unsigned i = 0; i < FG_SCORE_REASONS; i++) {
            reply->by_reason[i] += t->by_reason[i];
            selected += t->by_reason[i];
        }
        reply->anomalous += t->anomalous;
        if (t->highest_micro > reply->highest_micro ||
            (t->highest_micro == reply->highest_micro && t->highest < reply->highest)) {
            reply->highest_micro = t->highest_micro;
            reply->highest = t->highest;
        }
        for (uint32_t i = 0; r > 0 && i < t->count; i++) {
            offer(a->top, &a->count, s->limit, &t->top[i]);
        }
    }
    reply->by_reason[FG_SCORE_NOT_SELECTED] = fgi_trace_rows(s->cpu->engine.trace) - selected;
    reply->rows = a->top;
    reply->count = a->count;
    for (uint32_t end = a->count; end > 1; end--) { /* the worst goes to the end, one by one */
        struct fg_anomaly_row worst = a->top[0];
        a->top[0] = a->top[end - 1];
        a->top[end - 1] = worst;
        sift_down(a->top, end - 1, 0);
    }
}

static enum fg_result finish(struct scoring *s)
{
    struct fg_anomaly_reply *reply = &s->base.reply;
    join_tallies(s, reply);
    enum fg_result result = FG_OK;
    if (s->kept) {
        result = fgi_scores_keep(s->cpu, s->kept);
        reply->scores = result == FG_OK ? s->kept->id : 0;
        s->kept = result == FG_OK ? NULL : s->kept;
    }
    s->base.work.stage = result == FG_OK ? s->base.work.stage_count : 0;
    s->base.work.total_rows = s->base.work.done_rows;
    s->base.work.is_done = result == FG_OK;
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct scoring *s = (struct scoring *)work;
    enum fg_result result = fgi_read_on(&s->reading, question, max_rows, see, s, &work->done_rows);
    return result == FG_OK && s->reading.is_done ? finish(s) : result;
}

static void scoring_destroy(struct fgi_work *work)
{
    struct scoring *s = (struct scoring *)work;
    if (s->base.reply.scores != 0 && !s->base.is_taken) {
        (void)fgi_cpu_scores_destroy(&s->cpu->engine, s->base.reply.scores);
    }
    fgi_score_set_destroy(s->cpu, s->kept);
    fgi_map64_finish(&s->by_key);
    fgi_map64_finish(&s->keys);
    fgi_chosen_finish(&s->chosen);
    fgi_free(s->cpu->allocator, s, sizeof *s);
}

static const struct fgi_task_ops ops = { step, scoring_destroy };

static enum fg_result take_baselines(struct scoring *s, const struct fgi_question *question,
                                     const struct fg_anomaly_request *request)
{
    enum fg_result result = FG_OK;
    uint32_t count = request->baseline_count;
    s->baselines = fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *s->baselines);
    if (!s->baselines) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count && result == FG_OK; i++) {
        s->baselines[i] = request->baselines[i];
        uint64_t slot = (uint64_t)s->baselines[i].key << 32 | s->baselines[i].clock;
        uint32_t other = 0;
        if (fgi_map64_get(&s->by_key, slot, &other)) {
            return FG_ERR_ARGUMENT; /* two for one group */
        }
        result = fgi_map64_put(&s->by_key, slot, i);
        if (result == FG_OK) {
            result = fgi_map64_put(&s->keys, s->baselines[i].key, i);
        }
    }
    s->base.reply.baselines = s->baselines;
    s->base.reply.baseline_count = count;
    return result;
}

static enum fg_result begin(struct scoring *s, const struct fgi_question *question,
                            const struct fg_anomaly_request *request)
{
    uint32_t rows = fgi_trace_rows(s->cpu->engine.trace);
    s->limit = request->limit < rows ? request->limit : rows;
    for (unsigned r = 0; r < FGI_READERS; r++) {
        s->tallies[r].highest = FG_NONE;
        s->tallies[r].top =
            fgi_arena_alloc(question->arena, (size_t)s->limit + 1, sizeof *s->tallies[r].top);
        if (!s->tallies[r].top) {
            return FG_ERR_NO_MEMORY;
        }
    }
    enum fg_result result = take_baselines(s, question, request);
    if (result == FG_OK) {
        result = fgi_choose(s->cpu, question, &request->selection, &s->chosen);
    }
    if (result == FG_OK && request->keep) {
        result = fgi_score_set_create(s->cpu, &s->kept);
    }
    return result;
}

enum fg_result fgi_cpu_anomalies_begin(struct fg_engine *engine,
                                       const struct fgi_question *question,
                                       const struct fg_anomaly_request *request,
                                       struct fgi_anomaly_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct scoring *s = fgi_calloc(cpu->allocator, 1, sizeof *s);
    if (!s) {
        return FG_ERR_NO_MEMORY;
    }
    s->cpu = cpu;
    s->rule = request->rule;
    s->peers = (struct fgi_grouping_rule){ .by = request->by, .class_mask = request->class_mask };
    s->by_key.allocator = s->keys.allocator = cpu->allocator;
    enum fg_result result = begin(s, question, request);
    if (result != FG_OK) {
        scoring_destroy(&s->base.work);
        return result;
    }
    s->reading.chosen = &s->chosen;
    s->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_ANOMALIES,
        .total_rows = s->chosen.candidates,
        .stage_count = 1,
    };
    *out_work = &s->base;
    return FG_OK;
}
