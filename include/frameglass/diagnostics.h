/* SPDX-License-Identifier: MIT */
/*
 * The diagnostics of this process: how much is kept, what was counted, what happened, what lives.
 * instrument.h is what fills it. Everything here may be called from any thread at any time, does
 * nothing in a fork's child, and fails quietly: results say what happened, nothing aborts.
 *
 * A library that was built at level OFF has all of these functions; they answer with the modes and
 * nothing else.
 */
#ifndef FG_DIAGNOSTICS_H
#define FG_DIAGNOSTICS_H
#include <frameglass/capture_cnatrace.h>
FG_BEGIN_DECLS

enum fg_instrument_mode {
    FG_INSTRUMENT_OFF = 0,   /**< nothing is counted or kept */
    FG_INSTRUMENT_STATS = 1, /**< metrics, frames, resources */
    FG_INSTRUMENT_FULL = 2,  /**< and zones, markers, events */
};

/* ---- modes and memory ------------------------------------------------------------------------ */

enum fg_instrument_clock {
    FG_INSTRUMENT_CLOCK_BEST = 0,      /**< the processor's counter where it is invariant */
    FG_INSTRUMENT_CLOCK_MONOTONIC = 1, /**< CLOCK_MONOTONIC, always */
};

/** Zero is every field's default. */
struct fg_instrument_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the process's diagnostics */
    uint32_t ring_events;      /**< of one thread, rounded up to a power of two; 0 = 4096 */
    uint32_t history_events;   /**< kept for fg_instrument_read_events(); 0 = 32768 */
    uint64_t memory_max_bytes; /**< of all rings and contexts together; 0 = 8 MiB. As room gets
                                  short rings get smaller, down to 256 events; a thread that finds
                                  none keeps no events, and what it loses is counted */
    int64_t writer_period_ns;  /**< 0 = rings are emptied at the ends of frames; otherwise also by a
                                    thread of ours, this often */
    enum fg_instrument_clock clock;
};
/**
 * Before anything else of the diagnostics is used; without it the defaults hold.
 * FG_OK, FG_ERR_STATE (in use already), FG_ERR_ARGUMENT, FG_ERR_NO_MEMORY, FG_ERR_UNSUPPORTED
 */
FG_API enum fg_result fg_instrument_configure(const struct fg_instrument_options *options);

/** What the library was built for. */
FG_API enum fg_instrument_mode fg_instrument_build_mode(void);
FG_API enum fg_instrument_mode fg_instrument_mode(void);
/**
 * Lower it, or raise it again up to the build's. Every change begins a new generation: zones that
 * are open then are given up. False: above the build's mode, or not a mode; nothing changes.
 */
FG_API bool fg_instrument_set_mode(enum fg_instrument_mode mode);
/** Bytes that the diagnostics own now: fixed state plus a context for each live thread; no less. */
FG_API uint64_t fg_instrument_owned_bytes(void);
/** Name of the calling thread, for tracks; NULL = as the operating system calls it. */
FG_API void fg_thread_set_name(const char *name);
/** Empty all rings now into the history, the recordings and the sessions. */
FG_API void fg_instrument_drain(void);

/* ---- what was counted ------------------------------------------------------------------------ */

enum fg_metric_kind {
    FG_METRIC_COUNTER = 0,       /**< only adds up */
    FG_METRIC_GAUGE = 1,         /**< the last value */
    FG_METRIC_FRAME_COUNTER = 2, /**< begins at 0 with every frame */
};
enum fg_accuracy {
    FG_ACCURACY_EXACT = 0,
    FG_ACCURACY_ESTIMATED = 1,
    FG_ACCURACY_UNAVAILABLE = 2,
};

/** What was lost, since the process began. A reader shows at least the first six. */
struct fg_instrument_losses {
    uint64_t producer_drops;       /**< events that found their ring full, or no ring */
    uint64_t overwritten;          /**< events that left the history unread by anybody */
    uint64_t dropped_before_start; /**< of producer_drops: before the oldest event in the history */
    uint64_t malformed_zones;
    uint64_t malformed_frames;
    uint64_t source_failures;
    uint64_t refused_metrics;         /**< registrations that got an inert handle */
    uint64_t frame_counters_left_out; /**< values that found no room in the frame history */
    uint64_t refused_objects;         /**< live resources that found no memory */
};

