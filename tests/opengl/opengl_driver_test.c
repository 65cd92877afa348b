/* SPDX-License-Identifier: MIT */
/* Drivers that lack things, are disturbed, run out of memory or are lost; threads; groups. */
#include "opengl_fake_bed.h"
#include "../support/cmocka_all.h"
#include "failing_memory.h"

#include <stdio.h>
#include <string.h>

static void a_disturbed_clock_costs_the_passes_in_flight_and_no_others(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_TIMESTAMPS };
        struct fg_opengl_counts counts;
        struct gl_bed bed;
        struct seen seen;
        fake_reset_es();
        fake.latency_ns = 50 * MS;
        gl_open(&bed, &options, NULL);
        for (int f = 0; f < 12; f++) {
            gl_frame(&bed, 2, 1 * MS, 16 * MS);
            if (f == 5) {
                uint64_t reads = fake.clock_reads;
                fake.disjoint = true;
                fake.clock_offset_ns += 777 * MS; /* the clock jumps */
                fg_device_poll(bed.device);
                fg_device_poll(bed.device);
                assert_true(i == 1 || fake.clock_reads > reads); /* it is read again at once */
            }
        }
        gl_see(&bed, &seen);
        fg_opengl_get_counts(bed.device, &counts);
        assert_int_equal(counts.disjoint, 1);
        unsigned refused = 0;
        for (size_t f = 0; f < 12; f++) {
            for (uint32_t p = 0; p < 2; p++) {
                const struct seen_pass *pass = &seen.frames[f].passes[p];
                refused += pass->span.status == FG_CAP_SPAN_REFUSED;
                if (pass->span.status != FG_CAP_SPAN_REFUSED) {
                    assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
                    assert_int_equal(seen_duration(pass), 1 * MS);
                    assert_true(f < 3 || f > 5);
                }
            }
        }
        assert_in_range(refused, 4, 8);
        assert_int_equal(counts.passes_disjoint, refused);
        assert_int_equal(seen.frames[5].passes[0].span.status, FG_CAP_SPAN_REFUSED);
        seen_free(&seen);
        gl_close(&bed);
    }
}

static void a_lost_context_ends_the_recording_as_a_lost_device(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    fake.latency_ns = 40 * MS;
    gl_open(&bed, NULL, NULL);
    for (int f = 0; f < 6; f++) {
        gl_frame(&bed, 2, 1 * MS, 16 * MS);
    }
    fake.lost = true; /* from now on every result claims to be available */
    fg_device_poll(bed.device);
    assert_null(fg_frame_begin(bed.device));
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_ERR_DEVICE_LOST);
    seen_session(&seen, bed.session);
    assert_true(seen.lost);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_OK);
    assert_int_equal(seen.frames[5].passes[1].span.status, FG_CAP_SPAN_LOST);
    for (size_t f = 0; f < 6; f++) {
        assert_int_not_equal(seen.frames[f].passes[0].span.begin_ticks, 0xDEAD);
    }
    seen_free(&seen);
    gl_close(&bed);
}

static void a_context_that_does_not_tell_of_resets_is_not_asked(void **state)
{
    struct gl_bed bed;
    (void)state;
    fake_reset();
    fake.tells_resets = false;
    gl_open(&bed, NULL, NULL);
    gl_frame(&bed, 1, 1 * MS, 16 * MS);
    fake.lost = true;
    fg_device_poll(bed.device);
    fake.lost = false;
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_OK);
    fg_device_report_lost(bed.device); /* the application may know */
    gl_close(&bed);
}

static void a_driver_without_memory_for_queries_costs_times_and_nothing_else(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    for (long left = 0; left < 700; left += 300) {
        fake_reset();
        fake.names_left = left;
        gl_open(&bed, NULL, NULL);
        for (int f = 0; f < 5; f++) {
            gl_frame(&bed, 2, 1 * MS, 16 * MS);
        }
        gl_see(&bed, &seen);
        bool has_one = left >= 512;
        assert_int_equal(seen.frames[0].passes[0].span.status,
                         has_one ? FG_CAP_SPAN_OK : FG_CAP_SPAN_NO_SLOT);
        assert_int_equal(seen.frames[1].passes[0].span.status, FG_CAP_SPAN_NO_SLOT);
        assert_int_equal(seen.frames[1].drops[FG_CAP_DROP_NO_TIMESTAMPS], 2);
        seen_free(&seen);
        gl_close(&bed);
    }
}

