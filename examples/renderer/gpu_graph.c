/* SPDX-License-Identifier: MIT */
/* Plans: the transient resources of a topology, placed in shared memory. */
#include "gpu_graph.h"

#include "usage.h"

#include <frameglass/instrument.h>
#include <string.h>

/* The numbers that usage.h knows are Vulkan's. */
_Static_assert(RD_IMAGE_COPY_FROM == (int)VK_IMAGE_USAGE_TRANSFER_SRC_BIT &&
                   RD_IMAGE_COPY_TO == (int)VK_IMAGE_USAGE_TRANSFER_DST_BIT &&
                   RD_IMAGE_SAMPLED == (int)VK_IMAGE_USAGE_SAMPLED_BIT &&
                   RD_IMAGE_STORAGE == (int)VK_IMAGE_USAGE_STORAGE_BIT &&
                   RD_IMAGE_COLOR == (int)VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT &&
                   RD_IMAGE_DEPTH == (int)VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
               "image usage");
_Static_assert(RD_BUFFER_COPY_FROM == (int)VK_BUFFER_USAGE_TRANSFER_SRC_BIT &&
                   RD_BUFFER_COPY_TO == (int)VK_BUFFER_USAGE_TRANSFER_DST_BIT &&
                   RD_BUFFER_UNIFORM == (int)VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT &&
                   RD_BUFFER_STORAGE == (int)VK_BUFFER_USAGE_STORAGE_BUFFER_BIT &&
                   RD_BUFFER_INDEX == (int)VK_BUFFER_USAGE_INDEX_BUFFER_BIT &&
                   RD_BUFFER_VERTEX == (int)VK_BUFFER_USAGE_VERTEX_BUFFER_BIT &&
                   RD_BUFFER_INDIRECT == (int)VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
               "buffer usage");

/** Which items of a plan go into one heap, and where. */
struct layout {
    struct rd_placement places[RD_GRAPH_MAX_RESOURCES];
    uint16_t resources[RD_GRAPH_MAX_RESOURCES];
    uint32_t count;
    uint32_t type_bits;
    uint64_t total_bytes;
    uint64_t unshared_bytes;
};

static void add_to_layout(struct layout *layout, uint16_t index, const struct rd_resource *resource,
                          const VkMemoryRequirements *needs)
{
    layout->places[layout->count] = (struct rd_placement){
        .size_bytes = needs->size,
        .alignment_bytes = needs->alignment,
        .first_position = resource->first_position,
        .last_position = resource->last_position,
    };
    layout->resources[layout->count++] = index;
    layout->type_bits &= needs->memoryTypeBits;
    layout->unshared_bytes += needs->size;
}

static bool create_items(struct rd_plan *plan, const struct rd_device *device,
                         const struct rd_graph *graph, struct layout *images,
                         struct layout *buffers)
{
    for (uint16_t r = 0; r < graph->resource_count; r++) {
        const struct rd_resource *resource = &graph->resources[r];
        struct rd_transient *item = &plan->items[r];
        if (resource->imported || resource->first_position == RD_GRAPH_NONE) {
            continue;
        }
        item->used = true;
        VkMemoryRequirements needs;
        if (resource->kind == RD_RESOURCE_TEXTURE) {
            item->image = (struct rd_image){
                .name = resource->name,
                .format = (VkFormat)resource->texture.format,
                .width_px = resource->texture.width_px,
                .height_px = resource->texture.height_px,
                .mip_count = resource->texture.mip_count > 0 ? resource->texture.mip_count : 1,
                .layer_count =
                    resource->texture.layer_count > 0 ? resource->texture.layer_count : 1,
                .usage = rd_image_usage(resource->uses),
            };
            if (!rd_image_create(device, &item->image)) {
                return false;
            }
            vkGetImageMemoryRequirements(device->device, item->image.image, &needs);
            add_to_layout(images, r, resource, &needs);
        } else {
            item->buffer = (struct rd_buffer){
                .name = resource->name,
                .size_bytes = resource->buffer.size_bytes,
                .usage = rd_buffer_usage(resource->uses),
            };
            if (!rd_buffer_create(device, &item->buffer)) {
                return false;
            }
            vkGetBufferMemoryRequirements(device->device, item->buffer.buffer, &needs);
            add_to_layout(buffers, r, resource, &needs);
        }
    }
    images->total_bytes = rd_graph_place(images->places, images->count);
    buffers->total_bytes = rd_graph_place(buffers->places, buffers->count);
    return true;
}

static bool bind_items(struct rd_plan *plan, const struct rd_device *device,
                       const struct rd_plans *plans, const struct layout *images,
                       const struct layout *buffers)
{
    for (uint32_t i = 0; i < images->count; i++) {
        struct rd_image *image = &plan->items[images->resources[i]].image;
        if (!rd_check(device,
                      vkBindImageMemory(device->device, image->image, plans->image_heap.memory,
                                        images->places[i].offset_bytes),
                      "vkBindImageMemory") ||
            !rd_image_create_views(device, image)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < buffers->count; i++) {
        struct rd_buffer *buffer = &plan->items[buffers->resources[i]].buffer;
        if (!rd_check(device,
                      vkBindBufferMemory(device->device, buffer->buffer, plans->buffer_heap.memory,
                                         buffers->places[i].offset_bytes),
                      "vkBindBufferMemory")) {
            return false;
        }
    }
    return true;
}

/** Items at overlapping offsets, and each item's own use in the frame before. */
static void find_rivals(struct rd_plan *plan, const struct rd_graph *graph,
                        const struct layout *layout)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct rd_placement *a = &layout->places[i];
        struct rd_transient *item = &plan->items[layout->resources[i]];
        for (uint32_t j = 0; j < layout->count; j++) {
            const struct rd_placement *b = &layout->places[j];
            if (a->offset_bytes < b->offset_bytes + b->size_bytes &&
                b->offset_bytes < a->offset_bytes + a->size_bytes) {
                VkPipelineStageFlags2 stages;
                VkAccessFlags2 writes;
                rd_use_summary(graph, layout->resources[j], &stages, &writes);
                item->rival_stages |= stages;
                item->rival_writes |= writes;
            }
        }
    }
}

