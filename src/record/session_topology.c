/* SPDX-License-Identifier: MIT */
/* The structure of a frame at a session's level: stated once per content, then only named. */
#include "record/session_priv.h"

#include <string.h>

/** What makes two frames share a topology: the graph as this level sees it, and the GPU passes. */
static uint64_t key_of(const struct fg_session *session, const struct fg_frame *frame)
{
    uint64_t graph = 0;
    if (frame->graph != NULL) {
        graph = session->level >= FG_CAP_LEVEL_STRUCTURE ? frame->graph->hash
                                                         : frame->graph->timing_hash;
    }
    return fgi_mix64(graph ^ fgi_mix64(frame->gpu_list_hash));
}

static uint32_t symbol_of(struct fg_session *session, const char *text)
{
    return fgi_session_symbol(session, text, strlen(text));
}

/** Arrays of the topology, in an arena that lives for this call. False: memory ran out. */
static bool fill_passes(struct fg_session *session, const struct fgi_graph *graph,
                        struct fgi_arena *arena, struct fg_cap_topology *topology)
{
    bool edges = session->level >= FG_CAP_LEVEL_STRUCTURE;
    size_t count = graph->desc.pass_count;
    struct fg_cap_graph_pass *passes = fgi_arena_alloc(arena, count + 1, sizeof *passes);
    struct fg_cap_scope *scopes =
        fgi_arena_alloc(arena, (size_t)graph->scope_count + 1, sizeof *scopes);
    if (passes == NULL || scopes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < graph->scope_count; i++) {
        scopes[i].name = symbol_of(session, graph->scope_list[i].name);
        scopes[i].parent = graph->scope_list[i].parent;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fg_graph_pass *pass = &graph->desc.passes[i];
        passes[i] = (struct fg_cap_graph_pass){
            .id = pass->id,
            .name = symbol_of(session, pass->name),
            .scope = graph->scopes[i],
            .flags =
                ((pass->flags & FG_GRAPH_PASS_SIDE_EFFECT) != 0 ? FG_CAP_PASS_SIDE_EFFECT : 0) |
                ((pass->flags & FG_GRAPH_PASS_ASYNC) != 0 ? FG_CAP_PASS_ASYNC : 0),
            .reads = pass->reads,
            .read_count = edges ? pass->read_count : 0,
            .writes = pass->writes,
            .write_count = edges ? pass->write_count : 0,
            .creates = pass->creates,
            .create_count = edges ? pass->create_count : 0,
        };
    }
    topology->name = symbol_of(session, graph->desc.name);
    topology->scopes = scopes;
    topology->scope_count = graph->scope_count;
    topology->passes = passes;
    topology->pass_count = count;
    return true;
}

static struct fg_cap_resource describe(struct fg_session *session, const struct fgi_graph *graph,
                                       uint32_t index)
{
    const struct fg_graph_resource *resource = &graph->desc.resources[index];
    const struct fg_resource_desc *desc = &resource->desc;
    bool texture = desc->kind == FG_RESOURCE_TEXTURE;
    bool cleared = (resource->flags & FG_RESOURCE_CLEARED) != 0;
    return (struct fg_cap_resource){
        .id = resource->id,
        .name = symbol_of(session, resource->name),
        .version = resource->version,
        .flags = resource->flags & (uint32_t)(FG_CAP_RESOURCE_TRANSIENT | FG_CAP_RESOURCE_IMPORTED),
        .producer = graph->producers[index],
        .kind = (uint32_t)desc->kind,
        .usage = desc->usage,
        .footprint_bytes = graph->footprints[index],
        .size_bytes = texture ? 0 : desc->size_bytes,
        .clear_offset = cleared && !texture ? desc->clear_offset_bytes : 0,
        .clear_bytes = cleared && !texture ? desc->clear_size_bytes : 0,
        .format = texture ? desc->format : 0,
        .dimension = !texture               ? 0
                     : desc->dimension != 0 ? desc->dimension
                                            : 2,
        .width = texture ? desc->width : 0,
        .height = !texture            ? 0
                  : desc->height != 0 ? desc->height
                                      : 1,
        .depth = !texture           ? 0
                 : desc->depth != 0 ? desc->depth
                                    : 1,
        .mip_count = !texture          ? 0
                     : desc->mips != 0 ? desc->mips
                                       : 1,
        .layer_count = !texture            ? 0
                       : desc->layers != 0 ? desc->layers
                                           : 1,
        .sample_count = !texture             ? 0
                        : desc->samples != 0 ? desc->samples
                                             : 1,
    };
}

