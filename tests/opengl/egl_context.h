/* SPDX-License-Identifier: MIT */
/*
 * A GL context without a window, over EGL that is opened at run time. The driver is the first real
 * device, or with FGT_EGL=surfaceless the software one. Nothing here needs a header of GL.
 */
#ifndef FGT_EGL_CONTEXT_H
#define FGT_EGL_CONTEXT_H
#include <EGL/egl.h>
#include <frameglass/gpu_opengl.h>

struct egl_wish {
    bool es;
    int major, minor;   /**< that or a later one which can do the same */
    EGLint profile;     /**< of desktop GL; 0 = the driver's choice, which is core */
    bool hears_of_loss; /**< where it can: queries say that it was reset */
    bool debug;         /**< where it can: it tells what it hears, and is slower */
};

struct egl_context {
    bool es;
    void *library;
    EGLDisplay display;
    EGLContext context;
    fg_opengl_getter *get_proc_address;
};

/** A context, current. False: there is none. */
bool egl_context_open(struct egl_context *context, const struct egl_wish *wish);
void egl_context_close(struct egl_context *context);
/** Make it current on the calling thread, or (false) on none. */
void egl_context_make_current(struct egl_context *context, bool current);

#endif
