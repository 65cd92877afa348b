/* SPDX-License-Identifier: MIT */
/*
 * Overdraw and cost maps with Vulkan: the application draws its own things once more, with its own
 * vertex stages, into a target that adds up; then the sums are laid over its picture, or read.
 *
 *     fg_overdraw_vulkan_create(&options, &overdraw);
 *     fg_overdraw_vulkan_create_pipeline(overdraw, &create_info_of_mine, NULL, &twin);
 *
 *     each frame, outside of rendering:
 *     fg_overdraw_vulkan_begin(overdraw, commands, slot, &pass);
 *         bind twin, bind what mine binds
 *         fg_overdraw_vulkan_item(overdraw, commands, slot, id); draw as mine does; ...
 *     fg_overdraw_vulkan_end(overdraw, commands, slot);
 *     in a rendering of the picture:
 *     fg_overdraw_vulkan_overlay(overdraw, commands, slot, &overlay);
 *     when the frame has completed:
 *     fg_overdraw_vulkan_read(overdraw, slot, &map);
 *     fg_overdraw_vulkan_cover(overdraw, slot, costs);
 *
 * Everything is recorded into the application's command buffers; nothing is submitted or waited
 * for. What a fragment adds is the blend constant: 1, or the weight of its item. So the
 * application's layouts, sets and push constants stay as they are, and one pipeline makes both
 * kinds of maps.
 *
 * The target has one sample: a pixel is counted where its centre is covered. Draws that count are
 * recorded by the application: where it counts its draws, between fg_draw_counter_pause() and
 * fg_draw_counter_resume(). Those of this header are in nobody's counts.
 *
 * Needs the Vulkan headers and no loader. There is no target before the first begin.
 */
#ifndef FG_OVERDRAW_VULKAN_H
#define FG_OVERDRAW_VULKAN_H
#include <frameglass/hud_vulkan.h>
#include <frameglass/overdraw.h>
FG_BEGIN_DECLS

struct fg_overdraw_vulkan;

