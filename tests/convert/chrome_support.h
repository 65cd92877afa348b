/* SPDX-License-Identifier: MIT */
/* A text becomes a trace, and is asked what it holds. */
#ifndef FGT_CHROME_SUPPORT_H
#define FGT_CHROME_SUPPORT_H
#include "convert/import_chrome.h"
#include "trace/model.h"
#include <frameglass/trace.h>

/** Bytes with what reads them: must live as long as the trace. */
struct chrome_input {
    struct fg_memory_view view;
    struct fg_source source;
};
void chrome_input(struct chrome_input *input, const void *bytes, size_t size);
/** NULL: it was refused. */
struct fg_trace *chrome_import(struct chrome_input *input, size_t piece_bytes,
                               enum fg_result *out_result, struct fg_diag *out_diag);
/** A text that must be accepted. */
struct fg_trace *chrome_import_text(struct chrome_input *input, const char *json);
/** Count of a kind of repair; *out_offset is optional. */
uint64_t chrome_repairs(const struct fg_trace *trace, const char *kind, uint64_t *out_offset);
/** All that a trace says, arguments and repairs included, as one number. */
uint64_t chrome_print(struct fg_trace *trace);
struct fg_trace_info chrome_info(const struct fg_trace *trace);
struct fg_trace_span chrome_span(const struct fg_trace *trace, uint32_t row);
/** Value of an argument at depth 0, as text; NULL: it has none of that name. */
const char *chrome_argument(struct fg_trace *trace, uint32_t row, const char *key, char *out,
                            size_t size);

#endif
