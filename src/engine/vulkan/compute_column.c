/* SPDX-License-Identifier: MIT */
/* Columns: lists of chunks with a table of their addresses. */
#include "engine/vulkan/compute_column.h"

#include "base/alloc.h"

enum { MAX_CHUNKS = 1 << 20 };

struct fgi_gpu_column fgi_gpu_column_of(const struct fg_compute_view *view, uint32_t row_bytes)
{
    return (struct fgi_gpu_column){
        .chunks = view, .chunk_count = 1, .row_bytes = row_bytes, .shift = 31
    };
}

uint64_t fgi_gpu_column_rows(const struct fgi_gpu_column *column)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < column->chunk_count; i++) {
        bytes += column->chunks[i].size_bytes;
    }
    return column->row_bytes != 0 ? bytes / column->row_bytes : 0;
}

struct fgi_gpu_column_push fgi_gpu_column_push(const struct fgi_gpu_column *column)
{
    if (column->chunk_count == 0) {
        return (struct fgi_gpu_column_push){ 0 };
    }
    if (column->chunk_count == 1) {
        return (struct fgi_gpu_column_push){ column->chunks[0].address, 31, UINT32_MAX };
    }
    return (struct fgi_gpu_column_push){ column->table.address, column->shift,
                                         (UINT32_C(1) << column->shift) - 1 };
}

uint64_t fgi_gpu_column_bytes(uint64_t rows, uint32_t row_bytes)
{
    /* Vectors of 16 bytes may be read to the end of 256 rows. */
    return (rows == 0 ? 1 : (rows + 255) / 256) * 256 * row_bytes;
}

/** Rows of a chunk so that it fits a block. */
static uint32_t find_shift(const struct fg_compute *compute, uint32_t row_bytes)
{
    const uint64_t block_bytes = fg_compute_get_facts(compute)->block_bytes;
    uint32_t shift = FGI_GPU_COLUMN_MIN_SHIFT;
    while (shift < 30 && ((uint64_t)row_bytes << (shift + 1)) <= block_bytes) {
        shift++;
    }
    return shift;
}

static enum fg_result take_chunks(struct fg_compute *compute, uint64_t bytes,
                                  struct fgi_gpu_column_memory *memory)
{
    const uint64_t chunk_bytes = (uint64_t)memory->column.row_bytes << memory->column.shift;
    for (size_t i = 0; i < memory->chunk_count; i++) {
        const uint64_t left = bytes - i * chunk_bytes;
        const enum fg_result result =
            fg_compute_memory_take(compute, FG_COMPUTE_DEVICE,
                                   left < chunk_bytes ? left : chunk_bytes, &memory->chunks[i]);
        if (result != FG_OK) {
            return result;
        }
        memory->views[i] = memory->chunks[i].view;
    }
    return FG_OK;
}

static enum fg_result take_table(struct fg_compute *compute, struct fgi_gpu_column_memory *memory)
{
    if (memory->chunk_count < 2) {
        return FG_OK;
    }
    const enum fg_result result = fg_compute_memory_take(
        compute, FG_COMPUTE_CONTROL, memory->chunk_count * sizeof(uint64_t), &memory->table);
    if (result != FG_OK) {
        return result;
    }
    for (size_t i = 0; i < memory->chunk_count; i++) {
        const uint64_t address = memory->views[i].address;
        fg_compute_write(compute, &memory->table, i * sizeof address, &address, sizeof address);
    }
    memory->column.table = memory->table.view;
    return FG_OK;
}

enum fg_result fgi_gpu_column_take(struct fg_compute *compute, const struct fg_allocator *allocator,
                                   uint64_t rows, uint32_t row_bytes, uint32_t shift,
                                   struct fgi_gpu_column_memory *out_memory)
{
    if (rows > FGI_GPU_COLUMN_MAX_ROWS || row_bytes < 4 || row_bytes > 16 ||
        (shift != 0 && (shift < FGI_GPU_COLUMN_MIN_SHIFT || shift > 30))) {
        return FG_ERR_ARGUMENT;
    }
    const uint64_t bytes = fgi_gpu_column_bytes(rows, row_bytes);
    struct fgi_gpu_column_memory memory = { .allocator = allocator };
    memory.column.row_bytes = row_bytes;
    memory.column.shift = shift != 0 ? shift : find_shift(compute, row_bytes);
    const uint64_t chunk_bytes = (uint64_t)row_bytes << memory.column.shift;
    memory.chunk_count = (size_t)((bytes + chunk_bytes - 1) / chunk_bytes);
    if (memory.chunk_count > MAX_CHUNKS) {
        return FG_ERR_LIMIT;
    }
    enum fg_result result = FG_ERR_NO_MEMORY;
    memory.chunks = fgi_calloc(allocator, memory.chunk_count, sizeof *memory.chunks);
    memory.views = fgi_calloc(allocator, memory.chunk_count, sizeof *memory.views);
    if (memory.chunks != NULL && memory.views != NULL) {
        result = take_chunks(compute, bytes, &memory);
    }
    if (result == FG_OK) {
        result = take_table(compute, &memory);
    }
    if (result != FG_OK) {
        fgi_gpu_column_free(compute, &memory);
        return result;
    }
    memory.column.chunks = memory.views;
    memory.column.chunk_count = (uint32_t)memory.chunk_count;
    *out_memory = memory;
    return FG_OK;
}

void fgi_gpu_column_free(struct fg_compute *compute, struct fgi_gpu_column_memory *memory)
{
    if (memory == NULL) {
        return;
    }
    for (size_t i = 0; memory->chunks != NULL && i < memory->chunk_count; i++) {
        if (memory->chunks[i].view.size_bytes != 0) {
            fg_compute_memory_free(compute, &memory->chunks[i]);
        }
    }
    if (memory->table.view.size_bytes != 0) {
        fg_compute_memory_free(compute, &memory->table);
    }
    fgi_free(memory->allocator, memory->chunks, memory->chunk_count * sizeof *memory->chunks);
    fgi_free(memory->allocator, memory->views, memory->chunk_count * sizeof *memory->views);
    *memory = (struct fgi_gpu_column_memory){ 0 };
}
