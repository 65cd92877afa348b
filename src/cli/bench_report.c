/* SPDX-License-Identifier: MIT */
/* What the reference benchmark found: as JSON, as a table, and in one word. */
#include "base/json.h"
#include "cli/bench_reference.h"
#include "cli/cli_output.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { FAILURE_TEXT = 160 };

static const char *const renderers[FGI_BENCH_RENDERERS] = { "engine", "device" };
static const char *const verdicts[] = { "pass", "incomplete", "fail" };

/* ---- the verdict ----------------------------------------------------------------------------- */

/* Told of everything that speaks against the figures, each with how much it weighs. */
struct judgement {
    const struct fgi_bench *bench;
    struct fgi_json *json; /* where reasons go; NULL: nowhere */
    enum fgi_bench_verdict verdict;
};

FG_PRINTF(3, 4)
static void object_to(struct judgement *j, enum fgi_bench_verdict weight, const char *format, ...)
{
    char text[FAILURE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    j->verdict = weight > j->verdict ? weight : j->verdict;
    if (j->json != NULL) {
        fgi_json_text(j->json, text);
    }
}

static void judge_frames(struct judgement *j, const char *scenario,
                         const struct fgi_bench_result *result)
{
    int64_t frame_ns = fgi_bench_times_rank(&result->frames, 95);
    if (result->frames.count < FGI_BENCH_LEAST_FRAMES) {
        object_to(j, FGI_BENCH_INCOMPLETE, "%s: %zu frames", scenario, result->frames.count);
    }
    if (frame_ns > FGI_BENCH_FRAME_P95_NS) {
        object_to(j, FGI_BENCH_FAIL, "%s: frame p95 of %" PRId64 " us", scenario, frame_ns / 1000);
    }
    if (result->stalls > 0) {
        object_to(j, FGI_BENCH_FAIL, "%s: %" PRIu32 " frames of a second and more", scenario,
                  result->stalls);
    }
    if (result->unanswered > 0) {
        object_to(j, FGI_BENCH_FAIL, "%s: %" PRIu64 " targets were not answered", scenario,
                  result->unanswered);
    }
}

static void judge_picks(struct judgement *j, const struct fgi_bench_result *result)
{
    int64_t pick_ns = fgi_bench_times_rank(&result->picks, 95);
    if (result->picks.count < FGI_BENCH_LEAST_FRAMES) {
        object_to(j, FGI_BENCH_INCOMPLETE, "%zu picks", result->picks.count);
    }
    if (pick_ns > FGI_BENCH_PICK_P95_NS) {
        object_to(j, FGI_BENCH_FAIL, "pick p95 of %" PRId64 " us", pick_ns / 1000);
    }
}

/* The device's frames where it draws the scenario, else the engine's. */
static void judge_scenario(struct judgement *j, enum fgi_bench_scenario scenario)
{
    const struct fgi_bench_result *result = &j->bench->results[1][scenario];
    const char *name = fgi_bench_scenario_name(scenario);
    if (!result->is_done && result->failed == FG_OK) {
        result = &j->bench->results[0][scenario];
    }
    if (result->failed != FG_OK) {
        object_to(j, FGI_BENCH_FAIL, "%s: %s", name, fg_result_text(result->failed));
        return;
    }
    judge_frames(j, name, result);
    if (scenario == FGI_BENCH_PICKING) {
        judge_picks(j, result);
    }
}

static void judge_all(struct judgement *j)
{
    const struct fgi_bench *bench = j->bench;
    const struct fg_engine_info info = bench->told;
    if (bench->info.spans != FGI_BENCH_SPANS ||
        bench->info.dependencies != FGI_BENCH_DEPENDENCIES) {
        object_to(j, FGI_BENCH_INCOMPLETE,
                  "%" PRIu64 " spans and %" PRIu64 " dependencies: not the reference's size",
                  bench->info.spans, bench->info.dependencies);
    }
    if (bench->scenario_ns < FGI_BENCH_SECONDS * INT64_C(1000000000)) {
        object_to(j, FGI_BENCH_INCOMPLETE, "scenarios were shorter than %d s", FGI_BENCH_SECONDS);
    }
    if (bench->device_lost) {
        object_to(j, FGI_BENCH_FAIL, "the device was lost");
    }
    if (info.reason != NULL) {
        object_to(j, FGI_BENCH_FAIL, "the %s engine answered: %s", info.answers, info.reason);
    }
    for (unsigned s = 0; s < FGI_BENCH_SCENARIOS; s++) {
        judge_scenario(j, (enum fgi_bench_scenario)s);
    }
}

enum fgi_bench_verdict fgi_bench_judge(const struct fgi_bench *bench)
{
    struct judgement j = { .bench = bench };
    judge_all(&j);
    return j.verdict;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_times(struct fgi_json *json, const char *key, const struct fgi_bench_times *times)
{
    fgi_json_key(json, key);
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "count", times->count);
    fgi_json_key_int(json, "p50_ns", fgi_bench_times_rank(times, 50));
    fgi_json_key_int(json, "p95_ns", fgi_bench_times_rank(times, 95));
    fgi_json_key_int(json, "max_ns", fgi_bench_times_rank(times, 100));
    fgi_json_key(json, "all_ns");
    fgi_json_inline_array_begin(json);
    for (size_t i = 0; i < times->count; i++) {
        fgi_json_int(json, times->ns[i]);
    }
    fgi_json_array_end(json);
    fgi_json_object_end(json);
}

static void put_result(struct fgi_json *json, const char *renderer, const char *scenario,
                       const struct fgi_bench_result *result)
{
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "scenario", scenario);
    fgi_json_key_text(json, "renderer", renderer);
    fgi_json_key_text_or_null(json, "failed",
                              result->failed != FG_OK ? fg_result_text(result->failed) : NULL);
    fgi_json_key_int(json, "prepare_ns", result->prepare_ns);
    fgi_json_key_int_or_null(json, "max_encode_ns", result->encode_ns > 0, result->encode_ns);
    fgi_json_key_uint(json, "max_candidates", result->max_candidates);
    fgi_json_key_uint(json, "max_spans", result->max_spans);
    fgi_json_key_uint(json, "max_bins", result->max_bins);
    fgi_json_key_uint(json, "unanswered_targets", result->unanswered);
    fgi_json_key_uint(json, "stalls", result->stalls);
    put_times(json, "frames", &result->frames);
    if (result->picks.count > 0 || result->deferred_picks > 0) {
        put_times(json, "picks", &result->picks);
        fgi_json_key_uint(json, "deferred_picks", result->deferred_picks);
    }
    fgi_json_object_end(json);
}

