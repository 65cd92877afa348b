/* SPDX-License-Identifier: MIT */
/* What numbers over selected rows are asked, as tables for kernels. */
#include "engine/vulkan/gpu_numbers.h"

#include "base/alloc.h"
#include "trace/model.h"
#include "trace/span_words.h"
#include <string.h>

enum {
    LOCAL_SLOTS = 256, /* that a group of invocations keeps in its own memory */
    MOST_REPLICAS = 5, /* log2 */
};
/* As in number_args.glsl. */
enum { NUMBER_RANGE = 1, NUMBER_FRAMES = 2, NUMBER_LANES = 4, NUMBER_SPANS = 8, NUMBER_PASS = 16 };
enum { KIND_OPEN = 1, KIND_FAILED = 2 };
enum source { SOURCE_KIND, SOURCE_LANE, SOURCE_FRAME, SOURCE_PASS, SOURCE_SCOPE };

/** struct fg_number_args of number_args.glsl. */
struct fgi_gpu_number_args {
    struct fgi_gpu_column_push mask, lanes, kinds, lane_keys, cells, firsts, counts, means, covered;
    struct fgi_gpu_column_push more_mask, values, absent_values;
    struct fgi_gpu_column_push key_list, flags_of_slots, group_slots, groups;
    uint64_t totals, bin_totals, candidates;
    int64_t start_ns, end_ns;
    uint64_t low, high;
    uint32_t flags, first_frame, end_frame, source, measure, key_count, clocks, slots, replicas;
    uint32_t bins, is_log, nothing, absent, pass, value_count;
};

/* ---- keys ------------------------------------------------------------------------------------ */

static uint32_t depth_limit(const struct fg_trace *trace)
{
    uint32_t limit = 1;
    for (size_t i = 0; i < trace->lanes.count; i++) {
        limit = trace->lanes.items[i].depth >= limit ? trace->lanes.items[i].depth + 1 : limit;
    }
    return limit;
}

uint32_t fgi_gpu_number_keys(const struct fg_trace *trace, uint32_t by)
{
    switch (by) {
    case FG_AGGREGATE_ALL:
        return 1;
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
        return fg_trace_text_count(trace);
    case FG_AGGREGATE_LANE:
        return (uint32_t)trace->lanes.count;
    case FG_AGGREGATE_TRACK:
        return (uint32_t)trace->tracks.count;
    case FG_AGGREGATE_PROCESS:
        return (uint32_t)trace->processes.count;
    case FG_AGGREGATE_STATUS:
        return FG_SPAN_FORCED + 1;
    case FG_AGGREGATE_FRAME:
        return (uint32_t)trace->frames.count;
    case FG_AGGREGATE_PASS:
        return (uint32_t)trace->passes.count;
    case FG_AGGREGATE_DEPTH:
        return depth_limit(trace);
    default: /* classification bits */
        return UINT32_C(1) << 16;
    }
}

static enum source source_of(uint32_t by)
{
    switch (by) {
    case FG_AGGREGATE_LANE:
    case FG_AGGREGATE_TRACK:
    case FG_AGGREGATE_PROCESS:
    case FG_AGGREGATE_DEPTH:
        return SOURCE_LANE;
    case FG_AGGREGATE_FRAME:
        return SOURCE_FRAME;
    case FG_AGGREGATE_PASS:
        return SOURCE_PASS;
    case FG_AGGREGATE_SCOPE:
        return SOURCE_SCOPE;
    default:
        return SOURCE_KIND;
    }
}

static uint32_t clocks_of(const struct fg_trace *trace)
{
    return trace->clocks.count > 0 ? (uint32_t)trace->clocks.count : 1;
}

uint64_t fgi_gpu_numbers_slots(const struct fg_trace *trace, uint32_t by)
{
    uint64_t keys = fgi_gpu_number_keys(trace, by);
    if (source_of(by) == SOURCE_KIND && keys > trace->store->kinds.count) {
        keys = trace->store->kinds.count; /* only those that occur are numbered */
    }
    return keys * clocks_of(trace);
}

