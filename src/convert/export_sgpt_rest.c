/* SPDX-License-Identifier: MIT */
/* Instants, metrics with their samples, stacks, resources and dependencies of a trace. */
#include "base/alloc.h"
#include "base/hash.h"
#include "convert/export_sgpt_priv.h"

enum {
    ITEMS_OF_A_RECORD = 8192,
    STACK_DEPTH_MAX = 1024, /* of a reader: what is deeper is a ring of parents */
};

/* Memory for the items of a record; NULL and a failure when there is none. */
static void *items(struct fgi_to_sgpt *to, size_t item_size)
{
    void *memory =
        to->result == FG_OK ? fgi_malloc(to->allocator, ITEMS_OF_A_RECORD * item_size) : NULL;
    (void)fgi_to_sgpt_ok(to, memory != NULL ? FG_OK : FG_ERR_NO_MEMORY);
    return memory;
}

/* ---- instants -------------------------------------------------------------------------------- */

static struct fg_cap_mark mark_of(struct fgi_to_sgpt *to, const struct fg_trace_instant *from)
{
    return (struct fg_cap_mark){
        .ticks = from->time_ns,
        .track = from->track,
        .name = fgi_to_sgpt_symbol(to, from->name),
        .category = fgi_to_sgpt_symbol(to, from->category),
        .flags = (from->has_value ? FG_CAP_MARK_VALUE : 0u) |
                 (from->is_note ? FG_CAP_MARK_NOTE : 0u) | (from->is_loss ? FG_CAP_MARK_LOSS : 0u),
        .frame = fgi_to_sgpt_frame(to, from->frame),
        .value = from->value,
    };
}

void fgi_to_sgpt_marks(struct fgi_to_sgpt *to)
{
    struct fg_cap_mark *marks = items(to, sizeof *marks);
    struct fg_cap_marks list = { .marks = marks };
    const struct fg_trace_instant *instant;
    for (uint32_t i = 0; to->result == FG_OK; i++) {
        instant = fg_trace_instant(to->trace, i);
        if (list.mark_count == ITEMS_OF_A_RECORD || (instant == NULL && list.mark_count > 0)) {
            (void)fgi_to_sgpt_put(to, fg_capture_writer_marks(to->writer, &list));
            list.mark_count = 0;
        }
        if (instant == NULL) {
            break;
        }
        marks[list.mark_count++] = mark_of(to, instant);
    }
    fgi_free(to->allocator, marks, ITEMS_OF_A_RECORD * sizeof *marks);
}

/* ---- metrics --------------------------------------------------------------------------------- */

static uint32_t metric_kind(enum fg_trace_metric_kind kind)
{
    switch (kind) {
    case FG_TRACE_COUNTER:
        return FG_CAP_METRIC_COUNTER;
    case FG_TRACE_GAUGE:
        return FG_CAP_METRIC_GAUGE;
    case FG_TRACE_FRAME_COUNTER:
        return FG_CAP_METRIC_FRAME;
    case FG_TRACE_DELTA:
        return FG_CAP_METRIC_DELTA;
    case FG_TRACE_METRIC_UNKNOWN:
        break;
    }
    return FG_TRACE_METRIC_UNKNOWN; /* a kind that no reader knows */
}

/* A reader makes a second metric of one whose samples are of both kinds of numbers. */
static bool is_second(const struct fgi_to_sgpt *to, const struct fg_trace_metric *metric,
                      uint32_t *out_first)
{
    const struct fg_trace_counter *counter = fg_trace_counter(to->trace, metric->counter);
    const struct fg_trace_metric *other;
    for (uint32_t i = 0;
         counter != NULL && counter->is_double && (other = fg_trace_metric(to->trace, i)) != NULL;
         i++) {
        const struct fg_trace_counter *first = fg_trace_counter(to->trace, other->counter);
        if (first != NULL && !first->is_double && first->track == counter->track &&
            first->name == counter->name) {
            *out_first = i;
            return true;
        }
    }
    return false;
}

