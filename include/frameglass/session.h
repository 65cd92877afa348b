/* SPDX-License-Identifier: MIT */
/*
 * Recording: a session turns the frames of a device into one capture.
 *
 *     struct fg_device *device = ...;                 gpu_vulkan.h, gpu_opengl.h, gpu_software.h
 *     fg_session_create(device, NULL, &session);      options: NULL = all defaults
 *     fg_session_start(session);
 *     each frame:
 *         frame = fg_frame_begin(device);             NULL when nobody records: all of it is off
 *         commands = fg_commands_begin(frame, ...);   gpu.h: passes, draws, dispatches
 *         fg_commands_end(commands);
 *         fg_frame_submit(frame, ...);                around the native submit
 *         fg_frame_end(frame);
 *     fg_session_stop(session);                       at once
 *     fg_session_finish(session, 1000000000);         the last frames' GPU times, up to a second
 *     fg_session_bytes(session, &size);
 *     fg_session_destroy(session);
 *
 * An application keeps one nullable device; sessions come and go without touching it. Several
 * sessions may record one device at once, each at its own level.
 *
 * What the process says of itself (instrument.h: zones, markers, metrics, frames, live resources of
 * all threads) goes into the same capture, when frames end, from the start of the session to its
 * stop. Zones that are open at the stop are kept as unfinished.
 */
#ifndef FG_SESSION_H
#define FG_SESSION_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_commands;
struct fg_device;
struct fg_flight_options;
struct fg_frame;
struct fg_session;

/** How much is kept. The stored level is one less: 0 timing ... 3 verbose. */
enum fg_level {
    FG_LEVEL_DEFAULT = 0,   /**< workload */
    FG_LEVEL_TIMING = 1,    /**< spans and frames, with labels, kinds and order */
    FG_LEVEL_STRUCTURE = 2, /**< and the graph: passes, resources, edges, cull state */
    FG_LEVEL_WORKLOAD = 3,  /**< and draws, dispatches, pipelines, attachments */
    FG_LEVEL_VERBOSE = 4,   /**< and bindings */
};

/** Maxima of what a device's recorder holds; part of the options of each device. Zero = default. */
struct fg_recorder_limits {
    uint32_t passes;       /**< timed passes per command buffer; 0 = 1024 (2048 timestamps) */
    uint32_t passes_max;   /**< recorded passes per command buffer, timed or not; 0 = 16384 */
    uint32_t work_max;     /**< draws and dispatches per command buffer; 0 = 262144 */
    uint32_t text_max;     /**< bytes of labels per command buffer; 0 = 1 MiB */
    uint32_t commands_max; /**< command buffers per frame; 0 = 256 */
    uint32_t frames_max;   /**< frames whose results are waited for; then given up; 0 = 16 */
};

enum fg_session_event_kind {
    FG_SESSION_FRAME_WRITTEN = 1, /**< the CPU side of a frame is in the capture */
    FG_SESSION_FRAME_LANDED = 2,  /**< its GPU times are, too, or were given up */
    FG_SESSION_OVER_BUDGET = 3,   /**< byte_budget was crossed; told once; recording goes on */
    FG_SESSION_FAILED = 4,        /**< nothing more can be written: `result` says why */
    FG_SESSION_DEVICE_LOST = 5,
    FG_SESSION_STOPPED = 6, /**< by fg_session_stop(), the frame limit, or a failure */
    FG_SESSION_DUMPED = 7,  /**< flight.h: a dump is written (`message`: where), or it failed */
};

/** Borrowed for the call. */
struct fg_session_event {
    enum fg_session_event_kind kind;
    enum fg_result result;
    uint64_t frame;         /**< the session's frame number, from 0 */
    uint64_t bytes_written; /**< so far */
    enum fg_level level;
    uint64_t bytes_per_second; /**< observed so far, in the capture's own time */
    const char *message;       /**< one line for a person; never NULL */
};

