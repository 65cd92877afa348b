/* SPDX-License-Identifier: MIT */
/* Cases of what a person sees: interaction, densities, choice of detail, and picking. */
#include "cases.h"
#include "span_bed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64 };
#define INVALID 4294967295.0

/* ---- interaction ----------------------------------------------------------------------------- */

struct scene {
    struct fgt_bed bed;
    uint32_t rows; /* of the case; behind them one far span for each lane that there can be */
    uint32_t threads, threads_per_process;
    uint8_t folded_processes[ROWS_MAX], folded_threads[ROWS_MAX];
};

/* Lanes are depths of their thread. Every lane has a span, long after all windows. */
static bool scene_open(const struct fgt_case *c, struct scene *scene)
{
    struct fgt_bed_span spans[ROWS_MAX] = { { 0 } };
    uint32_t links[ROWS_MAX][2];
    const json_t *items = fgt_case_input(c, "spans");
    const json_t *link_items = fgt_case_input(c, "links");
    uint32_t each = (uint32_t)fgt_case_natural(fgt_case_input(c, "lanesPerThread"));
    uint32_t count = (uint32_t)json_array_size(items);
    const json_t *threads = fgt_case_input(c, "threadStates");
    const json_t *processes = fgt_case_input(c, "processStates");
    *scene = (struct scene){
        .rows = count,
        .threads = (uint32_t)json_array_size(threads),
        .threads_per_process = (uint32_t)fgt_case_natural(fgt_case_input(c, "threadsPerProcess")),
    };
    for (uint32_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(items, i);
        double start = fgt_case_real_at(item, 0), duration = fgt_case_real_at(item, 1);
        uint32_t parent = (uint32_t)fgt_case_natural_at(fgt_case_input(c, "parents"), i);
        spans[i] = (struct fgt_bed_span){
            .start_ns = fgt_case_ns(start),
            .end_ns = fgt_case_ns(start + duration),
            .thread = (uint32_t)fgt_case_natural_at(item, 5),
            .depth = (uint32_t)fgt_case_natural_at(item, 2) % each,
            .classes = (uint32_t)fgt_case_natural_at(item, 7),
            .parent = parent == FG_NONE ? 0 : parent + 1,
        };
    }
    for (uint32_t i = 0; i < scene->threads * each; i++) {
        spans[count++] = (struct fgt_bed_span){ .start_ns = fgt_case_ns(1e6),
                                                .end_ns = fgt_case_ns(1e6 + 1),
                                                .thread = i / each,
                                                .depth = i % each };
    }
    for (uint32_t i = 0; i < json_array_size(link_items); i++) {
        links[i][0] = (uint32_t)fgt_case_natural_at(json_array_get(link_items, i), 0);
        links[i][1] = (uint32_t)fgt_case_natural_at(json_array_get(link_items, i), 1);
    }
    for (uint32_t i = 0; i < scene->threads; i++) {
        scene->folded_threads[i] = fgt_case_natural_at(threads, i) == 0;
        scene->folded_processes[i / scene->threads_per_process] =
            fgt_case_natural_at(processes, i / scene->threads_per_process) == 0;
    }
    return fgt_bed_open_linked(&scene->bed, spans, count, scene->threads,
                               scene->threads_per_process, links, json_array_size(link_items));
}

/* What the controls of the case leave, as a filter; and the rows that its focus reaches. */
static uint32_t scene_filter(const struct fgt_case *c, struct scene *scene, double *reached)
{
    const json_t *policy = fgt_case_input(c, "policy");
    const json_t *selected = fgt_case_input(c, "selected");
    uint32_t seeds[ROWS_MAX];
    struct fg_focus_reply focus = { 0 };
    struct fg_filter_terms terms = {
        .required_classes = (uint32_t)fgt_case_natural_at(policy, 0),
        .excluded_classes = (uint32_t)fgt_case_natural_at(policy, 1),
        .min_duration_ns = (uint64_t)fgt_case_ns(fgt_case_real_at(fgt_case_input(c, "window"), 2)),
    };
    struct fg_focus_request request = {
        .seeds = seeds,
        .seed_count = (uint32_t)json_array_size(selected),
        .hops = (uint32_t)fgt_case_natural(fgt_case_input(c, "focusDepth")),
        .direction = FG_LINKS_BOTH,
    };
    for (uint32_t i = 0; i < request.seed_count; i++) {
        seeds[i] = (uint32_t)fgt_case_natural_at(selected, i);
    }
    if (fgt_case_natural_at(policy, 2) != 0) {
        if (fg_query_focus(scene->bed.query, &request, &focus) != FG_OK) {
            return FG_NONE;
        }
        terms.mask = focus.mask;
        terms.mask_rows = focus.mask_rows;
    }
    for (uint32_t i = 0; i < scene->rows; i++) {
        reached[i] = focus.mask && (focus.mask[i / 64] >> (i % 64) & 1);
    }
    return fgt_bed_filter(&scene->bed, &terms);
}

