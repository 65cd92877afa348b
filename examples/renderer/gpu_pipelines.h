/* SPDX-License-Identifier: MIT */
/* All pipelines, made once. */
#ifndef RD_GPU_PIPELINES_H
#define RD_GPU_PIPELINES_H

#include "gpu_device.h"

struct fg_overdraw_vulkan;
struct rd_recorder;

enum { RD_MAX_BINDINGS = 12 };

enum rd_pipeline_id {
    RD_PIPELINE_CULL_EARLY,
    RD_PIPELINE_CULL_LATE,
    RD_PIPELINE_CULL_SHADOW,
    RD_PIPELINE_SHADOW,
    RD_PIPELINE_DEPTH,
    RD_PIPELINE_HIZ,
    RD_PIPELINE_GBUFFER,
    RD_PIPELINE_AO,
    RD_PIPELINE_AO_BLUR,
    RD_PIPELINE_CLUSTERS,
    RD_PIPELINE_LIGHTING,
    RD_PIPELINE_SKY,
    RD_PIPELINE_FOG,
    RD_PIPELINE_REFLECTIONS,
    RD_PIPELINE_COMPOSITE,
    RD_PIPELINE_PARTICLES_MOVE,
    RD_PIPELINE_PARTICLES_DRAW,
    RD_PIPELINE_TEMPORAL,
    RD_PIPELINE_HISTOGRAM,
    RD_PIPELINE_EXPOSURE,
    RD_PIPELINE_BLOOM_DOWN,
    RD_PIPELINE_BLOOM_UP,
    RD_PIPELINE_TONEMAP,
    RD_PIPELINE_RESOLVE,
    RD_PIPELINE_DEBUG_VIEW,
    /* What draws into heat maps; not there without them. */
    RD_PIPELINE_HEAT_DEPTH,
    RD_PIPELINE_HEAT_SURFACES,
    RD_PIPELINE_HEAT_SKY,
    RD_PIPELINE_HEAT_FIREFLIES,
    RD_PIPELINE_HEAT_FULL,
    RD_PIPELINE_COUNT
};

struct rd_pipeline {
    const char *label;
    /**
     * One letter per binding: u uniform buffer, b storage buffer, s sampled image, i storage image.
     */
    const char *bindings;
    VkPipeline pipeline;
    VkPipelineLayout layout;
    VkDescriptorSetLayout set_layout;
    VkPipelineBindPoint bind_point;
    uint32_t push_bytes;
    VkShaderStageFlags push_stages;
    uint32_t workgroup[3]; /**< zero for draws */
    uint32_t recorded;     /**< the profiler's number for it */
};

struct rd_pipelines {
    struct rd_pipeline all[RD_PIPELINE_COUNT];
};

/**
 * @param maps NULL: without heat maps
 * @return false with the reason in the log. Finish them in either case.
 */
bool rd_pipelines_init(struct rd_pipelines *pipelines, const struct rd_device *device,
                       struct rd_recorder *recorder, const struct fg_overdraw_vulkan *maps);
void rd_pipelines_finish(struct rd_pipelines *pipelines, const struct rd_device *device);

#endif
