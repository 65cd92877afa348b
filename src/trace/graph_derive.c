/* SPDX-License-Identifier: MIT */
/*
 * Dependencies that follow from frame graphs, of the whole trace. Of each topology one learns once
 * which pass hands something to which; of each frame, which spans stand for its passes.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "trace/dependencies.h"

/* Of a pass in a frame: its GPU spans. */
struct pass_rows {
    uint32_t first, count; /* into `rows` of the frame */
    uint32_t begins_first, ends_last;
    int64_t start_ns, end_ns;
};
/* A GPU span of the frame at hand. */
struct placed {
    uint32_t row, pass;
};
/* `producer` made something that `reader` reads; positions in the topology. */
struct handed {
    uint32_t producer, reader;
};

struct fgi_deriving {
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    uint32_t frame; /* next one */
    /* The topology at hand. */
    uint32_t topology; /* FG_NONE: none yet */
    struct fgi_map64 position_of;
    struct handed *handed;
    size_t handed_count, handed_capacity;
    struct pass_rows *passes;
    size_t pass_capacity;
    /* The frame at hand. */
    struct placed *placed;
    size_t placed_count, placed_capacity;
    uint32_t *rows; /* by pass, then as stored */
    size_t row_capacity;
    /* What was found: source << 32 | target. */
    uint64_t *links;
    size_t count, capacity;
};

enum fg_result fgi_deriving_create(const struct fg_allocator *allocator,
                                   const struct fg_trace *trace, struct fgi_deriving **out_deriving)
{
    struct fgi_deriving *d = fgi_calloc(allocator, 1, sizeof *d);
    if (!d) {
        return FG_ERR_NO_MEMORY;
    }
    d->allocator = allocator;
    d->trace = trace;
    d->topology = FG_NONE;
    d->position_of.allocator = allocator;
    *out_deriving = d;
    return FG_OK;
}

void fgi_deriving_destroy(struct fgi_deriving *d)
{
    if (d) {
        fgi_map64_finish(&d->position_of);
        fgi_free(d->allocator, d->handed, d->handed_capacity * sizeof *d->handed);
        fgi_free(d->allocator, d->passes, d->pass_capacity * sizeof *d->passes);
        fgi_free(d->allocator, d->placed, d->placed_capacity * sizeof *d->placed);
        fgi_free(d->allocator, d->rows, d->row_capacity * sizeof *d->rows);
        fgi_free(d->allocator, d->links, d->capacity * sizeof *d->links);
        fgi_free(d->allocator, d, sizeof *d);
    }
}

static uint32_t rows_of_frame(const struct fg_trace *trace, uint32_t frame)
{
    return trace->frame_rows[frame].end - trace->frame_rows[frame].first;
}

uint64_t fgi_deriving_rows(const struct fg_trace *trace)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; trace->frame_rows && i < trace->frames.count; i++) {
        const struct fg_topology *topology =
            fg_trace_topology(trace, trace->frames.items[i].topology);
        rows += topology && topology->pass_count > 0 ? rows_of_frame(trace, i) : 0;
    }
    return rows;
}

/* ---- topologies ------------------------------------------------------------------------------ */

static bool is_handed(const struct fgi_deriving *d, size_t first, uint32_t producer)
{
    for (size_t i = first; i < d->handed_count; i++) {
        if (d->handed[i].producer == producer) {
            return true;
        }
    }
    return false;
}

/* What a pass reads, and of whom: each of them once. */
static enum fg_result learn_pass(struct fgi_deriving *d, const struct fg_topology *topology,
                                 uint32_t reader)
{
    const struct fg_topology_pass *pass = &topology->passes[reader];
    size_t first = d->handed_count;
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < pass->read_count && result == FG_OK; i++) {
        uint32_t producer = topology->resources[pass->reads[i]].producer;
        if (producer == FG_NONE || producer == reader || is_handed(d, first, producer)) {
            continue;
        }
        result =
            FGI_GROW(d->allocator, d->handed, d->handed_capacity, d->handed_count + 1, UINT32_MAX);
        if (result == FG_OK) {
            d->handed[d->handed_count++] = (struct handed){ producer, reader };
        }
    }
    return result;
}

