/* SPDX-License-Identifier: MIT */
/* A session of the process in memory, and what a reader finds in its capture. */
#ifndef FGT_STREAM_BED_H
#define FGT_STREAM_BED_H
#include "suite_guard.h"
#include <frameglass/capture.h>
#include <frameglass/object.h>

struct seen_span {
    const char *name; /**< these four: lent until stream_bed_close() */
    const char *category;
    const char *track;
    uint64_t os_id; /**< of the track */
    struct fg_cap_block_span span;
};
struct seen_metric {
    const char *name;
    const char *unit;
    struct fg_cap_metric metric;
    uint32_t sample_count;
    int64_t first, last;
};
struct seen_object {
    const char *name;
    const char *type;
    struct fg_cap_resource_event event;
    struct fg_cap_resource_detail detail;
};

#define SEEN_METRICS_MAX 512
struct stream_bed {
    struct fg_session *session;
    struct fg_memory_view view;
    struct fg_source source;
    struct fg_capture *capture;

    struct seen_span *spans;
    size_t span_count, span_capacity;
    struct seen_object *objects;
    size_t object_count, object_capacity;
    struct seen_metric metrics[SEEN_METRICS_MAX]; /**< by id - 1 */
    struct fg_cap_frame frames[64];
    size_t frame_count;
    int64_t frame_counter; /**< sum over the frames of the counter `counter_name` */
    const char *counter_name;
    struct fg_cap_clock clock; /**< of ticks; readings are not kept */
    uint64_t reading_count;
    struct fg_cap_reading readings[2]; /**< the first and the last one */
    uint64_t drops[32];                /**< of SUMM; FG_CAP_UNKNOWN = not listed */
    uint64_t lost;                     /**< sum of the marks of losses */
    bool has_ticks;
};

/** A session of no device, running. */
void stream_bed_start(struct stream_bed *bed, uint32_t flags);
/** Finish it and read all of it. */
void stream_bed_read(struct stream_bed *bed);
void stream_bed_close(struct stream_bed *bed);

/** Spans of this name, or of this track where `name` is NULL. */
size_t stream_bed_count(const struct stream_bed *bed, const char *name);
/** The only span of this name. */
const struct seen_span *stream_bed_span(const struct stream_bed *bed, const char *name);
const struct seen_metric *stream_bed_metric(const struct stream_bed *bed, const char *name);

#endif
