/* SPDX-License-Identifier: MIT */
/* Depth in two steps with a pyramid between them, then the surfaces. */
#include "passes.h"

#include "../formats.h"

bool rd_draw_meshes(struct rd_frame *frame, enum rd_pipeline_id pipeline, uint16_t draws,
                    uint32_t cascade)
{
    struct rd_commands *commands = frame->commands;
    const struct rd_buffer *geometry = rd_frame_buffer(frame, frame->v.geometry);
    const struct rd_buffer *list = rd_frame_buffer(frame, draws);
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.instances)),
        rd_bind_buffer(list),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.surfaces)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.textures), RD_SAMPLER_SURFACE),
    };
    const uint32_t zero[2] = { 0, cascade };
    const VkDeviceSize vertex_offset = frame->geometry->index_count * sizeof(uint32_t);
    const uint32_t binding_count = pipeline == RD_PIPELINE_GBUFFER ? 5 : 3;
    if (!rd_bind(commands, pipeline, bindings, binding_count, zero)) {
        return false;
    }
    vkCmdBindVertexBuffers(commands->buffer, 0, 1, &geometry->buffer, &vertex_offset);
    vkCmdBindIndexBuffer(commands->buffer, geometry->buffer, 0, VK_INDEX_TYPE_UINT32);
    for (uint32_t mesh = 0; mesh < frame->geometry->mesh_count; mesh++) {
        const uint32_t push[2] = { mesh, cascade };
        rd_push(commands, push);
        rd_draw_indexed_indirect(commands, list, mesh * sizeof(struct rd_draw_command));
    }
    return true;
}

static bool draw_depth(void *user, uint32_t late)
{
    struct rd_frame *frame = user;
    const struct rd_target depth = { .image = rd_frame_image(frame, frame->v.depth),
                                     .clear = late == 0 };
    rd_begin_draws(frame->commands, late ? "depth late" : "depth early", NULL, 0, &depth);
    const bool ok = rd_draw_meshes(frame, RD_PIPELINE_DEPTH,
                                   late ? frame->v.draws_late : frame->v.draws_early, 0);
    rd_end_draws(frame->commands);
    return ok;
}

static bool build_pyramid(void *user, uint32_t argument)
{
    static const char *const labels[] = { "hi-z 0",  "hi-z 1",  "hi-z 2", "hi-z 3", "hi-z 4",
                                          "hi-z 5",  "hi-z 6",  "hi-z 7", "hi-z 8", "hi-z 9",
                                          "hi-z 10", "hi-z 11", "hi-z 12" };
    struct rd_frame *frame = user;
    struct rd_commands *commands = frame->commands;
    const struct rd_image *depth = rd_frame_image(frame, frame->v.depth);
    const struct rd_image *pyramid = rd_frame_image(frame, frame->v.pyramid);
    bool ok = true;
    (void)argument;
    for (uint32_t level = 0; ok && level < pyramid->mip_count; level++) {
        const uint32_t width = pyramid->width_px >> level;
        const uint32_t height = pyramid->height_px >> level;
        const struct rd_binding bindings[] = {
            level == 0 ? rd_bind_sampled(depth, RD_SAMPLER_NEAREST)
                       : rd_bind_sampled_part(pyramid, level - 1),
            rd_bind_storage_part(pyramid, level),
        };
        rd_begin_work(commands, labels[level], RD_PASS_COMPUTE);
        if (level > 0) {
            rd_storage_barrier(commands);
        }
        ok = rd_bind(commands, RD_PIPELINE_HIZ, bindings, 2, NULL);
        if (ok) {
            rd_dispatch(commands, width > 0 ? width : 1, height > 0 ? height : 1);
        }
        rd_end_work(commands);
    }
    return ok;
}

static bool cull_late(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.instances)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.draws_late)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.visibility)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.pyramid), RD_SAMPLER_NEAREST),
    };
    (void)argument;
    rd_begin_work(frame->commands, "cull late", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_CULL_LATE, bindings, 5, NULL);
    if (ok) {
        rd_dispatch(frame->commands, frame->instance_count, 1);
    }
    rd_end_work(frame->commands);
    return ok;
}

