/* SPDX-License-Identifier: MIT */
/*
 * A compiled graph in steps: as many nodes in each as a budget takes, one command buffer each, so
 * that long work leaves room for frames, can be cancelled between steps, and shows coherent stages
 * early.
 *
 *     fg_compute_plan_create(graph, &budget, FG_COMPUTE_PROGRESSIVE, &plan);
 *     fg_compute_run_begin(plan, &run);
 *     while (fg_compute_run_encode(&run, commands) == FG_OK) {
 *         submit, wait as the caller does
 *         fg_compute_run_complete(&run, run.encoded_count);
 *     }
 */
#ifndef FG_COMPUTE_PLAN_H
#define FG_COMPUTE_PLAN_H
#include <frameglass/compute_graph.h>
FG_BEGIN_DECLS

struct fg_compute_plan;

enum fg_compute_policy {
    FG_COMPUTE_ATOMIC = 0,      /**< everything is published when the last step has completed */
    FG_COMPUTE_PROGRESSIVE = 1, /**< a step ends after a publication, which then is published */
};

/** What one step may cost; 0 = any. */
struct fg_compute_budget {
    struct fg_compute_workload most;
};

/** One step. */
struct fg_compute_step {
    uint32_t first; /**< node, in the compiled order */
    uint32_t count;
    struct fg_compute_workload workload;
    bool exceeds_budget; /**< a single node that is larger than the budget */
    bool publishes;      /**< something is published when it has completed */
};

/**
 * Cut a compiled graph: a step takes nodes in order, at least one, and ends before a node that
 * would exceed the budget and after one that reaches it.
 *
 * @param budget   NULL = one step, but for the policy's cuts
 * @param out_plan owned: fg_compute_plan_destroy(); used until the graph is cleared or destroyed
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_STATE (not compiled); FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_compute_plan_create(struct fg_compute_graph *graph,
                                                         const struct fg_compute_budget *budget,
                                                         enum fg_compute_policy policy,
                                                         struct fg_compute_plan **out_plan);
FG_API void fg_compute_plan_destroy(struct fg_compute_plan *plan);
FG_API uint32_t fg_compute_plan_step_count(const struct fg_compute_plan *plan);
/** index < fg_compute_plan_step_count(). */
FG_API struct fg_compute_step fg_compute_plan_step(const struct fg_compute_plan *plan,
                                                   uint32_t index);
/** Steps that exceed the budget. */
FG_API uint32_t fg_compute_plan_oversized_count(const struct fg_compute_plan *plan);
/** A node in the compiled order, with what it costs; index < counts.nodes. Lent by the graph. */
FG_API const struct fg_compute_node *fg_compute_plan_node(const struct fg_compute_plan *plan,
                                                          uint32_t index,
                                                          struct fg_compute_workload *out_workload);

/** One run through a plan. The caller's memory; nothing is to be ended. */
struct fg_compute_run {
    const struct fg_compute_plan *plan;
    uint64_t generation;
    uint32_t encoded_count;   /**< steps */
    uint32_t completed_count; /**< steps */
    uint32_t published_count; /**< publications announced */
};
/** Begin at the first step, with the graph's present generation. */
FG_API void fg_compute_run_begin(const struct fg_compute_plan *plan,
                                 struct fg_compute_run *out_run);
/**
 * Encode the next step.
 *
 * @return FG_OK; FG_ERR_NOT_FOUND (there is none); FG_ERR_CANCELLED; of fg_compute_graph_encode()
 */
FG_API FG_MUST_USE enum fg_result fg_compute_run_encode(struct fg_compute_run *run,
                                                        VkCommandBuffer commands);
/**
 * The first `step_count` steps have completed on the device. What thereby became coherent is told
 * to the graph's listener, unless the run was cancelled: nothing is rolled back then, and what its
 * nodes wrote is undefined until a later run has written it.
 *
 * @return FG_OK; FG_ERR_ARGUMENT (more than were encoded); FG_ERR_CANCELLED; FG_ERR_DEVICE_LOST
 */
FG_API enum fg_result fg_compute_run_complete(struct fg_compute_run *run, uint32_t step_count);

/** Cancel all runs of the graph that have begun. Returns the new generation. Threads: any. */
FG_API uint64_t fg_compute_graph_cancel(struct fg_compute_graph *graph);

/* Budgets that follow measured time. */

/** How soon an answer is wanted. */
enum fg_compute_class {
    FG_COMPUTE_NORMAL = 0,      /**< steps of 8 ms */
    FG_COMPUTE_INTERACTIVE = 1, /**< of 4 ms */
    FG_COMPUTE_BACKGROUND = 2,  /**< of 16 ms */
};

/** The caller's memory; nothing is to be ended. */
struct fg_compute_pace {
    struct fg_compute_budget base;
    double target_ms;
    double scale; /**< of base, 1/8 .. 4 */
};
/** Begin with `base`, a scale of 1. */
FG_API void fg_compute_pace_init(struct fg_compute_pace *pace, const struct fg_compute_budget *base,
                                 enum fg_compute_class of);
/** What plans made now should take. */
FG_API struct fg_compute_budget fg_compute_pace_budget(const struct fg_compute_pace *pace);
/**
 * A step of this cost took so long on the device. The scale goes a quarter of the way to what would
 * have met the target, which is taken to be at most twice and at least half of it.
 */
FG_API void fg_compute_pace_observe(struct fg_compute_pace *pace,
                                    const struct fg_compute_workload *workload, double ms);

FG_END_DECLS
#endif
