/* SPDX-License-Identifier: MIT */
#include "page/html.h"
#include "base/alloc.h"
#include "page/assets.h"

#include <string.h>
#include <zlib.h>

enum {
    PACKED_BYTES = 48 << 10, /* a multiple of 3: base64 has no rest in between */
    TEXT_BYTES = PACKED_BYTES / 3 * 4,
    GZIP_WINDOW_BITS = 15 + 16,
    MOST_AT_ONCE = 1 << 30, /* zlib counts in unsigned int */
};

/* Where the capture goes: the build writes exactly this, and nothing between it and its end. */
static const char label_mark[] = "<script id=\"capture\" type=\"text/plain\" data-label=\"";
static const char content_mark[] = "\" data-packing=\"gzip\">";

struct fgi_html {
    const struct fg_allocator *allocator;
    const struct fg_sink *sink;
    const struct fgi_asset *page;
    size_t rest; /* where in the page it goes on behind the capture */
    bool is_deflating;
    z_stream stream;
    uint8_t packed[PACKED_BYTES];
    char text[TEXT_BYTES];
};

bool fgi_html_is_there(void)
{
    return fgi_asset_find("standalone.html") != NULL;
}

static enum fg_result put(const struct fgi_html *html, const void *bytes, size_t size)
{
    return size == 0 ? FG_OK : html->sink->write(html->sink->context, bytes, size);
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

static enum fg_result put_attribute(const struct fgi_html *html, const char *text)
{
    enum fg_result result = FG_OK;
    for (const char *at = text; *at != 0 && result == FG_OK; at++) {
        const char *entity = entity_of(*at);
        result = entity != NULL ? put(html, entity, strlen(entity)) : put(html, at, 1);
    }
    return result;
}

/* Only the last piece may be no multiple of 3. */
static enum fg_result put_base64(struct fgi_html *html, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)html->packed[i] << 16;
        bits |= left > 1 ? (uint32_t)html->packed[i + 1] << 8 : 0;
        bits |= left > 2 ? html->packed[i + 2] : 0;
        html->text[used++] = digits[bits >> 18];
        html->text[used++] = digits[bits >> 12 & 63];
        html->text[used++] = left > 1 ? digits[bits >> 6 & 63] : '=';
        html->text[used++] = left > 2 ? digits[bits & 63] : '=';
    }
    return put(html, html->text, used);
}

/* All that the stream gives for the input it has; what does not fill a piece waits for more. */
static enum fg_result deflate_some(struct fgi_html *html, int flush)
{
    z_stream *stream = &html->stream;
    for (;;) {
        int status = deflate(stream, flush);
        if (status == Z_STREAM_END) {
            return put_base64(html, PACKED_BYTES - stream->avail_out);
        }
        if (stream->avail_out != 0) {
            return FG_OK;
        }
        enum fg_result result = put_base64(html, PACKED_BYTES);
        stream->next_out = html->packed;
        stream->avail_out = PACKED_BYTES;
        if (result != FG_OK) {
            return result;
        }
    }
}

static enum fg_result take_capture(void *context, const void *bytes, size_t size)
{
    struct fgi_html *html = context;
    const uint8_t *at = bytes;
    enum fg_result result = FG_OK;
    while (size != 0 && result == FG_OK) {
        size_t some = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
        /* zlib does not write through next_in, it only lacks the const. */
        html->stream.next_in = (Bytef *)(uintptr_t)at;
        html->stream.avail_in = (uInt)some;
        result = deflate_some(html, Z_NO_FLUSH);
        at += some;
        size -= some;
    }
    return result;
}

/* Position behind `mark`, looked for from `from` on; 0 when it is not there. */
static size_t find_behind(const struct fgi_asset *page, size_t from, const char *mark)
{
    size_t size = (size_t)(page->end - page->bytes);
    size_t length = strlen(mark);
    for (size_t at = from; at + length <= size; at++) {
        if (page->bytes[at] == (uint8_t)mark[0] && memcmp(page->bytes + at, mark, length) == 0) {
            return at + length;
        }
    }
    return 0;
}

static enum fg_result put_beginning(struct fgi_html *html, const char *label)
{
    const struct fgi_asset *page = html->page;
    size_t of_label = find_behind(page, 0, label_mark);
    html->rest = of_label != 0 ? find_behind(page, of_label, content_mark) : 0;
    if (html->rest == 0) {
        return FG_ERR_UNSUPPORTED;
    }
    enum fg_result result = put(html, page->bytes, of_label);
    if (result == FG_OK) {
        result = put_attribute(html, label);
    }
    return result != FG_OK ? result : put(html, content_mark, sizeof content_mark - 1);
}

enum fg_result fgi_html_create(const struct fgi_html_options *options,
                               const struct fg_sink *page_sink, struct fgi_html **out_html,
                               struct fg_sink *out_capture)
{
    const struct fg_allocator *allocator = options != NULL ? options->allocator : NULL;
    const char *label = options != NULL && options->label != NULL ? options->label : "capture";
    const struct fgi_asset *page = fgi_asset_find("standalone.html");
    struct fgi_html *html = page != NULL ? fgi_calloc(allocator, 1, sizeof *html) : NULL;
    if (html == NULL) {
        return page != NULL ? FG_ERR_NO_MEMORY : FG_ERR_UNSUPPORTED;
    }
    html->allocator = allocator;
    html->sink = page_sink;
    html->page = page;
    html->stream.next_out = html->packed;
    html->stream.avail_out = PACKED_BYTES;
    enum fg_result result = put_beginning(html, label);
    if (result == FG_OK) {
        html->is_deflating = deflateInit2(&html->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                          GZIP_WINDOW_BITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
        result = html->is_deflating ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result != FG_OK) {
        fgi_html_destroy(html);
        return result;
    }
    *out_html = html;
    *out_capture = (struct fg_sink){ .write = take_capture, .context = html };
    return FG_OK;
}

enum fg_result fgi_html_finish(struct fgi_html *html)
{
    const struct fgi_asset *page = html->page;
    html->stream.avail_in = 0;
    enum fg_result result = deflate_some(html, Z_FINISH);
    return result != FG_OK ? result
                           : put(html, page->bytes + html->rest,
                                 (size_t)(page->end - page->bytes) - html->rest);
}

void fgi_html_destroy(struct fgi_html *html)
{
    if (html == NULL) {
        return;
    }
    if (html->is_deflating) {
        deflateEnd(&html->stream);
    }
    fgi_free(html->allocator, html, sizeof *html);
}
