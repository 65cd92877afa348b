/* SPDX-License-Identifier: MIT */
/* A natural merge sort: what is nearly sorted, as traces are, costs little more than one look. */
#include "base/sort.h"
#include "base/alloc.h"

#include <string.h>

struct sorting {
    fgi_before *before;
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
                            fgi_before *before, void *context)
{
    struct sorting s = { .before = before, .context = context, .items = items, .count = count };
    if (count < 2 || run_end(&s, 0) == count) {
        return FG_OK;
    }
    s.spare = fgi_malloc(allocator, count * sizeof *items);
    if (s.spare == NULL) {
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

enum fg_result fgi_reorder(const struct fg_allocator *allocator, void *items, size_t count,
                           size_t item_bytes, const uint32_t *order)
{
    char *to = items;
    char *copy = count > 0 ? fgi_malloc(allocator, count * item_bytes) : NULL;
    if (copy == NULL) {
        return count > 0 ? FG_ERR_NO_MEMORY : FG_OK;
    }
    memcpy(copy, items, count * item_bytes);
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * item_bytes, copy + order[i] * item_bytes, item_bytes);
    }
    fgi_free(allocator, copy, count * item_bytes);
    return FG_OK;
}

static bool is_sorted(void *items, size_t count, fgi_before *before)
{
    for (size_t i = 1; i < count; i++) {
        if (before(items, (uint32_t)i, (uint32_t)i - 1)) {
            return false;
        }
    }
    return true;
}

enum fg_result fgi_sort_table(const struct fg_allocator *allocator, void *items, size_t count,
                              size_t item_bytes, fgi_before *before)
{
    if (is_sorted(items, count, before)) {
        return FG_OK;
    }
    uint32_t *order = fgi_malloc(allocator, count * sizeof *order);
    for (size_t i = 0; order != NULL && i < count; i++) {
        order[i] = (uint32_t)i;
    }
    enum fg_result result =
        order != NULL ? fgi_sort_u32(allocator, order, count, before, items) : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        result = fgi_reorder(allocator, items, count, item_bytes, order);
    }
    fgi_free(allocator, order, count * sizeof *order);
    return result;
}
