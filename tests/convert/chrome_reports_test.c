/* SPDX-License-Identifier: MIT */
/* What people reported of other tools, tried with inputs of our own: sizes, strays, units. */
#include "../support/cmocka_all.h"

#include "chrome_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Larger than memory ---------------------------------------------------------------------- */

enum { LONG_BYTES = 48 << 20, FEW_BYTES = 16 << 20 };

/** A file that is not there as a whole: `before`, very many letters, `after`. */
struct long_input {
    const char *before;
    const char *after;
    size_t may_hold_bytes;
};

static enum fg_result long_size(void *context, uint64_t *out_size)
{
    const struct long_input *input = context;
    *out_size = strlen(input->before) + (uint64_t)LONG_BYTES + strlen(input->after);
    return FG_OK;
}

static enum fg_result long_read(void *context, uint64_t offset, void *bytes, size_t size,
                                size_t *out_read)
{
    const struct long_input *input = context;
    uint64_t letters = strlen(input->before);
    uint64_t after = letters + LONG_BYTES;
    uint64_t total = after + strlen(input->after);
    size = offset >= total ? 0 : size < total - offset ? size : (size_t)(total - offset);
    memset(bytes, 'x', size);
    for (uint64_t at = offset; at < letters && at < offset + size; at++) {
        ((char *)bytes)[at - offset] = input->before[at];
    }
    for (uint64_t at = after > offset ? after : offset; at < offset + size; at++) {
        ((char *)bytes)[at - offset] = input->after[at - after];
    }
    *out_read = size;
    return FG_OK;
}

/** What is held now, and what was at most. */
struct held {
    size_t now, most;
};

static void *resize(void *context, void *block, size_t old_size, size_t size)
{
    struct held *held = context;
    void *made = NULL;
    if (size == 0) {
        free(block);
    } else if ((made = realloc(block, size)) == NULL) {
        return NULL;
    }
    held->now += size - old_size;
    held->most = held->now > held->most ? held->now : held->most;
    return made;
}

/* Names are cut, what nobody asks for is passed over. Arguments of one event are held while it is
 * read, and not longer: it is kept where they are. */
static void a_string_of_any_length_is_read_and_not_kept(void **state)
{
    (void)state;
    struct long_input inputs[] = {
        { "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"args\":{\"s\":\"",
          "\"}},{\"ph\":\"X\",\"name\":\"b\",\"ts\":4,\"dur\":1}]", 3 * LONG_BYTES },
        { "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"",
          "\"},{\"ph\":\"X\",\"name\":\"b\",\"ts\":4,\"dur\":1}]", FEW_BYTES },
        { "{\"note\":\"",
          "\",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":2},"
          "{\"ph\":\"X\",\"name\":\"b\",\"ts\":4,\"dur\":1}]}",
          FEW_BYTES },
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct held held = { 0 };
        const struct fg_allocator allocator = { .resize = resize, .context = &held };
        const struct fgi_chrome_options options = { .allocator = &allocator };
        const struct fg_source source = { long_read, long_size, &inputs[i] };
        struct fg_trace *trace = NULL;
        assert_int_equal(fgi_import_chrome(&source, &options, NULL, &trace), FG_OK);
        assert_int_equal(chrome_info(trace).spans, 2);
        assert_int_equal(chrome_span(trace, 0).end_ns, 3000);
        assert_int_equal(chrome_span(trace, 1).start_ns, 4000);
        assert_in_range(held.now, 1, FEW_BYTES);
        assert_in_range(held.most, 1, inputs[i].may_hold_bytes);
        fgi_trace_destroy(trace);
        assert_int_equal(held.now, 0);
    }
}

/* ---- Strays in time -------------------------------------------------------------------------- */

static void what_has_no_time_does_not_stretch_the_trace(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"ph\":\"M\",\"name\":\"process_name\",\"ts\":0,\"pid\":1,\"args\":{\"name\":\"p\"}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":0,\"dur\":0,\"pid\":0,\"tid\":7},"
        "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1727000000000000,\"dur\":5,\"pid\":1,\"tid\":1},"
        "{\"ph\":\"X\",\"name\":\"open\",\"ts\":1727000000000001,\"dur\":-1,\"pid\":1,\"tid\":1},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"ts\":0,\"pid\":1,\"tid\":1,\"args\":{\"name\":"
        "\"t\"}}]";
    struct chrome_input input;
    uint64_t offset = 0;
    chrome_input(&input, text, sizeof text - 1);
    struct fg_trace *trace = chrome_import(&input, 0, NULL, NULL);
    assert_non_null(trace);
    const struct fg_trace_info info = chrome_info(trace);
    assert_int_equal(info.first_ns, 1727000000000000000);
    assert_int_equal(info.last_ns, 1727000000000005000);
    assert_int_equal(info.spans, 3);
    assert_int_equal(info.unfinished, 2);
    /* Both are told, the one with its place. */
    assert_int_equal(chrome_repairs(trace, "no_time", &offset), 1);
    assert_in_range(offset, 1, sizeof text);
    assert_memory_equal(text + offset, "{\"ph\":\"X\",\"cat\":\"kernel\"", 24);
    assert_int_equal(chrome_repairs(trace, "open_duration", NULL), 1);
    for (uint32_t row = 0; row < info.spans; row++) {
        assert_true(chrome_span(trace, row).start_ns >= info.first_ns);
        assert_true(chrome_span(trace, row).end_ns >= chrome_span(trace, row).start_ns);
    }
    fgi_trace_destroy(trace);
}

