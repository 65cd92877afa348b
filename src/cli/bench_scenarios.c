/* SPDX-License-Identifier: MIT */
/* The scenarios of the reference benchmark, and drawing them by asking an engine. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"
#include "cli/bench_reference.h"
#include "cli/cli_terminal.h"
#include "trace/engine.h"
#include "trace/model.h"
#include <frameglass/trace_find.h>
#include <frameglass/trace_links.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOCUS_HOPS = 4, PICK_PX = 4, NEAR_PER_MILLE = 25, FAR_PER_MILLE = 820 };
/* Frames that the window takes to move by its own width; of an overview, from end to end. */
enum { NEAR_FRAMES = 40, FAR_FRAMES = 200 };

static const char *const names[FGI_BENCH_SCENARIOS] = {
    "exact-expanded", "exact-collapsed", "exact-filtered", "exact-focused",
    "exact-picking",  "density",         "representative",
};

const char *fgi_bench_scenario_name(enum fgi_bench_scenario scenario)
{
    return names[scenario];
}

/* ---- times ----------------------------------------------------------------------------------- */

enum fg_result fgi_bench_times_add(struct fgi_bench_times *times, int64_t ns)
{
    enum fg_result result =
        FGI_GROW(NULL, times->ns, times->capacity, times->count + 1, UINT32_MAX);
    if (result == FG_OK) {
        times->ns[times->count++] = ns;
    }
    return result;
}

void fgi_bench_times_finish(struct fgi_bench_times *times)
{
    fgi_free(NULL, times->ns, times->capacity * sizeof *times->ns);
    *times = (struct fgi_bench_times){ 0 };
}