static uint32_t kind_key(const struct fgi_kind *kind, const struct fgi_gpu_number_rule *rule)
{
    switch (rule->by) {
    case FG_AGGREGATE_NAME:
        return kind->name;
    case FG_AGGREGATE_CATEGORY:
        return kind->category;
    case FG_AGGREGATE_CLASSES:
        return kind->classes & rule->class_mask;
    case FG_AGGREGATE_STATUS:
        return kind->status;
    default:
        return 0;
    }
}

static bool kind_has_key(const struct fgi_kind *kind, const struct fgi_gpu_number_rule *rule)
{
    const bool is_scope = (kind->classes & FG_CLASS_SCOPE) != 0;
    if (rule->has_name && kind->name != rule->name) {
        return false;
    }
    return rule->scopes == FGI_GPU_SCOPES_ALL || is_scope == (rule->scopes == FGI_GPU_SCOPES_ALONE);
}

static uint32_t lane_key(const struct fg_trace *trace, uint32_t lane, uint32_t by)
{
    const uint32_t track = trace->lanes.items[lane].track;
    switch (by) {
    case FG_AGGREGATE_LANE:
        return lane;
    case FG_AGGREGATE_TRACK:
        return track;
    case FG_AGGREGATE_PROCESS:
        return trace->tracks.items[track].process;
    default:
        return trace->lanes.items[lane].depth;
    }
}

/** Of each kind its key (where keys come from kinds: the key's number) and its status. */
static enum fg_result put_kinds(struct fgi_gpu_numbers *numbers,
                                const struct fgi_gpu_number_rule *rule, struct fgi_arena *arena)
{
    const struct fg_trace *trace = numbers->gpu->trace;
    const uint32_t count = numbers->gpu->counts.kinds;
    const bool is_numbered = source_of(rule->by) == SOURCE_KIND;
    const uint32_t limit = is_numbered ? fgi_gpu_number_keys(trace, rule->by) : 1;
    uint32_t *pairs = fgi_arena_alloc(arena, (size_t)count + 1, 2 * sizeof *pairs);
    uint32_t *number_of = fgi_arena_alloc(arena, (size_t)limit + 1, sizeof *number_of);
    uint32_t *keys = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *keys);
    if (!pairs || !number_of || !keys) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t key_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fgi_kind *kind = &trace->store->kinds.items[i];
        const uint32_t key = is_numbered ? kind_key(kind, rule) : 0;
        pairs[2 * i] = FG_NONE;
        pairs[2 * i + 1] = (fgi_is_unfinished(kind->status) ? KIND_OPEN : 0) |
                           (kind->status == FG_SPAN_ERROR ? KIND_FAILED : 0);
        if (key >= limit || !kind_has_key(kind, rule)) {
            continue;
        }
        if (number_of[key] == 0) {
            keys[key_count++] = key;
            number_of[key] = key_count;
        }
        pairs[2 * i] = number_of[key] - 1;
    }
    if (is_numbered) {
        numbers->keys = keys;
        numbers->key_count = key_count;
    } else {
        numbers->key_count = fgi_gpu_number_keys(trace, rule->by);
    }
    return fgi_gpu_put(numbers->gpu->compute, pairs, ((size_t)count + 1) * 2 * sizeof *pairs,
                       &numbers->kinds);
}

static enum fg_result put_lane_keys(struct fgi_gpu_numbers *numbers, uint32_t by,
                                    struct fgi_arena *arena)
{
    const struct fg_trace *trace = numbers->gpu->trace;
    const uint32_t count = numbers->gpu->counts.lanes;
    uint32_t *pairs = fgi_arena_alloc(arena, (size_t)count + 1, 2 * sizeof *pairs);
    if (!pairs) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        pairs[2 * lane] = lane_key(trace, lane, by);
        pairs[2 * lane + 1] = trace->tracks.items[trace->lanes.items[lane].track].clock;
    }
    return fgi_gpu_put(numbers->gpu->compute, pairs, ((size_t)count + 1) * 2 * sizeof *pairs,
                       &numbers->lane_keys);
}

