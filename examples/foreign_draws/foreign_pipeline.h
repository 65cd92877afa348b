/* SPDX-License-Identifier: MIT */
/* The renderer's own pipelines: a compute shader, and one that draws instances of a row each. */
#ifndef FOREIGN_PIPELINE_H
#define FOREIGN_PIPELINE_H
#include "foreign_device.h"

struct foreign_pipeline {
    VkPipelineLayout layout;
    VkPipeline pipeline;
};
bool foreign_pipeline_compute(struct foreign_device *device, const uint32_t *words,
                              size_t size_bytes, uint32_t push_bytes,
                              struct foreign_pipeline *out_pipeline);
/** Of spans.vert and spans.frag. */
bool foreign_pipeline_spans(struct foreign_device *device, VkRenderPass pass, uint32_t push_bytes,
                            struct foreign_pipeline *out_pipeline);
void foreign_pipeline_destroy(struct foreign_device *device, struct foreign_pipeline *pipeline);

#endif
