/* SPDX-License-Identifier: MIT */
/* The renderer for Vulkan: its memory, and the draw. */
#include "hud/hud_vulkan_priv.h"

#include "base/alloc.h"
#include "hud/hud_priv.h"

#include <string.h>

#define ATLAS_BYTES (FG_HUD_ATLAS_WIDTH * FG_HUD_ATLAS_HEIGHT)
#define SLOT_BYTES  (FG_HUD_QUADS_MAX * sizeof(struct fg_hud_quad))

#define ENTRY(name) { offsetof(struct fgi_hud_vulkan_functions, name), "vk" #name },
static const struct fgi_vulkan_entry instance_entries[] = { FGI_HUD_VULKAN_INSTANCE_FUNCTIONS(
    ENTRY) };
static const struct fgi_vulkan_entry device_entries[] = { FGI_HUD_VULKAN_DEVICE_FUNCTIONS(ENTRY) };
#undef ENTRY
#define ENTRIES(table) (sizeof(table) / sizeof(table)[0])

/** Whether heaps can be asked for their budgets; does without when memory is short. */
static void look_for_budget(struct fg_hud_vulkan *r, const struct fg_hud_vulkan_options *options)
{
    uint32_t count = 0;
    PFN_vkVoidFunction function =
        options->get_instance_proc_addr(options->instance, "vkGetPhysicalDeviceMemoryProperties2");
    if (function == NULL) {
        function = options->get_instance_proc_addr(options->instance,
                                                   "vkGetPhysicalDeviceMemoryProperties2KHR");
    }
    (void)r->vk.EnumerateDeviceExtensionProperties(options->physical_device, NULL, &count, NULL);
    const uint32_t room = count;
    VkExtensionProperties *extensions = fgi_calloc(r->allocator, room, sizeof *extensions);
    if (function == NULL || extensions == NULL ||
        r->vk.EnumerateDeviceExtensionProperties(options->physical_device, NULL, &count,
                                                 extensions) < VK_SUCCESS) {
        count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(extensions[i].extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0) {
            memcpy(&r->vk.GetPhysicalDeviceMemoryProperties2, &function, sizeof function);
        }
    }
    fgi_free(r->allocator, extensions, room * sizeof *extensions);
}

/** Memory that the host writes and the device sees at once: Vulkan promises one such type. */
static bool find_memory_type(struct fg_hud_vulkan *r, uint32_t bits, uint32_t *out_type)
{
    VkPhysicalDeviceMemoryProperties memory;
    r->vk.GetPhysicalDeviceMemoryProperties(r->physical_device, &memory);
    return fgi_vulkan_find_memory_type(
        &memory, bits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        out_type);
}

static VkResult make_buffer(struct fg_hud_vulkan *r)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = ATLAS_BYTES + r->slot_count * SLOT_BYTES,
        .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
    };
    VkMemoryRequirements needs;
    VkMemoryAllocateInfo memory_info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
    void *mapped = NULL;
    VkResult result = r->vk.CreateBuffer(r->device, &info, r->callbacks, &r->buffer);
    if (result != VK_SUCCESS) {
        return result;
    }
    r->vk.GetBufferMemoryRequirements(r->device, r->buffer, &needs);
    memory_info.allocationSize = needs.size;
    if (!find_memory_type(r, needs.memoryTypeBits, &memory_info.memoryTypeIndex)) {
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    result = r->vk.AllocateMemory(r->device, &memory_info, r->callbacks, &r->memory);
    if (result == VK_SUCCESS) {
        result = r->vk.BindBufferMemory(r->device, r->buffer, r->memory, 0);
    }
    if (result == VK_SUCCESS) {
        result = r->vk.MapMemory(r->device, r->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    r->mapped = mapped;
    fg_hud_atlas_write(r->mapped);
    const VkBufferViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = r->buffer,
        .format = VK_FORMAT_R8_UNORM,
        .range = ATLAS_BYTES,
    };
    return r->vk.CreateBufferView(r->device, &view, r->callbacks, &r->atlas);
}

static VkResult make_set(struct fg_hud_vulkan *r)
{
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1 };
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkResult result = r->vk.CreateDescriptorPool(r->device, &pool_info, r->callbacks, &r->pool);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = r->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &r->set_layout,
    };
    result = r->vk.AllocateDescriptorSets(r->device, &set_info, &r->set);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = r->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        .pTexelBufferView = &r->atlas,
    };
    r->vk.UpdateDescriptorSets(r->device, 1, &write, 0, NULL);
    return VK_SUCCESS;
}

static bool can_blend(struct fg_hud_vulkan *r, const struct fg_hud_vulkan_options *options)
{
    VkFormatProperties properties;
    r->vk.GetPhysicalDeviceFormatProperties(options->physical_device, options->color_format,
                                            &properties);
    return ((properties.optimalTilingFeatures | properties.linearTilingFeatures) &
            VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT) != 0;
}

