/* SPDX-License-Identifier: MIT */
/* Sessions: what the recorder calls, and what the files session*.c share. All with the lock. */
#ifndef FGI_SESSION_PRIV_H
#define FGI_SESSION_PRIV_H
#include "record/record_priv.h"
#include <frameglass/capture_writer.h>

#define FGI_TOPOLOGIES_KEPT   128 /* more than the writer keeps: it is asked again then */
#define FGI_HOST_CLOCK        0   /* id in the capture; device clock n is n + 1 */
#define FGI_PROCESS           1
#define FGI_FIRST_THREAD      1000 /* ids of thread tracks; queue n is n + 1 */
#define FGI_DETAIL_TRACKS_MAX 16   /* of nodes, in one session */

enum fgi_session_state {
    FGI_SESSION_NEW = 0,
    FGI_SESSION_RUNNING = 1,
    FGI_SESSION_STOPPED = 2, /**< no new frames, results may come */
    FGI_SESSION_CLOSED = 3,
};

struct fgi_flight;
struct fgi_stream;

struct fgi_meta_pair {
    char *key; /**< terminated, in the session's arena */
    char *value;
};

/** A topology of this capture, by what the recorder knows it by. */
struct fgi_known_topology {
    uint64_t key;
    uint32_t id;
};

/** Arrays that a frame's record is put together in; they grow at the end of frames. */
struct fgi_scratch {
    struct fg_cap_gpu_pass *gpu_passes;
    size_t gpu_pass_capacity;
    struct fg_cap_work *works;
    size_t work_capacity;
    struct fg_cap_binding *bindings;
    size_t binding_capacity;
    struct fg_cap_attachment *attachments;
    size_t attachment_capacity;
    struct fg_cap_cpu_pass *cpu_passes;
    size_t cpu_pass_capacity;
    struct fg_cap_submission *submissions;
    size_t submission_capacity;
    struct fg_cap_semaphore *semaphores;
    size_t semaphore_capacity;
    struct fg_cap_counter *counters;
    size_t counter_capacity;
    struct fg_cap_gpu_span *spans;
    size_t span_capacity;
    struct fg_cap_statistics *statistics;
    size_t statistics_capacity;
};

/** A frame of the process's own loop, for a session without a device. Borrowed for the call. */
struct fgi_loop_frame {
    uint32_t track; /**< id in the capture */
    int64_t begin_ns;
    int64_t duration_ns;
    int64_t waited_ns; /**< 0 = not told */
    const struct fg_cap_counter *counters;
    size_t counter_count;
};

struct fg_session {
    struct fgi_recorder *recorder;
    struct fg_device *own_device; /**< of a session without a device; else NULL */
    struct fgi_stream *stream;    /**< takes the diagnostics of the process; else NULL */
    bool has_process;             /**< there is something of them in the capture */
    const struct fg_allocator *allocator;
    uint32_t level; /**< enum fg_cap_level */
    uint32_t flags;
    uint64_t frame_limit;
    uint64_t byte_budget;
    void (*notify)(void *context, const struct fg_session_event *event);
    void *notify_context;
    enum fgi_session_state state;
    enum fg_result result; /**< first failure */

    struct fg_sink sink; /**< where the bytes end */
    struct fg_memory_sink *memory;
    struct fg_file_sink *file;
    struct fgi_flight *flight; /**< the sink is its ring; NULL = not a flight recorder */
    const char *path;
    struct fg_capture_writer *writer;
    int64_t write_ns; /**< spent in the sink */

    struct fgi_arena texts;
    struct fgi_meta_pair *meta;
    size_t meta_count, meta_capacity;
    char **features;
    size_t feature_count, feature_capacity;
    struct fgi_meta_pair *limits;
    size_t limit_count, limit_capacity;

    int64_t start_ns;
    uint64_t frames_taken; /**< begun for this session */
    uint64_t frames_written;
    uint64_t frames_landed;
    uint64_t frames_complete; /**< landed with all their times */
    uint32_t frames_waiting;  /**< begun, and neither landed nor given up */
    uint64_t dropped;
    uint64_t drops[FGI_DROP_REASONS];
    int64_t overhead_ns;
    int64_t cpu_ns;
    bool over_budget;
    bool told_lost;

