/* SPDX-License-Identifier: MIT */
/*
 * What primitives take on a Vulkan device, beside what a copy takes: for each the time on the
 * device, the median of some runs after a warm-up, the bytes that must be moved at least, and how
 * many times longer that was than copying as many bytes. The first device that the loader has is
 * measured.
 *
 *     bench_compute [--rows N] [--repeats N] [--plain] [--halves] [--json]
 */
#include "compute_bed.h"

#include "base/clock.h"
#include "base/rank.h"
#include "engine/vulkan/primitives.h"
#include "kernels/noise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 101, WARM_UP = 2, WORDS = 8, NUMBERS = 3, FEW_KEYS = 64 };

struct bench {
    struct compute_bed bed;
    uint32_t rows;
    int repeats;
    VkQueryPool queries;
    struct fgi_gpu_column_memory numbers[NUMBERS]; /* 8 bytes a row; the first one is random */
    struct fgi_gpu_column_memory
        words[WORDS]; /* 4 bytes; 0 random, 1 rows, 2 and 3 few keys and flags */
    struct fgi_gpu_column_memory digits;
    struct fgi_gpu_column_memory nodes;
    struct fg_compute_memory sums;
    struct fg_compute_memory result;
};

struct noise_push {
    struct fgi_gpu_column_push target;
    uint32_t count, salt, limit;
};
static const struct fg_compute_kernel noise_kernel = { "noise", FGI_CODE_noise,
                                                       sizeof(struct noise_push), 0 };

static void must(enum fg_result result, const char *what)
{
    if (result != FG_OK) {
        fprintf(stderr, "bench_compute: %s: %s\n", what, fg_result_text(result));
        exit(EXIT_FAILURE);
    }
}

/* What is measured: each adds its nodes. */

typedef enum fg_result adder(struct bench *bench, const struct fgi_gpu_work *work);

static struct fgi_count all_of(const struct bench *bench)
{
    return (struct fgi_count){ .limit = bench->rows };
}

static enum fg_result add_copy(struct bench *bench, const struct fgi_gpu_work *work)
{
    const struct fgi_gpu_column *source = &bench->numbers[0].column;
    for (uint32_t i = 0; i < source->chunk_count; i++) {
        const enum fg_result result = fg_compute_sink_add(
            work->sink,
            FG_COMPUTE_NODE(.name = "copy", .kind = FG_COMPUTE_COPY, .source = source->chunks[i],
                            .target = bench->numbers[1].column.chunks[i]));
        if (result != FG_OK) {
            return result;
        }
    }
    return FG_OK;
}

static enum fg_result add_copy_kernel(struct bench *bench, const struct fgi_gpu_work *work)
{
    return fgi_gather(work, &bench->numbers[0].column, bench->rows, NULL, all_of(bench), 0,
                      &bench->numbers[1].column);
}

static enum fg_result add_scan(struct bench *bench, const struct fgi_gpu_work *work,
                               enum fgi_scan_kind kind)
{
    const bool is_narrow = kind == FGI_SCAN_SUM_U32;
    const struct fgi_scan scan = {
        .kind = kind,
        .source = is_narrow ? bench->words[0].column : bench->numbers[0].column,
        .target = is_narrow ? bench->words[4].column : bench->numbers[1].column,
        .count = all_of(bench),
        .sums = bench->sums.view,
    };
    return fgi_scan(work, &scan);
}
static enum fg_result add_scan_u32(struct bench *bench, const struct fgi_gpu_work *work)
{
    return add_scan(bench, work, FGI_SCAN_SUM_U32);
}
static enum fg_result add_scan_u64(struct bench *bench, const struct fgi_gpu_work *work)
{
    return add_scan(bench, work, FGI_SCAN_SUM_U64);
}
static enum fg_result add_scan_max(struct bench *bench, const struct fgi_gpu_work *work)
{
    return add_scan(bench, work, FGI_SCAN_MAX_U64);
}

