/* SPDX-License-Identifier: MIT */
/* Whole captures: templates, snapshots, following; sizes. */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_closed_capture_lists_its_frames_with_both_times(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_capture_info info;
    struct fg_capture_writer_stats stats;
    bed_write_small(&bed, BED_FRAMES);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    fg_capture_writer_get_stats(bed.sample.writer, &stats);
    assert_true(stats.checkpoint_count >= 3);
    assert_int_equal(stats.topology_count, 3);
    struct fg_capture *capture = bed_open(&bed, &view);
    size_t count;
    const struct fg_capture_frame_entry *frames = fg_capture_frames(capture, &count);
    assert_int_equal(count, BED_FRAMES);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(frames[i].frame, i);
        assert_int_equal(frames[i].cpu_ns, 100000 + i);
        assert_int_equal(frames[i].dropped, i % 2 != 0 ? 2 : 0);
        if (i + 2 < BED_FRAMES) {
            uint64_t ticks = 100 * (BED_PASSES - 1) + 60 + i;
            assert_int_equal(frames[i].gpu_ns, (ticks * 625 * 2 + 12) / 24);
        } else {
            assert_true(frames[i].gpu_ns == FG_CAP_UNKNOWN);
        }
    }
    (void)bed_read_all(capture);
    fg_capture_get_info(capture, &info);
    assert_true(info.closed);
    assert_false(info.recovered);
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
    bed_end(&bed);
}

static void a_crashed_capture_lists_the_same_frames(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_capture_info info;
    size_t crashed_count;
    size_t closed_count;
    bed_write_small(&bed, BED_FRAMES);
    size_t size;
    uint8_t *bytes = bed_copy(&bed, &size);
    struct fg_memory_view crashed_view = { bytes, size };
    struct fg_source source = fg_memory_source(&crashed_view);
    struct fg_capture *crashed = NULL;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &crashed), FG_OK);
    fg_capture_get_info(crashed, &info);
    assert_false(info.closed);
    assert_true(info.recovered);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    struct fg_capture *closed = bed_open(&bed, &view);
    const struct fg_capture_frame_entry *a = fg_capture_frames(crashed, &crashed_count);
    const struct fg_capture_frame_entry *b = fg_capture_frames(closed, &closed_count);
    assert_int_equal(crashed_count, closed_count);
    /* The last GSPN was put after the last flush: it is what a kill would lose. */
    assert_memory_equal(a, b, (crashed_count - 3) * sizeof *a);
    (void)bed_read_all(crashed);
    assert_int_equal(fg_capture_defect_count(crashed), 0);
    fg_capture_close(crashed);
    fg_capture_close(closed);
    free(bytes);
    bed_end(&bed);
}

/* ---- Templates and topologies ---------------------------------------------------------------- */

static uint64_t bytes_of_types(struct bed *bed, const char *types)
{
    struct fg_memory_view view;
    struct fg_capture_record record;
    struct fg_capture *capture = bed_open(bed, &view);
    uint64_t sum = 0;
    while (fg_capture_next(capture, &record) == FG_OK) {
        char name[5] = { 0 };
        memcpy(name, &record.type, 4);
        sum += strstr(types, name) != NULL ? record.length + FG_CAPTURE_FRAMING_BYTES : 0;
    }
    fg_capture_close(capture);
    return sum;
}

