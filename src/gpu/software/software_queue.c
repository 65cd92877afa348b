/* SPDX-License-Identifier: MIT */
/* Queues: a submission runs as soon as everything that it waits for has a time. */
#include "gpu/software/software_priv.h"

#include <string.h>

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void free_submission(struct software_device *device, struct software_submission *submission)
{
    const struct fg_allocator *allocator = device->base.allocator;
    fgi_free(allocator, submission->commands,
             submission->commands_count * sizeof(struct fg_software_commands *));
    fgi_free(allocator, submission->waits, submission->wait_count * sizeof *submission->waits);
    fgi_free(allocator, submission->signals,
             submission->signal_count * sizeof *submission->signals);
    fgi_free(allocator, submission, sizeof *submission);
}

/** The earliest signal that satisfies a wait; NULL while there is none. */
static struct software_signal *find_signal(struct software_device *device,
                                           const struct fg_semaphore_op *wait)
{
    struct software_signal *found = NULL;
    for (size_t i = 0; i < device->signal_count; i++) {
        struct software_signal *signal = &device->signals[i];
        bool fits =
            signal->semaphore == wait->semaphore && !signal->used && signal->value >= wait->value;
        if (fits && (found == NULL || signal->at_ns < found->at_ns)) {
            found = signal;
        }
    }
    return found;
}

/** When the waits of a submission are over; false while that is not known. */
static bool waits_over(struct software_device *device, const struct software_submission *submission,
                       int64_t *out_ns)
{
    int64_t at_ns = submission->submit_ns;
    for (uint32_t i = 0; i < submission->wait_count; i++) {
        struct software_signal *signal = find_signal(device, &submission->waits[i]);
        if (signal == NULL) {
            return false;
        }
        at_ns = later(at_ns, signal->at_ns);
    }
    for (uint32_t i = 0; i < submission->wait_count; i++) {
        if (submission->waits[i].value == 0) {
            find_signal(device, &submission->waits[i])->used = true;
        }
    }
    *out_ns = at_ns;
    return true;
}

static void remember_signals(struct software_device *device,
                             const struct software_submission *submission, int64_t at_ns)
{
    for (uint32_t i = 0; i < submission->signal_count; i++) {
        if (device->signal_count == SOFTWARE_SEMAPHORES) {
            memmove(device->signals, device->signals + SOFTWARE_SEMAPHORES / 2,
                    SOFTWARE_SEMAPHORES / 2 * sizeof *device->signals);
            device->signal_count = SOFTWARE_SEMAPHORES / 2;
        }
        device->signals[device->signal_count++] = (struct software_signal){
            .semaphore = submission->signals[i].semaphore,
            .value = submission->signals[i].value,
            .at_ns = at_ns,
        };
    }
}

/** Where one submission is while it runs. */
struct execution {
    struct software_device *device;
    struct software_queue *queue;
    int64_t now_ns;
    bool finishing; /**< second walk: the end is known, results become readable */
    int64_t readable_ns;
};

static void begin_slot(struct execution *execution, struct software_slot *slot)
{
    *slot = (struct software_slot){
        .begin_ticks = fgi_software_stamp(execution->device, execution->now_ns),
        .begin_ns = execution->now_ns,
        .end_ns = SOFTWARE_NEVER,
        .readable_ns = SOFTWARE_NEVER,
    };
}

static void end_slot(struct execution *execution, struct software_slot *slot)
{
    slot->end_ticks = fgi_software_stamp(execution->device, execution->now_ns);
    slot->end_ns = execution->now_ns;
}

static void copy_arguments(struct execution *execution, const struct software_op *op)
{
    struct software_indirect *indirect = &op->timer->indirects[op->index];
    memset(indirect->words, 0, sizeof indirect->words);
    memcpy(indirect->words, (const void *)(uintptr_t)op->address, op->size);
    indirect->written_ns = execution->now_ns;
    indirect->readable_ns = SOFTWARE_NEVER;
}

static void land(const struct software_op *op)
{
    memcpy(op->landing->slots, op->timer->slots,
           op->landing->slot_count * sizeof *op->landing->slots);
    if (op->landing->indirect_count != 0) {
        memcpy(op->landing->indirects, op->timer->indirects,
               op->landing->indirect_count * sizeof *op->landing->indirects);
    }
}

static void run_commands(struct execution *execution, const struct fg_software_commands *commands);

