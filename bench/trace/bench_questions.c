/* SPDX-License-Identifier: MIT */
/*
 * bench_questions FILE START END: loads any input and asks it what peer.py asks other engines, in
 * one process: totals by name, the 95th percentile by name, all spans that meet [START, END) ns
 * after the trace's first time, the whole trace at 1,920 pixels. Nanoseconds on the wall, and the
 * answers, so that they can be compared. JSON on standard output.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include <frameglass/open.h>
#include <frameglass/trace_aggregate.h>
#include <frameglass/trace_query.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH_PX = 1920, REPEATS = 5 };

struct bed {
    struct fg_query *query;
    const struct fg_trace *trace;
    struct fg_trace_info info;
    struct fg_view_target *targets; /* all lanes */
    int64_t start_ns, end_ns;       /* the window that is asked for */
    struct fg_aggregate_reply by_name;
    uint64_t in_window, in_view;
};

static enum fg_result write_out(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

/* ---- questions ------------------------------------------------------------------------------- */

static enum fg_result totals(struct bed *bed)
{
    const struct fg_aggregate_request request = { .by = FG_AGGREGATE_NAME };
    return fg_query_aggregate(bed->query, &request, &bed->by_name);
}

static enum fg_result percentiles(struct bed *bed)
{
    const struct fg_aggregate_request request = { .by = FG_AGGREGATE_NAME,
                                                  .figures = FG_FIGURES_PERCENTILES };
    return fg_query_aggregate(bed->query, &request, &bed->by_name);
}

static enum fg_result view(struct bed *bed, int64_t start_ns, int64_t end_ns, uint32_t detail,
                           uint64_t *out_count)
{
    struct fg_view_reply reply;
    const struct fg_view_request request = {
        .start_ns = start_ns,
        .end_ns = end_ns,
        .width_px = WIDTH_PX,
        .targets = bed->targets,
        .target_count = (uint32_t)bed->info.lanes,
        .max_spans = UINT32_MAX,
        .max_bins = UINT32_MAX,
        .detail = detail,
    };
    enum fg_result result = fg_query_view(bed->query, &request, &reply);
    if (result == FG_OK) {
        *out_count = (uint64_t)reply.span_count + reply.bins_count;
    }
    return result;
}

static enum fg_result window(struct bed *bed)
{
    return view(bed, bed->start_ns, bed->end_ns, FG_DETAIL_EXACT, &bed->in_window);
}

static enum fg_result viewport(struct bed *bed)
{
    return view(bed, bed->info.first_ns, bed->info.last_ns, FG_DETAIL_AUTO, &bed->in_view);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* The first time, which makes what later ones find, and the median of these. */
static enum fg_result measure(struct bed *bed, struct fgi_json *json, const char *name,
                              enum fg_result (*ask)(struct bed *bed))
{
    int64_t times[REPEATS + 1];
    enum fg_result result = FG_OK;
    for (int i = 0; i <= REPEATS && result == FG_OK; i++) {
        fg_query_reset(bed->query);
        int64_t begin_ns = fgi_clock_monotonic_ns();
        result = ask(bed);
        times[i] = fgi_clock_monotonic_ns() - begin_ns;
    }
    if (result != FG_OK) {
        return result;
    }
    qsort(times + 1, REPEATS, sizeof *times, compare_times);
    fgi_json_key(json, name);
    fgi_json_inline_object_begin(json);
    fgi_json_key_int(json, "first_ns", times[0]);
    fgi_json_key_int(json, "median_ns", times[1 + REPEATS / 2]);
    fgi_json_object_end(json);
    return FG_OK;
}

static void put_names(const struct bed *bed, struct fgi_json *json)
{
    fgi_json_key(json, "by_name");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < bed->by_name.count; i++) {
        const struct fg_aggregate_row *row = &bed->by_name.rows[i];
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "name", fg_trace_text(bed->trace, row->name));
        fgi_json_key_uint(json, "count", row->count);
        fgi_json_key_uint(json, "total_ns", row->sum);
        fgi_json_key_uint(json, "p95_ns", row->p95);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

static enum fg_result ask_all(struct bed *bed, struct fgi_json *json)
{
    fgi_json_key_int(json, "first_ns", bed->info.first_ns);
    fgi_json_key_int(json, "last_ns", bed->info.last_ns);
    fgi_json_key_uint(json, "spans", bed->info.spans);
    enum fg_result result = measure(bed, json, "totals", totals);
    if (result == FG_OK) {
        result = measure(bed, json, "window", window);
    }
    if (result == FG_OK) {
        result = measure(bed, json, "viewport", viewport);
    }
    if (result == FG_OK) {
        result = measure(bed, json, "percentiles", percentiles);
    }
    if (result == FG_OK) {
        fgi_json_key_uint(json, "in_window", bed->in_window);
        put_names(bed, json);
    }
    return result;
}

static enum fg_result bench(struct bed *bed, const char *path, struct fgi_json *json)
{
    struct fg_document *document = NULL;
    struct fg_diag diag = { 0 };
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result result = fg_open_path(path, NULL, &diag, &document);
    if (result == FG_OK) {
        result = fg_document_load(document, &diag);
    }
    int64_t loaded_ns = fgi_clock_monotonic_ns();
    if (result == FG_OK) {
        result = fg_query_create(fg_document_engine(document), NULL, NULL, NULL, &bed->query);
    }
    if (result != FG_OK) {
        fprintf(stderr, "bench_questions: %s: %s\n", path,
                diag.message[0] ? diag.message : fg_result_text(result));
        fg_document_close(document);
        return result;
    }
    bed->trace = fg_document_trace(document);
    fg_trace_get_info(bed->trace, &bed->info);
    size_t room = ((size_t)bed->info.lanes + 1) * sizeof *bed->targets;
    bed->targets = fgi_calloc(NULL, 1, room);
    result = bed->targets != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < bed->info.lanes && result == FG_OK; i++) {
        bed->targets[i] = (struct fg_view_target){ FG_VIEW_LANE, FG_VIEW_NONE, i };
    }
    bed->start_ns += bed->info.first_ns;
    bed->end_ns += bed->info.first_ns;
    fgi_json_key_int(json, "load_ns", loaded_ns - begin_ns);
    if (result == FG_OK) {
        result = ask_all(bed, json);
    }
    fgi_free(NULL, bed->targets, room);
    fg_query_destroy(bed->query);
    fg_document_close(document);
    return result;
}

int main(int argc, char **argv)
{
    struct fg_sink sink = { .write = write_out };
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    if (argc != 4) {
        fputs("usage: bench_questions FILE START END\n", stderr);
        return 2;
    }
    struct bed bed = { .start_ns = strtoll(argv[2], NULL, 10),
                       .end_ns = strtoll(argv[3], NULL, 10) };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "commit", FG_COMMIT);
    enum fg_result result = bench(&bed, argv[1], &json);
    fgi_json_object_end(&json);
    enum fg_result finished = fgi_json_finish(&json);
    result = result != FG_OK ? result : finished;
    if (result != FG_OK) {
        fprintf(stderr, "bench_questions: %s\n", fg_result_text(result));
        return 1;
    }
    return 0;
}
