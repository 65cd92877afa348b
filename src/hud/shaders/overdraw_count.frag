#version 450
/* SPDX-License-Identifier: MIT */
/* Every fragment is one; blending multiplies it with its weight, and adds. */
layout(location = 0) out vec4 out_one;

void main()
{
    out_one = vec4(1.0);
}
