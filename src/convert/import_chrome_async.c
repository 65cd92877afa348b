/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous spans: b, e and n, and the older S, F, T and p. One is known by its category, id,
 * scope, and process where the id is local to it; by time, an end closes the newest open beginning
 * of its name there. What has one id nests among itself; all of one category in a process share a
 * track, on lanes of its own. Spans are added when everything has been read, in the order of their
 * beginnings in the file.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

#include <stdio.h>
#include <string.h>

static bool is_legacy(char phase)
{
    return phase == 'S' || phase == 'F' || phase == 'T' || phase == 'p';
}

/* The track of its category in its process. */
static uint32_t track_of(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    bool is_new = false;
    uint32_t process = fgi_chrome_process(c, e->pid);
    uint32_t index = fgi_chrome_pair(c, FGI_PAIR_ASYNC_TRACK, process, e->category, &is_new);
    if (is_new) {
        const char *category = fg_trace_text(fgi_builder_trace(c->builder), e->category);
        char name[300];
        fgi_chrome_see_category(c, category);
        (void)snprintf(name, sizeof name, "%s", category[0] ? category : "async");
        const struct fg_trace_track track = {
            .name = fgi_builder_cstr(c->builder, name),
            .process = fgi_chrome_builder_process(c, process),
            .kind = FG_TRACK_ASYNC,
            .clock = c->clock,
            .id = index,
        };
        (void)FGI_CHROME_PUSH(c, c->async_tracks, fgi_builder_track(c->builder, &track, true));
    }
    return index < c->async_tracks.count ? c->async_tracks.items[index] : FG_NONE;
}

void fgi_chrome_async_event(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    uint32_t track = track_of(c);
    int64_t ns = fgi_chrome_start_ns(c, FG_NONE);
    if (track == FG_NONE) {
        return;
    }
    if (e->phase == 'n' || e->phase == 'T' || e->phase == 'p') {
        const struct fg_trace_instant instant = { .time_ns = ns,
                                                  .track = track,
                                                  .name = e->name,
                                                  .category = e->category,
                                                  .frame = FG_NONE };
        (void)fgi_builder_instant(c->builder, &instant);
        return;
    }
    uint32_t family = e->category << 1 | is_legacy(e->phase);
    uint32_t key = fgi_chrome_pair(c, FGI_PAIR_ASYNC_ID, family, e->id, NULL);
    key = fgi_chrome_pair(c, FGI_PAIR_ASYNC_SCOPE, key, e->scope, NULL);
    key = fgi_chrome_pair(c, FGI_PAIR_ASYNC_PID, key, e->id_is_local ? e->pid : FG_NONE, NULL);
    (void)FGI_CHROME_PUSH(c, c->asyncs,
                          (struct fgi_chrome_async){
                              .ns = ns,
                              .offset = e->has_extra ? e->offset : UINT64_MAX,
                              .key = key,
                              .name = e->name,
                              .category = e->category,
                              .track = track,
                              .match = FG_NONE,
                              .row = FG_NONE,
                              .is_end = e->phase == 'e' || e->phase == 'F',
                              .has_name = e->has_name,
                          });
}

/* ---- matching -------------------------------------------------------------------------------- */

struct open { /* a beginning that has not ended yet */
    uint32_t event;
    uint32_t older_of_name; /* position of an older one of the same name, or FG_NONE */
    bool is_closed;
};
struct matching {
    struct fgi_chrome *c;
    uint32_t *order; /* by key, then time, then in the order of the file */
    FGI_TABLE(struct open) open;
    FGI_TABLE(uint32_t) newest; /* by FGI_PAIR_ASYNC_NAME: position in `open`, or FG_NONE */
    FGI_TABLE(uint32_t) stack;  /* nesting: beginnings that hold what comes */
};

static bool before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_chrome_async *events = context;
    if (events[a].key != events[b].key) {
        return events[a].key < events[b].key;
    }
    return events[a].ns < events[b].ns;
}

static uint32_t *newest_of(struct matching *m, const struct fgi_chrome_async *event)
{
    bool is_new = false;
    uint32_t index = fgi_chrome_pair(m->c, FGI_PAIR_ASYNC_NAME, event->key, event->name, &is_new);
    if (is_new && !FGI_CHROME_PUSH(m->c, m->newest, FG_NONE)) {
        return NULL;
    }
    return index < m->newest.count ? &m->newest.items[index] : NULL;
}

static void begin_one(struct matching *m, uint32_t event)
{
    uint32_t *newest = newest_of(m, &m->c->asyncs.items[event]);
    if (newest != NULL &&
        FGI_CHROME_PUSH(m->c, m->open, (struct open){ .event = event, .older_of_name = *newest })) {
        *newest = (uint32_t)m->open.count - 1;
    }
}

static void end_one(struct matching *m, uint32_t event)
{
    struct fgi_chrome_async *end = &m->c->asyncs.items[event];
    while (m->open.count > 0 && m->open.items[m->open.count - 1].is_closed) {
        m->open.count--;
    }
    uint32_t position = FG_NONE;
    if (end->has_name) {
        uint32_t *newest = newest_of(m, end);
        position = newest != NULL ? *newest : FG_NONE;
    } else if (m->open.count > 0) {
        position = (uint32_t)m->open.count - 1; /* it has no name: the newest of any */
    }
    if (position == FG_NONE) {
        fgi_chrome_repair_at(m->c, "async_end_without_begin", 1, end->offset);
        return;
    }
    struct open *open = &m->open.items[position];
    uint32_t *newest = newest_of(m, &m->c->asyncs.items[open->event]);
    if (newest == NULL) {
        return;
    }
    *newest = open->older_of_name;
    open->is_closed = true;
    m->c->asyncs.items[open->event].match = event;
}

