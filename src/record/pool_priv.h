/* SPDX-License-Identifier: MIT */
/* Timers that go around, and the results that are read from them. */
#ifndef FGI_POOL_PRIV_H
#define FGI_POOL_PRIV_H
#include "record/device.h"

struct fgi_recorder;

/** Times of one slot as they came, not unwrapped. */
struct fgi_times {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    bool has_begin;
    bool has_end;
    bool refused; /**< by the device: there are no times */
    bool has_statistics;
};

/** Results of one use of a timer, filled as they come. */
struct fgi_results {
    struct fgi_times *times; /**< capacity: the pool's slots */
    uint64_t *statistics;    /**< FGI_STATISTICS_MAX per slot; NULL = none */
    uint32_t ready;          /**< slots [0, ready) are complete */
};

/** A timer and what it was made for. */
struct fgi_pool {
    struct fgi_timer *timer;
    uint32_t origin; /**< number of the pool on this device: names where a span came from */
    uint32_t queue;
    uint32_t slots;
    uint32_t indirect_slots;
    bool statistics;
    uint64_t used_serial; /**< the newest frame when it was last submitted; 0 = never */
    uint32_t zombie_used; /**< given up with so many slots still to come; 0 = not a zombie */
    struct fgi_results results;
    struct fgi_pool *next;
};

/** A submission's copy of the results of a reused command buffer. */
struct fgi_copy {
    struct fgi_landing *landing;
    struct fgi_results results;
    uint32_t slots;
    bool statistics;
    struct fgi_copy *next;
};

/* pool.c: all with the lock */
/** A timer for a recording on `queue`; NULL when there is none to be had. */
struct fgi_pool *fgi_pool_take(struct fgi_recorder *recorder, uint32_t queue);
/** Nothing more is expected from it. */
void fgi_pool_give(struct fgi_recorder *recorder, struct fgi_pool *pool);
/** Results are still to come but nobody waits for them: not reused until they are there. */
void fgi_pool_abandon(struct fgi_recorder *recorder, struct fgi_pool *pool, uint32_t used_slots);
void fgi_pools_poll_zombies(struct fgi_recorder *recorder);
void fgi_pools_destroy(struct fgi_recorder *recorder);
struct fgi_copy *fgi_copy_take(struct fgi_recorder *recorder, const struct fgi_pool *pool);
void fgi_copy_give(struct fgi_recorder *recorder, struct fgi_copy *copy);
/**
 * Read what has come for slots [results->ready, used). FG_OK, also when some are missing;
 * FG_ERR_DEVICE_LOST.
 */
enum fg_result fgi_results_read(struct fgi_recorder *recorder, struct fgi_timer *timer,
                                struct fgi_landing *landing, struct fgi_results *results,
                                uint32_t used);
/** Everything that can still be read, whatever is complete. */
void fgi_results_salvage(struct fgi_recorder *recorder, struct fgi_timer *timer,
                         struct fgi_landing *landing, struct fgi_results *results, uint32_t used);

#endif
