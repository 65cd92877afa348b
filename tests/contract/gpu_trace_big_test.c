/* SPDX-License-Identifier: MIT */
/*
 * More rows than fit into one view of a column (64 MiB) and than groups of 256 in one dimension of
 * a dispatch (65,535): nothing stops at either limit, and nothing is left out in silence.
 */
#include "compute_bed.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include "trace/model.h"
#include <frameglass/gpu_trace_numbers.h>
#include <frameglass/gpu_trace_views.h>
#include <stdlib.h>

enum { ROWS = 20000003, TRACKS = 2, PIECE = 1 << 16, STEP_NS = 10, WANTED_NS = 7, WIDTH_PX = 300 };
#define RING_BYTES (UINT64_C(16) << 20)

static struct compute_bed bed;
static struct fg_trace *trace;

/* Of each row: pieces go to the tracks in turn, and every span is over before the next begins. */
static uint32_t track_of(uint32_t row)
{
    return row / PIECE % TRACKS;
}
static int64_t start_of(uint32_t row)
{
    return (int64_t)row * STEP_NS;
}
static int64_t duration_of(uint32_t row)
{
    return (row * UINT32_C(2654435761)) >> 29;
}

static void make_trace(void)
{
    static int64_t starts[PIECE], ends[PIECE];
    static uint32_t names[PIECE];
    struct fgi_builder *b = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    for (int i = 0; i < TRACKS; i++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, true);
    }
    const uint32_t name = fgi_builder_cstr(b, "span");
    for (uint32_t first = 0; first < ROWS; first += PIECE) {
        const uint32_t count = ROWS - first < PIECE ? ROWS - first : PIECE;
        for (uint32_t i = 0; i < count; i++) {
            starts[i] = start_of(first + i);
            ends[i] = starts[i] + duration_of(first + i);
            names[i] = name;
        }
        (void)fgi_builder_spans(b, &(const struct fgi_spans_in){ .track = track_of(first),
                                                                 .classes = FG_CLASS_ZONE,
                                                                 .count = count,
                                                                 .start_ns = starts,
                                                                 .end_ns = ends,
                                                                 .name = names });
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
}

struct scene {
    struct fg_gpu_trace *gpu;
    struct fg_compute_graph *graph;
    struct fg_compute_sink sink;
};

static void run(struct scene *s)
{
    compute_bed_run(&bed, s->graph);
    fg_compute_graph_clear(s->graph);
}

static void upload(struct scene *s)
{
    struct fg_compute_ring *ring = NULL;
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, RING_BYTES, &ring),
                     FG_OK);
    for (uint64_t serial = 1; fg_gpu_trace_upload(s->gpu, &s->sink, ring, serial, 0) == FG_OK;
         serial++) {
        run(s);
        fg_compute_ring_complete(ring, serial);
    }
    fg_compute_ring_destroy(ring);
}

static uint32_t read_word(struct fg_compute_view view, uint64_t at)
{
    uint32_t word = 0;
    compute_bed_read(&bed, fg_compute_view_part(view, at * sizeof word, sizeof word), &word);
    return word;
}

/* Which chunk of a list of words has one, and where. */
struct place {
    uint32_t chunk;
    uint64_t at;
};
static struct place place_of(struct fg_compute_view first_chunk, uint64_t word)
{
    const uint64_t words = first_chunk.size_bytes / sizeof(uint32_t);
    return (struct place){ (uint32_t)(word / words), word % words };
}

/* The mask, word by word where limits are near, and how many pass. */
static uint32_t check_filter(struct scene *s, struct fg_gpu_filter *filter)
{
    const uint32_t near[] = { 0, 65535 * 256, 1 << 23, 1 << 24, ROWS - 64 };
    uint32_t count = 0;
    assert_int_equal(fg_gpu_filter_judge(filter, &s->sink), FG_OK);
    run(s);
    for (uint32_t row = 0; row < ROWS; row++) {
        count += duration_of(row) >= WANTED_NS;
    }
    assert_int_equal(read_word(fg_gpu_filter_count(filter), 0), count);
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        const uint32_t row = near[i] / 32 * 32;
        const struct place place = place_of(fg_gpu_filter_chunk(filter, 0), row / 32);
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 32; k++) {
            bits |= (uint32_t)(duration_of(row + k) >= WANTED_NS) << k;
        }
        assert_int_equal(read_word(fg_gpu_filter_chunk(filter, place.chunk), place.at), bits);
    }
    return count;
}

/* Rows by track: each at a place that its predecessors decide. */
static void check_order(const struct fg_gpu_population *population)
{
    uint64_t position = 0;
    const enum fg_gpu_population_column column = FG_GPU_POPULATION_ROWS;
    assert_true(fg_gpu_population_chunk_count(population, column) > 1);
    for (uint32_t track = 0; track < TRACKS; track++) {
        for (uint32_t first = track * PIECE; first < ROWS; first += TRACKS * PIECE) {
            const struct place place =
                place_of(fg_gpu_population_chunk(population, column, 0), position);
            assert_int_equal(
                read_word(fg_gpu_population_chunk(population, column, place.chunk), place.at),
                first);
            position += ROWS - first < PIECE ? ROWS - first : PIECE;
        }
    }
    assert_int_equal(position, ROWS);
    assert_int_equal(read_word(fg_gpu_population_state(population), 0), 0);
}

