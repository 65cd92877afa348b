/* SPDX-License-Identifier: MIT */
#include "gpu_commands.h"

#include <string.h>

enum { MAX_TARGETS = 4 };

struct rd_binding rd_bind_buffer(const struct rd_buffer *buffer)
{
    return (struct rd_binding){ .buffer = buffer, .graph_resource = buffer->graph_resource };
}

struct rd_binding rd_bind_sampled(const struct rd_image *image, enum rd_sampler sampler)
{
    return (struct rd_binding){
        .view = image->view,
        .sampler = sampler,
        .layout = image->access.layout,
        .graph_resource = image->graph_resource,
    };
}

struct rd_binding rd_bind_sampled_part(const struct rd_image *image, uint32_t part)
{
    return (struct rd_binding){ .view = image->parts[part] != VK_NULL_HANDLE ? image->parts[part]
                                                                             : image->view,
                                .sampler = RD_SAMPLER_NEAREST,
                                .layout = image->access.layout,
                                .graph_resource = image->graph_resource };
}

struct rd_binding rd_bind_storage(const struct rd_image *image)
{
    return (struct rd_binding){ .view = image->view,
                                .layout = VK_IMAGE_LAYOUT_GENERAL,
                                .graph_resource = image->graph_resource };
}

struct rd_binding rd_bind_storage_part(const struct rd_image *image, uint32_t part)
{
    return (struct rd_binding){ .view = image->parts[part] != VK_NULL_HANDLE ? image->parts[part]
                                                                             : image->view,
                                .layout = VK_IMAGE_LAYOUT_GENERAL,
                                .graph_resource = image->graph_resource };
}

static VkRenderingAttachmentInfo attachment(const struct rd_target *target, VkImageLayout layout)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->view != VK_NULL_HANDLE ? target->view : target->image->view,
        .imageLayout = layout,
        .loadOp = target->clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = target->read_only ? VK_ATTACHMENT_STORE_OP_NONE : VK_ATTACHMENT_STORE_OP_STORE,
    };
}

void rd_begin_draws(struct rd_commands *commands, const char *label, const struct rd_target *colors,
                    uint32_t color_count, const struct rd_target *depth)
{
    VkRenderingAttachmentInfo infos[MAX_TARGETS];
    struct rd_record_attachment recorded[MAX_TARGETS + 1];
    uint32_t recorded_count = 0;
    for (uint32_t i = 0; i < color_count; i++) {
        infos[i] = attachment(&colors[i], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        recorded[recorded_count++] =
            (struct rd_record_attachment){ .image = colors[i].image, .clears = colors[i].clear };
    }
    VkRenderingAttachmentInfo depth_info = { .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO };
    if (depth != NULL) {
        depth_info =
            attachment(depth, depth->read_only ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                                               : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        recorded[recorded_count++] = (struct rd_record_attachment){ .image = depth->image,
                                                                    .clears = depth->clear,
                                                                    .read_only = depth->read_only };
    }
    const struct rd_image *first = color_count > 0 ? colors[0].image : depth->image;
    const VkRect2D area = { { 0, 0 }, { first->width_px, first->height_px } };
    const VkViewport viewport = { 0, 0, (float)first->width_px, (float)first->height_px, 0, 1 };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = area,
        .layerCount = 1,
        .colorAttachmentCount = color_count,
        .pColorAttachments = infos,
        .pDepthAttachment = depth != NULL ? &depth_info : NULL,
    };
    rd_record_gpu_pass_begin(commands->recorded, label, RD_PASS_RASTER, recorded, recorded_count);
    vkCmdBeginRendering(commands->buffer, &info);
    vkCmdSetViewport(commands->buffer, 0, 1, &viewport);
    vkCmdSetScissor(commands->buffer, 0, 1, &area);
    commands->bound = NULL;
    commands->gpu_pass_count++;
}

void rd_end_draws(struct rd_commands *commands)
{
    vkCmdEndRendering(commands->buffer);
    rd_record_gpu_pass_end(commands->recorded);
}

void rd_begin_work(struct rd_commands *commands, const char *label, enum rd_pass_kind kind)
{
    rd_record_gpu_pass_begin(commands->recorded, label, kind, NULL, 0);
    commands->bound = NULL;
    commands->gpu_pass_count++;
}

void rd_end_work(struct rd_commands *commands)
{
    rd_record_gpu_pass_end(commands->recorded);
}

/** Write the set, and keep beside it what a recorder wants to know. */
static void write_set(struct rd_commands *commands, const struct rd_pipeline *pipeline,
                      VkDescriptorSet set, const struct rd_binding *bindings, uint32_t count)
{
    VkWriteDescriptorSet writes[RD_MAX_BINDINGS];
    VkDescriptorBufferInfo buffers[RD_MAX_BINDINGS];
    VkDescriptorImageInfo images[RD_MAX_BINDINGS];
    struct rd_record_binding recorded[RD_MAX_BINDINGS];
    for (uint32_t i = 0; i < count; i++) {
        const struct rd_binding *binding = &bindings[i];
        const char kind = pipeline->bindings[i];
        const VkDescriptorType types[] = { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_IMAGE };
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = types[strchr("ubsi", kind) - "ubsi"],
            .pBufferInfo = &buffers[i],
            .pImageInfo = &images[i],
        };
        recorded[i] =
            (struct rd_record_binding){ .kind = kind, .graph_resource = binding->graph_resource };
        if (binding->buffer != NULL) {
            buffers[i] = (VkDescriptorBufferInfo){ binding->buffer->buffer, 0, VK_WHOLE_SIZE };
            recorded[i].size_bytes = binding->buffer->size_bytes;
        } else {
            images[i] =
                (VkDescriptorImageInfo){ kind == 's' ? commands->device->samplers[binding->sampler]
                                                     : VK_NULL_HANDLE,
                                         binding->view, binding->layout };
        }
    }
    vkUpdateDescriptorSets(commands->device->device, count, writes, 0, NULL);
    rd_record_bindings(commands->recorded, recorded, count);
}

