/* SPDX-License-Identifier: MIT */
/*
 * Making the index over the lines of dependencies, in steps. How far it is stays with the row set
 * that it is for: whoever asks next goes on with it.
 */
#include "base/alloc.h"
#include "base/wide.h"
#include "engine/cpu/graph_cpu.h"

enum phase { PHASE_GATHER, PHASE_SPLIT, PHASE_SORT, PHASE_TREE };

struct fgi_link_making {
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    const uint64_t *bits;
    struct fgi_graph graph;
    struct fgi_link_index *index;
    enum phase phase;
    uint32_t next; /* link, class, or line of the phase at hand */
    uint64_t durations;
    /* Two of each: from one to the other and back. */
    int64_t *times[2];
    uint32_t *links[2];
    uint8_t *classes;
};

void fgi_link_making_destroy(struct fgi_link_making *m)
{
    if (!m) {
        return;
    }
    size_t count = (size_t)m->graph.count + 1;
    for (int side = 0; side < 2; side++) {
        fgi_free(m->allocator, m->times[side], count * sizeof *m->times[side]);
        fgi_free(m->allocator, m->links[side], count * sizeof *m->links[side]);
    }
    fgi_free(m->allocator, m->classes, count);
    fgi_link_index_destroy(m->allocator, m->index);
    fgi_free(m->allocator, m, sizeof *m);
}

static enum fg_result create(struct fgi_engine_cpu *cpu, const uint64_t *bits,
                             struct fgi_link_making **out_making)
{
    struct fgi_link_making *m = fgi_calloc(cpu->allocator, 1, sizeof *m);
    if (!m) {
        return FG_ERR_NO_MEMORY;
    }
    m->allocator = cpu->allocator;
    m->trace = cpu->engine.trace;
    m->bits = bits;
    m->graph = fgi_cpu_graph(cpu, UINT32_MAX);
    m->index = fgi_calloc(m->allocator, 1, sizeof *m->index);
    size_t count = (size_t)m->graph.count + 1;
    for (int side = 0; side < 2; side++) {
        m->times[side] = fgi_malloc(m->allocator, count * sizeof *m->times[side]);
        m->links[side] = fgi_malloc(m->allocator, count * sizeof *m->links[side]);
    }
    m->classes = fgi_malloc(m->allocator, count);
    if (!m->index || !m->times[0] || !m->times[1] || !m->links[0] || !m->links[1] || !m->classes) {
        fgi_link_making_destroy(m);
        return FG_ERR_NO_MEMORY;
    }
    *out_making = m;
    return FG_OK;
}