/* ---- the selection --------------------------------------------------------------------------- */

static void mark(uint32_t *bits, const uint32_t *items, uint32_t count, uint32_t limit)
{
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] < limit) {
            bits[items[i] / 32] |= UINT32_C(1) << (items[i] % 32);
        }
    }
}

enum fg_result fgi_gpu_selected_lanes(const struct fg_trace *trace,
                                      const struct fg_selection *selection, struct fgi_arena *arena,
                                      uint32_t **out_bits)
{
    const uint32_t lanes = (uint32_t)trace->lanes.count;
    const uint32_t tracks = (uint32_t)trace->tracks.count;
    const size_t words = (size_t)lanes / 32 + 1;
    uint32_t *bits = fgi_arena_alloc(arena, words, sizeof *bits);
    uint32_t *track_bits = fgi_arena_alloc(arena, (size_t)tracks / 32 + 1, sizeof *track_bits);
    if (!bits || !track_bits) {
        return FG_ERR_NO_MEMORY;
    }
    if (selection->lanes) {
        mark(bits, selection->lanes, selection->lane_count, lanes);
    } else {
        memset(bits, 0xff, words * sizeof *bits);
    }
    if (selection->tracks) {
        mark(track_bits, selection->tracks, selection->track_count, tracks);
    }
    for (uint32_t lane = 0; selection->tracks && lane < lanes; lane++) {
        const uint32_t track = trace->lanes.items[lane].track;
        if ((track_bits[track / 32] >> (track % 32) & 1) == 0) {
            bits[lane / 32] &= ~(UINT32_C(1) << (lane % 32));
        }
    }
    *out_bits = bits;
    return FG_OK;
}

static enum fg_result put_lanes(struct fgi_gpu_numbers *numbers,
                                const struct fg_selection *selection, struct fgi_arena *arena)
{
    const size_t words = (size_t)numbers->gpu->counts.lanes / 32 + 1;
    uint32_t *bits = NULL;
    if (!selection->tracks && !selection->lanes) {
        return FG_OK;
    }
    const enum fg_result result =
        fgi_gpu_selected_lanes(numbers->gpu->trace, selection, arena, &bits);
    return result == FG_OK
               ? fgi_gpu_put(numbers->gpu->compute, bits, words * sizeof *bits, &numbers->lanes)
               : result;
}

static struct fgi_gpu_column_push push_of(const struct fg_compute_memory *memory,
                                          uint32_t row_bytes)
{
    const struct fgi_gpu_column column = fgi_gpu_column_of(&memory->view, row_bytes);
    return memory->view.size_bytes != 0 ? fgi_gpu_column_push(&column)
                                        : (struct fgi_gpu_column_push){ 0 };
}

/** Tables that a group of invocations has room for, as a logarithm; FG_NONE: not even one. */
static uint32_t replicas_of(uint32_t slots)
{
    uint32_t replicas = 0;
    if (slots > LOCAL_SLOTS) {
        return FG_NONE;
    }
    while (replicas < MOST_REPLICAS && slots << (replicas + 1) <= LOCAL_SLOTS) {
        replicas++;
    }
    return replicas;
}

