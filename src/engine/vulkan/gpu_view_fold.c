/* SPDX-License-Identifier: MIT */
/*
 * Tracks and processes as lines that merge their lanes: rows of a population in the order of time,
 * sorted by group, and with each the greatest end and the covered time of those before it.
 */
#include "engine/vulkan/gpu_view_fold.h"

#include "base/alloc.h"
#include "trace/model.h"

#include <kernels/fold_ends.h>  /* made by the build */
#include <kernels/fold_first.h> /* made by the build */
#include <kernels/fold_keys.h>  /* made by the build */
#include <kernels/fold_sums.h>  /* made by the build */

/** As in fold_make.comp. */
struct fold_push {
    uint64_t trace, fold;
    struct fgi_gpu_column_push rows, keys, by_end, ranks;
};
#define KERNEL(name)                                                                               \
    {                                                                                              \
#name, FGI_CODE_##name, sizeof(struct fold_push), 0                                        \
    }
static const struct fg_compute_kernel keys_kernel = KERNEL(fold_keys);
static const struct fg_compute_kernel ends_kernel = KERNEL(fold_ends);
static const struct fg_compute_kernel sums_kernel = KERNEL(fold_sums);
static const struct fg_compute_kernel first_kernel = KERNEL(fold_first);

/* What the words are. */
enum { ROWS_BY_TIME, KEYS, SPARE_KEYS, MORE_KEYS, SPARE_ROWS };
enum { KEPT_BYTES = 28, SCRATCH_BYTES = 20 };

/* ---- making it ------------------------------------------------------------------------------- */

static bool is_of_all(const struct fg_gpu_fold *fold)
{
    return fold->count == fold->population->gpu->counts.rows;
}

static unsigned group_bits(const struct fg_gpu_fold *fold)
{
    unsigned bits = 1;
    while (bits < 32 && fold->group_count >> bits != 0) {
        bits++;
    }
    return bits;
}

uint64_t fgi_gpu_fold_bytes(const struct fg_gpu_population *population)
{
    return (uint64_t)population->count * (KEPT_BYTES + SCRATCH_BYTES);
}

static enum fg_result take_columns(struct fg_gpu_fold *fold)
{
    struct fg_gpu_trace *gpu = fold->population->gpu;
    struct fg_compute *compute = gpu->compute;
    const uint32_t shift = gpu->columns[FG_GPU_COLUMN_START].column.shift;
    const uint64_t count = fold->count;
    const uint32_t digits = fgi_sort_digits(compute, fold->count, 4, group_bits(fold));
    const uint64_t mask_words = is_of_all(fold) ? 0 : fgi_mask_words(gpu->counts.rows);
    const struct {
        uint64_t rows;
        uint32_t row_bytes, shift;
        struct fgi_gpu_column_memory *memory;
    } wanted[] = {
        { count, 4, shift, &fold->rows },
        { count, 8, shift, &fold->start },
        { count + 1, 8, shift, &fold->reach },
        { count + 1, 8, shift, &fold->sums },
        { (uint64_t)fold->group_count + 1, 4, 0, &fold->first },
        { is_of_all(fold) ? 0 : count, 4, shift, &fold->words[ROWS_BY_TIME] },
        { count, 4, shift, &fold->words[KEYS] },
        { count, 4, shift, &fold->words[SPARE_KEYS] },
        { count, 4, shift, &fold->words[MORE_KEYS] },
        { count, 4, shift, &fold->words[SPARE_ROWS] },
        { digits, 4, 0, &fold->digits },
        { mask_words, 4, 0, &fold->by_row },
        { mask_words, 4, 0, &fold->by_time },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(compute, gpu->allocator, wanted[i].rows, wanted[i].row_bytes,
                                     wanted[i].shift, wanted[i].memory);
    }
    uint64_t sums = fgi_scan_sums_bytes(compute, fold->count + 1);
    const uint64_t others[] = { fgi_scan_sums_bytes(compute, digits),
                                fgi_compact_sums_bytes(compute, gpu->counts.rows) };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        sums = others[i] > sums ? others[i] : sums;
    }
    return result == FG_OK
               ? fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, sums, &fold->scratch)
               : result;
}

static enum fg_result put_table(struct fg_gpu_fold *fold)
{
    struct fg_compute *compute = fold->population->gpu->compute;
    const struct fgi_gpu_fold_table table = {
        .rows = fgi_gpu_column_push(&fold->rows.column),
        .start = fgi_gpu_column_push(&fold->start.column),
        .reach = fgi_gpu_column_push(&fold->reach.column),
        .sums = fgi_gpu_column_push(&fold->sums.column),
        .first = fgi_gpu_column_push(&fold->first.column),
        .count = fold->count,
        .group_count = fold->group_count,
        .kind = fold->kind,
    };
    const enum fg_result result =
        fg_compute_memory_take(compute, FG_COMPUTE_CONTROL, sizeof table, &fold->table);
    if (result == FG_OK) {
        fg_compute_write(compute, &fold->table, 0, &table, sizeof table);
    }
    return result;
}

