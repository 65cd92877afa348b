/* SPDX-License-Identifier: MIT */
/* The demo renderer's frame graph, without any device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "frame_graph.h"

static const struct rd_texture_desc small = { .width_px = 4, .height_px = 4, .format = 37 };
static const struct rd_buffer_desc bytes = { .size_bytes = 64 };

static struct rd_graph graph;

static int setup(void **state)
{
    (void)state;
    memset(&graph, 0, sizeof(graph));
    rd_graph_reset(&graph);
    return 0;
}

static uint16_t add(const char *name, uint32_t flags)
{
    const struct rd_pass_desc desc = {
        .name = name, .scope = RD_GRAPH_NONE, .kind = RD_PASS_COMPUTE, .flags = flags
    };
    return rd_graph_add_pass(&graph, &desc);
}

static uint16_t make(uint16_t pass, const char *name)
{
    return rd_graph_create_texture(&graph, pass, name, &small, RD_USE_STORAGE_WRITE);
}

/** Where a pass runs; RD_GRAPH_NONE when it does not. */
static uint16_t position_of(uint16_t pass)
{
    for (uint16_t i = 0; i < graph.order_count; i++) {
        if (graph.order[i] == pass) {
            return i;
        }
    }
    return RD_GRAPH_NONE;
}

static void passes_that_nobody_reads_are_culled(void **state)
{
    (void)state;
    const uint16_t used = add("used", 0);
    const uint16_t a = make(used, "a");
    const uint16_t unused = add("unused", 0);
    (void)make(unused, "b");
    const uint16_t end = add("end", RD_PASS_SIDE_EFFECT);
    rd_graph_read(&graph, end, a, RD_USE_SAMPLED);

    assert_true(rd_graph_compile(&graph));
    assert_false(graph.passes[used].culled);
    assert_true(graph.passes[unused].culled);
    assert_int_equal(graph.passes[unused].ref_count, 0);
    assert_int_equal(graph.passes[used].ref_count, 1);
    assert_int_equal(graph.order_count, 2);
}

static void a_culled_pass_releases_what_it_read(void **state)
{
    (void)state;
    const uint16_t first = add("first", 0);
    const uint16_t a = make(first, "a");
    const uint16_t second = add("second", 0);
    rd_graph_read(&graph, second, a, RD_USE_SAMPLED);
    const uint16_t b = make(second, "b");
    const uint16_t third = add("third", 0);
    rd_graph_read(&graph, third, b, RD_USE_SAMPLED);
    (void)make(third, "c");

    assert_true(rd_graph_compile(&graph));
    assert_true(graph.passes[first].culled);
    assert_true(graph.passes[second].culled);
    assert_true(graph.passes[third].culled);
    assert_int_equal(graph.order_count, 0);
}

static void one_wanted_product_keeps_a_pass_of_several(void **state)
{
    (void)state;
    const uint16_t first = add("first", 0);
    const uint16_t a = make(first, "a");
    (void)make(first, "b");
    const uint16_t end = add("end", RD_PASS_SIDE_EFFECT);
    rd_graph_read(&graph, end, a, RD_USE_SAMPLED);

    assert_true(rd_graph_compile(&graph));
    assert_false(graph.passes[first].culled);
    assert_int_equal(graph.passes[first].ref_count, 1);
}

static void side_effects_keep_a_pass_without_readers(void **state)
{
    (void)state;
    const uint16_t pass = add("present", RD_PASS_SIDE_EFFECT);
    (void)make(pass, "a");
    assert_true(rd_graph_compile(&graph));
    assert_false(graph.passes[pass].culled);
    assert_int_equal(graph.passes[pass].ref_count, 0);
}

static void a_pass_that_only_reads_is_culled_and_releases(void **state)
{
    (void)state;
    const uint16_t first = add("first", 0);
    const uint16_t a = make(first, "a");
    const uint16_t looker = add("looker", 0);
    rd_graph_read(&graph, looker, a, RD_USE_SAMPLED);
    assert_true(rd_graph_compile(&graph));
    assert_true(graph.passes[looker].culled);
    assert_true(graph.passes[first].culled);
}