static enum fg_result put_args(struct fgi_gpu_numbers *numbers,
                               const struct fg_selection *selection,
                               const struct fgi_gpu_number_rule *rule)
{
    static const struct fgi_gpu_caller nothing;
    const struct fgi_gpu_caller *caller = rule->caller ? rule->caller : &nothing;
    const enum source source = source_of(rule->by);
    const bool has_range = selection->start_ns != FG_TIME_MIN || selection->end_ns != INT64_MAX;
    const bool sees_lanes = selection->tracks || selection->lanes || numbers->clocks > 1 ||
                            source == SOURCE_LANE || rule->measure == FG_MEASURE_DEPTH ||
                            rule->has_spans;
    const struct fgi_gpu_number_args args = {
        .mask =
            numbers->mask ? fgi_gpu_column_push(numbers->mask) : (struct fgi_gpu_column_push){ 0 },
        .lanes = push_of(&numbers->lanes, 4),
        .kinds = push_of(&numbers->kinds, 8),
        .lane_keys = push_of(&numbers->lane_keys, 8),
        .cells = fgi_gpu_column_push(&numbers->cells.column),
        .covered = numbers->covered ? fgi_gpu_column_push(numbers->covered)
                                    : (struct fgi_gpu_column_push){ 0 },
        .more_mask = fgi_gpu_column_push(&caller->mask),
        .values = fgi_gpu_column_push(&caller->values),
        .absent_values = fgi_gpu_column_push(&caller->absent),
        .value_count = caller->value_count,
        .totals = numbers->totals.view.address,
        .bin_totals = numbers->bin_totals.view.address,
        .candidates = numbers->candidates.view.address,
        .start_ns = selection->start_ns,
        .end_ns = selection->end_ns,
        .flags = (has_range ? NUMBER_RANGE : 0) | (selection->has_frames ? NUMBER_FRAMES : 0) |
                 (sees_lanes ? NUMBER_LANES : 0) | (rule->has_spans ? NUMBER_SPANS : 0) |
                 (rule->has_pass ? NUMBER_PASS : 0),
        .first_frame = selection->first_frame,
        .end_frame = selection->end_frame,
        .source = source,
        .measure = rule->measure,
        .key_count = numbers->key_count,
        .clocks = numbers->clocks,
        .slots = numbers->slots,
        .replicas = replicas_of(numbers->slots),
        .nothing = source == SOURCE_SCOPE && rule->scopes != FGI_GPU_SCOPES_ALONE ? 0 : FG_NONE,
        .absent = source == SOURCE_SCOPE ? 0 : FG_NONE,
        .pass = rule->pass,
    };
    return fgi_gpu_put(numbers->gpu->compute, &args, sizeof args, &numbers->args);
}

enum fg_result fgi_gpu_numbers_begin(struct fgi_gpu_numbers *numbers, struct fg_gpu_trace *gpu,
                                     const struct fgi_gpu_column *mask,
                                     const struct fgi_gpu_column *covered,
                                     const struct fg_selection *selection,
                                     const struct fgi_gpu_number_rule *rule,
                                     struct fgi_arena *arena)
{
    *numbers = (struct fgi_gpu_numbers){
        .gpu = gpu, .mask = mask, .covered = covered, .caller = rule->caller
    };
    numbers->clocks = clocks_of(gpu->trace);
    enum fg_result result = put_kinds(numbers, rule, arena);
    const uint64_t slots = (uint64_t)numbers->key_count * numbers->clocks;
    if (result == FG_OK && slots > FGI_GPU_NUMBER_SLOTS_MAX) {
        return FG_ERR_LIMIT;
    }
    numbers->slots = (uint32_t)slots;
    result = result == FG_OK ? put_lane_keys(numbers, rule->by, arena) : result;
    result = result == FG_OK ? put_lanes(numbers, selection, arena) : result;
    if (result == FG_OK) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                        sizeof(struct fgi_gpu_group_totals), &numbers->totals);
    }
    if (result == FG_OK) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                        sizeof(struct fgi_gpu_bin_totals), &numbers->bin_totals);
    }
    if (result == FG_OK && !rule->has_no_figures) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, slots * FGI_GPU_CELL_WORDS, 4, 0,
                                     &numbers->cells);
    }
    if (result == FG_OK && !rule->has_no_figures) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                        fgi_gpu_numbers_candidate_bytes(gpu), &numbers->candidates);
    }
    return result == FG_OK ? put_args(numbers, selection, rule) : result;
}

void fgi_gpu_numbers_end(struct fgi_gpu_numbers *numbers)
{
    if (!numbers->gpu) {
        return;
    }
    struct fg_compute *compute = numbers->gpu->compute;
    struct fg_compute_memory *held[] = {
        &numbers->args,     &numbers->lanes,  &numbers->kinds,     &numbers->lane_keys,
        &numbers->totals,   &numbers->firsts, &numbers->means,     &numbers->bin_totals,
        &numbers->key_list, &numbers->sums,   &numbers->candidates
    };
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        fgi_gpu_memory_end(compute, held[i]);
    }
    fgi_gpu_column_free(compute, &numbers->cells);
    fgi_gpu_column_free(compute, &numbers->counts);
    fgi_gpu_column_free(compute, &numbers->flags);
    fgi_gpu_column_free(compute, &numbers->flag_mask);
    fgi_gpu_column_free(compute, &numbers->group_slots);
    fgi_gpu_column_free(compute, &numbers->groups);
    numbers->gpu = NULL;
}

