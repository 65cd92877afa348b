/* SPDX-License-Identifier: MIT */
/* Graphs on a device, against the same work done in order on the host. */
#include "compute_bed.h"
#include "compute_programs.h"

#include "cmocka_all.h"
#include "kernels/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct compute_bed bed;

static int setup(void **state)
{
    (void)state;
    return compute_bed_create(&bed, 0) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    compute_bed_destroy(&bed);
    return 0;
}

/** Back to a compute without planted limits; the layer has nothing to say. */
static int settle(void **state)
{
    (void)state;
    bed.options.group_limit = 0;
    bed.options.group_size = 0;
    bed.options.flags = 0;
    bed.options.pipeline_cache = VK_NULL_HANDLE;
    compute_bed_renew(&bed);
    return bed.messages == 0 ? 0 : -1;
}

static struct fg_compute_graph *make_graph(uint32_t flags)
{
    struct fg_compute_graph *graph = NULL;
    const struct fg_compute_graph_options options = { .flags = flags };
    assert_int_equal(fg_compute_graph_create(bed.compute, &options, &graph), FG_OK);
    return graph;
}

/** How a graph is to be run. */
typedef void runner(struct fg_compute_graph *graph, uint32_t seed);

static void run_whole(struct fg_compute_graph *graph, uint32_t seed)
{
    (void)seed;
    compute_bed_run(&bed, graph);
}

