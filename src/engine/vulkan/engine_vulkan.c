/* SPDX-License-Identifier: MIT */
/* The engine's table, its making and its end. */
#include "engine/vulkan/engine_vulkan.h"

#include "base/alloc.h"
#include "engine/vulkan/engine_filter.h"
#include "engine/vulkan/engine_links.h"
#include "engine/vulkan/engine_numbers.h"
#include "engine/vulkan/engine_view.h"

/* Ids of this engine are none of the host's, so that a mix-up is an unknown id. */
#define FIRST_ID 0x10000u

static void destroy(struct fg_engine *engine)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    fgi_gpu_scores_finish(vulkan);
    fgi_gpu_filters_finish(vulkan);
    fgi_gpu_trace_end(vulkan);
    fgi_gpu_run_finish(vulkan);
    fgi_engine_destroy(vulkan->host);
    fgi_free(vulkan->allocator, vulkan, sizeof *vulkan);
}

static void about(const struct fg_engine *engine, struct fg_engine_info *info)
{
    const struct fgi_engine_vulkan *vulkan = (const struct fgi_engine_vulkan *)engine;
    info->device = fg_compute_get_facts(vulkan->runner.compute)->device_name;
    info->own_questions = vulkan->own_questions;
    info->other_questions = vulkan->other_questions;
    info->submissions = vulkan->submissions;
    if (vulkan->is_fallen) {
        info->answers = vulkan->host ? vulkan->host->ops->name : "cpu";
        info->reason = vulkan->reason;
    }
}

/* What the device answers is named here, one line each; all else is the host's. */
static const struct fgi_engine_ops vulkan_ops = {
    .name = "vulkan",
    .about = about,
    .destroy = destroy,
    .filter_begin = fgi_vulkan_filter_begin,
    .filter_destroy = fgi_vulkan_filter_destroy,
    .view = fgi_vulkan_view,
    .stats_begin = fgi_vulkan_stats_begin,
    .frames = fgi_host_frames,
    .series = fgi_vulkan_series,
    .counters = fgi_host_counters,
    .marks = fgi_host_marks,
    .search_begin = fgi_host_search_begin,
    .pick = fgi_vulkan_pick,
    .span = fgi_host_span,
    .dependency = fgi_vulkan_dependency,
    .focus_begin = fgi_vulkan_focus_begin,
    .project = fgi_vulkan_project,
    .links_begin = fgi_host_links_begin,
    .links_bytes = fgi_vulkan_links_bytes,
    .slice_begin = fgi_vulkan_slice_begin,
    .path_begin = fgi_vulkan_path_begin,
    .path_bytes = fgi_host_path_bytes,
    .aggregate_begin = fgi_vulkan_aggregate_begin,
    .histogram_begin = fgi_vulkan_histogram_begin,
    .buckets_begin = fgi_vulkan_buckets_begin,
    .anomalies_begin = fgi_vulkan_anomalies_begin,
    .scores = fgi_vulkan_scores,
    .tints = fgi_vulkan_tints,
    .scores_destroy = fgi_vulkan_scores_destroy,
    .minimap = fgi_vulkan_minimap,
    .visible_rows = fgi_vulkan_visible_rows,
};

enum fg_result fgi_engine_vulkan_create(const struct fgi_engine_vulkan_options *options,
                                        const struct fg_trace *trace, struct fg_engine **out_engine)
{
    const struct fg_compute_runner *runner = &options->runner;
    if (!runner->compute || !runner->begin || !runner->submit || !runner->wait ||
        !options->make_host || !trace) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_engine_vulkan *vulkan = fgi_calloc(options->allocator, 1, sizeof *vulkan);
    if (!vulkan) {
        return FG_ERR_NO_MEMORY;
    }
    vulkan->engine.ops = &vulkan_ops;
    vulkan->engine.trace = trace;
    vulkan->allocator = options->allocator;
    vulkan->runner = *runner;
    vulkan->make_host = options->make_host;
    vulkan->host_context = options->host_context;
    vulkan->next_filter = vulkan->next_scores = FIRST_ID;
    fgi_gpu_run_init(vulkan, &options->step);
    *out_engine = &vulkan->engine;
    return FG_OK;
}
