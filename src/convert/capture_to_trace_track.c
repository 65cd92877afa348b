/* SPDX-License-Identifier: MIT */
#include "convert/capture_to_trace_track.h"
#include "base/alloc.h"
#include "base/sort.h"

static void put(struct fgi_conversion *c, struct fgi_map64 *map, uint64_t key, size_t at)
{
    fgi_builder_fail(c->builder, fgi_map64_put(map, key, (uint32_t)at));
}

/* ---- first reading --------------------------------------------------------------------------- */

void fgi_convert_mark_use(struct fgi_conversion *c, uint32_t track, uint32_t clock, uint32_t use)
{
    uint32_t uses = 0;
    uint64_t pair = (uint64_t)track << 32 | clock;
    (void)fgi_map64_get(&c->track_uses, track, &uses);
    if ((uses & use) == 0) {
        put(c, &c->track_uses, track, uses | use);
    }
    if (!fgi_map64_get(&c->track_clock_uses, pair, &uses)) {
        put(c, &c->track_clock_uses, pair, 0);
        (void)FGI_PUT(c, c->track_clocks, (struct fgi_track_clock){ track, clock });
    }
}

void fgi_convert_see_track(struct fgi_conversion *c, const struct fg_cap_track *track)
{
    uint32_t at = 0;
    if (fgi_map64_get(&c->cap_track_at, track->id, &at)) {
        c->cap_tracks.items[at] = *track;
    } else if (FGI_PUT(c, c->cap_tracks, *track)) {
        put(c, &c->cap_track_at, track->id, c->cap_tracks.count - 1);
    }
}

void fgi_convert_see_process(struct fgi_conversion *c, const struct fg_cap_process *process)
{
    uint32_t at = 0;
    if (fgi_map64_get(&c->cap_process_at, process->id, &at)) {
        c->cap_processes.items[at] = *process;
    } else if (FGI_PUT(c, c->cap_processes, *process)) {
        put(c, &c->cap_process_at, process->id, c->cap_processes.count - 1);
    }
}

/* ---- looking up ------------------------------------------------------------------------------ */

const struct fg_cap_track *fgi_convert_find_track(const struct fgi_conversion *c, uint32_t id)
{
    uint32_t at = 0;
    return fgi_map64_get(&c->cap_track_at, id, &at) ? &c->cap_tracks.items[at] : NULL;
}

uint32_t fgi_convert_process(const struct fgi_conversion *c, uint32_t id)
{
    uint32_t at = 0;
    return fgi_map64_get(&c->cap_process_at, id, &at) ? at : 0; /* there is at least one */
}

uint32_t fgi_convert_track(struct fgi_conversion *c, uint32_t cap_track, uint32_t clock,
                           enum fg_track_kind kind_if_none)
{
    const struct fg_cap_track *from = fgi_convert_find_track(c, cap_track);
    /* What names no track that is known shares one for each kind. */
    uint32_t key = from ? cap_track : UINT32_MAX - kind_if_none;
    uint64_t pair = (uint64_t)key << 32 | clock;
    uint32_t known = 0;
    if (fgi_map64_get(&c->track_of, pair, &known)) {
        return known;
    }
    enum fg_track_kind kind =
        from && from->kind <= FG_CAP_TRACK_COUNTER ? (enum fg_track_kind)from->kind : kind_if_none;
    uint32_t uses = 0;
    (void)fgi_map64_get(&c->track_uses, cap_track, &uses);
    static const char *const names[] = { "CPU", "GPU", "async", "counters" };
    struct fg_trace_track track = {
        .name = from ? fgi_convert_symbol(c, from->name)
                     : fgi_builder_cstr(c->builder, names[kind_if_none]),
        .process = from ? fgi_convert_process(c, from->process) : 0,
        .kind = kind,
        .clock = fgi_clocks_find(&c->clocks, clock)->trace_clock,
        .id = from && from->os_id != FG_CAP_UNKNOWN ? (int64_t)from->os_id : 0,
    };
    bool foreign = from && fgi_convert_is_foreign(c, clock);
    if (foreign) {
        track.id = (int64_t)from->os_id; /* all numbers are meant */
    }
    bool stored = foreign || kind == FG_TRACK_GPU_QUEUE || uses == FGI_USED_BY_BLOCKS;
    uint32_t index = fgi_builder_track(c->builder, &track, stored);
    if (FGI_PUT(c, c->backing->tracks,
                (struct fgi_track_key){ .cap_track = key, .clock = clock, .track = index })) {
        put(c, &c->track_of, pair, index);
    }
    return index;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool process_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_cap_process *x = (const struct fg_cap_process *)context + a;
    const struct fg_cap_process *y = (const struct fg_cap_process *)context + b;
    return x->sort != y->sort ? x->sort < y->sort : x->id < y->id;
}

static bool track_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_cap_track *x = (const struct fg_cap_track *)context + a;
    const struct fg_cap_track *y = (const struct fg_cap_track *)context + b;
    return x->sort != y->sort ? x->sort < y->sort : x->id < y->id;
}

static bool use_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_track_clock *uses = context;
    return uses[a].track < uses[b].track;
}

static void sort(struct fgi_conversion *c, void *items, size_t count, size_t item_bytes,
                 fgi_before *before)
{
    fgi_builder_fail(c->builder, fgi_sort_table(c->allocator, items, count, item_bytes, before));
}

