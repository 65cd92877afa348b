/* SPDX-License-Identifier: MIT */
/* Arguments of the minimap, and the rows of a view. */
#include "trace/query_priv.h"

#define DEFAULT_CELLS 262144u

enum fg_result fg_query_minimap(struct fg_query *query, const struct fg_minimap_request *request,
                                struct fg_minimap_reply *out_reply)
{
    struct fg_minimap_request r = *request;
    if (r.kind != FG_VIEW_TRACK && r.kind != FG_VIEW_PROCESS) {
        return FG_ERR_ARGUMENT;
    }
    r.max_cells = r.max_cells ? r.max_cells : DEFAULT_CELLS;
    query->visits.control_bytes += sizeof r;
    return query->engine->ops->minimap(query->engine, &query->question, &r, out_reply);
}

enum fg_result fgi_visible_rows(struct fg_engine *engine, const struct fgi_question *question,
                                const struct fgi_rows_request *request, struct fgi_rows *out_rows)
{
    return engine->ops->visible_rows(engine, question, request, out_rows);
}
