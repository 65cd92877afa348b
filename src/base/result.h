/* SPDX-License-Identifier: MIT */
/* Helpers around results and diagnostics. */
#ifndef FGI_RESULT_H
#define FGI_RESULT_H
#include <frameglass/base.h>

/** Fill a diagnostic (NULL: nothing happens) and hand back `result`: `return fgi_fail(...)`. */
FG_PRINTF(4, 5)
enum fg_result fgi_fail(struct fg_diag *diag, enum fg_result result, uint64_t offset,
                        const char *format, ...);

#endif
