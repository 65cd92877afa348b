/* SPDX-License-Identifier: MIT */
/* The legend of a heat map: its colours with their values, and its statistics. */
#include "hud/hud_pen.h"
#include "hud/hud_text.h"
#include <frameglass/overdraw.h>

#include <math.h>

#define PADDING     6
#define COLUMNS     44u
#define INSIDE      ((int32_t)COLUMNS * FGI_CELL_WIDTH)
#define WIDTH       (INSIDE + 2 * PADDING)
#define BAR_HEIGHT  12
#define UNTOUCHED   24 /* width of the field for what is not drawn; dots */
#define TICKS       3  /* parts of a bar of costs */
#define STRIPE      2  /* width of a colour of a bar of costs */
#define LABEL_SPACE 20 /* for a label of counts */

struct legend {
    struct fgi_hud_pen pen;
    const struct fg_overdraw_scale *scale;
    const struct fg_overdraw_statistics *statistics;
    const struct fg_overdraw_cost_totals *costs;
    uint8_t colors[FG_OVERDRAW_COLORS * 4];
};

static void add_value(const struct legend *legend, struct fgi_hud_text *text, double value,
                      uint32_t places)
{
    if (legend->scale->kind == FG_OVERDRAW_COUNTS) {
        fgi_text_add_number(text, value, value == floor(value) ? 0 : places);
    } else {
        fgi_text_add_fine_time(text, value, places);
    }
}

static void draw_line(struct legend *legend, int32_t y, const struct fgi_hud_text *left,
                      const struct fgi_hud_text *right, enum fgi_hud_color color)
{
    fgi_pen_text(&legend->pen, PADDING, y, COLUMNS, color, left->text);
    fgi_pen_text_right(&legend->pen, PADDING, y, COLUMNS, color, right->text);
}

/* ---- the bar --------------------------------------------------------------------------------- */

static const uint8_t *color_of(const struct legend *legend, float value)
{
    static const uint8_t untouched[3] = { FG_OVERDRAW_UNTOUCHED_RED, FG_OVERDRAW_UNTOUCHED_GREEN,
                                          FG_OVERDRAW_UNTOUCHED_BLUE };
    const int index = fg_overdraw_index(legend->scale, value);
    return index < 0 ? untouched : &legend->colors[index * 4];
}

/** Ending at `right`, or beginning at `left` where that is further. */
static void draw_label(struct legend *legend, int32_t left, int32_t right, int32_t y, float value,
                       bool is_last)
{
    const struct fg_overdraw_scale *scale = legend->scale;
    const bool is_cost = scale->kind == FG_OVERDRAW_COSTS;
    struct fgi_hud_text text = { .size = 0 };
    fgi_text_add(&text, is_cost && value <= scale->bottom ? "<" : "");
    add_value(legend, &text, (double)value, is_cost && scale->top < scale->bottom * 10.0f ? 2 : 1);
    fgi_text_add(&text, is_last ? "+" : "");
    const uint32_t columns = (uint32_t)(right - left) / FGI_CELL_WIDTH;
    fgi_pen_text_right(&legend->pen, right - (int32_t)columns * FGI_CELL_WIDTH, y, columns,
                       FGI_COLOR_DIM, text.text);
}

static void draw_counts(struct legend *legend, int32_t y)
{
    const int32_t left = PADDING + UNTOUCHED + 2, steps = (int32_t)legend->scale->top;
    const int32_t width = (INSIDE - UNTOUCHED - 2) / (steps > 0 ? steps : 1);
    const int32_t apart = width > 0 ? (LABEL_SPACE + width - 1) / width : steps;
    for (int32_t i = 1; i <= steps; i++) {
        const int32_t x = left + (i - 1) * width;
        const bool is_last = i == steps;
        fgi_pen_swatch(&legend->pen, x, y, width, BAR_HEIGHT, color_of(legend, (float)i));
        if (is_last || (i % apart == 0 && i + apart <= steps) || (i == 1 && apart == 1)) {
            draw_label(legend, x + width - LABEL_SPACE - 2, x + width, y + BAR_HEIGHT + 2, (float)i,
                       is_last);
        }
    }
}

