/* SPDX-License-Identifier: MIT */
/* Lights to clusters, surfaces to radiance, and the sky behind them. */
#include "passes.h"

#include "../formats.h"

/** As CLUSTERS and Cluster in clusters.glsl. */
enum { CLUSTER_COUNT = 16 * 9 * 16, CLUSTER_WORDS = 32 };

static bool find_clusters(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.lights)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.clusters)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "light clusters", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_CLUSTERS, bindings, 3, NULL);
    if (ok) {
        rd_dispatch(frame->commands, CLUSTER_COUNT, 1);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool light_surfaces(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.albedo), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.shape), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.occlusion[2]), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.shadow_atlas), RD_SAMPLER_SHADOW),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.lights)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.clusters)),
        rd_bind_storage(rd_frame_image(frame, frame->v.light)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "lighting", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_LIGHTING, bindings, 9, NULL);
    if (ok) {
        rd_dispatch(frame->commands, frame->width_px, frame->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool draw_sky(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_target color = { .image = rd_frame_image(frame, frame->v.light) };
    const struct rd_target depth = { .image = rd_frame_image(frame, frame->v.depth),
                                     .read_only = true };
    const struct rd_binding bindings[] = { rd_bind_buffer(
        rd_frame_buffer(frame, frame->v.constants)) };
    (void)argument;
    rd_begin_draws(frame->commands, "sky", &color, 1, &depth);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_SKY, bindings, 1, NULL);
    if (ok) {
        rd_draw(frame->commands, 3, 1);
    }
    rd_end_draws(frame->commands);
    return ok;
}

void rd_add_light_clusters(struct rd_frame *frame)
{
    static const struct rd_buffer_desc desc = { .size_bytes = CLUSTER_COUNT * CLUSTER_WORDS * 4 };
    const uint16_t pass = rd_frame_pass(frame, "lighting", "light clusters", RD_PASS_COMPUTE,
                                        RD_PASS_ASYNC, find_clusters, 0);
    rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(frame->graph, pass, frame->v.lights, RD_USE_STORAGE_READ);
    frame->v.clusters =
        rd_graph_create_buffer(frame->graph, pass, "light clusters", &desc, RD_USE_STORAGE_WRITE);
}

void rd_add_lighting(struct rd_frame *frame)
{
    struct rd_graph *graph = frame->graph;
    const uint16_t pass =
        rd_frame_pass(frame, "lighting", "lighting", RD_PASS_COMPUTE, 0, light_surfaces, 0);
    rd_graph_read(graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, pass, frame->v.depth, RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.albedo, RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.shape, RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.occlusion[2], RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.shadow_atlas, RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.lights, RD_USE_STORAGE_READ);
    rd_graph_read(graph, pass, frame->v.clusters, RD_USE_STORAGE_READ);
    frame->v.light =
        rd_frame_texture(frame, pass, "radiance", RD_FORMAT_LIGHT, 1, RD_USE_STORAGE_WRITE);

    const uint16_t sky = rd_frame_pass(frame, "lighting", "sky", RD_PASS_RASTER, 0, draw_sky, 0);
    rd_graph_read(graph, sky, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, sky, frame->v.depth, RD_USE_DEPTH_READ);
    frame->v.light = rd_graph_write(graph, sky, frame->v.light, RD_USE_COLOR);
}