/* ---- what is known later --------------------------------------------------------------------- */

enum fg_result fgi_gpu_numbers_set_means(struct fgi_gpu_numbers *numbers, const uint64_t *means)
{
    const enum fg_result result =
        fgi_gpu_put(numbers->gpu->compute, means, ((size_t)numbers->slots + 1) * sizeof *means,
                    &numbers->means);
    if (result == FG_OK) {
        const struct fgi_gpu_column_push column = push_of(&numbers->means, 8);
        fg_compute_write(numbers->gpu->compute, &numbers->args,
                         offsetof(struct fgi_gpu_number_args, means), &column, sizeof column);
    }
    return result;
}

enum fg_result fgi_gpu_numbers_set_bins(struct fgi_gpu_numbers *numbers,
                                        const struct fgi_gpu_bins *bins)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    enum fg_result result =
        fgi_gpu_column_take(gpu->compute, gpu->allocator, bins->count, 4, 0, &numbers->counts);
    if (result == FG_OK && bins->firsts) {
        result = fgi_gpu_put(numbers->gpu->compute, bins->firsts,
                             bins->count * sizeof *bins->firsts, &numbers->firsts);
    }
    if (result != FG_OK) {
        return result;
    }
    numbers->bin_count = bins->count;
    const struct {
        struct fgi_gpu_column_push firsts, counts;
    } columns = { push_of(&numbers->firsts, 8), fgi_gpu_column_push(&numbers->counts.column) };
    const uint64_t range[2] = { bins->low, bins->high };
    const uint32_t words[2] = { bins->count, bins->firsts == NULL };
    fg_compute_write(gpu->compute, &numbers->args, offsetof(struct fgi_gpu_number_args, firsts),
                     &columns, sizeof columns);
    fg_compute_write(gpu->compute, &numbers->args, offsetof(struct fgi_gpu_number_args, low), range,
                     sizeof range);
    fg_compute_write(gpu->compute, &numbers->args, offsetof(struct fgi_gpu_number_args, bins),
                     words, sizeof words);
    return FG_OK;
}

enum fg_result fgi_gpu_numbers_take_table(struct fgi_gpu_numbers *numbers)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const uint32_t slots = numbers->slots;
    const struct {
        struct fgi_gpu_column_memory *column;
        uint64_t rows;
        uint32_t row_bytes;
    } wanted[] = {
        { &numbers->flags, slots, 4 },
        { &numbers->flag_mask, fgi_mask_words(slots), 4 },
        { &numbers->group_slots, slots, 4 },
        { &numbers->groups, (uint64_t)slots * FGI_GPU_GROUP_QUADS, 16 },
    };
    enum fg_result result =
        fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                               fgi_compact_sums_bytes(gpu->compute, slots), &numbers->sums);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                     wanted[i].row_bytes, 0, wanted[i].column);
    }
    if (result == FG_OK && numbers->keys && numbers->key_count > 0) {
        result = fgi_gpu_put(numbers->gpu->compute, numbers->keys,
                             numbers->key_count * sizeof *numbers->keys, &numbers->key_list);
    }
    if (result == FG_OK) {
        const struct fgi_gpu_column_push columns[] = {
            push_of(&numbers->key_list, 4),
            fgi_gpu_column_push(&numbers->flags.column),
            fgi_gpu_column_push(&numbers->group_slots.column),
            fgi_gpu_column_push(&numbers->groups.column),
        };
        fg_compute_write(gpu->compute, &numbers->args,
                         offsetof(struct fgi_gpu_number_args, key_list), columns, sizeof columns);
    }
    return result;
}
