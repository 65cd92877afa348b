/* SPDX-License-Identifier: MIT */
/*
 * Views on the device in the smallest chunks, with a range maximum and without one, against the
 * engine on the CPU: the same nodes answer every window, and a change of it writes control words
 * alone.
 */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include "engine/vulkan/gpu_view.h"
#include "plain_trace.h"
#include "support/cmocka_all.h"
#include "trace/model.h"
#include <string.h>

enum {
    SEEDS = 30,
    WINDOWS = 6,
    CHUNK_ROWS = 256,
    TARGETS = 48,
    SLOTS = TARGETS * 130,
    SPANS = 2048,
    MEMBERS = TARGETS * 5,
    MEMBER_SLOTS = MEMBERS * 130,
    BLOCK_BYTES = 1 << 14
};

static struct compute_bed bed;
static struct plain_trace plain;

struct scene {
    struct fg_gpu_trace *gpu;
    struct fg_gpu_population *population;
    struct fg_gpu_order *order;
    struct fg_gpu_fold *tracks, *processes;
    struct fg_gpu_view *view;
    struct fg_compute_graph *graph;
    struct fg_engine *engine;
    struct fg_query *query;
};

static void upload(struct scene *s)
{
    struct fg_compute_ring *ring = NULL;
    const struct fg_compute_sink sink = fg_compute_graph_sink(s->graph);
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, BLOCK_BYTES, &ring),
                     FG_OK);
    for (uint64_t serial = 1; fg_gpu_trace_upload(s->gpu, &sink, ring, serial, 0) == FG_OK;
         serial++) {
        compute_bed_run(&bed, s->graph);
        fg_compute_graph_clear(s->graph);
        fg_compute_ring_complete(ring, serial);
    }
    fg_compute_ring_destroy(ring);
}

/** Tracks and processes of the population, all made by one submission. */
static void fold(struct scene *s, const struct fg_compute_sink *sink)
{
    assert_int_equal(fg_gpu_order_create(s->gpu, &s->order), FG_OK);
    assert_int_equal(fg_gpu_order_build(s->order, sink), FG_OK);
    assert_int_equal(fg_gpu_fold_create(s->population, s->order, FG_VIEW_TRACK, &s->tracks), FG_OK);
    assert_int_equal(fg_gpu_fold_create(s->population, s->order, FG_VIEW_PROCESS, &s->processes),
                     FG_OK);
    assert_int_equal(fg_gpu_fold_build(s->tracks, sink), FG_OK);
    assert_int_equal(fg_gpu_fold_build(s->processes, sink), FG_OK);
    compute_bed_run(&bed, s->graph);
    fg_compute_graph_clear(s->graph);
    fg_gpu_fold_settle(s->tracks);
    fg_gpu_fold_settle(s->processes);
    fg_gpu_order_settle(s->order);
    assert_int_equal(fg_gpu_order_build(s->order, sink), FG_ERR_STATE);
}

/** Of the trace in `plain`. */
static struct scene open_trace(uint32_t flags)
{
    struct scene s = { 0 };
    assert_int_equal(fg_gpu_trace_create(
                         FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = plain.trace,
                                              .chunk_rows = CHUNK_ROWS, .upload_rows = CHUNK_ROWS),
                         &s.gpu),
                     FG_OK);
    assert_int_equal(fg_compute_graph_create(bed.compute, NULL, &s.graph), FG_OK);
    upload(&s);
    const struct fg_compute_sink sink = fg_compute_graph_sink(s.graph);
    const struct fg_gpu_view_sizes sizes = { .gpu = s.gpu,
                                             .targets = TARGETS,
                                             .slots = SLOTS,
                                             .spans = SPANS,
                                             .members = MEMBERS,
                                             .member_slots = MEMBER_SLOTS };
    assert_int_equal(
        fg_gpu_population_create(s.gpu, NULL, fgi_trace_rows(plain.trace), flags, &s.population),
        FG_OK);
    assert_int_equal(fg_gpu_population_build(s.population, &sink), FG_OK);
    fold(&s, &sink);
    assert_int_equal(fg_gpu_view_create(&sizes, &s.view), FG_OK);
    assert_int_equal(fg_gpu_view_add_folded(s.view, s.population, s.tracks, s.processes, &sink),
                     FG_OK);
    assert_int_equal(fgi_engine_cpu_create(NULL, plain.trace, &s.engine), FG_OK);
    assert_int_equal(fg_query_create(s.engine, NULL, NULL, NULL, &s.query), FG_OK);
    return s;
}

