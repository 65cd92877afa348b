/* SPDX-License-Identifier: MIT */
/* Filters: a set of rows, made once in steps, with lanes and bins of its own. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "engine/cpu/filter_terms.h"
#include "engine/cpu/graph_cpu.h"
#include "trace/task.h"
#include <string.h>

/* Rows between two looks at whether to stop. */
#define CHUNK_ROWS 65536u

/* ---- filter objects -------------------------------------------------------------------------- */

static size_t bit_words(const struct fgi_engine_cpu *cpu)
{
    return fgi_trace_rows(cpu->engine.trace) / 64 + 1;
}

static void filter_destroy(struct fgi_engine_cpu *cpu, struct fgi_cpu_filter *filter)
{
    const struct fg_allocator *allocator = cpu->allocator;
    size_t lanes = cpu->engine.trace->lanes.count;
    fgi_population_finish(cpu, &filter->population);
    fgi_link_index_destroy(allocator, filter->population.links);
    fgi_link_making_destroy(filter->population.making);
    fgi_free(allocator, filter->key, filter->key_size);
    fgi_free(allocator, filter->bits, bit_words(cpu) * sizeof *filter->bits);
    fgi_free(allocator, filter->rows, ((size_t)filter->row_count + 1) * sizeof *filter->rows);
    fgi_free(allocator, filter->lane_first, (lanes + 1) * sizeof *filter->lane_first);
    fgi_free(allocator, filter, sizeof *filter);
}

void fgi_filters_finish(struct fgi_engine_cpu *cpu)
{
    for (size_t i = 0; i < cpu->filters.count; i++) {
        filter_destroy(cpu, cpu->filters.items[i]);
    }
    fgi_free(cpu->allocator, cpu->filters.items,
             cpu->filters.capacity * sizeof *cpu->filters.items);
}

/* ---- making one ------------------------------------------------------------------------------ */

enum phase { PHASE_RELATIONS, PHASE_JUDGE, PHASE_GATHER, PHASE_DONE };
struct making {
    struct fgi_filter_work base;
    struct fgi_engine_cpu *cpu;
    struct fgi_judge judge;
    struct fgi_cpu_filter *filter; /* owned until it is in the engine's list */
    uint64_t *similar;
    enum phase phase;
    uint32_t at;   /* next row, or position among the rows of lanes */
    uint32_t lane; /* of that position */
    uint32_t gathered;
};

/* Marks the parents that look like one of their children. */
static enum fg_result relate_rows(struct making *m, uint32_t end)
{
    const struct fg_trace *trace = m->cpu->engine.trace;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    struct fgi_cursor parents = fgi_trace_cursor(trace);
    enum fg_result result = FG_OK;
    for (; m->at < end && result == FG_OK; m->at++) {
        if (!fgi_cursor_at(&cursor, m->at)) {
            result = cursor.result;
            break;
        }
        uint32_t parent = cursor.block->parent[m->at - cursor.first_row];
        if (parent == FG_NONE || fgi_has_bit(m->similar, parent)) {
            continue;
        }
        if (!fgi_cursor_at(&parents, parent)) {
            result = parents.result;
        } else if (fgi_is_similar(fgi_duration(fgi_cursor_start(&parents, parent),
                                               fgi_cursor_end(&parents, parent)),
                                  fgi_duration(fgi_cursor_start(&cursor, m->at),
                                               fgi_cursor_end(&cursor, m->at)),
                                  m->judge.terms.similar_parent_percent)) {
            fgi_set_bit(m->similar, parent);
        }
    }
    fgi_cursor_finish(&cursor);
    fgi_cursor_finish(&parents);
    return result;
}

static enum fg_result judge_rows(struct making *m, uint32_t end)
{
    const struct fg_trace *trace = m->cpu->engine.trace;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    for (; m->at < end && fgi_cursor_at(&cursor, m->at); m->at++) {
        if (fgi_judge_passes(&m->judge, trace, cursor.block, m->at - cursor.first_row)) {
            fgi_set_bit(m->filter->bits, m->at);
            m->filter->row_count++;
        }
    }
    enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    return result;
}

