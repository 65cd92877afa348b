/* SPDX-License-Identifier: MIT */
/* Spans and bins of a picture by the CPU, from what an engine answers. What shaders/marks.frag does
 * for a pixel is done here for a rectangle of them. */
#include "base/alloc.h"
#include "base/font.h"
#include "render/render_priv.h"

#include <string.h>

enum { LABEL_PX = 22, LABEL_ROW_PX = 11, LABEL_PAD_PX = 5, FORCED_PX = 3, ELLIPSIS = 0x2026 };

struct painter {
    struct fgi_render *render;
    uint8_t *ranks; /**< of what each pixel of a lane has: the next one needs as much */
    const struct fgi_render_lane *lane;
};

/* A pixel of a mark: parts of 256 of its colour, the rest is the ground. */
static uint32_t share_of_bins(bool is_density, uint32_t cover, uint32_t x, uint32_t y)
{
    /* 0.4 of it and 0.6 by cover; then stripes. */
    static const uint32_t covers[FGI_RENDER_COVER + 1] = { 102, 124, 146, 168, 190, 212, 234, 256 };
    const uint32_t stripes =
        is_density ? ((x + y) % 4 < 2 ? 77u : 218u) : ((x + y) % 6 < 2 ? 115u : 236u);
    return covers[is_density ? cover : FGI_RENDER_COVER] * stripes >> 8;
}

