/* SPDX-License-Identifier: MIT */
/*
 * The HUD drawn by OpenGL is the HUD drawn into memory, in desktop and ES contexts without a
 * window, whatever state the application left; and that state is as it was afterwards.
 */
#include "cmocka_all.h"
#include "egl_context.h"
#include "failing_memory.h"
#include "hud/hud_opengl_priv.h"
#include "hud_compare.h"
#include "hud_scene.h"
#include <frameglass/hud_opengl.h>

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 2
#define WIDTH     400
#define HEIGHT    304

/* Our own values against Khronos'. */
#define SAME(name, value) _Static_assert((unsigned)(value) == (unsigned)GL_##name, #name);
FGI_HUD_GL_ENUMS(SAME)
#undef SAME

/** What the test itself calls, beside what libGL-less linking gives by the getter. */
#define FUNCTIONS(X)                                                                               \
    X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                                                   \
    X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                   \
    X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                                             \
    X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer)                                   \
    X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus)                                     \
    X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer)                                                   \
    X(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers)                                                 \
    X(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer)                                                 \
    X(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers)                                           \
    X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, RenderbufferStorageMultisample)                     \
    X(PFNGLGENSAMPLERSPROC, GenSamplers)                                                           \
    X(PFNGLDELETESAMPLERSPROC, DeleteSamplers)                                                     \
    X(PFNGLCLEARBUFFERFVPROC, ClearBufferfv)                                                       \
    X(PFNGLSTENCILFUNCSEPARATEPROC, StencilFuncSeparate)                                           \
    X(PFNGLVIEWPORTINDEXEDFPROC, ViewportIndexedf)                                                 \
    X(PFNGLGETINTEGERI_VPROC, GetIntegeri_v)                                                       \
    X(PFNGLGETFLOATI_VPROC, GetFloati_v)                                                           \
    X(PFNGLGETBOOLEANI_VPROC, GetBooleani_v)                                                       \
    X(PFNGLISENABLEDIPROC, IsEnabledi)

/** Of OpenGL 1.0: gl.h declares them, and no library is linked that has them. */
#define OLD_FUNCTIONS(X)                                                                           \
    X(GLenum, GetError, (void))                                                                    \
    X(void, DepthFunc, (GLenum function))                                                          \
    X(void, CullFace, (GLenum face))                                                               \
    X(void, LogicOp, (GLenum operation))                                                           \
    X(void, AlphaFunc, (GLenum function, GLfloat reference))                                       \
    X(void, ReadPixels,                                                                            \
      (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels)) \
    X(void, Scissor, (GLint x, GLint y, GLsizei width, GLsizei height))

static struct {
#define MEMBER(type, name) type name;
    FUNCTIONS(MEMBER)
#undef MEMBER
#define MEMBER(result, name, parameters) result(*name) parameters;
    OLD_FUNCTIONS(MEMBER)
#undef MEMBER
} gl;
static struct fgi_hud_gl ours; /* the same functions that the renderer has, to set states with */

