/* SPDX-License-Identifier: MIT */
#include "setup.h"

#include "formats.h"

#include <string.h>

enum { PARTICLES_BYTES = RD_PARTICLE_COUNT * sizeof(struct rd_particle), TEXEL_BYTES = 4 };

/** Where things lie in the one buffer that the host writes once, and its size. */
struct first_data {
    uint64_t indices;
    uint64_t vertices;
    uint64_t templates;
    uint64_t particles;
    uint64_t surfaces;
    uint64_t textures; /**< level by level, all layers of each */
    uint64_t total_bytes;
};

static uint64_t index_bytes(const struct rd_geometry *geometry)
{
    return (uint64_t)geometry->index_count * sizeof(uint32_t);
}

static uint64_t geometry_bytes(const struct rd_geometry *geometry)
{
    return index_bytes(geometry) + (uint64_t)geometry->vertex_count * sizeof(struct rd_vertex);
}

static uint64_t surfaces_bytes(const struct rd_scene *scene)
{
    return (scene->surface_count > 0 ? scene->surface_count : 1) * sizeof(struct rd_surface);
}

/** Layer 0 is white; never fewer than two, so that the image is an array. */
static uint32_t texture_layers(const struct rd_scene *scene)
{
    return scene->texture_count > 0 ? scene->texture_count + 1 : 2;
}

static uint32_t texture_levels(const struct rd_scene *scene)
{
    uint32_t count = 1;
    for (uint32_t side = scene->texture_px; side > 1; side /= 2) {
        count++;
    }
    return count;
}

static uint64_t level_bytes(const struct rd_scene *scene, uint32_t level)
{
    const uint64_t side = scene->texture_px >> level;
    return side * side * TEXEL_BYTES;
}

static struct first_data lay_out(const struct rd_geometry *geometry, const struct rd_scene *scene)
{
    struct first_data data = { .vertices = index_bytes(geometry) };
    data.templates = (geometry_bytes(geometry) + 15) / 16 * 16;
    data.particles = data.templates + RD_MESH_SLOTS * sizeof(struct rd_draw_command);
    data.surfaces = data.particles + PARTICLES_BYTES;
    data.textures = data.surfaces + surfaces_bytes(scene);
    data.total_bytes = data.textures;
    for (uint32_t i = 0; i < texture_levels(scene); i++) {
        data.total_bytes += level_bytes(scene, i) * texture_layers(scene);
    }
    return data;
}

