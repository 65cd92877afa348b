/* SPDX-License-Identifier: MIT */
#include "base/rank.h"

int64_t fgi_rank_ns(int64_t *values, size_t count, unsigned percent)
{
    for (size_t i = 1; i < count; i++) {
        int64_t value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--) {
            values[k] = values[k - 1];
        }
        values[k] = value;
    }
    size_t rank = (count * percent + 99) / 100;
    return values[rank > 0 ? rank - 1 : 0];
}
