/* SPDX-License-Identifier: MIT */
/* What the two homes of the view protocol share: a document as the view wants to have it told. */
#ifndef FGI_DOCUMENT_VIEW_H
#define FGI_DOCUMENT_VIEW_H
#include "view/view.h"
#include <frameglass/base.h>

struct fg_document;

/**
 * What the view is told of an input: what its index says, for the first time or again.
 *
 * @param label      borrowed like the document, as long as the view has the input
 * @param size_bytes of the input as it is, packed or not; UINT64_MAX = not known
 */
struct fgi_view_input fgi_view_input_of(const struct fg_document *document, const char *label,
                                        uint64_t size_bytes, bool is_live);
/**
 * How a copy of the document with notes more is made.
 *
 * @param out its tail is filled as far as its limit allows
 * @return FG_OK, FG_ERR_UNSUPPORTED (no capture of ours), FG_ERR_NO_MEMORY, or as
 * fg_capture_amend()
 */
FG_MUST_USE enum fg_result fgi_document_amend(const struct fg_allocator *allocator,
                                              const struct fg_document *document,
                                              const struct fgi_view_note *notes, size_t count,
                                              struct fg_diag *diag, struct fgi_view_amendment *out);
/** A failure in words, cut to `size`. */
void fgi_failure_text(char *text, size_t size, enum fg_result result, const struct fg_diag *diag);

#endif
