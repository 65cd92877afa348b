/* SPDX-License-Identifier: MIT */
/* Frames from begin to end: who gets them, what was submitted, when they may be forgotten. */
#include "record/instrument/instrument_priv.h"
#include "record/record_priv.h"
#include "base/os_probes.h"
#include "record/session_priv.h"

#include <string.h>

#define COUNTERS_MAX 4096

void fgi_frame_free(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    const struct fg_allocator *allocator = recorder->allocator;
    fgi_free(allocator, frame->commands, frame->command_capacity * sizeof *frame->commands);
    fgi_free(allocator, frame->submissions,
             frame->submission_capacity * sizeof *frame->submissions);
    fgi_free(allocator, frame->semaphores, frame->semaphore_capacity * sizeof *frame->semaphores);
    fgi_free(allocator, frame->uses, frame->use_capacity * sizeof *frame->uses);
    fgi_free(allocator, frame->instances, frame->instance_capacity * sizeof *frame->instances);
    fgi_free(allocator, frame->spans, frame->span_capacity * sizeof *frame->spans);
    fgi_free(allocator, frame->resolved, frame->resolved_capacity * sizeof *frame->resolved);
    fgi_free(allocator, frame->counters, frame->counter_capacity * sizeof *frame->counters);
    fgi_free(allocator, frame->pass_states,
             frame->pass_state_capacity * sizeof *frame->pass_states);
    fgi_free(allocator, frame, sizeof *frame);
}

/** Give back what one execution held: results that have not come keep their timer out of use. */
static void release_use(struct fgi_recorder *recorder, struct fgi_use *use)
{
    fgi_copy_give(recorder, use->copy);
    if (use->commands == NULL) {
        return;
    }
    if ((use->commands->flags & FG_COMMANDS_REUSED) != 0) {
        fgi_commands_release(recorder, use->commands);
    } else if (use->commands->pool != NULL && use->pool != NULL && !use->landed) {
        fgi_pool_abandon(recorder, use->commands->pool, use->used_slots);
        use->commands->pool = NULL;
    }
}

void fgi_frame_recycle(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    for (size_t i = 0; i < frame->use_count; i++) {
        release_use(recorder, &frame->uses[i]);
    }
    for (size_t i = 0; i < frame->command_count; i++) {
        fgi_commands_recycle(recorder, frame->commands[i]);
    }
    fgi_graph_release(recorder, frame->graph);
    for (uint32_t i = 0; i < frame->session_count; i++) {
        if (frame->sessions[i].session != NULL) {
            fgi_session_frame_gone(frame->sessions[i].session);
        }
    }
    frame->graph = NULL;
    frame->session_count = 0;
    frame->command_count = frame->submission_count = frame->semaphore_count = 0;
    frame->use_count = frame->instance_count = frame->counter_count = 0;
    frame->pass_state_count = frame->resolved_count = 0;
    frame->next = recorder->free_frames;
    recorder->free_frames = frame;
}

static struct fg_frame *take_frame(struct fgi_recorder *recorder)
{
    struct fg_frame *frame = recorder->free_frames;
    if (frame != NULL) {
        recorder->free_frames = frame->next;
    } else {
        frame = fgi_calloc(recorder->allocator, 1, sizeof *frame);
        if (frame == NULL) {
            return NULL;
        }
        recorder->growth_count++;
    }
    frame->recorder = recorder;
    frame->serial = ++recorder->serial;
    frame->submit_ns = frame->wait_ns = frame->present_wait_ns = -1;
    frame->overhead_ns = 0;
    frame->ended = frame->quiet = frame->armed = false;
    memset(frame->drops, 0, sizeof frame->drops);
    return frame;
}

static void invite_sessions(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        if (fgi_session_take_frame(recorder->sessions[i])) {
            frame->sessions[frame->session_count++] =
                (struct fgi_audience){ .session = recorder->sessions[i] };
        }
    }
    if (recorder->armed_left != 0) {
        recorder->armed_left--;
        recorder->armed_pending++;
        frame->armed = true;
        frame->armed_number = recorder->armed_next++;
    }
    frame->quiet = frame->session_count == 0 && !frame->armed;
}

/** Whether a frame that begins now is of use to anybody. */
static bool is_watched(const struct fgi_recorder *recorder)
{
    return recorder->armed_left != 0 || recorder->reused != NULL ||
           fgi_sessions_running(recorder) != 0;
}

