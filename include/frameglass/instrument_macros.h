/* SPDX-License-Identifier: MIT */
/*
 * The macros, at each level. Included by instrument.h, which says what they are for.
 *
 *     in a block (declarations)                   anywhere (statements)
 *     FG_ZONE(name)  FG_ZONE_IN(category, name)   FG_EVENT(name, value)  FG_EVENT_IN(category, ...)
 *     FG_ZONE_BEGIN(zone, name)                   FG_ZONE_END(zone)
 *     FG_ZONE_BEGIN_IN(zone, category, name)      FG_COUNTER_ADD(name, unit, amount)
 *     FG_FRAME()  FG_FRAME_OF(loop)               FG_FRAME_COUNTER_ADD(name, unit, amount)
 *     FG_FRAME_BEGIN(frame)                       FG_GAUGE_SET(name, unit, value)
 *                                                 FG_GAUGE_ADD(name, unit, amount)
 *                                                 FG_FRAME_END(frame)
 *
 * Names are `const char *`, the rest are whole numbers; anything else does not compile, at any
 * level. What FG_ZONE_BEGIN names is for FG_ZONE_END in the same function, and for nothing else.
 */
#ifndef FG_INSTRUMENT_MACROS_H
#define FG_INSTRUMENT_MACROS_H
#include <frameglass/instrument.h>

#define FG_JOIN_(a, b) a##b
#define FG_JOIN(a, b)  FG_JOIN_(a, b)

/* The argument itself, and an error where it is of another type. */
#ifdef __cplusplus
#define FG_TEXT_(name)           static_cast<const char *>(name)
#define FG_LOOP_(loop)           static_cast<struct fg_loop *>(loop)
#define FG_ASSERT_(condition)    static_assert(condition, "")
#define FG_NUMBER_(type, number) static_cast<type>((number) | 0)
#else
#define FG_TEXT_(name)           _Generic((name), char * : (name), const char * : (name))
#define FG_LOOP_(loop)           _Generic((loop), struct fg_loop * : (loop))
#define FG_ASSERT_(condition)    _Static_assert(condition, "")
#define FG_NUMBER_(type, number) ((type)((number) | 0))
#endif
#define FG_CATEGORY_(category) FG_NUMBER_(enum fg_category, category)
#define FG_AMOUNT_(amount)     FG_NUMBER_(int64_t, amount)

/* Nothing at all, but checked: as a declaration, and as a statement. */
#define FG_NO_DECLARATION_(a, b)  FG_ASSERT_(sizeof(a) + sizeof(b) != 0)
#define FG_NO_STATEMENT_(a, b, c) ((void)(sizeof(a) + sizeof(b) + sizeof(c)))

#define FG_ZONE(name)             FG_ZONE_IN(FG_CATEGORY_APPLICATION, name)
#define FG_ZONE_BEGIN(zone, name) FG_ZONE_BEGIN_IN(zone, FG_CATEGORY_APPLICATION, name)
#define FG_EVENT(name, value)     FG_EVENT_IN(FG_CATEGORY_APPLICATION, name, value)
#define FG_FRAME()                FG_FRAME_OF(FG_NO_LOOP_)
#define FG_FRAME_BEGIN(frame)     FG_FRAME_BEGIN_OF(frame, FG_NO_LOOP_)
#define FG_NO_LOOP_               ((struct fg_loop *)0)

/* ---- zones and markers: FULL ----------------------------------------------------------------- */

#if FG_LEVEL >= 2

#define FG_ZONE_BEGIN_IN(zone, category, name)                                                     \
    static struct fg_site FG_JOIN(fg_site_of_, zone);                                              \
    struct fg_zone zone =                                                                          \
        fg_hot_zone_begin(&FG_JOIN(fg_site_of_, zone), FG_TEXT_(name), FG_CATEGORY_(category))
#define FG_ZONE_END(zone) ((void)fg_hot_zone_end(zone))
#define FG_EVENT_IN(category, name, value)                                                         \
    do {                                                                                           \
        static struct fg_site fg_site_here;                                                        \
        fg_hot_mark(&fg_site_here, FG_TEXT_(name), FG_CATEGORY_(category), FG_AMOUNT_(value));     \
    } while (0)

#if defined(__cplusplus)
struct fg_zone_scope {
    struct fg_zone zone;
    explicit fg_zone_scope(struct fg_zone begun) : zone(begun)
    {
    }
    ~fg_zone_scope()
    {
        (void)fg_hot_zone_end(zone);
    }
    fg_zone_scope(const fg_zone_scope &) = delete;
    fg_zone_scope &operator=(const fg_zone_scope &) = delete;
};
#define FG_ZONE_IN(category, name)                                                                 \
    static struct fg_site FG_JOIN(fg_site_, __LINE__);                                             \
    const fg_zone_scope FG_JOIN(fg_zone_, __LINE__)(                                               \
        fg_hot_zone_begin(&FG_JOIN(fg_site_, __LINE__), FG_TEXT_(name), FG_CATEGORY_(category)))
#elif defined(__GNUC__)
static inline void fg_zone_leave(struct fg_zone *zone)
{
    (void)fg_hot_zone_end(*zone);
}
#define FG_ZONE_IN(category, name)                                                                 \
    static struct fg_site FG_JOIN(fg_site_, __LINE__);                                             \
    __attribute__((cleanup(fg_zone_leave), unused)) struct fg_zone FG_JOIN(fg_zone_, __LINE__) =   \
        fg_hot_zone_begin(&FG_JOIN(fg_site_, __LINE__), FG_TEXT_(name), FG_CATEGORY_(category))
#endif

#else

