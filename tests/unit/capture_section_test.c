/* SPDX-License-Identifier: MIT */
/* Sections of captures: checkpoints, seeking, opening without a scan, more tracks than records. */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include <stdio.h>
#include <stdlib.h>

/* A source that hides bytes [begin, end) behind zeros, and counts what is read. */
struct holed {
    struct fg_memory_view view;
    struct fg_source memory;
    uint64_t begin;
    uint64_t end;
    uint64_t read_bytes;
};

static enum fg_result holed_read(void *context, uint64_t offset, void *bytes, size_t size,
                                 size_t *out_read)
{
    struct holed *holed = context;
    enum fg_result result =
        holed->memory.read_at(holed->memory.context, offset, bytes, size, out_read);
    holed->read_bytes += *out_read;
    for (size_t i = 0; i < *out_read; i++) {
        if (offset + i >= holed->begin && offset + i < holed->end) {
            ((uint8_t *)bytes)[i] = 0;
        }
    }
    return result;
}

static enum fg_result holed_size(void *context, uint64_t *out_size)
{
    struct holed *holed = context;
    return holed->memory.size(holed->memory.context, out_size);
}

static bool is_unknown_kind(enum fg_capture_defect_kind kind)
{
    return (kind >= FG_CAPTURE_DEFECT_symbol_unknown && kind <= FG_CAPTURE_DEFECT_stack_unknown);
}

/* Everything before a checkpoint is wiped out: behind it no name is missing. */
static void nothing_behind_a_checkpoint_refers_to_what_is_before_it(void **state)
{
    (void)state;
    struct bed bed;
    struct holed holed = { 0 };
    struct fg_capture_record record;
    uint64_t offsets[64];
    size_t count = 0;
    bed_write_small(&bed, BED_FRAMES);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    struct fg_capture *capture = bed_open(&bed, &holed.view);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_CKPT && count < 64) {
            offsets[count++] = record.offset;
        }
    }
    fg_capture_close(capture);
    assert_true(count >= 3);
    holed.memory = bed_source(&bed, &holed.view);
    struct fg_source source = { holed_read, holed_size, &holed };
    for (size_t i = 0; i < count; i++) {
        holed.begin = FG_CAPTURE_HEADER_BYTES;
        holed.end = offsets[i];
        assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
        uint64_t frames = 0;
        while (fg_capture_next(capture, &record) == FG_OK) {
            if (record.type == FG_CAPTURE_FRAM) {
                assert_false(record.incomplete);
                assert_int_equal(record.frame->gpu_pass_count, BED_PASSES);
                assert_string_not_equal(
                    fg_capture_symbol(capture, record.frame->gpu_passes[0].label, NULL), "");
                frames++;
            }
        }
        assert_true(frames > 0);
        size_t defect_count;
        const struct fg_capture_defect *defects = fg_capture_defects(capture, &defect_count);
        for (size_t j = 0; j < defect_count; j++) {
            assert_false(is_unknown_kind(defects[j].kind));
        }
        fg_capture_close(capture);
    }
    bed_end(&bed);
}

static void seeking_to_any_frame_gives_it_with_all_names(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_capture_record record;
    bed_write_small(&bed, BED_FRAMES);
    for (int closed = 0; closed < 2; closed++) {
        struct fg_capture *capture = bed_open(&bed, &view);
        size_t count;
        const struct fg_capture_frame_entry *frames = fg_capture_frames(capture, &count);
        for (size_t i = 0; i < count; i++) {
            size_t at = i * 37 % count;
            assert_int_equal(fg_capture_seek(capture, frames[at].offset), FG_OK);
            assert_int_equal(fg_capture_next(capture, &record), FG_OK);
            assert_int_equal(record.type, FG_CAPTURE_FRAM);
            assert_int_equal(record.frame->frame, at);
            assert_false(record.incomplete);
            assert_non_null(fg_capture_topology(capture, record.frame->topology));
            assert_int_equal(record.frame->gpu_passes[1].works[0].x, 3 + at % 4);
        }
        assert_int_equal(fg_capture_defect_count(capture), 0);
        fg_capture_close(capture);
        if (closed == 0) {
            assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
        }
    }
    bed_end(&bed);
}

/* CPU and GPU side of each frame in turn, as whoever lists the arguments of all spans asks. */
static void seeking_through_a_section_reads_it_once(void **state)
{
    (void)state;
    struct bed bed;
    struct holed holed = { 0 };
    struct fg_capture_record record;
    uint64_t cpu[BED_FRAMES], gpu[BED_FRAMES];
    size_t cpu_count = 0, gpu_count = 0;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 3);
    for (unsigned i = 0; i < BED_FRAMES; i++) {
        sample_frame(&bed.sample, i, topology, 3, i % 7);
    }
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    holed.memory = bed_source(&bed, &holed.view);
    struct fg_source source = { holed_read, holed_size, &holed };
    struct fg_capture *capture;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_FRAM) {
            cpu[cpu_count++] = record.offset;
        } else if (record.type == FG_CAPTURE_GSPN) {
            gpu[gpu_count++] = record.offset;
        }
    }
    assert_int_equal(cpu_count, BED_FRAMES);
    holed.read_bytes = 0;
    for (size_t i = 0; i < BED_FRAMES && i < gpu_count; i++) {
        assert_int_equal(fg_capture_seek(capture, cpu[i]), FG_OK);
        assert_int_equal(fg_capture_next(capture, &record), FG_OK);
        assert_int_equal(record.offset, cpu[i]);
        assert_false(record.incomplete);
        assert_int_equal(fg_capture_seek(capture, gpu[i]), FG_OK);
        assert_int_equal(fg_capture_next(capture, &record), FG_OK);
        assert_int_equal(record.offset, gpu[i]);
    }
    assert_int_equal(fg_capture_defect_count(capture), 0);
    assert_true(holed.read_bytes < 8 * holed.view.size);
    fg_capture_close(capture);
    bed_end(&bed);
}