/* What a device is without one thing after the other. */
struct lack {
    const char *what;
    const char *version, *extensions;
    int timestamp_bits, elapsed_bits, statistic_bits;
    uint32_t flags;
    enum fg_opengl_timing timing;
    const char *features; /* sorted, separated by spaces */
};

static void what_a_context_lacks_is_left_out_and_told(void **state)
{
    static const struct lack lacks[] = {
        { "nothing", "4.6 fake", "GL_NVX_gpu_memory_info", 64, 64, 64, 0, FG_OPENGL_TIMING_STAMPS,
          "calibrated-timestamps debug-groups memory-info pipeline-statistics reset-status "
          "timestamps " },
        { "all that is new", "3.3 fake", "", 64, 64, 64, 0, FG_OPENGL_TIMING_STAMPS,
          "calibrated-timestamps timestamps " },
        { "timers of its own", "3.1 fake", "GL_ARB_timer_query GL_KHR_debug", 64, 64, 64, 0,
          FG_OPENGL_TIMING_STAMPS, "calibrated-timestamps debug-groups timestamps " },
        { "timers", "3.1 fake", "GL_ARB_pipeline_statistics_query", 64, 64, 64, 0,
          FG_OPENGL_TIMING_NONE, "" },
        { "stamps", "3.3 fake", "GL_ARB_pipeline_statistics_query", 0, 32, 64, 0,
          FG_OPENGL_TIMING_ELAPSED, "elapsed-queries pipeline-statistics " },
        { "bits of any kind", "3.3 fake", "", 0, 0, 0, 0, FG_OPENGL_TIMING_NONE, "" },
        { "leave to use elapsed queries", "3.3 fake", "", 0, 32, 0, FG_OPENGL_NO_ELAPSED,
          FG_OPENGL_TIMING_NONE, "" },
        { "leave to use anything", "4.6 fake", "GL_NVX_gpu_memory_info", 64, 64, 64,
          FG_OPENGL_NO_CALIBRATION | FG_OPENGL_NO_DEBUG_GROUPS | FG_OPENGL_NO_MEMORY_INFO |
              FG_OPENGL_NO_PIPELINE_STATISTICS,
          FG_OPENGL_TIMING_STAMPS, "reset-status timestamps " },
        { "nothing that ES has", "OpenGL ES 3.2 fake", "GL_EXT_disjoint_timer_query GL_ATI_meminfo",
          64, 64, 0, 0, FG_OPENGL_TIMING_STAMPS,
          "calibrated-timestamps debug-groups disjoint-status memory-info reset-status "
          "timestamps " },
        { "stamps on ES", "OpenGL ES 3.0 fake", "GL_EXT_disjoint_timer_query", 0, 32, 0, 0,
          FG_OPENGL_TIMING_ELAPSED, "disjoint-status elapsed-queries " },
        { "timers on ES", "OpenGL ES 3.1 fake", "", 64, 64, 0, 0, FG_OPENGL_TIMING_NONE, "" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        const struct lack *lack = &lacks[i];
        struct fg_opengl_options options = { .flags = lack->flags };
        struct gl_bed bed;
        struct seen seen;
        char features[256] = "";
        fake_reset();
        fake.version = lack->version;
        fake.extensions = lack->extensions;
        fake.timestamp_bits = lack->timestamp_bits;
        fake.elapsed_bits = lack->elapsed_bits;
        fake.statistic_bits = lack->statistic_bits;
        gl_open(&bed, &options, NULL);
        assert_int_equal(fg_opengl_get_timing(bed.device), lack->timing);
        gl_begin(&bed);
        gl_pass_begin(&bed, "pass", true);
        fake_work(1 * MS);
        fg_gpu_pass_end(bed.commands);
        gl_end(&bed);
        fake_advance(16 * MS);
        gl_see(&bed, &seen);
        for (size_t f = 0; f < seen.feature_count; f++) {
            (void)snprintf(features + strlen(features), sizeof features - strlen(features), "%s ",
                           seen.features[f]);
        }
        assert_string_equal(features, lack->features);
        assert_string_equal(seen.adapter, "arithmetic");
        assert_int_equal(seen.frames[0].passes[0].span.status, lack->timing == FG_OPENGL_TIMING_NONE
                                                                   ? FG_CAP_SPAN_NO_SLOT
                                                                   : FG_CAP_SPAN_OK);
        assert_int_equal(seen.frames[0].passes[0].statistics_mask != 0,
                         strstr(features, "pipeline-statistics") != NULL);
        seen_free(&seen);
        gl_close(&bed);
    }
}

static fg_opengl_function no_function(const char *name)
{
    (void)name;
    return NULL;
}

static void old_contexts_and_no_context_are_refused(void **state)
{
    struct fg_opengl_options options = { .get_proc_address = fake_get_proc_address };
    struct fg_device *device = NULL;
    (void)state;
    fake_reset();
    fake.version = "2.1 fake";
    assert_int_equal(fg_opengl_device_create(&options, &device), FG_ERR_UNSUPPORTED);
    fake.version = "OpenGL ES 2.0 fake";
    assert_int_equal(fg_opengl_device_create(&options, &device), FG_ERR_UNSUPPORTED);
    fake.version = NULL; /* what GL says when nothing is current */
    assert_int_equal(fg_opengl_device_create(&options, &device), FG_ERR_UNSUPPORTED);
    options.get_proc_address = no_function;
    assert_int_equal(fg_opengl_device_create(&options, &device), FG_ERR_UNSUPPORTED);
    options.get_proc_address = NULL;
    assert_int_equal(fg_opengl_device_create(&options, &device), FG_ERR_ARGUMENT);
    assert_null(device);
}

static void a_context_has_one_owner(void **state)
{
    int context;
    struct fg_opengl_options options = { .native_context = &context,
                                         .get_proc_address = fake_get_proc_address };
    struct fg_device *second = NULL;
    struct gl_bed bed;
    (void)state;
    fake_reset();
    gl_open(&bed, &options, NULL);
    assert_int_equal(fg_opengl_device_create(&options, &second), FG_ERR_BUSY);
    options.native_context = NULL; /* not watched */
    assert_int_equal(fg_opengl_device_create(&options, &second), FG_OK);
    fg_device_destroy(second);
    gl_close(&bed);
}

static void passes_and_graph_passes_are_debug_groups(void **state)
{
    struct gl_bed bed;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    gl_begin(&bed);
    gl_pass_begin(&bed, "shadows", false);
    gl_pass_begin(&bed, "cascade", false);
    assert_int_equal(fake.groups_open, 2);
    assert_string_equal(fake.groups[0], "shadows");
    assert_string_equal(fake.groups[1], "cascade");
    fg_gpu_pass_end(bed.commands);
    fg_gpu_pass_end(bed.commands);
    assert_int_equal(fake.groups_open, 0);
    fg_commands_graph_pass_begin(bed.commands, 0, "a name that is longer than GL has room for it");
    gl_pass(&bed, "the same again", 1 * MS);
    fg_commands_graph_pass_end(bed.commands);
    assert_int_equal(fake.groups_pushed, 3);
    assert_int_equal(fake.longest_size, 31);
    gl_pass(&bed, "", 1 * MS);
    gl_pass(&bed, NULL, 1 * MS);
    assert_int_equal(fake.groups_pushed, 3);
    gl_end(&bed);
    /* Whoever forgets the ends does not fill the stack of groups. */
    for (int f = 0; f < 100; f++) {
        gl_begin(&bed);
        gl_pass_begin(&bed, "forgotten", false);
        fg_frame_end(bed.frame);
        fake_advance(16 * MS);
    }
    assert_true(fake.groups_open <= 32);
    fake.groups_open = 0;
    gl_close(&bed);
}

static void sessions_that_want_no_groups_get_none(void **state)
{
    struct fg_session_options options = { .flags = FG_SESSION_NO_DEBUG_LABELS };
    struct gl_bed bed;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, &options);
    gl_frame(&bed, 2, 1 * MS, 16 * MS);
    assert_int_equal(fake.groups_pushed, 0);
    gl_close(&bed);
}

