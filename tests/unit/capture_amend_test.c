/* SPDX-License-Identifier: MIT */
/* A copy with more notes: all that was there, the notes, an end, no defect of its own. */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include "base/bytes.h"
#include "base/hash.h"
#include <frameglass/capture_copy.h>

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

/* ---- Reading --------------------------------------------------------------------------------- */

struct content {
    uint64_t hash; /* of all records but directories and the notes that were added */
    size_t record_count;
    size_t note_count; /* whose text begins with "new " */
    uint64_t note_frame;
    uint32_t note_clock;
    int64_t note_ticks;
    bool closed;
    uint64_t defects[64]; /* by kind */
};

static struct content content_of(const struct fg_source *source)
{
    struct fg_capture *capture;
    struct fg_capture_record record;
    struct fg_capture_info info;
    struct content content = { 0 };
    size_t count;
    assert_int_equal(fg_capture_open(source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_NOTE && record.note->text.size > 4 &&
            memcmp(record.note->text.data, "new ", 4) == 0) {
            content.note_count++;
            content.note_frame = record.note->frame;
            content.note_clock = record.note->clock;
            content.note_ticks = record.note->ticks;
        } else if (record.type != FG_CAPTURE_DIRE) {
            content.hash = fgi_hash64(content.hash + record.type, record.payload, record.length);
            content.record_count++;
        }
    }
    const struct fg_capture_defect *defects = fg_capture_defects(capture, &count);
    for (size_t i = 0; i < count; i++) {
        content.defects[defects[i].kind]++;
    }
    fg_capture_get_info(capture, &info);
    content.closed = info.closed;
    fg_capture_close(capture);
    return content;
}

/* No kind of defect more often than in `limit`. */
static void assert_kinds_within(const struct content *content, const struct content *limit)
{
    for (size_t kind = 0; kind < 64; kind++) {
        if (content->defects[kind] > limit->defects[kind]) {
            fail_msg("%s: %d where %d are known of",
                     fg_capture_defect_name((enum fg_capture_defect_kind)kind),
                     (int)content->defects[kind], (int)limit->defects[kind]);
        }
    }
}

static const struct content no_defects;

static void assert_strips_equal(const struct fg_source *left, const struct fg_source *right)
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
    if (a_count != 0) {
        assert_memory_equal(x, y, a_count * sizeof *x);
    }
    fg_capture_close(a);
    fg_capture_close(b);
}

/* ---- Copying --------------------------------------------------------------------------------- */

static const struct fg_capture_new_note frame_note = {
    .frame = 2,
    .text = { "new thing", 9 },
};
static const struct fg_capture_new_note time_note = {
    .frame = FG_CAP_UNKNOWN,
    .has_time = true,
    .time_ns = 123456,
    .text = { "new time", 8 },
};

static uint8_t *amended(const struct fg_source *source, const struct fg_capture_new_note *notes,
                        size_t count, size_t *out_size)
{
    struct fg_capture_amendment made;
    struct fg_diag diag;
    uint64_t size;
    assert_int_equal(fg_capture_amend(source, NULL, notes, count, &diag, &made), FG_OK);
    assert_int_equal(source->size(source->context, &size), FG_OK);
    assert_true(made.keep_bytes >= 32 && made.keep_bytes <= size);
    *out_size = (size_t)made.keep_bytes + made.tail_bytes;
    uint8_t *bytes = malloc(*out_size);
    size_t got = 0;
    assert_non_null(bytes);
    memcpy(bytes, made.head, sizeof made.head);
    size_t kept = (size_t)made.keep_bytes - 32;
    assert_int_equal(source->read_at(source->context, 32, bytes + 32, kept, &got), FG_OK);
    assert_int_equal(got, kept);
    memcpy(bytes + made.keep_bytes, made.tail, made.tail_bytes);
    fg_capture_amendment_finish(NULL, &made);
    return bytes;
}

/* A damaged end goes with the end: everything else that is wrong stays, nothing is added. */
static void check(const uint8_t *bytes, size_t size, const struct fg_capture_new_note *note)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_memory_view copy_view;
    uint8_t *copied = amended(&source, note, 1, &copy_view.size);
    copy_view.bytes = copied;
    struct fg_source copy = fg_memory_source(&copy_view);
    struct content before = content_of(&source);
    struct content after = content_of(&copy);
    assert_kinds_within(&after, &before);
    assert_true(after.closed);
    assert_int_equal(after.note_count, 1);
    assert_int_equal(after.note_frame, note->frame);
    assert_int_equal(after.note_clock == FG_CAP_NONE, !note->has_time);
    if (note->has_time && after.record_count == before.record_count + 2) {
        after = before; /* the last section did not have the clock: it was stated there again */
    }
    assert_int_equal(before.record_count, after.record_count);
    assert_true(before.hash == after.hash);
    assert_strips_equal(&source, &copy);
    free(copied);
}

static void a_closed_capture_gets_notes_and_nothing_else_changes(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    write_sections(&bed);
    struct fg_source source = bed_source(&bed, &view);
    check(view.bytes, view.size, &frame_note);
    check(view.bytes, view.size, &time_note);
    assert_int_equal(content_of(&source).defects[FG_CAPTURE_DEFECT_directory_link], 0);
    bed_end(&bed);
}

