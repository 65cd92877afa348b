/* SPDX-License-Identifier: MIT */
/* The dependencies of a view against brute force: every one is judged, every rule by itself. */
#include "graph_bed.h"
#include "support/cmocka_all.h"
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

struct plain_line {
    bool is_line; /* it has one under the filter */
    int64_t low;  /* lesser time and length of that one */
    uint64_t length;
    unsigned class;
    bool is_near, is_admitted, is_crossing, is_shown, is_exact;
    uint32_t source_row, target_row, source_place, target_place, marks;
    int64_t from, to;
};
static struct plain_line lines[BED_LINKS_MAX];
static struct fg_links_left_out left;
static uint32_t trimmed;

struct asked {
    struct fg_links_request request;
    struct fg_link_place places[64];
    uint32_t selected[3], rows[2];
    uint32_t place_of[BED_ROWS_MAX];
};

/* ---- rules ----------------------------------------------------------------------------------- */

static void find_places(const struct bed *bed, struct asked *a)
{
    for (uint32_t row = 0; row < bed->rows; row++) {
        const struct fg_trace_span *s = &bed->spans[row];
        uint32_t process = fg_trace_track(bed->trace, s->track)->process;
        const uint32_t of[] = { s->lane, s->track, process };
        a->place_of[row] = FG_NONE;
        for (uint32_t kind = 0; kind < 3; kind++) {
            for (uint32_t i = 0; i < a->request.place_count && a->place_of[row] == FG_NONE; i++) {
                if (a->places[i].kind == kind && a->places[i].index == of[kind]) {
                    a->place_of[row] = i;
                }
            }
        }
    }
}

/* The row or its nearest ancestor that passes and, when asked, has a place; FG_NONE. */
static uint32_t climb(const struct bed *bed, const struct asked *a, uint32_t row, bool is_filtered,
                      bool is_placed)
{
    for (uint32_t steps = 0; steps <= bed->rows && row < bed->rows; steps++) {
        if ((!is_filtered || bed->passes[row]) && (!is_placed || a->place_of[row] != FG_NONE)) {
            return row;
        }
        row = bed->spans[row].parent;
    }
    return FG_NONE;
}

