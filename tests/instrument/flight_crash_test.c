/* SPDX-License-Identifier: MIT */
/* What a program that crashes leaves behind: read by our reader, by the second one, and judged. */
#include "flight_bed.h"
#include "suite_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_HANDLED = 42, WAIT_STEPS = 12000 };

static char folder[FLIGHT_PATH_BYTES];

static int setup(void **state)
{
    (void)state;
    flight_folder_make(folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    flight_folder_remove(folder);
    return 0;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void nap(void)
{
    const struct timespec step = { .tv_nsec = 10000000 };
    (void)nanosleep(&step, NULL);
}

/* `out_pipe`: where it says that it runs; NULL = nobody asks. */
static pid_t start(const char *way, int *out_pipe)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execl(FLIGHT_CHILD, FLIGHT_CHILD, folder, way, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    if (out_pipe != NULL) {
        *out_pipe = ends[0];
    } else {
        (void)close(ends[0]);
    }
    return child;
}

/* Its status; a program that hangs for two minutes fails the test. */
static int end_of(pid_t child)
{
    int status;
    for (int i = 0; i < WAIT_STEPS; i++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            return status;
        }
        nap();
    }
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    fail_msg("the program did not end");
    return 0;
}

/* Sanitizers have handlers of their own, which end the program in their way. */
static void assert_died_by(int status, int number)
{
    if (WIFSIGNALED(status)) {
        assert_int_equal(WTERMSIG(status), number);
    } else {
        assert_true(WIFEXITED(status));
        assert_int_not_equal(WEXITSTATUS(status), 0);
        assert_int_not_equal(WEXITSTATUS(status), 127);
        assert_int_not_equal(WEXITSTATUS(status), 43);
    }
}

static void crash_by(const char *way, int number)
{
    assert_died_by(end_of(start(way, NULL)), number);
}

/* ---- its dump -------------------------------------------------------------------------------- */

struct raw {
    size_t event_count; /* in ZRAW records, of any kind */
    size_t begin_count; /* zones that were open */
    bool has_outer, has_inner, has_mark, has_second;
    size_t busy_count;
    uint16_t outer_depth, inner_depth;
    bool has_streamed;  /* a zone in a SPAN record */
    size_t track_count; /* of threads that have events or spans */
    uint32_t tracks[8];
};

static void see_track(struct raw *raw, uint32_t track)
{
    for (size_t i = 0; i < raw->track_count; i++) {
        if (raw->tracks[i] == track) {
            return;
        }
    }
    assert_true(raw->track_count < 8);
    raw->tracks[raw->track_count++] = track;
}

static void read_block(struct raw *raw, const struct fg_capture *capture,
                       const struct fg_cap_span_block *block)
{
    for (size_t i = 0; i < block->span_count; i++) {
        const char *name = fg_capture_symbol(capture, block->spans[i].name, NULL);
        if (strcmp(name, "child/update") == 0) {
            raw->has_streamed = true;
            see_track(raw, block->track);
        }
    }
}

static void read_events(struct raw *raw, const struct fg_capture *capture,
                        const struct fg_cap_events *events)
{
    for (size_t i = 0; i < events->event_count; i++) {
        const struct fg_cap_event *event = &events->events[i];
        const char *name = fg_capture_symbol(capture, event->symbol, NULL);
        raw->event_count++;
        if (event->kind == FG_CAP_EVENT_BEGIN) {
            raw->begin_count++;
            if (strcmp(name, "child/outer") == 0) {
                raw->has_outer = true;
                raw->outer_depth = event->depth;
            } else if (strcmp(name, "child/inner") == 0) {
                raw->has_inner = true;
                raw->inner_depth = event->depth;
            } else if (strcmp(name, "child/second thread") == 0) {
                raw->has_second = true;
            } else if (strcmp(name, "child/busy") == 0) {
                raw->busy_count++;
            }
        } else if (strcmp(name, "child/about to crash") == 0) {
            raw->has_mark = true;
            assert_int_equal(event->value, 7);
        }
    }
}

static void read_raw(struct raw *raw, const char *name)
{
    size_t size;
    struct fg_capture *capture;
    struct fg_capture_record record;
    void *bytes = flight_file_read(folder, name, &size);
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    memset(raw, 0, sizeof *raw);
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_ZRAW) {
            see_track(raw, record.events->track);
            read_events(raw, capture, record.events);
        } else if (record.type == FG_CAPTURE_SPAN) {
            read_block(raw, capture, record.span_block);
        }
    }
    fg_capture_close(capture);
    free(bytes);
}

