/* SPDX-License-Identifier: MIT */
/*
 * Arguments that came in records of their own are not kept: when somebody asks, the record is read
 * again, all of its lists at once, as whoever asks for one row mostly goes on to the next.
 */
#include "convert/capture_to_trace_lists.h"
#include "base/sort.h"
#include "convert/capture_to_trace_listing.h"
#include "convert/capture_to_trace_track.h"

/* ---- second reading -------------------------------------------------------------------------- */

/* What kind of argument a value is by itself. */
static enum fg_arg_kind kind_of(const struct fg_cap_value *value)
{
    switch (value->kind) {
    case FG_CAP_VALUE_INT:
        return FG_ARG_INT;
    case FG_CAP_VALUE_UINT:
        return FG_ARG_UINT;
    case FG_CAP_VALUE_F64:
        return FG_ARG_DOUBLE;
    case FG_CAP_VALUE_BOOL:
        return FG_ARG_BOOL;
    default:
        return FG_ARG_TEXT;
    }
}

/* Whether a value can stand for an argument of that kind. */
static bool fits(const struct fg_cap_value *value, uint32_t kind)
{
    switch (kind) {
    case FG_ARG_GROUP:
    case FG_ARG_UNKNOWN:
        return true;
    case FG_ARG_INT:
    case FG_ARG_DURATION_NS:
    case FG_ARG_TIME_NS:
        return kind_of(value) == FG_ARG_INT;
    case FG_ARG_UINT:
    case FG_ARG_BYTES:
    case FG_ARG_ROW:
    case FG_ARG_RESOURCE:
    case FG_ARG_OBJECT:
        return kind_of(value) == FG_ARG_UINT;
    default:
        return (uint32_t)kind_of(value) == kind;
    }
}

static void put_list(struct fgi_conversion *c, const struct fg_cap_ref *owner, size_t index)
{
    const struct fgi_arg_list list = { *owner, (uint32_t)c->backing->arg_records.count - 1,
                                       (uint32_t)index };
    (void)FGI_PUT(c, c->arg_lists, list);
}

void fgi_convert_arguments(struct fgi_conversion *c, const struct fg_cap_arguments *arguments,
                           uint64_t offset)
{
    bool is_there = FGI_PUT(c, c->backing->arg_records, offset);
    for (size_t i = 0; i < arguments->list_count && is_there; i++) {
        put_list(c, &arguments->lists[i].owner, i);
    }
}

void fgi_convert_trees(struct fgi_conversion *c, const struct fg_cap_trees *trees, uint64_t offset)
{
    bool is_there = FGI_PUT(c, c->backing->arg_records, offset);
    for (size_t i = 0; i < trees->tree_count && is_there; i++) {
        const struct fg_cap_tree *tree = &trees->trees[i];
        for (size_t k = 0; k < tree->argument_count; k++) {
            if (!fits(&tree->arguments[k].value, tree->arguments[k].kind)) {
                fgi_builder_repair(c->builder, "argument_of_other_kind", 1, offset);
            }
        }
        put_list(c, &tree->owner, i);
    }
}

/* ---- by row ---------------------------------------------------------------------------------- */

static bool place_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_arg_place *x = (const struct fgi_arg_place *)context + a;
    const struct fgi_arg_place *y = (const struct fgi_arg_place *)context + b;
    if (x->row != y->row) {
        return x->row < y->row;
    }
    return x->record != y->record ? x->record < y->record : x->index < y->index;
}

void fgi_convert_place_lists(struct fgi_conversion *c, const uint32_t *rows)
{
    struct fgi_capture_backing *backing = c->backing;
    for (size_t i = 0; i < c->arg_lists.count; i++) {
        const struct fgi_arg_list *list = &c->arg_lists.items[i];
        if (rows[i] == FG_NONE) {
            fgi_builder_repair(c->builder, "arguments_without_span", 1, UINT64_MAX);
            continue;
        }
        const struct fgi_arg_place place = { rows[i], list->record, list->index };
        (void)FGI_PUT(c, backing->arg_places, place);
    }
    fgi_builder_fail(c->builder, fgi_sort_table(c->allocator, backing->arg_places.items,
                                                backing->arg_places.count,
                                                sizeof *backing->arg_places.items, place_before));
    backing->trace->args_loader.bytes =
        backing->arg_records.capacity * sizeof *backing->arg_records.items +
        backing->arg_places.capacity * sizeof *backing->arg_places.items;
}

/* ---- when they are asked for ----------------------------------------------------------------- */

static struct fg_trace_arg read_value(struct fgi_listing *l, const struct fg_cap_value *value)
{
    struct fg_trace_arg arg = { .kind = (uint8_t)kind_of(value) };
    switch (value->kind) {
    case FG_CAP_VALUE_INT:
        arg.value.integer = value->i;
        break;
    case FG_CAP_VALUE_UINT:
        arg.value.natural = value->u;
        break;
    case FG_CAP_VALUE_F64:
        arg.value.real = value->f;
        break;
    case FG_CAP_VALUE_BOOL:
        arg.value.natural = value->u != 0;
        break;
    case FG_CAP_VALUE_SYMBOL:
        arg.value.text = value->u <= UINT32_MAX ? fgi_list_symbol(l, (uint32_t)value->u) : 0;
        break;
    default:
        arg.value.text = fgi_list_intern(l, value->text.data, value->text.size);
        break;
    }
    return arg;
}

