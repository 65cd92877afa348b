/* SPDX-License-Identifier: MIT */
/* A compiled graph in steps, and runs through them. */
#include "engine/vulkan/compute_graph_priv.h"

#include "base/alloc.h"

struct fg_compute_plan {
    struct fg_compute_graph *graph;
    enum fg_compute_policy policy;
    struct fg_compute_step *steps;
    size_t step_count;
    size_t step_room;
    uint32_t oversized_count;
};

static bool is_over(uint64_t value, uint64_t most)
{
    return most != 0 && value > most;
}

static bool exceeds(const struct fg_compute_workload *load, const struct fg_compute_workload *most)
{
    return is_over(load->invocations, most->invocations) ||
           is_over(load->commands, most->commands) || is_over(load->read_bytes, most->read_bytes) ||
           is_over(load->write_bytes, most->write_bytes);
}

static bool is_at(uint64_t value, uint64_t most)
{
    return most != 0 && value >= most;
}

static bool reaches(const struct fg_compute_workload *load, const struct fg_compute_workload *most)
{
    return is_at(load->invocations, most->invocations) || is_at(load->commands, most->commands) ||
           is_at(load->read_bytes, most->read_bytes) || is_at(load->write_bytes, most->write_bytes);
}

/** Where the next step begins. A publication that costs nothing belongs to what it publishes. */
static bool begins_step(const struct fg_compute_plan *plan, const struct fg_compute_step *step,
                        const struct fgi_graph_node *node, const struct fg_compute_workload *most)
{
    const struct fg_compute_workload sum =
        fgi_compute_workload_sum(&step->workload, &node->workload);
    if (step->count == 0) {
        return false;
    }
    if (plan->policy == FG_COMPUTE_PROGRESSIVE && step->publishes) {
        return true;
    }
    if (node->node.kind == FG_COMPUTE_PUBLISH && !fgi_compute_workload_is_any(&node->workload)) {
        return false;
    }
    return reaches(&step->workload, most) || exceeds(&sum, most);
}

static enum fg_result add_step(struct fg_compute_plan *plan, const struct fg_compute_step *step)
{
    const enum fg_result result =
        FGI_GROW(plan->graph->compute->allocator, plan->steps, plan->step_room,
                 plan->step_count + 1, FGI_GRAPH_MAX_NODES);
    if (result == FG_OK) {
        plan->steps[plan->step_count++] = *step;
        plan->oversized_count += step->exceeds_budget;
    }
    return result;
}

static enum fg_result cut(struct fg_compute_plan *plan, const struct fg_compute_workload *most)
{
    const uint32_t node_count = plan->graph->counts.nodes;
    struct fg_compute_step step = { 0 };
    enum fg_result result = FG_OK;
    for (uint32_t place = 0; result == FG_OK && place < node_count; place++) {
        const struct fgi_graph_node *node = fgi_graph_node_at(plan->graph, place);
        if (begins_step(plan, &step, node, most)) {
            result = add_step(plan, &step);
            step = (struct fg_compute_step){ .first = place };
        }
        step.count++;
        step.workload = fgi_compute_workload_sum(&step.workload, &node->workload);
        /* Only a single node is let over it. */
        step.exceeds_budget = exceeds(&step.workload, most);
        step.publishes = plan->policy == FG_COMPUTE_PROGRESSIVE &&
                         (step.publishes || node->node.kind == FG_COMPUTE_PUBLISH);
    }
    if (result == FG_OK && step.count != 0) {
        step.publishes = plan->graph->counts.publications != 0;
        result = add_step(plan, &step);
    }
    return result;
}

