/* SPDX-License-Identifier: MIT */
#include "egl_context.h"

#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 16 };

/** EGL's functions, as far as they are used. */
static struct {
    PFNEGLGETPROCADDRESSPROC GetProcAddress;
    PFNEGLINITIALIZEPROC Initialize;
    PFNEGLTERMINATEPROC Terminate;
    PFNEGLBINDAPIPROC BindAPI;
    PFNEGLCREATECONTEXTPROC CreateContext;
    PFNEGLDESTROYCONTEXTPROC DestroyContext;
    PFNEGLMAKECURRENTPROC MakeCurrent;
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplayEXT;
    PFNEGLQUERYDEVICESEXTPROC QueryDevicesEXT;
    PFNEGLQUERYDEVICESTRINGEXTPROC QueryDeviceStringEXT;
} egl;

/* Untyped pointers to typed ones: POSIX promises that this works. */
static void load(void *member, void (*function)(void))
{
    *(void (**)(void))member = function;
}

static bool open_library(struct egl_context *context)
{
    context->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (context->library == NULL) {
        return false;
    }
#define FROM_LIBRARY(name) *(void **)(void *)&egl.name = dlsym(context->library, "egl" #name)
    FROM_LIBRARY(GetProcAddress);
    FROM_LIBRARY(Initialize);
    FROM_LIBRARY(Terminate);
    FROM_LIBRARY(BindAPI);
    FROM_LIBRARY(CreateContext);
    FROM_LIBRARY(DestroyContext);
    FROM_LIBRARY(MakeCurrent);
#undef FROM_LIBRARY
    load(&egl.GetPlatformDisplayEXT, egl.GetProcAddress("eglGetPlatformDisplayEXT"));
    load(&egl.QueryDevicesEXT, egl.GetProcAddress("eglQueryDevicesEXT"));
    load(&egl.QueryDeviceStringEXT, egl.GetProcAddress("eglQueryDeviceStringEXT"));
    return egl.GetPlatformDisplayEXT != NULL;
}

/** @param is_plain without what a driver need not have */
static EGLContext create(EGLDisplay display, const struct egl_wish *wish, bool is_plain)
{
    EGLint wants[11] = { EGL_CONTEXT_MAJOR_VERSION, wish->major, EGL_CONTEXT_MINOR_VERSION,
                         wish->minor };
    int count = 4;
    if (wish->profile != 0) {
        wants[count++] = EGL_CONTEXT_OPENGL_PROFILE_MASK;
        wants[count++] = wish->profile;
    }
    if (!is_plain && wish->hears_of_loss) {
        wants[count++] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
        wants[count++] = EGL_LOSE_CONTEXT_ON_RESET;
    }
    if (!is_plain && wish->debug) {
        wants[count++] = EGL_CONTEXT_OPENGL_DEBUG;
        wants[count++] = EGL_TRUE;
    }
    wants[count] = EGL_NONE;
    return egl.CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wants);
}

static bool create_context(struct egl_context *context, EGLDisplay display,
                           const struct egl_wish *wish)
{
    if (display == EGL_NO_DISPLAY || !egl.Initialize(display, NULL, NULL)) {
        return false;
    }
    context->display = display;
    egl.BindAPI(wish->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    context->context = create(display, wish, false);
    if (context->context == EGL_NO_CONTEXT) {
        context->context = create(display, wish, true);
    }
    if (context->context != EGL_NO_CONTEXT &&
        egl.MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context)) {
        return true;
    }
    egl.Terminate(display);
    return false;
}

static bool open_device(struct egl_context *context, const struct egl_wish *wish)
{
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    if (egl.QueryDevicesEXT == NULL || egl.QueryDeviceStringEXT == NULL ||
        !egl.QueryDevicesEXT(DEVICES_MAX, devices, &count)) {
        return false;
    }
    for (EGLint i = 0; i < count; i++) {
        const char *extensions = egl.QueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
        bool software = extensions != NULL && strstr(extensions, "EGL_MESA_device_software");
        if (!software &&
            create_context(context,
                           egl.GetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL),
                           wish)) {
            return true;
        }
    }
    return false;
}

bool egl_context_open(struct egl_context *context, const struct egl_wish *wish)
{
    const char *forced = getenv("FGT_EGL");
    const bool surfaceless = forced != NULL && strcmp(forced, "surfaceless") == 0;
    *context = (struct egl_context){ .es = wish->es };
    if (!open_library(context) ||
        !((!surfaceless && open_device(context, wish)) ||
          create_context(
              context,
              egl.GetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
              wish))) {
        fprintf(stderr, "no context of %s %d.%d\n", wish->es ? "OpenGL ES" : "OpenGL", wish->major,
                wish->minor);
        return false;
    }
    context->get_proc_address = egl.GetProcAddress;
    return true;
}

void egl_context_close(struct egl_context *context)
{
    egl.MakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl.DestroyContext(context->display, context->context);
    egl.Terminate(context->display);
}

void egl_context_make_current(struct egl_context *context, bool current)
{
    egl.BindAPI(context->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    if (!egl.MakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                         current ? context->context : EGL_NO_CONTEXT)) {
        fprintf(stderr, "the context cannot be made current\n");
        abort();
    }
}
