/* SPDX-License-Identifier: MIT */
/* Comparisons by hand: means, noise, what was culled, what is not known, graphs and counters. */
#include "compare_bed.h"
#include "cmocka_all.h"
#include "same_comparison.h"
#include <frameglass/trace_find.h>
#include <frameglass/trace_structure.h>
#include <limits.h>
#include <string.h>

/* Doubles to a thousandth, as this cmocka compares integers. */
#define assert_near(value, expected)                                                               \
    assert_int_equal((long long)((value)*1000 + ((value) < 0 ? -0.5 : 0.5)),                       \
                     (long long)((expected)*1000 + ((expected) < 0 ? -0.5 : 0.5)))

/* 80 frames of one pass of 100 ns each, but where `odd` gives another time. */
static void make_even(struct compare_bed *bed, const int64_t *odd, uint32_t count)
{
    compare_bed_begin(bed);
    uint32_t pass = compare_bed_pass(bed, "blur", "post", 0);
    for (uint32_t frame = 0; frame < 80; frame++) {
        int64_t ns = 100;
        for (uint32_t i = 0; i < count; i++) {
            ns = odd[2 * i] == frame ? odd[2 * i + 1] : ns;
        }
        (void)compare_bed_frame(bed, FG_NONE, NULL, 0, 0);
        compare_bed_span(bed, true, pass, ns, NULL, 0);
    }
    compare_bed_end(bed);
}

static double noise_of(const int64_t *odd, uint32_t count)
{
    struct compare_bed bed;
    make_even(&bed, odd, count);
    struct fg_compare_reply reply = compare_beds(&bed, 20, 21, &bed, 60, 61);
    double noise = reply.rows[0].noise_ns;
    compare_bed_finish(&bed);
    return noise;
}

static void figures_are_those_of_a_frame(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    uint32_t blur = compare_bed_pass(&bed, "blur", "post", 0);
    uint32_t sky = compare_bed_pass(&bed, "sky", "", 0);
    for (uint32_t frame = 0; frame < 6; frame++) {
        (void)compare_bed_frame(&bed, FG_NONE, NULL, 0, 0);
        compare_bed_span(&bed, false, blur, 7, NULL, 0);
        compare_bed_span(&bed, true, blur, 100 + 10 * frame, NULL, 0);
        compare_bed_span(&bed, true, blur, 50, NULL, 0);
        if (frame == 4) {
            compare_bed_span(&bed, true, sky, 90, NULL, 0);
        }
    }
    compare_bed_end(&bed);
    struct fg_compare_reply reply = compare_beds(&bed, 0, 3, &bed, 3, 6);
    assert_int_equal(reply.row_count, 3);
    /* sky: +30 a frame and blur: +30, by name; then the thread. */
    const struct fg_compare_row *row = &reply.rows[0];
    assert_string_equal(row->name, "blur");
    assert_string_equal(row->scope, "post");
    assert_string_equal(row->track, "queue");
    assert_true(row->is_gpu);
    assert_int_equal(row->sides[0].count, 6);
    assert_int_equal(row->sides[0].frames, 3);
    assert_int_equal(row->sides[0].total_ns, 480);
    assert_near(row->sides[0].mean_ns, 160);
    assert_int_equal(row->sides[0].median_ns, 160);
    assert_int_equal(row->sides[1].median_ns, 190);
    assert_near(row->delta_ns, 30);
    assert_int_equal(row->sides[1].longest, 17); /* 150 ns, in the last frame */
    row = &reply.rows[1];
    assert_string_equal(row->name, "sky");
    assert_int_equal(row->state, FG_COMPARE_ADDED);
    assert_near(row->sides[0].mean_ns, 0);
    assert_near(row->sides[1].mean_ns, 30);
    assert_int_equal(row->sides[1].median_ns, 90);
    assert_int_equal(row->sides[0].median_ns, -1);
    assert_false(reply.rows[2].is_gpu);
    assert_near(reply.rows[2].delta_ns, 0);
    compare_bed_finish(&bed);
}

static void noise_is_what_the_frames_around_show(void **state)
{
    (void)state;
    /* Nothing varies: two roundings of 1 ns on either side, 30 witnesses. 3.6 sqrt(2 / 6) */
    assert_near(noise_of(NULL, 0), 2.078);
    /* A hitch nearby is none. */
    assert_near(noise_of((const int64_t[]){ 10, 90000, 66, 80000 }, 2), 2.078);
    /* The same step twice is the clock's: 3.6 sqrt(30^2 + 2 / 6) on one side only. */
    assert_near(noise_of((const int64_t[]){ 10, 130, 29, 130 }, 2), 108.020);
    /* Four of 30 are more than a tenth: (30 / 1.645)^2. */
    assert_near(noise_of((const int64_t[]){ 6, 130, 12, 130, 24, 130, 34, 130 }, 4), 65.686);
    /* The frames themselves are no witnesses. */
    assert_near(noise_of((const int64_t[]){ 20, 5000, 60, 7000 }, 2), 2.078);
}

