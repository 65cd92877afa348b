/* SPDX-License-Identifier: MIT */
/*
 * Dependencies on a device where they are many: hubs of 100,000, chains of thousands of hops,
 * circles, and columns in small chunks. The CPU engine, which the contract holds to brute force,
 * tells what is right.
 */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include <frameglass/trace_path.h>
#include <string.h>

enum {
    HUB = 100000, /* dependencies out of one row, and into another */
    CHAIN = 3000, /* rows that each depend on the one before */
    CIRCLE = 700, /* and back to the first */
    ROWS = 1 + HUB + 1 + CHAIN + CIRCLE,
    FIRST_OF_CHAIN = 1 + HUB + 1,
    FIRST_OF_CIRCLE = FIRST_OF_CHAIN + CHAIN,
    BLOCK_BYTES = 1 << 16, /* 16,384 rows of a chunk */
};

static struct compute_bed bed;
static struct fg_trace *trace;
/* The engines that are compared, and their queries. */
enum { CPU, VULKAN, ENGINES };
static struct fg_engine *engines[ENGINES];
static struct fg_query *queries[ENGINES];

/* ---- a runner -------------------------------------------------------------------------------- */

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
    (void)context; /* the bed has waited */
    return FG_OK;
}
static enum fg_result make_host(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *of, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, of, out_engine);
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* Parents: a chain, a circle, and a tree of which some hang on no row or on the circle. */
static uint32_t parent_of(uint32_t row)
{
    if (row >= FIRST_OF_CIRCLE) {
        return row + 1 < ROWS ? row + 1 : FIRST_OF_CIRCLE;
    }
    if (row >= FIRST_OF_CHAIN) {
        return row == FIRST_OF_CHAIN ? FG_NONE : row - 1;
    }
    return row % 1000 == 7 ? ROWS + row : row % 1000 == 8 ? FIRST_OF_CIRCLE : row / 2;
}

static void add_links(struct fgi_builder *b)
{
    const uint32_t sink = 1 + HUB;
    for (uint32_t i = 0; i < HUB; i++) {
        fgi_builder_dependency(b, &(struct fg_trace_dependency){ 0, 1 + i, i % 3, 0 });
        fgi_builder_dependency(b, &(struct fg_trace_dependency){ 1 + i, sink, i % 5, 0 });
    }
    fgi_builder_dependency(b, &(struct fg_trace_dependency){ sink, FIRST_OF_CHAIN, 0, 0 });
    for (uint32_t row = FIRST_OF_CHAIN; row + 1 < ROWS; row++) {
        fgi_builder_dependency(b, &(struct fg_trace_dependency){ row, row + 1, 0, 0 });
    }
    fgi_builder_dependency(b, &(struct fg_trace_dependency){ ROWS - 1, FIRST_OF_CIRCLE, 1, 0 });
    fgi_builder_dependency(b, &(struct fg_trace_dependency){ ROWS - 1, ROWS - 1, 0, 0 });
}

static void make_trace(void)
{
    struct fgi_builder *b = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_track(
        b, &(struct fg_trace_track){ .process = FG_NONE, .kind = FG_TRACK_THREAD }, true);
    for (uint32_t row = 0; row < ROWS; row++) {
        struct fgi_span_in span =
            fgi_span_in_make(0, 0, (int64_t)row * 10, (int64_t)row * 10 + 5 + row % 4);
        span.parent = parent_of(row);
        (void)fgi_builder_span(b, &span);
    }
    add_links(b);
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
}

