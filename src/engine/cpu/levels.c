/* SPDX-License-Identifier: MIT */
#include "engine/cpu/levels.h"
#include "base/alloc.h"
#include <string.h>

/* Widths up to 2^31: a bin that is covered wholly still fits. */
enum { SMALL_LEVEL_MAX = 31 };

static struct fgi_small_bin small_bin(const struct fgi_bin *bin, int64_t origin)
{
    uint32_t flags = bin->run == FG_NONE    ? 0
                     : bin->run == bin->row ? FGI_BIN_HAS_RUN | FGI_BIN_RUN_IS_ROW
                                            : FGI_BIN_HAS_RUN;
    return (struct fgi_small_bin){
        .offset = (uint32_t)((uint64_t)bin->index - (uint64_t)origin),
        .position = bin->position,
        .row = bin->row,
        .longest = bin->longest_ns < UINT32_MAX ? (uint32_t)bin->longest_ns : UINT32_MAX,
        .covered = (uint32_t)bin->covered_ns,
        .kind = bin->kind | flags,
    };
}

bool fgi_level_is_small(unsigned k, int64_t first_ns, int64_t last_ns)
{
    return k <= SMALL_LEVEL_MAX &&
           (uint64_t)(last_ns >> k) - (uint64_t)(first_ns >> k) < UINT32_MAX;
}

/* ---- building -------------------------------------------------------------------------------- */

static enum fg_result make_room(struct fgi_level_builder *b, size_t count)
{
    struct fgi_level *level = &b->level;
    enum fg_result result =
        b->is_small ? FGI_GROW(b->allocator, level->bins, b->capacity, count + 1, SIZE_MAX)
                    : FGI_GROW(b->allocator, level->wide, b->capacity, count + 1, SIZE_MAX);
    if (result == FG_OK && !b->is_complete) {
        result = FGI_GROW(b->allocator, level->starts, b->start_capacity, b->capacity, SIZE_MAX);
    }
    if (result == FG_OK && !b->has_one_lane && b->is_small) {
        result = FGI_GROW(b->allocator, level->runs, b->run_capacity, b->capacity, SIZE_MAX);
    }
    return result;
}

void fgi_level_builder_reserve(struct fgi_level_builder *builder, uint32_t count)
{
    if (builder->result == FG_OK && count > 0) {
        builder->result = make_room(builder, count);
    }
}

bool fgi_level_builder_put(struct fgi_level_builder *builder, const struct fgi_bin *bin)
{
    struct fgi_level *level = &builder->level;
    if (builder->result == FG_OK && (size_t)level->count + 1 >= builder->capacity) {
        builder->result = make_room(builder, (size_t)level->count + 1);
    }
    if (builder->result != FG_OK) {
        return false;
    }
    uint32_t i = level->count++;
    if (builder->is_small) {
        level->bins[i] = small_bin(bin, builder->origin);
    } else {
        level->wide[i] = *bin;
    }
    if (level->starts) {
        level->starts[i] = bin->starts;
    }
    if (level->runs) {
        level->runs[i] = bin->run;
    }
    return true;
}

/* Columns in the memory that they need. */
static enum fg_result fit(struct fgi_level_builder *b)
{
    struct fgi_level *level = &b->level;
    size_t count = level->count;
    enum fg_result result = b->is_small
                                ? FGI_SHRINK(b->allocator, level->bins, b->capacity, count + 1)
                                : FGI_SHRINK(b->allocator, level->wide, b->capacity, count + 1);
    if (result == FG_OK && level->starts) {
        result = FGI_SHRINK(b->allocator, level->starts, b->start_capacity, count);
    }
    if (result == FG_OK && level->runs) {
        result = FGI_SHRINK(b->allocator, level->runs, b->run_capacity, count);
    }
    return result;
}

