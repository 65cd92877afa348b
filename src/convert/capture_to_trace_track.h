/* SPDX-License-Identifier: MIT */
/* Processes and tracks of a capture, and what they become. There may be very many of them. */
#ifndef FGI_CAPTURE_TO_TRACE_TRACK_H
#define FGI_CAPTURE_TO_TRACE_TRACK_H
#include "convert/capture_to_trace_priv.h"

enum { FGI_USED_BY_BLOCKS = 1, FGI_USED_BY_OTHERS = 2 };

/* First reading. What is stated again counts as it is stated last. */
void fgi_convert_see_track(struct fgi_conversion *c, const struct fg_cap_track *track);
void fgi_convert_see_process(struct fgi_conversion *c, const struct fg_cap_process *process);
/** Something of a track is on a clock. */
void fgi_convert_mark_use(struct fgi_conversion *c, uint32_t track, uint32_t clock, uint32_t use);

/**
 * Between the readings: processes and tracks in the order in which the capture wants them shown.
 *
 * @param previous the trace of the same capture before it grew: numbers that were there stay; NULL
 */
void fgi_convert_make_tracks(struct fgi_conversion *c, const struct fg_trace *previous);

/** What the capture says of a track; NULL: nothing. */
const struct fg_cap_track *fgi_convert_find_track(const struct fgi_conversion *c, uint32_t id);
/** Number of a process in the trace; 0 when the capture says nothing of it. */
uint32_t fgi_convert_process(const struct fgi_conversion *c, uint32_t id);
/** The counter of a name on a track; made when it is new, with a track of its own. */
uint32_t fgi_convert_make_counter(struct fgi_conversion *c, uint32_t name, uint32_t unit,
                                  uint32_t cap_track, bool is_double);

#endif
