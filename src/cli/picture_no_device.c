/* SPDX-License-Identifier: MIT */
/* A build without an engine on devices draws with the CPU alone. */
#include "base/result.h"
#include "cli/picture_device.h"

enum fg_result fgi_picture_on_device(struct fgi_render *render, struct fgi_device_choice *choice,
                                     char *out_name, struct fg_diag *diag)
{
    (void)render;
    (void)choice;
    out_name[0] = '\0';
    return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "this build draws with the CPU alone");
}