struct kind {
    const char *name;
    struct egl_wish wish; /**< its profile: 0 in OpenGL ES */
};
static const struct kind kinds[] = {
    { "OpenGL 3.3 core",
      { .major = 3, .minor = 3, .profile = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT } },
    { "OpenGL 4.5 core",
      { .major = 4, .minor = 5, .profile = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT } },
    { "OpenGL 4.5 compatibility",
      { .major = 4, .minor = 5, .profile = EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT } },
    { "OpenGL ES 3.0", { .es = true, .major = 3 } },
    { "OpenGL ES 3.2", { .es = true, .major = 3, .minor = 2 } },
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static struct egl_context context;

/** The context's own. */
static fg_opengl_function own_getter(const char *name)
{
    return context.get_proc_address(name);
}

static void load(void *member, const char *name)
{
    const fg_opengl_function function = own_getter(name);
    memcpy(member, &function, sizeof function);
}

static void open_context(const struct kind *kind)
{
    const struct egl_wish *wish = &kind->wish;
    assert_true(egl_context_open(&context, wish));
#define LOAD(type, name) load(&gl.name, "gl" #name);
    FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(result, name, parameters) load(&gl.name, "gl" #name);
    OLD_FUNCTIONS(LOAD)
#undef LOAD
    memset(&ours, 0, sizeof ours);
    ours.is_es = wish->es;
    ours.is_core = wish->profile == EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
    ours.version = wish->major * 10 + wish->minor;
#define LOAD(name, result, parameters) load(&ours.name, "gl" #name);
#define LOAD_NEWER(name, result, parameters, opengl, es)                                           \
    if (ours.version >= (ours.is_es ? (es) : (opengl))) {                                          \
        load(&ours.name, "gl" #name);                                                              \
    }
    FGI_HUD_GL_FUNCTIONS(LOAD)
    FGI_HUD_GL_NEWER_FUNCTIONS(LOAD_NEWER)
#undef LOAD
#undef LOAD_NEWER
}

static void close_context(void)
{
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
    egl_context_close(&context);
}

/** A framebuffer, and one to resolve into. */
struct picture {
    GLuint framebuffers[2];
    GLuint colors[2];
    GLsizei samples;
};

static void make_picture(struct picture *p, GLenum format, GLsizei samples)
{
    p->samples = samples;
    gl.GenFramebuffers(2, p->framebuffers);
    gl.GenRenderbuffers(2, p->colors);
    for (int i = 0; i < 2; i++) {
        gl.BindRenderbuffer(GL_RENDERBUFFER, p->colors[i]);
        gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, i == 0 ? samples : 0, format, WIDTH,
                                          HEIGHT);
        gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffers[i]);
        gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                   p->colors[i]);
        assert_int_equal(gl.CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffers[0]);
}

static void destroy_picture(struct picture *p)
{
    gl.DeleteFramebuffers(2, p->framebuffers);
    gl.DeleteRenderbuffers(2, p->colors);
}

/** With the switches as they are in a new context. */
static void clear(struct picture *p, bool is_srgb)
{
    float color[4];
    for (int i = 0; i < 4; i++) {
        color[i] = (float)fgt_hud_clear[i] / 255.0f;
    }
    if (is_srgb) { /* encoded by OpenGL ES on the way: 204, 153, 51 as light */
        color[0] = 0.603827f;
        color[1] = 0.318547f;
        color[2] = 0.033105f;
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffers[0]);
    gl.ClearBufferfv(GL_COLOR, 0, color);
}

/**
 * From the top row down, as memory has it. Owned. Only samples that must be resolved are copied
 * first: reading pixels hears of no state, while some drivers' copies obey the colour mask.
 */
static uint8_t *read_picture(struct picture *p)
{
    uint8_t *out = malloc(WIDTH * HEIGHT * 4);
    uint8_t *turned = malloc(WIDTH * HEIGHT * 4);
    assert_true(out != NULL && turned != NULL);
    gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffers[0]);
    if (p->samples != 0) {
        gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, p->framebuffers[1]);
        gl.BlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
        gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffers[1]);
    }
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, turned);
    for (size_t y = 0; y < HEIGHT; y++) {
        memcpy(out + y * WIDTH * 4, turned + (HEIGHT - 1 - y) * WIDTH * 4, WIDTH * 4);
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffers[0]);
    free(turned);
    return out;
}

static void assert_picture(const struct kind *kind, struct picture *p,
                           const struct fg_hud_list *list, bool is_srgb)
{
    uint8_t *expected = fgt_hud_expected(list, is_srgb);
    uint8_t *seen = read_picture(p);
    const int difference = fgt_hud_difference(expected, seen, WIDTH, HEIGHT, 4, TOLERANCE);
    if (difference > TOLERANCE) {
        fail_msg("%s: off by %d", kind->name, difference);
    }
    free(expected);
    free(seen);
}

