/* SPDX-License-Identifier: MIT */
/* Payload structs of a capture: the two sides of a frame. Layout: docs/FORMAT.md. */
#ifndef FG_CAPTURE_FRAMES_H
#define FG_CAPTURE_FRAMES_H
#include <frameglass/capture_graph.h>

FG_BEGIN_DECLS

/* ---- FRAM: the CPU side of a frame, written at submit ---------------------------------------- */

enum fg_cap_cpu_pass_flags {
    FG_CAP_CPU_PASS_CULLED = 1,
    FG_CAP_CPU_PASS_TIMED = 2,  /**< begin_ticks and end_ticks are meant */
    FG_CAP_CPU_PASS_FAILED = 4, /**< the pass was left by an error */
};

/** What happened to a graph pass in this frame, in order of execution; culled ones included. */
struct fg_cap_cpu_pass {
    uint32_t graph_pass; /**< index into the topology's passes */
    uint32_t flags;      /**< enum fg_cap_cpu_pass_flags */
    uint32_t ref_count;  /**< readers left after culling */
    uint32_t track;      /**< track of the encoding thread, or FG_CAP_NONE */
    uint64_t begin_ticks;
    uint64_t end_ticks;
};

/** What a shader resource is. */
enum fg_cap_binding_kind {
    FG_CAP_BINDING_OTHER = 0,
    FG_CAP_BINDING_SAMPLER = 1,
    FG_CAP_BINDING_SAMPLED_TEXTURE = 2,
    FG_CAP_BINDING_STORAGE_TEXTURE = 3,
    FG_CAP_BINDING_UNIFORM_BUFFER = 4,
    FG_CAP_BINDING_STORAGE_BUFFER = 5,
    FG_CAP_BINDING_TEXEL_BUFFER = 6,
    FG_CAP_BINDING_INPUT_ATTACHMENT = 7,
    FG_CAP_BINDING_ACCELERATION_STRUCTURE = 8,
    FG_CAP_BINDING_INLINE = 9, /**< push constants */
};
struct fg_cap_binding {
    uint32_t set;
    uint32_t slot;
    uint32_t element;
    uint32_t kind;     /**< enum fg_cap_binding_kind */
    uint64_t resource; /**< the application's number of the bound thing; 0 = none */
    uint32_t name;     /**< symbol */
    uint64_t offset;
    uint64_t size_bytes; /**< FG_CAP_UNKNOWN = the whole */
};

enum fg_cap_work_kind {
    FG_CAP_WORK_DRAW = 0,
    FG_CAP_WORK_DRAW_INDEXED = 1,
    FG_CAP_WORK_DRAW_INDIRECT = 2,
    FG_CAP_WORK_DRAW_INDEXED_INDIRECT = 3,
    FG_CAP_WORK_DRAW_INDIRECT_COUNT = 4,
    FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT = 5,
    FG_CAP_WORK_DISPATCH = 6,
    FG_CAP_WORK_DISPATCH_INDIRECT = 7,
    FG_CAP_WORK_DRAW_MESH = 8,
    FG_CAP_WORK_TRACE_RAYS = 9,
    FG_CAP_WORK_COPY = 10, /**< x = bytes, when known */
    FG_CAP_WORK_CLEAR = 11,
};

/** One call, or `repeat` equal calls in a row, as encoded. Indirect counts are not known here. */
struct fg_cap_work {
    uint32_t kind;        /**< enum fg_cap_work_kind */
    uint32_t repeat;      /**< at least 1 */
    uint32_t pipeline;    /**< symbol */
    uint64_t x;           /**< groups x; vertices or indices; bytes */
    uint32_t y;           /**< groups y; instances */
    uint32_t z;           /**< groups z */
    uint32_t workgroup_x; /**< compute: size of a workgroup; all three 0 = unknown */
    uint32_t workgroup_y;
    uint32_t workgroup_z;
    uint64_t buffer;       /**< indirect: number of the argument buffer */
    uint64_t offset;       /**< indirect: where in it */
    uint32_t draw_count;   /**< indirect: draws, or the most of them with a count buffer */
    uint32_t stride_bytes; /**< indirect */
    const struct fg_cap_binding *bindings; /**< level VERBOSE */
    size_t binding_count;
};

