/* SPDX-License-Identifier: MIT */
/*
 * An editor for drawings, as a program that a profiler is used on: what it draws is known to the
 * pixel, and canvas_truth.h says it.
 */
#include "canvas_frame.h"
#include "canvas_png.h"
#include "canvas_scenes.h"
#include "canvas_script.h"
#include "canvas_truth.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: canvas [--scene NAME] [--size WxH] [--samples N] [--bare] [--no-cache]\n"
    "              [--headless] [--frames N] [--script NAME|FILE] [--continuous] [--no-vsync]\n"
    "              [--out FILE.sgpt] [--png FILE.png] [--hud] [--heat counts|costs]\n"
    "              [--overdraw-png FILE.png] [--cost-png FILE.png] [--print-truth]\n"
    "              [--command-list FILE.txt] [--renderdoc]\n"
    "              [--cpu-load MS] [--gpu-load ROUNDS] [--balanced MS] [--alternate MS]\n"
    "  --scene NAME       what is drawn:\n";
static const char more_usage[] =
    "  --size WxH         pixels; 1280x800\n"
    "  --samples N        of a pixel: 1, 2, 4, 8 or 16; 4. With 1, edges are where the pixels are\n"
    "  --bare             nothing but the document: no titles, labels, selection, rulers\n"
    "  --no-cache         record the picture for every frame\n"
    "  --headless         no window; ends after --frames (60)\n"
    "  --frames N         end after so many\n"
    "  --script NAME      input that is written down: still, pan, zoom, drag, edit, tour, or a "
    "file\n"
    "  --continuous       a frame after the other, also when nothing changes\n"
    "  --no-vsync         do not wait for the display\n"
    "  --out FILE.sgpt    record a capture\n"
    "  --png FILE.png     write the last frame\n"
    "  --hud              begin with the HUD; a script's Shift+P does not hide it then\n"
    "  --heat KIND        begin with a heat map: counts or costs\n"
    "  --overdraw-png F   write how often each pixel of the last frame is drawn, as a heat map;\n"
    "                     a strip with the legend is below it, so it is higher than the frame\n"
    "  --cost-png F       write what each pixel of it costs, in the same way\n"
    "  --command-list F   where Shift+L writes; with --frames also the last frame's calls\n"
    "  --renderdoc        with --frames: capture the last one, when started from RenderDoc\n"
    "  --print-truth      what the frame must come to, as JSON, and end\n"
    "  --cpu-load MS      compute so long in each frame;    --balanced MS   so long on both\n"
    "  --gpu-load ROUNDS  a loop for each pixel;            --alternate MS  in turns\n"
    "Keys: Shift+P the HUD, Shift+O heat maps (off, counts, costs), Shift+Alt+P a detailed "
    "capture\n"
    "of one frame, Shift+L its calls as text, Shift+R a capture by RenderDoc, 0 all, 1 pixel by "
    "pixel, arrows, Delete, L another layout, Escape.\n"
    "Mouse: left selects and drags, right pans, wheel.\n";

struct options {
    struct cv_canvas_options canvas;
    uint64_t frame_count;
    const char *script, *png_path, *overdraw_png_path, *cost_png_path;
    enum cv_heat_view heat;
    bool is_continuous, shows_hud, prints_truth, wants_renderdoc;
};

static void print_usage(void)
{
    fputs(usage, stdout);
    for (size_t i = 0; cv_scene_at(i) != NULL; i++) {
        printf("                       %-8s %s\n", cv_scene_at(i)->name, cv_scene_at(i)->what);
    }
    fputs(more_usage, stdout);
}

static bool parse_flag(const char *name, struct options *options)
{
    const struct {
        const char *name;
        bool *flag;
        bool value;
    } flags[] = {
        { "--bare", &options->canvas.is_bare, true },
        { "--no-cache", &options->canvas.has_no_cache, true },
        { "--headless", &options->canvas.platform.is_headless, true },
        { "--continuous", &options->is_continuous, true },
        { "--no-vsync", &options->canvas.platform.waits_for_display, false },
        { "--hud", &options->shows_hud, true },
        { "--renderdoc", &options->wants_renderdoc, true },
        { "--print-truth", &options->prints_truth, true },
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(name, flags[i].name) == 0) {
            *flags[i].flag = flags[i].value;
            return true;
        }
    }
    return false;
}

/** Digits, then `end`; from `min` to `max`. */
static bool parse_number(const char *value, char end, uint64_t min, uint64_t max,
                         uint64_t *out_number)
{
    char *rest = NULL;
    errno = 0;
    *out_number = strtoull(value, &rest, 10);
    return isdigit((unsigned char)value[0]) && errno == 0 && *rest == end && *out_number >= min &&
           *out_number <= max;
}

