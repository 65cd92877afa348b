/* SPDX-License-Identifier: MIT */
/*
 * One command buffer while it is recorded. Between begin and end: no lock, no memory, no failure.
 */
#include "record/record_priv.h"
#include "base/os_probes.h"

#include <string.h>

/* What a command buffer's context starts with; the end of a frame grows what was short. */
#define START_EXTRA_PASSES 128 /* beyond the timed ones */
#define START_WORKS        2048
#define START_ATTACHMENTS  512
#define START_BINDINGS     1024
#define START_BRACKETS     256
#define START_EXECUTES     64
#define START_TEXT         32768
#define ATTACHMENTS_MAX    (1u << 18)
#define BINDINGS_MAX       (1u << 20)
#define BRACKETS_MAX       (1u << 16)
#define EXECUTES_MAX       (1u << 14)

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void fgi_commands_free(struct fgi_recorder *recorder, struct fg_commands *commands)
{
    const struct fg_allocator *allocator = recorder->allocator;
    if (commands == NULL) {
        return;
    }
    if (commands->pool != NULL) {
        fgi_pool_give(recorder, commands->pool);
    }
    fgi_free(allocator, commands->passes, commands->pass_capacity * sizeof *commands->passes);
    fgi_free(allocator, commands->works, commands->work_capacity * sizeof *commands->works);
    fgi_free(allocator, commands->attachments,
             commands->attachment_capacity * sizeof *commands->attachments);
    fgi_free(allocator, commands->bindings,
             commands->binding_capacity * sizeof *commands->bindings);
    fgi_free(allocator, commands->brackets,
             commands->bracket_capacity * sizeof *commands->brackets);
    fgi_free(allocator, commands->executes,
             commands->execute_capacity * sizeof *commands->executes);
    fgi_free(allocator, commands->text, commands->text_capacity);
    fgi_free(allocator, commands->copies, FGI_INDIRECT_SLOTS * sizeof *commands->copies);
    fgi_free(allocator, commands, sizeof *commands);
}

static bool reserve(struct fgi_recorder *recorder, struct fg_commands *commands)
{
    const struct fg_allocator *allocator = recorder->allocator;
    const struct fg_recorder_limits *limits = &recorder->limits;
    size_t passes = larger((size_t)limits->passes + START_EXTRA_PASSES, recorder->learned_passes);
    passes = smaller(passes, limits->passes_max);
    size_t works = smaller(larger(START_WORKS, recorder->learned_works), limits->work_max);
    size_t text = smaller(larger(START_TEXT, recorder->learned_text), limits->text_max);
    return FGI_GROW(allocator, commands->passes, commands->pass_capacity, passes, passes) ==
               FG_OK &&
           FGI_GROW(allocator, commands->works, commands->work_capacity, works, limits->work_max) ==
               FG_OK &&
           FGI_GROW(allocator, commands->attachments, commands->attachment_capacity,
                    START_ATTACHMENTS, ATTACHMENTS_MAX) == FG_OK &&
           FGI_GROW(allocator, commands->brackets, commands->bracket_capacity, START_BRACKETS,
                    BRACKETS_MAX) == FG_OK &&
           FGI_GROW(allocator, commands->executes, commands->execute_capacity, START_EXECUTES,
                    EXECUTES_MAX) == FG_OK &&
           FGI_GROW(allocator, commands->text, commands->text_capacity, text, limits->text_max) ==
               FG_OK;
}

static bool reserve_for_want(struct fgi_recorder *recorder, struct fg_commands *commands,
                             uint32_t want)
{
    if ((want & FGI_WANT_BINDINGS) != 0 &&
        FGI_GROW(recorder->allocator, commands->bindings, commands->binding_capacity,
                 START_BINDINGS, BINDINGS_MAX) != FG_OK) {
        return false;
    }
    if ((want & FGI_WANT_INDIRECT) != 0 && commands->copies == NULL) {
        commands->copies =
            fgi_calloc(recorder->allocator, FGI_INDIRECT_SLOTS, sizeof *commands->copies);
        return commands->copies != NULL;
    }
    return true;
}

