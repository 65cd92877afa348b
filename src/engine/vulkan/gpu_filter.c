/* SPDX-License-Identifier: MIT */
/* Filters: kinds, lanes and rows that the host knows become bits; rows are judged by them. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_columns.h"
#include "trace/model.h"
#include <string.h>

#include <kernels/filter_judge.h>   /* made by the build */
#include <kernels/filter_similar.h> /* made by the build */

enum { ROWS_OF_INVOCATION = 32 };
enum { TERM_FRAMES = 1, TERM_RANGE = 2, TERM_SHORT = 4 };

/** struct fg_filter_terms of filter_args.glsl. */
struct fgi_gpu_filter_terms {
    struct fgi_gpu_column_push kinds, lanes, rows, mask, similar;
    uint64_t least_ns, most_ns, short_ns;
    int64_t start_ns, end_ns;
    uint32_t rows_count, first_frame, end_frame, flags, similar_percent, reserved;
};
/** As in filter_judge.comp. */
struct judge_push {
    uint64_t trace, terms;
    struct fgi_gpu_column_push mask;
    uint64_t passed;
};
/** As in filter_similar.comp. */
struct similar_push {
    uint64_t trace, terms;
};

static const struct fg_compute_kernel judge_kernel = { "filter_judge", FGI_CODE_filter_judge,
                                                       sizeof(struct judge_push), 0 };
static const struct fg_compute_kernel similar_kernel = { "filter_similar", FGI_CODE_filter_similar,
                                                         sizeof(struct similar_push), 0 };

/* ---- bits that the host makes ---------------------------------------------------------------- */

static bool has_bit(const uint32_t *bits, uint32_t i)
{
    return bits[i / 32] >> (i % 32) & 1;
}
static void set_bit(uint32_t *bits, uint32_t i)
{
    bits[i / 32] |= UINT32_C(1) << (i % 32);
}

/** Bits of a list's numbers; *out_bits stays NULL where there is no list. False when refused. */
static bool make_set(struct fgi_arena *arena, const uint32_t *items, uint32_t count, uint32_t limit,
                     uint32_t **out_bits)
{
    if (!items) {
        return true;
    }
    *out_bits = fgi_arena_alloc(arena, (size_t)limit / 32 + 1, sizeof **out_bits);
    for (uint32_t i = 0; *out_bits && i < count; i++) {
        if (items[i] < limit) {
            set_bit(*out_bits, items[i]);
        }
    }
    return *out_bits != NULL;
}

static bool make_matching(struct fgi_arena *arena, const struct fg_trace *trace, const char *text,
                          uint32_t **out_bits)
{
    const uint32_t texts = fg_trace_text_count(trace);
    if (!text || !*text) {
        return true;
    }
    *out_bits = fgi_arena_alloc(arena, (size_t)texts / 32 + 1, sizeof **out_bits);
    for (uint32_t id = 0; *out_bits && id < texts; id++) {
        if (fgi_text_contains(fg_trace_text(trace, id), text)) {
            set_bit(*out_bits, id);
        }
    }
    return *out_bits != NULL;
}

/** Control memory with these words; none for no words. */
static enum fg_result put_words(const struct fg_gpu_filter *filter, const uint32_t *words,
                                size_t count, struct fg_compute_memory *out_memory)
{
    struct fg_compute *compute = filter->gpu->compute;
    const enum fg_result result = fg_compute_memory_take(compute, FG_COMPUTE_CONTROL,
                                                         (count + 1) * sizeof *words, out_memory);
    if (result == FG_OK && count > 0) {
        fg_compute_write(compute, out_memory, 0, words, count * sizeof *words);
    }
    return result;
}

/** Kinds that pass all terms about names, categories, classes and status. */
static enum fg_result make_kinds(struct fg_gpu_filter *filter, struct fgi_arena *arena,
                                 const struct fg_filter_terms *t)
{
    const struct fg_trace *trace = filter->gpu->trace;
    const uint32_t texts = fg_trace_text_count(trace);
    const uint32_t count = filter->gpu->counts.kinds;
    uint32_t *text = NULL, *names = NULL, *categories = NULL;
    uint32_t *bits = fgi_arena_alloc(arena, (size_t)count / 32 + 1, sizeof *bits);
    if (!bits || !make_matching(arena, trace, t->text, &text) ||
        !make_set(arena, t->names, t->name_count, texts, &names) ||
        !make_set(arena, t->categories, t->category_count, texts, &categories)) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t passing = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fgi_kind *kind = &trace->store->kinds.items[i];
        if ((kind->classes & t->required_classes) == t->required_classes &&
            (kind->classes & t->excluded_classes) == 0 &&
            (t->status_mask == 0 || (t->status_mask >> kind->status & 1) != 0) &&
            (!text || has_bit(text, kind->name)) && (!names || has_bit(names, kind->name)) &&
            (!categories || has_bit(categories, kind->category))) {
            set_bit(bits, i);
            passing++;
        }
    }
    return passing < count ? put_words(filter, bits, (size_t)count / 32 + 1, &filter->kinds)
                           : FG_OK;
}

