/* SPDX-License-Identifier: MIT */
/* Many intervals: their order and the length of their union. Nothing is allocated. */
#include "engine/cpu/engine_cpu_priv.h"

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

void fgi_sort_intervals(struct fgi_interval *items, size_t count)
{
    if (are_sorted(items, count)) {
        return;
    }
    if (count <= FEW) {
        insert_sorted(items, count);
        return;
    }
    struct span_of_time range = range_of(items, count);
    uint32_t next[BUCKETS] = { 0 }; /* rows are counted in 32 bits */
    uint32_t ends[BUCKETS];
    for (size_t i = 0; i < count; i++) {
        next[bucket_of(&range, &items[i])]++;
    }
    uint32_t at = 0;
    for (uint32_t b = 0; b < BUCKETS; b++) {
        uint32_t own = next[b];
        next[b] = at;
        at += own;
        ends[b] = at;
    }
    /* Each item that is in the wrong place goes to its bucket, and what is there goes on. */
    for (uint32_t b = 0; b < BUCKETS; b++) {
        while (next[b] < ends[b]) {
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
    uint32_t first = 0;
    for (uint32_t b = 0; b < BUCKETS; b++) {
        fgi_sort_intervals(items + first, ends[b] - first);
        first = ends[b];
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
