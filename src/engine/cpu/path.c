/* SPDX-License-Identifier: MIT */
/* Critical paths, in steps: who takes part, lengths, slack, figures by row, the chain. */
#include "base/alloc.h"
#include "engine/cpu/path_priv.h"

static bool needs_roots(const struct fg_path_request *request)
{
    return request->by == FG_PATH_BY_PARENTS || (request->figures & FG_PATH_ROOTS) != 0;
}

static void destroy(struct fgi_work *work)
{
    struct fgi_path *path = (struct fgi_path *)work;
    const struct fg_allocator *allocator = path->cpu->allocator;
    size_t words = (size_t)path->trace_rows / 64 + 1;
    size_t items = path->made; /* what the arrays were made for */
    fgi_cursor_finish(&path->cursor);
    fgi_free(allocator, path->nodes, items * sizeof *path->nodes);
    fgi_free(allocator, path->tails, items * sizeof *path->tails);
    fgi_free(allocator, path->roots, items * sizeof *path->roots);
    fgi_free(allocator, path->own, items * sizeof *path->own);
    fgi_free(allocator, path->first, items * sizeof *path->first);
    fgi_free(allocator, path->order, items * sizeof *path->order);
    fgi_free(allocator, path->done, (items / 64 + 1) * sizeof *path->done);
    fgi_free(allocator, path->bits, words * sizeof *path->bits);
    fgi_free(allocator, path->ranks, words * sizeof *path->ranks);
    fgi_free(allocator, path->rows, path->rows_capacity * sizeof *path->rows);
    if (path->filter) {
        (void)fgi_cpu_filter_destroy(&path->cpu->engine, path->filter);
    }
    fgi_free(allocator, path, sizeof *path);
}

/* Who takes part is known: arrays for them. */
static enum fg_result make_arrays(struct fgi_path *path)
{
    const struct fg_allocator *allocator = path->cpu->allocator;
    bool has_roots = needs_roots(&path->request);
    bool has_tails = fgi_path_needs_tails(&path->request) && !fgi_path_is_forest(path);
    path->made = (size_t)path->count + 1;
    path->nodes = fgi_malloc(allocator, path->made * sizeof *path->nodes);
    path->roots = has_roots ? fgi_malloc(allocator, path->made * sizeof *path->roots) : NULL;
    path->tails = has_tails ? fgi_calloc(allocator, path->made, sizeof *path->tails) : NULL;
    if (!path->nodes || (has_roots && !path->roots) || (has_tails && !path->tails)) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < path->made; i++) {
        path->nodes[i] = (struct fgi_path_node){
            .predecessor = FG_NONE,
            .hops = fgi_path_is_forest(path) ? FGI_FOREST_OPEN : 0,
        };
    }
    return FG_OK;
}

/* Rows do not have their turns in order: what that needs. */
static enum fg_result make_turns(struct fgi_path *path)
{
    const struct fg_allocator *allocator = path->cpu->allocator;
    path->own = fgi_malloc(allocator, path->made * sizeof *path->own);
    path->first = fgi_malloc(allocator, path->made * sizeof *path->first);
    path->order = fgi_malloc(allocator, path->made * sizeof *path->order);
    path->done = fgi_calloc(allocator, path->made / 64 + 1, sizeof *path->done);
    return path->own && path->first && path->order && path->done ? FG_OK : FG_ERR_NO_MEMORY;
}

static enum fg_result keep_own(struct fgi_path *path, uint64_t max, uint64_t *done, bool *is_over)
{
    for (; path->next < path->count && *done < max; path->next++, ++*done) {
        uint32_t row = fgi_path_row(path, (uint32_t)path->next);
        if (!fgi_cursor_at(&path->cursor, row)) {
            return path->cursor.result;
        }
        path->own[path->next] =
            fgi_duration(fgi_cursor_start(&path->cursor, row), fgi_cursor_end(&path->cursor, row));
        fgi_links_walk(&path->walk[0], &path->graph.recorded->sources, row);
        path->first[path->next] = path->walk[0].first;
    }
    path->first[path->count] = path->graph.recorded_count;
    *is_over = path->next == path->count;
    return FG_OK;
}

/* ---- parents --------------------------------------------------------------------------------- */

