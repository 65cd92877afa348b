/* SPDX-License-Identifier: MIT */
/*
 * A stream: what one session takes of the diagnostics of the process, and what it knows of its
 * capture for that. A stream belongs to `drain`; what it writes, and the fields that say so, to its
 * session's recorder lock, which is taken for one block at a time.
 *
 * Nothing is written before there is something to say: a session of a process that never used the
 * diagnostics has no trace of them in its capture.
 */
#ifndef FGI_STREAM_PRIV_H
#define FGI_STREAM_PRIV_H
#include "record/instrument/instrument_priv.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "record/session_priv.h"

/** Events that are written under one hold of the recorder's lock: so long does a frame wait. */
#define FGI_STREAM_BLOCK_EVENTS 2048u
#define FGI_STREAM_LOOPS        9u /* the process's, and as many more as there may be at once */
#define FGI_STREAM_FRAMES       64u
/** Changes of objects that wait for the next drain, of the whole process. */
#define FGI_STREAM_CHANGES_MAX (1u << 18)

/** A change of an object, or an object that lived at the start; its name is in `texts`. */
struct fgi_object_note {
    struct fg_object_row row; /**< without `name` */
    size_t name_offset;
    size_t name_size;
    uint64_t ticks;
    uint32_t kind; /**< enum fg_cap_resource_event_kind */
};
struct fgi_object_notes {
    const struct fg_allocator *allocator;
    struct fgi_object_note *items;
    size_t count, capacity;
    struct fgi_bytes texts;
    uint64_t first; /**< number of items[0] among all changes */
    uint64_t lost;  /**< that found no memory */
};

/** A zone that is open where the session stopped. */
struct fgi_open_zone {
    const struct fgi_producer *thread; /**< to compare with: it may rename itself meanwhile */
    uint32_t track;
    struct fg_zone_slot slot;
    uint32_t depth;
};

struct fgi_stream {
    struct fg_session *session;
    struct fgi_stream *next;
    uint64_t halt_ticks; /**< what begins later is not the session's; 0 = it runs */
    bool holds_writer;
    bool is_stated; /**< the clock of ticks is in the capture, and so is what hangs on it */

    uint64_t reading_count; /**< of the clock of ticks, written */
    int64_t first_reading_ns;
    int64_t next_reading_ns;
    uint32_t *name_symbols; /**< by number of the name; 0 = not asked for yet */
    size_t name_capacity;
    uint32_t category_symbols[8];
    struct fgi_map64 threads;        /**< number of a context to its track */
    struct fg_cap_block_span *spans; /**< FGI_STREAM_BLOCK_EVENTS + 1 */

    struct fgi_open_zone *open; /**< while it is closed */
    size_t open_count, open_capacity;
    size_t open_lost; /**< found no memory */

    const char *loop_names[FGI_STREAM_LOOPS]; /**< of the loop that has the track */
    uint32_t loop_tracks[FGI_STREAM_LOOPS];
    uint32_t loop_count; /**< tracks given so far */
    struct {
        uint32_t track;
        uint64_t begin_ticks, end_ticks, number;
    } frames[FGI_STREAM_FRAMES]; /**< not written yet */
    uint32_t frame_count;

    uint64_t metric_changes[FG_METRICS_MAX]; /**< the newest one that is in the capture; 0 = none */
    int64_t frame_values[FG_METRICS_MAX];    /**< of frame counters: the last one there */
    uint32_t metric_names[FG_METRICS_MAX];   /**< symbols */
    uint32_t metric_units[FG_METRICS_MAX];
    uint32_t metric_count; /**< stated so far: ids 1 to this */
    bool is_last_look;     /**< the values at the stop were taken */

    struct fgi_object_notes living;     /**< at the start; written with the first change */
    uint64_t first_change;              /**< number of the first that is this session's */
    struct fg_instrument_losses losses; /**< counted so far */
};

/** Whether what ended at `ticks` ended before the session was stopped. */
static inline bool fgi_stream_ends_in_time(const struct fgi_stream *stream, uint64_t ticks)
{
    return stream->halt_ticks == 0 || ticks <= stream->halt_ticks;
}

/* stream.c */
/** Take the recorder's lock to write. False, without the lock: the session writes no more. */
bool fgi_stream_enter(struct fgi_stream *stream);
/** With it: state the clock of ticks when nothing was written before. False: that failed. */
bool fgi_stream_state(struct fgi_stream *stream);
/** Both. */
bool fgi_stream_enter_stated(struct fgi_stream *stream);
void fgi_stream_leave(struct fgi_stream *stream);
/** With the recorder's lock: events that could not be kept. */
void fgi_stream_lost(struct fgi_stream *stream, uint64_t count);
/** Id of the clock of ticks in a capture. */
#define FGI_TICKS_CLOCK (FGI_QUEUES_MAX + 1u)

/* stream_zones.c; with the recorder's lock unless said otherwise */
/** Symbol of a name by its number; 0 for none. */
uint32_t fgi_stream_name(struct fgi_stream *stream, uint32_t name);
/** Without it. */
void fgi_stream_batch(struct fgi_stream *stream, const struct fgi_batch *batch);
/** Without it: note what is open in all threads, then write it. */
void fgi_stream_note_open(struct fgi_stream *stream);
void fgi_stream_write_open(struct fgi_stream *stream);
void fgi_stream_write_frames(struct fgi_stream *stream);
/** One block, sorted here; `count` is at least 1. */
bool fgi_stream_put(struct fgi_stream *stream, uint32_t track, size_t count);
/** Id of the loop's track, stated at its first use; FG_CAP_NONE when that failed. */
uint32_t fgi_stream_loop_track(struct fgi_stream *stream, uint32_t loop, const char *name);
/** Keep a frame of a loop as a span; written with the next flush. */
void fgi_stream_keep_frame(struct fgi_stream *stream, const struct fgi_frame_report *report);

/* stream_metrics.c */
/** Look at all metrics, for every stream; not more often than once a millisecond unless told. */
void fgi_stream_look(bool is_due);
/** With the recorder's lock: what changed since the last time. */
void fgi_stream_write_metrics(struct fgi_stream *stream);
/** Without it: values of frame counters, for a session whose frames are a device's. */
void fgi_stream_frame_values(struct fgi_stream *stream, const struct fgi_frame_report *report);
/** Without it: the frame of a session that has no device. */
void fgi_stream_loop_frame(struct fgi_stream *stream, const struct fgi_frame_report *report);

/* stream_objects.c */
void fgi_stream_listen(struct fgi_stream *stream);
void fgi_stream_unlisten(void);
/** Take over all changes of the process; they are lent until the next call. */
const struct fgi_object_notes *fgi_stream_changes(void);
/** With the recorder's lock. */
void fgi_stream_write_objects(struct fgi_stream *stream, const struct fgi_object_notes *changes);
bool fgi_stream_has_objects(const struct fgi_stream *stream,
                            const struct fgi_object_notes *changes);

/* writer_thread.c: not under `drain` */
/** One session more or less; the thread is there while one is, if the options ask for it. */
FG_MUST_USE enum fg_result fgi_writer_hold(bool *out_is_held);
/** Only what was held. */
void fgi_writer_release(void);

#endif
