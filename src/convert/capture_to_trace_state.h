/* SPDX-License-Identifier: MIT */
/* Metrics, resources and losses of a capture, for the files of the capture converter. */
#ifndef FGI_CAPTURE_TO_TRACE_STATE_H
#define FGI_CAPTURE_TO_TRACE_STATE_H
#include <frameglass/capture.h>

struct fgi_conversion;

/** What was refused, by reason. */
#define FGI_DROP_OTHERS 31
struct fgi_drops {
    uint64_t counts[FGI_DROP_OTHERS + 1]; /**< by enum fg_cap_drop_reason */
    bool is_told[FGI_DROP_OTHERS + 1];    /**< also when the count is 0 */
};

void fgi_convert_metric(struct fgi_conversion *c, const struct fg_cap_metric *metric);
void fgi_convert_metric_samples(struct fgi_conversion *c,
                                const struct fg_cap_metric_samples *samples);
/** All metrics into the trace, when all samples are there. */
void fgi_convert_metrics(struct fgi_conversion *c);
void fgi_convert_resource_events(struct fgi_conversion *c,
                                 const struct fg_cap_resource_events *events);
void fgi_convert_drops(struct fgi_drops *drops, const struct fg_cap_drop *from, size_t count);
/** Losses into the trace, when everything is there. */
void fgi_convert_losses(struct fgi_conversion *c);

#endif
