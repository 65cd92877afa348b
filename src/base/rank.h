/* SPDX-License-Identifier: MIT */
/* Medians and percentiles of a few hundred numbers: hitches, benchmarks, tests. */
#ifndef FGI_RANK_H
#define FGI_RANK_H
#include <frameglass/base.h>

/**
 * The number that `percent` of the values do not exceed, by nearest rank: always one of them, the
 * lower of two middles for an even count. Sorts the values, in quadratic time.
 *
 * @param count   at least 1
 * @param percent 0 = the smallest, 50 = the median, 100 = the largest
 */
int64_t fgi_rank_ns(int64_t *values, size_t count, unsigned percent);

#endif