static void statistics_come_with_the_passes_that_ask_for_them(void **state)
{
    struct fg_opengl_counts before, after;
    struct gl_bed bed;
    struct seen seen;
    unsigned query = 0;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    fg_opengl_function gen = fake_get_proc_address("glGenQueries");
    fg_opengl_function begin = fake_get_proc_address("glBeginQuery");
    fg_opengl_function end = fake_get_proc_address("glEndQuery");
    fg_opengl_function drop = fake_get_proc_address("glDeleteQueries");
    ((void (*)(int, unsigned *))gen)(1, &query);
    for (int f = 0; f < 20; f++) {
        gl_begin(&bed);
        gl_pass(&bed, "uncounted", 1 * MS);
        gl_pass_begin(&bed, "counted", true);
        fake_work(2 * MS);
        gl_pass_begin(&bed, "inside", true); /* one at a time */
        fake_work(1 * MS);
        fg_gpu_pass_end(bed.commands);
        fg_gpu_pass_end(bed.commands);
        /* A query of the application's own is left alone. */
        ((void (*)(unsigned, unsigned))begin)(FGI_GL_FRAGMENT_SHADER_INVOCATIONS, query);
        gl_pass_begin(&bed, "theirs", true);
        fake_work(1 * MS);
        fg_gpu_pass_end(bed.commands);
        ((void (*)(unsigned))end)(FGI_GL_FRAGMENT_SHADER_INVOCATIONS);
        gl_end(&bed);
        fake_advance(16 * MS);
        fg_opengl_get_counts(bed.device, f == 9 ? &before : &after);
    }
    assert_int_equal(before.queries, after.queries);
    gl_see(&bed, &seen);
    for (size_t f = 0; f < 20; f++) {
        const struct seen_pass *passes = seen.frames[f].passes;
        assert_int_equal(passes[0].statistics_mask, 0);
        assert_int_equal(passes[1].statistics_mask, 0x7FF);
        assert_int_equal(passes[1].statistics[0], 3 * MS / 10);
        assert_int_equal(passes[2].statistics_mask, 0);
        assert_int_equal(passes[3].statistics_mask, 0);
        assert_int_equal(passes[3].span.status, FG_CAP_SPAN_OK);
    }
    ((void (*)(int, const unsigned *))drop)(1, &query);
    seen_free(&seen);
    gl_close(&bed);
}

