/* SPDX-License-Identifier: MIT */
/* CNATRACE: limits, what is made and written, damage, and the Chrome trace. */
#include "../support/cmocka_all.h"

#include "base/bytes.h"
#include "base/strings.h"
#include <frameglass/capture_cnatrace.h>

#include <string.h>

#define NAME(number, words)                                                                        \
    {                                                                                              \
        .id = (number), .size = sizeof(words) - 1, .text = (words)                                 \
    }

static const struct fg_cnatrace_name some_names[] = {
    NAME(3, "draw"),
    NAME(1, "update"),
    NAME(9, "quote \" and \\ and\ttab"),
};
static const struct fg_process_event some_events[] = {
    { .sequence = 1,
      .time_ns = 1234567,
      .duration_ns = 89,
      .frame = 4,
      .thread = 2,
      .correlation = 1,
      .name = 1,
      .kind = FG_PROCESS_EVENT_ZONE,
      .category = FG_CATEGORY_UPDATE },
    { .sequence = 2,
      .time_ns = 2000000,
      .frame = 4,
      .thread = 2,
      .correlation = 2,
      .value = -6,
      .name = 9,
      .kind = FG_PROCESS_EVENT_MARKER,
      .category = FG_CATEGORY_AUDIO },
    { .sequence = 3,
      .time_ns = 1000001,
      .duration_ns = 16666667,
      .frame = 4,
      .thread = 1,
      .correlation = 4,
      .name = 77,
      .kind = FG_PROCESS_EVENT_FRAME },
};

static struct fg_cnatrace *make_some(void)
{
    struct fg_cnatrace *trace = NULL;
    assert_int_equal(fg_cnatrace_create(NULL, some_names, 3, some_events, 3, 5, &trace), FG_OK);
    return trace;
}

static struct fg_memory_sink *written(const struct fg_cnatrace *trace)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_cnatrace_write(trace, &sink), FG_OK);
    return memory;
}

static enum fg_result read_bytes(const void *bytes, size_t size, struct fg_cnatrace **out_trace)
{
    struct fg_memory_view view = { bytes, size };
    const struct fg_source source = fg_memory_source(&view);
    return fg_cnatrace_read(&source, NULL, out_trace, NULL);
}

static void what_is_written_reads_as_it_was(void **state)
{
    (void)state;
    size_t size;
    struct fg_cnatrace *trace = make_some(), *again = NULL;
    struct fg_memory_sink *memory = written(trace);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    assert_int_equal(read_bytes(bytes, size, &again), FG_OK);
    assert_int_equal(again->version, 1);
    assert_int_equal(again->dropped_events, 5);
    assert_int_equal(again->event_count, 3);
    assert_memory_equal(again->events, some_events, sizeof some_events);
    assert_int_equal(again->name_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(fg_cnatrace_text(again, some_names[i].id), some_names[i].text);
    }
    assert_int_equal(again->names[0].id, 1);
    assert_int_equal(again->names[2].id, 9);
    assert_string_equal(fg_cnatrace_text(again, 77), "");
    assert_string_equal(fg_cnatrace_text(again, 0), "");
    fg_cnatrace_free(again);
    fg_memory_sink_destroy(memory);
    fg_cnatrace_free(trace);
    fg_cnatrace_free(NULL);
}

static void what_is_made_keeps_the_limits(void **state)
{
    (void)state;
    struct fg_cnatrace *trace = NULL;
    struct fg_cnatrace_name name = NAME(1, "same");
    const struct fg_cnatrace_name twice[] = { name, name };
    struct fg_process_event event = { .kind = 6 };
    static struct fg_process_event many[FG_CNATRACE_EVENTS_MAX + 1];
    static char text[FG_CNATRACE_NAME_BYTES_MAX + 1];
    struct fg_cnatrace_name large[17];
    assert_int_equal(fg_cnatrace_create(NULL, twice, 2, NULL, 0, 0, &trace), FG_ERR_ARGUMENT);
    assert_int_equal(fg_cnatrace_create(NULL, NULL, 0, &event, 1, 0, &trace), FG_ERR_ARGUMENT);
    event = (struct fg_process_event){ .category = 8 };
    assert_int_equal(fg_cnatrace_create(NULL, NULL, 0, &event, 1, 0, &trace), FG_ERR_ARGUMENT);
    assert_int_equal(fg_cnatrace_create(NULL, NULL, 1, NULL, 0, 0, &trace), FG_ERR_ARGUMENT);
    assert_int_equal(fg_cnatrace_create(NULL, NULL, 0, many, FG_CNATRACE_EVENTS_MAX + 1, 0, &trace),
                     FG_ERR_LIMIT);
    memset(text, 'n', sizeof text - 1);
    name = (struct fg_cnatrace_name){ 1, sizeof text, text };
    assert_int_equal(fg_cnatrace_create(NULL, &name, 1, NULL, 0, 0, &trace), FG_ERR_LIMIT);
    for (uint32_t i = 0; i < 17; i++) {
        large[i] = (struct fg_cnatrace_name){ i, sizeof text - 1, text };
    }
    assert_int_equal(fg_cnatrace_create(NULL, large, 17, NULL, 0, 0, &trace), FG_ERR_LIMIT);
    assert_null(trace);
    assert_int_equal(fg_cnatrace_create(NULL, large, 16, many, FG_CNATRACE_EVENTS_MAX, 0, &trace),
                     FG_OK);
    fg_cnatrace_free(trace);
}