static bool parse_size(const char *value, struct cv_platform_options *platform)
{
    uint64_t width = 0, height = 0;
    const char *x = strchr(value, 'x');
    if (x == NULL || !parse_number(value, 'x', 64, 8192, &width) ||
        !parse_number(x + 1, '\0', 64, 8192, &height)) {
        return false;
    }
    platform->width_px = (int)width;
    platform->height_px = (int)height;
    return true;
}

static bool parse_time(const char *value, int64_t *out_ns)
{
    char *end = NULL;
    const double ms = strtod(value, &end);
    if (end == value || *end != '\0' || !(ms > 0 && ms < 1e5)) {
        return false;
    }
    *out_ns = (int64_t)(ms * 1e6);
    return true;
}

static bool parse_pair(const char *name, const char *value, struct options *options)
{
    struct cv_load_options *load = &options->canvas.load;
    uint64_t number = 0;
    const struct {
        const char *name;
        const char **text;
    } texts[] = { { "--scene", &options->canvas.scene },
                  { "--script", &options->script },
                  { "--out", &options->canvas.capture_path },
                  { "--command-list", &options->canvas.commands_path },
                  { "--png", &options->png_path },
                  { "--overdraw-png", &options->overdraw_png_path },
                  { "--cost-png", &options->cost_png_path } };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].text = value;
            return true;
        }
    }
    if (strcmp(name, "--size") == 0) {
        return parse_size(value, &options->canvas.platform);
    }
    if (strcmp(name, "--heat") == 0) {
        const bool is_costs = strcmp(value, "costs") == 0;
        options->heat = is_costs ? CV_HEAT_COSTS : CV_HEAT_COUNTS;
        return is_costs || strcmp(value, "counts") == 0;
    }
    if (strcmp(name, "--samples") == 0) {
        const bool is_legal =
            parse_number(value, '\0', 1, 16, &number) && (number & (number - 1)) == 0;
        options->canvas.samples = (int)number;
        return is_legal;
    }
    if (strcmp(name, "--frames") == 0) {
        return parse_number(value, '\0', 1, UINT64_MAX, &options->frame_count);
    }
    if (strcmp(name, "--gpu-load") == 0) {
        const bool is_legal = parse_number(value, '\0', 1, 1u << 24, &number);
        load->gpu_rounds = (uint32_t)number;
        return is_legal;
    }
    return (strcmp(name, "--cpu-load") == 0 && parse_time(value, &load->cpu_ns)) ||
           (strcmp(name, "--balanced") == 0 && parse_time(value, &load->balanced_ns)) ||
           (strcmp(name, "--alternate") == 0 && parse_time(value, &load->alternate_ns));
}

/** No two of what is written go into one file. */
static bool paths_differ(const struct options *options)
{
    const char *const paths[] = { options->canvas.capture_path, options->canvas.commands_path,
                                  options->png_path, options->overdraw_png_path,
                                  options->cost_png_path };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        for (size_t k = 0; k < i; k++) {
            if (paths[i] != NULL && paths[k] != NULL && strcmp(paths[i], paths[k]) == 0) {
                fprintf(stderr, "canvas: two things go into one file: %s\n", paths[i]);
                return false;
            }
        }
    }
    return true;
}

/** @return false, and said: what was printed did not get there */
static bool flush_output(void)
{
    const bool is_written = fflush(stdout) == 0 && !ferror(stdout);
    if (!is_written) {
        fprintf(stderr, "canvas: cannot write to stdout: %s\n", strerror(errno));
    }
    return is_written;
}

static bool parse(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        if (parse_flag(argv[i], options)) {
            continue;
        }
        if (i + 1 == argc || !parse_pair(argv[i], argv[i + 1], options)) {
            const bool has_value = argv[i][0] == '-' && i + 1 < argc;
            fprintf(stderr, "canvas: not understood: %s%s%s (canvas --help has the options)\n",
                    argv[i], has_value ? " " : "", has_value ? argv[i + 1] : "");
            return false;
        }
        i++;
    }
    if (options->canvas.platform.is_headless && options->frame_count == 0) {
        options->frame_count = 60;
    }
    return paths_differ(options);
}

static void rest(uint32_t milliseconds)
{
    const struct timespec time = { .tv_sec = milliseconds / 1000,
                                   .tv_nsec = (long)(milliseconds % 1000) * 1000000 };
    (void)nanosleep(&time, NULL);
}

