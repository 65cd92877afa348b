/* SPDX-License-Identifier: MIT */
/* Frame graphs of a capture: topologies, scope paths, identities of passes. */
#include "base/bytes.h"
#include "convert/capture_to_trace_priv.h"
#include <string.h>

/* What is not known, or not there, has one value on both sides. */
_Static_assert(FG_NONE == FG_CAP_NONE, "");
_Static_assert(FG_UNKNOWN_BYTES == FG_CAP_UNKNOWN, "");

/*
 * Scope chains longer than this are cut at the outside: parents are before children, so none ring.
 */
enum { SCOPE_DEPTH_MAX = 64 };

uint32_t fgi_convert_scope_path(struct fgi_conversion *c, const struct fg_cap_topology *topology,
                                uint32_t scope)
{
    uint32_t chain[SCOPE_DEPTH_MAX];
    size_t depth = 0;
    while (scope < topology->scope_count && depth < SCOPE_DEPTH_MAX) {
        chain[depth++] = scope;
        scope = topology->scopes[scope].parent;
    }
    struct fgi_bytes path = { .allocator = c->allocator };
    for (size_t i = depth; i-- > 0;) {
        const char *name = fg_trace_text(c->backing->trace,
                                         fgi_convert_symbol(c, topology->scopes[chain[i]].name));
        fgi_put_raw(&path, name, strlen(name));
        if (i > 0) {
            fgi_put_u8(&path, '/');
        }
    }
    fgi_builder_fail(c->builder, path.result);
    uint32_t id =
        path.size > 0 ? fgi_builder_text(c->builder, (const char *)path.data, path.size) : 0;
    fgi_bytes_finish(&path);
    return id;
}

static void convert_resource(struct fgi_conversion *c, const struct fg_cap_resource *from,
                             struct fg_topology_resource *to)
{
    *to = (struct fg_topology_resource){
        .id = from->id,
        .name = fgi_convert_symbol(c, from->name),
        .version = from->version,
        .kind = from->kind == FG_CAP_RESOURCE_BUFFER    ? FG_NODE_BUFFER
                : from->kind == FG_CAP_RESOURCE_TEXTURE ? FG_NODE_TEXTURE
                                                        : FG_NODE_UNKNOWN,
        .transient = from->flags & FG_CAP_RESOURCE_TRANSIENT,
        .imported = from->flags & FG_CAP_RESOURCE_IMPORTED,
        .producer = from->producer,
        .footprint_bytes = from->footprint_bytes,
        .usage = from->usage,
        .size_bytes = from->size_bytes,
        .clear_offset_bytes = from->clear_offset,
        .clear_bytes = from->clear_bytes,
        .format = from->format,
        .dimension = from->dimension,
        .width = from->width,
        .height = from->height,
        .depth = from->depth,
        .mips = from->mip_count,
        .layers = from->layer_count,
        .samples = from->sample_count,
    };
}

/* The n-th pass of its name in its scope. Graphs without names have thousands under one: `seen`
 * knows the last one of each, so that the next is one step away. */
static uint32_t identity_of(struct fgi_conversion *c, struct fgi_map64 *seen, uint32_t name,
                            uint32_t scope)
{
    uint32_t last = 0;
    uint64_t key = (uint64_t)name << 32 | scope;
    uint32_t index = fgi_map64_get(seen, key, &last) ? fgi_builder_pass_after(c->builder, last)
                                                     : fgi_builder_pass(c->builder, name, scope, 0);
    if (index != FG_NONE) {
        fgi_builder_fail(c->builder, fgi_map64_put(seen, key, index));
    }
    return index;
}

static void fill_passes(struct fgi_conversion *c, const struct fg_cap_topology *from,
                        struct fg_topology_pass *passes)
{
    struct fgi_map64 seen = { .allocator = c->allocator };
    for (size_t i = 0; i < from->pass_count; i++) {
        const struct fg_cap_graph_pass *pass = &from->passes[i];
        uint32_t name = fgi_convert_symbol(c, pass->name);
        uint32_t scope = fgi_convert_scope_path(c, from, pass->scope);
        passes[i] = (struct fg_topology_pass){
            .id = pass->id,
            .pass = identity_of(c, &seen, name, scope),
            .name = name,
            .scope = scope,
            .scope_at = pass->scope,
            .side_effect = pass->flags & FG_CAP_PASS_SIDE_EFFECT,
            .async = pass->flags & FG_CAP_PASS_ASYNC,
            .reads = pass->reads,
            .writes = pass->writes,
            .creates = pass->creates,
            .read_count = (uint32_t)pass->read_count,
            .write_count = (uint32_t)pass->write_count,
            .create_count = (uint32_t)pass->create_count,
        };
    }
    fgi_map64_finish(&seen);
}

void fgi_convert_topology(struct fgi_conversion *c, const struct fg_cap_topology *from)
{
    struct fgi_arena arena = { .allocator = c->allocator };
    struct fg_topology_pass *passes = fgi_arena_alloc(&arena, from->pass_count + 1, sizeof *passes);
    struct fg_topology_resource *resources =
        fgi_arena_alloc(&arena, from->resource_count + 1, sizeof *resources);
    uint32_t *edges = fgi_arena_alloc(&arena, from->edge_count * 2 + 1, sizeof *edges);
    struct fg_topology_scope *scopes =
        fgi_arena_alloc(&arena, from->scope_count + 1, sizeof *scopes);
    if (!passes || !resources || !edges || !scopes) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        fgi_arena_finish(&arena);
        return;
    }
    fill_passes(c, from, passes);
    for (size_t i = 0; i < from->resource_count; i++) {
        convert_resource(c, &from->resources[i], &resources[i]);
    }
    for (size_t i = 0; i < from->scope_count; i++) {
        scopes[i] =
            (struct fg_topology_scope){ .name = fgi_convert_symbol(c, from->scopes[i].name),
                                        .path = fgi_convert_scope_path(c, from, (uint32_t)i),
                                        .parent = from->scopes[i].parent };
    }
    for (size_t i = 0; i < from->edge_count; i++) {
        edges[2 * i] = from->edges[i].from;
        edges[2 * i + 1] = from->edges[i].to;
    }
    struct fg_topology topology = {
        .hash = from->hash,
        .name = fgi_convert_symbol(c, from->name),
        .passes = passes,
        .pass_count = (uint32_t)from->pass_count,
        .scopes = scopes,
        .scope_count = (uint32_t)from->scope_count,
        .resources = resources,
        .resource_count = (uint32_t)from->resource_count,
        .edges = edges,
        .edge_count = (uint32_t)from->edge_count,
    };
    uint32_t index = fgi_builder_topology(c->builder, &topology);
    if (index != FG_NONE) {
        fgi_builder_fail(c->builder, fgi_map64_put(&c->topology_of, from->id, index));
    }
    fgi_arena_finish(&arena);
}
