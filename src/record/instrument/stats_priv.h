/* SPDX-License-Identifier: MIT */
/* What metrics, frames, sources, objects and the snapshot of them ask of each other. */
#ifndef FGI_INSTRUMENT_STATS_H
#define FGI_INSTRUMENT_STATS_H
#include "record/instrument/instrument_priv.h"
#include <frameglass/object.h>

/* ---- process_metrics.c: for whoever is ending a frame of the process; one at a time ---- */

/** Read the frame counters, which begin again at 0. `values` has FG_HISTORY_FRAME_COUNTERS. */
uint32_t fgi_metrics_end_frame(struct fg_frame_value *values);
/** They begin again at 0, and what they counted belongs to no frame. */
void fgi_metrics_give_up_frame(void);

/* ---- sources.c ------------------------------------------------------------------------------- */

/** Call each source once. No lock is held while one runs. */
void fgi_sources_collect(void);

/* ---- frames.c -------------------------------------------------------------------------------- */

/** Complete frames in the history now. */
size_t fgi_frames_count(void);
/** The newest of them, at most `capacity`, oldest first and without a hole. Takes no lock. */
size_t fgi_frames_copy(struct fg_loop_row *rows, size_t capacity);

/* ---- process_objects.c ----------------------------------------------------------------------- */

/** All that live. Takes `objects`. */
void fgi_objects_totals(uint64_t *out_count, uint64_t *out_bytes);
/** A copy of all rows with their names in one block; with the totals of the same instant. */
struct fgi_object_copy {
    struct fg_object_row *rows;
    size_t row_count;
    uint64_t total_bytes;
    size_t block_bytes; /**< of the block at `rows`: fgi_free() */
};
FG_MUST_USE enum fg_result fgi_objects_copy(struct fgi_object_copy *out_copy);

#endif
