/* SPDX-License-Identifier: MIT */
/* frameglass path: what a span waited for, and the chain of work that its end hangs on. */
#include "base/json.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/cli_select.h"
#include "cli/groupings.h"
#include "cli/path_slice.h"
#include "trace/span_words.h"
#include <frameglass/trace_path.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SLICES "backward|forward|both"

enum { PIECES_SHOWN = 60, SLICE_SHOWN = 20, SLICE_ROWS = 1000 };

static const char *const piece_names[] = { "work", "wait", "queue", "unknown" };

struct path {
    struct fgi_input input;
    uint32_t row; /* FG_NONE: the longest path of all */
    uint32_t by;
    bool as_json, as_csv;
    const char *engine;
    const char *slice; /* direction; NULL: the path */
    struct fg_slice_request slice_request;
    struct fgi_select select;
    struct fg_path_reply to_row;  /* the path that ends in the row */
    struct fg_path_reply overall; /* the longest of all, with every row's slack */
    struct fg_slice_reply before, after;
    struct fg_task *tasks[2]; /* what the paths are lent by */
};

/* ---- questions ------------------------------------------------------------------------------- */

static enum fg_result ask_slice(struct path *path, uint32_t direction, struct fg_slice_reply *out)
{
    const struct fg_slice_request request = {
        .row = path->row,
        .direction = direction,
        .max_rows = path->slice_request.max_rows,
        .max_hops = path->slice_request.max_hops,
    };
    return fg_query_slice(path->input.query, &request, out);
}

/* A path in steps; its answer lives as long as the task. */
static enum fg_result ask_path(const struct path *path, const struct fg_path_request *request,
                               struct fg_task **out_task, struct fg_path_reply *out_reply)
{
    enum fg_result result = fg_task_path(path->input.query, request, FG_TASK_INTERACTIVE, out_task);
    result = fgi_task_run(*out_task, "following dependencies", result);
    return result == FG_OK ? fg_task_result_path(*out_task, out_reply) : result;
}

static enum fg_result ask(struct path *path, const struct fg_selection *selection)
{
    struct fg_path_request request = {
        .by = path->by,
        .figures = FG_PATH_SLACKS,
        .filter = selection->filter,
        .start_ns = selection->start_ns,
        .end_ns = selection->end_ns,
    };
    enum fg_result result = ask_path(path, &request, &path->tasks[0], &path->overall);
    if (path->row == FG_NONE || result != FG_OK) {
        path->to_row = path->overall;
        return result;
    }
    request.has_row = true;
    request.row = path->row;
    request.figures = 0;
    result = ask_path(path, &request, &path->tasks[1], &path->to_row);
    if (result == FG_OK) {
        result = ask_slice(path, FG_SLICE_BACKWARD, &path->before);
    }
    return result == FG_OK ? ask_slice(path, FG_SLICE_FORWARD, &path->after) : result;
}

