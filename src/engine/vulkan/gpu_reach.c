/* SPDX-License-Identifier: MIT */
/* Nodes for what is reached along dependencies. */
#include "engine/vulkan/gpu_reach.h"

#include <stddef.h>

#include <kernels/reach_alone.h>   /* made by the build */
#include <kernels/reach_begin.h>   /* made by the build */
#include <kernels/reach_claim.h>   /* made by the build */
#include <kernels/reach_degrees.h> /* made by the build */
#include <kernels/reach_next.h>    /* made by the build */
#include <kernels/reach_take.h>    /* made by the build */
#include <kernels/reach_won.h>     /* made by the build */

/** As in reach.glsl. */
struct reach_push {
    uint64_t trace, words, state, records;
};
#define KERNEL(name)                                                                               \
    static const struct fg_compute_kernel name##_kernel = { #name, FGI_CODE_##name,                \
                                                            sizeof(struct reach_push), 0 }
KERNEL(reach_begin);
KERNEL(reach_alone);
KERNEL(reach_degrees);
KERNEL(reach_claim);
KERNEL(reach_won);
KERNEL(reach_take);
KERNEL(reach_next);

enum {
    EDGES_OF_GROUP = 256,  /* as in reach.glsl */
    ARGUMENTS_BYTES = 256, /* of each dispatch, for any device's alignment */
    EXPAND = 0,
    CLAIM = 1,
    TAKE = 2,
};

/* ---- memory ---------------------------------------------------------------------------------- */

static uint32_t most_edges(const struct fgi_gpu_reach *reach)
{
    return reach->links->count * 2; /* fgi_gpu_links_take() has seen to it that they are numbered */
}

static enum fg_result take_memories(struct fgi_gpu_reach *reach)
{
    const struct fg_gpu_trace *gpu = reach->links->gpu;
    const uint64_t scan = fgi_scan_sums_bytes(gpu->compute, gpu->counts.rows);
    const uint64_t compact = fgi_compact_sums_bytes(gpu->compute, most_edges(reach));
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_reach_words), &reach->words },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_gpu_reach_state), &reach->state },
        { FG_COMPUTE_DEVICE, FGI_GPU_REACH_RECORDS * sizeof(struct fgi_gpu_reach_record),
          &reach->records },
        { FG_COMPUTE_DEVICE, 3 * ARGUMENTS_BYTES, &reach->arguments },
        { FG_COMPUTE_DEVICE, scan > compact ? scan : compact, &reach->sums },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fg_compute_memory_take(gpu->compute, wanted[i].kind, wanted[i].size_bytes,
                                        wanted[i].memory);
    }
    return result;
}

enum fg_result fgi_gpu_reach_take(const struct fgi_gpu_links *links, struct fgi_gpu_reach *reach)
{
    const struct fg_gpu_trace *gpu = links->gpu;
    const uint32_t rows = gpu->counts.rows;
    reach->links = links;
    const struct {
        struct fgi_gpu_column_memory *memory;
        uint64_t rows;
    } wanted[] = {
        { &reach->best, rows },    { &reach->rows, rows },
        { &reach->via, rows },     { &reach->mask, fgi_mask_words(rows) },
        { &reach->offsets, rows }, { &reach->edges, fgi_mask_words(most_edges(reach)) },
        { &reach->won, rows },
    };
    enum fg_result result = take_memories(reach);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows, 4, 0,
                                     wanted[i].memory);
    }
    return result;
}

void fgi_gpu_reach_end(struct fgi_gpu_reach *reach)
{
    if (!reach->links) {
        return;
    }
    struct fg_compute *compute = reach->links->gpu->compute;
    struct fgi_gpu_column_memory *columns[] = { &reach->best, &reach->rows,    &reach->via,
                                                &reach->mask, &reach->offsets, &reach->edges,
                                                &reach->won };
    struct fg_compute_memory *memories[] = { &reach->words, &reach->state, &reach->records,
                                             &reach->arguments, &reach->sums };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fgi_gpu_column_free(compute, columns[i]);
    }
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        fgi_gpu_memory_end(compute, memories[i]);
    }
    *reach = (struct fgi_gpu_reach){ 0 };
}

