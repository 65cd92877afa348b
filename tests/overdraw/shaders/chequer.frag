#version 450
/* SPDX-License-Identifier: MIT */
/* Discards every other pixel, and adds up as the profiler's own stage does. */
layout(location = 0) out vec4 out_one;

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    if (((pixel.x + pixel.y) & 1) != 0) {
        discard;
    }
    out_one = vec4(1.0);
}
