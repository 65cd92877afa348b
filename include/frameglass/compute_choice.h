/* SPDX-License-Identifier: MIT */
/*
 * Which of the ways to compute the same is the fastest on a device: with 64-bit integers or with
 * halves, with subgroups or without, in groups of which size. Results do not depend on it. It is
 * measured once for a device and a driver; the caller remembers it (by facts.pipeline_cache_uuid)
 * and makes its compute with it.
 */
#ifndef FG_COMPUTE_CHOICE_H
#define FG_COMPUTE_CHOICE_H
#include <frameglass/compute_runner.h>
FG_BEGIN_DECLS

struct fg_compute_choice {
    uint32_t flags;      /**< of fg_compute_options.flags: FG_COMPUTE_NO_INT64, _NO_SUBGROUP */
    uint32_t group_size; /**< of fg_compute_options.group_size */
    int64_t taken_ns;    /**< by what was measured: scans, a sort, a compaction, a reduction */
};
enum { FG_COMPUTE_CHOICES = 6 };

/**
 * Measure what there is to choose from. Takes about a second on a GPU, most of it for pipelines.
 *
 * @param options     as for fg_compute_create(); what flags exclude is not tried
 * @param runner      of the options' device; its `compute` is not looked at
 * @param rows        that are sorted; 0 = 1,048,576
 * @param out_choices the fastest one first
 * @param out_count   of them: at most FG_COMPUTE_CHOICES
 * @return FG_OK (at least one); of fg_compute_create(), of taking memory and of the runner
 */
FG_API FG_MUST_USE enum fg_result fg_compute_choose(
    const struct fg_compute_options *options, const struct fg_compute_runner *runner, uint32_t rows,
    struct fg_compute_choice out_choices[FG_COMPUTE_CHOICES], uint32_t *out_count);

FG_END_DECLS
#endif
