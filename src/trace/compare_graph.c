/* SPDX-License-Identifier: MIT */
/* What the frame graphs of two sides say: which passes were culled, which resources differ. */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include "trace/format_name.h"
#include <frameglass/trace_structure.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RESOURCE_TEXT = 128 };

static const struct fg_topology *topology_of(const struct fgi_compare_side *side, uint32_t frame)
{
    return side->is_frameless
               ? NULL
               : fg_trace_topology(side->trace, side->trace->frames.items[frame].topology);
}

/* ---- passes ---------------------------------------------------------------------------------- */

enum { PASS_RAN = 1, PASS_CULLED = 2 };

/* What all frames together say: by pass, PASS_RAN and PASS_CULLED. */
static void see_frames(const struct fgi_compare_side *side, uint8_t *seen)
{
    const struct fg_frame_pass *before = NULL;
    const struct fg_topology *topology_before = NULL;
    for (uint32_t frame = side->first; frame < side->end; frame++) {
        const struct fg_topology *topology = topology_of(side, frame);
        const struct fg_frame_pass *passes =
            topology ? fg_trace_frame_passes(side->trace, frame) : NULL;
        if (!passes || (passes == before && topology == topology_before)) {
            continue; /* equal answers are one */
        }
        before = passes;
        topology_before = topology;
        for (uint32_t i = 0; i < topology->pass_count; i++) {
            if (passes[i].is_known && topology->passes[i].pass < side->trace->passes.count) {
                seen[topology->passes[i].pass] |= passes[i].culled ? PASS_CULLED : PASS_RAN;
            }
        }
    }
}

enum fg_result fgi_compare_see_culled(struct fgi_compare_side *side)
{
    size_t count = side->trace->passes.count;
    if (side->by != FG_STATS_BY_PASS || count == 0) {
        return FG_OK;
    }
    uint8_t *seen = fgi_calloc(side->allocator, count, 1);
    enum fg_result result = seen ? FG_OK : FG_ERR_NO_MEMORY;
    if (seen) {
        see_frames(side, seen);
    }
    for (uint32_t pass = 0; pass < count && result == FG_OK; pass++) {
        for (unsigned is_gpu = 0; seen[pass] == PASS_CULLED && is_gpu < 2; is_gpu++) {
            uint32_t group = fgi_compare_group(side, pass, is_gpu != 0, &result);
            if (result != FG_OK) {
                break;
            }
            side->groups.items[group].is_culled = true;
        }
    }
    fgi_free(side->allocator, seen, count);
    return result;
}

/* ---- resources ------------------------------------------------------------------------------- */

/* A resource of either side: all of its versions, in all graphs of the side. */
struct resource {
    const char *name;
    uint32_t nth; /* among resources of one name in one graph */
    const struct fg_topology_resource *of[2];
    uint32_t next; /* of equal hash, or FG_NONE */
};
struct resources {
    struct fgi_compare_side *sides;
    FGI_TABLE(struct resource) items;
    struct fgi_map64 by_hash;
};

static enum fg_result see_resource(struct resources *r, int side, uint32_t nth,
                                   const struct fg_topology_resource *resource)
{
    const char *name = fg_trace_text(r->sides[side].trace, resource->name);
    uint64_t hash = fgi_hash64(nth, name, strlen(name));
    uint32_t first = FG_NONE;
    if (!fgi_map64_get(&r->by_hash, hash, &first)) {
        first = FG_NONE;
    }
    for (uint32_t at = first; at != FG_NONE; at = r->items.items[at].next) {
        struct resource *item = &r->items.items[at];
        if (item->nth == nth && strcmp(item->name, name) == 0) {
            item->of[side] = item->of[side] ? item->of[side] : resource;
            return FG_OK;
        }
    }
    enum fg_result result = FGI_GROW(r->sides->allocator, r->items.items, r->items.capacity,
                                     r->items.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = fgi_map64_put(&r->by_hash, hash, (uint32_t)r->items.count);
    }
    if (result == FG_OK) {
        struct resource item = { .name = name, .nth = nth, .next = first };
        item.of[side] = resource;
        r->items.items[r->items.count++] = item;
    }
    return result;
}