static const struct fg_hud_target target = { .width_px = WIDTH, .height_px = HEIGHT };

static struct fg_hud_opengl *make_renderer(uint32_t flags)
{
    struct fg_hud_opengl *renderer = NULL;
    struct fg_diag diag = { 0 };
    const enum fg_result result = fg_hud_opengl_create(
        FG_HUD_OPENGL_OPTIONS(.flags = flags, .get_proc_address = own_getter), &renderer, &diag);
    if (result != FG_OK) {
        fail_msg("%s: %s", fg_result_name(result), diag.message);
    }
    return renderer;
}

static void every_kind_of_context_gives_the_picture_of_memory(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    assert_true(fg_hud_build(hud, &target, &list));
    for (size_t i = 0; i < KINDS; i++) {
        const bool is_es = kinds[i].wish.es;
        open_context(&kinds[i]);
        /* sRGB last: encoded by OpenGL ES, and by the desktop only when it is switched on. */
        for (int k = 0; k < 3; k++) {
            struct picture p;
            const bool is_encoded = k == 2 && is_es;
            struct fg_hud_opengl *renderer = make_renderer(is_encoded ? FG_HUD_OPENGL_LINEAR : 0);
            make_picture(&p, k == 2 ? GL_SRGB8_ALPHA8 : GL_RGBA8, k == 1 ? 4 : 0);
            clear(&p, is_encoded);
            fg_hud_opengl_draw(renderer, &list);
            assert_picture(&kinds[i], &p, &list, is_encoded);
            destroy_picture(&p);
            fg_hud_opengl_destroy(renderer);
        }
        close_context();
    }
    fg_hud_destroy(hud);
}

/** Values of all that an application can see of what the renderer touches. */
struct seen {
    GLint integers[40];
    GLfloat viewports[2][4];
    GLboolean masks[3][4];
    GLboolean switches[FGI_HUD_GL_SWITCHES + 2];
    GLint blends[2][6];
};

static void look(struct seen *s)
{
    static const GLenum names[] = {
        GL_CURRENT_PROGRAM,          GL_VERTEX_ARRAY_BINDING, GL_ARRAY_BUFFER_BINDING,
        GL_ACTIVE_TEXTURE,           GL_UNPACK_ALIGNMENT,     GL_UNPACK_ROW_LENGTH,
        GL_UNPACK_SKIP_ROWS,         GL_UNPACK_SKIP_PIXELS,   GL_PIXEL_UNPACK_BUFFER_BINDING,
        GL_DRAW_FRAMEBUFFER_BINDING,
    };
    static const GLenum blends[] = { GL_BLEND_SRC_RGB,      GL_BLEND_DST_RGB,
                                     GL_BLEND_SRC_ALPHA,    GL_BLEND_DST_ALPHA,
                                     GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA };
    static const GLenum switches[] = {
        GL_BLEND,
        GL_SCISSOR_TEST,
        GL_CULL_FACE,
        GL_DEPTH_TEST,
        GL_STENCIL_TEST,
        GL_DITHER,
        GL_RASTERIZER_DISCARD,
        GL_SAMPLE_ALPHA_TO_COVERAGE,
        GL_SAMPLE_COVERAGE,
        /* from here on not in OpenGL ES */
        GL_SAMPLE_ALPHA_TO_ONE,
        GL_SAMPLE_MASK,
        GL_COLOR_LOGIC_OP,
        GL_FRAMEBUFFER_SRGB,
        GL_CLIP_DISTANCE0,
        GL_CLIP_DISTANCE0 + 7,
    };
    int n = 0;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ours.GetIntegerv(names[i], &s->integers[n++]);
    }
    const GLint unit = s->integers[3];
    for (GLenum i = 0; i < 2; i++) {
        ours.ActiveTexture(GL_TEXTURE0 + i);
        ours.GetIntegerv(GL_TEXTURE_BINDING_2D, &s->integers[n++]);
        ours.GetIntegerv(GL_SAMPLER_BINDING, &s->integers[n++]);
    }
    ours.ActiveTexture((GLenum)unit);
    for (int i = 0; i < (ours.is_es ? 9 : 15); i++) {
        s->switches[i] = ours.IsEnabled(switches[i]);
    }
    if (!ours.is_es) {
        s->switches[23] = gl.IsEnabledi(GL_BLEND, 0); /* IsEnabled() may speak of all of them */
        gl.GetBooleani_v(GL_COLOR_WRITEMASK, 0, s->masks[2]);
    }
    if (!ours.is_es && !ours.is_core) {
        s->switches[20] = ours.IsEnabled(FGI_HUD_GL_ALPHA_TEST);
    }
    ours.GetFloatv(GL_VIEWPORT, s->viewports[0]);
    ours.GetBooleanv(GL_COLOR_WRITEMASK, s->masks[0]);
    for (int i = 0; i < 6; i++) {
        ours.GetIntegerv(blends[i], &s->blends[0][i]);
        if (ours.version >= 40) {
            gl.GetIntegeri_v(blends[i], 1, &s->blends[1][i]);
        }
    }
    if (!ours.is_es) {
        ours.GetIntegerv(GL_POLYGON_MODE, &s->integers[n]);
        gl.GetBooleani_v(GL_COLOR_WRITEMASK, 1, s->masks[1]);
        s->switches[21] = gl.IsEnabledi(GL_BLEND, 1);
    }
    if (!ours.is_es && ours.version >= 41) {
        gl.GetFloati_v(GL_VIEWPORT, 1, s->viewports[1]);
        s->switches[22] = gl.IsEnabledi(GL_SCISSOR_TEST, 1);
    }
}

