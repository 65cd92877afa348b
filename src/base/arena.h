/* SPDX-License-Identifier: MIT */
/* Memory that is freed all at once: one arena per loaded trace, request or command. */
#ifndef FGI_ARENA_H
#define FGI_ARENA_H
#include <frameglass/base.h>

struct fgi_arena_chunk;

/** Zero is a valid empty arena on libc. Threads: one at a time. */
struct fgi_arena {
    const struct fg_allocator *allocator; /**< NULL = libc */
    struct fgi_arena_chunk *chunks;
    size_t limit_bytes; /**< 0 = no limit */
    size_t used_bytes;  /**< all chunks together */
};

/** Zeroed, 16-byte aligned; lives until the arena is finished or reset. NULL when refused. */
FG_MUST_USE void *fgi_arena_alloc(struct fgi_arena *arena, size_t count, size_t size);
/** The same, but what is in it is anything. */
FG_MUST_USE void *fgi_arena_take(struct fgi_arena *arena, size_t count, size_t size);
/** A terminated copy of `size` bytes of text. NULL when refused. */
FG_MUST_USE char *fgi_arena_text(struct fgi_arena *arena, const char *text, size_t size);
/** Frees everything; the arena may be used again. */
void fgi_arena_finish(struct fgi_arena *arena);
/**
 * Forgets everything but keeps one chunk for reuse: the largest, or, after several large blocks,
 * one that has room for all of them. The same work again then takes no memory of the allocator.
 */
void fgi_arena_reset(struct fgi_arena *arena);

#endif
