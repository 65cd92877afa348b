/* SPDX-License-Identifier: MIT */
/* A picture: its life, and where in it things are. */
#include "render/render.h"
#include "base/alloc.h"
#include "render/render_priv.h"
#include "trace/model.h"

static bool is_legal(const struct fgi_render_options *options)
{
    return options->trace != NULL && options->start_ns < options->end_ns &&
           options->width_px >= FGI_RENDER_LEAST_PX && options->width_px <= FGI_RENDER_MOST_PX &&
           options->height_px >= FGI_RENDER_LEAST_PX && options->height_px <= FGI_RENDER_MOST_PX &&
           options->scale <= FGI_RENDER_MOST_SCALE && options->detail <= FG_DETAIL_DENSITY;
}

enum fg_result fgi_render_create(const struct fgi_render_options *options,
                                 struct fgi_render **out_render)
{
    if (!is_legal(options)) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_render *render = fgi_calloc(options->allocator, 1, sizeof *render);
    if (render == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    render->options = *options;
    render->options.scale = options->scale > 0 ? options->scale : 1;
    render->theme = fgi_render_theme(options->is_light);
    for (uint32_t i = 0; i < FGI_HUES * FGI_HUE_LEVELS; i++) {
        static const uint32_t fades[FGI_HUE_LEVELS] = { 0, 26, 46, 61, 72 }; /* of 256 */
        render->colors[i] = fgi_render_mix(render->theme->hues[i / FGI_HUE_LEVELS],
                                           render->theme->lane, fades[i % FGI_HUE_LEVELS]);
    }
    render->pixels = fgi_calloc(options->allocator, (size_t)options->width_px * options->height_px,
                                sizeof *render->pixels);
    enum fg_result result = render->pixels != NULL ? fgi_render_lay_out(render) : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        fgi_render_destroy(render);
        return result;
    }
    render->options.tracks = NULL;
    fgi_render_board(render);
    *out_render = render;
    return FG_OK;
}

void fgi_render_destroy(struct fgi_render *r)
{
    if (r == NULL) {
        return;
    }
    const struct fgi_render_options options = r->options;
    const struct fg_allocator *allocator = options.allocator;
    fgi_free(allocator, r->pixels,
             (size_t)options.width_px * options.height_px * sizeof *r->pixels);
    fgi_free(allocator, r->tracks, (r->track_capacity + 1u) * sizeof *r->tracks);
    fgi_free(allocator, r->lanes, r->lane_capacity * sizeof *r->lanes);
    fgi_free(allocator, r->slots, (r->trace_lanes + 1u) * sizeof *r->slots);
    fgi_free(allocator, r->kinds, (r->trace_kinds + 1u) * sizeof *r->kinds);
    fgi_free(allocator, r->kind_of_name, (r->trace_names + 1u) * sizeof *r->kind_of_name);
    fgi_free(allocator, r->glyphs, r->glyph_capacity * sizeof *r->glyphs);
    fgi_free(allocator, r, sizeof *r);
}

const uint32_t *fgi_render_pixels(const struct fgi_render *render)
{
    return render->pixels;
}

struct fgi_render_counts fgi_render_get_counts(const struct fgi_render *render)
{
    return render->counts;
}

/* ---- where things are; shaders do the same ------------------------------------------- */

uint64_t fgi_render_place(const struct fgi_render *render, int64_t time_ns)
{
    const struct fgi_render_options *options = &render->options;
    if (time_ns <= options->start_ns) {
        return 0;
    }
    if (time_ns >= options->end_ns) {
        return (uint64_t)render->plot_width_px << FGI_RENDER_FRACTION;
    }
    const uint64_t offset = fgi_duration(options->start_ns, time_ns);
    const uint64_t brought =
        render->shift >= 0 ? offset >> render->shift : offset << -render->shift;
    return brought * render->multiplier;
}

/* Rounded, in the plot, and never nothing. */
static struct fgi_render_extent extent_of(const struct fgi_render *render, uint64_t first,
                                          uint64_t end)
{
    const uint64_t half = UINT64_C(1) << (FGI_RENDER_FRACTION - 1);
    struct fgi_render_extent extent = { (uint32_t)((first + half) >> FGI_RENDER_FRACTION),
                                        (uint32_t)((end + half) >> FGI_RENDER_FRACTION) };
    if (extent.first >= render->plot_width_px) {
        extent.first = render->plot_width_px - 1;
    }
    if (extent.end <= extent.first) {
        extent.end = extent.first + 1;
    }
    return extent;
}

struct fgi_render_extent fgi_render_span_extent(const struct fgi_render *render, int64_t start_ns,
                                                int64_t end_ns)
{
    const uint64_t pixel = UINT64_C(1) << FGI_RENDER_FRACTION;
    const uint64_t first = fgi_render_place(render, start_ns);
    uint64_t end = fgi_render_place(render, end_ns);
    if (end - first > 3 * pixel && end_ns < render->options.end_ns) {
        end -= pixel;
    }
    return extent_of(render, first, end);
}

struct fgi_render_extent fgi_render_bins_extent(const struct fgi_render *render, unsigned level,
                                                int64_t first, uint32_t count)
{
    const int64_t end = (int64_t)((uint64_t)first + count);
    const int64_t behind = INT64_MAX >> level; /* later bins begin after all times */
    return extent_of(
        render, fgi_render_place(render, (int64_t)((uint64_t)first << level)),
        fgi_render_place(render, end > behind ? INT64_MAX : (int64_t)((uint64_t)end << level)));
}

uint32_t fgi_render_cover(uint64_t covered_ns, unsigned level)
{
    enum { BITS = 28 };
    const uint64_t covered =
        level > BITS ? covered_ns >> (level - BITS) : covered_ns << (BITS - level);
    const uint64_t whole = UINT64_C(1) << BITS;
    const uint32_t steps = (uint32_t)((covered * FGI_RENDER_COVER + whole - 1) >> BITS);
    return steps == 0 ? 1 : steps < FGI_RENDER_COVER ? steps : FGI_RENDER_COVER;
}
