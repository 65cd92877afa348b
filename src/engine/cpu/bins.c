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
    maker->bin = (struct fgi_bin){ .index = index,
                                   .position = maker->position,
                                   .row = FG_NONE,
                                   .run = FG_NONE,
                                   .kind = FGI_KIND_NONE };
    maker->is_open = true;
    if (maker->has_cover) {
        maker->bin.covered_ns = fgi_offset_in(index, maker->level, maker->cover_end);
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
    maker->position++;
    if (!maker->has_cover || end > maker->cover_end) {
        int64_t from = maker->has_cover && maker->cover_end > start ? maker->cover_end : start;
        maker->bin.covered_ns +=
            fgi_offset_in(index, maker->level, end) - fgi_offset_in(index, maker->level, from);
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

/* ---- one lane -------------------------------------------------------------------------------- */

static void lane_put(struct fgi_lane_maker *maker, const struct fgi_bin *bin)
{
    if (!maker->stopped && !maker->sink.put(maker->sink.context, bin)) {
        maker->stopped = true;
    }
}

/* A bin with what reaches into it from the last span. */
static struct fgi_bin reached_bin(const struct fgi_lane_maker *maker, int64_t index)
{
    return (struct fgi_bin){
        .index = index,
        .covered_ns = fgi_offset_in(index, maker->level, maker->last_end),
        .longest_ns = maker->last_ns,
        .row = maker->last_row,
        .position = maker->position,
        .run = FG_NONE,
        .kind = FGI_KIND_NONE,
    };
}

/* Close the open bin, and the one in which the last span ends if it is before `limit`. */
static void lane_close(struct fgi_lane_maker *maker, int64_t limit, bool has_limit)
{
    if (maker->is_open) {
        maker->is_open = false;
        maker->reaches = maker->last_bin > maker->bin.index;
        maker->bin.run = maker->reaches ? maker->last_row : FG_NONE;
        lane_put(maker, &maker->bin);
    }
    if (maker->reaches && (!has_limit || maker->last_bin < limit)) {
        struct fgi_bin bin = reached_bin(maker, maker->last_bin);
        maker->reaches = false;
        lane_put(maker, &bin);
    }
}

void fgi_lane_maker_add(struct fgi_lane_maker *maker, uint32_t position, uint32_t row,
                        int64_t start, int64_t end)
{
    int64_t index = fgi_first_bin(start, maker->level);
    uint64_t ns = fgi_duration(start, end);
    if (!maker->is_open || index != maker->bin.index) {
        lane_close(maker, index, true);
        maker->position = position;
        if (maker->reaches) { /* it ends in this bin: spans of a lane do not overlap */
            maker->bin = reached_bin(maker, index);
            maker->reaches = false;
        } else {
            maker->bin = (struct fgi_bin){ .index = index,
                                           .position = position,
                                           .row = row,
                                           .longest_ns = ns,
                                           .run = FG_NONE,
                                           .kind = FGI_KIND_NONE };
        }
        maker->is_open = true;
    }
    maker->bin.starts++;
    maker->bin.covered_ns += fgi_offset_in(index, maker->level, end) -
                             ((uint64_t)start & (fgi_bin_width(maker->level) - 1));
    if (fgi_is_longer(ns, row, maker->bin.longest_ns, maker->bin.row)) {
        maker->bin.row = row;
        maker->bin.longest_ns = ns;
    }
    maker->last_row = row;
    maker->last_end = end;
    maker->last_bin = fgi_last_bin(start, end, maker->level);
    maker->last_ns = ns;
    maker->position = position + 1;
}

void fgi_lane_maker_put(struct fgi_lane_maker *maker, const struct fgi_bin *bin, uint32_t last_row,
                        int64_t last_start, int64_t last_end)
{
    lane_close(maker, bin->index, true);
    maker->last_row = last_row;
    maker->last_end = last_end;
    maker->last_ns = fgi_duration(last_start, last_end);
    maker->last_bin = fgi_last_bin(last_start, last_end, maker->level);
    maker->position = bin->position + bin->starts;
    maker->reaches = maker->last_bin > bin->index;
    struct fgi_bin known = *bin;
    known.run = maker->reaches ? last_row : FG_NONE;
    lane_put(maker, &known);
}

void fgi_lane_maker_finish(struct fgi_lane_maker *maker)
{
    lane_close(maker, 0, false);
}
