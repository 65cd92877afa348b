/* SPDX-License-Identifier: MIT */
/* What `frameglass stats` prints instead of groups: histograms and time buckets. */
#ifndef FGI_STATS_PARTS_H
#define FGI_STATS_PARTS_H
#include "cli/cli_input.h"
#include <frameglass/trace_aggregate.h>

struct fgi_parts {
    const struct fgi_input *input;
    struct fg_selection selection;
    bool as_json, as_csv;
};

FG_MUST_USE enum fg_result fgi_parts_histogram(const struct fgi_parts *parts);
/** @param count at least 1 */
FG_MUST_USE enum fg_result fgi_parts_buckets(const struct fgi_parts *parts, uint32_t count);

#endif
