/* SPDX-License-Identifier: MIT */
/* A loaded trace: what it is made of, row by row. Questions over it are in trace_query.h. */
#ifndef FG_TRACE_H
#define FG_TRACE_H
#include <frameglass/base.h>
#include <frameglass/trace_span.h>

FG_BEGIN_DECLS

/** No row, track, lane, frame, pass, resource or name where an index could be. */
#define FG_NONE UINT32_MAX
/** Legal times, ns. INT64_MAX is no time: no half-open window could show it; loaders clamp it. */
#define FG_TIME_MIN INT64_MIN
#define FG_TIME_MAX (INT64_MAX - 1)

/**
 * A loaded trace. Times are int64 ns on one axis; durations are uint64 ns, because end - start may
 * exceed int64. fg_document_trace() lends one; what it lends in turn is lent as long.
 *
 * Threads: one at a time, together with the engine over it: reading spans and arguments may load
 * them. No function here accepts a NULL trace.
 */
struct fg_trace;

enum fg_track_kind {
    FG_TRACK_THREAD = 0,
    FG_TRACK_GPU_QUEUE = 1,
    FG_TRACK_ASYNC = 2,
    FG_TRACK_COUNTER = 3,
};

/** How far a track's times may be compared with those of other tracks. */
enum fg_clock_kind {
    FG_CLOCK_HOST = 0,       /**< the axis itself */
    FG_CLOCK_CALIBRATED = 1, /**< mapped by paired readings, right within `bound_ns` */
    FG_CLOCK_NOMINAL = 2, /**< only anchored per frame at submit: for looking, not for measuring */
};

struct fg_trace_process {
    uint32_t name; /**< text id */
    int64_t id;    /**< as the source numbers it; near INT64_MIN: it does not */
};

struct fg_trace_track {
    uint32_t name;
    uint32_t process; /**< index, or FG_NONE */
    enum fg_track_kind kind;
    uint32_t clock;      /**< index of its clock */
    int64_t id;          /**< thread or queue number of the source; near INT64_MIN: none */
    uint32_t first_lane; /**< its lanes lie together */
    uint32_t lane_count; /**< 0: it has no spans */
    uint32_t span_count;
};

/** A line that spans of one depth share without overlapping. */
struct fg_trace_lane {
    uint32_t track;
    uint32_t depth;
    uint32_t overlap; /**< 0, or number of an extra line for spans that overlap without nesting */
    uint32_t span_count;
};

struct fg_trace_clock {
    uint32_t name;
    enum fg_clock_kind kind;
    uint32_t reason;     /**< text id: why it is nominal; 0 when it is not */
    uint64_t bound_ns;   /**< calibrated: largest deviation that was kept */
    uint64_t period_num; /**< ns per tick = num / den */
    uint64_t period_den;
    uint32_t valid_bits;
    uint32_t pair_count;     /**< paired readings kept */
    uint32_t rejected_count; /**< readings left out as outliers */
    /** By how much it ran away from its period, from the first of these readings to the last: > 0 =
     *  it was fast. Nothing is claimed below drift_error_ns, which is what these two leave open. */
    int64_t drift_ns;
    uint64_t drift_error_ns;
    uint64_t drift_over_ns; /**< from the first to the last; 0 = no drift is known */
};

struct fg_trace_instant {
    int64_t time_ns;
    uint32_t track; /**< or FG_NONE: belongs to the whole trace */
    uint32_t name;
    uint32_t category;
    uint32_t frame; /**< index, or FG_NONE */
    bool is_note;   /**< written by a person; the name is the text */
    bool is_loss;   /**< here it was noticed that `value` events of the track are missing */
    bool has_value; /**< `value` is meant */
    int64_t value;
};

struct fg_trace_counter {
    uint32_t name;
    uint32_t unit;  /**< text id; 0 = none */
    uint32_t track; /**< its counter track */
    bool is_double; /**< samples are doubles; otherwise int64 */
    uint32_t sample_count;
};

struct fg_trace_sample {
    int64_t time_ns;
    union {
        int64_t integer;
        double real;
    } value;
};

enum fg_dependency_family {
    FG_DEPENDENCY_OTHER = 0,
    FG_DEPENDENCY_SEMAPHORE = 1, /**< signalled after the source, waited on before the target */
    FG_DEPENDENCY_FENCE = 2,
    FG_DEPENDENCY_QUEUE = 3, /**< order of one queue */
    FG_DEPENDENCY_DATA = 4,  /**< written, then read */
    FG_DEPENDENCY_FLOW = 5,
    FG_DEPENDENCY_SUBMIT = 6, /**< CPU work that caused GPU work */
    /**
     * By the graph of a frame: the target's pass reads what the source's made. Derived, never
     * recorded: numbered behind the recorded ones (fg_query_dependency()).
     */
    FG_DEPENDENCY_GRAPH = 7,
};

struct fg_trace_dependency {
    uint32_t source, target; /**< rows */
    uint32_t family;         /**< enum fg_dependency_family */
    uint32_t flags;          /**< as the source gives them; FG_DEPENDENCY_DERIVED */
};
/** Flag: it was not observed; it follows from something else. */
#define FG_DEPENDENCY_DERIVED 1u

