/* SPDX-License-Identifier: MIT */
/* frameglass repair: what is valid of a capture, in a fresh file that is closed. */
#include "cli/cli_file.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/cli_terminal.h"
#include "open/document.h"
#include <frameglass/capture.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static enum fg_result repair_to(const struct fgi_input *input, const struct fg_sink *sink,
                                struct fg_diag *diag, struct fg_capture_repair_report *report)
{
    return fg_capture_repair(fgi_document_source(input->document), NULL, sink, diag, report);
}

/* Standard output cannot be patched, which closing a capture needs: so through memory. */
static enum fg_result repair_to_output(const struct fgi_input *input, struct fg_diag *diag,
                                       struct fg_capture_repair_report *report)
{
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    struct fg_sink output = fgi_output_sink();
    enum fg_result result = fg_memory_sink_create(NULL, 0, &memory, &sink);
    if (result == FG_OK) {
        result = repair_to(input, &sink, diag, report);
    }
    if (result == FG_OK) {
        size_t size = 0;
        const void *bytes = fg_memory_sink_bytes(memory, &size);
        result = output.write(output.context, bytes, size);
    }
    fg_memory_sink_destroy(memory);
    return result;
}

static enum fg_result repair_to_file(const struct fgi_input *input, const char *path,
                                     struct fg_diag *diag, struct fg_capture_repair_report *report)
{
    struct fgi_out_file file;
    struct fg_sink sink;
    enum fg_result result = fgi_out_file_begin(path, &file, &sink);
    if (result == FG_OK) {
        result = fgi_out_file_end(&file, repair_to(input, &sink, diag, report));
    }
    return result;
}

static int repair(const struct fgi_input *input, const char *out_path)
{
    struct fg_diag diag = { 0 };
    struct fg_capture_repair_report report = { 0 };
    bool to_output = strcmp(out_path, "-") == 0;
    if (fgi_document_capture(input->document) == NULL) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s files cannot be repaired",
                                fgi_input_name(input), fg_document_format(input->document));
    }
    if (!to_output && fgi_is_same_file(input->path, out_path)) {
        return fgi_command_fail(input->command, FGI_EXIT_USAGE, "%s: is the input itself",
                                out_path);
    }
    enum fg_result result = to_output ? repair_to_output(input, &diag, &report)
                                      : repair_to_file(input, out_path, &diag, &report);
    if (result != FG_OK) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s", out_path,
                                diag.message[0] != '\0' ? diag.message : fg_result_text(result));
    }
    fprintf(to_output ? stderr : stdout,
            "%s: %" PRIu64 " records kept, %" PRIu64 " left out, %" PRIu64
            " bytes of no record skipped, %" PRIu64 " defects; written to %s\n",
            fgi_input_name(input), report.kept_count, report.dropped_count, report.skipped_bytes,
            report.defect_count, to_output ? "standard output" : out_path);
    return fgi_output_end(input->command, FG_OK, FGI_EXIT_DONE);
}

int fgi_cmd_repair(int argc, char **argv)
{
    const char *out_path = NULL;
    const struct fgi_option options[] = {
        { .name = "output",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &out_path,
          .argument = "OUT.sgpt",
          .about = "where to; - for standard output" },
    };
    const struct fgi_command_line line = {
        .name = "repair",
        .operands = "FILE -o OUT.sgpt",
        .about = "Copy what is valid of a capture into a fresh file that is closed.",
        .notes =
            "Nothing is invented: records are copied byte for byte, only the directory and the "
            "header are new.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    struct fgi_input input;
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status == FGI_GO && out_path == NULL) {
        status = fgi_command_fail(line.name, FGI_EXIT_USAGE, "expected: frameglass repair %s",
                                  line.operands);
    }
    if (status == FGI_GO) {
        status = fgi_input_open_index(line.name, path, &input, NULL);
    }
    if (status != FGI_GO) {
        return status;
    }
    status = repair(&input, out_path);
    fgi_input_close(&input);
    return status;
}