static void a_change_for_good_is_no_noise(void **state)
{
    int64_t odd[2 * 40];
    struct compare_bed bed;
    (void)state;
    for (int i = 0; i < 40; i++) {
        odd[2 * i] = 40 + i;
        odd[2 * i + 1] = 200;
    }
    make_even(&bed, odd, 40);
    for (uint32_t frame = 40; frame < 60; frame++) {
        struct fg_compare_reply reply = compare_beds(&bed, 39, 40, &bed, frame, frame + 1);
        assert_near(reply.rows[0].delta_ns, 100);
        assert_near(reply.rows[0].noise_ns, 2.078);
    }
    compare_bed_finish(&bed);
}

static void one_hitch_is_no_change_of_a_range(void **state)
{
    struct compare_bed bed;
    (void)state;
    make_even(&bed, (const int64_t[]){ 50, 1100 }, 1);
    struct fg_compare_reply reply = compare_beds(&bed, 20, 40, &bed, 40, 60);
    assert_near(reply.rows[0].delta_ns, 50);
    /* A twentieth of the plain variance, 50000; 20 witnesses: 3.9 sqrt(2500.017). */
    assert_near(reply.rows[0].noise_ns, 195.0007);
    assert_int_equal(reply.rows[0].cause, FG_CAUSE_NOISE);
    compare_bed_finish(&bed);
}

static void few_witnesses_tell_nothing(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    uint32_t pass = compare_bed_pass(&bed, "blur", "", 0);
    for (uint32_t frame = 0; frame < 6; frame++) {
        (void)compare_bed_frame(&bed, FG_NONE, NULL, 0, 0);
        compare_bed_span(&bed, true, pass, 100 + 1000 * frame, NULL, 0);
    }
    compare_bed_end(&bed);
    struct fg_compare_reply reply = compare_beds(&bed, 0, 1, &bed, 5, 6);
    assert_near(reply.rows[0].noise_ns, -1);
    assert_near(reply.rows[0].delta_ns, 5000);
    assert_int_equal(reply.rows[0].cause, FG_CAUSE_NOT_TOLD);
    assert_false(fg_compare_is_claimed(reply.rows[0].delta_ns, reply.rows[0].noise_ns));
    reply = compare_beds(&bed, 0, 6, &bed, 0, 6); /* six are enough */
    assert_true(reply.rows[0].noise_ns > 0);
    compare_bed_finish(&bed);
}

static void frames_without_gpu_times_say_nothing(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    uint32_t blur = compare_bed_pass(&bed, "blur", "", 0);
    uint32_t sky = compare_bed_pass(&bed, "sky", "", 0);
    for (uint32_t frame = 0; frame < 8; frame++) {
        (void)compare_bed_frame(&bed, FG_NONE, NULL, 0, frame == 1);
        compare_bed_span(&bed, false, blur, 10, NULL, 0);
        if (frame < 4) { /* of frames 4 to 7 nothing came */
            compare_bed_span(&bed, true, blur, 100, NULL, 0);
        }
        if (frame == 0 || frame == 2) { /* in 1 it may be what is missing, in 3 it was not there */
            compare_bed_span(&bed, true, sky, 60, NULL, 0);
        }
    }
    compare_bed_end(&bed);
    struct fg_compare_reply reply = compare_beds(&bed, 0, 4, &bed, 4, 8);
    const struct fg_compare_row *row = compare_row(&reply, "sky", true);
    assert_int_equal(row->sides[0].frames, 3);
    assert_near(row->sides[0].mean_ns, 40);
    assert_near(row->sides[1].mean_ns, -1);
    assert_int_equal(row->state, FG_COMPARE_BOTH); /* not removed: not known */
    assert_near(row->delta_ns, 0);
    assert_near(row->noise_ns, -1);
    assert_int_equal(compare_row(&reply, "blur", true)->sides[0].frames, 4);
    assert_int_equal(compare_row(&reply, "blur", false)->sides[1].frames, 4);
    assert_near(reply.gpu.mean_ns[1], -1);
    assert_near(reply.cpu.mean_ns[1], 5000);
    compare_bed_finish(&bed);
}

