/* SPDX-License-Identifier: MIT */
/* frameglass stats: times by name, pass, track, scope, or any other dimension. */
#include "base/arena.h"
#include "base/json.h"
#include "cli/cli_output.h"
#include "cli/cli_select.h"
#include "cli/groupings.h"
#include "cli/stats_parts.h"
#include "cli/verdict_output.h"
#include <frameglass/trace.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct stats {
    const struct fg_trace *trace;
    const struct fgi_grouping_name *by;
    struct fg_stats_reply reply;
    struct fg_verdict_window window; /**< of the frames that the figures are of */
};

static const char *name_of(const struct stats *stats, const struct fg_stats_row *row, char *room)
{
    return fgi_group_text(stats->trace, stats->by->aggregate_by, row->key, room);
}

static const char *track_name(const struct stats *stats, const struct fg_stats_row *row)
{
    const struct fg_trace_track *track = fg_trace_track(stats->trace, row->track);
    return track != NULL ? fg_trace_text(stats->trace, track->name) : NULL;
}

static enum fg_result print_json(const struct stats *stats)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "by", stats->by->name);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < stats->reply.count; i++) {
        const struct fg_stats_row *row = &stats->reply.rows[i];
        const char *track = track_name(stats, row);
        char name[FGI_GROUP_TEXT];
        if (row->count == 0) {
            continue; /* nothing of it is complete: there are no times to tell */
        }
        fgi_json_inline_object_begin(&json);
        fgi_json_key_text(&json, "name", name_of(stats, row, name));
        if (track != NULL) {
            fgi_json_key_text(&json, "track", track);
        }
        fgi_json_key_uint(&json, "count", row->count);
        fgi_json_key_uint(&json, "total_ns", row->total_ns);
        fgi_json_key_uint(&json, "self_ns", row->self_ns);
        fgi_json_key_uint(&json, "busy_ns", row->busy_ns);
        fgi_json_key_uint(&json, "min_ns", row->min_ns);
        fgi_json_key_uint(&json, "median_ns", row->median_ns);
        fgi_json_key_uint(&json, "p95_ns", row->p95_ns);
        fgi_json_key_uint(&json, "max_ns", row->max_ns);
        fgi_json_object_end(&json);
    }
    fgi_json_array_end(&json);
    fgi_json_key(&json, "verdict");
    fgi_verdict_json(&json, &stats->window);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static struct fgi_cell duration(uint64_t value)
{
    return fgi_cell_number(value <= INT64_MAX ? (int64_t)value : INT64_MAX);
}

/* The self time of all rows of each clock, by its index; NULL when there is no memory for it. */
static const double *sum_by_clock(const struct stats *stats, struct fgi_arena *arena)
{
    struct fg_trace_info info;
    fg_trace_get_info(stats->trace, &info);
    double *sums = fgi_arena_alloc(arena, info.clocks + (size_t)1, sizeof *sums);
    for (uint32_t i = 0; sums != NULL && i < stats->reply.count; i++) {
        const struct fg_stats_row *row = &stats->reply.rows[i];
        if (row->clock < info.clocks) {
            sums[row->clock] += (double)row->self_ns;
        }
    }
    return sums;
}

/* Hundredths of a percent of the time that all rows of the same clock have for themselves: the rows
   of each clock add up to all of it, and no CPU time is set against GPU time. */
static struct fgi_cell share(const struct stats *stats, const double *sums,
                             const struct fg_stats_row *row)
{
    double sum =
        sums != NULL && fg_trace_clock(stats->trace, row->clock) != NULL ? sums[row->clock] : 0;
    return sum > 0 ? fgi_cell_number((int64_t)((double)row->self_ns / sum * 1e4 + 0.5))
                   : (struct fgi_cell){ 0 };
}

/* What has to be known to read the figures right. */
static void print_remarks(const struct stats *stats)
{
    uint64_t count = 0;
    uint64_t zeroes = 0;
    uint64_t unfinished = 0;
    bool is_nominal = false;
    for (uint32_t i = 0; i < stats->reply.count; i++) {
        const struct fg_stats_row *row = &stats->reply.rows[i];
        const struct fg_trace_clock *clock = fg_trace_clock(stats->trace, row->clock);
        count += row->count;
        zeroes += row->zeroes;
        unfinished += row->unfinished;
        is_nominal |= clock != NULL && clock->kind == FG_CLOCK_NOMINAL;
    }
    printf("\nTimes are as recorded, never smoothed: on a coarse clock the totals are what can be "
           "relied on.\n");
    if (stats->window.verdict_name != NULL) {
        char text[FGI_VERDICT_TEXT];
        printf("The frames are %s.\n", fgi_verdict_text(&stats->window, text));
    }
    if (fgi_verdict_doubt(stats->trace) != NULL) {
        puts(fgi_verdict_doubt(stats->trace));
    }
    if (zeroes > 0) {
        printf("%" PRIu64 " of %" PRIu64 " span%s %s a length of 0.\n", zeroes, count,
               fgi_plural(count), zeroes == 1 ? "has" : "have");
    }
    if (unfinished > 0) {
        printf("%" PRIu64 " span%s no end and %s not in the figures.\n", unfinished,
               unfinished == 1 ? " has" : "s have", unfinished == 1 ? "is" : "are");
    }
    if (is_nominal) {
        printf("Rows of a nominal clock are anchored per frame: compare them with each other, not "
               "with other clocks.\n");
    }
}

