/* SPDX-License-Identifier: MIT */
/* The page as one file with a capture in it: docs/PROTOCOL.md, section 10. */
#ifndef FGI_HTML_H
#define FGI_HTML_H
#include <frameglass/base.h>

/** Such a file in the making. */
struct fgi_html;

struct fgi_html_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives it */
    const char *label;                    /**< name to show: never a path; NULL = "capture" */
};

/** Was the page built as one file? That needs a compiler for WebAssembly at build time. */
bool fgi_html_is_there(void);
/**
 * Write the page up to its capture.
 *
 * @param options     NULL = all defaults; its label is not kept
 * @param page_sink   where the page goes, only forward; borrowed until destroy
 * @param out_html    owned
 * @param out_capture where the capture's own bytes go, only forward; borrowed until destroy
 * @return FG_OK, FG_ERR_UNSUPPORTED (see fgi_html_is_there()), FG_ERR_NO_MEMORY, or what the sink
 *         returned
 */
FG_MUST_USE enum fg_result fgi_html_create(const struct fgi_html_options *options,
                                           const struct fg_sink *page_sink,
                                           struct fgi_html **out_html, struct fg_sink *out_capture);
/** The capture is complete: write what follows it. FG_OK, or what the sink returned. */
FG_MUST_USE enum fg_result fgi_html_finish(struct fgi_html *html);
void fgi_html_destroy(struct fgi_html *html);

#endif
