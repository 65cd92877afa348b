/* SPDX-License-Identifier: MIT */
/*
 * The frame graph on a device: memory for its transient resources, and the barriers before each
 * pass.
 *
 * A plan holds the transient resources of one topology. Plans are kept by the graph's hash; all of
 * them share two pieces of memory, one for images and one for buffers, in which each topology
 * places what is never alive together at the same offsets.
 */
#ifndef RD_GPU_GRAPH_H
#define RD_GPU_GRAPH_H

#include "frame_graph.h"
#include "gpu_resources.h"

enum { RD_MAX_PLANS = 16 };

/** Device memory that resources of many plans lie in. */
struct rd_heap {
    VkDeviceMemory memory;
    uint64_t size_bytes;
    uint32_t type_bits;
};

/** One transient resource of a plan. */
struct rd_transient {
    bool used;
    struct rd_image image;
    struct rd_buffer buffer;
    VkPipelineStageFlags2 rival_stages; /**< where its memory may have been used before */
    VkAccessFlags2 rival_writes;
};

struct rd_plan {
    bool used;
    uint64_t hash;
    struct rd_transient items[RD_GRAPH_MAX_RESOURCES];
    uint64_t shared_bytes;   /**< memory behind the items */
    uint64_t unshared_bytes; /**< what they would take side by side */
};

struct rd_plans {
    struct rd_plan all[RD_MAX_PLANS];
    struct rd_heap image_heap;
    struct rd_heap buffer_heap;
    const struct rd_plan *last; /**< the plan of the frame before */
};

/**
 * Find or make the plan for a compiled graph. May wait for the device, when memory must grow.
 * @return NULL with the reason in the log
 */
struct rd_plan *rd_plans_get(struct rd_plans *plans, const struct rd_device *device,
                             const struct rd_graph *graph, uint64_t hash);
/** Give everything back; the device must be idle. */
void rd_plans_clear(struct rd_plans *plans, const struct rd_device *device);

/** The image or buffer behind a version, whether transient or imported. */
struct rd_image *rd_plan_image(struct rd_plan *plan, const struct rd_graph *graph,
                               uint16_t version);
struct rd_buffer *rd_plan_buffer(struct rd_plan *plan, const struct rd_graph *graph,
                                 uint16_t version);

/** What a pass needs before it runs. */
struct rd_barriers {
    const struct rd_device *device;
    struct rd_plan *plan;
    const struct rd_graph *graph;
    VkCommandBuffer commands;
    uint32_t queue;
    bool waits_for_other_queue; /**< out: something was last written on the other queue */
};

/** Record the barriers of the pass at this position of the order. */
void rd_barriers_record(struct rd_barriers *barriers, uint16_t position);

/** Stages and writes of everything that the live passes do with one resource. */
void rd_use_summary(const struct rd_graph *graph, uint16_t resource,
                    VkPipelineStageFlags2 *out_stages, VkAccessFlags2 *out_writes);

/** Order everything before with everything after: between the frames of different plans. */
void rd_barrier_full(VkCommandBuffer commands);

#endif
