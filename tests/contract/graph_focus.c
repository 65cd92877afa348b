/* SPDX-License-Identifier: MIT */
/* Focus, slices, projection and layout against brute force. */
#include "graph_bed.h"
#include "support/cmocka_all.h"
#include <string.h>

/* ---- focus ----------------------------------------------------------------------------------- */

struct plain_focus {
    uint32_t rows[BED_ROWS_MAX], count;
    bool reached[BED_ROWS_MAX];
};

static void reach(struct plain_focus *f, uint32_t row)
{
    if (!f->reached[row]) {
        f->reached[row] = true;
        f->rows[f->count++] = row;
    }
}

static void expand(const struct bed *bed, struct plain_focus *f, uint32_t row,
                   const struct fg_focus_request *request)
{
    for (int is_in = 0; is_in < 2; is_in++) {
        for (uint32_t i = 0; i < bed->links; i++) {
            const struct fg_trace_dependency *link = &bed->dependencies[i];
            if (!bed_family(request->families, link->family)) {
                continue;
            }
            if (!is_in && request->direction != FG_LINKS_IN && link->source == row) {
                reach(f, link->target);
            }
            if (is_in && request->direction != FG_LINKS_OUT && link->target == row) {
                reach(f, link->source);
            }
        }
    }
}

static void check_focus_reply(struct bed *bed, const struct fg_focus_request *request,
                              const uint32_t *seeds)
{
    struct plain_focus f = { .count = 0 };
    struct fg_focus_reply reply;
    struct fg_visits before, after;
    struct fg_trace_dependency none;
    uint32_t invalid = 0, repeated = 0, overflow = 0, expanded = 0;
    /* What frame graphs tell is made once, and not counted here. */
    assert_int_equal(fg_query_dependency(bed->query, bed->links, &none), FG_ERR_NOT_FOUND);
    fg_query_visits(bed->query, &before);
    assert_int_equal(fg_query_focus(bed->query, request, &reply), FG_OK);
    fg_query_visits(bed->query, &after);
    for (uint32_t i = 0; i < request->seed_count; i++) {
        invalid += seeds[i] >= bed->rows;
        repeated += seeds[i] < bed->rows && f.reached[seeds[i]];
        if (seeds[i] < bed->rows) {
            reach(&f, seeds[i]);
        }
    }
    assert_int_equal(reply.seeds, f.count);
    assert_int_equal(reply.invalid_seeds, invalid);
    assert_int_equal(reply.repeated_seeds, repeated);
    bool is_derived = bed_family(request->families, FG_DEPENDENCY_GRAPH);
    uint32_t capacity = request->capacity
                            ? request->capacity
                            : fg_focus_capacity(bed->rows, is_derived ? bed->links : bed->recorded);
    uint32_t first = 0;
    uint32_t hop = 0;
    for (; first < f.count; hop++) {
        uint32_t end = f.count;
        assert_true(hop < reply.hop_count);
        assert_int_equal(reply.hops[hop].first, first);
        assert_int_equal(reply.hops[hop].count, end - first);
        if (hop == request->hops) {
            assert_int_equal(reply.frontier, end - first);
            first = end;
            continue;
        }
        uint32_t room = end - first < capacity ? end - first : capacity;
        assert_int_equal(reply.hops[hop].expanded, room);
        assert_int_equal(reply.hops[hop].overflow, end - first - room);
        overflow += end - first - room;
        expanded += room;
        for (uint32_t i = 0; i < room; i++) {
            expand(bed, &f, f.rows[first + i], request);
        }
        first = end;
    }
    assert_int_equal(reply.hop_count, hop);
    assert_int_equal(reply.count, f.count);
    assert_int_equal(reply.overflow, overflow);
    assert_true(after.spans - before.spans == expanded); /* the visited frontier, nothing else */
    assert_true(f.count == 0 ? !reply.mask : reply.mask != NULL);
    for (uint32_t i = 0; i < f.count; i++) {
        assert_int_equal(reply.rows[i], f.rows[i]);
    }
    for (uint32_t i = 0; i < bed->rows && reply.mask; i++) {
        assert_int_equal(reply.mask[i / 64] >> (i % 64) & 1, f.reached[i]);
    }
}

void bed_check_focus(struct bed *bed)
{
    uint32_t seeds[6];
    struct fg_focus_request request = {
        .seeds = seeds,
        .seed_count = bed_below(bed, 6),
        .hops = bed_below(bed, 4) == 0 ? UINT32_MAX : bed_below(bed, 5),
        .direction = bed_below(bed, 3),
        .families = bed_below(bed, 2) ? 0 : (uint32_t)bed_random(bed) | FG_FAMILY(40),
        .capacity = bed_below(bed, 2) ? 0 : 1 + bed_below(bed, 4),
    };
    for (uint32_t i = 0; i < request.seed_count; i++) {
        seeds[i] = bed_below(bed, bed->rows + 2);
    }
    check_focus_reply(bed, &request, seeds);
}

