/* SPDX-License-Identifier: MIT */
/* What views, minimaps and picks look at, by counting: it follows the screen, not the trace. */
#include "cmocka_all.h"
#include "engine/cpu/engine_cpu.h"
#include "trace/build.h"
#include <frameglass/trace_find.h>
#include <frameglass/trace_minimap.h>
#include <string.h>

enum { LANES = 6, STEP_NS = 100, WIDTH_PX = 400, BINS_MAX = 4096 };

struct grown {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
    int64_t end_ns;
    struct fg_view_target targets[LANES];
};

/* So many spans in each lane, one every 100 ns, of 1 to 97 ns: few are equally long. */
static void grow(struct grown *g, uint32_t spans_per_lane)
{
    struct fgi_builder *b = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
        g->targets[lane] = (struct fg_view_target){ FG_VIEW_LANE, FG_VIEW_NONE, lane };
    }
    for (uint32_t i = 0; i < spans_per_lane * LANES; i++) {
        int64_t start = (int64_t)(i / LANES) * STEP_NS;
        struct fgi_span_in span =
            fgi_span_in_make(i % LANES, 0, start, start + 1 + (int64_t)(i * 7919u % 97u));
        (void)fgi_builder_span(b, &span);
    }
    g->end_ns = (int64_t)spans_per_lane * STEP_NS;
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

/* The reply is lent until the next look. */
static struct fg_visits look(struct grown *g, int64_t start, int64_t end, uint8_t detail,
                             struct fg_view_reply *out_reply)
{
    struct fg_visits visits;
    const struct fg_view_request request = { .start_ns = start,
                                             .end_ns = end,
                                             .width_px = WIDTH_PX,
                                             .targets = g->targets,
                                             .target_count = LANES,
                                             .detail = detail };
    fg_query_reset(g->query);
    assert_int_equal(fg_query_view(g->query, &request, out_reply), FG_OK);
    fg_query_visits(g->query, &visits);
    assert_int_equal(visits.control_bytes, sizeof request + sizeof g->targets);
    return visits;
}

static const uint32_t sizes[] = { 4000, 64000 };
enum { SEARCH_STEPS = 20 }; /* of one search in a lane: more than log2 of the larger size */

static void an_exact_view_reads_the_spans_of_its_window_and_a_few_more(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct grown g;
        struct fg_view_reply reply;
        grow(&g, sizes[i]);
        for (int64_t spans = 1; spans <= 1000; spans *= 10) {
            int64_t start = g.end_ns / 2;
            struct fg_visits visits =
                look(&g, start, start + spans * STEP_NS, FG_DETAIL_EXACT, &reply);
            assert_int_equal(reply.span_count, spans * LANES);
            assert_int_equal(reply.bins_count, 0);
            /* Once to put them in order, and once to describe them. */
            assert_in_range(visits.spans, reply.span_count, 2 * reply.span_count + 4 * LANES);
            /* Begin and end of the window, among bins and among rows. */
            assert_true(visits.steps <= 4 * LANES * SEARCH_STEPS);
        }
        ungrow(&g);
    }
}

static void a_coarse_view_looks_at_a_few_bins_for_each_pixel_and_lane(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct grown g;
        struct fg_view_reply reply;
        grow(&g, sizes[i]);
        /* From all of it to where bins and spans take turns. */
        for (int64_t length = g.end_ns; length / STEP_NS > WIDTH_PX; length /= 3) {
            int64_t start = (g.end_ns - length) / 2;
            struct fg_visits visits = look(&g, start, start + length, FG_DETAIL_AUTO, &reply);
            assert_int_equal(reply.span_count, 0);
            assert_true(reply.bins_count > 0);
            assert_true(reply.bins_count <= 2 * (WIDTH_PX + 1) * LANES);
            /* A bin is of two stored ones, or where none are of the few spans that start in it. */
            assert_true(visits.bins + visits.spans <= 4 * 2 * (WIDTH_PX + 1) * LANES);
            assert_true(visits.steps <= 4 * LANES * SEARCH_STEPS + reply.bins_count);
        }
        ungrow(&g);
    }
}

/* The most of all zooms and places. */
struct worst {
    uint64_t cells; /* of the answer */
    uint64_t lines; /* of 64 bytes, at most: bins lie side by side, a span's columns apart */
};

static struct worst look_everywhere(struct grown *g)
{
    struct worst worst = { 0 };
    for (int64_t length = g->end_ns; length > 10 * STEP_NS; length -= length / 5) {
        for (int64_t part = 0; part < 3; part++) {
            struct fg_view_reply reply;
            int64_t start = (g->end_ns - length) / 2 * part;
            struct fg_visits visits = look(g, start, start + length, FG_DETAIL_AUTO, &reply);
            uint64_t cells = (uint64_t)reply.bins_count + reply.span_count;
            uint64_t lines = visits.bins * 24 / 64 + visits.spans * 3 + visits.steps;
            worst.cells = cells > worst.cells ? cells : worst.cells;
            worst.lines = lines > worst.lines ? lines : worst.lines;
        }
    }
    return worst;
}