/** Each step in a command buffer of its own, some submitted together. */
static void run_steps(struct fg_compute_graph *graph, uint32_t seed)
{
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    const struct fg_compute_budget budget = { .most = {
                                                  .invocations = 1 + program_random(&seed, 2000),
                                                  .commands = 1 + program_random(&seed, 5) } };
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    assert_int_equal(fg_compute_plan_create(graph, &budget, FG_COMPUTE_PROGRESSIVE, &plan), FG_OK);
    VkCommandBuffer steps[PROGRAM_NODES];
    uint32_t count = 0;
    fg_compute_run_begin(plan, &run);
    while (run.encoded_count < fg_compute_plan_step_count(plan)) {
        steps[count] = compute_bed_commands(&bed);
        compute_bed_begin(steps[count]);
        assert_int_equal(fg_compute_run_encode(&run, steps[count]), FG_OK);
        compute_bed_end(steps[count]);
        count++;
    }
    const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = count,
                                .pCommandBuffers = steps };
    assert_int_equal(vkQueueSubmit(bed.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    assert_int_equal(vkQueueWaitIdle(bed.queue), VK_SUCCESS);
    assert_int_equal(fg_compute_run_complete(&run, count), FG_OK);
    vkFreeCommandBuffers(bed.device, bed.pool, count, steps);
    fg_compute_plan_destroy(plan);
}

static void check_programs(uint32_t first_seed, uint32_t count, uint32_t flags, runner *run)
{
    static uint32_t words[PROGRAM_ALL];
    static uint32_t found[PROGRAM_ALL];
    struct fg_compute_graph *graph = make_graph(flags);
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fg_compute_memory memory = compute_bed_memory(&bed, NULL, sizeof words);
    for (uint32_t seed = first_seed; seed < first_seed + count; seed++) {
        fg_compute_graph_clear(graph);
        program_words(seed, words);
        compute_bed_write(&bed, memory.view, words);
        assert_int_equal(program_add(seed, PROGRAM_NODES, memory.view,
                                     fg_compute_get_facts(bed.compute)->group_size, &sink, words),
                         FG_OK);
        run(graph, seed);
        compute_bed_read(&bed, memory.view, found);
        for (uint32_t i = 0; i < PROGRAM_ALL; i++) {
            if (found[i] != words[i]) {
                fail_msg("seed %u: word %u is %u, not %u", seed, i, found[i], words[i]);
            }
        }
    }
    fg_compute_memory_free(bed.compute, &memory);
    fg_compute_graph_destroy(graph);
}

static void nodes_do_what_they_do_one_after_the_other(void **state)
{
    (void)state;
    check_programs(1, 40, 0, run_whole);
}

static void nodes_in_the_order_of_addition_do_the_same(void **state)
{
    (void)state;
    check_programs(100, 10, FG_COMPUTE_GRAPH_IN_ORDER, run_whole);
}

static void steps_do_the_same(void **state)
{
    (void)state;
    check_programs(200, 15, 0, run_steps);
}

static void barriers_without_synchronization2_do_the_same(void **state)
{
    (void)state;
    bed.options.flags = FG_COMPUTE_NO_SYNCHRONIZATION2;
    compute_bed_renew(&bed);
    assert_int_equal(fg_compute_get_facts(bed.compute)->flags & FG_COMPUTE_SYNCHRONIZATION2, 0);
    check_programs(300, 15, 0, run_whole);
}

static void few_groups_in_each_dimension_do_the_same(void **state)
{
    (void)state;
    static const uint32_t limits[] = { 3, 2 };
    for (size_t i = 0; i < 2; i++) {
        bed.options.group_limit = limits[i];
        bed.options.group_size = 32;
        compute_bed_renew(&bed);
        assert_int_equal(fg_compute_get_facts(bed.compute)->group_limit, limits[i]);
        check_programs(400 + 100 * (uint32_t)i, 10, 0, run_whole);
    }
}

/** A graph of somebody else: takes nodes one by one, with a barrier for everything between. */
static enum fg_result encode_at_once(void *context, const struct fg_compute_node *node)
{
    const VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                      .dstAccessMask =
                                          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT };
    (void)context;
    vkCmdPipelineBarrier(bed.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    return fg_compute_node_encode(bed.compute, node, bed.commands);
}

static void a_graph_of_somebody_else_takes_the_same_nodes(void **state)
{
    (void)state;
    static uint32_t words[PROGRAM_ALL];
    static uint32_t found[PROGRAM_ALL];
    const struct fg_compute_sink sink = { encode_at_once, NULL };
    struct fg_compute_memory memory = compute_bed_memory(&bed, NULL, sizeof words);
    for (uint32_t seed = 600; seed < 605; seed++) {
        program_words(seed, words);
        compute_bed_write(&bed, memory.view, words);
        compute_bed_begin(bed.commands);
        assert_int_equal(program_add(seed, PROGRAM_NODES, memory.view,
                                     fg_compute_get_facts(bed.compute)->group_size, &sink, words),
                         FG_OK);
        compute_bed_end(bed.commands);
        compute_bed_submit(&bed, bed.commands);
        compute_bed_read(&bed, memory.view, found);
        assert_memory_equal(found, words, sizeof words);
    }
    fg_compute_memory_free(bed.compute, &memory);
}

/* What kernels are told. */

static const struct fg_compute_kernel variant = {
    .name = "variant",
    .code = FGI_CODE_variant,
    .push_bytes = sizeof(uint64_t),
};

static void read_variant(const struct fg_compute_program *program, uint32_t out_words[6])
{
    struct fg_compute_graph *graph = make_graph(0);
    struct fg_compute_memory memory = compute_bed_memory(&bed, NULL, 6 * sizeof(uint32_t));
    const struct fg_compute_use use = { .view = memory.view, .access = FG_COMPUTE_WRITE };
    assert_int_equal(
        fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "variant", .kind = FG_COMPUTE_DISPATCH,
                                                    .program = *program, .group_count = 1,
                                                    .push = &memory.view.address, .uses = &use,
                                                    .use_count = 1)),
        FG_OK);
    compute_bed_run(&bed, graph);
    compute_bed_read(&bed, memory.view, out_words);
    fg_compute_memory_free(bed.compute, &memory);
    fg_compute_graph_destroy(graph);
}

