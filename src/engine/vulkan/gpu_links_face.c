/* SPDX-License-Identifier: MIT */
/* The public lists of dependencies by row, and what is reached along them. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_reach.h"
#include "trace/dependencies.h"
#include <frameglass/gpu_trace_links.h>

#include <string.h>

/* Dependencies of one piece of an upload, and of the smallest one. */
enum { PIECE_LINKS = 65536, LEAST_LINKS = 256 };
/* Source, target, family. */
#define BYTES_OF_LINK UINT64_C(12)

struct fg_gpu_links {
    struct fgi_gpu_links links;
    struct fgi_graph graph;
    uint32_t uploaded;
    bool is_building;
};

/* ---- lists by row ---------------------------------------------------------------------------- */

enum fg_result fg_gpu_links_create(struct fg_gpu_trace *gpu, struct fg_gpu_links **out_links)
{
    if (!gpu || !out_links) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_links *links = fgi_calloc(gpu->allocator, 1, sizeof *links);
    if (!links) {
        return FG_ERR_NO_MEMORY;
    }
    links->graph = fgi_graph_of(gpu->trace, NULL);
    const enum fg_result result = fgi_gpu_links_take(gpu, links->graph.count, &links->links);
    if (result != FG_OK) {
        fg_gpu_links_destroy(links);
        return result;
    }
    *out_links = links;
    return FG_OK;
}

void fg_gpu_links_destroy(struct fg_gpu_links *links)
{
    if (links) {
        const struct fg_allocator *allocator = links->links.gpu->allocator;
        fgi_gpu_links_end(&links->links);
        fgi_free(allocator, links, sizeof *links);
    }
}

/** Copies of rows [first, first + count) of a column, which the host's words follow one another. */
static enum fg_result add_copies(const struct fg_compute_sink *sink,
                                 const struct fgi_gpu_column *column, uint32_t first,
                                 uint32_t count, struct fg_compute_view source)
{
    const uint32_t chunk_rows = UINT32_C(1) << column->shift;
    enum fg_result result = FG_OK;
    for (uint32_t at = 0; at < count && result == FG_OK;) {
        const uint32_t in_chunk = (first + at) & (chunk_rows - 1);
        const uint32_t room = chunk_rows - in_chunk;
        const uint32_t n = room < count - at ? room : count - at;
        result = fg_compute_sink_add(
            sink, FG_COMPUTE_NODE(.name = "upload", .kind = FG_COMPUTE_COPY,
                                  .source = fg_compute_view_part(source, at * UINT64_C(4),
                                                                 n * UINT64_C(4)),
                                  .target = fg_compute_view_part(
                                      column->chunks[(first + at) >> column->shift],
                                      in_chunk * UINT64_C(4), n * UINT64_C(4))));
        at += n;
    }
    return result;
}

/** Sources, targets and families of one piece. */
static enum fg_result upload_piece(struct fg_gpu_links *links, const struct fg_compute_sink *sink,
                                   struct fg_compute_ring *ring, uint64_t serial)
{
    const struct fgi_graph *graph = &links->graph;
    const uint32_t first = links->uploaded;
    const uint32_t left = graph->count - first;
    uint32_t count = left < PIECE_LINKS ? left : PIECE_LINKS;
    struct fg_compute_memory memory;
    enum fg_result result = fg_compute_ring_take(ring, count * BYTES_OF_LINK, serial, &memory);
    while (result == FG_ERR_LIMIT && count > LEAST_LINKS) { /* a small ring: a smaller piece */
        count /= 2;
        result = fg_compute_ring_take(ring, count * BYTES_OF_LINK, serial, &memory);
    }
    if (result != FG_OK) {
        return result;
    }
    const uint64_t bytes = count * sizeof(uint32_t);
    uint32_t *words = memory.host;
    for (uint32_t i = 0; i < count; i++) {
        words[i] = fgi_graph_source(graph, first + i);
        words[count + i] = fgi_graph_target(graph, first + i);
        words[2 * count + i] = FG_FAMILY(fgi_graph_family(graph, first + i));
    }
    const struct fgi_gpu_column *columns[] = { &links->links.making.sources.column,
                                               &links->links.making.targets.column,
                                               &links->links.families.column };
    for (unsigned i = 0; i < 3 && result == FG_OK; i++) {
        result = add_copies(sink, columns[i], first, count,
                            fg_compute_view_part(memory.view, i * bytes, bytes));
    }
    links->uploaded += result == FG_OK ? count : 0;
    return result;
}

