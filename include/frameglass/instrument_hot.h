/* SPDX-License-Identifier: MIT */
/*
 * What the macros of instrument.h expand to: the few loads and stores that a zone, a marker or a
 * counter costs. The structures are here so that they can be inlined; they are no interface, their
 * layout is the same at every level, and only the functions below and the recorder touch them.
 *
 * A compiler without GNU's extensions calls the same functions of the library instead.
 */
#ifndef FG_INSTRUMENT_HOT_H
#define FG_INSTRUMENT_HOT_H
#include <frameglass/capture_cnatrace.h>
FG_BEGIN_DECLS

#define FG_ZONE_DEPTH_MAX 64  /* open zones of one thread */
#define FG_METRICS_MAX    512 /* metrics of the process */

/** Kinds of what a thread writes into its ring. Numbers as in docs/FORMAT.md, ZRAW. */
enum fg_ring_kind {
    FG_RING_NONE = 0,
    FG_RING_MARK = 3,           /**< `value` is the marker's */
    FG_RING_ZONE = 6,           /**< a zone that ended: `value` is its begin in ticks */
    FG_RING_ZONE_FORCED = 7,    /**< the same, ended by the end of an outer zone */
    FG_RING_OBJECT_CREATED = 8, /**< `value` is the object's id */
    FG_RING_OBJECT_DESTROYED = 9,
    FG_RING_MALFORMED = 10, /**< an end that fits no open zone; `value` is its begin, if known */
};

/** 32 bytes; the first 24 lie as in a ZRAW record. */
struct fg_ring_event {
    uint64_t ticks; /**< when it was written: the end of a zone */
    uint32_t label; /**< name << 3 | category */
    uint16_t kind;  /**< enum fg_ring_kind */
    uint16_t depth; /**< zones open around it */
    uint64_t value;
    uint32_t serial; /**< number of the zone in its thread, from 1; 0 = not a zone */
    uint32_t parent; /**< serial of the zone around it; 0 = none */
};

struct fg_zone_slot {
    uint64_t begin_ticks;
    uint32_t label;
    uint32_t serial;
};

/** What one thread writes and nobody else. Others read it with relaxed or acquire loads. */
struct fg_thread_context {
    uint32_t state; /**< fg_instrument_state for which all below is valid; differs = slow path */
    uint32_t zone_state;  /**< the same where zones may take the quick path; else never equal */
    uint32_t depth;       /**< open zones */
    uint32_t serial;      /**< of the zone that was begun last */
    uint32_t thread;      /**< number, from 1, never reused */
    uint32_t ring_mask;   /**< size - 1; the size is a power of two */
    uint64_t thread_bits; /**< thread << 32 */
    uint64_t head;        /**< events written so far; stored with release */
    uint64_t limit;       /**< head at which the ring may be full: then the slow path looks */
    struct fg_ring_event *ring;
    /** [1] to [depth], outermost first; [0] stays zero: what is around the outermost. */
    struct fg_zone_slot open[1 + FG_ZONE_DEPTH_MAX];
    int64_t counted[FG_METRICS_MAX]; /**< what this thread added to each counter */
};

/**
 * Mode in bits 0 and 1, generation above. Written when the mode changes, read by everything.
 * A thread's context with another state takes the slow path, which sets it right.
 */
FG_API extern uint32_t fg_instrument_state;

/** An open zone. Inactive when zero: ending it does nothing. */
struct fg_zone {
    uint64_t id;    /**< thread << 32 | serial; 0 = inactive */
    uint32_t state; /**< fg_instrument_state when it began */
    uint32_t depth; /**< zones open around it */
};

/** A place in the program, filled at its first use. */
struct fg_site {
    uint32_t label;  /**< name << 3 | category; 0 = not yet; UINT32_MAX = refused */
    uint32_t metric; /**< id; 0 = not yet; UINT32_MAX = refused */
};

/*
 * What the quick paths fall back to, and all there is for other compilers. A library of level STATS
 * has no zones and markers of these, one of level OFF none of them.
 */
