/* SPDX-License-Identifier: MIT */
/*
 * A group's spans in the order of their starts, and the greatest end of those before each. That
 * maximum must not pass from one group to the next: it is taken of pairs of slot and rank of the
 * end, as slots ascend.
 */
#include "engine/vulkan/gpu_busy.h"

#include <kernels/busy_add.h>   /* made by the build */
#include <kernels/busy_keys.h>  /* made by the build */
#include <kernels/busy_ranks.h> /* made by the build */

enum { CELL_BUSY = 18 }; /* as in busy_keys.comp */
/* What the columns are. */
enum { TIMES, KEYS, SPARE_TIMES, MORE_TIMES };
enum {
    SLOTS,
    BY_START, /* rows */
    SLOTS_BY_START,
    ROWS, /* in the order of slots and starts */
    SORTED_SLOTS,
    ENDS, /* rows in the order of ends */
    RANKS,
    SPARE_SLOTS,
    SPARE_PAYLOAD,
};

/** As in busy_keys.comp. */
struct busy_push {
    uint64_t trace, numbers;
    struct fgi_gpu_column_push rows, slots, ends, ranks, keys;
};
static const struct fg_compute_kernel ranks_kernel = { "busy_ranks", FGI_CODE_busy_ranks,
                                                       sizeof(struct busy_push), 0 };
static const struct fg_compute_kernel keys_kernel = { "busy_keys", FGI_CODE_busy_keys,
                                                      sizeof(struct busy_push), 0 };
static const struct fg_compute_kernel add_kernel = { "busy_add", FGI_CODE_busy_add,
                                                     sizeof(struct busy_push), 0 };

static uint32_t digits_of(const struct fg_gpu_trace *gpu)
{
    const uint32_t wide = fgi_sort_digits(gpu->compute, gpu->counts.rows, 8, 64);
    const uint32_t narrow = fgi_sort_digits(gpu->compute, gpu->counts.rows, 4, 32);
    return wide > narrow ? wide : narrow;
}

enum fg_result fgi_gpu_busy_begin(struct fgi_gpu_busy *busy, const struct fgi_gpu_numbers *numbers)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const uint32_t rows = gpu->counts.rows;
    const uint32_t digits = digits_of(gpu);
    const uint64_t of_digits = fgi_scan_sums_bytes(gpu->compute, digits);
    const uint64_t of_rows = fgi_scan_sums_bytes(gpu->compute, rows);
    enum fg_result result = FG_OK;
    *busy = (struct fgi_gpu_busy){ .numbers = numbers };
    for (uint32_t i = 0; i < FGI_GPU_BUSY_WIDE && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, rows, 8, 0, &busy->wide[i]);
    }
    for (uint32_t i = 0; i < FGI_GPU_BUSY_WORDS && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, rows, 4, 0, &busy->words[i]);
    }
    if (result == FG_OK) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, digits, 4, 0, &busy->digits);
    }
    return result == FG_OK
               ? fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                        of_digits > of_rows ? of_digits : of_rows, &busy->sums)
               : result;
}

void fgi_gpu_busy_end(struct fgi_gpu_busy *busy)
{
    if (!busy->numbers) {
        return;
    }
    struct fg_compute *compute = busy->numbers->gpu->compute;
    for (uint32_t i = 0; i < FGI_GPU_BUSY_WIDE; i++) {
        fgi_gpu_column_free(compute, &busy->wide[i]);
    }
    for (uint32_t i = 0; i < FGI_GPU_BUSY_WORDS; i++) {
        fgi_gpu_column_free(compute, &busy->words[i]);
    }
    fgi_gpu_column_free(compute, &busy->digits);
    fgi_gpu_memory_end(compute, &busy->sums);
    busy->numbers = NULL;
}

/** Rows in the order of a time of theirs. */
static enum fg_result sort_times(const struct fgi_gpu_busy *busy, const struct fgi_gpu_work *work,
                                 enum fgi_gpu_number_value value,
                                 const struct fgi_gpu_column *order)
{
    const struct fgi_sort sort = {
        .key_bytes = 8,
        .key_bits = 64,
        .keys = busy->wide[TIMES].column,
        .count.limit = busy->numbers->gpu->counts.rows,
        .out_payload = *order,
        .spare_keys = { busy->wide[SPARE_TIMES].column, busy->wide[MORE_TIMES].column },
        .spare_payload = busy->words[SPARE_PAYLOAD].column,
        .digits = busy->digits.column,
        .sums = busy->sums.view,
    };
    const enum fg_result result = fgi_gpu_numbers_values(
        busy->numbers, work->sink, value, &busy->wide[TIMES].column, &busy->words[SLOTS].column);
    return result == FG_OK ? fgi_sort(work, &sort) : result;
}

