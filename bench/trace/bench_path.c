/* SPDX-License-Identifier: MIT */
/*
 * bench_path FILE: what questions about the dependencies of a capture cost. Seconds of wall and of
 * processor time (a busy machine shows in the difference), bytes, and what was looked at. JSON on
 * standard output.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "trace/model.h"
#include <frameglass/open.h>
#include <frameglass/trace_links.h>
#include <frameglass/trace_path.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH_PX = 1920, LANES = 64, LANE_PX = 12, VIEWS = 60 };

/* Counts what is held and the most that was. */
struct counting {
    uint64_t bytes, peak_bytes;
};

static void *counting_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct counting *counting = context;
    const struct fg_allocator *libc = fgi_allocator(NULL);
    void *grown = libc->resize(libc->context, block, old_size, size);
    if (grown || size == 0) {
        counting->bytes += size - (block ? old_size : 0);
        counting->peak_bytes =
            counting->bytes > counting->peak_bytes ? counting->bytes : counting->peak_bytes;
    }
    return grown;
}

struct bench {
    struct fgi_json *json;
    struct fg_query *query;
    const struct fg_trace *trace;
    struct fg_trace_info info;
    struct counting *counting;
    int64_t began_ns;
    clock_t began;
    uint64_t held; /* bytes, when it began */
    uint64_t random;
};

