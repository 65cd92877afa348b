/* SPDX-License-Identifier: MIT */
/* Dependencies that follow from frame graphs, by brute force; work over all of them in steps. */
#include "graph_bed.h"
#include "support/cmocka_all.h"
#include <frameglass/trace_path.h>
#include <string.h>

/* ---- frames with graphs ---------------------------------------------------------------------- */

void bed_add_frame(struct bed *bed, struct fgi_builder *b, uint32_t frame)
{
    struct bed_graph *graph = &bed->graphs[frame];
    struct fg_topology_pass passes[BED_PASSES] = { 0 };
    struct fg_topology_resource resources[BED_PASSES * 2] = { 0 };
    uint32_t read[BED_PASSES][BED_PASSES * 2];
    uint32_t topology = FG_NONE;
    uint32_t resource_count = bed_below(bed, BED_PASSES * 2 + 1);
    graph->count = bed_below(bed, 4) ? 1 + bed_below(bed, BED_PASSES) : 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t same = i > 0 && bed_below(bed, 6) == 0 ? bed_below(bed, i) : i;
        graph->identities[i] =
            same < i ? graph->identities[same]
                     : fgi_builder_pass(b, fgi_builder_cstr(b, "pass"), 0, frame * BED_PASSES + i);
        passes[i].pass = graph->identities[i];
        passes[i].reads = read[i];
    }
    for (uint32_t r = 0; r < resource_count && graph->count > 0; r++) {
        uint32_t maker = bed_below(bed, graph->count);
        resources[r] = (struct fg_topology_resource){ .id = r, .version = r, .producer = maker };
        for (uint32_t readers = bed_below(bed, 3); readers > 0; readers--) {
            uint32_t reader = bed_below(bed, graph->count);
            read[reader][passes[reader].read_count] = r;
            bool is_new = true;
            for (uint32_t i = 0; i < passes[reader].read_count; i++) {
                is_new &= read[reader][i] != r;
            }
            passes[reader].read_count += is_new;
            graph->is_handed[maker][reader] |= maker != reader;
        }
    }
    if (graph->count > 0) {
        topology =
            fgi_builder_topology(b, &(struct fg_topology){ .passes = passes,
                                                           .pass_count = graph->count,
                                                           .resources = resources,
                                                           .resource_count = resource_count });
    }
    (void)fgi_builder_frame(b, &(struct fg_trace_frame){ .id = frame, .topology = topology }, NULL,
                            0);
}

/* Where in its frame's graph a row's pass is; FG_NONE: nowhere. */
static uint32_t pass_of(const struct bed *bed, uint32_t row)
{
    const struct fg_trace_span *s = &bed->spans[row];
    if ((s->classes & FG_CLASS_GPU_PASS) && s->frame < BED_FRAMES) {
        const struct bed_graph *graph = &bed->graphs[s->frame];
        for (uint32_t i = 0; i < graph->count; i++) {
            if (graph->identities[i] == s->pass) {
                return i;
            }
        }
    }
    return FG_NONE;
}

static bool is_of(const struct bed *bed, uint32_t row, uint32_t other)
{
    return bed->spans[row].frame == bed->spans[other].frame &&
           pass_of(bed, row) == pass_of(bed, other);
}

/* Nobody of its pass ends later, or as late and comes before it. */
static bool ends_last(const struct bed *bed, uint32_t row)
{
    for (uint32_t i = 0; i < bed->rows; i++) {
        int64_t end = bed->spans[i].end_ns;
        if (is_of(bed, i, row) &&
            (end > bed->spans[row].end_ns || (end == bed->spans[row].end_ns && i < row))) {
            return false;
        }
    }
    return true;
}

static bool begins_first(const struct bed *bed, uint32_t row)
{
    for (uint32_t i = 0; i < bed->rows; i++) {
        int64_t start = bed->spans[i].start_ns;
        if (is_of(bed, i, row) &&
            (start < bed->spans[row].start_ns || (start == bed->spans[row].start_ns && i < row))) {
            return false;
        }
    }
    return true;
}

static bool is_recorded(const struct bed *bed, uint32_t source, uint32_t target)
{
    for (uint32_t i = 0; i < bed->recorded; i++) {
        const struct fg_trace_dependency *link = &bed->dependencies[i];
        if (link->source == source && link->target == target &&
            link->family == FG_DEPENDENCY_DATA) {
            return true;
        }
    }
    return false;
}

