/* SPDX-License-Identifier: MIT */
/* The block store under its budget, the builder's repairs, and frame graphs. */
#include "trace/build.h"

#include "cmocka_all.h"

#include <string.h>

/* ---- block store ----------------------------------------------------------------------------- */

enum { BLOCKS = 6, ROWS = 100 };

struct backing {
    unsigned loads;
    enum fg_result refuse; /* what the next load answers, unless FG_OK */
};

static int64_t start_of(uint32_t row)
{
    return (int64_t)row * 10;
}

static enum fg_result load(void *context, const struct fgi_block *into)
{
    struct backing *backing = context;
    backing->loads++;
    for (uint32_t i = 0; i < into->count; i++) {
        into->start_ns[i] = start_of(into->first_row + i);
        into->end_ns[i] = into->start_ns[i] + 5;
    }
    return backing->refuse;
}

/*
 * Blocks of ROWS rows, although a store's blocks are larger: the last of each store may be short.
 */
static void fill(struct fgi_block_store *store, struct backing *backing, uint64_t budget_blocks)
{
    static int64_t starts[ROWS], ends[ROWS];
    static uint32_t names[ROWS], lanes[ROWS], parents[ROWS];
    static uint16_t classes[ROWS];
    static uint8_t status[ROWS];
    struct fgi_block block = { .count = ROWS,
                               .start_ns = starts,
                               .end_ns = ends,
                               .name = names,
                               .lane = lanes,
                               .parent = parents,
                               .classes = classes,
                               .status = status };
    fgi_blocks_init(store, NULL, 1);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        for (uint32_t i = 0; i < ROWS; i++) {
            starts[i] = start_of(b * FGI_BLOCK_SPANS + i);
            ends[i] = starts[i] + 5;
            names[i] = 7;
            lanes[i] = b * 1000 + i;
            parents[i] = i;
            classes[i] = 1;
        }
        assert_int_equal(fgi_blocks_append(store, &block), FG_OK);
    }
    store->budget_bytes = budget_blocks * (store->used_bytes / BLOCKS);
    if (backing) {
        fgi_blocks_set_loader(store, &(struct fgi_block_loader){ load, backing });
    }
}

static void without_a_loader_all_blocks_stay(void **state)
{
    struct fgi_block_store store;
    const struct fgi_block *block;
    (void)state;
    fill(&store, NULL, 1);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        assert_int_equal(fgi_blocks_acquire(&store, b, &block), FG_OK);
        assert_true(block->start_ns[3] == start_of(b * FGI_BLOCK_SPANS + 3));
        fgi_blocks_release(&store, block);
    }
    assert_int_equal(store.load_count, 0);
    assert_true(store.used_bytes > store.budget_bytes);
    assert_int_equal(fgi_blocks_acquire(&store, BLOCKS, &block), FG_ERR_NOT_FOUND);
    fgi_blocks_finish(&store);
}

static void the_budget_holds_and_the_least_recently_used_goes(void **state)
{
    struct fgi_block_store store;
    struct backing backing = { 0 };
    const struct fgi_block *block;
    (void)state;
    fill(&store, &backing, 3);
    assert_true(store.used_bytes <= store.budget_bytes);
    const uint32_t order[] = { 0, 1, 2, 0, 3, 0, 1 };
    const unsigned loads[] = { 1, 2, 3, 3, 4, 4, 5 }; /* 3 takes the place of 1, not of 0 */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_int_equal(fgi_blocks_acquire(&store, order[i], &block), FG_OK);
        assert_int_equal(backing.loads, loads[i]);
        assert_true(block->start_ns[9] == start_of(order[i] * FGI_BLOCK_SPANS + 9));
        assert_int_equal(block->lane[9], order[i] * 1000 + 9); /* computed once, never given up */
        fgi_blocks_release(&store, block);
        assert_true(store.used_bytes <= store.budget_bytes);
    }
    fgi_blocks_finish(&store);
}

