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

#endif
