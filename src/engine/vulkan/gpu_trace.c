/* SPDX-License-Identifier: MIT */
/* A trace on the device: the memory that it takes, its table of addresses, its end. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_columns.h"
#include "trace/model.h"
#include <stddef.h>

enum {
    DEFAULT_UPLOAD_ROWS = 65536,
    QUAD_BYTES = 16,
    BATCH_QUADS = 3,
};

static const uint32_t row_bytes[FG_GPU_COLUMNS] = {
    [FG_GPU_COLUMN_START] = 8, [FG_GPU_COLUMN_END] = 8,    [FG_GPU_COLUMN_LANE] = 4,
    [FG_GPU_COLUMN_KIND] = 4,  [FG_GPU_COLUMN_PARENT] = 4, [FG_GPU_COLUMN_FRAME] = 4,
    [FG_GPU_COLUMN_PASS] = 4,  [FG_GPU_COLUMN_SCOPE] = 4,
};

/* Columns of which no row says anything are not there. */
static bool has_column(const struct fg_trace *trace, enum fg_gpu_column column)
{
    switch (column) {
    case FG_GPU_COLUMN_FRAME:
        return fgi_blocks_have(trace->store, FGI_COLUMN_FRAME);
    case FG_GPU_COLUMN_PASS:
        return fgi_blocks_have(trace->store, FGI_COLUMN_PASS);
    case FG_GPU_COLUMN_SCOPE:
        return fgi_blocks_have(trace->store, FGI_COLUMN_SCOPE);
    default:
        return true;
    }
}

static bool is_rows(uint32_t rows)
{
    return rows == 0 || (rows >= FG_GPU_BATCH_ROWS && (rows & (rows - 1)) == 0);
}

static enum fg_result check(const struct fg_gpu_trace_options *options)
{
    if (!options || !options->compute || !options->trace || !is_rows(options->chunk_rows) ||
        !is_rows(options->upload_rows)) {
        return FG_ERR_ARGUMENT;
    }
    return fgi_trace_rows(options->trace) < FGI_GPU_COLUMN_MAX_ROWS ? FG_OK : FG_ERR_LIMIT;
}

enum fg_result fg_gpu_trace_preflight(const struct fg_gpu_trace_options *options,
                                      struct fg_gpu_trace_memory *out_memory)
{
    const enum fg_result result = check(options);
    if (result != FG_OK) {
        return result;
    }
    const struct fg_trace *trace = options->trace;
    const uint32_t rows = fgi_trace_rows(trace);
    struct fg_gpu_trace_memory memory = {
        .columns_bytes = fgi_gpu_column_bytes(rows, 4) +
                         fgi_gpu_column_bytes(trace->store->kinds.count, QUAD_BYTES) +
                         fgi_gpu_column_bytes(trace->lanes.count, QUAD_BYTES) +
                         fgi_gpu_column_bytes(trace->tracks.count, QUAD_BYTES),
        .mask_bytes = fgi_gpu_column_bytes(fgi_mask_words(rows), 4),
        .left_bytes = fg_compute_memory_left(options->compute),
    };
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        if (has_column(trace, (enum fg_gpu_column)c)) {
            memory.columns_bytes += fgi_gpu_column_bytes(rows, row_bytes[c]);
        }
    }
    const uint32_t batches = rows / FG_GPU_BATCH_ROWS + 1;
    memory.population_bytes =
        3 * fgi_gpu_column_bytes((uint64_t)rows + 1, 8) +
        fgi_gpu_column_bytes(trace->lanes.count + 1, 4) +
        fgi_gpu_column_bytes(
            (uint64_t)(batches + batches / (FG_GPU_BATCH_FAN - 1) + FG_GPU_BATCH_LEVELS) *
                BATCH_QUADS,
            QUAD_BYTES);
    memory.range_max_bytes =
        fgi_gpu_column_bytes(rows, 8) + fgi_gpu_column_bytes(fgi_range_max_nodes(rows), QUAD_BYTES);
    const uint64_t block_bytes = fg_compute_get_facts(options->compute)->block_bytes;
    const uint64_t column_bytes = fgi_gpu_column_bytes(
        options->chunk_rows != 0 && options->chunk_rows < rows ? options->chunk_rows : rows, 8);
    memory.largest_bytes = column_bytes < block_bytes ? column_bytes : block_bytes;
    *out_memory = memory;
    return FG_OK;
}

