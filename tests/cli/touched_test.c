/* SPDX-License-Identifier: MIT */
/* Ranges that passes touch, as resources with versions. */
#include "cli/touched.h"
#include <cmocka_all.h>

static const char *const names[] = { "first", "second", "third" };

static struct fg_graph_desc graph_of(struct fgi_arena *arena, const struct fgi_touch *touches,
                                     uint32_t count)
{
    struct fg_graph_desc graph;
    assert_int_equal(fgi_touched_graph(arena, touches, count, names, 3, &graph), FG_OK);
    assert_int_equal(graph.pass_count, 3);
    return graph;
}

static void ranges_that_overlap_are_one_resource_and_neighbours_are_not(void **state)
{
    (void)state;
    struct fgi_arena arena = { 0 };
    const struct fgi_touch touches[] = {
        { .buffer = 7, .begin_bytes = 0, .end_bytes = 64, .pass = 0, .writes = true },
        { .buffer = 7, .begin_bytes = 64, .end_bytes = 128, .pass = 0, .writes = true },
        { .buffer = 8, .begin_bytes = 0, .end_bytes = 64, .pass = 0, .writes = true },
        { .buffer = 7, .begin_bytes = 32, .end_bytes = 48, .pass = 1, .reads = true },
        { .buffer = 7, .begin_bytes = 100, .end_bytes = 160, .pass = 2, .reads = true },
    };
    const struct fg_graph_desc graph = graph_of(&arena, touches, 5);
    assert_int_equal(graph.resource_count, 3);
    assert_int_equal(graph.passes[0].create_count, 3);
    assert_int_equal(graph.resources[graph.passes[0].creates[0]].desc.size_bytes, 64);
    assert_int_equal(graph.resources[graph.passes[0].creates[1]].desc.size_bytes, 96);
    assert_int_equal(graph.passes[1].reads[0], graph.passes[0].creates[0]);
    assert_int_equal(graph.passes[2].reads[0], graph.passes[0].creates[1]);
    assert_string_equal(graph.resources[graph.passes[0].creates[0]].name, "first");
    assert_string_equal(graph.resources[graph.passes[0].creates[1]].name, "first: 2");
    fgi_arena_finish(&arena);
}

static void every_write_is_a_version_and_what_nobody_wrote_was_there(void **state)
{
    (void)state;
    struct fgi_arena arena = { 0 };
    const struct fgi_touch touches[] = {
        { .buffer = 1, .begin_bytes = 0, .end_bytes = 8, .pass = 0, .reads = true },
        { .buffer = 1, .begin_bytes = 0, .end_bytes = 8, .pass = 1, .reads = true, .writes = true },
        { .buffer = 1, .begin_bytes = 0, .end_bytes = 8, .pass = 1, .reads = true },
        { .buffer = 1, .begin_bytes = 0, .end_bytes = 8, .pass = 2, .writes = true },
    };
    const struct fg_graph_desc graph = graph_of(&arena, touches, 4);
    assert_int_equal(graph.resource_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(graph.resources[i].id, 1);
        assert_int_equal(graph.resources[i].version, i);
        assert_int_equal(graph.resources[i].flags, FG_RESOURCE_IMPORTED);
    }
    assert_int_equal(graph.passes[0].read_count, 1);
    assert_int_equal(graph.passes[0].create_count, 0);
    assert_int_equal(graph.passes[1].read_count, 1);
    assert_int_equal(graph.passes[1].reads[0], 0);
    assert_int_equal(graph.passes[1].write_count, 1);
    assert_int_equal(graph.passes[1].writes[0], 1);
    assert_int_equal(graph.passes[2].read_count, 0);
    assert_int_equal(graph.passes[2].writes[0], 2);
    fgi_arena_finish(&arena);
}

static void equal_work_at_other_addresses_is_an_equal_graph(void **state)
{
    (void)state;
    struct fgi_arena arena = { 0 };
    struct fgi_touch touches[] = {
        { .buffer = 9, .begin_bytes = 4096, .end_bytes = 4160, .pass = 0, .writes = true },
        { .buffer = 2, .begin_bytes = 0, .end_bytes = 64, .pass = 1, .writes = true },
        { .buffer = 9, .begin_bytes = 4096, .end_bytes = 4160, .pass = 2, .reads = true },
    };
    const struct fg_graph_desc one = graph_of(&arena, touches, 3);
    touches[0].buffer = touches[2].buffer = 1;
    touches[1].buffer = 5;
    const struct fg_graph_desc other = graph_of(&arena, touches, 3);
    assert_int_equal(one.resource_count, other.resource_count);
    for (uint32_t i = 0; i < one.resource_count; i++) {
        assert_int_equal(one.resources[i].id, other.resources[i].id);
        assert_string_equal(one.resources[i].name, other.resources[i].name);
    }
    assert_int_equal(one.passes[2].reads[0], other.passes[2].reads[0]);
    fgi_arena_finish(&arena);
}

static void nothing_touched_is_a_graph_of_passes_alone(void **state)
{
    (void)state;
    struct fgi_arena arena = { 0 };
    const struct fg_graph_desc graph = graph_of(&arena, NULL, 0);
    assert_int_equal(graph.resource_count, 0);
    assert_string_equal(graph.passes[2].name, "third");
    fgi_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_that_overlap_are_one_resource_and_neighbours_are_not),
        cmocka_unit_test(every_write_is_a_version_and_what_nobody_wrote_was_there),
        cmocka_unit_test(equal_work_at_other_addresses_is_an_equal_graph),
        cmocka_unit_test(nothing_touched_is_a_graph_of_passes_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