/* All there are, by the reader that was written from the format's description alone. */
static void assert_second_reader_agrees(void)
{
    char command[6 * FLIGHT_PATH_BYTES];
    (void)snprintf(command, sizeof command,
                   "'%s' -B '%s/tests/second_reader/sgpt_check.py' '%s'/*.sgpt", PYTHON,
                   FG_SOURCE_DIR, folder);
    assert_int_equal(system(command), 0);
}

/* The dump of crash `number` in the folder, from 1; without a defect for our reader. */
static void read_crash(struct seen *seen, struct raw *raw, int number, const char *reason)
{
    char name[32];
    (void)snprintf(name, sizeof name, "signal-%04d.sgpt", number);
    flight_dump_read(seen, folder, name);
    read_raw(raw, name);
    assert_false(seen->info.closed);
    assert_int_equal(seen->note_count, 1);
    assert_memory_equal(seen->note, reason, strlen(reason));
    assert_int_equal(seen->note_frame, seen->frames[seen->frame_count - 1].frame);
#if FG_LEVEL >= 2
    assert_true(raw->event_count != 0);
#endif
}

static void read_usual_crash(int number, const char *reason)
{
    struct seen seen;
    struct raw raw;
    read_crash(&seen, &raw, number, reason);
    assert_int_equal(seen.frame_count, 40);
    assert_string_equal(seen.frames[39].passes[0].label, "pass");
    assert_true(seen.frames[0].passes[0].has_span);
#if FG_LEVEL >= 2
    assert_true(raw.has_outer && raw.has_inner && raw.has_mark);
    assert_int_equal(raw.outer_depth, 0);
    assert_int_equal(raw.inner_depth, 1);
#endif
    seen_free(&seen);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void a_fault_leaves_the_ring_and_what_threads_had_open(void **state)
{
    (void)state;
    crash_by("fault", SIGSEGV);
    read_usual_crash(1, "flight recorder: the process got SIGSEGV for address 0x8");
    assert_second_reader_agrees();
}

#if FG_LEVEL >= 2
/* Without a device, zones of the frames are in the ring, those after the last frame behind it. */
static void a_program_without_a_device_leaves_its_loop_and_its_zones(void **state)
{
    struct seen seen;
    struct raw raw;
    (void)state;
    crash_by("loop", SIGSEGV);
    read_crash(&seen, &raw, 1, "flight recorder: the process got SIGSEGV for address 0x8");
    assert_int_equal(seen.frame_count, 40);
    assert_true(raw.has_outer && raw.has_inner && raw.has_mark);
    assert_true(raw.has_streamed);
    assert_int_equal(raw.track_count, 1); /* the same one */
    seen_free(&seen);
    assert_second_reader_agrees();
}
#endif

static void an_abort_leaves_a_dump(void **state)
{
    (void)state;
    crash_by("abort", SIGABRT);
    read_usual_crash(1, "flight recorder: the process got SIGABRT");
    assert_second_reader_agrees();
}

static void every_signal_that_was_asked_for_leaves_a_dump(void **state)
{
    static const struct {
        const char *way;
        int number;
        const char *reason;
    } ways[] = {
        { "ill", SIGILL, "flight recorder: the process got SIGILL" },
        { "fpe", SIGFPE, "flight recorder: the process got SIGFPE" },
        { "bus", SIGBUS, "flight recorder: the process got SIGBUS" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        crash_by(ways[i].way, ways[i].number);
        read_usual_crash((int)i + 1, ways[i].reason);
    }
    assert_second_reader_agrees();
}

static void a_stack_that_overflows_leaves_a_dump_where_there_is_an_alternate_one(void **state)
{
    (void)state;
    crash_by("overflow", SIGSEGV);
    read_usual_crash(1, "flight recorder: the process got SIGSEGV for address 0x");
    assert_second_reader_agrees();
}

static void two_threads_that_crash_leave_one_whole_dump(void **state)
{
    struct seen seen;
    struct raw raw;
    struct flight_files files;
    (void)state;
    for (int i = 1; i <= 5; i++) {
        crash_by("twice", SIGSEGV);
        flight_files_list(&files, folder);
        assert_int_equal(files.count, i);
        read_crash(&seen, &raw, i, "flight recorder: the process got SIGSEGV for address 0x8");
#if FG_LEVEL >= 2
        assert_true(raw.has_outer && raw.has_second);
#endif
        seen_free(&seen);
    }
    assert_second_reader_agrees();
}

#if FG_LEVEL >= 2
static void what_busy_threads_did_last_costs_no_open_zone(void **state)
{
    struct seen seen;
    struct raw raw;
    (void)state;
    crash_by("busy", SIGSEGV);
    read_crash(&seen, &raw, 1, "flight recorder: the process got SIGSEGV for address 0x8");
    assert_true(raw.has_outer && raw.has_inner && raw.has_mark);
    assert_int_equal(raw.busy_count, 3);
    assert_true(raw.event_count > 4 * 256); /* and the newest of what they did */
    seen_free(&seen);
    assert_second_reader_agrees();
}
#endif

static void a_crash_inside_of_the_recorder_costs_that_part_only(void **state)
{
    struct seen seen;
    (void)state;
    crash_by("broken", SIGSEGV);
    flight_dump_read(&seen, folder, "signal-0001.sgpt");
    assert_second_reader_agrees();
    assert_int_equal(seen.frame_count, 40);
    assert_int_equal(seen.note_count, 1);
    seen_free(&seen);
}

static void a_full_disk_leaves_whole_records(void **state)
{
    struct seen seen;
    struct flight_files files;
    (void)state;
    crash_by("full", SIGSEGV);
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 1);
    assert_true(files.total_bytes <= 100 * KIB);
    flight_dump_read(&seen, folder, files.names[0]);
    assert_second_reader_agrees();
    assert_true(seen.frame_count > 10);
    seen_free(&seen);
}

static void the_handler_that_was_there_before_runs_after_the_dump(void **state)
{
    (void)state;
    int status = end_of(start("handled", NULL));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_HANDLED);
    read_usual_crash(1, "flight recorder: the process got SIGSEGV for address 0x8");
    assert_second_reader_agrees();
}

