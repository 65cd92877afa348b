/* SPDX-License-Identifier: MIT */
/* The HUD drawn by Vulkan is the HUD drawn into memory, in every kind of target. */
#include "cmocka_all.h"
#include "counting.h"
#include "hud_compare.h"
#include "hud_scene.h"
#include "vulkan_bed.h"
#include <frameglass/hud_vulkan.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blending rounds once per layer, in another precision than memory does. */
#define TOLERANCE 2
#define WIDTH     400
#define HEIGHT    304

struct target {
    VkFormat format;
    VkSampleCountFlagBits samples;
    bool is_dynamic; /**< dynamic rendering, else a render pass */
};

/** A picture with what it takes to draw into it and to read it. */
struct picture {
    struct target kind;
    VkImage images[2]; /**< drawn into, and resolved into when it has samples */
    VkDeviceMemory memory[2];
    VkImageView views[2];
    VkBuffer readback;
    VkDeviceMemory readback_memory;
    void *mapped;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
};

static struct bed bed;

static void must(VkResult result)
{
    assert_int_equal(result, VK_SUCCESS);
}

static VkDeviceMemory allocate(const VkMemoryRequirements *needs, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceMemory made;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(bed.physical, &memory);
    while ((needs->memoryTypeBits >> type & 1) == 0 ||
           (memory.memoryTypes[type].propertyFlags & wanted) != wanted) {
        type++;
    }
    const VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .allocationSize = needs->size,
                                        .memoryTypeIndex = type };
    must(vkAllocateMemory(bed.device, &info, NULL, &made));
    return made;
}

static void make_image(struct picture *p, int i, VkSampleCountFlagBits samples)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = p->kind.format,
        .extent = { WIDTH, HEIGHT, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = samples,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                 (samples == 1 ? (VkImageUsageFlags)VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0),
    };
    VkMemoryRequirements needs;
    must(vkCreateImage(bed.device, &info, NULL, &p->images[i]));
    vkGetImageMemoryRequirements(bed.device, p->images[i], &needs);
    p->memory[i] = allocate(&needs, 0);
    must(vkBindImageMemory(bed.device, p->images[i], p->memory[i], 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = p->images[i],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = p->kind.format,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    must(vkCreateImageView(bed.device, &view, NULL, &p->views[i]));
}

static void make_pass(struct picture *p)
{
    const bool resolves = p->kind.samples != VK_SAMPLE_COUNT_1_BIT;
    const VkAttachmentDescription attachments[2] = {
        { .format = p->kind.format,
          .samples = p->kind.samples,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .finalLayout = resolves ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                  : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
        { .format = p->kind.format,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
    };
    const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkAttachmentReference resolve = { 1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pResolveAttachments = resolves ? &resolve : NULL,
    };
    const VkSubpassDependency after = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = resolves ? 2 : 1,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &after,
    };
    must(vkCreateRenderPass(bed.device, &info, NULL, &p->pass));
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = p->pass,
        .attachmentCount = resolves ? 2 : 1,
        .pAttachments = p->views,
        .width = WIDTH,
        .height = HEIGHT,
        .layers = 1,
    };
    must(vkCreateFramebuffer(bed.device, &framebuffer, NULL, &p->framebuffer));
}

static void make_picture(struct picture *p, struct target kind)
{
    *p = (struct picture){ .kind = kind };
    make_image(p, 0, kind.samples);
    if (kind.samples != VK_SAMPLE_COUNT_1_BIT) {
        make_image(p, 1, VK_SAMPLE_COUNT_1_BIT);
    }
    if (!kind.is_dynamic) {
        make_pass(p);
    }
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = WIDTH * HEIGHT * 8,
                                      .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT };
    VkMemoryRequirements needs;
    must(vkCreateBuffer(bed.device, &info, NULL, &p->readback));
    vkGetBufferMemoryRequirements(bed.device, p->readback, &needs);
    p->readback_memory = allocate(&needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                              VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(vkBindBufferMemory(bed.device, p->readback, p->readback_memory, 0));
    must(vkMapMemory(bed.device, p->readback_memory, 0, VK_WHOLE_SIZE, 0, &p->mapped));
}

static void destroy_picture(struct picture *p)
{
    vkDestroyFramebuffer(bed.device, p->framebuffer, NULL);
    vkDestroyRenderPass(bed.device, p->pass, NULL);
    vkDestroyBuffer(bed.device, p->readback, NULL);
    vkFreeMemory(bed.device, p->readback_memory, NULL);
    for (int i = 0; i < 2; i++) {
        vkDestroyImageView(bed.device, p->views[i], NULL);
        vkDestroyImage(bed.device, p->images[i], NULL);
        vkFreeMemory(bed.device, p->memory[i], NULL);
    }
}

static bool is_linear(VkFormat format)
{
    return format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB ||
           format == VK_FORMAT_R16G16B16A16_SFLOAT;
}

static float decode(float encoded)
{
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

static float encode(float light)
{
    return light <= 0.0031308f ? light * 12.92f : 1.055f * powf(light, 1.0f / 2.4f) - 0.055f;
}

static VkClearValue clear_value(VkFormat format)
{
    VkClearValue value;
    for (int i = 0; i < 4; i++) {
        const float encoded = (float)fgt_hud_clear[i] / 255.0f;
        value.color.float32[i] = is_linear(format) && i < 3 ? decode(encoded) : encoded;
    }
    return value;
}

static void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const bool ends = to == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageMemoryBarrier info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = ends ? VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT : 0,
        .dstAccessMask = ends ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = image,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                         ends ? VK_PIPELINE_STAGE_TRANSFER_BIT
                              : VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                         0, 0, NULL, 0, NULL, 1, &info);
}

