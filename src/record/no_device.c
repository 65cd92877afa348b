/* SPDX-License-Identifier: MIT */
/* The device of sessions that have none: no queue, and the host's clock. It is never lent out. */
#include "record/record_priv.h"

static void no_device_close(struct fg_device *device)
{
    (void)device;
}

static void no_device_free(struct fg_device *device)
{
    fgi_free(device->allocator, device, sizeof *device);
}

static const struct fgi_device_ops no_device_ops = {
    .close = no_device_close,
    .free = no_device_free,
};

enum fg_result fgi_no_device_create(const struct fg_allocator *allocator,
                                    struct fg_device **out_device)
{
    struct fg_device *device = fgi_calloc(allocator, 1, sizeof *device);
    if (device == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    device->ops = &no_device_ops;
    enum fg_result result = fgi_device_init(device, 0, allocator, NULL);
    if (result != FG_OK) {
        fgi_free(allocator, device, sizeof *device);
        return result;
    }
    *out_device = device;
    return FG_OK;
}
