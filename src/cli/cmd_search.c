/* SPDX-License-Identifier: MIT */
/* frameglass search: spans whose name contains a text. */
#include "base/json.h"
#include "cli/cli_output.h"
#include "cli/cli_select.h"
#include "cli/groupings.h"
#include <frameglass/trace_find.h>

#include <stdio.h>

enum { DEFAULT_LIMIT = 100, PAGE_ROWS = 4096 };

struct search {
    const char *operands[2];
    struct fgi_select select;
    uint64_t limit;
    bool as_json, as_csv;
    const char *engine;
    struct fgi_input input;
};

static const char *status_of(const struct search *search, const struct fg_trace_span *span)
{
    return fgi_group_text(search->input.trace, FG_AGGREGATE_STATUS, (uint32_t)span->status, NULL);
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* Spans that match and are selected, a page at a time, at most as many as were asked for. */
static enum fg_result visit(const struct search *search, uint32_t filter, uint32_t *out_total,
                            void *context,
                            void (*see)(const struct search *search, void *context,
                                        const struct fg_trace_span *span))
{
    struct fg_search_request request = { .text = search->operands[1], .filter = filter };
    struct fg_search_reply reply = { .next = FG_NONE };
    uint64_t left = search->limit;
    enum fg_result result = FG_OK;
    do {
        request.limit = left < PAGE_ROWS ? (uint32_t)left : PAGE_ROWS;
        result = fg_query_search(search->input.query, &request, &reply);
        for (uint32_t i = 0; i < reply.count && result == FG_OK; i++) {
            see(search, context, &reply.spans[i]);
        }
        if (result == FG_OK) {
            *out_total = reply.total;
            left -= reply.count;
            request.has_after = true;
            request.after = reply.next;
            fg_query_reset(search->input.query);
        }
    } while (result == FG_OK && reply.next != FG_NONE && left > 0);
    return result;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void see_json(const struct search *search, void *context, const struct fg_trace_span *span)
{
    struct fgi_json *json = context;
    const struct fg_trace *trace = search->input.trace;
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "row", span->row);
    fgi_json_key_text(json, "name", fg_trace_text(trace, span->name));
    fgi_json_key_text(json, "track", fgi_span_track(search->input.trace, span));
    fgi_json_key_uint(json, "depth", span->depth);
    fgi_json_key_text(json, "status", status_of(search, span));
    fgi_json_key_int(json, "start_ns", span->start_ns);
    fgi_json_key_int(json, "end_ns", span->end_ns);
    fgi_json_object_end(json);
}

static enum fg_result print_json(const struct search *search, uint32_t filter)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    uint32_t total = 0;
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "text", search->operands[1]);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    enum fg_result result = visit(search, filter, &total, &json, see_json);
    fgi_json_array_end(&json);
    fgi_json_key_uint(&json, "total", total);
    fgi_json_object_end(&json);
    enum fg_result finished = fgi_json_finish(&json);
    return result != FG_OK ? result : finished;
}

/* ---- for people and spreadsheets ------------------------------------------------------------- */

/* Rows, and the texts that are made for them. */
struct table {
    struct fgi_table rows;
    struct fgi_arena texts;
};

static void see_table(const struct search *search, void *context, const struct fg_trace_span *span)
{
    uint64_t duration = (uint64_t)span->end_ns - (uint64_t)span->start_ns;
    struct table *table = context;
    char *window = fgi_arena_alloc(&table->texts, FGI_WINDOW_TEXT, 1);
    if (window == NULL) {
        table->rows.result = FG_ERR_NO_MEMORY;
        return;
    }
    const struct fgi_cell cells[] = {
        fgi_cell_number(span->row),
        fgi_cell_text(fg_trace_text(search->input.trace, span->name)),
        fgi_cell_text(fgi_span_track(search->input.trace, span)),
        fgi_cell_number(span->depth),
        fgi_cell_text(status_of(search, span)),
        fgi_cell_text(fgi_window_text(&search->input, span->start_ns, span->end_ns, window)),
        fgi_cell_number(span->start_ns),
        fgi_cell_number(duration <= INT64_MAX ? (int64_t)duration : INT64_MAX),
        fgi_cell_number(span->end_ns),
    };
    fgi_table_row(&table->rows, cells);
}

