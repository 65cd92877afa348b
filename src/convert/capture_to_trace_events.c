/* SPDX-License-Identifier: MIT */
/* Records that belong to no frame: blocks of spans, event rings, samples, metrics, notes. */
#include "base/alloc.h"
#include "convert/capture_to_trace_priv.h"

/* A stack deeper than this is a ring of parents. */
enum { STACK_DEPTH_MAX = 1024 };

/* ---- blocks of spans ------------------------------------------------------------------------- */

static void put_marker(struct fgi_conversion *c, uint32_t track, int64_t time_ns, uint32_t name,
                       uint32_t category, uint32_t frame)
{
    struct fg_trace_instant instant = {
        .time_ns = time_ns, .track = track, .name = name, .category = category, .frame = frame
    };
    (void)fgi_builder_instant(c->builder, &instant);
}

void fgi_convert_span_block(struct fgi_conversion *c, const struct fg_cap_span_block *block)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, block->clock);
    uint32_t track = fgi_convert_track(c, block->track, block->clock, FG_TRACK_THREAD);
    for (size_t i = 0; i < block->span_count; i++) {
        const struct fg_cap_block_span *from = &block->spans[i];
        int64_t start = fgi_clock_axis_ns(clock, (uint64_t)from->begin_ticks);
        uint32_t name = fgi_convert_symbol(c, from->name);
        uint32_t category = fgi_convert_symbol(c, from->category);
        uint32_t frame = fgi_convert_frame_index(c, from->frame);
        uint32_t row = FG_NONE;
        if (from->flags & FG_CAP_BLOCK_SPAN_INSTANT) {
            put_marker(c, track, start, name, category, frame);
        } else {
            struct fgi_span_in span = fgi_span_in_make(
                track, name, start, fgi_clock_axis_ns(clock, (uint64_t)from->end_ticks));
            span.category = category;
            span.classes = FG_CLASS_ZONE;
            span.depth = from->depth;
            span.frame = frame;
            span.object = from->object == FG_CAP_UNKNOWN ? 0 : from->object;
            if (from->flags & FG_CAP_BLOCK_SPAN_UNFINISHED) {
                span.status = FG_SPAN_UNFINISHED;
                span.open_end = true;
            }
            row = fgi_builder_span(c->builder, &span);
        }
        if (c->wants_refs) {
            fgi_convert_refs(c, FG_CAP_REF_BLOCK_SPAN, block->id, i, &row, 1);
        }
    }
}

/* ---- event rings ----------------------------------------------------------------------------- */

static struct fgi_thread_state *thread_of(struct fgi_conversion *c, uint32_t track)
{
    for (size_t i = 0; i < c->threads.count; i++) {
        if (c->threads.items[i].track == track) {
            return &c->threads.items[i];
        }
    }
    return FGI_PUT(c, c->threads, (struct fgi_thread_state){ .track = track })
               ? &c->threads.items[c->threads.count - 1]
               : NULL;
}

