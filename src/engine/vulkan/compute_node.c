/* SPDX-License-Identifier: MIT */
/* One node: what it touches, what it costs, and its commands. */
#include "engine/vulkan/compute_priv.h"

#include "base/result.h"
#include "base/wide.h"

enum { DISPATCH_ARGUMENT_BYTES = 12 };

static bool is_dispatch(const struct fg_compute_node *node)
{
    return node->kind == FG_COMPUTE_DISPATCH || node->kind == FG_COMPUTE_DISPATCH_INDIRECT;
}

enum fg_result fg_compute_sink_add(const struct fg_compute_sink *sink,
                                   const struct fg_compute_node *node)
{
    return sink->add(sink->context, node);
}

/** Uses that follow from the kind. */
static uint32_t implied_count(const struct fg_compute_node *node)
{
    switch (node->kind) {
    case FG_COMPUTE_DISPATCH_INDIRECT:
    case FG_COMPUTE_FILL:
        return 1;
    case FG_COMPUTE_COPY:
        return 2;
    default:
        return 0;
    }
}

static struct fg_compute_use implied(const struct fg_compute_node *node, uint32_t index)
{
    if (node->kind == FG_COMPUTE_DISPATCH_INDIRECT) {
        return (struct fg_compute_use){
            .view = fg_compute_view_part(node->arguments, 0, DISPATCH_ARGUMENT_BYTES),
            .access = FG_COMPUTE_READ,
            .stages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
            .accesses = VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
        };
    }
    if (node->kind == FG_COMPUTE_COPY && index == 1) {
        return (struct fg_compute_use){
            .view = node->source,
            .access = FG_COMPUTE_READ,
            .stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
            .accesses = VK_ACCESS_TRANSFER_READ_BIT,
        };
    }
    return (struct fg_compute_use){
        .view = node->target,
        .access = FG_COMPUTE_WRITE,
        .stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .accesses = VK_ACCESS_TRANSFER_WRITE_BIT,
    };
}

uint32_t fg_compute_node_use_count(const struct fg_compute_node *node)
{
    return node->use_count + implied_count(node);
}

struct fg_compute_use fg_compute_node_use(const struct fg_compute_node *node, uint32_t index)
{
    if (index >= node->use_count) {
        return implied(node, index - node->use_count);
    }
    struct fg_compute_use use = node->uses[index];
    if (is_dispatch(node) || use.stages == 0) {
        use.stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        use.accesses = 0;
    }
    if (use.accesses == 0) {
        use.accesses = (use.access & FG_COMPUTE_READ) != 0 ? VK_ACCESS_SHADER_READ_BIT : 0;
        use.accesses |= (use.access & FG_COMPUTE_WRITE) != 0 ? VK_ACCESS_SHADER_WRITE_BIT : 0;
    }
    return use;
}

bool fgi_compute_fold(uint64_t group_count, uint32_t limit, uint32_t out_groups[3])
{
    const uint64_t plane = (uint64_t)limit * limit;
    const uint64_t z = (group_count + plane - 1) / plane;
    if (group_count > UINT32_MAX || z > limit) {
        return false;
    }
    if (group_count == 0) {
        out_groups[0] = out_groups[1] = out_groups[2] = 0;
        return true;
    }
    const uint64_t y = (group_count + z * limit - 1) / (z * limit);
    const uint64_t x = (group_count + z * y - 1) / (z * y);
    /* Kernels number their groups in 32 bits, those past the end included. */
    if (x * y * z > UINT32_MAX) {
        return false;
    }
    out_groups[0] = (uint32_t)x;
    out_groups[1] = (uint32_t)y;
    out_groups[2] = (uint32_t)z;
    return true;
}

void fg_compute_node_groups(const struct fg_compute *compute, const struct fg_compute_node *node,
                            uint32_t out_groups[3])
{
    out_groups[0] = out_groups[1] = out_groups[2] = 0;
    if (node->kind == FG_COMPUTE_DISPATCH) {
        (void)fgi_compute_fold(node->group_count, compute->facts.group_limit, out_groups);
    }
}

static void add_uses(const struct fg_compute_node *node, struct fg_compute_workload *workload)
{
    const uint32_t count = fg_compute_node_use_count(node);
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_compute_use use = fg_compute_node_use(node, i);
        if ((use.access & FG_COMPUTE_READ) != 0) {
            workload->read_bytes = fgi_add_saturated(workload->read_bytes, use.view.size_bytes);
        }
        if ((use.access & FG_COMPUTE_WRITE) != 0) {
            workload->write_bytes = fgi_add_saturated(workload->write_bytes, use.view.size_bytes);
        }
    }
}

