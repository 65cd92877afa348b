/* SPDX-License-Identifier: MIT */
/*
 * What is on the device of a trace, and under which name kernels find it: the layouts are those of
 * kernels/gpu_table.glsl. A kernel gets the address of a trace's table first, and then that of a
 * population's where it needs one.
 */
#ifndef FGI_GPU_COLUMNS_H
#define FGI_GPU_COLUMNS_H
#include "engine/vulkan/prim_priv.h"

#include <frameglass/gpu_trace.h>

/** struct fg_trace_table: what every kernel may read of a trace. */
struct fgi_gpu_table {
    struct fgi_gpu_column_push columns[FG_GPU_COLUMNS]; /**< address 0: FG_NONE in each row */
    struct fgi_gpu_column_push lane_rows;               /**< rows in lane order */
    struct fgi_gpu_column_push kinds;  /**< name, category, classes | status << 16, 0 */
    struct fgi_gpu_column_push lanes;  /**< track, process (FG_NONE), clock, depth */
    struct fgi_gpu_column_push tracks; /**< process (FG_NONE), clock, first lane, lanes */
    uint32_t row_count, lane_count, track_count, kind_count, process_count, clock_count;
    uint32_t resident_rows; /**< from row 0; grows while it is uploaded */
    uint32_t reserved;
};

/** struct fg_population_table. */
struct fgi_gpu_population_table {
    struct fgi_gpu_column_push columns[FG_GPU_POPULATION_COLUMNS];
    uint32_t count, batch_count, level_count, reserved;
    uint32_t level_first[FG_GPU_BATCH_LEVELS]; /**< first batch of each level, in the column */
};

struct fg_gpu_trace {
    struct fg_compute *compute;
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    struct fgi_gpu_column_memory columns[FG_GPU_COLUMNS];
    struct fgi_gpu_column_memory lane_rows, kinds, lanes, tracks;
    struct fg_compute_memory table; /**< struct fgi_gpu_table, control memory */
    struct fgi_gpu_table host_table;
    uint32_t upload_rows; /**< of a piece */
    uint32_t piece_count;
    uint32_t next_table;    /**< of tables, and of lane order: gpu_upload.c */
    uint32_t next_position; /**< in what of that comes next */
    uint64_t *generations;  /**< of each piece: when it was last uploaded; 0: not yet */
    uint8_t *touched;       /**< of each piece: it is to be uploaded again */
    uint32_t touched_count;
    uint64_t generation;
    struct fg_gpu_trace_counts counts;
};

/** The column of a trace; where no row has one, it is not there. */
static inline const struct fgi_gpu_column *fgi_gpu_column(const struct fg_gpu_trace *gpu,
                                                          enum fg_gpu_column column)
{
    return &gpu->columns[column].column;
}
static inline uint64_t fgi_gpu_table_address(const struct fg_gpu_trace *gpu)
{
    return gpu->table.view.address;
}

struct fg_gpu_filter {
    struct fg_gpu_trace *gpu;
    struct fgi_gpu_column_memory mask;           /**< by row */
    struct fgi_gpu_column_memory similar;        /**< parents that are hidden; empty: none are */
    struct fg_compute_memory kinds, lanes, rows; /**< bits that the host made; none: all pass */
    struct fg_compute_view caller_mask;          /**< zero: none */
    struct fg_compute_memory terms;              /**< struct fgi_gpu_filter_terms */
    struct fg_compute_memory count;              /**< one word */
};

struct fg_gpu_population {
    struct fg_gpu_trace *gpu;
    const struct fgi_gpu_column *mask; /**< of its filter until it is built; NULL: all rows */
    uint32_t count;
    uint32_t flags;
    uint32_t batch_count; /**< of the first level */
    uint32_t level_count;
    uint32_t level_first[FG_GPU_BATCH_LEVELS]; /**< first batch of each level */
    uint32_t level_size[FG_GPU_BATCH_LEVELS];
    struct fgi_gpu_column columns[FG_GPU_POPULATION_COLUMNS]; /**< lent by `memory` or the trace */
    struct fgi_gpu_column_memory memory[FG_GPU_POPULATION_COLUMNS];
    struct fgi_gpu_column_memory positions; /**< mask by position, while there is a filter */
    struct fgi_gpu_column_memory dirty;     /**< a word for each batch of all levels */
    struct fg_compute_memory changed;       /**< a bit for each piece: for a refresh */
    struct fg_compute_memory sums;          /**< of scans */
    struct fg_compute_memory state;         /**< fg_gpu_population_state() */
    struct fg_compute_memory table;         /**< struct fgi_gpu_population_table, control memory */
    uint64_t generation;                    /**< of the trace, when it was built or refreshed */
    bool is_built;
};
static inline const struct fgi_gpu_column *fgi_gpu_population_column(
    const struct fg_gpu_population *population, enum fg_gpu_population_column column)
{
    return &population->columns[column];
}
static inline uint64_t fgi_gpu_population_address(const struct fg_gpu_population *population)
{
    return population->table.view.address;
}
/** The range maximum of a population that has one. */
struct fgi_range_max fgi_gpu_population_range_max(const struct fg_gpu_population *population);

/** Say that a node reads these columns of a trace (bits 1 << enum fg_gpu_column) and its tables. */
void fgi_gpu_use_columns(struct fgi_prim_node *node, const struct fg_gpu_trace *gpu,
                         uint32_t columns);
enum { FGI_GPU_ALL_COLUMNS = (1 << FG_GPU_COLUMNS) - 1 };
/** The same of a population (bits 1 << enum fg_gpu_population_column), with an access. */
void fgi_gpu_use_population(struct fgi_prim_node *node, const struct fg_gpu_population *population,
                            uint32_t columns, uint32_t access);
/**
 * Take control memory for a table and write it.
 *
 * @param out_memory owned: fgi_gpu_memory_end()
 * @return of fg_compute_memory_take()
 */
static inline enum fg_result fgi_gpu_put(struct fg_compute *compute, const void *items,
                                         size_t bytes, struct fg_compute_memory *out_memory)
{
    const enum fg_result result =
        fg_compute_memory_take(compute, FG_COMPUTE_CONTROL, bytes, out_memory);
    if (result == FG_OK) {
        fg_compute_write(compute, out_memory, 0, items, bytes);
    }
    return result;
}
/** Give memory back that may not have been taken. */
static inline void fgi_gpu_memory_end(struct fg_compute *compute, struct fg_compute_memory *memory)
{
    if (memory->view.size_bytes != 0) {
        fg_compute_memory_free(compute, memory);
    }
}

/** Where an operation of a trace puts its nodes. */
static inline struct fgi_gpu_work fgi_gpu_work_of(const struct fg_gpu_trace *gpu,
                                                  const struct fg_compute_sink *sink)
{
    return (struct fgi_gpu_work){ gpu->compute, sink, gpu->allocator };
}

#endif
