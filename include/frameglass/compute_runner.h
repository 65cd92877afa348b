/* SPDX-License-Identifier: MIT */
/*
 * Who submits: nothing of Frameglass does it by itself. Where an answer is wanted before a call
 * returns (a trace engine on the GPU), the owner of the device and its queue lends these functions.
 */
#ifndef FG_COMPUTE_RUNNER_H
#define FG_COMPUTE_RUNNER_H
#include <frameglass/compute.h>
FG_BEGIN_DECLS

/**
 * One command buffer at a time: begin, submit, wait; a buffer that was begun and is not to be
 * submitted is begun again. All functions are required. Called by the thread that asks.
 */
struct fg_compute_runner {
    struct fg_compute *compute; /**< of the device that is submitted to */
    void *context;
    /**
     * An empty command buffer that is being recorded. Nothing is in flight.
     *
     * @return FG_OK; FG_ERR_DEVICE_LOST; FG_ERR_NO_MEMORY
     */
    enum fg_result (*begin)(void *context, VkCommandBuffer *out_commands);
    /** End it and hand it to the queue. FG_OK; FG_ERR_DEVICE_LOST; FG_ERR_NO_MEMORY */
    enum fg_result (*submit)(void *context);
    /** Until it has completed. FG_OK; FG_ERR_DEVICE_LOST */
    enum fg_result (*wait)(void *context);
};

FG_END_DECLS
#endif
