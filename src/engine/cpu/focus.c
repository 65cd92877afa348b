/* SPDX-License-Identifier: MIT */
/* What is connected to some rows, hop by hop. Work: rows that are expanded, and their links. */
#include "engine/cpu/graph_cpu.h"

struct focus {
    const struct fg_trace *trace;
    const struct fgi_question *question;
    const struct fg_focus_request *request;
    uint64_t *mask;
    uint32_t *rows;
    size_t count, capacity;
    struct fg_focus_hop *hops;
    size_t hop_count, hop_capacity;
};

/* False only when memory is refused. */
static bool reach(struct focus *f, uint32_t row)
{
    if (fgi_has_bit(f->mask, row)) {
        return true;
    }
    fgi_set_bit(f->mask, row);
    if (!FGI_ANSWER_GROW(f->question->arena, f->rows, f->capacity, f->count + 1)) {
        return false;
    }
    f->rows[f->count++] = row;
    return true;
}

static bool expand(struct focus *f, uint32_t row)
{
    const struct fg_trace *trace = f->trace;
    uint32_t families = f->request->families;
    uint32_t first = 0;
    uint32_t end = 0;
    if (f->request->direction != FG_LINKS_IN) {
        end = fgi_links_out(trace, row, &first);
        f->question->visits->dependencies += end - first;
    }
    for (uint32_t link = first; link < end; link++) {
        if (fgi_family_is_in(families, fgi_link_family(trace, link)) &&
            !reach(f, fgi_link_target(trace, link))) {
            return false;
        }
    }
    first = end = 0;
    if (f->request->direction != FG_LINKS_OUT) {
        end = fgi_links_in(trace, row, &first);
        f->question->visits->dependencies += end - first;
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t link = fgi_link_in(trace, i);
        if (fgi_family_is_in(families, fgi_link_family(trace, link)) &&
            !reach(f, fgi_link_source(trace, link))) {
            return false;
        }
    }
    f->question->visits->spans++;
    return true;
}

/* The rows from `first` on are a hop. */
static struct fg_focus_hop *add_hop(struct focus *f, uint32_t first)
{
    if (!FGI_ANSWER_GROW(f->question->arena, f->hops, f->hop_capacity, f->hop_count + 1)) {
        return NULL;
    }
    f->hops[f->hop_count] =
        (struct fg_focus_hop){ .first = first, .count = (uint32_t)f->count - first };
    return &f->hops[f->hop_count++];
}

static enum fg_result run_hop(struct focus *f, struct fg_focus_hop *hop)
{
    uint32_t count = hop->count < f->request->capacity ? hop->count : f->request->capacity;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 4096 == 4095 && fgi_question_cancelled(f->question)) {
            return FG_ERR_CANCELLED;
        }
        if (!expand(f, f->rows[hop->first + i])) {
            return FG_ERR_NO_MEMORY;
        }
    }
    hop->expanded = count;
    hop->overflow = hop->count - count;
    return FG_OK;
}

static enum fg_result plant_seeds(struct focus *f, struct fg_focus_reply *reply)
{
    uint32_t rows = fgi_trace_rows(f->trace);
    for (uint32_t i = 0; i < f->request->seed_count; i++) {
        uint32_t seed = f->request->seeds[i];
        if (seed >= rows) {
            reply->invalid_seeds++;
        } else if (fgi_has_bit(f->mask, seed)) {
            reply->repeated_seeds++;
        } else if (!reach(f, seed)) {
            return FG_ERR_NO_MEMORY;
        }
    }
    reply->seeds = (uint32_t)f->count;
    return FG_OK;
}

enum fg_result fgi_cpu_focus(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_focus_request *request,
                             struct fg_focus_reply *out_reply)
{
    struct focus f = { .trace = engine->trace, .question = question, .request = request };
    struct fg_focus_reply reply = { .mask_rows = fgi_trace_rows(engine->trace) };
    f.mask = fgi_arena_alloc(question->arena, (size_t)reply.mask_rows / 64 + 1, sizeof *f.mask);
    enum fg_result result = f.mask ? plant_seeds(&f, &reply) : FG_ERR_NO_MEMORY;
    uint32_t first = 0;
    for (uint32_t hops = 0; result == FG_OK && f.count > first; hops++) {
        struct fg_focus_hop *hop = add_hop(&f, first);
        if (!hop) {
            return FG_ERR_NO_MEMORY;
        }
        first = (uint32_t)f.count;
        if (hops == request->hops) {
            reply.frontier = hop->count;
            break;
        }
        result = run_hop(&f, hop);
        reply.overflow += hop->overflow;
    }
    if (result != FG_OK) {
        return result;
    }
    reply.mask = reply.seeds > 0 ? f.mask : NULL;
    reply.rows = f.rows;
    reply.count = (uint32_t)f.count;
    reply.hops = f.hops;
    reply.hop_count = (uint32_t)f.hop_count;
    *out_reply = reply;
    return FG_OK;
}