/* Why there is nothing. */
static void print_nothing(const struct stats *stats)
{
    struct fg_trace_info info;
    fg_trace_get_info(stats->trace, &info);
    uint32_t by = stats->by->aggregate_by;
    const char *why = info.spans == 0 ? "There are no spans in this trace."
                      : (by == FG_AGGREGATE_PASS || by == FG_AGGREGATE_SCOPE) && info.passes == 0
                          ? "There are no frame graphs in this trace, and so no passes and scopes."
                      : by == FG_AGGREGATE_FRAME && info.frames == 0
                          ? "There are no frames in this trace."
                          : "No span that is selected has an end and is in such a group.";
    printf("\n%s\n", why);
    const struct fg_trace_repair *repair;
    for (uint32_t i = 0; info.spans == 0 && (repair = fg_trace_repair(stats->trace, i)); i++) {
        printf("%s%" PRIu64 " %s", i == 0 ? "Repairs while it was read: " : ", ", repair->count,
               repair->kind);
    }
    printf("%s", info.spans == 0 && info.repairs > 0 ? ".\n" : "");
}

static const char *clock_remark(const struct stats *stats, const struct fg_stats_row *row)
{
    const struct fg_trace_clock *clock = fg_trace_clock(stats->trace, row->clock);
    return clock != NULL && clock->kind == FG_CLOCK_NOMINAL ? "nominal clock" : "";
}

static enum fg_result print_table(const struct stats *stats, bool as_csv)
{
    /* For people, rows of tracks are named for them already. */
    const bool is_by_track = stats->by->aggregate_by == FG_AGGREGATE_TRACK;
    const struct fgi_column columns[] = {
        { "name", FGI_COLUMN_TEXT, "name" },
        { is_by_track ? NULL : "track", FGI_COLUMN_TEXT, "track" },
        { "count", FGI_COLUMN_COUNT, "count" },
        { "total", FGI_COLUMN_DURATION, "total_ns" },
        { "self", FGI_COLUMN_DURATION, "self_ns" },
        { "self share", FGI_COLUMN_PERCENT, NULL },
        { "busy", FGI_COLUMN_DURATION, "busy_ns" },
        { "min", FGI_COLUMN_DURATION, "min_ns" },
        { "median", FGI_COLUMN_DURATION, "median_ns" },
        { "p95", FGI_COLUMN_DURATION, "p95_ns" },
        { "max", FGI_COLUMN_DURATION, "max_ns" },
        { "", FGI_COLUMN_TEXT, NULL },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    struct fgi_arena arena = { 0 };
    const double *sums = sum_by_clock(stats, &arena);
    for (uint32_t i = 0; i < stats->reply.count; i++) {
        const struct fg_stats_row *row = &stats->reply.rows[i];
        const char *track = track_name(stats, row);
        char *name = fgi_arena_alloc(&arena, FGI_GROUP_TEXT, 1);
        if (name == NULL) {
            table.result = FG_ERR_NO_MEMORY;
            break;
        }
        if (row->count == 0) {
            continue;
        }
        struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_text(name_of(stats, row, name)),
            { .is_known = track != NULL, .text = track },
            fgi_cell_number((int64_t)row->count),
            duration(row->total_ns),
            duration(row->self_ns),
            share(stats, sums, row),
            duration(row->busy_ns),
            duration(row->min_ns),
            duration(row->median_ns),
            duration(row->p95_ns),
            duration(row->max_ns),
            fgi_cell_text(clock_remark(stats, row)),
        };
        fgi_table_row(&table, cells);
    }
    if (as_csv) {
        fgi_table_print_csv(&table);
    } else {
        fgi_table_print(&table);
        if (table.row_count > 0) {
            print_remarks(stats);
        } else {
            print_nothing(stats);
        }
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&arena);
    return result;
}

struct arguments {
    const char *path;
    const char *by;
    bool as_json;
    bool as_csv;
    struct fgi_select select;
    const struct fgi_grouping_name *grouping;
    bool wants_histogram;
    uint64_t buckets;
    const char *engine;
};

