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

/* What a frame says of its passes. */
static void see_passes(const struct fgi_compare_side *side, const struct fg_topology *topology,
                       const struct fg_frame_pass *passes)
{
    for (uint32_t i = 0; i < topology->pass_count; i++) {
        if (passes[i].is_known && topology->passes[i].pass < side->trace->passes.count) {
            side->seen[topology->passes[i].pass] |= passes[i].culled ? PASS_CULLED : PASS_RAN;
        }
    }
}

/* Frames from `at` on, as far as the step may. Equal answers that follow each other are one. */
static void see_frames(struct fgi_comparison *c, struct fgi_compare_side *side,
                       struct fgi_compare_step *step)
{
    const struct fg_frame_pass *before = NULL;
    const struct fg_topology *topology_before = NULL;
    for (; c->at < side->end - side->first; c->at++) {
        uint32_t frame = side->first + (uint32_t)c->at;
        const struct fg_topology *topology = topology_of(side, frame);
        const struct fg_frame_pass *passes =
            topology ? fg_trace_frame_passes(side->trace, frame) : NULL;
        bool is_new = passes && (passes != before || topology != topology_before);
        if (!fgi_compare_take_one(step, 1 + (is_new ? (uint64_t)topology->pass_count : 0))) {
            return;
        }
        if (is_new) {
            see_passes(side, topology, passes);
            before = passes;
            topology_before = topology;
        }
    }
}

enum fg_result fgi_compare_culled(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_compare_side *side = &c->sides[c->which];
    size_t count = side->trace->passes.count;
    if (side->by != FG_STATS_BY_PASS || count == 0) {
        c->is_over = true;
        return FG_OK;
    }
    side->seen = side->seen ? side->seen : fgi_calloc(side->allocator, count, 1);
    if (!side->seen) {
        return FG_ERR_NO_MEMORY;
    }
    see_frames(c, side, step);
    if (step->result != FG_OK || c->at < side->end - side->first) {
        return step->result;
    }
    enum fg_result result = FG_OK;
    for (uint32_t pass = 0; pass < count && result == FG_OK; pass++) {
        for (unsigned is_gpu = 0; side->seen[pass] == PASS_CULLED && is_gpu < 2; is_gpu++) {
            uint32_t group = fgi_compare_group(side, pass, is_gpu != 0, &result);
            if (result != FG_OK) {
                break;
            }
            side->groups.items[group].is_culled = true;
        }
    }
    c->is_over = true;
    return result;
}

/* ---- resources ------------------------------------------------------------------------------- */

static enum fg_result see_resource(struct fgi_comparison *c, uint32_t side, uint32_t nth,
                                   const struct fg_topology_resource *resource)
{
    const char *name = fg_trace_text(c->sides[side].trace, resource->name);
    uint64_t hash = fgi_hash64(nth, name, strlen(name));
    uint32_t first = FG_NONE;
    if (!fgi_map64_get(&c->resource_of, hash, &first)) {
        first = FG_NONE;
    }
    for (uint32_t at = first; at != FG_NONE; at = c->resources.items[at].next) {
        struct fgi_compare_resource *item = &c->resources.items[at];
        if (item->nth == nth && strcmp(item->name, name) == 0) {
            item->of[side] = item->of[side] ? item->of[side] : resource;
            return FG_OK;
        }
    }
    enum fg_result result = FGI_GROW(c->allocator, c->resources.items, c->resources.capacity,
                                     c->resources.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = fgi_map64_put(&c->resource_of, hash, (uint32_t)c->resources.count);
    }
    if (result == FG_OK) {
        struct fgi_compare_resource item = { .name = name, .nth = nth, .next = first };
        item.of[side] = resource;
        c->resources.items[c->resources.count++] = item;
    }
    return result;
}

/* The first version of every resource of a graph. */
static enum fg_result see_graph(struct fgi_comparison *c, uint32_t side,
                                const struct fg_topology *topology)
{
    struct fgi_map64 ids = { .allocator = c->allocator };
    struct fgi_map64 names = { .allocator = c->allocator };
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
            result = see_resource(c, side, nth, resource);
        }
    }
    fgi_map64_finish(&ids);
    fgi_map64_finish(&names);
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