enum fg_result fgi_level_builder_finish(struct fgi_level_builder *builder, uint32_t end_position,
                                        struct fgi_level *out_level)
{
    struct fgi_level *level = &builder->level;
    *out_level = (struct fgi_level){ 0 };
    if (builder->result == FG_OK && level->count > 0) {
        struct fgi_bin end = { .index = INT64_MAX,
                               .position = end_position,
                               .row = FG_NONE,
                               .run = FG_NONE,
                               .kind = FGI_KIND_NONE };
        level->origin = builder->origin;
        if (builder->is_small) {
            level->bins[level->count] = small_bin(&end, level->origin);
            level->bins[level->count].offset = UINT32_MAX;
        } else {
            level->wide[level->count] = end;
        }
        builder->result = fit(builder);
    }
    if (builder->result != FG_OK || level->count == 0) {
        fgi_level_builder_abandon(builder);
        return builder->result;
    }
    *out_level = *level;
    return FG_OK;
}

void fgi_level_builder_abandon(struct fgi_level_builder *builder)
{
    struct fgi_level *level = &builder->level;
    size_t bins = level->bins ? builder->capacity * sizeof *level->bins : 0;
    size_t wide = level->wide ? builder->capacity * sizeof *level->wide : 0;
    fgi_free(builder->allocator, level->bins, bins);
    fgi_free(builder->allocator, level->wide, wide);
    fgi_free(builder->allocator, level->runs, builder->run_capacity * sizeof *level->runs);
    fgi_free(builder->allocator, level->starts, builder->start_capacity * sizeof *level->starts);
    *level = (struct fgi_level){ 0 };
}

/* ---- kept ------------------------------------------------------------------------------------ */

void fgi_level_finish(struct fgi_level *level, const struct fg_allocator *allocator)
{
    size_t count = level->count;
    fgi_free(allocator, level->bins, (count + 1) * sizeof *level->bins);
    fgi_free(allocator, level->wide, (count + 1) * sizeof *level->wide);
    fgi_free(allocator, level->runs, count * sizeof *level->runs);
    fgi_free(allocator, level->starts, count * sizeof *level->starts);
    *level = (struct fgi_level){ 0 };
}

uint64_t fgi_level_bytes(const struct fgi_level *level)
{
    uint64_t each = (level->runs ? sizeof *level->runs : 0) +
                    (level->starts ? sizeof *level->starts : 0) +
                    (level->bins ? sizeof *level->bins : sizeof *level->wide);
    return level->count * each;
}

