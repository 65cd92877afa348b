/* SPDX-License-Identifier: MIT */
/*
 * The public faces of dependencies on a device, as a caller uses them who submits by itself: lists
 * by row, focus, a filter of its mask, projections and paths, against the CPU engine.
 */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include "trace/model.h"
#include <frameglass/gpu_trace_links.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 20000,
    CIRCLE = 40,           /* the last rows, each on the one before, the first on the last */
    BLOCK_BYTES = 1 << 16, /* 16,384 rows of a column of words */
    MOST_RUNS = 200,       /* of what is run until it is over */
    FIGURES = FG_PATH_LENGTHS | FG_PATH_SLACKS | FG_PATH_PREDECESSORS | FG_PATH_HOPS |
              FG_PATH_ROOTS | FG_PATH_TIMES,
};

static struct compute_bed bed;
static struct fg_trace *trace;
static struct fg_engine *engine;
static struct fg_query *query;
static struct fg_gpu_trace *gpu;
static struct fg_gpu_links *links;
static struct fg_compute_graph *graph;
static struct fg_compute_sink sink;

/* ---- the trace ------------------------------------------------------------------------------- */

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % limit);
}

static void make_trace(void)
{
    struct fgi_builder *b = NULL;
    uint64_t state = 7;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_track(
        b, &(struct fg_trace_track){ .process = FG_NONE, .kind = FG_TRACK_THREAD }, true);
    for (uint32_t row = 0; row < ROWS; row++) {
        struct fgi_span_in span =
            fgi_span_in_make(0, 0, (int64_t)row * 10, (int64_t)row * 10 + 1 + row % 9);
        span.parent = row == 0 || row % 50 == 0 ? FG_NONE : row - 1 - random_below(&state, row);
        (void)fgi_builder_span(b, &span);
    }
    for (uint32_t row = 1; row < ROWS; row++) {
        const uint32_t reach = row < 64 ? row : 64;
        for (uint32_t i = random_below(&state, 3); i > 0; i--) {
            const uint32_t family = random_below(&state, 3);
            fgi_builder_dependency(b, &(struct fg_trace_dependency){
                                          row - 1 - random_below(&state, reach), row, family, 0 });
        }
    }
    for (uint32_t i = 0; i < CIRCLE; i++) {
        fgi_builder_dependency(b, &(struct fg_trace_dependency){
                                      ROWS - CIRCLE + i, ROWS - CIRCLE + (i + 1) % CIRCLE, 0, 0 });
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
}

static void run(void)
{
    compute_bed_run(&bed, graph);
    fg_compute_graph_clear(graph);
}

static void upload_all(void)
{
    struct fg_compute_ring *ring = NULL;
    uint64_t serial = 0;
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, BLOCK_BYTES, &ring),
                     FG_OK);
    while (fg_gpu_trace_upload(gpu, &sink, ring, ++serial, 0) == FG_OK) {
        run();
        fg_compute_ring_complete(ring, serial);
    }
    assert_int_equal(fg_gpu_links_build(links, &sink), FG_ERR_STATE);
    enum fg_result result = FG_OK;
    while (result == FG_OK) {
        result = fg_gpu_links_upload(links, &sink, ring, ++serial, 0);
        run();
        fg_compute_ring_complete(ring, serial);
    }
    assert_int_equal(result, FG_ERR_NOT_FOUND);
    fg_compute_ring_destroy(ring);
    assert_int_equal(fg_gpu_links_build(links, &sink), FG_OK);
    run();
    fg_gpu_links_built(links);
    assert_int_equal(fg_gpu_links_build(links, &sink), FG_ERR_STATE);
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
    if (fgi_engine_cpu_create(NULL, trace, &engine) != FG_OK ||
        fg_query_create(engine, NULL, NULL, NULL, &query) != FG_OK ||
        fg_gpu_trace_create(
            FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = trace, .upload_rows = 256),
            &gpu) != FG_OK ||
        fg_gpu_links_create(gpu, &links) != FG_OK ||
        fg_compute_graph_create(bed.compute, NULL, &graph) != FG_OK) {
        return -1;
    }
    sink = fg_compute_graph_sink(graph);
    upload_all();
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    fg_compute_graph_destroy(graph);
    fg_gpu_links_destroy(links);
    fg_gpu_trace_destroy(gpu);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    fgi_trace_destroy(trace);
    compute_bed_destroy(&bed);
    return bed.messages == 0 ? 0 : -1;
}

