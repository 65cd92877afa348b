/* SPDX-License-Identifier: MIT */
/* Which barriers a pass needs, from how it uses its resources and what happened to them before. */
#include "gpu_graph.h"

enum { MAX_BARRIERS = 32 };

/** A use in the device's words. */
struct meaning {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
    VkImageLayout layout;
    bool writes;
};

struct batch {
    VkImageMemoryBarrier2 images[MAX_BARRIERS];
    VkBufferMemoryBarrier2 buffers[MAX_BARRIERS];
    VkMemoryBarrier2 memory;
    uint32_t image_count;
    uint32_t buffer_count;
};

static void add(struct meaning *meaning, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                VkImageLayout layout, bool writes)
{
    meaning->stages |= stages;
    meaning->access |= access;
    meaning->layout = layout;
    meaning->writes = meaning->writes || writes;
}

static VkPipelineStageFlags2 shader_stages(enum rd_pass_kind kind)
{
    return kind == RD_PASS_COMPUTE
               ? VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
               : VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
}

static void add_attachment_uses(struct meaning *meaning, uint32_t use)
{
    const VkPipelineStageFlags2 depth_stages =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    if ((use & RD_USE_COLOR) != 0) {
        add(meaning, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
            VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, true);
    }
    if ((use & RD_USE_DEPTH_READ) != 0) {
        add(meaning, depth_stages, VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
            VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, false);
    }
    if ((use & RD_USE_DEPTH_WRITE) != 0) {
        add(meaning, depth_stages,
            VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
            VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, true);
    }
}

static void add_shader_uses(struct meaning *meaning, uint32_t use, VkPipelineStageFlags2 shaders,
                            bool is_depth)
{
    if ((use & RD_USE_UNIFORM) != 0) {
        add(meaning, shaders, VK_ACCESS_2_UNIFORM_READ_BIT, VK_IMAGE_LAYOUT_GENERAL, false);
    }
    if ((use & RD_USE_SAMPLED) != 0) {
        add(meaning, shaders, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
            is_depth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                     : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            false);
    }
    if ((use & RD_USE_STORAGE_READ) != 0) {
        add(meaning, shaders, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, VK_IMAGE_LAYOUT_GENERAL, false);
    }
    if ((use & RD_USE_STORAGE_WRITE) != 0) {
        add(meaning, shaders,
            VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
            VK_IMAGE_LAYOUT_GENERAL, true);
    }
}

static void add_fetch_and_copy_uses(struct meaning *meaning, uint32_t use)
{
    if ((use & RD_USE_INDIRECT) != 0) {
        add(meaning, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT,
            VK_IMAGE_LAYOUT_GENERAL, false);
    }
    if ((use & RD_USE_GEOMETRY) != 0) {
        add(meaning, VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
            VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT,
            VK_IMAGE_LAYOUT_GENERAL, false);
    }
    if ((use & RD_USE_COPY_FROM) != 0) {
        add(meaning, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
            VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, false);
    }
    if ((use & RD_USE_COPY_TO) != 0) {
        add(meaning, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
            VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true);
    }
}

static struct meaning meaning_of(uint32_t use, enum rd_pass_kind kind, bool is_depth)
{
    struct meaning meaning = { .layout = VK_IMAGE_LAYOUT_UNDEFINED };
    add_attachment_uses(&meaning, use);
    add_shader_uses(&meaning, use, shader_stages(kind), is_depth);
    add_fetch_and_copy_uses(&meaning, use);
    return meaning;
}

/** What must be waited for, and made visible, before the use. Zero stages: nothing. */
struct dependency {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
    VkImageLayout old_layout;
    bool needed;
};

static void note_use(struct rd_access *access, const struct meaning *use, uint32_t queue)
{
    if (use->writes) {
        access->write_stages = use->stages;
        access->write_access = use->access;
        access->read_stages = 0;
        access->seen_stages = 0;
        access->seen_access = 0;
        access->queue = queue;
    } else {
        access->read_stages |= use->stages;
        access->seen_stages |= use->stages;
        access->seen_access |= use->access;
    }
    access->layout = use->layout;
}

