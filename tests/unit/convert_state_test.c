/* SPDX-License-Identifier: MIT */
/* What a capture says of the program itself: zones, markers, metrics, resources, losses. */
#include "cmocka_all.h"
#include "convert_bed.h"
#include <frameglass/trace_state.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { PASSES = 1 };

static int open_bed(void **state)
{
    static struct convert_bed bed;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    *state = &bed;
    return 0;
}

static int close_bed(void **state)
{
    convert_bed_close(*state);
    return 0;
}

static struct fg_cap_block_span zone(struct convert_bed *bed, const char *name, int64_t begin,
                                     int64_t end, uint32_t depth, uint32_t flags, int64_t value)
{
    return (struct fg_cap_block_span){ .begin_ticks = begin,
                                       .end_ticks = end,
                                       .depth = depth,
                                       .name = name ? sample_symbol(&bed->sample, name) : 0,
                                       .flags = flags,
                                       .frame = FG_CAP_UNKNOWN,
                                       .object = FG_CAP_UNKNOWN,
                                       .value = value };
}

static void put_block(struct convert_bed *bed, uint32_t id, const struct fg_cap_block_span *spans,
                      size_t count)
{
    const struct fg_cap_span_block block = { .id = id,
                                             .track = SAMPLE_TRACK_CPU,
                                             .clock = SAMPLE_CLOCK_HOST,
                                             .spans = spans,
                                             .span_count = count };
    assert_int_equal(fg_capture_writer_span_block(bed->sample.writer, &block), FG_OK);
}

static const struct fg_trace_instant *instant_called(const struct convert_bed *bed,
                                                     const char *name)
{
    const struct fg_trace_instant *instant;
    for (uint32_t i = 0; (instant = fg_trace_instant(bed->trace, i)) != NULL; i++) {
        if (strcmp(fg_trace_text(bed->trace, instant->name), name) == 0) {
            return instant;
        }
    }
    return NULL;
}

static bool text_is(const struct convert_bed *bed, uint32_t id, const char *text)
{
    return strcmp(fg_trace_text(bed->trace, id), text) == 0;
}

/* ---- zones and markers ----------------------------------------------------------------------- */

#define MARK (FG_CAP_BLOCK_SPAN_INSTANT)
#define LOSS (FG_CAP_BLOCK_SPAN_INSTANT | FG_CAP_BLOCK_SPAN_LOSS)

static void a_zone_ended_by_force_is_unfinished_and_keeps_its_end(void **state)
{
    struct convert_bed *bed = *state;
    struct fg_trace_info info;
    struct fg_trace_span span;
    const struct fg_cap_block_span spans[] = {
        zone(bed, "outer", 100, 900, 0, 0, 0),
        zone(bed, "forced", 200, 900, 1, FG_CAP_BLOCK_SPAN_FORCED, 0),
        zone(bed, "open", 950, 950, 0, FG_CAP_BLOCK_SPAN_UNFINISHED, 0),
        zone(bed, "with value", 1000, 1010, 1, 0, -7),
    };
    put_block(bed, 1, spans, COUNT(spans));
    convert_bed_load(bed, true);
    fg_trace_get_info(bed->trace, &info);
    assert_int_equal(info.unfinished, 2);
    assert_int_equal(info.end_ns, 1010); /* of complete ones */
    assert_int_not_equal(convert_bed_find(bed, "forced", 0, &span), FG_NONE);
    assert_int_equal(span.status, FG_SPAN_FORCED);
    assert_int_equal(span.end_ns, 900);
    assert_int_equal(span.depth, 1);
    assert_int_not_equal(convert_bed_find(bed, "open", 0, &span), FG_NONE);
    assert_int_equal(span.status, FG_SPAN_UNFINISHED);
    uint32_t row = convert_bed_find(bed, "with value", 0, &span);
    struct fg_trace_arg arg;
    uint32_t count = 0;
    assert_int_equal(fg_trace_span_args(bed->trace, row, &arg, 1, &count), FG_OK);
    assert_int_equal(count, 1);
    assert_true(text_is(bed, arg.key, "value"));
    assert_int_equal(arg.value.integer, -7);
    /* Neither has a time of its own: statistics leave them out. */
    struct fg_stats_reply stats;
    assert_int_equal(fg_query_stats(bed->query, &(struct fg_stats_request){ 0 }, &stats), FG_OK);
    for (uint32_t i = 0; i < stats.count; i++) {
        bool is_one =
            text_is(bed, stats.rows[i].name, "forced") || text_is(bed, stats.rows[i].name, "open");
        assert_int_equal(stats.rows[i].count, is_one ? 0 : 1);
        assert_int_equal(stats.rows[i].unfinished, is_one ? 1 : 0);
    }
}

