/* SPDX-License-Identifier: MIT */
/* Frames from begin to end: who gets them, what was submitted, when they may be forgotten. */
#include "record/record_priv.h"
#include "record/session_priv.h"

#include <string.h>

#define SUBMISSIONS_MAX 4096
#define SEMAPHORES_MAX  16384
#define USES_MAX        16384
#define COUNTERS_MAX    4096
#define REUSED_MAX      64 /* reused command buffers of one submission */

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

struct fg_frame *fg_frame_begin(struct fg_device *device)
{
    if (device == NULL || !fgi_recorder_is_ours(device->recorder)) {
        return NULL;
    }
    struct fgi_recorder *recorder = device->recorder;
    struct fg_frame *frame = NULL;
    fgi_mutex_lock(recorder->lock);
    int64_t begin_ns = fgi_host_now(recorder);
    if (!recorder->dead) {
        fgi_recorder_poll(recorder);
    }
    bool anybody = recorder->armed_left != 0 || recorder->reused != NULL ||
                   fgi_sessions_running(recorder) != 0;
    if (!recorder->dead && !recorder->lost && anybody) {
        frame = take_frame(recorder);
    }
    if (frame != NULL) {
        invite_sessions(recorder, frame);
        frame->thread = fgi_thread_number();
        frame->next = recorder->open;
        recorder->open = frame;
        frame->begin_ns = fgi_host_now(recorder);
        frame->overhead_ns = frame->begin_ns - begin_ns;
    }
    fgi_mutex_unlock(recorder->lock);
    return frame;
}

/** One more execution in the frame; NULL when there is no room. */
static struct fgi_use *add_use(struct fgi_recorder *recorder, struct fg_frame *frame,
                               struct fgi_use use)
{
    if (FGI_GROW(recorder->allocator, frame->uses, frame->use_capacity, frame->use_count + 1,
                 USES_MAX) != FG_OK) {
        frame->drops[FG_CAP_DROP_NO_MEMORY]++;
        return NULL;
    }
    frame->uses[frame->use_count] = use;
    return &frame->uses[frame->use_count++];
}

/** A command buffer and, right after it, the secondary ones that it executes. */
static void use_commands(struct fgi_recorder *recorder, struct fg_frame *frame,
                         struct fg_commands *commands, struct fgi_use use, uint32_t depth)
{
    bool reused = (commands->flags & FG_COMMANDS_REUSED) != 0;
    if (depth > FGI_NESTING_MAX || (!reused && commands->used)) {
        frame->drops[FG_CAP_DROP_UNBALANCED]++; /* one-time command buffers run once */
        return;
    }
    use.commands = commands;
    use.pool = commands->pool;
    use.used_slots = commands->next_slot;
    if (add_use(recorder, frame, use) == NULL) {
        return;
    }
    commands->used = true;
    commands->uses += reused ? 1 : 0;
    uint32_t parent_use = (uint32_t)frame->use_count - 1;
    for (uint32_t i = 0; i < commands->execute_count; i++) {
        struct fgi_use child = {
            .submission = use.submission,
            .parent_use = parent_use,
            .parent_execute = i,
        };
        use_commands(recorder, frame, commands->executes[i].secondary, child, depth + 1);
    }
}

/** Reused command buffers of one submission that can be timed pass by pass. */
struct reused_list {
    uint32_t uses[REUSED_MAX];
    struct fgi_timer *timers[REUSED_MAX];
    uint32_t count;
    bool any;   /**< there are reused ones at all */
    bool whole; /**< the submission must be timed as a whole */
};

static void leave_untimed(struct fg_frame *frame, struct fgi_use *use, uint32_t reason)
{
    use->pool = NULL;
    frame->drops[reason] += (uint32_t)use->commands->pass_count;
}

