/* SPDX-License-Identifier: MIT */
/* Running a compiled frame: command buffers, queues and the semaphores between them. */
#ifndef RD_FRAME_SUBMIT_H
#define RD_FRAME_SUBMIT_H

#include "frame.h"

/** What came of a frame. */
struct rd_frame_result {
    uint32_t gpu_pass_count;
    uint32_t draw_count; /**< without the display's */
};

/**
 * Record and submit the frame's live passes.
 *
 * Passes go into one command buffer until the next begins a batch. Passes that may run beside the
 * others go to the compute queue where there is one: they start after the first batch and are
 * waited for by the batch that uses what they made.
 * @param plan_changed order everything after the frames before
 */
bool rd_frame_submit(struct rd_frame *frame, struct rd_device *device,
                     const struct rd_pipelines *pipelines, struct rd_recorder *recorder,
                     bool plan_changed, struct rd_frame_result *out_result);

#endif
