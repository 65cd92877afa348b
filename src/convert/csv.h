/* SPDX-License-Identifier: MIT */
/* Comma-separated values as RFC 4180 has them, with line feeds. */
#ifndef FGI_CSV_H
#define FGI_CSV_H
#include "base/bytes.h"

/** One field of text, quoted when it holds what would end it. */
void fgi_csv_text(struct fgi_bytes *line, const char *text);

#endif
