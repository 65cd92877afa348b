/* SPDX-License-Identifier: MIT */
/* A compute from beginning to end. */
#include "engine/vulkan/compute_priv.h"

#include "base/alloc.h"
#include "base/result.h"

static enum fg_result make_layout(struct fg_compute *compute)
{
    const VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, FGI_COMPUTE_PUSH_BYTES };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    return fgi_compute_result(compute, compute->vk.CreatePipelineLayout(compute->device, &info,
                                                                        compute->callbacks,
                                                                        &compute->layout));
}

static bool are_complete(const struct fg_compute_options *options)
{
    return options != NULL && options->instance != VK_NULL_HANDLE &&
           options->physical_device != VK_NULL_HANDLE && options->device != VK_NULL_HANDLE &&
           options->get_instance_proc_addr != NULL &&
           (options->group_size & (options->group_size - 1)) == 0;
}

enum fg_result fg_compute_create(const struct fg_compute_options *options,
                                 struct fg_compute **out_compute, struct fg_diag *diag)
{
    if (!are_complete(options) || out_compute == NULL) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0,
                        "instance, devices and a getter are required; a group size is a power of "
                        "two");
    }
    struct fg_compute *compute = fgi_calloc(options->allocator, 1, sizeof *compute);
    if (compute == NULL) {
        return fgi_fail(diag, FG_ERR_NO_MEMORY, 0, "no memory for the device's description");
    }
    compute->allocator = options->allocator;
    if (options->callbacks != NULL) {
        compute->callbacks_copy = *options->callbacks;
        compute->callbacks = &compute->callbacks_copy;
    }
    compute->physical_device = options->physical_device;
    compute->device = options->device;
    compute->pipeline_cache = options->pipeline_cache;
    atomic_init(&compute->lost, false);
    enum fg_result result = fgi_compute_load(compute, options, diag);
    if (result == FG_OK) {
        result = fgi_compute_find_facts(compute, options, diag);
    }
    if (result == FG_OK) {
        result = make_layout(compute);
        if (result != FG_OK) {
            (void)fgi_fail(diag, result, 0, "the pipeline layout was refused");
        }
    }
    if (result != FG_OK) {
        fgi_free(options->allocator, compute, sizeof *compute);
        return result;
    }
    *out_compute = compute;
    return FG_OK;
}

void fg_compute_destroy(struct fg_compute *compute)
{
    if (compute == NULL) {
        return;
    }
    fgi_compute_pipelines_finish(compute);
    compute->vk.DestroyPipelineLayout(compute->device, compute->layout, compute->callbacks);
    fgi_compute_memory_finish(compute);
    fgi_free(compute->allocator, compute, sizeof *compute);
}

void fg_compute_set_listener(struct fg_compute *compute, const struct fg_compute_listener *listener)
{
    compute->listener = listener != NULL ? *listener : (struct fg_compute_listener){ NULL };
}

const struct fg_compute_facts *fg_compute_get_facts(const struct fg_compute *compute)
{
    return &compute->facts;
}

void fg_compute_get_counts(const struct fg_compute *compute, struct fg_compute_counts *out_counts)
{
    *out_counts = compute->counts;
}
