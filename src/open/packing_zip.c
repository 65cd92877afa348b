/* SPDX-License-Identifier: MIT */
/*
 * A ZIP archive (APPNOTE 6.3) that holds one file, stored or deflated. What is in it is read from
 * the directory at its end, so that sizes that came behind the data are known; an archive without
 * its end is read from its beginning, as far as it goes.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/result.h"
#include "open/packing_priv.h"

#include <string.h>
#include <zlib.h>

enum {
    PIECE_BYTES = 256 << 10,
    LOCAL_BYTES = 30,
    ENTRY_BYTES = 46,
    END_BYTES = 22,
    COMMENT_MAX = 65535,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    FLAG_ENCRYPTED = 1,
    FLAG_SIZES_BEHIND = 8,
};
#define LOCAL_MAGIC   0x04034B50u
#define ENTRY_MAGIC   0x02014B50u
#define END_MAGIC     0x06054B50u
#define SIZE_IS_ZIP64 0xFFFFFFFFu

/* The one file of an archive. */
struct member {
    uint32_t method, flags, crc;
    uint64_t packed_bytes, local_offset, data_offset;
    bool has_size; /* packed_bytes and crc are known */
};

struct unzip {
    const struct fgi_unpack *work;
    struct fg_diag *diag;
    struct member member;
    uint8_t *input, *output;
    uint32_t crc;
    z_stream stream;
    bool is_over; /* the deflated stream has ended */
};

static bool sniff_zip(const uint8_t *head, size_t size)
{
    return size >= 4 && fgi_load_u32(head) == LOCAL_MAGIC;
}

/* All of `size` bytes; false: they are not there. */
static bool read_all(const struct fgi_unpack *work, uint64_t offset, void *bytes, size_t size,
                     enum fg_result *result)
{
    size_t got = 0;
    *result = work->packed->read_at(work->packed->context, offset, bytes, size, &got);
    return *result == FG_OK && got == size;
}

static enum fg_result refuse(struct fg_diag *diag, uint64_t offset, const char *why)
{
    return fgi_fail(diag, FG_ERR_UNSUPPORTED, offset, "the ZIP archive %s", why);
}

/* ---- what is in it --------------------------------------------------------------------------- */

/* Offset of the record at the end of the archive; false: there is none. */
static bool find_end(const struct fgi_unpack *work, uint8_t *buffer, uint64_t *out_offset,
                     enum fg_result *result)
{
    uint64_t size = 0;
    *result = work->packed->size(work->packed->context, &size);
    if (*result != FG_OK || size < END_BYTES) {
        return false;
    }
    size_t tail = size < END_BYTES + COMMENT_MAX ? (size_t)size : END_BYTES + COMMENT_MAX;
    if (!read_all(work, size - tail, buffer, tail, result)) {
        return false;
    }
    for (size_t at = tail - END_BYTES + 1; at-- > 0;) {
        if (fgi_load_u32(buffer + at) == END_MAGIC) {
            *out_offset = size - tail + at;
            return true;
        }
    }
    return false;
}

/* Take an entry of the directory, unless it is a folder. */
static enum fg_result take_entry(struct unzip *zip, const uint8_t *entry, char last_of_name,
                                 uint64_t offset, unsigned *count)
{
    if (last_of_name == '/') {
        return FG_OK;
    }
    if (++*count > 1) {
        return refuse(zip->diag, offset, "holds more than one file: unpack the one that is meant");
    }
    zip->member = (struct member){
        .flags = fgi_load_u16(entry + 8),
        .method = fgi_load_u16(entry + 10),
        .crc = fgi_load_u32(entry + 16),
        .packed_bytes = fgi_load_u32(entry + 20),
        .local_offset = fgi_load_u32(entry + 42),
        .has_size = true,
    };
    bool is_zip64 = fgi_load_u32(entry + 20) == SIZE_IS_ZIP64 ||
                    fgi_load_u32(entry + 24) == SIZE_IS_ZIP64 ||
                    fgi_load_u32(entry + 42) == SIZE_IS_ZIP64;
    return is_zip64 ? refuse(zip->diag, offset, "is of the ZIP64 kind, which is not read") : FG_OK;
}

