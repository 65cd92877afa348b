/* SPDX-License-Identifier: MIT */
/* What a trace says of its program beside spans: metrics, resources that live, what is missing. */
#ifndef FG_TRACE_STATE_H
#define FG_TRACE_STATE_H
#include <frameglass/trace_find.h>

FG_BEGIN_DECLS

/** How exact a number is that the program gives. */
enum fg_trace_accuracy {
    FG_TRACE_EXACT = 0,
    FG_TRACE_ESTIMATED = 1,
    FG_TRACE_UNAVAILABLE = 2,
    FG_TRACE_ACCURACY_UNKNOWN = 255, /**< the source does not say */
};

/* ---- metrics --------------------------------------------------------------------------------- */

enum fg_trace_metric_kind {
    FG_TRACE_COUNTER = 0,       /**< only adds up */
    FG_TRACE_GAUGE = 1,         /**< a level */
    FG_TRACE_FRAME_COUNTER = 2, /**< begins at 0 with every frame: a sample is one frame's */
    FG_TRACE_DELTA = 3,         /**< what came since the sample before */
    FG_TRACE_METRIC_UNKNOWN = 255,
};
/**
 * A metric that the source defines, in the order of the definitions; after those one for each
 * counter that no definition names.
 */
struct fg_trace_metric {
    uint32_t name, unit, description; /**< text ids; 0 = none */
    enum fg_trace_metric_kind kind;
    enum fg_trace_accuracy accuracy;
    uint32_t counter; /**< its samples; FG_NONE: nothing was ever published, which is not zero */
};
/** A counter in a window. What is meant depends on its is_double. */
struct fg_counter_figures {
    uint64_t count;                   /**< samples in the window */
    union fg_counter_value low, high; /**< of these, when there are any */
    bool has_last;                    /**< there is a sample before the window's end */
    union fg_counter_value last;      /**< the last of them */
    int64_t last_ns;
};
/**
 * @param start_ns, end_ns 0, 0 = everything
 * FG_OK, FG_ERR_ARGUMENT, FG_ERR_NOT_FOUND
 */
FG_API FG_MUST_USE enum fg_result fg_trace_counter_figures(const struct fg_trace *trace,
                                                           uint32_t counter, int64_t start_ns,
                                                           int64_t end_ns,
                                                           struct fg_counter_figures *out_figures);

/* ---- resources ------------------------------------------------------------------------------- */

enum fg_trace_object_event_kind {
    FG_TRACE_OBJECT_MADE = 0,
    FG_TRACE_OBJECT_GONE = 1,
    FG_TRACE_OBJECT_BOUND = 2, /**< memory was bound */
    FG_TRACE_OBJECT_RESIZED = 3,
    FG_TRACE_OBJECT_UPLOADED = 4,
    FG_TRACE_OBJECT_EVICTED = 5,
    FG_TRACE_OBJECT_RENAMED = 6,
    FG_TRACE_OBJECT_LIVES = 7, /**< it was there already */
};
/** What is known of a resource from an event on. */
struct fg_trace_object_event {
    int64_t time_ns;
    uint32_t object;     /**< its number */
    uint32_t kind;       /**< enum fg_trace_object_event_kind, or a later one of the source */
    uint32_t frame;      /**< index, or FG_NONE */
    uint32_t name, type; /**< text ids; 0 = not told */
    uint64_t size_bytes; /**< UINT64_MAX = not known */
    enum fg_trace_accuracy accuracy;                       /**< of size_bytes */
    uint32_t format;                                       /**< VkFormat; 0 = not told */
    uint32_t width, height, depth, mip_count, layer_count; /**< 0 = not told */
};
/** A resource from its making to its end. One that is made again while it lives is the same. */
struct fg_trace_object {
    uint64_t id;                       /**< the program's; may be used again after its end */
    uint32_t first_event, event_count; /**< fg_trace_object_event(); at least one, in order */
    int64_t made_ns;                   /**< FG_TIME_MIN: before the source knew of it */
    int64_t gone_ns;                   /**< INT64_MAX: it lives */
};

/** How resources lie to a window [A, B). */
enum fg_object_set {
    FG_OBJECTS_LIVE = 0,          /**< made before B, not gone before B */
    FG_OBJECTS_MADE = 1,          /**< made in it */
    FG_OBJECTS_GONE = 2,          /**< gone in it */
    FG_OBJECTS_MADE_AND_LIVE = 3, /**< made in it, and live */
};
#define FG_OBJECT_SETS 4
FG_API bool fg_trace_object_is_in(const struct fg_trace_object *object, enum fg_object_set set,
                                  int64_t start_ns, int64_t end_ns);
/** What was known of an object before a time; before its first event what that said. NULL: none. */
FG_API const struct fg_trace_object_event *fg_trace_object_at(const struct fg_trace *trace,
                                                              uint32_t object, int64_t end_ns);

struct fg_object_sum {
    uint64_t count;
    uint64_t unknown_count; /**< of them, with a size that is not known */
    uint64_t size_bytes;    /**< of the others; saturates; UINT64_MAX: there are none of these */
};
/** More bytes than this are not told apart. */
#define FG_OBJECT_BYTES_MAX (UINT64_MAX - 1)
/** Sums of all four sets at the end of [start, end). */
FG_API void fg_trace_object_sums(const struct fg_trace *trace, int64_t start_ns, int64_t end_ns,
                                 struct fg_object_sum out_sums[FG_OBJECT_SETS]);