enum fg_result fg_compute_plan_create(struct fg_compute_graph *graph,
                                      const struct fg_compute_budget *budget,
                                      enum fg_compute_policy policy,
                                      struct fg_compute_plan **out_plan)
{
    static const struct fg_compute_budget any = { { 0, 0, 0, 0 } };
    if (graph == NULL || out_plan == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!graph->is_compiled) {
        return FG_ERR_STATE;
    }
    struct fg_compute_plan *plan = fgi_calloc(graph->compute->allocator, 1, sizeof *plan);
    if (plan == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    plan->graph = graph;
    plan->policy = policy;
    const enum fg_result result = cut(plan, budget != NULL ? &budget->most : &any.most);
    if (result != FG_OK) {
        fg_compute_plan_destroy(plan);
        return result;
    }
    *out_plan = plan;
    return FG_OK;
}

void fg_compute_plan_destroy(struct fg_compute_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    const struct fg_allocator *allocator = plan->graph->compute->allocator;
    fgi_free(allocator, plan->steps, plan->step_room * sizeof *plan->steps);
    fgi_free(allocator, plan, sizeof *plan);
}

uint32_t fg_compute_plan_step_count(const struct fg_compute_plan *plan)
{
    return (uint32_t)plan->step_count;
}

struct fg_compute_step fg_compute_plan_step(const struct fg_compute_plan *plan, uint32_t index)
{
    return plan->steps[index];
}

uint32_t fg_compute_plan_oversized_count(const struct fg_compute_plan *plan)
{
    return plan->oversized_count;
}

const struct fg_compute_node *fg_compute_plan_node(const struct fg_compute_plan *plan,
                                                   uint32_t index,
                                                   struct fg_compute_workload *out_workload)
{
    const struct fgi_graph_node *node = fgi_graph_node_at(plan->graph, index);
    if (out_workload != NULL) {
        *out_workload = node->workload;
    }
    return &node->node;
}

uint64_t fg_compute_graph_cancel(struct fg_compute_graph *graph)
{
    return atomic_fetch_add_explicit(&graph->generation, 1, memory_order_relaxed) + 1;
}

static bool is_cancelled(const struct fg_compute_run *run)
{
    return atomic_load_explicit(&run->plan->graph->generation, memory_order_relaxed) !=
           run->generation;
}

void fg_compute_run_begin(const struct fg_compute_plan *plan, struct fg_compute_run *out_run)
{
    *out_run = (struct fg_compute_run){
        .plan = plan,
        .generation = atomic_load_explicit(&plan->graph->generation, memory_order_relaxed),
    };
}

enum fg_result fg_compute_run_encode(struct fg_compute_run *run, VkCommandBuffer commands)
{
    const struct fg_compute_plan *plan = run->plan;
    if (is_cancelled(run)) {
        return FG_ERR_CANCELLED;
    }
    if (run->encoded_count == plan->step_count) {
        return FG_ERR_NOT_FOUND;
    }
    const struct fg_compute_step *step = &plan->steps[run->encoded_count];
    const enum fg_result result = fgi_graph_encode(plan->graph, step->first, step->count, commands);
    if (result == FG_OK) {
        run->encoded_count++;
    }
    return result;
}

/** What lies in these places and was not told. */
static void publish(struct fg_compute_run *run, uint32_t first, uint32_t end)
{
    const struct fg_compute_graph *graph = run->plan->graph;
    const struct fg_compute_listener *listeners[] = { &graph->options.listener,
                                                      &graph->compute->listener };
    for (uint32_t place = first; place < end; place++) {
        const struct fg_compute_node *node = &fgi_graph_node_at(graph, place)->node;
        if (node->kind == FG_COMPUTE_PUBLISH) {
            run->published_count++;
            for (int i = 0; i < 2; i++) {
                if (listeners[i]->published != NULL) {
                    listeners[i]->published(listeners[i]->context, node->name, run->generation);
                }
            }
        }
    }
}

/** Places before this step. */
static uint32_t end_of(const struct fg_compute_plan *plan, uint32_t step_count)
{
    return step_count == 0 ? 0
                           : plan->steps[step_count - 1].first + plan->steps[step_count - 1].count;
}

enum fg_result fg_compute_run_complete(struct fg_compute_run *run, uint32_t step_count)
{
    const struct fg_compute_plan *plan = run->plan;
    const uint32_t known_count = run->completed_count;
    if (step_count > run->encoded_count) {
        return FG_ERR_ARGUMENT;
    }
    if (fg_compute_is_lost(plan->graph->compute)) {
        return FG_ERR_DEVICE_LOST;
    }
    if (is_cancelled(run)) {
        return FG_ERR_CANCELLED;
    }
    if (step_count <= known_count) {
        return FG_OK;
    }
    run->completed_count = step_count;
    if (plan->policy == FG_COMPUTE_PROGRESSIVE) {
        publish(run, end_of(plan, known_count), end_of(plan, step_count));
    } else if (step_count == plan->step_count) {
        publish(run, 0, end_of(plan, step_count));
    }
    return FG_OK;
}
