/* SPDX-License-Identifier: MIT */
/* GPU passes of a command buffer: begin and end, and what is told about them in between. */
#include "record/record_priv.h"
#include "base/os_probes.h"

#include <string.h>

/** Offset of a private copy of the label; without room the pass has none, which is counted. */
static void copy_label(struct fg_commands *commands, struct fgi_pass *pass, const char *label)
{
    size_t size = label != NULL ? strlen(label) : 0;
    if (size == 0) {
        return;
    }
    if (size > commands->text_capacity - commands->text_size) {
        commands->short_of |= FGI_SHORT_TEXT;
        commands->drops[FG_CAP_DROP_OTHER]++;
        return;
    }
    memcpy(commands->text + commands->text_size, label, size);
    pass->label_offset = (uint32_t)commands->text_size;
    pass->label_size = (uint32_t)size;
    commands->text_size += size;
}

static void copy_attachments(struct fg_commands *commands, struct fgi_pass *pass,
                             const struct fg_gpu_pass_desc *desc)
{
    if ((commands->want & FGI_WANT_WORK) == 0 || desc->attachments == NULL) {
        return;
    }
    uint32_t count = desc->attachment_count < 16 ? desc->attachment_count : 16;
    if (count > commands->attachment_capacity - commands->attachment_count) {
        commands->short_of |= FGI_SHORT_ATTACHMENTS;
        commands->drops[FG_CAP_DROP_WORK_LIMIT]++;
        return;
    }
    memcpy(&commands->attachments[commands->attachment_count], desc->attachments,
           count * sizeof *desc->attachments);
    pass->first_attachment = (uint32_t)commands->attachment_count;
    pass->attachment_count = (uint8_t)count;
    commands->attachment_count += count;
}

/** The pair of stamps for a pass; FGI_NONE, counted, when the timer is full or there is none. */
static uint32_t take_slot(struct fg_commands *commands)
{
    if (commands->pool == NULL) {
        commands->drops[(commands->flags & FG_COMMANDS_SIMULTANEOUS) != 0
                            ? FG_CAP_DROP_SIMULTANEOUS
                            : FG_CAP_DROP_NO_TIMESTAMPS]++;
        return FGI_NONE;
    }
    if (commands->next_slot == commands->pool->slots) {
        commands->drops[FG_CAP_DROP_POOL_FULL]++;
        return FGI_NONE;
    }
    return commands->next_slot++;
}

/** A debug group of its own; inside of a graph pass the group is that one's. */
static void begin_label(struct fg_commands *commands, struct fgi_pass *pass, const char *label)
{
    if ((commands->want & FGI_WANT_LABELS) != 0 && commands->ops->label_begin != NULL &&
        !commands->in_bracket && label != NULL && *label != 0) {
        pass->flags |= FGI_PASS_LABELLED;
        commands->ops->label_begin(commands->device, commands->native, label);
    }
}

