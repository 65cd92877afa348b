/* SPDX-License-Identifier: MIT */
/* Write the generated session into a file, as large as wanted. */
#include "generated_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void)
{
    fputs("usage: generate_capture OUT.sgpt [--frames N] [--passes N] [--queues N]\n"
          "                        [--level timing|structure|workload|verbose]\n",
          stderr);
    return 2;
}

static bool parse_level(const char *text, enum fg_level *out_level)
{
    static const char *const names[] = { "timing", "structure", "workload", "verbose" };
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out_level = (enum fg_level)(FG_LEVEL_TIMING + i);
            return true;
        }
    }
    return false;
}

static bool parse_option(const char *name, const char *value, struct generated_options *options)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    bool is_number = *value != 0 && *end == 0 && number <= UINT32_MAX;
    if (strcmp(name, "--level") == 0) {
        return parse_level(value, &options->level);
    }
    uint32_t *field = strcmp(name, "--frames") == 0   ? &options->frame_count
                      : strcmp(name, "--passes") == 0 ? &options->pass_count
                      : strcmp(name, "--queues") == 0 ? &options->queue_count
                                                      : NULL;
    if (field != NULL && is_number) {
        *field = (uint32_t)number;
    }
    return field != NULL && is_number;
}

int main(int argc, char **argv)
{
    struct generated_options options = { .path = argc > 1 ? argv[1] : NULL };
    struct generated_result result;
    if (argc < 2 || argc % 2 != 0 || argv[1][0] == '-') {
        return usage();
    }
    for (int i = 2; i < argc; i += 2) {
        if (!parse_option(argv[i], argv[i + 1], &options)) {
            return usage();
        }
    }
    if (!generated_record(&options, NULL, NULL, &result)) {
        fputs("generate_capture: the recording failed\n", stderr);
        return 1;
    }
    fprintf(stderr,
            "%s: %" PRIu64 " frames, %" PRIu64 " passes, %" PRIu64 " calls, %" PRIu64 " bytes\n",
            argv[1], result.frames, result.pass_instances, result.works, result.bytes);
    return 0;
}
