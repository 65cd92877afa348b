/* SPDX-License-Identifier: MIT */
#include "base/hitch.h"

/* Nearest-rank median of a few numbers; sorts them. */
static int64_t median_of(int64_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int64_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
        }
        values[at] = value;
    }
    return values[(count + 1) / 2 - 1];
}

/* time > 1.5 * median without leaving the integers: both are not negative. */
static bool is_over(int64_t time, int64_t median)
{
    return time > median && time - median > median / 2;
}

void fgi_hitch_mark(int64_t (*time_of)(const void *context, size_t index), const void *context,
                    size_t count, uint8_t flag, uint8_t *out_flags)
{
    for (size_t i = 0; i < count; i++) {
        int64_t time = time_of(context, i);
        if (time < 0) {
            continue;
        }
        int64_t around[2 * FGI_HITCH_REACH + 1];
        size_t known = 0;
        size_t first = i > FGI_HITCH_REACH ? i - FGI_HITCH_REACH : 0;
        size_t last = count - 1 - i > FGI_HITCH_REACH ? i + FGI_HITCH_REACH : count - 1;
        for (size_t other = first; other <= last; other++) {
            int64_t value = time_of(context, other);
            if (value >= 0) {
                around[known++] = value;
            }
        }
        if (known >= FGI_HITCH_LEAST && is_over(time, median_of(around, known))) {
            out_flags[i] |= flag;
        }
    }
}
