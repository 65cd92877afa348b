/* SPDX-License-Identifier: MIT */
/* What is asked of the host engine: ids become the host's, all else is passed on as it is. */
#include "engine/vulkan/engine_priv.h"
#include <string.h>

enum fg_result fgi_gpu_host(struct fgi_engine_vulkan *vulkan, struct fg_engine **out_host)
{
    enum fg_result result = FG_OK;
    if (!vulkan->host) {
        result = vulkan->make_host(vulkan->host_context, vulkan->allocator, vulkan->engine.trace,
                                   &vulkan->host);
    }
    *out_host = vulkan->host;
    return result;
}

static enum fg_result make_filter(struct fg_engine *host, const struct fgi_question *question,
                                  struct fgi_gpu_filter *filter)
{
    struct fgi_filter_work *work = NULL;
    enum fg_result result = host->ops->filter_begin(host, question, &filter->terms, &work);
    if (result == FG_OK) {
        result = fgi_work_run(&work->work, question);
        if (result == FG_OK) {
            work->is_taken = true;
            filter->host = work->filter;
        }
        fgi_work_destroy(&work->work);
    }
    return result;
}

enum fg_result fgi_gpu_host_filter(struct fgi_engine_vulkan *vulkan,
                                   const struct fgi_question *question, uint32_t filter,
                                   uint32_t *out_filter)
{
    if (filter == 0) {
        *out_filter = 0;
        return FG_OK;
    }
    struct fg_engine *host = NULL;
    struct fgi_gpu_filter *own = fgi_gpu_filter_find(vulkan, filter);
    enum fg_result result = own ? fgi_gpu_host(vulkan, &host) : FG_ERR_NOT_FOUND;
    if (result == FG_OK && own->host == 0) {
        result = make_filter(host, question, own);
    }
    if (result == FG_OK) {
        *out_filter = own->host;
    }
    return result;
}

static enum fg_result make_scores(struct fgi_engine_vulkan *vulkan,
                                  const struct fgi_question *question,
                                  struct fgi_gpu_scores *scores)
{
    struct fg_engine *host = NULL;
    struct fg_anomaly_request r = scores->request;
    struct fgi_anomaly_work *work = NULL;
    enum fg_result result = fgi_gpu_host(vulkan, &host);
    if (result == FG_OK) {
        result = fgi_gpu_host_filter(vulkan, question, r.selection.filter, &r.selection.filter);
    }
    if (result == FG_OK) {
        result = host->ops->anomalies_begin(host, question, &r, &work);
    }
    if (result == FG_OK) {
        result = fgi_work_run(&work->work, question);
        if (result == FG_OK) {
            work->is_taken = true;
            scores->host = work->reply.scores;
        }
        fgi_work_destroy(&work->work);
    }
    return result;
}

enum fg_result fgi_gpu_host_scores(struct fgi_engine_vulkan *vulkan,
                                   const struct fgi_question *question, uint32_t scores,
                                   uint32_t *out_scores)
{
    struct fgi_gpu_scores *own = fgi_gpu_scores_find(vulkan, scores);
    if (!own) {
        return FG_ERR_NOT_FOUND;
    }
    if (own->host == 0) {
        struct fgi_arena arena = { .allocator = vulkan->allocator };
        struct fg_visits visits = { 0 };
        const struct fgi_question alone = { .arena = &arena, .visits = &visits };
        enum fg_result result = make_scores(vulkan, question ? question : &alone, own);
        fgi_arena_finish(&arena);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_scores = own->host;
    return FG_OK;
}

enum fg_result fgi_gpu_host_step(struct fgi_work *work, struct fgi_work *host, size_t bytes,
                                 const struct fgi_question *question, uint64_t max_rows)
{
    uint64_t before = host->done_rows;
    enum fg_result result = host->ops->step(host, question, max_rows);
    work->done_rows += host->done_rows - before;
    /* What the device did before it failed stays told: progress does not fall. */
    work->total_rows = host->total_rows + (work->done_rows - host->done_rows);
    if (host->stage > work->stage) {
        work->stage = host->stage;
    }
    work->stage_count = host->stage_count;
    work->is_done = host->is_done;
    memcpy(work + 1, host + 1, bytes - sizeof *work);
    return result;
}

/* The host, for a question with a filter of this engine's, which becomes the host's. */
static enum fg_result reach(struct fg_engine *engine, const struct fgi_question *question,
                            uint32_t *filter, struct fg_engine **out_host)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    enum fg_result result = fgi_gpu_host(vulkan, out_host);
    if (result == FG_OK) {
        result = fgi_gpu_host_filter(vulkan, question, *filter, filter);
    }
    vulkan->other_questions += result == FG_OK;
    return result;
}