static struct scene open_scene(uint64_t seed, uint32_t flags)
{
    plain_make(&plain, seed);
    return open_trace(flags);
}

static void close_scene(struct scene *s)
{
    fg_query_destroy(s->query);
    fgi_engine_destroy(s->engine);
    fg_compute_graph_destroy(s->graph);
    fg_gpu_view_destroy(s->view);
    fg_gpu_fold_destroy(s->tracks);
    fg_gpu_fold_destroy(s->processes);
    fg_gpu_order_destroy(s->order);
    fg_gpu_population_destroy(s->population);
    fg_gpu_trace_destroy(s->gpu);
    plain_finish(&plain);
}

static void read_column(const struct fgi_gpu_column *column, uint64_t bytes, void *into)
{
    char *to = into;
    for (uint32_t i = 0; bytes > 0; i++) {
        struct fg_compute_view view = column->chunks[i];
        view.size_bytes = bytes < view.size_bytes ? bytes : view.size_bytes;
        compute_bed_read(&bed, view, to);
        to += view.size_bytes;
        bytes -= view.size_bytes;
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

static struct fg_view_target targets[TARGETS];
static struct fg_gpu_view_target lanes[TARGETS];
static uint32_t target_count;
static uint32_t folded; /**< groups of several lanes so far */

static void choose_targets(void)
{
    static const uint8_t modes[] = { FG_VIEW_EXACT, FG_VIEW_REPRESENTATIVE, FG_VIEW_DENSITY,
                                     FG_VIEW_NONE };
    const uint32_t count = (uint32_t)plain.trace->lanes.count;
    target_count = count < TARGETS ? count : TARGETS;
    for (uint32_t i = 0; i < target_count; i++) {
        targets[i] =
            (struct fg_view_target){ .kind = FG_VIEW_LANE,
                                     .previous_mode = modes[plain_below(&plain, 4)],
                                     .index = count > TARGETS ? plain_below(&plain, count) : i };
        lanes[i] = (struct fg_gpu_view_target){ .lane = targets[i].index,
                                                .previous_mode = targets[i].previous_mode };
    }
}

/** Some of the targets become groups, as long as there is room for their lanes. */
static void fold_targets(const struct scene *s)
{
    const struct fg_trace *trace = plain.trace;
    uint32_t left = MEMBERS;
    for (uint32_t i = 0; i < target_count; i++) {
        const bool is_process = plain_below(&plain, 2) > 0 && trace->processes.count > 0;
        const struct fg_gpu_view_target group = {
            .kind = is_process ? FG_VIEW_PROCESS : FG_VIEW_TRACK,
            .lane = plain_below(
                &plain, (uint32_t)(is_process ? trace->processes.count : trace->tracks.count)),
            .previous_mode = lanes[i].previous_mode,
        };
        const uint32_t wanted = fg_gpu_view_lanes_of(s->view, &group);
        if (plain_below(&plain, 2) > 0 && wanted <= left) {
            left -= wanted;
            lanes[i] = group;
            targets[i].kind = (uint8_t)group.kind;
            targets[i].index = group.lane;
            folded += wanted > 1;
        }
    }
}

static struct fg_view_request choose_window(void)
{
    struct fg_trace_info info;
    fg_trace_get_info(plain.trace, &info);
    struct fg_view_request r = { .start_ns = INT64_MIN,
                                 .end_ns = INT64_MAX,
                                 .width_px = 1 + plain_below(&plain, 63),
                                 .wide_px = plain_below(&plain, 2) * 4,
                                 .detail = (uint8_t)plain_below(&plain, 4),
                                 .handoff = (uint8_t)plain_below(&plain, 2),
                                 .targets = targets,
                                 .target_count = target_count };
    const uint64_t extent = (uint64_t)info.last_ns - (uint64_t)info.first_ns;
    if (info.first_ns < info.last_ns && plain_below(&plain, 8) > 0) {
        const uint64_t length = (plain_random(&plain) % extent) >> plain_below(&plain, 20);
        r.start_ns = (int64_t)((uint64_t)info.first_ns + plain_random(&plain) % extent);
        const uint64_t room = (uint64_t)INT64_MAX - (uint64_t)r.start_ns;
        r.end_ns = (int64_t)((uint64_t)r.start_ns + (length < room ? length + 1 : room));
    }
    if (r.start_ns >= r.end_ns) {
        r.start_ns = 0;
        r.end_ns = 10;
    }
    return r;
}

static enum fg_result ask(struct scene *s, const struct fg_view_request *r)
{
    const struct fg_gpu_view_window window = { .start_ns = r->start_ns,
                                               .end_ns = r->end_ns,
                                               .width_px = r->width_px,
                                               .wide_px = r->wide_px,
                                               .detail = r->detail,
                                               .handoff = r->handoff };
    return fg_gpu_view_ask(s->view, &window, lanes, target_count);
}

/* ---- what is the same ------------------------------------------------------------------------ */

static void check_bins(const struct fg_view_bins *expected, const struct fg_gpu_view_bins *found,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(found[i].first == expected[i].first);
        assert_true(found[i].covered_ns == expected[i].covered_ns);
        assert_true(found[i].longest_ns == expected[i].longest_ns);
        assert_int_equal(found[i].count, expected[i].count);
        assert_int_equal(found[i].starts, expected[i].starts);
        assert_int_equal(found[i].row, expected[i].row);
        assert_int_equal(found[i].name, expected[i].name);
        assert_int_equal(found[i].category, expected[i].category);
        assert_int_equal(found[i].classes, expected[i].classes);
        assert_int_equal(found[i].status, expected[i].status);
    }
}

static void check_draw(struct fg_compute_view view, uint32_t count)
{
    VkDrawIndirectCommand draw;
    view.size_bytes = sizeof draw;
    compute_bed_read(&bed, view, &draw);
    assert_int_equal(draw.vertexCount, 6);
    assert_int_equal(draw.instanceCount, count);
    assert_int_equal(draw.firstVertex + draw.firstInstance, 0);
}

static void check_view(struct scene *s, const struct fg_view_request *request)
{
    static struct fg_gpu_view_answer answers[TARGETS];
    static struct fg_gpu_view_bins bins[SLOTS];
    static uint32_t rows[SPANS];
    struct fg_view_reply reply;
    struct fg_gpu_view_results results;
    uint32_t bins_at = 0;
    uint32_t span_at = 0;
    assert_int_equal(fg_query_view(s->query, request, &reply), FG_OK);
    assert_int_equal(reply.unanswered, 0);
    fg_gpu_view_get_results(s->view, &results);
    compute_bed_read(&bed, fg_compute_view_part(results.answers, 0, target_count * sizeof *answers),
                     answers);
    read_column(&s->view->bins.column, reply.bins_count * sizeof *bins, bins);
    assert_true(reply.span_count <= SPANS);
    read_column(&s->view->rows.column, reply.span_count * sizeof *rows, rows);
    for (uint32_t t = 0; t < target_count; t++) {
        const struct fg_view_answer *expected = &reply.answers[t];
        assert_int_equal(answers[t].mode, expected->mode);
        assert_int_equal(answers[t].bins_mode, expected->bins_mode);
        assert_int_equal(answers[t].blend, expected->blend);
        assert_int_equal(answers[t].bins_count, expected->bins_count);
        assert_int_equal(answers[t].span_count, expected->span_count);
        assert_int_equal(answers[t].first_bins, bins_at);
        assert_int_equal(answers[t].first_span, span_at);
        check_bins(reply.bins + expected->first_bins, bins + bins_at, expected->bins_count);
        for (uint32_t i = 0; i < expected->span_count; i++) {
            assert_int_equal(rows[span_at + i], reply.spans[expected->first_span + i].row);
        }
        bins_at += expected->bins_count;
        span_at += expected->span_count;
    }
    check_draw(results.draw_bins, bins_at);
    check_draw(results.draw_spans, span_at);
    fg_query_reset(s->query);
}

static void each_window_is_answered_as_by_the_cpu_from_the_same_nodes(void **state)
{
    (void)state;
    folded = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed, seed % 2 ? FG_GPU_POPULATION_RANGE_MAX : 0);
        for (uint32_t i = 0; i < WINDOWS; i++) {
            choose_targets();
            fold_targets(&s);
            const struct fg_view_request request = choose_window();
            if (target_count > 0) {
                assert_int_equal(ask(&s, &request), FG_OK);
                compute_bed_run(&bed, s.graph);
                check_view(&s, &request);
            }
        }
        close_scene(&s);
    }
    assert_true(folded > SEEDS * WINDOWS);
}

