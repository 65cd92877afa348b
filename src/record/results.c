/* SPDX-License-Identifier: MIT */
/* Results that have come, in whatever order: absorbed, given up, or cut off by a lost device. */
#include "record/record_priv.h"
#include "record/session_priv.h"

#include <string.h>

#define RESOLVED_MAX        (1u << 20)
#define IMPOSSIBLE_SLACK_NS 1000000

static struct fgi_results *results_of(struct fgi_use *use)
{
    return use->copy != NULL ? &use->copy->results
                             : (use->pool != NULL ? &use->pool->results : NULL);
}

static struct fgi_timer *timer_of(const struct fgi_use *use)
{
    return use->pool != NULL ? use->pool->timer : NULL;
}

static struct fgi_landing *landing_of(const struct fgi_use *use)
{
    return use->copy != NULL ? use->copy->landing : NULL;
}

/** Whether all times of the frame are there. FG_OK or FG_ERR_DEVICE_LOST. */
static enum fg_result absorb(struct fgi_recorder *recorder, struct fg_frame *frame,
                             bool *out_landed)
{
    bool landed = true;
    for (size_t i = 0; i < frame->use_count; i++) {
        struct fgi_use *use = &frame->uses[i];
        struct fgi_results *results = results_of(use);
        if (use->landed || results == NULL || use->used_slots == 0) {
            continue;
        }
        enum fg_result result =
            fgi_results_read(recorder, timer_of(use), landing_of(use), results, use->used_slots);
        if (result == FG_ERR_DEVICE_LOST) {
            return result;
        }
        use->landed = results->ready >= use->used_slots;
        landed &= use->landed;
    }
    *out_landed = landed;
    return FG_OK;
}

/** Slot of an instance and the results that it is in; NULL = it has none. */
static const struct fgi_times *times_of(struct fg_frame *frame, const struct fgi_instance *instance)
{
    struct fgi_use *use = &frame->uses[instance->use];
    const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
    const struct fgi_results *results = results_of(use);
    uint32_t slot = pass != NULL ? pass->slot : 0;
    if (results == NULL || slot == FGI_NONE || slot >= use->used_slots) {
        return NULL;
    }
    return &results->times[slot];
}

/** The moment that an instance's stamps were taken soon after, on the host clock. */
static int64_t submitted_ns(const struct fg_frame *frame, const struct fgi_instance *instance)
{
    uint32_t submission = frame->uses[instance->use].submission;
    return submission != FGI_NONE ? frame->submissions[submission].submit_ns : frame->end_ns;
}

/** Unwraps each stamp next to the one before it on its clock, so that long frames stay whole. */
struct unwrapper {
    struct fgi_clock *clock;
    bool started;
    uint64_t last_ticks;
};

static uint64_t unwrap(struct fgi_recorder *recorder, struct unwrapper *unwrapper,
                       uint64_t raw_ticks, int64_t near_ns)
{
    if (!unwrapper->started) {
        unwrapper->started = true;
        unwrapper->last_ticks =
            fgi_clock_unwrap(&recorder->clocks, unwrapper->clock, raw_ticks, near_ns);
    } else {
        unwrapper->last_ticks += (uint64_t)fgi_ticks_difference(raw_ticks, unwrapper->last_ticks,
                                                                unwrapper->clock->valid_bits);
    }
    return unwrapper->last_ticks;
}

/**
 * Longer than the host saw the frame last, from its begin until now: no clock is so far off that
 * this could be, but some drivers give out such times (an absolute one for a duration, say).
 */
static bool is_impossible(const struct fgi_recorder *recorder, const struct fg_frame *frame,
                          const struct fgi_span *span)
{
    int64_t host_ns = fgi_host_now(recorder) - frame->begin_ns;
    int64_t ns =
        fgi_ticks_to_ns((int64_t)(span->end_ticks - span->begin_ticks), recorder->clocks.period);
    return ns > host_ns + host_ns / 8 + IMPOSSIBLE_SLACK_NS;
}

