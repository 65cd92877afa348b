/* SPDX-License-Identifier: MIT */
/*
 * The engine on a Vulkan device, held to the contract: as it is; with a device that is lost at the
 * n-th submission; with a device whose n-th allocation fails. The n-th is another one for every
 * trace, so that falling back happens in the middle of everything.
 */
#include "compute_bed.h"
#include "engine_contract.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include <stdio.h>
#include <string.h>

enum {
    NEVER = -1,
    FAULTS = 24,
    RETIRED = 4 /* more than there are engines at once */
};

/* One device for all traces: pipelines take long to make where the device is software. */
static struct compute_bed bed;
static bool has_bed;
static VkPipelineCache cache;

/** A compute on that device, and what is to go wrong with it. */
struct fault {
    struct fg_compute *compute;
    struct fg_compute *retired[RETIRED]; /**< lost, while engines may still have memory of them */
    int submissions_left;                /**< before the device is lost; NEVER */
    bool is_lost;
    uint32_t engines; /**< made so far */
};
static struct fault sound, lossy, poor;
static int allocations_left = NEVER;

/* ---- a runner, and allocations that fail ----------------------------------------------------- */

static enum fg_result begin(void *context, VkCommandBuffer *out_commands)
{
    struct fault *fault = context;
    compute_bed_begin(bed.commands);
    *out_commands = bed.commands;
    return fault->is_lost ? FG_ERR_DEVICE_LOST : FG_OK;
}

static enum fg_result submit(void *context)
{
    struct fault *fault = context;
    compute_bed_end(bed.commands);
    if (fault->submissions_left == 0) {
        fault->is_lost = true;
        return FG_ERR_DEVICE_LOST;
    }
    fault->submissions_left -= fault->submissions_left > 0;
    compute_bed_submit(&bed, bed.commands);
    return FG_OK;
}

static enum fg_result wait(void *context)
{
    struct fault *fault = context; /* the bed has waited; now and then that is what fails */
    if (fault->submissions_left == 0 && fault->engines % 2 == 0) {
        fault->is_lost = true;
    }
    return fault->is_lost ? FG_ERR_DEVICE_LOST : FG_OK;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                                               const VkAllocationCallbacks *callbacks,
                                               VkDeviceMemory *out_memory)
{
    if (allocations_left == 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    allocations_left -= allocations_left > 0;
    return vkAllocateMemory(device, info, callbacks, out_memory);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL poor_function(VkDevice device, const char *name)
{
    return strcmp(name, "vkAllocateMemory") == 0 ? (PFN_vkVoidFunction)allocate
                                                 : vkGetDeviceProcAddr(device, name);
}

/* ---- engines --------------------------------------------------------------------------------- */

static bool open_bed(void)
{
    if (!has_bed) {
        const VkPipelineCacheCreateInfo info = { .sType =
                                                     VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
        has_bed = compute_bed_create(&bed, 0) &&
                  vkCreatePipelineCache(bed.device, &info, NULL, &cache) == VK_SUCCESS;
        bed.options.pipeline_cache = cache;
    }
    return has_bed;
}

static enum fg_result make_compute(struct fault *fault, bool is_poor)
{
    struct fg_compute_options options = bed.options;
    struct fg_compute **oldest = &fault->retired[fault->engines % RETIRED];
    fg_compute_destroy(*oldest);
    *oldest = fault->compute;
    fault->compute = NULL;
    fault->is_lost = false;
    if (is_poor) {
        options.get_device_proc_addr = poor_function;
        options.block_bytes = 1 << 16;
    } else {
        options.block_bytes = 1 << 20;
    }
    return fg_compute_create(&options, &fault->compute, NULL);
}

static enum fg_result make_host(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, trace, out_engine);
}

static enum fg_result create(struct fault *fault, const struct fg_allocator *allocator,
                             const struct fg_trace *trace, struct fg_engine **out_engine)
{
    const struct fgi_engine_vulkan_options options = {
        .allocator = allocator,
        .runner = { .compute = fault->compute,
                    .context = fault,
                    .begin = begin,
                    .submit = submit,
                    .wait = wait },
        .make_host = make_host,
    };
    fault->engines++;
    return fgi_engine_vulkan_create(&options, trace, out_engine);
}

static enum fg_result create_sound(const struct fg_allocator *allocator,
                                   const struct fg_trace *trace, struct fg_engine **out_engine)
{
    sound.submissions_left = NEVER;
    if (!open_bed()) {
        return FG_ERR_UNSUPPORTED;
    }
    enum fg_result result = sound.compute ? FG_OK : make_compute(&sound, false);
    return result == FG_OK ? create(&sound, allocator, trace, out_engine) : result;
}

static enum fg_result create_lossy(const struct fg_allocator *allocator,
                                   const struct fg_trace *trace, struct fg_engine **out_engine)
{
    if (!open_bed()) {
        return FG_ERR_UNSUPPORTED;
    }
    bool is_new = !lossy.compute || fg_compute_is_lost(lossy.compute);
    enum fg_result result = is_new ? make_compute(&lossy, false) : FG_OK;
    lossy.submissions_left = (int)(lossy.engines * 7 % FAULTS);
    return result == FG_OK ? create(&lossy, allocator, trace, out_engine) : result;
}

static enum fg_result create_poor(const struct fg_allocator *allocator,
                                  const struct fg_trace *trace, struct fg_engine **out_engine)
{
    if (!open_bed()) {
        return FG_ERR_UNSUPPORTED;
    }
    poor.submissions_left = NEVER;
    allocations_left = NEVER;
    enum fg_result result = poor.compute ? FG_OK : make_compute(&poor, true);
    allocations_left = (int)(poor.engines * 5 % FAULTS);
    return result == FG_OK ? create(&poor, allocator, trace, out_engine) : result;
}

const struct contract_engine contract_engines[] = {
    { "vulkan", create_sound, 0 },
    { "vulkan, lost", create_lossy, 3 },
    { "vulkan, out of memory", create_poor, 3 },
};
const size_t contract_engine_count = sizeof contract_engines / sizeof *contract_engines;

int contract_engines_end(void **state)
{
    (void)state;
    allocations_left = NEVER;
    struct fault *faults[] = { &sound, &lossy, &poor };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        fg_compute_destroy(faults[i]->compute);
        for (size_t k = 0; k < RETIRED; k++) {
            fg_compute_destroy(faults[i]->retired[k]);
        }
    }
    if (has_bed) {
        vkDestroyPipelineCache(bed.device, cache, NULL);
        compute_bed_destroy(&bed);
    }
    if (bed.messages > 0) {
        fprintf(stderr, "the validation layer had %u messages\n", (unsigned)bed.messages);
    }
    return bed.messages > 0 ? -1 : 0;
}
