/* SPDX-License-Identifier: MIT */
/*
 * Numbers over selected rows: figures of groups, and histograms. A selection and a grouping become
 * small tables for kernels; keys that occur are numbered densely, so that groups are slots of one
 * table on the device: slot = number of the key * clocks + clock.
 */
#ifndef FGI_GPU_NUMBERS_H
#define FGI_GPU_NUMBERS_H
#include "base/arena.h"
#include "base/wide.h"
#include "engine/vulkan/gpu_columns.h"
#include <frameglass/trace_aggregate.h>

/** Of groups; one more adds up squares, when the means are known. */
enum { FGI_GPU_NUMBER_PASSES = 3 };

enum fgi_gpu_number_scopes {
    FGI_GPU_SCOPES_ALL,   /**< scopes are spans like others */
    FGI_GPU_SCOPES_NEVER, /**< they have no key */
    FGI_GPU_SCOPES_ALONE, /**< all others have none */
};
/** What a caller has by row on the device. Zero is nothing. Lent until the end. */
struct fgi_gpu_caller {
    struct fgi_gpu_column mask;   /**< rows count only with their bit */
    struct fgi_gpu_column values; /**< for FG_MEASURE_VALUES */
    struct fgi_gpu_column absent; /**< bits: of values that are none */
    uint32_t value_count;         /**< rows behind have none */
};
struct fgi_gpu_number_rule {
    uint32_t by;      /**< enum fg_aggregate_by */
    uint32_t measure; /**< enum fg_measure */
    uint32_t class_mask;
    enum fgi_gpu_number_scopes scopes;
    const struct fgi_gpu_caller *caller; /**< NULL = nothing */
    bool has_spans;                      /**< tracks, zeroes, starts and ends are wanted */
    bool has_no_figures;                 /**< nothing is added up: there are no cells */
    bool has_pass, has_name;
    uint32_t pass; /**< only spans of it are selected; FG_NONE: of none */
    uint32_t name; /**< only spans that have it have a key */
};

/** What one group comes to. */
struct fgi_gpu_group {
    uint32_t slot;
    uint32_t key, clock;
    uint32_t track;   /**< FG_NONE: several; with has_spans only, as the next three */
    uint32_t largest; /**< the lowest row of the greatest; FG_NONE: nothing was measured */
    int64_t start_ns, end_ns;
    uint64_t zeroes;
    uint64_t unmeasured; /**< of a caller's column only; not in the count */
    uint64_t count, errors, unfinished;
    fgi_wide sum;
    uint64_t min, max; /**< 0: nothing was measured */
};
/** Words after the passes of groups, and after a histogram. */
struct fgi_gpu_group_totals {
    uint32_t selected, keyless;
    uint32_t groups; /**< of the table, when it is made */
    uint32_t reserved;
};
struct fgi_gpu_bin_totals {
    uint32_t below, above, measured, unfinished, unmeasured, reserved[3];
};

/** Bins of a histogram. */
struct fgi_gpu_bins {
    uint64_t low, high;     /**< what is outside of [low, high] is in none of them */
    const uint64_t *firsts; /**< first value of each bin, ascending; NULL: by powers of two */
    uint32_t count;
};

/** One question. Zero is nothing. */
struct fgi_gpu_numbers {
    struct fg_gpu_trace *gpu;
    const struct fgi_gpu_column *mask;    /**< by row, of the filter; NULL = all */
    const struct fgi_gpu_column *covered; /**< by children, by row; NULL = nobody asks */
    const struct fgi_gpu_caller *caller;  /**< NULL = nothing */
    struct fg_compute_memory args;        /**< struct fgi_gpu_number_args */
    struct fg_compute_memory lanes;       /**< bits of lanes; none: all */
    struct fg_compute_memory kinds, lane_keys;
    struct fg_compute_memory totals;     /**< struct fgi_gpu_group_totals */
    struct fg_compute_memory bin_totals; /**< struct fgi_gpu_bin_totals */
    struct fg_compute_memory candidates; /**< of the kernel's groups, which later passes skip */
    struct fg_compute_memory key_list;   /**< of the table; likewise the next four */
    struct fg_compute_memory sums;
    struct fgi_gpu_column_memory flags, flag_mask, group_slots;
    struct fgi_gpu_column_memory groups; /**< struct fg_gpu_group */
    struct fg_compute_memory firsts, means;
    struct fgi_gpu_column_memory cells;
    struct fgi_gpu_column_memory counts;
    const uint32_t *keys; /**< by number, in the arena; NULL: the numbers are the keys */
    uint32_t key_count, clocks, slots, bin_count;
};

/** Keys of a dimension that has a list of them (lanes, tracks, ...), else a bound. */
uint32_t fgi_gpu_number_keys(const struct fg_trace *trace, uint32_t by);
/**
 * Number the keys, and take what the groups need.
 *
 * @param mask    lent until the end; NULL = all rows
 * @param covered of each row what its children cover, likewise; for FG_MEASURE_SELF only
 * @param arena of what is lent until the end
 * @return FG_OK; FG_ERR_LIMIT (more groups than one table takes); FG_ERR_NO_MEMORY; of
 *         fg_compute_memory_take(). What was taken is ended by fgi_gpu_numbers_end() in any case.
 */
