/* SPDX-License-Identifier: MIT */
/* Accumulation over frames, and the exposure that follows the picture. */
#include "passes.h"

#include "../formats.h"

enum { HISTOGRAM_BYTES = 128 * 4 };

static bool filter(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    const float weight = frame->has_history ? 0.9f : 0.0f;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_sampled(rd_frame_image(frame, frame->v.depth), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.composed), RD_SAMPLER_NEAREST),
        rd_bind_sampled(rd_frame_image(frame, frame->v.history), RD_SAMPLER_LINEAR),
        rd_bind_storage(rd_frame_image(frame, frame->v.filtered)),
    };
    (void)argument;
    rd_begin_work(frame->commands, "temporal filter", RD_PASS_COMPUTE);
    const bool ok = rd_bind(frame->commands, RD_PIPELINE_TEMPORAL, bindings, 5, &weight);
    if (ok) {
        rd_dispatch(frame->commands, frame->width_px, frame->height_px);
    }
    rd_end_work(frame->commands);
    return ok;
}

/** Three GPU passes: clear, count, conclude. */
static bool expose(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    struct rd_commands *commands = frame->commands;
    const struct rd_buffer *histogram = rd_frame_buffer(frame, frame->v.histogram);
    const struct rd_binding count[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(histogram),
        rd_bind_sampled(rd_frame_image(frame, frame->v.filtered), RD_SAMPLER_NEAREST),
    };
    const struct rd_binding conclude[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(histogram),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.exposure)),
    };
    (void)argument;
    rd_begin_work(commands, "clear histogram", RD_PASS_TRANSFER);
    rd_fill_buffer(commands, histogram, 0);
    rd_end_work(commands);

    rd_begin_work(commands, "histogram", RD_PASS_COMPUTE);
    rd_copy_barrier(commands);
    bool ok = rd_bind(commands, RD_PIPELINE_HISTOGRAM, count, 3, NULL);
    if (ok) {
        rd_dispatch(commands, (frame->width_px + 1) / 2, (frame->height_px + 1) / 2);
    }
    rd_end_work(commands);

    rd_begin_work(commands, "exposure", RD_PASS_COMPUTE);
    rd_storage_barrier(commands);
    ok = ok && rd_bind(commands, RD_PIPELINE_EXPOSURE, conclude, 3, NULL);
    if (ok) {
        rd_dispatch(commands, 1, 1);
    }
    rd_end_work(commands);
    return ok;
}

static uint16_t import_history(struct rd_frame *frame, const char *name, uint32_t index)
{
    struct rd_image *image = &frame->persistent->history[index];
    const struct rd_texture_desc desc = { .width_px = image->width_px,
                                          .height_px = image->height_px,
                                          .layer_count = 1,
                                          .mip_count = 1,
                                          .format = (uint32_t)image->format };
    return rd_graph_import_texture(frame->graph, name, &desc, image);
}

void rd_add_temporal(struct rd_frame *frame)
{
    struct rd_graph *graph = frame->graph;
    frame->v.history = import_history(frame, "history", (frame->index + 1) % 2);
    frame->v.filtered = import_history(frame, "history next", frame->index % 2);
    const uint16_t pass = rd_frame_pass(frame, "post", "temporal filter", RD_PASS_COMPUTE,
                                        RD_PASS_NEW_BATCH, filter, 0);
    rd_graph_read(graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, pass, frame->v.depth, RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.composed, RD_USE_SAMPLED);
    rd_graph_read(graph, pass, frame->v.history, RD_USE_SAMPLED);
    frame->v.filtered = rd_graph_write(graph, pass, frame->v.filtered, RD_USE_STORAGE_WRITE);
    rd_graph_keep(graph, frame->v.filtered);
}

void rd_add_exposure(struct rd_frame *frame)
{
    static const struct rd_buffer_desc desc = { .size_bytes = HISTOGRAM_BYTES };
    struct rd_graph *graph = frame->graph;
    const uint16_t pass =
        rd_frame_pass(frame, "post", "auto exposure", RD_PASS_COMPUTE, 0, expose, 0);
    rd_graph_read(graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, pass, frame->v.filtered, RD_USE_SAMPLED);
    frame->v.histogram = rd_graph_create_buffer(graph, pass, "histogram", &desc,
                                                RD_USE_COPY_TO | RD_USE_STORAGE_WRITE);
    frame->v.exposure = rd_graph_write(graph, pass, frame->v.exposure, RD_USE_STORAGE_WRITE);
    rd_graph_keep(graph, frame->v.exposure);
}
