/* SPDX-License-Identifier: MIT */
/* The renderer for OpenGL: its objects, and the draw. */
#include "hud/hud_opengl_priv.h"

#include "base/alloc.h"
#include "base/result.h"
#include "hud/hud_priv.h"

#include <string.h>

#define SLOTS      4 /* draws whose quads the GPU may still read while the next are written */
#define SLOT_BYTES (FG_HUD_QUADS_MAX * sizeof(struct fg_hud_quad))

struct fg_hud_opengl {
    const struct fg_allocator *allocator;
    struct fgi_hud_gl gl;
    unsigned program, array, buffer, texture;
    int target_size; /**< uniform location */
    uint32_t slot;
};

static const char desktop_head[] = "#version 330 core\n";
static const char es_head[] = "#version 300 es\n"
                              "precision highp float;\n"
                              "precision highp int;\n"
                              "precision highp sampler2D;\n";
static const char encoded_head[] = "#define LINEAR false\n";
static const char linear_head[] = "#define LINEAR true\n";

/* The same as the shaders for Vulkan, but for the direction of y and where the atlas is. */
static const char vertex_text[] =
    "uniform vec2 target_size;\n"
    "in ivec4 rectangle;\n"
    "in uvec4 texels;\n"
    "in vec4 color;\n"
    "out vec2 texel;\n"
    "flat out vec4 shade;\n"
    "vec3 decode(vec3 encoded)\n"
    "{\n"
    "    vec3 low = encoded / 12.92;\n"
    "    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));\n"
    "    return mix(high, low, vec3(lessThanEqual(encoded, vec3(0.04045))));\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "    vec2 pixel = vec2(rectangle.xy) + corner * vec2(rectangle.zw);\n"
    "    vec2 place = pixel / target_size * 2.0 - 1.0;\n"
    "    gl_Position = vec4(place.x, -place.y, 0.0, 1.0);\n"
    "    texel = vec2(texels.xy) + corner * vec2(texels.zw);\n"
    "    shade = LINEAR ? vec4(decode(color.rgb), color.a) : color;\n"
    "}\n";
static const char fragment_text[] =
    "uniform sampler2D atlas;\n"
    "in vec2 texel;\n"
    "flat in vec4 shade;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    float coverage = texelFetch(atlas, ivec2(floor(texel)), 0).r;\n"
    "    result = vec4(shade.rgb, shade.a * coverage);\n"
    "}\n";

static bool fetch(fg_opengl_getter *get, const char *name, void *member)
{
    const fg_opengl_function function = get(name);
    memcpy(member, &function, sizeof function);
    return function != NULL;
}

/** "4.5 (Core Profile) Mesa ..." or "OpenGL ES 3.2 ...": 45, 32. */
static void read_version(struct fgi_hud_gl *gl)
{
    const char *text = (const char *)gl->GetString(FGI_HUD_GL_VERSION);
    gl->version = 0;
    if (text == NULL) {
        return;
    }
    gl->is_es = strncmp(text, "OpenGL ES", 9) == 0;
    while (*text != '\0' && (*text < '0' || *text > '9')) {
        text++;
    }
    if (text[0] != '\0' && text[1] == '.' && text[2] >= '0' && text[2] <= '9') {
        gl->version = (text[0] - '0') * 10 + (text[2] - '0');
    }
}

enum fg_result fgi_hud_gl_load(struct fgi_hud_gl *gl, fg_opengl_getter *get, struct fg_diag *diag)
{
    int profile = 0;
    if (!fetch(get, "glGetString", &gl->GetString)) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "glGetString is missing");
    }
    read_version(gl);
    if (gl->version < (gl->is_es ? 30 : 33)) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0,
                        "OpenGL 3.3 or OpenGL ES 3.0 is needed, this is %s%d.%d",
                        gl->is_es ? "OpenGL ES " : "OpenGL ", gl->version / 10, gl->version % 10);
    }
#define LOAD(name, result, parameters)                                                             \
    if (!fetch(get, "gl" #name, &gl->name)) {                                                      \
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "gl%s is missing", #name);                    \
    }
#define LOAD_NEWER(name, result, parameters, opengl, es)                                           \
    if (gl->version >= (gl->is_es ? (es) : (opengl))) {                                            \
        (void)fetch(get, "gl" #name, &gl->name);                                                   \
    }
    FGI_HUD_GL_FUNCTIONS(LOAD)
    FGI_HUD_GL_NEWER_FUNCTIONS(LOAD_NEWER)
#undef LOAD
#undef LOAD_NEWER
    if (!gl->is_es) {
        gl->GetIntegerv(FGI_HUD_GL_CONTEXT_PROFILE_MASK, &profile);
    }
    gl->is_core = (profile & 1) != 0;
    return FG_OK;
}

enum fg_result fgi_hud_gl_attach(const struct fgi_hud_gl *gl, unsigned program,
                                 fgi_hud_gl_enum stage, const char *light, const char *text,
                                 struct fg_diag *diag)
{
    const char *const texts[] = { gl->is_es ? es_head : desktop_head, light, text };
    const unsigned shader = gl->CreateShader(stage);
    int ok = 0;
    gl->ShaderSource(shader, 3, texts, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, FGI_HUD_GL_COMPILE_STATUS, &ok);
    if (!ok) {
        char words[160] = "";
        gl->GetShaderInfoLog(shader, sizeof words, NULL, words);
        gl->DeleteShader(shader);
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "a shader does not compile: %s", words);
    }
    gl->AttachShader(program, shader);
    gl->DeleteShader(shader); /* with the program */
    return FG_OK;
}

