/* SPDX-License-Identifier: MIT */
/* A framebuffer of OpenGL without a window, to draw a HUD into. */
#ifndef FGB_HUD_GL_H
#define FGB_HUD_GL_H
#include <frameglass/hud_opengl.h>

struct hud_gl;

/** NULL: this machine or this build has none. */
struct hud_gl *hud_gl_open(uint32_t width_px, uint32_t height_px);
void hud_gl_close(struct hud_gl *gl);
/** Of its entry points. */
fg_opengl_getter *hud_gl_getter(const struct hud_gl *gl);
const char *hud_gl_device(const struct hud_gl *gl);
/**
 * A frame: clear, draw the list, flush, and wait outside of what is measured.
 *
 * @param list NULL = the frame is empty
 * @return CPU time: of the draw alone, or of the empty frame up to its flush; 0 for NULL
 */
int64_t hud_gl_frame(struct hud_gl *gl, const struct fg_hud_list *list);

#endif
