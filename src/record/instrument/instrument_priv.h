/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder share: the diagnostics of the process, from a thread's ring to
 * those who take what comes out of it.
 *
 *     thread rings --drain--> batches --> history (provider, recordings)
 *                                    \--> streams (sessions)
 *
 * Locks, outermost first: `drain` (emptying rings, telling consumers of a frame), then
 * `threads` (the list of contexts), then a device's recorder lock, then `metrics`, `names`,
 * `objects`, `history`, `writer`, each taken alone and never while another of these five is held.
 * Sources run under none: who may call the application back holds nothing. State is static and
 * never freed, so that it outlives every thread's exit.
 */
#ifndef FGI_INSTRUMENT_PRIV_H
#define FGI_INSTRUMENT_PRIV_H
#include "base/alloc.h"
#include "base/thread.h"
#include <frameglass/instrument.h>

#ifndef FG_LIBRARY_LEVEL
#error "FG_LIBRARY_LEVEL is set by the build: 0 OFF, 1 STATS, 2 FULL"
#endif

/* ---- modes.c, state.c: modes, options, locks ---- */

static inline enum fg_instrument_mode fgi_state_mode(uint32_t state)
{
    return (enum fg_instrument_mode)(state & 3u);
}
/** The mode is OFF from now on, for good: in a fork's child. */
void fgi_mode_end(void);
/** The options with their defaults filled in; the first call decides that they hold. */
const struct fg_instrument_options *fgi_instrument_options(void);
const struct fg_allocator *fgi_instrument_allocator(void);
#define FGI_RING_EVENTS_MIN 256u /* of the options, and where memory is short */
/** True when the locks are there and this process is not a fork's child. Cheap. */
bool fgi_instrument_ready(void);
extern struct fgi_mutex *fgi_drain_lock, *fgi_threads_lock, *fgi_metrics_lock, *fgi_names_lock,
    *fgi_objects_lock, *fgi_history_lock, *fgi_writer_lock;
