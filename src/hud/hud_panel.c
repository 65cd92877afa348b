/* SPDX-License-Identifier: MIT */
/* What stands where on the panel. Everything stands in columns of one width: nothing collides. */
#include "hud/hud_pen.h"
#include "hud/hud_text.h"

#include <string.h>

#define COLUMNS       60u /* characters in a line */
#define HALF          29u /* characters in each of two columns, with two between them */
#define RIGHT         31u /* where the right one begins */
#define PADDING       6
#define SPACING       5 /* between sections; a line is in the middle */
#define WIDTH         (2 * PADDING + (int32_t)COLUMNS * FGI_CELL_WIDTH)
#define GAP_LEFT      42 /* the histogram's first column: behind the graph */
#define CELLS         8
#define PASS_NUMBER   8u
#define PASS_ROWS_MAX 32u
#define SMALL_PASS_NS 10000
#define METRIC_NUMBER 12u
#define LABEL         5u

_Static_assert(FGI_GRAPH_WIDTH < GAP_LEFT * FGI_CELL_WIDTH &&
                   GAP_LEFT * FGI_CELL_WIDTH + FGI_HISTOGRAM_WIDTH <= COLUMNS * FGI_CELL_WIDTH,
               "graph and histogram fit beside each other");

/** A label and what is known. */
struct cell {
    const char *label;
    struct fgi_hud_text value;
    enum fgi_hud_color color;
};

struct panel {
    struct fg_hud *hud;
    struct fg_hud_statistics statistics;
    struct cell left[CELLS], right[CELLS];
    uint32_t left_count, right_count;
    struct fgi_hud_text losses; /**< empty: there is no line for it */
    uint32_t pass_rows;         /**< lines */
    uint32_t passes_shown;
    uint32_t passes_hidden;
    int64_t pass_least_ns; /**< the smallest mean that is shown, and of how many at most */
    uint32_t passes_least_count;
};

static struct fgi_hud_text *add_cell(struct cell *cells, uint32_t *count, const char *label)
{
    struct cell *cell = &cells[(*count)++];
    cell->label = label;
    cell->color = FGI_COLOR_TEXT;
    return &cell->value;
}

static void add_range_cell(struct panel *panel, const char *label, const struct fg_hud_range *range)
{
    struct fgi_hud_text *text = add_cell(panel->left, &panel->left_count, label);
    if (range->count == 0) {
        fgi_text_add(text, "n/a");
        panel->left[panel->left_count - 1].color = FGI_COLOR_UNKNOWN;
        return;
    }
    fgi_text_add_time(text, range->mean_ns);
    fgi_text_pad(text, 10);
    fgi_text_add_ms(text, range->min_ns);
    fgi_text_add(text, "–");
    fgi_text_add_ms(text, range->max_ns);
}

static void add_low(struct fgi_hud_text *text, double fps)
{
    if (fps > 0.0) {
        fgi_text_add_fps(text, (int64_t)(1e9 / fps + 0.5));
    } else {
        fgi_text_add(text, "n/a");
    }
}

static void fill_left(struct panel *panel)
{
    const struct fg_hud_statistics *s = &panel->statistics;
    struct fgi_hud_text *text = add_cell(panel->left, &panel->left_count, "FPS");
    if (s->frame.count > 0) {
        fgi_text_add_fps(text, s->frame.mean_ns);
    } else {
        fgi_text_add(text, "n/a");
    }
    fgi_text_pad(text, 10);
    fgi_text_add(text, "1% low ");
    add_low(text, s->low_1_percent_fps);
    add_range_cell(panel, "Frame", &s->frame);
    add_range_cell(panel, "CPU", &s->cpu);
    add_range_cell(panel, "GPU", &s->gpu);
    if (s->present_wait.count > 0) {
        add_range_cell(panel, "Wait", &s->present_wait);
    }
}

static void add_counts(struct fgi_hud_text *text, const char *before, uint64_t count,
                       const char *behind)
{
    fgi_text_add(text, before);
    fgi_text_add_count(text, count);
    fgi_text_add(text, behind);
}

