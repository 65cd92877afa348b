/* SPDX-License-Identifier: MIT */
/* The minimap: bins of the coarsest stored level, those of one category together. */
#include "base/alloc.h"
#include "base/wide.h"
#include "engine/cpu/engine_cpu_priv.h"

struct mapping {
    struct fgi_engine_cpu *cpu;
    const struct fgi_question *question;
    const struct fg_minimap_request *request;
    struct fgi_population *population;
    struct fgi_cursor cursor;
    unsigned level;
    int64_t first_bin, last_bin;
    struct fg_minimap_cell *cells;
    size_t cell_count, cell_capacity;
    struct fgi_map64 map; /* of one answer: bin and category to a cell */
    bool is_full;
    enum fg_result result;
    bool has_previous; /* of one lane */
    struct fgi_bin previous;
};

/* Category and duration of a row; of a bin's longest both are known without a look at it. */
static uint32_t category_of(struct mapping *m, uint32_t row, uint32_t kind, uint64_t *longest_ns)
{
    if (kind != FGI_KIND_NONE) {
        return m->cpu->engine.trace->store->kinds.items[kind].category;
    }
    if (!fgi_cursor_at(&m->cursor, row)) {
        m->result = m->cursor.result;
        return 0;
    }
    m->question->visits->spans++;
    *longest_ns = fgi_duration(fgi_cursor_start(&m->cursor, row), fgi_cursor_end(&m->cursor, row));
    return fgi_block_category(m->cursor.block, row - m->cursor.first_row);
}

static bool new_cell(struct mapping *m, uint64_t key, const struct fg_minimap_cell *cell)
{
    if (m->cell_count >= m->request->max_cells) {
        m->is_full = true;
        return false;
    }
    if (!FGI_ANSWER_GROW(m->question->arena, m->cells, m->cell_capacity, m->cell_count + 1)) {
        m->result = FG_ERR_NO_MEMORY;
        return false;
    }
    m->result = fgi_map64_put(&m->map, key, (uint32_t)m->cell_count);
    m->cells[m->cell_count++] = *cell;
    return m->result == FG_OK;
}

/* Bins of one lane join what other lanes have of the same category. */
static bool add_cell(struct mapping *m, const struct fg_minimap_cell *cell)
{
    uint64_t offset = (uint64_t)cell->bin - (uint64_t)m->first_bin;
    uint64_t key = offset << 32 | cell->category;
    uint32_t at = 0;
    if (!fgi_map64_get(&m->map, key, &at)) {
        return new_cell(m, key, cell);
    }
    struct fg_minimap_cell *sum = &m->cells[at];
    sum->lanes++;
    sum->starts += cell->starts;
    sum->covered_ns = fgi_add_saturated(sum->covered_ns, cell->covered_ns);
    if (fgi_is_longer(cell->longest_ns, cell->row, sum->longest_ns, sum->row)) {
        sum->longest_ns = cell->longest_ns;
        sum->row = cell->row;
    }
    return true;
}

/* Between two stored bins: all covered by one span, mostly the longest of one of the two. */
static bool add_run(struct mapping *m, const struct fgi_bin *next)
{
    const struct fgi_bin *before = &m->previous;
    int64_t first = before->index + 1;
    if (!m->has_previous || before->run == FG_NONE || first >= next->index) {
        return true;
    }
    const struct fgi_bin *known = before->run == before->row ? before
                                  : before->run == next->row ? next
                                                             : NULL;
    struct fg_minimap_cell cell = { .lanes = 1,
                                    .row = before->run,
                                    .longest_ns = known ? known->longest_ns : 0,
                                    .covered_ns = fgi_bin_width(m->level) };
    cell.category = category_of(m, cell.row, known ? known->kind : FGI_KIND_NONE, &cell.longest_ns);
    for (cell.bin = first; m->result == FG_OK && cell.bin < next->index; cell.bin++) {
        if (!add_cell(m, &cell)) {
            return false;
        }
    }
    return m->result == FG_OK;
}

static bool see_bin(void *context, const struct fgi_bin *bin)
{
    struct mapping *m = context;
    if (!add_run(m, bin)) {
        return false;
    }
    struct fg_minimap_cell cell = { .bin = bin->index,
                                    .lanes = 1,
                                    .starts = bin->starts,
                                    .row = bin->row,
                                    .longest_ns = bin->longest_ns,
                                    .covered_ns = bin->covered_ns };
    cell.category = category_of(m, bin->row, bin->kind, &cell.longest_ns);
    m->has_previous = true;
    m->previous = *bin;
    return m->result == FG_OK && add_cell(m, &cell);
}

