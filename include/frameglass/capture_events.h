/* SPDX-License-Identifier: MIT */
/* Payload structs of a capture: spans, dependencies, samples, events. Layout: docs/FORMAT.md. */
#ifndef FG_CAPTURE_EVENTS_H
#define FG_CAPTURE_EVENTS_H
#include <frameglass/capture_frames.h>

FG_BEGIN_DECLS

/* ---- SPAN, DEPS, ARGS ------------------------------------------------------------------------ */

enum fg_cap_block_span_flags {
    FG_CAP_BLOCK_SPAN_UNFINISHED = 1, /**< no end was seen */
    FG_CAP_BLOCK_SPAN_INSTANT = 2,    /**< a marker: zero length, not a span of zero length */
    FG_CAP_BLOCK_SPAN_FORCED = 4,     /**< ended by the end of a span around it */
    FG_CAP_BLOCK_SPAN_LOSS = 8,       /**< an instant: `value` events were lost before this time */
    FG_CAP_BLOCK_SPAN_MALFORMED = 16, /**< ended before what is inside; INSTANT: no such span */
};
struct fg_cap_block_span {
    int64_t begin_ticks; /**< ascending inside a block; equal ones: the longer first */
    int64_t end_ticks;
    uint32_t depth;
    uint32_t name;     /**< symbol */
    uint32_t category; /**< symbol */
    uint32_t flags;    /**< enum fg_cap_block_span_flags */
    uint64_t frame;    /**< FG_CAP_UNKNOWN = none */
    uint64_t object;   /**< number of the thing it is about; FG_CAP_UNKNOWN = none */
    int64_t value;     /**< what an instant carries; frames: number in the loop; 0 = nothing */
};
#define FG_CAP_BLOCK_SPANS 65536 /* most spans of one block */
/** SPAN: spans of one track that belong to no frame's record, stored by column. */
struct fg_cap_span_block {
    uint32_t id; /**< increasing in a file; with the index it names a span */
    uint32_t track;
    uint32_t clock;
    int64_t first_ticks; /**< smallest begin; set by the writer */
    int64_t last_ticks;  /**< largest end; set by the writer */
    const struct fg_cap_block_span *spans;
    size_t span_count;
};

enum fg_cap_ref_kind {
    FG_CAP_REF_BLOCK_SPAN = 0, /**< a = block id, b = index */
    FG_CAP_REF_GPU_PASS = 1,   /**< a = frame, b = instance */
    FG_CAP_REF_CPU_PASS = 2,   /**< a = frame, b = index into the frame's passes */
    FG_CAP_REF_SUBMISSION = 3, /**< a = frame, b = index into the frame's submissions */
    FG_CAP_REF_FRAME = 4,      /**< a = frame, b = 0 */
    FG_CAP_REF_EVENT = 5,      /**< a = track, b = sequence number of a raw event */
};
struct fg_cap_ref {
    uint32_t kind; /**< enum fg_cap_ref_kind */
    uint64_t a;
    uint64_t b;
};
enum fg_cap_dependency_family {
    FG_CAP_DEPENDENCY_OTHER = 0,
    FG_CAP_DEPENDENCY_SUBMIT = 1, /**< CPU code to the GPU work that it started */
    FG_CAP_DEPENDENCY_SEMAPHORE = 2,
    FG_CAP_DEPENDENCY_FLOW = 3, /**< an arrow of a converted trace */
    FG_CAP_DEPENDENCY_RESOURCE = 4,
    FG_CAP_DEPENDENCY_BARRIER = 5,
    FG_CAP_DEPENDENCY_WAKE = 6,
    FG_CAP_DEPENDENCY_FENCE = 7,
    FG_CAP_DEPENDENCY_QUEUE = 8, /**< order of one queue */
};
struct fg_cap_dependency {
    struct fg_cap_ref from;
    struct fg_cap_ref to;
    uint32_t family; /**< enum fg_cap_dependency_family */
    uint32_t flags;  /**< bit 0: derived, not observed */
    uint32_t name;   /**< symbol */
};
/** DEPS: sorted by from (kind, a, b), then to; the writer refuses another order. */
struct fg_cap_dependencies {
    const struct fg_cap_dependency *dependencies;
    size_t dependency_count;
};

struct fg_cap_argument {
    uint32_t key; /**< symbol */
    struct fg_cap_value value;
};
struct fg_cap_argument_list {
    struct fg_cap_ref owner;
    const struct fg_cap_argument *arguments;
    size_t argument_count;
};
/** ARGS */
struct fg_cap_arguments {
    const struct fg_cap_argument_list *lists;
    size_t list_count;
};

/* ---- STAK, SMPL, MDEF, MSMP, REVT ------------------------------------------------------------ */

struct fg_cap_stack {
    uint32_t id;
    uint32_t parent;   /**< id of the caller's stack, or FG_CAP_NONE */
    uint32_t function; /**< symbol */
    uint32_t file;     /**< symbol */
    uint32_t module;   /**< symbol */
    uint32_t line;     /**< 0 = unknown */
    uint64_t address;  /**< 0 = unknown */
};
/** STAK: a stack is its innermost call plus the stack below it. */
struct fg_cap_stacks {
    const struct fg_cap_stack *stacks;
    size_t stack_count;
};

struct fg_cap_sample {
    int64_t ticks;
    uint32_t stack;  /**< id, or FG_CAP_NONE */
    uint64_t weight; /**< in the unit of the record */
};
/** SMPL: samples of one track. */
struct fg_cap_samples {
    uint32_t track;
    uint32_t clock;
    uint32_t unit; /**< symbol: "samples", "bytes", "ns", ... */
    const struct fg_cap_sample *samples;
    size_t sample_count;
};

