/* SPDX-License-Identifier: MIT */
#include "canvas_platform.h"

#include <stdio.h>

bool cv_platform_open(const struct cv_platform_options *options, struct cv_platform **out_platform)
{
    *out_platform = NULL;
#ifdef CV_HAS_GLFW
    if (!options->is_headless) {
        return cv_platform_open_window(options, out_platform);
    }
#else
    if (!options->is_headless) {
        fprintf(stderr, "canvas: built without GLFW, so there is no window\n");
    }
#endif
    return cv_platform_open_hidden(options, out_platform);
}

void cv_platform_close(struct cv_platform *platform)
{
    if (platform != NULL) {
        platform->close(platform);
    }
}