static int open_all(void **state)
{
    (void)state;
    if (!compute_bed_create(&bed, 0)) {
        return -1;
    }
    bed.options.block_bytes = BLOCK_BYTES;
    compute_bed_renew(&bed);
    make_trace();
    const struct fgi_engine_vulkan_options options = {
        .runner = { .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait },
        .make_host = make_host,
    };
    if (fgi_engine_cpu_create(NULL, trace, &engines[CPU]) != FG_OK ||
        fgi_engine_vulkan_create(&options, trace, &engines[VULKAN]) != FG_OK) {
        return -1;
    }
    for (int i = 0; i < ENGINES; i++) {
        if (fg_query_create(engines[i], NULL, NULL, NULL, &queries[i]) != FG_OK) {
            return -1;
        }
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int i = 0; i < ENGINES; i++) {
        fg_query_destroy(queries[i]);
        fgi_engine_destroy(engines[i]);
    }
    fgi_trace_destroy(trace);
    compute_bed_destroy(&bed);
    return bed.messages == 0 ? 0 : -1;
}

static void reset(void)
{
    struct fg_engine_info info = { 0 };
    engines[VULKAN]->ops->about(engines[VULKAN], &info);
    assert_null(info.reason); /* the device has answered */
    assert_int_equal(info.other_questions, 0);
    fg_query_reset(queries[CPU]);
    fg_query_reset(queries[VULKAN]);
}

/* ---- focus ----------------------------------------------------------------------------------- */

static void check_focus(const struct fg_focus_request *request)
{
    struct fg_focus_reply want, got;
    assert_int_equal(fg_query_focus(queries[CPU], request, &want), FG_OK);
    assert_int_equal(fg_query_focus(queries[VULKAN], request, &got), FG_OK);
    assert_int_equal(got.count, want.count);
    assert_int_equal(got.hop_count, want.hop_count);
    assert_memory_equal(got.rows, want.rows, want.count * sizeof *want.rows);
    assert_memory_equal(got.hops, want.hops, want.hop_count * sizeof *want.hops);
    assert_memory_equal(got.mask, want.mask, (ROWS / 64 + 1) * sizeof *want.mask);
    assert_int_equal(got.overflow, want.overflow);
    assert_int_equal(got.frontier, want.frontier);
    assert_int_equal(got.seeds, want.seeds);
    reset();
}

static void focus_goes_over_hubs_chains_and_circles(void **state)
{
    static const uint32_t seeds[] = { 0, 77, 1 + HUB, FIRST_OF_CHAIN + 5, ROWS - 1, 77, ROWS };
    (void)state;
    for (uint32_t direction = FG_LINKS_BOTH; direction <= FG_LINKS_IN; direction++) {
        for (uint32_t first = 0; first < 5; first += 3) {
            struct fg_focus_request request = { .seeds = seeds + first,
                                                .seed_count = first == 0 ? 1 : 7 - first,
                                                .hops = UINT32_MAX,
                                                .direction = direction };
            check_focus(&request);
            request.families = FG_FAMILY(0) | FG_FAMILY(1);
            request.hops = 2;
            check_focus(&request);
            request.capacity = 3000; /* of a hop of 100,000 */
            request.hops = 5;
            check_focus(&request);
        }
    }
}

/* ---- slices ---------------------------------------------------------------------------------- */

static void check_slice(const struct fg_slice_request *request)
{
    struct fg_slice_reply want, got;
    assert_int_equal(fg_query_slice(queries[CPU], request, &want), FG_OK);
    assert_int_equal(fg_query_slice(queries[VULKAN], request, &got), FG_OK);
    assert_int_equal(got.count, want.count);
    for (uint32_t i = 0; i < want.count; i++) {
        assert_int_equal(got.items[i].row, want.items[i].row);
        assert_int_equal(got.items[i].hops, want.items[i].hops);
        assert_int_equal(got.items[i].link, want.items[i].link);
        assert_int_equal(got.items[i].is_claimed, want.items[i].is_claimed);
    }
    assert_int_equal(got.overflow, want.overflow);
    assert_int_equal(got.outside, want.outside);
    assert_int_equal(got.hidden, want.hidden);
    assert_int_equal(got.is_hop_limited, want.is_hop_limited);
    reset();
}

