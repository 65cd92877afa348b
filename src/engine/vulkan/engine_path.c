/* SPDX-License-Identifier: MIT */
/*
 * The critical path by parents, asked of the device: it finds lengths, roots and figures of all
 * rows at once; the chain is read off the host's trace. Paths over dependencies:
 * engine_path_links.c.
 */
#include "engine/vulkan/engine_links.h"

#include "base/alloc.h"
#include "base/wide.h"
#include "engine/vulkan/gpu_forest.h"

static const char what[] = "paths by parents";

struct path {
    struct fgi_path_work face;
    struct fgi_engine_vulkan *vulkan;
    struct fg_path_request request;
    struct fgi_gpu_filter *filter;       /**< held; NULL = none */
    struct fgi_path_work *host;          /**< goes on in its place; NULL: the device answers */
    struct fgi_gpu_column_memory chosen; /**< rows that take part, where a row was asked for */
    struct fgi_gpu_forest forest;
    struct fgi_gpu_forest_words words;
    struct fg_compute_graph *graph;
};

static void end_device(struct path *path)
{
    fg_compute_graph_destroy(path->graph);
    path->graph = NULL;
    fgi_gpu_column_free(path->vulkan->runner.compute, &path->chosen);
    fgi_gpu_forest_end(&path->forest);
}

static void destroy(struct fgi_work *work)
{
    struct path *path = (struct path *)work;
    fgi_work_destroy(path->host ? &path->host->work : NULL);
    end_device(path);
    fgi_gpu_filter_drop(path->vulkan, path->filter);
    fgi_free(path->vulkan->allocator, path, sizeof *path);
}

/* ---- chain and circle ------------------------------------------------------------------------ */

/** From the endpoint down to its root, or as far as the chain may go. */
static enum fg_result tell_chain(struct path *path, const struct fgi_question *question,
                                 uint64_t length)
{
    struct fg_path_reply *reply = &path->face.reply;
    if (length > path->request.max_chain) {
        reply->flags |= FG_PATH_CHAIN_CUT;
        length = path->request.max_chain;
    }
    uint32_t *chain = fgi_arena_take(question->arena, (size_t)length + 1, sizeof *chain);
    struct fg_path_piece *pieces =
        fgi_arena_alloc(question->arena, (size_t)length + 1, sizeof *pieces);
    if (!chain || !pieces) {
        return FG_ERR_NO_MEMORY;
    }
    struct fgi_cursor cursor = fgi_trace_cursor(path->vulkan->engine.trace);
    uint32_t row = reply->endpoint;
    for (uint64_t i = length; i-- > 0 && fgi_cursor_at(&cursor, row);) {
        const int64_t start_ns = fgi_cursor_start(&cursor, row);
        const int64_t end_ns = fgi_cursor_end(&cursor, row);
        chain[i] = row;
        pieces[i] = (struct fg_path_piece){ .kind = FG_PIECE_WORK,
                                            .row = row,
                                            .link = FG_NONE,
                                            .is_claimed = true,
                                            .start_ns = start_ns,
                                            .end_ns = end_ns };
        reply->sums.work_ns =
            fgi_add_saturated(reply->sums.work_ns, fgi_duration(start_ns, end_ns));
        row = cursor.block->parent[row - cursor.first_row];
    }
    const enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    reply->chain = chain;
    reply->pieces = length > 0 ? pieces : NULL;
    reply->chain_count = reply->piece_count = (uint32_t)length;
    return result;
}

/** The parent of a row that is on a circle or hangs on one. */
static bool to_parent(void *context, uint32_t *row)
{
    struct fgi_cursor *cursor = context;
    if (!fgi_cursor_at(cursor, *row)) {
        return false;
    }
    *row = cursor->block->parent[*row - cursor->first_row];
    return true;
}

static enum fg_result tell_circle(struct path *path, const struct fgi_question *question,
                                  uint32_t row)
{
    struct fgi_cursor cursor = fgi_trace_cursor(path->vulkan->engine.trace);
    const enum fg_result result =
        fgi_gpu_tell_circle(question, to_parent, &cursor, row, &path->face.reply);
    const enum fg_result read = cursor.result;
    fgi_cursor_finish(&cursor);
    return read != FG_OK ? read : result;
}

/* ---- the device ------------------------------------------------------------------------------ */

static bool is_wanted(const struct path *path, const struct fgi_cursor *cursor,
                      const uint64_t *passing, uint32_t row)
{
    return (!passing || passing[row / 64] >> (row % 64) & 1) &&
           fgi_meets(fgi_cursor_start(cursor, row), fgi_cursor_end(cursor, row),
                     path->request.start_ns, path->request.end_ns);
}

