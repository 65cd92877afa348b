/* SPDX-License-Identifier: MIT */
#include "gpu/commands/commands_wrap.h"

#ifndef FGI_DRAWS_HAVE_VULKAN
const struct fgi_command_api fgi_commands_vulkan = { NULL, 0 };
#else
#include "gpu/commands/commands_vulkan_list.h"
#include "gpu/draws/draws_vulkan_list.h"

#define FGI_COMMANDS_PREFIX "vk"
#define FGI_COMMANDS_CALL   VKAPI_PTR
#define FGI_COMMANDS_FIRST  FGI_COMMANDS_OPENGL_MAX

enum {
    FGI_DRAWS_VULKAN(FGI_COMMANDS_DRAW_INDEX, 0) FGI_COMMANDS_VULKAN(FGI_COMMANDS_INDEX)
        FGI_COMMANDS_VULKAN_RESULTS(FGI_COMMANDS_INDEX) ENTRIES
};
_Static_assert(FGI_COMMANDS_FIRST + ENTRIES <= FGI_COMMANDS_MAX, "numbers of all");
static _Atomic(fgi_slot_function) originals[ENTRIES];
static const struct fgi_command_entry entries[ENTRIES];

/* A wrapper that is not of its entry point's type would lose arguments. */
#define SAME_TYPE(role, name, parameters, arguments)                                               \
    _Static_assert(_Generic((PFN_vk##name)0, void(VKAPI_PTR *) parameters : 1, default : 0), #name);
FGI_COMMANDS_VULKAN(SAME_TYPE)
#define SAME_RESULT(role, name, parameters, arguments, tell)                                       \
    _Static_assert(_Generic((PFN_vk##name)0, VkResult(VKAPI_PTR *) parameters : 1, default : 0),   \
                   #name);
FGI_COMMANDS_VULKAN_RESULTS(SAME_RESULT)

static void tell(const VkSubmitInfo *submits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < submits[i].commandBufferCount; j++) {
            fgi_commands_note_submitted(submits[i].pCommandBuffers[j]);
        }
    }
}

static void tell2(const VkSubmitInfo2 *submits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < submits[i].commandBufferInfoCount; j++) {
            fgi_commands_note_submitted(submits[i].pCommandBufferInfos[j].commandBuffer);
        }
    }
}

#define RESULT_WRAPPER(role, name, parameters, arguments, tell)                                    \
    static VkResult VKAPI_PTR wrap_##name parameters                                               \
    {                                                                                              \
        FGI_COMMANDS_NOTE(name, arguments, NULL);                                                  \
        tell;                                                                                      \
        return FGI_COMMANDS_ORIGINAL(VkResult, name, parameters) arguments;                        \
    }
FGI_DRAWS_VULKAN(FGI_COMMANDS_DRAW_WRAPPER, 0)
FGI_COMMANDS_VULKAN(FGI_COMMANDS_WRAPPER)
FGI_COMMANDS_VULKAN_RESULTS(RESULT_WRAPPER)

static const struct fgi_command_entry entries[ENTRIES] = {
    FGI_DRAWS_VULKAN(FGI_COMMANDS_DRAW_ENTRY, 0) FGI_COMMANDS_VULKAN(FGI_COMMANDS_ENTRY)
        FGI_COMMANDS_VULKAN_RESULTS(FGI_COMMANDS_ENTRY)
};
const struct fgi_command_api fgi_commands_vulkan = { entries, ENTRIES };
#endif
