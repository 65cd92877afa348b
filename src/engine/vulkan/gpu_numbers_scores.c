/* SPDX-License-Identifier: MIT */
/* Scores of rows: tables of what is usual, and nodes. */
#include "engine/vulkan/gpu_numbers_scores.h"

#include "base/wide.h"
#include "trace/score.h"

#include <kernels/score_best.h> /* made by the build */
#include <kernels/score_keys.h> /* made by the build */
#include <kernels/score_rows.h> /* made by the build */
#include <kernels/score_top.h>  /* made by the build */

enum { ROWS_OF_INVOCATION = 8 }; /* as in score_rows.comp */
#define WITHOUT UINT32_C(0x80000000)

/** struct fg_score_args of score_args.glsl. */
struct fgi_gpu_score_args {
    struct fgi_gpu_column_push slots, baselines, reasons, tints, mask, parts;
    uint64_t totals, weight, threshold;
    uint32_t is_two_sided, reserved[3];
};
/** Three quads of score_args.glsl. */
struct usual {
    uint64_t mean, deviation;
    uint64_t of_success, of_error;
    uint32_t reason, reserved[3];
};
/** As in score_args.glsl: the rows of one piece are in it, as pieces may be in flight together. */
struct score_push {
    uint64_t trace, numbers, scores;
    uint32_t first_row, end_row, part_count, reserved;
};
/** As in score_list.comp. */
struct list_push {
    uint64_t trace, numbers, scores;
    uint32_t count, reserved;
    struct fgi_gpu_column_push rows, target;
};
static const struct fg_compute_kernel rows_kernel = { "score_rows", FGI_CODE_score_rows,
                                                      sizeof(struct score_push), 0 };
static const struct fg_compute_kernel best_kernel = { "score_best", FGI_CODE_score_best,
                                                      sizeof(struct score_push), 0 };
static const struct fg_compute_kernel keys_kernel = { "score_keys", FGI_CODE_score_keys,
                                                      sizeof(struct list_push), 0 };
static const struct fg_compute_kernel top_kernel = { "score_top", FGI_CODE_score_top,
                                                     sizeof(struct list_push), 0 };

/* ---- baselines ------------------------------------------------------------------------------- */

enum fg_result fgi_gpu_peers_make(struct fgi_gpu_peers *peers, const struct fg_baseline *baselines,
                                  uint32_t count)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < count && result == FG_OK; i++) {
        const uint64_t slot = (uint64_t)baselines[i].key << 32 | baselines[i].clock;
        uint32_t other = 0;
        if (fgi_map64_get(&peers->by_key, slot, &other)) {
            return FG_ERR_ARGUMENT;
        }
        result = fgi_map64_put(&peers->by_key, slot, i);
        if (result == FG_OK) {
            result = fgi_map64_put(&peers->keys, baselines[i].key, i);
        }
    }
    return result;
}

void fgi_gpu_peers_finish(struct fgi_gpu_peers *peers)
{
    fgi_map64_finish(&peers->by_key);
    fgi_map64_finish(&peers->keys);
}

static uint32_t word_of_slot(const struct fgi_gpu_numbers *numbers,
                             const struct fgi_gpu_peers *peers, uint32_t slot)
{
    const uint64_t key = fgi_gpu_numbers_key(numbers, slot);
    uint32_t baseline = 0;
    if (fgi_map64_get(&peers->by_key, key << 32 | slot % numbers->clocks, &baseline) ||
        fgi_map64_get(&peers->by_key, key << 32 | FG_NONE, &baseline)) {
        return baseline;
    }
    return WITHOUT | (fgi_map64_get(&peers->keys, key, &baseline) ? FG_SCORE_OTHER_CLOCK
                                                                  : FG_SCORE_NO_BASELINE);
}

