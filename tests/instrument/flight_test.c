/* SPDX-License-Identifier: MIT */
/* The flight recorder: its ring, what triggers a dump, what is in it, and where it goes. */
#include "flight_bed.h"
#include "suite_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void open_flight(struct bed *bed, const struct fg_flight_options *flight)
{
    bed_open(bed, NULL, &(struct fg_session_options){ .flight = flight });
}

/* Frames of 1 ms on the CPU and 4 passes of 0.1 ms on the GPU, 16 ms apart. */
static void run_frame(struct bed *bed, int64_t cpu_ns, int64_t gpu_ns)
{
    bed_begin(bed, 1);
    for (uint32_t i = 0; i < 4; i++) {
        bed_pass(bed, 0, "pass", gpu_ns / 4);
    }
    fg_software_advance(bed->device, cpu_ns);
    bed_end(bed);
    fg_software_advance(bed->device, 16 * MS);
}

static void run_frames(struct bed *bed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run_frame(bed, MS, MS / 2);
    }
}

static struct fg_flight_status status_of(const struct bed *bed)
{
    struct fg_flight_status status;
    fg_flight_get_status(bed->session, &status);
    return status;
}

static void wait_for_dumps(const struct bed *bed)
{
    assert_true(fg_flight_wait(bed->session, 60 * (int64_t)SECOND_NS));
}

/* ---- the ring -------------------------------------------------------------------------------- */

static void a_ring_stays_within_its_bytes_however_long_it_runs(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed, &(struct fg_flight_options){ .ring_bytes = 256 * KIB, .folder = folder });
    for (int i = 0; i < 50; i++) {
        run_frames(&bed, 100);
        assert_true(status_of(&bed).kept_bytes <= 256 * KIB);
    }
    struct fg_flight_status status = status_of(&bed);
    assert_true(status.forgotten_bytes > 256 * KIB);
    assert_true(status.kept_bytes > 128 * KIB);
    assert_int_equal(status.overflows, 0);
    assert_int_equal(fg_flight_dump(bed.session, "the end"), FG_OK);
    flight_dump_only(&seen, folder);
    assert_true(seen.info.closed);
    assert_int_equal(seen.frames[seen.frame_count - 1].frame, 4999);
    assert_true(seen.frames[0].frame > 1000);
    assert_string_equal(seen.frames[0].passes[0].label, "pass");
    seen_free(&seen);
    bed_close(&bed);
}

static void a_ring_of_some_seconds_forgets_what_is_older(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed,
                &(struct fg_flight_options){ .ring_ns = 2 * (int64_t)SECOND_NS, .folder = folder });
    run_frames(&bed, 1000); /* 17 s */
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_OK);
    flight_dump_only(&seen, folder);
    int64_t span_ns =
        (int64_t)(seen.frames[seen.frame_count - 1].end_ticks - seen.frames[0].begin_ticks);
    assert_true(span_ns >= 19 * (int64_t)SECOND_NS / 10);
    assert_true(span_ns <= 25 * (int64_t)SECOND_NS / 10);
    seen_free(&seen);
    bed_close(&bed);
}

static void a_snapshot_is_what_the_ring_holds(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    size_t size;
    open_flight(&bed, &(struct fg_flight_options){ 0 });
    run_frames(&bed, 10);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_session_snapshot(bed.session, &sink), FG_OK);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    seen_read(&seen, bytes, size);
    assert_int_equal(seen.frame_count, 10);
    assert_true(seen.info.closed);
    assert_int_equal(seen.note_count, 0);
    seen_free(&seen);
    fg_memory_sink_destroy(memory);
    /* There is nowhere for a dump to go. */
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_ERR_STATE);
    bed_close(&bed);
}

static void a_record_larger_than_the_ring_costs_its_section(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed, &(struct fg_flight_options){ .ring_bytes = 256 * KIB, .folder = folder });
    run_frames(&bed, 10);
    char *text = malloc(300 * KIB);
    memset(text, 'x', 300 * KIB - 1);
    text[300 * KIB - 1] = 0;
    assert_int_equal(fg_session_note(bed.session, text), FG_OK);
    run_frames(&bed, 10);
    assert_int_equal(status_of(&bed).overflows, 1);
    assert_int_equal(fg_flight_dump(bed.session, "large"), FG_OK);
    assert_true(status_of(&bed).kept_bytes <= 256 * KIB);
    run_frames(&bed, 3000);
    flight_dump_only(&seen, folder);
    seen_free(&seen);
    assert_int_equal(fg_flight_dump(bed.session, "later"), FG_OK);
    struct flight_files files;
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 2);
    flight_dump_read(&seen, folder, files.names[1]);
    assert_int_equal(seen.frames[seen.frame_count - 1].frame, 3019);
    seen_free(&seen);
    free(text);
    bed_close(&bed);
}

