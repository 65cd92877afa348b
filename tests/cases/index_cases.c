/* SPDX-License-Identifier: MIT */
/*
 * Cases of indexes: spans of a window, extents of groups, positions in a lane, longest spans. Ours
 * are the lanes' rows and their bins; each is asked through views, or by the search that these use.
 */
#include "cases.h"
#include "engine/cpu/engine_cpu_priv.h"
#include "span_bed.h"
#include <math.h>
#include <string.h>

enum { LANES_MAX = 16 };
#define INVALID 4294967295.0

/* ---- spans of a window ----------------------------------------------------------------------- */

/* Lane i of the case: as its leaves say, or the nodes that hold them. */
static uint32_t lane_of_leaf(const struct fgt_case *c, size_t i)
{
    const json_t *lanes = fgt_case_input(c, "minimumLanes");
    const json_t *first = fgt_case_input(c, "nodeFirstBatch");
    const json_t *counts = fgt_case_input(c, "nodeBatchCount");
    for (size_t k = 0; !lanes && k < json_array_size(first); k++) {
        uint64_t begin = fgt_case_natural_at(first, k);
        if (i >= begin && i < begin + fgt_case_natural_at(counts, k)) {
            return (uint32_t)fgt_case_natural_at(fgt_case_input(c, "nodeMinimumLanes"), k);
        }
    }
    return (uint32_t)fgt_case_natural_at(lanes, i);
}

static const json_t *of_leaves(const struct fgt_case *c, const char *key, const char *other)
{
    const json_t *list = fgt_case_input(c, key);
    return list ? list : fgt_case_input(c, other);
}

/* Leaves are spans, their groups are categories, and their lanes are tracks. */
static bool try_window(const struct fgt_case *c)
{
    struct fgt_bed_span spans[LANES_MAX] = { { 0 } };
    const json_t *starts = of_leaves(c, "minimumTimes", "leafMinimumTimes");
    const json_t *ends = of_leaves(c, "maximumTimes", "leafMaximumTimes");
    const json_t *groups = of_leaves(c, "groups", "leafGroups");
    const json_t *window = fgt_case_input(c, "window");
    const json_t *lane_window = fgt_case_input(c, "laneWindow");
    uint32_t count = (uint32_t)json_array_size(starts);
    for (uint32_t i = 0; i < count; i++) {
        spans[i].start_ns = fgt_case_ns(fgt_case_real_at(starts, i));
        spans[i].end_ns = fgt_case_ns(fgt_case_real_at(ends, i));
        spans[i].thread = lane_of_leaf(c, i);
        spans[i].category = (uint32_t)fgt_case_natural_at(groups, i);
    }
    struct fgt_bed bed;
    if (!fgt_bed_open(&bed, spans, count, LANES_MAX, LANES_MAX)) {
        return fgt_case_differs(c, "no trace");
    }
    /* All groups that there can be are no filter: a category's number has no end here. */
    uint64_t enabled = fgt_case_natural(fgt_case_input(c, "enabledGroups"));
    uint32_t categories[LANES_MAX], category_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (spans[i].category < 32 && (enabled >> spans[i].category & 1)) {
            categories[category_count++] = fgt_bed_category(&bed, i);
        }
    }
    uint32_t filter = 0;
    if (enabled != UINT32_MAX) {
        filter =
            fgt_bed_filter(&bed, &(struct fg_filter_terms){ .categories = categories,
                                                            .category_count = category_count });
    }
    struct fg_view_target targets[LANES_MAX];
    uint32_t target_count = 0;
    for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
        if (lane >= fgt_case_natural_at(lane_window, 0) &&
            lane < fgt_case_natural_at(lane_window, 1)) {
            targets[target_count++] = fgt_bed_target(FG_VIEW_TRACK, lane);
        }
    }
    double from = fgt_case_real_at(window, 0), to = fgt_case_real_at(window, 1);
    double pad = fmax(fgt_case_real_at(window, 2), 0);
    uint32_t rows[LANES_MAX];
    /* What is no number is no time: asked as a window that ends before it starts. */
    int64_t start = isnan(from) ? INT64_MAX : fgt_case_ns(from - pad);
    uint32_t found =
        fgt_bed_shown(&bed, targets, target_count, start, fgt_case_ns(to + pad), filter, rows);
    bool is_found[LANES_MAX] = { false };
    for (uint32_t i = 0; i < found; i++) {
        is_found[rows[i]] = true;
    }
    double ours[LANES_MAX];
    size_t ours_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_found[i]) {
            ours[ours_count++] = i;
        }
    }
    fgt_bed_close(&bed);
    return fgt_case_agree(c, "candidates", ours, ours_count);
}

