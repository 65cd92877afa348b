/* SPDX-License-Identifier: MIT */
/* Heat maps with OpenGL: the renderer, and the map drawn over a frame. */
#include "hud/overdraw_opengl_priv.h"

#include "base/alloc.h"
#include "base/result.h"

#include <math.h>
#include <string.h>

#define ITEMS_DEFAULT 16384
#define ITEMS_MAX     (1u << 24)
#define READS_DEFAULT 3

static const char encoded_head[] = "#define LINEAR false\n";
static const char linear_head[] = "#define LINEAR true\n";

static const char vertex_text[] =
    "void main()\n"
    "{\n"
    "    vec2 corner = vec2((gl_VertexID & 1) * 4, (gl_VertexID >> 1) * 4) - 1.0;\n"
    "    gl_Position = vec4(corner, 0.0, 1.0);\n"
    "}\n";
/* stretch: texels per pixel; scale: bottom, 1 / range, is it logarithmic, value of 1 in a texel. */
static const char fragment_text[] =
    "uniform sampler2D map;\n"
    "uniform sampler2D colors;\n"
    "uniform vec2 stretch;\n"
    "uniform vec4 scale;\n"
    "uniform vec4 opacity;\n"
    "out vec4 result;\n"
    "vec3 decode(vec3 encoded)\n"
    "{\n"
    "    vec3 low = encoded / 12.92;\n"
    "    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));\n"
    "    return mix(high, low, vec3(lessThanEqual(encoded, vec3(0.04045))));\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    float value = texelFetch(map, ivec2(gl_FragCoord.xy * stretch), 0).r * scale.w;\n"
    "    float part = scale.z > 0.0 ? log2(max(value, scale.x) / scale.x) * scale.y\n"
    "                               : (value - scale.x) * scale.y;\n"
    "    int index = int(floor(clamp(part, 0.0, 1.0) * 255.0 + 0.5));\n"
    "    vec3 color = value > 0.0 ? texelFetch(colors, ivec2(index, 0), 0).rgb : opacity.rgb;\n"
    "    result = vec4(LINEAR ? decode(color) : color, opacity.a);\n"
    "}\n";

static bool fetch(fg_opengl_getter *get, const char *name, void *member)
{
    const fg_opengl_function function = get(name);
    memcpy(member, &function, sizeof function);
    return function != NULL;
}

static enum fg_result load(struct fg_overdraw_opengl *r, fg_opengl_getter *get,
                           struct fg_diag *diag)
{
    const enum fg_result result = fgi_hud_gl_load(&r->gl, get, diag);
    if (result != FG_OK) {
        return result;
    }
#define LOAD(name, result, parameters)                                                             \
    if (!fetch(get, "gl" #name, &r->more.name)) {                                                  \
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "gl%s is missing", #name);                    \
    }
    FGI_OVERDRAW_GL_FUNCTIONS(LOAD)
#undef LOAD
    if (r->gl.version >= (r->gl.is_es ? 32 : 45)) {
        (void)fetch(get, "glGetGraphicsResetStatus", &r->more.GetGraphicsResetStatus);
    }
    return FG_OK;
}

bool fgi_overdraw_gl_is_lost(const struct fg_overdraw_opengl *r)
{
    return r->more.GetGraphicsResetStatus != NULL && r->more.GetGraphicsResetStatus() != 0;
}

/* ---- formats --------------------------------------------------------------------------------- */

static bool has_extension(const struct fg_overdraw_opengl *r, const char *name)
{
    int count = 0;
    r->gl.GetIntegerv(FGI_OVERDRAW_GL_NUM_EXTENSIONS, &count);
    for (int i = 0; i < count; i++) {
        const char *extension =
            (const char *)r->more.GetStringi(FGI_OVERDRAW_GL_EXTENSIONS, (unsigned)i);
        if (extension != NULL && strcmp(extension, name) == 0) {
            return true;
        }
    }
    return false;
}

/** Whether it can be blended in: in OpenGL all can, in OpenGL ES extensions say so. */
static bool can_add(const struct fg_overdraw_opengl *r, enum fg_overdraw_format format)
{
    if (!r->gl.is_es || format == FG_OVERDRAW_FORMAT_R8) {
        return true;
    }
    const bool has_floats = has_extension(r, "GL_EXT_color_buffer_float");
    if (format == FG_OVERDRAW_FORMAT_R32F) {
        return has_floats && has_extension(r, "GL_EXT_float_blend");
    }
    return has_floats || has_extension(r, "GL_EXT_color_buffer_half_float");
}

static enum fg_result choose_format(struct fg_overdraw_opengl *r, enum fg_overdraw_format wanted,
                                    struct fg_diag *diag)
{
    if (wanted == FG_OVERDRAW_FORMAT_BEST) {
        r->format = FG_OVERDRAW_FORMAT_R32F;
        while (!can_add(r, r->format)) {
            r->format++;
        }
        return FG_OK;
    }
    if (!can_add(r, wanted)) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "this context cannot blend in %s floats",
                        wanted == FG_OVERDRAW_FORMAT_R32F ? "32-bit" : "16-bit");
    }
    r->format = wanted;
    return FG_OK;
}

