/* SPDX-License-Identifier: MIT */
#include "capture_fill.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

uint64_t fill_random(struct fill *fill)
{
    fill->state += 0x9e3779b97f4a7c15u;
    return fgi_mix64(fill->state);
}

/* Small numbers, large ones, and the ends of the range, all often. */
static uint64_t number(struct fill *fill)
{
    uint64_t raw = fill_random(fill);
    switch (raw % 5) {
    case 0:
        return raw >> 60;
    case 1:
        return raw >> 50;
    case 2:
        return UINT64_MAX - (raw >> 62);
    case 3:
        return raw >> (raw & 63);
    default:
        return raw;
    }
}

static uint32_t number32(struct fill *fill)
{
    uint64_t raw = number(fill);
    return (uint32_t)(raw ^ raw >> 32);
}

static uint32_t symbol(struct fill *fill)
{
    uint32_t raw = number32(fill);
    return fill->symbol_count != 0 ? raw % fill->symbol_count : raw;
}

static struct fg_cap_text text(struct fill *fill)
{
    size_t size = fill_random(fill) % 12;
    char *data = fgi_arena_alloc(&fill->arena, size + 1, 1);
    for (size_t i = 0; data != NULL && i < size; i++) {
        data[i] = (char)fill_random(fill);
    }
    return (struct fg_cap_text){ data, data != NULL ? size : 0 };
}

static const char *list_name(const struct fill *fill)
{
    return fill->depth != 0 ? fill->lists[fill->depth - 1] : "";
}

/* Fields that are stored only beside certain values of an earlier one. */
static bool is_absent(const struct fill *fill, const char *name, enum fgi_codec_kind kind)
{
    static const char buffer_fields[] = " size_bytes clear_offset clear_bytes ";
    static const char texture_fields[] =
        " format dimension width height depth mip_count layer_count sample_count ";
    static const char indirect_fields[] = " buffer offset draw_count stride_bytes ";
    char word[40] = " ";
    strncat(strncat(word, name, 30), " ", 2);
    if (strcmp(list_name(fill), "resources") == 0) {
        return (strstr(buffer_fields, word) != NULL && fill->kind != FG_CAP_RESOURCE_BUFFER) ||
               (strstr(texture_fields, word) != NULL && fill->kind != FG_CAP_RESOURCE_TEXTURE);
    }
    if (strcmp(list_name(fill), "works") == 0) {
        bool indirect = (fill->kind >= 2 && fill->kind <= 5) || fill->kind == 7;
        return (strncmp(name, "workgroup_", 10) == 0 && fill->kind != 6 && fill->kind != 7) ||
               (strstr(indirect_fields, word) != NULL && !indirect);
    }
    if (strcmp(list_name(fill), "spans") == 0 && kind == FGI_KIND_U64) {
        bool begins = fill->status == FG_CAP_SPAN_OK || fill->status == FG_CAP_SPAN_OPEN ||
                      fill->status == FG_CAP_SPAN_INVALID;
        return (strcmp(name, "begin_ticks") == 0 && !begins) ||
               (strcmp(name, "end_ticks") == 0 && (!begins || fill->status == FG_CAP_SPAN_OPEN));
    }
    return false;
}

/* Enumerations that other fields depend on stay near their known values. */
static uint32_t chosen(struct fill *fill, const char *name)
{
    uint32_t value = number32(fill);
    if (strcmp(name, "kind") == 0) {
        fill->kind = value = value % 14;
    } else if (strcmp(name, "status") == 0) {
        fill->status = value = value % 7;
    } else if (strcmp(name, "mask") == 0) {
        fill->mask = value;
    }
    return value;
}

static void value(void *context, const char *name, enum fgi_codec_kind kind, void *out)
{
    struct fill *fill = context;
    name = name != NULL ? name : "";
    bool absent = is_absent(fill, name, kind);
    switch (kind) {
    case FGI_KIND_U16:
        *(uint16_t *)out = (uint16_t)number32(fill);
        break;
    case FGI_KIND_U32:
        *(uint32_t *)out = absent ? 0 : chosen(fill, name);
        break;
    case FGI_KIND_U64:
        *(uint64_t *)out = absent ? 0 : number(fill);
        break;
    case FGI_KIND_I64:
        *(int64_t *)out = (int64_t)number(fill);
        break;
    case FGI_KIND_F64: {
        uint64_t bits = fill_random(fill);
        memcpy(out, &bits, sizeof bits);
        break;
    }
    case FGI_KIND_OPT32:
        *(uint32_t *)out = number32(fill);
        break;
    case FGI_KIND_OPT64:
        *(uint64_t *)out = number(fill);
        break;
    case FGI_KIND_SYMBOL:
        *(uint32_t *)out = symbol(fill);
        break;
    case FGI_KIND_TEXT:
        *(struct fg_cap_text *)out = text(fill);
        break;
    }
}

