/* SPDX-License-Identifier: MIT */
/* What follows from the kind of a draw or dispatch alone. */
#ifndef FGI_WORK_KIND_H
#define FGI_WORK_KIND_H
#include <frameglass/capture_frames.h>

static inline bool fgi_work_is_dispatch(uint32_t kind)
{
    return kind == FG_CAP_WORK_DISPATCH || kind == FG_CAP_WORK_DISPATCH_INDIRECT;
}

/** The GPU reads its arguments from a buffer. */
static inline bool fgi_work_is_indirect(uint32_t kind)
{
    return (kind >= FG_CAP_WORK_DRAW_INDIRECT && kind <= FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT) ||
           kind == FG_CAP_WORK_DISPATCH_INDIRECT;
}

#endif
