/* SPDX-License-Identifier: MIT */
/* A run from the first frame to the last. */
#include "renderer.h"

#include "frame_submit.h"
#include "gltf.h"
#include "listing.h"
#include "passes/passes.h"
#include "png_file.h"
#include "setup.h"
#include "worker.h"

#include <frameglass/instrument.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_TOPOLOGIES = 64 };

struct renderer {
    struct rd_options options;
    struct rd_log log;
    struct rd_device device;
    struct rd_recorder *recorder;
    struct rd_pipelines pipelines;
    struct rd_persistent persistent;
    struct rd_slot slots[RD_FRAMES_IN_FLIGHT];
    struct rd_plans plans;
    struct rd_graph graph;
    struct rd_geometry geometry;
    struct rd_scene scene;
    struct rd_camera camera;
    struct rd_display display;
    struct rd_listing *listing;
    struct rd_heat heat;
    int64_t waited_ns; /**< in this frame */
    float seconds;     /**< of the scene, in this frame */
    struct rd_worker *scene_worker, *display_worker;
    uint32_t width_px; /**< internal */
    uint32_t height_px;
    uint32_t shadow_px;
    bool has_history;
    uint64_t topologies[MAX_TOPOLOGIES];
    struct rd_summary summary;
};

static int64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/** Wait until the device is done with everything, and tell it. */
static void wait_idle(struct renderer *r)
{
    FG_ZONE("Frame/WaitIdle");
    const int64_t begin_ns = now_ns();
    (void)vkDeviceWaitIdle(r->device.device);
    rd_record_wait(r->recorder, now_ns() - begin_ns);
}

static bool wait_for_slot(struct renderer *r, struct rd_slot *slot)
{
    FG_ZONE("Frame/WaitForSlot");
    const int64_t begin_ns = now_ns();
    const bool ok = rd_slot_begin(slot, &r->device);
    const int64_t waited_ns = now_ns() - begin_ns;
    r->waited_ns += waited_ns;
    rd_record_wait(r->recorder, waited_ns);
    return ok;
}

/** The resolution of a frame: from RD_RESIZE_FRAME on, a quarter more than the picture's. */
static bool follow_resolution(struct renderer *r, uint32_t frame)
{
    const bool large = frame >= RD_RESIZE_FRAME;
    const uint32_t width = r->options.width_px * (large ? 5 : 4) / 4;
    const uint32_t height = r->options.height_px * (large ? 5 : 4) / 4;
    if (width == r->width_px && height == r->height_px) {
        return true;
    }
    wait_idle(r);
    r->width_px = width;
    r->height_px = height;
    r->has_history = false;
    if (frame > 0) {
        rd_record_note(r->recorder, "internal resolution grows by a quarter");
        FG_EVENT("resolution changed", width);
    }
    return rd_persistent_resize(&r->persistent, &r->device, width, height);
}

/** Near cascades follow every frame; the third every second, the last every fourth. */
static void choose_cascades(uint32_t frame, bool hitch, bool out_refresh[RD_CASCADE_COUNT])
{
    out_refresh[0] = true;
    out_refresh[1] = true;
    out_refresh[2] = hitch || frame % 2 == 0;
    out_refresh[3] = hitch || frame % 4 == 0;
}

/** Samples per pixel; the frame that hitches takes three times as many. */
static void set_effort(struct rd_frame_constants *constants, bool hitch)
{
    const uint32_t effort[4] = { hitch ? 30u : 10u, hitch ? 48u : 16u, hitch ? 60u : 20u,
                                 hitch ? 24u : 8u };
    memcpy(constants->effort, effort, sizeof(effort));
}

static void update_scene(void *context)
{
    FG_ZONE("Scene/Update");
    struct renderer *r = context;
    rd_scene_update(&r->scene, &r->geometry, r->seconds);
    FG_FRAME_COUNTER_ADD("Runtime/UpdateCount", FG_UNIT_COUNT, 1);
}

static void build_display(void *context)
{
    FG_ZONE("Scene/Display");
    struct renderer *r = context;
    rd_display_build(&r->display);
}

/** What two other threads do while this one waits for the device. */
static void start_update(struct renderer *r, struct rd_frame *frame, bool hitch)
{
    r->seconds = (float)frame->index / 30.0f;
    frame->instance_count = r->scene.instance_count * (hitch ? RD_HITCH_FACTOR : 1);
    rd_worker_start(r->scene_worker, update_scene, r);
    rd_worker_start(r->display_worker, build_display, r);
}

