/* SPDX-License-Identifier: MIT */
#include "trace/span_words.h"

#include <frameglass/trace.h>

#include <inttypes.h>
#include <stdio.h>

const char *fgi_class_word(uint32_t i)
{
    static const char *const words[FGI_CLASS_WORDS] = { "frame",   "encode",   "gpu_pass",
                                                        "scope",   "fragment", "unattributed",
                                                        "zone",    "wait",     "async",
                                                        "subpass", "runtime",  "present" };
    _Static_assert(FG_CLASS_PRESENT == 1u << (FGI_CLASS_WORDS - 1), "a word for every bit");
    return i < FGI_CLASS_WORDS ? words[i] : NULL;
}

const char *fgi_status_word(uint32_t status)
{
    static const char *const words[FGI_STATUS_WORDS] = {
        [FG_SPAN_COMPLETE] = "complete", [FG_SPAN_UNFINISHED] = "unfinished",
        [FG_SPAN_LOST] = "lost",         [FG_SPAN_ERROR] = "error",
        [FG_SPAN_FORCED] = "forced",
    };
    return status < FGI_STATUS_WORDS ? words[status] : NULL;
}

const char *fgi_process_text(const struct fg_trace *trace, uint32_t index, char *room)
{
    const struct fg_trace_process *process = fg_trace_process(trace, index);
    const char *name = process != NULL ? fg_trace_text(trace, process->name) : "";
    if (process == NULL || name[0] != '\0') {
        return name;
    }
    if (!fgi_is_given_id(process->id)) {
        return "no process";
    }
    (void)snprintf(room, FGI_PROCESS_TEXT, "process %" PRId64, process->id);
    return room;
}
