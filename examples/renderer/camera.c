/* SPDX-License-Identifier: MIT */
#include "camera.h"

#include "scene.h"

static const float near_m = 0.12f;
static const float walk_fov_y = 0.92f;
static const float cascade_far_m[RD_CASCADE_COUNT] = { 8.0f, 18.0f, 36.0f, 80.0f };
static const float haze = 0.018f;

/** The same sequence of sub-pixel offsets every 16 frames, evenly spread: Halton's. */
static float halton(uint32_t index, uint32_t base)
{
    float result = 0.0f;
    float fraction = 1.0f;
    for (uint32_t i = index % 16 + 1; i > 0; i /= base) {
        fraction /= (float)base;
        result += fraction * (float)(i % base);
    }
    return result;
}

struct eye {
    struct rd_vec3 at;
    struct rd_vec3 target;
    float fov_y;
};

/** A slow walk along the pool. */
static struct eye walk_at(float seconds)
{
    const float t = seconds * 0.22f;
    return (struct eye){
        .at =
            rd_vec3(-2.3f + 0.9f * sinf(t), 1.75f + 0.15f * sinf(t * 0.7f), 16.2f - 0.5f * seconds),
        .target = rd_vec3(0.55f - 0.3f * sinf(t), 2.75f, -12.5f),
        .fov_y = walk_fov_y,
    };
}

/** From a place that a scene names: around what it looks at, or swaying there as one stands. */
static struct eye viewpoint_at(const struct rd_viewpoint *viewpoint, float seconds)
{
    struct eye eye = { viewpoint->at, viewpoint->target, viewpoint->fov_y };
    const struct rd_vec3 offset = rd_sub(viewpoint->at, viewpoint->target);
    if (viewpoint->orbits) {
        const float c = cosf(seconds * 0.12f);
        const float s = sinf(seconds * 0.12f);
        eye.at = rd_add(viewpoint->target, rd_vec3(c * offset.x + s * offset.z, offset.y,
                                                   c * offset.z - s * offset.x));
        return eye;
    }
    const struct rd_vec3 right = rd_normalize(rd_cross(rd_vec3(0, 1, 0), offset));
    const float distance = rd_length(offset);
    eye.at = rd_add(eye.at, rd_scale(right, 0.03f * distance * sinf(seconds * 0.4f)));
    eye.at = rd_sub(eye.at, rd_scale(offset, 0.06f * (1.0f - cosf(seconds * 0.25f))));
    return eye;
}

/** Fit a cascade to a slice of the view; snap it to its texels, so that edges do not crawl. */
static void fit_cascade(struct rd_camera *camera, int index, const struct eye *eye,
                        struct rd_vec3 sun, float aspect, uint32_t shadow_px)
{
    const float begin = index == 0 ? near_m : cascade_far_m[index - 1];
    const float end = cascade_far_m[index];
    const float tan_y = tanf(eye->fov_y * 0.5f);
    const float tan_x = tan_y * aspect;
    const float spread = tan_x * tan_x + tan_y * tan_y;
    const float middle = fminf((begin + end) * 0.5f * (1.0f + spread), end);
    const float radius = sqrtf((end - middle) * (end - middle) + spread * end * end) * 1.06f + 0.5f;
    const struct rd_vec3 forward = rd_normalize(rd_sub(eye->target, eye->at));
    const struct rd_vec3 center = rd_add(eye->at, rd_scale(forward, middle));
    const float texel = 2.0f * radius / (float)shadow_px;

    struct rd_mat4 view = rd_look_at(rd_vec3(0, 0, 0), rd_scale(sun, -1.0f), rd_vec3(0, 1, 0));
    const float x = view.m[0] * center.x + view.m[4] * center.y + view.m[8] * center.z;
    const float y = view.m[1] * center.x + view.m[5] * center.y + view.m[9] * center.z;
    const float z = view.m[2] * center.x + view.m[6] * center.y + view.m[10] * center.z;
    view.m[12] = -floorf(x / texel) * texel;
    view.m[13] = -floorf(y / texel) * texel;
    view.m[14] = -z;
    const struct rd_mat4 projection = rd_orthographic(radius, radius, 90.0f);
    camera->cascade_view_proj[index] = rd_mul(&projection, &view);
    camera->cascade_texel[index] = texel;
}

void rd_camera_update(struct rd_camera *camera, const struct rd_camera_input *input,
                      struct rd_frame_constants *out_constants)
{
    struct rd_frame_constants *c = out_constants;
    const float width = (float)input->width_px;
    const float height = (float)input->height_px;
    const float aspect = width / height;
    const struct eye eye = input->viewpoint != NULL ? viewpoint_at(input->viewpoint, input->seconds)
                                                    : walk_at(input->seconds);
    const struct rd_vec3 sun = rd_normalize(rd_vec3(-0.66f, 0.40f, -0.52f));

    const struct rd_mat4 plain = rd_perspective(eye.fov_y, aspect, near_m);
    struct rd_mat4 shifted = plain;
    const float shift_x = (halton(input->frame, 2) - 0.5f) * 2.0f / width;
    const float shift_y = (halton(input->frame, 3) - 0.5f) * 2.0f / height;
    shifted.m[8] -= shift_x;
    shifted.m[9] -= shift_y;
    c->view = rd_look_at(eye.at, eye.target, rd_vec3(0, 1, 0));
    c->view_proj = rd_mul(&shifted, &c->view);
    c->plain_view_proj = rd_mul(&plain, &c->view);
    c->inverse_view_proj = rd_inverse(&c->view_proj);
    c->previous_view_proj = camera->started ? camera->previous_view_proj : c->plain_view_proj;
    camera->previous_view_proj = c->plain_view_proj;

    for (int i = 0; i < RD_CASCADE_COUNT; i++) {
        if (input->refresh[i] || !camera->started) {
            fit_cascade(camera, i, &eye, sun, aspect, input->shadow_px);
        }
        c->cascade_view_proj[i] = camera->cascade_view_proj[i];
        c->cascade_texel[i] = camera->cascade_texel[i];
        c->cascade_far[i] = cascade_far_m[i];
    }
    camera->started = true;

    const float tan_y = tanf(eye.fov_y * 0.5f);
    const float values[5][4] = {
        { eye.at.x, eye.at.y, eye.at.z, near_m },
        { sun.x, sun.y, sun.z, input->seconds },
        { 10.5f, 7.0f, 4.1f, haze },
        { width, height, 1.0f / width, 1.0f / height },
        { tan_y * aspect, tan_y, shift_x, shift_y },
    };
    memcpy(c->eye, values[0], sizeof(c->eye));
    memcpy(c->sun, values[1], sizeof(c->sun));
    memcpy(c->sun_radiance, values[2], sizeof(c->sun_radiance));
    memcpy(c->size, values[3], sizeof(c->size));
    memcpy(c->projection, values[4], sizeof(c->projection));
}
