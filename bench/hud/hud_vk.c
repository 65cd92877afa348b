/* SPDX-License-Identifier: MIT */
#include "hud_vk.h"

#include "base/clock.h"
#include "vulkan_bed.h"
#include <frameglass/hud_vulkan.h>

#include <stdlib.h>

struct hud_vk {
    struct bed bed;
    struct fg_hud_vulkan *renderer;
    VkCommandBuffer commands;
};

struct hud_vk *hud_vk_open(void)
{
    struct hud_vk *vk = calloc(1, sizeof *vk);
    if (vk == NULL || !bed_create(&vk->bed, BED_WITHOUT_VALIDATION)) {
        free(vk);
        return NULL;
    }
    vk->commands = bed_commands(&vk->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    if (fg_hud_vulkan_create(FG_HUD_VULKAN_OPTIONS(.instance = vk->bed.instance,
                                                   .device = vk->bed.device,
                                                   .physical_device = vk->bed.physical,
                                                   .get_instance_proc_addr = vkGetInstanceProcAddr,
                                                   .color_format = VK_FORMAT_R8G8B8A8_UNORM),
                             &vk->renderer) != FG_OK) {
        hud_vk_close(vk);
        return NULL;
    }
    return vk;
}

void hud_vk_close(struct hud_vk *vk)
{
    if (vk != NULL) {
        fg_hud_vulkan_destroy(vk->renderer);
        bed_destroy(&vk->bed);
        free(vk);
    }
}

const char *hud_vk_device(const struct hud_vk *vk)
{
    return vk->bed.properties.deviceName;
}

int64_t hud_vk_frame(struct hud_vk *vk, const struct fg_hud_list *list)
{
    if (vk == NULL) {
        return 0;
    }
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    int64_t draw_ns = 0;
    bed_begin(vk->commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    bed_rendering_begin(&vk->bed, vk->commands, 0, 0);
    if (list != NULL) {
        const int64_t draw_begin_ns = fgi_clock_monotonic_ns();
        fg_hud_vulkan_draw(vk->renderer, vk->commands, 0, list);
        draw_ns = fgi_clock_monotonic_ns() - draw_begin_ns;
    }
    bed_rendering_end(vk->commands);
    bed_end(vk->commands);
    return list != NULL ? draw_ns : fgi_clock_monotonic_ns() - begin_ns;
}