static const struct fgi_capture_backing *backing_of(const struct fg_trace *trace)
{
    return trace ? trace->backing : NULL;
}

static void index_processes(struct fgi_conversion *c)
{
    for (size_t i = 0; i < c->cap_processes.count; i++) {
        put(c, &c->cap_process_at, c->cap_processes.items[i].id, i);
    }
}

/* Processes that had a number come first, in its order. */
static void keep_process_order(struct fgi_conversion *c, const struct fgi_capture_backing *before)
{
    size_t count = c->cap_processes.count, put_count = 0;
    uint32_t *order = fgi_malloc(c->allocator, (count + 1) * sizeof *order);
    bool *is_put = fgi_calloc(c->allocator, count + 1, sizeof *is_put);
    if (order && is_put) {
        for (size_t i = 0; i < before->processes.count; i++) {
            uint32_t at = 0;
            if (fgi_map64_get(&c->cap_process_at, before->processes.items[i], &at) && !is_put[at]) {
                is_put[at] = true;
                order[put_count++] = at;
            }
        }
        for (size_t i = 0; i < count; i++) {
            if (!is_put[i]) {
                order[put_count++] = (uint32_t)i;
            }
        }
        fgi_builder_fail(c->builder, fgi_reorder(c->allocator, c->cap_processes.items, count,
                                                 sizeof *c->cap_processes.items, order));
    } else {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
    }
    fgi_free(c->allocator, is_put, (count + 1) * sizeof *is_put);
    fgi_free(c->allocator, order, (count + 1) * sizeof *order);
}

static void make_processes(struct fgi_conversion *c, const struct fgi_capture_backing *before)
{
    if (c->cap_processes.count == 0) {
        (void)FGI_PUT(c, c->cap_processes,
                      (struct fg_cap_process){ .os_id = FG_CAP_UNKNOWN, .id = FG_CAP_NONE });
    }
    sort(c, c->cap_processes.items, c->cap_processes.count, sizeof *c->cap_processes.items,
         process_before);
    index_processes(c);
    if (before) {
        keep_process_order(c, before);
        index_processes(c);
    }
    for (size_t i = 0; i < c->cap_processes.count; i++) {
        const struct fg_cap_process *process = &c->cap_processes.items[i];
        (void)fgi_builder_process(c->builder, fgi_convert_symbol(c, process->name),
                                  process->os_id == FG_CAP_UNKNOWN ? -1 : (int64_t)process->os_id);
        (void)FGI_PUT(c, c->backing->processes, process->id);
    }
}

/* Tracks and counters that had a number are made first, in its order. */
static void keep_track_order(struct fgi_conversion *c, const struct fg_trace *previous)
{
    const struct fgi_capture_backing *before = backing_of(previous);
    for (size_t i = 0; before && i < before->tracks.count; i++) {
        const struct fgi_track_key *key = &before->tracks.items[i];
        if (key->counter) {
            (void)fgi_convert_make_counter(c, fgi_builder_cstr(c->builder, key->counter),
                                           fgi_builder_cstr(c->builder, key->unit), key->cap_track,
                                           key->is_double);
        } else {
            (void)fgi_convert_track(c, key->cap_track, key->clock,
                                    previous->tracks.items[key->track].kind);
        }
    }
}

/* The first use of a track, in the table that is sorted by track. */
static size_t first_use(const struct fgi_conversion *c, uint32_t track)
{
    size_t low = 0, high = c->track_clocks.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->track_clocks.items[middle].track < track) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A queue is there once it is named; a thread where something happened, on the clock of that. */
static void make_track(struct fgi_conversion *c, const struct fg_cap_track *track)
{
    if (track->clock != FG_CAP_NONE && fgi_convert_is_foreign(c, track->clock)) {
        (void)fgi_convert_track(c, track->id, track->clock, FG_TRACK_THREAD);
    }
    if (track->kind == FG_CAP_TRACK_COUNTER) {
        return;
    }
    if (track->kind == FG_CAP_TRACK_GPU_QUEUE && track->clock != FG_CAP_NONE) {
        (void)fgi_convert_track(c, track->id, track->clock, FG_TRACK_THREAD);
    }
    for (size_t i = first_use(c, track->id);
         i < c->track_clocks.count && c->track_clocks.items[i].track == track->id; i++) {
        (void)fgi_convert_track(c, track->id, c->track_clocks.items[i].clock, FG_TRACK_THREAD);
    }
}

void fgi_convert_make_tracks(struct fgi_conversion *c, const struct fg_trace *previous)
{
    make_processes(c, backing_of(previous));
    sort(c, c->track_clocks.items, c->track_clocks.count, sizeof *c->track_clocks.items,
         use_before);
    keep_track_order(c, previous);
    sort(c, c->cap_tracks.items, c->cap_tracks.count, sizeof *c->cap_tracks.items, track_before);
    for (size_t i = 0; i < c->cap_tracks.count; i++) {
        put(c, &c->cap_track_at, c->cap_tracks.items[i].id, i);
    }
    for (size_t i = 0; i < c->cap_tracks.count; i++) {
        make_track(c, &c->cap_tracks.items[i]);
    }
}
