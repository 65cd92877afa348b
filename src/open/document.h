/* SPDX-License-Identifier: MIT */
/* What the parts above the opener need of a document beyond the public face. */
#ifndef FGI_DOCUMENT_H
#define FGI_DOCUMENT_H
#include <frameglass/open.h>

struct fg_capture;

/** The container when the format is sgpt, otherwise NULL. Lent until close. */
struct fg_capture *fgi_document_capture(const struct fg_document *document);
/** The input as the format sees it: unpacked. Lent until close. */
const struct fg_source *fgi_document_source(const struct fg_document *document);
/**
 * Look whether an input that was opened with FG_OPEN_FOLLOW has grown; when it has and a trace is
 * loaded, trace and engine are made anew (what was lent before is gone; rows keep their numbers)
 * and the revision goes up by one. When that fails, the old ones stay.
 *
 * @param out_grown what happened
 * @return as fg_document_load()
 */
FG_MUST_USE enum fg_result fgi_document_poll(struct fg_document *document, bool *out_grown,
                                             struct fg_diag *diag);
/** 1 after the first load, one more for each poll that found growth; 0 before. */
uint64_t fgi_document_revision(const struct fg_document *document);

#endif
