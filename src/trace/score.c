/* SPDX-License-Identifier: MIT */
/* How unusual one span, or one group, is. The formulas are in docs/ENGINE.md. */
#include "trace/score.h"
#include "base/wide.h"
#include <frameglass/trace_anomaly.h>

#define DEFAULT_SPAN_THRESHOLD (3 * FG_MICRO)
#define DEFAULT_MIN_COUNT      2u
/* Tint of a score that is just an anomaly. */
#define TINT_THRESHOLD 128u

const char *fg_score_reason_text(uint32_t reason)
{
    static const char *const texts[FG_SCORE_REASONS] = {
        [FG_SCORE_SCORED] = "scored",
        [FG_SCORE_SATURATED] = "saturated",
        [FG_SCORE_NOT_SELECTED] = "not_selected",
        [FG_SCORE_UNFINISHED] = "unfinished",
        [FG_SCORE_NO_KEY] = "no_key",
        [FG_SCORE_NO_BASELINE] = "no_baseline",
        [FG_SCORE_OTHER_CLOCK] = "other_clock",
        [FG_SCORE_FEW] = "few",
        [FG_SCORE_BAD_BASELINE] = "bad_baseline",
    };
    return reason < FG_SCORE_REASONS ? texts[reason] : "";
}

void fgi_score_rule_fill(struct fg_score_rule *rule)
{
    if (rule->duration_weight_micro == 0 && rule->error_weight_micro == 0) {
        rule->duration_weight_micro = rule->error_weight_micro = FG_MICRO;
    }
    rule->threshold_micro = rule->threshold_micro ? rule->threshold_micro : DEFAULT_SPAN_THRESHOLD;
    rule->min_deviation_ns = rule->min_deviation_ns ? rule->min_deviation_ns : 1;
    rule->min_count = rule->min_count ? rule->min_count : DEFAULT_MIN_COUNT;
}

enum fg_score_reason fgi_score_filled(const struct fg_baseline *baseline,
                                      const struct fg_score_rule *rule, uint64_t duration_ns,
                                      bool is_error, uint64_t *out_score_micro)
{
    *out_score_micro = 0;
    if (baseline->error_ppm > FG_MICRO) {
        return FG_SCORE_BAD_BASELINE;
    }
    if (baseline->count > 0 && baseline->count < rule->min_count) {
        return FG_SCORE_FEW;
    }
    uint64_t deviation = baseline->deviation_ns > rule->min_deviation_ns ? baseline->deviation_ns
                                                                         : rule->min_deviation_ns;
    uint64_t off = 0;
    if (duration_ns > baseline->mean_ns) {
        off = duration_ns - baseline->mean_ns;
    } else if (rule->is_two_sided) {
        off = baseline->mean_ns - duration_ns;
    }
    uint64_t surprise = is_error ? FG_MICRO - baseline->error_ppm : baseline->error_ppm;
    fgi_wide score = (fgi_wide)rule->duration_weight_micro * off / deviation +
                     (fgi_wide)rule->error_weight_micro * surprise / FG_MICRO;
    *out_score_micro = fgi_wide_saturated(score);
    return score >= UINT64_MAX ? FG_SCORE_SATURATED : FG_SCORE_SCORED;
}

enum fg_score_reason fg_score_span(const struct fg_baseline *baseline,
                                   const struct fg_score_rule *rule, uint64_t duration_ns,
                                   bool is_error, uint64_t *out_score_micro)
{
    struct fg_score_rule filled = rule ? *rule : (struct fg_score_rule){ 0 };
    fgi_score_rule_fill(&filled);
    return fgi_score_filled(baseline, &filled, duration_ns, is_error, out_score_micro);
}

uint8_t fg_score_tint(uint64_t score_micro, uint64_t threshold_micro)
{
    uint64_t threshold = threshold_micro ? threshold_micro : DEFAULT_SPAN_THRESHOLD;
    if (score_micro < threshold) {
        return (uint8_t)(1 + (fgi_wide)score_micro * (TINT_THRESHOLD - 1) / threshold);
    }
    fgi_wide above = (fgi_wide)(score_micro - threshold) * (UINT8_MAX - TINT_THRESHOLD) / threshold;
    return (uint8_t)(above > UINT8_MAX - TINT_THRESHOLD ? UINT8_MAX : TINT_THRESHOLD + above);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int64_t difference(uint64_t a, uint64_t b)
{
    uint64_t size = a > b ? a - b : b - a;
    int64_t saturated = size > INT64_MAX ? INT64_MAX : (int64_t)size;
    return a > b ? saturated : -saturated;
}

static uint32_t flags_of(const struct fg_group_figures *base, const struct fg_group_figures *other)
{
    uint32_t flags = 0;
    flags |= !base->is_known ? FG_GROUP_ONLY_NEW : 0u;
    flags |= !other->is_known ? FG_GROUP_ONLY_BASE : 0u;
    flags |= base->is_known && base->error_ppm > FG_MICRO ? FG_GROUP_BAD_BASE : 0u;
    flags |= other->is_known && other->error_ppm > FG_MICRO ? FG_GROUP_BAD_NEW : 0u;
    return flags;
}

void fg_score_group(const struct fg_group_figures *base, const struct fg_group_figures *other,
                    const struct fg_group_rule *rule, struct fg_group_score *out_score)
{
    struct fg_group_rule r = rule ? *rule : (struct fg_group_rule){ 0 };
    if (r.duration_weight_micro == 0 && r.error_weight_micro == 0 && r.count_weight_micro == 0) {
        r.duration_weight_micro = r.error_weight_micro = FG_MICRO;
    }
    *out_score = (struct fg_group_score){ .flags = flags_of(base, other) };
    if (out_score->flags != 0) {
        return;
    }
    uint64_t least = r.min_baseline_ns ? r.min_baseline_ns : 1;
    uint64_t usual = base->mean_ns > least ? base->mean_ns : least;
    fgi_wide ratio = (fgi_wide)other->mean_ns * FG_MICRO / usual;
    uint64_t slower = other->mean_ns > usual ? other->mean_ns - usual : 0;
    uint64_t failing = other->error_ppm > base->error_ppm ? other->error_ppm - base->error_ppm : 0;
    uint64_t count =
        other->count > base->count ? other->count - base->count : base->count - other->count;
    uint64_t counted = base->count > 0 ? base->count : 1;
    fgi_wide score = (fgi_wide)r.duration_weight_micro * slower / usual +
                     (fgi_wide)r.error_weight_micro * failing / FG_MICRO +
                     (fgi_wide)r.count_weight_micro * count / counted;
    uint64_t threshold = r.threshold_micro ? r.threshold_micro : FG_GROUP_THRESHOLD;
    out_score->count_delta = difference(other->count, base->count);
    out_score->mean_delta_ns = difference(other->mean_ns, base->mean_ns);
    out_score->error_delta_ppm = (int32_t)((int64_t)other->error_ppm - (int64_t)base->error_ppm);
    out_score->ratio_micro = fgi_wide_saturated(ratio);
    out_score->score_micro = fgi_wide_saturated(score);
    if (score >= UINT64_MAX || ratio >= UINT64_MAX) {
        out_score->flags |= FG_GROUP_SATURATED;
    }
    if (score >= threshold) {
        out_score->flags |= FG_GROUP_REGRESSION;
    }
}