static void make_span(struct fgi_recorder *recorder, struct fg_frame *frame,
                      const struct fgi_instance *instance, struct unwrapper *unwrappers,
                      struct fgi_span *span)
{
    const struct fgi_use *use = &frame->uses[instance->use];
    const struct fgi_times *times = times_of(frame, instance);
    *span = (struct fgi_span){ .status = FG_CAP_SPAN_NO_SLOT };
    if (times == NULL) {
        return;
    }
    span->origin = use->pool != NULL ? use->pool->origin : recorder->pool_count;
    uint32_t queue = fgi_instance_queue(frame, instance);
    struct unwrapper *unwrapper = &unwrappers[recorder->clocks.clock_of_queue[queue]];
    if (times->refused) {
        span->status = FG_CAP_SPAN_REFUSED;
        unwrapper->clock->next_ns = INT64_MIN; /* it may have jumped: read it again soon */
        return;
    }
    if (!times->has_begin) {
        span->status = recorder->lost ? FG_CAP_SPAN_LOST : FG_CAP_SPAN_MISSING;
        return;
    }
    int64_t near_ns = submitted_ns(frame, instance);
    span->begin_ticks = unwrap(recorder, unwrapper, times->begin_ticks, near_ns);
    if (!times->has_end) {
        /* Only a lost device says that it was open: otherwise the end may just be late. */
        span->status = recorder->lost ? FG_CAP_SPAN_OPEN : FG_CAP_SPAN_MISSING;
        span->end_ticks = span->begin_ticks;
        return;
    }
    span->end_ticks = unwrap(recorder, unwrapper, times->end_ticks, near_ns);
    span->status = span->end_ticks < span->begin_ticks    ? FG_CAP_SPAN_INVALID
                   : is_impossible(recorder, frame, span) ? FG_CAP_SPAN_REFUSED
                                                          : FG_CAP_SPAN_OK;
}

/** Times of every instance, unwrapped. Without memory the frame has no GPU side. */
static bool make_spans(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    struct unwrapper unwrappers[FGI_QUEUES_MAX] = { { 0 } };
    if (FGI_GROW(recorder->allocator, frame->spans, frame->span_capacity, frame->instance_count,
                 SIZE_MAX / sizeof *frame->spans) != FG_OK) {
        return false;
    }
    for (uint32_t i = 0; i < recorder->clocks.count; i++) {
        unwrappers[i].clock = &recorder->clocks.clocks[i];
    }
    for (size_t i = 0; i < frame->instance_count; i++) {
        make_span(recorder, frame, &frame->instances[i], unwrappers, &frame->spans[i]);
    }
    return true;
}

static void keep_resolved(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t instance,
                          uint32_t work_index, const struct fgi_work *work)
{
    struct fgi_use *use = &frame->uses[frame->instances[instance].use];
    for (uint32_t draw = 0; draw < work->indirect_count; draw++) {
        uint32_t words[1][FGI_INDIRECT_WORDS] = { { 0 } };
        bool have = false;
        if (recorder->ops->indirect_read(recorder->device, timer_of(use), landing_of(use),
                                         work->indirect + draw, 1, words, &have) != FG_OK ||
            !have ||
            FGI_GROW(recorder->allocator, frame->resolved, frame->resolved_capacity,
                     frame->resolved_count + 1, RESOLVED_MAX) != FG_OK) {
            continue;
        }
        bool dispatch = work->kind == FG_CAP_WORK_DISPATCH_INDIRECT;
        frame->resolved[frame->resolved_count++] = (struct fg_cap_resolved){
            .instance = instance,
            .work = work_index,
            .draw = draw,
            .x = words[0][0],
            .y = words[0][1],
            .z = dispatch ? words[0][2] : 0,
        };
    }
}

static void resolve_instance(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t index)
{
    const struct fgi_instance *instance = &frame->instances[index];
    const struct fgi_use *use = &frame->uses[instance->use];
    if (instance->pass == FGI_NONE || use->pool == NULL || use->commands->next_indirect == 0) {
        return;
    }
    const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
    uint32_t work_index = 0;
    for (size_t w = pass->first_work; w < use->commands->work_count && w < pass->end_work; w++) {
        const struct fgi_work *work = &use->commands->works[w];
        if (work->pass == instance->pass && work->indirect != FGI_NONE) {
            keep_resolved(recorder, frame, index, work_index, work);
        }
        work_index += work->pass == instance->pass ? 1 : 0;
    }
}

/** Counts of indirect work that were copied back, clock by clock, as they will be written. */
static void resolve_indirect(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    for (uint32_t clock = 0; clock < recorder->clocks.count; clock++) {
        for (uint32_t i = 0; i < frame->instance_count; i++) {
            uint32_t queue = fgi_instance_queue(frame, &frame->instances[i]);
            if (recorder->clocks.clock_of_queue[queue] == clock) {
                resolve_instance(recorder, frame, i);
            }
        }
    }
}

/** Hold the clocks against this frame's submits; a clock that disagrees is told to all sessions. */
static void check_clocks(struct fgi_recorder *recorder, const struct fg_frame *frame)
{
    int64_t now_ns = fgi_host_now(recorder);
    for (uint32_t c = 0; c < recorder->clocks.count; c++) {
        uint64_t begin_ticks = UINT64_MAX;
        uint64_t end_ticks = 0;
        int64_t submit_ns = INT64_MAX;
        for (size_t i = 0; i < frame->instance_count; i++) {
            const struct fgi_span *span = &frame->spans[i];
            uint32_t queue = fgi_instance_queue(frame, &frame->instances[i]);
            if (span->status != FG_CAP_SPAN_OK || recorder->clocks.clock_of_queue[queue] != c) {
                continue;
            }
            int64_t near_ns = frame->submission_count != 0
                                  ? submitted_ns(frame, &frame->instances[i])
                                  : frame->begin_ns; /* all that is known without submits */
            begin_ticks = span->begin_ticks < begin_ticks ? span->begin_ticks : begin_ticks;
            end_ticks = span->end_ticks > end_ticks ? span->end_ticks : end_ticks;
            submit_ns = near_ns < submit_ns ? near_ns : submit_ns;
        }
        if (begin_ticks != UINT64_MAX &&
            fgi_clock_check(&recorder->clocks, &recorder->clocks.clocks[c], begin_ticks, end_ticks,
                            submit_ns, now_ns)) {
            fgi_sessions_write_clock(recorder, c);
        }
    }
}

