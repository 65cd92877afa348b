/* SPDX-License-Identifier: MIT */
/* Inputs that are named on a command line: files, standard input, pipes. */
#include "base/alloc.h"
#include "base/result.h"
#include "open/document_priv.h"
#include "open/gate.h"
#include "open/spool.h"

#include <stdio.h>
#include <string.h>

enum { PIECE_BYTES = 256 << 10 };

static enum fg_result drain(FILE *stream, struct fgi_spool *spool,
                            const struct fg_open_options *options, struct fg_diag *diag)
{
    uint8_t *piece = fgi_malloc(options->allocator, PIECE_BYTES);
    if (piece == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    struct fg_sink kept = fgi_spool_sink(spool);
    struct fgi_gate gate = { .to = &kept, .format = options->format };
    struct fg_sink sink = fgi_gate_sink(&gate);
    enum fg_result result = FG_OK;
    uint64_t offset = 0;
    size_t got;
    while (result == FG_OK && (got = fread(piece, 1, PIECE_BYTES, stream)) > 0) {
        result = sink.write(sink.context, piece, got);
        if (result == FG_ERR_FORMAT) {
            fgi_open_no_format(options->format, gate.head, gate.head_size, diag);
        } else if (result != FG_OK) {
            fgi_fail(diag, result, offset, "the input cannot be kept: %s", fg_result_text(result));
        }
        offset += got;
        if (options->progress != NULL && !options->progress(options->progress_context, offset, 0)) {
            result = FG_ERR_CANCELLED;
        }
    }
    if (result == FG_OK && ferror(stream)) {
        result = fgi_fail(diag, FG_ERR_IO, offset, "the input cannot be read");
    }
    fgi_free(options->allocator, piece, PIECE_BYTES);
    return result;
}

/* What can only be read once, in order. */
static enum fg_result open_stream(FILE *stream, const struct fg_open_options *options,
                                  struct fg_diag *diag, struct fg_document **out_document)
{
    struct fgi_spool *spool = NULL;
    enum fg_result result = fgi_spool_create(
        options->allocator,
        options->spool_memory_bytes ? options->spool_memory_bytes : FGI_SPOOL_MEMORY_BYTES,
        options->spool_limit_bytes ? options->spool_limit_bytes : FGI_SPOOL_LIMIT_BYTES, &spool);
    if (result != FG_OK) {
        return result;
    }
    result = drain(stream, spool, options, diag);
    if (result == FG_OK) {
        struct fg_source source = fgi_spool_source(spool);
        result = fgi_document_open(&source, NULL, spool, options, diag, out_document);
    }
    if (result != FG_OK) {
        fgi_spool_destroy(spool);
    }
    return result;
}

static enum fg_result open_pipe(const char *path, const struct fg_open_options *options,
                                struct fg_diag *diag, struct fg_document **out_document)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return fgi_fail(diag, FG_ERR_IO, 0, "it cannot be opened for reading");
    }
    enum fg_result result = open_stream(stream, options, diag, out_document);
    fclose(stream);
    return result;
}

enum fg_result fg_open_path(const char *path, const struct fg_open_options *options,
                            struct fg_diag *diag, struct fg_document **out_document)
{
    static const struct fg_open_options none = { 0 };
    if (path == NULL || out_document == NULL) {
        return FG_ERR_ARGUMENT;
    }
    options = options != NULL ? options : &none;
    if (strcmp(path, "-") == 0) {
        return open_stream(stdin, options, diag, out_document);
    }
    struct fg_file_source *file = NULL;
    struct fg_source source;
    enum fg_result result = fg_file_source_open(path, &file, &source);
    if (result == FG_ERR_UNSUPPORTED) {
        return open_pipe(path, options, diag, out_document);
    }
    if (result != FG_OK) {
        return fgi_fail(diag, result, 0, "%s",
                        result == FG_ERR_NOT_FOUND ? "there is no such file"
                                                   : "it cannot be opened for reading");
    }
    result = fgi_document_open(&source, file, NULL, options, diag, out_document);
    if (result != FG_OK) {
        fg_file_source_close(file);
    }
    return result;
}
