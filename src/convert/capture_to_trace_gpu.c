/* SPDX-License-Identifier: MIT */
/*
 * Rows of one frame. On the CPU: the frame's span over those of its graph passes. On each queue:
 * the GPU passes in time order, under spans that are made here from the scope chains of the graph:
 * a scope's span is the hull of passes of it that follow each other.
 */
#include "base/alloc.h"
#include "convert/capture_to_trace_priv.h"
#include <string.h>

/* A row to be made: a pass, or a scope around some. */
struct item {
    int64_t start, end;
    uint32_t instance; /* FG_NONE: a scope */
    uint32_t scope;    /* index in the topology */
    uint32_t parent;   /* item, or FG_NONE */
    uint32_t depth;
    uint32_t track; /* of the trace */
    uint32_t row;
};
struct emission {
    struct fgi_conversion *c;
    struct fgi_pending_frame *pending;
    const struct fg_cap_topology *topology; /* may be NULL */
    const struct fg_topology *graph;        /* the trace's; may be NULL */
    uint32_t frame;
    FGI_TABLE(struct item) items;
    uint32_t *item_of; /* by instance: its item, or FG_NONE */
    uint32_t *row_of;  /* by instance: its row, or FG_NONE */
    uint32_t *order;   /* instances by track, start, number */
    int64_t *start_of, *end_of;
    uint32_t *track_of;
    uint32_t *first_fragment; /* by instance: row that stands for its logical pass */
    uint32_t timed_count;
};

static bool has_begin(const struct fgi_instance *instance)
{
    return instance->status == FG_CAP_SPAN_OK || instance->status == FG_CAP_SPAN_INVALID ||
           instance->status == FG_CAP_SPAN_OPEN;
}

/* ---- times ----------------------------------------------------------------------------------- */

/*
 * A nominal clock is anchored at submit: the earliest begin of the frame on that clock lies there.
 * Nothing may be measured across it, so every later use sees the clock's kind.
 */
static uint64_t earliest_begin(const struct emission *e, uint32_t clock)
{
    bool has = false;
    uint64_t earliest = 0;
    for (uint32_t i = 0; i < e->pending->instance_count; i++) {
        const struct fgi_instance *instance = &e->pending->instances[i];
        if (has_begin(instance) && instance->clock == clock &&
            (!has || (int64_t)(instance->begin_ticks - earliest) < 0)) {
            earliest = instance->begin_ticks;
            has = true;
        }
    }
    return earliest;
}

static void place_instances(struct emission *e)
{
    const struct fgi_clock_map *map = NULL;
    uint32_t clock = 0;
    uint64_t anchor = 0;
    for (uint32_t i = 0; i < e->pending->instance_count; i++) {
        const struct fgi_instance *instance = &e->pending->instances[i];
        if (!has_begin(instance)) {
            continue;
        }
        if (!map || clock != instance->clock) {
            clock = instance->clock;
            map = fgi_clocks_find(&e->c->clocks, clock);
            anchor = earliest_begin(e, clock);
        }
        bool has_end = instance->status == FG_CAP_SPAN_OK;
        uint64_t end = has_end ? instance->end_ticks : instance->begin_ticks;
        if (map->kind == FG_CLOCK_NOMINAL) {
            int64_t at = e->pending->submit_ns;
            e->start_of[i] =
                fgi_clock_add_ns(at, fgi_clock_span_ns(map, anchor, instance->begin_ticks));
            e->end_of[i] = fgi_clock_add_ns(at, fgi_clock_span_ns(map, anchor, end));
        } else {
            e->start_of[i] = fgi_clock_axis_ns(map, instance->begin_ticks);
            e->end_of[i] = fgi_clock_axis_ns(map, end);
        }
        if (e->end_of[i] < e->start_of[i]) { /* two points of the clock may round against it */
            e->end_of[i] = e->start_of[i];
        }
        e->track_of[i] =
            fgi_convert_track(e->c, instance->track, instance->clock, FG_TRACK_GPU_QUEUE);
        e->order[e->timed_count++] = i;
    }
}

