/* SPDX-License-Identifier: MIT */
/*
 * Kept scores: they stay on the device, and bytes of rows come to the host a chunk at a time, when
 * they are first asked for. Tints of windows are made there.
 */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"
#include "engine/vulkan/gpu_numbers_scores.h"
#include <frameglass/gpu_trace_views.h>

static const char what[] = "scores of spans";
static const char what_tints[] = "tints of spans";

enum { CHUNK_SHIFT = 18, CHUNK_ROWS = 1 << CHUNK_SHIFT };

/** What the device has of kept scores. */
struct kept {
    struct fgi_gpu_tints tints;
    uint8_t **chunks; /**< tints, then reasons, of CHUNK_ROWS each; NULL: not here yet */
    uint32_t chunk_count;
    bool has_levels;
};

static void end_kept(struct fgi_engine_vulkan *vulkan, void *device)
{
    struct kept *kept = device;
    for (uint32_t i = 0; kept->chunks && i < kept->chunk_count; i++) {
        fgi_free(vulkan->allocator, kept->chunks[i], 2 * CHUNK_ROWS);
    }
    fgi_free(vulkan->allocator, kept->chunks, (size_t)kept->chunk_count * sizeof *kept->chunks);
    fgi_gpu_tints_end(&kept->tints);
    fgi_free(vulkan->allocator, kept, sizeof *kept);
}

enum fg_result fgi_gpu_scores_keep(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_scores *scores,
                                   struct fgi_gpu_scoring *scoring)
{
    struct kept *kept = fgi_calloc(vulkan->allocator, 1, sizeof *kept);
    if (!kept) {
        return FG_ERR_NO_MEMORY;
    }
    scores->device = kept;
    scores->device_end = end_kept;
    kept->chunk_count = fgi_trace_rows(vulkan->engine.trace) / CHUNK_ROWS + 1;
    kept->chunks = fgi_calloc(vulkan->allocator, kept->chunk_count, sizeof *kept->chunks);
    if (!kept->chunks) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_gpu_tints_take(&kept->tints, scoring);
    return fgi_gpu_scores_add(vulkan, scores);
}

/* ---- bytes of rows --------------------------------------------------------------------------- */

/** Bytes [first, first + CHUNK_ROWS) of a column with four in a word, as far as there are. */
static uint32_t reads_of(const struct fgi_gpu_column *column, uint64_t first, uint8_t *bytes,
                         struct fgi_gpu_read *reads)
{
    uint64_t begin = 0; /* of a chunk of the column */
    uint32_t count = 0;
    for (uint32_t i = 0; i < column->chunk_count; i++) {
        const uint64_t size = column->chunks[i].size_bytes;
        const uint64_t from = first > begin ? first : begin;
        const uint64_t end = first + CHUNK_ROWS < begin + size ? first + CHUNK_ROWS : begin + size;
        if (from < end) {
            reads[count++] = (struct fgi_gpu_read){ fg_compute_view_part(column->chunks[i],
                                                                         from - begin, end - from),
                                                    bytes + (from - first) };
        }
        begin += size;
    }
    return count;
}

static enum fg_result bring(struct fgi_engine_vulkan *vulkan, struct kept *kept, uint32_t chunk)
{
    const struct fgi_gpu_column *tints = &kept->tints.tints.column;
    const struct fgi_gpu_column *reasons = &kept->tints.reasons.column;
    const size_t room = (size_t)tints->chunk_count + reasons->chunk_count;
    struct fgi_gpu_read *reads = fgi_calloc(vulkan->allocator, room, sizeof *reads);
    uint8_t *bytes = fgi_calloc(vulkan->allocator, 2, CHUNK_ROWS);
    enum fg_result result = FG_ERR_NO_MEMORY;
    if (reads && bytes) {
        const uint64_t first = (uint64_t)chunk * CHUNK_ROWS;
        uint32_t count = reads_of(tints, first, bytes, reads);
        count += reads_of(reasons, first, bytes + CHUNK_ROWS, reads + count);
        result = fgi_gpu_run(vulkan, NULL, reads, count, what);
    }
    fgi_free(vulkan->allocator, reads, room * sizeof *reads);
    if (result != FG_OK) {
        fgi_free(vulkan->allocator, bytes, 2 * CHUNK_ROWS);
        return result;
    }
    kept->chunks[chunk] = bytes;
    return FG_OK;
}