static void add_lane(struct mapping *m, uint32_t lane)
{
    struct fgi_lanes lanes = { .first = lane, .count = 1 };
    struct fgi_index_reader reader = { m->cpu->allocator, m->cpu->engine.trace, &m->population->set,
                                       &m->cursor, m->question->visits };
    struct fgi_bin_sink sink = { see_bin, m };
    const struct fgi_index *index = NULL;
    m->has_previous = false;
    m->result = fgi_index_get(m->cpu, m->population, FG_VIEW_LANE, lane, &index);
    if (m->result == FG_OK) {
        enum fg_result read =
            fgi_index_read(&reader, index, &lanes, m->level, m->first_bin, m->last_bin, &sink);
        m->result = m->result != FG_OK ? m->result : read;
    }
}

static bool cell_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_minimap_cell *cells = context;
    return cells[a].bin != cells[b].bin ? cells[a].bin < cells[b].bin
                                        : cells[a].category < cells[b].category;
}

/* By bin, then category. */
static void sort_cells(struct mapping *m, size_t first)
{
    size_t count = m->cell_count - first;
    if (count < 2) {
        return;
    }
    uint32_t *order = fgi_arena_take(m->question->arena, count, sizeof *order);
    struct fg_minimap_cell *unsorted = fgi_arena_take(m->question->arena, count, sizeof *unsorted);
    if (!order || !unsorted) {
        m->result = FG_ERR_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
        unsorted[i] = m->cells[first + i];
    }
    m->result = fgi_sort_u32(m->cpu->allocator, order, count, cell_before, unsorted);
    for (size_t i = 0; i < count && m->result == FG_OK; i++) {
        m->cells[first + i] = unsorted[order[i]];
    }
}

static void answer_group(struct mapping *m, uint32_t group, struct fg_minimap_answer *answer)
{
    struct fgi_lanes lanes = fgi_target_lanes(m->cpu, m->request->kind, group);
    size_t first = m->cell_count;
    m->map = (struct fgi_map64){ .allocator = m->cpu->allocator };
    for (uint32_t i = 0; i < lanes.count && m->result == FG_OK && !m->is_full; i++) {
        if (fgi_question_cancelled(m->question)) {
            m->result = FG_ERR_CANCELLED;
        } else {
            add_lane(m, fgi_lane_at(&lanes, i));
        }
    }
    fgi_map64_finish(&m->map);
    if (m->is_full) {
        m->cell_count = first;
    } else if (m->result == FG_OK) {
        sort_cells(m, first);
    }
    *answer = (struct fg_minimap_answer){ .first_cell = (uint32_t)first,
                                          .cell_count = (uint32_t)(m->cell_count - first),
                                          .is_answered = !m->is_full };
}

enum fg_result fgi_cpu_minimap(struct fg_engine *engine, const struct fgi_question *question,
                               const struct fg_minimap_request *request,
                               struct fg_minimap_reply *out_reply)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct mapping m = { .cpu = cpu,
                         .question = question,
                         .request = request,
                         .cursor = fgi_trace_cursor(engine->trace),
                         .level = cpu->coarsest };
    const uint64_t *bits;
    size_t count = request->kind == FG_VIEW_PROCESS ? engine->trace->processes.count
                                                    : engine->trace->tracks.count;
    struct fg_minimap_answer *answers = NULL;
    m.result = fgi_filter_find(cpu, request->filter, &m.population, &bits);
    *out_reply = (struct fg_minimap_reply){ .level = m.level, .last_bin = -1 };
    if (m.result == FG_OK && count > 0) {
        answers = fgi_arena_alloc(question->arena, count, sizeof *answers);
        m.result = answers ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (m.result == FG_OK && cpu->first_ns <= cpu->last_ns) {
        m.first_bin = fgi_first_bin(cpu->first_ns, m.level);
        m.last_bin = fgi_first_bin(cpu->last_ns, m.level); /* a span of no length may be there */
        out_reply->first_bin = m.first_bin;
        out_reply->last_bin = m.last_bin;
    }
    for (size_t i = 0; i < count && m.result == FG_OK; i++) {
        if (m.is_full) {
            answers[i].first_cell = (uint32_t)m.cell_count;
        } else {
            answer_group(&m, (uint32_t)i, &answers[i]);
        }
        out_reply->unanswered += !answers[i].is_answered;
        m.result = m.is_full && i == 0 ? FG_ERR_LIMIT : m.result;
    }
    fgi_cursor_finish(&m.cursor);
    out_reply->answers = answers;
    out_reply->answer_count = (uint32_t)count;
    out_reply->cells = m.cells;
    out_reply->cell_count = (uint32_t)m.cell_count;
    return m.result;
}
