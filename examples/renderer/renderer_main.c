/* SPDX-License-Identifier: MIT */
/* The demo renderer as a program of its own. */
#include "renderer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: renderer [--frames N] [--size WxH] [--png FILE] [--png-frame N] [--device N]\n"
    "                [--device-name TEXT] [--view final|normals|occlusion|cascades]\n"
    "                [--scene FILE.gltf|FILE.glb] [--capture FILE]\n"
    "                [--level timing|structure|workload|verbose] [--seed N] [--single-queue]\n"
    "                [--command-list FILE] [--command-list-frame N] [--renderdoc-frame N]\n"
    "                [--heat off|counts|costs] [--overdraw-png FILE] [--cost-png FILE]\n"
    "                [--validate]\n"
    "\n"
    "  --png FILE           write frame --png-frame, from 1, or the last one\n"
    "  --heat counts        show over each picture how often its pixels are drawn; costs: what\n"
    "                       they cost, by the times of two frames before\n"
    "  --overdraw-png FILE  write how often each pixel of that frame is drawn, as a heat map,\n"
    "                       with the legend in a strip below it: higher than the frame\n"
    "  --cost-png FILE      write what each of its pixels costs\n";

/** Digits, then `end`. */
static bool parse_number(const char *text, char end, uint32_t *out_number)
{
    char *rest = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &rest, 10);
    *out_number = (uint32_t)number;
    return isdigit((unsigned char)text[0]) && errno == 0 && *rest == end && number <= UINT32_MAX;
}

static bool parse_size(const char *text, struct rd_options *options)
{
    const char *x = strchr(text, 'x');
    return x != NULL && parse_number(text, 'x', &options->width_px) &&
           parse_number(x + 1, '\0', &options->height_px);
}

/** @return the position of the text in the list, or -1 */
static int find_word(const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/** Options that take a value. */
static bool parse_pair(const char *name, const char *value, struct rd_options *options)
{
    static const char *const views[] = { "final", "normals", "occlusion", "cascades" };
    static const char *const heats[] = { "off", "counts", "costs" };
    static const char *const levels[] = { "workload", "timing", "structure", "verbose" };
    if (strcmp(name, "--frames") == 0) {
        return parse_number(value, '\0', &options->frame_count);
    } else if (strcmp(name, "--size") == 0) {
        return parse_size(value, options);
    } else if (strcmp(name, "--png") == 0) {
        options->png_path = value;
    } else if (strcmp(name, "--heat") == 0) {
        options->heat = (enum rd_heat_view)find_word(value, heats, 3);
        return (int)options->heat >= 0;
    } else if (strcmp(name, "--overdraw-png") == 0) {
        options->overdraw_path = value;
    } else if (strcmp(name, "--cost-png") == 0) {
        options->cost_path = value;
    } else if (strcmp(name, "--png-frame") == 0) {
        return parse_number(value, '\0', &options->png_frame);
    } else if (strcmp(name, "--device") == 0) {
        return parse_number(value, '\0', &options->device);
    } else if (strcmp(name, "--device-name") == 0) {
        options->device_name = value;
    } else if (strcmp(name, "--capture") == 0) {
        options->capture_path = value;
    } else if (strcmp(name, "--scene") == 0) {
        options->scene_path = value;
    } else if (strcmp(name, "--command-list") == 0) {
        options->command_list_path = value;
    } else if (strcmp(name, "--command-list-frame") == 0) {
        return parse_number(value, '\0', &options->command_list_frame);
    } else if (strcmp(name, "--renderdoc-frame") == 0) {
        return parse_number(value, '\0', &options->renderdoc_frame);
    } else if (strcmp(name, "--seed") == 0) {
        return parse_number(value, '\0', &options->seed);
    } else if (strcmp(name, "--view") == 0) {
        options->view = (enum rd_view)find_word(value, views, 4);
        return (int)options->view >= 0;
    } else if (strcmp(name, "--level") == 0) {
        options->level = (enum rd_level)find_word(value, levels, 4);
        return (int)options->level >= 0;
    } else {
        return false;
    }
    return true;
}

static bool parse(int argc, char **argv, struct rd_options *options)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--validate") == 0) {
            options->validate = true;
        } else if (strcmp(argv[i], "--single-queue") == 0) {
            options->single_queue = true;
        } else if (i + 1 == argc || !parse_pair(argv[i], argv[i + 1], options)) {
            (void)fprintf(stderr, "renderer: not understood: %s%s%s\n", argv[i],
                          i + 1 < argc ? " " : "", i + 1 < argc ? argv[i + 1] : "");
            return false;
        } else {
            i++;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct rd_options options = { 0 };
    struct rd_summary summary;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return fputs(usage, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;
    }
    if (!parse(argc, argv, &options)) {
        (void)fputs(usage, stderr);
        return 2;
    }
    const bool ok = rd_run(&options, &summary);
    if (!ok) {
        (void)fprintf(stderr, "renderer: %s\n", summary.error);
        return 1;
    }
    (void)fprintf(stderr,
                  "%s: %u frames in %.1f s; %u graph passes, %u of them culled; %u GPU passes; "
                  "%u topologies; transient memory %.1f of %.1f MiB\n",
                  summary.device_name, summary.frame_count, summary.seconds,
                  summary.graph_pass_count, summary.culled_pass_count, summary.gpu_pass_count,
                  summary.topology_count, (double)summary.transient_bytes / 1048576.0,
                  (double)summary.transient_unshared_bytes / 1048576.0);
    return summary.validation_message_count == 0 ? 0 : 1;
}