static void put_metric(struct fgi_to_sgpt *to, uint32_t id, const struct fg_trace_metric *from)
{
    const struct fg_trace_counter *counter = fg_trace_counter(to->trace, from->counter);
    const struct fg_cap_metric metric = {
        .id = id,
        .kind = metric_kind(from->kind),
        .track = counter != NULL ? counter->track : FG_CAP_NONE,
        .name = fgi_to_sgpt_symbol(to, from->name),
        .unit = fgi_to_sgpt_symbol(to, from->unit),
        .description = fgi_to_sgpt_symbol(to, from->description),
        .accuracy = (uint32_t)from->accuracy,
    };
    (void)fgi_to_sgpt_put(to, fg_capture_writer_metric(to->writer, &metric));
}

static void put_samples(struct fgi_to_sgpt *to, uint32_t counter, uint32_t metric,
                        struct fg_trace_sample *from, struct fg_cap_metric_sample *out)
{
    const struct fg_trace_counter *about = fg_trace_counter(to->trace, counter);
    const struct fg_trace_track *track = fg_trace_track(to->trace, about->track);
    struct fg_cap_metric_samples list = { .metric = metric,
                                          .clock = track != NULL ? track->clock : 0,
                                          .samples = out };
    for (uint32_t first = 0; first < about->sample_count && to->result == FG_OK;) {
        uint32_t count = fg_trace_samples(to->trace, counter, first, from, ITEMS_OF_A_RECORD);
        for (uint32_t i = 0; i < count; i++) {
            out[i].ticks = from[i].time_ns;
            out[i].value =
                about->is_double
                    ? (struct fg_cap_value){ .kind = FG_CAP_VALUE_F64, .f = from[i].value.real }
                    : (struct fg_cap_value){ .kind = FG_CAP_VALUE_INT, .i = from[i].value.integer };
        }
        list.sample_count = count;
        if (count == 0) {
            return;
        }
        (void)fgi_to_sgpt_put(to, fg_capture_writer_metric_samples(to->writer, &list));
        first += count;
    }
}

