/* SPDX-License-Identifier: MIT */
/* Views: their memory, what is asked, and where the results are. gpu_view_nodes.c has the nodes. */
#include "engine/vulkan/gpu_view.h"

#include "base/alloc.h"
#include "engine/vulkan/compute_priv.h"
#include "trace/model.h"
#include <string.h>

enum {
    DEFAULT_WIDE_PX = 24,
    SMALLEST_WIDE_PX = 4,
    ITEM_QUADS = 3,
    QUAD_BYTES = 16,
    RECORD_QUADS = 3,
    DRAW_BYTES = sizeof(VkDrawIndirectCommand),
};

/* ---- making it ------------------------------------------------------------------------------- */

static enum fg_result take_memory(struct fg_gpu_view *view)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    struct fg_compute *compute = sizes->gpu->compute;
    const uint64_t all = (uint64_t)sizes->targets + sizes->members;
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof view->words, &view->control },
        { FG_COMPUTE_CONTROL, all * sizeof *view->asked, &view->targets },
        { FG_COMPUTE_DEVICE, all * RECORD_QUADS * QUAD_BYTES, &view->records },
        { FG_COMPUTE_DEVICE, sizes->targets * sizeof(struct fg_gpu_view_answer), &view->answers },
        { FG_COMPUTE_DEVICE, 2 * sizeof(uint32_t), &view->totals },
        { FG_COMPUTE_DEVICE, 3 * DRAW_BYTES, &view->draws },
        { FG_COMPUTE_DEVICE, fgi_scan_sums_bytes(compute, sizes->slots), &view->sums },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result =
            fg_compute_memory_take(compute, wanted[i].kind, wanted[i].size_bytes, wanted[i].memory);
    }
    return result;
}

static enum fg_result take_columns(struct fg_gpu_view *view)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    const uint64_t all = (uint64_t)sizes->slots + sizes->member_slots;
    const struct {
        uint64_t rows;
        uint32_t row_bytes;
        struct fgi_gpu_column_memory *memory;
    } wanted[] = {
        { all, 4, &view->places },
        { all, 4, &view->best },
        { sizes->slots, 8, &view->marks },
        { (uint64_t)sizes->slots * ITEM_QUADS, QUAD_BYTES, &view->bins },
        { sizes->spans, 4, &view->rows },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(sizes->gpu->compute, sizes->gpu->allocator, wanted[i].rows,
                                     wanted[i].row_bytes, 0, wanted[i].memory);
    }
    return result;
}

static enum fg_result take_lists(struct fg_gpu_view *view)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    view->asked = fgi_calloc(sizes->gpu->allocator, (size_t)sizes->targets + sizes->members,
                             sizeof *view->asked);
    if (!view->asked) {
        return FG_ERR_NO_MEMORY;
    }
    return sizes->members > 0 ? fgi_gpu_lanes_list(sizes->gpu, &view->by_process) : FG_OK;
}

static bool is_legal(const struct fg_gpu_view_sizes *sizes)
{
    const uint64_t slots = (uint64_t)sizes->slots + sizes->member_slots;
    return sizes->gpu && sizes->targets > 0 && sizes->slots > 0 && sizes->spans > 0 &&
           slots <= FGI_GPU_COLUMN_MAX_ROWS / ITEM_QUADS &&
           sizes->spans < FGI_GPU_COLUMN_MAX_ROWS / sizes->targets &&
           (sizes->members == 0) == (sizes->member_slots == 0);
}

enum fg_result fg_gpu_view_create(const struct fg_gpu_view_sizes *sizes,
                                  struct fg_gpu_view **out_view)
{
    if (!is_legal(sizes)) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_view *view = fgi_calloc(sizes->gpu->allocator, 1, sizeof *view);
    if (!view) {
        return FG_ERR_NO_MEMORY;
    }
    view->sizes = *sizes;
    enum fg_result result = take_lists(view);
    result = result == FG_OK ? take_memory(view) : result;
    result = result == FG_OK ? take_columns(view) : result;
    if (result != FG_OK) {
        fg_gpu_view_destroy(view);
        return result;
    }
    struct fgi_gpu_view_words *words = &view->words;
    words->places = fgi_gpu_column_push(&view->places.column);
    words->best = fgi_gpu_column_push(&view->best.column);
    words->marks = fgi_gpu_column_push(&view->marks.column);
    words->bins = fgi_gpu_column_push(&view->bins.column);
    words->rows = fgi_gpu_column_push(&view->rows.column);
    words->targets = view->targets.view.address;
    words->records = view->records.view.address;
    words->answers = view->answers.view.address;
    words->totals = view->totals.view.address;
    words->span_limit = sizes->spans;
    fg_compute_write(sizes->gpu->compute, &view->control, 0, words, sizeof *words);
    *out_view = view;
    return FG_OK;
}

