/* SPDX-License-Identifier: MIT */
/* In a build without Vulkan. */
#include "cost_timer.h"

bool timer_vk_measure(struct timer_costs *out)
{
    (void)out;
    return false;
}