struct fg_frame *fg_frame_begin(struct fg_device *device)
{
    if (device == NULL || !fgi_recorder_is_ours(device->recorder)) {
        return NULL;
    }
    struct fgi_recorder *recorder = device->recorder;
    struct fg_frame *frame = NULL;
    fgi_mutex_lock(recorder->lock);
    const bool anybody = is_watched(recorder);
    int64_t begin_ns = anybody ? fgi_host_now(recorder) : 0; /* nobody pays for what nobody sees */
    if (!recorder->dead) {
        fgi_recorder_poll(recorder);
    }
    if (!recorder->dead && !recorder->lost && anybody && is_watched(recorder)) {
        frame = take_frame(recorder);
    }
    if (frame != NULL) {
        invite_sessions(recorder, frame);
        frame->thread = fgi_thread_number();
        frame->next = recorder->open;
        recorder->open = frame;
        frame->begin_ns = fgi_host_now(recorder);
        frame->overhead_ns = frame->begin_ns - begin_ns;
        FGI_PROBE(frame_begin, frame->serial);
    }
    fgi_mutex_unlock(recorder->lock);
    return frame;
}

void fg_frame_waited(struct fg_frame *frame, enum fg_wait_kind kind, int64_t duration_ns)
{
    if (frame == NULL || duration_ns < 0 || !fgi_recorder_is_ours(frame->recorder)) {
        return;
    }
    fgi_mutex_lock(frame->recorder->lock);
    frame->wait_ns = (frame->wait_ns < 0 ? 0 : frame->wait_ns) + duration_ns;
    if (kind == FG_WAIT_PRESENT) {
        frame->present_wait_ns =
            (frame->present_wait_ns < 0 ? 0 : frame->present_wait_ns) + duration_ns;
    }
    fgi_mutex_unlock(frame->recorder->lock);
}

static void add_counter(struct fgi_recorder *recorder, struct fg_frame *frame, const char *name,
                        enum fg_unit unit, int64_t value)
{
    if (FGI_GROW(recorder->allocator, frame->counters, frame->counter_capacity,
                 frame->counter_count + 1, COUNTERS_MAX) != FG_OK) {
        frame->drops[FG_CAP_DROP_NO_MEMORY]++;
        return;
    }
    struct fgi_counter *counter = &frame->counters[frame->counter_count++];
    size_t size = strlen(name);
    size = size < sizeof counter->name ? size : sizeof counter->name - 1;
    memcpy(counter->name, name, size);
    counter->name[size] = 0;
    counter->unit = unit;
    counter->value = value;
}

void fg_frame_counter(struct fg_frame *frame, const char *name, enum fg_unit unit, int64_t value)
{
    if (frame == NULL || name == NULL || !fgi_recorder_is_ours(frame->recorder)) {
        return;
    }
    fgi_mutex_lock(frame->recorder->lock);
    if (!frame->quiet) {
        add_counter(frame->recorder, frame, name, unit, value);
    }
    fgi_mutex_unlock(frame->recorder->lock);
}

/** A frame that told no submission ran all its command buffers, in the order of their begins. */
static void use_all_commands(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    for (size_t i = 0; i < frame->command_count; i++) {
        struct fg_commands *commands = frame->commands[i];
        if ((commands->flags & FG_COMMANDS_SECONDARY) == 0 && !commands->used) {
            struct fgi_use use = { .submission = FGI_NONE, .parent_use = FGI_NONE };
            fgi_frame_use(recorder, frame, commands, use);
        }
    }
}

/** What the command buffers themselves counted, and what recording them cost. */
static void collect_commands(struct fg_frame *frame)
{
    for (size_t i = 0; i < frame->command_count; i++) {
        struct fg_commands *commands = frame->commands[i];
        if (!commands->ended) {
            /* Its native recording is over: no stamp can be written any more. */
            commands->drops[FG_CAP_DROP_UNBALANCED]++;
            commands->ended = true;
        }
        for (size_t r = 0; r < FGI_DROP_REASONS; r++) {
            frame->drops[r] += commands->drops[r];
        }
        frame->overhead_ns += fgi_cost_total_ns(&commands->pass_cost);
        frame->overhead_ns += fgi_cost_total_ns(&commands->work_cost);
    }
    for (size_t i = 0; i < frame->use_count; i++) {
        const struct fg_commands *commands = frame->uses[i].commands;
        if (commands != NULL && (commands->flags & FG_COMMANDS_REUSED) != 0) {
            for (size_t r = 0; r < FGI_DROP_REASONS; r++) {
                frame->drops[r] += commands->drops[r];
            }
        }
    }
}

/** What was submitted, not what was recorded; reused command buffers count each time. */
static void count_draws(const struct fg_frame *frame, struct fgi_draws *draws)
{
    for (size_t i = 0; i < frame->use_count; i++) {
        const struct fgi_use *use = &frame->uses[i];
        const bool failed =
            use->submission != FGI_NONE && frame->submissions[use->submission].failed;
        if (use->commands != NULL && !use->whole && !failed) {
            fgi_draws_add(draws, &use->commands->draws);
        }
    }
}

