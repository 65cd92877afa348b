/* SPDX-License-Identifier: MIT */
#include "hud_gl.h"

#include "base/clock.h"
#include "egl_context.h"
#include <frameglass/hud_opengl.h>

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>
#include <string.h>

struct hud_gl {
    struct egl_context context;
    struct fg_hud_opengl *renderer;
    const GLubyte *(*GetString)(GLenum name);
    void (*Clear)(GLbitfield mask);
    void (*Flush)(void);
    void (*Finish)(void);
};

static void load(const struct hud_gl *gl, void *member, const char *name)
{
    const fg_opengl_function function = gl->context.get_proc_address(name);
    memcpy(member, &function, sizeof function);
}

static void make_target(const struct hud_gl *gl, uint32_t width_px, uint32_t height_px)
{
    PFNGLGENFRAMEBUFFERSPROC gen_framebuffers;
    PFNGLBINDFRAMEBUFFERPROC bind_framebuffer;
    PFNGLGENRENDERBUFFERSPROC gen_renderbuffers;
    PFNGLBINDRENDERBUFFERPROC bind_renderbuffer;
    PFNGLRENDERBUFFERSTORAGEPROC storage;
    PFNGLFRAMEBUFFERRENDERBUFFERPROC attach;
    GLuint names[2];
    load(gl, &gen_framebuffers, "glGenFramebuffers");
    load(gl, &bind_framebuffer, "glBindFramebuffer");
    load(gl, &gen_renderbuffers, "glGenRenderbuffers");
    load(gl, &bind_renderbuffer, "glBindRenderbuffer");
    load(gl, &storage, "glRenderbufferStorage");
    load(gl, &attach, "glFramebufferRenderbuffer");
    gen_renderbuffers(1, &names[0]);
    bind_renderbuffer(GL_RENDERBUFFER, names[0]);
    storage(GL_RENDERBUFFER, GL_RGBA8, (GLsizei)width_px, (GLsizei)height_px);
    gen_framebuffers(1, &names[1]);
    bind_framebuffer(GL_FRAMEBUFFER, names[1]);
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[0]);
}

struct hud_gl *hud_gl_open(uint32_t width_px, uint32_t height_px)
{
    struct hud_gl *gl = calloc(1, sizeof *gl);
    if (gl == NULL ||
        !egl_context_open(&gl->context, &(struct egl_wish){ .major = 3, .minor = 3 })) {
        free(gl);
        return NULL;
    }
    load(gl, &gl->GetString, "glGetString");
    load(gl, &gl->Clear, "glClear");
    load(gl, &gl->Flush, "glFlush");
    load(gl, &gl->Finish, "glFinish");
    make_target(gl, width_px, height_px);
    if (fg_hud_opengl_create(
            FG_HUD_OPENGL_OPTIONS(.get_proc_address = gl->context.get_proc_address), &gl->renderer,
            NULL) != FG_OK) {
        hud_gl_close(gl);
        return NULL;
    }
    return gl;
}

void hud_gl_close(struct hud_gl *gl)
{
    if (gl != NULL) {
        fg_hud_opengl_destroy(gl->renderer);
        egl_context_close(&gl->context);
        free(gl);
    }
}

fg_opengl_getter *hud_gl_getter(const struct hud_gl *gl)
{
    return gl->context.get_proc_address;
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