static void slices_of_hubs_end_at_their_limits(void **state)
{
    static const uint32_t rows[] = { 0, 1 + HUB, FIRST_OF_CHAIN + 9, ROWS - 1 };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fg_slice_request request = { .row = rows[i], .direction = FG_SLICE_BOTH };
        check_slice(&request); /* the default limit is below a hub */
        request.max_rows = UINT32_MAX;
        request.start_ns = 5000;
        request.end_ns = (int64_t)(ROWS - 20) * 10;
        check_slice(&request);
        request.max_hops = 1;
        request.families = FG_FAMILY(0);
        check_slice(&request);
    }
}

/* ---- projection ------------------------------------------------------------------------------ */

static void check_project(const struct fg_project_request *request)
{
    struct fg_project_reply want, got;
    assert_int_equal(fg_query_project(queries[CPU], request, &want), FG_OK);
    assert_int_equal(fg_query_project(queries[VULKAN], request, &got), FG_OK);
    assert_int_equal(got.count, want.count);
    assert_memory_equal(got.rows, want.rows, want.count * sizeof *want.rows);
    assert_int_equal(got.visible, want.visible);
    assert_int_equal(got.projected, want.projected);
    assert_int_equal(got.unresolved, want.unresolved);
    assert_int_equal(got.cut, want.cut);
    assert_int_equal(got.invalid, want.invalid);
    reset();
}

static void deep_parents_are_looked_through(void **state)
{
    static uint64_t mask[ROWS / 64 + 1];
    static uint32_t rows[ROWS];
    (void)state;
    for (uint32_t sparse = 1; sparse < 5000; sparse *= 71) {
        memset(mask, 0, sizeof mask);
        for (uint32_t row = 0; row < FIRST_OF_CIRCLE; row += sparse) {
            mask[row / 64] |= UINT64_C(1) << (row % 64);
        }
        for (uint32_t i = 0; i < ROWS; i++) {
            rows[i] = (uint32_t)((uint64_t)i * 7919 % (ROWS + 3));
        }
        struct fg_project_request request = { .mask = mask };
        check_project(&request);
        request.max_depth = 100;
        check_project(&request);
        request.rows = rows;
        request.row_count = ROWS;
        request.max_depth = 0;
        check_project(&request);
    }
}

/* ---- paths by parents ------------------------------------------------------------------------ */

static void compare_paths(const struct fg_path_reply *want_reply,
                          const struct fg_path_reply *got_reply)
{
    const struct fg_path_reply want = *want_reply;
    const struct fg_path_reply got = *got_reply;
    assert_true(got.length_ns == want.length_ns);
    assert_int_equal(got.endpoint, want.endpoint);
    assert_int_equal(got.flags, want.flags);
    assert_int_equal(got.rows, want.rows);
    assert_int_equal(got.links, want.links);
    assert_int_equal(got.left_out, want.left_out);
    assert_int_equal(got.invalid, want.invalid);
    assert_int_equal(got.max_hops, want.max_hops);
    assert_int_equal(got.chain_count, want.chain_count);
    assert_memory_equal(got.chain, want.chain, want.chain_count * sizeof *want.chain);
    assert_int_equal(got.cycle_count, want.cycle_count);
    assert_memory_equal(got.cycle, want.cycle, want.cycle_count * sizeof *want.cycle);
    assert_int_equal(got.piece_count, want.piece_count);
    assert_memory_equal(&got.sums, &want.sums, sizeof want.sums);
    assert_memory_equal(got.lengths, want.lengths, ROWS * sizeof *want.lengths);
    assert_memory_equal(got.slacks, want.slacks, ROWS * sizeof *want.slacks);
    assert_memory_equal(got.earliest, want.earliest, ROWS * sizeof *want.earliest);
    assert_memory_equal(got.latest, want.latest, ROWS * sizeof *want.latest);
    assert_memory_equal(got.predecessors, want.predecessors, ROWS * sizeof *want.predecessors);
    assert_memory_equal(got.hops, want.hops, ROWS * sizeof *want.hops);
    assert_memory_equal(got.roots, want.roots, ROWS * sizeof *want.roots);
}

