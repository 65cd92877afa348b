/* SPDX-License-Identifier: MIT */
/*
 * The critical path over dependencies, asked of the device in steps: who takes part, layers of
 * turns, figures, the chain. What the time along the chain went to follows from the host's trace.
 */
#include "engine/vulkan/engine_links.h"

#include "base/alloc.h"
#include "engine/vulkan/gpu_path.h"
#include "trace/path_pieces.h"

#include <string.h>

static const char what[] = "paths over dependencies";

enum phase { DERIVE, BEGIN, TURNS, TAILS, FIGURES, CHAIN, PIECES, DONE };

struct path {
    struct fgi_path_work face;
    struct fgi_engine_vulkan *vulkan;
    struct fg_path_request request;
    struct fgi_gpu_filter *filter; /**< held; NULL = none */
    struct fgi_path_work *host;    /**< goes on in its place; NULL: the device answers */
    enum phase phase;
    uint32_t link_count; /**< of the lists by row that the device's part stands on */
    struct fgi_gpu_path gpu;
    struct fgi_gpu_path_words words;
    struct fgi_gpu_path_state state; /**< after the last run */
    struct fg_compute_graph *graph;  /**< of the phase at hand */
    uint32_t *chain;
    struct fgi_graph links;
    struct fgi_pieces pieces;
    uint32_t next_piece; /**< chain rows before it have theirs */
};

static void end_device(struct path *path)
{
    fg_compute_graph_destroy(path->graph);
    path->graph = NULL;
    fgi_gpu_path_end(&path->gpu);
}

static void destroy(struct fgi_work *work)
{
    struct path *path = (struct path *)work;
    fgi_work_destroy(path->host ? &path->host->work : NULL);
    end_device(path);
    fgi_gpu_filter_drop(path->vulkan, path->filter);
    fgi_free(path->vulkan->allocator, path, sizeof *path);
}

/* ---- circles --------------------------------------------------------------------------------- */

enum fg_result fgi_gpu_tell_circle(const struct fgi_question *question,
                                   bool (*to_source)(void *context, uint32_t *row), void *context,
                                   uint32_t row, struct fg_path_reply *reply)
{
    uint32_t kept = row;
    uint64_t next_kept = 1;
    bool is_read = to_source(context, &row);
    for (uint64_t steps = 1; is_read && row != kept; steps++) { /* as Brent does it */
        if (steps == next_kept) {
            kept = row;
            next_kept *= 2;
        }
        is_read = to_source(context, &row);
    }
    uint32_t lowest = row;
    uint32_t length = 0;
    do {
        is_read = is_read && to_source(context, &row);
        lowest = row < lowest ? row : lowest;
        length++;
    } while (is_read && row != kept);
    uint32_t *cycle = fgi_arena_take(question->arena, length, sizeof *cycle);
    row = lowest;
    for (uint32_t i = length; cycle && is_read && i-- > 0;) {
        is_read = to_source(context, &row);
        cycle[i] = row;
    }
    reply->cycle = cycle;
    reply->cycle_count = length;
    reply->flags |= FG_PATH_CYCLIC;
    return cycle ? FG_OK : FG_ERR_NO_MEMORY;
}

/** What a row that never had its turn waits for. */
struct waiting {
    const struct path *path;
    const uint64_t *stuck;
};

/** To the source of the lowest dependency on a row without a turn: there is one. */
static bool to_stuck_source(void *context, uint32_t *row)
{
    const struct waiting *waiting = context;
    const struct path *path = waiting->path;
    const uint32_t families = path->request.families;
    struct fgi_link_ranges in = fgi_graph_in(&path->links, *row);
    uint32_t position;
    while (fgi_link_ranges_next(&in, &position)) {
        const uint32_t link = fgi_graph_at(&path->links, position);
        const uint32_t source = fgi_graph_source(&path->links, link);
        if ((families == UINT32_MAX ||
             (families & FG_FAMILY(fgi_graph_family(&path->links, link)))) &&
            (waiting->stuck[source / 64] >> (source % 64) & 1)) {
            *row = source;
            return true;
        }
    }
    return false;
}

