/* SPDX-License-Identifier: MIT */
/*
 * Dependencies of a trace. The sources rise, and so do the targets in the order by target: both are
 * kept as differences, so that a dependency takes four bytes for its target, four for its place in
 * the order by target, a byte and a bit for each of the two, and the bits of its kind: which of the
 * trace's few pairs of family and flags it has.
 */
#include "base/alloc.h"
#include "trace/build.h"
#include "trace/dependencies.h"
#include <string.h>

uint32_t fgi_link_count(const struct fg_trace *trace)
{
    return trace->links.count;
}

uint32_t fgi_link_source(const struct fg_trace *trace, uint32_t link)
{
    return fgi_rising_at(&trace->links.sources, link);
}

uint32_t fgi_link_target(const struct fg_trace *trace, uint32_t link)
{
    return trace->links.targets[link];
}

uint32_t fgi_link_family(const struct fg_trace *trace, uint32_t link)
{
    return fgi_links_kind(&trace->links, link)->family;
}

uint32_t fgi_link_flags(const struct fg_trace *trace, uint32_t link)
{
    return fgi_links_kind(&trace->links, link)->flags;
}

uint32_t fgi_link_in(const struct fg_trace *trace, uint32_t position)
{
    return trace->links.by_target[position];
}

uint32_t fgi_links_out(const struct fg_trace *trace, uint32_t row, uint32_t *out_first)
{
    *out_first = fgi_rising_find(&trace->links.sources, row);
    return fgi_rising_find(&trace->links.sources, row + 1);
}

uint32_t fgi_links_in(const struct fg_trace *trace, uint32_t row, uint32_t *out_first)
{
    *out_first = fgi_rising_find(&trace->links.in_targets, row);
    return fgi_rising_find(&trace->links.in_targets, row + 1);
}

bool fgi_graph_dependency(const struct fgi_graph *graph, uint32_t link,
                          struct fg_trace_dependency *out_dependency)
{
    if (link >= graph->count) {
        return false;
    }
    const struct fgi_link_kind *kind = fgi_graph_kind(graph, link);
    *out_dependency = (struct fg_trace_dependency){
        .source = fgi_graph_source(graph, link),
        .target = fgi_graph_target(graph, link),
        .family = kind->family,
        .flags = kind->flags,
    };
    return true;
}

bool fg_trace_dependency(const struct fg_trace *trace, uint32_t i,
                         struct fg_trace_dependency *out_dependency)
{
    struct fgi_graph graph = fgi_graph_of(trace, NULL);
    return fgi_graph_dependency(&graph, i, out_dependency);
}

/* Of recorded and derived ones, where those of a row lie; `first` is the number of the first. */
static void find_range(const struct fgi_rising *rising, uint32_t row, uint32_t first,
                       struct fgi_link_ranges *ranges, unsigned part)
{
    ranges->next[part] = first + fgi_rising_find(rising, row);
    ranges->end[part] = first + fgi_rising_find(rising, row + 1);
}

struct fgi_link_ranges fgi_graph_out(const struct fgi_graph *graph, uint32_t row)
{
    struct fgi_link_ranges ranges = { { 0 }, { 0 } };
    find_range(&graph->recorded->sources, row, 0, &ranges, 0);
    if (graph->derived) {
        find_range(&graph->derived->sources, row, graph->recorded_count, &ranges, 1);
    }
    return ranges;
}

struct fgi_link_ranges fgi_graph_in(const struct fgi_graph *graph, uint32_t row)
{
    struct fgi_link_ranges ranges = { { 0 }, { 0 } };
    find_range(&graph->recorded->in_targets, row, 0, &ranges, 0);
    if (graph->derived) {
        find_range(&graph->derived->in_targets, row, graph->recorded_count, &ranges, 1);
    }
    return ranges;
}

void fgi_links_memory(const struct fg_trace *trace, fgi_see_memory *see, void *context)
{
    const struct fgi_links *links = &trace->links;
    size_t count = links->count;
    see(context, "dependencies: sources", fgi_rising_bytes(&links->sources));
    see(context, "dependencies: targets", count * sizeof *links->targets);
    see(context, "dependencies: order by target", count * sizeof *links->by_target);
    see(context, "dependencies: targets in order", fgi_rising_bytes(&links->in_targets));
    see(context, "dependencies: kinds",
        links->kind_bytes + links->kind_list.capacity * sizeof *links->kind_list.items);
}

