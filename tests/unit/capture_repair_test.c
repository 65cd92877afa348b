/* SPDX-License-Identifier: MIT */
/* Repair: what is valid is kept byte for byte, nothing is added. */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static void write_sections(struct bed *bed)
{
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 1500 };
    bed_begin(bed, &options);
    sample_everything(&bed->sample);
    uint32_t topology = sample_topology(&bed->sample, 0, 7);
    for (unsigned i = 4; i < 60; i++) {
        sample_frame(&bed->sample, i, topology, 7, i % 3);
        sample_gpu_frame(&bed->sample, i, 7, UINT32_MAX);
    }
    assert_int_equal(bed->sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(bed->sample.writer), FG_OK);
}

static bool is_index(uint32_t type)
{
    return type == FG_CAPTURE_DIRE;
}

/* All but directories and GPU times without a frame: type and payload of each record, hashed. */
static uint64_t content_of(const struct fg_source *source, size_t *out_count)
{
    struct fg_capture *capture;
    struct fg_capture_record record;
    uint64_t hash = 0;
    uint64_t frames = 0; /* bit n: frame n is there */
    *out_count = 0;
    assert_int_equal(fg_capture_open(source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_FRAM) {
            frames |= UINT64_C(1) << record.frame->frame;
        }
        bool orphan =
            record.type == FG_CAPTURE_GSPN && (frames >> record.gpu_frame->frame & 1) == 0;
        if (!is_index(record.type) && !orphan) {
            hash = fgi_hash64(hash + record.type, record.payload, record.length);
            (*out_count)++;
        }
    }
    fg_capture_close(capture);
    return hash;
}

static void assert_frames_equal(const struct fg_source *left, const struct fg_source *right)
{
    struct fg_capture *a;
    struct fg_capture *b;
    size_t a_count;
    size_t b_count;
    assert_int_equal(fg_capture_open(left, NULL, NULL, &a), FG_OK);
    assert_int_equal(fg_capture_open(right, NULL, NULL, &b), FG_OK);
    const struct fg_capture_frame_entry *x = fg_capture_frames(a, &a_count);
    const struct fg_capture_frame_entry *y = fg_capture_frames(b, &b_count);
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_int_equal(x[i].frame, y[i].frame);
        assert_true(x[i].gpu_ns == y[i].gpu_ns);
        assert_true(x[i].cpu_ns == y[i].cpu_ns);
        assert_int_equal(x[i].dropped, y[i].dropped);
    }
    fg_capture_close(a);
    fg_capture_close(b);
}

/* `whole`: no record in the middle is damaged, so that both strips are the same. */
static void check_repair(const uint8_t *bytes, size_t size, bool whole, uint64_t *out_defects)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_capture_repair_report report;
    struct fg_capture_repair_report again;
    size_t before;
    size_t after;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_capture_repair(&source, NULL, &sink, NULL, &report), FG_OK);
    struct fg_memory_view copy_view;
    copy_view.bytes = fg_memory_sink_bytes(memory, &copy_view.size);
    struct fg_source copy = fg_memory_source(&copy_view);
    assert_true(content_of(&source, &before) == content_of(&copy, &after));
    assert_int_equal(before, after);
    assert_int_equal(before, report.kept_count);
    if (whole) {
        assert_frames_equal(&source, &copy);
    }
    /* The copy is whole: closed, nothing skipped, nothing left out; lost names stay lost. */
    assert_int_equal(fg_capture_repair(&copy, NULL, NULL, NULL, &again), FG_OK);
    assert_int_equal(again.kept_count, report.kept_count);
    assert_int_equal(again.dropped_count, 0);
    assert_int_equal(again.skipped_bytes, 0);
    *out_defects = again.defect_count;
    struct fg_capture *capture;
    struct fg_capture_info info;
    assert_int_equal(fg_capture_open(&copy, NULL, NULL, &capture), FG_OK);
    fg_capture_get_info(capture, &info);
    assert_true(info.closed);
    fg_capture_close(capture);
    fg_memory_sink_destroy(memory);
}

static void a_crashed_capture_becomes_a_closed_one_with_the_same_records(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    uint64_t defects;
    write_sections(&bed);
    uint8_t *bytes = bed_copy(&bed, &size);
    check_repair(bytes, size, true, &defects);
    assert_int_equal(defects, 0);
    memset(bytes + 8, 0, 4);
    memset(bytes + 16, 0, 16);
    for (size_t cut = size; cut > 400; cut -= 1 + cut / 7) {
        check_repair(bytes, cut, true, &defects);
        assert_int_equal(defects, 0);
    }
    free(bytes);
    bed_end(&bed);
}

static void a_damaged_capture_keeps_what_is_valid_and_only_that(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    uint64_t defects;
    write_sections(&bed);
    uint8_t *bytes = bed_copy(&bed, &size);
    for (size_t at = 33; at < size; at += 211) {
        bytes[at] ^= 0x21;
        check_repair(bytes, size, false, &defects);
        bytes[at] ^= 0x21;
    }
    free(bytes);
    bed_end(&bed);
}

static void the_report_counts_what_was_left_out(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    struct fg_capture_repair_report report;
    write_sections(&bed);
    uint8_t *bytes = bed_copy(&bed, &size);
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    uint32_t first_length = 0;
    memcpy(&first_length, bytes + 32 + 8, 4);
    bytes[32 + 16] ^= 1; /* META */
    assert_int_equal(fg_capture_repair(&source, NULL, NULL, NULL, &report), FG_OK);
    assert_int_equal(report.skipped_bytes, first_length + 16);
    assert_true(report.defect_count >= 2); /* bad_checksum, meta_missing */
    assert_int_equal(report.dropped_count, 0);
    free(bytes);
    bed_end(&bed);
}

static void what_cannot_be_opened_is_not_repaired(void **state)
{
    (void)state;
    struct fg_memory_view view = { "no capture", 10 };
    struct fg_source source = fg_memory_source(&view);
    struct fg_diag diag = { 0 };
    assert_int_equal(fg_capture_repair(&source, NULL, NULL, &diag, NULL), FG_ERR_FORMAT);
    assert_memory_equal(diag.message, "short_header", 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crashed_capture_becomes_a_closed_one_with_the_same_records),
        cmocka_unit_test(a_damaged_capture_keeps_what_is_valid_and_only_that),
        cmocka_unit_test(the_report_counts_what_was_left_out),
        cmocka_unit_test(what_cannot_be_opened_is_not_repaired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