/* As large as a file can be: every limit is reached, and none is over. */
static void the_largest_file_is_read(void **state)
{
    (void)state;
    const size_t each = FG_CNATRACE_TEXT_BYTES_MAX / FG_CNATRACE_NAMES_MAX;
    struct fgi_bytes file = { 0 };
    struct fg_cnatrace *trace = NULL;
    fgi_put_raw(&file, "CNATRACE\1\0\0\0", 12);
    fgi_put_u32(&file, FG_CNATRACE_NAMES_MAX);
    fgi_put_u64(&file, FG_CNATRACE_EVENTS_MAX);
    fgi_put_u64(&file, 0);
    for (uint32_t i = 0; i < FG_CNATRACE_NAMES_MAX; i++) {
        fgi_put_u32(&file, i * 2654435761u);
        fgi_put_u32(&file, (uint32_t)each);
        for (size_t j = 0; j < each; j++) {
            fgi_put_u8(&file, (uint8_t)('a' + (i >> (j % 16)) % 26));
        }
    }
    fgi_put_zeros(&file, (size_t)FG_CNATRACE_EVENTS_MAX * 72);
    assert_int_equal(file.result, FG_OK);
    assert_int_equal(read_bytes(file.data, file.size, &trace), FG_OK);
    assert_int_equal(trace->name_count, FG_CNATRACE_NAMES_MAX);
    for (uint32_t i = 1; i < FG_CNATRACE_NAMES_MAX; i++) {
        assert_true(trace->names[i - 1].id < trace->names[i].id);
    }
    assert_int_equal(fg_cnatrace_text(trace, 5 * 2654435761u)[0], 'a' + 5);
    fg_cnatrace_free(trace);
    fgi_put_u8(&file, 0);
    assert_int_equal(read_bytes(file.data, file.size, &trace), FG_ERR_CORRUPT);
    fgi_bytes_finish(&file);
}

static void names_that_a_repair_makes_too_long_are_cut(void **state)
{
    (void)state;
    static char text[FG_CNATRACE_NAME_BYTES_MAX];
    memset(text, 0xff, sizeof text);
    const struct fg_cnatrace_name name = { 1, sizeof text, text };
    struct fg_cnatrace *trace = NULL, *again = NULL;
    size_t size;
    assert_int_equal(fg_cnatrace_create(NULL, &name, 1, NULL, 0, 0, &trace), FG_OK);
    assert_true(trace->names[0].size > FG_CNATRACE_NAME_BYTES_MAX - 3);
    assert_true(trace->names[0].size <= FG_CNATRACE_NAME_BYTES_MAX);
    assert_true(fgi_utf8_valid(trace->names[0].text, trace->names[0].size));
    struct fg_memory_sink *memory = written(trace);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    assert_int_equal(read_bytes(bytes, size, &again), FG_OK);
    fg_cnatrace_free(again);
    fg_memory_sink_destroy(memory);
    fg_cnatrace_free(trace);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint32_t random_below(uint32_t end)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % end);
}

static size_t mutate(uint8_t *bytes, size_t size, size_t capacity)
{
    const uint32_t changes = 1 + random_below(4);
    for (uint32_t i = 0; i < changes; i++) {
        const size_t at = random_below((uint32_t)size + 1);
        switch (random_below(3)) {
        case 0:
            if (at < size) {
                bytes[at] = (uint8_t)random_below(256);
            }
            break;
        case 1:
            size = at;
            break;
        default:
            if (size < capacity) {
                memmove(bytes + at + 1, bytes + at, size - at);
                bytes[at] = (uint8_t)random_below(256);
                size++;
            }
            break;
        }
    }
    return size;
}

static void every_mutation_is_refused_or_reads_to_valid_text(void **state)
{
    (void)state;
    enum { ROUNDS = 3000, CAPACITY = 1024 };
    uint8_t bytes[CAPACITY];
    size_t size, refused = 0, parsed = 0;
    struct fg_cnatrace *trace = make_some();
    struct fg_memory_sink *memory = written(trace);
    const void *good = fg_memory_sink_bytes(memory, &size);
    assert_true(size + 4 < CAPACITY);
    random_state = 0x0DDBA11;
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fg_cnatrace *read = NULL;
        memcpy(bytes, good, size);
        const size_t changed = mutate(bytes, size, CAPACITY);
        if (read_bytes(bytes, changed, &read) != FG_OK) {
            assert_null(read);
            refused++;
            continue;
        }
        parsed++;
        for (size_t i = 0; i < read->name_count; i++) {
            assert_true(fgi_utf8_valid(read->names[i].text, read->names[i].size));
            assert_int_equal(read->names[i].text[read->names[i].size], '\0');
        }
        for (size_t i = 0; i < read->event_count; i++) {
            assert_true(read->events[i].kind <= 5 && read->events[i].category <= 7);
        }
        fg_cnatrace_free(read);
    }
    assert_int_equal(refused + parsed, ROUNDS);
    assert_true(refused > ROUNDS / 4 && parsed > ROUNDS / 20);
    fg_memory_sink_destroy(memory);
    fg_cnatrace_free(trace);
}