/** The row asked for and what it hangs on, as far as the filter and the range let it: as bits. */
static enum fg_result climb_from_row(struct path *path, const uint64_t *passing, uint64_t *bits)
{
    const uint32_t rows = fgi_trace_rows(path->vulkan->engine.trace);
    struct fgi_cursor cursor = fgi_trace_cursor(path->vulkan->engine.trace);
    for (uint32_t row = path->request.row; row < rows && fgi_cursor_at(&cursor, row);) {
        const uint64_t bit = UINT64_C(1) << (row % 64);
        if ((bits[row / 64] & bit) || !is_wanted(path, &cursor, passing, row)) {
            break;
        }
        bits[row / 64] |= bit;
        row = cursor.block->parent[row - cursor.first_row];
    }
    const enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    return result;
}

/** Only these take part. */
static enum fg_result choose_rows(struct path *path, const struct fgi_question *question,
                                  const struct fgi_gpu_column *passing)
{
    struct fgi_engine_vulkan *vulkan = path->vulkan;
    const uint32_t rows = fgi_trace_rows(vulkan->engine.trace);
    const uint32_t words = fgi_mask_words(rows);
    uint64_t *bits = fgi_arena_alloc(question->arena, (size_t)rows / 64 + 1, sizeof *bits);
    uint64_t *passes = fgi_arena_alloc(question->arena, (size_t)rows / 64 + 1, sizeof *passes);
    enum fg_result result = bits && passes ? FG_OK : FG_ERR_NO_MEMORY;
    if (result == FG_OK && passing) {
        result = fgi_gpu_fetch(vulkan, question, passing, words, passes, what);
    }
    result = result == FG_OK ? climb_from_row(path, passing ? passes : NULL, bits) : result;
    if (result != FG_OK) {
        return result;
    }
    result =
        fgi_gpu_column_take(vulkan->runner.compute, vulkan->allocator, words, 4, 0, &path->chosen);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, what);
    }
    const struct fgi_gpu_sending sending = { &path->chosen.column, words, fgi_gpu_fill_words, bits,
                                             what };
    path->forest.passing = path->chosen.column;
    return fgi_gpu_send(vulkan, &sending);
}

static enum fg_result climb(struct path *path, const struct fgi_question *question,
                            struct fgi_gpu_forest_counts *out_counts,
                            struct fgi_reduction *out_longest)
{
    struct fgi_engine_vulkan *vulkan = path->vulkan;
    struct fgi_gpu_forest *forest = &path->forest;
    struct fg_gpu_trace *gpu = NULL;
    const struct fgi_gpu_column *passing = NULL;
    enum fg_result result = fgi_gpu_mask_of(vulkan, path->request.filter, &passing);
    result = result == FG_OK ? fgi_gpu_trace_of(vulkan, &gpu) : result;
    if (result != FG_OK) {
        return result;
    }
    path->words = (struct fgi_gpu_forest_words){ .start_ns = path->request.start_ns,
                                                 .end_ns = path->request.end_ns };
    if (passing) {
        path->forest.passing = *passing;
    }
    if (path->request.has_row) {
        result = choose_rows(path, question, passing);
        if (result != FG_OK) {
            return result;
        }
    }
    result = fgi_gpu_forest_take(gpu, path->request.figures, forest);
    if (result == FG_OK) {
        result = fg_compute_graph_create(vulkan->runner.compute, NULL, &path->graph);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(path->graph);
        fgi_gpu_forest_write(forest, &path->words);
        result = fgi_gpu_forest_climb(forest, &sink);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, what);
    }
    const struct fgi_gpu_read reads[] = {
        { fg_compute_view_part(forest->counts.view, 0, sizeof *out_counts), out_counts },
        { fg_compute_view_part(forest->longest.view, 0, sizeof *out_longest), out_longest },
    };
    return fgi_gpu_run(vulkan, path->graph, reads, 2, what);
}

/** Root and steps, and the length, of one row. */
static enum fg_result read_row(struct path *path, uint32_t row, uint32_t out_up[2],
                               uint64_t *out_length)
{
    const struct fgi_gpu_forest *forest = &path->forest;
    const struct fgi_gpu_read reads[] = {
        { fgi_gpu_row_view(&forest->up[forest->last].column, row), out_up },
        { fgi_gpu_row_view(&forest->times[forest->last].column, row), out_length },
    };
    return fgi_gpu_run(path->vulkan, NULL, reads, 2, what);
}