static enum fg_result tell_circle(struct path *path, const struct fgi_question *question)
{
    const uint32_t rows = fgi_trace_rows(path->vulkan->engine.trace);
    uint64_t *stuck = fgi_arena_alloc(question->arena, (size_t)rows / 64 + 1, sizeof *stuck);
    struct waiting waiting = { path, stuck };
    if (!stuck) {
        return FG_ERR_NO_MEMORY;
    }
    const enum fg_result result = fgi_gpu_fetch(path->vulkan, question, &path->gpu.stuck.column,
                                                fgi_mask_words(rows), stuck, what);
    return result == FG_OK ? fgi_gpu_tell_circle(question, to_stuck_source, &waiting,
                                                 ~path->state.stuck, &path->face.reply)
                           : result;
}

/* ---- who takes part -------------------------------------------------------------------------- */

/** Whether the row that was asked for may take part itself. */
static enum fg_result may_take_part(struct path *path, const struct fgi_gpu_column *passing,
                                    bool *out_may)
{
    const uint32_t row = path->request.row;
    struct fgi_cursor cursor = fgi_trace_cursor(path->vulkan->engine.trace);
    uint32_t word = UINT32_MAX;
    enum fg_result result = FG_OK;
    *out_may = fgi_cursor_at(&cursor, row) &&
               fgi_meets(fgi_cursor_start(&cursor, row), fgi_cursor_end(&cursor, row),
                         path->request.start_ns, path->request.end_ns);
    result = cursor.result;
    fgi_cursor_finish(&cursor);
    if (result == FG_OK && passing) {
        const struct fgi_gpu_read read = { fgi_gpu_row_view(passing, row / 32), &word };
        result = fgi_gpu_run(path->vulkan, NULL, &read, 1, what);
    }
    *out_may = *out_may && (word >> (row % 32) & 1);
    return result;
}

/** All that the row depends on: its mask stays until something else is asked. */
static enum fg_result reach_back(struct path *path, const struct fgi_question *question,
                                 const struct fgi_gpu_column *passing)
{
    struct fgi_gpu_reached reached;
    struct fgi_gpu_reach_words words = {
        .start_ns = path->request.start_ns,
        .end_ns = path->request.end_ns,
        .wanted = path->request.families,
        .directions = FGI_GPU_REACH_IN,
        .flags = FGI_GPU_REACH_RANGE,
        .capacity = UINT32_MAX,
        .max_hops = UINT32_MAX,
        .max_rows = UINT32_MAX,
    };
    bool may = false;
    if (passing) {
        words.passing = fgi_gpu_column_push(passing);
    }
    enum fg_result result = may_take_part(path, passing, &may);
    words.seed_count = may;
    if (result == FG_OK) {
        result = fgi_gpu_reach_all(path->vulkan, question, &words, &path->request.row, &reached);
    }
    if (result == FG_OK) {
        path->gpu.passing = reached.linked->reach.mask.column;
        fgi_gpu_reached_visits(&reached, question->visits);
    }
    return result;
}

static enum fg_result choose_rows(struct path *path, const struct fgi_question *question)
{
    const struct fgi_gpu_column *passing = NULL;
    const enum fg_result result = fgi_gpu_mask_of(path->vulkan, path->request.filter, &passing);
    path->words = (struct fgi_gpu_path_words){ .start_ns = path->request.start_ns,
                                               .end_ns = path->request.end_ns,
                                               .wanted = path->request.families,
                                               .alone_rows = FGI_GPU_ALONE_ROWS };
    if (result != FG_OK || path->request.has_row) {
        return result == FG_OK ? reach_back(path, question, passing) : result;
    }
    if (passing) {
        path->gpu.passing = *passing;
    }
    return FG_OK;
}

/* ---- phases ---------------------------------------------------------------------------------- */

typedef enum fg_result add_nodes(const struct fgi_gpu_path *, const struct fg_compute_sink *);

/** The graph has these nodes and no others. */
static enum fg_result fill_graph(struct path *path, add_nodes *add)
{
    enum fg_result result = FG_OK;
    if (!path->graph) {
        result = fg_compute_graph_create(path->vulkan->runner.compute, NULL, &path->graph);
    } else {
        fg_compute_graph_clear(path->graph);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(path->graph);
        result = add(&path->gpu, &sink);
    }
    return result == FG_OK ? FG_OK : fgi_gpu_fall_back(path->vulkan, result, what);
}

/** Run it, and see how far it is. */
static enum fg_result run_graph(struct path *path)
{
    const struct fgi_gpu_read read = {
        fg_compute_view_part(path->gpu.state.view, 0, sizeof path->state), &path->state
    };
    return fgi_gpu_run(path->vulkan, path->graph, &read, 1, what);
}

