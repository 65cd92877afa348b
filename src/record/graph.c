/* SPDX-License-Identifier: MIT */
/* Graphs that were described: copied once per content, and what follows from them computed once. */
#include "record/record_priv.h"

#include <string.h>

#define GRAPH_BYTES_MAX (64u << 20)

static uint64_t hash_text(uint64_t seed, const char *text)
{
    /* The terminator is hashed, too: "ab" "c" is not "a" "bc". */
    return text == NULL ? fgi_hash64(seed, "", 1) : fgi_hash64(seed, text, strlen(text) + 1);
}

static uint64_t hash_list(uint64_t seed, const uint32_t *list, uint32_t count)
{
    seed = fgi_hash64(seed, &count, sizeof count);
    return count == 0 ? seed : fgi_hash64(seed, list, count * sizeof *list);
}

static uint64_t hash_names(const struct fg_graph_desc *desc)
{
    uint64_t hash = hash_text(desc->pass_count, desc->name);
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        const struct fg_graph_pass *pass = &desc->passes[i];
        hash = hash_text(hash, pass->name);
        hash = fgi_hash64(hash, &pass->id, sizeof pass->id);
        for (uint32_t s = 0; s < pass->scope_count; s++) {
            hash = hash_text(hash, pass->scopes[s]);
        }
        hash = fgi_hash64(hash, &pass->scope_count, sizeof pass->scope_count);
    }
    return hash;
}

/** Field by field: padding never counts. */
static uint64_t hash_resource(uint64_t seed, const struct fg_graph_resource *resource)
{
    const struct fg_resource_desc *desc = &resource->desc;
    const uint64_t fields[] = {
        resource->id,
        resource->version,
        resource->flags,
        (uint64_t)desc->kind,
        desc->usage,
        desc->size_bytes,
        desc->clear_offset_bytes,
        desc->clear_size_bytes,
        desc->format,
        desc->dimension,
        desc->width,
        desc->height,
        desc->depth,
        desc->layers,
        desc->mips,
        desc->samples,
    };
    return hash_text(fgi_hash64(seed, fields, sizeof fields), resource->name);
}

static uint64_t hash_structure(uint64_t seed, const struct fg_graph_desc *desc)
{
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        const struct fg_graph_pass *pass = &desc->passes[i];
        uint32_t flags = pass->flags & ~(uint32_t)FG_GRAPH_PASS_CULLED;
        seed = fgi_hash64(seed, &flags, sizeof flags);
        seed = hash_list(seed, pass->reads, pass->read_count);
        seed = hash_list(seed, pass->writes, pass->write_count);
        seed = hash_list(seed, pass->creates, pass->create_count);
    }
    seed = fgi_hash64(seed, &desc->resource_count, sizeof desc->resource_count);
    for (uint32_t i = 0; i < desc->resource_count; i++) {
        seed = hash_resource(seed, &desc->resources[i]);
    }
    for (uint32_t i = 0; i < desc->edge_count; i++) {
        const uint32_t edge[] = { desc->edges[i].from, desc->edges[i].to };
        seed = fgi_hash64(seed, edge, sizeof edge);
    }
    return seed;
}

static bool list_fits(const uint32_t *list, uint32_t count, uint32_t limit)
{
    if (count != 0 && list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] >= limit) {
            return false;
        }
    }
    return true;
}

