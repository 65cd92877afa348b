/* SPDX-License-Identifier: MIT */
/*
 * The levels of bins of one target (a lane, or a folded group) in one row set. The base is the
 * finest level that is stored whole; coarser ones are stored where they save something (reading
 * merges exactly), up to the coarsest of the trace; of finer ones only the bins in which many spans
 * start, so that a burst in a long lane is cheap at every zoom. What is not stored is made from the
 * spans, few of which lie in any bin that is not.
 */
#ifndef FGI_INDEX_H
#define FGI_INDEX_H
#include "engine/cpu/levels.h"
#include "engine/cpu/row_stream.h"

struct fgi_index {
    uint32_t span_count;
    unsigned base;            /**< finest complete level; 64: there is no span */
    bool skips_one;           /**< the level after it is made when it is read */
    uint64_t stored_levels;   /**< bit k: level k is stored */
    struct fgi_level *levels; /**< those, finest first */
    struct fgi_level_source source;
    int64_t first_ns, last_ns; /**< smallest start, largest end */
};

static inline size_t fgi_index_level_count(const struct fgi_index *index)
{
    return (size_t)__builtin_popcountll(index->stored_levels);
}
/** Level k, which is stored. */
static inline const struct fgi_level *fgi_index_level(const struct fgi_index *index, unsigned k)
{
    uint64_t below = index->stored_levels & ((UINT64_C(1) << k) - 1);
    return &index->levels[__builtin_popcountll(below)];
}
/** The coarsest stored level that is not coarser than k, which is at least the base. */
static inline unsigned fgi_index_stored(const struct fgi_index *index, unsigned k)
{
    while (!(index->stored_levels >> k & 1)) {
        k--; /* ends at the base */
    }
    return k;
}

/** What making an index needs; each thread has its own. */
struct fgi_index_maker {
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    const struct fgi_row_set *set;
    unsigned coarsest; /**< of the trace: no coarser level is stored */
};
/**
 * The first half: extent, count, and the level at which a base would do. `out_differing`, when it
 * is not NULL, is added to: how many neighbours start in different bins of each level.
 */
FG_MUST_USE enum fg_result fgi_index_survey(const struct fgi_index_maker *maker,
                                            const struct fgi_lanes *lanes, struct fgi_index *index,
                                            uint64_t *out_differing);
/** The second half: the levels. */
FG_MUST_USE enum fg_result fgi_index_fill(const struct fgi_index_maker *maker,
                                          const struct fgi_lanes *lanes, struct fgi_index *index);
/** What it holds; zero is legal. */
void fgi_index_finish(struct fgi_index *index, const struct fg_allocator *allocator);
uint64_t fgi_index_bytes(const struct fgi_index *index);

/** What reading needs. Visits are added to. */
struct fgi_index_reader {
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    const struct fgi_row_set *set;
    struct fgi_cursor *cursor;
    struct fg_visits *visits;
};
/**
 * Bins of a level from the one before [first, last] to the one behind, whatever is stored, and
 * their runs. Those inside are complete and exact; of the one before only the run is.
 */
FG_MUST_USE enum fg_result fgi_index_read(const struct fgi_index_reader *reader,
                                          const struct fgi_index *index,
                                          const struct fgi_lanes *lanes, unsigned level,
                                          int64_t first, int64_t last,
                                          const struct fgi_bin_sink *sink);
/** Spans of a lane that start before a time. On failure see the reader's cursor. */
uint32_t fgi_index_position(const struct fgi_index_reader *reader, const struct fgi_index *index,
                            uint32_t lane, int64_t time);

#endif