/** Costs, and counts of which not each has room. */
static void draw_range(struct legend *legend, int32_t y)
{
    const struct fg_overdraw_scale *scale = legend->scale;
    const int32_t left = PADDING + UNTOUCHED + 2, width = INSIDE - UNTOUCHED - 2;
    for (int32_t x = 0; x < width; x += STRIPE) {
        const int index = (int)((x + STRIPE / 2) * (FG_OVERDRAW_COLORS - 1) / width);
        fgi_pen_swatch(&legend->pen, left + x, y, STRIPE, BAR_HEIGHT, &legend->colors[index * 4]);
    }
    for (int32_t i = 0; i <= TICKS; i++) {
        const float part = (float)i / TICKS;
        const float value = scale->is_log ? scale->bottom * powf(scale->top / scale->bottom, part)
                                          : scale->bottom + (scale->top - scale->bottom) * part;
        const int32_t x = left + width * i / TICKS;
        const int32_t right = i == 0 ? left + 42 : i == TICKS ? x : x + 18;
        fgi_pen_rectangle(&legend->pen, i == TICKS ? x - 1 : x, y + BAR_HEIGHT, 1, 2, FGI_COLOR_DIM,
                          100);
        draw_label(legend, right - 54, right, y + BAR_HEIGHT + 3, value, i == TICKS);
    }
}

