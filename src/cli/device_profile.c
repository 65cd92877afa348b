/* SPDX-License-Identifier: MIT */
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include "cli/device_profile.h"
#include "base/alloc.h"
#include "cli/touched.h"
#include <string.h>

enum {
    TOUCHES_MAX = 1 << 24,
    PASSES_MAX = 1 << 14, /* of one submission: nodes */
    PIPELINES_MAX = 4096,
};
static const int64_t last_results_ns = 1000000000;

struct pipeline {
    const struct fg_compute_kernel *kernel;
    uint32_t group_size;
    uint32_t number; /* in the capture */
};

struct fgi_device_profile {
    struct fg_compute *compute;
    struct fg_device *device;
    struct fg_session *session;
    struct fg_frame *frame;       /* NULL: none is open */
    struct fg_commands *commands; /* of the frame */
    /* Of the open frame: passes and what they touch. */
    struct fgi_arena arena;
    const char **names;
    size_t pass_count, name_room;
    struct fgi_touch *touches;
    size_t touch_count, touch_room;
    bool is_short;       /* there was no memory for all of it: the frame has no graph */
    bool has_graph_pass; /* of the open node */
    struct fg_compute_workload cost;
    struct pipeline *pipelines;
    size_t pipeline_count, pipeline_room;
};

/* ---- passes ---------------------------------------------------------------------------------- */

static void add_touches(struct fgi_device_profile *p, const struct fg_compute_node *node)
{
    uint32_t count = fg_compute_node_use_count(node);
    if (FGI_GROW(NULL, p->touches, p->touch_room, p->touch_count + count, TOUCHES_MAX) != FG_OK) {
        p->is_short = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct fg_compute_use use = fg_compute_node_use(node, i);
        p->touches[p->touch_count++] = (struct fgi_touch){
            .buffer = (uint64_t)use.view.buffer,
            .begin_bytes = use.view.offset_bytes,
            .end_bytes = use.view.offset_bytes + use.view.size_bytes,
            .pass = (uint32_t)p->pass_count,
            .reads = (use.access & FG_COMPUTE_READ) != 0,
            .writes = (use.access & FG_COMPUTE_WRITE) != 0,
        };
    }
}

/* Its number in the capture; 0: unknown. */
static uint32_t pipeline_of(struct fgi_device_profile *p, const struct fg_compute_program *program)
{
    const uint32_t size = fg_compute_group_size(p->compute, program);
    for (size_t i = 0; i < p->pipeline_count; i++) {
        if (p->pipelines[i].kernel == program->kernel && p->pipelines[i].group_size == size) {
            return p->pipelines[i].number;
        }
    }
    const struct fg_pipeline_desc desc = { .label = program->kernel->name,
                                           .workgroup = { size, 1, 1 } };
    if (FGI_GROW(NULL, p->pipelines, p->pipeline_room, p->pipeline_count + 1, PIPELINES_MAX) !=
        FG_OK) {
        return 0;
    }
    const uint32_t number = fg_pipeline_register(p->device, &desc);
    p->pipelines[p->pipeline_count++] = (struct pipeline){ program->kernel, size, number };
    return number;
}

static void add_work(struct fgi_device_profile *p, const struct fg_compute_node *node)
{
    uint32_t groups[3];
    switch (node->kind) {
    case FG_COMPUTE_DISPATCH:
        fg_compute_node_groups(p->compute, node, groups);
        fg_gpu_pipeline(p->commands, pipeline_of(p, &node->program));
        fg_gpu_dispatch(p->commands, groups[0], groups[1], groups[2]);
        break;
    case FG_COMPUTE_DISPATCH_INDIRECT:
        fg_gpu_pipeline(p->commands, pipeline_of(p, &node->program));
        fg_gpu_dispatch_indirect(p->commands, &(const struct fg_indirect){
                                                  .buffer = (uint64_t)node->arguments.buffer,
                                                  .offset_bytes = node->arguments.offset_bytes });
        break;
    case FG_COMPUTE_COPY:
        fg_gpu_copy(p->commands, node->target.size_bytes);
        break;
    case FG_COMPUTE_FILL:
        fg_gpu_clear(p->commands);
        break;
    default:
        break;
    }
}

static bool is_pass(const struct fg_compute_node *node)
{
    return node->kind != FG_COMPUTE_PUBLISH; /* which encodes nothing */
}

