/* SPDX-License-Identifier: MIT */
/* Arguments that came in records of their own, ARGS and ARGT: where they are, and reading them. */
#ifndef FGI_CAPTURE_TO_TRACE_LISTS_H
#define FGI_CAPTURE_TO_TRACE_LISTS_H
#include "convert/capture_to_trace_priv.h"

/** Second reading. What does not fit its kind is told as a repair. */
void fgi_convert_arguments(struct fgi_conversion *c, const struct fg_cap_arguments *arguments,
                           uint64_t offset);
void fgi_convert_trees(struct fgi_conversion *c, const struct fg_cap_trees *trees, uint64_t offset);
/** When owners are known: rows[i] has list i, or is FG_NONE. */
void fgi_convert_place_lists(struct fgi_conversion *c, const uint32_t *rows);
/**
 * Arguments of a row that came in records of their own, behind the *count that are in out_args
 * already. *count may become larger than capacity: how many there are.
 */
enum fg_result fgi_convert_load_lists(struct fgi_capture_backing *backing, uint32_t row,
                                      struct fg_trace_arg *out_args, uint32_t capacity,
                                      uint32_t *count);
/** Add what is cached behind the *count that are there, as above. */
void fgi_put_cached(const struct fgi_cached_args *from, struct fg_trace_arg *out_args,
                    uint32_t capacity, uint32_t *count);

#endif