static enum fg_result gather_rows(struct making *m, uint32_t end)
{
    const struct fg_trace *trace = m->cpu->engine.trace;
    struct fgi_cpu_filter *filter = m->filter;
    uint32_t lanes = (uint32_t)trace->lanes.count;
    if (!filter->rows) {
        filter->rows =
            fgi_malloc(m->cpu->allocator, ((size_t)filter->row_count + 1) * sizeof *filter->rows);
        filter->lane_first =
            fgi_malloc(m->cpu->allocator, ((size_t)lanes + 1) * sizeof *filter->lane_first);
        if (!filter->rows || !filter->lane_first) {
            return FG_ERR_NO_MEMORY;
        }
    }
    for (; m->at < end; m->at++) {
        while (m->lane < lanes && trace->lane_first[m->lane] <= m->at) {
            filter->lane_first[m->lane++] = m->gathered;
        }
        if (fgi_has_bit(filter->bits, trace->lane_rows[m->at])) {
            filter->rows[m->gathered++] = trace->lane_rows[m->at];
        }
    }
    return FG_OK;
}

static enum fg_result keep_filter(struct making *m)
{
    struct fgi_engine_cpu *cpu = m->cpu;
    uint32_t lanes = (uint32_t)cpu->engine.trace->lanes.count;
    while (m->lane <= lanes) { /* lanes without rows at the end, and the end itself */
        m->filter->lane_first[m->lane++] = m->gathered;
    }
    m->filter->population.set = (struct fgi_row_set){ m->filter->rows, m->filter->lane_first };
    enum fg_result result = FGI_GROW(cpu->allocator, cpu->filters.items, cpu->filters.capacity,
                                     cpu->filters.count + 1, FG_NONE - 1);
    if (result != FG_OK) {
        return result;
    }
    m->filter->id = ++cpu->next_filter;
    m->filter->uses = 1;
    cpu->filters.items[cpu->filters.count++] = m->filter;
    m->base.filter = m->filter->id;
    m->base.rows = m->filter->row_count;
    m->filter = NULL;
    return FG_OK;
}

static bool use_old(struct making *m, const uint8_t *key, size_t key_size)
{
    struct fgi_engine_cpu *cpu = m->cpu;
    for (size_t i = 0; i < cpu->filters.count; i++) {
        struct fgi_cpu_filter *old = cpu->filters.items[i];
        if (old->key_size == key_size && memcmp(old->key, key, key_size) == 0) {
            old->uses++;
            m->base.filter = old->id;
            m->base.rows = old->row_count;
            m->phase = PHASE_DONE;
            m->base.work.stage = 1;
            m->base.work.is_done = true;
            return true;
        }
    }
    return false;
}

static enum fg_result end_phase(struct making *m)
{
    m->at = 0;
    if (m->phase == PHASE_RELATIONS) {
        m->judge.similar = m->similar;
    }
    m->phase++;
    if (m->phase != PHASE_DONE) {
        return FG_OK;
    }
    /* another task may have made the same one in the meantime */
    struct fgi_cpu_filter *filter = m->filter;
    if (use_old(m, filter->key, filter->key_size)) {
        return FG_OK;
    }
    enum fg_result result = keep_filter(m);
    m->base.work.stage = result == FG_OK;
    m->base.work.is_done = result == FG_OK;
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct making *m = (struct making *)work;
    static enum fg_result (*const phases[])(struct making *, uint32_t) = {
        [PHASE_RELATIONS] = relate_rows,
        [PHASE_JUDGE] = judge_rows,
        [PHASE_GATHER] = gather_rows,
    };
    uint32_t rows = fgi_trace_rows(m->cpu->engine.trace);
    enum fg_result result = FG_OK;
    while (result == FG_OK && m->phase != PHASE_DONE && (max_rows > 0 || m->at == rows)) {
        uint32_t left = rows - m->at < CHUNK_ROWS ? rows - m->at : CHUNK_ROWS;
        uint32_t chunk = max_rows < left ? (uint32_t)max_rows : left;
        if (fgi_question_cancelled(question)) {
            return FG_ERR_CANCELLED;
        }
        result = phases[m->phase](m, m->at + chunk);
        work->done_rows += chunk;
        max_rows -= chunk;
        if (result == FG_OK && m->at == rows) {
            result = end_phase(m);
        }
    }
    return result;
}

static void making_destroy(struct fgi_work *work)
{
    struct making *m = (struct making *)work;
    struct fgi_engine_cpu *cpu = m->cpu;
    if (m->filter) {
        filter_destroy(cpu, m->filter);
    }
    if (m->base.filter && !m->base.is_taken) {
        (void)fgi_cpu_filter_destroy(&cpu->engine, m->base.filter);
    }
    fgi_free(cpu->allocator, m->similar, bit_words(cpu) * sizeof *m->similar);
    fgi_free(cpu->allocator, m, sizeof *m);
}

