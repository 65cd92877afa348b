/* SPDX-License-Identifier: MIT */
/* Whether two traces are the same, part by part; what differs fails the test. */
#ifndef FGT_SAME_TRACE_H
#define FGT_SAME_TRACE_H
#include <frameglass/trace.h>

struct fgt_both {
    const struct fg_trace *a, *b;
};

/** Of so many rows. */
void fgt_same_rows(const struct fgt_both *t, uint64_t count);
void fgt_same_tracks(const struct fgt_both *t);
void fgt_same_instants(const struct fgt_both *t);
void fgt_same_counters(const struct fgt_both *t);
void fgt_same_objects(const struct fgt_both *t);
void fgt_same_stacks(const struct fgt_both *t);
void fgt_same_links(const struct fgt_both *t);
void fgt_same_report(const struct fgt_both *t);
/** All of it, and what is told of the traces as a whole. */
void fgt_assert_same(const struct fg_trace *a, const struct fg_trace *b);

#endif
