/* SPDX-License-Identifier: MIT */
/* What `frameglass path --slice` prints: all that led to a span, and all that followed from it. */
#ifndef FGI_PATH_SLICE_H
#define FGI_PATH_SLICE_H
#include "cli/cli_input.h"
#include <frameglass/trace_path.h>

/** "backward", "forward" or "both"; false: it is none of them. */
bool fgi_slice_direction(const char *name, uint32_t *out_direction);
FG_MUST_USE enum fg_result fgi_slice_print(const struct fgi_input *input,
                                           const struct fg_slice_request *request, bool as_json,
                                           bool as_csv);

#endif
