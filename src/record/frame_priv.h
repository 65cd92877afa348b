/* SPDX-License-Identifier: MIT */
/* A frame from begin until its results are written, and the graph that it ran. */
#ifndef FGI_FRAME_PRIV_H
#define FGI_FRAME_PRIV_H
#include "record/commands_priv.h"
#include "record/pool_priv.h"
#include "base/arena.h"
#include "base/hash.h"
#include <frameglass/capture.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>

#define FGI_SESSIONS_MAX 8

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
    bool encoded; /**< some command buffer of the frame was bracketed by it */
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

/* graph.c: with the lock */
void fgi_graph_release(struct fgi_recorder *recorder, struct fgi_graph *graph);
void fgi_graphs_finish(struct fgi_recorder *recorder);
/** Index of the version of a resource that a pass means; FGI_NONE. */
uint32_t fgi_graph_find_resource(const struct fgi_graph *graph, uint64_t id, uint32_t pass);

/* frame.c: with the lock */
void fgi_frame_free(struct fgi_recorder *recorder, struct fg_frame *frame);
/** Done with a frame: everything it holds goes back. */
void fgi_frame_recycle(struct fgi_recorder *recorder, struct fg_frame *frame);

/* submit.c: with the lock */
/** A command buffer runs in the frame, with everything that it executes. */
void fgi_frame_use(struct fgi_recorder *recorder, struct fg_frame *frame,
                   struct fg_commands *commands, struct fgi_use use);

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

#endif
