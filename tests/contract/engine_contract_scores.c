/* SPDX-License-Identifier: MIT */
/* Scores of spans and groups, and their tints, against brute force. */
#include "contract_selection.h"
#include "support/cmocka_all.h"
#include <frameglass/trace_anomaly.h>
#include <string.h>

static struct chosen scored, peers;

static const struct fg_baseline *baseline_of(const struct fg_anomaly_reply *reply, uint32_t key,
                                             uint32_t clock)
{
    const struct fg_baseline *any = NULL;
    for (uint32_t i = 0; i < reply->baseline_count; i++) {
        const struct fg_baseline *b = &reply->baselines[i];
        if (b->key == key && b->clock == clock) {
            return b;
        }
        any = b->key == key && b->clock == FG_NONE ? b : any;
    }
    return any;
}

static bool has_key(const struct fg_anomaly_reply *reply, uint32_t key)
{
    for (uint32_t i = 0; i < reply->baseline_count; i++) {
        if (reply->baselines[i].key == key) {
            return true;
        }
    }
    return false;
}

static uint32_t reason_of(struct contract *c, const struct fg_anomaly_request *r,
                          const struct fg_anomaly_reply *reply, uint32_t row, uint64_t *out_score)
{
    const struct plain_span *s = &c->plain->spans[row];
    uint32_t key = contract_key(c, &scored, r->by, r->class_mask, row);
    *out_score = 0;
    if (!scored.has[row]) {
        return FG_SCORE_NOT_SELECTED;
    }
    if (contract_is_open(s)) {
        return FG_SCORE_UNFINISHED;
    }
    if (key == FG_NONE) {
        return FG_SCORE_NO_KEY;
    }
    const struct fg_baseline *b = baseline_of(reply, key, c->plain->track_clock[s->track]);
    if (!b) {
        return has_key(reply, key) ? FG_SCORE_OTHER_CLOCK : FG_SCORE_NO_BASELINE;
    }
    return fg_score_span(b, &r->rule, (uint64_t)s->end - (uint64_t)s->start,
                         s->status == FG_SPAN_ERROR, out_score);
}

/* Baselines that were made are the aggregates of the peers. */
static void check_baselines(struct contract *c, const struct fg_anomaly_request *r,
                            const struct fg_anomaly_reply *reply)
{
    struct fg_aggregate_reply made;
    uint32_t known = 0;
    assert_int_equal(fg_query_aggregate(c->query,
                                        &(struct fg_aggregate_request){
                                            .selection = peers.selection,
                                            .by = r->by,
                                            .class_mask = r->class_mask,
                                            .figures = FG_FIGURES_DEVIATION,
                                        },
                                        &made),
                     FG_OK);
    for (uint32_t i = 0; i < made.count; i++) {
        const struct fg_aggregate_row *row = &made.rows[i];
        const struct fg_baseline *b = baseline_of(reply, row->key, row->clock);
        known += row->count > 0;
        assert_true((b != NULL) == (row->count > 0));
        if (b) {
            assert_int_equal(b->count, row->count);
            assert_int_equal(b->mean_ns, row->mean);
            assert_int_equal(b->deviation_ns, row->deviation);
            assert_true(b->error_ppm <= FG_MICRO);
        }
    }
    assert_int_equal(reply->baseline_count, known);
}

static void check_kept(struct contract *c, const struct fg_anomaly_request *r,
                       const struct fg_anomaly_reply *reply)
{
    uint8_t tint = 0, reason = 0;
    for (uint32_t row = 0; row < c->plain->span_count; row++) {
        uint64_t score = 0;
        uint32_t expected = reason_of(c, r, reply, row, &score);
        bool is_scored = expected == FG_SCORE_SCORED || expected == FG_SCORE_SATURATED;
        assert_int_equal(fg_query_scores(c->query, reply->scores, &row, 1, &tint, &reason), FG_OK);
        assert_int_equal(reason, expected);
        assert_int_equal(tint, is_scored ? fg_score_tint(score, r->rule.threshold_micro) : 0);
        assert_int_equal(tint >= 128,
                         is_scored && score >= (r->rule.threshold_micro ? r->rule.threshold_micro
                                                                        : 3 * FG_MICRO));
    }
}

static int64_t bin_start(const struct fg_tints_reply *reply, uint32_t b)
{
    return (int64_t)((uint64_t)(reply->first_bin + b) << reply->level);
}

