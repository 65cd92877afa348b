/* SPDX-License-Identifier: MIT */
/* Where the renderer's shaders find the columns of a trace: shaders/columns.glsl. */
#ifndef FOREIGN_COLUMNS_H
#define FOREIGN_COLUMNS_H
#include "foreign_device.h"

#include <frameglass/gpu_trace.h>

enum { FOREIGN_COLUMNS = 5, FOREIGN_CHUNKS = 64 };
enum { FOREIGN_COLUMN_USES = FOREIGN_COLUMNS * FOREIGN_CHUNKS };

/** A table of addresses, in memory of Frameglass's; fg_compute_memory_free(). */
bool foreign_columns_create(struct foreign_device *device, const struct fg_gpu_trace *gpu,
                            struct fg_compute_memory *out_table);
/** Say that a node reads these columns (bits 1 << enum fg_gpu_column); returns how many uses. */
uint32_t foreign_columns_use(const struct fg_gpu_trace *gpu, uint32_t columns,
                             VkPipelineStageFlags stages, struct fg_compute_use *out_uses);

#endif
