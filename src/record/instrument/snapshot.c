/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: owned copies of what is counted and what lives. Names of metrics are lent, since they
 * stay for ever; rows of frames are copied without a lock; nothing here is held while an end of a
 * frame would wait for it.
 */
#include "record/instrument/stats_priv.h"

#include <string.h>

/* What the caller sees comes first. */
struct owned {
    struct fg_snapshot face;
    const struct fg_allocator *allocator; /* of all of it */
    struct fg_metric_row *metrics;
    size_t metric_capacity;
    struct fg_loop_row *frames;
    size_t frame_capacity;
    struct fgi_object_copy objects;
};

static void copy_losses(struct fg_instrument_losses *out)
{
    const uint64_t *from = (const uint64_t *)&fgi_losses;
    uint64_t *to = (uint64_t *)out;
    _Static_assert(sizeof *out % sizeof(uint64_t) == 0, "all fields are counters");
    for (size_t i = 0; i < sizeof *out / sizeof(uint64_t); i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    }
}

static void take_metric(void *context, const struct fgi_metric_view *view)
{
    struct owned *owned = context;
    if (owned->face.metric_count < owned->metric_capacity) {
        owned->metrics[owned->face.metric_count++] = view->row;
    }
}

static enum fg_result take_metrics(struct owned *owned)
{
    owned->metric_capacity = FG_METRICS_MAX;
    owned->metrics = fgi_malloc(owned->allocator, FG_METRICS_MAX * sizeof *owned->metrics);
    if (owned->metrics == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_metrics_each(take_metric, owned);
    owned->face.metrics = owned->metrics;
    return FG_OK;
}

static enum fg_result take_frames(struct owned *owned)
{
    owned->frame_capacity = fgi_frames_count();
    if (owned->frame_capacity == 0) {
        return FG_OK;
    }
    owned->frames = fgi_malloc(owned->allocator, owned->frame_capacity * sizeof *owned->frames);
    if (owned->frames == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    owned->face.frame_count = fgi_frames_copy(owned->frames, owned->frame_capacity);
    owned->face.frames = owned->frames;
    return FG_OK;
}

static enum fg_result take_objects(struct owned *owned, bool with_rows)
{
    if (!with_rows) {
        fgi_objects_totals(&owned->face.object_count, &owned->face.object_total_bytes);
        return FG_OK;
    }
    enum fg_result result = fgi_objects_copy(&owned->objects);
    owned->face.objects = owned->objects.rows;
    owned->face.object_row_count = owned->objects.row_count;
    owned->face.object_count = owned->objects.row_count;
    owned->face.object_total_bytes = owned->objects.total_bytes;
    return result;
}

static enum fg_result fill(struct owned *owned, uint32_t parts)
{
    enum fg_result result = FG_OK;
    if (parts & FG_SNAPSHOT_METRICS) {
        result = take_metrics(owned);
    }
    if (result == FG_OK && (parts & FG_SNAPSHOT_FRAMES)) {
        result = take_frames(owned);
    }
    if (result == FG_OK) {
        result = take_objects(owned, (parts & FG_SNAPSHOT_OBJECTS) != 0);
    }
    return result;
}

enum fg_result fg_snapshot_take(uint32_t parts, struct fg_snapshot **out_snapshot)
{
    if (out_snapshot == NULL) {
        return FG_ERR_ARGUMENT;
    }
    /*
     * Where the application was called back with our locks held, in a fork's child, or without
     * memory for the locks, there are the modes and no more; and no memory from the application.
     */
    const bool is_whole = fgi_instrument_ready() && !fgi_drain_is_mine();
    const struct fg_allocator *allocator = is_whole ? fgi_instrument_allocator() : NULL;
    struct owned *owned = fgi_calloc(allocator, 1, sizeof *owned);
    if (owned == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    owned->allocator = allocator;
    owned->face.build_mode = fg_instrument_build_mode();
    owned->face.mode = fg_instrument_mode();
    enum fg_result result = FG_OK;
    if (is_whole) {
        if (owned->face.mode == FG_INSTRUMENT_FULL) {
            fgi_drain();
        }
        const uint32_t usual = FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES;
        result = fill(owned, parts != 0 ? parts : usual);
    }
    if (result != FG_OK) {
        fg_snapshot_free(&owned->face);
        return result;
    }
    copy_losses(&owned->face.losses);
    *out_snapshot = &owned->face;
    return FG_OK;
}

void fg_snapshot_free(struct fg_snapshot *snapshot)
{
    struct owned *owned = (struct owned *)snapshot;
    if (owned != NULL) {
        const struct fg_allocator *allocator = owned->allocator;
        fgi_free(allocator, owned->metrics, owned->metric_capacity * sizeof *owned->metrics);
        fgi_free(allocator, owned->frames, owned->frame_capacity * sizeof *owned->frames);
        fgi_free(allocator, owned->objects.rows, owned->objects.block_bytes);
        fgi_free(allocator, owned, sizeof *owned);
    }
}