static void wait_for_update(struct renderer *r)
{
    FG_ZONE("Frame/WaitForUpdate");
    const int64_t begin_ns = now_ns();
    rd_worker_wait(r->scene_worker);
    rd_worker_wait(r->display_worker);
    r->waited_ns += now_ns() - begin_ns;
}

/** Everything that the host has to say about this frame goes into the slot's staging memory. */
static void stage(struct renderer *r, const struct rd_frame *frame, bool hitch)
{
    FG_ZONE("Frame/Stage");
    struct rd_staged *staged = frame->slot->staging.mapped;
    struct rd_camera_input input = {
        .frame = frame->index,
        .seconds = r->seconds,
        .width_px = r->width_px,
        .height_px = r->height_px,
        .shadow_px = r->shadow_px,
        .viewpoint = r->scene.has_viewpoint ? &r->scene.viewpoint : NULL,
    };
    memcpy(input.refresh, frame->refresh, sizeof(input.refresh));

    struct rd_frame_constants constants;
    rd_camera_update(&r->camera, &input, &constants);
    constants.counts[0] = frame->instance_count;
    constants.counts[1] = r->scene.light_count;
    constants.counts[2] = frame->index;
    constants.counts[3] = RD_PARTICLE_COUNT;
    set_effort(&constants, hitch);
    staged->constants = constants;
    for (uint32_t copy = 0; copy < frame->instance_count / r->scene.instance_count; copy++) {
        memcpy(&staged->instances[copy * r->scene.instance_count], r->scene.instances,
               r->scene.instance_count * sizeof(struct rd_instance));
    }
    memcpy(staged->lights, r->scene.lights, sizeof(r->scene.lights));
}

static bool compile(struct renderer *r)
{
    FG_ZONE("Graph/Compile");
    return rd_graph_compile(&r->graph) || rd_fail(&r->log, "frame graph: %s", r->graph.error);
}

static void declare(struct renderer *r, struct rd_frame *frame)
{
    FG_ZONE("Graph/Declare");
    rd_graph_reset(&r->graph);
    rd_add_imports(frame);
    rd_add_upload(frame);
    rd_add_light_clusters(frame);
    rd_add_fireflies_motion(frame);
    rd_add_culling(frame);
    rd_add_shadows(frame);
    rd_add_geometry(frame);
    rd_add_occlusion(frame);
    rd_add_lighting(frame);
    rd_add_atmosphere(frame);
    rd_add_fireflies(frame);
    rd_add_temporal(frame);
    rd_add_exposure(frame);
    rd_add_bloom(frame);
    rd_add_debug_views(frame);
    rd_add_output(frame);
}

static void note_topology(struct renderer *r, uint64_t hash)
{
    for (uint32_t i = 0; i < r->summary.topology_count; i++) {
        if (r->topologies[i] == hash) {
            return;
        }
    }
    if (r->summary.topology_count < MAX_TOPOLOGIES) {
        r->topologies[r->summary.topology_count++] = hash;
    }
}

static void publish_counters(struct renderer *r, const struct rd_frame *frame)
{
    struct rd_recorder *recorder = r->recorder;
    uint64_t image_bytes;
    uint64_t buffer_bytes;
    rd_persistent_sizes(&r->persistent, &image_bytes, &buffer_bytes);
    rd_record_counter(recorder, "scene.meshes", RD_UNIT_COUNT, r->geometry.mesh_count);
    rd_record_counter(recorder, "scene.instances", RD_UNIT_COUNT, frame->instance_count);
    rd_record_counter(recorder, "scene.lights", RD_UNIT_COUNT, r->scene.light_count);
    rd_record_counter(recorder, "scene.particles", RD_UNIT_COUNT, RD_PARTICLE_COUNT);
    rd_record_counter(recorder, "resident.geometry", RD_UNIT_BYTES,
                      (int64_t)(r->geometry.vertex_count * sizeof(struct rd_vertex) +
                                r->geometry.index_count * sizeof(uint32_t)));
    rd_record_counter(recorder, "resident.images", RD_UNIT_BYTES, (int64_t)image_bytes);
    rd_record_counter(recorder, "resident.buffers", RD_UNIT_BYTES, (int64_t)buffer_bytes);
    rd_record_counter(recorder, "resident.transient", RD_UNIT_BYTES,
                      (int64_t)frame->plan->shared_bytes);
    rd_record_counter(recorder, "declared.transient", RD_UNIT_BYTES,
                      (int64_t)frame->plan->unshared_bytes);
    rd_record_counter(recorder, "render.width", RD_UNIT_PIXELS, r->width_px);
    rd_record_counter(recorder, "render.height", RD_UNIT_PIXELS, r->height_px);
}

