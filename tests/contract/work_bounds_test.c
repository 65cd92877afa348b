/* SPDX-License-Identifier: MIT */
/*
 * What questions look at, by counting, in a trace and in one of sixteen times its size: a window
 * costs what it shows, a selection its rows, a slice its dependencies. Views without wide spans,
 * minimaps and picks are counted in view_visits_test.c, lines, focus and paths in graph_limits.c.
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/scores.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include <frameglass/trace_anomaly.h>
#include <frameglass/trace_path.h>

enum { LANES = 16, STEP_NS = 100, WIDTH_PX = 400, WIDE = 8, DEGREE = 2, FRAMES = 10 };
enum { SEARCH_STEPS = 20 }; /* of one search in a lane: more than log2 of the larger size */
static const uint32_t sizes[] = { 1000, 16000 }; /* spans of a lane */

struct grown {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
    uint32_t rows, per_lane;
    int64_t end_ns;
    struct fg_view_target targets[LANES];
    struct fg_visits visits; /* of the last question */
};

/*
 * Spans in each lane by eights: so many every 100 ns, then as long a pause; in the last lane one
 * long span, then the others. Each waited for the two before it.
 */
static void grow(struct grown *g, uint32_t per_lane)
{
    struct fgi_builder *b = NULL;
    *g = (struct grown){ .rows = per_lane * LANES, .per_lane = per_lane };
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
        g->targets[lane] = (struct fg_view_target){ FG_VIEW_TRACK, FG_VIEW_NONE, lane };
    }
    for (uint32_t i = 0; i < FRAMES; i++) {
        (void)fgi_builder_frame(b, &(struct fg_trace_frame){ .id = i, .topology = FG_NONE }, NULL,
                                0);
    }
    const uint32_t between = per_lane / WIDE;
    g->end_ns = (int64_t)(per_lane + WIDE * between) * STEP_NS;
    for (uint32_t i = 0; i < g->rows; i++) {
        uint32_t at = i / LANES, lane = i % LANES;
        bool is_wide = lane == LANES - 1 && at % between == 0;
        int64_t start = (int64_t)(at + at / between * between) * STEP_NS;
        start += lane == LANES - 1 && !is_wide ? (int64_t)between * STEP_NS : 0;
        int64_t length = is_wide ? (int64_t)between * STEP_NS : 1 + (int64_t)(i * 7919u % 97u);
        struct fgi_span_in span = fgi_span_in_make(lane, 0, start, start + length);
        span.frame = at % FRAMES;
        (void)fgi_builder_span(b, &span);
        for (uint32_t k = 1; k <= DEGREE && k <= i; k++) {
            fgi_builder_dependency(b, &(struct fg_trace_dependency){ i - k, i, 0, 0 });
        }
    }
    assert_int_equal(fgi_builder_finish(b, &g->trace), FG_OK);
    fgi_builder_destroy(b);
    assert_int_equal(fgi_engine_cpu_create(NULL, g->trace, &g->engine), FG_OK);
    assert_int_equal(fg_query_create(g->engine, NULL, NULL, NULL, &g->query), FG_OK);
}

static void ungrow(struct grown *g)
{
    fg_query_destroy(g->query);
    fgi_engine_destroy(g->engine);
    fgi_trace_destroy(g->trace);
}

static void done(struct grown *g, enum fg_result result)
{
    assert_int_equal(result, FG_OK);
    fg_query_visits(g->query, &g->visits);
    fg_query_reset(g->query);
}

/* ---- what follows the window or the row ------------------------------------------------------ */

static void look_at_slice(struct grown *g)
{
    struct fg_slice_reply reply;
    const struct fg_slice_request request = { .row = g->rows / 2,
                                              .direction = FG_SLICE_BOTH,
                                              .max_hops = 20 };
    enum fg_result result = fg_query_slice(g->query, &request, &reply);
    uint32_t count = reply.count;
    done(g, result);
    assert_int_equal(count, 1 + 2 * 20 * DEGREE);
    /* Of each row that was gone through the dependencies of one direction, and their ends. */
    assert_true(g->visits.dependencies <= (uint64_t)(count + 1) * DEGREE);
    assert_true(g->visits.spans <= g->visits.dependencies + 1);
}

static void look_at_wide_spans(struct grown *g)
{
    struct fg_view_reply reply;
    const struct fg_view_request request = {
        .end_ns = g->end_ns, .width_px = WIDTH_PX, .targets = g->targets, .target_count = LANES
    };
    enum fg_result result = fg_query_view(g->query, &request, &reply);
    assert_int_equal(reply.span_count, WIDE);
    for (uint32_t i = 0; i < WIDE; i++) {
        assert_true(reply.spans[i].end_ns - reply.spans[i].start_ns ==
                    g->per_lane / WIDE * STEP_NS);
    }
    done(g, result);
    assert_true(g->visits.bins + g->visits.spans <= 4 * 2 * (WIDTH_PX + 1) * LANES);
}

