/* SPDX-License-Identifier: MIT */
/* Auto layout: rows and columns of children, from the innermost container outwards. */
#ifndef CANVAS_LAYOUT_H
#define CANVAS_LAYOUT_H
#include "canvas_document.h"

/** Place everything again, if the document says that it is needed. @return containers laid out */
uint32_t cv_layout_compute(struct cv_document *document);

#endif
