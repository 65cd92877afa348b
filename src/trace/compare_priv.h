/* SPDX-License-Identifier: MIT */
/* A comparison while it is made: what is gathered of either side, and what is said of both. */
#ifndef FGI_COMPARE_PRIV_H
#define FGI_COMPARE_PRIV_H
#include "base/hash.h"
#include "trace/model.h"
#include "trace/query_priv.h"
#include "trace/work_figures.h"
#include <frameglass/trace_compare.h>

/** Frames on either side of the compared ones that show how much a pass varies. */
enum { FGI_COMPARE_WITNESSES = 15 };
/** Frames on either side that are looked at: those, and what is around the last of them. */
enum { FGI_COMPARE_AROUND = FGI_COMPARE_WITNESSES + 4 };
/** A range this long shows it by itself. */
enum { FGI_COMPARE_LONG_RANGE = 16 };
/** Most frames of a side of which the work is read. */
enum { FGI_COMPARE_WORK_FRAMES = 256 };

/** Time that spans of one group took in one frame. */
struct fgi_compare_cell {
    uint32_t group, frame;
    uint64_t sum_ns;
    uint32_t spans;
    bool is_open; /**< one of them has no end: the sum is not known */
};
/** Spans of one name (pass, track, scope) on the GPU or the CPU, on one side. */
struct fgi_compare_group {
    uint32_t key; /**< pass, or text id */
    bool is_gpu;
    bool is_culled;     /**< by pass: culled in every frame that says something of it */
    uint32_t track;     /**< text id; FG_NONE: several */
    uint32_t last_cell; /**< that was added to; FG_NONE */
    uint32_t first_cell, cell_count; /**< positions in `order` */
    uint32_t longest;
    uint64_t longest_ns;
    double quantum_ns; /**< of the clock, at least 1 */
    struct fgi_work work;
    uint32_t row; /**< that it became a part of */
};
/** A GPU span of which the work is read. */
struct fgi_compare_span {
    uint32_t row, frame, group;
};

struct fgi_compare_side {
    struct fg_query *query;
    const struct fg_trace *trace;
    const struct fg_allocator *allocator; /**< of what is freed again when it is done */
    const struct fgi_question *question;  /**< of the base: whom to ask whether to stop */
    uint32_t by;
    uint64_t budget_bytes;
    uint32_t first, end;           /**< frames compared; a trace without frames is one frame */
    uint32_t wide_first, wide_end; /**< with those around */
    bool is_frameless;
    uint8_t *timed; /**< by frame from wide_first: GPU times came */
    FGI_TABLE(struct fgi_compare_group) groups;
    FGI_TABLE(struct fgi_compare_cell) cells;
    FGI_TABLE(struct fgi_compare_span) spans;
    uint32_t *order; /**< cells by group, then frame */
    struct fgi_map64 group_of, cell_of;
    uint32_t work_frames; /**< of which the work was read */
};

/** Look at all spans; compare_gather.c. */
FG_MUST_USE enum fg_result fgi_compare_gather(struct fgi_compare_side *side);
void fgi_compare_side_finish(struct fgi_compare_side *side);
/** Read what the gathered spans did; compare_work.c. */
FG_MUST_USE enum fg_result fgi_compare_read_work(struct fgi_compare_side *side);
/** Is the work of this frame read? */
bool fgi_compare_is_sampled(const struct fgi_compare_side *side, uint32_t frame);
/** Are all times of the GPU (or the CPU) of this frame there? */
bool fgi_compare_is_told(const struct fgi_compare_side *side, uint32_t frame, bool is_gpu);

/** Figures of sums by frame, and how much they vary; compare_noise.c. */
struct fgi_compare_spread {
    double mean_ns;     /**< -1 = not known */
    double variance;    /**< of the mean */
    double quantum_ns;  /**< a difference that is not larger is none */
    uint32_t witnesses; /**< figures that the spread was found in; 0 = not known */
};
/** A frame's figure. */
struct fgi_compare_value {
    uint32_t frame;
    double ns;
};
/**
 * @param values      by frame, of the wide range; those in [first, end) are compared
 * @param frame_count frames that the mean is of: those without a value count 0
 * @param quantum_ns  of the clock
 * @param spans       of a frame: each end of each is rounded once
 */
FG_MUST_USE enum fg_result fgi_compare_spread(const struct fgi_compare_side *side,
                                              const struct fgi_compare_value *values,
                                              uint32_t count, uint32_t frame_count,
                                              double quantum_ns, double spans,
                                              struct fgi_compare_spread *out_spread);
/** The noise of a difference of two; either may be NULL: it does not occur. -1 = not known. */
double fgi_compare_noise(const struct fgi_compare_spread *base,
                         const struct fgi_compare_spread *other);

/** Rows, put in order; compare_rows.c. */
FG_MUST_USE enum fg_result fgi_compare_rows(struct fgi_compare_side sides[2],
                                            struct fg_compare_reply *reply);
/** What the two frame graphs say of passes and resources; compare_graph.c. */
FG_MUST_USE enum fg_result fgi_compare_see_culled(struct fgi_compare_side *side);
FG_MUST_USE enum fg_result fgi_compare_graphs(struct fgi_compare_side sides[2],
                                              struct fg_compare_reply *reply);
/** Whole frames and counters; compare_frames.c. */
FG_MUST_USE enum fg_result fgi_compare_totals(struct fgi_compare_side sides[2],
                                              struct fg_compare_reply *reply);
FG_MUST_USE enum fg_result fgi_compare_counters(struct fgi_compare_side sides[2],
                                                struct fg_compare_reply *reply);
/** Group of a key, made when it is new; FG_NONE when refused (`*result` says why). */
uint32_t fgi_compare_group(struct fgi_compare_side *side, uint32_t key, bool is_gpu,
                           enum fg_result *result);
/** Unit and amounts of a row's work, and with them why its time differs. */
void fgi_compare_explain(const struct fgi_compare_side sides[2],
                         const struct fgi_compare_group *const groups[2],
                         struct fg_compare_row *row);

#endif
