/* SPDX-License-Identifier: MIT */
#include "cost_timer.h"
#include "hud_gl.h"
#include <frameglass/gpu_opengl.h>

static void nothing(struct timer_bed *bed)
{
    (void)bed;
}

static struct fg_commands *begin(struct timer_bed *bed, struct fg_frame *frame)
{
    return fg_opengl_commands_begin(bed->device, frame);
}

static void draw(struct timer_bed *bed)
{
    (void)hud_gl_frame(bed->native, NULL);
}

bool timer_gl_measure(struct hud_gl *gl, struct timer_costs *out)
{
    struct timer_bed bed = {
        .native = gl, .prepare = nothing, .begin = begin, .work = draw, .submit = draw
    };
    if (gl == NULL ||
        fg_opengl_device_create(FG_OPENGL_OPTIONS(.get_proc_address = hud_gl_getter(gl)),
                                &bed.device) != FG_OK) {
        return false;
    }
    const bool is_measured =
        fg_opengl_get_timing(bed.device) != FG_OPENGL_TIMING_NONE && timer_measure(&bed, out);
    fg_device_destroy(bed.device);
    return is_measured;
}
