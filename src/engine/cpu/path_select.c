/* SPDX-License-Identifier: MIT */
/* Which rows take part in a path: those of a filter and a range, or what one row depends on. */
#include "base/alloc.h"
#include "engine/cpu/path_priv.h"

static bool is_wanted(struct fgi_path *path, uint32_t row)
{
    return (!path->passing || fgi_has_bit(path->passing, row)) &&
           fgi_meets(fgi_cursor_start(&path->cursor, row), fgi_cursor_end(&path->cursor, row),
                     path->request.start_ns, path->request.end_ns);
}

/* Take a row on that takes part and was not there. */
static enum fg_result take(struct fgi_path *path, const struct fgi_question *question, uint32_t row)
{
    if (fgi_has_bit(path->bits, row)) {
        return FG_OK;
    }
    if (!fgi_cursor_at(&path->cursor, row)) {
        return path->cursor.result;
    }
    question->visits->spans++;
    if (!is_wanted(path, row)) {
        return FG_OK;
    }
    enum fg_result result = FGI_GROW(path->cpu->allocator, path->rows, path->rows_capacity,
                                     (size_t)path->count + 1, UINT32_MAX);
    if (result == FG_OK) {
        fgi_set_bit(path->bits, row);
        path->rows[path->count++] = row;
    }
    return result;
}

/* What `row` depends on. */
static enum fg_result take_sources(struct fgi_path *path, const struct fgi_question *question,
                                   uint32_t row)
{
    if (path->request.by == FG_PATH_BY_PARENTS) {
        if (!fgi_cursor_at(&path->cursor, row)) {
            return path->cursor.result;
        }
        uint32_t parent = path->cursor.block->parent[row - path->cursor.first_row];
        return parent < path->trace_rows ? take(path, question, parent) : FG_OK;
    }
    struct fgi_link_ranges in = fgi_graph_in(&path->graph, row);
    uint32_t position;
    enum fg_result result = FG_OK;
    question->visits->dependencies += fgi_link_ranges_count(&in);
    while (result == FG_OK && fgi_link_ranges_next(&in, &position)) {
        uint32_t link = fgi_graph_at(&path->graph, position);
        if (fgi_path_follows(path, link)) {
            result = take(path, question, fgi_graph_source(&path->graph, link));
        }
    }
    return result;
}

enum fg_result fgi_path_select(struct fgi_path *path, const struct fgi_question *question,
                               uint64_t max, uint64_t *done, bool *is_over)
{
    enum fg_result result = FG_OK;
    if (path->request.has_row) {
        if (path->next == 0 && path->count == 0) {
            result = take(path, question, path->request.row);
        }
        for (; path->next < path->count && *done < max && result == FG_OK; path->next++, ++*done) {
            result = take_sources(path, question, path->rows[path->next]);
        }
        *is_over = path->next == path->count;
        return result;
    }
    for (; path->next < path->trace_rows && *done < max; path->next++, ++*done) {
        uint32_t row = (uint32_t)path->next;
        if (!fgi_cursor_at(&path->cursor, row)) {
            return path->cursor.result;
        }
        if (is_wanted(path, row)) {
            fgi_set_bit(path->bits, row);
            path->count++;
        }
    }
    *is_over = path->next == path->trace_rows;
    return FG_OK;
}

enum fg_result fgi_path_number(struct fgi_path *path)
{
    size_t words = path->trace_rows / 64 + 1;
    enum fg_result result = FGI_GROW(path->cpu->allocator, path->rows, path->rows_capacity,
                                     (size_t)path->count + 1, UINT32_MAX);
    path->ranks = fgi_malloc(path->cpu->allocator, words * sizeof *path->ranks);
    if (result != FG_OK || !path->ranks) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t item = 0;
    for (size_t i = 0; i < words; i++) {
        path->ranks[i] = item;
        for (uint64_t word = path->bits[i]; word; word &= word - 1) {
            path->rows[item++] = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(word);
        }
    }
    return FG_OK;
}
