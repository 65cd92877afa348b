/* SPDX-License-Identifier: MIT */
/* Nodes for paths over dependencies. */
#include "engine/vulkan/gpu_path.h"

#include <kernels/path_alone.h>      /* made by the build */
#include <kernels/path_back.h>       /* made by the build */
#include <kernels/path_back_alone.h> /* made by the build */
#include <kernels/path_begin.h>      /* made by the build */
#include <kernels/path_chain.h>      /* made by the build */
#include <kernels/path_end.h>        /* made by the build */
#include <kernels/path_figures.h>    /* made by the build */
#include <kernels/path_open.h>       /* made by the build */
#include <kernels/path_take.h>       /* made by the build */

/** As in path.glsl. */
struct path_push {
    uint64_t trace, words, state, arguments;
};
#define KERNEL(name)                                                                               \
    static const struct fg_compute_kernel name##_kernel = { #name, FGI_CODE_##name,                \
                                                            sizeof(struct path_push), 0 }
KERNEL(path_begin);
KERNEL(path_open);
KERNEL(path_alone);
KERNEL(path_take);
KERNEL(path_end);
KERNEL(path_back_alone);
KERNEL(path_back);
KERNEL(path_figures);
KERNEL(path_chain);

enum { ROWS_OF_GROUP = 256 /* of a pass over all rows, as in path.glsl */ };

/* ---- memory ---------------------------------------------------------------------------------- */

static enum fg_result take_memories(const struct fg_gpu_trace *gpu, struct fgi_gpu_path *path)
{
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_path_words), &path->words },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_gpu_path_state), &path->state },
        { FG_COMPUTE_DEVICE, sizeof(VkDispatchIndirectCommand), &path->arguments },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_reduction), &path->longest },
        { FG_COMPUTE_DEVICE, fgi_reduce_parts_bytes(gpu->compute, gpu->counts.rows), &path->parts },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result = fg_compute_memory_take(gpu->compute, wanted[i].kind, wanted[i].size_bytes,
                                        wanted[i].memory);
    }
    return result;
}

enum fg_result fgi_gpu_path_take(const struct fgi_gpu_links *links,
                                 const struct fgi_gpu_path_sizes *sizes, struct fgi_gpu_path *path)
{
    const struct fg_gpu_trace *gpu = links->gpu;
    const uint32_t rows = gpu->counts.rows;
    const uint32_t words = fgi_mask_words(rows);
    const uint32_t figures = sizes->figures;
    const struct {
        bool is_wanted;
        uint32_t rows, row_bytes;
        struct fgi_gpu_column_memory *memory;
    } wanted[] = {
        { !sizes->is_whole, words, 4, &path->part },
        { true, rows, 4, &path->open },
        { true, rows, 16, &path->nodes },
        { true, rows, 4, &path->order },
        { true, rows + 1, 4, &path->layers },
        { true, words, 4, &path->turned },
        { true, words, 4, &path->stuck },
        { true, rows, 8, &path->lengths },
        { figures & FG_PATH_ROOTS, rows, 4, &path->roots },
        { figures & (FG_PATH_SLACKS | FG_PATH_TIMES), rows, 8, &path->tails },
        { figures & FG_PATH_SLACKS, rows, 8, &path->slacks },
        { figures & FG_PATH_TIMES, rows, 8, &path->earliest },
        { figures & FG_PATH_TIMES, rows, 8, &path->latest },
        { figures & FG_PATH_PREDECESSORS, rows, 4, &path->predecessors },
        { figures & FG_PATH_HOPS, rows, 4, &path->hops },
    };
    path->links = links;
    enum fg_result result = take_memories(gpu, path);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        if (wanted[i].is_wanted) {
            result = fgi_gpu_column_take(gpu->compute, gpu->allocator, wanted[i].rows,
                                         wanted[i].row_bytes, 0, wanted[i].memory);
        }
    }
    return result;
}

enum fg_result fgi_gpu_path_take_chain(struct fgi_gpu_path *path, uint32_t rows)
{
    const struct fg_gpu_trace *gpu = path->links->gpu;
    return fgi_gpu_column_take(gpu->compute, gpu->allocator, rows, 4, 0, &path->chain);
}

void fgi_gpu_path_end(struct fgi_gpu_path *path)
{
    if (!path->links) {
        return;
    }
    struct fg_compute *compute = path->links->gpu->compute;
    struct fgi_gpu_column_memory *columns[] = {
        &path->part,         &path->open,     &path->nodes,  &path->order,
        &path->layers,       &path->turned,   &path->stuck,  &path->lengths,
        &path->roots,        &path->tails,    &path->slacks, &path->latest,
        &path->predecessors, &path->earliest, &path->hops,   &path->chain,
    };
    struct fg_compute_memory *memories[] = { &path->words, &path->state, &path->arguments,
                                             &path->longest, &path->parts };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fgi_gpu_column_free(compute, columns[i]);
    }
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        fgi_gpu_memory_end(compute, memories[i]);
    }
    *path = (struct fgi_gpu_path){ 0 };
}

