/* SPDX-License-Identifier: MIT */
/* Vectors and matrices of the renderer: column-major, right-handed, y up, depth reversed. */
#ifndef RD_LINEAR_H
#define RD_LINEAR_H

#include <math.h>
#include <string.h>

struct rd_vec3 {
    float x, y, z;
};

/** m[column * 4 + row], as shaders read it. */
struct rd_mat4 {
    float m[16];
};

#define RD_PI 3.14159265358979f

static inline struct rd_vec3 rd_vec3(float x, float y, float z)
{
    return (struct rd_vec3){ x, y, z };
}

static inline struct rd_vec3 rd_add(struct rd_vec3 a, struct rd_vec3 b)
{
    return rd_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct rd_vec3 rd_sub(struct rd_vec3 a, struct rd_vec3 b)
{
    return rd_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct rd_vec3 rd_scale(struct rd_vec3 a, float s)
{
    return rd_vec3(a.x * s, a.y * s, a.z * s);
}

static inline float rd_dot(struct rd_vec3 a, struct rd_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct rd_vec3 rd_cross(struct rd_vec3 a, struct rd_vec3 b)
{
    return rd_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float rd_length(struct rd_vec3 a)
{
    return sqrtf(rd_dot(a, a));
}

static inline struct rd_vec3 rd_normalize(struct rd_vec3 a)
{
    const float length = rd_length(a);
    return length > 0.0f ? rd_scale(a, 1.0f / length) : a;
}

static inline struct rd_mat4 rd_identity(void)
{
    return (struct rd_mat4){ { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } };
}

static inline struct rd_mat4 rd_mul(const struct rd_mat4 *a, const struct rd_mat4 *b)
{
    struct rd_mat4 r;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++) {
                sum += a->m[k * 4 + row] * b->m[column * 4 + k];
            }
            r.m[column * 4 + row] = sum;
        }
    }
    return r;
}

static inline struct rd_mat4 rd_look_at(struct rd_vec3 eye, struct rd_vec3 target,
                                        struct rd_vec3 up)
{
    const struct rd_vec3 back = rd_normalize(rd_sub(eye, target));
    const struct rd_vec3 right = rd_normalize(rd_cross(up, back));
    const struct rd_vec3 top = rd_cross(back, right);
    return (struct rd_mat4){ { right.x, top.x, back.x, 0, right.y, top.y, back.y, 0, right.z, top.z,
                               back.z, 0, -rd_dot(right, eye), -rd_dot(top, eye),
                               -rd_dot(back, eye), 1 } };
}

/** Infinite far plane at depth 0, near plane at depth 1; y points down in clip space. */
static inline struct rd_mat4 rd_perspective(float fov_y_radians, float aspect, float near_plane)
{
    const float f = 1.0f / tanf(fov_y_radians * 0.5f);
    return (
        struct rd_mat4){ { f / aspect, 0, 0, 0, 0, -f, 0, 0, 0, 0, 0, -1, 0, 0, near_plane, 0 } };
}

/** A box of half sizes around the view's origin: near (z = +depth) at depth 1, far at 0. */
static inline struct rd_mat4 rd_orthographic(float half_width, float half_height, float depth)
{
    return (struct rd_mat4){ { 1 / half_width, 0, 0, 0, 0, -1 / half_height, 0, 0, 0, 0,
                               0.5f / depth, 0, 0, 0, 0.5f, 1 } };
}

/** Inverse by cofactors. The matrix must be regular. */
struct rd_mat4 rd_inverse(const struct rd_mat4 *a);

#endif
