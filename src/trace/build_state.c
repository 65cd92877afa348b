/* SPDX-License-Identifier: MIT */
/* Metrics, resources and losses of a trace that is being made. */
#include "base/alloc.h"
#include "trace/build.h"
#include <string.h>

/* Room for one item more; false once something has failed. */
#define ROOM(builder, table)                                                                       \
    room((builder), (void **)&(table).items, &(table).capacity, sizeof *(table).items,             \
         (table).count)

static bool room(struct fgi_builder *builder, void **items, size_t *capacity, size_t item_size,
                 size_t count)
{
    if (builder->result == FG_OK) {
        builder->result =
            fgi_grow(builder->allocator, items, capacity, item_size, count + 1, FGI_FIND);
    }
    return builder->result == FG_OK;
}

/* ---- metrics --------------------------------------------------------------------------------- */

uint32_t fgi_builder_metric(struct fgi_builder *builder, const struct fg_trace_metric *metric)
{
    struct fg_trace *trace = builder->trace;
    if (!ROOM(builder, trace->metrics)) {
        return FG_NONE;
    }
    struct fg_trace_metric *made = &trace->metrics.items[trace->metrics.count];
    *made = *metric;
    made->counter = metric->counter < trace->counters.count ? metric->counter : FG_NONE;
    return (uint32_t)trace->metrics.count++;
}

void fgi_builder_loss_counter(struct fgi_builder *builder, enum fg_trace_loss_counter counter,
                              uint64_t count)
{
    builder->trace->loss_counters[counter] = count < UINT64_MAX ? count : UINT64_MAX - 1;
}

/* Counters that no definition names are metrics of which nothing is told. */
static void name_counters(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    uint8_t *is_named = fgi_calloc(builder->allocator, trace->counters.count + 1, 1);
    if (!is_named) {
        fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < trace->metrics.count; i++) {
        if (trace->metrics.items[i].counter < trace->counters.count) {
            is_named[trace->metrics.items[i].counter] = 1;
        }
    }
    for (uint32_t i = 0; i < trace->counters.count; i++) {
        if (!is_named[i]) {
            (void)fgi_builder_metric(builder, &(struct fg_trace_metric){
                                                  .name = trace->counters.items[i].name,
                                                  .unit = trace->counters.items[i].unit,
                                                  .kind = FG_TRACE_METRIC_UNKNOWN,
                                                  .accuracy = FG_TRACE_ACCURACY_UNKNOWN,
                                                  .counter = i,
                                              });
        }
    }
    fgi_free(builder->allocator, is_named, trace->counters.count + 1);
}

/* ---- resources ------------------------------------------------------------------------------- */

static bool says_shape(const struct fg_trace_object_event *event)
{
    return event->format || event->width || event->height || event->depth || event->mip_count ||
           event->layer_count;
}

/* What is known after an event: what it says, and of the rest what was known before. */
static void carry_over(struct fg_trace_object_event *event,
                       const struct fg_trace_object_event *before)
{
    event->name = event->name ? event->name : before->name;
    event->type = event->type ? event->type : before->type;
    if (event->size_bytes == UINT64_MAX && event->kind != FG_TRACE_OBJECT_RESIZED) {
        event->size_bytes = before->size_bytes;
    }
    if (event->accuracy == FG_TRACE_ACCURACY_UNKNOWN) {
        event->accuracy = before->accuracy;
    }
    if (!says_shape(event)) {
        event->format = before->format;
        event->width = before->width;
        event->height = before->height;
        event->depth = before->depth;
        event->mip_count = before->mip_count;
        event->layer_count = before->layer_count;
    }
}

static bool says_the_same(const struct fg_trace_object_event *a,
                          const struct fg_trace_object_event *b)
{
    return a->name == b->name && a->type == b->type && a->size_bytes == b->size_bytes &&
           a->accuracy == b->accuracy && a->format == b->format && a->width == b->width &&
           a->height == b->height && a->depth == b->depth && a->mip_count == b->mip_count &&
           a->layer_count == b->layer_count;
}

static bool is_birth(uint32_t kind)
{
    return kind == FG_TRACE_OBJECT_MADE || kind == FG_TRACE_OBJECT_LIVES;
}