enum fg_result fg_gpu_links_upload(struct fg_gpu_links *links, const struct fg_compute_sink *sink,
                                   struct fg_compute_ring *ring, uint64_t serial,
                                   uint64_t max_bytes)
{
    const uint32_t before = links->uploaded;
    enum fg_result result = links->is_building ? FG_ERR_STATE : FG_OK;
    if (result == FG_OK && links->uploaded == links->graph.count) {
        return FG_ERR_NOT_FOUND;
    }
    while (result == FG_OK && links->uploaded < links->graph.count) {
        const uint64_t bytes = (links->uploaded - before) * BYTES_OF_LINK;
        if (bytes > 0 && max_bytes != 0 && bytes + PIECE_LINKS * BYTES_OF_LINK > max_bytes) {
            break;
        }
        result = upload_piece(links, sink, ring, serial);
    }
    /* What comes in the way of the next piece is none of this call's, if it added some. */
    return result == FG_ERR_BUSY && links->uploaded > before ? FG_OK : result;
}

enum fg_result fg_gpu_links_build(struct fg_gpu_links *links, const struct fg_compute_sink *sink)
{
    if (links->uploaded < links->graph.count || links->is_building) {
        return FG_ERR_STATE;
    }
    const enum fg_result result = fgi_gpu_links_make(&links->links, sink);
    links->is_building = result == FG_OK;
    return result;
}

void fg_gpu_links_built(struct fg_gpu_links *links)
{
    if (links->is_building) {
        fgi_gpu_links_made(&links->links);
    }
}

uint32_t fg_gpu_links_count(const struct fg_gpu_links *links)
{
    return links->links.count;
}

static const struct fgi_gpu_column *links_column(const struct fg_gpu_links *links,
                                                 enum fg_gpu_links_column column)
{
    const struct fgi_gpu_column_memory *columns[] = {
        [FG_GPU_LINKS_OUT_FIRST] = &links->links.out.offsets,
        [FG_GPU_LINKS_OUT] = &links->links.out.links,
        [FG_GPU_LINKS_OUT_ROWS] = &links->links.out.others,
        [FG_GPU_LINKS_IN_FIRST] = &links->links.in.offsets,
        [FG_GPU_LINKS_IN] = &links->links.in.links,
        [FG_GPU_LINKS_IN_ROWS] = &links->links.in.others,
        [FG_GPU_LINKS_FAMILIES] = &links->links.families,
    };
    return &columns[column]->column;
}
uint32_t fg_gpu_links_chunk_count(const struct fg_gpu_links *links, enum fg_gpu_links_column column)
{
    return links_column(links, column)->chunk_count;
}
struct fg_compute_view fg_gpu_links_chunk(const struct fg_gpu_links *links,
                                          enum fg_gpu_links_column column, uint32_t chunk)
{
    return links_column(links, column)->chunks[chunk];
}

const struct fgi_gpu_links *fgi_gpu_links_inside(const struct fg_gpu_links *links)
{
    return &links->links;
}

/* ---- focus ----------------------------------------------------------------------------------- */

struct fg_gpu_focus {
    struct fg_gpu_links *links;
    struct fgi_gpu_reach reach;
    struct fg_compute_memory seeds; /**< control memory */
    uint32_t seed_rows[FG_GPU_FOCUS_SEEDS];
};

enum fg_result fg_gpu_focus_create(struct fg_gpu_links *links, struct fg_gpu_focus **out_focus)
{
    if (!links || !out_focus) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_gpu_trace *gpu = links->links.gpu;
    struct fg_gpu_focus *focus = fgi_calloc(gpu->allocator, 1, sizeof *focus);
    if (!focus) {
        return FG_ERR_NO_MEMORY;
    }
    focus->links = links;
    enum fg_result result = fgi_gpu_reach_take(&links->links, &focus->reach);
    if (result == FG_OK) {
        result = fg_compute_memory_take(gpu->compute, FG_COMPUTE_CONTROL, sizeof focus->seed_rows,
                                        &focus->seeds);
    }
    if (result == FG_OK) {
        result = fg_gpu_focus_ask(focus, &(const struct fg_focus_request){ .seed_count = 0 });
    }
    if (result != FG_OK) {
        fg_gpu_focus_destroy(focus);
        return result;
    }
    *out_focus = focus;
    return FG_OK;
}