static void check_sums(struct scene *s, const struct fg_gpu_filter *filter, uint32_t count)
{
    struct fg_gpu_numbers *numbers = NULL;
    struct fg_gpu_group group;
    uint64_t sum_ns = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        sum_ns += duration_of(row) >= WANTED_NS ? (uint64_t)duration_of(row) : 0;
    }
    assert_int_equal(fg_gpu_numbers_create(FG_GPU_NUMBERS_OPTIONS(.gpu = s->gpu, .filter = filter,
                                                                  .by = FG_AGGREGATE_ALL),
                                           &numbers),
                     FG_OK);
    assert_int_equal(fg_gpu_numbers_add_groups(numbers, &s->sink), FG_OK);
    run(s);
    compute_bed_read(&bed,
                     fg_compute_view_part(fg_gpu_numbers_group_chunk(numbers, 0), 0, sizeof group),
                     &group);
    assert_int_equal(group.count, count);
    assert_true((group.sum[0] | (uint64_t)group.sum[1] << 32) == sum_ns);
    fg_gpu_numbers_destroy(numbers);
}

/* All of it at once, and the last few rows one by one. */
static void check_view(struct scene *s, const struct fg_gpu_population *population, bool is_whole)
{
    enum { LAST = 100, SPANS = 4096 };
    const struct fg_gpu_view_window window = {
        .start_ns = is_whole ? 0 : start_of(ROWS - LAST),
        .end_ns = start_of(ROWS),
        .width_px = WIDTH_PX,
        .detail = is_whole ? FG_DETAIL_DENSITY : FG_DETAIL_EXACT,
    };
    const struct fg_gpu_view_sizes sizes = {
        .gpu = s->gpu, .targets = TRACKS, .slots = TRACKS * (2 * WIDTH_PX + 4), .spans = SPANS
    };
    struct fg_gpu_view_target targets[TRACKS];
    struct fg_gpu_view_answer answers[TRACKS];
    struct fg_gpu_view_results results;
    struct fg_gpu_view *view = NULL;
    uint32_t starts = 0;
    for (uint32_t i = 0; i < TRACKS; i++) {
        targets[i] = (struct fg_gpu_view_target){ .lane = i, .previous_mode = FG_VIEW_NONE };
    }
    assert_int_equal(fg_gpu_view_create(&sizes, &view), FG_OK);
    assert_int_equal(fg_gpu_view_ask(view, &window, targets, TRACKS), FG_OK);
    assert_int_equal(fg_gpu_view_add(view, population, &s->sink), FG_OK);
    run(s);
    fg_gpu_view_get_results(view, &results);
    compute_bed_read(&bed, fg_compute_view_part(results.answers, 0, sizeof answers), answers);
    for (uint32_t i = 0; i < TRACKS; i++) {
        starts += answers[i].starts;
    }
    assert_int_equal(is_whole ? starts : read_word(results.totals, 1), is_whole ? ROWS : LAST);
    fg_gpu_view_destroy(view);
}

static void limits_of_bindings_and_dispatches_silence_no_row(void **state)
{
    (void)state;
    struct scene s = { 0 };
    struct fg_gpu_filter *filter = NULL;
    struct fg_gpu_population *population = NULL;
    const struct fg_filter_terms terms = { .min_duration_ns = WANTED_NS };
    assert_int_equal(
        fg_gpu_trace_create(FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = trace), &s.gpu),
        FG_OK);
    assert_true(fg_gpu_trace_chunk_count(s.gpu, FG_GPU_COLUMN_START) > 1);
    assert_int_equal(fg_compute_graph_create(bed.compute, NULL, &s.graph), FG_OK);
    s.sink = fg_compute_graph_sink(s.graph);
    upload(&s);
    assert_int_equal(fg_gpu_filter_create(s.gpu, &terms, NULL, &filter), FG_OK);
    check_sums(&s, filter, check_filter(&s, filter));
    assert_int_equal(fg_gpu_population_create(s.gpu, NULL, ROWS, 0, &population), FG_OK);
    assert_int_equal(fg_gpu_population_build(population, &s.sink), FG_OK);
    run(&s);
    check_order(population);
    check_view(&s, population, true);
    check_view(&s, population, false);
    fg_compute_graph_destroy(s.graph);
    fg_gpu_population_destroy(population);
    fg_gpu_filter_destroy(filter);
    fg_gpu_trace_destroy(s.gpu);
}

static int open_bed(void **state)
{
    (void)state;
    if (!compute_bed_create(&bed, 0)) {
        return -1;
    }
    make_trace();
    return 0;
}

static int close_bed(void **state)
{
    (void)state;
    fgi_trace_destroy(trace);
    compute_bed_destroy(&bed);
    return bed.messages == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_bindings_and_dispatches_silence_no_row),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