/* Two graphs: "a" with two passes, and the same with another size of its texture. */
static void add_graph(struct compare_bed *bed, const uint32_t *ids, uint64_t hash, uint32_t width,
                      const char *extra)
{
    struct fgi_builder *b = bed->builder;
    struct fg_topology_pass passes[3] = { { .pass = ids[0] },
                                          { .pass = ids[1] },
                                          { .pass = ids[2] } };
    struct fg_topology_resource resources[] = {
        { .id = 1,
          .name = fgi_builder_cstr(b, "color"),
          .previous = FG_NONE,
          .kind = FG_NODE_TEXTURE,
          .transient = true,
          .format = 97,
          .dimension = 2,
          .width = width,
          .height = 4,
          .footprint_bytes = width * 32 },
        { .id = 1, .name = fgi_builder_cstr(b, "color"), .version = 1, .previous = 0 },
        { .id = 2,
          .name = fgi_builder_cstr(b, extra),
          .previous = FG_NONE,
          .kind = FG_NODE_BUFFER,
          .footprint_bytes = FG_UNKNOWN_BYTES },
        { .id = 3,
          .name = fgi_builder_cstr(b, "same"),
          .previous = FG_NONE,
          .kind = FG_NODE_BUFFER },
    };
    const struct fg_topology topology = {
        .hash = hash, .passes = passes, .pass_count = 3, .resources = resources, .resource_count = 4
    };
    (void)fgi_builder_topology(b, &topology);
}

static void graphs_tell_what_was_culled_and_which_resources_differ(void **state)
{
    static const struct fg_frame_pass before[] = { { .is_known = true },
                                                   { .is_known = true },
                                                   { .is_known = true, .culled = true } };
    static const struct fg_frame_pass after[] = { { .is_known = true },
                                                  { .is_known = true, .culled = true },
                                                  { .is_known = true } };
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    const uint32_t ids[] = { compare_bed_pass(&bed, "kept", "", 0),
                             compare_bed_pass(&bed, "left", "", 0),
                             compare_bed_pass(&bed, "back", "", 0) };
    uint32_t gone = compare_bed_pass(&bed, "gone", "", 0);
    add_graph(&bed, ids, 11, 8, "draws");
    add_graph(&bed, ids, 12, 16, "meshes");
    for (uint32_t frame = 0; frame < 2; frame++) {
        (void)compare_bed_frame(&bed, frame, frame ? after : before, 3, 0);
        compare_bed_span(&bed, true, ids[0], 100, NULL, 0);
        compare_bed_span(&bed, true, ids[frame ? 2 : 1], 50, NULL, 0);
        if (frame == 0) {
            compare_bed_span(&bed, true, gone, 25, NULL, 0);
        }
    }
    compare_bed_end(&bed);
    struct fg_compare_reply reply = compare_beds(&bed, 0, 1, &bed, 1, 2);
    assert_int_equal(reply.row_count, 4);
    assert_int_equal(compare_row(&reply, "kept", true)->state, FG_COMPARE_BOTH);
    assert_int_equal(compare_row(&reply, "left", true)->state, FG_COMPARE_CULLED);
    assert_int_equal(compare_row(&reply, "back", true)->state, FG_COMPARE_UNCULLED);
    assert_int_equal(compare_row(&reply, "gone", true)->state, FG_COMPARE_REMOVED);
    assert_int_equal(compare_row(&reply, "left", true)->sides[1].pass, ids[1]);
    assert_int_equal(reply.same, FG_COMPARE_DIFFERENT);
    assert_int_equal(reply.topology[0], 0);
    assert_int_equal(reply.topology[1], 1);
    assert_int_equal(reply.resource_count, 3);
    assert_string_equal(reply.resources[0].name, "color");
    assert_string_equal(reply.resources[0].text[0], "RGBA16F 8 x 4, transient");
    assert_string_equal(reply.resources[0].text[1], "RGBA16F 16 x 4, transient");
    assert_int_equal(reply.resources[0].bytes[1], 512);
    assert_string_equal(reply.resources[1].name, "draws");
    assert_int_equal(reply.resources[1].state, FG_COMPARE_RESOURCE_REMOVED);
    assert_string_equal(reply.resources[1].text[0], "buffer");
    assert_string_equal(reply.resources[1].text[1], "");
    assert_int_equal(reply.resources[2].state, FG_COMPARE_RESOURCE_ADDED);
    reply = compare_beds(&bed, 0, 1, &bed, 0, 1);
    assert_int_equal(reply.same, FG_COMPARE_SAME);
    assert_int_equal(reply.resource_count, 0);
    compare_bed_finish(&bed);
}

