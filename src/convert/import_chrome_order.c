/* SPDX-License-Identifier: MIT */
/*
 * The order that a file asks for: processes and threads by their sort index, which is 0 where none
 * is given, then as they came. Tracks are renumbered when all rows are there; rows are not.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

#include <string.h>

struct place {
    int64_t process_index, index;
};
struct ordering {
    struct fgi_chrome *c;
    struct place *places; /* by track, then by process */
    uint32_t *order;      /* the old number by the new one */
    uint32_t *number;     /* the new number by the old one */
    size_t count;
};

static bool before(void *context, uint32_t a, uint32_t b)
{
    const struct place *places = context;
    return places[a].process_index != places[b].process_index
               ? places[a].process_index < places[b].process_index
               : places[a].index < places[b].index;
}

/* By `places`; false: nothing moves, or something has failed. */
static bool sort(struct ordering *o, size_t count)
{
    bool moves = false;
    for (size_t i = 0; i < count; i++) {
        o->order[i] = (uint32_t)i;
    }
    fgi_builder_fail(o->c->builder,
                     fgi_sort_u32(o->c->allocator, o->order, count, before, o->places));
    for (size_t i = 0; i < count; i++) {
        o->number[o->order[i]] = (uint32_t)i;
        moves |= o->order[i] != i;
    }
    return moves && fgi_builder_result(o->c->builder) == FG_OK;
}

static void order_processes(struct ordering *o)
{
    struct fgi_chrome *c = o->c;
    struct fg_trace *trace = fgi_builder_trace(c->builder);
    size_t count = trace->processes.count;
    memset(o->places, 0, o->count * sizeof *o->places);
    for (size_t i = 0; i < c->processes.count; i++) {
        const struct fgi_chrome_process *process = &c->processes.items[i];
        if (process->index != FG_NONE) {
            o->places[process->index].index = process->sort_index;
        }
    }
    struct fg_trace_process *copy = fgi_malloc(c->allocator, count * sizeof *copy);
    fgi_builder_fail(c->builder, copy != NULL || count == 0 ? FG_OK : FG_ERR_NO_MEMORY);
    if (copy != NULL && sort(o, count)) {
        memcpy(copy, trace->processes.items, count * sizeof *copy);
        for (size_t i = 0; i < count; i++) {
            trace->processes.items[i] = copy[o->order[i]];
        }
        for (size_t i = 0; i < trace->tracks.count; i++) {
            uint32_t *process = &trace->tracks.items[i].process;
            *process = *process != FG_NONE ? o->number[*process] : FG_NONE;
        }
        for (size_t i = 0; i < c->processes.count; i++) {
            uint32_t *index = &c->processes.items[i].index;
            *index = *index != FG_NONE ? o->number[*index] : FG_NONE;
        }
    }
    fgi_free(c->allocator, copy, count * sizeof *copy);
}

/* All that names a track. */
static void renumber(struct ordering *o)
{
    struct fgi_builder *builder = o->c->builder;
    struct fg_trace *trace = fgi_builder_trace(builder);
    struct fgi_amend rows = fgi_amend_begin(builder);
    uint32_t count = fgi_builder_rows(builder);
    for (uint32_t row = 0; row < count && fgi_amend_row(&rows, row); row++) {
        uint32_t *track = &rows.block->lane[rows.at];
        *track = o->number[*track];
    }
    fgi_amend_finish(&rows);
    for (size_t i = 0; i < trace->instants.count; i++) {
        uint32_t *track = &trace->instants.items[i].track;
        *track = *track != FG_NONE ? o->number[*track] : FG_NONE;
    }
    for (size_t i = 0; i < trace->counters.count; i++) {
        trace->counters.items[i].track = o->number[trace->counters.items[i].track];
    }
    for (size_t i = 0; i < trace->stacks.count; i++) {
        uint32_t *track = &trace->stacks.items[i].track;
        *track = *track != FG_NONE ? o->number[*track] : FG_NONE;
    }
}

static void order_tracks(struct ordering *o)
{
    struct fgi_chrome *c = o->c;
    struct fgi_builder *builder = c->builder;
    struct fg_trace *trace = fgi_builder_trace(builder);
    size_t count = trace->tracks.count;
    memset(o->places, 0, o->count * sizeof *o->places);
    for (size_t i = 0; i < count; i++) { /* processes are in their order by now */
        uint32_t process = trace->tracks.items[i].process;
        o->places[i].process_index = process != FG_NONE ? (int64_t)process : INT64_MAX;
    }
    for (size_t i = 0; i < c->threads.count; i++) {
        const struct fgi_chrome_thread *thread = &c->threads.items[i];
        if (thread->track != FG_NONE) {
            o->places[thread->track].index = thread->sort_index;
        }
    }
    struct fg_trace_track *tracks = fgi_malloc(c->allocator, count * sizeof *tracks);
    uint8_t *stored = fgi_malloc(c->allocator, count);
    fgi_builder_fail(builder, (tracks && stored) || count == 0 ? FG_OK : FG_ERR_NO_MEMORY);
    if (tracks != NULL && stored != NULL && sort(o, count)) {
        memcpy(tracks, trace->tracks.items, count * sizeof *tracks);
        memcpy(stored, builder->track_stored_depth.items, count);
        for (size_t i = 0; i < count; i++) {
            trace->tracks.items[i] = tracks[o->order[i]];
            builder->track_stored_depth.items[i] = stored[o->order[i]];
        }
        renumber(o);
    }
    fgi_free(c->allocator, tracks, count * sizeof *tracks);
    fgi_free(c->allocator, stored, count);
}

void fgi_chrome_order_tracks(struct fgi_chrome *c)
{
    const struct fg_trace *trace = fgi_builder_trace(c->builder);
    size_t tracks = trace->tracks.count, processes = trace->processes.count;
    struct ordering o = { .c = c, .count = (tracks > processes ? tracks : processes) + 1 };
    if (!c->has_sort_index || fgi_builder_result(c->builder) != FG_OK) {
        return;
    }
    o.places = fgi_malloc(c->allocator, o.count * sizeof *o.places);
    o.order = fgi_malloc(c->allocator, o.count * sizeof *o.order);
    o.number = fgi_malloc(c->allocator, o.count * sizeof *o.number);
    if (o.places != NULL && o.order != NULL && o.number != NULL) {
        order_processes(&o);
        if (fgi_builder_result(c->builder) == FG_OK) {
            order_tracks(&o);
        }
    } else {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
    }
    fgi_free(c->allocator, o.places, o.count * sizeof *o.places);
    fgi_free(c->allocator, o.order, o.count * sizeof *o.order);
    fgi_free(c->allocator, o.number, o.count * sizeof *o.number);
}