static bool put_resource(struct fgi_arena *arena, const struct fgi_compare_resource *from,
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

static enum fg_result put_resources(struct fgi_comparison *c, struct fgi_arena *arena)
{
    struct fg_compare_resource *items =
        fgi_arena_alloc(arena, c->resources.count + 1, sizeof *items);
    if (!items) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->resources.count; i++) {
        const struct fgi_compare_resource *item = &c->resources.items[i];
        if ((!item->of[0] || !item->of[1] || !is_same(item->of[0], item->of[1])) &&
            !put_resource(arena, item, &items[count++])) {
            return FG_ERR_NO_MEMORY;
        }
    }
    c->base.reply.resources = items;
    c->base.reply.resource_count = count;
    return FG_OK;
}

/* Every graph that a frame of the side has, once; nothing where a side has none. */
enum fg_result fgi_compare_resources(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_compare_side *side = &c->sides[c->which];
    uint32_t frames = c->base.reply.same == FG_COMPARE_NO_GRAPH ? 0 : side->end - side->first;
    if (!side->seen_graphs) {
        side->seen_graphs = fgi_calloc(side->allocator, side->trace->topologies.count + 1, 1);
    }
    enum fg_result result = side->seen_graphs ? FG_OK : FG_ERR_NO_MEMORY;
    for (; result == FG_OK && c->at < frames; c->at++) {
        const struct fg_topology *topology = topology_of(side, side->first + (uint32_t)c->at);
        uint8_t *seen =
            topology ? &side->seen_graphs[topology - side->trace->topologies.items] : NULL;
        bool is_new = seen && !*seen;
        if (!fgi_compare_take_one(step, 1 + (is_new ? (uint64_t)topology->resource_count : 0))) {
            return step->result;
        }
        if (is_new) {
            *seen = 1;
            result = see_graph(c, c->which, topology);
        }
    }
    c->is_over = true;
    return result == FG_OK && c->which == FG_COMPARE_NEW ? put_resources(c, step->question->arena)
                                                         : result;
}

/* ---- the graphs themselves ------------------------------------------------------------------- */

static uint8_t compare_hashes(const struct fg_compare_reply *reply, const struct fgi_map64 *hashes)
{
    if (reply->topology[0] == FG_NONE || reply->topology[1] == FG_NONE) {
        return FG_COMPARE_NO_GRAPH;
    }
    for (size_t i = 0; i < hashes->capacity; i++) {
        if (hashes->values[i] != 0 && hashes->values[i] - 1 != 3) {
            return FG_COMPARE_DIFFERENT;
        }
    }
    return FG_COMPARE_SAME;
}

/* Hashes of the graphs of a side; which side has which are bits of the value. */
enum fg_result fgi_compare_hashes(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    const struct fgi_compare_side *side = &c->sides[c->which];
    struct fg_compare_reply *reply = &c->base.reply;
    const struct fg_topology *before = NULL;
    enum fg_result result = FG_OK;
    for (; result == FG_OK && c->at < side->end - side->first; c->at++) {
        uint32_t frame = side->first + (uint32_t)c->at;
        const struct fg_topology *topology = topology_of(side, frame);
        uint32_t sides = 0;
        if (fgi_compare_take(step, 1) == 0) {
            return step->result;
        }
        if (!topology || topology == before) {
            continue;
        }
        before = topology;
        if (reply->topology[c->which] == FG_NONE) {
            reply->topology[c->which] = side->trace->frames.items[frame].topology;
        }
        (void)fgi_map64_get(&c->hashes, topology->hash, &sides);
        result = fgi_map64_put(&c->hashes, topology->hash, sides | 1u << c->which);
    }
    c->is_over = true;
    if (c->which == FG_COMPARE_NEW) {
        reply->same = compare_hashes(reply, &c->hashes);
    }
    return result;
}