static void paint_bins(const struct painter *p, struct fgi_render_extent extent, bool is_density,
                       uint32_t cover, uint32_t color)
{
    const struct fgi_render *r = p->render;
    const uint32_t scale = r->options.scale;
    const uint32_t inset = is_density ? (p->lane->height_px * 3 + 8) / 16 : 0;
    for (uint32_t y = p->lane->y_px + inset; y < p->lane->y_px + p->lane->height_px - inset; y++) {
        uint32_t *row = r->pixels + (size_t)y * r->options.width_px + r->plot_x_px;
        for (uint32_t x = extent.first; x < extent.end; x++) {
            if (p->ranks[x] <= cover) {
                row[x] = fgi_render_mix(r->theme->lane, color,
                                        share_of_bins(is_density, cover, x / scale, y / scale));
            }
        }
    }
    for (uint32_t x = extent.first; x < extent.end; x++) {
        p->ranks[x] = p->ranks[x] <= cover ? (uint8_t)cover : p->ranks[x];
    }
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* How many glyphs of a name are shown; what does not fit: none, or with an ellipsis. */
static uint32_t shown_glyphs(const struct fgi_render *r, const struct fgi_render_kind *kind,
                             uint32_t width_px, uint32_t height_px, bool *out_is_cut)
{
    const uint32_t scale = r->options.scale;
    if (width_px < LABEL_PX * scale || height_px + 2 * scale < LABEL_ROW_PX * scale) {
        return 0;
    }
    const uint32_t room = (width_px - 2 * LABEL_PAD_PX * scale) / (FGI_FONT_ADVANCE * scale);
    *out_is_cut = kind->glyph_count > room;
    return !*out_is_cut ? kind->glyph_count : room >= 3 ? room : 0;
}

static void paint_label(const struct painter *p, struct fgi_render_extent extent,
                        const struct fgi_render_kind *kind)
{
    struct fgi_render *r = p->render;
    const uint32_t scale = r->options.scale;
    const uint32_t height = p->lane->height_px;
    bool is_cut = false;
    const uint32_t shown = shown_glyphs(r, kind, extent.end - extent.first, height, &is_cut);
    const uint32_t top = p->lane->y_px + (height - FGI_FONT_CAPITAL * scale) / 2;
    const uint32_t left = r->plot_x_px + extent.first + LABEL_PAD_PX * scale;
    for (uint32_t i = 0; i < shown; i++) {
        const uint32_t glyph =
            is_cut && i == shown - 1 ? fgi_font_glyph(ELLIPSIS) : r->glyphs[kind->first_glyph + i];
        for (uint32_t dot = 0; dot < FGI_FONT_WIDTH * FGI_FONT_HEIGHT; dot++) {
            const uint32_t column = dot % FGI_FONT_WIDTH, row = dot / FGI_FONT_WIDTH;
            const uint32_t y = top + row * scale;
            if (fgi_font_dot(glyph, column, row) && y + scale <= p->lane->y_px + height) {
                fgi_render_fill(r, (int32_t)(left + (i * FGI_FONT_ADVANCE + column) * scale),
                                (int32_t)y, (int32_t)scale, (int32_t)scale, r->theme->on_hue);
            }
        }
    }
}

static void paint_span(const struct painter *p, struct fgi_render_extent extent,
                       const struct fgi_render_kind *kind, uint32_t status)
{
    struct fgi_render *r = p->render;
    const uint32_t scale = r->options.scale;
    const uint32_t color = r->colors[kind->hue * FGI_HUE_LEVELS + p->lane->level];
    const bool is_open = status == FG_SPAN_UNFINISHED || status == FG_SPAN_LOST;
    const uint32_t mark =
        status == FG_SPAN_FORCED && extent.end - extent.first > 6 * scale ? FORCED_PX * scale : 0;
    for (uint32_t y = p->lane->y_px; y < p->lane->y_px + p->lane->height_px; y++) {
        uint32_t *row = r->pixels + (size_t)y * r->options.width_px + r->plot_x_px;
        for (uint32_t x = extent.first; x < extent.end; x++) {
            const bool is_light = ((x / scale - y / scale) & 7) < 4;
            row[x] = x + mark >= extent.end ? r->theme->bad
                     : is_open ? fgi_render_mix(r->theme->lane, color, is_light ? 128 : 230)
                               : color;
        }
    }
    memset(p->ranks + extent.first, FGI_RENDER_ON_TOP, extent.end - extent.first);
    paint_label(p, extent, kind);
}

/* ---- answers --------------------------------------------------------------------------------- */

static const struct fgi_render_kind *kind_of(const struct fgi_render *r, uint32_t name)
{
    static const struct fgi_render_kind none = { .glyph_count = 0 };
    const uint32_t kind = name < r->trace_names ? r->kind_of_name[name] : FG_NONE;
    return kind != FG_NONE ? &r->kinds[kind] : &none;
}

static void paint_answer(const struct painter *p, const struct fg_view_reply *reply)
{
    struct fgi_render *r = p->render;
    const struct fg_view_answer *answer = &reply->answers[0];
    const bool is_density = answer->bins_mode == FG_VIEW_DENSITY;
    memset(p->ranks, 0, r->plot_width_px);
    for (uint32_t i = 0; i < answer->bins_count; i++) {
        const struct fg_view_bins *bins = &reply->bins[answer->first_bins + i];
        const struct fgi_render_kind *kind = kind_of(r, bins->name);
        paint_bins(p, fgi_render_bins_extent(r, reply->level, bins->first, bins->count), is_density,
                   fgi_render_cover(bins->covered_ns, reply->level),
                   r->colors[kind->hue * FGI_HUE_LEVELS + p->lane->level]);
    }
    for (uint32_t i = 0; i < answer->span_count; i++) {
        const struct fg_trace_span *span = &reply->spans[answer->first_span + i];
        paint_span(p, fgi_render_span_extent(r, span->start_ns, span->end_ns),
                   kind_of(r, span->name), (uint32_t)span->status);
    }
    r->counts.bins += answer->bins_count;
    r->counts.spans += answer->span_count;
}

enum fg_result fgi_render_on_cpu(struct fgi_render *render, struct fg_query *query)
{
    const struct fgi_render_options *options = &render->options;
    struct painter painter = { .render = render,
                               .ranks = fgi_calloc(options->allocator, render->plot_width_px, 1) };
    enum fg_result result = painter.ranks != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    render->counts.bins = render->counts.spans = 0;
    fgi_render_board(render);
    for (uint32_t i = 0; i < render->counts.lanes && result == FG_OK; i++) {
        const struct fg_view_target target = { .kind = FG_VIEW_LANE,
                                               .previous_mode = FG_VIEW_NONE,
                                               .index = render->lanes[i].lane };
        const struct fg_view_request request = { .start_ns = options->start_ns,
                                                 .end_ns = options->end_ns,
                                                 .width_px = render->plot_width_px,
                                                 .targets = &target,
                                                 .target_count = 1,
                                                 .max_spans = UINT32_MAX,
                                                 .max_bins = UINT32_MAX,
                                                 .detail = (uint8_t)options->detail };
        struct fg_view_reply reply;
        result = fg_query_view(query, &request, &reply);
        if (result == FG_OK) {
            painter.lane = &render->lanes[i];
            paint_answer(&painter, &reply);
        }
        fg_query_reset(query);
    }
    fgi_free(options->allocator, painter.ranks, render->plot_width_px);
    return result;
}
