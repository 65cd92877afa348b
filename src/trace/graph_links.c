/* SPDX-License-Identifier: MIT */
/*
 * What GPU passes wait for although nobody recorded it. Nothing is kept for it: the frame's own
 * rows are looked through when somebody asks.
 */
#include "trace/engine.h"
#include "trace/model.h"

/* How many frames before (or after) its own one a pass may have its neighbour on the queue in. */
enum { FRAMES_AROUND = 4 };

/* Walks over the GPU passes of a frame. */
struct walk {
    const struct fg_trace *trace;
    const struct fgi_question *question;
    struct fgi_cursor cursor;
    uint32_t frame, row, end;
    uint32_t i; /* of the row in the block that the cursor holds */
    bool is_cancelled;
};

static struct walk walk_frame(const struct fg_trace *trace, const struct fgi_question *question,
                              uint32_t frame)
{
    struct fgi_row_range range = trace->frame_rows[frame];
    return (struct walk){ .trace = trace,
                          .question = question,
                          .cursor = fgi_trace_cursor(trace),
                          .frame = frame,
                          .row = range.first - 1,
                          .end = range.end };
}

static bool walk_next(struct walk *w)
{
    while (w->row + 1 < w->end && fgi_cursor_at(&w->cursor, w->row + 1)) {
        w->row++;
        w->i = w->row - w->cursor.first_row;
        if (w->i == 0 && fgi_question_cancelled(w->question)) {
            w->is_cancelled = true;
            return false;
        }
        if ((fgi_block_classes(w->cursor.block, w->i) & FG_CLASS_GPU_PASS) &&
            fgi_block_extra(w->cursor.block, FGI_COLUMN_FRAME, w->i) == w->frame) {
            return true;
        }
    }
    return false;
}

static enum fg_result walk_end(struct walk *w)
{
    fgi_cursor_finish(&w->cursor);
    return w->is_cancelled ? FG_ERR_CANCELLED : w->cursor.result;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* What is looked for of each pass of the graph. */
struct wanted {
    bool is_wanted;
    uint32_t row;
    int64_t time; /* latest end of a producer, earliest start of a reader */
};

static uint32_t position_of(const struct fg_topology *topology, uint32_t identity)
{
    for (uint32_t i = 0; identity != FG_NONE && i < topology->pass_count; i++) {
        if (topology->passes[i].pass == identity) {
            return i;
        }
    }
    return FG_NONE;
}

/* Passes that made what `pass` reads. */
static uint32_t want_producers(const struct fg_topology *topology, uint32_t pass,
                               struct wanted *wanted)
{
    const struct fg_topology_pass *p = &topology->passes[pass];
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->read_count; i++) {
        uint32_t producer = topology->resources[p->reads[i]].producer;
        if (producer != FG_NONE && producer != pass) {
            count += !wanted[producer].is_wanted;
            wanted[producer].is_wanted = true;
        }
    }
    return count;
}

/* Passes that read what `pass` made. */
static uint32_t want_readers(const struct fg_topology *topology, uint32_t pass,
                             struct wanted *wanted)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < topology->resource_count; r++) {
        const struct fg_topology_resource *resource = &topology->resources[r];
        for (uint32_t i = 0; resource->producer == pass && i < resource->reader_count; i++) {
            uint32_t reader = resource->readers[i];
            if (reader != pass) {
                count += !wanted[reader].is_wanted;
                wanted[reader].is_wanted = true;
            }
        }
    }
    return count;
}

struct links {
    struct fgi_graph_link *items;
    uint32_t count;
};

/* The span that stands for each wanted pass: of a producer the last to end, of a reader the first
 * to begin; ties: the lowest row. */
static enum fg_result find_wanted(const struct fg_trace *trace, const struct fgi_question *question,
                                  uint32_t frame, const struct fg_topology *topology, bool is_wait,
                                  struct wanted *wanted)
{
    struct fgi_map64 position = { .allocator = question->arena->allocator };
    enum fg_result result = FG_OK;
    for (uint32_t i = topology->pass_count; i-- > 0 && result == FG_OK;) { /* the first one wins */
        if (topology->passes[i].pass != FG_NONE) {
            result = fgi_map64_put(&position, topology->passes[i].pass, i);
        }
    }
    struct walk w = walk_frame(trace, question, frame);
    while (result == FG_OK && walk_next(&w)) {
        const struct fgi_block *block = w.cursor.block;
        uint32_t pass = FG_NONE;
        if (!fgi_map64_get(&position, fgi_block_extra(block, FGI_COLUMN_PASS, w.i), &pass) ||
            !wanted[pass].is_wanted) {
            continue;
        }
        int64_t time = is_wait ? block->end_ns[w.i] : block->start_ns[w.i];
        bool is_better = is_wait ? time > wanted[pass].time : time < wanted[pass].time;
        if (wanted[pass].row == FG_NONE || is_better) {
            wanted[pass].row = w.row;
            wanted[pass].time = time;
        }
    }
    fgi_map64_finish(&position);
    enum fg_result walked = walk_end(&w);
    return result != FG_OK ? result : walked;
}