/** Unknown numbers are -1, never 0. */
struct fg_trace_frame {
    uint64_t id; /**< as recorded */
    int64_t start_ns;
    int64_t cpu_end_ns;
    int64_t submit_ns; /**< only when has_submit */
    uint32_t topology; /**< index, or FG_NONE */
    uint32_t level;
    uint32_t track;          /**< that encoded it, or FG_NONE */
    uint32_t dropped;        /**< spans refused or lost, all reasons together */
    uint32_t missing;        /**< GPU passes whose times never came */
    int64_t overhead_ns;     /**< of the recorder */
    int64_t latency_ns;      /**< submit to results */
    int64_t wait_ns;         /**< CPU time spent waiting */
    int64_t present_wait_ns; /**< part of it that waited for present */
    bool has_submit;
    bool has_gpu; /**< at least one GPU record of it landed */
    bool is_lost; /**< the device was lost while it ran */
};

/** Something that was mended, dropped or guessed while reading, by kind. */
struct fg_trace_repair {
    const char *kind; /**< stable word: "clamped_time" */
    uint64_t count;
    uint64_t first_offset; /**< byte offset of the first; UINT64_MAX when it has none */
};
/** One piece of damage. */
struct fg_trace_defect {
    const char *kind; /**< stable word */
    uint64_t offset;
    uint32_t text; /**< text id: for a person */
};
/** A pair of texts or of a text and a count: metadata, losses by reason, skipped record types. */
struct fg_trace_meta {
    uint32_t key, value; /**< text ids */
};
struct fg_trace_tally {
    uint32_t name; /**< text id */
    uint64_t count;
};

struct fg_trace_stack {
    int64_t time_ns;
    uint32_t track;
    uint32_t first_frame, frame_count; /**< into the stack frames, innermost first */
    uint64_t weight;
};

struct fg_trace_info {
    const char *format; /**< "sgpt", ... */
    uint32_t version;
    bool closed, recovered, device_lost, is_growing;
    uint32_t level; /**< FG_NONE: not recorded */
    /** `objects`: resources that the program said it made (trace_state.h) */
    uint64_t spans, unfinished, instants, counters, counter_samples, samples, objects, other_events;
    uint64_t dependencies, names, processes, tracks, lanes, frames, resources, topologies, passes;
    uint64_t skipped_records, notes;
    uint32_t losses, repairs, defects, metas, skipped, clocks; /**< lengths of these lists */
    uint32_t metrics, live_objects, gaps, track_losses;        /**< of those in trace_state.h */
    /**
     * Rows below it stay what they are when the input grows and is loaded anew; later ones had to
     * be made before all of them had come. FG_NONE: all are firm.
     */
    uint32_t firm_rows;
    int64_t overhead_ns;       /**< recorder's own cost; -1 = not recorded */
    bool has_range;            /**< there is a complete span */
    int64_t start_ns, end_ns;  /**< smallest start and largest end of complete spans */
    bool has_extent;           /**< there is anything with a time */
    int64_t first_ns, last_ns; /**< of everything: what a first view shows */
};

FG_API void fg_trace_get_info(const struct fg_trace *trace, struct fg_trace_info *out_info);
/** Text of an id; "" for 0 and for ids that are not there. Lent until the trace ends. */
FG_API const char *fg_trace_text(const struct fg_trace *trace, uint32_t id);
FG_API uint32_t fg_trace_text_count(const struct fg_trace *trace);
/** Id of a text; FG_NONE when no such text is there. */
FG_API uint32_t fg_trace_text_find(const struct fg_trace *trace, const char *text);

/** The i-th of its kind; NULL past the end. Lent until the trace ends. */
FG_API const struct fg_trace_process *fg_trace_process(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_track *fg_trace_track(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_lane *fg_trace_lane(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_clock *fg_trace_clock(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_frame *fg_trace_frame(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_instant *fg_trace_instant(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_counter *fg_trace_counter(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_repair *fg_trace_repair(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_defect *fg_trace_defect(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_meta *fg_trace_meta(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_stack *fg_trace_stack(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_tally *fg_trace_loss(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_tally *fg_trace_skipped(const struct fg_trace *trace, uint32_t i);
/** The i-th dependency, by source, then as stored; false past the end. */
FG_API bool fg_trace_dependency(const struct fg_trace *trace, uint32_t i,
                                struct fg_trace_dependency *out_dependency);
/** Text id of frame `i` of all stacks together; 0 past the end. */
FG_API uint32_t fg_trace_stack_frame(const struct fg_trace *trace, uint32_t i);
/** Index of a frame by its recorded id; FG_NONE. */
FG_API uint32_t fg_trace_frame_find(const struct fg_trace *trace, uint64_t id);

/** Samples of a counter in time order, from `first`. Returns how many were written. */
FG_API uint32_t fg_trace_samples(const struct fg_trace *trace, uint32_t counter, uint32_t first,
                                 struct fg_trace_sample *out_samples, uint32_t capacity);

FG_END_DECLS
#endif
