/* SPDX-License-Identifier: MIT */
/* What becomes of each kind of event, and of each thing that writers get wrong. */
#include "chrome_support.h"
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

/* A trace, what is in it, and what had to be mended: "kind=count kind=count". */
struct expected {
    const char *json;
    unsigned spans, unfinished, instants, samples, links;
    const char *repairs;
};

static void check(const struct expected *e)
{
    struct chrome_input input;
    struct fg_diag diag = { 0 };
    char repairs[400] = "";
    size_t used = 0;
    const struct fg_trace_repair *repair;
    chrome_input(&input, e->json, strlen(e->json));
    struct fg_trace *trace = chrome_import(&input, 0, NULL, &diag);
    if (trace == NULL) {
        fail_msg("%s: %s", e->json, diag.message);
        return;
    }
    const struct fg_trace_info info = chrome_info(trace);
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        used += (size_t)snprintf(repairs + used, sizeof repairs - used, "%s%s=%u", used ? " " : "",
                                 repair->kind, (unsigned)repair->count);
    }
    if (info.spans != e->spans || info.unfinished != e->unfinished ||
        info.instants != e->instants || info.counter_samples != e->samples ||
        info.dependencies != e->links || strcmp(repairs, e->repairs) != 0) {
        fail_msg("%s: spans %u (%u open), instants %u, samples %u, links %u, repairs '%s'", e->json,
                 (unsigned)info.spans, (unsigned)info.unfinished, (unsigned)info.instants,
                 (unsigned)info.counter_samples, (unsigned)info.dependencies, repairs);
    }
    fgi_trace_destroy(trace);
}

#define X(name, ts, dur)                                                                           \
    "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":" dur "}"
#define E(ph, rest) "{\"ph\":\"" ph "\",\"pid\":1,\"tid\":1," rest "}"

static void text_that_is_not_quite_json_is_read(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        { "[" X("a", "1", "2") "," X("b", "4", "1") "]", 2, 0, 0, 0, 0, "" },
        { "{\"other\":{\"a\":[1,{}]},\"traceEvents\":[" X("a", "1", "2") "],\"z\":1}", 1, 0, 0, 0,
          0, "" },
        { "\xef\xbb\xbf \n[" X("a", "1", "2") "]", 1, 0, 0, 0, 0, "" },
        { "[" X("a", "1", "2") ",", 1, 0, 0, 0, 0, "unclosed=1" },
        { "[" X("a", "1", "2") ",{\"ph\":\"X\",\"na", 1, 0, 0, 0, 0, "cut_event=1 unclosed=1" },
        { "[," X("a", "1", "2") ",," X("b", "4", "1") ",]", 2, 0, 0, 0, 0, "extra_comma=3" },
        { "[" X("a", "1", "2") X("b", "4", "1") "]", 2, 0, 0, 0, 0, "missing_comma=1" },
        { "[{}," X("a", "1", "2") ",{}]", 1, 0, 0, 0, 0, "empty_event=2" },
        { "[" X("a\001b", "1", "2") "]", 1, 0, 0, 0, 0, "control_byte=1" },
        { "[" X("say \"hi\" to", "1", "2") "," X("b", "4", "1") "]", 1, 0, 0, 0, 0,
          "broken_event=1" },
        { "[" X("C:\\dir\\", "1", "2") ",\n" X("b", "4", "1") "]", 1, 0, 0, 0, 0,
          "bad_escape=1 broken_event=1" },
        { "[" X("C:\\pq", "1", "2") "]", 1, 0, 0, 0, 0, "bad_escape=1" },
        { "[" X("\xff\xfe", "1", "2") "]", 1, 0, 0, 0, 0, "broken_utf8=1" },
        { "[" X("\\ud800", "1", "2") "]", 1, 0, 0, 0, 0, "bad_escape=1" },
        { "[" X("a\\u0000b\\u0000", "1", "2") "]", 1, 0, 0, 0, 0, "null_character=2" },
        { "[1,\"two\",[3]," X("a", "1", "2") "]", 1, 0, 0, 0, 0, "not_an_event=3" },
        { X("a", "1", "2") "\n" X("b", "4", "1") "\n", 2, 0, 0, 0, 0, "" },
        { "{\"traceEvents\":[" X("a", "1", "2") "]}\n{\"traceEvents\":[" X("b", "4", "1") "]}", 2,
          0, 0, 0, 0, "behind_end=1" },
        { "[" X("a", "1", "2") "][" X("b", "4", "1") "]", 2, 0, 0, 0, 0, "behind_end=1" },
        { "[" X("a", "1", "2") "][" X("b", "4", "1") "] [" X("c", "6", "1") "]", 3, 0, 0, 0, 0,
          "behind_end=2" },
        { "[" X("a", "1", "2") "]\n" X("b", "4", "1") "\n" X("c", "6", "1"), 3, 0, 0, 0, 0,
          "behind_end=1" },
        { "{\"traceEvents\":[" X("a", "1", "2") "]} trailing 7", 1, 0, 0, 0, 0, "behind_end=2" },
        { "[" X("a", "1", "2") "]]", 1, 0, 0, 0, 0, "behind_end=1" },
        { "[" X("a", "1", "2") "]!![" X("b", "4", "1") "]", 2, 0, 0, 0, 0, "behind_end=2" },
        { "{\"traceEvents\":[]} trailing", 0, 0, 0, 0, 0, "behind_end=1" },
        { "[{\"ph\":\"X\",\"na", 0, 0, 0, 0, 0, "cut_event=1 unclosed=1" },
        { "[" E("X", "\"ts\":1,\"dur\":1,\"name\":\"a\",\"id\":[7],\"sf\":{}") "]", 1, 0, 0, 0, 0,
          "bad_id=2" },
        { "[" E("X", "\"ts\":1,\"dur\":1,\"name\":\"a\",\"args\":{\"w\":inf,\"n\":-nan(ind)}") "]",
          1, 0, 0, 0, 0, "" },
        { "[{\"name\":\"no phase\"}," X("a", "1", "2") "]", 1, 0, 0, 0, 0, "no_phase=1" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&cases[i]);
    }
}

