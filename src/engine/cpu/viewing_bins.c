/* SPDX-License-Identifier: MIT */
/* Bins of a view. */
#include "engine/cpu/viewing.h"
#include <string.h>

/* Stands in `status` until a row has been looked at. */
#define NOT_DESCRIBED UINT8_MAX

static bool make_room(struct fgi_viewing *v)
{
    if (v->bins_count >= v->request->max_bins) {
        v->is_full = true;
        return false;
    }
    if (v->bins_count < v->bins_capacity) {
        return true;
    }
    size_t wanted = v->bins_capacity * 2 + 16;
    wanted = wanted < v->request->max_bins ? wanted : v->request->max_bins;
    struct fg_view_bins *more = fgi_arena_take(v->question->arena, wanted, sizeof *more);
    if (!more) {
        v->result = FG_ERR_NO_MEMORY;
        return false;
    }
    if (v->bins_count > 0) {
        memcpy(more, v->bins, v->bins_count * sizeof *more);
    }
    v->bins = more;
    v->bins_capacity = wanted;
    return true;
}

static void describe(const struct fgi_viewing *v, struct fg_view_bins *bins, uint32_t kind)
{
    if (kind == FGI_KIND_NONE) {
        bins->status = NOT_DESCRIBED;
        return;
    }
    const struct fgi_kind *known = &v->cpu->kinds.table.items[kind];
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
    bins->name = block->name[at];
    bins->category = fgi_block_extra(block, FGI_COLUMN_CATEGORY, at);
    bins->classes = block->classes[at];
    bins->status = block->status[at];
    bins->longest_ns = fgi_duration(fgi_cursor_start(&v->cursor, bins->row),
                                    fgi_cursor_end(&v->cursor, bins->row));
    v->question->visits->spans++;
    return true;
}

/* Bins up to `end` as far as they are in the window, all covered by the run at hand. */
static bool put_run(struct fgi_viewing *v, int64_t end)
{
    int64_t first = v->run_from > v->first_bin ? v->run_from : v->first_bin;
    end = end - 1 < v->last_bin ? end : v->last_bin + 1;
    if (first >= end) {
        return true;
    }
    if (!make_room(v)) {
        return false;
    }
    struct fg_view_bins *run = &v->bins[v->bins_count++];
    *run = (struct fg_view_bins){ .first = first,
                                  .count = (uint32_t)(end - first),
                                  .covered_ns = fgi_bin_width(v->level),
                                  .row = v->run };
    return describe_row(v, run);
}

static bool see_bin(void *context, const struct fgi_bin *bin)
{
    struct fgi_viewing *v = context;
    if (v->run != FG_NONE && !put_run(v, bin->index)) {
        return false;
    }
    if (bin->index >= v->first_bin && bin->index <= v->last_bin) {
        if (!make_room(v)) {
            return false;
        }
        v->starts += bin->starts;
        struct fg_view_bins *one = &v->bins[v->bins_count++];
        *one = (struct fg_view_bins){ .first = bin->index,
                                      .count = 1,
                                      .covered_ns = bin->covered_ns,
                                      .longest_ns = bin->longest_ns,
                                      .starts = bin->starts,
                                      .row = bin->row };
        describe(v, one, bin->kind);
        if (one->status == NOT_DESCRIBED && !describe_row(v, one)) {
            return false;
        }
    }
    v->run = bin->run;
    v->run_from = bin->index + 1;
    return bin->index <= v->last_bin;
}

/* The same for small bins that are stored as they are asked for: most views are made of them. */
static void put_small_bins(struct fgi_viewing *v, const struct fgi_level *level)
{
    const struct fgi_level_source *source = &v->index->source;
    struct fg_visits *visits = v->question->visits;
    uint32_t i = fgi_level_find(level, v->first_bin, &visits->steps);
    uint32_t began = i;
    if (i > 0) { /* its run may reach into the window */
        v->run = fgi_level_run(level, source, --began);
        v->run_from = fgi_level_index(level, began) + 1;
    }
    for (; i < level->count; i++) {
        const struct fgi_small_bin *bin = &level->bins[i];
        int64_t index = (int64_t)((uint64_t)level->origin + bin->offset);
        if (v->run != FG_NONE && index != v->run_from && !put_run(v, index)) {
            return;
        }
        if (index > v->last_bin || !make_room(v)) {
            break;
        }
        struct fg_view_bins *one = &v->bins[v->bins_count++];
        one->first = index;
        one->count = 1;
        one->covered_ns = bin->covered;
        one->longest_ns =
            bin->longest < UINT32_MAX ? bin->longest : fgi_long_span_ns(source, bin->row);
        one->starts = fgi_level_starts(level, i);
        one->row = bin->row;
        describe(v, one, FGI_BIN_KIND(bin));
        if (one->status == NOT_DESCRIBED && !describe_row(v, one)) {
            return;
        }
        v->starts += one->starts;
        v->run = FG_NONE;
        if (bin->kind & FGI_BIN_HAS_RUN) {
            v->run = fgi_level_run(level, source, i);
            v->run_from = index + 1;
        }
    }
    visits->bins += i - began;
}

void fgi_viewing_put_bins(struct fgi_viewing *v)
{
    v->run = FG_NONE;
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
}