/* Directory and GPU times are beside the point here: they are new with every frame. */
static void fifty_frames_of_an_unchanged_small_graph_take_under_4_kb(void **state)
{
    (void)state;
    struct bed bed;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 3);
    assert_int_equal(bed.sample.result, FG_OK);
    for (uint64_t i = 0; i < 50; i++) {
        uint64_t begin = i * 16666667;
        struct fg_cap_cpu_pass passes[3] = { 0 };
        struct fg_cap_gpu_pass gpu_passes[3] = { 0 };
        for (uint32_t j = 0; j < 3; j++) {
            passes[j] = (struct fg_cap_cpu_pass){ j,
                                                  FG_CAP_CPU_PASS_TIMED,
                                                  1,
                                                  SAMPLE_TRACK_CPU,
                                                  begin + 9000 * j,
                                                  begin + 9000 * j + 8000 };
            gpu_passes[j].gpu_pass = j;
            gpu_passes[j].track = SAMPLE_TRACK_QUEUE;
            gpu_passes[j].submission = gpu_passes[j].parent = gpu_passes[j].logical = FG_CAP_NONE;
        }
        const struct fg_cap_frame frame = { .frame = i,
                                            .topology = topology,
                                            .clock = SAMPLE_CLOCK_HOST,
                                            .track = SAMPLE_TRACK_CPU,
                                            .begin_ticks = begin,
                                            .end_ticks = begin + 30000,
                                            .submit_ticks = begin + 29000,
                                            .wait_ticks = FG_CAP_UNKNOWN,
                                            .present_wait_ticks = FG_CAP_UNKNOWN,
                                            .recorder_ns = 900,
                                            .passes = passes,
                                            .pass_count = 3,
                                            .gpu_passes = gpu_passes,
                                            .gpu_pass_count = 3 };
        assert_int_equal(fg_capture_writer_frame(bed.sample.writer, &frame), FG_OK);
    }
    uint64_t bytes = bytes_of_types(&bed, "SYMS TOPO TMPL FRAM");
    print_message("50 frames of 3 passes: %llu bytes\n", (unsigned long long)bytes);
    assert_true(bytes < 4096);
    bed_end(&bed);
}

static void graphs_that_change_with_every_frame_are_each_stored_and_come_back(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_capture_record record;
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 4000,
                                                       .topologies_kept = 3,
                                                       .templates_kept = 2 };
    bed_begin(&bed, &options);
    sample_begin(&bed.sample);
    for (unsigned i = 0; i < 100; i++) {
        unsigned passes = 2 + i % 5;
        sample_frame(&bed.sample, i, sample_topology(&bed.sample, i % 40, passes), passes, i);
    }
    assert_int_equal(bed.sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    struct fg_capture *capture = bed_open(&bed, &view);
    uint64_t frame = 0;
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_FRAM) {
            const struct fg_cap_topology *topology =
                fg_capture_topology(capture, record.frame->topology);
            char name[32];
            (void)snprintf(name, sizeof name, "pass %u.0", (unsigned)frame % 40);
            assert_non_null(topology);
            assert_int_equal(topology->pass_count, 2 + frame % 5);
            assert_string_equal(fg_capture_symbol(capture, topology->passes[0].name, NULL), name);
            assert_int_equal(record.frame->gpu_passes[1].works[0].x, 3 + frame);
            frame++;
        }
    }
    assert_int_equal(frame, 100);
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
    bed_end(&bed);
}

static void one_changed_pass_of_many_costs_little_and_equal_work_nothing(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_capture_writer_stats before;
    struct fg_capture_writer_stats equal;
    struct fg_capture_writer_stats changed;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 200);
    sample_frame(&bed.sample, 0, topology, 200, 0);
    fg_capture_writer_get_stats(bed.sample.writer, &before);
    sample_frame(&bed.sample, 1, topology, 200, 0);
    fg_capture_writer_get_stats(bed.sample.writer, &equal);
    sample_frame(&bed.sample, 2, topology, 200, 99);
    fg_capture_writer_get_stats(bed.sample.writer, &changed);
    assert_int_equal(bed.sample.result, FG_OK);
    assert_int_equal(changed.template_count, 1);
    assert_true(changed.written_bytes - equal.written_bytes <
                equal.written_bytes - before.written_bytes + 40);
    bed_end(&bed);
}