/** Add one with such a size. Starts from { 0 }, and ends with fg_object_sum_bytes(). */
struct fg_object_adder {
    uint64_t count, unknown_count;
    uint64_t low, high; /**< bytes, 128 bits */
};
FG_API void fg_object_add(struct fg_object_adder *adder, uint64_t size_bytes);
FG_API struct fg_object_sum fg_object_added(const struct fg_object_adder *adder);

enum fg_object_column {
    FG_OBJECT_BY_NUMBER = 0,
    FG_OBJECT_BY_SIZE = 1, /**< what is not known comes last, whatever the direction */
    FG_OBJECT_BY_NAME = 2,
    FG_OBJECT_BY_TYPE = 3,
    FG_OBJECT_BY_MADE = 4,
    FG_OBJECT_BY_GONE = 5,
};
#define FG_OBJECT_COLUMNS 6
struct fg_objects_request {
    int64_t start_ns, end_ns; /**< 0, 0 = everything */
    enum fg_object_set set;
    const char *text; /**< the name or the type contains it; NULL or "" = any */
    enum fg_object_column column;
    bool is_descending;    /**< ties are by number all the same */
    uint32_t first, limit; /**< page; limit 0 = 1,000 */
};
struct fg_object_type_sum {
    uint32_t type; /**< text id */
    struct fg_object_sum sum;
};
#define FG_OBJECT_TYPES_MAX 65536
struct fg_objects_reply {
    uint32_t total;
    const uint32_t *objects; /**< numbers */
    uint32_t count;
    const struct fg_object_type_sum *types; /**< of all: the largest first, then by name */
    uint32_t type_count;                    /**< no more than FG_OBJECT_TYPES_MAX are told */
};
/**
 * Resources of a set at the end of a window, as fg_trace_object() numbers, a page of them in the
 * order of a column; sums are by type over all of them, not over the page. Lent. Cost: all
 * resources of the trace, each with a search in its events, and sorting those that are chosen.
 */
FG_API FG_MUST_USE enum fg_result fg_query_objects(struct fg_query *query,
                                                   const struct fg_objects_request *request,
                                                   struct fg_objects_reply *out_reply);

struct fg_object_point {
    int64_t time_ns;
    struct fg_object_sum live;
};
/**
 * What lived before each of `count` times, which ascend; times are given in the points.
 *
 * @param out_peak NULL, or the largest sum of bytes before `peak_end_ns`, and when it was reached
 */
FG_API void fg_trace_object_growth(const struct fg_trace *trace, struct fg_object_point *points,
                                   uint32_t count, int64_t peak_end_ns,
                                   struct fg_object_point *out_peak);

/* ---- what is missing ------------------------------------------------------------------------- */

/** Events of a track that were lost, between `since_ns` and `time_ns`. */
struct fg_trace_gap {
    int64_t time_ns;  /**< when it was noticed */
    int64_t since_ns; /**< the gap before it on the track; FG_TIME_MIN */
    uint32_t track;   /**< FG_NONE: the whole trace */
    uint32_t frame;   /**< FG_NONE */
    uint64_t count;
};
/** All gaps of a track together. */
struct fg_trace_track_loss {
    uint32_t track;     /**< FG_NONE: the whole trace */
    uint32_t gap_count; /**< at least 1 */
    uint64_t count;     /**< events; saturates at UINT64_MAX - 1 */
    int64_t first_ns, last_ns;
};
/** Losses that a program counts since it began. */
enum fg_trace_loss_counter {
    FG_TRACE_PRODUCER_DROPS = 0,
    FG_TRACE_OVERWRITTEN = 1,
    FG_TRACE_DROPPED_BEFORE_START = 2,
    FG_TRACE_MALFORMED_ZONES = 3,
    FG_TRACE_MALFORMED_FRAMES = 4,
    FG_TRACE_SOURCE_FAILURES = 5,
    FG_TRACE_REFUSED_METRICS = 6,
    FG_TRACE_FRAME_COUNTERS_LEFT_OUT = 7,
    FG_TRACE_REFUSED_OBJECTS = 8,
};
#define FG_TRACE_LOSS_COUNTERS 9
/** "producer drops", ...; NULL past the end. */
FG_API const char *fg_trace_loss_counter_name(unsigned counter);
/** UINT64_MAX: the source does not say. */
FG_API uint64_t fg_trace_loss_counter(const struct fg_trace *trace, unsigned counter);

/** The i-th of its kind; NULL past the end. Lent until the trace ends. */
FG_API const struct fg_trace_metric *fg_trace_metric(const struct fg_trace *trace, uint32_t i);
FG_API const struct fg_trace_object *fg_trace_object(const struct fg_trace *trace, uint32_t i);
/** Those of one object follow each other. */
FG_API const struct fg_trace_object_event *fg_trace_object_event(const struct fg_trace *trace,
                                                                 uint32_t i);
/** By time, then as found. */
FG_API const struct fg_trace_gap *fg_trace_gap(const struct fg_trace *trace, uint32_t i);
/** By count, the largest first, then track. */
FG_API const struct fg_trace_track_loss *fg_trace_track_loss(const struct fg_trace *trace,
                                                             uint32_t i);

FG_END_DECLS
#endif
