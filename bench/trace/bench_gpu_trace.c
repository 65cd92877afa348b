/* SPDX-License-Identifier: MIT */
/*
 * What questions about a trace take on a Vulkan device, beside the CPU's engine over the same trace
 * (that of `frameglass bench --reference`): wall time and time on the device, medians and 95th
 * percentiles after the first answer, the least bytes that must be moved, and how many times longer
 * it was than copying these. Times of a peer are recorded ones, of the same device model and size
 * but another day (25 M spans and dependencies); they are not compared at other sizes.
 *
 *     bench_gpu_trace [--spans N] [--dependencies N] [--repeats N] [--no-cpu] [--only TEXT]
 * [--json]
 */
#include "gpu_trace_bench.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/rank.h"
#include "cli/reference_trace.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 101, LEAST_REPEATS = 3, DEFAULT_REPEATS = 15, PEER_SPANS = 25000000 };
/* One operation is repeated no longer than this once there are LEAST_REPEATS. */
#define MOST_NS INT64_C(1500000000)

struct options {
    uint32_t spans, dependencies, copies;
    int repeats;
    bool is_json, has_cpu, has_kernels;
    const char *only;
};

/* What was measured of one entry on one side. */
struct measured {
    enum fg_result result;
    uint64_t answer;
    int64_t first_ns, median_ns, p95_ns, device_ns;
    uint64_t read_bytes, write_bytes; /* that nodes say they touch */
    uint32_t submissions;
    bool is_own; /* the engine itself answered */
};

static void must(enum fg_result result, const char *what)
{
    if (result != FG_OK) {
        fprintf(stderr, "bench_gpu_trace: %s: %s\n", what, fg_result_text(result));
        exit(EXIT_FAILURE);
    }
}

/* ---- what is asked about --------------------------------------------------------------------- */

static enum fg_result make_host(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, trace, out_engine);
}

static void make_trace(struct bench *bench, const struct options *options)
{
    must(fgi_reference_trace(NULL, options->spans, options->dependencies, options->copies,
                             &bench->trace),
         "the trace");
    fg_trace_get_info(bench->trace, &bench->info);
    const size_t lanes = bench->info.lanes, processes = bench->info.processes;
    bench->targets = fgi_calloc(NULL, lanes + processes, sizeof *bench->targets);
    bench->places = fgi_calloc(NULL, lanes, sizeof *bench->places);
    must(bench->targets && bench->places ? FG_OK : FG_ERR_NO_MEMORY, "targets");
    for (uint32_t i = 0; i < lanes + processes; i++) {
        const bool is_lane = i < lanes;
        bench->targets[i] = (struct fg_view_target){
            .kind = is_lane ? FG_VIEW_LANE : FG_VIEW_PROCESS,
            .previous_mode = FG_VIEW_NONE,
            .index = is_lane ? i : i - (uint32_t)lanes,
        };
        if (is_lane) {
            bench->places[i] = (struct fg_link_place){ .index = i, .y = (int32_t)i * 16 + 8 };
        }
    }
}

/* An engine with its first answer: columns and populations are where they are asked. */
static void open_side(struct bench *bench, struct bench_side *side, const char *name)
{
    const struct fg_filter_terms failed = { .status_mask = 1u << FG_SPAN_ERROR };
    const struct fgi_engine_vulkan_options options = { .runner = bench->runner,
                                                       .make_host = make_host };
    uint32_t rows = 0;
    side->name = name;
    must(side == &bench->cpu ? fgi_engine_cpu_create(NULL, bench->trace, &side->engine)
                             : fgi_engine_vulkan_create(&options, bench->trace, &side->engine),
         name);
    must(fg_query_create(side->engine, NULL, NULL, NULL, &side->query), name);
    must(fg_query_filter_create(side->query, &failed, &side->errors, &rows), "a filter");
}