static void keeping_an_import_keeps_who_wrote_it(void **state)
{
    (void)state;
    int image;
    uint16_t history = rd_graph_import_texture(&graph, "history", &small, &image);
    const uint16_t pass = add("filter", 0);
    history = rd_graph_write(&graph, pass, history, RD_USE_STORAGE_WRITE);
    assert_true(rd_graph_compile(&graph));
    assert_true(graph.passes[pass].culled);

    rd_graph_keep(&graph, history);
    assert_true(rd_graph_compile(&graph));
    assert_false(graph.passes[pass].culled);
    assert_ptr_equal(graph.resources[0].external, &image);
}

static void only_last_versions_of_imports_can_be_kept(void **state)
{
    (void)state;
    const uint16_t pass = add("pass", RD_PASS_SIDE_EFFECT);
    rd_graph_keep(&graph, make(pass, "transient"));
    assert_non_null(graph.error);
    assert_false(rd_graph_compile(&graph));
}

static void writes_make_a_chain_of_versions(void **state)
{
    (void)state;
    const uint16_t imported = rd_graph_import_buffer(&graph, "atlas", &bytes, NULL);
    const uint16_t one = add("one", 0);
    const uint16_t v1 = rd_graph_write(&graph, one, imported, RD_USE_STORAGE_WRITE);
    const uint16_t two = add("two", 0);
    const uint16_t v2 = rd_graph_write(&graph, two, v1, RD_USE_STORAGE_WRITE);

    assert_int_equal(graph.versions[imported].number, 0);
    assert_int_equal(graph.versions[imported].producer, RD_GRAPH_NONE);
    assert_int_equal(graph.versions[v1].number, 1);
    assert_int_equal(graph.versions[v1].producer, one);
    assert_int_equal(graph.versions[v2].number, 2);
    assert_int_equal(graph.versions[v2].producer, two);
    assert_int_equal(graph.versions[v2].resource, graph.versions[imported].resource);
    /* The second write reads what the first one made. */
    assert_int_equal(graph.versions[v1].readers, 1);
    assert_int_equal(graph.resource_count, 1);
}

static void writing_a_replaced_version_is_refused(void **state)
{
    (void)state;
    const uint16_t imported = rd_graph_import_buffer(&graph, "atlas", &bytes, NULL);
    const uint16_t pass = add("pass", 0);
    (void)rd_graph_write(&graph, pass, imported, RD_USE_STORAGE_WRITE);
    assert_int_equal(rd_graph_write(&graph, pass, imported, RD_USE_STORAGE_WRITE), RD_GRAPH_NONE);
    assert_string_equal(graph.error, "two passes write the same version");
    assert_false(rd_graph_compile(&graph));
}

static void readers_of_old_contents_run_before_they_are_replaced(void **state)
{
    (void)state;
    const uint16_t first = add("first", 0);
    const uint16_t v0 = make(first, "a");
    const uint16_t writer = add("writer", 0);
    const uint16_t v1 = rd_graph_write(&graph, writer, v0, RD_USE_STORAGE_WRITE);
    const uint16_t late_reader = add("late reader", RD_PASS_SIDE_EFFECT);
    rd_graph_read(&graph, late_reader, v0, RD_USE_SAMPLED);
    const uint16_t end = add("end", RD_PASS_SIDE_EFFECT);
    rd_graph_read(&graph, end, v1, RD_USE_SAMPLED);

    assert_true(rd_graph_compile(&graph));
    assert_true(position_of(late_reader) < position_of(writer));
    assert_true(position_of(first) < position_of(late_reader));
    assert_true(position_of(writer) < position_of(end));
}

static void passes_that_wait_for_each_other_are_an_error(void **state)
{
    (void)state;
    const uint16_t first = add("first", 0);
    const uint16_t v0 = make(first, "a");
    const uint16_t writer = add("writer", 0);
    const uint16_t v1 = rd_graph_write(&graph, writer, v0, RD_USE_STORAGE_WRITE);
    const uint16_t b = make(writer, "b");
    const uint16_t both = add("both", RD_PASS_SIDE_EFFECT);
    rd_graph_read(&graph, both, v0, RD_USE_SAMPLED);
    rd_graph_read(&graph, both, b, RD_USE_SAMPLED);
    (void)v1;
    assert_false(rd_graph_compile(&graph));
    assert_string_equal(graph.error, "passes wait for each other");
}

