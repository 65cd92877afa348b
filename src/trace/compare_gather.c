/* SPDX-License-Identifier: MIT */
/* One side of a comparison: the time of every group in every frame, from one look at all spans. */
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
        .row = FG_NONE,
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
    }
    return &side->cells.items[g->last_cell];
}

/* A track's time is that of its outermost spans; hulls of passes are looked through. */
static bool is_outermost(struct fgi_cursor *parents, uint32_t parent)
{
    while (parent != FG_NONE && fgi_cursor_at(parents, parent)) {
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
    if (result != FG_OK || is_open) {
        if (cell) {
            cell->is_open = true;
        }
        return result;
    }
    struct fgi_compare_group *group = &side->groups.items[index];
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
        }
    }
    return result;
}

static enum fg_result see_spans(struct fgi_compare_side *side)
{
    struct fgi_cursor cursor = fgi_trace_cursor(side->trace);
    struct fgi_cursor parents = fgi_trace_cursor(side->trace);
    enum fg_result result = FG_OK;
    for (uint32_t row = 0; row < fgi_trace_rows(side->trace) && result == FG_OK; row++) {
        if (row % 65536 == 0 && fgi_question_cancelled(side->question)) {
            result = FG_ERR_CANCELLED;
            break;
        }
        if (!fgi_cursor_at(&cursor, row)) {
            result = cursor.result;
            break;
        }
        uint32_t i = row - cursor.first_row;
        uint32_t frame =
            side->is_frameless ? 0 : fgi_block_extra(cursor.block, FGI_COLUMN_FRAME, i);
        if (frame >= side->wide_first && frame < side->wide_end) {
            result = see_span(side, cursor.block, i, frame, &parents);
        }
    }
    fgi_cursor_finish(&parents);
    fgi_cursor_finish(&cursor);
    return result;
}

static bool cell_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_compare_side *side = context;
    const struct fgi_compare_cell *x = &side->cells.items[a];
    const struct fgi_compare_cell *y = &side->cells.items[b];
    return x->group != y->group ? x->group < y->group : x->frame < y->frame;
}

static enum fg_result order_cells(struct fgi_compare_side *side)
{
    uint32_t count = (uint32_t)side->cells.count;
    side->order = fgi_malloc(side->allocator, ((size_t)count + 1) * sizeof *side->order);
    if (!side->order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        side->order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(side->allocator, side->order, count, cell_before, side);
    for (uint32_t i = 0; i < count; i++) {
        struct fgi_compare_group *group =
            &side->groups.items[side->cells.items[side->order[i]].group];
        group->first_cell = group->cell_count == 0 ? i : group->first_cell;
        group->cell_count++;
    }
    return result;
}

enum fg_result fgi_compare_gather(struct fgi_compare_side *side)
{
    size_t frames = (size_t)(side->wide_end - side->wide_first) + 1;
    side->group_of.allocator = side->cell_of.allocator = side->allocator;
    side->timed = fgi_calloc(side->allocator, frames, 1);
    enum fg_result result = side->timed ? see_spans(side) : FG_ERR_NO_MEMORY;
    return result == FG_OK ? order_cells(side) : result;
}

bool fgi_compare_is_told(const struct fgi_compare_side *side, uint32_t frame, bool is_gpu)
{
    if (!is_gpu || side->is_frameless) {
        return !is_gpu || side->timed[0];
    }
    return side->timed[frame - side->wide_first] && side->trace->frames.items[frame].missing == 0;
}

void fgi_compare_side_finish(struct fgi_compare_side *side)
{
    const struct fg_allocator *allocator = side->allocator;
    fgi_map64_finish(&side->group_of);
    fgi_map64_finish(&side->cell_of);
    fgi_free(allocator, side->timed, (size_t)(side->wide_end - side->wide_first) + 1);
    fgi_free(allocator, side->order, (side->cells.count + 1) * sizeof *side->order);
    fgi_free(allocator, side->groups.items, side->groups.capacity * sizeof *side->groups.items);
    fgi_free(allocator, side->cells.items, side->cells.capacity * sizeof *side->cells.items);
    fgi_free(allocator, side->spans.items, side->spans.capacity * sizeof *side->spans.items);
}
