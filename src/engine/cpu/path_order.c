/* SPDX-License-Identifier: MIT */
/*
 * The longest paths over all dependencies, in order of turns: a row's turn comes when all that it
 * depends on had theirs. Where every dependency leads to a later row, rows have their turns as they
 * are stored; else those without open dependencies wait in line (Kahn). What never has its turn is
 * on a circle or behind one.
 */
#include "base/alloc.h"
#include "engine/cpu/path_priv.h"

/* All take part: how many lead to a row is told by the order by target, from which nothing but the
 * row at hand is touched. */
static void scan_all(struct fgi_path *path, uint64_t max, uint64_t *done)
{
    const struct fgi_graph *graph = &path->graph;
    for (; path->next < path->count && *done < max; path->next++, ++*done) {
        uint32_t row = (uint32_t)path->next;
        uint32_t link;
        fgi_links_walk(&path->walk_in[0], &graph->recorded->in_targets, row);
        uint32_t degree = path->walk_in[0].end - path->walk_in[0].first;
        if (graph->derived) {
            fgi_links_walk(&path->walk_in[1], &graph->derived->in_targets, row);
            degree += path->walk_in[1].end - path->walk_in[1].first;
        }
        path->nodes[row].hops = degree;
        path->face.reply.links += degree;
        struct fgi_link_ranges links = fgi_path_links(path, row);
        while (path->is_ordered && fgi_link_ranges_next(&links, &link)) {
            path->is_ordered = fgi_graph_target(graph, link) > row;
        }
    }
}

enum fg_result fgi_path_scan_links(struct fgi_path *path, const struct fgi_question *question,
                                   uint64_t max, uint64_t *done, bool *is_over)
{
    if (path->is_whole && path->request.families == UINT32_MAX) {
        scan_all(path, max, done);
    } else {
        for (; path->next < path->count && *done < max; path->next++, ++*done) {
            uint32_t item = (uint32_t)path->next;
            struct fgi_link_ranges links = fgi_path_links(path, item);
            uint32_t link;
            while (fgi_link_ranges_next(&links, &link)) {
                uint32_t target = fgi_path_target(path, link);
                if (target != FG_NONE) {
                    path->nodes[target].hops++;
                    path->face.reply.links++;
                    path->is_ordered &= target > item;
                }
            }
        }
    }
    fgi_path_count(path, question, 0);
    *is_over = path->next == path->count;
    return FG_OK;
}

/* A row's turn: its length is known; what depends on it learns of it. */
static bool take_turn(struct fgi_path *path, uint32_t item)
{
    struct fg_path_reply *reply = &path->face.reply;
    uint64_t own;
    if (!fgi_path_own(path, item, &own)) {
        return false;
    }
    struct fgi_path_node *node = &path->nodes[item];
    uint64_t length = fgi_path_add(path, node->length, own);
    uint32_t hops = node->predecessor == FG_NONE ? 0 : path->nodes[node->predecessor].hops + 1;
    node->length = length;
    node->hops = hops;
    if (path->roots) {
        path->roots[item] = node->predecessor == FG_NONE ? item : path->roots[node->predecessor];
    }
    reply->max_hops = hops > reply->max_hops ? hops : reply->max_hops;
    if (path->best == FG_NONE || length > path->nodes[path->best].length ||
        (length == path->nodes[path->best].length && item < path->best)) {
        path->best = item;
    }
    struct fgi_link_ranges links = fgi_path_links(path, item);
    uint32_t link;
    while (fgi_link_ranges_next(&links, &link)) {
        uint32_t target = fgi_path_target(path, link);
        if (target == FG_NONE) {
            continue;
        }
        struct fgi_path_node *then = &path->nodes[target];
        if (then->predecessor == FG_NONE || length > then->length ||
            (length == then->length && item < then->predecessor)) {
            then->length = length;
            then->predecessor = item;
        }
        if (!path->is_ordered && --then->hops == 0) {
            path->order[path->ready++] = target;
        }
    }
    return true;
}

/* What a later turn reads is on its way by then; and, nearer, what it writes to. */
static void look_ahead(const struct fgi_path *path, uint64_t turn)
{
    enum { FAR = 32, MIDDLE = 20, NEAR = 10 };
    if (turn + FAR < path->ready) {
        uint32_t item = path->order[turn + FAR];
        __builtin_prefetch(&path->nodes[item], 1);
        __builtin_prefetch(&path->first[item]);
        __builtin_prefetch(&path->own[item]);
    }
    if (turn + MIDDLE < path->ready && path->is_whole) {
        __builtin_prefetch(&path->graph.recorded->targets[path->first[path->order[turn + MIDDLE]]]);
    }
    if (turn + NEAR < path->ready && path->is_whole) {
        const uint32_t *first = &path->first[path->order[turn + NEAR]];
        for (uint32_t link = first[0]; link < first[1] && link < first[0] + 4; link++) {
            __builtin_prefetch(&path->nodes[path->graph.recorded->targets[link]], 1);
        }
    }
}