/* ---- Chrome ---------------------------------------------------------------------------------- */

static void expect_chrome(const struct fg_cnatrace *trace, const char *text)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    size_t size;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_cnatrace_write_chrome(trace, &sink), FG_OK);
    const char *got = fg_memory_sink_bytes(memory, &size);
    if (size != strlen(text) || memcmp(got, text, size) != 0) {
        fail_msg("%.*s\nis not\n%s", (int)size, got, text);
    }
    fg_memory_sink_destroy(memory);
}

static void an_empty_trace_is_this_chrome_text(void **state)
{
    (void)state;
    struct fg_cnatrace *trace = NULL;
    assert_int_equal(fg_cnatrace_create(NULL, NULL, 0, NULL, 0, 0, &trace), FG_OK);
    expect_chrome(trace, "{\n \"traceEvents\": [],\n \"displayTimeUnit\": \"ns\",\n"
                         " \"droppedEvents\": 0\n}\n");
    fg_cnatrace_free(trace);
}

static void chrome_has_fractions_of_microseconds_and_names_of_categories(void **state)
{
    (void)state;
    struct fg_cnatrace *trace = make_some();
    expect_chrome(
        trace,
        "{\n \"traceEvents\": [\n"
        "  {\"name\": \"update\", \"cat\": \"update\", \"ph\": \"X\", \"ts\": 1234.567, \"dur\": "
        "0.089, \"pid\": 1, \"tid\": 2, \"args\": {\"value\": 0, \"frame\": 4}},\n"
        "  {\"name\": \"quote \\\" and \\\\ and\\ttab\", \"cat\": \"audio\", \"ph\": \"i\", \"s\": "
        "\"t\", \"ts\": 2000.000, \"pid\": 1, \"tid\": 2, \"args\": {\"value\": -6, \"frame\": "
        "4}},\n"
        "  {\"name\": \"\", \"cat\": \"core\", \"ph\": \"X\", \"ts\": 1000.001, \"dur\": "
        "16666.667, \"pid\": 1, \"tid\": 1, \"args\": {\"value\": 0, \"frame\": 4}}\n"
        " ],\n \"displayTimeUnit\": \"ns\",\n \"droppedEvents\": 5\n}\n");
    fg_cnatrace_free(trace);
}

/* ---- sinks that fail ------------------------------------------------------------------------- */

struct narrow {
    size_t left, largest;
};

static enum fg_result write_until_full(void *context, const void *bytes, size_t size)
{
    struct narrow *narrow = context;
    (void)bytes;
    narrow->largest = size > narrow->largest ? size : narrow->largest;
    if (size > narrow->left) {
        return FG_ERR_IO;
    }
    narrow->left -= size;
    return FG_OK;
}

static void writers_say_when_the_sink_fails_and_hold_no_document(void **state)
{
    (void)state;
    static struct fg_process_event many[FG_CNATRACE_EVENTS_MAX];
    struct fg_cnatrace *trace = NULL;
    assert_int_equal(
        fg_cnatrace_create(NULL, some_names, 3, many, FG_CNATRACE_EVENTS_MAX, 0, &trace), FG_OK);
    for (size_t left = 0; left < 2000000; left += 400000) {
        struct narrow narrow = { .left = left };
        const struct fg_sink sink = { .write = write_until_full, .context = &narrow };
        assert_int_equal(fg_cnatrace_write(trace, &sink), FG_ERR_IO);
        narrow.left = left;
        assert_int_equal(fg_cnatrace_write_chrome(trace, &sink), FG_ERR_IO);
        assert_true(narrow.largest <= 128 << 10);
    }
    fg_cnatrace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_as_it_was),
        cmocka_unit_test(what_is_made_keeps_the_limits),
        cmocka_unit_test(the_largest_file_is_read),
        cmocka_unit_test(names_that_a_repair_makes_too_long_are_cut),
        cmocka_unit_test(every_mutation_is_refused_or_reads_to_valid_text),
        cmocka_unit_test(an_empty_trace_is_this_chrome_text),
        cmocka_unit_test(chrome_has_fractions_of_microseconds_and_names_of_categories),
        cmocka_unit_test(writers_say_when_the_sink_fails_and_hold_no_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