/* ---- slice ----------------------------------------------------------------------------------- */

struct plain_slice {
    uint32_t rows[BED_ROWS_MAX], hops[BED_ROWS_MAX], links[BED_ROWS_MAX], count;
    bool seen[BED_ROWS_MAX];
    uint32_t overflow, outside, hidden;
    bool is_limited;
};

static bool slice_meets(const struct bed *bed, const struct fg_slice_request *r, uint32_t row)
{
    bool is_all = r->start_ns == 0 && r->end_ns == 0;
    return bed_meets(bed->spans[row].start_ns, bed->spans[row].end_ns,
                     is_all ? FG_TIME_MIN : r->start_ns, is_all ? INT64_MAX : r->end_ns);
}

static void slice_direction(const struct bed *bed, const struct fg_slice_request *r,
                            bool is_forward, struct plain_slice *s)
{
    s->rows[s->count++] = r->row;
    s->seen[r->row] = true;
    for (uint32_t at = 0; at < s->count; at++) {
        for (uint32_t i = 0; i < bed->links; i++) {
            const struct fg_trace_dependency *link = &bed->dependencies[i];
            uint32_t from = is_forward ? link->source : link->target;
            uint32_t to = is_forward ? link->target : link->source;
            if (from != s->rows[at] || !bed_family(r->families, link->family) || s->seen[to]) {
                continue;
            }
            bool is_last = r->max_hops && s->hops[at] == r->max_hops;
            if (!bed->passes[to]) {
                s->hidden += !is_last;
            } else if (!slice_meets(bed, r, to)) {
                s->outside += !is_last;
            } else if (is_last) {
                s->is_limited = true;
            } else {
                s->seen[to] = true;
                if (s->count >= (r->max_rows ? r->max_rows : 65536)) {
                    s->overflow++;
                } else {
                    s->links[s->count] = i;
                    s->hops[s->count] = s->hops[at] + 1;
                    s->rows[s->count++] = to;
                }
            }
        }
    }
}

static void check_claim(struct bed *bed, const struct fg_slice_item *item)
{
    const struct fg_trace_dependency *link = &bed->dependencies[item->link];
    const struct fg_trace_span *from = &bed->spans[link->source];
    const struct fg_trace_span *to = &bed->spans[link->target];
    struct fg_gap gap;
    bool is_nominal =
        fg_trace_clock(bed->trace, fg_trace_track(bed->trace, from->track)->clock)->kind ==
        FG_CLOCK_NOMINAL;
    bool is_claimed = fg_query_gap(bed->query, link->source, link->target, &gap) == FG_OK &&
                      gap.is_ordered && gap.gap_ns >= 0 && from->status == FG_SPAN_COMPLETE &&
                      (from->frame == to->frame || !is_nominal);
    assert_int_equal(item->is_claimed, is_claimed);
    assert_int_equal(item->family, link->family);
    assert_int_equal(item->flags, link->flags);
}

void bed_check_slice(struct bed *bed)
{
    struct fg_slice_request request = {
        .row = bed_below(bed, bed->rows + 1),
        .direction = bed_below(bed, 3),
        .families = bed_below(bed, 2) ? 0 : (uint32_t)bed_random(bed),
        .filter = bed->filter,
        .max_hops = bed_below(bed, 3) ? 0 : 1 + bed_below(bed, 3),
        .max_rows = bed_below(bed, 3) ? 0 : 1 + bed_below(bed, 6),
    };
    struct fg_slice_reply reply;
    bed_range(bed, &request.start_ns, &request.end_ns);
    if (request.row == bed->rows) {
        assert_int_equal(fg_query_slice(bed->query, &request, &reply), FG_ERR_NOT_FOUND);
        return;
    }
    assert_int_equal(fg_query_slice(bed->query, &request, &reply), FG_OK);
    static struct plain_slice sides[2];
    memset(sides, 0, sizeof sides);
    uint32_t next = 1, overflow = 0, outside = 0, hidden = 0;
    bool is_limited = false;
    assert_int_equal(reply.items[0].row, request.row);
    assert_int_equal(reply.items[0].link, FG_NONE);
    for (int forward = 0; forward < 2; forward++) {
        if (request.direction == (forward ? FG_SLICE_BACKWARD : FG_SLICE_FORWARD)) {
            continue;
        }
        struct plain_slice *s = &sides[forward];
        slice_direction(bed, &request, forward, s);
        for (uint32_t i = 1; i < s->count; i++, next++) {
            assert_true(next < reply.count);
            assert_int_equal(reply.items[next].row, s->rows[i]);
            assert_int_equal(reply.items[next].link, s->links[i]);
            assert_int_equal(reply.items[next].hops,
                             forward ? (int32_t)s->hops[i] : -(int32_t)s->hops[i]);
            check_claim(bed, &reply.items[next]);
        }
        overflow += s->overflow;
        outside += s->outside;
        hidden += s->hidden;
        is_limited |= s->is_limited;
    }
    assert_int_equal(reply.count, next);
    assert_int_equal(reply.overflow, overflow);
    assert_int_equal(reply.outside, outside);
    assert_int_equal(reply.hidden, hidden);
    assert_int_equal(reply.is_hop_limited, is_limited);
}

