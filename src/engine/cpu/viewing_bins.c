/* SPDX-License-Identifier: MIT */
/* Bins of a view. */
#include "engine/cpu/viewing.h"

/* Stands in `status` until a row has been looked at. */
#define NOT_DESCRIBED UINT8_MAX
/* Rows lie apart: what is looked at next is on its way while others are. */
enum { AHEAD = 16 };

/* One for each bin of the window is the most that there are: only a smaller budget is reached. */
static bool has_room(struct fgi_viewing *v)
{
    v->is_full = v->is_full || v->bins_count >= v->bins_capacity;
    return !v->is_full;
}

static void describe(struct fgi_viewing *v, struct fg_view_bins *bins, uint32_t kind)
{
    if (kind == FGI_KIND_NONE) {
        bins->status = NOT_DESCRIBED;
        v->has_unknown = true;
        return;
    }
    const struct fgi_kind *known = &v->cpu->engine.trace->store->kinds.items[kind];
    bins->name = known->name;
    bins->category = known->category;
    bins->classes = known->classes;
    bins->status = known->status;
}

/* Look at the longest span itself. */
static bool describe_row(struct fgi_viewing *v, struct fg_view_bins *bins)
{
    if (!fgi_cursor_at(&v->cursor, bins->row)) {
        v->result = v->cursor.result;
        return false;
    }
    const struct fgi_block *block = v->cursor.block;
    uint32_t at = bins->row - v->cursor.first_row;
    describe(v, bins, block->kind[at]);
    bins->longest_ns = fgi_duration(block->start_ns[at], block->end_ns[at]);
    v->visits.spans++;
    return true;
}

static void fetch_kind(const struct fgi_viewing *v, const struct fg_view_bins *bins)
{
    uint32_t at = bins->row - v->cursor.first_row;
    if (bins->status == NOT_DESCRIBED && at < v->cursor.count) {
        __builtin_prefetch(&v->cursor.block->kind[at]);
    }
}

/* What bins that were made from spans leave open: what their longest are. */
static void describe_rest(struct fgi_viewing *v)
{
    for (uint32_t i = 0; i < v->bins_count && v->result == FG_OK; i++) {
        struct fg_view_bins *bins = &v->bins[i];
        if (i + AHEAD < v->bins_count) {
            fetch_kind(v, bins + AHEAD);
        }
        if (bins->status != NOT_DESCRIBED) {
            continue;
        }
        if (!fgi_cursor_at(&v->cursor, bins->row)) {
            v->result = v->cursor.result;
            return;
        }
        describe(v, bins, v->cursor.block->kind[bins->row - v->cursor.first_row]);
    }
    v->has_unknown = false;
}

/*
 * Bins up to `end` as far as they are in the window, all covered by the run at hand: mostly by the
 * longest of the bin before, or of the one behind (`row`), of which all is known.
 */
static bool put_run(struct fgi_viewing *v, int64_t end, uint32_t row, uint32_t kind,
                    uint64_t longest_ns)
{
    int64_t first = v->run_from > v->first_bin ? v->run_from : v->first_bin;
    end = end - 1 < v->last_bin ? end : v->last_bin + 1;
    if (first >= end) {
        return true;
    }
    if (!has_room(v)) {
        return false;
    }
    struct fg_view_bins *run = &v->bins[v->bins_count++];
    *run = (struct fg_view_bins){ .first = first,
                                  .count = (uint32_t)(end - first),
                                  .covered_ns = fgi_bin_width(v->level),
                                  .row = v->run };
    if (v->run == v->last_row) {
        row = v->last_row;
        kind = v->last_kind;
        longest_ns = v->last_longest_ns;
    }
    if (v->run != row || kind == FGI_KIND_NONE) {
        return describe_row(v, run);
    }
    run->longest_ns = longest_ns;
    describe(v, run, kind);
    return true;
}