static void check_tints(struct contract *c, uint32_t scores)
{
    struct fg_view_target target;
    struct fg_tints_reply reply;
    struct fg_tints_request r = { .scores = scores, .targets = &target, .target_count = 1 };
    if (!contract_target(c, &target)) {
        return;
    }
    r.start_ns = (int64_t)plain_below(c->plain, 2000) - 300;
    r.end_ns = r.start_ns + 1 + plain_below(c->plain, 2500);
    r.width_px = 1 + plain_below(c->plain, 60);
    assert_int_equal(fg_query_tints(c->query, &r, &reply), FG_OK);
    for (uint32_t b = 0; b < reply.bin_count; b++) {
        uint8_t highest = 0;
        for (uint32_t row = 0; row < c->plain->span_count; row++) {
            const struct plain_span *s = &c->plain->spans[row];
            uint8_t tint = 0;
            if (contract_in_target(c, &target, row) &&
                contract_meets(s->start, s->end, bin_start(&reply, b), bin_start(&reply, b + 1))) {
                assert_int_equal(fg_query_scores(c->query, scores, &row, 1, &tint, NULL), FG_OK);
                highest = tint > highest ? tint : highest;
            }
        }
        assert_int_equal(reply.tints[b], highest);
    }
    assert_true(bin_start(&reply, 0) <= r.start_ns);
    assert_true(bin_start(&reply, reply.bin_count) >= r.end_ns);
}

static void check_rows(struct contract *c, const struct fg_anomaly_request *r,
                       const struct fg_anomaly_reply *reply)
{
    uint64_t by_reason[FG_SCORE_REASONS] = { 0 };
    uint64_t anomalous = 0, highest = 0;
    uint32_t highest_row = FG_NONE;
    uint64_t threshold = r->rule.threshold_micro ? r->rule.threshold_micro : 3 * FG_MICRO;
    for (uint32_t row = 0; row < c->plain->span_count; row++) {
        uint64_t score = 0;
        uint32_t reason = reason_of(c, r, reply, row, &score);
        bool is_scored = reason == FG_SCORE_SCORED || reason == FG_SCORE_SATURATED;
        by_reason[reason]++;
        highest_row = is_scored && score > highest ? row : highest_row;
        highest = is_scored && score > highest ? score : highest;
        uint32_t better = 0;
        for (uint32_t k = 0; is_scored && score >= threshold && k < reply->count; k++) {
            better += reply->rows[k].row == row;
            assert_true(reply->rows[k].row != row || reply->rows[k].score_micro == score);
        }
        if (is_scored && score >= threshold) {
            const struct fg_anomaly_row *last =
                reply->count > 0 ? &reply->rows[reply->count - 1] : NULL;
            assert_true(better == 1 || (last && reply->count == r->limit &&
                                        (last->score_micro > score ||
                                         (last->score_micro == score && last->row < row))));
            anomalous++;
        }
    }
    for (uint32_t i = 1; i < reply->count; i++) {
        const struct fg_anomaly_row *a = &reply->rows[i - 1];
        const struct fg_anomaly_row *b = &reply->rows[i];
        assert_true(a->score_micro > b->score_micro ||
                    (a->score_micro == b->score_micro && a->row < b->row));
    }
    assert_memory_equal(by_reason, reply->by_reason, sizeof by_reason);
    assert_int_equal(reply->anomalous, anomalous);
    assert_int_equal(reply->highest, highest_row);
    assert_int_equal(reply->highest_micro, highest);
}