void fgi_gpu_reach_write(struct fgi_gpu_reach *reach, struct fgi_gpu_reach_words *words)
{
    const struct fgi_gpu_links *links = reach->links;
    words->out_offsets = fgi_gpu_column_push(&links->out.offsets.column);
    words->out_links = fgi_gpu_column_push(&links->out.links.column);
    words->out_others = fgi_gpu_column_push(&links->out.others.column);
    words->in_offsets = fgi_gpu_column_push(&links->in.offsets.column);
    words->in_links = fgi_gpu_column_push(&links->in.links.column);
    words->in_others = fgi_gpu_column_push(&links->in.others.column);
    words->families = fgi_gpu_column_push(&links->families.column);
    words->best = fgi_gpu_column_push(&reach->best.column);
    words->rows = fgi_gpu_column_push(&reach->rows.column);
    words->via = fgi_gpu_column_push(&reach->via.column);
    words->mask = fgi_gpu_column_push(&reach->mask.column);
    words->offsets = fgi_gpu_column_push(&reach->offsets.column);
    words->edges = fgi_gpu_column_push(&reach->edges.column);
    words->won = fgi_gpu_column_push(&reach->won.column);
    words->record_room = FGI_GPU_REACH_RECORDS;
    fg_compute_write(links->gpu->compute, &reach->words, 0, words, sizeof *words);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static struct fg_compute_view arguments_of(const struct fgi_gpu_reach *reach, uint32_t dispatch)
{
    return fg_compute_view_part(reach->arguments.view, (uint64_t)dispatch * ARGUMENTS_BYTES,
                                sizeof(VkDispatchIndirectCommand));
}
static struct fg_compute_view state_word(const struct fgi_gpu_reach *reach, size_t offset_bytes)
{
    return fg_compute_view_part(reach->state.view, offset_bytes, sizeof(uint32_t));
}
#define STATE_WORD(reach, member) state_word((reach), offsetof(struct fgi_gpu_reach_state, member))

/** What a node does; `columns` of the reached ones with an access. */
struct step {
    const struct fg_compute_kernel *kernel;
    uint64_t groups;
    struct fg_compute_view arguments; /**< zero: `groups` are dispatched */
    bool reads_links;
    struct {
        const struct fgi_gpu_column *column;
        uint64_t rows;
        uint32_t access;
    } columns[6];
};

static enum fg_result add_step(const struct fgi_gpu_reach *reach, const struct fgi_gpu_work *work,
                               const struct step *step)
{
    const struct fgi_gpu_links *links = reach->links;
    const struct reach_push push = { fgi_gpu_table_address(links->gpu), reach->words.view.address,
                                     reach->state.view.address, reach->records.view.address };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, step->kernel, &push, step->groups);
    if (step->arguments.size_bytes != 0) {
        node.node.kind = FG_COMPUTE_DISPATCH_INDIRECT;
        node.node.arguments = step->arguments;
    }
    fgi_gpu_use_columns(&node, links->gpu, 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END);
    if (step->reads_links) {
        fgi_gpu_links_use(&node, links, &links->out);
        fgi_gpu_links_use(&node, links, &links->in);
        fgi_prim_column(&node, &links->families.column, links->count, FG_COMPUTE_READ);
    }
    for (size_t i = 0; i < sizeof step->columns / sizeof *step->columns; i++) {
        if (step->columns[i].column) {
            fgi_prim_column(&node, step->columns[i].column, step->columns[i].rows,
                            step->columns[i].access);
        }
    }
    fgi_prim_view(&node, reach->words.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, reach->state.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, reach->records.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

static enum fg_result fill(const struct fgi_gpu_work *work, const struct fgi_gpu_column *column,
                           uint32_t word)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < column->chunk_count && result == FG_OK; i++) {
        result = fg_compute_sink_add(work->sink,
                                     FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                     .target = column->chunks[i], .word = word));
    }
    return result;
}

enum fg_result fgi_gpu_reach_begin(const struct fgi_gpu_reach *reach,
                                   const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = reach->links->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint32_t rows = gpu->counts.rows;
    enum fg_result result = fill(&work, &reach->best.column, UINT32_MAX);
    result = result == FG_OK ? fill(&work, &reach->mask.column, 0) : result;
    if (result == FG_OK) {
        result = fg_compute_sink_add(sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL,
                                                           .target = reach->state.view));
    }
    const uint32_t group = fgi_prim_group(gpu->compute, &reach_begin_kernel);
    const struct step step = {
        .kernel = &reach_begin_kernel,
        .groups = fgi_prim_over(rows, group),
        .columns = { { &reach->best.column, rows, FG_COMPUTE_READ_WRITE },
                     { &reach->rows.column, rows, FG_COMPUTE_READ_WRITE },
                     { &reach->via.column, rows, FG_COMPUTE_READ_WRITE },
                     { &reach->mask.column, fgi_mask_words(rows), FG_COMPUTE_READ_WRITE } },
    };
    return result == FG_OK ? add_step(reach, &work, &step) : result;
}

static enum fg_result add_arguments(const struct fgi_gpu_reach *reach,
                                    const struct fgi_gpu_work *work, uint32_t dispatch,
                                    struct fgi_count count, uint32_t rows_of_group)
{
    const struct fgi_arguments arguments = { .count = count,
                                             .rows_of_group = rows_of_group,
                                             .dispatch = arguments_of(reach, dispatch) };
    return fgi_arguments(work, &arguments);
}

