/* SPDX-License-Identifier: MIT */
/* A document whose input grows while it is looked at. */
#include "base/clock.h"
#include "base/thread.h"
#include "capture_bed.h"

#include <frameglass/open.h>
#include <frameglass/trace.h>

#include "cmocka_all.h"

#include <stdlib.h>

enum { FRAMES = 12 };

static void write_frames(struct bed *bed, uint64_t first, uint64_t end, uint32_t topology)
{
    for (uint64_t frame = first; frame < end; frame++) {
        sample_frame(&bed->sample, frame, topology, 3, 0);
    }
    assert_int_equal(fg_capture_writer_flush(bed->sample.writer), FG_OK);
}

static uint64_t frames_of(const struct fg_document *document)
{
    struct fg_trace_info info;
    fg_trace_get_info(fg_document_trace(document), &info);
    return info.frames;
}

static void a_document_that_is_followed_grows_with_its_input(void **state)
{
    (void)state;
    struct bed bed;
    size_t first_size;
    size_t size;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 3);
    write_frames(&bed, 0, FRAMES / 2, topology);
    free(bed_copy(&bed, &first_size));
    write_frames(&bed, FRAMES / 2, FRAMES, topology);
    uint8_t *bytes = bed_copy(&bed, &size);

    struct fg_memory_view view = { bytes, first_size };
    struct fg_source source = fg_memory_source(&view);
    const struct fg_open_options options = { .flags = FG_OPEN_FOLLOW };
    struct fg_document *document = NULL;
    bool has_grown = true;
    assert_int_equal(fg_open_source(&source, &options, NULL, &document), FG_OK);
    assert_int_equal(fg_document_load(document, NULL), FG_OK);
    assert_int_equal(frames_of(document), FRAMES / 2);
    assert_int_equal(fg_document_poll(document, NULL, &has_grown), FG_OK);
    assert_false(has_grown);
    view.size = size;
    assert_int_equal(fg_document_poll(document, NULL, &has_grown), FG_OK);
    assert_true(has_grown);
    assert_int_equal(frames_of(document), FRAMES);
    assert_int_equal(fg_document_frame_count(document), FRAMES);
    assert_non_null(fg_document_engine(document));
    fg_document_close(document);
    free(bytes);
    bed_end(&bed);
}

static void a_document_that_is_not_followed_stays_as_it_was(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    write_frames(&bed, 0, FRAMES, sample_topology(&bed.sample, 0, 3));
    uint8_t *bytes = bed_copy(&bed, &size);
    struct fg_memory_view view = { bytes, size / 2 };
    struct fg_source source = fg_memory_source(&view);
    struct fg_document *document = NULL;
    bool has_grown = true;
    assert_int_equal(fg_open_source(&source, NULL, NULL, &document), FG_OK);
    assert_int_equal(fg_document_load(document, NULL), FG_OK);
    uint64_t frames = frames_of(document);
    view.size = size;
    assert_int_equal(fg_document_poll(document, NULL, &has_grown), FG_OK);
    assert_false(has_grown);
    assert_int_equal(frames_of(document), frames);
    fg_document_close(document);
    free(bytes);
    bed_end(&bed);
}

/* ---- what following costs -------------------------------------------------------------------- */

enum { SLOW_NS = 60000000 };

static bool take_time(void *context, uint64_t done, uint64_t total)
{
    bool *is_slow = context;
    (void)done;
    (void)total;
    if (*is_slow) {
        fgi_sleep_ns(SLOW_NS);
        *is_slow = false;
    }
    return true;
}

static void making_a_trace_anew_takes_a_quarter_of_the_time_at_most(void **state)
{
    struct bed bed;
    size_t sizes[3];
    uint8_t *bytes = NULL;
    bool is_slow = false;
    bool has_grown = false;
    struct fg_document *document = NULL;
    (void)state;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 3);
    for (uint64_t i = 0; i < 3; i++) {
        write_frames(&bed, i * 2, i * 2 + 2, topology);
        free(bytes);
        bytes = bed_copy(&bed, &sizes[i]);
    }
    struct fg_memory_view view = { bytes, sizes[0] };
    struct fg_source source = fg_memory_source(&view);
    const struct fg_open_options options = { .flags = FG_OPEN_FOLLOW,
                                             .progress = take_time,
                                             .progress_context = &is_slow };
    assert_int_equal(fg_open_source(&source, &options, NULL, &document), FG_OK);
    assert_int_equal(fg_document_load(document, NULL), FG_OK);
    view.size = sizes[1];
    is_slow = true;
    assert_int_equal(fg_document_poll(document, NULL, &has_grown), FG_OK);
    assert_true(has_grown);
    int64_t done_ns = fgi_clock_monotonic_ns();
    view.size = sizes[2];
    do {
        assert_int_equal(fg_document_poll(document, NULL, &has_grown), FG_OK);
    } while (!has_grown);
    /* The clock of the rule was read a little before ours. */
    assert_true(fgi_clock_monotonic_ns() - done_ns > SLOW_NS * INT64_C(2));
    assert_int_equal(frames_of(document), 6);
    fg_document_close(document);
    free(bytes);
    bed_end(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_that_is_followed_grows_with_its_input),
        cmocka_unit_test(a_document_that_is_not_followed_stays_as_it_was),
        cmocka_unit_test(making_a_trace_anew_takes_a_quarter_of_the_time_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
