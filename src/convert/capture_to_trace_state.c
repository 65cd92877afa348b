/* SPDX-License-Identifier: MIT */
/* Metrics, resources and losses: what a capture says of the program beside its frames. */
#include "convert/capture_to_trace_state.h"
#include "convert/capture_to_trace_priv.h"

/* ---- metrics --------------------------------------------------------------------------------- */

static const struct fg_cap_metric *find_metric(const struct fgi_conversion *c, uint32_t id)
{
    for (size_t i = 0; i < c->metrics.count; i++) {
        if (c->metrics.items[i].id == id) {
            return &c->metrics.items[i];
        }
    }
    return NULL;
}

void fgi_convert_metric(struct fgi_conversion *c, const struct fg_cap_metric *metric)
{
    for (size_t i = 0; i < c->metrics.count; i++) {
        if (c->metrics.items[i].id == metric->id) {
            c->metrics.items[i] = *metric;
            return;
        }
    }
    (void)FGI_PUT(c, c->metrics, *metric);
}

void fgi_convert_metric_samples(struct fgi_conversion *c,
                                const struct fg_cap_metric_samples *samples)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, samples->clock);
    const struct fg_cap_metric *metric = find_metric(c, samples->metric);
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

static enum fg_trace_metric_kind kind_of(uint32_t kind)
{
    switch (kind) {
    case FG_CAP_METRIC_GAUGE:
        return FG_TRACE_GAUGE;
    case FG_CAP_METRIC_COUNTER:
        return FG_TRACE_COUNTER;
    case FG_CAP_METRIC_DELTA:
        return FG_TRACE_DELTA;
    case FG_CAP_METRIC_FRAME:
        return FG_TRACE_FRAME_COUNTER;
    default:
        return FG_TRACE_METRIC_UNKNOWN;
    }
}

static enum fg_trace_accuracy accuracy_of(uint32_t accuracy)
{
    return accuracy <= FG_CAP_ACCURACY_UNAVAILABLE ? (enum fg_trace_accuracy)accuracy
                                                   : FG_TRACE_ACCURACY_UNKNOWN;
}

static void put_metric(struct fgi_conversion *c, const struct fg_cap_metric *from, uint32_t counter)
{
    struct fg_trace_metric metric = {
        .kind = kind_of(from->kind),
        .accuracy = accuracy_of(from->accuracy),
        .counter = counter,
    };
    metric.name = fgi_convert_symbol(c, from->name);
    metric.unit = fgi_convert_symbol(c, from->unit);
    metric.description = fgi_convert_symbol(c, from->description);
    (void)fgi_builder_metric(c->builder, &metric);
}

void fgi_convert_metrics(struct fgi_conversion *c)
{
    /* One whose samples are of both kinds of numbers has two counters: the second comes last. */
    for (int second = 0; second < 2; second++) {
        for (size_t i = 0; i < c->metrics.count; i++) {
            const struct fg_cap_metric *metric = &c->metrics.items[i];
            uint32_t name = fgi_convert_symbol(c, metric->name);
            uint32_t whole = fgi_convert_counter_find(c, name, metric->track, false);
            uint32_t real = fgi_convert_counter_find(c, name, metric->track, true);
            if (!second) {
                put_metric(c, metric, whole != FG_NONE ? whole : real);
            } else if (whole != FG_NONE && real != FG_NONE) {
                put_metric(c, metric, real);
            }
        }
    }
}

/* ---- resources ------------------------------------------------------------------------------- */

static void put_resource_mark(struct fgi_conversion *c, const struct fg_cap_resource_event *event,
                              const struct fg_trace_object_event *said)
{
    static const char *const words[] = { "resource created",  "resource destroyed",
                                         "resource bound",    "resource resized",
                                         "resource uploaded", "resource evicted",
                                         "resource renamed",  "resource lives" };
    const char *word =
        event->kind < sizeof words / sizeof *words ? words[event->kind] : "resource event";
    struct fg_trace_instant mark = {
        .time_ns = said->time_ns,
        .track = FG_NONE,
        .name = said->name,
        .category = fgi_builder_cstr(c->builder, word),
        .frame = said->frame,
        .has_value = event->size_bytes <= INT64_MAX,
        .value = event->size_bytes <= INT64_MAX ? (int64_t)event->size_bytes : 0,
    };
    (void)fgi_builder_instant(c->builder, &mark);
}

void fgi_convert_resource_events(struct fgi_conversion *c,
                                 const struct fg_cap_resource_events *events)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, events->clock);
    size_t detail = 0;
    bool is_foreign = fgi_convert_is_foreign(c, events->clock);
    for (size_t i = 0; i < events->event_count; i++) {
        const struct fg_cap_resource_event *event = &events->events[i];
        int64_t time_ns = fgi_clock_axis_ns(clock, (uint64_t)event->ticks);
        struct fg_trace_object_event said = {
            .time_ns = time_ns,
            .kind = event->kind,
            .frame = event->frame != FG_CAP_UNKNOWN ? fgi_convert_frame_index(c, event->frame)
                                                    : fgi_convert_frame_at(c, time_ns),
            .size_bytes = event->size_bytes,
            .accuracy = FG_TRACE_ACCURACY_UNKNOWN,
        };
        said.name = fgi_convert_symbol(c, event->name);
        said.type = fgi_convert_symbol(c, event->type);
        if (detail < events->detail_count && events->details[detail].event == i) {
            const struct fg_cap_resource_detail *more = &events->details[detail++];
            said.accuracy = accuracy_of(more->accuracy);
            said.format = more->format;
            said.width = more->width;
            said.height = more->height;
            said.depth = more->depth;
            said.mip_count = more->mip_count;
            said.layer_count = more->layer_count;
        }
        /* What was there before is no event of its time; a converted trace has its own instants. */
        if (event->kind != FG_CAP_RESOURCE_LIVES && !is_foreign) {
            put_resource_mark(c, event, &said);
        }
        fgi_builder_object_event(c->builder, event->resource, &said);
    }
}

