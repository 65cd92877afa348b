/* SPDX-License-Identifier: MIT */
/* Records that belong to no frame: event rings, samples, notes. */
#include "base/alloc.h"
#include "convert/capture_to_trace_priv.h"

/* A stack deeper than this is a ring of parents. */
enum { STACK_DEPTH_MAX = 1024 };

void fgi_convert_loss(struct fgi_conversion *c, uint32_t track, int64_t time_ns, uint32_t frame,
                      uint64_t count)
{
    c->lost_events += count < UINT64_MAX - c->lost_events ? count : UINT64_MAX - c->lost_events;
    if (count > INT64_MAX) {
        fgi_builder_repair(c->builder, "clamped_loss", 1, UINT64_MAX);
    }
    uint32_t name = fgi_builder_cstr(c->builder, "events lost");
    struct fg_trace_instant loss = {
        .time_ns = time_ns,
        .track = track,
        .name = name,
        .category = fgi_builder_cstr(c->builder, "loss"),
        .frame = frame,
        .is_loss = true,
        .has_value = true,
        .value = count > INT64_MAX ? INT64_MAX : (int64_t)count,
    };
    (void)fgi_builder_instant(c->builder, &loss);
}

void fgi_convert_malformed(struct fgi_conversion *c, uint32_t track, int64_t time_ns, uint32_t name,
                           uint32_t frame)
{
    struct fg_trace_instant malformed = {
        .time_ns = time_ns,
        .track = track,
        .name = name ? name : fgi_builder_cstr(c->builder, "malformed zone"),
        .frame = frame,
    };
    malformed.category = fgi_builder_cstr(c->builder, "malformed");
    (void)fgi_builder_instant(c->builder, &malformed);
}

/* ---- event rings ----------------------------------------------------------------------------- */

static struct fgi_thread_state *thread_of(struct fgi_conversion *c, uint32_t track)
{
    uint32_t at = (uint32_t)c->threads.count;
    if (fgi_map64_get(&c->thread_at, track, &at)) {
        return &c->threads.items[at];
    }
    if (!FGI_PUT(c, c->threads, (struct fgi_thread_state){ .track = track })) {
        return NULL;
    }
    fgi_builder_fail(c->builder, fgi_map64_put(&c->thread_at, track, at));
    return &c->threads.items[at];
}

/* Longer ones first where they begin together; of equal ones the outer. */
static bool zone_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_thread_zone *zones = context;
    if (zones[a].start_ns != zones[b].start_ns) {
        return zones[a].start_ns < zones[b].start_ns;
    }
    if (zones[a].end_ns != zones[b].end_ns) {
        return zones[a].end_ns > zones[b].end_ns;
    }
    return zones[a].depth < zones[b].depth;
}

/* Zones that are told at their end come inner first. */
static void order_zones(struct fgi_conversion *c, struct fgi_thread_state *thread)
{
    size_t count = thread->zones.count;
    uint32_t *order = fgi_malloc(c->allocator, (count + 1) * sizeof *order);
    struct fgi_thread_zone *copy = fgi_malloc(c->allocator, (count + 1) * sizeof *copy);
    enum fg_result result = order && copy ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        order[i] = (uint32_t)i;
        copy[i] = thread->zones.items[i];
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(c->allocator, order, count, zone_before, copy);
    }
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        thread->zones.items[i] = copy[order[i]];
    }
    fgi_free(c->allocator, order, (count + 1) * sizeof *order);
    fgi_free(c->allocator, copy, (count + 1) * sizeof *copy);
    fgi_builder_fail(c->builder, result);
    thread->is_unordered = false;
}