static void markers_have_values_and_malformed_ends_are_told(void **state)
{
    struct convert_bed *bed = *state;
    const struct fg_cap_block_span spans[] = {
        zone(bed, "level loaded", 10, 10, 0, MARK, INT64_MIN),
        zone(bed, "plain", 20, 20, 0, MARK, 0),
        zone(bed, NULL, 30, 30, 0, MARK | FG_CAP_BLOCK_SPAN_MALFORMED, 25),
    };
    put_block(bed, 1, spans, COUNT(spans));
    convert_bed_load(bed, true);
    const struct fg_trace_instant *mark = instant_called(bed, "level loaded");
    assert_true(mark->has_value && mark->value == INT64_MIN && !mark->is_loss);
    assert_false(instant_called(bed, "plain")->has_value);
    mark = instant_called(bed, "malformed zone");
    assert_true(text_is(bed, mark->category, "malformed"));
    assert_int_equal(mark->time_ns, 30);
}

static void what_says_no_frame_belongs_to_that_of_its_time(void **state)
{
    struct convert_bed *bed = *state;
    struct fg_trace_span span;
    struct fg_cap_frame frame = { .topology = FG_CAP_NONE,
                                  .clock = SAMPLE_CLOCK_HOST,
                                  .track = SAMPLE_TRACK_CPU,
                                  .submit_ticks = FG_CAP_UNKNOWN,
                                  .wait_ticks = FG_CAP_UNKNOWN,
                                  .present_wait_ticks = FG_CAP_UNKNOWN,
                                  .recorder_ns = FG_CAP_UNKNOWN };
    for (uint64_t i = 0; i < 3; i++) {
        frame.frame = 40 + i;
        frame.begin_ticks = 1000 * (i + 1);
        frame.end_ticks = frame.begin_ticks + 500;
        assert_int_equal(fg_capture_writer_frame(bed->sample.writer, &frame), FG_OK);
    }
    const struct fg_cap_block_span spans[] = {
        zone(bed, "before", 999, 1100, 0, 0, 0),   zone(bed, "in 40", 1000, 9000, 1, 0, 0),
        zone(bed, "between", 1500, 1600, 1, 0, 0), zone(bed, "in 42", 3499, 3500, 1, 0, 0),
        zone(bed, "in 41", 3600, 3600, 1, 0, 0),
    };
    struct fg_cap_block_span told[COUNT(spans)];
    memcpy(told, spans, sizeof told);
    told[4].frame = 41; /* what is said is believed */
    put_block(bed, 1, told, COUNT(told));
    convert_bed_load(bed, true);
    static const struct {
        const char *name;
        uint32_t frame;
    } wanted[] = { { "before", FG_NONE },
                   { "in 40", 0 },
                   { "between", FG_NONE },
                   { "in 42", 2 },
                   { "in 41", 1 } };
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_int_not_equal(convert_bed_find(bed, wanted[i].name, 0, &span), FG_NONE);
        assert_int_equal(span.frame, wanted[i].frame);
    }
    /* A frame without GPU passes beside a GPU: what it did there is not known, and inferred. */
    const struct fg_frame_row *rows;
    uint32_t count;
    assert_int_equal(fg_query_frames(bed->query, 0, 3, &rows, &count), FG_OK);
    assert_int_equal(count, 3);
    assert_int_equal(rows[0].cpu_ns, 500);
    assert_int_equal(rows[0].gpu_ns, -1);
    assert_int_equal(rows[0].verdict, FG_VERDICT_GPU); /* it worked 500 of 1000 */
    assert_int_equal(rows[0].flags & FG_FRAME_INFERRED, FG_FRAME_INFERRED);
}

