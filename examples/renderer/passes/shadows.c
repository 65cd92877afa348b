/* SPDX-License-Identifier: MIT */
/* The sun's shadow in four cascades, of which the far ones are refreshed every few frames. */
#include "passes.h"

static bool draw_cascade(void *user, uint32_t cascade)
{
    static const char *const labels[] = { "cascade 0", "cascade 1", "cascade 2", "cascade 3" };
    struct rd_frame *frame = user;
    const struct rd_image *atlas = rd_frame_image(frame, frame->v.shadow_atlas);
    const struct rd_target depth = { .image = atlas, .view = atlas->parts[cascade], .clear = true };
    rd_begin_draws(frame->commands, labels[cascade], NULL, 0, &depth);
    const bool ok =
        rd_draw_meshes(frame, RD_PIPELINE_SHADOW, frame->v.draws_cascade[cascade], cascade);
    rd_end_draws(frame->commands);
    return ok;
}

void rd_add_shadows(struct rd_frame *frame)
{
    static const char *const names[] = { "cascade 0", "cascade 1", "cascade 2", "cascade 3" };
    for (uint32_t i = 0; i < RD_CASCADE_COUNT; i++) {
        if (!frame->refresh[i]) {
            continue;
        }
        const uint16_t pass = rd_frame_pass(frame, "shadows", names[i], RD_PASS_RASTER,
                                            i == 0 ? RD_PASS_NEW_BATCH : 0, draw_cascade, i);
        rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
        rd_graph_read(frame->graph, pass, frame->v.instances, RD_USE_STORAGE_READ);
        rd_graph_read(frame->graph, pass, frame->v.geometry, RD_USE_GEOMETRY);
        rd_graph_read(frame->graph, pass, frame->v.draws_cascade[i],
                      RD_USE_INDIRECT | RD_USE_STORAGE_READ);
        frame->v.shadow_atlas =
            rd_graph_write(frame->graph, pass, frame->v.shadow_atlas, RD_USE_DEPTH_WRITE);
    }
    rd_graph_keep(frame->graph, frame->v.shadow_atlas);
}
