/* SPDX-License-Identifier: MIT */
/* The nodes of a view: what a pass touches, and in which order they come. */
#include "engine/vulkan/gpu_view.h"

#include <kernels/view_best.h>    /* made by the build */
#include <kernels/view_choose.h>  /* made by the build */
#include <kernels/view_fold.h>    /* made by the build */
#include <kernels/view_mark.h>    /* made by the build */
#include <kernels/view_places.h>  /* made by the build */
#include <kernels/view_members.h> /* made by the build */
#include <kernels/view_put.h>     /* made by the build */
#include <kernels/view_reach.h>   /* made by the build */
#include <kernels/view_spans.h>   /* made by the build */

enum { VERTICES = 6, DRAW_BYTES = sizeof(VkDrawIndirectCommand) };

/** As in view.glsl. */
struct view_push {
    uint64_t trace, population, words, tracks, processes;
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
    JOINS_BEST = 1024, /* of targets from those of members */
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
static const struct pass members_pass = PASS(view_members, USES_TARGETS | PUTS_RECORDS);
static const struct pass places_pass = PASS(view_places, PUTS_PLACES);
static const struct pass best_pass = PASS(view_best, USES_PLACES | PUTS_BEST);
static const struct pass fold_pass = PASS(view_fold, JOINS_BEST);
static const struct pass mark_pass = PASS(view_mark, USES_PLACES | USES_BEST | PUTS_MARKS);
static const struct pass put_pass =
    PASS(view_put, USES_PLACES | USES_BEST | USES_MARKS | PUTS_ANSWERS | PUTS_ROWS);
static const struct pass spans_pass = PASS(view_spans, USES_MARKS | PUTS_ROWS);
static const struct pass reach_pass = PASS(view_reach, USES_MARKS | PUTS_ROWS);

uint32_t fgi_gpu_view_group(const struct fg_compute *compute)
{
    return fgi_prim_group(compute, &choose_pass.kernel);
}

/** What a view's nodes stand on. */
struct standing {
    const struct fgi_gpu_work work;
    const struct fg_gpu_view *view;
    const struct fg_gpu_population *population;
    const struct fg_gpu_fold *tracks, *processes;
};

/** Where a pass finds how many groups it has. */
static struct fg_compute_view groups_of(const struct fg_gpu_view *view,
                                        enum fgi_gpu_view_extent extent)
{
    const uint64_t bytes = sizeof(VkDispatchIndirectCommand);
    return extent == FGI_GPU_VIEW_SPANS
               ? fg_compute_view_part(view->draws.view, 2 * DRAW_BYTES, bytes)
               : fg_compute_view_part(view->control.view,
                                      offsetof(struct fgi_gpu_view_words, groups) + extent * bytes,
                                      bytes);
}

/** @param rows the most that there may be */
static enum fg_result add_pass(const struct standing *on, const struct pass *pass,
                               enum fgi_gpu_view_extent extent, uint64_t rows)
{
    const struct fg_gpu_view *view = on->view;
    const struct fg_gpu_trace *gpu = view->sizes.gpu;
    const uint64_t all = FGI_GPU_COLUMN_MAX_ROWS;
    const uint64_t lanes = fgi_gpu_population_address(on->population);
    /* Where there is no fold something else is in its place: it is not used, but where branches are
       not taken by all some drivers load what a branch begins with. */
    const struct view_push push = { fgi_gpu_table_address(gpu), lanes, view->control.view.address,
                                    on->tracks ? on->tracks->table.view.address : lanes,
                                    on->processes ? on->processes->table.view.address : lanes };
    const struct {
        uint32_t reads, writes, both;
        const struct fgi_gpu_column *column;
    } columns[] = {
        { USES_PLACES, PUTS_PLACES, 0, &view->places.column },
        { USES_BEST, PUTS_BEST, JOINS_BEST, &view->best.column },
        { USES_MARKS, PUTS_MARKS, 0, &view->marks.column },
        { 0, PUTS_ANSWERS, 0, &view->bins.column },
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, &on->work, &pass->kernel, &push,
                   fgi_prim_over(rows, fgi_prim_group(gpu->compute, &pass->kernel)));
    node.node.kind = FG_COMPUTE_DISPATCH_INDIRECT;
    node.node.arguments = groups_of(view, extent);
    fgi_gpu_use_columns(
        &node, gpu, 1u << FG_GPU_COLUMN_KIND | 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END);
    fgi_gpu_use_population(&node, on->population, (1u << FG_GPU_POPULATION_COLUMNS) - 1,
                           FG_COMPUTE_READ);
    fgi_gpu_use_fold(&node, on->tracks);
    fgi_gpu_use_fold(&node, on->processes);
    fgi_prim_view(&node, view->control.view, UINT64_MAX, FG_COMPUTE_READ);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const uint32_t access = (pass->uses & columns[i].both) != 0     ? FG_COMPUTE_READ_WRITE
                                : (pass->uses & columns[i].reads) != 0  ? FG_COMPUTE_READ
                                : (pass->uses & columns[i].writes) != 0 ? FG_COMPUTE_WRITE
                                                                        : 0;
        if (access != 0) {
            fgi_prim_column(&node, columns[i].column, all, access);
        }
    }
    if ((pass->uses & USES_TARGETS) != 0) {
        fgi_prim_view(&node, view->targets.view, UINT64_MAX, FG_COMPUTE_READ);
    }
    fgi_prim_view(&node, view->records.view, UINT64_MAX,
                  (pass->uses & PUTS_RECORDS) != 0 ? FG_COMPUTE_READ_WRITE : FG_COMPUTE_READ);
    if ((pass->uses & USES_MARKS) != 0) {
        fgi_prim_view(&node, view->totals.view, UINT64_MAX, FG_COMPUTE_READ);
    }
    if ((pass->uses & PUTS_ANSWERS) != 0) {
        fgi_prim_view(&node, view->answers.view, UINT64_MAX, FG_COMPUTE_WRITE);
    }
    if ((pass->uses & PUTS_ROWS) != 0) { /* each kind of spans goes to places of its own */
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
            .rows_of_group = i == 0 ? 1 : fgi_prim_group(work->compute, &spans_pass.kernel),
            .dispatch =
                i == 0 ? (struct fg_compute_view){ 0 } : groups_of(view, FGI_GPU_VIEW_SPANS),
            .vertex_count = VERTICES,
            .draw = fg_compute_view_part(view->draws.view, (uint64_t)i * DRAW_BYTES, DRAW_BYTES),
        };
        result = fgi_arguments(work, &arguments);
    }
    return result;
}