/* ---- what comes back ------------------------------------------------------------------------- */

struct reading {
    char *bytes;
    uint64_t left, at;
};
static struct reading begin_reading(uint64_t bytes)
{
    struct reading r = { malloc((size_t)bytes + 1), bytes, 0 };
    assert_non_null(r.bytes);
    return r;
}
static void read_chunk(struct reading *r, struct fg_compute_view view)
{
    view.size_bytes = r->left < view.size_bytes ? r->left : view.size_bytes;
    if (view.size_bytes > 0) {
        compute_bed_read(&bed, view, r->bytes + r->at);
        r->at += view.size_bytes;
        r->left -= view.size_bytes;
    }
}

static uint32_t *read_links(enum fg_gpu_links_column column, uint32_t words)
{
    struct reading r = begin_reading(words * UINT64_C(4));
    for (uint32_t i = 0; i < fg_gpu_links_chunk_count(links, column); i++) {
        read_chunk(&r, fg_gpu_links_chunk(links, column, i));
    }
    assert_int_equal(r.left, 0);
    return (uint32_t *)r.bytes;
}

/* ---- lists by row ---------------------------------------------------------------------------- */

static void lists_have_every_dependency_at_both_ends(void **state)
{
    (void)state;
    const uint32_t count = fg_gpu_links_count(links);
    uint32_t *first[2] = { read_links(FG_GPU_LINKS_OUT_FIRST, ROWS + 1),
                           read_links(FG_GPU_LINKS_IN_FIRST, ROWS + 1) };
    uint32_t *numbers[2] = { read_links(FG_GPU_LINKS_OUT, count),
                             read_links(FG_GPU_LINKS_IN, count) };
    uint32_t *others[2] = { read_links(FG_GPU_LINKS_OUT_ROWS, count),
                            read_links(FG_GPU_LINKS_IN_ROWS, count) };
    uint32_t *families = read_links(FG_GPU_LINKS_FAMILIES, count);
    assert_int_equal(count, fgi_link_count(trace));
    for (int way = 0; way < 2; way++) {
        assert_int_equal(first[way][0], 0);
        assert_int_equal(first[way][ROWS], count);
        for (uint32_t row = 0; row < ROWS; row++) {
            for (uint32_t at = first[way][row]; at < first[way][row + 1]; at++) {
                const uint32_t link = numbers[way][at];
                assert_true(at == first[way][row] || numbers[way][at - 1] < link);
                const uint32_t source = fgi_link_source(trace, link);
                const uint32_t target = fgi_link_target(trace, link);
                assert_int_equal(way == 0 ? source : target, row);
                assert_int_equal(others[way][at], way == 0 ? target : source);
                assert_int_equal(families[link], FG_FAMILY(fgi_link_family(trace, link)));
            }
        }
        free(first[way]);
        free(numbers[way]);
        free(others[way]);
    }
    free(families);
}

/* ---- focus ----------------------------------------------------------------------------------- */

/** Of each reached row: a dependency that was asked for, of a row that was reached before. */
static void check_via(const struct fg_gpu_focus *focus, const struct fg_focus_request *request,
                      const struct fg_focus_reply *want)
{
    static uint32_t place[ROWS];
    struct reading r = begin_reading(want->count * UINT64_C(4));
    for (uint32_t i = 0; i < fg_gpu_focus_chunk_count(focus, FG_GPU_FOCUS_VIA); i++) {
        read_chunk(&r, fg_gpu_focus_chunk(focus, FG_GPU_FOCUS_VIA, i));
    }
    assert_int_equal(r.left, 0);
    const uint32_t *via = (const uint32_t *)r.bytes;
    for (uint32_t i = 0; i < want->count; i++) {
        place[want->rows[i]] = i;
    }
    for (uint32_t i = 0; i < want->count; i++) {
        const uint32_t row = want->rows[i];
        assert_int_equal(via[i] == FG_NONE, i < want->seeds);
        if (i >= want->seeds) {
            const uint32_t source = fgi_link_source(trace, via[i]);
            const uint32_t target = fgi_link_target(trace, via[i]);
            const uint32_t from = target == row ? source : target;
            assert_true(source == row || target == row);
            assert_true(place[from] < i && want->rows[place[from]] == from);
            assert_true(request->direction == FG_LINKS_BOTH ||
                        (request->direction == FG_LINKS_OUT ? target : source) == row);
            assert_true(request->families == 0 ||
                        (request->families & FG_FAMILY(fgi_link_family(trace, via[i]))) != 0);
        }
    }
    free(r.bytes);
}

