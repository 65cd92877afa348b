/* SPDX-License-Identifier: MIT */
/* The GPU passes of a frame, from all its command buffers, in one list. */
#include "record/record_priv.h"

#include <string.h>

#define INSTANCES_MAX (1u << 22)

const struct fgi_pass *fgi_instance_pass(const struct fg_frame *frame,
                                         const struct fgi_instance *instance)
{
    return instance->pass == FGI_NONE
               ? NULL
               : &frame->uses[instance->use].commands->passes[instance->pass];
}

const char *fgi_instance_label(const struct fg_frame *frame, const struct fgi_instance *instance,
                               size_t *out_size)
{
    const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
    *out_size = pass != NULL ? pass->label_size : 0;
    return *out_size != 0 ? frame->uses[instance->use].commands->text + pass->label_offset : "";
}

uint32_t fgi_instance_kind(const struct fg_frame *frame, const struct fgi_instance *instance)
{
    const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
    return pass != NULL ? pass->kind : FG_CAP_GPU_PASS_SUBMISSION;
}

uint32_t fgi_instance_queue(const struct fg_frame *frame, const struct fgi_instance *instance)
{
    const struct fgi_use *use = &frame->uses[instance->use];
    return use->submission != FGI_NONE ? frame->submissions[use->submission].queue
                                       : use->commands->queue;
}

static bool add_instance(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t use,
                         uint32_t pass, uint32_t parent)
{
    if (FGI_GROW(recorder->allocator, frame->instances, frame->instance_capacity,
                 frame->instance_count + 1, INSTANCES_MAX) != FG_OK) {
        return false;
    }
    frame->instances[frame->instance_count++] = (struct fgi_instance){
        .use = use,
        .pass = pass,
        .parent = parent,
        .logical = FGI_NONE,
    };
    return true;
}

static bool gather_use(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t use,
                       uint32_t parent);

/** The use of a secondary command buffer; uses of a primary's children follow it. */
static uint32_t find_child(const struct fg_frame *frame, uint32_t use, uint32_t execute)
{
    for (uint32_t i = use + 1; i < frame->use_count; i++) {
        if (frame->uses[i].parent_use == use && frame->uses[i].parent_execute == execute) {
            return i;
        }
    }
    return FGI_NONE;
}

/** Instance of a pass of a use, looked for from the newest back: mostly the last one. */
static uint32_t find_instance(const struct fg_frame *frame, uint32_t first, uint32_t use,
                              uint32_t pass)
{
    for (size_t at = frame->instance_count; at-- > first;) {
        if (frame->instances[at].use == use && frame->instances[at].pass == pass) {
            return (uint32_t)at;
        }
    }
    return FGI_NONE;
}

/** Secondaries that run before pass `pass` of the primary, as children of what was open there. */
static bool gather_children(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t use,
                            uint32_t first_instance, uint32_t parent, uint32_t pass,
                            uint32_t *io_execute)
{
    const struct fg_commands *commands = frame->uses[use].commands;
    while (*io_execute < commands->execute_count &&
           commands->executes[*io_execute].before_pass <= pass) {
        const struct fgi_execute *execute = &commands->executes[*io_execute];
        uint32_t child = find_child(frame, use, (*io_execute)++);
        uint32_t inside = parent;
        if (execute->parent != FGI_NONE) {
            inside = find_instance(frame, first_instance, use, execute->parent);
        }
        if (child != FGI_NONE && !gather_use(recorder, frame, child, inside)) {
            return false;
        }
    }
    return true;
}

/** Passes of one execution; `parent` is the instance that is open around all of them. */
static bool gather_use(struct fgi_recorder *recorder, struct fg_frame *frame, uint32_t use,
                       uint32_t parent)
{
    const struct fg_commands *commands = frame->uses[use].commands;
    uint32_t first = (uint32_t)frame->instance_count;
    uint32_t execute = 0;
    for (uint32_t i = 0; i < commands->pass_count; i++) {
        if (!gather_children(recorder, frame, use, first, parent, i, &execute)) {
            return false;
        }
        uint32_t inside = parent;
        if (commands->passes[i].parent != FGI_NONE) {
            inside = find_instance(frame, first, use, commands->passes[i].parent);
        }
        if (!add_instance(recorder, frame, use, i, inside)) {
            return false;
        }
    }
    return gather_children(recorder, frame, use, first, parent, UINT32_MAX, &execute);
}

/** Number the fragments of logical passes: fragment 0 is the first one in the list. */
static void number_fragments(struct fg_frame *frame)
{
    for (uint32_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_pass *pass = fgi_instance_pass(frame, &frame->instances[i]);
        if (pass == NULL || pass->logical == 0 || frame->instances[i].logical != FGI_NONE) {
            continue;
        }
        uint32_t fragment = 0;
        for (uint32_t k = i + 1; k < frame->instance_count; k++) {
            const struct fgi_pass *other = fgi_instance_pass(frame, &frame->instances[k]);
            if (other != NULL && other->logical == pass->logical) {
                frame->instances[i].logical = i;
                frame->instances[k].logical = i;
                frame->instances[k].fragment = ++fragment;
            }
        }
    }
}

/** What the topology's list of GPU passes is known by. */
static uint64_t hash_list(const struct fg_frame *frame)
{
    uint64_t hash = frame->instance_count;
    for (size_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_instance *instance = &frame->instances[i];
        const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
        size_t size;
        const char *label = fgi_instance_label(frame, instance, &size);
        uint64_t owner = pass != NULL ? pass->graph_pass : FGI_NONE;
        hash = fgi_mix64(hash ^ owner << 32 ^ (uint64_t)size << 8 ^
                         fgi_instance_kind(frame, instance));
        hash = fgi_hash64(hash, label, size);
    }
    return hash;
}

enum fg_result fgi_frame_gather(struct fgi_recorder *recorder, struct fg_frame *frame)
{
    frame->instance_count = 0;
    for (uint32_t i = 0; i < frame->use_count; i++) {
        bool fits = true;
        if (frame->uses[i].whole) {
            fits = add_instance(recorder, frame, i, FGI_NONE, FGI_NONE);
        } else if (frame->uses[i].parent_use == FGI_NONE) {
            fits = gather_use(recorder, frame, i, FGI_NONE);
        }
        if (!fits) {
            return FG_ERR_NO_MEMORY;
        }
    }
    number_fragments(frame);
    frame->gpu_list_hash = hash_list(frame);
    return FG_OK;
}
