/* SPDX-License-Identifier: MIT */
/* frameglass diff: two captures, or two ranges of frames or time of one. */
#include "cli/cli_select.h"
#include "cli/diff_output.h"
#include <frameglass/trace.h>

#include <string.h>

static const struct {
    const char *name;
    enum fg_stats_by by;
} groupings[] = {
    { "name", FG_STATS_BY_NAME },         { "pass", FG_STATS_BY_PASS },
    { "track", FG_STATS_BY_TRACK },       { "scope", FG_STATS_BY_SCOPE },
    { "category", FG_STATS_BY_CATEGORY },
};
enum { GROUPING_COUNT = sizeof groupings / sizeof *groupings };

struct arguments {
    const char *paths[2];
    const char *by;
    const char *engine;
    const char *most; /**< of --fail-above */
    double most_percent;
    bool as_json;
    bool lists_all;
    struct fgi_option_range frames[2], times[2];
    enum fg_stats_by grouping;
    bool has_by; /* it was asked for */
};

/* "5%", "2.5"; false when it is no such number. */
static bool parse_percent(const char *text, double *out_percent)
{
    double value = 0, step = 1;
    bool has_digit = false, is_fraction = false;
    for (; *text != '\0' && strcmp(text, "%") != 0; text++) {
        if (*text == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (*text < '0' || *text > '9') {
            return false;
        }
        has_digit = true;
        step = is_fraction ? step / 10 : step;
        value = is_fraction ? value + step * (*text - '0') : value * 10 + (*text - '0');
    }
    *out_percent = value;
    return has_digit && value < 1e9;
}

static int check(struct arguments *arguments)
{
    if (strcmp(arguments->paths[0], "-") == 0 && strcmp(arguments->paths[1], "-") == 0) {
        return fgi_command_fail("diff", FGI_EXIT_USAGE,
                                "only one of the two can be standard input");
    }
    if (arguments->most != NULL && !parse_percent(arguments->most, &arguments->most_percent)) {
        return fgi_command_fail("diff", FGI_EXIT_USAGE,
                                "--fail-above does not take '%s': expected a percentage like 5%%",
                                arguments->most);
    }
    for (size_t i = 0; i < GROUPING_COUNT; i++) {
        if (strcmp(arguments->by, groupings[i].name) == 0) {
            arguments->grouping = groupings[i].by;
            return FGI_GO;
        }
    }
    return fgi_command_fail("diff", FGI_EXIT_USAGE,
                            "--by does not take '%s': expected name|pass|track|scope|category",
                            arguments->by);
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
    const struct fgi_option options[] = {
        { .name = "by",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments->by,
          .argument = "name|pass|track|scope|category",
          .about = "what is compared with what; pass when not given, name without passes" },
        { .name = "base-frames",
          .kind = FGI_OPTION_RANGE,
          .value = &arguments->frames[0],
          .argument = "A:B",
          .about = "only frames from A to before B of BASE" },
        { .name = "new-frames",
          .kind = FGI_OPTION_RANGE,
          .value = &arguments->frames[1],
          .argument = "A:B",
          .about = "the same of NEW" },
        { .name = "base-time",
          .kind = FGI_OPTION_TIME,
          .value = &arguments->times[0],
          .argument = "T0:T1",
          .about = "only spans of BASE that meet [T0, T1); +5ms counts from the first time" },
        { .name = "new-time",
          .kind = FGI_OPTION_TIME,
          .value = &arguments->times[1],
          .argument = "T0:T1",
          .about = "the same of NEW" },
        { .name = "fail-above",
          .kind = FGI_OPTION_TEXT,
          .value = &arguments->most,
          .argument = "P%",
          .about = "exit with 1 when anything is slower by more, beyond its noise" },
        { .name = "all",
          .value = &arguments->lists_all,
          .about = "list what is within its noise as well" },
        FGI_OPTION_ONE_ENGINE(&arguments->engine),
        FGI_OPTION_JSON(&arguments->as_json),
    };
    const struct fgi_command_line line = {
        .name = "diff",
        .operands = "BASE NEW",
        .about = "What differs between two captures, or two ranges of frames or time of one.",
        .notes = "Times are means of a frame. A difference is claimed when it is more than its "
                 "noise: how much the\nsame pass varies from frame to frame when nothing changes. "
                 "docs/CLI.md has the rule. BASE and NEW\nmay be the same file.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 2,
        .operand_max = 2,
    };
    int status = fgi_command_parse(&line, argc, argv, arguments->paths);
    arguments->has_by = arguments->by != NULL;
    arguments->by = arguments->has_by ? arguments->by : "pass";
    return status == FGI_GO ? check(arguments) : status;
}

/* A trace of another tool has no passes of a graph: its names are what can be compared. */
static void choose_names(const struct fgi_input *base, const struct fgi_input *other,
                         struct arguments *arguments)
{
    struct fg_trace_info infos[2];
    fg_trace_get_info(base->trace, &infos[0]);
    fg_trace_get_info(other->trace, &infos[1]);
    if (!arguments->has_by && infos[0].passes == 0 && infos[1].passes == 0) {
        arguments->by = "name";
        arguments->grouping = FG_STATS_BY_NAME;
        fgi_command_fail("diff", 0, "neither has graph passes: compared by name");
    }
}

static bool is_given(const struct fgi_option_range *range)
{
    return range->has_first || range->has_end;
}

/* The frames or the time that was asked for; FGI_GO, or the exit status when there is none. */
static int side_of(const struct fgi_input *input, const struct arguments *arguments, int side,
                   struct fg_compare_frames *out)
{
    static const char *const frames_options[] = { "base-frames", "new-frames" };
    static const char *const time_options[] = { "base-time", "new-time" };
    const struct fgi_option_range *range = &arguments->frames[side];
    const char *option = frames_options[side];
    *out = (struct fg_compare_frames){ .query = input->query };
    if (is_given(range) && is_given(&arguments->times[side])) {
        return fgi_command_fail("diff", FGI_EXIT_USAGE, "--%s and --%s exclude each other", option,
                                time_options[side]);
    }
    if (is_given(&arguments->times[side])) {
        out->has_range = true;
        return fgi_select_window(input, time_options[side], &arguments->times[side], &out->start_ns,
                                 &out->end_ns);
    }
    if (!is_given(range)) {
        return FGI_GO;
    }
    out->has_frames = true;
    fgi_input_frame_range(input, range, &out->first, &out->end);
    if (out->first == out->end) {
        return fgi_command_fail("diff", FGI_EXIT_USAGE, "--%s: %s has no frames of these numbers",
                                option, fgi_input_name(input));
    }
    return FGI_GO;
}

static int run(const struct fgi_input *base, const struct fgi_input *other,
               const struct arguments *arguments)
{
    static const int exits[] = { [FGI_DIFF_PASS] = FGI_EXIT_DONE,
                                 [FGI_DIFF_FAIL] = FGI_EXIT_NO,
                                 [FGI_DIFF_UNKNOWN] = FGI_EXIT_INPUT };
    struct fg_compare_request request = { .by = arguments->grouping };
    struct fgi_diff diff = {
        .names = { fgi_input_name(base), fgi_input_name(other) },
        .by = arguments->by,
        .has_gate = arguments->most != NULL,
        .most_percent = arguments->most_percent,
        .lists_all = arguments->lists_all,
    };
    int status = side_of(base, arguments, FG_COMPARE_BASE, &request.sides[FG_COMPARE_BASE]);
    if (status == FGI_GO) {
        status = side_of(other, arguments, FG_COMPARE_NEW, &request.sides[FG_COMPARE_NEW]);
    }
    for (int i = 0; i < 2; i++) {
        diff.has_range[i] = request.sides[i].has_range;
    }
    if (status != FGI_GO) {
        return status;
    }
    struct fg_task *task = NULL;
    enum fg_result result = fg_task_compare(&request, FG_TASK_INTERACTIVE, &task);
    result = fgi_task_run(task, "comparing", result);
    if (result == FG_OK) {
        result = fg_task_result_compare(task, &diff.reply);
    }
    if (result == FG_OK) {
        result = arguments->as_json ? fgi_diff_print_json(&diff) : fgi_diff_print(&diff);
    }
    status = FGI_EXIT_DONE;
    if (result == FG_OK && diff.has_gate) {
        status = exits[fgi_diff_verdict(&diff)];
        if (status == FGI_EXIT_INPUT) { /* in JSON it is null without a word */
            fgi_command_fail("diff", status, "the gate cannot be judged: %s",
                             fgi_diff_unknown_text(&diff.reply));
        }
    }
    fg_task_destroy(task);
    return fgi_output_end("diff", result, status);
}

int fgi_cmd_diff(int argc, char **argv)
{
    struct arguments arguments = { 0 };
    struct fgi_input inputs[2];
    int status = parse(argc, argv, &arguments);
    if (status != FGI_GO) {
        return status;
    }
    status = fgi_input_open_engine("diff", arguments.paths[0], arguments.engine, &inputs[0]);
    if (status != FGI_GO) {
        return status;
    }
    bool is_one = strcmp(arguments.paths[0], arguments.paths[1]) == 0;
    if (!is_one) {
        status = fgi_input_open_engine("diff", arguments.paths[1], arguments.engine, &inputs[1]);
    }
    if (status == FGI_GO) {
        const struct fgi_input *other = is_one ? &inputs[0] : &inputs[1];
        choose_names(&inputs[0], other, &arguments);
        status = run(&inputs[0], other, &arguments);
        if (!is_one) {
            fgi_input_close(&inputs[1]);
        }
    }
    fgi_input_close(&inputs[0]);
    return status;
}