static bool see_bin(void *context, const struct fgi_bin *bin)
{
    struct fgi_viewing *v = context;
    if (v->run != FG_NONE && !put_run(v, bin->index, bin->row, bin->kind, bin->longest_ns)) {
        return false;
    }
    if (bin->index >= v->first_bin && bin->index <= v->last_bin) {
        if (!has_room(v)) {
            return false;
        }
        v->starts += bin->starts;
        struct fg_view_bins *one = &v->bins[v->bins_count++];
        one->first = bin->index;
        one->covered_ns = bin->covered_ns;
        one->longest_ns = bin->longest_ns;
        one->count = 1;
        one->starts = bin->starts;
        one->row = bin->row;
        describe(v, one, bin->kind);
    }
    v->run = bin->run;
    v->run_from = bin->index + 1;
    v->last_row = bin->row;
    v->last_kind = bin->kind;
    v->last_longest_ns = bin->longest_ns;
    return bin->index <= v->last_bin;
}

static uint64_t longest_of(const struct fgi_level_source *source, const struct fgi_small_bin *bin)
{
    return bin->longest < UINT32_MAX ? bin->longest : fgi_long_span_ns(source, bin->row);
}

/* The gap before bin i, when a span covers it. */
static bool put_run_before(struct fgi_viewing *v, const struct fgi_level *level, uint32_t i)
{
    const struct fgi_level_source *source = &v->index->source;
    const struct fgi_small_bin *before = &level->bins[i - 1];
    if (!(before->kind & FGI_BIN_HAS_RUN)) {
        return true;
    }
    v->run = fgi_level_run(level, source, i - 1);
    v->run_from = fgi_level_index(level, i - 1) + 1;
    v->last_row = before->row;
    v->last_kind = FGI_BIN_KIND(before);
    v->last_longest_ns = longest_of(source, before);
    if (i == level->count) { /* nothing reaches beyond the last bin */
        return true;
    }
    const struct fgi_small_bin *bin = &level->bins[i];
    return put_run(v, fgi_level_index(level, i), bin->row, FGI_BIN_KIND(bin),
                   longest_of(source, bin));
}

/* The same for small bins that are stored as they are asked for: most views are made of them. */
static void put_small_bins(struct fgi_viewing *v, const struct fgi_level *level)
{
    const struct fgi_level_source *source = &v->index->source;
    const struct fgi_kind *kinds = v->cpu->engine.trace->store->kinds.items;
    uint32_t began = fgi_level_find(level, v->first_bin, &v->visits.steps);
    uint32_t end = fgi_level_find(level, v->last_bin + 1, &v->visits.steps);
    int64_t expected = v->first_bin; /* without a gap */
    for (uint32_t i = began; i < end; i++) {
        const struct fgi_small_bin *bin = &level->bins[i];
        int64_t index = (int64_t)((uint64_t)level->origin + bin->offset);
        if (index != expected && i > 0 && !put_run_before(v, level, i)) {
            break;
        }
        if (!has_room(v)) {
            break;
        }
        struct fg_view_bins *one = &v->bins[v->bins_count++];
        const struct fgi_kind *kind = &kinds[FGI_BIN_KIND(bin)];
        uint32_t starts = fgi_level_starts(level, i);
        *one = (struct fg_view_bins){ .first = index,
                                      .covered_ns = bin->covered,
                                      .longest_ns = longest_of(source, bin),
                                      .count = 1,
                                      .starts = starts,
                                      .row = bin->row,
                                      .name = kind->name,
                                      .category = kind->category,
                                      .classes = kind->classes,
                                      .status = kind->status };
        v->starts += starts;
        expected = index + 1;
    }
    if (!v->is_full && v->result == FG_OK && end > 0 && expected <= v->last_bin) {
        (void)put_run_before(v, level, end);
    }
    v->visits.bins += end - began + (began > 0);
}

void fgi_viewing_put_bins(struct fgi_viewing *v)
{
    v->run = FG_NONE;
    v->last_row = FG_NONE;
    v->starts = 0;
    if (v->index->span_count == 0) {
        return;
    }
    if (v->level >= v->index->base && v->index->stored_levels >> v->level & 1) {
        const struct fgi_level *level = fgi_index_level(v->index, v->level);
        if (level->bins) {
            put_small_bins(v, level);
            return;
        }
    }
    struct fgi_bin_sink sink = { see_bin, v };
    enum fg_result read =
        fgi_index_read(&v->reader, v->index, &v->lanes, v->level, v->first_bin, v->last_bin, &sink);
    v->result = v->result != FG_OK ? v->result : read;
    if (v->has_unknown && v->result == FG_OK) {
        describe_rest(v);
    }
}