/* ---- the renderer ---------------------------------------------------------------------------- */

static enum fg_result make_program(struct fg_overdraw_opengl *r, uint32_t flags,
                                   struct fg_diag *diag)
{
    const char *light = (flags & FG_OVERDRAW_OPENGL_LINEAR) != 0 ? linear_head : encoded_head;
    r->program = r->gl.CreateProgram();
    enum fg_result result =
        fgi_hud_gl_attach(&r->gl, r->program, FGI_HUD_GL_VERTEX_SHADER, light, vertex_text, diag);
    if (result == FG_OK) {
        result = fgi_hud_gl_attach(&r->gl, r->program, FGI_HUD_GL_FRAGMENT_SHADER, light,
                                   fragment_text, diag);
    }
    if (result == FG_OK) {
        result = fgi_hud_gl_link(&r->gl, r->program, diag);
    }
    if (result != FG_OK) {
        r->gl.DeleteProgram(r->program);
        return result;
    }
    r->stretch_at = r->gl.GetUniformLocation(r->program, "stretch");
    r->scale_at = r->gl.GetUniformLocation(r->program, "scale");
    r->opacity_at = r->gl.GetUniformLocation(r->program, "opacity");
    r->colors_at = r->gl.GetUniformLocation(r->program, "colors");
    return FG_OK;
}

/** The table is on unit 1: the map, on unit 0, is a sampler's default. */
static void make_overlay(struct fg_overdraw_opengl *r)
{
    const struct fgi_hud_gl *gl = &r->gl;
    struct fgi_hud_gl_state state;
    uint8_t rgba[FG_OVERDRAW_COLORS * 4];
    int unpack_buffer = 0;
    fg_overdraw_colors_write(rgba);
    fgi_hud_gl_save(gl, &state);
    gl->GetIntegerv(FGI_HUD_GL_PIXEL_UNPACK_BUFFER_BINDING, &unpack_buffer);
    gl->BindBuffer(FGI_HUD_GL_PIXEL_UNPACK_BUFFER, 0);
    gl->GenTextures(1, &r->colors);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, r->colors);
    gl->TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MIN_FILTER, FGI_HUD_GL_NEAREST);
    gl->TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MAG_FILTER, FGI_HUD_GL_NEAREST);
    gl->TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MAX_LEVEL, 0);
    /* One row of whole words: the way of unpacking matters only where it skips. */
    int skips[2];
    gl->GetIntegerv(FGI_HUD_GL_UNPACK_SKIP_ROWS, &skips[0]);
    gl->GetIntegerv(FGI_HUD_GL_UNPACK_SKIP_PIXELS, &skips[1]);
    gl->PixelStorei(FGI_HUD_GL_UNPACK_SKIP_ROWS, 0);
    gl->PixelStorei(FGI_HUD_GL_UNPACK_SKIP_PIXELS, 0);
    gl->TexImage2D(FGI_HUD_GL_TEXTURE_2D, 0, FGI_OVERDRAW_GL_RGBA8, FG_OVERDRAW_COLORS, 1, 0,
                   FGI_OVERDRAW_GL_RGBA, FGI_HUD_GL_UNSIGNED_BYTE, rgba);
    gl->PixelStorei(FGI_HUD_GL_UNPACK_SKIP_ROWS, skips[0]);
    gl->PixelStorei(FGI_HUD_GL_UNPACK_SKIP_PIXELS, skips[1]);
    gl->BindBuffer(FGI_HUD_GL_PIXEL_UNPACK_BUFFER, (unsigned)unpack_buffer);
    gl->GenVertexArrays(1, &r->array);
    fgi_hud_gl_restore(gl, &state);
}

static bool is_legal(const struct fg_overdraw_opengl_options *options)
{
    return options != NULL && options->get_proc_address != NULL &&
           (options->flags & ~(uint32_t)FG_OVERDRAW_OPENGL_LINEAR) == 0 &&
           (uint32_t)options->format <= FG_OVERDRAW_FORMAT_R8 &&
           options->read_count <= FGI_OVERDRAW_READS_MAX && options->item_max <= ITEMS_MAX;
}

