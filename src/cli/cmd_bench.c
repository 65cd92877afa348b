/* SPDX-License-Identifier: MIT */
/* frameglass bench: how fast this machine draws the reference trace. docs/REFERENCE.md. */
#include "base/alloc.h"
#include "base/clock.h"
#include "cli/bench_reference.h"
#include "cli/cli_file.h"
#include "cli/cli_output.h"
#include "cli/cli_terminal.h"
#include "cli/reference_trace.h"
#include "open/engine_choice.h"
#include <stdio.h>

enum { WIDTH_PX = 1920 };

static enum fg_result make_trace(struct fgi_bench *bench)
{
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result result =
        fgi_reference_trace(NULL, bench->spans, bench->dependencies, bench->copies, &bench->trace);
    bench->made_ns = fgi_clock_monotonic_ns() - begin_ns;
    if (result != FG_OK) {
        return result;
    }
    fg_trace_get_info(bench->trace, &bench->info);
    size_t count = (size_t)(bench->info.lanes + bench->info.processes);
    bench->targets = fgi_calloc(NULL, count, sizeof *bench->targets);
    if (bench->targets == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool is_lane = i < bench->info.lanes;
        bench->targets[i] = (struct fg_view_target){
            .kind = is_lane ? FG_VIEW_LANE : FG_VIEW_PROCESS,
            .previous_mode = FG_VIEW_NONE,
            .index = is_lane ? i : i - (uint32_t)bench->info.lanes,
        };
    }
    return FG_OK;
}

/* With a first question, which moves the trace to where it is answered from. */
static enum fg_result make_engine(struct fgi_bench *bench, struct fg_diag *diag)
{
    struct fg_open_options options = { 0 };
    const struct fg_stats_request request = { .by = FG_STATS_BY_ALL, .figures = FG_STATS_TOTALS };
    struct fg_stats_reply reply;
    int64_t begin_ns = fgi_clock_monotonic_ns();
    fgi_device_choice_use(&bench->choice, &options);
    enum fg_result result = fgi_engine_choose(&options, NULL, bench->trace, diag, &bench->engine);
    if (result == FG_OK) {
        result = fg_query_create(bench->engine, NULL, NULL, NULL, &bench->query);
    }
    if (result == FG_OK) {
        result = fg_query_create(bench->engine, NULL, NULL, NULL, &bench->pick_query);
    }
    result = result == FG_OK ? fg_query_stats(bench->query, &request, &reply) : result;
    bench->moved_ns = fgi_clock_monotonic_ns() - begin_ns;
    return result;
}

static void run_all(struct fgi_bench *bench, const struct fgi_bench_renderer *renderer,
                    struct fgi_bench_result results[FGI_BENCH_SCENARIOS])
{
    for (unsigned i = 0; i < FGI_BENCH_SCENARIOS && !fgi_is_interrupted(); i++) {
        if ((renderer->scenarios >> i & 1) != 0) {
            fgi_bench_scenario_run(bench, renderer, (enum fgi_bench_scenario)i, &results[i]);
        }
    }
}

/* What the device cannot hold is a result with its reason, beside those of the engine. */
static void run_device(struct fgi_bench *bench, const struct fgi_bench_renderer *renderer)
{
    const enum fg_result opened = fgi_bench_device_open(bench);
    if (opened == FG_OK) {
        run_all(bench, renderer, bench->results[1]);
        return;
    }
    for (unsigned i = 0; i < FGI_BENCH_SCENARIOS; i++) {
        if ((renderer->scenarios >> i & 1) != 0) {
            bench->results[1][i].failed = opened;
        }
    }
}

static enum fg_result run(struct fgi_bench *bench)
{
    run_all(bench, &fgi_bench_engine, bench->results[0]);
    fgi_bench_engine_tell(bench);
    fgi_bench_engine_close(bench);
    const struct fgi_bench_renderer *device = fgi_bench_device_renderer(bench);
    if (device != NULL && !fgi_is_interrupted()) {
        run_device(bench, device);
    }
    return fgi_is_interrupted() ? FG_ERR_CANCELLED : FG_OK;
}

