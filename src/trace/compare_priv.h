/* SPDX-License-Identifier: MIT */
/* A comparison while it is made: what is gathered of either side, and what is said of both. */
#ifndef FGI_COMPARE_PRIV_H
#define FGI_COMPARE_PRIV_H
#include "base/hash.h"
#include "trace/model.h"
#include "trace/task.h"
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

/** What one step may look at. Its first piece is always done. */
struct fgi_compare_step {
    const struct fgi_question *question;
    uint64_t left, done; /**< rows, or what is as much work: cells, frames, counters */
    uint64_t asked_at;   /**< `done` when it was asked whether to stop */
    enum fg_result result;
};
/** How many of so many pieces may be done now, each as one row; 0: the step is over. */
uint64_t fgi_compare_take(struct fgi_compare_step *step, uint64_t pieces);
/** May a piece that looks at so many rows be done? */
bool fgi_compare_take_one(struct fgi_compare_step *step, uint64_t rows);

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
    bool is_in_range;   /**< it has a cell in a frame that is compared */
    bool is_culled;     /**< by pass: culled in every frame that says something of it */
    uint32_t track;     /**< text id; FG_NONE: several */
    uint32_t last_cell; /**< that was added to; FG_NONE */
    uint32_t first_cell, cell_count, placed_count; /**< positions in `order` */
    uint32_t longest;
    uint64_t longest_ns;
    double quantum_ns; /**< of the clock, at least 1 */
    struct fgi_work_amounts work;
};
/** A GPU span of which the work is read. */
struct fgi_compare_span {
    uint32_t row, frame, group;
};

/** Figures of sums by frame, and how much they vary. */
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

struct fgi_compare_side {
    struct fg_query *query;
    const struct fg_trace *trace;
    const struct fg_allocator *allocator; /**< of what is freed again when it is done */
    uint32_t by;
    uint64_t budget_bytes;
    uint32_t first, end;           /**< frames compared */
    uint32_t wide_first, wide_end; /**< with those around */
    bool is_frameless;             /**< a range of time, or a trace without frames, is one frame */
    bool has_range;
    int64_t start_ns, end_ns;
    bool has_losses; /**< spans of the range are of frames of which something is missing */
    struct fgi_compare_spread times[2]; /**< of whole frames: on the CPU, on the GPU */
    uint8_t *timed;                     /**< by frame from wide_first: GPU times came */
    FGI_TABLE(struct fgi_compare_group) groups;
    FGI_TABLE(struct fgi_compare_cell) cells;
    FGI_TABLE(struct fgi_compare_span) spans;
    /** By frame from wide_first: how many cells and spans, then where the next one goes. */
    uint32_t *cell_places, *span_places;
    uint32_t *by_frame;   /**< cells by frame: on the way to `order` */
    uint32_t *order;      /**< cells by group, then frame */
    uint32_t *span_order; /**< spans by frame, then row */
    struct fgi_map64 group_of, cell_of;
    uint8_t *seen;        /**< by pass: what frames say of it */
    uint8_t *seen_graphs; /**< by topology */
    uint32_t told[2];     /**< frames of which all CPU, GPU times are there */
    uint32_t work_frames; /**< of which the work was read */
};

/** A resource of either side: all of its versions, in all graphs of the side. */
struct fgi_compare_resource {
    const char *name;
    uint32_t nth; /**< among resources of one name in one graph */
    const struct fg_topology_resource *of[2];
    uint32_t next; /**< of equal hash, or FG_NONE */
};
/** Groups of either side that are called the same. */
struct fgi_compare_pair {
    uint32_t groups[2]; /**< or FG_NONE */
    uint32_t next;      /**< of equal hash, or FG_NONE */
};

struct fgi_comparison {
    struct fgi_compare_work base;
    const struct fg_allocator *allocator;
    struct fgi_compare_side sides[2];
    uint32_t phase, which;   /**< what is worked at, and on which side */
    uint64_t at;             /**< in the phase */
    bool is_over;            /**< the phase is */
    struct fgi_map64 hashes; /**< of graphs; which side has which are bits of the value */
    FGI_TABLE(struct fgi_compare_resource) resources;
    struct fgi_map64 resource_of; /**< by hash: the last one */
    uint8_t *taken;               /**< by counter of the new side: it has its other one */
    struct fg_compare_counter *counters;
    FGI_TABLE(struct fgi_compare_pair) pairs;
    struct fgi_map64 pair_of;         /**< by hash: the last one */
    struct fgi_compare_value *values; /**< of one group at a time */
    size_t value_capacity;
    struct fg_compare_row *rows; /**< as the pairs come */
    uint32_t row_count;
};

/**
 * Phases, each begun with `at` 0: they go on from there on side `which` as far as the step may, and
 * say when they are over.
 */
typedef enum fg_result fgi_compare_phase(struct fgi_comparison *c, struct fgi_compare_step *step);

/* Whole frames and counters; compare_frames.c. */
fgi_compare_phase fgi_compare_times, fgi_compare_counters;
/* What the two frame graphs say of passes and resources; compare_graph.c. */
fgi_compare_phase fgi_compare_hashes, fgi_compare_resources, fgi_compare_culled;
/* Look at all spans; put what was found in order; compare_gather.c. */
fgi_compare_phase fgi_compare_gather, fgi_compare_place;
/* Read what the gathered spans did; compare_work.c. */
fgi_compare_phase fgi_compare_read_work;
/* Pairs of groups, and rows of them; compare_rows.c. */
fgi_compare_phase fgi_compare_pair_up, fgi_compare_rows;

void fgi_compare_side_finish(struct fgi_compare_side *side);
/** Is the work of this frame read? */
bool fgi_compare_is_sampled(const struct fgi_compare_side *side, uint32_t frame);
/** Are all times of the GPU (or the CPU) of this frame there? */
bool fgi_compare_is_told(const struct fgi_compare_side *side, uint32_t frame, bool is_gpu);
/** Group of a key, made when it is new; FG_NONE when refused (`*result` says why). */
uint32_t fgi_compare_group(struct fgi_compare_side *side, uint32_t key, bool is_gpu,
                           enum fg_result *result);

/**
 * The rule of compare_noise.c.
 *
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
/** Unit and amounts of a row's work, and with them why its time differs. */
void fgi_compare_explain(const struct fgi_compare_side sides[2],
                         const struct fgi_compare_group *const groups[2],
                         struct fg_compare_row *row);

#endif