void fg_gpu_view_destroy(struct fg_gpu_view *view)
{
    if (!view) {
        return;
    }
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    const struct fg_allocator *allocator = sizes->gpu->allocator;
    struct fg_compute *compute = sizes->gpu->compute;
    struct fg_compute_memory *memory[] = { &view->control, &view->targets, &view->records,
                                           &view->answers, &view->totals,  &view->draws,
                                           &view->sums };
    struct fgi_gpu_column_memory *columns[] = { &view->places, &view->best, &view->marks,
                                                &view->bins, &view->rows };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        fgi_gpu_memory_end(compute, memory[i]);
    }
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fgi_gpu_column_free(compute, columns[i]);
    }
    fgi_free(allocator, view->asked,
             ((size_t)sizes->targets + sizes->members) * sizeof *view->asked);
    fgi_gpu_lanes_finish(sizes->gpu, &view->by_process);
    fgi_free(allocator, view, sizeof *view);
}

/* ---- what is asked --------------------------------------------------------------------------- */

static unsigned level_of(const struct fg_gpu_view_window *window)
{
    const uint64_t ns_per_px = fgi_duration(window->start_ns, window->end_ns) / window->width_px;
    unsigned level = 0;
    while (level < 63 && ns_per_px >> (level + 1) != 0) {
        level++;
    }
    return level;
}

void fg_gpu_view_bins_of(const struct fg_gpu_view_window *window, unsigned *out_level,
                         uint32_t *out_bins)
{
    const unsigned level = level_of(window);
    const int64_t first = window->start_ns >> level;
    const int64_t last = (window->end_ns - 1) >> level;
    *out_level = level;
    *out_bins = (uint32_t)((uint64_t)last - (uint64_t)first + 1);
}

/** The duration from which a span is wide, rounded up; false: none is that long. */
static bool wide_duration(const struct fg_gpu_view_window *window, uint64_t *out_ns)
{
    const uint64_t whole_ns = fgi_duration(window->start_ns, window->end_ns);
    const uint64_t wide_px = window->wide_px != 0 ? window->wide_px : DEFAULT_WIDE_PX;
    const uint64_t each = whole_ns / window->width_px;
    const uint64_t rest = whole_ns % window->width_px * wide_px;
    const uint64_t rounded = (rest + window->width_px - 1) / window->width_px;
    if (each > (UINT64_MAX - rounded) / wide_px) {
        return false;
    }
    *out_ns = each * wide_px + rounded;
    return true;
}

uint32_t fg_gpu_view_lanes_of(const struct fg_gpu_view *view,
                              const struct fg_gpu_view_target *target)
{
    return fgi_gpu_lanes_of(view->sizes.gpu, &view->by_process, target->kind, target->lane);
}

static uint32_t lane_of_member(const struct fg_gpu_view *view,
                               const struct fg_gpu_view_target *target, uint32_t member)
{
    return fgi_gpu_lanes_at(view->sizes.gpu, &view->by_process, target->kind, target->lane, member);
}

/** Targets, and behind them the members of those that are folded. */
static enum fg_result list_asked(struct fg_gpu_view *view, const struct fg_gpu_view_target *targets,
                                 uint32_t target_count, uint32_t *out_members)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    uint32_t members = 0;
    for (uint32_t t = 0; t < target_count; t++) {
        const struct fg_gpu_view_target *target = &targets[t];
        struct fgi_gpu_view_asked asked = { .index = target->lane,
                                            .mode = (target->previous_mode & 0xff) };
        if (target->kind > FG_VIEW_PROCESS) {
            return FG_ERR_ARGUMENT;
        }
        const uint32_t lanes =
            target->kind != FG_VIEW_LANE ? fg_gpu_view_lanes_of(view, target) : 1;
        if (target->kind != FG_VIEW_LANE) { /* of no lane or one it is a lane */
            asked.index = lanes == 1 ? lane_of_member(view, target, 0) : FG_NONE;
        }
        if (lanes > 1) {
            if (lanes > sizes->members - members) {
                return FG_ERR_LIMIT;
            }
            asked = (struct fgi_gpu_view_asked){ .index = target->lane,
                                                 .mode = asked.mode | target->kind << 8,
                                                 .first = target_count + members,
                                                 .members = lanes };
            for (uint32_t i = 0; i < lanes; i++) {
                view->asked[target_count + members++] = (struct fgi_gpu_view_asked){
                    .index = lane_of_member(view, target, i), .mode = FG_VIEW_NONE, .first = t
                };
            }
        }
        view->asked[t] = asked;
    }
    *out_members = members;
    return FG_OK;
}