static void a_program_that_lives_on_records_on(void **state)
{
    struct seen seen;
    (void)state;
    int status = end_of(start("recover", NULL));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_HANDLED);
    read_usual_crash(1, "flight recorder: the process got SIGSEGV for address 0x8");
    flight_dump_read(&seen, folder, "call-0002.sgpt");
    assert_true(seen.info.closed);
    assert_int_equal(seen.frames[seen.frame_count - 1].frame, 4039);
    seen_free(&seen);
    assert_second_reader_agrees();
}

static void a_crash_in_a_child_of_fork_or_after_the_session_leaves_none(void **state)
{
    struct flight_files files;
    (void)state;
    int status = end_of(start("fork", NULL));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    crash_by("destroyed", SIGSEGV);
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 0);
}

/* Whatever it was doing: most of the time, writing a frame into the ring. */
static void a_program_that_is_killed_while_it_records_leaves_a_dump_without_a_defect(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct seen seen;
        struct raw raw;
        int running;
        char byte;
        pid_t child = start("run", &running);
        assert_int_equal(read(running, &byte, 1), 1);
        for (int n = 0; n < i; n++) {
            nap();
        }
        assert_int_equal(kill(child, SIGSEGV), 0);
        assert_died_by(end_of(child), SIGSEGV);
        (void)close(running);
        read_crash(&seen, &raw, i + 1, "flight recorder: the process got SIGSEGV");
        seen_free(&seen);
    }
    assert_second_reader_agrees();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_fault_leaves_the_ring_and_what_threads_had_open, setup,
                                    teardown),
#if FG_LEVEL >= 2
    cmocka_unit_test_setup_teardown(a_program_without_a_device_leaves_its_loop_and_its_zones, setup,
                                    teardown),
#endif
    cmocka_unit_test_setup_teardown(an_abort_leaves_a_dump, setup, teardown),
    cmocka_unit_test_setup_teardown(every_signal_that_was_asked_for_leaves_a_dump, setup, teardown),
    cmocka_unit_test_setup_teardown(
        a_stack_that_overflows_leaves_a_dump_where_there_is_an_alternate_one, setup, teardown),
    cmocka_unit_test_setup_teardown(two_threads_that_crash_leave_one_whole_dump, setup, teardown),
#if FG_LEVEL >= 2
    cmocka_unit_test_setup_teardown(what_busy_threads_did_last_costs_no_open_zone, setup, teardown),
#endif
    cmocka_unit_test_setup_teardown(a_crash_inside_of_the_recorder_costs_that_part_only, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_full_disk_leaves_whole_records, setup, teardown),
    cmocka_unit_test_setup_teardown(the_handler_that_was_there_before_runs_after_the_dump, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_program_that_lives_on_records_on, setup, teardown),
    cmocka_unit_test_setup_teardown(a_crash_in_a_child_of_fork_or_after_the_session_leaves_none,
                                    setup, teardown),
    cmocka_unit_test_setup_teardown(
        a_program_that_is_killed_while_it_records_leaves_a_dump_without_a_defect, setup, teardown),
};
FGT_INSTRUMENT_SUITE(flight_crash, tests)
