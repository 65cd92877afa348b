/* SPDX-License-Identifier: MIT */
/* What follows from the declarations: references, culling, order, lifetimes; and running it. */
#include "frame_graph.h"

#include <stddef.h>

static const struct rd_edge *edges_of(const struct rd_graph *graph, const struct rd_pass *pass)
{
    return &graph->edges[pass->first_edge];
}

static bool is_product(const struct rd_edge *edge)
{
    return edge->kind != RD_EDGE_READ;
}

/** The version that the pass needs to exist before it runs, or RD_GRAPH_NONE. */
static uint16_t needed_version(const struct rd_edge *edge)
{
    return edge->kind == RD_EDGE_READ ? edge->version : edge->previous;
}

static void count_references(struct rd_graph *graph)
{
    for (uint16_t v = 0; v < graph->version_count; v++) {
        struct rd_version *version = &graph->versions[v];
        const struct rd_resource *resource = &graph->resources[version->resource];
        version->ref_count =
            (uint16_t)(version->readers + (resource->kept && resource->last_version == v));
    }
    for (uint16_t p = 0; p < graph->pass_count; p++) {
        struct rd_pass *pass = &graph->passes[p];
        pass->culled = false;
        pass->ref_count = 0;
        for (uint16_t e = 0; e < pass->edge_count; e++) {
            pass->ref_count = (uint16_t)(pass->ref_count + is_product(&edges_of(graph, pass)[e]));
        }
    }
}

struct released {
    uint16_t versions[RD_GRAPH_MAX_VERSIONS];
    uint16_t count;
};

static void cull_pass(struct rd_graph *graph, struct rd_pass *pass, struct released *released)
{
    pass->culled = true;
    for (uint16_t e = 0; e < pass->edge_count; e++) {
        const uint16_t needed = needed_version(&edges_of(graph, pass)[e]);
        if (needed != RD_GRAPH_NONE && --graph->versions[needed].ref_count == 0) {
            released->versions[released->count++] = needed;
        }
    }
}

static bool may_go(const struct rd_pass *pass)
{
    return pass->ref_count == 0 && (pass->flags & RD_PASS_SIDE_EFFECT) == 0;
}

/** Versions that nobody reads release their producer; a culled pass releases what it read. */
static void cull(struct rd_graph *graph)
{
    struct released released = { .count = 0 };
    for (uint16_t v = 0; v < graph->version_count; v++) {
        if (graph->versions[v].ref_count == 0) {
            released.versions[released.count++] = v;
        }
    }
    for (uint16_t p = 0; p < graph->pass_count; p++) {
        /* A pass that only reads has no product to lose, and nothing to run for either. */
        if (may_go(&graph->passes[p])) {
            cull_pass(graph, &graph->passes[p], &released);
        }
    }
    while (released.count > 0) {
        const uint16_t producer = graph->versions[released.versions[--released.count]].producer;
        if (producer == RD_GRAPH_NONE) {
            continue;
        }
        struct rd_pass *pass = &graph->passes[producer];
        pass->ref_count--;
        if (may_go(pass)) {
            cull_pass(graph, pass, &released);
        }
    }
}

/** True when `before` must run ahead of `after`. */
static bool must_precede(const struct rd_graph *graph, uint16_t before, uint16_t after)
{
    const struct rd_pass *first = &graph->passes[before];
    const struct rd_pass *second = &graph->passes[after];
    for (uint16_t s = 0; s < second->edge_count; s++) {
        const struct rd_edge *edge = &edges_of(graph, second)[s];
        const uint16_t needed = needed_version(edge);
        if (needed != RD_GRAPH_NONE && graph->versions[needed].producer == before) {
            return true;
        }
        if (edge->kind != RD_EDGE_WRITE) {
            continue;
        }
        /* Whoever still wants the contents that `second` replaces. */
        for (uint16_t f = 0; f < first->edge_count; f++) {
            const struct rd_edge *other = &edges_of(graph, first)[f];
            if (other->kind == RD_EDGE_READ && other->version == edge->previous) {
                return true;
            }
        }
    }
    return false;
}

