/* SPDX-License-Identifier: MIT */
/* Where things are drawn: processes, tracks, lanes, counters. */
#include "view/view_priv.h"

enum {
    TAG_PROCESS_NAME = 0x0640,
    TAG_PROCESS_ID = 0x0641,
    TAG_PROCESS_GROUP = 0x0642,
    TAG_TRACK_NAME = 0x0648,
    TAG_TRACK_PROCESS = 0x0649,
    TAG_TRACK_KIND = 0x064A,
    TAG_TRACK_CLOCK = 0x064B,
    TAG_TRACK_DOMAIN = 0x064C,
    TAG_TRACK_BOUND = 0x064D,
    TAG_TRACK_ID = 0x064E,
    TAG_TRACK_LANE = 0x064F,
    TAG_TRACK_LANES = 0x0650,
    TAG_TRACK_GROUP = 0x0651,
    TAG_TRACK_SPANS = 0x0652,
    TAG_LANE_TRACK = 0x0658,
    TAG_LANE_DEPTH = 0x0659,
    TAG_LANE_OVERLAP = 0x065A,
    TAG_LANE_SPANS = 0x065B,
    TAG_COUNTER_NAME = 0x0660,
    TAG_COUNTER_UNIT = 0x0661,
    TAG_COUNTER_TRACK = 0x0662,
    TAG_COUNTER_SAMPLES = 0x0663,
};

static void put_processes(struct fgi_ask *ask, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_PROCESS_NAME, count);
    int64_t *id = fgi_i64s(ask, TAG_PROCESS_ID, count);
    uint32_t *group = fgi_u32s(ask, TAG_PROCESS_GROUP, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_process *process = fg_trace_process(ask->trace, i);
        name[i] = fgi_name(ask, process->name);
        id[i] = process->id;
        group[i] = FGI_GROUP_PROCESS + i;
    }
}

static void put_tracks(struct fgi_ask *ask, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_TRACK_NAME, count);
    uint32_t *process = fgi_u32s(ask, TAG_TRACK_PROCESS, count);
    uint8_t *kind = fgi_u8s(ask, TAG_TRACK_KIND, count);
    uint32_t *clock = fgi_u32s(ask, TAG_TRACK_CLOCK, count);
    uint8_t *domain = fgi_u8s(ask, TAG_TRACK_DOMAIN, count);
    int64_t *bound = fgi_i64s(ask, TAG_TRACK_BOUND, count);
    int64_t *id = fgi_i64s(ask, TAG_TRACK_ID, count);
    uint32_t *lane = fgi_u32s(ask, TAG_TRACK_LANE, count);
    uint32_t *lanes = fgi_u32s(ask, TAG_TRACK_LANES, count);
    uint32_t *group = fgi_u32s(ask, TAG_TRACK_GROUP, count);
    uint32_t *spans = fgi_u32s(ask, TAG_TRACK_SPANS, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_track *track = fg_trace_track(ask->trace, i);
        const struct fg_trace_clock *of_track = fgi_track_clock(ask->trace, i);
        name[i] = fgi_name(ask, track->name);
        process[i] = track->process;
        kind[i] = (uint8_t)track->kind;
        clock[i] = of_track == NULL ? FG_NONE : track->clock;
        domain[i] = of_track == NULL ? FG_CLOCK_NOMINAL : (uint8_t)of_track->kind;
        bound[i] = fgi_clock_bound(of_track);
        id[i] = track->id;
        lane[i] = track->first_lane;
        lanes[i] = track->lane_count;
        group[i] = i;
        spans[i] = track->span_count;
    }
}

static void put_lanes(struct fgi_ask *ask, uint32_t count)
{
    uint32_t *track = fgi_u32s(ask, TAG_LANE_TRACK, count);
    uint32_t *depth = fgi_u32s(ask, TAG_LANE_DEPTH, count);
    uint32_t *overlap = fgi_u32s(ask, TAG_LANE_OVERLAP, count);
    uint32_t *spans = fgi_u32s(ask, TAG_LANE_SPANS, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_lane *lane = fg_trace_lane(ask->trace, i);
        track[i] = lane->track;
        depth[i] = lane->depth;
        overlap[i] = lane->overlap;
        spans[i] = lane->span_count;
    }
}

static void put_counters(struct fgi_ask *ask, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_COUNTER_NAME, count);
    uint32_t *unit = fgi_u32s(ask, TAG_COUNTER_UNIT, count);
    uint32_t *track = fgi_u32s(ask, TAG_COUNTER_TRACK, count);
    uint32_t *samples = fgi_u32s(ask, TAG_COUNTER_SAMPLES, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_counter *counter = fg_trace_counter(ask->trace, i);
        name[i] = fgi_name(ask, counter->name);
        unit[i] = fgi_name(ask, counter->unit);
        track[i] = counter->track;
        samples[i] = counter->sample_count;
    }
}

enum fg_result fgi_answer_TRACKS(struct fgi_ask *ask)
{
    struct fg_trace_info info;
    fg_trace_get_info(ask->trace, &info);
    put_processes(ask, (uint32_t)info.processes);
    put_tracks(ask, (uint32_t)info.tracks);
    put_lanes(ask, (uint32_t)info.lanes);
    put_counters(ask, (uint32_t)info.counters);
    return FG_OK;
}
