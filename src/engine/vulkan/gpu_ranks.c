/* SPDX-License-Identifier: MIT */
/* Two stable sorts: by value, then by slot. */
#include "engine/vulkan/gpu_ranks.h"

/** Words of digits that both sorts have room in. */
static uint32_t digits_of(const struct fgi_gpu_numbers *numbers)
{
    const struct fg_compute *compute = numbers->gpu->compute;
    const uint32_t rows = numbers->gpu->counts.rows;
    const uint32_t of_values = fgi_sort_digits(compute, rows, 8, 64);
    const uint32_t of_slots = fgi_sort_digits(compute, rows, 4, 32);
    return of_values > of_slots ? of_values : of_slots;
}

enum fg_result fgi_gpu_ranks_begin(struct fgi_gpu_ranks *ranks,
                                   const struct fgi_gpu_numbers *numbers, const uint32_t *places,
                                   uint32_t count)
{
    struct fg_gpu_trace *gpu = numbers->gpu;
    const uint32_t rows = gpu->counts.rows;
    *ranks = (struct fgi_gpu_ranks){ .numbers = numbers, .place_count = count };
    const struct {
        struct fgi_gpu_column_memory *column;
        uint32_t rows, row_bytes;
    } wanted[] = {
        { &ranks->values, rows, 8 },
        { &ranks->sorted_values, rows, 8 },
        { &ranks->spare_values, rows, 8 },
        { &ranks->slots, rows, 4 },
        { &ranks->sorted_slots, rows, 4 },
        { &ranks->spare_slots, rows, 4 },
        { &ranks->spare_payload, rows, 4 },
        { &ranks->order, rows, 4 },
        { &ranks->rows, count, 4 },
        { &ranks->found, count, 8 },
        { &ranks->digits, digits_of(numbers), 4 },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                     wanted[i].row_bytes, 0, wanted[i].column);
    }
    if (result == FG_OK) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                        fgi_scan_sums_bytes(gpu->compute, digits_of(numbers)),
                                        &ranks->sums);
    }
    if (result == FG_OK) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_CONTROL,
                                        (uint64_t)count * sizeof *places, &ranks->places);
    }
    if (result == FG_OK) {
        fg_compute_write(gpu->compute, &ranks->places, 0, places, count * sizeof *places);
    }
    return result;
}

void fgi_gpu_ranks_end(struct fgi_gpu_ranks *ranks)
{
    if (!ranks->numbers) {
        return;
    }
    struct fg_compute *compute = ranks->numbers->gpu->compute;
    struct fgi_gpu_column_memory *held[] = {
        &ranks->values, &ranks->slots,        &ranks->sorted_values, &ranks->sorted_slots,
        &ranks->order,  &ranks->spare_values, &ranks->spare_slots,   &ranks->spare_payload,
        &ranks->digits, &ranks->rows,         &ranks->found
    };
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        fgi_gpu_column_free(compute, held[i]);
    }
    fgi_gpu_memory_end(compute, &ranks->sums);
    fgi_gpu_memory_end(compute, &ranks->places);
    ranks->numbers = NULL;
}

enum fg_result fgi_gpu_ranks_add(const struct fgi_gpu_ranks *ranks,
                                 const struct fg_compute_sink *sink, uint64_t greatest)
{
    const struct fg_gpu_trace *gpu = ranks->numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint32_t rows = gpu->counts.rows;
    const struct fgi_gpu_column places = fgi_gpu_column_of(&ranks->places.view, 4);
    const struct fgi_count count = { .limit = ranks->place_count };
    const struct fgi_sort by_value = {
        .key_bytes = 8,
        .key_bits = fgi_gpu_bits_of(greatest),
        .keys = ranks->values.column,
        .payload = ranks->slots.column,
        .count.limit = rows,
        .out_keys = ranks->sorted_values.column,
        .out_payload = ranks->sorted_slots.column,
        .spare_keys = { ranks->spare_values.column },
        .spare_payload = ranks->spare_payload.column,
        .digits = ranks->digits.column,
        .sums = ranks->sums.view,
    };
    /* The slots in the order of rows are not needed any more. */
    const struct fgi_sort by_slot = {
        .key_bytes = 4,
        .key_bits = fgi_gpu_bits_of(ranks->numbers->slots),
        .keys = ranks->sorted_slots.column,
        .count.limit = rows,
        .out_payload = ranks->order.column,
        .spare_keys = { ranks->spare_slots.column, ranks->slots.column },
        .spare_payload = ranks->spare_payload.column,
        .digits = ranks->digits.column,
        .sums = ranks->sums.view,
    };
    enum fg_result result = fgi_gpu_numbers_values(ranks->numbers, sink, FGI_GPU_VALUE_MEASURED,
                                                   &ranks->values.column, &ranks->slots.column);
    result = result == FG_OK ? fgi_sort(&work, &by_value) : result;
    result = result == FG_OK ? fgi_sort(&work, &by_slot) : result;
    if (result == FG_OK) {
        result = fgi_gather(&work, &ranks->order.column, rows, &places, count, UINT32_MAX,
                            &ranks->rows.column);
    }
    return result == FG_OK
               ? fgi_gather(&work, &ranks->sorted_values.column, rows, &ranks->rows.column, count,
                            UINT32_MAX, &ranks->found.column)
               : result;
}