static void a_topology_has_the_same_hash_in_every_file(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        struct bed bed;
        struct fg_memory_view view;
        struct fg_capture_record record;
        bed_begin(&bed, NULL);
        sample_begin(&bed.sample);
        for (int other = 0; other < 5 * i; other++) {
            (void)sample_symbol(&bed.sample, other % 2 == 0 ? "something" : "else");
        }
        (void)sample_topology(&bed.sample, 3, 20);
        assert_int_equal(bed.sample.result, FG_OK);
        assert_int_equal(fg_capture_writer_flush(bed.sample.writer), FG_OK);
        struct fg_capture *capture = bed_open(&bed, &view);
        while (fg_capture_next(capture, &record) == FG_OK && record.type != FG_CAPTURE_TOPO) {
        }
        assert_int_equal(record.type, FG_CAPTURE_TOPO);
        hashes[i] = record.topology->hash;
        fg_capture_close(capture);
        bed_end(&bed);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* 600 frames of 200 passes at level 2, with times that vary as measured ones do. */
static void six_hundred_frames_of_two_hundred_passes_fit_in_one_and_a_half_megabytes(void **state)
{
    (void)state;
    enum { FRAMES = 600, PASSES = 200 };
    struct bed bed;
    struct fg_capture_writer_stats stats;
    static struct fg_cap_gpu_span spans[PASSES];
    static struct fg_cap_cpu_pass passes[PASSES];
    static struct fg_cap_gpu_pass gpu_passes[PASSES];
    uint64_t random = 1;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, PASSES);
    const struct fg_cap_work work = { .kind = FG_CAP_WORK_DISPATCH,
                                      .repeat = 1,
                                      .pipeline = sample_symbol(&bed.sample, "pipeline"),
                                      .x = 40,
                                      .y = 23,
                                      .z = 1,
                                      .workgroup_x = 8,
                                      .workgroup_y = 8,
                                      .workgroup_z = 1 };
    for (uint64_t f = 0; f < FRAMES; f++) {
        uint64_t cpu = f * 16666667;
        uint64_t gpu = f * 16666667 + 3000000;
        struct fg_cap_frame frame = { .frame = f,
                                      .topology = topology,
                                      .level = FG_CAP_LEVEL_WORKLOAD,
                                      .clock = SAMPLE_CLOCK_HOST,
                                      .track = SAMPLE_TRACK_CPU,
                                      .begin_ticks = cpu,
                                      .submit_ticks = cpu + 2000000,
                                      .wait_ticks = FG_CAP_UNKNOWN,
                                      .present_wait_ticks = FG_CAP_UNKNOWN,
                                      .recorder_ns = 20000,
                                      .passes = passes,
                                      .pass_count = PASSES,
                                      .gpu_passes = gpu_passes,
                                      .gpu_pass_count = PASSES };
        struct fg_cap_gpu_frame times = { .frame = f,
                                          .clock = SAMPLE_CLOCK_GPU,
                                          .flags = FG_CAP_GPU_FRAME_LAST,
                                          .instance_count = PASSES,
                                          .epoch_ticks = gpu,
                                          .latency_ns = 33000000,
                                          .spans = spans,
                                          .span_count = PASSES };
        for (unsigned i = 0; i < PASSES; i++) {
            random = fgi_mix64(random + i);
            cpu += 200 + random % 1500;
            passes[i] = (struct fg_cap_cpu_pass){ .graph_pass = i,
                                                  .flags = FG_CAP_CPU_PASS_TIMED,
                                                  .ref_count = 1,
                                                  .track = SAMPLE_TRACK_CPU,
                                                  .begin_ticks = cpu };
            cpu += 2000 + (random >> 20) % 12000;
            passes[i].end_ticks = cpu;
            gpu += 500 + (random >> 40) % 3000;
            spans[i] = (struct fg_cap_gpu_span){ .instance = i, .begin_ticks = gpu };
            gpu += 10000 + i * 500 + (random >> 30) % 8000;
            spans[i].end_ticks = gpu;
            gpu_passes[i] = (struct fg_cap_gpu_pass){ .gpu_pass = i,
                                                      .track = SAMPLE_TRACK_QUEUE,
                                                      .submission = FG_CAP_NONE,
                                                      .parent = FG_CAP_NONE,
                                                      .logical = FG_CAP_NONE,
                                                      .works = &work,
                                                      .work_count = 1 };
        }
        frame.end_ticks = cpu;
        assert_int_equal(fg_capture_writer_frame(bed.sample.writer, &frame), FG_OK);
        assert_int_equal(fg_capture_writer_gpu_frame(bed.sample.writer, &times), FG_OK);
    }
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    fg_capture_writer_get_stats(bed.sample.writer, &stats);
    print_message("600 frames x 200 passes, level 2: %llu bytes\n",
                  (unsigned long long)stats.written_bytes);
    assert_true(stats.written_bytes < 1500000);
    /* The buffer grew once, at the beginning, and never inside a record. */
    assert_true(stats.growth_count <= 1);
    assert_int_equal(stats.template_count, 1);
    bed_end(&bed);
}