/** Against what draws that count are tested, in the way that their pipelines say. */
enum fg_overdraw_depth {
    FG_OVERDRAW_DEPTH_NONE = 0,  /**< nothing: all fragments count */
    FG_OVERDRAW_DEPTH_CLEAR = 1, /**< an attachment of the application's, cleared at the begin: all
                                      of a frame is drawn again */
    FG_OVERDRAW_DEPTH_LOAD = 2,  /**< what the frame left in it */
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_overdraw_vulkan_options {
    /**
     * The device, the slots (maps in flight at once), and what the overlay is drawn into: filled as
     * for the HUD. Without a color_format there is no overlay.
     */
    struct fg_hud_vulkan_options common;
    enum fg_overdraw_format format; /**< not R8 */
    bool has_render_pass;           /**< counts in a render pass; else in dynamic rendering */
    enum fg_overdraw_depth depth;
    VkFormat depth_format;      /**< required with depth */
    VkImageLayout depth_layout; /**< before, in and after; a read-only one is not written; 0 =
                                     VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL */
    uint32_t item_max;          /**< items of a map whose fragments are counted, up to 65536: for
                                     fg_overdraw_vulkan_cover(); 0 = none are. The device has
                                     occlusionQueryPrecise enabled */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_OVERDRAW_VULKAN_OPTIONS(...) (&(const struct fg_overdraw_vulkan_options){ __VA_ARGS__ })

/**
 * @param out_overdraw owned: fg_overdraw_vulkan_destroy() when none of its commands is in flight;
 *                     untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY (of either kind); FG_ERR_UNSUPPORTED (no such
 *         format can be added up in, read and copied, or the overlay's cannot be blended into, or a
 *         function is missing); FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_overdraw_vulkan_create(
    const struct fg_overdraw_vulkan_options *options, struct fg_overdraw_vulkan **out_overdraw);
FG_API void fg_overdraw_vulkan_destroy(struct fg_overdraw_vulkan *overdraw);
/** Give back what the slots have, when none of their commands is in flight. */
FG_API void fg_overdraw_vulkan_trim(struct fg_overdraw_vulkan *overdraw);

/** That was chosen; FG_OVERDRAW_FORMAT_BEST for NULL. */
FG_API enum fg_overdraw_format fg_overdraw_vulkan_format(const struct fg_overdraw_vulkan *overdraw);

/* ---- pipelines ------------------------------------------------------------------------------- */

/**
 * The twin of a pipeline of the application: its vertex stages, vertex input, rasterization,
 * dynamic states and layout, and its depth and stencil tests where there is a depth attachment that
 * can be written or is only tested. Fragment stage, blending, samples and render pass are other
 * ones.
 *
 * @param own      what the application's pipeline is made of; of its pNext chain nothing is taken
 * @param fragment NULL = adds for every fragment. Else a stage of the application's that writes 1
 *                 to location 0, where fragments are discarded: they are known to it alone
 * @param out_pipeline owned: vkDestroyPipeline(), with the same callbacks; untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT (also: over 8 stages, over 64 dynamic states); FG_ERR_NO_MEMORY;
 *         FG_ERR_UNSUPPORTED; FG_ERR_DEVICE_LOST
 *
 * Threads: any.
 */
FG_API FG_MUST_USE enum fg_result fg_overdraw_vulkan_create_pipeline(
    const struct fg_overdraw_vulkan *overdraw, const VkGraphicsPipelineCreateInfo *own,
    const VkPipelineShaderStageCreateInfo *fragment, VkPipeline *out_pipeline);

/*
 * What a twin is made of, for those who make it by themselves: this fragment stage; one colour
 * attachment of the format, added to it constant colour times source; that constant as a dynamic
 * state; one sample; and this render pass, or dynamic rendering.
 */
/** SPIR-V that takes nothing in and writes 1. Static. @param out_size_bytes of it */
FG_API const uint32_t *fg_overdraw_vulkan_fragment(size_t *out_size_bytes);
/** VK_FORMAT_UNDEFINED for NULL. */
FG_API VkFormat fg_overdraw_vulkan_map_format(const struct fg_overdraw_vulkan *overdraw);
/** Lent. VK_NULL_HANDLE with dynamic rendering. */
FG_API VkRenderPass fg_overdraw_vulkan_render_pass(const struct fg_overdraw_vulkan *overdraw);

/* ---- each frame ------------------------------------------------------------------------------ */

/** Borrowed for the call, the costs until the end. */
struct fg_overdraw_vulkan_pass {
    enum fg_overdraw_kind kind;
    const struct fg_overdraw_costs *costs; /**< of costs: required */
    uint32_t width_px; /**< required, as height_px: of what is counted, at whatever size it
                            is shown */
    uint32_t height_px;
    VkImageView depth_view; /**< required with depth. The application orders what else it does with
                                 the image: early and late fragment tests use it */
    float clear_depth;      /**< with FG_OVERDRAW_DEPTH_CLEAR, as clear_stencil */
    uint32_t clear_stencil;
    bool reads_back; /**< false: no fg_overdraw_vulkan_read() */
    uint64_t frame;  /**< handed back by it */
};

/**
 * Begin a map, outside of rendering: a rendering or render pass begins, with the viewport and the
 * scissor over all of the map, where they are dynamic. The first time, and when the size is another
 * one than the slot had, its target is made.
 *
 * @param slot under slot_count; the last commands with it have completed
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (larger than the device can); FG_ERR_NO_MEMORY;
 *         FG_ERR_DEVICE_LOST. On failure nothing is recorded, and the other calls with the slot do
 *         nothing
 *
 * Threads: one at a time per slot, and none while the maps are trimmed; the command buffer's rules
 * hold.
 */
FG_API FG_MUST_USE enum fg_result fg_overdraw_vulkan_begin(
    struct fg_overdraw_vulkan *overdraw, VkCommandBuffer commands, uint32_t slot,
    const struct fg_overdraw_vulkan_pass *pass);
/**
 * The draws that follow are this item's, until the next one: its fragments add its weight, or are
 * counted for it in a map of counts. Before the first, draws belong to nothing: they count, and
 * cost nothing. An item may come again.
 */
FG_API void fg_overdraw_vulkan_item(struct fg_overdraw_vulkan *overdraw, VkCommandBuffer commands,
                                    uint32_t slot, uint64_t id);
/** Ends the rendering; the map is then ready for the overlay, and copied where it is read back. */
FG_API void fg_overdraw_vulkan_end(struct fg_overdraw_vulkan *overdraw, VkCommandBuffer commands,
                                   uint32_t slot);

/** Borrowed for the call. */
struct fg_overdraw_vulkan_overlay {
    const struct fg_overdraw_scale *scale; /**< required */
    float opacity;                         /**< 0 .. 1 */
    uint32_t width_px;                     /**< required, as height_px: of what is drawn into */
    uint32_t height_px;
};
/**
 * Draw the slot's map over the picture, stretched to it: after the slot's end, inside a render pass
 * instance that fits the options, as often as wanted. The command buffer is left with other
 * bindings, as by fg_hud_vulkan_draw(), which draws the legend.
 */
FG_API void fg_overdraw_vulkan_overlay(struct fg_overdraw_vulkan *overdraw,
                                       VkCommandBuffer commands, uint32_t slot,
                                       const struct fg_overdraw_vulkan_overlay *overlay);

/* ---- later ----------------------------------------------------------------------------------- */

/**
 * The slot's map, when its commands have completed: does not wait, and does not ask whether they
 * have.
 *
 * @param out_map values are lent until the slot's next begin
 * @return false, and out_map is all zero: there is none, or it was not to be read back
 *
 * Threads: as begin.
 */
FG_API bool fg_overdraw_vulkan_read(struct fg_overdraw_vulkan *overdraw, uint32_t slot,
                                    struct fg_overdraw_map *out_map);
/**
 * Tell how many fragments the slot's items had; once for each map of counts. When its commands have
 * completed, as above.
 *
 * @param costs where they are added: fg_overdraw_costs_cover()
 * @param out_left_out items that came when item_max others had come; with those of a map that is
 *                     refused, all that it has. NULL = not asked
 * @return false, and nothing is told: there is nothing new, or the device counted more fragments
 *         than are in the map, which it was read back to show: some count what a shader discards
 */
FG_API bool fg_overdraw_vulkan_cover(struct fg_overdraw_vulkan *overdraw, uint32_t slot,
                                     struct fg_overdraw_costs *costs, uint64_t *out_left_out);

FG_END_DECLS
#endif
