/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder share: the recorder of a device, its frames, its command buffers.
 *
 * Who may touch what: everything in struct fgi_recorder, and every frame and session, belongs to
 * `recorder->lock`; a struct fg_commands belongs to the thread that records into it from
 * fg_commands_begin() to fg_commands_end(), and to the lock before and after.
 */
#ifndef FGI_RECORD_PRIV_H
#define FGI_RECORD_PRIV_H
#include "record/clocks.h"
#include "record/device.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/thread.h"
#include <frameglass/capture.h>
#include <frameglass/gpu.h>
#include <frameglass/graph.h>
#include <frameglass/timing.h>

#define FGI_NONE           UINT32_MAX
#define FGI_SESSIONS_MAX   8
#define FGI_NESTING_MAX    16
#define FGI_DROP_REASONS   11
#define FGI_INDIRECT_SLOTS 256
#define FGI_GRAPHS_KEPT    64
#define FGI_PIPELINES_MAX  65536

/** What the running sessions want of a recording, together. */
enum fgi_want {
    FGI_WANT_GRAPH = 1u << 0,
    FGI_WANT_WORK = 1u << 1,
    FGI_WANT_BINDINGS = 1u << 2,
    FGI_WANT_CPU_PASSES = 1u << 3,
    FGI_WANT_STATISTICS = 1u << 4,
    FGI_WANT_INDIRECT = 1u << 5,
    FGI_WANT_LABELS = 1u << 6,
    FGI_WANT_CALIBRATION = 1u << 7,
};

/** Times of one slot as they came, not unwrapped. */
struct fgi_times {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    bool has_begin;
    bool has_end;
    bool has_statistics;
};

/** Results of one use of a timer, filled as they come. */
struct fgi_results {
    struct fgi_times *times; /**< capacity: the pool's slots */
    uint64_t *statistics;    /**< FGI_STATISTICS_MAX per slot; NULL = none */
    uint32_t ready;          /**< slots [0, ready) are complete */
};

/** A timer and what it was made for. */
struct fgi_pool {
    struct fgi_timer *timer;
    uint32_t origin; /**< number of the pool on this device: names where a span came from */
    uint32_t queue;
    uint32_t slots;
    uint32_t indirect_slots;
    bool statistics;
    uint32_t zombie_used; /**< given up with so many slots still to come; 0 = not a zombie */
    struct fgi_results results;
    struct fgi_pool *next;
};

/** A submission's copy of the results of a reused command buffer. */
struct fgi_copy {
    struct fgi_landing *landing;
    struct fgi_results results;
    uint32_t slots;
    bool statistics;
    struct fgi_copy *next;
};

enum fgi_pass_flags {
    FGI_PASS_STATISTICS = 1u << 0,
    FGI_PASS_ENDED = 1u << 1,
};
/** One GPU pass of one command buffer. */
struct fgi_pass {
    uint64_t logical;
    uint32_t label_offset;
    uint32_t label_size;
    uint32_t graph_pass;
    uint32_t slot;   /**< FGI_NONE = not timed */
    uint32_t parent; /**< in the same command buffer */
    uint32_t first_attachment;
    uint8_t attachment_count;
    uint8_t kind;
    uint8_t flags;
    uint32_t first_work; /**< its works are among [first_work, end_work) */
    uint32_t end_work;   /**< UINT32_MAX until it ends */
};

/** One call, or several equal ones in a row. */
struct fgi_work {
    uint64_t x;
    uint64_t buffer;
    uint64_t offset;
    uint64_t resource;
    uint32_t y;
    uint32_t z;
    uint32_t pass;
    uint32_t kind; /**< enum fg_cap_work_kind */
    uint32_t repeat;
    uint32_t pipeline;
    uint32_t draw_count;
    uint32_t stride_bytes;
    uint32_t first_binding;
    uint32_t binding_count;
    uint32_t indirect; /**< first indirect slot; FGI_NONE = not copied */
    uint32_t indirect_count;
};

/** One bracket of a graph pass. */
struct fgi_bracket {
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t graph_pass;
    bool failed; /**< left without an end */
};

/** Secondary command buffers, and where in the primary they run. */
struct fgi_execute {
    struct fg_commands *secondary;
    uint32_t before_pass; /**< index of the next pass at that time */
    uint32_t parent;      /**< pass that was open */
};

/** How often the cost of a call is measured: once in so many. */
#define FGI_COST_SAMPLING 16
/** Cost of the calls of one kind: some are measured, all are counted. */
struct fgi_cost {
    uint32_t calls;
    uint32_t measured;
    int64_t measured_ns;
};