static void list_begin(void *context, const char *name, const void **items, size_t *count,
                       size_t item_size)
{
    struct fill *fill = context;
    unsigned max = fill->max_items != 0 ? fill->max_items : 5;
    *count = fill_random(fill) % (max + 1);
    if (strcmp(name, "values") == 0) {
        *count = 0;
        for (uint32_t bits = fill->mask; bits != 0; bits &= bits - 1) {
            ++*count;
        }
    }
    *items = *count != 0 ? fgi_arena_alloc(&fill->arena, *count, item_size) : NULL;
    fill->lists[fill->depth++] = name;
}

static void list_end(void *context)
{
    struct fill *fill = context;
    fill->depth--;
}

static void nothing(void *context, const char *name)
{
    (void)context;
    (void)name;
}

static void nothing_more(void *context)
{
    (void)context;
}

static void typed(void *context, const char *name, struct fg_cap_value *out)
{
    struct fill *fill = context;
    (void)name;
    out->kind = (uint32_t)(fill_random(fill) % 7);
    switch (out->kind) {
    case FG_CAP_VALUE_INT:
        out->i = (int64_t)number(fill);
        break;
    case FG_CAP_VALUE_UINT:
    case FG_CAP_VALUE_BOOL:
        out->u = number(fill);
        break;
    case FG_CAP_VALUE_F64:
        value(fill, NULL, FGI_KIND_F64, &out->f);
        break;
    case FG_CAP_VALUE_SYMBOL:
        out->u = symbol(fill);
        break;
    default:
        out->text = text(fill);
        break;
    }
}

void fill_payload(struct fill *fill, fgi_fields *fields, void *payload)
{
    struct fgi_codec_visitor visitor = {
        .value = value,
        .list_begin = list_begin,
        .list_end = list_end,
        .struct_begin = nothing,
        .struct_end = nothing_more,
        .typed = typed,
        .context = fill,
    };
    struct fgi_codec codec = { .mode = FGI_CODEC_VISIT, .visitor = &visitor };
    fields(&codec, payload);
}

/* ---- Rules between fields -------------------------------------------------------------------- */

static int by_begin(const void *left, const void *right)
{
    const struct fg_cap_block_span *a = left;
    const struct fg_cap_block_span *b = right;
    if (a->begin_ticks != b->begin_ticks) {
        return a->begin_ticks < b->begin_ticks ? -1 : 1;
    }
    return a->end_ticks > b->end_ticks ? -1 : a->end_ticks < b->end_ticks;
}

static void settle_block(struct fill *fill, struct fg_cap_span_block *block)
{
    if (block->span_count == 0) {
        block->spans = fgi_arena_alloc(&fill->arena, 1, sizeof *block->spans);
        block->span_count = 1;
    }
    struct fg_cap_block_span *spans = (struct fg_cap_block_span *)block->spans;
    for (size_t i = 0; i < block->span_count; i++) {
        if (spans[i].end_ticks < spans[i].begin_ticks) {
            int64_t swap = spans[i].end_ticks;
            spans[i].end_ticks = spans[i].begin_ticks;
            spans[i].begin_ticks = swap;
        }
    }
    qsort(spans, block->span_count, sizeof *spans, by_begin);
    block->first_ticks = spans[0].begin_ticks;
    block->last_ticks = INT64_MIN;
    for (size_t i = 0; i < block->span_count; i++) {
        block->last_ticks =
            spans[i].end_ticks > block->last_ticks ? spans[i].end_ticks : block->last_ticks;
    }
}

static int compare_refs(const struct fg_cap_ref *a, const struct fg_cap_ref *b)
{
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return a->b < b->b ? -1 : a->b > b->b;
}

static int by_source(const void *left, const void *right)
{
    const struct fg_cap_dependency *a = left;
    const struct fg_cap_dependency *b = right;
    int order = compare_refs(&a->from, &b->from);
    return order != 0 ? order : compare_refs(&a->to, &b->to);
}

/* Details name events that there are, ascending: some of the first ones. */
static void settle_details(struct fill *fill, struct fg_cap_resource_events *list)
{
    struct fg_cap_resource_detail *details = (struct fg_cap_resource_detail *)list->details;
    uint32_t event = 0;
    size_t count = 0;
    for (; count < list->detail_count; count++, event++) {
        event += fill_random(fill) % 2;
        if (event >= list->event_count) {
            break;
        }
        details[count].event = event;
    }
    list->detail_count = count;
    list->details = count != 0 ? list->details : NULL;
}

bool fill_ends_early(uint32_t type, const void *payload)
{
    const struct fg_cap_metric *metric = payload;
    const struct fg_cap_resource_events *list = payload;
    return (type == FG_CAPTURE_MDEF && metric->accuracy == 0) ||
           (type == FG_CAPTURE_REVT && list->detail_count == 0);
}