static void a_change_of_the_window_writes_the_words_that_differ(void **state)
{
    (void)state;
    struct scene s = open_scene(3, 0);
    struct fg_compute_counts before, after;
    struct fg_compute_graph_counts nodes;
    choose_targets();
    struct fg_view_request request = choose_window();
    request.start_ns = 1000;
    request.end_ns = 9000;
    assert_int_equal(ask(&s, &request), FG_OK);
    compute_bed_run(&bed, s.graph);
    fg_compute_graph_get_counts(s.graph, &nodes);
    fg_compute_get_counts(bed.compute, &before);
    assert_int_equal(ask(&s, &request), FG_OK);
    fg_compute_get_counts(bed.compute, &after);
    assert_true(after.written_bytes == before.written_bytes);
    assert_true(fg_gpu_view_written_bytes(s.view) == 0);
    request.start_ns += 50;
    request.end_ns += 50;
    assert_int_equal(ask(&s, &request), FG_OK);
    compute_bed_run(&bed, s.graph);
    fg_compute_get_counts(bed.compute, &after);
    assert_true(after.written_bytes > before.written_bytes);
    assert_true(after.written_bytes <= before.written_bytes + 64);
    assert_true(fg_gpu_view_written_bytes(s.view) == after.written_bytes - before.written_bytes);
    assert_int_equal(after.views, before.views);
    struct fg_compute_graph_counts same;
    fg_compute_graph_get_counts(s.graph, &same);
    assert_int_equal(same.nodes, nodes.nodes);
    check_view(&s, &request);
    close_scene(&s);
}

