/* SPDX-License-Identifier: MIT */
/* What a capture says of the work of a frame: its event list, and what a unit of it cost. */
#include "cmocka_all.h"
#include "convert_bed.h"
#include <frameglass/trace_events.h>
#include <frameglass/trace_find.h>
#include <frameglass/trace_structure.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Ticks of 625 / 12 ns: 192 of them are 10 us. */
enum { PASSES = 6, TEN_US_TICKS = 192 };

static const struct fg_cap_attachment attachments[] = {
    { FG_CAP_ATTACHMENT_COLOR, 37, FG_CAP_LOAD_LOAD, FG_CAP_STORE_STORE, 1, 640, 360, 4 },
    { FG_CAP_ATTACHMENT_DEPTH, 126, FG_CAP_LOAD_CLEAR, FG_CAP_STORE_DISCARD, 1, 640, 360,
      FG_CAP_NONE },
    { FG_CAP_ATTACHMENT_COLOR, 37, FG_CAP_LOAD_UNKNOWN, FG_CAP_STORE_UNKNOWN, 1, 640, 360, 3 },
};

static void put_frame(struct convert_bed *bed, uint32_t topology)
{
    struct sample *sample = &bed->sample;
    const struct fg_cap_binding bindings[] = {
        { .kind = FG_CAP_BINDING_SAMPLED_TEXTURE, .resource = 7001, .size_bytes = 1 },
        { .kind = FG_CAP_BINDING_STORAGE_TEXTURE,
          .slot = 1,
          .element = 2,
          .resource = 7001,
          .size_bytes = 1 },
        { .kind = FG_CAP_BINDING_STORAGE_BUFFER,
          .slot = 2,
          .resource = 555,
          .name = sample_symbol(sample, "the application's"),
          .size_bytes = 1 },
    };
    const struct fg_cap_work copy = { .kind = FG_CAP_WORK_COPY, .repeat = 2, .x = 4096 };
    const struct fg_cap_work dispatch = { .kind = FG_CAP_WORK_DISPATCH,
                                          .repeat = 1,
                                          .pipeline = sample_symbol(sample, "blur"),
                                          .x = 2,
                                          .y = 3,
                                          .z = 4,
                                          .workgroup_x = 8,
                                          .workgroup_y = 8,
                                          .workgroup_z = 1,
                                          .bindings = bindings,
                                          .binding_count = COUNT(bindings) };
    const struct fg_cap_work draws[] = {
        { .kind = FG_CAP_WORK_DRAW_INDEXED, .repeat = 3, .x = 36, .y = 10 },
        { .kind = FG_CAP_WORK_DRAW_INDIRECT, .repeat = 1, .draw_count = 1 },
        { .kind = FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT, .repeat = 1, .draw_count = 8 },
        { .kind = FG_CAP_WORK_DRAW_INDEXED_INDIRECT, .repeat = 1, .draw_count = 2 },
    };
    const struct fg_cap_gpu_pass gpu[] = {
        { .gpu_pass = 0,
          .track = SAMPLE_TRACK_QUEUE,
          .parent = FG_CAP_NONE,
          .logical = FG_CAP_NONE,
          .works = &copy,
          .work_count = 1 },
        { .gpu_pass = 3,
          .track = SAMPLE_TRACK_QUEUE,
          .submission = 1,
          .parent = FG_CAP_NONE,
          .logical = FG_CAP_NONE,
          .works = &dispatch,
          .work_count = 1 },
        { .gpu_pass = 4,
          .track = SAMPLE_TRACK_QUEUE,
          .submission = 1,
          .parent = FG_CAP_NONE,
          .logical = FG_CAP_NONE,
          .attachments = attachments,
          .attachment_count = COUNT(attachments),
          .works = draws,
          .work_count = COUNT(draws) },
    };
    struct fg_cap_cpu_pass passes[PASSES] = { 0 };
    for (uint32_t i = 0; i < PASSES; i++) {
        passes[i].graph_pass = i;
        passes[i].flags = i == 2 ? FG_CAP_CPU_PASS_CULLED : 0;
        passes[i].track = FG_CAP_NONE;
    }
    const struct fg_cap_semaphore timeline = { 6, 41 };
    const struct fg_cap_submission submissions[] = {
        { .track = SAMPLE_TRACK_QUEUE, .signals = &timeline, .signal_count = 1 },
        { .track = SAMPLE_TRACK_QUEUE, .waits = &timeline, .wait_count = 1 },
    };
    const struct fg_cap_frame frame = { .frame = 1,
                                        .topology = topology,
                                        .level = FG_CAP_LEVEL_VERBOSE,
                                        .clock = SAMPLE_CLOCK_HOST,
                                        .track = SAMPLE_TRACK_CPU,
                                        .begin_ticks = 1000000,
                                        .end_ticks = 1100000,
                                        .submit_ticks = FG_CAP_UNKNOWN,
                                        .wait_ticks = FG_CAP_UNKNOWN,
                                        .present_wait_ticks = FG_CAP_UNKNOWN,
                                        .recorder_ns = FG_CAP_UNKNOWN,
                                        .submissions = submissions,
                                        .submission_count = COUNT(submissions),
                                        .passes = passes,
                                        .pass_count = PASSES,
                                        .gpu_passes = gpu,
                                        .gpu_pass_count = COUNT(gpu) };
    assert_int_equal(fg_capture_writer_frame(sample->writer, &frame), FG_OK);
}

