/* SPDX-License-Identifier: MIT */
/*
 * bench_load FILE [REPEATS]: opens and loads any input and tells what that cost: seconds, bytes by
 * name, peaks. JSON on standard output.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "trace/model.h"
#include <frameglass/open.h>
#include <frameglass/trace_query.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_PX = 1920, NAMES_MAX = 64, REPEATS_MAX = 100 };

/* Counts what is held and the most that was. */
struct counting {
    _Atomic uint64_t bytes, peak_bytes;
};

static void *counting_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct counting *counting = context;
    const struct fg_allocator *libc = fgi_allocator(NULL);
    void *grown = libc->resize(libc->context, block, old_size, size);
    if (grown || size == 0) {
        uint64_t more = size - (block ? old_size : 0);
        uint64_t bytes =
            atomic_fetch_add_explicit(&counting->bytes, more, memory_order_relaxed) + more;
        uint64_t peak = atomic_load_explicit(&counting->peak_bytes, memory_order_relaxed);
        while (bytes > peak &&
               !atomic_compare_exchange_weak_explicit(&counting->peak_bytes, &peak, bytes,
                                                      memory_order_relaxed, memory_order_relaxed)) {
        }
    }
    return grown;
}

static enum fg_result write_out(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

/* The most memory that the process had, as the system counts; 0 where it does not say. */
static uint64_t high_water_bytes(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmHWM: %llu kB", &kib) == 1) {
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return kib * 1024;
}

struct listing {
    struct {
        const char *name;
        uint64_t bytes;
    } items[NAMES_MAX];
    size_t count;
    uint64_t bytes;
};

static void see_memory(void *context, const char *name, uint64_t bytes)
{
    struct listing *list = context;
    size_t i = 0;
    while (i < list->count && strcmp(list->items[i].name, name) != 0) {
        i++;
    }
    if (bytes == 0 || i == NAMES_MAX) {
        return;
    }
    list->count = i == list->count ? i + 1 : list->count;
    list->items[i].name = name;
    list->items[i].bytes += bytes;
    list->bytes += bytes;
}

static void put_bytes(struct fgi_json *json, const char *name, uint64_t bytes, uint64_t spans)
{
    fgi_json_key(json, name);
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "bytes", bytes);
    fgi_json_key(json, "bytes_per_span");
    fgi_json_thousandths_uint(json, bytes * 1000 / spans);
    fgi_json_object_end(json);
}

/* Everything that is held, by name: the trace, then what answering a view has added. */
static void put_memory(struct fgi_json *json, const struct fg_trace *trace, uint64_t trace_bytes,
                       uint64_t index_bytes)
{
    struct listing list = { 0 };
    uint64_t spans = fgi_trace_rows(trace) > 0 ? fgi_trace_rows(trace) : 1;
    fgi_trace_memory(trace, see_memory, &list);
    fgi_json_key(json, "memory");
    fgi_json_object_begin(json);
    for (size_t i = 0; i < list.count; i++) {
        put_bytes(json, list.items[i].name, list.items[i].bytes, spans);
    }
    put_bytes(json, "reader, tables, other",
              trace_bytes > list.bytes ? trace_bytes - list.bytes : 0, spans);
    put_bytes(json, "indexes of a view", index_bytes, spans);
    put_bytes(json, "all", trace_bytes + index_bytes, spans);
    fgi_json_object_end(json);
}