/** Where each row's dependencies begin in the hop. */
static enum fg_result add_offsets(const struct fgi_gpu_reach *reach,
                                  const struct fgi_gpu_work *work, uint32_t rows)
{
    const struct fgi_count count = { rows, STATE_WORD(reach, expand) };
    const uint32_t group = fgi_prim_group(work->compute, &reach_degrees_kernel);
    const struct step degrees = {
        .kernel = &reach_degrees_kernel,
        .groups = fgi_prim_over(rows, group),
        .arguments = arguments_of(reach, EXPAND),
        .reads_links = true,
        .columns = { { &reach->rows.column, rows, FG_COMPUTE_READ },
                     { &reach->offsets.column, rows, FG_COMPUTE_WRITE } },
    };
    const struct fgi_scan scan = { .kind = FGI_SCAN_SUM_U32,
                                   .source = reach->offsets.column,
                                   .target = reach->offsets.column,
                                   .count = count,
                                   .total = STATE_WORD(reach, edges),
                                   .sums = reach->sums.view };
    enum fg_result result = add_arguments(reach, work, EXPAND, count, group);
    result = result == FG_OK ? add_step(reach, work, &degrees) : result;
    return result == FG_OK ? fgi_scan(work, &scan) : result;
}

/** Which dependencies find their rows first. */
static enum fg_result add_claims(const struct fgi_gpu_reach *reach, const struct fgi_gpu_work *work,
                                 uint32_t rows)
{
    const struct fgi_count count = { most_edges(reach), STATE_WORD(reach, edges) };
    struct step step = {
        .kernel = &reach_claim_kernel,
        .groups = fgi_prim_over(count.limit, EDGES_OF_GROUP),
        .arguments = arguments_of(reach, CLAIM),
        .reads_links = true,
        .columns = { { &reach->rows.column, rows, FG_COMPUTE_READ },
                     { &reach->offsets.column, rows, FG_COMPUTE_READ },
                     { &reach->best.column, rows, FG_COMPUTE_READ_WRITE } },
    };
    const struct fgi_compact compact = { .mask = reach->edges.column,
                                         .count = count,
                                         .target = reach->won.column,
                                         .capacity = rows,
                                         .total = STATE_WORD(reach, won),
                                         .sums = reach->sums.view };
    enum fg_result result = add_arguments(reach, work, CLAIM, count, EDGES_OF_GROUP);
    result = result == FG_OK ? add_step(reach, work, &step) : result;
    step.kernel = &reach_won_kernel;
    step.columns[3].column = &reach->edges.column;
    step.columns[3].rows = fgi_mask_words(count.limit);
    step.columns[3].access = FG_COMPUTE_WRITE;
    result = result == FG_OK ? add_step(reach, work, &step) : result;
    return result == FG_OK ? fgi_compact(work, &compact) : result;
}

/** What they found stands behind the hop, which is over. */
static enum fg_result add_found(const struct fgi_gpu_reach *reach, const struct fgi_gpu_work *work,
                                uint32_t rows)
{
    const struct fgi_count count = { rows, STATE_WORD(reach, won) };
    const uint32_t group = fgi_prim_group(work->compute, &reach_take_kernel);
    const struct step take = {
        .kernel = &reach_take_kernel,
        .groups = fgi_prim_over(rows, group),
        .arguments = arguments_of(reach, TAKE),
        .reads_links = true,
        .columns = { { &reach->rows.column, rows, FG_COMPUTE_READ_WRITE },
                     { &reach->offsets.column, rows, FG_COMPUTE_READ },
                     { &reach->won.column, rows, FG_COMPUTE_READ },
                     { &reach->via.column, rows, FG_COMPUTE_WRITE },
                     { &reach->mask.column, fgi_mask_words(rows), FG_COMPUTE_READ_WRITE } },
    };
    const struct step next = { .kernel = &reach_next_kernel, .groups = 1 };
    enum fg_result result = add_arguments(reach, work, TAKE, count, group);
    result = result == FG_OK ? add_step(reach, work, &take) : result;
    return result == FG_OK ? add_step(reach, work, &next) : result;
}

enum fg_result fgi_gpu_reach_go_on(const struct fgi_gpu_reach *reach,
                                   const struct fg_compute_sink *sink)
{
    const struct fg_gpu_trace *gpu = reach->links->gpu;
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu, sink);
    const uint32_t rows = gpu->counts.rows;
    const struct step alone = {
        .kernel = &reach_alone_kernel,
        .groups = 1,
        .reads_links = true,
        .columns = { { &reach->best.column, rows, FG_COMPUTE_READ_WRITE },
                     { &reach->rows.column, rows, FG_COMPUTE_READ_WRITE },
                     { &reach->via.column, rows, FG_COMPUTE_WRITE },
                     { &reach->mask.column, fgi_mask_words(rows), FG_COMPUTE_READ_WRITE } },
    };
    enum fg_result result = add_step(reach, &work, &alone);
    result = result == FG_OK ? add_offsets(reach, &work, rows) : result;
    result = result == FG_OK ? add_claims(reach, &work, rows) : result;
    return result == FG_OK ? add_found(reach, &work, rows) : result;
}
