/* SPDX-License-Identifier: MIT */
/* Paired readings of the device's clock and CLOCK_MONOTONIC. */
#include "gpu/vulkan/vulkan_priv.h"

enum { DOMAINS_MAX = 16 };

/** NULL when calibrate() works, otherwise why it does not: static text for the capture. */
const char *fgi_vulkan_no_calibration(struct fgi_vulkan_device *device, uint32_t flags)
{
    VkTimeDomainEXT domains[DOMAINS_MAX];
    uint32_t count = DOMAINS_MAX;
    bool has_device = false;
    bool has_monotonic = false;
    if (flags & FG_VULKAN_NO_CALIBRATION) {
        return "the application asked for no calibration";
    }
    if (device->vk.GetCalibratedTimestampsEXT == NULL ||
        device->vk.GetPhysicalDeviceCalibrateableTimeDomainsEXT == NULL) {
        return "calibrated timestamps are not enabled on this Vulkan device";
    }
    if (device->vk.GetPhysicalDeviceCalibrateableTimeDomainsEXT(device->physical, &count, domains) <
        VK_SUCCESS) {
        return "the driver does not list its time domains";
    }
    for (uint32_t i = 0; i < count; i++) {
        has_device = has_device || domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
        has_monotonic = has_monotonic || domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    }
    return has_device && has_monotonic
               ? NULL
               : "the driver cannot read its clock together with CLOCK_MONOTONIC";
}

/** One try. Which readings to believe is the recorder's part: it sees them all. */
enum fg_result fgi_vulkan_calibrate(struct fg_device *base, uint32_t queue,
                                    struct fgi_clock_pair *out_pair)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    const VkCalibratedTimestampInfoEXT infos[2] = {
        { VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, NULL, VK_TIME_DOMAIN_DEVICE_EXT },
        { VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, NULL,
          VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT },
    };
    uint64_t readings[2];
    uint64_t deviation_ns = 0;
    if (!base->caps.calibrated) {
        return FG_ERR_UNSUPPORTED;
    }
    VkResult result =
        device->vk.GetCalibratedTimestampsEXT(device->device, 2, infos, readings, &deviation_ns);
    if (result != VK_SUCCESS) {
        return fgi_vulkan_result(result);
    }
    out_pair->device_ticks = readings[0] & device->tick_masks[queue];
    out_pair->host_ns = (int64_t)readings[1];
    out_pair->deviation_ns = deviation_ns > INT64_MAX ? INT64_MAX : (int64_t)deviation_ns;
    return FG_OK;
}
