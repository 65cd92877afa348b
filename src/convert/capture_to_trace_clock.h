/* SPDX-License-Identifier: MIT */
/* Clocks of a capture on the axis of the trace. */
#ifndef FGI_CAPTURE_TO_TRACE_CLOCK_H
#define FGI_CAPTURE_TO_TRACE_CLOCK_H
#include "base/clock.h"
#include "trace/build.h"
#include <frameglass/capture.h>

struct fgi_clock_point {
    uint64_t ticks;
    int64_t axis_ns;
    uint64_t deviation_ns;
};
struct fgi_clock_map {
    struct fg_cap_clock cap; /**< last statement; its readings are in `readings` */
    uint32_t trace_clock;
    FGI_TABLE(struct fg_cap_reading) readings;
    uint64_t next_reading; /**< number after the newest of them; the first ones may be lost */
    FGI_TABLE(struct fgi_clock_point) points; /**< kept readings on the axis, ascending */
    struct fgi_rational period;               /**< {1, 1} when nothing is known */
    enum fg_clock_kind kind;
    uint64_t bound_ns;
    int64_t drift_ns; /**< these three as in struct fg_trace_clock */
    uint64_t drift_error_ns, drift_over_ns;
    uint32_t rejected_count;
    const char *reason; /**< why it is nominal after all; NULL = what the capture says */
    bool is_solved;
};
struct fgi_clocks {
    const struct fg_allocator *allocator;
    FGI_TABLE(struct fgi_clock_map) maps;
};
FG_MUST_USE enum fg_result fgi_clocks_see(struct fgi_clocks *clocks,
                                          const struct fg_cap_clock *clock);
/** Decide what each clock is worth; adds them to the trace. There is at least one afterwards. */
FG_MUST_USE enum fg_result fgi_clocks_solve(struct fgi_clocks *clocks, struct fgi_builder *builder,
                                            uint32_t (*text_of)(void *context, uint32_t symbol),
                                            void *context);
/** Clock of an id; the first one when there is no such. Never NULL after solving. */
const struct fgi_clock_map *fgi_clocks_find(const struct fgi_clocks *clocks, uint32_t id);
/** Time on the axis. A nominal clock only has its own: see fgi_clock_span_ns(). */
int64_t fgi_clock_axis_ns(const struct fgi_clock_map *map, uint64_t ticks);
/** The same of many, in place. */
void fgi_clock_axis_all(const struct fgi_clock_map *map, int64_t *ticks, uint32_t count);
/** ns from one tick to a later one (or earlier: negative), by the period alone. */
int64_t fgi_clock_span_ns(const struct fgi_clock_map *map, uint64_t from_ticks, uint64_t to_ticks);
/** a + b, at the ends of the legal times where it does not fit. */
int64_t fgi_clock_add_ns(int64_t a, int64_t b);
void fgi_clocks_finish(struct fgi_clocks *clocks);

#endif
