/* SPDX-License-Identifier: MIT */
/* Draws, dispatches and the state that they see. Equal calls in a row are one record. */
#include "record/record_priv.h"
#include "capture/work_kind.h"

#include <string.h>

/** The pass that work belongs to: markers only structure it. FGI_NONE outside of passes. */
static uint32_t working_pass(const struct fg_commands *commands)
{
    for (uint32_t depth = commands->depth; depth != 0; depth--) {
        uint32_t pass = commands->stack[depth - 1];
        if (commands->passes[pass].kind != FG_GPU_PASS_MARKER || depth == 1) {
            return pass;
        }
    }
    return FGI_NONE;
}

static bool same_call(const struct fgi_work *a, const struct fgi_work *b)
{
    return a->kind == b->kind && a->pass == b->pass && a->pipeline == b->pipeline && a->x == b->x &&
           a->y == b->y && a->z == b->z && a->buffer == 0 && b->buffer == 0 &&
           a->binding_count == 0 && b->binding_count == 0 && a->repeat != UINT32_MAX;
}

/** NULL when it was merged or refused. */
static struct fgi_work *add_work(struct fg_commands *commands, struct fgi_work work)
{
    work.pass = working_pass(commands);
    if (work.pass == FGI_NONE || commands->refused_depth != 0) {
        commands->drops[FG_CAP_DROP_OTHER]++;
        return NULL;
    }
    work.repeat = 1;
    work.indirect = FGI_NONE;
    bool shaders = work.kind != FG_CAP_WORK_COPY && work.kind != FG_CAP_WORK_CLEAR;
    work.pipeline = shaders ? commands->pipeline : 0;
    if (shaders && commands->binding_count > commands->bound_first) {
        work.first_binding = (uint32_t)commands->bound_first;
        work.binding_count = (uint32_t)(commands->binding_count - commands->bound_first);
    }
    struct fgi_work *last =
        commands->work_count != 0 ? &commands->works[commands->work_count - 1] : NULL;
    if (last != NULL && same_call(last, &work)) {
        last->repeat++;
        return NULL;
    }
    if (commands->work_count == commands->work_capacity) {
        commands->short_of |= FGI_SHORT_WORKS;
        commands->drops[FG_CAP_DROP_WORK_LIMIT]++;
        return NULL;
    }
    commands->works[commands->work_count] = work;
    return &commands->works[commands->work_count++];
}

static void count_work(struct fg_commands *commands, uint32_t kind, uint64_t x, uint32_t y,
                       uint32_t z)
{
    if ((commands->want & FGI_WANT_WORK) == 0) {
        return;
    }
    int64_t cost = fgi_cost_begin(&commands->work_cost, commands->recorder);
    (void)add_work(commands, (struct fgi_work){ .kind = kind, .x = x, .y = y, .z = z });
    fgi_cost_end(&commands->work_cost, commands->recorder, cost);
}

void fg_gpu_pipeline(struct fg_commands *commands, uint32_t pipeline)
{
    if (commands != NULL) {
        commands->draws.effects += commands->pipeline != pipeline;
        commands->pipeline = pipeline;
    }
}

void fg_gpu_draw(struct fg_commands *commands, uint32_t vertex_count, uint32_t instance_count)
{
    if (commands != NULL && !commands->ended) {
        commands->draws.plain++;
        commands->draws.primitives += (uint64_t)(vertex_count / 3) * instance_count;
        count_work(commands, FG_CAP_WORK_DRAW, vertex_count, instance_count, 0);
    }
}

void fg_gpu_draw_indexed(struct fg_commands *commands, uint32_t index_count,
                         uint32_t instance_count)
{
    if (commands != NULL && !commands->ended) {
        commands->draws.indexed++;
        commands->draws.primitives += (uint64_t)(index_count / 3) * instance_count;
        count_work(commands, FG_CAP_WORK_DRAW_INDEXED, index_count, instance_count, 0);
    }
}

void fg_gpu_draw_mesh(struct fg_commands *commands, uint32_t x, uint32_t y, uint32_t z)
{
    if (commands != NULL && !commands->ended) {
        commands->draws.plain++; /* its shaders decide how many primitives */
        count_work(commands, FG_CAP_WORK_DRAW_MESH, x, y, z);
    }
}

void fg_gpu_trace_rays(struct fg_commands *commands, uint32_t x, uint32_t y, uint32_t z)
{
    if (commands != NULL && !commands->ended) {
        count_work(commands, FG_CAP_WORK_TRACE_RAYS, x, y, z);
    }
}

void fg_gpu_dispatch(struct fg_commands *commands, uint32_t x, uint32_t y, uint32_t z)
{
    if (commands != NULL && !commands->ended) {
        commands->draws.dispatches++;
        count_work(commands, FG_CAP_WORK_DISPATCH, x, y, z);
    }
}

void fg_gpu_copy(struct fg_commands *commands, uint64_t bytes)
{
    if (commands != NULL && !commands->ended) {
        count_work(commands, FG_CAP_WORK_COPY, bytes, 0, 0);
    }
}

void fg_gpu_clear(struct fg_commands *commands)
{
    if (commands != NULL && !commands->ended) {
        count_work(commands, FG_CAP_WORK_CLEAR, 0, 0, 0);
    }
}

