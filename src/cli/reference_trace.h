/* SPDX-License-Identifier: MIT */
/* The trace that the reference benchmark asks about, made in memory from process_dataset.h. */
#ifndef FGI_REFERENCE_TRACE_H
#define FGI_REFERENCE_TRACE_H
#include "cli/process_dataset.h"
#include <frameglass/trace.h>

/**
 * The data set as a trace in whole nanoseconds: rows as there, a track for each thread and a lane
 * for each of its lanes, names by group and status, a category for each group, and parents as there
 * (not by time). One span in four has failed.
 *
 * @param copies    so many times the same, one after the other in time: larger traces in less time
 * @param out_trace owned: fgi_trace_destroy()
 * @return FG_OK, FG_ERR_NO_MEMORY, FG_ERR_LIMIT
 */
FG_MUST_USE enum fg_result fgi_reference_trace(const struct fg_allocator *allocator,
                                               uint32_t span_count, uint32_t dependency_count,
                                               uint32_t copies, struct fg_trace **out_trace);

#endif
