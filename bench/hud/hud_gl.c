/* SPDX-License-Identifier: MIT */
#include "hud_gl.h"

#include "base/clock.h"
#include <frameglass/hud_opengl.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>
#include <string.h>

struct hud_gl {
    EGLDisplay display;
    EGLContext context;
    struct fg_hud_opengl *renderer;
    const GLubyte *(*GetString)(GLenum name);
    void (*Clear)(GLbitfield mask);
    void (*Flush)(void);
    void (*Finish)(void);
};

static void load(void *member, const char *name)
{
    const fg_opengl_function function = eglGetProcAddress(name);
    memcpy(member, &function, sizeof function);
}

/** The first device that is no software, else Mesa's display without a window. */
static EGLDisplay find_display(void)
{
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    EGLDisplay found;
    PFNEGLQUERYDEVICESEXTPROC query_devices;
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string;
    load(&query_devices, "eglQueryDevicesEXT");
    load(&query_string, "eglQueryDeviceStringEXT");
    if (query_devices == NULL || query_string == NULL || !query_devices(16, devices, &count)) {
        count = 0;
    }
    for (EGLint i = 0; i < count; i++) {
        const char *extensions = query_string(devices[i], EGL_EXTENSIONS);
        if (extensions != NULL && strstr(extensions, "EGL_MESA_device_software") != NULL) {
            continue;
        }
        found = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        if (found != EGL_NO_DISPLAY && eglInitialize(found, NULL, NULL)) {
            return found;
        }
    }
    found = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    return found != EGL_NO_DISPLAY && eglInitialize(found, NULL, NULL) ? found : EGL_NO_DISPLAY;
}

static void make_target(uint32_t width_px, uint32_t height_px)
{
    PFNGLGENFRAMEBUFFERSPROC gen_framebuffers;
    PFNGLBINDFRAMEBUFFERPROC bind_framebuffer;
    PFNGLGENRENDERBUFFERSPROC gen_renderbuffers;
    PFNGLBINDRENDERBUFFERPROC bind_renderbuffer;
    PFNGLRENDERBUFFERSTORAGEPROC storage;
    PFNGLFRAMEBUFFERRENDERBUFFERPROC attach;
    GLuint names[2];
    load(&gen_framebuffers, "glGenFramebuffers");
    load(&bind_framebuffer, "glBindFramebuffer");
    load(&gen_renderbuffers, "glGenRenderbuffers");
    load(&bind_renderbuffer, "glBindRenderbuffer");
    load(&storage, "glRenderbufferStorage");
    load(&attach, "glFramebufferRenderbuffer");
    gen_renderbuffers(1, &names[0]);
    bind_renderbuffer(GL_RENDERBUFFER, names[0]);
    storage(GL_RENDERBUFFER, GL_RGBA8, (GLsizei)width_px, (GLsizei)height_px);
    gen_framebuffers(1, &names[1]);
    bind_framebuffer(GL_FRAMEBUFFER, names[1]);
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[0]);
}

struct hud_gl *hud_gl_open(uint32_t width_px, uint32_t height_px)
{
    const EGLint config_wants[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE };
    const EGLint wants[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE };
    struct hud_gl *gl = calloc(1, sizeof *gl);
    EGLConfig config = NULL;
    EGLint count = 0;
    if (gl == NULL) {
        return NULL;
    }
    gl->display = find_display();
    if (gl->display == EGL_NO_DISPLAY || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(gl->display, config_wants, &config, 1, &count)) {
        free(gl);
        return NULL;
    }
    gl->context = eglCreateContext(gl->display, config, EGL_NO_CONTEXT, wants);
    if (!eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context)) {
        hud_gl_close(gl);
        return NULL;
    }
    load(&gl->GetString, "glGetString");
    load(&gl->Clear, "glClear");
    load(&gl->Flush, "glFlush");
    load(&gl->Finish, "glFinish");
    make_target(width_px, height_px);
    if (fg_hud_opengl_create(FG_HUD_OPENGL_OPTIONS(.get_proc_address = eglGetProcAddress),
                             &gl->renderer, NULL) != FG_OK) {
        hud_gl_close(gl);
        return NULL;
    }
    return gl;
}

void hud_gl_close(struct hud_gl *gl)
{
    if (gl != NULL) {
        fg_hud_opengl_destroy(gl->renderer);
        eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(gl->display, gl->context);
        eglTerminate(gl->display);
        free(gl);
    }
}

const char *hud_gl_device(const struct hud_gl *gl)
{
    return (const char *)gl->GetString(GL_RENDERER);
}

int64_t hud_gl_frame(struct hud_gl *gl, const struct fg_hud_list *list)
{
    int64_t spent_ns;
    if (gl == NULL) {
        return 0;
    }
    int64_t begin_ns = fgi_clock_monotonic_ns();
    gl->Clear(GL_COLOR_BUFFER_BIT);
    if (list != NULL) {
        begin_ns = fgi_clock_monotonic_ns();
        fg_hud_opengl_draw(gl->renderer, list);
        spent_ns = fgi_clock_monotonic_ns() - begin_ns;
        gl->Flush();
    } else {
        gl->Flush();
        spent_ns = fgi_clock_monotonic_ns() - begin_ns;
    }
    gl->Finish();
    return spent_ns;
}