static void every_phase_becomes_something(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        { "[" E("B", "\"ts\":1,\"name\":\"a\"") "," E("E", "\"ts\":3") "]", 1, 0, 0, 0, 0, "" },
        { "[" E("B", "\"ts\":1") "," E("E", "\"ts\":3,\"name\":\"late\"") "]", 1, 0, 0, 0, 0, "" },
        { "[" E("B", "\"ts\":1,\"name\":\"a\"") "," E("E", "\"ts\":3,\"name\":\"b\"") "," E(
              "E", "\"ts\":4") "]",
          1, 0, 0, 0, 0, "end_name_differs=1 end_without_begin=1" },
        { "[" E("B", "\"ts\":1,\"name\":\"a\"") "," X("b", "2", "5") "]", 2, 1, 0, 0, 0, "" },
        { "[" E("X", "\"ts\":1,\"name\":\"a\"") "]", 1, 0, 0, 0, 0, "missing_duration=1" },
        { "[" X("a", "1", "-5") "]", 1, 0, 0, 0, 0, "negative_duration=1" },
        { "[" X("a", "1", "-1") "]", 1, 1, 0, 0, 0, "open_duration=1" },
        { "[" X("a", "1", "\"7\"") "," X("b", "\"1.5\"", "1e1") "]", 2, 0, 0, 0, 0, "" },
        { "[" X("a", "1", "\"long\"") "]", 1, 0, 0, 0, 0, "bad_duration=1" },
        { "[" E("X", "\"dur\":1,\"name\":\"a\"") "]", 1, 0, 0, 0, 0, "missing_time=1" },
        { "[" X("a", "NaN", "1") "]", 1, 0, 0, 0, 0, "bad_time=1" },
        { "[" X("a", "1e30", "1") "]", 1, 0, 0, 0, 0, "clamped_time=2" },
        { "[" E("i", "\"ts\":1,\"name\":\"a\",\"s\":\"g\"") "," E(
              "I", "\"ts\":1,\"name\":\"a\"") "," E("R", "\"ts\":1,\"name\":\"m\"") "]",
          0, 0, 2, 0, 0, "" },
        { "[" E("b", "\"ts\":1,\"name\":\"a\",\"cat\":\"c\",\"id\":1") "," E(
              "n", "\"ts\":2,\"name\":\"a\",\"cat\":\"c\",\"id\":1") "," E("e",
                                                                           "\"ts\":3,\"name\":"
                                                                           "\"a\",\"cat\":\"c\","
                                                                           "\"id\":\"1\"") "]",
          1, 0, 1, 0, 0, "" },
        { "[" E("b", "\"ts\":1,\"name\":\"a\",\"cat\":\"c\",\"id\":1") "," E(
              "e", "\"ts\":3,\"name\":\"a\",\"cat\":\"d\",\"id\":1") "]",
          1, 1, 0, 0, 0, "async_end_without_begin=1" },
        { "[" E("b",
                "\"ts\":1,\"name\":\"a\",\"id2\":{\"local\":\"1\"}") ",{\"ph\":\"e\",\"pid\":2,"
                                                                     "\"ts\":3,\"name\":\"a\","
                                                                     "\"id2\":{\"local\":\"1\"}}]",
          1, 1, 0, 0, 0, "async_end_without_begin=1" },
        { "[" E("S", "\"ts\":1,\"name\":\"a\",\"id\":1") "," E(
              "T",
              "\"ts\":2,\"name\":\"a\",\"id\":1") "," E("F",
                                                        "\"ts\":3,\"name\":\"a\",\"id\":1") "]",
          1, 0, 1, 0, 0, "" },
        { "[" E(
              "C",
              "\"ts\":1,\"name\":\"c\",\"args\":{\"a\":1,\"b\":2.5,\"n\":nan}") ",{\"ph\":\"C\","
                                                                                "\"ts\":2,\"name\":"
                                                                                "\"c\",\"args\":{"
                                                                                "\"a\":3}}]",
          0, 0, 0, 3, 0, "counter_without_value=1" },
        { "[" E("Q", "\"ts\":1") "," E("(", "\"ts\":1") "," X("a", "1", "1") "]", 1, 0, 0, 0, 0,
          "unknown_phase=1" },
        { "[" E("M", "\"name\":\"thread_name\",\"args\":{\"name\":\"t\"}") "]", 0, 0, 0, 0, 0, "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&cases[i]);
    }
}

