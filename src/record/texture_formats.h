/* SPDX-License-Identifier: MIT */
/* How many bytes textures of each format take: every core single-plane format of Vulkan. */
#ifndef FGI_TEXTURE_FORMATS_H
#define FGI_TEXTURE_FORMATS_H
#include <frameglass/base.h>

/** Texels are stored in blocks; of formats that are not compressed a block is one texel. */
struct fgi_format_block {
    uint8_t bytes;
    uint8_t width;
    uint8_t height;
};

/** Block of a VkFormat; false for formats that are unknown or have several planes. Threads: any. */
bool fgi_format_find(uint32_t format, struct fgi_format_block *out_block);

#endif
