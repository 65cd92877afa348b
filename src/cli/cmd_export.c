/* SPDX-License-Identifier: MIT */
/* frameglass export: the same trace in the formats of other tools. */
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/cli_terminal.h"
#include "convert/exporter.h"

#include <stdio.h>
#include <string.h>

/* "chrome|graph-json|csv" */
static void list_formats(char *text, size_t size)
{
    const struct fgi_exporter *exporter;
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; (exporter = fgi_exporter_get(i)) != NULL && used < size; i++) {
        int more = snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", exporter->name);
        used += more > 0 ? (size_t)more : 0;
    }
}

static enum fg_result write_export(const struct fgi_input *input,
                                   const struct fgi_exporter *exporter, const struct fg_sink *sink)
{
    char what[80];
    struct fgi_progress progress = { .what = what };
    struct fgi_export work = {
        .trace = input->trace,
        .sink = sink,
        .progress = fgi_progress_step,
        .progress_context = &progress,
    };
    snprintf(what, sizeof what, "writing %.60s", exporter->name);
    enum fg_result result = exporter->write(&work);
    fgi_progress_end(&progress);
    return result;
}

static int export_to_file(const struct fgi_input *input, const struct fgi_exporter *exporter,
                          const char *path)
{
    struct fg_file_sink *file = NULL;
    struct fg_sink sink;
    if (fgi_is_same_file(input->path, path)) {
        return fgi_command_fail(input->command, FGI_EXIT_USAGE, "%s: is the input itself", path);
    }
    enum fg_result result = fg_file_sink_open(path, &file, &sink);
    if (result != FG_OK) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s", path,
                                fg_result_text(result));
    }
    result = write_export(input, exporter, &sink);
    enum fg_result closed = fg_file_sink_close(file);
    if (result != FG_OK || closed != FG_OK) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s", path,
                                fg_result_text(result != FG_OK ? result : closed));
    }
    return FGI_EXIT_DONE;
}

int fgi_cmd_export(int argc, char **argv)
{
    char formats[120];
    const char *to = NULL;
    const char *out_path = "-";
    const struct fgi_option options[] = {
        { .name = "to",
          .kind = FGI_OPTION_TEXT,
          .value = &to,
          .argument = formats,
          .about = "the format" },
        { .name = "output",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &out_path,
          .argument = "OUT",
          .about = "where to; standard output when not given" },
    };
    const struct fgi_command_line line = {
        .name = "export",
        .operands = "FILE --to FORMAT",
        .about = "Write a capture in the format of another tool.",
        .notes = "chrome      Trace Event JSON for chrome://tracing, Perfetto and others\n"
                 "graph-json  passes, resources and edges of every frame graph\n"
                 "csv         one line for each span",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    struct fgi_input input;
    list_formats(formats, sizeof formats);
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status != FGI_GO) {
        return status;
    }
    const struct fgi_exporter *exporter = to != NULL ? fgi_exporter_find(to) : NULL;
    if (exporter == NULL) {
        return fgi_command_fail(line.name, FGI_EXIT_USAGE, "%s%s%sexpected --to %s",
                                to != NULL ? "--to does not take '" : "", to != NULL ? to : "",
                                to != NULL ? "': " : "", formats);
    }
    status = fgi_input_open(line.name, path, &input);
    if (status != FGI_GO) {
        return status;
    }
    if (strcmp(out_path, "-") == 0) {
        struct fg_sink sink = fgi_output_sink();
        status = fgi_output_end(line.name, write_export(&input, exporter, &sink), FGI_EXIT_DONE);
    } else {
        status = export_to_file(&input, exporter, out_path);
    }
    fgi_input_close(&input);
    return status;
}