static void begin_dynamic(struct picture *p, VkCommandBuffer commands)
{
    const bool resolves = p->kind.samples != VK_SAMPLE_COUNT_1_BIT;
    for (int i = 0; i < (resolves ? 2 : 1); i++) {
        barrier(commands, p->images[i], VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = p->views[0],
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = resolves ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = p->views[1],
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = clear_value(p->kind.format),
    };
    const VkRenderingInfo info = { .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                   .renderArea = { { 0, 0 }, { WIDTH, HEIGHT } },
                                   .layerCount = 1,
                                   .colorAttachmentCount = 1,
                                   .pColorAttachments = &color };
    vkCmdBeginRendering(commands, &info);
}

/** Clear, draw the HUD, and copy out. */
static void record(struct picture *p, VkCommandBuffer commands, struct fg_hud_vulkan *renderer,
                   uint32_t slot, const struct fg_hud_list *list)
{
    const int last = p->kind.samples != VK_SAMPLE_COUNT_1_BIT ? 1 : 0;
    const VkClearValue clear = clear_value(p->kind.format);
    bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (p->kind.is_dynamic) {
        begin_dynamic(p, commands);
        fg_hud_vulkan_draw(renderer, commands, slot, list);
        vkCmdEndRendering(commands);
        barrier(commands, p->images[last], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    } else {
        const VkRenderPassBeginInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .renderPass = p->pass,
                                             .framebuffer = p->framebuffer,
                                             .renderArea = { { 0, 0 }, { WIDTH, HEIGHT } },
                                             .clearValueCount = 1,
                                             .pClearValues = &clear };
        vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
        fg_hud_vulkan_draw(renderer, commands, slot, list);
        vkCmdEndRenderPass(commands);
    }
    const VkBufferImageCopy region = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
                                       .imageExtent = { WIDTH, HEIGHT, 1 } };
    vkCmdCopyImageToBuffer(commands, p->images[last], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           p->readback, 1, &region);
    bed_end(commands);
}

static float half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const float mantissa = (float)(half & 1023);
    const float size =
        exponent == 0 ? ldexpf(mantissa, -24) : ldexpf(1024.0f + mantissa, exponent - 25);
    return half >> 15 ? -size : size;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f + 0.5f);
}

/** As red, green, blue, alpha bytes that are encoded. Owned. */
static uint8_t *read_picture(const struct picture *p)
{
    uint8_t *out = malloc(WIDTH * HEIGHT * 4);
    assert_non_null(out);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *bytes = (const uint8_t *)p->mapped + i * 4;
        const uint16_t *halves = (const uint16_t *)p->mapped + i * 4;
        uint32_t word;
        switch (p->kind.format) {
        case VK_FORMAT_B8G8R8A8_UNORM:
        case VK_FORMAT_B8G8R8A8_SRGB:
            out[i * 4] = bytes[2];
            out[i * 4 + 1] = bytes[1];
            out[i * 4 + 2] = bytes[0];
            out[i * 4 + 3] = bytes[3];
            break;
        case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
            memcpy(&word, bytes, sizeof word);
            for (int c = 0; c < 3; c++) {
                out[i * 4 + (size_t)c] = to_byte((float)(word >> (10 * c) & 1023) / 1023.0f);
            }
            out[i * 4 + 3] = to_byte((float)(word >> 30) / 3.0f);
            break;
        case VK_FORMAT_R16G16B16A16_SFLOAT:
            for (int c = 0; c < 4; c++) {
                const float value = half_to_float(halves[c]);
                out[i * 4 + (size_t)c] = to_byte(c < 3 ? encode(value) : value);
            }
            break;
        default:
            memcpy(out + i * 4, bytes, 4);
        }
    }
    return out;
}

