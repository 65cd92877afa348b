/* SPDX-License-Identifier: MIT */
/*
 * Bins of one level, anchored to absolute time: bin b of level k covers [b * 2^k, (b + 1) * 2^k).
 * Only bins in which a span starts or ends are stored: between two of them nothing changes, so one
 * `run` says which span covers the gap wholly, if any does.
 */
#ifndef FGI_BINS_H
#define FGI_BINS_H
#include "trace/model.h"

/**
 * Spans that a stored bin stands for, about: a lane's finest complete level has at most one bin for
 * so many spans, and finer levels only the bins in which more start. Tests are also compiled
 * with 2.
 */
#ifndef FGI_BIN_ENTRIES
#define FGI_BIN_ENTRIES 16u
#endif

struct fgi_bin {
    int64_t index;
    uint64_t covered_ns; /**< length of the union of all spans inside of it */
    uint64_t longest_ns; /**< whole duration of `row` */
    uint32_t row;        /**< longest span that meets it; ties: lowest row */
    uint32_t starts;
    uint32_t run; /**< longest span that covers the whole gap up to the next stored bin; FG_NONE */
    /** Of `row`, when is_described: a view then needs no look at the spans. */
    uint32_t name, category;
    uint16_t classes;
    uint8_t status;
    uint8_t is_described;
};

/** Where bins go, in ascending order. False ends the making. */
struct fgi_bin_sink {
    bool (*put)(void *context, const struct fgi_bin *bin);
    void *context;
};

struct fgi_bin_entry;
/** Makes the bins of a level out of spans that come by start, longer first, then row. */
struct fgi_bin_maker {
    const struct fg_allocator *allocator;
    unsigned level;
    struct fgi_bin_sink sink;
    bool stopped;          /**< the sink has had enough */
    enum fg_result result; /**< first failure */
    bool is_open;          /**< `bin` is being filled */
    struct fgi_bin bin;
    bool has_cover;
    int64_t cover_end; /**< largest end so far */
    /** Spans that may still meet a bin: by duration (longest first), and by last bin. */
    FGI_TABLE(struct fgi_bin_entry) longest, ends;
};
void fgi_bin_maker_init(struct fgi_bin_maker *maker, const struct fg_allocator *allocator,
                        unsigned level, const struct fgi_bin_sink *sink);
void fgi_bin_maker_add(struct fgi_bin_maker *maker, uint32_t row, int64_t start, int64_t end);
/** The bins that are left; frees; returns the first failure. */
FG_MUST_USE enum fg_result fgi_bin_maker_finish(struct fgi_bin_maker *maker);

/** Stored bins of a level, read as the bins of the same or a coarser one. */
struct fgi_bin_cursor {
    const struct fgi_bin *at, *end;
    unsigned level; /**< of the stored bins */
    unsigned shift; /**< how many levels coarser they are read */
    uint32_t run;   /**< covers the gap before `at`; FG_NONE */
};
/** Begin at the first bin (of the coarser level) that is >= `first`; previous is the one before. */
struct fgi_bin_cursor fgi_bin_cursor_make(const struct fgi_bin *bins, size_t count, unsigned level,
                                          unsigned shift, int64_t first,
                                          const struct fgi_bin **out_previous);
/** The next one; false at the end. */
bool fgi_bin_cursor_next(struct fgi_bin_cursor *cursor, struct fgi_bin *out_bin);

/** First and last bin that a span meets. */
static inline int64_t fgi_first_bin(int64_t start, unsigned level)
{
    return start >> level; /* arithmetic, so it rounds down below zero as well */
}
static inline int64_t fgi_last_bin(int64_t start, int64_t end, unsigned level)
{
    return (end > start ? end - 1 : start) >> level;
}
/** Width of the bins of a level; 2^63 at most. */
static inline uint64_t fgi_bin_width(unsigned level)
{
    return UINT64_C(1) << level;
}
/** Longer, and the lower row of two that are equally long. */
static inline bool fgi_is_longer(uint64_t ns_a, uint32_t row_a, uint64_t ns_b, uint32_t row_b)
{
    return ns_a != ns_b ? ns_a > ns_b : row_a < row_b;
}

#endif
