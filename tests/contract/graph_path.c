/* SPDX-License-Identifier: MIT */
/* Critical paths, slack and what the time along the chain went to, against brute force. */
#include "graph_bed.h"
#include "support/cmocka_all.h"
#include <frameglass/trace_path.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool takes_part[BED_ROWS_MAX], counts[BED_ROWS_MAX];
    uint64_t length[BED_ROWS_MAX], tail[BED_ROWS_MAX];
    uint32_t before[BED_ROWS_MAX], hops[BED_ROWS_MAX], root[BED_ROWS_MAX];
    uint32_t rows, links, left_out, invalid, max_hops, endpoint, flags;
    uint64_t longest;
} p;

static uint64_t add(uint64_t a, uint64_t b)
{
    if (a > UINT64_MAX - b) {
        p.flags |= FG_PATH_SATURATED;
        return UINT64_MAX;
    }
    return a + b;
}

static bool is_link(const struct bed *bed, const struct fg_path_request *r, uint32_t i)
{
    const struct fg_trace_dependency *link = &bed->dependencies[i];
    return bed_family(r->families, link->family) && p.takes_part[link->source] &&
           p.takes_part[link->target];
}

static bool may_take_part(const struct bed *bed, const struct fg_path_request *r, uint32_t row)
{
    bool is_all = r->start_ns == 0 && r->end_ns == 0;
    return bed->passes[row] &&
           bed_meets(bed->spans[row].start_ns, bed->spans[row].end_ns,
                     is_all ? FG_TIME_MIN : r->start_ns, is_all ? INT64_MAX : r->end_ns);
}

static void select_rows(const struct bed *bed, const struct fg_path_request *r)
{
    if (!r->has_row) {
        for (uint32_t i = 0; i < bed->rows; i++) {
            p.takes_part[i] = may_take_part(bed, r, i);
        }
        return;
    }
    p.takes_part[r->row] = may_take_part(bed, r, r->row);
    for (bool changed = p.takes_part[r->row]; changed;) {
        changed = false;
        for (uint32_t i = 0; i < bed->links && r->by == FG_PATH_BY_DEPENDENCIES; i++) {
            const struct fg_trace_dependency *link = &bed->dependencies[i];
            if (p.takes_part[link->target] && !p.takes_part[link->source] &&
                bed_family(r->families, link->family) && may_take_part(bed, r, link->source)) {
                p.takes_part[link->source] = changed = true;
            }
        }
        for (uint32_t i = 0; i < bed->rows && r->by == FG_PATH_BY_PARENTS; i++) {
            uint32_t parent = bed->spans[i].parent;
            if (p.takes_part[i] && parent < bed->rows && !p.takes_part[parent] &&
                may_take_part(bed, r, parent)) {
                p.takes_part[parent] = changed = true;
            }
        }
    }
}

/*
 * Rows get their turns round by round, lowest first; who never does is on a circle or behind one.
 */
static void turn(const struct bed *bed, uint32_t row, uint32_t before)
{
    p.counts[row] = true;
    p.before[row] = before;
    p.length[row] = add(before == FG_NONE ? 0 : p.length[before], bed_duration(bed, row));
    p.hops[row] = before == FG_NONE ? 0 : p.hops[before] + 1;
    p.root[row] = before == FG_NONE ? row : p.root[before];
}

static void by_dependencies(const struct bed *bed, const struct fg_path_request *r)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t row = 0; row < bed->rows; row++) {
            bool is_ready = p.takes_part[row] && !p.counts[row];
            uint32_t before = FG_NONE;
            for (uint32_t i = 0; i < bed->links && is_ready; i++) {
                uint32_t source = bed->dependencies[i].source;
                if (bed->dependencies[i].target != row || !is_link(bed, r, i)) {
                    continue;
                }
                is_ready = p.counts[source];
                if (before == FG_NONE || p.length[source] > p.length[before] ||
                    (p.length[source] == p.length[before] && source < before)) {
                    before = source;
                }
            }
            if (is_ready) {
                turn(bed, row, before);
                changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < bed->links; i++) {
        p.links += is_link(bed, r, i);
    }
    for (uint32_t i = 0; i < bed->rows; i++) {
        p.left_out += p.takes_part[i] && !p.counts[i];
    }
    p.flags |= p.left_out ? FG_PATH_CYCLIC : 0;
}

