/* SPDX-License-Identifier: MIT */
/* What adds up: the target, what an application's draws need for it, and the fragments of items. */
#include "hud/overdraw_opengl_priv.h"

#include "base/alloc.h"

/* ---- the target ------------------------------------------------------------------------------ */

static void size_texture(struct fg_overdraw_opengl *r, uint32_t width_px, uint32_t height_px)
{
    static const struct {
        int inside;
        fgi_hud_gl_enum type;
    } formats[] = {
        [FG_OVERDRAW_FORMAT_R32F] = { FGI_OVERDRAW_GL_R32F, FGI_OVERDRAW_GL_FLOAT },
        [FG_OVERDRAW_FORMAT_R16F] = { FGI_OVERDRAW_GL_R16F, FGI_OVERDRAW_GL_HALF_FLOAT },
        [FG_OVERDRAW_FORMAT_R8] = { FGI_HUD_GL_R8, FGI_HUD_GL_UNSIGNED_BYTE },
    };
    const struct fgi_hud_gl *gl = &r->gl;
    int texture = 0, unpack_buffer = 0;
    gl->GetIntegerv(FGI_HUD_GL_TEXTURE_BINDING_2D, &texture);
    gl->GetIntegerv(FGI_HUD_GL_PIXEL_UNPACK_BUFFER_BINDING, &unpack_buffer);
    gl->BindBuffer(FGI_HUD_GL_PIXEL_UNPACK_BUFFER, 0);
    if (r->texture == 0) {
        gl->GenTextures(1, &r->texture);
    }
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, r->texture);
    gl->TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MIN_FILTER, FGI_HUD_GL_NEAREST);
    gl->TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MAG_FILTER, FGI_HUD_GL_NEAREST);
    gl->TexParameteri(FGI_HUD_GL_TEXTURE_2D, FGI_HUD_GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexImage2D(FGI_HUD_GL_TEXTURE_2D, 0, formats[r->format].inside, (int)width_px,
                   (int)height_px, 0, FGI_HUD_GL_RED, formats[r->format].type, NULL);
    gl->BindTexture(FGI_HUD_GL_TEXTURE_2D, (unsigned)texture);
    gl->BindBuffer(FGI_HUD_GL_PIXEL_UNPACK_BUFFER, (unsigned)unpack_buffer);
    r->width_px = width_px;
    r->height_px = height_px;
}

static void size_depth(struct fg_overdraw_opengl *r)
{
    int renderbuffer = 0;
    r->gl.GetIntegerv(FGI_OVERDRAW_GL_RENDERBUFFER_BINDING, &renderbuffer);
    if (r->depth == 0) {
        r->more.GenRenderbuffers(1, &r->depth);
    }
    r->more.BindRenderbuffer(FGI_OVERDRAW_GL_RENDERBUFFER, r->depth);
    r->more.RenderbufferStorage(FGI_OVERDRAW_GL_RENDERBUFFER, FGI_OVERDRAW_GL_DEPTH_COMPONENT24,
                                (int)r->width_px, (int)r->height_px);
    r->more.BindRenderbuffer(FGI_OVERDRAW_GL_RENDERBUFFER, (unsigned)renderbuffer);
    r->depth_width_px = r->width_px;
    r->depth_height_px = r->height_px;
}

