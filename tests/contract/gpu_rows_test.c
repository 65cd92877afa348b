/* SPDX-License-Identifier: MIT */
/*
 * Rows of a window and picks as callers of the library get them: against plain loops and the engine
 * on the CPU, with what is written, read and kept counted.
 */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "plain_trace.h"
#include "support/cmocka_all.h"
#include "trace/model.h"
#include <frameglass/gpu_trace_pick.h>
#include <frameglass/gpu_trace_views.h>
#include <frameglass/trace_find.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 6, WINDOWS = 6, PICKS = 16, CHUNK_ROWS = 256, SLOTS = 3, MANY = 200000 };

static struct compute_bed bed;
static struct plain_trace plain;

struct scene {
    struct fg_gpu_trace *gpu;
    struct fg_gpu_population *all;
    struct fg_compute_graph *graph;
    struct fg_compute_sink sink;
    uint32_t rows;
};

static void run(struct scene *s)
{
    compute_bed_run(&bed, s->graph);
    fg_compute_graph_clear(s->graph);
}

/** Of the trace in `plain`. */
static struct scene open_trace(uint32_t chunk_rows)
{
    struct scene s = { .rows = fgi_trace_rows(plain.trace) };
    struct fg_compute_ring *ring = NULL;
    assert_int_equal(fg_gpu_trace_create(
                         FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = plain.trace,
                                              .chunk_rows = chunk_rows, .upload_rows = chunk_rows),
                         &s.gpu),
                     FG_OK);
    assert_int_equal(fg_compute_graph_create(bed.compute, NULL, &s.graph), FG_OK);
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, 1 << 22, &ring), FG_OK);
    s.sink = fg_compute_graph_sink(s.graph);
    for (uint64_t i = 1; fg_gpu_trace_upload(s.gpu, &s.sink, ring, i, 0) == FG_OK; i++) {
        run(&s);
        fg_compute_ring_complete(ring, i);
    }
    fg_compute_ring_destroy(ring);
    assert_int_equal(fg_gpu_population_create(s.gpu, NULL, s.rows, 0, &s.all), FG_OK);
    assert_int_equal(fg_gpu_population_build(s.all, &s.sink), FG_OK);
    run(&s);
    return s;
}

static struct scene open_scene(uint64_t seed)
{
    plain_make(&plain, seed);
    return open_trace(CHUNK_ROWS);
}

static void close_scene(struct scene *s)
{
    fg_compute_graph_destroy(s->graph);
    fg_gpu_population_destroy(s->all);
    fg_gpu_trace_destroy(s->gpu);
    plain_finish(&plain);
}

static int64_t some_time(void)
{
    struct fg_trace_info info;
    fg_trace_get_info(plain.trace, &info);
    const uint64_t extent = (uint64_t)info.last_ns - (uint64_t)info.first_ns;
    return (int64_t)((uint64_t)info.first_ns + plain_random(&plain) % (extent | 1));
}

/** Any lane, track or process. */
static bool some_target(uint32_t *out_kind, uint32_t *out_index)
{
    const struct fg_trace *trace = plain.trace;
    const size_t counts[] = { trace->lanes.count, trace->tracks.count, trace->processes.count };
    *out_kind = plain_below(&plain, 3);
    *out_index = counts[*out_kind] > 0 ? plain_below(&plain, (uint32_t)counts[*out_kind]) : 0;
    return counts[*out_kind] > 0;
}

/* ---- rows of a window ------------------------------------------------------------------------ */

static bool has_lane(const struct fg_gpu_view_target *target, uint32_t lane)
{
    const struct fg_trace *trace = plain.trace;
    const uint32_t track = trace->lanes.items[lane].track;
    return target->kind == FG_VIEW_LANE    ? target->lane == lane
           : target->kind == FG_VIEW_TRACK ? target->lane == track
                                           : target->lane == trace->tracks.items[track].process;
}

static bool meets(int64_t start, int64_t end, int64_t a, int64_t b)
{
    return start == end ? a <= start && start < b : start < b && end > a;
}

static void read_words(struct fg_compute_view (*chunk)(const struct fg_gpu_rows *, uint32_t),
                       const struct fg_gpu_rows *rows, uint32_t count, uint32_t *into)
{
    for (uint32_t i = 0; count > 0; i++) {
        struct fg_compute_view view = chunk(rows, i);
        const uint32_t there = (uint32_t)(view.size_bytes / sizeof *into);
        const uint32_t some = count < there ? count : there;
        view.size_bytes = some * sizeof *into;
        compute_bed_read(&bed, view, into);
        into += some;
        count -= some;
    }
}

