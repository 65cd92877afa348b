/* SPDX-License-Identifier: MIT */
/* Time buckets: memory and nodes. */
#include "engine/vulkan/gpu_numbers_buckets.h"

#include "trace/model.h"

#include <kernels/bucket_finish.h> /* made by the build */
#include <kernels/bucket_rows.h>   /* made by the build */
#include <kernels/bucket_sweep.h>  /* made by the build */

enum { BUCKET_WORDS = 16, RECORD_QUADS = 3 };              /* as in bucket_args.glsl */
enum { ROWS_OF_INVOCATION = 32, SWEEP_OF_INVOCATION = 8 }; /* as in the kernels */
enum { STARTS, ENDS, IN_ORDER, SPARE };                    /* times */

/** struct fg_bucket_args of bucket_args.glsl. */
struct fgi_gpu_bucket_args {
    struct fgi_gpu_column_push firsts, cells, starts, ends, in_order, ends_in_order, records;
    uint64_t totals;
    int64_t start_ns, end_ns;
    uint32_t count, reserved;
};
struct bucket_push {
    uint64_t trace, numbers, buckets;
};
static const struct fg_compute_kernel rows_kernel = { "bucket_rows", FGI_CODE_bucket_rows,
                                                      sizeof(struct bucket_push), 0 };
static const struct fg_compute_kernel sweep_kernel = { "bucket_sweep", FGI_CODE_bucket_sweep,
                                                       sizeof(struct bucket_push), 0 };
static const struct fg_compute_kernel finish_kernel = { "bucket_finish", FGI_CODE_bucket_finish,
                                                        sizeof(struct bucket_push), 0 };

static enum fg_result put_firsts(struct fgi_gpu_buckets *buckets, struct fgi_arena *arena)
{
    const size_t count = (size_t)buckets->count + 1;
    uint64_t *firsts = fgi_arena_alloc(arena, count, sizeof *firsts);
    if (!firsts) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        firsts[i] = fgi_gpu_bucket_begin(buckets->width_ns, buckets->count, i);
    }
    return fgi_gpu_put(buckets->numbers->gpu->compute, firsts, count * sizeof *firsts,
                       &buckets->firsts);
}

static enum fg_result take_columns(struct fgi_gpu_buckets *buckets)
{
    const struct fg_gpu_trace *gpu = buckets->numbers->gpu;
    const uint32_t rows = gpu->counts.rows;
    const uint32_t digits =
        fgi_sort_digits(gpu->compute, rows, 8, fgi_gpu_bits_of(buckets->width_ns));
    const struct {
        struct fgi_gpu_column_memory *column;
        uint32_t rows, row_bytes;
    } wanted[] = {
        { &buckets->cells, (buckets->count + 1) * BUCKET_WORDS, 4 },
        { &buckets->records, buckets->count * RECORD_QUADS, 16 },
        { &buckets->times[STARTS], rows, 8 },
        { &buckets->times[ENDS], rows, 8 },
        { &buckets->times[IN_ORDER], rows, 8 },
        { &buckets->times[SPARE], rows, 8 },
        { &buckets->rows[0], rows, 4 },
        { &buckets->rows[1], rows, 4 },
        { &buckets->digits, digits, 4 },
    };
    enum fg_result result = fg_compute_memory_take(
        gpu->compute, FG_COMPUTE_DEVICE, fgi_scan_sums_bytes(gpu->compute, digits), &buckets->sums);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                     wanted[i].row_bytes, 0, wanted[i].column);
    }
    return result;
}

enum fg_result fgi_gpu_buckets_begin(struct fgi_gpu_buckets *buckets,
                                     const struct fgi_gpu_numbers *numbers, int64_t start_ns,
                                     int64_t end_ns, uint32_t count, struct fgi_arena *arena)
{
    struct fg_compute *compute = numbers->gpu->compute;
    *buckets = (struct fgi_gpu_buckets){ .numbers = numbers,
                                         .width_ns = fgi_duration(start_ns, end_ns),
                                         .count = count };
    enum fg_result result = put_firsts(buckets, arena);
    result = result == FG_OK ? take_columns(buckets) : result;
    if (result == FG_OK) {
        result =
            fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, sizeof(uint32_t), &buckets->totals);
    }
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_gpu_column firsts = fgi_gpu_column_of(&buckets->firsts.view, 8);
    const struct fgi_gpu_bucket_args args = {
        .firsts = fgi_gpu_column_push(&firsts),
        .cells = fgi_gpu_column_push(&buckets->cells.column),
        .starts = fgi_gpu_column_push(&buckets->times[STARTS].column),
        .ends = fgi_gpu_column_push(&buckets->times[ENDS].column),
        .in_order = fgi_gpu_column_push(&buckets->times[IN_ORDER].column),
        /* Starts by row are not needed any more when the ends are sorted. */
        .ends_in_order = fgi_gpu_column_push(&buckets->times[STARTS].column),
        .records = fgi_gpu_column_push(&buckets->records.column),
        .totals = buckets->totals.view.address,
        .start_ns = start_ns,
        .end_ns = end_ns,
        .count = count,
    };
    return fgi_gpu_put(compute, &args, sizeof args, &buckets->args);
}

