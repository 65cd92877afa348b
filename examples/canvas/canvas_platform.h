/* SPDX-License-Identifier: MIT */
/* Where a context comes from: a window, or nowhere to be seen. */
#ifndef CANVAS_PLATFORM_H
#define CANVAS_PLATFORM_H
#include "canvas_editor.h"
#include "canvas_gl.h"

struct cv_platform_options {
    int width_px, height_px;
    bool is_headless;
    bool waits_for_display; /**< present waits for the display's next picture */
};

/** A platform is a struct that begins with this one. */
struct cv_platform {
    cv_gl_getter *get;
    const void *context;
    bool has_window;
    void (*close)(struct cv_platform *platform);
    void (*present)(struct cv_platform *platform);
    /** Give the editor what came. @param waits until something comes */
    void (*poll)(struct cv_platform *platform, struct cv_editor *editor, bool waits);
    void (*get_size)(struct cv_platform *platform, int *out_width_px, int *out_height_px);
};

/**
 * A window where there is one to be had; else, or if it is asked for, none. The context is current.
 *
 * @return false: there is no OpenGL 3.3; said on standard error
 */
bool cv_platform_open(const struct cv_platform_options *options, struct cv_platform **out_platform);
/** NULL is legal. */
void cv_platform_close(struct cv_platform *platform);

/* The two that there are. */
bool cv_platform_open_hidden(const struct cv_platform_options *options,
                             struct cv_platform **out_platform);
bool cv_platform_open_window(const struct cv_platform_options *options,
                             struct cv_platform **out_platform);

#endif