/* The object that an event is of, made when it is new; FG_NONE: it is of none. */
static uint32_t object_of(struct fgi_builder *builder, uint64_t id,
                          const struct fg_trace_object_event *event)
{
    struct fg_trace *trace = builder->trace;
    uint32_t number = FG_NONE;
    if (fgi_map64_get(&builder->object_of, id, &number)) {
        if (trace->objects.items[number].gone_ns == INT64_MAX) {
            return number;
        }
        if (!is_birth(event->kind)) {
            fgi_builder_repair(builder, "resource_event_after_end", 1, UINT64_MAX);
            return FG_NONE;
        }
    }
    if (!ROOM(builder, trace->objects) || !ROOM(builder, builder->object_latest)) {
        return FG_NONE;
    }
    number = (uint32_t)trace->objects.count++;
    builder->object_latest.items[builder->object_latest.count++] = FG_NONE;
    trace->objects.items[number] = (struct fg_trace_object){
        .id = id,
        .made_ns = event->kind == FG_TRACE_OBJECT_MADE ? event->time_ns : FG_TIME_MIN,
        .gone_ns = INT64_MAX,
    };
    fgi_builder_fail(builder, fgi_map64_put(&builder->object_of, id, number));
    return builder->result == FG_OK ? number : FG_NONE;
}

void fgi_builder_object_event(struct fgi_builder *builder, uint64_t id,
                              const struct fg_trace_object_event *event)
{
    struct fg_trace *trace = builder->trace;
    struct fg_trace_object_event kept = *event;
    kept.time_ns = fgi_builder_legal_time(builder, kept.time_ns);
    fgi_builder_saw_time(builder, kept.time_ns);
    if (builder->result != FG_OK) {
        return;
    }
    kept.object = object_of(builder, id, &kept);
    if (kept.object == FG_NONE || !ROOM(builder, trace->object_events)) {
        return;
    }
    struct fg_trace_object *object = &trace->objects.items[kept.object];
    uint32_t latest = builder->object_latest.items[kept.object];
    if (latest != FG_NONE) {
        const struct fg_trace_object_event *before = &trace->object_events.items[latest];
        carry_over(&kept, before);
        if (is_birth(kept.kind) && says_the_same(&kept, before)) {
            return; /* said again, so that a piece of the file can stand alone */
        }
        if (kept.time_ns < before->time_ns) {
            fgi_builder_repair(builder, "resource_event_before_the_last", 1, UINT64_MAX);
            kept.time_ns = before->time_ns;
        }
    }
    if (kept.kind == FG_TRACE_OBJECT_GONE) {
        object->gone_ns = kept.time_ns;
    }
    object->event_count++;
    builder->object_latest.items[kept.object] = (uint32_t)trace->object_events.count;
    trace->object_events.items[trace->object_events.count++] = kept;
}

static bool event_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_trace_object_event *events = context;
    return events[a].time_ns < events[b].time_ns;
}

/* Events of one object together; all of them once more by time. A counting sort keeps the order. */
static enum fg_result order_object_events(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    size_t count = trace->object_events.count;
    if (count == 0) {
        return FG_OK;
    }
    size_t capacity = 0;
    struct fg_trace_object_event *grouped = NULL;
    enum fg_result result = FGI_GROW(trace->allocator, grouped, capacity, count, FG_NONE);
    uint32_t *order = NULL;
    if (result == FG_OK) {
        result = FGI_GROW(trace->allocator, trace->object_event_order.items,
                          trace->object_event_order.capacity, count, FG_NONE);
        order = trace->object_event_order.items;
    }
    if (result != FG_OK) {
        fgi_free(trace->allocator, grouped, capacity * sizeof *grouped);
        return result;
    }
    uint32_t first = 0;
    for (size_t i = 0; i < trace->objects.count; i++) {
        trace->objects.items[i].first_event = first;
        first += trace->objects.items[i].event_count;
        trace->objects.items[i].event_count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct fg_trace_object *object =
            &trace->objects.items[trace->object_events.items[i].object];
        order[i] = object->first_event + object->event_count++;
        grouped[order[i]] = trace->object_events.items[i];
    }
    fgi_free(trace->allocator, trace->object_events.items,
             trace->object_events.capacity * sizeof *trace->object_events.items);
    trace->object_events.items = grouped;
    trace->object_events.capacity = capacity;
    trace->object_event_order.count = count;
    return fgi_sort_u32(trace->allocator, order, count, event_before, grouped);
}

