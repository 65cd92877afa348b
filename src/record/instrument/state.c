/* SPDX-License-Identifier: MIT */
/*
 * The options of the process's diagnostics, their locks, and what their memory comes from.
 *
 * All of it is made at the first use, and a first use that fails for want of memory leaves nothing
 * behind: the next one tries again. It is never taken down, so that it outlives every thread's end.
 */
#include "record/instrument/instrument_priv.h"

#define DEFAULT_RING_EVENTS    4096u
#define MOST_RING_EVENTS       (1u << 24)
#define DEFAULT_HISTORY_EVENTS 32768u
#define DEFAULT_MEMORY_BYTES   (UINT64_C(8) << 20)

struct fg_instrument_losses fgi_losses;
struct fgi_mutex *fgi_drain_lock, *fgi_threads_lock, *fgi_metrics_lock, *fgi_names_lock,
    *fgi_objects_lock, *fgi_history_lock, *fgi_writer_lock;

enum stage {
    STAGE_UNUSED,
    STAGE_STARTING,
    STAGE_READY,
    STAGE_FORKED, /* this is a child of the process that was instrumented: it does nothing */
};
static uint32_t stage;
static struct fg_instrument_options options;
static uint64_t owned_bytes;

/* ---- memory ---------------------------------------------------------------------------------- */

/*
 * While the application's allocator runs, the diagnostics do nothing on that thread: an allocator
 * that is instrumented itself would otherwise come back for locks that this thread holds.
 */
static _Thread_local uint32_t allocating;

static void *counting_resize(void *context, void *block, size_t old_size, size_t size)
{
    const struct fg_allocator *allocator = fgi_allocator(options.allocator);
    (void)context;
    allocating++;
    void *moved = allocator->resize(allocator->context, block, old_size, size);
    allocating--;
    if (moved != NULL || size == 0) {
        (void)__atomic_fetch_add(&owned_bytes, (uint64_t)size - old_size, __ATOMIC_RELAXED);
    }
    return moved;
}

static const struct fg_allocator counting = { .resize = counting_resize };

const struct fg_allocator *fgi_instrument_allocator(void)
{
    return &counting;
}

uint64_t fg_instrument_owned_bytes(void)
{
    return fgi_threads_fixed_bytes() + __atomic_load_n(&owned_bytes, __ATOMIC_RELAXED);
}

/* ---- the first use --------------------------------------------------------------------------- */

static void in_child(void)
{
    /* Locks may be held by threads that the child does not have: from here on none is taken. */
    __atomic_store_n(&stage, STAGE_FORKED, __ATOMIC_RELEASE);
    fgi_mode_end();
}

static struct fgi_mutex **const locks[] = {
    &fgi_drain_lock,   &fgi_threads_lock, &fgi_metrics_lock, &fgi_names_lock,
    &fgi_objects_lock, &fgi_history_lock, &fgi_writer_lock,
};

static void drop_locks(void)
{
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; i++) {
        fgi_mutex_destroy(*locks[i]);
        *locks[i] = NULL;
    }
}

static uint32_t power_of_two(uint32_t at_least)
{
    uint32_t power = FGI_RING_EVENTS_MIN;
    while (power < at_least) {
        power *= 2;
    }
    return power;
}

static void fill_options(const struct fg_instrument_options *given)
{
    options = given != NULL ? *given : (struct fg_instrument_options){ 0 };
    options.ring_events =
        options.ring_events == 0 ? DEFAULT_RING_EVENTS : power_of_two(options.ring_events);
    if (options.history_events == 0) {
        options.history_events = DEFAULT_HISTORY_EVENTS;
    }
    if (options.memory_max_bytes == 0) {
        options.memory_max_bytes = DEFAULT_MEMORY_BYTES;
    }
}

/* Each step keeps what it made for good or leaves nothing, so that it can be repeated. */
static enum fg_result make_all(void)
{
    static bool watches_forks;
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof locks / sizeof locks[0] && result == FG_OK; i++) {
        result = fgi_mutex_create(&counting, locks[i]);
    }
    if (result == FG_OK) {
        result = fgi_threads_start();
    }
    if (result == FG_OK && !watches_forks) {
        result = fgi_fork_watch(in_child);
        watches_forks = result == FG_OK;
    }
    if (result != FG_OK) {
        drop_locks();
        return result;
    }
    fgi_ticks_start(options.clock);
    return FG_OK;
}

/* FG_ERR_STATE: it was in use before. */
static enum fg_result start(const struct fg_instrument_options *given)
{
    uint32_t expected = STAGE_UNUSED;
    /* Pairs with the releases below: what the one before left is seen. */
    while (!__atomic_compare_exchange_n(&stage, &expected, STAGE_STARTING, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE)) {
        if (expected != STAGE_STARTING) {
            return FG_ERR_STATE;
        }
        fgi_sleep_ns(1000);
        expected = STAGE_UNUSED;
    }
    fill_options(given);
    const enum fg_result result = make_all();
    __atomic_store_n(&stage, result == FG_OK ? STAGE_READY : STAGE_UNUSED, __ATOMIC_RELEASE);
    return result;
}

bool fgi_instrument_ready(void)
{
    if (allocating != 0) {
        return false;
    }
    /* Pairs with the release in start(): locks and options are there. */
    const uint32_t now = __atomic_load_n(&stage, __ATOMIC_ACQUIRE);
    if (now == STAGE_READY || now == STAGE_FORKED) {
        return now == STAGE_READY;
    }
    const enum fg_result result = start(NULL);
    return result == FG_OK ||
           (result == FG_ERR_STATE && __atomic_load_n(&stage, __ATOMIC_ACQUIRE) == STAGE_READY);
}

const struct fg_instrument_options *fgi_instrument_options(void)
{
    (void)fgi_instrument_ready();
    return &options;
}

enum fg_result fg_instrument_configure(const struct fg_instrument_options *given)
{
    if (given == NULL || given->ring_events > MOST_RING_EVENTS || given->writer_period_ns < 0 ||
        (given->clock != FG_INSTRUMENT_CLOCK_BEST &&
         given->clock != FG_INSTRUMENT_CLOCK_MONOTONIC)) {
        return FG_ERR_ARGUMENT;
    }
    return allocating != 0 ? FG_ERR_STATE : start(given);
}
