/* SPDX-License-Identifier: MIT */
/* How a picture is laid out, and what its pixels are: one set of rules in whole numbers, which
 * render_cpu.c and the shaders follow. */
#ifndef FGI_RENDER_PRIV_H
#define FGI_RENDER_PRIV_H
#include "render/render.h"

enum {
    FGI_HUES = 10,
    FGI_HUE_LEVELS = 5,       /**< deeper lanes step back */
    FGI_RENDER_COVER = 7,     /**< steps of how much of a bin is covered */
    FGI_RENDER_ON_TOP = 15,   /**< rank of spans: over all bins */
    FGI_RENDER_FRACTION = 47, /**< bits of a pixel */
    FGI_RENDER_TEXT = 96,     /**< glyphs of a name at most */
};

/** What of a kind is drawn: four words, as shaders read them. */
struct fgi_render_kind {
    uint32_t first_glyph, glyph_count;
    uint32_t hue;
    uint32_t status; /**< enum fg_span_status */
};
/** A lane that is shown, from the top: four words. */
struct fgi_render_lane {
    uint32_t lane;
    uint32_t y_px, height_px; /**< of what is filled */
    uint32_t level;           /**< of its hues */
};
/** A track that is shown. */
struct fgi_render_track {
    uint32_t track;
    uint32_t process; /**< that a line over it names; FG_NONE: there is none */
    int32_t y_px;     /**< of its first lane */
    uint32_t height_px;
};

/** Colours of a theme: red in the lowest byte, then green, blue, and 255. */
struct fgi_render_theme {
    uint32_t lane, panel, raised, line, line_soft, ink, ink_2, ink_3, gpu, cpu, bad, warn, on_hue;
    uint32_t hues[FGI_HUES];
};
const struct fgi_render_theme *fgi_render_theme(bool is_light);
/** `share` of 256 of `to`, the rest of `from`. */
uint32_t fgi_render_mix(uint32_t from, uint32_t to, uint32_t share);
/** The hue of a name: the same as in the page. Names that differ by a number share it. */
uint32_t fgi_render_hue(const char *name);

struct fgi_render {
    struct fgi_render_options options;
    const struct fgi_render_theme *theme;
    uint32_t *pixels;
    uint32_t plot_x_px, plot_width_px;
    uint32_t ruler_px, row_px, gap_px, head_px; /**< heights; rows are lanes */
    struct fgi_render_track *tracks;
    struct fgi_render_lane *lanes;
    uint32_t *slots; /**< of each lane of the trace, among those shown; FG_NONE */
    struct fgi_render_kind *kinds;
    uint32_t *kind_of_name; /**< one that has it; FG_NONE */
    uint8_t *glyphs;
    size_t glyph_count, glyph_capacity;
    uint32_t colors[FGI_HUES * FGI_HUE_LEVELS];
    uint64_t multiplier; /**< of fgi_render_place() */
    int shift;
    struct fgi_render_counts counts;
    uint32_t track_capacity, lane_capacity, trace_lanes, trace_names, trace_kinds;
};

/** Choose tracks, lanes and heights (render_layout.c). */
enum fg_result fgi_render_lay_out(struct fgi_render *render);
/** Draw everything but spans (render_board.c). */
void fgi_render_board(struct fgi_render *render);

/** Where a time is in the plot, in 2^-47 pixels: 0 to the whole width. */
uint64_t fgi_render_place(const struct fgi_render *render, int64_t time_ns);
/** Pixels [first, end) of the plot that something fills; at least one. */
struct fgi_render_extent {
    uint32_t first, end;
};
/** Of a span: kept apart from the next one where there is room. */
struct fgi_render_extent fgi_render_span_extent(const struct fgi_render *render, int64_t start_ns,
                                                int64_t end_ns);
struct fgi_render_extent fgi_render_bins_extent(const struct fgi_render *render, unsigned level,
                                                int64_t first, uint32_t count);
/** Steps of cover of a bin, 1 to FGI_RENDER_COVER. */
uint32_t fgi_render_cover(uint64_t covered_ns, unsigned level);

void fgi_render_fill(struct fgi_render *render, int32_t x_px, int32_t y_px, int32_t width_px,
                     int32_t height_px, uint32_t color);
/** At most `columns` characters, the last one of a longer text an ellipsis; its left top. */
void fgi_render_text(struct fgi_render *render, int32_t x_px, int32_t y_px, uint32_t columns,
                     uint32_t color, const char *text);

#endif
