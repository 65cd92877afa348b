/* SPDX-License-Identifier: MIT */
/* Lines of processes, tracks and depths: heights of what is folded or not, one after the other. */
#include "trace/model.h"
#include "trace/query_priv.h"
#include <frameglass/trace_links.h>

#define LINES_MAX (1u << 30)

struct layout {
    const struct fg_trace *trace;
    const struct fg_layout_request *request;
    struct fg_layout_item *items; /* NULL: only counting */
    uint32_t count;
    uint64_t lines;
    uint32_t *tracks;
    uint32_t track_count;
};

static void add_item(struct layout *l, enum fg_view_kind kind, uint32_t index)
{
    if (l->items) {
        l->items[l->count] = (struct fg_layout_item){
            .target = { .kind = (uint8_t)kind, .previous_mode = FG_VIEW_NONE, .index = index },
            .line = (uint32_t)l->lines,
        };
    }
    l->count++;
    l->lines++;
}

static void add_track(struct layout *l, uint32_t index)
{
    const struct fg_trace_track *track = &l->trace->tracks.items[index];
    if (l->request->tracks && l->request->tracks[index]) {
        add_item(l, FG_VIEW_TRACK, index);
    } else {
        for (uint32_t i = 0; i < track->lane_count; i++) {
            add_item(l, FG_VIEW_LANE, track->first_lane + i);
        }
    }
    l->lines += l->request->gap;
}

/* Tracks with spans by process, then as they are numbered; those without a process come last. */
static bool order_tracks(struct layout *l, struct fgi_arena *arena)
{
    const struct fg_trace *trace = l->trace;
    size_t processes = trace->processes.count;
    uint32_t *next = fgi_arena_alloc(arena, processes + 2, sizeof *next);
    l->tracks = fgi_arena_alloc(arena, trace->tracks.count + 1, sizeof *l->tracks);
    if (!next || !l->tracks) {
        return false;
    }
    for (int round = 0; round < 2; round++) {
        for (uint32_t t = 0; t < trace->tracks.count; t++) {
            const struct fg_trace_track *track = &trace->tracks.items[t];
            size_t process = track->process < processes ? track->process : processes;
            if (track->lane_count == 0) {
                continue;
            }
            if (round == 0) {
                next[process + 1]++;
                l->track_count++;
            } else {
                l->tracks[next[process]++] = t;
            }
        }
        for (size_t p = 0; round == 0 && p <= processes; p++) {
            next[p + 1] += next[p];
        }
    }
    return true;
}

static void lay_out(struct layout *l)
{
    const struct fg_trace *trace = l->trace;
    l->count = 0;
    l->lines = 0;
    for (uint32_t i = 0; i < l->track_count; i++) {
        uint32_t process = trace->tracks.items[l->tracks[i]].process;
        bool is_known = process < trace->processes.count;
        uint32_t before = i > 0 ? trace->tracks.items[l->tracks[i - 1]].process : FG_NONE;
        bool is_first = i == 0 || (is_known ? before != process : before < trace->processes.count);
        if (is_first && i > 0) {
            l->lines += l->request->process_gap;
        }
        if (!is_known || !l->request->processes || !l->request->processes[process]) {
            add_track(l, l->tracks[i]);
        } else if (is_first) {
            add_item(l, FG_VIEW_PROCESS, process);
            l->lines += l->request->gap;
        }
    }
}

enum fg_result fg_query_layout(struct fg_query *query, const struct fg_layout_request *request,
                               const struct fg_layout_item **out_items, uint32_t *out_count,
                               uint32_t *out_lines)
{
    const struct fg_layout_request none = { 0 };
    struct layout l = { .trace = query->engine->trace, .request = request ? request : &none };
    if (!order_tracks(&l, query->question.arena)) {
        return FG_ERR_NO_MEMORY;
    }
    lay_out(&l);
    if (l.lines > LINES_MAX) {
        return FG_ERR_LIMIT;
    }
    if (l.count > 0) {
        l.items = fgi_arena_alloc(query->question.arena, l.count, sizeof *l.items);
        if (!l.items) {
            return FG_ERR_NO_MEMORY;
        }
        lay_out(&l);
    }
    *out_items = l.items;
    *out_count = l.count;
    *out_lines = (uint32_t)l.lines;
    return FG_OK;
}
