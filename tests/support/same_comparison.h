/* SPDX-License-Identifier: MIT */
/* Comparisons in steps against the same ones at once: equal bit for bit. */
#ifndef FGT_SAME_COMPARISON_H
#define FGT_SAME_COMPARISON_H
#include <frameglass/trace_compare.h>

void fgt_assert_same_comparison(const struct fg_compare_reply *a, const struct fg_compare_reply *b);
/**
 * Do it in steps of so many rows (0 = without a limit), and look at every stage.
 *
 * @return steps taken
 */
uint32_t fgt_compare_in_steps(const struct fg_compare_request *request, uint64_t rows,
                              const struct fg_compare_reply *expected);

#endif