/* ---- extents --------------------------------------------------------------------------------- */

static const json_t *cell(const json_t *table, size_t row, size_t column)
{
    static const char *const names[] = { "minTime", "maxTime", "maxDuration", "minLane",
                                         "maxLane" };
    const json_t *line = json_array_get(table, row);
    return json_is_object(line) ? json_object_get(line, names[column])
                                : json_array_get(line, column);
}

/* Begin, end, longest span, first lane, one past the last: of what a folded process shows. */
static bool measure_process(const struct fgt_bed *bed, double *out)
{
    struct fg_minimap_reply map;
    struct fg_view_reply view;
    const struct fg_view_target process = fgt_bed_target(FG_VIEW_PROCESS, 0);
    const struct fg_view_request request = { .start_ns = -fgt_case_ns(1),
                                             .end_ns = fgt_case_ns(1000),
                                             .width_px = 1,
                                             .targets = &process,
                                             .target_count = 1,
                                             .detail = FG_DETAIL_EXACT };
    const struct fg_minimap_request whole = { .kind = FG_VIEW_PROCESS };
    if (fg_query_minimap(bed->query, &whole, &map) != FG_OK ||
        fg_query_view(bed->query, &request, &view) != FG_OK || view.span_count != bed->rows) {
        return false;
    }
    uint64_t longest = 0;
    for (uint32_t i = 0; i < map.cell_count; i++) {
        longest = map.cells[i].longest_ns > longest ? map.cells[i].longest_ns : longest;
    }
    int64_t start = INT64_MAX, end = INT64_MIN;
    uint32_t low = LANES_MAX, high = 0;
    for (uint32_t i = 0; i < view.span_count; i++) {
        const struct fg_trace_span *s = &view.spans[i];
        start = s->start_ns < start ? s->start_ns : start;
        end = s->end_ns > end ? s->end_ns : end;
        low = s->track < low ? s->track : low;
        high = s->track + 1 > high ? s->track + 1 : high;
    }
    const double ours[5] = { (double)start / 1e6, (double)end / 1e6, (double)longest / 1e6, low,
                             high };
    memcpy(out, ours, sizeof ours);
    return true;
}

/* A node is a process: each of its batches has a longest span, and one that ends it. */
static bool measure(const json_t *batches, uint64_t first, uint64_t count, double *out)
{
    struct fgt_bed_span spans[2 * LANES_MAX] = { { 0 } };
    uint32_t made = 0;
    memset(out, 0, 5 * sizeof *out);
    for (uint64_t i = first; i < first + count && i < json_array_size(batches); i++) {
        const json_t *batch = json_array_get(batches, i);
        int64_t longest = fgt_case_ns(fgt_case_real_at(batch, 2));
        int64_t start = fgt_case_ns(fgt_case_real_at(batch, 0));
        int64_t end = fgt_case_ns(fgt_case_real_at(batch, 1));
        uint32_t low = (uint32_t)fgt_case_natural_at(batch, 4);
        uint32_t high = (uint32_t)fgt_case_natural_at(batch, 5) - 1;
        spans[made++] = (struct fgt_bed_span){ start, start + longest, low, 0, 0, 0, 0 };
        spans[made++] = (struct fgt_bed_span){ end - 1, end, high, 0, 0, 0, 0 };
    }
    struct fgt_bed bed;
    if (made == 0) {
        return true;
    }
    if (!fgt_bed_open(&bed, spans, made, LANES_MAX, LANES_MAX)) {
        return false;
    }
    bool is_measured = measure_process(&bed, out);
    fgt_bed_close(&bed);
    return is_measured;
}

