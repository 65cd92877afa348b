/* SPDX-License-Identifier: MIT */
/* What the time along a chain went to is the same in every engine: it follows from the trace and
 * its dependencies alone. */
#ifndef FGI_PATH_PIECES_H
#define FGI_PATH_PIECES_H
#include "trace/dependencies.h"
#include <frameglass/trace_path.h>

/** Pieces on their way. All but the last two are set before the first one. */
struct fgi_pieces {
    const struct fg_trace *trace;
    const struct fgi_graph *graph; /**< by parents: not looked at */
    const struct fg_path_request *request;
    struct fg_path_reply *reply;  /**< its chain is there; counts and sums are added to */
    struct fg_path_piece *pieces; /**< in the question's memory */
    size_t capacity;
};
/** The pieces before and of chain row `at`: in their order, each once. */
FG_MUST_USE enum fg_result fgi_pieces_add(struct fgi_pieces *on,
                                          const struct fgi_question *question, uint32_t at);

#endif
