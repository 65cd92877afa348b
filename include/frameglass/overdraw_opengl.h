/* SPDX-License-Identifier: MIT */
/*
 * Heat maps with OpenGL 3.3 and later, or OpenGL ES 3.0 and later. The application draws its own
 * things once more, into a target that adds up:
 *
 *     fg_overdraw_opengl_create(&options, &renderer, &diag);          when it is switched on
 *     if (fg_overdraw_opengl_begin(renderer, &frame) == FG_OK) {      after its own drawing
 *         draw, with programs that have FG_OVERDRAW_OPENGL_FRAGMENT; its own vertex shaders,
 *         clipping, culling and order
 *         fg_overdraw_opengl_end(renderer);
 *     }
 *     fg_overdraw_opengl_overlay(renderer, &scale, 0.85f, width, height);    over the frame
 *     fg_overdraw_opengl_read(renderer);                              for numbers and pictures:
 *     if (fg_overdraw_opengl_poll(renderer, &map) == FG_OK) { ... }   some frames later
 *
 * Each fragment adds one times the weight, which is the constant colour of blending: so programs
 * need no uniform, and the same ones do for counts and costs. A fragment shader that discards does
 * so in its own variant, which writes 1 in the end.
 *
 * Needs no OpenGL headers and no loader. What is changed is put back: by begin() and end() together
 * as far as it is listed there, by the other calls all of it. Nothing is waited for, no error state
 * is read. Drawing once more is the application's work: fg_draw_counter_pause() keeps it from being
 * counted. Not while transform feedback or conditional rendering is active.
 *
 * Threads: that of the context, for every call on a renderer; others may have contexts and
 * renderers of their own.
 */
#ifndef FG_OVERDRAW_OPENGL_H
#define FG_OVERDRAW_OPENGL_H
#include <frameglass/gpu_opengl.h>
#include <frameglass/overdraw.h>
FG_BEGIN_DECLS

struct fg_overdraw_opengl;

/** A fragment shader but for its #version, which is the application's: 330, 300 es, or later. */
#define FG_OVERDRAW_OPENGL_FRAGMENT                                                                \
    "layout(location = 0) out highp vec4 fg_overdraw_one;\n"                                       \
    "void main() { fg_overdraw_one = vec4(1.0); }\n"

