/* SPDX-License-Identifier: MIT */
/* Small traces to compare, made frame by frame. */
#ifndef COMPARE_BED_H
#define COMPARE_BED_H
#include "trace/build.h"
#include <frameglass/trace_compare.h>

struct compare_bed {
    struct fgi_builder *builder;
    uint32_t frames; /**< made so far */
    int64_t at_ns;
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
};
/** Tracks: 0 a thread on the host's clock, 1 a queue on a clock with ticks of 1 ns. */
void compare_bed_begin(struct compare_bed *bed);
/** The next frame; topology FG_NONE and states NULL: no graph. Its time is a million ns. */
uint32_t compare_bed_frame(struct compare_bed *bed, uint32_t topology,
                           const struct fg_frame_pass *states, uint32_t count, uint32_t missing);
/** A span of a pass in the last frame; args may be NULL. */
void compare_bed_span(struct compare_bed *bed, bool is_gpu, uint32_t pass, int64_t duration_ns,
                      const struct fg_trace_arg *args, uint32_t count);
uint32_t compare_bed_pass(struct compare_bed *bed, const char *name, const char *scope,
                          uint32_t ordinal);
/** Make trace, engine and query. */
void compare_bed_end(struct compare_bed *bed);
void compare_bed_finish(struct compare_bed *bed);
/** Compare frames of two beds (or one) by pass. */
struct fg_compare_reply compare_beds(struct compare_bed *base, uint32_t first, uint32_t end,
                                     struct compare_bed *other, uint32_t other_first,
                                     uint32_t other_end);
/** The row of a pass; fails the test when there is none. */
const struct fg_compare_row *compare_row(const struct fg_compare_reply *reply, const char *name,
                                         bool is_gpu);

#endif
