/* SPDX-License-Identifier: MIT */
/* What a picture has before there are spans in it: grounds, the ruler, names of tracks. */
#include "base/font.h"
#include "render/render_priv.h"
#include "trace/model.h"

#include <inttypes.h>
#include <stdio.h>

enum { LABEL_PX = 84, ELLIPSIS = 0x2026, TEXT_BYTES = 64, MARK_PX = 3, PAD_PX = 8, PLACES = 9 };

void fgi_render_fill(struct fgi_render *render, int32_t x_px, int32_t y_px, int32_t width_px,
                     int32_t height_px, uint32_t color)
{
    const int32_t width = (int32_t)render->options.width_px;
    const int32_t height = (int32_t)render->options.height_px;
    const int32_t right = x_px + width_px < width ? x_px + width_px : width;
    const int32_t bottom = y_px + height_px < height ? y_px + height_px : height;
    for (int32_t y = y_px > 0 ? y_px : 0; y < bottom; y++) {
        uint32_t *row = render->pixels + (size_t)y * render->options.width_px;
        for (int32_t x = x_px > 0 ? x_px : 0; x < right; x++) {
            row[x] = color;
        }
    }
}

static void put_glyph(struct fgi_render *render, int32_t x_px, int32_t y_px, uint32_t glyph,
                      uint32_t color)
{
    const int32_t scale = (int32_t)render->options.scale;
    for (uint32_t row = 0; row < FGI_FONT_HEIGHT; row++) {
        for (uint32_t column = 0; column < FGI_FONT_WIDTH; column++) {
            if (fgi_font_dot(glyph, column, row)) {
                fgi_render_fill(render, x_px + (int32_t)column * scale, y_px + (int32_t)row * scale,
                                scale, scale, color);
            }
        }
    }
}

static uint32_t characters(const char *text)
{
    uint32_t count = 0;
    for (; *text != '\0'; count++) {
        (void)fgi_font_next(&text);
    }
    return count;
}

void fgi_render_text(struct fgi_render *render, int32_t x_px, int32_t y_px, uint32_t columns,
                     uint32_t color, const char *text)
{
    const int32_t advance = FGI_FONT_ADVANCE * (int32_t)render->options.scale;
    const bool is_whole = characters(text) <= columns;
    for (uint32_t i = 0; i < columns && *text != '\0'; i++) {
        uint32_t character = fgi_font_next(&text);
        if (!is_whole && i == columns - 1) {
            character = ELLIPSIS;
        }
        put_glyph(render, x_px + (int32_t)i * advance, y_px, fgi_font_glyph(character), color);
    }
}

/* ---- the ruler ------------------------------------------------------------------------------- */

/* The smallest of 1, 2 and 5 with zeroes that is at least so long; then minutes, hours. */
static uint64_t pick_step(uint64_t least_ns)
{
    static const uint64_t long_steps[] = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600
    };
    const uint64_t second = UINT64_C(1000000000);
    if (least_ns > second) {
        for (size_t i = 0; i < sizeof long_steps / sizeof *long_steps; i++) {
            if (long_steps[i] * second >= least_ns) {
                return long_steps[i] * second;
            }
        }
    }
    const uint64_t limit = INT64_MAX / 10;
    uint64_t power = least_ns > second ? 3600 * second : 1;
    while (power * 10 <= least_ns && power < limit) {
        power *= 10;
    }
    return power >= least_ns       ? power
           : power * 2 >= least_ns ? power * 2
           : power * 5 >= least_ns ? power * 5
                                   : power * 10;
}

struct unit {
    uint64_t ns;
    const char *name;
};
static const struct unit units[] = {
    { 1, "ns" }, { 1000, "\xC2\xB5s" }, { 1000000, "ms" }, { 1000000000, "s" }
};

/* The unit that all labels share: that of half the largest distance. */
static const struct unit *unit_of(uint64_t largest_ns)
{
    const struct unit *unit = units;
    while (unit < units + 3 && largest_ns / 2 >= unit[1].ns) {
        unit++;
    }
    return unit;
}

/* "1.25 ms": as many places as the step needs. */
static void label(char *out, size_t size, uint64_t value_ns, bool is_negative, uint64_t step_ns,
                  const struct unit *unit)
{
    int places = 0;
    for (uint64_t part = unit->ns; places < PLACES && part > 1 && step_ns % part != 0; part /= 10) {
        places++;
    }
    const char *sign = is_negative && value_ns > 0 ? "-" : "";
    const uint64_t nano = UINT64_C(1000000000);
    char digits[PLACES + 1];
    snprintf(digits, sizeof digits, "%09u",
             (unsigned)(value_ns % unit->ns * (nano / unit->ns) % nano));
    snprintf(out, size, "%s%" PRIu64 "%s%.*s %s", sign, value_ns / unit->ns, places > 0 ? "." : "",
             places, digits, unit->name);
}

static int32_t pixel_of(const struct fgi_render *render, int64_t time_ns)
{
    return (int32_t)(render->plot_x_px +
                     (fgi_render_place(render, time_ns) >> FGI_RENDER_FRACTION));
}

static void put_tick(struct fgi_render *r, int64_t time_ns, const char *text)
{
    const int32_t scale = (int32_t)r->options.scale;
    const int32_t x = pixel_of(r, time_ns);
    const int32_t ruler = (int32_t)r->ruler_px;
    fgi_render_fill(r, x, ruler, scale, (int32_t)r->options.height_px - ruler,
                    text != NULL ? r->theme->line : r->theme->line_soft);
    fgi_render_fill(r, x, text != NULL ? ruler / 4 : ruler - 5 * scale, scale, ruler,
                    r->theme->line);
    if (text != NULL) {
        fgi_render_text(r, x + 5 * scale, (ruler - FGI_FONT_CAPITAL * scale) / 2, characters(text),
                        r->theme->ink_2, text);
    }
}

