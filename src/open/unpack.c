/* SPDX-License-Identifier: MIT */
/* Undo packings, outermost first, into a spool. Builds without zlib and zstd use unpack_none.c. */
#include "base/result.h"
#include "open/document_priv.h"
#include "open/gate.h"
#include "open/packing.h"
#include "open/spool.h"

#include <string.h>

enum { HEAD_BYTES = 16 };

static void note_packing(struct fg_document *document, const char *name)
{
    size_t used = strlen(document->packing);
    size_t more = strlen(name) + (used > 0);
    if (used + more < sizeof document->packing) {
        if (used > 0) {
            document->packing[used++] = '+';
        }
        memcpy(document->packing + used, name, strlen(name) + 1);
    }
}

/* Replace the source by what is packed in it. Damage is kept for the user, it does not stop us. */
static enum fg_result unpack_once(struct fg_document *document, const struct fgi_packing *packing,
                                  struct fg_diag *diag)
{
    const struct fg_open_options *options = &document->options;
    struct fgi_spool *spool = NULL;
    enum fg_result result = fgi_spool_create(document->allocator, options->spool_memory_bytes,
                                             options->spool_limit_bytes, &spool);
    if (result != FG_OK) {
        return result;
    }
    struct fg_sink kept = fgi_spool_sink(spool);
    struct fgi_gate gate = { .to = &kept, .format = options->format };
    struct fg_sink sink = fgi_gate_sink(&gate);
    struct fgi_unpack work = {
        .allocator = document->allocator,
        .packed = &document->source,
        .sink = &sink,
        .progress = options->progress,
        .progress_context = options->progress_context,
    };
    struct fg_diag what = { 0 };
    result = packing->unpack(&work, &what);
    struct fg_source source = fgi_spool_source(spool);
    uint64_t size = 0;
    (void)source.size(source.context, &size);
    if (result == FG_ERR_CORRUPT && size == 0) {
        result = FG_ERR_FORMAT; /* whatever was packed, it cannot be known */
    }
    if (result == FG_ERR_FORMAT && gate.head_size == sizeof gate.head && !gate.is_open) {
        fgi_spool_destroy(spool);
        return fgi_open_no_format(options->format, gate.head, gate.head_size, diag);
    }
    if (result != FG_OK && result != FG_ERR_CORRUPT) {
        fgi_spool_destroy(spool);
        return fgi_fail(diag, result, what.offset, "%s",
                        what.message[0] ? what.message : fg_result_text(result));
    }
    if (result == FG_ERR_CORRUPT) {
        document->packing_defect = what;
    }
    fgi_spool_destroy(document->spool);
    document->spool = spool;
    document->source = source;
    note_packing(document, packing->name);
    return FG_OK;
}

enum fg_result fgi_document_unpack(struct fg_document *document, struct fg_diag *diag)
{
    for (int depth = 0; depth <= FGI_PACKING_DEPTH; depth++) {
        uint8_t head[HEAD_BYTES];
        size_t size = 0;
        const struct fg_source *source = &document->source;
        enum fg_result result = source->read_at(source->context, 0, head, sizeof head, &size);
        if (result != FG_OK) {
            return fgi_fail(diag, result, 0, "the input cannot be read");
        }
        const struct fgi_packing *packing = fgi_packing_find(head, size);
        if (packing == NULL) {
            return FG_OK;
        }
        if (depth == FGI_PACKING_DEPTH) {
            return fgi_fail(diag, FG_ERR_LIMIT, 0, "packed more than %d times over",
                            FGI_PACKING_DEPTH);
        }
        result = unpack_once(document, packing, diag);
        if (result != FG_OK) {
            return result;
        }
    }
    return FG_OK;
}

void fgi_document_free_spool(struct fgi_spool *spool)
{
    fgi_spool_destroy(spool);
}