static void check_anomalies(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_anomaly_reply reply;
    struct fg_task *task = NULL;
    struct fg_baseline given[3];
    contract_choose(c, &scored);
    contract_choose(c, &peers);
    struct fg_anomaly_request r = {
        .selection = scored.selection,
        .by = plain_below(p, FG_AGGREGATE_BY_COUNT),
        .rule = { .threshold_micro = plain_below(p, 3) ? plain_below(p, 3000000) : 0,
                  .error_weight_micro = plain_below(p, 2) ? 1500000 : 0,
                  .min_count = plain_below(p, 4),
                  .is_two_sided = plain_below(p, 2) },
        .baseline_selection = peers.selection,
        .limit = 1 + plain_below(p, 6),
        .keep = plain_below(p, 2),
    };
    for (uint32_t i = 0; i < 3; i++) {
        given[i] = (struct fg_baseline){ .key = i == 0 ? p->names[0] : i,
                                         .clock = plain_below(p, 3) ? FG_NONE : 0,
                                         .count = plain_below(p, 5),
                                         .mean_ns = plain_below(p, 300),
                                         .deviation_ns = plain_below(p, 20),
                                         .error_ppm = plain_below(p, 1200000) };
    }
    bool is_given = plain_below(p, 3) == 0 && p->names[0] > 2;
    r.baselines = is_given ? given : NULL;
    r.baseline_count = is_given ? 3 : 0;
    assert_int_equal(fg_task_anomalies(c->query, &r, FG_TASK_INTERACTIVE, &task), FG_OK);
    assert_int_equal(fg_task_result_anomalies(task, &reply), FG_ERR_STATE);
    contract_run_task(c, task);
    assert_int_equal(fg_task_result_anomalies(task, &reply), FG_OK);
    if (!is_given) {
        check_baselines(c, &r, &reply);
    }
    check_rows(c, &r, &reply);
    assert_int_equal(reply.scores != 0, r.keep);
    if (r.keep) {
        check_kept(c, &r, &reply);
        check_tints(c, reply.scores);
        check_tints(c, reply.scores);
        assert_int_equal(fg_query_scores_destroy(c->query, reply.scores), FG_OK);
        assert_int_equal(fg_query_scores_destroy(c->query, reply.scores), FG_ERR_NOT_FOUND);
    }
    fg_task_destroy(task);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* In steps the same comes out. */
static void check_groups_in_steps(struct contract *c, const struct fg_groups_request *request,
                                  const struct fg_groups_reply *expected)
{
    struct fg_task *task = NULL;
    struct fg_groups_reply reply;
    assert_int_equal(fg_task_groups(request, FG_TASK_NORMAL, &task), FG_OK);
    assert_int_equal(fg_task_result_groups(task, &reply), FG_ERR_STATE);
    contract_run_task(c, task);
    assert_int_equal(fg_task_result_groups(task, &reply), FG_OK);
    assert_int_equal(reply.count, expected->count);
    assert_int_equal(reply.regressed, expected->regressed);
    for (uint32_t i = 0; i < reply.count; i++) {
        assert_memory_equal(&reply.rows[i].score, &expected->rows[i].score,
                            sizeof reply.rows[i].score);
        assert_memory_equal(reply.rows[i].key, expected->rows[i].key, sizeof reply.rows[i].key);
    }
    fg_task_destroy(task);
}

static void check_groups(struct contract *c)
{
    struct fg_groups_reply reply;
    struct fg_aggregate_reply sides[2];
    uint32_t by = plain_below(c->plain, 2) ? FG_AGGREGATE_NAME : FG_AGGREGATE_DEPTH;
    contract_choose(c, &scored);
    contract_choose(c, &peers);
    const struct fg_selection *selections[2] = { &scored.selection, &peers.selection };
    const struct fg_groups_request request = {
        .sides = { { c->query, scored.selection }, { c->query, peers.selection } },
        .by = by,
    };
    assert_int_equal(fg_score_groups(&request, &reply), FG_OK);
    check_groups_in_steps(c, &request, &reply);
    uint32_t seen[2] = { 0, 0 };
    for (uint32_t side = 0; side < 2; side++) {
        assert_int_equal(fg_query_aggregate(c->query,
                                            &(struct fg_aggregate_request){
                                                .selection = *selections[side], .by = by },
                                            &sides[side]),
                         FG_OK);
    }
    for (uint32_t i = 0; i < reply.count; i++) {
        const struct fg_groups_row *row = &reply.rows[i];
        struct fg_group_score score;
        fg_score_group(&row->figures[0], &row->figures[1], NULL, &score);
        assert_memory_equal(&score, &row->score, sizeof score);
        assert_true(i == 0 || reply.rows[i - 1].score.score_micro >= score.score_micro);
        for (uint32_t side = 0; side < 2; side++) {
            for (uint32_t k = 0; k < sides[side].count; k++) {
                const struct fg_aggregate_row *from = &sides[side].rows[k];
                if (from->key == row->key[side] && from->clock == row->clock[side]) {
                    seen[side]++;
                    assert_int_equal(row->figures[side].count, from->count);
                    assert_int_equal(row->figures[side].mean_ns, from->mean);
                }
            }
        }
    }
    assert_int_equal(seen[0], sides[0].count);
    assert_int_equal(seen[1], sides[1].count);
}

/* What is left half way leaves nothing, and says that it was cancelled. */
static void check_cancelling(struct contract *c)
{
    struct fg_task *task = NULL;
    struct fg_task_progress progress;
    uint32_t filter = 0, rows = 0;
    const struct fg_filter_terms terms = { .min_duration_ns = 1 + plain_below(c->plain, 9),
                                           .similar_parent_percent = 50 };
    assert_int_equal(fg_task_filter(c->query, &terms, FG_TASK_NORMAL, &task), FG_OK);
    assert_int_equal(fg_task_step(task, 1, &progress), FG_OK);
    if (!progress.is_done) {
        assert_int_equal(fg_task_result_filter(task, &filter, &rows), FG_ERR_STATE);
        fg_query_next_generation(c->query);
        assert_int_equal(fg_task_step(task, 0, &progress), FG_ERR_CANCELLED);
        assert_int_equal(fg_task_step(task, 0, &progress), FG_ERR_CANCELLED);
    }
    fg_task_destroy(task);
    assert_int_equal(fg_task_filter(c->query, &terms, FG_TASK_NORMAL, &task), FG_OK);
    contract_run_task(c, task);
    assert_int_equal(fg_task_result_filter(task, &filter, &rows), FG_OK);
    fg_task_destroy(task);
    assert_int_equal(fg_query_filter_destroy(c->query, filter), FG_OK);
    assert_int_equal(fg_query_filter_destroy(c->query, filter), FG_ERR_NOT_FOUND);
}

void contract_check_scores(struct contract *c)
{
    check_anomalies(c);
    check_groups(c);
    check_cancelling(c);
}
