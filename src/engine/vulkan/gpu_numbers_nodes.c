/* SPDX-License-Identifier: MIT */
/* Nodes of numbers over selected rows, and what cells say. */
#include "engine/vulkan/gpu_numbers.h"

#include <kernels/number_bins.h>        /* made by the build */
#include <kernels/number_groups.h>      /* made by the build */
#include <kernels/number_table_flags.h> /* made by the build */
#include <kernels/number_table_rows.h>  /* made by the build */
#include <kernels/number_values.h>      /* made by the build */

enum { ROWS_OF_INVOCATION = 32 };

/* Words of a cell, as in number_groups.comp. Least numbers are kept as complements. */
enum {
    CELL_COUNT = 0,
    CELL_OPEN = 1,
    CELL_FAILED = 2,
    CELL_ZEROES = 3,
    CELL_SUM = 4,
    CELL_HIGH = 7,
    CELL_TRACK = 11,
    CELL_LOW = 13,
    CELL_ROW = 17,
    CELL_SQUARES = 18,
};
enum { LEAST, GREATEST, START, END }; /* in this order behind CELL_HIGH and CELL_LOW */

/** As in both kernels. */
struct number_push {
    uint64_t trace, numbers;
};

/** As in number_values.comp. */
struct values_push {
    uint64_t trace, numbers;
    struct fgi_gpu_column_push values, slots;
};

static const struct fg_compute_kernel groups_kernel = { "number_groups", FGI_CODE_number_groups,
                                                        sizeof(struct number_push), 0 };
static const struct fg_compute_kernel bins_kernel = { "number_bins", FGI_CODE_number_bins,
                                                      sizeof(struct number_push), 0 };
static const struct fg_compute_kernel values_kernel = { "number_values", FGI_CODE_number_values,
                                                        sizeof(struct values_push), 0 };

static const struct fg_compute_kernel table_flags_kernel = { "number_table_flags",
                                                             FGI_CODE_number_table_flags,
                                                             sizeof(struct number_push), 0 };
static const struct fg_compute_kernel table_rows_kernel = { "number_table_rows",
                                                            FGI_CODE_number_table_rows,
                                                            sizeof(struct number_push), 0 };

/* ---- nodes ----------------------------------------------------------------------------------- */

void fgi_gpu_numbers_use(struct fgi_prim_node *node, const struct fgi_gpu_numbers *numbers)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    fgi_gpu_use_columns(node, gpu, FGI_GPU_ALL_COLUMNS);
    if (numbers->mask) {
        fgi_prim_column(node, numbers->mask, fgi_mask_words(gpu->counts.rows), FG_COMPUTE_READ);
    }
    if (numbers->covered) {
        fgi_prim_column(node, numbers->covered, gpu->counts.rows, FG_COMPUTE_READ);
    }
    if (numbers->caller) {
        const struct fgi_gpu_caller *caller = numbers->caller;
        fgi_prim_column(node, &caller->mask, fgi_mask_words(gpu->counts.rows), FG_COMPUTE_READ);
        fgi_prim_column(node, &caller->values, caller->value_count, FG_COMPUTE_READ);
        fgi_prim_column(node, &caller->absent, fgi_mask_words(caller->value_count),
                        FG_COMPUTE_READ);
    }
    fgi_prim_view(node, numbers->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, numbers->lanes.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, numbers->kinds.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, numbers->lane_keys.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(node, numbers->means.view, UINT64_MAX, FG_COMPUTE_READ);
}

static void use_totals(struct fgi_prim_node *node, const struct fgi_gpu_numbers *numbers)
{
    fgi_prim_view(node, numbers->totals.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
}

static uint64_t groups_of(const struct fg_gpu_trace *gpu, const struct fg_compute_kernel *kernel)
{
    return fgi_prim_over(gpu->counts.rows,
                         (uint64_t)fgi_prim_group(gpu->compute, kernel) * ROWS_OF_INVOCATION);
}

uint64_t fgi_gpu_numbers_candidate_bytes(const struct fg_gpu_trace *gpu)
{
    return (groups_of(gpu, &groups_kernel) + 1) * sizeof(uint32_t);
}

static enum fg_result clear_totals(const struct fg_compute_memory *totals,
                                   const struct fg_compute_sink *sink)
{
    return fg_compute_sink_add(
        sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL, .target = totals->view));
}

