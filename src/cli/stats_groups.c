/* SPDX-License-Identifier: MIT */
#include "cli/stats_groups.h"
#include "base/json.h"
#include "cli/cli_output.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 200 };

static const struct {
    const char *name;
    enum fg_aggregate_by by;
} dimensions[] = {
    { "all", FG_AGGREGATE_ALL },         { "category", FG_AGGREGATE_CATEGORY },
    { "process", FG_AGGREGATE_PROCESS }, { "lane", FG_AGGREGATE_LANE },
    { "depth", FG_AGGREGATE_DEPTH },     { "status", FG_AGGREGATE_STATUS },
    { "class", FG_AGGREGATE_CLASSES },   { "frame", FG_AGGREGATE_FRAME },
};

bool fgi_groups_find(const char *name, uint32_t *out_by)
{
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        if (strcmp(dimensions[i].name, name) == 0) {
            *out_by = dimensions[i].by;
            return true;
        }
    }
    return false;
}

/* ---- names of groups ------------------------------------------------------------------------- */

static void name_classes(uint32_t classes, char *out, size_t size)
{
    static const char *const words[] = { "frame",    "encode",       "gpu_pass", "scope",
                                         "fragment", "unattributed", "zone",     "wait",
                                         "async",    "subpass",      "runtime",  "present" };
    size_t used = 0;
    snprintf(out, size, "none");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((classes >> i & 1) != 0 && used < size) {
            int more = snprintf(out + used, size - used, "%s%s", used > 0 ? "|" : "", words[i]);
            used += more > 0 ? (size_t)more : 0;
        }
    }
}

static void name_lane(const struct fg_trace *trace, uint32_t index, char *out, size_t size)
{
    const struct fg_trace_lane *lane = fg_trace_lane(trace, index);
    const struct fg_trace_track *track = lane != NULL ? fg_trace_track(trace, lane->track) : NULL;
    snprintf(out, size, "%.150s, depth %u%s",
             track != NULL ? fg_trace_text(trace, track->name) : "",
             (unsigned)(lane != NULL ? lane->depth : 0),
             lane != NULL && lane->overlap > 0 ? ", overlap" : "");
}