enum fg_cap_metric_kind {
    FG_CAP_METRIC_GAUGE = 0,   /**< a level */
    FG_CAP_METRIC_COUNTER = 1, /**< a total that only grows */
    FG_CAP_METRIC_DELTA = 2,   /**< what came since the sample before */
    FG_CAP_METRIC_FRAME = 3,   /**< frame counter: the value of one frame */
};
enum fg_cap_accuracy {
    FG_CAP_ACCURACY_EXACT = 0,
    FG_CAP_ACCURACY_ESTIMATED = 1,
    FG_CAP_ACCURACY_UNAVAILABLE = 2,
};
/** MDEF. A later statement of an id replaces the earlier one. */
struct fg_cap_metric {
    uint32_t id;
    uint32_t kind;        /**< enum fg_cap_metric_kind */
    uint32_t track;       /**< FG_CAP_NONE = of the whole recording */
    uint32_t name;        /**< symbol */
    uint32_t unit;        /**< symbol */
    uint32_t description; /**< symbol */
    uint32_t accuracy;    /**< enum fg_cap_accuracy */
};
struct fg_cap_metric_sample {
    int64_t ticks;
    struct fg_cap_value value;
};
/** MSMP: samples of one metric. */
struct fg_cap_metric_samples {
    uint32_t metric;
    uint32_t clock;
    const struct fg_cap_metric_sample *samples;
    size_t sample_count;
};

enum fg_cap_resource_event_kind {
    FG_CAP_RESOURCE_CREATED = 0,
    FG_CAP_RESOURCE_DESTROYED = 1,
    FG_CAP_RESOURCE_BOUND = 2, /**< memory was bound */
    FG_CAP_RESOURCE_RESIZED = 3,
    FG_CAP_RESOURCE_UPLOADED = 4,
    FG_CAP_RESOURCE_EVICTED = 5,
    FG_CAP_RESOURCE_RENAMED = 6,
    FG_CAP_RESOURCE_LIVES = 7, /**< was created before, unseen by this file */
};
struct fg_cap_resource_event {
    int64_t ticks;
    uint32_t kind;       /**< enum fg_cap_resource_event_kind */
    uint64_t resource;   /**< the application's number */
    uint64_t frame;      /**< FG_CAP_UNKNOWN = none */
    uint32_t name;       /**< symbol */
    uint32_t type;       /**< symbol: "image", "buffer", "memory", ... */
    uint32_t heap;       /**< FG_CAP_NONE = not known */
    uint64_t size_bytes; /**< FG_CAP_UNKNOWN possible */
};
/** What more is known of the resource of an event; zero = not said. */
struct fg_cap_resource_detail {
    uint32_t event;  /**< index into the events */
    uint32_t format; /**< numbers of VkFormat */
    uint32_t width;
    uint32_t height;
    uint32_t depth;
    uint32_t mip_count;
    uint32_t layer_count;
    uint32_t accuracy; /**< enum fg_cap_accuracy, of size_bytes */
};
/** REVT */
struct fg_cap_resource_events {
    uint32_t clock;
    const struct fg_cap_resource_event *events;
    size_t event_count;
    const struct fg_cap_resource_detail *details; /**< ascending by event */
    size_t detail_count;
};

/* ---- ZRAW: memory of a ring, as it is -------------------------------------------------------- */

enum fg_cap_event_kind {
    FG_CAP_EVENT_NONE = 0,           /**< a slot that was not filled */
    FG_CAP_EVENT_BEGIN = 1,          /**< a zone opens */
    FG_CAP_EVENT_END = 2,            /**< the innermost zone closes */
    FG_CAP_EVENT_MARK = 3,           /**< an instant */
    FG_CAP_EVENT_VALUE = 4,          /**< `value` holds a counter's new value, an int64 */
    FG_CAP_EVENT_FRAME = 5,          /**< `value` holds the number of the frame that begins */
    FG_CAP_EVENT_ZONE = 6,           /**< a zone that ended: `value` is its begin in ticks */
    FG_CAP_EVENT_ZONE_FORCED = 7,    /**< the same, ended by the end of a zone around it */
    FG_CAP_EVENT_OBJECT_CREATED = 8, /**< `value` is the object's number */
    FG_CAP_EVENT_OBJECT_DESTROYED = 9,
    FG_CAP_EVENT_MALFORMED = 10, /**< an end that fit no open zone; `value`: the begin it claimed */
};
/** 24 bytes, little-endian, in memory as in the file; there may be more of each in the file. */
struct fg_cap_event {
    uint64_t ticks;
    uint32_t symbol;
    uint16_t kind; /**< enum fg_cap_event_kind */
    uint16_t depth;
    uint64_t value;
};
/** The 48 bytes in front of the events, little-endian, in memory as in the file. */
struct fg_cap_event_header {
    uint32_t track;
    uint32_t clock;
    uint64_t first_sequence; /**< number of the first event among all events of the track */
    uint64_t dropped_count;  /**< events of the track lost so far */
    uint32_t event_count;    /**< events that are complete; what follows them is not read */
    uint32_t event_size;     /**< sizeof(struct fg_cap_event) */
    uint64_t reserved[2];    /**< 0 */
};
/** ZRAW: CPU zones and markers of one thread. */
struct fg_cap_events {
    uint32_t track;
    uint32_t clock;
    uint64_t first_sequence;
    uint64_t dropped_count;
    const struct fg_cap_event *events;
    size_t event_count;
};

FG_END_DECLS
#endif
