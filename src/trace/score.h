/* SPDX-License-Identifier: MIT */
/* Scores from inside: rules are filled in once, not for each of many spans. */
#ifndef FGI_SCORE_H
#define FGI_SCORE_H
#include <frameglass/trace_anomaly.h>

/** Zeros become what they stand for. */
void fgi_score_rule_fill(struct fg_score_rule *rule);
/** fg_score_span() by a rule that is filled in. */
enum fg_score_reason fgi_score_filled(const struct fg_baseline *baseline,
                                      const struct fg_score_rule *rule, uint64_t duration_ns,
                                      bool is_error, uint64_t *out_score_micro);

#endif