static bool try_extents(const struct fgt_case *c)
{
    const json_t *nodes = fgt_case_input(c, "nodes");
    const json_t *expected = fgt_case_expected(c, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i);
        double ours[5];
        if (!measure(fgt_case_input(c, "batches"), fgt_case_natural_at(node, 1),
                     fgt_case_natural_at(node, 2), ours)) {
            return fgt_case_differs(c, "node %zu could not be asked", i);
        }
        for (size_t k = 0; k < 5; k++) {
            if (!fgt_case_near(ours[k], fgt_case_real(cell(expected, i, k)))) {
                return fgt_case_differs(c, "node %zu, column %zu is %g", i, k, ours[k]);
            }
        }
    }
    return json_array_size(nodes) == json_array_size(expected);
}

/* ---- positions in a lane --------------------------------------------------------------------- */

/* Of [low, high) of all rows by lane, by the search of every view. */
static uint32_t lower_bound(const struct fgt_bed *bed, uint32_t low, uint32_t high, int64_t time)
{
    struct fgi_cursor cursor = fgi_trace_cursor(bed->trace);
    uint32_t position =
        fgi_lower_bound(&cursor, fgi_cpu(bed->engine)->all.set.rows, low, high, time);
    fgi_cursor_finish(&cursor);
    return position;
}

/* The case writes its 261 starts in words. */
#define STARTS_IN_WORDS "0..127, then 1000+7i for i=0..127, then 3,3,3,50,90"

static uint32_t make_starts(struct fgt_bed_span *spans)
{
    static const int64_t last[] = { 3, 3, 3, 50, 90 };
    for (uint32_t i = 0; i < 256; i++) {
        spans[i] = (struct fgt_bed_span){ .start_ns = i < 128 ? i : 1000 + 7 * (i - 128) };
    }
    for (uint32_t i = 0; i < 5; i++) {
        spans[256 + i] = (struct fgt_bed_span){ .start_ns = last[i], .thread = 2 };
    }
    for (uint32_t i = 0; i < 261; i++) {
        spans[i].end_ns = spans[i].start_ns;
    }
    return 261;
}

static bool agree_on_boundaries(const struct fgt_case *c, const struct fgt_bed *bed)
{
    const json_t *offsets = fgt_case_input(c, "segmentOffsets");
    const json_t *lists = fgt_case_expected(c, "lowerBoundsPerSegment");
    int64_t first = (int64_t)fgt_case_real(fgt_case_input(c, "firstBoundaryTime"));
    int64_t step = (int64_t)fgt_case_real(fgt_case_input(c, "timePerPixel"));
    for (size_t i = 0; i < json_array_size(lists); i++) {
        const json_t *list = json_array_get(lists, i);
        uint32_t low = (uint32_t)fgt_case_natural_at(offsets, i);
        uint32_t high = (uint32_t)fgt_case_natural_at(offsets, i + 1);
        for (size_t k = 0; k < json_array_size(list); k++) {
            uint32_t ours = lower_bound(bed, low, high, first + (int64_t)k * step);
            if (ours != fgt_case_natural_at(list, k)) {
                return fgt_case_differs(c, "boundary %zu of lane %zu: %u", k, i, ours);
            }
        }
    }
    return json_array_size(lists) != 0;
}

/* Pixels without time are a window without time, which is refused. */
static bool agree_on_refusal(const struct fgt_case *c, const struct fgt_bed *bed)
{
    int64_t start = fgt_case_ns(fgt_case_real(fgt_case_input(c, "firstBoundaryTime")));
    int64_t step = fgt_case_ns(fgt_case_real(fgt_case_input(c, "timePerPixel")));
    const struct fg_view_target lane = fgt_bed_target(FG_VIEW_LANE, 0);
    struct fg_view_reply reply;
    const struct fg_view_request request = { .start_ns = start,
                                             .end_ns = start + 64 * step,
                                             .width_px = 64,
                                             .targets = &lane,
                                             .target_count = 1 };
    double refused = fg_query_view(bed->query, &request, &reply) == FG_ERR_ARGUMENT;
    return refused == fgt_case_real(fgt_case_expected(c, "validationBitSet")) ||
           fgt_case_differs(c, "such a window is answered");
}

