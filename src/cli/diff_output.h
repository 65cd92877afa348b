/* SPDX-License-Identifier: MIT */
/* How a comparison is shown, and what a gate makes of it. */
#ifndef FGI_CLI_DIFF_OUTPUT_H
#define FGI_CLI_DIFF_OUTPUT_H
#include "cli/cli_output.h"
#include <frameglass/trace_compare.h>

struct fgi_diff {
    const char *names[2]; /**< of the inputs */
    bool has_range[2];    /**< a range of time, not frames */
    const char *by;
    struct fg_compare_reply reply;
    bool has_gate;
    double most_percent; /**< what may be slower by more fails */
    bool lists_all;      /**< for people: also what is within the noise */
};

/**
 * Is a row (or a whole frame's time) slower by more than the gate lets pass? Only claimed
 * differences are judged. What was not there before is measured against the base's whole frame.
 */
bool fgi_diff_row_fails(const struct fgi_diff *diff, const struct fg_compare_row *row);
bool fgi_diff_total_fails(const struct fgi_diff *diff, const struct fg_compare_total *total);

/** What the gate says. */
enum fgi_diff_verdict {
    FGI_DIFF_PASS = 0,
    FGI_DIFF_FAIL = 1,
    FGI_DIFF_UNKNOWN = 2, /**< a side has no frame, or only one has GPU times */
};
enum fgi_diff_verdict fgi_diff_verdict(const struct fgi_diff *diff);
/** Why it cannot be told; NULL when it can. Static memory. */
const char *fgi_diff_unknown_text(const struct fg_compare_reply *reply);

FG_MUST_USE enum fg_result fgi_diff_print(const struct fgi_diff *diff);
FG_MUST_USE enum fg_result fgi_diff_print_json(const struct fgi_diff *diff);

#endif