static int check(struct arguments *arguments)
{
    if (arguments->wants_histogram && arguments->buckets != 0) {
        return fgi_command_fail("stats", FGI_EXIT_USAGE,
                                "--histogram and --buckets exclude each other");
    }
    if (arguments->as_json && arguments->as_csv) {
        return fgi_command_fail("stats", FGI_EXIT_USAGE, "--json and --csv exclude each other");
    }
    arguments->grouping = fgi_grouping_find(arguments->by);
    return arguments->grouping != NULL
               ? FGI_GO
               : fgi_command_fail("stats", FGI_EXIT_USAGE,
                                  "--by does not take '%s': expected " FGI_GROUPINGS,
                                  arguments->by);
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
    const struct fgi_option options[] = {
        { .name = "by",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments->by,
          .argument = FGI_GROUPINGS,
          .about = "what a row is; name when not given" },
        FGI_OPTION_FRAMES(&arguments->select.frames),
        FGI_OPTION_WINDOW(&arguments->select.time),
        FGI_OPTION_MATCH(&arguments->select.match),
        FGI_OPTIONS_SPANS(arguments->select),
        { .name = "histogram",
          .value = &arguments->wants_histogram,
          .about = "durations by powers of two, instead of groups" },
        { .name = "buckets",
          .kind = FGI_OPTION_COUNT,
          .value = &arguments->buckets,
          .argument = "N",
          .least = 1,
          .most = FG_BUCKETS_MAX,
          .about = "concurrency and utilisation in N equal parts of the time, instead of groups" },
        FGI_OPTION_ONE_ENGINE(&arguments->engine),
        FGI_OPTION_JSON(&arguments->as_json),
        FGI_OPTION_CSV(&arguments->as_csv),
    };
    const struct fgi_command_line line = {
        .name = "stats",
        .operands = "FILE",
        .about = "Times by name or any other dimension, the largest total first.",
        .notes = "Percentiles are nearest-rank. self is a span's time less that of its children, "
                 "busy the length\nof the union. Times may end in ns, us, ms or s.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    int status = fgi_command_parse(&line, argc, argv, &arguments->path);
    return status == FGI_GO ? check(arguments) : status;
}

static enum fg_result print_groups(const struct fgi_input *input, const struct arguments *arguments,
                                   const struct fg_selection *selection)
{
    struct stats stats = { .trace = input->trace, .by = arguments->grouping };
    const struct fg_stats_request request = {
        .by = arguments->grouping->stats_by,
        .filter = selection->filter,
        .start_ns = selection->start_ns,
        .end_ns = selection->end_ns,
        .has_frames = selection->has_frames,
        .first_frame = selection->first_frame,
        .end_frame = selection->end_frame,
        .tracks = selection->tracks,
        .track_count = selection->track_count,
    };
    uint32_t first = selection->first_frame;
    uint32_t end = selection->end_frame;
    if (!selection->has_frames) {
        fgi_verdict_frames(input->trace, selection->start_ns, selection->end_ns, &first, &end);
    }
    enum fg_result result = fg_query_stats(input->query, &request, &stats.reply);
    if (result == FG_OK) {
        result = fg_query_verdict(input->query, first, end, &stats.window);
    }
    if (result == FG_OK) {
        result = arguments->as_json ? print_json(&stats) : print_table(&stats, arguments->as_csv);
    }
    return result;
}

static int run(const struct fgi_input *input, const struct arguments *arguments)
{
    struct fgi_selected selected;
    int status = fgi_select_find(input, &arguments->select, arguments->grouping->kind, &selected);
    if (status != FGI_GO) {
        return status;
    }
    const struct fgi_parts parts = { .input = input,
                                     .selection = selected.selection,
                                     .as_json = arguments->as_json,
                                     .as_csv = arguments->as_csv };
    enum fg_result result = arguments->wants_histogram ? fgi_parts_histogram(&parts)
                            : arguments->buckets != 0
                                ? fgi_parts_buckets(&parts, (uint32_t)arguments->buckets)
                                : print_groups(input, arguments, &selected.selection);
    fgi_selected_finish(&selected);
    return fgi_output_end(input->command, result, FGI_EXIT_DONE);
}

int fgi_cmd_stats(int argc, char **argv)
{
    struct arguments arguments = { .by = "name" };
    struct fgi_input input;
    int status = parse(argc, argv, &arguments);
    if (status == FGI_GO) {
        status = fgi_input_open_engine("stats", arguments.path, arguments.engine, &input);
    }
    if (status != FGI_GO) {
        return status;
    }
    status = run(&input, &arguments);
    fgi_input_close(&input);
    return status;
}