static void more_than_there_is_room_for_is_refused_or_counted(void **state)
{
    (void)state;
    struct scene s = open_scene(5, 0);
    struct fg_gpu_view_results results;
    struct fg_gpu_view *small = NULL;
    const struct fg_gpu_view_sizes sizes = { .gpu = s.gpu, .targets = 1, .slots = 80, .spans = 1 };
    const struct fg_gpu_view_target twice[2] = { { .previous_mode = FG_VIEW_NONE },
                                                 { .previous_mode = FG_VIEW_NONE } };
    const struct fg_gpu_view_window window = {
        .start_ns = INT64_MIN, .end_ns = INT64_MAX, .width_px = 10, .detail = FG_DETAIL_EXACT
    };
    const struct fg_compute_sink sink = fg_compute_graph_sink(s.graph);
    uint32_t totals[2];
    uint32_t row = 0;
    assert_int_equal(fg_gpu_view_create(&sizes, &small), FG_OK);
    assert_int_equal(fg_gpu_view_ask(small, &window, twice, 2), FG_ERR_LIMIT);
    assert_int_equal(fg_gpu_view_ask(small, &window, twice, 1), FG_OK);
    fg_compute_graph_clear(s.graph);
    assert_int_equal(fg_gpu_view_add(small, s.population, &sink), FG_OK);
    compute_bed_run(&bed, s.graph);
    fg_gpu_view_get_results(small, &results);
    results.totals.size_bytes = sizeof totals;
    compute_bed_read(&bed, results.totals, totals);
    assert_true(totals[1] >= 2); /* of which there is room for one */
    struct fg_compute_view rows = fg_gpu_view_spans_chunk(small, 0);
    rows.size_bytes = sizeof row;
    compute_bed_read(&bed, rows, &row);
    assert_int_equal(row, plain.trace->lane_rows[0]);
    check_draw(results.draw_spans, 1);
    fg_gpu_view_destroy(small);
    close_scene(&s);
}