enum fg_result fg_overdraw_opengl_create(const struct fg_overdraw_opengl_options *options,
                                         struct fg_overdraw_opengl **out_renderer,
                                         struct fg_diag *diag)
{
    if (!is_legal(options) || out_renderer == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_overdraw_opengl *r = fgi_calloc(options->allocator, 1, sizeof *r);
    if (r == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    r->allocator = options->allocator;
    r->item_max = options->item_max != 0 ? options->item_max : ITEMS_DEFAULT;
    r->read_max = options->read_count != 0 ? options->read_count : READS_DEFAULT;
    enum fg_result result = load(r, options->get_proc_address, diag);
    if (result == FG_OK) {
        result = choose_format(r, options->format, diag);
    }
    if (result == FG_OK) {
        result = make_program(r, options->flags, diag);
    }
    if (result != FG_OK) {
        fgi_free(options->allocator, r, sizeof *r);
        return result;
    }
    make_overlay(r);
    *out_renderer = r;
    return FG_OK;
}

void fg_overdraw_opengl_destroy(struct fg_overdraw_opengl *r)
{
    if (r == NULL) {
        return;
    }
    fg_overdraw_opengl_end(r);
    fgi_overdraw_gl_destroy_reads(r);
    fgi_overdraw_gl_destroy_target(r);
    r->gl.DeleteVertexArrays(1, &r->array);
    r->gl.DeleteTextures(1, &r->colors);
    r->gl.DeleteProgram(r->program);
    fgi_free(r->allocator, r, sizeof *r);
}

enum fg_overdraw_format fg_overdraw_opengl_get_format(const struct fg_overdraw_opengl *r)
{
    return r != NULL ? r->format : FG_OVERDRAW_FORMAT_BEST;
}

bool fg_overdraw_opengl_can_cover(const struct fg_overdraw_opengl *r)
{
    return r != NULL && !r->gl.is_es;
}

/* ---- over the frame -------------------------------------------------------------------------- */

static void set_uniforms(const struct fg_overdraw_opengl *r, const struct fg_overdraw_scale *scale,
                         float opacity, uint32_t width_px, uint32_t height_px)
{
    const float range =
        scale->is_log ? log2f(scale->top / scale->bottom) : scale->top - scale->bottom;
    const float whole = r->format == FG_OVERDRAW_FORMAT_R8 ? 255.0f : 1.0f;
    const float part = opacity > 0.0f ? opacity < 1.0f ? opacity : 1.0f : 0.0f;
    r->more.Uniform1i(r->colors_at, 1);
    r->gl.Uniform2f(r->stretch_at, (float)r->width_px / (float)width_px,
                    (float)r->height_px / (float)height_px);
    r->more.Uniform4f(r->scale_at, scale->bottom, 1.0f / range, scale->is_log ? 1.0f : 0.0f, whole);
    r->more.Uniform4f(r->opacity_at, FG_OVERDRAW_UNTOUCHED_RED / 255.0f,
                      FG_OVERDRAW_UNTOUCHED_GREEN / 255.0f, FG_OVERDRAW_UNTOUCHED_BLUE / 255.0f,
                      part);
}

void fg_overdraw_opengl_overlay(struct fg_overdraw_opengl *r, const struct fg_overdraw_scale *scale,
                                float opacity, uint32_t width_px, uint32_t height_px)
{
    struct fgi_hud_gl_state state;
    int texture = 0, sampler = 0;
    if (r == NULL || scale == NULL || !r->has_map || r->is_open || width_px == 0 ||
        height_px == 0 || fgi_hud_gl_has_dying_program(&r->gl)) {
        return;
    }
    const struct fgi_hud_gl *gl = &r->gl;
    fgi_hud_gl_save(gl, &state);
    fgi_hud_gl_prepare(gl, &state, width_px, height_px);
    gl->ActiveTexture(FGI_OVERDRAW_GL_TEXTURE1);
    gl->GetIntegerv(FGI_HUD_GL_TEXTURE_BINDING_2D, &texture);
    gl->GetIntegerv(FGI_HUD_GL_SAMPLER_BINDING, &sampler);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, r->colors);
    gl->BindSampler(1, 0);
    gl->ActiveTexture(FGI_HUD_GL_TEXTURE0);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, r->texture);
    gl->BindSampler(0, 0);
    gl->BindVertexArray(r->array);
    gl->UseProgram(r->program);
    set_uniforms(r, scale, opacity, width_px, height_px);
    gl->DrawArraysInstanced(FGI_OVERDRAW_GL_TRIANGLES, 0, 3, 1);
    gl->ActiveTexture(FGI_OVERDRAW_GL_TEXTURE1);
    gl->BindSampler(1, (unsigned)sampler);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, (unsigned)texture);
    gl->ActiveTexture(FGI_HUD_GL_TEXTURE0);
    fgi_hud_gl_restore(gl, &state);
}