void fgi_gpu_path_write(struct fgi_gpu_path *path, struct fgi_gpu_path_words *words)
{
    const struct fgi_gpu_links *links = path->links;
    struct fg_compute *compute = links->gpu->compute;
    const struct {
        struct fgi_gpu_column_push *push;
        const struct fgi_gpu_column_memory *memory;
    } columns[] = {
        { &words->out_offsets, &links->out.offsets },
        { &words->out_links, &links->out.links },
        { &words->out_others, &links->out.others },
        { &words->in_offsets, &links->in.offsets },
        { &words->in_links, &links->in.links },
        { &words->in_others, &links->in.others },
        { &words->families, &links->families },
        { &words->part, &path->part },
        { &words->open, &path->open },
        { &words->nodes, &path->nodes },
        { &words->order, &path->order },
        { &words->layers, &path->layers },
        { &words->turned, &path->turned },
        { &words->stuck, &path->stuck },
        { &words->lengths, &path->lengths },
        { &words->roots, &path->roots },
        { &words->tails, &path->tails },
        { &words->slacks, &path->slacks },
        { &words->earliest, &path->earliest },
        { &words->latest, &path->latest },
        { &words->predecessors, &path->predecessors },
        { &words->hops, &path->hops },
        { &words->chain, &path->chain },
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        *columns[i].push = fgi_gpu_column_push(&columns[i].memory->column);
    }
    words->passing = fgi_gpu_column_push(&path->passing);
    words->group_rows = fgi_prim_group(compute, &path_take_kernel);
    words->back_rows = fgi_prim_group(compute, &path_back_kernel);
    words->chain_step = FGI_GPU_PATH_CHAIN;
    fg_compute_write(compute, &path->words, 0, words, sizeof *words);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/** What a node touches of the path: columns that it only reads, and those that it changes. */
struct step {
    const struct fg_compute_kernel *kernel;
    uint64_t groups;
    bool is_indirect; /**< as `arguments` say: at most `groups` */
    bool reads_links;
    const struct fgi_gpu_column_memory *reads[4];
    const struct fgi_gpu_column_memory *writes[8];
};

static enum fg_result add_step(const struct fgi_gpu_path *path, const struct fgi_gpu_work *work,
                               const struct step *step)
{
    const struct fgi_gpu_links *links = path->links;
    const struct path_push push = { fgi_gpu_table_address(links->gpu), path->words.view.address,
                                    path->state.view.address, path->arguments.view.address };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, step->kernel, &push, step->groups);
    if (step->is_indirect) {
        node.node.kind = FG_COMPUTE_DISPATCH_INDIRECT;
        node.node.arguments = path->arguments.view;
    }
    fgi_gpu_use_columns(&node, links->gpu, 1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END);
    if (step->reads_links) {
        fgi_gpu_links_use(&node, links, &links->in);
        fgi_gpu_links_use(&node, links, &links->out);
        fgi_prim_column(&node, &links->families.column, links->count, FG_COMPUTE_READ);
    }
    for (size_t i = 0; i < sizeof step->reads / sizeof *step->reads && step->reads[i]; i++) {
        fgi_prim_column(&node, &step->reads[i]->column, UINT32_MAX, FG_COMPUTE_READ);
    }
    for (size_t i = 0; i < sizeof step->writes / sizeof *step->writes && step->writes[i]; i++) {
        fgi_prim_column(&node, &step->writes[i]->column, UINT32_MAX, FG_COMPUTE_READ_WRITE);
    }
    fgi_prim_view(&node, path->words.view, UINT64_MAX, FG_COMPUTE_READ);
    fgi_prim_view(&node, path->state.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    if (step->kernel == &path_begin_kernel) {
        fgi_prim_column(&node, &path->passing, fgi_mask_words(links->gpu->counts.rows),
                        FG_COMPUTE_READ);
    }
    if (step->kernel == &path_figures_kernel) {
        fgi_prim_view(&node, path->longest.view, UINT64_MAX, FG_COMPUTE_READ);
    }
    if (!step->is_indirect) {
        fgi_prim_view(&node, path->arguments.view, UINT64_MAX, FG_COMPUTE_READ_WRITE);
    }
    return fgi_prim_add(&node);
}

static uint32_t groups_of(const struct fgi_gpu_work *work, uint32_t rows,
                          const struct fg_compute_kernel *kernel)
{
    return fgi_prim_over(rows, fgi_prim_group(work->compute, kernel));
}

/** Memory that a kernel reads before it has written it. */
static enum fg_result clear(const struct fgi_gpu_path *path, const struct fgi_gpu_work *work)
{
    const struct fg_compute_view views[] = { path->state.view, path->arguments.view };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof views / sizeof *views && result == FG_OK; i++) {
        result = fg_compute_sink_add(
            work->sink,
            FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL, .target = views[i]));
    }
    return result;
}

