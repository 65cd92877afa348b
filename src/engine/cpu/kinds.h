/* SPDX-License-Identifier: MIT */
/*
 * Kinds of spans: each name, category, classes and status that occur together, once, so that a bin
 * says with one number what a view shows of its longest span, and views need not touch the spans.
 */
#ifndef FGI_KINDS_H
#define FGI_KINDS_H
#include "base/hash.h"
#include "base/thread.h"
#include "trace/model.h"

/** More kinds than this are not told apart: such spans are looked at instead. */
#define FGI_KINDS_MAX 0xfffffu
#define FGI_KIND_NONE 0x3fffffffu

struct fgi_kind {
    uint32_t name, category;
    uint16_t classes;
    uint8_t status;
};
/** Zero is a valid empty set. Threads: each its own, or one at a time. */
struct fgi_kinds {
    FGI_TABLE(struct fgi_kind) table;
    uint32_t *slots; /* id + 1 by hash; 0 = empty */
    size_t slot_count;
};
/** What item i of a block is. */
static inline struct fgi_kind fgi_kind_of(const struct fgi_block *block, uint32_t i)
{
    return (struct fgi_kind){
        .name = block->name[i],
        .category = fgi_block_extra(block, FGI_COLUMN_CATEGORY, i),
        .classes = block->classes[i],
        .status = block->status[i],
    };
}
/** Id of a kind, added when it is new. FG_OK (with FGI_KIND_NONE when there are too many). */
FG_MUST_USE enum fg_result fgi_kinds_add(struct fgi_kinds *kinds,
                                         const struct fg_allocator *allocator,
                                         const struct fgi_kind *kind, uint32_t *out_id);
void fgi_kinds_finish(struct fgi_kinds *kinds, const struct fg_allocator *allocator);

/** Looks kinds up for one thread, in a set that several share. Zero plus set is valid. */
struct fgi_kind_cache {
    struct fgi_kinds *kinds;
    const struct fg_allocator *allocator;
    struct fgi_mutex *mutex; /**< guards the set; NULL: nobody else uses it */
    struct {
        struct fgi_kind kind;
        uint32_t id; /**< + 1; 0 = empty */
    } entries[1024];
};
FG_MUST_USE enum fg_result fgi_kind_cache_get(struct fgi_kind_cache *cache,
                                              const struct fgi_kind *kind, uint32_t *out_id);

#endif
