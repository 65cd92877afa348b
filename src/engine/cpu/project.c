/* SPDX-License-Identifier: MIT */
/* Which visible row stands for a hidden one: itself or its nearest visible ancestor. */
#include "engine/cpu/graph_cpu.h"

/*
 * A circle of parents is found as Brent does it: one row of the way is kept and looked for, and
 * replaced after 1, 2, 4, 8... steps. So a circle ends after three times its length and the way to
 * it, and nothing is remembered.
 */
enum fgi_projection fgi_project(const struct fgi_projecting *how, struct fgi_cursor *cursor,
                                uint32_t row, uint32_t *out_row)
{
    uint32_t kept = row;
    uint64_t next_kept = 1;
    *out_row = FG_NONE;
    for (uint64_t depth = 0; row < how->rows && fgi_cursor_at(cursor, row); depth++) {
        ++*how->visited;
        if (how->is_seen(how->context, cursor, row)) {
            *out_row = row;
            return depth == 0 ? FGI_SELF : FGI_ANCESTOR;
        }
        uint32_t parent = cursor->block->parent[row - cursor->first_row];
        if (parent == FG_NONE) {
            return FGI_UNRESOLVED;
        }
        if (depth == how->max_depth) {
            return FGI_CUT;
        }
        if (parent == kept) {
            return FGI_INVALID;
        }
        if (depth + 1 == next_kept) {
            kept = parent;
            next_kept *= 2;
        }
        row = parent;
    }
    return FGI_INVALID;
}

static bool is_seen(const void *context, struct fgi_cursor *cursor, uint32_t row)
{
    (void)cursor;
    return fgi_is_in_sight(context, row);
}

static void tally(struct fg_project_reply *reply, enum fgi_projection projection)
{
    reply->visible += projection == FGI_SELF;
    reply->projected += projection == FGI_ANCESTOR;
    reply->unresolved += projection == FGI_UNRESOLVED;
    reply->cut += projection == FGI_CUT;
    reply->invalid += projection == FGI_INVALID;
}

/*
 * Every row in order: where the parent has been judged already, its answer is this one's as well.
 */
static enum fgi_projection project_next(const struct fgi_projecting *how, struct fgi_cursor *cursor,
                                        uint32_t row, uint32_t *shown, uint8_t *known)
{
    enum fgi_projection projection = FGI_SELF;
    if (fgi_is_in_sight(how->context, row)) {
        shown[row] = row;
        ++*how->visited;
    } else if (fgi_cursor_at(cursor, row)) {
        uint32_t parent = cursor->block->parent[row - cursor->first_row];
        if (parent < row) {
            projection = (enum fgi_projection)known[parent];
            projection = projection == FGI_SELF ? FGI_ANCESTOR : projection;
            shown[row] = shown[parent];
            ++*how->visited;
        } else {
            projection = fgi_project(how, cursor, row, &shown[row]);
        }
    }
    known[row] = (uint8_t)projection;
    return projection;
}

enum fg_result fgi_cpu_project(struct fg_engine *engine, const struct fgi_question *question,
                               const struct fg_project_request *request,
                               struct fg_project_reply *out_reply)
{
    const struct fg_trace *trace = engine->trace;
    uint32_t rows = fgi_trace_rows(trace);
    struct fgi_sight sight = { .mask = request->mask, .mask_rows = rows };
    struct fgi_population *population;
    enum fg_result result =
        fgi_filter_find(fgi_cpu(engine), request->filter, &population, &sight.filter);
    if (result != FG_OK) {
        return result;
    }
    struct fg_project_reply reply = { .count = request->rows ? request->row_count : rows };
    uint32_t *shown = fgi_arena_alloc(question->arena, (size_t)reply.count + 1, sizeof *shown);
    if (!shown) {
        return FG_ERR_NO_MEMORY;
    }
    bool is_whole = !request->rows && request->max_depth == UINT32_MAX;
    uint8_t *known = is_whole ? fgi_arena_alloc(question->arena, (size_t)rows + 1, 1) : NULL;
    if (is_whole && !known) {
        return FG_ERR_NO_MEMORY;
    }
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    const struct fgi_projecting how = { is_seen, &sight, rows, request->max_depth,
                                        &question->visits->spans };
    for (uint32_t i = 0; i < reply.count && cursor.result == FG_OK; i++) {
        if (i % 65536 == 65535 && fgi_question_cancelled(question)) {
            result = FG_ERR_CANCELLED;
            break;
        }
        uint32_t row = request->rows ? request->rows[i] : i;
        tally(&reply, is_whole ? project_next(&how, &cursor, row, shown, known)
                               : fgi_project(&how, &cursor, row, &shown[i]));
    }
    fgi_cursor_finish(&cursor);
    reply.rows = shown;
    if (result == FG_OK && cursor.result == FG_OK) {
        *out_reply = reply;
    }
    return result != FG_OK ? result : cursor.result;
}