/* An event that says that it was elsewhere is kept there: nobody can know better. */
static void what_has_a_far_time_is_where_it_says(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"ph\":\"X\",\"name\":\"early\",\"ts\":0,\"dur\":1,\"pid\":1,\"tid\":1},"
        "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1727000000000000,\"dur\":5,\"pid\":1,\"tid\":1}]";
    struct chrome_input input;
    chrome_input(&input, text, sizeof text - 1);
    struct fg_trace *trace = chrome_import(&input, 0, NULL, NULL);
    assert_non_null(trace);
    assert_int_equal(chrome_info(trace).first_ns, 0);
    assert_int_equal(chrome_span(trace, 0).end_ns, 1000);
    assert_int_equal(chrome_span(trace, 1).start_ns, 1727000000000000000);
    fgi_trace_destroy(trace);
}

/* ---- Behind the end -------------------------------------------------------------------------- */

#define ONE "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}"

/* Writers that fill whole pages leave zeros there: the recording was closed all the same. */
static void what_stands_behind_the_end_does_not_open_it_again(void **state)
{
    (void)state;
    static const char json[] = "{\"traceEvents\":[" ONE "]}\n\0\0\0\0\0\0\0\0";
    for (size_t piece_bytes = 0; piece_bytes < 9; piece_bytes++) {
        struct chrome_input input;
        uint64_t offset = 0;
        chrome_input(&input, json, sizeof json - 1);
        struct fg_trace *trace = chrome_import(&input, piece_bytes, NULL, NULL);
        assert_non_null(trace);
        assert_int_equal(chrome_repairs(trace, "behind_end", &offset), 1);
        assert_int_equal(offset, strlen(json));
        assert_true(chrome_info(trace).closed);
        assert_false(chrome_info(trace).recovered);
        fgi_trace_destroy(trace);
    }
}

/* ---- Ids that are none ----------------------------------------------------------------------- */

static void an_id_that_is_a_container_is_told(void **state)
{
    (void)state;
    static const char json[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":{\"n\":1},\"tid\":[2],\"ts\":1,\"dur\":2}]";
    for (size_t piece_bytes = 0; piece_bytes < 9; piece_bytes++) {
        struct chrome_input input;
        uint64_t offset = 0;
        chrome_input(&input, json, sizeof json - 1);
        struct fg_trace *trace = chrome_import(&input, piece_bytes, NULL, NULL);
        assert_non_null(trace);
        assert_int_equal(chrome_info(trace).spans, 1);
        assert_int_equal(chrome_repairs(trace, "bad_id", &offset), 2);
        assert_int_equal(offset, 1);
        fgi_trace_destroy(trace);
    }
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* A time is microseconds, whatever unit the file wants to be shown in, and however large it is. */
static void no_unit_is_guessed(void **state)
{
    (void)state;
    static const char *const units[] = { "", "\"displayTimeUnit\":\"ns\",",
                                         "\"displayTimeUnit\":\"ms\",",
                                         "\"displayTimeUnit\":\"fortnights\"," };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        for (unsigned is_behind = 0; is_behind < 2; is_behind++) {
            char text[512];
            int size = snprintf(text, sizeof text,
                                "{%s\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":"
                                "1727000000000123,\"dur\":0.25}],%s\"z\":0}",
                                is_behind ? "" : units[i], is_behind ? units[i] : "");
            struct chrome_input input;
            chrome_input(&input, text, (size_t)size);
            struct fg_trace *trace = chrome_import(&input, 0, NULL, NULL);
            assert_non_null(trace);
            assert_int_equal(chrome_span(trace, 0).start_ns, 1727000000000123000);
            assert_int_equal(chrome_span(trace, 0).end_ns, 1727000000000123250);
            fgi_trace_destroy(trace);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_of_any_length_is_read_and_not_kept),
        cmocka_unit_test(what_has_no_time_does_not_stretch_the_trace),
        cmocka_unit_test(what_has_a_far_time_is_where_it_says),
        cmocka_unit_test(what_stands_behind_the_end_does_not_open_it_again),
        cmocka_unit_test(an_id_that_is_a_container_is_told),
        cmocka_unit_test(no_unit_is_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
