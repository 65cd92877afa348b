/* SPDX-License-Identifier: MIT */
/* One side of a comparison: the time of every group in every frame, from one look at all spans. */
#include "base/climb.h"
#include "base/alloc.h"
#include "base/wide.h"
#include "trace/compare_priv.h"

/* Rough memory of a cell with its place in the table and in the order. */
enum { CELL_COST_BYTES = 64 };

static double quantum_of(const struct fg_trace_clock *clock)
{
    double ns = clock->period_den > 0 ? (double)clock->period_num / (double)clock->period_den : 1;
    return ns > 1 ? ns : 1;
}

uint32_t fgi_compare_group(struct fgi_compare_side *side, uint32_t key, bool is_gpu,
                           enum fg_result *result)
{
    uint32_t found = 0;
    uint64_t slot = (uint64_t)key << 1 | is_gpu;
    if (fgi_map64_get(&side->group_of, slot, &found)) {
        return found;
    }
    *result = FGI_GROW(side->allocator, side->groups.items, side->groups.capacity,
                       side->groups.count + 1, FG_NONE - 1);
    found = (uint32_t)side->groups.count;
    if (*result == FG_OK) {
        *result = fgi_map64_put(&side->group_of, slot, found);
    }
    if (*result != FG_OK) {
        return FG_NONE;
    }
    side->groups.items[side->groups.count++] = (struct fgi_compare_group){
        .key = key,
        .is_gpu = is_gpu,
        .track = FG_NONE,
        .last_cell = FG_NONE,
        .longest = FG_NONE,
        .quantum_ns = 1,
    };
    return found;
}

static struct fgi_compare_cell *cell_of(struct fgi_compare_side *side, uint32_t group,
                                        uint32_t frame, enum fg_result *result)
{
    struct fgi_compare_group *g = &side->groups.items[group];
    if (g->last_cell != FG_NONE && side->cells.items[g->last_cell].frame == frame) {
        return &side->cells.items[g->last_cell];
    }
    uint64_t slot = (uint64_t)group << 32 | frame;
    if (!fgi_map64_get(&side->cell_of, slot, &g->last_cell)) {
        uint64_t most = side->budget_bytes / CELL_COST_BYTES;
        *result = FGI_GROW(side->allocator, side->cells.items, side->cells.capacity,
                           side->cells.count + 1, most < FG_NONE ? (size_t)most : FG_NONE - 1);
        g->last_cell = (uint32_t)side->cells.count;
        if (*result == FG_OK) {
            *result = fgi_map64_put(&side->cell_of, slot, g->last_cell);
        }
        if (*result != FG_OK) {
            g->last_cell = FG_NONE;
            return NULL;
        }
        side->cells.items[side->cells.count++] =
            (struct fgi_compare_cell){ .group = group, .frame = frame };
        side->cell_places[frame - side->wide_first]++;
        g->cell_count++;
    }
    return &side->cells.items[g->last_cell];
}

/* A track's time is that of its outermost spans; hulls of passes are looked through. */
static bool is_outermost(struct fgi_cursor *parents, uint32_t parent)
{
    struct fgi_climb climb = fgi_climb_from(FG_NONE);
    while (parent != FG_NONE && fgi_climb_to(&climb, parent) && fgi_cursor_at(parents, parent)) {
        uint32_t i = parent - parents->first_row;
        if (!(fgi_block_classes(parents->block, i) & FG_CLASS_SCOPE)) {
            return false;
        }
        parent = parents->block->parent[i];
    }
    return true;
}

static uint32_t key_of(const struct fgi_compare_side *side, const struct fgi_block *block,
                       uint32_t i, const struct fg_trace_track *track, struct fgi_cursor *parents)
{
    bool is_scope = fgi_block_classes(block, i) & FG_CLASS_SCOPE;
    switch (side->by) {
    case FG_STATS_BY_PASS: /* markers inside of a pass are time that it has already */
        return fgi_block_classes(block, i) & (FG_CLASS_SUBPASS | FG_CLASS_SCOPE)
                   ? FG_NONE
                   : fgi_block_extra(block, FGI_COLUMN_PASS, i);
    case FG_STATS_BY_TRACK:
        return is_scope || !is_outermost(parents, block->parent[i]) ? FG_NONE : track->name;
    case FG_STATS_BY_SCOPE:
        return is_scope ? fgi_block_extra(block, FGI_COLUMN_SCOPE, i) : FG_NONE;
    case FG_STATS_BY_CATEGORY:
        return is_scope ? FG_NONE : fgi_block_category(block, i);
    default:
        return is_scope ? FG_NONE : fgi_block_name(block, i);
    }
}