/** Of what is not drawn: with a frame, else it would not be seen on the panel. */
static void draw_untouched(struct legend *legend, int32_t y)
{
    fgi_pen_rectangle(&legend->pen, PADDING, y, UNTOUCHED - 2, BAR_HEIGHT, FGI_COLOR_UNKNOWN, 100);
    fgi_pen_swatch(&legend->pen, PADDING + 1, y + 1, UNTOUCHED - 4, BAR_HEIGHT - 2,
                   color_of(legend, 0.0f));
    fgi_pen_text(&legend->pen, PADDING + 8, y + BAR_HEIGHT + 2, 1, FGI_COLOR_DIM, "0");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void draw_title(struct legend *legend, int32_t y)
{
    const char *const title =
        legend->scale->kind == FG_OVERDRAW_COUNTS ? "Overdraw: draws per pixel"
        : legend->scale->clock == FG_OVERDRAW_GPU ? "Cost per pixel: GPU time"
                                                  : "Cost per pixel: CPU time";
    fgi_pen_text(&legend->pen, PADDING, y, COLUMNS, FGI_COLOR_TEXT, title);
}

static void draw_extent(struct legend *legend, int32_t y)
{
    const struct fg_overdraw_statistics *s = legend->statistics;
    struct fgi_hud_text left = { .size = 0 }, right = { .size = 0 };
    fgi_text_add(&left, "max ");
    add_value(legend, &left, (double)s->max, 2);
    fgi_text_add(&left, " at ");
    fgi_text_add_count(&left, s->max_x_px);
    fgi_text_add(&left, ",");
    fgi_text_add_count(&left, s->max_y_px);
    fgi_text_add(&right, "p99 ");
    add_value(legend, &right, (double)s->p99, 2);
    draw_line(legend, y, &left, &right, FGI_COLOR_TEXT);
}

/** Mean and median are of the touched pixels. */
static void draw_spread(struct legend *legend, int32_t y)
{
    const struct fg_overdraw_statistics *s = legend->statistics;
    const uint64_t pixels = s->pixel_count > 0 ? s->pixel_count : 1;
    struct fgi_hud_text text = { .size = 0 };
    fgi_text_add(&text, "touched ");
    fgi_text_add_number(&text, (double)s->touched_count * 100.0 / (double)pixels, 1);
    fgi_text_add(&text, " %: mean ");
    add_value(legend, &text, s->mean, 2);
    fgi_text_add(&text, ", median ");
    add_value(legend, &text, (double)s->median, 2);
    fgi_pen_text(&legend->pen, PADDING, y, COLUMNS, FGI_COLOR_DIM, text.text);
}

static void draw_sum(struct legend *legend, int32_t y)
{
    struct fgi_hud_text left = { .size = 0 }, right = { .size = 0 };
    if (legend->scale->kind == FG_OVERDRAW_COUNTS) {
        fgi_text_add_number(&left, legend->statistics->sum, 0);
        fgi_text_add(&left, " fragments");
    } else {
        fgi_text_add(&left, "sum ");
        fgi_text_add_fine_time(&left, legend->statistics->sum, 2);
    }
    fgi_pen_text(&legend->pen, PADDING, y, COLUMNS, FGI_COLOR_DIM, left.text);
    if (legend->costs == NULL) {
        return;
    }
    const double lost = (double)legend->costs->unplaced_ns;
    const double all = lost + (double)legend->costs->placed_ns;
    fgi_text_add(&right, "in no pixel ");
    fgi_text_add_fine_time(&right, lost, 2);
    fgi_text_add(&right, ", ");
    fgi_text_add_number(&right, all > 0.0 ? lost * 100.0 / all : 0.0, 1);
    fgi_text_add(&right, " %");
    /* Where that is most of it, the picture shows the lesser part, and says so. */
    fgi_pen_text_right(&legend->pen, PADDING, y, COLUMNS,
                       lost > all / 2.0 ? FGI_COLOR_FAR_OVER : FGI_COLOR_DIM, right.text);
}

/** What a person has to know before believing the picture; empty = nothing. */
static void write_warning(const struct legend *legend, struct fgi_hud_text *text)
{
    const struct fg_overdraw_statistics *s = legend->statistics;
    if (s != NULL && s->saturated_count > 0) {
        fgi_text_add_count(text, s->saturated_count);
        fgi_text_add(text, s->saturated_count == 1 ? " pixel" : " pixels");
        fgi_text_add(text, " at the format's limit, ");
        add_value(legend, text, (double)s->limit, 2);
    } else if (legend->costs != NULL && legend->costs->lost_items > 0) {
        fgi_text_add(text, "no room for all items: in no pixel");
    }
}

static void draw(struct legend *legend, int32_t height, const struct fgi_hud_text *warning)
{
    int32_t y = PADDING;
    fgi_pen_rectangle(&legend->pen, 0, 0, WIDTH, height, FGI_COLOR_PANEL, 100);
    draw_title(legend, y);
    y += FGI_CELL_HEIGHT + 2;
    draw_untouched(legend, y);
    /* The top may be any number, and none. */
    if (legend->scale->kind == FG_OVERDRAW_COUNTS &&
        legend->scale->top < (float)(INSIDE - UNTOUCHED - 1) && legend->scale->top >= 0.0f) {
        draw_counts(legend, y);
    } else {
        draw_range(legend, y);
    }
    y += BAR_HEIGHT + FGI_CELL_HEIGHT + 5;
    if (legend->statistics != NULL) {
        draw_extent(legend, y);
        draw_spread(legend, y + FGI_CELL_HEIGHT);
        draw_sum(legend, y + 2 * FGI_CELL_HEIGHT);
        y += 3 * FGI_CELL_HEIGHT;
    }
    fgi_pen_text(&legend->pen, PADDING, y, COLUMNS, FGI_COLOR_FAR_OVER, warning->text);
}

void fg_overdraw_legend_build(const struct fg_overdraw_scale *scale,
                              const struct fg_overdraw_statistics *statistics,
                              const struct fg_overdraw_cost_totals *costs,
                              const struct fg_hud_target *target,
                              struct fg_overdraw_legend *out_legend)
{
    struct fgi_hud_text warning = { .size = 0 };
    if (out_legend == NULL) {
        return;
    }
    out_legend->list = (struct fg_hud_list){ .quads = out_legend->quads };
    if (scale == NULL || !fgi_pen_target_is_legal(target)) {
        return;
    }
    struct legend legend = {
        .pen = { .quads = out_legend->quads, .quad_max = FG_OVERDRAW_LEGEND_QUADS },
        .scale = scale,
        .statistics = statistics,
        .costs = scale->kind == FG_OVERDRAW_COSTS ? costs : NULL,
    };
    fg_overdraw_colors_write(legend.colors);
    write_warning(&legend, &warning);
    const int32_t height = 2 * PADDING + 2 * FGI_CELL_HEIGHT + BAR_HEIGHT + 5 +
                           (statistics != NULL ? 3 * FGI_CELL_HEIGHT : 0) +
                           (warning.size > 0 ? FGI_CELL_HEIGHT : 0);
    fgi_pen_place(&legend.pen, target, WIDTH, height);
    draw(&legend, height, &warning);
    out_legend->list = fgi_pen_list(&legend.pen, target, WIDTH, height);
}