static void add_cache_cell(struct panel *panel)
{
    static const char *const states[] = { "", "HIT", "MISS", "VOLATILE", "none" };
    const enum fg_hud_cache cache = panel->hud->newest.cache;
    if (cache <= FG_HUD_CACHE_UNKNOWN || cache > FG_HUD_CACHE_NONE) {
        return;
    }
    struct fgi_hud_text *text = add_cell(panel->right, &panel->right_count, "Cache");
    fgi_text_add(text, states[cache]);
    panel->right[panel->right_count - 1].color =
        cache == FG_HUD_CACHE_HIT ? FGI_COLOR_WITHIN : FGI_COLOR_OVER;
    if (panel->hud->cache_reason[0] != '\0') {
        fgi_text_add(text, " ");
        fgi_text_add(text, panel->hud->cache_reason);
    }
}

static void fill_right(struct panel *panel)
{
    const struct fg_hud *hud = panel->hud;
    const struct fg_hud_frame *newest = &hud->newest;
    struct cell *cells = panel->right;
    uint32_t *count = &panel->right_count;
    if ((newest->has & FG_HUD_HAS_ITEMS) != 0) {
        struct fgi_hud_text *text = add_cell(cells, count, "Items");
        add_counts(text, "", newest->item_count, "");
        if ((newest->has & FG_HUD_HAS_CULLED) != 0) {
            add_counts(text, "  culled ", newest->culled_count, "");
        }
    }
    if ((newest->has & FG_HUD_HAS_DRAWS) != 0) {
        add_counts(add_cell(cells, count, "Draws"), "", newest->draw_count, "");
    }
    add_cache_cell(panel);
    if ((newest->has & FG_HUD_HAS_TEXTURES) != 0) {
        struct fgi_hud_text *text = add_cell(cells, count, "Tex");
        add_counts(text, "", newest->texture_count, "  ");
        fgi_text_add_bytes(text, newest->texture_bytes);
    }
    if (hud->process_bytes >= 0) {
        fgi_text_add_bytes(add_cell(cells, count, "RAM"), (uint64_t)hud->process_bytes);
    }
    if (hud->gpu_used_bytes >= 0 || hud->gpu_budget_bytes >= 0) {
        struct fgi_hud_text *text = add_cell(cells, count, "VRAM");
        fgi_text_add_metric(text, hud->gpu_used_bytes >= 0 ? hud->gpu_used_bytes : INT64_MIN,
                            FG_UNIT_BYTES);
        fgi_text_add(text, " of ");
        fgi_text_add_metric(text, hud->gpu_budget_bytes >= 0 ? hud->gpu_budget_bytes : INT64_MIN,
                            FG_UNIT_BYTES);
    }
}

static void fill_losses(struct panel *panel)
{
    const struct fg_hud_statistics *s = &panel->statistics;
    struct fgi_hud_text *text = &panel->losses;
    if (s->gap_count > 0) {
        add_counts(text, "Idle ", s->gap_count, "×  ");
        fgi_text_add_time(text, s->gap_ns);
    }
    if (s->gpu_missing_count > 0) {
        fgi_text_add(text, text->size > 0 ? "   " : "");
        add_counts(text, "No GPU time ", s->gpu_missing_count, " of ");
        fgi_text_add_count(text, s->window_count);
    }
}

/** Keep the largest means of those that are offered, largest first. */
static void offer_mean(int64_t *largest, uint32_t *count, uint32_t room, int64_t mean_ns)
{
    uint32_t at = *count;
    if (at == room) {
        if (mean_ns <= largest[room - 1]) {
            return;
        }
        at--;
    } else {
        (*count)++;
    }
    while (at > 0 && largest[at - 1] < mean_ns) {
        largest[at] = largest[at - 1];
        at--;
    }
    largest[at] = mean_ns;
}

/** Passes worth a cell; when there are too many, the longest ones, and a cell that says so. */
static void choose_passes(struct panel *panel, uint32_t rows_max)
{
    const struct fgi_hud_passes *passes = &panel->hud->passes;
    int64_t largest[2 * PASS_ROWS_MAX];
    uint32_t room = 2 * rows_max;
    uint32_t worth = 0;
    for (uint32_t i = 0; i < passes->count; i++) {
        worth += fgi_hud_pass_mean(passes, passes->order[i]) >= SMALL_PASS_NS;
    }
    if (worth < passes->count || worth > room) {
        room--;
    }
    uint32_t shown = 0;
    for (uint32_t i = 0; i < passes->count && worth > room; i++) {
        offer_mean(largest, &shown, room, fgi_hud_pass_mean(passes, passes->order[i]));
    }
    panel->pass_least_ns = SMALL_PASS_NS;
    panel->passes_shown = worth;
    panel->passes_least_count = worth;
    if (worth > room) {
        panel->pass_least_ns = largest[room - 1];
        panel->passes_shown = room;
        panel->passes_least_count = 0;
        for (uint32_t i = 0; i < room; i++) {
            panel->passes_least_count += largest[i] == panel->pass_least_ns;
        }
    }
    panel->passes_hidden = passes->count - panel->passes_shown;
    panel->pass_rows = (panel->passes_shown + (panel->passes_hidden > 0 ? 1 : 0) + 1) / 2;
}