/** A context from the free list, or a new one; empty. With the lock. */
static struct fg_commands *take_commands(struct fgi_recorder *recorder, uint32_t want)
{
    struct fg_commands *commands = recorder->free_commands;
    if (commands != NULL) {
        recorder->free_commands = commands->next;
    } else {
        commands = fgi_calloc(recorder->allocator, 1, sizeof *commands);
        if (commands == NULL) {
            return NULL;
        }
        recorder->growth_count++;
    }
    if (!reserve(recorder, commands) || !reserve_for_want(recorder, commands, want)) {
        fgi_commands_free(recorder, commands);
        return NULL;
    }
    commands->next = NULL;
    return commands;
}

static void start(struct fgi_recorder *recorder, struct fg_commands *commands,
                  const struct fg_commands_desc *desc, uint32_t want)
{
    commands->recorder = recorder;
    commands->device = recorder->device;
    commands->ops = recorder->ops;
    commands->native = desc->native;
    commands->queue = desc->queue;
    commands->flags = desc->flags;
    commands->want = want;
    commands->thread = fgi_thread_number();
    commands->next_slot = commands->next_indirect = commands->copy_count = 0;
    commands->pipeline = 0;
    commands->graph_pass = FGI_NONE;
    commands->depth = commands->refused_depth = 0;
    commands->statistics_pass = FGI_NONE;
    commands->in_bracket = commands->ended = commands->used = commands->destroyed = false;
    commands->uses = 0;
    commands->pass_count = commands->work_count = commands->attachment_count = 0;
    commands->binding_count = commands->bound_first = 0;
    commands->bracket_count = commands->execute_count = commands->text_size = 0;
    memset(commands->drops, 0, sizeof commands->drops);
    commands->short_of = 0;
    commands->pass_cost = commands->work_cost = (struct fgi_cost){ 0 };
    commands->draws = (struct fgi_draws){ 0 };
}

/** The part that runs on the recording thread alone: the timer meets the command buffer. */
static void begin_timer(struct fg_commands *commands)
{
    struct fgi_recorder *recorder = commands->recorder;
    if (commands->pool == NULL ||
        recorder->ops->timer_begin(commands->device, commands->pool->timer, commands->native,
                                   commands->flags)) {
        return;
    }
    struct fgi_pool *pool = commands->pool;
    commands->pool = NULL;
    fgi_mutex_lock(recorder->lock);
    fgi_pool_give(recorder, pool);
    fgi_mutex_unlock(recorder->lock);
}

struct fg_commands *fg_commands_begin(struct fg_frame *frame, const struct fg_commands_desc *desc)
{
    if (frame == NULL || frame->quiet || desc == NULL || desc->native == NULL ||
        !fgi_recorder_is_ours(frame->recorder)) {
        return NULL;
    }
    struct fgi_recorder *recorder = frame->recorder;
    if (desc->queue >= recorder->device->caps.queue_count) {
        return NULL;
    }
    struct fg_commands *commands = NULL;
    fgi_mutex_lock(recorder->lock);
    if (frame->command_count >= recorder->limits.commands_max) {
        frame->drops[FG_CAP_DROP_PASS_LIMIT]++;
    } else if (FGI_GROW(recorder->allocator, frame->commands, frame->command_capacity,
                        frame->command_count + 1, recorder->limits.commands_max) != FG_OK ||
               (commands = take_commands(recorder, recorder->want)) == NULL) {
        frame->drops[FG_CAP_DROP_NO_MEMORY]++;
    } else {
        start(recorder, commands, desc, recorder->want);
        commands->flags &= ~(uint32_t)(FG_COMMANDS_REUSED | FG_COMMANDS_SIMULTANEOUS);
        commands->pool = fgi_pool_take(recorder, desc->queue);
        frame->commands[frame->command_count++] = commands;
    }
    fgi_mutex_unlock(recorder->lock);
    if (commands != NULL) {
        begin_timer(commands);
    }
    return commands;
}

