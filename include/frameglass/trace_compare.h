/* SPDX-License-Identifier: MIT */
/* Two frames, ranges of frames or ranges of time, of one trace or of two: what differs, and whether
   it is more than the usual variation. The rules are written in docs/CLI.md, at `diff`. */
#ifndef FG_TRACE_COMPARE_H
#define FG_TRACE_COMPARE_H
#include <frameglass/trace_task.h>

FG_BEGIN_DECLS

/** What was compared with what: index of the pairs below. */
enum fg_compare_side {
    FG_COMPARE_BASE = 0,
    FG_COMPARE_NEW = 1,
};

/**
 * One side: frames, or a range of time. Spans that meet the range count, whole spans, also those
 * that belong to no frame: the rule of every window. All of them together stand for one frame, so
 * how much that varies is not known, and nothing is claimed.
 */
struct fg_compare_frames {
    struct fg_query *query;   /**< over its engine; both sides may have the same one */
    bool has_frames;          /**< false: all frames */
    uint32_t first, end;      /**< frame indices, end exclusive; clipped to what is there */
    bool has_range;           /**< not with has_frames */
    int64_t start_ns, end_ns; /**< the range, start < end */
};
struct fg_compare_request {
    struct fg_compare_frames sides[2];
    uint32_t by;           /**< enum fg_stats_by; zero is by name */
    uint64_t budget_bytes; /**< memory for sums by frame; 0 = 1 GiB */
};

enum fg_compare_state {
    FG_COMPARE_BOTH = 0,
    FG_COMPARE_ADDED = 1,
    FG_COMPARE_REMOVED = 2,
    FG_COMPARE_CULLED = 3,   /**< still in the frame graph, but culled since */
    FG_COMPARE_UNCULLED = 4, /**< was in the frame graph, but culled */
};
enum fg_compare_cause {
    FG_CAUSE_NOT_TOLD = 0,
    FG_CAUSE_NOISE = 1, /**< the difference is not claimed */
    FG_CAUSE_MORE_WORK = 2,
    FG_CAUSE_LESS_WORK = 3,
    FG_CAUSE_SLOWER = 4, /**< the same work took longer */
    FG_CAUSE_FASTER = 5,
    FG_CAUSE_MORE_WORK_SLOWER = 6,
    FG_CAUSE_LESS_WORK_FASTER = 7,
    FG_CAUSE_MORE_WORK_FASTER = 8, /**< less time in spite of more work */
    FG_CAUSE_LESS_WORK_SLOWER = 9,
};

/** One side of a row. Figures of a frame: means over the frames of which the times are known. */
struct fg_compare_figures {
    uint32_t longest;  /**< row of the longest span, in its own trace; FG_NONE */
    uint32_t pass;     /**< identity, in its own trace; FG_NONE */
    uint32_t frames;   /**< of which the times are known */
    uint64_t count;    /**< complete spans */
    uint64_t total_ns; /**< saturates */
    double mean_ns;    /**< 0: it does not occur; -1: not known */
    int64_t median_ns; /**< of its sums in the frames in which it occurs; -1: it does not */
    double work;       /**< of a frame; -1 = not known */
};
/** Texts are lent with the answer. */
struct fg_compare_row {
    const char *name;
    const char *scope;     /**< path; "" */
    const char *track;     /**< "" when it is on several */
    const char *work_unit; /**< "pixels", ...; says when the device counted; "" = not known */
    uint32_t ordinal;      /**< by pass: number among those of equal name and scope */
    bool is_gpu;           /**< GPU and CPU time of one name are two rows */
    uint8_t state;         /**< enum fg_compare_state */
    uint8_t cause;         /**< enum fg_compare_cause */
    double delta_ns;       /**< new less base; 0 while a side is not known */
    double noise_ns;       /**< what is not larger is not claimed; -1 = not known */
    struct fg_compare_figures sides[2];
};
/** A whole frame's time on the GPU or the CPU. */
struct fg_compare_total {
    double mean_ns[2]; /**< of a frame; -1 = not known */
    double delta_ns;
    double noise_ns; /**< as of a row */
};
enum fg_compare_same {
    FG_COMPARE_DIFFERENT = 0,
    FG_COMPARE_SAME = 1, /**< by hash */
    FG_COMPARE_NO_GRAPH = 2,
};

enum fg_compare_resource_state {
    FG_COMPARE_RESOURCE_ADDED = 1,
    FG_COMPARE_RESOURCE_REMOVED = 2,
    FG_COMPARE_RESOURCE_CHANGED = 3,
};
/** A resource, all of its versions together, that is not the same in the two frame graphs. */
struct fg_compare_resource {
    const char *name;
    uint8_t state;       /**< enum fg_compare_resource_state */
    uint64_t bytes[2];   /**< declared; FG_UNKNOWN_BYTES */
    const char *text[2]; /**< "RGBA16F 1920 x 1080"; "" where it is not */
};
struct fg_compare_counter {
    const char *name, *unit;
    double mean[2]; /**< of its last value in each frame */
};

struct fg_compare_reply {
    /** 0 also of a range of time, and where the trace has none and all of it is compared. */
    uint32_t frames[2];
    /** Of those two: from the first time of the trace to its last, as far as the range goes; else
        -1, and where nothing has a time. */
    int64_t length_ns[2];
    uint32_t topology[2]; /**< first one on either side; FG_NONE */
    uint8_t same;         /**< enum fg_compare_same */
    struct fg_compare_total gpu, cpu;
    /** By the size of delta_ns, largest first, then name, scope, ordinal, GPU first. */
    const struct fg_compare_row *rows;
    uint32_t row_count;
    const struct fg_compare_resource *resources; /**< in the order of the graphs */
    uint32_t resource_count;
    const struct fg_compare_counter *counters; /**< largest ratio first */
    uint32_t counter_count;
};

/**
 * Compare the new side with the base. Cost: one look at all spans of either trace, and at what up
 * to 256 frames of either side did.
 *
 * @param out_reply lent by the base's query
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_LIMIT (over the budget: compare fewer frames),
 *         FG_ERR_NO_MEMORY, FG_ERR_CANCELLED, or what reading a block again met
 */
FG_API FG_MUST_USE enum fg_result fg_compare(const struct fg_compare_request *request,
                                             struct fg_compare_reply *out_reply);

/** Stages of a comparison in steps. */
enum fg_compare_stage {
    FG_COMPARE_FRAMES = 1, /**< everything but the rows: no span was looked at */
    FG_COMPARE_ROWS = 2,
};
/**
 * The same in steps. The task is one of the base's query, whose generation and `cancelled` end it;
 * it ends before both queries do. Rows of both traces are looked at, then the times by frame of
 * each group; putting rows in order is one piece.
 */
FG_API FG_MUST_USE enum fg_result fg_task_compare(const struct fg_compare_request *request,
                                                  uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE before the first stage is complete; until the second one is there are no rows. */
FG_API FG_MUST_USE enum fg_result fg_task_result_compare(struct fg_task *task,
                                                         struct fg_compare_reply *out_reply);

/** True when the difference is more than the noise. */
FG_API bool fg_compare_is_claimed(double delta_ns, double noise_ns);
/** "more work", "slower rate", ...; "" while it is not told. Static memory. */
FG_API const char *fg_compare_cause_text(uint32_t cause);

FG_END_DECLS
#endif
