/* SPDX-License-Identifier: MIT */
/* Comparisons against an oracle that follows docs/CLI.md, `diff`, over plain arrays. */
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include "support/same_comparison.h"
#include <frameglass/trace_compare.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 19, WITNESSES = 15, LONG_RANGE = 16 };

/* One side as the oracle sees it. */
struct plain_side {
    const struct plain_trace *plain;
    uint32_t first, end;
    bool has_range; /* all that meets it is in frame 0, and nothing else is in any */
    int64_t start_ns, end_ns;
};
/* What a row is aligned by. */
struct plain_key {
    char name[64], scope[64];
    uint32_t ordinal;
    bool is_gpu, is_valid;
};
struct plain_figures {
    uint64_t count, total;
    uint32_t frames, longest;
    double mean, variance;
    uint32_t witnesses;
    bool is_there, is_known, has_spans;
    int64_t median;
};

static struct plain_trace other_plain;

static bool is_gpu_span(const struct plain_trace *p, uint32_t row)
{
    return fg_trace_track(p->trace, p->spans[row].track)->kind == FG_TRACK_GPU_QUEUE;
}

static bool is_one(const struct plain_side *side)
{
    return side->has_range || side->plain->frame_count == 0;
}

/* All of a trace without frames, or a range of time. */
static bool is_whole(const struct plain_side *side)
{
    return side->has_range || (side->plain->frame_count == 0 && side->end != 0);
}

static uint32_t frame_of(const struct plain_side *side, uint32_t row)
{
    const struct plain_span *s = &side->plain->spans[row];
    if (side->has_range) {
        return contract_meets(s->start, s->end, side->start_ns, side->end_ns) ? 0 : FG_NONE;
    }
    return is_one(side) ? 0 : s->frame;
}

/* Is anything of the range of a frame of which something is missing? */
static bool has_losses(const struct plain_side *side)
{
    const struct plain_trace *p = side->plain;
    for (uint32_t row = 0; side->has_range && row < p->span_count; row++) {
        uint32_t frame = p->spans[row].frame;
        if (frame_of(side, row) == 0 && frame < p->frame_count &&
            (p->frames[frame].missing > 0 || p->frames[frame].dropped > 0)) {
            return true;
        }
    }
    return false;
}

static bool is_outermost(const struct plain_trace *p, uint32_t row)
{
    for (uint32_t at = p->spans[row].parent; at != FG_NONE; at = p->spans[at].parent) {
        if (!(p->spans[at].classes & FG_CLASS_SCOPE)) {
            return false;
        }
    }
    return true;
}

static struct plain_key key_of(const struct plain_trace *p, uint32_t row, uint32_t by)
{
    const struct plain_span *s = &p->spans[row];
    bool is_scope = s->classes & FG_CLASS_SCOPE;
    struct plain_key key = { .is_gpu = is_gpu_span(p, row) };
    const char *name = NULL, *scope = "";
    if (by == FG_STATS_BY_PASS && !is_scope && s->pass != FG_NONE) {
        const struct fg_trace_pass *pass = fg_trace_pass(p->trace, s->pass);
        name = fg_trace_text(p->trace, pass->name);
        scope = fg_trace_text(p->trace, pass->scope);
        key.ordinal = pass->ordinal;
    } else if (by == FG_STATS_BY_NAME && !is_scope) {
        name = fg_trace_text(p->trace, s->name);
    } else if (by == FG_STATS_BY_SCOPE && is_scope) {
        name = scope = fg_trace_text(p->trace, s->scope);
    } else if (by == FG_STATS_BY_TRACK && !is_scope && is_outermost(p, row)) {
        name = fg_trace_text(p->trace, fg_trace_track(p->trace, s->track)->name);
    }
    key.is_valid = name != NULL;
    strcpy(key.name, name ? name : "");
    strcpy(key.scope, scope);
    return key;
}

static bool are_equal(const struct plain_key *a, const struct plain_key *b)
{
    return a->is_valid && b->is_valid && a->is_gpu == b->is_gpu && a->ordinal == b->ordinal &&
           strcmp(a->name, b->name) == 0 && strcmp(a->scope, b->scope) == 0;
}

static bool is_open(const struct plain_span *s)
{
    return s->status == FG_SPAN_UNFINISHED || s->status == FG_SPAN_LOST ||
           s->status == FG_SPAN_FORCED;
}