static void by_parents(const struct bed *bed)
{
    bool is_open[BED_ROWS_MAX];
    for (uint32_t i = 0; i < bed->rows; i++) {
        uint32_t parent = bed->spans[i].parent;
        is_open[i] = p.takes_part[i];
        p.links += p.takes_part[i] && parent < bed->rows && p.takes_part[parent];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < bed->rows; i++) {
            uint32_t parent = bed->spans[i].parent;
            bool is_root = parent == FG_NONE || (parent < bed->rows && !p.takes_part[parent]);
            if (is_open[i] && (is_root || (parent < bed->rows && p.counts[parent]))) {
                turn(bed, i, is_root ? FG_NONE : parent);
                is_open[i] = false;
                changed = true;
            }
        }
    }
    /* Of the rest, those above which there is a parent that is none; others run in circles. */
    for (uint32_t i = 0; i < bed->rows; i++) {
        uint32_t row = i;
        for (uint32_t steps = 0; is_open[i] && steps < bed->rows && row < bed->rows; steps++) {
            row = bed->spans[row].parent;
        }
        p.invalid += is_open[i] && row >= bed->rows;
        p.left_out += is_open[i] && row < bed->rows;
    }
    p.flags |= p.left_out ? FG_PATH_CYCLIC : 0;
    p.flags |= p.invalid ? FG_PATH_INVALID_PARENT : 0;
}

static void find_tails(const struct bed *bed, const struct fg_path_request *r)
{
    bool done[BED_ROWS_MAX] = { false };
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t row = bed->rows; row-- > 0;) {
            bool is_ready = p.counts[row] && !done[row];
            uint64_t longest = 0;
            for (uint32_t i = 0; i < bed->links && is_ready && r->by == FG_PATH_BY_DEPENDENCIES;
                 i++) {
                uint32_t target = bed->dependencies[i].target;
                if (bed->dependencies[i].source == row && is_link(bed, r, i) && p.counts[target]) {
                    is_ready = done[target];
                    longest = p.tail[target] > longest ? p.tail[target] : longest;
                }
            }
            if (is_ready) {
                p.tail[row] = add(longest, bed_duration(bed, row));
                done[row] = changed = true;
            }
        }
    }
}

