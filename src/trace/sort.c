/* SPDX-License-Identifier: MIT */
/* A natural merge sort: what is nearly sorted, as traces are, costs little more than one look. */
#include "base/alloc.h"
#include "trace/model.h"
#include <string.h>

struct sorting {
    bool (*before)(void *context, uint32_t a, uint32_t b);
    void *context;
    uint32_t *items;
    uint32_t *spare;
    size_t count;
};

/* End of the ascending run that begins at `first`. */
static size_t run_end(const struct sorting *s, size_t first)
{
    size_t end = first + 1;
    while (end < s->count && !s->before(s->context, s->items[end], s->items[end - 1])) {
        end++;
    }
    return end;
}

/* Merge [first, middle) and [middle, end); the left one is copied out, so equal items stay put. */
static void merge(const struct sorting *s, size_t first, size_t middle, size_t end)
{
    size_t left_count = middle - first;
    memcpy(s->spare, s->items + first, left_count * sizeof *s->items);
    size_t left = 0;
    size_t right = middle;
    size_t to = first;
    while (left < left_count) {
        if (right < end && s->before(s->context, s->items[right], s->spare[left])) {
            s->items[to++] = s->items[right++];
        } else {
            s->items[to++] = s->spare[left++];
        }
    }
}

enum fg_result fgi_sort_u32(const struct fg_allocator *allocator, uint32_t *items, size_t count,
                            bool (*before)(void *context, uint32_t a, uint32_t b), void *context)
{
    struct sorting s = { .before = before, .context = context, .items = items, .count = count };
    if (count < 2 || run_end(&s, 0) == count) {
        return FG_OK;
    }
    s.spare = fgi_malloc(allocator, count * sizeof *items);
    if (!s.spare) {
        return FG_ERR_NO_MEMORY;
    }
    /* Runs wait on a stack, each at least twice as long as the next: O(n log runs) in all. */
    struct {
        size_t first, count;
    } runs[96];
    size_t depth = 0;
    for (size_t first = 0; first < count;) {
        size_t end = run_end(&s, first);
        runs[depth].first = first;
        runs[depth++].count = end - first;
        first = end;
        while (depth > 1 &&
               (runs[depth - 2].count <= runs[depth - 1].count * 2 || first == count)) {
            size_t a = runs[depth - 2].first;
            merge(&s, a, runs[depth - 1].first, runs[depth - 1].first + runs[depth - 1].count);
            runs[depth - 2].count += runs[depth - 1].count;
            depth--;
        }
    }
    fgi_free(allocator, s.spare, count * sizeof *items);
    return FG_OK;
}
