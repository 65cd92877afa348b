/* SPDX-License-Identifier: MIT */
#include "cli/cli_copy.h"
#include "base/alloc.h"
#include "base/result.h"
#include "convert/exporter.h"
#include "open/document.h"
#include <frameglass/capture_copy.h>

#include <inttypes.h>
#include <stdio.h>

enum { PIECE_BYTES = 256 << 10 };

static enum fg_result copy_pieces(const struct fg_source *source, const struct fg_sink *sink,
                                  struct fgi_progress *progress, uint8_t *piece)
{
    uint64_t size = 0;
    uint64_t offset = 0;
    enum fg_result result = source->size(source->context, &size);
    while (result == FG_OK && offset < size) {
        size_t want = size - offset < PIECE_BYTES ? (size_t)(size - offset) : PIECE_BYTES;
        size_t got = 0;
        result = source->read_at(source->context, offset, piece, want, &got);
        if (result == FG_OK) {
            result = got != 0 ? sink->write(sink->context, piece, got) : FG_ERR_IO;
        }
        offset += got;
        (void)fgi_progress_step(progress, offset, size);
    }
    return result;
}

static enum fg_result copy_bytes(const struct fg_source *source, const struct fg_sink *sink,
                                 struct fgi_progress *progress)
{
    uint8_t *piece = fgi_malloc(NULL, PIECE_BYTES);
    enum fg_result result =
        piece != NULL ? copy_pieces(source, sink, progress, piece) : FG_ERR_NO_MEMORY;
    fgi_free(NULL, piece, PIECE_BYTES);
    return result;
}

static void tell_left_out(const struct fgi_input *input,
                          const struct fg_capture_redact_report *report)
{
    if (report->unknown_count != 0) {
        fgi_command_fail(input->command, 0,
                         "%s: %" PRIu64 " records of kinds that this version does not know were "
                         "left out",
                         fgi_input_name(input), report->unknown_count);
    }
    if (report->refused_count != 0) {
        fgi_command_fail(input->command, 0,
                         "%s: %" PRIu64 " records were left out: they need what damage has taken",
                         fgi_input_name(input), report->refused_count);
    }
}

enum fg_result fgi_copy_capture(const struct fgi_input *input, bool redact,
                                const struct fg_sink *sink, struct fg_diag *diag)
{
    struct fgi_progress progress = { .what = redact ? "redacting" : "copying" };
    struct fg_capture_redact_report report = { 0 };
    const struct fg_source *source = fgi_document_source(input->document);
    enum fg_result result;
    if (redact && fgi_document_capture(input->document) == NULL) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0,
                        "%s files cannot be redacted: their names are all that they have",
                        fg_document_format(input->document));
    }
    if (redact) {
        const struct fg_capture_redact_options options = {
            .progress = fgi_progress_step,
            .progress_context = &progress,
        };
        result = fg_capture_redact(source, &options, sink, diag, &report);
    } else {
        result = copy_bytes(source, sink, &progress);
    }
    fgi_progress_end(&progress);
    if (result == FG_OK) {
        tell_left_out(input, &report);
    }
    return result;
}

/* ---- any trace as a capture ------------------------------------------------------------------ */

static void keep_left_out(void *context, const char *what, uint64_t count)
{
    struct fgi_left_out *left_out = context;
    if (left_out->count < sizeof left_out->kinds / sizeof *left_out->kinds) {
        left_out->kinds[left_out->count].what = what;
        left_out->kinds[left_out->count++].count = count;
    }
}

static enum fg_result convert(const struct fgi_input *input, const struct fg_sink *sink,
                              struct fgi_left_out *left_out)
{
    struct fgi_progress progress = { .what = "writing" };
    const struct fgi_export work = {
        .trace = input->trace,
        .sink = sink,
        .progress = fgi_progress_step,
        .progress_context = &progress,
        .lacks = keep_left_out,
        .lacks_context = left_out,
    };
    enum fg_result result = fgi_exporter_find("sgpt")->write(&work);
    fgi_progress_end(&progress);
    return result;
}

/* Closing a capture patches its header: what cannot be patched gets it from memory. */
static enum fg_result convert_in_memory(const struct fgi_input *input, const struct fg_sink *sink,
                                        struct fgi_left_out *left_out)
{
    struct fg_memory_sink *memory = NULL;
    struct fg_sink whole;
    size_t size = 0;
    enum fg_result result = fg_memory_sink_create(NULL, 0, &memory, &whole);
    if (result == FG_OK) {
        result = convert(input, &whole, left_out);
    }
    if (result == FG_OK) {
        const void *bytes = fg_memory_sink_bytes(memory, &size);
        result = sink->write(sink->context, bytes, size);
    }
    fg_memory_sink_destroy(memory);
    return result;
}

enum fg_result fgi_convert_capture(const struct fgi_input *input, const struct fg_sink *sink,
                                   struct fg_diag *diag, struct fgi_left_out *out_left_out)
{
    *out_left_out = (struct fgi_left_out){ 0 };
    if (fgi_document_capture(input->document) != NULL) {
        return fgi_copy_capture(input, false, sink, diag);
    }
    return sink->patch != NULL ? convert(input, sink, out_left_out)
                               : convert_in_memory(input, sink, out_left_out);
}
