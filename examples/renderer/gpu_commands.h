/* SPDX-License-Identifier: MIT */
/* What passes record: GPU passes, bindings, draws, dispatches, copies. All of it is told to the
 * recorder. */
#ifndef RD_GPU_COMMANDS_H
#define RD_GPU_COMMANDS_H

#include "gpu_pipelines.h"
#include "gpu_resources.h"
#include "record.h"

/** One command buffer being recorded. */
struct rd_commands {
    const struct rd_device *device;
    const struct rd_pipelines *pipelines;
    VkCommandBuffer buffer;
    VkDescriptorPool pool; /**< of the frame */
    struct rd_recorded *recorded;
    const struct rd_pipeline *bound;
    uint32_t gpu_pass_count; /**< begun so far */
    uint32_t draw_count;     /**< without the display's */
};

struct rd_binding {
    const struct rd_buffer *buffer; /**< or an image's view */
    VkImageView view;
    enum rd_sampler sampler;
    VkImageLayout layout;
    uint64_t graph_resource; /**< of buffer or image */
};

struct rd_binding rd_bind_buffer(const struct rd_buffer *buffer);
struct rd_binding rd_bind_sampled(const struct rd_image *image, enum rd_sampler sampler);
/** One mip level or layer, in whatever layout the image is. */
struct rd_binding rd_bind_sampled_part(const struct rd_image *image, uint32_t part);
struct rd_binding rd_bind_storage(const struct rd_image *image);
struct rd_binding rd_bind_storage_part(const struct rd_image *image, uint32_t part);

struct rd_target {
    const struct rd_image *image;
    VkImageView view; /**< null = all of the image */
    bool clear;       /**< to zero; else what is there is loaded */
    bool read_only;   /**< depth that is only compared with */
};

/** A GPU pass that draws. @param depth NULL = none */
void rd_begin_draws(struct rd_commands *commands, const char *label, const struct rd_target *colors,
                    uint32_t color_count, const struct rd_target *depth);
void rd_end_draws(struct rd_commands *commands);
/** A GPU pass of dispatches or copies. */
void rd_begin_work(struct rd_commands *commands, const char *label, enum rd_pass_kind kind);
void rd_end_work(struct rd_commands *commands);

/**
 * Choose a pipeline with everything that it reads, in the order of its list of bindings.
 * @param push NULL = none; else as many bytes as the pipeline takes
 */
bool rd_bind(struct rd_commands *commands, enum rd_pipeline_id pipeline,
             const struct rd_binding *bindings, uint32_t count, const void *push);
/** Change the push constants of the bound pipeline. */
void rd_push(struct rd_commands *commands, const void *push);

void rd_draw(struct rd_commands *commands, uint32_t vertex_count, uint32_t instance_count);
void rd_draw_indexed_indirect(struct rd_commands *commands, const struct rd_buffer *buffer,
                              uint64_t offset_bytes);
/** As many groups as cover so many threads. */
void rd_dispatch(struct rd_commands *commands, uint32_t x, uint32_t y);
/** Inside a pass: later dispatches see what earlier ones stored. */
void rd_storage_barrier(struct rd_commands *commands);
/** The same after a copy or fill. */
void rd_copy_barrier(struct rd_commands *commands);

void rd_copy_buffer(struct rd_commands *commands, const struct rd_buffer *from,
                    uint64_t from_offset_bytes, const struct rd_buffer *to, uint64_t size_bytes);
void rd_fill_buffer(struct rd_commands *commands, const struct rd_buffer *buffer, uint32_t word);

#endif