static bool is_told(const struct plain_side *side, uint32_t frame, bool is_gpu)
{
    const struct plain_trace *p = side->plain;
    for (uint32_t row = 0; is_gpu && row < p->span_count; row++) {
        if (frame_of(side, row) == frame && is_gpu_span(p, row) && !is_open(&p->spans[row])) {
            return is_one(side) ? !has_losses(side) : p->frames[frame].missing == 0;
        }
    }
    return !is_gpu;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double rank_of(const double *values, uint32_t count, double part)
{
    double sorted[64];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, by_size);
    return sorted[(uint32_t)ceil(part * count - 1e-9) - 1];
}

/* Rules 1 to 3: the spread, and how many witnesses it was found in. */
static double spread_of(const struct plain_side *side, const double *sums, const uint32_t *frames,
                        uint32_t count, uint32_t *out_witnesses)
{
    double deviations[64];
    uint32_t n = 0, length = side->end - side->first;
    for (uint32_t i = 0; i < count; i++) {
        bool is_in = frames[i] >= side->first && frames[i] < side->end;
        bool is_near = frames[i] + WITNESSES >= side->first && frames[i] < side->end + WITNESSES;
        if (is_in ? length > 1 : length < LONG_RANGE && is_near) {
            double nine[9];
            uint32_t have = count < 9 ? count : 9;
            uint32_t from = i < 4 ? 0 : i - 4;
            from = from + have > count ? count - have : from;
            memcpy(nine, sums + from, have * sizeof *nine);
            deviations[n++] = fabs(sums[i] - rank_of(nine, have, 0.5));
        }
    }
    *out_witnesses = n < 6 ? 0 : n;
    if (n < 6) {
        return 0;
    }
    double spread = fmax(1.4826 * rank_of(deviations, n, 0.5), rank_of(deviations, n, 0.9) / 1.645);
    qsort(deviations, n, sizeof *deviations, by_size);
    for (uint32_t i = 1; i < n && spread == 0; i++) {
        spread = deviations[i] == deviations[i - 1] ? deviations[i] : 0;
    }
    return spread;
}

static bool is_longer(const struct plain_trace *p, uint32_t row, uint32_t than)
{
    if (than == FG_NONE) {
        return true;
    }
    uint64_t a = (uint64_t)p->spans[row].end - (uint64_t)p->spans[row].start;
    uint64_t b = (uint64_t)p->spans[than].end - (uint64_t)p->spans[than].start;
    return a != b ? a > b : row < than;
}

static struct plain_figures figures_of(const struct plain_side *side, const struct plain_key *key,
                                       uint32_t by)
{
    const struct plain_trace *p = side->plain;
    struct plain_figures f = { .longest = FG_NONE, .median = -1 };
    uint32_t limit = is_one(side) ? 1 : p->frame_count;
    uint32_t from = side->first > AROUND ? side->first - AROUND : 0;
    uint32_t to = side->end + AROUND < limit ? side->end + AROUND : limit;
    double sums[64], own[64], own_sum = 0;
    uint32_t frames[64], count = 0, own_count = 0;
    bool has_open = false;
    for (uint32_t frame = from; frame < to; frame++) {
        bool is_in = frame >= side->first && frame < side->end;
        uint64_t sum = 0;
        uint32_t spans = 0, open = 0;
        for (uint32_t row = 0; row < p->span_count; row++) {
            struct plain_key own_key = key_of(p, row, by);
            if (frame_of(side, row) != frame || !are_equal(&own_key, key)) {
                continue;
            }
            uint64_t duration = (uint64_t)p->spans[row].end - (uint64_t)p->spans[row].start;
            if (is_open(&p->spans[row])) {
                open++;
                continue;
            }
            spans++;
            sum = sum > UINT64_MAX - duration ? UINT64_MAX : sum + duration;
            if (is_in && is_longer(p, row, f.longest)) {
                f.longest = row;
            }
        }
        f.has_spans |= is_in && spans + open > 0;
        f.count += is_in ? spans : 0;
        has_open |= is_in && open > 0;
        if (spans > 0 && open == 0) {
            sums[count] = (double)sum;
            frames[count++] = frame;
        }
        if (is_in && open == 0 && (spans > 0 || is_told(side, frame, key->is_gpu))) {
            f.frames++;
            f.total = f.total > UINT64_MAX - sum ? UINT64_MAX : f.total + sum;
            own_sum += (double)sum;
            if (spans > 0) {
                own[own_count++] = (double)sum;
            }
        }
    }
    f.is_there = own_count > 0;
    f.is_known = f.is_there || (!has_open && f.frames > 0);
    f.mean = f.is_there ? (double)f.total / f.frames : 0;
    if (!f.is_there) {
        return f;
    }
    double median = rank_of(own, own_count, 0.5);
    f.median = median < 9.2e18 ? (int64_t)median : INT64_MAX;
    double mean = own_sum / f.frames;
    double squares = (f.frames - own_count) * mean * mean;
    for (uint32_t i = 0; i < own_count; i++) {
        squares += (own[i] - mean) * (own[i] - mean);
    }
    /* The single frame that is compared is not around the others either. */
    if (side->end - side->first == 1) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (frames[i] != side->first) {
                sums[kept] = sums[i];
                frames[kept++] = frames[i];
            }
        }
        count = kept;
    }
    double spread = spread_of(side, sums, frames, count, &f.witnesses);
    double variance = spread * spread;
    if (f.frames > 1) {
        variance = fmax(variance, squares / (f.frames - 1));
    }
    f.variance = (variance + 1.0 / 6 * f.count / f.frames) / f.frames; /* all ticks are 1 ns */
    return f;
}

