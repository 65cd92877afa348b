/* SPDX-License-Identifier: MIT */
#include "foreign_nodes.h"

#include <volk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH_BYTES = 128, NAME_BYTES = 48 };

/* A node is borrowed for the call that brings it: what is kept is copied. */
struct foreign_node {
    struct fg_compute_node node;
    char name[NAME_BYTES];
    uint8_t push[PUSH_BYTES];
    struct fg_compute_use *uses;
};

static enum fg_result add(void *context, const struct fg_compute_node *node)
{
    struct foreign_nodes *nodes = context;
    enum fg_result result = fg_compute_node_check(nodes->compute, node, NULL);
    if (result != FG_OK) {
        return result;
    }
    if (nodes->count == nodes->capacity) {
        const uint32_t capacity = nodes->capacity > 0 ? nodes->capacity * 2 : 64;
        struct foreign_node *list = realloc(nodes->list, capacity * sizeof *list);
        if (list == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        nodes->list = list;
        nodes->capacity = capacity;
    }
    struct foreign_node *kept = &nodes->list[nodes->count];
    *kept = (struct foreign_node){ .node = *node };
    snprintf(kept->name, sizeof kept->name, "%s", node->name);
    if (node->use_count > 0) {
        kept->uses = malloc(node->use_count * sizeof *kept->uses);
        if (kept->uses == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        memcpy(kept->uses, node->uses, node->use_count * sizeof *kept->uses);
    }
    if (node->push != NULL && node->program.kernel != NULL) {
        memcpy(kept->push, node->push, node->program.kernel->push_bytes);
    }
    nodes->count++;
    return FG_OK;
}

struct fg_compute_sink foreign_nodes_sink(struct foreign_nodes *nodes)
{
    return (struct fg_compute_sink){ add, nodes };
}

/* The list may have moved since it was copied to. */
static struct fg_compute_node node_at(const struct foreign_nodes *nodes, uint32_t index)
{
    struct fg_compute_node node = nodes->list[index].node;
    node.name = nodes->list[index].name;
    node.uses = nodes->list[index].uses;
    node.push = nodes->list[index].push;
    return node;
}

static bool overlaps(const struct fg_compute_view *a, const struct fg_compute_view *b)
{
    return a->buffer == b->buffer && a->offset_bytes < b->offset_bytes + b->size_bytes &&
           b->offset_bytes < a->offset_bytes + a->size_bytes;
}

static bool must_wait(const struct fg_compute_use *earlier, const struct fg_compute_use *later)
{
    const uint32_t both = earlier->access & later->access;
    const uint32_t any = earlier->access | later->access;
    return (any & FG_COMPUTE_WRITE) != 0 && (both & FG_COMPUTE_TOGETHER) == 0 &&
           overlaps(&earlier->view, &later->view);
}

/* Whether a node has to wait for one of those from `first` on. */
static bool waits(const struct foreign_nodes *nodes, uint32_t first, uint32_t index)
{
    const struct fg_compute_node later = node_at(nodes, index);
    for (uint32_t i = first; i < index; i++) {
        const struct fg_compute_node earlier = node_at(nodes, i);
        for (uint32_t a = 0; a < fg_compute_node_use_count(&earlier); a++) {
            const struct fg_compute_use before = fg_compute_node_use(&earlier, a);
            for (uint32_t b = 0; b < fg_compute_node_use_count(&later); b++) {
                const struct fg_compute_use behind = fg_compute_node_use(&later, b);
                if (must_wait(&before, &behind)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* For everything: a renderer that cares says the stages that fg_compute_node_use() gives. */
static void put_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

enum fg_result foreign_nodes_encode(struct foreign_nodes *nodes, VkCommandBuffer commands)
{
    uint32_t first = 0; /* behind the last barrier */
    enum fg_result result = FG_OK;
    nodes->barriers = 0;
    for (uint32_t i = 0; i < nodes->count && result == FG_OK; i++) {
        const struct fg_compute_node node = node_at(nodes, i);
        if (waits(nodes, first, i)) {
            put_barrier(commands);
            nodes->barriers++;
            first = i;
        }
        if (node.kind != FG_COMPUTE_PUBLISH) {
            result = fg_compute_node_encode(nodes->compute, &node, commands);
        }
    }
    return result;
}

void foreign_nodes_clear(struct foreign_nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->count; i++) {
        free(nodes->list[i].uses);
    }
    nodes->count = 0;
}

void foreign_nodes_finish(struct foreign_nodes *nodes)
{
    foreign_nodes_clear(nodes);
    free(nodes->list);
    nodes->list = NULL;
    nodes->capacity = 0;
}