static void run_op(struct execution *execution, const struct software_op *op)
{
    switch (op->kind) {
    case SOFTWARE_WORK:
        execution->now_ns += op->cost_ns;
        execution->queue->invocations += op->invocations;
        break;
    case SOFTWARE_STORE:
        memcpy((void *)(uintptr_t)op->address, &op->value, sizeof op->value);
        break;
    case SOFTWARE_EXECUTE:
        run_commands(execution, op->secondary);
        break;
    case SOFTWARE_RESET:
        fgi_software_timer_reset(op->timer);
        break;
    case SOFTWARE_BEGIN:
        begin_slot(execution, &op->timer->slots[op->index]);
        if (op->statistics) {
            op->timer->running_invocations = execution->queue->invocations;
        }
        break;
    case SOFTWARE_END:
        end_slot(execution, &op->timer->slots[op->index]);
        if (op->statistics) {
            op->timer->slots[op->index].has_statistics = true;
            op->timer->slots[op->index].invocations =
                execution->queue->invocations - op->timer->running_invocations;
        }
        break;
    case SOFTWARE_COPY:
        copy_arguments(execution, op);
        break;
    case SOFTWARE_LAND:
        land(op);
        break;
    case SOFTWARE_WHOLE_BEGIN:
        begin_slot(execution, op->landing->slots);
        break;
    case SOFTWARE_WHOLE_END:
        end_slot(execution, op->landing->slots);
        break;
    }
}

/** What this submission wrote can be read from then on. */
static void finish_op(struct execution *execution, const struct software_op *op)
{
    switch (op->kind) {
    case SOFTWARE_EXECUTE:
        run_commands(execution, op->secondary);
        break;
    case SOFTWARE_BEGIN:
        op->timer->slots[op->index].readable_ns = execution->readable_ns;
        break;
    case SOFTWARE_COPY:
        op->timer->indirects[op->index].readable_ns = execution->readable_ns;
        break;
    case SOFTWARE_LAND:
        for (uint32_t i = 0; i < op->landing->slot_count; i++) {
            op->landing->slots[i].readable_ns = execution->readable_ns;
        }
        for (uint32_t i = 0; i < op->landing->indirect_count; i++) {
            op->landing->indirects[i].readable_ns = execution->readable_ns;
        }
        break;
    case SOFTWARE_WHOLE_END:
        op->landing->slots->readable_ns = execution->readable_ns;
        break;
    default:
        break;
    }
}

static void run_commands(struct execution *execution, const struct fg_software_commands *commands)
{
    for (size_t i = 0; i < commands->op_count; i++) {
        if (execution->finishing) {
            finish_op(execution, &commands->ops[i]);
        } else {
            run_op(execution, &commands->ops[i]);
        }
    }
}

static int64_t readable_at(const struct software_device *device,
                           const struct software_submission *submission, int64_t end_ns)
{
    int64_t latency_ns = device->options.latency_ns;
    if ((device->options.flags & FG_SOFTWARE_NEVER) != 0) {
        return SOFTWARE_NEVER;
    }
    if ((device->options.flags & FG_SOFTWARE_OUT_OF_ORDER) != 0 && submission->number % 2 == 0) {
        latency_ns += 3 * (latency_ns != 0 ? latency_ns : 1000000);
    }
    return end_ns + latency_ns;
}

static void run_submission(struct software_device *device, struct software_queue *queue,
                           struct software_submission *submission, int64_t start_ns)
{
    struct execution execution = { .device = device, .queue = queue, .now_ns = start_ns };
    for (uint32_t i = 0; i < submission->commands_count; i++) {
        run_commands(&execution, submission->commands[i]);
    }
    queue->free_ns = execution.now_ns;
    execution.finishing = true;
    execution.readable_ns = readable_at(device, submission, execution.now_ns);
    for (uint32_t i = 0; i < submission->commands_count; i++) {
        run_commands(&execution, submission->commands[i]);
    }
    remember_signals(device, submission, execution.now_ns);
    if (submission->bundle != NULL) {
        fgi_software_bundle_ran(device, submission->bundle);
    }
}

