/* SPDX-License-Identifier: MIT */
/* Numbers for callers of the library: what is asked, checked and kept, and where results are. */
#include "engine/vulkan/gpu_numbers_buckets.h"
#include "engine/vulkan/gpu_numbers_scores.h"

#include "base/alloc.h"
#include "trace/model.h"
#include "trace/score.h"
#include <assert.h>

enum { LOG_BINS = 65 };
static_assert(sizeof(struct fg_gpu_group) == FGI_GPU_GROUP_QUADS * 16, "as number_table.comp");
static_assert(sizeof(struct fg_gpu_bucket) == 48, "as bucket_finish.comp");
static_assert(sizeof(struct fg_gpu_score_totals) == 64, "as score_args.glsl");
static_assert(sizeof(struct fg_gpu_reduction) == sizeof(struct fgi_reduction), "the same");

struct fg_gpu_numbers {
    struct fg_gpu_trace *gpu;
    struct fgi_gpu_numbers numbers;
    struct fgi_gpu_buckets buckets;
    struct fgi_gpu_caller caller;
    struct fg_compute_view mask, values; /* of the caller */
    struct fgi_arena arena;              /* of keys */
};

/* ---- making them ----------------------------------------------------------------------------- */

static bool is_legal(const struct fg_gpu_numbers_options *o)
{
    const struct fg_selection *s = o->selection;
    const uint64_t rows = o->gpu ? o->gpu->counts.rows : 0;
    if (!o->gpu || o->by >= FG_AGGREGATE_BY_COUNT || o->measure > FG_MEASURE_VALUES ||
        o->measure == FG_MEASURE_SELF || (o->measure == FG_MEASURE_VALUES) != (o->values != NULL) ||
        o->bin_count > FG_HISTOGRAM_BINS_MAX || o->bucket_count > FG_BUCKETS_MAX ||
        (o->bins == NULL) != (o->bin_count == 0) || (s && s->filter != 0)) {
        return false;
    }
    for (uint32_t i = 1; i < o->bin_count; i++) {
        if (o->bins[i - 1] >= o->bins[i]) {
            return false;
        }
    }
    return (!o->bins || o->bins[o->bin_count - 1] <= o->last_value) &&
           (!o->mask || o->mask->size_bytes >= (rows + 31) / 32 * 4) &&
           (!o->values || o->values->size_bytes >= rows * 8);
}

static enum fg_result begin_numbers(struct fg_gpu_numbers *n,
                                    const struct fg_gpu_numbers_options *o,
                                    const struct fg_selection *selection)
{
    if (o->mask) {
        n->mask = *o->mask;
        n->caller.mask = fgi_gpu_column_of(&n->mask, 4);
    }
    if (o->values) {
        n->values = *o->values;
        n->caller.values = fgi_gpu_column_of(&n->values, 8);
        n->caller.value_count = n->gpu->counts.rows;
    }
    const struct fgi_gpu_number_rule rule = { .by = o->by,
                                              .measure = o->measure,
                                              .class_mask =
                                                  o->class_mask ? o->class_mask : UINT16_MAX,
                                              .caller = &n->caller };
    const struct fgi_gpu_bins bins = {
        .low = o->bins ? o->bins[0] : 0,
        .high = o->bins ? o->last_value : UINT64_MAX,
        .firsts = o->bins,
        .count = o->bins ? o->bin_count : LOG_BINS,
    };
    if (fgi_gpu_numbers_slots(n->gpu->trace, o->by) > FGI_GPU_NUMBER_SLOTS_MAX) {
        return FG_ERR_LIMIT;
    }
    enum fg_result result =
        fgi_gpu_numbers_begin(&n->numbers, n->gpu, o->filter ? &o->filter->mask.column : NULL, NULL,
                              selection, &rule, &n->arena);
    result = result == FG_OK ? fgi_gpu_numbers_take_table(&n->numbers) : result;
    return result == FG_OK ? fgi_gpu_numbers_set_bins(&n->numbers, &bins) : result;
}

static enum fg_result begin_buckets(struct fg_gpu_numbers *n, uint32_t count,
                                    const struct fg_selection *selection)
{
    const uint64_t width = fgi_duration(selection->start_ns, selection->end_ns);
    return count > 0 ? fgi_gpu_buckets_begin(&n->buckets, &n->numbers, selection->start_ns,
                                             selection->end_ns,
                                             count < width ? count : (uint32_t)width, &n->arena)
                     : FG_OK;
}

/** The range of all, or of what is divided: the extent of the trace. */
static void fill_range(const struct fg_trace *trace, bool is_divided, struct fg_selection *s)
{
    if (s->start_ns != 0 || s->end_ns != 0) {
        return;
    }
    s->start_ns = FG_TIME_MIN;
    s->end_ns = INT64_MAX;
    if (is_divided) {
        struct fg_trace_info info;
        fg_trace_get_info(trace, &info);
        s->start_ns = info.has_extent ? info.first_ns : 0;
        s->end_ns = (info.has_extent ? info.last_ns : 0) + 1;
    }
}

