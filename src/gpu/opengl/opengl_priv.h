/* SPDX-License-Identifier: MIT */
/* What the files of the OpenGL device share. */
#ifndef FGI_OPENGL_PRIV_H
#define FGI_OPENGL_PRIV_H
#include "gpu/opengl/opengl_api.h"
#include "record/device.h"
#include "base/thread.h"
#include <frameglass/gpu_opengl.h>
#include <stdatomic.h>

#define FGI_OPENGL_TEXT 128
#define FGI_OPENGL_SETS 32 /* passes with statistics in one command buffer */

/** What became of one slot while its commands were recorded. */
enum fgi_opengl_slot_state {
    FGI_OPENGL_BEGUN = 1u << 0,
    FGI_OPENGL_ENDED = 1u << 1,
    FGI_OPENGL_COUNTING = 1u << 2, /**< its statistics were begun */
    FGI_OPENGL_COUNTED = 1u << 3,  /**< and ended */
    FGI_OPENGL_LEFT_OUT = 1u << 4, /**< nothing was put into the stream: no result will come */
    FGI_OPENGL_TOLD = 1u << 5,     /**< its refusal was counted */
};

/** A run of commands between two begins or ends, timed by one elapsed query. */
struct fgi_opengl_segment {
    int64_t begun_ns;      /**< host clock */
    uint64_t before_ticks; /**< sum of the segments before, when `read` */
    uint64_t ticks;
    bool ended;
    bool in_the_way; /**< an elapsed query of the application was running */
    bool impossible;
};
/** The segments [first, end) that a slot covers. */
struct fgi_opengl_extent {
    uint32_t first;
    uint32_t end;
};

/** Before what no stamp can be: see opengl_order.c. */
struct fgi_opengl_floor {
    bool is_set;
    bool is_reading; /**< of the GL clock; otherwise a stamp that has landed */
    uint32_t era;    /**< counts how often all of it was forgotten */
    uint64_t ticks;
    int64_t since_ns; /**< host clock, not later than `ticks` */
};

/** Queries of one use after the other. All arrays have one item (or two) per slot. */
struct fgi_timer {
    uint32_t slots;
    uint32_t used;                 /**< slots begun in this use */
    uint32_t disjoint;             /**< the device's count when the use began */
    bool doubted;                  /**< a stamp was 0 when it was looked for: see opengl_timer.c */
    bool behind;                   /**< a stamp of this use was earlier than `floor` */
    struct fgi_opengl_floor floor; /**< when the use began */
    uint32_t name_count;           /**< two per slot */
    uint32_t *names;               /**< begin and end stamps; or elapsed queries of segments */
    uint32_t *statistics; /**< queries of sets: the device's statistic_count each; NULL = none */
    uint8_t *sets;        /**< by slot: its set */
    uint32_t sets_made;   /**< sets are made when they are first needed: few passes ask for them */
    uint32_t sets_used;
    uint8_t *states; /**< enum fgi_opengl_slot_state */
    /* Elapsed queries only: */
    struct fgi_opengl_segment *segments; /**< two per slot */
    struct fgi_opengl_extent *extents;
    uint32_t segment_count; /**< of this use */
    uint32_t segments_read;
    uint32_t open; /**< slots that have begun and not ended */
    int64_t begun_ns;
    uint64_t base_ticks; /**< where the first segment is laid */
};

struct fgi_opengl_device {
    struct fg_device base; /**< first */
    struct fgi_opengl_functions gl;
    uint32_t flags;
    atomic_uint thread; /**< number of the one that has the context */
    enum fg_opengl_timing timing;
    uint64_t tick_mask;
    int64_t (*now_ns)(void); /**< the host clock */
    void (*wait)(int64_t duration_ns);

    bool es;
    int major, minor;
    bool has_disjoint;
    bool has_reset_status;
    bool has_nvx_memory;
    bool has_ati_memory;
    int timestamp_bits, elapsed_bits;
    uint32_t statistic_count;
    fgi_gl_enum statistic_targets[FGI_OPENGL_STATISTIC_COUNT]; /**< lowest bit first */
    char vendor[FGI_OPENGL_TEXT];
    char renderer[FGI_OPENGL_TEXT];
    char version[FGI_OPENGL_TEXT];

    bool lost;
    uint32_t disjoint;              /**< disturbances seen */
    struct fgi_timer *timing_now;   /**< whose elapsed query runs */
    struct fgi_timer *counting_now; /**< whose statistics run */
    uint64_t laid_ticks;            /**< elapsed: where the newest segment ends */
    struct fgi_opengl_floor floor;
    uint32_t behind_in_row;    /**< uses without a believed stamp */
    uint32_t readings_against; /**< uses that only a reading spoke against */
    int64_t memory_next_ns;
    int64_t names_next_ns; /**< after memory for query objects ran out: when to ask again */
    uint32_t group_depth;  /**< of our debug groups, those left out included */
    int group_text_max;

    atomic_uint queries_made, queries_alive;
    atomic_uint disjoint_seen; /**< as `disjoint`, for other threads */
    atomic_uint passes_disjoint, passes_impossible, passes_in_the_way;
    atomic_uint other_threads;
};

static inline struct fgi_opengl_device *fgi_opengl_device(const struct fg_device *device)
{
    return (struct fgi_opengl_device *)(uintptr_t)device;
}
static inline void fgi_opengl_count(atomic_uint *counter, unsigned count)
{
    atomic_fetch_add_explicit(counter, count, memory_order_relaxed);
}