/* ---- Snapshots, following, failures ---------------------------------------------------------- */

static void a_snapshot_is_a_closed_capture_and_the_recording_goes_on(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_memory_view copy_view;
    struct fg_memory_sink *copy;
    struct fg_sink copy_sink;
    struct fg_capture_info info;
    bed_write_small(&bed, 90);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &copy, &copy_sink), FG_OK);
    assert_int_equal(fg_capture_writer_flush(bed.sample.writer), FG_OK);
    struct fg_source written = bed_source(&bed, &view);
    assert_int_equal(fg_capture_writer_snapshot(bed.sample.writer, &written, &copy_sink), FG_OK);
    uint32_t topology = sample_topology(&bed.sample, 1, BED_PASSES);
    sample_frame(&bed.sample, 90, topology, BED_PASSES, 0);
    assert_int_equal(bed.sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);

    copy_view.bytes = fg_memory_sink_bytes(copy, &copy_view.size);
    struct fg_source source = fg_memory_source(&copy_view);
    struct fg_capture *capture;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    size_t count;
    (void)fg_capture_frames(capture, &count);
    assert_int_equal(count, 90);
    (void)bed_read_all(capture);
    fg_capture_get_info(capture, &info);
    assert_true(info.closed);
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);

    capture = bed_open(&bed, &view);
    (void)fg_capture_frames(capture, &count);
    assert_int_equal(count, 91);
    (void)bed_read_all(capture);
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
    fg_memory_sink_destroy(copy);
    bed_end(&bed);
}

static void a_growing_file_is_followed_byte_by_byte_without_a_defect(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    bed_write_small(&bed, 30);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    uint8_t *bytes = bed_copy(&bed, &size);
    struct fg_memory_view whole = { bytes, size };
    struct fg_source whole_source = fg_memory_source(&whole);
    struct fg_capture *capture;
    assert_int_equal(fg_capture_open(&whole_source, NULL, NULL, &capture), FG_OK);
    uint64_t expected = bed_read_all(capture);
    fg_capture_close(capture);

    uint8_t header[32];
    memcpy(header, bytes, sizeof header);
    memset(bytes + 8, 0, 4);
    memset(bytes + 16, 0, 16);
    struct fg_memory_view view = { bytes, 32 };
    struct fg_source source = fg_memory_source(&view);
    const struct fg_capture_options options = { .flags = FG_CAPTURE_FOLLOW };
    assert_int_equal(fg_capture_open(&source, &options, NULL, &capture), FG_OK);
    uint64_t seen = 0;
    struct fg_capture_record record;
    bool grown = false;
    for (view.size = 32; view.size < size; view.size++) {
        assert_int_equal(fg_capture_poll(capture, &grown), FG_OK);
        while (fg_capture_next(capture, &record) == FG_OK) {
            assert_true(grown);
            seen++;
        }
        assert_int_equal(fg_capture_defect_count(capture), 0);
    }
    memcpy(bytes, header, sizeof header);
    assert_int_equal(fg_capture_poll(capture, &grown), FG_OK);
    assert_true(grown);
    seen += bed_read_all(capture);
    assert_int_equal(seen, expected);
    struct fg_capture_info info;
    fg_capture_get_info(capture, &info);
    assert_true(info.closed);
    size_t count;
    (void)fg_capture_frames(capture, &count);
    assert_int_equal(count, 30);
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
    free(bytes);
    bed_end(&bed);
}

