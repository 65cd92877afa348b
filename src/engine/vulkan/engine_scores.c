/* SPDX-License-Identifier: MIT */
/* Kept scores by this engine's ids, with the requests that make them again. */
#include "base/alloc.h"
#include "engine/vulkan/engine_priv.h"
#include <string.h>

static bool keep(struct fgi_arena *arena, const void **items, uint32_t count, size_t size)
{
    if (!*items) {
        return true;
    }
    /* One more than there are: a list without items is something else than none. */
    void *copy = fgi_arena_alloc(arena, (size_t)count + 1, size);
    if (copy) {
        memcpy(copy, *items, count * size);
    }
    *items = copy;
    return copy != NULL;
}

bool fgi_gpu_keep_selection(struct fgi_arena *arena, struct fg_selection *selection)
{
    return keep(arena, (const void **)&selection->tracks, selection->track_count,
                sizeof *selection->tracks) &&
           keep(arena, (const void **)&selection->lanes, selection->lane_count,
                sizeof *selection->lanes);
}

struct fgi_gpu_scores *fgi_gpu_scores_find(const struct fgi_engine_vulkan *vulkan, uint32_t id)
{
    for (size_t i = 0; i < vulkan->scores.count; i++) {
        if (vulkan->scores.items[i]->id == id) {
            return vulkan->scores.items[i];
        }
    }
    return NULL;
}

static void end(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_scores *scores)
{
    if (scores->device) {
        scores->device_end(vulkan, scores->device);
    }
    if (scores->host != 0) {
        (void)vulkan->host->ops->scores_destroy(vulkan->host, scores->host);
    }
    fgi_gpu_filter_drop(vulkan, fgi_gpu_filter_find(vulkan, scores->request.selection.filter));
    fgi_arena_finish(&scores->arena);
    fgi_free(vulkan->allocator, scores, sizeof *scores);
}

enum fg_result fgi_gpu_scores_make(struct fgi_engine_vulkan *vulkan,
                                   const struct fg_anomaly_request *request,
                                   struct fgi_gpu_scores **out_scores)
{
    struct fgi_gpu_filter *filter = fgi_gpu_filter_find(vulkan, request->selection.filter);
    if (request->selection.filter != 0 && !filter) {
        return FG_ERR_NOT_FOUND;
    }
    struct fgi_gpu_scores *scores = fgi_calloc(vulkan->allocator, 1, sizeof *scores);
    if (!scores) {
        return FG_ERR_NO_MEMORY;
    }
    scores->arena.allocator = vulkan->allocator;
    scores->request = *request;
    if (filter) {
        filter->uses++;
    }
    if (!fgi_gpu_keep_selection(&scores->arena, &scores->request.selection) ||
        !keep(&scores->arena, (const void **)&scores->request.baselines, request->baseline_count,
              sizeof *request->baselines)) {
        end(vulkan, scores);
        return FG_ERR_NO_MEMORY;
    }
    *out_scores = scores;
    return FG_OK;
}

enum fg_result fgi_gpu_scores_add(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_scores *scores)
{
    enum fg_result result = FGI_GROW(vulkan->allocator, vulkan->scores.items,
                                     vulkan->scores.capacity, vulkan->scores.count + 1, SIZE_MAX);
    if (result == FG_OK) {
        scores->id = vulkan->next_scores++;
        vulkan->scores.items[vulkan->scores.count++] = scores;
    }
    return result;
}

void fgi_gpu_scores_drop(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_scores *scores)
{
    for (size_t i = 0; i < vulkan->scores.count; i++) {
        if (vulkan->scores.items[i] == scores) {
            vulkan->scores.items[i] = vulkan->scores.items[--vulkan->scores.count];
            break;
        }
    }
    if (scores) {
        end(vulkan, scores);
    }
}

void fgi_gpu_scores_finish(struct fgi_engine_vulkan *vulkan)
{
    for (size_t i = 0; i < vulkan->scores.count; i++) {
        end(vulkan, vulkan->scores.items[i]);
    }
    fgi_free(vulkan->allocator, vulkan->scores.items,
             vulkan->scores.capacity * sizeof *vulkan->scores.items);
}

enum fg_result fgi_vulkan_scores_destroy(struct fg_engine *engine, uint32_t id)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct fgi_gpu_scores *scores = fgi_gpu_scores_find(vulkan, id);
    fgi_gpu_scores_drop(vulkan, scores);
    return scores ? FG_OK : FG_ERR_NOT_FOUND;
}

/* ---- made by the host ------------------------------------------------------------------------ */

struct scoring {
    struct fgi_anomaly_work base;
    struct fgi_engine_vulkan *vulkan;
    struct fgi_gpu_scores *scores; /* owned, unless they are taken; NULL: they are not kept */
    struct fgi_anomaly_work *host;
};

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct scoring *s = (struct scoring *)work;
    enum fg_result result = fgi_gpu_host_step(
        work, &s->host->work, offsetof(struct fgi_anomaly_work, is_taken), question, max_rows);
    s->base.reply.scores = s->scores ? s->scores->id : 0;
    if (result == FG_OK && s->host->reply.scores != 0 && s->scores && s->scores->id == 0) {
        s->host->is_taken = true;
        s->scores->host = s->host->reply.scores;
        result = fgi_gpu_scores_add(s->vulkan, s->scores);
        s->base.reply.scores = s->scores->id;
    }
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct scoring *s = (struct scoring *)work;
    fgi_work_destroy(s->host ? &s->host->work : NULL);
    if (!s->base.is_taken) {
        fgi_gpu_scores_drop(s->vulkan, s->scores);
    }
    fgi_free(s->vulkan->allocator, s, sizeof *s);
}

static const struct fgi_task_ops scoring_ops = { step, destroy };

static enum fg_result begin(struct scoring *s, const struct fgi_question *question,
                            const struct fg_anomaly_request *request)
{
    struct fg_anomaly_request r = *request;
    struct fg_engine *host = NULL;
    enum fg_result result = fgi_gpu_host(s->vulkan, &host);
    if (result == FG_OK) {
        result = fgi_gpu_host_filter(s->vulkan, question, r.selection.filter, &r.selection.filter);
    }
    if (result == FG_OK && request->keep) {
        result = fgi_gpu_scores_make(s->vulkan, request, &s->scores);
    }
    if (result == FG_OK) {
        result = host->ops->anomalies_begin(host, question, &r, &s->host);
    }
    if (result == FG_OK) {
        s->base = *s->host;
        s->base.work.ops = &scoring_ops;
    }
    return result;
}

enum fg_result fgi_host_anomalies_begin(struct fg_engine *engine,
                                        const struct fgi_question *question,
                                        const struct fg_anomaly_request *request,
                                        struct fgi_anomaly_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct scoring *s = fgi_calloc(vulkan->allocator, 1, sizeof *s);
    if (!s) {
        return FG_ERR_NO_MEMORY;
    }
    s->vulkan = vulkan;
    s->base.work.ops = &scoring_ops;
    enum fg_result result = begin(s, question, request);
    if (result != FG_OK) {
        destroy(&s->base.work);
        return result;
    }
    vulkan->other_questions++;
    *out_work = &s->base;
    return FG_OK;
}