FG_API struct fg_zone fg_zone_begin_at(struct fg_site *site, const char *name,
                                       enum fg_category category);
FG_API bool fg_zone_end(struct fg_zone zone);
FG_API void fg_mark_at(struct fg_site *site, const char *name, enum fg_category category,
                       int64_t value);
/**
 * Register the place's metric; its id, or 0.
 *
 * @param kind enum fg_metric_kind
 * @param unit enum fg_unit
 */
FG_API uint32_t fg_metric_at(struct fg_site *site, const char *name, int kind, int unit);
FG_API void fg_counter_add_at(struct fg_site *site, const char *name, int kind, int unit,
                              int64_t amount);

#if defined(__GNUC__)
#define FG_LIKELY(condition) __builtin_expect(!!(condition), 1)

/** Never NULL: a thread without a context has one that is valid for no state. */
FG_API extern __thread struct fg_thread_context *fg_thread_context
    __attribute__((tls_model("initial-exec")));

/** The processor's counter, where fgi_ticks_clock() found it invariant. */
static inline uint64_t fg_hot_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0; /* no counter: zone_state is never equal */
#endif
}

/*
 * Another thread may look at the open zones at any time (stopping a recording, a crash). It takes
 * them for one moment's when `serial` and `depth` are the same before and after; therefore the
 * serial is stored before the slot, and the slot before the depth.
 */
static inline struct fg_zone fg_hot_push(struct fg_thread_context *context, uint32_t state,
                                         uint32_t label, uint64_t ticks)
{
    const uint32_t next = context->serial + 1, depth = context->depth;
    const uint32_t serial = next + (next == 0); /* 0 is no zone's, also after 2^32 of them */
    struct fg_zone_slot *slot = &context->open[depth + 1];
    struct fg_zone zone;
    zone.id = context->thread_bits | serial;
    zone.state = state;
    zone.depth = depth;
    __atomic_store_n(&context->serial, serial, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->label, label, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->serial, serial, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->begin_ticks, ticks, __ATOMIC_RELEASE);
    __atomic_store_n(&context->depth, depth + 1, __ATOMIC_RELEASE);
    return zone;
}

static inline void fg_hot_count(struct fg_thread_context *context, uint32_t slot, int64_t amount)
{
    /* Wraps around like the sum that it is a part of. */
    const uint64_t sum = (uint64_t)context->counted[slot] + (uint64_t)amount;
    __atomic_store_n(&context->counted[slot], (int64_t)sum, __ATOMIC_RELAXED);
}
#endif

/* FG_INSTRUMENT_CALLS: the macros call the library with every compiler, as bindings do. */
#if defined(__GNUC__) && !defined(FG_INSTRUMENT_CALLS)
static inline struct fg_zone fg_hot_zone_begin(struct fg_site *site, const char *name,
                                               enum fg_category category)
{
    const uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    if ((state & 2) == 0) {
        const struct fg_zone inactive = { 0, 0, 0 };
        return inactive;
    }
    struct fg_thread_context *context = fg_thread_context;
    const uint32_t label = __atomic_load_n(&site->label, __ATOMIC_RELAXED);
    /* One more than fits is the slow path's to refuse; so are labels 0 and UINT32_MAX. */
    if (FG_LIKELY(context->zone_state == state && context->depth < FG_ZONE_DEPTH_MAX &&
                  label - 1 < UINT32_MAX - 1)) {
        return fg_hot_push(context, state, label, fg_hot_ticks());
    }
    return fg_zone_begin_at(site, name, category);
}