static void independent_passes_keep_their_order(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        (void)make(add("pass", RD_PASS_SIDE_EFFECT), "texture");
    }
    assert_true(rd_graph_compile(&graph));
    for (uint16_t i = 0; i < 10; i++) {
        assert_int_equal(graph.order[i], i);
    }
}

static void lifetimes_span_live_uses_only(void **state)
{
    (void)state;
    const uint16_t p0 = add("p0", RD_PASS_SIDE_EFFECT);
    const uint16_t a = make(p0, "a");
    const uint16_t p1 = add("p1", RD_PASS_SIDE_EFFECT);
    rd_graph_read(&graph, p1, a, RD_USE_SAMPLED);
    const uint16_t p2 = add("p2, culled", 0);
    rd_graph_read(&graph, p2, a, RD_USE_COPY_FROM);
    (void)make(p2, "never");
    const uint16_t p3 = add("p3", RD_PASS_SIDE_EFFECT);
    (void)make(p3, "c");

    assert_true(rd_graph_compile(&graph));
    assert_int_equal(graph.resources[0].first_position, 0);
    assert_int_equal(graph.resources[0].last_position, 1);
    assert_int_equal(graph.resources[0].uses, RD_USE_STORAGE_WRITE | RD_USE_SAMPLED);
    assert_int_equal(graph.resources[1].first_position, RD_GRAPH_NONE);
    assert_int_equal(graph.resources[2].first_position, 2);
}

static void edges_belong_to_the_newest_pass(void **state)
{
    (void)state;
    const uint16_t first = add("first", 0);
    const uint16_t a = make(first, "a");
    (void)add("second", 0);
    rd_graph_read(&graph, first, a, RD_USE_SAMPLED);
    assert_string_equal(graph.error, "edges belong to the pass declared last");
}

static void too_many_passes_are_an_error_and_no_overflow(void **state)
{
    (void)state;
    for (int i = 0; i < RD_GRAPH_MAX_PASSES; i++) {
        assert_int_not_equal(add("pass", 0), RD_GRAPH_NONE);
    }
    assert_int_equal(add("one too many", 0), RD_GRAPH_NONE);
    assert_string_equal(graph.error, "too many passes");
    assert_int_equal(graph.pass_count, RD_GRAPH_MAX_PASSES);
}

static void too_many_resources_versions_and_edges_are_errors(void **state)
{
    (void)state;
    uint16_t pass = add("pass", 0);
    for (int i = 0; i <= RD_GRAPH_MAX_RESOURCES; i++) {
        (void)make(pass, "texture");
    }
    assert_string_equal(graph.error, "too many resources");

    rd_graph_reset(&graph);
    uint16_t version = rd_graph_import_buffer(&graph, "buffer", &bytes, NULL);
    pass = add("pass", 0);
    while (version != RD_GRAPH_NONE) {
        version = rd_graph_write(&graph, pass, version, RD_USE_STORAGE_WRITE);
    }
    assert_string_equal(graph.error, "too many resource versions");

    rd_graph_reset(&graph);
    version = rd_graph_import_buffer(&graph, "buffer", &bytes, NULL);
    pass = add("pass", 0);
    for (int i = 0; i <= RD_GRAPH_MAX_EDGES; i++) {
        rd_graph_read(&graph, pass, version, RD_USE_STORAGE_READ);
    }
    assert_string_equal(graph.error, "too many edges");
}

static void scopes_are_shared_by_name_and_parent(void **state)
{
    (void)state;
    const uint16_t post = rd_graph_scope(&graph, RD_GRAPH_NONE, "post");
    const uint16_t bloom = rd_graph_scope(&graph, post, "bloom");
    assert_int_equal(rd_graph_scope(&graph, RD_GRAPH_NONE, "post"), post);
    assert_int_equal(rd_graph_scope(&graph, post, "bloom"), bloom);
    assert_int_not_equal(rd_graph_scope(&graph, RD_GRAPH_NONE, "bloom"), bloom);
    assert_int_equal(graph.scopes[bloom].parent, post);
}

struct journal {
    char mark;
};

static struct journal journals[2];
static char order[128];

static void note(struct journal *journal, char what, uint16_t pass)
{
    const size_t length = strlen(order);
    order[length] = journal->mark;
    order[length + 1] = what;
    order[length + 2] = (char)('0' + pass);
    order[length + 3] = '\0';
}

