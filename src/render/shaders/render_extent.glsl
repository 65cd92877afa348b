/* SPDX-License-Identifier: MIT */
/* Where in the plot something is: the rules of render.c, in the same whole numbers. */
#ifndef RENDER_EXTENT_GLSL
#define RENDER_EXTENT_GLSL
#include "render_scene.glsl"

const uint FRACTION = 47u;

u64 whole_width() { return u64_shift_left(u64_from(args.scene.plot_width_px), FRACTION); }

/** fgi_render_place() */
u64 place_of(u64 time)
{
    u64 start = u64_of(args.scene.start_ns);
    if (!u64_less_signed(start, time)) {
        return u64_zero();
    }
    if (!u64_less_signed(time, u64_of(args.scene.end_ns))) {
        return whole_width();
    }
    u64 offset = u64_sub(time, start);
    u64 brought = args.scene.shift >= 0 ? u64_shift_right(offset, uint(args.scene.shift))
                                        : u64_shift_left(offset, uint(-args.scene.shift));
    return u64_product(u64_low(brought), args.scene.multiplier);
}

uint rounded(u64 place)
{
    return u64_low(u64_shift_right(u64_add(place, u64_shift_left(u64_from(1u), FRACTION - 1u)), FRACTION));
}

/** First and end pixel, in the plot. */
uvec2 extent_of(u64 first, u64 end)
{
    uint left = min(rounded(first), args.scene.plot_width_px - 1u);
    return uvec2(left, max(rounded(end), left + 1u));
}

/** fgi_render_span_extent() */
uvec2 span_extent(u64 start, u64 end)
{
    u64 pixel = u64_shift_left(u64_from(1u), FRACTION);
    u64 first = place_of(start);
    u64 last = place_of(end);
    u64 gap = u64_add(pixel, u64_add(pixel, pixel));
    if (u64_less(gap, u64_sub(last, first)) && u64_less_signed(end, u64_of(args.scene.end_ns))) {
        last = u64_sub(last, pixel);
    }
    return extent_of(first, last);
}

/** A corner of a rectangle of the plot, of six. What has a higher rank hides the rest. */
vec4 corner_of(uvec2 extent, uint y, uint height, uint rank)
{
    const uvec2 corners[6] = uvec2[](uvec2(0, 0), uvec2(1, 0), uvec2(0, 1), uvec2(0, 1), uvec2(1, 0), uvec2(1, 1));
    uvec2 corner = corners[gl_VertexIndex];
    vec2 at = vec2(float(args.scene.plot_x_px + (corner.x == 0u ? extent.x : extent.y)), float(y + corner.y * height));
    vec2 size = vec2(float(args.scene.width_px), float(args.scene.height_px));
    return vec4(at / size * 2.0 - 1.0, float(16u - rank) / 16.0, 1.0);
}

#endif
