/* SPDX-License-Identifier: MIT */
/* How much is drawn, for the metrics of the process: the same words whatever the device. */
#ifndef FGI_DRAWS_H
#define FGI_DRAWS_H
#include <frameglass/base.h>

/** Counted while a command buffer is recorded, by its thread; told when it has been submitted. */
struct fgi_draws {
    uint64_t indexed, plain, indirect; /**< calls */
    uint64_t primitives;               /**< as if all were triangles; of indirect ones none */
    uint64_t effects;                  /**< changes of the pipeline */
    uint64_t targets;                  /**< render passes that brought attachments */
    uint64_t dispatches;
};

static inline void fgi_draws_add(struct fgi_draws *draws, const struct fgi_draws *more)
{
    draws->indexed += more->indexed;
    draws->plain += more->plain;
    draws->indirect += more->indirect;
    draws->primitives += more->primitives;
    draws->effects += more->effects;
    draws->targets += more->targets;
    draws->dispatches += more->dispatches;
}

/** Add to the metrics of the process. Hold no lock of the recorder: metrics have theirs. */
void fgi_draws_publish(const struct fgi_draws *draws);

#endif
