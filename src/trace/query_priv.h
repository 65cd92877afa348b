/* SPDX-License-Identifier: MIT */
/* A query from inside: for questions that are answered over engines, the same for all of them. */
#ifndef FGI_QUERY_PRIV_H
#define FGI_QUERY_PRIV_H
#include "trace/engine.h"

struct fg_query {
    const struct fg_allocator *allocator;
    struct fg_engine *engine;
    struct fgi_arena arena;
    struct fgi_question question;
    uint64_t generation;     /**< tasks of earlier ones are cancelled */
    struct fg_visits visits; /* what the question counts in */
};

/** Checks and fills in what is left out; query_aggregate.c. */
FG_MUST_USE enum fg_result fgi_selection_check(struct fg_selection *selection);
FG_MUST_USE enum fg_result fgi_aggregate_check(struct fg_aggregate_request *request);
/** FG_ERR_NOT_FOUND, or FG_ERR_ARGUMENT for an unknown kind; query.c. */
FG_MUST_USE enum fg_result fgi_target_check(const struct fg_trace *trace,
                                            const struct fg_view_target *target);

#endif
