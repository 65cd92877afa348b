/* SPDX-License-Identifier: MIT */
#include "gpu/draws/draws_priv.h"

#ifndef FGI_DRAWS_HAVE_VULKAN
const struct fgi_draw_api fgi_draws_vulkan = { NULL, 0 };
#else
#include "gpu/draws/draws_vulkan_list.h"

/* A wrapper that is not of its entry point's type would lose arguments. */
#define SAME_TYPE(i, name, parameters, arguments, counted)                                         \
    _Static_assert(_Generic((PFN_vk##name)0, void(VKAPI_PTR *) parameters : 1, default : 0), #name);
FGI_DRAWS_VULKAN(SAME_TYPE, 0)

#define FGI_DRAWS_PREFIX "vk"
#define FGI_DRAWS_CALL   VKAPI_PTR
FGI_DRAWS_API(fgi_draws_vulkan, FGI_DRAWS_VULKAN)
#endif
