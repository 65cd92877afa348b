/* SPDX-License-Identifier: MIT */
#include "base/radix.h"
#include <string.h>

/* Fewer are sorted by insertion. */
#define FEW    48u
#define DIGITS 8u

static void insert_sorted(uint64_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

/* By one byte, stable. False: all have the same one, nothing was moved. */
static bool sort_by_byte(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
    size_t counts[256] = { 0 };
    for (size_t i = 0; i < count; i++) {
        counts[from[i] >> shift & 255]++;
    }
    if (counts[from[0] >> shift & 255] == count) {
        return false;
    }
    size_t at = 0;
    for (unsigned digit = 0; digit < 256; digit++) {
        size_t own = counts[digit];
        counts[digit] = at;
        at += own;
    }
    for (size_t i = 0; i < count; i++) {
        to[counts[from[i] >> shift & 255]++] = from[i];
    }
    return true;
}

void fgi_radix_sort_u64(uint64_t *items, uint64_t *spare, size_t count)
{
    uint64_t varies = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < count; i++) {
        varies |= items[i] ^ items[0];
        is_sorted &= items[i - 1] <= items[i];
    }
    if (is_sorted || count <= FEW) {
        insert_sorted(items, is_sorted ? 0 : count);
        return;
    }
    uint64_t *from = items;
    uint64_t *to = spare;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if ((varies >> (8 * digit) & 255) && sort_by_byte(from, to, count, 8 * digit)) {
            uint64_t *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}
