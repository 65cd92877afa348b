/* SPDX-License-Identifier: MIT */
/* A command buffer of Vulkan to record a HUD into. It is not submitted. */
#ifndef FGB_HUD_VK_H
#define FGB_HUD_VK_H
#include <frameglass/hud_draw.h>

struct hud_vk;

/** NULL: this machine or this build has none. */
struct hud_vk *hud_vk_open(void);
void hud_vk_close(struct hud_vk *vk);
const char *hud_vk_device(const struct hud_vk *vk);
/**
 * A frame is a command buffer with one rendering that clears.
 *
 * @param list NULL = the frame is empty
 * @return CPU time: of the draw alone, or of the whole empty frame; 0 for NULL
 */
int64_t hud_vk_frame(struct hud_vk *vk, const struct fg_hud_list *list);

#endif
