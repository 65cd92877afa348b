/* SPDX-License-Identifier: MIT */
/*
 * Stable sort by digits, lowest first. A pass counts digits by tile, scans the counts in the order
 * of digits, then tiles, and moves the rows. With subgroups digits are as wide as the group's
 * memory takes.
 */
#include "engine/vulkan/prim_priv.h"

#include <kernels/radix_count_u32.h>
#include <kernels/radix_count_u64.h>
#include <kernels/radix_scatter_u32.h>
#include <kernels/radix_scatter_u64.h>

enum {
    MAX_DIGIT_BITS = 8,
    PLAIN_DIGIT_BITS = 4,    /* each invocation counts by itself */
    STAGED_BYTES = 64,       /* of each invocation, in the group's memory */
    SHARED_BYTES = 32 << 10, /* that a group may have */
};

/** As in radix_args.glsl. */
struct radix_push {
    struct fgi_gpu_column_push keys, payload, out_keys, out_payload, counts;
    uint64_t count_address;
    uint32_t count, tiles, shift, highest;
};

static const struct fg_compute_kernel count_kernels[] = {
    { "radix_count_u32", FGI_CODE_radix_count_u32, sizeof(struct radix_push), 0 },
    { "radix_count_u64", FGI_CODE_radix_count_u64, sizeof(struct radix_push), 0 },
};
static const struct fg_compute_kernel scatter_kernels[] = {
    { "radix_scatter_u32", FGI_CODE_radix_scatter_u32, sizeof(struct radix_push), 0 },
    { "radix_scatter_u64", FGI_CODE_radix_scatter_u64, sizeof(struct radix_push), 0 },
};

/** How the work is cut. */
struct shape {
    uint32_t tiles;
    uint32_t digit_bits;
    uint32_t passes;
};

/** The widest digit whose counts fit the memory of a group. */
static uint32_t widest_digit(const struct fg_compute *compute, uint32_t group)
{
    const struct fg_compute_facts *facts = fg_compute_get_facts(compute);
    if ((facts->flags & FG_COMPUTE_SUBGROUP) == 0 || facts->subgroup_size == 0) {
        return PLAIN_DIGIT_BITS;
    }
    const uint32_t subgroups = fgi_prim_over(group, facts->subgroup_size);
    uint32_t bits = MAX_DIGIT_BITS;
    while (bits > 1 && ((subgroups + 2) << bits) * sizeof(uint32_t) + (size_t)group * STAGED_BYTES >
                           SHARED_BYTES) {
        bits--;
    }
    return bits;
}

static struct shape find_shape(const struct fg_compute *compute, uint32_t limit, uint32_t key_bytes,
                               uint32_t key_bits)
{
    const uint32_t group = fgi_prim_group(compute, &scatter_kernels[0]);
    /* Always the widest digit, also for keys of few bits: each width is a pipeline of its own. */
    struct shape shape = { .digit_bits = widest_digit(compute, group) };
    shape.passes = fgi_prim_over(key_bits, shape.digit_bits);
    shape.tiles = fgi_prim_over(limit, (uint64_t)group * (STAGED_BYTES / key_bytes));
    return shape;
}

static uint32_t digit_words(const struct shape *shape)
{
    return (shape->tiles == 0 ? 1 : shape->tiles) << shape->digit_bits;
}

uint32_t fgi_sort_digits(const struct fg_compute *compute, uint32_t limit, uint32_t key_bytes,
                         uint32_t key_bits)
{
    const struct shape shape = find_shape(compute, limit, key_bytes, key_bits);
    return digit_words(&shape);
}

uint32_t fgi_sort_passes(const struct fg_compute *compute, uint32_t key_bytes, uint32_t key_bits)
{
    return find_shape(compute, 0, key_bytes, key_bits).passes;
}

static bool is_there(const struct fgi_gpu_column *column, uint64_t rows, uint32_t row_bytes)
{
    return !fgi_gpu_column_is_there(column) || fgi_prim_holds(column, rows, row_bytes);
}

