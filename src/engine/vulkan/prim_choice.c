/* SPDX-License-Identifier: MIT */
/* Variants of kernels and sizes of groups, by measured time. */
#include "base/clock.h"
#include "engine/vulkan/primitives.h"
#include <frameglass/compute_choice.h>

enum { DEFAULT_ROWS = 1 << 20, REPEATS = 3, RUNS = 3, KEY_BITS = 40 };

/* Columns of a trial, and what is run over them. */
struct trial {
    struct fg_compute *compute;
    const struct fg_compute_runner *runner;
    uint32_t rows;
    struct fg_compute_memory random; /* host memory: keys */
    struct fgi_gpu_column_memory keys, sums, spare[2], order, spare_order, digits;
    struct fg_compute_memory scratch, result;
    struct fg_compute_graph *graph;
};

static enum fg_result take(struct trial *t)
{
    const uint32_t digits = fgi_sort_digits(t->compute, t->rows, 8, KEY_BITS);
    uint64_t scratch = fgi_scan_sums_bytes(t->compute, digits > t->rows ? digits : t->rows);
    const uint64_t others[] = { fgi_compact_sums_bytes(t->compute, t->rows),
                                fgi_reduce_parts_bytes(t->compute, t->rows) };
    for (int i = 0; i < 2; i++) {
        scratch = others[i] > scratch ? others[i] : scratch;
    }
    struct fgi_gpu_column_memory *const wide[] = { &t->keys, &t->sums, &t->spare[0], &t->spare[1] };
    struct fgi_gpu_column_memory *const narrow[] = { &t->order, &t->spare_order };
    enum fg_result result =
        fg_compute_memory_take(t->compute, FG_COMPUTE_UPLOAD, (uint64_t)t->rows * 8, &t->random);
    for (size_t i = 0; result == FG_OK && i < sizeof wide / sizeof *wide; i++) {
        result = fgi_gpu_column_take(t->compute, NULL, t->rows, 8, 0, wide[i]);
    }
    for (size_t i = 0; result == FG_OK && i < sizeof narrow / sizeof *narrow; i++) {
        result = fgi_gpu_column_take(t->compute, NULL, t->rows, 4, 0, narrow[i]);
    }
    result =
        result == FG_OK ? fgi_gpu_column_take(t->compute, NULL, digits, 4, 0, &t->digits) : result;
    result = result == FG_OK ? fg_compute_memory_take(t->compute, FG_COMPUTE_DEVICE,
                                                      scratch > 64 ? scratch : 64, &t->scratch)
                             : result;
    return result == FG_OK ? fg_compute_memory_take(t->compute, FG_COMPUTE_DEVICE,
                                                    sizeof(struct fgi_reduction), &t->result)
                           : result;
}

static void make_random(const struct trial *t)
{
    uint64_t *keys = t->random.host;
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < t->rows; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        keys[i] = state >> (64 - KEY_BITS);
    }
}

static enum fg_result add_copy(struct trial *t)
{
    uint64_t at = 0;
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; result == FG_OK && i < t->keys.column.chunk_count; i++) {
        struct fg_compute_view target = t->keys.column.chunks[i];
        const uint64_t left = (uint64_t)t->rows * 8 - at;
        target =
            fg_compute_view_part(target, 0, target.size_bytes < left ? target.size_bytes : left);
        result = fg_compute_graph_add(
            t->graph,
            FG_COMPUTE_NODE(.name = "keys", .kind = FG_COMPUTE_COPY,
                            .source = fg_compute_view_part(t->random.view, at, target.size_bytes),
                            .target = target));
        at += target.size_bytes;
    }
    return result;
}

/* What trace operations spend their time with. */
static enum fg_result add_work(struct trial *t)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(t->graph);
    const struct fgi_gpu_work work = { .compute = t->compute, .sink = &sink };
    const struct fgi_count count = { .limit = t->rows };
    const struct fgi_sort sort = {
        .key_bytes = 8,
        .key_bits = KEY_BITS,
        .keys = t->keys.column,
        .count = count,
        .out_payload = t->order.column,
        .spare_keys = { t->spare[0].column, t->spare[1].column },
        .spare_payload = t->spare_order.column,
        .digits = t->digits.column,
        .sums = t->scratch.view,
    };
    const struct fgi_scan sum = { .kind = FGI_SCAN_SUM_U64,
                                  .source = t->keys.column,
                                  .target = t->sums.column,
                                  .count = count,
                                  .sums = t->scratch.view };
    struct fgi_scan most = sum;
    most.kind = FGI_SCAN_MAX_U64;
    /* The words of the random keys as a mask: as many bits as there are rows, of far more. */
    const struct fgi_compact compact = { .mask = { .chunks = t->keys.column.chunks,
                                                   .chunk_count = t->keys.column.chunk_count,
                                                   .row_bytes = 4,
                                                   .shift = t->keys.column.shift + 1,
                                                   .table = t->keys.column.table },
                                         .count = count,
                                         .target = t->order.column,
                                         .capacity = t->rows,
                                         .sums = t->scratch.view };
    const struct fgi_reduce reduce = {
        .source = t->keys.column, .count = count, .result = t->result.view, .parts = t->scratch.view
    };
    enum fg_result result = FG_OK;
    for (int i = 0; result == FG_OK && i < REPEATS; i++) {
        result = fgi_sort(&work, &sort);
        result = result == FG_OK ? fgi_scan(&work, &sum) : result;
        result = result == FG_OK ? fgi_scan(&work, &most) : result;
        result = result == FG_OK ? fgi_compact(&work, &compact) : result;
        result = result == FG_OK ? fgi_reduce(&work, &reduce) : result;
    }
    return result;
}

