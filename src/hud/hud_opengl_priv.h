/* SPDX-License-Identifier: MIT */
/*
 * Inside of the renderer for OpenGL: as much of the API as it needs, so that it builds without GL's
 * headers. A test holds every value against Khronos' own.
 */
#ifndef FGI_HUD_OPENGL_PRIV_H
#define FGI_HUD_OPENGL_PRIV_H
#include <frameglass/hud_opengl.h>

/** X(name, value) */
#define FGI_HUD_GL_ENUMS(X)                                                                        \
    X(TRIANGLE_STRIP, 0x0005)                                                                      \
    X(ONE, 1)                                                                                      \
    X(SRC_ALPHA, 0x0302)                                                                           \
    X(ONE_MINUS_SRC_ALPHA, 0x0303)                                                                 \
    X(FRONT, 0x0404)                                                                               \
    X(BACK, 0x0405)                                                                                \
    X(FRONT_AND_BACK, 0x0408)                                                                      \
    X(POLYGON_MODE, 0x0B40)                                                                        \
    X(CULL_FACE, 0x0B44)                                                                           \
    X(DEPTH_TEST, 0x0B71)                                                                          \
    X(STENCIL_TEST, 0x0B90)                                                                        \
    X(VIEWPORT, 0x0BA2)                                                                            \
    X(ALPHA_TEST, 0x0BC0)                                                                          \
    X(DITHER, 0x0BD0)                                                                              \
    X(BLEND, 0x0BE2)                                                                               \
    X(COLOR_LOGIC_OP, 0x0BF2)                                                                      \
    X(SCISSOR_TEST, 0x0C11)                                                                        \
    X(COLOR_WRITEMASK, 0x0C23)                                                                     \
    X(UNPACK_ROW_LENGTH, 0x0CF2)                                                                   \
    X(UNPACK_SKIP_ROWS, 0x0CF3)                                                                    \
    X(UNPACK_SKIP_PIXELS, 0x0CF4)                                                                  \
    X(UNPACK_ALIGNMENT, 0x0CF5)                                                                    \
    X(TEXTURE_2D, 0x0DE1)                                                                          \
    X(UNSIGNED_BYTE, 0x1401)                                                                       \
    X(SHORT, 0x1402)                                                                               \
    X(UNSIGNED_SHORT, 0x1403)                                                                      \
    X(RED, 0x1903)                                                                                 \
    X(FILL, 0x1B02)                                                                                \
    X(VERSION, 0x1F02)                                                                             \
    X(NEAREST, 0x2600)                                                                             \
    X(TEXTURE_MAG_FILTER, 0x2800)                                                                  \
    X(TEXTURE_MIN_FILTER, 0x2801)                                                                  \
    X(CLIP_DISTANCE0, 0x3000)                                                                      \
    X(FUNC_ADD, 0x8006)                                                                            \
    X(BLEND_EQUATION_RGB, 0x8009)                                                                  \
    X(TEXTURE_BINDING_2D, 0x8069)                                                                  \
    X(SAMPLE_ALPHA_TO_COVERAGE, 0x809E)                                                            \
    X(SAMPLE_ALPHA_TO_ONE, 0x809F)                                                                 \
    X(SAMPLE_COVERAGE, 0x80A0)                                                                     \
    X(BLEND_DST_RGB, 0x80C8)                                                                       \
    X(BLEND_SRC_RGB, 0x80C9)                                                                       \
    X(BLEND_DST_ALPHA, 0x80CA)                                                                     \
    X(BLEND_SRC_ALPHA, 0x80CB)                                                                     \
    X(TEXTURE_MAX_LEVEL, 0x813D)                                                                   \
    X(R8, 0x8229)                                                                                  \
    X(TEXTURE0, 0x84C0)                                                                            \
    X(ACTIVE_TEXTURE, 0x84E0)                                                                      \
    X(VERTEX_ARRAY_BINDING, 0x85B5)                                                                \
    X(BLEND_EQUATION_ALPHA, 0x883D)                                                                \
    X(ARRAY_BUFFER, 0x8892)                                                                        \
    X(ARRAY_BUFFER_BINDING, 0x8894)                                                                \
    X(STREAM_DRAW, 0x88E0)                                                                         \
    X(PIXEL_UNPACK_BUFFER, 0x88EC)                                                                 \
    X(PIXEL_UNPACK_BUFFER_BINDING, 0x88EF)                                                         \
    X(SAMPLER_BINDING, 0x8919)                                                                     \
    X(FRAGMENT_SHADER, 0x8B30)                                                                     \
    X(VERTEX_SHADER, 0x8B31)                                                                       \
    X(DELETE_STATUS, 0x8B80)                                                                       \
    X(COMPILE_STATUS, 0x8B81)                                                                      \
    X(LINK_STATUS, 0x8B82)                                                                         \
    X(CURRENT_PROGRAM, 0x8B8D)                                                                     \
    X(RASTERIZER_DISCARD, 0x8C89)                                                                  \
    X(FRAMEBUFFER_SRGB, 0x8DB9)                                                                    \
    X(SAMPLE_MASK, 0x8E51)                                                                         \
    X(CONTEXT_PROFILE_MASK, 0x9126)