uint64_t fgi_link_making_bytes(const struct fgi_link_making *m)
{
    return m ? sizeof *m + ((uint64_t)m->graph.count + 1) *
                               (2 * sizeof **m->times + 2 * sizeof **m->links + 1)
             : 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static unsigned class_of(int64_t from, int64_t to)
{
    uint64_t length = from < to ? fgi_duration(from, to) : fgi_duration(to, from);
    unsigned class = 0;
    while (class < FGI_LINK_CLASSES - 1 && length > UINT64_C(1) << class) {
        class ++;
    }
    return class;
}

static void add_line(struct fgi_link_making *m, uint32_t link, const struct fgi_link_ends *ends)
{
    struct fgi_link_index *index = m->index;
    const uint32_t hidden = FG_LINK_SOURCE_HIDDEN | FG_LINK_TARGET_HIDDEN;
    if ((ends->marks & hidden) == hidden) {
        index->hidden++;
    } else if (ends->shown_source == ends->shown_target) {
        index->same++;
    } else {
        uint32_t at = index->count++;
        m->times[0][at] = ends->from_ns < ends->to_ns ? ends->from_ns : ends->to_ns;
        m->links[0][at] = link;
        m->classes[at] = (uint8_t)class_of(ends->from_ns, ends->to_ns);
        index->class_first[m->classes[at] + 1]++;
    }
}

/* By number, that is by source: sources are read in order. */
static enum fg_result gather(struct fgi_link_making *m, const struct fgi_question *question,
                             uint64_t max, uint64_t *done)
{
    const struct fg_trace *trace = m->trace;
    struct fgi_cursor near = fgi_trace_cursor(trace);
    struct fgi_cursor far = fgi_trace_cursor(trace);
    enum fg_result result = FG_OK;
    uint64_t visited = 0;
    uint64_t before = *done;
    const struct fgi_link_reading reading = { trace, &m->graph, m->bits, &far, &visited };
    for (; m->next < m->graph.count && *done < max && result == FG_OK; m->next++, ++*done) {
        uint32_t source = fgi_graph_source(&m->graph, m->next);
        struct fgi_link_ends ends;
        if (!fgi_cursor_at(&near, source)) {
            result = near.result;
        } else if (!fgi_link_ends(&reading, source, fgi_graph_target(&m->graph, m->next), &ends)) {
            result = far.result;
        } else {
            uint64_t duration =
                fgi_duration(fgi_cursor_start(&near, source), fgi_cursor_end(&near, source));
            m->durations = fgi_add_saturated(m->durations, duration);
            add_line(m, m->next, &ends);
        }
    }
    fgi_cursor_finish(&near);
    fgi_cursor_finish(&far);
    question->visits->spans += visited;
    question->visits->dependencies += *done - before;
    return result;
}

/* ---- their order ----------------------------------------------------------------------------- */

/* Into stretches of classes, which keep the order by number. */
static void split_classes(struct fgi_link_making *m)
{
    uint32_t next[FGI_LINK_CLASSES];
    uint32_t *first = m->index->class_first;
    for (unsigned c = 0; c < FGI_LINK_CLASSES; c++) {
        first[c + 1] += first[c];
        next[c] = first[c];
    }
    for (uint32_t i = 0; i < m->index->count; i++) {
        uint32_t at = next[m->classes[i]]++;
        m->times[1][at] = m->times[0][i];
        m->links[1][at] = m->links[0][i];
    }
}

enum { DIGIT = 11, DIGITS = 1 << DIGIT, SMALL = 16384 };

/* One pass: [first, end) of side `from` by a digit into the other side. ends[d]: where it ends. */
static void scatter(struct fgi_link_making *m, unsigned from, uint32_t first, uint32_t end,
                    int64_t low, unsigned shift, uint32_t ends[DIGITS])
{
    for (unsigned d = 0; d < DIGITS; d++) {
        ends[d] = 0;
    }
    for (uint32_t i = first; i < end; i++) {
        ends[fgi_duration(low, m->times[from][i]) >> shift & (DIGITS - 1)]++;
    }
    uint32_t sum = first;
    for (unsigned d = 0; d < DIGITS; d++) {
        uint32_t count = ends[d];
        ends[d] = sum;
        sum += count;
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t at = ends[fgi_duration(low, m->times[from][i]) >> shift & (DIGITS - 1)]++;
        m->times[1 - from][at] = m->times[from][i];
        m->links[1 - from][at] = m->links[from][i];
    }
}

static void copy(struct fgi_link_making *m, unsigned from, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        m->times[1 - from][i] = m->times[from][i];
        m->links[1 - from][i] = m->links[from][i];
    }
}

static bool find_limits(const struct fgi_link_making *m, unsigned from, uint32_t first,
                        uint32_t end, int64_t *low, int64_t *high)
{
    bool is_sorted = true;
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (uint32_t i = first; i < end; i++) {
        int64_t time = m->times[from][i];
        is_sorted &= time >= *high;
        *low = time < *low ? time : *low;
        *high = time > *high ? time : *high;
    }
    return is_sorted;
}

/*
 * Sort [first, end) of side `from` by time, keeping the order of equal ones; it ends in side 1. Few
 * are sorted digit by digit, as they lie near each other; many are first dealt out by the highest
 * digit of their times, which brings them near.
 */
static void sort_lines(struct fgi_link_making *m, unsigned from, uint32_t first, uint32_t end)
{
    int64_t low, high;
    if (find_limits(m, from, first, end, &low, &high)) {
        if (from == 0) {
            copy(m, from, first, end);
        }
        return;
    }
    uint64_t range = fgi_duration(low, high);
    uint32_t ends[DIGITS];
    unsigned top = 0;
    while (range >> top >= DIGITS) {
        top++;
    }
    if (end - first > SMALL && top > 0) {
        scatter(m, from, first, end, low, top, ends);
        for (unsigned d = 0; d < DIGITS; d++) {
            uint32_t begin = d == 0 ? first : ends[d - 1];
            if (begin < ends[d]) {
                sort_lines(m, 1 - from, begin, ends[d]);
            }
        }
        return;
    }
    for (unsigned shift = 0; shift < 64 && range >> shift > 0; shift += DIGIT) {
        scatter(m, from, first, end, low, shift, ends);
        from = 1 - from;
    }
    if (from == 0) {
        copy(m, from, first, end);
    }
}

/* ---- the tree -------------------------------------------------------------------------------- */

