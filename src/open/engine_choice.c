/* SPDX-License-Identifier: MIT */
/* The CPU or a device: as was asked for, or whoever answers a first question faster. */
#include "open/engine_choice.h"
#include "base/clock.h"
#include "base/result.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include "trace/model.h"

static enum fg_result make_cpu(void *context, const struct fg_allocator *allocator,
                               const struct fg_trace *trace, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, trace, out_engine);
}

static enum fg_result make_vulkan(const struct fg_open_options *options,
                                  const struct fg_allocator *allocator,
                                  const struct fg_trace *trace, struct fg_diag *diag,
                                  struct fg_engine **out_engine)
{
    if ((options->flags & FG_OPEN_FOLLOW) != 0) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0,
                        "what is followed is answered by the CPU: a device holds whole traces");
    }
    if (options->runner == NULL) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "there is no Vulkan device");
    }
    const struct fg_compute_runner *runner = options->runner(options->runner_context, diag);
    if (runner == NULL) {
        return FG_ERR_UNSUPPORTED;
    }
    const struct fgi_engine_vulkan_options engine = {
        .allocator = allocator,
        .runner = *runner,
        .make_host = make_cpu,
    };
    return fgi_engine_vulkan_create(&engine, trace, out_engine);
}

/* Nanoseconds of one question that looks at every row; INT64_MAX: it was not answered. */
static int64_t measure(struct fg_engine *engine, const struct fg_allocator *allocator)
{
    struct fg_query *query = NULL;
    const struct fg_stats_request request = { .by = FG_STATS_BY_NAME, .figures = FG_STATS_TOTALS };
    struct fg_stats_reply reply;
    int64_t begin_ns = fgi_clock_monotonic_ns();
    enum fg_result result = fg_query_create(engine, allocator, NULL, NULL, &query);
    if (result == FG_OK) {
        result = fg_query_stats(query, &request, &reply);
    }
    int64_t taken_ns = fgi_clock_monotonic_ns() - begin_ns;
    fg_query_destroy(query);
    return result == FG_OK ? taken_ns : INT64_MAX;
}

/* The device instead of the CPU's engine when it is faster; a first question moves the trace. */
static void replace_if_faster(const struct fg_open_options *options,
                              const struct fg_allocator *allocator, const struct fg_trace *trace,
                              struct fg_engine **engine)
{
    struct fg_engine *vulkan = NULL;
    struct fg_engine_info info;
    if (make_vulkan(options, allocator, trace, NULL, &vulkan) != FG_OK) {
        return;
    }
    int64_t cpu_ns = measure(*engine, allocator);
    (void)measure(vulkan, allocator);
    int64_t vulkan_ns = measure(vulkan, allocator);
    fg_engine_get_info(vulkan, &info);
    struct fg_engine *slower = vulkan;
    if (info.reason == NULL && vulkan_ns < cpu_ns) {
        slower = *engine;
        *engine = vulkan;
    }
    fgi_engine_destroy(slower);
}

/* The CPU's in place of a device that there is not, for the reason `why`. What was said the first
   time stays: an engine made before may be telling it. */
static enum fg_result make_instead(const struct fg_allocator *allocator,
                                   const struct fg_trace *trace, const struct fg_diag *why,
                                   struct fg_diag *instead, struct fg_engine **out_engine)
{
    enum fg_result result = fgi_engine_cpu_create(allocator, trace, out_engine);
    if (result == FG_OK) {
        if (instead->message[0] == '\0') {
            *instead = *why;
        }
        (*out_engine)->wanted = "vulkan";
        (*out_engine)->reason = instead->message;
    }
    return result;
}

enum fg_result fgi_engine_choose(const struct fg_open_options *options,
                                 const struct fg_allocator *allocator, const struct fg_trace *trace,
                                 struct fg_diag *instead, struct fg_engine **out_engine)
{
    if (options->engine == FG_OPEN_ENGINE_VULKAN) {
        struct fg_diag why = { 0 };
        enum fg_result result = make_vulkan(options, allocator, trace, &why, out_engine);
        if (result != FG_OK && why.message[0] == '\0') {
            (void)fgi_fail(&why, result, 0, "%s", fg_result_text(result));
        }
        return result == FG_OK ? FG_OK : make_instead(allocator, trace, &why, instead, out_engine);
    }
    struct fg_engine *engine = NULL;
    enum fg_result result = fgi_engine_cpu_create(allocator, trace, &engine);
    if (result != FG_OK) {
        return result;
    }
    if (options->engine == FG_OPEN_ENGINE_AUTO && options->runner != NULL &&
        (options->flags & FG_OPEN_FOLLOW) == 0 &&
        fgi_trace_rows(trace) >= FGI_ENGINE_MEASURED_ROWS) {
        replace_if_faster(options, allocator, trace, &engine);
    }
    *out_engine = engine;
    return FG_OK;
}
