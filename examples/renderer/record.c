/* SPDX-License-Identifier: MIT */
/*
 * The renderer's words for what it does, as a recorder takes them. All of the integration is here:
 * a device, a session, a frame, command buffers, and one call per thing that happens.
 */
#include "record.h"

#include "record_graph.h"

#include <frameglass/gpu_vulkan.h>
#include <frameglass/graph.h>
#include <frameglass/instrument.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Native handles as numbers: on all platforms that we know they fit. */
#define HANDLE(x) ((uint64_t)(uintptr_t)(x))

enum { MAX_BINDINGS = 16, MAX_SIGNALS = 4 };

static const int64_t finish_timeout_ns = 2000000000;

struct rd_recorder {
    struct fg_device *device;
    struct fg_session *session;
    struct fg_frame *frame;
    struct rd_recorded_graph graph;
};

static struct fg_commands *native(struct rd_recorded *recorded)
{
    return (struct fg_commands *)(void *)recorded;
}

static enum fg_level level_of(enum rd_level level)
{
    static const enum fg_level levels[] = {
        [RD_LEVEL_WORKLOAD] = FG_LEVEL_WORKLOAD,
        [RD_LEVEL_TIMING] = FG_LEVEL_TIMING,
        [RD_LEVEL_STRUCTURE] = FG_LEVEL_STRUCTURE,
        [RD_LEVEL_VERBOSE] = FG_LEVEL_VERBOSE,
    };
    return levels[level];
}

static enum fg_result create_device(const struct rd_device *device, struct fg_device **out_device)
{
    static const char *const names[RD_MAX_QUEUES] = { "graphics", "async compute" };
    struct fg_vulkan_queue queues[RD_MAX_QUEUES];
    for (uint32_t i = 0; i < device->queue_count; i++) {
        queues[i] =
            (struct fg_vulkan_queue){ device->queues[i].queue, device->queues[i].family, names[i] };
    }
    const struct fg_vulkan_options options = {
        .instance = device->instance,
        .physical_device = device->physical,
        .device = device->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .get_device_proc_addr = vkGetDeviceProcAddr,
        .queues = queues,
        .queue_count = device->queue_count,
        .create_info = &device->info,
    };
    return fg_vulkan_device_create(&options, out_device);
}

static void describe(struct fg_session *session, const struct rd_device *device,
                     const struct rd_options *options, const struct rd_record_info *info)
{
    static const char *const features[] = { "ambient occlusion",
                                            "auto exposure",
                                            "bloom",
                                            "clustered lighting",
                                            "haze",
                                            "occlusion culling",
                                            "screen-space reflections",
                                            "shadow cascades",
                                            "temporal filter" };
    char text[64];
    (void)fg_session_set_meta(session, "engine.name", "frameglass demo renderer");
    (void)fg_session_set_meta(session, "engine.version", "1");
#ifdef NDEBUG
    (void)fg_session_set_meta(session, "engine.flags", "optimized");
#else
    (void)fg_session_set_meta(session, "engine.flags", "assertions");
#endif
    (void)snprintf(text, sizeof(text), "%ux%u", info->width_px, info->height_px);
    (void)fg_session_set_meta(session, "render.output_resolution", text);
    (void)fg_session_set_meta(session, "render.resolution",
                              "as the picture; 1.25 times as much from frame 60 on");
    (void)fg_session_set_meta(session, "render.upscaler", "none");
    (void)snprintf(text, sizeof(text), "%u", info->seed);
    (void)fg_session_set_meta(session, "demo.seed", text);
    (void)fg_session_set_meta(session, "demo.hitch_frame", "80");
    (void)fg_session_set_meta(session, "demo.resize_frame", "60");
    (void)fg_session_set_meta(session, "render.queues",
                              device->queue_count > 1 ? "graphics, compute" : "graphics");
    (void)fg_session_set_meta(session, "render.validation", options->validate ? "on" : "off");
    for (unsigned i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
        (void)fg_session_add_feature(session, features[i]);
    }
}

bool rd_recorder_open(const struct rd_device *device, const struct rd_options *options,
                      const struct rd_record_info *info, struct rd_recorder **out_recorder)
{
    *out_recorder = NULL;
    if (options->capture_path == NULL) {
        return true;
    }
    struct rd_recorder *recorder = calloc(1, sizeof(*recorder));
    if (recorder == NULL) {
        return rd_fail(device->log, "out of memory");
    }
    const struct fg_session_options session_options = {
        .level = level_of(options->level),
        /* Level verbose also wants to know what the indirect draws became. */
        .flags = options->level == RD_LEVEL_VERBOSE ? FG_SESSION_RESOLVE_INDIRECT : 0,
        .note =
            "the bundled demo: the resolution grows at frame 60, frame 80 is a deliberate hitch",
        .path = options->capture_path,
    };
    enum fg_result result = create_device(device, &recorder->device);
    if (result == FG_OK) {
        result = fg_session_create(recorder->device, &session_options, &recorder->session);
    }
    if (result == FG_OK) {
        describe(recorder->session, device, options, info);
        result = fg_session_start(recorder->session);
    }
    if (result != FG_OK) {
        rd_recorder_close(recorder);
        return rd_fail(device->log, "cannot record into %s: %s", options->capture_path,
                       fg_result_text(result));
    }
    *out_recorder = recorder;
    return true;
}

