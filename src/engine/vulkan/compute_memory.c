/* SPDX-License-Identifier: MIT */
/* Memory in blocks: one device allocation and one buffer each, out of which views are taken. */
#include "engine/vulkan/compute_priv.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 1024 * 1024 };
/** What is kept for the questions to come may be this part of the budget. */
enum { IDLE_PART = 8 };

#define NO_TYPE UINT32_MAX

/** Every buffer is good for whatever a view may be bound as. */
static const VkBufferUsageFlags usages =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

#define ON_DEVICE VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define COHERENT  (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define CACHED    VK_MEMORY_PROPERTY_HOST_CACHED_BIT

/** What a kind should be, the best first; 0 = there is no other way. Vulkan promises a type for the
 *  last one of each. */
static const VkMemoryPropertyFlags wishes[FG_COMPUTE_MEMORY_KINDS][2] = {
    [FG_COMPUTE_DEVICE] = { ON_DEVICE, 0 },
    [FG_COMPUTE_CONTROL] = { ON_DEVICE | COHERENT, COHERENT },
    [FG_COMPUTE_UPLOAD] = { COHERENT, 0 },
    [FG_COMPUTE_READBACK] = { COHERENT | CACHED, COHERENT },
};

uint64_t fgi_compute_aligned(const struct fg_compute *compute, uint64_t size_bytes)
{
    const uint64_t mask = compute->facts.alignment_bytes - 1;
    return (size_bytes + mask) & ~mask;
}

/** Types that are there for something else do not count: accesses to them cost more, or fail. */
static uint32_t find_type(const struct fg_compute *compute, uint32_t allowed,
                          VkMemoryPropertyFlags wanted)
{
    const VkMemoryPropertyFlags special = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                          VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                          VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    for (uint32_t i = 0; wanted != 0 && i < compute->memory_types.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags has = compute->memory_types.memoryTypes[i].propertyFlags;
        if ((allowed & 1u << i) != 0 && (has & wanted) == wanted && (has & special) == 0) {
            return i;
        }
    }
    return NO_TYPE;
}

static enum fg_result allocate(struct fg_compute *compute, struct fgi_compute_block *block)
{
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .pNext = &flags };
    VkMemoryRequirements needs;
    VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
    compute->vk.GetBufferMemoryRequirements(compute->device, block->buffer, &needs);
    info.allocationSize = needs.size;
    /* The better kind of memory may be a small heap. */
    for (int i = 0; i < 2 && result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST; i++) {
        const uint32_t type = find_type(compute, needs.memoryTypeBits, wishes[block->kind][i]);
        if (type != NO_TYPE) {
            info.memoryTypeIndex = type;
            result = compute->vk.AllocateMemory(compute->device, &info, compute->callbacks,
                                                &block->memory);
        }
    }
    return fgi_compute_result(compute, result);
}

/** Buffer and memory, bound and mapped. What was made is the block's, also on failure. */
static enum fg_result fill_block(struct fg_compute *compute, struct fgi_compute_block *block)
{
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = block->size_bytes,
                                      .usage = usages };
    void *host = NULL;
    enum fg_result result =
        fgi_compute_result(compute, compute->vk.CreateBuffer(compute->device, &info,
                                                             compute->callbacks, &block->buffer));
    if (result == FG_OK) {
        result = allocate(compute, block);
    }
    if (result == FG_OK) {
        result = fgi_compute_result(compute, compute->vk.BindBufferMemory(
                                                 compute->device, block->buffer, block->memory, 0));
    }
    if (result == FG_OK && block->kind != FG_COMPUTE_DEVICE) {
        result = fgi_compute_result(compute, compute->vk.MapMemory(compute->device, block->memory,
                                                                   0, VK_WHOLE_SIZE, 0, &host));
        block->host = host;
    }
    if (result == FG_OK && block->kind == FG_COMPUTE_CONTROL) {
        block->known = fgi_calloc(compute->allocator, block->size_bytes, 1);
        if (block->known == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        memset(block->host, 0, block->size_bytes);
    }
    if (result == FG_OK) {
        const VkBufferDeviceAddressInfo address = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = block->buffer
        };
        block->address = compute->vk.GetBufferDeviceAddress(compute->device, &address);
    }
    return result;
}