/** So many groups as what is asked takes. */
static void count_groups(struct fg_compute *compute, struct fgi_gpu_view_words *words)
{
    const uint32_t group = fgi_gpu_view_group(compute);
    const uint32_t limit = fg_compute_get_facts(compute)->group_limit;
    const uint32_t rows[FGI_GPU_VIEW_SPANS] = {
        [FGI_GPU_VIEW_TARGETS] = words->target_count,
        [FGI_GPU_VIEW_MEMBERS] = words->member_count,
        [FGI_GPU_VIEW_SLOTS] = words->slot_count,
        [FGI_GPU_VIEW_ALL_SLOTS] = words->all_slots,
    };
    for (unsigned i = 0; i < FGI_GPU_VIEW_SPANS; i++) {
        uint32_t folded[3];
        (void)fgi_compute_fold(fgi_prim_over(rows[i], group), limit,
                               folded); /* as the nodes' was */
        words->groups[i] = (VkDispatchIndirectCommand){ folded[0], folded[1], folded[2] };
    }
}

static enum fg_result write_words(struct fg_gpu_view *view, const struct fgi_gpu_view_words *words,
                                  const struct fg_gpu_view_target *targets, uint32_t target_count)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    struct fg_compute *compute = sizes->gpu->compute;
    const uint64_t each = (uint64_t)words->bin_count + 2;
    const uint64_t slots = each * target_count;
    uint32_t members = 0;
    if (target_count > sizes->targets || slots > sizes->slots) {
        return FG_ERR_LIMIT;
    }
    const enum fg_result result = list_asked(view, targets, target_count, &members);
    if (result != FG_OK || each * members > sizes->member_slots) {
        return result != FG_OK ? result : FG_ERR_LIMIT;
    }
    view->words = *words;
    view->words.target_count = target_count;
    view->words.slot_count = (uint32_t)slots;
    view->words.member_count = members;
    view->words.all_slots = (uint32_t)(slots + each * members);
    count_groups(compute, &view->words);
    view->written_bytes =
        fg_compute_write(compute, &view->control, 0, &view->words, sizeof view->words);
    const size_t bytes = ((size_t)target_count + members) * sizeof *view->asked;
    if (bytes > 0) {
        view->written_bytes += fg_compute_write(compute, &view->targets, 0, view->asked, bytes);
    }
    return FG_OK;
}

uint64_t fg_gpu_view_written_bytes(const struct fg_gpu_view *view)
{
    return view->written_bytes;
}

enum fg_result fg_gpu_view_ask(struct fg_gpu_view *view, const struct fg_gpu_view_window *window,
                               const struct fg_gpu_view_target *targets, uint32_t target_count)
{
    struct fgi_gpu_view_words words = view->words;
    if (window->start_ns >= window->end_ns || window->width_px == 0 ||
        window->width_px > FG_VIEW_WIDTH_MAX || window->detail > FG_DETAIL_DENSITY ||
        window->handoff > FG_HANDOFF_SMOOTH ||
        (window->wide_px > 0 && window->wide_px < SMALLEST_WIDE_PX)) {
        return FG_ERR_ARGUMENT;
    }
    unsigned level = 0;
    fg_gpu_view_bins_of(window, &level, &words.bin_count);
    words.level = level;
    words.start_ns = window->start_ns;
    words.end_ns = window->end_ns;
    words.first_bin = window->start_ns >> level;
    words.width_px = window->width_px;
    words.detail = window->detail;
    words.handoff = window->handoff;
    words.wide_ns = 0;
    words.has_wide = wide_duration(window, &words.wide_ns);
    return write_words(view, &words, targets, target_count);
}

enum fg_result fgi_gpu_view_ask_level(struct fg_gpu_view *view,
                                      const struct fgi_gpu_view_level *level,
                                      const struct fg_gpu_view_target *targets,
                                      uint32_t target_count)
{
    struct fgi_gpu_view_words words = view->words;
    words.level = level->level;
    words.first_bin = level->first_bin;
    words.bin_count = level->bin_count;
    /* No pixel, so that every lane with a span has bins; no window, so that no span meets it. */
    words.start_ns = words.end_ns = INT64_MIN;
    words.width_px = 0;
    words.detail = FG_DETAIL_DENSITY;
    words.handoff = FG_HANDOFF_HARD;
    words.wide_ns = 0;
    words.has_wide = 0;
    return write_words(view, &words, targets, target_count);
}

/* ---- its results ----------------------------------------------------------------------------- */

void fg_gpu_view_get_results(const struct fg_gpu_view *view,
                             struct fg_gpu_view_results *out_results)
{
    *out_results = (struct fg_gpu_view_results){
        .answers = view->answers.view,
        .totals = view->totals.view,
        .draw_bins = fg_compute_view_part(view->draws.view, 0, DRAW_BYTES),
        .draw_spans = fg_compute_view_part(view->draws.view, DRAW_BYTES, DRAW_BYTES),
        .bins_chunks = view->bins.column.chunk_count,
        .spans_chunks = view->rows.column.chunk_count,
        .spans_shift = view->rows.column.shift,
    };
}

struct fg_compute_view fg_gpu_view_bins_chunk(const struct fg_gpu_view *view, uint32_t chunk)
{
    return view->bins.column.chunks[chunk];
}

struct fg_compute_view fg_gpu_view_spans_chunk(const struct fg_gpu_view *view, uint32_t chunk)
{
    return view->rows.column.chunks[chunk];
}