static void put_trace(struct fgi_json *json, const struct fgi_bench *bench)
{
    fgi_json_key(json, "trace");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "spans", bench->info.spans);
    fgi_json_key_uint(json, "dependencies", bench->info.dependencies);
    fgi_json_key_uint(json, "lanes", bench->info.lanes);
    fgi_json_key_uint(json, "tracks", bench->info.tracks);
    fgi_json_key_uint(json, "processes", bench->info.processes);
    fgi_json_key_int(json, "duration_ns", bench->info.last_ns - bench->info.first_ns);
    fgi_json_key_int(json, "made_in_ns", bench->made_ns);
    fgi_json_key_int(json, "first_answer_ns", bench->moved_ns);
    fgi_json_object_end(json);
}

static void put_engine(struct fgi_json *json, const struct fgi_bench *bench)
{
    const struct fg_engine_info info = bench->told;
    fgi_json_key(json, "engine");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "name", info.name);
    fgi_json_key_text(json, "answers", info.answers);
    fgi_json_key_text_or_null(json, "device", info.device);
    fgi_json_key_text_or_null(json, "reason", info.reason);
    fgi_json_key_uint(json, "own_questions", info.own_questions);
    fgi_json_key_uint(json, "other_questions", info.other_questions);
    fgi_json_object_end(json);
}

enum fg_result fgi_bench_report(const struct fgi_bench *bench, const struct fg_sink *sink)
{
    struct fgi_json json = { .sink = sink, .indent = 1 };
    struct judgement j = { .bench = bench, .json = &json };
    fgi_json_object_begin(&json);
    fgi_json_key_int(&json, "schema_version", FGI_BENCH_VERSION);
    fgi_json_key_text(&json, "frameglass", fg_version());
    fgi_json_key_int(&json, "created_at_ms", bench->created_at_ns / 1000000);
    put_engine(&json, bench);
    fgi_bench_device_put(bench, &json);
    put_trace(&json, bench);
    fgi_json_key_uint(&json, "width_px", bench->width_px);
    fgi_json_key_int(&json, "scenario_ns", bench->scenario_ns);
    fgi_json_key(&json, "scenarios");
    fgi_json_array_begin(&json);
    for (unsigned r = 0; r < FGI_BENCH_RENDERERS; r++) {
        for (unsigned s = 0; s < FGI_BENCH_SCENARIOS; s++) {
            const struct fgi_bench_result *result = &bench->results[r][s];
            if (result->is_done || result->failed != FG_OK) {
                put_result(&json, renderers[r], fgi_bench_scenario_name((enum fgi_bench_scenario)s),
                           result);
            }
        }
    }
    fgi_json_array_end(&json);
    fgi_json_key_bool(&json, "device_lost", bench->device_lost);
    fgi_json_key(&json, "failures");
    fgi_json_array_begin(&json);
    judge_all(&j);
    fgi_json_array_end(&json);
    fgi_json_key_text(&json, "verdict", verdicts[j.verdict]);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_result(const char *renderer, const char *scenario,
                         const struct fgi_bench_result *result)
{
    printf("%-16s %-7s %7zu %10.3f %10.3f %10.3f %12" PRIu64, scenario, renderer,
           result->frames.count, (double)fgi_bench_times_rank(&result->frames, 50) / 1e6,
           (double)fgi_bench_times_rank(&result->frames, 95) / 1e6,
           (double)fgi_bench_times_rank(&result->frames, 100) / 1e6,
           result->max_spans + result->max_bins);
    if (result->picks.count > 0) {
        printf("  picks: %.3f, %.3f", (double)fgi_bench_times_rank(&result->picks, 50) / 1e6,
               (double)fgi_bench_times_rank(&result->picks, 95) / 1e6);
    }
    printf("%s%s\n", result->failed != FG_OK ? "  " : "",
           result->failed != FG_OK ? fg_result_text(result->failed) : "");
}

enum fg_result fgi_bench_print(const struct fgi_bench *bench)
{
    printf("%-16s %-7s %7s %10s %10s %10s %12s\n", "scenario", "by", "frames", "p50 ms", "p95 ms",
           "max ms", "outputs");
    for (unsigned s = 0; s < FGI_BENCH_SCENARIOS; s++) {
        for (unsigned r = 0; r < FGI_BENCH_RENDERERS; r++) {
            const struct fgi_bench_result *result = &bench->results[r][s];
            if (result->is_done || result->failed != FG_OK) {
                print_result(renderers[r], fgi_bench_scenario_name((enum fgi_bench_scenario)s),
                             result);
            }
        }
    }
    printf("verdict: %s\n", verdicts[fgi_bench_judge(bench)]);
    return fflush(stdout) == 0 ? FG_OK : FG_ERR_IO;
}
