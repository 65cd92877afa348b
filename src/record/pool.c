/* SPDX-License-Identifier: MIT */
/* Timers are made when there are too few, and from then on go around: no frame makes new ones. */
#include "record/record_priv.h"

#include <string.h>

#define READ_CHUNK  32 /* slots read at once: what lies on the stack meanwhile */
#define REST_FRAMES 3  /* see is_rested() */
#define ZOMBIES_MAX 64 /* timers whose results never came, before no more are risked */

static void finish_results(struct fgi_recorder *recorder, struct fgi_results *results,
                           uint32_t slots)
{
    fgi_free(recorder->allocator, results->times, slots * sizeof *results->times);
    if (results->statistics != NULL) {
        fgi_free(recorder->allocator, results->statistics,
                 (size_t)slots * FGI_STATISTICS_MAX * sizeof *results->statistics);
    }
    *results = (struct fgi_results){ 0 };
}

static enum fg_result init_results(struct fgi_recorder *recorder, struct fgi_results *results,
                                   uint32_t slots, bool statistics)
{
    results->times = fgi_calloc(recorder->allocator, slots, sizeof *results->times);
    if (results->times == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    if (statistics) {
        /* Not cleared: they are read where has_statistics says so, and few passes ask for them. */
        results->statistics = fgi_malloc(recorder->allocator, (size_t)slots * FGI_STATISTICS_MAX *
                                                                  sizeof *results->statistics);
        if (results->statistics == NULL) {
            finish_results(recorder, results, slots);
            return FG_ERR_NO_MEMORY;
        }
    }
    return FG_OK;
}

static void destroy_pool(struct fgi_recorder *recorder, struct fgi_pool *pool)
{
    if (pool->timer != NULL) {
        recorder->ops->timer_destroy(recorder->device, pool->timer);
    }
    finish_results(recorder, &pool->results, pool->slots);
    fgi_free(recorder->allocator, pool, sizeof *pool);
}

static struct fgi_pool *create_pool(struct fgi_recorder *recorder, uint32_t queue, bool statistics,
                                    uint32_t indirect_slots)
{
    if (recorder->zombie_count >= ZOMBIES_MAX) {
        return NULL; /* this device does not answer: frames go on without times */
    }
    struct fgi_pool *pool = fgi_calloc(recorder->allocator, 1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->queue = queue;
    pool->slots = recorder->limits.passes;
    pool->statistics = statistics;
    pool->indirect_slots = indirect_slots;
    if (init_results(recorder, &pool->results, pool->slots, statistics) != FG_OK ||
        recorder->ops->timer_create(recorder->device, queue, pool->slots, statistics,
                                    indirect_slots, &pool->timer) != FG_OK) {
        pool->timer = NULL;
        destroy_pool(recorder, pool);
        return NULL;
    }
    pool->origin = recorder->pool_count++;
    recorder->growth_count++;
    return pool;
}

/**
 * Results may have come while their submission still runs, and until the application has waited for
 * it, the device's rules count the timer as in use: it must not be reset. An application that
 * begins a frame has waited for the one that is as many frames back as it keeps in flight, which is
 * at most three. Counted from the use and not from when the results were seen, so that how many
 * timers go around does not hang on how busy the machine is.
 */
static bool is_rested(const struct fgi_recorder *recorder, const struct fgi_pool *pool)
{
    return pool->used_serial == 0 || recorder->serial >= pool->used_serial + REST_FRAMES;
}

struct fgi_pool *fgi_pool_take(struct fgi_recorder *recorder, uint32_t queue)
{
    const struct fgi_device_caps *caps = &recorder->device->caps;
    if (caps->period.num == 0 || caps->queues[queue].valid_bits == 0) {
        return NULL;
    }
    bool statistics = caps->statistics_mask != 0 && (recorder->want & FGI_WANT_STATISTICS) != 0;
    uint32_t indirect_slots =
        caps->indirect && (recorder->want & FGI_WANT_INDIRECT) != 0 ? FGI_INDIRECT_SLOTS : 0;
    for (struct fgi_pool **link = &recorder->free_pools; *link != NULL; link = &(*link)->next) {
        struct fgi_pool *pool = *link;
        if (pool->queue == queue && pool->statistics >= statistics &&
            pool->indirect_slots >= indirect_slots && is_rested(recorder, pool)) {
            *link = pool->next;
            pool->next = NULL;
            pool->results.ready = 0;
            return pool;
        }
    }
    return create_pool(recorder, queue, statistics, indirect_slots);
}

void fgi_pool_give(struct fgi_recorder *recorder, struct fgi_pool *pool)
{
    if (pool != NULL) {
        pool->zombie_used = 0;
        pool->next = recorder->free_pools;
        recorder->free_pools = pool;
    }
}

void fgi_pool_abandon(struct fgi_recorder *recorder, struct fgi_pool *pool, uint32_t used_slots)
{
    if (pool == NULL) {
        return;
    }
    if (used_slots == 0) {
        fgi_pool_give(recorder, pool);
        return;
    }
    pool->zombie_used = used_slots;
    pool->next = recorder->zombies;
    recorder->zombies = pool;
    recorder->zombie_count++;
}

void fgi_pools_poll_zombies(struct fgi_recorder *recorder)
{
    struct fgi_pool **link = &recorder->zombies;
    while (*link != NULL) {
        struct fgi_pool *pool = *link;
        if (fgi_results_read(recorder, pool->timer, NULL, &pool->results, pool->zombie_used) ==
                FG_OK &&
            pool->results.ready >= pool->zombie_used) {
            *link = pool->next;
            recorder->zombie_count--;
            fgi_pool_give(recorder, pool);
        } else {
            link = &pool->next;
        }
    }
}

void fgi_pools_destroy(struct fgi_recorder *recorder)
{
    struct fgi_pool *lists[] = { recorder->free_pools, recorder->zombies };
    for (size_t i = 0; i < 2; i++) {
        while (lists[i] != NULL) {
            struct fgi_pool *pool = lists[i];
            lists[i] = pool->next;
            destroy_pool(recorder, pool);
        }
    }
    recorder->free_pools = recorder->zombies = NULL;
    recorder->zombie_count = 0;
    while (recorder->free_copies != NULL) {
        struct fgi_copy *copy = recorder->free_copies;
        recorder->free_copies = copy->next;
        finish_results(recorder, &copy->results, copy->slots);
        fgi_free(recorder->allocator, copy, sizeof *copy);
    }
}

struct fgi_copy *fgi_copy_take(struct fgi_recorder *recorder, const struct fgi_pool *pool)
{
    uint32_t slots = pool != NULL ? pool->slots : 1;
    bool statistics = pool != NULL && pool->statistics;
    for (struct fgi_copy **link = &recorder->free_copies; *link != NULL; link = &(*link)->next) {
        struct fgi_copy *copy = *link;
        if (copy->slots == slots && copy->statistics == statistics) {
            *link = copy->next;
            copy->next = NULL;
            copy->results.ready = 0;
            return copy;
        }
    }
    struct fgi_copy *copy = fgi_calloc(recorder->allocator, 1, sizeof *copy);
    if (copy == NULL) {
        return NULL;
    }
    copy->slots = slots;
    copy->statistics = statistics;
    if (init_results(recorder, &copy->results, slots, statistics) != FG_OK) {
        fgi_free(recorder->allocator, copy, sizeof *copy);
        return NULL;
    }
    recorder->growth_count++;
    return copy;
}

void fgi_copy_give(struct fgi_recorder *recorder, struct fgi_copy *copy)
{
    if (copy == NULL) {
        return;
    }
    if (copy->landing != NULL) {
        recorder->ops->landing_destroy(recorder->device, copy->landing);
        copy->landing = NULL;
    }
    copy->next = recorder->free_copies;
    recorder->free_copies = copy;
}

static void keep_slot(struct fgi_results *results, uint32_t slot,
                      const struct fgi_slot_result *result)
{
    results->times[slot] = (struct fgi_times){
        .begin_ticks = result->begin_ticks,
        .end_ticks = result->end_ticks,
        .has_begin = result->has_begin,
        .has_end = result->has_end,
        .refused = result->refused,
        .has_statistics = result->has_statistics,
    };
    if (results->statistics != NULL && result->has_statistics) {
        memcpy(&results->statistics[(size_t)slot * FGI_STATISTICS_MAX], result->statistics,
               sizeof result->statistics);
    }
}

static bool is_final(const struct fgi_slot_result *result)
{
    return (result->has_begin && result->has_end) || result->refused;
}

enum fg_result fgi_results_read(struct fgi_recorder *recorder, struct fgi_timer *timer,
                                struct fgi_landing *landing, struct fgi_results *results,
                                uint32_t used)
{
    while (results->ready < used) {
        struct fgi_slot_result chunk[READ_CHUNK] = { 0 };
        uint32_t count = used - results->ready < READ_CHUNK ? used - results->ready : READ_CHUNK;
        enum fg_result result = recorder->ops->timer_read(recorder->device, timer, landing,
                                                          results->ready, count, chunk);
        if (result != FG_OK) {
            return result;
        }
        uint32_t first = results->ready;
        for (uint32_t i = 0; i < count && is_final(&chunk[i]); i++) {
            keep_slot(results, first + i, &chunk[i]);
            results->ready++;
        }
        if (results->ready < first + count) {
            break;
        }
    }
    return FG_OK;
}

void fgi_results_salvage(struct fgi_recorder *recorder, struct fgi_timer *timer,
                         struct fgi_landing *landing, struct fgi_results *results, uint32_t used)
{
    for (uint32_t first = results->ready; first < used; first += READ_CHUNK) {
        struct fgi_slot_result chunk[READ_CHUNK] = { 0 };
        uint32_t count = used - first < READ_CHUNK ? used - first : READ_CHUNK;
        (void)recorder->ops->timer_read(recorder->device, timer, landing, first, count, chunk);
        for (uint32_t i = 0; i < count; i++) {
            keep_slot(results, first + i, &chunk[i]);
        }
    }
}