/** The host's clock, as tests replace it. */
struct fgi_opengl_host {
    int64_t (*now_ns)(void);
    void (*wait)(int64_t duration_ns);
};

/* opengl_device.c */
/** fg_opengl_device_create(); `host` NULL = the machine's clock. */
FG_MUST_USE enum fg_result fgi_opengl_create(const struct fg_opengl_options *options,
                                             const struct fgi_opengl_host *host,
                                             struct fg_device **out_device);
/** Whether GL may be called; counted when not. */
bool fgi_opengl_is_here(struct fgi_opengl_device *device);
/** Ask the context whether it is lost; remembered. */
bool fgi_opengl_is_lost(struct fgi_opengl_device *device);
/** Ask the driver whether its clock was disturbed since the last time; counted. */
void fgi_opengl_check_disjoint(struct fgi_opengl_device *device);

/* opengl_entry.c */
/** Functions, versions and extensions of the current context. FG_OK or FG_ERR_UNSUPPORTED. */
enum fg_result fgi_opengl_load(struct fgi_opengl_device *device, fg_opengl_getter *getter);

/* opengl_driver.c */
/** Is the driver known to take times when it takes commands in? */
bool fgi_opengl_is_not_of_execution(const struct fgi_opengl_device *device);
void fgi_opengl_describe(struct fg_device *device,
                         void (*put)(void *context, const char *key, const char *value),
                         void (*feature)(void *context, const char *name), void *context);

/* opengl_timer.c: the part of the operations table that deals with timers */
enum fg_result fgi_opengl_timer_create(struct fg_device *device, uint32_t queue, uint32_t slots,
                                       bool statistics, uint32_t indirect_slots,
                                       struct fgi_timer **out_timer);
void fgi_opengl_timer_destroy(struct fg_device *device, struct fgi_timer *timer);
bool fgi_opengl_timer_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                            uint32_t flags);
void fgi_opengl_slot_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                           uint32_t slot, bool statistics);
void fgi_opengl_slot_end(struct fg_device *device, struct fgi_timer *timer, void *commands,
                         uint32_t slot, bool statistics);
enum fg_result fgi_opengl_timer_read(struct fg_device *device, struct fgi_timer *timer,
                                     struct fgi_landing *landing, uint32_t first, uint32_t count,
                                     struct fgi_slot_result *out);
/** False: the driver has no memory for them. */
bool fgi_opengl_make_names(struct fgi_opengl_device *device, uint32_t count, uint32_t *names);
/** A query's result if it is there: asked first, never waited for. */
bool fgi_opengl_result(struct fgi_opengl_device *device, uint32_t query, uint64_t *out_value);

/** A pass is refused because its times cannot be; counted once. */
void fgi_opengl_count_impossible(struct fgi_opengl_device *device, struct fgi_timer *timer,
                                 uint32_t slot);

/* opengl_order.c: stamps only */
void fgi_opengl_order_begin(const struct fgi_opengl_device *device, struct fgi_timer *timer);
/** Refuse, of slots that were just read, what is earlier than what was known when the use began. */
void fgi_opengl_order_judge(struct fgi_opengl_device *device, struct fgi_timer *timer,
                            uint32_t first, uint32_t count, struct fgi_slot_result *slots);
/** The clock was read. */
void fgi_opengl_order_reading(struct fgi_opengl_device *device, const struct fgi_clock_pair *pair);
/** The clock was disturbed: nothing from before says anything. */
void fgi_opengl_order_forget(struct fgi_opengl_device *device);

/* opengl_elapsed.c: segments of a timer */
void fgi_opengl_elapsed_begin(struct fgi_opengl_device *device, struct fgi_timer *timer,
                              uint32_t slot);
void fgi_opengl_elapsed_end(struct fgi_opengl_device *device, struct fgi_timer *timer,
                            uint32_t slot);
/** Take in what has come. */
void fgi_opengl_elapsed_read(struct fgi_opengl_device *device, struct fgi_timer *timer);
/** Times of a slot, as far as its segments have come. */
void fgi_opengl_elapsed_take(struct fgi_opengl_device *device, struct fgi_timer *timer,
                             uint32_t slot, struct fgi_slot_result *out);
/** End the query that runs, if it is this timer's (NULL: whoever's). */
void fgi_opengl_elapsed_stop(struct fgi_opengl_device *device, const struct fgi_timer *timer);

/* opengl_statistics.c */
void fgi_opengl_statistics_begin(struct fgi_opengl_device *device, struct fgi_timer *timer,
                                 uint32_t slot);
void fgi_opengl_statistics_end(struct fgi_opengl_device *device, struct fgi_timer *timer,
                               uint32_t slot);
/** False: they are still to come. */
bool fgi_opengl_statistics_take(struct fgi_opengl_device *device, const struct fgi_timer *timer,
                                uint32_t slot, struct fgi_slot_result *out);
/** End the queries that run, if they are this timer's (NULL: whoever's). */
void fgi_opengl_statistics_stop(struct fgi_opengl_device *device, const struct fgi_timer *timer);

/* opengl_memory.c */
bool fgi_opengl_memory(struct fg_device *device, struct fgi_memory_use *out_use);

#endif
