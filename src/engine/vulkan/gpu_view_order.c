/* SPDX-License-Identifier: MIT */
/*
 * Rows in the order of their times: sorted by what decides last first, as the sort is stable. Keys
 * have no more bits than the extent of the trace.
 */
#include "engine/vulkan/gpu_view_fold.h"

#include "base/alloc.h"
#include "trace/model.h"

#include <kernels/order_keys.h>  /* made by the build */
#include <kernels/order_ranks.h> /* made by the build */

/** As in order_keys.comp. */
enum order_key { BY_SHORTER = 0, BY_START = 1, BY_END = 2 };
struct order_push {
    uint64_t trace, base;
    struct fgi_gpu_column_push order, result;
    uint32_t kind, count;
};
static const struct fg_compute_kernel keys_kernel = { "order_keys", FGI_CODE_order_keys,
                                                      sizeof(struct order_push), 0 };
static const struct fg_compute_kernel ranks_kernel = { "order_ranks", FGI_CODE_order_ranks,
                                                       sizeof(struct order_push), 0 };

enum { KEPT_BYTES = 12, SCRATCH_BYTES = 32 };

/* ---- making it ------------------------------------------------------------------------------- */

static unsigned extent_bits(const struct fg_trace *trace)
{
    const uint64_t extent = fgi_duration(trace->info.first_ns, trace->info.last_ns);
    unsigned bits = 1;
    while (bits < 64 && extent >> bits != 0) {
        bits++;
    }
    return bits;
}

uint64_t fgi_gpu_order_bytes(const struct fg_gpu_trace *gpu)
{
    return (uint64_t)gpu->counts.rows * (KEPT_BYTES + SCRATCH_BYTES);
}

static enum fg_result take_memory(struct fg_gpu_order *order)
{
    struct fg_gpu_trace *gpu = order->gpu;
    struct fg_compute *compute = gpu->compute;
    const uint32_t rows = gpu->counts.rows;
    const uint32_t shift = gpu->columns[FG_GPU_COLUMN_START].column.shift;
    const uint32_t digits = fgi_sort_digits(compute, rows, 8, extent_bits(gpu->trace));
    const struct {
        uint32_t rows, row_bytes, shift;
        struct fgi_gpu_column_memory *memory;
    } wanted[] = {
        { rows, 4, shift, &order->by_start }, { rows, 4, shift, &order->by_end },
        { rows, 4, shift, &order->ranks },    { rows, 8, shift, &order->keys[0] },
        { rows, 8, shift, &order->keys[1] },  { rows, 8, shift, &order->keys[2] },
        { rows, 4, shift, &order->words[0] }, { rows, 4, shift, &order->words[1] },
        { digits, 4, 0, &order->digits },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(compute, gpu->allocator, wanted[i].rows, wanted[i].row_bytes,
                                     wanted[i].shift, wanted[i].memory);
    }
    return result == FG_OK
               ? fg_compute_memory_take(compute, FG_COMPUTE_DEVICE,
                                        fgi_scan_sums_bytes(compute, digits), &order->sums)
               : result;
}

enum fg_result fg_gpu_order_create(struct fg_gpu_trace *gpu, struct fg_gpu_order **out_order)
{
    struct fg_gpu_order *order = fgi_calloc(gpu->allocator, 1, sizeof *order);
    if (!order) {
        return FG_ERR_NO_MEMORY;
    }
    order->gpu = gpu;
    const enum fg_result result = take_memory(order);
    if (result != FG_OK) {
        fg_gpu_order_destroy(order);
        return result;
    }
    *out_order = order;
    return FG_OK;
}

void fg_gpu_order_settle(struct fg_gpu_order *order)
{
    struct fg_compute *compute = order->gpu->compute;
    for (unsigned i = 0; i < FGI_GPU_ORDER_KEYS; i++) {
        fgi_gpu_column_free(compute, &order->keys[i]);
    }
    for (unsigned i = 0; i < FGI_GPU_ORDER_WORDS; i++) {
        fgi_gpu_column_free(compute, &order->words[i]);
    }
    fgi_gpu_column_free(compute, &order->digits);
    fgi_gpu_memory_end(compute, &order->sums);
}

void fg_gpu_order_destroy(struct fg_gpu_order *order)
{
    if (!order) {
        return;
    }
    struct fg_compute *compute = order->gpu->compute;
    fg_gpu_order_settle(order);
    fgi_gpu_column_free(compute, &order->by_start);
    fgi_gpu_column_free(compute, &order->by_end);
    fgi_gpu_column_free(compute, &order->ranks);
    fgi_free(order->gpu->allocator, order, sizeof *order);
}

/* ---- its nodes ------------------------------------------------------------------------------- */

static enum fg_result add_node(const struct fgi_gpu_work *work, const struct fg_gpu_order *order,
                               const struct fg_compute_kernel *kernel,
                               const struct fgi_gpu_column *rows,
                               const struct fgi_gpu_column *target, enum order_key kind)
{
    const struct fg_gpu_trace *gpu = order->gpu;
    const struct fg_trace_info *info = &gpu->trace->info;
    const struct order_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .base = kind == BY_SHORTER ? fgi_duration(info->first_ns, info->last_ns)
                                   : (uint64_t)info->first_ns,
        .order = rows ? fgi_gpu_column_push(rows) : (struct fgi_gpu_column_push){ 0 },
        .result = fgi_gpu_column_push(target),
        .kind = kind,
        .count = gpu->counts.rows,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(push.count, fgi_prim_group(gpu->compute, kernel)));
    fgi_gpu_use_columns(&node, gpu, 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END);
    if (rows) {
        fgi_prim_column(&node, rows, push.count, FG_COMPUTE_READ);
    }
    fgi_prim_column(&node, target, push.count, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

/** Rows, which are given in some order or as they are numbered, sorted by a key of theirs. */
static enum fg_result sort_rows(const struct fgi_gpu_work *work, const struct fg_gpu_order *order,
                                enum order_key kind, const struct fgi_gpu_column *rows,
                                const struct fgi_gpu_column *target)
{
    const struct fgi_sort sort = {
        .key_bytes = 8,
        .key_bits = extent_bits(order->gpu->trace),
        .keys = order->keys[0].column,
        .payload = rows ? *rows : (struct fgi_gpu_column){ 0 },
        .count.limit = order->gpu->counts.rows,
        .out_payload = *target,
        .spare_keys = { order->keys[1].column, order->keys[2].column },
        .spare_payload = order->words[1].column,
        .digits = order->digits.column,
        .sums = order->sums.view,
    };
    const enum fg_result result =
        add_node(work, order, &keys_kernel, rows, &order->keys[0].column, kind);
    return result == FG_OK ? fgi_sort(work, &sort) : result;
}

enum fg_result fg_gpu_order_build(struct fg_gpu_order *order, const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = order->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct fgi_gpu_column *shorter = &order->words[0].column;
    if (gpu->counts.resident_rows < gpu->counts.rows ||
        !fgi_gpu_column_is_there(&order->keys[0].column)) {
        return FG_ERR_STATE;
    }
    if (gpu->counts.rows == 0) {
        return FG_OK;
    }
    enum fg_result result = sort_rows(&work, order, BY_SHORTER, NULL, shorter);
    result = result == FG_OK ? sort_rows(&work, order, BY_START, shorter, &order->by_start.column)
                             : result;
    result =
        result == FG_OK ? sort_rows(&work, order, BY_END, NULL, &order->by_end.column) : result;
    return result == FG_OK ? add_node(&work, order, &ranks_kernel, &order->by_end.column,
                                      &order->ranks.column, BY_END)
                           : result;
}