static void look_at_density(struct grown *g)
{
    struct fg_view_reply reply;
    const struct fg_view_target process = { FG_VIEW_PROCESS, FG_VIEW_NONE, 0 };
    const struct fg_view_request request = { .end_ns = g->end_ns,
                                             .width_px = WIDTH_PX,
                                             .targets = &process,
                                             .target_count = 1,
                                             .detail = FG_DETAIL_DENSITY };
    enum fg_result result = fg_query_view(g->query, &request, &reply);
    done(g, result);
    assert_true(g->visits.bins + g->visits.spans <= 4 * 2 * (WIDTH_PX + 1));
}

static uint32_t keep_scores(struct grown *g)
{
    struct fg_anomaly_reply reply;
    const struct fg_anomaly_request request = { .by = FG_AGGREGATE_NAME,
                                                .baseline_query = g->query,
                                                .keep = true };
    enum fg_result result = fg_query_anomalies(g->query, &request, &reply);
    uint32_t scores = reply.scores;
    done(g, result);
    return scores;
}

static void look_at_tints(struct grown *g)
{
    struct fg_tints_reply reply;
    const struct fg_tints_request request = { .scores = keep_scores(g),
                                              .end_ns = g->end_ns,
                                              .width_px = WIDTH_PX,
                                              .targets = g->targets,
                                              .target_count = LANES };
    enum fg_result result = fg_query_tints(g->query, &request, &reply);
    uint64_t cells = (uint64_t)reply.bin_count * LANES;
    done(g, result);
    /* At each end of a cell the rows that are no whole group of the stored maxima. */
    assert_true(g->visits.spans <= cells * 2 * FGI_SCORE_FAN);
    assert_true(g->visits.steps <= (cells + LANES) * 2 * SEARCH_STEPS);
    assert_int_equal(fg_query_scores_destroy(g->query, request.scores), FG_OK);
}

/* ---- what follows the selected rows ---------------------------------------------------------- */

static const uint32_t second = 1;

static void look_at_groups_of_a_track(struct grown *g)
{
    struct fg_aggregate_reply reply;
    const struct fg_aggregate_request request = {
        .selection = { .tracks = &second, .track_count = 1 },
        .by = FG_AGGREGATE_FRAME,
        .figures = FG_FIGURES_PERCENTILES,
    };
    done(g, fg_query_aggregate(g->query, &request, &reply));
    /* Once to count, once more for what percentiles sort. */
    assert_in_range(g->visits.spans, g->per_lane, 2 * g->per_lane);
}

static void look_at_statistics_of_a_track(struct grown *g)
{
    struct fg_stats_reply reply;
    const struct fg_stats_request request = { .tracks = &second, .track_count = 1 };
    done(g, fg_query_stats(g->query, &request, &reply));
    assert_in_range(g->visits.spans, g->per_lane, 2 * g->per_lane);
}

static void look_at_what_is_unusual_in_a_track(struct grown *g)
{
    struct fg_anomaly_reply reply;
    const struct fg_selection track = { .tracks = &second, .track_count = 1 };
    const struct fg_anomaly_request request = { .selection = track,
                                                .by = FG_AGGREGATE_FRAME,
                                                .baseline_query = g->query,
                                                .baseline_selection = track };
    done(g, fg_query_anomalies(g->query, &request, &reply));
    /* Twice for the baselines and their deviations, once for the scores. */
    assert_in_range(g->visits.spans, g->per_lane, 3 * g->per_lane);
}

static void look_at_groups_compared(struct grown *g)
{
    struct fg_groups_reply reply;
    const struct fg_group_side side = { g->query, { .tracks = &second, .track_count = 1 } };
    const struct fg_groups_request request = { .sides = { side, side }, .by = FG_AGGREGATE_FRAME };
    done(g, fg_score_groups(&request, &reply));
    assert_in_range(g->visits.spans, g->per_lane, 2 * g->per_lane); /* once of either side */
}

/* ---------------------------------------------------------------------------------------------- */

static void every_question_looks_at_no_more_than_it_may(void **state)
{
    static void (*const looks[])(struct grown * g) = {
        look_at_slice,
        look_at_wide_spans,
        look_at_density,
        look_at_tints,
        look_at_groups_of_a_track,
        look_at_statistics_of_a_track,
        look_at_what_is_unusual_in_a_track,
        look_at_groups_compared,
    };
    (void)state;
    for (size_t size = 0; size < 2; size++) {
        struct grown g;
        grow(&g, sizes[size]);
        for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
            looks[i](&g); /* makes what is made once */
            looks[i](&g);
        }
        ungrow(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_question_looks_at_no_more_than_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