static void destroy_block(struct fg_compute *compute, struct fgi_compute_block *block)
{
    compute->vk.DestroyBuffer(compute->device, block->buffer, compute->callbacks);
    compute->vk.FreeMemory(compute->device, block->memory, compute->callbacks);
    fgi_free(compute->allocator, block->known, block->size_bytes);
    fgi_free(compute->allocator, block->gaps, block->gap_room * sizeof *block->gaps);
    fgi_free(compute->allocator, block, sizeof *block);
}

/** Blocks without views are as good as free: they go before anything is refused. */
static uint64_t idle_bytes(const struct fg_compute *compute)
{
    uint64_t bytes = 0;
    for (const struct fgi_compute_block *block = compute->blocks; block != NULL;
         block = block->next) {
        bytes += block->views == 0 ? block->size_bytes : 0;
    }
    return bytes;
}

/** What the device's own heaps have left for this process. */
static uint64_t device_left(const struct fg_compute *compute)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
    };
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget
    };
    uint64_t left_bytes = 0;
    if ((compute->facts.flags & FG_COMPUTE_MEMORY_BUDGET) == 0) {
        return UINT64_MAX;
    }
    compute->vk.GetPhysicalDeviceMemoryProperties2(compute->physical_device, &memory);
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; i++) {
        if ((memory.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 &&
            budget.heapBudget[i] > budget.heapUsage[i]) {
            left_bytes += budget.heapBudget[i] - budget.heapUsage[i];
        }
    }
    return left_bytes;
}

/** Without what is idle. */
static uint64_t left_now(const struct fg_compute *compute)
{
    const uint64_t used_bytes = compute->counts.block_bytes;
    const uint64_t budget_bytes = compute->facts.budget_bytes;
    const uint64_t ours = budget_bytes > used_bytes ? budget_bytes - used_bytes : 0;
    const uint64_t device = device_left(compute);
    return ours < device ? ours : device;
}

uint64_t fg_compute_memory_left(const struct fg_compute *compute)
{
    const uint64_t left_bytes = left_now(compute);
    const uint64_t more_bytes = idle_bytes(compute);
    return left_bytes > UINT64_MAX - more_bytes ? UINT64_MAX : left_bytes + more_bytes;
}