void fill_settle(struct fill *fill, uint32_t type, void *payload)
{
    if (type == FG_CAPTURE_SPAN) {
        settle_block(fill, payload);
    } else if (type == FG_CAPTURE_DEPS) {
        struct fg_cap_dependencies *list = payload;
        if (list->dependency_count != 0) {
            qsort((void *)list->dependencies, list->dependency_count, sizeof *list->dependencies,
                  by_source);
        }
    } else if (type == FG_CAPTURE_REVT) {
        settle_details(fill, payload);
    } else if (type == FG_CAPTURE_SYMS) {
        struct fg_cap_symbols *list = payload;
        for (size_t i = 0; i < list->symbol_count; i++) {
            ((struct fg_cap_symbol *)list->symbols)[i].id |= 1;
        }
    }
}

static uint32_t inside(struct fill *fill, size_t count)
{
    return count == 0 || fill_random(fill) % 4 == 0 ? FG_CAP_NONE
                                                    : (uint32_t)(fill_random(fill) % count);
}

static void settle_gpu_pass(struct fill *fill, struct fg_cap_frame *frame, size_t index,
                            const struct fg_cap_topology *topology)
{
    struct fg_cap_gpu_pass *pass = (struct fg_cap_gpu_pass *)&frame->gpu_passes[index];
    pass->gpu_pass = inside(fill, topology->gpu_pass_count);
    if (pass->gpu_pass != FG_CAP_NONE) {
        pass->graph_pass = topology->gpu_passes[pass->gpu_pass].owner;
        pass->kind = topology->gpu_passes[pass->gpu_pass].kind;
        pass->label = topology->gpu_passes[pass->gpu_pass].label;
    } else {
        pass->graph_pass = inside(fill, topology->pass_count);
    }
    pass->submission = inside(fill, frame->submission_count);
    pass->parent = inside(fill, index);
    pass->logical = inside(fill, frame->gpu_pass_count);
    for (size_t i = 0; i < pass->attachment_count; i++) {
        ((struct fg_cap_attachment *)pass->attachments)[i].resource =
            inside(fill, topology->resource_count);
    }
}

void fill_settle_frame(struct fill *fill, struct fg_cap_frame *frame,
                       const struct fg_cap_topology *topology)
{
    frame->pass_count = topology->pass_count != 0 ? frame->pass_count : 0;
    for (size_t i = 0; i < frame->pass_count; i++) {
        struct fg_cap_cpu_pass *pass = (struct fg_cap_cpu_pass *)&frame->passes[i];
        pass->graph_pass = (uint32_t)(fill_random(fill) % topology->pass_count);
        if ((pass->flags & FG_CAP_CPU_PASS_TIMED) == 0) {
            pass->begin_ticks = pass->end_ticks = 0;
        }
    }
    for (size_t i = 0; i < frame->gpu_pass_count; i++) {
        settle_gpu_pass(fill, frame, i, topology);
    }
}

static void settle_indices(struct fill *fill, const uint32_t *items, size_t *count, size_t limit)
{
    *count = limit != 0 ? *count : 0;
    for (size_t i = 0; i < *count; i++) {
        ((uint32_t *)items)[i] = (uint32_t)(fill_random(fill) % limit);
    }
}

void fill_topology(struct fill *fill, struct fg_cap_topology *topology)
{
    fill_payload(fill, fgi_fields_topology, topology);
    for (size_t i = 0; i < topology->scope_count; i++) {
        ((struct fg_cap_scope *)topology->scopes)[i].parent = inside(fill, i);
    }
    for (size_t i = 0; i < topology->pass_count; i++) {
        struct fg_cap_graph_pass *pass = (struct fg_cap_graph_pass *)&topology->passes[i];
        pass->scope = inside(fill, topology->scope_count);
        settle_indices(fill, pass->reads, &pass->read_count, topology->resource_count);
        settle_indices(fill, pass->writes, &pass->write_count, topology->resource_count);
        settle_indices(fill, pass->creates, &pass->create_count, topology->resource_count);
    }
    for (size_t i = 0; i < topology->resource_count; i++) {
        ((struct fg_cap_resource *)topology->resources)[i].producer =
            inside(fill, topology->pass_count);
    }
    for (size_t i = 0; i < topology->gpu_pass_count; i++) {
        ((struct fg_cap_topology_gpu_pass *)topology->gpu_passes)[i].owner =
            inside(fill, topology->pass_count);
    }
    topology->edge_count = topology->pass_count != 0 ? topology->edge_count : 0;
    for (size_t i = 0; i < topology->edge_count; i++) {
        struct fg_cap_edge *edge = (struct fg_cap_edge *)&topology->edges[i];
        edge->from = (uint32_t)(fill_random(fill) % topology->pass_count);
        edge->to = (uint32_t)(fill_random(fill) % topology->pass_count);
    }
}
