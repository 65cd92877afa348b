/* SPDX-License-Identifier: MIT */
/* What a frame costs that is captured in detail, and what one mark of a phase costs. */
#ifndef FGB_COST_DETAIL_H
#define FGB_COST_DETAIL_H
#include <stdbool.h>
#include <stdint.h>

enum { COST_DETAIL_NODES = 2000 };

/** Nanoseconds of CPU for a frame of COST_DETAIL_NODES nodes; medians. */
struct detail_costs {
    int64_t memory_ns;  /**< the tree alone */
    int64_t written_ns; /**< and its way into a capture */
    int64_t off_ns;     /**< while no frame is captured */
};
bool detail_measure(struct detail_costs *out);

/** Picoseconds of CPU for a mark: a zone's begin and end. */
struct mark_costs {
    int64_t thread_ps; /**< of the thread that makes it */
    int64_t all_ps;    /**< of the whole process, until it is in the capture */
    int64_t off_ps;    /**< while nothing is marked */
};
bool mark_measure(struct mark_costs *out);

#endif
