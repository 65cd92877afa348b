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
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
};

/** Lists share their tails when a segment is cut. */
struct reader {
    uint32_t access;
    uint32_t next;
};

/** Up to where the next one begins. */
struct segment {
    uint64_t begin;
    uint32_t writer;  /**< access, or NOBODY */
    uint32_t readers; /**< list, or NOBODY */
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
    struct reader *readers;
    size_t reader_count;
    size_t reader_room;
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

static enum fg_result read_segment(struct finder *finder, struct segment *segment, uint32_t self)
{
    const struct access *to = &finder->accesses[self];
    enum fg_result result = FG_OK;
    if (segment->writer != NOBODY) {
        result = add_edge(finder, &finder->accesses[segment->writer], to, to->accesses);
    }
    if (result == FG_OK) {
        result = FGI_GROW(finder->allocator, finder->readers, finder->reader_room,
                          finder->reader_count + 1, NOBODY);
    }
    if (result == FG_OK) {
        finder->readers[finder->reader_count] = (struct reader){ self, segment->readers };
        segment->readers = (uint32_t)finder->reader_count++;
    }
    return result;
}

static enum fg_result write_segment(struct finder *finder, const struct segment *segment,
                                    uint32_t self)
{
    const struct access *to = &finder->accesses[self];
    enum fg_result result = FG_OK;
    for (uint32_t at = segment->readers; result == FG_OK && at != NOBODY;
         at = finder->readers[at].next) {
        result = add_edge(finder, &finder->accesses[finder->readers[at].access], to, 0);
    }
    /* Also where readers waited for it already: some of them are the host, and who checks
     * synchronization sees nothing of those that read by address. */
    if (result == FG_OK && segment->writer != NOBODY) {
        result = add_edge(finder, &finder->accesses[segment->writer], to, to->accesses);
    }
    return result;
}

/** One part of a node does not wait for another: who waits for this write waits for what else the
 *  same node did there. */
static void keep_own(struct finder *finder, const struct segment *segment, uint32_t self)
{
    struct access *to = &finder->accesses[self];
    if (segment->writer != NOBODY && finder->accesses[segment->writer].node == to->node) {
        to->stages |= finder->accesses[segment->writer].stages;
        to->accesses |= finder->accesses[segment->writer].accesses;
    }
    for (uint32_t at = segment->readers; at != NOBODY; at = finder->readers[at].next) {
        const struct access *reader = &finder->accesses[finder->readers[at].access];
        to->stages |= reader->node == to->node ? reader->stages : 0;
    }
}

/** All segments of a range become one, whose bytes have this writer. */
static void write_over(struct finder *finder, struct history *history, size_t first, size_t end,
                       uint32_t self)
{
    struct segment *segments = history->segments;
    for (size_t i = first; i < end; i++) {
        keep_own(finder, &segments[i], self);
    }
    segments[first].writer = self;
    segments[first].readers = NOBODY;
    memmove(&segments[first + 1], &segments[end], (history->count - end) * sizeof *segments);
    history->count -= end - first - 1;
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
    if (result == FG_OK && pass == PASS_WRITE) {
        write_over(finder, history, first, end, self);
        return FG_OK;
    }
    for (size_t i = first; result == FG_OK && i < end; i++) {
        struct segment *segment = &history->segments[i];
        result = pass == PASS_READ ? read_segment(finder, segment, self)
                                   : write_segment(finder, segment, self);
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
        history->segments[history->count++] = (struct segment){ 0, NOBODY, NOBODY };
        index = (uint32_t)finder->history_count++;
        result = fgi_map64_put(&finder->buffers, (uint64_t)buffer, index);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_history = &finder->histories[index];
    return FG_OK;
}

/** One pass over a node's uses. A use that reads and writes is both. */
static enum fg_result do_pass(struct finder *finder, uint32_t node, enum pass pass)
{
    const struct fg_compute_node *of = &finder->graph->nodes[node].node;
    const uint32_t count = fg_compute_node_use_count(of);
    const uint32_t access = pass == PASS_READ ? FG_COMPUTE_READ : FG_COMPUTE_WRITE;
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct fg_compute_use use = fg_compute_node_use(of, i);
        struct history *history = NULL;
        if ((use.access & access) == 0 || use.view.size_bytes == 0) {
            continue;
        }
        result = FGI_GROW(finder->allocator, finder->accesses, finder->access_room,
                          finder->access_count + 1, NOBODY);
        if (result == FG_OK) {
            result = find_history(finder, use.view.buffer, &history);
        }
        if (result == FG_OK) {
            const uint32_t self = (uint32_t)finder->access_count++;
            finder->accesses[self] = (struct access){
                .node = node,
                .stages = use.stages,
                .accesses = pass == PASS_READ ? use.accesses & ~FGI_COMPUTE_WRITING
                                              : use.accesses & FGI_COMPUTE_WRITING,
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
    fgi_free(allocator, finder->readers, finder->reader_room * sizeof *finder->readers);
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
