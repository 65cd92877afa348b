/* SPDX-License-Identifier: MIT */
/*
 * Many intervals: their order and the length of their union. Nothing is allocated. Intervals go to
 * buckets of time, and those of a bucket to buckets of their own, until few are left in each: by
 * way of spare memory where it suffices, which is read and written in order, else in place.
 */
#include "engine/cpu/engine_cpu_priv.h"
#include <string.h>

/* Fewer are sorted by insertion. */
#define FEW         32u
#define BUCKET_BITS 10u
#define BUCKETS     (1u << BUCKET_BITS)

static bool are_sorted(const struct fgi_interval *items, size_t count)
{
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++) {
        sorted = items[i - 1].start <= items[i].start;
    }
    return sorted;
}

static void insert_sorted(struct fgi_interval *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct fgi_interval item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].start > item.start; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

struct span_of_time {
    int64_t least;
    unsigned shift;
};

static uint32_t bucket_of(const struct span_of_time *range, const struct fgi_interval *item)
{
    return (uint32_t)(fgi_duration(range->least, item->start) >> range->shift);
}

/* Starts in this range, split so that each bucket has an equal share of it. */
static struct span_of_time range_of(const struct fgi_interval *items, size_t count)
{
    int64_t least = items[0].start;
    int64_t most = items[0].start;
    for (size_t i = 1; i < count; i++) {
        least = items[i].start < least ? items[i].start : least;
        most = items[i].start > most ? items[i].start : most;
    }
    struct span_of_time range = { least, 0 };
    while (fgi_duration(least, most) >> range.shift >> BUCKET_BITS) {
        range.shift++;
    }
    return range;
}

/* Where the buckets begin, from how many there are in each. */
static void begin_buckets(const struct fgi_interval *items, size_t count,
                          const struct span_of_time *range, uint32_t first[BUCKETS + 1])
{
    for (uint32_t b = 0; b <= BUCKETS; b++) {
        first[b] = 0; /* rows are counted in 32 bits */
    }
    for (size_t i = 0; i < count; i++) {
        first[bucket_of(range, &items[i]) + 1]++;
    }
    for (uint32_t b = 0; b < BUCKETS; b++) {
        first[b + 1] += first[b];
    }
}

/* As many spare ones, which are overwritten. */
static void sort_with_spare(struct fgi_interval *items, size_t count, struct fgi_interval *spare)
{
    if (are_sorted(items, count)) {
        return;
    }
    if (count <= FEW) {
        insert_sorted(items, count);
        return;
    }
    struct span_of_time range = range_of(items, count);
    uint32_t first[BUCKETS + 1];
    begin_buckets(items, count, &range, first);
    for (size_t i = 0; i < count; i++) {
        spare[first[bucket_of(&range, &items[i])]++] = items[i];
    }
    /* Now each bucket begins where the one before ends. */
    for (uint32_t b = 0, begin = 0; b < BUCKETS; begin = first[b++]) {
        if (first[b] - begin > FEW) {
            sort_with_spare(spare + begin, first[b] - begin, items + begin);
        }
    }
    memcpy(items, spare, count * sizeof *items);
    insert_sorted(items, count); /* those of small buckets are a few places away from theirs */
}

void fgi_sort_intervals(struct fgi_interval *items, size_t count, struct fgi_interval *spare,
                        size_t spare_count)
{
    if (count <= spare_count) {
        sort_with_spare(items, count, spare);
        return;
    }
    if (are_sorted(items, count)) {
        return;
    }
    if (count <= FEW) {
        insert_sorted(items, count);
        return;
    }
    struct span_of_time range = range_of(items, count);
    uint32_t first[BUCKETS + 1];
    uint32_t next[BUCKETS];
    begin_buckets(items, count, &range, first);
    memcpy(next, first, sizeof next);
    /* Each item that is in the wrong place goes to its bucket, and what is there goes on. */
    for (uint32_t b = 0; b < BUCKETS; b++) {
        while (next[b] < first[b + 1]) {
            struct fgi_interval item = items[next[b]];
            for (uint32_t own = bucket_of(&range, &item); own != b;
                 own = bucket_of(&range, &item)) {
                struct fgi_interval other = items[next[own]];
                items[next[own]++] = item;
                item = other;
            }
            items[next[b]++] = item;
        }
    }
    for (uint32_t b = 0; b < BUCKETS; b++) {
        fgi_sort_intervals(items + first[b], first[b + 1] - first[b], spare, spare_count);
    }
}

uint64_t fgi_union_length(const struct fgi_interval *items, size_t count)
{
    return fgi_union_of_two(items, count, NULL, 0);
}

uint64_t fgi_union_of_two(const struct fgi_interval *a, size_t a_count,
                          const struct fgi_interval *b, size_t b_count)
{
    uint64_t length = 0;
    int64_t until = INT64_MIN;
    for (size_t i = 0, k = 0; i < a_count || k < b_count;) {
        bool is_first = k == b_count || (i < a_count && a[i].start <= b[k].start);
        const struct fgi_interval *next = is_first ? &a[i++] : &b[k++];
        until = next->start > until ? next->start : until;
        if (next->end > until) {
            length += fgi_duration(until, next->end); /* at most the whole axis: no overflow */
            until = next->end;
        }
    }
    return length;
}