/** All that could keep a HUD from being seen. */
static void make_a_mess(GLuint names[4])
{
    static const GLenum everywhere[] = { GL_SCISSOR_TEST,
                                         GL_CULL_FACE,
                                         GL_DEPTH_TEST,
                                         GL_STENCIL_TEST,
                                         GL_DITHER,
                                         GL_RASTERIZER_DISCARD,
                                         GL_SAMPLE_ALPHA_TO_COVERAGE };
    gl.GenSamplers(1, &names[0]); /* a sampler that wants mipmaps */
    ours.GenTextures(2, &names[1]);
    ours.GenBuffers(1, &names[3]);
    ours.BindSampler(0, names[0]);
    ours.BindTexture(GL_TEXTURE_2D, names[1]);
    ours.ActiveTexture(GL_TEXTURE0 + 1);
    ours.BindTexture(GL_TEXTURE_2D, names[2]);
    ours.BindBuffer(GL_ARRAY_BUFFER, names[3]);
    ours.PixelStorei(GL_UNPACK_ALIGNMENT, 8);
    ours.PixelStorei(GL_UNPACK_ROW_LENGTH, 1000);
    ours.PixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    ours.PixelStorei(GL_UNPACK_SKIP_PIXELS, 5);
    ours.BindBuffer(GL_PIXEL_UNPACK_BUFFER, names[3]);
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++) {
        ours.Enable(everywhere[i]);
    }
    ours.Disable(GL_BLEND);
    gl.Scissor(1, 1, 1, 1);
    gl.CullFace(GL_FRONT_AND_BACK);
    gl.DepthFunc(GL_NEVER);
    gl.StencilFuncSeparate(GL_FRONT_AND_BACK, GL_NEVER, 1, 1);
    ours.ColorMask(0, 1, 0, 0);
    ours.BlendFuncSeparate(GL_ZERO, GL_ONE, GL_DST_COLOR, GL_ZERO);
    ours.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT);
    ours.Viewport(7, 9, 11, 13);
    if (!ours.is_es) {
        ours.Enable(GL_COLOR_LOGIC_OP);
        gl.LogicOp(GL_CLEAR);
        ours.Enable(GL_FRAMEBUFFER_SRGB);
        ours.Enable(GL_CLIP_DISTANCE0);
        ours.Enable(GL_CLIP_DISTANCE0 + 7);
        ours.Enable(GL_SAMPLE_MASK);
        ours.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        ours.Enablei(GL_BLEND, 1);
        ours.ColorMaski(1, 1, 0, 1, 0);
    }
    if (!ours.is_es && ours.version >= 41) {
        gl.ViewportIndexedf(0, 0.5f, 1.5f, 20.25f, 30.75f);
        gl.ViewportIndexedf(1, 2.5f, 3.5f, 4.25f, 5.75f);
    }
    if (!ours.is_es && !ours.is_core) {
        ours.Enable(FGI_HUD_GL_ALPHA_TEST);
        gl.AlphaFunc(GL_NEVER, 0.0f);
    }
}

