/* SPDX-License-Identifier: MIT */
/* Cases of dependencies in view: which are shown, how they are drawn and picked. */
#include "cases.h"
#include "scene_bed.h"
#include "trace/links_rules.h"
#include <frameglass/trace_links.h>
#include <math.h>
#include <stdio.h>

enum { ROWS_MAX = 4096 };

static bool try_hash(const struct fgt_case *c)
{
    const json_t *values = fgt_case_input(c, "values");
    size_t count = json_array_size(values);
    for (size_t i = 0; i < count; i++) {
        uint32_t hash = fg_links_hash((uint32_t)fgt_case_natural_at(values, i));
        if (hash != fgt_case_natural_at(fgt_case_expected(c, "hash"), i) ||
            hash >> 8 != fgt_case_natural_at(fgt_case_expected(c, "bucket24"), i)) {
            return fgt_case_differs(c, "hash %zu is %u", i, hash);
        }
    }
    return true;
}

static bool has_number(const json_t *array, uint32_t number)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (fgt_case_natural_at(array, i) == number) {
            return true;
        }
    }
    return false;
}

/*
 * Links of one cell that all cross the view: a cell shows a quarter of the budget, the first by
 * hash. So of the original's qualifying ones we show the same number, and always the same ones.
 */
static bool try_admission(const struct fgt_case *c)
{
    const json_t *qualifying = fgt_case_expected(c, "qualifyingIds");
    uint64_t chunks = fgt_case_natural(fgt_case_input(c, "chunkCount"));
    uint64_t chunk = fgt_case_natural(fgt_case_input(c, "chunkIndex"));
    uint64_t budget = fgt_case_natural(fgt_case_input(c, "budget"));
    const json_t *ids = fgt_case_input(c, "intersectingIds");
    unsigned first = 0, last = 0;
    if (!json_is_string(ids) || sscanf(json_string_value(ids), "%u..%u", &first, &last) != 2 ||
        first != 0 || last >= ROWS_MAX || chunks == 0) {
        return fgt_case_differs(c, "its links are not told as expected");
    }
    uint32_t count = last + 1;
    uint32_t share = (uint32_t)(budget / chunks + (chunk < budget % chunks));
    double threshold = ceil((double)share / count * 16777216.0);
    threshold = share >= count ? 16777216.0 : threshold;
    if (share != fgt_case_natural(fgt_case_expected(c, "chunkBudget")) ||
        !fgt_case_near(threshold, fgt_case_real(fgt_case_expected(c, "threshold24")))) {
        return fgt_case_differs(c, "share %u", share);
    }
    struct fgt_scene scene;
    struct fg_links_reply reply = { 0 };
    if (!fgt_scene_begin(&scene)) {
        return fgt_case_differs(c, "it could not be made");
    }
    uint32_t track = fgt_scene_track(&scene, FG_NONE);
    fgt_scene_span(&scene, track, 0, FG_NONE, 0, 10);
    for (uint32_t i = 0; i < count; i++) {
        fgt_scene_span(&scene, track, 1, FG_NONE, 20, 30);
        fgi_builder_dependency(scene.builder, &(struct fg_trace_dependency){ 0, i + 1, 0, 0 });
    }
    fgt_scene_span(&scene, track, 0, FG_NONE, 1000000, 1000001); /* zoomed in wholly */
    const struct fg_link_place place = { FG_VIEW_TRACK, 0, 5 };
    struct fg_links_request request = { .start_ns = 0,
                                        .end_ns = 64,
                                        .width_px = 100,
                                        .bottom_y = 10,
                                        .places = &place,
                                        .place_count = 1,
                                        .max_lines = share * 4 };
    bool ok = fgt_scene_end(&scene) && fg_query_links(scene.query, &request, &reply) == FG_OK;
    uint64_t admitted = 0, qualified = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool qualifies = fg_links_hash(i) >> 8 < threshold;
        qualified += qualifies;
        ok = ok && qualifies == has_number(qualifying, i);
    }
    for (uint32_t i = 0; i < reply.line_count; i++) {
        admitted += has_number(qualifying, reply.lines[i].link);
    }
    uint32_t shown = share < count ? share : count;
    if (!ok || reply.line_count != shown || (qualified >= shown && admitted != shown) ||
        admitted != fgt_case_natural(fgt_case_expected(c, "admittedCount"))) {
        ok = fgt_case_differs(c, "%u are shown, %u of them qualify", reply.line_count,
                              (unsigned)admitted);
    }
    fgt_scene_close(&scene);
    return ok;
}

static bool try_display_budget(const struct fgt_case *c)
{
    const json_t *visible = fgt_case_input(c, "visibleDurations");
    uint64_t trace = (uint64_t)fgt_case_ns(fgt_case_real(fgt_case_input(c, "traceDuration")));
    uint32_t most = (uint32_t)fgt_case_natural(fgt_case_input(c, "maximumBudget"));
    double budgets[64];
    size_t count = json_array_size(visible) < 64 ? json_array_size(visible) : 64;
    for (size_t i = 0; i < count; i++) {
        uint64_t window = (uint64_t)fgt_case_ns(fgt_case_real_at(visible, i));
        budgets[i] = fg_links_budget(most, trace, window);
    }
    return fgt_case_agree(c, "budgets", budgets, count);
}

