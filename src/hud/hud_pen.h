/* SPDX-License-Identifier: MIT */
/* Draws into a list of quads, in dots of a panel. */
#ifndef FGI_HUD_PEN_H
#define FGI_HUD_PEN_H
#include "hud/hud_font.h"
#include "hud/hud_priv.h"

enum fgi_hud_color {
    FGI_COLOR_PANEL,
    FGI_COLOR_LINE,
    FGI_COLOR_TEXT,
    FGI_COLOR_DIM,
    FGI_COLOR_UNKNOWN,
    FGI_COLOR_WITHIN,
    FGI_COLOR_OVER,
    FGI_COLOR_FAR_OVER,
    FGI_COLOR_CPU,
    FGI_COLOR_GPU,
    FGI_COLOR_PRESENT,
    FGI_COLOR_MARK, /**< the budget, and where a frame ended */
};

/** One cell of text: label and number stand on a grid of these. */
#define FGI_CELL_WIDTH  FGI_FONT_ADVANCE
#define FGI_CELL_HEIGHT 12

struct fgi_hud_pen {
    struct fg_hud *hud; /**< whose panel it is; NULL = it is no HUD's */
    struct fg_hud_quad *quads;
    uint32_t quad_max;
    uint32_t quad_count;
    uint64_t dropped_quads; /**< that found no room */
    int32_t x_px;           /**< the panel's left top in the target */
    int32_t y_px;
    int32_t scale; /**< pixels per dot */
};

/** Whether a panel can be laid out in it: quads have 16 bits. */
bool fgi_pen_target_is_legal(const struct fg_hud_target *target);
/** Choose the scale, and where a panel of so many dots is. */
void fgi_pen_place(struct fgi_hud_pen *pen, const struct fg_hud_target *target, int32_t width,
                   int32_t height);
/** What was drawn. */
struct fg_hud_list fgi_pen_list(const struct fgi_hud_pen *pen, const struct fg_hud_target *target,
                                int32_t width, int32_t height);

/** @param alpha_percent of the colour's own */
void fgi_pen_rectangle(struct fgi_hud_pen *pen, int32_t x, int32_t y, int32_t width, int32_t height,
                       enum fgi_hud_color color, uint32_t alpha_percent);
/** A solid one of any colour: red, green, blue. */
void fgi_pen_swatch(struct fgi_hud_pen *pen, int32_t x, int32_t y, int32_t width, int32_t height,
                    const uint8_t *rgb);
/** The same in pixels from the panel's left top, for what is finer than dots. */
void fgi_pen_pixels(struct fgi_hud_pen *pen, int32_t x_px, int32_t y_px, int32_t width_px,
                    int32_t height_px, enum fgi_hud_color color, uint32_t alpha_percent);
/** At most `columns` characters; the last one of a longer text is an ellipsis. */
void fgi_pen_text(struct fgi_hud_pen *pen, int32_t x, int32_t y, uint32_t columns,
                  enum fgi_hud_color color, const char *text);
/** The same, ending at the right end of its columns. */
void fgi_pen_text_right(struct fgi_hud_pen *pen, int32_t x, int32_t y, uint32_t columns,
                        enum fgi_hud_color color, const char *text);

/* ---- hud_graph.c ---- */
#define FGI_GRAPH_WIDTH     (2 * FG_HUD_FRAMES)
#define FGI_GRAPH_HEIGHT    48
#define FGI_HISTOGRAM_WIDTH (3 * FG_HUD_BINS)

void fgi_hud_draw_graph(struct fgi_hud_pen *pen, int32_t x, int32_t y);
void fgi_hud_draw_histogram(struct fgi_hud_pen *pen, const struct fg_hud_statistics *statistics,
                            int32_t x, int32_t y);
enum fgi_hud_color fgi_hud_class_color(enum fg_hud_class frame_class);

#endif