/** All but what depends on a span's duration is known of a baseline. */
static struct usual usual_of(const struct fg_baseline *baseline, const struct fg_score_rule *rule)
{
    struct usual usual = { .mean = baseline->mean_ns };
    const enum fg_score_reason reason =
        fgi_score_filled(baseline, rule, baseline->mean_ns, false, &usual.of_success);
    (void)fgi_score_filled(baseline, rule, baseline->mean_ns, true, &usual.of_error);
    usual.deviation = baseline->deviation_ns > rule->min_deviation_ns ? baseline->deviation_ns
                                                                      : rule->min_deviation_ns;
    usual.reason = reason == FG_SCORE_SATURATED ? FG_SCORE_SCORED : reason;
    return usual;
}

static enum fg_result put_tables(struct fgi_gpu_scoring *scoring, const struct fgi_gpu_peers *peers,
                                 const struct fgi_gpu_score_terms *terms, struct fgi_arena *arena)
{
    const struct fgi_gpu_numbers *numbers = scoring->numbers;
    const size_t slots = (size_t)numbers->slots + 1;
    const size_t count = (size_t)terms->baseline_count + 1;
    uint32_t *words = fgi_arena_alloc(arena, slots, sizeof *words);
    struct usual *usual = fgi_arena_alloc(arena, count, sizeof *usual);
    if (!words || !usual) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t slot = 0; slot < numbers->slots; slot++) {
        words[slot] = word_of_slot(numbers, peers, slot);
    }
    for (uint32_t i = 0; i < terms->baseline_count; i++) {
        usual[i] = usual_of(&terms->baselines[i], terms->rule);
    }
    struct fg_compute *compute = numbers->gpu->compute;
    const enum fg_result result =
        fgi_gpu_put(compute, words, slots * sizeof *words, &scoring->slots);
    return result == FG_OK ? fgi_gpu_put(compute, usual, count * sizeof *usual, &scoring->baselines)
                           : result;
}

/* ---- scoring --------------------------------------------------------------------------------- */

static uint32_t parts_of(const struct fg_gpu_trace *gpu, uint32_t rows)
{
    return fgi_prim_over(rows,
                         (uint64_t)fgi_prim_group(gpu->compute, &rows_kernel) * ROWS_OF_INVOCATION);
}

static enum fg_result take_columns(struct fgi_gpu_scoring *scoring, bool keeps)
{
    const struct fg_gpu_trace *gpu = scoring->numbers->gpu;
    const uint32_t rows = gpu->counts.rows;
    const struct {
        struct fgi_gpu_column_memory *column;
        uint32_t rows, row_bytes;
    } wanted[] = {
        { &scoring->mask, fgi_mask_words(rows), 4 },
        { &scoring->parts, parts_of(gpu, rows), 16 },
        { &scoring->reasons, rows / 4 + 1, 4 },
        { &scoring->tints, rows / 4 + 1, 4 },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < (keeps ? 4u : 2u) && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                     wanted[i].row_bytes, 0, wanted[i].column);
    }
    return result;
}

enum fg_result fgi_gpu_scoring_begin(struct fgi_gpu_scoring *scoring,
                                     const struct fgi_gpu_numbers *numbers,
                                     const struct fgi_gpu_peers *peers,
                                     const struct fgi_gpu_score_terms *terms,
                                     struct fgi_arena *arena)
{
    struct fg_compute *compute = numbers->gpu->compute;
    *scoring = (struct fgi_gpu_scoring){ .numbers = numbers };
    enum fg_result result = put_tables(scoring, peers, terms, arena);
    result = result == FG_OK ? take_columns(scoring, terms->keeps) : result;
    if (result == FG_OK) {
        result = fg_compute_memory_take(compute, FG_COMPUTE_DEVICE,
                                        sizeof(struct fg_gpu_score_totals), &scoring->totals);
    }
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_gpu_column slots = fgi_gpu_column_of(&scoring->slots.view, 4);
    const struct fgi_gpu_column baselines = fgi_gpu_column_of(&scoring->baselines.view, 16);
    const struct fgi_gpu_score_args args = {
        .slots = fgi_gpu_column_push(&slots),
        .baselines = fgi_gpu_column_push(&baselines),
        .reasons = fgi_gpu_column_push(&scoring->reasons.column),
        .tints = fgi_gpu_column_push(&scoring->tints.column),
        .mask = fgi_gpu_column_push(&scoring->mask.column),
        .parts = fgi_gpu_column_push(&scoring->parts.column),
        .totals = scoring->totals.view.address,
        .weight = terms->rule->duration_weight_micro,
        .threshold = terms->rule->threshold_micro,
        .is_two_sided = terms->rule->is_two_sided,
    };
    return fgi_gpu_put(compute, &args, sizeof args, &scoring->args);
}