static void destroy_plan(struct rd_plan *plan, const struct rd_device *device)
{
    for (uint32_t r = 0; r < RD_GRAPH_MAX_RESOURCES; r++) {
        if (plan->items[r].used) {
            rd_image_destroy(device, &plan->items[r].image);
            rd_buffer_destroy(device, &plan->items[r].buffer);
        }
    }
    *plan = (struct rd_plan){ 0 };
}

void rd_plans_clear(struct rd_plans *plans, const struct rd_device *device)
{
    if (device->device == VK_NULL_HANDLE) {
        return;
    }
    for (uint32_t i = 0; i < RD_MAX_PLANS; i++) {
        destroy_plan(&plans->all[i], device);
    }
    vkFreeMemory(device->device, plans->image_heap.memory, NULL);
    vkFreeMemory(device->device, plans->buffer_heap.memory, NULL);
    plans->image_heap = (struct rd_heap){ 0 };
    plans->buffer_heap = (struct rd_heap){ 0 };
    plans->last = NULL;
}

static bool fits(const struct rd_heap *heap, const struct layout *layout)
{
    return layout->count == 0 ||
           (heap->memory != VK_NULL_HANDLE && heap->size_bytes >= layout->total_bytes &&
            (heap->type_bits & ~layout->type_bits) == 0);
}

static bool grow(struct rd_heap *heap, const struct rd_device *device, const struct layout *layout)
{
    if (layout->count == 0) {
        return true;
    }
    const uint32_t type =
        rd_device_memory_type(device, layout->type_bits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (type == UINT32_MAX) {
        return rd_fail(device->log, "no memory type suits all transient resources");
    }
    *heap = (struct rd_heap){ .size_bytes = layout->total_bytes, .type_bits = UINT32_C(1) << type };
    return rd_memory_allocate(device, heap->size_bytes, heap->type_bits,
                              VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &heap->memory);
}

static bool make_plan(struct rd_plan *plan, struct rd_plans *plans, const struct rd_device *device,
                      const struct rd_graph *graph)
{
    struct layout images = { .type_bits = UINT32_MAX };
    struct layout buffers = { .type_bits = UINT32_MAX };
    if (!create_items(plan, device, graph, &images, &buffers)) {
        return false;
    }
    if (!fits(&plans->image_heap, &images) || !fits(&plans->buffer_heap, &buffers)) {
        /* Other plans lie in the memory that is too small. Rare: a new resolution, a new option. */
        struct rd_plan keep = *plan;
        *plan = (struct rd_plan){ 0 };
        (void)vkDeviceWaitIdle(device->device);
        rd_plans_clear(plans, device);
        *plan = keep;
        if (!grow(&plans->image_heap, device, &images) ||
            !grow(&plans->buffer_heap, device, &buffers)) {
            return false;
        }
    }
    find_rivals(plan, graph, &images);
    find_rivals(plan, graph, &buffers);
    plan->shared_bytes = images.total_bytes + buffers.total_bytes;
    plan->unshared_bytes = images.unshared_bytes + buffers.unshared_bytes;
    return bind_items(plan, device, plans, &images, &buffers);
}

struct rd_plan *rd_plans_get(struct rd_plans *plans, const struct rd_device *device,
                             const struct rd_graph *graph, uint64_t hash)
{
    FG_ZONE("Graph/Plan");
    struct rd_plan *free_plan = NULL;
    for (uint32_t i = 0; i < RD_MAX_PLANS; i++) {
        if (plans->all[i].used && plans->all[i].hash == hash) {
            return &plans->all[i];
        }
        if (!plans->all[i].used) {
            free_plan = &plans->all[i];
        }
    }
    if (free_plan == NULL) {
        (void)vkDeviceWaitIdle(device->device);
        rd_plans_clear(plans, device);
        free_plan = &plans->all[0];
    }
    free_plan->used = true;
    free_plan->hash = hash;
    return make_plan(free_plan, plans, device, graph) ? free_plan : NULL;
}

struct rd_image *rd_plan_image(struct rd_plan *plan, const struct rd_graph *graph, uint16_t version)
{
    const uint16_t resource = graph->versions[version].resource;
    return graph->resources[resource].imported ? graph->resources[resource].external
                                               : &plan->items[resource].image;
}

struct rd_buffer *rd_plan_buffer(struct rd_plan *plan, const struct rd_graph *graph,
                                 uint16_t version)
{
    const uint16_t resource = graph->versions[version].resource;
    return graph->resources[resource].imported ? graph->resources[resource].external
                                               : &plan->items[resource].buffer;
}
