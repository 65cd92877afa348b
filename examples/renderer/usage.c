/* SPDX-License-Identifier: MIT */
#include "usage.h"

#include "frame_graph.h"

uint32_t rd_image_usage(uint32_t uses)
{
    uint32_t usage = 0;
    usage |= (uses & RD_USE_SAMPLED) != 0 ? RD_IMAGE_SAMPLED : 0;
    usage |= (uses & (RD_USE_STORAGE_READ | RD_USE_STORAGE_WRITE)) != 0 ? RD_IMAGE_STORAGE : 0;
    usage |= (uses & RD_USE_COLOR) != 0 ? RD_IMAGE_COLOR : 0;
    usage |= (uses & (RD_USE_DEPTH_WRITE | RD_USE_DEPTH_READ)) != 0 ? RD_IMAGE_DEPTH : 0;
    usage |= (uses & RD_USE_COPY_FROM) != 0 ? RD_IMAGE_COPY_FROM : 0;
    usage |= (uses & RD_USE_COPY_TO) != 0 ? RD_IMAGE_COPY_TO : 0;
    return usage;
}

uint32_t rd_buffer_usage(uint32_t uses)
{
    uint32_t usage = 0;
    usage |= (uses & (RD_USE_STORAGE_READ | RD_USE_STORAGE_WRITE)) != 0 ? RD_BUFFER_STORAGE : 0;
    usage |= (uses & RD_USE_UNIFORM) != 0 ? RD_BUFFER_UNIFORM : 0;
    usage |= (uses & RD_USE_INDIRECT) != 0 ? RD_BUFFER_INDIRECT : 0;
    usage |= (uses & RD_USE_GEOMETRY) != 0 ? RD_BUFFER_VERTEX | RD_BUFFER_INDEX : 0;
    /* A recorder may want to copy any buffer's contents. */
    usage |= RD_BUFFER_COPY_FROM;
    usage |= (uses & RD_USE_COPY_TO) != 0 ? RD_BUFFER_COPY_TO : 0;
    return usage;
}