/** Make or change it. It is bound for drawing afterwards. */
static bool prepare_target(struct fg_overdraw_opengl *r,
                           const struct fg_overdraw_opengl_frame *frame)
{
    const bool has_depth = (frame->flags & FG_OVERDRAW_OPENGL_DEPTH) != 0;
    if (r->texture == 0 || r->width_px != frame->width_px || r->height_px != frame->height_px) {
        size_texture(r, frame->width_px, frame->height_px);
    }
    if (has_depth && (r->depth_width_px != r->width_px || r->depth_height_px != r->height_px)) {
        size_depth(r);
    }
    if (r->framebuffer == 0) {
        r->more.GenFramebuffers(1, &r->framebuffer);
    }
    r->more.BindFramebuffer(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER, r->framebuffer);
    r->more.FramebufferTexture2D(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER,
                                 FGI_OVERDRAW_GL_COLOR_ATTACHMENT0, FGI_HUD_GL_TEXTURE_2D,
                                 r->texture, 0);
    r->more.FramebufferRenderbuffer(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER,
                                    FGI_OVERDRAW_GL_DEPTH_ATTACHMENT, FGI_OVERDRAW_GL_RENDERBUFFER,
                                    has_depth ? r->depth : 0);
    return r->more.CheckFramebufferStatus(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER) ==
           FGI_OVERDRAW_GL_FRAMEBUFFER_COMPLETE;
}

void fgi_overdraw_gl_destroy_target(struct fg_overdraw_opengl *r)
{
    if (r->framebuffer != 0) {
        r->more.DeleteFramebuffers(1, &r->framebuffer);
    }
    if (r->depth != 0) {
        r->more.DeleteRenderbuffers(1, &r->depth);
    }
    if (r->texture != 0) {
        r->gl.DeleteTextures(1, &r->texture);
    }
    if (r->query_count > 0) {
        r->more.DeleteQueries((int)r->query_count, r->queries);
    }
    fgi_free(r->allocator, r->ids, r->item_max * sizeof *r->ids);
    fgi_free(r->allocator, r->queries, r->item_max * sizeof *r->queries);
}

/* ---- the context's state --------------------------------------------------------------------- */

static const fgi_hud_gl_enum blend_names[6] = {
    FGI_HUD_GL_BLEND_SRC_RGB,   FGI_HUD_GL_BLEND_DST_RGB,      FGI_HUD_GL_BLEND_SRC_ALPHA,
    FGI_HUD_GL_BLEND_DST_ALPHA, FGI_HUD_GL_BLEND_EQUATION_RGB, FGI_HUD_GL_BLEND_EQUATION_ALPHA,
};

static bool has_alpha_test(const struct fgi_hud_gl *gl)
{
    return !gl->is_es && !gl->is_core;
}

static void save(struct fg_overdraw_opengl *r)
{
    const struct fgi_hud_gl *gl = &r->gl;
    struct fgi_overdraw_saved *saved = &r->saved;
    gl->GetIntegerv(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER_BINDING, &saved->draw_framebuffer);
    gl->GetIntegerv(FGI_OVERDRAW_GL_READ_FRAMEBUFFER_BINDING, &saved->read_framebuffer);
    for (int i = 0; i < 6; i++) {
        gl->GetIntegerv(blend_names[i], &saved->blend[i]);
    }
    gl->GetFloatv(FGI_OVERDRAW_GL_BLEND_COLOR, saved->blend_color);
    gl->GetFloatv(FGI_HUD_GL_VIEWPORT, saved->viewport);
    gl->GetBooleanv(FGI_HUD_GL_COLOR_WRITEMASK, saved->color_mask);
    saved->blends = fgi_hud_gl_is_on(gl, FGI_HUD_GL_BLEND);
    saved->dithers = gl->IsEnabled(FGI_HUD_GL_DITHER);
    saved->tests_depth = gl->IsEnabled(FGI_HUD_GL_DEPTH_TEST);
    saved->has_logic = !gl->is_es && gl->IsEnabled(FGI_HUD_GL_COLOR_LOGIC_OP);
    saved->tests_alpha = has_alpha_test(gl) && gl->IsEnabled(FGI_HUD_GL_ALPHA_TEST);
}

static void bind_framebuffers(const struct fg_overdraw_opengl *r)
{
    r->more.BindFramebuffer(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER, (unsigned)r->saved.draw_framebuffer);
    r->more.BindFramebuffer(FGI_OVERDRAW_GL_READ_FRAMEBUFFER, (unsigned)r->saved.read_framebuffer);
}