static void put_times(struct convert_bed *bed)
{
    struct fg_cap_gpu_span spans[3];
    for (uint32_t i = 0; i < 3; i++) {
        spans[i] =
            (struct fg_cap_gpu_span){ .instance = i,
                                      .begin_ticks = 50000 + 1000 * (uint64_t)i,
                                      .end_ticks = 50000 + 1000 * (uint64_t)i + TEN_US_TICKS };
    }
    const uint64_t fragments = 2000;
    const struct fg_cap_statistics statistics = { 2, 1u << 7, &fragments, 1 };
    const struct fg_cap_resolved resolved[] = { { 2, 1, 0, 300, 2, 0 },
                                                { 2, 2, 0, 600, 1, 0 },
                                                { 2, 2, 1, 900, 5, 0 } };
    const struct fg_cap_gpu_frame gpu = { .frame = 1,
                                          .clock = SAMPLE_CLOCK_GPU,
                                          .flags = FG_CAP_GPU_FRAME_LAST,
                                          .instance_count = 3,
                                          .epoch_ticks = 50000,
                                          .latency_ns = FG_CAP_UNKNOWN,
                                          .spans = spans,
                                          .span_count = COUNT(spans),
                                          .statistics = &statistics,
                                          .statistics_count = 1,
                                          .resolved = resolved,
                                          .resolved_count = COUNT(resolved) };
    assert_int_equal(fg_capture_writer_gpu_frame(bed->sample.writer, &gpu), FG_OK);
}

static int load_frame(void **state)
{
    static struct convert_bed bed;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    put_frame(&bed, sample_topology(&bed.sample, 0, PASSES));
    put_times(&bed);
    convert_bed_load(&bed, true);
    *state = &bed;
    return 0;
}