static enum fg_result begin(struct path *path, const struct fgi_question *question, uint64_t *done)
{
    struct fgi_engine_vulkan *vulkan = path->vulkan;
    struct fgi_gpu_linked *linked = NULL;
    const struct fg_path_request *r = &path->request;
    const struct fgi_gpu_path_sizes sizes = {
        .figures = r->figures,
        .is_whole =
            !r->has_row && !path->filter && r->start_ns == FG_TIME_MIN && r->end_ns == INT64_MAX,
    };
    end_device(path);
    path->face.reply = (struct fg_path_reply){ .endpoint = FG_NONE };
    enum fg_result result = fgi_gpu_links_of(vulkan, r->families, &linked);
    result = result == FG_OK ? choose_rows(path, question) : result;
    if (result != FG_OK) {
        return result;
    }
    path->link_count = linked->links.count;
    path->links = fgi_gpu_graph(vulkan, r->families);
    result = fgi_gpu_path_take(&linked->links, &sizes, &path->gpu);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, what);
    }
    fgi_gpu_path_write(&path->gpu, &path->words);
    result = fill_graph(path, fgi_gpu_path_begin);
    result = result == FG_OK ? run_graph(path) : result;
    result = result == FG_OK ? fill_graph(path, fgi_gpu_path_turns) : result;
    *done += path->state.rows;
    path->phase = TURNS;
    return result;
}

/** All rows had their turns that ever have: where the path ends. */
static enum fg_result find_end(struct path *path, const struct fgi_question *question)
{
    struct fg_path_reply *reply = &path->face.reply;
    struct fgi_reduction longest = { .greatest_row = FG_NONE };
    const struct fgi_gpu_read reads[] = {
        { fg_compute_view_part(path->gpu.state.view, 0, sizeof path->state), &path->state },
        { fg_compute_view_part(path->gpu.longest.view, 0, sizeof longest), &longest },
    };
    enum fg_result result = fill_graph(path, fgi_gpu_path_longest);
    result = result == FG_OK ? fgi_gpu_run(path->vulkan, path->graph, reads, 2, what) : result;
    if (result != FG_OK) {
        return result;
    }
    reply->rows = path->state.rows;
    reply->links = path->state.links;
    reply->left_out = path->state.left_out;
    reply->max_hops = path->state.max_hops;
    reply->endpoint = longest.greatest_row;
    reply->length_ns = longest.greatest;
    question->visits->spans += reply->rows;
    question->visits->dependencies += reply->links;
    return path->state.left_out > 0 ? tell_circle(path, question) : FG_OK;
}

/** Of the row that was asked for, when it had its turn. */
static enum fg_result end_at_row(struct path *path)
{
    struct fg_path_reply *reply = &path->face.reply;
    const uint32_t row = path->request.row;
    uint32_t word = 0;
    uint64_t length = 0;
    const struct fgi_gpu_read reads[] = {
        { fgi_gpu_row_view(&path->gpu.turned.column, row / 32), &word },
        { fgi_gpu_row_view(&path->gpu.lengths.column, row), &length },
    };
    const enum fg_result result = fgi_gpu_run(path->vulkan, NULL, reads, 2, what);
    const bool had_turn = word >> (row % 32) & 1;
    reply->endpoint = had_turn ? row : FG_NONE;
    reply->length_ns = had_turn ? length : 0;
    return result;
}

static enum fg_result turn(struct path *path, const struct fgi_question *question, uint64_t *done)
{
    const uint32_t before = path->state.first;
    enum fg_result result = run_graph(path);
    *done += path->state.first - before;
    if (result != FG_OK || !path->state.is_done) {
        return result;
    }
    result = find_end(path, question);
    if (result == FG_OK && path->request.has_row) {
        result = end_at_row(path);
    }
    path->face.work.stage = 1;
    path->phase = FIGURES;
    if (result == FG_OK && (path->request.figures & (FG_PATH_SLACKS | FG_PATH_TIMES))) {
        result = fill_graph(path, fgi_gpu_path_tails);
        path->phase = TAILS;
    }
    return result;
}

static enum fg_result tail(struct path *path, uint64_t *done)
{
    const enum fg_result result = run_graph(path);
    if (path->state.layer == 0) {
        *done += path->state.ready;
        path->phase = FIGURES;
    }
    return result;
}

