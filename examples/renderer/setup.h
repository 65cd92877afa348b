/* SPDX-License-Identifier: MIT */
/* Making and unmaking what lives longer than a frame. */
#ifndef RD_SETUP_H
#define RD_SETUP_H

#include "frame.h"

struct rd_setup_input {
    uint32_t width_px; /**< of the picture */
    uint32_t height_px;
    uint32_t shadow_px;
    uint32_t seed;
};

/** Make buffers and images, upload what does not change, and wait for that. */
bool rd_persistent_init(struct rd_persistent *persistent, struct rd_device *device,
                        const struct rd_setup_input *input, const struct rd_geometry *geometry,
                        const struct rd_scene *scene);
/** Images that follow the internal resolution; the device must be idle when they exist already. */
bool rd_persistent_resize(struct rd_persistent *persistent, const struct rd_device *device,
                          uint32_t width_px, uint32_t height_px);
/** Device memory behind what the graph imports. */
void rd_persistent_sizes(struct rd_persistent *persistent, uint64_t *out_image_bytes,
                         uint64_t *out_buffer_bytes);
void rd_persistent_finish(struct rd_persistent *persistent, const struct rd_device *device);

bool rd_slot_init(struct rd_slot *slot, const struct rd_device *device,
                  const struct rd_scene *scene);
/** Wait until the device is done with the slot, and make it empty. */
bool rd_slot_begin(struct rd_slot *slot, const struct rd_device *device);
void rd_slot_finish(struct rd_slot *slot, const struct rd_device *device);

#endif