uint64_t fgi_links_bytes(const struct fgi_links *links)
{
    return fgi_rising_bytes(&links->sources) + fgi_rising_bytes(&links->in_targets) +
           (uint64_t)links->count * (sizeof *links->targets + sizeof *links->by_target) +
           links->kind_bytes + links->kind_list.capacity * sizeof *links->kind_list.items;
}

void fgi_links_finish(const struct fg_allocator *allocator, struct fgi_links *links)
{
    size_t count = links->count;
    fgi_free(allocator, links->targets, count * sizeof *links->targets);
    fgi_free(allocator, links->by_target, count * sizeof *links->by_target);
    fgi_free(allocator, links->kinds, links->kind_bytes);
    fgi_free(allocator, links->kind_list.items,
             links->kind_list.capacity * sizeof *links->kind_list.items);
    fgi_rising_finish(&links->sources);
    fgi_rising_finish(&links->in_targets);
    *links = (struct fgi_links){ 0 };
}

/* ---- what is added --------------------------------------------------------------------------- */

/* The number of a kind, given now when it is new. Neighbours are mostly alike. */
static enum fg_result kind_number(struct fgi_builder *builder, uint32_t family, uint32_t flags,
                                  uint32_t *out_kind)
{
    struct fgi_links *links = &builder->trace->links;
    const struct fgi_link_kind *kinds = links->kind_list.items;
    struct fgi_new_links *added = &builder->links;
    if (links->kind_list.count > 0 && kinds[added->last_kind].family == family &&
        kinds[added->last_kind].flags == flags) {
        *out_kind = added->last_kind;
        return FG_OK;
    }
    uint64_t key = (uint64_t)family << 32 | flags;
    struct fgi_recent_kind *recent = &added->recent[fgi_mix64(key) % FGI_RECENT_KINDS];
    enum fg_result result = FG_OK;
    if (recent->is_there && recent->key == key) {
        *out_kind = recent->kind;
    } else if (!fgi_map64_get(&added->kind_of, key, out_kind)) {
        *out_kind = (uint32_t)links->kind_list.count;
        result = FGI_GROW(builder->allocator, links->kind_list.items, links->kind_list.capacity,
                          links->kind_list.count + 1, UINT32_MAX);
        if (result == FG_OK) {
            result = fgi_map64_put(&added->kind_of, key, *out_kind);
        }
        if (result == FG_OK) {
            links->kind_list.items[links->kind_list.count++] =
                (struct fgi_link_kind){ family, flags };
        }
    }
    if (result == FG_OK) {
        *recent = (struct fgi_recent_kind){ key, *out_kind, true };
        added->last_kind = *out_kind;
    }
    return result;
}

/* More than 256 kinds: four bytes each, where it was one. */
static enum fg_result widen_kinds(struct fgi_builder *builder)
{
    struct fgi_new_links *added = &builder->links;
    uint32_t *wide = NULL;
    size_t capacity = 0;
    enum fg_result result =
        FGI_GROW(builder->allocator, wide, capacity, added->source_capacity, FG_NONE - 1);
    if (result != FG_OK) {
        return result;
    }
    for (size_t i = 0; i < added->count; i++) {
        wide[i] = added->kinds[i];
    }
    fgi_free(builder->allocator, added->kinds, added->kind_capacity);
    added->kinds = (uint8_t *)(void *)wide;
    added->kind_capacity = capacity * sizeof *wide;
    added->kind_width = sizeof *wide;
    return FG_OK;
}

static enum fg_result make_room(struct fgi_builder *builder, size_t count)
{
    struct fgi_new_links *added = &builder->links;
    const struct fg_allocator *allocator = builder->allocator;
    size_t needed = added->count + count;
    enum fg_result result =
        FGI_GROW(allocator, added->sources, added->source_capacity, needed, FG_NONE - 1);
    if (result == FG_OK) {
        result = FGI_GROW(allocator, added->targets, added->target_capacity, needed, FG_NONE - 1);
    }
    if (result == FG_OK) {
        added->kind_width = added->kind_width > 0 ? added->kind_width : 1;
        result = FGI_GROW(allocator, added->kinds, added->kind_capacity, needed * added->kind_width,
                          SIZE_MAX / 2);
    }
    return result;
}

static void add_link(struct fgi_builder *builder, uint32_t source, uint32_t target, uint32_t kind)
{
    struct fgi_new_links *added = &builder->links;
    size_t at = added->count;
    if (kind > UINT8_MAX && added->kind_width == 1) {
        fgi_builder_fail(builder, widen_kinds(builder));
    }
    if (builder->result != FG_OK) {
        return;
    }
    added->is_unsorted |= at > 0 && added->sources[at - 1] > source;
    added->sources[at] = source;
    added->targets[at] = target;
    if (added->kind_width == 1) {
        added->kinds[at] = (uint8_t)kind;
    } else {
        memcpy(added->kinds + at * sizeof kind, &kind, sizeof kind);
    }
    added->count++;
}