static struct fg_hud_vulkan_options options_of(const struct picture *p)
{
    return (struct fg_hud_vulkan_options){
        .instance = bed.instance,
        .physical_device = bed.physical,
        .device = bed.device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .color_format = p->kind.format,
        .samples = p->kind.samples,
        .render_pass = p->pass,
    };
}

static bool can_sample(VkFormat format, VkSampleCountFlagBits samples)
{
    VkImageFormatProperties properties;
    return vkGetPhysicalDeviceImageFormatProperties(
               bed.physical, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0, &properties) == VK_SUCCESS &&
           (properties.sampleCounts & samples) != 0;
}

static void draw_one(struct target kind)
{
    struct picture p;
    struct fg_hud_vulkan *renderer = NULL;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    const struct fg_hud_target target = { .width_px = WIDTH, .height_px = HEIGHT };
    make_picture(&p, kind);
    const struct fg_hud_vulkan_options options = options_of(&p);
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_OK);
    assert_true(fg_hud_build(hud, &target, &list));
    const VkCommandBuffer commands = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    record(&p, commands, renderer, 0, &list);
    bed_submit(&bed, &commands, 1, VK_NULL_HANDLE);
    bed_wait_idle(&bed);
    uint8_t *expected = fgt_hud_expected(&list, is_linear(kind.format));
    uint8_t *seen = read_picture(&p);
    /* Two bits of alpha are not eight. */
    const int channels = kind.format == VK_FORMAT_A2B10G10R10_UNORM_PACK32 ? 3 : 4;
    const int difference = fgt_hud_difference(expected, seen, WIDTH, HEIGHT, channels, TOLERANCE);
    if (difference > TOLERANCE) {
        fail_msg("format %d, %d samples, %s: off by %d", (int)kind.format, (int)kind.samples,
                 kind.is_dynamic ? "dynamic rendering" : "render pass", difference);
    }
    free(expected);
    free(seen);
    fg_hud_vulkan_destroy(renderer);
    destroy_picture(&p);
    fg_hud_destroy(hud);
}

static void every_format_and_kind_of_rendering_gives_the_picture_of_memory(void **state)
{
    (void)state;
    static const VkFormat formats[] = {
        VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM,           VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_SRGB,  VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT,
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        draw_one((struct target){ formats[i], VK_SAMPLE_COUNT_1_BIT, true });
        draw_one((struct target){ formats[i], VK_SAMPLE_COUNT_1_BIT, false });
    }
    assert_true(can_sample(formats[0], VK_SAMPLE_COUNT_4_BIT));
    draw_one((struct target){ formats[0], VK_SAMPLE_COUNT_4_BIT, true });
    draw_one((struct target){ formats[0], VK_SAMPLE_COUNT_4_BIT, false });
    draw_one((struct target){ formats[2], VK_SAMPLE_COUNT_4_BIT, true });
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Three frames, each with another list, none waited for: every slot keeps its own. */
static void frames_in_flight_do_not_share_their_quads(void **state)
{
    (void)state;
    enum { FRAMES = 3 };
    struct picture pictures[FRAMES];
    uint8_t *expected[FRAMES];
    VkCommandBuffer commands[FRAMES];
    struct fg_hud_vulkan *renderer = NULL;
    struct counting counting;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    counting_init(&counting);
    for (int i = 0; i < FRAMES; i++) {
        make_picture(&pictures[i],
                     (struct target){ VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, true });
        commands[i] = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    }
    struct fg_hud_vulkan_options options = options_of(&pictures[0]);
    options.allocator = &counting.allocator;
    options.callbacks = &counting.callbacks;
    options.slot_count = FRAMES;
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_OK);
    const long blocks = atomic_load(&counting.total_blocks);
    const long bytes = atomic_load(&counting.live_bytes);
    for (uint32_t i = 0; i < FRAMES; i++) {
        const struct fg_hud_target target = { .width_px = WIDTH,
                                              .height_px = HEIGHT,
                                              .offset_x_px = i };
        fg_hud_metric(hud, "zoom", (int64_t)i * 1111, FG_UNIT_BASIS_POINTS);
        assert_true(fg_hud_build(hud, &target, &list));
        expected[i] = fgt_hud_expected(&list, false);
        record(&pictures[i], commands[i], renderer, i, &list);
    }
    bed_submit(&bed, commands, FRAMES, VK_NULL_HANDLE);
    bed_wait_idle(&bed);
    for (int i = 0; i < FRAMES; i++) {
        uint8_t *seen = read_picture(&pictures[i]);
        assert_in_range(fgt_hud_difference(expected[i], seen, WIDTH, HEIGHT, 4, TOLERANCE), 0,
                        TOLERANCE);
        free(seen);
        free(expected[i]);
        destroy_picture(&pictures[i]);
    }
    /* Frames make no object and take no memory. */
    assert_int_equal(atomic_load(&counting.total_blocks), blocks);
    assert_int_equal(atomic_load(&counting.live_bytes), bytes);
    fg_hud_vulkan_destroy(renderer);
    assert_int_equal(atomic_load(&counting.live_blocks), 0);
    assert_int_equal(atomic_load(&counting.live_bytes), 0);
    assert_int_equal(atomic_load(&bed.messages), 0);
    fg_hud_destroy(hud);
}

