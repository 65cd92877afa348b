/* SPDX-License-Identifier: MIT */
/*
 * A graph of compute work: nodes that say which ranges of buffers they read and write. What must
 * wait for what follows from ranges that overlap. A compiled graph has a fixed order, tells what it
 * will cost before it runs, and is encoded into the caller's command buffers, whole or in steps, as
 * often as the caller likes: nothing of it changes between encodings but what the caller writes
 * into control memory.
 *
 *     fg_compute_graph_create(compute, NULL, &graph);
 *
 *     fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "sum", .program = ...));
 *
 *     fg_compute_graph_compile(graph);
 *
 *     fg_compute_graph_encode(graph, commands); // the caller submits, once or many times
 *
 * A caller with a graph of its own gives operations a fg_compute_sink instead, keeps the nodes,
 * orders them by their uses, and encodes each with fg_compute_node_encode().
 */
#ifndef FG_COMPUTE_GRAPH_H
#define FG_COMPUTE_GRAPH_H
#include <frameglass/compute.h>
FG_BEGIN_DECLS

enum fg_compute_access {
    FG_COMPUTE_READ = 1,
    FG_COMPUTE_WRITE = 2,
    FG_COMPUTE_READ_WRITE = 3,
    /**
     * With FG_COMPUTE_WRITE or FG_COMPUTE_READ_WRITE: what nodes that say so do to a range does not
     * depend on their order, as they add to it atomically, or write to different places. They wait
     * for what was before, and what follows waits for them, but they do not wait for each other.
     */
    FG_COMPUTE_TOGETHER = 4,
};

/** A range that a node touches. */
struct fg_compute_use {
    struct fg_compute_view view;
    uint32_t access; /**< enum fg_compute_access */
    /** Where, for FG_COMPUTE_CALL and FG_COMPUTE_PUBLISH; 0 = storage in compute shaders. */
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
};

/** What a node costs. */
struct fg_compute_workload {
    uint64_t invocations;
    uint64_t commands;
    uint64_t read_bytes;
    uint64_t write_bytes;
};

enum fg_compute_node_kind {
    FG_COMPUTE_DISPATCH = 0,
    FG_COMPUTE_DISPATCH_INDIRECT = 1,
    FG_COMPUTE_FILL = 2, /**< `target` with `word`; both ends multiples of 4 */
    FG_COMPUTE_COPY = 3, /**< `source` to `target`, which is as large and does not overlap it */
    FG_COMPUTE_CALL = 4, /**< what the caller encodes */
    /** Encodes nothing: makes its uses visible where they say (to shaders, draws, the host), and is
     *  the point at which they are coherent. Nodes are never moved from one side to the other. */
    FG_COMPUTE_PUBLISH = 5,
};

/**
 * One piece of work. Borrowed for the call that takes it, with all it points to but kernels:
 * whoever keeps it copies name, push and uses.
 */