enum fg_result fg_gpu_fold_create(const struct fg_gpu_population *population,
                                  const struct fg_gpu_order *order, uint32_t kind,
                                  struct fg_gpu_fold **out_fold)
{
    const struct fg_gpu_trace *gpu = population->gpu;
    if ((kind != FG_VIEW_TRACK && kind != FG_VIEW_PROCESS) || order->gpu != gpu) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_fold *fold = fgi_calloc(gpu->allocator, 1, sizeof *fold);
    if (!fold) {
        return FG_ERR_NO_MEMORY;
    }
    fold->population = population;
    fold->order = order;
    fold->kind = kind;
    fold->count = population->count;
    fold->group_count =
        (uint32_t)(kind == FG_VIEW_TRACK ? gpu->trace->tracks.count : gpu->trace->processes.count);
    enum fg_result result = take_columns(fold);
    result = result == FG_OK ? put_table(fold) : result;
    if (result != FG_OK) {
        fg_gpu_fold_destroy(fold);
        return result;
    }
    *out_fold = fold;
    return FG_OK;
}

void fg_gpu_fold_settle(struct fg_gpu_fold *fold)
{
    struct fg_compute *compute = fold->population->gpu->compute;
    for (unsigned i = 0; i < FGI_GPU_FOLD_WORDS; i++) {
        fgi_gpu_column_free(compute, &fold->words[i]);
    }
    fgi_gpu_column_free(compute, &fold->digits);
    fgi_gpu_column_free(compute, &fold->by_row);
    fgi_gpu_column_free(compute, &fold->by_time);
    fgi_gpu_memory_end(compute, &fold->scratch);
}

void fg_gpu_fold_destroy(struct fg_gpu_fold *fold)
{
    if (!fold) {
        return;
    }
    struct fg_compute *compute = fold->population->gpu->compute;
    struct fgi_gpu_column_memory *kept[] = { &fold->rows, &fold->start, &fold->reach, &fold->sums,
                                             &fold->first };
    fg_gpu_fold_settle(fold);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        fgi_gpu_column_free(compute, kept[i]);
    }
    fgi_gpu_memory_end(compute, &fold->table);
    fgi_free(fold->population->gpu->allocator, fold, sizeof *fold);
}

void fgi_gpu_use_fold(struct fgi_prim_node *node, const struct fg_gpu_fold *fold)
{
    if (!fold) {
        return;
    }
    const struct fgi_gpu_column *columns[] = { &fold->rows.column, &fold->start.column,
                                               &fold->reach.column, &fold->sums.column,
                                               &fold->first.column };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fgi_prim_column(node, columns[i], FGI_GPU_COLUMN_MAX_ROWS, FG_COMPUTE_READ);
    }
    fgi_prim_view(node, fold->table.view, UINT64_MAX, FG_COMPUTE_READ);
}

/* ---- its nodes ------------------------------------------------------------------------------- */

/** Rows of the fold in the order of time; those of all are there. */
static const struct fgi_gpu_column *rows_by_time(const struct fg_gpu_fold *fold)
{
    return is_of_all(fold) ? &fold->order->by_start.column : &fold->words[ROWS_BY_TIME].column;
}

static enum fg_result gather_rows(const struct fgi_gpu_work *work, const struct fg_gpu_fold *fold)
{
    const uint32_t all = fold->population->gpu->counts.rows;
    const struct fgi_gpu_column *by_start = &fold->order->by_start.column;
    const struct fgi_compact compact = {
        .mask = fold->by_time.column,
        .count = { .limit = all },
        .payload = *by_start,
        .target = fold->words[ROWS_BY_TIME].column,
        .capacity = fold->count,
        .sums = fold->scratch.view,
    };
    enum fg_result result = fgi_prim_clear(work, &fold->by_row.column, fgi_mask_words(all));
    if (result == FG_OK) {
        result = fgi_mask_scatter(
            work, NULL, fgi_gpu_population_column(fold->population, FG_GPU_POPULATION_ROWS),
            (struct fgi_count){ .limit = fold->count }, &fold->by_row.column, all);
    }
    if (result == FG_OK) {
        result = fgi_mask_gather(work, &fold->by_row.column, all, by_start,
                                 (struct fgi_count){ .limit = all }, &fold->by_time.column);
    }
    return result == FG_OK ? fgi_compact(work, &compact) : result;
}

