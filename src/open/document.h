/* SPDX-License-Identifier: MIT */
/* What the parts above the opener need of a document beyond the public face. */
#ifndef FGI_DOCUMENT_H
#define FGI_DOCUMENT_H
#include <frameglass/open.h>

struct fg_capture;
struct fgi_engine;

/** The engine over the document's trace: lent until close; NULL before fg_document_load(). */
struct fgi_engine *fgi_document_engine(const struct fg_document *document);
/** The container when the format is sgpt, otherwise NULL. Lent until close. */
struct fg_capture *fgi_document_capture(const struct fg_document *document);
/**
 * Look whether the input has grown; when it has and a trace is loaded, the trace and the engine are
 * made anew (what was lent before is gone) and `revision` of the document goes up by one.
 *
 * @param out_grown what happened
 * @return as fg_document_load()
 */
FG_MUST_USE enum fg_result fgi_document_poll(struct fg_document *document, bool *out_grown,
                                             struct fg_diag *diag);
/** 1 after the first load, one more for each poll that found growth; 0 before. */
uint64_t fgi_document_revision(const struct fg_document *document);

#endif
