/* SPDX-License-Identifier: MIT */
/* frameglass view: the inspector, served to a browser on this machine. */
#include "base/process.h"
#include "cli/command.h"
#include "cli/device_choice.h"
#include "serve/home.h"
#include "serve/server.h"
#include <frameglass/capture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often a file that is waited for is looked for. */
static const int64_t wait_ns = 200000000;

struct view_options {
    uint64_t port;
    bool no_browser;
    bool follow;
    struct fgi_device_choice choices[FGI_HOME_INPUTS]; /**< the first has the word */
};

static int parse(int argc, char **argv, struct view_options *out_options, const char **out_paths)
{
    const struct fgi_option options[] = {
        { .name = "port",
          .kind = FGI_OPTION_COUNT,
          .value = &out_options->port,
          .argument = "PORT",
          .about = "listen there, not on a free one" },
        { .name = "no-browser",
          .value = &out_options->no_browser,
          .about = "print the address and open nothing" },
        { .name = "follow",
          .value = &out_options->follow,
          .about = "show what is written to it from now on, too" },
        FGI_OPTION_ENGINE(&out_options->choices[0]),
        { .name = "profile",
          .kind = FGI_OPTION_TEXT,
          .value = &out_options->choices[0].profile,
          .argument = "OUT.sgpt",
          .about = "record what the device does to answer for FILE" },
    };
    const struct fgi_command_line line = {
        .name = "view",
        .operands = "FILE [FILE2]",
        .about = "Show one capture, or two beside each other, in the inspector.",
        .notes = "The address is printed on standard output. It works on this machine only, holds "
                 "a secret\n"
                 "and ends with the command (Ctrl-C).\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = FGI_HOME_INPUTS,
    };
    int go = fgi_command_parse(&line, argc, argv, out_paths);
    if (go == FGI_GO && out_options->port > UINT16_MAX) {
        return fgi_command_fail("view", FGI_EXIT_USAGE, "--port must be 0 to 65535");
    }
    go = go == FGI_GO ? fgi_device_choice_check("view", &out_options->choices[0]) : go;
    const char *engine = out_options->choices[0].engine;
    if (go == FGI_GO && out_options->choices[0].profile != NULL &&
        (engine == NULL || strcmp(engine, "vulkan") != 0)) {
        return fgi_command_fail("view", FGI_EXIT_USAGE, "--profile needs --engine vulkan");
    }
    for (size_t i = 0; go == FGI_GO && i < FGI_HOME_INPUTS && out_paths[i] != NULL; i++) {
        if (out_options->follow && strcmp(out_paths[i], "-") == 0) {
            return fgi_command_fail("view", FGI_EXIT_USAGE,
                                    "--follow needs a file: standard input ends by itself");
        }
    }
    return go;
}

/* FG_ERR_NOT_FOUND: nothing is there yet, or not so much as a header. */
static enum fg_result look_for(const char *path)
{
    struct fg_file_source *file = NULL;
    struct fg_source source;
    uint64_t size = 0;
    enum fg_result result = fg_file_source_open(path, &file, &source);
    if (result == FG_OK) {
        result = source.size(source.context, &size);
        fg_file_source_close(file);
    }
    return result == FG_OK && size < FG_CAPTURE_HEADER_BYTES ? FG_ERR_NOT_FOUND : result;
}

/* FGI_GO, or the end that somebody asked for. */
static int wait_for(const char *path)
{
    bool is_said = false;
    enum fg_result result;
    while ((result = look_for(path)) == FG_ERR_NOT_FOUND) {
        if (!is_said) {
            fprintf(stderr,
                    "frameglass view: %s: waiting until something is written to it (Ctrl-C ends)\n",
                    path);
            is_said = true;
        }
        if (fgi_stop_wait(wait_ns)) {
            return FGI_EXIT_DONE;
        }
    }
    /* Opening a pipe may wait for ever, and Ctrl-C is ours to look for by now. */
    return result != FG_ERR_UNSUPPORTED
               ? FGI_GO
               : fgi_command_fail("view", FGI_EXIT_USAGE,
                                  "--follow needs a file: %s is a pipe, which ends by itself",
                                  path);
}

