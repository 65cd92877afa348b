/* SPDX-License-Identifier: MIT */
/* Resources of a window, chosen, ordered and summed by type: the same for all engines. */
#include "trace/model.h"
#include "trace/query_priv.h"
#include <string.h>

#define DEFAULT_PAGE 1000u
enum { ASK_EVERY = 65536 };

struct listing {
    const struct fg_trace *trace;
    const struct fg_objects_request *request;
    const struct fg_trace_object_event **known; /* of each that was chosen */
    uint32_t *chosen, *order;                   /* numbers; positions among the chosen */
    uint32_t count;
};

/* Below, equal, above: -1, 0, 1. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_in_column(const struct listing *l, uint32_t a, uint32_t b)
{
    const struct fg_trace_object *first = &l->trace->objects.items[l->chosen[a]];
    const struct fg_trace_object *second = &l->trace->objects.items[l->chosen[b]];
    switch (l->request->column) {
    case FG_OBJECT_BY_SIZE:
        return COMPARE(l->known[a]->size_bytes, l->known[b]->size_bytes);
    case FG_OBJECT_BY_NAME:
        return strcmp(fg_trace_text(l->trace, l->known[a]->name),
                      fg_trace_text(l->trace, l->known[b]->name));
    case FG_OBJECT_BY_TYPE:
        return strcmp(fg_trace_text(l->trace, l->known[a]->type),
                      fg_trace_text(l->trace, l->known[b]->type));
    case FG_OBJECT_BY_MADE:
        return COMPARE(first->made_ns, second->made_ns);
    case FG_OBJECT_BY_GONE:
        return COMPARE(first->gone_ns, second->gone_ns);
    default:
        return COMPARE(a, b);
    }
}

static bool object_before(void *context, uint32_t a, uint32_t b)
{
    const struct listing *l = context;
    if (l->request->column == FG_OBJECT_BY_SIZE) {
        bool is_a_known = l->known[a]->size_bytes != UINT64_MAX;
        bool is_b_known = l->known[b]->size_bytes != UINT64_MAX;
        if (!is_a_known || !is_b_known) {
            return is_a_known && !is_b_known;
        }
    }
    int order = compare_in_column(l, a, b);
    return l->request->is_descending ? order > 0 : order < 0;
}

static bool has_text(const struct listing *l, const struct fg_trace_object_event *known)
{
    const char *text = l->request->text;
    return !text || !text[0] || fgi_text_contains(fg_trace_text(l->trace, known->name), text) ||
           fgi_text_contains(fg_trace_text(l->trace, known->type), text);
}

static enum fg_result choose(struct listing *l, const struct fgi_question *question)
{
    size_t all = l->trace->objects.count;
    l->known = fgi_arena_alloc(question->arena, all + 1, sizeof *l->known);
    l->chosen = fgi_arena_alloc(question->arena, all + 1, sizeof *l->chosen);
    l->order = fgi_arena_alloc(question->arena, all + 1, sizeof *l->order);
    if (!l->known || !l->chosen || !l->order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < all; i++) {
        if (i % ASK_EVERY == 0 && fgi_question_cancelled(question)) {
            return FG_ERR_CANCELLED;
        }
        if (!fg_trace_object_is_in(&l->trace->objects.items[i], l->request->set,
                                   l->request->start_ns, l->request->end_ns)) {
            continue;
        }
        const struct fg_trace_object_event *known =
            fg_trace_object_at(l->trace, i, l->request->end_ns);
        if (has_text(l, known)) {
            l->known[l->count] = known;
            l->chosen[l->count] = i;
            l->order[l->count] = l->count;
            l->count++;
        }
    }
    return FG_OK;
}

/* ---- types ----------------------------------------------------------------------------------- */

struct type_list {
    const struct fg_trace *trace;
    struct fg_object_type_sum *types;
};