static int32_t line_of_cells(uint32_t left_count, uint32_t right_count)
{
    return (int32_t)(left_count > right_count ? left_count : right_count) * FGI_CELL_HEIGHT;
}

static int32_t height_of_panel(const struct panel *panel)
{
    int32_t height = 2 * PADDING + line_of_cells(panel->left_count, panel->right_count);
    height += FGI_CELL_HEIGHT; /* the verdict */
    if (panel->hud->metric_count > 0) {
        height += SPACING + (int32_t)((panel->hud->metric_count + 1) / 2) * FGI_CELL_HEIGHT;
    }
    if (panel->pass_rows > 0) {
        height += SPACING + (int32_t)panel->pass_rows * FGI_CELL_HEIGHT;
    }
    height += SPACING + FGI_GRAPH_HEIGHT + SPACING + 2 * FGI_CELL_HEIGHT;
    height += panel->losses.size > 0 ? FGI_CELL_HEIGHT : 0;
    return height;
}

static int32_t column_x(uint32_t column)
{
    return PADDING + (int32_t)column * FGI_CELL_WIDTH;
}

static void draw_cells(struct fgi_hud_pen *pen, const struct cell *cells, uint32_t count,
                       uint32_t column, int32_t y)
{
    for (uint32_t i = 0; i < count; i++) {
        fgi_pen_text(pen, column_x(column), y, LABEL, FGI_COLOR_DIM, cells[i].label);
        fgi_pen_text(pen, column_x(column + LABEL + 1), y, HALF - LABEL - 1, cells[i].color,
                     cells[i].value.text);
        y += FGI_CELL_HEIGHT;
    }
}

static void add_share(struct fgi_hud_text *text, const char *name, uint32_t count, uint32_t told)
{
    if (count > 0) {
        add_counts(text, name, (count * 100 + told / 2) / told, "% ");
    }
}

static void draw_verdict(struct fgi_hud_pen *pen, const struct fg_hud_statistics *s, int32_t y)
{
    static const char *const words[FG_HUD_VERDICTS] = { "bound by: n/a", "CPU-bound", "GPU-bound",
                                                        "present-bound", "balanced",  "mixed" };
    static const enum fgi_hud_color colors[FG_HUD_VERDICTS] = {
        FGI_COLOR_UNKNOWN, FGI_COLOR_CPU,  FGI_COLOR_GPU,
        FGI_COLOR_PRESENT, FGI_COLOR_TEXT, FGI_COLOR_OVER
    };
    struct fgi_hud_text text = { .size = 0 };
    const uint32_t told = s->window_count - s->verdict_counts[FG_HUD_VERDICT_UNKNOWN];
    fgi_text_add(&text, words[s->verdict]);
    if (s->inferred_count > 0 && s->inferred_count == told) {
        fgi_text_add(&text, " (inferred)");
    } else if (s->inferred_count > 0) {
        add_counts(&text, " (", s->inferred_count, " inferred)");
    }
    if (told > 0) {
        fgi_text_add(&text, ":  ");
        add_share(&text, "CPU ", s->verdict_counts[FG_HUD_VERDICT_CPU], told);
        add_share(&text, "GPU ", s->verdict_counts[FG_HUD_VERDICT_GPU], told);
        add_share(&text, "present ", s->verdict_counts[FG_HUD_VERDICT_PRESENT], told);
        add_share(&text, "balanced ", s->verdict_counts[FG_HUD_VERDICT_BALANCED], told);
    }
    if (told > 0 && told < s->window_count - told) { /* few speak for many */
        add_counts(&text, "of ", told, "");
        add_counts(&text, " of ", s->window_count, "");
    }
    fgi_pen_text(pen, column_x(0), y, COLUMNS, colors[s->verdict], text.text);
}

