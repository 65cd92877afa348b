/* SPDX-License-Identifier: MIT */
/* A capture becomes a trace. What each record turns into is written in capture_to_trace.c. */
#ifndef FGI_CAPTURE_TO_TRACE_H
#define FGI_CAPTURE_TO_TRACE_H
#include <frameglass/base.h>

struct fg_capture;
struct fg_trace;

/** Zero is every field's default. */
struct fgi_capture_to_trace_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the trace */
    uint64_t budget_bytes; /**< memory for blocks that can be read again; 0 = 2 GiB */
    uint64_t max_rows;     /**< as in struct fg_open_options */
    /**
     * What this function made of the same capture when it was shorter, or NULL: numbers of tracks,
     * processes and counters are kept. Borrowed for the call; it may be asked meanwhile.
     */
    const struct fg_trace *previous;
    /** The capture is transferred to the trace on success. */
    bool owns_capture;
    /** Steps done and steps in all; false cancels. NULL = never called. Borrowed for the call. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/**
 * Read all of a capture. Damage is counted (fg_trace_repair, fg_trace_defect), never an error as
 * long as something can be read.
 *
 * @param capture   borrowed until the trace is closed, unless it owns it
 * @param options   NULL = all defaults
 * @param diag      NULL is legal
 * @param out_trace owned by the caller, fgi_trace_destroy(); untouched on failure
 * @return FG_OK, FG_ERR_IO, FG_ERR_LIMIT (more than max_rows), FG_ERR_CANCELLED, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_capture_to_trace(struct fg_capture *capture,
                                                const struct fgi_capture_to_trace_options *options,
                                                struct fg_diag *diag, struct fg_trace **out_trace);

#endif
