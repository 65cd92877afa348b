/* SPDX-License-Identifier: MIT */
/* Values by rank without sorting: exact, in linear time. */
#include "engine/cpu/groups.h"

/* Fewer values are partitioned; more are first narrowed to those that share their leading bits. */
#define FEW         4096u
#define BUCKET_BITS 11u

/*
 * The value at `rank` (from 0) of the sorted values. Partitions in three, pivots by a fixed rule.
 */
static uint64_t select_rank(uint64_t *values, size_t count, size_t rank)
{
    size_t low = 0;
    size_t high = count;
    uint64_t seed = count;
    while (high - low > 1) {
        seed = fgi_mix64(seed);
        uint64_t pivot = values[low + (size_t)(seed % (high - low))];
        size_t less = low;
        size_t greater = high;
        for (size_t i = low; i < greater;) {
            uint64_t value = values[i];
            if (value < pivot) {
                values[i++] = values[less];
                values[less++] = value;
            } else if (value > pivot) {
                values[i] = values[--greater];
                values[greater] = value;
            } else {
                i++;
            }
        }
        if (rank < less) {
            high = less;
        } else if (rank >= greater) {
            low = greater;
        } else {
            return pivot;
        }
    }
    return values[low];
}

static void swap_to(uint64_t *values, size_t *at, size_t i)
{
    uint64_t value = values[*at];
    values[*at] = values[i];
    values[i] = value;
    (*at)++;
}

struct bucket {
    uint64_t number;
    size_t below; /* values in buckets before it */
};

static struct bucket find_bucket(const uint32_t *counts, size_t rank)
{
    struct bucket found = { 0, 0 };
    while (found.below + counts[found.number] <= rank) {
        found.below += counts[found.number++];
    }
    return found;
}

/* The values at two ranks, low <= high; 32 bits count them: rows are no more. */
static void select_two(uint64_t *values, size_t count, const size_t ranks[2], uint64_t out[2])
{
    uint64_t least = values[0];
    uint64_t most = values[0];
    for (size_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    if (count <= FEW || least == most) {
        out[0] = least == most ? least : select_rank(values, count, ranks[0]);
        out[1] = least == most ? least : select_rank(values, count, ranks[1]);
        return;
    }
    unsigned shift = 0;
    while ((most - least) >> shift >> BUCKET_BITS) {
        shift++;
    }
    uint32_t counts[1u << BUCKET_BITS] = { 0 };
    for (size_t i = 0; i < count; i++) {
        counts[(values[i] - least) >> shift]++;
    }
    struct bucket low = find_bucket(counts, ranks[0]);
    struct bucket high = find_bucket(counts, ranks[1]);
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        if ((values[i] - least) >> shift == low.number) {
            swap_to(values, &first, i);
        }
    }
    size_t inner[2] = { ranks[0] - low.below, ranks[1] - high.below };
    if (low.number == high.number) {
        select_two(values, first, inner, out);
        return;
    }
    size_t end = first;
    for (size_t i = first; i < count; i++) {
        if ((values[i] - least) >> shift == high.number) {
            swap_to(values, &end, i);
        }
    }
    uint64_t same[2];
    select_two(values, first, (const size_t[2]){ inner[0], inner[0] }, same);
    out[0] = same[0];
    select_two(values + first, end - first, (const size_t[2]){ inner[1], inner[1] }, same);
    out[1] = same[1];
}

void fgi_select_ranks(uint64_t *values, size_t count, uint64_t *out_median, uint64_t *out_p95)
{
    uint64_t found[2];
    select_two(values, count, (const size_t[2]){ (count + 1) / 2 - 1, count - count / 20 - 1 },
               found);
    *out_median = found[0];
    *out_p95 = found[1];
}
