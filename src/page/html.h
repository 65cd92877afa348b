/* SPDX-License-Identifier: MIT */
/* The page as one file with a capture in it: docs/PROTOCOL.md, section 10. */
#ifndef FGI_HTML_H
#define FGI_HTML_H
#include <frameglass/base.h>

struct fgi_html {
    const struct fg_allocator *allocator; /**< NULL = libc */
    const struct fg_source *capture;      /**< its bytes, unpacked; borrowed for the call */
    const char *label;                    /**< name to show: never a path */
    const struct fg_sink *sink;           /**< only written forward */
    /** Bytes done and bytes in all; false cancels. NULL = never called. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/** Was the page built as one file? Needs a compiler for WebAssembly at build time. */
bool fgi_html_is_there(void);
/**
 * Write it.
 *
 * @return FG_OK, FG_ERR_UNSUPPORTED (see fgi_html_is_there()), FG_ERR_CANCELLED, FG_ERR_NO_MEMORY,
 *         or what the source or the sink returned
 */
FG_MUST_USE enum fg_result fgi_html_write(const struct fgi_html *work);

#endif
