/* SPDX-License-Identifier: MIT */
/*
 * The view protocol: request bytes in, reply bytes out, no I/O. docs/PROTOCOL.md is the contract of
 * the bytes; this is the contract with the home (server or WebAssembly module) that holds the
 * inputs.
 */
#ifndef FGI_VIEW_H
#define FGI_VIEW_H
#include "base/bytes.h"
#include <frameglass/trace.h>

struct fg_engine;
struct fgi_view;

enum fgi_view_home {
    FGI_VIEW_SERVER = 0,
    FGI_VIEW_MODULE = 1,
};

/** A note that a client wants to have in a copy of the input. */
struct fgi_view_note {
    uint64_t frame; /**< the recorder's number; UINT64_MAX = of no frame */
    bool has_time;
    int64_t time_ns;
    const char *text; /**< not terminated, not empty */
    size_t size;
};

/** How that copy is made: `head`, the input's bytes from 32 to keep_bytes, `tail`. */
struct fgi_view_amendment {
    uint8_t head[32];
    uint64_t keep_bytes;
    struct fgi_bytes tail; /**< the view's: the home appends to it */
};

struct fgi_view_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the view */
    uint8_t home;                         /**< enum fgi_view_home */
    /**
     * A client asked for a trace that is not loaded. Either start loading and return, or load
     * before returning; both end in fgi_view_attach() or fgi_view_fail(). Called on the answering
     * thread without any lock. Required.
     */
    void (*load)(void *context, uint32_t trace);
    /**
     * Say how a copy with more notes is made of the input of a loaded trace. NULL: nobody can.
     * Called while no other question is at work.
     *
     * @return FG_OK, FG_ERR_UNSUPPORTED (not of a format that has notes), or what reading met, with
     *         the reason in `diag`
     */
    enum fg_result (*amend)(void *context, uint32_t trace, const struct fgi_view_note *notes,
                            size_t count, struct fg_diag *diag, struct fgi_view_amendment *out);
    /** The time that steps of tasks are measured by, in ns. NULL: the monotonic clock. */
    int64_t (*now_ns)(void *context);
    uint64_t step_rows; /**< of a task's first step when the client leaves it open; 0 = 262,144 */
    void *context;
};

/** FG_OK or FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_view_create(const struct fgi_view_options *options,
                                           struct fgi_view **out_view);
/** No answer may be at work. NULL is legal. */
void fgi_view_destroy(struct fgi_view *view);

/** One frame as the index alone gives it. */
struct fgi_view_frame {
    uint64_t number;  /**< the recorder's */
    int64_t cpu_ns;   /**< -1 = not known */
    int64_t gpu_ns;   /**< -1 = never came */
    uint32_t dropped; /**< everything that was refused on this frame */
};

/** What is known of an input before it is loaded. Everything is copied. */
struct fgi_view_input {
    const char *label; /**< to show: a base name */
    const char *format;
    const char *packing;
    uint64_t size_bytes; /**< UINT64_MAX = not known */
    bool is_live;        /**< may still grow */
    size_t frame_count;
    /** Frame number `index` of the index; not called when there are none. */
    void (*frame_of)(const void *context, size_t index, struct fgi_view_frame *out_frame);
    const void *context;
};
/**
 * @param out_trace its number in the protocol, from 1, never given again
 * @return FG_OK, FG_ERR_NO_MEMORY, FG_ERR_LIMIT
 *
 * Threads: any, as all functions below.
 */
FG_MUST_USE enum fg_result fgi_view_add(struct fgi_view *view, const struct fgi_view_input *input,
                                        uint32_t *out_trace);
/** Forget a trace, after waiting for the answer that is at work. Its trace and engine are free
 * then. */
void fgi_view_remove(struct fgi_view *view, uint32_t trace);

/** Steps of loading. */
void fgi_view_progress(struct fgi_view *view, uint32_t trace, uint64_t done, uint64_t total);
/**
 * The trace is loaded (or loaded anew): revision goes up. Names and filters keep their numbers.
 *
 * @param loaded, engine borrowed until fgi_view_replace(), fgi_view_remove() or fgi_view_destroy()
 */
void fgi_view_attach(struct fgi_view *view, uint32_t trace, const struct fg_trace *loaded,
                     struct fg_engine *engine);
/**
 * The input has grown: what the index says now, and the trace and engine in place of those before
 * (NULL, NULL while none is loaded). Revision goes up by one; names, filters and clients stay. When
 * this returns, nobody uses the old ones any more.
 *
 * @param loaded, engine borrowed as by fgi_view_attach()
 * @return FG_OK; FG_ERR_NO_MEMORY: what the index says is not up to date; FG_ERR_NOT_FOUND
 */
FG_MUST_USE enum fg_result fgi_view_replace(struct fgi_view *view, uint32_t trace,
                                            const struct fgi_view_input *input,
                                            const struct fg_trace *loaded,
                                            struct fg_engine *engine);
/**
 * An input that is followed cannot be looked at; what was shown of it stays. `text` (copied) says
 * why, NULL: it can be again. `is_over`: it will never be.
 */
void fgi_view_trouble(struct fgi_view *view, uint32_t trace, const char *text, bool is_over);
/** Loading failed; `text` (copied) says why, for a person. */
void fgi_view_fail(struct fgi_view *view, uint32_t trace, enum fg_result result, const char *text);

/**
 * Answer a request buffer: 1 to 32 requests. There is always a reply, if only an error.
 *
 * @param request 8-byte alignment is not needed
 * @param out     replies are appended; empty before
 * @return FG_OK, FG_ERR_NO_MEMORY (no room for even an error reply)
 */
FG_MUST_USE enum fg_result fgi_view_answer(struct fgi_view *view, const void *request, size_t size,
                                           struct fgi_bytes *out);

#endif
