/* SPDX-License-Identifier: MIT */
/*
 * Times where there are durations only. Elapsed queries neither nest nor overlap, so every begin
 * and every end inside of a pass cuts the stream into segments with a query each; a slot is as long
 * as the segments that it covers. Segments are laid end to end on a line that starts where the host
 * began to record: what lies between two passes of the outermost level is not seen.
 */
#include "gpu/opengl/opengl_priv.h"

/* How much longer than on the host's clock a segment may seem to be. */
#define SLACK_NS 1000000

static void end_segment(struct fgi_opengl_device *device, struct fgi_timer *timer)
{
    device->gl.EndQuery(FGI_GL_TIME_ELAPSED);
    timer->segments[timer->segment_count - 1].ended = true;
    device->timing_now = NULL;
}

void fgi_opengl_elapsed_stop(struct fgi_opengl_device *device, const struct fgi_timer *timer)
{
    struct fgi_timer *running = device->timing_now;
    if (running != NULL && (timer == NULL || timer == running)) {
        end_segment(device, running);
        running->segments[running->segment_count - 1].in_the_way = true; /* it was cut off */
    }
}

static void begin_segment(struct fgi_opengl_device *device, struct fgi_timer *timer)
{
    struct fgi_opengl_segment *segment = &timer->segments[timer->segment_count];
    int theirs = 0;
    fgi_opengl_elapsed_stop(device, NULL);
    device->gl.GetQueryiv(FGI_GL_TIME_ELAPSED, FGI_GL_CURRENT_QUERY, &theirs);
    *segment = (struct fgi_opengl_segment){ .begun_ns = device->now_ns() };
    if (theirs != 0) {
        segment->ended = segment->in_the_way = true;
    } else {
        device->gl.BeginQuery(FGI_GL_TIME_ELAPSED, timer->names[timer->segment_count]);
        device->timing_now = timer;
    }
    timer->segment_count++;
}

void fgi_opengl_elapsed_begin(struct fgi_opengl_device *device, struct fgi_timer *timer,
                              uint32_t slot)
{
    if (device->timing_now == timer) {
        end_segment(device, timer);
    }
    timer->extents[slot] = (struct fgi_opengl_extent){ .first = timer->segment_count };
    timer->open++;
    begin_segment(device, timer);
}

void fgi_opengl_elapsed_end(struct fgi_opengl_device *device, struct fgi_timer *timer,
                            uint32_t slot)
{
    if (device->timing_now == timer) {
        end_segment(device, timer);
    }
    timer->extents[slot].end = timer->segment_count;
    if (--timer->open != 0) {
        begin_segment(device, timer);
    }
}

/** True: the segment has its ticks, whether they are believed or not. */
static bool read_segment(struct fgi_opengl_device *device, struct fgi_timer *timer, uint32_t index)
{
    struct fgi_opengl_segment *segment = &timer->segments[index];
    uint64_t ticks;
    if (!segment->ended) {
        return false;
    }
    if (segment->in_the_way) {
        segment->ticks = 0;
        return true;
    }
    if (!fgi_opengl_result(device, timer->names[index], &ticks)) {
        return false;
    }
    uint64_t host_ns = (uint64_t)(device->now_ns() - segment->begun_ns);
    segment->impossible = ticks > host_ns + host_ns / 8 + SLACK_NS;
    segment->ticks = segment->impossible ? 0 : ticks;
    return true;
}

void fgi_opengl_elapsed_read(struct fgi_opengl_device *device, struct fgi_timer *timer)
{
    while (timer->segments_read < timer->segment_count &&
           read_segment(device, timer, timer->segments_read)) {
        uint32_t index = timer->segments_read++;
        struct fgi_opengl_segment *segment = &timer->segments[index];
        if (index == 0) {
            uint64_t begun = (uint64_t)timer->begun_ns;
            timer->base_ticks = begun > device->laid_ticks ? begun : device->laid_ticks;
            segment->before_ticks = 0;
        } else {
            segment->before_ticks = segment[-1].before_ticks + segment[-1].ticks;
        }
        uint64_t end = timer->base_ticks + segment->before_ticks + segment->ticks;
        device->laid_ticks = end > device->laid_ticks ? end : device->laid_ticks;
    }
}

void fgi_opengl_elapsed_take(struct fgi_opengl_device *device, struct fgi_timer *timer,
                             uint32_t slot, struct fgi_slot_result *out)
{
    const struct fgi_opengl_extent extent = timer->extents[slot];
    bool ended = (timer->states[slot] & FGI_OPENGL_ENDED) != 0;
    out->has_begin = extent.first < timer->segments_read;
    out->has_end = ended && extent.end <= timer->segments_read;
    if (out->has_begin) {
        out->begin_ticks = timer->base_ticks + timer->segments[extent.first].before_ticks;
    }
    if (!out->has_end) {
        return;
    }
    const struct fgi_opengl_segment *last = &timer->segments[extent.end - 1];
    bool impossible = false;
    bool in_the_way = false;
    out->end_ticks = timer->base_ticks + last->before_ticks + last->ticks;
    for (uint32_t i = extent.first; i < extent.end; i++) {
        impossible |= timer->segments[i].impossible;
        in_the_way |= timer->segments[i].in_the_way;
    }
    out->refused = impossible || in_the_way;
    if (out->refused && (timer->states[slot] & FGI_OPENGL_TOLD) == 0) {
        timer->states[slot] |= FGI_OPENGL_TOLD;
        fgi_opengl_count(impossible ? &device->passes_impossible : &device->passes_in_the_way, 1);
    }
}
