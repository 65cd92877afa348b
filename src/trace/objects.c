/* SPDX-License-Identifier: MIT */
/* Resources that the program said it made, at a time and over a window. */
#include "trace/model.h"

bool fg_trace_object_is_in(const struct fg_trace_object *object, enum fg_object_set set,
                           int64_t start_ns, int64_t end_ns)
{
    bool is_live = object->made_ns < end_ns && object->gone_ns >= end_ns;
    bool is_made =
        object->made_ns >= start_ns && object->made_ns < end_ns && object->made_ns != FG_TIME_MIN;
    switch (set) {
    case FG_OBJECTS_LIVE:
        return is_live;
    case FG_OBJECTS_MADE:
        return is_made;
    case FG_OBJECTS_GONE:
        return object->gone_ns >= start_ns && object->gone_ns < end_ns;
    default:
        return is_made && is_live;
    }
}

const struct fg_trace_object_event *fg_trace_object_at(const struct fg_trace *trace,
                                                       uint32_t object, int64_t end_ns)
{
    const struct fg_trace_object *of = fg_trace_object(trace, object);
    if (!of) {
        return NULL;
    }
    uint32_t low = 0, high = of->event_count;
    while (low < high) { /* first event at or after the time */
        uint32_t middle = low + (high - low) / 2;
        if (trace->object_events.items[of->first_event + middle].time_ns < end_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return &trace->object_events.items[of->first_event + (low > 0 ? low - 1 : 0)];
}

/* ---- sums ------------------------------------------------------------------------------------ */

void fg_object_add(struct fg_object_adder *adder, uint64_t size_bytes)
{
    adder->count++;
    if (size_bytes == UINT64_MAX) {
        adder->unknown_count++;
        return;
    }
    adder->low += size_bytes;
    adder->high += adder->low < size_bytes;
}

/* What was added is taken out again: the sum is as exact as before. */
static void take(struct fg_object_adder *adder, uint64_t size_bytes)
{
    adder->count--;
    if (size_bytes == UINT64_MAX) {
        adder->unknown_count--;
        return;
    }
    adder->high -= adder->low < size_bytes;
    adder->low -= size_bytes;
}

struct fg_object_sum fg_object_added(const struct fg_object_adder *adder)
{
    struct fg_object_sum sum = { .count = adder->count, .unknown_count = adder->unknown_count };
    sum.size_bytes =
        adder->high > 0 || adder->low > FG_OBJECT_BYTES_MAX ? FG_OBJECT_BYTES_MAX : adder->low;
    if (adder->count > 0 && adder->count == adder->unknown_count) {
        sum.size_bytes = UINT64_MAX;
    }
    return sum;
}

void fg_trace_object_sums(const struct fg_trace *trace, int64_t start_ns, int64_t end_ns,
                          struct fg_object_sum out_sums[FG_OBJECT_SETS])
{
    struct fg_object_adder adders[FG_OBJECT_SETS] = { { 0 } };
    for (uint32_t i = 0; i < trace->objects.count; i++) {
        const struct fg_trace_object_event *known = fg_trace_object_at(trace, i, end_ns);
        for (unsigned set = 0; set < FG_OBJECT_SETS; set++) {
            if (fg_trace_object_is_in(&trace->objects.items[i], (enum fg_object_set)set, start_ns,
                                      end_ns)) {
                fg_object_add(&adders[set], known->size_bytes);
            }
        }
    }
    for (unsigned set = 0; set < FG_OBJECT_SETS; set++) {
        out_sums[set] = fg_object_added(&adders[set]);
    }
}

/* ---- over time ------------------------------------------------------------------------------- */

/* One event of the sweep: event `index` happens to what lived before. */
static void step(const struct fg_trace *trace, uint32_t index, struct fg_object_adder *live)
{
    const struct fg_trace_object_event *event = &trace->object_events.items[index];
    const struct fg_trace_object *object = &trace->objects.items[event->object];
    bool is_first = index == object->first_event;
    /* What was there before lives from the beginning, with what its first event says. */
    bool was_live = !is_first || object->made_ns == FG_TIME_MIN;
    if (was_live) {
        take(live, is_first ? event->size_bytes : (event - 1)->size_bytes);
    }
    if (event->kind != FG_TRACE_OBJECT_GONE) {
        fg_object_add(live, event->size_bytes);
    }
}

static bool is_larger(const struct fg_object_sum *a, const struct fg_object_sum *b)
{
    bool is_known = a->size_bytes != UINT64_MAX;
    return is_known && (b->size_bytes == UINT64_MAX || a->size_bytes > b->size_bytes);
}

void fg_trace_object_growth(const struct fg_trace *trace, struct fg_object_point *points,
                            uint32_t count, int64_t peak_end_ns, struct fg_object_point *out_peak)
{
    struct fg_object_adder live = { 0 };
    struct fg_object_point peak = { .live.size_bytes = UINT64_MAX };
    for (size_t i = 0; i < trace->objects.count; i++) {
        const struct fg_trace_object *object = &trace->objects.items[i];
        if (object->made_ns == FG_TIME_MIN) {
            fg_object_add(&live, trace->object_events.items[object->first_event].size_bytes);
        }
    }
    struct fg_object_sum now = fg_object_added(&live);
    if (live.count > 0 && is_larger(&now, &peak.live)) {
        peak = (struct fg_object_point){ trace->info.first_ns, now };
    }
    uint32_t at = 0;
    for (size_t i = 0; i < trace->object_event_order.count; i++) {
        uint32_t index = trace->object_event_order.items[i];
        int64_t time_ns = trace->object_events.items[index].time_ns;
        for (; at < count && points[at].time_ns <= time_ns; at++) {
            points[at].live = fg_object_added(&live);
        }
        step(trace, index, &live);
        now = fg_object_added(&live);
        if (time_ns < peak_end_ns && live.count > 0 && is_larger(&now, &peak.live)) {
            peak = (struct fg_object_point){ time_ns, now };
        }
    }
    for (; at < count; at++) {
        points[at].live = fg_object_added(&live);
    }
    if (out_peak) {
        *out_peak = peak;
    }
}
