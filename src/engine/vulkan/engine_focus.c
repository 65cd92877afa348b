/* SPDX-License-Identifier: MIT */
/* Focus, asked of the device: what frame graphs tell in steps, then all hops at once. */
#include "engine/vulkan/engine_links.h"

#include "base/alloc.h"

struct focus {
    struct fgi_focus_work face;
    struct fgi_engine_vulkan *vulkan;
    struct fg_focus_request request; /**< with seeds in the question's memory */
    struct fgi_focus_work *host;     /**< goes on in its place; NULL: the device answers */
    bool has_graph;
    uint32_t *seeds; /**< those that are rows, each once */
    uint64_t *mask;
};

static void destroy_focus(struct fgi_work *work)
{
    struct focus *f = (struct focus *)work;
    fgi_work_destroy(f->host ? &f->host->work : NULL);
    fgi_free(f->vulkan->allocator, f, sizeof *f);
}

static bool take_bit(uint64_t *bits, uint32_t i)
{
    const uint64_t bit = UINT64_C(1) << (i % 64);
    const bool is_new = !(bits[i / 64] & bit);
    bits[i / 64] |= bit;
    return is_new;
}

/** Seeds that are rows, each once; the others are counted. */
static enum fg_result sort_seeds(struct focus *f, const struct fgi_question *question)
{
    struct fg_focus_reply *reply = &f->face.reply;
    const uint32_t count = f->request.seed_count;
    uint32_t *all = fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *all);
    f->seeds = fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *f->seeds);
    f->mask = fgi_arena_alloc(question->arena, (size_t)reply->mask_rows / 64 + 1, sizeof *f->mask);
    if (!all || !f->seeds || !f->mask) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t seed = all[i] = f->request.seeds[i];
        if (seed >= reply->mask_rows) {
            reply->invalid_seeds++;
        } else if (take_bit(f->mask, seed)) {
            f->seeds[reply->seeds++] = seed;
        } else {
            reply->repeated_seeds++;
        }
    }
    f->request.seeds = all;
    return FG_OK;
}

/** What the device told of hops, as it is answered. */
static enum fg_result tell_hops(struct focus *f, const struct fgi_question *question,
                                const struct fgi_gpu_reached *reached)
{
    struct fg_focus_reply *reply = &f->face.reply;
    struct fg_focus_hop *hops =
        fgi_arena_alloc(question->arena, (size_t)reached->record_count + 1, sizeof *hops);
    if (!hops) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t last = 0;
    hops[0].count = reply->seeds;
    for (uint32_t i = 0; i < reached->record_count; i++) {
        const struct fgi_gpu_reach_record *record = &reached->records[i];
        hops[last].expanded = record->expanded;
        hops[last].overflow = hops[last].count - record->expanded;
        reply->overflow += hops[last].overflow;
        f->face.work.done_rows += record->expanded;
        if (record->found > 0) {
            hops[last + 1] = (struct fg_focus_hop){ .first = hops[last].first + hops[last].count,
                                                    .count = record->found };
            last++;
        }
    }
    reply->hops = hops;
    reply->hop_count = last + 1;
    reply->frontier = last == f->request.hops ? hops[last].count : 0;
    return FG_OK;
}

