/* SPDX-License-Identifier: MIT */
/* frameglass demo: record the bundled frame-graph renderer, without a window; or without a GPU. */
#include "cli/command.h"

#include <renderer.h>
#include <software_demo.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_FRAMES = 120, MAX_FRAMES = 100000, MAX_SIDE_PX = 8192, MIN_SIDE_PX = 16 };

static const char command[] = "demo";

struct arguments {
    const char *output;
    uint64_t frames;
    const char *size;
    const char *png;
    const char *scene;
    const char *level;
    uint64_t device;
    uint64_t seed;
    bool no_gpu;
};

static const char notes[] =
    "The renderer draws a courtyard through a deferred frame graph of more than forty passes, on "
    "the\n"
    "best Vulkan device there is. Frame 60 begins to render a quarter more pixels in each "
    "direction;\n"
    "frame 80 is a deliberate hitch that costs about three times what its neighbours cost.\n"
    "With --no-gpu the same script runs on a device made of arithmetic, at 1280x720.\n";

/** "320x180" */
static bool read_size(const char *text, struct rd_options *options)
{
    unsigned width;
    unsigned height;
    int length = 0;
    if (sscanf(text, "%5ux%5u%n", &width, &height, &length) != 2 || text[length] != '\0' ||
        width < MIN_SIDE_PX || height < MIN_SIDE_PX || width > MAX_SIDE_PX ||
        height > MAX_SIDE_PX) {
        return false;
    }
    options->width_px = width;
    options->height_px = height;
    return true;
}

static bool read_level(const char *text, enum rd_level *out_level)
{
    static const struct {
        const char *name;
        enum rd_level level;
    } levels[] = {
        { "timing", RD_LEVEL_TIMING },
        { "structure", RD_LEVEL_STRUCTURE },
        { "workload", RD_LEVEL_WORKLOAD },
        { "verbose", RD_LEVEL_VERBOSE },
    };
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (strcmp(text, levels[i].name) == 0) {
            *out_level = levels[i].level;
            return true;
        }
    }
    return false;
}

/** @return FGI_GO, or the exit status */
static int read_options(const struct arguments *arguments, struct rd_options *options)
{
    *options = (struct rd_options){
        .frame_count = (uint32_t)arguments->frames,
        .device = (uint32_t)arguments->device,
        .scene_path = arguments->scene,
        .capture_path = arguments->output,
        .png_path = arguments->png,
        .seed = (uint32_t)arguments->seed,
    };
    if (arguments->frames == 0 || arguments->frames > MAX_FRAMES) {
        return fgi_command_fail(command, FGI_EXIT_USAGE, "--frames takes 1 to %d", MAX_FRAMES);
    }
    if (arguments->size != NULL && !read_size(arguments->size, options)) {
        return fgi_command_fail(command, FGI_EXIT_USAGE,
                                "--size takes WIDTHxHEIGHT, each from %d to %d: not '%s'",
                                MIN_SIDE_PX, MAX_SIDE_PX, arguments->size);
    }
    if (arguments->level != NULL && !read_level(arguments->level, &options->level)) {
        return fgi_command_fail(command, FGI_EXIT_USAGE,
                                "--level is timing, structure, workload or verbose: not '%s'",
                                arguments->level);
    }
    if (arguments->no_gpu &&
        (arguments->png != NULL || arguments->scene != NULL || arguments->device != 0)) {
        return fgi_command_fail(command, FGI_EXIT_USAGE,
                                "--no-gpu draws nothing: it takes no --png, --scene or --device");
    }
    return FGI_GO;
}

static void print_summary(const struct arguments *arguments, const struct rd_summary *summary)
{
    (void)fprintf(
        stderr,
        "%s: %" PRIu64 " frames, %.1f MB\n"
        "  on %s, in %.1f s\n"
        "  %u graph passes (%u culled) and %u GPU passes in the last frame; %u topologies\n"
        "  transient memory %.1f MiB, shared from %.1f MiB declared\n",
        arguments->output, summary->capture_frame_count, (double)summary->capture_bytes / 1e6,
        summary->device_name, summary->seconds, summary->graph_pass_count,
        summary->culled_pass_count, summary->gpu_pass_count, summary->topology_count,
        (double)summary->transient_bytes / 1048576.0,
        (double)summary->transient_unshared_bytes / 1048576.0);
    if (arguments->scene != NULL) {
        (void)fprintf(stderr, "  %u meshes in %u places, %u textures\n", summary->scene_mesh_count,
                      summary->scene_instance_count, summary->scene_texture_count);
    }
    if (summary->scene_texture_left_out_count > 0) {
        (void)fprintf(stderr, "  %u textures are not PNG: drawn in their plain colours\n",
                      summary->scene_texture_left_out_count);
    }
    if (arguments->png != NULL) {
        (void)fprintf(stderr, "  the last frame is in %s\n", arguments->png);
    }
}

int fgi_cmd_demo(int argc, char **argv)
{
    struct arguments arguments = { .output = "demo.sgpt", .frames = DEFAULT_FRAMES };
    const struct fgi_option options[] = {
        { .name = "output",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &arguments.output,
          .argument = "OUT.sgpt",
          .about = "the capture to write (demo.sgpt)" },
        { .name = "frames",
          .kind = FGI_OPTION_COUNT,
          .value = &arguments.frames,
          .argument = "N",
          .about = "how many frames (120)" },
        { .name = "size",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments.size,
          .argument = "WxH",
          .about = "of the picture (320x180)" },
        { .name = "png",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments.png,
          .argument = "FILE",
          .about = "write the last frame as a picture" },
        { .name = "scene",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments.scene,
          .argument = "FILE",
          .about = "draw this glTF 2.0 file (.gltf, .glb) instead of the courtyard" },
        { .name = "level",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments.level,
          .argument = "LEVEL",
          .about = "timing, structure, workload (the default) or verbose" },
        { .name = "no-gpu",
          .value = &arguments.no_gpu,
          .about = "draw nothing: a capture with invented times, from any machine" },
        { .name = "device",
          .kind = FGI_OPTION_COUNT,
          .value = &arguments.device,
          .argument = "N",
          .about = "which Vulkan device, from 1 (the best one)" },
        { .name = "seed",
          .kind = FGI_OPTION_COUNT,
          .value = &arguments.seed,
          .argument = "N",
          .about = "of what is scattered by chance (7)" },
    };
    const struct fgi_command_line line = {
        .name = command,
        .operands = "",
        .about = "Record the bundled frame-graph renderer, without a window.",
        .notes = notes,
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct rd_options render;
    struct rd_summary summary;
    int status = fgi_command_parse(&line, argc, argv, NULL);
    if (status == FGI_GO) {
        status = read_options(&arguments, &render);
    }
    if (status != FGI_GO) {
        return status;
    }
    if (!(arguments.no_gpu ? sd_run : rd_run)(&render, &summary)) {
        status = fgi_command_fail(command, FGI_EXIT_INPUT, "%s", summary.error);
        if (summary.device_name[0] == '\0' && arguments.scene == NULL) {
            (void)fputs("frameglass demo --no-gpu makes a capture on any machine\n", stderr);
        }
        return status;
    }
    print_summary(&arguments, &summary);
    return FGI_EXIT_DONE;
}