void fgi_builder_links(struct fgi_builder *builder, const struct fgi_links_in *in)
{
    uint64_t missing = 0;
    if (builder->result == FG_OK) {
        fgi_builder_fail(builder, make_room(builder, in->count));
    }
    for (uint32_t i = 0; i < in->count && builder->result == FG_OK; i++) {
        uint32_t kind = 0;
        if (in->source[i] == FG_NONE || in->target[i] == FG_NONE) {
            missing++;
            continue;
        }
        fgi_builder_fail(builder, kind_number(builder, in->family[i], in->flags[i], &kind));
        add_link(builder, in->source[i], in->target[i], kind);
    }
    if (missing > 0) {
        fgi_builder_repair(builder, "dependency_without_span", missing, UINT64_MAX);
    }
}

void fgi_builder_dependency(struct fgi_builder *builder,
                            const struct fg_trace_dependency *dependency)
{
    fgi_builder_links(builder, &(struct fgi_links_in){ .count = 1,
                                                       .source = &dependency->source,
                                                       .target = &dependency->target,
                                                       .family = &dependency->family,
                                                       .flags = &dependency->flags });
}

void fgi_builder_finish_links(struct fgi_builder *builder)
{
    struct fgi_new_links *added = &builder->links;
    fgi_map64_finish(&added->kind_of);
    fgi_free(builder->allocator, added->sources, added->source_capacity * sizeof *added->sources);
    fgi_free(builder->allocator, added->targets, added->target_capacity * sizeof *added->targets);
    fgi_free(builder->allocator, added->kinds, added->kind_capacity);
}

/* ---- their orders ---------------------------------------------------------------------------- */

static bool key_before(void *context, uint32_t a, uint32_t b)
{
    const uint32_t *keys = context;
    return keys[a] < keys[b];
}

/* Numbers of `count` keys, all below `limit`, by key, then by number: by counting, if it pays. */
static enum fg_result order_by(const struct fg_allocator *allocator, uint32_t *keys, uint32_t count,
                               uint32_t limit, uint32_t *order)
{
    if (count < limit / 16) {
        for (uint32_t i = 0; i < count; i++) {
            order[i] = i;
        }
        return fgi_sort_u32(allocator, order, count, key_before, keys);
    }
    uint32_t *next = fgi_calloc(allocator, (size_t)limit + 1, sizeof *next);
    if (!next) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        next[keys[i] + 1]++;
    }
    for (uint32_t k = 0; k < limit; k++) {
        next[k + 1] += next[k];
    }
    for (uint32_t i = 0; i < count; i++) {
        order[next[keys[i]]++] = i;
    }
    fgi_free(allocator, next, ((size_t)limit + 1) * sizeof *next);
    return FG_OK;
}

/* Ends that are not rows leave; the others move up. */
static void drop_dangling(struct fgi_builder *builder, uint32_t rows)
{
    struct fgi_new_links *added = &builder->links;
    size_t kept = 0, width = added->kind_width;
    for (size_t i = 0; i < added->count; i++) {
        if (added->sources[i] >= rows || added->targets[i] >= rows) {
            continue;
        }
        if (kept != i) {
            added->sources[kept] = added->sources[i];
            added->targets[kept] = added->targets[i];
            memcpy(added->kinds + kept * width, added->kinds + i * width, width);
        }
        kept++;
    }
    if (kept < added->count) {
        fgi_builder_repair(builder, "dependency_without_span", added->count - kept, UINT64_MAX);
    }
    added->count = kept;
}

static void permute(void *items, void *spare, size_t width, const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy((uint8_t *)spare + i * width, (uint8_t *)items + order[i] * width, width);
    }
    memcpy(items, spare, count * width);
}

static enum fg_result order_by_source(struct fgi_builder *builder, uint32_t rows)
{
    struct fgi_new_links *added = &builder->links;
    size_t bytes = (added->count + 1) * sizeof(uint32_t);
    uint32_t *order = fgi_malloc(builder->allocator, bytes);
    uint32_t *spare = fgi_malloc(builder->allocator, bytes);
    enum fg_result result = order && spare ? FG_OK : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        result = order_by(builder->allocator, added->sources, (uint32_t)added->count, rows, order);
    }
    if (result == FG_OK) {
        permute(added->sources, spare, sizeof *added->sources, order, added->count);
        permute(added->targets, spare, sizeof *added->targets, order, added->count);
        permute(added->kinds, spare, added->kind_width, order, added->count);
    }
    fgi_free(builder->allocator, order, bytes);
    fgi_free(builder->allocator, spare, bytes);
    return result;
}