struct fg_compute_workload fg_compute_node_workload(const struct fg_compute *compute,
                                                    const struct fg_compute_node *node)
{
    struct fg_compute_workload workload = node->workload;
    if (workload.invocations != 0 || workload.commands != 0 || workload.read_bytes != 0 ||
        workload.write_bytes != 0 || node->kind == FG_COMPUTE_CALL ||
        node->kind == FG_COMPUTE_PUBLISH ||
        (node->kind == FG_COMPUTE_DISPATCH && node->group_count == 0)) {
        return workload;
    }
    if (is_dispatch(node)) {
        workload.invocations = fgi_wide_saturated((fgi_wide)node->group_count *
                                                  fg_compute_group_size(compute, &node->program));
    }
    workload.commands = 1;
    add_uses(node, &workload);
    return workload;
}

static bool are_apart(const struct fg_compute_view *a, const struct fg_compute_view *b)
{
    return a->buffer != b->buffer || a->offset_bytes + a->size_bytes <= b->offset_bytes ||
           b->offset_bytes + b->size_bytes <= a->offset_bytes;
}

static bool is_whole_words(const struct fg_compute_view *view)
{
    return view->buffer != VK_NULL_HANDLE && view->offset_bytes % sizeof(uint32_t) == 0 &&
           view->size_bytes % sizeof(uint32_t) == 0;
}

static enum fg_result check_dispatch(const struct fg_compute *compute,
                                     const struct fg_compute_node *node, struct fg_diag *diag)
{
    uint32_t groups[3];
    const struct fg_compute_program *program = &node->program;
    const struct fg_compute_kernel *kernel = program->kernel;
    if (kernel == NULL || kernel->push_bytes > FGI_COMPUTE_PUSH_BYTES ||
        kernel->push_bytes % sizeof(uint32_t) != 0 ||
        (kernel->push_bytes != 0 && node->push == NULL) ||
        program->constant_count > FG_COMPUTE_MAX_CONSTANTS) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "%s has no kernel, or not what it is pushed",
                        node->name);
    }
    if (fg_compute_group_size(compute, program) > compute->facts.max_group_size) {
        return fgi_fail(diag, FG_ERR_LIMIT, 0, "%s has groups of %u, of which the device allows %u",
                        node->name, fg_compute_group_size(compute, program),
                        compute->facts.max_group_size);
    }
    if (!fgi_compute_fold(node->group_count, compute->facts.group_limit, groups)) {
        return fgi_fail(diag, FG_ERR_LIMIT, 0, "%s has %llu groups, more than can be dispatched",
                        node->name, (unsigned long long)node->group_count);
    }
    if (node->kind == FG_COMPUTE_DISPATCH_INDIRECT &&
        (!is_whole_words(&node->arguments) ||
         node->arguments.size_bytes < DISPATCH_ARGUMENT_BYTES)) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "%s has no arguments", node->name);
    }
    return FG_OK;
}

/** Accesses that are said are those of the access. */
static bool are_consistent(const struct fg_compute_use *use)
{
    const bool reads = (use->accesses & ~FGI_COMPUTE_WRITING) != 0;
    const bool writes = (use->accesses & FGI_COMPUTE_WRITING) != 0;
    return use->accesses == 0 ||
           (use->stages != 0 && reads == ((use->access & FG_COMPUTE_READ) != 0) &&
            writes == ((use->access & FG_COMPUTE_WRITE) != 0));
}

static enum fg_result check_uses(const struct fg_compute_node *node, struct fg_diag *diag)
{
    for (uint32_t i = 0; i < node->use_count; i++) {
        const struct fg_compute_use *use = &node->uses[i];
        if (use->view.buffer == VK_NULL_HANDLE || (use->access & FG_COMPUTE_READ_WRITE) == 0 ||
            use->access > (FG_COMPUTE_READ_WRITE | FG_COMPUTE_TOGETHER) ||
            (use->access & (FG_COMPUTE_WRITE | FG_COMPUTE_TOGETHER)) == FG_COMPUTE_TOGETHER ||
            !are_consistent(use) || use->view.offset_bytes > UINT64_MAX - use->view.size_bytes) {
            return fgi_fail(diag, FG_ERR_ARGUMENT, i,
                            "use %u of %s has no range, or accesses that do not fit", i,
                            node->name);
        }
    }
    return FG_OK;
}

