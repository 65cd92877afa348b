/* SPDX-License-Identifier: MIT */
/* The resource versions of a topology and the edges between them and the passes. */
#include "view/view_priv.h"

enum {
    TAG_RES_NAME = 0x1150,
    TAG_RES_VERSION = 0x1151,
    TAG_RES_PREVIOUS = 0x1152,
    TAG_RES_KIND = 0x1153,
    TAG_RES_FLAGS = 0x1154,
    TAG_RES_BYTES = 0x1155,
    TAG_RES_FORMAT = 0x1156,
    TAG_RES_SIZE = 0x1157,
    TAG_RES_MIPS = 0x1158,
    TAG_RES_SAMPLES = 0x1159,
    TAG_RES_USAGE = 0x115A,
    TAG_RES_PRODUCER = 0x115B,
    TAG_RES_FIRST = 0x115C,
    TAG_RES_LAST = 0x115D,
    TAG_RES_ID = 0x115E,
    TAG_EDGE_PASS = 0x1160,
    TAG_EDGE_RES = 0x1161,
    TAG_EDGE_ACCESS = 0x1162,
};

enum { RES_TRANSIENT = 1, RES_IMPORTED = 2, RES_ONLY_CULLED = 4, SIZES = 5 };
enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_CREATE = 4 };

static void put_identity(struct fgi_ask *ask, const struct fg_topology *topology,
                         const uint8_t *live)
{
    uint32_t count = topology->resource_count;
    uint32_t *name = fgi_u32s(ask, TAG_RES_NAME, count);
    uint64_t *id = fgi_u64s(ask, TAG_RES_ID, count);
    uint32_t *version = fgi_u32s(ask, TAG_RES_VERSION, count);
    uint32_t *previous = fgi_u32s(ask, TAG_RES_PREVIOUS, count);
    uint32_t *producer = fgi_u32s(ask, TAG_RES_PRODUCER, count);
    uint32_t *first = fgi_u32s(ask, TAG_RES_FIRST, count);
    uint32_t *last = fgi_u32s(ask, TAG_RES_LAST, count);
    uint16_t *flags = fgi_u16s(ask, TAG_RES_FLAGS, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_topology_resource *resource = &topology->resources[i];
        name[i] = fgi_name(ask, resource->name);
        id[i] = resource->id;
        version[i] = resource->version;
        previous[i] = resource->previous;
        producer[i] = resource->producer;
        first[i] = resource->first_write;
        last[i] = resource->last_read;
        flags[i] = (uint16_t)((resource->transient ? RES_TRANSIENT : 0) |
                              (resource->imported ? RES_IMPORTED : 0) |
                              (live != NULL && live[i] == 0 ? RES_ONLY_CULLED : 0));
    }
}

static void put_descriptor(struct fgi_ask *ask, const struct fg_topology *topology)
{
    uint32_t count = topology->resource_count;
    uint8_t *kind = fgi_u8s(ask, TAG_RES_KIND, count);
    uint64_t *bytes = fgi_u64s(ask, TAG_RES_BYTES, count);
    uint32_t *format = fgi_u32s(ask, TAG_RES_FORMAT, count);
    uint32_t *size = fgi_u32s(ask, TAG_RES_SIZE, (size_t)count * SIZES);
    uint32_t *mips = fgi_u32s(ask, TAG_RES_MIPS, count);
    uint32_t *samples = fgi_u32s(ask, TAG_RES_SAMPLES, count);
    uint64_t *usage = fgi_u64s(ask, TAG_RES_USAGE, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_topology_resource *resource = &topology->resources[i];
        kind[i] = (uint8_t)resource->kind;
        bytes[i] = resource->footprint_bytes;
        format[i] = resource->format;
        size[SIZES * i] = resource->dimension;
        size[SIZES * i + 1] = resource->width;
        size[SIZES * i + 2] = resource->height;
        size[SIZES * i + 3] = resource->depth;
        size[SIZES * i + 4] = resource->layers;
        mips[i] = resource->mips;
        samples[i] = resource->samples;
        usage[i] = resource->usage;
    }
}

struct edge_list {
    uint32_t *pass, *resource;
    uint8_t *access;
    uint32_t count;
};

/*
 * Accesses of one pass, one edge for each resource, by resource. `bits` is zero before and after.
 */
static void put_edges_of(const struct fg_topology_pass *pass, uint32_t number, uint32_t resources,
                         uint8_t *bits, struct edge_list *to)
{
    for (uint32_t i = 0; i < pass->read_count; i++) {
        bits[pass->reads[i]] |= ACCESS_READ;
    }
    for (uint32_t i = 0; i < pass->write_count; i++) {
        bits[pass->writes[i]] |= ACCESS_WRITE;
    }
    for (uint32_t i = 0; i < pass->create_count; i++) {
        bits[pass->creates[i]] |= ACCESS_CREATE;
    }
    for (uint32_t i = 0; i < resources; i++) {
        if (bits[i] != 0) {
            to->pass[to->count] = number;
            to->resource[to->count] = i;
            to->access[to->count++] = bits[i];
            bits[i] = 0;
        }
    }
}

/* Which resources a pass that was kept uses. */
static void mark_live(const struct edge_list *edges, const struct fg_frame_pass *of_frame,
                      uint8_t *live)
{
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct fg_frame_pass *pass = &of_frame[edges->pass[i]];
        if (!pass->is_known || !pass->culled) {
            live[edges->resource[i]] = 1;
        }
    }
}

enum fg_result fgi_put_resources(struct fgi_ask *ask, const struct fg_topology *topology,
                                 const struct fg_frame_pass *of_frame)
{
    size_t most = 0;
    for (uint32_t i = 0; i < topology->pass_count; i++) {
        const struct fg_topology_pass *pass = &topology->passes[i];
        most += (size_t)pass->read_count + pass->write_count + pass->create_count;
    }
    uint8_t *bits = fgi_arena_alloc(ask->arena, (size_t)topology->resource_count + 1, 1);
    uint8_t *live = fgi_arena_alloc(ask->arena, (size_t)topology->resource_count + 1, 1);
    struct edge_list edges = {
        .pass = fgi_arena_alloc(ask->arena, most + 1, sizeof *edges.pass),
        .resource = fgi_arena_alloc(ask->arena, most + 1, sizeof *edges.resource),
        .access = fgi_arena_alloc(ask->arena, most + 1, 1),
    };
    if (bits == NULL || live == NULL || edges.pass == NULL || edges.resource == NULL ||
        edges.access == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < topology->pass_count; i++) {
        put_edges_of(&topology->passes[i], i, topology->resource_count, bits, &edges);
    }
    if (of_frame != NULL) {
        mark_live(&edges, of_frame, live);
    }
    put_identity(ask, topology, of_frame == NULL ? NULL : live);
    put_descriptor(ask, topology);
    fgi_reply_put(ask->reply, TAG_EDGE_PASS, FGI_TYPE_U32, edges.pass, edges.count);
    fgi_reply_put(ask->reply, TAG_EDGE_RES, FGI_TYPE_U32, edges.resource, edges.count);
    fgi_reply_put(ask->reply, TAG_EDGE_ACCESS, FGI_TYPE_U8, edges.access, edges.count);
    return FG_OK;
}
