/* SPDX-License-Identifier: MIT */
/* What led to a row and what followed from it, asked of the device, a direction at a time. */
#include "engine/vulkan/engine_links.h"

#include "base/alloc.h"
#include "trace/links_rules.h"
#include <string.h>

struct slice {
    struct fgi_slice_work face;
    struct fgi_engine_vulkan *vulkan;
    struct fg_slice_request request;
    struct fgi_gpu_filter *filter; /**< held; NULL = none */
    struct fgi_slice_work *host;   /**< goes on in its place; NULL: the device answers */
    bool has_graph;
    struct fg_slice_item *items;
    uint32_t count;
};

static void destroy(struct fgi_work *work)
{
    struct slice *s = (struct slice *)work;
    fgi_work_destroy(s->host ? &s->host->work : NULL);
    fgi_gpu_filter_drop(s->vulkan, s->filter);
    fgi_free(s->vulkan->allocator, s, sizeof *s);
}

/** The rows of a direction, behind what was there. */
static enum fg_result add_items(struct slice *s, const struct fgi_question *question,
                                const struct fgi_gpu_reached *reached, bool is_forward)
{
    const struct fgi_gpu_reach *reach = &reached->linked->reach;
    const size_t all = (size_t)s->count + reached->count;
    uint32_t *rows = fgi_arena_take(question->arena, reached->count, sizeof *rows);
    uint32_t *links = fgi_arena_take(question->arena, reached->count, sizeof *links);
    struct fg_slice_item *items = fgi_arena_alloc(question->arena, all, sizeof *items);
    if (!rows || !links || !items) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result =
        fgi_gpu_fetch(s->vulkan, question, &reach->rows.column, reached->count, rows, "a slice");
    if (result == FG_OK) {
        result = fgi_gpu_fetch(s->vulkan, question, &reach->via.column, reached->count, links,
                               "a slice");
    }
    if (result != FG_OK) {
        return result;
    }
    memcpy(items, s->items, s->count * sizeof *items);
    uint32_t at = 1; /* behind the row itself */
    for (uint32_t hop = 0; hop < reached->record_count; hop++) {
        s->face.work.done_rows += reached->records[hop].expanded;
        for (uint32_t i = 0; i < reached->records[hop].found; i++, at++) {
            items[s->count++] = (struct fg_slice_item){
                .row = rows[at],
                .hops = is_forward ? (int32_t)hop + 1 : -(int32_t)hop - 1,
                .link = links[at],
            };
        }
    }
    s->items = items;
    fgi_gpu_reached_visits(reached, question->visits);
    return FG_OK;
}

static enum fg_result go(struct slice *s, const struct fgi_question *question, bool is_forward)
{
    const struct fg_slice_request *r = &s->request;
    struct fg_slice_reply *reply = &s->face.reply;
    const struct fgi_gpu_column *passing = NULL;
    struct fgi_gpu_reached reached;
    struct fgi_gpu_reach_words words = {
        .start_ns = r->start_ns,
        .end_ns = r->end_ns,
        .wanted = r->families,
        .directions = is_forward ? FGI_GPU_REACH_OUT : FGI_GPU_REACH_IN,
        .flags = FGI_GPU_REACH_SLICE | FGI_GPU_REACH_RANGE,
        .capacity = UINT32_MAX,
        .max_hops = r->max_hops,
        .max_rows = r->max_rows,
        .seed_count = 1,
    };
    enum fg_result result = fgi_gpu_mask_of(s->vulkan, r->filter, &passing);
    if (result != FG_OK) {
        return result;
    }
    if (passing) {
        words.passing = fgi_gpu_column_push(passing);
    }
    result = fgi_gpu_reach_all(s->vulkan, question, &words, &r->row, &reached);
    result = result == FG_OK ? add_items(s, question, &reached, is_forward) : result;
    reply->overflow += reached.state.overflow;
    reply->outside += reached.state.outside;
    reply->hidden += reached.state.hidden;
    reply->is_hop_limited |= reached.state.is_limited != 0;
    return result;
}