struct fg_metric_row {
    uint32_t id;      /**< from 1, never reused */
    const char *name; /**< lent until the snapshot is freed; UTF-8 */
    enum fg_metric_kind kind;
    uint32_t unit; /**< enum fg_unit */
    enum fg_accuracy accuracy;
    bool is_published; /**< false: never set or added to: its value is not known */
    int64_t value;     /**< of a frame counter: in the last complete frame */
};

#define FG_HISTORY_FRAMES         240
#define FG_HISTORY_FRAME_COUNTERS 64

struct fg_frame_value {
    uint32_t metric; /**< id */
    int64_t value;
};
/** One complete frame of the process's own domain. */
struct fg_loop_row {
    uint64_t number;
    int64_t begin_ns;      /**< CLOCK_MONOTONIC */
    int64_t duration_ns;   /**< with everything: pacing, events, present, collection */
    int64_t work_ns;       /**< without what fg_loop_waited() reported */
    int64_t collection_ns; /**< part of it that the sources took */
    double fps;            /**< 1e9 / duration_ns */
    uint32_t value_count;
    struct fg_frame_value values[FG_HISTORY_FRAME_COUNTERS];
};

struct fg_object_row {
    uint64_t id;
    const char *name; /**< "" = none */
    const char *type; /**< "texture 2d", ... */
    uint32_t kind;    /**< enum fg_object_type */
    uint64_t size_bytes;
    enum fg_accuracy accuracy;
    uint32_t format;                                       /**< VkFormat; 0 = not said */
    uint32_t width, height, depth, mip_count, layer_count; /**< 0 = not said */
};

enum fg_snapshot_parts {
    FG_SNAPSHOT_METRICS = 1u << 0,
    FG_SNAPSHOT_FRAMES = 1u << 1,
    FG_SNAPSHOT_OBJECTS = 1u << 2,
};
/**
 * Owned copies; sections may be of different instants, each one is consistent in itself. Sinks that
 * a session writes to may count, but take no snapshot; an allocator gets the modes only.
 */
struct fg_snapshot {
    enum fg_instrument_mode build_mode, mode;
    struct fg_instrument_losses losses;
    const struct fg_metric_row *metrics;
    size_t metric_count;
    const struct fg_loop_row *frames; /**< oldest first */
    size_t frame_count;
    const struct fg_object_row *objects;
    size_t object_row_count;
    uint64_t object_count;       /**< all that live, whichever parts were asked for */
    uint64_t object_total_bytes; /**< saturates */
};
/**
 * @param parts bits of enum fg_snapshot_parts; 0 = metrics and frames
 * @param out_snapshot owned: fg_snapshot_free(); untouched on failure
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_snapshot_take(uint32_t parts,
                                                   struct fg_snapshot **out_snapshot);
/** NULL is legal. */
FG_API void fg_snapshot_free(struct fg_snapshot *snapshot);

/* ---- what happened --------------------------------------------------------------------------- */

struct fg_process_event_page {
    size_t event_count; /**< written to `events` */
    uint64_t oldest;    /**< sequence of the oldest event in the history; 0 = it is empty */
    uint64_t newest;
    uint64_t gap;            /**< events after the cursor that were overwritten unread */
    uint64_t producer_drops; /**< so far */
};
/**
 * The events after a sequence number that are in the history, in order, at most `capacity`.
 * A cursor at or past the newest gets none, and no gap.
 */
FG_API void fg_instrument_read_events(uint64_t after, struct fg_process_event *events,
                                      size_t capacity, struct fg_process_event_page *out_page);
/** Text of a name's number; "" for 0 and for unknown ones. Lent for ever. */
FG_API const char *fg_instrument_name(uint32_t name);

/* ---- recordings: a piece of the history, in memory ---- */

/** Inactive when zero. Consumed by fg_recording_stop(). Not to be copied. */
struct fg_recording {
    uint32_t slot; /**< 0 = inactive */
    uint32_t serial;
};
/**
 * Keep what happens from now on, at most the newest `maximum` events (32,768 at most). Inactive
 * when the mode is not FULL or maximum is 0. Several may run at once.
 */
FG_API struct fg_recording fg_recording_start(uint32_t maximum);
static inline bool fg_recording_is_active(const struct fg_recording *recording)
{
    return recording->slot != 0;
}
/**
 * End it; `recording` is inactive then, whatever came of it.
 *
 * @param out_trace owned: fg_cnatrace_free(); its events and every name; untouched on failure
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_STATE (inactive, or stopped before), FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_recording_stop(struct fg_recording *recording,
                                                    struct fg_cnatrace **out_trace);

FG_END_DECLS
#endif