/* ---- making it ------------------------------------------------------------------------------- */

static uint32_t shift_of(uint32_t rows)
{
    uint32_t shift = 0;
    while (rows >> (shift + 1) != 0) {
        shift++;
    }
    return shift;
}

static enum fg_result take(struct fg_gpu_trace *gpu, uint64_t rows, uint32_t bytes, uint32_t shift,
                           struct fgi_gpu_column_memory *out_memory)
{
    return fgi_gpu_column_take(gpu->compute, gpu->allocator, rows, bytes, shift, out_memory);
}

static enum fg_result take_columns(struct fg_gpu_trace *gpu, uint32_t shift)
{
    const struct fg_trace *trace = gpu->trace;
    const uint32_t rows = gpu->counts.rows;
    enum fg_result result = take(gpu, rows, 4, shift, &gpu->lane_rows);
    for (unsigned c = 0; c < FG_GPU_COLUMNS && result == FG_OK; c++) {
        if (has_column(trace, (enum fg_gpu_column)c)) {
            result = take(gpu, rows, row_bytes[c], shift, &gpu->columns[c]);
        }
    }
    result = result == FG_OK ? take(gpu, gpu->counts.kinds, QUAD_BYTES, 0, &gpu->kinds) : result;
    result = result == FG_OK ? take(gpu, gpu->counts.lanes, QUAD_BYTES, 0, &gpu->lanes) : result;
    result = result == FG_OK ? take(gpu, gpu->counts.tracks, QUAD_BYTES, 0, &gpu->tracks) : result;
    return result == FG_OK ? fg_compute_memory_take(gpu->compute, FG_COMPUTE_CONTROL,
                                                    sizeof gpu->host_table, &gpu->table)
                           : result;
}

static void write_table(struct fg_gpu_trace *gpu)
{
    struct fgi_gpu_table *table = &gpu->host_table;
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        table->columns[c] = fgi_gpu_column_push(&gpu->columns[c].column);
    }
    table->lane_rows = fgi_gpu_column_push(&gpu->lane_rows.column);
    table->kinds = fgi_gpu_column_push(&gpu->kinds.column);
    table->lanes = fgi_gpu_column_push(&gpu->lanes.column);
    table->tracks = fgi_gpu_column_push(&gpu->tracks.column);
    table->row_count = gpu->counts.rows;
    table->lane_count = gpu->counts.lanes;
    table->track_count = gpu->counts.tracks;
    table->kind_count = gpu->counts.kinds;
    table->process_count = (uint32_t)gpu->trace->processes.count;
    table->clock_count = (uint32_t)gpu->trace->clocks.count;
    fg_compute_write(gpu->compute, &gpu->table, 0, table, sizeof *table);
}

/** Rows of a piece: what every chunk has a whole number of. */
static uint32_t piece_rows(const struct fg_gpu_trace *gpu, uint32_t wanted)
{
    uint32_t rows = wanted != 0 ? wanted : DEFAULT_UPLOAD_ROWS;
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        const struct fgi_gpu_column *column = &gpu->columns[c].column;
        if (column->chunk_count != 0 && rows > UINT32_C(1) << column->shift) {
            rows = UINT32_C(1) << column->shift;
        }
    }
    /* Two of them are on their way in a ring as large as a block. */
    const uint64_t most_bytes = fg_compute_get_facts(gpu->compute)->block_bytes / 2;
    uint32_t bytes = 0;
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        bytes += gpu->columns[c].column.row_bytes;
    }
    while (rows > FG_GPU_BATCH_ROWS && (uint64_t)rows * bytes > most_bytes) {
        rows /= 2;
    }
    return rows;
}

