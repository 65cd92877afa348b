/* SPDX-License-Identifier: MIT */
#include "egl_bed.h"

#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEVICES_MAX = 16 };

/** EGL's functions, as far as they are used. */
static struct {
    PFNEGLGETPROCADDRESSPROC GetProcAddress;
    PFNEGLGETDISPLAYPROC GetDisplay;
    PFNEGLINITIALIZEPROC Initialize;
    PFNEGLTERMINATEPROC Terminate;
    PFNEGLBINDAPIPROC BindAPI;
    PFNEGLCREATECONTEXTPROC CreateContext;
    PFNEGLDESTROYCONTEXTPROC DestroyContext;
    PFNEGLMAKECURRENTPROC MakeCurrent;
    PFNEGLQUERYSTRINGPROC QueryString;
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplayEXT;
    PFNEGLQUERYDEVICESEXTPROC QueryDevicesEXT;
    PFNEGLQUERYDEVICESTRINGEXTPROC QueryDeviceStringEXT;
} egl;

int64_t egl_bed_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Untyped pointers to typed ones: POSIX promises that this works. */
static void load(void *member, void (*function)(void))
{
    *(void (**)(void))member = function;
}

static bool open_library(struct egl_bed *bed)
{
    bed->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (bed->library == NULL) {
        return false;
    }
#define FROM_LIBRARY(name) *(void **)(void *)&egl.name = dlsym(bed->library, "egl" #name)
    FROM_LIBRARY(GetProcAddress);
    FROM_LIBRARY(GetDisplay);
    FROM_LIBRARY(Initialize);
    FROM_LIBRARY(Terminate);
    FROM_LIBRARY(BindAPI);
    FROM_LIBRARY(CreateContext);
    FROM_LIBRARY(DestroyContext);
    FROM_LIBRARY(MakeCurrent);
    FROM_LIBRARY(QueryString);
    load(&egl.GetPlatformDisplayEXT, egl.GetProcAddress("eglGetPlatformDisplayEXT"));
    load(&egl.QueryDevicesEXT, egl.GetProcAddress("eglQueryDevicesEXT"));
    load(&egl.QueryDeviceStringEXT, egl.GetProcAddress("eglQueryDeviceStringEXT"));
    return egl.GetPlatformDisplayEXT != NULL;
}

static bool create_context(struct egl_bed *bed, EGLDisplay display)
{
    /* clang-format off */
    const EGLint wanted[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, bed->es ? 0 : 3,
        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET,
        EGL_CONTEXT_OPENGL_DEBUG, bed->debug ? EGL_TRUE : EGL_FALSE,
        EGL_NONE,
    };
    const EGLint plain[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, bed->es ? 0 : 3,
        EGL_NONE,
    };
    /* clang-format on */
    if (display == EGL_NO_DISPLAY || !egl.Initialize(display, NULL, NULL)) {
        return false;
    }
    bed->display = display;
    egl.BindAPI(bed->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    bed->context = egl.CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (bed->context == EGL_NO_CONTEXT) {
        bed->context = egl.CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, plain);
    }
    if (bed->context != EGL_NO_CONTEXT &&
        egl.MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, bed->context)) {
        return true;
    }
    egl.Terminate(display);
    return false;
}

static bool open_device(struct egl_bed *bed)
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
        if (!software && create_context(bed, egl.GetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT,
                                                                       devices[i], NULL))) {
            return true;
        }
    }
    return false;
}

static bool open_context(struct egl_bed *bed)
{
    const char *forced = getenv("FGT_EGL");
    bool surfaceless = forced != NULL && strcmp(forced, "surfaceless") == 0;
    return (!surfaceless && open_device(bed)) ||
           create_context(bed, egl.GetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                                         EGL_DEFAULT_DISPLAY, NULL));
}

