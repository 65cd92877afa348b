/* SPDX-License-Identifier: MIT */
#include "stream_bed.h"

#include <stdlib.h>
#include <string.h>

void stream_bed_start(struct stream_bed *bed, uint32_t flags)
{
    const struct fg_session_options options = { .flags = flags };
    const char *counter_name = bed->counter_name;
    *bed = (struct stream_bed){ .counter_name = counter_name };
    assert_int_equal(fg_session_create(NULL, &options, &bed->session), FG_OK);
    assert_int_equal(fg_session_start(bed->session), FG_OK);
}

struct tracks {
    struct {
        uint32_t id;
        const char *name;
        uint64_t os_id;
    } items[256];
    size_t count;
};

static void see_track(struct tracks *tracks, const struct stream_bed *bed,
                      const struct fg_cap_track *track)
{
    size_t at = 0;
    while (at < tracks->count && tracks->items[at].id != track->id) {
        at++;
    }
    assert_true(at < 256);
    tracks->count = at == tracks->count ? at + 1 : tracks->count;
    tracks->items[at].id = track->id;
    tracks->items[at].name = fg_capture_symbol(bed->capture, track->name, NULL);
    tracks->items[at].os_id = track->os_id;
}

static void *grown(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    *capacity = *capacity != 0 ? *capacity * 2 : 1024;
    void *more = realloc(items, *capacity * size);
    assert_non_null(more);
    return more;
}

static void see_block(struct stream_bed *bed, const struct tracks *tracks,
                      const struct fg_cap_span_block *block)
{
    size_t at = 0;
    while (tracks->items[at].id != block->track) {
        at++;
    }
    for (size_t i = 0; i < block->span_count; i++) {
        const struct fg_cap_block_span *span = &block->spans[i];
        bed->lost += (span->flags & FG_CAP_BLOCK_SPAN_LOSS) != 0 ? (uint64_t)span->value : 0;
        bed->spans = grown(bed->spans, bed->span_count, &bed->span_capacity, sizeof *bed->spans);
        bed->spans[bed->span_count++] = (struct seen_span){
            .name = fg_capture_symbol(bed->capture, span->name, NULL),
            .category = fg_capture_symbol(bed->capture, span->category, NULL),
            .track = tracks->items[at].name,
            .os_id = tracks->items[at].os_id,
            .span = *span,
        };
    }
}

static void see_objects(struct stream_bed *bed, const struct fg_cap_resource_events *list)
{
    size_t detail = 0;
    for (size_t i = 0; i < list->event_count; i++) {
        bed->objects =
            grown(bed->objects, bed->object_count, &bed->object_capacity, sizeof *bed->objects);
        struct seen_object *object = &bed->objects[bed->object_count++];
        *object = (struct seen_object){
            .name = fg_capture_symbol(bed->capture, list->events[i].name, NULL),
            .type = fg_capture_symbol(bed->capture, list->events[i].type, NULL),
            .event = list->events[i],
        };
        if (detail < list->detail_count && list->details[detail].event == i) {
            object->detail = list->details[detail++];
        }
    }
}

static void see_samples(struct stream_bed *bed, const struct fg_cap_metric_samples *list)
{
    struct seen_metric *metric = &bed->metrics[list->metric - 1];
    for (size_t i = 0; i < list->sample_count; i++) {
        metric->first = metric->sample_count == 0 ? list->samples[i].value.i : metric->first;
        metric->last = list->samples[i].value.i;
        metric->sample_count++;
    }
}

static void see_frame(struct stream_bed *bed, const struct fg_cap_frame *frame)
{
    for (size_t i = 0; i < frame->counter_count && bed->counter_name != NULL; i++) {
        const char *name = fg_capture_symbol(bed->capture, frame->counters[i].name, NULL);
        bed->frame_counter += strcmp(name, bed->counter_name) == 0 ? frame->counters[i].value.i : 0;
    }
    if (bed->frame_count < 64) {
        bed->frames[bed->frame_count] = *frame;
    }
    bed->frame_count++;
}

