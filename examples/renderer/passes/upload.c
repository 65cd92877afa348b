/* SPDX-License-Identifier: MIT */
/* What the graph finds already there, and this frame's data from the host. */
#include "passes.h"

#include <stddef.h>

static uint16_t import_buffer(struct rd_frame *frame, struct rd_buffer *buffer)
{
    const struct rd_buffer_desc desc = { .size_bytes = buffer->size_bytes };
    return rd_graph_import_buffer(frame->graph, buffer->name, &desc, buffer);
}

static uint16_t import_image(struct rd_frame *frame, struct rd_image *image)
{
    const struct rd_texture_desc desc = {
        .width_px = image->width_px,
        .height_px = image->height_px,
        .layer_count = image->layer_count,
        .mip_count = image->mip_count,
        .format = (uint32_t)image->format,
    };
    return rd_graph_import_texture(frame->graph, image->name, &desc, image);
}

void rd_add_imports(struct rd_frame *frame)
{
    struct rd_persistent *p = frame->persistent;
    frame->v.geometry = import_buffer(frame, &p->geometry);
    frame->v.draw_templates = import_buffer(frame, &p->draw_templates);
    frame->v.surfaces = import_buffer(frame, &p->surfaces);
    frame->v.textures = import_image(frame, &p->textures);
    frame->v.constants = import_buffer(frame, &p->constants);
    frame->v.instances = import_buffer(frame, &p->instances);
    frame->v.lights = import_buffer(frame, &p->lights);
    frame->v.visibility = import_buffer(frame, &p->visibility);
    frame->v.particles = import_buffer(frame, &p->particles);
    frame->v.exposure = import_buffer(frame, &p->exposure);
    frame->v.shadow_atlas = import_image(frame, &p->shadow_atlas);
    frame->v.output = import_image(frame, &p->output);
    if (frame->reads_back) {
        frame->v.readback = import_buffer(frame, &p->readback);
    }
}

static bool upload(void *user, uint32_t argument)
{
    struct rd_frame *frame = user;
    struct rd_commands *commands = frame->commands;
    const struct rd_buffer *staging = &frame->slot->staging;
    (void)argument;
    rd_begin_work(commands, "upload", RD_PASS_TRANSFER);
    rd_copy_buffer(commands, staging, offsetof(struct rd_staged, constants),
                   rd_frame_buffer(frame, frame->v.constants), sizeof(struct rd_frame_constants));
    rd_copy_buffer(commands, staging, offsetof(struct rd_staged, instances),
                   rd_frame_buffer(frame, frame->v.instances),
                   frame->instance_count * sizeof(struct rd_instance));
    rd_copy_buffer(commands, staging, offsetof(struct rd_staged, lights),
                   rd_frame_buffer(frame, frame->v.lights),
                   RD_MAX_LIGHTS * sizeof(struct rd_light));
    rd_end_work(commands);
    return true;
}

void rd_add_upload(struct rd_frame *frame)
{
    const uint16_t pass = rd_frame_pass(frame, "", "upload", RD_PASS_TRANSFER, 0, upload, 0);
    uint16_t *const versions[] = { &frame->v.constants, &frame->v.instances, &frame->v.lights };
    for (unsigned i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        *versions[i] = rd_graph_write(frame->graph, pass, *versions[i], RD_USE_COPY_TO);
    }
}
