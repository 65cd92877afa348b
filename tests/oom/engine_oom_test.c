/* SPDX-License-Identifier: MIT */
/*
 * Making a trace and asking an engine while allocation number 0, 1, 2... fails: no crash, no leak.
 */
#include "engine/cpu/engine_cpu.h"
#include "trace/build.h"
#include <frameglass/trace_anomaly.h>
#include <frameglass/trace_compare.h>
#include <frameglass/trace_minimap.h>
#include <frameglass/trace_path.h>

#include "cmocka_all.h"
#include "failing_memory.h"

enum { SPANS = 60 }; /* of the trace, and as many recorded dependencies */

static enum fg_result make_trace(const struct fg_allocator *allocator, struct fg_trace **out_trace)
{
    struct fgi_builder *b = NULL;
    enum fg_result result = fgi_builder_create(allocator, 0, &b);
    if (result != FG_OK) {
        return result;
    }
    uint32_t name = fgi_builder_cstr(b, "a name");
    uint32_t reads[] = { 0 };
    struct fg_topology_pass passes[2] = { { .name = name, .writes = reads, .write_count = 1 },
                                          { .name = name, .reads = reads, .read_count = 1 } };
    for (uint32_t i = 0; i < 2; i++) {
        passes[i].pass = fgi_builder_pass(b, name, 0, i);
    }
    struct fg_topology_resource resources[1] = { { .name = name, .footprint_bytes = 64 } };
    struct fg_topology topology = {
        .passes = passes, .pass_count = 2, .resources = resources, .resource_count = 1
    };
    struct fg_frame_pass states[2] = { { .is_known = true }, { .culled = true } };
    struct fg_trace_frame frame = { .id = 7, .topology = 0, .cpu_end_ns = 50 };
    struct fg_trace_arg arg = { .key = name, .kind = FG_ARG_UINT };
    (void)fgi_builder_process(b, name, 1);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .name = name });
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .name = name }, false);
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .name = name }, true);
    (void)fgi_builder_topology(b, &topology);
    (void)fgi_builder_frame(b, &frame, states, 2);
    for (uint32_t i = 0; i < SPANS; i++) {
        struct fgi_span_in span = fgi_span_in_make(i % 2, name, (i * 37) % 50, (i * 37) % 50 + i);
        span.depth = i % 3;
        span.frame = 0;
        span.args = &arg;
        span.arg_count = 1;
        span.classes = FG_CLASS_GPU_PASS;
        span.pass = passes[i % 2].pass;
        span.logical = i < 2 ? FGI_FIND : i - 2;
        span.open_end = i == 40;
        span.status = i == 40 ? FG_SPAN_UNFINISHED : FG_SPAN_COMPLETE;
        (void)fgi_builder_span(b, &span);
        fgi_builder_dependency(b, &(struct fg_trace_dependency){ SPANS - 1 - i, i, 0, 0 });
    }
    struct fg_trace_counter counter = { .name = name };
    uint32_t index = fgi_builder_counter(b, &counter);
    for (int64_t i = 0; i < 20 && index != FG_NONE; i++) {
        fgi_builder_sample(b, index, &(struct fg_trace_sample){ .time_ns = 20 - i });
    }
    (void)fgi_builder_instant(b, &(struct fg_trace_instant){ .time_ns = 9, .is_note = true });
    (void)fgi_builder_instant(b, &(struct fg_trace_instant){ .time_ns = 3, .is_note = true });
    fgi_builder_stack(b, 3, 0, 1, &name, 1);
    fgi_builder_meta(b, name, name);
    result = fgi_builder_finish(b, out_trace);
    fgi_builder_destroy(b);
    return result;
}