static void a_large_crashed_capture_opens_without_being_scanned(void **state)
{
    (void)state;
    struct bed bed;
    struct holed holed = { 0 };
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 64 << 10 };
    bed_begin(&bed, &options);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 200);
    for (unsigned i = 0; i < 3000; i++) {
        sample_frame(&bed.sample, i, topology, 200, i % 7);
    }
    assert_int_equal(bed.sample.result, FG_OK);
    holed.memory = bed_source(&bed, &holed.view);
    struct fg_source source = { holed_read, holed_size, &holed };
    struct fg_capture *capture;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    size_t count;
    (void)fg_capture_frames(capture, &count);
    assert_int_equal(count, 3000);
    /* Directories, twice, and one section: not the file. */
    assert_true(holed.view.size > 2500000);
    assert_true(holed.read_bytes < holed.view.size / 2);
    fg_capture_close(capture);
    bed_end(&bed);
}

/* ---- many tracks ----------------------------------------------------------------------------- */

enum { MANY_TRACKS = 40000, MANY_ROUNDS = 3 };

/* Restated, a track and its name are two records: more than a section is meant to have. */
static void write_many_tracks(struct bed *bed)
{
    bed_begin(bed, NULL);
    sample_begin(&bed->sample);
    for (uint32_t i = 0; i < MANY_TRACKS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "thread %u", (unsigned)i);
        const struct fg_cap_track track = { .id = 100 + i,
                                            .kind = FG_CAP_TRACK_THREAD,
                                            .name = sample_symbol(&bed->sample, name),
                                            .process = FG_CAP_NONE,
                                            .parent = FG_CAP_NONE,
                                            .clock = FG_CAP_NONE };
        assert_int_equal(fg_capture_writer_track(bed->sample.writer, &track), FG_OK);
    }
    for (uint32_t i = 0; i < MANY_TRACKS * MANY_ROUNDS; i++) {
        const struct fg_cap_block_span span = { .begin_ticks = i, .end_ticks = i + 1 };
        const struct fg_cap_span_block block = { .id = 1 + i,
                                                 .track = 100 + i % MANY_TRACKS,
                                                 .clock = SAMPLE_CLOCK_HOST,
                                                 .spans = &span,
                                                 .span_count = 1 };
        assert_int_equal(fg_capture_writer_span_block(bed->sample.writer, &block), FG_OK);
    }
    assert_int_equal(fg_capture_writer_close(bed->sample.writer), FG_OK);
}

static void forty_thousand_tracks_come_back_and_are_not_mostly_restated(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_capture_record record;
    struct fg_capture_writer_stats stats;
    uint8_t *seen = calloc(MANY_TRACKS, 1);
    uint64_t restated = 0, blocks = 0, tracks = 0, records = 0;
    assert_non_null(seen);
    write_many_tracks(&bed);
    fg_capture_writer_get_stats(bed.sample.writer, &stats);
    assert_in_range(stats.checkpoint_count, 1, 4);
    struct fg_capture *capture = bed_open(&bed, &view);
    while (fg_capture_next(capture, &record) == FG_OK) {
        records++;
        restated += record.restated;
        if (record.type == FG_CAPTURE_TRAK && record.track->id >= 100 && !record.restated) {
            char name[32];
            (void)snprintf(name, sizeof name, "thread %u", (unsigned)record.track->id - 100);
            assert_string_equal(fg_capture_symbol(capture, record.track->name, NULL), name);
            seen[record.track->id - 100]++;
            tracks++;
        } else if (record.type == FG_CAPTURE_SPAN) {
            assert_int_equal(record.span_block->track, 100 + blocks % MANY_TRACKS);
            assert_int_equal(record.span_block->spans[0].begin_ticks, blocks);
            blocks++;
        }
    }
    assert_int_equal(tracks, MANY_TRACKS);
    assert_int_equal(blocks, MANY_TRACKS * MANY_ROUNDS);
    for (size_t i = 0; i < MANY_TRACKS; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_true(restated > 0 && restated < records / 2);
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
    bed_end(&bed);
    free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_behind_a_checkpoint_refers_to_what_is_before_it),
        cmocka_unit_test(seeking_to_any_frame_gives_it_with_all_names),
        cmocka_unit_test(seeking_through_a_section_reads_it_once),
        cmocka_unit_test(a_large_crashed_capture_opens_without_being_scanned),
        cmocka_unit_test(forty_thousand_tracks_come_back_and_are_not_mostly_restated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
