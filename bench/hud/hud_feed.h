/* SPDX-License-Identifier: MIT */
/*
 * The HUD that is measured: a full one. Every row, 12 passes, four metrics, and as many frames
 * behind it as were fed.
 */
#ifndef FGB_HUD_FEED_H
#define FGB_HUD_FEED_H
#include <frameglass/hud_draw.h>

struct hud_feed {
    struct fg_hud *hud;
    uint64_t number;
    int64_t present_ns;
    int64_t feed_ns;  /**< in the last frame, as the next */
    int64_t build_ns; /**< of the panel */
    struct fg_hud_list list;
};

extern const struct fg_hud_target hud_feed_target;

/** The statistics of a frame of an editor at 60 Hz, never the same twice. */
void hud_feed(struct hud_feed *feed);
/** The same, and the panel: both are timed. */
void hud_feed_frame(struct hud_feed *feed);

#endif
