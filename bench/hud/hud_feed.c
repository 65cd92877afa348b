/* SPDX-License-Identifier: MIT */
#include "hud_feed.h"
#include "base/clock.h"

#define PASSES 12

const struct fg_hud_target hud_feed_target = { .width_px = 1920, .height_px = 1080, .scale = 1 };

void hud_feed(struct hud_feed *b)
{
    static const char *const names[PASSES] = { "frame",     "layout",   "scene",    "recordPicture",
                                               "draw",      "volatile", "titles",   "labels",
                                               "selection", "rulers",   "overlays", "flush" };
    const int64_t wobble_ns = (int64_t)(b->number * 7919 % 1000) * 1000;
    struct fg_hud_pass passes[PASSES];
    for (uint32_t i = 0; i < PASSES; i++) {
        passes[i] = (struct fg_hud_pass){ names[i], i == 0 ? 0 : 1 + i % 2, 200000 + wobble_ns };
    }
    b->present_ns += 16166667 + wobble_ns;
    const struct fg_hud_frame frame = {
        .number = ++b->number,
        .present_ns = b->present_ns,
        .cpu_ns = 5000000 + wobble_ns,
        .present_wait_ns = 4000000,
        .has = FG_HUD_HAS_ITEMS | FG_HUD_HAS_CULLED | FG_HUD_HAS_DRAWS | FG_HUD_HAS_TEXTURES,
        .item_count = 12000 + b->number % 100,
        .culled_count = 9000,
        .draw_count = 214,
        .texture_count = 86,
        .texture_bytes = 412000000,
        .cache = FG_HUD_CACHE_HIT,
        .passes = passes,
        .pass_count = PASSES,
    };
    fg_hud_metric(b->hud, "zoom", 12500 + wobble_ns / 1000, FG_UNIT_BASIS_POINTS);
    fg_hud_metric(b->hud, "undo memory", 18000000, FG_UNIT_BYTES);
    fg_hud_metric(b->hud, "network", 23400000 + wobble_ns, FG_UNIT_NS);
    fg_hud_metric(b->hud, "edits", 14, FG_UNIT_PER_SECOND);
    fg_hud_gpu_memory(b->hud, 1300000000, 8000000000);
    fg_hud_frame(b->hud, &frame);
    if (b->number > 2) {
        fg_hud_gpu(b->hud, b->number - 2, 11000000 + wobble_ns);
        fg_hud_own_gpu(b->hud, b->number - 2, 40000);
    }
}

void hud_feed_frame(struct hud_feed *b)
{
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    hud_feed(b);
    const int64_t fed_ns = fgi_clock_monotonic_ns();
    (void)fg_hud_build(b->hud, &hud_feed_target, &b->list);
    b->build_ns = fgi_clock_monotonic_ns() - fed_ns;
    b->feed_ns = fed_ns - begin_ns;
}
