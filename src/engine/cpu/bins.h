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
 * Spans that a stored bin of a lane stands for at least: its finest complete level has at most one
 * bin for so many spans, all its levels together seven for twelve (of 24 bytes: 14 a span), and of
 * finer levels only those bins are stored in which more than three times as many start.
 */
#ifndef FGI_BIN_ENTRIES
#define FGI_BIN_ENTRIES 2u
#endif

struct fgi_bin {
    int64_t index;
    uint64_t covered_ns; /**< length of the union of all spans inside of it */
    uint64_t longest_ns; /**< whole duration of `row` */
    uint32_t row;        /**< longest span that meets it; ties: lowest row */
    uint32_t starts;
    uint32_t position; /**< spans of the target that start before it */
    uint32_t run;  /**< longest span that covers the whole gap up to the next stored bin; FG_NONE */
    uint32_t kind; /**< of `row`; FGI_KIND_NONE: nobody has looked */
};

/** Where bins go, in ascending order. False ends the making. */
struct fgi_bin_sink {
    bool (*put)(void *context, const struct fgi_bin *bin);
    void *context;
};

/**
 * Makes the bins of a level out of the spans of one lane, in its order: they do not overlap, so
 * that at most one of them reaches beyond the bin in which it starts. Zero plus level and sink is
 * valid.
 */
struct fgi_lane_maker {
    unsigned level;
    struct fgi_bin_sink sink;
    bool stopped; /**< the sink has had enough */
    bool is_open; /**< `bin` is being filled */
    bool reaches; /**< the last span reaches beyond the last bin that was closed */
    struct fgi_bin bin;
    uint32_t last_row; /**< the last span */
    uint32_t position; /**< behind it */
    int64_t last_end, last_bin;
    uint64_t last_ns;
};
/** `position` is the span's own. */
void fgi_lane_maker_add(struct fgi_lane_maker *maker, uint32_t position, uint32_t row,
                        int64_t start, int64_t end);
/**
 * A bin that is known takes the place of its spans; the last of these (behind `position` as it is
 * after them) follows, as it may reach beyond.
 */
void fgi_lane_maker_put(struct fgi_lane_maker *maker, const struct fgi_bin *bin, uint32_t last_row,
                        int64_t last_start, int64_t last_end);
/** The bins that are left. */
void fgi_lane_maker_finish(struct fgi_lane_maker *maker);

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
    uint32_t position; /**< spans so far */
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
/** Distance from the begin of a bin to a time, at most the bin's width. */
static inline uint64_t fgi_offset_in(int64_t bin, unsigned level, int64_t time)
{
    int64_t at = time >> level;
    if (at != bin) {
        return at < bin ? 0 : fgi_bin_width(level);
    }
    return (uint64_t)time & (fgi_bin_width(level) - 1);
}
/** Longer, and the lower row of two that are equally long. */
static inline bool fgi_is_longer(uint64_t ns_a, uint32_t row_a, uint64_t ns_b, uint32_t row_b)
{
    return ns_a != ns_b ? ns_a > ns_b : row_a < row_b;
}

#endif
