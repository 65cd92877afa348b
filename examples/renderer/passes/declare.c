/* SPDX-License-Identifier: MIT */
/* What all features use to declare themselves. */
#include "passes.h"

uint16_t rd_frame_pass(struct rd_frame *frame, const char *scope, const char *name,
                       enum rd_pass_kind kind, uint32_t flags, rd_pass_execute *execute,
                       uint32_t argument)
{
    uint16_t inner = RD_GRAPH_NONE;
    if (strcmp(scope, "post/bloom") == 0) {
        inner = rd_graph_scope(frame->graph, rd_graph_scope(frame->graph, RD_GRAPH_NONE, "post"),
                               "bloom");
    } else if (scope[0] != '\0') {
        inner = rd_graph_scope(frame->graph, RD_GRAPH_NONE, scope);
    }
    const struct rd_pass_desc desc = {
        .name = name,
        .scope = inner,
        .kind = kind,
        .flags = flags,
        .execute = execute,
        .user = frame,
        .argument = argument,
    };
    return rd_graph_add_pass(frame->graph, &desc);
}

uint16_t rd_frame_texture(struct rd_frame *frame, uint16_t pass, const char *name, VkFormat format,
                          uint32_t divisor, uint32_t use)
{
    const uint32_t width = frame->width_px / divisor;
    const uint32_t height = frame->height_px / divisor;
    const struct rd_texture_desc desc = {
        .width_px = width > 0 ? width : 1,
        .height_px = height > 0 ? height : 1,
        .format = (uint32_t)format,
    };
    return rd_graph_create_texture(frame->graph, pass, name, &desc, use);
}