static bool make_buffer(const struct rd_device *device, struct rd_buffer *buffer, const char *name,
                        uint64_t size_bytes, VkBufferUsageFlags usage)
{
    *buffer = (struct rd_buffer){
        .name = name,
        .size_bytes = size_bytes,
        .usage = usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    return rd_buffer_allocate(device, buffer, false);
}

static bool make_image(const struct rd_device *device, struct rd_image *image, const char *name,
                       VkFormat format, uint32_t width_px, uint32_t height_px, uint32_t layers,
                       VkImageUsageFlags usage)
{
    *image = (struct rd_image){
        .name = name,
        .format = format,
        .width_px = width_px,
        .height_px = height_px,
        .mip_count = 1,
        .layer_count = layers,
        .usage = usage,
    };
    return rd_image_allocate(device, image);
}

static bool make_buffers(struct rd_persistent *p, const struct rd_device *device,
                         const struct rd_setup_input *input, const struct rd_geometry *geometry,
                         const struct rd_scene *scene)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const uint64_t drawn_most = (uint64_t)scene->instance_count * RD_HITCH_FACTOR;
    p->readback = (struct rd_buffer){
        .name = "read back",
        .size_bytes = (uint64_t)input->width_px * input->height_px * 4,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    return make_buffer(device, &p->geometry, "scene geometry", geometry_bytes(geometry),
                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT) &&
           make_buffer(device, &p->draw_templates, "draw templates",
                       RD_MESH_SLOTS * sizeof(struct rd_draw_command), 0) &&
           make_buffer(device, &p->surfaces, "surfaces", surfaces_bytes(scene), storage) &&
           make_buffer(device, &p->constants, "frame constants", sizeof(struct rd_frame_constants),
                       VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) &&
           make_buffer(device, &p->instances, "instances", sizeof(struct rd_instance) * drawn_most,
                       storage) &&
           make_buffer(device, &p->lights, "lights", sizeof(struct rd_light) * RD_MAX_LIGHTS,
                       storage) &&
           make_buffer(device, &p->visibility, "visibility", drawn_most * sizeof(uint32_t),
                       storage) &&
           make_buffer(device, &p->particles, "fireflies", PARTICLES_BYTES, storage) &&
           make_buffer(device, &p->exposure, "exposure", 16, storage) &&
           rd_buffer_allocate(device, &p->readback, true);
}

/** Every level of every layer. */
static bool make_textures(struct rd_persistent *p, const struct rd_device *device,
                          const struct rd_scene *scene)
{
    p->textures = (struct rd_image){
        .name = "scene textures",
        .format = RD_FORMAT_ALBEDO,
        .width_px = scene->texture_px,
        .height_px = scene->texture_px,
        .mip_count = texture_levels(scene),
        .layer_count = texture_layers(scene),
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    return rd_image_allocate(device, &p->textures);
}

static bool make_images(struct rd_persistent *p, const struct rd_device *device,
                        const struct rd_setup_input *input)
{
    return make_image(device, &p->shadow_atlas, "shadow atlas", RD_FORMAT_DEPTH, input->shadow_px,
                      input->shadow_px, RD_CASCADE_COUNT,
                      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT) &&
           make_image(device, &p->output, "output", RD_FORMAT_PICTURE, input->width_px,
                      input->height_px, 1,
                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
}

static void move_textures(VkCommandBuffer commands, const struct rd_image *image,
                          VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_SHADER_READ_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = { image->aspect, 0, image->mip_count, 0, image->layer_count },
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(commands, &info);
}

static void copy_textures(VkCommandBuffer commands, const struct rd_buffer *staging,
                          uint64_t offset_bytes, struct rd_image *image)
{
    move_textures(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    for (uint32_t level = 0; level < image->mip_count; level++) {
        const uint32_t side = image->width_px >> level;
        const VkBufferImageCopy copy = {
            .bufferOffset = offset_bytes,
            .imageSubresource = { image->aspect, level, 0, image->layer_count },
            .imageExtent = { side, side, 1 },
        };
        vkCmdCopyBufferToImage(commands, staging->buffer, image->image,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
        offset_bytes += (uint64_t)side * side * TEXEL_BYTES * image->layer_count;
    }
    move_textures(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    image->access.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

static void copy_all_of(VkCommandBuffer commands, const struct rd_buffer *staging,
                        uint64_t offset_bytes, const struct rd_buffer *to)
{
    const VkBufferCopy copy = { offset_bytes, 0, to->size_bytes };
    vkCmdCopyBuffer(commands, staging->buffer, to->buffer, 1, &copy);
}

/** Record with `commands`, submit, wait. Leaves the buffers as if they had never been touched. */
static bool run_once(struct rd_persistent *p, struct rd_device *device, VkCommandBuffer commands,
                     const struct rd_buffer *staging, const struct first_data *data)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands,
    };
    if (!rd_check(device, vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer")) {
        return false;
    }
    copy_all_of(commands, staging, data->indices, &p->geometry);
    copy_all_of(commands, staging, data->templates, &p->draw_templates);
    copy_all_of(commands, staging, data->particles, &p->particles);
    copy_all_of(commands, staging, data->surfaces, &p->surfaces);
    copy_textures(commands, staging, data->textures, &p->textures);
    vkCmdFillBuffer(commands, p->visibility.buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(commands, p->exposure.buffer, 0, VK_WHOLE_SIZE, 0);
    rd_barrier_full(commands);
    const VkQueue queue = device->queues[RD_QUEUE_GRAPHICS].queue;
    return rd_check(device, vkEndCommandBuffer(commands), "vkEndCommandBuffer") &&
           rd_check(device, vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit") &&
           rd_check(device, vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

/** Half the size: each pixel from four. Averages bytes as they are, which is near enough. */
static void halve(const uint8_t *from, uint32_t side, uint8_t *out)
{
    for (uint32_t y = 0; y < side / 2; y++) {
        for (uint32_t x = 0; x < side / 2; x++) {
            const uint8_t *p = from + ((size_t)y * 2 * side + (size_t)x * 2) * TEXEL_BYTES;
            for (uint32_t c = 0; c < TEXEL_BYTES; c++) {
                *out++ = (uint8_t)((p[c] + p[TEXEL_BYTES + c] + p[side * TEXEL_BYTES + c] +
                                    p[(side + 1) * TEXEL_BYTES + c] + 2) /
                                   4);
            }
        }
    }
}

static void fill_textures(const struct rd_scene *scene, uint8_t *out)
{
    const uint32_t layers = texture_layers(scene);
    const uint64_t bytes = level_bytes(scene, 0);
    memset(out, 255, bytes * layers);
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        memcpy(out + bytes * (i + 1), scene->textures[i].rgba, bytes);
    }
    for (uint32_t level = 1; level < texture_levels(scene); level++) {
        const uint8_t *above = out;
        out += level_bytes(scene, level - 1) * layers;
        for (uint32_t i = 0; i < layers; i++) {
            halve(above + level_bytes(scene, level - 1) * i, scene->texture_px >> (level - 1),
                  out + level_bytes(scene, level) * i);
        }
    }
}

static void fill_first_data(const struct first_data *data, uint32_t seed,
                            const struct rd_geometry *geometry, const struct rd_scene *scene,
                            uint8_t *out)
{
    struct rd_draw_command draws[RD_MESH_SLOTS];
    struct rd_particle particles[RD_PARTICLE_COUNT];
    rd_scene_draws(scene, geometry, draws);
    rd_scene_particles(particles, seed);
    /* Indices first: some drivers lose the offset of an index buffer in indirect draws. */
    memcpy(out + data->indices, geometry->indices, index_bytes(geometry));
    memcpy(out + data->vertices, geometry->vertices,
           geometry->vertex_count * sizeof(struct rd_vertex));
    memcpy(out + data->templates, draws, sizeof(draws));
    memcpy(out + data->particles, particles, sizeof(particles));
    memcpy(out + data->surfaces, scene->surfaces, surfaces_bytes(scene));
    fill_textures(scene, out + data->textures);
}

/** Put everything where the device reads it. */
static bool upload_scene(struct rd_persistent *p, struct rd_device *device,
                         const struct rd_buffer *staging, const struct first_data *data)
{
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = device->queues[RD_QUEUE_GRAPHICS].family,
    };
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    bool ok = rd_check(device, vkCreateCommandPool(device->device, &pool_info, NULL, &pool),
                       "vkCreateCommandPool");
    if (ok) {
        const VkCommandBufferAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = pool,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 1,
        };
        ok = rd_check(device, vkAllocateCommandBuffers(device->device, &info, &commands),
                      "vkAllocateCommandBuffers") &&
             run_once(p, device, commands, staging, data);
    }
    vkDestroyCommandPool(device->device, pool, NULL);
    return ok;
}

bool rd_persistent_init(struct rd_persistent *persistent, struct rd_device *device,
                        const struct rd_setup_input *input, const struct rd_geometry *geometry,
                        const struct rd_scene *scene)
{
    const struct first_data data = lay_out(geometry, scene);
    struct rd_buffer staging = {
        .name = "first data",
        .size_bytes = data.total_bytes,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    bool ok = make_buffers(persistent, device, input, geometry, scene) &&
              make_textures(persistent, device, scene) && make_images(persistent, device, input) &&
              rd_buffer_allocate(device, &staging, true);
    if (ok) {
        fill_first_data(&data, input->seed, geometry, scene, staging.mapped);
        ok = upload_scene(persistent, device, &staging, &data);
    }
    rd_buffer_destroy(device, &staging);
    return ok;
}

bool rd_persistent_resize(struct rd_persistent *persistent, const struct rd_device *device,
                          uint32_t width_px, uint32_t height_px)
{
    for (int i = 0; i < 2; i++) {
        rd_image_destroy(device, &persistent->history[i]);
        if (!make_image(device, &persistent->history[i], "history", RD_FORMAT_LIGHT, width_px,
                        height_px, 1, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT)) {
            return false;
        }
    }
    return true;
}

enum { BUFFER_COUNT = 10, IMAGE_COUNT = 5 };

static void list_all(struct rd_persistent *p, struct rd_buffer *out_buffers[BUFFER_COUNT],
                     struct rd_image *out_images[IMAGE_COUNT])
{
    struct rd_buffer *const buffers[BUFFER_COUNT] = {
        &p->geometry,   &p->draw_templates, &p->constants, &p->instances, &p->lights,
        &p->visibility, &p->particles,      &p->exposure,  &p->readback,  &p->surfaces
    };
    struct rd_image *const images[IMAGE_COUNT] = { &p->shadow_atlas, &p->history[0], &p->history[1],
                                                   &p->output, &p->textures };
    memcpy(out_buffers, buffers, sizeof(buffers));
    memcpy(out_images, images, sizeof(images));
}

void rd_persistent_sizes(struct rd_persistent *persistent, uint64_t *out_image_bytes,
                         uint64_t *out_buffer_bytes)
{
    struct rd_buffer *buffers[BUFFER_COUNT];
    struct rd_image *images[IMAGE_COUNT];
    list_all(persistent, buffers, images);
    *out_image_bytes = 0;
    *out_buffer_bytes = 0;
    for (int i = 0; i < IMAGE_COUNT; i++) {
        *out_image_bytes += images[i]->memory_bytes;
    }
    for (int i = 0; i < BUFFER_COUNT; i++) {
        *out_buffer_bytes += buffers[i]->size_bytes;
    }
}

void rd_persistent_finish(struct rd_persistent *persistent, const struct rd_device *device)
{
    struct rd_buffer *buffers[BUFFER_COUNT];
    struct rd_image *images[IMAGE_COUNT];
    list_all(persistent, buffers, images);
    for (int i = 0; i < BUFFER_COUNT; i++) {
        rd_buffer_destroy(device, buffers[i]);
    }
    for (int i = 0; i < IMAGE_COUNT; i++) {
        rd_image_destroy(device, images[i]);
    }
}

static bool make_descriptor_pool(struct rd_slot *slot, const struct rd_device *device)
{
    static const VkDescriptorPoolSize sizes[] = {
        { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 128 },
        { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 256 },
        { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 256 },
        { VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 128 },
    };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 128,
        .poolSizeCount = sizeof(sizes) / sizeof(sizes[0]),
        .pPoolSizes = sizes,
    };
    return rd_check(device, vkCreateDescriptorPool(device->device, &info, NULL, &slot->descriptors),
                    "vkCreateDescriptorPool");
}

bool rd_slot_init(struct rd_slot *slot, const struct rd_device *device,
                  const struct rd_scene *scene)
{
    *slot =
        (struct rd_slot){ .staging = { .name = "staging",
                                       .size_bytes = sizeof(struct rd_staged) +
                                                     sizeof(struct rd_instance) *
                                                         scene->instance_count * RD_HITCH_FACTOR,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT } };
    for (uint32_t i = 0; i < device->queue_count; i++) {
        const VkCommandPoolCreateInfo pool_info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
            .queueFamilyIndex = device->queues[i].family,
        };
        if (!rd_check(device,
                      vkCreateCommandPool(device->device, &pool_info, NULL, &slot->pools[i]),
                      "vkCreateCommandPool")) {
            return false;
        }
        const VkCommandBufferAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = slot->pools[i],
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = i == RD_QUEUE_GRAPHICS ? RD_MAX_BATCHES : 1,
        };
        VkCommandBuffer *buffers = i == RD_QUEUE_GRAPHICS ? slot->graphics : &slot->compute;
        if (!rd_check(device, vkAllocateCommandBuffers(device->device, &info, buffers),
                      "vkAllocateCommandBuffers")) {
            return false;
        }
    }
    return make_descriptor_pool(slot, device) && rd_buffer_allocate(device, &slot->staging, true);
}

bool rd_slot_begin(struct rd_slot *slot, const struct rd_device *device)
{
    const VkSemaphoreWaitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &device->queues[RD_QUEUE_GRAPHICS].timeline,
        .pValues = &slot->done_value,
    };
    if (!rd_check(device, vkWaitSemaphores(device->device, &wait, UINT64_MAX),
                  "vkWaitSemaphores")) {
        return false;
    }
    for (uint32_t i = 0; i < device->queue_count; i++) {
        if (!rd_check(device, vkResetCommandPool(device->device, slot->pools[i], 0),
                      "vkResetCommandPool")) {
            return false;
        }
    }
    return rd_check(device, vkResetDescriptorPool(device->device, slot->descriptors, 0),
                    "vkResetDescriptorPool");
}

void rd_slot_finish(struct rd_slot *slot, const struct rd_device *device)
{
    if (device->device == VK_NULL_HANDLE) {
        return;
    }
    for (uint32_t i = 0; i < RD_MAX_QUEUES; i++) {
        vkDestroyCommandPool(device->device, slot->pools[i], NULL);
    }
    vkDestroyDescriptorPool(device->device, slot->descriptors, NULL);
    rd_buffer_destroy(device, &slot->staging);
}
