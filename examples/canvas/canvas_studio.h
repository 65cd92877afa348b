/* SPDX-License-Identifier: MIT */
/* The document that the program begins with: what a designer's page is made of. */
#ifndef CANVAS_STUDIO_H
#define CANVAS_STUDIO_H
#include "canvas_document.h"

bool cv_studio_build(struct cv_document *document, int width_px, int height_px);

#endif
