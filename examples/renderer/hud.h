/* SPDX-License-Identifier: MIT */
/* Text and a small chart over the picture. */
#ifndef RD_HUD_H
#define RD_HUD_H

#include <stdint.h>

enum { RD_MAX_HUD_BOXES = 768 };

/** Laid out as `Box` in hud.glsl. */
struct rd_hud_box {
    float rectangle[4];
    float color[4];
    uint32_t glyph[4];
};

struct rd_hud {
    struct rd_hud_box boxes[RD_MAX_HUD_BOXES];
    uint32_t plain_count; /**< these come first */
    uint32_t text_count;  /**< glyphs, behind them */
};

struct rd_hud_info {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t frame;
    uint32_t internal_width_px;
    uint32_t internal_height_px;
    uint32_t pass_count;
    uint32_t culled_count;
    uint32_t gpu_pass_count;
    uint32_t light_count;
    uint32_t instance_count;
    const float *frame_ms; /**< the newest frames, oldest first */
    uint32_t frame_ms_count;
};

void rd_hud_build(struct rd_hud *hud, const struct rd_hud_info *info);

/** 35 bits, row by row from the top left; characters without a shape are empty. */
uint64_t rd_font_glyph(char character);

#endif
