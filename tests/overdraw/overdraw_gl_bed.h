/* SPDX-License-Identifier: MIT */
/*
 * An application with OpenGL whose every pixel is known: rectangles on whole pixels, clipped by a
 * scissor, some behind others; and what a map of them must be, by brute force.
 */
#ifndef FGT_OVERDRAW_GL_BED_H
#define FGT_OVERDRAW_GL_BED_H
#include "egl_bed.h"
#include <frameglass/overdraw_opengl.h>

/** Beside those of EGL's bed: X(member, type) */
#define GL_BED_FUNCTIONS(X)                                                                        \
    X(ActiveTexture, PFNGLACTIVETEXTUREPROC)                                                       \
    X(BindBuffer, PFNGLBINDBUFFERPROC)                                                             \
    X(BindSampler, PFNGLBINDSAMPLERPROC)                                                           \
    X(BindTexture, PFNGLBINDTEXTUREPROC)                                                           \
    X(BlendColor, PFNGLBLENDCOLORPROC)                                                             \
    X(BlendEquationSeparate, PFNGLBLENDEQUATIONSEPARATEPROC)                                       \
    X(BlendFuncSeparate, PFNGLBLENDFUNCSEPARATEPROC)                                               \
    X(ClearBufferfv, PFNGLCLEARBUFFERFVPROC)                                                       \
    X(ColorMask, PFNGLCOLORMASKPROC)                                                               \
    X(DeleteFramebuffers, PFNGLDELETEFRAMEBUFFERSPROC)                                             \
    X(DeleteProgram, PFNGLDELETEPROGRAMPROC)                                                       \
    X(DeleteRenderbuffers, PFNGLDELETERENDERBUFFERSPROC)                                           \
    X(DepthFunc, PFNGLDEPTHFUNCPROC)                                                               \
    X(DepthMask, PFNGLDEPTHMASKPROC)                                                               \
    X(Disable, PFNGLDISABLEPROC)                                                                   \
    X(GenBuffers, PFNGLGENBUFFERSPROC)                                                             \
    X(GenSamplers, PFNGLGENSAMPLERSPROC)                                                           \
    X(GenTextures, PFNGLGENTEXTURESPROC)                                                           \
    X(GetBooleanv, PFNGLGETBOOLEANVPROC)                                                           \
    X(GetFloatv, PFNGLGETFLOATVPROC)                                                               \
    X(GetIntegerv, PFNGLGETINTEGERVPROC)                                                           \
    X(GetShaderiv, PFNGLGETSHADERIVPROC)                                                           \
    X(IsEnabled, PFNGLISENABLEDPROC)                                                               \
    X(PixelStorei, PFNGLPIXELSTOREIPROC)                                                           \
    X(ReadPixels, PFNGLREADPIXELSPROC)                                                             \
    X(Scissor, PFNGLSCISSORPROC)                                                                   \
    X(Uniform1f, PFNGLUNIFORM1FPROC)                                                               \
    X(Uniform4f, PFNGLUNIFORM4FPROC)

struct gl_bed {
    struct egl_bed egl;
    struct {
#define GL_BED_MEMBER(name, type) type name;
        GL_BED_FUNCTIONS(GL_BED_MEMBER)
#undef GL_BED_MEMBER
    } gl;
    GLuint program; /**< places rectangles, and has the library's fragment stage */
    GLint box_at, depth_at;
};

void gl_bed_open(struct gl_bed *bed, bool es);
/** Nothing went wrong in OpenGL. */
void gl_bed_close(struct gl_bed *bed);

struct rectangle {
    int x0, y0, x1, y1; /**< pixels from the left top; half open; may stick out */
    int clip[4];        /**< as those; what is out of it is not drawn */
    float depth;        /**< 0 near .. 1 far */
    uint64_t id;
};

struct scene {
    uint32_t width_px, height_px;
    bool tests_depth; /**< nearer ones hide what comes later and is further */
    uint32_t count;
    struct rectangle rectangles[256];
};
/** Any, of a seed. */
void scene_make(struct scene *scene, uint32_t seed, uint32_t count);
/** As the application draws it: the map is open. */
void scene_draw(const struct scene *scene, struct gl_bed *bed, struct fg_overdraw_opengl *maps);

/**
 * What it must come to.
 *
 * @param costs     each fragment adds its item's weight; NULL = 1
 * @param values    of each pixel, upper row first
 * @param fragments of each rectangle; NULL = not asked
 */
void scene_truth(const struct scene *scene, const struct fg_overdraw_costs *costs, float *values,
                 uint64_t *fragments);

#endif