/* Zones in the order in which they began, so that of equal ones the outer comes first. */
static void flush_zones(struct fgi_conversion *c, struct fgi_thread_state *thread, uint32_t track)
{
    if (thread->is_unordered) {
        order_zones(c, thread);
    }
    for (size_t i = 0; i < thread->zones.count; i++) {
        const struct fgi_thread_zone *zone = &thread->zones.items[i];
        struct fgi_span_in span = fgi_span_in_make(track, zone->name, zone->start_ns, zone->end_ns);
        span.classes = FG_CLASS_ZONE;
        span.frame = fgi_convert_frame_at(c, zone->start_ns);
        if (zone->is_forced) {
            span.status = FG_SPAN_FORCED;
        } else if (!zone->is_closed || zone->is_lost) {
            span.status = FG_SPAN_UNFINISHED;
            span.open_end = !zone->is_closed;
        }
        uint32_t row = fgi_builder_span(c->builder, &span);
        if (c->wants_refs) {
            fgi_convert_refs(c, FG_CAP_REF_EVENT, thread->track, zone->sequence, &row, 1);
        }
    }
    thread->zones.count = 0;
    thread->open.count = 0;
}

static void close_zone(struct fgi_thread_state *thread, int64_t time_ns, bool is_lost)
{
    struct fgi_thread_zone *zone = &thread->zones.items[thread->open.items[--thread->open.count]];
    zone->end_ns = time_ns;
    zone->is_closed = true;
    zone->is_lost = is_lost;
}

static void begin_zone(struct fgi_conversion *c, struct fgi_thread_state *thread, uint32_t track,
                       const struct fg_cap_event *event, int64_t time_ns, uint64_t sequence)
{
    /* Ends that were lost show as a depth that is too small: those zones ended by now. */
    while (thread->open.count > event->depth) {
        close_zone(thread, time_ns, true);
        fgi_builder_repair(c->builder, "zone_end_lost", 1, UINT64_MAX);
    }
    if (thread->open.count == 0) {
        flush_zones(c, thread, track);
    }
    struct fgi_thread_zone zone = { .start_ns = time_ns,
                                    .end_ns = time_ns,
                                    .name = fgi_convert_symbol(c, event->symbol),
                                    .sequence = sequence };
    if (FGI_PUT(c, thread->zones, zone)) {
        (void)FGI_PUT(c, thread->open, (uint32_t)thread->zones.count - 1);
    }
}

/* An event of a ring and where it lies in the trace. */
struct ring_place {
    struct fgi_thread_state *thread;
    const struct fgi_clock_map *clock;
    uint32_t track;
    uint64_t sequence;
    int64_t time_ns;
};

static void put_ring_marker(struct fgi_conversion *c, const struct ring_place *at, uint32_t name,
                            uint32_t frame, uint64_t value)
{
    struct fg_trace_instant marker = {
        .time_ns = at->time_ns,
        .track = at->track,
        .name = name,
        .frame = frame,
        .has_value = value != 0,
        .value = (int64_t)value,
    };
    (void)fgi_builder_instant(c->builder, &marker);
}

static void put_ended_zone(struct fgi_conversion *c, const struct ring_place *at,
                           const struct fg_cap_event *event)
{
    struct fgi_thread_zone zone = {
        .start_ns = fgi_clock_axis_ns(at->clock, event->value),
        .end_ns = at->time_ns,
        .name = fgi_convert_symbol(c, event->symbol),
        .sequence = at->sequence,
        .depth = event->depth,
        .is_closed = true,
        .is_forced = event->kind == FG_CAP_EVENT_ZONE_FORCED,
    };
    if (FGI_PUT(c, at->thread->zones, zone)) {
        at->thread->is_unordered = true;
    }
}

static void put_ring_object(struct fgi_conversion *c, const struct ring_place *at,
                            const struct fg_cap_event *event)
{
    bool is_made = event->kind == FG_CAP_EVENT_OBJECT_CREATED;
    struct fg_trace_object_event said = {
        .time_ns = at->time_ns,
        .kind = is_made ? FG_TRACE_OBJECT_MADE : FG_TRACE_OBJECT_GONE,
        .frame = fgi_convert_frame_at(c, at->time_ns),
        .size_bytes = UINT64_MAX,
        .accuracy = FG_TRACE_ACCURACY_UNKNOWN,
    };
    fgi_builder_object_event(c->builder, event->value, &said);
}