static double noise_of(const struct plain_figures *a, const struct plain_figures *b)
{
    double witnesses = INFINITY, variance = 0;
    const struct plain_figures *both[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        if (both[i]->is_there) {
            witnesses = fmin(witnesses, both[i]->witnesses);
            variance += both[i]->variance;
        }
    }
    if (!a->is_known || !b->is_known || witnesses == 0) {
        return -1;
    }
    return fmax(1, 3 * (1 + 6 / witnesses) * sqrt(variance));
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-6;
}

static void check_side(const struct fg_compare_figures *found, const struct plain_figures *wanted)
{
    assert_int_equal(found->count, wanted->count);
    assert_int_equal(found->longest, wanted->longest);
    assert_true(is_near((double)found->median_ns, (double)wanted->median));
    assert_true(is_near(found->mean_ns, wanted->is_known ? wanted->mean : -1));
    if (wanted->is_there) {
        assert_int_equal(found->total_ns, wanted->total);
        assert_int_equal(found->frames, wanted->frames);
    }
}

/* Was the pass culled in every frame that says something of it? */
static bool is_culled(const struct plain_side *side, const struct plain_key *key)
{
    bool was_culled = false;
    for (uint32_t frame = side->first; !is_one(side) && frame < side->end; frame++) {
        const struct fg_topology *topology =
            fg_trace_topology(side->plain->trace, side->plain->frames[frame].topology);
        const struct fg_frame_pass *passes = fg_trace_frame_passes(side->plain->trace, frame);
        for (uint32_t i = 0; topology && passes && i < topology->pass_count; i++) {
            const struct fg_trace_pass *pass =
                fg_trace_pass(side->plain->trace, topology->passes[i].pass);
            struct plain_key own = { .is_gpu = key->is_gpu, .is_valid = true };
            strcpy(own.name, fg_trace_text(side->plain->trace, pass->name));
            strcpy(own.scope, fg_trace_text(side->plain->trace, pass->scope));
            own.ordinal = pass->ordinal;
            if (passes[i].is_known && are_equal(&own, key)) {
                if (!passes[i].culled) {
                    return false;
                }
                was_culled = true;
            }
        }
    }
    return was_culled;
}