static enum fg_result run(const struct trial *t)
{
    VkCommandBuffer commands = VK_NULL_HANDLE;
    enum fg_result result = t->runner->begin(t->runner->context, &commands);
    result = result == FG_OK ? fg_compute_graph_encode(t->graph, commands) : result;
    result = result == FG_OK ? t->runner->submit(t->runner->context) : result;
    return result == FG_OK ? t->runner->wait(t->runner->context) : result;
}

/* The best of some runs, after one that makes the pipelines. */
static enum fg_result measure(struct trial *t, int64_t *out_ns)
{
    enum fg_result result = fg_compute_graph_create(t->compute, NULL, &t->graph);
    result = result == FG_OK ? add_copy(t) : result;
    result = result == FG_OK ? add_work(t) : result;
    result = result == FG_OK ? fg_compute_graph_compile(t->graph) : result;
    result = result == FG_OK ? run(t) : result;
    *out_ns = INT64_MAX;
    for (int i = 0; result == FG_OK && i < RUNS; i++) {
        const int64_t begin_ns = fgi_clock_monotonic_ns();
        result = run(t);
        const int64_t taken_ns = fgi_clock_monotonic_ns() - begin_ns;
        *out_ns = taken_ns < *out_ns ? taken_ns : *out_ns;
    }
    return result;
}

/* All memory goes with the compute. */
static void end(struct trial *t)
{
    struct fgi_gpu_column_memory *const columns[] = { &t->keys,     &t->sums,  &t->spare[0],
                                                      &t->spare[1], &t->order, &t->spare_order,
                                                      &t->digits };
    fg_compute_graph_destroy(t->graph);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fgi_gpu_column_free(t->compute, columns[i]);
    }
    fg_compute_destroy(t->compute);
}

static enum fg_result try_one(const struct fg_compute_options *options,
                              const struct fg_compute_runner *runner, uint32_t rows,
                              struct fg_compute_choice *choice)
{
    struct fg_compute_options own = *options;
    struct trial trial = { .runner = runner, .rows = rows };
    own.flags |= choice->flags;
    own.group_size = choice->group_size;
    enum fg_result result = fg_compute_create(&own, &trial.compute, NULL);
    if (result != FG_OK) {
        return result;
    }
    choice->group_size = fg_compute_get_facts(trial.compute)->group_size;
    result = take(&trial);
    if (result == FG_OK) {
        make_random(&trial);
        result = measure(&trial, &choice->taken_ns);
    }
    end(&trial);
    return result;
}

/* In its place among those before it. */
static void put(struct fg_compute_choice *choices, uint32_t *count,
                const struct fg_compute_choice *choice)
{
    uint32_t at = (*count)++;
    for (; at > 0 && choices[at - 1].taken_ns > choice->taken_ns; at--) {
        choices[at] = choices[at - 1];
    }
    choices[at] = *choice;
}

/* What the device has of what there is to choose from: enum fg_compute_flags. */
static enum fg_result find_flags(const struct fg_compute_options *options, uint32_t *out_flags)
{
    struct fg_compute *compute = NULL;
    enum fg_result result = fg_compute_create(options, &compute, NULL);
    *out_flags = result == FG_OK ? fg_compute_get_facts(compute)->flags : 0;
    fg_compute_destroy(compute);
    return result;
}

enum fg_result fg_compute_choose(const struct fg_compute_options *options,
                                 const struct fg_compute_runner *runner, uint32_t rows,
                                 struct fg_compute_choice out_choices[FG_COMPUTE_CHOICES],
                                 uint32_t *out_count)
{
    static const uint32_t without[] = { 0, FG_COMPUTE_NO_INT64, FG_COMPUTE_NO_SUBGROUP,
                                        FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP };
    static const uint32_t sizes[] = { 128, 64 };
    uint32_t has = 0;
    uint32_t count = 0;
    if (rows == 0) {
        rows = DEFAULT_ROWS;
    }
    enum fg_result result = find_flags(options, &has);
    for (size_t i = 0; result == FG_OK && i < sizeof without / sizeof *without; i++) {
        struct fg_compute_choice choice = { .flags = without[i] };
        const bool is_other =
            ((without[i] & FG_COMPUTE_NO_INT64) == 0 || (has & FG_COMPUTE_INT64) != 0) &&
            ((without[i] & FG_COMPUTE_NO_SUBGROUP) == 0 || (has & FG_COMPUTE_SUBGROUP) != 0);
        result = is_other ? try_one(options, runner, rows, &choice) : FG_OK;
        if (result == FG_OK && is_other) {
            put(out_choices, &count, &choice);
        }
    }
    const uint32_t best = count > 0 ? out_choices[0].flags : 0;
    const uint32_t usual = count > 0 ? out_choices[0].group_size : 0;
    for (size_t i = 0; result == FG_OK && i < sizeof sizes / sizeof *sizes; i++) {
        struct fg_compute_choice choice = { .flags = best, .group_size = sizes[i] };
        result = sizes[i] < usual ? try_one(options, runner, rows, &choice) : FG_OK;
        if (result == FG_OK && sizes[i] < usual) {
            put(out_choices, &count, &choice);
        }
    }
    *out_count = count;
    return result;
}