static void count_live(struct fg_trace *trace)
{
    for (size_t i = 0; i < trace->objects.count; i++) {
        trace->info.live_objects += trace->objects.items[i].gone_ns == INT64_MAX;
    }
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void gather_gaps(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    /* The last gap of each track, then of the whole trace. */
    size_t tracks = trace->tracks.count + 1;
    int64_t *since = fgi_malloc(builder->allocator, tracks * sizeof *since);
    if (!since) {
        fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
        return;
    }
    for (size_t t = 0; t < tracks; t++) {
        since[t] = FG_TIME_MIN;
    }
    for (size_t i = 0; i < trace->instant_order.count; i++) {
        const struct fg_trace_instant *from = &trace->instants.items[trace->instant_order.items[i]];
        if (!from->is_loss || !ROOM(builder, trace->gaps)) {
            continue;
        }
        int64_t *last = &since[from->track < tracks - 1 ? from->track : tracks - 1];
        trace->gaps.items[trace->gaps.count++] = (struct fg_trace_gap){
            .time_ns = from->time_ns,
            .since_ns = *last,
            .track = from->track,
            .frame = from->frame,
            .count = (uint64_t)from->value,
        };
        *last = from->time_ns;
    }
    fgi_free(builder->allocator, since, tracks * sizeof *since);
}

static bool loses_more(void *context, uint32_t a, uint32_t b)
{
    const struct fg_trace_track_loss *losses = context;
    return losses[a].count != losses[b].count ? losses[a].count > losses[b].count
                                              : losses[a].track < losses[b].track;
}

static void add_gap(struct fg_trace_track_loss *sum, const struct fg_trace_gap *gap)
{
    sum->first_ns = sum->gap_count == 0 ? gap->time_ns : sum->first_ns;
    sum->last_ns = gap->time_ns;
    sum->track = gap->track;
    sum->gap_count++;
    sum->count = gap->count < UINT64_MAX - sum->count ? sum->count + gap->count : UINT64_MAX - 1;
}

/* Sums of all gaps, `sums` by track and `order` as large. */
static void sum_by_track(struct fgi_builder *builder, struct fg_trace_track_loss *sums,
                         uint32_t *order)
{
    struct fg_trace *trace = builder->trace;
    size_t tracks = trace->tracks.count;
    size_t count = 0;
    for (size_t i = 0; i < trace->gaps.count; i++) {
        const struct fg_trace_gap *gap = &trace->gaps.items[i];
        add_gap(&sums[gap->track < tracks ? gap->track : tracks], gap);
    }
    for (uint32_t t = 0; t <= tracks; t++) {
        if (sums[t].gap_count > 0) {
            order[count++] = t;
        }
    }
    fgi_builder_fail(builder, fgi_sort_u32(builder->allocator, order, count, loses_more, sums));
    for (size_t i = 0; i < count && ROOM(builder, trace->track_losses); i++) {
        trace->track_losses.items[trace->track_losses.count++] = sums[order[i]];
    }
}

static void sum_gaps(struct fgi_builder *builder)
{
    size_t count = builder->trace->tracks.count + 1;
    struct fg_trace_track_loss *sums = fgi_calloc(builder->allocator, count, sizeof *sums);
    uint32_t *order = fgi_calloc(builder->allocator, count, sizeof *order);
    if (sums && order) {
        sum_by_track(builder, sums, order);
    } else {
        fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
    }
    fgi_free(builder->allocator, sums, count * sizeof *sums);
    fgi_free(builder->allocator, order, count * sizeof *order);
}

enum fg_result fgi_builder_finish_state(struct fgi_builder *builder)
{
    name_counters(builder);
    fgi_builder_fail(builder, order_object_events(builder));
    count_live(builder->trace);
    gather_gaps(builder);
    sum_gaps(builder);
    return builder->result;
}
