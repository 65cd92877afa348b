/* SPDX-License-Identifier: MIT */
/* Where the eye and the sun are, and the constants that shaders read. */
#ifndef RD_CAMERA_H
#define RD_CAMERA_H

#include "linear.h"

#include <stdbool.h>
#include <stdint.h>

enum { RD_CASCADE_COUNT = 4 };

/** Laid out as `Frame` in frame.glsl. */
struct rd_frame_constants {
    struct rd_mat4 view;
    struct rd_mat4 view_proj;
    struct rd_mat4 inverse_view_proj;
    struct rd_mat4 plain_view_proj;
    struct rd_mat4 previous_view_proj;
    struct rd_mat4 cascade_view_proj[RD_CASCADE_COUNT];
    float cascade_far[4];
    float cascade_texel[4];
    float eye[4];
    float sun[4];
    float sun_radiance[4];
    float size[4];
    float projection[4];
    uint32_t counts[4];
    uint32_t effort[4];
};

/** What stays from frame to frame. */
struct rd_camera {
    struct rd_mat4 previous_view_proj;
    struct rd_mat4 cascade_view_proj[RD_CASCADE_COUNT]; /**< as of each one's last refresh */
    float cascade_texel[RD_CASCADE_COUNT];
    bool started;
};

struct rd_viewpoint;

struct rd_camera_input {
    uint32_t frame;
    float seconds;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t shadow_px;
    const struct rd_viewpoint *viewpoint; /**< NULL = the walk along the courtyard's pool */
    bool refresh[RD_CASCADE_COUNT];       /**< which cascades are drawn in this frame */
};

/** Fill in all but counts and effort. */
void rd_camera_update(struct rd_camera *camera, const struct rd_camera_input *input,
                      struct rd_frame_constants *out_constants);

#endif