static enum fg_result data_links(const struct fg_trace *trace, const struct fgi_question *question,
                                 const struct fg_trace_span *span, bool is_wait,
                                 struct links *links)
{
    uint32_t number = trace->frames.items[span->frame].topology;
    const struct fg_topology *topology = fg_trace_topology(trace, number);
    uint32_t pass = topology ? position_of(topology, span->pass) : FG_NONE;
    if (pass == FG_NONE) {
        return FG_OK;
    }
    struct wanted *wanted = fgi_arena_alloc(question->arena, topology->pass_count, sizeof *wanted);
    if (!wanted) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < topology->pass_count; i++) {
        wanted[i].row = FG_NONE;
    }
    uint32_t count =
        is_wait ? want_producers(topology, pass, wanted) : want_readers(topology, pass, wanted);
    if (count == 0) {
        return FG_OK;
    }
    /* One more: the neighbour on the queue. */
    links->items = fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *links->items);
    if (!links->items) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = find_wanted(trace, question, span->frame, topology, is_wait, wanted);
    for (uint32_t i = 0; i < topology->pass_count && result == FG_OK; i++) {
        if (wanted[i].row != FG_NONE) {
            links->items[links->count++] =
                (struct fgi_graph_link){ wanted[i].row, FG_DEPENDENCY_GRAPH };
        }
    }
    return result;
}

/* ---- the order of a queue -------------------------------------------------------------------- */

/* One of the two encloses the other: then neither waits for the other's end. */
static bool is_inside(const struct fg_trace_lane *outer, int64_t outer_start, int64_t outer_end,
                      const struct fg_trace_lane *inner, int64_t start, int64_t end)
{
    return outer->depth < inner->depth && outer_start <= start && outer_end >= end;
}

/* The nearest GPU pass of a frame on the track that starts before (or after) the span. */
static enum fg_result find_neighbour(const struct fg_trace *trace,
                                     const struct fgi_question *question,
                                     const struct fg_trace_span *span, uint32_t frame,
                                     bool is_before, uint32_t *out_row)
{
    const struct fg_trace_lane *lanes = trace->lanes.items;
    struct walk w = walk_frame(trace, question, frame);
    int64_t best = 0;
    while (walk_next(&w)) {
        const struct fgi_block *block = w.cursor.block;
        const struct fg_trace_lane *lane = &lanes[block->lane[w.i]];
        int64_t start = block->start_ns[w.i];
        int64_t end = block->end_ns[w.i];
        bool goes_before = start != span->start_ns ? start < span->start_ns : w.row < span->row;
        if (w.row == span->row || lane->track != span->track || goes_before != is_before ||
            is_inside(lane, start, end, &lanes[span->lane], span->start_ns, span->end_ns) ||
            is_inside(&lanes[span->lane], span->start_ns, span->end_ns, lane, start, end)) {
            continue;
        }
        /* Rows ascend: of equal starts the last one is nearest from behind. */
        if (*out_row == FG_NONE || (is_before ? start >= best : start < best)) {
            *out_row = w.row;
            best = start;
        }
    }
    return walk_end(&w);
}

static enum fg_result queue_link(const struct fg_trace *trace, const struct fgi_question *question,
                                 const struct fg_trace_span *span, bool is_wait,
                                 struct links *links)
{
    enum fg_result result = FG_OK;
    uint32_t row = FG_NONE;
    uint32_t frames = (uint32_t)trace->frames.count;
    for (uint32_t i = 0; i <= FRAMES_AROUND && row == FG_NONE && result == FG_OK; i++) {
        uint32_t frame = is_wait ? span->frame - i : span->frame + i; /* below 0 is over `frames` */
        if (frame < frames) {
            result = find_neighbour(trace, question, span, frame, is_wait, &row);
        }
    }
    if (result == FG_OK && row != FG_NONE) {
        if (!links->items) {
            links->items = fgi_arena_alloc(question->arena, 1, sizeof *links->items);
        }
        if (!links->items) {
            return FG_ERR_NO_MEMORY;
        }
        links->items[links->count++] = (struct fgi_graph_link){ row, FG_DEPENDENCY_QUEUE };
    }
    return result;
}

enum fg_result fgi_graph_links(const struct fg_trace *trace, const struct fgi_question *question,
                               const struct fg_trace_span *span, bool is_wait,
                               const struct fgi_graph_link **out_links, uint32_t *out_count)
{
    struct links links = { 0 };
    enum fg_result result = FG_OK;
    if ((span->classes & FG_CLASS_GPU_PASS) && span->frame < trace->frames.count) {
        result = data_links(trace, question, span, is_wait, &links);
        if (result == FG_OK) {
            result = queue_link(trace, question, span, is_wait, &links);
        }
    }
    *out_links = links.items;
    *out_count = links.count;
    return result;
}