static const char *name_of(const struct fgi_groups *groups, const struct fg_aggregate_row *row,
                           char *out)
{
    static const char *const statuses[] = { "complete", "unfinished", "lost", "error", "forced" };
    const struct fg_trace *trace = groups->input->trace;
    const struct fg_trace_frame *frame;
    switch (groups->by) {
    case FG_AGGREGATE_ALL:
        return "all";
    case FG_AGGREGATE_STATUS:
        return row->key < sizeof statuses / sizeof *statuses ? statuses[row->key] : "";
    case FG_AGGREGATE_CLASSES:
        name_classes(row->key, out, NAME_BYTES);
        return out;
    case FG_AGGREGATE_LANE:
        name_lane(trace, row->key, out, NAME_BYTES);
        return out;
    case FG_AGGREGATE_FRAME:
        frame = fg_trace_frame(trace, row->key);
        snprintf(out, NAME_BYTES, "%llu", frame != NULL ? (unsigned long long)frame->id : 0ull);
        return out;
    case FG_AGGREGATE_DEPTH:
        snprintf(out, NAME_BYTES, "%u", (unsigned)row->key);
        return out;
    default:
        return fg_trace_text(trace, row->name);
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Both replies are by key and clock, so that one row of each is of one group. */
static void json_row(struct fgi_json *json, const struct fgi_groups *groups,
                     const struct fg_aggregate_row *row, uint64_t self_ns)
{
    char name[NAME_BYTES];
    fgi_json_inline_object_begin(json);
    fgi_json_key_text(json, "name", name_of(groups, row, name));
    fgi_json_key_uint(json, "count", row->count);
    fgi_json_key_uint(json, "total_ns", row->sum);
    fgi_json_key_uint(json, "self_ns", self_ns);
    fgi_json_key(json, "busy_ns");
    fgi_json_null(json); /* spans of several tracks: their union is no time of anything */
    fgi_json_key_uint(json, "min_ns", row->min);
    fgi_json_key_uint(json, "median_ns", row->median);
    fgi_json_key_uint(json, "p95_ns", row->p95);
    fgi_json_key_uint(json, "max_ns", row->max);
    fgi_json_object_end(json);
}

static uint64_t self_of(const struct fg_aggregate_reply *selves, const struct fg_aggregate_row *row)
{
    uint32_t low = 0, high = selves->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct fg_aggregate_row *at = &selves->rows[middle];
        bool is_before = at->key != row->key ? at->key < row->key : at->clock < row->clock;
        if (is_before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < selves->count ? selves->rows[low].sum : 0;
}

static enum fg_result print_json(const struct fgi_groups *groups,
                                 const struct fg_aggregate_reply *reply,
                                 const struct fg_aggregate_reply *selves)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "by", groups->by_name);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < reply->count; i++) {
        if (reply->rows[i].count > 0) {
            json_row(&json, groups, &reply->rows[i], self_of(selves, &reply->rows[i]));
        }
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static struct fgi_cell duration(uint64_t value)
{
    return fgi_cell_number(value <= INT64_MAX ? (int64_t)value : INT64_MAX);
}

static enum fg_result end_table(struct fgi_table *table, bool as_csv)
{
    if (as_csv) {
        fgi_table_print_csv(table);
    } else {
        fgi_table_print(table);
    }
    enum fg_result result = table->result;
    fgi_table_finish(table);
    return result;
}

static enum fg_result print_table(const struct fgi_groups *groups,
                                  const struct fg_aggregate_reply *reply,
                                  const struct fg_aggregate_reply *selves, struct fgi_arena *arena)
{
    static const struct fgi_column columns[] = {
        { "name", FGI_COLUMN_TEXT, "name" },
        { "count", FGI_COLUMN_COUNT, "count" },
        { "total", FGI_COLUMN_DURATION, "total_ns" },
        { "self", FGI_COLUMN_DURATION, "self_ns" },
        { "min", FGI_COLUMN_DURATION, "min_ns" },
        { "median", FGI_COLUMN_DURATION, "median_ns" },
        { "p95", FGI_COLUMN_DURATION, "p95_ns" },
        { "max", FGI_COLUMN_DURATION, "max_ns" },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    for (uint32_t i = 0; i < reply->count; i++) {
        const struct fg_aggregate_row *row = &reply->rows[i];
        char *name = fgi_arena_alloc(arena, NAME_BYTES, 1);
        if (name == NULL) {
            return FG_ERR_NO_MEMORY;
        }
        const struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_text(name_of(groups, row, name)),
            fgi_cell_number((int64_t)row->count),
            duration(row->sum),
            duration(self_of(selves, row)),
            duration(row->min),
            duration(row->median),
            duration(row->p95),
            duration(row->max),
        };
        if (row->count > 0) {
            fgi_table_row(&table, cells);
        }
    }
    return end_table(&table, groups->as_csv);
}

enum fg_result fgi_groups_print(const struct fgi_groups *groups)
{
    struct fg_aggregate_reply reply, selves;
    struct fgi_arena arena = { 0 };
    struct fg_aggregate_request request = {
        .selection = groups->selection,
        .by = groups->by,
        .figures = FG_FIGURES_PERCENTILES,
    };
    enum fg_result result = fg_query_aggregate(groups->input->query, &request, &reply);
    request.measure = FG_MEASURE_SELF;
    request.figures = 0;
    request.order = FG_ORDER_KEY;
    if (result == FG_OK) {
        result = fg_query_aggregate(groups->input->query, &request, &selves);
    }
    if (result == FG_OK) {
        result = groups->as_json ? print_json(groups, &reply, &selves)
                                 : print_table(groups, &reply, &selves, &arena);
    }
    fgi_arena_finish(&arena);
    return result;
}

/* ---- histogram ------------------------------------------------------------------------------- */

static enum fg_result json_histogram(const struct fg_histogram_reply *reply)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "scale", "log2");
    fgi_json_key_uint(&json, "measured", reply->measured);
    fgi_json_key_uint(&json, "unfinished", reply->unfinished);
    fgi_json_key(&json, "bins");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < reply->count; i++) {
        fgi_json_inline_object_begin(&json);
        fgi_json_key_uint(&json, "first_ns", reply->bins[i].first);
        fgi_json_key_uint(&json, "last_ns", reply->bins[i].last);
        fgi_json_key_uint(&json, "count", reply->bins[i].count);
        fgi_json_object_end(&json);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

enum fg_result fgi_groups_histogram(const struct fgi_groups *groups)
{
    static const struct fgi_column columns[] = {
        { "from", FGI_COLUMN_DURATION, "first_ns" },
        { "to", FGI_COLUMN_DURATION, "last_ns" },
        { "spans", FGI_COLUMN_COUNT, "count" },
    };
    const struct fg_histogram_request request = { .selection = groups->selection,
                                                  .scale = FG_HISTOGRAM_LOG2 };
    struct fg_histogram_reply reply;
    enum fg_result result = fg_query_histogram(groups->input->query, &request, &reply);
    if (result != FG_OK || groups->as_json) {
        return result != FG_OK ? result : json_histogram(&reply);
    }
    struct fgi_table table = { .columns = columns, .column_count = 3 };
    for (uint32_t i = 0; i < reply.count; i++) {
        const struct fgi_cell cells[] = {
            duration(reply.bins[i].first),
            duration(reply.bins[i].last),
            fgi_cell_number((int64_t)reply.bins[i].count),
        };
        if (reply.bins[i].count > 0) {
            fgi_table_row(&table, cells);
        }
    }
    return end_table(&table, groups->as_csv);
}

/* ---- buckets --------------------------------------------------------------------------------- */

static enum fg_result json_buckets(const struct fg_buckets_reply *reply)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_uint(&json, "lanes", reply->lanes);
    fgi_json_key(&json, "buckets");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < reply->count; i++) {
        const struct fg_bucket *bucket = &reply->buckets[i];
        fgi_json_inline_object_begin(&json);
        fgi_json_key_int(&json, "start_ns", bucket->start_ns);
        fgi_json_key_int(&json, "end_ns", bucket->end_ns);
        fgi_json_key_uint(&json, "starts", bucket->starts);
        fgi_json_key_uint(&json, "count", bucket->count);
        fgi_json_key_uint(&json, "covered_ns", bucket->covered_ns);
        fgi_json_key_uint(&json, "sum_ns", bucket->sum_ns);
        fgi_json_key_uint(&json, "capacity_ns", bucket->capacity_ns);
        fgi_json_key_uint(&json, "idle_ns", bucket->idle_ns);
        fgi_json_key_uint(&json, "peak", bucket->peak);
        fgi_json_object_end(&json);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static struct fgi_cell share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? fgi_cell_number((int64_t)((double)part / (double)whole * 1e4 + 0.5))
                     : (struct fgi_cell){ 0 };
}