enum fg_result fgi_path_forward(struct fgi_path *path, const struct fgi_question *question,
                                uint64_t max, uint64_t *done, bool *is_over)
{
    if (!path->is_ordered && path->next == 0 && path->ready == 0) {
        for (uint32_t item = 0; item < path->count; item++) {
            if (path->nodes[item].hops == 0) {
                path->order[path->ready++] = item;
            }
        }
    }
    uint64_t before = *done;
    for (;; path->next++, ++*done) {
        uint64_t end = path->is_ordered ? path->count : path->ready;
        if (path->next == end || *done >= max) {
            *is_over = path->next == end;
            break;
        }
        uint32_t item = (uint32_t)path->next;
        if (!path->is_ordered) {
            item = path->order[path->next];
            look_ahead(path, path->next);
            fgi_set_bit(path->done, item);
        }
        if (!take_turn(path, item)) {
            return path->cursor.result;
        }
    }
    fgi_path_count(path, question, *done - before);
    return FG_OK;
}

enum fg_result fgi_path_backward(struct fgi_path *path, const struct fgi_question *question,
                                 uint64_t max, uint64_t *done, bool *is_over)
{
    uint32_t turns = path->is_ordered ? path->count : path->ready;
    uint64_t before = *done;
    for (; path->next < turns && *done < max; path->next++, ++*done) {
        uint32_t turn = turns - 1 - (uint32_t)path->next;
        uint32_t item = path->is_ordered ? turn : path->order[turn];
        uint64_t own;
        uint64_t longest = 0;
        if (!fgi_path_own(path, item, &own)) {
            return path->cursor.result;
        }
        struct fgi_link_ranges links = fgi_path_links(path, item);
        uint32_t link;
        while (fgi_link_ranges_next(&links, &link)) {
            uint32_t target = fgi_path_target(path, link);
            /* What never had its turn has no tail: it was left 0. */
            if (target != FG_NONE && path->tails[target] > longest) {
                longest = path->tails[target];
            }
        }
        path->tails[item] = fgi_path_add(path, longest, own);
    }
    fgi_path_count(path, question, *done - before);
    *is_over = path->next == turns;
    return FG_OK;
}

/* Of what `item` depends on and never had its turn: by the lowest number. */
static uint32_t stuck_source(const struct fgi_path *path, uint32_t item)
{
    struct fgi_link_ranges in = fgi_graph_in(&path->graph, fgi_path_row(path, item));
    uint32_t position;
    while (fgi_link_ranges_next(&in, &position)) {
        uint32_t source = fgi_path_source(path, fgi_graph_at(&path->graph, position));
        if (source != FG_NONE && !fgi_has_bit(path->done, source)) {
            return source;
        }
    }
    return FG_NONE;
}

/* Backwards from a row without a turn there is always another one: some time one comes twice. The
 * steps are kept in `hops`, which such rows have no other use for. */
static enum fg_result find_circle(struct fgi_path *path, const struct fgi_question *question,
                                  uint32_t item)
{
    struct fg_path_reply *reply = &path->face.reply;
    uint32_t steps = 0;
    for (; path->nodes[item].hops == 0; item = stuck_source(path, item)) {
        path->nodes[item].hops = ++steps;
    }
    uint32_t length = steps + 1 - path->nodes[item].hops;
    uint32_t *cycle = fgi_arena_alloc(question->arena, length, sizeof *cycle);
    if (!cycle) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t lowest = item;
    for (uint32_t i = 0; i < length; i++) {
        lowest = item < lowest ? item : lowest;
        item = stuck_source(path, item);
    }
    /* From the lowest row on, in the direction of the dependencies. */
    item = lowest;
    for (uint32_t i = length; i-- > 0;) {
        item = stuck_source(path, item);
        cycle[i] = fgi_path_row(path, item);
    }
    reply->cycle = cycle;
    reply->cycle_count = length;
    reply->flags |= FG_PATH_CYCLIC;
    return FG_OK;
}

enum fg_result fgi_path_leave_out(struct fgi_path *path, const struct fgi_question *question)
{
    if (path->is_ordered || path->ready == path->count) {
        return FG_OK;
    }
    uint32_t first = FG_NONE;
    for (uint32_t item = path->count; item-- > 0;) {
        if (!fgi_has_bit(path->done, item)) {
            path->nodes[item].length = 0;
            path->nodes[item].hops = 0;
            path->nodes[item].predecessor = FG_NONE;
            if (path->roots) {
                path->roots[item] = FG_NONE;
            }
            path->face.reply.left_out++;
            first = item;
        }
    }
    enum fg_result result = find_circle(path, question, first);
    for (uint32_t item = first; item < path->count; item++) {
        if (!fgi_has_bit(path->done, item)) {
            path->nodes[item].hops = 0;
        }
    }
    return result;
}
