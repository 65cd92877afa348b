/* SPDX-License-Identifier: MIT */
/*
 * Our own recorder on our own device: every submission becomes a frame of a capture, with the nodes
 * of the command graph as its passes and what they touch as its resources.
 */
#ifndef FGI_DEVICE_PROFILE_H
#define FGI_DEVICE_PROFILE_H
#include <frameglass/compute_graph.h>
#include <frameglass/gpu_vulkan.h>

struct fgi_device_profile;

/**
 * Record what is encoded and submitted from now on.
 *
 * @param options of the recorder's device; one queue
 * @param compute told to listen; outlives the profile
 * @param path    of the capture; copied
 * @return FG_OK; of fg_vulkan_device_create() and fg_session_start()
 */
FG_MUST_USE enum fg_result fgi_device_profile_create(const struct fg_vulkan_options *options,
                                                     struct fg_compute *compute, const char *path,
                                                     struct fgi_device_profile **out_profile);
/** The device is idle. Closes the capture with the last results. NULL is legal. */
void fgi_device_profile_destroy(struct fgi_device_profile *profile);
/** A frame begins with these commands, which are being recorded. One not submitted ends. */
void fgi_device_profile_begin(struct fgi_device_profile *profile, VkCommandBuffer commands);
/** Right before the commands end. */
void fgi_device_profile_end(struct fgi_device_profile *profile);
/** In place of vkQueueSubmit(); ends the frame. */
VkResult fgi_device_profile_submit(struct fgi_device_profile *profile, const VkSubmitInfo *batch,
                                   VkFence fence);

#endif
