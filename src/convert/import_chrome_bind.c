/* SPDX-License-Identifier: MIT */
/*
 * Which slice a flow binds to: s, t, and f with bp "e" to the innermost that holds its time, ends
 * included, in whole nanoseconds; any other f to the next one that begins. Only threads that have
 * flows are looked at.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

struct slice {
    int64_t start, end;
    uint32_t row;
};
struct binding {
    struct fgi_chrome *c;
    uint32_t *first; /* by thread: where its slices are; those of all threads lie together */
    uint32_t *count; /* by thread: how many have been gathered */
    uint32_t *thread_of_track;
    struct slice *slices;
    uint32_t *order; /* of slices: by start, the longer first, then row */
    uint32_t *flows; /* by thread, then time, then in the order of the file */
    uint32_t *stack;
    size_t slice_count, flow_count;
};

static bool slice_before(void *context, uint32_t a, uint32_t b)
{
    const struct slice *slices = context;
    if (slices[a].start != slices[b].start) {
        return slices[a].start < slices[b].start;
    }
    return slices[a].end > slices[b].end;
}

static bool flow_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_chrome_flow *flows = context;
    return flows[a].thread != flows[b].thread ? flows[a].thread < flows[b].thread
                                              : flows[a].ns < flows[b].ns;
}

/* Room for the slices of every thread that has flows. */
static void count_slices(struct binding *b)
{
    struct fgi_chrome *c = b->c;
    const struct fg_trace *trace = fgi_builder_trace(c->builder);
    for (size_t i = 0; i < trace->tracks.count; i++) {
        b->thread_of_track[i] = FG_NONE;
    }
    for (size_t i = 0; i < c->flows.count; i++) {
        uint32_t thread = c->flows.items[i].thread;
        if (thread == FG_NONE) {
            continue;
        }
        b->flows[b->flow_count++] = (uint32_t)i;
        uint32_t track = c->threads.items[thread].track;
        if (track != FG_NONE && b->thread_of_track[track] == FG_NONE) {
            b->thread_of_track[track] = thread;
            b->first[thread] = (uint32_t)b->slice_count;
            b->slice_count += trace->tracks.items[track].span_count;
        }
    }
}

static void gather_slices(struct binding *b)
{
    struct fgi_chrome *c = b->c;
    struct fgi_amend rows = fgi_amend_begin(c->builder);
    uint32_t count = fgi_builder_rows(c->builder);
    for (uint32_t row = 0; row < count && fgi_amend_row(&rows, row); row++) {
        uint32_t thread = b->thread_of_track[rows.block->lane[rows.at]];
        if (thread == FG_NONE) {
            continue;
        }
        uint32_t at = b->first[thread] + b->count[thread]++;
        bool is_open = fgi_is_unfinished(fgi_block_status(rows.block, rows.at));
        b->slices[at] = (struct slice){
            .start = rows.block->start_ns[rows.at],
            .end = is_open ? INT64_MAX : rows.block->end_ns[rows.at],
            .row = row,
        };
        b->order[at] = at;
    }
    fgi_amend_finish(&rows);
}

/* The first slice of the order that begins at `ns` or later. */
static size_t first_from(const struct binding *b, const uint32_t *order, size_t count, int64_t ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->slices[order[middle]].start < ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* All flows of one thread, in the order of time. */
static void bind_thread(struct binding *b, const uint32_t *flows, size_t flow_count)
{
    struct fgi_chrome_flow *all = b->c->flows.items;
    uint32_t thread = all[flows[0]].thread;
    const uint32_t *order = b->order + b->first[thread];
    size_t count = b->count[thread];
    size_t open = 0, next = 0;
    for (size_t i = 0; i < flow_count; i++) {
        struct fgi_chrome_flow *flow = &all[flows[i]];
        if (flow->bits & FGI_CHROME_FLOW_NEXT) {
            size_t found = first_from(b, order, count, flow->ns);
            flow->row = found < count ? b->slices[order[found]].row : FG_NONE;
            continue;
        }
        while (next < count && b->slices[order[next]].start <= flow->ns) {
            b->stack[open++] = order[next++];
        }
        while (open > 0 && b->slices[b->stack[open - 1]].end < flow->ns) {
            open--;
        }
        flow->row = open > 0 ? b->slices[b->stack[open - 1]].row : FG_NONE;
    }
}

static void bind_all(struct binding *b)
{
    struct fgi_chrome *c = b->c;
    const struct fgi_chrome_flow *flows = c->flows.items;
    enum fg_result result =
        fgi_sort_u32(c->allocator, b->flows, b->flow_count, flow_before, c->flows.items);
    for (size_t first = 0, end; result == FG_OK && first < b->flow_count; first = end) {
        uint32_t thread = flows[b->flows[first]].thread;
        for (end = first + 1; end < b->flow_count && flows[b->flows[end]].thread == thread; end++) {
        }
        result = fgi_sort_u32(c->allocator, b->order + b->first[thread], b->count[thread],
                              slice_before, b->slices);
        if (result == FG_OK) {
            bind_thread(b, b->flows + first, end - first);
        }
    }
    fgi_builder_fail(c->builder, result);
}

void fgi_chrome_bind_flows(struct fgi_chrome *c)
{
    struct binding b = { .c = c };
    size_t threads = c->threads.count + 1;
    size_t tracks = fgi_builder_trace(c->builder)->tracks.count + 1;
    b.first = fgi_calloc(c->allocator, threads, sizeof *b.first);
    b.count = fgi_calloc(c->allocator, threads, sizeof *b.count);
    b.thread_of_track = fgi_calloc(c->allocator, tracks, sizeof *b.thread_of_track);
    b.flows = fgi_calloc(c->allocator, c->flows.count, sizeof *b.flows);
    bool done = b.first && b.count && b.thread_of_track && b.flows;
    if (done) {
        count_slices(&b);
        b.slices = fgi_calloc(c->allocator, b.slice_count + 1, sizeof *b.slices);
        b.order = fgi_calloc(c->allocator, b.slice_count + 1, sizeof *b.order);
        b.stack = fgi_calloc(c->allocator, b.slice_count + 1, sizeof *b.stack);
        done = b.slices && b.order && b.stack;
    }
    if (done) {
        gather_slices(&b);
        bind_all(&b);
    } else {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
    }
    fgi_free(c->allocator, b.first, threads * sizeof *b.first);
    fgi_free(c->allocator, b.count, threads * sizeof *b.count);
    fgi_free(c->allocator, b.thread_of_track, tracks * sizeof *b.thread_of_track);
    fgi_free(c->allocator, b.flows, c->flows.count * sizeof *b.flows);
    fgi_free(c->allocator, b.slices, (b.slice_count + 1) * sizeof *b.slices);
    fgi_free(c->allocator, b.order, (b.slice_count + 1) * sizeof *b.order);
    fgi_free(c->allocator, b.stack, (b.slice_count + 1) * sizeof *b.stack);
}
