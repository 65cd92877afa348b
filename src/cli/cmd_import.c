/* SPDX-License-Identifier: MIT */
/* frameglass import: any trace as a capture, with a report of what was mended on the way. */
#include "base/json.h"
#include "cli/cli_copy.h"
#include "cli/cli_file.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/cli_terminal.h"
#include "open/document.h"
#include <frameglass/trace.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct import {
    struct fgi_input input;
    const char *out_path;
    bool as_json;
    struct fgi_left_out left_out;
    struct fg_diag diag;
};

/* ---- the report ------------------------------------------------------------------------------ */

static void json_repairs(struct fgi_json *json, const struct fg_trace *trace)
{
    const struct fg_trace_repair *repair;
    fgi_json_key(json, "repairs");
    fgi_json_object_begin(json);
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        fgi_json_key(json, repair->kind);
        fgi_json_inline_object_begin(json);
        fgi_json_key_uint(json, "count", repair->count);
        fgi_json_key(json, "first_offset");
        if (repair->first_offset != UINT64_MAX) {
            fgi_json_uint(json, repair->first_offset);
        } else {
            fgi_json_null(json);
        }
        fgi_json_object_end(json);
    }
    fgi_json_object_end(json);
}

static enum fg_result report_json(const struct import *import)
{
    const struct fg_trace *trace = import->input.trace;
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 2 };
    const struct fg_trace_tally *tally;
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "format", info.format);
    fgi_json_key_uint(&json, "version", info.version);
    fgi_json_key_text(&json, "output", import->out_path);
    fgi_json_key_uint(&json, "spans", info.spans);
    fgi_json_key_uint(&json, "unfinished", info.unfinished);
    fgi_json_key_uint(&json, "instants", info.instants);
    fgi_json_key_uint(&json, "counter_samples", info.counter_samples);
    fgi_json_key_uint(&json, "samples", info.samples);
    fgi_json_key_uint(&json, "dependencies", info.dependencies);
    fgi_json_key(&json, "dropped");
    fgi_json_object_begin(&json);
    for (uint32_t i = 0; (tally = fg_trace_loss(trace, i)) != NULL; i++) {
        fgi_json_key_uint(&json, fg_trace_text(trace, tally->name), tally->count);
    }
    fgi_json_object_end(&json);
    json_repairs(&json, trace);
    fgi_json_key(&json, "left_out");
    fgi_json_object_begin(&json);
    for (size_t i = 0; i < import->left_out.count; i++) {
        fgi_json_key_uint(&json, import->left_out.kinds[i].what, import->left_out.kinds[i].count);
    }
    fgi_json_object_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static void report_text(const struct import *import)
{
    const struct fg_trace *trace = import->input.trace;
    const struct fg_trace_repair *repair;
    struct fg_trace_info info;
    char plain[FGI_PLAIN_TEXT];
    fg_trace_get_info(trace, &info);
    fprintf(stderr,
            "%s: %s version %u: %" PRIu64 " span%s (%" PRIu64 " unfinished), %" PRIu64
            " instant%s, %" PRIu64 " value%s of counters, %" PRIu64 " sample%s, %" PRIu64
            " dependenc%s\n",
            fgi_input_name(&import->input), info.format, (unsigned)info.version, info.spans,
            fgi_plural(info.spans), info.unfinished, info.instants, fgi_plural(info.instants),
            info.counter_samples, fgi_plural(info.counter_samples), info.samples,
            fgi_plural(info.samples), info.dependencies, info.dependencies == 1 ? "y" : "ies");
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        fprintf(stderr, "  mended: %s, %" PRIu64 " time%s",
                fgi_plain_text(repair->kind, plain, sizeof plain), repair->count,
                repair->count == 1 ? "" : "s");
        if (repair->first_offset != UINT64_MAX) {
            fprintf(stderr, ", first at byte %" PRIu64, repair->first_offset);
        }
        fprintf(stderr, "\n");
    }
    const struct fg_trace_tally *tally;
    for (uint32_t i = 0; (tally = fg_trace_loss(trace, i)) != NULL; i++) {
        fprintf(stderr, "  dropped when it was recorded: %s, %" PRIu64 "\n",
                fgi_plain_text(fg_trace_text(trace, tally->name), plain, sizeof plain),
                tally->count);
    }
    for (size_t i = 0; i < import->left_out.count; i++) {
        fprintf(stderr, "  not in the capture: %s, %" PRIu64 "\n", import->left_out.kinds[i].what,
                import->left_out.kinds[i].count);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum fg_result write_import(struct import *import)
{
    if (strcmp(import->out_path, "-") == 0) {
        struct fg_sink sink = fgi_output_sink();
        return fgi_convert_capture(&import->input, &sink, &import->diag, &import->left_out);
    }
    struct fgi_out_file file;
    struct fg_sink sink;
    enum fg_result result = fgi_out_file_begin(import->out_path, &file, &sink);
    if (result == FG_OK) {
        result = fgi_out_file_end(
            &file, fgi_convert_capture(&import->input, &sink, &import->diag, &import->left_out));
    }
    return result;
}

static int run(struct import *import)
{
    const char *command = import->input.command;
    if (fgi_is_same_file(import->input.path, import->out_path)) {
        return fgi_command_fail(command, FGI_EXIT_USAGE, "%s: is the input itself",
                                import->out_path);
    }
    enum fg_result result = write_import(import);
    if (result != FG_OK) {
        return fgi_command_fail(command, FGI_EXIT_INPUT, "%s: %s", import->out_path,
                                import->diag.message[0] != '\0' ? import->diag.message
                                                                : fg_result_text(result));
    }
    if (import->as_json) {
        result = report_json(import);
    } else {
        report_text(import);
    }
    return fgi_output_end(command, result, FGI_EXIT_DONE);
}

int fgi_cmd_import(int argc, char **argv)
{
    struct import import = { .out_path = NULL };
    const struct fgi_option options[] = {
        { .name = "output",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &import.out_path,
          .argument = "OUT.sgpt",
          .about = "where to; - for standard output" },
        FGI_OPTION_JSON(&import.as_json),
    };
    const struct fgi_command_line line = {
        .name = "import",
        .operands = "FILE -o OUT.sgpt",
        .about = "Write any trace that can be read as a capture.",
        .notes = "Rows keep their numbers. What was mended, dropped or guessed while the file was "
                 "read is told on\nstandard error, and stays in the capture. A capture is copied.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status == FGI_GO && import.out_path == NULL) {
        status = fgi_command_fail(line.name, FGI_EXIT_USAGE, "expected: frameglass import %s",
                                  line.operands);
    }
    if (status == FGI_GO && import.as_json && strcmp(import.out_path, "-") == 0) {
        status = fgi_command_fail(line.name, FGI_EXIT_USAGE,
                                  "--json and -o - exclude each other: both are standard output");
    }
    if (status == FGI_GO) {
        status = fgi_input_open(line.name, path, &import.input);
    }
    if (status != FGI_GO) {
        return status;
    }
    status = run(&import);
    fgi_input_close(&import.input);
    return status;
}
