/* SPDX-License-Identifier: MIT */
/*
 * Inside of heat maps with OpenGL: what of the API is needed beside what the HUD needs, and the
 * parts: overdraw_opengl.c makes the renderer and draws overlays, _target.c adds up, _read.c reads.
 */
#ifndef FGI_OVERDRAW_OPENGL_PRIV_H
#define FGI_OVERDRAW_OPENGL_PRIV_H
#include "hud/hud_opengl_priv.h"
#include <frameglass/overdraw_opengl.h>

/** X(name, value) */
#define FGI_OVERDRAW_GL_ENUMS(X)                                                                   \
    X(TRIANGLES, 0x0004)                                                                           \
    X(PACK_ROW_LENGTH, 0x0D02)                                                                     \
    X(PACK_SKIP_ROWS, 0x0D03)                                                                      \
    X(PACK_SKIP_PIXELS, 0x0D04)                                                                    \
    X(PACK_ALIGNMENT, 0x0D05)                                                                      \
    X(MAX_TEXTURE_SIZE, 0x0D33)                                                                    \
    X(DEPTH_WRITEMASK, 0x0B72)                                                                     \
    X(FLOAT, 0x1406)                                                                               \
    X(HALF_FLOAT, 0x140B)                                                                          \
    X(COLOR, 0x1800)                                                                               \
    X(DEPTH, 0x1801)                                                                               \
    X(RGBA, 0x1908)                                                                                \
    X(EXTENSIONS, 0x1F03)                                                                          \
    X(CONSTANT_COLOR, 0x8001)                                                                      \
    X(BLEND_COLOR, 0x8005)                                                                         \
    X(RGBA8, 0x8058)                                                                               \
    X(DEPTH_COMPONENT24, 0x81A6)                                                                   \
    X(NUM_EXTENSIONS, 0x821D)                                                                      \
    X(R16F, 0x822D)                                                                                \
    X(R32F, 0x822E)                                                                                \
    X(TEXTURE1, 0x84C1)                                                                            \
    X(CURRENT_QUERY, 0x8865)                                                                       \
    X(QUERY_RESULT, 0x8866)                                                                        \
    X(QUERY_RESULT_AVAILABLE, 0x8867)                                                              \
    X(STREAM_READ, 0x88E1)                                                                         \
    X(PIXEL_PACK_BUFFER, 0x88EB)                                                                   \
    X(PIXEL_PACK_BUFFER_BINDING, 0x88ED)                                                           \
    X(SAMPLES_PASSED, 0x8914)                                                                      \
    X(IMPLEMENTATION_COLOR_READ_TYPE, 0x8B9A)                                                      \
    X(IMPLEMENTATION_COLOR_READ_FORMAT, 0x8B9B)                                                    \
    X(DRAW_FRAMEBUFFER_BINDING, 0x8CA6)                                                            \
    X(RENDERBUFFER_BINDING, 0x8CA7)                                                                \
    X(READ_FRAMEBUFFER, 0x8CA8)                                                                    \
    X(DRAW_FRAMEBUFFER, 0x8CA9)                                                                    \
    X(READ_FRAMEBUFFER_BINDING, 0x8CAA)                                                            \
    X(FRAMEBUFFER_COMPLETE, 0x8CD5)                                                                \
    X(COLOR_ATTACHMENT0, 0x8CE0)                                                                   \
    X(DEPTH_ATTACHMENT, 0x8D00)                                                                    \
    X(RENDERBUFFER, 0x8D41)                                                                        \
    X(SYNC_GPU_COMMANDS_COMPLETE, 0x9117)                                                          \
    X(ALREADY_SIGNALED, 0x911A)                                                                    \
    X(TIMEOUT_EXPIRED, 0x911B)                                                                     \
    X(CONDITION_SATISFIED, 0x911C)                                                                 \
    X(MAP_READ_BIT, 0x0001)

enum {
#define FGI_OVERDRAW_GL_ENUM(name, value) FGI_OVERDRAW_GL_##name = (value),
    FGI_OVERDRAW_GL_ENUMS(FGI_OVERDRAW_GL_ENUM)
#undef FGI_OVERDRAW_GL_ENUM
};