static enum fg_result add_flags(struct bench *bench, const struct fgi_gpu_work *work)
{
    return fgi_mask_of_flags(work, &bench->words[3].column, all_of(bench), &bench->words[5].column);
}

static enum fg_result compact(struct bench *bench, const struct fgi_gpu_work *work,
                              const struct fgi_gpu_column *mask)
{
    const struct fgi_compact compaction = { .mask = *mask,
                                            .count = all_of(bench),
                                            .target = bench->words[4].column,
                                            .capacity = bench->rows,
                                            .total = bench->result.view,
                                            .sums = bench->sums.view };
    return fgi_compact(work, &compaction);
}
static enum fg_result add_compact(struct bench *bench, const struct fgi_gpu_work *work)
{
    return compact(bench, work, &bench->words[0].column);
}
static enum fg_result add_compact_flags(struct bench *bench, const struct fgi_gpu_work *work)
{
    const enum fg_result result = add_flags(bench, work);
    return result == FG_OK ? compact(bench, work, &bench->words[5].column) : result;
}

static enum fg_result add_reduce(struct bench *bench, const struct fgi_gpu_work *work)
{
    const struct fgi_reduce reduce = { .source = bench->numbers[0].column,
                                       .count = all_of(bench),
                                       .result = bench->result.view,
                                       .parts = bench->sums.view };
    return fgi_reduce(work, &reduce);
}

static enum fg_result add_count(struct bench *bench, const struct fgi_gpu_work *work, unsigned keys,
                                uint32_t key_count)
{
    const struct fgi_count_keys counting = { .keys = bench->words[keys].column,
                                             .count = all_of(bench),
                                             .counts = bench->words[4].column,
                                             .key_count = key_count };
    return fgi_count_keys(work, &counting);
}
static enum fg_result add_count_few(struct bench *bench, const struct fgi_gpu_work *work)
{
    return add_count(bench, work, 2, FEW_KEYS);
}
static enum fg_result add_count_rows(struct bench *bench, const struct fgi_gpu_work *work)
{
    return add_count(bench, work, 1, bench->rows);
}

static enum fg_result add_sort_u32(struct bench *bench, const struct fgi_gpu_work *work)
{
    const struct fgi_sort sort = { .key_bytes = 4,
                                   .key_bits = 32,
                                   .keys = bench->words[0].column,
                                   .count = all_of(bench),
                                   .out_keys = bench->words[4].column,
                                   .out_payload = bench->words[5].column,
                                   .spare_keys = { bench->words[6].column },
                                   .spare_payload = bench->words[7].column,
                                   .digits = bench->digits.column,
                                   .sums = bench->sums.view };
    return fgi_sort(work, &sort);
}
static enum fg_result add_sort_u64(struct bench *bench, const struct fgi_gpu_work *work)
{
    const struct fgi_sort sort = { .key_bytes = 8,
                                   .key_bits = 64,
                                   .keys = bench->numbers[0].column,
                                   .count = all_of(bench),
                                   .out_keys = bench->numbers[1].column,
                                   .out_payload = bench->words[5].column,
                                   .spare_keys = { bench->numbers[2].column },
                                   .spare_payload = bench->words[7].column,
                                   .digits = bench->digits.column,
                                   .sums = bench->sums.view };
    return fgi_sort(work, &sort);
}

static enum fg_result add_adjacency(struct bench *bench, const struct fgi_gpu_work *work)
{
    /* The list of neighbours takes the place of keys that are no longer needed. */
    const struct fgi_adjacency adjacency = {
        .ends = bench->words[1].column,
        .others = bench->words[0].column,
        .link_count = bench->rows,
        .row_count = bench->rows - 1,
        .offsets = bench->words[4].column,
        .links = bench->words[5].column,
        .neighbours = bench->words[6].column,
        .spare_keys = { bench->words[6].column, bench->words[3].column },
        .spare_payload = bench->words[7].column,
        .digits = bench->digits.column,
        .sums = bench->sums.view,
    };
    return fgi_adjacency(work, &adjacency);
}

