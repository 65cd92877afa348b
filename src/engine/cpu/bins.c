/* SPDX-License-Identifier: MIT */
#include "engine/cpu/bins.h"
#include "base/alloc.h"

struct fgi_bin_entry {
    uint64_t ns;
    int64_t last_bin;
    uint32_t row;
};

static bool longer_first(const struct fgi_bin_entry *a, const struct fgi_bin_entry *b)
{
    return fgi_is_longer(a->ns, a->row, b->ns, b->row);
}
static bool ends_first(const struct fgi_bin_entry *a, const struct fgi_bin_entry *b)
{
    return a->last_bin < b->last_bin;
}

static void sift_up(struct fgi_bin_entry *items, size_t i, struct fgi_bin_entry item,
                    bool (*before)(const struct fgi_bin_entry *, const struct fgi_bin_entry *))
{
    while (i > 0 && before(&item, &items[(i - 1) / 2])) {
        items[i] = items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    items[i] = item;
}

static void sift_down(struct fgi_bin_entry *items, size_t count,
                      bool (*before)(const struct fgi_bin_entry *, const struct fgi_bin_entry *))
{
    /* The last item takes the place of the top. */
    struct fgi_bin_entry item = items[count];
    size_t i = 0;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && before(&items[child + 1], &items[child])) {
            child++;
        }
        if (!before(&items[child], &item)) {
            break;
        }
        items[i] = items[child];
        i = child;
    }
    items[i] = item;
}

void fgi_bin_maker_init(struct fgi_bin_maker *maker, const struct fg_allocator *allocator,
                        unsigned level, const struct fgi_bin_sink *sink)
{
    *maker = (struct fgi_bin_maker){ .allocator = allocator, .level = level, .sink = *sink };
}

/* Distance from the begin of a bin to a time, at most the bin's width. */
static uint64_t offset_in(const struct fgi_bin_maker *maker, int64_t bin, int64_t time)
{
    int64_t at = time >> maker->level;
    if (at != bin) {
        return at < bin ? 0 : fgi_bin_width(maker->level);
    }
    return (uint64_t)time & (fgi_bin_width(maker->level) - 1);
}

/* The longest span that may still meet the bins from `index` on, or NULL. */
static const struct fgi_bin_entry *longest_from(struct fgi_bin_maker *maker, int64_t index)
{
    struct fgi_bin_entry *longest = maker->longest.items;
    while (maker->longest.count > 0 && longest[0].last_bin < index) {
        sift_down(longest, --maker->longest.count, longer_first);
    }
    return maker->longest.count > 0 ? longest : NULL;
}

static void open_bin(struct fgi_bin_maker *maker, int64_t index)
{
    const struct fgi_bin_entry *longest = longest_from(maker, index);
    maker->bin = (struct fgi_bin){ .index = index, .row = FG_NONE, .run = FG_NONE };
    maker->is_open = true;
    if (maker->has_cover) {
        maker->bin.covered_ns = offset_in(maker, index, maker->cover_end);
    }
    if (longest) {
        maker->bin.row = longest->row;
        maker->bin.longest_ns = longest->ns;
    }
}

static void close_bin(struct fgi_bin_maker *maker)
{
    int64_t index = maker->bin.index;
    while (maker->ends.count > 0 && maker->ends.items[0].last_bin <= index) {
        sift_down(maker->ends.items, --maker->ends.count, ends_first);
    }
    /* A span that reaches beyond this bin is still among the ends. */
    const struct fgi_bin_entry *beyond =
        maker->ends.count > 0 ? longest_from(maker, index + 1) : NULL;
    maker->bin.run = beyond ? beyond->row : FG_NONE;
    maker->is_open = false;
    if (!maker->stopped && !maker->sink.put(maker->sink.context, &maker->bin)) {
        maker->stopped = true;
    }
}

/* Close what lies before `limit`: the open bin, and each in which a span ends. */
static void close_until(struct fgi_bin_maker *maker, int64_t limit)
{
    if (maker->is_open && maker->bin.index < limit) {
        close_bin(maker);
    }
    while (!maker->is_open && maker->ends.count > 0 && maker->ends.items[0].last_bin < limit &&
           !maker->stopped) {
        open_bin(maker, maker->ends.items[0].last_bin);
        close_bin(maker);
    }
}

/* A span that reaches beyond the bin in which it starts: few do, so few pass through the heaps. */
static void keep_for_later(struct fgi_bin_maker *maker, const struct fgi_bin_entry *entry)
{
    maker->result = FGI_GROW(maker->allocator, maker->longest.items, maker->longest.capacity,
                             maker->longest.count + 1, FG_NONE);
    if (maker->result == FG_OK) {
        maker->result = FGI_GROW(maker->allocator, maker->ends.items, maker->ends.capacity,
                                 maker->ends.count + 1, FG_NONE);
    }
    if (maker->result == FG_OK) {
        sift_up(maker->longest.items, maker->longest.count++, *entry, longer_first);
        sift_up(maker->ends.items, maker->ends.count++, *entry, ends_first);
    }
}

