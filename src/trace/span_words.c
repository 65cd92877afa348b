/* SPDX-License-Identifier: MIT */
#include "trace/span_words.h"

#include <stddef.h>

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