void fgi_gpu_scoring_end(struct fgi_gpu_scoring *scoring)
{
    if (!scoring->numbers) {
        return;
    }
    struct fg_compute *compute = scoring->numbers->gpu->compute;
    fgi_gpu_memory_end(compute, &scoring->args);
    fgi_gpu_memory_end(compute, &scoring->slots);
    fgi_gpu_memory_end(compute, &scoring->baselines);
    fgi_gpu_memory_end(compute, &scoring->totals);
    fgi_gpu_column_free(compute, &scoring->reasons);
    fgi_gpu_column_free(compute, &scoring->tints);
    fgi_gpu_column_free(compute, &scoring->mask);
    fgi_gpu_column_free(compute, &scoring->parts);
    scoring->numbers = NULL;
}

static void use_tables(struct fgi_prim_node *node, const struct fgi_gpu_scoring *scoring)
{
    fgi_gpu_numbers_use(node, scoring->numbers);
    fgi_prim_view(node, scoring->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, scoring->slots.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, scoring->baselines.view, UINT64_MAX, FG_COMPUTE_READ);
}

enum fg_result fgi_gpu_scoring_add(struct fgi_gpu_scoring *scoring,
                                   const struct fg_compute_sink *sink, uint32_t first, uint32_t end)
{
    const struct fgi_gpu_numbers *numbers = scoring->numbers;
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint32_t rows = gpu->counts.rows;
    const uint32_t parts = parts_of(gpu, end - first);
    const struct score_push push = { .trace = fgi_gpu_table_address(gpu),
                                     .numbers = numbers->args.view.address,
                                     .scores = scoring->args.view.address,
                                     .first_row = first,
                                     .end_row = end,
                                     .part_count = parts };
    enum fg_result result =
        fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                  .target = scoring->totals.view));
    if (result != FG_OK) {
        return result;
    }
    struct fgi_prim_node node;
    fgi_prim_begin(&node, &work, &rows_kernel, &push, parts);
    use_tables(&node, scoring);
    fgi_prim_column(&node, &scoring->mask.column, fgi_mask_words(rows), FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &scoring->reasons.column, rows / 4 + 1, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &scoring->tints.column, rows / 4 + 1, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &scoring->parts.column, parts, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, scoring->totals.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    result = fgi_prim_add(&node);
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, &work, &best_kernel, &push, 1);
    fgi_prim_view(&node, scoring->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &scoring->parts.column, parts, FG_COMPUTE_READ);
    fgi_prim_view(&node, scoring->totals.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

/* ---- the highest ones ------------------------------------------------------------------------ */

enum fg_result fgi_gpu_anomalies_begin(struct fgi_gpu_anomalies *a,
                                       const struct fgi_gpu_scoring *scoring, uint32_t count,
                                       uint32_t limit)
{
    const struct fg_gpu_trace *gpu = scoring->numbers->gpu;
    struct fg_compute *compute = gpu->compute;
    *a = (struct fgi_gpu_anomalies){ .scoring = scoring, .count = count, .limit = limit };
    const uint32_t digits = fgi_sort_digits(compute, count, 8, 64);
    const uint64_t of_digits = fgi_scan_sums_bytes(compute, digits);
    const uint64_t of_rows = fgi_compact_sums_bytes(compute, gpu->counts.rows);
    const struct {
        struct fgi_gpu_column_memory *column;
        uint32_t rows, row_bytes;
    } wanted[] = {
        { &a->rows, count, 4 },    { &a->sorted_rows, count, 4 },   { &a->spare_rows, count, 4 },
        { &a->keys, count, 8 },    { &a->spare_keys[0], count, 8 }, { &a->spare_keys[1], count, 8 },
        { &a->digits, digits, 4 }, { &a->top, 2 * limit, 16 },
    };
    enum fg_result result = fg_compute_memory_take(
        compute, FG_COMPUTE_DEVICE, of_digits > of_rows ? of_digits : of_rows, &a->sums);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(compute, gpu->allocator, wanted[i].rows, wanted[i].row_bytes,
                                     0, wanted[i].column);
    }
    return result;
}