void fgi_bin_maker_add(struct fgi_bin_maker *maker, uint32_t row, int64_t start, int64_t end)
{
    int64_t index = fgi_first_bin(start, maker->level);
    if (maker->result != FG_OK) {
        return;
    }
    close_until(maker, index);
    if (maker->stopped) {
        return;
    }
    if (!maker->is_open) {
        open_bin(maker, index);
    }
    maker->bin.starts++;
    if (!maker->has_cover || end > maker->cover_end) {
        int64_t from = maker->has_cover && maker->cover_end > start ? maker->cover_end : start;
        maker->bin.covered_ns += offset_in(maker, index, end) - offset_in(maker, index, from);
        maker->cover_end = end;
        maker->has_cover = true;
    }
    struct fgi_bin_entry entry = {
        .ns = fgi_duration(start, end),
        .last_bin = fgi_last_bin(start, end, maker->level),
        .row = row,
    };
    if (maker->bin.row == FG_NONE ||
        fgi_is_longer(entry.ns, row, maker->bin.longest_ns, maker->bin.row)) {
        maker->bin.row = row;
        maker->bin.longest_ns = entry.ns;
    }
    if (entry.last_bin > index) {
        keep_for_later(maker, &entry);
    }
}

enum fg_result fgi_bin_maker_finish(struct fgi_bin_maker *maker)
{
    if (maker->result == FG_OK && !maker->stopped) {
        if (maker->is_open) {
            close_bin(maker);
        }
        while (maker->ends.count > 0 && !maker->stopped) {
            open_bin(maker, maker->ends.items[0].last_bin);
            close_bin(maker);
        }
    }
    fgi_free(maker->allocator, maker->longest.items,
             maker->longest.capacity * sizeof *maker->longest.items);
    fgi_free(maker->allocator, maker->ends.items, maker->ends.capacity * sizeof *maker->ends.items);
    return maker->result;
}

struct fgi_bin_cursor fgi_bin_cursor_make(const struct fgi_bin *bins, size_t count, unsigned level,
                                          unsigned shift, int64_t first,
                                          const struct fgi_bin **out_previous)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bins[middle].index >> shift < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *out_previous = low > 0 ? &bins[low - 1] : NULL;
    return (struct fgi_bin_cursor){
        .at = count > 0 ? bins + low : bins,
        .end = count > 0 ? bins + count : bins,
        .level = level,
        .shift = shift,
        .run = low > 0 ? bins[low - 1].run : FG_NONE,
    };
}

bool fgi_bin_cursor_next(struct fgi_bin_cursor *cursor, struct fgi_bin *out_bin)
{
    const struct fgi_bin *at = cursor->at;
    if (at == cursor->end) {
        return false;
    }
    if (cursor->shift == 0) {
        *out_bin = *at;
        cursor->run = at->run;
        cursor->at++;
        return true;
    }
    struct fgi_bin bin = { .index = at->index >> cursor->shift };
    const struct fgi_bin *best = at;
    uint64_t in_coarse = (UINT64_C(1) << cursor->shift) - 1; /* position mask of a fine bin */
    uint64_t whole = 0;                                      /* fine bins that runs cover wholly */
    if (cursor->run != FG_NONE) {
        whole += (uint64_t)at->index & in_coarse;
    }
    for (; at != cursor->end && at->index >> cursor->shift == bin.index; at++) {
        bin.covered_ns += at->covered_ns;
        bin.starts += at->starts;
        if (fgi_is_longer(at->longest_ns, at->row, best->longest_ns, best->row)) {
            best = at;
        }
        bin.run = at->run;
        if (at->run != FG_NONE) { /* then there is a next one, in which the run ends */
            uint64_t here = (uint64_t)at->index & in_coarse;
            bool next_inside = at + 1 != cursor->end && at[1].index >> cursor->shift == bin.index;
            uint64_t to = next_inside ? (uint64_t)at[1].index & in_coarse : in_coarse + 1;
            whole += to - here - 1;
        }
    }
    bin.covered_ns += whole << cursor->level;
    bin.row = best->row;
    bin.longest_ns = best->longest_ns;
    bin.name = best->name;
    bin.category = best->category;
    bin.classes = best->classes;
    bin.status = best->status;
    bin.is_described = best->is_described;
    cursor->at = at;
    cursor->run = bin.run;
    *out_bin = bin;
    return true;
}