/* Zones in the order in which they began, so that of equal ones the outer comes first. */
static void flush_zones(struct fgi_conversion *c, struct fgi_thread_state *thread, uint32_t track)
{
    for (size_t i = 0; i < thread->zones.count; i++) {
        const struct fgi_thread_zone *zone = &thread->zones.items[i];
        struct fgi_span_in span = fgi_span_in_make(track, zone->name, zone->start_ns, zone->end_ns);
        span.classes = FG_CLASS_ZONE;
        if (!zone->is_closed || zone->is_lost) {
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

static void see_event(struct fgi_conversion *c, struct fgi_thread_state *thread, uint32_t track,
                      const struct fg_cap_event *event, int64_t time_ns, uint64_t sequence)
{
    switch (event->kind) {
    case FG_CAP_EVENT_NONE:
        break;
    case FG_CAP_EVENT_BEGIN:
        begin_zone(c, thread, track, event, time_ns, sequence);
        break;
    case FG_CAP_EVENT_END:
        if (thread->open.count == 0) {
            fgi_builder_repair(c->builder, "end_without_begin", 1, UINT64_MAX);
        } else {
            close_zone(thread, time_ns, false);
        }
        break;
    case FG_CAP_EVENT_MARK:
        put_marker(c, track, time_ns, fgi_convert_symbol(c, event->symbol), 0, FG_NONE);
        break;
    case FG_CAP_EVENT_VALUE:
        fgi_convert_counter(
            c, fgi_convert_symbol(c, event->symbol), 0, thread->track, time_ns,
            &(struct fg_cap_value){ .kind = FG_CAP_VALUE_INT, .i = (int64_t)event->value });
        break;
    case FG_CAP_EVENT_FRAME:
        put_marker(c, track, time_ns, fgi_builder_cstr(c->builder, "frame begins"), 0,
                   fgi_convert_frame_index(c, event->value));
        break;
    default:
        c->backing->trace->info.other_events++;
        break;
    }
}

void fgi_convert_events(struct fgi_conversion *c, const struct fg_cap_events *events)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, events->clock);
    uint32_t track = fgi_convert_track(c, events->track, events->clock, FG_TRACK_THREAD);
    struct fgi_thread_state *thread = thread_of(c, events->track);
    if (!thread) {
        return;
    }
    if (events->dropped_count > thread->dropped_count) {
        fgi_builder_loss(c->builder, fgi_builder_cstr(c->builder, "ring events overwritten"),
                         events->dropped_count - thread->dropped_count);
        thread->dropped_count = events->dropped_count;
    }
    for (size_t i = 0; i < events->event_count; i++) {
        const struct fg_cap_event *event = &events->events[i];
        uint64_t sequence = events->first_sequence + i;
        if (thread->has_sequence && sequence < thread->next_sequence) {
            continue; /* a ring that was written twice says some events again */
        }
        thread->has_sequence = true;
        thread->next_sequence = sequence + 1;
        see_event(c, thread, track, event, fgi_clock_axis_ns(clock, event->ticks), sequence);
    }
    if (thread->open.count == 0) {
        flush_zones(c, thread, track);
    }
}

void fgi_convert_close_threads(struct fgi_conversion *c)
{
    for (size_t i = 0; i < c->threads.count; i++) {
        struct fgi_thread_state *thread = &c->threads.items[i];
        for (size_t t = 0; t < c->backing->tracks.count && thread->zones.count > 0; t++) {
            const struct fgi_track_key *key = &c->backing->tracks.items[t];
            if (key->cap_track == thread->track && !key->counter) {
                flush_zones(c, thread, key->track);
            }
        }
    }
}

/* ---- samples, metrics, resources ------------------------------------------------------------- */

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

void fgi_convert_metric_samples(struct fgi_conversion *c,
                                const struct fg_cap_metric_samples *samples)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, samples->clock);
    const struct fg_cap_metric *metric = NULL;
    for (size_t i = 0; i < c->metrics.count; i++) {
        metric = c->metrics.items[i].id == samples->metric ? &c->metrics.items[i] : metric;
    }
    if (!metric) {
        fgi_builder_repair(c->builder, "samples_without_metric", samples->sample_count, UINT64_MAX);
        return;
    }
    uint32_t name = fgi_convert_symbol(c, metric->name);
    uint32_t unit = fgi_convert_symbol(c, metric->unit);
    for (size_t i = 0; i < samples->sample_count; i++) {
        fgi_convert_counter(c, name, unit, metric->track,
                            fgi_clock_axis_ns(clock, (uint64_t)samples->samples[i].ticks),
                            &samples->samples[i].value);
    }
}

void fgi_convert_resource_events(struct fgi_conversion *c,
                                 const struct fg_cap_resource_events *events)
{
    static const char *const words[] = { "resource created",  "resource destroyed",
                                         "resource bound",    "resource resized",
                                         "resource uploaded", "resource evicted",
                                         "resource renamed" };
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, events->clock);
    for (size_t i = 0; i < events->event_count; i++) {
        const struct fg_cap_resource_event *event = &events->events[i];
        const char *word =
            event->kind < sizeof words / sizeof *words ? words[event->kind] : "resource event";
        uint32_t name = fgi_convert_symbol(c, event->name);
        uint32_t category = fgi_builder_cstr(c->builder, word);
        put_marker(c, FG_NONE, fgi_clock_axis_ns(clock, (uint64_t)event->ticks), name, category,
                   fgi_convert_frame_index(c, event->frame));
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
    put_marker(c, FG_NONE, c->lost_ns, reason, category, index);
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

void fgi_convert_arguments(struct fgi_conversion *c, const struct fg_cap_arguments *arguments)
{
    for (size_t i = 0; i < arguments->list_count; i++) {
        const struct fg_cap_argument_list *list = &arguments->lists[i];
        struct fgi_arg_list kept = { list->owner, c->args.count, (uint32_t)list->argument_count };
        for (size_t k = 0; k < list->argument_count; k++) {
            struct fg_trace_arg arg;
            fgi_convert_value(c, &list->arguments[k].value, &arg);
            arg.key = fgi_convert_symbol(c, list->arguments[k].key);
            (void)FGI_PUT(c, c->args, arg);
        }
        (void)FGI_PUT(c, c->arg_lists, kept);
    }
}
