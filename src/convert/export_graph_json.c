/* SPDX-License-Identifier: MIT */
/* The frame graphs of a trace: passes, resource versions and edges of every topology. */
#include "base/json.h"
#include "convert/exporter_priv.h"
#include <frameglass/trace_structure.h>

#include <stdio.h>

struct graph {
    const struct fg_trace *trace;
    struct fgi_json json;
    uint64_t frame_count;
};

static void key_name(struct graph *graph, const char *key, uint32_t text)
{
    fgi_json_key_text(&graph->json, key, fg_trace_text(graph->trace, text));
}

/* An index or a size, or null when there is none. */
static void key_maybe(struct graph *graph, const char *key, bool is_there, uint64_t value)
{
    fgi_json_key(&graph->json, key);
    if (is_there) {
        fgi_json_uint(&graph->json, value);
    } else {
        fgi_json_null(&graph->json);
    }
}

static void key_indices(struct graph *graph, const char *key, const uint32_t *items, uint32_t count)
{
    fgi_json_key(&graph->json, key);
    fgi_json_inline_array_begin(&graph->json);
    for (uint32_t i = 0; i < count; i++) {
        fgi_json_uint(&graph->json, items[i]);
    }
    fgi_json_array_end(&graph->json);
}

/* In how many frames a pass was culled, and how many say anything about it. */
static void count_culled(const struct graph *graph, uint32_t topology, uint32_t pass,
                         uint64_t *out_culled, uint64_t *out_known)
{
    *out_culled = 0;
    *out_known = 0;
    for (uint32_t i = 0; i < graph->frame_count; i++) {
        const struct fg_trace_frame *frame = fg_trace_frame(graph->trace, i);
        const struct fg_frame_pass *passes =
            frame->topology == topology ? fg_trace_frame_passes(graph->trace, i) : NULL;
        if (passes != NULL && passes[pass].is_known) {
            *out_known += 1;
            *out_culled += passes[pass].culled;
        }
    }
}

static void write_pass(struct graph *graph, uint32_t topology, uint32_t index,
                       const struct fg_topology_pass *pass)
{
    struct fgi_json *json = &graph->json;
    uint64_t culled;
    uint64_t known;
    count_culled(graph, topology, index, &culled, &known);
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "index", index);
    fgi_json_key_uint(json, "id", pass->id);
    key_name(graph, "name", pass->name);
    key_name(graph, "scope", pass->scope);
    fgi_json_key_bool(json, "side_effect", pass->side_effect);
    fgi_json_key_bool(json, "async", pass->async);
    key_indices(graph, "reads", pass->reads, pass->read_count);
    key_indices(graph, "writes", pass->writes, pass->write_count);
    key_indices(graph, "creates", pass->creates, pass->create_count);
    fgi_json_key_uint(json, "known_frames", known);
    fgi_json_key_uint(json, "culled_frames", culled);
    fgi_json_object_end(json);
}

static const char *kind_name(enum fg_node_kind kind)
{
    switch (kind) {
    case FG_NODE_BUFFER:
        return "buffer";
    case FG_NODE_TEXTURE:
        return "texture";
    case FG_NODE_ACCELERATION:
        return "acceleration";
    case FG_NODE_UNKNOWN:
        break;
    }
    return "unknown";
}

static void write_descriptor(struct graph *graph, const struct fg_topology_resource *resource)
{
    struct fgi_json *json = &graph->json;
    fgi_json_key_uint(json, "usage", resource->usage);
    if (resource->kind == FG_NODE_BUFFER) {
        fgi_json_key_uint(json, "size_bytes", resource->size_bytes);
        fgi_json_key_uint(json, "clear_offset_bytes", resource->clear_offset_bytes);
        fgi_json_key_uint(json, "clear_bytes", resource->clear_bytes);
    } else if (resource->kind == FG_NODE_TEXTURE) {
        fgi_json_key_uint(json, "format", resource->format);
        fgi_json_key_uint(json, "dimension", resource->dimension);
        fgi_json_key_uint(json, "width", resource->width);
        fgi_json_key_uint(json, "height", resource->height);
        fgi_json_key_uint(json, "depth", resource->depth);
        fgi_json_key_uint(json, "mips", resource->mips);
        fgi_json_key_uint(json, "layers", resource->layers);
        fgi_json_key_uint(json, "samples", resource->samples);
    }
}

