/* SPDX-License-Identifier: MIT */
/* The oracle for views and picking. Filters are in engine_contract_filter.c. */
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include <string.h>

void contract_open(struct contract *c, struct plain_trace *plain,
                   const struct contract_engine *engine)
{
    memset(c, 0, sizeof *c);
    c->plain = plain;
    c->kind = engine;
    assert_int_equal(engine->create(NULL, plain->trace, &c->engine), FG_OK);
    assert_int_equal(fg_query_create(c->engine, NULL, NULL, NULL, &c->query), FG_OK);
    memset(c->passes, 1, sizeof c->passes);
}

void contract_close(struct contract *c)
{
    if (c->kind->check_end) {
        c->kind->check_end(c->engine);
    }
    fg_query_destroy(c->query);
    fgi_engine_destroy(c->engine);
}

bool contract_meets(int64_t start, int64_t end, int64_t a, int64_t b)
{
    if (start == end) {
        return a <= start && start < b;
    }
    return start < b && end > a;
}

bool contract_before(const struct plain_trace *p, uint32_t a, uint32_t b)
{
    const struct plain_span *x = &p->spans[a], *y = &p->spans[b];
    if (x->start != y->start) {
        return x->start < y->start;
    }
    return x->end != y->end ? x->end > y->end : a < b;
}

uint64_t contract_union(const int64_t (*intervals)[2], uint32_t count, int64_t a, int64_t b)
{
    bool done[PLAIN_SPANS_MAX] = { false };
    uint64_t length = 0;
    int64_t until = a;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t first = count;
        for (uint32_t i = 0; i < count; i++) {
            if (!done[i] && (first == count || intervals[i][0] < intervals[first][0])) {
                first = i;
            }
        }
        done[first] = true;
        int64_t from = intervals[first][0] > until ? intervals[first][0] : until;
        int64_t to = intervals[first][1] < b ? intervals[first][1] : b;
        if (to > from) {
            length += (uint64_t)to - (uint64_t)from;
            until = to;
        }
    }
    return length;
}

/* ---- targets --------------------------------------------------------------------------------- */

static uint32_t lane_of(const struct contract *c, uint32_t row)
{
    const struct plain_span *s = &c->plain->spans[row];
    const struct fg_trace_track *track = fg_trace_track(c->plain->trace, s->track);
    for (uint32_t i = 0; i < track->lane_count; i++) {
        const struct fg_trace_lane *lane = fg_trace_lane(c->plain->trace, track->first_lane + i);
        if (lane->depth == s->depth && lane->overlap == s->overlap) {
            return track->first_lane + i;
        }
    }
    fail_msg("row %u has no lane", row);
    return FG_NONE;
}

bool contract_in_target(const struct contract *c, const struct fg_view_target *target, uint32_t row)
{
    const struct plain_span *s = &c->plain->spans[row];
    switch (target->kind) {
    case FG_VIEW_TRACK:
        return s->track == target->index;
    case FG_VIEW_PROCESS:
        return c->plain->track_process[s->track] == target->index;
    default:
        return lane_of(c, row) == target->index;
    }
}