/* Times count from the first one of the trace, as everywhere. */
static void put_ruler(struct fgi_render *r)
{
    struct fg_trace_info info;
    fg_trace_get_info(r->options.trace, &info);
    const int64_t origin = info.has_extent ? info.first_ns : 0;
    const uint64_t range = fgi_duration(r->options.start_ns, r->options.end_ns);
    const uint64_t labels = r->plot_width_px / (LABEL_PX * r->options.scale) + 1;
    const uint64_t step = pick_step(range / labels + 1);
    const uint64_t minor = step % 5 == 0 ? step / 5 : step;
    const bool is_before = r->options.start_ns < origin;
    const uint64_t away = is_before ? fgi_duration(r->options.start_ns, origin)
                                    : fgi_duration(origin, r->options.start_ns);
    const struct unit *unit = unit_of(away > range ? away : range);
    /* The first tick at or behind the start, as a distance from it. */
    uint64_t at = is_before ? away % minor : (minor - away % minor) % minor;
    for (bool is_there = at < range; is_there; at += minor) {
        const int64_t time = (int64_t)((uint64_t)r->options.start_ns + at);
        const bool is_negative = time < origin;
        const uint64_t value =
            is_negative ? fgi_duration(time, origin) : fgi_duration(origin, time);
        char text[TEXT_BYTES];
        label(text, sizeof text, value, is_negative, step, unit);
        put_tick(r, time, value % step == 0 ? text : NULL);
        is_there = range - at > minor; /* there is a range that all 64 bits just hold */
    }
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static void put_process(struct fgi_render *r, const struct fgi_render_track *shown)
{
    const int32_t scale = (int32_t)r->options.scale;
    const int32_t y = shown->y_px - (int32_t)(r->gap_px / 2 + r->head_px);
    const struct fg_trace_process *process = fg_trace_process(r->options.trace, shown->process);
    const char *name = process != NULL ? fg_trace_text(r->options.trace, process->name) : "";
    fgi_render_fill(r, 0, y, (int32_t)r->options.width_px, (int32_t)r->head_px, r->theme->raised);
    fgi_render_text(r, PAD_PX * scale, y + (int32_t)(r->head_px - 7u * (uint32_t)scale) / 2,
                    (r->options.width_px / (uint32_t)scale - 2 * PAD_PX) / FGI_FONT_ADVANCE,
                    r->theme->ink_2, name[0] != '\0' ? name : "process");
}

static void put_track(struct fgi_render *r, const struct fgi_render_track *shown)
{
    const uint32_t scale = r->options.scale;
    const struct fg_trace_track *track = fg_trace_track(r->options.trace, shown->track);
    const char *name = fg_trace_text(r->options.trace, track->name);
    const uint32_t columns = (r->plot_x_px / scale - 2 * PAD_PX) / FGI_FONT_ADVANCE;
    const uint32_t line = FGI_FONT_CAPITAL * scale;
    const uint32_t room = shown->height_px > r->row_px ? r->row_px : shown->height_px;
    if (shown->process != FG_NONE) {
        put_process(r, shown);
    } else {
        fgi_render_fill(r, 0, shown->y_px - (int32_t)(r->gap_px / 2 + scale / 2),
                        (int32_t)r->options.width_px, (int32_t)scale, r->theme->line_soft);
    }
    fgi_render_fill(r, 0, shown->y_px, (int32_t)(MARK_PX * scale), (int32_t)shown->height_px,
                    track->kind == FG_TRACK_GPU_QUEUE ? r->theme->gpu
                    : track->kind == FG_TRACK_ASYNC   ? r->theme->ink_3
                                                      : r->theme->cpu);
    if (shown->height_px >= line) {
        fgi_render_text(r, (int32_t)(PAD_PX * scale),
                        shown->y_px + ((int32_t)(room > line ? room - line : 0) / 2), columns,
                        r->theme->ink, name[0] != '\0' ? name : "track");
    }
}

/* What has no room is never silently missing. */
static void put_left_out(struct fgi_render *r)
{
    const uint32_t scale = r->options.scale;
    const int32_t y = (int32_t)(r->options.height_px - r->head_px);
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "%" PRIu32 " more lane%s had no room", r->counts.left_out,
             r->counts.left_out == 1 ? "" : "s");
    fgi_render_fill(r, 0, y, (int32_t)r->options.width_px, (int32_t)r->head_px, r->theme->raised);
    fgi_render_text(r, (int32_t)(PAD_PX * scale), y + (int32_t)(r->head_px - 7 * scale) / 2,
                    (r->options.width_px / scale - 2 * PAD_PX) / FGI_FONT_ADVANCE, r->theme->warn,
                    text);
}

void fgi_render_board(struct fgi_render *r)
{
    const int32_t width = (int32_t)r->options.width_px;
    const int32_t height = (int32_t)r->options.height_px;
    const int32_t scale = (int32_t)r->options.scale;
    const int32_t gutter = (int32_t)r->plot_x_px;
    const int32_t ruler = (int32_t)r->ruler_px;
    fgi_render_fill(r, 0, 0, width, height, r->theme->lane);
    fgi_render_fill(r, 0, 0, width, ruler, r->theme->panel);
    put_ruler(r);
    fgi_render_fill(r, 0, 0, gutter, height, r->theme->panel);
    for (uint32_t i = 0; i < r->counts.tracks; i++) {
        put_track(r, &r->tracks[i]);
    }
    fgi_render_fill(r, gutter - scale, 0, scale, height, r->theme->line);
    fgi_render_fill(r, 0, ruler - scale, width, scale, r->theme->line);
    if (r->counts.left_out > 0) {
        put_left_out(r);
    }
}
