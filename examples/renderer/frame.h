/* SPDX-License-Identifier: MIT */
/* One frame while it is built: what every pass can reach. */
#ifndef RD_FRAME_H
#define RD_FRAME_H

#include "camera.h"
#include "display.h"
#include "frame_graph.h"
#include "gpu_commands.h"
#include "gpu_graph.h"
#include "heat.h"
#include "scene.h"

enum { RD_FRAMES_IN_FLIGHT = 2, RD_BLOOM_LEVELS = 5, RD_MAX_BATCHES = 6 };

/** What lives longer than a frame. The graph imports it. */
struct rd_persistent {
    struct rd_buffer geometry; /**< indices, then vertices */
    struct rd_buffer draw_templates;
    struct rd_buffer surfaces;
    struct rd_buffer constants;
    struct rd_buffer instances;
    struct rd_buffer lights;
    struct rd_buffer visibility;
    struct rd_buffer particles;
    struct rd_buffer exposure;
    struct rd_buffer readback; /**< host-visible */
    struct rd_image textures;
    struct rd_image shadow_atlas;
    struct rd_image history[2];
    struct rd_image output;
};

/** What a frame in flight owns until the device is done with it. */
struct rd_slot {
    VkCommandPool pools[RD_MAX_QUEUES];
    VkCommandBuffer graphics[RD_MAX_BATCHES];
    VkCommandBuffer compute;
    VkDescriptorPool descriptors;
    struct rd_buffer staging; /**< host-visible */
    uint64_t done_value;      /**< of the graphics timeline */
};

/** Where things lie in a slot's staging buffer. */
struct rd_staged {
    struct rd_frame_constants constants;
    struct rd_light lights[RD_MAX_LIGHTS];
    struct rd_instance instances[]; /**< RD_HITCH_FACTOR times as many as the scene has */
};

/** Versions of the graph, as far as they are known. */
struct rd_versions {
    uint16_t geometry;
    uint16_t draw_templates;
    uint16_t surfaces;
    uint16_t textures;
    uint16_t constants;
    uint16_t instances;
    uint16_t lights;
    uint16_t visibility;
    uint16_t particles;
    uint16_t exposure;
    uint16_t shadow_atlas;
    uint16_t history;
    uint16_t output;
    uint16_t draws_early;
    uint16_t draws_late;
    uint16_t draws_cascade[RD_CASCADE_COUNT];
    uint16_t depth;
    uint16_t pyramid;
    uint16_t albedo;
    uint16_t shape;
    uint16_t occlusion[3]; /**< raw, blurred once, blurred twice */
    uint16_t clusters;
    uint16_t light; /**< radiance of surfaces, then with the sky */
    uint16_t fog;
    uint16_t reflections;
    uint16_t composed; /**< with haze, then with fireflies */
    uint16_t filtered;
    uint16_t histogram;
    uint16_t bloom[RD_BLOOM_LEVELS];
    uint16_t debug[3];
    uint16_t toned;
    uint16_t picture; /**< resolved, then with the display over it */
    uint16_t readback;
    uint16_t heat_depth;
};

struct rd_frame {
    const struct rd_options *options;
    const struct rd_device *device;
    struct rd_persistent *persistent;
    struct rd_slot *slot;
    struct rd_graph *graph;
    struct rd_plan *plan;
    struct rd_commands *commands; /**< where the current pass records */
    const struct rd_geometry *geometry;
    const struct rd_scene *scene;
    struct rd_display *display;
    struct rd_listing *listing; /**< NULL = this run lists nothing */
    struct rd_heat *heat;
    uint32_t index;
    uint32_t slot_index;
    uint32_t width_px; /**< internal resolution */
    uint32_t height_px;
    uint32_t instance_count; /**< drawn in this frame */
    bool refresh[RD_CASCADE_COUNT];
    bool has_history;
    bool reads_back;
    bool measures;    /**< what its passes cost, for a later map */
    bool maps_counts; /**< draws its geometry into a map once more */
    bool maps_costs;
    int64_t heat_ns; /**< out: CPU time that maps took */
    struct rd_versions v;
};

/** Short forms for passes. */
static inline struct rd_image *rd_frame_image(struct rd_frame *frame, uint16_t version)
{
    return rd_plan_image(frame->plan, frame->graph, version);
}

static inline struct rd_buffer *rd_frame_buffer(struct rd_frame *frame, uint16_t version)
{
    return rd_plan_buffer(frame->plan, frame->graph, version);
}

/** A pass of a scope ("" = none) whose function gets the frame. */
uint16_t rd_frame_pass(struct rd_frame *frame, const char *scope, const char *name,
                       enum rd_pass_kind kind, uint32_t flags, rd_pass_execute *execute,
                       uint32_t argument);

/** A texture of the internal resolution divided by `divisor`. */
uint16_t rd_frame_texture(struct rd_frame *frame, uint16_t pass, const char *name, VkFormat format,
                          uint32_t divisor, uint32_t use);

#endif