/* The first view of all tracks, which makes the indexes that a view needs. */
static bool first_view(struct fg_query *query, const struct fg_trace *trace)
{
    struct fg_trace_info info;
    struct fg_view_reply reply;
    fg_trace_get_info(trace, &info);
    struct fg_view_target *targets = fgi_calloc(NULL, info.lanes + 1u, sizeof *targets);
    if (!targets || info.spans == 0) {
        fgi_free(NULL, targets, (info.lanes + 1u) * sizeof *targets);
        return targets != NULL;
    }
    for (uint32_t i = 0; i < info.lanes; i++) {
        targets[i] = (struct fg_view_target){ FG_VIEW_LANE, FG_VIEW_NONE, i };
    }
    enum fg_result result = fg_query_view(query,
                                          &(struct fg_view_request){ .start_ns = info.first_ns,
                                                                     .end_ns = info.last_ns,
                                                                     .width_px = WIDTH_PX,
                                                                     .targets = targets,
                                                                     .target_count = info.lanes,
                                                                     .max_spans = 1u << 20,
                                                                     .max_bins = 1u << 22 },
                                          &reply);
    fg_query_reset(query);
    fgi_free(NULL, targets, (info.lanes + 1u) * sizeof *targets);
    return result == FG_OK;
}

static bool bench_once(struct fgi_json *json, const char *path)
{
    struct counting counting = { 0 };
    const struct fg_allocator allocator = { counting_resize, &counting };
    const struct fg_open_options options = { .allocator = &allocator };
    struct fg_document *document = NULL;
    struct fg_query *query = NULL;
    struct fg_diag diag = { 0 };
    struct fg_trace_info info;
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result result = fg_open_path(path, &options, &diag, &document);
    int64_t opened_ns = fgi_clock_monotonic_ns();
    if (result == FG_OK) {
        result = fg_document_load(document, &diag);
    }
    int64_t loaded_ns = fgi_clock_monotonic_ns();
    uint64_t trace_bytes = counting.bytes;
    uint64_t load_peak_bytes = counting.peak_bytes;
    if (result == FG_OK) {
        result = fg_query_create(fg_document_engine(document), &allocator, NULL, NULL, &query);
    }
    if (result != FG_OK) {
        fprintf(stderr, "bench_load: %s: %s\n", path, diag.message);
        fg_document_close(document);
        return false;
    }
    const struct fg_trace *trace = fg_document_trace(document);
    int64_t before_ns = fgi_clock_monotonic_ns();
    bool ok = first_view(query, trace);
    int64_t viewed_ns = fgi_clock_monotonic_ns();
    fg_trace_get_info(trace, &info);
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "spans", info.spans);
    fgi_json_key_uint(json, "dependencies", info.dependencies);
    fgi_json_key_uint(json, "lanes", info.lanes);
    fgi_json_key_int(json, "open_ns", opened_ns - begin_ns);
    fgi_json_key_int(json, "load_ns", loaded_ns - opened_ns);
    fgi_json_key_int(json, "first_view_ns", viewed_ns - before_ns);
    put_memory(json, trace, trace_bytes, counting.bytes - trace_bytes);
    fgi_json_key_uint(json, "peak_bytes_of_loading", load_peak_bytes);
    fgi_json_key_uint(json, "peak_bytes", counting.peak_bytes);
    fgi_json_key_uint(json, "peak_resident_bytes_of_the_process", high_water_bytes());
    fgi_json_object_end(json);
    fg_query_destroy(query);
    fg_document_close(document);
    return ok && counting.bytes == 0;
}

int main(int argc, char **argv)
{
    struct fg_sink sink = { .write = write_out };
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    char *end = NULL;
    unsigned long repeats = argc > 2 ? strtoul(argv[2], &end, 10) : 1;
    if (argc < 2 || argc > 3 || (argc == 3 && (*end || end == argv[2])) || repeats == 0 ||
        repeats > REPEATS_MAX) {
        fputs("usage: bench_load FILE [REPEATS]\n", stderr);
        return 2;
    }
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "benchmark", "load");
    fgi_json_key_text(&json, "commit", FG_COMMIT);
    fgi_json_key_text(&json, "version", fg_version());
    fgi_json_key_text(&json, "file", argv[1]);
    fgi_json_key(&json, "runs");
    fgi_json_array_begin(&json);
    bool ok = true;
    for (unsigned long i = 0; i < repeats && ok; i++) {
        ok = bench_once(&json, argv[1]);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json) == FG_OK && ok ? 0 : 1;
}
