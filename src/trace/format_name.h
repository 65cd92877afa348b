/* SPDX-License-Identifier: MIT */
/* Names of texture formats for people. */
#ifndef FGI_FORMAT_NAME_H
#define FGI_FORMAT_NAME_H
#include <stddef.h>
#include <stdint.h>

enum { FGI_FORMAT_NAME = 48 };
/**
 * "RGBA16F", "RGBA8 sRGB", "D32F", "BC7 sRGB BLOCK", ... of the number of a VkFormat; "format N" of
 * others. Returns `out`.
 */
const char *fgi_format_name(uint32_t format, char *out, size_t size);

#endif
