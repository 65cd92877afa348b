/* SPDX-License-Identifier: MIT */
/* In place of the renderer, where what it is built from was not there. */
#include "renderer.h"

#include <stdio.h>

bool rd_run(const struct rd_options *options, struct rd_summary *out_summary)
{
    (void)options;
    *out_summary = (struct rd_summary){ 0 };
    (void)snprintf(out_summary->error, sizeof(out_summary->error), "%s",
                   "this build has no renderer: Vulkan headers, volk, libpng, jansson or "
                   "glslangValidator was missing");
    return false;
}
