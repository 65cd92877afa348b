/* SPDX-License-Identifier: MIT */
#include "hud_scene.h"

#include <stddef.h>

int64_t fgt_hud_clock_now(void *clock)
{
    struct fgt_hud_clock *c = clock;
    c->reads++;
    c->now_ns += c->step_ns;
    return c->now_ns;
}

/** The same spread on every machine. */
static int64_t spread(uint64_t n, int64_t range)
{
    n = (n ^ (n >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    n = (n ^ (n >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)((n ^ (n >> 31)) % (uint64_t)range);
}

#define HITCH 1058

static int64_t gpu_time(uint64_t n)
{
    return 11500000 + spread(n + 7777, 2500000) + (n == HITCH ? 29000000 : 0);
}

static void tell_frame(struct fg_hud *hud, struct fgt_hud_clock *clock, uint64_t n)
{
    const bool is_slow = n % 37 == 0;
    const bool is_hitch = n == HITCH;
    const int64_t cpu_ns = 5200000 + spread(n, 1800000) + (is_slow ? 9000000 : 0);
    const int64_t frame_ns = is_hitch  ? 44000000
                             : is_slow ? 20500000
                                       : 16650000 + spread(n + 999, 60000);
    const struct fg_hud_pass passes[] = {
        { "frame", 0, cpu_ns },
        { "layout:compute", 1, 310000 + spread(n, 90000) },
        { "scene", 1, cpu_ns - 2600000 },
        { "recordPicture", 2, is_slow ? 9000000 : 0 },
        { "drawPicture", 2, 1900000 + spread(n + 3, 300000) },
        { "volatile", 2, 420000 },
        { "sectionTitles", 1, 180000 + spread(n + 4, 20000) },
        { "componentLabels", 1, 140000 },
        { "selection", 1, 96000 + spread(n + 5, 9000) },
        { "rulers", 1, 210000 },
        { "flush", 1, 1350000 + spread(n + 6, 200000) },
    };
    const struct fg_hud_frame frame = {
        .number = n,
        .present_ns = clock->now_ns += n == 1085 ? 30000000000 : frame_ns,
        .cpu_ns = cpu_ns,
        .present_wait_ns = is_slow || is_hitch ? 0 : 2200000 + spread(n + 8, 400000),
        .has = FG_HUD_HAS_ITEMS | FG_HUD_HAS_CULLED | FG_HUD_HAS_DRAWS | FG_HUD_HAS_TEXTURES,
        .item_count = 12480,
        .culled_count = 9317,
        .draw_count = 214 + (uint64_t)spread(n, 12),
        .texture_count = 86,
        .texture_bytes = 412 * 1024 * 1024ull,
        .cache = is_slow ? FG_HUD_CACHE_RECORDED : FG_HUD_CACHE_HIT,
        .cache_reason = is_slow ? "zoom" : NULL,
        .passes = passes,
        .pass_count = sizeof passes / sizeof passes[0],
    };
    if (n == 1085) {
        fg_hud_idle(hud);
    }
    fg_hud_own_cost(hud, 21000, 1);
    fg_hud_frame(hud, &frame);
    if (n >= 2) {
        fg_hud_gpu(hud, n - 2, n % 29 == 0 ? -1 : gpu_time(n - 2));
        fg_hud_own_gpu(hud, n - 2, 38000);
    }
}

struct fg_hud *fgt_hud_scene(struct fgt_hud_clock *clock)
{
    struct fg_hud *hud = NULL;
    *clock = (struct fgt_hud_clock){ .now_ns = 1000000000 };
    if (fg_hud_create(FG_HUD_OPTIONS(.flags = FG_HUD_NO_PROCESS_MEMORY, .now_ns = fgt_hud_clock_now,
                                     .clock_context = clock),
                      &hud) != FG_OK) {
        return NULL;
    }
    for (uint64_t n = 1; n <= 1100; n++) {
        tell_frame(hud, clock, n);
    }
    fg_hud_gpu_memory(hud, 1342177280, 8589934592);
    fg_hud_metric(hud, "zoom", 12500, FG_UNIT_BASIS_POINTS);
    fg_hud_metric(hud, "undo memory", 18874368, FG_UNIT_BYTES);
    fg_hud_metric(hud, "network delay", 23400000, FG_UNIT_NS);
    fg_hud_metric(hud, "edits", 14, FG_UNIT_PER_SECOND);
    return hud;
}