/** The mask, the list and what draws it, against every row; returns how many there are. */
static uint32_t check_rows(const struct scene *s, const struct fg_gpu_rows *rows, int64_t a,
                           int64_t b, const struct fg_gpu_view_target *targets,
                           uint32_t targets_count, uint32_t capacity)
{
    struct fg_gpu_rows_results results;
    uint32_t counts[4], count = 0;
    VkDrawIndirectCommand draw;
    uint32_t *mask = calloc((size_t)s->rows / 32 + 1, sizeof *mask);
    uint32_t *list = calloc((size_t)capacity + 1, sizeof *list);
    assert_true(mask && list);
    fg_gpu_rows_get_results(rows, &results);
    compute_bed_read(&bed, fg_compute_view_part(results.counts, 0, sizeof counts), counts);
    compute_bed_read(&bed, fg_compute_view_part(results.draw, 0, sizeof draw), &draw);
    read_words(fg_gpu_rows_mask_chunk, rows, s->rows / 32 + (s->rows % 32 != 0), mask);
    read_words(fg_gpu_rows_list_chunk, rows, counts[0] < capacity ? counts[0] : capacity, list);
    struct fgi_cursor cursor = fgi_trace_cursor(plain.trace);
    for (uint32_t row = 0; row < s->rows; row++) {
        assert_true(fgi_cursor_at(&cursor, row));
        const uint32_t lane = cursor.block->lane[row - cursor.first_row];
        bool is_there = targets == NULL;
        for (uint32_t t = 0; t < targets_count && !is_there; t++) {
            is_there = has_lane(&targets[t], lane);
        }
        is_there =
            is_there && meets(fgi_cursor_start(&cursor, row), fgi_cursor_end(&cursor, row), a, b);
        assert_int_equal(mask[row / 32] >> (row % 32) & 1, is_there);
        if (is_there) {
            assert_true(count >= capacity || list[count] == row);
            count++;
        }
    }
    fgi_cursor_finish(&cursor);
    assert_int_equal(counts[0], count);
    assert_int_equal(draw.vertexCount, 6);
    assert_int_equal(draw.instanceCount, count < capacity ? count : capacity);
    assert_int_equal(draw.firstVertex + draw.firstInstance, 0);
    free(mask);
    free(list);
    return count;
}

static void rows_of_each_window_are_a_mask_a_list_and_a_draw(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        struct fg_gpu_rows *rows = NULL;
        const uint32_t capacity = seed % 3 == 0 ? 5 : s.rows + 1;
        assert_int_equal(fg_gpu_rows_create(s.gpu, capacity, &rows), FG_OK);
        assert_int_equal(fg_gpu_rows_add(rows, s.all, &s.sink), FG_OK);
        for (uint32_t i = 0; i < WINDOWS; i++) {
            struct fg_gpu_view_target targets[3];
            uint32_t count = 0;
            while (count < 3 && some_target(&targets[count].kind, &targets[count].lane)) {
                count++;
            }
            const bool has_all = i % 3 == 0;
            const int64_t length = 1 + plain_below(&plain, 2000);
            const int64_t time = some_time();
            const int64_t a = time > INT64_MAX - length ? time - length : time;
            assert_int_equal(fg_gpu_rows_ask(rows, a, a + length, has_all ? NULL : targets, count),
                             FG_OK);
            compute_bed_run(&bed, s.graph);
            found += check_rows(&s, rows, a, a + length, has_all ? NULL : targets,
                                has_all ? 0 : count, capacity);
            assert_int_equal(fg_gpu_rows_ask(rows, a, a + length, has_all ? NULL : targets, count),
                             FG_OK);
            assert_true(fg_gpu_rows_written_bytes(rows) == 0);
        }
        assert_int_equal(fg_gpu_rows_ask(rows, 5, 5, NULL, 0), FG_ERR_ARGUMENT);
        fg_gpu_rows_destroy(rows);
        close_scene(&s);
    }
    assert_true(found > SEEDS * WINDOWS);
}

/** One lane of spans, one after the other. */
static void make_long_lane(void)
{
    struct fgi_builder *b = NULL;
    memset(&plain, 0, sizeof plain);
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
    const uint32_t name = fgi_builder_cstr(b, "span");
    for (int64_t i = 0; i < MANY; i++) {
        const struct fgi_span_in span = { .name = name,
                                          .start_ns = i * 10,
                                          .end_ns = i * 10 + 5,
                                          .frame = FG_NONE,
                                          .pass = FG_NONE };
        (void)fgi_builder_span(b, &span);
    }
    assert_int_equal(fgi_builder_finish(b, &plain.trace), FG_OK);
    fgi_builder_destroy(b);
}

