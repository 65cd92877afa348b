/* SPDX-License-Identifier: MIT */
/*
 * What questions about dependencies look at, by counting, and what they do when memory is refused.
 */
#include "graph_limits.h"
#include "support/cmocka_all.h"
#include "support/failing_memory.h"
#include <frameglass/trace_path.h>

enum { LANES = 8 };

struct grown {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
};

/* `rows` spans of 8 tracks, one after the other, each dependency a few rows long. */
static void grow(struct grown *g, uint32_t rows)
{
    struct fgi_builder *b = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    for (uint32_t i = 0; i < LANES; i++) {
        (void)fgi_builder_track(
            b, &(struct fg_trace_track){ .process = FG_NONE, .kind = FG_TRACK_THREAD }, false);
    }
    for (uint32_t i = 0; i < rows; i++) {
        struct fgi_span_in span =
            fgi_span_in_make(i % LANES, 0, (int64_t)i * 10, (int64_t)i * 10 + 70);
        (void)fgi_builder_span(b, &span);
        if (i > 40) {
            fgi_builder_dependency(b, &(struct fg_trace_dependency){ i - 9 - i % 30, i, 0, 0 });
        }
    }
    assert_int_equal(fgi_builder_finish(b, &g->trace), FG_OK);
    fgi_builder_destroy(b);
    assert_int_equal(contract_engines[0].create(NULL, g->trace, &g->engine), FG_OK);
    assert_int_equal(fg_query_create(g->engine, NULL, NULL, NULL, &g->query), FG_OK);
}

static void ungrow(struct grown *g)
{
    fg_query_destroy(g->query);
    fgi_engine_destroy(g->engine);
    fgi_trace_destroy(g->trace);
}

static uint64_t look(struct grown *g, int64_t start, int64_t length, uint32_t *out_budget)
{
    struct fg_link_place places[LANES];
    struct fg_links_reply reply;
    struct fg_visits visits;
    for (uint32_t i = 0; i < LANES; i++) {
        places[i] = (struct fg_link_place){ FG_VIEW_LANE, i, (int32_t)i * 10 };
    }
    struct fg_links_request request = { .start_ns = start,
                                        .end_ns = start + length,
                                        .width_px = 1000,
                                        .bottom_y = 80,
                                        .places = places,
                                        .place_count = LANES };
    fg_query_reset(g->query);
    assert_int_equal(fg_query_links(g->query, &request, &reply), FG_OK);
    fg_query_visits(g->query, &visits);
    *out_budget = reply.budget;
    return visits.dependencies;
}

void graph_work_follows_the_view_and_not_the_trace(void **state)
{
    static const uint32_t sizes[] = { 4000, 100000 };
    uint64_t visited[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct grown g;
        struct fg_visits visits;
        struct fg_focus_reply focus;
        uint32_t middle = sizes[i] / 2;
        uint32_t budget;
        grow(&g, sizes[i]);
        (void)look(&g, 0, 100, &budget); /* makes the index */
        visited[i] = look(&g, (int64_t)middle * 10, 800, &budget);
        /* Three cells, and each no more than it may look at. */
        assert_true(visited[i] <= 3 * (budget + (uint64_t)FGI_LINK_LOOKS));
        (void)look(&g, 0, (int64_t)sizes[i] * 10, &budget);
        assert_true(look(&g, 0, (int64_t)sizes[i] * 10, &budget) <=
                    3 * (budget + (uint64_t)FGI_LINK_LOOKS));
        fg_query_reset(g.query);
        struct fg_focus_request request = { .seeds = &middle, .seed_count = 1, .hops = 3 };
        assert_int_equal(fg_query_focus(g.query, &request, &focus), FG_OK);
        fg_query_visits(g.query, &visits);
        uint64_t expanded = 0;
        for (uint32_t h = 0; h < focus.hop_count; h++) {
            expanded += focus.hops[h].expanded;
        }
        assert_true(visits.spans == expanded && visits.spans < 100);
        fg_query_reset(g.query);
        struct fg_path_reply path;
        assert_int_equal(fg_query_path(g.query, &(struct fg_path_request){ 0 }, &path), FG_OK);
        fg_query_visits(g.query, &visits);
        assert_true(visits.spans <= sizes[i] + 18 * (uint64_t)path.chain_count);
        ungrow(&g);
    }
    assert_true(visited[1] <= visited[0] * 6 / 5 + 1);
}

static enum fg_result ask_all(struct fg_query *query)
{
    static const uint32_t seed = 50;
    struct fg_focus_reply focus;
    struct fg_project_reply project;
    struct fg_slice_reply slice;
    struct fg_path_reply path;
    struct fg_links_reply links;
    const struct fg_layout_item *items;
    uint32_t count, lines;
    const struct fg_link_place places[] = { { FG_VIEW_LANE, 0, 0 }, { FG_VIEW_TRACK, 1, 20 } };
    const struct fg_links_request request = { .start_ns = 0,
                                              .end_ns = 2000,
                                              .width_px = 100,
                                              .bottom_y = 100,
                                              .places = places,
                                              .place_count = 2,
                                              .bundling = FG_BUNDLE_ALWAYS,
                                              .rows = &seed,
                                              .row_count = 1 };
    enum fg_result result = fg_query_focus(
        query, &(struct fg_focus_request){ .seeds = &seed, .seed_count = 1, .hops = 3 }, &focus);
    if (result == FG_OK) {
        result =
            fg_query_project(query, &(struct fg_project_request){ .mask = focus.mask }, &project);
    }
    if (result == FG_OK) {
        result = fg_query_slice(query, &(struct fg_slice_request){ .row = seed }, &slice);
    }
    for (uint32_t by = 0; by < 4 && result == FG_OK; by++) {
        result = fg_query_path(query,
                               &(struct fg_path_request){
                                   .by = by % 2, .has_row = by / 2, .row = seed, .figures = 63 },
                               &path);
    }
    if (result == FG_OK) {
        result = fg_query_links(query, &request, &links);
    }
    return result == FG_OK ? fg_query_layout(query, NULL, &items, &count, &lines) : result;
}

void graph_questions_leave_nothing_when_memory_is_refused(void **state)
{
    struct grown g;
    (void)state;
    grow(&g, 120);
    bool is_done = false;
    for (long n = 0; !is_done; n++) {
        struct failing failing = { .countdown = n };
        const struct fg_allocator allocator = failing_allocator(&failing);
        struct fg_engine *engine = NULL;
        struct fg_query *query = NULL;
        assert_true(n < 2000);
        enum fg_result result = contract_engines[0].create(&allocator, g.trace, &engine);
        if (result == FG_OK) {
            result = fg_query_create(engine, &allocator, NULL, NULL, &query);
        }
        if (result == FG_OK) {
            result = ask_all(query);
        }
        is_done = result == FG_OK && !failing.refused;
        /* Some things are done another way when there is no memory for the quick one. */
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
        fg_query_destroy(query);
        fgi_engine_destroy(engine);
        assert_int_equal(failing.alive, 0);
    }
    ungrow(&g);
}