enum {
#define FGI_HUD_GL_ENUM(name, value) FGI_HUD_GL_##name = (value),
    FGI_HUD_GL_ENUMS(FGI_HUD_GL_ENUM)
#undef FGI_HUD_GL_ENUM
};

typedef unsigned fgi_hud_gl_enum;

/** In every context that is new enough: X(member, result, parameters) */
#define FGI_HUD_GL_FUNCTIONS(X)                                                                    \
    X(ActiveTexture, void, (fgi_hud_gl_enum unit))                                                 \
    X(AttachShader, void, (unsigned program, unsigned shader))                                     \
    X(BindAttribLocation, void, (unsigned program, unsigned index, const char *name))              \
    X(BindBuffer, void, (fgi_hud_gl_enum target, unsigned buffer))                                 \
    X(BindSampler, void, (unsigned unit, unsigned sampler))                                        \
    X(BindTexture, void, (fgi_hud_gl_enum target, unsigned texture))                               \
    X(BindVertexArray, void, (unsigned array))                                                     \
    X(BlendEquationSeparate, void, (fgi_hud_gl_enum rgb, fgi_hud_gl_enum alpha))                   \
    X(BlendFuncSeparate, void,                                                                     \
      (fgi_hud_gl_enum source_rgb, fgi_hud_gl_enum target_rgb, fgi_hud_gl_enum source_alpha,       \
       fgi_hud_gl_enum target_alpha))                                                              \
    X(BufferData, void,                                                                            \
      (fgi_hud_gl_enum target, ptrdiff_t size, const void *data, fgi_hud_gl_enum usage))           \
    X(BufferSubData, void,                                                                         \
      (fgi_hud_gl_enum target, ptrdiff_t offset, ptrdiff_t size, const void *data))                \
    X(ColorMask, void,                                                                             \
      (unsigned char red, unsigned char green, unsigned char blue, unsigned char alpha))           \
    X(CompileShader, void, (unsigned shader))                                                      \
    X(CreateProgram, unsigned, (void))                                                             \
    X(CreateShader, unsigned, (fgi_hud_gl_enum stage))                                             \
    X(DeleteBuffers, void, (int count, const unsigned *names))                                     \
    X(DeleteProgram, void, (unsigned program))                                                     \
    X(DeleteShader, void, (unsigned shader))                                                       \
    X(DeleteTextures, void, (int count, const unsigned *names))                                    \
    X(DeleteVertexArrays, void, (int count, const unsigned *names))                                \
    X(Disable, void, (fgi_hud_gl_enum what))                                                       \
    X(DrawArraysInstanced, void, (fgi_hud_gl_enum mode, int first, int count, int instances))      \
    X(Enable, void, (fgi_hud_gl_enum what))                                                        \
    X(EnableVertexAttribArray, void, (unsigned index))                                             \
    X(GenBuffers, void, (int count, unsigned *names))                                              \
    X(GenTextures, void, (int count, unsigned *names))                                             \
    X(GenVertexArrays, void, (int count, unsigned *names))                                         \
    X(GetBooleanv, void, (fgi_hud_gl_enum what, unsigned char *values))                            \
    X(GetFloatv, void, (fgi_hud_gl_enum what, float *values))                                      \
    X(GetIntegerv, void, (fgi_hud_gl_enum what, int *values))                                      \
    X(GetProgramInfoLog, void, (unsigned program, int size, int *length, char *text))              \
    X(GetProgramiv, void, (unsigned program, fgi_hud_gl_enum what, int *values))                   \
    X(GetShaderInfoLog, void, (unsigned shader, int size, int *length, char *text))                \
    X(GetShaderiv, void, (unsigned shader, fgi_hud_gl_enum what, int *values))                     \
    X(GetString, const unsigned char *, (fgi_hud_gl_enum what))                                    \
    X(GetUniformLocation, int, (unsigned program, const char *name))                               \
    X(IsEnabled, unsigned char, (fgi_hud_gl_enum what))                                            \
    X(LinkProgram, void, (unsigned program))                                                       \
    X(PixelStorei, void, (fgi_hud_gl_enum what, int value))                                        \
    X(ShaderSource, void,                                                                          \
      (unsigned shader, int count, const char *const *texts, const int *sizes))                    \
    X(TexImage2D, void,                                                                            \
      (fgi_hud_gl_enum target, int level, int inside, int width, int height, int border,           \
       fgi_hud_gl_enum format, fgi_hud_gl_enum type, const void *pixels))                          \
    X(TexParameteri, void, (fgi_hud_gl_enum target, fgi_hud_gl_enum what, int value))              \
    X(Uniform2f, void, (int location, float x, float y))                                           \
    X(UseProgram, void, (unsigned program))                                                        \
    X(VertexAttribDivisor, void, (unsigned index, unsigned divisor))                               \
    X(VertexAttribIPointer, void,                                                                  \
      (unsigned index, int size, fgi_hud_gl_enum type, int stride, const void *offset))            \
    X(VertexAttribPointer, void,                                                                   \
      (unsigned index, int size, fgi_hud_gl_enum type, unsigned char normalized, int stride,       \
       const void *offset))                                                                        \
    X(Viewport, void, (int x, int y, int width, int height))

