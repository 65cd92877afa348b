/* SPDX-License-Identifier: MIT */
/*
 * The threads that write: each has a context from its first event, zone or count to its end. Then
 * its ring is emptied, what it counted goes to the sums of the retired, and its memory back.
 *
 * `threads` guards the list, the retired sums and the names. What a thread writes on its hot path
 * nobody else does; how others read it is said in instrument_hot.h.
 */
#include "record/instrument/instrument_priv.h"

#include <string.h>

enum {
    ENDS_MAX = 3, /* contexts that a thread may get again after its end began */
    LOOKS_MAX = 100,
};
#define NO_STATE UINT32_MAX /* its mode would be 3: never a state */

/* What a thread without a context has: valid for no state, so that only slow paths see it. */
static struct fg_thread_context nothing = { .state = NO_STATE, .zone_state = NO_STATE };
__thread struct fg_thread_context *fg_thread_context = &nothing;

static struct fgi_thread_key key;
static struct fgi_producer *first;
static int64_t retired[FG_METRICS_MAX];
static uint32_t last_number;
static uint64_t room_used;      /* bytes of contexts and rings */
static uint32_t room_epoch = 1; /* goes up when room comes back */
static bool frozen;

/* Of the calling thread. */
static _Thread_local uint32_t refused_epoch; /* there was no room at this one */
static _Thread_local uint32_t ends;
static _Thread_local char wanted_name[64];

/* ---- room ------------------------------------------------------------------------------------ */