struct fg_commands {
    struct fgi_recorder *recorder;
    struct fg_device *device;
    const struct fgi_device_ops *ops;
    void *native;
    struct fgi_pool *pool; /**< NULL = not timed */
    uint32_t queue;
    uint32_t flags;
    uint32_t want;
    uint32_t thread;
    uint32_t next_slot;
    uint32_t next_indirect;
    uint32_t pipeline;
    uint32_t graph_pass;    /**< the open bracket's; FGI_NONE outside */
    uint32_t depth;         /**< of the open passes */
    uint32_t refused_depth; /**< begins refused inside, whose ends must be swallowed */
    uint32_t stack[FGI_NESTING_MAX];
    uint32_t statistics_pass; /**< the pass whose statistics run; FGI_NONE = none */
    bool in_bracket;
    bool ended;
    bool used;      /**< named in a submission of its frame */
    bool destroyed; /**< reused: goes with its last use */
    uint32_t uses;  /**< reused: frames that still refer to it */

    struct fgi_pass *passes;
    size_t pass_count, pass_capacity;
    struct fgi_work *works;
    size_t work_count, work_capacity;
    struct fg_attachment *attachments;
    size_t attachment_count, attachment_capacity;
    struct fg_binding *bindings;
    size_t binding_count, binding_capacity;
    size_t bound_first; /**< of the bindings in force */
    struct fgi_bracket *brackets;
    size_t bracket_count, bracket_capacity;
    struct fgi_execute *executes;
    size_t execute_count, execute_capacity;
    char *text;
    size_t text_size, text_capacity;
    struct fgi_indirect_copy *copies; /**< of the pass that is open: FGI_INDIRECT_SLOTS */
    uint32_t copy_count;

    uint32_t drops[FGI_DROP_REASONS];
    uint32_t short_of; /**< bits of enum fgi_short: what the end of the frame must grow */
    struct fgi_cost pass_cost;
    struct fgi_cost work_cost;
    struct fg_commands *next;
};

enum fgi_short {
    FGI_SHORT_PASSES = 1u << 0,
    FGI_SHORT_WORKS = 1u << 1,
    FGI_SHORT_ATTACHMENTS = 1u << 2,
    FGI_SHORT_BINDINGS = 1u << 3,
    FGI_SHORT_BRACKETS = 1u << 4,
    FGI_SHORT_EXECUTES = 1u << 5,
    FGI_SHORT_TEXT = 1u << 6,
};

/** A graph that was described, kept for the frames that run it. */
struct fgi_graph {
    uint64_t hash;        /**< of everything but cull flags and reference counts */
    uint64_t timing_hash; /**< of names and scopes alone: what level timing keeps */
    uint64_t revision;
    uint64_t last_serial;
    uint32_t refs;
    struct fg_graph_desc desc; /**< deep copy in `arena`; cull flags cleared */
    const uint32_t *producers; /**< per resource version */
    const uint64_t *footprints;
    const uint32_t *scopes; /**< per pass: index into scope_list, or FGI_NONE */
    const struct fgi_scope *scope_list;
    uint32_t scope_count;
    struct fgi_map64 resource_of_id; /**< id to the first of its versions */
    struct fgi_arena arena;
};
struct fgi_scope {
    const char *name;
    uint32_t parent;
};

struct fgi_pass_state {
    uint32_t ref_count;
    bool culled;
};

struct fgi_submission {
    int64_t submit_ns;
    uint32_t queue;
    uint32_t first_semaphore; /**< waits, then signals */
    uint32_t wait_count;
    uint32_t signal_count;
    uint32_t first_use;
    bool failed;
};

/** One execution of one command buffer in a frame. */
struct fgi_use {
    struct fg_commands *commands;
    struct fgi_pool *pool; /**< slots to read; NULL = none, or the whole submission */
    struct fgi_copy *copy; /**< reused, and whole: where the results are */
    uint32_t used_slots;
    uint32_t submission; /**< FGI_NONE = the frame told none */
    uint32_t parent_use; /**< the primary; FGI_NONE */
    uint32_t parent_execute;
    bool whole; /**< not a command buffer: the submission timed as a whole */
    bool timed; /**< its passes can have times */
    bool landed;
};

/** One GPU pass of the frame, in the order of the capture. */
struct fgi_instance {
    uint32_t use;
    uint32_t pass; /**< in the use's commands; FGI_NONE = the whole submission */
    uint32_t parent;
    uint32_t logical;
    uint32_t fragment;
};

/** What became of an instance's times; ticks are unwrapped. */
struct fgi_span {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    uint32_t status; /**< enum fg_cap_span_status */
    uint32_t origin;
};

struct fgi_counter {
    char name[64];
    enum fg_unit unit;
    int64_t value;
};