static void work_out(const struct bed *bed, const struct fg_path_request *r)
{
    memset(&p, 0, sizeof p);
    p.endpoint = FG_NONE;
    select_rows(bed, r);
    if (r->by == FG_PATH_BY_PARENTS) {
        by_parents(bed);
    } else {
        by_dependencies(bed, r);
    }
    if (r->figures & (FG_PATH_SLACKS | FG_PATH_TIMES)) {
        uint32_t flags = p.flags;
        find_tails(bed, r);
        p.flags = r->by == FG_PATH_BY_PARENTS ? flags : p.flags;
    }
    for (uint32_t i = 0; i < bed->rows; i++) {
        p.rows += p.takes_part[i];
        if (!p.counts[i]) {
            p.before[i] = p.root[i] = FG_NONE;
            continue;
        }
        p.max_hops = p.hops[i] > p.max_hops ? p.hops[i] : p.max_hops;
        if (!r->has_row && (p.endpoint == FG_NONE || p.length[i] > p.longest)) {
            p.endpoint = i;
            p.longest = p.length[i];
        }
    }
    if (r->has_row && p.counts[r->row]) {
        p.endpoint = r->row;
        p.longest = p.length[r->row];
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void check_figures(const struct bed *bed, const struct fg_path_request *r,
                          const struct fg_path_reply *reply)
{
    assert_int_equal(reply->lengths != NULL, (r->figures & FG_PATH_LENGTHS) != 0);
    assert_int_equal(reply->slacks != NULL, (r->figures & FG_PATH_SLACKS) != 0);
    for (uint32_t i = 0; i < bed->rows; i++) {
        uint64_t own = bed_duration(bed, i);
        uint64_t before = p.length[i] - (p.counts[i] ? own : 0);
        uint64_t through = before > UINT64_MAX - p.tail[i] ? UINT64_MAX : before + p.tail[i];
        uint64_t slack = p.counts[i] && p.longest > through ? p.longest - through : 0;
        assert_true(!reply->lengths || reply->lengths[i] == p.length[i]);
        assert_true(!reply->slacks || reply->slacks[i] == slack);
        assert_true(!reply->predecessors || reply->predecessors[i] == p.before[i]);
        assert_true(!reply->hops || reply->hops[i] == p.hops[i]);
        assert_true(!reply->roots || reply->roots[i] == p.root[i]);
        if (reply->earliest) {
            uint64_t latest = before > UINT64_MAX - slack ? UINT64_MAX : before + slack;
            assert_true(reply->earliest[i] == before);
            assert_true(reply->latest[i] == latest);
        }
    }
}

static bool depends(const struct bed *bed, const struct fg_path_request *r, uint32_t row,
                    uint32_t on)
{
    if (r->by == FG_PATH_BY_PARENTS) {
        return bed->spans[row].parent == on;
    }
    for (uint32_t i = 0; i < bed->links; i++) {
        if (bed->dependencies[i].source == on && bed->dependencies[i].target == row &&
            is_link(bed, r, i)) {
            return true;
        }
    }
    return false;
}

static void check_circle(const struct bed *bed, const struct fg_path_request *r,
                         const struct fg_path_reply *reply)
{
    assert_int_equal(reply->cycle_count > 0, p.left_out > 0);
    for (uint32_t i = 0; i < reply->cycle_count; i++) {
        uint32_t before = reply->cycle[(i > 0 ? i : reply->cycle_count) - 1];
        assert_true(p.takes_part[reply->cycle[i]]);
        assert_true(depends(bed, r, reply->cycle[i], before));
        for (uint32_t k = 0; k < i; k++) {
            assert_int_not_equal(reply->cycle[i], reply->cycle[k]);
        }
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The gap may be told: rules of clocks and of ends, from the public answers. */
static bool is_told(struct bed *bed, uint32_t from, uint32_t to, int64_t *gap_ns)
{
    struct fg_gap gap;
    const struct fg_trace_span *a = &bed->spans[from];
    bool is_nominal =
        fg_trace_clock(bed->trace, fg_trace_track(bed->trace, a->track)->clock)->kind ==
        FG_CLOCK_NOMINAL;
    if (fg_query_gap(bed->query, from, to, &gap) != FG_OK || !gap.is_ordered ||
        a->status != FG_SPAN_COMPLETE || (is_nominal && a->frame != bed->spans[to].frame)) {
        return false;
    }
    *gap_ns = gap.gap_ns;
    return true;
}

static uint64_t bound_between(const struct bed *bed, uint32_t a, uint32_t b, bool *out_comparable)
{
    uint32_t x = fg_trace_track(bed->trace, bed->spans[a].track)->clock;
    uint32_t y = fg_trace_track(bed->trace, bed->spans[b].track)->clock;
    const struct fg_trace_clock *first = fg_trace_clock(bed->trace, x);
    const struct fg_trace_clock *second = fg_trace_clock(bed->trace, y);
    *out_comparable =
        x == y || (first->kind != FG_CLOCK_NOMINAL && second->kind != FG_CLOCK_NOMINAL);
    return x == y ? 0 : first->bound_ns + second->bound_ns;
}

static bool has_ancestor(const struct bed *bed, uint32_t row, uint32_t ancestor)
{
    uint32_t at = bed->spans[row].parent;
    for (uint32_t i = 0; i <= bed->spans[row].depth && at < bed->rows; i++) {
        if (at == ancestor) {
            return true;
        }
        at = bed->spans[at].parent;
    }
    return false;
}

/* The next piece must be this one, when it is not empty. */
static void expect(const struct bed *bed, const struct fg_path_reply *reply, uint32_t *next,
                   uint32_t kind, uint32_t row, uint32_t link, int64_t start, int64_t end)
{
    if (start >= end) {
        return;
    }
    assert_true(*next < reply->piece_count);
    const struct fg_path_piece *piece = &reply->pieces[(*next)++];
    assert_int_equal(piece->kind, kind);
    assert_int_equal(piece->row, row);
    assert_int_equal(piece->link, link);
    assert_int_equal(piece->family, link == FG_NONE ? 0 : bed->dependencies[link].family);
    assert_int_equal(piece->flags, link == FG_NONE ? 0 : bed->dependencies[link].flags);
    assert_true(piece->is_claimed);
    assert_true(piece->start_ns == start && piece->end_ns == end);
}

static void check_queue(const struct bed *bed, const struct fg_path_reply *reply, uint32_t *next,
                        uint32_t row, int64_t start)
{
    const struct fg_trace_span *s = &bed->spans[row];
    int64_t until = start;
    bool told[BED_ROWS_MAX] = { false };
    for (;;) {
        uint32_t best = FG_NONE;
        for (uint32_t i = 0; i < bed->rows; i++) {
            const struct fg_trace_span *o = &bed->spans[i];
            if (told[i] || i == row || o->track != s->track || o->depth > s->depth ||
                o->start_ns == o->end_ns || o->start_ns >= s->start_ns || o->end_ns <= start ||
                has_ancestor(bed, row, i)) {
                continue;
            }
            const struct fg_trace_span *b = best == FG_NONE ? NULL : &bed->spans[best];
            if (!b || o->start_ns < b->start_ns ||
                (o->start_ns == b->start_ns && o->depth < b->depth)) {
                best = i;
            }
        }
        if (best == FG_NONE) {
            expect(bed, reply, next, FG_PIECE_UNKNOWN, FG_NONE, FG_NONE, until, s->start_ns);
            return;
        }
        told[best] = true;
        const struct fg_trace_span *o = &bed->spans[best];
        int64_t from = o->start_ns > until ? o->start_ns : until;
        int64_t to = o->end_ns < s->start_ns ? o->end_ns : s->start_ns;
        if (to > from) {
            expect(bed, reply, next, FG_PIECE_UNKNOWN, FG_NONE, FG_NONE, until, from);
            expect(bed, reply, next, FG_PIECE_QUEUE, best, FG_NONE, from, to);
            until = to;
        }
    }
}

static void check_gap(struct bed *bed, const struct fg_path_request *r,
                      const struct fg_path_reply *reply, uint32_t *next, uint32_t before,
                      uint32_t row)
{
    int64_t gap, other;
    if (!is_told(bed, before, row, &gap)) {
        const struct fg_path_piece *piece = &reply->pieces[(*next)++];
        assert_int_equal(piece->kind, FG_PIECE_UNKNOWN);
        assert_true(!piece->is_claimed && piece->start_ns == 0 && piece->end_ns == 0);
        return;
    }
    if (gap <= 0) {
        return;
    }
    int64_t end = bed->spans[before].end_ns;
    uint32_t wait = FG_NONE;
    for (uint32_t i = 0; i < bed->links; i++) {
        const struct fg_trace_dependency *link = &bed->dependencies[i];
        bool is_comparable;
        if (link->target != row || link->source == before || link->source == row ||
            !bed_family(r->families, link->family) || !is_told(bed, link->source, row, &other) ||
            other < 0) {
            continue;
        }
        uint64_t bound = bound_between(bed, before, link->source, &is_comparable);
        int64_t ended = bed->spans[link->source].end_ns;
        if (is_comparable && ended > end && ended > bed->spans[before].end_ns &&
            (uint64_t)ended - (uint64_t)bed->spans[before].end_ns > bound) {
            end = ended;
            wait = i;
        }
    }
    expect(bed, reply, next, FG_PIECE_WAIT, wait == FG_NONE ? 0 : bed->dependencies[wait].source,
           wait, bed->spans[before].end_ns, end);
    check_queue(bed, reply, next, row, end);
}

static void check_chain(struct bed *bed, const struct fg_path_request *r,
                        const struct fg_path_reply *reply)
{
    uint32_t length = 0;
    for (uint32_t row = p.endpoint; row != FG_NONE; row = p.before[row]) {
        length++;
    }
    bool is_cut = r->max_chain && length > r->max_chain;
    length = is_cut ? r->max_chain : length;
    assert_int_equal((reply->flags & FG_PATH_CHAIN_CUT) != 0, is_cut);
    assert_int_equal(reply->chain_count, length);
    uint32_t row = p.endpoint;
    for (uint32_t i = length; i-- > 0; row = p.before[row]) {
        assert_int_equal(reply->chain[i], row);
    }
    uint32_t next = 0;
    uint64_t work = 0;
    for (uint32_t i = 0; i < length; i++) {
        row = reply->chain[i];
        uint32_t link = FG_NONE;
        if (i > 0 && r->by == FG_PATH_BY_DEPENDENCIES) {
            for (link = 0; bed->dependencies[link].source != reply->chain[i - 1] ||
                           bed->dependencies[link].target != row || !is_link(bed, r, link);) {
                link++;
            }
            check_gap(bed, r, reply, &next, reply->chain[i - 1], row);
        }
        assert_true(next < reply->piece_count);
        const struct fg_path_piece *piece = &reply->pieces[next++];
        assert_int_equal(piece->kind, FG_PIECE_WORK);
        assert_int_equal(piece->row, row);
        assert_int_equal(piece->link, link);
        work =
            work > UINT64_MAX - bed_duration(bed, row) ? UINT64_MAX : work + bed_duration(bed, row);
    }
    assert_int_equal(reply->piece_count, next);
    assert_true(reply->sums.work_ns == work);
    assert_true(is_cut || work == reply->length_ns);
}

static void check_reply(struct bed *bed, const struct fg_path_request *r,
                        const struct fg_path_reply *reply)
{
    assert_true(reply->length_ns == p.longest);
    assert_int_equal(reply->endpoint, p.endpoint);
    assert_int_equal(reply->flags & ~(uint32_t)FG_PATH_CHAIN_CUT, p.flags);
    assert_int_equal(reply->rows, p.rows);
    assert_int_equal(reply->links, p.links);
    assert_int_equal(reply->left_out, p.left_out);
    assert_int_equal(reply->invalid, p.invalid);
    assert_int_equal(reply->max_hops, p.max_hops);
    check_figures(bed, r, reply);
    check_circle(bed, r, reply);
    check_chain(bed, r, reply);
}

void bed_check_path(struct bed *bed)
{
    struct fg_path_request request = {
        .by = bed_below(bed, 2),
        .has_row = bed_below(bed, 3) == 0,
        .row = bed_below(bed, bed->rows + 1),
        .filter = bed->filter,
        .families = bed_below(bed, 3) ? 0 : (uint32_t)bed_random(bed),
        .figures = bed_below(bed, 64),
        .max_chain = bed_below(bed, 3) ? 0 : 1 + bed_below(bed, 4),
        .max_queued = 4096,
    };
    struct fg_path_reply reply;
    bed_range(bed, &request.start_ns, &request.end_ns);
    if (request.has_row && request.row == bed->rows) {
        assert_int_equal(fg_query_path(bed->query, &request, &reply), FG_ERR_NOT_FOUND);
        return;
    }
    work_out(bed, &request);
    assert_int_equal(fg_query_path(bed->query, &request, &reply), FG_OK);
    check_reply(bed, &request, &reply);

    /* The same in steps of any size. */
    struct fg_task *task = NULL;
    struct fg_task_progress progress = { 0 };
    assert_int_equal(fg_task_path(bed->query, &request, FG_TASK_INTERACTIVE, &task), FG_OK);
    assert_int_equal(fg_task_result_path(task, &reply), FG_ERR_STATE);
    uint32_t stage = 0;
    for (uint32_t i = 0; !progress.is_done; i++) {
        assert_true(i < 100000);
        uint64_t rows = bed->rows > 100 ? 64 + bed_below(bed, 100) : 1 + bed_below(bed, 9);
        assert_int_equal(fg_task_step(task, rows, &progress), FG_OK);
        assert_true(progress.stage >= stage && progress.done_rows <= progress.total_rows);
        stage = progress.stage;
    }
    assert_int_equal(stage, progress.stage_count);
    assert_int_equal(fg_task_result_path(task, &reply), FG_OK);
    check_reply(bed, &request, &reply);
    fg_task_destroy(task);
}
