/* SPDX-License-Identifier: MIT */
/* frameglass anomalies: spans that took unusually long, against baselines of their peers. */
#include "base/json.h"
#include "cli/anomaly_groups.h"
#include "cli/cli_output.h"
#include "cli/cli_select.h"
#include "cli/groupings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_LIMIT = 100, SCORE_TEXT = 40 };

struct anomalies {
    const char *path, *base_path, *by, *engine;
    struct fgi_select select, base_select;
    struct fg_score_rule rule;
    uint64_t limit, threshold_micro;
    bool of_groups, as_json, as_csv;
    const struct fgi_grouping_name *grouping;
    struct fgi_input input, base; /* base: of another file only */
    struct fgi_selected selected, base_selected;
    struct fg_anomaly_reply reply;
};

/* ---- the answer ------------------------------------------------------------------------------ */

static const char *group_of(const struct anomalies *a, uint32_t key, char *room)
{
    return fgi_group_text(a->input.trace, a->grouping->aggregate_by, key, room);
}

static void json_baseline(struct fgi_json *json, const struct fg_baseline *baseline)
{
    fgi_json_key(json, "baseline");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "count", baseline->count);
    fgi_json_key_uint(json, "mean_ns", baseline->mean_ns);
    fgi_json_key_uint(json, "deviation_ns", baseline->deviation_ns);
    fgi_json_key_uint(json, "error_ppm", baseline->error_ppm);
    fgi_json_object_end(json);
}

static enum fg_result json_row(struct fgi_json *json, const struct anomalies *a,
                               const struct fg_anomaly_row *row)
{
    struct fg_trace_span span;
    char room[FGI_GROUP_TEXT];
    enum fg_result result = fgi_span_read(a->input.trace, row->row, &span);
    if (result != FG_OK) {
        return result;
    }
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "row", row->row);
    fgi_json_key_text(json, "name", fg_trace_text(a->input.trace, span.name));
    fgi_json_key_text(json, "track", fgi_span_track(a->input.trace, &span));
    fgi_json_key_text(json, "group", group_of(a, row->key, room));
    fgi_json_key_int(json, "start_ns", span.start_ns);
    fgi_json_key_uint(json, "duration_ns", row->duration_ns);
    fgi_json_key_bool(json, "error", row->is_error);
    fgi_json_key_bool(json, "saturated", row->is_saturated);
    fgi_json_key_uint(json, "score_micro", row->score_micro);
    json_baseline(json, &a->reply.baselines[row->baseline]);
    fgi_json_object_end(json);
    return json->result;
}

static enum fg_result print_json(const struct anomalies *a)
{
    const struct fg_anomaly_reply *reply = &a->reply;
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    enum fg_result result = FG_OK;
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "by", a->grouping->name);
    fgi_json_key_uint(&json, "threshold_micro", a->threshold_micro);
    fgi_json_key_uint(&json, "anomalous", reply->anomalous);
    fgi_json_key(&json, "highest_row");
    if (reply->highest == FG_NONE) {
        fgi_json_null(&json);
    } else {
        fgi_json_uint(&json, reply->highest);
    }
    fgi_json_key_uint(&json, "highest_micro", reply->highest_micro);
    fgi_json_key_uint(&json, "baselines", reply->baseline_count);
    fgi_json_key(&json, "reasons");
    fgi_json_object_begin(&json);
    for (uint32_t i = 0; i < FG_SCORE_REASONS; i++) {
        fgi_json_key_uint(&json, fg_score_reason_text(i), reply->by_reason[i]);
    }
    fgi_json_object_end(&json);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < reply->count && result == FG_OK; i++) {
        result = json_row(&json, a, &reply->rows[i]);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    enum fg_result finished = fgi_json_finish(&json);
    return result != FG_OK ? result : finished;
}