void fgi_to_sgpt_metrics(struct fgi_to_sgpt *to)
{
    struct fg_trace_sample *from = items(to, sizeof *from);
    struct fg_cap_metric_sample *out = items(to, sizeof *out);
    uint32_t *metric_of =
        fgi_calloc(to->allocator, (size_t)to->info.counters + 1, sizeof *metric_of);
    const struct fg_trace_metric *metric;
    const struct fg_trace_counter *counter;
    uint64_t empty = 0;
    (void)fgi_to_sgpt_ok(to, metric_of != NULL ? FG_OK : FG_ERR_NO_MEMORY);
    for (uint32_t i = 0; to->result == FG_OK && (metric = fg_trace_metric(to->trace, i)) != NULL;
         i++) {
        uint32_t id = i;
        if (!is_second(to, metric, &id)) {
            put_metric(to, i, metric);
        }
        if (metric->counter < to->info.counters) {
            metric_of[metric->counter] = id;
        }
    }
    for (uint32_t i = 0; to->result == FG_OK && (counter = fg_trace_counter(to->trace, i)) != NULL;
         i++) {
        put_samples(to, i, metric_of[i], from, out);
        empty += counter->sample_count == 0;
    }
    fgi_to_sgpt_lacks(to, "counters without samples", empty);
    fgi_free(to->allocator, metric_of, ((size_t)to->info.counters + 1) * sizeof *metric_of);
    fgi_free(to->allocator, out, ITEMS_OF_A_RECORD * sizeof *out);
    fgi_free(to->allocator, from, ITEMS_OF_A_RECORD * sizeof *from);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

struct stacks {
    struct fgi_to_sgpt *to;
    struct fgi_map64 ids; /* by the caller's stack and the function */
    uint32_t next_id;
};

/* Number of a stack, said when it is new: a call on top of its caller's stack. */
static uint32_t stack_id(struct stacks *stacks, const struct fg_trace_stack *from)
{
    struct fgi_to_sgpt *to = stacks->to;
    uint32_t parent = FG_CAP_NONE;
    for (uint32_t i = from->frame_count; i > 0 && to->result == FG_OK; i--) {
        uint32_t function = fg_trace_stack_frame(to->trace, from->first_frame + i - 1);
        uint64_t key = (uint64_t)parent << 32 | function;
        uint32_t id = 0;
        if (!fgi_map64_get(&stacks->ids, key, &id)) {
            id = stacks->next_id++;
            const struct fg_cap_stack stack = { .id = id,
                                                .parent = parent,
                                                .function = fgi_to_sgpt_symbol(to, function) };
            const struct fg_cap_stacks one = { &stack, 1 };
            (void)fgi_to_sgpt_ok(to, fgi_map64_put(&stacks->ids, key, id));
            (void)fgi_to_sgpt_put(to, fg_capture_writer_stacks(to->writer, &one));
        }
        parent = id;
    }
    return parent;
}

void fgi_to_sgpt_stacks(struct fgi_to_sgpt *to)
{
    struct stacks stacks = { .to = to, .ids = { .allocator = to->allocator } };
    struct fg_cap_sample *samples = items(to, sizeof *samples);
    struct fg_cap_samples list = { .samples = samples };
    const struct fg_trace_stack *from;
    uint64_t cut = 0;
    for (uint32_t i = 0; to->result == FG_OK; i++) {
        from = fg_trace_stack(to->trace, i);
        bool is_other = from == NULL || from->track != list.track;
        if (list.sample_count == ITEMS_OF_A_RECORD || (is_other && list.sample_count > 0)) {
            (void)fgi_to_sgpt_put(to, fg_capture_writer_samples(to->writer, &list));
            list.sample_count = 0;
        }
        if (from == NULL) {
            break;
        }
        const struct fg_trace_track *track = fg_trace_track(to->trace, from->track);
        list.track = from->track;
        list.clock = track != NULL ? track->clock : 0;
        cut += from->frame_count > STACK_DEPTH_MAX;
        samples[list.sample_count++] =
            (struct fg_cap_sample){ from->time_ns, stack_id(&stacks, from), from->weight };
    }
    fgi_to_sgpt_lacks(to, "outer calls of very deep stacks", cut);
    fgi_map64_finish(&stacks.ids);
    fgi_free(to->allocator, samples, ITEMS_OF_A_RECORD * sizeof *samples);
}

/* ---- resources ------------------------------------------------------------------------------- */

static struct fg_cap_resource_event event_of(struct fgi_to_sgpt *to,
                                             const struct fg_trace_object_event *from)
{
    return (struct fg_cap_resource_event){
        .ticks = from->time_ns,
        .kind = from->kind,
        .resource = fg_trace_object(to->trace, from->object)->id,
        .frame = fgi_to_sgpt_frame(to, from->frame),
        .name = fgi_to_sgpt_symbol(to, from->name),
        .type = fgi_to_sgpt_symbol(to, from->type),
        .heap = FG_CAP_NONE,
        .size_bytes = from->size_bytes,
    };
}

static void add_detail(struct fg_cap_resource_events *list, struct fg_cap_resource_detail *details,
                       const struct fg_trace_object_event *from)
{
    bool is_said = from->accuracy != FG_TRACE_ACCURACY_UNKNOWN || from->format != 0 ||
                   from->width != 0 || from->height != 0 || from->depth != 0 ||
                   from->mip_count != 0 || from->layer_count != 0;
    if (is_said) {
        details[list->detail_count++] = (struct fg_cap_resource_detail){
            .event = (uint32_t)list->event_count,
            .format = from->format,
            .width = from->width,
            .height = from->height,
            .depth = from->depth,
            .mip_count = from->mip_count,
            .layer_count = from->layer_count,
            .accuracy = (uint32_t)from->accuracy,
        };
    }
}

/* By object: their numbers follow from the order in which they are first heard of. */
void fgi_to_sgpt_objects(struct fgi_to_sgpt *to)
{
    struct fg_cap_resource_event *events = items(to, sizeof *events);
    struct fg_cap_resource_detail *details = items(to, sizeof *details);
    struct fg_cap_resource_events list = { .events = events, .details = details };
    const struct fg_trace_object_event *from;
    for (uint32_t i = 0; to->result == FG_OK; i++) {
        from = fg_trace_object_event(to->trace, i);
        if (list.event_count == ITEMS_OF_A_RECORD || (from == NULL && list.event_count > 0)) {
            (void)fgi_to_sgpt_put(to, fg_capture_writer_resource_events(to->writer, &list));
            list.event_count = list.detail_count = 0;
        }
        if (from == NULL) {
            break;
        }
        add_detail(&list, details, from);
        events[list.event_count++] = event_of(to, from);
    }
    fgi_free(to->allocator, events, ITEMS_OF_A_RECORD * sizeof *events);
    fgi_free(to->allocator, details, ITEMS_OF_A_RECORD * sizeof *details);
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static uint32_t family_of(uint32_t family)
{
    switch (family) {
    case FG_DEPENDENCY_SEMAPHORE:
        return FG_CAP_DEPENDENCY_SEMAPHORE;
    case FG_DEPENDENCY_FENCE:
        return FG_CAP_DEPENDENCY_FENCE;
    case FG_DEPENDENCY_QUEUE:
        return FG_CAP_DEPENDENCY_QUEUE;
    case FG_DEPENDENCY_DATA:
        return FG_CAP_DEPENDENCY_RESOURCE;
    case FG_DEPENDENCY_FLOW:
        return FG_CAP_DEPENDENCY_FLOW;
    case FG_DEPENDENCY_SUBMIT:
        return FG_CAP_DEPENDENCY_SUBMIT;
    default:
        return FG_CAP_DEPENDENCY_OTHER;
    }
}

static bool link_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_trace *trace = context;
    uint32_t source_a = fgi_link_source(trace, a), source_b = fgi_link_source(trace, b);
    return source_a != source_b ? source_a < source_b
                                : fgi_link_target(trace, a) < fgi_link_target(trace, b);
}

static void put_links(struct fgi_to_sgpt *to, uint32_t first, uint32_t count, uint32_t *order,
                      struct fg_cap_dependency *out)
{
    for (uint32_t i = 0; i < count; i++) {
        order[i] = first + i;
    }
    if (!fgi_to_sgpt_ok(to, fgi_sort_u32(to->allocator, order, count, link_before,
                                         (void *)(uintptr_t)to->trace))) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (struct fg_cap_dependency){
            .from = fgi_to_sgpt_ref(to, fgi_link_source(to->trace, order[i])),
            .to = fgi_to_sgpt_ref(to, fgi_link_target(to->trace, order[i])),
            .family = family_of(fgi_link_family(to->trace, order[i])),
            .flags = fgi_link_flags(to->trace, order[i]),
        };
    }
    const struct fg_cap_dependencies list = { out, count };
    (void)fgi_to_sgpt_put(to, fg_capture_writer_dependencies(to->writer, &list));
}

void fgi_to_sgpt_links(struct fgi_to_sgpt *to)
{
    struct fg_cap_dependency *out = items(to, sizeof *out);
    uint32_t *order = items(to, sizeof *order);
    uint32_t total = fgi_link_count(to->trace);
    for (uint32_t first = 0; first < total && to->result == FG_OK; first += ITEMS_OF_A_RECORD) {
        uint32_t left = total - first;
        put_links(to, first, left < ITEMS_OF_A_RECORD ? left : ITEMS_OF_A_RECORD, order, out);
    }
    fgi_free(to->allocator, order, ITEMS_OF_A_RECORD * sizeof *order);
    fgi_free(to->allocator, out, ITEMS_OF_A_RECORD * sizeof *out);
}