static void frames_are_handed_on_as_often_as_was_asked(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_capture_writer_stats stats;
    const struct fg_capture_writer_options options = { .flush_frames = 8 };
    bed_begin(&bed, &options);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 3);
    for (uint64_t frame = 0; frame < 20; frame++) {
        sample_frame(&bed.sample, frame, topology, 3, 0);
    }
    fg_capture_writer_get_stats(bed.sample.writer, &stats);
    assert_int_equal(stats.flush_count, 2);
    assert_true(stats.pending_bytes > 0);
    bed_end(&bed);
}

static void a_record_that_the_buffer_may_not_hold_is_refused(void **state)
{
    (void)state;
    struct bed bed;
    enum { LIMIT = 1 << 20 };
    const struct fg_capture_writer_options options = { .max_buffer_bytes = LIMIT };
    char *text = calloc(1, 2 * LIMIT);
    assert_non_null(text);
    bed_begin(&bed, &options);
    sample_begin(&bed.sample);
    struct fg_cap_note note = { .frame = FG_CAP_UNKNOWN, .clock = FG_CAP_NONE };
    note.text = (struct fg_cap_text){ .data = text, .size = 2 * LIMIT };
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_ERR_LIMIT);
    note.text.size = 10;
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_OK);
    bed_end(&bed);
    free(text);
}

static void rewinding_reads_the_same_again(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    bed_write_small(&bed, 40);
    size_t size;
    uint8_t *bytes = bed_copy(&bed, &size);
    bytes[900] ^= 0x55;
    view.bytes = bytes;
    view.size = size;
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    uint64_t records = bed_read_all(capture);
    uint64_t defects = fg_capture_defect_count(capture);
    assert_true(defects > 0);
    fg_capture_rewind(capture);
    assert_int_equal(bed_read_all(capture), records);
    assert_int_equal(fg_capture_defect_count(capture), defects);
    fg_capture_close(capture);
    free(bytes);
    bed_end(&bed);
}

struct counted_source {
    struct fg_source of;
    unsigned reads;
};

static enum fg_result counted_read(void *context, uint64_t offset, void *bytes, size_t size,
                                   size_t *out_read)
{
    struct counted_source *counted = context;
    counted->reads++;
    return counted->of.read_at(counted->of.context, offset, bytes, size, out_read);
}

static enum fg_result counted_size(void *context, uint64_t *out_size)
{
    struct counted_source *counted = context;
    return counted->of.size(counted->of.context, out_size);
}

static void small_records_in_a_row_are_few_reads_of_the_source(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_capture *capture = NULL;
    uint64_t records = 0;
    bed_write_small(&bed, 1000);
    struct counted_source counted = { .of = bed_source(&bed, &view) };
    const struct fg_source source = { counted_read, counted_size, &counted };
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    counted.reads = 0;
    struct fg_capture_record record;
    while (fg_capture_next(capture, &record) == FG_OK) {
        records++;
    }
    assert_true(records >= 1000);
    assert_true(counted.reads <= 2 * view.size / 8192 + 16);
    fg_capture_close(capture);
    bed_end(&bed);
}