static GLuint compile(struct egl_bed *bed, GLenum kind, const char *body)
{
    const char *parts[] = { bed->es ? "#version 300 es\nprecision highp float;\n"
                                    : "#version 330 core\n",
                            body };
    GLuint shader = bed->gl.CreateShader(kind);
    bed->gl.ShaderSource(shader, 2, parts, NULL);
    bed->gl.CompileShader(shader);
    return shader;
}

static bool make_program(struct egl_bed *bed)
{
    static const char vertex[] = "void main() {\n"
                                 "    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0;\n"
                                 "    gl_Position = vec4(at - 1.0, 0.0, 1.0);\n"
                                 "}\n";
    static const char fragment[] = "uniform int loops;\n"
                                   "out vec4 color;\n"
                                   "void main() {\n"
                                   "    vec2 v = gl_FragCoord.xy * 0.001;\n"
                                   "    for (int i = 0; i < loops; i++) {\n"
                                   "        v = vec2(sin(v.y + 1.3), cos(v.x * 1.7));\n"
                                   "    }\n"
                                   "    color = vec4(v, 0.5, 1.0);\n"
                                   "}\n";
    GLint linked = 0;
    GLuint program = bed->gl.CreateProgram();
    bed->gl.AttachShader(program, compile(bed, GL_VERTEX_SHADER, vertex));
    bed->gl.AttachShader(program, compile(bed, GL_FRAGMENT_SHADER, fragment));
    bed->gl.LinkProgram(program);
    bed->gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    bed->gl.UseProgram(program);
    bed->loops_at = bed->gl.GetUniformLocation(program, "loops");
    return linked != 0;
}

static bool make_target(struct egl_bed *bed)
{
    GLuint array, framebuffer, renderbuffer;
    bed->gl.GenVertexArrays(1, &array);
    bed->gl.BindVertexArray(array);
    bed->gl.GenRenderbuffers(1, &renderbuffer);
    bed->gl.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    bed->gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, EGL_BED_SIZE_PX, EGL_BED_SIZE_PX);
    bed->gl.GenFramebuffers(1, &framebuffer);
    bed->gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    bed->gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                    renderbuffer);
    /* The processor that draws it is the one that everybody shares. */
    const char *renderer = (const char *)bed->gl.GetString(GL_RENDERER);
    bool software = renderer != NULL && strstr(renderer, "llvmpipe") != NULL;
    int size_px = software ? EGL_BED_SIZE_PX / 16 : EGL_BED_SIZE_PX;
    bed->gl.Viewport(0, 0, size_px, size_px);
    return bed->gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool egl_bed_open(struct egl_bed *bed, bool es, bool debug)
{
    *bed = (struct egl_bed){ .es = es, .debug = debug };
    if (!open_library(bed) || !open_context(bed)) {
        fprintf(stderr, "no %s context\n", es ? "OpenGL ES" : "OpenGL");
        return false;
    }
    bed->get_proc_address = egl.GetProcAddress;
#define EGL_BED_LOAD(name, type) load(&bed->gl.name, egl.GetProcAddress("gl" #name));
    EGL_BED_FUNCTIONS(EGL_BED_LOAD)
    if (!make_program(bed) || !make_target(bed) || bed->gl.GetError() != GL_NO_ERROR) {
        fprintf(stderr, "this context cannot draw\n");
        egl_bed_close(bed);
        return false;
    }
    return true;
}

void egl_bed_close(struct egl_bed *bed)
{
    egl.MakeCurrent(bed->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl.DestroyContext(bed->display, bed->context);
    egl.Terminate(bed->display);
}

void egl_bed_make_current(struct egl_bed *bed, bool current)
{
    egl.BindAPI(bed->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    if (!egl.MakeCurrent(bed->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                         current ? bed->context : EGL_NO_CONTEXT)) {
        fprintf(stderr, "the context cannot be made current\n");
        abort();
    }
}

void egl_bed_draw(struct egl_bed *bed, int loops)
{
    bed->gl.Uniform1i(bed->loops_at, loops);
    bed->gl.DrawArrays(GL_TRIANGLES, 0, 3);
}
