/* SPDX-License-Identifier: MIT */
/* Questions about dependencies: arguments are checked here, once for all engines. */
#include "trace/links_rules.h"
#include "trace/model.h"
#include "trace/query_priv.h"
#include "trace/task.h"

#define DEFAULT_LINES 2048u
#define DEFAULT_EXACT 4096u
#define Y_MAX         (1 << 30)

enum fg_result fg_query_dependency(struct fg_query *query, uint32_t link,
                                   struct fg_trace_dependency *out_dependency)
{
    return query->engine->ops->dependency(query->engine, &query->question, link, out_dependency);
}

/* ---- focus ----------------------------------------------------------------------------------- */

static enum fg_result begin_focus(struct fg_query *query, const struct fgi_question *question,
                                  const struct fg_focus_request *request,
                                  struct fgi_focus_work **out_focus)
{
    struct fg_focus_request r = *request;
    if (r.direction > FG_LINKS_IN || (r.seed_count > 0 && !r.seeds)) {
        return FG_ERR_ARGUMENT;
    }
    r.families = r.families ? r.families : UINT32_MAX;
    query->visits.control_bytes += sizeof r + (uint64_t)r.seed_count * sizeof *r.seeds;
    return query->engine->ops->focus_begin(query->engine, question, &r, out_focus);
}

enum fg_result fg_query_focus(struct fg_query *query, const struct fg_focus_request *request,
                              struct fg_focus_reply *out_reply)
{
    struct fgi_focus_work *focus = NULL;
    enum fg_result result = begin_focus(query, &query->question, request, &focus);
    if (result != FG_OK) {
        return result;
    }
    result = fgi_work_run(&focus->work, &query->question);
    if (result == FG_OK) {
        *out_reply = focus->reply;
    }
    fgi_work_destroy(&focus->work);
    return result;
}

enum fg_result fg_task_focus(struct fg_query *query, const struct fg_focus_request *request,
                             uint32_t scheduling, struct fg_task **out_task)
{
    struct fgi_focus_work *focus = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = fgi_task_create(query, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = begin_focus(query, fgi_task_question(task), request, &focus);
    return fgi_task_set(task, result, result == FG_OK ? &focus->work : NULL, out_task);
}

enum fg_result fg_task_result_focus(struct fg_task *task, struct fg_focus_reply *out_reply)
{
    struct fgi_work *work = fgi_task_work(task, FGI_WORK_FOCUS);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->is_done) {
        return FG_ERR_STATE;
    }
    *out_reply = ((struct fgi_focus_work *)work)->reply;
    return FG_OK;
}

/* ---- projection ------------------------------------------------------------------------------ */

enum fg_result fg_query_project(struct fg_query *query, const struct fg_project_request *request,
                                struct fg_project_reply *out_reply)
{
    struct fg_project_request r = *request;
    r.max_depth = r.max_depth ? r.max_depth : UINT32_MAX;
    return query->engine->ops->project(query->engine, &query->question, &r, out_reply);
}

/* ---- display --------------------------------------------------------------------------------- */

static bool is_y(int32_t y)
{
    return y >= -Y_MAX && y <= Y_MAX;
}

static enum fg_result check_places(const struct fg_trace *trace,
                                   const struct fg_links_request *request)
{
    for (uint32_t i = 0; i < request->place_count; i++) {
        const struct fg_link_place *place = &request->places[i];
        size_t count = place->kind == FG_VIEW_LANE      ? trace->lanes.count
                       : place->kind == FG_VIEW_TRACK   ? trace->tracks.count
                       : place->kind == FG_VIEW_PROCESS ? trace->processes.count
                                                        : 0;
        if (place->kind > FG_VIEW_PROCESS || !is_y(place->y)) {
            return FG_ERR_ARGUMENT;
        }
        if (place->index >= count) {
            return FG_ERR_NOT_FOUND;
        }
    }
    for (uint32_t i = 0; i < request->row_count; i++) {
        if (request->rows[i] >= fgi_trace_rows(trace)) {
            return FG_ERR_NOT_FOUND;
        }
    }
    return FG_OK;
}

static enum fg_result begin_links(struct fg_query *query, const struct fgi_question *question,
                                  const struct fg_links_request *request,
                                  struct fgi_links_work **out_links)
{
    struct fg_links_request r = *request;
    if (r.start_ns >= r.end_ns || r.width_px == 0 || r.width_px > FG_VIEW_WIDTH_MAX ||
        r.top_y > r.bottom_y || !is_y(r.top_y) || !is_y(r.bottom_y) ||
        r.place_count > FG_VIEW_TARGETS_MAX || r.max_lines > FG_LINKS_BUDGET_MAX ||
        r.max_exact > FG_LINKS_BUDGET_MAX || r.bundling > FG_BUNDLE_NEVER ||
        (r.place_count > 0 && !r.places) || (r.selected_count > 0 && !r.selected) ||
        (r.row_count > 0 && !r.rows)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = check_places(query->engine->trace, &r);
    if (result != FG_OK) {
        return result;
    }
    r.families = r.families ? r.families : UINT32_MAX;
    r.max_lines = r.max_lines ? r.max_lines : DEFAULT_LINES;
    r.max_exact = r.max_exact ? r.max_exact : DEFAULT_EXACT;
    query->visits.control_bytes += sizeof r + (uint64_t)r.place_count * sizeof *r.places +
                                   ((uint64_t)r.selected_count + r.row_count) * sizeof *r.rows;
    return query->engine->ops->links_begin(query->engine, question, &r, out_links);
}

enum fg_result fg_query_links(struct fg_query *query, const struct fg_links_request *request,
                              struct fg_links_reply *out_reply)
{
    struct fgi_links_work *links = NULL;
    enum fg_result result = begin_links(query, &query->question, request, &links);
    if (result != FG_OK) {
        return result;
    }
    result = fgi_work_run(&links->work, &query->question);
    if (result == FG_OK) {
        *out_reply = links->reply;
    }
    fgi_work_destroy(&links->work);
    return result;
}

enum fg_result fg_task_links(struct fg_query *query, const struct fg_links_request *request,
                             uint32_t scheduling, struct fg_task **out_task)
{
    struct fgi_links_work *links = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = fgi_task_create(query, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = begin_links(query, fgi_task_question(task), request, &links);
    return fgi_task_set(task, result, result == FG_OK ? &links->work : NULL, out_task);
}

enum fg_result fg_task_result_links(struct fg_task *task, struct fg_links_reply *out_reply)
{
    struct fgi_work *work = fgi_task_work(task, FGI_WORK_LINKS);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->is_done) {
        return FG_ERR_STATE;
    }
    *out_reply = ((struct fgi_links_work *)work)->reply;
    return FG_OK;
}

uint64_t fg_query_links_bytes(const struct fg_query *query)
{
    return query->engine->ops->links_bytes(query->engine);
}