static void list_reused(struct fg_frame *frame, uint32_t first_use, struct reused_list *list)
{
    *list = (struct reused_list){ .count = 0 };
    for (uint32_t i = first_use; i < frame->use_count; i++) {
        struct fgi_use *use = &frame->uses[i];
        if ((use->commands->flags & FG_COMMANDS_REUSED) == 0) {
            continue;
        }
        list->any = true;
        list->whole |= (use->commands->flags & FG_COMMANDS_SIMULTANEOUS) != 0;
        if (use->pool == NULL) {
            continue;
        }
        if (list->count == REUSED_MAX) {
            leave_untimed(frame, use, FG_CAP_DROP_POOL_FULL);
            continue;
        }
        list->uses[list->count] = i;
        list->timers[list->count++] = use->pool->timer;
    }
}

/** A place for each landing's results; without one the landing is of no use. */
static void attach_landings(struct fgi_recorder *recorder, struct fg_frame *frame,
                            const struct reused_list *list, struct fgi_landing **landings,
                            uint32_t submission)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct fgi_use *use = &frame->uses[list->uses[i]];
        use->copy = fgi_copy_take(recorder, use->pool);
        if (use->copy != NULL) {
            use->copy->landing = landings[i];
        } else {
            recorder->ops->landing_destroy(recorder->device, landings[i]);
            leave_untimed(frame, use, FG_CAP_DROP_NO_MEMORY);
        }
    }
    if (!list->whole) {
        return;
    }
    struct fgi_copy *copy = fgi_copy_take(recorder, NULL);
    struct fgi_use whole = {
        .whole = true,
        .copy = copy,
        .used_slots = 1,
        .submission = submission,
        .parent_use = FGI_NONE,
    };
    if (copy == NULL || add_use(recorder, frame, whole) == NULL) {
        recorder->ops->landing_destroy(recorder->device, landings[list->count]);
        if (copy != NULL) {
            fgi_copy_give(recorder, copy);
        }
        return;
    }
    copy->landing = landings[list->count];
}

static void time_reused(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t first_use,
                        uint32_t submission, struct fg_submit_extra *out_extra)
{
    struct reused_list list;
    list_reused(frame, first_use, &list);
    if (!list.any) {
        return;
    }
    struct fgi_landing *landings[REUSED_MAX + 1] = { NULL };
    enum fg_result result = FG_ERR_UNSUPPORTED;
    uint32_t queue = frame->submissions[submission].queue;
    const struct fgi_device_ops *ops = recorder->ops;
    if (ops->landing_create != NULL && recorder->device->caps.landings && out_extra != NULL &&
        recorder->device->caps.queues[queue].valid_bits != 0 && (list.count != 0 || list.whole)) {
        result = ops->landing_create(recorder->device, queue, list.timers, list.count, list.whole,
                                     landings, out_extra);
        if (result == FG_ERR_BUSY) {
            for (uint32_t i = 0; i < list.count; i++) {
                leave_untimed(frame, &frame->uses[list.uses[i]], FG_CAP_DROP_SIMULTANEOUS);
            }
            list.count = 0;
            list.whole = true;
            result =
                ops->landing_create(recorder->device, queue, NULL, 0, true, landings, out_extra);
        }
    }
    if (result == FG_OK) {
        attach_landings(recorder, frame, &list, landings, submission);
        return;
    }
    for (uint32_t i = 0; i < list.count; i++) {
        leave_untimed(frame, &frame->uses[list.uses[i]], FG_CAP_DROP_NO_TIMESTAMPS);
    }
}

static bool add_semaphores(struct fgi_recorder *recorder, struct fg_frame *frame,
                           const struct fg_semaphore_op *ops, uint32_t count)
{
    if (count == 0) {
        return true;
    }
    if (ops == NULL || FGI_GROW(recorder->allocator, frame->semaphores, frame->semaphore_capacity,
                                frame->semaphore_count + count, SEMAPHORES_MAX) != FG_OK) {
        return false;
    }
    memcpy(&frame->semaphores[frame->semaphore_count], ops, count * sizeof *ops);
    frame->semaphore_count += count;
    return true;
}

