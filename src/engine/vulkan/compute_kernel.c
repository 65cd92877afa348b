/* SPDX-License-Identifier: MIT */
/* Pipelines of kernels, made when they are first needed. */
#include "engine/vulkan/compute_priv.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

enum {
    MAX_PIPELINES = 1 << 16,
    CONSTANTS = FG_COMPUTE_CONSTANT_OWN + FG_COMPUTE_MAX_CONSTANTS,
};

uint32_t fg_compute_group_size(const struct fg_compute *compute,
                               const struct fg_compute_program *program)
{
    if (program->kernel->group_size != 0) {
        return program->kernel->group_size;
    }
    return program->group_size != 0 ? program->group_size : compute->facts.group_size;
}

/** Variants that the device can run, the best first. */
static const struct fg_compute_code *find_code(const struct fg_compute *compute,
                                               const struct fg_compute_kernel *kernel,
                                               unsigned *out_variant)
{
    static const unsigned order[] = { FG_COMPUTE_VARIANT_SUBGROUP | FG_COMPUTE_VARIANT_INT64,
                                      FG_COMPUTE_VARIANT_SUBGROUP, FG_COMPUTE_VARIANT_INT64, 0 };
    unsigned allowed = 0;
    if ((compute->facts.flags & FG_COMPUTE_INT64) != 0) {
        allowed |= FG_COMPUTE_VARIANT_INT64;
    }
    if ((compute->facts.flags & FG_COMPUTE_SUBGROUP) != 0) {
        allowed |= FG_COMPUTE_VARIANT_SUBGROUP;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if ((order[i] & ~allowed) == 0 && kernel->code[order[i]].words != NULL) {
            *out_variant = order[i];
            return &kernel->code[order[i]];
        }
    }
    return NULL;
}

/** What every kernel may declare, then the program's own. */
static uint32_t list_constants(const struct fg_compute *compute,
                               const struct fg_compute_program *program, unsigned variant,
                               VkSpecializationMapEntry *entries, uint32_t *values)
{
    uint32_t count = 0;
    values[count++] = program->group_size;
    values[count++] = compute->facts.group_limit;
    values[count++] =
        (variant & FG_COMPUTE_VARIANT_SUBGROUP) != 0 ? compute->facts.subgroup_size : 0;
    for (uint32_t i = 0; i < program->constant_count; i++) {
        values[count++] = program->constants[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t own = i - (FG_COMPUTE_CONSTANT_SUBGROUP_SIZE + 1);
        entries[i] = (VkSpecializationMapEntry){
            .constantID =
                i <= FG_COMPUTE_CONSTANT_SUBGROUP_SIZE ? i : FG_COMPUTE_CONSTANT_OWN + own,
            .offset = i * (uint32_t)sizeof *values,
            .size = sizeof *values,
        };
    }
    return count;
}

static enum fg_result make_pipeline(struct fg_compute *compute,
                                    const struct fg_compute_program *program,
                                    VkPipeline *out_pipeline)
{
    VkSpecializationMapEntry entries[CONSTANTS];
    uint32_t values[CONSTANTS];
    unsigned variant = 0;
    const struct fg_compute_code *code = find_code(compute, program->kernel, &variant);
    if (code == NULL) {
        return FG_ERR_UNSUPPORTED;
    }
    const uint32_t count = list_constants(compute, program, variant, entries, values);
    const VkSpecializationInfo constants = { count, entries, count * sizeof *values, values };
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code->size_bytes,
        .pCode = code->words,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult result =
        compute->vk.CreateShaderModule(compute->device, &module_info, compute->callbacks, &module);
    if (result == VK_SUCCESS) {
        const VkComputePipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                       .module = module,
                       .pName = "main",
                       .pSpecializationInfo = &constants },
            .layout = compute->layout,
        };
        result = compute->vk.CreateComputePipelines(compute->device, compute->pipeline_cache, 1,
                                                    &info, compute->callbacks, out_pipeline);
        compute->vk.DestroyShaderModule(compute->device, module, compute->callbacks);
    }
    return fgi_compute_result(compute, result);
}

/** The same kernel with the same numbers. Constants that were not given are not compared. */
static bool are_equal(const struct fg_compute_program *a, const struct fg_compute_program *b)
{
    return a->kernel == b->kernel && a->group_size == b->group_size &&
           a->constant_count == b->constant_count &&
           memcmp(a->constants, b->constants, a->constant_count * sizeof *a->constants) == 0;
}

static uint64_t hash_of(const struct fg_compute_program *program)
{
    const uint64_t hash =
        fgi_mix64((uintptr_t)program->kernel ^ (uint64_t)program->group_size << 48);
    return fgi_hash64(hash, program->constants,
                      program->constant_count * sizeof *program->constants);
}

enum fg_result fgi_compute_pipeline(struct fg_compute *compute,
                                    const struct fg_compute_program *program,
                                    VkPipeline *out_pipeline)
{
    struct fg_compute_program wanted = *program;
    VkPipeline pipeline = VK_NULL_HANDLE;
    wanted.group_size = fg_compute_group_size(compute, program);
    const uint64_t hash = hash_of(&wanted);
    for (size_t i = 0; i < compute->pipeline_count; i++) {
        if (compute->pipelines[i].hash == hash &&
            are_equal(&compute->pipelines[i].program, &wanted)) {
            *out_pipeline = compute->pipelines[i].pipeline;
            return FG_OK;
        }
    }
    enum fg_result result = FGI_GROW(compute->allocator, compute->pipelines, compute->pipeline_room,
                                     compute->pipeline_count + 1, MAX_PIPELINES);
    if (result == FG_OK) {
        result = make_pipeline(compute, &wanted, &pipeline);
    }
    if (result != FG_OK) {
        return result;
    }
    compute->pipelines[compute->pipeline_count++] =
        (struct fgi_compute_pipeline){ hash, wanted, pipeline };
    compute->counts.pipelines++;
    *out_pipeline = pipeline;
    return FG_OK;
}

enum fg_result fg_compute_prepare(struct fg_compute *compute,
                                  const struct fg_compute_program *program)
{
    VkPipeline pipeline;
    if (compute == NULL || program == NULL || program->kernel == NULL ||
        program->constant_count > FG_COMPUTE_MAX_CONSTANTS ||
        fg_compute_group_size(compute, program) > compute->facts.max_group_size) {
        return FG_ERR_ARGUMENT;
    }
    if (fg_compute_is_lost(compute)) {
        return FG_ERR_DEVICE_LOST;
    }
    return fgi_compute_pipeline(compute, program, &pipeline);
}

void fgi_compute_pipelines_finish(struct fg_compute *compute)
{
    for (size_t i = 0; i < compute->pipeline_count; i++) {
        compute->vk.DestroyPipeline(compute->device, compute->pipelines[i].pipeline,
                                    compute->callbacks);
    }
    fgi_free(compute->allocator, compute->pipelines,
             compute->pipeline_room * sizeof *compute->pipelines);
}