/* The first version of every resource of a graph. */
static enum fg_result see_graph(struct resources *r, int side, const struct fg_topology *topology)
{
    struct fgi_map64 ids = { .allocator = r->sides->allocator };
    struct fgi_map64 names = { .allocator = r->sides->allocator };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < topology->resource_count && result == FG_OK; i++) {
        const struct fg_topology_resource *resource = &topology->resources[i];
        uint32_t nth = 0;
        if (resource->previous != FG_NONE || fgi_map64_get(&ids, resource->id, &nth)) {
            continue; /* another version of one that was seen */
        }
        nth = 0;
        (void)fgi_map64_get(&names, resource->name, &nth);
        result = fgi_map64_put(&ids, resource->id, nth);
        if (result == FG_OK) {
            result = fgi_map64_put(&names, resource->name, nth + 1);
        }
        if (result == FG_OK) {
            result = see_resource(r, side, nth, resource);
        }
    }
    fgi_map64_finish(&ids);
    fgi_map64_finish(&names);
    return result;
}

/* Every graph that a frame of the side has, once. */
static enum fg_result see_graphs(struct resources *r, int which)
{
    struct fgi_compare_side *side = &r->sides[which];
    size_t count = side->trace->topologies.count;
    uint8_t *seen = fgi_calloc(side->allocator, count + 1, 1);
    enum fg_result result = seen ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t frame = side->first; frame < side->end && result == FG_OK; frame++) {
        const struct fg_topology *topology = topology_of(side, frame);
        if (topology && !seen[topology - side->trace->topologies.items]) {
            seen[topology - side->trace->topologies.items] = 1;
            result = fgi_question_cancelled(side->question) ? FG_ERR_CANCELLED
                                                            : see_graph(r, which, topology);
        }
    }
    fgi_free(side->allocator, seen, count + 1);
    return result;
}

static bool is_same(const struct fg_topology_resource *a, const struct fg_topology_resource *b)
{
    return a->kind == b->kind && a->transient == b->transient && a->imported == b->imported &&
           a->footprint_bytes == b->footprint_bytes && a->usage == b->usage &&
           a->size_bytes == b->size_bytes && a->format == b->format &&
           a->dimension == b->dimension && a->width == b->width && a->height == b->height &&
           a->depth == b->depth && a->mips == b->mips && a->layers == b->layers &&
           a->samples == b->samples;
}

struct writing {
    char out[RESOURCE_TEXT];
    size_t used;
};

FG_PRINTF(2, 3) static void say(struct writing *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(w->out + w->used, sizeof w->out - w->used, format, arguments);
    va_end(arguments);
    size_t room = sizeof w->out - w->used - 1;
    w->used += size < 0 ? 0 : (size_t)size < room ? (size_t)size : room;
}

static void say_size(struct writing *w, const struct fg_topology_resource *r)
{
    if (r->width > 0) {
        say(w, " %u", r->width);
        if (r->dimension != 1) {
            say(w, " x %u", r->height);
        }
        if (r->dimension == 3) {
            say(w, " x %u", r->depth);
        }
    }
    if (r->layers > 1) {
        say(w, ", %u layers", r->layers);
    }
    if (r->mips > 1) {
        say(w, ", %u mips", r->mips);
    }
    if (r->samples > 1) {
        say(w, ", %u samples", r->samples);
    }
}

/* What a resource is; what it is used for only when that is the difference. NULL when refused. */
static const char *text_of(struct fgi_arena *arena, const struct fg_topology_resource *r,
                           bool with_usage)
{
    static const char *const kinds[] = { "resource", "buffer", "texture",
                                         "acceleration structure" };
    char format[FGI_FORMAT_NAME];
    struct writing w = { .used = 0 };
    if (r && r->kind == FG_NODE_TEXTURE && r->format != 0) {
        say(&w, "%s", fgi_format_name(r->format, format, sizeof format));
    } else if (r) {
        say(&w, "%s", kinds[r->kind <= FG_NODE_ACCELERATION ? r->kind : 0]);
    }
    if (r) {
        say_size(&w, r);
        say(&w, "%s", r->imported ? ", imported" : r->transient ? ", transient" : "");
    }
    if (r && with_usage) {
        say(&w, ", usage 0x%llx", (unsigned long long)r->usage);
    }
    return fgi_arena_text(arena, w.out, w.used);
}

