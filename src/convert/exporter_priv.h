/* SPDX-License-Identifier: MIT */
/* What exporters share; one file each, listed in exporter_list.c. */
#ifndef FGI_EXPORTER_PRIV_H
#define FGI_EXPORTER_PRIV_H
#include "convert/exporter.h"
#include <frameglass/trace.h>

extern const struct fgi_exporter fgi_exporter_chrome;
extern const struct fgi_exporter fgi_exporter_cnatrace;
extern const struct fgi_exporter fgi_exporter_csv;
extern const struct fgi_exporter fgi_exporter_devtools;
extern const struct fgi_exporter fgi_exporter_folded;
extern const struct fgi_exporter fgi_exporter_graph_json;
extern const struct fgi_exporter fgi_exporter_sgpt;
extern const struct fgi_exporter fgi_exporter_speedscope;

/** All spans in stored order, a batch at a time; `visit` returns FG_OK to go on. */
enum fg_result fgi_export_spans(const struct fgi_export *work, void *context,
                                enum fg_result (*visit)(void *context,
                                                        const struct fg_trace_span *span));

#endif
