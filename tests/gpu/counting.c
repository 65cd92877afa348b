/* SPDX-License-Identifier: MIT */
#include "counting.h"
#include <stdlib.h>
#include <string.h>

static void *resize(void *context, void *block, size_t old_size, size_t size)
{
    struct counting *counting = context;
    if (size == 0) {
        atomic_fetch_sub(&counting->live_bytes, (long)old_size);
        free(block);
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL) {
        atomic_fetch_add(&counting->live_bytes, (long)size - (long)old_size);
    }
    return moved;
}

/** Alignment is larger than malloc's at times: the block's start is kept in front of it. */
static void *VKAPI_PTR vulkan_allocate(void *context, size_t size, size_t alignment,
                                       VkSystemAllocationScope scope)
{
    struct counting *counting = context;
    (void)scope;
    const size_t header = 2 * sizeof(void *);
    alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    char *start = malloc(size + alignment + header);
    if (start == NULL) {
        return NULL;
    }
    uintptr_t address = ((uintptr_t)start + header + alignment - 1) / alignment * alignment;
    void *block = start + (address - (uintptr_t)start);
    memcpy((char *)block - sizeof start, &start, sizeof start);
    memcpy((char *)block - header, &size, sizeof size);
    atomic_fetch_add(&counting->live_blocks, 1);
    atomic_fetch_add(&counting->total_blocks, 1);
    return block;
}

static void VKAPI_PTR vulkan_free(void *context, void *block)
{
    struct counting *counting = context;
    char *start;
    if (block != NULL) {
        memcpy(&start, (char *)block - sizeof start, sizeof start);
        free(start);
        atomic_fetch_sub(&counting->live_blocks, 1);
    }
}

static void *VKAPI_PTR vulkan_resize(void *context, void *block, size_t size, size_t alignment,
                                     VkSystemAllocationScope scope)
{
    size_t old_size;
    void *moved = size != 0 ? vulkan_allocate(context, size, alignment, scope) : NULL;
    if (moved != NULL && block != NULL) {
        memcpy(&old_size, (char *)block - 2 * sizeof(void *), sizeof old_size);
        memcpy(moved, block, old_size < size ? old_size : size);
    }
    if (moved != NULL || size == 0) {
        vulkan_free(context, block);
    }
    return moved;
}

void counting_init(struct counting *counting)
{
    memset(counting, 0, sizeof *counting);
    counting->allocator = (struct fg_allocator){ resize, counting };
    counting->callbacks = (VkAllocationCallbacks){
        .pUserData = counting,
        .pfnAllocation = vulkan_allocate,
        .pfnReallocation = vulkan_resize,
        .pfnFree = vulkan_free,
    };
}
