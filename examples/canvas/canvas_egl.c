/* SPDX-License-Identifier: MIT */
/*
 * A context without a window: of a real device if there is one, else of the software renderer. The
 * size is the caller's framebuffer's; there are no events.
 */
#include "canvas_platform.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 16 };

struct hidden {
    struct cv_platform base;
    EGLDisplay display;
    EGLContext context;
    int width_px, height_px;
};

static void hidden_close(struct cv_platform *platform)
{
    struct hidden *hidden = (struct hidden *)platform;
    (void)eglMakeCurrent(hidden->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    (void)eglDestroyContext(hidden->display, hidden->context);
    (void)eglTerminate(hidden->display);
    free(hidden);
}

static void hidden_present(struct cv_platform *platform)
{
    (void)platform; /* nobody sees it; the frame was flushed */
}

static void hidden_poll(struct cv_platform *platform, struct cv_editor *editor, bool waits)
{
    (void)platform;
    (void)editor;
    (void)waits;
}

static void hidden_get_size(struct cv_platform *platform, int *out_width_px, int *out_height_px)
{
    const struct hidden *hidden = (const struct hidden *)platform;
    *out_width_px = hidden->width_px;
    *out_height_px = hidden->height_px;
}

static bool make_context(struct hidden *hidden, EGLDisplay display)
{
    static const EGLint wanted[] = { EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE };
    static const EGLint config_wanted[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                                            EGL_OPENGL_BIT, EGL_NONE };
    EGLConfig config = NULL;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        return false;
    }
    EGLContext context = EGL_NO_CONTEXT;
    if (eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, config_wanted, &config, 1, &count) &&
        count == 1) {
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
    }
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        if (context != EGL_NO_CONTEXT) {
            (void)eglDestroyContext(display, context);
        }
        (void)eglTerminate(display);
        return false;
    }
    hidden->display = display;
    hidden->context = context;
    return true;
}

/** @param is_software which of the devices: those that only compute, or those that are real */
static bool open_device(struct hidden *hidden, bool is_software)
{
    PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    if (query_devices == NULL || query_string == NULL || get_display == NULL ||
        !query_devices(DEVICES_MAX, devices, &count)) {
        return false;
    }
    for (EGLint i = 0; i < count; i++) {
        const char *extensions = query_string(devices[i], EGL_EXTENSIONS);
        const bool computes =
            extensions != NULL && strstr(extensions, "EGL_MESA_device_software") != NULL;
        if (computes == is_software &&
            make_context(hidden, get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL))) {
            return true;
        }
    }
    return false;
}

bool cv_platform_open_hidden(const struct cv_platform_options *options,
                             struct cv_platform **out_platform)
{
    struct hidden *hidden = calloc(1, sizeof(*hidden));
    if (hidden == NULL) {
        return false;
    }
    if (!open_device(hidden, false) && !open_device(hidden, true) &&
        !make_context(hidden, eglGetDisplay(EGL_DEFAULT_DISPLAY))) {
        fprintf(stderr, "canvas: EGL gives no context of OpenGL 3.3 without a surface\n");
        free(hidden);
        return false;
    }
    hidden->base = (struct cv_platform){
        .get = eglGetProcAddress,
        .context = hidden->context,
        .close = hidden_close,
        .present = hidden_present,
        .poll = hidden_poll,
        .get_size = hidden_get_size,
    };
    hidden->width_px = options->width_px;
    hidden->height_px = options->height_px;
    *out_platform = &hidden->base;
    return true;
}
