/* SPDX-License-Identifier: MIT */
/* The one place that holds the loader's function pointers. */
#define VOLK_IMPLEMENTATION
#include "vulkan_api.h"
