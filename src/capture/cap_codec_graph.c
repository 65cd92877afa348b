/* SPDX-License-Identifier: MIT */
/* TOPO: the frame graph as it was compiled. FORMAT.md, 6.1. */
#include "capture/cap_codec.h"

static void fields_scope(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_scope *scope = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_symbol(codec, "name", &scope->name);
    fgi_c_opt32(codec, "parent", &scope->parent);
    fgi_c_struct_end(codec);
}

static void fields_graph_pass(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_graph_pass *pass = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "id", &pass->id);
    fgi_c_symbol(codec, "name", &pass->name);
    fgi_c_opt32(codec, "scope", &pass->scope);
    fgi_c_u32(codec, "flags", &pass->flags);
    FGI_C_LIST(codec, pass, reads, read_count, 1, fgi_fields_u32_item);
    FGI_C_LIST(codec, pass, writes, write_count, 1, fgi_fields_u32_item);
    FGI_C_LIST(codec, pass, creates, create_count, 1, fgi_fields_u32_item);
    fgi_c_struct_end(codec);
}

static void fields_resource(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_resource *resource = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "id", &resource->id);
    fgi_c_symbol(codec, "name", &resource->name);
    fgi_c_u32(codec, "version", &resource->version);
    fgi_c_u32(codec, "flags", &resource->flags);
    fgi_c_opt32(codec, "producer", &resource->producer);
    fgi_c_u32(codec, "kind", &resource->kind);
    fgi_c_u64(codec, "usage", &resource->usage);
    fgi_c_opt64(codec, "footprint_bytes", &resource->footprint_bytes);
    bool all = codec->mode == FGI_CODEC_VISIT;
    if (all || resource->kind == FG_CAP_RESOURCE_BUFFER) {
        fgi_c_u64(codec, "size_bytes", &resource->size_bytes);
        fgi_c_u64(codec, "clear_offset", &resource->clear_offset);
        fgi_c_u64(codec, "clear_bytes", &resource->clear_bytes);
    }
    if (all || resource->kind == FG_CAP_RESOURCE_TEXTURE) {
        fgi_c_u32(codec, "format", &resource->format);
        fgi_c_u32(codec, "dimension", &resource->dimension);
        fgi_c_u32(codec, "width", &resource->width);
        fgi_c_u32(codec, "height", &resource->height);
        fgi_c_u32(codec, "depth", &resource->depth);
        fgi_c_u32(codec, "mip_count", &resource->mip_count);
        fgi_c_u32(codec, "layer_count", &resource->layer_count);
        fgi_c_u32(codec, "sample_count", &resource->sample_count);
    }
    fgi_c_struct_end(codec);
}

static void fields_topology_gpu_pass(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_topology_gpu_pass *pass = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_opt32(codec, "owner", &pass->owner);
    fgi_c_u32(codec, "kind", &pass->kind);
    fgi_c_symbol(codec, "label", &pass->label);
    fgi_c_struct_end(codec);
}

static void fields_edge(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_edge *edge = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "from", &edge->from);
    fgi_c_u32(codec, "to", &edge->to);
    fgi_c_struct_end(codec);
}

void fgi_fields_topology_body(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_topology *topology = payload;
    fgi_c_symbol(codec, "name", &topology->name);
    FGI_C_LIST(codec, topology, scopes, scope_count, 2, fields_scope);
    FGI_C_LIST(codec, topology, passes, pass_count, 7, fields_graph_pass);
    FGI_C_LIST(codec, topology, resources, resource_count, 8, fields_resource);
    FGI_C_LIST(codec, topology, gpu_passes, gpu_pass_count, 3, fields_topology_gpu_pass);
    FGI_C_LIST(codec, topology, edges, edge_count, 2, fields_edge);
}

void fgi_fields_topology(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_topology *topology = payload;
    fgi_c_u32(codec, "id", &topology->id);
    fgi_c_fix64(codec, "hash", &topology->hash);
    fgi_fields_topology_body(codec, payload);
}
