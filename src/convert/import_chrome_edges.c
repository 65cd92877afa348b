/* SPDX-License-Identifier: MIT */
/*
 * B and E. A row is added for every B when it comes, so that rows are in the order of the file; its
 * end is found when everything has been read: the edges of a thread are taken by time, then in the
 * order of the file, and an E closes the latest B that is open, whatever its name. A B without an E
 * is unfinished, an E without a B is in the repair report.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

#include <string.h>

void fgi_chrome_edge(struct fgi_chrome *c, bool is_end)
{
    const struct fgi_chrome_event *e = &c->event;
    uint32_t thread = fgi_chrome_thread(c, e->pid, e->tid);
    uint32_t track = fgi_chrome_track(c, thread);
    if (track == FG_NONE) {
        return;
    }
    struct fgi_chrome_edge edge = {
        .ns = fgi_chrome_start_ns(c, thread),
        .item = FG_NONE,
        .name_and_end = e->name << 1 | is_end,
    };
    if (!is_end) {
        struct fgi_span_in span = fgi_span_in_make(track, e->name, edge.ns, edge.ns);
        span.category = e->category;
        span.classes = fgi_chrome_classes(c, thread, e->category, e->name);
        edge.item = fgi_builder_span(c->builder, &span);
        if (edge.item == FG_NONE) {
            return;
        }
        if (e->has_extra) {
            fgi_chrome_place(c, edge.item, e->offset);
        }
        if (e->bind_id != FG_NONE) {
            fgi_chrome_flow_of_span(c, edge.item, edge.ns);
        }
    } else {
        /* Where its arguments are, and where it is reported when it closes nothing. */
        edge.item = (uint32_t)c->end_offsets.count;
        uint64_t offset = e->offset << 1 | (e->args.size > 2);
        if (!FGI_CHROME_PUSH(c, c->end_offsets, offset)) {
            return;
        }
    }
    (void)FGI_CHROME_PUSH(c, c->threads.items[thread].edges, edge);
}

/* ---- by time --------------------------------------------------------------------------------- */

static void merge(const struct fgi_chrome_edge *from, struct fgi_chrome_edge *to, size_t middle,
                  size_t count)
{
    size_t a = 0, b = middle;
    for (size_t i = 0; i < count; i++) {
        bool first = b == count || (a < middle && from[a].ns <= from[b].ns);
        to[i] = first ? from[a++] : from[b++];
    }
}

/* Stable; a list that is in order, as most are, is only looked at. */
static void sort_edges(struct fgi_chrome *c, struct fgi_chrome_edge *edges, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && edges[sorted - 1].ns <= edges[sorted].ns) {
        sorted++;
    }
    if (sorted >= count) {
        return;
    }
    struct fgi_chrome_edge *spare = fgi_malloc(c->allocator, count * sizeof *spare);
    if (spare == NULL) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return;
    }
    struct fgi_chrome_edge *from = edges, *to = spare;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run) {
            size_t size = count - i < 2 * run ? count - i : 2 * run;
            merge(from + i, to + i, run < size ? run : size, size);
        }
        struct fgi_chrome_edge *swap = from;
        from = to;
        to = swap;
    }
    if (from != edges) {
        memcpy(edges, from, count * sizeof *edges);
    }
    fgi_free(c->allocator, spare, count * sizeof *spare);
}

/* ---- matching -------------------------------------------------------------------------------- */

static void close_edge(struct fgi_chrome *c, struct fgi_amend *amend,
                       const struct fgi_chrome_edge *begin, const struct fgi_chrome_edge *end)
{
    uint32_t begin_name = begin->name_and_end >> 1, end_name = end->name_and_end >> 1;
    uint64_t offset = c->end_offsets.items[end->item];
    if (!fgi_amend_row(amend, begin->item)) {
        return;
    }
    fgi_amend_end_ns(amend, end->ns);
    if (begin_name == 0 && end_name != 0) {
        fgi_amend_name(amend, end_name);
    } else if (begin_name != end_name && end_name != 0) {
        fgi_chrome_repair_at(c, "end_name_differs", 1, offset >> 1);
    }
    if (offset & 1) {
        (void)FGI_CHROME_PUSH(
            c, c->kept->ends,
            (struct fgi_chrome_end_args){ .row = begin->item, .offset = offset >> 1 });
    }
}

/* The open ones are kept at the front of the list itself: there are never more than were passed. */
static void match(struct fgi_chrome *c, struct fgi_amend *amend, struct fgi_chrome_edge *edges,
                  size_t count)
{
    size_t open = 0;
    for (size_t i = 0; i < count && fgi_builder_result(c->builder) == FG_OK; i++) {
        struct fgi_chrome_edge edge = edges[i];
        if ((edge.name_and_end & 1) == 0) {
            edges[open++] = edge;
        } else if (open > 0) {
            close_edge(c, amend, &edges[--open], &edge);
        } else {
            fgi_chrome_repair_at(c, "end_without_begin", 1, c->end_offsets.items[edge.item] >> 1);
        }
    }
    for (size_t i = 0; i < open && fgi_amend_row(amend, edges[i].item); i++) {
        fgi_amend_open_end(amend);
    }
}

static bool ends_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_chrome_end_args *ends = context;
    return ends[a].row < ends[b].row;
}

/* What is attached is looked for by row. */
static void order_ends(struct fgi_chrome *c)
{
    struct fgi_chrome_end_args *ends = c->kept->ends.items;
    size_t count = c->kept->ends.count;
    bool is_sorted = true;
    for (size_t i = 1; i < count; i++) {
        is_sorted &= ends[i - 1].row < ends[i].row;
    }
    if (is_sorted || fgi_builder_result(c->builder) != FG_OK) {
        return;
    }
    uint32_t *order = fgi_malloc(c->allocator, count * sizeof *order);
    struct fgi_chrome_end_args *copy = fgi_malloc(c->allocator, count * sizeof *copy);
    enum fg_result result = order != NULL && copy != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        order[i] = (uint32_t)i;
        copy[i] = ends[i];
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(c->allocator, order, count, ends_before, copy);
    }
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        ends[i] = copy[order[i]];
    }
    fgi_free(c->allocator, order, count * sizeof *order);
    fgi_free(c->allocator, copy, count * sizeof *copy);
    fgi_builder_fail(c->builder, result);
}

void fgi_chrome_finish_edges(struct fgi_chrome *c)
{
    struct fgi_amend amend = fgi_amend_begin(c->builder);
    for (size_t i = 0; i < c->threads.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        struct fgi_chrome_thread *thread = &c->threads.items[i];
        sort_edges(c, thread->edges.items, thread->edges.count);
        if (fgi_builder_result(c->builder) == FG_OK) {
            match(c, &amend, thread->edges.items, thread->edges.count);
        }
        fgi_free(c->allocator, thread->edges.items,
                 thread->edges.capacity * sizeof *thread->edges.items);
        memset(&thread->edges, 0, sizeof thread->edges);
    }
    fgi_amend_finish(&amend);
    order_ends(c);
}