bool rd_recorder_finish(struct rd_recorder *recorder, struct rd_log *log,
                        struct rd_summary *summary)
{
    if (recorder == NULL) {
        return true;
    }
    const enum fg_result result = fg_session_finish(recorder->session, finish_timeout_ns);
    struct fg_session_status status;
    fg_session_get_status(recorder->session, &status);
    summary->capture_frame_count = status.frames_written;
    summary->capture_bytes = status.bytes_written;
    summary->capture_overhead_ns = status.overhead_ns;
    return result == FG_OK ||
           rd_fail(log, "the capture is not complete: %s", fg_result_text(result));
}

void rd_recorder_close(struct rd_recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    fg_frame_end(recorder->frame);
    fg_session_destroy(recorder->session);
    fg_device_destroy(recorder->device);
    free(recorder);
}

void rd_record_frame_begin(struct rd_recorder *recorder)
{
    if (recorder != NULL) {
        recorder->frame = fg_frame_begin(recorder->device);
    }
}

void rd_record_frame_end(struct rd_recorder *recorder)
{
    if (recorder != NULL) {
        fg_frame_end(recorder->frame);
        recorder->frame = NULL;
    }
}

void rd_record_note(struct rd_recorder *recorder, const char *text)
{
    if (recorder != NULL) {
        (void)fg_session_note(recorder->session, text);
    }
}

void rd_record_graph(struct rd_recorder *recorder, const struct rd_graph *graph, uint64_t hash)
{
    if (recorder != NULL && recorder->frame != NULL) {
        rd_record_graph_into(recorder->frame, &recorder->graph, graph, hash);
    }
}

void rd_record_wait(struct rd_recorder *recorder, int64_t duration_ns)
{
    if (recorder != NULL) {
        fg_frame_waited(recorder->frame, FG_WAIT_OTHER, duration_ns);
    }
    fg_loop_waited(NULL, duration_ns);
}

void rd_record_counter(struct rd_recorder *recorder, const char *name, enum rd_unit unit,
                       int64_t value)
{
    if (recorder != NULL) {
        fg_frame_counter(recorder->frame, name,
                         unit == RD_UNIT_BYTES ? FG_UNIT_BYTES : FG_UNIT_COUNT, value);
    }
}

struct rd_recorded *rd_record_commands(struct rd_recorder *recorder, VkCommandBuffer commands,
                                       uint32_t queue)
{
    if (recorder == NULL) {
        return NULL;
    }
    return (struct rd_recorded *)(void *)fg_vulkan_commands_begin(recorder->frame, commands, queue,
                                                                  0);
}

void rd_record_commands_end(struct rd_recorded *recorded)
{
    fg_commands_end(native(recorded));
}

static uint32_t convert_signals(const struct rd_record_signal *signals, uint32_t count,
                                struct fg_semaphore_op out_ops[MAX_SIGNALS])
{
    uint32_t i = 0;
    for (; i < count && i < MAX_SIGNALS; i++) {
        out_ops[i] = (struct fg_semaphore_op){ HANDLE(signals[i].semaphore), signals[i].value };
    }
    return i;
}

void rd_record_submit(struct rd_recorder *recorder, uint32_t queue, struct rd_recorded *recorded,
                      const struct rd_record_signal *waits, uint32_t wait_count,
                      const struct rd_record_signal *signals, uint32_t signal_count)
{
    if (recorder == NULL) {
        return;
    }
    struct fg_semaphore_op wait_ops[MAX_SIGNALS];
    struct fg_semaphore_op signal_ops[MAX_SIGNALS];
    struct fg_commands *const commands[] = { native(recorded) };
    const struct fg_submission submission = {
        .queue = queue,
        .commands_count = 1,
        .commands = commands,
        .wait_count = convert_signals(waits, wait_count, wait_ops),
        .signal_count = convert_signals(signals, signal_count, signal_ops),
        .waits = wait_ops,
        .signals = signal_ops,
    };
    fg_frame_submit(recorder->frame, &submission, NULL);
}

void rd_record_submit_failed(struct rd_recorder *recorder, bool device_lost)
{
    if (recorder == NULL) {
        return;
    }
    fg_frame_submit_failed(recorder->frame);
    if (device_lost) {
        fg_device_report_lost(recorder->device);
    }
}

