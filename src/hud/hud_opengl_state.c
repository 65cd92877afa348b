/* SPDX-License-Identifier: MIT */
/*
 * The state of the context that drawing the HUD changes: read, set, put back. Where there are draw
 * buffers and viewports with states of their own, only those of the first are touched.
 */
#include "hud/hud_opengl_priv.h"

enum where {
    EVERYWHERE,
    DESKTOP, /**< not in OpenGL ES */
    COMPATIBILITY,
};

/** All of them are off while the HUD is drawn; blending, the first, is on. */
static const struct {
    fgi_hud_gl_enum what;
    enum where where;
} switches[FGI_HUD_GL_SWITCHES] = {
    { FGI_HUD_GL_BLEND, EVERYWHERE },
    { FGI_HUD_GL_SCISSOR_TEST, EVERYWHERE },
    { FGI_HUD_GL_CULL_FACE, EVERYWHERE },
    { FGI_HUD_GL_DEPTH_TEST, EVERYWHERE },
    { FGI_HUD_GL_STENCIL_TEST, EVERYWHERE },
    { FGI_HUD_GL_DITHER, EVERYWHERE },
    { FGI_HUD_GL_RASTERIZER_DISCARD, EVERYWHERE },
    { FGI_HUD_GL_SAMPLE_ALPHA_TO_COVERAGE, EVERYWHERE },
    { FGI_HUD_GL_SAMPLE_COVERAGE, EVERYWHERE },
    { FGI_HUD_GL_SAMPLE_ALPHA_TO_ONE, DESKTOP },
    { FGI_HUD_GL_SAMPLE_MASK, DESKTOP },
    { FGI_HUD_GL_COLOR_LOGIC_OP, DESKTOP },
    { FGI_HUD_GL_FRAMEBUFFER_SRGB, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 1, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 2, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 3, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 4, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 5, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 6, DESKTOP },
    { FGI_HUD_GL_CLIP_DISTANCE0 + 7, DESKTOP },
    { FGI_HUD_GL_ALPHA_TEST, COMPATIBILITY },
};

static const fgi_hud_gl_enum blend_names[6] = {
    FGI_HUD_GL_BLEND_SRC_RGB,   FGI_HUD_GL_BLEND_DST_RGB,      FGI_HUD_GL_BLEND_SRC_ALPHA,
    FGI_HUD_GL_BLEND_DST_ALPHA, FGI_HUD_GL_BLEND_EQUATION_RGB, FGI_HUD_GL_BLEND_EQUATION_ALPHA,
};

static bool is_there(const struct fgi_hud_gl *gl, int i)
{
    switch (switches[i].where) {
    case DESKTOP:
        return !gl->is_es;
    case COMPATIBILITY:
        return !gl->is_es && !gl->is_core;
    case EVERYWHERE:
    default:
        return switches[i].what != 0;
    }
}

/** Has every draw buffer, or every viewport, a switch of its own? */
static bool is_indexed(const struct fgi_hud_gl *gl, fgi_hud_gl_enum what)
{
    return gl->Enablei != NULL && gl->Disablei != NULL &&
           (what == FGI_HUD_GL_BLEND ||
            (what == FGI_HUD_GL_SCISSOR_TEST && gl->ViewportIndexedf != NULL));
}

void fgi_hud_gl_switch(const struct fgi_hud_gl *gl, fgi_hud_gl_enum what, bool on)
{
    if (is_indexed(gl, what)) {
        (on ? gl->Enablei : gl->Disablei)(what, 0);
    } else {
        (on ? gl->Enable : gl->Disable)(what);
    }
}

void fgi_hud_gl_blend(const struct fgi_hud_gl *gl, const int blend[6])
{
    const fgi_hud_gl_enum *b = (const fgi_hud_gl_enum *)blend;
    if (gl->BlendFuncSeparatei != NULL && gl->BlendEquationSeparatei != NULL) {
        gl->BlendFuncSeparatei(0, b[0], b[1], b[2], b[3]);
        gl->BlendEquationSeparatei(0, b[4], b[5]);
    } else {
        gl->BlendFuncSeparate(b[0], b[1], b[2], b[3]);
        gl->BlendEquationSeparate(b[4], b[5]);
    }
}

void fgi_hud_gl_color_mask(const struct fgi_hud_gl *gl, const unsigned char m[4])
{
    if (gl->ColorMaski != NULL) {
        gl->ColorMaski(0, m[0], m[1], m[2], m[3]);
    } else {
        gl->ColorMask(m[0], m[1], m[2], m[3]);
    }
}

void fgi_hud_gl_viewport(const struct fgi_hud_gl *gl, const float v[4])
{
    if (gl->ViewportIndexedf != NULL) {
        gl->ViewportIndexedf(0, v[0], v[1], v[2], v[3]);
    } else {
        gl->Viewport((int)v[0], (int)v[1], (int)v[2], (int)v[3]);
    }
}

bool fgi_hud_gl_is_on(const struct fgi_hud_gl *gl, fgi_hud_gl_enum what)
{
    return is_indexed(gl, what) && gl->IsEnabledi != NULL ? gl->IsEnabledi(what, 0)
                                                          : gl->IsEnabled(what);
}

