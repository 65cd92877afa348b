/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan device made of counters: it has the limits that it is told, fails when it is told, and
 * writes down what is encoded. Nothing is computed.
 */
#ifndef FGT_FAKE_VULKAN_H
#define FGT_FAKE_VULKAN_H
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <frameglass/compute_plan.h>

enum { FAKE_SCOPES = 16 };

enum fake_command_kind {
    FAKE_BARRIER,
    FAKE_DISPATCH,
    FAKE_DISPATCH_INDIRECT,
    FAKE_FILL,
    FAKE_COPY,
    FAKE_MARK, /**< of a test: fake_mark() */
};

struct fake_scope {
    uint64_t from_stages, from_accesses, to_stages, to_accesses;
};

struct fake_command {
    enum fake_command_kind kind;
    uint32_t groups[3];
    uint32_t mark;
    uint32_t scope_count;
    struct fake_scope scopes[FAKE_SCOPES];
};

struct fake_vulkan {
    /* What the device is like; set after fake_reset(). */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceSubgroupProperties subgroup;
    uint64_t max_allocation_bytes;
    uint64_t heap_bytes[2]; /**< of the device; of the host */
    bool has_budget;
    uint64_t budget_bytes; /**< of the device's heap, with has_budget */
    uint32_t timestamp_bits;
    const char *missing; /**< a function that is not there */
    /* What happens to it. */
    long countdown; /**< calls that may fail until one does; negative = none does */
    VkResult failure;
    uint64_t largest_bytes; /**< allocations over this fail; 0 = none does */
    /* What was seen. */
    long alive; /**< objects */
    bool failed;
    uint64_t allocated_bytes;
    struct fake_command *commands;
    size_t command_count;
    size_t command_room;
    uint64_t next_handle;
};
extern struct fake_vulkan fake;

/** A good device without history. */
void fake_reset(void);
/** Forget what was encoded. */
void fake_forget(void);
void fake_mark(uint32_t mark);
/** All that is needed, with buffer addresses. */
struct fg_compute_options fake_options(void);
VkCommandBuffer fake_commands(void);

#endif