enum fg_cap_attachment_kind {
    FG_CAP_ATTACHMENT_COLOR = 0,
    FG_CAP_ATTACHMENT_DEPTH = 1,
    FG_CAP_ATTACHMENT_STENCIL = 2,
    FG_CAP_ATTACHMENT_DEPTH_STENCIL = 3,
    FG_CAP_ATTACHMENT_RESOLVE = 4,
};
enum fg_cap_load_op {
    FG_CAP_LOAD_UNKNOWN = 0,
    FG_CAP_LOAD_LOAD = 1,
    FG_CAP_LOAD_CLEAR = 2,
    FG_CAP_LOAD_DISCARD = 3,
    FG_CAP_LOAD_NONE = 4,
};
enum fg_cap_store_op {
    FG_CAP_STORE_UNKNOWN = 0,
    FG_CAP_STORE_STORE = 1,
    FG_CAP_STORE_DISCARD = 2,
    FG_CAP_STORE_NONE = 3,
};
struct fg_cap_attachment {
    uint32_t kind;   /**< enum fg_cap_attachment_kind */
    uint32_t format; /**< numbers of VkFormat; 0 = unknown */
    uint32_t load;   /**< enum fg_cap_load_op */
    uint32_t store;  /**< enum fg_cap_store_op */
    uint32_t sample_count;
    uint32_t width;
    uint32_t height;
    uint32_t resource; /**< index into the topology's resources, or FG_CAP_NONE */
};

/**
 * A GPU pass that this frame encoded; its index in the frame is what GSPN spans refer to.
 * With `gpu_pass` given, graph_pass, kind and label repeat the topology's entry: a writer takes
 * them from there, a reader fills them in.
 */
struct fg_cap_gpu_pass {
    uint32_t gpu_pass;   /**< index into the topology's GPU-pass list; FG_CAP_NONE = spelled out */
    uint32_t graph_pass; /**< index of the graph pass; FG_CAP_NONE = unattributed */
    uint32_t kind;       /**< enum fg_cap_gpu_pass_kind */
    uint32_t label;      /**< symbol */
    uint32_t track;      /**< track of the queue, or FG_CAP_NONE */
    uint32_t submission; /**< index into the frame's submissions, or FG_CAP_NONE */
    uint32_t parent;     /**< instance before this one that encloses it, or FG_CAP_NONE */
    uint32_t logical;    /**< instance that is fragment 0 of the same pass, or FG_CAP_NONE: whole */
    uint32_t fragment;   /**< number of this fragment, from 0 */
    const struct fg_cap_attachment *attachments;
    size_t attachment_count;
    const struct fg_cap_work *works;
    size_t work_count;
};

/** A semaphore's number and, for a timeline semaphore, its value (0 = binary). */
struct fg_cap_semaphore {
    uint64_t id;
    uint64_t value;
};
struct fg_cap_submission {
    uint32_t track; /**< track of the queue, or FG_CAP_NONE */
    uint64_t submit_ticks;
    const struct fg_cap_semaphore *waits;
    size_t wait_count;
    const struct fg_cap_semaphore *signals;
    size_t signal_count;
};

enum fg_cap_value_kind {
    FG_CAP_VALUE_INT = 0,    /**< i */
    FG_CAP_VALUE_UINT = 1,   /**< u */
    FG_CAP_VALUE_F64 = 2,    /**< f */
    FG_CAP_VALUE_BOOL = 3,   /**< u: 0 or 1 */
    FG_CAP_VALUE_TEXT = 4,   /**< text */
    FG_CAP_VALUE_SYMBOL = 5, /**< u: symbol */
};
/** A typed value. Only the member that `kind` names is meant and stored; the others stay zero. */
struct fg_cap_value {
    uint32_t kind; /**< enum fg_cap_value_kind */
    int64_t i;
    uint64_t u;
    double f;
    struct fg_cap_text text;
};

struct fg_cap_counter {
    uint32_t name; /**< symbol */
    uint32_t unit; /**< symbol: "bytes", "px", "ns", ... */
    struct fg_cap_value value;
};

/** Why something was not recorded. */
enum fg_cap_drop_reason {
    FG_CAP_DROP_OTHER = 0,
    FG_CAP_DROP_POOL_FULL = 1,  /**< no timestamp slot left */
    FG_CAP_DROP_PASS_LIMIT = 2, /**< more passes than the session's maximum */
    FG_CAP_DROP_WORK_LIMIT = 3,
    FG_CAP_DROP_NO_MEMORY = 4,
    FG_CAP_DROP_SIMULTANEOUS = 5, /**< a command buffer pending twice: timed as a whole */
    FG_CAP_DROP_UNBALANCED = 6,   /**< an end without a begin, or the reverse */
    FG_CAP_DROP_RING_FULL = 7,
    FG_CAP_DROP_NO_TIMESTAMPS = 8, /**< this queue has none */
    FG_CAP_DROP_LATE = 9,          /**< results came after the session had ended */
    FG_CAP_DROP_BYTE_BUDGET = 10,
    FG_CAP_DROP_MALFORMED_ZONE = 11, /**< these and below: of the process's own diagnostics */
    FG_CAP_DROP_MALFORMED_FRAME = 12,
    FG_CAP_DROP_SOURCE_FAILED = 13,
    FG_CAP_DROP_OVERWRITTEN = 14,      /**< left the history unread */
    FG_CAP_DROP_BEFORE_START = 15,     /**< of RING_FULL: before the oldest in the history */
    FG_CAP_DROP_METRIC_REFUSED = 16,   /**< registrations that got an inert handle */
    FG_CAP_DROP_COUNTER_LEFT_OUT = 17, /**< frame counters without room in the frame history */
    FG_CAP_DROP_OBJECT_REFUSED = 18,   /**< resources that got an inert handle */
};
struct fg_cap_drop {
    uint32_t reason; /**< enum fg_cap_drop_reason */
    uint64_t count;
};