static bool try_boundaries(const struct fgt_case *c)
{
    static struct fgt_bed_span spans[FGT_BED_SPANS_MAX];
    const json_t *words = fgt_case_input(c, "starts");
    struct fgt_bed bed;
    if (json_is_true(fgt_case_expected(c, "is_layout"))) {
        return true;
    }
    if (!fgt_case_input(c, "timePerPixel") ||
        (words && strcmp(json_string_value(words), STARTS_IN_WORDS) != 0)) {
        return fgt_case_differs(c, "nobody hands in the begins of lanes");
    }
    if (!fgt_bed_open(&bed, spans, make_starts(spans), 3, 3)) {
        return fgt_case_differs(c, "no trace");
    }
    bool agrees = words ? agree_on_boundaries(c, &bed) : agree_on_refusal(c, &bed);
    fgt_bed_close(&bed);
    return agrees;
}

static bool try_search(const struct fgt_case *c)
{
    struct fgt_bed_span spans[LANES_MAX] = { { 0 } };
    const json_t *values = fgt_case_input(c, "values");
    const json_t *queries = fgt_case_input(c, "queries");
    const json_t *segments = fgt_case_input(c, "segments");
    const json_t *order = fgt_case_input(c, "order");
    uint32_t count = (uint32_t)json_array_size(values);
    for (uint32_t i = 0; i < count; i++) {
        spans[i].start_ns = spans[i].end_ns = (int64_t)fgt_case_real_at(values, i);
    }
    struct fgt_bed bed;
    if (!fgt_bed_open(&bed, spans, count, 1, 1)) {
        return fgt_case_differs(c, "no trace");
    }
    double ours[LANES_MAX];
    size_t found = 0;
    bool agrees = true;
    for (uint32_t i = 0; i < json_array_size(order); i++) {
        agrees = agrees && fgi_cpu(bed.engine)->all.set.rows[i] == fgt_case_natural_at(order, i);
    }
    for (size_t s = 0; s < (segments ? json_array_size(segments) : 1); s++) {
        /* First value, values, first query, queries. */
        const json_t *segment = json_array_get(segments, s);
        uint32_t low = segments ? (uint32_t)fgt_case_natural_at(segment, 0) : 0;
        uint32_t high = segments ? low + (uint32_t)fgt_case_natural_at(segment, 1) : count;
        size_t first = segments ? (size_t)fgt_case_natural_at(segment, 2) : 0;
        size_t end =
            segments ? first + (size_t)fgt_case_natural_at(segment, 3) : json_array_size(queries);
        for (size_t i = first; i < end; i++) {
            ours[found++] = lower_bound(&bed, low, high, (int64_t)fgt_case_real_at(queries, i));
        }
    }
    fgt_bed_close(&bed);
    return agrees ? fgt_case_agree(c, "positions", ours, found)
                  : fgt_case_differs(c, "the order of the lane is another one");
}

/* ---- rows by lane ---------------------------------------------------------------------------- */

enum { BAD_START = 1, BAD_LANE = 2, BAD_DURATION = 4, OVERLAPS = 8 };

