/* SPDX-License-Identifier: MIT */
/*
 * A capture of a renderer that is not there: the frames of a deferred renderer, told to the
 * recorder on a device made of arithmetic. No GPU, no driver and no Vulkan loader is needed.
 *
 * The frame graph is declared, compiled and culled in every frame by the demo renderer's own code;
 * what passes cost is made up, the same in every run of one seed. It follows the same script:
 * at frame RD_RESIZE_FRAME the resolution grows by a quarter in each direction, and frame
 * RD_HITCH_FRAME takes too long, this time because of one pass.
 */
#ifndef SD_SOFTWARE_DEMO_H
#define SD_SOFTWARE_DEMO_H

#include <renderer.h>

/**
 * @param options frames, size, level, seed and the capture's path count, which is required; the
 * rest is about pictures and devices. Their defaults are as for rd_run(), but for the size:
 * 1280x720.
 * @param out_summary filled in either case
 * @return false: see the summary's error
 */
bool sd_run(const struct rd_options *options, struct rd_summary *out_summary);

#endif
