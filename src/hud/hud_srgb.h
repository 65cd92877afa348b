/* SPDX-License-Identifier: MIT */
/* The transfer function of sRGB, for one channel from 0 to 1. The shaders have the same. */
#ifndef FGI_HUD_SRGB_H
#define FGI_HUD_SRGB_H
#include <math.h>

static inline float fgi_srgb_decode(float encoded)
{
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

static inline float fgi_srgb_encode(float light)
{
    return light <= 0.0031308f ? light * 12.92f : 1.055f * powf(light, 1.0f / 2.4f) - 0.055f;
}

#endif
