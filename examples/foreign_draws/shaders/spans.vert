/* SPDX-License-Identifier: MIT */
/* A span is an instance of six vertices: its row comes as an attribute, all else by address. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "columns.glsl"

layout(push_constant, std430) uniform arguments {
    columns table;
    uvec2 start_ns;
    uvec2 end_ns;
    uint width_px;
    uint lane_count;
} args;

layout(location = 0) in uint row;
layout(location = 0) flat out vec3 color;

const float HEIGHT = 0.8; /* of a lane */

/** Where a time is in the window, 0 to 1. */
float place(uvec2 time)
{
    if (is_before(time, args.start_ns)) {
        return 0.0;
    }
    uvec2 offset = difference(time, args.start_ns);
    uvec2 range = difference(args.end_ns, args.start_ns);
    if (is_less(range, offset)) {
        return 1.0;
    }
    return (float(offset.y) * 4294967296.0 + float(offset.x)) / (float(range.y) * 4294967296.0 + float(range.x));
}

vec3 color_of(uint kind)
{
    float hue = fract(float(kind) * 0.618034) * 6.0;
    vec3 pure = clamp(abs(mod(hue + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0, 0.0, 1.0);
    return mix(vec3(0.55), pure, 0.55);
}

void main()
{
    const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
    vec2 corner = corners[gl_VertexIndex];
    float left = place(time_at(args.table, START, row));
    float right = max(place(time_at(args.table, END, row)), left + 1.0 / float(args.width_px));
    float top = float(word_at(args.table, LANE, row)) + (1.0 - HEIGHT) / 2.0;
    vec2 at = vec2(mix(left, right, corner.x), (top + corner.y * HEIGHT) / float(args.lane_count));
    color = color_of(word_at(args.table, KIND, row));
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
