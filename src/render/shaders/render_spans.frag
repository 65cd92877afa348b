/* SPDX-License-Identifier: MIT */
/* A pixel of a span: its name where there is room for it, its colour, or that its end is not known. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "render_scene.glsl"

layout(location = 0) flat in uvec4 box;
layout(location = 1) flat in uvec4 look;
layout(location = 0) out vec4 pixel;

/* enum fg_span_status */
const uint UNFINISHED = 1u;
const uint LOST = 2u;
const uint FORCED = 4u;

const uint LABEL_PX = 22u;
const uint LABEL_ROW_PX = 11u;
const uint LABEL_PAD_PX = 5u;
const uint FONT_WIDTH = 5u;
const uint FONT_HEIGHT = 9u;
const uint FONT_CAPITAL = 7u;
const uint FONT_ADVANCE = 6u;

uint glyph_at(uint index)
{
    uint at = look.z + index;
    return (render_words(args.scene.glyphs).at[at >> 2] >> ((at & 3u) * 8u)) & 0xffu;
}

bool has_dot(uint glyph, uint column, uint row)
{
    uint dot = row * FONT_WIDTH + column;
    return (render_words(args.scene.dots).at[glyph * 2u + (dot >> 5)] >> (dot & 31u) & 1u) != 0u;
}

/** How many glyphs are shown; of a name that does not fit whole the last one is an ellipsis. */
uint shown_glyphs(out bool is_cut)
{
    uint scale = args.scene.scale;
    uint width = box.y - box.x;
    is_cut = false;
    if (width < LABEL_PX * scale || box.w + 2u * scale < LABEL_ROW_PX * scale) {
        return 0u;
    }
    uint room = (width - 2u * LABEL_PAD_PX * scale) / (FONT_ADVANCE * scale);
    is_cut = look.w > room;
    return !is_cut ? look.w : room >= 3u ? room : 0u;
}

bool is_text(uint x, uint y)
{
    uint scale = args.scene.scale;
    bool is_cut;
    uint shown = shown_glyphs(is_cut);
    uint left = box.x + LABEL_PAD_PX * scale;
    uint top = box.z + (box.w - FONT_CAPITAL * scale) / 2u;
    if (shown == 0u || x < left || y < top) {
        return false;
    }
    uint column = (x - left) / scale;
    uint row = (y - top) / scale;
    uint index = column / FONT_ADVANCE;
    column %= FONT_ADVANCE;
    if (index >= shown || column >= FONT_WIDTH || row >= FONT_HEIGHT || top + (row + 1u) * scale > box.z + box.w) {
        return false;
    }
    uint glyph = is_cut && index == shown - 1u ? args.scene.ellipsis : glyph_at(index);
    return has_dot(glyph, column, row);
}

void main()
{
    uint x = uint(gl_FragCoord.x) - args.scene.plot_x_px;
    uint y = uint(gl_FragCoord.y);
    uint scale = args.scene.scale;
    uint color = look.x;
    if (look.y == FORCED && box.y - box.x > 6u * scale && x + 3u * scale >= box.y) {
        color = args.scene.bad;
    } else if (look.y == UNFINISHED || look.y == LOST) {
        bool is_light = ((x / scale - y / scale) & 7u) < 4u;
        color = mixed(args.scene.lane_color, color, is_light ? 128u : 230u);
    }
    pixel = pixel_of(is_text(x, y) ? args.scene.on_hue : color);
}
