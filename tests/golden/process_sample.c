/* SPDX-License-Identifier: MIT */
/* What a process says of itself: spans with values and marks, metrics, objects, ring memory. */
#include "capture_sample.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { CLOCK_TICKS = 7, TRACK_FRAMES = 3 };

static void did(struct sample *sample, enum fg_result result)
{
    sample->result = sample->result != FG_OK ? sample->result : result;
}

static void put_context(struct sample *sample)
{
    const struct fg_cap_reading readings[] = { { 9000, 3000, 20 }, { 90000, 30001, 15 } };
    const struct fg_cap_clock clock = {
        .id = CLOCK_TICKS,
        .kind = FG_CAP_CLOCK_TSC,
        .domain = FG_CAP_DOMAIN_CALIBRATED,
        .host_clock = SAMPLE_CLOCK_HOST,
        .name = sample_symbol(sample, "processor"),
        .period_num = 1,
        .period_den = 3,
        .valid_bits = 64,
        .readings = readings,
        .reading_count = COUNT(readings),
    };
    const struct fg_cap_track frames = {
        .id = TRACK_FRAMES,
        .kind = FG_CAP_TRACK_ASYNC,
        .process = FG_CAP_NONE,
        .parent = FG_CAP_NONE,
        .clock = CLOCK_TICKS,
        .name = sample_symbol(sample, "frames"),
        .os_id = FG_CAP_UNKNOWN,
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_clock(sample->writer, &clock));
        did(sample, fg_capture_writer_track(sample->writer, &frames));
    }
}

static void put_zones(struct sample *sample)
{
    const uint64_t none = FG_CAP_UNKNOWN;
    const uint32_t update = sample_symbol(sample, "Game/Update");
    const uint32_t core = sample_symbol(sample, "core");
    const struct fg_cap_block_span spans[] = {
        { 9000, 60000, 0, update, core, FG_CAP_BLOCK_SPAN_UNFINISHED, none, none, 0 },
        { 9100, 9400, 1, sample_symbol(sample, "physics"), core, FG_CAP_BLOCK_SPAN_FORCED, none,
          none, 0 },
        { 9200, 9200, 2, sample_symbol(sample, "level loaded"), core, FG_CAP_BLOCK_SPAN_INSTANT,
          none, none, INT64_MIN },
        { 9500, 9500, 0, 0, 0, FG_CAP_BLOCK_SPAN_INSTANT | FG_CAP_BLOCK_SPAN_LOSS, none, none,
          1234567 },
        { 9600, 9600, 1, update, core, FG_CAP_BLOCK_SPAN_INSTANT | FG_CAP_BLOCK_SPAN_MALFORMED,
          none, none, 9000 },
        { 9700, 9700, 1, update, core, FG_CAP_BLOCK_SPAN_INSTANT | 0x40000000u, none, none, -1 },
    };
    const struct fg_cap_block_span frames[] = {
        { 9000, 50000, 0, sample_symbol(sample, "frame"), 0, 0, none, none, 1 },
        { 50000, 90000, 0, sample_symbol(sample, "frame"), 0, 0, none, none, 2 },
    };
    const struct fg_cap_span_block blocks[] = {
        { .id = 0,
          .track = SAMPLE_TRACK_CPU,
          .clock = CLOCK_TICKS,
          .spans = spans,
          .span_count = COUNT(spans) },
        { .id = 1,
          .track = TRACK_FRAMES,
          .clock = CLOCK_TICKS,
          .spans = frames,
          .span_count = COUNT(frames) },
    };
    for (size_t i = 0; i < COUNT(blocks) && sample->result == FG_OK; i++) {
        did(sample, fg_capture_writer_span_block(sample->writer, &blocks[i]));
    }
}

static void put_metrics(struct sample *sample)
{
    const struct {
        const char *name;
        uint32_t kind;
        const char *unit;
        uint32_t accuracy;
        int64_t value;
    } metrics[] = {
        { "Audio/Voices", FG_CAP_METRIC_GAUGE, "count", FG_CAP_ACCURACY_EXACT, 5 },
        { "Audio/VoiceCreations", FG_CAP_METRIC_COUNTER, "count", FG_CAP_ACCURACY_ESTIMATED, 40 },
        { "Graphics/DrawCalls", FG_CAP_METRIC_FRAME, "count", FG_CAP_ACCURACY_EXACT, 9 },
        { "gpu/never published", FG_CAP_METRIC_GAUGE, "ns", FG_CAP_ACCURACY_UNAVAILABLE, 0 },
    };
    for (uint32_t i = 0; i < COUNT(metrics) && sample->result == FG_OK; i++) {
        const struct fg_cap_metric metric = {
            .id = i + 1,
            .kind = metrics[i].kind,
            .track = FG_CAP_NONE,
            .name = sample_symbol(sample, metrics[i].name),
            .unit = sample_symbol(sample, metrics[i].unit),
            .accuracy = metrics[i].accuracy,
        };
        const struct fg_cap_metric_sample value = {
            9300 + i, { .kind = FG_CAP_VALUE_INT, .i = metrics[i].value }
        };
        const struct fg_cap_metric_samples list = { i + 1, CLOCK_TICKS, &value, 1 };
        did(sample, fg_capture_writer_metric(sample->writer, &metric));
        if (metrics[i].accuracy != FG_CAP_ACCURACY_UNAVAILABLE && sample->result == FG_OK) {
            did(sample, fg_capture_writer_metric_samples(sample->writer, &list));
        }
    }
}

