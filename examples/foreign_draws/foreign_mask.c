/* SPDX-License-Identifier: MIT */
#include "foreign_mask.h"

#include "shaders/quarter.comp.h" /* made by the build */

enum { ROWS_OF_GROUP = 64 * 32, GROUPS_AT_MOST = 65535 };

bool foreign_mask_create(struct foreign_device *device, const struct fg_gpu_trace *gpu,
                         const struct fg_compute_memory *table, struct foreign_mask *out_mask)
{
    struct fg_gpu_trace_counts counts;
    fg_gpu_trace_get_counts(gpu, &counts);
    const uint64_t words = ((uint64_t)counts.rows + 31) / 32;
    if (!foreign_ok(fg_compute_memory_take(device->compute, FG_COMPUTE_DEVICE,
                                           words * sizeof(uint32_t), &out_mask->bits),
                    "memory of a mask")) {
        return false;
    }
    out_mask->push.table = table->view.address;
    out_mask->push.mask = out_mask->bits.view.address;
    out_mask->push.row_count = counts.rows;
    return foreign_pipeline_compute(device, foreign_quarter_comp, sizeof foreign_quarter_comp,
                                    sizeof out_mask->push, &out_mask->pipeline);
}

static void encode(void *context, VkCommandBuffer commands)
{
    const struct foreign_mask *mask = context;
    const uint32_t groups = (mask->push.row_count - 1) / ROWS_OF_GROUP + 1;
    const uint32_t width = groups < GROUPS_AT_MOST ? groups : GROUPS_AT_MOST;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, mask->pipeline.pipeline);
    vkCmdPushConstants(commands, mask->pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof mask->push, &mask->push);
    vkCmdDispatch(commands, width, (groups + width - 1) / width, 1);
}

enum fg_result foreign_mask_add(struct foreign_mask *mask, const struct fg_gpu_trace *gpu,
                                struct foreign_nodes *nodes)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(nodes);
    struct fg_compute_use uses[FOREIGN_COLUMN_USES + 1];
    uint32_t count = foreign_columns_use(
        gpu, 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END | 1u << FG_GPU_COLUMN_PARENT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, uses);
    uses[count++] = (struct fg_compute_use){ .view = mask->bits.view, .access = FG_COMPUTE_WRITE };
    return fg_compute_sink_add(
        &sink, FG_COMPUTE_NODE(.name = "a quarter of the parent", .kind = FG_COMPUTE_CALL,
                               .call = encode, .context = mask, .uses = uses, .use_count = count));
}

void foreign_mask_destroy(struct foreign_device *device, struct foreign_mask *mask)
{
    if (mask->bits.view.size_bytes > 0) {
        fg_compute_memory_free(device->compute, &mask->bits);
    }
    foreign_pipeline_destroy(device, &mask->pipeline);
}