static enum fg_result add_range_max(struct bench *bench, const struct fgi_gpu_work *work)
{
    const struct fgi_range_max tree = { .durations = bench->numbers[0].column,
                                        .rows = bench->words[0].column,
                                        .count = bench->rows,
                                        .nodes = bench->nodes.column };
    return fgi_range_max_build(work, &tree);
}

static enum fg_result add_gather(struct bench *bench, const struct fgi_gpu_work *work)
{
    return fgi_gather(work, &bench->numbers[0].column, bench->rows, &bench->words[1].column,
                      all_of(bench), 0, &bench->numbers[1].column);
}

/** In bits a row: what must be read and written. Of a sort, in each of its passes. */
static const struct {
    const char *name;
    adder *add;
    uint32_t row_bits;
    uint32_t key_bytes; /* of a sort */
} works[] = {
    { "copy", add_copy, 128, 0 },
    { "copy_kernel", add_copy_kernel, 128, 0 },
    { "scan_sum_u32", add_scan_u32, 64, 0 },
    { "scan_sum_u64", add_scan_u64, 128, 0 },
    { "scan_max_u64", add_scan_max, 128, 0 },
    { "mask_of_flags", add_flags, 33, 0 },
    { "compact_mask_half", add_compact, 17, 0 },
    { "compact_flags_half", add_compact_flags, 48, 0 },
    { "reduce_u64", add_reduce, 64, 0 },
    { "count_64_keys", add_count_few, 32, 0 },
    { "count_as_many_keys", add_count_rows, 64, 0 },
    { "gather_u64", add_gather, 160, 0 },
    { "range_max_build", add_range_max, 114, 0 },
    { "sort_u32", add_sort_u32, 128, 4 },
    { "sort_u64", add_sort_u64, 192, 8 },
    /* Last: it takes the flags' memory. */
    { "adjacency", add_adjacency, 160, 0 },
};
enum { WORK_COUNT = sizeof works / sizeof *works };

/* Measuring. */

static void run_graph(struct bench *bench, struct fg_compute_graph *graph, int64_t *out_ns)
{
    struct compute_bed *bed = &bench->bed;
    const struct fg_compute_facts *facts = fg_compute_get_facts(bed->compute);
    compute_bed_begin(bed->commands);
    vkCmdResetQueryPool(bed->commands, bench->queries, 0, 2);
    vkCmdWriteTimestamp(bed->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, bench->queries, 0);
    must(fg_compute_graph_encode(graph, bed->commands), "encode");
    vkCmdWriteTimestamp(bed->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, bench->queries, 1);
    compute_bed_end(bed->commands);
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    compute_bed_submit(bed, bed->commands);
    *out_ns = fgi_clock_monotonic_ns() - begin_ns;
    uint64_t ticks[2] = { 0, 0 };
    if (facts->timestamp_bits != 0 &&
        vkGetQueryPoolResults(bed->device, bench->queries, 0, 2, sizeof ticks, ticks,
                              sizeof ticks[0], VK_QUERY_RESULT_64_BIT) == VK_SUCCESS) {
        *out_ns = (int64_t)((double)(ticks[1] - ticks[0]) * (double)facts->timestamp_period_ns);
    }
}

/** Median of the runs of what one function adds. */
static int64_t measure(struct bench *bench, adder *add, int repeats)
{
    int64_t ns[MAX_REPEATS];
    struct fg_compute_graph *graph = NULL;
    must(fg_compute_graph_create(bench->bed.compute, NULL, &graph), "graph");
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const struct fgi_gpu_work work = { .compute = bench->bed.compute, .sink = &sink };
    must(add(bench, &work), "nodes");
    must(fg_compute_graph_compile(graph), "compile");
    for (int i = -WARM_UP; i < repeats; i++) {
        int64_t run_ns = 0;
        run_graph(bench, graph, &run_ns);
        if (i >= 0) {
            ns[i] = run_ns;
        }
    }
    fg_compute_graph_destroy(graph);
    return fgi_rank_ns(ns, (size_t)repeats, 50);
}

