/* SPDX-License-Identifier: MIT */
#include "record_some.h"

#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>

#include <stdlib.h>
#include <string.h>

enum {
    PASS_COUNT = 5,
    SLOW_FRAME = 12,
    RESIZE_FRAME = 8,
    FORMAT_RGBA8 = 37,  /* VK_FORMAT_R8G8B8A8_UNORM */
    FORMAT_DEPTH = 126, /* VK_FORMAT_D32_SFLOAT */
};

static const char *const shadow_scopes[] = { "geometry", "shadow" };
static const char *const post_scopes[] = { "post" };
static const uint32_t to_depth[] = { 0 };
static const uint32_t to_color[] = { 1 };
static const uint32_t to_bloom[] = { 2 };
static const uint32_t to_final[] = { 3 };
static const uint32_t lit[] = { 0, 1 };
static const uint32_t final_inputs[] = { 1, 2 };

static const struct pass {
    const char *name;
    enum fg_gpu_pass_kind kind;
    int64_t cost_ns;
    uint32_t queue;
} passes[PASS_COUNT] = {
    { "shadow, \"near\"", FG_GPU_PASS_RENDER, 500001, 0 },
    { "gbuffer", FG_GPU_PASS_RENDER, 2000003, 0 },
    { "bloom", FG_GPU_PASS_COMPUTE, 700007, 1 },
    { "unused", FG_GPU_PASS_COMPUTE, 100000, 0 },
    { "tonemap", FG_GPU_PASS_RENDER, 300000, 0 },
};

static bool is_culled(uint32_t pass, uint64_t frame)
{
    return pass == 3 && frame % 3 == 0;
}

static void describe(struct fg_frame *frame, uint64_t number)
{
    uint32_t width = number < RESIZE_FRAME ? 320 : 640;
    struct fg_resource_desc depth = {
        .kind = FG_RESOURCE_TEXTURE, .format = FORMAT_DEPTH, .width = 1024, .height = 1024
    };
    struct fg_resource_desc color = {
        .kind = FG_RESOURCE_TEXTURE, .format = FORMAT_RGBA8, .width = width, .height = 180
    };
    const struct fg_graph_resource resources[] = {
        { 10, 0, FG_RESOURCE_TRANSIENT, "shadow map", depth },
        { 11, 0, FG_RESOURCE_TRANSIENT, "color", color },
        { 12, 0, FG_RESOURCE_TRANSIENT, "bloom", color },
        { 13, 0, FG_RESOURCE_IMPORTED, "swapchain", color },
    };
    uint32_t culled = is_culled(3, number) ? FG_GRAPH_PASS_CULLED : 0;
    const struct fg_graph_pass graph_passes[PASS_COUNT] = {
        { .id = 1,
          .name = passes[0].name,
          .scopes = shadow_scopes,
          .scope_count = 2,
          .creates = to_depth,
          .create_count = 1,
          .ref_count = 1 },
        { .id = 2,
          .name = passes[1].name,
          .scopes = shadow_scopes,
          .scope_count = 1,
          .reads = lit,
          .read_count = 1,
          .creates = to_color,
          .create_count = 1,
          .ref_count = 2 },
        { .id = 3,
          .name = passes[2].name,
          .scopes = post_scopes,
          .scope_count = 1,
          .reads = to_color,
          .read_count = 1,
          .creates = to_bloom,
          .create_count = 1,
          .ref_count = 1 },
        { .id = 4, .name = passes[3].name, .reads = lit, .read_count = 2, .flags = culled },
        { .id = 5,
          .name = passes[4].name,
          .scopes = post_scopes,
          .scope_count = 1,
          .flags = FG_GRAPH_PASS_SIDE_EFFECT,
          .reads = final_inputs,
          .read_count = 2,
          .creates = to_final,
          .create_count = 1 },
    };
    fg_frame_set_graph(frame, &(struct fg_graph_desc){ .name = "main",
                                                       .passes = graph_passes,
                                                       .pass_count = PASS_COUNT,
                                                       .resources = resources,
                                                       .resource_count = 4 });
}