bool contract_target(struct contract *c, struct fg_view_target *out_target)
{
    struct fg_trace_info info;
    fg_trace_get_info(c->plain->trace, &info);
    out_target->kind = (uint8_t)plain_below(c->plain, 3);
    if (out_target->kind == FG_VIEW_LANE && info.lanes == 0) {
        return false;
    }
    uint32_t count = out_target->kind == FG_VIEW_LANE    ? (uint32_t)info.lanes
                     : out_target->kind == FG_VIEW_TRACK ? c->plain->track_count
                                                         : c->plain->process_count;
    out_target->index = plain_below(c->plain, count);
    static const uint8_t modes[] = { FG_VIEW_EXACT, FG_VIEW_REPRESENTATIVE, FG_VIEW_DENSITY,
                                     FG_VIEW_NONE };
    out_target->previous_mode = modes[plain_below(c->plain, 4)];
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

void contract_check_rows(struct contract *c)
{
    const struct plain_trace *p = c->plain;
    struct fg_trace_span spans[PLAIN_SPANS_MAX];
    uint32_t count = 0;
    assert_int_equal(fg_trace_spans(p->trace, 0, spans, PLAIN_SPANS_MAX, &count), FG_OK);
    assert_int_equal(count, p->span_count);
    for (uint32_t row = 0; row < count; row++) {
        const struct plain_span *s = &p->spans[row];
        assert_int_equal(spans[row].row, row);
        assert_true(spans[row].start_ns == s->start && spans[row].end_ns == s->end);
        assert_int_equal(spans[row].track, s->track);
        assert_int_equal(spans[row].depth, s->depth);
        assert_int_equal(spans[row].parent, s->parent);
        assert_int_equal(spans[row].lane, lane_of(c, row));
        assert_int_equal(spans[row].name, s->name);
        assert_int_equal(spans[row].category, s->category);
        assert_int_equal(spans[row].classes, s->classes);
        assert_int_equal(spans[row].status, s->status);
        assert_int_equal(spans[row].frame, s->frame);
        assert_int_equal(spans[row].pass, s->pass);
        assert_int_equal(spans[row].scope, s->scope);
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

static void random_window(struct contract *c, struct fg_view_request *r)
{
    struct plain_trace *p = c->plain;
    struct fg_trace_info info;
    fg_trace_get_info(p->trace, &info);
    int64_t first = info.has_extent ? info.first_ns : 0;
    uint64_t extent = info.has_extent ? (uint64_t)info.last_ns - (uint64_t)first : 0;
    r->width_px = 1 + plain_below(p, 40);
    switch (plain_below(p, 5)) {
    case 0:
        r->start_ns = first;
        r->end_ns = info.last_ns < INT64_MAX ? info.last_ns + 1 : INT64_MAX;
        break;
    case 1:
        r->start_ns = INT64_MIN;
        r->end_ns = INT64_MAX;
        break;
    case 2:
        if (p->span_count > 0) { /* close around a span */
            const struct plain_span *s = &p->spans[plain_below(p, p->span_count)];
            r->start_ns =
                s->start > INT64_MIN + 40 ? s->start - (int64_t)plain_below(p, 40) : INT64_MIN;
            r->end_ns =
                s->start < INT64_MAX - 80 ? s->start + 1 + (int64_t)plain_below(p, 80) : INT64_MAX;
            break;
        }
        /* fall through */
    default: {
        uint64_t length = extent > 0 ? plain_random(p) % extent : 10;
        length = plain_below(p, 2) ? length : length >> plain_below(p, 20);
        uint64_t offset = extent > 0 ? plain_random(p) % extent : 0;
        r->start_ns = (int64_t)((uint64_t)first + offset);
        uint64_t room = (uint64_t)INT64_MAX - (uint64_t)r->start_ns;
        r->end_ns = (int64_t)((uint64_t)r->start_ns + (length + 1 < room ? length + 1 : room));
        break;
    }
    }
    if (r->start_ns >= r->end_ns) {
        r->start_ns = 0;
        r->end_ns = 10;
    }
}

static unsigned level_of(const struct fg_view_request *r)
{
    uint64_t window = (uint64_t)r->end_ns - (uint64_t)r->start_ns;
    unsigned level = 0;
    for (unsigned k = 0; k < 64; k++) {
        if (window / r->width_px >= UINT64_C(1) << k) {
            level = k;
        }
    }
    return level;
}

static int64_t last_bin_of(const struct plain_span *s, unsigned level)
{
    return (s->end > s->start ? s->end - 1 : s->start) >> level;
}

/* One bin, worked out from all rows; false when no span meets it. */
static bool bin_by_force(const struct contract *c, const struct fg_view_target *target,
                         unsigned level, int64_t bin, struct fg_view_bins *out)
{
    int64_t intervals[PLAIN_SPANS_MAX][2];
    uint32_t count = 0;
    /* The last nanosecond of the bin; its end may lie beyond int64. */
    int64_t from = (int64_t)((uint64_t)bin << level);
    int64_t last = (int64_t)((uint64_t)from + (UINT64_C(1) << level) - 1);
    *out = (struct fg_view_bins){ .first = bin, .count = 1, .row = FG_NONE };
    for (uint32_t row = 0; row < c->plain->span_count; row++) {
        const struct plain_span *s = &c->plain->spans[row];
        if (!c->passes[row] || s->start >> level > bin || last_bin_of(s, level) < bin ||
            !contract_in_target(c, target, row)) {
            continue;
        }
        out->starts += s->start >> level == bin;
        intervals[count][0] = s->start;
        intervals[count++][1] = s->end;
        uint64_t length = (uint64_t)s->end - (uint64_t)s->start;
        const struct plain_span *best = out->row == FG_NONE ? NULL : &c->plain->spans[out->row];
        if (!best || length > (uint64_t)best->end - (uint64_t)best->start) {
            out->row = row;
        }
    }
    if (last == INT64_MAX) {
        out->covered_ns = contract_union((const int64_t(*)[2])intervals, count, from, INT64_MAX);
    } else {
        out->covered_ns = contract_union((const int64_t(*)[2])intervals, count, from, last + 1);
    }
    return out->row != FG_NONE;
}

/* The weight of bins by its definition: floor(255 * x^2 * (3 - 2x)), x from 5 px per span to 3. */
static bool is_blend(uint64_t spans, uint32_t width, uint8_t blend)
{
    if (spans * 5 <= width || spans * 3 >= width) {
        return blend == (spans * 5 <= width ? 0 : 255);
    }
    unsigned __int128 n = spans * 5 - width, d = spans * 2, cubed = d * d * d;
    unsigned __int128 value = n * n * (3 * d - 2 * n) * 255;
    return blend * cubed <= value && value < (blend + (unsigned __int128)1) * cubed;
}

static void check_choice(const struct fg_view_request *r, uint64_t spans, uint8_t previous,
                         const struct fg_view_answer *answer)
{
    bool exact_before = previous == FG_VIEW_EXACT;
    bool bins_before = previous == FG_VIEW_REPRESENTATIVE || previous == FG_VIEW_DENSITY;
    uint32_t pixels = exact_before ? 3 : bins_before ? 5 : 4;
    uint32_t most = previous == FG_VIEW_REPRESENTATIVE ? 5 : previous == FG_VIEW_DENSITY ? 3 : 4;
    bool few = spans <= (uint64_t)r->width_px * most;
    bool density = r->detail == FG_DETAIL_DENSITY || (r->detail == FG_DETAIL_AUTO && !few);
    if (r->detail == FG_DETAIL_EXACT) {
        assert_int_equal(answer->blend, 0);
    } else if (r->handoff == FG_HANDOFF_SMOOTH) {
        assert_true(is_blend(spans, r->width_px, answer->blend));
    } else {
        assert_int_equal(answer->blend, spans <= r->width_px / pixels ? 0 : 255);
    }
    uint8_t bins_mode = density ? FG_VIEW_DENSITY : FG_VIEW_REPRESENTATIVE;
    assert_int_equal(answer->bins_mode, answer->blend == 0 ? FG_VIEW_NONE : bins_mode);
    assert_int_equal(answer->mode, answer->blend < 128 ? FG_VIEW_EXACT : bins_mode);
}

static bool is_wide(const struct fg_view_request *r, const struct plain_span *s)
{
    /* duration / window * width >= wide, without rounding */
    unsigned __int128 duration = (uint64_t)s->end - (uint64_t)s->start;
    unsigned __int128 window = (uint64_t)r->end_ns - (uint64_t)r->start_ns;
    return duration * r->width_px >= window * r->wide_px;
}

static void check_answer(struct contract *c, const struct fg_view_request *r,
                         const struct fg_view_target *target, const struct fg_view_reply *reply,
                         const struct fg_view_answer *answer)
{
    const struct plain_trace *p = c->plain;
    bool is_top[PLAIN_SPANS_MAX] = { false };
    bool is_sent[PLAIN_SPANS_MAX] = { false };
    unsigned level = level_of(r);
    int64_t last = (r->end_ns - 1) >> level;
    uint64_t starts = 0;
    uint32_t at = answer->first_bins;
    uint64_t used = 0; /* bins of the run at hand that were compared */
    bool exact = answer->blend == 0;
    assert_int_equal(reply->level, level);
    for (int64_t bin = r->start_ns >> level;; bin++) {
        struct fg_view_bins expected;
        if (bin_by_force(c, target, level, bin, &expected)) {
            starts += expected.starts;
            is_top[expected.row] = true;
            if (!exact) {
                assert_true(at < answer->first_bins + answer->bins_count);
                const struct fg_view_bins *sent = &reply->bins[at];
                assert_true(sent->first + (int64_t)used == bin);
                assert_true(sent->covered_ns == expected.covered_ns);
                assert_int_equal(sent->starts, expected.starts);
                assert_int_equal(sent->row, expected.row);
                assert_true(sent->longest_ns == (uint64_t)p->spans[expected.row].end -
                                                    (uint64_t)p->spans[expected.row].start);
                assert_int_equal(sent->name, p->spans[expected.row].name);
                assert_int_equal(sent->category, p->spans[expected.row].category);
                assert_int_equal(sent->classes, p->spans[expected.row].classes);
                assert_int_equal(sent->status, p->spans[expected.row].status);
                if (++used == sent->count) {
                    used = 0;
                    at++;
                }
            }
        }
        if (bin == last) {
            break;
        }
    }
    assert_int_equal(at, answer->first_bins + (exact ? 0 : answer->bins_count));
    assert_int_equal(used, 0);
    check_choice(r, starts, target->previous_mode, answer);
    for (uint32_t i = 0; i < answer->span_count; i++) {
        const struct fg_trace_span *span = &reply->spans[answer->first_span + i];
        assert_false(is_sent[span->row]);
        is_sent[span->row] = true;
        assert_true(span->start_ns == p->spans[span->row].start);
        if (i > 0) {
            assert_true(contract_before(p, span[-1].row, span->row));
        }
    }
    for (uint32_t row = 0; row < p->span_count; row++) {
        const struct plain_span *s = &p->spans[row];
        bool meets = c->passes[row] && contract_in_target(c, target, row) &&
                     contract_meets(s->start, s->end, r->start_ns, r->end_ns);
        bool wide = is_wide(r, s) && (target->kind == FG_VIEW_LANE || is_top[row]);
        assert_int_equal(is_sent[row], meets && (answer->blend < 255 || wide));
    }
}

void contract_check_view(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_view_target targets[3];
    struct fg_view_request r = { .filter = c->filter, .targets = targets };
    struct fg_view_reply reply;
    random_window(c, &r);
    r.wide_px = 4 + plain_below(p, 12);
    r.detail = (uint8_t)(plain_below(p, 2) ? FG_DETAIL_AUTO : plain_below(p, 4));
    r.handoff = (uint8_t)plain_below(p, 2);
    r.target_count = plain_below(p, 4);
    for (uint32_t i = 0; i < r.target_count; i++) {
        if (!contract_target(c, &targets[i])) {
            return;
        }
    }
    assert_int_equal(fg_query_view(c->query, &r, &reply), FG_OK);
    assert_int_equal(reply.unanswered, 0);
    for (uint32_t i = 0; i < r.target_count; i++) {
        check_answer(c, &r, &targets[i], &reply, &reply.answers[i]);
    }
    /* With a budget some answers are missing, in order from the end, and what is there is whole. */
    struct fg_view_reply small;
    r.max_spans = 1 + plain_below(p, 20);
    r.max_bins = 1 + plain_below(p, 30);
    enum fg_result result = fg_query_view(c->query, &r, &small);
    if (result == FG_ERR_LIMIT) {
        assert_true(reply.answers[0].span_count > r.max_spans ||
                    reply.answers[0].mode == FG_VIEW_EXACT ||
                    reply.answers[0].bins_count > r.max_bins);
        return;
    }
    assert_int_equal(result, FG_OK);
    for (uint32_t i = 0; i < r.target_count; i++) {
        if (i + small.unanswered < r.target_count) {
            assert_int_equal(small.answers[i].mode, reply.answers[i].mode);
            assert_int_equal(small.answers[i].span_count, reply.answers[i].span_count);
            assert_int_equal(small.answers[i].bins_count, reply.answers[i].bins_count);
        } else {
            assert_int_equal(small.answers[i].mode, FG_VIEW_NONE);
            assert_int_equal(small.answers[i].span_count + small.answers[i].bins_count, 0);
        }
    }
}

/* ---- picking --------------------------------------------------------------------------------- */

void contract_check_pick(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_pick_request r = { .filter = c->filter };
    if (!contract_target(c, &r.target) || p->span_count == 0) {
        return;
    }
    const struct plain_span *near = &p->spans[plain_below(p, p->span_count)];
    int64_t shift = (int64_t)plain_below(p, 9) - 4;
    int64_t base = plain_below(p, 2) ? near->start : near->end;
    r.time_ns = base > INT64_MAX - 5 || base < INT64_MIN + 5 ? base : base + shift;
    r.tolerance_ns = plain_below(p, 3) == 0 ? 0 : plain_below(p, 30);
    uint32_t best = FG_NONE;
    uint64_t best_distance = 0, best_length = 0;
    for (uint32_t row = 0; row < p->span_count; row++) {
        const struct plain_span *s = &p->spans[row];
        if (!c->passes[row] || !contract_in_target(c, &r.target, row)) {
            continue;
        }
        int64_t last = s->end > s->start ? s->end - 1 : s->start;
        uint64_t distance = r.time_ns < s->start ? (uint64_t)s->start - (uint64_t)r.time_ns
                            : r.time_ns > last   ? (uint64_t)r.time_ns - (uint64_t)last
                                                 : 0;
        uint64_t length = distance == 0 ? (uint64_t)s->end - (uint64_t)s->start : 0;
        if (distance <= r.tolerance_ns && (best == FG_NONE || distance < best_distance ||
                                           (distance == best_distance && length < best_length))) {
            best = row;
            best_distance = distance;
            best_length = length;
        }
    }
    uint32_t row = 0;
    assert_int_equal(fg_query_pick(c->query, &r, &row), FG_OK);
    assert_int_equal(row, best);
}
