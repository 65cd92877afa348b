/* SPDX-License-Identifier: MIT */
/*
 * The world outside: how much time passes from frame to frame, and what the window system says.
 *
 * A real program reads a clock here and asks its window for events. This one has a script made from
 * a seed, so that every run counts the same whatever the machine: most frames take a sixtieth of a
 * second, some take two or three, and now and then the window is put away.
 */
#ifndef GAME_SCRIPT_H
#define GAME_SCRIPT_H
#include <stdbool.h>
#include <stdint.h>

#define GM_STEP_NS 16666667 /* of the simulation, and of a frame in time */

struct gm_script {
    uint64_t random;
    uint32_t tick;         /**< ticks so far, suspended ones too */
    uint32_t hidden_ticks; /**< that are still to come */
};
enum gm_event_kind {
    GM_EVENT_KEY,
    GM_EVENT_RESIZE,
    GM_EVENT_HIDE, /**< minimised: no frames until it is shown again */
    GM_EVENT_SHOW,
};
struct gm_event {
    enum gm_event_kind kind;
    uint32_t a, b; /**< a key, or a size */
};
enum { GM_EVENTS_MAX = 8 };

void gm_script_init(struct gm_script *script, uint32_t seed);
/** Deterministic, and the same on every machine. */
uint32_t gm_random(uint64_t *state, uint32_t below);
/**
 * The next tick. @return number of events, at most GM_EVENTS_MAX
 * @param out_elapsed_ns since the tick before
 */
uint32_t gm_script_next(struct gm_script *script, struct gm_event events[GM_EVENTS_MAX],
                        int64_t *out_elapsed_ns);

#endif
