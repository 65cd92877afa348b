/* SPDX-License-Identifier: MIT */
/* Who wrote a Trace Event file is told by its signs; and items of the format one by one. */
#include "../support/cmocka_all.h"

#include "chrome_support.h"
#include "trace/span_words.h"

#include <stdio.h>
#include <string.h>

static const char *meta_of(const struct fg_trace *trace, const char *key)
{
    for (uint32_t i = 0; i < chrome_info(trace).metas; i++) {
        const struct fg_trace_meta *meta = fg_trace_meta(trace, i);
        if (strcmp(fg_trace_text(trace, meta->key), key) == 0) {
            return fg_trace_text(trace, meta->value);
        }
    }
    return "";
}

#define ZONE "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}"
#define OF(cat)                                                                                    \
    "[{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"" cat "\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}]"
#define PROCESS(name)                                                                              \
    "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"" name "\"}}," ZONE "]"
#define WITH(members) "{" members ",\"traceEvents\":[" ZONE "]}"

static void each_writer_is_told_by_its_signs(void **state)
{
    (void)state;
    static const struct {
        const char *json, *dialect;
    } cases[] = {
        { "[" ZONE "]", "chrome" },
        { OF("kernels"), "chrome" },
        { PROCESS("CPU"), "chrome" },
        { WITH("\"otherData\":{\"version\":\"1\"}"), "chrome" },
        { WITH("\"schemaVersion\":1"), "kineto" },
        { WITH("\"deviceProperties\":[{\"id\":0}]"), "kineto" },
        { WITH("\"distributedInfo\":{\"backend\":\"nccl\"}"), "kineto" },
        { WITH("\"baseTimeNanoseconds\":1727000000000000000"), "kineto" },
        { OF("kernel"), "kineto" },
        { WITH("\"otherData\":{\"output_base\":\"/b\"}"), "bazel" },
        { WITH("\"otherData\":{\"bazel_version\":\"7\"}"), "bazel" },
        { "{\"traceEvents\":[" ZONE "],\"beginningOfTime\":1727000000000000}", "clang" },
        { WITH("\"Instructions Readme\":\"1\""), "unity" },
        { PROCESS("BeeDriver"), "unity" },
        { PROCESS("CPU HIP API"), "rocprof" },
        { WITH("\"viztracer_metadata\":{\"version\":\"0.16\"}"), "viztracer" },
        { WITH("\"metadata\":{\"dataOrigin\":\"x\"}"), "devtools" },
        { WITH("\"metadata\":{\"network-type\":\"x\"}"), "devtools" },
        { OF("node.perf"), "node" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct chrome_input input;
        struct fg_trace *trace = chrome_import_text(&input, cases[i].json);
        assert_string_equal(meta_of(trace, "dialect"), cases[i].dialect);
        assert_int_equal(chrome_info(trace).spans, 1);
        fgi_trace_destroy(trace);
    }
}

/* ---- Ids ------------------------------------------------------------------------------------- */

static const struct fg_trace_process *process_of(const struct fg_trace *trace, uint32_t row)
{
    return fg_trace_process(trace, fg_trace_track(trace, chrome_span(trace, row).track)->process);
}

/* What has no id gets a number that no source gives; what is too large for one has its text. */
static void an_id_that_is_not_there_is_no_number(void **state)
{
    (void)state;
    static const struct {
        const char *pid, *name;
        int64_t id;
        bool is_given;
    } cases[] = {
        { "", "no process", 0, false },
        { "\"pid\":-3,", "", -3, true },
        { "\"pid\":-1,", "", -1, true },
        { "\"pid\":4294967301,", "", INT64_C(4294967301), true },
        { "\"pid\":9223372036854775807,", "", INT64_MAX, true },
        { "\"pid\":18446744073709551615,", "process 18446744073709551615", 0, false },
        { "\"pid\":\"Spans\",", "Spans", 0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[200], room[FGI_PROCESS_TEXT], expected[FGI_PROCESS_TEXT];
        struct chrome_input input;
        (void)snprintf(json, sizeof json, "[{\"ph\":\"X\",%s\"name\":\"a\",\"ts\":1,\"dur\":2}]",
                       cases[i].pid);
        struct fg_trace *trace = chrome_import_text(&input, json);
        const struct fg_trace_process *process = process_of(trace, 0);
        assert_string_equal(fg_trace_text(trace, process->name), cases[i].name);
        assert_int_equal(fgi_is_given_id(process->id), cases[i].is_given);
        (void)snprintf(expected, sizeof expected, "process %lld", (long long)cases[i].id);
        if (cases[i].is_given) {
            assert_int_equal(process->id, cases[i].id);
        }
        assert_string_equal(fgi_process_text(trace, 0, room),
                            cases[i].is_given ? expected : cases[i].name);
        fgi_trace_destroy(trace);
    }
}

/* ---- Items one by one ------------------------------------------------------------------------ */

#define ASYNC(ph, ts, more)                                                                        \
    "{\"ph\":\"" ph "\",\"cat\":\"c\",\"name\":\"w\",\"pid\":1,\"tid\":1,\"ts\":" ts "," more "}"
#define IN(ph, ts, scope) ASYNC(ph, ts, "\"id\":1,\"scope\":\"" scope "\"")

/* Two scopes of one id do not end each other; of the same id and scope the inner ends first. */
static void asynchronous_work_is_told_apart_by_scope(void **state)
{
    (void)state;
    static const char *const scopes =
        "[" IN("b", "1", "x") "," IN("b", "2", "y") "," IN("e", "5", "x") "," IN("e", "9", "y") "]";
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(&input, scopes);
    assert_int_equal(chrome_info(trace).spans, 2);
    assert_int_equal(chrome_info(trace).unfinished, 0);
    assert_int_equal(chrome_span(trace, 0).end_ns, 5000);
    assert_int_equal(chrome_span(trace, 1).end_ns, 9000);
    fgi_trace_destroy(trace);
    trace = chrome_import_text(
        &input, "[" ASYNC("b", "1", "\"id\":1") "," ASYNC("b", "2", "\"id\":1") "," ASYNC(
                    "e", "5", "\"id\":1") "," ASYNC("e", "9", "\"id\":1") "]");
    assert_int_equal(chrome_info(trace).spans, 2);
    assert_int_equal(chrome_span(trace, 0).end_ns, 9000);
    assert_int_equal(chrome_span(trace, 1).end_ns, 5000);
    assert_int_equal(chrome_span(trace, 1).depth, 1);
    assert_int_equal(chrome_span(trace, 1).parent, 0);
    fgi_trace_destroy(trace);
}

/* An id that is used again after its end is another piece of work. */
static void an_id_may_be_used_again(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input, "[" ASYNC("b", "1", "\"id\":1") "," ASYNC("e", "2", "\"id\":1") "," ASYNC(
                    "b", "5", "\"id\":1") "," ASYNC("e", "9", "\"id\":1") "]");
    assert_int_equal(chrome_info(trace).spans, 2);
    assert_int_equal(chrome_info(trace).unfinished, 0);
    assert_int_equal(chrome_span(trace, 0).end_ns, 2000);
    assert_int_equal(chrome_span(trace, 1).start_ns, 5000);
    assert_int_equal(chrome_span(trace, 1).depth, 0);
    fgi_trace_destroy(trace);
}

#define NAMED(name)                                                                                \
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"" name "\"}}"

static void of_repeated_metadata_the_last_is_right(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace =
        chrome_import_text(&input, "[" NAMED("old") "," ZONE "," NAMED("new") "]");
    assert_string_equal(fg_trace_text(trace, process_of(trace, 0)->name), "new");
    fgi_trace_destroy(trace);
}

/* Events of a thread in any order, and what overlaps without nesting: nothing is moved or cut. */
static void events_may_stand_in_any_order(void **state)
{
    (void)state;
    static const char *const orders[] = { "abc", "acb", "bac", "bca", "cab", "cba" };
    static const char *const events[] = {
        "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":10}",
        "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":3}",
        "{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":4,\"dur\":20}",
    };
    uint64_t print = 0;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char json[400];
        struct chrome_input input;
        (void)snprintf(json, sizeof json, "[%s,%s,%s]", events[orders[i][0] - 'a'],
                       events[orders[i][1] - 'a'], events[orders[i][2] - 'a']);
        struct fg_trace *trace = chrome_import_text(&input, json);
        uint64_t sum = 0;
        assert_int_equal(chrome_info(trace).spans, 3);
        for (uint32_t row = 0; row < 3; row++) {
            const struct fg_trace_span span = chrome_span(trace, row);
            sum += (uint64_t)(span.end_ns - span.start_ns) * (uint64_t)(span.start_ns + 1) *
                   (span.depth + 1u);
        }
        assert_true(i == 0 || sum == print);
        print = sum;
        fgi_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_writer_is_told_by_its_signs),
        cmocka_unit_test(an_id_that_is_not_there_is_no_number),
        cmocka_unit_test(asynchronous_work_is_told_apart_by_scope),
        cmocka_unit_test(an_id_may_be_used_again),
        cmocka_unit_test(of_repeated_metadata_the_last_is_right),
        cmocka_unit_test(events_may_stand_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
