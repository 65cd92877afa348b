/* SPDX-License-Identifier: MIT */
/* Products and sums of 64-bit numbers that do not fit 64 bits. */
#ifndef FGI_WIDE_H
#define FGI_WIDE_H
#include <frameglass/base.h>

__extension__ typedef unsigned __int128 fgi_wide;

static inline uint64_t fgi_wide_saturated(fgi_wide value)
{
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}
/** a + b; stays at UINT64_MAX. */
static inline uint64_t fgi_add_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
/** Floor of the square root. */
static inline uint64_t fgi_wide_root(fgi_wide value)
{
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t next = root | UINT64_C(1) << bit;
        if ((fgi_wide)next * next <= value) {
            root = next;
        }
    }
    return root;
}

#endif