enum fg_session_flags {
    /** Copy the arguments of indirect work back and store them, marked as resolved. */
    FG_SESSION_RESOLVE_INDIRECT = 1u << 0,
    FG_SESSION_NO_STATISTICS = 1u << 1,   /**< no pipeline statistics, even where asked for */
    FG_SESSION_NO_CPU_PASSES = 1u << 2,   /**< no CPU time of graph passes */
    FG_SESSION_NO_CALIBRATION = 1u << 3,  /**< the device's clock stays nominal */
    FG_SESSION_NO_DEBUG_LABELS = 1u << 4, /**< do not name passes in the command buffers */
    FG_SESSION_PRODUCTION = 1u << 5,      /**< written into the metadata: a production build */
    FG_SESSION_DEVELOPMENT = 1u << 6,     /**< or a development build; neither = not said */
    /**
     * Take nothing of what the process says of itself (instrument.h). A session of a software
     * device whose clock moves only when it is told never does: nothing relates the two clocks.
     */
    FG_SESSION_NO_INSTRUMENT = 1u << 7,
};

/** Zero is every field's default. Borrowed for the call; texts are copied. */
struct fg_session_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the session */
    enum fg_level level;
    uint32_t flags;             /**< enum fg_session_flags */
    uint64_t frame_limit;       /**< stops by itself after so many; 0 = never */
    uint64_t byte_budget;       /**< warns once when crossed; 0 = 512 MiB */
    const char *note;           /**< free text in the metadata */
    const char *path;           /**< write to this file; NULL = `sink` */
    const struct fg_sink *sink; /**< borrowed until destroy; NULL = memory of the session */
    const struct fg_flight_options *flight; /**< flight.h: keep only the newest part, in a ring;
                                                 then `path` and `sink` must be NULL */
    /**
     * Called from whichever thread the cause is on, with the device's lock held: do not call back
     * into this interface, be quick.
     */
    void (*notify)(void *context, const struct fg_session_event *event);
    void *notify_context;
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_SESSION_OPTIONS(...) (&(const struct fg_session_options){ __VA_ARGS__ })

/**
 * @param device  a reference is kept: a session may outlive its device, but then not start.
 *                NULL = a session without a GPU: its frames are those of the process (FG_FRAME())
 * @param options NULL = all defaults
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_NO_MEMORY, FG_ERR_IO
 */
FG_API FG_MUST_USE enum fg_result fg_session_create(struct fg_device *device,
                                                    const struct fg_session_options *options,
                                                    struct fg_session **out_session);
/** Stops, closes the capture without waiting, frees. NULL is legal. */
FG_API void fg_session_destroy(struct fg_session *session);

/**
 * Add metadata. It is written once, by fg_session_start(); later calls are refused. The device has
 * filled "adapter.*" and "driver.*"; a second value for a key replaces the first. Common keys:
 * "engine.name", "engine.version", "engine.revision", "engine.flags", "render.resolution",
 * "render.output_resolution", "render.upscaler".
 *
 * @return FG_OK, FG_ERR_STATE (already started), FG_ERR_NO_MEMORY, FG_ERR_ARGUMENT
 */
FG_API enum fg_result fg_session_set_meta(struct fg_session *session, const char *key,
                                          const char *text);
/** One enabled feature; the list is stored sorted, without repeats. Results as above. */
FG_API enum fg_result fg_session_add_feature(struct fg_session *session, const char *name);

/**
 * @return FG_OK; FG_ERR_STATE (started before: a session records once; or in a fork's child);
 *         FG_ERR_DEVICE_LOST (the device is destroyed or lost); FG_ERR_LIMIT (8 sessions record
 *         this device); FG_ERR_NO_MEMORY, FG_ERR_IO
 */
FG_API FG_MUST_USE enum fg_result fg_session_start(struct fg_session *session);
/** No new frames from now on. Returns at once; results of frames in flight still arrive. */
FG_API void fg_session_stop(struct fg_session *session);
/**
 * Stop, wait for the results of the frames in flight for at most `timeout_ns`, and close the
 * capture. What has not come by then is stored as missing.
 *
 * @return FG_OK; FG_ERR_TIMEOUT (closed, but results were missing); FG_ERR_DEVICE_LOST (closed);
 *         FG_ERR_STATE (never started); the first write failure
 */
FG_API enum fg_result fg_session_finish(struct fg_session *session, int64_t timeout_ns);

/** A remark at the current frame. FG_OK, FG_ERR_STATE (not recording), FG_ERR_NO_MEMORY. */
FG_API enum fg_result fg_session_note(struct fg_session *session, const char *text);
/**
 * Write what there is so far, as a capture that readers recover, without stopping.
 * FG_OK, FG_ERR_UNSUPPORTED (the session writes to a sink or file), what the sink returns.
 */