/* All that has one key: [first, end) of the order. */
static void match_key(struct matching *m, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        uint32_t event = m->order[i];
        if (m->c->asyncs.items[event].is_end) {
            end_one(m, event);
        } else {
            begin_one(m, event);
        }
    }
    for (size_t i = 0; i < m->open.count; i++) { /* another key has other names */
        uint32_t *newest = newest_of(m, &m->c->asyncs.items[m->open.items[i].event]);
        if (newest != NULL) {
            *newest = FG_NONE;
        }
    }
    m->open.count = 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t end_of(const struct fgi_chrome *c, const struct fgi_chrome_async *begin)
{
    return begin->match != FG_NONE ? c->asyncs.items[begin->match].ns : INT64_MAX;
}

/* Rows in the order of the file. */
static void number_rows(struct fgi_chrome *c)
{
    uint32_t row = fgi_builder_rows(c->builder);
    for (size_t i = 0; i < c->asyncs.count; i++) {
        if (!c->asyncs.items[i].is_end) {
            c->asyncs.items[i].row = row++;
        }
    }
}

/* Depth and parent inside a key: the latest beginning before that has not ended before this. */
static void nest_key(struct matching *m, size_t first, size_t end, uint32_t *depths,
                     uint32_t *parents)
{
    struct fgi_chrome *c = m->c;
    m->stack.count = 0;
    for (size_t i = first; i < end; i++) {
        uint32_t event = m->order[i];
        const struct fgi_chrome_async *begin = &c->asyncs.items[event];
        if (begin->is_end) {
            continue;
        }
        int64_t my_end = end_of(c, begin);
        while (m->stack.count > 0) {
            uint32_t top = m->stack.items[m->stack.count - 1];
            int64_t top_end = end_of(c, &c->asyncs.items[top]);
            if (top_end >= my_end && top_end > begin->ns) {
                break;
            }
            m->stack.count--;
        }
        bool has = m->stack.count > 0;
        uint32_t top = has ? m->stack.items[m->stack.count - 1] : FG_NONE;
        depths[event] = has ? depths[top] + 1 : 0;
        parents[event] = has ? c->asyncs.items[top].row : FG_NONE;
        if (!FGI_CHROME_PUSH(c, m->stack, event)) {
            return;
        }
    }
}

static void add_rows(struct fgi_chrome *c, const uint32_t *depths, const uint32_t *parents)
{
    for (size_t i = 0; i < c->asyncs.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_async *begin = &c->asyncs.items[i];
        if (begin->is_end) {
            continue;
        }
        struct fgi_span_in span =
            fgi_span_in_make(begin->track, begin->name, begin->ns, end_of(c, begin));
        span.category = begin->category;
        span.classes = FG_CLASS_ASYNC;
        span.depth = depths[i];
        span.parent = parents[i];
        if (begin->match == FG_NONE) {
            span.end_ns = begin->ns;
            span.open_end = true;
            span.status = FG_SPAN_UNFINISHED;
        } else if (span.name == 0) {
            span.name = c->asyncs.items[begin->match].name;
        }
        uint32_t row = fgi_builder_span(c->builder, &span);
        if (row == FG_NONE) {
            return;
        }
        if (begin->offset != UINT64_MAX) {
            fgi_chrome_place(c, row, begin->offset);
        }
    }
}

static void match_all(struct matching *m, uint32_t *depths, uint32_t *parents)
{
    struct fgi_chrome *c = m->c;
    size_t count = c->asyncs.count;
    number_rows(c);
    for (size_t first = 0, end; first < count && fgi_builder_result(c->builder) == FG_OK;
         first = end) {
        for (end = first + 1; end < count && c->asyncs.items[m->order[end]].key ==
                                                 c->asyncs.items[m->order[first]].key;
             end++) {
        }
        match_key(m, first, end);
        if (fgi_builder_result(c->builder) == FG_OK) {
            nest_key(m, first, end, depths, parents);
        }
    }
    add_rows(c, depths, parents);
}

void fgi_chrome_finish_async(struct fgi_chrome *c)
{
    size_t count = c->asyncs.count;
    struct matching m = { .c = c };
    if (count == 0 || fgi_builder_result(c->builder) != FG_OK) {
        return;
    }
    m.order = fgi_malloc(c->allocator, count * sizeof *m.order);
    uint32_t *depths = fgi_malloc(c->allocator, count * sizeof *depths);
    uint32_t *parents = fgi_malloc(c->allocator, count * sizeof *parents);
    enum fg_result result = m.order && depths && parents ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        m.order[i] = (uint32_t)i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(c->allocator, m.order, count, before, c->asyncs.items);
    }
    fgi_builder_fail(c->builder, result);
    if (result == FG_OK) {
        match_all(&m, depths, parents);
    }
    fgi_free(c->allocator, m.order, count * sizeof *m.order);
    fgi_free(c->allocator, depths, count * sizeof *depths);
    fgi_free(c->allocator, parents, count * sizeof *parents);
    fgi_free(c->allocator, m.open.items, m.open.capacity * sizeof *m.open.items);
    fgi_free(c->allocator, m.newest.items, m.newest.capacity * sizeof *m.newest.items);
    fgi_free(c->allocator, m.stack.items, m.stack.capacity * sizeof *m.stack.items);
}
