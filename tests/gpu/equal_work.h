/* SPDX-License-Identifier: MIT */
/*
 * The equal-work test: ten passes that do the same must take the same time. A driver that fails it
 * with lone stamps and passes it with pairs belongs into the list of
 * src/gpu/vulkan/vulkan_driver.c.
 */
#ifndef FGT_EQUAL_WORK_H
#define FGT_EQUAL_WORK_H
#include "record/device.h"
#include "vulkan_bed.h"
#include <frameglass/gpu_vulkan.h>

enum { EQUAL_PASSES = 10, EQUAL_FRAMES = 9, EQUAL_TOLERANCE_PERCENT = 25, EQUAL_TRIES = 5 };

struct equal_work {
    int64_t median_ns[EQUAL_PASSES]; /**< over the frames */
    int64_t middle_ns;               /**< median of the medians */
    int worst_percent;               /**< largest distance of a pass from it */
    int tries;                       /**< measurements that were made until one was equal */
};

/** A recorder's device over the bed's; `flags` as in fg_vulkan_options. Aborts on failure. */
struct fg_device *equal_device(struct bed *bed, enum fg_vulkan_stamps stamps, uint32_t flags);

/** @param alternating each pass draws to another target than the one before, else all to one */
struct equal_work equal_work_measure(struct bed *bed, struct fg_device *device, uint32_t loops,
                                     bool alternating);

/** The best of up to EQUAL_TRIES measurements: other programs disturb them, and make none equal. */
struct equal_work equal_work_best(struct bed *bed, struct fg_device *device, uint32_t loops,
                                  bool alternating);

#endif