/** A session that gets this frame. */
struct fgi_audience {
    struct fg_session *session; /**< NULL = it went away */
    uint64_t frame;             /**< its number there, from when it was written */
    bool written;
};

struct fg_frame {
    struct fgi_recorder *recorder;
    uint64_t serial;
    int64_t begin_ns;
    int64_t end_ns;
    int64_t submit_ns; /**< of the last submission; -1 = none */
    int64_t wait_ns;   /**< -1 = not told */
    int64_t present_wait_ns;
    int64_t overhead_ns;
    uint32_t thread;
    bool ended;
    bool quiet; /**< nobody records: it only serves reused command buffers */
    bool armed;
    uint64_t armed_number;

    struct fgi_audience sessions[FGI_SESSIONS_MAX];
    uint32_t session_count;
    struct fg_commands **commands;
    size_t command_count, command_capacity;
    struct fgi_submission *submissions;
    size_t submission_count, submission_capacity;
    struct fg_semaphore_op *semaphores;
    size_t semaphore_count, semaphore_capacity;
    struct fgi_use *uses;
    size_t use_count, use_capacity;
    struct fgi_instance *instances;
    size_t instance_count, instance_capacity;
    struct fgi_span *spans; /**< one per instance, made when the results have come */
    size_t span_capacity;
    struct fg_cap_resolved *resolved;
    size_t resolved_count, resolved_capacity;
    struct fgi_counter *counters;
    size_t counter_count, counter_capacity;
    struct fgi_graph *graph;
    struct fgi_pass_state *pass_states;
    size_t pass_state_count, pass_state_capacity;
    uint64_t gpu_list_hash;
    uint32_t drops[FGI_DROP_REASONS];
    struct fg_frame *next;
};

struct fgi_pipeline {
    const char *label;
    uint32_t workgroup[3];
};

struct fgi_recorder {
    struct fg_device *device;
    const struct fgi_device_ops *ops;
    const struct fg_allocator *allocator;
    struct fg_recorder_limits limits; /**< defaults filled in */
    struct fgi_mutex *lock;           /**< guards all that follows, all frames, all sessions */
    uint64_t native_key;
    uint32_t process;
    uint32_t refs; /**< the device's owner and each session */
    bool dead;     /**< destroyed: native things are gone */
    bool lost;
    uint64_t serial; /**< of the newest frame */
    uint32_t want;   /**< bits of enum fgi_want of the running sessions */

    struct fg_session *sessions[FGI_SESSIONS_MAX]; /**< that get new frames or wait for results */
    uint32_t session_count;
    struct fg_frame *in_flight; /**< ended, oldest first */
    uint32_t in_flight_count;
    struct fg_frame *open;
    struct fg_frame *free_frames;
    struct fg_commands *free_commands;
    struct fg_commands *reused; /**< alive */
    size_t learned_passes;      /**< what some command buffer needed: all start with it */
    size_t learned_works;
    size_t learned_text;
    struct fgi_pool *free_pools;
    struct fgi_pool *zombies; /**< given up, results may still come */
    uint32_t zombie_count;
    struct fgi_copy *free_copies;
    uint32_t pool_count;
    uint64_t growth_count;
    int64_t overhead_ns; /**< own time that no frame has in its record yet */

    struct fgi_graph *graphs[FGI_GRAPHS_KEPT];
    uint32_t graph_count;
    struct fgi_pipeline *pipelines; /**< id - 1 */
    size_t pipeline_count, pipeline_capacity;
    struct fgi_map64 pipeline_ids;
    struct fgi_arena pipeline_texts;
    struct fgi_clocks clocks;

    uint32_t armed_left;
    uint32_t armed_pending; /**< armed frames whose table was not given yet */
    uint64_t armed_next;
    fg_timing_callback *armed_callback;
    void *armed_context;
    struct fg_timing_row *armed_rows;
    size_t armed_row_capacity;
};

/** The clock of CPU times. Any thread. */
static inline int64_t fgi_host_now(const struct fgi_recorder *recorder)
{
    return recorder->ops->host_ns != NULL ? recorder->ops->host_ns(recorder->device)
                                          : fgi_clock_monotonic_ns();
}

/* device.c */
/** False in a fork's child: then nothing may be touched. */
bool fgi_recorder_is_ours(const struct fgi_recorder *recorder);
void fgi_recorder_ref(struct fgi_recorder *recorder);
/** Without the lock. */
void fgi_recorder_unref(struct fgi_recorder *recorder);
/** Tell every session that the device is gone. Once. */
void fgi_recorder_lose(struct fgi_recorder *recorder);
void fgi_recorder_update_want(struct fgi_recorder *recorder);

