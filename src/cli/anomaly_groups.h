/* SPDX-License-Identifier: MIT */
/* What `frameglass anomalies --groups` prints: groups of one side against the same of the other. */
#ifndef FGI_ANOMALY_GROUPS_H
#define FGI_ANOMALY_GROUPS_H
#include "cli/cli_input.h"
#include "cli/groupings.h"
#include <frameglass/trace_anomaly.h>

struct fgi_anomaly_groups {
    const struct fgi_input *sides[2]; /**< base, new; may be the same */
    const struct fgi_grouping_name *by;
    struct fg_groups_request request;
    bool as_json, as_csv;
};
FG_MUST_USE enum fg_result fgi_anomaly_groups_print(const struct fgi_anomaly_groups *groups);
/** "3.42" of millionths, rounded down; "more than fits" at UINT64_MAX. Returns `out`. */
const char *fgi_score_text(uint64_t micro, char *out, size_t size);

#endif
