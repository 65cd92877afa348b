/* SPDX-License-Identifier: MIT */
/* Work whose amount is known, so that it is known what a frame is bound by. */
#ifndef CANVAS_LOAD_H
#define CANVAS_LOAD_H
#include "canvas_painter.h"

struct cv_load_options {
    int64_t cpu_ns;       /**< of busy computing in each frame */
    uint32_t gpu_rounds;  /**< of a loop for each pixel in each frame */
    int64_t balanced_ns;  /**< so much of both */
    int64_t alternate_ns; /**< so much of the one, and in the next frame of the other */
};

/** Zero is valid: no load. */
struct cv_load {
    struct cv_load_options options;
    uint32_t rounds; /**< of what balanced_ns or alternate_ns ask for: measured */
};

int64_t cv_now_ns(void);

/** Measures how many rounds the device does in the time that is asked for. */
void cv_load_init(struct cv_load *load, const struct cv_load_options *options,
                  struct cv_painter *painter);
void cv_load_cpu(const struct cv_load *load, uint64_t frame);
void cv_load_gpu(const struct cv_load *load, uint64_t frame, struct cv_painter *painter);

#endif
