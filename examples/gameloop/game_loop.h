/* SPDX-License-Identifier: MIT */
/*
 * The host: a loop with a fixed time step.
 *
 *     FG_FRAME                the frame of the process, around all of it
 *       Game/Tick             what a player waits for, first in and last out
 *         Game/Events
 *         Game/Update         no, one or several steps, as many as the time asks for
 *         Game/Draw
 *         Game/Present
 *       Game/Pacing           until the next frame is due; told as time that was no work
 *
 * The frame opens before the tick and closes after it, so that the tick is complete when the
 * frame's end collects what happened. While the window is hidden there are no frames at all: a
 * suspended program has no frame rate.
 */
#ifndef GAME_LOOP_H
#define GAME_LOOP_H
#include "game_picture.h"
#include "game_script.h"
#include "game_sound.h"

struct gm_game {
    struct gm_script script;
    struct gm_jobs *jobs;
    struct gm_sound *sound;
    struct gm_world world;
    struct gm_picture picture;
    int64_t lag_ns; /**< time that the simulation is behind */
    int64_t due_ns; /**< when the next frame begins, CLOCK_MONOTONIC */
    bool is_paced;  /**< false: as fast as it goes */
    bool is_hidden;
    uint32_t frame_count;
    uint32_t hidden_count; /**< ticks without a frame */
    uint32_t source;       /**< registration of the game's own metrics */
};

/** False: out of memory or threads; then finish it all the same. */
bool gm_game_init(struct gm_game *game, uint32_t seed, uint32_t thread_count, bool is_paced);
void gm_game_finish(struct gm_game *game);
/** One frame; or a tick without one, while the window is hidden. */
void gm_game_tick(struct gm_game *game);

#endif