static int64_t counter_of(const struct seen_frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->counter_count; i++) {
        if (strcmp(frame->counters[i], name) == 0) {
            return frame->counter_values[i];
        }
    }
    return -1;
}

static void memory_of_the_device_is_asked_for_four_times_a_second_and_called_so(void **state)
{
    (void)state;
    for (int es = 0; es < 2; es++) {
        struct gl_bed bed;
        struct seen seen;
        if (es) {
            fake_reset_es();
        } else {
            fake_reset();
        }
        gl_open(&bed, NULL, NULL);
        for (int f = 0; f < 63; f++) { /* one second */
            gl_frame(&bed, 1, 1 * MS, 16 * MS);
        }
        assert_in_range(fake.memory_reads, 4, 5);
        gl_see(&bed, &seen);
        const struct seen_frame *frame = &seen.frames[0];
        const int64_t gib = INT64_C(1) << 30;
        assert_int_equal(counter_of(frame, "memory.device.total"), es ? -1 : 8 * gib);
        assert_int_equal(counter_of(frame, "memory.device.used"), es ? -1 : 2 * gib);
        assert_int_equal(counter_of(frame, "memory.device.free"), (es ? 3 : 6) * gib);
        assert_int_equal(counter_of(frame, "memory.used"), -1);
        assert_int_equal(counter_of(&seen.frames[1], "memory.device.free"), -1);
        seen_free(&seen);
        gl_close(&bed);
    }
}

/* A session's life on a thread that has no context. */
static void start_elsewhere(void *context)
{
    struct gl_bed *bed = context;
    assert_int_equal(fg_session_create(bed->device, NULL, &bed->session), FG_OK);
    assert_int_equal(fg_session_start(bed->session), FG_OK);
    fg_device_poll(bed->device);
}

static void stop_elsewhere(void *context)
{
    struct gl_bed *bed = context;
    fg_device_poll(bed->device);
    fg_session_stop(bed->session);
    assert_int_equal(fg_session_finish(bed->session, 0), FG_ERR_TIMEOUT);
}

static void run_elsewhere(void (*run)(void *context), struct gl_bed *bed)
{
    struct fgi_thread *thread;
    assert_int_equal(fgi_thread_create(NULL, run, bed, &thread), FG_OK);
    fgi_thread_join(thread);
}

static void other_threads_may_do_everything_but_never_reach_gl(void **state)
{
    struct fg_opengl_counts counts;
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    gl_open_device(&bed, NULL);
    run_elsewhere(start_elsewhere, &bed);
    assert_int_equal(fake.wrong_thread, 0);
    for (int f = 0; f < 30; f++) {
        gl_frame(&bed, 1, 1 * MS, 16 * MS);
    }
    fake.latency_ns = SECOND_NS;
    gl_frame(&bed, 1, 1 * MS, 16 * MS);
    run_elsewhere(stop_elsewhere, &bed);
    fg_opengl_get_counts(bed.device, &counts);
    assert_true(counts.other_threads != 0);
    seen_session(&seen, bed.session);
    assert_int_equal(seen.clocks[1].domain, 1); /* read as soon as the context was there */
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_OK);
    assert_int_equal(seen.frames[30].passes[0].span.status, FG_CAP_SPAN_MISSING);
    seen_free(&seen);
    gl_close(&bed);
}

