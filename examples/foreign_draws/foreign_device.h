/* SPDX-License-Identifier: MIT */
/* The renderer's own device and queue. What is submitted, and when, is decided here. */
#ifndef FOREIGN_DEVICE_H
#define FOREIGN_DEVICE_H
#include <volk.h>

#include <frameglass/compute.h>

struct foreign_device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    struct fg_compute *compute; /**< what Frameglass knows of it */
};

/** Says what fails on standard error, as all of this renderer does. */
bool foreign_device_create(struct foreign_device *device);
/** Of one that was made in part, too. All that was made of it is gone. */
void foreign_device_destroy(struct foreign_device *device);

bool foreign_device_begin(struct foreign_device *device);
/** Submit what was recorded, and wait for it. */
bool foreign_device_finish(struct foreign_device *device);

/** A memory type of these that has all the properties; UINT32_MAX. */
uint32_t foreign_device_memory_type(const struct foreign_device *device, uint32_t types,
                                    VkMemoryPropertyFlags properties);

/** False, and what went wrong. */
bool foreign_ok(enum fg_result result, const char *what);
bool foreign_done(VkResult result, const char *what);

#endif
