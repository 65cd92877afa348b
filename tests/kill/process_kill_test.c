/* SPDX-License-Identifier: MIT */
/* A session without a device, killed: the process's frames, and the zones of all but the last. */
#include "../support/cmocka_all.h"

#include "kill_bed.h"

#include <frameglass/instrument.h>

#include <stdio.h>
#include <string.h>

enum { FRAMES = 200, MARKS = 3 };

static void record_frame(unsigned number)
{
    FG_FRAME();
    FG_ZONE("process/update");
    for (int64_t i = 0; i < MARKS; i++) {
        FG_EVENT("process/mark", (int64_t)number * MARKS + i);
    }
    FG_FRAME_COUNTER_ADD("process/number", FG_UNIT_COUNT, number);
}

static enum fg_result record_all(struct child *child, const struct fg_session_options *options)
{
    struct fg_session *session = NULL;
    enum fg_result result = fg_session_create(NULL, options, &session);
    if (result == FG_OK) {
        result = fg_session_start(session);
    }
    for (unsigned i = 0; i < FRAMES && result == FG_OK; i++) {
        struct fg_session_status status;
        record_frame(i);
        fg_session_get_status(session, &status);
        result = status.result;
        if (options->path != NULL) {
            child_frame_done(child, status.frames_written);
        }
    }
    return result == FG_OK ? fg_session_finish(session, 0) : result;
}

static enum fg_result record(struct child *child)
{
    const struct fg_allocator allocator = child_allocator(child);
    const struct fg_sink sink = child_sink(child);
    enum fg_result result = child_open(child);
    return result == FG_OK
               ? record_all(child,
                            &(struct fg_session_options){ .allocator = &allocator, .sink = &sink })
               : result;
}

static enum fg_result record_path(struct child *child)
{
    return record_all(child, &(struct fg_session_options){ .path = child->path });
}

static void check_frame(const struct fg_capture *capture, const struct fg_cap_frame *frame)
{
    bool is_there = false;
    for (size_t i = 0; i < frame->counter_count; i++) {
        const char *name = fg_capture_symbol(capture, frame->counters[i].name, NULL);
        if (strcmp(name, "process/number") == 0) {
            assert_int_equal(frame->counters[i].value.i, frame->frame);
            is_there = true;
        }
    }
    assert_true(is_there);
}

/* Marks are numbered: none is missing between two, and those of whole frames are all there. */
static void check_marks(const struct fg_source *source, uint64_t frames)
{
    struct fg_capture *capture;
    struct fg_capture_record record;
    uint64_t marks = 0, zones = 0;
    assert_int_equal(fg_capture_open(source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type != FG_CAPTURE_SPAN) {
            continue;
        }
        for (size_t i = 0; i < record.span_block->span_count; i++) {
            const struct fg_cap_block_span *span = &record.span_block->spans[i];
            const char *name = fg_capture_symbol(capture, span->name, NULL);
            if (strcmp(name, "process/mark") == 0) {
                assert_int_equal(span->value, marks);
                marks++;
            } else {
                assert_string_equal(name, "process/update");
                zones++;
            }
        }
    }
    assert_true(marks >= frames * MARKS);
    assert_true(zones >= frames);
    fg_capture_close(capture);
}

static void check_all_but_one(const struct fg_source *source, uint64_t durable_frames)
{
    check_marks(source, durable_frames == 0 ? 0 : durable_frames - 1);
}

/* `exact` after a frame whose call has returned. */
static const struct kill_test sink_test = { record, check_frame, FRAMES, check_all_but_one };
static const struct kill_test path_test = { record_path, check_frame, FRAMES, check_marks };

static void after_a_frame_all_that_it_said_is_in_the_file(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        kill_once(&path_test, BETWEEN_FRAMES, i * i * 7, 0);
    }
}

static void killed_in_the_write_of_a_frame_it_loses_that_frame_at_most(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        kill_once(&sink_test, AT_FRAME_WRITE, 1 + i * 19, i * 31 % 101);
    }
}

static void killed_at_any_time_it_keeps_what_was_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        kill_once(&sink_test, AT_ANY_TIME, i * 30, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_frame_all_that_it_said_is_in_the_file),
        cmocka_unit_test(killed_in_the_write_of_a_frame_it_loses_that_frame_at_most),
        cmocka_unit_test(killed_at_any_time_it_keeps_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