static enum fg_result create_block(struct fg_compute *compute, enum fg_compute_memory_kind kind,
                                   uint64_t size_bytes, struct fgi_compute_block **out_block)
{
    if (size_bytes > left_now(compute)) {
        return FG_ERR_LIMIT;
    }
    struct fgi_compute_block *block = fgi_calloc(compute->allocator, 1, sizeof *block);
    if (block == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    block->kind = kind;
    block->size_bytes = size_bytes;
    enum fg_result result = FGI_GROW(compute->allocator, block->gaps, block->gap_room, 4, SIZE_MAX);
    if (result == FG_OK) {
        result = fill_block(compute, block);
    }
    if (result != FG_OK) {
        destroy_block(compute, block);
        return result;
    }
    block->gaps[block->gap_count++] = (struct fgi_compute_gap){ 0, size_bytes };
    block->next = compute->blocks;
    compute->blocks = block;
    compute->counts.blocks++;
    compute->counts.block_bytes += size_bytes;
    *out_block = block;
    return FG_OK;
}

/** A kind's blocks double what it has, up to the largest; where that is too much, what is asked. */
static enum fg_result add_block(struct fg_compute *compute, enum fg_compute_memory_kind kind,
                                uint64_t needed_bytes, struct fgi_compute_block **out_block)
{
    uint64_t size_bytes = FIRST_BLOCK_BYTES;
    for (const struct fgi_compute_block *block = compute->blocks; block != NULL;
         block = block->next) {
        size_bytes += block->kind == kind ? block->size_bytes : 0;
    }
    size_bytes = fgi_compute_aligned(compute, size_bytes);
    if (size_bytes > compute->facts.block_bytes) {
        size_bytes = compute->facts.block_bytes;
    }
    if (size_bytes > needed_bytes) {
        const enum fg_result result = create_block(compute, kind, size_bytes, out_block);
        if (result == FG_OK || result == FG_ERR_DEVICE_LOST) {
            return result;
        }
    }
    return create_block(compute, kind, needed_bytes, out_block);
}

/** The smallest gap of the kind that is large enough. */
static struct fgi_compute_block *find_gap(struct fg_compute *compute,
                                          enum fg_compute_memory_kind kind, uint64_t size_bytes,
                                          size_t *out_gap)
{
    struct fgi_compute_block *best = NULL;
    uint64_t best_bytes = UINT64_MAX;
    for (struct fgi_compute_block *block = compute->blocks; block != NULL; block = block->next) {
        for (size_t i = 0; block->kind == kind && i < block->gap_count; i++) {
            const uint64_t gap_bytes = block->gaps[i].size_bytes;
            if (gap_bytes >= size_bytes && gap_bytes < best_bytes) {
                best = block;
                best_bytes = gap_bytes;
                *out_gap = i;
            }
        }
    }
    return best;
}

/** Take the front of a gap. */
static enum fg_result take(struct fg_compute *compute, struct fgi_compute_block *block, size_t at,
                           uint64_t size_bytes, uint64_t *out_offset)
{
    struct fgi_compute_gap *gap = NULL;
    /* Among so many views there is at most one gap more. */
    const enum fg_result result =
        FGI_GROW(compute->allocator, block->gaps, block->gap_room, block->views + 2, SIZE_MAX);
    if (result != FG_OK) {
        return result;
    }
    gap = &block->gaps[at];
    *out_offset = gap->offset_bytes;
    gap->offset_bytes += size_bytes;
    gap->size_bytes -= size_bytes;
    if (gap->size_bytes == 0) {
        memmove(gap, gap + 1, (block->gap_count - at - 1) * sizeof *gap);
        block->gap_count--;
    }
    block->views++;
    compute->counts.views++;
    compute->counts.used_bytes += size_bytes;
    if (compute->counts.peak_used_bytes < compute->counts.used_bytes) {
        compute->counts.peak_used_bytes = compute->counts.used_bytes;
    }
    return FG_OK;
}

/** Give a block to the device. */
static void drop_block(struct fg_compute *compute, struct fgi_compute_block *block)
{
    struct fgi_compute_block **link = &compute->blocks;
    while (*link != block) {
        link = &(*link)->next;
    }
    *link = block->next;
    compute->counts.blocks--;
    compute->counts.block_bytes -= block->size_bytes;
    destroy_block(compute, block);
}

/** All blocks without views go. False: there were none. */
static bool drop_idle(struct fg_compute *compute)
{
    const uint32_t before = compute->counts.blocks;
    for (struct fgi_compute_block *block = compute->blocks, *next = NULL; block != NULL;
         block = next) {
        next = block->next;
        if (block->views == 0) {
            drop_block(compute, block);
        }
    }
    return compute->counts.blocks < before;
}

static enum fg_result take_anywhere(struct fg_compute *compute, enum fg_compute_memory_kind kind,
                                    uint64_t size_bytes, struct fg_compute_memory *out_memory)
{
    const uint64_t taken_bytes = fgi_compute_aligned(compute, size_bytes);
    uint64_t offset_bytes = 0;
    size_t gap = 0;
    enum fg_result result = FG_OK;
    struct fgi_compute_block *block = find_gap(compute, kind, taken_bytes, &gap);
    if (block == NULL) {
        result = add_block(compute, kind, taken_bytes, &block);
        if (result != FG_OK && result != FG_ERR_DEVICE_LOST && drop_idle(compute)) {
            result = add_block(compute, kind, taken_bytes, &block);
        }
    }
    if (result == FG_OK) {
        result = take(compute, block, gap, taken_bytes, &offset_bytes);
    }
    if (result != FG_OK) {
        return result;
    }
    *out_memory = (struct fg_compute_memory){
        .view = { block->buffer, offset_bytes, size_bytes, block->address + offset_bytes },
        .host = block->host != NULL && block->known == NULL ? block->host + offset_bytes : NULL,
        .block = block,
    };
    return FG_OK;
}

enum fg_result fg_compute_memory_take(struct fg_compute *compute, enum fg_compute_memory_kind kind,
                                      uint64_t size_bytes, struct fg_compute_memory *out_memory)
{
    enum fg_result result = FG_ERR_LIMIT;
    if (compute == NULL || out_memory == NULL || size_bytes == 0 ||
        (unsigned)kind >= FG_COMPUTE_MEMORY_KINDS) {
        return FG_ERR_ARGUMENT;
    }
    if (fg_compute_is_lost(compute)) {
        return FG_ERR_DEVICE_LOST;
    }
    if (size_bytes <= compute->facts.block_bytes) {
        result = take_anywhere(compute, kind, size_bytes, out_memory);
    }
    if (result != FG_OK) {
        compute->counts.refused++;
    }
    return result;
}

/** Give a range back to its block, joined with the gaps that it touches. */
static void put_gap(struct fgi_compute_block *block, uint64_t offset_bytes, uint64_t size_bytes)
{
    size_t at = 0;
    while (at < block->gap_count && block->gaps[at].offset_bytes < offset_bytes) {
        at++;
    }
    struct fgi_compute_gap *gaps = block->gaps;
    const bool joins_left =
        at > 0 && gaps[at - 1].offset_bytes + gaps[at - 1].size_bytes == offset_bytes;
    const bool joins_right =
        at < block->gap_count && offset_bytes + size_bytes == gaps[at].offset_bytes;
    if (joins_left && joins_right) {
        gaps[at - 1].size_bytes += size_bytes + gaps[at].size_bytes;
        memmove(&gaps[at], &gaps[at + 1], (block->gap_count - at - 1) * sizeof *gaps);
        block->gap_count--;
    } else if (joins_left) {
        gaps[at - 1].size_bytes += size_bytes;
    } else if (joins_right) {
        gaps[at].offset_bytes = offset_bytes;
        gaps[at].size_bytes += size_bytes;
    } else {
        memmove(&gaps[at + 1], &gaps[at], (block->gap_count - at) * sizeof *gaps);
        gaps[at] = (struct fgi_compute_gap){ offset_bytes, size_bytes };
        block->gap_count++;
    }
}

/** A block without views stays for what is taken next, as device allocations are slow: up to a part
 *  of the budget, and always the only one of its kind. */
static void drop_if_idle(struct fg_compute *compute, struct fgi_compute_block *block)
{
    bool has_other = false;
    for (const struct fgi_compute_block *other = compute->blocks; other != NULL;
         other = other->next) {
        has_other = has_other || (other != block && other->kind == block->kind);
    }
    if (block->views == 0 && has_other &&
        idle_bytes(compute) > compute->facts.budget_bytes / IDLE_PART) {
        drop_block(compute, block);
    }
}

void fg_compute_memory_free(struct fg_compute *compute, struct fg_compute_memory *memory)
{
    if (compute == NULL || memory == NULL || memory->block == NULL) {
        return;
    }
    struct fgi_compute_block *block = memory->block;
    const uint64_t taken_bytes = fgi_compute_aligned(compute, memory->view.size_bytes);
    put_gap(block, memory->view.offset_bytes, taken_bytes);
    block->views--;
    compute->counts.views--;
    compute->counts.used_bytes -= taken_bytes;
    drop_if_idle(compute, block);
    *memory = (struct fg_compute_memory){ 0 };
}

void fgi_compute_memory_finish(struct fg_compute *compute)
{
    while (compute->blocks != NULL) {
        struct fgi_compute_block *block = compute->blocks;
        compute->blocks = block->next;
        destroy_block(compute, block);
    }
}

struct fg_compute_view fg_compute_view_part(struct fg_compute_view view, uint64_t offset_bytes,
                                            uint64_t size_bytes)
{
    view.offset_bytes += offset_bytes;
    view.size_bytes = size_bytes;
    view.address += view.address != 0 ? offset_bytes : 0;
    return view;
}

uint64_t fg_compute_write(struct fg_compute *compute, const struct fg_compute_memory *memory,
                          uint64_t offset_bytes, const void *bytes, size_t size)
{
    struct fgi_compute_block *block = memory->block;
    const uint8_t *from = bytes;
    uint64_t written_bytes = 0;
    assert(block->kind == FG_COMPUTE_CONTROL && offset_bytes <= memory->view.size_bytes &&
           size <= memory->view.size_bytes - offset_bytes);
    uint8_t *known = block->known + memory->view.offset_bytes + offset_bytes;
    uint8_t *to = block->host + memory->view.offset_bytes + offset_bytes;
    for (size_t i = 0; i < size; i += sizeof(uint32_t)) {
        const size_t some = size - i < sizeof(uint32_t) ? size - i : sizeof(uint32_t);
        if (memcmp(known + i, from + i, some) != 0) {
            memcpy(known + i, from + i, some);
            memcpy(to + i, from + i, some);
            written_bytes += some;
        }
    }
    compute->counts.written_bytes += written_bytes;
    return written_bytes;
}
