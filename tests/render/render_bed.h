/* SPDX-License-Identifier: MIT */
/* A trace that has everything a picture shows: open and cut spans, long names, many lanes, and
 * parts so dense that bins stand for them. */
#ifndef RENDER_BED_H
#define RENDER_BED_H
#include "base/alloc.h"
#include "trace/build.h"

enum { RENDER_BED_NS = 1000000 };

static void render_bed_span(struct fgi_builder *b, uint32_t track, const char *name,
                            int64_t start_ns, int64_t end_ns, enum fg_span_status status)
{
    struct fgi_span_in span = fgi_span_in_make(track, fgi_builder_cstr(b, name), start_ns, end_ns);
    span.status = (uint32_t)status;
    (void)fgi_builder_span(b, &span);
}

/* Nested spans; every eighth of the window they get denser. */
static void render_bed_track(struct fgi_builder *b, uint32_t track)
{
    static const char *const names[] = {
        "shadow map", "cascade 1",
        "cascade 2",  "g-buffer \xE2\x80\x93 opaque",
        "lighting",   "a pass with a name that hardly ever fits whole"
    };
    static const enum fg_span_status statuses[] = { FG_SPAN_COMPLETE, FG_SPAN_COMPLETE,
                                                    FG_SPAN_ERROR,    FG_SPAN_UNFINISHED,
                                                    FG_SPAN_FORCED,   FG_SPAN_LOST };
    uint32_t n = track;
    for (int64_t at = (int64_t)track * 137; at < RENDER_BED_NS;) {
        const int64_t length = (RENDER_BED_NS / 6) >> (at * 10 / RENDER_BED_NS);
        const int64_t end = at + length - length / 8;
        render_bed_span(b, track, names[n % 6], at, end, statuses[n % 6]);
        render_bed_span(b, track, names[(n + 1) % 6], at + length / 9, at + length / 3,
                        FG_SPAN_COMPLETE);
        render_bed_span(b, track, names[(n + 2) % 6], at + length / 3, end, statuses[(n + 1) % 6]);
        at += length > 5 ? length : 5;
        n++;
    }
}

static struct fg_trace *render_bed_trace(uint32_t tracks)
{
    static const enum fg_track_kind kinds[] = { FG_TRACK_THREAD, FG_TRACK_GPU_QUEUE,
                                                FG_TRACK_ASYNC };
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    if (fgi_builder_create(NULL, 0, &b) != FG_OK) {
        return NULL;
    }
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, fgi_builder_cstr(b, "renderer"), 1);
    (void)fgi_builder_process(b, fgi_builder_cstr(b, "compositor"), 2);
    for (uint32_t i = 0; i < tracks; i++) {
        const struct fg_trace_track track = { .name = fgi_builder_cstr(b, i == 1 ? "graphics queue"
                                                                                 : "worker thread"),
                                              .process = i % 2,
                                              .kind = kinds[i % 3] };
        (void)fgi_builder_track(b, &track, false);
    }
    for (uint32_t i = 0; i < tracks; i++) {
        render_bed_track(b, i);
    }
    const enum fg_result result = fgi_builder_finish(b, &trace);
    fgi_builder_destroy(b);
    return result == FG_OK ? trace : NULL;
}

#endif
