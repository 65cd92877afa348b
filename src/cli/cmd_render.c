/* SPDX-License-Identifier: MIT */
/* frameglass render: a picture of a window of time. */
#include "cli/cli_file.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/cli_select.h"
#include "cli/picture_device.h"
#include "render/png_write.h"
#include "render/render.h"
#include <frameglass/trace_engine.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH_PX = 1600, HEIGHT_PX = 900 };

struct picture {
    struct fgi_input input;
    struct fgi_select select;
    const char *engine; /**< who draws: a word of --engine; NULL = cpu */
    const char *out_path;
    uint64_t size_px[2];
    uint64_t scale;
    uint32_t detail;
    bool is_light;
    char painter[FGI_DEVICE_NAME]; /**< who drew it */
};

/* A word of a list of two to four; false: told on standard error. */
static bool find_word(const char *option, const char *word, const char *const *words,
                      uint32_t count, const char *expected, uint32_t *out_index)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out_index = i;
            return true;
        }
    }
    fgi_command_fail("render", 0, "--%s does not take '%s': expected %s", option, word, expected);
    return false;
}

/* What is not said of the window is the whole trace. */
static int find_window(const struct picture *p, const struct fg_selection *selection,
                       struct fgi_render_options *options)
{
    struct fg_trace_info info;
    fg_trace_get_info(p->input.trace, &info);
    if (!info.has_extent) {
        return fgi_command_fail("render", FGI_EXIT_INPUT, "%s: there is nothing in it to draw",
                                fgi_input_name(&p->input));
    }
    const bool has_first = p->select.time.has_first, has_end = p->select.time.has_end;
    options->start_ns = has_first ? selection->start_ns : info.first_ns;
    options->end_ns = has_end ? selection->end_ns : info.last_ns;
    if (options->start_ns == options->end_ns && !has_first && !has_end) {
        options->end_ns = options->start_ns + 1; /* all of it is at one time */
    }
    return options->start_ns < options->end_ns
               ? FGI_GO
               : fgi_command_fail("render", FGI_EXIT_USAGE,
                                  "--time: there is nothing between its two ends");
}

static int write_picture(const struct picture *p, const struct fgi_render *render)
{
    struct fgi_out_file file = { .file = NULL };
    struct fg_sink sink;
    enum fg_result result = fgi_out_file_begin(p->out_path, &file, &sink);
    if (result == FG_OK) {
        result = fgi_out_file_end(&file,
                                  fgi_png_write(&sink, NULL, fgi_render_pixels(render),
                                                (uint32_t)p->size_px[0], (uint32_t)p->size_px[1]));
    }
    if (result != FG_OK) {
        return fgi_command_fail("render", FGI_EXIT_INPUT, "%s: %s", p->out_path,
                                fg_result_text(result));
    }
    const struct fgi_render_counts counts = fgi_render_get_counts(render);
    printf("%s: %" PRIu64 " x %" PRIu64 ", %" PRIu32 " lane%s, %" PRIu64 " span%s, %" PRIu64
           " bin%s, drawn by %s\n",
           p->out_path, p->size_px[0], p->size_px[1], counts.lanes, fgi_plural(counts.lanes),
           counts.spans, fgi_plural(counts.spans), counts.bins, fgi_plural(counts.bins),
           p->painter);
    if (counts.left_out > 0) {
        fgi_command_fail("render", 0,
                         "%" PRIu32 " more lane%s had no room: see --height and --track",
                         counts.left_out, fgi_plural(counts.left_out));
    }
    return FGI_EXIT_DONE;
}

/* By who answers, as opening has chosen. What a device cannot do is done by the CPU, and told. */
static enum fg_result fill(struct picture *p, struct fgi_render *render)
{
    struct fg_diag diag = { .message = "" };
    struct fg_engine_info info;
    fg_engine_get_info(p->input.engine, &info);
    const char *reason = info.reason;
    if (strcmp(info.name, "vulkan") == 0 && reason == NULL) {
        const enum fg_result result =
            fgi_picture_on_device(render, &p->input.engine_choice, p->painter, &diag);
        if (result == FG_OK) {
            return FG_OK;
        }
        reason = diag.message;
    }
    if (reason != NULL) {
        fgi_command_fail("render", 0, "drawn by the CPU, not by a device: %s", reason);
    }
    snprintf(p->painter, sizeof p->painter, "the CPU");
    return fgi_render_on_cpu(render, p->input.query);
}

