/* SPDX-License-Identifier: MIT */
/*
 * Which spans a question is about, and reading them block by block: all rows in stored order on two
 * threads where the blocks are resident, or, where the question is about little, by lane and time.
 */
#ifndef FGI_SELECTION_H
#define FGI_SELECTION_H
#include "engine/cpu/engine_cpu_priv.h"
#include <frameglass/trace_aggregate.h>

/** Spans that a consumer sees at a time: what is made of them stays in the nearest cache. */
#define FGI_BATCH_SPANS 1024u
/** Threads that read together. Which one sees a block follows from the block's index alone. */
#define FGI_READERS 2u

struct fgi_chosen {
    struct fgi_engine_cpu *cpu;
    struct fgi_cpu_filter *filter; /**< held until fgi_chosen_finish(); NULL = all rows */
    const uint64_t *lanes;         /**< bits; NULL = all */
    int64_t start_ns, end_ns;
    bool has_range, has_frames;
    uint32_t first_frame, end_frame;
    bool is_by_lane;     /**< read by lane and time */
    uint64_t candidates; /**< rows that reading looks at */
};
/** Lists are copied into the question's memory. FG_ERR_NOT_FOUND: no such filter or lane. */
FG_MUST_USE enum fg_result fgi_choose(struct fgi_engine_cpu *cpu,
                                      const struct fgi_question *question,
                                      const struct fg_selection *selection,
                                      struct fgi_chosen *out_chosen);
void fgi_chosen_finish(struct fgi_chosen *chosen);
/** Rows by lane, those of the filter. */
const struct fgi_row_set *fgi_chosen_set(const struct fgi_chosen *chosen);
static inline bool fgi_chosen_lane(const struct fgi_chosen *chosen, uint32_t lane)
{
    return !chosen->lanes || fgi_has_bit(chosen->lanes, lane);
}
/** Is a span meant? Its lane, filter, frame and range are looked at. */
bool fgi_chosen_has(const struct fgi_chosen *chosen, const struct fgi_block *block, uint32_t i);

/** Spans of one block; `items` ascend when rows are read in stored order. */
struct fgi_batch {
    const struct fgi_block *block;
    const uint32_t *items;
    uint32_t count;
    unsigned reader; /**< below FGI_READERS: consumers keep what they add up apart */
};
/** Called by several threads at once, for different readers. */
typedef enum fg_result (*fgi_consume)(void *context, const struct fgi_batch *batch);

/** How far reading is. Zero plus `chosen` is the beginning; nothing is held between steps. */
struct fgi_reading {
    const struct fgi_chosen *chosen;
    uint32_t row;                   /**< next, in stored order */
    uint32_t lane, position, limit; /**< by lane; position == limit: the lane is to be opened */
    bool is_done;
};
/** Read up to max_rows rows further; adds how many to *done_rows. */
FG_MUST_USE enum fg_result fgi_read_on(struct fgi_reading *reading,
                                       const struct fgi_question *question, uint64_t max_rows,
                                       fgi_consume consume, void *context, uint64_t *done_rows);

#endif