/* ---- rings ----------------------------------------------------------------------------------- */

static void zones_told_at_their_ends_nest(void **state)
{
    struct convert_bed *bed = *state;
    struct fg_trace_span span;
    uint32_t inner = sample_symbol(&bed->sample, "inner");
    uint32_t middle = sample_symbol(&bed->sample, "middle");
    uint32_t outer = sample_symbol(&bed->sample, "outer");
    const struct fg_cap_event events[] = {
        { 200, inner, FG_CAP_EVENT_ZONE, 2, 100 },
        { 200, middle, FG_CAP_EVENT_ZONE_FORCED, 1, 100 },
        { 200, outer, FG_CAP_EVENT_ZONE, 0, 100 },
        { 250, 0, FG_CAP_EVENT_OBJECT_CREATED, 0, 77 },
        { 260, outer, FG_CAP_EVENT_MARK, 0, 5 },
        { 270, 0, FG_CAP_EVENT_MALFORMED, 0, 0 },
        { 280, 0, FG_CAP_EVENT_OBJECT_DESTROYED, 0, 77 },
    };
    const struct fg_cap_events first = { SAMPLE_TRACK_CPU, SAMPLE_CLOCK_HOST, 10, 4,
                                         events,           COUNT(events) };
    const struct fg_cap_events again = { SAMPLE_TRACK_CPU, SAMPLE_CLOCK_HOST, 12, 9,
                                         events + 2,       COUNT(events) - 2 };
    assert_int_equal(fg_capture_writer_events(bed->sample.writer, &first), FG_OK);
    assert_int_equal(fg_capture_writer_events(bed->sample.writer, &again), FG_OK);
    convert_bed_load(bed, true);
    uint32_t row = convert_bed_find(bed, "outer", 0, &span);
    assert_int_equal(span.depth, 0);
    assert_int_equal(convert_bed_find(bed, "outer", 1, &span), FG_NONE);
    uint32_t next = convert_bed_find(bed, "middle", 0, &span);
    assert_true(span.parent == row && span.depth == 1 && span.status == FG_SPAN_FORCED);
    (void)convert_bed_find(bed, "inner", 0, &span);
    assert_true(span.parent == next && span.depth == 2 && span.status == FG_SPAN_COMPLETE);
    assert_int_equal(instant_called(bed, "outer")->value, 5);
    assert_non_null(instant_called(bed, "malformed zone"));
    assert_int_equal(fg_trace_object(bed->trace, 0)->id, 77);
    assert_int_equal(fg_trace_object(bed->trace, 0)->made_ns, 250);
    assert_int_equal(fg_trace_object(bed->trace, 0)->gone_ns, 280);
    /* The second writing says nothing new, but that five events more were lost by its end. */
    assert_int_equal(fg_trace_gap(bed->trace, 0)->count, 4);
    assert_int_equal(fg_trace_gap(bed->trace, 0)->time_ns, 200);
    assert_int_equal(fg_trace_gap(bed->trace, 1)->count, 5);
    assert_int_equal(fg_trace_gap(bed->trace, 1)->time_ns, 280);
    assert_int_equal(fg_trace_gap(bed->trace, 1)->since_ns, 200);
    assert_int_equal(convert_bed_losses(bed, "ring full"), 9);
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void losses_are_marks_and_sums_and_never_overflow(void **state)
{
    struct convert_bed *bed = *state;
    const struct fg_cap_block_span spans[] = {
        zone(bed, NULL, 100, 100, 0, LOSS, INT64_MAX),
        zone(bed, NULL, 200, 200, 0, LOSS, INT64_MAX),
        zone(bed, NULL, 300, 300, 0, LOSS, INT64_MAX),
        zone(bed, NULL, 400, 400, 0, LOSS, 0),
        zone(bed, NULL, 500, 500, 0, FG_CAP_BLOCK_SPAN_LOSS, INT64_MIN),
        zone(bed, NULL, 600, 600, 0, FG_CAP_BLOCK_SPAN_LOSS, 2),
    };
    struct fg_trace_info info;
    put_block(bed, 1, spans, COUNT(spans));
    const struct fg_cap_events ring = {
        SAMPLE_TRACK_QUEUE, SAMPLE_CLOCK_HOST, 0, UINT64_MAX, NULL, 0
    };
    assert_int_equal(fg_capture_writer_events(bed->sample.writer, &ring), FG_OK);
    convert_bed_load(bed, true);
    fg_trace_get_info(bed->trace, &info);
    assert_int_equal(info.gaps, 5);
    assert_int_equal(info.track_losses, 2);
    assert_true(fg_trace_track_loss(bed->trace, 0)->count == UINT64_MAX - 1);
    assert_int_equal(fg_trace_track_loss(bed->trace, 0)->gap_count, 4);
    assert_int_equal(fg_trace_track_loss(bed->trace, 0)->first_ns, 100);
    assert_int_equal(fg_trace_track_loss(bed->trace, 0)->last_ns, 600);
    assert_true(fg_trace_track_loss(bed->trace, 1)->count == INT64_MAX);
    assert_int_equal(convert_bed_repairs(bed, "loss_without_count"), 2);
    assert_int_equal(convert_bed_repairs(bed, "clamped_loss"), 1);
    assert_true(convert_bed_losses(bed, "ring full") >= UINT64_MAX - 1);
    assert_true(fg_trace_loss_counter(bed->trace, FG_TRACE_PRODUCER_DROPS) == UINT64_MAX - 1);
    assert_true(text_is(bed, instant_called(bed, "events lost")->category, "loss"));
}

static void a_loss_counter_is_known_when_the_summary_lists_it(void **state)
{
    struct convert_bed *bed = *state;
    const struct fg_cap_drop drops[] = { { FG_CAP_DROP_RING_FULL, 0 },
                                         { FG_CAP_DROP_MALFORMED_ZONE, 2 },
                                         { FG_CAP_DROP_OVERWRITTEN, 12 },
                                         { FG_CAP_DROP_METRIC_REFUSED, UINT64_MAX },
                                         { 4711, 1 } };
    const struct fg_cap_summary summary = { .drops = drops, .drop_count = COUNT(drops) };
    assert_int_equal(fg_capture_writer_summary(bed->sample.writer, &summary), FG_OK);
    convert_bed_load(bed, true);
    assert_int_equal(fg_trace_loss_counter(bed->trace, FG_TRACE_PRODUCER_DROPS), 0);
    assert_int_equal(fg_trace_loss_counter(bed->trace, FG_TRACE_MALFORMED_ZONES), 2);
    assert_int_equal(fg_trace_loss_counter(bed->trace, FG_TRACE_OVERWRITTEN), 12);
    assert_true(fg_trace_loss_counter(bed->trace, FG_TRACE_REFUSED_METRICS) == UINT64_MAX - 1);
    assert_true(fg_trace_loss_counter(bed->trace, FG_TRACE_SOURCE_FAILURES) == UINT64_MAX);
    assert_true(fg_trace_loss_counter(bed->trace, FG_TRACE_LOSS_COUNTERS) == UINT64_MAX);
    assert_null(fg_trace_loss_counter_name(FG_TRACE_LOSS_COUNTERS));
    /* What the process's history forgot is no loss of the capture. */
    assert_int_equal(convert_bed_losses(bed, "malformed zone"), 2);
    assert_int_equal(convert_bed_losses(bed, "unknown reason"), 1);
    struct fg_trace_info info;
    fg_trace_get_info(bed->trace, &info);
    assert_int_equal(info.losses, 3);
}

/* ---- metrics --------------------------------------------------------------------------------- */

static void put_metric(struct convert_bed *bed, uint32_t id, uint32_t kind, uint32_t name,
                       uint32_t accuracy)
{
    const struct fg_cap_metric metric = { .id = id,
                                          .kind = kind,
                                          .track = FG_CAP_NONE,
                                          .name = name,
                                          .unit = sample_symbol(&bed->sample, "bytes"),
                                          .description = sample_symbol(&bed->sample, "what it is"),
                                          .accuracy = accuracy };
    assert_int_equal(fg_capture_writer_metric(bed->sample.writer, &metric), FG_OK);
}

static void put_sample(struct convert_bed *bed, uint32_t metric, int64_t ticks,
                       struct fg_cap_value value)
{
    const struct fg_cap_metric_sample sample = { ticks, value };
    const struct fg_cap_metric_samples list = { metric, SAMPLE_CLOCK_HOST, &sample, 1 };
    assert_int_equal(fg_capture_writer_metric_samples(bed->sample.writer, &list), FG_OK);
}

static void metrics_say_what_they_are_and_unknown_is_not_zero(void **state)
{
    struct convert_bed *bed = *state;
    static const char markup[] = "<b onclick=\"x\">\xff\xfe</b>";
    uint32_t broken = 0;
    assert_int_equal(
        fg_capture_writer_symbol(bed->sample.writer, markup, sizeof markup - 1, &broken), FG_OK);
    put_metric(bed, 9, FG_CAP_METRIC_GAUGE, broken, FG_CAP_ACCURACY_ESTIMATED);
    put_metric(bed, 3, FG_CAP_METRIC_COUNTER, sample_symbol(&bed->sample, "never"),
               FG_CAP_ACCURACY_UNAVAILABLE);
    put_metric(bed, 4, FG_CAP_METRIC_FRAME, sample_symbol(&bed->sample, "frame's"), 0);
    put_metric(bed, 5, 1234, sample_symbol(&bed->sample, "both"), 99);
    put_sample(bed, 9, 100, (struct fg_cap_value){ .i = -3 });
    put_sample(bed, 9, 200, (struct fg_cap_value){ .kind = FG_CAP_VALUE_UINT, .u = UINT64_MAX });
    put_sample(bed, 5, 100, (struct fg_cap_value){ .i = 1 });
    put_sample(bed, 5, 100, (struct fg_cap_value){ .kind = FG_CAP_VALUE_F64, .f = 0.5 });
    const struct fg_cap_counter counters[] = {
        { sample_symbol(&bed->sample, "frame's"),
          sample_symbol(&bed->sample, "bytes"),
          { .i = 12 } },
        { sample_symbol(&bed->sample, "application's"), 0, { .i = 13 } },
    };
    const struct fg_cap_frame frame = { .topology = FG_CAP_NONE,
                                        .clock = SAMPLE_CLOCK_HOST,
                                        .track = SAMPLE_TRACK_CPU,
                                        .submit_ticks = FG_CAP_UNKNOWN,
                                        .wait_ticks = FG_CAP_UNKNOWN,
                                        .present_wait_ticks = FG_CAP_UNKNOWN,
                                        .recorder_ns = FG_CAP_UNKNOWN,
                                        .counters = counters,
                                        .counter_count = COUNT(counters) };
    assert_int_equal(fg_capture_writer_frame(bed->sample.writer, &frame), FG_OK);
    convert_bed_load(bed, true);

    struct fg_trace_info info;
    struct fg_counter_figures figures;
    fg_trace_get_info(bed->trace, &info);
    assert_int_equal(info.metrics, 6); /* four, the second numbers of one, and a counter of none */
    const struct fg_trace_metric *metric = fg_trace_metric(bed->trace, 0);
    assert_true(text_is(bed, metric->name, "<b onclick=\"x\">\xEF\xBF\xBD\xEF\xBF\xBD</b>"));
    assert_true(text_is(bed, metric->unit, "bytes"));
    assert_true(text_is(bed, metric->description, "what it is"));
    assert_int_equal(metric->kind, FG_TRACE_GAUGE);
    assert_int_equal(metric->accuracy, FG_TRACE_ESTIMATED);
    assert_int_equal(fg_trace_counter_figures(bed->trace, metric->counter, 0, 0, &figures), FG_OK);
    assert_true(figures.last.integer == INT64_MAX && figures.low.integer == -3);
    assert_int_equal(convert_bed_repairs(bed, "clamped_counter"), 1);
    /* In a window: what came in it, and what holds at its end. */
    assert_int_equal(fg_trace_counter_figures(bed->trace, metric->counter, 101, 200, &figures),
                     FG_OK);
    assert_int_equal(figures.count, 0);
    assert_true(figures.has_last && figures.last.integer == -3 && figures.last_ns == 100);
    assert_int_equal(fg_trace_counter_figures(bed->trace, metric->counter, 0, 100, &figures),
                     FG_OK);
    assert_false(figures.has_last);
    assert_int_equal(fg_trace_counter_figures(bed->trace, metric->counter, 5, 5, &figures),
                     FG_ERR_ARGUMENT);

    metric = fg_trace_metric(bed->trace, 1);
    assert_int_equal(metric->kind, FG_TRACE_COUNTER);
    assert_int_equal(metric->accuracy, FG_TRACE_UNAVAILABLE);
    assert_int_equal(metric->counter, FG_NONE);
    metric = fg_trace_metric(bed->trace, 2);
    assert_int_equal(metric->kind, FG_TRACE_FRAME_COUNTER);
    assert_int_equal(fg_trace_counter_figures(bed->trace, metric->counter, 0, 0, &figures), FG_OK);
    assert_int_equal(figures.last.integer, 12);
    metric = fg_trace_metric(bed->trace, 3);
    assert_int_equal(metric->kind, FG_TRACE_METRIC_UNKNOWN);
    assert_int_equal(metric->accuracy, FG_TRACE_ACCURACY_UNKNOWN);
    assert_false(fg_trace_counter(bed->trace, metric->counter)->is_double);
    assert_true(fg_trace_counter(bed->trace, fg_trace_metric(bed->trace, 4)->counter)->is_double);
    metric = fg_trace_metric(bed->trace, 5);
    assert_true(text_is(bed, metric->name, "application's"));
    assert_int_equal(metric->kind, FG_TRACE_METRIC_UNKNOWN);
}

/* ---- resources ------------------------------------------------------------------------------- */

static void put_events(struct convert_bed *bed, const struct fg_cap_resource_event *events,
                       size_t count, const struct fg_cap_resource_detail *details, size_t detailed)
{
    const struct fg_cap_resource_events list = { SAMPLE_CLOCK_HOST, events, count, details,
                                                 detailed };
    assert_int_equal(fg_capture_writer_resource_events(bed->sample.writer, &list), FG_OK);
}

static struct fg_cap_resource_event happens(int64_t ticks, uint32_t kind, uint64_t id,
                                            uint32_t name, uint64_t size_bytes)
{
    return (struct fg_cap_resource_event){ .ticks = ticks,
                                           .kind = kind,
                                           .resource = id,
                                           .frame = FG_CAP_UNKNOWN,
                                           .name = name,
                                           .heap = FG_CAP_NONE,
                                           .size_bytes = size_bytes };
}

static void resources_live_from_their_making_to_their_end(void **state)
{
    struct convert_bed *bed = *state;
    uint32_t albedo = sample_symbol(&bed->sample, "albedo");
    uint32_t other = sample_symbol(&bed->sample, "other");
    const struct fg_cap_resource_event events[] = {
        happens(10, FG_CAP_RESOURCE_LIVES, 1, other, 50),
        happens(100, FG_CAP_RESOURCE_CREATED, 7, albedo, 364),
        happens(110, FG_CAP_RESOURCE_CREATED, 7, albedo, 364), /* said again: nothing new */
        happens(120, FG_CAP_RESOURCE_RENAMED, 7, other, FG_CAP_UNKNOWN),
        happens(130, FG_CAP_RESOURCE_RESIZED, 7, 0, 512),
        happens(140, FG_CAP_RESOURCE_DESTROYED, 7, 0, FG_CAP_UNKNOWN),
        happens(150, FG_CAP_RESOURCE_DESTROYED, 7, 0, FG_CAP_UNKNOWN),    /* twice */
        happens(160, FG_CAP_RESOURCE_CREATED, 7, albedo, FG_CAP_UNKNOWN), /* the id again */
        happens(170, FG_CAP_RESOURCE_DESTROYED, 8, 0, FG_CAP_UNKNOWN),    /* never seen before */
        happens(180, 999, 1, 0, FG_CAP_UNKNOWN),
        happens(175, FG_CAP_RESOURCE_DESTROYED, 1, 0, FG_CAP_UNKNOWN), /* before the last */
    };
    const struct fg_cap_resource_detail details[] = {
        { 1, 37, 13, 7, 1, 3, 6, FG_CAP_ACCURACY_ESTIMATED },
    };
    struct fg_trace_info info;
    put_events(bed, events, COUNT(events), details, COUNT(details));
    convert_bed_load(bed, true);
    fg_trace_get_info(bed->trace, &info);
    assert_int_equal(info.objects, 4);
    assert_int_equal(info.live_objects, 1);
    assert_int_equal(convert_bed_repairs(bed, "resource_event_after_end"), 1);
    assert_int_equal(convert_bed_repairs(bed, "resource_event_before_the_last"), 1);
    const struct fg_trace_object *object = fg_trace_object(bed->trace, 0);
    assert_true(object->id == 1 && object->made_ns == FG_TIME_MIN && object->gone_ns == 180);
    assert_int_equal(object->event_count, 3);
    object = fg_trace_object(bed->trace, 1);
    assert_true(object->id == 7 && object->made_ns == 100 && object->gone_ns == 140);
    assert_int_equal(object->event_count, 4);
    const struct fg_trace_object_event *known = fg_trace_object_at(bed->trace, 1, 120);
    assert_true(text_is(bed, known->name, "albedo"));
    assert_true(known->format == 37 && known->width == 13 && known->height == 7);
    assert_true(known->depth == 1 && known->mip_count == 3 && known->layer_count == 6);
    assert_int_equal(known->accuracy, FG_TRACE_ESTIMATED);
    known = fg_trace_object_at(bed->trace, 1, 131);
    assert_true(text_is(bed, known->name, "other")); /* stays what it was */
    assert_int_equal(known->size_bytes, 512);
    assert_int_equal(known->width, 13);
    object = fg_trace_object(bed->trace, 2);
    assert_true(object->id == 7 && object->made_ns == 160 && object->gone_ns == INT64_MAX);
    object = fg_trace_object(bed->trace, 3);
    assert_true(object->id == 8 && object->made_ns == FG_TIME_MIN && object->gone_ns == 170);
    assert_null(fg_trace_object_at(bed->trace, 4, 0));

    struct fg_object_sum sums[FG_OBJECT_SETS];
    fg_trace_object_sums(bed->trace, 100, 135, sums);
    assert_int_equal(sums[FG_OBJECTS_LIVE].count, 3);
    assert_int_equal(sums[FG_OBJECTS_LIVE].size_bytes, 562);
    assert_int_equal(sums[FG_OBJECTS_LIVE].unknown_count, 1);
    assert_int_equal(sums[FG_OBJECTS_MADE].count, 1);
    assert_int_equal(sums[FG_OBJECTS_GONE].count, 0);
    assert_int_equal(sums[FG_OBJECTS_GONE].size_bytes, 0);
    fg_trace_object_sums(bed->trace, FG_TIME_MIN, INT64_MAX, sums);
    assert_int_equal(sums[FG_OBJECTS_LIVE].count, 1);
    assert_true(sums[FG_OBJECTS_LIVE].size_bytes == UINT64_MAX); /* nothing of it is known */
    assert_int_equal(sums[FG_OBJECTS_MADE].count, 2);
    assert_int_equal(sums[FG_OBJECTS_GONE].count, 3);
    assert_int_equal(sums[FG_OBJECTS_MADE_AND_LIVE].count, 1);
}

static void sums_of_sizes_saturate_and_recover(void **state)
{
    struct convert_bed *bed = *state;
    const struct fg_cap_resource_event events[] = {
        happens(10, FG_CAP_RESOURCE_CREATED, 1, 0, UINT64_MAX - 1),
        happens(20, FG_CAP_RESOURCE_CREATED, 2, 0, UINT64_MAX - 1),
        happens(30, FG_CAP_RESOURCE_CREATED, 3, 0, 5),
        happens(40, FG_CAP_RESOURCE_DESTROYED, 1, 0, FG_CAP_UNKNOWN),
        happens(50, FG_CAP_RESOURCE_RESIZED, 2, 0, 4),
        happens(60, FG_CAP_RESOURCE_DESTROYED, 3, 0, FG_CAP_UNKNOWN),
    };
    struct fg_object_point points[] = { { .time_ns = 10 },
                                        { .time_ns = 21 },
                                        { .time_ns = 41 },
                                        { .time_ns = 51 },
                                        { .time_ns = 61 } };
    struct fg_object_point peak;
    put_events(bed, events, COUNT(events), NULL, 0);
    convert_bed_load(bed, true);
    fg_trace_object_growth(bed->trace, points, COUNT(points), INT64_MAX, &peak);
    assert_int_equal(points[0].live.count, 0);
    assert_int_equal(points[0].live.size_bytes, 0);
    assert_true(points[1].live.size_bytes == FG_OBJECT_BYTES_MAX);
    assert_true(points[2].live.size_bytes == FG_OBJECT_BYTES_MAX);
    assert_int_equal(points[3].live.size_bytes, 9);
    assert_int_equal(points[4].live.size_bytes, 4);
    assert_true(peak.live.size_bytes == FG_OBJECT_BYTES_MAX && peak.time_ns == 10);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static void the_processors_counter_is_placed_like_a_device(void **state)
{
    struct convert_bed *bed = *state;
    struct fg_trace_span span;
    const struct fg_cap_reading readings[] = { { 3000, 1000, 40 }, { 6000, 2000, 30 } };
    const struct fg_cap_clock clock = { .id = 5,
                                        .kind = 1,
                                        .domain = FG_CAP_DOMAIN_CALIBRATED,
                                        .host_clock = SAMPLE_CLOCK_HOST,
                                        .name = sample_symbol(&bed->sample, "ticks"),
                                        .period_num = 1,
                                        .period_den = 3,
                                        .valid_bits = 64,
                                        .readings = readings,
                                        .reading_count = COUNT(readings) };
    const struct fg_cap_block_span spans[] = { zone(bed, "zone", 3300, 4500, 0, 0, 0) };
    const struct fg_cap_span_block block = {
        .id = 1, .track = SAMPLE_TRACK_CPU, .clock = 5, .spans = spans, .span_count = 1
    };
    assert_int_equal(fg_capture_writer_clock(bed->sample.writer, &clock), FG_OK);
    assert_int_equal(fg_capture_writer_span_block(bed->sample.writer, &block), FG_OK);
    convert_bed_load(bed, true);
    uint32_t row = convert_bed_find(bed, "zone", 0, &span);
    assert_int_equal(span.start_ns, 1100);
    assert_int_equal(span.end_ns, 1500);
    struct fg_span_detail detail;
    assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    assert_int_equal(detail.clock_kind, FG_CLOCK_CALIBRATED);
    assert_int_equal(detail.bound_ns, 40);
    /* The thread has the track that something is on, and no empty one on the host's clock. */
    const struct fg_trace_track *track;
    unsigned threads = 0;
    for (uint32_t i = 0; (track = fg_trace_track(bed->trace, i)) != NULL; i++) {
        threads += track->kind == FG_TRACK_THREAD;
    }
    assert_int_equal(threads, 1);
}

int main(void)
{
#define ON_BED(test) cmocka_unit_test_setup_teardown(test, open_bed, close_bed)
    const struct CMUnitTest tests[] = {
        ON_BED(a_zone_ended_by_force_is_unfinished_and_keeps_its_end),
        ON_BED(markers_have_values_and_malformed_ends_are_told),
        ON_BED(what_says_no_frame_belongs_to_that_of_its_time),
        ON_BED(zones_told_at_their_ends_nest),
        ON_BED(losses_are_marks_and_sums_and_never_overflow),
        ON_BED(a_loss_counter_is_known_when_the_summary_lists_it),
        ON_BED(metrics_say_what_they_are_and_unknown_is_not_zero),
        ON_BED(resources_live_from_their_making_to_their_end),
        ON_BED(sums_of_sizes_saturate_and_recover),
        ON_BED(the_processors_counter_is_placed_like_a_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
