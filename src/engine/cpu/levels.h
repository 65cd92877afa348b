/* SPDX-License-Identifier: MIT */
/*
 * Bins as they are kept: 24 bytes each where times and durations allow it. A level is either
 * complete, or holds only dense bins, with their starts beside them.
 */
#ifndef FGI_LEVELS_H
#define FGI_LEVELS_H
#include "engine/cpu/bins.h"

/** A bin whose index, coverage and duration fit 32 bits. */
struct fgi_small_bin {
    uint32_t offset; /**< index less the level's origin */
    uint32_t position;
    uint32_t row;
    uint32_t longest; /**< UINT32_MAX: see the long spans of the index */
    uint32_t covered;
    uint32_t kind; /**< and the flags below */
};
#define FGI_BIN_HAS_RUN    0x80000000u /**< the gap behind it is covered by one span */
#define FGI_BIN_RUN_IS_ROW 0x40000000u /**< namely by its own longest */
#define FGI_BIN_KIND(bin)  ((bin)->kind & FGI_KIND_NONE)

/** Bins of one level, by index. */
struct fgi_level {
    int64_t origin;
    uint32_t count;
    struct fgi_small_bin *bins; /**< count + 1: the last says where positions end; or NULL: */
    struct fgi_bin *wide;       /**< the same where they do not fit */
    uint32_t *runs;             /**< by small bin, of several lanes; NULL: follows from the lane */
    uint32_t *starts;           /**< by bin, where the level is not complete */
};

/** A span of 2^32 - 1 ns or more. */
struct fgi_long_span {
    uint32_t row;
    uint64_t ns;
};
/** What the bins of a target stand on. */
struct fgi_level_source {
    const uint32_t *lane_rows;              /**< rows of the one lane; NULL: several */
    const struct fgi_long_span *long_spans; /**< by row */
    size_t long_count;
};

/** Fills a level with bins that come in ascending order. Zero plus what is named is valid. */
struct fgi_level_builder {
    const struct fg_allocator *allocator;
    bool is_complete;  /**< all bins of the level come, so that starts follow from positions */
    bool has_one_lane; /**< so that runs follow from the lane */
    bool is_small;     /**< fgi_level_is_small() */
    int64_t origin;    /**< index of the target's first bin */
    struct fgi_level level;
    size_t capacity, run_capacity, start_capacity;
    enum fg_result result; /**< first failure */
};
/** Whether bins of level k between two times fit the small form. */
bool fgi_level_is_small(unsigned k, int64_t first_ns, int64_t last_ns);
/** Room for so many: what comes beyond makes room by doubling. */
void fgi_level_builder_reserve(struct fgi_level_builder *builder, uint32_t count);
/** False: see `result`. */
bool fgi_level_builder_put(struct fgi_level_builder *builder, const struct fgi_bin *bin);
/**
 * The level in the memory that it needs; nothing in it when none came. `end_position` is the
 * target's count of spans.
 */
FG_MUST_USE enum fg_result fgi_level_builder_finish(struct fgi_level_builder *builder,
                                                    uint32_t end_position,
                                                    struct fgi_level *out_level);
void fgi_level_builder_abandon(struct fgi_level_builder *builder);
void fgi_level_finish(struct fgi_level *level, const struct fg_allocator *allocator);
uint64_t fgi_level_bytes(const struct fgi_level *level);
/** First bin whose index is at least `index`; `steps` counts. */
uint32_t fgi_level_find(const struct fgi_level *level, int64_t index, uint64_t *steps);
/** Duration of the span of a small bin that does not hold it. */
uint64_t fgi_long_span_ns(const struct fgi_level_source *source, uint32_t row);

static inline int64_t fgi_level_index(const struct fgi_level *level, uint32_t i)
{
    return level->bins ? (int64_t)((uint64_t)level->origin + level->bins[i].offset)
                       : level->wide[i].index;
}
/** Spans that start before bin i; i may be the count when the level is complete. */
static inline uint32_t fgi_level_position(const struct fgi_level *level, uint32_t i)
{
    return level->bins ? level->bins[i].position : level->wide[i].position;
}
static inline uint32_t fgi_level_starts(const struct fgi_level *level, uint32_t i)
{
    return level->starts ? level->starts[i]
                         : fgi_level_position(level, i + 1) - fgi_level_position(level, i);
}
/** Longest span that covers the gap behind small bin i; FG_NONE. */
uint32_t fgi_level_run(const struct fgi_level *level, const struct fgi_level_source *source,
                       uint32_t i);
/** Bin i as it was given. */
void fgi_level_get(const struct fgi_level *level, const struct fgi_level_source *source, uint32_t i,
                   struct fgi_bin *out_bin);

/** A level read as the bins of a coarser one. Zero `shift`: as it is. */
struct fgi_level_cursor {
    const struct fgi_level *level;
    const struct fgi_level_source *source;
    unsigned k;     /**< of the level */
    unsigned shift; /**< how many levels coarser it is read */
    uint32_t at;
    uint32_t run; /**< covers the gap before `at`; FG_NONE */
};
/**
 * The next coarser bin; false at the end. Complete levels only. To begin in the middle, `at` is the
 * first bin of a coarser one and `run` that of the bin before.
 */
bool fgi_level_next(struct fgi_level_cursor *cursor, struct fgi_bin *out_bin);

#endif