enum fg_result fg_compute_node_check(const struct fg_compute *compute,
                                     const struct fg_compute_node *node, struct fg_diag *diag)
{
    enum fg_result result = FG_OK;
    if (compute == NULL || node == NULL || node->name == NULL ||
        (node->use_count != 0 && node->uses == NULL)) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "a node has a name, and uses if it counts them");
    }
    switch (node->kind) {
    case FG_COMPUTE_DISPATCH:
    case FG_COMPUTE_DISPATCH_INDIRECT:
        result = check_dispatch(compute, node, diag);
        break;
    case FG_COMPUTE_FILL:
        if (!is_whole_words(&node->target)) {
            result = fgi_fail(diag, FG_ERR_ARGUMENT, 0, "%s does not fill whole words", node->name);
        }
        break;
    case FG_COMPUTE_COPY:
        if (node->source.buffer == VK_NULL_HANDLE || node->target.buffer == VK_NULL_HANDLE ||
            node->source.size_bytes != node->target.size_bytes ||
            !are_apart(&node->source, &node->target)) {
            result = fgi_fail(diag, FG_ERR_ARGUMENT, 0,
                              "source and target of %s overlap or differ in size", node->name);
        }
        break;
    case FG_COMPUTE_CALL:
        if (node->call == NULL) {
            result = fgi_fail(diag, FG_ERR_ARGUMENT, 0, "%s calls nothing", node->name);
        }
        break;
    case FG_COMPUTE_PUBLISH:
        break;
    default:
        result = fgi_fail(diag, FG_ERR_ARGUMENT, 0, "%s is of no known kind", node->name);
    }
    return result == FG_OK ? check_uses(node, diag) : result;
}

static enum fg_result encode_dispatch(struct fg_compute *compute,
                                      const struct fg_compute_node *node, VkCommandBuffer commands,
                                      struct fgi_compute_bound *bound)
{
    uint32_t groups[3] = { 0 };
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (node->kind == FG_COMPUTE_DISPATCH && node->group_count == 0) {
        return FG_OK;
    }
    const enum fg_result result = fgi_compute_pipeline(compute, &node->program, &pipeline);
    if (result != FG_OK) {
        return result;
    }
    if (bound->pipeline != pipeline) {
        compute->vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        bound->pipeline = pipeline;
    }
    if (node->program.kernel->push_bytes != 0) {
        compute->vk.CmdPushConstants(commands, compute->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                     node->program.kernel->push_bytes, node->push);
    }
    if (node->kind == FG_COMPUTE_DISPATCH_INDIRECT) {
        compute->vk.CmdDispatchIndirect(commands, node->arguments.buffer,
                                        node->arguments.offset_bytes);
    } else {
        (void)fgi_compute_fold(node->group_count, compute->facts.group_limit, groups);
        compute->vk.CmdDispatch(commands, groups[0], groups[1], groups[2]);
    }
    return FG_OK;
}

enum fg_result fgi_compute_node_encode(struct fg_compute *compute,
                                       const struct fg_compute_node *node, VkCommandBuffer commands,
                                       struct fgi_compute_bound *bound)
{
    switch (node->kind) {
    case FG_COMPUTE_DISPATCH:
    case FG_COMPUTE_DISPATCH_INDIRECT:
        return encode_dispatch(compute, node, commands, bound);
    case FG_COMPUTE_FILL:
        if (node->target.size_bytes != 0) {
            compute->vk.CmdFillBuffer(commands, node->target.buffer, node->target.offset_bytes,
                                      node->target.size_bytes, node->word);
        }
        break;
    case FG_COMPUTE_COPY:
        if (node->target.size_bytes != 0) {
            const VkBufferCopy copy = { node->source.offset_bytes, node->target.offset_bytes,
                                        node->target.size_bytes };
            compute->vk.CmdCopyBuffer(commands, node->source.buffer, node->target.buffer, 1, &copy);
        }
        break;
    case FG_COMPUTE_CALL:
        node->call(node->context, commands);
        bound->pipeline = VK_NULL_HANDLE;
        break;
    case FG_COMPUTE_PUBLISH:
        break;
    }
    return FG_OK;
}

enum fg_result fg_compute_node_encode(struct fg_compute *compute,
                                      const struct fg_compute_node *node, VkCommandBuffer commands)
{
    struct fgi_compute_bound bound = { VK_NULL_HANDLE };
    const enum fg_result result = fg_compute_node_check(compute, node, NULL);
    if (result != FG_OK) {
        return result;
    }
    if (fg_compute_is_lost(compute)) {
        return FG_ERR_DEVICE_LOST;
    }
    return fgi_compute_node_encode(compute, node, commands, &bound);
}