/* ---- triggers -------------------------------------------------------------------------------- */

static void a_call_dumps_at_once_with_its_reason(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed, &(struct fg_flight_options){ .folder = folder });
    run_frames(&bed, 20);
    assert_int_equal(fg_flight_dump(bed.session, "F9 was pressed"), FG_OK);
    flight_dump_only(&seen, folder);
    assert_true(seen.info.closed);
    assert_int_equal(seen.frame_count, 20);
    assert_int_equal(seen.note_count, 1);
    assert_string_equal(seen.note, "flight recorder: F9 was pressed");
    assert_int_equal(seen.note_frame, 19);
    seen_free(&seen);
    struct fg_flight_status status = status_of(&bed);
    assert_int_equal(status.written, 1);
    assert_int_equal(status.triggers, 0);
    assert_false(status.pending);
    bed_close(&bed);
}

static void a_frame_over_its_time_is_dumped_with_what_follows(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    struct flight_files files;
    open_flight(&bed, &(struct fg_flight_options){ .folder = folder,
                                                   .pattern = "{cause}-{number}.sgpt",
                                                   .frame_ns = 20 * MS,
                                                   .after_frames = 6 });
    run_frames(&bed, 20);
    run_frame(&bed, 20 * MS, MS); /* as long, not longer */
    assert_int_equal(status_of(&bed).triggers, 0);
    run_frame(&bed, 21 * MS, MS);
    run_frames(&bed, 5);
    assert_true(status_of(&bed).pending);
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 0);
    run_frames(&bed, 1);
    wait_for_dumps(&bed);
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 1);
    assert_string_equal(files.names[0], "frame-0001.sgpt");
    flight_dump_only(&seen, folder);
    assert_true(seen.frame_count >= 28);
    assert_int_equal(seen.note_frame, 21);
    assert_string_equal(seen.note,
                        "flight recorder: frame 21 took 21.000 ms on the CPU, over 20.000 ms");
    assert_true(seen.frames[21].passes[0].has_span);
    seen_free(&seen);
    assert_int_equal(status_of(&bed).written, 1);
    bed_close(&bed);
}

static void a_frame_over_its_time_on_the_gpu_is_dumped(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed, &(struct fg_flight_options){
                          .folder = folder, .frame_ns = 5 * MS, .after_frames = 2 });
    run_frames(&bed, 5);
    run_frame(&bed, MS, 8 * MS);
    run_frames(&bed, 5);
    wait_for_dumps(&bed);
    flight_dump_only(&seen, folder);
    assert_string_equal(seen.note,
                        "flight recorder: frame 5 took 8.000 ms on the GPU, over 5.000 ms");
    seen_free(&seen);
    bed_close(&bed);
}

static void a_frame_over_the_percentile_of_those_before_is_dumped(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(
        &bed,
        &(struct fg_flight_options){
            .folder = folder, .percentile = 90, .factor = 2, .frames = 20, .after_frames = 1 });
    /* Not before there are 20 to judge by. */
    run_frames(&bed, 19);
    run_frame(&bed, 30 * MS, MS);
    assert_int_equal(status_of(&bed).triggers, 0);
    /* Percentile 90 of 18 times 1 ms and 2 times 3 ms is 1 ms; of 17 and 3 it is 3 ms. */
    run_frames(&bed, 20);
    run_frame(&bed, 2 * MS, MS / 2);
    assert_int_equal(status_of(&bed).triggers, 0);
    run_frame(&bed, 2 * MS, MS / 2);
    run_frame(&bed, 2 * MS, MS / 2);
    run_frame(&bed, 3 * MS, MS / 2); /* 17 of 1 ms, 3 of 2 ms: the limit is 4 ms */
    assert_int_equal(status_of(&bed).triggers, 0);
    run_frame(&bed, 5 * MS, MS / 2);
    run_frames(&bed, 2);
    wait_for_dumps(&bed);
    assert_int_equal(status_of(&bed).triggers, 1);
    flight_dump_only(&seen, folder);
    assert_string_equal(seen.note, "flight recorder: frame 44 took 5.000 ms on the CPU, over 2 "
                                   "times percentile 90 (2.000 ms) of 20 frames");
    seen_free(&seen);
    bed_close(&bed);
}