/* ---- losses ---------------------------------------------------------------------------------- */

static uint32_t slot_of(uint32_t reason)
{
    return reason < FGI_DROP_OTHERS ? reason : FGI_DROP_OTHERS;
}

void fgi_convert_drops(struct fgi_drops *drops, const struct fg_cap_drop *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t *sum = &drops->counts[slot_of(from[i].reason)];
        *sum = from[i].count < UINT64_MAX - *sum ? *sum + from[i].count : UINT64_MAX - 1;
        drops->is_told[slot_of(from[i].reason)] = true;
    }
}

/* What the program counts of itself. Those of its history are no losses of the capture. */
static void put_loss_counters(struct fgi_conversion *c)
{
    static const uint8_t reasons[FG_TRACE_LOSS_COUNTERS] = {
        [FG_TRACE_PRODUCER_DROPS] = FG_CAP_DROP_RING_FULL,
        [FG_TRACE_OVERWRITTEN] = FG_CAP_DROP_OVERWRITTEN,
        [FG_TRACE_DROPPED_BEFORE_START] = FG_CAP_DROP_BEFORE_START,
        [FG_TRACE_MALFORMED_ZONES] = FG_CAP_DROP_MALFORMED_ZONE,
        [FG_TRACE_MALFORMED_FRAMES] = FG_CAP_DROP_MALFORMED_FRAME,
        [FG_TRACE_SOURCE_FAILURES] = FG_CAP_DROP_SOURCE_FAILED,
        [FG_TRACE_REFUSED_METRICS] = FG_CAP_DROP_METRIC_REFUSED,
        [FG_TRACE_FRAME_COUNTERS_LEFT_OUT] = FG_CAP_DROP_COUNTER_LEFT_OUT,
        [FG_TRACE_REFUSED_OBJECTS] = FG_CAP_DROP_OBJECT_REFUSED,
    };
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        uint32_t reason = reasons[i];
        if (c->frame_drops.is_told[reason] || c->summary_drops.is_told[reason]) {
            uint64_t in_frames = c->frame_drops.counts[reason];
            uint64_t in_summary = c->summary_drops.counts[reason];
            fgi_builder_loss_counter(c->builder, (enum fg_trace_loss_counter)i,
                                     in_frames > in_summary ? in_frames : in_summary);
        }
    }
}

void fgi_convert_losses(struct fgi_conversion *c)
{
    static const char *const reasons[FGI_DROP_OTHERS + 1] = {
        [FG_CAP_DROP_OTHER] = "other",
        [FG_CAP_DROP_POOL_FULL] = "pool full",
        [FG_CAP_DROP_PASS_LIMIT] = "pass limit",
        [FG_CAP_DROP_WORK_LIMIT] = "work limit",
        [FG_CAP_DROP_NO_MEMORY] = "no memory",
        [FG_CAP_DROP_SIMULTANEOUS] = "simultaneous use",
        [FG_CAP_DROP_UNBALANCED] = "unbalanced",
        [FG_CAP_DROP_RING_FULL] = "ring full",
        [FG_CAP_DROP_NO_TIMESTAMPS] = "no timestamps",
        [FG_CAP_DROP_LATE] = "late",
        [FG_CAP_DROP_BYTE_BUDGET] = "byte budget",
        [FG_CAP_DROP_MALFORMED_ZONE] = "malformed zone",
        [FG_CAP_DROP_MALFORMED_FRAME] = "malformed frame",
        [FG_CAP_DROP_SOURCE_FAILED] = "source failed",
        [FG_CAP_DROP_METRIC_REFUSED] = "metric refused",
        [FG_CAP_DROP_OBJECT_REFUSED] = "resource refused",
        [FGI_DROP_OTHERS] = "unknown reason",
    };
    /* What tracks lost is known from where it was noticed, even when no summary came. */
    if (c->lost_events > 0) {
        fgi_convert_drops(&c->frame_drops,
                          &(struct fg_cap_drop){
                              FG_CAP_DROP_RING_FULL,
                              c->lost_events > c->frame_drops.counts[FG_CAP_DROP_RING_FULL]
                                  ? c->lost_events - c->frame_drops.counts[FG_CAP_DROP_RING_FULL]
                                  : 0 },
                          1);
    }
    put_loss_counters(c);
    for (uint32_t i = 0; i <= FGI_DROP_OTHERS; i++) {
        /* The summary counts what frames count, and what was lost outside of any frame. */
        uint64_t in_frames = c->frame_drops.counts[i];
        uint64_t in_summary = c->summary_drops.counts[i];
        uint64_t count = in_frames > in_summary ? in_frames : in_summary;
        /* The history of the process is not the capture: what it forgot may well be here. */
        bool is_of_history = i == FG_CAP_DROP_OVERWRITTEN || i == FG_CAP_DROP_BEFORE_START ||
                             i == FG_CAP_DROP_COUNTER_LEFT_OUT;
        if (count > 0 && !is_of_history && !c->foreign.is_told) {
            const char *reason = reasons[i] ? reasons[i] : reasons[FGI_DROP_OTHERS];
            fgi_builder_loss(c->builder, fgi_builder_cstr(c->builder, reason), count);
        }
    }
}
