/* SPDX-License-Identifier: MIT */
/* Numbers, objects, flows and GPU work that readers were reported to get wrong, one by one. */
#include "chrome_support.h"
#include "cmocka_all.h"

#define SPAN(name, ts, dur)                                                                        \
    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur "}"
#define EVENT(ph, ts, rest)                                                                        \
    "{\"ph\":\"" ph "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"name\":\"w\"," rest "}"
#define KERNEL(name, ts, dur)                                                                      \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"name\":\"" name "\",\"ts\":" ts        \
    ",\"dur\":" dur "}"
#define LIST2(a, b)       "[" a "," b "]"
#define LIST3(a, b, c)    "[" a "," b "," c "]"
#define LIST4(a, b, c, d) "[" a "," b "," c "," d "]"

/* ---- Numbers --------------------------------------------------------------------------------- */

static void an_infinity_is_no_time_and_no_value(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace =
        chrome_import_text(&input, LIST3(SPAN("far", "Infinity", "1"),
                                         SPAN("long", "1", "-Infinity"), SPAN("a", "2", "3")));
    assert_int_equal(chrome_info(trace).spans, 3);
    assert_int_equal(chrome_repairs(trace, "bad_time", NULL), 1);
    assert_int_equal(chrome_repairs(trace, "bad_duration", NULL), 1);
    assert_int_equal(chrome_info(trace).last_ns, 5000);
    fgi_trace_destroy(trace);
    trace = chrome_import_text(&input, LIST3(EVENT("C", "1", "\"args\":{\"v\":nan,\"w\":-nan}"),
                                             EVENT("C", "2", "\"args\":{\"v\":Infinity,\"w\":7}"),
                                             SPAN("a", "2", "3")));
    assert_int_equal(chrome_info(trace).counter_samples, 1);
    assert_int_equal(chrome_info(trace).spans, 1);
    fgi_trace_destroy(trace);
}

/* In doubles these times are 256 ns apart from what they say. */
static void times_since_1970_are_exact(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace =
        chrome_import_text(&input, LIST2(SPAN("a", "1670000000000000.296", "1"),
                                         SPAN("b", "1670000000690000.296", "1")));
    assert_int_equal(chrome_span(trace, 1).start_ns - chrome_span(trace, 0).start_ns, 690000000);
    assert_int_equal(chrome_span(trace, 0).start_ns % 1000, 296);
    fgi_trace_destroy(trace);
}

/* ---- Flows ----------------------------------------------------------------------------------- */

/* 326461495.395 + 0.122 is less than 326461495.517 in doubles: then the outer span would be it. */
static void a_flow_at_the_end_of_a_span_is_that_span_s(void **state)
{
    (void)state;
    static const char text[] = "[" SPAN("outer", "326461490", "20") "," SPAN(
        "inner", "326461495.395",
        "0.122") ","
                 "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":\"far\",\"ts\":326461400,\"dur\":10},"
                 "{\"ph\":\"s\",\"pid\":1,\"tid\":2,\"cat\":\"f\",\"id\":1,\"ts\":326461405},"
                 "{\"ph\":\"f\",\"pid\":1,\"tid\":1,\"cat\":\"f\",\"id\":1,\"bp\":\"e\","
                 "\"ts\":326461495.517}]";
    struct chrome_input input;
    struct fg_trace_dependency link;
    struct fg_trace *trace = chrome_import_text(&input, text);
    assert_true(fg_trace_dependency(trace, 0, &link));
    assert_int_equal(link.source, 2);
    assert_int_equal(link.target, 1);
    fgi_trace_destroy(trace);
}

#define FLOW_END(ts) EVENT("f", ts, "\"cat\":\"f\",\"id\":1")

static void an_id_of_a_flow_starts_anew(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace_dependency first, second;
    struct fg_trace *trace = chrome_import_text(
        &input, LIST4(SPAN("a", "0", "10") "," SPAN("b", "20", "10"),
                      SPAN("c", "40", "10") "," SPAN("d", "60", "10"),
                      EVENT("s", "5", "\"cat\":\"f\",\"id\":\"1\"") "," FLOW_END("20"),
                      EVENT("s", "45", "\"cat\":\"f\",\"id\":1") "," FLOW_END("60")));
    assert_int_equal(chrome_info(trace).dependencies, 2);
    assert_true(fg_trace_dependency(trace, 0, &first) && fg_trace_dependency(trace, 1, &second));
    assert_true(first.source == 0 && first.target == 1);
    assert_true(second.source == 2 && second.target == 3);
    fgi_trace_destroy(trace);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Nameless ends: the innermost open span ends, whatever the writer meant. */
static void an_end_closes_what_was_begun_last(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input, LIST4(EVENT("B", "200", "\"args\":{}"), EVENT("B", "280", "\"args\":{}"),
                      "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":300}",
                      "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":350}"));
    assert_int_equal(chrome_span(trace, 0).end_ns, 350000);
    assert_int_equal(chrome_span(trace, 1).end_ns, 300000);
    assert_int_equal(chrome_span(trace, 1).parent, 0);
    fgi_trace_destroy(trace);
}

/* Of one id and category, interleaved, begun at one time: told apart by name. */
static void asynchronous_work_of_one_id_is_paired_by_name(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input, "[{\"ph\":\"b\",\"pid\":1,\"cat\":\"c\",\"id\":1,\"name\":\"x\",\"ts\":1},"
                "{\"ph\":\"b\",\"pid\":1,\"cat\":\"c\",\"id\":1,\"name\":\"y\",\"ts\":1},"
                "{\"ph\":\"e\",\"pid\":1,\"cat\":\"c\",\"id\":1,\"name\":\"x\",\"ts\":5},"
                "{\"ph\":\"e\",\"pid\":1,\"cat\":\"c\",\"id\":1,\"name\":\"y\",\"ts\":9}]");
    assert_int_equal(chrome_info(trace).spans, 2);
    assert_int_equal(chrome_info(trace).unfinished, 0);
    assert_int_equal(chrome_span(trace, 0).end_ns, 5000);
    assert_int_equal(chrome_span(trace, 1).end_ns, 9000);
    fgi_trace_destroy(trace);
}

