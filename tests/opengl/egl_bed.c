/* SPDX-License-Identifier: MIT */
#include "egl_bed.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t egl_bed_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void load(void *member, fg_opengl_function function)
{
    memcpy(member, &function, sizeof function);
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
    const struct egl_wish wish = {
        .es = es, .major = 3, .minor = es ? 0 : 3, .hears_of_loss = true, .debug = debug
    };
    *bed = (struct egl_bed){ .es = es };
    if (!egl_context_open(&bed->context, &wish)) {
        return false;
    }
    bed->get_proc_address = bed->context.get_proc_address;
#define EGL_BED_LOAD(name, type) load(&bed->gl.name, bed->get_proc_address("gl" #name));
    EGL_BED_FUNCTIONS(EGL_BED_LOAD)
#undef EGL_BED_LOAD
    if (!make_program(bed) || !make_target(bed) || bed->gl.GetError() != GL_NO_ERROR) {
        fprintf(stderr, "this context cannot draw\n");
        egl_bed_close(bed);
        return false;
    }
    return true;
}

void egl_bed_close(struct egl_bed *bed)
{
    egl_context_close(&bed->context);
}

void egl_bed_make_current(struct egl_bed *bed, bool current)
{
    egl_context_make_current(&bed->context, current);
}

void egl_bed_draw(struct egl_bed *bed, int loops)
{
    bed->gl.Uniform1i(bed->loops_at, loops);
    bed->gl.DrawArrays(GL_TRIANGLES, 0, 3);
}
