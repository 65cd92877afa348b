/* SPDX-License-Identifier: MIT */
/*
 * A host application that is instrumented throughout: the loop of a game, with worker threads and a
 * sound thread, and no GPU. game_loop.h has the order of a frame.
 */
#include "game_loop.h"
#include "game_record.h"

#include <frameglass/instrument.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: gameloop [--seconds S] [--out PATH] [--threads N] [--seed N] [--fast]\n"
    "                [--mode off|stats|full] [--flight S] [--longest MS]\n"
    "  --seconds S   of the game's time; 5\n"
    "  --out PATH    record into this capture; with --flight, the folder for dumps, which exists\n"
    "  --threads N   workers; 3\n"
    "  --seed N      of the script; 1. What is counted depends on it and on --seconds alone\n"
    "  --fast        do not wait for the clock\n"
    "  --mode MODE   keep no more than this, though more was built in\n"
    "  --flight S    keep the last S seconds in memory, and write them at the end or at a crash\n"
    "  --longest MS  and when a frame takes longer\n";

struct options {
    double seconds;
    uint32_t thread_count, seed;
    bool is_fast;
    enum fg_instrument_mode mode;
    struct gm_record_options record;
};

static bool parse_mode(const char *text, enum fg_instrument_mode *out_mode)
{
    static const char *const words[] = { "off", "stats", "full" };
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out_mode = (enum fg_instrument_mode)i;
            return true;
        }
    }
    return false;
}

static bool parse_pair(const char *name, const char *value, struct options *options)
{
    if (strcmp(name, "--seconds") == 0) {
        options->seconds = strtod(value, NULL);
    } else if (strcmp(name, "--out") == 0) {
        options->record.path = value;
    } else if (strcmp(name, "--threads") == 0) {
        options->thread_count = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--seed") == 0) {
        options->seed = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--mode") == 0) {
        return parse_mode(value, &options->mode);
    } else if (strcmp(name, "--flight") == 0) {
        options->record.flight_ns = (int64_t)(strtod(value, NULL) * 1e9);
    } else if (strcmp(name, "--longest") == 0) {
        options->record.flight_longest_ns = (int64_t)(strtod(value, NULL) * 1e6);
    } else {
        return false;
    }
    return true;
}

static bool parse(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--fast") == 0) {
            options->is_fast = true;
        } else if (i + 1 == argc || !parse_pair(argv[i], argv[i + 1], options)) {
            return false;
        } else {
            i++;
        }
    }
    options->record.seed = options->seed;
    const bool has_folder = options->record.flight_ns == 0 || options->record.path != NULL;
    return has_folder && options->seconds > 0 && options->seconds < 1e6;
}

/* What the game itself counted, for whoever compares it with what Frameglass did. */
static void print_counts(const struct gm_game *game, uint64_t voices)
{
    printf("{\"frames\": %u, \"hidden\": %u, \"updates\": %u, \"draws\": %u, \"draw_calls\": %llu, "
           "\"primitives\": %llu, \"sprites\": %llu, \"areas\": %u, \"voices\": %llu}\n",
           game->frame_count, game->hidden_count, game->world.update_count,
           game->picture.draw_count, (unsigned long long)game->picture.graphics.draw_count,
           (unsigned long long)game->picture.graphics.primitive_count,
           (unsigned long long)game->picture.graphics.sprite_count, game->world.loaded_count,
           (unsigned long long)voices);
}

static enum fg_result run(const struct options *options)
{
    static struct gm_game game; /* large */
    struct fg_session *session = NULL;
    const uint32_t tick_count = (uint32_t)(options->seconds * 60.0 + 0.5);
    enum fg_result result = gm_record_start(&options->record, &session);
    if (result != FG_OK) {
        fprintf(stderr, "gameloop: cannot record into '%s'\n", options->record.path);
    }
    const bool is_ready =
        gm_game_init(&game, options->seed, options->thread_count, !options->is_fast);
    if (result == FG_OK && !is_ready) {
        result = FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; result == FG_OK && i < tick_count; i++) {
        gm_game_tick(&game);
    }
    const uint64_t voices = game.sound != NULL ? gm_sound_voices(game.sound) : 0;
    gm_game_finish(&game);
    const enum fg_result recorded = gm_record_finish(session);
    print_counts(&game, voices);
    return result != FG_OK ? result : recorded;
}

int main(int argc, char **argv)
{
    struct options options = {
        .seconds = 5, .thread_count = 3, .seed = 1, .mode = fg_instrument_build_mode()
    };
    if (!parse(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!fg_instrument_set_mode(options.mode)) {
        fputs("gameloop: not built for that mode\n", stderr);
        return 2;
    }
    fg_thread_set_name("main");
    enum fg_result result = run(&options);
    if (result == FG_OK) {
        result = gm_record_report();
    }
    if (result != FG_OK) {
        fprintf(stderr, "gameloop: %s\n", fg_result_text(result));
    }
    return result == FG_OK ? 0 : 1;
}
