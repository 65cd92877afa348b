/* SPDX-License-Identifier: MIT */
/* Inside of a graph: nodes, hazards, levels, barriers. */
#ifndef FGI_COMPUTE_GRAPH_PRIV_H
#define FGI_COMPUTE_GRAPH_PRIV_H
#include "engine/vulkan/compute_priv.h"

#include "base/arena.h"
#include <frameglass/compute_plan.h>

struct fgi_graph_node {
    struct fg_compute_node node; /**< name, push and uses are the graph's */
    struct fg_compute_workload workload;
    uint32_t level;
    uint32_t edge_first; /**< of the edges to this node */
    uint32_t edge_count;
};

/** `to` waits for `from`, both by addition; what of the one is to be seen by what of the other. */
struct fgi_graph_edge {
    uint32_t from;
    uint32_t to;
    VkPipelineStageFlags from_stages; /**< 0 = only the order counts */
    VkAccessFlags from_accesses;      /**< 0 = nothing was written */
    VkPipelineStageFlags to_stages;
    VkAccessFlags to_accesses;
};

struct fgi_graph_edges {
    struct fgi_graph_edge *items;
    size_t count;
    size_t room;
};

enum { FGI_GRAPH_SCOPES = 8, FGI_GRAPH_MAX_NODES = 1 << 24 };

/** One memory dependency between two halves of everything. */
struct fgi_graph_scope {
    VkPipelineStageFlags from_stages;
    VkAccessFlags from_accesses;
    VkPipelineStageFlags to_stages;
    VkAccessFlags to_accesses;
};

/** Nodes that do not wait for each other, and what they wait for. */
struct fgi_graph_level {
    uint32_t first; /**< in the compiled order */
    uint32_t scope_count;
    struct fgi_graph_scope scopes[FGI_GRAPH_SCOPES];
};

struct fg_compute_graph {
    struct fg_compute *compute;
    struct fg_compute_graph_options options;
    struct fgi_arena arena;       /**< what nodes point to */
    struct fgi_graph_node *nodes; /**< by addition */
    size_t node_count;
    size_t node_room;
    bool is_compiled;
    uint32_t *order; /**< compiled: nodes by place */
    size_t order_room;
    struct fgi_graph_level *levels;
    size_t level_room;
    struct fgi_graph_scope entry; /**< of an encoding's beginning; no stages = there is none */
    struct fg_compute_graph_counts counts;
    _Atomic uint64_t generation;
};

/**
 * What waits for what, by ranges that overlap. Edges are in the order of `to`, one for each pair of
 * nodes; every node is told which are its own.
 */
FG_MUST_USE enum fg_result fgi_graph_find_hazards(struct fg_compute_graph *graph,
                                                  struct fgi_graph_edges *edges);
/** The node at a place of the compiled order. */
const struct fgi_graph_node *fgi_graph_node_at(const struct fg_compute_graph *graph,
                                               uint32_t place);
/** Encode places of the compiled order, with the barriers that belong before them. */
FG_MUST_USE enum fg_result fgi_graph_encode(struct fg_compute_graph *graph, uint32_t first,
                                            uint32_t count, VkCommandBuffer commands);
/** Whether any number is not zero. */
bool fgi_compute_workload_is_any(const struct fg_compute_workload *workload);
struct fg_compute_workload fgi_compute_workload_sum(const struct fg_compute_workload *a,
                                                    const struct fg_compute_workload *b);

#endif
