/* SPDX-License-Identifier: MIT */
#include "compare_bed.h"
#include "cmocka_all.h"
#include "engine/cpu/engine_cpu.h"
#include "same_comparison.h"
#include <string.h>

enum { FRAME_NS = 1000000 };

void compare_bed_begin(struct compare_bed *bed)
{
    memset(bed, 0, sizeof *bed);
    assert_int_equal(fgi_builder_create(NULL, 0, &bed->builder), FG_OK);
    struct fgi_builder *b = bed->builder;
    (void)fgi_builder_process(b, fgi_builder_cstr(b, "p"), 1);
    struct fg_trace_clock clock = { .kind = FG_CLOCK_HOST, .period_num = 1, .period_den = 1 };
    (void)fgi_builder_clock(b, &clock);
    clock.kind = FG_CLOCK_NOMINAL;
    (void)fgi_builder_clock(b, &clock);
    struct fg_trace_track track = { .name = fgi_builder_cstr(b, "thread") };
    (void)fgi_builder_track(b, &track, false);
    track = (struct fg_trace_track){ .name = fgi_builder_cstr(b, "queue"),
                                     .kind = FG_TRACK_GPU_QUEUE,
                                     .clock = 1 };
    (void)fgi_builder_track(b, &track, false);
}

uint32_t compare_bed_pass(struct compare_bed *bed, const char *name, const char *scope,
                          uint32_t ordinal)
{
    return fgi_builder_pass(bed->builder, fgi_builder_cstr(bed->builder, name),
                            fgi_builder_cstr(bed->builder, scope), ordinal);
}

uint32_t compare_bed_frame(struct compare_bed *bed, uint32_t topology,
                           const struct fg_frame_pass *states, uint32_t count, uint32_t missing)
{
    int64_t start = (int64_t)bed->frames * FRAME_NS;
    struct fg_trace_frame frame = { .id = bed->frames,
                                    .start_ns = start,
                                    .cpu_end_ns = start + 5000,
                                    .topology = topology,
                                    .track = 0,
                                    .missing = missing,
                                    .wait_ns = -1,
                                    .present_wait_ns = -1 };
    bed->at_ns = start;
    (void)fgi_builder_frame(bed->builder, &frame, states, count);
    return bed->frames++;
}

void compare_bed_span(struct compare_bed *bed, bool is_gpu, uint32_t pass, int64_t duration_ns,
                      const struct fg_trace_arg *args, uint32_t count)
{
    struct fg_trace *trace = fgi_builder_trace(bed->builder);
    struct fgi_span_in span = fgi_span_in_make(is_gpu, trace->passes.items[pass].name, bed->at_ns,
                                               bed->at_ns + duration_ns);
    bed->at_ns += duration_ns;
    span.classes = is_gpu ? FG_CLASS_GPU_PASS : FG_CLASS_ENCODE;
    span.frame = bed->frames - 1;
    span.pass = pass;
    span.args = args;
    span.arg_count = count;
    (void)fgi_builder_span(bed->builder, &span);
}

void compare_bed_end(struct compare_bed *bed)
{
    assert_int_equal(fgi_builder_finish(bed->builder, &bed->trace), FG_OK);
    fgi_builder_destroy(bed->builder);
    bed->builder = NULL;
    assert_int_equal(fgi_engine_cpu_create(NULL, bed->trace, &bed->engine), FG_OK);
    assert_int_equal(fg_query_create(bed->engine, NULL, NULL, NULL, &bed->query), FG_OK);
}

void compare_bed_finish(struct compare_bed *bed)
{
    fg_query_destroy(bed->query);
    fgi_engine_destroy(bed->engine);
    fgi_trace_destroy(bed->trace);
}

struct fg_compare_reply compare_beds(struct compare_bed *base, uint32_t first, uint32_t end,
                                     struct compare_bed *other, uint32_t other_first,
                                     uint32_t other_end)
{
    const struct fg_compare_request request = {
        .by = FG_STATS_BY_PASS,
        .sides = { { base->query, true, first, end },
                   { other->query, true, other_first, other_end } },
    };
    static const uint64_t steps[] = { 1, 2, 3, 5, 17, 100, 0 };
    struct fg_compare_reply reply;
    assert_int_equal(fg_compare(&request, &reply), FG_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        (void)fgt_compare_in_steps(&request, steps[i], &reply);
    }
    return reply;
}

const struct fg_compare_row *compare_row(const struct fg_compare_reply *reply, const char *name,
                                         bool is_gpu)
{
    for (uint32_t i = 0; i < reply->row_count; i++) {
        if (strcmp(reply->rows[i].name, name) == 0 && reply->rows[i].is_gpu == is_gpu) {
            return &reply->rows[i];
        }
    }
    fail_msg("no row of %s", name);
    return NULL;
}
