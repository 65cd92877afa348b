/* SPDX-License-Identifier: MIT */
/*
 * Ranges of buffers that passes read and write, as resources with versions: ranges that overlap are
 * one resource, and every write makes a version.
 */
#ifndef FGI_TOUCHED_H
#define FGI_TOUCHED_H
#include "base/arena.h"
#include <frameglass/graph.h>

/** A pass reads or writes a part of a buffer. */
struct fgi_touch {
    uint64_t buffer;
    uint64_t begin_bytes, end_bytes;
    uint32_t pass; /**< ascending in a list of touches */
    bool reads, writes;
};

/**
 * A graph of passes that have these names.
 *
 * @param arena     of all that the graph points to but `names`
 * @param out_graph without a name and a revision
 * @return FG_OK or FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_touched_graph(struct fgi_arena *arena,
                                             const struct fgi_touch *touches, uint32_t count,
                                             const char *const *names, uint32_t pass_count,
                                             struct fg_graph_desc *out_graph);

#endif