static enum fg_result scan_parents(struct fgi_path *path, uint64_t max, uint64_t *done,
                                   bool *is_over)
{
    for (; path->next < path->count && *done < max; path->next++, ++*done) {
        uint32_t item = (uint32_t)path->next;
        uint32_t row = fgi_path_row(path, item);
        if (!fgi_cursor_at(&path->cursor, row)) {
            return path->cursor.result;
        }
        uint32_t parent = path->cursor.block->parent[row - path->cursor.first_row];
        path->nodes[item].length =
            fgi_duration(fgi_cursor_start(&path->cursor, row), fgi_cursor_end(&path->cursor, row));
        if (parent < path->trace_rows) {
            parent = fgi_path_item(path, parent);
            path->face.reply.links += parent != FG_NONE;
        } else if (parent != FG_NONE) {
            parent = FG_NONE - 1; /* no item */
        }
        path->nodes[item].predecessor = parent;
    }
    *is_over = path->next == path->count;
    return FG_OK;
}

/* A circle of parents, each one's parent before it, the lowest first. */
static enum fg_result parents_circle(struct fgi_path *path, const struct fgi_question *question,
                                     uint32_t item)
{
    uint32_t lowest = item;
    uint32_t length = 1;
    for (uint32_t i = path->nodes[item].predecessor; i != item; i = path->nodes[i].predecessor) {
        lowest = i < lowest ? i : lowest;
        length++;
    }
    uint32_t *cycle = fgi_arena_alloc(question->arena, length, sizeof *cycle);
    if (!cycle) {
        return FG_ERR_NO_MEMORY;
    }
    item = lowest;
    for (uint32_t i = length; i-- > 0;) {
        item = path->nodes[item].predecessor;
        cycle[i] = fgi_path_row(path, item);
    }
    path->face.reply.cycle = cycle;
    path->face.reply.cycle_count = length;
    return FG_OK;
}

static enum fg_result climb(struct fgi_path *path, const struct fgi_question *question,
                            uint64_t max, uint64_t *done, bool *is_over)
{
    struct fg_path_reply *reply = &path->face.reply;
    struct fgi_forest *forest = &path->forest;
    enum fg_result result = FG_OK;
    forest->count = path->count;
    forest->nodes = path->nodes;
    forest->roots = path->roots;
    *done += fgi_forest_step(forest, max - *done);
    *is_over = forest->next == forest->count;
    if (!*is_over) {
        return FG_OK;
    }
    reply->flags |= forest->flags;
    reply->invalid = forest->invalid;
    reply->left_out = forest->left_out;
    reply->max_hops = forest->max_hops;
    if (forest->flags & FG_PATH_CYCLIC) {
        result = parents_circle(path, question, forest->cycle_node);
    }
    for (uint32_t item = 0; item < path->count; item++) {
        if (path->roots[item] == FG_NONE) {
            path->nodes[item].hops = 0;
            path->nodes[item].predecessor = FG_NONE;
        } else if (path->best == FG_NONE ||
                   path->nodes[item].length > path->nodes[path->best].length) {
            path->best = item;
        }
    }
    return result;
}

/* ---- chain ----------------------------------------------------------------------------------- */

static enum fg_result make_chain(struct fgi_path *path, const struct fgi_question *question)
{
    struct fg_path_reply *reply = &path->face.reply;
    uint64_t length = 0;
    for (uint32_t item = path->best; item != FG_NONE; item = path->nodes[item].predecessor) {
        length++;
    }
    if (length > path->request.max_chain) {
        reply->flags |= FG_PATH_CHAIN_CUT;
        length = path->request.max_chain;
    }
    uint32_t *chain = fgi_arena_alloc(question->arena, (size_t)length + 1, sizeof *chain);
    if (!chain) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t item = path->best;
    for (uint64_t i = length; i-- > 0; item = path->nodes[item].predecessor) {
        chain[i] = fgi_path_row(path, item);
    }
    reply->chain = chain;
    reply->chain_count = (uint32_t)length;
    return FG_OK;
}

