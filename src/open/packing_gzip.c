/* SPDX-License-Identifier: MIT */
/* gzip (RFC 1952), of one or several members, as `cat a.gz b.gz` and parallel packers make it. */
#include "base/alloc.h"
#include "base/result.h"
#include "open/packing_priv.h"

#include <string.h>
#include <zlib.h>

enum {
    OUTPUT_BYTES = 256 << 10,
    WINDOW_BITS_GZIP = 15 + 16, /* zlib's way to ask for gzip framing */
};

struct gunzip {
    const struct fg_sink *sink;
    struct fg_diag *diag;
    z_stream stream;
    uint8_t *output;
    bool between_members;
    bool ended; /* what follows is padding */
};

static bool sniff_gzip(const uint8_t *head, size_t size)
{
    return size >= 3 && head[0] == 0x1F && head[1] == 0x8B && head[2] == 8;
}

/* After a member only another may follow; zero padding, as tape blocks have it, ends the stream. */
static enum fg_result begin_member(struct gunzip *state, uint64_t offset)
{
    const uint8_t *next = state->stream.next_in;
    if (next[0] == 0) {
        state->ended = true;
        return FG_OK;
    }
    if (next[0] != 0x1F) {
        return fgi_fail(state->diag, FG_ERR_CORRUPT, offset,
                        "after the end of the gzip stream comes something that is not gzip");
    }
    state->between_members = false;
    return inflateReset(&state->stream) == Z_OK ? FG_OK : FG_ERR_NO_MEMORY;
}

static enum fg_result inflate_some(struct gunzip *state, uint64_t offset)
{
    z_stream *stream = &state->stream;
    stream->next_out = state->output;
    stream->avail_out = OUTPUT_BYTES;
    int status = inflate(stream, Z_NO_FLUSH);
    size_t made = OUTPUT_BYTES - stream->avail_out;
    enum fg_result result =
        made > 0 ? state->sink->write(state->sink->context, state->output, made) : FG_OK;
    if (result != FG_OK) {
        return fgi_fail(state->diag, result, offset, "the unpacked bytes cannot be kept: %s",
                        fg_result_text(result));
    }
    if (status == Z_STREAM_END) {
        state->between_members = true;
        return FG_OK;
    }
    if (status == Z_MEM_ERROR) {
        return FG_ERR_NO_MEMORY;
    }
    if (status != Z_OK && status != Z_BUF_ERROR) {
        return fgi_fail(state->diag, FG_ERR_CORRUPT, offset, "the gzip stream is damaged: %s",
                        stream->msg != NULL ? stream->msg : "bad data");
    }
    return FG_OK;
}

static enum fg_result consume_gzip(void *context, uint64_t offset, const uint8_t *bytes,
                                   size_t size)
{
    struct gunzip *state = context;
    z_stream *stream = &state->stream;
    /* zlib does not write through next_in, it only lacks the const. */
    stream->next_in = (Bytef *)(uintptr_t)bytes;
    stream->avail_in = (uInt)size;
    enum fg_result result = FG_OK;
    bool more = true;
    while (result == FG_OK && more && !state->ended) {
        uint64_t at = offset + (size - stream->avail_in);
        if (state->between_members) {
            more = stream->avail_in > 0;
            result = more ? begin_member(state, at) : FG_OK;
        } else {
            result = inflate_some(state, at);
            more = stream->avail_in > 0 || stream->avail_out == 0;
        }
    }
    return result;
}

static enum fg_result unpack_gzip(const struct fgi_unpack *work, struct fg_diag *diag)
{
    struct gunzip state = { .sink = work->sink, .diag = diag };
    state.output = fgi_malloc(work->allocator, OUTPUT_BYTES);
    if (state.output == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = FG_ERR_NO_MEMORY;
    if (inflateInit2(&state.stream, WINDOW_BITS_GZIP) == Z_OK) {
        result = fgi_unpack_pieces(work, diag, &state, consume_gzip);
        if (result == FG_OK && !state.between_members && !state.ended) {
            uint64_t size = 0;
            (void)work->packed->size(work->packed->context, &size);
            result = fgi_fail(diag, FG_ERR_CORRUPT, size, "the gzip stream is cut short");
        }
        inflateEnd(&state.stream);
    }
    fgi_free(work->allocator, state.output, OUTPUT_BYTES);
    return result;
}

const struct fgi_packing fgi_packing_gzip = {
    .name = "gzip",
    .sniff = sniff_gzip,
    .unpack = unpack_gzip,
};
