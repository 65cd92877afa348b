/* SPDX-License-Identifier: MIT */
/* A picture on the device: struct scene of render_device.c. */
#ifndef RENDER_SCENE_GLSL
#define RENDER_SCENE_GLSL
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "u64.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer render_words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer render_pairs { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer render_quads { uvec4 at[]; };

/* Columns in chunks: addresses of these begin in `chunks` at `first`. */
const uint COLUMN_START = 0u;
const uint COLUMN_END = 1u;
const uint COLUMN_LANE = 2u;
const uint COLUMN_KIND = 3u;
const uint COLUMN_BINS = 4u;
const uint COLUMN_ROWS = 5u;
const uint COLUMNS = 6u;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer render_scene {
    uvec2 start_ns;
    uvec2 end_ns;
    uvec2 chunks;
    uvec2 answers; /* struct fg_gpu_view_answer, two quads */
    uvec2 lanes;   /* struct fgi_render_lane by slot */
    uvec2 slots;   /* by lane */
    uvec2 kinds;   /* struct fgi_render_kind */
    uvec2 glyphs;  /* bytes of all names */
    uvec2 dots;    /* two words of each glyph */
    uvec2 colors;
    uint first[COLUMNS];
    uint shift_of[COLUMNS];
    int shift;
    uint multiplier;
    uint level;
    uint scale;
    uint width_px;
    uint height_px;
    uint plot_x_px;
    uint plot_width_px;
    uint lane_color;
    uint bad;
    uint on_hue;
    uint ellipsis;
};

layout(push_constant, std430) uniform render_arguments { render_scene scene; } args;

uvec2 chunk_of(uint column, uint at)
{
    return render_pairs(args.scene.chunks).at[args.scene.first[column] + (at >> args.scene.shift_of[column])];
}
uint place_in(uint column, uint at) { return at & ((1u << args.scene.shift_of[column]) - 1u); }
uint word_at(uint column, uint at) { return render_words(chunk_of(column, at)).at[place_in(column, at)]; }
u64 time_at(uint column, uint at) { return u64_of(render_pairs(chunk_of(column, at)).at[place_in(column, at)]); }
uvec4 quad_at(uint column, uint at) { return render_quads(chunk_of(column, at)).at[place_in(column, at)]; }

/** fgi_render_mix() */
uint mixed(uint from, uint to, uint share)
{
    uint result = 0u;
    for (uint bits = 0u; bits < 32u; bits += 8u) {
        uint a = (from >> bits) & 0xffu;
        uint b = (to >> bits) & 0xffu;
        result |= ((a * (256u - share) + b * share + 128u) >> 8) << bits;
    }
    return result;
}

vec4 pixel_of(uint color) { return vec4(unpackUnorm4x8(color).rgb, 1.0); }

#endif