void rd_record_graph_pass_begin(struct rd_recorded *recorded, uint16_t pass, const char *name)
{
    fg_commands_graph_pass_begin(native(recorded), pass, name);
}

void rd_record_graph_pass_end(struct rd_recorded *recorded)
{
    fg_commands_graph_pass_end(native(recorded));
}

static struct fg_attachment convert_attachment(const struct rd_record_attachment *attachment)
{
    const struct rd_image *image = attachment->image;
    return (struct fg_attachment){
        .kind =
            image->aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? FG_ATTACHMENT_DEPTH : FG_ATTACHMENT_COLOR,
        .format = (uint32_t)image->format,
        .load = attachment->clears ? FG_LOAD_CLEAR : FG_LOAD_LOAD,
        .store = attachment->read_only ? FG_STORE_NONE : FG_STORE_STORE,
        .samples = 1,
        .width = image->width_px,
        .height = image->height_px,
        .resource = image->graph_resource,
    };
}

void rd_record_gpu_pass_begin(struct rd_recorded *recorded, const char *label,
                              enum rd_pass_kind kind,
                              const struct rd_record_attachment *attachments,
                              uint32_t attachment_count)
{
    static const enum fg_gpu_pass_kind kinds[] = {
        [RD_PASS_RASTER] = FG_GPU_PASS_RENDER,
        [RD_PASS_COMPUTE] = FG_GPU_PASS_COMPUTE,
        [RD_PASS_TRANSFER] = FG_GPU_PASS_TRANSFER,
    };
    struct fg_attachment converted[8];
    if (recorded == NULL) {
        return;
    }
    for (uint32_t i = 0; i < attachment_count; i++) {
        converted[i] = convert_attachment(&attachments[i]);
    }
    const struct fg_gpu_pass_desc desc = {
        .label = label,
        .kind = kinds[kind],
        .attachment_count = attachment_count,
        .attachments = converted,
        .statistics = kind == RD_PASS_RASTER,
    };
    fg_gpu_pass_begin(native(recorded), &desc);
}

void rd_record_gpu_pass_end(struct rd_recorded *recorded)
{
    fg_gpu_pass_end(native(recorded));
}

uint32_t rd_record_pipeline(struct rd_recorder *recorder, const char *label,
                            const VkPipelineShaderStageCreateInfo *stage, const uint32_t *words,
                            size_t word_count)
{
    return recorder == NULL ? 0
                            : fg_vulkan_pipeline_register(recorder->device, label, stage, words,
                                                          word_count, NULL);
}

void rd_record_bind_pipeline(struct rd_recorded *recorded, uint32_t pipeline)
{
    fg_gpu_pipeline(native(recorded), pipeline);
}

static enum fg_binding_kind binding_kind(char letter)
{
    switch (letter) {
    case 'u':
        return FG_BINDING_UNIFORM_BUFFER;
    case 'b':
        return FG_BINDING_STORAGE_BUFFER;
    case 's':
        return FG_BINDING_SAMPLED_TEXTURE;
    default:
        return FG_BINDING_STORAGE_TEXTURE;
    }
}

void rd_record_bindings(struct rd_recorded *recorded, const struct rd_record_binding *bindings,
                        uint32_t count)
{
    struct fg_binding converted[MAX_BINDINGS];
    if (recorded == NULL) {
        return;
    }
    for (uint32_t i = 0; i < MAX_BINDINGS; i++) {
        converted[i] = (struct fg_binding){ .slot = i }; /* Empty: sets replace each other whole. */
        if (i < count) {
            converted[i].kind = binding_kind(bindings[i].kind);
            converted[i].resource = bindings[i].graph_resource;
            converted[i].size_bytes = bindings[i].size_bytes;
        }
    }
    fg_gpu_bind(native(recorded), converted, MAX_BINDINGS);
}

void rd_record_draw(struct rd_recorded *recorded, uint32_t vertex_count, uint32_t instance_count)
{
    fg_gpu_draw(native(recorded), vertex_count, instance_count);
}

void rd_record_draw_indexed_indirect(struct rd_recorded *recorded, const struct rd_buffer *buffer,
                                     uint64_t offset_bytes)
{
    const struct fg_indirect indirect = {
        .buffer = HANDLE(buffer->buffer),
        .offset_bytes = offset_bytes,
        .draw_count = 1,
        .stride_bytes = sizeof(VkDrawIndexedIndirectCommand),
        .resource = buffer->graph_resource,
    };
    fg_gpu_draw_indexed_indirect(native(recorded), &indirect);
}

void rd_record_dispatch(struct rd_recorded *recorded, uint32_t x, uint32_t y, uint32_t z)
{
    fg_gpu_dispatch(native(recorded), x, y, z);
}

void rd_record_copy(struct rd_recorded *recorded, uint64_t size_bytes)
{
    fg_gpu_copy(native(recorded), size_bytes);
}