static void what_is_lent_stays_even_over_the_budget(void **state)
{
    struct fgi_block_store store;
    struct backing backing = { 0 };
    const struct fgi_block *blocks[BLOCKS];
    (void)state;
    fill(&store, &backing, 2);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        assert_int_equal(fgi_blocks_acquire(&store, b, &blocks[b]), FG_OK);
    }
    for (uint32_t b = 0; b < BLOCKS; b++) {
        assert_true(blocks[b]->end_ns[1] == start_of(b * FGI_BLOCK_SPANS + 1) + 5);
    }
    assert_true(store.used_bytes > store.budget_bytes);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        fgi_blocks_release(&store, blocks[b]);
    }
    assert_true(store.used_bytes <= store.budget_bytes);
    fgi_blocks_release(&store, NULL);
    fgi_blocks_finish(&store);
}

static void a_block_that_cannot_be_loaded_is_an_error_and_may_come_later(void **state)
{
    struct fgi_block_store store;
    struct backing backing = { .refuse = FG_ERR_IO };
    const struct fgi_block *block = NULL;
    (void)state;
    fill(&store, &backing, 1);
    assert_int_equal(fgi_blocks_acquire(&store, 0, &block), FG_ERR_IO);
    struct fgi_cursor cursor = { .store = &store };
    assert_false(fgi_cursor_at(&cursor, 3));
    assert_int_equal(cursor.result, FG_ERR_IO);
    fgi_cursor_finish(&cursor);
    backing.refuse = FG_OK;
    assert_int_equal(fgi_blocks_acquire(&store, 0, &block), FG_OK);
    fgi_blocks_release(&store, block);
    fgi_blocks_finish(&store);
}

/* ---- builder --------------------------------------------------------------------------------- */

static void what_breaks_the_rules_is_mended_and_counted(void **state)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    struct fg_trace_span spans[3];
    uint32_t count = 0;
    (void)state;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ 0 });
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .process = FG_NONE }, false);
    struct fgi_span_in late = fgi_span_in_make(0, 0, 5, INT64_MAX);
    struct fgi_span_in turned = fgi_span_in_make(0, 0, 9, 2);
    struct fgi_span_in open = fgi_span_in_make(0, 0, 7, 0);
    open.status = FG_SPAN_UNFINISHED;
    open.open_end = true;
    (void)fgi_builder_span(b, &late);
    (void)fgi_builder_span(b, &turned);
    (void)fgi_builder_span(b, &open);
    fgi_builder_dependency(b, &(struct fg_trace_dependency){ 0, 3, 0, 0 });
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    assert_int_equal(fg_trace_spans(trace, 0, spans, 3, &count), FG_OK);
    assert_int_equal(count, 3);
    assert_true(spans[0].end_ns == FG_TIME_MAX);
    assert_true(spans[1].start_ns == 9 && spans[1].end_ns == 9);
    assert_true(spans[2].end_ns == FG_TIME_MAX); /* the trace's last time */
    const char *const kinds[] = { "clamped_time", "end_before_start", "dependency_without_span" };
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(fg_trace_repair(trace, i)->kind, kinds[i]);
        assert_int_equal(fg_trace_repair(trace, i)->count, 1);
    }
    assert_false(fg_trace_dependency(trace, 0, &(struct fg_trace_dependency){ 0 }));
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    assert_int_equal(info.unfinished, 1);
    assert_true(info.start_ns == 5 && info.end_ns == FG_TIME_MAX);
    fgi_trace_destroy(trace);
}

static void text_that_is_not_utf8_is_repaired_as_it_comes_in(void **state)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    (void)state;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    uint32_t bad = fgi_builder_text(b, "a\xc0z\xe2\x82", 5);
    uint32_t good = fgi_builder_cstr(b, "a\xef\xbf\xbdz\xef\xbf\xbd");
    assert_int_equal(bad, good);
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    assert_string_equal(fg_trace_text(trace, bad), "a\xef\xbf\xbdz\xef\xbf\xbd");
    fgi_trace_destroy(trace);
}

/* ---- frame graphs ---------------------------------------------------------------------------- */