static void a_copy_can_be_copied_again(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    const struct fg_capture_new_note notes[] = { frame_note, time_note };
    write_sections(&bed);
    struct fg_source source = bed_source(&bed, &view);
    size_t first_size;
    uint8_t *first = amended(&source, notes, 2, &first_size);
    struct fg_memory_view first_view = { first, first_size };
    source = fg_memory_source(&first_view);
    size_t second_size;
    uint8_t *second = amended(&source, notes, 2, &second_size);
    struct fg_memory_view second_view = { second, second_size };
    source = fg_memory_source(&second_view);
    struct content content = content_of(&source);
    assert_int_equal(content.note_count, 4);
    assert_kinds_within(&content, &no_defects);
    /* The end is written anew, not piled up. */
    assert_true(second_size - first_size < 200);
    free(first);
    free(second);
    bed_end(&bed);
}

static void a_time_is_kept_to_the_nanosecond(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    write_sections(&bed);
    struct fg_source source = bed_source(&bed, &view);
    size_t size;
    uint8_t *bytes = amended(&source, &time_note, 1, &size);
    struct fg_memory_view copy_view = { bytes, size };
    struct fg_source copy = fg_memory_source(&copy_view);
    struct content content = content_of(&copy);
    assert_int_equal(content.note_clock, SAMPLE_CLOCK_HOST);
    assert_int_equal(content.note_ticks, 123456);
    free(bytes);
    bed_end(&bed);
}

static void a_crashed_capture_gets_its_end(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    write_sections(&bed);
    uint8_t *bytes = bed_copy(&bed, &size);
    memset(bytes + 8, 0, 4);
    memset(bytes + 16, 0, 16);
    for (size_t cut = size; cut > 400; cut -= 1 + cut / 61) {
        check(bytes, cut, &frame_note);
        check(bytes, cut, &time_note);
    }
    free(bytes);
    bed_end(&bed);
}

static void damage_stays_what_it_was(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    write_sections(&bed);
    uint8_t *bytes = bed_copy(&bed, &size);
    for (size_t at = 33; at < size; at += 97) {
        bytes[at] ^= 0x21;
        check(bytes, size, &frame_note);
        bytes[at] ^= 0x21;
    }
    free(bytes);
    bed_end(&bed);
}

/* The directory of a section of 65,536 records is not made longer: a section of its own follows. */
static void a_full_section_is_ended_and_the_notes_get_their_own(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 64 << 20 };
    struct fg_capture_new_note notes[32];
    bed_begin(&bed, &options);
    sample_begin(&bed.sample);
    struct fg_cap_note note = { .frame = FG_CAP_UNKNOWN, .clock = FG_CAP_NONE, .text = { "x", 1 } };
    for (size_t i = 0; i < 65500; i++) {
        assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_OK);
    }
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    for (size_t i = 0; i < 32; i++) {
        notes[i] = i % 2 == 0 ? time_note
                              : (struct fg_capture_new_note){ .frame = FG_CAP_UNKNOWN,
                                                              .text = { "new one", 7 } };
    }
    struct fg_source source = bed_source(&bed, &view);
    struct fg_memory_view copy_view;
    copy_view.bytes = amended(&source, notes, 32, &copy_view.size);
    struct fg_source copy = fg_memory_source(&copy_view);
    struct content content = content_of(&copy);
    struct fg_capture *capture;
    struct fg_capture_record record;
    size_t directories = 0;
    assert_int_equal(content.note_count, 32);
    assert_kinds_within(&content, &no_defects);
    assert_int_equal(fg_capture_open(&copy, NULL, NULL, &capture), FG_OK);
    uint32_t after_directory = 0;
    bool is_after = false;
    while (fg_capture_next(capture, &record) == FG_OK) {
        after_directory = is_after ? record.type : after_directory;
        is_after = record.type == FG_CAPTURE_DIRE;
        directories += is_after;
        if (is_after) {
            assert_true(fgi_load_u32((const uint8_t *)record.payload + 28) <= 65536);
        }
    }
    assert_int_equal(directories, 2);
    assert_int_equal(after_directory, FG_CAPTURE_CKPT);
    fg_capture_close(capture);
    free((void *)(uintptr_t)copy_view.bytes);
    bed_end(&bed);
}

static void what_cannot_be_done_is_said(void **state)
{
    (void)state;
    struct fg_memory_view view = { "no capture", 10 };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture_amendment made = { .keep_bytes = 77 };
    struct fg_diag diag = { 0 };
    assert_int_equal(fg_capture_amend(&source, NULL, &frame_note, 1, &diag, &made), FG_ERR_FORMAT);
    assert_memory_equal(diag.message, "short_header", 12);
    struct bed bed;
    write_sections(&bed);
    source = bed_source(&bed, &view);
    const struct fg_capture_new_note empty = { .frame = 1 };
    assert_int_equal(fg_capture_amend(&source, NULL, &empty, 1, &diag, &made), FG_ERR_ARGUMENT);
    /* Nothing but the header is left. */
    view.size = 32;
    assert_int_equal(fg_capture_amend(&source, NULL, &frame_note, 1, &diag, &made), FG_ERR_CORRUPT);
    /* META is there, the clock is not. */
    view.size = 32 + 16 + fgi_load_u32((const uint8_t *)view.bytes + 32 + 8);
    assert_int_equal(fg_capture_amend(&source, NULL, &time_note, 1, &diag, &made),
                     FG_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "clock"));
    assert_int_equal(made.keep_bytes, 77);
    bed_end(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_capture_gets_notes_and_nothing_else_changes),
        cmocka_unit_test(a_copy_can_be_copied_again),
        cmocka_unit_test(a_time_is_kept_to_the_nanosecond),
        cmocka_unit_test(a_crashed_capture_gets_its_end),
        cmocka_unit_test(damage_stays_what_it_was),
        cmocka_unit_test(a_full_section_is_ended_and_the_notes_get_their_own),
        cmocka_unit_test(what_cannot_be_done_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
