/* SPDX-License-Identifier: MIT */
/* From light to a finished picture, with the display over it; and the views for debugging. */
#include "passes.h"

#include "../formats.h"

static bool view_debug(void *user, uint32_t kind)
{
    static const char *const labels[] = { "view normals", "view occlusion", "view cascades" };
    struct rd_frame *frame = user;
    const uint16_t source = kind == 0 ? frame->v.shape : frame->v.occlusion[2];
    const struct rd_target target = { .image = rd_frame_image(frame, frame->v.debug[kind]),
                                      .clear = true };
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, source), RD_SAMPLER_NEAREST),
    };
    rd_begin_draws(frame->commands, labels[kind], &target, 1, NULL);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_DEBUG_VIEW, bindings, 3, &kind);
    if (ok) {
        rd_draw(frame->commands, 3, 1);
    }
    rd_end_draws(frame->commands);
    return ok;
}

static bool tonemap(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_target target = { .image = rd_frame_image(frame, frame->v.toned),
                                      .clear = true };
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.filtered), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.bloom[0]), RD_SAMPLER_LINEAR),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.exposure)),
    };
    (void)argument;
    rd_begin_draws(frame->commands, "tonemap", &target, 1, NULL);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_TONEMAP, bindings, 4, NULL);
    if (ok) {
        rd_draw(frame->commands, 3, 1);
    }
    rd_end_draws(frame->commands);
    return ok;
}

static uint16_t shown_version(const struct rd_frame *frame)
{
    return frame->options->view == RD_VIEW_FINAL ? frame->v.toned
                                                 : frame->v.debug[frame->options->view - 1];
}

static bool resolve(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_target target = { .image = rd_frame_image(frame, frame->v.picture),
                                      .clear = true };
    const struct rd_binding bindings[] = { rd_bind_sampled(
        rd_frame_image(frame, shown_version(frame)), RD_SAMPLER_LINEAR) };
    (void)argument;
    rd_begin_draws(frame->commands, "resolve", &target, 1, NULL);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_RESOLVE, bindings, 1, NULL);
    if (ok) {
        rd_draw(frame->commands, 3, 1);
    }
    rd_end_draws(frame->commands);
    return ok;
}

/** Last in the frame: the display shows the frames before. */
static bool draw_hud(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_target target = { .image = rd_frame_image(frame, frame->v.picture) };
    (void)argument;
    rd_begin_draws(frame->commands, "hud", &target, 1, NULL);
    const uint32_t quads =
        rd_display_draw(frame->display, frame->commands->buffer, frame->slot_index);
    if (quads > 0) {
        rd_record_draw(frame->commands->recorded, 4, quads);
    }
    rd_end_draws(frame->commands);
    return true;
}

static VkImageSubresourceLayers all_of(const struct rd_image *image)
{
    return (VkImageSubresourceLayers){ image->aspect, 0, 0, 1 };
}

static bool present(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_image *from = rd_frame_image(frame, frame->v.picture);
    const struct rd_image *to = rd_frame_image(frame, frame->v.output);
    const VkImageCopy region = {
        .srcSubresource = all_of(from),
        .dstSubresource = all_of(to),
        .extent = { to->width_px, to->height_px, 1 },
    };
    (void)argument;
    rd_begin_work(frame->commands, "present", RD_PASS_TRANSFER);
    vkCmdCopyImage(frame->commands->buffer, from->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   to->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    rd_record_copy(frame->commands->recorded, (uint64_t)to->width_px * to->height_px * 4);
    rd_end_work(frame->commands);
    rd_display_end(frame->display, frame->commands->buffer, frame->slot_index);
    return true;
}

static bool read_back(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const struct rd_image *from = rd_frame_image(frame, frame->v.output);
    const struct rd_buffer *to = rd_frame_buffer(frame, frame->v.readback);
    const VkBufferImageCopy region = {
        .imageSubresource = all_of(from),
        .imageExtent = { from->width_px, from->height_px, 1 },
    };
    (void)argument;
    rd_begin_work(frame->commands, "read back", RD_PASS_TRANSFER);
    vkCmdCopyImageToBuffer(frame->commands->buffer, from->image,
                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to->buffer, 1, &region);
    rd_record_copy(frame->commands->recorded, to->size_bytes);
    rd_end_work(frame->commands);
    return true;
}

void rd_add_debug_views(struct rd_frame *frame)
{
    static const char *const names[] = { "view normals", "view occlusion", "view cascades" };
    for (uint32_t i = 0; i < 3; i++) {
        const uint16_t pass =
            rd_frame_pass(frame, "debug", names[i], RD_PASS_RASTER, 0, view_debug, i);
        rd_graph_read(frame->graph, pass, frame->v.constants, RD_USE_UNIFORM);
        rd_graph_read(frame->graph, pass, frame->v.depth, RD_USE_SAMPLED);
        rd_graph_read(frame->graph, pass, i == 0 ? frame->v.shape : frame->v.occlusion[2],
                      RD_USE_SAMPLED);
        frame->v.debug[i] =
            rd_frame_texture(frame, pass, names[i], RD_FORMAT_PICTURE, 1, RD_USE_COLOR);
    }
}

static void add_read_back(struct rd_frame *frame)
{
    const uint16_t pass =
        rd_frame_pass(frame, "", "read back", RD_PASS_TRANSFER, RD_PASS_SIDE_EFFECT, read_back, 0);
    rd_graph_read(frame->graph, pass, frame->v.output, RD_USE_COPY_FROM);
    frame->v.readback = rd_graph_write(frame->graph, pass, frame->v.readback, RD_USE_COPY_TO);
}

void rd_add_output(struct rd_frame *frame)
{
    struct rd_graph *graph = frame->graph;
    const struct rd_image *output = &frame->persistent->output;
    const struct rd_texture_desc desc = { .width_px = output->width_px,
                                          .height_px = output->height_px,
                                          .format = RD_FORMAT_PICTURE };
    const uint16_t tone = rd_frame_pass(frame, "post", "tonemap", RD_PASS_RASTER, 0, tonemap, 0);
    rd_graph_read(graph, tone, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, tone, frame->v.filtered, RD_USE_SAMPLED);
    rd_graph_read(graph, tone, frame->v.bloom[0], RD_USE_SAMPLED);
    rd_graph_read(graph, tone, frame->v.exposure, RD_USE_STORAGE_READ);
    frame->v.toned = rd_frame_texture(frame, tone, "toned", RD_FORMAT_PICTURE, 1, RD_USE_COLOR);

    const uint16_t fit = rd_frame_pass(frame, "post", "resolve", RD_PASS_RASTER, 0, resolve, 0);
    rd_graph_read(graph, fit, shown_version(frame), RD_USE_SAMPLED);
    frame->v.picture = rd_graph_create_texture(graph, fit, "picture", &desc, RD_USE_COLOR);

    rd_add_heat(frame);

    const uint16_t hud = rd_frame_pass(frame, "", "hud", RD_PASS_RASTER, 0, draw_hud, 0);
    frame->v.picture = rd_graph_write(graph, hud, frame->v.picture, RD_USE_COLOR);

    const uint16_t show =
        rd_frame_pass(frame, "", "present", RD_PASS_TRANSFER, RD_PASS_SIDE_EFFECT, present, 0);
    rd_graph_read(graph, show, frame->v.picture, RD_USE_COPY_FROM);
    frame->v.output = rd_graph_write(graph, show, frame->v.output, RD_USE_COPY_TO);
    if (frame->reads_back) {
        add_read_back(frame);
    }
}