static void on_begin(void *user, const struct rd_graph *from, uint16_t pass)
{
    assert_ptr_equal(from, &graph);
    note(user, '<', pass);
}

static void on_end(void *user, const struct rd_graph *from, uint16_t pass)
{
    (void)from;
    note(user, '>', pass);
}

static bool succeed(void *user, uint32_t argument)
{
    (*(int *)user)++;
    (void)argument;
    return true;
}

static bool give_up(void *user, uint32_t argument)
{
    (void)user;
    (void)argument;
    return false;
}

static void add_running(rd_pass_execute *execute, void *user)
{
    const struct rd_pass_desc desc = { .name = "pass",
                                       .scope = RD_GRAPH_NONE,
                                       .flags = RD_PASS_SIDE_EFFECT,
                                       .execute = execute,
                                       .user = user };
    (void)rd_graph_add_pass(&graph, &desc);
}

static void listen(int index, char mark)
{
    journals[index].mark = mark;
    const struct rd_graph_listener listener = { &journals[index], on_begin, on_end };
    assert_true(rd_graph_add_listener(&graph, &listener));
}

static void several_listeners_bracket_each_pass_and_nest(void **state)
{
    (void)state;
    int runs = 0;
    order[0] = '\0';
    listen(0, 'a');
    listen(1, 'b');
    add_running(succeed, &runs);
    add_running(succeed, &runs);
    assert_true(rd_graph_compile(&graph));
    assert_true(rd_graph_execute(&graph, NULL));
    assert_string_equal(order, "a<0b<0b>0a>0a<1b<1b>1a>1");
    assert_int_equal(runs, 2);

    order[0] = '\0';
    rd_graph_remove_listener(&graph, &journals[0]);
    assert_true(rd_graph_execute(&graph, NULL));
    assert_string_equal(order, "b<0b>0b<1b>1");
}

static void the_bracket_closes_around_a_failing_pass(void **state)
{
    (void)state;
    int runs = 0;
    order[0] = '\0';
    listen(0, 'a');
    add_running(give_up, NULL);
    add_running(succeed, &runs);
    assert_true(rd_graph_compile(&graph));
    assert_false(rd_graph_execute(&graph, NULL));
    assert_string_equal(order, "a<0a>0");
    assert_int_equal(runs, 0);
}

static bool refuse_second(void *user, const struct rd_graph *from, uint16_t position)
{
    (void)user;
    (void)from;
    return position < 1;
}

static void a_back_end_that_refuses_stops_the_frame(void **state)
{
    (void)state;
    int runs = 0;
    const struct rd_graph_backend backend = { NULL, refuse_second };
    add_running(succeed, &runs);
    add_running(succeed, &runs);
    assert_true(rd_graph_compile(&graph));
    assert_false(rd_graph_execute(&graph, &backend));
    assert_int_equal(runs, 1);
}

static void the_list_of_listeners_has_an_end(void **state)
{
    (void)state;
    const struct rd_graph_listener listener = { &order, on_begin, on_end };
    for (int i = 0; i < RD_GRAPH_MAX_LISTENERS; i++) {
        assert_true(rd_graph_add_listener(&graph, &listener));
    }
    assert_false(rd_graph_add_listener(&graph, &listener));
}

static uint64_t hash_of(uint32_t width, bool read_it, uint32_t use)
{
    const struct rd_texture_desc desc = { .width_px = width, .height_px = 4, .format = 37 };
    rd_graph_reset(&graph);
    const uint16_t first = add("first", 0);
    const uint16_t a = rd_graph_create_texture(&graph, first, "a", &desc, use);
    const uint16_t end = add("end", RD_PASS_SIDE_EFFECT);
    if (read_it) {
        rd_graph_read(&graph, end, a, RD_USE_SAMPLED);
    }
    assert_true(rd_graph_compile(&graph));
    return rd_graph_hash(&graph);
}

