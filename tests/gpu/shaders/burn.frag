// SPDX-License-Identifier: MIT
// As much work per pixel as is asked for.
#version 450

layout(push_constant) uniform Push
{
    uint loops;
};
layout(location = 0) out vec4 color;

void main()
{
    float x = gl_FragCoord.x * 0.0031 + gl_FragCoord.y * 0.0017;
    for (uint i = 0; i < loops; i++) {
        x = fract(x * 1.73 + 0.31);
    }
    color = vec4(x, x * 0.5, 1.0 - x, 1.0);
}
