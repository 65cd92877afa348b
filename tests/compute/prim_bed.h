/* SPDX-License-Identifier: MIT */
/* Columns with numbers in them, and one graph at a time, for tests of primitives. */
#ifndef FGT_PRIM_BED_H
#define FGT_PRIM_BED_H
#include "compute_bed.h"

#include "engine/vulkan/primitives.h"

/** What a test runs on: a way to compute, a size of chunks, a number of rows. */
struct prim_case {
    struct compute_bed *bed;
    uint32_t shift; /**< of columns; 0 = as large as a block */
    uint32_t rows;
    uint64_t seed;
    struct fg_compute_graph *graph;
    struct fg_compute_sink sink;
    struct fgi_gpu_work work;
};
/** Numbers that look random, the same every time. */
uint64_t prim_random(uint64_t *seed);

/** A graph to add to; prim_run() compiles, runs and ends it. */
void prim_begin(struct prim_case *test);
void prim_run(struct prim_case *test);

/** A column with rows in it (NULL = every byte is 0xa5), in chunks of the case's size. */
struct fgi_gpu_column_memory prim_column(struct prim_case *test, const void *rows, uint32_t count,
                                         uint32_t row_bytes);
/** Rows as they are now: to be freed with free(). */
void *prim_read(struct prim_case *test, const struct fgi_gpu_column_memory *column, uint32_t count);
void prim_free(struct prim_case *test, struct fgi_gpu_column_memory *column);

/** Memory for scratch and results: 0xa5 in every byte. */
struct fg_compute_memory prim_view(struct prim_case *test, uint64_t bytes);
/** A number of rows that only the device knows. */
struct fg_compute_memory prim_number(struct prim_case *test, uint32_t number);
void prim_view_free(struct prim_case *test, struct fg_compute_memory *memory);

/** Run a test over ways to compute, chunks and sizes around every boundary. */
void prim_each(struct compute_bed *bed, void (*test)(struct prim_case *test));

#endif
