/* SPDX-License-Identifier: MIT */
/*
 * The minimap: bins of the coarsest level of every lane are made on the device; those of one group,
 * time and category become one cell as they arrive.
 */
#include "base/alloc.h"
#include "base/wide.h"
#include "engine/vulkan/engine_view.h"

enum {
    COARSEST_BINS = 512,    /* of the trace */
    COARSEST_TOTAL = 65536, /* of all lanes, or one for so many spans: */
    COARSEST_SPANS = 8,
    SLOTS_AT_ONCE = 1 << 18,
    NO_SPANS = 1 /* none are asked for, but memory has a size */
};

/** A cell of the group at hand, in the list of its bin, by category. */
struct cell {
    struct fg_minimap_cell sum;
    uint32_t next; /**< FG_NONE: the last one */
};
struct mapping {
    struct fgi_engine_vulkan *vulkan;
    const struct fgi_question *question;
    const struct fg_minimap_request *request;
    struct fg_gpu_population *population;
    struct fgi_gpu_view_level level;
    struct fg_gpu_view_target *lanes; /**< by group */
    uint32_t lane_count;
    uint32_t *group_end; /**< number of its last lane in this list, and one */
    uint32_t group_count;
    uint32_t group;                          /**< at hand */
    uint32_t *heads;                         /**< by bin */
    FGI_TABLE(struct cell) sums;             /**< of the group at hand */
    FGI_TABLE(struct fg_minimap_cell) cells; /**< of all groups before */
    struct fg_minimap_answer *answers;
    bool is_full;
};

/* ---- the coarsest level ---------------------------------------------------------------------- */

/**
 * At most so many bins for the trace, and for all lanes together not more than what the finest
 * level may have.
 */
static unsigned choose_coarsest(const struct fgi_gpu_views *views, uint32_t rows, uint64_t lanes,
                                const uint32_t differing[FGI_GPU_SURVEY_LEVELS])
{
    uint64_t bins = lanes;
    uint64_t most = rows / COARSEST_SPANS;
    unsigned level = 63;
    most = most > COARSEST_TOTAL ? most : COARSEST_TOTAL;
    while (level > 0 && bins > 0) {
        const uint64_t reach = (uint64_t)(views->last_ns >> (level - 1)) -
                               (uint64_t)(views->first_ns >> (level - 1)); /* one less */
        bins += differing[level - 1];
        if (reach >= COARSEST_BINS || bins > most) {
            break;
        }
        level--;
    }
    return level;
}

static uint64_t lanes_with_spans(const struct fg_trace *trace)
{
    uint64_t count = 0;
    for (size_t i = 0; i < trace->lanes.count; i++) {
        count += trace->lane_first[i + 1] > trace->lane_first[i];
    }
    return count;
}

static enum fg_result survey(struct fgi_engine_vulkan *vulkan, const struct fg_gpu_population *all,
                             struct fg_compute_view counts,
                             uint32_t differing[FGI_GPU_SURVEY_LEVELS], int64_t extent[2])
{
    struct fg_compute_graph *graph = NULL;
    enum fg_result result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
        result = fgi_gpu_survey(&sink, all, counts);
    }
    if (result == FG_OK) {
        const struct fgi_gpu_read reads[] = { { counts, differing },
                                              { fgi_gpu_extent(all), extent } };
        result = fgi_gpu_run(vulkan, graph, reads, 2, "the coarsest level");
    }
    fg_compute_graph_destroy(graph);
    return result;
}

