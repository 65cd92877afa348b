/* SPDX-License-Identifier: MIT */
/*
 * Hazards between nodes. Each buffer is cut into segments of which all bytes have the same history:
 * who wrote them last, and who has read them since. A node that reads waits for the writer; one
 * that writes waits for the readers, and where there are none, for the writer.
 */
#include "engine/vulkan/compute_graph_priv.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

#define NOBODY UINT32_MAX
#define ALL    SIZE_MAX

/** One use of one node. */
struct access {
    uint32_t node;
    bool is_together;
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
};

/** One of a list of accesses. Lists share their tails when a segment is cut. */
struct link {
    uint32_t access;
    uint32_t next;
};

/** Up to where the next one begins. Lists, or NOBODY. */
struct segment {
    uint64_t begin;
    uint32_t writers;        /**< more than one only where they write together */
    uint32_t readers;        /**< since then */
    uint32_t writers_before; /**< of those that write together: what was there before the first */
    uint32_t readers_before;
};

struct history {
    struct segment *segments; /**< by begin; the first begins at 0, the last never ends */
    size_t count;
    size_t room;
};

struct finder {
    const struct fg_allocator *allocator;
    struct fg_compute_graph *graph;
    struct fgi_graph_edges *edges;
    struct fgi_map64 buffers; /**< to histories */
    struct history *histories;
    size_t history_count;
    size_t history_room;
    struct access *accesses;
    size_t access_count;
    size_t access_room;
    struct link *links;
    size_t link_count;
    size_t link_room;
    uint32_t *edge_of; /**< by `from`: the edge to the present node + 1 + where its edges begin */
    size_t edge_base;
};

/** The device cannot wait for the host inside a command buffer: who submits orders the two. */
static VkPipelineStageFlags on_device(VkPipelineStageFlags stages)
{
    return stages & ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT;
}

/** `to` waits for `from`; another reason for a pair that waits already is added to it. */
static enum fg_result add_edge(struct finder *finder, const struct access *from,
                               const struct access *to, VkAccessFlags to_accesses)
{
    struct fgi_graph_edges *edges = finder->edges;
    if (from->node == to->node) {
        return FG_OK;
    }
    size_t at = finder->edge_of[from->node];
    if (at <= finder->edge_base) {
        const enum fg_result result =
            FGI_GROW(finder->allocator, edges->items, edges->room, edges->count + 1, UINT32_MAX);
        if (result != FG_OK) {
            return result;
        }
        edges->items[edges->count++] = (struct fgi_graph_edge){ from->node, to->node, 0, 0, 0, 0 };
        at = edges->count;
        finder->edge_of[from->node] = (uint32_t)at;
    }
    struct fgi_graph_edge *edge = &edges->items[at - 1];
    const VkPipelineStageFlags stages = on_device(from->stages);
    if (stages != 0) {
        edge->from_stages |= stages;
        edge->to_stages |= to->stages;
        if ((from->accesses & FGI_COMPUTE_WRITING) != 0 && to_accesses != 0) {
            edge->from_accesses |= from->accesses & FGI_COMPUTE_WRITING;
            edge->to_accesses |= to_accesses;
        }
    }
    return FG_OK;
}