static bool is_sound(const struct fg_graph_desc *desc)
{
    if ((desc->pass_count != 0 && desc->passes == NULL) ||
        (desc->resource_count != 0 && desc->resources == NULL) ||
        (desc->edge_count != 0 && desc->edges == NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        const struct fg_graph_pass *pass = &desc->passes[i];
        if ((pass->scope_count != 0 && pass->scopes == NULL) ||
            !list_fits(pass->reads, pass->read_count, desc->resource_count) ||
            !list_fits(pass->writes, pass->write_count, desc->resource_count) ||
            !list_fits(pass->creates, pass->create_count, desc->resource_count)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < desc->edge_count; i++) {
        if (desc->edges[i].from >= desc->pass_count || desc->edges[i].to >= desc->pass_count) {
            return false;
        }
    }
    return true;
}

/* ---- copying; NULL results mean that memory ran out ---- */

static const char *copy_text(struct fgi_arena *arena, const char *text)
{
    return text == NULL || *text == 0 ? "" : fgi_arena_text(arena, text, strlen(text));
}

static const uint32_t *copy_list(struct fgi_arena *arena, const uint32_t *list, uint32_t count)
{
    uint32_t *copy = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *copy);
    if (copy != NULL && count != 0) {
        memcpy(copy, list, count * sizeof *copy);
    }
    return copy;
}

/** Index of the scope `name` under `parent`, added when it is new. FGI_NONE: no room. */
static uint32_t find_scope(struct fgi_scope *scopes, uint32_t *count, struct fgi_arena *arena,
                           const char *name, uint32_t parent)
{
    name = name != NULL ? name : "";
    for (uint32_t i = *count; i-- > 0;) {
        if (scopes[i].parent == parent && strcmp(scopes[i].name, name) == 0) {
            return i;
        }
    }
    const char *copy = copy_text(arena, name);
    if (copy == NULL) {
        return FGI_NONE;
    }
    scopes[*count] = (struct fgi_scope){ copy, parent };
    return (*count)++;
}

static bool copy_scopes(struct fgi_graph *graph, const struct fg_graph_desc *desc)
{
    size_t total = 0;
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        total += desc->passes[i].scope_count;
    }
    struct fgi_scope *list = fgi_arena_alloc(&graph->arena, total + 1, sizeof *list);
    uint32_t *of_pass =
        fgi_arena_alloc(&graph->arena, (size_t)desc->pass_count + 1, sizeof *of_pass);
    if (list == NULL || of_pass == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        uint32_t scope = FGI_NONE;
        for (uint32_t s = 0; s < desc->passes[i].scope_count; s++) {
            scope = find_scope(list, &graph->scope_count, &graph->arena, desc->passes[i].scopes[s],
                               scope);
            if (scope == FGI_NONE) {
                return false;
            }
        }
        of_pass[i] = scope;
    }
    graph->scopes = of_pass;
    graph->scope_list = list;
    return true;
}

static bool copy_passes(struct fgi_graph *graph, const struct fg_graph_desc *desc)
{
    struct fgi_arena *arena = &graph->arena;
    struct fg_graph_pass *passes =
        fgi_arena_alloc(arena, (size_t)desc->pass_count + 1, sizeof *passes);
    if (passes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        struct fg_graph_pass *pass = &passes[i];
        *pass = desc->passes[i];
        pass->flags &= ~(uint32_t)FG_GRAPH_PASS_CULLED;
        pass->ref_count = 0;
        pass->scopes = NULL;
        pass->scope_count = 0;
        pass->name = copy_text(arena, pass->name);
        pass->reads = copy_list(arena, pass->reads, pass->read_count);
        pass->writes = copy_list(arena, pass->writes, pass->write_count);
        pass->creates = copy_list(arena, pass->creates, pass->create_count);
        if (pass->name == NULL || pass->reads == NULL || pass->writes == NULL ||
            pass->creates == NULL) {
            return false;
        }
    }
    graph->desc.passes = passes;
    return true;
}

