/* SPDX-License-Identifier: MIT */
#include "game_script.h"

enum { HIDE_EVERY = 200, HIDDEN_TICKS = 20, RESIZE_EVERY = 150, SLOW_EVERY = 40 };

void gm_script_init(struct gm_script *script, uint32_t seed)
{
    *script = (struct gm_script){ .random = seed };
}

uint32_t gm_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * below >> 32);
}

uint32_t gm_script_next(struct gm_script *script, struct gm_event events[GM_EVENTS_MAX],
                        int64_t *out_elapsed_ns)
{
    uint32_t count = 0;
    const uint32_t tick = ++script->tick;
    *out_elapsed_ns = GM_STEP_NS;
    if (script->hidden_ticks != 0) {
        if (--script->hidden_ticks == 0) {
            events[count++] = (struct gm_event){ .kind = GM_EVENT_SHOW };
        }
        return count;
    }
    if (gm_random(&script->random, SLOW_EVERY) == 0) {
        *out_elapsed_ns *= 2 + gm_random(&script->random, 2); /* the simulation has to catch up */
    }
    for (uint32_t keys = gm_random(&script->random, 3); keys != 0; keys--) {
        const uint32_t key = gm_random(&script->random, 26);
        events[count++] = (struct gm_event){ .kind = GM_EVENT_KEY, .a = 'a' + key };
    }
    if (tick % RESIZE_EVERY == 0) {
        const uint32_t step = gm_random(&script->random, 3);
        events[count++] = (struct gm_event){ .kind = GM_EVENT_RESIZE,
                                             .a = 320 + 160 * step,
                                             .b = 180 + 90 * step };
    }
    if (tick % HIDE_EVERY == 0) {
        events[count++] = (struct gm_event){ .kind = GM_EVENT_HIDE };
        script->hidden_ticks = HIDDEN_TICKS;
    }
    return count;
}