/** Once for a trace. */
static enum fg_result know_coarsest(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_views *views)
{
    const uint64_t bytes = FGI_GPU_SURVEY_LEVELS * sizeof(uint32_t);
    struct fg_gpu_population *all = NULL;
    struct fg_compute_memory counts = { 0 };
    uint32_t differing[FGI_GPU_SURVEY_LEVELS] = { 0 };
    int64_t extent[2] = { INT64_MAX, INT64_MIN };
    if (views->has_coarsest) {
        return FG_OK;
    }
    enum fg_result result = fgi_gpu_population_of(vulkan, 0, &all);
    if (result != FG_OK) {
        return result;
    }
    if (all->count > 0) {
        result = fg_compute_memory_take(vulkan->runner.compute, FG_COMPUTE_DEVICE, bytes, &counts);
        if (result == FG_OK) {
            result =
                survey(vulkan, all, fg_compute_view_part(counts.view, 0, bytes), differing, extent);
        }
        fgi_gpu_memory_end(vulkan->runner.compute, &counts);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "the coarsest level");
    }
    views->first_ns = extent[0];
    views->last_ns = extent[1];
    views->coarsest =
        choose_coarsest(views, all->count, lanes_with_spans(vulkan->engine.trace), differing);
    views->has_coarsest = true;
    return FG_OK;
}

/* ---- groups and their lanes ------------------------------------------------------------------ */

static void put_lanes(struct mapping *m, const struct fg_trace_track *track)
{
    for (uint32_t i = 0; i < track->lane_count; i++) {
        m->lanes[m->lane_count++] = (struct fg_gpu_view_target){ .lane = track->first_lane + i,
                                                                 .previous_mode = FG_VIEW_NONE };
    }
}

static enum fg_result list_lanes(struct mapping *m)
{
    const struct fg_trace *trace = m->vulkan->engine.trace;
    const bool by_process = m->request->kind == FG_VIEW_PROCESS;
    struct fgi_arena *arena = m->question->arena;
    m->group_count = (uint32_t)(by_process ? trace->processes.count : trace->tracks.count);
    m->lanes = fgi_arena_take(arena, trace->lanes.count + 1, sizeof *m->lanes);
    m->group_end = fgi_arena_take(arena, (size_t)m->group_count + 1, sizeof *m->group_end);
    m->answers = fgi_arena_alloc(arena, (size_t)m->group_count + 1, sizeof *m->answers);
    m->heads = fgi_arena_take(arena, (size_t)m->level.bin_count + 1, sizeof *m->heads);
    if (!m->lanes || !m->group_end || !m->answers || !m->heads) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t group = 0; group < m->group_count; group++) {
        for (size_t t = by_process ? 0 : group; by_process ? t < trace->tracks.count : t == group;
             t++) {
            const struct fg_trace_track *track = &trace->tracks.items[t];
            if (!by_process || track->process == group) {
                put_lanes(m, track);
            }
        }
        m->group_end[group] = m->lane_count;
    }
    return FG_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/** Bins of one lane join what other lanes have of the same category. */
static enum fg_result add_cell(struct mapping *m, const struct fg_minimap_cell *cell)
{
    uint32_t *at = &m->heads[(uint64_t)cell->bin - (uint64_t)m->level.first_bin];
    while (*at != FG_NONE && m->sums.items[*at].sum.category < cell->category) {
        at = &m->sums.items[*at].next;
    }
    struct fg_minimap_cell *sum = *at != FG_NONE ? &m->sums.items[*at].sum : NULL;
    if (sum && sum->category == cell->category) {
        sum->lanes++;
        sum->starts += cell->starts;
        sum->covered_ns = fgi_add_saturated(sum->covered_ns, cell->covered_ns);
        if (cell->longest_ns > sum->longest_ns ||
            (cell->longest_ns == sum->longest_ns && cell->row < sum->row)) {
            sum->longest_ns = cell->longest_ns;
            sum->row = cell->row;
        }
        return FG_OK;
    }
    const uint32_t next = *at;
    if (m->sums.count == m->sums.capacity) { /* moves what `at` may be in: it is looked for again */
        const enum fg_result result = FGI_GROW(m->vulkan->allocator, m->sums.items,
                                               m->sums.capacity, m->sums.count + 1, FG_NONE - 1);
        return result == FG_OK ? add_cell(m, cell) : result;
    }
    *at = (uint32_t)m->sums.count;
    m->sums.items[m->sums.count++] = (struct cell){ *cell, next };
    return FG_OK;
}