bool fgi_hud_gl_has_dying_program(const struct fgi_hud_gl *gl)
{
    int program = 0, is_flagged = 0;
    gl->GetIntegerv(FGI_HUD_GL_CURRENT_PROGRAM, &program);
    if (program != 0) {
        gl->GetProgramiv((unsigned)program, FGI_HUD_GL_DELETE_STATUS, &is_flagged);
    }
    return is_flagged != 0;
}

void fgi_hud_gl_save(const struct fgi_hud_gl *gl, struct fgi_hud_gl_state *state)
{
    for (int i = 0; i < FGI_HUD_GL_SWITCHES; i++) {
        state->switches[i] = is_there(gl, i) && fgi_hud_gl_is_on(gl, switches[i].what);
    }
    for (int i = 0; i < 6; i++) {
        gl->GetIntegerv(blend_names[i], &state->blend[i]);
    }
    gl->GetIntegerv(FGI_HUD_GL_CURRENT_PROGRAM, &state->program);
    gl->GetIntegerv(FGI_HUD_GL_VERTEX_ARRAY_BINDING, &state->array);
    gl->GetIntegerv(FGI_HUD_GL_ARRAY_BUFFER_BINDING, &state->buffer);
    gl->GetIntegerv(FGI_HUD_GL_ACTIVE_TEXTURE, &state->unit);
    gl->ActiveTexture(FGI_HUD_GL_TEXTURE0);
    gl->GetIntegerv(FGI_HUD_GL_TEXTURE_BINDING_2D, &state->texture);
    gl->GetIntegerv(FGI_HUD_GL_SAMPLER_BINDING, &state->sampler);
    gl->GetFloatv(FGI_HUD_GL_VIEWPORT, state->viewport);
    if (gl->ColorMaski != NULL && gl->GetBooleani_v != NULL) {
        gl->GetBooleani_v(FGI_HUD_GL_COLOR_WRITEMASK, 0, state->color_mask);
    } else {
        gl->GetBooleanv(FGI_HUD_GL_COLOR_WRITEMASK, state->color_mask);
    }
    if (gl->PolygonMode != NULL) {
        /* Some contexts of the core profile write one number, others two. */
        state->polygon_mode[1] = 0;
        gl->GetIntegerv(FGI_HUD_GL_POLYGON_MODE, state->polygon_mode);
    }
}

void fgi_hud_gl_prepare(const struct fgi_hud_gl *gl, const struct fgi_hud_gl_state *state,
                        uint32_t width_px, uint32_t height_px)
{
    static const int blend[6] = { FGI_HUD_GL_SRC_ALPHA, FGI_HUD_GL_ONE_MINUS_SRC_ALPHA,
                                  FGI_HUD_GL_ONE,       FGI_HUD_GL_ONE_MINUS_SRC_ALPHA,
                                  FGI_HUD_GL_FUNC_ADD,  FGI_HUD_GL_FUNC_ADD };
    static const unsigned char all[4] = { 1, 1, 1, 1 };
    const float viewport[4] = { 0.0f, 0.0f, (float)width_px, (float)height_px };
    for (int i = 0; i < FGI_HUD_GL_SWITCHES; i++) {
        const bool is_wanted = i == 0;
        if (is_there(gl, i) && state->switches[i] != is_wanted) {
            fgi_hud_gl_switch(gl, switches[i].what, is_wanted);
        }
    }
    fgi_hud_gl_blend(gl, blend);
    fgi_hud_gl_color_mask(gl, all);
    fgi_hud_gl_viewport(gl, viewport);
    if (gl->PolygonMode != NULL) {
        gl->PolygonMode(FGI_HUD_GL_FRONT_AND_BACK, FGI_HUD_GL_FILL);
    }
}

void fgi_hud_gl_restore(const struct fgi_hud_gl *gl, const struct fgi_hud_gl_state *state)
{
    for (int i = 0; i < FGI_HUD_GL_SWITCHES; i++) {
        const bool was_wanted = i == 0;
        if (is_there(gl, i) && state->switches[i] != was_wanted) {
            fgi_hud_gl_switch(gl, switches[i].what, state->switches[i]);
        }
    }
    fgi_hud_gl_blend(gl, state->blend);
    fgi_hud_gl_color_mask(gl, state->color_mask);
    fgi_hud_gl_viewport(gl, state->viewport);
    if (gl->PolygonMode != NULL) {
        const fgi_hud_gl_enum front = (fgi_hud_gl_enum)state->polygon_mode[0];
        const fgi_hud_gl_enum back = (fgi_hud_gl_enum)state->polygon_mode[1];
        if (gl->is_core || back == 0 || back == front) {
            gl->PolygonMode(FGI_HUD_GL_FRONT_AND_BACK, front);
        } else {
            gl->PolygonMode(FGI_HUD_GL_FRONT, front);
            gl->PolygonMode(FGI_HUD_GL_BACK, back);
        }
    }
    gl->UseProgram((unsigned)state->program);
    gl->BindSampler(0, (unsigned)state->sampler);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, (unsigned)state->texture);
    gl->ActiveTexture((fgi_hud_gl_enum)state->unit);
    gl->BindVertexArray((unsigned)state->array);
    gl->BindBuffer(FGI_HUD_GL_ARRAY_BUFFER, (unsigned)state->buffer);
}