static void run_valued(struct bed *bed, const char *name, int64_t value)
{
    bed_begin(bed, 1);
    fg_frame_counter(bed->frame, name, FG_UNIT_COUNT, value);
    bed_end(bed);
    fg_software_advance(bed->device, 16 * MS);
}

static void a_counter_that_crosses_a_value_is_dumped(void **state)
{
    (void)state;
    static const int64_t values[] = { 200, 50, 99, 100, 150, 100 };
    static const uint64_t triggers[] = { 0, 0, 0, 1, 1, 1 };
    struct bed bed;
    struct seen seen;
    const struct fg_flight_metric metrics[] = {
        { .name = "other", .value = 0 },
        { .name = "objects", .edge = FG_FLIGHT_RISES, .value = 100 },
        { .name = "objects", .edge = FG_FLIGHT_FALLS, .value = 10 },
    };
    open_flight(&bed, &(struct fg_flight_options){ .folder = folder,
                                                   .metrics = metrics,
                                                   .metric_count = 3,
                                                   .after_frames = 1,
                                                   .distance_ns = 1 });
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        run_valued(&bed, "objects", values[i]);
        assert_int_equal(status_of(&bed).triggers, triggers[i]);
    }
    wait_for_dumps(&bed);
    flight_dump_only(&seen, folder);
    assert_string_equal(seen.note, "flight recorder: objects rose to 100, over 100");
    assert_int_equal(seen.note_frame, 3);
    seen_free(&seen);
    run_valued(&bed, "objects", 10);
    assert_int_equal(status_of(&bed).triggers, 2);
    bed_close(&bed);
}

#if FG_LEVEL >= 1
/* In a session without a device, whose frames are those of the loop. */
static void a_metric_of_the_process_that_crosses_a_value_is_dumped(void **state)
{
    (void)state;
    struct fg_session *session;
    struct seen seen;
    struct fg_flight_status status;
    const struct fg_metric gauge = fg_metric_register(
        &(struct fg_metric_desc){ .name = "flight/gauge", .kind = FG_METRIC_GAUGE });
    const struct fg_flight_metric metric = { .name = "flight/gauge", .value = 50 };
    const struct fg_flight_options flight = {
        .folder = folder, .metrics = &metric, .metric_count = 1, .after_frames = 2
    };
    assert_int_equal(
        fg_session_create(NULL, &(struct fg_session_options){ .flight = &flight }, &session),
        FG_OK);
    fg_gauge_set(gauge, 10);
    assert_int_equal(fg_session_start(session), FG_OK);
    for (int i = 0; i < 20; i++) {
        assert_true(fg_loop_begin(NULL));
        fg_gauge_set(gauge, i < 10 ? 20 : 60);
        assert_true(fg_loop_end(NULL));
        fg_instrument_drain();
    }
    /* Metrics are looked at once a millisecond, frames or not. */
    assert_int_equal(fg_session_finish(session, 60 * (int64_t)SECOND_NS), FG_OK);
    fg_flight_get_status(session, &status);
    assert_int_equal(status.triggers, 1);
    assert_int_equal(status.written, 1);
    flight_dump_only(&seen, folder);
    assert_string_equal(seen.note, "flight recorder: flight/gauge rose to 60, over 50");
    assert_true(seen.frame_count > 0);
    seen_free(&seen);
    fg_session_destroy(session);
}
#endif

static void triggers_keep_their_distance(void **state)
{
    (void)state;
    struct bed bed;
    open_flight(&bed, &(struct fg_flight_options){ .folder = folder,
                                                   .frame_ns = 20 * MS,
                                                   .after_frames = 2,
                                                   .distance_ns = SECOND_NS });
    run_frame(&bed, 30 * MS, MS);
    run_frame(&bed, 30 * MS, MS);
    assert_int_equal(status_of(&bed).refused_busy, 1);
    run_frames(&bed, 2);
    wait_for_dumps(&bed);
    run_frame(&bed, 30 * MS, MS);
    assert_int_equal(status_of(&bed).refused_distance, 1);
    run_frames(&bed, 60);
    run_frame(&bed, 30 * MS, MS);
    run_frames(&bed, 2);
    wait_for_dumps(&bed);
    struct fg_flight_status status = status_of(&bed);
    assert_int_equal(status.written, 2);
    assert_int_equal(status.triggers, 4);
    assert_int_equal(status.refused_distance, 1);
    /* A call keeps none. */
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_OK);
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_OK);
    assert_int_equal(status_of(&bed).written, 4);
    bed_close(&bed);
}

