/* SPDX-License-Identifier: MIT */
/* What is known of every row of a path: written by row when it is asked for. */
#include "engine/cpu/path_priv.h"
#include "base/wide.h"
#include <string.h>

/* Answers by row, in the question's memory. Rows that take no part have none, or 0. */
static enum fg_result make_figures(struct fgi_path *path, const struct fgi_question *question)
{
    const uint32_t figures = path->request.figures;
    size_t rows = (size_t)path->trace_rows + 1;
    struct {
        uint32_t figure;
        size_t size;
        bool is_row;
        void **array;
    } all[] = {
        { FG_PATH_LENGTHS, sizeof(uint64_t), false, (void **)&path->figures.lengths },
        { FG_PATH_SLACKS, sizeof(uint64_t), false, (void **)&path->figures.slacks },
        { FG_PATH_TIMES, sizeof(uint64_t), false, (void **)&path->figures.earliest },
        { FG_PATH_TIMES, sizeof(uint64_t), false, (void **)&path->figures.latest },
        { FG_PATH_PREDECESSORS, sizeof(uint32_t), true, (void **)&path->figures.predecessors },
        { FG_PATH_HOPS, sizeof(uint32_t), false, (void **)&path->figures.hops },
        { FG_PATH_ROOTS, sizeof(uint32_t), true, (void **)&path->figures.roots },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (figures & all[i].figure) {
            *all[i].array = fgi_arena_alloc(question->arena, rows, all[i].size);
            if (!*all[i].array) {
                return FG_ERR_NO_MEMORY;
            }
            if (all[i].is_row) {
                memset(*all[i].array, 0xff, rows * all[i].size); /* FG_NONE */
            }
        }
    }
    struct fg_path_reply *reply = &path->face.reply;
    reply->figure_rows = path->trace_rows;
    reply->lengths = path->figures.lengths;
    reply->slacks = path->figures.slacks;
    reply->earliest = path->figures.earliest;
    reply->latest = path->figures.latest;
    reply->predecessors = path->figures.predecessors;
    reply->hops = path->figures.hops;
    reply->roots = path->figures.roots;
    return FG_OK;
}

static bool write_times(struct fgi_path *path, uint32_t item, uint32_t row)
{
    uint64_t own;
    if (!fgi_path_own(path, item, &own)) {
        return false;
    }
    uint64_t length = path->face.reply.length_ns;
    uint64_t before = path->nodes[item].length - own;
    uint64_t tail = fgi_path_is_forest(path) ? own : path->tails[item];
    uint64_t through = fgi_add_saturated(before, tail);
    uint64_t slack = length > through ? length - through : 0;
    if (path->figures.slacks) {
        path->figures.slacks[row] = slack;
    }
    if (path->figures.earliest) {
        path->figures.earliest[row] = before;
        path->figures.latest[row] = fgi_add_saturated(before, slack);
    }
    return true;
}

static bool write_figures(struct fgi_path *path, uint32_t item)
{
    uint32_t row = fgi_path_row(path, item);
    const struct fgi_path_node *node = &path->nodes[item];
    if (path->figures.lengths) {
        path->figures.lengths[row] = node->length;
    }
    if (path->figures.predecessors) {
        path->figures.predecessors[row] = fgi_path_row_of(path, node->predecessor);
    }
    if (path->figures.hops) {
        path->figures.hops[row] = node->hops;
    }
    if (path->figures.roots) {
        path->figures.roots[row] = fgi_path_row_of(path, path->roots[item]);
    }
    return !fgi_path_needs_tails(&path->request) || fgi_path_is_left_out(path, item) ||
           write_times(path, item, row);
}

enum fg_result fgi_path_fill_figures(struct fgi_path *path, const struct fgi_question *question,
                                     uint64_t max, uint64_t *done, bool *is_over)
{
    if (path->next == 0) {
        enum fg_result result = make_figures(path, question);
        if (result != FG_OK) {
            return result;
        }
    }
    bool is_needed = path->request.figures != 0;
    for (; is_needed && path->next < path->count && *done < max; path->next++, ++*done) {
        if (!write_figures(path, (uint32_t)path->next)) {
            return path->cursor.result;
        }
    }
    *is_over = !is_needed || path->next == path->count;
    return FG_OK;
}
