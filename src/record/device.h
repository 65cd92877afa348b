/* SPDX-License-Identifier: MIT */
/*
 * What the recorder needs of a device. Each backend (gpu/software, gpu/vulkan, gpu/opengl) embeds
 * `struct fg_device` first in a structure of its own and fills a table of operations.
 *
 * The recorder thinks in slots: one slot is one pair of begin and end. How many native queries that
 * takes (two, or four where stamps must be doubled) is the backend's business.
 */
#ifndef FGI_RECORD_DEVICE_H
#define FGI_RECORD_DEVICE_H
#include "base/clock.h"
#include <frameglass/base.h>
#include <frameglass/session.h>

struct fgi_recorder;

/** A fixed number of slots on the device; in the backend: a query pool or two. */
struct fgi_timer;
/** Where the results of one submission of a reused command buffer are copied to. */
struct fgi_landing;

#define FGI_QUEUES_MAX     32
#define FGI_STATISTICS_MAX 16
#define FGI_INDIRECT_WORDS 5

struct fgi_queue_caps {
    char name[48];        /**< "graphics 0": the track's name */
    uint32_t family;      /**< queues of one family share a clock origin */
    uint32_t valid_bits;  /**< 0 = no timestamps on this queue */
    uint32_t queue_flags; /**< VkQueueFlagBits; 0 = not said */
};

/** Filled before fgi_device_init() and constant from then on. Zero = cannot. */
struct fgi_device_caps {
    struct fgi_rational period; /**< nanoseconds per tick; {0, 0}: no timestamps at all */
    uint32_t queue_count;       /**< 1 .. FGI_QUEUES_MAX */
    struct fgi_queue_caps queues[FGI_QUEUES_MAX];
    uint32_t slots_max;    /**< most slots of one timer; 0 = no limit */
    bool calibrated;       /**< calibrate() works */
    bool landings;         /**< landing_*() work: reused command buffers can be timed */
    bool indirect;         /**< copy_indirect() works */
    bool memory;           /**< memory() works */
    bool not_of_execution; /**< its times say nothing of how long the device worked */
    bool clock_stands; /**< host_ns() moves only when told: recording cannot be measured by it */
    /** Why `calibrated` is false, for the capture; static text. */
    const char *nominal_reason;
    /** Name of the host clock that calibrated readings and host_ns() share: "monotonic". */
    const char *host_clock;
    uint32_t statistics_mask; /**< bits of VkQueryPipelineStatisticFlagBits; 0 = none */
};

/** What one slot says. Ticks are raw, masked to the valid bits of the queue. */
struct fgi_slot_result {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    bool has_begin;
    bool has_end; /**< has_begin && !has_end after a loss: the pass was open */
    /**
     * No times will come, whatever the rest says: the device doubts them itself, or they cannot be.
     */
    bool refused;
    bool has_statistics;
    uint64_t statistics[FGI_STATISTICS_MAX]; /**< one per bit of statistics_mask, lowest first */
};

/** Arguments of indirect work to be copied back. */
struct fgi_indirect_copy {
    uint64_t buffer;
    uint64_t offset_bytes;
    uint32_t size_bytes; /**< at most 4 * FGI_INDIRECT_WORDS, a multiple of 4 */
};

/** One reading of the device's clock and the host's, as close together as one try gets them. */
struct fgi_clock_pair {
    uint64_t device_ticks;
    int64_t host_ns;      /**< the clock of host_ns() */
    int64_t deviation_ns; /**< most that the two can be apart */
};

struct fgi_memory_use {
    uint64_t used_bytes;   /**< what the process holds on the device now */
    uint64_t budget_bytes; /**< 0 = not known */
    /** Of the device as a whole, whoever holds it, when `whole`: then `used_bytes` is, too. */
    uint64_t total_bytes; /**< 0 = neither it nor `used_bytes` is known */
    uint64_t free_bytes;
    bool whole; /**< the driver does not tell processes apart */
};

/**
 * Operations of a backend. Unless said otherwise: called with the recorder's lock held, never waits
 * for the GPU. Those marked *hot* are called without the lock, by the thread that records into
 * `commands`, must not allocate or lock, and may touch only that command buffer and that timer.
 */
struct fgi_device_ops {
    /** The host clock that CPU times are taken from. NULL = CLOCK_MONOTONIC. Hot. */
    int64_t (*host_ns)(struct fg_device *device);
    /**
     * Let `duration_ns` pass on the host clock while waiting for results. NULL = sleep. No lock.
     */
    void (*wait)(struct fg_device *device, int64_t duration_ns);

    /**
     * A timer of `slots` slots for command buffers of one queue. `statistics`: its slots can also
     * hold pipeline statistics. `indirect_slots`: so many copies of indirect arguments.
     * FG_OK, FG_ERR_NO_MEMORY, FG_ERR_LIMIT, FG_ERR_UNSUPPORTED, FG_ERR_DEVICE_LOST
     */
    enum fg_result (*timer_create)(struct fg_device *device, uint32_t queue, uint32_t slots,
                                   bool statistics, uint32_t indirect_slots,
                                   struct fgi_timer **out_timer);
    /** The device is done with it or gone. */
    void (*timer_destroy)(struct fg_device *device, struct fgi_timer *timer);
    /**
     * A recording into `commands` starts that will write slots 0 .. of this timer; the results of
     * the previous use have been read or were given up. Resets on the host where the device can,
     * otherwise records the reset. From here on timer_read() must never report values of an earlier
     * use. `flags` as in fg_commands_desc. False: refused (no timer for this command buffer).
     * Called by the thread that records; without the lock.
     */
    bool (*timer_begin)(struct fg_device *device, struct fgi_timer *timer, void *commands,
                        uint32_t flags);
    /** The recording ends (fg_commands_end()); the last commands may be recorded. Hot. */
    void (*timer_end)(struct fg_device *device, struct fgi_timer *timer, void *commands);