static void see_in_range(struct fgi_compare_side *side, struct fgi_compare_group *group,
                         const struct fg_trace_track *track, uint32_t row, uint64_t duration,
                         bool is_first)
{
    double quantum = quantum_of(&side->trace->clocks.items[track->clock]);
    group->track = is_first || group->track == track->name ? track->name : FG_NONE;
    group->quantum_ns = quantum > group->quantum_ns ? quantum : group->quantum_ns;
    if (group->longest == FG_NONE || duration > group->longest_ns) {
        group->longest = row;
        group->longest_ns = duration;
    }
}

static enum fg_result see_span(struct fgi_compare_side *side, const struct fgi_block *block,
                               uint32_t i, uint32_t frame, struct fgi_cursor *parents)
{
    const struct fg_trace *trace = side->trace;
    uint32_t track_index = trace->lanes.items[block->lane[i]].track;
    const struct fg_trace_track *track = &trace->tracks.items[track_index];
    bool is_gpu = track->kind == FG_TRACK_GPU_QUEUE;
    bool is_open = fgi_is_unfinished(fgi_block_status(block, i));
    bool is_in = frame >= side->first && frame < side->end;
    uint32_t row = block->first_row + i;
    side->timed[frame - side->wide_first] |= is_gpu && !is_open;
    uint32_t key = key_of(side, block, i, track, parents);
    if (key == FG_NONE || parents->result != FG_OK) {
        return parents->result;
    }
    enum fg_result result = FG_OK;
    uint32_t index = fgi_compare_group(side, key, is_gpu, &result);
    struct fgi_compare_cell *cell = result == FG_OK ? cell_of(side, index, frame, &result) : NULL;
    if (result != FG_OK) {
        return result;
    }
    struct fgi_compare_group *group = &side->groups.items[index];
    group->is_in_range |= is_in;
    if (is_open) {
        cell->is_open = true;
        return FG_OK;
    }
    uint64_t duration = fgi_duration(block->start_ns[i], block->end_ns[i]);
    cell->sum_ns = fgi_add_saturated(cell->sum_ns, duration);
    cell->spans++;
    if (!is_in) {
        return FG_OK;
    }
    see_in_range(side, group, track, row, duration, group->longest == FG_NONE);
    if ((fgi_block_classes(block, i) & FG_CLASS_GPU_PASS) && fgi_compare_is_sampled(side, frame) &&
        (side->by == FG_STATS_BY_PASS || side->by == FG_STATS_BY_NAME)) {
        result = FGI_GROW(side->allocator, side->spans.items, side->spans.capacity,
                          side->spans.count + 1, FG_NONE - 1);
        if (result == FG_OK) {
            side->spans.items[side->spans.count++] = (struct fgi_compare_span){ row, frame, index };
            side->span_places[frame - side->wide_first]++;
        }
    }
    return result;
}

static size_t wide_frames(const struct fgi_compare_side *side)
{
    return (size_t)(side->wide_end - side->wide_first) + 1;
}

static enum fg_result begin_gathering(struct fgi_compare_side *side)
{
    size_t frames = wide_frames(side);
    side->timed = fgi_calloc(side->allocator, frames, 1);
    side->cell_places = fgi_calloc(side->allocator, frames, sizeof *side->cell_places);
    side->span_places = fgi_calloc(side->allocator, frames, sizeof *side->span_places);
    return side->timed && side->cell_places && side->span_places ? FG_OK : FG_ERR_NO_MEMORY;
}

static void add_up(uint32_t *counts, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
}

/* Numbers of things become places. */
static enum fg_result end_gathering(struct fgi_compare_side *side)
{
    uint32_t sum = 0;
    add_up(side->cell_places, wide_frames(side));
    add_up(side->span_places, wide_frames(side));
    for (size_t i = 0; i < side->groups.count; i++) {
        side->groups.items[i].first_cell = sum;
        sum += side->groups.items[i].cell_count;
    }
    for (uint32_t frame = side->first; frame < side->end; frame++) {
        side->told[0] += fgi_compare_is_told(side, frame, false);
        side->told[1] += fgi_compare_is_told(side, frame, true);
    }
    size_t cells = side->cells.count + 1;
    side->by_frame = fgi_malloc(side->allocator, cells * sizeof *side->by_frame);
    side->order = fgi_malloc(side->allocator, cells * sizeof *side->order);
    side->span_order =
        fgi_malloc(side->allocator, (side->spans.count + 1) * sizeof *side->span_order);
    return side->by_frame && side->order && side->span_order ? FG_OK : FG_ERR_NO_MEMORY;
}

/* Was something of this frame not recorded, or did GPU times of it never come? */
static bool is_partial(const struct fg_trace *trace, uint32_t frame)
{
    return frame < trace->frames.count &&
           (trace->frames.items[frame].dropped > 0 || trace->frames.items[frame].missing > 0);
}

