/* SPDX-License-Identifier: MIT */
/* What recordings ask of the history. */
#ifndef FGI_INSTRUMENT_HISTORY_H
#define FGI_INSTRUMENT_HISTORY_H
#include "record/instrument/instrument_priv.h"

/** Sequence of the newest event; 0 = none so far. Takes `history`. */
uint64_t fgi_history_newest(void);
/**
 * The newest of the events `after` < sequence <= `last` that are still there, at most `capacity`,
 * at the end of `events`: how many there are. Takes `history`, a piece at a time.
 */
size_t fgi_history_copy_newest(uint64_t after, uint64_t last, struct fg_process_event *events,
                               size_t capacity);

#endif
