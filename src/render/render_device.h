/* SPDX-License-Identifier: MIT */
/*
 * Pictures by a Vulkan device: the trace is moved there, a view finds what is to be drawn, and its
 * indirect commands draw it, off-screen, in one submission. The pixels are those of the CPU.
 */
#ifndef FGI_RENDER_DEVICE_H
#define FGI_RENDER_DEVICE_H
#include "render/render.h"
#include <frameglass/compute_runner.h>

/** A device, and who submits to it. Borrowed for the call. */
struct fgi_render_device {
    const struct fg_compute_runner *runner; /**< its queue draws, too */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
};
/**
 * Fill in the spans. After a failure nothing of the picture is to be used until it was filled
 * again.
 *
 * @param diag NULL, or what the device lacks
 * @return FG_OK; FG_ERR_UNSUPPORTED; FG_ERR_LIMIT; FG_ERR_NO_MEMORY; FG_ERR_DEVICE_LOST; what
 *         reading a block again met
 */
FG_MUST_USE enum fg_result fgi_render_on_device(struct fgi_render *render,
                                                const struct fgi_render_device *device,
                                                struct fg_diag *diag);

#endif
