/* SPDX-License-Identifier: MIT */
/*
 * The flight recorder from inside. The ring and the triggers belong to the session's lock; requests
 * and counts to `lock`, which may be taken under the session's and is never held across a call out
 * of these files. A dump is written under neither: the ring is copied in slices, each under the
 * session's lock for as long as it takes to copy 256 KiB.
 */
#ifndef FGI_FLIGHT_PRIV_H
#define FGI_FLIGHT_PRIV_H
#include "base/crash.h"
#include "base/thread.h"
#include "record/flight_format.h"
#include "record/flight_ring.h"
#include "record/session_priv.h"
#include <frameglass/flight.h>

#define FGI_FLIGHT_SCRATCH_BYTES (64u << 10)

/** What a dump is about. */
struct fgi_flight_request {
    enum fg_flight_cause cause;
    uint64_t frame; /**< FG_CAP_UNKNOWN = none yet */
    int64_t ticks;  /**< of the host's clock */
    char reason[FGI_FLIGHT_REASON_BYTES];
};

/** Times of one side of the newest frames. */
struct fgi_flight_times {
    int64_t *newest; /**< a ring of options.frames */
    int64_t *sorted;
    uint32_t count;
    uint32_t next;
};
enum { FGI_FLIGHT_CPU, FGI_FLIGHT_GPU, FGI_FLIGHT_SIDES };

struct fgi_flight_watched {
    struct fg_flight_metric metric;
    bool has_last;
    int64_t last;
};

/** What the signal handler needs, made ready before it may run. */
struct fgi_flight_crash {
    struct fgi_crash_watch watch;
    bool is_watching;
    atomic_bool is_done; /**< one dump of a crash in a session */
    uint32_t process;
    bool clock_is_monotonic; /**< the host's clock may be read in a handler */
    uint64_t budget_bytes;   /**< most that the file may have */
    char *path;              /**< the folder and '/', with room for a name */
    size_t folder_size;
    uint8_t *scratch; /**< FGI_FLIGHT_SCRATCH_BYTES */
};

struct fgi_flight {
    struct fg_session *session;
    const struct fg_allocator *allocator;
    struct fgi_arena texts;
    struct fg_flight_options options; /**< defaults filled in, texts copied */

    /* with the session's lock */
    struct fgi_ring ring;
    struct fgi_flight_times times[FGI_FLIGHT_SIDES];
    struct fgi_flight_watched watched[FG_FLIGHT_METRICS_MAX];
    uint64_t newest_frame; /**< FG_CAP_UNKNOWN = none yet */

    struct fgi_mutex *lock; /**< guards what follows */
    struct fgi_flight_request request;
    bool is_pending;  /**< `request` waits for its window, or is being written */
    bool is_ready;    /**< its window is over */
    bool is_writing;  /**< somebody writes a dump */
    bool is_stopping; /**< the thread shall end */
    uint32_t frames_left;
    int64_t due_ns;   /**< host clock */
    int64_t heard_ns; /**< monotonic clock: of the newest frame */
    bool has_triggered;
    int64_t triggered_ns;
    struct fg_flight_status counts;
    _Atomic uint64_t number; /**< of the newest dump; a signal handler takes the next */
    struct fgi_thread *thread;
    char *path; /**< of the dump being written; its writer's */

    struct fgi_flight_crash crash;
};

/* flight.c: called by the session */
/** For a new session. FG_OK, FG_ERR_ARGUMENT, FG_ERR_NO_MEMORY */
FG_MUST_USE enum fg_result fgi_flight_create(struct fg_session *session,
                                             const struct fg_flight_options *options,
                                             struct fgi_flight **out_flight,
                                             struct fg_sink *out_sink);
/** Without locks: a dump that is waited for is written first. NULL is legal. */
void fgi_flight_destroy(struct fgi_flight *flight);
/** How the session's writer shall cut its sections. NULL is legal. */
void fgi_flight_adjust(const struct fgi_flight *flight, struct fg_capture_writer_options *options);
/**
 * META is in the ring. With the session's lock.
 * FG_OK, FG_ERR_NO_MEMORY, FG_ERR_IO, FG_ERR_LIMIT
 */
FG_MUST_USE enum fg_result fgi_flight_start(struct fgi_flight *flight);
/** The recording is over: no crash is ours now. Waits for dumps; without locks. NULL is legal. */
void fgi_flight_finish(struct fgi_flight *flight);

/* flight_trigger.c: with the session's lock; a session without a ring is legal */
/** FG_OK, FG_ERR_NO_MEMORY */
FG_MUST_USE enum fg_result fgi_flight_triggers_init(struct fgi_flight *flight);
void fgi_flight_triggers_finish(struct fgi_flight *flight);
/** A frame's CPU side is in the capture. */
void fgi_flight_frame(struct fg_session *session, uint64_t frame, int64_t duration_ns);
/** A metric or a counter of a frame has this value now. */
void fgi_flight_value(struct fg_session *session, const char *name, int64_t value);
/** A frame of a device: the same, with its counters. */
void fgi_flight_device_frame(struct fg_session *session, uint64_t number,
                             const struct fg_frame *frame);
/** Its GPU times have come. */
void fgi_flight_landed(struct fg_session *session, uint64_t number, const struct fg_frame *frame);

/* flight_dump.c: without locks, while `is_writing` is set by the caller */
/** Write a dump and count it. */
enum fg_result fgi_flight_write(struct fgi_flight *flight,
                                const struct fgi_flight_request *request);
/** The ring as a closed capture. */
enum fg_result fgi_flight_snapshot(struct fgi_flight *flight, const struct fg_sink *sink);

/* flight_quota.c */
/**
 * Remove old dumps until `size_bytes` more fit.
 * FG_OK, FG_ERR_LIMIT, FG_ERR_NO_MEMORY, FG_ERR_IO
 */
FG_MUST_USE enum fg_result fgi_flight_make_room(struct fgi_flight *flight, uint64_t size_bytes);

/* flight_crash.c */
/** In the signal handler. `context` is the struct fgi_flight. */
void fgi_flight_crashed(void *context, const struct fgi_crash *crash);

#endif