static enum fg_result sort_slots(const struct fgi_gpu_busy *busy, const struct fgi_gpu_work *work)
{
    const struct fgi_gpu_column_memory *words = busy->words;
    const uint32_t rows = busy->numbers->gpu->counts.rows;
    const struct fgi_count count = { .limit = rows };
    const struct fgi_sort sort = {
        .key_bytes = 4,
        .key_bits = fgi_gpu_bits_of(busy->numbers->slots),
        .keys = words[SLOTS_BY_START].column,
        .payload = words[BY_START].column,
        .count = count,
        .out_keys = words[SORTED_SLOTS].column,
        .out_payload = words[ROWS].column,
        .spare_keys = { words[SPARE_SLOTS].column },
        .spare_payload = words[SPARE_PAYLOAD].column,
        .digits = busy->digits.column,
        .sums = busy->sums.view,
    };
    const enum fg_result result =
        fgi_gather(work, &words[SLOTS].column, rows, &words[BY_START].column, count, UINT32_MAX,
                   &words[SLOTS_BY_START].column);
    return result == FG_OK ? fgi_sort(work, &sort) : result;
}

static enum fg_result add_node(const struct fgi_gpu_busy *busy, const struct fgi_gpu_work *work,
                               const struct fg_compute_kernel *kernel)
{
    const struct fgi_gpu_numbers *numbers = busy->numbers;
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const uint32_t rows = gpu->counts.rows;
    const struct busy_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .numbers = numbers->args.view.address,
        .rows = fgi_gpu_column_push(&busy->words[ROWS].column),
        .slots = fgi_gpu_column_push(&busy->words[SORTED_SLOTS].column),
        .ends = fgi_gpu_column_push(&busy->words[ENDS].column),
        .ranks = fgi_gpu_column_push(&busy->words[RANKS].column),
        .keys = fgi_gpu_column_push(&busy->wide[KEYS].column),
    };
    const uint32_t to_ranks = kernel == &ranks_kernel ? FG_COMPUTE_WRITE : FG_COMPUTE_READ;
    const uint32_t to_keys = kernel == &keys_kernel ? FG_COMPUTE_WRITE : FG_COMPUTE_READ;
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(rows, fgi_prim_group(gpu->compute, kernel)));
    fgi_gpu_use_columns(&node, gpu, 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END);
    fgi_prim_view(&node, numbers->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &busy->words[ROWS].column, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &busy->words[SORTED_SLOTS].column, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &busy->words[ENDS].column, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &busy->words[RANKS].column, rows, to_ranks);
    fgi_prim_column(&node, &busy->wide[KEYS].column, rows, to_keys);
    if (kernel == &add_kernel) {
        fgi_prim_column(&node, &numbers->cells.column,
                        (uint64_t)numbers->slots * FGI_GPU_CELL_WORDS, FG_COMPUTE_READ_WRITE);
    }
    return fgi_prim_add(&node);
}

enum fg_result fgi_gpu_busy_add(const struct fgi_gpu_busy *busy, const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(busy->numbers->gpu, sink);
    const struct fgi_scan before = { .kind = FGI_SCAN_MAX_U64,
                                     .source = busy->wide[KEYS].column,
                                     .target = busy->wide[KEYS].column,
                                     .count.limit = busy->numbers->gpu->counts.rows,
                                     .sums = busy->sums.view };
    enum fg_result result =
        sort_times(busy, &work, FGI_GPU_VALUE_START, &busy->words[BY_START].column);
    result = result == FG_OK ? sort_slots(busy, &work) : result;
    result = result == FG_OK ? sort_times(busy, &work, FGI_GPU_VALUE_END, &busy->words[ENDS].column)
                             : result;
    result = result == FG_OK ? add_node(busy, &work, &ranks_kernel) : result;
    result = result == FG_OK ? add_node(busy, &work, &keys_kernel) : result;
    result = result == FG_OK ? fgi_scan(&work, &before) : result;
    return result == FG_OK ? add_node(busy, &work, &add_kernel) : result;
}

uint64_t fgi_gpu_busy_of(const uint32_t *words)
{
    return (uint64_t)words[CELL_BUSY + 1] << 32 | words[CELL_BUSY];
}