static enum fg_result ask(struct fg_query *query)
{
    struct fg_view_target targets[] = { { FG_VIEW_LANE, FG_VIEW_NONE, 0 },
                                        { FG_VIEW_TRACK, FG_VIEW_NONE, 1 },
                                        { FG_VIEW_PROCESS, FG_VIEW_NONE, 0 } };
    uint32_t filter = 0, rows = 0, counter = 0;
    struct fg_view_reply view;
    struct fg_stats_reply stats;
    struct fg_span_detail detail;
    struct fg_search_reply search;
    struct fg_counters_reply counters;
    struct fg_marks_reply marks;
    enum fg_result result = fg_query_filter_create(
        query, &(struct fg_filter_terms){ .text = "NAME", .tracks = &counter, .track_count = 1 },
        &filter, &rows);
    for (uint32_t i = 0; i < 2 && result == FG_OK; i++) {
        struct fg_view_request request = { .start_ns = -10,
                                           .end_ns = 120,
                                           .width_px = 10,
                                           .filter = i * filter,
                                           .targets = targets,
                                           .target_count = 3,
                                           .wide_px = 4 };
        result = fg_query_view(query, &request, &view);
    }
    if (result == FG_OK) {
        result = fg_query_stats(query, &(struct fg_stats_request){ .filter = filter }, &stats);
    }
    if (result == FG_OK) {
        result = fg_query_span(query, 4, &detail);
    }
    if (result == FG_OK) {
        result = fg_query_search(query, &(struct fg_search_request){ .text = "a" }, &search);
    }
    if (result == FG_OK) {
        struct fg_counters_request request = {
            .start_ns = 0, .end_ns = 50, .width_px = 5, .counters = &counter, .counter_count = 1
        };
        result = fg_query_counters(query, &request, &counters);
    }
    return result == FG_OK ? fg_query_marks(query, &(struct fg_marks_request){ 0 }, &marks)
                           : result;
}

/* Numbers over many spans: every figure that takes memory. */
static enum fg_result ask_for_numbers(struct fg_query *query)
{
    static const uint64_t edges[] = { 0, 10, 30, 100 };
    struct fg_aggregate_request groups = { 0 };
    struct fg_histogram_request bins = { .measure = FG_MEASURE_SELF };
    struct fg_aggregate_reply aggregate;
    struct fg_histogram_reply histogram;
    struct fg_buckets_reply buckets;
    struct fg_minimap_reply minimap;
    enum fg_result result = FG_OK;
    for (groups.by = 0; groups.by < FG_AGGREGATE_BY_COUNT && result == FG_OK; groups.by++) {
        bool is_listed = groups.by == FG_AGGREGATE_TRACK || groups.by == FG_AGGREGATE_FRAME;
        groups.figures = FG_FIGURES_PERCENTILES | FG_FIGURES_DEVIATION;
        groups.figures |= is_listed ? FG_FIGURES_EMPTY : 0;
        result = fg_query_aggregate(query, &groups, &aggregate);
    }
    for (bins.scale = 0; bins.scale < 3 && result == FG_OK; bins.scale++) {
        bins.edges = bins.scale == FG_HISTOGRAM_EDGES ? edges : NULL;
        bins.edge_count = bins.scale == FG_HISTOGRAM_EDGES ? 4 : 0;
        result = fg_query_histogram(query, &bins, &histogram);
    }
    if (result == FG_OK) {
        result = fg_query_buckets(query, &(struct fg_buckets_request){ .count = 7 }, &buckets);
    }
    return result == FG_OK
               ? fg_query_minimap(query, &(struct fg_minimap_request){ .kind = FG_VIEW_TRACK },
                                  &minimap)
               : result;
}

/* Scores, which an engine keeps, and what they tint. */
static enum fg_result ask_for_scores(struct fg_query *query)
{
    struct fg_anomaly_request request = { .by = FG_AGGREGATE_NAME,
                                          .baseline_query = query,
                                          .keep = true };
    const struct fg_view_target targets[] = { { FG_VIEW_LANE, FG_VIEW_NONE, 0 },
                                              { FG_VIEW_PROCESS, FG_VIEW_NONE, 0 } };
    struct fg_anomaly_reply anomalies;
    struct fg_tints_reply tints;
    enum fg_result result = fg_query_anomalies(query, &request, &anomalies);
    if (result != FG_OK) {
        return result;
    }
    uint32_t scores = anomalies.scores;
    struct fg_tints_request window = {
        .scores = scores, .end_ns = 100, .width_px = 10, .targets = targets, .target_count = 2
    };
    result = fg_query_tints(query, &window, &tints);
    (void)fg_query_scores_destroy(query, scores);
    return result;
}