/* Every row of the trace has a reason: what is not scored is told, too. */
static void print_remarks(const struct anomalies *a)
{
    static const char *const words[FG_SCORE_REASONS] = {
        [FG_SCORE_SCORED] = "scored",
        [FG_SCORE_SATURATED] = "scored with more than fits",
        [FG_SCORE_NOT_SELECTED] = "not selected",
        [FG_SCORE_UNFINISHED] = "without an end",
        [FG_SCORE_NO_KEY] = "in no group",
        [FG_SCORE_NO_BASELINE] = "in groups without a baseline",
        [FG_SCORE_OTHER_CLOCK] = "on another clock than their baseline",
        [FG_SCORE_FEW] = "with too few peers",
        [FG_SCORE_BAD_BASELINE] = "with a baseline that cannot be",
    };
    printf("\n%" PRIu64 " span%s with a score of %" PRIu64 ".%02u or more; of all spans",
           a->reply.anomalous, fgi_plural(a->reply.anomalous), a->threshold_micro / FG_MICRO,
           (unsigned)(a->threshold_micro % FG_MICRO / 10000));
    const char *separator = " ";
    for (uint32_t i = 0; i < FG_SCORE_REASONS; i++) {
        if (a->reply.by_reason[i] > 0) {
            printf("%s%" PRIu64 " %s %s", separator, a->reply.by_reason[i],
                   a->reply.by_reason[i] == 1 ? "is" : "are", words[i]);
            separator = ", ";
        }
    }
    printf("\n");
}

static struct fgi_cell duration(uint64_t value)
{
    return fgi_cell_number(value <= INT64_MAX ? (int64_t)value : INT64_MAX);
}

static enum fg_result add_row(struct fgi_table *table, const struct anomalies *a,
                              const struct fg_anomaly_row *row, struct fgi_arena *arena)
{
    const struct fg_baseline *baseline = &a->reply.baselines[row->baseline];
    struct fg_trace_span span;
    char *group = fgi_arena_alloc(arena, FGI_GROUP_TEXT, 1);
    char *score = fgi_arena_alloc(arena, SCORE_TEXT, 1);
    enum fg_result result = fgi_span_read(a->input.trace, row->row, &span);
    if (result != FG_OK || group == NULL || score == NULL) {
        return result != FG_OK ? result : FG_ERR_NO_MEMORY;
    }
    const struct fgi_cell cells[] = {
        fgi_cell_text(fgi_score_text(row->score_micro, score, SCORE_TEXT)),
        fgi_cell_number(row->row),
        fgi_cell_text(fg_trace_text(a->input.trace, span.name)),
        fgi_cell_text(fgi_span_track(a->input.trace, &span)),
        fgi_cell_text(group_of(a, row->key, group)),
        duration(row->duration_ns),
        duration(baseline->mean_ns),
        duration(baseline->deviation_ns),
        fgi_cell_number((int64_t)baseline->count),
        { .is_known = !row->is_saturated, .value = (int64_t)row->score_micro },
        fgi_cell_number(span.start_ns),
        fgi_cell_number(row->is_error),
        fgi_cell_text(row->is_error ? "error" : ""),
    };
    fgi_table_row(table, cells);
    return table->result;
}

static enum fg_result print_table(const struct anomalies *a)
{
    static const struct fgi_column columns[] = {
        { "score", FGI_COLUMN_TEXT, NULL },
        { "row", FGI_COLUMN_COUNT, "row" },
        { "name", FGI_COLUMN_TEXT, "name" },
        { "track", FGI_COLUMN_TEXT, "track" },
        { NULL, FGI_COLUMN_TEXT, "group" },
        { "time", FGI_COLUMN_DURATION, "duration_ns" },
        { "usual", FGI_COLUMN_DURATION, "mean_ns" },
        { "deviation", FGI_COLUMN_DURATION, "deviation_ns" },
        { "peers", FGI_COLUMN_COUNT, "baseline_count" },
        { NULL, FGI_COLUMN_COUNT, "score_micro" },
        { NULL, FGI_COLUMN_COUNT, "start_ns" },
        { NULL, FGI_COLUMN_COUNT, "is_error" },
        { "", FGI_COLUMN_TEXT, NULL },
    };
    struct fgi_table table = { .columns = columns,
                               .column_count = sizeof columns / sizeof *columns };
    struct fgi_arena arena = { 0 };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < a->reply.count && result == FG_OK; i++) {
        result = add_row(&table, a, &a->reply.rows[i], &arena);
    }
    if (result == FG_OK && a->as_csv) {
        fgi_table_print_csv(&table);
    } else if (result == FG_OK) {
        fgi_table_print(&table);
        print_remarks(a);
    }
    result = result != FG_OK ? result : table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&arena);
    return result;
}

