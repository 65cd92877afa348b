/* SPDX-License-Identifier: MIT */
/* Running graphs to their end through the runner, and what happens when the device fails. */
#include "base/clock.h"
#include "engine/vulkan/engine_priv.h"
#include <stdio.h>
#include <string.h>

/* Readback memory is taken in such sizes at least. */
#define READBACK_BYTES (UINT64_C(1) << 16)
/* Of one submission, at first: some milliseconds of a GPU. */
#define STEP_BYTES       (UINT64_C(4) << 30)
#define STEP_INVOCATIONS (UINT64_C(1) << 28)
/* Submissions that fill less of their budget than this part tell nothing: their time is that of
   submitting. */
#define TELLING_PART 4

bool fgi_gpu_ready(struct fgi_engine_vulkan *vulkan)
{
    if (!vulkan->is_fallen && fg_compute_is_lost(vulkan->runner.compute)) {
        (void)fgi_gpu_fall_back(vulkan, FG_ERR_DEVICE_LOST, "nothing was asked of it");
    }
    return !vulkan->is_fallen;
}

enum fg_result fgi_gpu_fall_back(struct fgi_engine_vulkan *vulkan, enum fg_result result,
                                 const char *what)
{
    if (!vulkan->is_fallen) {
        vulkan->is_fallen = true;
        snprintf(vulkan->reason, sizeof vulkan->reason, "%s (%s)", fg_result_text(result), what);
    }
    if (result == FG_ERR_DEVICE_LOST) {
        fg_compute_set_lost(vulkan->runner.compute);
    }
    return result;
}

bool fgi_gpu_answered(struct fgi_engine_vulkan *vulkan, enum fg_result result)
{
    bool is_answer = !vulkan->is_fallen;
    vulkan->own_questions += is_answer && result == FG_OK;
    return is_answer;
}

/* ---- results come back ----------------------------------------------------------------------- */

/* A part of what is read: so many bytes from an offset of it, to an offset of the memory. */
struct piece {
    const struct fgi_gpu_read *read;
    uint64_t from_bytes, to_bytes, size_bytes;
};
enum { PIECES = 32 };

static enum fg_result make_room(struct fgi_engine_vulkan *vulkan, uint64_t size_bytes)
{
    struct fg_compute *compute = vulkan->runner.compute;
    if (vulkan->readback.block && vulkan->readback.view.size_bytes >= size_bytes) {
        return FG_OK;
    }
    uint64_t wanted = size_bytes > READBACK_BYTES ? size_bytes : READBACK_BYTES;
    struct fg_compute_memory more;
    enum fg_result result = fg_compute_memory_take(compute, FG_COMPUTE_READBACK, wanted, &more);
    if (result == FG_OK) {
        if (vulkan->readback.block) {
            fg_compute_memory_free(compute, &vulkan->readback);
        }
        vulkan->readback = more;
    }
    return result;
}

/* As much of the reads as one run brings back; moves on to what is next. */
static uint32_t gather(const struct fgi_engine_vulkan *vulkan, const struct fgi_gpu_read *reads,
                       uint32_t read_count, uint32_t *read, uint64_t *at_bytes,
                       struct piece pieces[PIECES], uint64_t *out_bytes)
{
    uint64_t room = fg_compute_get_facts(vulkan->runner.compute)->block_bytes / 4 * 4;
    uint32_t count = 0;
    *out_bytes = 0;
    while (*read < read_count && count < PIECES && *out_bytes < room) {
        uint64_t left = reads[*read].view.size_bytes - *at_bytes;
        uint64_t size = left < room - *out_bytes ? left : room - *out_bytes;
        if (size > 0) {
            pieces[count++] = (struct piece){ &reads[*read], *at_bytes, *out_bytes, size };
        }
        *out_bytes += size;
        *at_bytes += size;
        if (size == left) {
            (*read)++;
            *at_bytes = 0;
        }
    }
    return count;
}

/* Copies behind all that was encoded before, seen by the host. */
static enum fg_result encode_copies(struct fgi_engine_vulkan *vulkan, VkCommandBuffer commands,
                                    const struct piece *pieces, uint32_t count)
{
    const struct fg_compute_use seen = { .view = vulkan->readback.view,
                                         .access = FG_COMPUTE_READ,
                                         .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                         .accesses = VK_ACCESS_HOST_READ_BIT };
    enum fg_result result = FG_OK;
    if (!vulkan->copies) {
        result = fg_compute_graph_create(vulkan->runner.compute, NULL, &vulkan->copies);
    } else {
        fg_compute_graph_clear(vulkan->copies);
    }
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct piece *p = &pieces[i];
        result = fg_compute_graph_add(
            vulkan->copies,
            FG_COMPUTE_NODE(.name = "bring back", .kind = FG_COMPUTE_COPY,
                            .source =
                                fg_compute_view_part(p->read->view, p->from_bytes, p->size_bytes),
                            .target = fg_compute_view_part(vulkan->readback.view, p->to_bytes,
                                                           p->size_bytes)));
    }
    if (result == FG_OK) {
        result = fg_compute_graph_add(
            vulkan->copies, FG_COMPUTE_NODE(.name = "brought back", .kind = FG_COMPUTE_PUBLISH,
                                            .uses = &seen, .use_count = 1));
    }
    result = result == FG_OK ? fg_compute_graph_compile(vulkan->copies) : result;
    return result == FG_OK ? fg_compute_graph_encode(vulkan->copies, commands) : result;
}

/* ---- submissions ----------------------------------------------------------------------------- */

