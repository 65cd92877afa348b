/* SPDX-License-Identifier: MIT */
#include "convert/export_chrome_ids.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <frameglass/trace.h>

/* The highest that is kept: those that are given above it are still what readers take for one. */
#define ID_MOST (INT32_MAX / 2)

/* Takes a number for `group` if it can be kept and nobody has it there; *out_id stays otherwise. */
static enum fg_result keep(struct fgi_map64 *taken, uint32_t group, int64_t id, uint32_t *out_id,
                           uint32_t *highest)
{
    uint64_t key = (uint64_t)group << 32 | (uint32_t)id;
    uint32_t owner;
    if (id < 0 || id > ID_MOST || fgi_map64_get(taken, key, &owner)) {
        return FG_OK;
    }
    *out_id = (uint32_t)id;
    *highest = *out_id > *highest ? *out_id : *highest;
    return fgi_map64_put(taken, key, 1);
}

static enum fg_result number_processes(struct fgi_chrome_ids *ids, const struct fg_trace *trace,
                                       struct fgi_map64 *taken)
{
    enum fg_result result = FG_OK;
    uint32_t highest = 0, owner;
    for (uint32_t i = 0; i < ids->process_count && result == FG_OK; i++) {
        ids->processes[i] = FG_NONE;
        result = keep(taken, 0, fg_trace_process(trace, i)->id, &ids->processes[i], &highest);
    }
    for (uint32_t i = 0; i < ids->process_count; i++) {
        if (ids->processes[i] == FG_NONE) {
            ids->processes[i] = ++highest;
        }
    }
    ids->no_process = fgi_map64_get(taken, 0, &owner) ? highest + 1 : 0;
    return result;
}

/* Numbers of the tracks of one kind; those without one stay FG_NONE. */
static enum fg_result keep_tracks(struct fgi_chrome_ids *ids, const struct fg_trace *trace,
                                  enum fg_track_kind kind, struct fgi_map64 *taken,
                                  uint32_t *highest)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < ids->track_count && result == FG_OK; i++) {
        const struct fg_trace_track *track = fg_trace_track(trace, i);
        if (track->kind == kind) {
            /* Group 0 is that of tracks without a process. */
            result = keep(taken, track->process + 1, track->id, &ids->tracks[i], highest);
        }
    }
    return result;
}

/* Threads have the first choice: a queue of a process may have the number of one of its threads. */
static enum fg_result number_tracks(struct fgi_chrome_ids *ids, const struct fg_trace *trace,
                                    struct fgi_map64 *taken)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < ids->track_count; i++) {
        ids->tracks[i] = FG_NONE;
    }
    enum fg_result result = keep_tracks(ids, trace, FG_TRACK_THREAD, taken, &highest);
    if (result == FG_OK) {
        result = keep_tracks(ids, trace, FG_TRACK_GPU_QUEUE, taken, &highest);
    }
    for (uint32_t i = 0; i < ids->track_count; i++) {
        if (ids->tracks[i] == FG_NONE) {
            ids->tracks[i] = ++highest;
        }
    }
    ids->first_lane = highest + 1;
    return result;
}

enum fg_result fgi_chrome_ids_make(struct fgi_chrome_ids *ids, const struct fg_trace *trace)
{
    struct fgi_map64 processes = { .allocator = ids->allocator };
    struct fgi_map64 tracks = { .allocator = ids->allocator };
    while (fg_trace_process(trace, ids->process_count) != NULL) {
        ids->process_count++;
    }
    while (fg_trace_track(trace, ids->track_count) != NULL) {
        ids->track_count++;
    }
    ids->processes =
        fgi_calloc(ids->allocator, ids->process_count + (size_t)1, sizeof *ids->processes);
    ids->tracks = fgi_calloc(ids->allocator, ids->track_count + (size_t)1, sizeof *ids->tracks);
    enum fg_result result =
        ids->processes != NULL && ids->tracks != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        result = number_processes(ids, trace, &processes);
    }
    if (result == FG_OK) {
        result = number_tracks(ids, trace, &tracks);
    }
    fgi_map64_finish(&tracks);
    fgi_map64_finish(&processes);
    return result;
}

void fgi_chrome_ids_finish(struct fgi_chrome_ids *ids)
{
    fgi_free(ids->allocator, ids->tracks, (ids->track_count + (size_t)1) * sizeof *ids->tracks);
    fgi_free(ids->allocator, ids->processes,
             (ids->process_count + (size_t)1) * sizeof *ids->processes);
    *ids = (struct fgi_chrome_ids){ 0 };
}