/* ---- questions ------------------------------------------------------------------------------- */

static enum fg_result score_spans(struct anomalies *a)
{
    const struct fg_anomaly_request request = {
        .selection = a->selected.selection,
        .by = a->grouping->aggregate_by,
        .rule = a->rule,
        .baseline_query = a->base_path != NULL ? a->base.query : NULL,
        .baseline_selection = a->base_selected.selection,
        .limit = (uint32_t)a->limit,
    };
    struct fg_task *task = NULL;
    enum fg_result result = fg_task_anomalies(a->input.query, &request, FG_TASK_INTERACTIVE, &task);
    result = fgi_task_run(task, "scoring", result);
    if (result == FG_OK) {
        result = fg_task_result_anomalies(task, &a->reply);
    }
    if (result == FG_OK) {
        result = a->as_json ? print_json(a) : print_table(a);
    }
    fg_task_destroy(task);
    return result;
}

static enum fg_result score_groups(struct anomalies *a, const struct fgi_input *base)
{
    const struct fgi_anomaly_groups groups = {
        .sides = { base, &a->input },
        .by = a->grouping,
        .request = { .sides = { { base->query, a->base_selected.selection },
                                { a->input.query, a->selected.selection } },
                     .by = a->grouping->aggregate_by,
                     .rule = { .threshold_micro = a->threshold_micro },
                     .limit = (uint32_t)a->limit },
        .as_json = a->as_json,
        .as_csv = a->as_csv,
    };
    return fgi_anomaly_groups_print(&groups);
}

static int answer(struct anomalies *a, const struct fgi_input *base)
{
    int status = fgi_select_find(&a->input, &a->select, a->grouping->kind, &a->selected);
    if (status == FGI_GO) {
        status = fgi_select_find(base, &a->base_select, a->grouping->kind, &a->base_selected);
    }
    if (status == FGI_GO) {
        enum fg_result result = a->of_groups ? score_groups(a, base) : score_spans(a);
        status = fgi_output_end("anomalies", result, FGI_EXIT_DONE);
    }
    fgi_selected_finish(&a->base_selected);
    fgi_selected_finish(&a->selected);
    return status;
}

static int run(struct anomalies *a)
{
    int status = fgi_input_open_engine("anomalies", a->path, a->engine, &a->input);
    if (status != FGI_GO) {
        return status;
    }
    if (a->base_path != NULL) {
        status = fgi_input_open_engine("anomalies", a->base_path, a->engine, &a->base);
    }
    if (status == FGI_GO) {
        status = answer(a, a->base_path != NULL ? &a->base : &a->input);
        if (a->base_path != NULL) {
            fgi_input_close(&a->base);
        }
    }
    fgi_input_close(&a->input);
    return status;
}

/* ---- the command line ------------------------------------------------------------------------ */

static bool is_given(const struct fgi_option_range *range)
{
    return range->has_first || range->has_end;
}