/* ---- projection ------------------------------------------------------------------------------ */

void bed_check_project(struct bed *bed)
{
    uint64_t mask[BED_ROWS_MAX / 64 + 1] = { 0 };
    uint32_t rows[8];
    bool has_mask = bed_below(bed, 2);
    bool is_list = bed_below(bed, 2);
    for (uint32_t i = 0; i < bed->rows; i++) {
        mask[i / 64] |= (uint64_t)bed_below(bed, 2) << (i % 64);
    }
    for (uint32_t i = 0; i < 8; i++) {
        rows[i] = bed_below(bed, bed->rows + 2);
    }
    struct fg_project_request request = {
        .filter = bed->filter,
        .mask = has_mask ? mask : NULL,
        .rows = is_list ? rows : NULL,
        .row_count = 8,
        .max_depth = bed_below(bed, 2) ? 0 : 1 + bed_below(bed, 40),
    };
    struct fg_project_reply reply, expected = { 0 };
    assert_int_equal(fg_query_project(bed->query, &request, &reply), FG_OK);
    assert_int_equal(reply.count, is_list ? 8 : bed->rows);
    for (uint32_t i = 0; i < reply.count; i++) {
        uint32_t row = is_list ? rows[i] : i;
        uint32_t found = FG_NONE;
        uint32_t *why = &expected.invalid; /* a way longer than there are rows is a circle */
        for (uint32_t steps = 0; steps <= bed->rows && row < bed->rows; steps++) {
            if (bed->passes[row] && (!has_mask || (mask[row / 64] >> (row % 64) & 1))) {
                found = row;
                why = steps == 0 ? &expected.visible : &expected.projected;
                break;
            }
            if (bed->spans[row].parent == FG_NONE) {
                why = &expected.unresolved;
                break;
            }
            if (request.max_depth && steps == request.max_depth) {
                why = &expected.cut;
                break;
            }
            row = bed->spans[row].parent;
        }
        assert_int_equal(reply.rows[i], found);
        ++*why;
    }
    assert_int_equal(reply.visible, expected.visible);
    assert_int_equal(reply.projected, expected.projected);
    assert_int_equal(reply.unresolved, expected.unresolved);
    /* A circle may be found before the limit is reached, or the limit first. */
    assert_int_equal(reply.invalid + reply.cut, expected.invalid + expected.cut);
}

/* ---- layout ---------------------------------------------------------------------------------- */

void bed_check_layout(struct bed *bed)
{
    uint8_t processes[8], tracks[8];
    struct fg_trace_info info;
    fg_trace_get_info(bed->trace, &info);
    for (uint32_t i = 0; i < 8; i++) {
        processes[i] = bed_below(bed, 3) == 0;
        tracks[i] = bed_below(bed, 2) == 0;
    }
    struct fg_layout_request request = { processes, tracks, bed_below(bed, 2), bed_below(bed, 3) };
    const struct fg_layout_item *items;
    uint32_t count, lines;
    assert_int_equal(fg_query_layout(bed->query, &request, &items, &count, &lines), FG_OK);
    uint32_t next = 0, line = 0;
    bool has_process = false;
    for (uint32_t p = 0; p <= info.processes; p++) {
        bool is_first = true;
        for (uint32_t t = 0; t < info.tracks; t++) {
            const struct fg_trace_track *track = fg_trace_track(bed->trace, t);
            bool is_of_it = p < info.processes ? track->process == p : track->process == FG_NONE;
            if (!is_of_it || track->lane_count == 0) {
                continue;
            }
            line += is_first && has_process ? request.process_gap : 0;
            bool is_folded = p < info.processes && processes[p];
            uint32_t height = is_folded ? is_first : tracks[t] ? 1 : track->lane_count;
            for (uint32_t i = 0; i < height; i++, next++, line++) {
                assert_true(next < count);
                assert_int_equal(items[next].line, line);
                assert_int_equal(items[next].target.kind, is_folded   ? FG_VIEW_PROCESS
                                                          : tracks[t] ? FG_VIEW_TRACK
                                                                      : FG_VIEW_LANE);
                assert_int_equal(items[next].target.index, is_folded   ? p
                                                           : tracks[t] ? t
                                                                       : track->first_lane + i);
            }
            line += height > 0 ? request.gap : 0;
            is_first = false;
            has_process = true;
        }
    }
    assert_int_equal(count, next);
    assert_int_equal(lines, line);
}
