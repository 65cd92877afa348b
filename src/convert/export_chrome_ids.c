/* SPDX-License-Identifier: MIT */
#include "convert/export_chrome_ids.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <frameglass/trace.h>

/* How far from 0 a number is kept: doubles hold integers up to 2^53, and those that are given above
 * it have to be told apart as well. */
#define ID_MOST ((INT64_C(1) << 53) - (INT64_C(1) << 34))

/* What is taken: numbers have an index of their own, so that a group and a number fit a key. */
struct taken {
    struct fgi_map64 numbers, pairs;
    int64_t highest; /* of all that are kept; at least 0 */
};

/* No number is kept there: nothing has it. */
#define NOT_YET INT64_MIN

/* Takes a number for `group` if it can be kept and nobody has it there; *out_id stays otherwise. */
static enum fg_result keep(struct taken *taken, uint32_t group, int64_t id, int64_t *out_id)
{
    uint32_t number = (uint32_t)taken->numbers.count, owner;
    enum fg_result result = FG_OK;
    if (id < -ID_MOST || id > ID_MOST) {
        return FG_OK;
    }
    if (!fgi_map64_get(&taken->numbers, (uint64_t)id, &number)) {
        result = fgi_map64_put(&taken->numbers, (uint64_t)id, number);
    }
    uint64_t key = (uint64_t)group << 32 | number;
    if (result != FG_OK || fgi_map64_get(&taken->pairs, key, &owner)) {
        return result;
    }
    *out_id = id;
    taken->highest = id > taken->highest ? id : taken->highest;
    return fgi_map64_put(&taken->pairs, key, 1);
}

static void taken_finish(struct taken *taken)
{
    fgi_map64_finish(&taken->pairs);
    fgi_map64_finish(&taken->numbers);
}

static enum fg_result number_processes(struct fgi_chrome_ids *ids, const struct fg_trace *trace)
{
    struct taken taken = { .numbers.allocator = ids->allocator, .pairs.allocator = ids->allocator };
    enum fg_result result = FG_OK;
    uint32_t owner;
    for (uint32_t i = 0; i < ids->process_count && result == FG_OK; i++) {
        ids->processes[i] = NOT_YET;
        result = keep(&taken, 0, fg_trace_process(trace, i)->id, &ids->processes[i]);
    }
    bool is_zero_taken = fgi_map64_get(&taken.numbers, 0, &owner);
    for (uint32_t i = 0; i < ids->process_count; i++) {
        if (ids->processes[i] == NOT_YET) {
            ids->processes[i] = ++taken.highest;
        }
    }
    ids->no_process = is_zero_taken ? taken.highest + 1 : 0;
    taken_finish(&taken);
    return result;
}

/* Numbers of the tracks of one kind; those without one stay NOT_YET. */
static enum fg_result keep_tracks(struct fgi_chrome_ids *ids, const struct fg_trace *trace,
                                  enum fg_track_kind kind, struct taken *taken)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < ids->track_count && result == FG_OK; i++) {
        const struct fg_trace_track *track = fg_trace_track(trace, i);
        if (track->kind == kind) {
            /* Group 0 is that of tracks without a process. */
            result = keep(taken, track->process + 1, track->id, &ids->tracks[i]);
        }
    }
    return result;
}

/* Threads have the first choice: a queue of a process may have the number of one of its threads. */
static enum fg_result number_tracks(struct fgi_chrome_ids *ids, const struct fg_trace *trace)
{
    struct taken taken = { .numbers.allocator = ids->allocator, .pairs.allocator = ids->allocator };
    for (uint32_t i = 0; i < ids->track_count; i++) {
        ids->tracks[i] = NOT_YET;
    }
    enum fg_result result = keep_tracks(ids, trace, FG_TRACK_THREAD, &taken);
    if (result == FG_OK) {
        result = keep_tracks(ids, trace, FG_TRACK_GPU_QUEUE, &taken);
    }
    for (uint32_t i = 0; i < ids->track_count; i++) {
        if (ids->tracks[i] == NOT_YET) {
            ids->tracks[i] = ++taken.highest;
        }
    }
    ids->first_lane = taken.highest + 1;
    taken_finish(&taken);
    return result;
}

enum fg_result fgi_chrome_ids_make(struct fgi_chrome_ids *ids, const struct fg_trace *trace)
{
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
        result = number_processes(ids, trace);
    }
    if (result == FG_OK) {
        result = number_tracks(ids, trace);
    }
    return result;
}

void fgi_chrome_ids_finish(struct fgi_chrome_ids *ids)
{
    fgi_free(ids->allocator, ids->tracks, (ids->track_count + (size_t)1) * sizeof *ids->tracks);
    fgi_free(ids->allocator, ids->processes,
             (ids->process_count + (size_t)1) * sizeof *ids->processes);
    *ids = (struct fgi_chrome_ids){ 0 };
}
