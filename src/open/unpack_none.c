/* SPDX-License-Identifier: MIT */
/* For builds without zlib and zstd: a page has its own streams for both. */
#include "base/bytes.h"
#include "base/result.h"
#include "open/document_priv.h"
#include "open/spool.h"

enum fg_result fgi_document_unpack(struct fg_document *document, struct fg_diag *diag)
{
    uint8_t head[4] = { 0 };
    size_t size = 0;
    const struct fg_source *source = &document->source;
    enum fg_result result = source->read_at(source->context, 0, head, sizeof head, &size);
    if (result != FG_OK) {
        return fgi_fail(diag, result, 0, "the input cannot be read");
    }
    bool is_gzip = size >= 3 && head[0] == 0x1F && head[1] == 0x8B && head[2] == 8;
    bool is_zstd = size == 4 && fgi_load_u32(head) == 0xFD2FB528u;
    bool is_zip = size == 4 && fgi_load_u32(head) == 0x04034B50u;
    if (is_gzip || is_zstd || is_zip) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "%s must be unpacked before it comes here",
                        is_gzip   ? "gzip"
                        : is_zstd ? "zstd"
                                  : "a ZIP archive");
    }
    return FG_OK;
}

/* Nothing is ever unpacked here, so no spool is ever made. */
void fgi_spool_destroy(struct fgi_spool *spool)
{
    (void)spool;
}

void fgi_document_free_spool(struct fgi_spool *spool)
{
    (void)spool; /* such a build makes none */
}
