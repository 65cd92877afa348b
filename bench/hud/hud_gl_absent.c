/* SPDX-License-Identifier: MIT */
/* In a build without EGL. */
#include "hud_gl.h"

struct hud_gl *hud_gl_open(uint32_t width_px, uint32_t height_px)
{
    (void)width_px;
    (void)height_px;
    return NULL;
}

void hud_gl_close(struct hud_gl *gl)
{
    (void)gl;
}

const char *hud_gl_device(const struct hud_gl *gl)
{
    (void)gl;
    return "";
}

int64_t hud_gl_frame(struct hud_gl *gl, const struct fg_hud_list *list)
{
    (void)gl;
    (void)list;
    return 0;
}
