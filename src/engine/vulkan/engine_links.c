/* SPDX-License-Identifier: MIT */
/* Dependencies: derived ones by the host, lists by row by the device; what goes there and back. */
#include "engine/vulkan/engine_links.h"

#include "base/alloc.h"
#include "trace/links_rules.h"
#include <string.h>

/* Of one piece that goes to the device. */
#define PIECE_BYTES (UINT64_C(4) << 20)

enum fg_result fgi_gpu_linked_of(struct fgi_engine_vulkan *vulkan,
                                 struct fgi_gpu_linked **out_linked)
{
    if (!vulkan->links) {
        vulkan->links = fgi_calloc(vulkan->allocator, 1, sizeof *vulkan->links);
    }
    *out_linked = vulkan->links;
    return vulkan->links ? FG_OK : FG_ERR_NO_MEMORY;
}

void fgi_gpu_linked_drop(struct fgi_gpu_linked *linked)
{
    fg_compute_graph_destroy(linked->begin);
    fg_compute_graph_destroy(linked->go_on);
    linked->begin = linked->go_on = NULL;
    fgi_gpu_reach_end(&linked->reach);
    fgi_gpu_links_end(&linked->links);
}

void fgi_gpu_linked_end(struct fgi_engine_vulkan *vulkan)
{
    struct fgi_gpu_linked *linked = vulkan->links;
    if (!linked) {
        return;
    }
    fgi_gpu_linked_drop(linked);
    fg_compute_graph_destroy(linked->sends);
    fgi_gpu_memory_end(vulkan->runner.compute, &linked->upload);
    fgi_deriving_destroy(linked->deriving);
    fgi_links_finish(vulkan->allocator, &linked->derived);
    fgi_free(vulkan->allocator, linked, sizeof *linked);
    vulkan->links = NULL;
}

/* ---- derived ones ---------------------------------------------------------------------------- */

static bool is_needed(const struct fgi_engine_vulkan *vulkan, uint32_t families)
{
    return fgi_families_are_derived(families) && !(vulkan->links && vulkan->links->is_derived);
}

uint64_t fgi_gpu_derived_rows(const struct fgi_engine_vulkan *vulkan, uint32_t families)
{
    return is_needed(vulkan, families) ? fgi_deriving_rows(vulkan->engine.trace) : 0;
}

enum fg_result fgi_gpu_derive(struct fgi_engine_vulkan *vulkan, const struct fgi_question *question,
                              uint32_t families, uint64_t max_rows, uint64_t *done, bool *is_over)
{
    struct fgi_gpu_linked *linked = NULL;
    *is_over = !is_needed(vulkan, families);
    if (*is_over) {
        return FG_OK;
    }
    enum fg_result result = fgi_gpu_linked_of(vulkan, &linked);
    if (result == FG_OK && !linked->deriving) {
        result = fgi_deriving_create(vulkan->allocator, vulkan->engine.trace, &linked->deriving);
    }
    if (result != FG_OK) {
        return result;
    }
    result =
        fgi_deriving_step(linked->deriving, question, max_rows, done, is_over, &linked->derived);
    /* What has failed is begun anew by the next one: what it holds may not be whole. */
    if (*is_over || (result != FG_OK && result != FG_ERR_CANCELLED)) {
        fgi_deriving_destroy(linked->deriving);
        linked->deriving = NULL;
        linked->is_derived = result == FG_OK;
    }
    return result;
}

struct fgi_graph fgi_gpu_graph(const struct fgi_engine_vulkan *vulkan, uint32_t families)
{
    const struct fgi_gpu_linked *linked = vulkan->links;
    return fgi_graph_of(vulkan->engine.trace,
                        linked && linked->is_derived && fgi_families_are_derived(families)
                            ? &linked->derived
                            : NULL);
}

enum fg_result fgi_gpu_host_derive(struct fgi_engine_vulkan *vulkan,
                                   const struct fgi_question *question)
{
    struct fg_engine *host = NULL;
    struct fg_visits uncounted = { 0 };
    struct fgi_question alone = *question;
    struct fg_trace_dependency none;
    if (!vulkan->links || !vulkan->links->is_derived) {
        return FG_OK;
    }
    enum fg_result result = fgi_gpu_host(vulkan, &host);
    if (result == FG_OK) {
        alone.visits = &uncounted;
        result = host->ops->dependency(host, &alone, UINT32_MAX, &none); /* there is no such one */
    }
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

bool fgi_gpu_links_fit(const struct fgi_engine_vulkan *vulkan)
{
    const struct fgi_graph graph = fgi_gpu_graph(vulkan, UINT32_MAX);
    return graph.count <= FGI_GPU_LINKS_MAX &&
           fgi_trace_rows(vulkan->engine.trace) < FGI_GPU_COLUMN_MAX_ROWS;
}

enum fg_result fgi_vulkan_dependency(struct fg_engine *engine, const struct fgi_question *question,
                                     uint32_t link, struct fg_trace_dependency *out_dependency)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    if (!fgi_gpu_ready(vulkan)) {
        return fgi_host_dependency(engine, question, link, out_dependency);
    }
    const uint32_t families = link < fgi_link_count(engine->trace) ? 0 : UINT32_MAX;
    enum fg_result result = FG_OK;
    for (bool is_over = false; result == FG_OK && !is_over;) {
        uint64_t done = 0;
        result = fgi_gpu_derive(vulkan, question, families, UINT64_MAX, &done, &is_over);
    }
    if (result == FG_OK) {
        const struct fgi_graph graph = fgi_gpu_graph(vulkan, families);
        result = fgi_graph_dependency(&graph, link, out_dependency) ? FG_OK : FG_ERR_NOT_FOUND;
    }
    vulkan->own_questions += result == FG_OK;
    return result;
}

