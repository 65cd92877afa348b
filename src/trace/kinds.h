/* SPDX-License-Identifier: MIT */
/*
 * Kinds of spans: each name, category, classes and status that occur together, once. A row says
 * with one number all that does not change from one call of a thing to the next, and so does a bin
 * of its longest span.
 */
#ifndef FGI_KINDS_H
#define FGI_KINDS_H
#include <frameglass/base.h>

/** No kind; those of spans are below. */
#define FGI_KIND_NONE 0x3fffffffu

struct fgi_kind {
    uint32_t name, category;
    uint16_t classes;
    uint8_t status;
};
/** Zero is a valid empty set. Threads: one while it is added to; any when it is complete. */
struct fgi_kinds {
    struct fgi_kind *items;
    size_t count, capacity;
    uint32_t *slots; /**< id + 1 by hash; 0 = empty */
    size_t slot_count;
};
/** Id of a kind, added when it is new. FG_OK, FG_ERR_NO_MEMORY, FG_ERR_LIMIT. */
FG_MUST_USE enum fg_result fgi_kinds_add(struct fgi_kinds *kinds,
                                         const struct fg_allocator *allocator,
                                         const struct fgi_kind *kind, uint32_t *out_id);
void fgi_kinds_finish(struct fgi_kinds *kinds, const struct fg_allocator *allocator);
static inline uint64_t fgi_kinds_bytes(const struct fgi_kinds *kinds)
{
    return kinds->capacity * sizeof *kinds->items + kinds->slot_count * sizeof *kinds->slots;
}

#endif
