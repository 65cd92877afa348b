/* SPDX-License-Identifier: MIT */
/* The choice of a build that has no engine on a device. */
#include "engine/cpu/engine_cpu.h"
#include "open/engine_choice.h"
#include "trace/engine.h"

enum fg_result fgi_engine_choose(const struct fg_open_options *options,
                                 const struct fg_allocator *allocator, const struct fg_trace *trace,
                                 struct fg_diag *instead, struct fg_engine **out_engine)
{
    (void)instead;
    enum fg_result result = fgi_engine_cpu_create(allocator, trace, out_engine);
    if (result == FG_OK && options->engine == FG_OPEN_ENGINE_VULKAN) {
        (*out_engine)->wanted = "vulkan";
        (*out_engine)->reason = "this build has no trace engine on GPUs";
    }
    return result;
}