static void check_row(const struct fg_compare_row *row, const struct plain_side sides[2],
                      const struct plain_key *key, uint32_t by)
{
    struct plain_figures figures[2];
    for (int i = 0; i < 2; i++) {
        figures[i] = figures_of(&sides[i], key, by);
        bool culled = by == FG_STATS_BY_PASS && !figures[i].has_spans && is_culled(&sides[i], key);
        figures[i].is_known |= culled;
        check_side(&row->sides[i], &figures[i]);
    }
    bool are_known = figures[0].is_known && figures[1].is_known;
    assert_true(is_near(row->delta_ns, are_known ? figures[1].mean - figures[0].mean : 0));
    bool is_one_sum = is_whole(&sides[0]) || is_whole(&sides[1]);
    assert_true(is_near(row->noise_ns, is_one_sum ? -1 : noise_of(&figures[0], &figures[1])));
    uint8_t state = FG_COMPARE_BOTH;
    for (int i = 0; are_known && i < 2; i++) {
        if (figures[i].is_there && !figures[1 - i].is_there) {
            bool culled = by == FG_STATS_BY_PASS && is_culled(&sides[1 - i], key);
            state = i == FG_COMPARE_BASE ? (culled ? FG_COMPARE_CULLED : FG_COMPARE_REMOVED)
                                         : (culled ? FG_COMPARE_UNCULLED : FG_COMPARE_ADDED);
        }
    }
    assert_int_equal(row->state, state);
    bool is_claimed = row->noise_ns >= 0 && fabs(row->delta_ns) > row->noise_ns;
    assert_int_equal(row->cause,
                     row->noise_ns >= 0 && !is_claimed ? FG_CAUSE_NOISE : FG_CAUSE_NOT_TOLD);
}

/* Keys of all spans that are compared, each once; those of rows that the answer has are ticked. */
static uint32_t collect_keys(const struct plain_side sides[2], uint32_t by, struct plain_key *keys)
{
    uint32_t count = 0;
    for (int i = 0; i < 2; i++) {
        for (uint32_t row = 0; row < sides[i].plain->span_count; row++) {
            struct plain_key key = key_of(sides[i].plain, row, by);
            uint32_t frame = frame_of(&sides[i], row);
            bool is_new = key.is_valid && frame >= sides[i].first && frame < sides[i].end;
            for (uint32_t k = 0; k < count && is_new; k++) {
                is_new = !are_equal(&keys[k], &key);
            }
            if (is_new) {
                keys[count++] = key;
            }
        }
    }
    return count;
}

static void check_answer(const struct fg_compare_reply *reply, const struct plain_side sides[2],
                         uint32_t by)
{
    static struct plain_key keys[2 * PLAIN_SPANS_MAX];
    uint32_t count = collect_keys(sides, by, keys);
    assert_int_equal(reply->row_count, count);
    for (uint32_t i = 0; i < reply->row_count; i++) {
        const struct fg_compare_row *row = &reply->rows[i];
        struct plain_key key = { .ordinal = row->ordinal, .is_gpu = row->is_gpu, .is_valid = true };
        strcpy(key.name, row->name);
        strcpy(key.scope, row->scope);
        uint32_t at = 0;
        while (at < count && !are_equal(&keys[at], &key)) {
            at++;
        }
        assert_true(at < count);
        keys[at].is_valid = false; /* no row comes twice */
        assert_true(i == 0 || fabs(row[-1].delta_ns) >= fabs(row->delta_ns));
        check_row(row, sides, &key, by);
    }
}

/* An end of a span, or beside one; now and then as far away as times go. */
static int64_t random_time(struct plain_trace *random, const struct plain_trace *plain)
{
    int64_t time = plain_below(random, 2) ? FG_TIME_MIN : INT64_MAX;
    if (plain->span_count > 0 && plain_below(random, 8) > 0) {
        const struct plain_span *s = &plain->spans[plain_below(random, plain->span_count)];
        time = plain_below(random, 2) ? s->start : s->end;
        int64_t beside = (int64_t)plain_below(random, 3) - 1;
        time += time > FG_TIME_MIN && time < INT64_MAX ? beside : 0;
    }
    return time;
}

static void take_range(struct plain_trace *random, struct plain_side *side,
                       struct fg_compare_frames *out)
{
    int64_t a = random_time(random, side->plain);
    int64_t b = random_time(random, side->plain);
    *side = (struct plain_side){ .plain = side->plain, .end = 1, .has_range = true };
    side->start_ns = a < b ? a : a == b && a == INT64_MAX ? a - 1 : b;
    side->end_ns = a < b ? b : a == b && a < INT64_MAX ? a + 1 : a;
    *out = (struct fg_compare_frames){ .has_range = true,
                                       .start_ns = side->start_ns,
                                       .end_ns = side->end_ns };
}