/* To its end in the smallest steps; what was begun ends with it. */
static enum fg_result run_to_end(enum fg_result result, struct fg_task *task)
{
    struct fg_task_progress progress = { 0 };
    while (result == FG_OK && !progress.is_done) {
        result = fg_task_step(task, 1, &progress);
    }
    fg_task_destroy(task);
    return result;
}

static enum fg_result ask_in_steps(struct fg_query *query)
{
    const struct fg_filter_terms terms = { .short_child_ns = 5, .similar_parent_percent = 20 };
    const struct fg_path_request longest = { .by = FG_PATH_BY_PARENTS };
    const struct fg_profile_request profile = { 0 };
    struct fg_task *task = NULL;
    enum fg_result result = fg_task_filter(query, &terms, FG_TASK_NORMAL, &task);
    result = run_to_end(result, task);
    if (result == FG_OK) {
        task = NULL;
        result = fg_task_path(query, &longest, FG_TASK_INTERACTIVE, &task);
        result = run_to_end(result, task);
    }
    if (result == FG_OK) {
        task = NULL;
        result = fg_task_profile(query, &profile, FG_TASK_BACKGROUND, &task);
        result = run_to_end(result, task);
    }
    return result;
}

/* ---- groups and dependencies ----------------------------------------------------------------- */

static enum fg_result ask_for_dependencies(struct fg_query *query)
{
    struct fg_trace_dependency dependency;
    struct fg_path_reply path;
    struct fg_slice_reply slice;
    struct fg_focus_reply focus;
    const uint32_t seed = 4;
    /* The first that follows from the frame's graph stands behind the recorded ones. */
    enum fg_result result = fg_query_dependency(query, SPANS, &dependency);
    if (result == FG_OK) {
        assert_int_equal(dependency.family, FG_DEPENDENCY_GRAPH);
        result = fg_query_path(
            query,
            &(struct fg_path_request){ .families = FG_FAMILY(FG_DEPENDENCY_GRAPH), .figures = 63 },
            &path);
    }
    if (result == FG_OK) {
        result = fg_query_slice(
            query, &(struct fg_slice_request){ .row = seed, .direction = FG_SLICE_BOTH }, &slice);
    }
    return result == FG_OK ? fg_query_focus(query,
                                            &(struct fg_focus_request){
                                                .seeds = &seed, .seed_count = 1, .hops = 9 },
                                            &focus)
                           : result;
}

static enum fg_result ask_for_groups(struct fg_query *query)
{
    const struct fg_groups_request request = { .sides = { { .query = query }, { .query = query } },
                                               .by = FG_AGGREGATE_TRACK };
    struct fg_groups_reply groups;
    return fg_score_groups(&request, &groups);
}

static enum fg_result begin_groups(struct fg_query *query, struct fg_task **out_task)
{
    const struct fg_groups_request request = { .sides = { { .query = query }, { .query = query } },
                                               .by = FG_AGGREGATE_NAME };
    return fg_task_groups(&request, FG_TASK_NORMAL, out_task);
}

static enum fg_result begin_stats(struct fg_query *query, struct fg_task **out_task)
{
    const uint32_t track = 1;
    const struct fg_stats_request request = { .tracks = &track, .track_count = 1 };
    return fg_task_stats(query, &request, FG_TASK_NORMAL, out_task);
}

static enum fg_result begin_links(struct fg_query *query, struct fg_task **out_task)
{
    static const struct fg_link_place places[] = { { FG_VIEW_TRACK, 0, 0 },
                                                   { FG_VIEW_TRACK, 1, 20 } };
    static const uint32_t row = 4;
    const struct fg_links_request request = { .end_ns = 120,
                                              .width_px = 100,
                                              .bottom_y = 100,
                                              .places = places,
                                              .place_count = 2,
                                              .rows = &row,
                                              .row_count = 1 };
    return fg_task_links(query, &request, FG_TASK_NORMAL, out_task);
}

static enum fg_result begin_focus(struct fg_query *query, struct fg_task **out_task)
{
    static const uint32_t seed = 4;
    const struct fg_focus_request request = { .seeds = &seed, .seed_count = 1, .hops = 9 };
    return fg_task_focus(query, &request, FG_TASK_NORMAL, out_task);
}

static enum fg_result begin_slice(struct fg_query *query, struct fg_task **out_task)
{
    const struct fg_slice_request request = { .row = 4, .direction = FG_SLICE_BOTH };
    return fg_task_slice(query, &request, FG_TASK_NORMAL, out_task);
}