static void see_event(struct fgi_conversion *c, const struct ring_place *at,
                      const struct fg_cap_event *event)
{
    struct fgi_thread_state *thread = at->thread;
    switch (event->kind) {
    case FG_CAP_EVENT_NONE:
        break;
    case FG_CAP_EVENT_BEGIN:
        begin_zone(c, thread, at->track, event, at->time_ns, at->sequence);
        break;
    case FG_CAP_EVENT_END:
        if (thread->open.count == 0) {
            fgi_builder_repair(c->builder, "end_without_begin", 1, UINT64_MAX);
        } else {
            close_zone(thread, at->time_ns, false);
        }
        break;
    case FG_CAP_EVENT_ZONE:
    case FG_CAP_EVENT_ZONE_FORCED:
        put_ended_zone(c, at, event);
        break;
    case FG_CAP_EVENT_MARK:
        put_ring_marker(c, at, fgi_convert_symbol(c, event->symbol),
                        fgi_convert_frame_at(c, at->time_ns), event->value);
        break;
    case FG_CAP_EVENT_VALUE:
        fgi_convert_counter(
            c, fgi_convert_symbol(c, event->symbol), 0, thread->track, at->time_ns,
            &(struct fg_cap_value){ .kind = FG_CAP_VALUE_INT, .i = (int64_t)event->value });
        break;
    case FG_CAP_EVENT_FRAME:
        put_ring_marker(c, at, fgi_builder_cstr(c->builder, "frame begins"),
                        fgi_convert_frame_index(c, event->value), 0);
        break;
    case FG_CAP_EVENT_OBJECT_CREATED:
    case FG_CAP_EVENT_OBJECT_DESTROYED:
        put_ring_object(c, at, event);
        break;
    case FG_CAP_EVENT_MALFORMED:
        fgi_convert_malformed(c, at->track, at->time_ns, fgi_convert_symbol(c, event->symbol),
                              fgi_convert_frame_at(c, at->time_ns));
        break;
    default:
        c->backing->trace->info.other_events++;
        break;
    }
}

/* What the ring lost is noticed with its first event that is new. */
static void see_ring_drops(struct fgi_conversion *c, const struct fg_cap_events *events,
                           struct fgi_thread_state *thread, uint32_t track, int64_t time_ns)
{
    if (events->dropped_count <= thread->dropped_count) {
        return;
    }
    uint64_t count = events->dropped_count - thread->dropped_count;
    fgi_convert_loss(c, track, time_ns, fgi_convert_frame_at(c, time_ns), count);
    thread->dropped_count = events->dropped_count;
}

void fgi_convert_events(struct fgi_conversion *c, const struct fg_cap_events *events)
{
    struct ring_place at = {
        .thread = thread_of(c, events->track),
        .clock = fgi_clocks_find(&c->clocks, events->clock),
        .track = fgi_convert_track(c, events->track, events->clock, FG_TRACK_THREAD),
    };
    if (!at.thread) {
        return;
    }
    struct fgi_thread_state *thread = at.thread;
    uint64_t next = thread->has_sequence ? thread->next_sequence : 0;
    size_t first = 0;
    /* A ring that was written twice says some events again. */
    while (first < events->event_count && events->first_sequence + first < next) {
        first++;
    }
    int64_t noticed_ns = first < events->event_count
                             ? fgi_clock_axis_ns(at.clock, events->events[first].ticks)
                             : thread->last_ns;
    see_ring_drops(c, events, thread, at.track, noticed_ns);
    for (size_t i = first; i < events->event_count; i++) {
        at.sequence = events->first_sequence + i;
        at.time_ns = fgi_clock_axis_ns(at.clock, events->events[i].ticks);
        thread->has_sequence = true;
        thread->next_sequence = at.sequence + 1;
        thread->last_ns = at.time_ns;
        see_event(c, &at, &events->events[i]);
    }
    if (thread->open.count == 0) {
        flush_zones(c, thread, at.track);
    }
}

/* The first track that each track of the capture became. */
static void first_tracks(struct fgi_conversion *c, struct fgi_map64 *out)
{
    for (size_t i = 0; i < c->backing->tracks.count; i++) {
        const struct fgi_track_key *key = &c->backing->tracks.items[i];
        uint32_t known = 0;
        if (!key->counter && !fgi_map64_get(out, key->cap_track, &known)) {
            fgi_builder_fail(c->builder, fgi_map64_put(out, key->cap_track, key->track));
        }
    }
}

