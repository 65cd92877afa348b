/* SPDX-License-Identifier: MIT */
/* Reads a capture with the public reader and keeps what tests look at. */
#include "capture_seen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "capture: %s\n", what);
        abort();
    }
}

static void see_meta(struct seen *seen, const struct fg_cap_meta *meta)
{
    snprintf(seen->adapter, sizeof seen->adapter, "%.*s", (int)meta->adapter_device.size,
             meta->adapter_device.data != NULL ? meta->adapter_device.data : "");
    seen->feature_count = meta->feature_count;
    seen->limit_count = meta->limit_count;
}

static void see_clock(struct seen *seen, const struct fg_capture *capture,
                      const struct fg_cap_clock *clock)
{
    size_t i = 0;
    while (i < seen->clock_count && seen->clocks[i].id != clock->id) {
        i++;
    }
    need(i < SEEN_CLOCKS, "too many clocks");
    if (i == seen->clock_count) {
        seen->clock_count++;
    }
    seen->clocks[i] = *clock;
    if (clock->first_reading + clock->reading_count > seen->readings[i]) {
        seen->readings[i] = (size_t)(clock->first_reading + clock->reading_count);
    }
    snprintf(seen->reasons[i], sizeof seen->reasons[i], "%s",
             fg_capture_symbol(capture, clock->reason, NULL));
}

static void see_pass(const struct fg_capture *capture, const struct fg_cap_gpu_pass *pass,
                     struct seen_pass *out)
{
    out->pass = *pass;
    snprintf(out->label, sizeof out->label, "%s", fg_capture_symbol(capture, pass->label, NULL));
    out->work_count = pass->work_count;
    out->attachment_count = pass->attachment_count;
    if (pass->work_count != 0) {
        out->work = pass->works[0];
    }
    if (pass->attachment_count != 0) {
        out->attachment = pass->attachments[0];
    }
}

static int64_t counter_of(const struct fg_capture *capture, const struct fg_cap_frame *frame,
                          const char *name)
{
    for (size_t i = 0; i < frame->counter_count; i++) {
        const struct fg_cap_counter *counter = &frame->counters[i];
        if (strcmp(fg_capture_symbol(capture, counter->name, NULL), name) == 0) {
            need(counter->value.kind == FG_CAP_VALUE_INT, "a counter of another kind");
            return counter->value.i;
        }
    }
    return -1;
}

static void see_frame(struct seen *seen, const struct fg_capture *capture,
                      const struct fg_cap_frame *frame)
{
    need(seen->frame_count < SEEN_FRAMES, "too many frames");
    struct seen_frame *out = &seen->frames[seen->frame_count++];
    need(frame->gpu_pass_count <= SEEN_PASSES, "too many passes");
    out->frame = *frame;
    for (size_t i = 0; i < frame->gpu_pass_count; i++) {
        see_pass(capture, &frame->gpu_passes[i], &out->passes[i]);
    }
    for (size_t i = 0; i < frame->drop_count; i++) {
        need(frame->drops[i].reason < SEEN_DROPS, "unknown drop reason");
        out->drops[frame->drops[i].reason] += frame->drops[i].count;
    }
    out->memory_used = counter_of(capture, frame, "memory.used");
    out->memory_budget = counter_of(capture, frame, "memory.budget");
    for (size_t i = 0; i < frame->submission_count; i++) {
        const struct fg_cap_submission *submission = &frame->submissions[i];
        if (submission->signal_count != 0 && out->signal_value == 0) {
            out->signal_value = submission->signals[0].value;
        }
        if (submission->wait_count != 0 && out->wait_value == 0) {
            out->wait_value = submission->waits[0].value;
        }
    }
}

static struct seen_frame *frame_of(struct seen *seen, uint64_t number)
{
    for (size_t i = 0; i < seen->frame_count; i++) {
        if (seen->frames[i].frame.frame == number) {
            return &seen->frames[i];
        }
    }
    need(false, "GPU times of an unknown frame");
    return NULL;
}

static void see_gpu_frame(struct seen *seen, const struct fg_cap_gpu_frame *gpu)
{
    struct seen_frame *frame = frame_of(seen, gpu->frame);
    for (size_t i = 0; i < gpu->span_count; i++) {
        need(gpu->spans[i].instance < SEEN_PASSES, "too many spans");
        frame->passes[gpu->spans[i].instance].has_span = true;
        frame->passes[gpu->spans[i].instance].span = gpu->spans[i];
    }
    for (size_t i = 0; i < gpu->statistics_count; i++) {
        struct seen_pass *pass = &frame->passes[gpu->statistics[i].instance];
        pass->statistics_mask = gpu->statistics[i].mask;
        need(gpu->statistics[i].value_count <= 16, "too many statistics");
        memcpy(pass->statistics, gpu->statistics[i].values,
               gpu->statistics[i].value_count * sizeof *pass->statistics);
    }
    for (size_t i = 0; i < gpu->resolved_count; i++) {
        need(frame->resolved_count < SEEN_RESOLVED, "too many resolved counts");
        frame->resolved[frame->resolved_count++] = gpu->resolved[i];
    }
    frame->landed = frame->landed || (gpu->flags & FG_CAP_GPU_FRAME_LAST) != 0;
}

static void see(struct seen *seen, const struct fg_capture *capture,
                const struct fg_capture_record *record)
{
    switch (record->type) {
    case FG_CAPTURE_META:
        see_meta(seen, record->meta);
        break;
    case FG_CAPTURE_CLKS:
        see_clock(seen, capture, record->clock);
        break;
    case FG_CAPTURE_FRAM:
        see_frame(seen, capture, record->frame);
        break;
    case FG_CAPTURE_GSPN:
        see_gpu_frame(seen, record->gpu_frame);
        break;
    default:
        break;
    }
}

struct seen *seen_read(const void *bytes, size_t size)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture = NULL;
    struct fg_capture_record record;
    struct fg_capture_info info;
    struct seen *seen = calloc(1, sizeof *seen);
    need(seen != NULL, "no memory");
    need(fg_capture_open(&source, NULL, NULL, &capture) == FG_OK, "cannot be opened");
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (!record.restated || record.type == FG_CAPTURE_CLKS) {
            see(seen, capture, &record);
        }
    }
    fg_capture_get_info(capture, &info);
    seen->closed = info.closed;
    seen->defect_count = fg_capture_defect_count(capture);
    fg_capture_close(capture);
    return seen;
}

void seen_free(struct seen *seen)
{
    free(seen);
}

const struct seen_pass *seen_find(const struct seen_frame *frame, const char *label)
{
    for (size_t i = 0; i < frame->frame.gpu_pass_count; i++) {
        if (strcmp(frame->passes[i].label, label) == 0) {
            return &frame->passes[i];
        }
    }
    return NULL;
}

const struct fg_cap_clock *seen_device_clock(const struct seen *seen, const char **out_reason,
                                             size_t *out_readings)
{
    for (size_t i = 0; i < seen->clock_count; i++) {
        if (seen->clocks[i].kind == FG_CAP_CLOCK_DEVICE) {
            *out_reason = seen->reasons[i];
            *out_readings = seen->readings[i];
            return &seen->clocks[i];
        }
    }
    return NULL;
}