enum fg_result fgi_gpu_numbers_groups(const struct fgi_gpu_numbers *numbers,
                                      const struct fg_compute_sink *sink, uint32_t first,
                                      uint32_t end)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint64_t words = (uint64_t)numbers->slots * FGI_GPU_CELL_WORDS;
    const struct number_push push = { fgi_gpu_table_address(gpu), numbers->args.view.address };
    enum fg_result result = FG_OK;
    if (first == 0) {
        result = fgi_prim_clear(&work, &numbers->cells.column, words);
        result = result == FG_OK ? clear_totals(&numbers->totals, sink) : result;
    }
    for (uint32_t pass = first; pass < end && result == FG_OK; pass++) {
        struct fgi_prim_node node;
        fgi_prim_begin(&node, &work, &groups_kernel, &push, groups_of(gpu, &groups_kernel));
        fgi_prim_constant(&node, pass);
        fgi_gpu_numbers_use(&node, numbers);
        use_totals(&node, numbers);
        fgi_prim_view(&node, numbers->candidates.view, UINT64_MAX,
                      pass == 0 ? FG_COMPUTE_WRITE : FG_COMPUTE_READ);
        fgi_prim_column(&node, &numbers->cells.column, words, FG_COMPUTE_READ_WRITE);
        result = fgi_prim_add(&node);
    }
    return result;
}

/** A number from its two words, kept as the greatest of their complements where it is a least. */
static uint64_t extreme(const uint32_t *words, int which)
{
    const uint64_t value = (uint64_t)words[CELL_HIGH + which] << 32 | words[CELL_LOW + which];
    return which == LEAST || which == START ? ~value : value;
}
/** The words of times have their sign turned, so that they are in the order of naturals. */
static int64_t time_of(uint64_t value)
{
    return (int64_t)(value ^ UINT64_C(1) << 63);
}

bool fgi_gpu_numbers_group(const struct fgi_gpu_numbers *numbers, const uint32_t *words,
                           uint32_t slot, bool has_spans, struct fgi_gpu_group *out_group)
{
    const bool has_values = words[CELL_COUNT] > 0;
    const uint32_t unmeasured = numbers->caller && fgi_gpu_column_is_there(&numbers->caller->values)
                                    ? words[CELL_ZEROES]
                                    : 0;
    if (!has_values && words[CELL_OPEN] == 0 && unmeasured == 0) {
        return false;
    }
    *out_group = (struct fgi_gpu_group){
        .slot = slot,
        .key = fgi_gpu_numbers_key(numbers, slot),
        .clock = slot % numbers->clocks,
        .track = FG_NONE,
        .largest = has_values ? ~words[CELL_ROW] : FG_NONE,
        .zeroes = words[CELL_ZEROES],
        .unmeasured = unmeasured,
        .count = words[CELL_COUNT],
        .errors = words[CELL_FAILED],
        .unfinished = words[CELL_OPEN],
        .sum = (fgi_wide)words[CELL_SUM + 2] << 64 | (fgi_wide)words[CELL_SUM + 1] << 32 |
               words[CELL_SUM],
        .min = has_values ? extreme(words, LEAST) : 0,
        .max = has_values ? extreme(words, GREATEST) : 0,
    };
    if (has_spans && words[CELL_TRACK] - 1 == ~words[CELL_TRACK + 1]) {
        out_group->track = words[CELL_TRACK] - 1;
    }
    if (has_spans && has_values) {
        out_group->start_ns = time_of(extreme(words, START));
        out_group->end_ns = time_of(extreme(words, END));
    }
    return true;
}