enum fg_result fg_gpu_numbers_create(const struct fg_gpu_numbers_options *options,
                                     struct fg_gpu_numbers **out_numbers)
{
    if (!options || !out_numbers || !is_legal(options)) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_trace *gpu = options->gpu;
    struct fg_selection selection =
        options->selection ? *options->selection : (struct fg_selection){ 0 };
    fill_range(gpu->trace, options->bucket_count > 0, &selection);
    if (selection.start_ns >= selection.end_ns) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_numbers *n = fgi_calloc(gpu->allocator, 1, sizeof *n);
    if (!n) {
        return FG_ERR_NO_MEMORY;
    }
    n->gpu = gpu;
    n->arena.allocator = gpu->allocator;
    enum fg_result result = begin_numbers(n, options, &selection);
    result = result == FG_OK ? begin_buckets(n, options->bucket_count, &selection) : result;
    if (result != FG_OK) {
        fg_gpu_numbers_destroy(n);
        return result;
    }
    *out_numbers = n;
    return FG_OK;
}

void fg_gpu_numbers_destroy(struct fg_gpu_numbers *n)
{
    if (n) {
        const struct fg_allocator *allocator = n->gpu->allocator;
        fgi_gpu_buckets_end(&n->buckets);
        fgi_gpu_numbers_end(&n->numbers);
        fgi_arena_finish(&n->arena);
        fgi_free(allocator, n, sizeof *n);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/** A stage is there: its column and totals are coherent behind this node. */
static enum fg_result publish(const struct fg_gpu_numbers *n, const struct fg_compute_sink *sink,
                              const char *name, const struct fgi_gpu_column *column,
                              const struct fg_compute_memory *totals)
{
    const size_t count = (size_t)column->chunk_count + 1;
    struct fg_compute_use *uses = fgi_calloc(n->gpu->allocator, count, sizeof *uses);
    if (!uses) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < column->chunk_count; i++) {
        uses[i] = (struct fg_compute_use){ .view = column->chunks[i], .access = FG_COMPUTE_READ };
    }
    uses[count - 1] = (struct fg_compute_use){ .view = totals->view, .access = FG_COMPUTE_READ };
    const enum fg_result result =
        fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = name, .kind = FG_COMPUTE_PUBLISH,
                                                  .uses = uses, .use_count = (uint32_t)count));
    fgi_free(n->gpu->allocator, uses, count * sizeof *uses);
    return result;
}

enum fg_result fg_gpu_numbers_add_groups(const struct fg_gpu_numbers *n,
                                         const struct fg_compute_sink *sink)
{
    if (!n || !sink) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_gpu_numbers_groups(&n->numbers, sink, 0, FGI_GPU_NUMBER_PASSES);
    result = result == FG_OK ? fgi_gpu_numbers_table(&n->numbers, sink) : result;
    return result == FG_OK
               ? publish(n, sink, "summary", &n->numbers.groups.column, &n->numbers.totals)
               : result;
}

enum fg_result fg_gpu_numbers_add_histogram(const struct fg_gpu_numbers *n,
                                            const struct fg_compute_sink *sink)
{
    if (!n || !sink) {
        return FG_ERR_ARGUMENT;
    }
    const enum fg_result result = fgi_gpu_numbers_bins(&n->numbers, sink);
    return result == FG_OK
               ? publish(n, sink, "histogram", &n->numbers.counts.column, &n->numbers.bin_totals)
               : result;
}

enum fg_result fg_gpu_numbers_add_buckets(const struct fg_gpu_numbers *n,
                                          const struct fg_compute_sink *sink)
{
    if (!n || !sink) {
        return FG_ERR_ARGUMENT;
    }
    if (!n->buckets.numbers) {
        return FG_ERR_STATE;
    }
    const enum fg_result result = fgi_gpu_buckets_add(&n->buckets, sink);
    return result == FG_OK
               ? publish(n, sink, "complete", &n->buckets.records.column, &n->buckets.totals)
               : result;
}

/* ---- results --------------------------------------------------------------------------------- */

void fg_gpu_numbers_get_results(const struct fg_gpu_numbers *n,
                                struct fg_gpu_numbers_results *out_results)
{
    *out_results = (struct fg_gpu_numbers_results){
        .totals = n->numbers.totals.view,
        .group_chunks = n->numbers.groups.column.chunk_count,
        .bin_totals = n->numbers.bin_totals.view,
        .bin_chunks = n->numbers.counts.column.chunk_count,
        .bucket_chunks = n->buckets.records.column.chunk_count,
    };
}

