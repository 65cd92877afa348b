/* SPDX-License-Identifier: MIT */
/* frameglass export: the same trace in the formats of other tools, or the capture itself. */
#include "cli/cli_copy.h"
#include "cli/cli_file.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/cli_terminal.h"
#include "convert/exporter.h"
#include "open/document.h"
#include "page/html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What to write: a format that a trace is put into, or the capture as it is. */
struct export
{
    struct fgi_input input;
    const char *to;
    const char *out_path;
    bool redact;
    const struct fgi_exporter *exporter;
    bool is_page;    /* in the page */
    bool is_capture; /* a capture: copied where the input is one */
};

static const char page_format[] = "html";

/* "html|sgpt|chrome|..." */
static void list_formats(char *text, size_t size)
{
    const struct fgi_exporter *exporter;
    size_t used = (size_t)snprintf(text, size, "%s", page_format);
    for (unsigned i = 0; (exporter = fgi_exporter_get(i)) != NULL && used < size; i++) {
        int more = snprintf(text + used, size - used, "|%s", exporter->name);
        used += more > 0 ? (size_t)more : 0;
    }
}

static enum fg_result write_exporter(const struct export *export, const struct fg_sink *sink)
{
    char what[80];
    uint64_t left_out = 0;
    struct fgi_progress progress = { .what = what };
    struct fgi_export work = {
        .trace = export->input.trace,
        .sink = sink,
        .progress = fgi_progress_step,
        .progress_context = &progress,
        .left_out = &left_out,
    };
    snprintf(what, sizeof what, "writing %.60s", export->exporter->name);
    enum fg_result result = export->exporter->write(&work);
    fgi_progress_end(&progress);
    if (result == FG_OK && left_out != 0) {
        fgi_command_fail(export->input.command, 0,
                         "%s: the %" PRIu64 " oldest events were left out: %s files hold no more",
                         fgi_input_name(&export->input), left_out, export->exporter->name);
    }
    return result;
}

/* The name of a file may tell who somebody is, and where it lies even more. */
static const char *label_of(const struct export *export)
{
    const char *path = export->input.path;
    const char *slash = strrchr(path, '/');
    return export->redact || strcmp(path, "-") == 0 ? "capture.sgpt"
           : slash != NULL                          ? slash + 1
                                                    : path;
}

static enum fg_result write_capture(const struct export *export, const struct fg_sink *sink,
                                    struct fg_diag *diag)
{
    struct fgi_left_out left_out = { 0 };
    enum fg_result result = export->redact
                                ? fgi_copy_capture(&export->input, true, sink, diag)
                                : fgi_convert_capture(&export->input, sink, diag, &left_out);
    for (size_t i = 0; result == FG_OK && i < left_out.count; i++) {
        fgi_command_fail(export->input.command, 0, "%s: not in the capture: %s, %" PRIu64,
                         fgi_input_name(&export->input), left_out.kinds[i].what,
                         left_out.kinds[i].count);
    }
    return result;
}

static enum fg_result write_page(const struct export *export, const struct fg_sink *sink,
                                 struct fg_diag *diag)
{
    const struct fgi_html_options options = { .label = label_of(export) };
    struct fgi_html *html = NULL;
    struct fg_sink capture;
    enum fg_result result = fgi_html_create(&options, sink, &html, &capture);
    if (result == FG_OK) {
        result = write_capture(export, &capture, diag);
    }
    if (result == FG_OK) {
        result = fgi_html_finish(html);
    }
    fgi_html_destroy(html);
    return result;
}

/* @param diag says why an input could not be copied; not why it could not be written */
static enum fg_result write_export(const struct export *export, const struct fg_sink *sink,
                                   struct fg_diag *diag)
{
    if (export->is_page) {
        return write_page(export, sink, diag);
    }
    return export->is_capture ? write_capture(export, sink, diag) : write_exporter(export, sink);
}

static int export_to_output(const struct export *export)
{
    struct fg_sink sink = fgi_output_sink();
    struct fg_diag diag = { 0 };
    enum fg_result result = write_export(export, &sink, &diag);
    if (result != FG_OK && result != FG_ERR_IO && diag.message[0] != '\0') {
        return fgi_input_fail(&export->input, result, &diag);
    }
    return fgi_output_end(export->input.command, result, FGI_EXIT_DONE);
}

/* Counts what goes to a file. */
struct counting {
    const struct fg_sink *to;
    uint64_t bytes;
};

static enum fg_result write_counted(void *context, const void *bytes, size_t size)
{
    struct counting *counting = context;
    counting->bytes += size;
    return counting->to->write(counting->to->context, bytes, size);
}

