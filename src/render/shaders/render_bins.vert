/* SPDX-License-Identifier: MIT */
/* Equal bins that follow each other are an instance. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "render_extent.glsl"

layout(location = 0) flat out uvec3 look; /* color, cover, whether it is density */

const uint DENSITY = 2u;
const uint MOST_COVER = 7u;

/** fgi_render_bins_extent() */
uvec2 bins_extent(u64 first, uint count)
{
    uint level = args.scene.level;
    u64 latest = u64_make(0xffffffffu, 0x7fffffffu);
    u64 end = u64_add(first, u64_from(count));
    u64 behind = u64_shift_right(latest, level);
    u64 end_ns = u64_less_signed(behind, end) ? latest : u64_shift_left(end, level);
    return extent_of(place_of(u64_shift_left(first, level)), place_of(end_ns));
}

/** fgi_render_cover() */
uint cover_of(u64 covered)
{
    const uint bits = 28u;
    uint level = args.scene.level;
    uint part = u64_low(level > bits ? u64_shift_right(covered, level - bits) : u64_shift_left(covered, bits - level));
    u64 steps = u64_add(u64_product(part, MOST_COVER), u64_from((1u << bits) - 1u));
    return clamp(u64_low(u64_shift_right(steps, bits)), 1u, MOST_COVER);
}

void main()
{
    uint item = uint(gl_InstanceIndex) * 3u;
    uvec4 times = quad_at(COLUMN_BINS, item);
    uint count = quad_at(COLUMN_BINS, item + 1u).z;
    uint row = quad_at(COLUMN_BINS, item + 2u).x;
    uint slot = render_words(args.scene.slots).at[word_at(COLUMN_LANE, row)];
    uvec4 lane = render_quads(args.scene.lanes).at[slot];
    uvec4 kind = render_quads(args.scene.kinds).at[word_at(COLUMN_KIND, row)];
    bool is_density = ((render_quads(args.scene.answers).at[slot * 2u].x >> 8) & 0xffu) == DENSITY;
    uint inset = is_density ? (lane.z * 3u + 8u) / 16u : 0u;
    uint cover = cover_of(u64_of(times.zw));
    look = uvec3(render_words(args.scene.colors).at[kind.z * 5u + lane.w], cover, uint(is_density));
    gl_Position = corner_of(bins_extent(u64_of(times.xy), count), lane.y + inset, lane.z - 2u * inset, cover);
}
