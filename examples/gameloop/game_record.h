/* SPDX-License-Identifier: MIT */
/* A capture of a run: all of it as a stream, or only what was there when something went wrong. */
#ifndef GAME_RECORD_H
#define GAME_RECORD_H
#include <frameglass/session.h>

struct gm_record_options {
    const char *path;  /**< of the file, or of the folder for dumps; NULL = nothing is recorded */
    uint32_t seed;     /**< for the metadata */
    int64_t flight_ns; /**< 0 = a stream; otherwise keep so much time, and dump it at a crash, at
                            the end, ... */
    int64_t flight_longest_ns; /**< ... and when a frame takes longer; 0 = whatever it takes */
};
/** @param out_session NULL when there is no path */
FG_MUST_USE enum fg_result gm_record_start(const struct gm_record_options *options,
                                           struct fg_session **out_session);
/** The end of the capture. NULL is legal. */
FG_MUST_USE enum fg_result gm_record_finish(struct fg_session *session);
/** Print what was counted and lost in this process, for a person. */
FG_MUST_USE enum fg_result gm_record_report(void);

#endif
