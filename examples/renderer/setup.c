/* SPDX-License-Identifier: MIT */
#include "setup.h"

#include "formats.h"

#include <string.h>

enum {
    GEOMETRY_BYTES = RD_MAX_VERTICES * sizeof(struct rd_vertex) + RD_MAX_INDICES * sizeof(uint32_t),
    TEMPLATES_BYTES = RD_MESH_SLOTS * sizeof(struct rd_draw_command),
    VISIBILITY_BYTES = RD_MAX_INSTANCES * RD_HITCH_FACTOR * sizeof(uint32_t),
    PARTICLES_BYTES = RD_PARTICLE_COUNT * sizeof(struct rd_particle)
};

/** What the host writes once, in one buffer. */
struct first_data {
    uint8_t geometry[GEOMETRY_BYTES];
    struct rd_draw_command templates[RD_MESH_SLOTS];
    struct rd_particle particles[RD_PARTICLE_COUNT];
};

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
                         const struct rd_setup_input *input)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    p->readback = (struct rd_buffer){
        .name = "read back",
        .size_bytes = (uint64_t)input->width_px * input->height_px * 4,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    return make_buffer(device, &p->geometry, "scene geometry", GEOMETRY_BYTES,
                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT) &&
           make_buffer(device, &p->draw_templates, "draw templates", TEMPLATES_BYTES, 0) &&
           make_buffer(device, &p->constants, "frame constants", sizeof(struct rd_frame_constants),
                       VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) &&
           make_buffer(device, &p->instances, "instances",
                       sizeof(struct rd_instance) * RD_MAX_INSTANCES * RD_HITCH_FACTOR, storage) &&
           make_buffer(device, &p->lights, "lights", sizeof(struct rd_light) * RD_MAX_LIGHTS,
                       storage) &&
           make_buffer(device, &p->hud, "hud boxes", sizeof(struct rd_hud_box) * RD_MAX_HUD_BOXES,
                       storage) &&
           make_buffer(device, &p->visibility, "visibility", VISIBILITY_BYTES, storage) &&
           make_buffer(device, &p->particles, "fireflies", PARTICLES_BYTES, storage) &&
           make_buffer(device, &p->exposure, "exposure", 16, storage) &&
           rd_buffer_allocate(device, &p->readback, true);
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

/** Record with `commands`, submit, wait. Leaves the buffers as if they had never been touched. */
static bool run_once(struct rd_persistent *p, struct rd_device *device, VkCommandBuffer commands,
                     const struct rd_buffer *staging)
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
    const VkBufferCopy geometry = { offsetof(struct first_data, geometry), 0, GEOMETRY_BYTES };
    const VkBufferCopy templates = { offsetof(struct first_data, templates), 0, TEMPLATES_BYTES };
    const VkBufferCopy particles = { offsetof(struct first_data, particles), 0, PARTICLES_BYTES };
    if (!rd_check(device, vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer")) {
        return false;
    }
    vkCmdCopyBuffer(commands, staging->buffer, p->geometry.buffer, 1, &geometry);
    vkCmdCopyBuffer(commands, staging->buffer, p->draw_templates.buffer, 1, &templates);
    vkCmdCopyBuffer(commands, staging->buffer, p->particles.buffer, 1, &particles);
    vkCmdFillBuffer(commands, p->visibility.buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(commands, p->exposure.buffer, 0, VK_WHOLE_SIZE, 0);
    rd_barrier_full(commands);
    const VkQueue queue = device->queues[RD_QUEUE_GRAPHICS].queue;
    return rd_check(device, vkEndCommandBuffer(commands), "vkEndCommandBuffer") &&
           rd_check(device, vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit") &&
           rd_check(device, vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

/** Build the scene into the staging memory, and put it where the device reads it. */
static bool upload_scene(struct rd_persistent *p, struct rd_device *device, uint32_t seed,
                         struct rd_geometry *geometry, struct rd_scene *scene,
                         const struct rd_buffer *staging)
{
    struct first_data *data = staging->mapped;
    /* Indices first: some drivers lose the offset of an index buffer in indirect draws. */
    geometry->indices = (uint32_t *)(void *)data->geometry;
    geometry->vertices =
        (struct rd_vertex *)(void *)(data->geometry + RD_MAX_INDICES * sizeof(uint32_t));
    if (!rd_geometry_build(geometry)) {
        return rd_fail(device->log, "the scene's meshes do not fit");
    }
    rd_scene_init(scene, geometry, seed);
    rd_scene_draws(scene, geometry, data->templates);
    rd_scene_particles(data->particles, seed);
    /* The arrays go away with the staging memory; what is left of them is their layout. */
    geometry->vertices = NULL;
    geometry->indices = NULL;

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
             run_once(p, device, commands, staging);
    }
    vkDestroyCommandPool(device->device, pool, NULL);
    return ok;
}

bool rd_persistent_init(struct rd_persistent *persistent, struct rd_device *device,
                        const struct rd_setup_input *input, struct rd_geometry *geometry,
                        struct rd_scene *scene)
{
    struct rd_buffer staging = {
        .name = "first data",
        .size_bytes = sizeof(struct first_data),
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    const bool ok = make_buffers(persistent, device, input) &&
                    make_images(persistent, device, input) &&
                    rd_buffer_allocate(device, &staging, true) &&
                    upload_scene(persistent, device, input->seed, geometry, scene, &staging);
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

enum { BUFFER_COUNT = 10, IMAGE_COUNT = 4 };

static void list_all(struct rd_persistent *p, struct rd_buffer *out_buffers[BUFFER_COUNT],
                     struct rd_image *out_images[IMAGE_COUNT])
{
    struct rd_buffer *const buffers[BUFFER_COUNT] = {
        &p->geometry,   &p->draw_templates, &p->constants, &p->instances, &p->lights,
        &p->visibility, &p->particles,      &p->exposure,  &p->hud,       &p->readback
    };
    struct rd_image *const images[IMAGE_COUNT] = { &p->shadow_atlas, &p->history[0], &p->history[1],
                                                   &p->output };
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

bool rd_slot_init(struct rd_slot *slot, const struct rd_device *device)
{
    *slot = (struct rd_slot){ .staging = { .name = "staging",
                                           .size_bytes = sizeof(struct rd_staged),
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