static enum fg_result add_bins(struct mapping *m, const struct fg_gpu_view_bins *bins)
{
    enum fg_result result = FG_OK;
    struct fg_minimap_cell cell = { .category = bins->category,
                                    .lanes = 1,
                                    .starts = bins->starts,
                                    .row = bins->row,
                                    .longest_ns = bins->longest_ns,
                                    .covered_ns = bins->covered_ns };
    for (uint32_t i = 0; i < bins->count && result == FG_OK; i++) {
        cell.bin = (int64_t)((uint64_t)bins->first + i);
        result = add_cell(m, &cell);
    }
    return result;
}

static void open_group(struct mapping *m)
{
    m->sums.count = 0;
    for (uint32_t bin = 0; bin < m->level.bin_count; bin++) {
        m->heads[bin] = FG_NONE;
    }
}

/** Its cells by bin, then category, if they fit. */
static enum fg_result close_group(struct mapping *m)
{
    struct fg_minimap_answer *answer = &m->answers[m->group++];
    answer->first_cell = (uint32_t)m->cells.count;
    if (m->cells.count + m->sums.count > m->request->max_cells) {
        m->is_full = true;
        return FG_OK;
    }
    const enum fg_result result =
        FGI_GROW(m->vulkan->allocator, m->cells.items, m->cells.capacity,
                 m->cells.count + m->sums.count, SIZE_MAX / sizeof *m->cells.items);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t bin = 0; bin < m->level.bin_count; bin++) {
        for (uint32_t at = m->heads[bin]; at != FG_NONE; at = m->sums.items[at].next) {
            m->cells.items[m->cells.count++] = m->sums.items[at].sum;
        }
    }
    answer->cell_count = (uint32_t)m->sums.count;
    answer->is_answered = true;
    open_group(m);
    return FG_OK;
}

/** Groups that end before a lane of the list. */
static enum fg_result close_groups(struct mapping *m, uint32_t lane)
{
    enum fg_result result = FG_OK;
    while (result == FG_OK && !m->is_full && m->group < m->group_count &&
           m->group_end[m->group] <= lane) {
        result = close_group(m);
    }
    return result;
}

/* ---- the device's bins ----------------------------------------------------------------------- */

static enum fg_result add_lanes(struct mapping *m, uint32_t first,
                                const struct fg_gpu_view_answer *found, uint32_t count,
                                const struct fg_gpu_view_bins *bins)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < count && result == FG_OK && !m->is_full; i++) {
        result = close_groups(m, first + i);
        for (uint32_t b = 0; b < found[i].bins_count && result == FG_OK && !m->is_full; b++) {
            result = add_bins(m, &bins[found[i].first_bins + b]);
        }
    }
    return result;
}

static enum fg_result map_some(struct mapping *m, uint32_t first, uint32_t count)
{
    struct fgi_engine_vulkan *vulkan = m->vulkan;
    const struct fg_gpu_view_sizes sizes = { .targets = count,
                                             .slots = count * (m->level.bin_count + 2),
                                             .spans = NO_SPANS };
    struct fgi_gpu_views *views = NULL;
    if (fgi_question_cancelled(m->question)) {
        return FG_ERR_CANCELLED;
    }
    enum fg_result result = fgi_gpu_views_of(vulkan, &sizes, &views);
    result = result == FG_OK ? fgi_gpu_views_keep(vulkan, m->population, false) : result;
    if (result == FG_OK) {
        result = fgi_gpu_view_ask_level(views->view, &m->level, m->lanes + first, count);
        result = result == FG_OK ? result : fgi_gpu_fall_back(vulkan, result, "a minimap");
    }
    result = result == FG_OK ? fgi_gpu_views_run(vulkan, m->question, count, "a minimap") : result;
    if (result != FG_OK) {
        return result;
    }
    const struct fg_gpu_view_answer *last = &views->answers.items[count - 1];
    const uint32_t bins_count = last->first_bins + last->bins_count;
    result = fgi_gpu_views_read(vulkan, m->question, bins_count, 0, "a minimap");
    if (result == FG_OK) {
        m->question->visits->bins += bins_count;
        result = add_lanes(m, first, views->answers.items, count, views->bins.items);
    }
    return result;
}

