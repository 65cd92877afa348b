/* SPDX-License-Identifier: MIT */
/* What `frameglass stats` prints beside statistics by name: other groups, histograms, buckets. */
#ifndef FGI_STATS_GROUPS_H
#define FGI_STATS_GROUPS_H
#include "cli/cli_input.h"
#include <frameglass/trace_aggregate.h>

#define FGI_STATS_BY  "name|pass|track|scope"
#define FGI_GROUPS_BY "all|category|process|lane|depth|status|class|frame"

struct fgi_groups {
    const struct fgi_input *input;
    struct fg_selection selection;
    const char *by_name;
    uint32_t by; /**< enum fg_aggregate_by */
    bool as_json, as_csv;
};

/** The dimension of a name in FGI_GROUPS_BY. */
bool fgi_groups_find(const char *name, uint32_t *out_by);
FG_MUST_USE enum fg_result fgi_groups_print(const struct fgi_groups *groups);
FG_MUST_USE enum fg_result fgi_groups_histogram(const struct fgi_groups *groups);
/** @param count at least 1 */
FG_MUST_USE enum fg_result fgi_groups_buckets(const struct fgi_groups *groups, uint32_t count);

#endif