struct fg_commands *fg_commands_create(struct fg_device *device,
                                       const struct fg_commands_desc *desc)
{
    if (device == NULL || desc == NULL || desc->native == NULL ||
        desc->queue >= device->caps.queue_count || !fgi_recorder_is_ours(device->recorder)) {
        return NULL;
    }
    struct fgi_recorder *recorder = device->recorder;
    struct fg_commands *commands = NULL;
    fgi_mutex_lock(recorder->lock);
    if (!recorder->dead && !recorder->lost) {
        /* It outlives sessions, so it keeps what the next ones may want; copies of arguments and
         * bindings cost too much to be taken in advance. */
        uint32_t want = recorder->want | FGI_WANT_WORK | FGI_WANT_GRAPH;
        commands = take_commands(recorder, want);
        if (commands != NULL) {
            start(recorder, commands, desc, want);
            commands->flags |= FG_COMMANDS_REUSED;
            bool timed = device->caps.landings && (desc->flags & FG_COMMANDS_SIMULTANEOUS) == 0;
            commands->pool = timed ? fgi_pool_take(recorder, desc->queue) : NULL;
            commands->next = recorder->reused;
            recorder->reused = commands;
        }
    }
    fgi_mutex_unlock(recorder->lock);
    if (commands != NULL) {
        begin_timer(commands);
    }
    return commands;
}

static void unlink_reused(struct fgi_recorder *recorder, struct fg_commands *commands)
{
    struct fg_commands **link = &recorder->reused;
    while (*link != NULL && *link != commands) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = commands->next;
    }
}

void fg_commands_destroy(struct fg_commands *commands)
{
    if (commands == NULL || !fgi_recorder_is_ours(commands->recorder)) {
        return;
    }
    struct fgi_recorder *recorder = commands->recorder;
    fgi_mutex_lock(recorder->lock);
    commands->destroyed = true;
    if (commands->uses == 0) {
        unlink_reused(recorder, commands);
        fgi_commands_recycle(recorder, commands);
    }
    fgi_mutex_unlock(recorder->lock);
}

void fgi_commands_release(struct fgi_recorder *recorder, struct fg_commands *commands)
{
    if (--commands->uses == 0 && commands->destroyed) {
        unlink_reused(recorder, commands);
        fgi_commands_recycle(recorder, commands);
    }
}

/** Twice as much, up to the maximum; counted. What is refused stays as it was. */
#define GROW(field, capacity, maximum)                                                             \
    (FGI_GROW(recorder->allocator, commands->field, commands->capacity,                            \
              smaller(2 * commands->capacity, (maximum)), (maximum)) == FG_OK                      \
         ? recorder->growth_count++                                                                \
         : 0)

/** What one command buffer needed the others are likely to need. */
static void learn(struct fgi_recorder *recorder, const struct fg_commands *commands)
{
    recorder->learned_passes = larger(recorder->learned_passes, commands->pass_capacity);
    recorder->learned_works = larger(recorder->learned_works, commands->work_capacity);
    recorder->learned_text = larger(recorder->learned_text, commands->text_capacity);
}

static void grow_what_was_short(struct fgi_recorder *recorder, struct fg_commands *commands)
{
    uint32_t what = commands->short_of;
    const struct fg_recorder_limits *limits = &recorder->limits;
    if ((what & FGI_SHORT_PASSES) != 0) {
        GROW(passes, pass_capacity, limits->passes_max);
    }
    if ((what & FGI_SHORT_WORKS) != 0) {
        GROW(works, work_capacity, limits->work_max);
    }
    if ((what & FGI_SHORT_ATTACHMENTS) != 0) {
        GROW(attachments, attachment_capacity, ATTACHMENTS_MAX);
    }
    if ((what & FGI_SHORT_BINDINGS) != 0) {
        GROW(bindings, binding_capacity, BINDINGS_MAX);
    }
    if ((what & FGI_SHORT_BRACKETS) != 0) {
        GROW(brackets, bracket_capacity, BRACKETS_MAX);
    }
    if ((what & FGI_SHORT_EXECUTES) != 0) {
        GROW(executes, execute_capacity, EXECUTES_MAX);
    }
    if ((what & FGI_SHORT_TEXT) != 0) {
        GROW(text, text_capacity, limits->text_max);
    }
    if (what != 0) {
        learn(recorder, commands);
    }
}
#undef GROW