static enum fg_result write_out(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

static void begin(struct bench *b, const char *name)
{
    fgi_json_key(b->json, name);
    fgi_json_object_begin(b->json);
    b->held = b->counting->bytes;
    b->counting->peak_bytes = b->held;
    b->began = clock();
    b->began_ns = fgi_clock_monotonic_ns();
}

static void end(struct bench *b)
{
    struct fg_visits visits;
    int64_t wall = fgi_clock_monotonic_ns() - b->began_ns;
    clock_t cpu = clock() - b->began;
    fg_query_visits(b->query, &visits);
    fgi_json_key_int(b->json, "wall_ns", wall);
    fgi_json_key_int(b->json, "cpu_ns", (int64_t)cpu * (1000000000 / CLOCKS_PER_SEC));
    fgi_json_key_uint(b->json, "peak_bytes", b->counting->peak_bytes - b->held);
    fgi_json_key_uint(b->json, "spans_visited", visits.spans);
    fgi_json_key_uint(b->json, "dependencies_visited", visits.dependencies);
    fgi_json_object_end(b->json);
    fg_query_reset(b->query);
}

static bool path(struct bench *b, const char *name, const struct fg_path_request *request)
{
    struct fg_path_reply reply = { 0 };
    begin(b, name);
    enum fg_result result = fg_query_path(b->query, request, &reply);
    fgi_json_key_uint(b->json, "foretold_bytes", fg_query_path_bytes(b->query, request));
    fgi_json_key_uint(b->json, "chain", reply.chain_count);
    fgi_json_key_uint(b->json, "rows", reply.rows);
    fgi_json_key_uint(b->json, "left_out", reply.left_out);
    fgi_json_key_uint(b->json, "length_ns", reply.length_ns);
    end(b);
    return result == FG_OK;
}

static bool paths(struct bench *b)
{
    uint32_t middle = (uint32_t)(b->info.spans / 2);
    return path(b, "path by parents", &(struct fg_path_request){ .by = FG_PATH_BY_PARENTS }) &&
           path(b, "path by dependencies", &(struct fg_path_request){ 0 }) &&
           path(b, "path by dependencies, slack of every row",
                &(struct fg_path_request){ .figures = FG_PATH_SLACKS }) &&
           path(b, "path to one row", &(struct fg_path_request){ .has_row = true, .row = middle });
}

static bool surroundings(struct bench *b)
{
    uint32_t middle = (uint32_t)(b->info.spans / 2);
    struct fg_focus_reply focus = { 0 };
    struct fg_slice_reply slice = { 0 };
    begin(b, "focus, 4 hops");
    enum fg_result result = fg_query_focus(
        b->query, &(struct fg_focus_request){ .seeds = &middle, .seed_count = 1, .hops = 4 },
        &focus);
    fgi_json_key_uint(b->json, "reached", focus.count);
    end(b);
    begin(b, "slice backward, 65,536 rows");
    if (result == FG_OK) {
        result = fg_query_slice(b->query, &(struct fg_slice_request){ .row = middle }, &slice);
    }
    fgi_json_key_uint(b->json, "reached", slice.count);
    end(b);
    return result == FG_OK;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Windows of 1 / parts of the trace, anywhere. */
static bool views(struct bench *b, const char *name, uint64_t parts)
{
    struct fg_link_place places[LANES];
    int64_t costs[VIEWS];
    uint64_t length = ((uint64_t)b->info.last_ns - (uint64_t)b->info.first_ns) / parts + 1;
    uint64_t room = (uint64_t)b->info.last_ns - (uint64_t)b->info.first_ns - length + 2;
    uint64_t lines = 0, most = 0;
    uint32_t lanes = b->info.lanes < LANES ? (uint32_t)b->info.lanes : LANES;
    enum fg_result result = FG_OK;
    begin(b, name);
    for (int i = 0; i < VIEWS && result == FG_OK; i++) {
        uint32_t first = (uint32_t)(fgi_mix64(++b->random) % (b->info.lanes - lanes + 1));
        for (uint32_t k = 0; k < lanes; k++) {
            places[k] = (struct fg_link_place){ FG_VIEW_LANE, first + k, (int32_t)k * LANE_PX };
        }
        struct fg_links_request request = { .start_ns = b->info.first_ns +
                                                        (int64_t)(fgi_mix64(++b->random) % room),
                                            .width_px = WIDTH_PX,
                                            .bottom_y = LANES * LANE_PX,
                                            .places = places,
                                            .place_count = lanes };
        struct fg_links_reply reply = { 0 };
        request.end_ns = request.start_ns + (int64_t)length;
        int64_t began = fgi_clock_monotonic_ns();
        result = fg_query_links(b->query, &request, &reply);
        costs[i] = fgi_clock_monotonic_ns() - began;
        lines += reply.line_count;
        most = reply.line_count > most ? reply.line_count : most;
    }
    qsort(costs, VIEWS, sizeof *costs, by_size);
    fgi_json_key_int(b->json, "p50_ns", costs[VIEWS / 2 - 1]);
    fgi_json_key_int(b->json, "p95_ns", costs[VIEWS * 95 / 100 - 1]);
    fgi_json_key_int(b->json, "max_ns", costs[VIEWS - 1]);
    fgi_json_key_uint(b->json, "views", VIEWS);
    fgi_json_key_uint(b->json, "lines", lines);
    fgi_json_key_uint(b->json, "most_lines", most);
    end(b);
    return result == FG_OK;
}

static bool dependencies_of_views(struct bench *b)
{
    struct fg_links_reply reply;
    struct fg_links_request request = { .start_ns = b->info.first_ns,
                                        .end_ns = b->info.last_ns,
                                        .width_px = WIDTH_PX };
    begin(b, "index over dependencies, and the first view");
    enum fg_result result = fg_query_links(b->query, &request, &reply);
    fgi_json_key_uint(b->json, "index_bytes", fg_query_links_bytes(b->query));
    end(b);
    return result == FG_OK && views(b, "view of all", 1) && views(b, "view of 1/10", 10) &&
           views(b, "view of 1/1,000", 1000) && views(b, "view of 1/100,000", 100000);
}

int main(int argc, char **argv)
{
    struct fg_sink sink = { .write = write_out };
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    struct counting counting = { 0 };
    const struct fg_allocator allocator = { counting_resize, &counting };
    struct fg_document *document = NULL;
    struct fg_diag diag = { 0 };
    struct bench b = { .json = &json, .counting = &counting };
    if (argc != 2) {
        fputs("usage: bench_path FILE\n", stderr);
        return 2;
    }
    enum fg_result result = fg_open_path(argv[1], NULL, &diag, &document);
    if (result == FG_OK) {
        result = fg_document_load(document, &diag);
    }
    if (result == FG_OK) {
        b.trace = fg_document_trace(document);
        fg_trace_get_info(b.trace, &b.info);
        result = fg_query_create(fg_document_engine(document), &allocator, NULL, NULL, &b.query);
    }
    if (result != FG_OK || b.info.dependencies == 0) {
        fprintf(stderr, "bench_path: %s: %s\n", argv[1],
                result != FG_OK ? diag.message : "it has no dependencies");
        fg_document_close(document);
        return 1;
    }
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "benchmark", "path");
    fgi_json_key_text(&json, "commit", FG_COMMIT);
    fgi_json_key_text(&json, "file", argv[1]);
    fgi_json_key_uint(&json, "spans", b.info.spans);
    fgi_json_key_uint(&json, "dependencies", b.info.dependencies);
    bool ok = surroundings(&b) && paths(&b) && dependencies_of_views(&b);
    fgi_json_object_end(&json);
    ok = fgi_json_finish(&json) == FG_OK && ok;
    fg_query_destroy(b.query);
    fg_document_close(document);
    return ok ? 0 : 1;
}