/** The segment with this byte. */
static size_t find_segment(const struct history *history, uint64_t at)
{
    size_t low = 0;
    size_t high = history->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (history->segments[middle].begin <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Let a segment begin here. Its index. */
static enum fg_result cut(struct finder *finder, struct history *history, uint64_t at,
                          size_t *out_index)
{
    const size_t index = find_segment(history, at);
    if (history->segments[index].begin == at) {
        *out_index = index;
        return FG_OK;
    }
    const enum fg_result result =
        FGI_GROW(finder->allocator, history->segments, history->room, history->count + 1, ALL);
    if (result != FG_OK) {
        return result;
    }
    struct segment *segment = &history->segments[index];
    memmove(segment + 1, segment, (history->count - index) * sizeof *segment);
    segment[1].begin = at;
    history->count++;
    *out_index = index + 1;
    return FG_OK;
}

static enum fg_result push(struct finder *finder, uint32_t *list, uint32_t access)
{
    const enum fg_result result = FGI_GROW(finder->allocator, finder->links, finder->link_room,
                                           finder->link_count + 1, NOBODY);
    if (result == FG_OK) {
        finder->links[finder->link_count] = (struct link){ access, *list };
        *list = (uint32_t)finder->link_count++;
    }
    return result;
}

/** Wait for all of a list. @param accesses that are to see what they wrote; 0 = order is enough */
static enum fg_result wait_for(struct finder *finder, uint32_t list, uint32_t self,
                               VkAccessFlags accesses)
{
    enum fg_result result = FG_OK;
    for (uint32_t at = list; result == FG_OK && at != NOBODY; at = finder->links[at].next) {
        result = add_edge(finder, &finder->accesses[finder->links[at].access],
                          &finder->accesses[self], accesses);
    }
    return result;
}

static enum fg_result read_segment(struct finder *finder, struct segment *segment, uint32_t self)
{
    const enum fg_result result =
        wait_for(finder, segment->writers, self, finder->accesses[self].accesses);
    return result == FG_OK ? push(finder, &segment->readers, self) : result;
}

/** Whether this write is one more of those that the segment has. */
static bool joins(const struct finder *finder, const struct segment *segment, uint32_t self)
{
    return finder->accesses[self].is_together && segment->readers == NOBODY &&
           segment->writers != NOBODY &&
           finder->accesses[finder->links[segment->writers].access].is_together;
}

/** Writers are waited for also where readers have waited for them already: some of these are the
 *  host, and who checks synchronization sees nothing of those that read by address. */
static enum fg_result write_segment(struct finder *finder, const struct segment *segment,
                                    uint32_t self)
{
    const bool is_joining = joins(finder, segment, self);
    const enum fg_result result =
        wait_for(finder, is_joining ? segment->readers_before : segment->readers, self, 0);
    if (result != FG_OK) {
        return result;
    }
    return wait_for(finder, is_joining ? segment->writers_before : segment->writers, self,
                    finder->accesses[self].accesses);
}

/** One part of a node does not wait for another: who waits for this write waits for what else the
 *  same node did there. */
static void keep_own(struct finder *finder, const struct segment *segment, uint32_t self)
{
    struct access *to = &finder->accesses[self];
    for (uint32_t at = segment->writers; at != NOBODY; at = finder->links[at].next) {
        const struct access *writer = &finder->accesses[finder->links[at].access];
        if (writer->node == to->node) {
            to->stages |= writer->stages;
            to->accesses |= writer->accesses;
        }
    }
    for (uint32_t at = segment->readers; at != NOBODY; at = finder->links[at].next) {
        const struct access *reader = &finder->accesses[finder->links[at].access];
        to->stages |= reader->node == to->node ? reader->stages : 0;
    }
}

/** All segments of a range become one, which has this writer. */
static enum fg_result write_over(struct finder *finder, struct history *history, size_t first,
                                 size_t end, uint32_t self)
{
    struct segment *segments = history->segments;
    uint32_t writers = NOBODY;
    for (size_t i = first; i < end; i++) {
        keep_own(finder, &segments[i], self);
    }
    const enum fg_result result = push(finder, &writers, self);
    if (result == FG_OK) {
        segments[first] =
            (struct segment){ segments[first].begin, writers, NOBODY, NOBODY, NOBODY };
        memmove(&segments[first + 1], &segments[end], (history->count - end) * sizeof *segments);
        history->count -= end - first - 1;
    }
    return result;
}

/** Segments keep what they wait for, which may differ. */
static enum fg_result write_together(struct finder *finder, struct segment *segment, uint32_t self)
{
    keep_own(finder, segment, self);
    if (!joins(finder, segment, self)) {
        segment->writers_before = segment->writers;
        segment->readers_before = segment->readers;
        segment->writers = NOBODY;
        segment->readers = NOBODY;
    }
    return push(finder, &segment->writers, self);
}

/** What to do with all uses of a node. All that it waits for is found before anything is said to be
 *  overwritten by it. */
enum pass { PASS_READ, PASS_WAIT, PASS_WRITE, PASSES };

/** One use, over the segments of its range. */
static enum fg_result touch(struct finder *finder, struct history *history,
                            const struct fg_compute_view *view, enum pass pass, uint32_t self)
{
    size_t first = 0;
    size_t end = 0;
    enum fg_result result = cut(finder, history, view->offset_bytes, &first);
    if (result == FG_OK) {
        result = cut(finder, history, view->offset_bytes + view->size_bytes, &end);
    }
    if (result == FG_OK && pass == PASS_WRITE && !finder->accesses[self].is_together) {
        return write_over(finder, history, first, end, self);
    }
    for (size_t i = first; result == FG_OK && i < end; i++) {
        struct segment *segment = &history->segments[i];
        if (pass == PASS_READ) {
            result = read_segment(finder, segment, self);
        } else if (pass == PASS_WAIT) {
            result = write_segment(finder, segment, self);
        } else {
            result = write_together(finder, segment, self);
        }
    }
    return result;
}

/** The history of a buffer; nothing happened to a new one. */
static enum fg_result find_history(struct finder *finder, VkBuffer buffer,
                                   struct history **out_history)
{
    uint32_t index = 0;
    if (!fgi_map64_get(&finder->buffers, (uint64_t)buffer, &index)) {
        enum fg_result result = FGI_GROW(finder->allocator, finder->histories, finder->history_room,
                                         finder->history_count + 1, NOBODY);
        if (result != FG_OK) {
            return result;
        }
        struct history *history = &finder->histories[finder->history_count];
        *history = (struct history){ 0 };
        result = FGI_GROW(finder->allocator, history->segments, history->room, 8, ALL);
        if (result != FG_OK) {
            return result;
        }
        history->segments[history->count++] = (struct segment){ 0, NOBODY, NOBODY, NOBODY, NOBODY };
        index = (uint32_t)finder->history_count++;
        result = fgi_map64_put(&finder->buffers, (uint64_t)buffer, index);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_history = &finder->histories[index];
    return FG_OK;
}

/** One pass over a node's uses. A use that reads and writes is both; together, it is one write. */
static enum fg_result do_pass(struct finder *finder, uint32_t node, enum pass pass)
{
    const struct fg_compute_node *of = &finder->graph->nodes[node].node;
    const uint32_t count = fg_compute_node_use_count(of);
    const uint32_t access = pass == PASS_READ ? FG_COMPUTE_READ : FG_COMPUTE_WRITE;
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct fg_compute_use use = fg_compute_node_use(of, i);
        struct history *history = NULL;
        const bool is_together = (use.access & FG_COMPUTE_TOGETHER) != 0;
        if ((use.access & access) == 0 || use.view.size_bytes == 0 ||
            (is_together && pass == PASS_READ)) {
            continue;
        }
        result = FGI_GROW(finder->allocator, finder->accesses, finder->access_room,
                          finder->access_count + 1, NOBODY);
        if (result == FG_OK) {
            result = find_history(finder, use.view.buffer, &history);
        }
        if (result == FG_OK) {
            const uint32_t self = (uint32_t)finder->access_count++;
            const VkAccessFlags writes =
                is_together ? use.accesses : use.accesses & FGI_COMPUTE_WRITING;
            finder->accesses[self] = (struct access){
                .node = node,
                .is_together = is_together,
                .stages = use.stages,
                .accesses = pass == PASS_READ ? use.accesses & ~FGI_COMPUTE_WRITING : writes,
            };
            result = touch(finder, history, &use.view, pass, self);
        }
    }
    return result;
}

static enum fg_result add_node(struct finder *finder, uint32_t node)
{
    enum fg_result result = FG_OK;
    finder->edge_base = finder->edges->count;
    for (int pass = 0; result == FG_OK && pass < PASSES; pass++) {
        result = do_pass(finder, node, (enum pass)pass);
    }
    finder->graph->nodes[node].edge_first = (uint32_t)finder->edge_base;
    finder->graph->nodes[node].edge_count = (uint32_t)(finder->edges->count - finder->edge_base);
    return result;
}

static void finish(struct finder *finder)
{
    const struct fg_allocator *allocator = finder->allocator;
    for (size_t i = 0; i < finder->history_count; i++) {
        struct history *history = &finder->histories[i];
        fgi_free(allocator, history->segments, history->room * sizeof *history->segments);
    }
    fgi_free(allocator, finder->histories, finder->history_room * sizeof *finder->histories);
    fgi_free(allocator, finder->accesses, finder->access_room * sizeof *finder->accesses);
    fgi_free(allocator, finder->links, finder->link_room * sizeof *finder->links);
    fgi_free(allocator, finder->edge_of, finder->graph->node_count * sizeof *finder->edge_of);
    fgi_map64_finish(&finder->buffers);
}

enum fg_result fgi_graph_find_hazards(struct fg_compute_graph *graph, struct fgi_graph_edges *edges)
{
    struct finder finder = {
        .allocator = graph->compute->allocator,
        .graph = graph,
        .edges = edges,
        .buffers = { .allocator = graph->compute->allocator },
    };
    if (graph->node_count == 0) {
        return FG_OK;
    }
    finder.edge_of = fgi_calloc(finder.allocator, graph->node_count, sizeof *finder.edge_of);
    enum fg_result result = finder.edge_of != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; result == FG_OK && i < graph->node_count; i++) {
        result = add_node(&finder, i);
    }
    finish(&finder);
    return result;
}
