/* SPDX-License-Identifier: MIT */
#include "page/html.h"
#include "base/alloc.h"
#include "page/assets.h"

#include <string.h>
#include <zlib.h>

enum {
    READ_BYTES = 64 << 10,
    PACKED_BYTES = 48 << 10, /* a multiple of 3: base64 has no rest in between */
    TEXT_BYTES = PACKED_BYTES / 3 * 4,
    GZIP_WINDOW_BITS = 15 + 16,
};

/* Where the capture goes: the build writes exactly this, and nothing between it and its end. */
static const char label_mark[] = "<script id=\"capture\" type=\"text/plain\" data-label=\"";
static const char content_mark[] = "\" data-packing=\"gzip\">";

/* What is needed on the way from bytes to text. */
struct packer {
    const struct fgi_html *work;
    z_stream stream;
    uint8_t in[READ_BYTES];
    uint8_t packed[PACKED_BYTES];
    char text[TEXT_BYTES];
};

bool fgi_html_is_there(void)
{
    return fgi_asset_find("standalone.html") != NULL;
}

static enum fg_result put(const struct fgi_html *work, const void *bytes, size_t size)
{
    return size == 0 ? FG_OK : work->sink->write(work->sink->context, bytes, size);
}

static const char *entity_of(char letter)
{
    switch (letter) {
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    default:
        return NULL;
    }
}

static enum fg_result put_attribute(const struct fgi_html *work, const char *text)
{
    enum fg_result result = FG_OK;
    for (const char *at = text; *at != 0 && result == FG_OK; at++) {
        const char *entity = entity_of(*at);
        result = entity != NULL ? put(work, entity, strlen(entity)) : put(work, at, 1);
    }
    return result;
}

/* Only the last piece may be no multiple of 3. */
static enum fg_result put_base64(struct packer *packer, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)packer->packed[i] << 16;
        bits |= left > 1 ? (uint32_t)packer->packed[i + 1] << 8 : 0;
        bits |= left > 2 ? packer->packed[i + 2] : 0;
        packer->text[used++] = digits[bits >> 18];
        packer->text[used++] = digits[bits >> 12 & 63];
        packer->text[used++] = left > 1 ? digits[bits >> 6 & 63] : '=';
        packer->text[used++] = left > 2 ? digits[bits & 63] : '=';
    }
    return put(packer->work, packer->text, used);
}

/* Everything that the stream gives for the input it has; what does not fill a piece waits for more.
 */
static enum fg_result deflate_piece(struct packer *packer, int flush)
{
    z_stream *stream = &packer->stream;
    for (;;) {
        int status = deflate(stream, flush);
        if (status == Z_STREAM_END) {
            return put_base64(packer, PACKED_BYTES - stream->avail_out);
        }
        if (stream->avail_out != 0) {
            return FG_OK;
        }
        enum fg_result result = put_base64(packer, PACKED_BYTES);
        stream->next_out = packer->packed;
        stream->avail_out = PACKED_BYTES;
        if (result != FG_OK) {
            return result;
        }
    }
}

static enum fg_result put_capture(struct packer *packer)
{
    const struct fgi_html *work = packer->work;
    const struct fg_source *source = work->capture;
    uint64_t total = 0;
    uint64_t offset = 0;
    size_t got = 0;
    enum fg_result result = source->size(source->context, &total);
    packer->stream.next_out = packer->packed;
    packer->stream.avail_out = PACKED_BYTES;
    while (result == FG_OK) {
        result = source->read_at(source->context, offset, packer->in, READ_BYTES, &got);
        if (result != FG_OK) {
            break;
        }
        offset += got;
        packer->stream.next_in = packer->in;
        packer->stream.avail_in = (uInt)got;
        result = deflate_piece(packer, got == 0 ? Z_FINISH : Z_NO_FLUSH);
        if (got == 0 || result != FG_OK) {
            break;
        }
        if (work->progress != NULL && !work->progress(work->progress_context, offset, total)) {
            result = FG_ERR_CANCELLED;
        }
    }
    return result;
}

static enum fg_result pack_capture(const struct fgi_html *work)
{
    struct packer *packer = fgi_calloc(work->allocator, 1, sizeof *packer);
    if (packer == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    packer->work = work;
    enum fg_result result = FG_ERR_NO_MEMORY;
    if (deflateInit2(&packer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK) {
        result = put_capture(packer);
        deflateEnd(&packer->stream);
    }
    fgi_free(work->allocator, packer, sizeof *packer);
    return result;
}

/* Position of `mark` in the page, counted from `from`; SIZE_MAX when it is not there. */
static size_t find_mark(const struct fgi_asset *page, size_t from, const char *mark)
{
    size_t size = (size_t)(page->end - page->bytes);
    size_t length = strlen(mark);
    for (size_t at = from; at + length <= size; at++) {
        if (page->bytes[at] == (uint8_t)mark[0] && memcmp(page->bytes + at, mark, length) == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}

enum fg_result fgi_html_write(const struct fgi_html *work)
{
    const struct fgi_asset *page = fgi_asset_find("standalone.html");
    size_t label = page != NULL ? find_mark(page, 0, label_mark) : SIZE_MAX;
    if (label == SIZE_MAX) {
        return FG_ERR_UNSUPPORTED;
    }
    label += sizeof label_mark - 1;
    size_t content = find_mark(page, label, content_mark);
    if (content == SIZE_MAX) {
        return FG_ERR_UNSUPPORTED;
    }
    size_t rest = content + sizeof content_mark - 1;
    enum fg_result result = put(work, page->bytes, label);
    if (result == FG_OK) {
        result = put_attribute(work, work->label);
    }
    if (result == FG_OK) {
        result = put(work, page->bytes + content, rest - content);
    }
    if (result == FG_OK) {
        result = pack_capture(work);
    }
    return result != FG_OK
               ? result
               : put(work, page->bytes + rest, (size_t)(page->end - page->bytes) - rest);
}
