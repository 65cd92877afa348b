/* SPDX-License-Identifier: MIT */
/* Memory runs out at the first, the second, ... allocation of writer and reader: the call says so,
 * nothing leaks, and what was written is a valid capture. */
#include "../support/cmocka_all.h"

#include "../unit/capture_bed.h"

#include <frameglass/capture_copy.h>

#include <stdlib.h>
#include <string.h>

static void write_some(struct sample *sample)
{
    sample_everything(sample);
    for (unsigned i = 4; i < 24; i++) {
        uint32_t topology = sample_topology(sample, i / 8, 4);
        sample_frame(sample, i, topology, 4, i % 5);
        sample_gpu_frame(sample, i, 4, UINT32_MAX);
    }
    if (sample->result == FG_OK) {
        sample->result = fg_capture_writer_close(sample->writer);
    }
}

/* Everything in the file is whole and every name in it resolves. */
static void assert_readable(const void *bytes, size_t size, size_t *out_frames)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    struct fg_capture_record record;
    *out_frames = 0;
    if (size == 0) {
        return;
    }
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        *out_frames += record.type == FG_CAPTURE_FRAM;
    }
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
}

static void the_writer_survives_the_refusal_of_any_allocation(void **state)
{
    (void)state;
    bool refused = true;
    for (size_t nth = 0; refused; nth++) {
        struct counting counting;
        struct fg_memory_sink *memory;
        struct fg_sink sink;
        struct sample sample = { 0 };
        counting_begin(&counting);
        counting.refuse_after = nth;
        assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
        const struct fg_capture_writer_options options = { .allocator = &counting.allocator,
                                                           .checkpoint_bytes = 1500,
                                                           .templates_kept = 3,
                                                           .topologies_kept = 2 };
        enum fg_result result = fg_capture_writer_create(&sink, &options, &sample.writer);
        if (result == FG_OK) {
            write_some(&sample);
            result = sample.result;
        }
        refused = counting.refused;
        assert_int_equal(result, refused ? FG_ERR_NO_MEMORY : FG_OK);
        if (refused && sample.writer != NULL) {
            /* Memory is back: the same recording goes on and can be closed. */
            counting.refuse_after = SIZE_MAX;
            struct sample rest = { .writer = sample.writer };
            struct fg_cap_note note = { .frame = FG_CAP_UNKNOWN, .clock = FG_CAP_NONE };
            rest.result = fg_capture_writer_note(rest.writer, &note);
            if (rest.result == FG_OK) {
                assert_int_equal(fg_capture_writer_close(rest.writer), FG_OK);
            } else {
                assert_int_equal(rest.result, FG_ERR_STATE); /* META did not get in */
            }
        }
        fg_capture_writer_destroy(sample.writer);
        assert_int_equal(counting.held_bytes, 0);
        size_t size;
        size_t frames;
        const void *bytes = fg_memory_sink_bytes(memory, &size);
        assert_readable(bytes, size, &frames);
        assert_true(refused || frames == 23);
        fg_memory_sink_destroy(memory);
    }
}

static void the_reader_survives_the_refusal_of_any_allocation(void **state)
{
    (void)state;
    struct bed bed;
    const struct fg_capture_writer_options writing = { .checkpoint_bytes = 1500 };
    bed_begin(&bed, &writing);
    write_some(&bed.sample);
    assert_int_equal(bed.sample.result, FG_OK);
    struct fg_memory_view view;
    struct fg_source source = bed_source(&bed, &view);
    bool refused = true;
    for (size_t nth = 0; refused; nth++) {
        struct counting counting;
        struct fg_capture *capture = NULL;
        struct fg_capture_record record;
        counting_begin(&counting);
        counting.refuse_after = nth;
        const struct fg_capture_options options = { .allocator = &counting.allocator };
        enum fg_result result = fg_capture_open(&source, &options, NULL, &capture);
        size_t records = 0;
        bool again = false;
        while (result == FG_OK || (result == FG_ERR_NO_MEMORY && capture != NULL && !again)) {
            again = result != FG_OK;
            counting.refuse_after = again ? SIZE_MAX : counting.refuse_after;
            result = fg_capture_next(capture, &record);
            records += result == FG_OK;
        }
        refused = counting.refused;
        if (capture != NULL) {
            /* The refusal was passed on, and the record came when it was asked for again. */
            assert_int_equal(result, FG_ERR_NOT_FOUND);
            assert_int_equal(fg_capture_defect_count(capture), 0);
            assert_true(records > 90);
        } else {
            assert_int_equal(result, FG_ERR_NO_MEMORY);
        }
        fg_capture_close(capture);
        assert_int_equal(counting.held_bytes, 0);
    }
    bed_end(&bed);
}