static void adopt_and_draw(void *context)
{
    struct gl_bed *bed = context;
    fake_move();
    fg_opengl_adopt(bed->device);
    for (int f = 0; f < 5; f++) {
        gl_frame(bed, 1, 1 * MS, 16 * MS);
    }
}

static void a_device_moves_with_its_context(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    gl_frame(&bed, 1, 1 * MS, 16 * MS);
    run_elsewhere(adopt_and_draw, &bed);
    fake_move();
    fg_opengl_adopt(bed.device);
    gl_see(&bed, &seen);
    for (size_t f = 0; f < 6; f++) {
        assert_int_equal(seen.frames[f].passes[0].span.status, FG_CAP_SPAN_OK);
    }
    seen_free(&seen);
    gl_close(&bed);
}

static void without_a_session_nothing_is_called_read_or_allocated(void **state)
{
    struct gl_bed bed;
    (void)state;
    fake_reset();
    gl_open_device(&bed, NULL);
    uint64_t calls = fake.calls;
    uint64_t allocations = bed.allocations;
    uint64_t reads = fake.host_reads;
    for (int f = 0; f < 10; f++) {
        gl_begin(&bed);
        assert_null(bed.frame);
        assert_null(bed.commands);
        gl_pass(&bed, "pass", 1 * MS);
        gl_end(&bed);
    }
    assert_int_equal(fake.calls, calls);
    assert_int_equal(bed.allocations, allocations);
    assert_int_equal(fake.host_reads, reads);
    /* The counts count. */
    assert_int_equal(fg_session_create(bed.device, NULL, &bed.session), FG_OK);
    assert_int_equal(fg_session_start(bed.session), FG_OK);
    gl_frame(&bed, 1, 1 * MS, 16 * MS);
    assert_true(fake.calls > calls && bed.allocations > allocations && fake.host_reads > reads);
    gl_close(&bed);
}

static bool record_a_little(const struct fg_allocator *allocator, uint32_t flags)
{
    struct fg_opengl_options options = { .allocator = allocator,
                                         .flags = flags,
                                         .get_proc_address = fake_get_proc_address };
    struct gl_bed bed = { 0 };
    if (fgi_opengl_create(&options, fake_host(), &bed.device) != FG_OK) {
        return false;
    }
    struct fg_session_options session = { .allocator = allocator };
    if (fg_session_create(bed.device, &session, &bed.session) == FG_OK &&
        fg_session_start(bed.session) == FG_OK) {
        for (int f = 0; f < 3; f++) {
            gl_begin(&bed);
            gl_pass_begin(&bed, "pass", true);
            fg_gpu_pass_end(bed.commands);
            gl_end(&bed);
            fake_advance(16 * MS);
        }
        (void)fg_session_finish(bed.session, SECOND_NS);
    }
    fg_session_destroy(bed.session);
    fg_device_destroy(bed.device);
    return true;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint32_t flags = 0; flags < 2; flags++) { /* stamps, elapsed queries */
        for (long at = 0;; at++) {
            struct failing failing = { .countdown = at };
            struct fg_allocator allocator = failing_allocator(&failing);
            fake_reset();
            (void)record_a_little(&allocator, flags);
            assert_int_equal(failing.alive, 0);
            assert_int_equal(fake.queries_alive, 0);
            assert_int_equal(fake.errors + fake.blocked + fake.deleted_running, 0);
            if (!failing.refused) {
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disturbed_clock_costs_the_passes_in_flight_and_no_others),
        cmocka_unit_test(a_lost_context_ends_the_recording_as_a_lost_device),
        cmocka_unit_test(a_context_that_does_not_tell_of_resets_is_not_asked),
        cmocka_unit_test(a_driver_without_memory_for_queries_costs_times_and_nothing_else),
        cmocka_unit_test(what_a_context_lacks_is_left_out_and_told),
        cmocka_unit_test(old_contexts_and_no_context_are_refused),
        cmocka_unit_test(a_context_has_one_owner),
        cmocka_unit_test(passes_and_graph_passes_are_debug_groups),
        cmocka_unit_test(sessions_that_want_no_groups_get_none),
        cmocka_unit_test(statistics_come_with_the_passes_that_ask_for_them),
        cmocka_unit_test(memory_of_the_device_is_asked_for_four_times_a_second_and_called_so),
        cmocka_unit_test(other_threads_may_do_everything_but_never_reach_gl),
        cmocka_unit_test(a_device_moves_with_its_context),
        cmocka_unit_test(without_a_session_nothing_is_called_read_or_allocated),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
