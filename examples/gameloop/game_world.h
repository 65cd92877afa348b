/* SPDX-License-Identifier: MIT */
/* The game itself: things that move, and areas that are loaded and left behind. */
#ifndef GAME_WORLD_H
#define GAME_WORLD_H
#include "game_graphics.h"
#include "game_jobs.h"
#include "game_script.h"

enum { GM_THINGS = 4096, GM_AREAS = 3, GM_AREA_TEXTURES = 4 };

/** What is loaded together. */
struct gm_area {
    uint32_t number; /**< from 1; 0 = none */
    struct gm_resource textures[GM_AREA_TEXTURES];
    struct gm_resource vertices, indices;
};
struct gm_world {
    float x[GM_THINGS], y[GM_THINGS], to_x[GM_THINGS], to_y[GM_THINGS];
    uint32_t frame_of[GM_THINGS]; /**< of its animation */
    uint32_t update_count;
    uint32_t key_count;
    struct gm_area areas[GM_AREAS];
    uint32_t loaded_count; /**< areas so far */
};

void gm_world_init(struct gm_world *world, uint32_t seed);
void gm_world_finish(struct gm_world *world);
void gm_world_key(struct gm_world *world, uint32_t key);
/** One step of GM_STEP_NS. */
void gm_world_update(struct gm_world *world, struct gm_jobs *jobs);

#endif
