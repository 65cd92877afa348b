/* SPDX-License-Identifier: MIT */
#include "gpu/software/software_priv.h"

#define OPS_MAX (1u << 26)

struct fg_software_commands *fgi_software_commands_new(const struct fg_allocator *allocator)
{
    struct fg_software_commands *commands = fgi_calloc(allocator, 1, sizeof *commands);
    if (commands != NULL) {
        commands->allocator = allocator;
    }
    return commands;
}

enum fg_result fg_software_commands_create(struct fg_device *device,
                                           struct fg_software_commands **out_commands)
{
    if (device == NULL || out_commands == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_software_commands *commands = fgi_software_commands_new(device->allocator);
    if (commands == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    *out_commands = commands;
    return FG_OK;
}

void fg_software_commands_destroy(struct fg_software_commands *commands)
{
    if (commands != NULL) {
        fgi_free(commands->allocator, commands->ops, commands->op_capacity * sizeof *commands->ops);
        fgi_free(commands->allocator, commands, sizeof *commands);
    }
}

void fg_software_commands_reset(struct fg_software_commands *commands)
{
    commands->op_count = 0;
    commands->out_of_memory = false;
    commands->label_count = commands->label_depth = 0;
}

void fgi_software_push(struct fg_software_commands *commands, struct software_op op)
{
    if (FGI_GROW(commands->allocator, commands->ops, commands->op_capacity, commands->op_count + 1,
                 OPS_MAX) != FG_OK) {
        commands->out_of_memory = true;
        return;
    }
    commands->ops[commands->op_count++] = op;
}

void fg_software_work(struct fg_software_commands *commands, int64_t cost_ns, uint64_t invocations)
{
    fgi_software_push(commands, (struct software_op){ .kind = SOFTWARE_WORK,
                                                      .cost_ns = cost_ns < 0 ? 0 : cost_ns,
                                                      .invocations = invocations });
}

void fg_software_execute(struct fg_software_commands *commands,
                         struct fg_software_commands *secondary)
{
    fgi_software_push(commands,
                      (struct software_op){ .kind = SOFTWARE_EXECUTE, .secondary = secondary });
}

void fg_software_store(struct fg_software_commands *commands, uint32_t *address, uint32_t value)
{
    fgi_software_push(commands, (struct software_op){ .kind = SOFTWARE_STORE,
                                                      .address = (uint64_t)(uintptr_t)address,
                                                      .value = value });
}

uint32_t fg_software_label_count(const struct fg_software_commands *commands, uint32_t *out_open)
{
    *out_open = commands->label_depth;
    return commands->label_count;
}