/** Whether columns are as wide and long as they are needed. */
static bool is_valid(const struct fg_compute *compute, const struct fgi_sort *sort)
{
    const uint32_t limit = sort->count.limit;
    if ((sort->key_bytes != 4 && sort->key_bytes != 8) || sort->key_bits == 0 ||
        sort->key_bits > sort->key_bytes * 8 || limit > FGI_GPU_COLUMN_MAX_ROWS) {
        return false;
    }
    const struct shape shape = find_shape(compute, limit, sort->key_bytes, sort->key_bits);
    const bool wants_keys = fgi_gpu_column_is_there(&sort->out_keys);
    return fgi_prim_holds(&sort->keys, limit, sort->key_bytes) &&
           is_there(&sort->payload, limit, 4) &&
           is_there(&sort->out_keys, limit, sort->key_bytes) &&
           fgi_prim_holds(&sort->out_payload, limit, 4) &&
           (shape.passes < 2 || (fgi_prim_holds(&sort->spare_keys[0], limit, sort->key_bytes) &&
                                 fgi_prim_holds(&sort->spare_payload, limit, 4))) &&
           (shape.passes < 3 || wants_keys ||
            fgi_prim_holds(&sort->spare_keys[1], limit, sort->key_bytes)) &&
           fgi_prim_holds(&sort->digits, digit_words(&shape), 4) &&
           sort->sums.size_bytes >= fgi_scan_sums_bytes(compute, digit_words(&shape));
}

/** What one pass reads and writes. */
struct pass {
    struct fgi_gpu_column keys, payload, out_keys, out_payload;
    uint32_t shift;
};

static enum fg_result add_pass(const struct fgi_gpu_work *work, const struct fgi_sort *sort,
                               const struct shape *shape, const struct pass *pass)
{
    const uint32_t limit = sort->count.limit;
    const uint32_t words = digit_words(shape);
    const unsigned wide = sort->key_bytes == 8;
    const struct radix_push push = {
        .keys = fgi_gpu_column_push(&pass->keys),
        .payload = fgi_gpu_column_push(&pass->payload),
        .out_keys = fgi_gpu_column_push(&pass->out_keys),
        .out_payload = fgi_gpu_column_push(&pass->out_payload),
        .counts = fgi_gpu_column_push(&sort->digits),
        .count_address = sort->count.device.address,
        .count = limit,
        .tiles = shape->tiles,
        .shift = pass->shift,
        .highest = sort->highest != 0 ? sort->highest : UINT32_MAX,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &count_kernels[wide], &push, shape->tiles);
    fgi_prim_constant(&node, shape->digit_bits);
    fgi_prim_column(&node, &pass->keys, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &sort->digits, words, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, sort->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    enum fg_result result = fgi_prim_add(&node);
    if (result == FG_OK) {
        const struct fgi_scan scan = { .kind = FGI_SCAN_SUM_U32,
                                       .source = sort->digits,
                                       .target = sort->digits,
                                       .count.limit = shape->tiles << shape->digit_bits,
                                       .sums = sort->sums };
        result = fgi_scan(work, &scan);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, work, &scatter_kernels[wide], &push, shape->tiles);
    fgi_prim_constant(&node, shape->digit_bits);
    fgi_prim_column(&node, &pass->keys, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &pass->payload, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &pass->out_keys, limit, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &pass->out_payload, limit, FG_COMPUTE_WRITE);
    fgi_prim_column(&node, &sort->digits, words, FG_COMPUTE_READ);
    fgi_prim_view(&node, sort->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

enum fg_result fgi_sort(const struct fgi_gpu_work *work, const struct fgi_sort *sort)
{
    if (!is_valid(work->compute, sort)) {
        return FG_ERR_ARGUMENT;
    }
    const struct shape shape =
        find_shape(work->compute, sort->count.limit, sort->key_bytes, sort->key_bits);
    const bool wants_keys = fgi_gpu_column_is_there(&sort->out_keys);
    struct pass pass = { .keys = sort->keys, .payload = sort->payload };
    for (uint32_t i = 0; i < shape.passes; i++) {
        const uint32_t left = shape.passes - 1 - i;
        pass.shift = i * shape.digit_bits;
        /* Back and forth, so that the last pass writes what is wanted. */
        pass.out_payload = left % 2 == 0 ? sort->out_payload : sort->spare_payload;
        if (wants_keys) {
            pass.out_keys = left % 2 == 0 ? sort->out_keys : sort->spare_keys[0];
        } else {
            pass.out_keys =
                left == 0 ? (struct fgi_gpu_column){ 0 } : sort->spare_keys[(left - 1) % 2];
        }
        const enum fg_result result = add_pass(work, sort, &shape, &pass);
        if (result != FG_OK) {
            return result;
        }
        pass.keys = pass.out_keys;
        pass.payload = pass.out_payload;
    }
    return FG_OK;
}
