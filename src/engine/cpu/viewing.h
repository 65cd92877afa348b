/* SPDX-License-Identifier: MIT */
/* A view while it is answered: shared by view.c and the two ways to answer a target. */
#ifndef FGI_VIEWING_H
#define FGI_VIEWING_H
#include "engine/cpu/engine_cpu_priv.h"

struct fgi_viewing {
    struct fgi_engine_cpu *cpu;
    const struct fgi_question *question;
    const struct fg_view_request *request;
    struct fgi_population *population;
    struct fgi_cursor cursor;
    struct fgi_index_reader reader;
    unsigned level;
    int64_t first_bin, last_bin;
    bool has_wide; /**< spans can be wide at all in this window */
    uint64_t wide_ns;
    struct fg_view_bins *bins;
    size_t bins_count, bins_capacity;
    struct fg_trace_span *spans;
    size_t span_count, span_capacity;
    uint32_t *wide; /**< rows, for one answer */
    size_t wide_count, wide_capacity;
    bool is_full; /**< a budget was reached */
    enum fg_result result;
    /* The answer at hand. */
    const struct fgi_index *index;
    struct fgi_lanes lanes;
    uint32_t run; /**< covers what is between the last bin and the next; FG_NONE */
    int64_t run_from;
    uint64_t starts; /**< in the bins of the window */
};

/** The bins of the target at hand, described, and how many spans start in them. */
void fgi_viewing_put_bins(struct fgi_viewing *v);
/** All spans of the target that meet the window. */
void fgi_viewing_put_spans(struct fgi_viewing *v);
/** Of the target's spans those wide enough to read; `first_bins`: its bins begin there. */
void fgi_viewing_put_wide(struct fgi_viewing *v, size_t first_bins);

#endif