static enum fg_result tell_figures(struct path *path, const struct fgi_question *question,
                                   uint64_t *done)
{
    struct fg_path_reply *reply = &path->face.reply;
    struct fgi_gpu_path *gpu = &path->gpu;
    const uint32_t figures = path->request.figures;
    const struct {
        uint32_t figure;
        const struct fgi_gpu_column_memory *memory;
        const void **out;
    } all[] = {
        { FG_PATH_LENGTHS, &gpu->lengths, (const void **)&reply->lengths },
        { FG_PATH_SLACKS, &gpu->slacks, (const void **)&reply->slacks },
        { FG_PATH_TIMES, &gpu->earliest, (const void **)&reply->earliest },
        { FG_PATH_TIMES, &gpu->latest, (const void **)&reply->latest },
        { FG_PATH_PREDECESSORS, &gpu->predecessors, (const void **)&reply->predecessors },
        { FG_PATH_HOPS, &gpu->hops, (const void **)&reply->hops },
        { FG_PATH_ROOTS, &gpu->roots, (const void **)&reply->roots },
    };
    enum fg_result result = FG_OK;
    reply->figure_rows = fgi_trace_rows(path->vulkan->engine.trace);
    reply->flags |= path->state.is_saturated ? (uint32_t)FG_PATH_SATURATED : 0;
    if (figures != 0) {
        path->words.length_ns = reply->length_ns;
        fgi_gpu_path_write(gpu, &path->words);
        result = fill_graph(path, fgi_gpu_path_figures);
        result = result == FG_OK ? run_graph(path) : result;
        *done += reply->rows;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all && result == FG_OK; i++) {
        if (figures & all[i].figure) {
            result = fgi_gpu_fetch_rows(path->vulkan, question, &all[i].memory->column, what,
                                        all[i].out);
        }
    }
    path->face.work.stage = 2;
    path->phase = CHAIN;
    return result;
}

/* ---- chain ----------------------------------------------------------------------------------- */

/** The end of it that may be told, and its memory on both sides. */
static enum fg_result make_chain(struct path *path, const struct fgi_question *question)
{
    struct fg_path_reply *reply = &path->face.reply;
    uint32_t node[4] = { 0 };
    uint64_t length = 0;
    enum fg_result result = FG_OK;
    if (reply->endpoint != FG_NONE) {
        const struct fgi_gpu_read read = {
            fgi_gpu_row_view(&path->gpu.nodes.column, reply->endpoint), node
        };
        result = fgi_gpu_run(path->vulkan, NULL, &read, 1, what);
        length = (uint64_t)node[3] + 1;
    }
    if (length > path->request.max_chain) {
        reply->flags |= FG_PATH_CHAIN_CUT;
        length = path->request.max_chain;
    }
    path->chain = fgi_arena_alloc(question->arena, (size_t)length + 1, sizeof *path->chain);
    if (result != FG_OK || !path->chain) {
        return result != FG_OK ? result : FG_ERR_NO_MEMORY;
    }
    path->words.chain_row = reply->endpoint;
    path->words.chain_left = (uint32_t)length;
    reply->chain = path->chain;
    reply->chain_count = (uint32_t)length;
    result = fgi_gpu_path_take_chain(&path->gpu, (uint32_t)length);
    return result == FG_OK ? FG_OK : fgi_gpu_fall_back(path->vulkan, result, what);
}

static enum fg_result tell_chain(struct path *path, const struct fgi_question *question)
{
    struct fg_path_reply *reply = &path->face.reply;
    enum fg_result result = make_chain(path, question);
    result = result == FG_OK ? fill_graph(path, fgi_gpu_path_chain) : result;
    while (result == FG_OK && path->words.chain_left > 0) {
        const uint32_t left = path->words.chain_left;
        fgi_gpu_path_write(&path->gpu, &path->words);
        result = run_graph(path);
        path->words.chain_row = path->state.chain_row;
        path->words.chain_left = left > FGI_GPU_PATH_CHAIN ? left - FGI_GPU_PATH_CHAIN : 0;
    }
    if (result == FG_OK) {
        result = fgi_gpu_fetch(path->vulkan, question, &path->gpu.chain.column, reply->chain_count,
                               path->chain, what);
    }
    end_device(path);
    path->pieces = (struct fgi_pieces){ .trace = path->vulkan->engine.trace,
                                        .graph = &path->links,
                                        .request = &path->request,
                                        .reply = reply };
    path->next_piece = 0;
    path->phase = PIECES;
    return result;
}