static void write_resource(struct graph *graph, uint32_t index,
                           const struct fg_topology_resource *resource)
{
    struct fgi_json *json = &graph->json;
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "index", index);
    fgi_json_key_uint(json, "id", resource->id);
    key_name(graph, "name", resource->name);
    fgi_json_key_uint(json, "version", resource->version);
    key_maybe(graph, "previous", resource->previous != FG_NONE, resource->previous);
    fgi_json_key_text(json, "kind", kind_name(resource->kind));
    fgi_json_key_bool(json, "transient", resource->transient);
    fgi_json_key_bool(json, "imported", resource->imported);
    key_maybe(graph, "producer", resource->producer != FG_NONE, resource->producer);
    key_maybe(graph, "first_write", resource->first_write != FG_NONE, resource->first_write);
    key_maybe(graph, "last_read", resource->last_read != FG_NONE, resource->last_read);
    key_indices(graph, "readers", resource->readers, resource->reader_count);
    key_maybe(graph, "declared_bytes", resource->footprint_bytes != FG_UNKNOWN_BYTES,
              resource->footprint_bytes);
    write_descriptor(graph, resource);
    fgi_json_object_end(json);
}

static void write_edge(struct graph *graph, uint32_t from, uint32_t to, uint32_t resource)
{
    fgi_json_inline_object_begin(&graph->json);
    fgi_json_key_uint(&graph->json, "from", from);
    fgi_json_key_uint(&graph->json, "to", to);
    key_maybe(graph, "resource", resource != FG_NONE, resource);
    fgi_json_object_end(&graph->json);
}

/* Who made a version to everyone who reads it; then the orders that no resource explains. */
static void write_edges(struct graph *graph, const struct fg_topology *topology)
{
    fgi_json_key(&graph->json, "edges");
    fgi_json_array_begin(&graph->json);
    for (uint32_t i = 0; i < topology->resource_count; i++) {
        const struct fg_topology_resource *resource = &topology->resources[i];
        for (uint32_t j = 0; resource->producer != FG_NONE && j < resource->reader_count; j++) {
            write_edge(graph, resource->producer, resource->readers[j], i);
        }
    }
    for (uint32_t i = 0; i < topology->edge_count; i++) {
        write_edge(graph, topology->edges[2 * i], topology->edges[2 * i + 1], FG_NONE);
    }
    fgi_json_array_end(&graph->json);
}

static void write_topology(struct graph *graph, uint32_t index, const struct fg_topology *topology)
{
    struct fgi_json *json = &graph->json;
    const struct fg_trace_frame *first = fg_trace_frame(graph->trace, topology->first_frame);
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)topology->hash);
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "index", index);
    fgi_json_key_text(json, "hash", hash);
    key_name(graph, "name", topology->name);
    fgi_json_key_uint(json, "frames", topology->frame_count);
    key_maybe(graph, "first_frame", first != NULL, first != NULL ? first->id : 0);
    fgi_json_key_uint(json, "declared_bytes", topology->declared_bytes);
    fgi_json_key_uint(json, "peak_bytes", topology->peak_bytes);
    fgi_json_key_uint(json, "resources_of_unknown_size", topology->unknown_bytes_count);
    fgi_json_key(json, "passes");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < topology->pass_count; i++) {
        write_pass(graph, index, i, &topology->passes[i]);
    }
    fgi_json_array_end(json);
    fgi_json_key(json, "resources");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < topology->resource_count; i++) {
        write_resource(graph, i, &topology->resources[i]);
    }
    fgi_json_array_end(json);
    write_edges(graph, topology);
    fgi_json_object_end(json);
}

static enum fg_result write_graph_json(const struct fgi_export *work)
{
    struct fg_trace_info info;
    fg_trace_get_info(work->trace, &info);
    struct graph graph = {
        .trace = work->trace,
        .json = { .sink = work->sink, .indent = 1 },
        .frame_count = info.frames,
    };
    bool cancelled = false;
    fgi_json_object_begin(&graph.json);
    fgi_json_key_text(&graph.json, "format", "frameglass-graph");
    fgi_json_key_uint(&graph.json, "version", 1);
    fgi_json_key(&graph.json, "topologies");
    fgi_json_array_begin(&graph.json);
    for (uint32_t i = 0; i < info.topologies && !cancelled; i++) {
        const struct fg_topology *topology = fg_trace_topology(work->trace, i);
        if (topology != NULL) {
            write_topology(&graph, i, topology);
        }
        cancelled = work->progress != NULL &&
                    !work->progress(work->progress_context, i + 1, info.topologies);
    }
    fgi_json_array_end(&graph.json);
    fgi_json_object_end(&graph.json);
    enum fg_result result = fgi_json_finish(&graph.json);
    return cancelled ? FG_ERR_CANCELLED : result;
}

const struct fgi_exporter fgi_exporter_graph_json = {
    .name = "graph-json",
    .about = "passes, resources and edges of every frame graph",
    .write = write_graph_json,
};
