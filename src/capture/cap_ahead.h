/* SPDX-License-Identifier: MIT */
/*
 * Reading ahead: the blocks among the next records are checked and decoded on several threads, and
 * handed out in their order. Whatever is not wholly sound, or not a block, is read as always.
 */
#ifndef FGI_CAP_AHEAD_H
#define FGI_CAP_AHEAD_H
#include "capture/cap_columns.h"

struct fgi_ahead;

/** How much of a block is looked at. */
enum fgi_ahead_depth {
    FGI_AHEAD_BLOCKS,
    /**
     * Of SPAN what it begins with, DEPS not at all: neither checksums nor anything else is looked
     * at. `columns` have no columns then. For who reads everything once more.
     */
    FGI_AHEAD_HEADS,
};
/** FG_OK, FG_ERR_NO_MEMORY. The capture is borrowed until fgi_ahead_destroy(). */
FG_MUST_USE enum fg_result fgi_ahead_create(struct fg_capture *capture, enum fgi_ahead_depth depth,
                                            struct fgi_ahead **out);
void fgi_ahead_destroy(struct fgi_ahead *ahead);
/**
 * As fg_capture_next(); but of a block that was read ahead `data` is NULL, and one of the columns
 * is set: valid until the next call.
 */
FG_MUST_USE enum fg_result fgi_ahead_next(struct fgi_ahead *ahead,
                                          struct fg_capture_record *out_record,
                                          const struct fgi_span_columns **out_spans,
                                          const struct fgi_link_columns **out_links);

#endif