/** What is known of the dependencies by which rows were reached. */
static enum fg_result claim(struct slice *s)
{
    const struct fg_trace *trace = s->vulkan->engine.trace;
    const struct fgi_graph graph = fgi_gpu_graph(s->vulkan, s->request.families);
    enum fg_result result = FG_OK;
    for (uint32_t i = 1; i < s->count && result == FG_OK; i++) {
        struct fg_slice_item *item = &s->items[i];
        struct fg_trace_dependency link;
        struct fg_trace_span from, to;
        uint32_t count;
        int64_t gap;
        (void)fgi_graph_dependency(&graph, item->link, &link);
        result = fg_trace_spans(trace, link.source, &from, 1, &count);
        if (result == FG_OK) {
            result = fg_trace_spans(trace, link.target, &to, 1, &count);
        }
        if (result == FG_OK) {
            item->family = link.family;
            item->flags = link.flags;
            item->is_claimed = fgi_gap_is_told(trace, &from, &to, &gap) && gap >= 0;
        }
    }
    return result;
}

static enum fg_result answer(struct slice *s, const struct fgi_question *question)
{
    struct fg_slice_reply *reply = &s->face.reply;
    enum fg_result result = FG_OK;
    *reply = (struct fg_slice_reply){ 0 };
    s->items = fgi_arena_alloc(question->arena, 1, sizeof *s->items);
    if (!s->items) {
        return FG_ERR_NO_MEMORY;
    }
    s->items[0] = (struct fg_slice_item){ .row = s->request.row, .link = FG_NONE };
    s->count = 1;
    if (s->request.direction != FG_SLICE_FORWARD) {
        result = go(s, question, false);
    }
    if (result == FG_OK && s->request.direction != FG_SLICE_BACKWARD) {
        result = go(s, question, true);
    }
    result = result == FG_OK ? claim(s) : result;
    reply->items = s->items;
    reply->count = s->count;
    return result;
}

/** Anew and to the end at the host, as the device has failed. */
static enum fg_result go_on_at_host(struct slice *s, const struct fgi_question *question,
                                    uint64_t max_rows)
{
    enum fg_result result = s->host ? FG_OK : fgi_gpu_host_derive(s->vulkan, question);
    if (result == FG_OK && !s->host) {
        result = fgi_host_slice_begin(&s->vulkan->engine, question, &s->request, &s->host);
    }
    return result == FG_OK ? fgi_gpu_host_step(&s->face.work, &s->host->work, sizeof s->face,
                                               question, max_rows)
                           : result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct slice *s = (struct slice *)work;
    enum fg_result result = FG_OK;
    if (s->host || !fgi_gpu_ready(s->vulkan)) {
        return go_on_at_host(s, question, max_rows);
    }
    if (!s->has_graph) {
        uint64_t done = 0;
        result = fgi_gpu_derive(s->vulkan, question, s->request.families, max_rows, &done,
                                &s->has_graph);
        work->done_rows += done;
        if (result != FG_OK || !s->has_graph || (done >= max_rows && done > 0)) {
            return result;
        }
    }
    result = fgi_gpu_links_fit(s->vulkan) ? answer(s, question) : FG_ERR_LIMIT;
    if (result == FG_ERR_LIMIT || !fgi_gpu_answered(s->vulkan, result)) {
        return go_on_at_host(s, question, max_rows);
    }
    if (result == FG_OK) {
        work->total_rows = work->done_rows;
        work->stage = 1;
        work->is_done = true;
    }
    return result;
}

static const struct fgi_task_ops slice_ops = { step, destroy };

enum fg_result fgi_vulkan_slice_begin(struct fg_engine *engine, const struct fgi_question *question,
                                      const struct fg_slice_request *request,
                                      struct fgi_slice_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct fgi_gpu_filter *filter = fgi_gpu_filter_find(vulkan, request->filter);
    if (request->filter != 0 && !filter) {
        return FG_ERR_NOT_FOUND;
    }
    if (!fgi_gpu_ready(vulkan)) {
        return fgi_host_slice_begin(engine, question, request, out_work);
    }
    struct slice *s = fgi_calloc(vulkan->allocator, 1, sizeof *s);
    if (!s) {
        return FG_ERR_NO_MEMORY;
    }
    s->vulkan = vulkan;
    s->request = *request;
    s->filter = filter;
    if (filter) {
        filter->uses++;
    }
    s->face.work =
        (struct fgi_work){ .ops = &slice_ops,
                           .kind = FGI_WORK_SLICE,
                           .total_rows = fgi_gpu_derived_rows(vulkan, request->families) + 1,
                           .stage_count = 1 };
    *out_work = &s->face;
    return FG_OK;
}