FG_API enum fg_result fg_session_snapshot(struct fg_session *session, const struct fg_sink *sink);
/** The capture in memory: borrowed until destroy, stable after finish. NULL unless in memory. */
FG_API const void *fg_session_bytes(struct fg_session *session, size_t *out_size);

/** Where a session stands. */
struct fg_session_status {
    bool running;
    bool closed;
    uint64_t frames_written;
    uint64_t frames_landed;
    uint64_t frames_in_flight; /**< written, GPU times not yet there */
    uint64_t bytes_written;
    uint64_t dropped;      /**< everything refused so far, all reasons */
    int64_t overhead_ns;   /**< the recorder's own time so far, on the recording threads; 0
                                when its clock moves only when told */
    enum fg_result result; /**< first failure */
};
/** Threads: any. */
FG_API void fg_session_get_status(struct fg_session *session, struct fg_session_status *out_status);

/**
 * Begin a frame. Absorbs results that have come.
 *
 * @return lent until fg_frame_end(); NULL when device is NULL or lost, or nobody records (and there
 *         is no reused command buffer, see fg_commands_create()), or in a fork's child: then
 *         everything that takes it does nothing
 *
 * Several frames may be open at once. Threads: any.
 */
FG_API struct fg_frame *fg_frame_begin(struct fg_device *device);
/** All submits are done. Writes the frame's CPU side. NULL is legal. */
FG_API void fg_frame_end(struct fg_frame *frame);

struct fg_semaphore_op {
    uint64_t semaphore; /**< native handle: VkSemaphore as a number */
    uint64_t value;     /**< timeline value; 0 for binary ones */
};
struct fg_submission {
    uint32_t queue; /**< index in the device's queues */
    uint32_t commands_count;
    struct fg_commands *const *commands; /**< in order; NULL entries are skipped */
    uint32_t wait_count;
    uint32_t signal_count;
    const struct fg_semaphore_op *waits;
    const struct fg_semaphore_op *signals;
};
/** Native command buffers to put around the submission's own, in the same submit. */
struct fg_submit_extra {
    void *before; /**< NULL = nothing */
    void *after;  /**< NULL = nothing */
};
/**
 * Call right before the native submit. Only submissions with reused command buffers get extras.
 *
 * @param out_extra required when commands were made by fg_commands_create(), else may be NULL
 *
 * Threads: one at a time per frame. NULL frame: does nothing, extras are NULL.
 */
FG_API void fg_frame_submit(struct fg_frame *frame, const struct fg_submission *submission,
                            struct fg_submit_extra *out_extra);

/** The native submit that fg_frame_submit() announced last failed: it is taken back. */
FG_API void fg_frame_submit_failed(struct fg_frame *frame);

enum fg_wait_kind {
    FG_WAIT_OTHER = 0,   /**< a fence, a queue, a frame slot: anything but present */
    FG_WAIT_PRESENT = 1, /**< acquiring or presenting an image */
};
/** CPU time inside the frame that was spent waiting; added up. It decides the frame's verdict. */
FG_API void fg_frame_waited(struct fg_frame *frame, enum fg_wait_kind kind, int64_t duration_ns);

enum fg_unit {
    FG_UNIT_COUNT = 0,
    FG_UNIT_BYTES = 1,
    FG_UNIT_NS = 2,
    FG_UNIT_PER_SECOND = 3,
    FG_UNIT_BASIS_POINTS = 4
};
/** A number of this frame: scene counts, resident bytes, resolution. Threads: any, takes a lock. */
FG_API void fg_frame_counter(struct fg_frame *frame, const char *name, enum fg_unit unit,
                             int64_t value);

/** Absorb results that have come, outside of frames. Never waits. NULL is legal. */
FG_API void fg_device_poll(struct fg_device *device);
/** The native interface reported the loss of the device. Sessions keep what they have. */
FG_API void fg_device_report_lost(struct fg_device *device);
/**
 * Before the native device goes, and when it is idle. Sessions are stopped; results that are
 * missing stay so. Sessions may outlive it. NULL is legal.
 */
FG_API void fg_device_destroy(struct fg_device *device);

FG_END_DECLS
#endif