FG_MUST_USE enum fg_result fgi_gpu_numbers_begin(
    struct fgi_gpu_numbers *numbers, struct fg_gpu_trace *gpu, const struct fgi_gpu_column *mask,
    const struct fgi_gpu_column *covered, const struct fg_selection *selection,
    const struct fgi_gpu_number_rule *rule, struct fgi_arena *arena);
/** How many slots there would be: to be asked before. */
uint64_t fgi_gpu_numbers_slots(const struct fg_trace *trace, uint32_t by);
enum { FGI_GPU_NUMBER_SLOTS_MAX = 1 << 20 };
void fgi_gpu_numbers_end(struct fgi_gpu_numbers *numbers);

/** A bit for each lane: is it one that a selection's lists name? */
FG_MUST_USE enum fg_result fgi_gpu_selected_lanes(const struct fg_trace *trace,
                                                  const struct fg_selection *selection,
                                                  struct fgi_arena *arena, uint32_t **out_bits);
/** Bits that the greatest of some numbers has; at least one. */
static inline uint32_t fgi_gpu_bits_of(uint64_t greatest)
{
    uint32_t bits = 1;
    while (bits < 64 && greatest >> bits != 0) {
        bits++;
    }
    return bits;
}
/** Say that a node reads all that kernels read of a selection and its grouping. */
void fgi_gpu_numbers_use(struct fgi_prim_node *node, const struct fgi_gpu_numbers *numbers);
/** Key of a slot. */
static inline uint32_t fgi_gpu_numbers_key(const struct fgi_gpu_numbers *numbers, uint32_t slot)
{
    const uint32_t key = slot / numbers->clocks;
    return numbers->keys ? numbers->keys[key] : key;
}

/** Of the word that each of the kernel's groups has. */
uint64_t fgi_gpu_numbers_candidate_bytes(const struct fg_gpu_trace *gpu);
/** Add the passes [first, end) of groups; 0 clears what came before. */
FG_MUST_USE enum fg_result fgi_gpu_numbers_groups(const struct fgi_gpu_numbers *numbers,
                                                  const struct fg_compute_sink *sink,
                                                  uint32_t first, uint32_t end);
/** Words of all cells, in the order of slots: `slots` times. */
enum { FGI_GPU_CELL_WORDS = 24, FGI_GPU_GROUP_QUADS = 4 };
/** A group from its words. False: no row was in it. */
bool fgi_gpu_numbers_group(const struct fgi_gpu_numbers *numbers, const uint32_t *words,
                           uint32_t slot, bool has_spans, struct fgi_gpu_group *out_group);

/** Squares of what values differ from their group's mean by, after the fourth pass. */
struct fgi_gpu_squares {
    fgi_wide sum;
    bool is_saturated; /**< it does not fit */
};
void fgi_gpu_numbers_squares(const uint32_t *words, struct fgi_gpu_squares *out_squares);
/** Means are made known before the pass of squares: of each slot, rounded down, and one more. */
FG_MUST_USE enum fg_result fgi_gpu_numbers_set_means(struct fgi_gpu_numbers *numbers,
                                                     const uint64_t *means);

enum fgi_gpu_number_value {
    FGI_GPU_VALUE_MEASURED = 0, /**< 0 where there is none */
    FGI_GPU_VALUE_START = 1,    /**< the sign turned, in the order of naturals; of every row */
    FGI_GPU_VALUE_END = 2,
};
/** Of each row its value (8 bytes) and its slot (4 bytes): `slots` where it has no value. */
FG_MUST_USE enum fg_result fgi_gpu_numbers_values(const struct fgi_gpu_numbers *numbers,
                                                  const struct fg_compute_sink *sink,
                                                  enum fgi_gpu_number_value value,
                                                  const struct fgi_gpu_column *values,
                                                  const struct fgi_gpu_column *slots);

/** What a table of groups takes, once; then the nodes that make it, behind the passes. */
FG_MUST_USE enum fg_result fgi_gpu_numbers_take_table(struct fgi_gpu_numbers *numbers);
FG_MUST_USE enum fg_result fgi_gpu_numbers_table(const struct fgi_gpu_numbers *numbers,
                                                 const struct fg_compute_sink *sink);

/** Bins are made known before their pass. As fgi_gpu_numbers_begin(). */
FG_MUST_USE enum fg_result fgi_gpu_numbers_set_bins(struct fgi_gpu_numbers *numbers,
                                                    const struct fgi_gpu_bins *bins);
FG_MUST_USE enum fg_result fgi_gpu_numbers_bins(const struct fgi_gpu_numbers *numbers,
                                                const struct fg_compute_sink *sink);

#endif