/* What is no time or lane is no span; what ends before it starts is mended, and counted. */
static bool try_lanes(const struct fgt_case *c)
{
    struct fgt_bed_span spans[LANES_MAX] = { { 0 } };
    uint32_t ids[LANES_MAX], rows[LANES_MAX], count = 0, faults = 0, sum = 0;
    double order[LANES_MAX], offsets[LANES_MAX] = { 0 };
    const json_t *starts = fgt_case_input(c, "startTimes");
    uint32_t lanes = (uint32_t)fgt_case_natural(fgt_case_input(c, "laneCount"));
    for (uint32_t i = 0; i < json_array_size(starts); i++) {
        const json_t *item = json_array_get(starts, i);
        double start = json_is_string(item) && strcmp(json_string_value(item), "0") == 0
                           ? 0
                           : fgt_case_real(item);
        double end = start + fgt_case_real_at(fgt_case_input(c, "durations"), i);
        uint32_t lane = (uint32_t)fgt_case_natural_at(fgt_case_input(c, "laneIds"), i);
        faults |= (isnan(start) ? BAD_START : 0) | (lane >= lanes ? BAD_LANE : 0);
        if (!isnan(start) && lane < lanes) {
            ids[count] = i;
            spans[count].start_ns = fgt_case_ns(start);
            spans[count].end_ns = fgt_case_ns(end);
            spans[count++].thread = lane;
        }
    }
    struct fgt_bed bed;
    if (!fgt_bed_open(&bed, spans, count, lanes, lanes)) {
        return fgt_case_differs(c, "no trace");
    }
    faults |= fg_trace_repair(bed.trace, 0) ? BAD_DURATION : 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const struct fg_view_target track = fgt_bed_target(FG_VIEW_TRACK, lane);
        uint32_t found =
            fgt_bed_shown(&bed, &track, 1, -fgt_case_ns(100), fgt_case_ns(100), 0, rows);
        for (uint32_t i = 0; i < found; i++) {
            order[sum++] = ids[rows[i]];
        }
        offsets[lane + 1] = sum;
        faults |= fgt_bed_lane(&bed, lane, 0, 1) != FG_NONE ? OVERLAPS : 0;
    }
    fgt_bed_close(&bed);
    const json_t *word = fgt_case_expected(c, "validation");
    word = json_is_array(word) ? json_array_get(word, 0) : word;
    return fgt_case_agree(c, "spanIds", order, sum) &&
           fgt_case_agree(c, "laneOffsets", offsets, lanes + 1) &&
           (fgt_case_natural(word) == faults || fgt_case_differs(c, "the faults are %u", faults));
}

/* ---- longest spans --------------------------------------------------------------------------- */

/* Spans of a case by position in their lanes; rows of ours are numbered as their ids rank. */
struct positions {
    struct fgt_bed bed;
    uint32_t count;
    uint32_t source[LANES_MAX]; /* by position: the case's row; FG_NONE: it is no span */
    uint32_t row[LANES_MAX];    /* by position: ours; FG_NONE */
    uint32_t lane_count;
    uint32_t first[LANES_MAX]; /* by lane, and the end */
};

static double id_of(const struct fgt_case *c, uint32_t source)
{
    return fgt_case_real_at(fgt_case_input(c, "spanIds"), source);
}

/* Among spans that are equally long the lowest id wins there, and the lowest row here. */
static uint32_t rank_of(const struct fgt_case *c, const struct positions *p, uint32_t position)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        rank += p->source[i] != FG_NONE && id_of(c, p->source[i]) < id_of(c, p->source[position]);
    }
    return rank;
}

static void positions_read(const struct fgt_case *c, struct positions *p)
{
    const json_t *durations = fgt_case_input(c, "durations");
    const json_t *order = fgt_case_input(c, "rowOrder");
    const json_t *offsets = fgt_case_input(c, "laneOffsets");
    *p = (struct positions){ .lane_count = (uint32_t)json_array_size(offsets) - 1 };
    for (uint32_t i = 0; i <= p->lane_count; i++) {
        p->first[i] = (uint32_t)fgt_case_natural_at(offsets, i);
    }
    p->count = p->first[p->lane_count];
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t at = json_is_array(order) ? (uint32_t)fgt_case_natural_at(order, i) : i;
        bool is_span = at < json_array_size(durations) && !isnan(fgt_case_real_at(durations, at));
        p->source[i] = is_span ? at : FG_NONE;
    }
}

/* Times are in units of 2^level ns; without starts each position has one unit of its own. */
static bool positions_open(const struct fgt_case *c, unsigned level, struct positions *p)
{
    struct fgt_bed_span spans[LANES_MAX] = { { 0 } };
    const json_t *starts = fgt_case_input(c, "startTimes");
    uint32_t lane = 0, made = 0;
    positions_read(c, p);
    for (uint32_t i = 0; i < p->count; i++) {
        lane += i == p->first[lane + 1];
        p->row[i] = p->source[i] == FG_NONE ? FG_NONE : rank_of(c, p, i);
        if (p->row[i] == FG_NONE) {
            continue;
        }
        double duration = fgt_case_real_at(fgt_case_input(c, "durations"), p->source[i]);
        double start = starts ? fgt_case_real_at(starts, p->source[i]) : i - p->first[lane];
        double end = start + (starts ? duration : duration / 16);
        struct fgt_bed_span *span = &spans[p->row[i]];
        span->start_ns = llround(ldexp(start, (int)level));
        span->end_ns = llround(ldexp(end, (int)level));
        span->thread = lane;
        made++;
    }
    return fgt_bed_open(&p->bed, spans, made, p->lane_count, p->lane_count);
}