static bool instance_before(void *context, uint32_t a, uint32_t b)
{
    const struct emission *e = context;
    if (e->track_of[a] != e->track_of[b]) {
        return e->track_of[a] < e->track_of[b];
    }
    return e->start_of[a] != e->start_of[b] ? e->start_of[a] < e->start_of[b] : a < b;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

enum { SCOPE_DEPTH_MAX = 64 };

/* Scope chain of an instance, outermost first. */
static uint32_t chain_of(const struct emission *e, uint32_t instance, uint32_t *chain)
{
    uint32_t pass = e->pending->instances[instance].graph_pass;
    uint32_t depth = 0;
    if (!e->topology || pass >= e->topology->pass_count) {
        return 0;
    }
    uint32_t reversed[SCOPE_DEPTH_MAX];
    uint32_t scope = e->topology->passes[pass].scope;
    while (scope < e->topology->scope_count && depth < SCOPE_DEPTH_MAX) {
        reversed[depth++] = scope;
        scope = e->topology->scopes[scope].parent;
    }
    for (uint32_t i = 0; i < depth; i++) {
        chain[i] = reversed[depth - 1 - i];
    }
    return depth;
}

static uint32_t add_item(struct emission *e, const struct item *item)
{
    /* Scopes multiply: each pass may be under 64 of its own. */
    uint64_t rows = (uint64_t)fgi_builder_rows(e->c->builder) + e->items.count;
    return fgi_convert_may_have(e->c, rows) && FGI_PUT(e->c, e->items, *item)
               ? (uint32_t)e->items.count - 1
               : FG_NONE;
}

/* Scopes and passes of all queues as items, parents before children. */
static void make_items(struct emission *e)
{
    uint32_t open[SCOPE_DEPTH_MAX]; /* items of the scopes around the last pass */
    uint32_t open_count = 0;
    uint32_t track = FG_NONE;
    for (uint32_t n = 0; n < e->timed_count; n++) {
        uint32_t i = e->order[n];
        uint32_t parent_instance = e->pending->instances[i].parent;
        uint32_t parent = parent_instance != FG_CAP_NONE ? e->item_of[parent_instance] : FG_NONE;
        struct item item = { .start = e->start_of[i],
                             .end = e->end_of[i],
                             .instance = i,
                             .track = e->track_of[i],
                             .parent = parent };
        if (item.track != track) {
            open_count = 0;
            track = item.track;
        }
        if (parent != FG_NONE && e->items.items[parent].track == track) {
            item.depth = e->items.items[parent].depth + 1;
        } else {
            uint32_t chain[SCOPE_DEPTH_MAX];
            uint32_t depth = chain_of(e, i, chain);
            uint32_t same = 0;
            while (same < open_count && same < depth &&
                   e->items.items[open[same]].scope == chain[same]) {
                same++;
            }
            for (open_count = same; open_count < depth; open_count++) {
                struct item scope = { .start = item.start,
                                      .end = item.end,
                                      .instance = FG_NONE,
                                      .scope = chain[open_count],
                                      .parent = open_count > 0 ? open[open_count - 1] : FG_NONE,
                                      .depth = open_count,
                                      .track = track };
                open[open_count] = add_item(e, &scope);
                if (open[open_count] == FG_NONE) {
                    return;
                }
            }
            item.parent = depth > 0 ? open[depth - 1] : FG_NONE;
            item.depth = depth;
        }
        e->item_of[i] = add_item(e, &item);
        for (uint32_t s = 0; s < open_count && e->item_of[i] != FG_NONE; s++) {
            struct item *scope = &e->items.items[open[s]];
            scope->end = item.end > scope->end ? item.end : scope->end;
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *kind_word(uint32_t kind)
{
    static const char *const words[] = { "other",       "render", "compute",   "transfer",
                                         "ray tracing", "marker", "submission" };
    return kind < sizeof words / sizeof *words ? words[kind] : "other";
}

static void describe_pass(struct emission *e, uint32_t i, struct fgi_span_in *span)
{
    const struct fgi_instance *instance = &e->pending->instances[i];
    const struct fg_topology_pass *pass = e->graph && instance->graph_pass < e->graph->pass_count
                                              ? &e->graph->passes[instance->graph_pass]
                                              : NULL;
    span->category = fgi_builder_cstr(e->c->builder, kind_word(instance->kind));
    span->classes = instance->kind == FG_CAP_GPU_PASS_MARKER ? FG_CLASS_SUBPASS : FG_CLASS_GPU_PASS;
    span->origin = instance->origin;
    if (pass) {
        span->pass = pass->pass;
        span->scope = pass->scope;
        span->object = pass->id;
        span->name = span->name ? span->name : pass->name;
    } else {
        span->classes |= FG_CLASS_UNATTRIBUTED;
    }
    if (instance->status == FG_CAP_SPAN_OPEN) {
        span->status = FG_SPAN_LOST;
        span->open_end = true;
    } else if (instance->status == FG_CAP_SPAN_INVALID) {
        span->status = FG_SPAN_ERROR;
        fgi_builder_repair(e->c->builder, "gpu_end_before_begin", 1, UINT64_MAX);
    }
    if (instance->logical != FG_CAP_NONE) {
        uint32_t first = e->first_fragment[instance->logical];
        span->classes |= FG_CLASS_FRAGMENT;
        span->logical = first == FG_NONE ? FGI_FIND : first;
    }
}

static void emit_item(struct emission *e, struct item *item)
{
    struct fgi_span_in span = fgi_span_in_make(item->track, 0, item->start, item->end);
    span.frame = e->frame;
    span.depth = item->depth;
    span.parent = item->parent == FG_NONE ? FG_NONE : e->items.items[item->parent].row;
    if (item->instance == FG_NONE) {
        span.name = fgi_convert_symbol(e->c, e->topology->scopes[item->scope].name);
        span.scope = fgi_convert_scope_path(e->c, e->topology, item->scope);
        span.classes = FG_CLASS_SCOPE;
    } else {
        span.name = e->pending->instances[item->instance].label;
        describe_pass(e, item->instance, &span);
    }
    item->row = fgi_builder_span(e->c->builder, &span);
    if (item->instance != FG_NONE) {
        uint32_t logical = e->pending->instances[item->instance].logical;
        e->row_of[item->instance] = item->row;
        if (logical != FG_CAP_NONE && e->first_fragment[logical] == FG_NONE) {
            e->first_fragment[logical] = item->row;
        }
    }
}

/* Fragment 0 may not name itself: what others name as theirs is one as well. */
static void mark_first_fragments(struct emission *e)
{
    for (uint32_t i = 0; i < e->pending->instance_count; i++) {
        uint32_t logical = e->pending->instances[i].logical;
        if (logical != FG_CAP_NONE) {
            e->pending->instances[logical].logical = logical;
        }
    }
}

static void emit_cpu(struct emission *e)
{
    struct fgi_conversion *c = e->c;
    struct fgi_pending_frame *p = e->pending;
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, p->cpu_clock);
    uint32_t track = fgi_convert_track(c, p->cpu_track, p->cpu_clock, FG_TRACK_THREAD);
    struct fgi_span_in span =
        fgi_span_in_make(track, fgi_builder_cstr(c->builder, "frame"), p->begin_ns,
                         p->end_ns > p->begin_ns ? p->end_ns : p->begin_ns);
    span.classes = FG_CLASS_FRAME;
    span.frame = e->frame;
    span.object = c->backing->trace->frames.items[e->frame].id;
    uint32_t frame_row = fgi_builder_span(c->builder, &span);
    c->backing->frames.items[e->frame].frame_row = frame_row;
    fgi_convert_refs(c, FG_CAP_REF_FRAME, span.object, 0, &frame_row, 1);
    for (size_t i = 0; i < p->pass_count; i++) {
        const struct fg_cap_cpu_pass *cpu = &p->passes[i];
        if (!(cpu->flags & FG_CAP_CPU_PASS_TIMED)) {
            continue;
        }
        const struct fg_topology_pass *pass = e->graph && cpu->graph_pass < e->graph->pass_count
                                                  ? &e->graph->passes[cpu->graph_pass]
                                                  : NULL;
        uint32_t on = cpu->track == FG_CAP_NONE
                          ? track
                          : fgi_convert_track(c, cpu->track, p->cpu_clock, FG_TRACK_THREAD);
        struct fgi_span_in encode =
            fgi_span_in_make(on, pass ? pass->name : 0, fgi_clock_axis_ns(clock, cpu->begin_ticks),
                             fgi_clock_axis_ns(clock, cpu->end_ticks));
        encode.classes = FG_CLASS_ENCODE;
        encode.frame = e->frame;
        encode.status = cpu->flags & FG_CAP_CPU_PASS_FAILED ? FG_SPAN_ERROR : FG_SPAN_COMPLETE;
        if (pass) {
            encode.pass = pass->pass;
            encode.scope = pass->scope;
            encode.object = pass->id;
        }
        uint32_t row = fgi_builder_span(c->builder, &encode);
        fgi_convert_refs(c, FG_CAP_REF_CPU_PASS, span.object, i, &row, 1);
    }
}

/* What never got times is counted, and what was open at a device loss is said by name. */
static void count_missing(struct emission *e)
{
    static const char *const reasons[FG_CAP_SPAN_REFUSED + 1] = {
        [FG_CAP_SPAN_MISSING] = "gpu results missing",
        [FG_CAP_SPAN_LOST] = "device lost before begin",
        [FG_CAP_SPAN_NO_SLOT] = "no timestamp slot",
        [FG_CAP_SPAN_REFUSED] = "gpu times not to be believed",
    };
    struct fg_trace_frame *frame = &e->c->backing->trace->frames.items[e->frame];
    for (uint32_t i = 0; i < e->pending->instance_count; i++) {
        const struct fgi_instance *instance = &e->pending->instances[i];
        if (has_begin(instance)) {
            frame->is_lost |= instance->status == FG_CAP_SPAN_OPEN;
            continue;
        }
        const char *reason =
            instance->status <= FG_CAP_SPAN_REFUSED ? reasons[instance->status] : NULL;
        frame->missing++;
        fgi_builder_loss(
            e->c->builder,
            fgi_builder_cstr(e->c->builder, reason ? reason : "gpu results never came"), 1);
        if (instance->open_at_loss) {
            frame->is_lost = true;
            struct fg_trace_instant instant = {
                .time_ns = e->c->has_lost ? e->c->lost_ns : e->pending->submit_ns,
                .track = FG_NONE,
                .name = instance->label,
                .category = fgi_builder_cstr(e->c->builder, "open at device loss"),
                .frame = e->frame,
            };
            (void)fgi_builder_instant(e->c->builder, &instant);
        }
    }
}

static void keep_submissions(struct emission *e)
{
    for (uint32_t s = 0; s < e->pending->submission_count; s++) {
        (void)FGI_PUT(e->c, e->c->submissions,
                      (struct fgi_submission_rows){ e->frame, s, FG_NONE, FG_NONE, 0, 0 });
    }
    size_t first = e->c->submissions.count - e->pending->submission_count;
    for (uint32_t i = 0; i < e->pending->instance_count; i++) {
        uint32_t s = e->pending->instances[i].submission;
        if (e->row_of[i] == FG_NONE || s >= e->pending->submission_count ||
            fgi_builder_result(e->c->builder) != FG_OK) {
            continue;
        }
        struct fgi_submission_rows *rows = &e->c->submissions.items[first + s];
        if (rows->first_row == FG_NONE || e->start_of[i] < rows->first_ns) {
            rows->first_row = e->row_of[i];
            rows->first_ns = e->start_of[i];
        }
        if (rows->last_row == FG_NONE || e->end_of[i] >= rows->last_ns) {
            rows->last_row = e->row_of[i];
            rows->last_ns = e->end_of[i];
        }
    }
}

static bool prepare(struct emission *e)
{
    uint32_t n = e->pending->instance_count;
    struct fgi_arena *arena = &e->pending->arena;
    uint32_t *memory = fgi_arena_alloc(arena, (size_t)n * 5 + 1, sizeof *memory);
    int64_t *times = fgi_arena_alloc(arena, (size_t)n * 2 + 1, sizeof *times);
    if (!memory || !times) {
        fgi_builder_fail(e->c->builder, FG_ERR_NO_MEMORY);
        return false;
    }
    memset(memory, 0xff, (size_t)n * 5 * sizeof *memory); /* FG_NONE everywhere */
    e->item_of = memory;
    e->row_of = memory + n;
    e->order = memory + 2 * (size_t)n;
    e->track_of = memory + 3 * (size_t)n;
    e->first_fragment = memory + 4 * (size_t)n;
    e->start_of = times;
    e->end_of = times + n;
    return true;
}

void fgi_convert_emit_frame(struct fgi_conversion *c, uint32_t index)
{
    struct fgi_pending_frame *pending = &c->pending.items[index];
    struct emission e = {
        .c = c,
        .pending = pending,
        .topology = pending->cap_topology == FG_CAP_NONE
                        ? NULL
                        : fg_capture_topology(c->capture, pending->cap_topology),
        .graph = fg_trace_topology(c->backing->trace, pending->topology),
        .frame = index,
    };
    if (!pending->is_open || fgi_builder_result(c->builder) != FG_OK) {
        return;
    }
    if (prepare(&e)) {
        emit_cpu(&e);
        mark_first_fragments(&e);
        place_instances(&e);
        fgi_builder_fail(c->builder,
                         fgi_sort_u32(c->allocator, e.order, e.timed_count, instance_before, &e));
        make_items(&e);
        for (size_t i = 0; i < e.items.count; i++) {
            emit_item(&e, &e.items.items[i]);
        }
        count_missing(&e);
        keep_submissions(&e);
        struct fgi_frame_source *source = &c->backing->frames.items[index];
        source->instance_offset = c->backing->ref_rows.count;
        source->instance_count = pending->instance_count;
        fgi_convert_refs(c, FG_CAP_REF_GPU_PASS, c->backing->trace->frames.items[index].id, 0,
                         e.row_of, pending->instance_count);
    }
    FGI_FREE_TABLE(c->allocator, e.items);
    fgi_arena_finish(&pending->arena);
    pending->is_open = false;
}
