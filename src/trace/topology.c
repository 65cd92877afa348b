/* SPDX-License-Identifier: MIT */
/* Frame graphs: copied in, completed by what follows from them, and asked for transitive inputs. */
#include "base/alloc.h"
#include "trace/build.h"
#include <string.h>

/* Copy a list of indices below `limit`; what is out of range is left out and counted. */
static uint32_t *copy_indices(struct fgi_builder *builder, const uint32_t *indices, uint32_t *count,
                              size_t limit)
{
    if (*count == 0) {
        return NULL;
    }
    uint32_t *copy = fgi_arena_alloc(&builder->trace->arena, *count, sizeof *copy);
    uint32_t kept = 0;
    for (uint32_t i = 0; copy && i < *count; i++) {
        if (indices[i] < limit) {
            copy[kept++] = indices[i];
        }
    }
    if (!copy) {
        fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
    } else if (kept < *count) {
        fgi_builder_repair(builder, "bad_graph_index", *count - kept, UINT64_MAX);
    }
    *count = kept;
    return copy;
}

uint32_t fgi_builder_topology(struct fgi_builder *builder, const struct fg_topology *topology)
{
    struct fg_trace *trace = builder->trace;
    struct fg_topology copy = *topology;
    struct fg_topology_pass *passes = NULL;
    struct fg_topology_resource *resources = NULL;
    if (builder->result != FG_OK) {
        return FG_NONE;
    }
    copy.frame_count = 0;
    copy.first_frame = FG_NONE;
    if (copy.pass_count > 0) {
        passes = fgi_arena_alloc(&trace->arena, copy.pass_count, sizeof *passes);
    }
    if (copy.resource_count > 0) {
        resources = fgi_arena_alloc(&trace->arena, copy.resource_count, sizeof *resources);
    }
    if ((copy.pass_count > 0 && !passes) || (copy.resource_count > 0 && !resources)) {
        fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
        return FG_NONE;
    }
    for (uint32_t i = 0; i < copy.pass_count; i++) {
        struct fg_topology_pass *pass = &passes[i];
        *pass = topology->passes[i];
        pass->reads = copy_indices(builder, pass->reads, &pass->read_count, copy.resource_count);
        pass->writes = copy_indices(builder, pass->writes, &pass->write_count, copy.resource_count);
        pass->creates =
            copy_indices(builder, pass->creates, &pass->create_count, copy.resource_count);
    }
    if (resources) {
        memcpy(resources, topology->resources, copy.resource_count * sizeof *resources);
    }
    if (copy.scope_count > 0) {
        struct fg_topology_scope *scopes =
            fgi_arena_alloc(&trace->arena, copy.scope_count, sizeof *scopes);
        if (!scopes) {
            fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
            return FG_NONE;
        }
        memcpy(scopes, topology->scopes, copy.scope_count * sizeof *scopes);
        copy.scopes = scopes;
    }
    copy.passes = passes;
    copy.resources = resources;
    uint32_t ends = copy.edge_count * 2;
    uint32_t *edges = copy_indices(builder, copy.edges, &ends, copy.pass_count);
    copy.edges = ends == copy.edge_count * 2 ? edges : NULL; /* a half edge would pair wrongly */
    copy.edge_count = copy.edges ? copy.edge_count : 0;
    fgi_builder_fail(builder, fgi_topology_finish(trace, &copy));
    fgi_builder_fail(builder,
                     FGI_GROW(trace->allocator, trace->topologies.items, trace->topologies.capacity,
                              trace->topologies.count + 1, FGI_FIND));
    if (builder->result != FG_OK) {
        return FG_NONE;
    }
    trace->topologies.items[trace->topologies.count] = copy;
    return (uint32_t)trace->topologies.count++;
}

static void widen(uint32_t *first, uint32_t *last, uint32_t pass)
{
    *first = *first == FG_NONE || pass < *first ? pass : *first;
    *last = *last == FG_NONE || pass > *last ? pass : *last;
}

/* Producers, first writes, last reads, readers, and the last pass that makes or writes each. */
static enum fg_result find_users(struct fg_trace *trace, struct fg_topology *topology,
                                 struct fg_topology_resource *resources, uint32_t *last_writes)
{
    for (uint32_t i = 0; i < topology->resource_count; i++) {
        struct fg_topology_resource *r = &resources[i];
        r->producer = r->producer < topology->pass_count ? r->producer : FG_NONE;
        r->first_write = r->producer;
        last_writes[i] = r->producer;
        r->last_read = FG_NONE;
        r->readers = NULL;
        r->reader_count = 0;
    }
    for (uint32_t p = 0; p < topology->pass_count; p++) {
        const struct fg_topology_pass *pass = &topology->passes[p];
        for (uint32_t i = 0; i < pass->write_count + pass->create_count; i++) {
            uint32_t index =
                i < pass->write_count ? pass->writes[i] : pass->creates[i - pass->write_count];
            struct fg_topology_resource *r = &resources[index];
            r->producer = r->producer == FG_NONE ? p : r->producer;
            widen(&r->first_write, &last_writes[index], p);
        }
        for (uint32_t i = 0; i < pass->read_count; i++) {
            resources[pass->reads[i]].reader_count++;
        }
    }
    for (uint32_t i = 0; i < topology->resource_count; i++) {
        struct fg_topology_resource *r = &resources[i];
        if (r->reader_count > 0) {
            r->readers = fgi_arena_alloc(&trace->arena, r->reader_count, sizeof(uint32_t));
            if (!r->readers) {
                return FG_ERR_NO_MEMORY;
            }
            r->reader_count = 0;
        }
    }
    for (uint32_t p = 0; p < topology->pass_count; p++) {
        const struct fg_topology_pass *pass = &topology->passes[p];
        for (uint32_t i = 0; i < pass->read_count; i++) {
            struct fg_topology_resource *r = &resources[pass->reads[i]];
            uint32_t *readers = (uint32_t *)r->readers; /* ours until the topology is finished */
            if (r->reader_count == 0 || readers[r->reader_count - 1] != p) {
                readers[r->reader_count++] = p;
            }
            r->last_read = p;
        }
    }
    return FG_OK;
}