static void close_side(struct bench_side *side)
{
    fg_query_destroy(side->query);
    fgi_engine_destroy(side->engine);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static struct measured measure(struct bench *bench, struct bench_side *side,
                               const struct bench_operation *operation, int repeats)
{
    int64_t wall_ns[MAX_REPEATS], device_ns[MAX_REPEATS], sum_ns = 0;
    struct measured m = { .result = FG_OK };
    struct fg_engine_info before, after;
    int count = 0;
    bench_wake(bench);
    fg_engine_get_info(side->engine, &before);
    for (int i = -1; i < repeats && (count < LEAST_REPEATS || sum_ns < MOST_NS); i++) {
        fg_query_reset(side->query);
        bench_forget(bench, false);
        const int64_t begin_ns = fgi_clock_monotonic_ns();
        uint64_t answer;
        bench->turn = (unsigned)(i + 1);
        m.result = operation->ask(bench, side, i < 0 ? &m.answer : &answer);
        const int64_t taken_ns = fgi_clock_monotonic_ns() - begin_ns;
        if (m.result != FG_OK) {
            return m;
        }
        if (i < 0) {
            m.first_ns = taken_ns;
        } else {
            wall_ns[count] = taken_ns;
            device_ns[count++] = bench->device_ns;
            sum_ns += taken_ns;
        }
    }
    fg_engine_get_info(side->engine, &after);
    m.is_own = after.other_questions == before.other_questions && after.reason == NULL;
    m.submissions = bench->submissions;
    m.read_bytes = bench->read_bytes;
    m.write_bytes = bench->write_bytes;
    m.median_ns = fgi_rank_ns(wall_ns, (size_t)count, 50);
    m.p95_ns = fgi_rank_ns(wall_ns, (size_t)count, 95);
    m.device_ns = fgi_rank_ns(device_ns, (size_t)count, 50);
    return m;
}

/* Nodes on the device: encoded once more for each run, as a view is. */
static struct measured measure_nodes(struct bench *bench, const struct bench_nodes *nodes,
                                     int repeats, bool has_kernels)
{
    int64_t wall_ns[MAX_REPEATS], device_ns[MAX_REPEATS];
    struct measured m = { .is_own = true };
    struct fg_compute_graph *graph = NULL;
    m.result = fg_compute_graph_create(bench->bed.compute, NULL, &graph);
    m.result = m.result == FG_OK ? nodes->add(bench, graph) : m.result;
    m.result = m.result == FG_OK ? fg_compute_graph_compile(graph) : m.result;
    bench_wake(bench);
    for (int i = -1; i < repeats + has_kernels && m.result == FG_OK; i++) {
        VkCommandBuffer commands;
        bench_forget(bench, has_kernels && i == repeats);
        const int64_t begin_ns = fgi_clock_monotonic_ns();
        (void)bench_begin(bench, &commands);
        m.result = fg_compute_graph_encode(graph, commands);
        (void)bench_submit(bench);
        (void)bench_wait(bench);
        m.first_ns = fgi_clock_monotonic_ns() - begin_ns;
        if (i >= 0 && i < repeats) {
            wall_ns[i] = m.first_ns;
            device_ns[i] = bench->device_ns;
            m.read_bytes = bench->read_bytes;
            m.write_bytes = bench->write_bytes;
        }
    }
    if (m.result == FG_OK) {
        m.submissions = 1;
        m.median_ns = fgi_rank_ns(wall_ns, (size_t)repeats, 50);
        m.p95_ns = fgi_rank_ns(wall_ns, (size_t)repeats, 95);
        m.device_ns = fgi_rank_ns(device_ns, (size_t)repeats, 50);
    }
    fg_compute_graph_destroy(graph);
    nodes->end(bench);
    return m;
}

/* ---- telling --------------------------------------------------------------------------------- */

struct telling {
    bool is_json, is_first;
    double copy_speed; /* bytes a nanosecond; 0: not known */
    bool has_peer;
    struct measured cpu; /* median_ns 0: not measured */
};

static void tell_json(struct telling *t, const char *name, const struct measured *m, double bytes,
                      double copies, double peer_ms, const char *peer)
{
    printf("%s\n    { \"name\": \"%s\", \"result\": \"%s\", \"own\": %s, \"first_ns\": %" PRId64
           ", \"median_ns\": %" PRId64 ", \"p95_ns\": %" PRId64 ", \"device_ns\": %" PRId64
           ", \"submissions\": %u, \"read_bytes\": %" PRIu64 ", \"write_bytes\": %" PRIu64
           ", \"least_bytes\": %.0f, \"copies\": %.3f",
           t->is_first ? "" : ",", name, fg_result_name(m->result), m->is_own ? "true" : "false",
           m->first_ns, m->median_ns, m->p95_ns, m->device_ns, m->submissions, m->read_bytes,
           m->write_bytes, bytes, copies);
    if (t->cpu.median_ns > 0) {
        printf(", \"cpu_median_ns\": %" PRId64 ", \"cpu_p95_ns\": %" PRId64 ", \"agrees\": %s",
               t->cpu.median_ns, t->cpu.p95_ns, t->cpu.answer == m->answer ? "true" : "false");
    }
    if (peer_ms > 0 && t->has_peer) {
        printf(", \"recorded_peer\": \"%s\", \"recorded_peer_ms\": %.3f", peer, peer_ms);
    }
    printf(" }");
    t->is_first = false;
}

static void print_number(bool is_known, int width, int decimals, double number)
{
    if (is_known) {
        printf(" %*.*f", width, decimals, number);
    } else {
        printf(" %*s", width, "");
    }
}

static void tell(struct telling *t, const char *name, const struct measured *m, double bytes,
                 double peer_ms, const char *peer)
{
    const double floor_ns = t->copy_speed > 0 ? bytes / t->copy_speed : 0;
    const double copies = floor_ns > 0 ? (double)m->device_ns / floor_ns : 0;
    const double wall_ms = (double)m->median_ns / 1e6;
    if (t->is_json) {
        tell_json(t, name, m, bytes, copies, peer_ms, peer);
        return;
    }
    if (m->result != FG_OK) {
        printf("%-30s %s\n", name, fg_result_text(m->result));
        return;
    }
    printf("%-30s %10.3f %10.3f %10.3f %5u", name, wall_ms, (double)m->p95_ns / 1e6,
           (double)m->device_ns / 1e6, m->submissions);
    print_number(copies > 0, 8, 2, copies);
    print_number(t->cpu.median_ns > 0, 10, 3, (double)t->cpu.median_ns / 1e6);
    if (peer_ms > 0 && t->has_peer) {
        printf(" %9.1fx", peer_ms / wall_ms);
    }
    printf("%s%s\n", m->is_own ? "" : "  by the host",
           t->cpu.median_ns > 0 && t->cpu.answer != m->answer ? "  DIFFERS" : "");
}

static int compare_kernels(const void *a, const void *b)
{
    const struct bench_kernel *one = a, *other = b;
    return (other->device_ns > one->device_ns) - (other->device_ns < one->device_ns);
}

/* What was seen of nodes, the slowest first; they follow the entry in the table. */
static void tell_kernels(struct bench *bench)
{
    qsort(bench->kernels, bench->kernel_count, sizeof *bench->kernels, compare_kernels);
    for (uint32_t i = 0; i < bench->kernel_count; i++) {
        const struct bench_kernel *kernel = &bench->kernels[i];
        printf("  %-44s %10.3f ms %5u x %10.1f MB %8.1f GB/s\n", kernel->name,
               (double)kernel->device_ns / 1e6, kernel->runs, (double)kernel->bytes / 1e6,
               kernel->device_ns > 0 ? (double)kernel->bytes / (double)kernel->device_ns : 0);
    }
    bench_forget(bench, false);
}

static void tell_head(const struct bench *bench, const struct options *options, int64_t made_ns)
{
    const struct fg_compute_facts *facts = fg_compute_get_facts(bench->bed.compute);
    struct fg_compute_counts counts;
    fg_compute_get_counts(bench->bed.compute, &counts);
    if (options->is_json) {
        printf("{\n  \"bench\": \"gpu_trace\", \"commit\": \"%s\", \"device\": \"%s\", "
               "\"spans\": %" PRIu64 ", \"dependencies\": %" PRIu64 ", \"lanes\": %" PRIu64
               ",\n  \"width_px\": %d, \"repeats\": %d, \"made_ns\": %" PRId64
               ", \"used_bytes\": %" PRIu64 ", \"int64\": %s, \"subgroup\": %u,\n  \"entries\": [",
               FG_COMMIT, facts->device_name, bench->info.spans, bench->info.dependencies,
               bench->info.lanes, WIDTH_PX, options->repeats, made_ns, counts.used_bytes,
               (facts->flags & FG_COMPUTE_INT64) != 0 ? "true" : "false", facts->subgroup_size);
        return;
    }
    printf("%s, %" PRIu64 " spans, %" PRIu64 " dependencies, made in %.1f s; %.1f MB used there\n"
           "%-30s %10s %10s %10s %5s %8s %10s %10s\n",
           facts->device_name, bench->info.spans, bench->info.dependencies, (double)made_ns / 1e9,
           (double)counts.used_bytes / 1e6, "", "wall ms", "p95 ms", "device ms", "runs", "copies",
           "CPU ms", "recorded");
}

/* The floor is what the faster of the copies does, on a device that is awake. */
static void measure_floor(struct bench *bench, const struct options *options, struct telling *t)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct bench_nodes *nodes = &bench_nodes[i];
        const struct measured m = measure_nodes(bench, nodes, options->repeats, false);
        const double bytes = nodes->row_bytes * (double)bench->info.spans;
        const double speed = m.device_ns > 0 ? bytes / (double)m.device_ns : 0;
        t->copy_speed = speed > t->copy_speed ? speed : t->copy_speed;
        tell(t, nodes->name, &m, bytes, 0, NULL);
    }
}

