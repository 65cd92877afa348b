/* SPDX-License-Identifier: MIT */
/* What `--by` can name, how a group of each dimension is called, and spans by their rows. */
#ifndef FGI_GROUPINGS_H
#define FGI_GROUPINGS_H
#include <frameglass/trace_aggregate.h>

/** All of them, as help shows them. */
#define FGI_GROUPINGS                                                                              \
    "name|pass|track|thread|scope|category|process|lane|depth|status|class|frame|all"

struct fgi_grouping_name {
    const char *name;
    uint32_t stats_by;     /**< enum fg_stats_by */
    uint32_t aggregate_by; /**< enum fg_aggregate_by */
    const uint32_t *kind;  /**< of the tracks that it is about; NULL = all */
};
/** NULL: there is none of this name. */
const struct fgi_grouping_name *fgi_grouping_find(const char *name);

enum { FGI_GROUP_TEXT = 200 };
/**
 * How a group is called: its text, or a number or words in `room` (FGI_GROUP_TEXT bytes).
 *
 * @param aggregate_by enum fg_aggregate_by
 * @param key          of that dimension
 */
const char *fgi_group_text(const struct fg_trace *trace, uint32_t aggregate_by, uint32_t key,
                           char *room);

/** A span; FG_ERR_NOT_FOUND when there is no such row. */
enum fg_result fgi_span_read(const struct fg_trace *trace, uint32_t row,
                             struct fg_trace_span *out_span);
/** The name of its track; "" when it has none. */
const char *fgi_span_track(const struct fg_trace *trace, const struct fg_trace_span *span);

#endif