/* Spans, batches of 256 of them, of 16 of those, of 16 of those: 200,000, 782, 49 and 4. */
static void what_is_looked_at_follows_the_window(void **state)
{
    (void)state;
    make_long_lane();
    struct scene s = open_trace(1 << 16);
    struct fg_gpu_rows *rows = NULL;
    struct fg_gpu_rows_results results;
    uint32_t counts[4];
    assert_int_equal(fg_gpu_rows_create(s.gpu, 1000, &rows), FG_OK);
    assert_int_equal(fg_gpu_rows_add(rows, s.all, &s.sink), FG_OK);
    fg_gpu_rows_get_results(rows, &results);
    results.counts.size_bytes = sizeof counts;
    static const int64_t starts[] = { 0, 555555, 65536 * 10 - 500, 1999000, -5000, 2000005 };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        assert_int_equal(fg_gpu_rows_ask(rows, starts[i], starts[i] + 1000, NULL, 0), FG_OK);
        compute_bed_run(&bed, s.graph);
        const uint32_t found = check_rows(&s, rows, starts[i], starts[i] + 1000, NULL, 0, 1000);
        compute_bed_read(&bed, results.counts, counts);
        assert_true(counts[1] <= 2 && counts[2] <= 512);
        assert_true(counts[3] <= 4 + 2 * 16 + 2 * 16);
        assert_true((found == 0) == (starts[i] < 0 || starts[i] > 2000000));
    }
    assert_int_equal(fg_gpu_rows_ask(rows, 0, MANY * 10, NULL, 0), FG_OK);
    compute_bed_run(&bed, s.graph);
    compute_bed_read(&bed, results.counts, counts);
    assert_int_equal(counts[0], MANY);
    assert_int_equal(counts[1], 782);
    assert_int_equal(counts[3], 4 + 49 + 782);
    fg_gpu_rows_destroy(rows);
    close_scene(&s);
}

/* ---- picks ----------------------------------------------------------------------------------- */

/** A ring, and what each slot submits. */
struct ring {
    struct fg_gpu_picks *picks;
    struct fg_compute_graph *graphs[SLOTS];
};

static struct ring open_ring(const struct scene *s, uint32_t slots)
{
    struct ring ring = { 0 };
    assert_int_equal(fg_gpu_picks_create(s->gpu, slots, &ring.picks), FG_OK);
    for (uint32_t i = 0; i < slots; i++) {
        assert_int_equal(fg_compute_graph_create(bed.compute, NULL, &ring.graphs[i]), FG_OK);
        const struct fg_compute_sink sink = fg_compute_graph_sink(ring.graphs[i]);
        assert_int_equal(fg_gpu_picks_add(ring.picks, i, s->all, &sink), FG_OK);
    }
    assert_int_equal(fg_gpu_picks_add(ring.picks, slots, s->all, &s->sink), FG_ERR_ARGUMENT);
    return ring;
}

static void close_ring(struct ring *ring)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        fg_compute_graph_destroy(ring->graphs[i]);
    }
    fg_gpu_picks_destroy(ring->picks);
}

static uint64_t ask(struct ring *ring, uint32_t purpose, const struct fg_gpu_pick_request *request)
{
    uint64_t id = 0;
    assert_int_equal(fg_gpu_picks_ask(ring->picks, purpose, request, &id), FG_OK);
    return id;
}

/** Run what a slot was taken for. Whether anyone knows that it has completed is another matter. */
static uint32_t take(struct ring *ring, uint64_t serial)
{
    const uint32_t slot = fg_gpu_picks_take(ring->picks, serial);
    if (slot != FG_NONE) {
        compute_bed_run(&bed, ring->graphs[slot]);
    }
    return slot;
}

static void each_pick_is_that_of_the_cpu(void **state)
{
    (void)state;
    uint32_t hits = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        struct ring ring = open_ring(&s, SLOTS);
        struct fg_engine *engine = NULL;
        struct fg_query *query = NULL;
        assert_int_equal(fgi_engine_cpu_create(NULL, plain.trace, &engine), FG_OK);
        assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
        for (uint64_t i = 1; i <= PICKS; i++) {
            struct fg_gpu_pick_request request = { .time_ns = some_time(),
                                                   .tolerance_ns = plain_below(&plain, 50) };
            struct fg_gpu_pick_answer answer;
            uint32_t expected = 0;
            if (!some_target(&request.kind, &request.index)) {
                continue;
            }
            const struct fg_pick_request same = { .target = { .kind = (uint8_t)request.kind,
                                                              .index = request.index },
                                                  .time_ns = request.time_ns,
                                                  .tolerance_ns = request.tolerance_ns };
            assert_int_equal(fg_query_pick(query, &same, &expected), FG_OK);
            const uint64_t id = ask(&ring, (uint32_t)i % 2, &request);
            assert_true(take(&ring, i) < SLOTS);
            assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_ERR_BUSY);
            fg_gpu_picks_complete(ring.picks, i);
            assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
            assert_true(answer.id == id && answer.purpose == i % 2);
            assert_int_equal(answer.row, expected);
            assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_ERR_NOT_FOUND);
            hits += expected != FG_NONE;
        }
        fg_query_destroy(query);
        fgi_engine_destroy(engine);
        close_ring(&ring);
        close_scene(&s);
    }
    assert_true(hits > SEEDS);
}