enum fg_overdraw_opengl_flags {
    /** What fg_overdraw_opengl_overlay() draws into has linear numbers: see hud_opengl.h. */
    FG_OVERDRAW_OPENGL_LINEAR = 1u << 0,
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_overdraw_opengl_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the renderer */
    uint32_t flags;                       /**< enum fg_overdraw_opengl_flags */
    fg_opengl_getter *get_proc_address;   /**< required; of core functions too */
    enum fg_overdraw_format format;
    uint32_t read_count; /**< read-backs under way at once, 1 .. 16; 0 = 3 */
    uint32_t item_max;   /**< calls of item() in a frame whose fragments are counted; 0 = 16384 */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_OVERDRAW_OPENGL_OPTIONS(...) (&(const struct fg_overdraw_opengl_options){ __VA_ARGS__ })

/**
 * The context that is current is the one that it belongs to, and that is current in each call.
 *
 * @param out_renderer owned: fg_overdraw_opengl_destroy(); untouched on failure
 * @param diag         why it was refused; NULL is legal
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_UNSUPPORTED (the context is older, or
 *         cannot add up in that format)
 */
FG_API FG_MUST_USE enum fg_result fg_overdraw_opengl_create(
    const struct fg_overdraw_opengl_options *options, struct fg_overdraw_opengl **out_renderer,
    struct fg_diag *diag);
/** Its context is current, lost or not. NULL is legal. */
FG_API void fg_overdraw_opengl_destroy(struct fg_overdraw_opengl *renderer);

/** What it adds up in. */
FG_API enum fg_overdraw_format fg_overdraw_opengl_get_format(
    const struct fg_overdraw_opengl *renderer);
/** Whether it can count the fragments of items; OpenGL ES cannot: then the application tells. */
FG_API bool fg_overdraw_opengl_can_cover(const struct fg_overdraw_opengl *renderer);

enum fg_overdraw_opengl_frame_flags {
    /**
     * With a depth buffer, cleared to 1, and the application's depth test as it is: what is hidden
     * when it is drawn does not count. Without it, the depth test is off.
     */
    FG_OVERDRAW_OPENGL_DEPTH = 1u << 0,
    /** Count the fragments of each item for `costs`: see fg_overdraw_opengl_poll_cover(). */
    FG_OVERDRAW_OPENGL_COVER = 1u << 1,
};
struct fg_overdraw_opengl_frame {
    uint32_t width_px; /**< required, as height_px; the target is made anew when they change */
    uint32_t height_px;
    enum fg_overdraw_kind kind;
    uint32_t flags;                  /**< enum fg_overdraw_opengl_frame_flags */
    struct fg_overdraw_costs *costs; /**< of costs: the weights; with COVER, who is told. Borrowed
                                          until that was told, or until end() */
    uint64_t number;                 /**< for the map */
};
/**
 * Begin a map: the target is empty, bound for drawing, and its viewport set; blending adds with
 * weight 1, and all colours are written; dithering, logic operations and alpha test are off.
 * Scissor, culling, stencil and the rest are as the application has them. What it binds in between
 * itself is its own; after another framebuffer or blending, fg_overdraw_opengl_bind().
 *
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_STATE (one is open); FG_ERR_LIMIT (too large for the
 *         device); FG_ERR_NO_MEMORY; FG_ERR_UNSUPPORTED (costs in FG_OVERDRAW_FORMAT_R8, or no such
 *         target); FG_ERR_DEVICE_LOST. On failure nothing is open, and the state is as it was
 */
FG_API FG_MUST_USE enum fg_result fg_overdraw_opengl_begin(
    struct fg_overdraw_opengl *renderer, const struct fg_overdraw_opengl_frame *frame);
/** Framebuffer, viewport and blending as begin() set them, with the weight that is. */
FG_API void fg_overdraw_opengl_bind(struct fg_overdraw_opengl *renderer);
/**
 * What is drawn from now on is this item: in maps of costs with its weight, with COVER its
 * fragments are counted. Items may come again. In maps of counts weights are always 1.
 */
FG_API void fg_overdraw_opengl_item(struct fg_overdraw_opengl *renderer, uint64_t id);
/** What is drawn from now on is no item: 1 in maps of counts, nothing in those of costs. */
FG_API void fg_overdraw_opengl_no_item(struct fg_overdraw_opengl *renderer);
/** The map is complete. Framebuffers, viewport, blending and switches are as before begin(). */
FG_API void fg_overdraw_opengl_end(struct fg_overdraw_opengl *renderer);

/**
 * Draw the newest map over the framebuffer that is bound, stretched to it. Nothing happens without
 * a map. The legend is a draw list of its own: fg_overdraw_legend_build(), fg_hud_opengl_draw().
 *
 * @param opacity 0 .. 1
 */
FG_API void fg_overdraw_opengl_overlay(struct fg_overdraw_opengl *renderer,
                                       const struct fg_overdraw_scale *scale, float opacity,
                                       uint32_t width_px, uint32_t height_px);

/**
 * Ask for the newest map's values.
 *
 * @return FG_OK; FG_ERR_STATE (there is no map, or one is open); FG_ERR_BUSY (read_count of them
 *         are under way, nothing was asked); FG_ERR_DEVICE_LOST
 */
FG_API enum fg_result fg_overdraw_opengl_read(struct fg_overdraw_opengl *renderer);
/**
 * The oldest map that was asked for, if it has come.
 *
 * @param out_map lent until the next poll, or the end of the renderer
 * @return FG_OK; FG_ERR_NOT_FOUND (none was asked for); FG_ERR_BUSY (not yet); FG_ERR_NO_MEMORY
 *         (it stays); FG_ERR_DEVICE_LOST (it is given up)
 */
FG_API enum fg_result fg_overdraw_opengl_poll(struct fg_overdraw_opengl *renderer,
                                              struct fg_overdraw_map *out_map);
/**
 * Tell the costs of a frame with COVER how many fragments its items have, when it is known. Until
 * then, later frames with COVER count nothing.
 *
 * @return FG_OK: told now; FG_ERR_NOT_FOUND (nothing is under way); FG_ERR_BUSY (not yet);
 *         FG_ERR_LIMIT (told, but for items that found no room); FG_ERR_DEVICE_LOST
 */
FG_API enum fg_result fg_overdraw_opengl_poll_cover(struct fg_overdraw_opengl *renderer);

FG_END_DECLS
#endif