/* a: 0..10 on thread 1; b: 20..30 on thread 1. */
#define TWO                X("a", "0", "10") "," X("b", "20", "10")
#define FLOW(ph, ts, rest) E(ph, "\"id\":7,\"cat\":\"f\",\"ts\":" ts rest)

static void flows_bind_as_their_rules_say(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        { "[" TWO "," FLOW("s", "5", "") "," FLOW("f", "20", ",\"bp\":\"e\"") "]", 2, 0, 0, 0, 1,
          "" },
        { "[" TWO "," FLOW("s", "10", ",\"bp\":\"e\"") "," FLOW("f", "15", "") "]", 2, 0, 0, 0, 1,
          "" },
        { "[" TWO "," FLOW("s", "5", "") "," FLOW("f", "15", ",\"bp\":\"e\"") "]", 2, 0, 0, 0, 0,
          "flow_unbound=1" },
        { "[" TWO "," FLOW("s", "5", "") "," FLOW("f", "25", "") "]", 2, 0, 0, 0, 0,
          "flow_unbound=1" },
        { "[" TWO "," FLOW("s", "5", "") "," FLOW("t", "25", "") "," FLOW("f", "26", "") "]", 2, 0,
          0, 0, 1, "flow_unbound=1" },
        { "[" TWO "," FLOW("f", "20", "") "," FLOW("s", "21", "") "]", 2, 0, 0, 0, 0,
          "flow_without_start=1 flow_without_end=1" },
        { "[" TWO "," FLOW("s", "5", "") "," FLOW("f", "20", "") "," FLOW("f", "20", "") "]", 2, 0,
          0, 0, 1, "flow_without_start=1" },
        { "[" E("B", "\"ts\":1,\"name\":\"a\",\"bind_id\":\"9\",\"flow_out\":true") "," E(
              "E", "\"ts\":2") "," E("X", "\"ts\":3,\"dur\":1,\"name\":\"b\",\"bind_id\":9,\"flow_"
                                          "in\":true") "]",
          2, 0, 0, 0, 1, "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&cases[i]);
    }
}

