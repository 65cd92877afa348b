/* SPDX-License-Identifier: MIT */
/* What runs on several threads, with enough to do: to be watched by a race detector. */
#include "base/parallel.h"
#include "base/alloc.h"
#include "cmocka_all.h"
#include "convert/capture_to_trace.h"
#include "convert/exporter.h"
#include "engine/cpu/engine_cpu.h"
#include "trace/build.h"
#include <frameglass/capture.h>
#include <frameglass/trace_aggregate.h>

#include <string.h>

/* Nine blocks and a bit, so that blocks are shared between readers. */
enum { TRACKS = 4, SPANS = 9 * 65536 + 100, NAMES = 7, BLOCKS_EACH = 200 };

struct round {
    const struct fg_allocator *allocator;
    unsigned calls[FGI_PARALLEL_MAX];
    bool is_sound[FGI_PARALLEL_MAX];
};

static void allocate_much(void *context, unsigned worker)
{
    struct round *round = context;
    bool is_sound = true;
    round->calls[worker]++;
    for (unsigned i = 1; i <= BLOCKS_EACH; i++) {
        unsigned char *block = fgi_malloc(round->allocator, i);
        if (block) {
            memset(block, (int)worker, i);
            is_sound &= block[i - 1] == worker;
        }
        fgi_free(round->allocator, block, i);
    }
    round->is_sound[worker] = is_sound;
}

static void every_worker_runs_once_and_they_share_an_allocator(void **state)
{
    struct fgi_shared_allocator shared;
    (void)state;
    assert_int_equal(fgi_shared_allocator_init(&shared, NULL), FG_OK);
    for (unsigned workers = 1; workers <= FGI_PARALLEL_MAX; workers++) {
        struct round round = { .allocator = &shared.allocator };
        fgi_parallel(NULL, workers, allocate_much, &round);
        for (unsigned i = 0; i < FGI_PARALLEL_MAX; i++) {
            assert_int_equal(round.calls[i], i < workers);
            assert_int_equal(round.is_sound[i], i < workers);
        }
    }
    fgi_shared_allocator_finish(&shared);
}

/* On every track pairs of a span and its child, one after the other. */
static struct fg_trace *make_trace(uint64_t *out_sum)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    uint32_t names[NAMES], tracks[TRACKS];
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    for (uint32_t i = 0; i < NAMES; i++) {
        names[i] = fgi_builder_cstr(b, &"abcdefg"[i]);
    }
    uint32_t process = fgi_builder_process(b, names[0], 1);
    uint32_t clock = fgi_builder_clock(b, &(struct fg_trace_clock){ .name = names[0] });
    for (uint32_t i = 0; i < TRACKS; i++) {
        struct fg_trace_track track = { .name = names[i], .process = process, .clock = clock };
        tracks[i] = fgi_builder_track(b, &track, false);
    }
    for (uint32_t i = 0; i < SPANS; i++) {
        int64_t start = (int64_t)(i / (2 * TRACKS)) * 100 + (i / TRACKS % 2) * 10;
        int64_t end = start + (i / TRACKS % 2 ? 20 + i % 50 : 90);
        struct fgi_span_in span =
            fgi_span_in_make(tracks[i % TRACKS], names[i % NAMES], start, end);
        assert_int_not_equal(fgi_builder_span(b, &span), FG_NONE);
        *out_sum += (uint64_t)(end - start);
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    return trace;
}

/* As it is read ahead from a capture. */
static struct fg_trace *again(const struct fg_trace *trace)
{
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    struct fg_capture *capture = NULL;
    struct fg_trace *made = NULL;
    struct fg_diag diag = { 0 };
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    const struct fgi_export work = { .trace = trace, .sink = &sink };
    assert_int_equal(fgi_exporter_find("sgpt")->write(&work), FG_OK);
    struct fg_memory_view view;
    view.bytes = fg_memory_sink_bytes(memory, &view.size);
    struct fg_source source = fg_memory_source(&view);
    assert_int_equal(fg_capture_open(&source, NULL, &diag, &capture), FG_OK);
    assert_int_equal(fgi_capture_to_trace(capture, NULL, &diag, &made), FG_OK);
    fg_capture_close(capture);
    fg_memory_sink_destroy(memory);
    return made;
}

static void check_numbers(struct fg_trace *trace, uint64_t sum)
{
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    assert_int_equal(fgi_engine_cpu_create(NULL, trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
    const struct fg_aggregate_request request = {
        .by = FG_AGGREGATE_NAME, .figures = FG_FIGURES_PERCENTILES | FG_FIGURES_DEVIATION
    };
    struct fg_aggregate_reply groups;
    uint64_t count = 0;
    assert_int_equal(fg_query_aggregate(query, &request, &groups), FG_OK);
    assert_int_equal(groups.count, NAMES);
    uint64_t left = sum;
    for (uint32_t i = 0; i < groups.count; i++) {
        count += groups.rows[i].count;
        left -= groups.rows[i].sum;
        assert_int_equal(groups.rows[i].p95, 90);
        assert_int_equal(groups.rows[i].min, 20);
    }
    assert_int_equal(count, SPANS);
    assert_int_equal(left, 0);

    struct fg_stats_reply stats;
    assert_int_equal(fg_query_stats(query, &(struct fg_stats_request){ 0 }, &stats), FG_OK);
    left = sum;
    for (uint32_t i = 0; i < stats.count; i++) {
        left -= stats.rows[i].total_ns;
    }
    assert_int_equal(left, 0);

    struct fg_view_target target = { FG_VIEW_PROCESS, FG_VIEW_NONE, 0 };
    const struct fg_view_request whole = {
        .end_ns = SPANS / 8 * 100, .width_px = 500, .targets = &target, .target_count = 1
    };
    struct fg_view_reply view;
    assert_int_equal(fg_query_view(query, &whole, &view), FG_OK);
    assert_true(view.answers[0].bins_count > 0);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
}

static void a_large_trace_is_nested_read_ahead_and_measured_on_several_threads(void **state)
{
    uint64_t sum = 0;
    (void)state;
    struct fg_trace *trace = make_trace(&sum);
    assert_non_null(fg_trace_lane(trace, 2 * TRACKS - 1));
    assert_null(fg_trace_lane(trace, 2 * TRACKS));
    struct fg_trace *loaded = again(trace);
    fgi_trace_destroy(trace);
    assert_non_null(fg_trace_lane(loaded, 2 * TRACKS - 1));
    assert_null(fg_trace_lane(loaded, 2 * TRACKS));
    check_numbers(loaded, sum);
    fgi_trace_destroy(loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_worker_runs_once_and_they_share_an_allocator),
        cmocka_unit_test(a_large_trace_is_nested_read_ahead_and_measured_on_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
