/* SPDX-License-Identifier: MIT */
/*
 * Chrome's Trace Event JSON becomes a trace: what each kind of event turns into is written at the
 * head of the file that reads it, what is mended in docs/CLI.md.
 */
#ifndef FGI_IMPORT_CHROME_H
#define FGI_IMPORT_CHROME_H
#include <frameglass/base.h>

struct fg_trace;

/** Zero is every field's default. */
struct fgi_chrome_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the trace */
    uint64_t max_rows;                    /**< 0 = as many as a trace can have */
    size_t piece_bytes;                   /**< read at once; 0 = 1 MiB. The trace is the same */
    unsigned threads;                     /**< 0 = two for large files; 1, 2. Likewise */
    bool (*progress)(void *context, uint64_t done, uint64_t total); /**< NULL = none */
    void *progress_context;
};

/** Could these be the first bytes of such a file? Any JSON is: see fgi_chrome_probe(). */
bool fgi_chrome_sniff(const uint8_t *head, size_t size);
/**
 * Look at the beginning: is this JSON a trace, as far as can be told without reading it all?
 *
 * @return FG_OK also when it cannot be told yet; FG_ERR_FORMAT: `diag` says what it looks like
 */
FG_MUST_USE enum fg_result fgi_chrome_probe(const struct fg_source *source,
                                            const struct fg_allocator *allocator,
                                            struct fg_diag *diag);
/**
 * @param source    its context is borrowed while the trace lives: arguments are read from it when
 *                  they are asked for
 * @param options   NULL = all defaults
 * @param out_trace owned by the caller, fgi_trace_destroy(); untouched on failure
 * @return FG_OK, FG_ERR_FORMAT (there is no trace in it), FG_ERR_LIMIT, FG_ERR_CANCELLED,
 *         FG_ERR_IO, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_import_chrome(const struct fg_source *source,
                                             const struct fgi_chrome_options *options,
                                             struct fg_diag *diag, struct fg_trace **out_trace);

#endif