static void repair_survives_the_refusal_of_any_allocation(void **state)
{
    (void)state;
    struct bed bed;
    bed_begin(&bed, NULL);
    write_some(&bed.sample);
    struct fg_memory_view view;
    struct fg_source source = bed_source(&bed, &view);
    bool refused = true;
    for (size_t nth = 0; refused; nth++) {
        struct counting counting;
        struct fg_memory_sink *memory;
        struct fg_sink sink;
        counting_begin(&counting);
        counting.refuse_after = nth;
        const struct fg_capture_options options = { .allocator = &counting.allocator };
        assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
        enum fg_result result = fg_capture_repair(&source, &options, &sink, NULL, NULL);
        refused = counting.refused;
        assert_int_equal(result, refused ? FG_ERR_NO_MEMORY : FG_OK);
        assert_int_equal(counting.held_bytes, 0);
        fg_memory_sink_destroy(memory);
    }
    bed_end(&bed);
}

static void amending_survives_the_refusal_of_any_allocation(void **state)
{
    (void)state;
    struct bed bed;
    bed_begin(&bed, NULL);
    write_some(&bed.sample);
    struct fg_memory_view view;
    struct fg_source source = bed_source(&bed, &view);
    const struct fg_capture_new_note notes[] = {
        { .frame = 1, .text = { "one", 3 } },
        { .frame = FG_CAP_UNKNOWN, .has_time = true, .time_ns = 5, .text = { "two", 3 } },
    };
    bool refused = true;
    for (size_t nth = 0; refused; nth++) {
        struct counting counting;
        struct fg_capture_amendment made = { 0 };
        counting_begin(&counting);
        counting.refuse_after = nth;
        const struct fg_capture_options options = { .allocator = &counting.allocator };
        enum fg_result result = fg_capture_amend(&source, &options, notes, 2, NULL, &made);
        refused = counting.refused;
        assert_int_equal(result, refused ? FG_ERR_NO_MEMORY : FG_OK);
        fg_capture_amendment_finish(&counting.allocator, &made);
        assert_int_equal(counting.held_bytes, 0);
    }
    bed_end(&bed);
}

static void redacting_survives_the_refusal_of_any_allocation(void **state)
{
    (void)state;
    struct bed bed;
    bed_begin(&bed, NULL);
    write_some(&bed.sample);
    struct fg_memory_view view;
    struct fg_source source = bed_source(&bed, &view);
    bool refused = true;
    for (size_t nth = 0; refused; nth++) {
        struct counting counting;
        struct fg_memory_sink *memory;
        struct fg_sink sink;
        counting_begin(&counting);
        counting.refuse_after = nth;
        const struct fg_capture_redact_options options = { .allocator = &counting.allocator };
        assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
        enum fg_result result = fg_capture_redact(&source, &options, &sink, NULL, NULL);
        refused = counting.refused;
        assert_int_equal(result, refused ? FG_ERR_NO_MEMORY : FG_OK);
        assert_int_equal(counting.held_bytes, 0);
        fg_memory_sink_destroy(memory);
    }
    bed_end(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_writer_survives_the_refusal_of_any_allocation),
        cmocka_unit_test(the_reader_survives_the_refusal_of_any_allocation),
        cmocka_unit_test(repair_survives_the_refusal_of_any_allocation),
        cmocka_unit_test(amending_survives_the_refusal_of_any_allocation),
        cmocka_unit_test(redacting_survives_the_refusal_of_any_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