static const struct fgi_task_ops making_ops = { step, making_destroy };

static enum fg_result begin(struct making *m, const struct fgi_question *question,
                            const struct fg_filter_terms *terms)
{
    struct fgi_engine_cpu *cpu = m->cpu;
    struct fgi_bytes key = { .allocator = cpu->allocator };
    if (!fgi_judge_make(cpu->engine.trace, question->arena, terms, &m->judge)) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_judge_put_key(&key, cpu->allocator, question->arena, &m->judge);
    enum fg_result result = key.result;
    if (result == FG_OK && !use_old(m, key.data, key.size)) {
        m->filter = fgi_calloc(cpu->allocator, 1, sizeof *m->filter);
        if (m->filter) {
            m->filter->bits = fgi_calloc(cpu->allocator, bit_words(cpu), sizeof *m->filter->bits);
            m->filter->key = fgi_malloc(cpu->allocator, key.size);
            m->filter->key_size = key.size;
        }
        bool is_related = terms->similar_parent_percent > 0;
        m->similar =
            is_related ? fgi_calloc(cpu->allocator, bit_words(cpu), sizeof *m->similar) : NULL;
        m->phase = is_related ? PHASE_RELATIONS : PHASE_JUDGE;
        m->base.work.total_rows =
            (uint64_t)fgi_trace_rows(cpu->engine.trace) * (is_related ? 3 : 2);
        if (!m->filter || !m->filter->bits || !m->filter->key || (is_related && !m->similar)) {
            result = FG_ERR_NO_MEMORY;
        } else {
            memcpy(m->filter->key, key.data, key.size);
        }
    }
    fgi_bytes_finish(&key);
    return result;
}

enum fg_result fgi_cpu_filter_begin(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fg_filter_terms *terms,
                                    struct fgi_filter_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct making *m = fgi_calloc(cpu->allocator, 1, sizeof *m);
    if (!m) {
        return FG_ERR_NO_MEMORY;
    }
    m->cpu = cpu;
    m->base.work =
        (struct fgi_work){ .ops = &making_ops, .kind = FGI_WORK_FILTER, .stage_count = 1 };
    enum fg_result result = begin(m, question, terms);
    if (result != FG_OK) {
        making_destroy(&m->base.work);
        return result;
    }
    *out_work = &m->base;
    return FG_OK;
}

/* ---- using them ------------------------------------------------------------------------------ */

enum fg_result fgi_cpu_filter_destroy(struct fg_engine *engine, uint32_t id)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    for (size_t i = 0; i < cpu->filters.count; i++) {
        struct fgi_cpu_filter *filter = cpu->filters.items[i];
        if (filter->id != id) {
            continue;
        }
        if (--filter->uses == 0) {
            cpu->filters.items[i] = cpu->filters.items[--cpu->filters.count];
            filter_destroy(cpu, filter);
        }
        return FG_OK;
    }
    return FG_ERR_NOT_FOUND;
}

static struct fgi_cpu_filter *find(struct fgi_engine_cpu *cpu, uint32_t id)
{
    for (size_t i = 0; i < cpu->filters.count; i++) {
        if (cpu->filters.items[i]->id == id) {
            return cpu->filters.items[i];
        }
    }
    return NULL;
}

enum fg_result fgi_filter_hold(struct fgi_engine_cpu *cpu, uint32_t id,
                               struct fgi_cpu_filter **out_filter)
{
    *out_filter = id != 0 ? find(cpu, id) : NULL;
    if (*out_filter) {
        (*out_filter)->uses++;
    }
    return id == 0 || *out_filter ? FG_OK : FG_ERR_NOT_FOUND;
}

enum fg_result fgi_filter_find(struct fgi_engine_cpu *cpu, uint32_t id,
                               struct fgi_population **out_population, const uint64_t **out_bits)
{
    *out_population = &cpu->all;
    *out_bits = NULL;
    if (id == 0) {
        return FG_OK;
    }
    struct fgi_cpu_filter *filter = find(cpu, id);
    if (!filter) {
        return FG_ERR_NOT_FOUND;
    }
    *out_population = &filter->population;
    *out_bits = filter->bits;
    return FG_OK;
}