static enum fg_result tell_chain(struct fgi_path *path, const struct fgi_question *question,
                                 uint64_t max, uint64_t *done, bool *is_over)
{
    enum fg_result result = FG_OK;
    if (path->next == 0 && !path->face.reply.chain) {
        result = make_chain(path, question);
    }
    uint32_t count = path->face.reply.chain_count;
    path->pieces.trace = path->trace;
    path->pieces.graph = &path->graph;
    path->pieces.request = &path->request;
    path->pieces.reply = &path->face.reply;
    for (; path->next < count && *done < max && result == FG_OK; path->next++, ++*done) {
        result = fgi_pieces_add(&path->pieces, question, (uint32_t)path->next);
    }
    path->face.reply.pieces = path->pieces.pieces;
    *is_over = path->next >= count;
    return result;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Lengths are known: which row the path ends in. */
static enum fg_result find_end(struct fgi_path *path, const struct fgi_question *question)
{
    struct fg_path_reply *reply = &path->face.reply;
    enum fg_result result = fgi_path_is_forest(path) ? FG_OK : fgi_path_leave_out(path, question);
    if (path->request.has_row) {
        uint32_t item = path->count > 0 ? fgi_path_item(path, path->request.row) : FG_NONE;
        path->best = item == FG_NONE || fgi_path_is_left_out(path, item) ? FG_NONE : item;
    }
    reply->rows = path->count;
    reply->endpoint = fgi_path_row_of(path, path->best);
    reply->length_ns = path->best == FG_NONE ? 0 : path->nodes[path->best].length;
    return result;
}

/* Enter the phase after the one at hand; those that have nothing to do are passed over. */
static enum fg_result enter_next(struct fgi_path *path, const struct fgi_question *question)
{
    enum fg_result result = FG_OK;
    path->next = 0;
    switch (path->phase) {
    case FGI_PATH_GRAPH:
        path->phase = FGI_PATH_SELECT;
        path->graph = fgi_cpu_graph(path->cpu, path->request.families);
        return FG_OK;
    case FGI_PATH_SELECT:
        path->phase = FGI_PATH_SCAN;
        result = path->is_whole ? FG_OK : fgi_path_number(path);
        return result == FG_OK ? make_arrays(path) : result;
    case FGI_PATH_SCAN:
        path->phase = path->is_ordered ? FGI_PATH_FORWARD : FGI_PATH_OWN;
        return path->is_ordered ? FG_OK : make_turns(path);
    case FGI_PATH_OWN:
        path->phase = FGI_PATH_FORWARD;
        return FG_OK;
    case FGI_PATH_FORWARD:
        result = find_end(path, question);
        path->face.work.stage = 1;
        path->phase = fgi_path_needs_tails(&path->request) && !fgi_path_is_forest(path)
                          ? FGI_PATH_BACKWARD
                          : FGI_PATH_FIGURES;
        return result;
    case FGI_PATH_BACKWARD:
        path->phase = FGI_PATH_FIGURES;
        return FG_OK;
    case FGI_PATH_FIGURES:
        path->face.work.stage = 2;
        path->phase = FGI_PATH_CHAIN;
        return FG_OK;
    default:
        path->face.work.stage = 3;
        path->phase = FGI_PATH_DONE;
        path->face.work.is_done = true;
        path->face.work.total_rows = path->face.work.done_rows;
        return FG_OK;
    }
}

static enum fg_result run_phase(struct fgi_path *path, const struct fgi_question *question,
                                uint64_t max, uint64_t *done, bool *is_over)
{
    switch (path->phase) {
    case FGI_PATH_GRAPH:
        return fgi_derived_step(path->cpu, question, path->request.families, max, done, is_over);
    case FGI_PATH_SELECT:
        if (path->is_whole) {
            *is_over = true;
            return FG_OK;
        }
        return fgi_path_select(path, question, max, done, is_over);
    case FGI_PATH_SCAN:
        return fgi_path_is_forest(path) ? scan_parents(path, max, done, is_over)
                                        : fgi_path_scan_links(path, question, max, done, is_over);
    case FGI_PATH_OWN:
        return keep_own(path, max, done, is_over);
    case FGI_PATH_FORWARD:
        return fgi_path_is_forest(path) ? climb(path, question, max, done, is_over)
                                        : fgi_path_forward(path, question, max, done, is_over);
    case FGI_PATH_BACKWARD:
        return fgi_path_backward(path, question, max, done, is_over);
    case FGI_PATH_FIGURES:
        return fgi_path_fill_figures(path, question, max, done, is_over);
    default:
        return tell_chain(path, question, max, done, is_over);
    }
}

enum { ROWS_BETWEEN_LOOKS = 1 << 16 };

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct fgi_path *path = (struct fgi_path *)work;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    while (result == FG_OK && path->phase != FGI_PATH_DONE && done < max_rows) {
        if (fgi_question_cancelled(question)) {
            return FG_ERR_CANCELLED;
        }
        bool is_over = false;
        uint64_t room = max_rows - done;
        uint64_t now = 0;
        result = run_phase(path, question, room < ROWS_BETWEEN_LOOKS ? room : ROWS_BETWEEN_LOOKS,
                           &now, &is_over);
        done += now;
        work->done_rows += now;
        if (result == FG_OK && is_over) {
            result = enter_next(path, question);
        }
    }
    work->total_rows = work->total_rows < work->done_rows ? work->done_rows : work->total_rows;
    fgi_cursor_finish(&path->cursor);
    return result;
}