static enum fg_result tell_figures(struct path *path, const struct fgi_question *question)
{
    const uint32_t figures = path->request.figures;
    struct fgi_gpu_forest *forest = &path->forest;
    struct fg_path_reply *reply = &path->face.reply;
    enum fg_result result = FG_OK;
    reply->figure_rows = fgi_trace_rows(path->vulkan->engine.trace);
    if (figures & (FG_PATH_SLACKS | FG_PATH_TIMES | FG_PATH_PREDECESSORS)) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(path->graph);
        path->words.length_ns = reply->length_ns;
        fgi_gpu_forest_write(forest, &path->words);
        fg_compute_graph_clear(path->graph);
        result = fgi_gpu_forest_figures(forest, &sink);
        result = result == FG_OK ? fgi_gpu_run(path->vulkan, path->graph, NULL, 0, what)
                                 : fgi_gpu_fall_back(path->vulkan, result, what);
    }
    const struct {
        uint32_t figure;
        const struct fgi_gpu_column_memory *memory;
        const void **out;
    } all[] = {
        { FG_PATH_LENGTHS, &forest->times[forest->last], (const void **)&reply->lengths },
        { FG_PATH_SLACKS, &forest->slacks, (const void **)&reply->slacks },
        { FG_PATH_TIMES, &forest->earliest, (const void **)&reply->earliest },
        { FG_PATH_TIMES, &forest->latest, (const void **)&reply->latest },
        { FG_PATH_PREDECESSORS, &forest->predecessors, (const void **)&reply->predecessors },
        { FG_PATH_HOPS, &forest->hops, (const void **)&reply->hops },
        { FG_PATH_ROOTS, &forest->roots, (const void **)&reply->roots },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all && result == FG_OK; i++) {
        if (figures & all[i].figure) {
            result = fgi_gpu_fetch_rows(path->vulkan, question, &all[i].memory->column, what,
                                        all[i].out);
        }
    }
    return result;
}

static enum fg_result answer(struct path *path, const struct fgi_question *question)
{
    struct fg_path_reply *reply = &path->face.reply;
    struct fgi_gpu_forest_counts counts = { 0 };
    struct fgi_reduction longest = { .greatest_row = FG_NONE };
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    enum fg_result result = climb(path, question, &counts, &longest);
    if (result != FG_OK) {
        return result;
    }
    uint32_t up[2] = { FG_NONE, 0 };
    uint64_t length_ns = longest.greatest;
    const uint32_t end = path->request.has_row ? path->request.row : longest.greatest_row;
    if (end != FG_NONE) {
        result = read_row(path, end, up, &length_ns);
    }
    *reply = (struct fg_path_reply){
        .length_ns = length_ns,
        .endpoint = up[0] == FG_NONE ? FG_NONE : end,
        .flags = (counts.invalid > 0 ? (uint32_t)FG_PATH_INVALID_PARENT : 0) |
                 (counts.is_saturated ? (uint32_t)FG_PATH_SATURATED : 0),
        .rows = counts.rows,
        .links = counts.links,
        .left_out = counts.left_out,
        .invalid = counts.invalid,
        .max_hops = counts.max_hops,
    };
    if (result == FG_OK && counts.circle != 0) {
        result = tell_circle(path, question, ~counts.circle);
    }
    result = result == FG_OK ? tell_figures(path, question) : result;
    if (result == FG_OK) {
        result = tell_chain(path, question, up[0] == FG_NONE ? 0 : (uint64_t)up[1] + 1);
    }
    if (result == FG_OK) {
        question->visits->spans += (uint64_t)counts.rows + reply->chain_count;
        path->face.work.done_rows += counts.rows;
    }
    return result;
}

/* ---- work ------------------------------------------------------------------------------------ */

/** Anew and to the end at the host, as the device has failed. */
static enum fg_result go_on_at_host(struct path *path, const struct fgi_question *question,
                                    uint64_t max_rows)
{
    enum fg_result result = path->host ? FG_OK
                                       : fgi_host_path_begin(&path->vulkan->engine, question,
                                                             &path->request, &path->host);
    return result == FG_OK ? fgi_gpu_host_step(&path->face.work, &path->host->work,
                                               sizeof path->face, question, max_rows)
                           : result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct path *path = (struct path *)work;
    if (path->host || !fgi_gpu_ready(path->vulkan)) {
        return go_on_at_host(path, question, max_rows);
    }
    const enum fg_result result = answer(path, question);
    end_device(path);
    if (!fgi_gpu_answered(path->vulkan, result)) {
        return go_on_at_host(path, question, max_rows);
    }
    if (result == FG_OK) {
        work->total_rows = work->done_rows;
        work->stage = work->stage_count;
        work->is_done = true;
    }
    return result;
}

static const struct fgi_task_ops path_ops = { step, destroy };

enum fg_result fgi_vulkan_path_begin(struct fg_engine *engine, const struct fgi_question *question,
                                     const struct fg_path_request *request,
                                     struct fgi_path_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct fgi_gpu_filter *filter = fgi_gpu_filter_find(vulkan, request->filter);
    const uint32_t rows = fgi_trace_rows(engine->trace);
    if (request->filter != 0 && !filter) {
        return FG_ERR_NOT_FOUND;
    }
    if (rows == 0 || rows >= FGI_GPU_COLUMN_MAX_ROWS || !fgi_gpu_ready(vulkan)) {
        return fgi_host_path_begin(engine, question, request, out_work);
    }
    if (request->by != FG_PATH_BY_PARENTS) {
        return fgi_gpu_path_links_begin(vulkan, request, filter, out_work);
    }
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
        .ops = &path_ops, .kind = FGI_WORK_PATH, .total_rows = rows, .stage_count = 3
    };
    *out_work = &path->face;
    return FG_OK;
}