static void hashes_tell_topologies_apart(void **state)
{
    (void)state;
    const uint64_t base = hash_of(4, true, RD_USE_COLOR);
    assert_true(base == hash_of(4, true, RD_USE_COLOR));
    assert_true(base != hash_of(5, true, RD_USE_COLOR));
    assert_true(base != hash_of(4, false, RD_USE_COLOR));
    assert_true(base != hash_of(4, true, RD_USE_STORAGE_WRITE));
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/** Random lifetimes and sizes, checked pair by pair. */
static void placed_items_never_overlap_while_alive(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 500; round++) {
        struct rd_placement items[RD_GRAPH_MAX_RESOURCES];
        const uint32_t count = 1 + next_random(&seed) % RD_GRAPH_MAX_RESOURCES;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint16_t first = (uint16_t)(next_random(&seed) % 40);
            items[i] = (struct rd_placement){
                .size_bytes = 1 + next_random(&seed) % 5000,
                .alignment_bytes = UINT64_C(1) << next_random(&seed) % 10,
                .first_position = first,
                .last_position = (uint16_t)(first + next_random(&seed) % 8),
            };
            sum += items[i].size_bytes + items[i].alignment_bytes;
        }
        const uint64_t total = rd_graph_place(items, count);
        assert_true(total <= sum);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(items[i].offset_bytes % items[i].alignment_bytes, 0);
            assert_true(items[i].offset_bytes + items[i].size_bytes <= total);
            for (uint32_t j = 0; j < i; j++) {
                const bool together = items[i].first_position <= items[j].last_position &&
                                      items[j].first_position <= items[i].last_position;
                const bool overlap =
                    items[i].offset_bytes < items[j].offset_bytes + items[j].size_bytes &&
                    items[j].offset_bytes < items[i].offset_bytes + items[i].size_bytes;
                assert_false(together && overlap);
            }
        }
    }
}

static void items_that_never_meet_share_memory(void **state)
{
    (void)state;
    struct rd_placement items[] = { { 100, 1, 0, 1, 0 }, { 100, 1, 2, 3, 0 }, { 60, 1, 3, 4, 0 } };
    assert_int_equal(rd_graph_place(items, 3), 160);
    assert_int_equal(items[0].offset_bytes, items[1].offset_bytes);
    assert_int_equal(items[2].offset_bytes, 100);
    assert_int_equal(rd_graph_place(items, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(passes_that_nobody_reads_are_culled, setup),
        cmocka_unit_test_setup(a_culled_pass_releases_what_it_read, setup),
        cmocka_unit_test_setup(one_wanted_product_keeps_a_pass_of_several, setup),
        cmocka_unit_test_setup(side_effects_keep_a_pass_without_readers, setup),
        cmocka_unit_test_setup(a_pass_that_only_reads_is_culled_and_releases, setup),
        cmocka_unit_test_setup(keeping_an_import_keeps_who_wrote_it, setup),
        cmocka_unit_test_setup(only_last_versions_of_imports_can_be_kept, setup),
        cmocka_unit_test_setup(writes_make_a_chain_of_versions, setup),
        cmocka_unit_test_setup(writing_a_replaced_version_is_refused, setup),
        cmocka_unit_test_setup(readers_of_old_contents_run_before_they_are_replaced, setup),
        cmocka_unit_test_setup(passes_that_wait_for_each_other_are_an_error, setup),
        cmocka_unit_test_setup(independent_passes_keep_their_order, setup),
        cmocka_unit_test_setup(lifetimes_span_live_uses_only, setup),
        cmocka_unit_test_setup(edges_belong_to_the_newest_pass, setup),
        cmocka_unit_test_setup(too_many_passes_are_an_error_and_no_overflow, setup),
        cmocka_unit_test_setup(too_many_resources_versions_and_edges_are_errors, setup),
        cmocka_unit_test_setup(scopes_are_shared_by_name_and_parent, setup),
        cmocka_unit_test_setup(several_listeners_bracket_each_pass_and_nest, setup),
        cmocka_unit_test_setup(the_bracket_closes_around_a_failing_pass, setup),
        cmocka_unit_test_setup(a_back_end_that_refuses_stops_the_frame, setup),
        cmocka_unit_test_setup(the_list_of_listeners_has_an_end, setup),
        cmocka_unit_test_setup(hashes_tell_topologies_apart, setup),
        cmocka_unit_test_setup(placed_items_never_overlap_while_alive, setup),
        cmocka_unit_test_setup(items_that_never_meet_share_memory, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
