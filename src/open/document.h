/* SPDX-License-Identifier: MIT */
/* What the parts above the opener need of a document beyond the public face. */
#ifndef FGI_DOCUMENT_H
#define FGI_DOCUMENT_H
#include <frameglass/open.h>

struct fg_capture;

/**
 * As fg_document_poll(), but what was lent before stays until fgi_document_forget(), and can be
 * asked meanwhile, on other threads too; fg_document_trace() and the others give the new ones.
 */
FG_MUST_USE enum fg_result fgi_document_grow(struct fg_document *document, struct fg_diag *diag,
                                             bool *out_grown);
/** Free what fgi_document_grow() has replaced; there may be nothing. */
void fgi_document_forget(struct fg_document *document);
/** The container when the format is sgpt, otherwise NULL. Lent until close. */
struct fg_capture *fgi_document_capture(const struct fg_document *document);
/** The input as the format sees it: unpacked. Lent until close. */
const struct fg_source *fgi_document_source(const struct fg_document *document);

#endif