static enum fg_result bytes_of(struct fgi_engine_vulkan *vulkan, struct kept *kept,
                               const uint32_t *rows, uint32_t count, uint8_t *out_tints,
                               uint8_t *out_reasons)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t chunk = rows[i] >> CHUNK_SHIFT;
        const uint32_t at = rows[i] & (CHUNK_ROWS - 1);
        const enum fg_result result = kept->chunks[chunk] ? FG_OK : bring(vulkan, kept, chunk);
        if (result != FG_OK) {
            return result;
        }
        if (out_tints) {
            out_tints[i] = kept->chunks[chunk][at];
        }
        if (out_reasons) {
            out_reasons[i] = kept->chunks[chunk][CHUNK_ROWS + at];
        }
    }
    return FG_OK;
}

enum fg_result fgi_vulkan_scores(struct fg_engine *engine, uint32_t id, const uint32_t *rows,
                                 uint32_t count, uint8_t *out_tints, uint8_t *out_reasons)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    const struct fgi_gpu_scores *scores = fgi_gpu_scores_find(vulkan, id);
    if (scores && scores->device && fgi_gpu_ready(vulkan)) {
        const enum fg_result result =
            bytes_of(vulkan, scores->device, rows, count, out_tints, out_reasons);
        if (fgi_gpu_answered(vulkan, result)) {
            return result;
        }
    }
    return fgi_host_scores(engine, id, rows, count, out_tints, out_reasons);
}

/* ---- tints of windows ------------------------------------------------------------------------ */

/** Pairs of lane and target. Without items they are counted only. */
struct pairs {
    uint32_t *items;
    uint32_t count;
};

static void list_lanes(struct pairs *pairs, uint32_t first, uint32_t count, uint32_t target)
{
    for (uint32_t i = 0; pairs->items && i < count; i++) {
        pairs->items[2 * (pairs->count + i)] = first + i;
        pairs->items[2 * (pairs->count + i) + 1] = target;
    }
    pairs->count += count;
}

static void list_targets(struct pairs *pairs, const struct fg_trace *trace,
                         const struct fg_tints_request *request)
{
    pairs->count = 0;
    for (uint32_t i = 0; i < request->target_count; i++) {
        const struct fg_view_target *target = &request->targets[i];
        if (target->kind != FG_VIEW_TRACK && target->kind != FG_VIEW_PROCESS) {
            list_lanes(pairs, target->index, 1, i);
            continue;
        }
        const bool is_process = target->kind == FG_VIEW_PROCESS;
        const uint32_t end = is_process ? (uint32_t)trace->tracks.count : target->index + 1;
        for (uint32_t t = is_process ? 0 : target->index; t < end; t++) {
            const struct fg_trace_track *track = &trace->tracks.items[t];
            if (!is_process || track->process == target->index) {
                list_lanes(pairs, track->first_lane, track->lane_count, i);
            }
        }
    }
}