static enum fg_result add_pieces(struct path *path, const struct fgi_question *question,
                                 uint64_t max_rows, uint64_t *done)
{
    struct fg_path_reply *reply = &path->face.reply;
    enum fg_result result = FG_OK;
    for (; path->next_piece < reply->chain_count && *done < max_rows && result == FG_OK;
         path->next_piece++, ++*done) {
        result = fgi_pieces_add(&path->pieces, question, path->next_piece);
    }
    reply->pieces = path->pieces.pieces;
    if (path->next_piece >= reply->chain_count) {
        path->phase = DONE;
    }
    return result;
}

/* ---- work ------------------------------------------------------------------------------------ */

/** Other questions may have made the lists by row anew: then what stands on them is as well. */
static bool has_lists(const struct path *path)
{
    const struct fgi_gpu_linked *linked = path->vulkan->links;
    return linked && linked->links.gpu && linked->links.count == path->link_count;
}

static enum fg_result go_on(struct path *path, const struct fgi_question *question,
                            uint64_t max_rows, uint64_t *done)
{
    bool is_over = false;
    enum fg_result result = FG_OK;
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    if (path->phase > BEGIN && path->phase < PIECES && !has_lists(path)) {
        path->phase = BEGIN;
    }
    switch (path->phase) {
    case DERIVE:
        result = fgi_gpu_derive(path->vulkan, question, path->request.families, max_rows - *done,
                                done, &is_over);
        path->phase = is_over ? BEGIN : DERIVE;
        return result;
    case BEGIN:
        return fgi_gpu_links_fit(path->vulkan) ? begin(path, question, done) : FG_ERR_LIMIT;
    case TURNS:
        return turn(path, question, done);
    case TAILS:
        return tail(path, done);
    case FIGURES:
        return tell_figures(path, question, done);
    case CHAIN:
        return tell_chain(path, question);
    default:
        return add_pieces(path, question, max_rows, done);
    }
}

/** Anew and to the end at the host, as the device has failed or does not number them all. */
static enum fg_result go_on_at_host(struct path *path, const struct fgi_question *question,
                                    uint64_t max_rows)
{
    enum fg_result result = path->host ? FG_OK : fgi_gpu_host_derive(path->vulkan, question);
    end_device(path);
    if (result == FG_OK && !path->host) {
        result = fgi_host_path_begin(&path->vulkan->engine, question, &path->request, &path->host);
    }
    return result == FG_OK ? fgi_gpu_host_step(&path->face.work, &path->host->work,
                                               sizeof path->face, question, max_rows)
                           : result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct path *path = (struct path *)work;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    if (path->host || (path->phase < PIECES && !fgi_gpu_ready(path->vulkan))) {
        return go_on_at_host(path, question, max_rows);
    }
    while (result == FG_OK && path->phase != DONE && done < max_rows) {
        const uint64_t before = done;
        const bool is_of_device = path->phase < PIECES && path->phase != DERIVE;
        result = go_on(path, question, max_rows, &done);
        work->done_rows += done - before;
        if (is_of_device && (result == FG_ERR_LIMIT || path->vulkan->is_fallen)) {
            return go_on_at_host(path, question, max_rows);
        }
    }
    work->total_rows = work->total_rows < work->done_rows ? work->done_rows : work->total_rows;
    if (result == FG_OK && path->phase == DONE) {
        path->vulkan->own_questions++;
        work->total_rows = work->done_rows;
        work->stage = work->stage_count;
        work->is_done = true;
    }
    return result;
}

static const struct fgi_task_ops path_ops = { step, destroy };

enum fg_result fgi_gpu_path_links_begin(struct fgi_engine_vulkan *vulkan,
                                        const struct fg_path_request *request,
                                        struct fgi_gpu_filter *filter,
                                        struct fgi_path_work **out_work)
{
    const uint64_t rows = fgi_trace_rows(vulkan->engine.trace);
    struct path *path = fgi_calloc(vulkan->allocator, 1, sizeof *path);
    if (!path) {
        return FG_ERR_NO_MEMORY;
    }
    path->vulkan = vulkan;
    path->request = *request;
    path->filter = filter;
    if (filter) {
        filter->uses++;
    }
    path->face.work = (struct fgi_work){
        .ops = &path_ops,
        .kind = FGI_WORK_PATH,
        .total_rows = rows * 4 + fgi_gpu_derived_rows(vulkan, request->families),
        .stage_count = 3,
    };
    *out_work = &path->face;
    return FG_OK;
}