static bool agree_on_heights(const struct fgt_case *c, const struct scene *scene,
                             const struct fg_layout_item *items, uint32_t count)
{
    double heights[ROWS_MAX] = { 0 }, offsets[ROWS_MAX] = { 0 }, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_view_target *target = &items[i].target;
        uint32_t thread =
            target->kind == FG_VIEW_PROCESS ? target->index * scene->threads_per_process
            : target->kind == FG_VIEW_TRACK ? target->index
                                            : fg_trace_lane(scene->bed.trace, target->index)->track;
        heights[thread]++;
    }
    for (uint32_t t = 0; t < scene->threads; t++) {
        offsets[t] = sum;
        sum += heights[t];
    }
    return fgt_case_agree(c, "heights", heights, scene->threads) &&
           fgt_case_agree(c, "offsets", offsets, scene->threads);
}

/* Every line of the layout is asked for its spans; hidden ones project onto those it shows. */
static bool agree_on_rows(const struct fgt_case *c, struct scene *scene)
{
    const struct fg_layout_item *items;
    uint32_t item_count = 0, lines = 0, shown[ROWS_MAX], shown_count;
    double reached[ROWS_MAX], visible[ROWS_MAX], ancestors[ROWS_MAX];
    struct fg_view_target targets[ROWS_MAX];
    const struct fg_layout_request layout = { scene->folded_processes, scene->folded_threads, 0,
                                              0 };
    const json_t *window = fgt_case_input(c, "window");
    uint32_t filter = scene_filter(c, scene, reached);
    if (filter == FG_NONE ||
        fg_query_layout(scene->bed.query, &layout, &items, &item_count, &lines) != FG_OK) {
        return fgt_case_differs(c, "it could not be asked");
    }
    for (uint32_t i = 0; i < item_count; i++) {
        targets[i] = items[i].target;
    }
    shown_count =
        fgt_bed_shown(&scene->bed, targets, item_count, fgt_case_ns(fgt_case_real_at(window, 0)),
                      fgt_case_ns(fgt_case_real_at(window, 1)), filter, shown);
    uint64_t mask = 0;
    for (uint32_t i = 0; i < shown_count; i++) {
        mask |= UINT64_C(1) << shown[i];
    }
    size_t visible_count = 0;
    for (uint32_t i = 0; i < scene->rows; i++) {
        if (mask >> i & 1) {
            visible[visible_count++] = i;
        }
    }
    struct fg_project_reply projected;
    if (fg_query_project(scene->bed.query, &(struct fg_project_request){ .mask = &mask },
                         &projected) != FG_OK) {
        return fgt_case_differs(c, "nothing is projected");
    }
    for (uint32_t i = 0; i < scene->rows; i++) {
        ancestors[i] = projected.rows[i] == FG_NONE ? INVALID : projected.rows[i];
    }
    return shown_count == visible_count && fgt_case_agree(c, "visible", visible, visible_count) &&
           fgt_case_agree(c, "reached", reached, scene->rows) &&
           fgt_case_agree(c, "ancestors", ancestors, scene->rows) &&
           agree_on_heights(c, scene, items, item_count);
}

static bool try_interaction(const struct fgt_case *c)
{
    struct scene scene;
    if (!scene_open(c, &scene)) {
        return fgt_case_differs(c, "no trace");
    }
    bool agrees = agree_on_rows(c, &scene);
    fgt_bed_close(&scene.bed);
    return agrees;
}

/* ---- picking --------------------------------------------------------------------------------- */

static struct fgt_bed_span span_of(const json_t *item, uint32_t lanes_per_thread)
{
    double start = fgt_case_real_at(item, 0), duration = fgt_case_real_at(item, 1);
    return (struct fgt_bed_span){
        .start_ns = fgt_case_ns(start),
        .end_ns = fgt_case_ns(start + duration),
        .thread = (uint32_t)fgt_case_natural_at(item, 5),
        .depth = (uint32_t)fgt_case_natural_at(item, 2) % lanes_per_thread,
        .category = (uint32_t)fgt_case_natural_at(item, 3),
        .classes = (uint32_t)fgt_case_natural_at(item, 7),
    };
}

