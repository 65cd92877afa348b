/* SPDX-License-Identifier: MIT */
/* A capture read back whole, as far as tests look at it. */
#ifndef FGT_CAPTURE_SEEN_H
#define FGT_CAPTURE_SEEN_H
#include <frameglass/capture.h>

enum { SEEN_FRAMES = 32, SEEN_PASSES = 128, SEEN_RESOLVED = 8, SEEN_CLOCKS = 8, SEEN_DROPS = 16 };

struct seen_pass {
    char label[32];
    struct fg_cap_gpu_pass pass; /**< its arrays are not kept */
    size_t work_count;
    struct fg_cap_work work; /**< the first */
    size_t attachment_count;
    struct fg_cap_attachment attachment; /**< the first */
    bool has_span;
    struct fg_cap_gpu_span span;
    uint32_t statistics_mask;
    uint64_t statistics[16];
};

struct seen_frame {
    struct fg_cap_frame frame; /**< its arrays are not kept */
    struct seen_pass passes[SEEN_PASSES];
    uint64_t drops[SEEN_DROPS];
    uint64_t signal_value;              /**< of the first submission that signals */
    uint64_t wait_value;                /**< of the first submission that waits */
    int64_t memory_used, memory_budget; /**< counters of the recorder; -1 = not there */
    bool landed;                        /**< the last GSPN came */
    struct fg_cap_resolved resolved[SEEN_RESOLVED];
    size_t resolved_count;
};

struct seen {
    struct seen_frame frames[SEEN_FRAMES];
    size_t frame_count;
    struct fg_cap_clock clocks[SEEN_CLOCKS]; /**< the latest statement; readings are counted */
    size_t readings[SEEN_CLOCKS];
    char reasons[SEEN_CLOCKS][128];
    size_t clock_count;
    char adapter[128];
    size_t feature_count;
    size_t limit_count;
    uint64_t defect_count;
    bool closed;
};

/** @return owned; seen_free(). Aborts when the bytes are no capture or the bounds are too small. */
struct seen *seen_read(const void *bytes, size_t size);
void seen_free(struct seen *seen);
/** The frame's first pass of that label; NULL when there is none. */
const struct seen_pass *seen_find(const struct seen_frame *frame, const char *label);
/** The latest statement about a device's clock; NULL when there is none. */
const struct fg_cap_clock *seen_device_clock(const struct seen *seen, const char **out_reason,
                                             size_t *out_readings);

#endif
