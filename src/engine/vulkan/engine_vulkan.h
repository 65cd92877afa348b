/* SPDX-License-Identifier: MIT */
/*
 * The engine on a Vulkan device. It answers at once, through a runner that its home lends. What the
 * device does not answer, or can no longer answer, is asked of a host engine, which is made when it
 * is first needed: the trace is the same, so nothing is lost with a device.
 */
#ifndef FGI_ENGINE_VULKAN_H
#define FGI_ENGINE_VULKAN_H
#include "trace/engine.h"
#include <frameglass/compute_plan.h>
#include <frameglass/compute_runner.h>

struct fgi_engine_vulkan_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the engine */
    struct fg_compute_runner runner;      /**< copied; what it lends outlives the engine */
    /** Another engine over the same trace; owned by this one. */
    enum fg_result (*make_host)(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine);
    void *host_context;
    /** What one submission may cost at first; it follows the time that submissions take. Zero = as
     *  much as a GPU does in some milliseconds. */
    struct fg_compute_budget step;
};

/**
 * @param options    borrowed for the call
 * @param trace      borrowed: it outlives the engine
 * @param out_engine owned; fgi_engine_destroy(); untouched on failure
 * @return FG_OK, also where the device is lost already: then the host answers; FG_ERR_ARGUMENT;
 *         FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_engine_vulkan_create(const struct fgi_engine_vulkan_options *options,
                                                    const struct fg_trace *trace,
                                                    struct fg_engine **out_engine);

#endif