static struct fg_trace_arg read_argument(struct fgi_listing *l,
                                         const struct fg_cap_argument *argument)
{
    struct fg_trace_arg arg = read_value(l, &argument->value);
    arg.key = fgi_list_symbol(l, argument->key);
    return arg;
}

static struct fg_trace_arg read_tree_argument(struct fgi_listing *l,
                                              const struct fg_cap_tree_argument *argument)
{
    struct fg_trace_arg arg = read_value(l, &argument->value);
    if (fits(&argument->value, argument->kind)) {
        arg.kind = (uint8_t)argument->kind;
    }
    if (arg.kind == FG_ARG_GROUP || arg.kind == FG_ARG_UNKNOWN) {
        arg.value.natural = 0;
    }
    arg.quality = argument->quality <= FG_QUALITY_DERIVED ? (uint8_t)argument->quality : 0;
    arg.depth = (uint16_t)(argument->depth < UINT16_MAX ? argument->depth : UINT16_MAX);
    arg.key = fgi_list_symbol(l, argument->key);
    return arg;
}

/* Room for `count` arguments of list i; NULL and the listing has failed when there is none. */
static struct fg_trace_arg *make_list(struct fgi_listing *l, struct fgi_args_cache *cache, size_t i,
                                      size_t count)
{
    struct fg_trace_arg *out = fgi_arena_alloc(&cache->arena, count + 1, sizeof *out);
    if (out == NULL) {
        l->result = FG_ERR_NO_MEMORY;
        return NULL;
    }
    cache->lists[i] = (struct fgi_cached_args){ out, (uint32_t)count };
    return out;
}

static void read_lists(struct fgi_listing *l, struct fgi_args_cache *cache,
                       const struct fg_cap_arguments *from)
{
    for (size_t i = 0; i < from->list_count && l->result == FG_OK; i++) {
        const struct fg_cap_argument_list *list = &from->lists[i];
        struct fg_trace_arg *out = make_list(l, cache, i, list->argument_count);
        for (size_t k = 0; k < list->argument_count && out != NULL; k++) {
            out[k] = read_argument(l, &list->arguments[k]);
        }
    }
}

static void read_trees(struct fgi_listing *l, struct fgi_args_cache *cache,
                       const struct fg_cap_trees *from)
{
    for (size_t i = 0; i < from->tree_count && l->result == FG_OK; i++) {
        const struct fg_cap_tree *tree = &from->trees[i];
        struct fg_trace_arg *out = make_list(l, cache, i, tree->argument_count);
        for (size_t k = 0; k < tree->argument_count && out != NULL; k++) {
            out[k] = read_tree_argument(l, &tree->arguments[k]);
        }
    }
}

static enum fg_result fill_cache(struct fgi_capture_backing *backing, struct fgi_args_cache *cache,
                                 uint32_t index)
{
    struct fgi_listing l = { .backing = backing };
    struct fg_capture_record record;
    cache->is_valid = false;
    fgi_arena_reset(&cache->arena);
    bool is_there = fgi_convert_read_again(backing->capture, backing->arg_records.items[index],
                                           &record, &l.result);
    bool has_trees = is_there && record.type == FG_CAPTURE_ARGT;
    bool has_lists = is_there && record.type == FG_CAPTURE_ARGS;
    size_t count = has_trees ? record.trees->tree_count : 0;
    count = has_lists ? record.arguments->list_count : count;
    cache->lists = fgi_arena_alloc(&cache->arena, count + 1, sizeof *cache->lists);
    cache->count = (uint32_t)count;
    if (cache->lists == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    if (has_trees) {
        read_trees(&l, cache, record.trees);
    } else if (has_lists) {
        read_lists(&l, cache, record.arguments);
    }
    cache->of = index;
    cache->is_valid = l.result == FG_OK;
    return l.result;
}

void fgi_put_cached(const struct fgi_cached_args *from, struct fg_trace_arg *out_args,
                    uint32_t capacity, uint32_t *count)
{
    for (uint32_t i = 0; i < from->count; i++, (*count)++) {
        if (*count < capacity) {
            out_args[*count] = from->args[i];
        }
    }
}

enum fg_result fgi_convert_load_lists(struct fgi_capture_backing *backing, uint32_t row,
                                      struct fg_trace_arg *out_args, uint32_t capacity,
                                      uint32_t *count)
{
    const struct fgi_arg_place *places = backing->arg_places.items;
    size_t at = 0, end = backing->arg_places.count;
    while (at < end) {
        size_t middle = at + (end - at) / 2;
        if (places[middle].row < row) {
            at = middle + 1;
        } else {
            end = middle;
        }
    }
    for (; at < backing->arg_places.count && places[at].row == row; at++) {
        struct fgi_args_cache *cache =
            &backing->record_caches[places[at].record % FGI_ARG_RECORDS_CACHED];
        if (!cache->is_valid || cache->of != places[at].record) {
            enum fg_result result = fill_cache(backing, cache, places[at].record);
            if (result != FG_OK) {
                return result;
            }
        }
        if (places[at].index < cache->count) {
            fgi_put_cached(&cache->lists[places[at].index], out_args, capacity, count);
        }
    }
    return FG_OK;
}