/* By pass and by name: what is culled, what work there is, resources, counters. */
static enum fg_result begin_compare(struct fg_query *query, struct fg_task **out_task)
{
    const struct fg_compare_request request = { .sides = { { .query = query }, { .query = query } },
                                                .by = FG_STATS_BY_PASS };
    return fg_task_compare(&request, FG_TASK_NORMAL, out_task);
}

static enum fg_result compare_at_once(struct fg_query *query)
{
    const struct fg_compare_request request = { .sides = { { .query = query },
                                                           { query, true, 0, 0 } } };
    struct fg_compare_reply reply;
    return fg_compare(&request, &reply);
}

/* Each asked alone, of an engine that has answered nothing: at once, or begun as a task. */
static const struct {
    enum fg_result (*ask)(struct fg_query *query);
    enum fg_result (*begin)(struct fg_query *query, struct fg_task **out_task);
} questions[] = {
    { ask_for_dependencies, NULL }, { ask_for_groups, NULL }, { NULL, begin_groups },
    { NULL, begin_stats },          { NULL, begin_links },    { NULL, begin_focus },
    { NULL, begin_slice },          { NULL, begin_compare },  { compare_at_once, NULL },
};

static enum fg_result ask_one(struct fg_query *query, size_t question)
{
    struct fg_task *task = NULL;
    if (questions[question].ask) {
        return questions[question].ask(query);
    }
    enum fg_result result = questions[question].begin(query, &task);
    return run_to_end(result, task);
}

/* What was refused is asked for once more, of the same engine: nothing half made is in the way. */
static bool ask_while_memory_is_refused(struct fg_trace *trace, size_t question, long granted,
                                        bool stays)
{
    struct failing failing = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&failing);
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    assert_int_equal(fgi_engine_cpu_create(&allocator, trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, &allocator, NULL, NULL, &query), FG_OK);
    failing.countdown = granted;
    failing.stays = stays;
    enum fg_result result = ask_one(query, question);
    assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
    bool was_refused = failing.refused;
    failing = (struct failing){ .countdown = -1, .alive = failing.alive };
    assert_int_equal(ask_one(query, question), FG_OK);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    assert_int_equal(failing.alive, 0);
    return was_refused;
}

static void questions_about_groups_and_dependencies_can_be_asked_again_when_memory_was_refused(
    void **state)
{
    struct fg_trace *trace = NULL;
    (void)state;
    assert_int_equal(make_trace(NULL, &trace), FG_OK);
    for (size_t question = 0; question < sizeof questions / sizeof *questions; question++) {
        for (int stays = 0; stays < 2; stays++) {
            long granted = 0;
            while (ask_while_memory_is_refused(trace, question, granted, stays)) {
                granted++;
            }
            assert_true(granted > 1);
        }
    }
    fgi_trace_destroy(trace);
}

static enum fg_result ask_everything(struct fg_query *query)
{
    enum fg_result result = ask(query);
    result = result == FG_OK ? ask_for_numbers(query) : result;
    result = result == FG_OK ? ask_for_scores(query) : result;
    return result == FG_OK ? ask_in_steps(query) : result;
}

static enum fg_result make_and_ask(const struct fg_allocator *allocator)
{
    struct fg_trace *trace = NULL;
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    enum fg_result result = make_trace(allocator, &trace);
    if (result == FG_OK) {
        result = fgi_engine_cpu_create(allocator, trace, &engine);
    }
    if (result == FG_OK) {
        result = fg_query_create(engine, allocator, NULL, NULL, &query);
    }
    if (result == FG_OK) {
        result = ask_everything(query);
    }
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    fgi_trace_destroy(trace);
    return result;
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    enum fg_result result = FG_ERR_NO_MEMORY;
    long count = 0;
    (void)state;
    for (; result != FG_OK; count++) {
        struct failing failing = { .countdown = count };
        struct fg_allocator allocator = failing_allocator(&failing);
        result = make_and_ask(&allocator);
        assert_int_equal(failing.alive, 0);
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
    }
    assert_true(count > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(
            questions_about_groups_and_dependencies_can_be_asked_again_when_memory_was_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