static void restore(struct fg_overdraw_opengl *r)
{
    const struct fgi_hud_gl *gl = &r->gl;
    const struct fgi_overdraw_saved *saved = &r->saved;
    bind_framebuffers(r);
    fgi_hud_gl_blend(gl, saved->blend);
    r->more.BlendColor(saved->blend_color[0], saved->blend_color[1], saved->blend_color[2],
                       saved->blend_color[3]);
    fgi_hud_gl_viewport(gl, saved->viewport);
    fgi_hud_gl_color_mask(gl, saved->color_mask);
    fgi_hud_gl_switch(gl, FGI_HUD_GL_BLEND, saved->blends);
    fgi_hud_gl_switch(gl, FGI_HUD_GL_DITHER, saved->dithers);
    if ((r->frame.flags & FG_OVERDRAW_OPENGL_DEPTH) == 0) {
        fgi_hud_gl_switch(gl, FGI_HUD_GL_DEPTH_TEST, saved->tests_depth);
    }
    if (saved->has_logic) {
        fgi_hud_gl_switch(gl, FGI_HUD_GL_COLOR_LOGIC_OP, true);
    }
    if (saved->tests_alpha) {
        fgi_hud_gl_switch(gl, FGI_HUD_GL_ALPHA_TEST, true);
    }
}

