/* SPDX-License-Identifier: MIT */
/* What needs all spans of a group side by side: deviations by one more pass, percentiles and unions
 * by sorts. */
#include "engine/vulkan/engine_numbers.h"
#include "engine/vulkan/gpu_busy.h"
#include "engine/vulkan/gpu_ranks.h"

static const char deviations[] = "deviations";
static const char percentiles[] = "percentiles";
static const char unions[] = "unions of spans";

bool fgi_gpu_counting_fits_values(struct fgi_engine_vulkan *vulkan, uint32_t by)
{
    const struct fg_compute *compute = vulkan->runner.compute;
    const uint64_t slots = fgi_gpu_numbers_slots(vulkan->engine.trace, by) + 1;
    const uint64_t rows = fgi_trace_rows(vulkan->engine.trace);
    return slots * sizeof(uint64_t) <= fg_compute_get_facts(compute)->block_bytes &&
           rows * FGI_GPU_BUSY_BYTES <= fg_compute_memory_left(compute);
}

/* ---- deviations ------------------------------------------------------------------------------ */

/** To the nearest, of the population; the mean that squares were taken around is rounded down. */
static uint64_t deviation_of(const struct fgi_gpu_group *group,
                             const struct fgi_gpu_squares *squares)
{
    if (squares->is_saturated) {
        return UINT64_MAX;
    }
    const fgi_wide shift = group->sum % group->count;
    const fgi_wide variance = (squares->sum - shift * shift / group->count) / group->count;
    const uint64_t root = fgi_wide_root(variance);
    return variance - (fgi_wide)root * root > root ? root + 1 : root;
}

static enum fg_result run_squares(struct fgi_gpu_counting *c, const struct fgi_question *question,
                                  struct fg_compute_graph *graph, uint64_t *out_deviations,
                                  struct fgi_work *work)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fgi_gpu_numbers *numbers = &c->numbers;
    struct fgi_gpu_read *reads = NULL;
    uint32_t *words = NULL;
    uint32_t count = 0;
    uint64_t *means = fgi_arena_alloc(&c->arena, (size_t)numbers->slots + 1, sizeof *means);
    if (!means) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->group_count; i++) {
        const struct fgi_gpu_group *group = &c->groups[i];
        if (group->count > 0) {
            means[group->slot] = (uint64_t)(group->sum / group->count);
        }
    }
    enum fg_result result = fgi_gpu_numbers_set_means(numbers, means);
    if (result == FG_OK) {
        result = fgi_gpu_numbers_groups(numbers, &sink, FGI_GPU_NUMBER_PASSES,
                                        FGI_GPU_NUMBER_PASSES + 1);
    }
    if (result == FG_OK) {
        result = fgi_gpu_counting_reads(c, &numbers->cells.column,
                                        (uint64_t)numbers->slots * FGI_GPU_CELL_WORDS, 0, &words,
                                        &reads, &count);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, deviations);
    }
    result =
        fgi_gpu_counting_run(c, question, graph, reads, count, numbers->gpu->counts.rows, work);
    for (uint32_t i = 0; result == FG_OK && i < c->group_count; i++) {
        struct fgi_gpu_squares squares;
        if (c->groups[i].count > 0) {
            fgi_gpu_numbers_squares(words + (size_t)c->groups[i].slot * FGI_GPU_CELL_WORDS,
                                    &squares);
            out_deviations[i] = deviation_of(&c->groups[i], &squares);
        }
    }
    return result;
}

enum fg_result fgi_gpu_counting_deviations(struct fgi_gpu_counting *c,
                                           const struct fgi_question *question,
                                           uint64_t *out_deviations, struct fgi_work *work)
{
    struct fg_compute_graph *graph = NULL;
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    enum fg_result result = fg_compute_graph_create(c->vulkan->runner.compute, NULL, &graph);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, deviations);
    }
    result = run_squares(c, question, graph, out_deviations, work);
    fg_compute_graph_destroy(graph);
    return result;
}

/* ---- percentiles ----------------------------------------------------------------------------- */

