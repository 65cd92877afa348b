/* SPDX-License-Identifier: MIT */
/* Masks: made of flags and of other masks, combined, transposed. */
#include "engine/vulkan/prim_priv.h"

#include <kernels/mask_flags.h>
#include <kernels/mask_gather.h>
#include <kernels/mask_logic.h>
#include <kernels/mask_planes.h>
#include <kernels/mask_scatter.h>

enum { ROWS_OF_INVOCATION = 16 };

/** As in mask_make.comp and mask_scatter.comp. */
struct mask_push {
    struct fgi_gpu_column_push words, target, source;
    uint64_t count_address;
    uint32_t count, source_count;
};
/** As in mask_logic.comp. */
struct logic_push {
    struct fgi_gpu_column_push left, right, target;
    uint32_t word_count, logic;
};
/** As in mask_planes.comp. */
struct planes_push {
    struct fgi_gpu_column_push words, target;
    uint32_t count, plane_words, wanted;
};

static const struct fg_compute_kernel flags_kernel = { "mask_flags", FGI_CODE_mask_flags,
                                                       sizeof(struct mask_push), 0 };
static const struct fg_compute_kernel gather_kernel = { "mask_gather", FGI_CODE_mask_gather,
                                                        sizeof(struct mask_push), 0 };
static const struct fg_compute_kernel scatter_kernel = { "mask_scatter", FGI_CODE_mask_scatter,
                                                         sizeof(struct mask_push), 0 };
static const struct fg_compute_kernel logic_kernel = { "mask_logic", FGI_CODE_mask_logic,
                                                       sizeof(struct logic_push), 0 };
static const struct fg_compute_kernel planes_kernel = { "mask_planes", FGI_CODE_mask_planes,
                                                        sizeof(struct planes_push), 0 };

