/* SPDX-License-Identifier: MIT */
/*
 * The engine on a Vulkan device, held to the contract: as it is; on a device that allows little, in
 * small groups; with a device that is lost at the n-th submission; with a device whose n-th
 * allocation fails. The n-th is another one for every trace, so that falling back happens in the
 * middle of everything. It is known who answered: a host that did so for a device that was well
 * would hold to the contract as well.
 */
#include "compute_bed.h"
#include "engine_contract.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include "support/cmocka_all.h"
#include <frameglass/trace_engine.h>
#include <stdio.h>
#include <string.h>

enum {
    NEVER = -1,
    LOST_BEFORE = 96,    /* submissions */
    REFUSED_BEFORE = 24, /* allocations */
    RETIRED = 4          /* more than there are engines at once */
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
    uint32_t fallen;  /**< of these */
};
static struct fault sound, narrow, lossy, poor;
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

static enum fg_result make_compute(struct fault *fault)
{
    struct fg_compute_options options = bed.options;
    struct fg_compute **oldest = &fault->retired[fault->engines % RETIRED];
    fg_compute_destroy(*oldest);
    *oldest = fault->compute;
    fault->compute = NULL;
    fault->is_lost = false;
    options.block_bytes = fault == &poor ? 1 << 16 : 1 << 20;
    if (fault == &poor) {
        options.get_device_proc_addr = poor_function;
    } else if (fault == &narrow) {
        options.flags |= FG_COMPUTE_NO_SYNCHRONIZATION2 | FG_COMPUTE_NO_MEMORY_BUDGET;
        options.group_limit = 32;
        /* One that lacks these itself (software, without a cache between processes) takes as long
         * for other kernels again as for all its traces. */
        if (bed.features.features.shaderInt64) {
            options.flags |= FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP;
            options.group_size = 64;
        }
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
    enum fg_result result = sound.compute ? FG_OK : make_compute(&sound);
    return result == FG_OK ? create(&sound, allocator, trace, out_engine) : result;
}

static enum fg_result create_narrow(const struct fg_allocator *allocator,
                                    const struct fg_trace *trace, struct fg_engine **out_engine)
{
    narrow.submissions_left = NEVER;
    if (!open_bed()) {
        return FG_ERR_UNSUPPORTED;
    }
    enum fg_result result = narrow.compute ? FG_OK : make_compute(&narrow);
    return result == FG_OK ? create(&narrow, allocator, trace, out_engine) : result;
}

static enum fg_result create_lossy(const struct fg_allocator *allocator,
                                   const struct fg_trace *trace, struct fg_engine **out_engine)
{
    if (!open_bed()) {
        return FG_ERR_UNSUPPORTED;
    }
    bool is_new = !lossy.compute || fg_compute_is_lost(lossy.compute);
    enum fg_result result = is_new ? make_compute(&lossy) : FG_OK;
    lossy.submissions_left = (int)(lossy.engines * 7 % LOST_BEFORE);
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
    enum fg_result result = poor.compute ? FG_OK : make_compute(&poor);
    allocations_left = (int)(poor.engines * 5 % REFUSED_BEFORE);
    return result == FG_OK ? create(&poor, allocator, trace, out_engine) : result;
}

/* ---- who has answered ------------------------------------------------------------------------ */

static void check_never_fell(const struct fg_engine *engine)
{
    struct fg_engine_info info;
    fg_engine_get_info(engine, &info);
    if (info.reason) {
        fail_msg("%s answers: %s", info.answers, info.reason);
    }
    assert_string_equal(info.answers, "vulkan");
}

/** Where it fell, it says so with the word for what was planted. */
static void check_fall(struct fault *fault, const struct fg_engine *engine, enum fg_result planted)
{
    struct fg_engine_info info;
    fg_engine_get_info(engine, &info);
    if (info.reason) {
        assert_non_null(strstr(info.reason, fg_result_text(planted)));
        assert_string_equal(info.answers, "cpu");
        fault->fallen++;
    }
}

static void check_lossy(const struct fg_engine *engine)
{
    check_fall(&lossy, engine, FG_ERR_DEVICE_LOST);
}

static void check_poor(const struct fg_engine *engine)
{
    check_fall(&poor, engine, FG_ERR_NO_MEMORY);
}

const struct contract_engine contract_engines[] = {
    { "vulkan", create_sound, 0, check_never_fell },
    { "vulkan, that allows little", create_narrow, 5, check_never_fell },
    { "vulkan, lost", create_lossy, 3, check_lossy },
    { "vulkan, out of memory", create_poor, 3, check_poor },
};
const size_t contract_engine_count = sizeof contract_engines / sizeof *contract_engines;

int contract_engines_end(void **state)
{
    (void)state;
    allocations_left = NEVER;
    struct fault *faults[] = { &sound, &narrow, &lossy, &poor };
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
    const bool all_fell =
        (lossy.engines == 0 || lossy.fallen > 0) && (poor.engines == 0 || poor.fallen > 0);
    if (!all_fell) {
        fprintf(stderr, "of %u engines on lost devices %u fell back, of %u without memory %u\n",
                (unsigned)lossy.engines, (unsigned)lossy.fallen, (unsigned)poor.engines,
                (unsigned)poor.fallen);
    }
    return bed.messages > 0 || !all_fell ? -1 : 0;
}