static void kernels_run_in_the_best_variant_and_know_the_numbers(void **state)
{
    (void)state;
    static const uint32_t without[] = { 0, FG_COMPUTE_NO_INT64, FG_COMPUTE_NO_SUBGROUP,
                                        FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        uint32_t words[6];
        bed.options.flags = without[i];
        compute_bed_renew(&bed);
        const struct fg_compute_facts *facts = fg_compute_get_facts(bed.compute);
        const bool has_int64 = (facts->flags & FG_COMPUTE_INT64) != 0;
        const bool has_subgroup = (facts->flags & FG_COMPUTE_SUBGROUP) != 0;
        assert_false(has_int64 && (without[i] & FG_COMPUTE_NO_INT64) != 0);
        assert_false(has_subgroup && (without[i] & FG_COMPUTE_NO_SUBGROUP) != 0);
        read_variant(
            &(struct fg_compute_program){
                .kernel = &variant, .group_size = 64, .constant_count = 2, .constants = { 7, 11 } },
            words);
        assert_int_equal(words[0], (has_int64 ? 1 : 0) | (has_subgroup ? 2 : 0));
        assert_int_equal(words[1], 64);
        assert_int_equal(words[2], facts->group_limit);
        assert_int_equal(words[3], has_subgroup ? facts->subgroup_size : 0);
        assert_int_equal(words[4], 7);
        assert_int_equal(words[5], 11);
    }
}

static void equal_programs_share_a_pipeline(void **state)
{
    (void)state;
    struct fg_compute_counts counts;
    uint32_t words[6];
    struct fg_compute_program program = { .kernel = &variant, .constant_count = 1 };
    for (uint32_t i = 0; i < 6; i++) {
        program.constants[0] = i / 2;
        /* Not given, hence not compared. */
        program.constants[1] = i;
        read_variant(&program, words);
        assert_int_equal(words[4], i / 2);
        assert_int_equal(words[5], 0);
    }
    program.group_size = fg_compute_get_facts(bed.compute)->group_size;
    assert_int_equal(fg_compute_prepare(bed.compute, &program), FG_OK);
    fg_compute_get_counts(bed.compute, &counts);
    assert_int_equal(counts.pipelines, 3);
}

static void pipelines_go_into_the_cache_of_the_caller(void **state)
{
    (void)state;
    const VkPipelineCacheCreateInfo info = { .sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
    size_t empty_bytes = 0;
    size_t full_bytes = 0;
    assert_int_equal(vkCreatePipelineCache(bed.device, &info, NULL, &bed.options.pipeline_cache),
                     VK_SUCCESS);
    const VkPipelineCache cache = bed.options.pipeline_cache;
    assert_int_equal(vkGetPipelineCacheData(bed.device, cache, &empty_bytes, NULL), VK_SUCCESS);
    compute_bed_renew(&bed);
    assert_int_equal(
        fg_compute_prepare(bed.compute, &(struct fg_compute_program){ .kernel = &variant }), FG_OK);
    assert_int_equal(vkGetPipelineCacheData(bed.device, cache, &full_bytes, NULL), VK_SUCCESS);
    /* SwiftShader and lavapipe say nothing of what is in it; they may not have less. */
    assert_true(full_bytes >= empty_bytes);
    settle(NULL);
    vkDestroyPipelineCache(bed.device, cache, NULL);
}

/* What stays encoded. */

static void words_of_control_memory_are_all_that_changes_between_submissions(void **state)
{
    (void)state;
    struct fg_compute_counts counts;
    struct fg_compute_memory control;
    struct fg_compute_memory result = compute_bed_memory(&bed, NULL, 16);
    struct fg_compute_graph *graph = make_graph(0);
    assert_int_equal(fg_compute_memory_take(bed.compute, FG_COMPUTE_CONTROL, 16, &control), FG_OK);
    assert_null(control.host);
    assert_int_equal(
        fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "controls", .kind = FG_COMPUTE_COPY,
                                                    .source = control.view, .target = result.view)),
        FG_OK);
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    const VkCommandBuffer commands = compute_bed_commands(&bed);
    compute_bed_begin(commands);
    assert_int_equal(fg_compute_graph_encode(graph, commands), FG_OK);
    compute_bed_end(commands);
    uint32_t words[4] = { 1, 2, 3, 4 };
    uint32_t found[4];
    uint64_t written_bytes = fg_compute_write(bed.compute, &control, 0, words, sizeof words);
    assert_int_equal(written_bytes, sizeof words);
    for (uint32_t i = 0; i < 4; i++) {
        words[2] = 100 + i;
        written_bytes += fg_compute_write(bed.compute, &control, 0, words, sizeof words);
        compute_bed_submit(&bed, commands);
        compute_bed_read(&bed, result.view, found);
        assert_memory_equal(found, words, sizeof words);
    }
    assert_int_equal(written_bytes, sizeof words + 4 * sizeof(uint32_t));
    fg_compute_get_counts(bed.compute, &counts);
    assert_int_equal(counts.written_bytes, written_bytes);
    vkFreeCommandBuffers(bed.device, bed.pool, 1, &commands);
    fg_compute_graph_destroy(graph);
    fg_compute_memory_free(bed.compute, &control);
    fg_compute_memory_free(bed.compute, &result);
}