static enum fg_result answer_focus(struct focus *f, const struct fgi_question *question)
{
    struct fg_focus_reply *reply = &f->face.reply;
    const struct fgi_graph graph = fgi_gpu_graph(f->vulkan, f->request.families);
    struct fgi_gpu_reached reached;
    struct fgi_gpu_reach_words words = {
        .wanted = f->request.families,
        .directions = f->request.direction == FG_LINKS_OUT  ? FGI_GPU_REACH_OUT
                      : f->request.direction == FG_LINKS_IN ? FGI_GPU_REACH_IN
                                                            : FGI_GPU_REACH_OUT | FGI_GPU_REACH_IN,
        .capacity = f->request.capacity ? f->request.capacity
                                        : fg_focus_capacity(reply->mask_rows, graph.count),
        .max_hops = f->request.hops,
        .max_rows = UINT32_MAX,
        .seed_count = reply->seeds,
    };
    enum fg_result result = fgi_gpu_reach_all(f->vulkan, question, &words, f->seeds, &reached);
    result = result == FG_OK ? tell_hops(f, question, &reached) : result;
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_gpu_reach *reach = &reached.linked->reach;
    uint32_t *rows = fgi_arena_take(question->arena, (size_t)reached.count + 1, sizeof *rows);
    if (!rows) {
        return FG_ERR_NO_MEMORY;
    }
    result = fgi_gpu_fetch(f->vulkan, question, &reach->rows.column, reached.count, rows, "focus");
    if (result == FG_OK) {
        result = fgi_gpu_fetch(f->vulkan, question, &reach->mask.column,
                               fgi_mask_words(reply->mask_rows), f->mask, "focus");
    }
    if (result == FG_OK) {
        fgi_gpu_reached_visits(&reached, question->visits);
    }
    reply->mask = f->mask;
    reply->rows = rows;
    reply->count = reached.count;
    return result;
}

static void finish(struct fgi_work *work)
{
    work->total_rows = work->done_rows;
    work->stage = 1;
    work->is_done = true;
}

/** Anew and to the end at the host, as the device has failed. */
static enum fg_result focus_at_host(struct focus *f, const struct fgi_question *question,
                                    uint64_t max_rows)
{
    enum fg_result result = f->host ? FG_OK : fgi_gpu_host_derive(f->vulkan, question);
    if (result == FG_OK && !f->host) {
        result = fgi_host_focus_begin(&f->vulkan->engine, question, &f->request, &f->host);
    }
    return result == FG_OK ? fgi_gpu_host_step(&f->face.work, &f->host->work, sizeof f->face,
                                               question, max_rows)
                           : result;
}

static enum fg_result step_focus(struct fgi_work *work, const struct fgi_question *question,
                                 uint64_t max_rows)
{
    struct focus *f = (struct focus *)work;
    enum fg_result result = FG_OK;
    if (f->host || !fgi_gpu_ready(f->vulkan)) {
        return focus_at_host(f, question, max_rows);
    }
    if (!f->has_graph) {
        uint64_t done = 0;
        result = fgi_gpu_derive(f->vulkan, question, f->request.families, max_rows, &done,
                                &f->has_graph);
        work->done_rows += done;
        if (result != FG_OK || (done >= max_rows && done > 0)) {
            return result;
        }
    }
    if (!f->has_graph) {
        return FG_OK;
    }
    if (f->face.reply.seeds > 0) {
        result = fgi_gpu_links_fit(f->vulkan) ? answer_focus(f, question) : FG_ERR_LIMIT;
    }
    if (result == FG_ERR_LIMIT || !fgi_gpu_answered(f->vulkan, result)) {
        return focus_at_host(f, question, max_rows);
    }
    if (result == FG_OK) {
        finish(work);
    }
    return result;
}

static const struct fgi_task_ops focus_ops = { step_focus, destroy_focus };

enum fg_result fgi_vulkan_focus_begin(struct fg_engine *engine, const struct fgi_question *question,
                                      const struct fg_focus_request *request,
                                      struct fgi_focus_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    if (!fgi_gpu_ready(vulkan)) {
        return fgi_host_focus_begin(engine, question, request, out_work);
    }
    struct focus *f = fgi_calloc(vulkan->allocator, 1, sizeof *f);
    if (!f) {
        return FG_ERR_NO_MEMORY;
    }
    f->vulkan = vulkan;
    f->request = *request;
    f->face.reply.mask_rows = fgi_trace_rows(engine->trace);
    f->face.work =
        (struct fgi_work){ .ops = &focus_ops,
                           .kind = FGI_WORK_FOCUS,
                           .total_rows = fgi_gpu_derived_rows(vulkan, request->families) +
                                         request->seed_count,
                           .stage_count = 1 };
    const enum fg_result result = sort_seeds(f, question);
    if (result != FG_OK) {
        destroy_focus(&f->face.work);
        return result;
    }
    *out_work = &f->face;
    return FG_OK;
}