/* At either end of the window a wide span reaches into a bin whose longest is another one. */
static void wide_spans_at_the_ends_of_a_window_are_given_once(void **state)
{
    (void)state;
    static const int64_t spans[][2] = {
        { 0, 100 },   { 101, 135 }, { 136, 140 }, { 141, 142 }, { 143, 144 }, { 145, 146 },
        { 147, 148 }, { 149, 150 }, { 151, 152 }, { 158, 190 }, { 191, 300 },
    };
    struct fgi_builder *b = NULL;
    memset(&plain, 0, sizeof plain);
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        const struct fgi_span_in span = { .start_ns = spans[i][0],
                                          .end_ns = spans[i][1],
                                          .name = fgi_builder_cstr(b, "span"),
                                          .frame = FG_NONE,
                                          .pass = FG_NONE };
        (void)fgi_builder_span(b, &span);
    }
    assert_int_equal(fgi_builder_finish(b, &plain.trace), FG_OK);
    fgi_builder_destroy(b);
    struct scene s = open_trace(0);
    target_count = 1;
    targets[0] = (struct fg_view_target){ .kind = FG_VIEW_LANE, .previous_mode = FG_VIEW_NONE };
    lanes[0] = (struct fg_gpu_view_target){ .previous_mode = FG_VIEW_NONE };
    for (int64_t start = 90; start < 150; start++) {
        const struct fg_view_request request = { .start_ns = start,
                                                 .end_ns = start + 64,
                                                 .width_px = 8,
                                                 .wide_px = 4,
                                                 .detail = FG_DETAIL_DENSITY,
                                                 .targets = targets,
                                                 .target_count = 1 };
        assert_int_equal(ask(&s, &request), FG_OK);
        compute_bed_run(&bed, s.graph);
        check_view(&s, &request);
    }
    close_scene(&s);
}

/* ---- the engine ------------------------------------------------------------------------------ */

static enum fg_result begin(void *context, VkCommandBuffer *out_commands)
{
    (void)context;
    compute_bed_begin(bed.commands);
    *out_commands = bed.commands;
    return FG_OK;
}

static uint32_t submissions; /**< so far */

static enum fg_result submit(void *context)
{
    (void)context;
    submissions++;
    compute_bed_end(bed.commands);
    compute_bed_submit(&bed, bed.commands);
    return FG_OK;
}

static enum fg_result wait(void *context)
{
    (void)context; /* the bed has waited */
    return FG_OK;
}

static enum fg_result make_host(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, trace, out_engine);
}

/** Questions that the device has answered; it still does. */
static uint64_t own_questions(const struct fg_engine *engine)
{
    struct fg_engine_info info = { 0 };
    engine->ops->about(engine, &info);
    assert_null(info.reason);
    return info.own_questions;
}

/** Lanes, tracks and processes as they come, seldom with budgets that do not suffice. */
static struct fg_view_request choose_mixed(void)
{
    choose_targets();
    struct fg_view_request r = choose_window();
    for (uint32_t i = 0; i < target_count; i++) {
        const struct fg_trace *trace = plain.trace;
        if (plain_below(&plain, 4) == 0) {
            targets[i].kind = FG_VIEW_TRACK;
            targets[i].index = plain_below(&plain, (uint32_t)trace->tracks.count);
        } else if (plain_below(&plain, 6) == 0 && trace->processes.count > 0) {
            targets[i].kind = FG_VIEW_PROCESS;
            targets[i].index = plain_below(&plain, (uint32_t)trace->processes.count);
        }
    }
    r.max_spans = plain_below(&plain, 2) * (1 + plain_below(&plain, 100));
    r.max_bins = plain_below(&plain, 2) * (1 + plain_below(&plain, 300));
    return r;
}

