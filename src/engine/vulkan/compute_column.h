/* SPDX-License-Identifier: MIT */
/*
 * Columns on the device: rows of one size in chunks of memory, a power of two rows each and a
 * multiple of 256. Kernels see them through kernels/prelude.glsl.
 */
#ifndef FGI_COMPUTE_COLUMN_H
#define FGI_COMPUTE_COLUMN_H
#include <frameglass/compute.h>

enum {
    FGI_GPU_COLUMN_MIN_SHIFT = 8,
    /** Rows of anything that kernels number. */
    FGI_GPU_COLUMN_MAX_ROWS = INT32_MAX,
};

/** Rows that lie in somebody's views. Borrowed wherever it is given. Chunks begin at addresses that
 *  are multiples of 16. Zero is no column, where there may be none. */
struct fgi_gpu_column {
    const struct fg_compute_view *chunks;
    uint32_t chunk_count;
    uint32_t row_bytes;
    uint32_t shift; /**< a chunk has 1 << shift rows; the last one may be shorter */
    /** uint64_t addresses of the chunks; not needed where there is one. */
    struct fg_compute_view table;
};
/** A column in one view. */
struct fgi_gpu_column fgi_gpu_column_of(const struct fg_compute_view *view, uint32_t row_bytes);
static inline bool fgi_gpu_column_is_there(const struct fgi_gpu_column *column)
{
    return column->chunk_count != 0;
}
/** Rows that there is memory for. */
uint64_t fgi_gpu_column_rows(const struct fgi_gpu_column *column);

/** As kernels get it: struct fg_column of prelude.glsl. */
struct fgi_gpu_column_push {
    uint64_t table;
    uint32_t shift;
    uint32_t row_mask;
};
struct fgi_gpu_column_push fgi_gpu_column_push(const struct fgi_gpu_column *column);

/** A column with memory of its own. Zero is empty. */
struct fgi_gpu_column_memory {
    struct fgi_gpu_column column; /**< lent until it is freed */
    struct fg_compute_memory *chunks;
    struct fg_compute_view *views;
    struct fg_compute_memory table;
    size_t chunk_count;
    const struct fg_allocator *allocator;
};
/**
 * Take memory for rows. What is in it is undefined.
 *
 * @param rows      0 gives a column of one row
 * @param row_bytes 4, 8 or 16
 * @param shift     rows of a chunk; 0 = as many as a block takes
 * @return FG_OK; of fg_compute_memory_take(); nothing is kept on failure
 */
FG_MUST_USE enum fg_result fgi_gpu_column_take(struct fg_compute *compute,
                                               const struct fg_allocator *allocator, uint64_t rows,
                                               uint32_t row_bytes, uint32_t shift,
                                               struct fgi_gpu_column_memory *out_memory);
void fgi_gpu_column_free(struct fg_compute *compute, struct fgi_gpu_column_memory *memory);
/** What fgi_gpu_column_take() takes of the device, tables left out. */
uint64_t fgi_gpu_column_bytes(uint64_t rows, uint32_t row_bytes);

#endif