/** Only where they are core; else NULL: X(member, result, parameters, OpenGL, OpenGL ES) */
#define FGI_HUD_GL_NEWER_FUNCTIONS(X)                                                              \
    X(PolygonMode, void, (fgi_hud_gl_enum faces, fgi_hud_gl_enum mode), 30, 999)                   \
    X(Enablei, void, (fgi_hud_gl_enum what, unsigned index), 30, 32)                               \
    X(Disablei, void, (fgi_hud_gl_enum what, unsigned index), 30, 32)                              \
    X(IsEnabledi, unsigned char, (fgi_hud_gl_enum what, unsigned index), 30, 32)                   \
    X(GetBooleani_v, void, (fgi_hud_gl_enum what, unsigned index, unsigned char *values), 30, 32)  \
    X(ColorMaski, void,                                                                            \
      (unsigned index, unsigned char red, unsigned char green, unsigned char blue,                 \
       unsigned char alpha),                                                                       \
      30, 32)                                                                                      \
    X(BlendEquationSeparatei, void, (unsigned index, fgi_hud_gl_enum rgb, fgi_hud_gl_enum alpha),  \
      40, 32)                                                                                      \
    X(BlendFuncSeparatei, void,                                                                    \
      (unsigned index, fgi_hud_gl_enum source_rgb, fgi_hud_gl_enum target_rgb,                     \
       fgi_hud_gl_enum source_alpha, fgi_hud_gl_enum target_alpha),                                \
      40, 32)                                                                                      \
    X(ViewportIndexedf, void, (unsigned index, float x, float y, float width, float height), 41,   \
      999)

struct fgi_hud_gl {
#define FGI_HUD_GL_MEMBER(name, result, parameters)                   result(*name) parameters;
#define FGI_HUD_GL_NEWER_MEMBER(name, result, parameters, opengl, es) result(*name) parameters;
    FGI_HUD_GL_FUNCTIONS(FGI_HUD_GL_MEMBER)
    FGI_HUD_GL_NEWER_FUNCTIONS(FGI_HUD_GL_NEWER_MEMBER)
#undef FGI_HUD_GL_MEMBER
#undef FGI_HUD_GL_NEWER_MEMBER
    bool is_es;
    bool is_core; /**< OpenGL without what was deprecated */
    int version;  /**< 33, 46; of OpenGL ES: 30, 32 */
};

#define FGI_HUD_GL_SWITCHES 22

/** What was, while the HUD is drawn. */
struct fgi_hud_gl_state {
    bool switches[FGI_HUD_GL_SWITCHES]; /**< in the order of hud_opengl_state.c */
    int program, array, buffer, unit, texture, sampler;
    int blend[6];
    int polygon_mode[2];
    float viewport[4];
    unsigned char color_mask[4];
};

/** Entry points, and which context it is. FG_ERR_UNSUPPORTED: with the reason in diag. */
enum fg_result fgi_hud_gl_load(struct fgi_hud_gl *gl, fg_opengl_getter *get, struct fg_diag *diag);

/**
 * Compile `light`, a line of definitions, and `text` after the version's own head. What the
 * compiler says is in diag.
 */
enum fg_result fgi_hud_gl_attach(const struct fgi_hud_gl *gl, unsigned program,
                                 fgi_hud_gl_enum stage, const char *light, const char *text,
                                 struct fg_diag *diag);
enum fg_result fgi_hud_gl_link(const struct fgi_hud_gl *gl, unsigned program, struct fg_diag *diag);

/* One piece of state each, of the first draw buffer or viewport where each has its own. */
/** Asked for all of them at once, some drivers say that one is on somewhere. */
bool fgi_hud_gl_is_on(const struct fgi_hud_gl *gl, fgi_hud_gl_enum what);
void fgi_hud_gl_switch(const struct fgi_hud_gl *gl, fgi_hud_gl_enum what, bool on);
/** Factors and equations in the order of fgi_hud_gl_state.blend. */
void fgi_hud_gl_blend(const struct fgi_hud_gl *gl, const int blend[6]);
void fgi_hud_gl_color_mask(const struct fgi_hud_gl *gl, const unsigned char mask[4]);
void fgi_hud_gl_viewport(const struct fgi_hud_gl *gl, const float viewport[4]);

/**
 * Is the current program flagged for deletion? It lives as long as it is current: with another in
 * its place, be it for one draw, it is gone, and cannot be put back.
 */
bool fgi_hud_gl_has_dying_program(const struct fgi_hud_gl *gl);

void fgi_hud_gl_save(const struct fgi_hud_gl *gl, struct fgi_hud_gl_state *state);
/** Everything as drawing needs it, apart from what is bound. */
void fgi_hud_gl_prepare(const struct fgi_hud_gl *gl, const struct fgi_hud_gl_state *state,
                        uint32_t width_px, uint32_t height_px);
void fgi_hud_gl_restore(const struct fgi_hud_gl *gl, const struct fgi_hud_gl_state *state);

#endif