void fg_gpu_focus_destroy(struct fg_gpu_focus *focus)
{
    if (focus) {
        struct fg_gpu_trace *gpu = focus->links->links.gpu;
        fgi_gpu_reach_end(&focus->reach);
        fgi_gpu_memory_end(gpu->compute, &focus->seeds);
        fgi_free(gpu->allocator, focus, sizeof *focus);
    }
}

/** Seeds that are rows, each once, in their order. */
static enum fg_result keep_seeds(struct fg_gpu_focus *focus, const struct fg_focus_request *request,
                                 uint32_t *out_count)
{
    const struct fg_gpu_trace *gpu = focus->links->links.gpu;
    const size_t words = (size_t)gpu->counts.rows / 64 + 1;
    uint64_t *seen = fgi_calloc(gpu->allocator, words, sizeof *seen);
    *out_count = 0;
    if (!seen) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < request->seed_count; i++) {
        const uint32_t row = request->seeds[i];
        const uint64_t bit = UINT64_C(1) << (row % 64);
        if (row < gpu->counts.rows && !(seen[row / 64] & bit)) {
            seen[row / 64] |= bit;
            focus->seed_rows[(*out_count)++] = row;
        }
    }
    fgi_free(gpu->allocator, seen, words * sizeof *seen);
    return FG_OK;
}

enum fg_result fg_gpu_focus_ask(struct fg_gpu_focus *focus, const struct fg_focus_request *request)
{
    if (request->direction > FG_LINKS_BOTH || (request->seed_count > 0 && !request->seeds)) {
        return FG_ERR_ARGUMENT;
    }
    if (request->seed_count > FG_GPU_FOCUS_SEEDS) {
        return FG_ERR_LIMIT;
    }
    const struct fgi_gpu_links *links = &focus->links->links;
    uint32_t count = 0;
    const enum fg_result result = keep_seeds(focus, request, &count);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_gpu_reach_words words = {
        .wanted = request->families ? request->families : UINT32_MAX,
        .directions = request->direction == FG_LINKS_OUT  ? FGI_GPU_REACH_OUT
                      : request->direction == FG_LINKS_IN ? FGI_GPU_REACH_IN
                                                          : FGI_GPU_REACH_OUT | FGI_GPU_REACH_IN,
        .capacity = request->capacity ? request->capacity
                                      : fg_focus_capacity(links->gpu->counts.rows, links->count),
        .max_hops = request->hops,
        .max_rows = UINT32_MAX,
        .seed_count = count,
        .alone_rows = FGI_GPU_REACH_ALONE,
        .alone_edges = 4 * FGI_GPU_REACH_ALONE,
    };
    fg_compute_write(links->gpu->compute, &focus->seeds, 0, focus->seed_rows,
                     count * sizeof *focus->seed_rows);
    fgi_gpu_reach_write(&focus->reach, &words);
    return FG_OK;
}

enum fg_result fg_gpu_focus_begin(const struct fg_gpu_focus *focus,
                                  const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_column *rows = &focus->reach.rows.column;
    const uint64_t room = fgi_gpu_column_rows(rows);
    const uint32_t most = room < FG_GPU_FOCUS_SEEDS ? (uint32_t)room : FG_GPU_FOCUS_SEEDS;
    const enum fg_result result = add_copies(sink, rows, 0, most, focus->seeds.view);
    return result == FG_OK ? fgi_gpu_reach_begin(&focus->reach, sink) : result;
}

enum fg_result fg_gpu_focus_hops(const struct fg_gpu_focus *focus,
                                 const struct fg_compute_sink *sink)
{
    return fgi_gpu_reach_go_on(&focus->reach, sink);
}

struct fg_compute_view fg_gpu_focus_get_state(const struct fg_gpu_focus *focus)
{
    return fg_compute_view_part(focus->reach.state.view, 0, sizeof(struct fg_gpu_focus_state));
}

static const struct fgi_gpu_column *focus_column(const struct fg_gpu_focus *focus,
                                                 enum fg_gpu_focus_column column)
{
    return column == FG_GPU_FOCUS_MASK   ? &focus->reach.mask.column
           : column == FG_GPU_FOCUS_ROWS ? &focus->reach.rows.column
                                         : &focus->reach.via.column;
}
uint32_t fg_gpu_focus_chunk_count(const struct fg_gpu_focus *focus, enum fg_gpu_focus_column column)
{
    return focus_column(focus, column)->chunk_count;
}
struct fg_compute_view fg_gpu_focus_chunk(const struct fg_gpu_focus *focus,
                                          enum fg_gpu_focus_column column, uint32_t chunk)
{
    return focus_column(focus, column)->chunks[chunk];
}