/** Bytes of one argument structure, as Vulkan lays them out. */
static uint32_t argument_bytes(uint32_t kind)
{
    switch (kind) {
    case FG_CAP_WORK_DISPATCH_INDIRECT:
        return 12;
    case FG_CAP_WORK_DRAW_INDIRECT:
    case FG_CAP_WORK_DRAW_INDIRECT_COUNT:
        return 16;
    default:
        return 20;
    }
}

/** Note which arguments the end of the pass must copy. Room is bounded; the rest stays unknown. */
static void want_arguments(struct fg_commands *commands, struct fgi_work *work)
{
    if ((commands->want & FGI_WANT_INDIRECT) == 0 || commands->copies == NULL ||
        commands->pool == NULL || commands->pool->indirect_slots == 0) {
        return;
    }
    uint32_t first = commands->next_indirect + commands->copy_count;
    uint32_t room = commands->pool->indirect_slots - first;
    uint32_t count = fgi_work_is_dispatch(work->kind) ? 1 : work->draw_count;
    if (count > room) {
        commands->drops[FG_CAP_DROP_WORK_LIMIT]++;
        count = room;
    }
    if (count == 0) {
        return;
    }
    work->indirect = first;
    work->indirect_count = count;
    for (uint32_t i = 0; i < count; i++) {
        commands->copies[commands->copy_count++] = (struct fgi_indirect_copy){
            .buffer = work->buffer,
            .offset_bytes = work->offset + (uint64_t)i * work->stride_bytes,
            .size_bytes = argument_bytes(work->kind),
        };
    }
}

static void count_indirect(struct fg_commands *commands, uint32_t kind,
                           const struct fg_indirect *indirect)
{
    if ((commands->want & FGI_WANT_WORK) == 0) {
        return;
    }
    int64_t cost = fgi_cost_begin(&commands->work_cost, commands->recorder);
    struct fgi_work *work = add_work(
        commands, (struct fgi_work){
                      .kind = kind,
                      .buffer = indirect->buffer,
                      .offset = indirect->offset_bytes,
                      .resource = indirect->resource,
                      .draw_count = fgi_work_is_dispatch(kind) ? 0 : indirect->draw_count,
                      .stride_bytes = fgi_work_is_dispatch(kind) ? 0 : indirect->stride_bytes,
                  });
    if (work != NULL) {
        want_arguments(commands, work);
    }
    fgi_cost_end(&commands->work_cost, commands->recorder, cost);
}

void fg_gpu_draw_indirect(struct fg_commands *commands, const struct fg_indirect *indirect)
{
    if (commands != NULL && !commands->ended && indirect != NULL) {
        commands->draws.indirect++;
        count_indirect(commands,
                       indirect->count_buffer != 0 ? FG_CAP_WORK_DRAW_INDIRECT_COUNT
                                                   : FG_CAP_WORK_DRAW_INDIRECT,
                       indirect);
    }
}

void fg_gpu_draw_indexed_indirect(struct fg_commands *commands, const struct fg_indirect *indirect)
{
    if (commands != NULL && !commands->ended && indirect != NULL) {
        commands->draws.indirect++;
        count_indirect(commands,
                       indirect->count_buffer != 0 ? FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT
                                                   : FG_CAP_WORK_DRAW_INDEXED_INDIRECT,
                       indirect);
    }
}

void fg_gpu_dispatch_indirect(struct fg_commands *commands, const struct fg_indirect *indirect)
{
    if (commands != NULL && !commands->ended && indirect != NULL) {
        commands->draws.dispatches++;
        count_indirect(commands, FG_CAP_WORK_DISPATCH_INDIRECT, indirect);
    }
}

static bool is_empty(const struct fg_binding *binding)
{
    return binding->kind == FG_BINDING_OTHER && binding->resource == 0;
}

/**
 * The bindings in force are the run [bound_first, binding_count). A change after work was recorded
 * starts a new run, because that work refers to the old one.
 */
void fg_gpu_bind(struct fg_commands *commands, const struct fg_binding *bindings, uint32_t count)
{
    if (commands == NULL || commands->ended || bindings == NULL || count == 0 ||
        (commands->want & FGI_WANT_BINDINGS) == 0) {
        return;
    }
    size_t run = commands->binding_count - commands->bound_first;
    size_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        added += !is_empty(&bindings[i]);
    }
    if (run + added > commands->binding_capacity - commands->binding_count) {
        commands->short_of |= FGI_SHORT_BINDINGS;
        commands->drops[FG_CAP_DROP_WORK_LIMIT]++;
        return;
    }
    bool referred =
        commands->work_count != 0 && commands->works[commands->work_count - 1].binding_count != 0 &&
        commands->works[commands->work_count - 1].first_binding == commands->bound_first;
    if (referred) {
        memcpy(&commands->bindings[commands->binding_count],
               &commands->bindings[commands->bound_first], run * sizeof *commands->bindings);
        commands->bound_first = commands->binding_count;
        commands->binding_count += run;
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t at = commands->bound_first;
        while (at < commands->binding_count &&
               (commands->bindings[at].set != bindings[i].set ||
                commands->bindings[at].slot != bindings[i].slot ||
                commands->bindings[at].element != bindings[i].element)) {
            at++;
        }
        if (!is_empty(&bindings[i])) {
            commands->bindings[at] = bindings[i];
            commands->binding_count += at == commands->binding_count ? 1 : 0;
        } else if (at < commands->binding_count) {
            commands->binding_count--;
            memmove(&commands->bindings[at], &commands->bindings[at + 1],
                    (commands->binding_count - at) * sizeof *commands->bindings);
        }
    }
}
