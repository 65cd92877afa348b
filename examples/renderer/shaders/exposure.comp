#version 460
/* SPDX-License-Identifier: MIT */
/* The mean brightness of the middle of the histogram, approached over a few frames. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "exposure.glsl"

layout(local_size_x = 128) in;
layout(set = 0, binding = 2, std430) buffer Exposure {
    float exposure;
};

shared uint below[BIN_COUNT];
shared float weighted[BIN_COUNT];
shared float kept[BIN_COUNT];

void main()
{
    uint i = gl_LocalInvocationIndex;
    below[i] = bins[i];
    barrier();
    for (uint stride = 1u; stride < BIN_COUNT; stride *= 2u) {
        uint add = i >= stride ? below[i - stride] : 0u;
        barrier();
        below[i] += add;
        barrier();
    }
    float total = float(max(below[BIN_COUNT - 1u], 1u));
    float low = max(float(below[i] - bins[i]), total * 0.30);
    float high = min(float(below[i]), total * 0.96);
    kept[i] = max(high - low, 0.0);
    weighted[i] = kept[i] * (DARKEST + (float(i) + 0.5) / BINS_PER_STOP);
    barrier();
    for (uint half_count = BIN_COUNT / 2u; half_count > 0u; half_count /= 2u) {
        if (i < half_count) {
            kept[i] += kept[i + half_count];
            weighted[i] += weighted[i + half_count];
        }
        barrier();
    }
    if (i == 0u) {
        float wanted = clamp(0.30 / exp2(weighted[0] / max(kept[0], 1.0)), 0.25, 4.0);
        exposure = frame.counts.z == 0u ? wanted : mix(exposure, wanted, 0.08);
    }
}