static inline bool fg_hot_zone_end(struct fg_zone zone)
{
    if (zone.id == 0) {
        return true;
    }
    const uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    struct fg_thread_context *context = fg_thread_context;
    const uint32_t depth = context->depth;
    const struct fg_zone_slot *slot = &context->open[depth];
    const uint64_t head = context->head;
    /*
     * The innermost of this thread, and there is room. With depth 0 the slot's serial is 0, which
     * no zone has; and a zone of an older state is on no list that is valid for this one.
     */
    if (FG_LIKELY((((context->thread_bits | slot->serial) ^ zone.id) |
                   (context->zone_state ^ state)) == 0 &&
                  head != context->limit)) {
        struct fg_ring_event *event = &context->ring[head & context->ring_mask];
        event->label = slot->label;
        event->kind = FG_RING_ZONE;
        event->depth = (uint16_t)(depth - 1);
        event->value = slot->begin_ticks;
        event->serial = slot->serial;
        event->parent = slot[-1].serial;
        __atomic_store_n(&context->depth, depth - 1, __ATOMIC_RELAXED);
        event->ticks = fg_hot_ticks();
        /* Pairs with the acquire load of whoever empties the ring. */
        __atomic_store_n(&context->head, head + 1, __ATOMIC_RELEASE);
        return true;
    }
    return fg_zone_end(zone);
}

static inline void fg_hot_mark(struct fg_site *site, const char *name, enum fg_category category,
                               int64_t value)
{
    const uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    if ((state & 2) == 0) {
        return;
    }
    struct fg_thread_context *context = fg_thread_context;
    const uint32_t label = __atomic_load_n(&site->label, __ATOMIC_RELAXED);
    const uint64_t head = context->head;
    if (FG_LIKELY(context->zone_state == state && label - 1 < UINT32_MAX - 1 &&
                  head != context->limit)) {
        const uint32_t depth = context->depth;
        struct fg_ring_event *event = &context->ring[head & context->ring_mask];
        event->label = label;
        event->kind = FG_RING_MARK;
        event->depth = (uint16_t)depth;
        event->value = (uint64_t)value;
        event->serial = 0;
        event->parent = context->open[depth].serial;
        event->ticks = fg_hot_ticks();
        __atomic_store_n(&context->head, head + 1, __ATOMIC_RELEASE);
        return;
    }
    fg_mark_at(site, name, category, value);
}

/** Counters and frame counters: this thread's own share, which is added up where it is read. */
static inline void fg_hot_counter_add(struct fg_site *site, const char *name, int kind, int unit,
                                      int64_t amount)
{
    const uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    if ((state & 3) == 0) {
        return;
    }
    struct fg_thread_context *context = fg_thread_context;
    const uint32_t slot = __atomic_load_n(&site->metric, __ATOMIC_RELAXED) - 1;
    if (FG_LIKELY(context->state == state && slot < FG_METRICS_MAX)) {
        fg_hot_count(context, slot, amount);
        return;
    }
    fg_counter_add_at(site, name, kind, unit, amount);
}

/** Id of the place's metric, or 0. */
static inline uint32_t fg_hot_metric(struct fg_site *site, const char *name, int kind, int unit)
{
    const uint32_t id = __atomic_load_n(&site->metric, __ATOMIC_RELAXED);
    return FG_LIKELY(id - 1 < FG_METRICS_MAX) ? id : fg_metric_at(site, name, kind, unit);
}
#else
static inline struct fg_zone fg_hot_zone_begin(struct fg_site *site, const char *name,
                                               enum fg_category category)
{
    return fg_zone_begin_at(site, name, category);
}
static inline bool fg_hot_zone_end(struct fg_zone zone)
{
    return fg_zone_end(zone);
}
static inline void fg_hot_mark(struct fg_site *site, const char *name, enum fg_category category,
                               int64_t value)
{
    fg_mark_at(site, name, category, value);
}
static inline void fg_hot_counter_add(struct fg_site *site, const char *name, int kind, int unit,
                                      int64_t amount)
{
    fg_counter_add_at(site, name, kind, unit, amount);
}
static inline uint32_t fg_hot_metric(struct fg_site *site, const char *name, int kind, int unit)
{
    return fg_metric_at(site, name, kind, unit);
}
#endif

FG_END_DECLS
#endif
