/* SPDX-License-Identifier: MIT */
/*
 * A device made of arithmetic: deterministic, with a clock of its own that moves only when told.
 * Command buffers are lists of work with stated costs, so that what a capture must say is known
 * exactly. It can misbehave in every way that real devices do.
 */
#ifndef FG_GPU_SOFTWARE_H
#define FG_GPU_SOFTWARE_H
#include <frameglass/base.h>
#include <frameglass/session.h>
FG_BEGIN_DECLS

enum fg_software_flags {
    FG_SOFTWARE_NO_TIMESTAMPS = 1u << 0,
    FG_SOFTWARE_NO_CALIBRATION = 1u << 1,
    FG_SOFTWARE_NO_STATISTICS = 1u << 2,
    FG_SOFTWARE_NO_LANDINGS = 1u << 3,  /**< reused command buffers cannot be timed */
    FG_SOFTWARE_OUT_OF_ORDER = 1u << 4, /**< odd submissions land before the even ones before */
    FG_SOFTWARE_NEVER = 1u << 5,        /**< no result ever lands */
    FG_SOFTWARE_LYING_CLOCK = 1u << 6,  /**< calibrated readings are a second off */
    FG_SOFTWARE_NOISY_CALIBRATION = 1u << 7, /**< three of four readings deviate by 100 us */
    FG_SOFTWARE_REAL_TIME = 1u << 8,         /**< the host clock is the machine's; for benchmarks */
};

/** Zero is every field's default. Borrowed for the call. */
struct fg_software_options {
    const struct fg_allocator *allocator; /**< NULL = libc */
    struct fg_recorder_limits limits;
    uint32_t flags;         /**< enum fg_software_flags */
    uint32_t queue_count;   /**< 1 to 8; 0 = 1; queue i is of family i */
    uint32_t valid_bits;    /**< of timestamps; 0 = 64 */
    uint32_t period_num;    /**< nanoseconds per tick as a rational; 0 = 1 */
    uint32_t period_den;    /**< 0 = 1 */
    uint64_t quantum_ticks; /**< stamps are rounded down to multiples; 0 = 1 */
    uint64_t start_ticks;   /**< the device clock when the host clock is 0 */
    int64_t drift_ppm;      /**< the device clock runs so much faster */
    int64_t latency_ns;     /**< from the end of a submission until its results can be read */
    int64_t lose_at_ns;     /**< the device is lost when the host clock gets there; 0 = never */
    uint32_t pool_max;      /**< most timestamps of one pool; 0 = 4096; larger ones are refused */
    uint64_t native_key;    /**< two devices with one key are one native device; 0 = its own */
};

/**
 * @param out_device owned; fg_device_destroy(). Untouched on failure.
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_BUSY (native_key has a stamping owner), FG_ERR_NO_MEMORY
 *
 * Threads: command buffers may be recorded by several threads at once, one each; everything else
 * one at a time.
 */
FG_API FG_MUST_USE enum fg_result fg_software_device_create(
    const struct fg_software_options *options, struct fg_device **out_device);

/** The host clock of this device, from 0. Submitting and recording take no time. */
FG_API int64_t fg_software_now_ns(const struct fg_device *device);
/** Let time pass: queues run, results land. */
FG_API void fg_software_advance(struct fg_device *device, int64_t duration_ns);
/** Lose the device now. */
FG_API void fg_software_lose(struct fg_device *device);
/** Device memory that the program uses from now on; what the recorder uses comes on top. */
FG_API void fg_software_set_memory(struct fg_device *device, uint64_t used_bytes);
/** Timers made so far and not destroyed, and made in all: frames must not make new ones. */
FG_API void fg_software_get_timer_counts(const struct fg_device *device, uint32_t *out_alive,
                                         uint32_t *out_created);
/** What the device clock shows at a host time, before quantum and wrap: the truth. */
FG_API uint64_t fg_software_ticks_at(const struct fg_device *device, int64_t host_ns);

/** A command buffer: what fg_commands_desc.native points to. */
struct fg_software_commands;
/** @param out_commands owned; destroy it before the device */
FG_API FG_MUST_USE enum fg_result fg_software_commands_create(
    struct fg_device *device, struct fg_software_commands **out_commands);
FG_API void fg_software_commands_destroy(struct fg_software_commands *commands);
/** Empty again. Not while a submission that runs it has not ended. */
FG_API void fg_software_commands_reset(struct fg_software_commands *commands);
/** Work that keeps the queue busy for so long; `invocations` go into pipeline statistics. */
FG_API void fg_software_work(struct fg_software_commands *commands, int64_t cost_ns,
                             uint64_t invocations);
/** Run another command buffer here. Not emptied or destroyed while this one is in use. */
FG_API void fg_software_execute(struct fg_software_commands *commands,
                                struct fg_software_commands *secondary);
/** Write four bytes of a buffer when the queue gets here; buffers are host memory by address. */
FG_API void fg_software_store(struct fg_software_commands *commands, uint32_t *address,
                              uint32_t value);

/** Debug groups begun so far in a command buffer, and how many are open. */
FG_API uint32_t fg_software_label_count(const struct fg_software_commands *commands,
                                        uint32_t *out_open);

struct fg_software_submission {
    uint32_t queue;
    uint32_t commands_count;
    struct fg_software_commands *const *commands;
    uint32_t wait_count;
    uint32_t signal_count;
    const struct fg_semaphore_op *waits; /**< timeline semantics; may be signalled later */
    const struct fg_semaphore_op *signals;
    struct fg_submit_extra extra; /**< from fg_frame_submit() */
};
/**
 * Queue work at the present host time. Borrowed for the call; command buffers until it has run.
 * FG_OK, FG_ERR_ARGUMENT, FG_ERR_NO_MEMORY, FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_software_submit(
    struct fg_device *device, const struct fg_software_submission *submission);

FG_END_DECLS
#endif