static double position_of(const struct positions *p, uint32_t row)
{
    for (uint32_t i = 0; i < p->count && row != FG_NONE; i++) {
        if (p->row[i] == row) {
            return i;
        }
    }
    return INVALID;
}

/* A heap over positions is what bins of one, two, four... units say of spans of a unit each. */
static bool agree_on_heap(const struct fgt_case *c, const struct positions *p, unsigned level,
                          uint32_t leaves)
{
    double heap[4 * LANES_MAX] = { 0 };
    for (uint32_t lane = 0; lane < p->lane_count; lane++) {
        double *of_lane = &heap[2 * leaves * lane];
        const struct fg_view_target target = fgt_bed_target(FG_VIEW_TRACK, lane);
        unsigned k = level;
        for (uint32_t width = leaves; width >= 1; width /= 2, k++) {
            uint32_t rows[LANES_MAX];
            if (!fgt_bed_longest(&p->bed, target, 0, k, 0, width, rows)) {
                return fgt_case_differs(c, "lane %u has no bins of level %u", lane, k);
            }
            for (uint32_t i = 0; i < width; i++) {
                of_lane[width + i] = position_of(p, rows[i]);
            }
        }
    }
    return fgt_case_agree(c, "tree", heap, 2 * leaves * p->lane_count);
}

/* The root of a lane is the longest span of the coarsest level. */
static bool agree_on_roots(const struct fgt_case *c, const struct positions *p)
{
    static const char *const keys[] = { "rootLane0", "rootLane1" };
    const struct fg_minimap_request request = { .kind = FG_VIEW_TRACK };
    struct fg_minimap_reply map;
    if (fg_query_minimap(p->bed.query, &request, &map) != FG_OK) {
        return fgt_case_differs(c, "no minimap");
    }
    for (uint32_t lane = 0; lane < 2; lane++) {
        const struct fg_minimap_answer *answer = &map.answers[lane];
        const struct fg_minimap_cell *best = &map.cells[answer->first_cell];
        for (uint32_t i = 1; i < answer->cell_count; i++) {
            const struct fg_minimap_cell *other = &map.cells[answer->first_cell + i];
            bool is_longer = other->longest_ns > best->longest_ns ||
                             (other->longest_ns == best->longest_ns && other->row < best->row);
            best = is_longer ? other : best;
        }
        double ours = answer->cell_count != 0 ? position_of(p, best->row) : INVALID;
        if (ours != fgt_case_real(fgt_case_expected(c, keys[lane]))) {
            return fgt_case_differs(c, "%s is %g", keys[lane], ours);
        }
    }
    return true;
}

static bool try_maximum(const struct fgt_case *c)
{
    const unsigned level = 24;
    struct positions p;
    if (!positions_open(c, level, &p)) {
        return fgt_case_differs(c, "no trace");
    }
    uint32_t leaves = (uint32_t)fgt_case_natural(fgt_case_input(c, "leafCapacity"));
    bool agrees =
        fgt_case_expected(c, "tree") ? agree_on_heap(c, &p, level, leaves) : agree_on_roots(c, &p);
    fgt_bed_close(&p.bed);
    return agrees;
}

