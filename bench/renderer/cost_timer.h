/* SPDX-License-Identifier: MIT */
/* What timing the GPU costs a frame: one pass around everything, whatever the API. */
#ifndef FGB_COST_TIMER_H
#define FGB_COST_TIMER_H
#include <frameglass/gpu.h>

struct hud_gl;

/** A device that draws frames. Only what is Frameglass' own between these calls is timed. */
struct timer_bed {
    struct fg_device *device;
    void *native;
    void (*prepare)(struct timer_bed *bed);
    /** Of this frame: NULL when it is. */
    struct fg_commands *(*begin)(struct timer_bed *bed, struct fg_frame *frame);
    void (*work)(struct timer_bed *bed);
    bool announces;                        /**< its submissions, before submit() */
    void (*submit)(struct timer_bed *bed); /**< and wait */
};

/** Nanoseconds of CPU; medians. */
struct timer_costs {
    int64_t setup_ns; /**< once: what the first frames take longer than those after them */
    int64_t frame_ns; /**< each frame: recorded, two stamps in it, results of frames before read */
    int64_t without_ns; /**< each frame that is recorded without them */
    int64_t off_ns;     /**< each frame while nobody records */
};

/** False: there is no device of this kind. */
bool timer_gl_measure(struct hud_gl *gl, struct timer_costs *out);
bool timer_vk_measure(struct timer_costs *out);

bool timer_measure(struct timer_bed *bed, struct timer_costs *out);

#endif
