/* SPDX-License-Identifier: MIT */
/*
 * Draws the HUD with Vulkan, into the application's command buffer: one pipeline, one draw call, no
 * submission, no barrier, no transfer. Needs the Vulkan headers and no loader.
 *
 *     in the frame's last render pass, or a rendering of its own that loads the colour:
 *     if (fg_hud_build(hud, &target, &list)) {
 *         fg_hud_vulkan_draw(renderer, commands, frame_index, &list);
 *     }
 *
 * The command buffer is left with other bindings: pipeline, descriptor set 0, vertex buffer 0, push
 * constants, viewport and scissor. So draw the HUD last.
 */
#ifndef FG_HUD_VULKAN_H
#define FG_HUD_VULKAN_H
#include <frameglass/hud_draw.h>
#include <vulkan/vulkan_core.h>
FG_BEGIN_DECLS

struct fg_hud_vulkan;

/** Of what the target's numbers are. */
enum fg_hud_encoding {
    FG_HUD_ENCODING_AUTO = 0,   /**< linear for sRGB and float formats, else encoded */
    FG_HUD_ENCODING_SRGB = 1,   /**< numbers are shown as they are stored: UNORM formats */
    FG_HUD_ENCODING_LINEAR = 2, /**< light: whoever shows them encodes them, as sRGB formats do */
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_hud_vulkan_options {
    const struct fg_allocator *allocator;   /**< NULL = libc; outlives the renderer */
    const VkAllocationCallbacks *callbacks; /**< for every Vulkan object; copied */
    VkInstance instance;                    /**< required */
    VkPhysicalDevice physical_device;       /**< required */
    VkDevice device;                        /**< required; outlives fg_hud_vulkan_destroy() */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /**< required */
    PFN_vkGetDeviceProcAddr get_device_proc_addr;     /**< NULL = asked from the other getter */
    VkFormat color_format; /**< required: any colour attachment that can be blended into */
    enum fg_hud_encoding encoding;
    VkSampleCountFlagBits samples; /**< 0 = 1 */
    VkRenderPass render_pass;      /**< VK_NULL_HANDLE = dynamic rendering, enabled on the device */
    uint32_t subpass;
    /** Of the subpass or rendering, 1 .. 8; 0 = 1. Drawn is into the first; more than one need
     *  independentBlend. */
    uint32_t color_attachment_count;
    /* Of the rendering, as VkPipelineRenderingCreateInfo has them; not used with a render pass. */
    const VkFormat *other_color_formats; /**< color_attachment_count - 1; NULL = all undefined */
    VkFormat depth_format;
    VkFormat stencil_format;
    uint32_t view_mask;
    uint32_t slot_count; /**< draws in flight at once: frames in flight times HUDs in a frame;
                              1 .. 64; 0 = 4 */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_HUD_VULKAN_OPTIONS(...) (&(const struct fg_hud_vulkan_options){ __VA_ARGS__ })

/**
 * @param out_renderer owned: fg_hud_vulkan_destroy() when no draw of it is in flight; untouched on
 *                     failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY (of either kind); FG_ERR_UNSUPPORTED (the format
 *         cannot be blended into, or a function is missing); FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_hud_vulkan_create(const struct fg_hud_vulkan_options *options,
                                                       struct fg_hud_vulkan **out_renderer);
FG_API void fg_hud_vulkan_destroy(struct fg_hud_vulkan *renderer);

/**
 * Record the draw, inside a render pass instance that fits the options.
 *
 * @param slot under slot_count; the last draw that used it has completed
 *
 * Threads: one at a time per slot; the command buffer's rules hold.
 */
FG_API void fg_hud_vulkan_draw(struct fg_hud_vulkan *renderer, VkCommandBuffer commands,
                               uint32_t slot, const struct fg_hud_list *list);

/**
 * Memory of the device's own heaps: what this process uses, and what it may use. For
 * fg_hud_gpu_memory(), now and then: drivers take their time over it.
 *
 * @return false, and both are -1: the device does not tell (VK_EXT_memory_budget)
 */
FG_API bool fg_hud_vulkan_get_memory(const struct fg_hud_vulkan *renderer, int64_t *out_used_bytes,
                                     int64_t *out_budget_bytes);

FG_END_DECLS
#endif
