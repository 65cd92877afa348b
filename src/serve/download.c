/* SPDX-License-Identifier: MIT */
#include "serve/download.h"
#include "base/alloc.h"
#include "base/thread.h"
#include <string.h>

/* What may be written ahead of the reader. */
enum { BUFFER_BYTES = 256 << 10 };
static const int64_t wait_ns = 1000000000;

/* One thread writes, another one reads. */
struct stream {
    const struct fg_allocator *allocator;
    fgi_download_write write;
    void (*end)(void *context);
    void *context;
    struct fgi_thread *writer; /* made with the first read, by the reader */
    /* Guards all below; woken whenever any of it changes. */
    struct fgi_mutex *lock;
    uint64_t written, taken; /* bytes; their difference is in the buffer, which is a ring */
    bool is_closed;          /* nobody reads any more */
    bool is_done;
    enum fg_result result; /* of the writer, once it is done */
    uint8_t buffer[BUFFER_BYTES];
};

static size_t least(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

/* As much as there is room for, up to the end of the ring. `lock` is held. */
static size_t put_some(struct stream *stream, const uint8_t *bytes, size_t size)
{
    size_t at = (size_t)(stream->written % BUFFER_BYTES);
    size_t room = least(BUFFER_BYTES - (stream->written - stream->taken), BUFFER_BYTES - at);
    size_t count = least(size, room);
    memcpy(stream->buffer + at, bytes, count);
    stream->written += count;
    return count;
}

static enum fg_result sink_write(void *context, const void *bytes, size_t size)
{
    struct stream *stream = context;
    const uint8_t *from = bytes;
    fgi_mutex_lock(stream->lock);
    while (size != 0 && !stream->is_closed) {
        size_t count = put_some(stream, from, size);
        from += count;
        size -= count;
        if (count != 0) {
            fgi_mutex_wake_all(stream->lock);
        } else {
            fgi_mutex_wait(stream->lock, wait_ns);
        }
    }
    bool is_closed = stream->is_closed;
    fgi_mutex_unlock(stream->lock);
    return is_closed ? FG_ERR_CANCELLED : FG_OK;
}

static void run(void *context)
{
    struct stream *stream = context;
    const struct fg_sink sink = { .write = sink_write, .context = stream };
    enum fg_result result = stream->write(stream->context, &sink);
    fgi_mutex_lock(stream->lock);
    stream->is_done = true;
    stream->result = result;
    fgi_mutex_wake_all(stream->lock);
    fgi_mutex_unlock(stream->lock);
}

static enum fg_result stream_read(void *context, uint64_t offset, void *bytes, size_t size,
                                  size_t *out_read)
{
    struct stream *stream = context;
    enum fg_result result = FG_OK;
    (void)offset; /* they come in order */
    *out_read = 0;
    if (stream->writer == NULL) {
        result = fgi_thread_create(stream->allocator, run, stream, &stream->writer);
        if (result != FG_OK) {
            return result;
        }
    }
    fgi_mutex_lock(stream->lock);
    while (stream->written == stream->taken && !stream->is_done) {
        fgi_mutex_wait(stream->lock, wait_ns);
    }
    size_t at = (size_t)(stream->taken % BUFFER_BYTES);
    size_t count = least(stream->written - stream->taken, BUFFER_BYTES - at);
    count = least(count, size);
    memcpy(bytes, stream->buffer + at, count);
    stream->taken += count;
    if (count == 0) {
        result = stream->result;
    }
    fgi_mutex_wake_all(stream->lock);
    fgi_mutex_unlock(stream->lock);
    *out_read = count;
    return result;
}

static void stream_close(void *context)
{
    struct stream *stream = context;
    if (stream->lock != NULL) {
        fgi_mutex_lock(stream->lock);
        stream->is_closed = true;
        fgi_mutex_wake_all(stream->lock);
        fgi_mutex_unlock(stream->lock);
    }
    fgi_thread_join(stream->writer);
    stream->end(stream->context);
    fgi_mutex_destroy(stream->lock);
    fgi_free(stream->allocator, stream, sizeof *stream);
}

enum fg_result fgi_download_create(const struct fg_allocator *allocator, fgi_download_write write,
                                   void (*end)(void *context), void *context,
                                   struct fgi_download *out_download)
{
    struct stream *stream = fgi_calloc(allocator, 1, sizeof *stream);
    if (stream == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_mutex_create(allocator, &stream->lock);
    if (result != FG_OK) {
        fgi_free(allocator, stream, sizeof *stream);
        return result;
    }
    stream->allocator = allocator;
    stream->write = write;
    stream->end = end;
    stream->context = context;
    out_download->size_bytes = UINT64_MAX;
    out_download->read = stream_read;
    out_download->close = stream_close;
    out_download->context = stream;
    return FG_OK;
}

static bool is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

void fgi_download_name(char *name, size_t size, const char *label, const char *ending)
{
    static const char *const endings[] = { ".gz", ".zst", ".sgpt" }; /* outermost first */
    size_t length = strlen(label);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t part = strlen(endings[i]);
        if (length > part && memcmp(label + length - part, endings[i], part) == 0) {
            length -= part;
        }
    }
    size_t most = size - 1 - strlen(ending);
    length = length < most ? length : most;
    for (size_t i = 0; i < length; i++) {
        name[i] = is_safe(label[i]) && (i != 0 || label[i] != '.') ? label[i] : '_';
    }
    memcpy(name + length, ending, strlen(ending) + 1);
}