static void check_same(const struct fg_view_reply *a, const struct fg_view_reply *b)
{
    assert_int_equal(a->level, b->level);
    assert_int_equal(a->unanswered, b->unanswered);
    assert_int_equal(a->bins_count, b->bins_count);
    assert_int_equal(a->span_count, b->span_count);
    for (uint32_t t = 0; t < target_count; t++) {
        const struct fg_view_answer *one = &a->answers[t];
        const struct fg_view_answer *other = &b->answers[t];
        assert_int_equal(one->mode, other->mode);
        assert_int_equal(one->bins_mode, other->bins_mode);
        assert_int_equal(one->blend, other->blend);
        assert_int_equal(one->bins_count, other->bins_count);
        assert_int_equal(one->span_count, other->span_count);
        for (uint32_t i = 0; i < one->bins_count; i++) {
            const struct fg_view_bins *bins = &a->bins[one->first_bins + i];
            const struct fg_view_bins *same = &b->bins[other->first_bins + i];
            assert_true(bins->first == same->first && bins->covered_ns == same->covered_ns);
            assert_int_equal(bins->row, same->row);
            assert_int_equal(bins->starts, same->starts);
            assert_int_equal(bins->count, same->count);
        }
        for (uint32_t i = 0; i < one->span_count; i++) {
            assert_int_equal(a->spans[one->first_span + i].row,
                             b->spans[other->first_span + i].row);
        }
    }
}

static void check_same_minimap(struct fg_query *query, struct fg_query *other, uint32_t max_cells)
{
    const struct fg_minimap_request request = { .kind = plain_below(&plain, 2) ? FG_VIEW_TRACK
                                                                               : FG_VIEW_PROCESS,
                                                .max_cells = max_cells };
    struct fg_minimap_reply a, b;
    const enum fg_result result = fg_query_minimap(query, &request, &a);
    assert_int_equal(fg_query_minimap(other, &request, &b), result);
    if (result != FG_OK) {
        return;
    }
    assert_int_equal(a.level, b.level);
    assert_true(a.first_bin == b.first_bin && a.last_bin == b.last_bin);
    assert_int_equal(a.cell_count, b.cell_count);
    assert_int_equal(a.unanswered, b.unanswered);
    for (uint32_t i = 0; i < a.answer_count; i++) {
        assert_int_equal(a.answers[i].first_cell, b.answers[i].first_cell);
        assert_int_equal(a.answers[i].cell_count, b.answers[i].cell_count);
        assert_int_equal(a.answers[i].is_answered, b.answers[i].is_answered);
    }
    for (uint32_t i = 0; i < a.cell_count; i++) {
        assert_memory_equal(&a.cells[i], &b.cells[i], sizeof a.cells[i]);
    }
}

static void the_engine_asks_the_device_for_lanes_and_minimaps(void **state)
{
    (void)state;
    bed.options.block_bytes = 1 << 16; /* pieces of the engine's uploads are larger */
    compute_bed_renew(&bed);
    for (uint64_t seed = 101; seed < 101 + SEEDS; seed++) {
        struct scene s = open_scene(seed, 0);
        const struct fgi_engine_vulkan_options options = {
            .runner = { .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait },
            .make_host = make_host
        };
        struct fg_engine *engine = NULL;
        struct fg_query *query = NULL;
        assert_int_equal(fgi_engine_vulkan_create(&options, plain.trace, &engine), FG_OK);
        assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
        for (uint32_t i = 0; i < WINDOWS && plain.trace->lanes.count > 0; i++) {
            const struct fg_view_request request = choose_mixed();
            struct fg_view_reply own, host;
            const enum fg_result result = fg_query_view(query, &request, &own);
            assert_int_equal(fg_query_view(s.query, &request, &host), result);
            if (result == FG_OK) {
                check_same(&own, &host);
            }
        }
        const uint64_t before = own_questions(engine);
        check_same_minimap(query, s.query, 0);
        check_same_minimap(query, s.query, 1 + plain_below(&plain, 60));
        assert_true(own_questions(engine) > before);
        choose_targets();
        const struct fg_view_request lanes_only = choose_window();
        struct fg_view_reply reply;
        assert_int_equal(fg_query_view(query, &lanes_only, &reply), FG_OK);
        assert_true(own_questions(engine) > before + 1);
        fg_query_destroy(query);
        fgi_engine_destroy(engine);
        close_scene(&s);
    }
}

