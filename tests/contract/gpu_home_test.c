/* SPDX-License-Identifier: MIT */
/*
 * How the engine on a device keeps house: what is too much for one submission goes in steps with
 * the same answers, who looks on is told of every node, and the ways to compute are measured.
 */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include "trace/model.h"
#include <frameglass/compute_choice.h>
#include <string.h>

enum { SPANS = 3000, TRACKS = 3 };

static struct compute_bed bed;

static enum fg_result begin(void *context, VkCommandBuffer *out_commands)
{
    (void)context;
    compute_bed_begin(bed.commands);
    *out_commands = bed.commands;
    return FG_OK;
}
static enum fg_result submit(void *context)
{
    (void)context;
    compute_bed_end(bed.commands);
    compute_bed_submit(&bed, bed.commands);
    return FG_OK;
}
static enum fg_result wait(void *context)
{
    (void)context;
    return FG_OK;
}
static enum fg_result make_host(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, trace, out_engine);
}

static struct fg_trace *make_trace(void)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    uint64_t seed = 1;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    for (uint32_t i = 0; i < TRACKS; i++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
    }
    const uint32_t names[2] = { fgi_builder_cstr(b, "a"), fgi_builder_cstr(b, "b") };
    for (uint32_t i = 0; i < SPANS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        const int64_t start = (int64_t)i * 2000;
        const struct fgi_span_in span = fgi_span_in_make(i % TRACKS, names[(seed >> 33) % 2], start,
                                                         start + (int64_t)((seed >> 40) % 1009));
        (void)fgi_builder_span(b, &span);
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    return trace;
}

/* Totals by name and the bins of a window, in words that are equal when the answers are. */
struct answers {
    uint64_t count, total, bins, starts, covered, submissions;
};

static struct answers ask(const struct fg_trace *trace, const struct fg_compute_budget *step)
{
    static const struct fg_view_target targets[] = { { .index = 0 },
                                                     { .index = 1 },
                                                     { .index = 2 } };
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    struct fg_stats_reply stats;
    struct fg_view_reply view;
    struct fg_engine_info info;
    struct answers answers = { 0 };
    const struct fgi_engine_vulkan_options options = {
        .runner = { .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait },
        .make_host = make_host,
        .step = *step,
    };
    assert_int_equal(fgi_engine_vulkan_create(&options, trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
    assert_int_equal(
        fg_query_stats(query, &(struct fg_stats_request){ .by = FG_STATS_BY_NAME }, &stats), FG_OK);
    for (uint32_t i = 0; i < stats.count; i++) {
        answers.count += stats.rows[i].count;
        answers.total += stats.rows[i].total_ns * (i + 1);
    }
    const struct fg_view_request request = { .start_ns = 1000,
                                             .end_ns = (int64_t)SPANS * 1500,
                                             .width_px = 200,
                                             .targets = targets,
                                             .target_count = TRACKS };
    assert_int_equal(fg_query_view(query, &request, &view), FG_OK);
    for (uint32_t i = 0; i < view.bins_count; i++) {
        answers.bins += view.bins[i].row * (uint64_t)(i + 1);
        answers.starts += view.bins[i].starts * (uint64_t)(i + 1);
        answers.covered += view.bins[i].covered_ns * (uint64_t)(i + 1);
    }
    assert_true(view.bins_count > 0);
    fg_engine_get_info(engine, &info);
    assert_null(info.reason);
    answers.submissions = info.submissions;
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    return answers;
}

static void what_is_too_much_for_one_submission_goes_in_steps_with_the_same_answers(void **state)
{
    (void)state;
    struct fg_trace *trace = make_trace();
    const struct fg_compute_budget any = { { 0 } };
    const struct fg_compute_budget few = { .most = { .commands = 4 } };
    const struct answers whole = ask(trace, &any);
    struct answers cut = ask(trace, &few);
    assert_int_equal(whole.count, SPANS);
    assert_true(cut.submissions > whole.submissions);
    cut.submissions = whole.submissions;
    assert_memory_equal(&cut, &whole, sizeof whole);
    fgi_trace_destroy(trace);
}

/* ---- who looks on ---------------------------------------------------------------------------- */

struct heard {
    uint32_t begun, ended, open;
    uint64_t invocations;
};

static void on_begin(void *context, VkCommandBuffer commands, const struct fg_compute_node *node,
                     const struct fg_compute_workload *workload)
{
    struct heard *heard = context;
    assert_non_null(commands);
    assert_non_null(node->name);
    heard->begun++;
    heard->invocations += workload->invocations;
    assert_int_equal(heard->open++, 0);
}

static void on_end(void *context, VkCommandBuffer commands, const struct fg_compute_node *node)
{
    struct heard *heard = context;
    (void)commands;
    (void)node;
    heard->ended++;
    heard->open--;
}

static void who_looks_on_is_told_of_every_node_until_nobody_does(void **state)
{
    (void)state;
    struct fg_trace *trace = make_trace();
    struct heard heard = { 0 };
    const struct fg_compute_budget any = { { 0 } };
    const struct fg_compute_listener listener = { .node_begin = on_begin,
                                                  .node_end = on_end,
                                                  .context = &heard };
    fg_compute_set_listener(bed.compute, &listener);
    const struct answers answers = ask(trace, &any);
    assert_true(heard.begun >= answers.submissions);
    assert_int_equal(heard.begun, heard.ended);
    assert_true(heard.invocations > SPANS);
    fg_compute_set_listener(bed.compute, NULL);
    const uint32_t before = heard.begun;
    (void)ask(trace, &any);
    assert_int_equal(heard.begun, before);
    fgi_trace_destroy(trace);
}

/* ---- ways to compute ------------------------------------------------------------------------- */

/* One variant only: pipelines of all of them take long where the device is software. */
static void sizes_of_groups_are_measured_and_the_fastest_comes_first(void **state)
{
    (void)state;
    struct fg_compute_choice choices[FG_COMPUTE_CHOICES];
    const struct fg_compute_runner runner = { .begin = begin, .submit = submit, .wait = wait };
    struct fg_compute_options options = bed.options;
    uint32_t count = 0;
    uint32_t sizes = 0;
    options.flags |= FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP;
    assert_int_equal(fg_compute_choose(&options, &runner, 512, choices, &count), FG_OK);
    assert_int_equal(count, 3); /* what is excluded is not tried */
    for (uint32_t i = 0; i < count; i++) {
        assert_true(choices[i].taken_ns > 0);
        assert_true(i == 0 || choices[i - 1].taken_ns <= choices[i].taken_ns);
        sizes += choices[i].group_size;
    }
    assert_int_equal(sizes, 256 + 128 + 64);
}

static void small_groups_answer_the_same(void **state)
{
    (void)state;
    const struct fg_compute_budget any = { { 0 } };
    struct fg_trace *trace = make_trace();
    const struct answers usual = ask(trace, &any);
    bed.options.group_size = 64;
    compute_bed_renew(&bed);
    const struct answers small = ask(trace, &any);
    assert_memory_equal(&small, &usual, sizeof usual);
    bed.options.group_size = 0;
    compute_bed_renew(&bed);
    fgi_trace_destroy(trace);
}

static int setup(void **state)
{
    (void)state;
    return compute_bed_create(&bed, 0) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    compute_bed_destroy(&bed);
    return bed.messages == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_too_much_for_one_submission_goes_in_steps_with_the_same_answers),
        cmocka_unit_test(who_looks_on_is_told_of_every_node_until_nobody_does),
        cmocka_unit_test(sizes_of_groups_are_measured_and_the_fastest_comes_first),
        cmocka_unit_test(small_groups_answer_the_same),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
