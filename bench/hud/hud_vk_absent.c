/* SPDX-License-Identifier: MIT */
/* In a build without Vulkan. */
#include "hud_vk.h"

struct hud_vk *hud_vk_open(void)
{
    return NULL;
}

void hud_vk_close(struct hud_vk *vk)
{
    (void)vk;
}

const char *hud_vk_device(const struct hud_vk *vk)
{
    (void)vk;
    return "";
}

int64_t hud_vk_frame(struct hud_vk *vk, const struct fg_hud_list *list)
{
    (void)vk;
    (void)list;
    return 0;
}
