/* SPDX-License-Identifier: MIT */
#include "prim_bed.h"

#include "base/hash.h"

#include <cmocka_all.h>
#include <stdlib.h>
#include <string.h>

enum { FILLING = 0xa5 };

uint64_t prim_random(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return fgi_mix64(*seed);
}

void prim_begin(struct prim_case *test)
{
    assert_int_equal(fg_compute_graph_create(test->bed->compute, NULL, &test->graph), FG_OK);
    test->sink = fg_compute_graph_sink(test->graph);
    test->work = (struct fgi_gpu_work){ .compute = test->bed->compute, .sink = &test->sink };
}

void prim_run(struct prim_case *test)
{
    compute_bed_run(test->bed, test->graph);
    fg_compute_graph_destroy(test->graph);
    test->graph = NULL;
}

/** All chunks in one submission, from or to memory that the host sees. */
static void copy_column(struct prim_case *test, const struct fgi_gpu_column *column,
                        struct fg_compute_view host, bool to_host)
{
    struct fg_compute_graph *graph = NULL;
    uint64_t at = 0;
    assert_int_equal(fg_compute_graph_create(test->bed->compute, NULL, &graph), FG_OK);
    for (uint32_t i = 0; i < column->chunk_count; i++) {
        const struct fg_compute_view chunk = column->chunks[i];
        const struct fg_compute_view part = fg_compute_view_part(host, at, chunk.size_bytes);
        assert_int_equal(
            fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "copy", .kind = FG_COMPUTE_COPY,
                                                        .source = to_host ? chunk : part,
                                                        .target = to_host ? part : chunk)),
            FG_OK);
        at += chunk.size_bytes;
    }
    const struct fg_compute_use seen = { .view = host,
                                         .access = FG_COMPUTE_READ,
                                         .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                         .accesses = VK_ACCESS_HOST_READ_BIT };
    if (to_host) {
        assert_int_equal(fg_compute_graph_add(
                             graph, FG_COMPUTE_NODE(.name = "copied", .kind = FG_COMPUTE_PUBLISH,
                                                    .uses = &seen, .use_count = 1)),
                         FG_OK);
    }
    compute_bed_run(test->bed, graph);
    fg_compute_graph_destroy(graph);
}

struct fgi_gpu_column_memory prim_column(struct prim_case *test, const void *rows, uint32_t count,
                                         uint32_t row_bytes)
{
    struct fgi_gpu_column_memory column;
    struct fg_compute_memory staging;
    assert_int_equal(
        fgi_gpu_column_take(test->bed->compute, NULL, count, row_bytes, test->shift, &column),
        FG_OK);
    assert_true(fgi_gpu_column_rows(&column.column) >= count);
    const uint64_t bytes = fgi_gpu_column_rows(&column.column) * row_bytes;
    assert_int_equal(fg_compute_memory_take(test->bed->compute, FG_COMPUTE_UPLOAD, bytes, &staging),
                     FG_OK);
    memset(staging.host, FILLING, bytes);
    if (rows != NULL) {
        memcpy(staging.host, rows, (size_t)count * row_bytes);
    }
    copy_column(test, &column.column, staging.view, false);
    fg_compute_memory_free(test->bed->compute, &staging);
    return column;
}

void *prim_read(struct prim_case *test, const struct fgi_gpu_column_memory *column, uint32_t count)
{
    struct fg_compute_memory staging;
    const uint32_t row_bytes = column->column.row_bytes;
    const uint64_t bytes = fgi_gpu_column_rows(&column->column) * row_bytes;
    const size_t wanted = (size_t)count * row_bytes;
    assert_int_equal(
        fg_compute_memory_take(test->bed->compute, FG_COMPUTE_READBACK, bytes, &staging), FG_OK);
    copy_column(test, &column->column, staging.view, true);
    uint8_t *rows = malloc(wanted + 1);
    assert_non_null(rows);
    memcpy(rows, staging.host, wanted);
    /* Nothing is written behind the last row. */
    for (size_t i = wanted; i < bytes; i++) {
        assert_int_equal(((const uint8_t *)staging.host)[i], FILLING);
    }
    fg_compute_memory_free(test->bed->compute, &staging);
    return rows;
}

void prim_free(struct prim_case *test, struct fgi_gpu_column_memory *column)
{
    fgi_gpu_column_free(test->bed->compute, column);
}

struct fg_compute_memory prim_view(struct prim_case *test, uint64_t bytes)
{
    uint8_t *filling = malloc(bytes);
    assert_non_null(filling);
    memset(filling, FILLING, bytes);
    const struct fg_compute_memory memory = compute_bed_memory(test->bed, filling, bytes);
    free(filling);
    return memory;
}

struct fg_compute_memory prim_number(struct prim_case *test, uint32_t number)
{
    return compute_bed_memory(test->bed, &number, sizeof number);
}

void prim_view_free(struct prim_case *test, struct fg_compute_memory *memory)
{
    fg_compute_memory_free(test->bed->compute, memory);
}

void prim_each(struct compute_bed *bed, void (*run)(struct prim_case *test))
{
    /* The two that share no kernel; all four where it is asked for, as compiling takes long. */
    static const uint32_t ways[] = { 0, FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP,
                                     FG_COMPUTE_NO_INT64, FG_COMPUTE_NO_SUBGROUP };
    const size_t way_count = getenv("FGT_ALL_WAYS") != NULL ? 4 : 2;
    static const struct {
        uint32_t rows, shift;
    } sizes[] = { { 0, 0 },     { 1, 0 },      { 31, 8 },    { 255, 8 },  { 256, 8 },
                  { 257, 8 },   { 4095, 0 },   { 4096, 10 }, { 4097, 8 }, { 8191, 9 },
                  { 8193, 13 }, { 33000, 12 }, { 140001, 0 } };
    uint32_t seen[4];
    size_t seen_count = 0;
    for (size_t way = 0; way < way_count; way++) {
        /* Few groups in a dimension: every dispatch is folded. Some ways have groups of 32. */
        bed->options.flags = ways[way];
        bed->options.group_limit = way % 2 == 0 ? 11 : 0;
        bed->options.group_size = way % 2 != 0 ? 32 : 0;
        compute_bed_renew(bed);
        const uint32_t flags = fg_compute_get_facts(bed->compute)->flags;
        bool is_new = true;
        for (size_t i = 0; i < seen_count; i++) {
            is_new = is_new && seen[i] != flags;
        }
        seen[seen_count++] = flags;
        for (size_t i = 0; is_new && i < sizeof sizes / sizeof *sizes; i++) {
            struct prim_case test = {
                .bed = bed, .shift = sizes[i].shift, .rows = sizes[i].rows, .seed = i * 977 + way
            };
            run(&test);
        }
    }
    assert_int_equal(bed->messages, 0);
}