static enum fg_result learn_topology(struct fgi_deriving *d, const struct fg_topology *topology)
{
    fgi_map64_finish(&d->position_of);
    d->position_of = (struct fgi_map64){ .allocator = d->allocator };
    d->handed_count = 0;
    enum fg_result result =
        FGI_GROW(d->allocator, d->passes, d->pass_capacity, topology->pass_count, UINT32_MAX);
    for (uint32_t i = topology->pass_count; i-- > 0 && result == FG_OK;) { /* the first one wins */
        if (topology->passes[i].pass != FG_NONE) {
            result = fgi_map64_put(&d->position_of, topology->passes[i].pass, i);
        }
    }
    for (uint32_t i = 0; i < topology->pass_count && result == FG_OK; i++) {
        result = learn_pass(d, topology, i);
    }
    return result;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void see_span(struct pass_rows *pass, uint32_t row, int64_t start, int64_t end)
{
    if (pass->count == 0 || start < pass->start_ns) {
        pass->begins_first = row;
        pass->start_ns = start;
    }
    if (pass->count == 0 || end > pass->end_ns) {
        pass->ends_last = row;
        pass->end_ns = end;
    }
    pass->count++;
}

/* The GPU spans of the frame that belong to passes of its topology, as stored. */
static enum fg_result place_spans(struct fgi_deriving *d)
{
    struct fgi_row_range range = d->trace->frame_rows[d->frame];
    struct fgi_cursor cursor = fgi_trace_cursor(d->trace);
    enum fg_result result = FG_OK;
    for (uint32_t row = range.first; row < range.end && result == FG_OK; row++) {
        if (!fgi_cursor_at(&cursor, row)) {
            result = cursor.result;
            break;
        }
        const struct fgi_block *block = cursor.block;
        uint32_t i = row - cursor.first_row;
        uint32_t pass;
        if (!(fgi_block_classes(block, i) & FG_CLASS_GPU_PASS) ||
            fgi_block_extra(block, FGI_COLUMN_FRAME, i) != d->frame ||
            !fgi_map64_get(&d->position_of, fgi_block_extra(block, FGI_COLUMN_PASS, i), &pass)) {
            continue;
        }
        result =
            FGI_GROW(d->allocator, d->placed, d->placed_capacity, d->placed_count + 1, UINT32_MAX);
        if (result == FG_OK) {
            d->placed[d->placed_count++] = (struct placed){ row, pass };
            see_span(&d->passes[pass], row, block->start_ns[i], block->end_ns[i]);
        }
    }
    fgi_cursor_finish(&cursor);
    return result;
}

/* The same by pass. */
static enum fg_result sort_by_pass(struct fgi_deriving *d, uint32_t pass_count)
{
    enum fg_result result =
        FGI_GROW(d->allocator, d->rows, d->row_capacity, d->placed_count, UINT32_MAX);
    uint32_t first = 0;
    for (uint32_t i = 0; i < pass_count; i++) {
        d->passes[i].first = first;
        first += d->passes[i].count;
        d->passes[i].count = 0;
    }
    for (size_t i = 0; i < d->placed_count && result == FG_OK; i++) {
        struct pass_rows *pass = &d->passes[d->placed[i].pass];
        d->rows[pass->first + pass->count++] = d->placed[i].row;
    }
    return result;
}

static enum fg_result add_handed(struct fgi_deriving *d, const struct handed *handed)
{
    const struct pass_rows *from = &d->passes[handed->producer];
    const struct pass_rows *to = &d->passes[handed->reader];
    if (from->count == 0 || to->count == 0) {
        return FG_OK;
    }
    enum fg_result result = FGI_GROW(d->allocator, d->links, d->capacity,
                                     d->count + from->count + to->count, SIZE_MAX / 16);
    for (uint32_t i = 0; i < to->count && result == FG_OK; i++) {
        d->links[d->count++] = (uint64_t)from->ends_last << 32 | d->rows[to->first + i];
    }
    for (uint32_t i = 0; i < from->count && result == FG_OK; i++) {
        uint32_t row = d->rows[from->first + i];
        if (row != from->ends_last) {
            d->links[d->count++] = (uint64_t)row << 32 | to->begins_first;
        }
    }
    return result;
}

static enum fg_result add_frame(struct fgi_deriving *d, uint32_t number)
{
    const struct fg_topology *topology = fg_trace_topology(d->trace, number);
    enum fg_result result = FG_OK;
    if (number != d->topology) {
        result = learn_topology(d, topology);
        d->topology = result == FG_OK ? number : FG_NONE;
    }
    d->placed_count = 0;
    for (uint32_t i = 0; i < topology->pass_count && result == FG_OK; i++) {
        d->passes[i] = (struct pass_rows){ 0 };
    }
    if (result == FG_OK) {
        result = place_spans(d);
    }
    if (result == FG_OK && d->placed_count > 0) {
        result = sort_by_pass(d, topology->pass_count);
        for (size_t i = 0; i < d->handed_count && result == FG_OK; i++) {
            result = add_handed(d, &d->handed[i]);
        }
    }
    return result;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Keys in order. What there is has mostly few runs: frames follow each other. */
static enum fg_result sort_links(struct fgi_deriving *d)
{
    enum { DIGIT = 8, DIGITS = 1 << DIGIT };
    bool is_sorted = true;
    uint64_t differ = 0;
    for (size_t i = 1; i < d->count; i++) {
        is_sorted &= d->links[i - 1] <= d->links[i];
        differ |= d->links[i - 1] ^ d->links[i];
    }
    if (is_sorted) {
        return FG_OK;
    }
    uint64_t *spare = fgi_malloc(d->allocator, d->capacity * sizeof *spare);
    if (!spare) {
        return FG_ERR_NO_MEMORY;
    }
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        size_t next[DIGITS] = { 0 };
        if ((differ >> shift & (DIGITS - 1)) == 0) {
            continue;
        }
        for (size_t i = 0; i < d->count; i++) {
            next[d->links[i] >> shift & (DIGITS - 1)]++;
        }
        for (size_t k = 0, sum = 0; k < DIGITS; k++) {
            size_t count = next[k];
            next[k] = sum;
            sum += count;
        }
        for (size_t i = 0; i < d->count; i++) {
            spare[next[d->links[i] >> shift & (DIGITS - 1)]++] = d->links[i];
        }
        uint64_t *swap = d->links;
        d->links = spare;
        spare = swap;
    }
    fgi_free(d->allocator, spare, d->capacity * sizeof *spare);
    return FG_OK;
}

static bool is_recorded(const struct fgi_graph *graph, uint32_t source, uint32_t target)
{
    struct fgi_link_ranges out = fgi_graph_out(graph, source);
    uint32_t link;
    while (fgi_link_ranges_next(&out, &link)) {
        uint32_t family = fgi_graph_family(graph, link);
        if (fgi_graph_target(graph, link) == target &&
            (family == FG_DEPENDENCY_DATA || family == FG_DEPENDENCY_GRAPH)) {
            return true;
        }
    }
    return false;
}

/* Each once, and not what was recorded. */
static void drop_known(struct fgi_deriving *d)
{
    struct fgi_graph graph = fgi_graph_of(d->trace, NULL);
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++) {
        uint64_t link = d->links[i];
        if ((kept > 0 && d->links[kept - 1] == link) ||
            (graph.count > 0 && is_recorded(&graph, (uint32_t)(link >> 32), (uint32_t)link))) {
            continue;
        }
        d->links[kept++] = link;
    }
    d->count = kept;
}

