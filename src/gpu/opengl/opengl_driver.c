/* SPDX-License-Identifier: MIT */
/* What a capture says about the context and its driver. */
#include "base/verdict.h"
#include "gpu/opengl/opengl_priv.h"

#include <stdio.h>
#include <string.h>

/** Found by a part of the renderer's or the vendor's name; the first that fits. */
struct driver {
    const char *part;
    const char *kind; /**< NULL = not said */
    bool not_of_execution;
    const char *hint; /**< what a reader of its captures should know, or the setting that helps */
};

static const struct driver drivers[] = {
    { "llvmpipe", "cpu", true,
      "a software device: its GL times are of when commands are taken in, not of when they run" },
    { "softpipe", "cpu", true,
      "a software device: its GL times are of when commands are taken in, not of when they run" },
    { "SwiftShader", "cpu", false,
      "a software device: it shares the processor with the application" },
    { "NVIDIA", NULL, false,
      "clocks follow load; nvidia-smi --lock-gpu-clocks fixes them while measuring" },
    { "AMD", NULL, false,
      "clocks follow load; power_dpm_force_performance_level = profile_standard fixes them" },
    { "Intel", NULL, false,
      "clocks follow load; equal gt_min_freq_mhz and gt_max_freq_mhz fix them" },
};

static const struct driver *find_driver(const struct fgi_opengl_device *device)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        if (strstr(device->renderer, drivers[i].part) != NULL ||
            strstr(device->vendor, drivers[i].part) != NULL) {
            return &drivers[i];
        }
    }
    return NULL;
}

bool fgi_opengl_is_not_of_execution(const struct fgi_opengl_device *device)
{
    const struct driver *driver = find_driver(device);
    return driver != NULL && driver->not_of_execution;
}

static const char *timing_text(const struct fgi_opengl_device *device)
{
    switch (device->timing) {
    case FG_OPENGL_TIMING_STAMPS:
        return "timestamps";
    case FG_OPENGL_TIMING_ELAPSED:
        return "elapsed queries";
    default:
        return "none";
    }
}

void fgi_opengl_describe(struct fg_device *base,
                         void (*put)(void *context, const char *key, const char *value),
                         void (*feature)(void *context, const char *name), void *context)
{
    const struct fgi_opengl_device *device = fgi_opengl_device(base);
    const struct driver *driver = find_driver(device);
    char text[64];
    put(context, "adapter.vendor", device->vendor);
    put(context, "adapter.name", device->renderer);
    put(context, "driver.name", device->vendor);
    put(context, "driver.version", device->version);
    put(context, "driver.timing", timing_text(device));
    if (base->caps.not_of_execution) {
        put(context, FGI_META_TIMES, FGI_META_TIMES_NOT_OF_EXECUTION);
    }
    if (driver != NULL) {
        put(context, "driver.hint", driver->hint);
        if (driver->kind != NULL) {
            put(context, "adapter.kind", driver->kind);
        }
    }
    (void)snprintf(text, sizeof text, "OpenGL%s %d.%d", device->es ? " ES" : "", device->major,
                   device->minor);
    put(context, "api", text);
    (void)snprintf(text, sizeof text, "%d", device->timestamp_bits);
    put(context, "limit.timestamp_bits", text);
    (void)snprintf(text, sizeof text, "%d", device->elapsed_bits);
    put(context, "limit.elapsed_bits", text);
    const struct {
        bool there;
        const char *name;
    } features[] = {
        { device->timing == FG_OPENGL_TIMING_STAMPS, "timestamps" },
        { device->timing == FG_OPENGL_TIMING_ELAPSED, "elapsed-queries" },
        { base->caps.calibrated, "calibrated-timestamps" },
        { base->caps.statistics_mask != 0, "pipeline-statistics" },
        { device->gl.PushDebugGroup != NULL, "debug-groups" },
        { device->has_disjoint, "disjoint-status" },
        { device->has_reset_status, "reset-status" },
        { base->caps.memory, "memory-info" },
    };
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (features[i].there) {
            feature(context, features[i].name);
        }
    }
}