static enum fg_result read_directory(struct unzip *zip, uint64_t end_offset)
{
    uint8_t end[END_BYTES], entry[ENTRY_BYTES];
    enum fg_result result = FG_OK;
    unsigned count = 0;
    if (!read_all(zip->work, end_offset, end, sizeof end, &result)) {
        return result != FG_OK ? result : FG_ERR_CORRUPT;
    }
    uint32_t entries = fgi_load_u16(end + 10);
    uint64_t at = fgi_load_u32(end + 16);
    if (entries == 0xFFFF || at == SIZE_IS_ZIP64) {
        return refuse(zip->diag, end_offset, "is of the ZIP64 kind, which is not read");
    }
    for (uint32_t i = 0; i < entries && result == FG_OK; i++) {
        char last = 0;
        if (!read_all(zip->work, at, entry, sizeof entry, &result) ||
            fgi_load_u32(entry) != ENTRY_MAGIC) {
            return result != FG_OK ? result
                                   : fgi_fail(zip->diag, FG_ERR_FORMAT, at,
                                              "the directory of the ZIP archive is damaged");
        }
        uint32_t name = fgi_load_u16(entry + 28);
        if (name > 0 && !read_all(zip->work, at + ENTRY_BYTES + name - 1, &last, 1, &result)) {
            return result != FG_OK ? result : FG_ERR_FORMAT;
        }
        result = take_entry(zip, entry, last, at, &count);
        at += (uint64_t)ENTRY_BYTES + name + fgi_load_u16(entry + 30) + fgi_load_u16(entry + 32);
    }
    return result == FG_OK && count == 0 ? refuse(zip->diag, end_offset, "holds no file") : result;
}

/* The header before the data: where they begin, and, without a directory, what they are. */
static enum fg_result read_local(struct unzip *zip)
{
    struct member *member = &zip->member;
    uint8_t local[LOCAL_BYTES];
    enum fg_result result = FG_OK;
    if (!read_all(zip->work, member->local_offset, local, sizeof local, &result) ||
        fgi_load_u32(local) != LOCAL_MAGIC) {
        return result != FG_OK ? result
                               : fgi_fail(zip->diag, FG_ERR_FORMAT, member->local_offset,
                                          "the file of the ZIP archive is not where it must be");
    }
    if (!member->has_size) {
        member->flags = fgi_load_u16(local + 6);
        member->method = fgi_load_u16(local + 8);
        member->crc = fgi_load_u32(local + 14);
        member->packed_bytes = fgi_load_u32(local + 18);
        member->has_size = (member->flags & FLAG_SIZES_BEHIND) == 0;
    }
    member->data_offset =
        member->local_offset + LOCAL_BYTES + fgi_load_u16(local + 26) + fgi_load_u16(local + 28);
    if ((member->flags & FLAG_ENCRYPTED) != 0) {
        return refuse(zip->diag, member->local_offset, "is encrypted");
    }
    if (member->packed_bytes == SIZE_IS_ZIP64) {
        return refuse(zip->diag, member->local_offset, "is of the ZIP64 kind, which is not read");
    }
    if (member->method != METHOD_STORED && member->method != METHOD_DEFLATED) {
        return refuse(zip->diag, member->local_offset,
                      "is packed in another way than stored or deflated");
    }
    if (member->method == METHOD_STORED && !member->has_size) {
        return refuse(zip->diag, member->local_offset,
                      "is cut, and does not say how long its file is");
    }
    return FG_OK;
}

/* ---- its bytes ------------------------------------------------------------------------------- */

static enum fg_result give(struct unzip *zip, const uint8_t *bytes, size_t size, uint64_t offset)
{
    const struct fg_sink *sink = zip->work->sink;
    zip->crc = (uint32_t)crc32(zip->crc, bytes, (uInt)size);
    enum fg_result result = size > 0 ? sink->write(sink->context, bytes, size) : FG_OK;
    return result == FG_OK
               ? FG_OK
               : fgi_fail(zip->diag, result, offset, "the unpacked bytes cannot be kept: %s",
                          fg_result_text(result));
}

