/* SPDX-License-Identifier: MIT */
/* zstd (RFC 8878), of one or several frames. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/result.h"
#include "open/packing_priv.h"

#include <zstd.h>

enum { OUTPUT_BYTES = 256 << 10 };

struct unzstd {
    const struct fg_sink *sink;
    struct fg_diag *diag;
    ZSTD_DCtx *decoder;
    uint8_t *output;
    bool inside_frame;
};

/* A frame, or one that decoders skip. */
static bool sniff_zstd(const uint8_t *head, size_t size)
{
    if (size < 4) {
        return false;
    }
    uint32_t magic = fgi_load_u32(head);
    return magic == 0xFD2FB528u || (magic & 0xFFFFFFF0u) == 0x184D2A50u;
}

static enum fg_result consume_zstd(void *context, uint64_t offset, const uint8_t *bytes,
                                   size_t size)
{
    struct unzstd *state = context;
    ZSTD_inBuffer input = { bytes, size, 0 };
    bool more = true;
    while (more) {
        ZSTD_outBuffer output = { state->output, OUTPUT_BYTES, 0 };
        size_t status = ZSTD_decompressStream(state->decoder, &output, &input);
        enum fg_result result =
            output.pos > 0 ? state->sink->write(state->sink->context, state->output, output.pos)
                           : FG_OK;
        if (result != FG_OK) {
            return fgi_fail(state->diag, result, offset + input.pos,
                            "the unpacked bytes cannot be kept: %s", fg_result_text(result));
        }
        if (ZSTD_isError(status)) {
            return fgi_fail(state->diag, FG_ERR_CORRUPT, offset + input.pos,
                            "the zstd stream is damaged: %s", ZSTD_getErrorName(status));
        }
        state->inside_frame = status != 0;
        more = input.pos < input.size || (status != 0 && output.pos == output.size);
    }
    return FG_OK;
}

static enum fg_result unpack_zstd(const struct fgi_unpack *work, struct fg_diag *diag)
{
    struct unzstd state = { .sink = work->sink, .diag = diag };
    enum fg_result result = FG_ERR_NO_MEMORY;
    state.output = fgi_malloc(work->allocator, OUTPUT_BYTES);
    state.decoder = ZSTD_createDCtx();
    if (state.output != NULL && state.decoder != NULL) {
        result = fgi_unpack_pieces(work, diag, &state, consume_zstd);
        if (result == FG_OK && state.inside_frame) {
            uint64_t size = 0;
            (void)work->packed->size(work->packed->context, &size);
            result = fgi_fail(diag, FG_ERR_CORRUPT, size, "the zstd stream is cut short");
        }
    }
    ZSTD_freeDCtx(state.decoder);
    fgi_free(work->allocator, state.output, OUTPUT_BYTES);
    return result;
}

const struct fgi_packing fgi_packing_zstd = {
    .name = "zstd",
    .sniff = sniff_zstd,
    .unpack = unpack_zstd,
};