static enum fg_result run_ranks(struct fgi_gpu_counting *c, const struct fgi_question *question,
                                struct fg_compute_graph *graph, const struct fgi_gpu_ranks *ranks,
                                uint64_t greatest, uint64_t *out_values, struct fgi_work *work)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fgi_gpu_read *reads = NULL;
    uint32_t *words = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_gpu_ranks_add(ranks, &sink, greatest);
    if (result == FG_OK) {
        result = fgi_gpu_counting_reads(c, &ranks->found.column, (uint64_t)ranks->place_count * 2,
                                        0, &words, &reads, &count);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, percentiles);
    }
    result =
        fgi_gpu_counting_run(c, question, graph, reads, count, c->numbers.gpu->counts.rows, work);
    for (uint32_t i = 0; result == FG_OK && i < ranks->place_count; i++) {
        out_values[i] = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
    }
    return result;
}

/** Two places for each group that has values: all values lie one group after the other. */
static uint32_t find_places(const struct fgi_gpu_counting *c, uint32_t *places,
                            uint64_t *out_greatest)
{
    uint32_t count = 0;
    uint64_t first = 0;
    *out_greatest = 0;
    for (uint32_t i = 0; i < c->group_count; i++) {
        const struct fgi_gpu_group *group = &c->groups[i];
        if (group->count > 0) {
            places[count++] = (uint32_t)(first + (group->count + 1) / 2 - 1);
            places[count++] = (uint32_t)(first + group->count - group->count / 20 - 1);
            first += group->count;
            *out_greatest = group->max > *out_greatest ? group->max : *out_greatest;
        }
    }
    return count;
}

enum fg_result fgi_gpu_counting_ranks(struct fgi_gpu_counting *c,
                                      const struct fgi_question *question, uint64_t *out_values,
                                      struct fgi_work *work)
{
    struct fg_compute_graph *graph = NULL;
    struct fgi_gpu_ranks ranks = { 0 };
    uint64_t greatest = 0;
    uint32_t *places = fgi_arena_alloc(&c->arena, (size_t)c->group_count + 1, 2 * sizeof *places);
    if (!places) {
        return FG_ERR_NO_MEMORY;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    const uint32_t count = find_places(c, places, &greatest);
    if (count == 0) {
        return FG_OK;
    }
    enum fg_result result = fg_compute_graph_create(c->vulkan->runner.compute, NULL, &graph);
    result = result == FG_OK ? fgi_gpu_ranks_begin(&ranks, &c->numbers, places, count) : result;
    result = result == FG_OK ? run_ranks(c, question, graph, &ranks, greatest, out_values, work)
                             : fgi_gpu_fall_back(c->vulkan, result, percentiles);
    fgi_gpu_ranks_end(&ranks);
    fg_compute_graph_destroy(graph);
    return result;
}

/* ---- unions ---------------------------------------------------------------------------------- */

static enum fg_result run_busy(struct fgi_gpu_counting *c, const struct fgi_question *question,
                               struct fg_compute_graph *graph, const struct fgi_gpu_busy *busy,
                               uint64_t *out_busy_ns, struct fgi_work *work)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fgi_gpu_read *reads = NULL;
    uint32_t *words = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_gpu_busy_add(busy, &sink);
    if (result == FG_OK) {
        result = fgi_gpu_counting_reads(c, &c->numbers.cells.column,
                                        (uint64_t)c->numbers.slots * FGI_GPU_CELL_WORDS, 0, &words,
                                        &reads, &count);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, unions);
    }
    result =
        fgi_gpu_counting_run(c, question, graph, reads, count, c->numbers.gpu->counts.rows, work);
    for (uint32_t i = 0; result == FG_OK && i < c->group_count; i++) {
        out_busy_ns[i] = fgi_gpu_busy_of(words + (size_t)c->groups[i].slot * FGI_GPU_CELL_WORDS);
    }
    return result;
}

enum fg_result fgi_gpu_counting_busy(struct fgi_gpu_counting *c,
                                     const struct fgi_question *question, uint64_t *out_busy_ns,
                                     struct fgi_work *work)
{
    struct fg_compute_graph *graph = NULL;
    struct fgi_gpu_busy busy = { 0 };
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    if (c->group_count == 0) {
        return FG_OK;
    }
    enum fg_result result = fg_compute_graph_create(c->vulkan->runner.compute, NULL, &graph);
    result = result == FG_OK ? fgi_gpu_busy_begin(&busy, &c->numbers) : result;
    result = result == FG_OK ? run_busy(c, question, graph, &busy, out_busy_ns, work)
                             : fgi_gpu_fall_back(c->vulkan, result, unions);
    fgi_gpu_busy_end(&busy);
    fg_compute_graph_destroy(graph);
    return result;
}