    /** Write the begin of a slot; with `statistics` also start them (only if none run). Hot. */
    void (*slot_begin)(struct fg_device *device, struct fgi_timer *timer, void *commands,
                       uint32_t slot, bool statistics);
    /** Write its end; `statistics` as given to slot_begin(). Hot. */
    void (*slot_end)(struct fg_device *device, struct fgi_timer *timer, void *commands,
                     uint32_t slot, bool statistics);
    /**
     * Copy arguments into indirect slots [first, first + count); called after a pass has ended,
     * outside of render passes, once for all of the pass. Hot. NULL unless caps.indirect.
     */
    void (*copy_indirect)(struct fg_device *device, struct fgi_timer *timer, void *commands,
                          uint32_t first, const struct fgi_indirect_copy *copies, uint32_t count);
    /** Debug groups in the command buffer. Hot. NULL = there are none. */
    void (*label_begin)(struct fg_device *device, void *commands, const char *name);
    void (*label_end)(struct fg_device *device, void *commands);

    /**
     * Results of slots [first, first + count), as far as they are there. With `landing`: of that
     * submission, else of the one-time use. FG_OK also when nothing is there yet;
     * FG_ERR_DEVICE_LOST: `out` holds what can still be read, and no more will come.
     */
    enum fg_result (*timer_read)(struct fg_device *device, struct fgi_timer *timer,
                                 struct fgi_landing *landing, uint32_t first, uint32_t count,
                                 struct fgi_slot_result *out);
    /**
     * Copied arguments of indirect slots [first, first + count): FGI_INDIRECT_WORDS words each.
     * `out_have[i]` says which have come. Results as timer_read(). NULL unless caps.indirect.
     */
    enum fg_result (*indirect_read)(struct fg_device *device, struct fgi_timer *timer,
                                    struct fgi_landing *landing, uint32_t first, uint32_t count,
                                    uint32_t (*out_words)[FGI_INDIRECT_WORDS], bool *out_have);
    /**
     * A submission with reused command buffers on `queue` is next: make one landing for each timer
     * (as timer_begin() prepared them when they were recorded; those of secondaries included), and
     * the native command buffers that reset before and copy after. `whole`: one landing more,
     * out_landings[count], for stamps in `before` and `after` that time the submission as a whole;
     * it is read as slot 0 with timer NULL.
     * FG_ERR_BUSY: an earlier use of one of the timers still runs; nothing was made, and the
     * recorder asks again without timers, for the whole. NULL unless caps.landings.
     */
    enum fg_result (*landing_create)(struct fg_device *device, uint32_t queue,
                                     struct fgi_timer *const *timers, uint32_t count, bool whole,
                                     struct fgi_landing **out_landings,
                                     struct fg_submit_extra *out_extra);
    /** Its results were read or given up; the submission may still run (then free it later). */
    void (*landing_destroy)(struct fg_device *device, struct fgi_landing *landing);

    /**
     * One reading; FG_ERR_UNSUPPORTED unless caps.calibrated. FG_ERR_BUSY: not on this thread; the
     * recorder asks again at the next occasion.
     */
    enum fg_result (*calibrate)(struct fg_device *device, uint32_t queue,
                                struct fgi_clock_pair *out_pair);
    /** Memory in use now; false: not told this time. NULL unless caps.memory. */
    bool (*memory)(struct fg_device *device, struct fgi_memory_use *out_use);
    /**
     * Describe the device: call put(context, key, value) with "adapter.vendor", "adapter.name",
     * "adapter.kind", "adapter.architecture", "driver.name", "driver.version", "driver.hint" (which
     * setting changes coarse or drifting clocks), "limit.<name>", and feature(context, name).
     */
    void (*describe)(struct fg_device *device,
                     void (*put)(void *context, const char *key, const char *value),
                     void (*feature)(void *context, const char *name), void *context);

    /**
     * Native things go now: every timer is destroyed before. No other operation follows but free.
     */
    void (*close)(struct fg_device *device);
    /** The memory goes: the last session let go of the device. No lock. */
    void (*free)(struct fg_device *device);
};

/** Embedded first in each backend's device. */
struct fg_device {
    const struct fgi_device_ops *ops;
    struct fgi_device_caps caps;
    const struct fg_allocator *allocator; /**< never NULL after init */
    struct fgi_recorder *recorder;        /**< the recorder's part: made by init */
};

/**
 * Last step of a backend's create: device->ops and device->caps are filled. Claims `native_key`
 * (what the native device is called in this process; 0 for a device without queues, which has none)
 * as its one stamping owner.
 *
 * @param limits copied; NULL = defaults
 * @return FG_OK, FG_ERR_BUSY (the native device has a stamping owner), FG_ERR_NO_MEMORY,
 *         FG_ERR_ARGUMENT. On failure nothing is left behind and the backend frees its structure.
 *
 * fg_device_destroy() is the same for every backend: ops->close(), later ops->free().
 */
FG_MUST_USE enum fg_result fgi_device_init(struct fg_device *device, uint64_t native_key,
                                           const struct fg_allocator *allocator,
                                           const struct fg_recorder_limits *limits);

#endif