static enum fg_result print_table(const struct search *search, uint32_t filter)
{
    static const struct fgi_column columns[] = {
        { "row", FGI_COLUMN_COUNT, "row" },      { "name", FGI_COLUMN_TEXT, "name" },
        { "track", FGI_COLUMN_TEXT, "track" },   { "depth", FGI_COLUMN_COUNT, "depth" },
        { "status", FGI_COLUMN_TEXT, "status" }, { "--time", FGI_COLUMN_TEXT, NULL },
        { NULL, FGI_COLUMN_COUNT, "start_ns" },  { "length", FGI_COLUMN_DURATION, NULL },
        { NULL, FGI_COLUMN_COUNT, "end_ns" },
    };
    struct table table = {
        .rows = { .columns = columns, .column_count = sizeof columns / sizeof *columns },
    };
    uint32_t total = 0;
    enum fg_result result = visit(search, filter, &total, &table, see_table);
    if (result == FG_OK && search->as_csv) {
        fgi_table_print_csv(&table.rows);
    } else if (result == FG_OK) {
        fgi_table_print(&table.rows);
        if (table.rows.row_count < total) {
            printf("\n%zu of %u spans; --limit says how many are listed\n", table.rows.row_count,
                   (unsigned)total);
        } else {
            printf("\n%u span%s\n", (unsigned)total, fgi_plural(total));
        }
    }
    result = result != FG_OK ? result : table.rows.result;
    fgi_table_finish(&table.rows);
    fgi_arena_finish(&table.texts);
    return result;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run(const struct search *search)
{
    struct fgi_selected selected;
    int status = fgi_select_find(&search->input, &search->select, NULL, &selected);
    if (status != FGI_GO) {
        return status;
    }
    enum fg_result result = search->as_json ? print_json(search, selected.selection.filter)
                                            : print_table(search, selected.selection.filter);
    fgi_selected_finish(&selected);
    return fgi_output_end("search", result, FGI_EXIT_DONE);
}

int fgi_cmd_search(int argc, char **argv)
{
    struct search search = { .limit = DEFAULT_LIMIT,
                             .select = { .in_filter = true, .time_too = true } };
    const struct fgi_option options[] = {
        FGI_OPTION_FRAMES(&search.select.frames),
        FGI_OPTION_WINDOW(&search.select.time),
        FGI_OPTIONS_SPANS(search.select),
        { .name = "limit",
          .kind = FGI_OPTION_COUNT,
          .value = &search.limit,
          .argument = "N",
          .least = 1,
          .about = "spans that are listed; 100 when not given" },
        FGI_OPTION_ONE_ENGINE(&search.engine),
        FGI_OPTION_JSON(&search.as_json),
        FGI_OPTION_CSV(&search.as_csv),
    };
    const struct fgi_command_line line = {
        .name = "search",
        .operands = "FILE TEXT",
        .about = "Spans whose name contains a text, in capitals or not, by row.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 2,
        .operand_max = 2,
    };
    int status = fgi_command_parse(&line, argc, argv, search.operands);
    if (status == FGI_GO && search.operands[1][0] == '\0') {
        status = fgi_command_fail(line.name, FGI_EXIT_USAGE, "TEXT is empty");
    }
    if (status == FGI_GO && search.as_json && search.as_csv) {
        status = fgi_command_fail(line.name, FGI_EXIT_USAGE, "--json and --csv exclude each other");
    }
    if (status == FGI_GO) {
        status = fgi_input_open_engine(line.name, search.operands[0], search.engine, &search.input);
    }
    if (status != FGI_GO) {
        return status;
    }
    status = run(&search);
    fgi_input_close(&search.input);
    return status;
}
