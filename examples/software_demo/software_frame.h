/* SPDX-License-Identifier: MIT */
/* One frame: its graph, and what each pass tells the recorder. */
#ifndef SD_SOFTWARE_FRAME_H
#define SD_SOFTWARE_FRAME_H

#include "software_steps.h"

#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <record_graph.h>

enum {
    SD_MAX_STEPS = 64,
    SD_MAX_DRAWS = 64,       /**< of one pass */
    SD_GRAPHICS_BATCHES = 3, /**< before the other queue's work, beside it, after it */
    SD_COMPUTE_BATCH = SD_GRAPHICS_BATCHES,
    SD_BATCH_COUNT
};

/** What the GPU would read for an indexed draw; laid out as Vulkan's. */
struct sd_arguments {
    uint32_t index_count;
    uint32_t instance_count;
    uint32_t first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
};

/** What a frame in flight owns until the device is done with it. */
struct sd_slot {
    struct fg_software_commands *natives[SD_BATCH_COUNT];
    struct sd_arguments arguments[SD_MAX_STEPS][SD_MAX_DRAWS];
};

struct sd_frame {
    struct fg_device *device;
    struct fg_frame *recorded;
    struct sd_slot *slot;
    const uint32_t *pipelines; /**< by step */
    struct rd_graph *graph;
    struct rd_recorded_graph *recorded_graph;
    uint32_t index;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t seed;
    bool hitch;

    uint16_t versions[SD_RESOURCE_COUNT];
    uint16_t steps[RD_GRAPH_MAX_PASSES]; /**< of each pass */
    struct fg_commands *commands[SD_BATCH_COUNT];
    uint32_t gpu_pass_count;
    int64_t graphics_ns; /**< what it costs the device, queue by queue */
    int64_t compute_ns;
};

/** Declare and compile. @return false: see the graph's error */
bool sd_frame_declare(struct sd_frame *frame);
/** Bytes of the transient resources side by side, and laid over each other where they can be. */
void sd_frame_memory(const struct sd_frame *frame, uint64_t *out_unshared_bytes,
                     uint64_t *out_shared_bytes);
/** Bytes that the imported images and buffers declare. */
void sd_frame_resident(const struct sd_frame *frame, uint64_t *out_image_bytes,
                       uint64_t *out_buffer_bytes);
/** Record every live pass into its batch. */
void sd_frame_record(struct sd_frame *frame);

#endif