/* A global id of `id2` is one for all processes, a local one is not. */
static void a_global_id_is_one_for_all_processes(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input,
        "[{\"ph\":\"b\",\"pid\":1,\"cat\":\"c\",\"id2\":{\"global\":\"0x1\"},\"name\":\"x\","
        "\"ts\":1},{\"ph\":\"e\",\"pid\":2,\"cat\":\"c\",\"id2\":{\"global\":\"0x1\"},"
        "\"name\":\"x\",\"ts\":5}]");
    assert_int_equal(chrome_info(trace).spans, 1);
    assert_int_equal(chrome_info(trace).unfinished, 0);
    assert_int_equal(chrome_span(trace, 0).end_ns, 5000);
    fgi_trace_destroy(trace);
}

/* ---- Objects and memory ---------------------------------------------------------------------- */

static void objects_are_made_seen_and_gone(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input, LIST4(EVENT("N", "1", "\"id\":\"0x8\""),
                      EVENT("O", "2", "\"id\":\"0x8\",\"args\":{\"snapshot\":{\"a\":1}}"),
                      EVENT("D", "3", "\"id\":\"0x8\""), EVENT("O", "4", "\"id\":\"0x9\"")));
    assert_int_equal(chrome_info(trace).objects, 2);
    assert_int_equal(fg_trace_object(trace, 0)->made_ns, 1000);
    assert_int_equal(fg_trace_object(trace, 0)->gone_ns, 3000);
    assert_int_equal(fg_trace_object(trace, 0)->event_count, 2); /* it was known to live */
    assert_int_equal(fg_trace_object(trace, 1)->made_ns, FG_TIME_MIN);
    assert_int_equal(fg_trace_object(trace, 1)->gone_ns, INT64_MAX);
    fgi_trace_destroy(trace);
}

#define ALLOCATOR(name, hex)                                                                       \
    "\"" name "\":{\"attrs\":{\"size\":{\"type\":\"scalar\",\"units\":\"bytes\",\"value\":\"" hex  \
    "\"}}}"

#define DUMP(a, b) "\"args\":{\"dumps\":{\"allocators\":{" a "," b "}}}"

static void sizes_of_memory_dumps_are_hexadecimal(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input,
        LIST2(EVENT("v", "5", DUMP(ALLOCATOR("malloc", "ff0"), ALLOCATOR("malloc/x", "aa"))),
              SPAN("a", "1", "9")));
    assert_int_equal(chrome_info(trace).objects, 1);
    const struct fg_trace_object_event *event = fg_trace_object_event(trace, 0);
    assert_int_equal(event->size_bytes, 4080);
    assert_int_equal(event->time_ns, 5000);
    assert_string_equal(fg_trace_text(trace, event->name), "malloc");
    fgi_trace_destroy(trace);
}

/* ---- GPU work -------------------------------------------------------------------------------- */

/* Out of order in the file, overlapping by rounding and by pipelining: times are what they were. */
static void work_of_a_queue_that_overlaps_keeps_its_times(void **state)
{
    (void)state;
    static const int64_t starts[] = { 40, 0, 12, 4 }, ends[] = { 43, 10, 44, 14 };
    struct chrome_input input;
    struct fg_trace *trace =
        chrome_import_text(&input, LIST4(KERNEL("d", "40", "3"), KERNEL("a", "0", "10"),
                                         KERNEL("c", "12", "32"), KERNEL("b", "4", "10")));
    assert_int_equal(chrome_info(trace).spans, 4);
    for (uint32_t row = 0; row < 4; row++) {
        assert_int_equal(chrome_span(trace, row).start_ns, starts[row] * 1000);
        assert_int_equal(chrome_span(trace, row).end_ns, ends[row] * 1000);
    }
    assert_true(chrome_span(trace, 1).lane != chrome_span(trace, 3).lane);
    assert_int_equal(chrome_span(trace, 1).track, chrome_span(trace, 3).track);
    fgi_trace_destroy(trace);
}

/* A launch of which no kernel was recorded is a span like others, and leads nowhere. */
static void a_launch_without_a_kernel_stays(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input, "[{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":9,"
                "\"tid\":9,\"ts\":10,\"dur\":5,\"args\":{\"correlation\":7}},"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":20,"
                "\"dur\":5,\"args\":{\"correlation\":8}}]");
    assert_int_equal(chrome_info(trace).spans, 2);
    assert_int_equal(chrome_info(trace).dependencies, 0);
    assert_true(chrome_span(trace, 0).classes & FG_CLASS_RUNTIME);
    fgi_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_infinity_is_no_time_and_no_value),
        cmocka_unit_test(times_since_1970_are_exact),
        cmocka_unit_test(a_flow_at_the_end_of_a_span_is_that_span_s),
        cmocka_unit_test(an_id_of_a_flow_starts_anew),
        cmocka_unit_test(an_end_closes_what_was_begun_last),
        cmocka_unit_test(asynchronous_work_of_one_id_is_paired_by_name),
        cmocka_unit_test(a_global_id_is_one_for_all_processes),
        cmocka_unit_test(objects_are_made_seen_and_gone),
        cmocka_unit_test(sizes_of_memory_dumps_are_hexadecimal),
        cmocka_unit_test(work_of_a_queue_that_overlaps_keeps_its_times),
        cmocka_unit_test(a_launch_without_a_kernel_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