/* A line of the case is a depth of a thread; spans that overlap there have lanes of their own. */
static bool try_pick(const struct fgt_case *c)
{
    struct fgt_bed_span spans[ROWS_MAX];
    const json_t *items = fgt_case_input(c, "spans");
    const json_t *offsets = fgt_case_input(c, "threadOffsets");
    uint32_t each = (uint32_t)fgt_case_natural(fgt_case_input(c, "lanesPerThread"));
    uint32_t line = (uint32_t)fgt_case_natural(fgt_case_input(c, "lane"));
    uint32_t count = (uint32_t)json_array_size(items);
    uint32_t thread = 0;
    uint64_t mask = 0;
    struct fgt_bed bed;
    for (uint32_t i = 0; i < count; i++) {
        spans[i] = span_of(json_array_get(items, i), each);
        mask |= (uint64_t)(fgt_case_natural_at(fgt_case_input(c, "visible"), i) != 0) << i;
    }
    if (!fgt_bed_open(&bed, spans, count, (uint32_t)json_array_size(offsets), 1)) {
        return fgt_case_differs(c, "no trace");
    }
    while (thread + 1 < json_array_size(offsets) &&
           fgt_case_natural_at(offsets, thread + 1) <= line) {
        thread++;
    }
    struct fg_pick_request request = {
        .time_ns = fgt_case_ns(fgt_case_real(fgt_case_input(c, "time"))),
        .filter =
            fgt_bed_filter(&bed, &(struct fg_filter_terms){ .mask = &mask, .mask_rows = count }),
    };
    uint32_t depth = line - (uint32_t)fgt_case_natural_at(offsets, thread);
    uint32_t best = FG_NONE, lane;
    bool is_asked = request.filter != FG_NONE;
    for (uint32_t i = 0; (lane = fgt_bed_lane(&bed, thread, depth, i)) != FG_NONE; i++) {
        uint32_t row = FG_NONE;
        request.target = fgt_bed_target(FG_VIEW_LANE, lane);
        is_asked = is_asked && fg_query_pick(bed.query, &request, &row) == FG_OK;
        best = row < best ? row : best;
    }
    fgt_bed_close(&bed);
    return is_asked && (best == fgt_case_natural(fgt_case_expected(c, "row")) ||
                        fgt_case_differs(c, "row %u", best));
}

/* ---- density --------------------------------------------------------------------------------- */

/*
 * The coarsest bins, which are two units wide here: by line, first bin, bins that say the same,
 * group of the longest span, starts, and what is covered of each.
 */
static bool agree_on_cells(const struct fgt_case *c, const struct fgt_bed *bed, unsigned unit)
{
    enum { COLUMNS = 6 };
    double ours[COLUMNS * ROWS_MAX];
    size_t runs = 0;
    const struct fg_minimap_request request = { .kind = FG_VIEW_TRACK };
    struct fg_minimap_reply map;
    if (fg_query_minimap(bed->query, &request, &map) != FG_OK || map.level != unit + 1) {
        return fgt_case_differs(c, "no minimap of that level");
    }
    for (uint32_t t = 0; t < map.answer_count; t++) {
        const struct fg_minimap_answer *answer = &map.answers[t];
        size_t first_run = runs;
        for (uint32_t i = 0; i < answer->cell_count && runs < ROWS_MAX; i++) {
            const struct fg_minimap_cell *cell = &map.cells[answer->first_cell + i];
            double group = strtod(fg_trace_text(bed->trace, cell->category), NULL);
            double covered = ldexp((double)cell->covered_ns, -(int)unit);
            double *last = &ours[COLUMNS * (runs - (runs > first_run))];
            if (runs > first_run && last[1] + last[2] == (double)cell->bin && last[3] == group &&
                last[4] == cell->starts && last[5] == covered) {
                last[2]++;
                continue;
            }
            const double run[COLUMNS] = { t, (double)cell->bin, 1, group, cell->starts, covered };
            memcpy(&ours[COLUMNS * runs++], run, sizeof run);
        }
    }
    return fgt_case_expected(c, "bins") ? fgt_case_agree(c, "bins", ours, COLUMNS * runs)
                                        : fgt_case_differs(c, "ours has %zu runs", runs);
}