static void count_passes(struct renderer *r)
{
    r->summary.graph_pass_count = r->graph.pass_count;
    r->summary.culled_pass_count = (uint32_t)(r->graph.pass_count - r->graph.order_count);
}

/** Wait for the read-back copy and write it out. */
static bool save_picture(struct renderer *r)
{
    (void)vkDeviceWaitIdle(r->device.device);
    return rd_png_write(r->options.png_path, r->persistent.readback.mapped, r->options.width_px,
                        r->options.height_px, &r->log);
}

/** The same of its heat maps. */
static bool save_maps(struct renderer *r, const struct rd_frame *frame)
{
    const char *overdraw_path = frame->maps_counts ? r->options.overdraw_path : NULL;
    const char *cost_path = frame->maps_costs ? r->options.cost_path : NULL;
    (void)vkDeviceWaitIdle(r->device.device);
    return (overdraw_path == NULL || rd_heat_write(&r->heat, frame->slot_index, FG_OVERDRAW_COUNTS,
                                                   overdraw_path, &r->log)) &&
           (cost_path == NULL ||
            rd_heat_write(&r->heat, frame->slot_index, FG_OVERDRAW_COSTS, cost_path, &r->log));
}

/** Costs are those of the frame in this slot before. */
static void choose_maps(const struct renderer *r, uint32_t png_index, struct rd_frame *frame)
{
    const struct rd_options *options = &r->options;
    const bool is_saved = frame->index == png_index;
    frame->measures =
        options->heat == RD_HEAT_COSTS ||
        (options->cost_path != NULL && frame->index + RD_FRAMES_IN_FLIGHT == png_index);
    frame->maps_counts = frame->measures || options->heat == RD_HEAT_COUNTS ||
                         (options->overdraw_path != NULL && is_saved);
    frame->maps_costs = r->heat.has_costs && (options->heat == RD_HEAT_COSTS ||
                                              (options->cost_path != NULL && is_saved));
}

/** Some drivers wait for the device here, although nobody asked them to. */
static void take_times(struct renderer *r, uint32_t slot_index)
{
    const int64_t begin_ns = now_ns();
    rd_display_take(&r->display, &r->device, slot_index);
    rd_heat_take(&r->heat, &r->device, slot_index);
    r->waited_ns += now_ns() - begin_ns;
}

/** There is no window: a frame is shown when it was submitted. */
static void tell_display(struct renderer *r, const struct rd_frame *frame, int64_t cpu_ns,
                         uint32_t draw_count)
{
    struct fg_hud *hud = r->display.hud;
    const struct fg_hud_frame told = {
        .number = frame->index + 1,
        .cpu_ns = cpu_ns,
        .has = FG_HUD_HAS_ITEMS | FG_HUD_HAS_DRAWS,
        .item_count = frame->instance_count,
        .draw_count = draw_count,
    };
    fg_hud_metric(hud, "lights", r->scene.light_count, FG_UNIT_COUNT);
    fg_hud_metric(hud, "internal width", r->width_px, FG_UNIT_COUNT);
    fg_hud_metric(hud, "graph passes", r->graph.order_count, FG_UNIT_COUNT);
    fg_hud_metric(hud, "culled passes", r->summary.culled_pass_count, FG_UNIT_COUNT);
    fg_hud_metric(hud, "gpu passes", r->summary.gpu_pass_count, FG_UNIT_COUNT);
    fg_hud_metric(hud, "transient memory", (int64_t)frame->plan->shared_bytes, FG_UNIT_BYTES);
    if (frame->index % 60 == 0) {
        int64_t used_bytes;
        int64_t budget_bytes;
        (void)fg_hud_vulkan_get_memory(r->display.renderer, &used_bytes, &budget_bytes);
        fg_hud_gpu_memory(hud, used_bytes, budget_bytes);
    }
    fg_hud_frame(hud, &told);
}

