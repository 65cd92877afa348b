/* SPDX-License-Identifier: MIT */
/* The engine's table, its making and its end, and helpers that several operations use. */
#include "engine/cpu/engine_cpu.h"
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"
#include "engine/cpu/scores.h"
#include "engine/cpu/graph_cpu.h"

static void destroy(struct fg_engine *engine)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    const struct fg_allocator *allocator = cpu->allocator;
    const struct fg_trace *trace = engine->trace;
    fgi_scores_finish(cpu);
    fgi_filters_finish(cpu);
    fgi_link_index_destroy(allocator, cpu->all.links);
    fgi_link_making_destroy(cpu->all.making);
    fgi_population_finish(cpu, &cpu->all);
    fgi_cover_finish(cpu);
    fgi_derived_finish(cpu);
    fgi_free(allocator, cpu->frame_rows, trace->frames.count * sizeof *cpu->frame_rows);
    fgi_free(allocator, cpu->process_lanes, (trace->lanes.count + 1) * sizeof(uint32_t));
    fgi_free(allocator, cpu->process_first, (trace->processes.count + 1) * sizeof(uint32_t));
    fgi_free(allocator, cpu, sizeof *cpu);
}

static const struct fgi_engine_ops cpu_ops = {
    .name = "cpu",
    .destroy = destroy,
    .filter_begin = fgi_cpu_filter_begin,
    .filter_destroy = fgi_cpu_filter_destroy,
    .view = fgi_cpu_view,
    .stats_begin = fgi_cpu_stats_begin,
    .frames = fgi_cpu_frames,
    .series = fgi_cpu_series,
    .counters = fgi_cpu_counters,
    .marks = fgi_cpu_marks,
    .search_begin = fgi_cpu_search_begin,
    .pick = fgi_cpu_pick,
    .span = fgi_cpu_span,
    .dependency = fgi_cpu_dependency,
    .focus_begin = fgi_cpu_focus_begin,
    .project = fgi_cpu_project,
    .links_begin = fgi_cpu_links_begin,
    .links_bytes = fgi_cpu_links_bytes,
    .slice_begin = fgi_cpu_slice_begin,
    .path_begin = fgi_cpu_path_begin,
    .path_bytes = fgi_cpu_path_bytes,
    .aggregate_begin = fgi_cpu_aggregate_begin,
    .histogram_begin = fgi_cpu_histogram_begin,
    .buckets_begin = fgi_cpu_buckets_begin,
    .anomalies_begin = fgi_cpu_anomalies_begin,
    .scores = fgi_cpu_scores,
    .tints = fgi_cpu_tints,
    .scores_destroy = fgi_cpu_scores_destroy,
    .minimap = fgi_cpu_minimap,
    .visible_rows = fgi_cpu_visible_rows,
};

static enum fg_result gather_processes(struct fgi_engine_cpu *cpu)
{
    const struct fg_trace *trace = cpu->engine.trace;
    size_t processes = trace->processes.count;
    cpu->process_lanes = fgi_calloc(cpu->allocator, trace->lanes.count + 1, sizeof(uint32_t));
    cpu->process_first = fgi_calloc(cpu->allocator, processes + 1, sizeof(uint32_t));
    if (!cpu->process_lanes || !cpu->process_first) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const struct fg_trace_track *track = &trace->tracks.items[t];
        if (track->process < processes) {
            cpu->process_first[track->process + 1] += track->lane_count;
        }
    }
    for (size_t p = 0; p < processes; p++) {
        cpu->process_first[p + 1] += cpu->process_first[p];
    }
    /* Filling moves each first to the next one's; one shift back puts them right. */
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const struct fg_trace_track *track = &trace->tracks.items[t];
        for (uint32_t i = 0; track->process < processes && i < track->lane_count; i++) {
            cpu->process_lanes[cpu->process_first[track->process]++] = track->first_lane + i;
        }
    }
    for (size_t p = processes; p > 0; p--) {
        cpu->process_first[p] = cpu->process_first[p - 1];
    }
    cpu->process_first[0] = 0;
    return FG_OK;
}

enum fg_result fgi_engine_cpu_create(const struct fg_allocator *allocator,
                                     const struct fg_trace *trace, struct fg_engine **out_engine)
{
    struct fgi_engine_cpu *cpu = fgi_calloc(allocator, 1, sizeof *cpu);
    if (!cpu) {
        return FG_ERR_NO_MEMORY;
    }
    cpu->engine.ops = &cpu_ops;
    cpu->engine.trace = trace;
    cpu->allocator = allocator;
    cpu->all.set = (struct fgi_row_set){ trace->lane_rows, trace->lane_first };
    enum fg_result result = gather_processes(cpu);
    if (result == FG_OK) {
        result = fgi_frame_rows_make(cpu);
    }
    if (result == FG_OK) {
        result = fgi_lane_indexes_make(cpu);
    }
    if (result != FG_OK) {
        destroy(&cpu->engine);
        return result;
    }
    *out_engine = &cpu->engine;
    return FG_OK;
}
