/* SPDX-License-Identifier: MIT */
/* Nesting: what one thread needs for the tracks that it takes, one after the other (nest.c). */
#ifndef FGI_NEST_PRIV_H
#define FGI_NEST_PRIV_H
#include "trace/build.h"

/* A small binary heap of (key, value), least key first, then least value. */
struct fgi_nest_item {
    int64_t key;
    uint32_t value;
};
struct fgi_nest_heap {
    FGI_TABLE(struct fgi_nest_item) table;
};

/* A lane of the track at hand, as it came to be needed. */
struct fgi_nest_slot {
    uint32_t depth, overlap;
    uint32_t count; /* spans */
};

/* One depth of the track at hand. */
struct fgi_nest_level {
    struct fgi_nest_heap busy; /* by end; value = overlap number */
    struct fgi_nest_heap free; /* by overlap number (in key) */
    FGI_TABLE(uint32_t) slots; /* by overlap number */
    uint32_t last_row;         /* latest span of this depth, for tracks that store depths */
    int64_t last_end;
};

struct fgi_nest_open {
    int64_t end;
    uint32_t row;
    uint32_t depth;
};

/* What is left of a track when it is nested. */
struct fgi_nest_track {
    size_t first, count;         /* its rows in the order of all tracks */
    FGI_TABLE(uint32_t) slots;   /* by slot: the number of its lane among those of the track */
    struct fg_trace_lane *lanes; /* as many, in order */
};

struct fgi_nester {
    const struct fg_allocator *allocator;
    struct fgi_builder *builder;
    struct fgi_cursor cursor, other;
    FGI_TABLE(struct fgi_nest_slot) slots;
    FGI_TABLE(struct fgi_nest_level) levels;
    size_t used;                           /* levels that the track at hand has */
    FGI_TABLE(struct fgi_nest_open) stack; /* ends fall from bottom to top */
};

#define FGI_FREE_NESTED(allocator, table)                                                          \
    fgi_free((allocator), (table).items, (table).capacity * sizeof *(table).items)

/** Memory and cursors; what it is in stays. */
void fgi_nester_finish(struct fgi_nester *nester);
/**
 * Parents, depths and lanes of the spans of a track, lanes as numbers of their own; `nested` gets
 * what these become.
 *
 * @param rows those of the track in stored order; sorted when it returns
 */
FG_MUST_USE enum fg_result fgi_nest_track(struct fgi_nester *nester, uint32_t track, uint32_t *rows,
                                          struct fgi_nest_track *nested);

#endif