static enum fg_result see_spans(struct fgi_compare_side *side, uint32_t first, uint32_t end)
{
    struct fgi_cursor cursor = fgi_trace_cursor(side->trace);
    struct fgi_cursor parents = fgi_trace_cursor(side->trace);
    enum fg_result result = FG_OK;
    for (uint32_t row = first; row < end && result == FG_OK; row++) {
        if (!fgi_cursor_at(&cursor, row)) {
            result = cursor.result;
            break;
        }
        uint32_t i = row - cursor.first_row;
        uint32_t frame = fgi_block_extra(cursor.block, FGI_COLUMN_FRAME, i);
        if (side->has_range) {
            if (!fgi_meets(cursor.block->start_ns[i], cursor.block->end_ns[i], side->start_ns,
                           side->end_ns)) {
                continue;
            }
            side->has_losses |= is_partial(side->trace, frame);
        }
        frame = side->is_frameless ? 0 : frame;
        if (frame >= side->wide_first && frame < side->wide_end) {
            result = see_span(side, cursor.block, i, frame, &parents);
        }
    }
    fgi_cursor_finish(&parents);
    fgi_cursor_finish(&cursor);
    return result;
}

enum fg_result fgi_compare_gather(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_compare_side *side = &c->sides[c->which];
    uint32_t rows = fgi_trace_rows(side->trace);
    enum fg_result result = c->at == 0 && !side->timed ? begin_gathering(side) : FG_OK;
    for (uint64_t n; result == FG_OK && (n = fgi_compare_take(step, rows - c->at)) > 0;) {
        result = see_spans(side, (uint32_t)c->at, (uint32_t)(c->at + n));
        c->at += n;
    }
    result = result == FG_OK ? step->result : result;
    if (result != FG_OK || c->at < rows) {
        return result;
    }
    c->is_over = true;
    c->base.work.total_rows += 3 * (uint64_t)side->cells.count + 2 * (uint64_t)side->spans.count;
    return end_gathering(side);
}

/* By frame first: then each group's come by frame. What is of one frame stays in its order. */
enum fg_result fgi_compare_place(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_compare_side *side = &c->sides[c->which];
    uint32_t cells = (uint32_t)side->cells.count;
    uint64_t all = 2 * (uint64_t)cells + side->spans.count;
    for (uint64_t n; (n = fgi_compare_take(step, all - c->at)) > 0;) {
        for (uint64_t end = c->at + n; c->at < end; c->at++) {
            if (c->at < cells) {
                uint32_t frame = side->cells.items[c->at].frame - side->wide_first;
                side->by_frame[side->cell_places[frame]++] = (uint32_t)c->at;
            } else if (c->at < 2 * (uint64_t)cells) {
                uint32_t cell = side->by_frame[c->at - cells];
                struct fgi_compare_group *group =
                    &side->groups.items[side->cells.items[cell].group];
                side->order[group->first_cell + group->placed_count++] = cell;
            } else {
                uint32_t span = (uint32_t)(c->at - 2 * (uint64_t)cells);
                uint32_t frame = side->spans.items[span].frame - side->wide_first;
                side->span_order[side->span_places[frame]++] = span;
            }
        }
    }
    c->is_over = c->at == all;
    if (c->is_over) {
        fgi_free(side->allocator, side->by_frame, ((size_t)cells + 1) * sizeof *side->by_frame);
        side->by_frame = NULL;
    }
    return step->result;
}

bool fgi_compare_is_told(const struct fgi_compare_side *side, uint32_t frame, bool is_gpu)
{
    if (!is_gpu || side->is_frameless) {
        return !is_gpu || (side->timed[0] && !side->has_losses);
    }
    return side->timed[frame - side->wide_first] && side->trace->frames.items[frame].missing == 0;
}

void fgi_compare_side_finish(struct fgi_compare_side *side)
{
    const struct fg_allocator *allocator = side->allocator;
    size_t frames = wide_frames(side), cells = side->cells.count + 1;
    fgi_map64_finish(&side->group_of);
    fgi_map64_finish(&side->cell_of);
    fgi_free(allocator, side->timed, frames);
    fgi_free(allocator, side->cell_places, frames * sizeof *side->cell_places);
    fgi_free(allocator, side->span_places, frames * sizeof *side->span_places);
    fgi_free(allocator, side->by_frame, cells * sizeof *side->by_frame);
    fgi_free(allocator, side->order, cells * sizeof *side->order);
    fgi_free(allocator, side->span_order, (side->spans.count + 1) * sizeof *side->span_order);
    fgi_free(allocator, side->seen, side->trace->passes.count);
    fgi_free(allocator, side->seen_graphs, side->trace->topologies.count + 1);
    fgi_free(allocator, side->groups.items, side->groups.capacity * sizeof *side->groups.items);
    fgi_free(allocator, side->cells.items, side->cells.capacity * sizeof *side->cells.items);
    fgi_free(allocator, side->spans.items, side->spans.capacity * sizeof *side->spans.items);
}