/** As some drivers have it: blending is on when it is for any draw buffer. */
static GLboolean is_enabled_anywhere(GLenum what)
{
    return what == GL_BLEND ? gl.IsEnabledi(what, 0) || gl.IsEnabledi(what, 1)
                            : ours.IsEnabled(what);
}

static fg_opengl_function getter_of_anywhere(const char *name)
{
    return strcmp(name, "glIsEnabled") == 0 ? (fg_opengl_function)is_enabled_anywhere
                                            : own_getter(name);
}

/** Leaves `kind`'s context with a mess, draws, and looks at state and picture. */
static void draw_into_a_mess(const struct kind *kind, fg_opengl_getter *getter,
                             const struct fg_hud_list *list)
{
    static struct seen before, after;
    struct fg_hud_opengl *renderer = NULL;
    struct picture p;
    GLuint names[4];
    open_context(kind);
    make_picture(&p, GL_RGBA8, 0);
    clear(&p, false);
    make_a_mess(names);
    look(&before);
    assert_int_equal(
        fg_hud_opengl_create(FG_HUD_OPENGL_OPTIONS(.get_proc_address = getter), &renderer, NULL),
        FG_OK);
    look(&after);
    assert_memory_equal(&before, &after, sizeof before);
    fg_hud_opengl_draw(renderer, list);
    look(&after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_picture(kind, &p, list, false);
    fg_hud_opengl_destroy(renderer);
    gl.DeleteSamplers(1, &names[0]);
    ours.DeleteTextures(2, &names[1]);
    ours.DeleteBuffers(1, &names[3]);
    destroy_picture(&p);
    close_context();
}

static void whatever_was_left_the_hud_is_seen_and_the_state_is_as_it_was(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    assert_true(fg_hud_build(hud, &target, &list));
    for (size_t i = 0; i < KINDS; i++) {
        draw_into_a_mess(&kinds[i], own_getter, &list);
        if (!kinds[i].wish.es) {
            draw_into_a_mess(&kinds[i], getter_of_anywhere, &list);
        }
    }
    fg_hud_destroy(hud);
}

static void frames_in_flight_keep_their_quads_and_take_no_memory(void **state)
{
    (void)state;
    enum { FRAMES = 7 };
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud_opengl *renderer = NULL;
    struct picture pictures[FRAMES];
    uint8_t *expected[FRAMES];
    struct fg_hud *hud = fgt_hud_scene(&clock);
    open_context(&kinds[0]);
    assert_int_equal(fg_hud_opengl_create(FG_HUD_OPENGL_OPTIONS(.allocator = &allocator,
                                                                .get_proc_address = own_getter),
                                          &renderer, NULL),
                     FG_OK);
    memory.countdown = 0;
    memory.stays = true;
    for (int i = 0; i < FRAMES; i++) {
        const struct fg_hud_target moved = { .width_px = WIDTH,
                                             .height_px = HEIGHT,
                                             .offset_x_px = (uint32_t)i };
        make_picture(&pictures[i], GL_RGBA8, 0);
        clear(&pictures[i], false);
        assert_true(fg_hud_build(hud, &moved, &list));
        expected[i] = fgt_hud_expected(&list, false);
        fg_hud_opengl_draw(renderer, &list);
    }
    for (int i = 0; i < FRAMES; i++) {
        uint8_t *seen = read_picture(&pictures[i]);
        assert_in_range(fgt_hud_difference(expected[i], seen, WIDTH, HEIGHT, 4, TOLERANCE), 0,
                        TOLERANCE);
        free(expected[i]);
        free(seen);
        destroy_picture(&pictures[i]);
    }
    assert_false(memory.refused);
    fg_hud_opengl_destroy(renderer);
    assert_int_equal(memory.alive, 0);
    close_context();
    fg_hud_destroy(hud);
}

static const char *missing;

static fg_opengl_function getter_without(const char *name)
{
    return missing != NULL && strcmp(name, missing) == 0 ? NULL : own_getter(name);
}

static const GLubyte *old_version(GLenum name)
{
    (void)name;
    return (const GLubyte *)"2.1 Mesa";
}

static fg_opengl_function old_getter(const char *name)
{
    return strcmp(name, "glGetString") == 0 ? (fg_opengl_function)old_version : own_getter(name);
}

static void a_context_that_cannot_is_refused_with_the_reason(void **state)
{
    (void)state;
    struct fg_hud_opengl *renderer = NULL;
    struct fg_diag diag = { 0 };
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    open_context(&kinds[0]);
    struct fg_hud_opengl_options options = { .allocator = &allocator,
                                             .get_proc_address = getter_without };
    missing = "glDrawArraysInstanced";
    assert_int_equal(fg_hud_opengl_create(&options, &renderer, &diag), FG_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, missing));
    options.get_proc_address = old_getter;
    assert_int_equal(fg_hud_opengl_create(&options, &renderer, &diag), FG_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "this is OpenGL 2.1"));
    options.get_proc_address = NULL;
    assert_int_equal(fg_hud_opengl_create(&options, &renderer, &diag), FG_ERR_ARGUMENT);
    options.get_proc_address = own_getter;
    for (long i = 0; i < 2; i++) {
        memory.countdown = i;
        assert_int_equal(fg_hud_opengl_create(&options, &renderer, &diag), FG_ERR_NO_MEMORY);
    }
    assert_int_equal(memory.alive, 0);
    assert_null(renderer);
    fg_hud_opengl_destroy(NULL);
    fg_hud_opengl_draw(NULL, NULL);
    close_context();
}

