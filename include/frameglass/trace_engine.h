/* SPDX-License-Identifier: MIT */
/* Who answers questions about a trace. All engines give the same answers. */
#ifndef FG_TRACE_ENGINE_H
#define FG_TRACE_ENGINE_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_engine;

/** What an engine is, and who answers for it now. Texts are lent until the next question. */
struct fg_engine_info {
    const char *name;    /**< which one was asked for: "cpu", "vulkan" */
    const char *answers; /**< the name of who answers now: another one's after falling back */
    const char *device;  /**< that it runs on; NULL: none but the CPU, or none was found */
    /** Why another one answers, from the beginning or from now on, in words for a person; NULL:
     *  none does. */
    const char *reason;
    uint64_t own_questions;   /**< answered by itself */
    uint64_t other_questions; /**< passed on: what it does not do, and all after falling back */
    uint64_t submissions;     /**< to the device: none but for questions */
};
FG_API void fg_engine_get_info(const struct fg_engine *engine, struct fg_engine_info *out_info);

FG_END_DECLS
#endif