/* All of them are of one kind, for which no bits are needed. */
static enum fg_result make_kind(const struct fg_allocator *allocator, struct fgi_links *links)
{
    links->kinds = fgi_calloc(allocator, sizeof(uint64_t), 1);
    links->kind_bytes = links->kinds ? sizeof(uint64_t) : 0;
    enum fg_result result =
        links->kinds ? FGI_GROW(allocator, links->kind_list.items, links->kind_list.capacity, 1, 1)
                     : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        links->kind_list.items[links->kind_list.count++] =
            (struct fgi_link_kind){ FG_DEPENDENCY_GRAPH, FG_DEPENDENCY_DERIVED };
    }
    return result;
}

static enum fg_result make_links(struct fgi_deriving *d, struct fgi_links *out_links)
{
    const struct fg_allocator *allocator = d->allocator;
    enum fg_result result = sort_links(d);
    if (result != FG_OK) {
        return result;
    }
    drop_known(d);
    if (d->count >= FG_NONE - fgi_link_count(d->trace)) {
        return FG_ERR_LIMIT;
    }
    struct fgi_links links = { .count = (uint32_t)d->count };
    if (d->count > 0) {
        size_t bytes = d->count * sizeof(uint32_t);
        uint32_t *sources = fgi_malloc(allocator, bytes);
        links.targets = fgi_malloc(allocator, bytes);
        result = sources && links.targets ? make_kind(allocator, &links) : FG_ERR_NO_MEMORY;
        for (size_t i = 0; i < d->count && result == FG_OK; i++) {
            sources[i] = (uint32_t)(d->links[i] >> 32);
            links.targets[i] = (uint32_t)d->links[i];
        }
        if (result == FG_OK) {
            result = fgi_links_order(allocator, &links, sources, fgi_trace_rows(d->trace));
        }
        fgi_free(allocator, sources, bytes);
    }
    if (result != FG_OK) {
        fgi_links_finish(allocator, &links);
        return result;
    }
    *out_links = links;
    return FG_OK;
}

enum fg_result fgi_deriving_step(struct fgi_deriving *d, const struct fgi_question *question,
                                 uint64_t max_rows, uint64_t *done, bool *is_over,
                                 struct fgi_links *out_links)
{
    const struct fg_trace *trace = d->trace;
    uint32_t frames = trace->frame_rows ? (uint32_t)trace->frames.count : 0;
    uint64_t rows = 0;
    *is_over = false;
    for (; d->frame < frames; d->frame++) {
        uint32_t number = trace->frames.items[d->frame].topology;
        const struct fg_topology *topology = fg_trace_topology(trace, number);
        if (!topology || topology->pass_count == 0) {
            continue;
        }
        if (rows > 0 && rows + rows_of_frame(trace, d->frame) > max_rows) {
            break;
        }
        enum fg_result result =
            fgi_question_cancelled(question) ? FG_ERR_CANCELLED : add_frame(d, number);
        if (result != FG_OK) {
            return result;
        }
        rows += rows_of_frame(trace, d->frame);
    }
    *done += rows;
    question->visits->spans += rows;
    *is_over = d->frame == frames;
    return *is_over ? make_links(d, out_links) : FG_OK;
}
