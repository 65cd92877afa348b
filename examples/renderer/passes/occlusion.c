/* SPDX-License-Identifier: MIT */
/* Ambient occlusion and its blur. */
#include "passes.h"

#include "../formats.h"

static bool occlude(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.shape), RD_SAMPLER_NEAREST),
        rd_bind_storage(rd_frame_image(frame, frame->v.occlusion[0])),
    };
    (void)argument;
    rd_begin_work(frame->commands, "occlusion", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_AO, bindings, 4, NULL);
    if (ok) {
        rd_dispatch(frame->commands, frame->width_px, frame->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool blur(void *user, uint32_t direction)
{
    struct rd_frame *frame = user;
    const int32_t push[2] = { direction == 0, direction == 1 };
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.occlusion[direction]), RD_SAMPLER_NEAREST),
        rd_bind_storage(rd_frame_image(frame, frame->v.occlusion[direction + 1])),
    };
    rd_begin_work(frame->commands, direction == 0 ? "occlusion blur x" : "occlusion blur y",
                  RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_AO_BLUR, bindings, 4, push);
    if (ok) {
        rd_dispatch(frame->commands, frame->width_px, frame->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

void rd_add_occlusion(struct rd_frame *frame)
{
    static const char *const names[] = { "occlusion", "occlusion blur x", "occlusion blur y" };
    static const char *const textures[] = { "occlusion raw", "occlusion half", "occlusion" };
    for (uint32_t i = 0; i < 3; i++) {
        const uint16_t pass = rd_frame_pass(frame, "lighting", names[i], RD_PASS_COMPUTE,
                                            i == 0 ? RD_PASS_NEW_BATCH : 0, i == 0 ? occlude : blur,
                                            i == 0 ? 0 : i - 1);
        rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
        rd_graph_read(frame->graph, pass, frame->v.depth, RD_USE_SAMPLED);
        rd_graph_read(frame->graph, pass, i == 0 ? frame->v.shape : frame->v.occlusion[i - 1],
                      RD_USE_SAMPLED);
        frame->v.occlusion[i] = rd_frame_texture(frame, pass, textures[i], RD_FORMAT_OCCLUSION, 1,
                                                 RD_USE_STORAGE_WRITE);
    }
}