/* What it is done with. */

static struct fgi_gpu_column_memory take_column(struct bench *bench, uint64_t rows,
                                                uint32_t row_bytes)
{
    struct fgi_gpu_column_memory memory;
    must(fgi_gpu_column_take(bench->bed.compute, NULL, rows, row_bytes, 0, &memory), "a column");
    return memory;
}

/** As words, whatever its rows are. */
static void fill(struct bench *bench, const struct fgi_gpu_column_memory *memory, uint32_t words,
                 uint32_t limit)
{
    struct fg_compute_graph *graph = NULL;
    struct fgi_gpu_column column = memory->column;
    int64_t ns = 0;
    while (column.row_bytes > sizeof(uint32_t)) {
        column.row_bytes /= 2;
        column.shift++;
    }
    const struct noise_push push = { fgi_gpu_column_push(&column), words, words ^ limit, limit };
    must(fg_compute_graph_create(bench->bed.compute, NULL, &graph), "graph");
    must(fg_compute_graph_add(graph,
                              FG_COMPUTE_NODE(.name = "noise", .program.kernel = &noise_kernel,
                                              .group_count = words / 32 + 1, .push = &push)),
         "noise");
    must(fg_compute_graph_compile(graph), "compile");
    run_graph(bench, graph, &ns);
    fg_compute_graph_destroy(graph);
}

static void take_all(struct bench *bench)
{
    struct fg_compute *compute = bench->bed.compute;
    const uint32_t rows = bench->rows;
    const uint32_t limits[] = { 0, rows, FEW_KEYS, 2 };
    uint32_t digits = fgi_sort_digits(compute, rows, 8, 64);
    const uint32_t narrow_digits = fgi_sort_digits(compute, rows, 4, 32);
    digits = digits > narrow_digits ? digits : narrow_digits;
    uint64_t sums = fgi_scan_sums_bytes(compute, digits > rows ? digits : rows);
    const uint64_t parts = fgi_reduce_parts_bytes(compute, rows);
    sums = sums > parts ? sums : parts;
    for (int i = 0; i < NUMBERS; i++) {
        bench->numbers[i] = take_column(bench, rows, 8);
    }
    for (int i = 0; i < WORDS; i++) {
        bench->words[i] = take_column(bench, rows, 4);
    }
    bench->digits = take_column(bench, digits, 4);
    bench->nodes = take_column(bench, fgi_range_max_nodes(rows), 16);
    must(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, sums, &bench->sums), "sums");
    must(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, sizeof(struct fgi_reduction),
                                &bench->result),
         "a result");
    fill(bench, &bench->numbers[0], rows * 2, 0);
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        fill(bench, &bench->words[i], rows, limits[i]);
    }
}

static void free_all(struct bench *bench)
{
    struct fg_compute *compute = bench->bed.compute;
    for (int i = 0; i < NUMBERS; i++) {
        fgi_gpu_column_free(compute, &bench->numbers[i]);
    }
    for (int i = 0; i < WORDS; i++) {
        fgi_gpu_column_free(compute, &bench->words[i]);
    }
    fgi_gpu_column_free(compute, &bench->digits);
    fgi_gpu_column_free(compute, &bench->nodes);
    fg_compute_memory_free(compute, &bench->sums);
    fg_compute_memory_free(compute, &bench->result);
}

/* What is told. */