/** Which graph passes recorded anything in this frame. */
static void mark_encoded(struct fg_frame *frame)
{
    for (size_t i = 0; i < frame->use_count; i++) {
        const struct fg_commands *commands = frame->uses[i].commands;
        bool now = commands != NULL && (commands->flags & FG_COMMANDS_REUSED) == 0;
        for (size_t b = 0; now && b < commands->bracket_count; b++) {
            if (commands->brackets[b].graph_pass < frame->pass_state_count) {
                frame->pass_states[commands->brackets[b].graph_pass].encoded = true;
            }
        }
    }
}

/** Passes that never ended have no times: only the slots before the first of them are read. */
static void bound_slots(struct fg_frame *frame)
{
    for (size_t i = 0; i < frame->use_count; i++) {
        struct fgi_use *use = &frame->uses[i];
        if (use->commands == NULL || use->pool == NULL) {
            continue;
        }
        for (size_t p = 0; p < use->commands->pass_count; p++) {
            const struct fgi_pass *pass = &use->commands->passes[p];
            if ((pass->flags & FGI_PASS_ENDED) == 0 && pass->slot < use->used_slots) {
                use->used_slots = pass->slot;
            }
        }
    }
}

static void sample_memory(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    struct fgi_memory_use memory = { 0 };
    if (!recorder->device->caps.memory || !recorder->ops->memory(recorder->device, &memory)) {
        return;
    }
    if (memory.whole) {
        if (memory.total_bytes != 0) {
            add_counter(recorder, frame, "memory.device.used", FG_UNIT_BYTES,
                        (int64_t)memory.used_bytes);
            add_counter(recorder, frame, "memory.device.total", FG_UNIT_BYTES,
                        (int64_t)memory.total_bytes);
        }
        add_counter(recorder, frame, "memory.device.free", FG_UNIT_BYTES,
                    (int64_t)memory.free_bytes);
    } else {
        add_counter(recorder, frame, "memory.used", FG_UNIT_BYTES, (int64_t)memory.used_bytes);
        if (memory.budget_bytes != 0) {
            add_counter(recorder, frame, "memory.budget", FG_UNIT_BYTES,
                        (int64_t)memory.budget_bytes);
        }
    }
}

static void unlink_open(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    struct fg_frame **link = &recorder->open;
    while (*link != NULL && *link != frame) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = frame->next;
    }
}

static void queue_in_flight(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    struct fg_frame **link = &recorder->in_flight;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    frame->next = NULL;
    *link = frame;
    recorder->in_flight_count++;
}

static void end_frame(struct fgi_recorder *recorder, struct fg_frame *frame,
                      struct fgi_draws *draws)
{
    if (frame->submission_count == 0) {
        use_all_commands(recorder, frame);
    }
    sample_memory(recorder, frame);
    collect_commands(frame);
    count_draws(frame, draws);
    bound_slots(frame);
    mark_encoded(frame);
    if (fgi_frame_gather(recorder, frame) != FG_OK) {
        frame->drops[FG_CAP_DROP_NO_MEMORY]++;
        frame->instance_count = 0;
    }
    frame->overhead_ns += recorder->overhead_ns;
    recorder->overhead_ns = 0;
    for (uint32_t i = 0; i < frame->session_count; i++) {
        fgi_session_write_frame(frame->sessions[i].session, frame, &frame->sessions[i]);
    }
    queue_in_flight(recorder, frame);
    for (uint32_t i = 0; i < frame->session_count; i++) {
        fgi_session_check_limits(frame->sessions[i].session);
    }
}

void fg_frame_end(struct fg_frame *frame)
{
    if (frame == NULL || !fgi_recorder_is_ours(frame->recorder)) {
        return;
    }
    struct fgi_recorder *recorder = frame->recorder;
    struct fgi_draws draws = { 0 };
    bool has_streams = false;
    fgi_mutex_lock(recorder->lock);
    frame->end_ns = fgi_host_now(recorder);
    FGI_PROBE(frame_end, frame->serial);
    frame->ended = true;
    unlink_open(recorder, frame);
    if (frame->quiet) {
        count_draws(frame, &draws);
        fgi_frame_recycle(recorder, frame);
    } else {
        end_frame(recorder, frame, &draws);
        recorder->overhead_ns += fgi_host_now(recorder) - frame->end_ns;
        if (recorder->lost) {
            fgi_recorder_give_up(recorder, NULL);
        } else {
            fgi_recorder_poll(recorder);
        }
    }
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        has_streams |= recorder->sessions[i]->stream != NULL;
    }
    fgi_mutex_unlock(recorder->lock);
    fgi_draws_publish(&draws);
    if (has_streams) {
        fgi_drain_soon(); /* takes locks that come before the recorder's */
    }
}
