/* SPDX-License-Identifier: MIT */
/* A frame graph as plain arrays, made at random. */
#ifndef PLAIN_GRAPH_H
#define PLAIN_GRAPH_H
#include <frameglass/trace_structure.h>

enum { PLAIN_PASSES_MAX = 12, PLAIN_RESOURCES_MAX = 16, PLAIN_LIST_MAX = 4, PLAIN_EDGES_MAX = 6 };

struct plain_list {
    uint32_t items[PLAIN_LIST_MAX];
    uint32_t count;
};
struct plain_graph_pass {
    struct plain_list reads, writes, creates;
};
struct plain_graph_resource {
    uint64_t id, footprint_bytes;
    uint32_t version, producer;
    bool imported;
};
struct plain_graph {
    struct plain_graph_pass passes[PLAIN_PASSES_MAX];
    struct plain_graph_resource resources[PLAIN_RESOURCES_MAX];
    uint32_t edges[2 * PLAIN_EDGES_MAX];
    uint32_t pass_count, resource_count, edge_count;
    /** Items of lists that name no resource: the trace leaves them out. */
    uint32_t bad_count;
};

struct plain_trace;
struct fgi_builder;
/** Passes mostly read what earlier ones made; rings, idle versions and bad indices are among it. */
void plain_graph_make(struct plain_graph *graph, struct plain_trace *random);
/** The index of the topology. @param identities of its passes, by position */
uint32_t plain_graph_add(const struct plain_graph *graph, struct fgi_builder *builder,
                         const uint32_t *identities);

#endif