static void see_clock(struct stream_bed *bed, const struct fg_cap_clock *clock)
{
    if (strcmp(fg_capture_symbol(bed->capture, clock->name, NULL), "ticks") != 0) {
        return;
    }
    bed->has_ticks = true;
    bed->clock = *clock;
    /* A checkpoint says the last one again. */
    for (size_t i = 0; i < clock->reading_count && clock->first_reading == bed->reading_count;
         i++) {
        bed->readings[bed->reading_count == 0 ? 0 : 1] = clock->readings[i];
        bed->reading_count++;
    }
}

static void see_record(struct stream_bed *bed, struct tracks *tracks,
                       const struct fg_capture_record *record)
{
    switch (record->type) {
    case FG_CAPTURE_CLKS:
        see_clock(bed, record->clock);
        break;
    case FG_CAPTURE_TRAK:
        see_track(tracks, bed, record->track);
        break;
    case FG_CAPTURE_SPAN:
        see_block(bed, tracks, record->span_block);
        break;
    case FG_CAPTURE_MDEF: {
        struct seen_metric *metric = &bed->metrics[record->metric->id - 1];
        metric->metric = *record->metric;
        metric->name = fg_capture_symbol(bed->capture, record->metric->name, NULL);
        metric->unit = fg_capture_symbol(bed->capture, record->metric->unit, NULL);
        break;
    }
    case FG_CAPTURE_MSMP:
        see_samples(bed, record->metric_samples);
        break;
    case FG_CAPTURE_REVT:
        see_objects(bed, record->resource_events);
        break;
    case FG_CAPTURE_FRAM:
        see_frame(bed, record->frame);
        break;
    case FG_CAPTURE_SUMM:
        for (size_t i = 0; i < record->summary->drop_count; i++) {
            bed->drops[record->summary->drops[i].reason] = record->summary->drops[i].count;
        }
        break;
    default:
        break;
    }
}

void stream_bed_read(struct stream_bed *bed)
{
    struct tracks tracks = { .count = 0 };
    struct fg_capture_record record;
    assert_int_equal(fg_session_finish(bed->session, 0), FG_OK);
    bed->view.bytes = fg_session_bytes(bed->session, &bed->view.size);
    bed->source = fg_memory_source(&bed->view);
    assert_int_equal(fg_capture_open(&bed->source, NULL, NULL, &bed->capture), FG_OK);
    for (size_t i = 0; i < sizeof bed->drops / sizeof bed->drops[0]; i++) {
        bed->drops[i] = FG_CAP_UNKNOWN;
    }
    while (fg_capture_next(bed->capture, &record) == FG_OK) {
        see_record(bed, &tracks, &record);
    }
    assert_int_equal(fg_capture_defect_count(bed->capture), 0);
}

void stream_bed_close(struct stream_bed *bed)
{
    fg_capture_close(bed->capture);
    fg_session_destroy(bed->session);
    free(bed->spans);
    free(bed->objects);
}

size_t stream_bed_count(const struct stream_bed *bed, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < bed->span_count; i++) {
        count += strcmp(bed->spans[i].name, name) == 0 ? 1 : 0;
    }
    return count;
}

const struct seen_span *stream_bed_span(const struct stream_bed *bed, const char *name)
{
    const struct seen_span *found = NULL;
    for (size_t i = 0; i < bed->span_count; i++) {
        if (strcmp(bed->spans[i].name, name) == 0) {
            assert_null(found);
            found = &bed->spans[i];
        }
    }
    if (found == NULL) {
        fail_msg("no span \"%s\"", name);
    }
    return found;
}

const struct seen_metric *stream_bed_metric(const struct stream_bed *bed, const char *name)
{
    for (size_t i = 0; i < SEEN_METRICS_MAX; i++) {
        if (bed->metrics[i].name != NULL && strcmp(bed->metrics[i].name, name) == 0) {
            return &bed->metrics[i];
        }
    }
    fail_msg("no metric \"%s\"", name);
    return NULL;
}
