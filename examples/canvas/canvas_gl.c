/* SPDX-License-Identifier: MIT */
#include "canvas_gl.h"

#include <stdio.h>
#include <string.h>

static bool has_extension(const struct cv_gl *gl, const char *name)
{
    GLint count = 0;
    gl->GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const GLubyte *extension = gl->GetStringi(GL_EXTENSIONS, (GLuint)i);
        if (extension != NULL && strcmp((const char *)extension, name) == 0) {
            return true;
        }
    }
    return false;
}

bool cv_gl_load(struct cv_gl *gl, cv_gl_getter *get)
{
    memset(gl, 0, sizeof(*gl));
#define LOAD(type, name)                                                                           \
    gl->name = (type)get("gl" #name);                                                              \
    if (gl->name == NULL) {                                                                        \
        fprintf(stderr, "canvas: this OpenGL has no gl%s\n", #name);                               \
        return false;                                                                              \
    }
    CV_GL_FUNCTIONS(LOAD)
#undef LOAD
    if (has_extension(gl, "GL_KHR_debug")) {
        gl->PushDebugGroup = (PFNGLPUSHDEBUGGROUPPROC)get("glPushDebugGroup");
        gl->PopDebugGroup = (PFNGLPOPDEBUGGROUPPROC)get("glPopDebugGroup");
    }
    return true;
}
