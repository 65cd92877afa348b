/* SPDX-License-Identifier: MIT */
/* Put a CNATRACE trace together where its events are still to be fetched; read and written in
 * cnatrace_read.c and cnatrace_write.c. */
#ifndef FGI_CNATRACE_H
#define FGI_CNATRACE_H
#include <frameglass/capture_cnatrace.h>

enum {
    FGI_CNATRACE_HEADER_BYTES = 32,
    FGI_CNATRACE_NAME_BYTES = 8, /* id and size; the text follows */
    FGI_CNATRACE_EVENT_BYTES = 72,
    FGI_CNATRACE_VERSION = 1,
};
#define FGI_CNATRACE_MAGIC "CNATRACE"

/**
 * A trace without names and events, with room for both.
 *
 * @param out_events lent until the trace is finished: event_capacity events to fill
 * FG_OK, FG_ERR_LIMIT, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_cnatrace_make(const struct fg_allocator *allocator,
                                             size_t name_capacity, size_t event_capacity,
                                             struct fg_cnatrace **out_trace,
                                             struct fg_process_event **out_events);
/**
 * Copied, repaired to UTF-8; at most name_capacity of them. What a repair makes longer than a name
 * may be is cut. FG_OK, FG_ERR_ARGUMENT (the id is there already), FG_ERR_LIMIT, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_cnatrace_add_name(struct fg_cnatrace *trace, uint32_t id,
                                                 const char *text, size_t size);
/**
 * Its events are `event_count` of those that were filled, from `first_event`.
 * FG_OK, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_cnatrace_finish(struct fg_cnatrace *trace, size_t first_event,
                                               size_t event_count, uint64_t dropped_events);
/** What it was made with. */
const struct fg_allocator *fgi_cnatrace_allocator(const struct fg_cnatrace *trace);

#endif