/** Compare a use with the past, and make it the newest part of the past. */
static struct dependency depend(struct rd_access *access, const struct meaning *use, uint32_t queue,
                                bool is_image, bool *out_other_queue)
{
    struct dependency dependency = { .old_layout = access->layout };
    if (access->queue != queue) {
        if (use->writes || queue == RD_QUEUE_GRAPHICS) {
            /* Written over there: a semaphore stands between, and makes all of it visible. */
            *out_other_queue = true;
            *access = (struct rd_access){ .layout = use->layout, .queue = queue };
            note_use(access, use, queue);
        }
        return dependency;
    }
    const bool moves = is_image && access->layout != use->layout;
    const bool unseen =
        (use->stages & ~access->seen_stages) != 0 || (use->access & ~access->seen_access) != 0;
    if (use->writes || moves) {
        dependency.stages = access->write_stages | access->read_stages;
        dependency.access = access->write_access;
        dependency.needed = moves || dependency.stages != 0;
    } else if (access->write_stages != 0 && unseen) {
        dependency.stages = access->write_stages;
        dependency.access = access->write_access;
        dependency.needed = true;
    }
    if (moves && !use->writes) {
        /* The transition itself writes; whoever reads next has to wait for this use's barrier. */
        access->write_stages = use->stages;
        access->write_access = 0;
        access->read_stages = 0;
        access->seen_stages = 0;
        access->seen_access = 0;
    }
    note_use(access, use, queue);
    return dependency;
}

static void add_image(struct batch *batch, const struct rd_image *image,
                      const struct dependency *dependency, const struct meaning *use)
{
    batch->images[batch->image_count++] = (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = dependency->stages,
        .srcAccessMask = dependency->access,
        .dstStageMask = use->stages,
        .dstAccessMask = use->access,
        .oldLayout = dependency->old_layout,
        .newLayout = use->layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = { image->aspect, 0, VK_REMAINING_MIP_LEVELS, 0,
                              VK_REMAINING_ARRAY_LAYERS },
    };
}

static void add_buffer(struct batch *batch, const struct rd_buffer *buffer,
                       const struct dependency *dependency, const struct meaning *use)
{
    batch->buffers[batch->buffer_count++] = (VkBufferMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = dependency->stages,
        .srcAccessMask = dependency->access,
        .dstStageMask = use->stages,
        .dstAccessMask = use->access,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = buffer->buffer,
        .size = VK_WHOLE_SIZE,
    };
}

/** Memory that others used before: wait for them, forget what they wrote. */
static void take_over_memory(struct rd_barriers *barriers, struct batch *batch,
                             const struct rd_transient *item, struct rd_access *access,
                             const struct meaning *use)
{
    *access = (struct rd_access){ .layout = VK_IMAGE_LAYOUT_UNDEFINED, .queue = barriers->queue };
    if (barriers->queue != RD_QUEUE_GRAPHICS) {
        return; /* The semaphore before this queue's work ordered it after all of that. */
    }
    access->write_stages = item->rival_stages;
    batch->memory.srcStageMask |= item->rival_stages;
    batch->memory.srcAccessMask |= item->rival_writes;
    batch->memory.dstStageMask |= use->stages;
    batch->memory.dstAccessMask |= use->access;
}

