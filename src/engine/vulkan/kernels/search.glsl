/* SPDX-License-Identifier: MIT */
/* Binary searches in columns that do not fall over [first, last). The answer lies in [first, last]. */
#ifndef FG_SEARCH_GLSL
#define FG_SEARCH_GLSL
#include "prelude.glsl"

/** First row whose number is not less than `value`. */
uint fg_lower_bound_u64(fg_column column, uint first, uint last, u64 value)
{
    while (first < last) {
        uint middle = first + ((last - first) >> 1);
        if (u64_less(fg_u64_at(column, middle), value)) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return first;
}
/** First row whose number is greater than `value`. */
uint fg_upper_bound_u64(fg_column column, uint first, uint last, u64 value)
{
    while (first < last) {
        uint middle = first + ((last - first) >> 1);
        if (u64_less(value, fg_u64_at(column, middle))) {
            last = middle;
        } else {
            first = middle + 1u;
        }
    }
    return first;
}
uint fg_lower_bound_u32(fg_column column, uint first, uint last, uint value)
{
    while (first < last) {
        uint middle = first + ((last - first) >> 1);
        if (fg_u32_at(column, middle) < value) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return first;
}
uint fg_upper_bound_u32(fg_column column, uint first, uint last, uint value)
{
    while (first < last) {
        uint middle = first + ((last - first) >> 1);
        if (value < fg_u32_at(column, middle)) {
            last = middle;
        } else {
            first = middle + 1u;
        }
    }
    return first;
}

#endif