static bool put_resource(struct fgi_arena *arena, const struct resource *from,
                         struct fg_compare_resource *to)
{
    const struct fg_topology_resource *const *of = from->of;
    bool with_usage = of[0] && of[1] && of[0]->usage != of[1]->usage;
    *to = (struct fg_compare_resource){
        .name = fgi_arena_text(arena, from->name, strlen(from->name)),
        .state = !of[0]  ? FG_COMPARE_RESOURCE_ADDED
                 : of[1] ? FG_COMPARE_RESOURCE_CHANGED
                         : FG_COMPARE_RESOURCE_REMOVED,
    };
    for (int i = 0; i < 2; i++) {
        to->bytes[i] = of[i] ? of[i]->footprint_bytes : FG_UNKNOWN_BYTES;
        to->text[i] = text_of(arena, of[i], with_usage);
    }
    return to->name && to->text[0] && to->text[1];
}

static enum fg_result put_resources(const struct resources *r, struct fg_compare_reply *reply)
{
    struct fgi_arena *arena = r->sides->question->arena;
    struct fg_compare_resource *items = fgi_arena_alloc(arena, r->items.count + 1, sizeof *items);
    if (!items) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->items.count; i++) {
        const struct resource *item = &r->items.items[i];
        if ((!item->of[0] || !item->of[1] || !is_same(item->of[0], item->of[1])) &&
            !put_resource(arena, item, &items[count++])) {
            return FG_ERR_NO_MEMORY;
        }
    }
    reply->resources = items;
    reply->resource_count = count;
    return FG_OK;
}

/* ---- the graphs themselves ------------------------------------------------------------------- */

/* Hashes of the graphs of a side; which side has which are bits of the value. */
static enum fg_result see_hashes(struct fgi_compare_side *side, int which, struct fgi_map64 *hashes,
                                 uint32_t *out_first)
{
    enum fg_result result = FG_OK;
    const struct fg_topology *before = NULL;
    *out_first = FG_NONE;
    for (uint32_t frame = side->first; frame < side->end && result == FG_OK; frame++) {
        const struct fg_topology *topology = topology_of(side, frame);
        uint32_t sides = 0;
        if (!topology || topology == before) {
            continue;
        }
        before = topology;
        *out_first = *out_first == FG_NONE ? side->trace->frames.items[frame].topology : *out_first;
        (void)fgi_map64_get(hashes, topology->hash, &sides);
        result = fgi_map64_put(hashes, topology->hash, sides | 1u << which);
    }
    return result;
}

static uint8_t compare_hashes(const struct fgi_map64 *hashes)
{
    for (size_t i = 0; i < hashes->capacity; i++) {
        if (hashes->values[i] != 0 && hashes->values[i] - 1 != 3) {
            return FG_COMPARE_DIFFERENT;
        }
    }
    return FG_COMPARE_SAME;
}

enum fg_result fgi_compare_graphs(struct fgi_compare_side sides[2], struct fg_compare_reply *reply)
{
    struct fgi_map64 hashes = { .allocator = sides->allocator };
    struct resources r = { .sides = sides, .by_hash = { .allocator = sides->allocator } };
    enum fg_result result = FG_OK;
    for (int i = 0; i < 2 && result == FG_OK; i++) {
        result = see_hashes(&sides[i], i, &hashes, &reply->topology[i]);
    }
    bool is_told = reply->topology[0] != FG_NONE && reply->topology[1] != FG_NONE;
    reply->same = is_told ? compare_hashes(&hashes) : FG_COMPARE_NO_GRAPH;
    for (int i = 0; i < 2 && result == FG_OK && is_told; i++) {
        result = see_graphs(&r, i);
    }
    if (result == FG_OK) {
        result = put_resources(&r, reply);
    }
    fgi_map64_finish(&hashes);
    fgi_map64_finish(&r.by_hash);
    fgi_free(sides->allocator, r.items.items, r.items.capacity * sizeof *r.items.items);
    return result;
}