static void submit(struct fgi_recorder *recorder, struct fg_frame *frame,
                   const struct fg_submission *submission, struct fg_submit_extra *out_extra)
{
    if (FGI_GROW(recorder->allocator, frame->submissions, frame->submission_capacity,
                 frame->submission_count + 1, SUBMISSIONS_MAX) != FG_OK) {
        frame->drops[FG_CAP_DROP_NO_MEMORY]++;
        return;
    }
    uint32_t index = (uint32_t)frame->submission_count;
    struct fgi_submission kept = {
        .queue = submission->queue,
        .first_semaphore = (uint32_t)frame->semaphore_count,
        .first_use = (uint32_t)frame->use_count,
    };
    if (add_semaphores(recorder, frame, submission->waits, submission->wait_count)) {
        kept.wait_count = submission->wait_count;
        if (add_semaphores(recorder, frame, submission->signals, submission->signal_count)) {
            kept.signal_count = submission->signal_count;
        }
    }
    if (kept.wait_count != submission->wait_count ||
        kept.signal_count != submission->signal_count) {
        frame->drops[FG_CAP_DROP_NO_MEMORY]++;
    }
    frame->submissions[frame->submission_count++] = kept;
    for (uint32_t i = 0; i < submission->commands_count; i++) {
        if (submission->commands[i] != NULL) {
            struct fgi_use use = { .submission = index, .parent_use = FGI_NONE };
            use_commands(recorder, frame, submission->commands[i], use, 0);
        }
    }
    time_reused(recorder, frame, kept.first_use, index, out_extra);
    frame->submit_ns = fgi_host_now(recorder);
    frame->submissions[index].submit_ns = frame->submit_ns;
}

void fg_frame_submit(struct fg_frame *frame, const struct fg_submission *submission,
                     struct fg_submit_extra *out_extra)
{
    if (out_extra != NULL) {
        *out_extra = (struct fg_submit_extra){ NULL, NULL };
    }
    if (frame == NULL || submission == NULL || !fgi_recorder_is_ours(frame->recorder) ||
        submission->queue >= frame->recorder->device->caps.queue_count ||
        (submission->commands_count != 0 && submission->commands == NULL)) {
        return;
    }
    struct fgi_recorder *recorder = frame->recorder;
    fgi_mutex_lock(recorder->lock);
    int64_t begin_ns = fgi_host_now(recorder);
    submit(recorder, frame, submission, out_extra);
    frame->overhead_ns += fgi_host_now(recorder) - begin_ns;
    fgi_mutex_unlock(recorder->lock);
}

void fg_frame_submit_failed(struct fg_frame *frame)
{
    if (frame == NULL || !fgi_recorder_is_ours(frame->recorder)) {
        return;
    }
    fgi_mutex_lock(frame->recorder->lock);
    if (frame->submission_count != 0) {
        uint32_t last = (uint32_t)frame->submission_count - 1;
        frame->submissions[last].failed = true;
        for (uint32_t i = frame->submissions[last].first_use; i < frame->use_count; i++) {
            frame->uses[i].pool = NULL; /* nothing will come, nothing is pending */
            frame->uses[i].used_slots = 0;
        }
    }
    fgi_mutex_unlock(frame->recorder->lock);
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
            use_commands(recorder, frame, commands, use, 0);
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
    struct fgi_memory_use memory;
    if (recorder->device->caps.memory && recorder->ops->memory(recorder->device, &memory)) {
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

static void end_frame(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    if (frame->submission_count == 0) {
        use_all_commands(recorder, frame);
    }
    sample_memory(recorder, frame);
    collect_commands(frame);
    bound_slots(frame);
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
    fgi_mutex_lock(recorder->lock);
    frame->end_ns = fgi_host_now(recorder);
    frame->ended = true;
    unlink_open(recorder, frame);
    if (frame->quiet) {
        fgi_frame_recycle(recorder, frame);
    } else {
        end_frame(recorder, frame);
        recorder->overhead_ns += fgi_host_now(recorder) - frame->end_ns;
        if (recorder->lost) {
            fgi_recorder_give_up(recorder, NULL);
        } else {
            fgi_recorder_poll(recorder);
        }
    }
    fgi_mutex_unlock(recorder->lock);
}
