/* SPDX-License-Identifier: MIT */
#include "base/hitch.h"
#include "base/rank.h"

/* Median of the known times around frame `index`; -1 when there are too few. */
static int64_t median_around(fgi_hitch_time time_of, const void *context, size_t count,
                             size_t index)
{
    int64_t around[2 * FGI_HITCH_REACH + 1];
    size_t known = 0;
    size_t first = index > FGI_HITCH_REACH ? index - FGI_HITCH_REACH : 0;
    size_t last = count - 1 - index > FGI_HITCH_REACH ? index + FGI_HITCH_REACH : count - 1;
    for (size_t other = first; other <= last; other++) {
        int64_t value = time_of(context, other);
        if (value >= 0) {
            around[known++] = value;
        }
    }
    return known >= FGI_HITCH_LEAST ? fgi_rank_ns(around, known, 50) : -1;
}

void fgi_hitch_mark(const fgi_hitch_time times[FGI_HITCH_SIDES], const void *context, size_t count,
                    const uint8_t flags[FGI_HITCH_SIDES], uint8_t *out_flags)
{
    for (size_t i = 0; i < count; i++) {
        int64_t medians[FGI_HITCH_SIDES];
        int64_t longer = 0;
        for (int side = 0; side < FGI_HITCH_SIDES; side++) {
            medians[side] = median_around(times[side], context, count, i);
            longer = medians[side] > longer ? medians[side] : longer;
        }
        for (int side = 0; side < FGI_HITCH_SIDES; side++) {
            int64_t time = times[side](context, i);
            if (time < 0 || medians[side] < 0 || time <= medians[side]) {
                continue;
            }
            int64_t excess = time - medians[side]; /* neither is negative: no overflow */
            if (excess > medians[side] / 2 && excess > longer / 10) {
                out_flags[i] |= flags[side];
            }
        }
    }
}