static int unload_frame(void **state)
{
    convert_bed_close(*state);
    return 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

struct expected {
    enum fg_event_kind kind;
    uint8_t depth;
    const char *name;
    uint32_t pass;
    enum fg_event_quality quality;
    uint64_t x, y, z;
};
#define NO_PASS FG_NONE
static const struct expected expected[] = {
    { FG_EVENT_SUBMISSION, 0, "submission 0", NO_PASS, 0, 0, 0, 0 },
    { FG_EVENT_GRAPH_PASS, 1, "pass 0.0", 0, 0, 0, 0, 0 },
    { FG_EVENT_GPU_PASS, 2, "gpu pass 0.0", 0, 0, 0, 0, 0 },
    { FG_EVENT_COPY, 3, "copy, 2 times", 0, FG_EVENT_ENCODED, 4096, 0, 0 },
    { FG_EVENT_SIGNAL, 1, "signal semaphore", NO_PASS, FG_EVENT_ENCODED, 6, 41, 0 },
    { FG_EVENT_SUBMISSION, 0, "submission 1", NO_PASS, 0, 0, 0, 0 },
    { FG_EVENT_WAIT, 1, "wait for semaphore", NO_PASS, FG_EVENT_ENCODED, 6, 41, 0 },
    { FG_EVENT_SCOPE, 1, "frame", NO_PASS, 0, 0, 0, 0 },
    { FG_EVENT_SCOPE, 2, "lighting", NO_PASS, 0, 0, 0, 0 },
    { FG_EVENT_GRAPH_PASS, 3, "pass 0.1", 1, 0, 0, 0, 0 }, /* kept, and gave the device nothing */
    { FG_EVENT_CULLED, 2, "pass 0.2", 2, 0, 0, 0, 0 },
    { FG_EVENT_GRAPH_PASS, 1, "pass 0.3", 3, 0, 0, 0, 0 },
    { FG_EVENT_GPU_PASS, 2, "gpu pass 0.3", 3, 0, 0, 0, 0 },
    { FG_EVENT_DISPATCH, 3, "dispatch", 3, FG_EVENT_ENCODED, 2, 3, 4 },
    { FG_EVENT_SCOPE, 1, "frame", NO_PASS, 0, 0, 0, 0 },
    { FG_EVENT_GRAPH_PASS, 2, "pass 0.4", 4, 0, 0, 0, 0 },
    { FG_EVENT_GPU_PASS, 3, "gpu pass 0.4", 4, 0, 0, 0, 0 },
    { FG_EVENT_DRAW, 4, "draw indexed", 4, FG_EVENT_ENCODED, 36, 10, 3 },
    { FG_EVENT_DRAW, 4, "draw indirect", 4, FG_EVENT_RESOLVED, 300, 2, 1 },
    { FG_EVENT_DRAW, 4, "draw indexed indirect count", 4, FG_EVENT_NO_COUNTS, 0, 0, 0 },
    { FG_EVENT_DRAW, 5, "draw 0", 4, FG_EVENT_RESOLVED, 600, 1, 1 },
    { FG_EVENT_DRAW, 5, "draw 1", 4, FG_EVENT_RESOLVED, 900, 5, 1 },
    { FG_EVENT_DRAW, 4, "draw indexed indirect", 4, FG_EVENT_NOT_KNOWN, 0, 0, 0 },
    { FG_EVENT_SCOPE, 2, "lighting", NO_PASS, 0, 0, 0, 0 },
    { FG_EVENT_GRAPH_PASS, 3, "pass 0.5", 5, 0, 0, 0, 0 },
};

static void events_are_in_order_with_their_counts(void **state)
{
    const struct convert_bed *bed = *state;
    struct fg_events_reply reply;
    assert_int_equal(fg_query_events(bed->query, 1, &reply), FG_ERR_NOT_FOUND);
    assert_int_equal(fg_query_events(bed->query, 0, &reply), FG_OK);
    assert_int_equal(reply.topology, 0);
    assert_int_equal(reply.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct fg_event *event = &reply.events[i];
        assert_int_equal(event->kind, expected[i].kind);
        assert_int_equal(event->depth, expected[i].depth);
        assert_string_equal(fg_trace_text(bed->trace, event->name), expected[i].name);
        assert_int_equal(event->pass, expected[i].pass);
        assert_int_equal(event->quality, expected[i].quality);
        assert_true(event->x == expected[i].x && event->y == expected[i].y &&
                    event->z == expected[i].z);
    }
    assert_string_equal(fg_trace_text(bed->trace, reply.events[13].pipeline), "blur");
}

static void events_have_the_times_of_what_is_in_them(void **state)
{
    const struct convert_bed *bed = *state;
    struct fg_events_reply reply;
    struct fg_trace_span span;
    assert_int_equal(fg_query_events(bed->query, 0, &reply), FG_OK);
    uint32_t row = convert_bed_find(bed, "gpu pass 0.3", 0, &span);
    assert_int_equal(reply.events[12].row, row);
    assert_int_equal(reply.events[11].row, row);
    assert_true(reply.events[12].start_ns == span.start_ns);
    assert_true(reply.events[12].duration_ns == 10000);
    assert_int_equal(reply.events[12].track, span.track);
    assert_true(reply.events[5].start_ns == span.start_ns); /* the second submission */
    assert_true(reply.events[5].duration_ns ==
                reply.events[16].start_ns + reply.events[16].duration_ns - span.start_ns);
    assert_int_equal(reply.events[5].row, FG_NONE);
    uint32_t scope = convert_bed_find(bed, "frame", 1, &span); /* 0 is the span of the CPU */
    assert_int_equal(reply.events[14].row, scope);
    assert_true(reply.events[7].duration_ns == -1); /* nothing in it ran */
    assert_int_equal(reply.events[7].row, FG_NONE);
    assert_true(reply.events[10].duration_ns == -1 && reply.events[10].start_ns == 0);
}

static void bindings_lead_to_the_pass_that_made_what_they_read(void **state)
{
    const struct convert_bed *bed = *state;
    static const struct {
        uint32_t event;
        enum fg_event_binding_kind kind;
        uint8_t access;
        uint32_t resource, producer;
        const char *slot, *name, *text;
    } wanted[] = {
        { 1, FG_EVENT_BINDING_USE, FG_EVENT_WRITES, 0, FG_NONE, "", "target 0.0", "" },
        { 9, FG_EVENT_BINDING_USE, FG_EVENT_READS, 0, 0, "", "target 0.0", "" },
        { 9, FG_EVENT_BINDING_USE, FG_EVENT_WRITES | FG_EVENT_CREATES, 1, FG_NONE, "", "target 0.0",
          "" },
        { 10, FG_EVENT_BINDING_USE, FG_EVENT_READS, 1, 1, "", "target 0.0", "" },
        { 10, FG_EVENT_BINDING_USE, FG_EVENT_WRITES, 2, FG_NONE, "", "target 0.1", "" },
        { 11, FG_EVENT_BINDING_USE, FG_EVENT_READS, 2, 2, "", "target 0.1", "" },
        { 11, FG_EVENT_BINDING_USE, FG_EVENT_WRITES | FG_EVENT_CREATES, 3, FG_NONE, "",
          "target 0.1", "" },
        { 13, FG_EVENT_BINDING_CALL, FG_EVENT_READS, 2, 2, "set 0 binding 0", "target 0.1", "" },
        { 13, FG_EVENT_BINDING_CALL, FG_EVENT_READS | FG_EVENT_WRITES | FG_EVENT_CREATES, 2, 2,
          "set 0 binding 1 [2]", "target 0.1", "" },
        { 13, FG_EVENT_BINDING_CALL, 0, FG_NONE, FG_NONE, "set 0 binding 2", "the application's",
          "" },
        { 15, FG_EVENT_BINDING_USE, FG_EVENT_READS, 3, 3, "", "target 0.1", "" },
        { 15, FG_EVENT_BINDING_USE, FG_EVENT_WRITES, 4, FG_NONE, "", "target 0.2", "" },
        { 16, FG_EVENT_BINDING_ATTACHMENT, FG_EVENT_READS | FG_EVENT_WRITES, 4, FG_NONE, "color 0",
          "target 0.2", "load, store" },
        { 16, FG_EVENT_BINDING_ATTACHMENT, FG_EVENT_WRITES, FG_NONE, FG_NONE, "depth", "",
          "clear, discard" },
        { 16, FG_EVENT_BINDING_ATTACHMENT, FG_EVENT_READS, 3, 3, "color 1", "target 0.1", "" },
    };
    struct fg_events_reply reply;
    assert_int_equal(fg_query_events(bed->query, 0, &reply), FG_OK);
    assert_true(reply.binding_count > COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct fg_event_binding *binding = &reply.bindings[i];
        assert_int_equal(binding->event, wanted[i].event);
        assert_int_equal(binding->kind, wanted[i].kind);
        assert_int_equal(binding->access, wanted[i].access);
        assert_int_equal(binding->resource, wanted[i].resource);
        assert_int_equal(binding->producer, wanted[i].producer);
        assert_string_equal(fg_trace_text(bed->trace, binding->slot), wanted[i].slot);
        assert_string_equal(fg_trace_text(bed->trace, binding->name), wanted[i].name);
        assert_string_equal(fg_trace_text(bed->trace, binding->text), wanted[i].text);
    }
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* An argument of the group "cost"; NULL when it is not told. */
static const struct fg_trace_arg *cost_of(const struct convert_bed *bed,
                                          const struct fg_span_detail *detail, const char *key)
{
    bool is_inside = false;
    for (uint32_t i = 0; i < detail->arg_count; i++) {
        const struct fg_trace_arg *arg = &detail->args[i];
        const char *name = fg_trace_text(bed->trace, arg->key);
        is_inside = arg->depth == 0 ? strcmp(name, "cost") == 0 : is_inside;
        if (is_inside && arg->depth == 1 && strcmp(name, key) == 0) {
            assert_int_equal(arg->quality, FG_QUALITY_DERIVED);
            return arg;
        }
    }
    return NULL;
}

static void expect_cost(const struct convert_bed *bed, const struct fg_span_detail *detail,
                        const char *count_key, const char *rate_key, uint64_t count)
{
    const struct fg_trace_arg *total = cost_of(bed, detail, count_key);
    const struct fg_trace_arg *rate = cost_of(bed, detail, rate_key);
    assert_true(total != NULL && rate != NULL);
    assert_true(total->value.natural == count);
    assert_int_equal(rate->kind, FG_ARG_DOUBLE);
    double error = rate->value.real - 10000.0 / (double)count;
    assert_true(error < 1e-9 && error > -1e-9);
}

static void costs_are_told_where_the_count_is_known(void **state)
{
    const struct convert_bed *bed = *state;
    struct fg_span_detail detail;
    struct fg_trace_span span;
    uint32_t row = convert_bed_find(bed, "gpu pass 0.3", 0, &span);
    assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    expect_cost(bed, &detail, "invocations", "ns per invocation", 2 * 3 * 4 * 64);
    assert_null(cost_of(bed, &detail, "ns per pixel"));
    assert_null(cost_of(bed, &detail, "ns per draw"));
    row = convert_bed_find(bed, "gpu pass 0.4", 0, &span);
    assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    expect_cost(bed, &detail, "pixels", "ns per pixel", 640 * 360);
    expect_cost(bed, &detail, "fragment invocations (read back)",
                "ns per fragment invocation (read back)", 2000);
    assert_null(cost_of(bed, &detail, "ns per draw")); /* a buffer says how many there were */
    row = convert_bed_find(bed, "gpu pass 0.0", 0, &span);
    assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    for (uint32_t i = 0; i < detail.arg_count; i++) {
        assert_string_not_equal(fg_trace_text(bed->trace, detail.args[i].key), "cost");
    }
}

static void passes_wait_for_those_that_made_what_they_read(void **state)
{
    const struct convert_bed *bed = *state;
    struct fg_span_detail detail;
    struct fg_trace_span reader, maker;
    uint32_t row = convert_bed_find(bed, "gpu pass 0.4", 0, &reader);
    uint32_t from = convert_bed_find(bed, "gpu pass 0.3", 0, &maker);
    assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    assert_int_equal(detail.wait_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(detail.waits[i].row, from);
        assert_int_equal(detail.waits[i].family,
                         i == 0 ? FG_DEPENDENCY_GRAPH : FG_DEPENDENCY_QUEUE);
        assert_int_equal(detail.waits[i].flags, FG_DEPENDENCY_DERIVED);
        assert_true(detail.waits[i].is_claimed);
        assert_true(detail.waits[i].gap_ns == reader.start_ns - maker.end_ns);
    }
    assert_int_equal(fg_query_span(bed->query, from, &detail), FG_OK);
    assert_int_equal(detail.wake_count, 2);
    assert_int_equal(detail.wakes[0].row, row);
    /* What was recorded comes first; who made what it reads was culled. */
    assert_int_equal(detail.wait_count, 3);
    assert_int_equal(detail.waits[0].family + detail.waits[1].family,
                     FG_DEPENDENCY_SEMAPHORE + FG_DEPENDENCY_SUBMIT);
    assert_int_equal(detail.waits[2].family, FG_DEPENDENCY_QUEUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_in_order_with_their_counts),
        cmocka_unit_test(events_have_the_times_of_what_is_in_them),
        cmocka_unit_test(bindings_lead_to_the_pass_that_made_what_they_read),
        cmocka_unit_test(costs_are_told_where_the_count_is_known),
        cmocka_unit_test(passes_wait_for_those_that_made_what_they_read),
    };
    return cmocka_run_group_tests(tests, load_frame, unload_frame);
}
