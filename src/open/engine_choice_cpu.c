/* SPDX-License-Identifier: MIT */
/* The choice of a build that has no engine on a device. */
#include "base/result.h"
#include "engine/cpu/engine_cpu.h"
#include "open/engine_choice.h"

enum fg_result fgi_engine_choose(const struct fg_open_options *options,
                                 const struct fg_allocator *allocator, const struct fg_trace *trace,
                                 struct fg_diag *diag, struct fg_engine **out_engine)
{
    if (options->engine == FG_OPEN_ENGINE_VULKAN) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "this build has no trace engine on GPUs");
    }
    enum fg_result result = fgi_engine_cpu_create(allocator, trace, out_engine);
    return result == FG_OK ? FG_OK
                           : fgi_fail(diag, result, 0, "the trace cannot be indexed: %s",
                                      fg_result_text(result));
}