static bool render_frame(struct renderer *r, uint32_t index)
{
    FG_FRAME();
    const bool hitch = index == RD_HITCH_FRAME;
    const uint32_t png_index =
        r->options.png_frame > 0 ? r->options.png_frame - 1 : r->options.frame_count - 1;
    struct rd_slot *slot = &r->slots[index % RD_FRAMES_IN_FLIGHT];
    struct rd_frame frame = {
        .options = &r->options,
        .device = &r->device,
        .persistent = &r->persistent,
        .slot = slot,
        .graph = &r->graph,
        .geometry = &r->geometry,
        .scene = &r->scene,
        .display = &r->display,
        .listing = r->listing,
        .heat = &r->heat,
        .index = index,
        .slot_index = index % RD_FRAMES_IN_FLIGHT,
        .reads_back = r->options.png_path != NULL && index == png_index,
    };
    const int64_t begin_ns = now_ns();
    r->waited_ns = 0;
    rd_record_frame_begin(r->recorder);
    if (!follow_resolution(r, index)) {
        return false;
    }
    start_update(r, &frame, hitch);
    const bool has_slot = wait_for_slot(r, slot);
    wait_for_update(r);
    if (!has_slot) {
        return false;
    }
    take_times(r, frame.slot_index);
    choose_maps(r, png_index, &frame);
    if (hitch) {
        FG_EVENT("deliberate hitch", index);
        rd_record_note(r->recorder, "deliberate hitch: everything is drawn three times, with "
                                    "three times the samples");
    }
    choose_cascades(index, hitch, frame.refresh);
    frame.width_px = r->width_px;
    frame.height_px = r->height_px;
    frame.has_history = r->has_history;
    fg_hud_pass_begin(r->display.hud, "stage");
    stage(r, &frame, hitch);
    fg_hud_pass_end(r->display.hud);
    fg_hud_pass_begin(r->display.hud, "graph");
    declare(r, &frame);
    if (!compile(r)) {
        return false;
    }
    fg_hud_pass_end(r->display.hud);
    const uint64_t hash = rd_graph_hash(&r->graph);
    const struct rd_plan *last = r->plans.last;
    frame.plan = rd_plans_get(&r->plans, &r->device, &r->graph, hash);
    if (frame.plan == NULL) {
        return false;
    }
    note_topology(r, hash);
    rd_record_graph(r->recorder, &r->graph, hash);
    struct rd_frame_result result = { 0 };
    fg_hud_pass_begin(r->display.hud, "record and submit");
    if (!rd_listing_frame_begin(r->listing, index) ||
        !rd_frame_submit(&frame, &r->device, &r->pipelines, r->recorder, frame.plan != last,
                         &result) ||
        !rd_listing_frame_end(r->listing)) {
        return false;
    }
    fg_hud_pass_end(r->display.hud);
    const int64_t cpu_ns = now_ns() - begin_ns - r->waited_ns - frame.heat_ns;
    r->plans.last = frame.plan;
    r->has_history = true;
    count_passes(r);
    r->summary.gpu_pass_count = result.gpu_pass_count;
    r->summary.transient_bytes = frame.plan->shared_bytes;
    r->summary.transient_unshared_bytes = frame.plan->unshared_bytes;
    publish_counters(r, &frame);
    FG_FRAME_COUNTER_ADD("Runtime/DrawCount", FG_UNIT_COUNT, 1);
    rd_record_frame_end(r->recorder);
    tell_display(r, &frame, cpu_ns, result.draw_count);
    return (!frame.reads_back || save_picture(r)) && (index != png_index || save_maps(r, &frame));
}

/** The courtyard, or what the file says. */
static bool load_scene(struct renderer *r, uint32_t seed)
{
    if (r->options.scene_path != NULL) {
        return rd_gltf_load(r->options.scene_path, &r->geometry, &r->scene, &r->log);
    }
    return (rd_geometry_build(&r->geometry) && rd_scene_init(&r->scene, &r->geometry, seed)) ||
           rd_fail(&r->log, "the scene's meshes do not fit");
}