static uint64_t slack_of(const struct path *path, uint32_t row)
{
    return path->overall.slacks != NULL && row < path->overall.figure_rows
               ? path->overall.slacks[row]
               : 0;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_row(struct fgi_json *json, const struct path *path, uint32_t row)
{
    struct fg_trace_span span;
    fgi_json_key_uint(json, "row", row);
    if (fgi_span_read(path->input.trace, row, &span) == FG_OK) {
        fgi_json_key_text(json, "name", fg_trace_text(path->input.trace, span.name));
        fgi_json_key_text(json, "track", fgi_span_track(path->input.trace, &span));
        fgi_json_key_int(json, "start_ns", span.start_ns);
        fgi_json_key_int(json, "end_ns", span.end_ns);
        fgi_json_key_text(json, "status", fgi_status_word(span.status));
        fgi_json_key_uint(json, "slack_ns", slack_of(path, row));
    }
}

static void json_chain(struct fgi_json *json, const struct path *path)
{
    fgi_json_key(json, "chain");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < path->to_row.chain_count; i++) {
        fgi_json_inline_object_begin(json);
        json_row(json, path, path->to_row.chain[i]);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

static void json_pieces(struct fgi_json *json, const struct path *path)
{
    fgi_json_key(json, "pieces");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < path->to_row.piece_count; i++) {
        const struct fg_path_piece *piece = &path->to_row.pieces[i];
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "kind", piece_names[piece->kind]);
        fgi_json_key_uint_or_null(json, "row", piece->row != FG_NONE, piece->row);
        fgi_json_key_uint_or_null(json, "dependency", piece->link != FG_NONE, piece->link);
        fgi_json_key_bool(json, "claimed", piece->is_claimed);
        fgi_json_key_int(json, "start_ns", piece->start_ns);
        fgi_json_key_int(json, "end_ns", piece->end_ns);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

static void json_slice(struct fgi_json *json, const struct path *path, const char *key,
                       const struct fg_slice_reply *slice)
{
    fgi_json_key(json, key);
    fgi_json_object_begin(json);
    fgi_json_key(json, "rows");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < slice->count; i++) {
        fgi_json_inline_object_begin(json);
        json_row(json, path, slice->items[i].row);
        fgi_json_key_int(json, "hops", slice->items[i].hops);
        fgi_json_key_bool(json, "claimed", slice->items[i].is_claimed);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
    fgi_json_key_uint(json, "left_out", slice->overflow);
    fgi_json_object_end(json);
}

static enum fg_result print_json(const struct path *path)
{
    const struct fg_path_reply *reply = &path->to_row;
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "by", path->by == FG_PATH_BY_PARENTS ? "parents" : "dependencies");
    fgi_json_key_uint_or_null(&json, "row", path->row != FG_NONE, path->row);
    fgi_json_key_uint(&json, "length_ns", reply->length_ns);
    fgi_json_key_uint(&json, "longest_ns", path->overall.length_ns);
    fgi_json_key(&json, "slack_ns");
    if (path->row == FG_NONE) {
        fgi_json_null(&json);
    } else {
        fgi_json_uint(&json, slack_of(path, path->row));
    }
    fgi_json_key_bool(&json, "cyclic", (reply->flags & FG_PATH_CYCLIC) != 0);
    fgi_json_key_bool(&json, "cut", (reply->flags & FG_PATH_CHAIN_CUT) != 0);
    fgi_json_key_uint(&json, "left_out", reply->left_out);
    json_chain(&json, path);
    json_pieces(&json, path);
    fgi_json_key(&json, "sums");
    fgi_json_inline_object_begin(&json);
    fgi_json_key_uint(&json, "work_ns", reply->sums.work_ns);
    fgi_json_key_uint(&json, "wait_ns", reply->sums.wait_ns);
    fgi_json_key_uint(&json, "queue_ns", reply->sums.queue_ns);
    fgi_json_key_uint(&json, "unknown_ns", reply->sums.unknown_ns);
    fgi_json_key_uint(&json, "overlap_ns", reply->sums.overlap_ns);
    fgi_json_key_uint(&json, "unclaimed", reply->sums.unclaimed);
    fgi_json_object_end(&json);
    json_slice(&json, path, "before", &path->before);
    json_slice(&json, path, "after", &path->after);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *length_text(uint64_t ns, char *out, size_t size)
{
    return fgi_duration_text(ns <= INT64_MAX ? (int64_t)ns : INT64_MAX, out, size);
}

static struct fgi_cell duration(uint64_t value)
{
    return fgi_cell_number(value <= INT64_MAX ? (int64_t)value : INT64_MAX);
}

static enum fg_result print_pieces(const struct path *path)
{
    static const struct fgi_column columns[] = {
        { "what", FGI_COLUMN_TEXT, NULL },     { "row", FGI_COLUMN_COUNT, NULL },
        { "name", FGI_COLUMN_TEXT, NULL },     { "track", FGI_COLUMN_TEXT, NULL },
        { "time", FGI_COLUMN_DURATION, NULL }, { "slack", FGI_COLUMN_DURATION, NULL },
        { "", FGI_COLUMN_TEXT, NULL },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    const struct fg_path_reply *reply = &path->to_row;
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    uint32_t first = reply->piece_count > PIECES_SHOWN ? reply->piece_count - PIECES_SHOWN : 0;
    if (first > 0) {
        printf("(the last %d of %u pieces; --json has all)\n", PIECES_SHOWN,
               (unsigned)reply->piece_count);
    }
    for (uint32_t i = first; i < reply->piece_count; i++) {
        const struct fg_path_piece *piece = &reply->pieces[i];
        struct fg_trace_span span;
        bool has_span = fgi_span_read(path->input.trace, piece->row, &span) == FG_OK;
        bool is_work = piece->kind == FG_PIECE_WORK;
        struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_text(piece_names[piece->kind]),
            fgi_cell_maybe(has_span ? (int64_t)piece->row : -1),
            fgi_cell_text(has_span ? fg_trace_text(path->input.trace, span.name) : ""),
            fgi_cell_text(has_span ? fgi_span_track(path->input.trace, &span) : ""),
            piece->is_claimed ? duration((uint64_t)piece->end_ns - (uint64_t)piece->start_ns)
                              : (struct fgi_cell){ 0 },
            has_span && is_work ? duration(slack_of(path, piece->row)) : (struct fgi_cell){ 0 },
            fgi_cell_text(has_span && fgi_is_unfinished((uint8_t)span.status) ? "no end" : ""),
        };
        fgi_table_row(&table, cells);
    }
    fgi_table_print(&table);
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    return result;
}

static void print_slice(const struct path *path, const char *title,
                        const struct fg_slice_reply *slice)
{
    char plain[FGI_PLAIN_TEXT];
    printf("\n%s: %u span%s%s\n", title, (unsigned)(slice->count > 0 ? slice->count - 1 : 0),
           slice->count == 2 ? "" : "s", slice->overflow > 0 ? ", and more" : "");
    for (uint32_t i = 0; i < slice->count && i <= SLICE_SHOWN; i++) {
        const struct fg_slice_item *item = &slice->items[i];
        struct fg_trace_span span;
        if (item->row != path->row && fgi_span_read(path->input.trace, item->row, &span) == FG_OK) {
            printf("  %+4d  row %u  %s%s\n", (int)item->hops, (unsigned)item->row,
                   fgi_plain_text(fg_trace_text(path->input.trace, span.name), plain, sizeof plain),
                   item->is_claimed ? "" : "  (the order is not claimed)");
        }
    }
}

/* What is claimed of spans without an end is only where they were cut off. */
static void print_unfinished(const struct path *path)
{
    uint32_t unfinished = 0;
    for (uint32_t i = 0; i < path->to_row.chain_count; i++) {
        struct fg_trace_span span;
        unfinished += fgi_span_read(path->input.trace, path->to_row.chain[i], &span) == FG_OK &&
                      fgi_is_unfinished((uint8_t)span.status);
    }
    if (unfinished > 0) {
        printf("%u span%s of the path %s no end: what %s took is not known, their times end where "
               "something else did\n",
               (unsigned)unfinished, fgi_plural(unfinished), unfinished == 1 ? "has" : "have",
               unfinished == 1 ? "it" : "they");
    }
}

/* A span around all others is longer than any chain of them, and tells nothing. */
static void print_wrapper(const struct path *path)
{
    struct fg_trace_info info;
    fg_trace_get_info(path->input.trace, &info);
    if (path->by == FG_PATH_BY_DEPENDENCIES && path->row == FG_NONE && info.dependencies > 0 &&
        path->to_row.chain_count == 1 && path->to_row.length_ns > 1) {
        printf("one span covers the whole range, and no chain of dependencies takes longer: "
               "--shorter-than %" PRIu64
               "ns\nleaves it out, --span ROW asks for the path to a span\n",
               path->to_row.length_ns - 1);
    }
}

static void print_head(const struct path *path)
{
    const struct fg_path_reply *reply = &path->to_row;
    char a[40], b[40], plain[FGI_PLAIN_TEXT];
    struct fg_trace_span span;
    if (path->row != FG_NONE && fgi_span_read(path->input.trace, path->row, &span) == FG_OK) {
        printf("row %u: %s, %s; slack %s\n", (unsigned)path->row,
               fgi_plain_text(fg_trace_text(path->input.trace, span.name), plain, sizeof plain),
               length_text((uint64_t)span.end_ns - (uint64_t)span.start_ns, a, sizeof a),
               length_text(slack_of(path, path->row), b, sizeof b));
    }
    printf("critical path%s: %u span%s, %s of work; waiting for others %s",
           path->row != FG_NONE ? " to it" : "", (unsigned)reply->chain_count,
           fgi_plural(reply->chain_count), length_text(reply->length_ns, a, sizeof a),
           length_text(reply->sums.wait_ns, b, sizeof b));
    printf(", in a queue %s", length_text(reply->sums.queue_ns, a, sizeof a));
    printf(", unknown %s\n", length_text(reply->sums.unknown_ns, a, sizeof a));
    if (reply->sums.unclaimed > 0) {
        printf("%u gap%s not told: the clocks do not allow it\n", (unsigned)reply->sums.unclaimed,
               reply->sums.unclaimed == 1 ? " is" : "s are");
    }
    if ((reply->flags & FG_PATH_CYCLIC) != 0) {
        printf("%u span%s left out: dependencies run in a circle\n", (unsigned)reply->left_out,
               reply->left_out == 1 ? " is" : "s are");
    }
    print_unfinished(path);
    print_wrapper(path);
    printf("\n");
}

static enum fg_result print_text(const struct path *path)
{
    print_head(path);
    enum fg_result result = print_pieces(path);
    if (path->row != FG_NONE) {
        print_slice(path, "what led to it", &path->before);
        print_slice(path, "what followed from it", &path->after);
    }
    return result;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The row itself is not selected: nothing leads to it, not even itself. */
static bool is_left_out(const struct path *path, const struct fg_selection *selection)
{
    return path->row != FG_NONE && path->to_row.chain_count == 0 &&
           (path->to_row.flags & FG_PATH_CYCLIC) == 0 &&
           (selection->filter != 0 || selection->start_ns < selection->end_ns);
}

/* FG_ERR_NOT_FOUND: the row is not selected. */
static enum fg_result answer(struct path *path, const struct fg_selection *selection)
{
    if (path->slice != NULL) {
        path->slice_request.row = path->row;
        path->slice_request.filter = selection->filter;
        path->slice_request.start_ns = selection->start_ns;
        path->slice_request.end_ns = selection->end_ns;
        return fgi_slice_print(&path->input, &path->slice_request, path->as_json, path->as_csv);
    }
    enum fg_result result = ask(path, selection);
    if (result == FG_OK && is_left_out(path, selection)) {
        result = FG_ERR_NOT_FOUND;
    } else if (result == FG_OK) {
        result = path->as_json ? print_json(path) : print_text(path);
    }
    fg_task_destroy(path->tasks[1]);
    fg_task_destroy(path->tasks[0]);
    return result;
}

static int run(struct path *path, uint64_t row)
{
    struct fg_trace_info info;
    struct fgi_selected selected;
    fg_trace_get_info(path->input.trace, &info);
    if (row != UINT64_MAX && row >= info.spans) {
        return fgi_command_fail("path", FGI_EXIT_USAGE,
                                "--span: there is no row %" PRIu64 ": there are %" PRIu64
                                " spans, numbered from 0",
                                row, info.spans);
    }
    path->row = row != UINT64_MAX ? (uint32_t)row : FG_NONE;
    int status = fgi_select_find(&path->input, &path->select, NULL, &selected);
    if (status != FGI_GO) {
        return status;
    }
    enum fg_result result = answer(path, &selected.selection);
    fgi_selected_finish(&selected);
    if (result == FG_ERR_NOT_FOUND) {
        return fgi_command_fail("path", FGI_EXIT_USAGE,
                                "--span: row %" PRIu64 " is not among the spans that are selected",
                                row);
    }
    return fgi_output_end("path", result, FGI_EXIT_DONE);
}

static int check(struct path *path, const char *by, uint64_t row, const uint64_t counts[2])
{
    if (strcmp(by, "parents") == 0) {
        path->by = FG_PATH_BY_PARENTS;
    } else if (strcmp(by, "dependencies") != 0) {
        return fgi_command_fail("path", FGI_EXIT_USAGE,
                                "--by does not take '%s': expected dependencies|parents", by);
    }
    if (path->slice != NULL && !fgi_slice_direction(path->slice, &path->slice_request.direction)) {
        return fgi_command_fail("path", FGI_EXIT_USAGE,
                                "--slice does not take '%s': expected " SLICES, path->slice);
    }
    if (path->slice != NULL && row == UINT64_MAX) {
        return fgi_command_fail("path", FGI_EXIT_USAGE, "--slice needs --span ROW");
    }
    if (path->slice == NULL && counts[1] != 0) {
        return fgi_command_fail("path", FGI_EXIT_USAGE, "--hops goes with --slice alone");
    }
    if (path->as_csv && (path->slice == NULL || path->as_json)) {
        return fgi_command_fail("path", FGI_EXIT_USAGE, "--csv goes with --slice alone");
    }
    path->slice_request.max_rows = (uint32_t)counts[0];
    path->slice_request.max_hops = (uint32_t)counts[1];
    return FGI_GO;
}

int fgi_cmd_path(int argc, char **argv)
{
    struct path path = { .by = FG_PATH_BY_DEPENDENCIES, .select = { .in_filter = true } };
    uint64_t row = UINT64_MAX;
    uint64_t counts[2] = { SLICE_ROWS, 0 }; /* rows, hops */
    const char *by = "dependencies";
    const struct fgi_option options[] = {
        { .name = "span",
          .kind = FGI_OPTION_COUNT,
          .value = &row,
          .argument = "ROW",
          .about = "the span, by its row; without it the longest path of all" },
        { .name = "by",
          .kind = FGI_OPTION_TEXT,
          .value = &by,
          .argument = "dependencies|parents",
          .about = "what hangs on what; dependencies when not given" },
        { .name = "slice",
          .kind = FGI_OPTION_TEXT,
          .value = &path.slice,
          .argument = SLICES,
          .about = "instead of the path, all that led to the span, or followed from it" },
        { .name = "hops",
          .kind = FGI_OPTION_COUNT,
          .value = &counts[1],
          .argument = "N",
          .least = 1,
          .most = UINT32_MAX,
          .about = "how many dependencies away; as far as they go when not given" },
        { .name = "limit",
          .kind = FGI_OPTION_COUNT,
          .value = &counts[0],
          .argument = "N",
          .least = 1,
          .most = UINT32_MAX,
          .about = "spans that are told on either side; 1000 when not given" },
        FGI_OPTION_FRAMES(&path.select.frames),
        FGI_OPTION_WINDOW(&path.select.time),
        FGI_OPTION_MATCH(&path.select.match),
        FGI_OPTIONS_SPANS(path.select),
        FGI_OPTION_ONE_ENGINE(&path.engine),
        FGI_OPTION_JSON(&path.as_json),
        FGI_OPTION_CSV(&path.as_csv),
    };
    const struct fgi_command_line line = {
        .name = "path",
        .operands = "FILE --span ROW",
        .about = "What a span waited for: the critical path to it, and what led to it.",
        .notes =
            "slack is how much longer a span could take before the longest path of all gets "
            "longer. Times\nbetween spans are told only where the clocks allow it. 'frameglass "
            "search' finds rows, 'frameglass\nexport --to csv' lists them.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *file;
    int status = fgi_command_parse(&line, argc, argv, &file);
    if (status == FGI_GO) {
        status = check(&path, by, row, counts);
    }
    if (status == FGI_GO) {
        status = fgi_input_open_engine(line.name, file, path.engine, &path.input);
    }
    if (status != FGI_GO) {
        return status;
    }
    status = run(&path, row);
    fgi_input_close(&path.input);
    return status;
}