static void draw_rule(struct fgi_hud_pen *pen, int32_t y)
{
    fgi_pen_rectangle(pen, PADDING, y + SPACING / 2 - 1, WIDTH - 2 * PADDING, 1, FGI_COLOR_LINE,
                      100);
}

static void draw_metrics(struct fgi_hud_pen *pen, int32_t y)
{
    const struct fg_hud *hud = pen->hud;
    for (uint32_t i = 0; i < hud->metric_count; i++) {
        const struct fgi_hud_metric *metric = &hud->metrics[i];
        const uint32_t column = i % 2 == 0 ? 0 : RIGHT;
        struct fgi_hud_text text = { .size = 0 };
        fgi_text_add_metric(&text, metric->value, metric->unit);
        fgi_pen_text(pen, column_x(column), y, HALF - METRIC_NUMBER - 1, FGI_COLOR_DIM,
                     metric->name);
        fgi_pen_text_right(pen, column_x(column + HALF - METRIC_NUMBER), y, METRIC_NUMBER,
                           metric->value == INT64_MIN ? FGI_COLOR_UNKNOWN : FGI_COLOR_TEXT,
                           text.text);
        y += i % 2 == 0 ? 0 : FGI_CELL_HEIGHT;
    }
}

/** The place of the n-th pass: down the left column, then down the right one. */
static uint32_t place_pass(const struct panel *panel, uint32_t n, int32_t *y)
{
    *y += (int32_t)(n % panel->pass_rows) * FGI_CELL_HEIGHT;
    return n < panel->pass_rows ? 0 : RIGHT;
}

static void draw_passes(struct fgi_hud_pen *pen, const struct panel *panel, int32_t y)
{
    const struct fgi_hud_passes *passes = &pen->hud->passes;
    uint32_t least_left = panel->passes_least_count;
    uint32_t n = 0;
    for (uint32_t i = 0; i < passes->count; i++) {
        const struct fgi_hud_pass *row = &passes->rows[passes->order[i]];
        const int64_t mean_ns = fgi_hud_pass_mean(passes, passes->order[i]);
        const uint32_t indent = row->depth < 4 ? row->depth : 4;
        struct fgi_hud_text text = { .size = 0 };
        int32_t row_y = y;
        if (mean_ns < panel->pass_least_ns ||
            (mean_ns == panel->pass_least_ns && least_left == 0)) {
            continue;
        }
        least_left -= mean_ns == panel->pass_least_ns;
        const uint32_t column = place_pass(panel, n++, &row_y);
        fgi_text_add_time(&text, mean_ns);
        fgi_pen_text(pen, column_x(column + indent), row_y, HALF - PASS_NUMBER - 1 - indent,
                     FGI_COLOR_DIM, row->name);
        fgi_pen_text_right(pen, column_x(column + HALF - PASS_NUMBER), row_y, PASS_NUMBER,
                           row->last_ns < 0 ? FGI_COLOR_UNKNOWN : FGI_COLOR_TEXT, text.text);
    }
    if (panel->passes_hidden > 0) {
        struct fgi_hud_text text = { .size = 0 };
        const uint32_t column = place_pass(panel, n, &y);
        add_counts(&text, "+ ", panel->passes_hidden, " more");
        fgi_pen_text(pen, column_x(column), y, HALF, FGI_COLOR_UNKNOWN, text.text);
    }
}

/** What the colours are, and how many frames of the window have each. */
static void draw_legend(struct fgi_hud_pen *pen, const struct fg_hud_statistics *s, int32_t y)
{
    static const uint32_t columns[] = { 0, 15, 30 };
    for (uint32_t i = 0; i < 3; i++) {
        const enum fg_hud_class frame_class = (enum fg_hud_class)(FG_HUD_CLASS_WITHIN + i);
        struct fgi_hud_text text = { .size = 0 };
        if (frame_class == FG_HUD_CLASS_FAR_OVER) {
            fgi_text_add(&text, "more");
        } else {
            fgi_text_add_ms(&text, s->budget_ns * (int64_t)(i + 1));
        }
        add_counts(&text, " ", s->class_counts[frame_class], "×");
        fgi_pen_text(pen, column_x(columns[i]), y, 1, fgi_hud_class_color(frame_class), "■");
        fgi_pen_text(pen, column_x(columns[i] + 2), y, 10, FGI_COLOR_DIM, text.text);
    }
    struct fgi_hud_text text = { .size = 0 };
    fgi_text_add(&text, "0.1% low ");
    add_low(&text, s->low_01_percent_fps);
    fgi_pen_text(pen, column_x(GAP_LEFT), y, COLUMNS - GAP_LEFT, FGI_COLOR_DIM, text.text);
}