static bool start(struct renderer *r)
{
    const struct rd_setup_input input = {
        .width_px = r->options.width_px,
        .height_px = r->options.height_px,
        .shadow_px = r->shadow_px,
        .seed = r->options.seed > 0 ? r->options.seed : 7,
    };
    const struct rd_record_info info = { .width_px = input.width_px,
                                         .height_px = input.height_px,
                                         .seed = input.seed };
    if (!load_scene(r, input.seed) || !rd_device_init(&r->device, &r->options, &r->log)) {
        return false;
    }
    (void)snprintf(r->summary.device_name, sizeof(r->summary.device_name), "%s",
                   r->device.properties.deviceName);
    if (!rd_recorder_open(&r->device, &r->options, &info, &r->recorder) ||
        !rd_heat_init(&r->heat, &r->device, &r->options) ||
        !rd_pipelines_init(&r->pipelines, &r->device, r->recorder, r->heat.maps) ||
        !rd_listing_open(&r->options, &r->pipelines, &r->log, &r->listing) ||
        !rd_persistent_init(&r->persistent, &r->device, &input, &r->geometry, &r->scene) ||
        !rd_display_init(&r->display, &r->device, input.width_px, input.height_px)) {
        return false;
    }
    rd_geometry_release(&r->geometry);
    r->scene_worker = rd_worker_create("scene");
    r->display_worker = rd_worker_create("display");
    r->summary.scene_instance_count = r->scene.instance_count;
    r->summary.scene_mesh_count = r->geometry.mesh_count;
    r->summary.scene_texture_count = r->scene.texture_count;
    r->summary.scene_texture_left_out_count = r->scene.texture_left_out_count;
    for (int i = 0; i < RD_FRAMES_IN_FLIGHT; i++) {
        if (!rd_slot_init(&r->slots[i], &r->device, &r->scene)) {
            return false;
        }
    }
    return true;
}

static void finish(struct renderer *r)
{
    rd_worker_destroy(r->scene_worker);
    rd_worker_destroy(r->display_worker);
    rd_listing_close(r->listing);
    if (r->device.device != VK_NULL_HANDLE) {
        (void)vkDeviceWaitIdle(r->device.device);
        rd_recorder_close(r->recorder);
        for (int i = 0; i < RD_FRAMES_IN_FLIGHT; i++) {
            rd_slot_finish(&r->slots[i], &r->device);
        }
        rd_display_finish(&r->display, &r->device);
        rd_heat_finish(&r->heat, &r->device);
        rd_plans_clear(&r->plans, &r->device);
        rd_persistent_finish(&r->persistent, &r->device);
        rd_pipelines_finish(&r->pipelines, &r->device);
    }
    rd_device_finish(&r->device);
    rd_geometry_release(&r->geometry);
    rd_scene_finish(&r->scene);
    r->summary.validation_message_count = r->device.message_count;
}

static uint32_t or_default(uint32_t value, uint32_t fallback)
{
    return value > 0 ? value : fallback;
}

/** Shadows as sharp as the picture deserves: about twice its height, in powers of two. */
static uint32_t shadow_size(uint32_t height_px)
{
    uint32_t size = 512;
    while (size < height_px * 2 && size < 4096) {
        size *= 2;
    }
    return size;
}

static bool run(struct renderer *r)
{
    if (r->options.width_px < 16 || r->options.height_px < 16 || r->options.width_px > 8192 ||
        r->options.height_px > 8192) {
        return rd_fail(&r->log, "the picture must be 16 to 8192 pixels wide and high");
    }
    if (r->options.cost_path != NULL &&
        or_default(r->options.png_frame, r->options.frame_count) <= RD_FRAMES_IN_FLIGHT) {
        return rd_fail(&r->log, "a map of costs is of the third frame, or of a later one");
    }
    if (!start(r)) {
        return false;
    }
    const int64_t begin_ns = now_ns();
    fg_thread_set_name("renderer");
    for (uint32_t i = 0; i < r->options.frame_count; i++) {
        if (!render_frame(r, i)) {
            return false;
        }
        r->summary.frame_count++;
    }
    const bool ok = rd_check(&r->device, vkDeviceWaitIdle(r->device.device), "vkDeviceWaitIdle");
    r->summary.seconds = (double)(now_ns() - begin_ns) * 1e-9;
    return rd_recorder_finish(r->recorder, &r->log, &r->summary) && ok;
}

bool rd_run(const struct rd_options *options, struct rd_summary *out_summary)
{
    struct renderer *r = calloc(1, sizeof(*r));
    *out_summary = (struct rd_summary){ 0 };
    if (r == NULL) {
        (void)snprintf(out_summary->error, sizeof(out_summary->error), "out of memory");
        return false;
    }
    r->options = options != NULL ? *options : (struct rd_options){ 0 };
    r->options.frame_count = or_default(r->options.frame_count, 120);
    r->options.width_px = or_default(r->options.width_px, 320);
    r->options.height_px = or_default(r->options.height_px, 180);
    r->shadow_px = shadow_size(r->options.height_px);
    const bool ok = run(r);
    finish(r);
    *out_summary = r->summary;
    (void)snprintf(out_summary->error, sizeof(out_summary->error), "%s", r->log.text);
    free(r);
    return ok;
}
