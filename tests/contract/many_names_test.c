/* SPDX-License-Identifier: MIT */
/* A trace in which nearly every span has a name of its own: what names cost grows with them. */
#include "engine/cpu/engine_cpu.h"
#include "trace/build.h"
#include <frameglass/trace_find.h>
#include "support/cmocka_all.h"
#include <stdio.h>
#include <stdlib.h>

enum { EXTRA = 5000 }; /* spans whose names are there already */

static uint32_t *ids; /* by number of the name: its text id */

/* Span i has name i % NAMES and is 1 + i % 1009 ns long. */
static uint64_t length_of(uint32_t i)
{
    return 1 + i % 1009;
}

static struct fg_trace *make(void)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
    for (uint32_t i = 0; i < NAMES; i++) {
        char text[32];
        int size = snprintf(text, sizeof text, "Span %06x", i);
        ids[i] = fgi_builder_text(b, text, (size_t)size);
    }
    for (uint32_t i = 0; i < NAMES + EXTRA; i++) {
        int64_t start = (int64_t)i * 1100;
        struct fgi_span_in span =
            fgi_span_in_make(0, ids[i % NAMES], start, start + (int64_t)length_of(i));
        (void)fgi_builder_span(b, &span);
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    return trace;
}

static void check_stats(struct fg_query *query, uint32_t *number_of)
{
    struct fg_stats_reply reply;
    uint64_t sum_ns = 0, before_ns = UINT64_MAX;
    const struct fg_stats_request request = { .figures = FG_STATS_TOTALS };
    assert_int_equal(fg_query_stats(query, &request, &reply), FG_OK);
    assert_int_equal(reply.count, NAMES);
    for (uint32_t i = 0; i < reply.count; i++) {
        const struct fg_stats_row *row = &reply.rows[i];
        uint32_t name = number_of[row->key];
        bool is_twice = name < EXTRA;
        uint64_t total_ns = length_of(name) + (is_twice ? length_of(name + NAMES) : 0);
        assert_true(name < NAMES && row->count == 1u + is_twice && row->total_ns == total_ns);
        assert_true(row->total_ns <= before_ns);
        before_ns = row->total_ns;
        number_of[row->key] = NAMES; /* once */
        sum_ns += total_ns;
    }
    assert_true(reply.sum_ns == sum_ns);
}

static void a_million_names_are_counted_found_and_filtered_each_for_itself(void **state)
{
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    struct fg_trace_info info;
    struct fg_search_reply search;
    uint32_t filter = 0, rows = 0;
    (void)state;
    ids = calloc(NAMES, sizeof *ids);
    struct fg_trace *trace = make();
    uint32_t *number_of = calloc((size_t)ids[NAMES - 1] + 1, sizeof *number_of);
    assert_non_null(number_of);
    for (uint32_t i = 0; i < NAMES; i++) {
        number_of[ids[i]] = i;
    }
    fg_trace_get_info(trace, &info);
    assert_true(info.spans == NAMES + EXTRA);
    assert_int_equal(fgi_engine_cpu_create(NULL, trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
    check_stats(query, number_of);
    fg_query_reset(query);
    assert_int_equal(
        fg_query_search(query, &(struct fg_search_request){ .text = "sPAN 00012c" }, &search),
        FG_OK);
    assert_int_equal(search.total, 2); /* name 300, and its second span */
    assert_int_equal(search.spans[1].row, NAMES + 300);
    assert_int_equal(
        fg_query_filter_create(query, &(struct fg_filter_terms){ .text = "00ab" }, &filter, &rows),
        FG_OK);
    /* Of six digits these four may stand at three places. */
    uint32_t expected = 0;
    for (uint32_t i = 0; i < NAMES + EXTRA; i++) {
        uint32_t name = i % NAMES;
        expected += name >> 8 == 0xab || (name >> 4 & 0xffff) == 0xab || (name & 0xffff) == 0xab;
    }
    assert_int_equal(rows, expected);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    fgi_trace_destroy(trace);
    free(number_of);
    free(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_names_are_counted_found_and_filtered_each_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
