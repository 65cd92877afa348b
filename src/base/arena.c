/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/alloc.h"

#include <string.h>

enum {
    ARENA_ALIGNMENT = 16,
    ARENA_FIRST_CHUNK = 4096,
    ARENA_LARGEST_CHUNK = 1 << 20,
    ARENA_SPARE = 1 << 16 /* beside a block that has a chunk for itself */
};

struct fgi_arena_chunk {
    struct fgi_arena_chunk *next;
    size_t size; /* of the whole chunk, this header included */
    size_t used; /* likewise */
};

static size_t header_size(void)
{
    return (sizeof(struct fgi_arena_chunk) + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
}

static struct fgi_arena_chunk *add_chunk(struct fgi_arena *arena, size_t bytes)
{
    size_t size = arena->chunks != NULL ? arena->chunks->size * 2 : ARENA_FIRST_CHUNK;
    if (size > ARENA_LARGEST_CHUNK) {
        size = ARENA_LARGEST_CHUNK;
    }
    if (size < bytes + header_size()) {
        /* What stays after a reset holds the same again, behind the small things before it. */
        size = bytes + header_size() +
               (bytes >= ARENA_LARGEST_CHUNK && arena->limit_bytes == 0 ? ARENA_SPARE : 0);
    }
    if (arena->limit_bytes != 0 && size > arena->limit_bytes - arena->used_bytes) {
        return NULL;
    }
    struct fgi_arena_chunk *chunk = fgi_malloc(arena->allocator, size);
    if (chunk != NULL) {
        *chunk =
            (struct fgi_arena_chunk){ .next = arena->chunks, .size = size, .used = header_size() };
        arena->chunks = chunk;
        arena->used_bytes += size;
    }
    return chunk;
}

void *fgi_arena_take(struct fgi_arena *arena, size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > (SIZE_MAX / 4) / size) {
        return NULL;
    }
    size_t bytes = (count * size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    struct fgi_arena_chunk *chunk = arena->chunks;
    if (chunk == NULL || chunk->size - chunk->used < bytes) {
        chunk = add_chunk(arena, bytes);
        if (chunk == NULL) {
            return NULL;
        }
    }
    void *block = (char *)chunk + chunk->used;
    chunk->used += bytes;
    return block;
}

void *fgi_arena_alloc(struct fgi_arena *arena, size_t count, size_t size)
{
    void *block = fgi_arena_take(arena, count, size);
    if (block != NULL) {
        memset(block, 0, count * size);
    }
    return block;
}

char *fgi_arena_text(struct fgi_arena *arena, const char *text, size_t size)
{
    if (size == SIZE_MAX) {
        return NULL;
    }
    char *copy = fgi_arena_alloc(arena, size + 1, 1);
    if (copy != NULL && size != 0) {
        memcpy(copy, text, size);
    }
    return copy;
}

void fgi_arena_finish(struct fgi_arena *arena)
{
    if (arena == NULL) {
        return;
    }
    while (arena->chunks != NULL) {
        struct fgi_arena_chunk *next = arena->chunks->next;
        fgi_free(arena->allocator, arena->chunks, arena->chunks->size);
        arena->chunks = next;
    }
    arena->used_bytes = 0;
}

/* Several blocks that have chunks for themselves come again, most likely: one chunk for all. */
static struct fgi_arena_chunk *make_whole(struct fgi_arena *arena)
{
    size_t size = ARENA_LARGEST_CHUNK;
    unsigned count = 0;
    for (const struct fgi_arena_chunk *chunk = arena->chunks; chunk != NULL; chunk = chunk->next) {
        bool is_large = chunk->size > ARENA_LARGEST_CHUNK;
        size += is_large ? chunk->size : 0;
        count += is_large;
    }
    if (count < 2) {
        return NULL;
    }
    fgi_arena_finish(arena);
    struct fgi_arena_chunk *whole = fgi_malloc(arena->allocator, size);
    if (whole != NULL) {
        *whole = (struct fgi_arena_chunk){ .size = size };
    }
    return whole;
}

/* All but the largest chunk are freed. */
static struct fgi_arena_chunk *keep_largest(struct fgi_arena *arena)
{
    struct fgi_arena_chunk *largest = NULL;
    while (arena->chunks != NULL) {
        struct fgi_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        if (largest == NULL || chunk->size > largest->size) {
            struct fgi_arena_chunk *smaller = largest;
            largest = chunk;
            chunk = smaller;
        }
        if (chunk != NULL) {
            fgi_free(arena->allocator, chunk, chunk->size);
        }
    }
    return largest;
}

void fgi_arena_reset(struct fgi_arena *arena)
{
    struct fgi_arena_chunk *kept = arena->limit_bytes == 0 ? make_whole(arena) : NULL;
    kept = kept != NULL ? kept : keep_largest(arena);
    arena->used_bytes = 0;
    if (kept != NULL) {
        kept->next = NULL;
        kept->used = header_size();
        arena->chunks = kept;
        arena->used_bytes = kept->size;
    }
}