static bool is_over(const struct fg_compute_workload *cost, const struct fg_compute_workload *most,
                    uint64_t part)
{
    return (most->invocations != 0 && cost->invocations > most->invocations / part) ||
           (most->commands != 0 && cost->commands > most->commands / part) ||
           (most->read_bytes != 0 && cost->read_bytes > most->read_bytes / part) ||
           (most->write_bytes != 0 && cost->write_bytes > most->write_bytes / part);
}

/* Hand over what is encoded, wait, and learn from the time that it took. `cost`: NULL = nothing is
   known of it. */
static enum fg_result submit(struct fgi_engine_vulkan *vulkan,
                             const struct fg_compute_workload *cost)
{
    const struct fg_compute_runner *runner = &vulkan->runner;
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result result = runner->submit(runner->context);
    if (result != FG_OK) {
        return result;
    }
    vulkan->submissions++;
    result = runner->wait(runner->context);
    const struct fg_compute_budget budget = fg_compute_pace_budget(&vulkan->pace);
    if (result == FG_OK && cost && is_over(cost, &budget.most, TELLING_PART)) {
        const double ms = (double)(fgi_clock_monotonic_ns() - begin_ns) / 1e6;
        fg_compute_pace_observe(&vulkan->pace, cost, ms);
    }
    return result;
}

/* A graph that is too much for one submission. */
static enum fg_result run_steps(struct fgi_engine_vulkan *vulkan, struct fg_compute_graph *graph,
                                const struct fg_compute_budget *budget)
{
    const struct fg_compute_runner *runner = &vulkan->runner;
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    enum fg_result result = fg_compute_plan_create(graph, budget, FG_COMPUTE_ATOMIC, &plan);
    if (result != FG_OK) {
        return result;
    }
    fg_compute_run_begin(plan, &run);
    const uint32_t count = fg_compute_plan_step_count(plan);
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct fg_compute_step step = fg_compute_plan_step(plan, i);
        VkCommandBuffer commands = VK_NULL_HANDLE;
        result = runner->begin(runner->context, &commands);
        result = result == FG_OK ? fg_compute_run_encode(&run, commands) : result;
        result = result == FG_OK ? submit(vulkan, &step.workload) : result;
        result = result == FG_OK ? fg_compute_run_complete(&run, i + 1) : result;
    }
    fg_compute_plan_destroy(plan);
    return result;
}

static enum fg_result run_once(struct fgi_engine_vulkan *vulkan, struct fg_compute_graph *graph,
                               const struct piece *pieces, uint32_t count, uint64_t bytes)
{
    const struct fg_compute_runner *runner = &vulkan->runner;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    enum fg_result result = bytes > 0 ? make_room(vulkan, bytes) : FG_OK;
    result = result == FG_OK ? runner->begin(runner->context, &commands) : result;
    if (result == FG_OK && graph) {
        result = fg_compute_graph_encode(graph, commands);
    }
    if (result == FG_OK && count > 0) {
        result = encode_copies(vulkan, commands, pieces, count);
    }
    struct fg_compute_graph_counts counts;
    if (graph) {
        fg_compute_graph_get_counts(graph, &counts);
    }
    result = result == FG_OK ? submit(vulkan, graph ? &counts.workload : NULL) : result;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct piece *p = &pieces[i];
        memcpy((char *)p->read->bytes + p->from_bytes,
               (const char *)vulkan->readback.host + p->to_bytes, (size_t)p->size_bytes);
    }
    return result;
}

enum fg_result fgi_gpu_run(struct fgi_engine_vulkan *vulkan, struct fg_compute_graph *graph,
                           const struct fgi_gpu_read *reads, uint32_t read_count, const char *what)
{
    struct piece pieces[PIECES];
    uint32_t read = 0;
    uint64_t at_bytes = 0;
    enum fg_result result = graph ? fg_compute_graph_compile(graph) : FG_OK;
    if (result == FG_OK && graph) {
        const struct fg_compute_budget budget = fg_compute_pace_budget(&vulkan->pace);
        struct fg_compute_graph_counts counts;
        fg_compute_graph_get_counts(graph, &counts);
        if (is_over(&counts.workload, &budget.most, 1)) {
            result = run_steps(vulkan, graph, &budget);
            graph = NULL;
        }
    }
    while (result == FG_OK) {
        uint64_t bytes = 0;
        uint32_t count = gather(vulkan, reads, read_count, &read, &at_bytes, pieces, &bytes);
        if (!graph && count == 0) {
            return FG_OK;
        }
        result = run_once(vulkan, graph, pieces, count, bytes);
        graph = NULL;
    }
    return fgi_gpu_fall_back(vulkan, result, what);
}

void fgi_gpu_run_init(struct fgi_engine_vulkan *vulkan, const struct fg_compute_budget *step)
{
    const struct fg_compute_workload *most = &step->most;
    const struct fg_compute_budget usual = { .most = { .invocations = STEP_INVOCATIONS,
                                                       .read_bytes = STEP_BYTES,
                                                       .write_bytes = STEP_BYTES } };
    const bool is_given = most->invocations != 0 || most->commands != 0 || most->read_bytes != 0 ||
                          most->write_bytes != 0;
    fg_compute_pace_init(&vulkan->pace, is_given ? step : &usual, FG_COMPUTE_INTERACTIVE);
}

void fgi_gpu_run_finish(struct fgi_engine_vulkan *vulkan)
{
    fg_compute_graph_destroy(vulkan->copies);
    vulkan->copies = NULL;
    if (vulkan->readback.block) {
        fg_compute_memory_free(vulkan->runner.compute, &vulkan->readback);
    }
}