static bool is_fold_of(const struct fg_gpu_fold *fold, const struct fg_gpu_population *population,
                       uint32_t kind)
{
    return !fold || (fold->population == population && fold->kind == kind);
}

enum fg_result fg_gpu_view_add_folded(const struct fg_gpu_view *view,
                                      const struct fg_gpu_population *population,
                                      const struct fg_gpu_fold *tracks,
                                      const struct fg_gpu_fold *processes,
                                      const struct fg_compute_sink *sink)
{
    const struct fg_gpu_view_sizes *sizes = &view->sizes;
    const struct standing on = { fgi_gpu_work_of(sizes->gpu, sink), view, population, tracks,
                                 processes };
    const bool folds = tracks || processes;
    const uint32_t members = folds ? sizes->members : 0;
    const uint64_t slots = (uint64_t)sizes->slots + (folds ? sizes->member_slots : 0);
    const struct {
        const struct pass *pass; /**< NULL: the scan, and arguments of what follows from it */
        enum fgi_gpu_view_extent extent;
        uint64_t rows;
        bool is_of_folds;
    } passes[] = {
        { &choose_pass, FGI_GPU_VIEW_TARGETS, sizes->targets, false },
        { &members_pass, FGI_GPU_VIEW_MEMBERS, members, true },
        { &places_pass, FGI_GPU_VIEW_ALL_SLOTS, slots, false },
        { &best_pass, FGI_GPU_VIEW_ALL_SLOTS, slots, false },
        { &fold_pass, FGI_GPU_VIEW_SLOTS, sizes->slots, true },
        { &mark_pass, FGI_GPU_VIEW_SLOTS, sizes->slots, false },
        { NULL, FGI_GPU_VIEW_SLOTS, 0, false },
        { &put_pass, FGI_GPU_VIEW_SLOTS, sizes->slots, false },
        { &spans_pass, FGI_GPU_VIEW_SPANS, sizes->spans, false },
        { &reach_pass, FGI_GPU_VIEW_MEMBERS, members, true },
    };
    if (!is_fold_of(tracks, population, FG_VIEW_TRACK) ||
        !is_fold_of(processes, population, FG_VIEW_PROCESS)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof passes / sizeof *passes && result == FG_OK; i++) {
        if (!passes[i].pass) {
            result = add_scan(&on.work, view);
            result = result == FG_OK ? add_draws(&on.work, view) : result;
        } else if (folds || !passes[i].is_of_folds) {
            result = add_pass(&on, passes[i].pass, passes[i].extent, passes[i].rows);
        }
    }
    return result;
}

enum fg_result fg_gpu_view_add(const struct fg_gpu_view *view,
                               const struct fg_gpu_population *population,
                               const struct fg_compute_sink *sink)
{
    return fg_gpu_view_add_folded(view, population, NULL, NULL, sink);
}