struct fg_compute_view fg_gpu_numbers_group_chunk(const struct fg_gpu_numbers *n, uint32_t chunk)
{
    return n->numbers.groups.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_numbers_bin_chunk(const struct fg_gpu_numbers *n, uint32_t chunk)
{
    return n->numbers.counts.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_numbers_bucket_chunk(const struct fg_gpu_numbers *n, uint32_t chunk)
{
    return n->buckets.records.column.chunks[chunk];
}

/* ---- scores ---------------------------------------------------------------------------------- */

struct fg_gpu_scores {
    struct fgi_gpu_scoring scoring;
    const struct fg_allocator *allocator;
    uint32_t rows;
};

enum fg_result fg_gpu_scores_create(const struct fg_gpu_numbers *n,
                                    const struct fg_score_rule *rule,
                                    const struct fg_baseline *baselines, uint32_t baseline_count,
                                    struct fg_gpu_scores **out_scores)
{
    struct fg_score_rule filled = rule ? *rule : (struct fg_score_rule){ 0 };
    if (!n || !out_scores || (!baselines && baseline_count > 0)) {
        return FG_ERR_ARGUMENT;
    }
    fgi_score_rule_fill(&filled);
    const struct fg_allocator *allocator = n->gpu->allocator;
    const struct fgi_gpu_score_terms terms = {
        .rule = &filled, .baselines = baselines, .baseline_count = baseline_count, .keeps = true
    };
    struct fgi_arena arena = { .allocator = allocator };
    struct fgi_gpu_peers peers = { .by_key.allocator = allocator, .keys.allocator = allocator };
    struct fg_gpu_scores *scores = fgi_calloc(allocator, 1, sizeof *scores);
    enum fg_result result =
        scores ? fgi_gpu_peers_make(&peers, baselines, baseline_count) : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        scores->allocator = allocator;
        scores->rows = n->gpu->counts.rows;
        result = fgi_gpu_scoring_begin(&scores->scoring, &n->numbers, &peers, &terms, &arena);
    }
    fgi_gpu_peers_finish(&peers);
    fgi_arena_finish(&arena);
    if (result != FG_OK) {
        if (scores) {
            fgi_gpu_scoring_end(&scores->scoring);
            fgi_free(allocator, scores, sizeof *scores);
        }
        return result;
    }
    *out_scores = scores;
    return FG_OK;
}

void fg_gpu_scores_destroy(struct fg_gpu_scores *scores)
{
    if (scores) {
        fgi_gpu_scoring_end(&scores->scoring);
        fgi_free(scores->allocator, scores, sizeof *scores);
    }
}

enum fg_result fg_gpu_scores_add(struct fg_gpu_scores *scores, const struct fg_compute_sink *sink,
                                 uint32_t first, uint32_t end)
{
    if (!scores || !sink || first > end || end > scores->rows || first % FG_GPU_BATCH_ROWS != 0 ||
        (end % FG_GPU_BATCH_ROWS != 0 && end != scores->rows)) {
        return FG_ERR_ARGUMENT;
    }
    return fgi_gpu_scoring_add(&scores->scoring, sink, first, end);
}

void fg_gpu_scores_get_results(const struct fg_gpu_scores *scores,
                               struct fg_gpu_scores_results *out_results)
{
    *out_results = (struct fg_gpu_scores_results){
        .totals = scores->scoring.totals.view,
        .mask_chunks = scores->scoring.mask.column.chunk_count,
        .tint_chunks = scores->scoring.tints.column.chunk_count,
        .reason_chunks = scores->scoring.reasons.column.chunk_count,
    };
}

struct fg_compute_view fg_gpu_scores_mask_chunk(const struct fg_gpu_scores *scores, uint32_t chunk)
{
    return scores->scoring.mask.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_scores_tint_chunk(const struct fg_gpu_scores *scores, uint32_t chunk)
{
    return scores->scoring.tints.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_scores_reason_chunk(const struct fg_gpu_scores *scores,
                                                  uint32_t chunk)
{
    return scores->scoring.reasons.column.chunks[chunk];
}

/* ---- reductions ------------------------------------------------------------------------------ */

uint64_t fg_gpu_reduce_scratch_bytes(const struct fg_compute *compute, uint32_t row_count)
{
    return fgi_reduce_parts_bytes(compute, row_count);
}

enum fg_result fg_gpu_reduce_add(const struct fg_gpu_reduce *r, const struct fg_compute_sink *sink)
{
    if (!r || !sink || !r->compute || !r->rows || !r->scratch || !r->result ||
        (r->row_bytes != 4 && r->row_bytes != 8)) {
        return FG_ERR_ARGUMENT;
    }
    const struct fgi_gpu_work work = { .compute = r->compute, .sink = sink };
    const struct fgi_reduce reduce = {
        .source = fgi_gpu_column_of(r->rows, r->row_bytes),
        .mask = r->mask ? fgi_gpu_column_of(r->mask, 4) : (struct fgi_gpu_column){ 0 },
        .count.limit = r->row_count,
        .result = *r->result,
        .parts = *r->scratch,
    };
    return fgi_reduce(&work, &reduce);
}
