/* SPDX-License-Identifier: MIT */
/* A build without an engine on devices has no use for one. */
#include "base/result.h"
#include "cli/device_choice.h"

const struct fg_compute_runner *fgi_device_runner(struct fgi_device **device, struct fg_diag *diag)
{
    (void)device;
    (void)fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "this build has no trace engine on GPUs");
    return NULL;
}

enum fg_result fgi_device_record(struct fgi_device *device, const char *path)
{
    (void)device;
    (void)path;
    return FG_ERR_UNSUPPORTED;
}

void fgi_device_destroy(struct fgi_device *device)
{
    (void)device;
}
