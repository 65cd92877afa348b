/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of draw entry points. A wrapper is called without any context, so each entry point has
 * one wrapper per counter that can be enabled (an instance), with its state in static memory.
 */
#ifndef FGI_DRAWS_PRIV_H
#define FGI_DRAWS_PRIV_H
#include "gpu/draws/draw_counts.h"
#include "gpu/draws/slots.h"

/** One entry point. */
struct fgi_draw_entry {
    const char *name;
    fgi_slot_function wrappers[FG_DRAW_COUNTERS_MAX];
    _Atomic(fgi_slot_function) *originals; /**< FG_DRAW_COUNTERS_MAX */
};

/** The entry points of one API. */
struct fgi_draw_api {
    const struct fgi_draw_entry *entries;
    size_t count;
};
extern const struct fgi_draw_api fgi_draws_opengl;
extern const struct fgi_draw_api fgi_draws_vulkan; /**< empty without Vulkan's headers */

/* In every wrapper: there it is known which numbers are 0, and the others stay in registers. */
#if defined(__GNUC__)
#define FGI_DRAWS_INLINE static inline __attribute__((always_inline))
#else
#define FGI_DRAWS_INLINE static inline
#endif

#define FGI_DRAWS_FIELDS (sizeof(struct fg_draw_counts) / sizeof(uint64_t))
/* Of these, all but the first belong to one thread each; the threads after them share the first. */
#define FGI_DRAWS_SHARDS 32

/** Only ever growing, so that nobody has to stop while sums are taken. */
struct fgi_draw_shard {
    _Alignas(128) atomic_ullong fields[FGI_DRAWS_FIELDS];
};
struct fgi_draw_instance {
    struct fgi_draw_shard shards[FGI_DRAWS_SHARDS];
    atomic_uint serial; /**< of the enabling that counts; 0 = only forwards */
};
extern struct fgi_draw_instance fgi_draw_instances[FG_DRAW_COUNTERS_MAX];

/** Of the calling thread. By the serial, a pause ends with the enabling that it was made for. */
struct fgi_draw_thread {
    bool known;
    unsigned shard;
    struct {
        unsigned serial;
        unsigned depth;
    } pauses[FG_DRAW_COUNTERS_MAX];
};
extern _Thread_local struct fgi_draw_thread fgi_draw_thread;
/** The thread counts for the first time. */
void fgi_draws_meet_thread(void);

FGI_DRAWS_INLINE void fgi_draws_add(struct fgi_draw_shard *shard, size_t field, uint64_t value,
                                    bool shared)
{
    if (value == 0) { /* known when compiled, mostly */
        return;
    }
    if (shared) {
        atomic_fetch_add_explicit(&shard->fields[field], value, memory_order_relaxed);
    } else {
        uint64_t sum = atomic_load_explicit(&shard->fields[field], memory_order_relaxed);
        atomic_store_explicit(&shard->fields[field], sum + value, memory_order_relaxed);
    }
}

/** Add one call to an instance, unless it is not counting or the thread has paused it. */
FGI_DRAWS_INLINE void fgi_draws_count(unsigned instance, struct fg_draw_counts call)
{
    unsigned serial =
        atomic_load_explicit(&fgi_draw_instances[instance].serial, memory_order_relaxed);
    if (serial == 0 || (fgi_draw_thread.pauses[instance].depth != 0 &&
                        fgi_draw_thread.pauses[instance].serial == serial)) {
        return;
    }
    if (!fgi_draw_thread.known) {
        fgi_draws_meet_thread();
    }
    bool shared = fgi_draw_thread.shard == 0;
    struct fgi_draw_shard *shard = &fgi_draw_instances[instance].shards[fgi_draw_thread.shard];
#define FGI_DRAWS_ADD(name)                                                                        \
    fgi_draws_add(shard, offsetof(struct fg_draw_counts, name) / sizeof(uint64_t), call.name,      \
                  shared)
    FGI_DRAWS_ADD(calls);
    FGI_DRAWS_ADD(draws);
    FGI_DRAWS_ADD(vertices);
    FGI_DRAWS_ADD(indices);
    FGI_DRAWS_ADD(instances);
    FGI_DRAWS_ADD(unsized_draws);
    FGI_DRAWS_ADD(uncounted_calls);
    FGI_DRAWS_ADD(uncounted_draws_max);
    FGI_DRAWS_ADD(dispatches);
    FGI_DRAWS_ADD(workgroups);
    FGI_DRAWS_ADD(traces);
#undef FGI_DRAWS_ADD
    _Static_assert(FGI_DRAWS_FIELDS == 11, "every field is added");
}

/*
 * From a list X(instance, name, parameters, arguments, counted) in LIST(X, instance): the wrappers
 * of all instances, and the table of entries. PREFIX and CALL are how the API names and calls its
 * functions.
 */
#define FGI_DRAWS_INDEX(instance, name, parameters, arguments, counted) INDEX_##name,
#define FGI_DRAWS_WRAPPER(instance, name, parameters, arguments, counted)                          \
    static void FGI_DRAWS_CALL wrap_##name##_##instance parameters                                 \
    {                                                                                              \
        fgi_draws_count(instance, counted);                                                        \
        /* relaxed: the slot that led here was written after it, by enable's release */            \
        ((void(FGI_DRAWS_CALL *) parameters)atomic_load_explicit(                                  \
            &originals[INDEX_##name][instance], memory_order_relaxed)) arguments;                  \
    }
#define FGI_DRAWS_ENTRY(instance, name, parameters, arguments, counted)                            \
    { FGI_DRAWS_PREFIX #name,                                                                      \
      { (fgi_slot_function)wrap_##name##_0, (fgi_slot_function)wrap_##name##_1,                    \
        (fgi_slot_function)wrap_##name##_2, (fgi_slot_function)wrap_##name##_3 },                  \
      originals[INDEX_##name] },
#define FGI_DRAWS_API(api, LIST)                                                                   \
    enum { LIST(FGI_DRAWS_INDEX, 0) ENTRY_COUNT };                                                 \
    static _Atomic(fgi_slot_function) originals[ENTRY_COUNT][FG_DRAW_COUNTERS_MAX];                \
    LIST(FGI_DRAWS_WRAPPER, 0)                                                                     \
    LIST(FGI_DRAWS_WRAPPER, 1)                                                                     \
    LIST(FGI_DRAWS_WRAPPER, 2)                                                                     \
    LIST(FGI_DRAWS_WRAPPER, 3)                                                                     \
    static const struct fgi_draw_entry entries[] = { LIST(FGI_DRAWS_ENTRY, 0) };                   \
    const struct fgi_draw_api api = { entries, ENTRY_COUNT };
_Static_assert(FG_DRAW_COUNTERS_MAX == 4, "one wrapper per counter");

#endif