static void the_worst_view_of_25_times_the_trace_looks_at_a_fifth_more_at_most(void **state)
{
    struct worst worst[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct grown g;
        grow(&g, i == 0 ? 4000 : 25 * 4000);
        worst[i] = look_everywhere(&g);
        ungrow(&g);
    }
    assert_true(worst[1].cells * 5 <= worst[0].cells * 6);
    assert_true(worst[1].lines * 5 <= worst[0].lines * 6);
}

/* By index less the first: every bin of a lane, runs written out. */
static void spread(const struct fg_view_reply *reply, uint32_t lane, int64_t first,
                   struct fg_view_bins *bins)
{
    const struct fg_view_answer *answer = &reply->answers[lane];
    memset(bins, 0, BINS_MAX * sizeof *bins);
    for (uint32_t i = 0; i < answer->bins_count; i++) {
        struct fg_view_bins bin = reply->bins[answer->first_bins + i];
        for (uint32_t count = bin.count; count > 0; count--, bin.first++) {
            assert_in_range(bin.first - first, 0, BINS_MAX - 1);
            bins[bin.first - first] = bin;
            bins[bin.first - first].count = 1;
        }
    }
}

static void panning_never_changes_a_bin(void **state)
{
    static struct fg_view_bins before[BINS_MAX], after[BINS_MAX];
    struct grown g;
    struct fg_view_reply reply;
    (void)state;
    grow(&g, sizes[0]);
    const int64_t start = g.end_ns / 4, length = g.end_ns / 2;
    (void)look(&g, start, start + length, FG_DETAIL_REPRESENTATIVE, &reply);
    const unsigned level = reply.level;
    const int64_t first = (start >> level) - 1;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        (void)look(&g, start, start + length, FG_DETAIL_REPRESENTATIVE, &reply);
        spread(&reply, lane, first, before);
        for (int64_t by = 1; by < length / 2; by = 3 * by + 1) {
            (void)look(&g, start + by, start + by + length, FG_DETAIL_REPRESENTATIVE, &reply);
            assert_int_equal(reply.level, level);
            spread(&reply, lane, first, after);
            /* Bins that both windows hold wholly, and those at their edges as well. */
            int64_t from = ((start + by) >> level) - first;
            int64_t to = ((start + length - 1) >> level) - first;
            assert_true(to - from > WIDTH_PX / 4);
            assert_memory_equal(&before[from], &after[from],
                                (size_t)(to - from + 1) * sizeof *before);
        }
    }
    ungrow(&g);
}

static void a_minimap_looks_at_no_span(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct grown g;
        struct fg_minimap_reply reply;
        struct fg_visits visits;
        const struct fg_minimap_request request = { .kind = FG_VIEW_PROCESS };
        grow(&g, sizes[i]);
        assert_int_equal(fg_query_minimap(g.query, &request, &reply), FG_OK);
        fg_query_reset(g.query);
        assert_int_equal(fg_query_minimap(g.query, &request, &reply), FG_OK);
        fg_query_visits(g.query, &visits);
        assert_int_equal(visits.spans, 0);
        assert_true(visits.bins <= 512 * LANES);
        ungrow(&g);
    }
}

static void a_pick_reads_the_neighbours_of_its_time(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct grown g;
        struct fg_visits visits;
        uint32_t row = 0;
        grow(&g, sizes[i]);
        const struct fg_pick_request request = { .target = { FG_VIEW_PROCESS, FG_VIEW_NONE, 0 },
                                                 .time_ns = g.end_ns / 2 };
        fg_query_reset(g.query);
        assert_int_equal(fg_query_pick(g.query, &request, &row), FG_OK);
        assert_true(row != FG_NONE);
        fg_query_visits(g.query, &visits);
        assert_in_range(visits.spans, 1, 4 * LANES);
        assert_in_range(visits.steps, LANES, 2 * LANES * SEARCH_STEPS);
        ungrow(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_view_reads_the_spans_of_its_window_and_a_few_more),
        cmocka_unit_test(a_coarse_view_looks_at_a_few_bins_for_each_pixel_and_lane),
        cmocka_unit_test(the_worst_view_of_25_times_the_trace_looks_at_a_fifth_more_at_most),
        cmocka_unit_test(panning_never_changes_a_bin),
        cmocka_unit_test(a_minimap_looks_at_no_span),
        cmocka_unit_test(a_pick_reads_the_neighbours_of_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