static void a_window_that_is_open_at_the_end_is_dumped_before_finish_returns(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed, &(struct fg_flight_options){ .folder = folder,
                                                   .frame_ns = 20 * MS,
                                                   .after_ns = 100 * (int64_t)SECOND_NS,
                                                   .after_frames = 1000 });
    run_frames(&bed, 10);
    run_frame(&bed, 30 * MS, MS);
    run_frames(&bed, 3);
    assert_int_equal(fg_session_finish(bed.session, 60 * (int64_t)SECOND_NS), FG_OK);
    assert_int_equal(status_of(&bed).written, 1);
    flight_dump_only(&seen, folder);
    assert_int_equal(seen.frame_count, 14);
    assert_true(seen.has_summary);
    seen_free(&seen);
    /* The ring is still there. */
    assert_int_equal(fg_flight_dump(bed.session, "afterwards"), FG_OK);
    bed_close(&bed);
}

static void a_session_that_is_destroyed_in_a_window_dumps_too(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    open_flight(&bed, &(struct fg_flight_options){
                          .folder = folder, .frame_ns = 20 * MS, .after_frames = 1000 });
    run_frame(&bed, 30 * MS, MS);
    bed_close(&bed);
    flight_dump_only(&seen, folder);
    assert_int_equal(seen.frame_count, 1);
    seen_free(&seen);
}

/* ---- where dumps go -------------------------------------------------------------------------- */

static void put_file(const char *name, size_t size)
{
    char path[2 * FLIGHT_PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++) {
        (void)fputc(0, file);
    }
    assert_int_equal(fclose(file), 0);
}

static bool has_file(const struct flight_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void the_oldest_dumps_go_when_the_quota_is_full(void **state)
{
    (void)state;
    struct bed bed;
    struct flight_files files;
    put_file("notes.txt", 2000 * KIB); /* nobody's business */
    put_file("dump-12.sgpt", 10);      /* too few digits: not ours */
    put_file("dump-9001.sgpt", 600 * KIB);
    put_file("dump-9002.sgpt.part", 300 * KIB); /* of a process that was killed */
    open_flight(&bed, &(struct fg_flight_options){ .ring_bytes = 256 * KIB,
                                                   .folder = folder,
                                                   .pattern = "dump-{number}.sgpt",
                                                   .quota_bytes = 1024 * KIB });
    run_frames(&bed, 5000);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(fg_flight_dump(bed.session, NULL), FG_OK);
        flight_files_list(&files, folder);
        assert_true(files.total_bytes - 2000 * KIB - 10 <= 1024 * KIB);
    }
    assert_true(has_file(&files, "notes.txt"));
    assert_true(has_file(&files, "dump-12.sgpt"));
    assert_false(has_file(&files, "dump-9001.sgpt"));
    assert_false(has_file(&files, "dump-9002.sgpt.part"));
    assert_false(has_file(&files, "dump-0001.sgpt"));
    assert_true(has_file(&files, "dump-0012.sgpt"));
    struct fg_flight_status status = status_of(&bed);
    assert_int_equal(status.written, 12);
    assert_int_equal(files.count, 2 + 14 - status.removed);
    bed_close(&bed);
}

static void a_dump_never_replaces_a_file(void **state)
{
    (void)state;
    struct bed bed;
    struct flight_files files;
    put_file("dump-0001.sgpt", 10);
    open_flight(&bed,
                &(struct fg_flight_options){ .folder = folder, .pattern = "dump-{number}.sgpt" });
    run_frames(&bed, 1);
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_OK);
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 2);
    assert_int_equal(files.sizes[0], 10);
    assert_string_equal(files.names[1], "dump-0002.sgpt");
    bed_close(&bed);
}

static void a_folder_that_is_not_there_is_a_failure_that_is_counted(void **state)
{
    (void)state;
    struct bed bed;
    char nowhere[FLIGHT_PATH_BYTES + 16];
    (void)snprintf(nowhere, sizeof nowhere, "%s/nowhere", folder);
    open_flight(&bed, &(struct fg_flight_options){ .folder = nowhere });
    run_frames(&bed, 1);
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_ERR_NOT_FOUND);
    struct fg_flight_status status = status_of(&bed);
    assert_int_equal(status.failed, 1);
    assert_int_equal(status.last_failure, FG_ERR_NOT_FOUND);
    bed_close(&bed);
}

