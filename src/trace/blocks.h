/* SPDX-License-Identifier: MIT */
/*
 * The block store: the columns of all spans, in blocks of FGI_BLOCK_SPANS rows that are acquired
 * and released. Blocks that can be made again (a loader is set) are given up, least recently used
 * first, when the budget is reached; without a loader all are resident. Nobody gets a whole column.
 */
#ifndef FGI_BLOCKS_H
#define FGI_BLOCKS_H
#include "trace/kinds.h"
#include <frameglass/trace.h>

/** Rows of a block. Tests are also compiled with 8. */
#ifndef FGI_BLOCK_SPANS
#define FGI_BLOCK_SPANS 65536u
#endif

/** Columns that a block has only where a row of it says something. */
enum fgi_column {
    FGI_COLUMN_CATEGORY, /**< of an open block alone: see fgi_block_category() */
    FGI_COLUMN_FRAME,
    FGI_COLUMN_PASS,
    FGI_COLUMN_SCOPE,
    FGI_COLUMN_ORIGIN,
    FGI_COLUMN_LOGICAL,
    FGI_COLUMN_ARGS, /**< index of the header in the trace's arguments */
    FGI_COLUMN_COUNT
};

/**
 * Columns of one block; item i is row first_row + i. While a block is filled, name, category,
 * classes and status are columns; when it is closed, their kind takes their place.
 */
struct fgi_block {
    uint32_t index;
    uint32_t first_row;
    uint32_t count;
    int64_t *start_ns;
    int64_t *end_ns;
    uint64_t *object;                  /**< NULL: all 0 */
    uint32_t *extra[FGI_COLUMN_COUNT]; /**< NULL: all fgi_column_default() */
    uint32_t *lane; /**< never given up: it is computed once. Tracks until the trace is finished */
    uint32_t *parent;              /**< never given up */
    uint32_t *kind;                /**< never given up; NULL: the block is open */
    const struct fgi_kinds *kinds; /**< what `kind` refers to */
    /* Of an open block alone: */
    uint32_t *name;
    uint16_t *classes;
    uint8_t *status;
};

/** Fill the times, objects and extra columns of a block that was given up. */
struct fgi_block_loader {
    enum fg_result (*load)(void *context, const struct fgi_block *into);
    void *context;
};

struct fgi_block_slot;
struct fgi_block_store {
    const struct fg_allocator *allocator;
    struct fgi_block_slot *slots;
    size_t slot_count, slot_capacity;
    uint64_t row_count;
    struct fgi_kinds kinds;         /**< of the rows of closed blocks */
    struct fgi_block_loader loader; /**< load == NULL: resident */
    uint64_t budget_bytes;          /**< 0 = 2 GiB; pinned blocks may exceed it */
    uint64_t used_bytes;            /**< of what can be given up */
    uint64_t peak_bytes;
    uint64_t resident_bytes; /**< of what cannot */
    uint64_t load_count;     /**< blocks that were made again */
    uint32_t oldest, newest; /**< unpinned blocks in order of use, when there is a loader */
};

uint32_t fgi_column_default(enum fgi_column column);
void fgi_blocks_init(struct fgi_block_store *store, const struct fg_allocator *allocator,
                     uint64_t budget_bytes);
void fgi_blocks_finish(struct fgi_block_store *store);
/** Append a block: the columns of `block` (count rows) are copied, in the memory that they need. */
FG_MUST_USE enum fg_result fgi_blocks_append(struct fgi_block_store *store,
                                             const struct fgi_block *block);
/**
 * A block with room for FGI_BLOCK_SPANS rows in all columns, to be filled. Owned: end it with one
 * of the next two.
 */
FG_MUST_USE enum fg_result fgi_blocks_open(const struct fgi_block_store *store,
                                           struct fgi_block *out_block);
/**
 * It becomes the next block, or is gone when that fails: `block` is empty either way.
 *
 * @param used the same block; columns that are NULL are not kept
 */
FG_MUST_USE enum fg_result fgi_blocks_close(struct fgi_block_store *store, struct fgi_block *block,
                                            const struct fgi_block *used);
/** One that is empty is legal. */
void fgi_blocks_discard(const struct fgi_block_store *store, struct fgi_block *block);
/** Memory of all columns that are there, by column. */
struct fgi_block_bytes {
    uint64_t start_ns, end_ns, object, extra[FGI_COLUMN_COUNT], kind, lane, parent;
    uint64_t kinds; /**< what kinds there are */
    uint64_t slots; /**< what keeps the columns */
};
void fgi_blocks_measure(const struct fgi_block_store *store, struct fgi_block_bytes *out_bytes);
/** Does some closed block have this column? */
bool fgi_blocks_have(const struct fgi_block_store *store, enum fgi_column column);
/** From now on blocks may be given up; none may be acquired at this time. */
void fgi_blocks_set_loader(struct fgi_block_store *store, const struct fgi_block_loader *loader);
/** Lent until fgi_blocks_release(). Threads: one; any as long as there is no loader. */
FG_MUST_USE enum fg_result fgi_blocks_acquire(struct fgi_block_store *store, uint32_t index,
                                              const struct fgi_block **out_block);
/** NULL is legal. */
void fgi_blocks_release(struct fgi_block_store *store, const struct fgi_block *block);

/** Reads rows in any order, holding one block. Zero plus a store is valid. */
struct fgi_cursor {
    struct fgi_block_store *store;
    const struct fgi_block *block;
    uint32_t first_row, count; /**< of the block that is held */
    enum fg_result result;     /**< first failure */
};
bool fgi_cursor_move(struct fgi_cursor *cursor, uint32_t row);
void fgi_cursor_finish(struct fgi_cursor *cursor);
/** Hold the block of `row`; then item row - first_row is meant. False: see `result`. */
static inline bool fgi_cursor_at(struct fgi_cursor *cursor, uint32_t row)
{
    return row - cursor->first_row < cursor->count || fgi_cursor_move(cursor, row);
}
static inline int64_t fgi_cursor_start(const struct fgi_cursor *cursor, uint32_t row)
{
    return cursor->block->start_ns[row - cursor->first_row];
}
static inline int64_t fgi_cursor_end(const struct fgi_cursor *cursor, uint32_t row)
{
    return cursor->block->end_ns[row - cursor->first_row];
}
/** What item i is, of a closed block. Lent until a kind is added. */
static inline const struct fgi_kind *fgi_block_kind(const struct fgi_block *block, uint32_t i)
{
    return &block->kinds->items[block->kind[i]];
}
static inline uint32_t fgi_block_extra(const struct fgi_block *block, enum fgi_column column,
                                       uint32_t i)
{
    return block->extra[column] ? block->extra[column][i] : fgi_column_default(column);
}

/* These four ask open blocks, too. */
static inline uint32_t fgi_block_name(const struct fgi_block *block, uint32_t i)
{
    return block->kind ? fgi_block_kind(block, i)->name : block->name[i];
}
static inline uint32_t fgi_block_category(const struct fgi_block *block, uint32_t i)
{
    return block->kind ? fgi_block_kind(block, i)->category
                       : fgi_block_extra(block, FGI_COLUMN_CATEGORY, i);
}
static inline uint16_t fgi_block_classes(const struct fgi_block *block, uint32_t i)
{
    return block->kind ? fgi_block_kind(block, i)->classes : block->classes[i];
}
static inline uint8_t fgi_block_status(const struct fgi_block *block, uint32_t i)
{
    return block->kind ? fgi_block_kind(block, i)->status : block->status[i];
}

#endif