static enum fg_result make_lanes(struct fg_gpu_filter *filter, struct fgi_arena *arena,
                                 const struct fg_filter_terms *t)
{
    const struct fg_trace *trace = filter->gpu->trace;
    const uint32_t count = filter->gpu->counts.lanes;
    if (!t->tracks) {
        return FG_OK;
    }
    uint32_t *tracks = NULL;
    uint32_t *bits = fgi_arena_alloc(arena, (size_t)count / 32 + 1, sizeof *bits);
    if (!bits || !make_set(arena, t->tracks, t->track_count, filter->gpu->counts.tracks, &tracks)) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (has_bit(tracks, trace->lanes.items[i].track)) {
            set_bit(bits, i);
        }
    }
    return put_words(filter, bits, (size_t)count / 32 + 1, &filter->lanes);
}

/** The terms' own mask: 64-bit words lie as pairs of words, the lower rows first. */
static enum fg_result make_rows(struct fg_gpu_filter *filter, const struct fg_filter_terms *t,
                                uint32_t *out_count)
{
    const uint32_t rows = filter->gpu->counts.rows;
    *out_count = t->mask_rows < rows ? t->mask_rows : rows;
    if (!t->mask) {
        return FG_OK;
    }
    const union {
        uint16_t number;
        uint8_t bytes[2];
    } order = { .number = 1 };
    if (order.bytes[0] == 0) {
        return FG_ERR_UNSUPPORTED; /* devices are little-endian */
    }
    return put_words(filter, (const uint32_t *)t->mask, ((size_t)*out_count + 63) / 64 * 2,
                     &filter->rows);
}

/* ---- the filter ------------------------------------------------------------------------------ */

static struct fgi_gpu_column_push push_of(struct fg_compute_view view)
{
    const struct fgi_gpu_column column = fgi_gpu_column_of(&view, sizeof(uint32_t));
    return view.size_bytes != 0 ? fgi_gpu_column_push(&column) : (struct fgi_gpu_column_push){ 0 };
}

static enum fg_result put_terms(struct fg_gpu_filter *filter, const struct fg_filter_terms *t,
                                uint32_t rows_count)
{
    struct fgi_gpu_filter_terms terms = {
        .kinds = push_of(filter->kinds.view),
        .lanes = push_of(filter->lanes.view),
        .rows = push_of(filter->rows.view),
        .mask = push_of(filter->caller_mask),
        .similar = fgi_gpu_column_push(&filter->similar.column),
        .least_ns = t->min_duration_ns,
        .most_ns = t->max_duration_ns > 0 ? t->max_duration_ns : UINT64_MAX,
        .short_ns = t->short_child_ns,
        .start_ns = t->start_ns,
        .end_ns = t->end_ns,
        .rows_count = rows_count,
        .first_frame = t->first_frame,
        .end_frame = t->end_frame,
        .flags = (t->has_frames ? TERM_FRAMES : 0) | (t->has_range ? TERM_RANGE : 0) |
                 (t->short_child_ns > 0 ? TERM_SHORT : 0),
        .similar_percent = t->similar_parent_percent,
    };
    const enum fg_result result = fg_compute_memory_take(filter->gpu->compute, FG_COMPUTE_CONTROL,
                                                         sizeof terms, &filter->terms);
    if (result == FG_OK) {
        fg_compute_write(filter->gpu->compute, &filter->terms, 0, &terms, sizeof terms);
    }
    return result;
}

static enum fg_result make(struct fg_gpu_filter *filter, struct fgi_arena *arena,
                           const struct fg_filter_terms *t)
{
    struct fg_gpu_trace *gpu = filter->gpu;
    const uint32_t words = fgi_mask_words(gpu->counts.rows);
    uint32_t rows_count = 0;
    enum fg_result result =
        fgi_gpu_column_take(gpu->compute, gpu->allocator, words, 4, 0, &filter->mask);
    if (result == FG_OK && t->similar_parent_percent > 0) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, words, 4, 0, &filter->similar);
    }
    result = result == FG_OK ? make_kinds(filter, arena, t) : result;
    result = result == FG_OK ? make_lanes(filter, arena, t) : result;
    result = result == FG_OK ? make_rows(filter, t, &rows_count) : result;
    result = result == FG_OK ? put_terms(filter, t, rows_count) : result;
    return result == FG_OK ? fg_compute_memory_take(gpu->compute, FG_COMPUTE_DEVICE,
                                                    sizeof(uint32_t), &filter->count)
                           : result;
}

