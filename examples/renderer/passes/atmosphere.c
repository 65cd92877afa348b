/* SPDX-License-Identifier: MIT */
/* Haze, reflections, and both put over the lit surfaces. */
#include "passes.h"

#include "../formats.h"

static bool march_haze(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_image *target = rd_frame_image(frame, frame->v.fog);
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.shadow_atlas), RD_SAMPLER_SHADOW),
        rd_bind_storage(target),
    };
    (void)argument;
    rd_begin_work(frame->commands, "haze", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_FOG, bindings, 4, NULL);
    if (ok) {
        rd_dispatch(frame->commands, target->width_px, target->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool march_reflections(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.albedo), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.shape), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.occlusion[2]), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.light), RD_SAMPLER_LINEAR),
        rd_bind_storage(rd_frame_image(frame, frame->v.reflections)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "reflections", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_REFLECTIONS, bindings, 7, NULL);
    if (ok) {
        rd_dispatch(frame->commands, frame->width_px, frame->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool compose(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.light), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.reflections), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.fog), RD_SAMPLER_NEAREST),
        rd_bind_storage(rd_frame_image(frame, frame->v.composed)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "composite", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_COMPOSITE, bindings, 6, NULL);
    if (ok) {
        rd_dispatch(frame->commands, frame->width_px, frame->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

void rd_add_atmosphere(struct rd_frame *frame)
{
    struct rd_graph *graph = frame->graph;
    const uint16_t haze =
        rd_frame_pass(frame, "lighting", "haze", RD_PASS_COMPUTE, 0, march_haze, 0);
    rd_graph_read(graph, haze, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, haze, frame->v.depth, RD_USE_SAMPLED);
    rd_graph_read(graph, haze, frame->v.shadow_atlas, RD_USE_SAMPLED);
    frame->v.fog = rd_frame_texture(frame, haze, "haze", RD_FORMAT_LIGHT, 2, RD_USE_STORAGE_WRITE);

    const uint16_t mirror =
        rd_frame_pass(frame, "lighting", "reflections", RD_PASS_COMPUTE, 0, march_reflections, 0);
    const uint16_t mirrored[] = { frame->v.depth, frame->v.albedo, frame->v.shape,
                                  frame->v.occlusion[2], frame->v.light };
    rd_graph_read(graph, mirror, frame->v.constants, RD_USE_UNIFORM);
    for (unsigned i = 0; i < sizeof(mirrored) / sizeof(mirrored[0]); i++) {
        rd_graph_read(graph, mirror, mirrored[i], RD_USE_SAMPLED);
    }
    frame->v.reflections =
        rd_frame_texture(frame, mirror, "reflections", RD_FORMAT_LIGHT, 1, RD_USE_STORAGE_WRITE);

    const uint16_t composite =
        rd_frame_pass(frame, "lighting", "composite", RD_PASS_COMPUTE, 0, compose, 0);
    const uint16_t layers[] = { frame->v.depth, frame->v.light, frame->v.reflections,
                                frame->v.fog };
    rd_graph_read(graph, composite, frame->v.constants, RD_USE_UNIFORM);
    for (unsigned i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
        rd_graph_read(graph, composite, layers[i], RD_USE_SAMPLED);
    }
    frame->v.composed =
        rd_frame_texture(frame, composite, "composed", RD_FORMAT_LIGHT, 1, RD_USE_STORAGE_WRITE);
}
