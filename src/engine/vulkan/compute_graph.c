/* SPDX-License-Identifier: MIT */
/* A graph: its nodes, their order, and where barriers go. */
#include "engine/vulkan/compute_graph_priv.h"

#include "base/alloc.h"
#include "base/wide.h"

#include <string.h>

enum fg_result fg_compute_graph_create(struct fg_compute *compute,
                                       const struct fg_compute_graph_options *options,
                                       struct fg_compute_graph **out_graph)
{
    if (compute == NULL || out_graph == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_compute_graph *graph = fgi_calloc(compute->allocator, 1, sizeof *graph);
    if (graph == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    graph->compute = compute;
    graph->arena.allocator = compute->allocator;
    if (options != NULL) {
        graph->options = *options;
    }
    atomic_init(&graph->generation, 1);
    *out_graph = graph;
    return FG_OK;
}

void fg_compute_graph_destroy(struct fg_compute_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    const struct fg_allocator *allocator = graph->compute->allocator;
    fgi_free(allocator, graph->nodes, graph->node_room * sizeof *graph->nodes);
    fgi_free(allocator, graph->order, graph->order_room * sizeof *graph->order);
    fgi_free(allocator, graph->levels, graph->level_room * sizeof *graph->levels);
    fgi_arena_finish(&graph->arena);
    fgi_free(allocator, graph, sizeof *graph);
}

void fg_compute_graph_clear(struct fg_compute_graph *graph)
{
    (void)fg_compute_graph_cancel(graph);
    fgi_arena_reset(&graph->arena);
    graph->node_count = 0;
    graph->is_compiled = false;
    graph->counts = (struct fg_compute_graph_counts){ 0 };
}

static enum fg_result add_to_graph(void *context, const struct fg_compute_node *node)
{
    return fg_compute_graph_add(context, node);
}

struct fg_compute_sink fg_compute_graph_sink(struct fg_compute_graph *graph)
{
    return (struct fg_compute_sink){ add_to_graph, graph };
}

/** What the node points to becomes the graph's. */
static enum fg_result copy_node(struct fg_compute_graph *graph, struct fg_compute_node *node)
{
    const uint32_t push_bytes = node->program.kernel != NULL ? node->program.kernel->push_bytes : 0;
    node->name = fgi_arena_text(&graph->arena, node->name, strlen(node->name));
    if (node->name == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    if (push_bytes != 0) {
        void *push = fgi_arena_take(&graph->arena, 1, push_bytes);
        if (push == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        memcpy(push, node->push, push_bytes);
        node->push = push;
    }
    if (node->use_count != 0) {
        struct fg_compute_use *uses = fgi_arena_take(&graph->arena, node->use_count, sizeof *uses);
        if (uses == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        memcpy(uses, node->uses, node->use_count * sizeof *uses);
        node->uses = uses;
    }
    return FG_OK;
}

enum fg_result fg_compute_graph_add(struct fg_compute_graph *graph,
                                    const struct fg_compute_node *node)
{
    struct fgi_graph_node added = { 0 };
    if (graph == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (graph->is_compiled) {
        return FG_ERR_STATE;
    }
    enum fg_result result = fg_compute_node_check(graph->compute, node, NULL);
    if (result != FG_OK) {
        return result;
    }
    added.node = *node;
    if (node->kind != FG_COMPUTE_DISPATCH && node->kind != FG_COMPUTE_DISPATCH_INDIRECT) {
        added.node.program = (struct fg_compute_program){ 0 };
    }
    added.workload = fg_compute_node_workload(graph->compute, node);
    result = FGI_GROW(graph->compute->allocator, graph->nodes, graph->node_room,
                      graph->node_count + 1, FGI_GRAPH_MAX_NODES);
    if (result == FG_OK) {
        result = copy_node(graph, &added.node);
    }
    if (result == FG_OK) {
        graph->nodes[graph->node_count++] = added;
    }
    return result;
}

/** A node is one level above all that it waits for. Publications part the levels: what was added
 *  before stays at or below, what was added later at or above. Returns how many there are. */
static uint32_t find_levels(struct fg_compute_graph *graph, const struct fgi_graph_edges *edges)
{
    const bool in_order = (graph->options.flags & FG_COMPUTE_GRAPH_IN_ORDER) != 0;
    uint32_t base = 0;
    uint32_t top = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        struct fgi_graph_node *node = &graph->nodes[i];
        const bool publishes = node->node.kind == FG_COMPUTE_PUBLISH;
        uint32_t level = in_order || publishes ? top : base;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            const uint32_t from = edges->items[node->edge_first + e].from;
            if (level <= graph->nodes[from].level) {
                level = graph->nodes[from].level + 1;
            }
        }
        node->level = level;
        top = level > top ? level : top;
        base = publishes ? level : base;
    }
    return graph->node_count != 0 ? top + 1 : 0;
}

/** By level, then by addition. */
static void sort_nodes(struct fg_compute_graph *graph, uint32_t level_count)
{
    uint32_t place = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        graph->levels[graph->nodes[i].level].first++;
    }
    for (uint32_t i = 0; i < level_count; i++) {
        const uint32_t count = graph->levels[i].first;
        graph->levels[i].first = place;
        place += count;
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        graph->order[graph->levels[graph->nodes[i].level].first++] = (uint32_t)i;
    }
    for (uint32_t i = level_count; i > 0; i--) {
        graph->levels[i - 1].first = i > 1 ? graph->levels[i - 2].first : 0;
    }
}

static bool covers(const struct fgi_graph_scope *scope, const struct fgi_graph_edge *edge)
{
    return (edge->from_stages & ~scope->from_stages) == 0 &&
           (edge->from_accesses & ~scope->from_accesses) == 0 &&
           (edge->to_stages & ~scope->to_stages) == 0 &&
           (edge->to_accesses & ~scope->to_accesses) == 0;
}

/** Whether a barrier between the two is there for other nodes already. */
static bool is_covered(const struct fg_compute_graph *graph, const struct fgi_graph_edge *edge)
{
    for (uint32_t level = graph->nodes[edge->from].level + 1; level <= graph->nodes[edge->to].level;
         level++) {
        for (uint32_t i = 0; i < graph->levels[level].scope_count; i++) {
            if (covers(&graph->levels[level].scopes[i], edge)) {
                return true;
            }
        }
    }
    return false;
}

/** What comes of the same stages is one scope; the last takes what there is no room for. */
static void add_scope(struct fgi_graph_level *level, const struct fgi_graph_edge *edge)
{
    uint32_t at = 0;
    while (at < level->scope_count && level->scopes[at].from_stages != edge->from_stages) {
        at++;
    }
    if (at == FGI_GRAPH_SCOPES) {
        at--;
    } else if (at == level->scope_count) {
        level->scopes[level->scope_count++] = (struct fgi_graph_scope){ 0 };
    }
    struct fgi_graph_scope *scope = &level->scopes[at];
    scope->from_stages |= edge->from_stages;
    scope->from_accesses |= edge->from_accesses;
    scope->to_stages |= edge->to_stages;
    scope->to_accesses |= edge->to_accesses;
}

/** In the compiled order, so that a barrier is known to all that come later. */
static void place_barriers(struct fg_compute_graph *graph, const struct fgi_graph_edges *edges)
{
    for (size_t place = 0; place < graph->node_count; place++) {
        const struct fgi_graph_node *node = &graph->nodes[graph->order[place]];
        for (uint32_t e = 0; e < node->edge_count; e++) {
            const struct fgi_graph_edge *edge = &edges->items[node->edge_first + e];
            if (edge->from_stages != 0 && !is_covered(graph, edge)) {
                add_scope(&graph->levels[node->level], edge);
            }
        }
    }
}

/** What came before in the queue, for all that the graph does. Submitting orders the host. */
static void find_entry(struct fg_compute_graph *graph)
{
    struct fgi_graph_scope entry = { VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                                     0, 0 };
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct fg_compute_node *node = &graph->nodes[i].node;
        const uint32_t count = fg_compute_node_use_count(node);
        for (uint32_t u = 0; u < count; u++) {
            const struct fg_compute_use use = fg_compute_node_use(node, u);
            if (use.stages != VK_PIPELINE_STAGE_HOST_BIT) {
                entry.to_stages |= use.stages & ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT;
                entry.to_accesses |= use.accesses & ~(VkAccessFlags)(VK_ACCESS_HOST_READ_BIT |
                                                                     VK_ACCESS_HOST_WRITE_BIT);
            }
        }
    }
    if ((graph->options.flags & FG_COMPUTE_GRAPH_ENTERED) != 0 || entry.to_stages == 0) {
        entry.from_stages = 0;
    }
    graph->entry = entry;
}

bool fgi_compute_workload_is_any(const struct fg_compute_workload *workload)
{
    return workload->invocations != 0 || workload->commands != 0 || workload->read_bytes != 0 ||
           workload->write_bytes != 0;
}

struct fg_compute_workload fgi_compute_workload_sum(const struct fg_compute_workload *a,
                                                    const struct fg_compute_workload *b)
{
    return (struct fg_compute_workload){
        .invocations = fgi_add_saturated(a->invocations, b->invocations),
        .commands = fgi_add_saturated(a->commands, b->commands),
        .read_bytes = fgi_add_saturated(a->read_bytes, b->read_bytes),
        .write_bytes = fgi_add_saturated(a->write_bytes, b->write_bytes),
    };
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void count(struct fg_compute_graph *graph, uint32_t level_count, uint64_t hazard_count)
{
    struct fg_compute_graph_counts counts = { .nodes = (uint32_t)graph->node_count,
                                              .levels = level_count,
                                              .hazards = hazard_count };
    counts.barriers = graph->entry.from_stages != 0;
    for (uint32_t i = 0; i < level_count; i++) {
        counts.barriers += graph->levels[i].scope_count != 0;
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct fg_compute_workload *load = &graph->nodes[i].workload;
        struct fg_compute_workload *most = &counts.largest;
        counts.publications += graph->nodes[i].node.kind == FG_COMPUTE_PUBLISH;
        counts.workload = fgi_compute_workload_sum(&counts.workload, load);
        most->invocations = max_u64(most->invocations, load->invocations);
        most->commands = max_u64(most->commands, load->commands);
        most->read_bytes = max_u64(most->read_bytes, load->read_bytes);
        most->write_bytes = max_u64(most->write_bytes, load->write_bytes);
    }
    graph->counts = counts;
}

enum fg_result fg_compute_graph_compile(struct fg_compute_graph *graph)
{
    struct fgi_graph_edges edges = { 0 };
    if (graph == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (graph->is_compiled) {
        return FG_OK;
    }
    const struct fg_allocator *allocator = graph->compute->allocator;
    enum fg_result result = fgi_graph_find_hazards(graph, &edges);
    if (result == FG_OK) {
        result = FGI_GROW(allocator, graph->order, graph->order_room, graph->node_count,
                          FGI_GRAPH_MAX_NODES);
    }
    if (result == FG_OK) {
        const uint32_t level_count = find_levels(graph, &edges);
        result =
            FGI_GROW(allocator, graph->levels, graph->level_room, level_count, FGI_GRAPH_MAX_NODES);
        if (result == FG_OK) {
            if (level_count != 0) {
                memset(graph->levels, 0, level_count * sizeof *graph->levels);
            }
            sort_nodes(graph, level_count);
            place_barriers(graph, &edges);
            find_entry(graph);
            count(graph, level_count, edges.count);
            graph->is_compiled = true;
        }
    }
    fgi_free(allocator, edges.items, edges.room * sizeof *edges.items);
    return result;
}

void fg_compute_graph_get_counts(const struct fg_compute_graph *graph,
                                 struct fg_compute_graph_counts *out_counts)
{
    *out_counts = graph->counts;
}

const struct fgi_graph_node *fgi_graph_node_at(const struct fg_compute_graph *graph, uint32_t place)
{
    return &graph->nodes[graph->order[place]];
}
