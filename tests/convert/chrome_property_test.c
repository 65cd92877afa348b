/* SPDX-License-Identifier: MIT */
/*
 * However the bytes come, the trace is the same; whatever they are, nothing is read that is not
 * there; whoever refuses memory, nothing is lost; and nothing takes time that grows with the
 * square.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "chrome_support.h"
#include "cmocka_all.h"
#include "failing_memory.h"

#include <stdio.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__ /* each allocation is many times as dear there */
enum { MANY = 20000, ROUNDS = 400 };
#else
enum { MANY = 200000, ROUNDS = 3000 };
#endif

/* A little of everything, sound and not. */
static const char everything[] =
    "{\"schemaVersion\":1,\"other\":{\"a\":[1,\"two\",{}]},\"traceEvents\":[,{},\n"
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"p\\u00e9\"}},\n"
    "{\"args\":{\"s\":\"}]\\\"{\",\"l\":[1,2.5,null,{\"k\":-3}]},\"ph\":\"X\",\"name\":\"a\","
    "\"cat\":\"c\","
    "\"pid\":1,\"tid\":1,\"ts\":10.125,\"dur\":20,\"tts\":4},\n"
    "{\"ph\":\"B\",\"name\":\"b\\t\xff\",\"pid\":1,\"tid\":1,\"ts\":12,\"stack\":[\"x\",\"y\"]}\n"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":\"1\",\"ts\":\"1.4e1\",\"args\":{\"r\":true}},\n"
    "{\"ph\":\"X\",\"name\":\"un\"quoted\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},\n"
    "{\"ph\":\"b\",\"name\":\"o\",\"cat\":\"n\",\"id2\":{\"local\":\"0x1\"},\"pid\":1,\"ts\":1},"
    "{\"ph\":\"e\",\"name\":\"o\",\"cat\":\"n\",\"id2\":{\"local\":\"0x1\"},\"pid\":1,\"ts\":9},\n"
    "{\"ph\":\"s\",\"id\":1,\"pid\":1,\"tid\":1,\"ts\":12},{\"ph\":\"f\",\"id\":1,\"bp\":\"e\","
    "\"pid\":1,"
    "\"tid\":1,\"ts\":30},\n"
    "{\"ph\":\"C\",\"name\":\"n\",\"pid\":1,\"ts\":3,\"args\":{\"v\":1,\"w\":1.5,\"x\":NaN}},\n"
    "{\"ph\":\"i\",\"name\":\"tick\",\"ts\":5,\"pid\":2,\"tid\":-7,\"s\":\"p\"},[1],\n"
    "{\"ph\":\"N\",\"name\":\"Obj\",\"id\":\"0x5\",\"pid\":1,\"ts\":2},"
    "{\"ph\":\"D\",\"name\":\"Obj\",\"id\":\"0x5\",\"pid\":1,\"ts\":8},\n"
    "{\"ph\":\"v\",\"id\":\"1\",\"pid\":1,\"ts\":4,\"args\":{\"dumps\":{\"allocators\":{\"malloc\":"
    "{"
    "\"attrs\":{\"size\":{\"type\":\"scalar\",\"units\":\"bytes\",\"value\":\"ff0\"}}}}}}},\n"
    "{\"ph\":\"P\",\"name\":\"s\",\"pid\":1,\"tid\":1,\"ts\":6,\"sf\":2},\n"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":40,\"dur\":3,"
    "\"args\":{\"correlation\":3}},{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"l\",\"pid\":1,"
    "\"tid\":1,\"ts\":33,\"dur\":2,\"args\":{\"correlation\":3}},],\n"
    "\"stackFrames\":{\"1\":{\"name\":\"f\"},\"2\":{\"name\":\"g\",\"parent\":1}},"
    "\"displayTimeUnit\":\"ns\"}";

static uint64_t print_of(struct chrome_input *input, size_t piece_bytes)
{
    struct fg_trace *trace = chrome_import(input, piece_bytes, NULL, NULL);
    assert_non_null(trace);
    uint64_t print = chrome_print(trace);
    fgi_trace_destroy(trace);
    return print;
}

static void the_size_of_pieces_changes_nothing(void **state)
{
    (void)state;
    struct chrome_input input;
    chrome_input(&input, everything, sizeof everything - 1);
    uint64_t whole = print_of(&input, 0);
    for (size_t piece = 1; piece < sizeof everything; piece += piece < 40 ? 1 : 37) {
        if (print_of(&input, piece) != whole) {
            fail_msg("pieces of %u bytes make another trace", (unsigned)piece);
        }
    }
}

/* Read ahead on another thread, in pieces of any size. */
static void a_second_thread_changes_nothing(void **state)
{
    (void)state;
    struct chrome_input input;
    chrome_input(&input, everything, sizeof everything - 1);
    uint64_t whole = print_of(&input, 0);
    for (size_t piece = 1; piece < sizeof everything; piece += piece < 40 ? 1 : 37) {
        const struct fgi_chrome_options options = { .piece_bytes = piece, .threads = 2 };
        struct fg_trace *trace = NULL;
        assert_int_equal(fgi_import_chrome(&input.source, &options, NULL, &trace), FG_OK);
        bool is_same = chrome_print(trace) == whole;
        fgi_trace_destroy(trace);
        if (!is_same) {
            fail_msg("pieces of %u bytes make another trace", (unsigned)piece);
        }
    }
}