static void record_pass(struct fg_device *device, struct fg_commands *commands,
                        struct fg_software_commands *native, uint32_t index, uint64_t number)
{
    int64_t cost_ns = passes[index].cost_ns * (number == SLOW_FRAME ? 4 : 1);
    fg_commands_graph_pass_begin(commands, index, passes[index].name);
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = passes[index].name,
                                                            .kind = passes[index].kind });
    fg_gpu_dispatch(commands, 8, 4, 1);
    fg_software_work(native, cost_ns, 1000);
    fg_gpu_pass_end(commands);
    fg_software_advance(device, 10000 + index);
    fg_commands_graph_pass_end(commands);
}

static bool run_frame(struct fg_device *device, struct fg_software_commands *const natives[2],
                      uint64_t number)
{
    struct fg_frame *frame = fg_frame_begin(device);
    bool done = true;
    describe(frame, number);
    for (uint32_t queue = 0; queue < 2; queue++) {
        struct fg_software_commands *native = natives[queue];
        fg_software_commands_reset(native);
        struct fg_commands *commands = fg_commands_begin(
            frame, &(struct fg_commands_desc){ .native = native, .queue = queue });
        for (uint32_t i = 0; i < PASS_COUNT; i++) {
            if (passes[i].queue == queue && !is_culled(i, number)) {
                record_pass(device, commands, native, i, number);
            }
        }
        fg_commands_end(commands);
        struct fg_semaphore_op edge = { .semaphore = 77, .value = number + 1 };
        struct fg_submission submission = { .queue = queue,
                                            .commands = &commands,
                                            .commands_count = 1,
                                            .waits = &edge,
                                            .wait_count = queue,
                                            .signals = &edge,
                                            .signal_count = 1 - queue };
        struct fg_submit_extra extra = { 0 };
        fg_frame_submit(frame, &submission, &extra);
        done &=
            fg_software_submit(device, &(struct fg_software_submission){ .queue = queue,
                                                                         .commands = &native,
                                                                         .commands_count = 1,
                                                                         .waits = &edge,
                                                                         .wait_count = queue,
                                                                         .signals = &edge,
                                                                         .signal_count = 1 - queue,
                                                                         .extra = extra }) == FG_OK;
    }
    fg_frame_counter(frame, "lights", FG_UNIT_COUNT, (int64_t)(number * number));
    fg_frame_end(frame);
    fg_software_advance(device, 16000000);
    return done;
}

static bool record(struct fg_device *device, struct fg_session *session, uint64_t frame_count)
{
    struct fg_software_commands *natives[2] = { NULL, NULL };
    bool done = fg_session_set_meta(session, "engine.name", "make_capture") == FG_OK &&
                fg_session_start(session) == FG_OK &&
                fg_software_commands_create(device, &natives[0]) == FG_OK &&
                fg_software_commands_create(device, &natives[1]) == FG_OK;
    for (uint64_t i = 0; done && i < frame_count; i++) {
        done = run_frame(device, natives, i);
        if (i == 3) {
            done &= fg_session_note(session, "halfway, nearly") == FG_OK;
        }
    }
    done = done && fg_session_finish(session, 1000000000) == FG_OK;
    fg_software_commands_destroy(natives[0]);
    fg_software_commands_destroy(natives[1]);
    return done;
}

uint8_t *record_some(uint64_t frame_count, size_t *out_size)
{
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_software_options device_options = { .queue_count = 2 };
    struct fg_session_options options = { .note = "known numbers" };
    uint8_t *copy = NULL;
    if (fg_software_device_create(&device_options, &device) == FG_OK &&
        fg_session_create(device, &options, &session) == FG_OK &&
        record(device, session, frame_count)) {
        const void *bytes = fg_session_bytes(session, out_size);
        copy = bytes != NULL ? malloc(*out_size) : NULL;
        if (copy != NULL) {
            memcpy(copy, bytes, *out_size);
        }
    }
    fg_session_destroy(session);
    fg_device_destroy(device);
    return copy;
}