void bed_derive(struct bed *bed)
{
    bed->links = bed->recorded;
    for (uint32_t a = 0; a < bed->rows; a++) {
        uint32_t producer = pass_of(bed, a);
        for (uint32_t b = 0; b < bed->rows && producer != FG_NONE; b++) {
            uint32_t reader = pass_of(bed, b);
            if (reader != FG_NONE && bed->spans[a].frame == bed->spans[b].frame &&
                bed->graphs[bed->spans[a].frame].is_handed[producer][reader] &&
                (ends_last(bed, a) || begins_first(bed, b)) && !is_recorded(bed, a, b)) {
                assert_true(bed->links < BED_LINKS_MAX);
                bed->dependencies[bed->links++] =
                    (struct fg_trace_dependency){ a, b, FG_DEPENDENCY_GRAPH,
                                                  FG_DEPENDENCY_DERIVED };
            }
        }
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool is_there(const struct bed *bed, uint32_t source, uint32_t target)
{
    for (uint32_t i = bed->recorded; i < bed->links; i++) {
        if (bed->dependencies[i].source == source && bed->dependencies[i].target == target) {
            return true;
        }
    }
    return false;
}

void bed_check_numbers(struct bed *bed)
{
    struct fg_trace_dependency link;
    for (uint32_t i = bed->links; i-- > 0;) { /* a derived one is asked for first of all */
        assert_int_equal(fg_query_dependency(bed->query, i, &link), FG_OK);
        assert_memory_equal(&link, &bed->dependencies[i], sizeof link);
    }
    assert_int_equal(fg_query_dependency(bed->query, bed->links, &link), FG_ERR_NOT_FOUND);
    assert_false(fg_trace_dependency(bed->trace, bed->recorded, &link));
    for (uint32_t row = 0; row < bed->rows; row++) {
        struct fg_span_detail detail;
        assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
        for (uint32_t i = 0; i < detail.wait_count; i++) {
            assert_true(detail.waits[i].family != FG_DEPENDENCY_GRAPH ||
                        is_there(bed, detail.waits[i].row, row));
        }
        for (uint32_t i = 0; i < detail.wake_count; i++) {
            assert_true(detail.wakes[i].family != FG_DEPENDENCY_GRAPH ||
                        is_there(bed, row, detail.wakes[i].row));
        }
        fg_query_reset(bed->query);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* To the end, few rows at a time; or broken off on the way. */
static bool run(struct bed *bed, struct fg_task *task, bool may_break_off)
{
    struct fg_task_progress before, after;
    fg_task_progress(task, &before);
    uint32_t room = may_break_off ? bed_below(bed, 40) : UINT32_MAX;
    for (uint32_t i = 0; !before.is_done && i < room; i++) {
        assert_int_equal(fg_task_step(task, 1 + bed_below(bed, 40), &after), FG_OK);
        assert_true(after.done_rows >= before.done_rows && after.total_rows >= after.done_rows);
        assert_true(after.stage >= before.stage && after.stage <= after.stage_count);
        assert_int_equal(after.is_done, after.stage == after.stage_count);
        before = after;
    }
    return before.is_done;
}

static void check_links_steps(struct bed *bed)
{
    struct fg_link_place places[8];
    uint32_t count = 0;
    for (; count < 8 && fg_trace_lane(bed->trace, count); count++) {
        places[count] = (struct fg_link_place){ FG_VIEW_LANE, count, (int32_t)count * 10 };
    }
    struct fg_links_request request = { .start_ns = -100,
                                        .end_ns = 2000,
                                        .width_px = 100,
                                        .bottom_y = 80,
                                        .places = places,
                                        .place_count = count,
                                        .filter = bed->filter,
                                        .bundling = FG_BUNDLE_ALWAYS };
    struct fg_links_reply a, b;
    bool is_done = false;
    while (!is_done) {
        struct fg_task *task = NULL;
        assert_int_equal(fg_task_links(bed->query, &request, FG_TASK_BACKGROUND, &task), FG_OK);
        is_done = run(bed, task, bed_below(bed, 4) > 0);
        if (is_done) {
            assert_int_equal(fg_task_result_links(task, &a), FG_OK);
            assert_int_equal(fg_query_links(bed->query, &request, &b), FG_OK);
            assert_int_equal(a.line_count, b.line_count);
            assert_int_equal(a.bundle_count, b.bundle_count);
            assert_memory_equal(&a.left_out, &b.left_out, sizeof a.left_out);
            for (uint32_t i = 0; i < a.line_count; i++) {
                assert_int_equal(a.lines[i].link, b.lines[i].link);
                assert_int_equal(a.lines[i].marks, b.lines[i].marks);
            }
        } else {
            assert_int_equal(fg_task_result_links(task, &a), FG_ERR_STATE);
        }
        fg_task_destroy(task);
    }
    /* The index is there now: whoever asks is answered by one step. */
    struct fg_task *task = NULL;
    struct fg_task_progress progress;
    assert_int_equal(fg_task_links(bed->query, &request, FG_TASK_INTERACTIVE, &task), FG_OK);
    assert_int_equal(fg_task_step(task, 1, &progress), FG_OK);
    assert_true(progress.is_done && progress.stage == 2);
    fg_task_destroy(task);
}

static void check_focus_steps(struct bed *bed, uint32_t row)
{
    const struct fg_focus_request request = { .seeds = &row, .seed_count = 1, .hops = UINT32_MAX };
    struct fg_task *task = NULL;
    struct fg_focus_reply a, b;
    assert_int_equal(fg_task_focus(bed->query, &request, FG_TASK_NORMAL, &task), FG_OK);
    assert_int_equal(fg_task_result_focus(task, &a), FG_ERR_STATE);
    assert_true(run(bed, task, false));
    assert_int_equal(fg_task_result_focus(task, &a), FG_OK);
    assert_int_equal(fg_query_focus(bed->query, &request, &b), FG_OK);
    assert_int_equal(a.count, b.count);
    assert_int_equal(a.hop_count, b.hop_count);
    assert_memory_equal(a.rows, b.rows, a.count * sizeof *a.rows);
    fg_task_destroy(task);
}

static void check_slice_steps(struct bed *bed, uint32_t row)
{
    const struct fg_slice_request request = { .row = row,
                                              .direction = FG_SLICE_BOTH,
                                              .filter = bed->filter };
    struct fg_task *task = NULL;
    struct fg_slice_reply a, b;
    assert_int_equal(fg_task_slice(bed->query, &request, FG_TASK_NORMAL, &task), FG_OK);
    assert_int_equal(fg_task_result_slice(task, &a), FG_ERR_STATE);
    assert_true(run(bed, task, false));
    assert_int_equal(fg_task_result_slice(task, &a), FG_OK);
    assert_int_equal(fg_query_slice(bed->query, &request, &b), FG_OK);
    assert_int_equal(a.count, b.count);
    for (uint32_t i = 0; i < a.count; i++) {
        assert_int_equal(a.items[i].row, b.items[i].row);
        assert_int_equal(a.items[i].hops, b.items[i].hops);
        assert_int_equal(a.items[i].is_claimed, b.items[i].is_claimed);
    }
    fg_task_destroy(task);
}

static void check_path_steps(struct bed *bed, uint32_t row)
{
    const struct fg_path_request request = {
        .has_row = bed_below(bed, 2), .row = row, .filter = bed->filter, .figures = FG_PATH_SLACKS
    };
    struct fg_task *task = NULL;
    struct fg_path_reply a, b;
    assert_int_equal(fg_task_path(bed->query, &request, FG_TASK_NORMAL, &task), FG_OK);
    assert_true(run(bed, task, false));
    assert_int_equal(fg_task_result_path(task, &a), FG_OK);
    assert_int_equal(fg_query_path(bed->query, &request, &b), FG_OK);
    assert_true(a.length_ns == b.length_ns);
    assert_int_equal(a.endpoint, b.endpoint);
    assert_int_equal(a.piece_count, b.piece_count);
    fg_task_destroy(task);
}

void bed_check_steps(struct bed *bed)
{
    check_links_steps(bed);
    if (bed->rows > 0) {
        uint32_t row = bed_below(bed, bed->rows);
        check_focus_steps(bed, row);
        check_slice_steps(bed, row);
        check_path_steps(bed, row);
    }
}
