/* SPDX-License-Identifier: MIT */
/* What the lines in docs/HUD.md need around them: a device, and frames of one pass. */
#ifndef FGT_HUD_TIMES_H
#define FGT_HUD_TIMES_H
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/hud.h>
#include <frameglass/timing.h>

#include <stdlib.h>

struct times;
enum fg_result ask_for_times(struct fg_device *device, struct times *times, uint64_t next_number);

static void draw_frame(struct fg_device *device, struct fg_software_commands *native)
{
    const struct fg_software_submission one = { .commands = &native, .commands_count = 1 };
    struct fg_frame *frame = fg_frame_begin(device);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "scene" });
    fg_software_work(native, 1000000, 0);
    fg_gpu_pass_end(commands);
    fg_commands_end(commands);
    fg_frame_submit(frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 },
                    NULL);
    if (fg_software_submit(device, &one) != FG_OK) {
        exit(3);
    }
    fg_frame_end(frame);
    fg_software_advance(device, 2000000);
    (void)fg_software_commands_reset(native);
}

/** 20 frames, from number 7 on. @return 0: their times came to the HUD, none got lost */
static int show_frames(struct fg_hud *hud, struct times *times)
{
    struct fg_device *device = NULL;
    struct fg_software_commands *native = NULL;
    struct fg_hud_statistics statistics;
    if (fg_software_device_create(NULL, &device) != FG_OK ||
        fg_software_commands_create(device, &native) != FG_OK ||
        ask_for_times(device, times, 7) != FG_OK) {
        return 2;
    }
    for (uint64_t number = 7; number < 27; number++) {
        draw_frame(device, native);
        fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = number });
    }
    (void)fg_hud_get_statistics(hud, &statistics);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
    fg_hud_destroy(hud);
    return statistics.gpu.count > 10 && statistics.gpu_lost == 0 ? 0 : 1;
}
#endif