static bool resource_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_topology_resource *r = context;
    return r[a].id != r[b].id ? r[a].id < r[b].id : r[a].version < r[b].version;
}

/*
 * All versions of one resource share its memory: it is counted once, at its largest footprint, from
 * the first pass that touches any version to the last. Imported ones live outside of the graph:
 * all the time.
 */
static void add_resource(struct fg_topology *topology, const uint32_t *last_writes,
                         const uint32_t *order, size_t first, size_t end, uint64_t *starts,
                         uint64_t *stops)
{
    uint32_t from = FG_NONE, to = FG_NONE;
    uint64_t bytes = 0;
    bool known = false, imported = false;
    for (size_t i = first; i < end; i++) {
        const struct fg_topology_resource *r = &topology->resources[order[i]];
        if (r->footprint_bytes != FG_UNKNOWN_BYTES) {
            bytes = r->footprint_bytes > bytes ? r->footprint_bytes : bytes;
            known = true;
        }
        imported |= r->imported;
        if (r->first_write != FG_NONE) {
            widen(&from, &to, r->first_write);
            widen(&from, &to, last_writes[order[i]]);
        }
        for (uint32_t k = 0; k < r->reader_count; k++) {
            widen(&from, &to, r->readers[k]);
        }
    }
    if (!known) {
        topology->unknown_bytes_count++;
        return;
    }
    topology->declared_bytes += bytes;
    if (imported && topology->pass_count > 0) {
        from = 0;
        to = topology->pass_count - 1;
    }
    if (from != FG_NONE) {
        starts[from] += bytes;
        stops[to] += bytes;
    }
}

enum fg_result fgi_topology_finish(struct fg_trace *trace, struct fg_topology *topology)
{
    struct fg_topology_resource *resources = (struct fg_topology_resource *)topology->resources;
    size_t count = topology->resource_count;
    size_t passes = (size_t)topology->pass_count + 1;
    uint32_t *order = fgi_malloc(trace->allocator, (count + 1) * sizeof *order);
    uint32_t *last_writes = fgi_malloc(trace->allocator, (count + 1) * sizeof *last_writes);
    uint64_t *starts = fgi_calloc(trace->allocator, passes * 2, sizeof *starts);
    enum fg_result result = order && last_writes && starts
                                ? find_users(trace, topology, resources, last_writes)
                                : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        order[i] = (uint32_t)i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(trace->allocator, order, count, resource_before, resources);
    }
    topology->declared_bytes = topology->peak_bytes = topology->unknown_bytes_count = 0;
    for (size_t first = 0; result == FG_OK && first < count;) {
        size_t end = first;
        while (end < count && resources[order[end]].id == resources[order[first]].id) {
            resources[order[end]].previous = end > first ? order[end - 1] : FG_NONE;
            end++;
        }
        add_resource(topology, last_writes, order, first, end, starts, starts + passes);
        first = end;
    }
    uint64_t alive = 0;
    for (size_t p = 0; result == FG_OK && p < topology->pass_count; p++) {
        alive += starts[p];
        topology->peak_bytes = alive > topology->peak_bytes ? alive : topology->peak_bytes;
        alive -= starts[passes + p];
    }
    fgi_free(trace->allocator, order, (count + 1) * sizeof *order);
    fgi_free(trace->allocator, last_writes, (count + 1) * sizeof *last_writes);
    fgi_free(trace->allocator, starts, passes * 2 * sizeof *starts);
    return result;
}

enum fg_result fg_topology_inputs(const struct fg_topology *topology, uint32_t pass,
                                  uint8_t *out_passes, uint8_t *out_resources)
{
    if (!topology || pass >= topology->pass_count) {
        return FG_ERR_ARGUMENT;
    }
    uint32_t *todo = fgi_malloc(NULL, (size_t)topology->pass_count * sizeof *todo);
    uint8_t *visited = fgi_calloc(NULL, topology->pass_count, 1);
    if (!todo || !visited) {
        fgi_free(NULL, todo, (size_t)topology->pass_count * sizeof *todo);
        fgi_free(NULL, visited, topology->pass_count);
        return FG_ERR_NO_MEMORY;
    }
    memset(out_passes, 0, topology->pass_count);
    memset(out_resources, 0, topology->resource_count);
    size_t count = 0;
    todo[count++] = pass;
    visited[pass] = 1;
    while (count > 0) {
        uint32_t at = todo[--count];
        const struct fg_topology_pass *p = &topology->passes[at];
        for (uint32_t i = 0; i < p->read_count + topology->edge_count; i++) {
            uint32_t from = FG_NONE;
            if (i < p->read_count) {
                out_resources[p->reads[i]] = 1;
                from = topology->resources[p->reads[i]].producer;
            } else if (topology->edges[2 * (i - p->read_count) + 1] == at) {
                from = topology->edges[2 * (i - p->read_count)];
            }
            if (from == FG_NONE) {
                continue;
            }
            out_passes[from] = 1;
            if (!visited[from]) {
                visited[from] = 1;
                todo[count++] = from;
            }
        }
    }
    fgi_free(NULL, todo, (size_t)topology->pass_count * sizeof *todo);
    fgi_free(NULL, visited, topology->pass_count);
    return FG_OK;
}
