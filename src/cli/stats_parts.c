/* SPDX-License-Identifier: MIT */
#include "cli/stats_parts.h"
#include "base/json.h"
#include "cli/cli_output.h"

#include <inttypes.h>
#include <stdio.h>

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

/* The edges would be taken for the shortest and the longest span. */
static void print_histogram_remarks(const struct fg_histogram_reply *reply)
{
    printf("\n%" PRIu64 " span%s. The edges are powers of two, not the shortest and the longest of "
           "them.\n",
           reply->measured, fgi_plural(reply->measured));
    if (reply->unfinished > 0) {
        printf("%" PRIu64 " span%s no end and %s not counted.\n", reply->unfinished,
               reply->unfinished == 1 ? " has" : "s have", reply->unfinished == 1 ? "is" : "are");
    }
}

static enum fg_result table_histogram(const struct fg_histogram_reply *reply, bool as_csv)
{
    static const struct fgi_column columns[] = {
        { "from", FGI_COLUMN_LENGTH, "first_ns" },
        { "to", FGI_COLUMN_LENGTH, "last_ns" },
        { "spans", FGI_COLUMN_COUNT, "count" },
    };
    struct fgi_table table = { .columns = columns, .column_count = 3 };
    for (uint32_t i = 0; i < reply->count; i++) {
        const struct fgi_cell cells[] = {
            duration(reply->bins[i].first),
            duration(reply->bins[i].last),
            fgi_cell_number((int64_t)reply->bins[i].count),
        };
        if (reply->bins[i].count > 0) {
            fgi_table_row(&table, cells);
        }
    }
    enum fg_result result = end_table(&table, as_csv);
    if (result == FG_OK && !as_csv) {
        print_histogram_remarks(reply);
    }
    return result;
}

enum fg_result fgi_parts_histogram(const struct fgi_parts *parts)
{
    const struct fg_histogram_request request = { .selection = parts->selection,
                                                  .scale = FG_HISTOGRAM_LOG2 };
    struct fg_histogram_reply reply;
    struct fg_task *task = NULL;
    enum fg_result result =
        fg_task_histogram(parts->input->query, &request, FG_TASK_INTERACTIVE, &task);
    result = fgi_task_run(task, "counting", result);
    if (result == FG_OK) {
        result = fg_task_result_histogram(task, &reply);
    }
    if (result == FG_OK) {
        result = parts->as_json ? json_histogram(&reply) : table_histogram(&reply, parts->as_csv);
    }
    fg_task_destroy(task);
    return result;
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

static enum fg_result table_buckets(const struct fg_buckets_reply *reply, bool as_csv)
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
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    for (uint32_t i = 0; i < reply->count; i++) {
        const struct fg_bucket *bucket = &reply->buckets[i];
        uint64_t length = (uint64_t)bucket->end_ns - (uint64_t)bucket->start_ns;
        /* For people from the first time on, so that the numbers can be read. */
        int64_t origin = as_csv ? 0 : reply->start_ns;
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
    return end_table(&table, as_csv);
}

enum fg_result fgi_parts_buckets(const struct fgi_parts *parts, uint32_t count)
{
    const struct fg_buckets_request request = { .selection = parts->selection, .count = count };
    struct fg_buckets_reply reply;
    struct fg_task *task = NULL;
    enum fg_result result =
        fg_task_buckets(parts->input->query, &request, FG_TASK_INTERACTIVE, &task);
    result = fgi_task_run(task, "dividing", result);
    if (result == FG_OK) {
        result = fg_task_result_buckets(task, &reply);
    }
    if (result == FG_OK) {
        result = parts->as_json ? json_buckets(&reply) : table_buckets(&reply, parts->as_csv);
    }
    fg_task_destroy(task);
    return result;
}