static bool take_room(uint64_t bytes)
{
    const uint64_t most = fgi_instrument_options()->memory_max_bytes;
    uint64_t used = __atomic_load_n(&room_used, __ATOMIC_RELAXED);
    do {
        if (bytes > most || used > most - bytes) {
            return false;
        }
    } while (!__atomic_compare_exchange_n(&room_used, &used, used + bytes, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return true;
}

static void give_room(uint64_t bytes)
{
    (void)__atomic_fetch_sub(&room_used, bytes, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&room_epoch, 1, __ATOMIC_RELAXED);
}

static void *take_memory(uint64_t bytes)
{
    void *memory = NULL;
    if (take_room(bytes)) {
        memory = fgi_calloc(fgi_instrument_allocator(), 1, (size_t)bytes);
        if (memory == NULL) {
            (void)__atomic_fetch_sub(&room_used, bytes, __ATOMIC_RELAXED);
        }
    }
    return memory;
}

uint64_t fgi_threads_fixed_bytes(void)
{
    return sizeof nothing + sizeof retired;
}

/* ---- making one ------------------------------------------------------------------------------ */

/* Before anything is written for a state: zones of the one before are given up. */
static void set_right(struct fg_thread_context *context, uint32_t state)
{
    if (context->state != state) {
        const bool is_quick =
            fgi_state_mode(state) == FG_INSTRUMENT_FULL && fgi_ticks_are_counted();
        __atomic_store_n(&context->depth, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&context->state, state, __ATOMIC_RELEASE);
        context->zone_state = is_quick ? state : NO_STATE;
    }
}

static bool enter_list(struct fgi_producer *thread)
{
    bool is_in = false;
    fgi_mutex_lock(fgi_threads_lock);
    if (last_number != UINT32_MAX) {
        thread->context.thread = ++last_number;
        thread->context.thread_bits = (uint64_t)last_number << 32;
        thread->next = first;
        /* Release: a signal handler that sees it sees it whole. */
        __atomic_store_n(&first, thread, __ATOMIC_RELEASE);
        is_in = true;
    }
    fgi_mutex_unlock(fgi_threads_lock);
    return is_in;
}

static struct fgi_producer *make(void)
{
    const uint32_t epoch = __atomic_load_n(&room_epoch, __ATOMIC_RELAXED);
    if (refused_epoch == epoch || ends >= ENDS_MAX) {
        return NULL;
    }
    struct fgi_producer *thread = take_memory(sizeof *thread);
    if (thread == NULL) {
        refused_epoch = epoch;
        return NULL;
    }
    thread->context.state = NO_STATE;
    thread->context.zone_state = NO_STATE;
    thread->os_id = fgi_thread_os_id();
    thread->number = fgi_thread_number();
    if (wanted_name[0] != 0) {
        memcpy(thread->name, wanted_name, sizeof thread->name);
    } else {
        fgi_thread_os_name(thread->name, sizeof thread->name);
    }
    if (!fgi_thread_key_set(key, thread) || !enter_list(thread)) {
        (void)fgi_thread_key_set(key, NULL);
        fgi_free(fgi_instrument_allocator(), thread, sizeof *thread);
        give_room(sizeof *thread);
        refused_epoch = epoch;
        return NULL;
    }
    fg_thread_context = &thread->context;
    return thread;
}

struct fgi_producer *fgi_thread_own(void)
{
    const uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    if (fgi_state_mode(state) == FG_INSTRUMENT_OFF || !fgi_instrument_ready()) {
        return NULL;
    }
    struct fg_thread_context *context = fg_thread_context;
    /* A context is the first member of its producer. */
    struct fgi_producer *thread =
        context != &nothing ? (struct fgi_producer *)(void *)context : make();
    if (thread != NULL) {
        set_right(&thread->context, state);
    }
    return thread;
}

/* ---- its ring -------------------------------------------------------------------------------- */

/*
 * As large as the options say while an eighth of all room is left after it; then a quarter of what
 * is left, so that threads that come late find something too.
 */
static uint64_t ring_bytes_max(void)
{
    const uint64_t most = fgi_instrument_options()->memory_max_bytes;
    const uint64_t used = __atomic_load_n(&room_used, __ATOMIC_RELAXED);
    const uint64_t left = used < most ? most - used : 0;
    return left > most / 8 && left - most / 8 > left / 4 ? left - most / 8 : left / 4;
}

static void make_ring(struct fg_thread_context *context)
{
    const uint32_t epoch = __atomic_load_n(&room_epoch, __ATOMIC_RELAXED);
    if (refused_epoch == epoch) {
        return;
    }
    const uint64_t most = ring_bytes_max();
    for (uint32_t events = fgi_instrument_options()->ring_events; events >= FGI_RING_EVENTS_MIN;
         events /= 2) {
        const uint64_t bytes = (uint64_t)events * sizeof *context->ring;
        const bool may = bytes <= most || events == FGI_RING_EVENTS_MIN;
        struct fg_ring_event *ring = may ? take_memory(bytes) : NULL;
        if (ring != NULL) {
            context->ring = ring;
            context->ring_mask = events - 1;
            context->limit = events;
            return;
        }
    }
    refused_epoch = epoch;
}

static bool make_room(struct fgi_producer *thread)
{
    struct fg_thread_context *context = &thread->context;
    if (context->ring == NULL) {
        make_ring(context);
    } else {
        /* Pairs with the release of whoever empties the ring: the events are read by now. */
        context->limit = __atomic_load_n(&thread->tail, __ATOMIC_ACQUIRE) + context->ring_mask + 1;
    }
    return context->head != context->limit;
}

void fgi_thread_write(const struct fg_ring_event *event)
{
    struct fgi_producer *thread = fgi_thread_own();
    if (thread == NULL) {
        fgi_loss_add(&fgi_losses.producer_drops, 1);
        return;
    }
    struct fg_thread_context *context = &thread->context;
    const uint64_t head = context->head;
    if (head == context->limit && !make_room(thread)) {
        __atomic_store_n(&thread->dropped_ticks, event->ticks, __ATOMIC_RELAXED);
        /* Release: whoever sees the loss sees when it was. */
        __atomic_store_n(&thread->dropped, thread->dropped + 1, __ATOMIC_RELEASE);
        return;
    }
    context->ring[head & context->ring_mask] = *event;
    __atomic_store_n(&context->head, head + 1, __ATOMIC_RELEASE);
}

/* ---- its end --------------------------------------------------------------------------------- */

static void leave_list(struct fgi_producer *thread)
{
    struct fgi_producer **link = &first;
    fgi_mutex_lock(fgi_threads_lock);
    while (*link != thread) {
        link = &(*link)->next;
    }
    __atomic_store_n(link, thread->next, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < FG_METRICS_MAX; i++) {
        retired[i] = (int64_t)((uint64_t)retired[i] + (uint64_t)thread->context.counted[i]);
    }
    fgi_mutex_unlock(fgi_threads_lock);
}

/* What could not be given to anybody; only where the thread ends inside of a source. */
static void count_left(const struct fgi_producer *thread)
{
    fgi_loss_add(&fgi_losses.producer_drops,
                 thread->context.head - thread->tail + thread->dropped - thread->dropped_taken);
}

static void thread_ends(void *value)
{
    struct fgi_producer *thread = value;
    const struct fg_allocator *allocator = fgi_instrument_allocator();
    ends++;
    if (!fgi_instrument_ready() || __atomic_load_n(&frozen, __ATOMIC_ACQUIRE)) {
        fg_thread_context = &nothing;
        return; /* a fork's child, whose locks are not to be taken; or the process is dying */
    }
    /*
     * Both under one hold of `drain`: a session that is stopped meanwhile has the thread whole, or
     * not at all. Refused only where the thread ends inside of what a drain calls.
     */
    const bool is_draining = fgi_drain_enter();
    if (is_draining) {
        fgi_zones_end_by_force();
        fgi_drain_thread(thread);
    }
    fg_thread_context = &nothing;
    leave_list(thread);
    if (is_draining) {
        fgi_drain_leave();
    }
    count_left(thread);
    uint64_t bytes = sizeof *thread;
    if (thread->context.ring != NULL) {
        const uint64_t ring_bytes =
            ((uint64_t)thread->context.ring_mask + 1) * sizeof *thread->context.ring;
        fgi_free(allocator, thread->context.ring, (size_t)ring_bytes);
        bytes += ring_bytes;
    }
    fgi_free(allocator, thread, sizeof *thread);
    give_room(bytes);
}

enum fg_result fgi_threads_start(void)
{
    static bool has_key;
    if (!has_key) {
        const enum fg_result result = fgi_thread_key_create(thread_ends, &key);
        if (result != FG_OK) {
            return result;
        }
        has_key = true;
    }
    return FG_OK;
}

/* ---- seen from outside ----------------------------------------------------------------------- */

void fgi_threads_each(void (*visit)(void *context, struct fgi_producer *thread), void *context)
{
    fgi_mutex_lock(fgi_threads_lock);
    for (struct fgi_producer *thread = first; thread != NULL; thread = thread->next) {
        visit(context, thread);
    }
    fgi_mutex_unlock(fgi_threads_lock);
}

int64_t fgi_threads_retired(uint32_t metric_slot)
{
    return retired[metric_slot];
}

struct fgi_producer *fgi_threads_first_unlocked(void)
{
    return __atomic_load_n(&first, __ATOMIC_ACQUIRE);
}

void fgi_threads_freeze(void)
{
    __atomic_store_n(&frozen, true, __ATOMIC_RELEASE);
}

uint32_t fgi_thread_open_zones(const struct fgi_producer *thread, struct fg_zone_slot *open)
{
    const struct fg_thread_context *context = &thread->context;
    /* Every load acquires, so that the second look at serial and depth comes after the slots. */
    for (int look = 0; look < LOOKS_MAX; look++) {
        const uint32_t serial = __atomic_load_n(&context->serial, __ATOMIC_ACQUIRE);
        const uint32_t depth = __atomic_load_n(&context->depth, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&context->state, __ATOMIC_ACQUIRE) !=
            __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED)) {
            return 0; /* given up with their generation */
        }
        for (uint32_t i = 0; i < depth; i++) {
            const struct fg_zone_slot *slot = &context->open[i + 1];
            open[i].begin_ticks = __atomic_load_n(&slot->begin_ticks, __ATOMIC_ACQUIRE);
            open[i].label = __atomic_load_n(&slot->label, __ATOMIC_ACQUIRE);
            open[i].serial = __atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE);
        }
        if (serial == __atomic_load_n(&context->serial, __ATOMIC_RELAXED) &&
            depth == __atomic_load_n(&context->depth, __ATOMIC_RELAXED)) {
            return depth;
        }
    }
    return 0;
}

void fg_thread_set_name(const char *name)
{
    if (name != NULL) {
        const size_t size = strnlen(name, sizeof wanted_name - 1);
        memcpy(wanted_name, name, size);
        memset(wanted_name + size, 0, sizeof wanted_name - size);
    } else {
        memset(wanted_name, 0, sizeof wanted_name);
    }
    struct fgi_producer *thread = fgi_thread_own();
    if (thread != NULL) {
        char os_name[sizeof wanted_name] = "";
        fgi_thread_os_name(os_name, sizeof os_name);
        fgi_mutex_lock(fgi_threads_lock);
        memcpy(thread->name, name != NULL ? wanted_name : os_name, sizeof thread->name);
        fgi_mutex_unlock(fgi_threads_lock);
    }
}