void fgi_gpu_anomalies_end(struct fgi_gpu_anomalies *a)
{
    if (!a->scoring) {
        return;
    }
    struct fg_compute *compute = a->scoring->numbers->gpu->compute;
    struct fgi_gpu_column_memory *held[] = { &a->rows,          &a->sorted_rows,
                                             &a->spare_rows,    &a->keys,
                                             &a->spare_keys[0], &a->spare_keys[1],
                                             &a->digits,        &a->top };
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        fgi_gpu_column_free(compute, held[i]);
    }
    fgi_gpu_memory_end(compute, &a->sums);
    a->scoring = NULL;
}

/** One of the two kernels over the first rows of a list. */
static enum fg_result add_list(const struct fgi_gpu_anomalies *a, const struct fgi_gpu_work *work,
                               const struct fg_compute_kernel *kernel, uint32_t count,
                               const struct fgi_gpu_column *rows,
                               const struct fgi_gpu_column *target, uint32_t target_rows)
{
    const struct fgi_gpu_numbers *numbers = a->scoring->numbers;
    const struct list_push push = {
        .trace = fgi_gpu_table_address(numbers->gpu),
        .numbers = numbers->args.view.address,
        .scores = a->scoring->args.view.address,
        .count = count,
        .rows = fgi_gpu_column_push(rows),
        .target = fgi_gpu_column_push(target),
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(count, fgi_prim_group(work->compute, kernel)));
    use_tables(&node, a->scoring);
    fgi_prim_column(&node, rows, count, FG_COMPUTE_READ);
    fgi_prim_column(&node, target, target_rows, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fgi_gpu_anomalies_add(const struct fgi_gpu_anomalies *a,
                                     const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = a->scoring->numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct fgi_compact compact = {
        .mask = a->scoring->mask.column,
        .count.limit = gpu->counts.rows,
        .target = a->rows.column,
        .capacity = a->count,
        .sums = a->sums.view,
    };
    const struct fgi_sort sort = {
        .key_bytes = 8,
        .key_bits = 64,
        .keys = a->keys.column,
        .payload = a->rows.column,
        .count.limit = a->count,
        .out_payload = a->sorted_rows.column,
        .spare_keys = { a->spare_keys[0].column, a->spare_keys[1].column },
        .spare_payload = a->spare_rows.column,
        .digits = a->digits.column,
        .sums = a->sums.view,
    };
    enum fg_result result = fgi_compact(&work, &compact);
    if (result == FG_OK) {
        result =
            add_list(a, &work, &keys_kernel, a->count, &a->rows.column, &a->keys.column, a->count);
    }
    result = result == FG_OK ? fgi_sort(&work, &sort) : result;
    return result == FG_OK ? add_list(a, &work, &top_kernel, a->limit, &a->sorted_rows.column,
                                      &a->top.column, 2 * a->limit)
                           : result;
}

struct fg_anomaly_row fgi_gpu_anomaly(const struct fgi_gpu_numbers *numbers, const uint32_t *words)
{
    const uint64_t score = (uint64_t)words[7] << 32 | words[6];
    return (struct fg_anomaly_row){
        .row = words[0],
        .key = fgi_gpu_numbers_key(numbers, words[1]),
        .clock = words[1] % numbers->clocks,
        .baseline = words[2],
        .is_error = words[3] != 0,
        .duration_ns = (uint64_t)words[5] << 32 | words[4],
        .score_micro = score,
        .is_saturated = score == UINT64_MAX,
    };
}