enum fg_result fgi_gpu_path_begin(const struct fgi_gpu_path *path,
                                  const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(path->links->gpu, sink);
    const uint32_t rows = path->links->gpu->counts.rows;
    const struct step begin = { .kernel = &path_begin_kernel,
                                .groups = fgi_prim_over(rows, ROWS_OF_GROUP),
                                .writes = { &path->nodes, &path->roots, &path->tails,
                                            &path->part } };
    const struct step open = { .kernel = &path_open_kernel,
                               .groups = groups_of(&work, rows, &path_open_kernel),
                               .reads_links = true,
                               .reads = { &path->part },
                               .writes = { &path->open, &path->order } };
    enum fg_result result = clear(path, &work);
    result = result == FG_OK ? add_step(path, &work, &begin) : result;
    return result == FG_OK ? add_step(path, &work, &open) : result;
}

enum fg_result fgi_gpu_path_turns(const struct fgi_gpu_path *path,
                                  const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(path->links->gpu, sink);
    const uint32_t rows = path->links->gpu->counts.rows;
    struct step alone = { .kernel = &path_alone_kernel,
                          .groups = 1,
                          .reads_links = true,
                          .reads = { &path->part },
                          .writes = { &path->open, &path->nodes, &path->order, &path->layers,
                                      &path->roots } };
    struct step take = alone;
    take.kernel = &path_take_kernel;
    take.groups = groups_of(&work, rows, &path_take_kernel);
    take.is_indirect = true;
    enum fg_result result = FG_OK;
    for (int i = 0; i < FGI_GPU_PATH_LARGE && result == FG_OK; i++) {
        result = add_step(path, &work, &alone);
        result = result == FG_OK ? add_step(path, &work, &take) : result;
    }
    return result;
}

enum fg_result fgi_gpu_path_longest(const struct fgi_gpu_path *path,
                                    const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(path->links->gpu, sink);
    const uint32_t rows = path->links->gpu->counts.rows;
    const struct step end = { .kernel = &path_end_kernel,
                              .groups = fgi_prim_over(rows, ROWS_OF_GROUP),
                              .reads = { &path->nodes, &path->open, &path->part },
                              .writes = { &path->lengths, &path->turned, &path->stuck } };
    const struct fgi_reduce reduce = { .source = path->lengths.column,
                                       .mask = path->turned.column,
                                       .count = { .limit = rows },
                                       .result = path->longest.view,
                                       .parts = path->parts.view };
    const enum fg_result result = add_step(path, &work, &end);
    return result == FG_OK ? fgi_reduce(&work, &reduce) : result;
}

enum fg_result fgi_gpu_path_tails(const struct fgi_gpu_path *path,
                                  const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(path->links->gpu, sink);
    const uint32_t rows = path->links->gpu->counts.rows;
    struct step alone = { .kernel = &path_back_alone_kernel,
                          .groups = 1,
                          .reads_links = true,
                          .reads = { &path->order, &path->layers, &path->part },
                          .writes = { &path->tails } };
    struct step take = alone;
    take.kernel = &path_back_kernel;
    take.groups = groups_of(&work, rows, &path_back_kernel);
    take.is_indirect = true;
    enum fg_result result = FG_OK;
    for (int i = 0; i < FGI_GPU_PATH_LARGE && result == FG_OK; i++) {
        result = add_step(path, &work, &alone);
        result = result == FG_OK ? add_step(path, &work, &take) : result;
    }
    return result;
}

enum fg_result fgi_gpu_path_figures(const struct fgi_gpu_path *path,
                                    const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(path->links->gpu, sink);
    const uint32_t rows = path->links->gpu->counts.rows;
    const struct step figures = { .kernel = &path_figures_kernel,
                                  .groups = groups_of(&work, rows, &path_figures_kernel),
                                  .reads = { &path->nodes, &path->turned, &path->tails },
                                  .writes = { &path->slacks, &path->earliest, &path->latest,
                                              &path->predecessors, &path->hops } };
    return add_step(path, &work, &figures);
}

enum fg_result fgi_gpu_path_chain(const struct fgi_gpu_path *path,
                                  const struct fg_compute_sink *sink)
{
    const struct fgi_gpu_work work = fgi_gpu_work_of(path->links->gpu, sink);
    const struct step chain = { .kernel = &path_chain_kernel,
                                .groups = 1,
                                .reads = { &path->nodes },
                                .writes = { &path->chain } };
    return add_step(path, &work, &chain);
}