    struct fgi_map64 thread_tracks; /**< thread number to track id */
    uint32_t thread_count;
    uint32_t next_block;                           /**< id of the next block of spans */
    uint32_t detail_tracks[FGI_DETAIL_TRACKS_MAX]; /**< symbols of their names */
    uint32_t detail_track_count;
    uint32_t *pipeline_symbols; /**< by pipeline id; 0 = not asked for yet */
    size_t pipeline_symbol_capacity;
    struct fgi_known_topology topologies[FGI_TOPOLOGIES_KEPT];
    uint32_t topology_count;           /**< asked for so far: the next one goes to count % kept */
    uint64_t readings[FGI_QUEUES_MAX]; /**< written per clock */
    struct fgi_scratch scratch;
};

/** What a session and its capture belong to: taken by whoever touches them. */
static inline void fgi_session_lock(struct fg_session *session)
{
    fgi_mutex_lock(session->recorder->lock);
}
static inline void fgi_session_unlock(struct fg_session *session)
{
    fgi_mutex_unlock(session->recorder->lock);
}
static inline bool fgi_session_is_running(const struct fg_session *session)
{
    return session->state == FGI_SESSION_RUNNING;
}

/* session.c */
uint32_t fgi_session_wants(const struct fg_session *session);
uint32_t fgi_sessions_running(const struct fgi_recorder *recorder);
/** Whether a frame that begins now belongs to the session; then it must be told when it is gone. */
bool fgi_session_take_frame(struct fg_session *session);
void fgi_session_frame_gone(struct fg_session *session);
/** Stop, with the failure that is the reason (FG_OK: none). */
void fgi_session_halt(struct fg_session *session, enum fg_result result);
void fgi_session_check_limits(struct fg_session *session);
uint64_t fgi_session_bytes_written(const struct fg_session *session);
void fgi_session_notify(struct fg_session *session, enum fg_session_event_kind kind, uint64_t frame,
                        const char *message);
/** Keep the first failure; a failed write halts the session. True when `result` is FG_OK. */
bool fgi_session_ok(struct fg_session *session, enum fg_result result);

/* session_meta.c */
enum fg_result fgi_session_put_meta(struct fg_session *session, const char *key, const char *text);
enum fg_result fgi_session_put_feature(struct fg_session *session, const char *name);
/** What the device says of itself, as long as the caller has not said otherwise. */
void fgi_session_describe_device(struct fg_session *session);
enum fg_result fgi_session_write_meta(struct fg_session *session);
void fgi_session_meta_finish(struct fg_session *session);

/* session_tracks.c */
uint32_t fgi_session_symbol(struct fg_session *session, const char *text, size_t size);
uint32_t fgi_session_thread_track(struct fg_session *session, uint32_t thread);
/** State the track of a thread with its own name ("" = as it is without) and the system's id. */
void fgi_session_name_thread(struct fg_session *session, uint32_t thread, const char *name,
                             uint64_t os_id);
static inline uint32_t fgi_session_queue_track(uint32_t queue)
{
    return queue + 1;
}
uint32_t fgi_session_pipeline_symbol(struct fg_session *session, uint32_t pipeline);
/** Process, clocks and queues: before everything that names them. */
void fgi_session_write_context(struct fg_session *session);
void fgi_sessions_write_clock(struct fgi_recorder *recorder, uint32_t clock);

/* session_topology.c */
/** Id of the frame's topology at the session's level; `again`: the writer has forgotten it. */
uint32_t fgi_session_topology(struct fg_session *session, const struct fg_frame *frame, bool again);

/* session_frame.c */
void fgi_session_write_frame(struct fg_session *session, const struct fg_frame *frame,
                             struct fgi_audience *audience);
void fgi_scratch_finish(const struct fg_allocator *allocator, struct fgi_scratch *scratch);

/* session_loop.c */
void fgi_session_write_loop_frame(struct fg_session *session, const struct fgi_loop_frame *frame);

/* session_gpu.c */
void fgi_session_write_gpu(struct fg_session *session, const struct fg_frame *frame,
                           const struct fgi_audience *audience, bool complete);
/** LOST, to every session that has frames in flight; once. */
void fgi_sessions_write_lost(struct fgi_recorder *recorder);

#endif
