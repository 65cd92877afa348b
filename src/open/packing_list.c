/* SPDX-License-Identifier: MIT */
#include "open/packing.h"
#include "base/alloc.h"
#include "base/result.h"
#include "open/packing_priv.h"

enum { PIECE_BYTES = 256 << 10 };

static const struct fgi_packing *const packings[] = {
    &fgi_packing_gzip,
    &fgi_packing_zip,
    &fgi_packing_zstd,
};

const struct fgi_packing *fgi_packing_find(const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
        if (packings[i]->sniff(head, size)) {
            return packings[i];
        }
    }
    return NULL;
}

static enum fg_result feed(const struct fgi_unpack *work, uint8_t *buffer, struct fg_diag *diag,
                           void *context,
                           enum fg_result (*consume)(void *, uint64_t, const uint8_t *, size_t))
{
    const struct fg_source *packed = work->packed;
    uint64_t total = 0;
    enum fg_result result = packed->size(packed->context, &total);
    for (uint64_t offset = 0; result == FG_OK;) {
        size_t got = 0;
        if (work->progress != NULL && !work->progress(work->progress_context, offset, total)) {
            return FG_ERR_CANCELLED;
        }
        result = packed->read_at(packed->context, offset, buffer, PIECE_BYTES, &got);
        if (result != FG_OK) {
            return fgi_fail(diag, result, offset, "the packed bytes cannot be read");
        }
        if (got == 0) {
            return FG_OK;
        }
        result = consume(context, offset, buffer, got);
        offset += got;
    }
    return result;
}

enum fg_result fgi_unpack_pieces(const struct fgi_unpack *work, struct fg_diag *diag, void *context,
                                 enum fg_result (*consume)(void *, uint64_t, const uint8_t *,
                                                           size_t))
{
    uint8_t *buffer = fgi_malloc(work->allocator, PIECE_BYTES);
    if (buffer == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = feed(work, buffer, diag, context, consume);
    fgi_free(work->allocator, buffer, PIECE_BYTES);
    return result;
}