static bool try_density(const struct fgt_case *c)
{
    const unsigned unit = 20;
    struct fgt_bed_span spans[ROWS_MAX];
    const json_t *items = fgt_case_input(c, "spans");
    uint32_t each = (uint32_t)fgt_case_natural(fgt_case_input(c, "lanesPerThread"));
    uint32_t count = (uint32_t)json_array_size(items);
    struct fgt_bed bed;
    for (uint32_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(items, i);
        double start = fgt_case_real_at(item, 0), duration = fgt_case_real_at(item, 1);
        spans[i] = span_of(item, each);
        spans[i].start_ns = llround(ldexp(start, (int)unit));
        spans[i].end_ns = llround(ldexp(start + duration, (int)unit));
        /* A line is a track: each has an answer of its own. */
        spans[i].thread = spans[i].thread * (each + 1) + spans[i].depth;
        spans[i].depth = 0;
    }
    if (!fgt_bed_open(&bed, spans, count, 2 * (each + 1), 2 * (each + 1))) {
        return fgt_case_differs(c, "no trace");
    }
    bool agrees = agree_on_cells(c, &bed, unit);
    fgt_bed_close(&bed);
    return agrees;
}

/* ---- choice of detail ------------------------------------------------------------------------ */

/* Spans of one unit, one after the other: of such the original's thresholds are told. */
static bool units_open(struct fgt_bed *bed)
{
    static struct fgt_bed_span spans[FGT_BED_SPANS_MAX];
    for (uint32_t i = 0; i < FGT_BED_SPANS_MAX; i++) {
        spans[i] =
            (struct fgt_bed_span){ .start_ns = fgt_case_ns(i), .end_ns = fgt_case_ns(i + 1) };
    }
    return fgt_bed_open(bed, spans, FGT_BED_SPANS_MAX, 1, 1);
}

static const char *const mode_names[] = { "exact", "representative", "density" };

/* What is drawn of so many units, and how much of it is bins. */
static const char *detail_of(const struct fgt_bed *bed, double range, double width, uint8_t detail,
                             uint8_t handoff, uint8_t before, double *blend)
{
    struct fg_view_target lane = fgt_bed_target(FG_VIEW_LANE, 0);
    struct fg_view_reply reply;
    lane.previous_mode = before;
    const struct fg_view_request request = { .start_ns = 0,
                                             .end_ns = fgt_case_ns(range),
                                             .width_px = (uint32_t)width,
                                             .targets = &lane,
                                             .target_count = 1,
                                             .detail = detail,
                                             .handoff = handoff };
    *blend = NAN;
    if (fg_query_view(bed->query, &request, &reply) != FG_OK || reply.answers[0].mode > 2) {
        return "none";
    }
    *blend = reply.answers[0].blend / 255.0;
    return mode_names[reply.answers[0].mode];
}

static bool agree_on_name(const struct fgt_case *c, const char *key, size_t i, const char *name)
{
    const json_t *expected = fgt_case_expected(c, key);
    expected = json_is_array(expected) ? json_array_get(expected, i) : expected;
    const char *text = json_string_value(expected);
    return !text || strcmp(text, name) == 0 || fgt_case_differs(c, "%s[%zu] is %s", key, i, name);
}

static bool agree_on_range(const struct fgt_case *c, const struct fgt_bed *bed, size_t i,
                           double range, double width)
{
    static const struct {
        const char *key, *blend_key;
        uint8_t detail, handoff;
    } ways[] = {
        { "autoHard", "hard", FG_DETAIL_AUTO, FG_HANDOFF_HARD },
        { "autoSmooth", "smooth", FG_DETAIL_AUTO, FG_HANDOFF_SMOOTH },
        { "densityHard", NULL, FG_DETAIL_DENSITY, FG_HANDOFF_HARD },
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        double blend;
        const char *name =
            detail_of(bed, range, width, ways[k].detail, ways[k].handoff, FG_VIEW_NONE, &blend);
        const json_t *blends = ways[k].blend_key ? fgt_case_expected(c, ways[k].blend_key) : NULL;
        if (!agree_on_name(c, ways[k].key, i, name)) {
            return false;
        }
        if (blends && fabs(fgt_case_real_at(blends, i) - blend) > 0.005) {
            return fgt_case_differs(c, "%s[%zu] is %g", ways[k].blend_key, i, blend);
        }
    }
    return true;
}

/* Between two thresholds what is on screen stays: the original has none of that. */
static bool has_hysteresis(const struct fgt_bed *bed, double width)
{
    double blend;
    double between = width / 3.5, other = width / 4.5;
    return strcmp(detail_of(bed, between, width, 0, 0, FG_VIEW_EXACT, &blend), "exact") == 0 &&
           strcmp(detail_of(bed, between, width, 0, 0, FG_VIEW_NONE, &blend), "exact") != 0 &&
           strcmp(detail_of(bed, other, width, 0, 0, FG_VIEW_NONE, &blend), "exact") == 0 &&
           strcmp(detail_of(bed, other, width, 0, 0, FG_VIEW_REPRESENTATIVE, &blend), "exact") != 0;
}