enum fg_result fg_gpu_trace_create(const struct fg_gpu_trace_options *options,
                                   struct fg_gpu_trace **out_gpu)
{
    enum fg_result result = check(options);
    if (result != FG_OK) {
        return result;
    }
    struct fg_gpu_trace *gpu = fgi_calloc(options->allocator, 1, sizeof *gpu);
    if (!gpu) {
        return FG_ERR_NO_MEMORY;
    }
    gpu->compute = options->compute;
    gpu->allocator = options->allocator;
    gpu->trace = options->trace;
    gpu->counts = (struct fg_gpu_trace_counts){
        .rows = fgi_trace_rows(options->trace),
        .lanes = (uint32_t)options->trace->lanes.count,
        .tracks = (uint32_t)options->trace->tracks.count,
        .kinds = (uint32_t)options->trace->store->kinds.count,
    };
    result = take_columns(gpu, options->chunk_rows != 0 ? shift_of(options->chunk_rows) : 0);
    if (result == FG_OK) {
        gpu->upload_rows = piece_rows(gpu, options->upload_rows);
        gpu->piece_count = fgi_mask_words(gpu->counts.rows) / (gpu->upload_rows / 32) + 1;
        gpu->generations = fgi_calloc(gpu->allocator, gpu->piece_count, sizeof *gpu->generations);
        gpu->touched = fgi_calloc(gpu->allocator, gpu->piece_count, sizeof *gpu->touched);
        result = gpu->generations && gpu->touched ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result != FG_OK) {
        fg_gpu_trace_destroy(gpu);
        return result;
    }
    write_table(gpu);
    *out_gpu = gpu;
    return FG_OK;
}

void fg_gpu_trace_destroy(struct fg_gpu_trace *gpu)
{
    if (!gpu) {
        return;
    }
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        fgi_gpu_column_free(gpu->compute, &gpu->columns[c]);
    }
    fgi_gpu_column_free(gpu->compute, &gpu->lane_rows);
    fgi_gpu_column_free(gpu->compute, &gpu->kinds);
    fgi_gpu_column_free(gpu->compute, &gpu->lanes);
    fgi_gpu_column_free(gpu->compute, &gpu->tracks);
    if (gpu->table.block) {
        /* Nodes have written this word: what the host knows of the memory is to be true again. */
        fg_compute_write(gpu->compute, &gpu->table, offsetof(struct fgi_gpu_table, resident_rows),
                         &gpu->host_table.resident_rows, sizeof gpu->host_table.resident_rows);
    }
    fgi_gpu_memory_end(gpu->compute, &gpu->table);
    fgi_free(gpu->allocator, gpu->generations, gpu->piece_count * sizeof *gpu->generations);
    fgi_free(gpu->allocator, gpu->touched, gpu->piece_count * sizeof *gpu->touched);
    fgi_free(gpu->allocator, gpu, sizeof *gpu);
}

/* ---- looking at it --------------------------------------------------------------------------- */

void fg_gpu_trace_get_counts(const struct fg_gpu_trace *gpu, struct fg_gpu_trace_counts *out_counts)
{
    *out_counts = gpu->counts;
}

uint32_t fg_gpu_trace_chunk_count(const struct fg_gpu_trace *gpu, enum fg_gpu_column column)
{
    return gpu->columns[column].column.chunk_count;
}

uint32_t fg_gpu_trace_chunk_rows(const struct fg_gpu_trace *gpu, enum fg_gpu_column column)
{
    return UINT32_C(1) << gpu->columns[column].column.shift;
}

struct fg_compute_view fg_gpu_trace_chunk(const struct fg_gpu_trace *gpu, enum fg_gpu_column column,
                                          uint32_t chunk)
{
    return gpu->columns[column].column.chunks[chunk];
}

void fgi_gpu_use_columns(struct fgi_prim_node *node, const struct fg_gpu_trace *gpu,
                         uint32_t columns)
{
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        if ((columns >> c & 1) != 0) {
            fgi_prim_column(node, &gpu->columns[c].column, gpu->counts.rows, FG_COMPUTE_READ);
        }
    }
    fgi_prim_column(node, &gpu->kinds.column, gpu->counts.kinds, FG_COMPUTE_READ);
    fgi_prim_column(node, &gpu->lanes.column, gpu->counts.lanes, FG_COMPUTE_READ);
    fgi_prim_column(node, &gpu->tracks.column, gpu->counts.tracks, FG_COMPUTE_READ);
    fgi_prim_view(node, gpu->table.view, UINT64_MAX, FG_COMPUTE_READ);
}