static void times_are_exact(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input, "[" X("a", "1712195495406752.797", "0.001") "," X(
                    "b", "1.712195495406752797e15",
                    "1E-3") "," X("c", "\"326461495.395\"",
                                  "0.122") "," X("d", "-75000", "81995852020.381517917899232") "]");
    assert_int_equal(chrome_span(trace, 0).start_ns, INT64_C(1712195495406752797));
    assert_int_equal(chrome_span(trace, 0).end_ns, INT64_C(1712195495406752798));
    assert_int_equal(chrome_span(trace, 1).start_ns, INT64_C(1712195495406752797));
    assert_int_equal(chrome_span(trace, 1).end_ns, INT64_C(1712195495406752798));
    assert_int_equal(chrome_span(trace, 2).end_ns, INT64_C(326461495517));
    assert_int_equal(chrome_span(trace, 3).start_ns, -75000000);
    assert_int_equal(chrome_span(trace, 3).end_ns, INT64_C(81995852020382) - 75000000);
    fgi_trace_destroy(trace);
}

static void ids_are_compared_as_text_and_never_cut(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input,
        "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":\"5\",\"ts\":1,\"dur\":1},"
        "{\"ph\":\"X\",\"name\":\"b\",\"pid\":\"1\",\"tid\":5,\"ts\":3,\"dur\":1},"
        "{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":4294967301,\"ts\":5,\"dur\":1},"
        "{\"ph\":\"X\",\"name\":\"d\",\"pid\":1,\"tid\":-1,\"ts\":7,\"dur\":1},"
        "{\"ph\":\"X\",\"name\":\"e\",\"pid\":\"Spans\",\"tid\":\"stream 7\",\"ts\":7,\"dur\":1},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":\"1\",\"tid\":5,\"args\":{\"name\":"
        "\"late\"}}]");
    assert_int_equal(chrome_info(trace).tracks, 4);
    assert_int_equal(chrome_info(trace).processes, 2);
    assert_string_equal(fg_trace_text(trace, fg_trace_track(trace, 0)->name), "late");
    assert_int_equal(fg_trace_track(trace, 1)->id, INT64_C(4294967301));
    assert_int_equal(fg_trace_track(trace, 2)->id, -1);
    assert_string_equal(fg_trace_text(trace, fg_trace_track(trace, 3)->name), "stream 7");
    fgi_trace_destroy(trace);
}

static void arguments_are_read_when_they_are_asked_for(void **state)
{
    (void)state;
    struct chrome_input input;
    char text[64];
    struct fg_trace *trace = chrome_import_text(
        &input,
        "[{\"args\":{\"big\":10159970886766084423,\"huge\":123456789012345678901234,\"x\":1.5,"
        "\"s\":\"a\\u00e9\",\"b\":true,\"n\":NaN,\"l\":[1,{\"k\":2}]},\"ph\":\"B\",\"name\":\"a\","
        "\"pid\":1,\"tid\":1,\"ts\":1,\"tts\":9},"
        "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":2,\"args\":{\"result\":\"done\"}}]");
    assert_string_equal(chrome_argument(trace, 0, "big", text, 64), "10159970886766084423");
    assert_string_equal(chrome_argument(trace, 0, "huge", text, 64), "123456789012345678901234");
    assert_string_equal(chrome_argument(trace, 0, "x", text, 64), "1.5");
    assert_string_equal(chrome_argument(trace, 0, "s", text, 64), "a\xc3\xa9");
    assert_string_equal(chrome_argument(trace, 0, "b", text, 64), "1");
    assert_string_equal(chrome_argument(trace, 0, "n", text, 64), "unknown");
    assert_string_equal(chrome_argument(trace, 0, "l", text, 64), "group");
    assert_string_equal(chrome_argument(trace, 0, "tts", text, 64), "9");
    assert_string_equal(chrome_argument(trace, 0, "result", text, 64), "done");
    assert_null(chrome_argument(trace, 0, "ph", text, 64));
    fgi_trace_destroy(trace);
}

