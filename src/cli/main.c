/* SPDX-License-Identifier: MIT */
/* frameglass: one program, one command per file. */
#include "cli/cli_terminal.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

struct command {
    const char *name;
    const char *operands;
    const char *about;
    int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    { "demo", "[-o OUT.sgpt] [--frames N]", "record the bundled frame-graph renderer, headless",
      fgi_cmd_demo },
    { "view", "FILE [FILE2]", "look at captures in the browser", fgi_cmd_view },
    { "info", "FILE", "what a capture holds", fgi_cmd_info },
    { "frames", "FILE", "each frame: CPU and GPU time, what bounds it", fgi_cmd_frames },
    { "stats", "FILE", "times by name, pass, track, category, ...", fgi_cmd_stats },
    { "path", "FILE --span ROW", "what a span waited for: the critical path", fgi_cmd_path },
    { "search", "FILE TEXT", "spans by their names", fgi_cmd_search },
    { "anomalies", "FILE", "what took unusually long, against which peers", fgi_cmd_anomalies },
    { "diff", "BASE NEW", "what differs, beyond noise, and why", fgi_cmd_diff },
    { "render", "FILE -o OUT.png", "a picture of a window of time", fgi_cmd_render },
    { "export", "FILE --to FORMAT", "write it as sgpt, html, chrome, csv, ...", fgi_cmd_export },
    { "import", "FILE -o OUT.sgpt", "any trace as a capture, and what was mended", fgi_cmd_import },
    { "bench", "--reference", "how fast this machine draws a trace of millions of spans",
      fgi_cmd_bench },
    { "validate", "FILE", "is every byte of a capture as the format says?", fgi_cmd_validate },
    { "repair", "FILE -o OUT.sgpt", "copy what is valid into a fresh capture", fgi_cmd_repair },
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int print_usage(FILE *stream, int status)
{
    fprintf(stream, "usage: frameglass COMMAND ...\n\n"
                    "Record what a GPU frame did and why, and look at it at any scale.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].operands);
        fprintf(stream, "  %-34s %s\n", left, commands[i].about);
    }
    fprintf(stream, "\nFILE is a capture or a trace of another tool (gzip, zstd and zip around it "
                    "are undone),\nor - for standard input.\n"
                    "frameglass COMMAND --help says more about each; frameglass --version says "
                    "which this is.\n");
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return print_usage(stderr, FGI_EXIT_USAGE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        return print_usage(stdout, FGI_EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("frameglass %s\n", fg_version());
        return FGI_EXIT_DONE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return fgi_interrupt_end(commands[i].run(argc - 1, argv + 1));
        }
    }
    fprintf(stderr, "frameglass: unknown command '%s' (frameglass --help lists them)\n", argv[1]);
    return FGI_EXIT_USAGE;
}