/** FRAM */
struct fg_cap_frame {
    uint64_t frame;    /**< number; increasing in a file */
    uint32_t topology; /**< id of a TOPO before it, or FG_CAP_NONE */
    uint32_t level;    /**< enum fg_cap_level */
    uint32_t clock;    /**< of all ticks in this record */
    uint32_t track;    /**< track of the thread that began the frame, or FG_CAP_NONE */
    uint64_t begin_ticks;
    uint64_t end_ticks;
    uint64_t submit_ticks;       /**< FG_CAP_UNKNOWN possible */
    uint64_t wait_ticks;         /**< CPU time inside the frame spent waiting; FG_CAP_UNKNOWN */
    uint64_t present_wait_ticks; /**< part of it that waited for present; FG_CAP_UNKNOWN = none */
    uint64_t recorder_ns;        /**< what recording this frame cost; FG_CAP_UNKNOWN possible */
    const struct fg_cap_submission *submissions;
    size_t submission_count;
    const struct fg_cap_counter *counters;
    size_t counter_count;
    const struct fg_cap_drop *drops;
    size_t drop_count;
    const struct fg_cap_cpu_pass *passes;
    size_t pass_count;
    const struct fg_cap_gpu_pass *gpu_passes;
    size_t gpu_pass_count;
};

/* ---- GSPN: the GPU side of a frame, written when results land -------------------------------- */

enum fg_cap_span_status {
    FG_CAP_SPAN_OK = 0,      /**< both times are meant */
    FG_CAP_SPAN_MISSING = 1, /**< the results never came; no times */
    FG_CAP_SPAN_LOST = 2,    /**< the device was lost before it began; no times */
    FG_CAP_SPAN_OPEN = 3,    /**< began and did not end (device lost); only begin_ticks is meant */
    FG_CAP_SPAN_NO_SLOT = 4, /**< refused a timestamp; no times */
    FG_CAP_SPAN_INVALID = 5, /**< the device gave an end before the begin; both kept as they came */
    /** The device said that its clock was disturbed, or gave times that cannot be; no times. */
    FG_CAP_SPAN_REFUSED = 6,
};
struct fg_cap_gpu_span {
    uint32_t instance; /**< index into the frame's gpu_passes */
    uint32_t status;   /**< enum fg_cap_span_status */
    uint32_t origin;   /**< number of the timestamp pool it came from */
    uint64_t begin_ticks;
    uint64_t end_ticks;
};

/** Pipeline statistics of one instance: bit n of `mask` says that values has one more entry. */
struct fg_cap_statistics {
    uint32_t instance;
    uint32_t mask; /**< bits of VkQueryPipelineStatisticFlagBits */
    const uint64_t *values;
    size_t value_count;
};

/** Indirect counts that were read back: `resolved`, never mixed with `encoded` ones. */
struct fg_cap_resolved {
    uint32_t instance;
    uint32_t work; /**< index into the instance's works */
    uint32_t draw; /**< which draw of a multi-draw */
    uint64_t x;    /**< as in struct fg_cap_work */
    uint32_t y;
    uint32_t z;
};

enum fg_cap_gpu_frame_flags {
    FG_CAP_GPU_FRAME_LAST = 1, /**< no further GSPN of this frame will come */
};

/** GSPN. A frame has none (its GPU times never came) or several (queues, late results). */
struct fg_cap_gpu_frame {
    uint64_t frame;
    uint32_t clock;          /**< of all ticks in this record */
    uint32_t flags;          /**< enum fg_cap_gpu_frame_flags */
    uint32_t instance_count; /**< GPU passes of the frame: bound of all instance numbers */
    uint64_t epoch_ticks;    /**< where the spans are counted from */
    uint64_t latency_ns;     /**< from submit to these results; FG_CAP_UNKNOWN possible */
    const struct fg_cap_gpu_span *spans;
    size_t span_count;
    const struct fg_cap_statistics *statistics;
    size_t statistics_count;
    const struct fg_cap_resolved *resolved;
    size_t resolved_count;
};

FG_END_DECLS
#endif
