/* SPDX-License-Identifier: MIT */
/*
 * The longest paths over all dependencies, in order of turns: a row's turn comes when all that it
 * depends on had theirs. Where every dependency leads to a later row, rows have their turns as they
 * are stored; else those without open dependencies wait in line (Kahn). What never has its turn is
 * on a circle or behind one.
 */
#include "base/alloc.h"
#include "engine/cpu/path_priv.h"

enum fg_result fgi_path_scan_links(struct fgi_path *path, const struct fgi_question *question,
                                   uint64_t max, uint64_t *done, bool *is_over)
{
    const struct fg_trace *trace = path->trace;
    for (; path->next < path->count && *done < max; path->next++, ++*done) {
        uint32_t row = fgi_path_row(path, (uint32_t)path->next);
        uint32_t link;
        uint32_t end = fgi_path_links(path, (uint32_t)path->next, &link);
        for (; link < end; link++) {
            uint32_t target = fgi_link_target(trace, link);
            uint32_t item = fgi_path_follows(path, link) ? fgi_path_item(path, target) : FG_NONE;
            if (item != FG_NONE) {
                path->nodes[item].hops++;
                path->face.reply.links++;
                path->is_ordered &= target > row;
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
    const struct fg_trace *trace = path->trace;
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
    uint32_t link;
    uint32_t end = fgi_path_links(path, item, &link);
    for (; link < end; link++) {
        uint32_t target = fgi_path_follows(path, link)
                              ? fgi_path_item(path, fgi_link_target(trace, link))
                              : FG_NONE;
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

/* What a later turn reads is on its way by then. */
static void look_ahead(const struct fgi_path *path, uint64_t turn)
{
    if (turn < path->ready) {
        uint32_t item = path->order[turn];
        __builtin_prefetch(&path->nodes[item], 1);
        __builtin_prefetch(&path->first[item]);
        __builtin_prefetch(&path->own[item]);
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
            look_ahead(path, path->next + 8);
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
    const struct fg_trace *trace = path->trace;
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
        uint32_t link;
        uint32_t end = fgi_path_links(path, item, &link);
        for (; link < end; link++) {
            uint32_t target = fgi_path_follows(path, link)
                                  ? fgi_path_item(path, fgi_link_target(trace, link))
                                  : FG_NONE;
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
    const struct fg_trace *trace = path->trace;
    uint32_t first;
    uint32_t end = fgi_links_in(trace, fgi_path_row(path, item), &first);
    for (uint32_t i = first; i < end; i++) {
        uint32_t link = fgi_link_in(trace, i);
        uint32_t source = fgi_path_follows(path, link)
                              ? fgi_path_item(path, fgi_link_source(trace, link))
                              : FG_NONE;
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