/* pool.c: all with the lock */
/** A timer for a recording on `queue`; NULL when there is none to be had. */
struct fgi_pool *fgi_pool_take(struct fgi_recorder *recorder, uint32_t queue);
/** Nothing more is expected from it. */
void fgi_pool_give(struct fgi_recorder *recorder, struct fgi_pool *pool);
/** Results are still to come but nobody waits for them: not reused until they are there. */
void fgi_pool_abandon(struct fgi_recorder *recorder, struct fgi_pool *pool, uint32_t used_slots);
void fgi_pools_poll_zombies(struct fgi_recorder *recorder);
void fgi_pools_destroy(struct fgi_recorder *recorder);
struct fgi_copy *fgi_copy_take(struct fgi_recorder *recorder, const struct fgi_pool *pool);
void fgi_copy_give(struct fgi_recorder *recorder, struct fgi_copy *copy);
/**
 * Read what has come for slots [results->ready, used). FG_OK, also when some are missing;
 * FG_ERR_DEVICE_LOST.
 */
enum fg_result fgi_results_read(struct fgi_recorder *recorder, struct fgi_timer *timer,
                                struct fgi_landing *landing, struct fgi_results *results,
                                uint32_t used);
/** Everything that can still be read, whatever is complete. */
void fgi_results_salvage(struct fgi_recorder *recorder, struct fgi_timer *timer,
                         struct fgi_landing *landing, struct fgi_results *results, uint32_t used);

/* commands.c */
void fgi_commands_free(struct fgi_recorder *recorder, struct fg_commands *commands);
/** Back to the free list, arrays grown where they were short. With the lock. */
void fgi_commands_recycle(struct fgi_recorder *recorder, struct fg_commands *commands);
/** One use less of a reused one; frees it when it was destroyed meanwhile. With the lock. */
void fgi_commands_release(struct fgi_recorder *recorder, struct fg_commands *commands);
/** Measure this call? Returns the start, or -1. */
static inline int64_t fgi_cost_begin(struct fgi_cost *cost, const struct fgi_recorder *recorder)
{
    return cost->calls++ % FGI_COST_SAMPLING == 0 ? fgi_host_now(recorder) : -1;
}
static inline void fgi_cost_end(struct fgi_cost *cost, const struct fgi_recorder *recorder,
                                int64_t begin_ns)
{
    if (begin_ns >= 0) {
        cost->measured++;
        cost->measured_ns += fgi_host_now(recorder) - begin_ns;
    }
}
/** Cost of all calls, from those that were measured. */
static inline int64_t fgi_cost_total_ns(const struct fgi_cost *cost)
{
    return cost->measured == 0 ? 0 : cost->measured_ns * cost->calls / cost->measured;
}

/* graph.c: with the lock */
void fgi_graph_release(struct fgi_recorder *recorder, struct fgi_graph *graph);
void fgi_graphs_finish(struct fgi_recorder *recorder);
/** Index of the version of a resource that a pass means; FGI_NONE. */
uint32_t fgi_graph_find_resource(const struct fgi_graph *graph, uint64_t id, uint32_t pass);

/* frame.c: with the lock */
void fgi_frame_free(struct fgi_recorder *recorder, struct fg_frame *frame);
/** Done with a frame: everything it holds goes back. */
void fgi_frame_recycle(struct fgi_recorder *recorder, struct fg_frame *frame);

/* gather.c: with the lock */
/** Instances of an ended frame, in the order of the capture. FG_OK, FG_ERR_NO_MEMORY. */
enum fg_result fgi_frame_gather(struct fgi_recorder *recorder, struct fg_frame *frame);
/** Label of an instance; not terminated. */
const char *fgi_instance_label(const struct fg_frame *frame, const struct fgi_instance *instance,
                               size_t *out_size);
/** NULL = the whole submission. */
const struct fgi_pass *fgi_instance_pass(const struct fg_frame *frame,
                                         const struct fgi_instance *instance);
uint32_t fgi_instance_kind(const struct fg_frame *frame, const struct fgi_instance *instance);
uint32_t fgi_instance_queue(const struct fg_frame *frame, const struct fgi_instance *instance);

/* results.c: with the lock */
/** Absorb what has come, give up what is too old. */
void fgi_recorder_poll(struct fgi_recorder *recorder);
/** Write the GPU side of every frame in flight as far as it is known, to this session or to all. */
void fgi_recorder_give_up(struct fgi_recorder *recorder, struct fg_session *session);

/* timing.c: with the lock */
void fgi_timing_report(struct fgi_recorder *recorder, const struct fg_frame *frame);

#endif
