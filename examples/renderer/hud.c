/* SPDX-License-Identifier: MIT */
#include "hud.h"

#include <stdbool.h>
#include <stdio.h>

static const float white[4] = { 0.95f, 0.96f, 0.98f, 1.0f };
static const float dim[4] = { 0.68f, 0.72f, 0.78f, 1.0f };
static const float accent[4] = { 0.30f, 0.82f, 0.72f, 1.0f };
static const float warm[4] = { 0.95f, 0.56f, 0.28f, 1.0f };
static const float shade[4] = { 0.03f, 0.04f, 0.06f, 0.62f };

struct pen {
    struct rd_hud *hud;
    float scale; /**< pixels per dot */
};

static void add_box(struct pen *pen, float x, float y, float width, float height,
                    const float color[4], uint64_t glyph)
{
    struct rd_hud *hud = pen->hud;
    const uint32_t index = hud->plain_count + hud->text_count;
    if (index == RD_MAX_HUD_BOXES) {
        return;
    }
    hud->boxes[index] = (struct rd_hud_box){
        .rectangle = { x, y, width, height },
        .color = { color[0], color[1], color[2], color[3] },
        .glyph = { (uint32_t)glyph, (uint32_t)(glyph >> 32) },
    };
    if (glyph != 0) {
        hud->text_count++;
    } else {
        hud->plain_count++;
    }
}

static void add_text(struct pen *pen, float x, float y, const float color[4], const char *text)
{
    for (; *text != '\0'; text++) {
        const uint64_t glyph = rd_font_glyph(*text);
        if (glyph != 0) {
            add_box(pen, x, y, 5.0f * pen->scale, 7.0f * pen->scale, color, glyph);
        }
        x += 6.0f * pen->scale;
    }
}

static void add_chart(struct pen *pen, const struct rd_hud_info *info, float x, float y,
                      float height)
{
    float tallest = 1e-3f;
    for (uint32_t i = 0; i < info->frame_ms_count; i++) {
        tallest = info->frame_ms[i] > tallest ? info->frame_ms[i] : tallest;
    }
    for (uint32_t i = 0; i < info->frame_ms_count; i++) {
        const float bar = height * info->frame_ms[i] / tallest;
        const bool newest = i + 1 == info->frame_ms_count;
        add_box(pen, x + 2.0f * pen->scale * (float)i, y + height - bar, 1.5f * pen->scale, bar,
                newest ? warm : accent, 0);
    }
}

void rd_hud_build(struct rd_hud *hud, const struct rd_hud_info *info)
{
    struct pen pen = { .hud = hud,
                       .scale = info->height_px >= 720 ? (float)(info->height_px / 360) : 1.0f };
    const float s = pen.scale;
    const float x = 5.0f * s;
    const float y = 5.0f * s;
    char line[96];
    hud->plain_count = 0;
    hud->text_count = 0;
    /* Plain boxes first: glyphs are counted behind them. */
    add_box(&pen, x - 2.0f * s, y - 2.0f * s, 134.0f * s, 56.0f * s, shade, 0);
    add_chart(&pen, info, x + 1.0f * s, y + 38.0f * s, 13.0f * s);

    add_text(&pen, x, y, white, "Frameglass");
    (void)snprintf(line, sizeof(line), "frame %u", info->frame);
    add_text(&pen, x + 72.0f * s, y, accent, line);
    (void)snprintf(line, sizeof(line), "%u x %u", info->internal_width_px,
                   info->internal_height_px);
    add_text(&pen, x, y + 10.0f * s, dim, line);
    (void)snprintf(line, sizeof(line), "%u passes", info->pass_count - info->culled_count);
    add_text(&pen, x + 72.0f * s, y + 10.0f * s, dim, line);
    (void)snprintf(line, sizeof(line), "%u lights", info->light_count);
    add_text(&pen, x, y + 19.0f * s, dim, line);
    (void)snprintf(line, sizeof(line), "%u on gpu", info->gpu_pass_count);
    add_text(&pen, x + 72.0f * s, y + 19.0f * s, dim, line);
    (void)snprintf(line, sizeof(line), "%u objects", info->instance_count);
    add_text(&pen, x, y + 28.0f * s, dim, line);
    (void)snprintf(line, sizeof(line), "%u culled", info->culled_count);
    add_text(&pen, x + 72.0f * s, y + 28.0f * s, dim, line);
}