/** Flags where there is no source. */
static enum fg_result make(const struct fgi_gpu_work *work, const struct fgi_gpu_column *words,
                           const struct fgi_gpu_column *source, uint32_t source_rows,
                           struct fgi_count count, const struct fgi_gpu_column *target)
{
    if (count.limit > FGI_GPU_COLUMN_MAX_ROWS || !fgi_prim_holds(words, count.limit, 4) ||
        !fgi_prim_holds(target, fgi_mask_words(count.limit), 4)) {
        return FG_ERR_ARGUMENT;
    }
    struct mask_push push = {
        .words = fgi_gpu_column_push(words),
        .target = fgi_gpu_column_push(target),
        .count_address = count.device.address,
        .count = count.limit,
        .source_count = source_rows,
    };
    const struct fg_compute_kernel *kernel = &flags_kernel;
    if (source != NULL) {
        push.source = fgi_gpu_column_push(source);
        kernel = &gather_kernel;
    }
    const uint64_t tile = (uint64_t)fgi_prim_group(work->compute, kernel) * ROWS_OF_INVOCATION;
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push, fgi_prim_over(count.limit, tile));
    fgi_prim_column(&node, words, count.limit, FG_COMPUTE_READ);
    if (source != NULL) {
        fgi_prim_column(&node, source, fgi_mask_words(source_rows), FG_COMPUTE_READ);
    }
    fgi_prim_column(&node, target, fgi_mask_words(count.limit), FG_COMPUTE_WRITE);
    fgi_prim_view(&node, count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

enum fg_result fgi_mask_of_flags(const struct fgi_gpu_work *work,
                                 const struct fgi_gpu_column *flags, struct fgi_count count,
                                 const struct fgi_gpu_column *mask)
{
    return make(work, flags, NULL, 0, count, mask);
}

enum fg_result fgi_mask_gather(const struct fgi_gpu_work *work, const struct fgi_gpu_column *source,
                               uint32_t source_rows, const struct fgi_gpu_column *order,
                               struct fgi_count count, const struct fgi_gpu_column *target)
{
    if (!fgi_prim_holds(source, fgi_mask_words(source_rows), 4)) {
        return FG_ERR_ARGUMENT;
    }
    return make(work, order, source, source_rows, count, target);
}

enum fg_result fgi_mask_scatter(const struct fgi_gpu_work *work,
                                const struct fgi_gpu_column *source,
                                const struct fgi_gpu_column *order, struct fgi_count count,
                                const struct fgi_gpu_column *target, uint32_t target_rows)
{
    const uint32_t words = fgi_mask_words(target_rows);
    if (count.limit > FGI_GPU_COLUMN_MAX_ROWS || !fgi_prim_holds(order, count.limit, 4) ||
        !fgi_prim_holds(target, words, 4) ||
        (source != NULL && !fgi_prim_holds(source, fgi_mask_words(count.limit), 4))) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_prim_clear(work, target, words);
    if (result != FG_OK) {
        return result;
    }
    struct mask_push push = {
        .words = fgi_gpu_column_push(order),
        .target = fgi_gpu_column_push(target),
        .count_address = count.device.address,
        .count = count.limit,
        .source_count = target_rows,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &scatter_kernel, &push,
                   fgi_prim_over(count.limit, fgi_prim_group(work->compute, &scatter_kernel)));
    fgi_prim_column(&node, order, count.limit, FG_COMPUTE_READ);
    if (source != NULL) {
        push.source = fgi_gpu_column_push(source);
        fgi_prim_column(&node, source, fgi_mask_words(count.limit), FG_COMPUTE_READ);
    }
    fgi_prim_column(&node, target, words, FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

enum fg_result fgi_mask_combine(const struct fgi_gpu_work *work, enum fgi_mask_logic logic,
                                const struct fgi_gpu_column *left,
                                const struct fgi_gpu_column *right, uint32_t rows,
                                const struct fgi_gpu_column *target)
{
    const uint32_t words = fgi_mask_words(rows);
    if (logic > FGI_MASK_XOR || !fgi_prim_holds(left, words, 4) ||
        !fgi_prim_holds(right, words, 4) || !fgi_prim_holds(target, words, 4)) {
        return FG_ERR_ARGUMENT;
    }
    const struct logic_push push = {
        .left = fgi_gpu_column_push(left),
        .right = fgi_gpu_column_push(right),
        .target = fgi_gpu_column_push(target),
        .word_count = words,
        .logic = logic,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &logic_kernel, &push,
                   fgi_prim_over(words, fgi_prim_group(work->compute, &logic_kernel)));
    fgi_prim_column(&node, left, words, FG_COMPUTE_READ);
    fgi_prim_column(&node, right, words, FG_COMPUTE_READ);
    fgi_prim_column(&node, target, words, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fgi_mask_planes(const struct fgi_gpu_work *work, const struct fgi_gpu_column *words,
                               uint32_t rows, uint32_t wanted, uint32_t plane_words,
                               const struct fgi_gpu_column *planes)
{
    uint64_t end = 0;
    for (uint32_t plane = 0; plane < 32; plane++) {
        if ((wanted >> plane & 1) != 0) {
            end = (uint64_t)plane * plane_words + fgi_mask_words(rows);
        }
    }
    if (end > FGI_GPU_COLUMN_MAX_ROWS || !fgi_prim_holds(words, rows, 4) ||
        plane_words < fgi_mask_words(rows) || !fgi_prim_holds(planes, end, 4)) {
        return FG_ERR_ARGUMENT;
    }
    const struct planes_push push = {
        .words = fgi_gpu_column_push(words),
        .target = fgi_gpu_column_push(planes),
        .count = rows,
        .plane_words = plane_words,
        .wanted = wanted,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &planes_kernel, &push,
                   fgi_prim_over(rows, fgi_prim_group(work->compute, &planes_kernel)));
    fgi_prim_column(&node, words, rows, FG_COMPUTE_READ);
    fgi_prim_column(&node, planes, end, FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}