/* What stands for one dependency on the device: both ways, and its family. */
enum { DEVICE_BYTES = 5 * sizeof(uint32_t) };

uint64_t fgi_vulkan_links_bytes(const struct fg_engine *engine)
{
    const struct fgi_gpu_linked *linked = ((const struct fgi_engine_vulkan *)engine)->links;
    uint64_t bytes = fgi_host_links_bytes(engine);
    if (linked) {
        bytes += fgi_links_bytes(&linked->derived) + (uint64_t)linked->links.count * DEVICE_BYTES;
    }
    return bytes;
}

/* ---- to the device and back ------------------------------------------------------------------ */

void fgi_gpu_fill_words(const void *context, uint64_t first, uint32_t count, void *out_rows)
{
    memcpy(out_rows, (const uint32_t *)context + first, count * sizeof(uint32_t));
}

static enum fg_result prepare_sends(struct fgi_engine_vulkan *vulkan,
                                    struct fgi_gpu_linked **out_linked)
{
    struct fg_compute *compute = vulkan->runner.compute;
    const uint64_t block_bytes = fg_compute_get_facts(compute)->block_bytes;
    enum fg_result result = fgi_gpu_linked_of(vulkan, out_linked);
    if (result == FG_OK && !(*out_linked)->sends) {
        result = fg_compute_graph_create(compute, NULL, &(*out_linked)->sends);
    }
    if (result == FG_OK && (*out_linked)->upload.view.size_bytes == 0) {
        result = fg_compute_memory_take(compute, FG_COMPUTE_UPLOAD,
                                        PIECE_BYTES < block_bytes ? PIECE_BYTES : block_bytes,
                                        &(*out_linked)->upload);
    }
    return result;
}

enum fg_result fgi_gpu_send(struct fgi_engine_vulkan *vulkan, const struct fgi_gpu_sending *sending)
{
    const struct fgi_gpu_column *column = sending->column;
    struct fgi_gpu_linked *linked = NULL;
    enum fg_result result = prepare_sends(vulkan, &linked);
    for (uint64_t first = 0; first < sending->rows && result == FG_OK;) {
        const uint64_t in_chunk = first & ((UINT64_C(1) << column->shift) - 1);
        const uint64_t most = linked->upload.view.size_bytes / column->row_bytes;
        uint64_t count = (UINT64_C(1) << column->shift) - in_chunk;
        count = count < most ? count : most;
        count = count < sending->rows - first ? count : sending->rows - first;
        const uint64_t bytes = count * column->row_bytes;
        sending->fill(sending->context, first, (uint32_t)count, linked->upload.host);
        fg_compute_graph_clear(linked->sends);
        result = fg_compute_graph_add(
            linked->sends,
            FG_COMPUTE_NODE(.name = "upload", .kind = FG_COMPUTE_COPY,
                            .source = fg_compute_view_part(linked->upload.view, 0, bytes),
                            .target = fg_compute_view_part(column->chunks[first >> column->shift],
                                                           in_chunk * column->row_bytes, bytes)));
        if (result == FG_OK) {
            result = fgi_gpu_run(vulkan, linked->sends, NULL, 0, sending->what);
        }
        first += count;
    }
    return result == FG_OK ? FG_OK : fgi_gpu_fall_back(vulkan, result, sending->what);
}

enum fg_result fgi_gpu_fetch(struct fgi_engine_vulkan *vulkan, const struct fgi_question *question,
                             const struct fgi_gpu_column *column, uint32_t words, void *out_words,
                             const char *what)
{
    struct fgi_gpu_read *reads =
        fgi_arena_alloc(question->arena, (size_t)column->chunk_count + 1, sizeof *reads);
    uint64_t left = (uint64_t)words * sizeof(uint32_t);
    char *into = out_words;
    uint32_t count = 0;
    if (!reads) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < column->chunk_count && left > 0; i++) {
        const uint64_t there = column->chunks[i].size_bytes;
        const uint64_t size = left < there ? left : there;
        reads[count++] =
            (struct fgi_gpu_read){ fg_compute_view_part(column->chunks[i], 0, size), into };
        into += size;
        left -= size;
    }
    return fgi_gpu_run(vulkan, NULL, reads, count, what);
}