static enum fg_result add_node(const struct fgi_gpu_work *work, const struct fg_gpu_fold *fold,
                               const struct fg_compute_kernel *kernel, uint64_t count)
{
    const struct fg_gpu_trace *gpu = fold->population->gpu;
    const uint64_t rows = FGI_GPU_COLUMN_MAX_ROWS;
    const bool is_keys = kernel == &keys_kernel;
    const bool is_ends = kernel == &ends_kernel;
    const bool is_sums = kernel == &sums_kernel;
    const struct fold_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .fold = fold->table.view.address,
        .rows = fgi_gpu_column_push(rows_by_time(fold)),
        .keys = fgi_gpu_column_push(&fold->words[KEYS].column),
        .by_end = fgi_gpu_column_push(&fold->order->by_end.column),
        .ranks = fgi_gpu_column_push(&fold->order->ranks.column),
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(count, fgi_prim_group(gpu->compute, kernel)));
    fgi_gpu_use_columns(
        &node, gpu, 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END | 1u << FG_GPU_COLUMN_LANE);
    fgi_prim_view(&node, fold->table.view, UINT64_MAX, FG_COMPUTE_READ);
    if (is_keys) {
        fgi_prim_column(&node, rows_by_time(fold), rows, FG_COMPUTE_READ);
        fgi_prim_column(&node, &fold->words[KEYS].column, rows, FG_COMPUTE_WRITE);
        return fgi_prim_add(&node);
    }
    fgi_prim_column(&node, &fold->rows.column, rows, FG_COMPUTE_READ);
    if (is_ends) {
        fgi_prim_column(&node, &fold->order->ranks.column, rows, FG_COMPUTE_READ);
        fgi_prim_column(&node, &fold->start.column, rows, FG_COMPUTE_WRITE);
        fgi_prim_column(&node, &fold->reach.column, rows, FG_COMPUTE_WRITE);
    } else if (is_sums) {
        fgi_prim_column(&node, &fold->order->by_end.column, rows, FG_COMPUTE_READ);
        fgi_prim_column(&node, &fold->reach.column, rows, FG_COMPUTE_READ_WRITE);
        fgi_prim_column(&node, &fold->sums.column, rows, FG_COMPUTE_WRITE);
    } else {
        fgi_prim_column(&node, &fold->first.column, rows, FG_COMPUTE_WRITE);
    }
    return fgi_prim_add(&node);
}

static enum fg_result sort_groups(const struct fgi_gpu_work *work, const struct fg_gpu_fold *fold)
{
    const struct fgi_sort sort = {
        .key_bytes = 4,
        .key_bits = group_bits(fold),
        .keys = fold->words[KEYS].column,
        .payload = *rows_by_time(fold),
        .count.limit = fold->count,
        .out_payload = fold->rows.column,
        .spare_keys = { fold->words[SPARE_KEYS].column, fold->words[MORE_KEYS].column },
        .spare_payload = fold->words[SPARE_ROWS].column,
        .digits = fold->digits.column,
        .sums = fold->scratch.view,
    };
    const enum fg_result result = add_node(work, fold, &keys_kernel, fold->count);
    return result == FG_OK ? fgi_sort(work, &sort) : result;
}

static enum fg_result add_scan(const struct fgi_gpu_work *work, const struct fg_gpu_fold *fold,
                               enum fgi_scan_kind kind, const struct fgi_gpu_column *column)
{
    const struct fgi_scan scan = {
        .kind = kind,
        .source = *column,
        .target = *column,
        .count.limit = fold->count + 1,
        .sums = fold->scratch.view,
    };
    return fgi_scan(work, &scan);
}

enum fg_result fg_gpu_fold_build(struct fg_gpu_fold *fold, const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(fold->population->gpu, sink);
    const uint64_t places = (uint64_t)fold->count + 1;
    enum fg_result result = FG_OK;
    if (!fgi_gpu_column_is_there(&fold->words[KEYS].column)) {
        return FG_ERR_STATE;
    }
    if (fold->count > 0) {
        result = is_of_all(fold) ? FG_OK : gather_rows(&work, fold);
        result = result == FG_OK ? sort_groups(&work, fold) : result;
        result = result == FG_OK ? add_node(&work, fold, &ends_kernel, places) : result;
        result =
            result == FG_OK ? add_scan(&work, fold, FGI_SCAN_MAX_U64, &fold->reach.column) : result;
        result = result == FG_OK ? add_node(&work, fold, &sums_kernel, places) : result;
        result =
            result == FG_OK ? add_scan(&work, fold, FGI_SCAN_SUM_U64, &fold->sums.column) : result;
    }
    return result == FG_OK ? add_node(&work, fold, &first_kernel, (uint64_t)fold->group_count + 1)
                           : result;
}
