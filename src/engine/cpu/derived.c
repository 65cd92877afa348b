/* SPDX-License-Identifier: MIT */
/*
 * Dependencies that follow from frame graphs, made when a question first needs them, in steps of
 * whoever needs them: work that is cancelled leaves them for the next one to go on with.
 */
#include "base/alloc.h"
#include "engine/cpu/graph_cpu.h"

static bool is_needed(const struct fgi_engine_cpu *cpu, uint32_t families)
{
    return fgi_families_are_derived(families) && !cpu->derived.is_made;
}

uint64_t fgi_derived_rows(const struct fgi_engine_cpu *cpu, uint32_t families)
{
    return is_needed(cpu, families) ? fgi_deriving_rows(cpu->engine.trace) : 0;
}

enum fg_result fgi_derived_step(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                uint32_t families, uint64_t max_rows, uint64_t *done, bool *is_over)
{
    struct fgi_derived *derived = &cpu->derived;
    enum fg_result result = FG_OK;
    *is_over = !is_needed(cpu, families);
    if (*is_over) {
        return FG_OK;
    }
    if (!derived->making) {
        result = fgi_deriving_create(cpu->allocator, cpu->engine.trace, &derived->making);
    }
    if (result == FG_OK) {
        result =
            fgi_deriving_step(derived->making, question, max_rows, done, is_over, &derived->links);
    }
    /* What has failed is begun anew by the next one: what it holds may not be whole. */
    if (*is_over || (result != FG_OK && result != FG_ERR_CANCELLED)) {
        fgi_deriving_destroy(derived->making);
        derived->making = NULL;
        derived->is_made = result == FG_OK;
    }
    return result;
}

void fgi_derived_finish(struct fgi_engine_cpu *cpu)
{
    fgi_deriving_destroy(cpu->derived.making);
    fgi_links_finish(cpu->allocator, &cpu->derived.links);
}

struct fgi_graph fgi_cpu_graph(const struct fgi_engine_cpu *cpu, uint32_t families)
{
    return fgi_graph_of(cpu->engine.trace,
                        fgi_families_are_derived(families) ? &cpu->derived.links : NULL);
}

enum fg_result fgi_cpu_graph_get(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                 uint32_t families, struct fgi_graph *out_graph)
{
    bool is_over = false;
    enum fg_result result = FG_OK;
    while (result == FG_OK && !is_over) {
        uint64_t done = 0;
        result = fgi_derived_step(cpu, question, families, UINT64_MAX, &done, &is_over);
    }
    *out_graph = fgi_cpu_graph(cpu, families);
    return result;
}

enum fg_result fgi_cpu_dependency(struct fg_engine *engine, const struct fgi_question *question,
                                  uint32_t link, struct fg_trace_dependency *out_dependency)
{
    struct fgi_graph graph;
    uint32_t families = link < fgi_link_count(engine->trace) ? 0 : UINT32_MAX;
    enum fg_result result = fgi_cpu_graph_get(fgi_cpu(engine), question, families, &graph);
    if (result != FG_OK) {
        return result;
    }
    return fgi_graph_dependency(&graph, link, out_dependency) ? FG_OK : FG_ERR_NOT_FOUND;
}