/** Whatever the application's scissor and masks are. */
static void clear(struct fg_overdraw_opengl *r)
{
    static const float zero[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, far[1] = { 1.0f };
    const struct fgi_hud_gl *gl = &r->gl;
    const bool has_scissor = fgi_hud_gl_is_on(gl, FGI_HUD_GL_SCISSOR_TEST);
    const bool discards = gl->IsEnabled(FGI_HUD_GL_RASTERIZER_DISCARD);
    unsigned char writes_depth = 1;
    fgi_hud_gl_switch(gl, FGI_HUD_GL_SCISSOR_TEST, false);
    fgi_hud_gl_switch(gl, FGI_HUD_GL_RASTERIZER_DISCARD, false);
    r->more.ClearBufferfv(FGI_OVERDRAW_GL_COLOR, 0, zero);
    if ((r->frame.flags & FG_OVERDRAW_OPENGL_DEPTH) != 0) {
        gl->GetBooleanv(FGI_OVERDRAW_GL_DEPTH_WRITEMASK, &writes_depth);
        r->more.DepthMask(1);
        r->more.ClearBufferfv(FGI_OVERDRAW_GL_DEPTH, 0, far);
        r->more.DepthMask(writes_depth);
    }
    fgi_hud_gl_switch(gl, FGI_HUD_GL_SCISSOR_TEST, has_scissor);
    fgi_hud_gl_switch(gl, FGI_HUD_GL_RASTERIZER_DISCARD, discards);
}

static void set_weight(struct fg_overdraw_opengl *r, float weight)
{
    const float part = r->format == FG_OVERDRAW_FORMAT_R8 ? weight / 255.0f : weight;
    r->weight = weight;
    r->more.BlendColor(part, part, part, part);
}

void fg_overdraw_opengl_bind(struct fg_overdraw_opengl *r)
{
    static const int adding[6] = { FGI_OVERDRAW_GL_CONSTANT_COLOR,
                                   FGI_HUD_GL_ONE,
                                   FGI_OVERDRAW_GL_CONSTANT_COLOR,
                                   FGI_HUD_GL_ONE,
                                   FGI_HUD_GL_FUNC_ADD,
                                   FGI_HUD_GL_FUNC_ADD };
    static const unsigned char all[4] = { 1, 1, 1, 1 };
    if (r == NULL || !r->is_open) {
        return;
    }
    const struct fgi_hud_gl *gl = &r->gl;
    const float viewport[4] = { 0.0f, 0.0f, (float)r->width_px, (float)r->height_px };
    r->more.BindFramebuffer(FGI_OVERDRAW_GL_DRAW_FRAMEBUFFER, r->framebuffer);
    fgi_hud_gl_viewport(gl, viewport);
    fgi_hud_gl_switch(gl, FGI_HUD_GL_BLEND, true);
    fgi_hud_gl_switch(gl, FGI_HUD_GL_DITHER, false);
    fgi_hud_gl_blend(gl, adding);
    fgi_hud_gl_color_mask(gl, all);
    if (!gl->is_es) {
        fgi_hud_gl_switch(gl, FGI_HUD_GL_COLOR_LOGIC_OP, false);
    }
    if (has_alpha_test(gl)) {
        fgi_hud_gl_switch(gl, FGI_HUD_GL_ALPHA_TEST, false);
    }
    if ((r->frame.flags & FG_OVERDRAW_OPENGL_DEPTH) == 0) {
        fgi_hud_gl_switch(gl, FGI_HUD_GL_DEPTH_TEST, false);
    }
    set_weight(r, r->weight);
}

/* ---- items ----------------------------------------------------------------------------------- */

static enum fg_result make_items(struct fg_overdraw_opengl *r)
{
    if (r->ids == NULL) {
        r->ids = fgi_malloc(r->allocator, r->item_max * sizeof *r->ids);
    }
    if (r->queries == NULL) {
        r->queries = fgi_malloc(r->allocator, r->item_max * sizeof *r->queries);
    }
    return r->ids != NULL && r->queries != NULL ? FG_OK : FG_ERR_NO_MEMORY;
}

static void end_query(struct fg_overdraw_opengl *r)
{
    if (r->is_querying) {
        r->more.EndQuery(FGI_OVERDRAW_GL_SAMPLES_PASSED);
        r->is_querying = false;
    }
}

static void begin_query(struct fg_overdraw_opengl *r, uint64_t id)
{
    if (r->cover_count == r->item_max) {
        r->is_out_of_items = true;
        return;
    }
    if (r->cover_count == r->query_count) {
        const uint32_t room = r->item_max - r->query_count;
        const uint32_t more = room < FGI_OVERDRAW_QUERIES_STEP ? room : FGI_OVERDRAW_QUERIES_STEP;
        r->more.GenQueries((int)more, r->queries + r->query_count);
        r->query_count += more;
    }
    r->more.BeginQuery(FGI_OVERDRAW_GL_SAMPLES_PASSED, r->queries[r->cover_count]);
    r->ids[r->cover_count++] = id;
    r->is_querying = true;
}

void fg_overdraw_opengl_item(struct fg_overdraw_opengl *r, uint64_t id)
{
    if (r == NULL || !r->is_open) {
        return;
    }
    if (r->frame.kind == FG_OVERDRAW_COSTS) {
        set_weight(r, fg_overdraw_costs_weight(r->frame.costs, id));
    }
    if (r->is_covering) {
        end_query(r);
        begin_query(r, id);
    }
}

void fg_overdraw_opengl_no_item(struct fg_overdraw_opengl *r)
{
    if (r == NULL || !r->is_open) {
        return;
    }
    if (r->frame.kind == FG_OVERDRAW_COSTS) {
        set_weight(r, 0.0f);
    }
    end_query(r);
}

enum fg_result fg_overdraw_opengl_poll_cover(struct fg_overdraw_opengl *r)
{
    if (r == NULL || r->covered == NULL) {
        return FG_ERR_NOT_FOUND;
    }
    if (fgi_overdraw_gl_is_lost(r)) {
        r->covered = NULL;
        return FG_ERR_DEVICE_LOST;
    }
    for (; r->cover_told < r->cover_count; r->cover_told++) {
        const unsigned query = r->queries[r->cover_told];
        unsigned is_there = 0, fragments = 0;
        r->more.GetQueryObjectuiv(query, FGI_OVERDRAW_GL_QUERY_RESULT_AVAILABLE, &is_there);
        if (!is_there) {
            return FG_ERR_BUSY;
        }
        r->more.GetQueryObjectuiv(query, FGI_OVERDRAW_GL_QUERY_RESULT, &fragments);
        fg_overdraw_costs_cover(r->covered, r->ids[r->cover_told], fragments);
    }
    r->covered = NULL;
    return r->is_out_of_items ? FG_ERR_LIMIT : FG_OK;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static enum fg_result check(const struct fg_overdraw_opengl *r,
                            const struct fg_overdraw_opengl_frame *frame)
{
    const uint32_t flags = FG_OVERDRAW_OPENGL_DEPTH | FG_OVERDRAW_OPENGL_COVER;
    int max_px = 0;
    if (r == NULL || frame == NULL || frame->width_px == 0 || frame->height_px == 0 ||
        (uint32_t)frame->kind > FG_OVERDRAW_COSTS || (frame->flags & ~flags) != 0) {
        return FG_ERR_ARGUMENT;
    }
    if (r->is_open) {
        return FG_ERR_STATE;
    }
    if (frame->kind == FG_OVERDRAW_COSTS && r->format == FG_OVERDRAW_FORMAT_R8) {
        return FG_ERR_UNSUPPORTED;
    }
    if (fgi_overdraw_gl_is_lost(r)) {
        return FG_ERR_DEVICE_LOST;
    }
    r->gl.GetIntegerv(FGI_OVERDRAW_GL_MAX_TEXTURE_SIZE, &max_px);
    const bool fits = frame->width_px <= (uint32_t)max_px && frame->height_px <= (uint32_t)max_px;
    return fits ? FG_OK : FG_ERR_LIMIT;
}

/** Whether this frame's fragments are counted: one at a time, and not beside somebody else's. */
static bool can_begin_cover(const struct fg_overdraw_opengl *r,
                            const struct fg_overdraw_opengl_frame *frame)
{
    int running = 0;
    if ((frame->flags & FG_OVERDRAW_OPENGL_COVER) == 0 || !fg_overdraw_opengl_can_cover(r) ||
        frame->costs == NULL || r->covered != NULL) {
        return false;
    }
    r->more.GetQueryiv(FGI_OVERDRAW_GL_SAMPLES_PASSED, FGI_OVERDRAW_GL_CURRENT_QUERY, &running);
    return running == 0;
}

enum fg_result fg_overdraw_opengl_begin(struct fg_overdraw_opengl *r,
                                        const struct fg_overdraw_opengl_frame *frame)
{
    enum fg_result result = check(r, frame);
    if (result != FG_OK) {
        return result;
    }
    const bool covers = can_begin_cover(r, frame);
    if (covers && (result = make_items(r)) != FG_OK) {
        return result;
    }
    save(r);
    r->has_map = false;
    if (!prepare_target(r, frame)) {
        bind_framebuffers(r);
        return FG_ERR_UNSUPPORTED;
    }
    r->frame = *frame;
    r->is_open = true;
    r->is_covering = covers;
    if (covers) {
        r->cover_count = 0;
        r->cover_told = 0;
        r->is_out_of_items = false;
    }
    r->clock = fg_overdraw_costs_clock(frame->costs);
    r->weight = frame->kind == FG_OVERDRAW_COUNTS ? 1.0f : 0.0f;
    fg_overdraw_opengl_bind(r);
    clear(r);
    return FG_OK;
}

void fg_overdraw_opengl_end(struct fg_overdraw_opengl *r)
{
    if (r == NULL || !r->is_open) {
        return;
    }
    end_query(r);
    restore(r);
    if (r->is_covering && r->cover_count > 0) {
        r->covered = r->frame.costs;
    }
    r->frame.costs = NULL;
    r->is_covering = false;
    r->is_open = false;
    r->has_map = true;
}
