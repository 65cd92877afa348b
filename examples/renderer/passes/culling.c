/* SPDX-License-Identifier: MIT */
/* What is visible: lists of instances and the draws that use them, made on the GPU. */
#include "passes.h"

/** Draw commands, then room for every instance that a frame may draw. */
static struct rd_buffer_desc draws_desc(const struct rd_frame *frame)
{
    return (struct rd_buffer_desc){
        .size_bytes = RD_MESH_SLOTS * sizeof(struct rd_draw_command) +
                      sizeof(uint32_t) * frame->scene->instance_count * RD_HITCH_FACTOR,
    };
}

/** The lists that this frame may need, by index: early, late, then one per cascade. */
static uint16_t *draws_of(struct rd_frame *frame, uint32_t index)
{
    if (index == 0) {
        return &frame->v.draws_early;
    }
    return index == 1 ? &frame->v.draws_late : &frame->v.draws_cascade[index - 2];
}

static bool reset_draws(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    struct rd_commands *commands = frame->commands;
    const struct rd_buffer *templates = rd_frame_buffer(frame, frame->v.draw_templates);
    rd_begin_work(commands, "reset draws", RD_PASS_TRANSFER);
    for (uint32_t i = argument; i < (argument == 0 ? 2u : 2u + RD_CASCADE_COUNT); i++) {
        const struct rd_buffer *draws = rd_frame_buffer(frame, *draws_of(frame, i));
        rd_copy_buffer(commands, templates, 0, draws, templates->size_bytes);
    }
    rd_end_work(commands);
    return true;
}

static bool cull_early(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.instances)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.draws_early)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.visibility)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "cull early", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_CULL_EARLY, bindings, 4, NULL);
    if (ok) {
        rd_dispatch(frame->commands, frame->instance_count, 1);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool cull_shadow(void *user, uint32_t cascade)
{
    static const char *const labels[] = { "cull cascade 0", "cull cascade 1", "cull cascade 2",
                                          "cull cascade 3" };
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.instances)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.draws_cascade[cascade])),
    };
    rd_begin_work(frame->commands, labels[cascade], RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_CULL_SHADOW, bindings, 3, &cascade);
    if (ok) {
        /* Copies that the hitch adds would throw the shadow that is there already. */
        rd_dispatch(frame->commands, frame->scene->instance_count, 1);
    }
    rd_end_work(frame->commands);
    return ok;
}

static void add_reset(struct rd_frame *frame, const char *scope, uint32_t first, uint32_t end)
{
    static const char *const names[] = { "draws early",     "draws late",      "draws cascade 0",
                                         "draws cascade 1", "draws cascade 2", "draws cascade 3" };
    const uint16_t pass =
        rd_frame_pass(frame, scope, "reset draws", RD_PASS_TRANSFER, 0, reset_draws, first);
    const struct rd_buffer_desc desc = draws_desc(frame);
    rd_graph_read(frame->graph, pass, frame->v.draw_templates, RD_USE_COPY_FROM);
    for (uint32_t i = first; i < end; i++) {
        *draws_of(frame, i) =
            rd_graph_create_buffer(frame->graph, pass, names[i], &desc, RD_USE_COPY_TO);
    }
}

static void add_cull(struct rd_frame *frame, uint16_t pass, uint16_t *draws)
{
    rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(frame->graph, pass, frame->v.instances, RD_USE_STORAGE_READ);
    *draws = rd_graph_write(frame->graph, pass, *draws, RD_USE_STORAGE_WRITE);
}

void rd_add_culling(struct rd_frame *frame)
{
    static const char *const names[] = { "cull cascade 0", "cull cascade 1", "cull cascade 2",
                                         "cull cascade 3" };
    add_reset(frame, "culling", 0, 2);
    const uint16_t early =
        rd_frame_pass(frame, "culling", "cull early", RD_PASS_COMPUTE, 0, cull_early, 0);
    add_cull(frame, early, &frame->v.draws_early);
    rd_graph_read(frame->graph, early, frame->v.visibility, RD_USE_STORAGE_READ);

    add_reset(frame, "shadows", 2, 2 + RD_CASCADE_COUNT);
    /*
     * Declared for every cascade; those that are not drawn in this frame lose their reader and go.
     */
    for (uint32_t i = 0; i < RD_CASCADE_COUNT; i++) {
        const uint16_t pass =
            rd_frame_pass(frame, "shadows", names[i], RD_PASS_COMPUTE, 0, cull_shadow, i);
        add_cull(frame, pass, &frame->v.draws_cascade[i]);
    }
}
