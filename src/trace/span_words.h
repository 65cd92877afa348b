/* SPDX-License-Identifier: MIT */
/* What a span is, in words: the same ones wherever spans are listed, exported and asked for. */
#ifndef FGI_SPAN_WORDS_H
#define FGI_SPAN_WORDS_H
#include <frameglass/trace_span.h>

#include <stddef.h>

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

enum { FGI_PROCESS_TEXT = 40 };
/** Its name, or "process 7" made in `room` (FGI_PROCESS_TEXT bytes); "": there is no such. */
const char *fgi_process_text(const struct fg_trace *trace, uint32_t index, char *room);

/** A number for process or track `index` whose source gives none: no source comes near to it. */
static inline int64_t fgi_made_id(uint32_t index)
{
    return INT64_MIN + index;
}
/** The source gave it. */
static inline bool fgi_is_given_id(int64_t id)
{
    return id > INT64_MIN + (int64_t)UINT32_MAX;
}

#endif