/* Rings. */

static void what_goes_up_through_a_ring_comes_back_through_another(void **state)
{
    (void)state;
    enum { FRAMES = 40, WORDS = 300 };
    struct fg_compute_ring *up = NULL;
    struct fg_compute_ring *back = NULL;
    struct fg_compute_memory memory = compute_bed_memory(&bed, NULL, WORDS * sizeof(uint32_t));
    struct fg_compute_graph *graph = make_graph(0);
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, 4096, &up), FG_OK);
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_READBACK, 4096, &back), FG_OK);
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        struct fg_compute_memory from;
        struct fg_compute_memory to;
        const uint64_t size_bytes = (1 + frame * 7 % WORDS) * sizeof(uint32_t);
        assert_int_equal(fg_compute_ring_take(up, size_bytes, frame, &from), FG_OK);
        assert_int_equal(fg_compute_ring_take(back, size_bytes, frame, &to), FG_OK);
        for (uint32_t i = 0; i < size_bytes / sizeof(uint32_t); i++) {
            ((uint32_t *)from.host)[i] = frame * 1000 + i;
        }
        const struct fg_compute_view view = fg_compute_view_part(memory.view, 0, size_bytes);
        const struct fg_compute_use seen = { .view = to.view,
                                             .access = FG_COMPUTE_READ,
                                             .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                             .accesses = VK_ACCESS_HOST_READ_BIT };
        fg_compute_graph_clear(graph);
        assert_int_equal(
            fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "up", .kind = FG_COMPUTE_COPY,
                                                        .source = from.view, .target = view)),
            FG_OK);
        assert_int_equal(
            fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "back", .kind = FG_COMPUTE_COPY,
                                                        .source = view, .target = to.view)),
            FG_OK);
        assert_int_equal(
            fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "seen", .kind = FG_COMPUTE_PUBLISH,
                                                        .uses = &seen, .use_count = 1)),
            FG_OK);
        compute_bed_run(&bed, graph);
        for (uint32_t i = 0; i < size_bytes / sizeof(uint32_t); i++) {
            assert_int_equal(((const uint32_t *)to.host)[i], frame * 1000 + i);
        }
        /* A frame late, as where frames are in flight. */
        fg_compute_ring_complete(up, frame - 1);
        fg_compute_ring_complete(back, frame - 1);
    }
    fg_compute_ring_destroy(up);
    fg_compute_ring_destroy(back);
    fg_compute_graph_destroy(graph);
    fg_compute_memory_free(bed.compute, &memory);
}

static void the_layer_had_nothing_to_say(void **state)
{
    (void)state;
    if (!bed.validated) {
        skip();
    }
    assert_int_equal(bed.messages, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nodes_do_what_they_do_one_after_the_other, settle),
        cmocka_unit_test_teardown(nodes_in_the_order_of_addition_do_the_same, settle),
        cmocka_unit_test_teardown(steps_do_the_same, settle),
        cmocka_unit_test_teardown(barriers_without_synchronization2_do_the_same, settle),
        cmocka_unit_test_teardown(few_groups_in_each_dimension_do_the_same, settle),
        cmocka_unit_test_teardown(a_graph_of_somebody_else_takes_the_same_nodes, settle),
        cmocka_unit_test_teardown(kernels_run_in_the_best_variant_and_know_the_numbers, settle),
        cmocka_unit_test_teardown(equal_programs_share_a_pipeline, settle),
        cmocka_unit_test_teardown(pipelines_go_into_the_cache_of_the_caller, settle),
        cmocka_unit_test_teardown(words_of_control_memory_are_all_that_changes_between_submissions,
                                  settle),
        cmocka_unit_test_teardown(what_goes_up_through_a_ring_comes_back_through_another, settle),
        cmocka_unit_test(the_layer_had_nothing_to_say),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
