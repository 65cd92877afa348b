/* SPDX-License-Identifier: MIT */
/* A GL context without a window (egl_context.h), and something to draw. */
#ifndef FGT_EGL_BED_H
#define FGT_EGL_BED_H
#include "egl_context.h"
#include <GL/glcorearb.h>

/** X(member, type) */
#define EGL_BED_FUNCTIONS(X)                                                                       \
    X(AttachShader, PFNGLATTACHSHADERPROC)                                                         \
    X(BindFramebuffer, PFNGLBINDFRAMEBUFFERPROC)                                                   \
    X(BindRenderbuffer, PFNGLBINDRENDERBUFFERPROC)                                                 \
    X(BindVertexArray, PFNGLBINDVERTEXARRAYPROC)                                                   \
    X(CheckFramebufferStatus, PFNGLCHECKFRAMEBUFFERSTATUSPROC)                                     \
    X(CompileShader, PFNGLCOMPILESHADERPROC)                                                       \
    X(CreateProgram, PFNGLCREATEPROGRAMPROC)                                                       \
    X(CreateShader, PFNGLCREATESHADERPROC)                                                         \
    X(DrawArrays, PFNGLDRAWARRAYSPROC)                                                             \
    X(Enable, PFNGLENABLEPROC)                                                                     \
    X(Finish, PFNGLFINISHPROC)                                                                     \
    X(Flush, PFNGLFLUSHPROC)                                                                       \
    X(FramebufferRenderbuffer, PFNGLFRAMEBUFFERRENDERBUFFERPROC)                                   \
    X(GenFramebuffers, PFNGLGENFRAMEBUFFERSPROC)                                                   \
    X(GenRenderbuffers, PFNGLGENRENDERBUFFERSPROC)                                                 \
    X(GenVertexArrays, PFNGLGENVERTEXARRAYSPROC)                                                   \
    X(GetError, PFNGLGETERRORPROC)                                                                 \
    X(GetProgramiv, PFNGLGETPROGRAMIVPROC)                                                         \
    X(GetString, PFNGLGETSTRINGPROC)                                                               \
    X(GetUniformLocation, PFNGLGETUNIFORMLOCATIONPROC)                                             \
    X(LinkProgram, PFNGLLINKPROGRAMPROC)                                                           \
    X(RenderbufferStorage, PFNGLRENDERBUFFERSTORAGEPROC)                                           \
    X(ShaderSource, PFNGLSHADERSOURCEPROC)                                                         \
    X(Uniform1i, PFNGLUNIFORM1IPROC)                                                               \
    X(UseProgram, PFNGLUSEPROGRAMPROC)                                                             \
    X(Viewport, PFNGLVIEWPORTPROC)                                                                 \
    X(DebugMessageCallback, PFNGLDEBUGMESSAGECALLBACKPROC)

enum { EGL_BED_SIZE_PX = 1024 };

struct egl_bed {
    bool es;
    struct egl_context context;
    fg_opengl_getter *get_proc_address; /**< the context's */
    GLint loops_at;
    struct {
#define EGL_BED_MEMBER(name, type) type name;
        EGL_BED_FUNCTIONS(EGL_BED_MEMBER)
#undef EGL_BED_MEMBER
    } gl;
};

/**
 * A context of desktop GL (3.3 or later) or ES (3.0 or later), current. `debug`: it tells what it
 * hears, and is slower. False: there is none.
 */
bool egl_bed_open(struct egl_bed *bed, bool es, bool debug);
void egl_bed_close(struct egl_bed *bed);
/** Make it current on the calling thread, or (false) on none. */
void egl_bed_make_current(struct egl_bed *bed, bool current);
/** A triangle over the whole target (a small part for a software driver): loops for each pixel. */
void egl_bed_draw(struct egl_bed *bed, int loops);
/** The clock of CPU times. */
int64_t egl_bed_now_ns(void);

#endif
