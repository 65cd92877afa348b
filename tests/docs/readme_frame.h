/* SPDX-License-Identifier: MIT */
/* What README.md's lines need around them: a device, a command buffer, a submit. */
#ifndef FGT_README_FRAME_H
#define FGT_README_FRAME_H
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <stdlib.h>

static void submit(struct fg_device *device, struct fg_software_commands *native)
{
    const struct fg_software_submission one = { .commands = &native, .commands_count = 1 };
    if (fg_software_submit(device, &one) != FG_OK) {
        exit(3);
    }
}

int record(struct fg_device *device, struct fg_software_commands *native);

int main(void)
{
    struct fg_device *device = NULL;
    struct fg_software_commands *native = NULL;
    if (fg_software_device_create(NULL, &device) != FG_OK ||
        fg_software_commands_create(device, &native) != FG_OK) {
        return 2;
    }
    int status = record(device, native);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
    return status;
}
#endif
