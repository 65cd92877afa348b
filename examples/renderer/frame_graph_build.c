/* SPDX-License-Identifier: MIT */
/* Declaring a frame: passes, scopes, resources and the edges between them. */
#include "frame_graph.h"

#include <string.h>

static uint16_t fail(struct rd_graph *graph, const char *what)
{
    if (graph->error == NULL) {
        graph->error = what;
    }
    return RD_GRAPH_NONE;
}

void rd_graph_reset(struct rd_graph *graph)
{
    graph->pass_count = 0;
    graph->scope_count = 0;
    graph->resource_count = 0;
    graph->version_count = 0;
    graph->edge_count = 0;
    graph->order_count = 0;
    graph->error = NULL;
}

bool rd_graph_add_listener(struct rd_graph *graph, const struct rd_graph_listener *listener)
{
    if (graph->listener_count == RD_GRAPH_MAX_LISTENERS) {
        return false;
    }
    graph->listeners[graph->listener_count++] = *listener;
    return true;
}

void rd_graph_remove_listener(struct rd_graph *graph, const void *user)
{
    uint16_t kept = 0;
    for (uint16_t i = 0; i < graph->listener_count; i++) {
        if (graph->listeners[i].user != user) {
            graph->listeners[kept++] = graph->listeners[i];
        }
    }
    graph->listener_count = kept;
}

uint16_t rd_graph_scope(struct rd_graph *graph, uint16_t parent, const char *name)
{
    for (uint16_t i = 0; i < graph->scope_count; i++) {
        if (graph->scopes[i].parent == parent && strcmp(graph->scopes[i].name, name) == 0) {
            return i;
        }
    }
    if (graph->scope_count == RD_GRAPH_MAX_SCOPES) {
        return fail(graph, "too many scopes");
    }
    graph->scopes[graph->scope_count] = (struct rd_scope){ .name = name, .parent = parent };
    return graph->scope_count++;
}

uint16_t rd_graph_add_pass(struct rd_graph *graph, const struct rd_pass_desc *desc)
{
    if (graph->pass_count == RD_GRAPH_MAX_PASSES) {
        return fail(graph, "too many passes");
    }
    graph->passes[graph->pass_count] = (struct rd_pass){
        .name = desc->name,
        .scope = desc->scope,
        .kind = desc->kind,
        .flags = desc->flags,
        .first_edge = graph->edge_count,
        .execute = desc->execute,
        .user = desc->user,
        .argument = desc->argument,
    };
    return graph->pass_count++;
}

static uint16_t add_version(struct rd_graph *graph, uint16_t resource, uint16_t number,
                            uint16_t producer)
{
    if (graph->version_count == RD_GRAPH_MAX_VERSIONS) {
        return fail(graph, "too many resource versions");
    }
    graph->versions[graph->version_count] = (struct rd_version){
        .resource = resource,
        .number = number,
        .producer = producer,
    };
    graph->resources[resource].last_version = graph->version_count;
    return graph->version_count++;
}

static bool add_edge(struct rd_graph *graph, uint16_t pass, const struct rd_edge *edge)
{
    if (pass == RD_GRAPH_NONE || pass + 1 != graph->pass_count) {
        (void)fail(graph, "edges belong to the pass declared last");
        return false;
    }
    if (graph->edge_count == RD_GRAPH_MAX_EDGES) {
        (void)fail(graph, "too many edges");
        return false;
    }
    graph->edges[graph->edge_count++] = *edge;
    graph->passes[pass].edge_count++;
    return true;
}

static uint16_t add_resource(struct rd_graph *graph, const struct rd_resource *resource,
                             uint16_t producer)
{
    if (graph->resource_count == RD_GRAPH_MAX_RESOURCES) {
        return fail(graph, "too many resources");
    }
    graph->resources[graph->resource_count] = *resource;
    return add_version(graph, graph->resource_count++, 0, producer);
}

uint16_t rd_graph_import_texture(struct rd_graph *graph, const char *name,
                                 const struct rd_texture_desc *desc, void *external)
{
    const struct rd_resource resource = {
        .name = name,
        .kind = RD_RESOURCE_TEXTURE,
        .imported = true,
        .external = external,
        .texture = *desc,
    };
    return add_resource(graph, &resource, RD_GRAPH_NONE);
}

uint16_t rd_graph_import_buffer(struct rd_graph *graph, const char *name,
                                const struct rd_buffer_desc *desc, void *external)
{
    const struct rd_resource resource = {
        .name = name,
        .kind = RD_RESOURCE_BUFFER,
        .imported = true,
        .external = external,
        .buffer = *desc,
    };
    return add_resource(graph, &resource, RD_GRAPH_NONE);
}

void rd_graph_keep(struct rd_graph *graph, uint16_t version)
{
    if (version >= graph->version_count) {
        (void)fail(graph, "no such version to keep");
        return;
    }
    struct rd_resource *resource = &graph->resources[graph->versions[version].resource];
    if (!resource->imported || resource->last_version != version) {
        (void)fail(graph, "only the last version of an imported resource can be kept");
        return;
    }
    resource->kept = true;
}

void rd_graph_read(struct rd_graph *graph, uint16_t pass, uint16_t version, uint32_t use)
{
    if (version >= graph->version_count) {
        (void)fail(graph, "no such version to read");
        return;
    }
    const struct rd_edge edge = {
        .kind = RD_EDGE_READ, .version = version, .previous = RD_GRAPH_NONE, .use = use
    };
    if (add_edge(graph, pass, &edge)) {
        graph->versions[version].readers++;
    }
}

uint16_t rd_graph_write(struct rd_graph *graph, uint16_t pass, uint16_t version, uint32_t use)
{
    if (version >= graph->version_count) {
        return fail(graph, "no such version to write");
    }
    const uint16_t resource = graph->versions[version].resource;
    if (graph->resources[resource].last_version != version) {
        return fail(graph, "two passes write the same version");
    }
    const uint16_t next =
        add_version(graph, resource, (uint16_t)(graph->versions[version].number + 1), pass);
    const struct rd_edge edge = {
        .kind = RD_EDGE_WRITE, .version = next, .previous = version, .use = use
    };
    if (next == RD_GRAPH_NONE || !add_edge(graph, pass, &edge)) {
        return RD_GRAPH_NONE;
    }
    graph->versions[version].readers++;
    return next;
}

static uint16_t create(struct rd_graph *graph, uint16_t pass, const struct rd_resource *resource,
                       uint32_t use)
{
    const uint16_t version = add_resource(graph, resource, pass);
    const struct rd_edge edge = {
        .kind = RD_EDGE_CREATE, .version = version, .previous = RD_GRAPH_NONE, .use = use
    };
    if (version == RD_GRAPH_NONE || !add_edge(graph, pass, &edge)) {
        return RD_GRAPH_NONE;
    }
    return version;
}

uint16_t rd_graph_create_texture(struct rd_graph *graph, uint16_t pass, const char *name,
                                 const struct rd_texture_desc *desc, uint32_t use)
{
    const struct rd_resource resource = { .name = name,
                                          .kind = RD_RESOURCE_TEXTURE,
                                          .texture = *desc };
    return create(graph, pass, &resource, use);
}

uint16_t rd_graph_create_buffer(struct rd_graph *graph, uint16_t pass, const char *name,
                                const struct rd_buffer_desc *desc, uint32_t use)
{
    const struct rd_resource resource = { .name = name,
                                          .kind = RD_RESOURCE_BUFFER,
                                          .buffer = *desc };
    return create(graph, pass, &resource, use);
}