/* Pixels of one, two, four... units, so that each is one bin. */
static bool try_pixels(const struct fgt_case *c)
{
    static const char *const keys[] = { "lane0", "lane1" };
    const unsigned unit = 20;
    const json_t *domain = fgt_case_input(c, "domain");
    const json_t *bits = fgt_case_input(c, "selectionBits");
    const json_t *capacity = fgt_case_input(c, "maximumPixelCount");
    unsigned level = unit + (unsigned)lround(log2(fgt_case_real_at(domain, 1)));
    uint32_t pixels = (uint32_t)fgt_case_natural(fgt_case_input(c, "pixelCount"));
    uint32_t cells = capacity ? (uint32_t)fgt_case_natural(capacity) : pixels;
    uint32_t filter = 0;
    uint64_t mask = 0;
    struct positions p;
    if (!positions_open(c, unit, &p)) {
        return fgt_case_differs(c, "no trace");
    }
    for (uint32_t i = 0; i < p.count && bits; i++) {
        mask |= (fgt_case_natural(bits) >> p.source[i] & 1) << p.row[i];
    }
    if (bits) {
        filter = fgt_bed_filter(
            &p.bed, &(struct fg_filter_terms){ .mask = &mask, .mask_rows = p.bed.rows });
    }
    bool agrees = true;
    for (uint32_t lane = 0; lane < p.lane_count && agrees; lane++) {
        uint32_t rows[LANES_MAX];
        double ours[LANES_MAX];
        agrees = fgt_bed_longest(&p.bed, fgt_bed_target(FG_VIEW_TRACK, lane), filter, level, 0,
                                 pixels, rows);
        for (uint32_t i = 0; i < cells; i++) {
            double position = i < pixels && agrees ? position_of(&p, rows[i]) : INVALID;
            ours[i] = position == INVALID ? INVALID : id_of(c, p.source[(uint32_t)position]);
        }
        agrees = agrees ? fgt_case_agree(c, keys[lane], ours, cells) &&
                              fgt_case_agree(c, "representatives", ours, cells)
                        : fgt_case_differs(c, "lane %u was not answered by bins", lane);
    }
    agrees = agrees && (!fgt_case_expected(c, "tree") || agree_on_heap(c, &p, unit, p.count));
    fgt_bed_close(&p.bed);
    return agrees;
}

#define MEETS "a span [s, e) meets [a, b) if s < b and e > a: one rule, in every engine and view"
#define EXACT                                                                                      \
    "a query answers each lane with exact spans: nothing of a coarse node that does not meet it"
#define BUILT "nobody hands in ranges: an index is made of the lanes that there are, all of them"

static const struct fgt_case_operation operations[] = {
    { "temporal-index", try_window },
    { "temporal-index-builder", try_extents },
    { "mipmap-boundaries", try_boundaries },
    { "galloping-search", try_search },
    { "lane-index", try_lanes },
    { "range-maximum", try_maximum },
    { "pixel-mipmap", try_pixels },
    { NULL, NULL },
};

static const struct fgt_case_yield yields[] = {
    { "test-017", EXACT, "{\"candidates\": [2, 3, 4, 5]}" },
    { "luma-040", EXACT, "{\"candidates\": [0]}" },
    { "luma-033", MEETS, "{\"candidates\": []}" },
    { "luma-034",
      "no span that meets the window vanishes: groups have no number past which they do",
      "{\"candidates\": [0, 1, 2, 3]}" },
    { "luma-039",
      "no span that meets the window vanishes: the level follows from window and width, and nobody "
      "can ask for one that is not there",
      "{\"candidates\": [0, 1, 2, 3]}" },
    { "luma-030", BUILT, "{\"nodes\": [[0, 0, 0, 0, 0], [12, 18, 6, 4, 8], [0, 5, 3, 1, 4]]}" },
    { "luma-031", BUILT, "{\"nodes\": [[2, 12, 3, 2, 6], [10, 18, 6, 4, 8]]}" },
    { "test-023", BUILT, "{\"is_layout\": true}" },
    { "luma-009",
      "times are 64-bit and never pass through a float, so that there is one zero and ties go to "
      "the lowest row; what has no time or lane is no row",
      "{\"spanIds\": [0, 1, 5, 3], \"laneOffsets\": [0, 4, 4]}" },
    { "luma-007",
      "invalid input is reported, not assumed away: a span that ends before it starts is mended "
      "and "
      "counted, and keeps its place",
      "{\"tree\": [0, 0, 0, 4294967295, 0, 1, 4294967295, 4294967295]}" },
    { NULL, NULL, NULL },
};

const struct fgt_case_part fgt_cases_index = { "index", operations, yields };
