/* SPDX-License-Identifier: MIT */
/* The one place where the time is read. Nanoseconds; exact rational conversion of ticks. */
#ifndef FGI_CLOCK_H
#define FGI_CLOCK_H
#include <frameglass/base.h>

/** CLOCK_MONOTONIC in nanoseconds. Threads: any. */
int64_t fgi_clock_monotonic_ns(void);
/** Nanoseconds since 1970 UTC: for a capture's start date, never for durations. Threads: any. */
int64_t fgi_clock_wall_ns(void);

/** Nanoseconds per tick as num / den; both positive. {1, 1}: ticks are nanoseconds. */
struct fgi_rational {
    uint64_t num;
    uint64_t den;
};
/**
 * The closest rational with at most 32-bit parts to a positive finite float period, as
 * VkPhysicalDeviceLimits::timestampPeriod gives it. {0, 0} when it is not positive and finite.
 */
struct fgi_rational fgi_rational_from_float(float value);
/** ticks * num / den, rounded to nearest, ties away from zero; saturates at the ends of int64. */
int64_t fgi_ticks_to_ns(int64_t ticks, struct fgi_rational period);
/**
 * A counter of `valid_bits` bits that wraps, read as a difference: (later - earlier) modulo
 * 2^valid_bits, taken as signed (-2^(n-1) .. 2^(n-1) - 1).
 */
int64_t fgi_ticks_difference(uint64_t later, uint64_t earlier, unsigned valid_bits);

#endif