static void check_focus(struct fg_gpu_focus *focus, const struct fg_focus_request *request)
{
    struct fg_focus_reply want;
    struct fg_gpu_focus_state told = { 0 };
    assert_int_equal(fg_query_focus(query, request, &want), FG_OK);
    assert_int_equal(fg_gpu_focus_ask(focus, request), FG_OK);
    assert_int_equal(fg_gpu_focus_begin(focus, &sink), FG_OK);
    for (int i = 0; i < MOST_RUNS && !told.is_done; i++) {
        assert_int_equal(fg_gpu_focus_hops(focus, &sink), FG_OK);
        run();
        compute_bed_read(&bed, fg_gpu_focus_get_state(focus), &told);
    }
    assert_int_equal(told.is_done, 1);
    assert_int_equal(told.first + told.count, want.count);
    assert_int_equal(told.overflow, want.overflow);
    struct reading rows = begin_reading(want.count * UINT64_C(4));
    for (uint32_t i = 0; i < fg_gpu_focus_chunk_count(focus, FG_GPU_FOCUS_ROWS); i++) {
        read_chunk(&rows, fg_gpu_focus_chunk(focus, FG_GPU_FOCUS_ROWS, i));
    }
    assert_memory_equal(rows.bytes, want.rows, want.count * sizeof *want.rows);
    struct reading mask = begin_reading(ROWS / 32 * UINT64_C(4));
    read_chunk(&mask, fg_gpu_focus_chunk(focus, FG_GPU_FOCUS_MASK, 0));
    assert_memory_equal(mask.bytes, want.mask, ROWS / 8);
    check_via(focus, request, &want);
    free(rows.bytes);
    free(mask.bytes);
    fg_query_reset(query);
}

static void focus_follows_control_words_and_its_mask_is_a_filter(void **state)
{
    static const uint32_t seeds[] = { 9000, 17, 9000, 9001, ROWS + 3 };
    struct fg_gpu_focus *focus = NULL;
    (void)state;
    assert_int_equal(fg_gpu_focus_create(links, &focus), FG_OK);
    struct fg_focus_request request = { .seeds = seeds, .seed_count = 5, .hops = 6 };
    for (uint32_t direction = 0; direction <= FG_LINKS_BOTH; direction++) {
        request.direction = direction;
        check_focus(focus, &request);
    }
    request.capacity = 3;
    check_focus(focus, &request);
    request.families = FG_FAMILY(1) | FG_FAMILY(2);
    request.capacity = 0;
    request.hops = UINT32_MAX;
    check_focus(focus, &request);
    request.seed_count = FG_GPU_FOCUS_SEEDS + 1;
    assert_int_equal(fg_gpu_focus_ask(focus, &request), FG_ERR_LIMIT);
    /* The mask stays on the device, and a filter of it counts what was reached. */
    const struct fg_compute_view mask = fg_gpu_focus_chunk(focus, FG_GPU_FOCUS_MASK, 0);
    struct fg_gpu_focus_state told = { 0 };
    struct fg_gpu_filter *filter = NULL;
    uint32_t passing = 0;
    assert_int_equal(fg_gpu_filter_create(gpu, &(struct fg_filter_terms){ 0 }, &mask, &filter),
                     FG_OK);
    assert_int_equal(fg_gpu_filter_judge(filter, &sink), FG_OK);
    run();
    compute_bed_read(&bed, fg_gpu_filter_count(filter), &passing);
    compute_bed_read(&bed, fg_gpu_focus_get_state(focus), &told);
    assert_int_equal(passing, told.first + told.count);
    fg_gpu_filter_destroy(filter);
    fg_gpu_focus_destroy(focus);
}

/* ---- projection ------------------------------------------------------------------------------ */

