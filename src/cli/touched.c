/* SPDX-License-Identifier: MIT */
#include "cli/touched.h"
#include "base/sort.h"
#include <stdio.h>

/* A buffer's bytes from one touch or more that overlap. */
struct region {
    uint64_t size_bytes;
    uint64_t id;        /* by first use, so that equal graphs have equal ones; 0 = not used yet */
    uint32_t version;   /* the latest, in the list of versions */
    uint32_t pass;      /* that was looked at last */
    uint32_t of_first;  /* which one of those that its first pass begins */
    uint32_t first;     /* its first pass */
    bool reads, writes; /* of `pass` */
};

struct work {
    struct fgi_arena *arena;
    const struct fgi_touch *touches;
    uint32_t count;
    struct region *regions;
    uint32_t *region_of; /* by touch */
    const char *const *names;
    struct fg_graph_pass *passes;
    struct fg_graph_resource *versions;
    uint32_t version_count;
    uint32_t *indices; /* what passes' lists lie in */
    uint32_t index_count;
    uint64_t ids;
};

static bool is_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_touch *touches = context;
    const struct fgi_touch *left = &touches[a];
    const struct fgi_touch *right = &touches[b];
    return left->buffer != right->buffer ? left->buffer < right->buffer
                                         : left->begin_bytes < right->begin_bytes;
}

/* Touches by buffer and offset: what overlaps, or lies within, is one region. */
static enum fg_result find_regions(struct work *w)
{
    uint32_t *order = fgi_arena_alloc(w->arena, (size_t)w->count + 1, sizeof *order);
    if (order == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        order[i] = i;
    }
    enum fg_result result =
        fgi_sort_u32(w->arena->allocator, order, w->count, is_before, (void *)w->touches);
    uint64_t begin = 0;
    uint64_t end = 0;
    uint32_t region = 0;
    for (uint32_t i = 0; result == FG_OK && i < w->count; i++) {
        const struct fgi_touch *touch = &w->touches[order[i]];
        bool is_new =
            i == 0 || touch->buffer != w->touches[order[i - 1]].buffer || touch->begin_bytes >= end;
        if (is_new) {
            region += i != 0;
            begin = touch->begin_bytes;
            end = touch->end_bytes;
            w->regions[region].pass = FG_GRAPH_NONE;
        }
        end = touch->end_bytes > end ? touch->end_bytes : end;
        w->regions[region].size_bytes = end - begin;
        w->region_of[order[i]] = region;
    }
    return result;
}

/* "scatter", "scatter: 2": after who uses it first. */
static const char *name_of(struct work *w, const struct region *region)
{
    char text[160];
    const char *pass = w->names[region->first];
    int size = region->of_first == 0
                   ? snprintf(text, sizeof text, "%s", pass)
                   : snprintf(text, sizeof text, "%s: %u", pass, (unsigned)region->of_first + 1);
    size = size < (int)sizeof text ? size : (int)sizeof text - 1;
    return fgi_arena_text(w->arena, text, size > 0 ? (size_t)size : 0);
}

static bool add_version(struct work *w, struct region *region, uint32_t version, uint32_t flags)
{
    struct fg_graph_resource *resource = &w->versions[w->version_count];
    *resource = (struct fg_graph_resource){
        .id = region->id,
        .version = version,
        .flags = flags,
        .name = version == 0 ? name_of(w, region) : w->versions[region->version].name,
        .desc = { .kind = FG_RESOURCE_BUFFER, .size_bytes = region->size_bytes },
    };
    region->version = w->version_count++;
    return resource->name != NULL;
}

/* Of one region in one pass, all its touches together. */
static bool use_region(struct work *w, struct fg_graph_pass *pass, struct region *region,
                       uint32_t *reads, uint32_t *writes, uint32_t *creates)
{
    if (region->reads) {
        /* What nobody wrote before was there before. */
        if (region->version == FG_GRAPH_NONE && !add_version(w, region, 0, FG_RESOURCE_IMPORTED)) {
            return false;
        }
        reads[pass->read_count++] = region->version;
    }
    if (region->writes && region->version == FG_GRAPH_NONE) {
        creates[pass->create_count++] = w->version_count;
        return add_version(w, region, 0, 0);
    }
    if (region->writes) {
        const struct fg_graph_resource *before = &w->versions[region->version];
        writes[pass->write_count++] = w->version_count;
        return add_version(w, region, before->version + 1, before->flags);
    }
    return true;
}

/* Touches [first, end) are the pass's. */
static enum fg_result fill_pass(struct work *w, uint32_t index, uint32_t first, uint32_t end)
{
    struct fg_graph_pass *pass = &w->passes[index];
    uint32_t of_first = 0;
    uint32_t *lists = &w->indices[w->index_count];
    const uint32_t room = end - first;
    pass->reads = lists;
    pass->writes = lists + room;
    pass->creates = lists + (size_t)2 * room;
    w->index_count += 3 * room;
    for (uint32_t i = first; i < end; i++) {
        struct region *region = &w->regions[w->region_of[i]];
        if (region->pass != index) {
            region->pass = index;
            region->reads = region->writes = false;
        }
        if (region->id == 0) {
            region->id = ++w->ids;
            region->first = index;
            region->of_first = of_first++;
            region->version = FG_GRAPH_NONE;
        }
        region->reads |= w->touches[i].reads;
        region->writes |= w->touches[i].writes;
    }
    for (uint32_t i = first; i < end; i++) {
        struct region *region = &w->regions[w->region_of[i]];
        if ((region->reads || region->writes) &&
            !use_region(w, pass, region, lists, lists + room, lists + (size_t)2 * room)) {
            return FG_ERR_NO_MEMORY;
        }
        region->reads = region->writes = false;
    }
    return FG_OK;
}

static enum fg_result fill_passes(struct work *w, uint32_t pass_count)
{
    enum fg_result result = FG_OK;
    uint32_t at = 0;
    for (uint32_t pass = 0; result == FG_OK && pass < pass_count; pass++) {
        uint32_t end = at;
        while (end < w->count && w->touches[end].pass == pass) {
            end++;
        }
        w->passes[pass].id = pass;
        w->passes[pass].name = w->names[pass];
        w->passes[pass].flags = FG_GRAPH_PASS_SIDE_EFFECT;
        result = fill_pass(w, pass, at, end);
        at = end;
    }
    return result;
}

enum fg_result fgi_touched_graph(struct fgi_arena *arena, const struct fgi_touch *touches,
                                 uint32_t count, const char *const *names, uint32_t pass_count,
                                 struct fg_graph_desc *out_graph)
{
    const size_t room = (size_t)count + 1;
    struct work w = {
        .arena = arena,
        .touches = touches,
        .count = count,
        .names = names,
        .regions = fgi_arena_alloc(arena, room, sizeof *w.regions),
        .region_of = fgi_arena_alloc(arena, room, sizeof *w.region_of),
        .passes = fgi_arena_alloc(arena, (size_t)pass_count + 1, sizeof *w.passes),
        .versions = fgi_arena_alloc(arena, 2 * room, sizeof *w.versions),
        .indices = fgi_arena_alloc(arena, 3 * room, sizeof *w.indices),
    };
    if (w.regions == NULL || w.region_of == NULL || w.passes == NULL || w.versions == NULL ||
        w.indices == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = find_regions(&w);
    result = result == FG_OK ? fill_passes(&w, pass_count) : result;
    *out_graph = (struct fg_graph_desc){
        .passes = w.passes,
        .pass_count = pass_count,
        .resources = w.versions,
        .resource_count = w.version_count,
    };
    return result;
}