static bool type_before(void *context, uint32_t a, uint32_t b)
{
    const struct type_list *list = context;
    const struct fg_object_type_sum *first = &list->types[a];
    const struct fg_object_type_sum *second = &list->types[b];
    /* One more, and what is not known is the least. */
    uint64_t first_bytes = first->sum.size_bytes + 1;
    uint64_t second_bytes = second->sum.size_bytes + 1;
    if (first_bytes != second_bytes) {
        return first_bytes > second_bytes;
    }
    return strcmp(fg_trace_text(list->trace, first->type),
                  fg_trace_text(list->trace, second->type)) < 0;
}

static enum fg_result sum_types(const struct listing *l, const struct fgi_question *question,
                                struct fg_objects_reply *reply)
{
    size_t texts = fg_trace_text_count(l->trace);
    uint32_t *slot_of = fgi_arena_alloc(question->arena, texts + 1, sizeof *slot_of);
    struct fg_object_adder *adders =
        fgi_arena_alloc(question->arena, (size_t)l->count + 1, sizeof *adders);
    struct fg_object_type_sum *types =
        fgi_arena_alloc(question->arena, (size_t)l->count + 1, sizeof *types);
    struct fg_object_type_sum *sorted =
        fgi_arena_alloc(question->arena, (size_t)l->count + 1, sizeof *sorted);
    uint32_t *order = fgi_arena_alloc(question->arena, (size_t)l->count + 1, sizeof *order);
    uint32_t count = 0;
    if (!slot_of || !adders || !types || !sorted || !order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t *slot = &slot_of[l->known[i]->type]; /* plus 1; 0 = none yet */
        if (*slot == 0) {
            types[count].type = l->known[i]->type;
            order[count] = count;
            *slot = ++count;
        }
        fg_object_add(&adders[*slot - 1], l->known[i]->size_bytes);
    }
    for (uint32_t i = 0; i < count; i++) {
        types[i].sum = fg_object_added(&adders[i]);
    }
    struct type_list list = { l->trace, types };
    enum fg_result result =
        fgi_sort_u32(question->arena->allocator, order, count, type_before, &list);
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        sorted[i] = types[order[i]];
    }
    reply->types = sorted;
    reply->type_count = count < FG_OBJECT_TYPES_MAX ? count : FG_OBJECT_TYPES_MAX;
    return result;
}

/* ---- the question ---------------------------------------------------------------------------- */

enum fg_result fg_query_objects(struct fg_query *query, const struct fg_objects_request *request,
                                struct fg_objects_reply *out_reply)
{
    struct fg_objects_request r = *request;
    if (r.start_ns == 0 && r.end_ns == 0) {
        r.start_ns = FG_TIME_MIN;
        r.end_ns = INT64_MAX;
    }
    if (r.start_ns >= r.end_ns || (unsigned)r.set >= FG_OBJECT_SETS ||
        (unsigned)r.column >= FG_OBJECT_COLUMNS) {
        return FG_ERR_ARGUMENT;
    }
    r.limit = r.limit ? r.limit : DEFAULT_PAGE;
    struct listing l = { .trace = query->engine->trace, .request = &r };
    enum fg_result result = choose(&l, &query->question);
    if (result == FG_OK && (r.column != FG_OBJECT_BY_NUMBER || r.is_descending)) {
        result =
            fgi_sort_u32(query->question.arena->allocator, l.order, l.count, object_before, &l);
    }
    *out_reply = (struct fg_objects_reply){ .total = l.count };
    if (result == FG_OK) {
        result = sum_types(&l, &query->question, out_reply);
    }
    if (result != FG_OK) {
        return result;
    }
    uint32_t left = r.first < l.count ? l.count - r.first : 0;
    out_reply->count = left < r.limit ? left : r.limit;
    uint32_t *page =
        fgi_arena_alloc(query->question.arena, (size_t)out_reply->count + 1, sizeof *page);
    if (!page) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < out_reply->count; i++) {
        page[i] = l.chosen[l.order[r.first + i]];
    }
    out_reply->objects = page;
    return FG_OK;
}