static void print_all(const struct bench *bench, const int64_t *ns, bool json)
{
    const struct fg_compute_facts *facts = fg_compute_get_facts(bench->bed.compute);
    /* A copy moves 16 bytes a row; the faster way is what a device can. */
    const int64_t copy_ns = ns[0] < ns[1] ? ns[0] : ns[1];
    const double copy_speed = 16.0 * bench->rows / (double)(copy_ns > 0 ? copy_ns : 1);
    if (json) {
        printf(
            "{\n  \"bench\": \"compute\", \"commit\": \"%s\", \"device\": \"%s\", \"rows\": %u,\n"
            "  \"repeats\": %d, \"warm_up\": %d, \"int64\": %s, \"subgroup\": %u,\n  \"works\": "
            "[\n",
            FG_COMMIT, facts->device_name, bench->rows, bench->repeats, WARM_UP,
            (facts->flags & FG_COMPUTE_INT64) != 0 ? "true" : "false", facts->subgroup_size);
    } else {
        printf("%s, %u rows, medians of %d\n%-20s %12s %10s %8s\n", facts->device_name, bench->rows,
               bench->repeats, "", "ms", "GB/s", "copies");
    }
    for (int i = 0; i < WORK_COUNT; i++) {
        const uint32_t key_bytes = works[i].key_bytes;
        const uint32_t passes =
            key_bytes == 0 ? 1 : fgi_sort_passes(bench->bed.compute, key_bytes, key_bytes * 8);
        const double bytes = (double)works[i].row_bits / 8 * bench->rows * passes;
        const double speed = bytes / (double)(ns[i] > 0 ? ns[i] : 1);
        if (json) {
            printf("    { \"name\": \"%s\", \"median_ns\": %" PRId64 ", \"passes\": %u, "
                   "\"bytes\": %.0f, \"gb_per_s\": %.2f, \"copies\": %.3f }%s\n",
                   works[i].name, ns[i], passes, bytes, speed, copy_speed / speed,
                   i + 1 < WORK_COUNT ? "," : "\n  ]\n}");
        } else {
            printf("%-20s %12.3f %10.2f %8.2f\n", works[i].name, (double)ns[i] / 1e6, speed,
                   copy_speed / speed);
        }
    }
}

static bool parse(struct bench *bench, int argc, char **argv, uint32_t *out_flags, bool *out_json)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            *out_json = true;
        } else if (strcmp(argv[i], "--plain") == 0) {
            *out_flags |= FG_COMPUTE_NO_SUBGROUP;
        } else if (strcmp(argv[i], "--halves") == 0) {
            *out_flags |= FG_COMPUTE_NO_INT64;
        } else if (strcmp(argv[i], "--rows") == 0 && i + 1 < argc) {
            bench->rows = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--repeats") == 0 && i + 1 < argc) {
            bench->repeats = atoi(argv[++i]);
        } else {
            return false;
        }
    }
    return bench->repeats > 0 && bench->repeats <= MAX_REPEATS &&
           bench->rows <= FGI_GPU_COLUMN_MAX_ROWS / 2;
}

int main(int argc, char **argv)
{
    static struct bench bench = { .repeats = 5 };
    uint32_t flags = COMPUTE_BED_UNWATCHED;
    bool json = false;
    if (!parse(&bench, argc, argv, &flags, &json)) {
        fprintf(stderr,
                "usage: bench_compute [--rows N] [--repeats N] [--plain] [--halves] [--json]\n");
        return EXIT_FAILURE;
    }
    if (!compute_bed_create(&bench.bed, flags)) {
        return EXIT_FAILURE;
    }
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(bench.bed.physical, &properties);
    if (bench.rows == 0) {
        bench.rows = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? 1 << 20 : 25000000;
    }
    const VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = 2 };
    if (vkCreateQueryPool(bench.bed.device, &info, NULL, &bench.queries) != VK_SUCCESS) {
        return EXIT_FAILURE;
    }
    take_all(&bench);
    int64_t ns[WORK_COUNT];
    for (int i = 0; i < WORK_COUNT; i++) {
        ns[i] = measure(&bench, works[i].add, bench.repeats);
    }
    print_all(&bench, ns, json);
    free_all(&bench);
    vkDestroyQueryPool(bench.bed.device, bench.queries, NULL);
    compute_bed_destroy(&bench.bed);
    return EXIT_SUCCESS;
}