/** Each field is only ever added to, relaxed. */
extern struct fg_instrument_losses fgi_losses;
static inline void fgi_loss_add(uint64_t *counter, uint64_t amount)
{
    (void)__atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

/* ---- ticks.c: the clock of zones ---- */

/** Ticks now, of the clock that fgi_ticks_clock() describes. Any thread, signal handlers too. */
uint64_t fgi_ticks_now(void);
/** CLOCK_MONOTONIC of a tick value, by the newest calibration. */
int64_t fgi_ticks_monotonic_ns(uint64_t ticks);
/** True: ticks are the processor's counter. */
bool fgi_ticks_are_counted(void);
/** Choose the clock; called once. */
void fgi_ticks_start(enum fg_instrument_clock wanted);
/** A paired reading. */
struct fgi_ticks_reading {
    uint64_t ticks;
    int64_t monotonic_ns;
    int64_t deviation_ns;
};
/** Take one now. */
struct fgi_ticks_reading fgi_ticks_calibrate(void);
/** Take one if the last is a tenth of a second ago; called whenever rings are emptied. */
void fgi_ticks_keep(void);
struct fgi_ticks_clock {
    bool is_counter; /**< the processor's; otherwise ticks are CLOCK_MONOTONIC in ns */
    uint64_t period_num, period_den; /**< ns per tick over the whole run; 32 bits each */
    uint32_t reading_count;          /**< so far */
};
struct fgi_ticks_clock fgi_ticks_clock(void);

/* ---- names.c ---- */

/** Number of a name, made now when it is new; repaired to UTF-8; 0 = refused. */
uint32_t fgi_name_register(const char *text, size_t size);
uint32_t fgi_name_count(void); /**< with name 0, the empty one */
/** Lent for ever, terminated; "" for unknown ones. Signal handlers too. */
const char *fgi_name_text(uint32_t name, size_t *out_size);

/* ---- threads.c: contexts ---- */

/** A thread that writes: what belongs to it beside what its hot path touches. */
struct fgi_producer {
    struct fg_thread_context context; /**< first */
    struct fgi_producer *next;        /**< in the list of the living */
    uint64_t tail;                    /**< events taken out of the ring; belongs to `drain` */
    uint64_t dropped;       /**< events that found no room, so far; counted with release */
    uint64_t dropped_taken; /**< of these, told to consumers; belongs to `drain` */
    uint64_t dropped_ticks; /**< when the newest of them was lost; relaxed */
    uint64_t os_id;
    uint32_t number; /**< fgi_thread_number() of it: tracks of sessions go by that */
    char name[64];   /**< guarded by `threads` */
};
/** The calling thread's, made when it has none; NULL: no room, or the mode is OFF. */
struct fgi_producer *fgi_thread_own(void);
/** FG_OK, FG_ERR_LIMIT. May be called again. */
FG_MUST_USE enum fg_result fgi_threads_start(void);
uint64_t fgi_threads_fixed_bytes(void);
/** Call for each living thread. Takes `threads`. */
void fgi_threads_each(void (*visit)(void *context, struct fgi_producer *thread), void *context);
/** What threads that are gone added to a counter. With `threads` held (from within a visit). */
int64_t fgi_threads_retired(uint32_t metric_slot);
/** First thread of the list; next by `next`. With `threads` held, or after a freeze. */
struct fgi_producer *fgi_threads_first_unlocked(void);
/** For the signal handler of a process that dies: from here on no context is freed. */
void fgi_threads_freeze(void);
/**
 * The zones that a thread has open, outermost first, while it may go on: all of one moment. Signal
 * handlers too.
 *
 * @param open room for FG_ZONE_DEPTH_MAX
 * @return how many; 0 also when the thread was too quick to be seen
 */
uint32_t fgi_thread_open_zones(const struct fgi_producer *thread, struct fg_zone_slot *open);
/** Write an event of the calling thread; counted as lost where there is no room. */
void fgi_thread_write(const struct fg_ring_event *event);
/** The same, of now and within the zones that are open. Only while the mode is FULL. */
void fgi_ring_write(enum fg_ring_kind kind, uint32_t label, uint64_t value);

/* ---- zones.c --------------------------------------------------------------------------------- */

/** The calling thread ends: so do its open zones, by force, each counted as malformed. */
void fgi_zones_end_by_force(void);

/* ---- drain.c ---- */

/** What one thread wrote since it was last asked, in order. Lent for the call. */
struct fgi_batch {
    struct fgi_producer *thread;
    const struct fg_ring_event *pieces[2]; /**< a ring has two ends */
    size_t piece_counts[2];
    uint64_t lost;       /**< events after these that found no room */
    uint64_t lost_ticks; /**< when the newest of them was */
};
/**
 * Take `drain`. False: not ready, or the calling thread has it already (a source or a sink calls
 * back): then it was not taken, and nothing is to be done.
 */
bool fgi_drain_enter(void);
/** The calling thread has `drain`, perhaps `threads` too: a sink that it writes to calls back. */
bool fgi_drain_is_mine(void);
void fgi_drain_leave(void);
/** Empty every ring into the consumers. Takes `drain`; nothing is done where that is refused. */
void fgi_drain(void);
/** The same, for those who hold `drain`. */
void fgi_drain_locked(void);
/** At the end of a device's frame: fgi_drain(), unless the writer thread does it anyway. */
void fgi_drain_soon(void);
/** One thread that is ending: with its losses. For those who hold `drain`. */
void fgi_drain_thread(struct fgi_producer *thread);

/* ---- frames.c ---- */

/** A frame that is complete. Lent for the call. */
struct fgi_frame_report {
    uint32_t loop;         /**< 0 = the process's own; 1 to FG_LOOPS_MAX: a slot, used again */
    const char *loop_name; /**< lent for ever; another one when the slot was used again */
    uint64_t number;
    uint64_t begin_ticks, end_ticks;
    uint32_t thread;               /**< that ended it: of its context; 0 = it has none */
    uint32_t thread_number;        /**< the same by fgi_thread_number() */
    const struct fg_loop_row *row; /**< durations and values */
};
/** Number of the process's frame in which something at `ticks` was; 0 = before the first. */
uint64_t fgi_frame_number_at(uint64_t ticks);

/* ---- process_metrics.c ---- */

/** A metric as it is now. */
struct fgi_metric_view {
    struct fg_metric_row row; /**< value: of frame counters the last complete frame's */
    uint64_t change; /**< goes up when the row is found changed, from 1; 0 = never published */
};
/** Call for each metric, ascending by id. No lock is held during the calls. */
void fgi_metrics_each(void (*visit)(void *context, const struct fgi_metric_view *metric),
                      void *context);

/* ---- history.c; all under `drain` ---- */

void fgi_history_take(const struct fgi_batch *batch);
/** Nothing is done below FULL. */
void fgi_history_frame(const struct fgi_frame_report *report);

/* ---- process_objects.c ---- */

/**
 * Call for each live object, ascending by id, then once with NULL; all under `objects`, so `visit`
 * may only queue. fgi_streams_object() is called under `objects` too: what it is told after the
 * NULL is exactly what changed since.
 */
void fgi_objects_each(void (*visit)(void *context, const struct fg_object_row *row), void *context);

/* ---- writer_thread.c: the optional thread that empties the rings. Not for level OFF ---- */

/** It is there. */
bool fgi_writer_runs(void);
/** Leave it a frame that ended. False: it is not there, or has no room. */
bool fgi_writer_takes(const struct fgi_frame_report *report);
/** Around what a drain does, under `drain`: consumers are told of the frames that were left. */
void fgi_writer_begin_reports(void);
void fgi_writer_end_reports(void);

/*
 * ---- stream.c: sessions that take what the process says of itself ----
 *
 * Under `drain`, except for fgi_streams_object(), which any thread calls and which only queues.
 */

/** A change of a resource, as consumers get it. Lent for the call. */
struct fgi_object_change {
    uint32_t kind; /**< enum fg_cap_resource_event_kind */
    uint64_t ticks;
    const struct fg_object_row *row;
};

struct fg_session;
/**
 * The session gets everything from now on, and what lives now.
 * FG_OK, FG_ERR_NO_MEMORY, FG_ERR_STATE (it has a stream, or it is called by what a stream calls)
 */
FG_MUST_USE enum fg_result fgi_stream_open(struct fg_session *session);
/** With the recorder's lock: the session has stopped; what begins later is not its own. */
void fgi_stream_halted(struct fg_session *session);
/** Nothing of the session is touched after it returns; what was written by now is in it. */
void fgi_stream_close(struct fg_session *session);
void fgi_streams_take(const struct fgi_batch *batch);
/** Whether some session takes what is drained now. */
bool fgi_streams_are_open(void);
void fgi_streams_frame(const struct fgi_frame_report *report);
/** After all batches of a drain: metrics that changed, resource changes, readings; flush. */
void fgi_streams_flush(void);
void fgi_streams_object(const struct fgi_object_change *change);

#endif