/* The order by target, and the targets in it. */
static enum fg_result index_targets(const struct fg_allocator *allocator, struct fgi_links *links,
                                    uint32_t rows)
{
    enum { PART = 4096 };
    uint32_t part[PART];
    links->by_target = fgi_malloc(allocator, (size_t)links->count * sizeof *links->by_target);
    if (!links->by_target) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result =
        order_by(allocator, links->targets, links->count, rows, links->by_target);
    links->in_targets.allocator = allocator;
    for (uint32_t done = 0; done < links->count && result == FG_OK;) {
        uint32_t n = links->count - done < PART ? links->count - done : PART;
        for (uint32_t i = 0; i < n; i++) {
            part[i] = links->targets[links->by_target[done + i]];
        }
        result = fgi_rising_append(&links->in_targets, part, n);
        done += n;
    }
    return result == FG_OK ? fgi_rising_seal(&links->in_targets, rows) : result;
}

static enum fg_result keep_sources(const struct fg_allocator *allocator, struct fgi_links *links,
                                   const uint32_t *sources, uint32_t count, uint32_t rows)
{
    links->sources.allocator = allocator;
    enum fg_result result = fgi_rising_append(&links->sources, sources, count);
    return result == FG_OK ? fgi_rising_seal(&links->sources, rows) : result;
}

/* The kinds in as few bits as their number needs, and 8 bytes more so that any may be loaded. */
static enum fg_result pack_kinds(struct fgi_builder *builder)
{
    struct fgi_new_links *added = &builder->links;
    struct fgi_links *links = &builder->trace->links;
    while (links->kind_list.count > (size_t)1 << links->kind_bits) {
        links->kind_bits++;
    }
    links->kind_bytes = (size_t)(((uint64_t)links->count * links->kind_bits + 7) / 8) + 8;
    links->kinds = fgi_calloc(builder->allocator, links->kind_bytes, 1);
    if (!links->kinds) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < links->count && links->kind_bits > 0; i++) {
        uint32_t kind = added->kinds[i];
        if (added->kind_width > 1) {
            memcpy(&kind, added->kinds + (size_t)i * sizeof kind, sizeof kind);
        }
        uint64_t bit = (uint64_t)i * links->kind_bits;
        uint8_t *at = links->kinds + bit / 8;
        fgi_store_u64(at, fgi_load_u64(at) | (uint64_t)kind << bit % 8);
    }
    return FG_OK;
}

/* What was added becomes the trace's, in the memory that it needs. */
static enum fg_result hand_over(struct fgi_builder *builder)
{
    struct fgi_new_links *added = &builder->links;
    struct fgi_links *links = &builder->trace->links;
    enum fg_result result =
        FGI_SHRINK(builder->allocator, added->targets, added->target_capacity, added->count);
    if (result != FG_OK) {
        return result;
    }
    links->count = (uint32_t)added->count;
    links->targets = added->targets;
    added->targets = NULL;
    added->target_capacity = 0;
    result = pack_kinds(builder);
    fgi_free(builder->allocator, added->kinds, added->kind_capacity);
    added->kinds = NULL;
    added->kind_capacity = 0;
    return result;
}

enum fg_result fgi_builder_order_links(struct fgi_builder *builder)
{
    struct fgi_new_links *added = &builder->links;
    struct fgi_links *links = &builder->trace->links;
    uint32_t rows = fgi_trace_rows(builder->trace);
    drop_dangling(builder, rows);
    if (added->count == 0) {
        return FG_OK;
    }
    enum fg_result result = added->is_unsorted ? order_by_source(builder, rows) : FG_OK;
    if (result == FG_OK) {
        result =
            keep_sources(builder->allocator, links, added->sources, (uint32_t)added->count, rows);
    }
    fgi_free(builder->allocator, added->sources, added->source_capacity * sizeof *added->sources);
    added->sources = NULL;
    added->source_capacity = 0;
    if (result == FG_OK) {
        result = hand_over(builder);
    }
    return result == FG_OK ? index_targets(builder->allocator, links, rows) : result;
}

enum fg_result fgi_links_order(const struct fg_allocator *allocator, struct fgi_links *links,
                               const uint32_t *sources, uint32_t rows)
{
    enum fg_result result = keep_sources(allocator, links, sources, links->count, rows);
    return result == FG_OK ? index_targets(allocator, links, rows) : result;
}
