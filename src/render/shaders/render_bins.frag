/* SPDX-License-Identifier: MIT */
/* A pixel of bins: stripes, over the ground of its lane. share_of_bins() of render_cpu.c. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "render_scene.glsl"

layout(location = 0) flat in uvec3 look;
layout(location = 0) out vec4 pixel;

void main()
{
    const uint covers[8] = uint[](102u, 124u, 146u, 168u, 190u, 212u, 234u, 256u);
    uint x = (uint(gl_FragCoord.x) - args.scene.plot_x_px) / args.scene.scale;
    uint y = uint(gl_FragCoord.y) / args.scene.scale;
    bool is_density = look.z != 0u;
    uint stripes = is_density ? ((x + y) % 4u < 2u ? 77u : 218u) : ((x + y) % 6u < 2u ? 115u : 236u);
    uint share = (covers[is_density ? look.y : 7u] * stripes) >> 8;
    pixel = pixel_of(mixed(args.scene.lane_color, look.x, share));
}
