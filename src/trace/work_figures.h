/* SPDX-License-Identifier: MIT */
/*
 * How much work a GPU span was, from its arguments. They follow one convention, whoever makes them
 * (src/convert/capture_to_trace_args.c): a group "work" with a group for each call, groups
 * "attachments" and "statistics", and "resolved" with what was read back of indirect calls.
 */
#ifndef FGI_WORK_FIGURES_H
#define FGI_WORK_FIGURES_H
#include <frameglass/trace_span.h>

/** What work is counted in. Those of which the device kept count are units of their own. */
enum fgi_work_unit {
    FGI_WORK_INVOCATIONS = 0,     /**< of compute shaders: groups times their size */
    FGI_WORK_PIXELS = 1,          /**< of the largest attachment */
    FGI_WORK_VERTICES = 2,        /**< vertices or indices, times instances */
    FGI_WORK_FRAGMENTS = 3,       /**< fragment shader invocations, counted by the device */
    FGI_WORK_DEVICE_VERTICES = 4, /**< vertices that it fetched, counted by the device */
    FGI_WORK_BYTES = 5,           /**< copied */
    FGI_WORK_UNITS = 6,
};
enum fgi_work_state {
    FGI_WORK_NONE = 0,      /**< there is no work of this kind */
    FGI_WORK_ENCODED = 1,   /**< known on the way in */
    FGI_WORK_READ_BACK = 2, /**< known, and part of it only because it was read back or counted */
    FGI_WORK_UNKNOWN = 3,   /**< an indirect call, a size that nobody said, a list that was cut */
};
struct fgi_work_figure {
    uint8_t state; /**< enum fgi_work_state */
    double amount; /**< meant when it is known */
};
/** How much of each. */
struct fgi_work_amounts {
    struct fgi_work_figure units[FGI_WORK_UNITS];
};

/** Work of one span from its arguments, as fg_trace_span_args() gives them. */
void fgi_work_of_args(const struct fg_trace *trace, const struct fg_trace_arg *args, uint32_t count,
                      struct fgi_work_amounts *out_work);
/** Add the work of another span: what is unknown of one is unknown of the sum. */
void fgi_work_add(struct fgi_work_amounts *sum, const struct fgi_work_amounts *more);
/** "pixels", "vertices (read back)", ...; static memory. */
const char *fgi_work_unit_text(enum fgi_work_unit unit, enum fgi_work_state state);

#endif
