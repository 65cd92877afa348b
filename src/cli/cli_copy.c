/* SPDX-License-Identifier: MIT */
#include "cli/cli_copy.h"
#include "base/alloc.h"
#include "base/result.h"
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