static void counters_are_compared_by_their_value_at_the_end_of_each_frame(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    struct fgi_builder *b = bed.builder;
    struct fg_trace_track track = { .kind = FG_TRACK_COUNTER };
    uint32_t on = fgi_builder_track(b, &track, false);
    static const char *const names[] = { "draws", "even", "lights" };
    for (uint32_t i = 0; i < 3; i++) {
        struct fg_trace_counter counter = { .name = fgi_builder_cstr(b, names[i]), .track = on };
        (void)fgi_builder_counter(b, &counter);
    }
    for (uint32_t frame = 0; frame < 4; frame++) {
        (void)compare_bed_frame(&bed, FG_NONE, NULL, 0, 0);
        int64_t at = bed.at_ns;
        fgi_builder_sample(
            b, 0, &(struct fg_trace_sample){ .time_ns = at + 5, .value.integer = 100 + frame });
        fgi_builder_sample(b, 2,
                           &(struct fg_trace_sample){ .time_ns = at + 5, .value.integer = 1 });
        if (frame != 3) { /* holds its value there */
            fgi_builder_sample(
                b, 2, &(struct fg_trace_sample){ .time_ns = at + 6, .value.integer = 4 << frame });
        }
        fgi_builder_sample(b, 1, &(struct fg_trace_sample){ .time_ns = at, .value.integer = 6 });
    }
    compare_bed_end(&bed);
    struct fg_compare_reply reply = compare_beds(&bed, 0, 2, &bed, 2, 4);
    assert_int_equal(reply.counter_count, 2);
    assert_string_equal(reply.counters[0].name, "lights");
    assert_near(reply.counters[0].mean[0], 6);
    assert_near(reply.counters[0].mean[1], 8.5);
    assert_string_equal(reply.counters[1].name, "draws");
    assert_near(reply.counters[1].mean[0], 100.5);
    compare_bed_finish(&bed);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void edges_are_answered_or_refused(void **state)
{
    struct compare_bed bed, empty;
    struct fg_compare_reply reply;
    (void)state;
    make_even(&bed, NULL, 0);
    compare_bed_begin(&empty);
    uint32_t pass = compare_bed_pass(&empty, "blur", "post", 0);
    compare_bed_span(&empty, true, pass, 40, NULL, 0);
    (void)pass;
    compare_bed_end(&empty); /* one span, in no frame: there are none */
    struct fg_compare_request request = {
        .by = FG_STATS_BY_PASS, .sides = { { .query = bed.query }, { .query = empty.query } }
    };
    assert_int_equal(fg_compare(&request, &reply), FG_OK);
    assert_int_equal(reply.frames[1], 0);
    assert_int_equal(reply.length_ns[0], -1);
    assert_int_equal(reply.length_ns[1], 40);
    assert_near(reply.rows[0].delta_ns, -60); /* a trace without frames is one frame */
    reply = compare_beds(&bed, 90, 95, &bed, 3, 3);
    assert_int_equal(reply.row_count, 0);
    reply = compare_beds(&bed, 3, 4, &bed, 5, 5);
    assert_near(reply.rows[0].sides[1].mean_ns, -1);
    assert_int_equal(reply.rows[0].state, FG_COMPARE_BOTH);
    assert_int_equal(fg_compare(NULL, &reply), FG_ERR_ARGUMENT);
    assert_int_equal(fg_compare(&request, NULL), FG_ERR_ARGUMENT);
    request.by = FG_STATS_BY_CATEGORY + 1;
    assert_int_equal(fg_compare(&request, &reply), FG_ERR_ARGUMENT);
    request.by = FG_STATS_BY_PASS;
    request.budget_bytes = 100;
    assert_int_equal(fg_compare(&request, &reply), FG_ERR_LIMIT);
    request.budget_bytes = 0;
    request.sides[1].query = NULL;
    assert_int_equal(fg_compare(&request, &reply), FG_ERR_ARGUMENT);
    struct fg_query *stopped = NULL;
    assert_int_equal(fg_query_create(bed.engine, NULL, always, NULL, &stopped), FG_OK);
    request.sides[0].query = request.sides[1].query = stopped;
    assert_int_equal(fg_compare(&request, &reply), FG_ERR_CANCELLED);
    fg_query_destroy(stopped);
    compare_bed_finish(&bed);
    compare_bed_finish(&empty);
}

/* Tells to stop after so many looks. */
struct patience {
    unsigned looks;
};

static bool is_out_of_patience(void *context)
{
    struct patience *patience = context;
    bool is_out = patience->looks == 0;
    patience->looks -= !is_out;
    return is_out;
}

/* How many steps of one row there are; all of them, or until it is stopped after so many. */
static uint32_t step_until_stopped(const struct fg_compare_request *request, uint32_t stop_after,
                                   enum fg_result expected)
{
    struct fg_task *task = NULL;
    struct fg_task_progress progress = { 0 };
    struct fg_compare_reply reply;
    enum fg_result result = FG_OK;
    assert_int_equal(fg_task_compare(request, FG_TASK_BACKGROUND, &task), FG_OK);
    for (uint32_t i = 0; result == FG_OK && !progress.is_done; i++) {
        if (i == stop_after) {
            fg_query_next_generation(request->sides[FG_COMPARE_BASE].query);
        }
        result = fg_task_step(task, 1, &progress);
    }
    assert_int_equal(result, expected);
    if (result != FG_OK) {
        uint32_t steps = progress.steps;
        assert_int_equal(fg_task_step(task, 0, &progress), result);
        assert_int_equal(progress.steps, steps);
        assert_int_equal(fg_task_result_compare(task, &reply),
                         progress.stage > 0 ? FG_OK : FG_ERR_STATE);
        assert_true(progress.stage == 0 || reply.row_count == 0);
    }
    fg_task_destroy(task);
    return progress.steps;
}

static void a_comparison_is_stopped_between_any_two_steps(void **state)
{
    struct compare_bed bed;
    struct fg_compare_reply reply;
    (void)state;
    make_even(&bed, NULL, 0);
    struct patience patience = { UINT_MAX };
    struct fg_query *query = NULL;
    assert_int_equal(fg_query_create(bed.engine, NULL, is_out_of_patience, &patience, &query),
                     FG_OK);
    const struct fg_compare_request request = {
        .by = FG_STATS_BY_PASS, .sides = { { query, true, 3, 6 }, { query, false, 0, 0 } }
    };
    uint32_t steps = step_until_stopped(&request, FG_NONE, FG_OK);
    assert_true(steps > 100);
    for (uint32_t i = 0; i < steps; i += 7) {
        assert_int_equal(step_until_stopped(&request, i, FG_ERR_CANCELLED), i);
        patience.looks = i;
        assert_int_equal(step_until_stopped(&request, FG_NONE, FG_ERR_CANCELLED), i);
        patience.looks = UINT_MAX;
    }
    /* One that was stopped is in the way of none. */
    assert_int_equal(fg_compare(&request, &reply), FG_OK);
    assert_int_equal(fgt_compare_in_steps(&request, 1, &reply), steps);
    fg_query_destroy(query);
    compare_bed_finish(&bed);
}

static void tasks_are_told_apart(void **state)
{
    struct compare_bed bed;
    struct fg_task *task = NULL;
    struct fg_search_reply search;
    struct fg_compare_reply reply;
    (void)state;
    make_even(&bed, NULL, 0);
    struct fg_compare_request request = { .sides = { { .query = bed.query },
                                                     { .query = bed.query } } };
    assert_int_equal(fg_task_compare(NULL, 0, &task), FG_ERR_ARGUMENT);
    assert_int_equal(fg_task_compare(&request, FG_TASK_BACKGROUND + 1, &task), FG_ERR_ARGUMENT);
    assert_int_equal(fg_task_compare(&request, 0, NULL), FG_ERR_ARGUMENT);
    assert_int_equal(fg_task_result_compare(NULL, &reply), FG_ERR_ARGUMENT);
    request.budget_bytes = 100;
    assert_int_equal(fg_task_compare(&request, 0, &task), FG_OK);
    assert_int_equal(fg_task_result_search(task, &search), FG_ERR_ARGUMENT);
    enum fg_result result = FG_OK;
    for (unsigned i = 0; result == FG_OK && i < 1000; i++) {
        result = fg_task_step(task, 1, NULL);
    }
    assert_int_equal(result, FG_ERR_LIMIT);
    fg_task_destroy(task);
    compare_bed_finish(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_a_frame),
        cmocka_unit_test(noise_is_what_the_frames_around_show),
        cmocka_unit_test(a_change_for_good_is_no_noise),
        cmocka_unit_test(one_hitch_is_no_change_of_a_range),
        cmocka_unit_test(few_witnesses_tell_nothing),
        cmocka_unit_test(frames_without_gpu_times_say_nothing),
        cmocka_unit_test(graphs_tell_what_was_culled_and_which_resources_differ),
        cmocka_unit_test(counters_are_compared_by_their_value_at_the_end_of_each_frame),
        cmocka_unit_test(edges_are_answered_or_refused),
        cmocka_unit_test(a_comparison_is_stopped_between_any_two_steps),
        cmocka_unit_test(tasks_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