static bool try_detail(const struct fgt_case *c)
{
    const json_t *rows = fgt_case_input(c, "rows");
    const json_t *ranges = fgt_case_input(c, "timeRanges");
    double width = fgt_case_real(fgt_case_input(c, "viewportWidth")), blend;
    struct fgt_bed bed;
    if (!units_open(&bed)) {
        return fgt_case_differs(c, "no trace");
    }
    bool agrees = true;
    for (size_t i = 0; i < json_array_size(ranges) && agrees; i++) {
        agrees = agree_on_range(c, &bed, i, fgt_case_real_at(ranges, i), width);
    }
    for (size_t i = 0; i < json_array_size(rows) && agrees; i++) {
        const json_t *row = json_array_get(rows, i);
        width = fgt_case_real_at(row, 2);
        agrees =
            agree_on_range(c, &bed, i, fgt_case_real_at(row, 1) - fgt_case_real_at(row, 0), width);
    }
    for (size_t i = 0; i < 3 && agrees && fgt_case_expected(c, "hardAt79_80_81"); i++) {
        (void)detail_of(&bed, 79.0 + (double)i, width, 0, FG_HANDOFF_HARD, FG_VIEW_NONE, &blend);
        agrees = blend == fgt_case_real_at(fgt_case_expected(c, "hardAt79_80_81"), i) ||
                 fgt_case_differs(c, "hardAt79_80_81[%zu] is %g", i, blend);
    }
    agrees =
        agrees &&
        agree_on_name(c, "auto150", 0, detail_of(&bed, 150, width, 0, 0, FG_VIEW_NONE, &blend)) &&
        agree_on_name(c, "auto1000", 0, detail_of(&bed, 1000, width, 0, 0, FG_VIEW_NONE, &blend)) &&
        (has_hysteresis(&bed, width) || fgt_case_differs(c, "what is on screen does not stay"));
    fgt_bed_close(&bed);
    return agrees;
}

#define BY_PIXELS                                                                                  \
    "the choice between exact, representative and density is by pixels, with hysteresis: of "      \
    "spans "                                                                                       \
    "of one unit, not of units"

static const struct fgt_case_operation operations[] = {
    { "interaction", try_interaction },
    { "picking", try_pick },
    { "density", try_density },
    { "lod", try_detail },
    { NULL, NULL },
};

static const struct fgt_case_yield yields[] = {
    { "test-050", "collapsed threads merge all their lanes", "{\"visible\": [0, 1, 2, 3, 4]}" },
    { "luma-043", "a span [s, e) meets [a, b) if s < b and e > a: its end is not in it",
      "{\"row\": 4294967295}" },
    { "luma-048",
      "a bin says how many spans start in it and the ns that they cover of it, in absolute time",
      "{\"bins\": [0, 5, 1, 0, 2, 0.7, 0, 6, 1, 0, 1, 1, 1, -1, 1, 2, 1, 0.2, 1, 0, 1, 2, 0, 0.3, "
      "1, 10, 1, 2, 1, 0, 2, 15, 1, 0, 1, 2, 2, 16, 29, 0, 0, 2, 3, 255, 1, 1, 1, 1.1, "
      "3, 256, 1, 1, 0, 2, 3, 257, 1, 1, 0, 1.9, 5, 7, 1, 0, 1, 0.5]}" },
    { "luma-064", BY_PIXELS,
      "{\"smooth\": [0, 0, 0, 0, 0, 0, 0.129, 0.131, 1], \"hard\": [0, 0, 0, 0, 0, 0, 0, 0, 1], "
      "\"autoHard\": [\"exact\", \"exact\", \"exact\", \"exact\", \"exact\", \"exact\", \"exact\", "
      "\"exact\", \"representative\"], \"autoSmooth\": [\"exact\", \"exact\", \"exact\", "
      "\"exact\", \"exact\", \"exact\", \"exact\", \"exact\", \"representative\"], "
      "\"densityHard\": [\"exact\", \"exact\", \"exact\", \"exact\", \"exact\"]}" },
    { "test-068", BY_PIXELS,
      "{\"smooth\": [0, 0, 0], \"hardAt79_80_81\": [0, 0, 0], \"auto150\": \"exact\", "
      "\"auto1000\": \"representative\"}" },
    { NULL, NULL, NULL },
};

const struct fgt_case_part fgt_cases_view = { "view", operations, yields };
