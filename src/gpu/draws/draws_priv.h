/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of draw entry points. A wrapper is called without any context, so each entry point has
 * one wrapper per counter that can be enabled (an instance), with its state in static memory.
 */
#ifndef FGI_DRAWS_PRIV_H
#define FGI_DRAWS_PRIV_H
#include <frameglass/draw_counter.h>
#include <stdatomic.h>

typedef void (*fgi_draw_function)(void);

/** One entry point. */
struct fgi_draw_entry {
    const char *name;
    fgi_draw_function wrappers[FG_DRAW_COUNTERS_MAX];
    /** What the slot held. Written before the wrapper is put in, read by the wrapper. */
    _Atomic(fgi_draw_function) *originals; /**< FG_DRAW_COUNTERS_MAX */
};

/** The entry points of one API. */
struct fgi_draw_api {
    const struct fgi_draw_entry *entries;
    size_t count;
};
extern const struct fgi_draw_api fgi_draws_opengl;
extern const struct fgi_draw_api fgi_draws_vulkan; /**< empty without Vulkan's headers */

/** Add one call to an instance, unless it is not counting or the thread has paused it. */
void fgi_draws_count(unsigned instance, const struct fg_draw_counts *call);

/*
 * From a list X(instance, name, parameters, arguments, counted) in LIST(X, instance): the wrappers
 * of all instances, and the table of entries. PREFIX and CALL are how the API names and calls its
 * functions.
 */
#define FGI_DRAWS_INDEX(instance, name, parameters, arguments, counted) INDEX_##name,
#define FGI_DRAWS_WRAPPER(instance, name, parameters, arguments, counted)                          \
    static void FGI_DRAWS_CALL wrap_##name##_##instance parameters                                 \
    {                                                                                              \
        const struct fg_draw_counts call = counted;                                                \
        fgi_draws_count(instance, &call);                                                          \
        /* relaxed: the slot that led here was written after it, by enable's release */            \
        ((void(FGI_DRAWS_CALL *) parameters)atomic_load_explicit(                                  \
            &originals[INDEX_##name][instance], memory_order_relaxed)) arguments;                  \
    }
#define FGI_DRAWS_ENTRY(instance, name, parameters, arguments, counted)                            \
    { FGI_DRAWS_PREFIX #name,                                                                      \
      { (fgi_draw_function)wrap_##name##_0, (fgi_draw_function)wrap_##name##_1,                    \
        (fgi_draw_function)wrap_##name##_2, (fgi_draw_function)wrap_##name##_3 },                  \
      originals[INDEX_##name] },
#define FGI_DRAWS_API(api, LIST)                                                                   \
    enum { LIST(FGI_DRAWS_INDEX, 0) ENTRY_COUNT };                                                 \
    static _Atomic(fgi_draw_function) originals[ENTRY_COUNT][FG_DRAW_COUNTERS_MAX];                \
    LIST(FGI_DRAWS_WRAPPER, 0)                                                                     \
    LIST(FGI_DRAWS_WRAPPER, 1)                                                                     \
    LIST(FGI_DRAWS_WRAPPER, 2)                                                                     \
    LIST(FGI_DRAWS_WRAPPER, 3)                                                                     \
    static const struct fgi_draw_entry entries[] = { LIST(FGI_DRAWS_ENTRY, 0) };                   \
    const struct fgi_draw_api api = { entries, ENTRY_COUNT };
_Static_assert(FG_DRAW_COUNTERS_MAX == 4, "one wrapper per counter");

/* What a call counts as. */
static inline struct fg_draw_counts fgi_draws_plain(uint64_t vertices, uint64_t instances)
{
    return (struct fg_draw_counts){
        .calls = 1, .draws = 1, .vertices = vertices * instances, .instances = instances
    };
}
static inline struct fg_draw_counts fgi_draws_indexed(uint64_t indices, uint64_t instances)
{
    return (struct fg_draw_counts){
        .calls = 1, .draws = 1, .indices = indices * instances, .instances = instances
    };
}
/** Draws whose size is not told. */
static inline struct fg_draw_counts fgi_draws_unsized(uint64_t draws)
{
    return (struct fg_draw_counts){ .calls = 1, .draws = draws, .unsized_draws = draws };
}
/** And not even their number. */
static inline struct fg_draw_counts fgi_draws_uncounted(uint64_t draws_max)
{
    return (struct fg_draw_counts){ .calls = 1,
                                    .draws = 1,
                                    .unsized_draws = 1,
                                    .uncounted_calls = 1,
                                    .uncounted_draws_max = draws_max };
}
static inline struct fg_draw_counts fgi_draws_dispatch(uint64_t x, uint64_t y, uint64_t z)
{
    return (struct fg_draw_counts){ .dispatches = 1, .workgroups = x * y * z };
}
static inline struct fg_draw_counts fgi_draws_dispatch_indirect(void)
{
    return (struct fg_draw_counts){ .dispatches = 1 };
}
static inline struct fg_draw_counts fgi_draws_trace(void)
{
    return (struct fg_draw_counts){ .traces = 1 };
}

#endif