static int write_report(const struct fgi_bench *bench, const char *path)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_out_file file = { 0 };
    if (path == NULL) {
        return fgi_output_end("bench", fgi_bench_report(bench, &sink), FGI_EXIT_DONE);
    }
    enum fg_result result = fgi_out_file_begin(path, &file, &sink);
    if (result == FG_OK) {
        result = fgi_bench_report(bench, &sink);
        result = fgi_out_file_end(&file, result);
    }
    if (result != FG_OK) {
        return fgi_command_fail("bench", FGI_EXIT_INPUT, "%s: %s", path, fg_result_text(result));
    }
    return fgi_output_end("bench", fgi_bench_print(bench), FGI_EXIT_DONE);
}

static int bench_reference(struct fgi_bench *bench, const char *path)
{
    struct fg_diag diag = { 0 };
    bench->created_at_ns = fgi_clock_wall_ns();
    enum fg_result result = make_trace(bench);
    result = result == FG_OK ? make_engine(bench, &diag) : result;
    if (result == FG_OK) {
        fgi_interrupt_arm();
        result = run(bench);
    }
    int status = FGI_EXIT_INPUT;
    if (result != FG_OK) {
        status = fgi_command_fail("bench", FGI_EXIT_INPUT, "%s",
                                  diag.message[0] != '\0' ? diag.message : fg_result_text(result));
    } else {
        status = write_report(bench, path);
    }
    if (status == FGI_EXIT_DONE && fgi_bench_judge(bench) == FGI_BENCH_FAIL) {
        status = FGI_EXIT_NO;
    }
    fgi_bench_finish(bench);
    return status;
}

int fgi_cmd_bench(int argc, char **argv)
{
    struct fgi_bench bench = { 0 };
    bool is_reference = false;
    const char *path = NULL;
    uint64_t spans = FGI_BENCH_SPANS, dependencies = UINT64_MAX, copies = 1;
    uint64_t seconds = FGI_BENCH_SECONDS, width_px = WIDTH_PX;
    const struct fgi_option options[] = {
        { .name = "reference",
          .value = &is_reference,
          .about = "the seven scenarios over the reference trace; there is no other benchmark" },
        { .name = "spans",
          .kind = FGI_OPTION_COUNT,
          .value = &spans,
          .argument = "N",
          .about = "of the trace that is made; 25000000 when not given",
          .least = 1,
          .most = INT32_MAX },
        { .name = "dependencies",
          .kind = FGI_OPTION_COUNT,
          .value = &dependencies,
          .argument = "N",
          .about = "at most as many as spans; as many when not given" },
        { .name = "copies",
          .kind = FGI_OPTION_COUNT,
          .value = &copies,
          .argument = "N",
          .about = "the same so many times, one after the other; once when not given",
          .least = 1,
          .most = 1024 },
        { .name = "seconds",
          .kind = FGI_OPTION_COUNT,
          .value = &seconds,
          .argument = "N",
          .about = "for each scenario, and 3 frames at least; 3 when not given",
          .most = 3600 },
        { .name = "width",
          .kind = FGI_OPTION_COUNT,
          .value = &width_px,
          .argument = "PX",
          .about = "1920 when not given",
          .least = 1,
          .most = FG_VIEW_WIDTH_MAX },
        FGI_OPTION_ENGINE(&bench.choice),
        { .name = "out",
          .letter = 'o',
          .kind = FGI_OPTION_TEXT,
          .value = &path,
          .argument = "REPORT.json",
          .about = "the report, and a table on standard output; else the report goes there" },
    };
    const struct fgi_command_line line = {
        .name = "bench",
        .operands = "--reference",
        .about = "Draw the reference trace for some seconds in seven ways and judge the times.",
        .notes = "Exit status 1 when the verdict is fail. docs/REFERENCE.md has the report.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int status = fgi_command_parse(&line, argc, argv, NULL);
    if (status != FGI_GO) {
        return status;
    }
    if (!is_reference) {
        return fgi_command_fail("bench", FGI_EXIT_USAGE, "--reference says what to measure");
    }
    if (spans * copies > INT32_MAX) {
        return fgi_command_fail("bench", FGI_EXIT_USAGE, "a trace has no more than %d spans",
                                INT32_MAX);
    }
    status = fgi_device_choice_check("bench", &bench.choice);
    if (status != FGI_GO) {
        return status;
    }
    bench.spans = (uint32_t)spans;
    bench.dependencies = (uint32_t)(dependencies < spans ? dependencies : spans);
    bench.copies = (uint32_t)copies;
    bench.width_px = (uint32_t)width_px;
    bench.scenario_ns = (int64_t)seconds * INT64_C(1000000000);
    return bench_reference(&bench, path);
}