static void node_begin(void *context, VkCommandBuffer commands, const struct fg_compute_node *node,
                       const struct fg_compute_workload *workload)
{
    struct fgi_device_profile *p = context;
    (void)commands;
    if (p->frame == NULL || !is_pass(node)) {
        return;
    }
    const char *name = node->name != NULL ? node->name : "";
    const char *kept = fgi_arena_text(&p->arena, name, strlen(name));
    if (kept == NULL ||
        FGI_GROW(NULL, p->names, p->name_room, p->pass_count + 1, PASSES_MAX) != FG_OK) {
        p->is_short = true;
        p->has_graph_pass = false;
    } else {
        p->has_graph_pass = true;
        p->names[p->pass_count] = kept;
        add_touches(p, node);
        fg_commands_graph_pass_begin(p->commands, (uint32_t)p->pass_count++, name);
    }
    const bool computes =
        node->kind == FG_COMPUTE_DISPATCH || node->kind == FG_COMPUTE_DISPATCH_INDIRECT;
    fg_gpu_pass_begin(p->commands,
                      &(const struct fg_gpu_pass_desc){ .label = name,
                                                        .kind = computes ? FG_GPU_PASS_COMPUTE
                                                                         : FG_GPU_PASS_TRANSFER });
    add_work(p, node);
    p->cost.invocations += workload->invocations;
    p->cost.read_bytes += workload->read_bytes;
    p->cost.write_bytes += workload->write_bytes;
}

static void node_end(void *context, VkCommandBuffer commands, const struct fg_compute_node *node)
{
    struct fgi_device_profile *p = context;
    (void)commands;
    if (p->frame != NULL && is_pass(node)) {
        fg_gpu_pass_end(p->commands);
        if (p->has_graph_pass) {
            fg_commands_graph_pass_end(p->commands);
        }
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

void fgi_device_profile_begin(struct fgi_device_profile *p, VkCommandBuffer commands)
{
    fg_frame_end(p->frame);
    fgi_arena_reset(&p->arena);
    p->pass_count = p->touch_count = 0;
    p->is_short = false;
    p->cost = (struct fg_compute_workload){ 0 };
    p->frame = fg_frame_begin(p->device);
    p->commands = fg_vulkan_commands_begin(p->frame, commands, 0, 0);
}

void fgi_device_profile_end(struct fgi_device_profile *p)
{
    struct fg_graph_desc graph;
    fg_commands_end(p->commands);
    if (p->frame == NULL || p->is_short ||
        fgi_touched_graph(&p->arena, p->touches, (uint32_t)p->touch_count, p->names,
                          (uint32_t)p->pass_count, &graph) != FG_OK) {
        return;
    }
    fg_frame_set_graph(p->frame, &graph);
    fg_frame_counter(p->frame, "invocations", FG_UNIT_COUNT, (int64_t)p->cost.invocations);
    fg_frame_counter(p->frame, "read", FG_UNIT_BYTES, (int64_t)p->cost.read_bytes);
    fg_frame_counter(p->frame, "written", FG_UNIT_BYTES, (int64_t)p->cost.write_bytes);
}

VkResult fgi_device_profile_submit(struct fgi_device_profile *p, const VkSubmitInfo *batch,
                                   VkFence fence)
{
    const struct fg_vulkan_submission submission = {
        .queue = 0, .commands = &p->commands, .commands_count = 1, .fence = fence
    };
    VkResult result = fg_vulkan_submit(p->device, p->frame, &submission, batch);
    fg_frame_end(p->frame);
    p->frame = NULL;
    p->commands = NULL;
    return result;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static enum fg_result start(struct fgi_device_profile *p, const struct fg_vulkan_options *options,
                            const char *path)
{
    enum fg_result result = fg_vulkan_device_create(options, &p->device);
    if (result == FG_OK) {
        result = fg_session_create(
            p->device,
            FG_SESSION_OPTIONS(.path = path, .note = "Frameglass itself: a frame is what was "
                                                     "submitted to answer a question, or a part "
                                                     "of it"),
            &p->session);
    }
    if (result == FG_OK) {
        (void)fg_session_set_meta(p->session, "engine.name", "frameglass");
        result = fg_session_start(p->session);
    }
    return result;
}

enum fg_result fgi_device_profile_create(const struct fg_vulkan_options *options,
                                         struct fg_compute *compute, const char *path,
                                         struct fgi_device_profile **out_profile)
{
    struct fgi_device_profile *p = fgi_calloc(NULL, 1, sizeof *p);
    if (p == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    p->compute = compute;
    enum fg_result result = start(p, options, path);
    if (result != FG_OK) {
        fgi_device_profile_destroy(p);
        return result;
    }
    fg_compute_set_listener(compute, &(const struct fg_compute_listener){ .node_begin = node_begin,
                                                                          .node_end = node_end,
                                                                          .context = p });
    *out_profile = p;
    return FG_OK;
}

void fgi_device_profile_destroy(struct fgi_device_profile *p)
{
    if (p == NULL) {
        return;
    }
    fg_compute_set_listener(p->compute, NULL);
    fg_frame_end(p->frame);
    if (p->session != NULL) {
        (void)fg_session_finish(p->session, last_results_ns);
        fg_session_destroy(p->session);
    }
    fg_device_destroy(p->device);
    fgi_arena_finish(&p->arena);
    fgi_free(NULL, p->names, p->name_room * sizeof *p->names);
    fgi_free(NULL, p->touches, p->touch_room * sizeof *p->touches);
    fgi_free(NULL, p->pipelines, p->pipeline_room * sizeof *p->pipelines);
    fgi_free(NULL, p, sizeof *p);
}