static enum fg_result patch_counted(void *context, uint64_t offset, const void *bytes, size_t size)
{
    const struct counting *counting = context;
    return counting->to->patch(counting->to->context, offset, bytes, size);
}

static int export_to_file(const struct export *export)
{
    const struct fgi_input *input = &export->input;
    const char *path = export->out_path;
    struct fgi_out_file file;
    struct fg_sink sink;
    struct counting counting = { .to = &sink };
    struct fg_sink counted = { .context = &counting, .write = write_counted };
    struct fg_diag diag = { 0 };
    if (fgi_is_same_file(input->path, path)) {
        return fgi_command_fail(input->command, FGI_EXIT_USAGE, "%s: is the input itself", path);
    }
    enum fg_result result = fgi_out_file_begin(path, &file, &sink);
    if (result == FG_OK) {
        counted.patch = sink.patch != NULL ? patch_counted : NULL;
        result = fgi_out_file_end(&file, write_export(export, &counted, &diag));
    }
    if (result == FG_OK) {
        char size[40];
        fprintf(stderr, "%s: %s, %s\n", path, export->to,
                fgi_bytes_text(counting.bytes, size, sizeof size));
        return FGI_EXIT_DONE;
    }
    if (result != FG_ERR_IO && diag.message[0] != '\0') {
        return fgi_input_fail(input, result, &diag);
    }
    return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s", path, fg_result_text(result));
}

/* A capture that is copied or shown needs no trace. */
static int open_export(struct export *export, const char *command, const char *path)
{
    bool is_bytes = export->is_page || export->is_capture;
    int status = FGI_GO;
    if (is_bytes) {
        status = fgi_input_open_index(command, path, &export->input, NULL);
        if (status != FGI_GO || fgi_document_capture(export->input.document) != NULL ||
            export->redact) {
            return status;
        }
        fgi_input_close(&export->input);
    }
    return export->redact ? fgi_input_open_redacted(command, path, &export->input)
                          : fgi_input_open(command, path, &export->input);
}

static int run_export(struct export *export, const char *command, const char *path)
{
    int status = open_export(export, command, path);
    if (status != FGI_GO) {
        return status;
    }
    status = strcmp(export->out_path, "-") == 0 ? export_to_output(export) : export_to_file(export);
    fgi_input_close(&export->input);
    return status;
}

int fgi_cmd_export(int argc, char **argv)
{
    char formats[160];
    struct export export = { .out_path = "-" };
    const struct fgi_option options[] = {
        { .name = "to",
          .kind = FGI_OPTION_TEXT,
          .value = &export.to,
          .argument = formats,
          .about = "the format" },
        { .name = "output",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &export.out_path,
          .argument = "OUT",
          .about = "where to; standard output when not given" },
        { .name = "redact",
          .kind = FGI_OPTION_FLAG,
          .value = &export.redact,
          .about = "without names, notes, paths and settings that somebody chose" },
    };
    const struct fgi_command_line line = {
        .name = "export",
        .operands = "FILE --to FORMAT",
        .about = "Write a capture in the format of another tool, or as it is.",
        .notes = "sgpt        a capture, unpacked; a trace of another format is made one\n"
                 "html        a page that shows it, in one file, with no network\n"
                 "chrome      Trace Event JSON for chrome://tracing, Perfetto and others\n"
                 "devtools    custom tracks for the Performance panel of Chrome's DevTools\n"
                 "speedscope  flame charts, one profile for each track\n"
                 "folded      one line for each stack and its self time in ns\n"
                 "graph-json  passes, resources and edges of every frame graph\n"
                 "csv         one line for each span\n"
                 "cnatrace    zones, frames, markers and resources: the newest 32,768",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    list_formats(formats, sizeof formats);
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status != FGI_GO) {
        return status;
    }
    export.exporter = export.to != NULL ? fgi_exporter_find(export.to) : NULL;
    export.is_page = export.to != NULL && strcmp(export.to, page_format) == 0;
    export.is_capture = export.exporter == fgi_exporter_get(0);
    if (export.exporter == NULL && !export.is_page) {
        return fgi_command_fail(line.name, FGI_EXIT_USAGE, "%s%s%sexpected --to %s",
                                export.to != NULL ? "--to does not take '" : "",
                                export.to != NULL ? export.to : "", export.to != NULL ? "': " : "",
                                formats);
    }
    if (export.is_page && !fgi_html_is_there()) {
        return fgi_command_fail(line.name, FGI_EXIT_USAGE,
                                "--to html is not in this build: it was made without a compiler "
                                "for WebAssembly ('make deps' installs one)");
    }
    return run_export(&export, line.name, path);
}
