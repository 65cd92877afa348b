/* SPDX-License-Identifier: MIT */
/*
 * The flight recorder: a session that keeps only its newest part, in a ring of memory, and writes
 * it out as an ordinary capture when something happens.
 *
 *     const struct fg_flight_options flight = {
 *         .folder = "dumps", .frame_ns = 33000000, .signals = FG_FLIGHT_ALL_SIGNALS,
 *     };
 *     fg_session_create(device, FG_SESSION_OPTIONS(.flight = &flight), &session);
 *     fg_session_start(session);              from here on as any session
 *     fg_flight_dump(session, "the player pressed F9");
 *
 * The ring forgets whole sections of the capture (docs/FORMAT.md, section 8), the oldest first, so
 * that what is left can always be read. fg_session_snapshot() gives it at any time.
 *
 * A dump at a crash is written by the signal handler itself, with nothing but what a handler may
 * call; then the handler that was there before runs. docs/DIAGNOSTICS.md says what it holds, and
 * what to know about stacks and about programs with handlers of their own.
 */
#ifndef FG_FLIGHT_H
#define FG_FLIGHT_H
#include <frameglass/session.h>
FG_BEGIN_DECLS

/** What made a dump, or would have. */
enum fg_flight_cause {
    FG_FLIGHT_CALLED = 0,     /**< fg_flight_dump() */
    FG_FLIGHT_FRAME = 1,      /**< a frame took longer than `frame_ns` */
    FG_FLIGHT_PERCENTILE = 2, /**< a frame took longer than the percentile allows */
    FG_FLIGHT_METRIC = 3,     /**< a value was crossed */
    FG_FLIGHT_SIGNAL = 4,
};

enum fg_flight_signals {
    FG_FLIGHT_SEGV = 1u << 0,
    FG_FLIGHT_BUS = 1u << 1,
    FG_FLIGHT_ABRT = 1u << 2,
    FG_FLIGHT_ILL = 1u << 3,
    FG_FLIGHT_FPE = 1u << 4,
    FG_FLIGHT_ALL_SIGNALS = 0x1f,
};

enum fg_flight_edge {
    FG_FLIGHT_RISES = 0, /**< from below the value to it or above */
    FG_FLIGHT_FALLS = 1, /**< from above the value to it or below */
};

/** A dump when a number crosses a value. It is looked at when frames end. */
struct fg_flight_metric {
    const char *name; /**< a metric of the process, or a counter of the frames */
    enum fg_flight_edge edge;
    int64_t value;
};
#define FG_FLIGHT_METRICS_MAX 16

/** Told to whoever takes dumps, and in the events of the session. Borrowed for the call. */
struct fg_flight_dump_info {
    enum fg_flight_cause cause;
    uint64_t number;    /**< of the dump in its session, from 1 */
    uint64_t frame;     /**< the newest one when it was triggered; FG_CAP_UNKNOWN = none yet */
    const char *reason; /**< one line for a person; it is a note in the dump, too */
};

/** Takes dumps in place of a folder. Called from the thread that writes them, one at a time. */
struct fg_flight_target {
    /** Where this dump goes. FG_OK, or why not: then there is none, and it counts as failed. */
    enum fg_result (*open)(void *context, const struct fg_flight_dump_info *info,
                           struct fg_sink *out_sink);
    /** After every open() that was FG_OK. `result` is not FG_OK: the dump is not whole. */
    void (*close)(void *context, const struct fg_sink *sink, enum fg_result result);
    void *context;
};

/** Zero is every field's default. Borrowed for the call; texts and lists are copied. */
struct fg_flight_options {
    uint64_t ring_bytes; /**< kept at most; 0 = 16 MiB; at least 256 KiB, at most 1 GiB */
    int64_t ring_ns;     /**< and forget what is older, in steps of an eighth; 0 = as bytes allow */

    const char *folder; /**< dumps become files there; it must exist */
    /**
     * Their names: {time} is the UTC time as 20261130T024632Z, {process} the process's id, {number}
     * (required) the dump's number, {cause} one of call, frame, percentile, metric, signal.
     * NULL = "flight-{time}-{process}-{number}.sgpt". No '/'.
     */
    const char *pattern;
    const struct fg_flight_target *target; /**< or they go here: one of the two, or none */

    int64_t frame_ns;  /**< a frame whose CPU or GPU side takes longer; 0 = off */
    double percentile; /**< over 0, under 100: off = 0. A frame that takes more than ... */
    double factor;     /**< ... so many times this percentile of the frames before; 0 = 1.5 */
    uint32_t frames;   /**< of how many, and judged only after so many; 0 = 240; at most 1024 */
    const struct fg_flight_metric *metrics;
    size_t metric_count;
    uint32_t signals; /**< enum fg_flight_signals; they need a folder */

    int64_t after_ns; /**< what follows the trigger belongs to the dump: so long, ... */
    /**
     * ... and so many frames; 0 = 4: the GPU times of the frame itself come that late. Frames that
     * do not come for five seconds are not waited for. Not for calls and signals.
     */
    uint32_t after_frames;
    int64_t distance_ns; /**< least time between two triggers; 0 = 10 s. Not for calls, signals */
    /**
     * Most bytes of dumps in the folder; those that the pattern fits count, the oldest go first.
     * Room for a crash is part of it. At least four times the ring; 0 = that, or 1 GiB if more.
     */
    uint64_t quota_bytes;
};

struct fg_flight_status {
    uint64_t kept_bytes; /**< in the ring now */
    uint64_t kept_sections;
    uint64_t forgotten_bytes;    /**< written to the ring once, and gone by now */
    uint64_t overflows;          /**< sections that alone were larger than the ring */
    uint64_t triggers;           /**< of all causes but calls and signals */
    uint64_t written;            /**< whole dumps */
    uint64_t written_bytes;      /**< of these */
    uint64_t failed;             /**< dumps that were begun, or should have been, and are not */
    uint64_t refused_distance;   /**< triggers too soon after the one before */
    uint64_t refused_busy;       /**< triggers while a dump was waited for or written */
    uint64_t refused_quota;      /**< dumps for which there is no room within the quota */
    uint64_t removed;            /**< old dumps that went to keep the quota */
    bool pending;                /**< a dump is waited for or written */
    enum fg_result last_failure; /**< of the newest that failed or was refused by the quota */
};

/**
 * Write a dump now: complete when this returns.
 *
 * @param reason one line for a person; NULL = none
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_STATE (not a session with a ring and a folder or target,
 *         never started, a fork's child); FG_ERR_LIMIT (the quota has no room); FG_ERR_NO_MEMORY;
 *         FG_ERR_IO; what the target's open() or its sink returns
 *
 * Threads: any, without the device's lock (not from `notify`).
 */
FG_API enum fg_result fg_flight_dump(struct fg_session *session, const char *reason);
/** Wait until no dump is waited for or written; false: the time was up. Threads: any. */
FG_API bool fg_flight_wait(struct fg_session *session, int64_t timeout_ns);
/** All zero for a session without a ring. Threads: any. */
FG_API void fg_flight_get_status(struct fg_session *session, struct fg_flight_status *out_status);

FG_END_DECLS
#endif