void fgi_commands_recycle(struct fgi_recorder *recorder, struct fg_commands *commands)
{
    if (commands->pool != NULL) {
        fgi_pool_give(recorder, commands->pool);
        commands->pool = NULL;
    }
    grow_what_was_short(recorder, commands);
    commands->next = recorder->free_commands;
    recorder->free_commands = commands;
}

void fg_commands_end(struct fg_commands *commands)
{
    if (commands == NULL || commands->ended) {
        return;
    }
    commands->drops[FG_CAP_DROP_UNBALANCED] += commands->depth;
    while (commands->depth != 0) {
        fg_gpu_pass_end(commands);
    }
    if (commands->in_bracket) {
        commands->drops[FG_CAP_DROP_UNBALANCED]++;
        commands->brackets[commands->bracket_count - 1].failed = true;
        fg_commands_graph_pass_end(commands);
    }
    if (commands->pool != NULL && commands->ops->timer_end != NULL) {
        commands->ops->timer_end(commands->device, commands->pool->timer, commands->native);
    }
    commands->ended = true;
}

void fg_commands_graph_pass_begin(struct fg_commands *commands, uint32_t pass, const char *name)
{
    if (commands == NULL || commands->ended) {
        return;
    }
    int64_t cost = fgi_cost_begin(&commands->pass_cost, commands->recorder);
    if (commands->in_bracket) {
        /* Its owner left without an end: by longjmp, or by an early return. */
        commands->drops[FG_CAP_DROP_UNBALANCED]++;
        if (commands->bracket_count != 0) {
            commands->brackets[commands->bracket_count - 1].failed = true;
        }
        fg_commands_graph_pass_end(commands);
    }
    commands->in_bracket = true;
    commands->graph_pass = pass;
    FGI_PROBE(graph_pass_begin, name);
    if (commands->bracket_count == commands->bracket_capacity) {
        commands->short_of |= FGI_SHORT_BRACKETS;
        commands->drops[FG_CAP_DROP_PASS_LIMIT]++;
    } else {
        bool timed = (commands->want & FGI_WANT_CPU_PASSES) != 0;
        commands->brackets[commands->bracket_count++] = (struct fgi_bracket){
            .graph_pass = pass,
            .begin_ns = timed ? fgi_host_now(commands->recorder) : -1,
            .end_ns = -1,
        };
    }
    if ((commands->want & FGI_WANT_LABELS) != 0 && commands->ops->label_begin != NULL) {
        commands->ops->label_begin(commands->device, commands->native, name != NULL ? name : "");
    }
    fgi_cost_end(&commands->pass_cost, commands->recorder, cost);
}

void fg_commands_graph_pass_end(struct fg_commands *commands)
{
    if (commands == NULL || commands->ended) {
        return;
    }
    if (!commands->in_bracket) {
        commands->drops[FG_CAP_DROP_UNBALANCED]++;
        return;
    }
    int64_t cost = fgi_cost_begin(&commands->pass_cost, commands->recorder);
    if ((commands->want & FGI_WANT_LABELS) != 0 && commands->ops->label_end != NULL) {
        commands->ops->label_end(commands->device, commands->native);
    }
    commands->in_bracket = false;
    FGI_PROBE(graph_pass_end, commands->graph_pass);
    struct fgi_bracket *bracket =
        commands->bracket_count != 0 ? &commands->brackets[commands->bracket_count - 1] : NULL;
    if (bracket != NULL && bracket->graph_pass == commands->graph_pass && bracket->begin_ns >= 0 &&
        bracket->end_ns < 0) {
        bracket->end_ns = fgi_host_now(commands->recorder);
    }
    commands->graph_pass = FGI_NONE;
    fgi_cost_end(&commands->pass_cost, commands->recorder, cost);
}

static void recorder_begin(void *context, const struct fg_graph_event *event)
{
    (void)context;
    fg_commands_graph_pass_begin(event->commands, event->pass, event->name);
}

static void recorder_end(void *context, const struct fg_graph_event *event)
{
    (void)context;
    fg_commands_graph_pass_end(event->commands);
}

struct fg_graph_listener fg_graph_recorder(void)
{
    return (struct fg_graph_listener){ .pass_begin = recorder_begin, .pass_end = recorder_end };
}