static void use_resource(struct rd_barriers *barriers, struct batch *batch, uint16_t position,
                         uint16_t resource_index, uint32_t use)
{
    const struct rd_graph *graph = barriers->graph;
    const struct rd_resource *resource = &graph->resources[resource_index];
    const struct rd_pass *pass = &graph->passes[graph->order[position]];
    struct rd_transient *item = &barriers->plan->items[resource_index];
    const bool first = !resource->imported && resource->first_position == position;

    if (resource->kind == RD_RESOURCE_TEXTURE) {
        struct rd_image *image = resource->imported ? resource->external : &item->image;
        const struct meaning meaning =
            meaning_of(use, pass->kind, image->aspect == VK_IMAGE_ASPECT_DEPTH_BIT);
        image->graph_resource = (uint64_t)resource_index + 1;
        if (first) {
            take_over_memory(barriers, batch, item, &image->access, &meaning);
        }
        const struct dependency dependency = depend(&image->access, &meaning, barriers->queue, true,
                                                    &barriers->waits_for_other_queue);
        if (dependency.needed) {
            add_image(batch, image, &dependency, &meaning);
        }
        return;
    }
    struct rd_buffer *buffer = resource->imported ? resource->external : &item->buffer;
    const struct meaning meaning = meaning_of(use, pass->kind, false);
    buffer->graph_resource = (uint64_t)resource_index + 1;
    if (first) {
        take_over_memory(barriers, batch, item, &buffer->access, &meaning);
    }
    const struct dependency dependency =
        depend(&buffer->access, &meaning, barriers->queue, false, &barriers->waits_for_other_queue);
    if (dependency.needed && !first) {
        add_buffer(batch, buffer, &dependency, &meaning);
    }
}

void rd_barriers_record(struct rd_barriers *barriers, uint16_t position)
{
    const struct rd_graph *graph = barriers->graph;
    const struct rd_pass *pass = &graph->passes[graph->order[position]];
    struct batch batch = { .memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2 } };
    for (uint16_t e = 0; e < pass->edge_count && e < MAX_BARRIERS; e++) {
        const struct rd_edge *edge = &graph->edges[pass->first_edge + e];
        const uint16_t resource = graph->versions[edge->version].resource;
        uint32_t use = edge->use;
        bool repeated = false;
        /* A resource used in several ways by one pass gets one barrier for all of them. */
        for (uint16_t f = 0; f < pass->edge_count; f++) {
            const struct rd_edge *other = &graph->edges[pass->first_edge + f];
            if (f != e && graph->versions[other->version].resource == resource) {
                repeated = repeated || f < e;
                use |= other->use;
            }
        }
        if (!repeated) {
            use_resource(barriers, &batch, position, resource, use);
        }
    }
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = batch.memory.srcStageMask != 0 ? 1 : 0,
        .pMemoryBarriers = &batch.memory,
        .bufferMemoryBarrierCount = batch.buffer_count,
        .pBufferMemoryBarriers = batch.buffers,
        .imageMemoryBarrierCount = batch.image_count,
        .pImageMemoryBarriers = batch.images,
    };
    if (info.memoryBarrierCount + info.bufferMemoryBarrierCount + info.imageMemoryBarrierCount >
        0) {
        vkCmdPipelineBarrier2(barriers->commands, &info);
    }
}

void rd_barrier_full(VkCommandBuffer commands)
{
    const VkMemoryBarrier2 memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &memory,
    };
    vkCmdPipelineBarrier2(commands, &info);
}

void rd_use_summary(const struct rd_graph *graph, uint16_t resource_index,
                    VkPipelineStageFlags2 *out_stages, VkAccessFlags2 *out_writes)
{
    const struct rd_resource *resource = &graph->resources[resource_index];
    const bool is_depth = resource->texture.format == (uint32_t)VK_FORMAT_D32_SFLOAT;
    *out_stages = 0;
    *out_writes = 0;
    for (uint16_t i = 0; i < graph->order_count; i++) {
        const struct rd_pass *pass = &graph->passes[graph->order[i]];
        for (uint16_t e = 0; e < pass->edge_count; e++) {
            const struct rd_edge *edge = &graph->edges[pass->first_edge + e];
            if (graph->versions[edge->version].resource != resource_index) {
                continue;
            }
            const struct meaning meaning = meaning_of(edge->use, pass->kind, is_depth);
            *out_stages |= meaning.stages;
            *out_writes |= meaning.writes ? meaning.access : 0;
        }
    }
}
