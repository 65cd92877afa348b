/* SPDX-License-Identifier: MIT */
/* What the files of the software device share. */
#ifndef FGI_SOFTWARE_PRIV_H
#define FGI_SOFTWARE_PRIV_H
#include "record/device.h"
#include "base/alloc.h"
#include <frameglass/gpu_software.h>

#define SOFTWARE_NEVER      INT64_MAX
#define SOFTWARE_SEMAPHORES 4096 /* signals that are remembered */
#define SOFTWARE_QUEUES_MAX 8

struct software_bundle;

/** One pair of stamps. Times are of the host clock; values are as the device clock gave them. */
struct software_slot {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    int64_t begin_ns; /**< when it was written; SOFTWARE_NEVER = it was not */
    int64_t end_ns;
    int64_t readable_ns; /**< from when it can be read */
    bool has_statistics;
    uint64_t invocations;
};

struct software_indirect {
    uint32_t words[FGI_INDIRECT_WORDS];
    int64_t written_ns;
    int64_t readable_ns;
};

struct fgi_timer {
    uint32_t queue;
    uint32_t slot_count;
    uint32_t indirect_count;
    struct software_slot *slots;
    struct software_indirect *indirects;
    uint64_t running_invocations; /**< while a statistics query runs: count at its begin */
    struct fgi_landing *pending;  /**< of a submission that has not run yet */
    struct fgi_timer *next;
};

/** Copies of a timer's results, or (timer NULL) one slot for a whole submission. */
struct fgi_landing {
    struct fgi_timer *timer;
    uint32_t slot_count;
    uint32_t indirect_count;
    struct software_slot *slots;
    struct software_indirect *indirects;
    struct software_bundle *bundle;
    bool destroyed;
};

/** The two command buffers around one submission, and the landings that they serve. */
struct software_bundle {
    struct fg_software_commands *before;
    struct fg_software_commands *after;
    struct fgi_landing **landings;
    uint32_t count;
    uint32_t alive; /**< landings that are not destroyed */
    bool submitted;
    bool has_run;
    struct software_bundle *next;
};

enum software_op_kind {
    SOFTWARE_WORK,
    SOFTWARE_STORE,
    SOFTWARE_EXECUTE,
    SOFTWARE_RESET,
    SOFTWARE_BEGIN,
    SOFTWARE_END,
    SOFTWARE_COPY,
    SOFTWARE_LAND,
    SOFTWARE_WHOLE_BEGIN,
    SOFTWARE_WHOLE_END,
};
struct software_op {
    enum software_op_kind kind;
    uint32_t index; /**< slot; indirect slot */
    uint32_t size;
    uint32_t value;
    bool statistics;
    int64_t cost_ns;
    uint64_t invocations;
    uint64_t address;
    struct fgi_timer *timer;
    struct fgi_landing *landing;
    struct fg_software_commands *secondary;
};

struct fg_software_commands {
    const struct fg_allocator *allocator;
    struct software_op *ops;
    size_t op_count;
    size_t op_capacity;
    bool out_of_memory; /**< something is missing in it: it cannot be submitted */
    uint32_t label_count;
    uint32_t label_depth;
};

struct software_submission {
    uint32_t commands_count;
    uint32_t wait_count;
    uint32_t signal_count;
    int64_t submit_ns;
    uint64_t number;
    struct fg_software_commands **commands; /**< the extras included */
    struct fg_semaphore_op *waits;
    struct fg_semaphore_op *signals;
    struct software_bundle *bundle;
    struct software_submission *next;
};

struct software_queue {
    int64_t free_ns; /**< when the work so far ends */
    uint64_t invocations;
    struct software_submission *first; /**< has not run */
};

struct software_signal {
    uint64_t semaphore;
    uint64_t value;
    int64_t at_ns;
    bool used; /**< binary, and waited for */
};

struct software_device {
    struct fg_device base;              /**< first */
    struct fg_software_options options; /**< defaults filled in */
    int64_t now_ns;
    int64_t epoch_ns; /**< real time: the monotonic clock at creation */
    int64_t lost_ns;  /**< SOFTWARE_NEVER = not lost */
    uint64_t calibration_count;
    uint64_t submission_count;
    struct software_queue queues[SOFTWARE_QUEUES_MAX];
    struct software_signal *signals;
    size_t signal_count;
    size_t signal_capacity;
    struct software_bundle *bundles;
    uint32_t timers_alive;
    uint64_t memory_bytes; /**< of the program, as it said */
    uint32_t timers_created;
};

static inline struct software_device *software_of(const struct fg_device *device)
{
    return (struct software_device *)(uintptr_t)device;
}

/* software_device.c */
int64_t fgi_software_now(struct fg_device *device);
/** What a stamp taken at a host time holds: quantum and wrap applied. */
uint64_t fgi_software_stamp(const struct software_device *device, int64_t host_ns);

/* software_commands.c */
void fgi_software_push(struct fg_software_commands *commands, struct software_op op);
struct fg_software_commands *fgi_software_commands_new(const struct fg_allocator *allocator);

/* software_queue.c */
void fgi_software_run(struct software_device *device);
void fgi_software_drop_queues(struct software_device *device);

/* software_timer.c: the part of the operations table that deals with timers */
enum fg_result fgi_software_timer_create(struct fg_device *device, uint32_t queue, uint32_t slots,
                                         bool statistics, uint32_t indirect_slots,
                                         struct fgi_timer **out_timer);
void fgi_software_timer_destroy(struct fg_device *device, struct fgi_timer *timer);
bool fgi_software_timer_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                              uint32_t flags);
void fgi_software_slot_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                             uint32_t slot, bool statistics);
void fgi_software_slot_end(struct fg_device *device, struct fgi_timer *timer, void *commands,
                           uint32_t slot, bool statistics);
void fgi_software_copy_indirect(struct fg_device *device, struct fgi_timer *timer, void *commands,
                                uint32_t first, const struct fgi_indirect_copy *copies,
                                uint32_t count);
enum fg_result fgi_software_timer_read(struct fg_device *device, struct fgi_timer *timer,
                                       struct fgi_landing *landing, uint32_t first, uint32_t count,
                                       struct fgi_slot_result *out);
enum fg_result fgi_software_indirect_read(struct fg_device *device, struct fgi_timer *timer,
                                          struct fgi_landing *landing, uint32_t first,
                                          uint32_t count, uint32_t (*out_words)[FGI_INDIRECT_WORDS],
                                          bool *out_have);
enum fg_result fgi_software_landing_create(struct fg_device *device, uint32_t queue,
                                           struct fgi_timer *const *timers, uint32_t count,
                                           bool whole, struct fgi_landing **out_landings,
                                           struct fg_submit_extra *out_extra);
void fgi_software_landing_destroy(struct fg_device *device, struct fgi_landing *landing);
void fgi_software_bundles_destroy(struct software_device *device);
void fgi_software_timer_reset(struct fgi_timer *timer);
/** A bundle's submission has run: what nobody holds any more goes. */
void fgi_software_bundle_ran(struct software_device *device, struct software_bundle *bundle);

#endif
