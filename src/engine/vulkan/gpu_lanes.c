/* SPDX-License-Identifier: MIT */
/* Lanes by process, and those of any group. */
#include "engine/vulkan/gpu_lanes.h"

#include "base/alloc.h"
#include "trace/model.h"

enum fg_result fgi_gpu_lanes_list(const struct fg_gpu_trace *gpu, struct fgi_gpu_lanes *out_lanes)
{
    const struct fg_trace *trace = gpu->trace;
    const size_t processes = trace->processes.count;
    uint32_t *first = fgi_calloc(gpu->allocator, processes + 2, sizeof *first);
    uint32_t *lanes = fgi_calloc(gpu->allocator, trace->lanes.count + 1, sizeof *lanes);
    *out_lanes = (struct fgi_gpu_lanes){ first, lanes };
    if (!first || !lanes) {
        return FG_ERR_NO_MEMORY;
    }
    /* Counted one place late, summed, and moved there as the lanes are put. */
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const struct fg_trace_track *track = &trace->tracks.items[t];
        if (track->process < processes) {
            first[track->process + 2] += track->lane_count;
        }
    }
    for (size_t i = 2; i < processes + 2; i++) {
        first[i] += first[i - 1];
    }
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const struct fg_trace_track *track = &trace->tracks.items[t];
        for (uint32_t i = 0; track->process < processes && i < track->lane_count; i++) {
            lanes[first[track->process + 1]++] = track->first_lane + i;
        }
    }
    return FG_OK;
}

void fgi_gpu_lanes_finish(const struct fg_gpu_trace *gpu, struct fgi_gpu_lanes *lanes)
{
    const struct fg_trace *trace = gpu->trace;
    fgi_free(gpu->allocator, lanes->first, (trace->processes.count + 2) * sizeof *lanes->first);
    fgi_free(gpu->allocator, lanes->lanes, (trace->lanes.count + 1) * sizeof *lanes->lanes);
    *lanes = (struct fgi_gpu_lanes){ 0 };
}

uint32_t fgi_gpu_lanes_of(const struct fg_gpu_trace *gpu, const struct fgi_gpu_lanes *lanes,
                          uint32_t kind, uint32_t index)
{
    const struct fg_trace *trace = gpu->trace;
    if (kind == FG_VIEW_TRACK) {
        return index < trace->tracks.count ? trace->tracks.items[index].lane_count : 0;
    }
    if (kind == FG_VIEW_PROCESS) {
        return lanes->first && index < trace->processes.count
                   ? lanes->first[index + 1] - lanes->first[index]
                   : 0;
    }
    return index < trace->lanes.count;
}

uint32_t fgi_gpu_lanes_at(const struct fg_gpu_trace *gpu, const struct fgi_gpu_lanes *lanes,
                          uint32_t kind, uint32_t index, uint32_t member)
{
    return kind == FG_VIEW_TRACK     ? gpu->trace->tracks.items[index].first_lane + member
           : kind == FG_VIEW_PROCESS ? lanes->lanes[lanes->first[index] + member]
                                     : index;
}