static bool copy_resources(struct fgi_graph *graph, const struct fg_graph_desc *desc)
{
    struct fgi_arena *arena = &graph->arena;
    size_t count = (size_t)desc->resource_count + 1;
    struct fg_graph_resource *resources = fgi_arena_alloc(arena, count, sizeof *resources);
    uint64_t *footprints = fgi_arena_alloc(arena, count, sizeof *footprints);
    uint32_t *producers = fgi_arena_alloc(arena, count, sizeof *producers);
    if (resources == NULL || footprints == NULL || producers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < desc->resource_count; i++) {
        uint32_t first;
        resources[i] = desc->resources[i];
        resources[i].name = copy_text(arena, resources[i].name);
        if (!fg_resource_footprint(&resources[i].desc, &footprints[i])) {
            footprints[i] = FG_CAP_UNKNOWN;
        }
        producers[i] = FGI_NONE;
        if (resources[i].name == NULL ||
            (!fgi_map64_get(&graph->resource_of_id, resources[i].id, &first) &&
             fgi_map64_put(&graph->resource_of_id, resources[i].id, i) != FG_OK)) {
            return false;
        }
    }
    /* Who creates a version made it; else the first that writes it. */
    for (uint32_t p = desc->pass_count; p-- > 0;) {
        for (uint32_t i = 0; i < desc->passes[p].write_count; i++) {
            producers[desc->passes[p].writes[i]] = p;
        }
    }
    for (uint32_t p = desc->pass_count; p-- > 0;) {
        for (uint32_t i = 0; i < desc->passes[p].create_count; i++) {
            producers[desc->passes[p].creates[i]] = p;
        }
    }
    graph->desc.resources = resources;
    graph->footprints = footprints;
    graph->producers = producers;
    return true;
}

static bool copy_edges(struct fgi_graph *graph, const struct fg_graph_desc *desc)
{
    struct fg_graph_edge *edges =
        fgi_arena_alloc(&graph->arena, (size_t)desc->edge_count + 1, sizeof *edges);
    if (edges == NULL) {
        return false;
    }
    if (desc->edge_count != 0) {
        memcpy(edges, desc->edges, desc->edge_count * sizeof *edges);
    }
    graph->desc.edges = edges;
    return true;
}

static void destroy_graph(struct fgi_recorder *recorder, struct fgi_graph *graph)
{
    fgi_map64_finish(&graph->resource_of_id);
    fgi_arena_finish(&graph->arena);
    fgi_free(recorder->allocator, graph, sizeof *graph);
}

static struct fgi_graph *create_graph(struct fgi_recorder *recorder,
                                      const struct fg_graph_desc *desc)
{
    struct fgi_graph *graph = fgi_calloc(recorder->allocator, 1, sizeof *graph);
    if (graph == NULL) {
        return NULL;
    }
    graph->arena.allocator = recorder->allocator;
    graph->arena.limit_bytes = GRAPH_BYTES_MAX;
    graph->resource_of_id.allocator = recorder->allocator;
    graph->desc = *desc;
    graph->desc.name = copy_text(&graph->arena, desc->name);
    if (graph->desc.name == NULL || !copy_passes(graph, desc) || !copy_resources(graph, desc) ||
        !copy_edges(graph, desc) || !copy_scopes(graph, desc)) {
        destroy_graph(recorder, graph);
        return NULL;
    }
    return graph;
}

/** Make room in the list of known graphs: the one that was used longest ago and is not in use. */
static bool evict_graph(struct fgi_recorder *recorder)
{
    uint32_t oldest = FGI_NONE;
    for (uint32_t i = 0; i < recorder->graph_count; i++) {
        if (recorder->graphs[i]->refs == 0 &&
            (oldest == FGI_NONE ||
             recorder->graphs[i]->last_serial < recorder->graphs[oldest]->last_serial)) {
            oldest = i;
        }
    }
    if (oldest == FGI_NONE) {
        return false;
    }
    destroy_graph(recorder, recorder->graphs[oldest]);
    recorder->graphs[oldest] = recorder->graphs[--recorder->graph_count];
    return true;
}