enum fg_result fg_hud_vulkan_create(const struct fg_hud_vulkan_options *options,
                                    struct fg_hud_vulkan **out_renderer)
{
    struct fg_hud_vulkan *r;
    VkResult result;
    if (out_renderer == NULL || !fgi_hud_vulkan_options_are_legal(options) ||
        options->color_format == VK_FORMAT_UNDEFINED) {
        return FG_ERR_ARGUMENT;
    }
    r = fgi_calloc(options->allocator, 1, sizeof *r);
    if (r == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    r->allocator = options->allocator;
    r->slot_count = options->slot_count != 0 ? options->slot_count : 4;
    if (options->callbacks != NULL) {
        r->callbacks_copy = *options->callbacks;
        r->callbacks = &r->callbacks_copy;
    }
    /* Without a device there is nothing yet to destroy. */
    if (!fgi_hud_vulkan_load(options, &r->vk, instance_entries, ENTRIES(instance_entries),
                             device_entries, ENTRIES(device_entries)) ||
        !can_blend(r, options)) {
        fg_hud_vulkan_destroy(r);
        return FG_ERR_UNSUPPORTED;
    }
    r->physical_device = options->physical_device;
    r->device = options->device;
    look_for_budget(r, options);
    result = make_buffer(r);
    if (result == VK_SUCCESS) {
        result = fgi_hud_vulkan_pipeline_init(r, options);
    }
    if (result == VK_SUCCESS) {
        result = make_set(r);
    }
    if (result != VK_SUCCESS) {
        fg_hud_vulkan_destroy(r);
        return fgi_hud_vulkan_result(result);
    }
    *out_renderer = r;
    return FG_OK;
}

void fg_hud_vulkan_destroy(struct fg_hud_vulkan *r)
{
    if (r == NULL) {
        return;
    }
    if (r->device != VK_NULL_HANDLE) {
        /* Vulkan takes null handles, and unmaps with the memory. */
        fgi_hud_vulkan_pipeline_finish(r);
        r->vk.DestroyDescriptorPool(r->device, r->pool, r->callbacks);
        r->vk.DestroyBufferView(r->device, r->atlas, r->callbacks);
        r->vk.DestroyBuffer(r->device, r->buffer, r->callbacks);
        r->vk.FreeMemory(r->device, r->memory, r->callbacks);
    }
    fgi_free(r->allocator, r, sizeof *r);
}

static void record(struct fg_hud_vulkan *r, VkCommandBuffer commands, uint32_t slot,
                   const struct fg_hud_list *list)
{
    const VkDeviceSize offset = ATLAS_BYTES + slot * SLOT_BYTES;
    const uint32_t count =
        list->quad_count < FG_HUD_QUADS_MAX ? list->quad_count : FG_HUD_QUADS_MAX;
    const VkViewport viewport = { 0.0f, 0.0f, (float)list->width_px, (float)list->height_px,
                                  0.0f, 1.0f };
    const VkRect2D scissor = { { 0, 0 }, { list->width_px, list->height_px } };
    const struct fgi_hud_push push = { { (float)list->width_px, (float)list->height_px } };
    memcpy(r->mapped + offset, list->quads, count * sizeof *list->quads);
    r->vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipeline);
    r->vk.CmdSetViewport(commands, 0, 1, &viewport);
    r->vk.CmdSetScissor(commands, 0, 1, &scissor);
    r->vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, r->layout, 0, 1, &r->set,
                                0, NULL);
    r->vk.CmdBindVertexBuffers(commands, 0, 1, &r->buffer, &offset);
    r->vk.CmdPushConstants(commands, r->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
    r->vk.CmdDraw(commands, 4, count, 0, 0);
}

void fg_hud_vulkan_draw(struct fg_hud_vulkan *renderer, VkCommandBuffer commands, uint32_t slot,
                        const struct fg_hud_list *list)
{
    if (renderer == NULL || commands == VK_NULL_HANDLE || slot >= renderer->slot_count ||
        list == NULL || list->quad_count == 0) {
        return;
    }
    const bool is_told = fg_hud_is_enabled(list->hud);
    const int64_t begin_ns = is_told ? fgi_hud_now(list->hud) : 0;
    record(renderer, commands, slot, list);
    if (is_told) {
        fg_hud_own_cost(list->hud, fgi_hud_since(list->hud, begin_ns), 1);
    }
}

bool fg_hud_vulkan_get_memory(const struct fg_hud_vulkan *renderer, int64_t *out_used_bytes,
                              int64_t *out_budget_bytes)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
    };
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget
    };
    *out_used_bytes = -1;
    *out_budget_bytes = -1;
    if (renderer == NULL || renderer->vk.GetPhysicalDeviceMemoryProperties2 == NULL) {
        return false;
    }
    renderer->vk.GetPhysicalDeviceMemoryProperties2(renderer->physical_device, &memory);
    uint64_t used_bytes = 0;
    uint64_t budget_bytes = 0;
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; i++) {
        if ((memory.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
            used_bytes += budget.heapUsage[i];
            budget_bytes += budget.heapBudget[i];
        }
    }
    *out_used_bytes = used_bytes < INT64_MAX ? (int64_t)used_bytes : INT64_MAX;
    *out_budget_bytes = budget_bytes < INT64_MAX ? (int64_t)budget_bytes : INT64_MAX;
    return true;
}