static void kernels_become_gpu_queues_with_their_launches(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace_dependency link;
    struct fg_trace *trace = chrome_import_text(
        &input, "{\"schemaVersion\":1,\"traceEvents\":["
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaDeviceSynchronize\",\"pid\":"
                "9,\"tid\":9,\"ts\":1000000000,\"dur\":5,\"args\":{\"correlation\":8}},"
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaGraphLaunch\",\"pid\":9,"
                "\"tid\":9,\"ts\":1000000010,\"dur\":5,\"args\":{\"correlation\":7}},"
                "{\"ph\":\"s\",\"cat\":\"ac2g\",\"id\":7,\"pid\":9,\"tid\":9,\"ts\":1000000010},"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k1\",\"pid\":0,\"tid\":7,\"ts\":"
                "1000000020,\"dur\":5,\"args\":{\"correlation\":7}},"
                "{\"ph\":\"f\",\"cat\":\"ac2g\",\"id\":7,\"pid\":0,\"tid\":7,\"ts\":1000000020,"
                "\"bp\":\"e\"},"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k2\",\"pid\":0,\"tid\":7,\"ts\":"
                "1000000030,\"dur\":5,\"args\":{\"correlation\":7}},"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"never "
                "timed\",\"pid\":0,\"tid\":7,\"ts\":0,\"dur\":0}]}");
    assert_int_equal(fg_trace_track(trace, 0)->kind, FG_TRACK_THREAD);
    assert_int_equal(fg_trace_track(trace, 1)->kind, FG_TRACK_GPU_QUEUE);
    assert_true(chrome_span(trace, 0).classes & FG_CLASS_WAIT);
    assert_true(chrome_span(trace, 1).classes & FG_CLASS_RUNTIME);
    assert_true(chrome_span(trace, 2).classes & FG_CLASS_GPU_PASS);
    assert_int_equal(chrome_info(trace).dependencies, 2);
    assert_true(fg_trace_dependency(trace, 0, &link));
    assert_true(link.source == 1 && link.target == 2 && link.flags == 0);
    assert_int_equal(link.family, FG_DEPENDENCY_SUBMIT);
    assert_true(fg_trace_dependency(trace, 1, &link));
    assert_true(link.source == 1 && link.target == 3 && link.flags == FG_DEPENDENCY_DERIVED);
    assert_int_equal(chrome_repairs(trace, "no_time", NULL), 1);
    assert_int_equal(chrome_info(trace).first_ns, INT64_C(1000000000000));
    fgi_trace_destroy(trace);
}

static void what_overlaps_without_nesting_keeps_its_times(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace =
        chrome_import_text(&input, "[" X("a", "0", "10") "," X("b", "5", "10") "," X(
                                       "c", "0", "10") "," X("d", "0", "10") "]");
    assert_int_equal(chrome_span(trace, 1).start_ns, 5000);
    assert_int_equal(chrome_span(trace, 1).end_ns, 15000);
    assert_int_equal(chrome_span(trace, 2).parent,
                     0); /* equal ones nest in the order of the file */
    assert_int_equal(chrome_span(trace, 3).parent, 2);
    assert_true(chrome_span(trace, 1).lane != chrome_span(trace, 0).lane);
    fgi_trace_destroy(trace);
}

static void samples_have_their_stacks(void **state)
{
    (void)state;
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(
        &input,
        "{\"traceEvents\":[{\"ph\":\"P\",\"name\":\"s\",\"pid\":1,\"tid\":1,\"ts\":1,\"sf\":2},"
        "{\"ph\":\"P\",\"name\":\"Profile\",\"id\":\"0x1\",\"pid\":1,\"tid\":1,\"ts\":1,\"args\":{"
        "\"data\":{\"startTime\":100}}},"
        "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"id\":\"0x1\",\"pid\":1,\"tid\":2,\"ts\":1,"
        "\"args\":{\"data\":{\"cpuProfile\":{"
        "\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"main\"}},{\"id\":2,\"parent\":1,"
        "\"callFrame\":{\"functionName\":\"leaf\"}}],"
        "\"samples\":[2,1,2]},\"timeDeltas\":[1,2,3]}}},"
        "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"id\":\"0x1\",\"pid\":1,\"tid\":2,\"ts\":1,"
        "\"args\":{}}],"
        "\"stackFrames\":{\"1\":{\"name\":\"outer\"},\"2\":{\"name\":\"inner\",\"parent\":1}}}");
    assert_int_equal(chrome_info(trace).samples, 4);
    assert_int_equal(chrome_repairs(trace, "profile_without_data", NULL), 1);
    const struct fg_trace_stack *stack = fg_trace_stack(trace, 2);
    assert_int_equal(stack->time_ns, 106000);
    assert_int_equal(stack->frame_count, 2);
    assert_string_equal(fg_trace_text(trace, fg_trace_stack_frame(trace, stack->first_frame)),
                        "leaf");
    stack = fg_trace_stack(trace, 3);
    assert_string_equal(fg_trace_text(trace, fg_trace_stack_frame(trace, stack->first_frame)),
                        "inner");
    assert_string_equal(fg_trace_text(trace, fg_trace_stack_frame(trace, stack->first_frame + 1)),
                        "outer");
    fgi_trace_destroy(trace);
}

