/* SPDX-License-Identifier: MIT */
/*
 * The renderer's own command graph: a list in which operations of Frameglass stand beside passes of
 * the renderer, in the order in which they were added. Whoever touches what an earlier one wrote,
 * or writes what an earlier one touched, waits for all before it.
 */
#ifndef FOREIGN_NODES_H
#define FOREIGN_NODES_H
#include <frameglass/compute_graph.h>

struct foreign_node;
struct foreign_nodes {
    struct fg_compute *compute;
    struct foreign_node *list;
    uint32_t count, capacity;
    uint32_t barriers; /**< that the last encoding had */
};

/** Where operations put their nodes. */
struct fg_compute_sink foreign_nodes_sink(struct foreign_nodes *nodes);
/** Encode all, with barriers between them. */
enum fg_result foreign_nodes_encode(struct foreign_nodes *nodes, VkCommandBuffer commands);
/** Take all nodes out. */
void foreign_nodes_clear(struct foreign_nodes *nodes);
void foreign_nodes_finish(struct foreign_nodes *nodes);

#endif