static void a_changed_view_is_one_submission_and_the_same_again_is_none(void **state)
{
    (void)state;
    bed.options.block_bytes = 1 << 16;
    compute_bed_renew(&bed);
    struct scene s = open_scene(3, 0);
    const struct fgi_engine_vulkan_options options = {
        .runner = { .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait },
        .make_host = make_host
    };
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    struct fg_view_reply own, host;
    struct fg_compute_counts before, after;
    assert_int_equal(fgi_engine_vulkan_create(&options, plain.trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
    choose_targets();
    fold_targets(&s);
    struct fg_view_request request = choose_window();
    request.start_ns = 1000;
    request.end_ns = 9000;
    request.detail = FG_DETAIL_DENSITY;
    assert_int_equal(fg_query_view(query, &request, &own), FG_OK); /* the trace goes there */
    assert_int_equal(fg_query_view(query, &request, &own), FG_OK);
    for (int i = 0; i < 6; i++) {
        const uint32_t so_far = submissions;
        fg_compute_get_counts(bed.compute, &before);
        assert_int_equal(fg_query_view(query, &request, &own), FG_OK);
        fg_compute_get_counts(bed.compute, &after);
        assert_int_equal(submissions, so_far); /* nothing has changed */
        assert_true(after.written_bytes == before.written_bytes);
        request.start_ns += 100;
        request.end_ns += 100;
        assert_int_equal(fg_query_view(query, &request, &own), FG_OK);
        fg_compute_get_counts(bed.compute, &after);
        assert_int_equal(submissions, so_far + 1);
        assert_true(after.written_bytes > before.written_bytes);
        assert_true(after.written_bytes <= before.written_bytes + 64);
        assert_int_equal(fg_query_view(s.query, &request, &host), FG_OK);
        check_same(&own, &host);
    }
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    close_scene(&s);
}

/* So many that they would have more bins than a minimap may be drawn from. */
static void many_lanes_make_the_minimap_coarser(void **state)
{
    (void)state;
    enum { TRACKS = 160, SPANS_OF_TRACK = 500 };
    bed.options.block_bytes = 0;
    compute_bed_renew(&bed);
    const struct fgi_engine_vulkan_options options = {
        .runner = { .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait },
        .make_host = make_host
    };
    struct fg_engine *engines[2];
    struct fg_query *queries[2];
    struct fgi_builder *b = NULL;
    memset(&plain, 0, sizeof plain);
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    const uint32_t name = fgi_builder_cstr(b, "span");
    for (uint32_t t = 0; t < TRACKS; t++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
        for (int64_t i = 0; i < SPANS_OF_TRACK; i++) {
            const struct fgi_span_in span = { .track = t,
                                              .name = name,
                                              .start_ns = i << 33,
                                              .end_ns = (i << 33) + 10 * t,
                                              .frame = FG_NONE,
                                              .pass = FG_NONE };
            (void)fgi_builder_span(b, &span);
        }
    }
    assert_int_equal(fgi_builder_finish(b, &plain.trace), FG_OK);
    fgi_builder_destroy(b);
    assert_int_equal(fgi_engine_cpu_create(NULL, plain.trace, &engines[0]), FG_OK);
    assert_int_equal(fgi_engine_vulkan_create(&options, plain.trace, &engines[1]), FG_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_create(engines[i], NULL, NULL, NULL, &queries[i]), FG_OK);
    }
    check_same_minimap(queries[1], queries[0], 0);
    assert_int_equal(own_questions(engines[1]), 1);
    for (int i = 0; i < 2; i++) {
        fg_query_destroy(queries[i]);
        fgi_engine_destroy(engines[i]);
    }
    plain_finish(&plain);
}

static int open_bed(void **state)
{
    (void)state;
    if (!compute_bed_create(&bed, 0)) {
        return -1;
    }
    bed.options.block_bytes = BLOCK_BYTES;
    compute_bed_renew(&bed);
    return 0;
}

static int close_bed(void **state)
{
    (void)state;
    compute_bed_destroy(&bed);
    return bed.messages > 0 ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_window_is_answered_as_by_the_cpu_from_the_same_nodes),
        cmocka_unit_test(a_change_of_the_window_writes_the_words_that_differ),
        cmocka_unit_test(more_than_there_is_room_for_is_refused_or_counted),
        cmocka_unit_test(wide_spans_at_the_ends_of_a_window_are_given_once),
        cmocka_unit_test(the_engine_asks_the_device_for_lanes_and_minimaps),
        cmocka_unit_test(a_changed_view_is_one_submission_and_the_same_again_is_none),
        cmocka_unit_test(many_lanes_make_the_minimap_coarser),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