static int compare_times(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

int64_t fgi_bench_times_rank(const struct fgi_bench_times *times, unsigned percent)
{
    size_t bytes = times->count * sizeof *times->ns;
    if (times->count == 0) {
        return 0;
    }
    int64_t *sorted = fgi_malloc(NULL, bytes);
    if (sorted == NULL) {
        return INT64_MAX; /* what cannot be told passes no limit */
    }
    memcpy(sorted, times->ns, bytes);
    qsort(sorted, times->count, sizeof *sorted, compare_times);
    size_t rank = (times->count * percent + 99) / 100;
    int64_t ns = sorted[rank > 0 ? rank - 1 : 0];
    fgi_free(NULL, sorted, bytes);
    return ns;
}

/* ---- a scenario ------------------------------------------------------------------------------ */

static bool is_overview(enum fgi_bench_scenario scenario)
{
    return scenario == FGI_BENCH_DENSITY || scenario == FGI_BENCH_REPRESENTATIVE;
}

/* The window goes from one end of the trace to the other and back. */
static void place_window(const struct fgi_bench *bench, struct fgi_bench_frame *frame)
{
    bool is_far = is_overview(frame->scenario);
    int64_t extent = bench->info.last_ns - bench->info.first_ns;
    int64_t length = extent / 1000 * (is_far ? FAR_PER_MILLE : NEAR_PER_MILLE);
    length = length > 0 ? length : 1;
    int64_t room = extent - length;
    int64_t step = is_far ? room / FAR_FRAMES : length / NEAR_FRAMES;
    int64_t at = room > 0 ? (int64_t)frame->number * (step > 0 ? step : 1) % (2 * room) : 0;
    frame->start_ns = bench->info.first_ns + (at < room ? at : 2 * room - at);
    frame->end_ns = frame->start_ns + length;
}

bool fgi_bench_terms(const struct fgi_bench *bench, enum fgi_bench_scenario scenario,
                     struct fg_filter_terms *out_terms)
{
    *out_terms = (struct fg_filter_terms){ 0 };
    if (scenario == FGI_BENCH_FILTERED) {
        out_terms->status_mask = 1u << FG_SPAN_ERROR;
    } else if (scenario == FGI_BENCH_FOCUSED) {
        out_terms->mask = bench->focus;
        out_terms->mask_rows = bench->focus != NULL ? (uint32_t)bench->info.spans : 0;
    }
    return scenario == FGI_BENCH_FILTERED || scenario == FGI_BENCH_FOCUSED;
}

static enum fg_result draw_frame(struct fgi_bench *bench, const struct fgi_bench_renderer *renderer,
                                 const struct fgi_bench_frame *frame,
                                 struct fgi_bench_result *result)
{
    struct fgi_bench_drawn drawn = { 0 };
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result drew = renderer->draw(bench, frame, &drawn);
    int64_t taken_ns = fgi_clock_monotonic_ns() - begin_ns;
    if (drew != FG_OK) {
        return drew;
    }
    result->stalls += taken_ns >= FGI_BENCH_STALL_NS;
    result->encode_ns = drawn.encode_ns > result->encode_ns ? drawn.encode_ns : result->encode_ns;
    result->max_candidates =
        drawn.candidates > result->max_candidates ? drawn.candidates : result->max_candidates;
    result->max_spans = drawn.spans > result->max_spans ? drawn.spans : result->max_spans;
    result->max_bins = drawn.bins > result->max_bins ? drawn.bins : result->max_bins;
    result->unanswered += drawn.unanswered;
    return fgi_bench_times_add(&result->frames, taken_ns);
}

/* Somewhere in the frame, the same places each time. */
static enum fg_result pick_somewhere(struct fgi_bench *bench,
                                     const struct fgi_bench_renderer *renderer,
                                     const struct fgi_bench_frame *frame,
                                     struct fgi_bench_result *result)
{
    uint64_t place = fgi_mix64(frame->number);
    uint64_t length = (uint64_t)(frame->end_ns - frame->start_ns);
    uint32_t lane = (uint32_t)(place % bench->info.lanes);
    int64_t time_ns = frame->start_ns + (int64_t)((place >> 16) % length);
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result picked =
        renderer->pick(bench, lane, time_ns, length * PICK_PX / frame->width_px);
    if (picked == FG_ERR_BUSY) {
        result->deferred_picks++;
        return FG_OK;
    }
    return picked == FG_OK
               ? fgi_bench_times_add(&result->picks, fgi_clock_monotonic_ns() - begin_ns)
               : picked;
}

static enum fg_result run_frames(struct fgi_bench *bench, const struct fgi_bench_renderer *renderer,
                                 enum fgi_bench_scenario scenario, struct fgi_bench_result *result)
{
    int64_t end_ns = fgi_clock_monotonic_ns() + bench->scenario_ns;
    enum fg_result drew = FG_OK;
    for (uint32_t i = 0;
         drew == FG_OK && (i < FGI_BENCH_LEAST_FRAMES || fgi_clock_monotonic_ns() < end_ns); i++) {
        struct fgi_bench_frame frame = { .scenario = scenario,
                                         .width_px = bench->width_px,
                                         .number = i };
        place_window(bench, &frame);
        drew = draw_frame(bench, renderer, &frame, result);
        if (drew == FG_OK && scenario == FGI_BENCH_PICKING) {
            drew = pick_somewhere(bench, renderer, &frame, result);
        }
        drew = drew == FG_OK && fgi_is_interrupted() ? FG_ERR_CANCELLED : drew;
    }
    return drew;
}

void fgi_bench_scenario_run(struct fgi_bench *bench, const struct fgi_bench_renderer *renderer,
                            enum fgi_bench_scenario scenario, struct fgi_bench_result *result)
{
    struct fgi_bench_frame first = { .scenario = scenario, .width_px = bench->width_px };
    struct fgi_bench_drawn drawn;
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result drew = renderer->begin(bench, scenario);
    place_window(bench, &first);
    drew = drew == FG_OK ? renderer->draw(bench, &first, &drawn) : drew;
    result->prepare_ns = fgi_clock_monotonic_ns() - begin_ns;
    drew = drew == FG_OK ? run_frames(bench, renderer, scenario, result) : drew;
    renderer->end(bench);
    result->failed = drew;
    result->is_done = drew == FG_OK;
}

/* ---- the engine ------------------------------------------------------------------------------ */

static enum fg_result focus(struct fgi_bench *bench)
{
    const uint32_t middle = (uint32_t)(bench->info.spans / 2);
    const struct fg_focus_request request = {
        .seeds = &middle, .seed_count = 1, .hops = FOCUS_HOPS, .direction = FG_LINKS_BOTH
    };
    struct fg_focus_reply reply;
    size_t words = ((size_t)bench->info.spans + 63) / 64;
    enum fg_result result = fg_query_focus(bench->query, &request, &reply);
    if (result != FG_OK) {
        return result;
    }
    bench->focus = fgi_calloc(NULL, words, sizeof *bench->focus);
    if (bench->focus == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memcpy(bench->focus, reply.mask, words * sizeof *bench->focus);
    return FG_OK;
}

static enum fg_result begin(struct fgi_bench *bench, enum fgi_bench_scenario scenario)
{
    struct fg_filter_terms terms;
    uint32_t rows;
    fg_query_reset(bench->query);
    bench->filter = 0;
    enum fg_result result = FG_OK;
    if (scenario == FGI_BENCH_FOCUSED && bench->focus == NULL) {
        result = focus(bench);
    }
    if (result != FG_OK || !fgi_bench_terms(bench, scenario, &terms)) {
        return result;
    }
    return fg_query_filter_create(bench->query, &terms, &bench->filter, &rows);
}

static void end(struct fgi_bench *bench)
{
    if (bench->filter != 0) {
        (void)fg_query_filter_destroy(bench->query, bench->filter);
    }
    bench->filter = 0;
}

static enum fg_result draw(struct fgi_bench *bench, const struct fgi_bench_frame *frame,
                           struct fgi_bench_drawn *out_drawn)
{
    bool is_folded = frame->scenario == FGI_BENCH_COLLAPSED;
    struct fg_view_reply reply;
    struct fg_visits visits;
    const struct fg_view_request request = {
        .start_ns = frame->start_ns,
        .end_ns = frame->end_ns,
        .width_px = frame->width_px,
        .filter = bench->filter,
        .targets = bench->targets + (is_folded ? bench->info.lanes : 0),
        .target_count = (uint32_t)(is_folded ? bench->info.processes : bench->info.lanes),
        .max_spans = UINT32_MAX,
        .max_bins = UINT32_MAX,
        .detail = frame->scenario == FGI_BENCH_DENSITY          ? FG_DETAIL_DENSITY
                  : frame->scenario == FGI_BENCH_REPRESENTATIVE ? FG_DETAIL_REPRESENTATIVE
                                                                : FG_DETAIL_EXACT,
    };
    fg_query_reset(bench->query);
    enum fg_result result = fg_query_view(bench->query, &request, &reply);
    if (result == FG_OK) {
        fg_query_visits(bench->query, &visits);
        *out_drawn = (struct fgi_bench_drawn){ .candidates = visits.spans,
                                               .spans = reply.span_count,
                                               .bins = reply.bins_count,
                                               .unanswered = reply.unanswered };
    }
    return result;
}

static enum fg_result pick(struct fgi_bench *bench, uint32_t lane, int64_t time_ns,
                           uint64_t tolerance_ns)
{
    const struct fg_pick_request request = {
        .target = { FG_VIEW_LANE, FG_VIEW_NONE, lane },
        .time_ns = time_ns,
        .tolerance_ns = tolerance_ns,
        .filter = bench->filter,
    };
    uint32_t row;
    fg_query_reset(bench->pick_query);
    return fg_query_pick(bench->pick_query, &request, &row);
}

const struct fgi_bench_renderer fgi_bench_engine = { "engine", (1u << FGI_BENCH_SCENARIOS) - 1,
                                                     begin,    end,
                                                     draw,     pick };

/* ---- the end --------------------------------------------------------------------------------- */

void fgi_bench_engine_tell(struct fgi_bench *bench)
{
    fg_engine_get_info(bench->engine, &bench->told);
    if (bench->told.reason != NULL) {
        snprintf(bench->reason, sizeof bench->reason, "%s", bench->told.reason);
        bench->told.reason = bench->reason;
    }
}

void fgi_bench_engine_close(struct fgi_bench *bench)
{
    fg_query_destroy(bench->pick_query);
    fg_query_destroy(bench->query);
    fgi_engine_destroy(bench->engine);
    bench->pick_query = bench->query = NULL;
    bench->engine = NULL;
}

void fgi_bench_finish(struct fgi_bench *bench)
{
    for (unsigned r = 0; r < FGI_BENCH_RENDERERS; r++) {
        for (unsigned s = 0; s < FGI_BENCH_SCENARIOS; s++) {
            fgi_bench_times_finish(&bench->results[r][s].frames);
            fgi_bench_times_finish(&bench->results[r][s].picks);
        }
    }
    fgi_bench_device_close(bench);
    fgi_free(NULL, bench->focus, ((size_t)bench->info.spans + 63) / 64 * sizeof *bench->focus);
    fgi_free(NULL, bench->targets,
             (size_t)(bench->info.lanes + bench->info.processes) * sizeof *bench->targets);
    fgi_bench_engine_close(bench);
    fgi_trace_destroy(bench->trace);
    fgi_device_choice_end(&bench->choice);
}
