/* SPDX-License-Identifier: MIT */
/* What a span is, in words: the same ones wherever spans are listed, exported and asked for. */
#ifndef FGI_SPAN_WORDS_H
#define FGI_SPAN_WORDS_H
#include <frameglass/trace_span.h>

enum { FGI_CLASS_WORDS = 12, FGI_STATUS_WORDS = 5 };
/** Of bit 1 << i of FG_CLASS_*: "frame", "gpu_pass", ...; NULL from FGI_CLASS_WORDS on. */
const char *fgi_class_word(uint32_t i);
/** Of an enum fg_span_status: "complete", "error", ...; NULL from FGI_STATUS_WORDS on. */
const char *fgi_status_word(uint32_t status);
/** No end of its own was recorded. */
static inline bool fgi_is_unfinished(uint8_t status)
{
    return status == FG_SPAN_UNFINISHED || status == FG_SPAN_LOST || status == FG_SPAN_FORCED;
}

#endif