struct fg_compute_node {
    const char *name; /**< for people; of a publication also its identity */
    enum fg_compute_node_kind kind;
    struct fg_compute_program program; /**< of dispatches */
    /**
     * Groups of a dispatch, counted through: folded into x, y and z so that no dimension exceeds
     * facts.group_limit. A kernel asks the prelude for the number of its group, and there may be
     * more groups than these: what is past the end does nothing. 0 = nothing is dispatched.
     * Of an indirect dispatch: the most that its arguments will say, for the workload.
     */
    uint64_t group_count;
    struct fg_compute_view arguments; /**< of an indirect dispatch: VkDispatchIndirectCommand */
    const void *push;                 /**< kernel.push_bytes */
    struct fg_compute_view source;
    struct fg_compute_view target;
    uint32_t word;
    void (*call)(void *context, VkCommandBuffer commands);
    void *context; /**< of `call`; kept as long as the graph has the node */
    /** All that the kernel or `call` touches. Arguments, source and target need not be said. */
    const struct fg_compute_use *uses;
    uint32_t use_count;
    /**
     * All zero = known from the node: groups times their size, one command, the bytes of its uses.
     * Of FG_COMPUTE_CALL and FG_COMPUTE_PUBLISH nothing is known: they cost 0 unless said.
     */
    struct fg_compute_workload workload;
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_COMPUTE_NODE(...) (&(const struct fg_compute_node){ __VA_ARGS__ })

/** Where operations put their nodes. */
struct fg_compute_sink {
    /** FG_OK, or the reason that ends the operation, which then returns it. */
    enum fg_result (*add)(void *context, const struct fg_compute_node *node);
    void *context;
};
/** Put one node into a sink. */
FG_API FG_MUST_USE enum fg_result fg_compute_sink_add(const struct fg_compute_sink *sink,
                                                      const struct fg_compute_node *node);

/* For graphs of the caller's own. */

/** Uses of a node, those that need not be said included. */
FG_API uint32_t fg_compute_node_use_count(const struct fg_compute_node *node);
/** With stages and accesses filled in; index < fg_compute_node_use_count(). */
FG_API struct fg_compute_use fg_compute_node_use(const struct fg_compute_node *node,
                                                 uint32_t index);
/** What it costs, as declared or known. */
FG_API struct fg_compute_workload fg_compute_node_workload(const struct fg_compute *compute,
                                                           const struct fg_compute_node *node);
/** FG_OK, or why no graph would take it: FG_ERR_ARGUMENT; FG_ERR_LIMIT (too many groups). */
FG_API FG_MUST_USE enum fg_result fg_compute_node_check(const struct fg_compute *compute,
                                                        const struct fg_compute_node *node,
                                                        struct fg_diag *diag);
/** Groups of a dispatch in x, y and z, as they are encoded; of other nodes zero. */
FG_API void fg_compute_node_groups(const struct fg_compute *compute,
                                   const struct fg_compute_node *node, uint32_t out_groups[3]);
/**
 * Encode its commands alone, without any barrier.
 *
 * @return FG_OK; of fg_compute_prepare() and fg_compute_node_check()
 */
FG_API FG_MUST_USE enum fg_result fg_compute_node_encode(struct fg_compute *compute,
                                                         const struct fg_compute_node *node,
                                                         VkCommandBuffer commands);

/* The graph. */

struct fg_compute_graph;

/** Told what is encoded, around each node and after its barrier; and what became coherent. */
struct fg_compute_listener {
    void (*node_begin)(void *context, VkCommandBuffer commands, const struct fg_compute_node *node,
                       const struct fg_compute_workload *workload);
    void (*node_end)(void *context, VkCommandBuffer commands, const struct fg_compute_node *node);
    /** From fg_compute_run_complete(), in order. */
    void (*published)(void *context, const char *name, uint64_t generation);
    void *context;
};

/**
 * A listener to all graphs of a compute, beside their own: for who looks on, not for who made them.
 *
 * @param listener copied; NULL = nobody any more
 */
FG_API void fg_compute_set_listener(struct fg_compute *compute,
                                    const struct fg_compute_listener *listener);

enum fg_compute_graph_flags {
    /** What came before in the queue is already visible to all stages that the graph begins with.
     *  Without it, an encoding begins with one barrier that waits for everything before. */
    FG_COMPUTE_GRAPH_ENTERED = 1u << 0,
    /** Keep the order of addition. Without it, nodes that do not wait for each other are put
     *  together, so that there are fewer barriers. */
    FG_COMPUTE_GRAPH_IN_ORDER = 1u << 1,
};

/** Zero is every field's default. */
struct fg_compute_graph_options {
    uint32_t flags;                      /**< enum fg_compute_graph_flags */
    struct fg_compute_listener listener; /**< NULL functions are not called; copied */
};

/** @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY */
FG_API FG_MUST_USE enum fg_result fg_compute_graph_create(
    struct fg_compute *compute, const struct fg_compute_graph_options *options,
    struct fg_compute_graph **out_graph);
/** No encoded work of it needs to have completed. */
FG_API void fg_compute_graph_destroy(struct fg_compute_graph *graph);
/** A sink that adds to the graph. */
FG_API struct fg_compute_sink fg_compute_graph_sink(struct fg_compute_graph *graph);
/** @return FG_OK; of fg_compute_node_check(); FG_ERR_STATE (compiled); FG_ERR_NO_MEMORY */
FG_API FG_MUST_USE enum fg_result fg_compute_graph_add(struct fg_compute_graph *graph,
                                                       const struct fg_compute_node *node);
/** Infer hazards, fix the order, place barriers. FG_OK; FG_ERR_NO_MEMORY (may be tried again). */
FG_API FG_MUST_USE enum fg_result fg_compute_graph_compile(struct fg_compute_graph *graph);
/** Take all nodes out, as after creation; memory is kept. Plans of it are no longer used. */
FG_API void fg_compute_graph_clear(struct fg_compute_graph *graph);

/** What compiling found. */
struct fg_compute_graph_counts {
    uint32_t nodes;
    uint32_t levels;   /**< groups of nodes that do not wait for each other */
    uint32_t barriers; /**< in one encoding, that at its beginning included */
    uint32_t publications;
    uint64_t hazards; /**< pairs of nodes of which the later one waits */
    struct fg_compute_workload workload;
    struct fg_compute_workload largest; /**< of any node, each number by itself */
};
FG_API void fg_compute_graph_get_counts(const struct fg_compute_graph *graph,
                                        struct fg_compute_graph_counts *out_counts);

/** Encode all of it. FG_OK; FG_ERR_STATE (not compiled); of fg_compute_node_encode(). After a
 *  failure the command buffer is not to be submitted. */
FG_API FG_MUST_USE enum fg_result fg_compute_graph_encode(struct fg_compute_graph *graph,
                                                          VkCommandBuffer commands);

/* Plans, steps, and what is published when: compute_plan.h. */

FG_END_DECLS
#endif