enum fg_result fgi_hud_gl_link(const struct fgi_hud_gl *gl, unsigned program, struct fg_diag *diag)
{
    int ok = 0;
    gl->LinkProgram(program);
    gl->GetProgramiv(program, FGI_HUD_GL_LINK_STATUS, &ok);
    if (!ok) {
        char words[160] = "";
        gl->GetProgramInfoLog(program, sizeof words, NULL, words);
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "the shaders do not link: %s", words);
    }
    return FG_OK;
}

static enum fg_result make_program(struct fg_hud_opengl *r, uint32_t flags, struct fg_diag *diag)
{
    const char *light = (flags & FG_HUD_OPENGL_LINEAR) != 0 ? linear_head : encoded_head;
    r->program = r->gl.CreateProgram();
    enum fg_result result =
        fgi_hud_gl_attach(&r->gl, r->program, FGI_HUD_GL_VERTEX_SHADER, light, vertex_text, diag);
    if (result == FG_OK) {
        result = fgi_hud_gl_attach(&r->gl, r->program, FGI_HUD_GL_FRAGMENT_SHADER, light,
                                   fragment_text, diag);
    }
    if (result != FG_OK) {
        return result;
    }
    r->gl.BindAttribLocation(r->program, 0, "rectangle");
    r->gl.BindAttribLocation(r->program, 1, "texels");
    r->gl.BindAttribLocation(r->program, 2, "color");
    result = fgi_hud_gl_link(&r->gl, r->program, diag);
    /* The atlas is a sampler's default: unit 0. */
    r->target_size = r->gl.GetUniformLocation(r->program, "target_size");
    return result;
}

/** Upload with the context's own way of unpacking out of the way. */
static void make_texture(struct fg_hud_opengl *r, const uint8_t *atlas)
{
    static const fgi_hud_gl_enum names[4] = { FGI_HUD_GL_UNPACK_ALIGNMENT,
                                              FGI_HUD_GL_UNPACK_ROW_LENGTH,
                                              FGI_HUD_GL_UNPACK_SKIP_ROWS,
                                              FGI_HUD_GL_UNPACK_SKIP_PIXELS };
    static const int plain[4] = { 1, 0, 0, 0 };
    int before[4];
    int unpack_buffer = 0;
    r->gl.GetIntegerv(FGI_HUD_GL_PIXEL_UNPACK_BUFFER_BINDING, &unpack_buffer);
    r->gl.BindBuffer(FGI_HUD_GL_PIXEL_UNPACK_BUFFER, 0);
    for (int i = 0; i < 4; i++) {
        r->gl.GetIntegerv(names[i], &before[i]);
        r->gl.PixelStorei(names[i], plain[i]);
    }
    r->gl.GenTextures(1, &r->texture);
    r->gl.BindTexture(FGI_HUD_GL_TEXTURE_2D, r->texture);
    r->gl.TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MIN_FILTER, FGI_HUD_GL_NEAREST);
    r->gl.TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MAG_FILTER, FGI_HUD_GL_NEAREST);
    r->gl.TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MAX_LEVEL, 0);
    r->gl.TexImage2D(FGI_HUD_GL_TEXTURE_2D, 0, FGI_HUD_GL_R8, FG_HUD_ATLAS_WIDTH,
                     FG_HUD_ATLAS_HEIGHT, 0, FGI_HUD_GL_RED, FGI_HUD_GL_UNSIGNED_BYTE, atlas);
    for (int i = 0; i < 4; i++) {
        r->gl.PixelStorei(names[i], before[i]);
    }
    r->gl.BindBuffer(FGI_HUD_GL_PIXEL_UNPACK_BUFFER, (unsigned)unpack_buffer);
}

static void make_array(struct fg_hud_opengl *r)
{
    r->gl.GenVertexArrays(1, &r->array);
    r->gl.BindVertexArray(r->array);
    r->gl.GenBuffers(1, &r->buffer);
    r->gl.BindBuffer(FGI_HUD_GL_ARRAY_BUFFER, r->buffer);
    r->gl.BufferData(FGI_HUD_GL_ARRAY_BUFFER, (ptrdiff_t)(SLOTS * SLOT_BYTES), NULL,
                     FGI_HUD_GL_STREAM_DRAW);
    for (unsigned i = 0; i < 3; i++) {
        r->gl.EnableVertexAttribArray(i);
        r->gl.VertexAttribDivisor(i, 1);
    }
}