static void put_objects(struct sample *sample)
{
    const uint64_t none = FG_CAP_UNKNOWN;
    const uint32_t texture = sample_symbol(sample, "texture 2d");
    const struct fg_cap_resource_event events[] = {
        { 9000, FG_CAP_RESOURCE_LIVES, 1, none, sample_symbol(sample, "atlas"), texture,
          FG_CAP_NONE, 4096 },
        { 9050, FG_CAP_RESOURCE_CREATED, 2, none, 0, sample_symbol(sample, "audio voice"),
          FG_CAP_NONE, 0 },
        { 9060, FG_CAP_RESOURCE_RESIZED, 1, none, sample_symbol(sample, "atlas"), texture,
          FG_CAP_NONE, 16384 },
        { 9900, FG_CAP_RESOURCE_DESTROYED, 2, none, 0, 0, FG_CAP_NONE, none },
    };
    const struct fg_cap_resource_detail details[] = {
        { 0, 37, 32, 32, 1, 1, 1, FG_CAP_ACCURACY_ESTIMATED },
        { 2, 37, 64, 64, 1, 1, 1, FG_CAP_ACCURACY_ESTIMATED },
    };
    const struct fg_cap_resource_events list = { CLOCK_TICKS, events, COUNT(events), details,
                                                 COUNT(details) };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_resource_events(sample->writer, &list));
    }
}

/** Two events of 32 bytes: the memory of a ring that a crash left behind. */
static void put_ring(struct sample *sample)
{
    const uint32_t inner = sample_symbol(sample, "physics");
    const uint32_t outer = sample_symbol(sample, "Game/Update");
    const unsigned char payload[48 + 64] = {
        [0] = SAMPLE_TRACK_CPU,
        [4] = CLOCK_TICKS,
        [8] = 10, /* first_sequence */
        [16] = 3, /* dropped_count */
        [24] = 2,
        [28] = 32,
        [48] = 0x10,
        [49] = 0x27,
        [56] = (unsigned char)inner,
        [60] = FG_CAP_EVENT_ZONE_FORCED,
        [62] = 1,
        [64] = 0x74,
        [65] = 0x27, /* value: its begin */
        [72] = 6,    /* serial */
        [76] = 5,    /* parent */
        [80] = 0x20,
        [81] = 0x27,
        [88] = (unsigned char)outer,
        [92] = FG_CAP_EVENT_ZONE,
        [96] = 0x70,
        [97] = 0x27,
        [104] = 5,
    };
    if (sample->result == FG_OK) {
        did(sample,
            fg_capture_writer_raw(sample->writer, FG_CAPTURE_ZRAW, payload, sizeof payload));
    }
}

void sample_process(struct sample *sample)
{
    sample_begin(sample);
    put_context(sample);
    put_zones(sample);
    put_metrics(sample);
    put_objects(sample);
    put_ring(sample);
    const struct fg_cap_drop drops[] = {
        { FG_CAP_DROP_RING_FULL, 1234567 }, { FG_CAP_DROP_MALFORMED_ZONE, 1 },
        { FG_CAP_DROP_MALFORMED_FRAME, 2 }, { FG_CAP_DROP_SOURCE_FAILED, 3 },
        { FG_CAP_DROP_OVERWRITTEN, 4 },     { FG_CAP_DROP_BEFORE_START, 5 },
        { FG_CAP_DROP_METRIC_REFUSED, 6 },  { FG_CAP_DROP_COUNTER_LEFT_OUT, 7 },
    };
    const struct fg_cap_summary summary = {
        .recorder_ns = FG_CAP_UNKNOWN,
        .write_ns = FG_CAP_UNKNOWN,
        .memory_peak_bytes = FG_CAP_UNKNOWN,
        .drops = drops,
        .drop_count = COUNT(drops),
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_summary(sample->writer, &summary));
    }
}