#define SORT(of, pid, tid, index)                                                                  \
    "{\"ph\":\"M\",\"name\":\"" of "_sort_index\",\"pid\":" pid ",\"tid\":" tid                    \
    ",\"args\":{\"sort_index\":" index "}}"
#define ON(pid, tid, name)                                                                         \
    "{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":" pid ",\"tid\":" tid ",\"name\":\"" name "\"}"

static void tracks_stand_in_the_order_that_is_asked_for(void **state)
{
    (void)state;
    static const char json[] =
        "[" ON("1", "1", "a") "," ON("1", "2", "b") "," ON("2", "1", "c") "," ON(
            "3", "1",
            "d") ","
                 "{\"ph\":\"i\",\"ts\":1,\"pid\":1,\"tid\":2,\"name\":\"tick\"},"
                 "{\"ph\":\"C\",\"ts\":1,\"pid\":2,\"name\":\"n\",\"args\":{\"v\":1}}," SORT(
                     "process", "3", "0", "-2") "," SORT("process", "1", "0",
                                                         "7") "," SORT("thread", "1", "2",
                                                                       "-1") "]";
    static const char *const rows[] = { "a", "b", "c", "d" };
    static const int64_t pids[] = { 3, 2, 1 };
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(&input, json);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(fg_trace_process(trace, i)->id, pids[i]);
    }
    uint32_t tracks[4];
    for (uint32_t row = 0; row < 4; row++) {
        const struct fg_trace_span span = chrome_span(trace, row);
        assert_string_equal(fg_trace_text(trace, span.name), rows[row]);
        tracks[row] = span.track;
    }
    assert_int_equal(fg_trace_track(trace, tracks[3])->process, 0);
    assert_int_equal(fg_trace_track(trace, tracks[2])->process, 1);
    assert_true(tracks[3] < tracks[2] && tracks[2] < tracks[1] && tracks[1] < tracks[0]);
    assert_int_equal(fg_trace_instant(trace, 0)->track, tracks[1]);
    const struct fg_trace_track *counters =
        fg_trace_track(trace, fg_trace_counter(trace, 0)->track);
    assert_int_equal(counters->kind, FG_TRACK_COUNTER);
    assert_int_equal(counters->process, 1);
    fgi_trace_destroy(trace);
}

static void what_is_left_out_is_told_with_its_place(void **state)
{
    (void)state;
    static const char json[] = "[" E("i", "\"ts\":1,\"name\":\"a\",\"args\":{\"k\":1}") ",\n" FLOW(
        "t", "5", "") ",\n" FLOW("s", "6", "") "]";
    struct chrome_input input;
    struct fg_trace *trace = chrome_import_text(&input, json);
    uint64_t offset = 0;
    assert_int_equal(chrome_repairs(trace, "instant_arguments", &offset), 1);
    assert_int_equal(offset, 1);
    assert_int_equal(chrome_repairs(trace, "flow_without_start", &offset), 1);
    assert_int_equal(offset, strchr(json, '\n') + 1 - json);
    assert_int_equal(chrome_repairs(trace, "flow_without_end", &offset), 1);
    assert_int_equal(offset, strrchr(json, '\n') + 1 - json);
    fgi_trace_destroy(trace);
}

static void node_is_told_by_its_categories(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[" E("b", "\"ts\":1,\"name\":\"a\",\"cat\":\"node,node.async_hooks\",\"id\":1") "]",
        "[" E("X", "\"ts\":1,\"dur\":1,\"name\":\"a\",\"cat\":\"node.perf\"") "]",
        "[" E("X", "\"ts\":1,\"dur\":1,\"name\":\"a\",\"cat\":\"nodes\"") "]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct chrome_input input;
        struct fg_trace *trace = chrome_import_text(&input, texts[i]);
        const char *dialect = "";
        for (uint32_t m = 0; m < chrome_info(trace).metas; m++) {
            const struct fg_trace_meta *meta = fg_trace_meta(trace, m);
            if (strcmp(fg_trace_text(trace, meta->key), "dialect") == 0) {
                dialect = fg_trace_text(trace, meta->value);
            }
        }
        assert_string_equal(dialect, i < 2 ? "node" : "chrome");
        fgi_trace_destroy(trace);
    }
}

