/* SPDX-License-Identifier: MIT */
/* A compiled graph as commands. */
#include "engine/vulkan/compute_graph_priv.h"

/** Each dependency by itself. */
static void encode_scopes2(const struct fg_compute *compute, const struct fgi_graph_scope *scopes,
                           uint32_t count, VkCommandBuffer commands)
{
    VkMemoryBarrier2 barriers[FGI_GRAPH_SCOPES];
    for (uint32_t i = 0; i < count; i++) {
        barriers[i] = (VkMemoryBarrier2){
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
            .srcStageMask = scopes[i].from_stages,
            .srcAccessMask = scopes[i].from_accesses,
            .dstStageMask = scopes[i].to_stages,
            .dstAccessMask = scopes[i].to_accesses,
        };
    }
    const VkDependencyInfo info = { .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                    .memoryBarrierCount = count,
                                    .pMemoryBarriers = barriers };
    compute->vk.CmdPipelineBarrier2(commands, &info);
}

/** One command has one pair of stages: all of them. */
static void encode_scopes(const struct fg_compute *compute, const struct fgi_graph_scope *scopes,
                          uint32_t count, VkCommandBuffer commands)
{
    if ((compute->facts.flags & FG_COMPUTE_SYNCHRONIZATION2) != 0) {
        encode_scopes2(compute, scopes, count, commands);
        return;
    }
    VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER };
    VkPipelineStageFlags from_stages = 0;
    VkPipelineStageFlags to_stages = 0;
    for (uint32_t i = 0; i < count; i++) {
        from_stages |= scopes[i].from_stages;
        to_stages |= scopes[i].to_stages;
        barrier.srcAccessMask |= scopes[i].from_accesses;
        barrier.dstAccessMask |= scopes[i].to_accesses;
    }
    const bool has_memory = barrier.srcAccessMask != 0 || barrier.dstAccessMask != 0;
    compute->vk.CmdPipelineBarrier(commands, from_stages, to_stages, 0, has_memory, &barrier, 0,
                                   NULL, 0, NULL);
}

static enum fg_result encode_node(struct fg_compute_graph *graph, const struct fgi_graph_node *of,
                                  VkCommandBuffer commands, struct fgi_compute_bound *bound)
{
    const struct fg_compute_listener *listeners[] = { &graph->compute->listener,
                                                      &graph->options.listener };
    const struct fg_compute_node *node = &of->node;
    for (int i = 0; i < 2; i++) {
        if (listeners[i]->node_begin != NULL) {
            listeners[i]->node_begin(listeners[i]->context, commands, node, &of->workload);
        }
    }
    const enum fg_result result = fgi_compute_node_encode(graph->compute, node, commands, bound);
    for (int i = 1; i >= 0; i--) {
        if (listeners[i]->node_end != NULL) {
            listeners[i]->node_end(listeners[i]->context, commands, node);
        }
    }
    return result;
}

enum fg_result fgi_graph_encode(struct fg_compute_graph *graph, uint32_t first, uint32_t count,
                                VkCommandBuffer commands)
{
    struct fgi_compute_bound bound = { VK_NULL_HANDLE };
    enum fg_result result = FG_OK;
    if (fg_compute_is_lost(graph->compute)) {
        return FG_ERR_DEVICE_LOST;
    }
    if (first == 0 && graph->entry.from_stages != 0) {
        encode_scopes(graph->compute, &graph->entry, 1, commands);
    }
    for (uint32_t place = first; result == FG_OK && place < first + count; place++) {
        const struct fgi_graph_node *node = fgi_graph_node_at(graph, place);
        const struct fgi_graph_level *level = &graph->levels[node->level];
        if (level->first == place && level->scope_count != 0) {
            encode_scopes(graph->compute, level->scopes, level->scope_count, commands);
        }
        result = encode_node(graph, node, commands, &bound);
    }
    return result;
}

enum fg_result fg_compute_graph_encode(struct fg_compute_graph *graph, VkCommandBuffer commands)
{
    if (graph == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!graph->is_compiled) {
        return FG_ERR_STATE;
    }
    return fgi_graph_encode(graph, 0, graph->counts.nodes, commands);
}
