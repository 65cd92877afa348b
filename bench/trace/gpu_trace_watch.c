/* SPDX-License-Identifier: MIT */
/* The device that is measured: times around each submission and, where wanted, each node. */
#include "gpu_trace_bench.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

/* All nodes of that name so far; the last place is for what has no other. */
static uint32_t find_kernel(struct bench *bench, const char *name)
{
    uint32_t i = 0;
    while (i < bench->kernel_count && strncmp(bench->kernels[i].name, name, KERNEL_NAME - 1) != 0) {
        i++;
    }
    if (i == bench->kernel_count && i < KERNELS_MAX - 1) {
        snprintf(bench->kernels[i].name, KERNEL_NAME, "%s", name);
        bench->kernel_count++;
    }
    return i;
}

static void node_begin(void *context, VkCommandBuffer commands, const struct fg_compute_node *node,
                       const struct fg_compute_workload *workload)
{
    struct bench *bench = context;
    bench->read_bytes += workload->read_bytes;
    bench->write_bytes += workload->write_bytes;
    if (bench->sees_nodes && bench->node_count < NODES_MAX) {
        const uint32_t kernel = find_kernel(bench, node->name != NULL ? node->name : "");
        bench->kernels[kernel].bytes += workload->read_bytes + workload->write_bytes;
        bench->node_kernels[bench->node_count] = kernel;
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, bench->queries,
                            2 + 2 * bench->node_count);
    }
}

static void node_end(void *context, VkCommandBuffer commands, const struct fg_compute_node *node)
{
    struct bench *bench = context;
    (void)node;
    if (bench->sees_nodes && bench->node_count < NODES_MAX) {
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, bench->queries,
                            3 + 2 * bench->node_count);
        bench->node_count++;
    }
}

enum fg_result bench_begin(void *context, VkCommandBuffer *out_commands)
{
    struct bench *bench = context;
    *out_commands = bench->bed.commands;
    bench->node_count = 0;
    compute_bed_begin(*out_commands);
    vkCmdResetQueryPool(*out_commands, bench->queries, 0,
                        bench->sees_nodes ? 2 + 2 * NODES_MAX : 2);
    vkCmdWriteTimestamp(*out_commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, bench->queries, 0);
    return FG_OK;
}

enum fg_result bench_submit(void *context)
{
    struct bench *bench = context;
    vkCmdWriteTimestamp(bench->bed.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, bench->queries, 1);
    compute_bed_end(bench->bed.commands);
    return FG_OK;
}

/* Between two timestamps that follow each other. */
static int64_t read_ns(const struct bench *bench, uint32_t first)
{
    const struct fg_compute_facts *facts = fg_compute_get_facts(bench->bed.compute);
    uint64_t ticks[2] = { 0, 0 };
    if (facts->timestamp_bits == 0 ||
        vkGetQueryPoolResults(bench->bed.device, bench->queries, first, 2, sizeof ticks, ticks,
                              sizeof ticks[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS) {
        return 0;
    }
    return (int64_t)((double)(ticks[1] - ticks[0]) * (double)facts->timestamp_period_ns);
}

enum fg_result bench_wait(void *context)
{
    struct bench *bench = context;
    compute_bed_submit(&bench->bed, bench->bed.commands);
    bench->submissions++;
    bench->device_ns += read_ns(bench, 0);
    for (uint32_t i = 0; i < bench->node_count; i++) {
        struct bench_kernel *kernel = &bench->kernels[bench->node_kernels[i]];
        kernel->device_ns += read_ns(bench, 2 + 2 * i);
        kernel->runs++;
    }
    return FG_OK;
}

void bench_forget(struct bench *bench, bool sees_nodes)
{
    bench->device_ns = 0;
    bench->submissions = 0;
    bench->read_bytes = bench->write_bytes = 0;
    bench->sees_nodes = sees_nodes;
    memset(bench->kernels, 0, sizeof bench->kernels);
    bench->kernel_count = 0;
}

bool bench_open_device(struct bench *bench)
{
    if (!compute_bed_create(&bench->bed, COMPUTE_BED_UNWATCHED)) {
        return false;
    }
    const VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = 2 + 2 * NODES_MAX };
    const struct fg_compute_listener listener = { .node_begin = node_begin,
                                                  .node_end = node_end,
                                                  .context = bench };
    fg_compute_set_listener(bench->bed.compute, &listener);
    bench->runner = (struct fg_compute_runner){ .compute = bench->bed.compute,
                                                .context = bench,
                                                .begin = bench_begin,
                                                .submit = bench_submit,
                                                .wait = bench_wait };
    return vkCreateQueryPool(bench->bed.device, &info, NULL, &bench->queries) == VK_SUCCESS;
}

/* ---- keeping the device awake ---------------------------------------------------------------- */

/* Long enough for clocks to rise; a software device has none. */
#define AWAKE_NS INT64_C(100000000)

enum fg_result bench_prepare_wake(struct bench *bench)
{
    const struct fg_gpu_trace *gpu = fgi_vulkan(bench->vulkan.engine)->gpu;
    const uint32_t rows = (uint32_t)bench->info.spans;
    enum fg_result result =
        fgi_gpu_column_take(bench->bed.compute, NULL, rows, 8, 0, &bench->wake_memory);
    result =
        result == FG_OK ? fg_compute_graph_create(bench->bed.compute, NULL, &bench->wake) : result;
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(bench->wake);
        const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, &sink);
        result = fgi_gather(&work, fgi_gpu_column(gpu, FG_GPU_COLUMN_START), rows, NULL,
                            (struct fgi_count){ .limit = rows }, 0, &bench->wake_memory.column);
    }
    return result == FG_OK ? fg_compute_graph_compile(bench->wake) : result;
}

void bench_wake(struct bench *bench)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(bench->bed.physical, &properties);
    const bool has_clocks = properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
    const int64_t end_ns = fgi_clock_monotonic_ns() + (has_clocks ? AWAKE_NS : 0);
    enum fg_result result = FG_OK;
    do {
        compute_bed_begin(bench->bed.commands);
        for (int i = 0; i < 8 && result == FG_OK; i++) {
            result = fg_compute_graph_encode(bench->wake, bench->bed.commands);
        }
        compute_bed_end(bench->bed.commands);
        compute_bed_submit(&bench->bed, bench->bed.commands);
    } while (result == FG_OK && fgi_clock_monotonic_ns() < end_ns);
}

void bench_end_wake(struct bench *bench)
{
    fg_compute_graph_destroy(bench->wake);
    fgi_gpu_column_free(bench->bed.compute, &bench->wake_memory);
}
