/* SPDX-License-Identifier: MIT */
#include "open/spool.h"
#include "base/alloc.h"
#include "base/thread.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20 };

struct fgi_spool {
    const struct fg_allocator *allocator;
    uint64_t memory_bytes; /* a multiple of CHUNK_BYTES */
    uint64_t limit_bytes;
    uint64_t size;
    uint8_t **chunks;
    size_t chunk_count;
    size_t chunk_capacity;
    FILE *file;              /* bytes from memory_bytes on; NULL until there are any */
    struct fgi_mutex *mutex; /* guards the position of `file` */
};

enum fg_result fgi_spool_create(const struct fg_allocator *allocator, uint64_t memory_bytes,
                                uint64_t limit_bytes, struct fgi_spool **out_spool)
{
    struct fgi_spool *spool = fgi_calloc(allocator, 1, sizeof *spool);
    if (spool == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_mutex_create(allocator, &spool->mutex);
    if (result != FG_OK) {
        fgi_free(allocator, spool, sizeof *spool);
        return result;
    }
    spool->allocator = allocator;
    spool->memory_bytes = (memory_bytes + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
    spool->limit_bytes = limit_bytes;
    *out_spool = spool;
    return FG_OK;
}

void fgi_spool_destroy(struct fgi_spool *spool)
{
    if (spool == NULL) {
        return;
    }
    for (size_t i = 0; i < spool->chunk_count; i++) {
        fgi_free(spool->allocator, spool->chunks[i], CHUNK_BYTES);
    }
    fgi_free(spool->allocator, spool->chunks, spool->chunk_capacity * sizeof *spool->chunks);
    if (spool->file != NULL) {
        fclose(spool->file);
    }
    fgi_mutex_destroy(spool->mutex);
    fgi_free(spool->allocator, spool, sizeof *spool);
}

/* As much of the bytes as fits into the current chunk, or a new one. */
static enum fg_result write_memory(struct fgi_spool *spool, const uint8_t *bytes, size_t size,
                                   size_t *out_written)
{
    size_t at = (size_t)(spool->size % CHUNK_BYTES);
    if (at == 0) {
        enum fg_result result = FGI_GROW(spool->allocator, spool->chunks, spool->chunk_capacity,
                                         spool->chunk_count + 1, SIZE_MAX / CHUNK_BYTES);
        if (result != FG_OK) {
            return result;
        }
        uint8_t *chunk = fgi_malloc(spool->allocator, CHUNK_BYTES);
        if (chunk == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        spool->chunks[spool->chunk_count++] = chunk;
    }
    size_t room = CHUNK_BYTES - at;
    size_t part = size < room ? size : room;
    memcpy(spool->chunks[spool->chunk_count - 1] + at, bytes, part);
    *out_written = part;
    return FG_OK;
}

static enum fg_result write_file(struct fgi_spool *spool, const uint8_t *bytes, size_t size)
{
    if (spool->file == NULL) {
        spool->file = tmpfile();
    }
    if (spool->file == NULL || fwrite(bytes, 1, size, spool->file) != size) {
        return FG_ERR_IO;
    }
    return FG_OK;
}

static enum fg_result spool_write(void *context, const void *bytes, size_t size)
{
    struct fgi_spool *spool = context;
    const uint8_t *from = bytes;
    if (size > spool->limit_bytes - spool->size) {
        return FG_ERR_LIMIT;
    }
    while (size > 0) {
        size_t part = size;
        enum fg_result result = spool->size < spool->memory_bytes
                                    ? write_memory(spool, from, size, &part)
                                    : write_file(spool, from, size);
        if (result != FG_OK) {
            return result;
        }
        spool->size += part;
        from += part;
        size -= part;
    }
    return FG_OK;
}

/* The part of a read that the temporary file has. */
static enum fg_result read_file(struct fgi_spool *spool, uint64_t offset, void *bytes, size_t size)
{
    fgi_mutex_lock(spool->mutex);
    bool done = fseeko(spool->file, (off_t)(offset - spool->memory_bytes), SEEK_SET) == 0 &&
                fread(bytes, 1, size, spool->file) == size;
    fgi_mutex_unlock(spool->mutex);
    return done ? FG_OK : FG_ERR_IO;
}

static enum fg_result spool_read_at(void *context, uint64_t offset, void *bytes, size_t size,
                                    size_t *out_read)
{
    struct fgi_spool *spool = context;
    uint8_t *to = bytes;
    *out_read = 0;
    if (offset >= spool->size) {
        return FG_OK;
    }
    if (size > spool->size - offset) {
        size = (size_t)(spool->size - offset);
    }
    size_t left = size;
    while (left > 0 && offset < spool->memory_bytes) {
        size_t at = (size_t)(offset % CHUNK_BYTES);
        size_t part = left < CHUNK_BYTES - at ? left : CHUNK_BYTES - at;
        memcpy(to, spool->chunks[offset / CHUNK_BYTES] + at, part);
        to += part;
        offset += part;
        left -= part;
    }
    enum fg_result result = left > 0 ? read_file(spool, offset, to, left) : FG_OK;
    if (result == FG_OK) {
        *out_read = size;
    }
    return result;
}

static enum fg_result spool_size(void *context, uint64_t *out_size_bytes)
{
    const struct fgi_spool *spool = context;
    *out_size_bytes = spool->size;
    return FG_OK;
}

struct fg_sink fgi_spool_sink(struct fgi_spool *spool)
{
    return (struct fg_sink){ .write = spool_write, .context = spool };
}

struct fg_source fgi_spool_source(struct fgi_spool *spool)
{
    return (struct fg_source){ .read_at = spool_read_at, .size = spool_size, .context = spool };
}