static void check_path(const struct fg_path_request *request)
{
    struct fg_path_reply want, got;
    assert_int_equal(fg_query_path(queries[CPU], request, &want), FG_OK);
    assert_int_equal(fg_query_path(queries[VULKAN], request, &got), FG_OK);
    compare_paths(&want, &got);
    reset();
}

static void paths_by_parents_are_found_however_deep_they_are(void **state)
{
    (void)state;
    struct fg_path_request request = { .by = FG_PATH_BY_PARENTS, .figures = 63 };
    check_path(&request);
    request.max_chain = 100;
    check_path(&request);
    request.start_ns = (int64_t)(FIRST_OF_CHAIN + 40) * 10; /* without the first of the chain */
    request.end_ns = (int64_t)ROWS * 10;
    check_path(&request);
    request.end_ns = (int64_t)(ROWS - 3) * 10; /* and without all of the circle: a chain */
    check_path(&request);
    static const uint32_t rows[] = { 99999, 7, 8, FIRST_OF_CHAIN + 2999, ROWS - 1 };
    request = (struct fg_path_request){ .by = FG_PATH_BY_PARENTS, .figures = 63, .has_row = true };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        request.row = rows[i];
        check_path(&request);
    }
}

/* ---- paths over dependencies ----------------------------------------------------------------- */

static void paths_over_dependencies_go_through_hubs_and_long_chains(void **state)
{
    (void)state;
    struct fg_path_request request = { .figures = 63 };
    check_path(&request);                           /* a circle hangs on the chain */
    request.families = FG_FAMILY(1) | FG_FAMILY(2); /* many rows of the hubs are alone then */
    request.start_ns = 50000; /* without the first hub, and with half of the rows between */
    request.end_ns = (int64_t)(FIRST_OF_CIRCLE - 5) * 10;
    check_path(&request);
    request = (struct fg_path_request){ .figures = 63, .has_row = true, .row = 1 + HUB };
    check_path(&request);
    request.row = FIRST_OF_CIRCLE + 5; /* on the circle */
    request.max_chain = 100;
    check_path(&request);
}

/* In small steps, with other questions between them. */
static void paths_in_steps_outlive_other_questions(void **state)
{
    (void)state;
    const struct fg_path_request request = { .figures = 63, .families = FG_FAMILY(1) };
    const uint32_t seed = 5;
    struct fg_path_reply want, got;
    struct fg_task *task = NULL;
    assert_int_equal(fg_query_path(queries[CPU], &request, &want), FG_OK);
    assert_int_equal(fg_task_path(queries[VULKAN], &request, FG_TASK_BACKGROUND, &task), FG_OK);
    struct fg_task_progress told = { 0 };
    for (int i = 0; !told.is_done; i++) {
        assert_int_equal(fg_task_step(task, 4096, &told), FG_OK);
        if (i % 8 == 1) {
            struct fg_focus_reply focus;
            struct fg_focus_request other = { .seeds = &seed, .seed_count = 1, .hops = 2 };
            assert_int_equal(fg_query_focus(queries[VULKAN], &other, &focus), FG_OK);
        }
    }
    assert_int_equal(fg_task_result_path(task, &got), FG_OK);
    compare_paths(&want, &got);
    fg_task_destroy(task);
    reset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(focus_goes_over_hubs_chains_and_circles),
        cmocka_unit_test(slices_of_hubs_end_at_their_limits),
        cmocka_unit_test(deep_parents_are_looked_through),
        cmocka_unit_test(paths_by_parents_are_found_however_deep_they_are),
        cmocka_unit_test(paths_over_dependencies_go_through_hubs_and_long_chains),
        cmocka_unit_test(paths_in_steps_outlive_other_questions),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
