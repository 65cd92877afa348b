/* SPDX-License-Identifier: MIT */
/* The same group in two traces: what a key is called, and where it is in the other one. */
#ifndef FGI_GROUP_MATCH_H
#define FGI_GROUP_MATCH_H
#include "trace/query_priv.h"

/** What a key of a dimension is by its texts; numbers for those that have none. NULL: refused. */
const char *fgi_group_identity(const struct fg_trace *trace, uint32_t by, uint32_t key,
                               struct fgi_arena *arena);
/** The name of it, for a person; "" for numbers. Lent by the trace. */
const char *fgi_group_name(const struct fg_trace *trace, uint32_t by, uint32_t key);
/** Key of `trace` that is what `key` is in `other`; FG_NONE. */
uint32_t fgi_group_find(const struct fg_trace *trace, uint32_t by, const struct fg_trace *other,
                        uint32_t key);
/** The clock of that name; FG_NONE. */
uint32_t fgi_clock_find(const struct fg_trace *trace, const struct fg_trace *other, uint32_t clock);
/** Errors of so many, in parts per million, to the nearest. */
uint32_t fgi_error_ppm(uint64_t errors, uint64_t count);

#endif
