/* SPDX-License-Identifier: MIT */
#include "cli/picture_device.h"
#include "base/result.h"
#include "render/render_device.h"

#include <stdio.h>

enum fg_result fgi_picture_on_device(struct fgi_render *render, struct fgi_device_choice *choice,
                                     char *out_name, struct fg_diag *diag)
{
    struct fgi_render_device device;
    const struct fg_compute_runner *runner = fgi_device_runner(&choice->device, diag);
    if (runner == NULL) {
        return FG_ERR_UNSUPPORTED;
    }
    snprintf(out_name, FGI_DEVICE_NAME, "%s", fg_compute_get_facts(runner->compute)->device_name);
    if (!fgi_device_drawing(choice->device, &device)) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "%s does not draw", out_name);
    }
    const enum fg_result result = fgi_render_on_device(render, &device, diag);
    if (result != FG_OK && diag->message[0] == '\0') {
        (void)fgi_fail(diag, result, 0, "%s: %s", out_name, fg_result_text(result));
    }
    return result;
}