static void run(struct bench *bench, const struct options *options, struct telling *t)
{
    const double rows = (double)bench->info.spans;
    t->has_peer = bench->info.spans == PEER_SPANS;
    measure_floor(bench, options, t);
    for (unsigned i = 2; i < bench_nodes_count; i++) {
        const struct bench_nodes *nodes = &bench_nodes[i];
        if (options->only != NULL && strstr(nodes->name, options->only) == NULL) {
            continue;
        }
        const struct measured m =
            measure_nodes(bench, nodes, options->repeats, options->has_kernels);
        tell(t, nodes->name, &m, nodes->row_bytes * rows, nodes->peer_ms, nodes->peer);
        tell_kernels(bench);
        fflush(stdout);
    }
    for (unsigned i = 0; i < bench_operation_count; i++) {
        const struct bench_operation *operation = &bench_operations[i];
        if (options->only != NULL && strstr(operation->name, options->only) == NULL) {
            continue;
        }
        const struct measured m = measure(bench, &bench->vulkan, operation, options->repeats);
        if (options->has_cpu) {
            t->cpu = measure(bench, &bench->cpu, operation, options->repeats);
        }
        tell(t, operation->name, &m,
             operation->row_bytes * rows + operation->output_bytes * (double)m.answer,
             operation->peer_ms, operation->peer);
        t->cpu = (struct measured){ 0 };
        if (options->has_kernels) {
            uint64_t answer;
            fg_query_reset(bench->vulkan.query);
            bench_forget(bench, true);
            bench->turn++;
            must(operation->ask(bench, &bench->vulkan, &answer), operation->name);
            tell_kernels(bench);
        }
        fflush(stdout);
    }
    measure_floor(bench, options, t);
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool parse(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--json") == 0) {
            options->is_json = true;
        } else if (strcmp(argv[i], "--no-cpu") == 0) {
            options->has_cpu = false;
        } else if (strcmp(argv[i], "--kernels") == 0) {
            options->has_kernels = true;
        } else if (value == NULL) {
            return false;
        } else if (strcmp(argv[i], "--spans") == 0) {
            options->spans = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--dependencies") == 0) {
            options->dependencies = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--copies") == 0) {
            options->copies = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--repeats") == 0) {
            options->repeats = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--only") == 0) {
            options->only = argv[++i];
        } else {
            return false;
        }
    }
    options->has_kernels = options->has_kernels && !options->is_json;
    return options->repeats >= LEAST_REPEATS && options->repeats <= MAX_REPEATS &&
           options->copies > 0 && (uint64_t)options->spans * options->copies <= INT32_MAX;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct options options = {
        .repeats = DEFAULT_REPEATS, .has_cpu = true, .dependencies = UINT32_MAX, .copies = 1
    };
    struct telling telling = { .is_first = true };
    if (!parse(&options, argc, argv)) {
        fputs("usage: bench_gpu_trace [--spans N] [--dependencies N] [--copies N] [--repeats N] "
              "[--no-cpu] "
              "[--only TEXT] [--json|--kernels]\n",
              stderr);
        return EXIT_FAILURE;
    }
    if (!bench_open_device(&bench)) {
        return EXIT_FAILURE;
    }
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(bench.bed.physical, &properties);
    if (options.spans == 0) {
        options.spans = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? 100000 : PEER_SPANS;
    }
    telling.is_json = options.is_json;
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    make_trace(&bench, &options);
    const int64_t made_ns = fgi_clock_monotonic_ns() - begin_ns;
    if (options.has_cpu) {
        open_side(&bench, &bench.cpu, "cpu");
    }
    open_side(&bench, &bench.vulkan, "vulkan");
    struct fg_gpu_population *all = NULL;
    must(fgi_gpu_population_of(fgi_vulkan(bench.vulkan.engine), 0, &all), "lanes in order");
    must(bench_prepare_wake(&bench), "what wakes the device");
    tell_head(&bench, &options, made_ns);
    run(&bench, &options, &telling);
    fputs(options.is_json ? "\n  ]\n}\n" : "", stdout);
    bench_end_wake(&bench);
    close_side(&bench.vulkan);
    close_side(&bench.cpu);
    fgi_free(NULL, bench.targets,
             (size_t)(bench.info.lanes + bench.info.processes) * sizeof *bench.targets);
    fgi_free(NULL, bench.places, bench.info.lanes * sizeof *bench.places);
    fgi_trace_destroy(bench.trace);
    vkDestroyQueryPool(bench.bed.device, bench.queries, NULL);
    compute_bed_destroy(&bench.bed);
    return EXIT_SUCCESS;
}
