/* SPDX-License-Identifier: MIT */
/* What the tick in README.md needs around it: a game of ten frames, and a look at its metrics. */
#ifndef FGT_README_TICK_H
#define FGT_README_TICK_H
#include <frameglass/instrument.h>
#include <stdio.h>

struct game {
    int frame_count;
    int64_t heap_bytes;
};

static void update(struct game *game)
{
    game->frame_count++;
    game->heap_bytes += 1000;
}

static int draw(const struct game *game)
{
    return 5 * game->frame_count;
}

void tick(struct game *game);

int main(void)
{
    struct game game = { 0 };
    struct fg_snapshot *snapshot;
    while (game.frame_count < 10) {
        tick(&game);
    }
    if (fg_snapshot_take(0, &snapshot) != FG_OK) {
        return 1;
    }
    for (size_t i = 0; i < snapshot->metric_count; i++) {
        printf("%s %lld\n", snapshot->metrics[i].name, (long long)snapshot->metrics[i].value);
    }
    printf("frames %zu\n", snapshot->frame_count);
    fg_snapshot_free(snapshot);
    return 0;
}
#endif