static struct fgi_graph *find_graph(struct fgi_recorder *recorder, const struct fg_graph_desc *desc)
{
    uint64_t revision = desc->revision == 0 ? 0 : hash_text(desc->revision, desc->name);
    for (uint32_t i = 0; revision != 0 && i < recorder->graph_count; i++) {
        if (recorder->graphs[i]->revision == revision &&
            recorder->graphs[i]->desc.pass_count == desc->pass_count) {
            return recorder->graphs[i];
        }
    }
    if (!is_sound(desc)) {
        return NULL;
    }
    uint64_t timing_hash = hash_names(desc);
    uint64_t hash = hash_structure(timing_hash, desc);
    for (uint32_t i = 0; i < recorder->graph_count; i++) {
        if (recorder->graphs[i]->hash == hash) {
            recorder->graphs[i]->revision = revision;
            return recorder->graphs[i];
        }
    }
    if (recorder->graph_count == FGI_GRAPHS_KEPT && !evict_graph(recorder)) {
        return NULL;
    }
    struct fgi_graph *graph = create_graph(recorder, desc);
    if (graph != NULL) {
        graph->hash = hash;
        graph->timing_hash = timing_hash;
        graph->revision = revision;
        recorder->graphs[recorder->graph_count++] = graph;
    }
    return graph;
}

void fgi_graph_release(struct fgi_recorder *recorder, struct fgi_graph *graph)
{
    (void)recorder;
    if (graph != NULL) {
        graph->refs--;
    }
}

void fgi_graphs_finish(struct fgi_recorder *recorder)
{
    for (uint32_t i = 0; i < recorder->graph_count; i++) {
        destroy_graph(recorder, recorder->graphs[i]);
    }
    recorder->graph_count = 0;
}

static uint32_t find_in(const struct fgi_graph *graph, const uint32_t *list, uint32_t count,
                        uint64_t id)
{
    for (uint32_t i = 0; i < count; i++) {
        if (graph->desc.resources[list[i]].id == id) {
            return list[i];
        }
    }
    return FGI_NONE;
}

uint32_t fgi_graph_find_resource(const struct fgi_graph *graph, uint64_t id, uint32_t pass)
{
    uint32_t found = FGI_NONE;
    if (graph == NULL || id == 0) {
        return FGI_NONE;
    }
    if (pass < graph->desc.pass_count) {
        const struct fg_graph_pass *owner = &graph->desc.passes[pass];
        found = find_in(graph, owner->creates, owner->create_count, id);
        found = found != FGI_NONE ? found : find_in(graph, owner->writes, owner->write_count, id);
        found = found != FGI_NONE ? found : find_in(graph, owner->reads, owner->read_count, id);
    }
    if (found == FGI_NONE && !fgi_map64_get(&graph->resource_of_id, id, &found)) {
        return FGI_NONE;
    }
    return found;
}

/** What the frame keeps of the description: whether its passes ran, and why they survived. */
static enum fg_result copy_states(struct fgi_recorder *recorder, struct fg_frame *frame,
                                  const struct fg_graph_desc *desc)
{
    enum fg_result result =
        FGI_GROW(recorder->allocator, frame->pass_states, frame->pass_state_capacity,
                 desc->pass_count, GRAPH_BYTES_MAX / sizeof *frame->pass_states);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < desc->pass_count; i++) {
        frame->pass_states[i] = (struct fgi_pass_state){
            .ref_count = desc->passes[i].ref_count,
            .culled = (desc->passes[i].flags & FG_GRAPH_PASS_CULLED) != 0,
        };
    }
    frame->pass_state_count = desc->pass_count;
    return FG_OK;
}

void fg_frame_set_graph(struct fg_frame *frame, const struct fg_graph_desc *graph)
{
    if (frame == NULL || graph == NULL || !fgi_recorder_is_ours(frame->recorder)) {
        return;
    }
    struct fgi_recorder *recorder = frame->recorder;
    fgi_mutex_lock(recorder->lock);
    if (!frame->ended && !frame->quiet) {
        int64_t begin_ns = fgi_host_now(recorder);
        struct fgi_graph *found = find_graph(recorder, graph);
        if (found == NULL || copy_states(recorder, frame, graph) != FG_OK) {
            frame->drops[FG_CAP_DROP_OTHER]++;
        } else {
            fgi_graph_release(recorder, frame->graph);
            found->refs++;
            found->last_serial = frame->serial;
            frame->graph = found;
        }
        frame->overhead_ns += fgi_host_now(recorder) - begin_ns;
    }
    fgi_mutex_unlock(recorder->lock);
}
