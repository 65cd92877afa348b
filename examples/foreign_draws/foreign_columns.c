/* SPDX-License-Identifier: MIT */
#include "foreign_columns.h"

#include <stdio.h>

/* As in shaders/columns.glsl. */
struct foreign_table {
    uint64_t chunks[FOREIGN_COLUMNS][FOREIGN_CHUNKS];
    uint32_t chunk_rows[FOREIGN_COLUMNS];
    uint32_t reserved;
};

bool foreign_columns_create(struct foreign_device *device, const struct fg_gpu_trace *gpu,
                            struct fg_compute_memory *out_table)
{
    struct foreign_table table = { .reserved = 0 };
    for (uint32_t i = 0; i < FOREIGN_COLUMNS; i++) {
        const enum fg_gpu_column column = (enum fg_gpu_column)i;
        const uint32_t count = fg_gpu_trace_chunk_count(gpu, column);
        if (count > FOREIGN_CHUNKS) {
            fprintf(stderr, "this renderer takes columns of %d chunks at most\n", FOREIGN_CHUNKS);
            return false;
        }
        table.chunk_rows[i] = fg_gpu_trace_chunk_rows(gpu, column);
        for (uint32_t c = 0; c < count; c++) {
            table.chunks[i][c] = fg_gpu_trace_chunk(gpu, column, c).address;
        }
    }
    if (!foreign_ok(
            fg_compute_memory_take(device->compute, FG_COMPUTE_CONTROL, sizeof table, out_table),
            "memory of a table")) {
        return false;
    }
    (void)fg_compute_write(device->compute, out_table, 0, &table, sizeof table);
    return true;
}

uint32_t foreign_columns_use(const struct fg_gpu_trace *gpu, uint32_t columns,
                             VkPipelineStageFlags stages, struct fg_compute_use *out_uses)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < FOREIGN_COLUMNS; i++) {
        const enum fg_gpu_column column = (enum fg_gpu_column)i;
        for (uint32_t c = 0; (columns >> i & 1) != 0 && c < fg_gpu_trace_chunk_count(gpu, column);
             c++) {
            out_uses[count++] = (struct fg_compute_use){ .view = fg_gpu_trace_chunk(gpu, column, c),
                                                         .access = FG_COMPUTE_READ,
                                                         .stages = stages,
                                                         .accesses = VK_ACCESS_SHADER_READ_BIT };
        }
    }
    return count;
}