static void draw_own(struct fgi_hud_pen *pen, const struct fg_hud_statistics *s, int32_t y)
{
    struct fgi_hud_text text = { .size = 0 };
    fgi_text_add(&text, "HUD, not counted: ");
    fgi_text_add_time(&text, s->own_cpu.mean_ns);
    add_counts(&text, " CPU, ", s->own_draw_count, s->own_draw_count == 1 ? " draw" : " draws");
    if (s->own_gpu.count > 0) {
        fgi_text_add(&text, ", ");
        fgi_text_add_time(&text, s->own_gpu.mean_ns);
        fgi_text_add(&text, " GPU");
    }
    fgi_pen_text(pen, column_x(0), y, COLUMNS, FGI_COLOR_UNKNOWN, text.text);
}

static void draw_panel(struct fgi_hud_pen *pen, const struct panel *panel, int32_t height)
{
    const struct fg_hud_statistics *s = &panel->statistics;
    int32_t y = PADDING;
    fgi_pen_rectangle(pen, 0, 0, WIDTH, height, FGI_COLOR_PANEL, 100);
    draw_cells(pen, panel->left, panel->left_count, 0, y);
    draw_cells(pen, panel->right, panel->right_count, RIGHT, y);
    y += line_of_cells(panel->left_count, panel->right_count);
    draw_verdict(pen, s, y);
    y += FGI_CELL_HEIGHT;
    if (pen->hud->metric_count > 0) {
        draw_rule(pen, y);
        draw_metrics(pen, y + SPACING);
        y += SPACING + (int32_t)((pen->hud->metric_count + 1) / 2) * FGI_CELL_HEIGHT;
    }
    if (panel->pass_rows > 0) {
        draw_rule(pen, y);
        draw_passes(pen, panel, y + SPACING);
        y += SPACING + (int32_t)panel->pass_rows * FGI_CELL_HEIGHT;
    }
    y += SPACING;
    fgi_hud_draw_graph(pen, PADDING, y);
    fgi_hud_draw_histogram(pen, s, column_x(GAP_LEFT), y);
    y += FGI_GRAPH_HEIGHT + SPACING;
    draw_legend(pen, s, y);
    draw_own(pen, s, y + FGI_CELL_HEIGHT);
    if (panel->losses.size > 0) {
        fgi_pen_text(pen, column_x(0), y + 2 * FGI_CELL_HEIGHT, COLUMNS, FGI_COLOR_OVER,
                     panel->losses.text);
    }
}

bool fg_hud_build(struct fg_hud *hud, const struct fg_hud_target *target,
                  struct fg_hud_list *out_list)
{
    if (out_list == NULL) {
        return false;
    }
    memset(out_list, 0, sizeof *out_list);
    if (hud == NULL || !hud->is_enabled || !fgi_pen_target_is_legal(target)) {
        return false;
    }
    const int64_t begin_ns = fgi_hud_now(hud);
    struct panel panel;
    memset(&panel, 0, sizeof panel);
    panel.hud = hud;
    (void)fg_hud_get_statistics(hud, &panel.statistics);
    fill_left(&panel);
    fill_right(&panel);
    fill_losses(&panel);
    choose_passes(&panel, target->pass_rows == 0              ? 9
                          : target->pass_rows > PASS_ROWS_MAX ? PASS_ROWS_MAX
                                                              : target->pass_rows);
    const int32_t height = height_of_panel(&panel);
    struct fgi_hud_pen pen = { .hud = hud, .quads = hud->quads, .quad_max = FG_HUD_QUADS_MAX };
    fgi_pen_place(&pen, target, WIDTH, height);
    draw_panel(&pen, &panel, height);
    *out_list = fgi_pen_list(&pen, target, WIDTH, height);
    fg_hud_own_cost(hud, fgi_hud_since(hud, begin_ns), 0);
    return true;
}
