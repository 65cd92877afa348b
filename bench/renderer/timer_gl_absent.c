/* SPDX-License-Identifier: MIT */
/* In a build without EGL. */
#include "cost_timer.h"

bool timer_gl_measure(struct hud_gl *gl, struct timer_costs *out)
{
    (void)gl;
    (void)out;
    return false;
}
