/* SPDX-License-Identifier: MIT */
/* The frame graph in a recorder's shape. No device is needed: only the graph and the recorder. */
#ifndef RD_RECORD_GRAPH_H
#define RD_RECORD_GRAPH_H

#include "frame_graph.h"

#include <frameglass/graph.h>

enum { RD_RECORD_MAX_SCOPES = 4 };

/** Arrays that point into each other; zero is empty, nothing is owned. */
struct rd_recorded_graph {
    struct fg_graph_pass passes[RD_GRAPH_MAX_PASSES];
    struct fg_graph_resource resources[RD_GRAPH_MAX_VERSIONS];
    const char *scopes[RD_GRAPH_MAX_PASSES][RD_RECORD_MAX_SCOPES];
    uint32_t indices[RD_GRAPH_MAX_EDGES];
};

/** A resource's number outside the graph: the same for all its versions, never 0. */
static inline uint64_t rd_record_resource_id(uint16_t resource)
{
    return (uint64_t)resource + 1;
}

/**
 * Tell the frame which compiled graph it runs.
 *
 * @param scratch overwritten
 * @param hash    equal for equal graphs
 */
void rd_record_graph_into(struct fg_frame *frame, struct rd_recorded_graph *scratch,
                          const struct rd_graph *graph, uint64_t hash);

#endif
