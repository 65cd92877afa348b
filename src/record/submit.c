/* SPDX-License-Identifier: MIT */
/* What a frame submits: command buffers and what they execute, semaphores, extras around reused
 * ones. */
#include "record/record_priv.h"

#include <string.h>

#define SUBMISSIONS_MAX 4096
#define SEMAPHORES_MAX  16384
#define USES_MAX        16384
#define REUSED_MAX      64 /* reused command buffers of one submission */

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
    if (use.pool != NULL) {
        use.pool->used_serial = recorder->serial;
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

void fgi_frame_use(struct fgi_recorder *recorder, struct fg_frame *frame,
                   struct fg_commands *commands, struct fgi_use use)
{
    use_commands(recorder, frame, commands, use, 0);
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
