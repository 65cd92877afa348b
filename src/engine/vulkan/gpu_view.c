/* SPDX-License-Identifier: MIT */
/* Views of lanes: their memory, what is asked, and their nodes. */
#include "engine/vulkan/gpu_view.h"

#include "base/alloc.h"
#include "trace/model.h"
#include <string.h>

#include <kernels/view_best.h>   /* made by the build */
#include <kernels/view_choose.h> /* made by the build */
#include <kernels/view_mark.h>   /* made by the build */
#include <kernels/view_places.h> /* made by the build */
#include <kernels/view_put.h>    /* made by the build */
#include <kernels/view_spans.h>  /* made by the build */

enum {
    DEFAULT_WIDE_PX = 24,
    SMALLEST_WIDE_PX = 4,
    ITEM_QUADS = 3,
    QUAD_BYTES = 16,
    TARGET_QUADS = 2,
    VERTICES = 6,
    DRAW_BYTES = 16,
};

/** As in view.glsl. */
struct view_push {
    uint64_t trace, population, words;
};
/** One pass of a view; what it touches by bits. */
enum pass_uses {
    USES_TARGETS = 1,
    USES_PLACES = 2,
    USES_BEST = 4,
    USES_MARKS = 8,
    PUTS_RECORDS = 16,
    PUTS_PLACES = 32,
    PUTS_BEST = 64,
    PUTS_MARKS = 128,
    PUTS_ANSWERS = 256,
    PUTS_ROWS = 512,
};
struct pass {
    struct fg_compute_kernel kernel;
    uint32_t uses;
};
#define PASS(name, uses)                                                                           \
    {                                                                                              \
        { #name, FGI_CODE_##name, sizeof(struct view_push), 0 }, (uses)                            \
    }
static const struct pass choose_pass = PASS(view_choose, USES_TARGETS | PUTS_RECORDS);
static const struct pass places_pass = PASS(view_places, PUTS_PLACES);
static const struct pass best_pass = PASS(view_best, USES_PLACES | PUTS_BEST);
static const struct pass mark_pass = PASS(view_mark, USES_PLACES | USES_BEST | PUTS_MARKS);
static const struct pass put_pass =
    PASS(view_put, USES_PLACES | USES_BEST | USES_MARKS | PUTS_ANSWERS | PUTS_ROWS);
static const struct pass spans_pass = PASS(view_spans, USES_MARKS | PUTS_ROWS);

/* ---- making it ------------------------------------------------------------------------------- */

static enum fg_result take_memory(struct fg_gpu_view *view)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    struct fg_compute *compute = sizes->gpu->compute;
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof view->words, &view->control },
        { FG_COMPUTE_CONTROL, sizes->targets * sizeof(struct fg_gpu_view_target), &view->targets },
        { FG_COMPUTE_DEVICE, (uint64_t)sizes->targets * TARGET_QUADS * QUAD_BYTES, &view->records },
        { FG_COMPUTE_DEVICE, sizes->targets * sizeof(struct fg_gpu_view_answer), &view->answers },
        { FG_COMPUTE_DEVICE, 2 * sizeof(uint32_t), &view->totals },
        { FG_COMPUTE_DEVICE, 2 * DRAW_BYTES, &view->draws },
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
    const struct {
        uint64_t rows;
        uint32_t row_bytes;
        struct fgi_gpu_column_memory *memory;
    } wanted[] = {
        { sizes->slots, 4, &view->places },
        { sizes->slots, 4, &view->best },
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

enum fg_result fg_gpu_view_create(const struct fg_gpu_view_sizes *sizes,
                                  struct fg_gpu_view **out_view)
{
    if (!sizes->gpu || sizes->targets == 0 || sizes->slots == 0 || sizes->spans == 0 ||
        sizes->slots > FGI_GPU_COLUMN_MAX_ROWS / ITEM_QUADS ||
        sizes->spans >= FGI_GPU_COLUMN_MAX_ROWS / sizes->targets) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_view *view = fgi_calloc(sizes->gpu->allocator, 1, sizeof *view);
    if (!view) {
        return FG_ERR_NO_MEMORY;
    }
    view->sizes = *sizes;
    enum fg_result result = take_memory(view);
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
    struct fg_compute *compute = view->sizes.gpu->compute;
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
    fgi_free(view->sizes.gpu->allocator, view, sizeof *view);
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

static enum fg_result write_words(struct fg_gpu_view *view, const struct fgi_gpu_view_words *words,
                                  const struct fg_gpu_view_target *targets, uint32_t target_count)
{
    struct fg_compute *compute = view->sizes.gpu->compute;
    const uint64_t slots = ((uint64_t)words->bin_count + 2) * target_count;
    if (target_count > view->sizes.targets || slots > view->sizes.slots) {
        return FG_ERR_LIMIT;
    }
    view->words = *words;
    view->words.target_count = target_count;
    view->words.slot_count = (uint32_t)slots;
    fg_compute_write(compute, &view->control, 0, &view->words, sizeof view->words);
    if (target_count > 0) {
        fg_compute_write(compute, &view->targets, 0, targets, target_count * sizeof *targets);
    }
    return FG_OK;
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

/* ---- its nodes ------------------------------------------------------------------------------- */

static enum fg_result add_pass(const struct fgi_gpu_work *work, const struct fg_gpu_view *view,
                               const struct fg_gpu_population *population, const struct pass *pass,
                               uint32_t rows)
{
    const struct fg_gpu_trace *gpu = view->sizes.gpu;
    const uint64_t all = FGI_GPU_COLUMN_MAX_ROWS;
    const struct view_push push = { fgi_gpu_table_address(gpu),
                                    fgi_gpu_population_address(population),
                                    view->control.view.address };
    const struct {
        uint32_t reads, writes;
        const struct fgi_gpu_column *column;
    } columns[] = {
        { USES_PLACES, PUTS_PLACES, &view->places.column },
        { USES_BEST, PUTS_BEST, &view->best.column },
        { USES_MARKS, PUTS_MARKS, &view->marks.column },
        { 0, PUTS_ANSWERS, &view->bins.column },
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &pass->kernel, &push,
                   fgi_prim_over(rows, fgi_prim_group(gpu->compute, &pass->kernel)));
    fgi_gpu_use_columns(&node, gpu, 1u << FG_GPU_COLUMN_KIND);
    fgi_gpu_use_population(&node, population, (1u << FG_GPU_POPULATION_COLUMNS) - 1,
                           FG_COMPUTE_READ);
    fgi_prim_view(&node, view->control.view, UINT64_MAX, FG_COMPUTE_READ);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if ((pass->uses & (columns[i].reads | columns[i].writes)) != 0) {
            fgi_prim_column(&node, columns[i].column, all,
                            (pass->uses & columns[i].reads) != 0 ? FG_COMPUTE_READ
                                                                 : FG_COMPUTE_WRITE);
        }
    }
    if ((pass->uses & USES_TARGETS) != 0) {
        fgi_prim_view(&node, view->targets.view, UINT64_MAX, FG_COMPUTE_READ);
    }
    fgi_prim_view(&node, view->records.view, UINT64_MAX,
                  (pass->uses & PUTS_RECORDS) != 0 ? FG_COMPUTE_WRITE : FG_COMPUTE_READ);
    if ((pass->uses & USES_MARKS) != 0) {
        fgi_prim_view(&node, view->totals.view, UINT64_MAX, FG_COMPUTE_READ);
    }
    if ((pass->uses & PUTS_ANSWERS) != 0) {
        fgi_prim_view(&node, view->answers.view, UINT64_MAX, FG_COMPUTE_WRITE);
    }
    if ((pass->uses & PUTS_ROWS) != 0) { /* wide spans and all others go to different places */
        fgi_prim_column(&node, &view->rows.column, all, FG_COMPUTE_WRITE | FG_COMPUTE_TOGETHER);
    }
    return fgi_prim_add(&node);
}

/** What the marks of all slots come to, before each. */
static enum fg_result add_scan(const struct fgi_gpu_work *work, const struct fg_gpu_view *view)
{
    const struct fgi_scan scan = {
        .kind = FGI_SCAN_SUM_U64,
        .source = view->marks.column,
        .target = view->marks.column,
        .count = { .limit = view->sizes.slots,
                   .device = fg_compute_view_part(view->control.view,
                                                  offsetof(struct fgi_gpu_view_words, slot_count),
                                                  sizeof(uint32_t)) },
        .total = view->totals.view,
        .sums = view->sums.view,
    };
    return fgi_scan(work, &scan);
}

static enum fg_result add_draws(const struct fgi_gpu_work *work, const struct fg_gpu_view *view)
{
    const uint32_t limits[] = { view->sizes.slots, view->sizes.spans };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < 2 && result == FG_OK; i++) {
        const struct fgi_arguments arguments = {
            .count = { .limit = limits[i],
                       .device = fg_compute_view_part(view->totals.view, i * sizeof(uint32_t),
                                                      sizeof(uint32_t)) },
            .rows_of_group = 1,
            .vertex_count = VERTICES,
            .draw = fg_compute_view_part(view->draws.view, (uint64_t)i * DRAW_BYTES, DRAW_BYTES),
        };
        result = fgi_arguments(work, &arguments);
    }
    return result;
}

enum fg_result fg_gpu_view_add(const struct fg_gpu_view *view,
                               const struct fg_gpu_population *population,
                               const struct fg_compute_sink *sink)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    const struct fgi_gpu_work work = fgi_gpu_work_of(sizes->gpu, sink);
    enum fg_result result = add_pass(&work, view, population, &choose_pass, sizes->targets);
    const struct pass *of_slots[] = { &places_pass, &best_pass, &mark_pass };
    for (size_t i = 0; i < sizeof of_slots / sizeof *of_slots && result == FG_OK; i++) {
        result = add_pass(&work, view, population, of_slots[i], sizes->slots);
    }
    result = result == FG_OK ? add_scan(&work, view) : result;
    if (result == FG_OK) {
        result = add_pass(&work, view, population, &put_pass, sizes->slots);
    }
    if (result == FG_OK) {
        result = add_pass(&work, view, population, &spans_pass, sizes->spans);
    }
    return result == FG_OK ? add_draws(&work, view) : result;
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
