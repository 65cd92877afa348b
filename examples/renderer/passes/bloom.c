/* SPDX-License-Identifier: MIT */
/* Bright parts spread: halved level by level, then added up again. */
#include "passes.h"

#include "../formats.h"

static bool go_down(void *user, uint32_t level)
{
    static const char *const labels[] = { "bloom down 1", "bloom down 2", "bloom down 3",
                                          "bloom down 4", "bloom down 5" };
    struct rd_frame *frame = user;
    const float threshold = level == 0 ? 1.6f : 0.0f;
    const uint16_t from = level == 0 ? frame->v.filtered : frame->v.bloom[level - 1];
    const struct rd_target target = { .image = rd_frame_image(frame, frame->v.bloom[level]),
                                      .clear = true };
    const struct rd_binding bindings[] = { rd_bind_sampled(rd_frame_image(frame, from),
                                                           RD_SAMPLER_LINEAR) };
    rd_begin_draws(frame->commands, labels[level], &target, 1, NULL);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_BLOOM_DOWN, bindings, 1, &threshold);
    if (ok) {
        rd_draw(frame->commands, 3, 1);
    }
    rd_end_draws(frame->commands);
    return ok;
}

static bool go_up(void *user, uint32_t level)
{
    static const char *const labels[] = { "bloom up 1", "bloom up 2", "bloom up 3", "bloom up 4" };
    struct rd_frame *frame = user;
    const struct rd_target target = { .image = rd_frame_image(frame, frame->v.bloom[level]) };
    const struct rd_binding bindings[] = { rd_bind_sampled(
        rd_frame_image(frame, frame->v.bloom[level + 1]), RD_SAMPLER_LINEAR) };
    rd_begin_draws(frame->commands, labels[level], &target, 1, NULL);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_BLOOM_UP, bindings, 1, NULL);
    if (ok) {
        rd_draw(frame->commands, 3, 1);
    }
    rd_end_draws(frame->commands);
    return ok;
}

void rd_add_bloom(struct rd_frame *frame)
{
    static const char *const down[] = { "down 1", "down 2", "down 3", "down 4", "down 5" };
    static const char *const up[] = { "up 1", "up 2", "up 3", "up 4" };
    static const char *const textures[] = { "bloom 1", "bloom 2", "bloom 3", "bloom 4", "bloom 5" };
    struct rd_graph *graph = frame->graph;
    for (uint32_t i = 0; i < RD_BLOOM_LEVELS; i++) {
        const uint16_t pass =
            rd_frame_pass(frame, "post/bloom", down[i], RD_PASS_RASTER, 0, go_down, i);
        rd_graph_read(graph, pass, i == 0 ? frame->v.filtered : frame->v.bloom[i - 1],
                      RD_USE_SAMPLED);
        frame->v.bloom[i] =
            rd_frame_texture(frame, pass, textures[i], RD_FORMAT_LIGHT, 2u << i, RD_USE_COLOR);
    }
    for (uint32_t i = RD_BLOOM_LEVELS - 1; i > 0; i--) {
        const uint16_t pass =
            rd_frame_pass(frame, "post/bloom", up[i - 1], RD_PASS_RASTER, 0, go_up, i - 1);
        rd_graph_read(graph, pass, frame->v.bloom[i], RD_USE_SAMPLED);
        frame->v.bloom[i - 1] = rd_graph_write(graph, pass, frame->v.bloom[i - 1], RD_USE_COLOR);
    }
}