enum fg_result fg_hud_opengl_create(const struct fg_hud_opengl_options *options,
                                    struct fg_hud_opengl **out_renderer, struct fg_diag *diag)
{
    struct fgi_hud_gl_state state;
    if (options == NULL || options->get_proc_address == NULL || out_renderer == NULL ||
        (options->flags & ~(uint32_t)FG_HUD_OPENGL_LINEAR) != 0) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_hud_opengl *r = fgi_calloc(options->allocator, 1, sizeof *r);
    uint8_t *atlas = fgi_malloc(options->allocator, FG_HUD_ATLAS_WIDTH * FG_HUD_ATLAS_HEIGHT);
    enum fg_result result = r != NULL && atlas != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        r->allocator = options->allocator;
        result = fgi_hud_gl_load(&r->gl, options->get_proc_address, diag);
    }
    if (result == FG_OK) {
        result = make_program(r, options->flags, diag);
        if (result != FG_OK) {
            r->gl.DeleteProgram(r->program);
        }
    }
    if (result == FG_OK) {
        fg_hud_atlas_write(atlas);
        fgi_hud_gl_save(&r->gl, &state);
        fgi_hud_gl_prepare(&r->gl, &state, 1, 1);
        make_texture(r, atlas);
        make_array(r);
        fgi_hud_gl_restore(&r->gl, &state);
    }
    fgi_free(options->allocator, atlas, FG_HUD_ATLAS_WIDTH * FG_HUD_ATLAS_HEIGHT);
    if (result != FG_OK) {
        fgi_free(options->allocator, r, sizeof *r);
        return result;
    }
    *out_renderer = r;
    return FG_OK;
}

void fg_hud_opengl_destroy(struct fg_hud_opengl *r)
{
    if (r != NULL) {
        r->gl.DeleteVertexArrays(1, &r->array);
        r->gl.DeleteBuffers(1, &r->buffer);
        r->gl.DeleteTextures(1, &r->texture);
        r->gl.DeleteProgram(r->program);
        fgi_free(r->allocator, r, sizeof *r);
    }
}

static const void *offset_of(size_t bytes)
{
    return (const void *)(uintptr_t)bytes; /* what OpenGL takes for an offset in a buffer */
}

static void draw(struct fg_hud_opengl *r, const struct fg_hud_list *list)
{
    const struct fgi_hud_gl *gl = &r->gl;
    const int stride = sizeof(struct fg_hud_quad);
    const size_t base = r->slot * SLOT_BYTES;
    const uint32_t count =
        list->quad_count < FG_HUD_QUADS_MAX ? list->quad_count : FG_HUD_QUADS_MAX;
    r->slot = (r->slot + 1) % SLOTS;
    gl->UseProgram(r->program);
    gl->Uniform2f(r->target_size, (float)list->width_px, (float)list->height_px);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, r->texture);
    gl->BindSampler(0, 0);
    gl->BindVertexArray(r->array);
    gl->BindBuffer(FGI_HUD_GL_ARRAY_BUFFER, r->buffer);
    gl->BufferSubData(FGI_HUD_GL_ARRAY_BUFFER, (ptrdiff_t)base,
                      (ptrdiff_t)(count * sizeof *list->quads), list->quads);
    gl->VertexAttribIPointer(0, 4, FGI_HUD_GL_SHORT, stride,
                             offset_of(base + offsetof(struct fg_hud_quad, x_px)));
    gl->VertexAttribIPointer(1, 4, FGI_HUD_GL_UNSIGNED_SHORT, stride,
                             offset_of(base + offsetof(struct fg_hud_quad, u)));
    gl->VertexAttribPointer(2, 4, FGI_HUD_GL_UNSIGNED_BYTE, 1, stride,
                            offset_of(base + offsetof(struct fg_hud_quad, color)));
    gl->DrawArraysInstanced(FGI_HUD_GL_TRIANGLE_STRIP, 0, 4, (int)count);
}

void fg_hud_opengl_draw(struct fg_hud_opengl *renderer, const struct fg_hud_list *list)
{
    struct fgi_hud_gl_state state;
    if (renderer == NULL || list == NULL || list->quad_count == 0 ||
        fgi_hud_gl_has_dying_program(&renderer->gl)) {
        return;
    }
    const bool is_told = fg_hud_is_enabled(list->hud);
    const int64_t begin_ns = is_told ? fgi_hud_now(list->hud) : 0;
    fgi_hud_gl_save(&renderer->gl, &state);
    fgi_hud_gl_prepare(&renderer->gl, &state, list->width_px, list->height_px);
    draw(renderer, list);
    fgi_hud_gl_restore(&renderer->gl, &state);
    if (is_told) {
        fg_hud_own_cost(list->hud, fgi_hud_since(list->hud, begin_ns), 1);
    }
}