static int check(struct anomalies *a)
{
    const char *command = "anomalies";
    a->grouping = fgi_grouping_find(a->by);
    if (a->grouping == NULL) {
        return fgi_command_fail(command, FGI_EXIT_USAGE,
                                "--by does not take '%s': expected " FGI_GROUPINGS, a->by);
    }
    if (a->as_json && a->as_csv) {
        return fgi_command_fail(command, FGI_EXIT_USAGE, "--json and --csv exclude each other");
    }
    if (a->base_path != NULL && strcmp(a->path, "-") == 0 && strcmp(a->base_path, "-") == 0) {
        return fgi_command_fail(command, FGI_EXIT_USAGE,
                                "only one of the two can be standard input");
    }
    if (a->of_groups && a->base_path == NULL && !is_given(&a->base_select.frames) &&
        !is_given(&a->base_select.time)) {
        return fgi_command_fail(command, FGI_EXIT_USAGE,
                                "--groups needs a side to compare with: --base FILE, --base-frames "
                                "or --base-time");
    }
    if (a->threshold_micro == 0) { /* what the engine takes for it */
        a->threshold_micro = a->of_groups ? FG_GROUP_THRESHOLD : 3 * FG_MICRO;
    }
    a->rule.threshold_micro = a->threshold_micro;
    return FGI_GO;
}

int fgi_cmd_anomalies(int argc, char **argv)
{
    struct anomalies a = { .by = "name",
                           .limit = DEFAULT_LIMIT,
                           .base_select = { .time_option = "base-time" } };
    const struct fgi_option options[] = {
        { .name = "by",
          .kind = FGI_OPTION_TEXT,
          .value = &a.by,
          .argument = FGI_GROUPINGS,
          .about = "who is whose peer; name when not given" },
        { .name = "base",
          .kind = FGI_OPTION_TEXT,
          .value = &a.base_path,
          .argument = "FILE",
          .about = "baselines are made of this one; of FILE when not given" },
        { .name = "base-frames",
          .kind = FGI_OPTION_RANGE,
          .value = &a.base_select.frames,
          .argument = "A:B",
          .about = "baselines are made of these frames only" },
        { .name = "base-time",
          .kind = FGI_OPTION_TIME,
          .value = &a.base_select.time,
          .argument = "T0:T1",
          .about = "baselines are made of spans that meet this" },
        FGI_OPTION_FRAMES(&a.select.frames),
        FGI_OPTION_WINDOW(&a.select.time),
        FGI_OPTION_MATCH(&a.select.match),
        FGI_OPTIONS_SPANS(a.select),
        { .name = "threshold",
          .kind = FGI_OPTION_MICRO,
          .value = &a.threshold_micro,
          .least = 1,
          .argument = "NUMBER",
          .about = "from which score on; 3 deviations, of groups 0.25, when not given" },
        { .name = "two-sided",
          .value = &a.rule.is_two_sided,
          .about = "what is shorter than usual is unusual, too" },
        { .name = "min-peers",
          .kind = FGI_OPTION_COUNT,
          .value = &a.rule.min_count,
          .argument = "N",
          .least = 1,
          .about = "baselines of fewer spans judge nothing; 2 when not given" },
        { .name = "min-deviation",
          .kind = FGI_OPTION_DURATION,
          .value = &a.rule.min_deviation_ns,
          .argument = "TIME",
          .about = "smaller ones are taken for it; 1ns when not given" },
        { .name = "groups",
          .value = &a.of_groups,
          .about = "score groups of spans instead, against the same on the base's side" },
        { .name = "limit",
          .kind = FGI_OPTION_COUNT,
          .value = &a.limit,
          .argument = "N",
          .least = 1,
          .most = UINT32_MAX,
          .about = "rows that are listed; 100 when not given" },
        FGI_OPTION_ONE_ENGINE(&a.engine),
        FGI_OPTION_JSON(&a.as_json),
        FGI_OPTION_CSV(&a.as_csv),
    };
    const struct fgi_command_line line = {
        .name = "anomalies",
        .operands = "FILE",
        .about = "Spans that took unusually long, against the mean and deviation of their peers.",
        .notes =
            "A score is how many deviations a span is longer than its peers' mean; a failed "
            "span scores up to 1\nmore, the less usual that is. Of groups it is by how much of "
            "the base the mean has grown, and how\nmuch more often they fail.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    int status = fgi_command_parse(&line, argc, argv, &a.path);
    if (status == FGI_GO) {
        status = check(&a);
    }
    return status == FGI_GO ? run(&a) : status;
}