void fgi_convert_close_threads(struct fgi_conversion *c)
{
    struct fgi_map64 first = { .allocator = c->allocator };
    first_tracks(c, &first);
    for (size_t i = 0; i < c->threads.count; i++) {
        struct fgi_thread_state *thread = &c->threads.items[i];
        uint32_t track = 0;
        if (thread->zones.count > 0 && fgi_map64_get(&first, thread->track, &track)) {
            flush_zones(c, thread, track);
        }
    }
    fgi_map64_finish(&first);
}

/* ---- samples --------------------------------------------------------------------------------- */

void fgi_convert_samples(struct fgi_conversion *c, const struct fg_cap_samples *samples)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, samples->clock);
    uint32_t track = fgi_convert_track(c, samples->track, samples->clock, FG_TRACK_THREAD);
    uint32_t frames[STACK_DEPTH_MAX];
    for (size_t i = 0; i < samples->sample_count; i++) {
        uint32_t count = 0;
        uint32_t stack = samples->samples[i].stack;
        uint32_t at = 0;
        while (stack != FG_CAP_NONE && count < STACK_DEPTH_MAX &&
               fgi_map64_get(&c->stack_of, stack, &at)) {
            frames[count++] = c->stacks.items[at].function;
            stack = c->stacks.items[at].parent;
        }
        if (stack != FG_CAP_NONE) {
            fgi_builder_repair(c->builder, "stack_cut", 1, UINT64_MAX);
        }
        fgi_builder_stack(c->builder, fgi_clock_axis_ns(clock, (uint64_t)samples->samples[i].ticks),
                          track, samples->samples[i].weight, frames, count);
    }
}

/* ---- notes, device loss, arguments ----------------------------------------------------------- */

void fgi_convert_note(struct fgi_conversion *c, const struct fg_cap_note *note)
{
    struct fg_trace_instant instant = {
        .track = FG_NONE,
        .name = fgi_builder_text(c->builder, note->text.data, note->text.size),
        .category = fgi_convert_symbol(c, note->category),
        .frame = fgi_convert_frame_index(c, note->frame),
        .is_note = true,
    };
    if (note->clock != FG_CAP_NONE) {
        const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, note->clock);
        instant.time_ns = fgi_clock_axis_ns(clock, (uint64_t)note->ticks);
    } else {
        const struct fg_trace_frame *frame = fg_trace_frame(c->backing->trace, instant.frame);
        instant.time_ns = frame ? frame->start_ns : c->first_frame_ns;
    }
    (void)fgi_builder_instant(c->builder, &instant);
}

void fgi_convert_device_lost(struct fgi_conversion *c, const struct fg_cap_device_lost *lost)
{
    uint32_t index = fgi_convert_frame_index(c, lost->frame);
    const struct fg_trace_frame *frame = fg_trace_frame(c->backing->trace, index);
    c->has_lost = true;
    c->lost_ns = frame ? frame->cpu_end_ns : c->first_frame_ns;
    if (lost->clock != FG_CAP_NONE) {
        const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, lost->clock);
        if (clock->kind != FG_CLOCK_NOMINAL) {
            c->lost_ns = fgi_clock_axis_ns(clock, lost->ticks);
        }
    }
    c->backing->trace->info.device_lost = true;
    uint32_t reason = fgi_builder_text(c->builder, lost->reason.data, lost->reason.size);
    uint32_t category = fgi_builder_cstr(c->builder, "device lost");
    struct fg_trace_instant marker = {
        .time_ns = c->lost_ns,
        .track = FG_NONE,
        .name = reason,
        .category = category,
        .frame = index,
    };
    (void)fgi_builder_instant(c->builder, &marker);
    for (size_t i = 0; i < lost->open_count; i++) {
        uint32_t of = fgi_convert_frame_index(c, lost->open[i].frame);
        if (of < c->pending.count && c->pending.items[of].is_open &&
            lost->open[i].instance < c->pending.items[of].instance_count) {
            c->pending.items[of].instances[lost->open[i].instance].open_at_loss = true;
        } else {
            fgi_builder_repair(c->builder, "lost_pass_unknown", 1, UINT64_MAX);
        }
    }
}
