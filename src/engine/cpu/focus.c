/* SPDX-License-Identifier: MIT */
/* What is connected to some rows, hop by hop. Work: rows that are expanded, and their links. */
#include "base/alloc.h"
#include "engine/cpu/graph_cpu.h"
#include "trace/task.h"

struct focus {
    struct fgi_focus_work face;
    struct fgi_engine_cpu *cpu;
    struct fg_focus_request request;
    bool has_graph;
    struct fgi_graph graph;
    uint64_t *mask;
    uint32_t *rows;
    size_t count, capacity;
    struct fg_focus_hop *hops;
    size_t hop_count, hop_capacity;
    uint32_t next; /* of the last hop: rows before it were expanded */
};

/* False only when memory is refused. */
static bool reach(struct focus *f, const struct fgi_question *question, uint32_t row)
{
    if (fgi_has_bit(f->mask, row)) {
        return true;
    }
    fgi_set_bit(f->mask, row);
    if (!FGI_ANSWER_GROW(question->arena, f->rows, f->capacity, f->count + 1)) {
        return false;
    }
    f->rows[f->count++] = row;
    return true;
}

static bool expand(struct focus *f, const struct fgi_question *question, uint32_t row)
{
    uint32_t families = f->request.families;
    struct fgi_link_ranges out = { { 0 }, { 0 } };
    struct fgi_link_ranges in = { { 0 }, { 0 } };
    uint32_t link;
    uint32_t position;
    if (f->request.direction != FG_LINKS_IN) {
        out = fgi_graph_out(&f->graph, row);
    }
    if (f->request.direction != FG_LINKS_OUT) {
        in = fgi_graph_in(&f->graph, row);
    }
    question->visits->dependencies += fgi_link_ranges_count(&out) + fgi_link_ranges_count(&in);
    question->visits->spans++;
    while (fgi_link_ranges_next(&out, &link)) {
        if (fgi_family_is_in(families, fgi_graph_family(&f->graph, link)) &&
            !reach(f, question, fgi_graph_target(&f->graph, link))) {
            return false;
        }
    }
    while (fgi_link_ranges_next(&in, &position)) {
        link = fgi_graph_at(&f->graph, position);
        if (fgi_family_is_in(families, fgi_graph_family(&f->graph, link)) &&
            !reach(f, question, fgi_graph_source(&f->graph, link))) {
            return false;
        }
    }
    return true;
}

/* The rows from `first` on are a hop. */
static enum fg_result add_hop(struct focus *f, const struct fgi_question *question, uint32_t first)
{
    if (!FGI_ANSWER_GROW(question->arena, f->hops, f->hop_capacity, f->hop_count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    f->hops[f->hop_count++] =
        (struct fg_focus_hop){ .first = first, .count = (uint32_t)f->count - first };
    f->next = 0;
    return FG_OK;
}

static enum fg_result plant_seeds(struct focus *f, const struct fgi_question *question)
{
    struct fg_focus_reply *reply = &f->face.reply;
    for (uint32_t i = 0; i < f->request.seed_count; i++) {
        uint32_t seed = f->request.seeds[i];
        if (seed >= reply->mask_rows) {
            reply->invalid_seeds++;
        } else if (fgi_has_bit(f->mask, seed)) {
            reply->repeated_seeds++;
        } else if (!reach(f, question, seed)) {
            return FG_ERR_NO_MEMORY;
        }
    }
    f->request.seeds = NULL; /* lent for the call only */
    reply->seeds = (uint32_t)f->count;
    return f->count > 0 ? add_hop(f, question, 0) : FG_OK;
}

static void finish(struct focus *f)
{
    struct fg_focus_reply *reply = &f->face.reply;
    reply->mask = reply->seeds > 0 ? f->mask : NULL;
    reply->rows = f->rows;
    reply->count = (uint32_t)f->count;
    reply->hops = f->hops;
    reply->hop_count = (uint32_t)f->hop_count;
    f->face.work.stage = 1;
    f->face.work.is_done = true;
}

/* Go on with the last hop, and open the one behind it when it is done. */
static enum fg_result run_hop(struct focus *f, const struct fgi_question *question, uint64_t max,
                              uint64_t *done)
{
    struct fg_focus_hop *hop = f->hop_count > 0 ? &f->hops[f->hop_count - 1] : NULL;
    if (!hop || f->hop_count - 1 == f->request.hops) {
        f->face.reply.frontier = hop ? hop->count : 0;
        finish(f);
        return FG_OK;
    }
    uint32_t count = hop->count < f->request.capacity ? hop->count : f->request.capacity;
    for (; f->next < count && *done < max; f->next++, ++*done) {
        if (f->next % 4096 == 4095 && fgi_question_cancelled(question)) {
            return FG_ERR_CANCELLED;
        }
        if (!expand(f, question, f->rows[hop->first + f->next])) {
            return FG_ERR_NO_MEMORY;
        }
    }
    if (f->next < count) {
        return FG_OK;
    }
    hop->expanded = count;
    hop->overflow = hop->count - count;
    f->face.reply.overflow += hop->overflow;
    uint32_t first = hop->first + hop->count;
    if (f->count == first) {
        finish(f);
        return FG_OK;
    }
    return add_hop(f, question, first);
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct focus *f = (struct focus *)work;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    do {
        if (f->has_graph) {
            result = run_hop(f, question, max_rows, &done);
            continue;
        }
        result = fgi_derived_step(f->cpu, question, f->request.families, max_rows - done, &done,
                                  &f->has_graph);
        f->graph = fgi_cpu_graph(f->cpu, f->request.families);
        if (f->has_graph && f->request.capacity == 0) {
            f->request.capacity = fg_focus_capacity(f->face.reply.mask_rows, f->graph.count);
        }
    } while (result == FG_OK && !work->is_done && done < max_rows);
    work->done_rows += done;
    work->total_rows = work->total_rows < work->done_rows ? work->done_rows : work->total_rows;
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct focus *f = (struct focus *)work;
    fgi_free(f->cpu->allocator, f, sizeof *f);
}

static const struct fgi_task_ops focus_ops = { step, destroy };

enum fg_result fgi_cpu_focus_begin(struct fg_engine *engine, const struct fgi_question *question,
                                   const struct fg_focus_request *request,
                                   struct fgi_focus_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct focus *f = fgi_calloc(cpu->allocator, 1, sizeof *f);
    if (!f) {
        return FG_ERR_NO_MEMORY;
    }
    f->cpu = cpu;
    f->request = *request;
    f->face.reply.mask_rows = fgi_trace_rows(engine->trace);
    f->face.work = (struct fgi_work){ .ops = &focus_ops,
                                      .kind = FGI_WORK_FOCUS,
                                      .total_rows = fgi_derived_rows(cpu, request->families) +
                                                    request->seed_count,
                                      .stage_count = 1 };
    f->mask =
        fgi_arena_alloc(question->arena, (size_t)f->face.reply.mask_rows / 64 + 1, sizeof *f->mask);
    enum fg_result result = f->mask ? plant_seeds(f, question) : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        destroy(&f->face.work);
        return result;
    }
    *out_work = &f->face;
    return FG_OK;
}