/** Wait for input, if there is nothing new to show. */
static void take_input(struct cv_canvas *canvas, const struct cv_script *script,
                       const struct options *options)
{
    struct cv_editor *editor = &canvas->editor;
    uint32_t idle_ms = 0;
    canvas->platform->poll(canvas->platform, editor, false);
    const bool shown = editor->shows_hud;
    cv_script_play(script, canvas->frame_count, editor, &idle_ms);
    if (options->shows_hud) { /* with --hud, what is written down neither shows nor hides it */
        editor->shows_hud = shown;
    }
    if (idle_ms > 0) {
        cv_profile_idle(canvas->profile);
        rest(idle_ms);
    }
    const bool goes_on =
        options->is_continuous || options->script != NULL || options->canvas.platform.is_headless;
    if (!goes_on && !editor->is_dirty && !editor->is_closed) {
        cv_profile_idle(canvas->profile);
        while (!editor->is_dirty && !editor->is_closed) {
            canvas->platform->poll(canvas->platform, editor, true);
        }
    }
}

static bool write_picture(const struct cv_canvas *canvas, const char *path)
{
    const struct cv_target *screen = &canvas->painter.targets.screen;
    uint8_t *pixels = malloc((size_t)screen->width_px * (size_t)screen->height_px * 4);
    if (pixels == NULL) {
        fprintf(stderr, "canvas: out of memory\n");
        return false;
    }
    cv_targets_read(&canvas->painter.targets, pixels);
    const bool is_written = cv_png_write(path, pixels, screen->width_px, screen->height_px);
    free(pixels);
    return is_written;
}

/** Frames until the map has come: that is some frames late. */
static bool write_heat(struct cv_canvas *canvas, enum cv_heat_view view, const char *path)
{
    enum { FRAMES_MAX = 1000 };
    canvas->editor.heat = view;
    for (int i = 0; i < FRAMES_MAX && !cv_heat_has(canvas->heat, view); i++) {
        if (!cv_canvas_frame(canvas)) {
            return false;
        }
    }
    return cv_heat_write_png(canvas->heat, path);
}

static bool print_truth(const struct cv_canvas *canvas, const struct options *options)
{
    const struct cv_view *view = &canvas->editor.view;
    struct cv_truth truth;
    uint16_t *overdraw =
        malloc((size_t)view->width_px * (size_t)view->height_px * sizeof(overdraw[0]));
    if (overdraw == NULL) {
        fprintf(stderr, "canvas: out of memory\n");
        return false;
    }
    cv_truth_tell(&canvas->document, view, canvas->editor.selected, options->canvas.is_bare,
                  overdraw, &truth);
    cv_truth_print(&truth, view, options->canvas.scene != NULL ? options->canvas.scene : "studio");
    free(overdraw);
    return true;
}

static void print_facts(const struct cv_canvas *canvas)
{
    const struct cv_frame_facts *facts = &canvas->facts;
    printf("{\"frames\": %llu, \"nodes\": %u, \"culled\": %u, \"draws\": %u, \"cache\": \"%s\"}\n",
           (unsigned long long)canvas->frame_count, facts->counts.node_count,
           facts->counts.culled_count, facts->counts.draw_count, cv_cache_state_name(facts->cache));
}

static bool run(struct cv_canvas *canvas, const struct options *options)
{
    struct cv_script script;
    bool is_well = true;
    if (options->prints_truth) {
        return print_truth(canvas, options);
    }
    if (!cv_script_open(&script, options->script)) {
        return false;
    }
    canvas->editor.shows_hud = options->shows_hud;
    canvas->editor.heat = options->heat;
    while (is_well && (options->frame_count == 0 || canvas->frame_count < options->frame_count)) {
        take_input(canvas, &script, options);
        if (canvas->editor.is_closed) {
            break;
        }
        if (canvas->frame_count + 1 == options->frame_count) {
            canvas->editor.wants_list |= options->canvas.commands_path != NULL;
            canvas->editor.wants_renderdoc |= options->wants_renderdoc;
        }
        is_well = cv_canvas_frame(canvas);
    }
    if (is_well && options->png_path != NULL) {
        is_well = write_picture(canvas, options->png_path);
    }
    print_facts(canvas);
    if (is_well && options->overdraw_png_path != NULL) {
        is_well = write_heat(canvas, CV_HEAT_COUNTS, options->overdraw_png_path);
    }
    if (is_well && options->cost_png_path != NULL) {
        is_well = write_heat(canvas, CV_HEAT_COSTS, options->cost_png_path);
    }
    cv_script_close(&script);
    return is_well;
}

int main(int argc, char **argv)
{
    static struct cv_canvas canvas; /* large */
    struct options options = {
        .canvas.platform = { .width_px = 1280, .height_px = 800, .waits_for_display = true },
    };
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_usage();
        return flush_output() ? 0 : 1;
    }
    if (!parse(argc, argv, &options)) {
        return 2;
    }
    bool is_well = cv_canvas_init(&canvas, &options.canvas);
    is_well = is_well && run(&canvas, &options);
    is_well &= cv_canvas_finish(&canvas);
    is_well &= flush_output();
    return is_well ? 0 : 1;
}