/* Asked for with one function and used with another, a pair was half there. */
static void a_missing_function_of_draw_buffers_is_done_without(void **state)
{
    (void)state;
    static const char *const names[] = { "glEnablei",
                                         "glDisablei",
                                         "glIsEnabledi",
                                         "glGetBooleani_v",
                                         "glColorMaski",
                                         "glBlendEquationSeparatei",
                                         "glBlendFuncSeparatei",
                                         "glViewportIndexedf" };
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    assert_true(fg_hud_build(hud, &target, &list));
    open_context(&kinds[0]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct fg_hud_opengl *renderer = NULL;
        struct picture p;
        make_picture(&p, GL_RGBA8, 0);
        clear(&p, false);
        missing = names[i];
        assert_int_equal(
            fg_hud_opengl_create(FG_HUD_OPENGL_OPTIONS(.get_proc_address = getter_without),
                                 &renderer, NULL),
            FG_OK);
        missing = NULL;
        fg_hud_opengl_draw(renderer, &list);
        assert_picture(&kinds[0], &p, &list, false);
        fg_hud_opengl_destroy(renderer);
        destroy_picture(&p);
    }
    close_context();
    fg_hud_destroy(hud);
}

static GLuint make_program(const char *const texts[2])
{
    const GLuint program = ours.CreateProgram();
    for (int i = 0; i < 2; i++) {
        const GLuint shader = ours.CreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        ours.ShaderSource(shader, 1, &texts[i], NULL);
        ours.CompileShader(shader);
        ours.AttachShader(program, shader);
        ours.DeleteShader(shader);
    }
    ours.LinkProgram(program);
    return program;
}