static void tell_sessions(struct fg_frame *frame, struct fg_session *only, bool complete)
{
    for (uint32_t i = 0; i < frame->session_count; i++) {
        struct fgi_audience *audience = &frame->sessions[i];
        if (audience->session != NULL && (only == NULL || audience->session == only)) {
            fgi_session_write_gpu(audience->session, frame, audience, complete);
            fgi_session_frame_gone(audience->session);
            audience->session = NULL;
        }
    }
}

/** Make what is known of the frame's GPU side final. `complete`: nothing is missing. */
static void settle(struct fgi_recorder *recorder, struct fg_frame *frame, bool complete)
{
    if (!make_spans(recorder, frame)) {
        frame->instance_count = 0;
        return;
    }
    frame->resolved_count = 0;
    if (recorder->ops->indirect_read != NULL && recorder->device->caps.indirect) {
        resolve_indirect(recorder, frame);
    }
    if (complete) {
        check_clocks(recorder, frame);
    }
}

static void unlink_in_flight(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    struct fg_frame **link = &recorder->in_flight;
    while (*link != frame) {
        link = &(*link)->next;
    }
    *link = frame->next;
    recorder->in_flight_count--;
}

static void finish_frame(struct fgi_recorder *recorder, struct fg_frame *frame, bool complete)
{
    unlink_in_flight(recorder, frame);
    settle(recorder, frame, complete);
    tell_sessions(frame, NULL, complete);
    fgi_timing_report(recorder, frame);
    fgi_frame_recycle(recorder, frame);
}

/** Read what can be read now, whether it is complete or not. */
static void salvage(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    for (size_t i = 0; i < frame->use_count; i++) {
        struct fgi_use *use = &frame->uses[i];
        struct fgi_results *results = results_of(use);
        if (results != NULL && !use->landed) {
            fgi_results_salvage(recorder, timer_of(use), landing_of(use), results, use->used_slots);
        }
    }
}

static void calibrate(struct fgi_recorder *recorder)
{
    if ((recorder->want & FGI_WANT_CALIBRATION) == 0) {
        return;
    }
    int64_t now_ns = fgi_host_now(recorder);
    for (uint32_t i = 0; i < recorder->clocks.count; i++) {
        if (fgi_clock_calibrate(&recorder->clocks, &recorder->clocks.clocks[i], recorder->device,
                                now_ns)) {
            fgi_sessions_write_clock(recorder, i);
        }
    }
}

void fgi_recorder_calibrate_now(struct fgi_recorder *recorder)
{
    if (recorder->lost || recorder->dead) {
        return;
    }
    for (uint32_t i = 0; i < recorder->clocks.count; i++) {
        recorder->clocks.clocks[i].next_ns = INT64_MIN;
    }
    calibrate(recorder);
}

void fgi_recorder_poll(struct fgi_recorder *recorder)
{
    if (recorder->lost) {
        return;
    }
    calibrate(recorder);
    struct fg_frame *next;
    for (struct fg_frame *frame = recorder->in_flight; frame != NULL; frame = next) {
        bool landed;
        next = frame->next;
        if (absorb(recorder, frame, &landed) == FG_ERR_DEVICE_LOST) {
            fgi_recorder_lose(recorder);
            return;
        }
        if (landed) {
            finish_frame(recorder, frame, true);
        }
    }
    while (recorder->in_flight_count > recorder->limits.frames_max) {
        salvage(recorder, recorder->in_flight);
        finish_frame(recorder, recorder->in_flight, false);
    }
    fgi_pools_poll_zombies(recorder);
}

void fgi_recorder_give_up(struct fgi_recorder *recorder, struct fg_session *session)
{
    for (struct fg_frame *frame = recorder->in_flight; frame != NULL; frame = frame->next) {
        salvage(recorder, frame);
        settle(recorder, frame, false);
    }
    if (recorder->lost) {
        fgi_sessions_write_lost(recorder);
    }
    struct fg_frame *next;
    for (struct fg_frame *frame = recorder->in_flight; frame != NULL; frame = next) {
        next = frame->next;
        tell_sessions(frame, session, false);
        if (session == NULL) {
            unlink_in_flight(recorder, frame);
            fgi_timing_report(recorder, frame);
            fgi_frame_recycle(recorder, frame);
        }
    }
}
