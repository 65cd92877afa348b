/* SPDX-License-Identifier: MIT */
/* Spans by group: what statistics, aggregates and baselines add up, in one or two readings. */
#ifndef FGI_GROUPS_H
#define FGI_GROUPS_H
#include "engine/cpu/selection.h"

/** A sum of naturals that cannot overflow: 2^32 of them at most. */
struct fgi_sum {
    uint64_t low;
    uint32_t high;
};
static inline void fgi_sum_add(struct fgi_sum *sum, uint64_t value)
{
    sum->low += value;
    sum->high += sum->low < value;
}
static inline void fgi_sum_join(struct fgi_sum *sum, const struct fgi_sum *other)
{
    fgi_sum_add(sum, other->low);
    sum->high += other->high;
}
/** UINT64_MAX when it does not fit. */
static inline uint64_t fgi_sum_saturated(const struct fgi_sum *sum)
{
    return sum->high ? UINT64_MAX : sum->low;
}
/** Floor of sum / count; count > 0 and at least as many as were added. */
uint64_t fgi_sum_divide(const struct fgi_sum *sum, uint64_t count);

struct fgi_group {
    uint32_t key, clock;
    uint32_t track;   /**< FG_NONE: several */
    uint32_t largest; /**< row; ties: the lowest */
    uint64_t count;   /**< complete spans */
    uint64_t errors, unfinished;
    uint64_t measured; /**< complete, with a value: what the rest is about */
    uint64_t zeroes;
    struct fgi_sum sum, self;
    uint64_t min, max;
    int64_t start_ns, end_ns;
};

enum fgi_group_scopes {
    FGI_SCOPES_ALL,   /**< scopes are spans like others */
    FGI_SCOPES_NEVER, /**< they are hulls of what is counted already */
    FGI_SCOPES_ALONE,
};
struct fgi_grouping_rule {
    uint32_t by;      /**< enum fg_aggregate_by */
    uint32_t measure; /**< enum fg_measure */
    struct fg_measure_values values;
    uint32_t class_mask;
    enum fgi_group_scopes scopes;
    bool has_self;  /**< add up own times, too; fgi_cover_make() is done before the reading */
    bool has_spans; /**< tracks, zeroes, starts and ends */
};

/** What is known of a kind of spans, where the group follows from it. */
struct fgi_kind_group {
    uint32_t group; /**< + 1; 0: nobody has looked; FG_NONE: none */
    uint8_t status;
};
/** What one reader has found so far. */
struct fgi_group_table {
    struct fgi_kind_group *by_kind; /**< NULL: keys are looked up */
    uint32_t *dense;                /**< group + 1 by key * clocks + clock; NULL: the map is used */
    struct fgi_map64 map;
    struct fgi_group *groups;
    size_t count, capacity;
    uint64_t keyless, selected;
};
struct fgi_mutex;
struct fgi_grouping {
    struct fgi_engine_cpu *cpu;
    struct fgi_grouping_rule rule;
    const struct fgi_chosen *chosen;
    uint32_t key_limit;
    size_t clocks, dense_count, kind_count;
    uint32_t *lane_clock;     /**< by lane */
    struct fgi_mutex *memory; /**< while a reader's table grows */
    struct fgi_group_table tables[FGI_READERS];
    /* Second reading: the values (or intervals) of each group, one group after the other. */
    uint64_t *first; /**< by group: where it begins; one more at the end */
    /** By the reader's group: where its next one goes; at the end, where its part ends. */
    uint64_t *next[FGI_READERS];
    uint64_t *values;
    struct fgi_interval *intervals;
    size_t value_count;
    uint32_t *joined[FGI_READERS]; /**< group in the first table, by the reader's group */
};

FG_MUST_USE enum fg_result fgi_grouping_begin(struct fgi_grouping *grouping,
                                              const struct fgi_grouping_rule *rule,
                                              const struct fgi_chosen *chosen);
void fgi_grouping_finish(struct fgi_grouping *grouping);
/** A consumer: the first reading. */
enum fg_result fgi_grouping_add(void *grouping, const struct fgi_batch *batch);
/** After the first reading, before joining: a group for every key of the dimension's list. */
FG_MUST_USE enum fg_result fgi_grouping_add_empty(struct fgi_grouping *grouping);
/** After the first reading: all groups are in tables[0], ready to be collected if `values` are. */
FG_MUST_USE enum fg_result fgi_grouping_join(struct fgi_grouping *grouping);
/** Room for the second reading, of values or of intervals. */
FG_MUST_USE enum fg_result fgi_grouping_make_room(struct fgi_grouping *grouping,
                                                  bool has_intervals);
/** A consumer: the second reading. */
enum fg_result fgi_grouping_collect(void *grouping, const struct fgi_batch *batch);

/** Value of a span, as the rule measures it. False: it has none. */
bool fgi_measure(const struct fgi_engine_cpu *cpu, const struct fgi_grouping_rule *rule,
                 const struct fgi_chosen *chosen, const struct fgi_block *block, uint32_t i,
                 uint64_t *out_value);
/** Key of a span by a rule; FG_NONE: none. */
uint32_t fgi_group_key(const struct fgi_engine_cpu *cpu, const struct fgi_grouping_rule *rule,
                       const struct fgi_block *block, uint32_t i);
/** Keys of a dimension that has a list of them (lanes, tracks, ...), else a bound or FG_NONE. */
uint32_t fgi_group_key_limit(const struct fg_trace *trace, uint32_t by);

/** Median and p95 by nearest rank; `values` are put in another order. count > 0. */
void fgi_select_ranks(uint64_t *values, size_t count, uint64_t *out_median, uint64_t *out_p95);

#endif
