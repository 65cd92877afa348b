/* SPDX-License-Identifier: MIT */
/* The frame strip: what an index tells of each frame before anything else is read. */
#ifndef FG_TRACE_STRIP_H
#define FG_TRACE_STRIP_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

/** One frame as the index alone gives it. */
struct fg_strip_frame {
    uint64_t frame;   /**< the recorder's frame number */
    int64_t cpu_ns;   /**< the frame's CPU work; -1 = not known */
    int64_t gpu_ns;   /**< last end less first begin of its GPU spans; -1 = has not landed */
    uint32_t dropped; /**< everything that was refused on this frame */
};

FG_END_DECLS
#endif
