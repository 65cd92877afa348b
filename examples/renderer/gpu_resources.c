/* SPDX-License-Identifier: MIT */
#include "gpu_resources.h"

bool rd_memory_allocate(const struct rd_device *device, uint64_t size_bytes, uint32_t type_bits,
                        VkMemoryPropertyFlags wanted, VkDeviceMemory *out_memory)
{
    const uint32_t type = rd_device_memory_type(device, type_bits, wanted);
    if (type == UINT32_MAX) {
        return rd_fail(device->log, "the device has no memory of the kind that is needed");
    }
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = size_bytes,
        .memoryTypeIndex = type,
    };
    return rd_check(device, vkAllocateMemory(device->device, &info, NULL, out_memory),
                    "vkAllocateMemory");
}

/** What it is, for whoever asks what lives in this process. */
static void tell_image(struct rd_image *image)
{
    const VkImageUsageFlags target =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    image->live = fg_object_create(&(struct fg_object_desc){
        .type = (image->usage & target) != 0 ? FG_OBJECT_RENDER_TARGET_2D : FG_OBJECT_TEXTURE_2D,
        .accuracy = FG_ACCURACY_ESTIMATED, /* the driver may need more for it */
        .name = image->name,
        .format = (uint32_t)image->format,
        .width = image->width_px,
        .height = image->height_px,
        .mip_count = image->mip_count,
        .layer_count = image->layer_count,
    });
}

bool rd_image_create(const struct rd_device *device, struct rd_image *image)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = image->format,
        .extent = { image->width_px, image->height_px, 1 },
        .mipLevels = image->mip_count,
        .arrayLayers = image->layer_count,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = image->usage,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
    image->aspect = image->format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                          : VK_IMAGE_ASPECT_COLOR_BIT;
    image->access = (struct rd_access){ .layout = VK_IMAGE_LAYOUT_UNDEFINED };
    if (!rd_check(device, vkCreateImage(device->device, &info, NULL, &image->image),
                  "vkCreateImage")) {
        return false;
    }
    tell_image(image);
    return true;
}

static bool create_view(const struct rd_device *device, const struct rd_image *image,
                        VkImageViewType type, VkImageSubresourceRange range, VkImageView *out_view)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->image,
        .viewType = type,
        .format = image->format,
        .subresourceRange = range,
    };
    return rd_check(device, vkCreateImageView(device->device, &info, NULL, out_view),
                    "vkCreateImageView");
}

bool rd_image_create_views(const struct rd_device *device, struct rd_image *image)
{
    const VkImageUsageFlags viewable = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if ((image->usage & viewable) == 0) {
        return true;
    }
    const bool layered = image->layer_count > 1;
    const VkImageSubresourceRange whole = { image->aspect, 0, image->mip_count, 0,
                                            image->layer_count };
    if (!create_view(device, image, layered ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                     whole, &image->view)) {
        return false;
    }
    const uint32_t part_count = layered ? image->layer_count : image->mip_count;
    for (uint32_t i = 0; part_count > 1 && i < part_count && i < RD_MAX_PARTS; i++) {
        const VkImageSubresourceRange part = { image->aspect, layered ? 0 : i, 1, layered ? i : 0,
                                               1 };
        if (!create_view(device, image, VK_IMAGE_VIEW_TYPE_2D, part, &image->parts[i])) {
            return false;
        }
    }
    return true;
}

bool rd_image_allocate(const struct rd_device *device, struct rd_image *image)
{
    if (!rd_image_create(device, image)) {
        return false;
    }
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device->device, image->image, &needs);
    image->memory_bytes = needs.size;
    return rd_memory_allocate(device, needs.size, needs.memoryTypeBits,
                              VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &image->memory) &&
           rd_check(device, vkBindImageMemory(device->device, image->image, image->memory, 0),
                    "vkBindImageMemory") &&
           rd_image_create_views(device, image);
}

void rd_image_destroy(const struct rd_device *device, struct rd_image *image)
{
    if (image == NULL || device->device == VK_NULL_HANDLE) {
        return;
    }
    for (uint32_t i = 0; i < RD_MAX_PARTS; i++) {
        vkDestroyImageView(device->device, image->parts[i], NULL);
        image->parts[i] = VK_NULL_HANDLE;
    }
    vkDestroyImageView(device->device, image->view, NULL);
    vkDestroyImage(device->device, image->image, NULL);
    vkFreeMemory(device->device, image->memory, NULL);
    (void)fg_object_destroy(&image->live);
    image->view = VK_NULL_HANDLE;
    image->image = VK_NULL_HANDLE;
    image->memory = VK_NULL_HANDLE;
}

static void tell_buffer(struct rd_buffer *buffer)
{
    enum fg_object_type type = FG_OBJECT_CUSTOM;
    if ((buffer->usage & VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) != 0) {
        type = FG_OBJECT_VERTEX_BUFFER;
    } else if ((buffer->usage & VK_BUFFER_USAGE_INDEX_BUFFER_BIT) != 0) {
        type = FG_OBJECT_INDEX_BUFFER;
    }
    buffer->live = fg_object_create(&(struct fg_object_desc){
        .type = type, .name = buffer->name, .size_bytes = buffer->size_bytes });
}

bool rd_buffer_create(const struct rd_device *device, struct rd_buffer *buffer)
{
    uint32_t families[RD_MAX_QUEUES];
    for (uint32_t i = 0; i < device->queue_count; i++) {
        families[i] = device->queues[i].family;
    }
    /*
     * Shared buffers change queues without an ownership transfer; only semaphores are left to do.
     */
    const bool shared = device->queue_count > 1;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer->size_bytes,
        .usage = buffer->usage,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? device->queue_count : 0,
        .pQueueFamilyIndices = families,
    };
    buffer->access = (struct rd_access){ .layout = VK_IMAGE_LAYOUT_UNDEFINED };
    if (!rd_check(device, vkCreateBuffer(device->device, &info, NULL, &buffer->buffer),
                  "vkCreateBuffer")) {
        return false;
    }
    tell_buffer(buffer);
    return true;
}

bool rd_buffer_allocate(const struct rd_device *device, struct rd_buffer *buffer, bool host)
{
    const VkMemoryPropertyFlags wanted =
        host ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
             : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    if (!rd_buffer_create(device, buffer)) {
        return false;
    }
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device->device, buffer->buffer, &needs);
    if (!rd_memory_allocate(device, needs.size, needs.memoryTypeBits, wanted, &buffer->memory) ||
        !rd_check(device, vkBindBufferMemory(device->device, buffer->buffer, buffer->memory, 0),
                  "vkBindBufferMemory")) {
        return false;
    }
    return !host || rd_check(device,
                             vkMapMemory(device->device, buffer->memory, 0, VK_WHOLE_SIZE, 0,
                                         &buffer->mapped),
                             "vkMapMemory");
}

void rd_buffer_destroy(const struct rd_device *device, struct rd_buffer *buffer)
{
    if (buffer == NULL || device->device == VK_NULL_HANDLE) {
        return;
    }
    vkDestroyBuffer(device->device, buffer->buffer, NULL);
    vkFreeMemory(device->device, buffer->memory, NULL);
    (void)fg_object_destroy(&buffer->live);
    buffer->buffer = VK_NULL_HANDLE;
    buffer->memory = VK_NULL_HANDLE;
    buffer->mapped = NULL;
}
