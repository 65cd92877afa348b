/* SPDX-License-Identifier: MIT */
/* Bytes that a resource declares. Whatever is given, nothing overflows: it saturates. */
#include "record/texture_formats.h"
#include <frameglass/graph.h>

#define MIPS_MAX 33 /* levels beyond have the size of the last one */

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** Extent of a mip level: halved and rounded down per level, never under 1. */
static uint64_t extent_at(uint32_t extent, uint32_t mip)
{
    uint64_t halved = mip < 32 ? extent >> mip : 0;
    return halved != 0 ? halved : 1;
}

static uint64_t mip_bytes(const struct fg_resource_desc *desc, struct fgi_format_block block,
                          uint32_t mip)
{
    uint32_t dimension = desc->dimension != 0 ? desc->dimension : 2;
    uint64_t width = extent_at(desc->width, mip);
    uint64_t height = dimension > 1 ? extent_at(desc->height, mip) : 1;
    uint64_t depth = dimension > 2 ? extent_at(desc->depth, mip) : 1;
    uint64_t columns = (width + block.width - 1) / block.width;
    uint64_t rows = (height + block.height - 1) / block.height;
    return saturating_mul(saturating_mul(columns * rows, depth), block.bytes);
}

static uint64_t texture_bytes(const struct fg_resource_desc *desc, struct fgi_format_block block)
{
    uint32_t mips = desc->mips != 0 ? desc->mips : 1;
    uint64_t bytes = 0;
    for (uint32_t mip = 0; mip < mips && mip < MIPS_MAX; mip++) {
        bytes = saturating_add(bytes, mip_bytes(desc, block, mip));
    }
    if (mips > MIPS_MAX) {
        bytes = saturating_add(bytes,
                               saturating_mul(mips - MIPS_MAX, mip_bytes(desc, block, MIPS_MAX)));
    }
    bytes = saturating_mul(bytes, desc->layers != 0 ? desc->layers : 1);
    return saturating_mul(bytes, desc->samples != 0 ? desc->samples : 1);
}

bool fg_resource_footprint(const struct fg_resource_desc *desc, uint64_t *out_bytes)
{
    struct fgi_format_block block;
    *out_bytes = 0;
    if (desc->kind == FG_RESOURCE_BUFFER) {
        *out_bytes = desc->size_bytes;
        return true;
    }
    if (desc->kind != FG_RESOURCE_TEXTURE || desc->width == 0 ||
        !fgi_format_find(desc->format, &block)) {
        return false;
    }
    *out_bytes = texture_bytes(desc, block);
    return true;
}