void fgi_software_run(struct software_device *device)
{
    bool progress = true;
    while (progress) {
        progress = false;
        for (uint32_t i = 0; i < device->options.queue_count; i++) {
            struct software_queue *queue = &device->queues[i];
            struct software_submission *submission = queue->first;
            int64_t start_ns;
            if (submission == NULL || !waits_over(device, submission, &start_ns)) {
                continue;
            }
            run_submission(device, queue, submission, later(start_ns, queue->free_ns));
            queue->first = submission->next;
            free_submission(device, submission);
            progress = true;
        }
    }
}

void fgi_software_drop_queues(struct software_device *device)
{
    for (uint32_t i = 0; i < device->options.queue_count; i++) {
        while (device->queues[i].first != NULL) {
            struct software_submission *submission = device->queues[i].first;
            device->queues[i].first = submission->next;
            free_submission(device, submission);
        }
    }
}

static struct software_bundle *find_bundle(const struct software_device *device, const void *before)
{
    struct software_bundle *bundle = device->bundles;
    while (bundle != NULL && (before == NULL || bundle->before != before)) {
        bundle = bundle->next;
    }
    return bundle;
}

/** A copy of what the caller lent. NULL: memory ran out. */
static struct software_submission *copy_submission(struct software_device *device,
                                                   const struct fg_software_submission *given)
{
    const struct fg_allocator *allocator = device->base.allocator;
    struct software_submission *copy = fgi_calloc(allocator, 1, sizeof *copy);
    uint32_t commands_count =
        given->commands_count + (given->extra.before != NULL) + (given->extra.after != NULL);
    if (copy == NULL) {
        return NULL;
    }
    copy->commands_count = commands_count;
    copy->wait_count = given->wait_count;
    copy->signal_count = given->signal_count;
    copy->commands = fgi_calloc(allocator, commands_count, sizeof(struct fg_software_commands *));
    copy->waits = fgi_calloc(allocator, given->wait_count, sizeof *copy->waits);
    copy->signals = fgi_calloc(allocator, given->signal_count, sizeof *copy->signals);
    if ((commands_count != 0 && copy->commands == NULL) ||
        (given->wait_count != 0 && copy->waits == NULL) ||
        (given->signal_count != 0 && copy->signals == NULL)) {
        copy->commands_count = copy->commands != NULL ? commands_count : 0;
        copy->wait_count = copy->waits != NULL ? given->wait_count : 0;
        copy->signal_count = copy->signals != NULL ? given->signal_count : 0;
        free_submission(device, copy);
        return NULL;
    }
    uint32_t at = 0;
    if (given->extra.before != NULL) {
        copy->commands[at++] = given->extra.before;
    }
    for (uint32_t i = 0; i < given->commands_count; i++) {
        copy->commands[at++] = given->commands[i];
    }
    if (given->extra.after != NULL) {
        copy->commands[at++] = given->extra.after;
    }
    for (uint32_t i = 0; i < given->wait_count; i++) {
        copy->waits[i] = given->waits[i];
    }
    for (uint32_t i = 0; i < given->signal_count; i++) {
        copy->signals[i] = given->signals[i];
    }
    copy->bundle = find_bundle(device, given->extra.before);
    return copy;
}

enum fg_result fg_software_submit(struct fg_device *device,
                                  const struct fg_software_submission *submission)
{
    if (device == NULL || submission == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct software_device *software = software_of(device);
    if (submission->queue >= software->options.queue_count ||
        (submission->commands_count != 0 && submission->commands == NULL)) {
        return FG_ERR_ARGUMENT;
    }
    if (fgi_software_now(device) >= software->lost_ns) {
        return FG_ERR_DEVICE_LOST;
    }
    for (uint32_t i = 0; i < submission->commands_count; i++) {
        if (submission->commands[i]->out_of_memory) {
            return FG_ERR_NO_MEMORY;
        }
    }
    struct software_submission *copy = copy_submission(software, submission);
    if (copy == NULL || FGI_GROW(device->allocator, software->signals, software->signal_capacity,
                                 SOFTWARE_SEMAPHORES, SOFTWARE_SEMAPHORES) != FG_OK) {
        if (copy != NULL) {
            free_submission(software, copy);
        }
        return FG_ERR_NO_MEMORY;
    }
    copy->submit_ns = fgi_software_now(device);
    copy->number = software->submission_count++;
    if (copy->bundle != NULL) {
        copy->bundle->submitted = true;
    }
    struct software_submission **link = &software->queues[submission->queue].first;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = copy;
    fgi_software_run(software);
    return FG_OK;
}
