/* SPDX-License-Identifier: MIT */
/* Counting rows by key, and lists of links made of it: CSR of one direction. */
#include "engine/vulkan/prim_priv.h"

#include <kernels/count_keys.h>
#include <kernels/count_keys_local.h>

enum {
    ROWS_OF_INVOCATION = 32,
    LOCAL_KEYS = 2048, /* that a group counts in its own memory */
};

/** As in count_keys.comp. */
struct count_push {
    struct fgi_gpu_column_push keys, counts, mask;
    uint64_t other_address, count_address;
    uint32_t count, key_count;
};

static const struct fg_compute_kernel kernel = { "count_keys", FGI_CODE_count_keys,
                                                 sizeof(struct count_push), 0 };
static const struct fg_compute_kernel local_kernel = { "count_keys_local",
                                                       FGI_CODE_count_keys_local,
                                                       sizeof(struct count_push), 0 };

static bool is_valid_count(const struct fgi_count_keys *counting)
{
    const uint32_t limit = counting->count.limit;
    return limit <= FGI_GPU_COLUMN_MAX_ROWS && fgi_prim_holds(&counting->keys, limit, 4) &&
           (!fgi_gpu_column_is_there(&counting->mask) ||
            fgi_prim_holds(&counting->mask, fgi_mask_words(limit), 4)) &&
           fgi_prim_holds(&counting->counts, counting->key_count, 4);
}

/** Counts begin at 0. */
static enum fg_result clear(const struct fgi_gpu_work *work, const struct fgi_count_keys *counting)
{
    const enum fg_result result = fgi_prim_clear(work, &counting->counts, counting->key_count);
    if (result != FG_OK || counting->others.size_bytes == 0) {
        return result;
    }
    return fg_compute_sink_add(
        work->sink,
        FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                        .target = fg_compute_view_part(counting->others, 0, sizeof(uint32_t))));
}

enum fg_result fgi_count_keys(const struct fgi_gpu_work *work,
                              const struct fgi_count_keys *counting)
{
    if (!is_valid_count(counting)) {
        return FG_ERR_ARGUMENT;
    }
    const enum fg_result result = clear(work, counting);
    if (result != FG_OK) {
        return result;
    }
    const uint32_t limit = counting->count.limit;
    const struct fg_compute_kernel *used =
        counting->key_count <= LOCAL_KEYS ? &local_kernel : &kernel;
    const struct count_push push = {
        .keys = fgi_gpu_column_push(&counting->keys),
        .counts = fgi_gpu_column_push(&counting->counts),
        .mask = fgi_gpu_column_push(&counting->mask),
        .other_address = counting->others.address,
        .count_address = counting->count.device.address,
        .count = limit,
        .key_count = counting->key_count,
    };
    const uint64_t each = (uint64_t)fgi_prim_group(work->compute, used) * ROWS_OF_INVOCATION;
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, used, &push, fgi_prim_over(limit, each));
    fgi_prim_column(&node, &counting->keys, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &counting->mask, fgi_mask_words(limit), FG_COMPUTE_READ);
    fgi_prim_column(&node, &counting->counts, counting->key_count, FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, counting->others, sizeof(uint32_t), FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, counting->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

/** Bits of a number of rows: of links without one too. */
static uint32_t bits_of(uint32_t row_count)
{
    uint32_t bits = 1;
    while (bits < 32 && row_count >> bits != 0) {
        bits++;
    }
    return bits;
}

uint32_t fgi_adjacency_digits(const struct fg_compute *compute, uint32_t link_count,
                              uint32_t row_count)
{
    return fgi_sort_digits(compute, link_count, 4, bits_of(row_count));
}

uint64_t fgi_adjacency_sums_bytes(const struct fg_compute *compute, uint32_t link_count,
                                  uint32_t row_count)
{
    const uint32_t digits = fgi_adjacency_digits(compute, link_count, row_count);
    return fgi_scan_sums_bytes(compute, digits > row_count ? digits : row_count + 1);
}

/** Where each row's list begins: counts, scanned. The count behind the last row is 0. */
static enum fg_result add_offsets(const struct fgi_gpu_work *work,
                                  const struct fgi_adjacency *adjacency)
{
    const struct fgi_count_keys counting = { .keys = adjacency->ends,
                                             .count.limit = adjacency->link_count,
                                             .counts = adjacency->offsets,
                                             .key_count = adjacency->row_count };
    const struct fgi_scan scan = { .kind = FGI_SCAN_SUM_U32,
                                   .source = adjacency->offsets,
                                   .target = adjacency->offsets,
                                   .count.limit = adjacency->row_count + 1,
                                   .sums = adjacency->sums };
    /* One word more than is counted. */
    enum fg_result result =
        fgi_prim_clear(work, &adjacency->offsets, (uint64_t)adjacency->row_count + 1);
    if (result == FG_OK) {
        result = fgi_count_keys(work, &counting);
    }
    return result == FG_OK ? fgi_scan(work, &scan) : result;
}

enum fg_result fgi_adjacency(const struct fgi_gpu_work *work, const struct fgi_adjacency *adjacency)
{
    const uint32_t links = adjacency->link_count;
    if (links > FGI_GPU_COLUMN_MAX_ROWS || adjacency->row_count >= FGI_GPU_COLUMN_MAX_ROWS ||
        !fgi_prim_holds(&adjacency->offsets, (uint64_t)adjacency->row_count + 1, 4)) {
        return FG_ERR_ARGUMENT;
    }
    /* Links without a row are sorted behind all others. */
    const struct fgi_sort sort = {
        .key_bytes = 4,
        .key_bits = bits_of(adjacency->row_count),
        .highest = adjacency->row_count,
        .keys = adjacency->ends,
        .count.limit = links,
        .out_payload = adjacency->links,
        .spare_keys = { adjacency->spare_keys[0], adjacency->spare_keys[1] },
        .spare_payload = adjacency->spare_payload,
        .digits = adjacency->digits,
        .sums = adjacency->sums,
    };
    enum fg_result result = add_offsets(work, adjacency);
    if (result == FG_OK) {
        result = fgi_sort(work, &sort);
    }
    if (result != FG_OK || !fgi_gpu_column_is_there(&adjacency->neighbours)) {
        return result;
    }
    return fgi_gather(work, &adjacency->others, links, &adjacency->links,
                      (struct fgi_count){ .limit = links }, UINT32_MAX, &adjacency->neighbours);
}
