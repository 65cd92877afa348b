/* SPDX-License-Identifier: MIT */
/*
 * The demo renderer: a deferred frame graph over plain Vulkan 1.3, without a window.
 *
 * It exists to be profiled. A run is scripted: at frame RD_RESIZE_FRAME the internal resolution
 * grows by a quarter in each direction, frame RD_HITCH_FRAME costs about three times what its
 * neighbours cost.
 */
#ifndef RD_RENDERER_H
#define RD_RENDERER_H

#include <stdbool.h>
#include <stdint.h>

enum { RD_RESIZE_FRAME = 60, RD_HITCH_FRAME = 80 };

/**
 * What becomes of the last picture: the finished frame, or one of the graph's inspection passes.
 */
enum rd_view { RD_VIEW_FINAL, RD_VIEW_NORMALS, RD_VIEW_OCCLUSION, RD_VIEW_CASCADES };

/** What is laid over the picture: how often each pixel is drawn, or what it costs. */
enum rd_heat_view { RD_HEAT_OFF, RD_HEAT_COUNTS, RD_HEAT_COSTS };

/** How much a recording keeps; see the capture format. */
enum rd_level { RD_LEVEL_WORKLOAD, RD_LEVEL_TIMING, RD_LEVEL_STRUCTURE, RD_LEVEL_VERBOSE };

/** Zero is every field's default. Borrowed for the call. */
struct rd_options {
    uint32_t frame_count;     /**< 0 = 120 */
    uint32_t width_px;        /**< of the finished picture; 0 = 320 */
    uint32_t height_px;       /**< 0 = 180 */
    uint32_t device;          /**< index among the Vulkan devices, from 1; 0 = the best one */
    const char *device_name;  /**< part of a device's name; NULL = any */
    const char *scene_path;   /**< a glTF 2.0 file; NULL = the courtyard that is built in */
    const char *capture_path; /**< record into this file; NULL = do not record */
    enum rd_level level;
    const char *png_path;          /**< write a frame as PNG; NULL = none */
    uint32_t png_frame;            /**< which one, from 1; 0 = the last */
    const char *command_list_path; /**< write a frame's commands as text; NULL = none */
    uint32_t command_list_frame;   /**< which one, from 1; 0 = the last */
    uint32_t renderdoc_frame;      /**< capture this one with RenderDoc, from 1; 0 = none */
    enum rd_view view;
    enum rd_heat_view heat;
    const char *overdraw_path; /**< write that frame's map of counts as PNG; NULL = none */
    const char *cost_path;     /**< its map of costs; then it is the third frame, or a later one */
    bool validate;             /**< load the validation layer, with synchronization validation */
    bool single_queue;         /**< keep to one queue even where the device has another */
    uint32_t seed;             /**< of what is scattered by chance; 0 = 7 */
};

struct rd_summary {
    char device_name[256];
    uint32_t frame_count;
    uint32_t graph_pass_count;  /**< declared in the last frame */
    uint32_t culled_pass_count; /**< of those, culled */
    uint32_t gpu_pass_count;    /**< in the last frame */
    uint32_t topology_count;    /**< distinct ones over the run */
    uint32_t validation_message_count;
    uint64_t transient_bytes; /**< memory behind the transient resources of the last frame */
    uint64_t transient_unshared_bytes; /**< what they would take without sharing */
    double seconds;
    uint64_t capture_frame_count; /**< frames in the capture */
    uint64_t capture_bytes;
    int64_t capture_overhead_ns; /**< time that recording took on the renderer's thread */
    uint32_t scene_instance_count;
    uint32_t scene_mesh_count;
    uint32_t scene_texture_count;
    uint32_t scene_texture_left_out_count; /**< pictures that are not PNG */
    char error[512];                       /**< why the run failed; empty = it did not */
};

/**
 * Render and record.
 *
 * @param options NULL = all defaults
 * @param out_summary filled in either case
 * @return false: see the summary's error
 */
bool rd_run(const struct rd_options *options, struct rd_summary *out_summary);

#endif