static enum fg_result run_tints(struct fgi_engine_vulkan *vulkan, struct kept *kept,
                                const struct fgi_gpu_tint_window *window, uint32_t *words)
{
    struct fgi_gpu_tinting tinting = { 0 };
    struct fg_gpu_population *all = NULL;
    struct fg_compute_graph *graph = NULL;
    struct fgi_gpu_read *reads = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_gpu_population_of(vulkan, 0, &all);
    if (result != FG_OK) {
        return result;
    }
    result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
        result = kept->has_levels ? FG_OK : fgi_gpu_tints_make_levels(&kept->tints, &sink);
        result = result == FG_OK ? fgi_gpu_tinting_begin(&tinting, &kept->tints, window) : result;
        result = result == FG_OK ? fgi_gpu_tinting_add(&tinting, &kept->tints, window, all, &sink)
                                 : result;
    }
    struct fgi_arena arena = { .allocator = vulkan->allocator };
    if (result == FG_OK) {
        const uint64_t wanted = (uint64_t)window->target_count * window->bin_count;
        result = fgi_gpu_reads_of(&arena, &tinting.target.column, wanted, 0, words, &reads, &count);
    }
    result = result == FG_OK ? fgi_gpu_run(vulkan, graph, reads, count, what_tints)
                             : fgi_gpu_fall_back(vulkan, result, what_tints);
    kept->has_levels |= result == FG_OK;
    fgi_gpu_tinting_end(&tinting);
    fg_compute_graph_destroy(graph);
    fgi_arena_finish(&arena);
    return result;
}

static enum fg_result tints_on_device(struct fgi_engine_vulkan *vulkan,
                                      const struct fgi_question *question, struct kept *kept,
                                      const struct fg_tints_request *request,
                                      struct fg_tints_reply *out_reply)
{
    const struct fg_trace *trace = vulkan->engine.trace;
    const struct fg_gpu_view_window whole = { .start_ns = request->start_ns,
                                              .end_ns = request->end_ns,
                                              .width_px = request->width_px };
    unsigned level = 0;
    uint32_t bins = 0;
    struct pairs pairs = { 0 };
    fg_gpu_view_bins_of(&whole, &level, &bins);
    list_targets(&pairs, trace, request);
    const size_t words_count = (size_t)bins * request->target_count;
    pairs.items = fgi_arena_alloc(question->arena, (size_t)pairs.count + 1, 2 * sizeof(uint32_t));
    uint32_t *words = fgi_arena_alloc(question->arena, words_count + 1, sizeof *words);
    uint8_t *tints = fgi_arena_alloc(question->arena, words_count + 1, 1);
    if (!pairs.items || !words || !tints) {
        return FG_ERR_NO_MEMORY;
    }
    list_targets(&pairs, trace, request);
    const struct fgi_gpu_tint_window window = { .first_bin = request->start_ns >> level,
                                                .bin_count = bins,
                                                .level = level,
                                                .lanes = pairs.items,
                                                .lane_count = pairs.count,
                                                .target_count = request->target_count };
    const enum fg_result result = pairs.count > 0 ? run_tints(vulkan, kept, &window, words) : FG_OK;
    for (size_t i = 0; i < words_count; i++) {
        tints[i] = (uint8_t)words[i];
    }
    *out_reply = (struct fg_tints_reply){
        .level = level, .first_bin = window.first_bin, .bin_count = bins, .tints = tints
    };
    return result;
}

/** Are the pairs few enough for their memory and for one dispatch? */
static bool tints_fit(const struct fgi_engine_vulkan *vulkan,
                      const struct fg_tints_request *request)
{
    const uint64_t block_bytes = fg_compute_get_facts(vulkan->runner.compute)->block_bytes;
    struct pairs pairs = { 0 };
    list_targets(&pairs, vulkan->engine.trace, request);
    return (uint64_t)pairs.count * 2 * sizeof(uint32_t) <= block_bytes &&
           (uint64_t)pairs.count * 4 * request->width_px <= INT32_MAX;
}

enum fg_result fgi_vulkan_tints(struct fg_engine *engine, const struct fgi_question *question,
                                const struct fg_tints_request *request,
                                struct fg_tints_reply *out_reply)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    const struct fgi_gpu_scores *scores = fgi_gpu_scores_find(vulkan, request->scores);
    if (scores && scores->device && fgi_gpu_ready(vulkan) && tints_fit(vulkan, request)) {
        const enum fg_result result =
            tints_on_device(vulkan, question, scores->device, request, out_reply);
        if (fgi_gpu_answered(vulkan, result)) {
            return result;
        }
    }
    return fgi_host_tints(engine, question, request, out_reply);
}