/* Legal, and what some applications do: it lives until another is made current. */
static void a_current_program_that_is_deleted_stays_current_and_alive(void **state)
{
    (void)state;
    static const char *const texts[2] = {
        "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n",
        "#version 330 core\nout vec4 color;\nvoid main() { color = vec4(1.0); }\n"
    };
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud_opengl *renderer = NULL;
    struct picture p;
    GLint current = 0, is_flagged = 0;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    assert_true(fg_hud_build(hud, &target, &list));
    open_context(&kinds[0]);
    make_picture(&p, GL_RGBA8, 0);
    clear(&p, false);
    const GLuint program = make_program(texts);
    ours.UseProgram(program);
    ours.DeleteProgram(program);
    assert_int_equal(fg_hud_opengl_create(FG_HUD_OPENGL_OPTIONS(.get_proc_address = own_getter),
                                          &renderer, NULL),
                     FG_OK);
    fg_hud_opengl_draw(renderer, &list);
    ours.GetIntegerv(GL_CURRENT_PROGRAM, &current);
    assert_int_equal(current, program);
    ours.GetProgramiv(program, GL_DELETE_STATUS, &is_flagged);
    assert_true(is_flagged);
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
    ours.UseProgram(0); /* with which it goes, and the HUD is there again */
    fg_hud_opengl_draw(renderer, &list);
    assert_picture(&kinds[0], &p, &list, false);
    fg_hud_opengl_destroy(renderer);
    destroy_picture(&p);
    close_context();
    fg_hud_destroy(hud);
}

static unsigned questions;

static GLboolean counting_is_enabled(GLenum what)
{
    questions++;
    return ours.IsEnabled(what);
}

static fg_opengl_function counting_getter(const char *name)
{
    return strcmp(name, "glIsEnabled") == 0 ? (fg_opengl_function)counting_is_enabled
                                            : own_getter(name);
}

/* The renderer asks for all state before it touches any: where it asks nothing, it does nothing. */
static void a_hud_that_is_off_is_not_drawn_and_asks_the_context_nothing(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud_opengl *renderer = NULL;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    struct picture p;
    open_context(&kinds[0]);
    make_picture(&p, GL_RGBA8, 0);
    assert_int_equal(
        fg_hud_opengl_create(FG_HUD_OPENGL_OPTIONS(.get_proc_address = counting_getter), &renderer,
                             NULL),
        FG_OK);
    fg_hud_disable(hud);
    const uint64_t reads = clock.reads;
    questions = 0;
    assert_false(fg_hud_build(hud, &target, &list));
    fg_hud_opengl_draw(renderer, &list);
    assert_int_equal(questions, 0);
    assert_int_equal(clock.reads, reads);
    fg_hud_enable(hud);
    assert_true(fg_hud_build(hud, &target, &list));
    fg_hud_opengl_draw(renderer, &list);
    assert_true(questions != 0 && clock.reads > reads); /* the counts count */
    fg_hud_opengl_destroy(renderer);
    destroy_picture(&p);
    close_context();
    fg_hud_destroy(hud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_context_gives_the_picture_of_memory),
        cmocka_unit_test(whatever_was_left_the_hud_is_seen_and_the_state_is_as_it_was),
        cmocka_unit_test(frames_in_flight_keep_their_quads_and_take_no_memory),
        cmocka_unit_test(a_context_that_cannot_is_refused_with_the_reason),
        cmocka_unit_test(a_missing_function_of_draw_buffers_is_done_without),
        cmocka_unit_test(a_current_program_that_is_deleted_stays_current_and_alive),
        cmocka_unit_test(a_hud_that_is_off_is_not_drawn_and_asks_the_context_nothing),
    };
    if (!egl_context_open(&context, &kinds[0].wish)) {
        return 77;
    }
    egl_context_close(&context);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
