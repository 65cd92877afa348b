/* SPDX-License-Identifier: MIT */
/* What bounds a range of frames, as the command line says it. */
#ifndef FGI_VERDICT_OUTPUT_H
#define FGI_VERDICT_OUTPUT_H
#include "base/json.h"
#include <frameglass/trace_query.h>

enum { FGI_VERDICT_TEXT = 160 };

/** An object of `window`, or null where it has no frames. */
void fgi_verdict_json(struct fgi_json *json, const struct fg_verdict_window *window);
/** "GPU-bound (inferred): GPU 57, CPU 2 of 59 frames", and how many cannot be told where these are
 * more. Returns `out`. */
const char *fgi_verdict_text(const struct fg_verdict_window *window, char out[FGI_VERDICT_TEXT]);
/** Why no GPU time of this trace is gone by, as a sentence; NULL where they are. */
const char *fgi_verdict_doubt(const struct fg_trace *trace);
/** "measured", "inferred"; NULL where no verdict is told. */
const char *fgi_verdict_basis(const struct fg_frame_row *row);
/** All that the rule needs is known, and still nothing that was measured bounds it. */
bool fgi_verdict_is_open(const struct fg_frame_row *row);
/** Of frames: those that run at some time of [start, end); 0, 0: all. As indices. */
void fgi_verdict_frames(const struct fg_trace *trace, int64_t start_ns, int64_t end_ns,
                        uint32_t *out_first, uint32_t *out_end);

#endif