enum fg_result fgi_groups_buckets(const struct fgi_groups *groups, uint32_t count)
{
    static const struct fgi_column columns[] = {
        { "start", FGI_COLUMN_DURATION, "start_ns" },
        { "length", FGI_COLUMN_DURATION, "length_ns" },
        { "starts", FGI_COLUMN_COUNT, "starts" },
        { "spans", FGI_COLUMN_COUNT, "count" },
        { "covered", FGI_COLUMN_PERCENT, NULL },
        { "utilisation", FGI_COLUMN_PERCENT, NULL },
        { "at most", FGI_COLUMN_COUNT, "peak" },
        { NULL, FGI_COLUMN_COUNT, "covered_ns" },
        { NULL, FGI_COLUMN_COUNT, "sum_ns" },
        { NULL, FGI_COLUMN_COUNT, "capacity_ns" },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    const struct fg_buckets_request request = { .selection = groups->selection, .count = count };
    struct fg_buckets_reply reply;
    enum fg_result result = fg_query_buckets(groups->input->query, &request, &reply);
    if (result != FG_OK || groups->as_json) {
        return result != FG_OK ? result : json_buckets(&reply);
    }
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    for (uint32_t i = 0; i < reply.count; i++) {
        const struct fg_bucket *bucket = &reply.buckets[i];
        uint64_t length = (uint64_t)bucket->end_ns - (uint64_t)bucket->start_ns;
        /* For people from the first time on, so that the numbers can be read. */
        int64_t origin = groups->as_csv ? 0 : reply.start_ns;
        const struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_number((int64_t)((uint64_t)bucket->start_ns - (uint64_t)origin)),
            duration(length),
            fgi_cell_number((int64_t)bucket->starts),
            fgi_cell_number((int64_t)bucket->count),
            share(bucket->covered_ns, length),
            share(bucket->sum_ns, bucket->capacity_ns),
            fgi_cell_number(bucket->peak),
            duration(bucket->covered_ns),
            duration(bucket->sum_ns),
            duration(bucket->capacity_ns),
        };
        fgi_table_row(&table, cells);
    }
    return end_table(&table, groups->as_csv);
}