void fg_gpu_pass_begin(struct fg_commands *commands, const struct fg_gpu_pass_desc *desc)
{
    static const struct fg_gpu_pass_desc unnamed = { .kind = FG_GPU_PASS_COMPUTE };
    if (commands == NULL || commands->ended) {
        return;
    }
    int64_t cost = fgi_cost_begin(&commands->pass_cost, commands->recorder);
    desc = desc != NULL ? desc : &unnamed;
    FGI_PROBE(gpu_pass_begin, desc->label);
    commands->draws.targets += desc->kind == FG_GPU_PASS_RENDER && desc->attachment_count != 0;
    if (commands->refused_depth != 0 || commands->depth == FGI_NESTING_MAX ||
        commands->pass_count == commands->pass_capacity) {
        if (commands->pass_count == commands->pass_capacity) {
            commands->short_of |= FGI_SHORT_PASSES;
        }
        commands->refused_depth++;
        commands->drops[FG_CAP_DROP_PASS_LIMIT]++;
        fgi_cost_end(&commands->pass_cost, commands->recorder, cost);
        return;
    }
    uint32_t index = (uint32_t)commands->pass_count++;
    struct fgi_pass *pass = &commands->passes[index];
    *pass = (struct fgi_pass){
        .logical = desc->logical,
        .graph_pass = commands->graph_pass,
        .slot = take_slot(commands),
        .parent = commands->depth != 0 ? commands->stack[commands->depth - 1] : FGI_NONE,
        .kind = (uint8_t)desc->kind,
        .first_work = (uint32_t)commands->work_count,
        .end_work = UINT32_MAX,
    };
    commands->stack[commands->depth++] = index;
    copy_label(commands, pass, desc->label);
    copy_attachments(commands, pass, desc);
    begin_label(commands, pass, desc->label);
    if (pass->slot != FGI_NONE) {
        bool statistics = desc->statistics && commands->pool->statistics &&
                          (commands->want & FGI_WANT_STATISTICS) != 0 &&
                          commands->statistics_pass == FGI_NONE;
        if (statistics) {
            commands->statistics_pass = index;
            pass->flags |= FGI_PASS_STATISTICS;
        }
        commands->ops->slot_begin(commands->device, commands->pool->timer, commands->native,
                                  pass->slot, statistics);
    }
    fgi_cost_end(&commands->pass_cost, commands->recorder, cost);
}

/** Arguments of the pass's indirect work are copied now, outside of the native render pass. */
static void flush_copies(struct fg_commands *commands)
{
    if (commands->copy_count != 0) {
        commands->ops->copy_indirect(commands->device, commands->pool->timer, commands->native,
                                     commands->next_indirect, commands->copies,
                                     commands->copy_count);
        commands->next_indirect += commands->copy_count;
        commands->copy_count = 0;
    }
}

void fg_gpu_pass_end(struct fg_commands *commands)
{
    if (commands == NULL || commands->ended) {
        return;
    }
    if (commands->refused_depth != 0) {
        commands->refused_depth--;
        return;
    }
    if (commands->depth == 0) {
        commands->drops[FG_CAP_DROP_UNBALANCED]++;
        return;
    }
    int64_t cost = fgi_cost_begin(&commands->pass_cost, commands->recorder);
    uint32_t index = commands->stack[--commands->depth];
    struct fgi_pass *pass = &commands->passes[index];
    FGI_PROBE(gpu_pass_end, index);
    pass->flags |= FGI_PASS_ENDED;
    pass->end_work = (uint32_t)commands->work_count;
    if (pass->slot != FGI_NONE) {
        commands->ops->slot_end(commands->device, commands->pool->timer, commands->native,
                                pass->slot, (pass->flags & FGI_PASS_STATISTICS) != 0);
    }
    if (commands->statistics_pass == index) {
        commands->statistics_pass = FGI_NONE;
    }
    if ((pass->flags & FGI_PASS_LABELLED) != 0) {
        commands->ops->label_end(commands->device, commands->native);
    }
    if (commands->depth == 0) {
        flush_copies(commands);
    }
    fgi_cost_end(&commands->pass_cost, commands->recorder, cost);
}

void fg_gpu_execute(struct fg_commands *commands, struct fg_commands *const *secondaries,
                    uint32_t count)
{
    if (commands == NULL || commands->ended || secondaries == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (secondaries[i] == NULL) {
            continue;
        }
        if (commands->execute_count == commands->execute_capacity) {
            commands->short_of |= FGI_SHORT_EXECUTES;
            commands->drops[FG_CAP_DROP_PASS_LIMIT]++;
            continue;
        }
        commands->executes[commands->execute_count++] = (struct fgi_execute){
            .secondary = secondaries[i],
            .before_pass = (uint32_t)commands->pass_count,
            .parent = commands->depth != 0 ? commands->stack[commands->depth - 1] : FGI_NONE,
        };
    }
}
