/* SPDX-License-Identifier: MIT */
/* What the lines in docs/DIAGNOSTICS.md need around them. */
#ifndef FGT_DIAGNOSTICS_LINES_H
#define FGT_DIAGNOSTICS_LINES_H
#include <frameglass/instrument.h>

static int update(int step)
{
    return step % 10;
}
#endif
