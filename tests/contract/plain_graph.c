/* SPDX-License-Identifier: MIT */
#include "plain_graph.h"
#include "plain_trace.h"

static void add_item(struct plain_list *list, uint32_t item)
{
    if (list->count < PLAIN_LIST_MAX) {
        list->items[list->count++] = item;
    }
}

static void make_resources(struct plain_graph *graph, struct plain_trace *p)
{
    for (uint32_t i = 0; i < graph->resource_count; i++) {
        graph->resources[i] = (struct plain_graph_resource){
            .id = 1 + plain_below(p, 6),
            .version = i * 7 % PLAIN_RESOURCES_MAX, /* each once, in no order */
            .footprint_bytes = plain_below(p, 4) == 0 ? FG_UNKNOWN_BYTES : plain_below(p, 1000),
            .producer = plain_below(p, 5) == 0 ? plain_below(p, graph->pass_count + 2) : FG_NONE,
            .imported = plain_below(p, 8) == 0,
        };
    }
}

void plain_graph_make(struct plain_graph *graph, struct plain_trace *p)
{
    bool rings = plain_below(p, 6) == 0;
    *graph = (struct plain_graph){ .pass_count = plain_below(p, PLAIN_PASSES_MAX + 1),
                                   .resource_count = plain_below(p, PLAIN_RESOURCES_MAX + 1) };
    make_resources(graph, p);
    for (uint32_t i = 0; i < graph->resource_count && graph->pass_count > 0; i++) {
        /* One makes it, later ones read it; some versions are used by nobody. */
        uint32_t maker = plain_below(p, graph->pass_count);
        struct plain_graph_pass *made_by = &graph->passes[maker];
        if (plain_below(p, 6) > 0) {
            add_item(plain_below(p, 2) ? &made_by->creates : &made_by->writes, i);
        }
        if (plain_below(p, 6) == 0) { /* and another one writes the same version */
            add_item(&graph->passes[plain_below(p, graph->pass_count)].writes, i);
        }
        for (uint32_t readers = plain_below(p, 4); readers > 0; readers--) {
            uint32_t first = rings || maker + 1 == graph->pass_count ? 0 : maker + 1;
            uint32_t reader = first + plain_below(p, graph->pass_count - first);
            if (rings || reader > maker) {
                add_item(&graph->passes[reader].reads, i);
            }
        }
    }
    for (uint32_t i = 0; i < graph->pass_count; i++) {
        if (plain_below(p, 20) == 0 && graph->passes[i].reads.count < PLAIN_LIST_MAX) {
            add_item(&graph->passes[i].reads, graph->resource_count + plain_below(p, 3));
            graph->bad_count++;
        }
    }
    graph->edge_count = graph->pass_count > 1 ? plain_below(p, PLAIN_EDGES_MAX) : 0;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        uint32_t to = 1 + plain_below(p, graph->pass_count - 1);
        graph->edges[2 * i] = plain_below(p, rings ? graph->pass_count : to);
        graph->edges[2 * i + 1] = to;
    }
}

uint32_t plain_graph_add(const struct plain_graph *graph, struct fgi_builder *builder,
                         const uint32_t *identities)
{
    struct fg_topology_pass passes[PLAIN_PASSES_MAX] = { 0 };
    struct fg_topology_resource resources[PLAIN_RESOURCES_MAX] = { 0 };
    for (uint32_t i = 0; i < graph->pass_count; i++) {
        const struct plain_graph_pass *pass = &graph->passes[i];
        passes[i].pass = identities[i];
        passes[i].reads = pass->reads.items;
        passes[i].read_count = pass->reads.count;
        passes[i].writes = pass->writes.items;
        passes[i].write_count = pass->writes.count;
        passes[i].creates = pass->creates.items;
        passes[i].create_count = pass->creates.count;
    }
    for (uint32_t i = 0; i < graph->resource_count; i++) {
        const struct plain_graph_resource *resource = &graph->resources[i];
        resources[i].id = resource->id;
        resources[i].version = resource->version;
        resources[i].producer = resource->producer;
        resources[i].imported = resource->imported;
        resources[i].footprint_bytes = resource->footprint_bytes;
    }
    return fgi_builder_topology(builder,
                                &(struct fg_topology){ .passes = passes,
                                                       .pass_count = graph->pass_count,
                                                       .resources = resources,
                                                       .resource_count = graph->resource_count,
                                                       .edges = graph->edges,
                                                       .edge_count = graph->edge_count });
}