/* Long enough that reading ahead goes round its pieces, stops at what is odd, and goes on. */
static void reading_ahead_and_not_are_the_same_trace(void **state)
{
    (void)state;
    struct fgi_bytes bytes = { 0 };
    struct chrome_input input;
    char event[300];
    fgi_put_raw(&bytes, "[", 1);
    for (int i = 0; i < 60000; i++) {
        int size = snprintf(
            event, sizeof event,
            "%s{\"ph\":\"%s\",\"name\":\"n%d%s\",\"pid\":1,\"tid\":%d,\"ts\":%d.5,\"dur\":%d,"
            "\"args\":{\"a\":\"%s\"}}",
            i == 0 || i % 9973 == 0 ? "" : ",\n", i % 11 == 0 ? "i" : "X", i % 700,
            i % 7001 == 0 ? "\t" : "", i % 13, i * 3, i % 17 == 0 ? -2 : i % 50,
            i % 5 == 0 ? "}\\\"{" : "b");
        fgi_put_raw(&bytes, event, (size_t)size);
    }
    fgi_put_raw(&bytes, "]", 1);
    chrome_input(&input, bytes.data, bytes.size);
    uint64_t prints[2] = { 0 };
    for (unsigned i = 0; i < 2; i++) {
        const struct fgi_chrome_options options = { .threads = 1 + i };
        struct fg_trace *trace = NULL;
        assert_int_equal(fgi_import_chrome(&input.source, &options, NULL, &trace), FG_OK);
        assert_int_equal(chrome_repairs(trace, "missing_comma", NULL), 6);
        prints[i] = chrome_print(trace);
        fgi_trace_destroy(trace);
    }
    assert_int_equal(prints[0], prints[1]);
    fgi_bytes_finish(&bytes);
}

/* A source that gives all but the first `at` bytes later. */
struct split {
    size_t at;
};
static enum fg_result read_split(void *context, uint64_t offset, void *bytes, size_t size,
                                 size_t *out_read)
{
    const struct split *split = context;
    size_t all = sizeof everything - 1;
    size_t end = offset < split->at ? split->at : all;
    *out_read = offset < end ? end - (size_t)offset : 0;
    *out_read = *out_read < size ? *out_read : size;
    memcpy(bytes, everything + offset, *out_read);
    return FG_OK;
}
static enum fg_result size_split(void *context, uint64_t *out_size)
{
    (void)context;
    *out_size = sizeof everything - 1;
    return FG_OK;
}

static void a_border_at_any_byte_changes_nothing(void **state)
{
    (void)state;
    struct chrome_input whole;
    struct split split;
    struct chrome_input input = { .source = { read_split, size_split, &split } };
    chrome_input(&whole, everything, sizeof everything - 1);
    uint64_t print = print_of(&whole, 0);
    for (split.at = 4; split.at < sizeof everything; split.at++) {
        if (print_of(&input, 0) != print) {
            fail_msg("a border at byte %u makes another trace", (unsigned)split.at);
        }
    }
}

static void a_file_that_is_cut_anywhere_keeps_what_was_whole(void **state)
{
    (void)state;
    uint64_t before = 0;
    for (size_t size = 120; size < sizeof everything; size++) {
        struct chrome_input input;
        enum fg_result result;
        struct fg_diag diag;
        chrome_input(&input, everything, size);
        struct fg_trace *trace = chrome_import(&input, 0, &result, &diag);
        if (trace == NULL) {
            assert_int_equal(result, FG_ERR_FORMAT);
            continue;
        }
        uint64_t spans = chrome_info(trace).spans;
        assert_true(spans >= before);
        before = spans;
        fgi_trace_destroy(trace);
    }
}

static void changed_bytes_are_never_more_than_a_repair(void **state)
{
    (void)state;
    char text[sizeof everything];
    uint64_t random = 7;
    for (int round = 0; round < ROUNDS; round++) {
        struct chrome_input input;
        memcpy(text, everything, sizeof text);
        for (int i = 0; i < 1 + round % 6; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            text[(random >> 33) % (sizeof text - 1)] = "{}[]\",:\\0-e\0\xff x"[random >> 20 & 15];
        }
        chrome_input(&input, text, sizeof text - 1);
        struct fg_trace *trace = chrome_import(&input, 64, NULL, NULL);
        if (trace != NULL) {
            (void)chrome_print(trace);
            fgi_trace_destroy(trace);
        }
    }
}