static bool sort_passes(struct rd_graph *graph)
{
    /* waits[p] = live passes that must run before p and have not; then 0 = ready. */
    uint16_t waits[RD_GRAPH_MAX_PASSES] = { 0 };
    bool before[RD_GRAPH_MAX_PASSES][RD_GRAPH_MAX_PASSES];
    bool done[RD_GRAPH_MAX_PASSES];
    uint16_t live = 0;
    for (uint16_t p = 0; p < graph->pass_count; p++) {
        done[p] = graph->passes[p].culled;
        live = (uint16_t)(live + !done[p]);
        for (uint16_t q = 0; q < graph->pass_count; q++) {
            before[q][p] =
                q != p && !done[p] && !graph->passes[q].culled && must_precede(graph, q, p);
            waits[p] = (uint16_t)(waits[p] + before[q][p]);
        }
    }
    graph->order_count = 0;
    while (graph->order_count < live) {
        uint16_t next = 0;
        while (next < graph->pass_count && (done[next] || waits[next] > 0)) {
            next++;
        }
        if (next == graph->pass_count) {
            graph->error = "passes wait for each other";
            return false;
        }
        done[next] = true;
        graph->order[graph->order_count++] = next;
        for (uint16_t p = 0; p < graph->pass_count; p++) {
            waits[p] = (uint16_t)(waits[p] - before[next][p]);
        }
    }
    return true;
}

static void find_lifetimes(struct rd_graph *graph)
{
    for (uint16_t r = 0; r < graph->resource_count; r++) {
        graph->resources[r].first_position = RD_GRAPH_NONE;
        graph->resources[r].last_position = RD_GRAPH_NONE;
        graph->resources[r].uses = 0;
    }
    for (uint16_t i = 0; i < graph->order_count; i++) {
        const struct rd_pass *pass = &graph->passes[graph->order[i]];
        for (uint16_t e = 0; e < pass->edge_count; e++) {
            const struct rd_edge *edge = &edges_of(graph, pass)[e];
            struct rd_resource *resource =
                &graph->resources[graph->versions[edge->version].resource];
            if (resource->first_position == RD_GRAPH_NONE) {
                resource->first_position = i;
            }
            resource->last_position = i;
            resource->uses |= edge->use;
        }
    }
}

bool rd_graph_compile(struct rd_graph *graph)
{
    if (graph->error != NULL) {
        return false;
    }
    count_references(graph);
    cull(graph);
    if (!sort_passes(graph)) {
        return false;
    }
    find_lifetimes(graph);
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = mix(hash, (unsigned char)*text);
    }
    return mix(hash, 0);
}

uint64_t rd_graph_hash(const struct rd_graph *graph)
{
    uint64_t hash = 0x51ed270b7f4a7c15u;
    for (uint16_t r = 0; r < graph->resource_count; r++) {
        const struct rd_resource *resource = &graph->resources[r];
        hash = mix_text(hash, resource->name);
        hash = mix(hash, (uint64_t)resource->imported << 1 | (uint64_t)resource->kind);
        hash = mix(hash, (uint64_t)resource->texture.width_px << 32 | resource->texture.height_px);
        hash =
            mix(hash, (uint64_t)resource->texture.layer_count << 8 | resource->texture.mip_count);
        hash = mix(hash, (uint64_t)resource->texture.format << 32 | resource->uses);
        hash = mix(hash, resource->buffer.size_bytes);
        hash = mix(hash, (uint64_t)resource->first_position << 16 | resource->last_position);
    }
    for (uint16_t p = 0; p < graph->pass_count; p++) {
        const struct rd_pass *pass = &graph->passes[p];
        hash = mix_text(hash, pass->name);
        hash = mix(hash, (uint64_t)pass->culled << 32 | pass->flags);
        for (uint16_t e = 0; e < pass->edge_count; e++) {
            const struct rd_edge *edge = &edges_of(graph, pass)[e];
            hash = mix(hash, (uint64_t)edge->use << 16 | edge->version);
        }
    }
    return hash;
}

static void tell_begin(const struct rd_graph *graph, uint16_t pass)
{
    for (uint16_t i = 0; i < graph->listener_count; i++) {
        graph->listeners[i].begin(graph->listeners[i].user, graph, pass);
    }
}

/** In reverse order, so that brackets of different listeners nest. */
static void tell_end(const struct rd_graph *graph, uint16_t pass)
{
    for (uint16_t i = graph->listener_count; i > 0; i--) {
        graph->listeners[i - 1].end(graph->listeners[i - 1].user, graph, pass);
    }
}

bool rd_graph_execute(const struct rd_graph *graph, const struct rd_graph_backend *backend)
{
    bool ok = true;
    for (uint16_t i = 0; ok && i < graph->order_count; i++) {
        const uint16_t index = graph->order[i];
        const struct rd_pass *pass = &graph->passes[index];
        if (backend != NULL && backend->before != NULL) {
            ok = backend->before(backend->user, graph, i);
        }
        if (!ok) {
            break;
        }
        tell_begin(graph, index);
        if (pass->execute != NULL) {
            ok = pass->execute(pass->user, pass->argument);
        }
        tell_end(graph, index);
    }
    return ok;
}