#define FG_ZONE_IN(category, name) FG_NO_DECLARATION_(FG_TEXT_(name), FG_CATEGORY_(category))
/* A name for a type: it makes no code, and FG_ZONE_END knows it. */
#define FG_ZONE_BEGIN_IN(zone, category, name)                                                     \
    FG_NO_DECLARATION_(FG_TEXT_(name), FG_CATEGORY_(category));                                    \
    typedef struct fg_zone zone
#define FG_ZONE_END(zone)                                                                          \
    FG_NO_STATEMENT_(char[sizeof(zone) == sizeof(struct fg_zone) ? 1 : -1], 0, 0)
#define FG_EVENT_IN(category, name, value)                                                         \
    FG_NO_STATEMENT_(FG_TEXT_(name), FG_CATEGORY_(category), FG_AMOUNT_(value))

#endif

/* ---- metrics and frames: STATS --------------------------------------------------------------- */

#if FG_LEVEL >= 1

#define FG_ADD_AT_PLACE_(kind, name, unit, amount)                                                 \
    do {                                                                                           \
        static struct fg_site fg_site_here;                                                        \
        fg_hot_counter_add(&fg_site_here, FG_TEXT_(name), kind, FG_NUMBER_(int, unit),             \
                           FG_AMOUNT_(amount));                                                    \
    } while (0)
#define FG_COUNTER_ADD(name, unit, amount) FG_ADD_AT_PLACE_(FG_METRIC_COUNTER, name, unit, amount)
#define FG_FRAME_COUNTER_ADD(name, unit, amount)                                                   \
    FG_ADD_AT_PLACE_(FG_METRIC_FRAME_COUNTER, name, unit, amount)

#define FG_GAUGE_AT_PLACE_(update, name, unit, value)                                              \
    do {                                                                                           \
        static struct fg_site fg_site_here;                                                        \
        const struct fg_metric fg_metric_here = { fg_hot_metric(                                   \
            &fg_site_here, FG_TEXT_(name), FG_METRIC_GAUGE, FG_NUMBER_(int, unit)) };              \
        update(fg_metric_here, FG_AMOUNT_(value));                                                 \
    } while (0)
#define FG_GAUGE_SET(name, unit, value)  FG_GAUGE_AT_PLACE_(fg_gauge_set, name, unit, value)
#define FG_GAUGE_ADD(name, unit, amount) FG_GAUGE_AT_PLACE_(fg_gauge_add, name, unit, amount)

#define FG_FRAME_BEGIN_OF(frame, loop)                                                             \
    struct fg_loop_scope frame = fg_loop_scope_begin(FG_LOOP_(loop))
#define FG_FRAME_END(frame) fg_loop_scope_end(&(frame))

#if defined(__cplusplus)
struct fg_frame_scope {
    struct fg_loop_scope scope;
    explicit fg_frame_scope(struct fg_loop_scope begun) : scope(begun)
    {
    }
    ~fg_frame_scope()
    {
        fg_loop_scope_end(&scope);
    }
    fg_frame_scope(const fg_frame_scope &) = delete;
    fg_frame_scope &operator=(const fg_frame_scope &) = delete;
};
#define FG_FRAME_OF(loop)                                                                          \
    fg_frame_scope FG_JOIN(fg_frame_, __LINE__)(fg_loop_scope_begin(FG_LOOP_(loop)))
#elif defined(__GNUC__)
#define FG_FRAME_OF(loop)                                                                          \
    __attribute__((cleanup(fg_loop_scope_end), unused)) struct fg_loop_scope FG_JOIN(              \
        fg_frame_, __LINE__) = fg_loop_scope_begin(FG_LOOP_(loop))
#endif

#else

#define FG_NO_METRIC_(name, unit, amount)                                                          \
    FG_NO_STATEMENT_(FG_TEXT_(name), FG_NUMBER_(int, unit), FG_AMOUNT_(amount))
#define FG_COUNTER_ADD(name, unit, amount)       FG_NO_METRIC_(name, unit, amount)
#define FG_FRAME_COUNTER_ADD(name, unit, amount) FG_NO_METRIC_(name, unit, amount)
#define FG_GAUGE_SET(name, unit, value)          FG_NO_METRIC_(name, unit, value)
#define FG_GAUGE_ADD(name, unit, amount)         FG_NO_METRIC_(name, unit, amount)
#define FG_FRAME_OF(loop)                        FG_NO_DECLARATION_(FG_LOOP_(loop), 0)
#define FG_FRAME_BEGIN_OF(frame, loop)                                                             \
    FG_FRAME_OF(loop);                                                                             \
    typedef struct fg_loop_scope frame
#define FG_FRAME_END(frame)                                                                        \
    FG_NO_STATEMENT_(char[sizeof(frame) == sizeof(struct fg_loop_scope) ? 1 : -1], 0, 0)

#endif

/* ---- the library's level --------------------------------------------------------------------- */

/*
 * A library that was built for less does not have this one, and the linker says so. What to do is
 * its name.
 */
#if FG_LEVEL >= 1 && defined(__GNUC__)
FG_BEGIN_DECLS
#if FG_LEVEL == 1
#define FG_NEEDS_ fg_needs_a_library_built_with_FRAMEGLASS_LEVEL_STATS_or_FULL
#else
#define FG_NEEDS_ fg_needs_a_library_built_with_FRAMEGLASS_LEVEL_FULL
#endif
FG_API extern const char FG_NEEDS_;
__attribute__((used)) static const char *const fg_level_of_this_program = &FG_NEEDS_;
#undef FG_NEEDS_
FG_END_DECLS
#endif

#endif