void fgi_gpu_buckets_end(struct fgi_gpu_buckets *buckets)
{
    if (!buckets->numbers) {
        return;
    }
    struct fg_compute *compute = buckets->numbers->gpu->compute;
    struct fgi_gpu_column_memory *held[] = { &buckets->cells,    &buckets->records,
                                             &buckets->times[0], &buckets->times[1],
                                             &buckets->times[2], &buckets->times[3],
                                             &buckets->rows[0],  &buckets->rows[1],
                                             &buckets->digits };
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        fgi_gpu_column_free(compute, held[i]);
    }
    fgi_gpu_memory_end(compute, &buckets->args);
    fgi_gpu_memory_end(compute, &buckets->firsts);
    fgi_gpu_memory_end(compute, &buckets->totals);
    fgi_gpu_memory_end(compute, &buckets->sums);
    buckets->numbers = NULL;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static enum fg_result sort(const struct fgi_gpu_buckets *buckets, const struct fgi_gpu_work *work,
                           int from, int to)
{
    const struct fgi_sort sort = {
        .key_bytes = 8,
        .key_bits = fgi_gpu_bits_of(buckets->width_ns),
        .keys = buckets->times[from].column,
        .count.limit = buckets->numbers->gpu->counts.rows,
        .out_keys = buckets->times[to].column,
        .out_payload = buckets->rows[0].column,
        .spare_keys = { buckets->times[SPARE].column },
        .spare_payload = buckets->rows[1].column,
        .digits = buckets->digits.column,
        .sums = buckets->sums.view,
    };
    return fgi_sort(work, &sort);
}

static void begin_node(struct fgi_prim_node *node, const struct fgi_gpu_buckets *buckets,
                       const struct fgi_gpu_work *work, const struct fg_compute_kernel *kernel,
                       const struct bucket_push *push, uint64_t groups)
{
    fgi_prim_begin(node, work, kernel, push, groups);
    fgi_prim_view(node, buckets->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, buckets->firsts.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(node, &buckets->cells.column, ((uint64_t)buckets->count + 1) * BUCKET_WORDS,
                    FG_COMPUTE_READ_WRITE);
}

static enum fg_result add_rows(const struct fgi_gpu_buckets *buckets,
                               const struct fgi_gpu_work *work, const struct bucket_push *push)
{
    const uint32_t rows = buckets->numbers->gpu->counts.rows;
    const uint64_t each =
        (uint64_t)fgi_prim_group(work->compute, &rows_kernel) * ROWS_OF_INVOCATION;
    struct fgi_prim_node node;
    begin_node(&node, buckets, work, &rows_kernel, push, fgi_prim_over(rows, each));
    fgi_gpu_numbers_use(&node, buckets->numbers);
    fgi_prim_column(&node, &buckets->times[STARTS].column, rows, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &buckets->times[ENDS].column, rows, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, buckets->totals.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

static enum fg_result add_sweep(const struct fgi_gpu_buckets *buckets,
                                const struct fgi_gpu_work *work, const struct bucket_push *push)
{
    const uint32_t rows = buckets->numbers->gpu->counts.rows;
    const uint32_t wanted = rows > buckets->count ? rows : buckets->count;
    const uint64_t each =
        (uint64_t)fgi_prim_group(work->compute, &sweep_kernel) * SWEEP_OF_INVOCATION;
    struct fgi_prim_node node;
    begin_node(&node, buckets, work, &sweep_kernel, push, fgi_prim_over(wanted, each));
    fgi_prim_column(&node, &buckets->times[IN_ORDER].column, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, &buckets->times[STARTS].column, rows, FG_COMPUTE_READ);
    fgi_prim_view(&node, buckets->totals.view, UINT64_MAX, FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

enum fg_result fgi_gpu_buckets_add(const struct fgi_gpu_buckets *buckets,
                                   const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = buckets->numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct bucket_push push = { fgi_gpu_table_address(gpu),
                                      buckets->numbers->args.view.address,
                                      buckets->args.view.address };
    struct fgi_prim_node node;
    enum fg_result result = fgi_prim_clear(&work, &buckets->cells.column,
                                           ((uint64_t)buckets->count + 1) * BUCKET_WORDS);
    if (result == FG_OK) {
        result = fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                           .target = buckets->totals.view));
    }
    result = result == FG_OK ? add_rows(buckets, &work, &push) : result;
    result = result == FG_OK ? sort(buckets, &work, STARTS, IN_ORDER) : result;
    result = result == FG_OK ? sort(buckets, &work, ENDS, STARTS) : result;
    result = result == FG_OK ? add_sweep(buckets, &work, &push) : result;
    if (result != FG_OK) {
        return result;
    }
    begin_node(&node, buckets, &work, &finish_kernel, &push, 1);
    fgi_prim_column(&node, &buckets->records.column, (uint64_t)buckets->count * RECORD_QUADS,
                    FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}