/** X(member, result, parameters) */
#define FGI_OVERDRAW_GL_FUNCTIONS(X)                                                               \
    X(BeginQuery, void, (fgi_hud_gl_enum target, unsigned query))                                  \
    X(BindFramebuffer, void, (fgi_hud_gl_enum target, unsigned framebuffer))                       \
    X(BindRenderbuffer, void, (fgi_hud_gl_enum target, unsigned renderbuffer))                     \
    X(BlendColor, void, (float red, float green, float blue, float alpha))                         \
    X(CheckFramebufferStatus, fgi_hud_gl_enum, (fgi_hud_gl_enum target))                           \
    X(ClearBufferfv, void, (fgi_hud_gl_enum buffer, int index, const float *value))                \
    X(ClientWaitSync, fgi_hud_gl_enum, (void *sync, unsigned flags, uint64_t timeout_ns))          \
    X(DeleteFramebuffers, void, (int count, const unsigned *names))                                \
    X(DeleteQueries, void, (int count, const unsigned *names))                                     \
    X(DeleteRenderbuffers, void, (int count, const unsigned *names))                               \
    X(DeleteSync, void, (void *sync))                                                              \
    X(DepthMask, void, (unsigned char is_written))                                                 \
    X(EndQuery, void, (fgi_hud_gl_enum target))                                                    \
    X(FenceSync, void *, (fgi_hud_gl_enum condition, unsigned flags))                              \
    X(FramebufferRenderbuffer, void,                                                               \
      (fgi_hud_gl_enum target, fgi_hud_gl_enum attachment, fgi_hud_gl_enum renderbuffer_target,    \
       unsigned renderbuffer))                                                                     \
    X(FramebufferTexture2D, void,                                                                  \
      (fgi_hud_gl_enum target, fgi_hud_gl_enum attachment, fgi_hud_gl_enum texture_target,         \
       unsigned texture, int level))                                                               \
    X(GenFramebuffers, void, (int count, unsigned *names))                                         \
    X(GenQueries, void, (int count, unsigned *names))                                              \
    X(GenRenderbuffers, void, (int count, unsigned *names))                                        \
    X(GetQueryObjectuiv, void, (unsigned query, fgi_hud_gl_enum what, unsigned *value))            \
    X(GetQueryiv, void, (fgi_hud_gl_enum target, fgi_hud_gl_enum what, int *value))                \
    X(GetStringi, const unsigned char *, (fgi_hud_gl_enum what, unsigned index))                   \
    X(MapBufferRange, void *,                                                                      \
      (fgi_hud_gl_enum target, ptrdiff_t offset, ptrdiff_t size, unsigned access))                 \
    X(ReadPixels, void,                                                                            \
      (int x, int y, int width, int height, fgi_hud_gl_enum format, fgi_hud_gl_enum type,          \
       void *pixels))                                                                              \
    X(RenderbufferStorage, void,                                                                   \
      (fgi_hud_gl_enum target, fgi_hud_gl_enum format, int width, int height))                     \
    X(Uniform1i, void, (int location, int value))                                                  \
    X(Uniform4f, void, (int location, float x, float y, float z, float w))                         \
    X(UnmapBuffer, unsigned char, (fgi_hud_gl_enum target))

struct fgi_overdraw_gl {
#define FGI_OVERDRAW_GL_MEMBER(name, result, parameters) result(*name) parameters;
    FGI_OVERDRAW_GL_FUNCTIONS(FGI_OVERDRAW_GL_MEMBER)
#undef FGI_OVERDRAW_GL_MEMBER
    /** Where it is core: OpenGL 4.5, OpenGL ES 3.2; else NULL. */
    fgi_hud_gl_enum (*GetGraphicsResetStatus)(void);
};

#define FGI_OVERDRAW_READS_MAX 16
/** Query objects are made by so many. */
#define FGI_OVERDRAW_QUERIES_STEP 256

/** A map on its way back. */
struct fgi_overdraw_read {
    unsigned buffer;
    size_t buffer_bytes;
    void *fence;
    struct fg_overdraw_map map; /**< all but the values */
    fgi_hud_gl_enum pixel_format, pixel_type;
};

/** What begin() changes and end() puts back. */
struct fgi_overdraw_saved {
    int draw_framebuffer, read_framebuffer;
    int blend[6];
    float blend_color[4];
    float viewport[4];
    unsigned char color_mask[4];
    bool blends, dithers, has_logic, tests_alpha, tests_depth;
};

struct fg_overdraw_opengl {
    const struct fg_allocator *allocator;
    struct fgi_hud_gl gl;
    struct fgi_overdraw_gl more;
    enum fg_overdraw_format format;

    /* The overlay. */
    unsigned program, array, colors;
    int stretch_at, scale_at, opacity_at, colors_at; /**< uniforms */

    /* The target. */
    unsigned texture, framebuffer, depth;
    uint32_t width_px, height_px;
    uint32_t depth_width_px, depth_height_px;
    bool is_open, has_map;
    float weight;
    struct fg_overdraw_opengl_frame frame; /**< that is open, or the newest */
    enum fg_overdraw_clock clock;          /**< of that frame's costs */
    struct fgi_overdraw_saved saved;

    /* Fragments of items, each counted by a query. */
    uint32_t item_max, query_count, cover_count, cover_told;
    uint64_t *ids;     /**< item_max of them, made when first needed, as the next */
    unsigned *queries; /**< query_count of them exist */
    bool is_covering, is_querying, is_out_of_items;
    struct fg_overdraw_costs *covered; /**< who is told; NULL = nothing is under way */

    /* Read-backs, oldest first. */
    struct fgi_overdraw_read reads[FGI_OVERDRAW_READS_MAX];
    uint32_t read_max, read_first, read_count;
    float *values;
    size_t value_capacity;
};

bool fgi_overdraw_gl_is_lost(const struct fg_overdraw_opengl *renderer);
void fgi_overdraw_gl_destroy_target(struct fg_overdraw_opengl *renderer);
void fgi_overdraw_gl_destroy_reads(struct fg_overdraw_opengl *renderer);

#endif