/* The mean span of the cases' data set is one unit long. */
static bool try_bundling(const struct fgt_case *c)
{
    const json_t *rows = fgt_case_input(c, "rows");
    double bundled[64];
    size_t count = json_array_size(rows) < 64 ? json_array_size(rows) : 64;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        uint64_t window =
            (uint64_t)fgt_case_ns(fgt_case_real_at(row, 1) - fgt_case_real_at(row, 0));
        bundled[i] = fg_links_are_bundled((uint64_t)fgt_case_ns(1), window,
                                          (uint32_t)fgt_case_natural_at(row, 2));
    }
    return fgt_case_agree(c, "auto", bundled, count);
}

/* A lane of the cases is 256 of our units of y. */
static int32_t case_y(double lanes)
{
    return (int32_t)lround(lanes * 256);
}

static bool try_pick(const struct fgt_case *c)
{
    const json_t *segments = fgt_case_input(c, "segments");
    const json_t *viewport = fgt_case_input(c, "viewport");
    const json_t *pixels = fgt_case_input(c, "pixels");
    const json_t *pick = fgt_case_input(c, "pick");
    uint32_t first = (uint32_t)fgt_case_natural(fgt_case_input(c, "firstDependencyIndex"));
    bool is_bundled = fgt_case_real(fgt_case_input(c, "bundled")) != 0;
    uint32_t count = (uint32_t)json_array_size(segments);
    struct fg_link_place places[128];
    struct fg_link_line lines[64];
    struct fg_link_bundle bundles[64];
    if (count > 64) {
        return fgt_case_differs(c, "%u lines", count);
    }
    double left = fgt_case_real_at(viewport, 0), top = fgt_case_real_at(viewport, 1);
    double width = fgt_case_real_at(viewport, 2) - left;
    double height = fgt_case_real_at(viewport, 3) - top;
    struct fg_links_request request = { .start_ns = fgt_case_ns(left),
                                        .end_ns = fgt_case_ns(left + width),
                                        .width_px = (uint32_t)fgt_case_natural_at(pixels, 0),
                                        .top_y = case_y(top),
                                        .bottom_y = case_y(top + height),
                                        .places = places,
                                        .place_count = 2 * count };
    const struct fgi_hub_grid grid = fgi_hub_grid(&request);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *segment = json_array_get(segments, i);
        int32_t y[2] = { case_y(fgt_case_real_at(segment, 1)),
                         case_y(fgt_case_real_at(segment, 3)) };
        int64_t ns[2] = { fgt_case_ns(fgt_case_real_at(segment, 0)),
                          fgt_case_ns(fgt_case_real_at(segment, 2)) };
        places[2 * i] = (struct fg_link_place){ FG_VIEW_LANE, 0, y[0] };
        places[2 * i + 1] = (struct fg_link_place){ FG_VIEW_LANE, 0, y[1] };
        lines[i] = (struct fg_link_line){ .link = first + i,
                                          .source_place = 2 * i,
                                          .target_place = 2 * i + 1,
                                          .from_ns = ns[0],
                                          .to_ns = ns[1],
                                          .bundle = is_bundled ? i : FG_NONE };
        bundles[i] = (struct fg_link_bundle){ fgi_hub_ns(&grid, ns[0]), fgi_hub_ns(&grid, ns[1]),
                                              fgi_hub_y(&grid, y[0]), fgi_hub_y(&grid, y[1]), 1 };
    }
    const struct fg_links_reply reply = {
        .lines = lines, .line_count = count, .bundles = bundles, .bundle_count = count
    };
    double px_per_unit = fgt_case_real_at(pixels, 0) / width;
    double px_per_lane = fgt_case_real_at(pixels, 1) / height;
    uint32_t line, sixteenths;
    const struct fg_links_pointer pointer = {
        .x_px = (fgt_case_real_at(pick, 0) - left) * px_per_unit,
        .y_px = (fgt_case_real_at(pick, 1) - top) * px_per_lane,
        .px_per_y = px_per_lane / 256,
        .tolerance_px = fgt_case_real(fgt_case_input(c, "tolerancePixels")),
    };
    fg_links_pick(&request, &reply, &pointer, &line, &sixteenths);
    const json_t *index = fgt_case_expected(c, "index");
    if (json_is_null(index)) {
        return line == FG_NONE || fgt_case_differs(c, "line %u is hit", line);
    }
    if (line == FG_NONE) {
        return fgt_case_differs(c, "nothing is hit");
    }
    uint32_t rank = (sixteenths < 127 ? sixteenths : 127) << 25 | (lines[line].link & 0x1ffffff);
    return (lines[line].link == fgt_case_natural(index) &&
            sixteenths == fgt_case_natural(fgt_case_expected(c, "distanceBucket")) &&
            rank == fgt_case_natural(fgt_case_expected(c, "rank"))) ||
           fgt_case_differs(c, "line %u at %u sixteenths", line, sixteenths);
}

static const struct fgt_case_operation operations[] = {
    { "stable-hash", try_hash },
    { "dependency-budget", try_admission },
    { "dependency-display-budget", try_display_budget },
    { "dependency-bundling", try_bundling },
    { "dependency-pick", try_pick },
    { NULL, NULL },
};
static const struct fgt_case_yield yields[] = {
    { NULL, NULL, NULL },
};
const struct fgt_case_part fgt_cases_links = { "links", operations, yields };
