/* SPDX-License-Identifier: MIT */
/* What the time along a chain went to: work, waits for other dependencies, queues on the track. */
#include "trace/path_pieces.h"
#include "base/wide.h"
#include "trace/links_rules.h"

/* A span that was on the track of a row while it could have begun. */
struct queued {
    int64_t start, end;
    uint32_t row, depth;
};
/* The gap before a row of the chain. */
struct gap {
    struct fg_trace_span before, row;
    uint32_t link; /* by which the row depends on the one before it */
    int64_t start, end;
};

static bool follows(const struct fgi_pieces *on, uint32_t link)
{
    return on->request->families == UINT32_MAX ||
           fgi_family_is_in(on->request->families, fgi_graph_family(on->graph, link));
}

static enum fg_result add_piece(struct fgi_pieces *on, const struct fgi_question *question,
                                struct fg_path_piece piece)
{
    struct fg_path_reply *reply = on->reply;
    if (!FGI_ANSWER_GROW(question->arena, on->pieces, on->capacity,
                         (size_t)reply->piece_count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    struct fg_trace_dependency link;
    if (fgi_graph_dependency(on->graph, piece.link, &link)) {
        piece.family = link.family;
        piece.flags = link.flags;
    }
    on->pieces[reply->piece_count++] = piece;
    return FG_OK;
}

static void add_sum(uint64_t *sum, uint64_t ns)
{
    *sum = fgi_add_saturated(*sum, ns);
}

/* A piece [start, end) of a gap that may be told; nothing when it is empty. */
static enum fg_result add_told(struct fgi_pieces *on, const struct fgi_question *question,
                               enum fg_path_piece_kind kind, uint32_t row, uint32_t link,
                               int64_t start, int64_t end)
{
    struct fg_path_sums *sums = &on->reply->sums;
    if (start >= end) {
        return FG_OK;
    }
    add_sum(kind == FG_PIECE_WAIT    ? &sums->wait_ns
            : kind == FG_PIECE_QUEUE ? &sums->queue_ns
                                     : &sums->unknown_ns,
            fgi_duration(start, end));
    return add_piece(on, question,
                     (struct fg_path_piece){ .kind = kind,
                                             .row = row,
                                             .link = link,
                                             .is_claimed = true,
                                             .start_ns = start,
                                             .end_ns = end });
}

static enum fg_result read_span(const struct fgi_pieces *on, uint32_t row,
                                struct fg_trace_span *out_span)
{
    uint32_t count;
    return fg_trace_spans(on->trace, row, out_span, 1, &count);
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Is it certain that `later` ended after `before` did? */
static bool ended_later(const struct fg_trace *trace, const struct fg_trace_span *before,
                        const struct fg_trace_span *later)
{
    struct fg_trace_span end = *later; /* a point where it ended */
    struct fg_gap gap;
    end.start_ns = later->end_ns;
    return fgi_gap_between(trace, before, &end, &gap) == FG_OK && gap.gap_ns > 0 && gap.is_ordered;
}

/* Of all that the row depends on, what ended last before it began, when that is certain and later
 * than the end of the row before it. */
static enum fg_result find_wait(const struct fgi_pieces *on, const struct fgi_question *question,
                                const struct gap *gap, uint32_t *out_row, uint32_t *out_link,
                                int64_t *out_end)
{
    const struct fg_trace *trace = on->trace;
    struct fgi_link_ranges in = fgi_graph_in(on->graph, gap->row.row);
    uint32_t position;
    *out_row = FG_NONE;
    *out_end = gap->start;
    question->visits->dependencies += fgi_link_ranges_count(&in);
    while (fgi_link_ranges_next(&in, &position)) {
        uint32_t link = fgi_graph_at(on->graph, position);
        uint32_t source = fgi_graph_source(on->graph, link);
        struct fg_trace_span other;
        int64_t between;
        if (!follows(on, link) || source == gap->before.row || source == gap->row.row) {
            continue;
        }
        enum fg_result result = read_span(on, source, &other);
        if (result != FG_OK) {
            return result;
        }
        if (fgi_gap_is_told(trace, &other, &gap->row, &between) && between >= 0 &&
            other.end_ns > *out_end && ended_later(trace, &gap->before, &other)) {
            *out_row = source;
            *out_link = link;
            *out_end = other.end_ns;
        }
    }
    return FG_OK;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static bool is_ancestor(const struct fgi_pieces *on, struct fgi_cursor *cursor,
                        const struct fg_trace_span *span, uint32_t row)
{
    uint32_t parent = span->parent;
    for (uint32_t depth = 0; depth < span->depth && parent < fgi_trace_rows(on->trace); depth++) {
        if (parent == row) {
            return true;
        }
        if (!fgi_cursor_at(cursor, parent)) {
            return false;
        }
        parent = cursor->block->parent[parent - cursor->first_row];
    }
    return parent == row;
}

/* By start, shallower first, then row. */
static bool queued_before(const struct queued *a, const struct queued *b)
{
    if (a->start != b->start) {
        return a->start < b->start;
    }
    return a->depth != b->depth ? a->depth < b->depth : a->row < b->row;
}

/*
 * Spans of one lane that were there in [start, end), latest first, into `list`, which keeps the
 * `max_queued` latest of all lanes in order. Spans of a lane do not overlap.
 */
static enum fg_result look_at_lane(struct fgi_pieces *on, struct fgi_cursor *cursor,
                                   const struct gap *gap, uint32_t lane, int64_t start,
                                   struct queued *list, uint32_t *count)
{
    const struct fg_trace *trace = on->trace;
    uint32_t first = trace->lane_first[lane];
    uint32_t at =
        fgi_lower_bound(cursor, trace->lane_rows, first, trace->lane_first[lane + 1], gap->end);
    for (; at > first && cursor->result == FG_OK; at--) {
        uint32_t row = trace->lane_rows[at - 1];
        if (!fgi_cursor_at(cursor, row)) {
            break;
        }
        struct queued item = { fgi_cursor_start(cursor, row), fgi_cursor_end(cursor, row), row,
                               trace->lanes.items[lane].depth };
        if (item.end <= start) {
            break;
        }
        if (item.start == item.end || row == gap->row.row ||
            is_ancestor(on, cursor, &gap->row, row)) {
            continue;
        }
        if (*count == on->request->max_queued) {
            on->reply->untold_queued++;
            if (!queued_before(&list[0], &item)) {
                continue; /* those before it in its lane are only counted */
            }
            for (uint32_t i = 1; i < *count; i++) {
                list[i - 1] = list[i];
            }
            --*count;
        }
        uint32_t k = (*count)++;
        for (; k > 0 && queued_before(&item, &list[k - 1]); k--) {
            list[k] = list[k - 1];
        }
        list[k] = item;
    }
    return cursor->result;
}

/* Spans of the row's track, no deeper than itself, that held it in [start, gap->end). */
static enum fg_result tell_queue(struct fgi_pieces *on, const struct fgi_question *question,
                                 const struct gap *gap, int64_t start)
{
    const struct fg_trace *trace = on->trace;
    const struct fg_trace_track *track = &trace->tracks.items[gap->row.track];
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    uint32_t count = 0;
    enum fg_result result = FG_OK;
    struct queued *list = fgi_arena_alloc(question->arena, on->request->max_queued, sizeof *list);
    if (!list) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < track->lane_count && result == FG_OK; i++) {
        uint32_t lane = track->first_lane + i;
        if (trace->lanes.items[lane].depth > gap->row.depth) {
            break; /* lanes of a track come by depth */
        }
        result = look_at_lane(on, &cursor, gap, lane, start, list, &count);
    }
    fgi_cursor_finish(&cursor);
    question->visits->spans += count;
    int64_t until = start;
    for (uint32_t i = 0; i < count && result == FG_OK; i++) {
        int64_t from = list[i].start > until ? list[i].start : until;
        int64_t to = list[i].end < gap->end ? list[i].end : gap->end;
        if (to <= from) {
            continue;
        }
        result = add_told(on, question, FG_PIECE_UNKNOWN, FG_NONE, FG_NONE, until, from);
        if (result == FG_OK) {
            result = add_told(on, question, FG_PIECE_QUEUE, list[i].row, FG_NONE, from, to);
        }
        until = to;
    }
    return result == FG_OK
               ? add_told(on, question, FG_PIECE_UNKNOWN, FG_NONE, FG_NONE, until, gap->end)
               : result;
}

/* ---- the chain ------------------------------------------------------------------------------- */

/* Lowest number of a dependency between two rows. */
static uint32_t link_between(const struct fgi_pieces *on, uint32_t source, uint32_t target)
{
    struct fgi_link_ranges in = fgi_graph_in(on->graph, target);
    uint32_t position;
    while (fgi_link_ranges_next(&in, &position)) {
        uint32_t link = fgi_graph_at(on->graph, position);
        if (follows(on, link) && fgi_graph_source(on->graph, link) == source) {
            return link;
        }
    }
    return FG_NONE;
}

static enum fg_result tell_gap(struct fgi_pieces *on, const struct fgi_question *question,
                               struct gap *gap)
{
    struct fg_path_sums *sums = &on->reply->sums;
    int64_t between;
    if (!fgi_gap_is_told(on->trace, &gap->before, &gap->row, &between)) {
        sums->unclaimed++;
        return add_piece(
            on, question,
            (struct fg_path_piece){ .kind = FG_PIECE_UNKNOWN, .row = FG_NONE, .link = FG_NONE });
    }
    if (between < 0) {
        add_sum(&sums->overlap_ns, fgi_duration(gap->row.start_ns, gap->before.end_ns));
        return FG_OK;
    }
    if (between == 0) {
        return FG_OK;
    }
    gap->start = gap->before.end_ns;
    gap->end = gap->row.start_ns;
    uint32_t row;
    uint32_t link = FG_NONE;
    int64_t end;
    enum fg_result result = find_wait(on, question, gap, &row, &link, &end);
    if (result == FG_OK) {
        result = add_told(on, question, FG_PIECE_WAIT, row, link, gap->start, end);
    }
    return result == FG_OK ? tell_queue(on, question, gap, end) : result;
}

enum fg_result fgi_pieces_add(struct fgi_pieces *on, const struct fgi_question *question,
                              uint32_t at)
{
    const uint32_t *chain = on->reply->chain;
    struct gap gap = { .link = FG_NONE };
    enum fg_result result = read_span(on, chain[at], &gap.row);
    if (result == FG_OK && at > 0 && on->request->by == FG_PATH_BY_DEPENDENCIES) {
        gap.link = link_between(on, chain[at - 1], chain[at]);
        result = read_span(on, chain[at - 1], &gap.before);
        if (result == FG_OK) {
            result = tell_gap(on, question, &gap);
        }
    }
    if (result != FG_OK) {
        return result;
    }
    question->visits->spans++;
    add_sum(&on->reply->sums.work_ns, fgi_duration(gap.row.start_ns, gap.row.end_ns));
    return add_piece(on, question,
                     (struct fg_path_piece){ .kind = FG_PIECE_WORK,
                                             .row = chain[at],
                                             .link = gap.link,
                                             .is_claimed = true,
                                             .start_ns = gap.row.start_ns,
                                             .end_ns = gap.row.end_ns });
}