static enum fg_result make_tree(struct fgi_link_making *m)
{
    struct fgi_link_index *index = m->index;
    index->leaf_count = (uint32_t)(((uint64_t)index->count + FGI_LINK_LEAF - 1) / FGI_LINK_LEAF);
    index->leaf_room = 1;
    while (index->leaf_room < index->leaf_count) {
        index->leaf_room *= 2;
    }
    index->links = fgi_malloc(m->allocator, ((size_t)index->count + 1) * sizeof *index->links);
    index->leaf_times =
        fgi_malloc(m->allocator, ((size_t)index->leaf_count + 1) * sizeof *index->leaf_times);
    index->least = fgi_malloc(m->allocator, (size_t)index->leaf_room * 2 * sizeof *index->least);
    if (!index->links || !index->leaf_times || !index->least) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < index->leaf_room * 2; i++) {
        index->least[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < index->count; i++) {
        uint32_t hash = fg_links_hash(m->links[1][i]);
        uint32_t *least = &index->least[index->leaf_room + i / FGI_LINK_LEAF];
        index->links[i] = m->links[1][i];
        *least = hash < *least ? hash : *least;
        if (i % FGI_LINK_LEAF == 0) {
            index->leaf_times[i / FGI_LINK_LEAF] = m->times[1][i];
        }
    }
    for (uint32_t i = index->leaf_room; i-- > 1;) {
        uint32_t a = index->least[2 * i];
        uint32_t b = index->least[2 * i + 1];
        index->least[i] = a < b ? a : b;
    }
    return FG_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Adds to *done what a pass over so many lines amounts to in rows. */
static enum fg_result run_phase(struct fgi_link_making *m, const struct fgi_question *question,
                                uint64_t max, uint64_t *done, bool *is_over)
{
    struct fgi_link_index *index = m->index;
    enum fg_result result = FG_OK;
    switch (m->phase) {
    case PHASE_GATHER:
        result = gather(m, question, max, done);
        if (result == FG_OK && m->next == m->graph.count) {
            index->typical_ns = m->graph.count > 0 ? m->durations / m->graph.count : 0;
            m->phase = PHASE_SPLIT;
        }
        return result;
    case PHASE_SPLIT:
        split_classes(m);
        *done += index->count;
        m->phase = PHASE_SORT;
        m->next = 0;
        return FG_OK;
    case PHASE_SORT:
        sort_lines(m, 1, index->class_first[m->next], index->class_first[m->next + 1]);
        *done += index->class_first[m->next + 1] - index->class_first[m->next];
        m->phase = ++m->next == FGI_LINK_CLASSES ? PHASE_TREE : PHASE_SORT;
        return FG_OK;
    default:
        *done += index->count;
        *is_over = true;
        return make_tree(m);
    }
}

uint64_t fgi_link_index_rows(const struct fgi_engine_cpu *cpu,
                             const struct fgi_population *population)
{
    if (population->links) {
        return 0;
    }
    uint64_t derived = fgi_derived_rows(cpu, UINT32_MAX);
    return derived + ((uint64_t)fgi_cpu_graph(cpu, UINT32_MAX).count + derived) * 4;
}

enum fg_result fgi_link_index_step(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                   struct fgi_population *population, const uint64_t *bits,
                                   uint64_t max_rows, uint64_t *done, bool *is_over)
{
    enum fg_result result = FG_OK;
    bool is_derived = false;
    *is_over = population->links != NULL;
    if (*is_over) {
        return FG_OK;
    }
    if (!population->making) {
        result = fgi_derived_step(cpu, question, UINT32_MAX, max_rows, done, &is_derived);
        if (result == FG_OK && is_derived) {
            result = create(cpu, bits, &population->making);
        }
    }
    while (result == FG_OK && population->making && !*is_over && *done < max_rows) {
        uint64_t room = max_rows - *done;
        uint64_t limit = *done + (room < FGI_LINK_LOOK_ROWS ? room : FGI_LINK_LOOK_ROWS);
        result = fgi_question_cancelled(question)
                     ? FG_ERR_CANCELLED
                     : run_phase(population->making, question, limit, done, is_over);
    }
    if (*is_over && result == FG_OK) {
        population->links = population->making->index;
        population->making->index = NULL;
    }
    /* What has failed is begun anew by the next one. */
    if (*is_over || (result != FG_OK && result != FG_ERR_CANCELLED)) {
        fgi_link_making_destroy(population->making);
        population->making = NULL;
    }
    return result;
}
