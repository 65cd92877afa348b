/* SPDX-License-Identifier: MIT */
#include "cli/path_slice.h"
#include "base/json.h"
#include "cli/cli_output.h"
#include "cli/groupings.h"
#include "trace/span_words.h"

#include <stdio.h>
#include <string.h>

static const char *const directions[] = {
    [FG_SLICE_BACKWARD] = "backward", [FG_SLICE_FORWARD] = "forward", [FG_SLICE_BOTH] = "both"
};
enum { DIRECTION_COUNT = sizeof directions / sizeof *directions };

bool fgi_slice_direction(const char *name, uint32_t *out_direction)
{
    for (uint32_t i = 0; i < DIRECTION_COUNT; i++) {
        if (strcmp(directions[i], name) == 0) {
            *out_direction = i;
            return true;
        }
    }
    return false;
}

static enum fg_result put_item(struct fgi_json *json, const struct fg_trace *trace,
                               const struct fg_slice_item *item)
{
    struct fg_trace_span span;
    enum fg_result result = fgi_span_read(trace, item->row, &span);
    if (result != FG_OK) {
        return result;
    }
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "row", item->row);
    fgi_json_key_text(json, "name", fg_trace_text(trace, span.name));
    fgi_json_key_text(json, "track", fgi_span_track(trace, &span));
    fgi_json_key_int(json, "start_ns", span.start_ns);
    fgi_json_key_int(json, "end_ns", span.end_ns);
    fgi_json_key_text(json, "status", fgi_status_word(span.status));
    fgi_json_key_int(json, "hops", item->hops);
    fgi_json_key(json, "dependency");
    if (item->link == FG_NONE) {
        fgi_json_null(json);
    } else {
        fgi_json_uint(json, item->link);
    }
    fgi_json_key_bool(json, "claimed", item->is_claimed);
    fgi_json_object_end(json);
    return json->result;
}

static enum fg_result print_json(const struct fg_trace *trace,
                                 const struct fg_slice_request *request,
                                 const struct fg_slice_reply *reply)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    enum fg_result result = FG_OK;
    fgi_json_object_begin(&json);
    fgi_json_key_uint(&json, "row", request->row);
    fgi_json_key_text(&json, "direction", directions[request->direction]);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < reply->count && result == FG_OK; i++) {
        result = put_item(&json, trace, &reply->items[i]);
    }
    fgi_json_array_end(&json);
    fgi_json_key_uint(&json, "left_out", reply->overflow);
    fgi_json_key_uint(&json, "outside", reply->outside);
    fgi_json_key_uint(&json, "hidden", reply->hidden);
    fgi_json_key_bool(&json, "hops_limited", reply->is_hop_limited);
    fgi_json_object_end(&json);
    enum fg_result finished = fgi_json_finish(&json);
    return result != FG_OK ? result : finished;
}

static void print_remarks(const struct fg_slice_reply *reply)
{
    if (reply->overflow > 0) {
        printf("\n%u span%s next in line left out: --limit says how many are told\n",
               (unsigned)reply->overflow, reply->overflow == 1 ? " is" : "s are");
    }
    if (reply->is_hop_limited) {
        printf("\nthere is more behind --hops\n");
    }
    if (reply->outside > 0 || reply->hidden > 0) {
        printf("\ndependencies out of --time: %u, to spans that are not selected: %u\n",
               (unsigned)reply->outside, (unsigned)reply->hidden);
    }
}

static const char *remark_of(const struct fg_slice_item *item, const struct fg_trace_span *span)
{
    bool is_claimed = item->is_claimed || item->hops == 0;
    if (fgi_is_unfinished((uint8_t)span->status)) {
        return is_claimed ? "no end" : "no end; the order is not claimed";
    }
    return is_claimed ? "" : "the order is not claimed";
}

static enum fg_result print_table(const struct fg_trace *trace, const struct fg_slice_reply *reply,
                                  bool as_csv)
{
    static const struct fgi_column columns[] = {
        { "hops", FGI_COLUMN_COUNT, "hops" },
        { "row", FGI_COLUMN_COUNT, "row" },
        { "name", FGI_COLUMN_TEXT, "name" },
        { "track", FGI_COLUMN_TEXT, "track" },
        { "time", FGI_COLUMN_DURATION, NULL },
        { NULL, FGI_COLUMN_COUNT, "start_ns" },
        { NULL, FGI_COLUMN_COUNT, "end_ns" },
        { NULL, FGI_COLUMN_COUNT, "dependency" },
        { NULL, FGI_COLUMN_COUNT, "is_claimed" },
        { NULL, FGI_COLUMN_TEXT, "status" },
        { "", FGI_COLUMN_TEXT, NULL },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    for (uint32_t i = 0; i < reply->count && table.result == FG_OK; i++) {
        const struct fg_slice_item *item = &reply->items[i];
        struct fg_trace_span span;
        table.result = fgi_span_read(trace, item->row, &span);
        if (table.result != FG_OK) {
            break;
        }
        uint64_t duration = (uint64_t)span.end_ns - (uint64_t)span.start_ns;
        const struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_number(item->hops),
            fgi_cell_number(item->row),
            fgi_cell_text(fg_trace_text(trace, span.name)),
            fgi_cell_text(fgi_span_track(trace, &span)),
            fgi_cell_number(duration <= INT64_MAX ? (int64_t)duration : INT64_MAX),
            fgi_cell_number(span.start_ns),
            fgi_cell_number(span.end_ns),
            fgi_cell_maybe(item->link != FG_NONE ? (int64_t)item->link : -1),
            fgi_cell_number(item->is_claimed),
            fgi_cell_text(fgi_status_word(span.status)),
            fgi_cell_text(remark_of(item, &span)),
        };
        fgi_table_row(&table, cells);
    }
    if (as_csv) {
        fgi_table_print_csv(&table);
    } else {
        fgi_table_print(&table);
        print_remarks(reply);
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    return result;
}

enum fg_result fgi_slice_print(const struct fgi_input *input,
                               const struct fg_slice_request *request, bool as_json, bool as_csv)
{
    struct fg_slice_reply reply;
    enum fg_result result = fg_query_slice(input->query, request, &reply);
    if (result != FG_OK) {
        return result;
    }
    return as_json ? print_json(input->trace, request, &reply)
                   : print_table(input->trace, &reply, as_csv);
}