static void check_projection(const uint64_t *mask, const uint32_t *rows, uint32_t row_count,
                             uint32_t max_depth)
{
    struct fg_project_reply want;
    const struct fg_project_request request = {
        .mask = mask, .rows = rows, .row_count = row_count, .max_depth = max_depth
    };
    struct fg_compute_memory mask_memory = compute_bed_memory(&bed, mask, ROWS / 8);
    struct fg_compute_memory rows_memory = { 0 };
    struct fg_gpu_projection_options options = { .gpu = gpu,
                                                 .mask = mask_memory.view,
                                                 .max_depth = max_depth };
    struct fg_gpu_projection *projection = NULL;
    struct fg_gpu_projection_counts counts;
    if (rows) {
        rows_memory = compute_bed_memory(&bed, rows, row_count * UINT64_C(4));
        options.rows = rows_memory.view;
        options.row_count = row_count;
    }
    assert_int_equal(fg_query_project(query, &request, &want), FG_OK);
    assert_int_equal(fg_gpu_projection_create(&options, &projection), FG_OK);
    assert_int_equal(fg_gpu_projection_add(projection, &sink), FG_OK);
    run();
    compute_bed_read(&bed, fg_gpu_projection_get_counts(projection), &counts);
    struct reading got = begin_reading(want.count * UINT64_C(4));
    for (uint32_t i = 0; i < fg_gpu_projection_chunk_count(projection); i++) {
        read_chunk(&got, fg_gpu_projection_chunk(projection, i));
    }
    assert_memory_equal(got.bytes, want.rows, want.count * sizeof *want.rows);
    assert_int_equal(counts.visible, want.visible);
    assert_int_equal(counts.projected, want.projected);
    assert_int_equal(counts.unresolved, want.unresolved);
    assert_int_equal(counts.cut, want.cut);
    assert_int_equal(counts.invalid, want.invalid);
    free(got.bytes);
    fg_gpu_projection_destroy(projection);
    fg_compute_memory_free(bed.compute, &mask_memory);
    if (rows) {
        fg_compute_memory_free(bed.compute, &rows_memory);
    }
    fg_query_reset(query);
}

static void projections_stand_on_the_callers_masks_and_rows(void **state)
{
    static uint64_t mask[ROWS / 64 + 1];
    static const uint32_t rows[] = { 5, 19999, 77, 20000, 4000, 77 };
    (void)state;
    for (uint32_t row = 0; row < ROWS; row += 7) {
        mask[row / 64] |= UINT64_C(1) << (row % 64);
    }
    check_projection(mask, NULL, 0, 0);
    check_projection(mask, NULL, 0, 2);
    check_projection(mask, rows, 6, 0);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/** Run a stage until a word of the state is as it says. */
static struct fg_gpu_path_state run_until(struct fg_gpu_path *path, enum fg_gpu_path_stage stage,
                                          bool until_no_layers)
{
    struct fg_gpu_path_results results;
    struct fg_gpu_path_state told = { .layers = 1 };
    fg_gpu_path_get_results(path, &results);
    for (int i = 0; i < MOST_RUNS && (until_no_layers ? told.layers != 0 : !told.is_done); i++) {
        assert_int_equal(fg_gpu_path_add(path, stage, &sink), FG_OK);
        run();
        compute_bed_read(&bed, results.state, &told);
    }
    assert_true(until_no_layers ? told.layers == 0 : told.is_done != 0);
    return told;
}

static void check_figure(const struct fg_gpu_path *path, enum fg_gpu_path_column column,
                         const void *want, uint32_t row_bytes)
{
    struct reading got = begin_reading((uint64_t)ROWS * row_bytes);
    for (uint32_t i = 0; i < fg_gpu_path_chunk_count(path, column); i++) {
        read_chunk(&got, fg_gpu_path_chunk(path, column, i));
    }
    assert_int_equal(got.left, 0);
    assert_memory_equal(got.bytes, want, (size_t)ROWS * row_bytes);
    free(got.bytes);
}

static void check_path(const struct fg_gpu_path_options *options)
{
    struct fg_path_reply want;
    const struct fg_path_request request = {
        .by = options->links ? FG_PATH_BY_DEPENDENCIES : FG_PATH_BY_PARENTS,
        .families = options->families,
        .figures = FIGURES,
        .start_ns = options->start_ns,
        .end_ns = options->end_ns,
    };
    struct fg_gpu_path *path = NULL;
    struct fg_gpu_path_results results;
    struct fg_gpu_path_state told;
    uint64_t length = 0;
    uint32_t endpoint = 0;
    assert_int_equal(fg_query_path(query, &request, &want), FG_OK);
    assert_int_equal(fg_gpu_path_create(options, &path), FG_OK);
    assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_BEGIN, &sink), FG_OK);
    if (options->links) {
        run_until(path, FG_GPU_PATH_TURNS, false);
        assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_ENDS, &sink), FG_OK);
        run_until(path, FG_GPU_PATH_TAILS, true);
    } else {
        assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_TURNS, &sink), FG_ERR_NOT_FOUND);
    }
    assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_FIGURES, &sink), FG_OK);
    run();
    fg_gpu_path_get_results(path, &results);
    compute_bed_read(&bed, results.state, &told);
    compute_bed_read(&bed, results.length, &length);
    compute_bed_read(&bed, results.endpoint, &endpoint);
    assert_true(length == want.length_ns);
    assert_int_equal(endpoint, want.endpoint);
    assert_int_equal(told.rows, want.rows);
    assert_int_equal(told.links, want.links);
    assert_int_equal(told.left_out, want.left_out);
    assert_int_equal(told.invalid, want.invalid);
    assert_int_equal(told.max_hops, want.max_hops);
    assert_int_equal(told.lowest != 0, want.left_out != 0);
    check_figure(path, FG_GPU_PATH_LENGTHS, want.lengths, 8);
    check_figure(path, FG_GPU_PATH_SLACKS, want.slacks, 8);
    check_figure(path, FG_GPU_PATH_EARLIEST, want.earliest, 8);
    check_figure(path, FG_GPU_PATH_LATEST, want.latest, 8);
    check_figure(path, FG_GPU_PATH_PREDECESSORS, want.predecessors, 4);
    check_figure(path, FG_GPU_PATH_HOPS, want.hops, 4);
    check_figure(path, FG_GPU_PATH_ROOTS, want.roots, 4);
    fg_gpu_path_destroy(path);
    fg_query_reset(query);
}