static const char *missing;

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getter_without(VkInstance instance,
                                                               const char *name)
{
    return missing != NULL && strcmp(name, missing) == 0 ? NULL
                                                         : vkGetInstanceProcAddr(instance, name);
}

static void what_cannot_be_drawn_into_is_refused(void **state)
{
    (void)state;
    struct picture p = { .kind = { VK_FORMAT_R8G8B8A8_UINT, VK_SAMPLE_COUNT_1_BIT, true } };
    struct fg_hud_vulkan *renderer = NULL;
    struct fg_hud_vulkan_options options = options_of(&p);
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_UNSUPPORTED);
    options.color_format = VK_FORMAT_UNDEFINED;
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_ARGUMENT);
    options.color_format = VK_FORMAT_R8G8B8A8_UNORM;
    options.get_instance_proc_addr = getter_without;
    missing = "vkGetPhysicalDeviceFormatProperties";
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_UNSUPPORTED);
    missing = "vkGetDeviceProcAddr";
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_UNSUPPORTED);
    options.slot_count = 65;
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_ARGUMENT);
    assert_int_equal(fg_hud_vulkan_create(NULL, &renderer), FG_ERR_ARGUMENT);
    assert_null(renderer);
    fg_hud_vulkan_destroy(NULL);
    fg_hud_vulkan_draw(NULL, NULL, 0, NULL);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Drawing into memory and with Vulkan is told to the HUD, apart from the application's. */
static void a_draw_tells_the_hud_what_it_took(void **state)
{
    (void)state;
    struct picture p;
    struct fg_hud_vulkan *renderer = NULL;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud_statistics s;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    const struct fg_hud_target target = { .width_px = WIDTH, .height_px = HEIGHT };
    make_picture(&p, (struct target){ VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, true });
    const struct fg_hud_vulkan_options options = options_of(&p);
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_OK);
    assert_true(fg_hud_build(hud, &target, &list));
    const VkCommandBuffer commands = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    clock.step_ns = 1000;
    record(&p, commands, renderer, 3, &list);
    clock.step_ns = 0;
    fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 5000, .cpu_ns = 10000000 });
    assert_int_equal(fg_hud_get_statistics(hud, &s), FG_OK);
    assert_int_equal(s.own_draw_count, 1);
    struct fg_hud_sample sample;
    assert_int_equal(fg_hud_get_samples(hud, &sample, 1), 1);
    assert_int_equal(sample.own_cpu_ns, 1000);
    assert_int_equal(sample.cpu_ns, 10000000 - 1000);
    int64_t used_bytes, budget_bytes;
    if (fg_hud_vulkan_get_memory(renderer, &used_bytes, &budget_bytes)) {
        assert_true(used_bytes >= 0 && budget_bytes > 0);
    } else {
        assert_true(used_bytes == -1 && budget_bytes == -1);
    }
    assert_false(fg_hud_vulkan_get_memory(NULL, &used_bytes, &budget_bytes));
    bed_wait_idle(&bed);
    fg_hud_vulkan_destroy(renderer);
    destroy_picture(&p);
    fg_hud_destroy(hud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_and_kind_of_rendering_gives_the_picture_of_memory),
        cmocka_unit_test(frames_in_flight_do_not_share_their_quads),
        cmocka_unit_test(what_cannot_be_drawn_into_is_refused),
        cmocka_unit_test(a_draw_tells_the_hud_what_it_took),
    };
    if (!bed_create(&bed, 0)) {
        return 77;
    }
    printf("%s, %s\n", bed.properties.deviceName,
           bed.validated ? "validated" : "without the validation layer");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    bed_destroy(&bed);
    return failed != 0 || atomic_load(&bed.messages) != 0;
}
