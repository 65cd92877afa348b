/* SPDX-License-Identifier: MIT */
/* The Vulkan entry points, loaded at run time. */
#ifndef RD_VULKAN_API_H
#define RD_VULKAN_API_H

#include <volk.h>

#endif