enum fg_result fg_gpu_filter_create(struct fg_gpu_trace *gpu, const struct fg_filter_terms *terms,
                                    const struct fg_compute_view *mask,
                                    struct fg_gpu_filter **out_filter)
{
    if (mask && mask->size_bytes != 0 &&
        (mask->address == 0 ||
         mask->size_bytes / sizeof(uint32_t) < fgi_mask_words(gpu->counts.rows))) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_filter *filter = fgi_calloc(gpu->allocator, 1, sizeof *filter);
    if (!filter) {
        return FG_ERR_NO_MEMORY;
    }
    struct fgi_arena arena = { .allocator = gpu->allocator };
    filter->gpu = gpu;
    filter->caller_mask = mask ? *mask : (struct fg_compute_view){ 0 };
    const enum fg_result result = make(filter, &arena, terms);
    fgi_arena_finish(&arena);
    if (result != FG_OK) {
        fg_gpu_filter_destroy(filter);
        return result;
    }
    *out_filter = filter;
    return FG_OK;
}

void fg_gpu_filter_destroy(struct fg_gpu_filter *filter)
{
    if (!filter) {
        return;
    }
    struct fg_compute *compute = filter->gpu->compute;
    fgi_gpu_column_free(compute, &filter->mask);
    fgi_gpu_column_free(compute, &filter->similar);
    fgi_gpu_memory_end(compute, &filter->kinds);
    fgi_gpu_memory_end(compute, &filter->lanes);
    fgi_gpu_memory_end(compute, &filter->rows);
    fgi_gpu_memory_end(compute, &filter->terms);
    fgi_gpu_memory_end(compute, &filter->count);
    fgi_free(filter->gpu->allocator, filter, sizeof *filter);
}

/* ---- judging --------------------------------------------------------------------------------- */

static enum fg_result mark_similar(const struct fgi_gpu_work *work,
                                   const struct fg_gpu_filter *filter)
{
    const struct fg_gpu_trace *gpu = filter->gpu;
    const struct similar_push push = { fgi_gpu_table_address(gpu), filter->terms.view.address };
    const uint32_t words = fgi_mask_words(gpu->counts.rows);
    const enum fg_result result = fgi_prim_clear(work, &filter->similar.column, words);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &similar_kernel, &push,
                   fgi_prim_over(gpu->counts.rows, fgi_prim_group(gpu->compute, &similar_kernel)));
    fgi_gpu_use_columns(&node, gpu,
                        1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END |
                            1u << FG_GPU_COLUMN_PARENT);
    fgi_prim_view(&node, filter->terms.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &filter->similar.column, words, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fg_gpu_filter_judge(struct fg_gpu_filter *filter, const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = filter->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint32_t words = fgi_mask_words(gpu->counts.rows);
    enum fg_result result = FG_OK;
    if (fgi_gpu_column_is_there(&filter->similar.column)) {
        result = mark_similar(&work, filter);
    }
    if (result == FG_OK) {
        result = fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                           .target = filter->count.view));
    }
    if (result != FG_OK) {
        return result;
    }
    const struct judge_push push = {
        .trace = fgi_gpu_table_address(gpu),
        .terms = filter->terms.view.address,
        .mask = fgi_gpu_column_push(&filter->mask.column),
        .passed = filter->count.view.address,
    };
    const uint64_t each =
        (uint64_t)fgi_prim_group(gpu->compute, &judge_kernel) * ROWS_OF_INVOCATION;
    struct fgi_prim_node node;
    fgi_prim_begin(&node, &work, &judge_kernel, &push, fgi_prim_over(gpu->counts.rows, each));
    fgi_gpu_use_columns(&node, gpu, FGI_GPU_ALL_COLUMNS);
    fgi_prim_view(&node, filter->kinds.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, filter->lanes.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, filter->rows.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, filter->caller_mask, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, filter->terms.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_column(&node, &filter->similar.column, words, FG_COMPUTE_READ);
    fgi_prim_column(&node, &filter->mask.column, words, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, filter->count.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

uint32_t fg_gpu_filter_chunk_count(const struct fg_gpu_filter *filter)
{
    return filter->mask.column.chunk_count;
}

struct fg_compute_view fg_gpu_filter_chunk(const struct fg_gpu_filter *filter, uint32_t chunk)
{
    return filter->mask.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_filter_count(const struct fg_gpu_filter *filter)
{
    return filter->count.view;
}