bool rd_bind(struct rd_commands *commands, enum rd_pipeline_id id,
             const struct rd_binding *bindings, uint32_t count, const void *push)
{
    const struct rd_pipeline *pipeline = &commands->pipelines->all[id];
    if (count != strlen(pipeline->bindings)) {
        return rd_fail(commands->device->log, "pipeline '%s' takes other bindings",
                       pipeline->label);
    }
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = commands->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &pipeline->set_layout,
    };
    VkDescriptorSet set;
    if (!rd_check(commands->device, vkAllocateDescriptorSets(commands->device->device, &info, &set),
                  "vkAllocateDescriptorSets")) {
        return false;
    }
    if (commands->bound != pipeline) {
        vkCmdBindPipeline(commands->buffer, pipeline->bind_point, pipeline->pipeline);
        rd_record_bind_pipeline(commands->recorded, pipeline->recorded);
        commands->bound = pipeline;
    }
    write_set(commands, pipeline, set, bindings, count);
    vkCmdBindDescriptorSets(commands->buffer, pipeline->bind_point, pipeline->layout, 0, 1, &set, 0,
                            NULL);
    if (push != NULL) {
        rd_push(commands, push);
    }
    return true;
}

void rd_push(struct rd_commands *commands, const void *push)
{
    vkCmdPushConstants(commands->buffer, commands->bound->layout, commands->bound->push_stages, 0,
                       commands->bound->push_bytes, push);
}

void rd_draw(struct rd_commands *commands, uint32_t vertex_count, uint32_t instance_count)
{
    vkCmdDraw(commands->buffer, vertex_count, instance_count, 0, 0);
    rd_record_draw(commands->recorded, vertex_count, instance_count);
    commands->draw_count++;
}

void rd_draw_indexed_indirect(struct rd_commands *commands, const struct rd_buffer *buffer,
                              uint64_t offset_bytes)
{
    vkCmdDrawIndexedIndirect(commands->buffer, buffer->buffer, offset_bytes, 1,
                             sizeof(VkDrawIndexedIndirectCommand));
    rd_record_draw_indexed_indirect(commands->recorded, buffer, offset_bytes);
    commands->draw_count++;
}

void rd_dispatch(struct rd_commands *commands, uint32_t x, uint32_t y)
{
    const uint32_t *size = commands->bound->workgroup;
    const uint32_t groups_x = (x + size[0] - 1) / size[0];
    const uint32_t groups_y = (y + size[1] - 1) / size[1];
    vkCmdDispatch(commands->buffer, groups_x, groups_y, 1);
    rd_record_dispatch(commands->recorded, groups_x, groups_y, 1);
}

static void memory_barrier(struct rd_commands *commands, VkPipelineStageFlags2 stages,
                           VkAccessFlags2 access)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = stages,
        .srcAccessMask = access,
        .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        .dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                         VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(commands->buffer, &info);
}

void rd_storage_barrier(struct rd_commands *commands)
{
    memory_barrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                   VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
}

void rd_copy_barrier(struct rd_commands *commands)
{
    memory_barrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
}

void rd_copy_buffer(struct rd_commands *commands, const struct rd_buffer *from,
                    uint64_t from_offset_bytes, const struct rd_buffer *to, uint64_t size_bytes)
{
    const VkBufferCopy region = { from_offset_bytes, 0, size_bytes };
    vkCmdCopyBuffer(commands->buffer, from->buffer, to->buffer, 1, &region);
    rd_record_copy(commands->recorded, size_bytes);
}

void rd_fill_buffer(struct rd_commands *commands, const struct rd_buffer *buffer, uint32_t word)
{
    vkCmdFillBuffer(commands->buffer, buffer->buffer, 0, VK_WHOLE_SIZE, word);
    rd_record_copy(commands->recorded, buffer->size_bytes);
}