struct taker {
    struct fg_memory_sink *memory;
    enum fg_result open_result;
    uint64_t limit_bytes;
    struct fg_flight_dump_info info;
    char reason[200];
    int opened;
    int closed;
    enum fg_result close_result;
};

static enum fg_result take(void *context, const struct fg_flight_dump_info *info,
                           struct fg_sink *out_sink)
{
    struct taker *taker = context;
    taker->info = *info;
    (void)snprintf(taker->reason, sizeof taker->reason, "%s", info->reason);
    taker->opened++;
    return taker->open_result != FG_OK
               ? taker->open_result
               : fg_memory_sink_create(NULL, taker->limit_bytes, &taker->memory, out_sink);
}

static void taken(void *context, const struct fg_sink *sink, enum fg_result result)
{
    struct taker *taker = context;
    assert_non_null(sink->write);
    taker->closed++;
    taker->close_result = result;
}

static void a_target_takes_dumps_in_place_of_a_folder(void **state)
{
    (void)state;
    struct bed bed;
    struct seen seen;
    size_t size;
    struct taker taker = { 0 };
    const struct fg_flight_target target = { .open = take, .close = taken, .context = &taker };
    open_flight(&bed, &(struct fg_flight_options){ .target = &target });
    run_frames(&bed, 7);
    assert_int_equal(fg_flight_dump(bed.session, "mine"), FG_OK);
    assert_int_equal(taker.info.cause, FG_FLIGHT_CALLED);
    assert_int_equal(taker.info.number, 1);
    assert_int_equal(taker.info.frame, 6);
    assert_string_equal(taker.reason, "flight recorder: mine");
    assert_int_equal(taker.closed, 1);
    assert_int_equal(taker.close_result, FG_OK);
    const void *bytes = fg_memory_sink_bytes(taker.memory, &size);
    seen_read(&seen, bytes, size);
    assert_int_equal(seen.frame_count, 7);
    seen_free(&seen);
    fg_memory_sink_destroy(taker.memory);

    taker.limit_bytes = 100; /* a disk that is full */
    assert_int_equal(fg_flight_dump(bed.session, "no room"), FG_ERR_LIMIT);
    assert_int_equal(taker.closed, 2);
    assert_int_equal(taker.close_result, FG_ERR_LIMIT);
    fg_memory_sink_destroy(taker.memory);

    taker.open_result = FG_ERR_IO;
    assert_int_equal(fg_flight_dump(bed.session, "no target"), FG_ERR_IO);
    assert_int_equal(taker.closed, 2);
    struct fg_flight_status status = status_of(&bed);
    assert_int_equal(status.written, 1);
    assert_int_equal(status.failed, 2);
    bed_close(&bed);
}

static void told(void *context, const struct fg_session_event *event)
{
    if (event->kind == FG_SESSION_DUMPED) {
        (void)snprintf(context, 2 * FLIGHT_PATH_BYTES, "%s", event->message);
    }
}

static void the_session_tells_where_a_dump_is(void **state)
{
    (void)state;
    struct bed bed;
    char message[2 * FLIGHT_PATH_BYTES] = "";
    char path[2 * FLIGHT_PATH_BYTES];
    const struct fg_flight_options flight = { .folder = folder, .pattern = "{number}" };
    bed_open(&bed, NULL,
             &(struct fg_session_options){
                 .flight = &flight, .notify = told, .notify_context = message });
    run_frames(&bed, 1);
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_OK);
    (void)snprintf(path, sizeof path, "%s/0001", folder);
    assert_string_equal(message, path);
    bed_close(&bed);
}

/* ---- options --------------------------------------------------------------------------------- */

static enum fg_result create(struct fg_flight_options flight, bool with_path)
{
    struct fg_device *device;
    struct fg_session *session = NULL;
    assert_int_equal(fg_software_device_create(NULL, &device), FG_OK);
    struct fg_session_options options = { .flight = &flight, .path = with_path ? "x" : NULL };
    enum fg_result result = fg_session_create(device, &options, &session);
    fg_session_destroy(session);
    fg_device_destroy(device);
    return result;
}