static bool draw_surfaces(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_target colors[] = {
        { .image = rd_frame_image(frame, frame->v.albedo), .clear = true },
        { .image = rd_frame_image(frame, frame->v.shape), .clear = true },
    };
    const struct rd_target depth = { .image = rd_frame_image(frame, frame->v.depth),
                                     .read_only = true };
    (void)argument;
    rd_begin_draws(frame->commands, "g-buffer", colors, 2, &depth);
    const bool ok = rd_draw_meshes(frame, RD_PIPELINE_GBUFFER, frame->v.draws_early, 0) &&
                    rd_draw_meshes(frame, RD_PIPELINE_GBUFFER, frame->v.draws_late, 0);
    rd_end_draws(frame->commands);
    return ok;
}

static void read_meshes(struct rd_frame *frame, uint16_t pass, uint16_t draws)
{
    rd_graph_read(frame->graph, pass, draws, RD_USE_INDIRECT | RD_USE_STORAGE_READ);
}

static uint16_t add_draws(struct rd_frame *frame, const char *name, uint32_t flags,
                          rd_pass_execute *execute, uint32_t argument)
{
    const uint16_t pass =
        rd_frame_pass(frame, "geometry", name, RD_PASS_RASTER, flags, execute, argument);
    rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(frame->graph, pass, frame->v.instances, RD_USE_STORAGE_READ);
    rd_graph_read(frame->graph, pass, frame->v.geometry, RD_USE_GEOMETRY);
    return pass;
}

/** Levels down to one texel, beginning at half the resolution. */
static struct rd_texture_desc pyramid_desc(const struct rd_frame *frame)
{
    struct rd_texture_desc desc = {
        .width_px = frame->width_px > 1 ? frame->width_px / 2 : 1,
        .height_px = frame->height_px > 1 ? frame->height_px / 2 : 1,
        .mip_count = 1,
        .format = RD_FORMAT_PYRAMID,
    };
    uint32_t longest = desc.width_px > desc.height_px ? desc.width_px : desc.height_px;
    for (; longest > 1; longest /= 2) {
        desc.mip_count++;
    }
    return desc;
}

void rd_add_geometry(struct rd_frame *frame)
{
    struct rd_graph *graph = frame->graph;
    const uint16_t early = add_draws(frame, "depth early", 0, draw_depth, 0);
    read_meshes(frame, early, frame->v.draws_early);
    frame->v.depth =
        rd_frame_texture(frame, early, "depth", RD_FORMAT_DEPTH, 1, RD_USE_DEPTH_WRITE);

    const uint16_t pyramid =
        rd_frame_pass(frame, "geometry", "hi-z", RD_PASS_COMPUTE, 0, build_pyramid, 0);
    const struct rd_texture_desc desc = pyramid_desc(frame);
    rd_graph_read(graph, pyramid, frame->v.depth, RD_USE_SAMPLED);
    frame->v.pyramid =
        rd_graph_create_texture(graph, pyramid, "depth pyramid", &desc, RD_USE_STORAGE_WRITE);

    const uint16_t cull =
        rd_frame_pass(frame, "geometry", "cull late", RD_PASS_COMPUTE, 0, cull_late, 0);
    rd_graph_read(graph, cull, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, cull, frame->v.instances, RD_USE_STORAGE_READ);
    rd_graph_read(graph, cull, frame->v.pyramid, RD_USE_SAMPLED);
    frame->v.draws_late = rd_graph_write(graph, cull, frame->v.draws_late, RD_USE_STORAGE_WRITE);
    frame->v.visibility = rd_graph_write(graph, cull, frame->v.visibility, RD_USE_STORAGE_WRITE);
    rd_graph_keep(graph, frame->v.visibility);

    const uint16_t late = add_draws(frame, "depth late", 0, draw_depth, 1);
    read_meshes(frame, late, frame->v.draws_late);
    frame->v.depth = rd_graph_write(graph, late, frame->v.depth, RD_USE_DEPTH_WRITE);

    const uint16_t surfaces = add_draws(frame, "g-buffer", 0, draw_surfaces, 0);
    read_meshes(frame, surfaces, frame->v.draws_early);
    read_meshes(frame, surfaces, frame->v.draws_late);
    rd_graph_read(graph, surfaces, frame->v.depth, RD_USE_DEPTH_READ);
    rd_graph_read(graph, surfaces, frame->v.surfaces, RD_USE_STORAGE_READ);
    rd_graph_read(graph, surfaces, frame->v.textures, RD_USE_SAMPLED);
    frame->v.albedo =
        rd_frame_texture(frame, surfaces, "albedo", RD_FORMAT_ALBEDO, 1, RD_USE_COLOR);
    frame->v.shape = rd_frame_texture(frame, surfaces, "shape", RD_FORMAT_SHAPE, 1, RD_USE_COLOR);
}
