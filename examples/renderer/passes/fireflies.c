/* SPDX-License-Identifier: MIT */
#include "passes.h"

static bool move(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.particles)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "fireflies move", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_PARTICLES_MOVE, bindings, 2, NULL);
    if (ok) {
        rd_dispatch(frame->commands, RD_PARTICLE_COUNT, 1);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool draw(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_target color = { .image = rd_frame_image(frame, frame->v.composed) };
    const struct rd_target depth = { .image = rd_frame_image(frame, frame->v.depth),
                                     .read_only = true };
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.particles)),
    };
    (void)argument;
    rd_begin_draws(frame->commands, "fireflies", &color, 1, &depth);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_PARTICLES_DRAW, bindings, 2, NULL);
    if (ok) {
        rd_draw(frame->commands, 6, RD_PARTICLE_COUNT);
    }
    rd_end_draws(frame->commands);
    return ok;
}

void rd_add_fireflies_motion(struct rd_frame *frame)
{
    const uint16_t pass = rd_frame_pass(frame, "fireflies", "fireflies move", RD_PASS_COMPUTE,
                                        RD_PASS_ASYNC, move, 0);
    rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
    frame->v.particles =
        rd_graph_write(frame->graph, pass, frame->v.particles, RD_USE_STORAGE_WRITE);
    rd_graph_keep(frame->graph, frame->v.particles);
}

void rd_add_fireflies(struct rd_frame *frame)
{
    const uint16_t pass =
        rd_frame_pass(frame, "fireflies", "fireflies", RD_PASS_RASTER, 0, draw, 0);
    rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(frame->graph, pass, frame->v.particles, RD_USE_STORAGE_READ);
    rd_graph_read(frame->graph, pass, frame->v.depth, RD_USE_DEPTH_READ);
    frame->v.composed = rd_graph_write(frame->graph, pass, frame->v.composed, RD_USE_COLOR);
}