static void what_is_no_trace_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } cases[] = {
        { "{\"$schema\":\"x\",\"shared\":{\"frames\":[]},\"profiles\":[]}", "speedscope" },
        { "{\"meta\":{},\"threads\":[],\"libs\":[]}", "Firefox" },
        { "{\"nodes\":[],\"startTime\":1,\"samples\":[]}", "CPU profile" },
        { "{\"type\":\"FeatureCollection\",\"features\":[]}", "GeoJSON" },
        { "{\"name\":\"x\",\"version\":\"1.0.0\",\"scripts\":{}}", "package.json" },
        { "{\"version\":3,\"sources\":[],\"mappings\":\"\"}", "source map" },
        { "{\"log\":{\"version\":\"1.2\",\"entries\":[]}}", "HTTP archive" },
        { "{\"hello\":1}", "traceEvents" },
        { "[1,2,3]", "traceEvents" },
        { "{ not json at all", "no event" },
        { "[{'ph':'X','name':'a','ts':1,'dur':2}]", "no event in it can be read" },
        { "{\"traceEvents\":[{'ph':'X'},{'ph':'X'}]}", "no event in it can be read" },
        { "{\"traceEvents\":[1,2,\"x\"]}", "nothing in its list is an event" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct chrome_input input;
        struct fg_diag diag = { 0 };
        chrome_input(&input, cases[i].json, strlen(cases[i].json));
        enum fg_result result = fgi_chrome_probe(&input.source, NULL, &diag);
        if (result == FG_OK) {
            assert_null(chrome_import(&input, 0, &result, &diag));
        }
        assert_int_equal(result, FG_ERR_FORMAT);
        if (strstr(diag.message, cases[i].says) == NULL) {
            fail_msg("%s: %s", cases[i].json, diag.message);
        }
    }
}

static void utf16_is_read_and_places_are_of_the_file(void **state)
{
    (void)state;
    static const char json[] = "[" X("a\xc3\xa9", "1", "2") ",{}]";
    for (int order = 0; order < 4; order++) { /* little or big, with a mark or without */
        uint8_t wide[400];
        size_t size = 0;
        bool is_big = order & 1;
        uint32_t units[200];
        size_t count = 0;
        if (order & 2) {
            units[count++] = 0xfeff;
        }
        for (size_t i = 0; i < sizeof json - 1; i++) {
            bool is_two = (uint8_t)json[i] == 0xc3;
            units[count++] = is_two ? 0xe9 : (uint8_t)json[i];
            i += is_two;
        }
        for (size_t i = 0; i < count; i++) {
            wide[size++] = (uint8_t)(is_big ? units[i] >> 8 : units[i]);
            wide[size++] = (uint8_t)(is_big ? units[i] : units[i] >> 8);
        }
        struct chrome_input input;
        uint64_t offset = 0;
        chrome_input(&input, wide, size);
        assert_true(fgi_chrome_sniff(wide, size));
        struct fg_trace *trace = chrome_import(&input, 0, NULL, NULL);
        assert_non_null(trace);
        assert_string_equal(fg_trace_text(trace, chrome_span(trace, 0).name), "a\xc3\xa9");
        assert_int_equal(chrome_repairs(trace, "empty_event", &offset), 1);
        assert_int_equal(offset, size - 6);
        fgi_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_is_not_quite_json_is_read),
        cmocka_unit_test(every_phase_becomes_something),
        cmocka_unit_test(flows_bind_as_their_rules_say),
        cmocka_unit_test(times_are_exact),
        cmocka_unit_test(ids_are_compared_as_text_and_never_cut),
        cmocka_unit_test(arguments_are_read_when_they_are_asked_for),
        cmocka_unit_test(kernels_become_gpu_queues_with_their_launches),
        cmocka_unit_test(what_overlaps_without_nesting_keeps_its_times),
        cmocka_unit_test(samples_have_their_stacks),
        cmocka_unit_test(tracks_stand_in_the_order_that_is_asked_for),
        cmocka_unit_test(what_is_left_out_is_told_with_its_place),
        cmocka_unit_test(node_is_told_by_its_categories),
        cmocka_unit_test(what_is_no_trace_is_refused_by_name),
        cmocka_unit_test(utf16_is_read_and_places_are_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