static bool fill_resources(struct fg_session *session, const struct fgi_graph *graph,
                           struct fgi_arena *arena, struct fg_cap_topology *topology)
{
    size_t count = graph->desc.resource_count;
    size_t edge_count = graph->desc.edge_count;
    struct fg_cap_resource *resources = fgi_arena_alloc(arena, count + 1, sizeof *resources);
    struct fg_cap_edge *edges = fgi_arena_alloc(arena, edge_count + 1, sizeof *edges);
    if (resources == NULL || edges == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        resources[i] = describe(session, graph, i);
    }
    for (size_t i = 0; i < edge_count; i++) {
        edges[i] = (struct fg_cap_edge){ graph->desc.edges[i].from, graph->desc.edges[i].to };
    }
    topology->resources = resources;
    topology->resource_count = count;
    topology->edges = edges;
    topology->edge_count = edge_count;
    return true;
}

/** Graph pass of a GPU pass, if the graph has it. */
static uint32_t owner_of(const struct fg_frame *frame, const struct fgi_instance *instance)
{
    const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
    bool known =
        pass != NULL && frame->graph != NULL && pass->graph_pass < frame->graph->desc.pass_count;
    return known ? pass->graph_pass : FG_CAP_NONE;
}

static bool fill_gpu_passes(struct fg_session *session, const struct fg_frame *frame,
                            struct fgi_arena *arena, struct fg_cap_topology *topology)
{
    struct fg_cap_topology_gpu_pass *list =
        fgi_arena_alloc(arena, frame->instance_count + 1, sizeof *list);
    if (list == NULL) {
        return false;
    }
    for (size_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_instance *instance = &frame->instances[i];
        size_t size;
        const char *label = fgi_instance_label(frame, instance, &size);
        list[i] = (struct fg_cap_topology_gpu_pass){
            .owner = owner_of(frame, instance),
            .kind = fgi_instance_kind(frame, instance),
            .label = fgi_session_symbol(session, label, size),
        };
    }
    topology->gpu_passes = list;
    topology->gpu_pass_count = frame->instance_count;
    return true;
}

static enum fg_result state_topology(struct fg_session *session, const struct fg_frame *frame,
                                     uint32_t *out_id)
{
    struct fgi_arena arena = { .allocator = session->allocator };
    struct fg_cap_topology topology = { 0 };
    bool filled = fill_gpu_passes(session, frame, &arena, &topology);
    if (filled && frame->graph != NULL) {
        filled = fill_passes(session, frame->graph, &arena, &topology) &&
                 (session->level < FG_CAP_LEVEL_STRUCTURE ||
                  fill_resources(session, frame->graph, &arena, &topology));
    }
    enum fg_result result = !filled ? FG_ERR_NO_MEMORY
                            : session->result != FG_OK
                                ? session->result
                                : fg_capture_writer_topology(session->writer, &topology, out_id);
    fgi_arena_finish(&arena);
    return result;
}

uint32_t fgi_session_topology(struct fg_session *session, const struct fg_frame *frame, bool again)
{
    if (frame->graph == NULL && frame->instance_count == 0) {
        return FG_CAP_NONE;
    }
    uint64_t key = key_of(session, frame);
    struct fgi_known_topology *known = NULL;
    uint32_t count = session->topology_count < FGI_TOPOLOGIES_KEPT ? session->topology_count
                                                                   : FGI_TOPOLOGIES_KEPT;
    for (uint32_t i = 0; i < count; i++) {
        if (session->topologies[i].key == key) {
            known = &session->topologies[i];
        }
    }
    if (known != NULL && !again) {
        return known->id;
    }
    uint32_t id = FG_CAP_NONE;
    if (!fgi_session_ok(session, state_topology(session, frame, &id))) {
        return FG_CAP_NONE;
    }
    if (known == NULL) {
        known = &session->topologies[session->topology_count++ % FGI_TOPOLOGIES_KEPT];
    }
    *known = (struct fgi_known_topology){ key, id };
    return id;
}
