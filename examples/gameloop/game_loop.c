/* SPDX-License-Identifier: MIT */
#include "game_loop.h"

#include <frameglass/instrument.h>
#include <time.h>

static int64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * What is cheaper to ask for once a frame than to count at every change: a source. It runs at the
 * end of each frame, and its time is part of the frame.
 */
static bool tell_loaded(void *context)
{
    const struct gm_game *game = context;
    uint32_t loaded = 0;
    for (int i = 0; i < GM_AREAS; i++) {
        loaded += game->world.areas[i].number != 0 ? 1u : 0u;
    }
    FG_GAUGE_SET("World/LoadedAreas", FG_UNIT_COUNT, loaded);
    FG_GAUGE_SET("World/LagBehind", FG_UNIT_NS, game->lag_ns);
    return true;
}

bool gm_game_init(struct gm_game *game, uint32_t seed, uint32_t thread_count, bool is_paced)
{
    *game = (struct gm_game){ .is_paced = is_paced, .due_ns = now_ns() };
    gm_script_init(&game->script, seed);
    gm_world_init(&game->world, seed);
    gm_picture_init(&game->picture, 640, 360);
    game->jobs = gm_jobs_create(thread_count);
    game->sound = gm_sound_create();
    game->source = fg_metric_source_add(tell_loaded, game);
    return game->jobs != NULL && game->sound != NULL;
}

void gm_game_finish(struct gm_game *game)
{
    fg_metric_source_remove(game->source);
    gm_sound_destroy(game->sound);
    gm_jobs_destroy(game->jobs);
    gm_picture_finish(&game->picture);
    gm_world_finish(&game->world);
}

static void take_event(struct gm_game *game, const struct gm_event *event)
{
    switch (event->kind) {
    case GM_EVENT_KEY:
        gm_world_key(&game->world, event->a);
        if (event->a % 2 == 0) {
            gm_sound_play(game->sound, 10 + event->a % 20);
        }
        break;
    case GM_EVENT_RESIZE:
        FG_EVENT("window resized", event->a);
        gm_picture_resize(&game->picture, event->a, event->b);
        break;
    case GM_EVENT_HIDE:
        FG_EVENT("window hidden", 0);
        game->is_hidden = true;
        break;
    case GM_EVENT_SHOW:
        FG_EVENT("window shown", 0);
        game->is_hidden = false;
        break;
    }
}

static int64_t poll_events(struct gm_game *game)
{
    FG_ZONE("Game/Events");
    struct gm_event events[GM_EVENTS_MAX];
    int64_t elapsed_ns;
    const uint32_t count = gm_script_next(&game->script, events, &elapsed_ns);
    for (uint32_t i = 0; i < count; i++) {
        take_event(game, &events[i]);
    }
    return elapsed_ns;
}

static void present(struct gm_game *game)
{
    FG_ZONE("Game/Present");
    /* Where a real program gives the picture to the window, and waits for it when it must. */
    game->frame_count++;
}

/* Sleep until it is time. Not for what is late already: then the beat starts anew from here. */
static int64_t pace(struct gm_game *game, int64_t elapsed_ns)
{
    const int64_t begin_ns = now_ns();
    game->due_ns += elapsed_ns;
    if (!game->is_paced || game->due_ns <= begin_ns) {
        game->due_ns = begin_ns;
        return 0;
    }
    const struct timespec due = { .tv_sec = game->due_ns / 1000000000,
                                  .tv_nsec = game->due_ns % 1000000000 };
    FG_ZONE("Game/Pacing");
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0) {
    }
    return now_ns() - begin_ns;
}

static int64_t tick(struct gm_game *game)
{
    FG_ZONE("Game/Tick");
    const int64_t elapsed_ns = poll_events(game);
    game->lag_ns += elapsed_ns;
    while (game->lag_ns >= GM_STEP_NS) {
        gm_world_update(&game->world, game->jobs);
        game->lag_ns -= GM_STEP_NS;
    }
    gm_picture_draw(&game->picture, &game->world);
    present(game);
    gm_sound_advance(game->sound, elapsed_ns);
    return elapsed_ns;
}

void gm_game_tick(struct gm_game *game)
{
    if (game->is_hidden) {
        game->hidden_count++;
        (void)pace(game, poll_events(game));
        return;
    }
    FG_FRAME();
    const int64_t elapsed_ns = tick(game);
    fg_loop_waited(NULL, pace(game, elapsed_ns));
}
