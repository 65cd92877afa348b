/* SPDX-License-Identifier: MIT */
/* frameglass validate: is every byte of a capture as docs/FORMAT.md says? */
#include "base/json.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "open/document.h"
#include <frameglass/capture.h>
#include <frameglass/trace.h>

#include <inttypes.h>
#include <stdio.h>

struct verdict {
    struct fg_capture_info info;
    const struct fg_capture_defect *defects;
    size_t listed_count;
    uint64_t defect_count;
    const char *packing_defect;
    bool is_valid;
};

/* Every record, so that every defect is found. */
static enum fg_result read_everything(struct fg_capture *capture)
{
    struct fg_capture_record record;
    enum fg_result result = FG_OK;
    while (result == FG_OK) {
        result = fg_capture_next(capture, &record);
    }
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

static enum fg_result print_json(const struct verdict *verdict)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 2 };
    fgi_json_object_begin(&json);
    fgi_json_key_bool(&json, "valid", verdict->is_valid);
    fgi_json_key_uint(&json, "version", verdict->info.version);
    fgi_json_key_bool(&json, "closed", verdict->info.closed);
    fgi_json_key_uint(&json, "size_bytes", verdict->info.size_bytes);
    fgi_json_key_uint(&json, "records", verdict->info.record_count);
    fgi_json_key_uint(&json, "skipped_records", verdict->info.skipped_count);
    fgi_json_key_uint(&json, "defect_count", verdict->defect_count);
    fgi_json_key(&json, "packing_defect");
    if (verdict->packing_defect != NULL) {
        fgi_json_text(&json, verdict->packing_defect);
    } else {
        fgi_json_null(&json);
    }
    fgi_json_key(&json, "defects");
    fgi_json_array_begin(&json);
    for (size_t i = 0; i < verdict->listed_count; i++) {
        const struct fg_capture_defect *defect = &verdict->defects[i];
        fgi_json_inline_object_begin(&json);
        fgi_json_key_text(&json, "kind", fg_capture_defect_name(defect->kind));
        fgi_json_key_uint(&json, "offset", defect->offset);
        fgi_json_key_uint(&json, "detail", defect->detail);
        fgi_json_key_text(&json, "meaning", fg_capture_defect_text(defect->kind));
        fgi_json_object_end(&json);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static void print_text(const struct fgi_input *input, const struct verdict *verdict)
{
    char size[40];
    const char *name = fgi_input_name(input);
    for (size_t i = 0; i < verdict->listed_count; i++) {
        const struct fg_capture_defect *defect = &verdict->defects[i];
        printf("%s: at byte %" PRIu64 ": %s: %s (%" PRIu64 ")\n", name, defect->offset,
               fg_capture_defect_name(defect->kind), fg_capture_defect_text(defect->kind),
               defect->detail);
    }
    if (verdict->defect_count > verdict->listed_count) {
        printf("%s: and %" PRIu64 " more\n", name, verdict->defect_count - verdict->listed_count);
    }
    if (verdict->packing_defect != NULL) {
        printf("%s: %s\n", name, verdict->packing_defect);
    }
    if (verdict->info.skipped_count > 0) {
        printf("%s: %" PRIu64 " records of kinds that this version does not know: no defect\n",
               name, verdict->info.skipped_count);
    }
    if (!verdict->info.closed) {
        printf("%s: not closed: the recording was cut off, or still goes on: no defect\n", name);
    }
    printf("%s: %s: version %u, %s, %" PRIu64 " records, %" PRIu64 " defects\n", name,
           verdict->is_valid ? "valid" : "not valid", (unsigned)verdict->info.version,
           fgi_bytes_text(verdict->info.size_bytes, size, sizeof size), verdict->info.record_count,
           verdict->defect_count);
}

static enum fg_result look_at_capture(struct fg_capture *capture, struct verdict *verdict)
{
    enum fg_result result = read_everything(capture);
    fg_capture_get_info(capture, &verdict->info);
    verdict->defects = fg_capture_defects(capture, &verdict->listed_count);
    verdict->defect_count = fg_capture_defect_count(capture);
    return result;
}

/* A format that has no defects to list: such a file is refused as a whole, or valid. */
static enum fg_result look_at_other(struct fg_document *document, struct verdict *verdict)
{
    struct fg_trace_info info;
    const struct fg_source *source = fgi_document_source(document);
    enum fg_result result = source->size(source->context, &verdict->info.size_bytes);
    if (result == FG_OK) {
        result = fg_document_load(document, NULL);
    }
    if (result == FG_OK) {
        fg_trace_get_info(fg_document_trace(document), &info);
        verdict->info.version = info.version;
        verdict->info.closed = info.closed;
        verdict->info.record_count = info.spans + info.instants + info.objects;
    }
    return result;
}

static int validate(const struct fgi_input *input, bool as_json)
{
    struct fg_capture *capture = fgi_document_capture(input->document);
    struct verdict verdict = { .packing_defect = fg_document_packing_defect(input->document) };
    enum fg_result result = capture != NULL ? look_at_capture(capture, &verdict)
                                            : look_at_other(input->document, &verdict);
    if (result != FG_OK) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s", fgi_input_name(input),
                                fg_result_text(result));
    }
    verdict.is_valid = verdict.defect_count == 0 && verdict.packing_defect == NULL;
    if (as_json) {
        result = print_json(&verdict);
    } else {
        print_text(input, &verdict);
    }
    return fgi_output_end(input->command, result, verdict.is_valid ? FGI_EXIT_DONE : FGI_EXIT_NO);
}

int fgi_cmd_validate(int argc, char **argv)
{
    bool as_json = false;
    const struct fgi_option options[] = {
        FGI_OPTION_JSON(&as_json),
    };
    const struct fgi_command_line line = {
        .name = "validate",
        .operands = "FILE",
        .about = "Is every byte of a capture as docs/FORMAT.md says? Lists each defect.",
        .notes = "Exit status 0: valid, 1: not valid. A capture that was not closed is valid.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    struct fgi_input input;
    enum fg_result result;
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status != FGI_GO) {
        return status;
    }
    status = fgi_input_open_index(line.name, path, &input, &result);
    if (status != FGI_GO) {
        /* It is a capture, and its header is damaged: that is an answer. */
        return result == FG_ERR_CORRUPT ? FGI_EXIT_NO : status;
    }
    status = validate(&input, as_json);
    fgi_input_close(&input);
    return status;
}