static const struct fgi_task_ops path_ops = { step, destroy };

enum fg_result fgi_cpu_path_begin(struct fg_engine *engine, const struct fgi_question *question,
                                  const struct fg_path_request *request,
                                  struct fgi_path_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct fgi_cpu_filter *filter = NULL;
    enum fg_result result = fgi_filter_hold(cpu, request->filter, &filter);
    (void)question;
    if (result != FG_OK) {
        return result;
    }
    struct fgi_path *path = fgi_calloc(cpu->allocator, 1, sizeof *path);
    if (!path) {
        (void)fgi_cpu_filter_destroy(engine, request->filter);
        return FG_ERR_NO_MEMORY;
    }
    uint32_t rows = fgi_trace_rows(engine->trace);
    path->face.work =
        (struct fgi_work){ .ops = &path_ops, .kind = FGI_WORK_PATH, .stage_count = 3 };
    path->cpu = cpu;
    path->trace = engine->trace;
    path->request = *request;
    if (request->by == FG_PATH_BY_PARENTS) {
        path->request.families = 0; /* no dependencies are needed */
    }
    path->filter = request->filter;
    path->passing = filter ? filter->bits : NULL;
    path->face.work.total_rows = (uint64_t)rows * 6 + fgi_derived_rows(cpu, path->request.families);
    path->trace_rows = rows;
    path->is_ordered = true;
    path->best = FG_NONE;
    path->cursor = fgi_trace_cursor(engine->trace);
    path->is_whole = !request->has_row && !filter && request->start_ns == FG_TIME_MIN &&
                     request->end_ns == INT64_MAX;
    path->count = path->is_whole ? rows : 0;
    if (!path->is_whole) {
        path->bits = fgi_calloc(cpu->allocator, (size_t)rows / 64 + 1, sizeof *path->bits);
        if (!path->bits) {
            destroy(&path->face.work);
            return FG_ERR_NO_MEMORY;
        }
    }
    *out_work = &path->face;
    return FG_OK;
}

uint64_t fgi_cpu_path_bytes(const struct fg_engine *engine, const struct fg_path_request *request)
{
    uint64_t rows = (uint64_t)fgi_trace_rows(engine->trace) + 1;
    uint32_t figures = request->figures;
    bool is_whole = !request->has_row && request->filter == 0 && request->start_ns == FG_TIME_MIN &&
                    request->end_ns == INT64_MAX;
    /* What is known of each; when rows do not come in order their durations, links and turns. */
    uint64_t each = sizeof(struct fgi_path_node);
    each += request->by == FG_PATH_BY_PARENTS ? 0 : 17;
    each += needs_roots(request) ? 4 : 0;
    each += fgi_path_needs_tails(request) ? 8 : 0;
    each += figures & FG_PATH_LENGTHS ? 8 : 0;
    each += figures & FG_PATH_SLACKS ? 8 : 0;
    each += figures & FG_PATH_TIMES ? 16 : 0;
    each += figures & FG_PATH_PREDECESSORS ? 4 : 0;
    each += figures & FG_PATH_HOPS ? 4 : 0;
    each += figures & FG_PATH_ROOTS ? 4 : 0;
    each += is_whole ? 0 : 8; /* numbers of rows, as they grow */
    return sizeof(struct fgi_path) + rows * each + (rows / 64 + 1) * 20;
}
