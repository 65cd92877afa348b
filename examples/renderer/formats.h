/* SPDX-License-Identifier: MIT */
/* What the frame's images are made of. Every one is a format that all devices must support. */
#ifndef RD_FORMATS_H
#define RD_FORMATS_H

#include "vulkan_api.h"

#define RD_FORMAT_DEPTH     VK_FORMAT_D32_SFLOAT
#define RD_FORMAT_PYRAMID   VK_FORMAT_R32_SFLOAT
#define RD_FORMAT_ALBEDO    VK_FORMAT_R8G8B8A8_SRGB
#define RD_FORMAT_SHAPE     VK_FORMAT_R16G16B16A16_SFLOAT
#define RD_FORMAT_OCCLUSION VK_FORMAT_R8G8B8A8_UNORM
#define RD_FORMAT_LIGHT     VK_FORMAT_R16G16B16A16_SFLOAT
#define RD_FORMAT_PICTURE   VK_FORMAT_R8G8B8A8_UNORM

#endif