void fgi_gpu_numbers_squares(const uint32_t *words, struct fgi_gpu_squares *out_squares)
{
    const uint32_t *limbs = words + CELL_SQUARES;
    *out_squares = (struct fgi_gpu_squares){
        .sum = (fgi_wide)limbs[3] << 96 | (fgi_wide)limbs[2] << 64 | (fgi_wide)limbs[1] << 32 |
               limbs[0],
        .is_saturated = limbs[4] != 0,
    };
}

enum fg_result fgi_gpu_numbers_values(const struct fgi_gpu_numbers *numbers,
                                      const struct fg_compute_sink *sink,
                                      enum fgi_gpu_number_value value,
                                      const struct fgi_gpu_column *values,
                                      const struct fgi_gpu_column *slots)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct values_push push = { fgi_gpu_table_address(gpu), numbers->args.view.address,
                                      fgi_gpu_column_push(values), fgi_gpu_column_push(slots) };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, &work, &values_kernel, &push, groups_of(gpu, &values_kernel));
    fgi_prim_constant(&node, value);
    fgi_gpu_numbers_use(&node, numbers);
    fgi_prim_column(&node, values, gpu->counts.rows, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, slots, gpu->counts.rows, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

/* ---- the table ------------------------------------------------------------------------------- */

static enum fg_result add_table(const struct fgi_gpu_numbers *numbers,
                                const struct fgi_gpu_work *work,
                                const struct fg_compute_kernel *kernel,
                                const struct fgi_gpu_column *target, uint64_t target_rows)
{
    const struct number_push push = { fgi_gpu_table_address(numbers->gpu),
                                      numbers->args.view.address };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(numbers->slots, fgi_prim_group(work->compute, kernel)));
    fgi_prim_view(&node, numbers->args.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, numbers->totals.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, numbers->key_list.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &numbers->cells.column, (uint64_t)numbers->slots * FGI_GPU_CELL_WORDS,
                    FG_COMPUTE_READ);
    if (kernel == &table_rows_kernel) {
        fgi_prim_column(&node, &numbers->group_slots.column, numbers->slots, FG_COMPUTE_READ);
    }
    fgi_prim_column(&node, target, target_rows, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fgi_gpu_numbers_table(const struct fgi_gpu_numbers *numbers,
                                     const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(numbers->gpu, sink);
    const struct fgi_count slots = { .limit = numbers->slots };
    const struct fgi_compact compact = {
        .mask = numbers->flag_mask.column,
        .count = slots,
        .target = numbers->group_slots.column,
        .capacity = numbers->slots,
        .total = fg_compute_view_part(
            numbers->totals.view, offsetof(struct fgi_gpu_group_totals, groups), sizeof(uint32_t)),
        .sums = numbers->sums.view,
    };
    enum fg_result result =
        add_table(numbers, &work, &table_flags_kernel, &numbers->flags.column, numbers->slots);
    if (result == FG_OK) {
        result =
            fgi_mask_of_flags(&work, &numbers->flags.column, slots, &numbers->flag_mask.column);
    }
    result = result == FG_OK ? fgi_compact(&work, &compact) : result;
    return result == FG_OK ? add_table(numbers, &work, &table_rows_kernel, &numbers->groups.column,
                                       (uint64_t)numbers->slots * FGI_GPU_GROUP_QUADS)
                           : result;
}

/* ---- histograms ------------------------------------------------------------------------------ */

enum fg_result fgi_gpu_numbers_bins(const struct fgi_gpu_numbers *numbers,
                                    const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = numbers->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const struct number_push push = { fgi_gpu_table_address(gpu), numbers->args.view.address };
    enum fg_result result = fgi_prim_clear(&work, &numbers->counts.column, numbers->bin_count);
    result = result == FG_OK ? clear_totals(&numbers->bin_totals, sink) : result;
    if (result != FG_OK) {
        return result;
    }
    struct fgi_prim_node node;
    fgi_prim_begin(&node, &work, &bins_kernel, &push, groups_of(gpu, &bins_kernel));
    fgi_gpu_numbers_use(&node, numbers);
    fgi_prim_view(&node, numbers->bin_totals.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, numbers->firsts.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &numbers->counts.column, numbers->bin_count, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}