static void the_writer_refuses_what_a_reader_would(void **state)
{
    (void)state;
    struct bed bed;
    const struct fg_capture_writer_options options = { .topologies_kept = 1 };
    bed_begin(&bed, &options);
    struct fg_cap_note note = { .frame = FG_CAP_UNKNOWN, .clock = FG_CAP_NONE };
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_ERR_STATE);
    sample_begin(&bed.sample);
    uint32_t first = sample_topology(&bed.sample, 0, 3);
    sample_frame(&bed.sample, 5, first, 3, 0);
    struct fg_capture_writer_stats before;
    struct fg_capture_writer_stats after;
    fg_capture_writer_get_stats(bed.sample.writer, &before);
    note.clock = 99;
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_ERR_ARGUMENT);
    note.clock = FG_CAP_NONE;
    note.category = 100000;
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_ERR_ARGUMENT);
    struct sample refused = { bed.sample.writer, FG_OK };
    sample_frame(&refused, 5, first, 3, 0);
    assert_int_equal(refused.result, FG_ERR_ARGUMENT); /* frame order */
    refused.result = FG_OK;
    sample_frame(&refused, 6, first, 4, 0);
    assert_int_equal(refused.result, FG_ERR_ARGUMENT); /* pass range */
    refused.result = FG_OK;
    sample_gpu_frame(&refused, 9, 3, UINT32_MAX);
    assert_int_equal(refused.result, FG_ERR_NOT_FOUND);
    refused.result = FG_OK;
    sample_gpu_frame(&refused, 5, 4, UINT32_MAX);
    assert_int_equal(refused.result, FG_ERR_ARGUMENT); /* instance mismatch */
    fg_capture_writer_get_stats(bed.sample.writer, &after);
    assert_int_equal(before.record_count, after.record_count);
    (void)sample_topology(&bed.sample, 1, 3);
    refused.result = FG_OK;
    sample_frame(&refused, 7, first, 3, 0);
    assert_int_equal(refused.result, FG_ERR_NOT_FOUND); /* only one is kept: ask again */
    assert_int_equal(sample_topology(&bed.sample, 0, 3), first);
    sample_frame(&bed.sample, 7, first, 3, 0);
    assert_int_equal(bed.sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    assert_int_equal(fg_capture_writer_flush(bed.sample.writer), FG_OK);
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_ERR_STATE);
    bed_end(&bed);
}

static void a_full_sink_ends_the_recording_and_what_was_written_reads(void **state)
{
    (void)state;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct sample sample = { 0 };
    assert_int_equal(fg_memory_sink_create(NULL, 6000, &memory, &sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&sink, NULL, &sample.writer), FG_OK);
    sample_begin(&sample);
    uint32_t topology = sample_topology(&sample, 0, 20);
    uint64_t frames = 0;
    while (sample.result == FG_OK) {
        sample_frame(&sample, frames++, topology, 20, 0);
    }
    assert_int_equal(sample.result, FG_ERR_LIMIT);
    assert_int_equal(fg_capture_writer_close(sample.writer), FG_ERR_LIMIT);
    struct fg_memory_view view;
    view.bytes = fg_memory_sink_bytes(memory, &view.size);
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    size_t count;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    (void)fg_capture_frames(capture, &count);
    assert_int_equal(count, frames - 1);
    fg_capture_close(capture);
    fg_capture_writer_destroy(sample.writer);
    fg_memory_sink_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_capture_lists_its_frames_with_both_times),
        cmocka_unit_test(a_crashed_capture_lists_the_same_frames),
        cmocka_unit_test(fifty_frames_of_an_unchanged_small_graph_take_under_4_kb),
        cmocka_unit_test(graphs_that_change_with_every_frame_are_each_stored_and_come_back),
        cmocka_unit_test(one_changed_pass_of_many_costs_little_and_equal_work_nothing),
        cmocka_unit_test(a_topology_has_the_same_hash_in_every_file),
        cmocka_unit_test(six_hundred_frames_of_two_hundred_passes_fit_in_one_and_a_half_megabytes),
        cmocka_unit_test(a_snapshot_is_a_closed_capture_and_the_recording_goes_on),
        cmocka_unit_test(a_growing_file_is_followed_byte_by_byte_without_a_defect),
        cmocka_unit_test(frames_are_handed_on_as_often_as_was_asked),
        cmocka_unit_test(a_record_that_the_buffer_may_not_hold_is_refused),
        cmocka_unit_test(rewinding_reads_the_same_again),
        cmocka_unit_test(small_records_in_a_row_are_few_reads_of_the_source),
        cmocka_unit_test(the_writer_refuses_what_a_reader_would),
        cmocka_unit_test(a_full_sink_ends_the_recording_and_what_was_written_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