/* shadow -> map 0; light: map 0 -> lit 0; post: lit 0 -> lit 1; stray -> dust 0 (unknown size). */
static void a_graph_knows_lifetimes_readers_peak_and_inputs(void **state)
{
    const uint32_t map[] = { 0 }, lit[] = { 1 }, lit_next[] = { 2 }, dust[] = { 3 },
                   bad[] = { 3, 9 };
    struct fg_topology_pass passes[] = {
        { .creates = map, .create_count = 1 },
        { .reads = map, .read_count = 1, .creates = lit, .create_count = 1 },
        { .reads = lit, .read_count = 1, .writes = lit_next, .write_count = 1 },
        { .creates = dust, .create_count = 1 },
        { .reads = bad, .read_count = 2 },
    };
    struct fg_topology_resource resources[] = {
        { .id = 1, .producer = FG_NONE, .footprint_bytes = 100 },
        { .id = 2, .producer = FG_NONE, .footprint_bytes = 30 },
        { .id = 2, .version = 1, .producer = FG_NONE, .footprint_bytes = 30 },
        { .id = 3, .producer = FG_NONE, .footprint_bytes = FG_UNKNOWN_BYTES },
    };
    const uint32_t edges[] = { 0, 4 };
    struct fg_topology topology = { .passes = passes,
                                    .pass_count = 5,
                                    .resources = resources,
                                    .resource_count = 4,
                                    .edges = edges,
                                    .edge_count = 1 };
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    uint8_t in_passes[5], in_resources[4];
    (void)state;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    assert_int_equal(fgi_builder_topology(b, &topology), 0);
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    const struct fg_topology *t = fg_trace_topology(trace, 0);
    assert_int_equal(t->resources[0].producer, 0);
    assert_int_equal(t->resources[0].first_write, 0);
    assert_int_equal(t->resources[0].last_read, 1);
    assert_int_equal(t->resources[0].reader_count, 1);
    assert_int_equal(t->resources[2].previous, 1);
    assert_int_equal(t->resources[1].previous, FG_NONE);
    assert_int_equal(t->resources[2].last_read, FG_NONE);
    assert_int_equal(t->declared_bytes, 130);
    assert_int_equal(t->peak_bytes, 130); /* both are alive while light runs */
    assert_int_equal(t->unknown_bytes_count, 1);
    assert_int_equal(t->passes[4].read_count, 1);
    assert_string_equal(fg_trace_repair(trace, 0)->kind, "bad_graph_index");
    assert_int_equal(fg_topology_inputs(t, 2, in_passes, in_resources), FG_OK);
    assert_memory_equal(in_passes, ((const uint8_t[]){ 1, 1, 0, 0, 0 }), 5);
    assert_memory_equal(in_resources, ((const uint8_t[]){ 1, 1, 0, 0 }), 4);
    assert_int_equal(fg_topology_inputs(t, 4, in_passes, in_resources), FG_OK);
    assert_memory_equal(in_passes, ((const uint8_t[]){ 1, 0, 0, 1, 0 }), 5);
    assert_int_equal(fg_topology_inputs(t, 5, in_passes, in_resources), FG_ERR_ARGUMENT);
    fgi_trace_destroy(trace);
}

static void pass_identities_do_not_depend_on_labels_or_topologies(void **state)
{
    struct fgi_builder *b = NULL;
    (void)state;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    uint32_t blur = fgi_builder_cstr(b, "blur");
    uint32_t post = fgi_builder_cstr(b, "post");
    uint32_t third = fgi_builder_pass(b, blur, 0, 2);
    assert_int_equal(fgi_builder_pass(b, blur, 0, 2), third);
    assert_int_not_equal(fgi_builder_pass(b, blur, 0, 1), third);
    assert_int_not_equal(fgi_builder_pass(b, blur, post, 2), third);
    assert_int_equal(fgi_builder_pass(b, blur, 0, 0), 0);
    assert_int_equal(fgi_builder_pass_after(b, fgi_builder_pass(b, blur, 0, 1)), third);
    assert_int_equal(fgi_builder_pass_after(b, FG_NONE), FG_NONE);
    fgi_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_loader_all_blocks_stay),
        cmocka_unit_test(the_budget_holds_and_the_least_recently_used_goes),
        cmocka_unit_test(what_is_lent_stays_even_over_the_budget),
        cmocka_unit_test(a_block_that_cannot_be_loaded_is_an_error_and_may_come_later),
        cmocka_unit_test(what_breaks_the_rules_is_mended_and_counted),
        cmocka_unit_test(text_that_is_not_utf8_is_repaired_as_it_comes_in),
        cmocka_unit_test(a_graph_knows_lifetimes_readers_peak_and_inputs),
        cmocka_unit_test(pass_identities_do_not_depend_on_labels_or_topologies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
