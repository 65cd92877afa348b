/* SPDX-License-Identifier: MIT */
/* A view while it is answered: shared by view.c and the two ways to answer a target. */
#ifndef FGI_VIEWING_H
#define FGI_VIEWING_H
#include "engine/cpu/engine_cpu_priv.h"

/** What one thread has; targets are answered one after the other. No line of it is another's. */
struct fgi_viewing {
    _Alignas(64) struct fgi_engine_cpu *cpu;
    const struct fg_view_request *request;
    struct fgi_population *population;
    struct fgi_arena *arena;              /**< of the answer, of all threads: */
    struct fgi_mutex *mutex;              /**< guards it; NULL: there is one thread */
    const struct fg_allocator *allocator; /**< for what does not stay; any thread may use it */
    struct fgi_cursor cursor;
    struct fgi_index_reader reader;
    struct fg_visits visits;
    unsigned level;
    int64_t first_bin, last_bin;
    bool has_wide; /**< spans can be wide at all in this window */
    uint64_t wide_ns;
    struct fg_trace_span *spans; /**< of all targets of this thread */
    size_t span_count, span_capacity;
    uint32_t *wide; /**< rows, for one answer */
    size_t wide_count, wide_capacity;
    bool is_full; /**< a budget was reached */
    enum fg_result result;
    /* The answer at hand. */
    const struct fgi_index *index;
    struct fgi_lanes lanes;
    struct fg_view_bins *bins; /**< room for one for each bin of the window, or for what may be */
    uint32_t bins_count, bins_capacity;
    uint32_t run; /**< covers what is between the last bin and the next; FG_NONE */
    int64_t run_from;
    uint32_t last_row, last_kind; /**< longest of the last bin */
    uint64_t last_longest_ns;
    bool has_unknown; /**< some of the bins are to be described */
    uint64_t starts;  /**< in the bins of the window */
};

/** More room in the answer's memory: doubles, copies. False: `result` says why. */
bool fgi_viewing_grow(struct fgi_viewing *v, void **items, size_t *capacity, size_t item_size,
                      size_t needed);
#define FGI_VIEWING_GROW(v, items, capacity, needed)                                               \
    fgi_viewing_grow((v), (void **)&(items), &(capacity), sizeof *(items), (needed))
/** The bins of the target at hand, described, and how many spans start in them. */
void fgi_viewing_put_bins(struct fgi_viewing *v);
/** All spans of the target that meet the window. */
void fgi_viewing_put_spans(struct fgi_viewing *v);
/** Of the target's spans those wide enough to read; its bins are there. */
void fgi_viewing_put_wide(struct fgi_viewing *v);

#endif