static enum fg_result inflate_piece(struct unzip *zip, uint64_t offset, size_t size)
{
    z_stream *stream = &zip->stream;
    stream->next_in = zip->input;
    stream->avail_in = (uInt)size;
    bool more = true;
    while (more && !zip->is_over) {
        stream->next_out = zip->output;
        stream->avail_out = PIECE_BYTES;
        int status = inflate(stream, Z_NO_FLUSH);
        uint64_t at = offset + (size - stream->avail_in);
        enum fg_result result = give(zip, zip->output, PIECE_BYTES - stream->avail_out, at);
        if (result != FG_OK) {
            return result;
        }
        if (status == Z_MEM_ERROR) {
            return FG_ERR_NO_MEMORY;
        }
        if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END) {
            return fgi_fail(zip->diag, FG_ERR_CORRUPT, at, "the ZIP archive is damaged: %s",
                            stream->msg != NULL ? stream->msg : "bad data");
        }
        zip->is_over = status == Z_STREAM_END;
        more = stream->avail_in > 0 || stream->avail_out == 0;
    }
    return FG_OK;
}

static enum fg_result unpack_member(struct unzip *zip)
{
    const struct fgi_unpack *work = zip->work;
    const struct member *member = &zip->member;
    uint64_t size = 0;
    enum fg_result result = work->packed->size(work->packed->context, &size);
    uint64_t end = member->has_size && member->packed_bytes < size - member->data_offset
                       ? member->data_offset + member->packed_bytes
                       : size;
    uint64_t at = member->data_offset;
    while (result == FG_OK && at < end && !zip->is_over) {
        size_t got = 0;
        size_t want = end - at < PIECE_BYTES ? (size_t)(end - at) : PIECE_BYTES;
        if (work->progress != NULL && !work->progress(work->progress_context, at, size)) {
            return FG_ERR_CANCELLED;
        }
        result = work->packed->read_at(work->packed->context, at, zip->input, want, &got);
        if (result != FG_OK || got == 0) {
            break;
        }
        result = member->method == METHOD_STORED ? give(zip, zip->input, got, at)
                                                 : inflate_piece(zip, at, got);
        at += got;
    }
    bool is_whole = member->method == METHOD_STORED
                        ? at - member->data_offset == member->packed_bytes
                        : zip->is_over;
    if (result == FG_OK && !is_whole) {
        result = fgi_fail(zip->diag, FG_ERR_CORRUPT, at, "the ZIP archive is cut short");
    }
    if (result == FG_OK && member->has_size && zip->crc != member->crc) {
        result = fgi_fail(zip->diag, FG_ERR_CORRUPT, at,
                          "the file in the ZIP archive does not match its checksum");
    }
    return result;
}

static enum fg_result unpack_zip(const struct fgi_unpack *work, struct fg_diag *diag)
{
    struct unzip zip = { .work = work, .diag = diag };
    uint64_t end_offset = 0;
    enum fg_result result = FG_ERR_NO_MEMORY;
    zip.input = fgi_malloc(work->allocator, PIECE_BYTES);
    zip.output = fgi_malloc(work->allocator, PIECE_BYTES);
    if (zip.input != NULL && zip.output != NULL && inflateInit2(&zip.stream, -15) == Z_OK) {
        bool has_end = find_end(work, zip.input, &end_offset, &result);
        if (result == FG_OK && has_end) {
            result = read_directory(&zip, end_offset);
        }
        if (result == FG_OK) {
            result = read_local(&zip);
        }
        if (result == FG_OK) {
            result = unpack_member(&zip);
        }
        inflateEnd(&zip.stream);
    }
    fgi_free(work->allocator, zip.output, PIECE_BYTES);
    fgi_free(work->allocator, zip.input, PIECE_BYTES);
    return result;
}

const struct fgi_packing fgi_packing_zip = {
    .name = "zip",
    .sniff = sniff_zip,
    .unpack = unpack_zip,
};
