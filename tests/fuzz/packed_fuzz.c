/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as Chrome JSON in every wrapping that an input may have. Whole, the wrapping changes
 * nothing of the trace; damaged or cut, it is a reason or what came before.
 *
 * The first byte of an input says which wrapping, the next three what happens to a byte of it.
 */
#include "base/bytes.h"
#include "base/hash.h"
#include "fuzz_memory.h"
#include "open/packing.h"
#include <frameglass/open.h>
#include <frameglass/trace.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum wrapping { PLAIN, GZIP, ZSTD, UTF16_LITTLE, UTF16_BIG, GZIP_IN_ZSTD, WRAPPINGS };
enum { HEAD = 4, STORED_MAX = 60000, LIMIT_BYTES = 1 << 20 };

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* ---- Wrappings: gzip and zstd can carry bytes as they are ------------------------------------ */

static void gzip(struct fgi_bytes *out, const uint8_t *data, size_t size)
{
    fgi_put_raw(out, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    uint32_t crc = fgi_crc32(0, data, size);
    fgi_put_u8(out, 1); /* the last block, stored */
    fgi_put_u16(out, (uint16_t)size);
    fgi_put_u16(out, (uint16_t)~size);
    fgi_put_raw(out, data, size);
    fgi_put_u32(out, crc);
    fgi_put_u32(out, (uint32_t)size);
}

static void zstd(struct fgi_bytes *out, const uint8_t *data, size_t size)
{
    fgi_put_u32(out, 0xFD2FB528u);
    fgi_put_u8(out, 0xA0); /* one segment, its size in four bytes */
    fgi_put_u32(out, (uint32_t)size);
    uint32_t block = (uint32_t)size << 3 | 1; /* the last block, as it is */
    fgi_put_u16(out, (uint16_t)block);
    fgi_put_u8(out, (uint8_t)(block >> 16));
    fgi_put_raw(out, data, size);
}

/* Bytes become the characters of those numbers. */
static void utf16(struct fgi_bytes *out, const uint8_t *data, size_t size, bool is_big)
{
    fgi_put_raw(out, is_big ? "\xfe\xff" : "\xff\xfe", 2);
    for (size_t i = 0; i < size; i++) {
        fgi_put_u16(out, is_big ? (uint16_t)(data[i] << 8) : data[i]);
    }
}

static void wrap(enum wrapping wrapping, struct fgi_bytes *out, const uint8_t *data, size_t size)
{
    struct fgi_bytes inner = { 0 };
    switch (wrapping) {
    case GZIP:
        gzip(out, data, size);
        break;
    case ZSTD:
        zstd(out, data, size);
        break;
    case UTF16_LITTLE:
    case UTF16_BIG:
        utf16(out, data, size, wrapping == UTF16_BIG);
        break;
    case GZIP_IN_ZSTD:
        gzip(&inner, data, size);
        zstd(out, inner.data, inner.size);
        break;
    default:
        fgi_put_raw(out, data, size);
        break;
    }
    must(out->result == FG_OK);
    fgi_bytes_finish(&inner);
}

/* ---- What comes of it ------------------------------------------------------------------------ */

static struct fg_document *open_bytes(const struct fg_source *source)
{
    struct fg_diag diag = { 0 };
    struct fg_document *document = NULL;
    const struct fg_open_options options = {
        .allocator = fgt_fuzz_allocator(),
        .spool_memory_bytes = LIMIT_BYTES,
        .spool_limit_bytes = LIMIT_BYTES,
        .format = "chrome",
    };
    enum fg_result result = fg_open_source(source, &options, &diag, &document);
    must(result == FG_OK || diag.message[0] != '\0');
    if (result == FG_OK) {
        result = fg_document_load(document, &diag);
        must(result == FG_OK || diag.message[0] != '\0');
    }
    if (result != FG_OK) {
        fg_document_close(document);
        document = NULL;
    }
    return document;
}

static void must_be_equal(const struct fg_document *a, const struct fg_document *b)
{
    must((a == NULL) == (b == NULL));
    if (a != NULL) {
        struct fg_trace_info one, other;
        fg_trace_get_info(fg_document_trace(a), &one);
        fg_trace_get_info(fg_document_trace(b), &other);
        must(one.spans == other.spans && one.unfinished == other.unfinished &&
             one.instants == other.instants && one.counter_samples == other.counter_samples &&
             one.dependencies == other.dependencies && one.repairs == other.repairs &&
             one.tracks == other.tracks && one.first_ns == other.first_ns);
    }
}

/* Characters beyond ASCII are others as bytes, and bytes may look packed by themselves. */
static bool is_plain(const uint8_t *data, size_t size)
{
    if (fgi_packing_find(data, size) != NULL) {
        return false;
    }
    while (size > 0 && data[size - 1] > 0 && data[size - 1] < 0x80) {
        size--;
    }
    return size == 0;
}

/* False: nothing was changed. */
static bool change(struct fgi_bytes *bytes, const uint8_t head[HEAD])
{
    size_t at = bytes->size == 0 ? 0 : fgi_load_u16(head + 1) % bytes->size;
    if (head[3] == 0xFF) {
        bytes->size = at;
    } else if (bytes->size > 0) {
        bytes->data[at] ^= head[3];
    }
    return head[3] != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD || size > STORED_MAX) {
        return 0;
    }
    struct fgi_bytes bytes = { 0 };
    enum wrapping wrapping = data[0] % WRAPPINGS;
    wrap(wrapping, &bytes, data + HEAD, size - HEAD);
    bool is_changed = change(&bytes, data);
    struct fg_memory_view view = { bytes.data, bytes.size };
    const struct fg_source source = fg_memory_source(&view);
    struct fg_document *wrapped = open_bytes(&source);
    if (!is_changed && wrapping != PLAIN && is_plain(data + HEAD, size - HEAD)) {
        struct fg_memory_view plain_view = { data + HEAD, size - HEAD };
        const struct fg_source plain_source = fg_memory_source(&plain_view);
        struct fg_document *plain = open_bytes(&plain_source);
        /* A mark of UTF-16 alone looks like JSON, whatever is behind it. */
        if (plain != NULL || (wrapping != UTF16_LITTLE && wrapping != UTF16_BIG)) {
            must_be_equal(plain, wrapped);
        }
        fg_document_close(plain);
    }
    fg_document_close(wrapped);
    fgi_bytes_finish(&bytes);
    fgt_fuzz_nothing_is_held();
    return 0;
}
