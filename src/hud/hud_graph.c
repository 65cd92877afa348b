/* SPDX-License-Identifier: MIT */
/* The window as bars, and the long window as a histogram; both to three budgets. */
#include "hud/hud_pen.h"

#define BUDGETS                                                                                    \
    3 /* so one line is one budget from below and two from above, and the other turned */
#define DASH 4

enum fgi_hud_color fgi_hud_class_color(enum fg_hud_class frame_class)
{
    switch (frame_class) {
    case FG_HUD_CLASS_WITHIN:
        return FGI_COLOR_WITHIN;
    case FG_HUD_CLASS_OVER:
        return FGI_COLOR_OVER;
    case FG_HUD_CLASS_FAR_OVER:
        return FGI_COLOR_FAR_OVER;
    case FG_HUD_CLASS_UNKNOWN:
    default:
        return FGI_COLOR_UNKNOWN;
    }
}

/** Height of a time in pixels: at least one, at most the graph's. */
static int32_t height_of(const struct fgi_hud_pen *pen, int64_t ns)
{
    const int64_t full_ns = BUDGETS * pen->hud->budget_ns;
    const int64_t full_px = FGI_GRAPH_HEIGHT * pen->scale;
    if (ns >= full_ns) {
        return (int32_t)full_px;
    }
    const int64_t px = (ns * full_px + full_ns / 2) / full_ns;
    return px > 0 ? (int32_t)px : 1;
}

static void draw_frame(struct fgi_hud_pen *pen, const struct fgi_hud_frame *frame, int32_t x,
                       int32_t y)
{
    const enum fgi_hud_color color =
        fgi_hud_class_color(fgi_hud_class_of(frame->frame_ns, pen->hud->budget_ns));
    const int32_t scale = pen->scale;
    const int32_t x_px = x * scale;
    const int32_t top_px = y * scale;
    const int32_t bottom_px = (y + FGI_GRAPH_HEIGHT) * scale;
    const int64_t gpu_ns = fgi_hud_gpu_of(frame);
    if (frame->is_after_gap) {
        fgi_pen_rectangle(pen, x, y, 1, FGI_GRAPH_HEIGHT, FGI_COLOR_LINE, 200);
    }
    if (frame->cpu_ns >= 0) {
        const int32_t height_px = height_of(pen, frame->cpu_ns);
        fgi_pen_pixels(pen, x_px, bottom_px - height_px, 2 * scale, height_px, color, 100);
    }
    if (gpu_ns >= 0) {
        fgi_pen_pixels(pen, x_px, top_px, 2 * scale, height_of(pen, gpu_ns), color, 60);
    } else if (frame->gpu_state == FG_HUD_GPU_MISSING) {
        fgi_pen_rectangle(pen, x, y, 2, 1, FGI_COLOR_UNKNOWN, 100);
    }
    if (frame->frame_ns >= 0) {
        fgi_pen_pixels(pen, x_px, bottom_px - height_of(pen, frame->frame_ns), 2 * scale, scale,
                       FGI_COLOR_MARK, 100);
    }
}

void fgi_hud_draw_graph(struct fgi_hud_pen *pen, int32_t x, int32_t y)
{
    const uint32_t count = fgi_hud_window_count(pen->hud);
    for (uint32_t age = 0; age < count; age++) {
        draw_frame(pen, fgi_hud_window_frame(pen->hud, age),
                   x + FGI_GRAPH_WIDTH - 2 * (int32_t)(age + 1), y);
    }
    for (int32_t line = 1; line < BUDGETS; line++) {
        const int32_t at = y + FGI_GRAPH_HEIGHT * line / BUDGETS;
        for (int32_t dash = 0; dash < FGI_GRAPH_WIDTH; dash += 2 * DASH) {
            fgi_pen_rectangle(pen, x + dash, at, DASH, 1, FGI_COLOR_MARK, 60);
        }
    }
    fgi_pen_rectangle(pen, x, y + FGI_GRAPH_HEIGHT, FGI_GRAPH_WIDTH, 1, FGI_COLOR_LINE, 100);
}

/** A line at a low's frame time. */
static void draw_low(struct fgi_hud_pen *pen, uint32_t permille, int32_t x, int32_t y)
{
    const int64_t ns = fgi_hud_long_rank(&pen->hud->lasting, permille);
    const int64_t full_ns = BUDGETS * pen->hud->budget_ns;
    const int32_t last = FGI_HISTOGRAM_WIDTH - 1;
    const int32_t at = ns >= full_ns ? last : (int32_t)(ns * last / full_ns);
    fgi_pen_rectangle(pen, x + at, y, 1, FGI_GRAPH_HEIGHT, FGI_COLOR_MARK, 80);
}

void fgi_hud_draw_histogram(struct fgi_hud_pen *pen, const struct fg_hud_statistics *statistics,
                            int32_t x, int32_t y)
{
    uint32_t most = 1;
    for (uint32_t bin = 0; bin < FG_HUD_BINS; bin++) {
        most = statistics->histogram[bin] > most ? statistics->histogram[bin] : most;
    }
    for (uint32_t bin = 0; bin < FG_HUD_BINS; bin++) {
        const uint32_t count = statistics->histogram[bin];
        const int64_t begin_ns = BUDGETS * statistics->budget_ns * bin / FG_HUD_BINS;
        const uint32_t full_px = (uint32_t)(FGI_GRAPH_HEIGHT * pen->scale);
        const uint32_t height_px = (count * full_px + most - 1) / most;
        fgi_pen_pixels(pen, (x + 3 * (int32_t)bin) * pen->scale,
                       (y + FGI_GRAPH_HEIGHT) * pen->scale - (int32_t)height_px, 2 * pen->scale,
                       (int32_t)height_px,
                       fgi_hud_class_color(fgi_hud_class_of(begin_ns, statistics->budget_ns)), 100);
    }
    if (statistics->low_1_percent_fps > 0.0) {
        draw_low(pen, 990, x, y);
    }
    if (statistics->low_01_percent_fps > 0.0) {
        draw_low(pen, 999, x, y);
    }
    fgi_pen_rectangle(pen, x, y + FGI_GRAPH_HEIGHT, FGI_HISTOGRAM_WIDTH, 1, FGI_COLOR_LINE, 100);
}