static int open_inputs(struct fgi_home *home, struct view_options *options,
                       const char *const *paths)
{
    for (size_t i = 0; i < FGI_HOME_INPUTS && paths[i] != NULL; i++) {
        struct fg_diag diag = { 0 };
        struct fg_open_options engine = { 0 };
        options->choices[i].engine = options->choices[0].engine;
        fgi_device_choice_use(&options->choices[i], &engine);
        fgi_home_use_engine(home, &engine);
        int status = options->follow ? wait_for(paths[i]) : FGI_GO;
        if (status != FGI_GO) {
            return status;
        }
        enum fg_result result = options->follow ? fgi_home_follow(home, paths[i], &diag)
                                                : fgi_home_open(home, paths[i], &diag);
        if (result == FG_OK) {
            continue;
        }
        if (diag.message[0] == 0) {
            return fgi_command_fail("view", FGI_EXIT_INPUT, "%s: %s", paths[i],
                                    fg_result_text(result));
        }
        if (diag.offset == 0) {
            return fgi_command_fail("view", FGI_EXIT_INPUT, "%s: %s", paths[i], diag.message);
        }
        return fgi_command_fail("view", FGI_EXIT_INPUT, "%s: at byte %llu: %s", paths[i],
                                (unsigned long long)diag.offset, diag.message);
    }
    return FGI_GO;
}

static bool has_display(void)
{
    const char *x = getenv("DISPLAY");
    const char *wayland = getenv("WAYLAND_DISPLAY");
    return (x != NULL && x[0] != 0) || (wayland != NULL && wayland[0] != 0);
}

/* A browser that cannot be opened is no failure: the address is on the screen. */
static void open_browser(const char *address)
{
    const char *const arguments[] = { "xdg-open", address, NULL };
    if (fgi_process_start(arguments) != FG_OK) {
        fprintf(stderr, "frameglass view: no browser could be opened: open the address by hand\n");
    }
}

static int serve(struct fgi_home *home, const struct view_options *options)
{
    struct fgi_server *server = NULL;
    const struct fgi_server_options server_options = {
        .port = (uint16_t)options->port,
        .answer = fgi_home_answer,
        .download = fgi_home_download,
        .context = home,
    };
    enum fg_result result = fgi_server_start(&server_options, &server);
    if (result == FG_ERR_BUSY) {
        return fgi_command_fail("view", FGI_EXIT_INPUT, "port %u is taken: leave --port out",
                                (unsigned)options->port);
    }
    if (result != FG_OK) {
        return fgi_command_fail("view", FGI_EXIT_INPUT, "the server did not start: %s",
                                fg_result_text(result));
    }
    printf("%s\n", fgi_server_address(server));
    fflush(stdout);
    if (!options->no_browser && has_display()) {
        open_browser(fgi_server_address(server));
    }
    while (!fgi_stop_wait(-1)) {
    }
    fgi_home_end(home);
    fgi_server_stop(server);
    return FGI_EXIT_DONE;
}

int fgi_cmd_view(int argc, char **argv)
{
    struct view_options options = { 0 };
    const char *paths[FGI_HOME_INPUTS] = { 0 };
    int status = parse(argc, argv, &options, paths);
    if (status != FGI_GO) {
        return status;
    }
    struct fgi_home *home = NULL;
    if (fgi_home_create(NULL, &home) != FG_OK) {
        return fgi_command_fail("view", FGI_EXIT_INPUT, "memory ran out");
    }
    if (options.follow) {
        fgi_stop_arm(); /* waiting for a file ends on request, as serving does */
    }
    status = open_inputs(home, &options, paths);
    if (status == FGI_GO && !options.follow) {
        /* Only now: while a large input is being read, Ctrl-C ends the command as ever. */
        fgi_stop_arm();
    }
    if (status == FGI_GO && fgi_home_watch(home) != FG_OK) {
        status = fgi_command_fail("view", FGI_EXIT_INPUT, "the file cannot be followed");
    }
    if (status == FGI_GO) {
        status = serve(home, &options);
    }
    fgi_home_destroy(home);
    for (size_t i = 0; i < FGI_HOME_INPUTS; i++) {
        fgi_device_choice_end(&options.choices[i]);
    }
    return status;
}
