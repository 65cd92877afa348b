/* SPDX-License-Identifier: MIT */
/*
 * Draws the HUD with OpenGL 3.3 and later, core or compatibility, or with OpenGL ES 3.0 and later,
 * into the framebuffer that is bound: one draw call. Needs no OpenGL headers and no loader: entry
 * points come through a getter. Every piece of state that it changes is read before and put back
 * after; of states that draw buffers or viewports have each, the first one's alone is changed.
 *
 * The framebuffer has one colour buffer to draw into. Not while transform feedback is active.
 */
#ifndef FG_HUD_OPENGL_H
#define FG_HUD_OPENGL_H
#include <frameglass/gpu_opengl.h>
#include <frameglass/hud_draw.h>
FG_BEGIN_DECLS

struct fg_hud_opengl;

enum fg_hud_opengl_flags {
    /**
     * The framebuffer's numbers are light (a float target), or it encodes to sRGB itself and cannot
     * be told not to (OpenGL ES with an sRGB format). With desktop OpenGL the encoding is switched
     * off for the draw, and this is not needed for sRGB formats.
     */
    FG_HUD_OPENGL_LINEAR = 1u << 0,
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_hud_opengl_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the renderer */
    uint32_t flags;                       /**< enum fg_hud_opengl_flags */
    fg_opengl_getter *get_proc_address;   /**< required; of core functions too */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_HUD_OPENGL_OPTIONS(...) (&(const struct fg_hud_opengl_options){ __VA_ARGS__ })

/**
 * The context that is current is the one that it belongs to, and that is current in each call.
 *
 * @param out_renderer owned: fg_hud_opengl_destroy(); untouched on failure
 * @param diag         why it was refused, with the compiler's words; NULL is legal
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_UNSUPPORTED (the context is older, or
 *         does not take the shader)
 */
FG_API FG_MUST_USE enum fg_result fg_hud_opengl_create(const struct fg_hud_opengl_options *options,
                                                       struct fg_hud_opengl **out_renderer,
                                                       struct fg_diag *diag);
/** Its context is current, lost or not. */
FG_API void fg_hud_opengl_destroy(struct fg_hud_opengl *renderer);

/**
 * Draw into the framebuffer that is bound, whose row 0 is the bottom one, as OpenGL has it. Nothing
 * is drawn while the current program is flagged for deletion (glDeleteProgram() after
 * glUseProgram()): OpenGL keeps it only as long as no other is made current.
 */
FG_API void fg_hud_opengl_draw(struct fg_hud_opengl *renderer, const struct fg_hud_list *list);

FG_END_DECLS
#endif