static int64_t length_of(const struct plain_side *side)
{
    struct fg_trace_info info;
    fg_trace_get_info(side->plain->trace, &info);
    if (!info.has_extent || !is_whole(side)) {
        return -1;
    }
    int64_t first = info.first_ns, last = info.last_ns;
    if (side->has_range && side->start_ns > first) {
        first = side->start_ns;
    }
    if (side->has_range && side->end_ns < last) {
        last = side->end_ns;
    }
    uint64_t length = first < last ? (uint64_t)last - (uint64_t)first : 0;
    return length < INT64_MAX ? (int64_t)length : INT64_MAX;
}

/* Ranges that are none, and a side of both. */
static void check_refusals(const struct fg_compare_request *request, int which)
{
    struct fg_compare_reply reply;
    struct fg_task *task = NULL;
    for (int i = 0; i < 3; i++) {
        struct fg_compare_request wrong = *request;
        struct fg_compare_frames *side = &wrong.sides[which];
        if (i < 2) {
            side->start_ns = request->sides[which].end_ns;
            side->end_ns = i == 0 ? side->start_ns : request->sides[which].start_ns;
        } else {
            side->has_frames = true;
        }
        assert_int_equal(fg_compare(&wrong, &reply), FG_ERR_ARGUMENT);
        assert_int_equal(fg_task_compare(&wrong, FG_TASK_NORMAL, &task), FG_ERR_ARGUMENT);
        assert_null(task);
    }
}

static struct plain_side random_side(struct plain_trace *random, const struct plain_trace *plain,
                                     struct fg_compare_frames *out)
{
    struct plain_side side = { .plain = plain, .end = plain->frame_count };
    if (plain_below(random, 3) == 0) {
        take_range(random, &side, out);
        return side;
    }
    uint32_t start = plain_below(random, PLAIN_FRAMES_MAX);
    uint32_t length = plain_below(random, 3) == 0 ? 1 : plain_below(random, PLAIN_FRAMES_MAX);
    *out = (struct fg_compare_frames){ .has_frames = plain_below(random, 4) > 0,
                                       .first = start,
                                       .end = start + length };
    if (out->has_frames) {
        side.first = start < plain->frame_count ? start : plain->frame_count;
        side.end = start + length < plain->frame_count ? start + length : plain->frame_count;
    } else if (plain->frame_count == 0) {
        side.end = 1; /* the whole trace is one frame */
    }
    return side;
}

void contract_check_compare(struct contract *c, const struct contract_engine *engine)
{
    struct fg_compare_request request = { .by = plain_below(c->plain, 4) };
    struct fg_compare_reply reply;
    struct fg_engine *other_engine = NULL;
    struct fg_query *other_query = NULL;
    bool is_same = plain_below(c->plain, 2);
    if (!is_same) {
        plain_make(&other_plain, plain_random(c->plain) >> 20);
        assert_int_equal(engine->create(NULL, other_plain.trace, &other_engine), FG_OK);
        assert_int_equal(fg_query_create(other_engine, NULL, NULL, NULL, &other_query), FG_OK);
    }
    struct plain_side sides[2];
    sides[0] = random_side(c->plain, c->plain, &request.sides[0]);
    sides[1] = random_side(c->plain, is_same ? c->plain : &other_plain, &request.sides[1]);
    /* A frameless trace with a range asked for has nothing in it. */
    request.sides[0].query = c->query;
    request.sides[1].query = is_same ? c->query : other_query;
    assert_int_equal(fg_compare(&request, &reply), FG_OK);
    check_answer(&reply, sides, request.by);
    fgt_compare_in_steps(&request, 1 + plain_below(c->plain, 3), &reply);
    fgt_compare_in_steps(&request, plain_below(c->plain, 200), &reply);
    for (int i = 0; i < 2; i++) {
        uint32_t frames = is_one(&sides[i]) ? 0 : sides[i].end - sides[i].first;
        assert_int_equal(reply.frames[i], frames);
        assert_true(reply.length_ns[i] == length_of(&sides[i]));
        if (sides[i].has_range) {
            check_refusals(&request, i);
        }
    }
    if (!is_same) {
        fg_query_destroy(other_query);
        fgi_engine_destroy(other_engine);
        plain_finish(&other_plain);
    }
}
