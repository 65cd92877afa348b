/* SPDX-License-Identifier: MIT */
#include "record_graph.h"

#include "usage.h"

static struct fg_graph_resource convert_version(const struct rd_graph *graph, uint16_t index)
{
    const struct rd_version *version = &graph->versions[index];
    const struct rd_resource *resource = &graph->resources[version->resource];
    struct fg_graph_resource converted = {
        .id = rd_record_resource_id(version->resource),
        .version = version->number,
        .flags = resource->imported ? FG_RESOURCE_IMPORTED : FG_RESOURCE_TRANSIENT,
        .name = resource->name,
    };
    if (resource->kind == RD_RESOURCE_TEXTURE) {
        converted.desc = (struct fg_resource_desc){
            .kind = FG_RESOURCE_TEXTURE,
            .usage = rd_image_usage(resource->uses),
            .format = resource->texture.format,
            .width = resource->texture.width_px,
            .height = resource->texture.height_px,
            .layers = resource->texture.layer_count,
            .mips = resource->texture.mip_count,
        };
    } else {
        converted.desc = (struct fg_resource_desc){
            .kind = FG_RESOURCE_BUFFER,
            .usage = rd_buffer_usage(resource->uses),
            .size_bytes = resource->buffer.size_bytes,
        };
    }
    return converted;
}

/** Copy the versions of one kind of edge; @return where the next list begins. */
static uint32_t *copy_edges(const struct rd_graph *graph, const struct rd_pass *pass,
                            enum rd_edge_kind kind, uint32_t *out)
{
    for (uint16_t e = 0; e < pass->edge_count; e++) {
        const struct rd_edge *edge = &graph->edges[pass->first_edge + e];
        if (edge->kind == kind) {
            *out++ = edge->version;
        }
    }
    return out;
}

/** Outermost first. */
static uint32_t copy_scopes(const struct rd_graph *graph, uint16_t innermost,
                            const char *out_names[RD_RECORD_MAX_SCOPES])
{
    uint32_t count = 0;
    for (uint16_t s = innermost; s != RD_GRAPH_NONE && count < RD_RECORD_MAX_SCOPES;
         s = graph->scopes[s].parent) {
        count++;
    }
    uint16_t scope = innermost;
    for (uint32_t i = count; i > 0; i--) {
        out_names[i - 1] = graph->scopes[scope].name;
        scope = graph->scopes[scope].parent;
    }
    return count;
}

void rd_record_graph_into(struct fg_frame *frame, struct rd_recorded_graph *scratch,
                          const struct rd_graph *graph, uint64_t hash)
{
    uint32_t *next = scratch->indices;
    for (uint16_t v = 0; v < graph->version_count; v++) {
        scratch->resources[v] = convert_version(graph, v);
    }
    for (uint16_t p = 0; p < graph->pass_count; p++) {
        const struct rd_pass *pass = &graph->passes[p];
        uint32_t *const reads = next;
        uint32_t *const writes = copy_edges(graph, pass, RD_EDGE_READ, reads);
        uint32_t *const creates = copy_edges(graph, pass, RD_EDGE_WRITE, writes);
        next = copy_edges(graph, pass, RD_EDGE_CREATE, creates);
        scratch->passes[p] = (struct fg_graph_pass){
            .id = p,
            .name = pass->name,
            .scopes = scratch->scopes[p],
            .scope_count = copy_scopes(graph, pass->scope, scratch->scopes[p]),
            .flags = (pass->culled ? FG_GRAPH_PASS_CULLED : 0u) |
                     ((pass->flags & RD_PASS_SIDE_EFFECT) != 0 ? FG_GRAPH_PASS_SIDE_EFFECT : 0u) |
                     ((pass->flags & RD_PASS_ASYNC) != 0 ? FG_GRAPH_PASS_ASYNC : 0u),
            .ref_count = pass->ref_count,
            .reads = reads,
            .read_count = (uint32_t)(writes - reads),
            .writes = writes,
            .write_count = (uint32_t)(creates - writes),
            .creates = creates,
            .create_count = (uint32_t)(next - creates),
        };
    }
    const struct fg_graph_desc desc = {
        .name = "frame",
        .passes = scratch->passes,
        .pass_count = graph->pass_count,
        .resources = scratch->resources,
        .resource_count = graph->version_count,
        .revision = hash != 0 ? hash : 1,
    };
    fg_frame_set_graph(frame, &desc);
}
