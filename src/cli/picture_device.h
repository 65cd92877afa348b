/* SPDX-License-Identifier: MIT */
/* A picture by the device of this machine. */
#ifndef FGI_PICTURE_DEVICE_H
#define FGI_PICTURE_DEVICE_H
#include "cli/device_choice.h"
#include "render/render.h"

enum { FGI_DEVICE_NAME = 256 };
/**
 * Fill in the spans by a device, which is made for it.
 *
 * @param out_name its name; FGI_DEVICE_NAME bytes
 * @param diag     why it was not done
 * @return of fgi_render_on_device(); FG_ERR_UNSUPPORTED where there is no device that draws
 */
FG_MUST_USE enum fg_result fgi_picture_on_device(struct fgi_render *render,
                                                 struct fgi_device_choice *choice, char *out_name,
                                                 struct fg_diag *diag);

#endif
