/* SPDX-License-Identifier: MIT */
/* Dependencies that a window shows, on a device, against plain loops. */
#include "compute_bed.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include "trace/dependencies.h"
#include "trace/links_rules.h"
#include "trace/model.h"
#include <frameglass/gpu_trace_links.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 6000,
    TRACKS = 5,
    MOST = 700,            /* lines that there is memory for */
    BLOCK_BYTES = 1 << 16, /* 16,384 rows of a column of words, 4,096 of quads */
    CELLS = 256,
};
#define SPAN_NS INT64_C(1000)

static struct compute_bed bed;
static struct fg_trace *trace;
static struct fg_gpu_trace *gpu;
static struct fg_gpu_links *links;
static struct fg_compute_graph *graph;
static struct fg_compute_sink sink;
static struct fg_trace_span spans[ROWS];
static uint64_t random_state = 11;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % limit);
}

/* ---- the trace ------------------------------------------------------------------------------- */

/** Spans in lanes two deep; most dependencies are short, one row has many. */
static void make_trace(void)
{
    struct fgi_builder *b = NULL;
    uint32_t count = 0;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    for (uint32_t track = 0; track < TRACKS; track++) {
        (void)fgi_builder_track(
            b, &(struct fg_trace_track){ .process = FG_NONE, .kind = FG_TRACK_THREAD }, true);
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        const int64_t at = (int64_t)(row / 2 / TRACKS) * SPAN_NS + (row % 2) * 100;
        struct fgi_span_in span =
            fgi_span_in_make(row / 2 % TRACKS, 0, at, at + (row % 2 ? 1 + random_below(700) : 900));
        (void)fgi_builder_span(b, &span);
    }
    for (uint32_t i = 0; i < 4 * ROWS; i++) {
        const uint32_t source = i % 3 == 0 ? 4321 : random_below(ROWS);
        const uint32_t reach = i % 5 == 0 ? ROWS : 40;
        fgi_builder_dependency(
            b, &(struct fg_trace_dependency){ source, (source + random_below(reach)) % ROWS,
                                              random_below(3), 0 });
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    assert_int_equal(fg_trace_spans(trace, 0, spans, ROWS, &count), FG_OK);
    assert_int_equal(count, ROWS);
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
    while (fg_gpu_links_upload(links, &sink, ring, ++serial, 0) == FG_OK) {
        run();
        fg_compute_ring_complete(ring, serial);
    }
    fg_compute_ring_destroy(ring);
    assert_int_equal(fg_gpu_links_build(links, &sink), FG_OK);
    run();
    fg_gpu_links_built(links);
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
    if (fg_gpu_trace_create(
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
    fgi_trace_destroy(trace);
    compute_bed_destroy(&bed);
    return bed.messages == 0 ? 0 : -1;
}

/* ---- by plain loops -------------------------------------------------------------------------- */

struct plain_line {
    struct fg_gpu_line line;
    uint32_t cell, hash;
};
static struct plain_line plain[4 * ROWS];
static uint32_t plain_count;

static bool has_bit(const uint32_t *mask, uint32_t row)
{
    return !mask || (mask[row / 32] >> (row % 32) & 1u) != 0;
}

static uint32_t settle(const uint32_t *mask, uint32_t row, uint32_t which, uint32_t *marks)
{
    uint32_t at = row;
    while (at != FG_NONE && !has_bit(mask, at)) {
        at = spans[at].parent;
    }
    if (at == FG_NONE) {
        *marks |= (uint32_t)FG_LINK_SOURCE_HIDDEN << which;
    } else if (at != row) {
        *marks |= (uint32_t)FG_LINK_SOURCE_PROJECTED << which;
    }
    return at == FG_NONE ? row : at;
}

/** In time order of cells of a length, lengths ascending. */
static uint32_t cell_of(const struct fg_gpu_lines_request *r, const struct fg_gpu_line *line)
{
    const int64_t lesser = line->from_ns < line->to_ns ? line->from_ns : line->to_ns;
    const int64_t greater = line->from_ns < line->to_ns ? line->to_ns : line->from_ns;
    uint32_t bits = 0;
    while ((INT64_C(1) << bits) < r->end_ns - r->start_ns ||
           (INT64_C(1) << bits) < greater - lesser) {
        bits++;
    }
    return bits * 4 + (uint32_t)((lesser >> bits) - ((r->start_ns - (INT64_C(1) << bits)) >> bits));
}

static void judge(const struct fg_gpu_lines_request *r, const uint32_t *mask, uint32_t link,
                  struct fg_gpu_lines_counts *counts)
{
    const uint32_t bottom = r->end_lane == 0 ? UINT32_MAX / 4 : r->end_lane;
    const struct fgi_view_box box = { r->start_ns, r->end_ns, (int32_t)r->first_lane * 2,
                                      (int32_t)(bottom * 2) };
    struct fg_gpu_line line = { .source = fgi_link_source(trace, link),
                                .target = fgi_link_target(trace, link),
                                .link = link };
    line.shown_source = settle(mask, line.source, 0, &line.marks);
    line.shown_target = settle(mask, line.target, 1, &line.marks);
    line.from_ns = spans[line.shown_source].end_ns;
    line.to_ns = spans[line.shown_target].start_ns;
    line.source_lane = spans[line.shown_source].lane;
    line.target_lane = spans[line.shown_target].lane;
    if (r->families && !(r->families & FG_FAMILY(fgi_link_family(trace, link)))) {
        counts->families++;
    } else if ((line.marks & 24) == 24) {
        counts->hidden++;
    } else if (line.shown_source == line.shown_target) {
        counts->same++;
    } else if ((line.from_ns < r->start_ns && line.to_ns < r->start_ns) ||
               (line.from_ns > r->end_ns && line.to_ns > r->end_ns)) {
        counts->outside++;
    } else if (!fgi_line_crosses(&box, line.from_ns, (int32_t)line.source_lane * 2 + 1, line.to_ns,
                                 (int32_t)line.target_lane * 2 + 1)) {
        counts->culled++;
    } else {
        plain[plain_count++] = (struct plain_line){ line, cell_of(r, &line), fg_links_hash(link) };
    }
}

static int by_cell_and_hash(const void *a, const void *b)
{
    const struct plain_line *x = a, *y = b;
    return x->cell != y->cell   ? (x->cell < y->cell ? -1 : 1)
           : x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                                : 0;
}
static int by_source_and_number(const void *a, const void *b)
{
    const struct plain_line *x = a, *y = b;
    return x->line.source != y->line.source ? (x->line.source < y->line.source ? -1 : 1)
           : x->line.link < y->line.link    ? -1
                                            : 1;
}

static void answer_plainly(const struct fg_gpu_lines_request *r, const uint32_t *mask,
                           struct fg_gpu_lines_counts *counts)
{
    const uint32_t most = r->budget && r->budget < MOST ? r->budget : MOST;
    const uint32_t share = most / 4 > 0 ? most / 4 : 1;
    uint32_t in_cell = 0, kept = 0;
    *counts = (struct fg_gpu_lines_counts){ 0 };
    plain_count = 0;
    for (uint32_t link = 0; link < fgi_link_count(trace); link++) {
        judge(r, mask, link, counts);
    }
    qsort(plain, plain_count, sizeof *plain, by_cell_and_hash);
    for (uint32_t i = 0; i < plain_count; i++) {
        const struct plain_line line = plain[i];
        in_cell = i > 0 && line.cell == plain[i - 1].cell ? in_cell + 1 : 0;
        if (in_cell < share && kept < most) {
            plain[kept++].line = line.line;
        } else {
            counts->over_budget++;
        }
    }
    counts->lines = kept;
    qsort(plain, kept, sizeof *plain, by_source_and_number);
}

/* ---- together -------------------------------------------------------------------------------- */

static void check(struct fg_gpu_lines *lines, const struct fg_gpu_lines_request *request,
                  const uint32_t *mask, struct fg_gpu_lines_counts *out_counts)
{
    struct fg_gpu_lines_counts want, got;
    struct fg_gpu_lines_results results;
    static struct fg_gpu_line drawn[MOST];
    uint32_t draw[4];
    uint64_t at = 0;
    answer_plainly(request, mask, &want);
    assert_int_equal(fg_gpu_lines_ask(lines, request), FG_OK);
    assert_int_equal(fg_gpu_lines_add(lines, &sink), FG_OK);
    run();
    fg_gpu_lines_get_results(lines, &results);
    compute_bed_read(&bed, results.counts, &got);
    assert_memory_equal(&got, &want, sizeof got);
    assert_int_equal(got.lines + got.families + got.hidden + got.same + got.outside + got.culled +
                         got.over_budget,
                     fg_gpu_links_count(links));
    compute_bed_read(&bed, results.draw, draw);
    assert_int_equal(draw[0], 2);
    assert_int_equal(draw[1], got.lines);
    for (uint32_t i = 0; i < results.chunks && at < got.lines * sizeof *drawn; i++) {
        struct fg_compute_view view = fg_gpu_lines_chunk(lines, i);
        const uint64_t left = got.lines * sizeof *drawn - at;
        view.size_bytes = left < view.size_bytes ? left : view.size_bytes;
        compute_bed_read(&bed, view, (char *)drawn + at);
        at += view.size_bytes;
    }
    for (uint32_t i = 0; i < got.lines; i++) {
        assert_memory_equal(&drawn[i], &plain[i].line, sizeof *drawn);
    }
    *out_counts = got;
}

static void a_window_shows_the_lines_that_plain_loops_find(void **state)
{
    struct fg_gpu_lines *lines = NULL;
    struct fg_gpu_lines_counts c;
    const int64_t last = ROWS / 2 / TRACKS * SPAN_NS;
    (void)state;
    assert_int_equal(
        fg_gpu_lines_create(
            &(const struct fg_gpu_lines_options){ .links = links, .max_lines = MOST }, &lines),
        FG_OK);
    struct fg_gpu_lines_request request = { .end_ns = last };
    check(lines, &request, NULL, &c);
    assert_true(c.lines > 0 && c.over_budget > 0 && c.outside == 0);
    request.families = FG_FAMILY(1);
    check(lines, &request, NULL, &c);
    assert_true(c.families > 0);
    request = (struct fg_gpu_lines_request){
        .start_ns = last / 2, .end_ns = last / 2 + 3 * SPAN_NS, .first_lane = 3, .end_lane = 5
    };
    check(lines, &request, NULL, &c);
    assert_true(c.lines > 0 && c.outside > 0 && c.culled > 0);
    request.budget = 1;
    check(lines, &request, NULL, &c);
    assert_int_equal(c.lines, 1);
    for (int i = 0; i < 4; i++) {
        request.start_ns = random_below((uint32_t)last);
        request.end_ns = request.start_ns + (INT64_C(1) << random_below(20));
        request.first_lane = random_below(8);
        request.end_lane = request.first_lane + random_below(4);
        request.budget = 1 + random_below(MOST);
        request.families = 0;
        check(lines, &request, NULL, &c);
    }
    request = (struct fg_gpu_lines_request){ .start_ns = 1 };
    assert_int_equal(fg_gpu_lines_ask(lines, &request), FG_ERR_ARGUMENT);
    request = (struct fg_gpu_lines_request){ .start_ns = INT64_MIN, .end_ns = INT64_MIN };
    assert_int_equal(fg_gpu_lines_ask(lines, &request), FG_OK);
    fg_gpu_lines_destroy(lines);
}

static void lines_lead_to_who_stands_for_their_ends(void **state)
{
    static uint32_t mask[ROWS / 32 + 1];
    struct fg_gpu_projection *shown = NULL;
    struct fg_gpu_lines *lines = NULL;
    struct fg_gpu_lines_counts c;
    (void)state;
    for (uint32_t row = 0; row < ROWS; row++) {
        mask[row / 32] |= (random_below(10) < 4 ? 1u : 0u) << (row % 32);
    }
    struct fg_compute_memory memory = compute_bed_memory(&bed, mask, sizeof mask);
    const struct fg_gpu_projection_options in_sight = { .gpu = gpu, .mask = memory.view };
    assert_int_equal(fg_gpu_projection_create(&in_sight, &shown), FG_OK);
    const struct fg_gpu_lines_options options = { .links = links,
                                                  .max_lines = MOST,
                                                  .shown = shown };
    assert_int_equal(fg_gpu_lines_create(&options, &lines), FG_OK);
    struct fg_gpu_lines_request request = { .end_ns = 100 * SPAN_NS };
    assert_int_equal(fg_gpu_projection_add(shown, &sink), FG_OK);
    check(lines, &request, mask, &c);
    assert_true(c.lines > 0 && c.hidden > 0 && c.same > 0);
    request.start_ns = 50 * SPAN_NS;
    check(lines, &request, mask, &c);
    fg_gpu_lines_destroy(lines);
    fg_gpu_projection_destroy(shown);
    fg_compute_memory_free(bed.compute, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_shows_the_lines_that_plain_loops_find),
        cmocka_unit_test(lines_lead_to_who_stands_for_their_ends),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
