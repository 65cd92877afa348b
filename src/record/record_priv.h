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
#include "record/commands_priv.h"
#include "record/device.h"
#include "record/frame_priv.h"
#include "record/pool_priv.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/thread.h"
#include <frameglass/capture.h>
#include <frameglass/gpu.h>
#include <frameglass/graph.h>
#include <frameglass/timing.h>

#define FGI_GRAPHS_KEPT   64
#define FGI_PIPELINES_MAX 65536

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

/* no_device.c */
/** A device without queues, for sessions of no device. FG_OK, FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_no_device_create(const struct fg_allocator *allocator,
                                                struct fg_device **out_device);

/* device.c */
/** False in a fork's child: then nothing may be touched. */
bool fgi_recorder_is_ours(const struct fgi_recorder *recorder);
void fgi_recorder_ref(struct fgi_recorder *recorder);
/** Without the lock. */
void fgi_recorder_unref(struct fgi_recorder *recorder);
/** Tell every session that the device is gone. Once. */
void fgi_recorder_lose(struct fgi_recorder *recorder);
void fgi_recorder_update_want(struct fgi_recorder *recorder);

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

/* results.c: with the lock */
/** Absorb what has come, give up what is too old. */
void fgi_recorder_poll(struct fgi_recorder *recorder);
/** A reading of every calibrated clock, whether it is due or not. */
void fgi_recorder_calibrate_now(struct fgi_recorder *recorder);
/** Write the GPU side of every frame in flight as far as it is known, to this session or to all. */
void fgi_recorder_give_up(struct fgi_recorder *recorder, struct fg_session *session);

/* timing.c: with the lock */
void fgi_timing_report(struct fgi_recorder *recorder, const struct fg_frame *frame);

#endif