static void options_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const struct fg_flight_metric nameless = { 0 };
    const struct fg_flight_target half = { .open = take };
    const struct fg_flight_options wrong[] = {
        { .ring_bytes = 100 },
        { .ring_bytes = UINT64_MAX },
        { .ring_ns = -1 },
        { .frame_ns = 1 }, /* and nowhere to go */
        { .signals = FG_FLIGHT_SEGV },
        { .folder = folder, .signals = 1u << 9 },
        { .folder = folder, .target = &half },
        { .target = &half },
        { .folder = folder, .pattern = "no number" },
        { .folder = folder, .pattern = "a/{number}" },
        { .folder = folder, .pattern = "{number}{x}" },
        { .folder = folder, .pattern = ".{number}" },
        { .folder = folder, .pattern = "" },
        { .folder = folder, .percentile = 100 },
        { .folder = folder, .percentile = -1 },
        { .folder = folder, .percentile = 0.0 / 0.0 },
        { .folder = folder, .factor = -1 },
        { .folder = folder, .frames = 1025 },
        { .folder = folder, .metric_count = 1 },
        { .folder = folder, .metrics = &nameless, .metric_count = 1 },
        { .folder = folder, .metrics = &nameless, .metric_count = 17 },
        { .folder = folder, .quota_bytes = 1024 },
        { .folder = folder, .after_ns = -1 },
        { .folder = folder, .distance_ns = -1 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(create(wrong[i], false), FG_ERR_ARGUMENT);
    }
    assert_int_equal(create((struct fg_flight_options){ 0 }, false), FG_OK);
    assert_int_equal(create((struct fg_flight_options){ 0 }, true), FG_ERR_ARGUMENT);
}

static void what_is_no_flight_recorder_says_so(void **state)
{
    (void)state;
    struct bed bed;
    bed_open(&bed, NULL, NULL);
    assert_int_equal(fg_flight_dump(bed.session, NULL), FG_ERR_STATE);
    assert_int_equal(fg_flight_dump(NULL, NULL), FG_ERR_ARGUMENT);
    assert_true(fg_flight_wait(bed.session, 0));
    assert_int_equal(status_of(&bed).kept_bytes, 0);
    bed_close(&bed);
    struct fg_device *device;
    struct fg_session *session;
    const struct fg_flight_options flight = { .folder = folder };
    assert_int_equal(fg_software_device_create(NULL, &device), FG_OK);
    assert_int_equal(
        fg_session_create(device, &(struct fg_session_options){ .flight = &flight }, &session),
        FG_OK);
    assert_int_equal(fg_flight_dump(session, "not started"), FG_ERR_STATE);
    fg_session_destroy(session);
    fg_device_destroy(device);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_ring_stays_within_its_bytes_however_long_it_runs, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_ring_of_some_seconds_forgets_what_is_older, setup, teardown),
    cmocka_unit_test_setup_teardown(a_snapshot_is_what_the_ring_holds, setup, teardown),
    cmocka_unit_test_setup_teardown(a_record_larger_than_the_ring_costs_its_section, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_call_dumps_at_once_with_its_reason, setup, teardown),
    cmocka_unit_test_setup_teardown(a_frame_over_its_time_is_dumped_with_what_follows, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_frame_over_its_time_on_the_gpu_is_dumped, setup, teardown),
    cmocka_unit_test_setup_teardown(a_frame_over_the_percentile_of_those_before_is_dumped, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_counter_that_crosses_a_value_is_dumped, setup, teardown),
#if FG_LEVEL >= 1
    cmocka_unit_test_setup_teardown(a_metric_of_the_process_that_crosses_a_value_is_dumped, setup,
                                    teardown),
#endif
    cmocka_unit_test_setup_teardown(triggers_keep_their_distance, setup, teardown),
    cmocka_unit_test_setup_teardown(
        a_window_that_is_open_at_the_end_is_dumped_before_finish_returns, setup, teardown),
    cmocka_unit_test_setup_teardown(a_session_that_is_destroyed_in_a_window_dumps_too, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(the_oldest_dumps_go_when_the_quota_is_full, setup, teardown),
    cmocka_unit_test_setup_teardown(a_dump_never_replaces_a_file, setup, teardown),
    cmocka_unit_test_setup_teardown(a_folder_that_is_not_there_is_a_failure_that_is_counted, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(a_target_takes_dumps_in_place_of_a_folder, setup, teardown),
    cmocka_unit_test_setup_teardown(the_session_tells_where_a_dump_is, setup, teardown),
    cmocka_unit_test_setup_teardown(options_that_make_no_sense_are_refused, setup, teardown),
    cmocka_unit_test_setup_teardown(what_is_no_flight_recorder_says_so, setup, teardown),
};
FGT_INSTRUMENT_SUITE(flight, tests)