static void paths_are_found_without_the_host(void **state)
{
    (void)state;
    struct fg_gpu_path_options options = { .gpu = gpu, .links = links, .figures = FIGURES };
    check_path(&options);
    options.families = FG_FAMILY(0);
    options.start_ns = 4000;
    options.end_ns = (int64_t)(ROWS - CIRCLE / 2) * 10; /* the circle is open */
    check_path(&options);
    options = (struct fg_gpu_path_options){ .gpu = gpu, .figures = FIGURES };
    check_path(&options);
    options.start_ns = 1;
    options.end_ns = 150000;
    check_path(&options);
}

/** A path begins behind the judging of its filter, though both are in one graph. */
static void check_filtered(const struct fg_gpu_links *over)
{
    const struct fg_filter_terms terms = { .min_duration_ns = 5, .similar_parent_percent = 50 };
    struct fg_gpu_filter *filter = NULL;
    struct fg_gpu_path *path = NULL;
    struct fg_gpu_path_results results;
    struct fg_gpu_path_state told, want;
    assert_int_equal(fg_gpu_filter_create(gpu, &terms, NULL, &filter), FG_OK);
    const struct fg_gpu_path_options options = { .gpu = gpu, .links = over, .filter = filter };
    assert_int_equal(fg_gpu_path_create(&options, &path), FG_OK);
    fg_gpu_path_get_results(path, &results);
    assert_int_equal(fg_gpu_filter_judge(filter, &sink), FG_OK);
    for (int i = 0; i < 2; i++) { /* the second time the mask is there before */
        assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_BEGIN, &sink), FG_OK);
        if (over) {
            assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_TURNS, &sink), FG_OK);
            /* No figure needs them: who runs them "until there are no layers" ends at once. */
            assert_int_equal(fg_gpu_path_add(path, FG_GPU_PATH_TAILS, &sink), FG_ERR_NOT_FOUND);
        }
        run();
        compute_bed_read(&bed, results.state, i == 0 ? &told : &want);
    }
    uint32_t passing = 0;
    compute_bed_read(&bed, fg_gpu_filter_count(filter), &passing);
    assert_true(passing > 0 && passing < ROWS);
    assert_memory_equal(&told, &want, sizeof told);
    fg_gpu_path_destroy(path);
    fg_gpu_filter_destroy(filter);
}

static void paths_begin_behind_the_judging_of_their_filter(void **state)
{
    (void)state;
    check_filtered(links);
    check_filtered(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_have_every_dependency_at_both_ends),
        cmocka_unit_test(focus_follows_control_words_and_its_mask_is_a_filter),
        cmocka_unit_test(projections_stand_on_the_callers_masks_and_rows),
        cmocka_unit_test(paths_are_found_without_the_host),
        cmocka_unit_test(paths_begin_behind_the_judging_of_their_filter),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