static unsigned class_of(uint64_t length)
{
    unsigned class = 0;
    for (; class < 63 && length > UINT64_C(1) << class; class ++) {
    }
    return class;
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* Does the piece meet one side of the box, which lies at `at` of the first axis? */
static bool meets_side(int64_t x0, int64_t y0, int64_t x1, int64_t y1, int64_t at, int64_t low,
                       int64_t high)
{
    if ((x0 < at && x1 < at) || (x0 > at && x1 > at)) {
        return false;
    }
    wide dx = (wide)x1 - x0;
    if (dx == 0) {
        int64_t least = y0 < y1 ? y0 : y1;
        int64_t most = y0 < y1 ? y1 : y0;
        return most >= low && least <= high;
    }
    wide y = (wide)y0 * dx + ((wide)y1 - y0) * ((wide)at - x0); /* times dx */
    return dx > 0 ? y >= (wide)low * dx && y <= (wide)high * dx
                  : y <= (wide)low * dx && y >= (wide)high * dx;
}

static bool crosses(const struct fg_links_request *r, int64_t from, int32_t from_y, int64_t to,
                    int32_t to_y)
{
    bool is_inside =
        from >= r->start_ns && from <= r->end_ns && from_y >= r->top_y && from_y <= r->bottom_y;
    return is_inside || meets_side(from, from_y, to, to_y, r->start_ns, r->top_y, r->bottom_y) ||
           meets_side(from, from_y, to, to_y, r->end_ns, r->top_y, r->bottom_y) ||
           meets_side(from_y, from, to_y, to, r->top_y, r->start_ns, r->end_ns) ||
           meets_side(from_y, from, to_y, to, r->bottom_y, r->start_ns, r->end_ns);
}

/* One end: who stands for it, and where. False: no place. */
static bool settle(const struct bed *bed, const struct asked *a, uint32_t row, uint32_t projected,
                   uint32_t hidden, uint32_t *out_row, uint32_t *out_place, uint32_t *marks)
{
    uint32_t shown = climb(bed, a, row, true, true);
    if (shown == FG_NONE) {
        *marks |= hidden;
        shown = row;
    } else if (shown != row) {
        *marks |= projected;
    }
    *out_row = shown;
    *out_place = a->place_of[shown];
    return *out_place != FG_NONE;
}

/* ---- admission ------------------------------------------------------------------------------- */

static void judge_all(const struct bed *bed, const struct asked *a)
{
    memset(lines, 0, sizeof lines);
    memset(&left, 0, sizeof left);
    for (uint32_t i = 0; i < bed->links; i++) {
        uint32_t source = climb(bed, a, bed->dependencies[i].source, true, false);
        uint32_t target = climb(bed, a, bed->dependencies[i].target, true, false);
        struct plain_line *line = &lines[i];
        if (source == FG_NONE && target == FG_NONE) {
            left.hidden++;
            continue;
        }
        source = source == FG_NONE ? bed->dependencies[i].source : source;
        target = target == FG_NONE ? bed->dependencies[i].target : target;
        if (source == target) {
            left.same++;
            continue;
        }
        int64_t from = bed->spans[source].end_ns;
        int64_t to = bed->spans[target].start_ns;
        line->is_line = true;
        line->low = from < to ? from : to;
        line->length = distance(from, to);
        line->class = class_of(line->length);
    }
}

/* Everything of one cell, in order of hashes. */
static void admit_cell(const struct bed *bed, const struct asked *a, unsigned bits, int64_t cell,
                       unsigned first, unsigned end, uint32_t share)
{
    uint64_t after = 0; /* one above the hash of the last one judged */
    uint32_t admitted = 0, examined = 0;
    for (;;) {
        uint32_t next = FG_NONE;
        for (uint32_t i = 0; i < bed->links; i++) {
            const struct plain_line *line = &lines[i];
            if (line->is_line && line->class >= first && line->class < end &&
                line->low >> bits == cell && fg_links_hash(i) >= after &&
                (next == FG_NONE || fg_links_hash(i) < fg_links_hash(next))) {
                next = i;
            }
        }
        if (next == FG_NONE) {
            return;
        }
        struct plain_line *line = &lines[next];
        const struct fg_trace_dependency *link = &bed->dependencies[next];
        after = (uint64_t)fg_links_hash(next) + 1;
        line->is_near = true;
        if (admitted == share || examined == 4 * share + FGI_LINK_LOOKS) {
            left.over_budget++;
            continue;
        }
        examined++;
        if (!bed_family(a->request.families, link->family)) {
            left.families++;
        } else if (!settle(bed, a, link->source, FG_LINK_SOURCE_PROJECTED, FG_LINK_SOURCE_HIDDEN,
                           &line->source_row, &line->source_place, &line->marks) ||
                   !settle(bed, a, link->target, FG_LINK_TARGET_PROJECTED, FG_LINK_TARGET_HIDDEN,
                           &line->target_row, &line->target_place, &line->marks)) {
            left.placeless++;
        } else if (line->source_row == line->target_row) {
            left.same++;
        } else {
            admitted++;
            line->is_admitted = true;
            line->from = bed->spans[line->source_row].end_ns;
            line->to = bed->spans[line->target_row].start_ns;
            line->is_crossing = crosses(&a->request, line->from, a->places[line->source_place].y,
                                        line->to, a->places[line->target_place].y);
            line->is_shown = line->is_crossing;
            left.culled += !line->is_crossing;
        }
    }
}

static void admit(const struct bed *bed, const struct asked *a, uint32_t budget)
{
    unsigned k = class_of(distance(a->request.start_ns, a->request.end_ns));
    uint32_t share = budget / 4 ? budget / 4 : 1;
    for (unsigned bits = k; bits < 64; bits++) {
        uint64_t size = UINT64_C(1) << bits;
        int64_t low = (uint64_t)a->request.start_ns - (uint64_t)INT64_MIN < size
                          ? INT64_MIN
                          : (int64_t)((uint64_t)a->request.start_ns - size);
        for (int64_t cell = low >> bits; cell <= a->request.end_ns >> bits; cell++) {
            admit_cell(bed, a, bits, cell, bits == k ? 0 : bits, bits + 1, share);
        }
    }
    /* The last bound: the longest classes and largest hashes are left out. */
    trimmed = 0;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < bed->links; i++) {
        left.outside += lines[i].is_line && !lines[i].is_near;
        shown += lines[i].is_shown;
    }
    for (; shown > budget; shown--, trimmed++) {
        uint32_t worst = FG_NONE;
        for (uint32_t i = 0; i < bed->links; i++) {
            if (!lines[i].is_shown) {
                continue;
            }
            unsigned class = lines[i].class > k ? lines[i].class : k;
            unsigned worst_class = worst == FG_NONE         ? 0
                                   : lines[worst].class > k ? lines[worst].class
                                                            : k;
            if (worst == FG_NONE || class > worst_class ||
                (class == worst_class && fg_links_hash(i) > fg_links_hash(worst))) {
                worst = i;
            }
        }
        lines[worst].is_shown = false;
        left.over_budget++;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void make_request(struct bed *bed, struct asked *a)
{
    struct fg_trace_info info;
    fg_trace_get_info(bed->trace, &info);
    memset(a, 0, sizeof *a);
    struct fg_links_request *r = &a->request;
    int64_t x = bed->spans[bed_below(bed, bed->rows)].start_ns;
    int64_t y = bed->spans[bed_below(bed, bed->rows)].end_ns;
    uint64_t room = bed_random(bed) >> (1 + bed_below(bed, 62));
    *r = (struct fg_links_request){
        .start_ns = x < y ? x : y,
        .end_ns = x < y ? y : x,
        .width_px = 1 + bed_below(bed, 2000),
        .places = a->places,
        .filter = bed->filter,
        .families = bed_below(bed, 2) ? 0 : (uint32_t)bed_random(bed),
        .max_lines = bed_below(bed, 4) ? 1 + bed_below(bed, 40) : 0,
        .bundling = bed_below(bed, 3),
        .selected = a->selected,
        .rows = a->rows,
        .max_exact = bed_below(bed, 2) ? 0 : 1 + bed_below(bed, 3),
    };
    if (bed_below(bed, 2) && (uint64_t)FG_TIME_MAX - (uint64_t)r->start_ns > room) {
        r->end_ns = (int64_t)((uint64_t)r->start_ns + room);
    }
    r->end_ns += r->end_ns == r->start_ns;
    bool is_by_lane = bed_below(bed, 2);
    for (uint32_t t = 0; t < info.tracks; t++) {
        const struct fg_trace_track *track = fg_trace_track(bed->trace, t);
        bool is_folded = !is_by_lane && bed_below(bed, 3) == 0;
        for (uint32_t i = 0; i < track->lane_count && r->place_count < 60; i++) {
            if (is_folded ? i == 0 : bed_below(bed, 6) > 0) {
                a->places[r->place_count++] =
                    (struct fg_link_place){ .kind = is_folded ? FG_VIEW_TRACK : FG_VIEW_LANE,
                                            .index = is_folded ? t : track->first_lane + i,
                                            .y = (int32_t)bed_below(bed, 300) - 100 };
            }
        }
    }
    if (bed_below(bed, 3) == 0) {
        a->places[r->place_count++] =
            (struct fg_link_place){ .kind = FG_VIEW_PROCESS, .index = 0, .y = 300 };
    }
    r->top_y = (int32_t)bed_below(bed, 200) - 120;
    r->bottom_y = r->top_y + (int32_t)bed_below(bed, 300);
    r->selected_count = bed->links > 0 ? bed_below(bed, 4) : 0;
    r->row_count = bed_below(bed, 4) ? 0 : bed_below(bed, 3);
    for (uint32_t i = 0; i < r->selected_count; i++) {
        a->selected[i] = bed_below(bed, bed->links);
    }
    for (uint32_t i = 0; i < r->row_count; i++) {
        a->rows[i] = bed_below(bed, bed->rows);
    }
    find_places(bed, a);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_told(struct bed *bed, const struct fg_trace_dependency *link)
{
    const struct fg_trace_span *from = &bed->spans[link->source];
    struct fg_gap gap;
    bool is_nominal =
        fg_trace_clock(bed->trace, fg_trace_track(bed->trace, from->track)->clock)->kind ==
        FG_CLOCK_NOMINAL;
    return fg_query_gap(bed->query, link->source, link->target, &gap) == FG_OK && gap.is_ordered &&
           from->status == FG_SPAN_COMPLETE &&
           (from->frame == bed->spans[link->target].frame || !is_nominal);
}

static void check_common(struct bed *bed, const struct asked *a, const struct fg_link_line *line)
{
    const struct fg_trace_dependency *link = &bed->dependencies[line->link];
    assert_int_equal(line->source, link->source);
    assert_int_equal(line->target, link->target);
    assert_int_equal(line->family, link->family);
    assert_int_equal(line->flags, link->flags);
    assert_int_equal((line->marks & FG_LINK_UNCLAIMED) != 0, !is_told(bed, link));
    assert_int_equal(line->source_place, a->place_of[line->shown_source]);
    assert_int_equal(line->target_place, a->place_of[line->shown_target]);
    assert_true(line->from_ns == bed->spans[line->shown_source].end_ns);
    assert_true(line->to_ns == bed->spans[line->shown_target].start_ns);
}

static void check_exact(struct bed *bed, const struct asked *a, const struct fg_links_reply *reply)
{
    const struct fg_links_request *r = &a->request;
    uint32_t most = r->max_exact ? r->max_exact : 4096;
    uint32_t count = 0, next = 0, overflow = 0;
    for (uint32_t i = 0; i < bed->links; i++) {
        const struct fg_trace_dependency *link = &bed->dependencies[i];
        bool is_wanted = false;
        for (uint32_t k = 0; k < r->selected_count; k++) {
            is_wanted |= a->selected[k] == i;
        }
        for (uint32_t k = 0; k < r->row_count; k++) {
            is_wanted |= (link->source == a->rows[k] || link->target == a->rows[k]) &&
                         bed_family(r->families, link->family);
        }
        if (!is_wanted) {
            continue;
        }
        uint32_t source = climb(bed, a, link->source, false, true);
        uint32_t target = climb(bed, a, link->target, false, true);
        lines[i].is_exact = count++ < most;
        if (!lines[i].is_exact || source == FG_NONE || target == FG_NONE) {
            overflow++;
            continue;
        }
        assert_true(next < reply->exact_count);
        const struct fg_link_line *line = &reply->lines[next++];
        assert_int_equal(line->link, i);
        assert_int_equal(line->shown_source, source);
        assert_int_equal(line->shown_target, target);
        uint32_t marks = FG_LINK_EXACT | (source != link->source ? FG_LINK_SOURCE_PROJECTED : 0) |
                         (target != link->target ? FG_LINK_TARGET_PROJECTED : 0);
        assert_int_equal(line->marks & ~(uint32_t)FG_LINK_UNCLAIMED, marks);
        assert_int_equal(line->bundle, FG_NONE);
        check_common(bed, a, line);
    }
    assert_int_equal(reply->exact_count, next);
    assert_int_equal(reply->exact_overflow, overflow);
}

static int64_t cell_middle(int64_t at, int64_t size)
{
    int64_t cell = at / size - (at % size < 0);
    return (int64_t)((uint64_t)cell * (uint64_t)size + (uint64_t)size / 2);
}

static void check_bundles(const struct asked *a, const struct fg_links_reply *reply)
{
    const struct fg_links_request *r = &a->request;
    uint64_t window = distance(r->start_ns, r->end_ns);
    int64_t time_size = 1, y_size = 1;
    while ((uint64_t)time_size * 2 <= window / 16) {
        time_size *= 2;
    }
    while (y_size * 20 <= (int64_t)r->bottom_y - r->top_y) {
        y_size *= 2;
    }
    uint32_t seen = 0;
    uint32_t counts[BED_LINKS_MAX] = { 0 };
    for (uint32_t i = reply->exact_count; i < reply->line_count; i++) {
        const struct fg_link_line *line = &reply->lines[i];
        assert_true(line->bundle <= seen && line->bundle < reply->bundle_count);
        seen += line->bundle == seen;
        counts[line->bundle]++;
        const struct fg_link_bundle *b = &reply->bundles[line->bundle];
        assert_true(b->source_hub_ns == cell_middle(line->from_ns, time_size));
        assert_true(b->target_hub_ns == cell_middle(line->to_ns, time_size));
        assert_true(b->source_hub_y == cell_middle(a->places[line->source_place].y, y_size));
        assert_true(b->target_hub_y == cell_middle(a->places[line->target_place].y, y_size));
        for (uint32_t k = 0; k < line->bundle; k++) {
            assert_true(memcmp(b, &reply->bundles[k], offsetof(struct fg_link_bundle, lines)));
        }
    }
    assert_int_equal(reply->bundle_count, seen);
    for (uint32_t i = 0; i < seen; i++) {
        assert_int_equal(reply->bundles[i].lines, counts[i]);
    }
}

static void check_counts(const struct bed *bed, const struct fg_links_reply *reply)
{
    const struct fg_links_left_out *l = &reply->left_out;
    assert_int_equal(l->hidden, left.hidden);
    assert_int_equal(l->same, left.same);
    assert_int_equal(l->outside, left.outside);
    assert_int_equal(l->families, left.families);
    assert_int_equal(l->placeless, left.placeless);
    assert_int_equal(l->culled, left.culled);
    assert_int_equal(l->over_budget, left.over_budget);
    assert_true(l->hidden + l->same + l->outside + l->families + l->placeless + l->culled +
                    l->over_budget + reply->line_count - reply->extra_lines ==
                bed->links);
}

static void work_out(struct bed *bed, struct asked *a, uint32_t budget)
{
    judge_all(bed, a);
    admit(bed, a, budget);
}

void bed_check_links(struct bed *bed)
{
    static struct asked a;
    struct fg_links_reply reply;
    if (bed->rows == 0) {
        return;
    }
    make_request(bed, &a);
    assert_int_equal(fg_query_links(bed->query, &a.request, &reply), FG_OK);
    struct fg_trace_info info;
    fg_trace_get_info(bed->trace, &info);
    assert_int_equal(reply.budget, fg_links_budget(a.request.max_lines ? a.request.max_lines : 2048,
                                                   distance(info.first_ns, info.last_ns),
                                                   distance(a.request.start_ns, a.request.end_ns)));
    work_out(bed, &a, reply.budget);
    check_exact(bed, &a, &reply);
    uint32_t next = reply.exact_count;
    for (uint32_t i = 0; i < bed->links; i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < reply.exact_count; k++) {
            is_there |= reply.lines[k].link == i;
        }
        if (!lines[i].is_shown || is_there) {
            continue;
        }
        assert_true(next < reply.line_count);
        const struct fg_link_line *line = &reply.lines[next++];
        assert_int_equal(line->link, i);
        assert_int_equal(line->shown_source, lines[i].source_row);
        assert_int_equal(line->shown_target, lines[i].target_row);
        assert_int_equal(line->marks & ~(uint32_t)FG_LINK_UNCLAIMED, lines[i].marks);
        check_common(bed, &a, line);
    }
    assert_int_equal(reply.line_count, next);
    check_counts(bed, &reply);
    if (reply.bundles) {
        check_bundles(&a, &reply);
    } else {
        assert_true(a.request.bundling != FG_BUNDLE_ALWAYS || next == reply.exact_count);
    }
}

/* ---- what stays ------------------------------------------------------------------------------ */

static bool is_shown(const struct fg_links_reply *reply, uint32_t link)
{
    for (uint32_t i = 0; i < reply->line_count; i++) {
        if (reply->lines[i].link == link) {
            return true;
        }
    }
    return false;
}

void bed_check_links_stay(struct bed *bed)
{
    static struct asked a;
    struct fg_links_reply before, after;
    if (bed->rows == 0) {
        return;
    }
    make_request(bed, &a);
    a.request.selected_count = a.request.row_count = 0;
    uint64_t window = distance(a.request.start_ns, a.request.end_ns);
    assert_int_equal(fg_query_links(bed->query, &a.request, &before), FG_OK);
    work_out(bed, &a, before.budget);
    if (trimmed > 0) {
        return;
    }
    struct fg_links_request moved = a.request;
    bool is_zoom = bed_below(bed, 2);
    if (is_zoom) {
        uint64_t less = bed_random(bed) % window;
        uint64_t left_less = less == 0 ? 0 : bed_random(bed) % less;
        moved.start_ns = (int64_t)((uint64_t)moved.start_ns + left_less);
        moved.end_ns = (int64_t)((uint64_t)moved.end_ns - (less - left_less));
    } else {
        int64_t by = (int64_t)(bed_random(bed) % (window / 2 + 1) / 2);
        bool fits = (uint64_t)FG_TIME_MAX - (uint64_t)moved.end_ns > (uint64_t)by;
        moved.start_ns += fits ? by : 0;
        moved.end_ns += fits ? by : 0;
        moved.top_y += 7; /* scrolled as well */
        moved.bottom_y += 7;
    }
    assert_int_equal(fg_query_links(bed->query, &moved, &after), FG_OK);
    bool is_trimmed = after.line_count == after.budget;
    for (uint32_t i = 0; i < bed->links && !is_trimmed; i++) {
        if (!lines[i].is_admitted) {
            continue;
        }
        bool is_in = crosses(&moved, lines[i].from, a.places[lines[i].source_place].y, lines[i].to,
                             a.places[lines[i].target_place].y);
        /* A line that filter and places draw elsewhere than its own time may leave its cells. */
        bool is_own =
            lines[i].source_row == climb(bed, &a, bed->dependencies[i].source, true, false) &&
            lines[i].target_row == climb(bed, &a, bed->dependencies[i].target, true, false);
        if (lines[i].is_shown && is_in && is_own) {
            assert_true(is_shown(&after, i));
        }
    }
    for (uint32_t i = 0; i < after.line_count && !is_zoom; i++) {
        const struct plain_line *line = &lines[after.lines[i].link];
        bool was_in =
            crosses(&a.request, after.lines[i].from_ns, a.places[after.lines[i].source_place].y,
                    after.lines[i].to_ns, a.places[after.lines[i].target_place].y);
        if (line->is_near && was_in) {
            assert_true(is_shown(&before, after.lines[i].link));
        }
    }
}
