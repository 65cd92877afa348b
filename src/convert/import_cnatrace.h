/* SPDX-License-Identifier: MIT */
/* A CNATRACE file becomes a trace. What each event turns into is written in import_cnatrace.c. */
#ifndef FGI_IMPORT_CNATRACE_H
#define FGI_IMPORT_CNATRACE_H
#include <frameglass/base.h>

struct fg_cnatrace;
struct fg_trace;

/**
 * @param allocator NULL = libc; outlives the trace
 * @param max_rows  as in struct fg_open_options; 0 = no limit of its own
 * @param out_trace owned by the caller, fgi_trace_destroy(); untouched on failure
 * @return FG_OK, FG_ERR_LIMIT (more than max_rows), FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_import_cnatrace(const struct fg_cnatrace *events,
                                               const struct fg_allocator *allocator,
                                               uint64_t max_rows, struct fg_trace **out_trace);

#endif