/* Import with all allocations refused from `attempt` on. */
static enum fg_result import_refused(long attempt, unsigned threads)
{
    struct failing failing = { .countdown = attempt };
    struct fg_allocator allocator = failing_allocator(&failing);
    const struct fgi_chrome_options options = { .allocator = &allocator,
                                                .piece_bytes = 100,
                                                .threads = threads };
    struct chrome_input input;
    struct fg_trace *trace = NULL;
    chrome_input(&input, everything, sizeof everything - 1);
    enum fg_result result = fgi_import_chrome(&input.source, &options, NULL, &trace);
    for (uint32_t row = 0; trace != NULL && row < 5 && result == FG_OK; row++) {
        struct fg_trace_arg args[16];
        uint32_t count;
        result = fg_trace_span_args(trace, row, args, 16, &count);
    }
    fgi_trace_destroy(trace);
    assert_int_equal(failing.alive, 0);
    assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
    return result;
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    long attempt = 0;
    while (import_refused(attempt, 1) != FG_OK && attempt < 20000) {
        attempt++;
    }
    assert_true(attempt > 50 && attempt < 20000);
    /* Without the memory for a second thread there is none: that is no failure. */
    for (long i = 0; i < attempt; i++) {
        (void)import_refused(i, 2);
    }
}

/* ---- much of one thing ----------------------------------------------------------------------- */

static void put(struct fgi_bytes *bytes, const char *text)
{
    fgi_put_raw(bytes, text, strlen(text));
}

/* MANY events; each %d of the format is the number of the event. */
static struct fg_trace *import_many(struct fgi_bytes *bytes, struct chrome_input *input,
                                    const char *before, const char *format, const char *after)
{
    char event[300];
    put(bytes, "[");
    put(bytes, before);
    for (int i = 0; i < MANY; i++) {
        snprintf(event, sizeof event, format, i, i, i, i);
        put(bytes, event);
    }
    put(bytes, after);
    assert_int_equal(bytes->result, FG_OK);
    chrome_input(input, bytes->data, bytes->size);
    struct fg_trace *trace = chrome_import(input, 0, NULL, NULL);
    assert_non_null(trace);
    return trace;
}

static void much_of_one_thing_takes_no_longer_than_it_should(void **state)
{
    (void)state;
    static const char *const formats[] = {
        "{\"ph\":\"B\",\"name\":\"n%d\",\"pid\":1,\"tid\":1,\"ts\":%d},",
        "{\"ph\":\"b\",\"name\":\"n%d\",\"cat\":\"c\",\"pid\":1,\"id\":1,\"ts\":%d},",
        "{\"ph\":\"b\",\"name\":\"n\",\"cat\":\"c\",\"pid\":1,\"id\":%d,\"ts\":%d},",
        "{\"ph\":\"X\",\"name\":\"n%d\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":1},",
        "{\"ph\":\"s\",\"name\":\"n\",\"cat\":\"c\",\"pid\":1,\"tid\":1,\"id\":1,\"ts\":%d},",
        "{\"ph\":\"Q\",\"name\":\"n%d\"}{[",
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct fgi_bytes bytes = { 0 };
        struct chrome_input input;
        struct fg_trace *trace = import_many(&bytes, &input, "", formats[i], "]");
        const struct fg_trace_info info = chrome_info(trace);
        assert_int_equal(info.spans, i < 4 ? MANY : 0);
        assert_int_equal(info.unfinished, i < 3 ? MANY : 0);
        fgi_trace_destroy(trace);
        fgi_bytes_finish(&bytes);
    }
}

static void deep_nesting_is_bounded(void **state)
{
    (void)state;
    struct fgi_bytes bytes = { 0 };
    struct chrome_input input;
    char text[64];
    put(&bytes, "{\"deep\":");
    for (int i = 0; i < 100000; i++) {
        put(&bytes, "[");
    }
    for (int i = 0; i < 100000; i++) {
        put(&bytes, "]");
    }
    put(&bytes,
        ",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,"
        "\"args\":{\"a\":");
    for (int i = 0; i < 100000; i++) {
        put(&bytes, "[");
    }
    for (int i = 0; i < 100000; i++) {
        put(&bytes, "]");
    }
    put(&bytes, "}}]}");
    chrome_input(&input, bytes.data, bytes.size);
    struct fg_trace *trace = chrome_import(&input, 0, NULL, NULL);
    assert_non_null(trace);
    assert_int_equal(chrome_info(trace).spans, 1);
    assert_string_equal(chrome_argument(trace, 0, "a", text, sizeof text), "group");
    fgi_trace_destroy(trace);
    fgi_bytes_finish(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_of_pieces_changes_nothing),
        cmocka_unit_test(a_second_thread_changes_nothing),
        cmocka_unit_test(reading_ahead_and_not_are_the_same_trace),
        cmocka_unit_test(a_border_at_any_byte_changes_nothing),
        cmocka_unit_test(a_file_that_is_cut_anywhere_keeps_what_was_whole),
        cmocka_unit_test(changed_bytes_are_never_more_than_a_repair),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(much_of_one_thing_takes_no_longer_than_it_should),
        cmocka_unit_test(deep_nesting_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