static void a_full_ring_defers_and_keeps_the_newest(void **state)
{
    (void)state;
    struct scene s = open_scene(3);
    struct ring ring = open_ring(&s, SLOTS);
    struct fg_gpu_picks_counts counts;
    struct fg_gpu_pick_answer answer;
    struct fg_gpu_pick_request request = { .time_ns = 1, .tolerance_ns = UINT64_MAX };
    uint64_t ids[8];
    assert_int_equal(fg_gpu_picks_take(ring.picks, 1), FG_NONE);
    for (uint32_t i = 0; i < SLOTS; i++) {
        ids[i] = ask(&ring, FG_GPU_PICK_HOVER, &request);
        assert_int_equal(take(&ring, i + 1), i);
    }
    /* Nobody has said that anything has completed: three moves and a click wait. */
    for (uint32_t i = 3; i < 6; i++) {
        ids[i] = ask(&ring, FG_GPU_PICK_HOVER, &request);
        assert_int_equal(take(&ring, i + 1), FG_NONE);
        assert_int_equal(take(&ring, i + 1), FG_NONE);
    }
    ids[6] = ask(&ring, FG_GPU_PICK_SELECT, &request);
    ids[7] = ask(&ring, FG_GPU_PICK_HOVER, &request);
    fg_gpu_picks_get_counts(ring.picks, &counts);
    assert_true(counts.asked == 8 && counts.deferred == 3 && counts.replaced == 3);
    assert_true(counts.in_flight == 3 && counts.waiting == 2 && counts.answered == 0);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_ERR_BUSY);
    /* Of two moves that have completed the newer one is told; the click goes before the move. */
    fg_gpu_picks_complete(ring.picks, 2);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
    assert_true(answer.id == ids[1]);
    assert_true(take(&ring, 10) < SLOTS);
    assert_true(take(&ring, 11) < SLOTS);
    fg_gpu_picks_complete(ring.picks, 10);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
    assert_true(answer.id == ids[2]);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
    assert_true(answer.id == ids[6] && answer.purpose == FG_GPU_PICK_SELECT);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_ERR_BUSY);
    fg_gpu_picks_complete(ring.picks, 11);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
    assert_true(answer.id == ids[7]);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_ERR_NOT_FOUND);
    fg_gpu_picks_get_counts(ring.picks, &counts);
    assert_true(counts.answered == 4 && counts.stale == 1 && counts.waiting == 0);
    assert_int_equal(counts.in_flight, 0);
    request.index = UINT32_MAX;
    assert_int_equal(fg_gpu_picks_ask(ring.picks, 0, &request, ids), FG_ERR_ARGUMENT);
    close_ring(&ring);
    close_scene(&s);
}

static void hovering_rewrites_one_word(void **state)
{
    (void)state;
    struct scene s = open_scene(4);
    struct ring ring = open_ring(&s, 1);
    struct fg_gpu_pick_request request = { .time_ns = 1000, .tolerance_ns = 3 };
    struct fg_gpu_pick_answer answer;
    struct fg_compute_counts before, after;
    struct fg_gpu_picks_counts first, last;
    (void)ask(&ring, FG_GPU_PICK_HOVER, &request);
    assert_int_equal(take(&ring, 1), 0);
    fg_gpu_picks_complete(ring.picks, 1);
    assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
    for (uint64_t serial = 2; serial < 6; serial++) {
        fg_compute_get_counts(bed.compute, &before);
        fg_gpu_picks_get_counts(ring.picks, &first);
        request.time_ns += 7;
        (void)ask(&ring, FG_GPU_PICK_HOVER, &request);
        assert_int_equal(take(&ring, serial), 0);
        fg_compute_get_counts(bed.compute, &after);
        fg_gpu_picks_get_counts(ring.picks, &last);
        assert_true(after.written_bytes - before.written_bytes == sizeof(uint32_t));
        assert_true(last.written_bytes - first.written_bytes == sizeof(uint32_t));
        fg_gpu_picks_complete(ring.picks, serial);
        assert_int_equal(fg_gpu_picks_poll(ring.picks, &answer), FG_OK);
    }
    close_ring(&ring);
    close_scene(&s);
}

static int open_bed(void **state)
{
    (void)state;
    return compute_bed_create(&bed, 0) ? 0 : -1;
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
        cmocka_unit_test(rows_of_each_window_are_a_mask_a_list_and_a_draw),
        cmocka_unit_test(what_is_looked_at_follows_the_window),
        cmocka_unit_test(each_pick_is_that_of_the_cpu),
        cmocka_unit_test(a_full_ring_defers_and_keeps_the_newest),
        cmocka_unit_test(hovering_rewrites_one_word),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