static int draw(struct picture *p, const struct fg_selection *selection)
{
    struct fgi_render_options options = { .trace = p->input.trace,
                                          .width_px = (uint32_t)p->size_px[0],
                                          .height_px = (uint32_t)p->size_px[1],
                                          .scale = (uint32_t)p->scale,
                                          .detail = p->detail,
                                          .is_light = p->is_light,
                                          .tracks = selection->tracks,
                                          .track_count = selection->track_count };
    struct fgi_render *render = NULL;
    int status = find_window(p, selection, &options);
    if (status != FGI_GO) {
        return status;
    }
    enum fg_result result = fgi_render_create(&options, &render);
    result = result == FG_OK ? fill(p, render) : result;
    status = result == FG_OK ? write_picture(p, render)
                             : fgi_command_fail("render", FGI_EXIT_INPUT, "%s: %s",
                                                fgi_input_name(&p->input), fg_result_text(result));
    fgi_render_destroy(render);
    return status;
}

static int run(struct picture *p)
{
    struct fgi_selected selected;
    int status = fgi_select_find(&p->input, &p->select, NULL, &selected);
    if (status == FGI_GO) {
        status = draw(p, &selected.selection);
        fgi_selected_finish(&selected);
    }
    return status;
}

static int check(struct picture *p, const char *detail, const char *theme)
{
    static const char *const details[] = { [FG_DETAIL_AUTO] = "auto",
                                           [FG_DETAIL_EXACT] = "exact",
                                           [FG_DETAIL_REPRESENTATIVE] = "representative",
                                           [FG_DETAIL_DENSITY] = "density" };
    static const char *const themes[] = { "dark", "light" };
    uint32_t is_light = 0;
    if (!find_word("detail", detail, details, 4, "auto|exact|representative|density", &p->detail) ||
        !find_word("theme", theme, themes, 2, "dark|light", &is_light)) {
        return FGI_EXIT_USAGE;
    }
    p->is_light = is_light != 0;
    if (p->out_path == NULL) {
        return fgi_command_fail("render", FGI_EXIT_USAGE, "where to? -o OUT.png is missing");
    }
    return FGI_GO;
}

int fgi_cmd_render(int argc, char **argv)
{
    struct picture p = { .size_px = { WIDTH_PX, HEIGHT_PX }, .scale = 1 };
    const char *detail = "auto", *theme = "dark";
    const struct fgi_option options[] = {
        { .name = "output",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &p.out_path,
          .argument = "OUT.png",
          .about = "where to write the picture" },
        { .name = "width",
          .kind = FGI_OPTION_COUNT,
          .value = &p.size_px[0],
          .argument = "PIXELS",
          .least = FGI_RENDER_LEAST_PX,
          .most = FGI_RENDER_MOST_PX,
          .about = "how wide; 1600 when not given" },
        { .name = "height",
          .kind = FGI_OPTION_COUNT,
          .value = &p.size_px[1],
          .argument = "PIXELS",
          .least = FGI_RENDER_LEAST_PX,
          .most = FGI_RENDER_MOST_PX,
          .about = "how high; 900 when not given" },
        { .name = "scale",
          .kind = FGI_OPTION_COUNT,
          .value = &p.scale,
          .argument = "N",
          .least = 1,
          .most = FGI_RENDER_MOST_SCALE,
          .about = "pixels of a dot, for fine screens and print; 1 when not given" },
        { .name = "time",
          .kind = FGI_OPTION_TIME,
          .value = &p.select.time,
          .argument = "T0:T1",
          .about = "the window; +5ms counts from the first time; the whole trace when not given" },
        { .name = "track",
          .kind = FGI_OPTION_TEXT,
          .value = &p.select.track,
          .argument = "NAME",
          .about = "only tracks of this name" },
        { .name = "detail",
          .kind = FGI_OPTION_TEXT,
          .value = &detail,
          .argument = "auto|exact|representative|density",
          .about = "what stands for spans that are narrower than pixels" },
        { .name = "theme",
          .kind = FGI_OPTION_TEXT,
          .value = &theme,
          .argument = "dark|light",
          .about = "dark when not given" },
        { .name = "engine",
          .kind = FGI_OPTION_TEXT,
          .value = &p.engine,
          .argument = "auto|cpu|vulkan",
          .about = "who draws; auto: of a large trace whoever is faster; cpu when not given" },
    };
    const struct fgi_command_line line = {
        .name = "render",
        .operands = "FILE -o OUT.png",
        .about = "A picture of a window of time, as the page would draw it.",
        .notes = "Stripes mark what stands for several spans: slanted ones their longest, thin low "
                 "ones how much of the\ntime is covered. All lanes are shown; when they are many "
                 "they get lower.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *file;
    int status = fgi_command_parse(&line, argc, argv, &file);
    status = status == FGI_GO ? check(&p, detail, theme) : status;
    status = status == FGI_GO ? fgi_input_open_engine(line.name, file, p.engine, &p.input) : status;
    if (status != FGI_GO) {
        return status;
    }
    p.input.engine_choice.engine = NULL; /* who has drawn is told with the picture */
    status = run(&p);
    fgi_input_close(&p.input);
    return status;
}
