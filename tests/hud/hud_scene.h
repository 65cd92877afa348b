/* SPDX-License-Identifier: MIT */
/* A program that never ran: its frames are made up, the same each time. */
#ifndef FGT_HUD_SCENE_H
#define FGT_HUD_SCENE_H
#include <frameglass/hud_draw.h>

/** Time that moves only when it is told to; reads are counted. */
struct fgt_hud_clock {
    int64_t now_ns;
    int64_t step_ns; /**< that each read takes */
    uint64_t reads;
};
int64_t fgt_hud_clock_now(void *clock);

/** A HUD that has seen 1100 frames of an editor: steady, with hitches, a gap, missing GPU times. */
struct fg_hud *fgt_hud_scene(struct fgt_hud_clock *clock);

#endif