uint32_t fgi_level_find(const struct fgi_level *level, int64_t index, uint64_t *steps)
{
    uint32_t low = 0, high = level->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        ++*steps;
        if (fgi_level_index(level, middle) < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t fgi_long_span_ns(const struct fgi_level_source *source, uint32_t row)
{
    size_t low = 0, high = source->long_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->long_spans[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < source->long_count ? source->long_spans[low].ns : 0;
}

uint32_t fgi_level_run(const struct fgi_level *level, const struct fgi_level_source *source,
                       uint32_t i)
{
    const struct fgi_small_bin *bin = &level->bins[i];
    if (!(bin->kind & FGI_BIN_HAS_RUN)) {
        return FG_NONE;
    }
    if (bin->kind & FGI_BIN_RUN_IS_ROW) {
        return bin->row;
    }
    /* Of one lane, what reaches beyond a bin is the last span that starts before the next. */
    return level->runs ? level->runs[i]
                       : source->lane_rows[bin->position + fgi_level_starts(level, i) - 1];
}

void fgi_level_get(const struct fgi_level *level, const struct fgi_level_source *source, uint32_t i,
                   struct fgi_bin *out_bin)
{
    if (!level->bins) {
        *out_bin = level->wide[i];
        return;
    }
    const struct fgi_small_bin *bin = &level->bins[i];
    *out_bin = (struct fgi_bin){
        .index = fgi_level_index(level, i),
        .covered_ns = bin->covered,
        .longest_ns = bin->longest < UINT32_MAX ? bin->longest : fgi_long_span_ns(source, bin->row),
        .row = bin->row,
        .starts = fgi_level_starts(level, i),
        .position = bin->position,
        .run = fgi_level_run(level, source, i),
        .kind = FGI_BIN_KIND(bin),
    };
}

/* Whole durations, of which the small form has only those that fit. */
static bool is_longer_small(const struct fgi_level_source *source, const struct fgi_small_bin *a,
                            const struct fgi_small_bin *b)
{
    if (a->longest == UINT32_MAX && b->longest == UINT32_MAX) {
        return fgi_is_longer(fgi_long_span_ns(source, a->row), a->row,
                             fgi_long_span_ns(source, b->row), b->row);
    }
    return fgi_is_longer(a->longest, a->row, b->longest, b->row);
}

/* Small bins are merged as they are: views between two stored levels are made of nothing else. */
static void next_small(struct fgi_level_cursor *cursor, struct fgi_bin *out_bin)
{
    const struct fgi_level *level = cursor->level;
    const struct fgi_small_bin *bins = level->bins;
    uint32_t first = cursor->at;
    uint32_t i = first;
    uint64_t in_coarse = (UINT64_C(1) << cursor->shift) - 1; /* position mask of a fine bin */
    int64_t index = fgi_level_index(level, i);
    int64_t coarse = index >> cursor->shift;
    uint64_t here = (uint64_t)index & in_coarse;
    uint64_t whole = cursor->run != FG_NONE ? here : 0; /* fine bins that runs cover wholly */
    uint64_t covered = 0;
    const struct fgi_small_bin *best = &bins[i];
    for (;;) {
        covered += bins[i].covered;
        if (i != first && is_longer_small(cursor->source, &bins[i], best)) {
            best = &bins[i];
        }
        bool has_run = (bins[i].kind & FGI_BIN_HAS_RUN) != 0;
        uint64_t to = in_coarse + 1;
        bool is_inside = ++i < level->count;
        if (is_inside) {
            index = fgi_level_index(level, i);
            is_inside = index >> cursor->shift == coarse;
            to = is_inside ? (uint64_t)index & in_coarse : to;
        }
        whole += has_run ? to - here - 1 : 0;
        if (!is_inside) {
            break;
        }
        here = to;
    }
    cursor->at = i;
    cursor->run = fgi_level_run(level, cursor->source, i - 1);
    *out_bin = (struct fgi_bin){
        .index = coarse,
        .covered_ns = covered + (whole << cursor->k),
        .longest_ns = best->longest < UINT32_MAX ? best->longest
                                                 : fgi_long_span_ns(cursor->source, best->row),
        .row = best->row,
        .starts = bins[i].position - bins[first].position,
        .position = bins[first].position,
        .run = cursor->run,
        .kind = FGI_BIN_KIND(best),
    };
}

bool fgi_level_next(struct fgi_level_cursor *cursor, struct fgi_bin *out_bin)
{
    const struct fgi_level *level = cursor->level;
    uint32_t i = cursor->at;
    if (i >= level->count) {
        return false;
    }
    if (level->bins && cursor->shift > 0) {
        next_small(cursor, out_bin);
        return true;
    }
    struct fgi_bin merged;
    fgi_level_get(level, cursor->source, i, &merged);
    if (cursor->shift == 0) {
        cursor->run = merged.run;
        cursor->at++;
        *out_bin = merged;
        return true;
    }
    uint64_t in_coarse = (UINT64_C(1) << cursor->shift) - 1; /* position mask of a fine bin */
    uint64_t here = (uint64_t)merged.index & in_coarse;
    uint64_t whole = cursor->run != FG_NONE ? here : 0; /* fine bins that runs cover wholly */
    merged.index >>= cursor->shift;
    for (;;) {
        struct fgi_bin next;
        bool is_inside =
            ++i < level->count && fgi_level_index(level, i) >> cursor->shift == merged.index;
        uint64_t to = in_coarse + 1;
        if (is_inside) {
            fgi_level_get(level, cursor->source, i, &next);
            to = (uint64_t)next.index & in_coarse;
        }
        whole += merged.run != FG_NONE ? to - here - 1 : 0;
        if (!is_inside) {
            break;
        }
        here = to;
        merged.covered_ns += next.covered_ns;
        merged.starts += next.starts;
        merged.run = next.run;
        if (fgi_is_longer(next.longest_ns, next.row, merged.longest_ns, merged.row)) {
            merged.longest_ns = next.longest_ns;
            merged.row = next.row;
            merged.kind = next.kind;
        }
    }
    merged.covered_ns += whole << cursor->k;
    cursor->at = i;
    cursor->run = merged.run;
    *out_bin = merged;
    return true;
}