static enum fg_result map_lanes(struct mapping *m)
{
    const uint32_t by_slots = SLOTS_AT_ONCE / (m->level.bin_count + 2);
    const uint32_t by_spans = fgi_gpu_views_targets(m->vulkan, NO_SPANS);
    const uint32_t most = by_slots < by_spans ? by_slots : by_spans;
    enum fg_result result = FG_OK;
    open_group(m);
    for (uint32_t lane = 0; result == FG_OK && lane < m->lane_count && !m->is_full;) {
        const uint32_t left = m->lane_count - lane;
        const uint32_t count = most < left ? most : left;
        if (m->level.bin_count > 0) {
            result = map_some(m, lane, count);
        }
        lane += count;
    }
    return result == FG_OK ? close_groups(m, m->lane_count) : result;
}

/* ---- the minimap ----------------------------------------------------------------------------- */

static enum fg_result put_reply(struct mapping *m, struct fg_minimap_reply *out_reply)
{
    const size_t count = m->cells.count;
    struct fg_minimap_cell *cells =
        count > 0 ? fgi_arena_take(m->question->arena, count, sizeof *cells) : NULL;
    if (count > 0 && !cells) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i] = m->cells.items[i];
    }
    for (uint32_t group = m->group; group < m->group_count; group++) {
        m->answers[group].first_cell = (uint32_t)count;
    }
    for (uint32_t group = 0; group < m->group_count; group++) {
        out_reply->unanswered += !m->answers[group].is_answered;
    }
    out_reply->answers = m->group_count > 0 ? m->answers : NULL;
    out_reply->answer_count = m->group_count;
    out_reply->cells = cells;
    out_reply->cell_count = (uint32_t)count;
    return m->is_full && m->group == 1 ? FG_ERR_LIMIT : FG_OK;
}

static enum fg_result map_on_device(struct mapping *m, struct fg_minimap_reply *out_reply)
{
    struct fgi_engine_vulkan *vulkan = m->vulkan;
    const struct fg_gpu_view_sizes sizes = { .targets = 1, .slots = 1, .spans = NO_SPANS };
    struct fgi_gpu_views *views = NULL;
    enum fg_result result = fgi_gpu_population_of(vulkan, m->request->filter, &m->population);
    result = result == FG_OK ? fgi_gpu_views_of(vulkan, &sizes, &views) : result;
    result = result == FG_OK ? know_coarsest(vulkan, views) : result;
    if (result != FG_OK) {
        return result;
    }
    *out_reply = (struct fg_minimap_reply){ .level = views->coarsest, .last_bin = -1 };
    m->level.level = views->coarsest;
    if (views->first_ns <= views->last_ns) {
        m->level.first_bin = out_reply->first_bin = views->first_ns >> views->coarsest;
        out_reply->last_bin = views->last_ns >> views->coarsest;
        m->level.bin_count =
            (uint32_t)((uint64_t)out_reply->last_bin - (uint64_t)out_reply->first_bin + 1);
    }
    result = list_lanes(m);
    result = result == FG_OK ? map_lanes(m) : result;
    return result == FG_OK ? put_reply(m, out_reply) : result;
}

enum fg_result fgi_vulkan_minimap(struct fg_engine *engine, const struct fgi_question *question,
                                  const struct fg_minimap_request *request,
                                  struct fg_minimap_reply *out_reply)
{
    struct mapping m = { .vulkan = fgi_vulkan(engine), .question = question, .request = request };
    enum fg_result result = FG_ERR_STATE;
    if (fgi_gpu_ready(m.vulkan)) {
        result = map_on_device(&m, out_reply);
        fgi_free(m.vulkan->allocator, m.sums.items, m.sums.capacity * sizeof *m.sums.items);
        fgi_free(m.vulkan->allocator, m.cells.items, m.cells.capacity * sizeof *m.cells.items);
    }
    return fgi_gpu_answered(m.vulkan, result)
               ? result
               : fgi_host_minimap(engine, question, request, out_reply);
}