/* For those without one. */
static enum fg_result reach_plain(struct fg_engine *engine, struct fg_engine **out_host)
{
    uint32_t none = 0;
    return reach(engine, NULL, &none, out_host);
}

/* ---- questions with a filter ----------------------------------------------------------------- */

enum fg_result fgi_host_view(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_view_request *request, struct fg_view_reply *out_reply)
{
    struct fg_engine *host = NULL;
    struct fg_view_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->view(host, question, &r, out_reply) : result;
}

enum fg_result fgi_host_stats_begin(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fg_stats_request *request,
                                    struct fgi_stats_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_stats_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->stats_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_search_begin(struct fg_engine *engine, const struct fgi_question *question,
                                     const struct fg_search_request *request,
                                     struct fgi_search_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_search_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->search_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_pick(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_pick_request *request, uint32_t *out_row)
{
    struct fg_engine *host = NULL;
    struct fg_pick_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->pick(host, question, &r, out_row) : result;
}

enum fg_result fgi_host_aggregate_begin(struct fg_engine *engine,
                                        const struct fgi_question *question,
                                        const struct fg_aggregate_request *request,
                                        struct fgi_aggregate_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_aggregate_request r = *request;
    enum fg_result result = reach(engine, question, &r.selection.filter, &host);
    return result == FG_OK ? host->ops->aggregate_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_histogram_begin(struct fg_engine *engine,
                                        const struct fgi_question *question,
                                        const struct fg_histogram_request *request,
                                        struct fgi_histogram_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_histogram_request r = *request;
    enum fg_result result = reach(engine, question, &r.selection.filter, &host);
    return result == FG_OK ? host->ops->histogram_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_buckets_begin(struct fg_engine *engine, const struct fgi_question *question,
                                      const struct fg_buckets_request *request,
                                      struct fgi_buckets_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_buckets_request r = *request;
    enum fg_result result = reach(engine, question, &r.selection.filter, &host);
    return result == FG_OK ? host->ops->buckets_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_minimap(struct fg_engine *engine, const struct fgi_question *question,
                                const struct fg_minimap_request *request,
                                struct fg_minimap_reply *out_reply)
{
    struct fg_engine *host = NULL;
    struct fg_minimap_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->minimap(host, question, &r, out_reply) : result;
}

enum fg_result fgi_host_visible_rows(struct fg_engine *engine, const struct fgi_question *question,
                                     const struct fgi_rows_request *request,
                                     struct fgi_rows *out_rows)
{
    struct fg_engine *host = NULL;
    struct fgi_rows_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->visible_rows(host, question, &r, out_rows) : result;
}

enum fg_result fgi_host_project(struct fg_engine *engine, const struct fgi_question *question,
                                const struct fg_project_request *request,
                                struct fg_project_reply *out_reply)
{
    struct fg_engine *host = NULL;
    struct fg_project_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->project(host, question, &r, out_reply) : result;
}

enum fg_result fgi_host_links_begin(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fg_links_request *request,
                                    struct fgi_links_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_links_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->links_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_slice_begin(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fg_slice_request *request,
                                    struct fgi_slice_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_slice_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->slice_begin(host, question, &r, out_work) : result;
}

enum fg_result fgi_host_path_begin(struct fg_engine *engine, const struct fgi_question *question,
                                   const struct fg_path_request *request,
                                   struct fgi_path_work **out_work)
{
    struct fg_engine *host = NULL;
    struct fg_path_request r = *request;
    enum fg_result result = reach(engine, question, &r.filter, &host);
    return result == FG_OK ? host->ops->path_begin(host, question, &r, out_work) : result;
}

/* ---- questions with scores ------------------------------------------------------------------- */

enum fg_result fgi_host_scores(struct fg_engine *engine, uint32_t scores, const uint32_t *rows,
                               uint32_t count, uint8_t *out_tints, uint8_t *out_reasons)
{
    struct fg_engine *host = NULL;
    uint32_t there = 0;
    enum fg_result result = fgi_gpu_host_scores(fgi_vulkan(engine), NULL, scores, &there);
    result = result == FG_OK ? reach_plain(engine, &host) : result;
    return result == FG_OK ? host->ops->scores(host, there, rows, count, out_tints, out_reasons)
                           : result;
}

enum fg_result fgi_host_tints(struct fg_engine *engine, const struct fgi_question *question,
                              const struct fg_tints_request *request,
                              struct fg_tints_reply *out_reply)
{
    struct fg_engine *host = NULL;
    struct fg_tints_request r = *request;
    enum fg_result result = fgi_gpu_host_scores(fgi_vulkan(engine), question, r.scores, &r.scores);
    result = result == FG_OK ? reach_plain(engine, &host) : result;
    return result == FG_OK ? host->ops->tints(host, question, &r, out_reply) : result;
}

/* ---- questions that are passed on as they are ------------------------------------------------ */

enum fg_result fgi_host_frames(struct fg_engine *engine, const struct fgi_question *question,
                               uint32_t first, uint32_t end, const struct fg_frame_row **out_rows,
                               uint32_t *out_count)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->frames(host, question, first, end, out_rows, out_count)
                           : result;
}

enum fg_result fgi_host_series(struct fg_engine *engine, const struct fgi_question *question,
                               uint32_t row, uint32_t first_frame, uint32_t end_frame,
                               const struct fg_series_item **out_items, uint32_t *out_count)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->series(host, question, row, first_frame, end_frame,
                                               out_items, out_count)
                           : result;
}

enum fg_result fgi_host_counters(struct fg_engine *engine, const struct fgi_question *question,
                                 const struct fg_counters_request *request,
                                 struct fg_counters_reply *out_reply)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->counters(host, question, request, out_reply) : result;
}

enum fg_result fgi_host_marks(struct fg_engine *engine, const struct fgi_question *question,
                              const struct fg_marks_request *request,
                              struct fg_marks_reply *out_reply)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->marks(host, question, request, out_reply) : result;
}

enum fg_result fgi_host_span(struct fg_engine *engine, const struct fgi_question *question,
                             uint32_t row, struct fg_span_detail *out_detail)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->span(host, question, row, out_detail) : result;
}

enum fg_result fgi_host_dependency(struct fg_engine *engine, const struct fgi_question *question,
                                   uint32_t link, struct fg_trace_dependency *out_dependency)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->dependency(host, question, link, out_dependency) : result;
}

enum fg_result fgi_host_focus_begin(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fg_focus_request *request,
                                    struct fgi_focus_work **out_work)
{
    struct fg_engine *host = NULL;
    enum fg_result result = reach_plain(engine, &host);
    return result == FG_OK ? host->ops->focus_begin(host, question, request, out_work) : result;
}

/* Of memory that the host holds: one that is not made holds none. */
uint64_t fgi_host_links_bytes(const struct fg_engine *engine)
{
    const struct fg_engine *host = ((const struct fgi_engine_vulkan *)engine)->host;
    return host ? host->ops->links_bytes(host) : 0;
}

/* A forecast for the host, which is made for the path then if not for this. */
uint64_t fgi_host_path_bytes(const struct fg_engine *engine, const struct fg_path_request *request)
{
    struct fg_engine *host = NULL;
    enum fg_result result = fgi_gpu_host((struct fgi_engine_vulkan *)engine, &host);
    return result == FG_OK ? host->ops->path_bytes(host, request) : 0;
}