struct fg_compute_view fgi_gpu_row_view(const struct fgi_gpu_column *column, uint32_t row)
{
    const uint32_t in_chunk = row & ((UINT32_C(1) << column->shift) - 1);
    return fg_compute_view_part(column->chunks[row >> column->shift],
                                (uint64_t)in_chunk * column->row_bytes, column->row_bytes);
}

enum fg_result fgi_gpu_fetch_rows(struct fgi_engine_vulkan *vulkan,
                                  const struct fgi_question *question,
                                  const struct fgi_gpu_column *column, const char *what,
                                  const void **out_rows)
{
    const uint32_t rows = fgi_trace_rows(vulkan->engine.trace);
    void *all = fgi_arena_alloc(question->arena, (size_t)rows + 1, column->row_bytes);
    *out_rows = all;
    return all ? fgi_gpu_fetch(vulkan, question, column,
                               rows * (column->row_bytes / (uint32_t)sizeof(uint32_t)), all, what)
               : FG_ERR_NO_MEMORY;
}

/* ---- lists by row ---------------------------------------------------------------------------- */

static void fill_sources(const void *context, uint64_t first, uint32_t count, void *out_rows)
{
    const struct fgi_graph *graph = context;
    uint32_t *rows = out_rows;
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = fgi_graph_source(graph, (uint32_t)first + i);
    }
}
static void fill_targets(const void *context, uint64_t first, uint32_t count, void *out_rows)
{
    const struct fgi_graph *graph = context;
    uint32_t *rows = out_rows;
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = fgi_graph_target(graph, (uint32_t)first + i);
    }
}
static void fill_families(const void *context, uint64_t first, uint32_t count, void *out_rows)
{
    const struct fgi_graph *graph = context;
    uint32_t *bits = out_rows;
    for (uint32_t i = 0; i < count; i++) {
        bits[i] = FG_FAMILY(fgi_graph_family(graph, (uint32_t)first + i));
    }
}

static enum fg_result send_links(struct fgi_engine_vulkan *vulkan,
                                 const struct fgi_gpu_links *links, const struct fgi_graph *graph)
{
    const struct fgi_gpu_sending sendings[] = {
        { &links->making.sources.column, graph->count, fill_sources, graph, "dependencies" },
        { &links->making.targets.column, graph->count, fill_targets, graph, "dependencies" },
        { &links->families.column, graph->count, fill_families, graph, "dependencies" },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof sendings / sizeof *sendings && result == FG_OK; i++) {
        result = fgi_gpu_send(vulkan, &sendings[i]);
    }
    return result;
}

static enum fg_result make_links(struct fgi_engine_vulkan *vulkan, struct fg_gpu_trace *gpu,
                                 const struct fgi_graph *graph, struct fgi_gpu_links *links)
{
    struct fg_compute_graph *making = NULL;
    enum fg_result result = fgi_gpu_links_take(gpu, graph->count, links);
    result = result == FG_OK ? send_links(vulkan, links, graph) : result;
    if (result == FG_OK) {
        result = fg_compute_graph_create(vulkan->runner.compute, NULL, &making);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(making);
        result = fgi_gpu_links_make(links, &sink);
    }
    result = result == FG_OK ? fgi_gpu_run(vulkan, making, NULL, 0, "dependencies") : result;
    fg_compute_graph_destroy(making);
    fgi_gpu_links_made(links);
    return result;
}

enum fg_result fgi_gpu_links_of(struct fgi_engine_vulkan *vulkan, uint32_t families,
                                struct fgi_gpu_linked **out_linked)
{
    struct fg_gpu_trace *gpu = NULL;
    struct fgi_gpu_linked *linked = NULL;
    const struct fgi_graph graph = fgi_gpu_graph(vulkan, families);
    enum fg_result result = fgi_gpu_trace_of(vulkan, &gpu);
    result = result == FG_OK ? fgi_gpu_linked_of(vulkan, &linked) : result;
    /* Lists that have more are as good: what is of another family is passed over. */
    if (result == FG_OK && (!linked->links.gpu || linked->links.count < graph.count)) {
        fgi_gpu_linked_drop(linked);
        result = make_links(vulkan, gpu, &graph, &linked->links);
        if (result != FG_OK) {
            fgi_gpu_linked_drop(linked);
        }
    }
    *out_linked = linked;
    return result == FG_OK ? FG_OK : fgi_gpu_fall_back(vulkan, result, "dependencies");
}
