/* SPDX-License-Identifier: MIT */
/* Public projections and critical paths. */
#include "base/alloc.h"
#include "engine/vulkan/gpu_forest.h"
#include "engine/vulkan/gpu_path.h"
#include "engine/vulkan/gpu_project.h"
#include <frameglass/gpu_trace_links.h>

#include <stddef.h>

/* ---- projection ------------------------------------------------------------------------------ */

struct fg_gpu_projection {
    struct fgi_gpu_project project;
    struct fg_compute_view mask_chunk, rows_chunk; /**< the caller's, as columns have them */
    struct fgi_gpu_column_memory target, spare;
    struct fg_compute_memory counts;
};

static enum fg_result take_projection(struct fg_gpu_projection *p)
{
    const struct fg_gpu_trace *gpu = p->project.gpu;
    enum fg_result result = fg_compute_memory_take(
        gpu->compute, FG_COMPUTE_DEVICE, FGI_GPU_PROJECTIONS * sizeof(uint32_t), &p->counts);
    if (result == FG_OK) {
        result =
            fgi_gpu_column_take(gpu->compute, gpu->allocator, p->project.count, 4, 0, &p->target);
    }
    if (result == FG_OK && !fgi_gpu_column_is_there(&p->project.rows) &&
        p->project.max_depth == UINT32_MAX) {
        result =
            fgi_gpu_column_take(gpu->compute, gpu->allocator, p->project.count, 4, 0, &p->spare);
    }
    p->project.counts = p->counts.view;
    p->project.target = p->target.column;
    p->project.spare = p->spare.column;
    return result;
}

enum fg_result fg_gpu_projection_create(const struct fg_gpu_projection_options *options,
                                        struct fg_gpu_projection **out_projection)
{
    const bool has_rows = options && options->rows.size_bytes != 0;
    if (!options || !options->gpu || !out_projection ||
        (has_rows && options->rows.size_bytes / 4 < options->row_count) ||
        (options->mask.size_bytes != 0 &&
         options->mask.size_bytes / 4 < fgi_mask_words(options->gpu->counts.rows))) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_gpu_trace *gpu = options->gpu;
    struct fg_gpu_projection *p = fgi_calloc(gpu->allocator, 1, sizeof *p);
    if (!p) {
        return FG_ERR_NO_MEMORY;
    }
    p->mask_chunk = options->mask;
    p->rows_chunk = options->rows;
    p->project = (struct fgi_gpu_project){
        .gpu = gpu,
        .count = has_rows ? options->row_count : gpu->counts.rows,
        .max_depth = options->max_depth ? options->max_depth : UINT32_MAX,
    };
    if (options->filter) {
        p->project.passing = options->filter->mask.column;
    }
    if (options->mask.size_bytes != 0) {
        p->project.mask = fgi_gpu_column_of(&p->mask_chunk, 4);
    }
    if (has_rows) {
        p->project.rows = fgi_gpu_column_of(&p->rows_chunk, 4);
    }
    const enum fg_result result = take_projection(p);
    if (result != FG_OK) {
        fg_gpu_projection_destroy(p);
        return result;
    }
    *out_projection = p;
    return FG_OK;
}

void fg_gpu_projection_destroy(struct fg_gpu_projection *projection)
{
    if (projection) {
        const struct fg_gpu_trace *gpu = projection->project.gpu;
        fgi_gpu_column_free(gpu->compute, &projection->target);
        fgi_gpu_column_free(gpu->compute, &projection->spare);
        fgi_gpu_memory_end(gpu->compute, &projection->counts);
        fgi_free(gpu->allocator, projection, sizeof *projection);
    }
}

enum fg_result fg_gpu_projection_add(const struct fg_gpu_projection *projection,
                                     const struct fg_compute_sink *sink)
{
    return fgi_gpu_project(sink, &projection->project);
}

struct fg_compute_view fg_gpu_projection_get_counts(const struct fg_gpu_projection *projection)
{
    return fg_compute_view_part(projection->counts.view, 0,
                                sizeof(struct fg_gpu_projection_counts));
}
uint32_t fg_gpu_projection_chunk_count(const struct fg_gpu_projection *projection)
{
    return projection->target.column.chunk_count;
}
struct fg_compute_view fg_gpu_projection_chunk(const struct fg_gpu_projection *projection,
                                               uint32_t chunk)
{
    return projection->target.column.chunks[chunk];
}
const struct fgi_gpu_project *fgi_gpu_projection_inside(const struct fg_gpu_projection *projection)
{
    return &projection->project;
}

/* ---- critical paths -------------------------------------------------------------------------- */

struct fg_gpu_path {
    struct fg_gpu_trace *gpu;
    bool is_forest;
    struct fgi_gpu_forest forest; /**< by parents */
    struct fgi_gpu_path path;     /**< over dependencies */
};

static enum fg_result take_forest(struct fg_gpu_path *path,
                                  const struct fg_gpu_path_options *options, bool is_all)
{
    struct fgi_gpu_forest_words words = {
        .start_ns = is_all ? FG_TIME_MIN : options->start_ns,
        .end_ns = is_all ? INT64_MAX : options->end_ns,
    };
    const enum fg_result result = fgi_gpu_forest_take(path->gpu, options->figures, &path->forest);
    if (result == FG_OK) {
        words.length_at =
            path->forest.longest.view.address + offsetof(struct fgi_reduction, greatest);
        if (options->filter) {
            path->forest.passing = options->filter->mask.column;
        }
        fgi_gpu_forest_write(&path->forest, &words);
    }
    return result;
}

static enum fg_result take_path(struct fg_gpu_path *path, const struct fg_gpu_path_options *options,
                                bool is_all)
{
    const struct fgi_gpu_path_sizes sizes = { .figures = options->figures,
                                              .is_whole = is_all && !options->filter };
    struct fgi_gpu_path_words words = {
        .start_ns = is_all ? FG_TIME_MIN : options->start_ns,
        .end_ns = is_all ? INT64_MAX : options->end_ns,
        .wanted = options->families ? options->families : UINT32_MAX,
        .alone_rows = FGI_GPU_PATH_ALONE,
    };
    const enum fg_result result =
        fgi_gpu_path_take(fgi_gpu_links_inside(options->links), &sizes, &path->path);
    if (result == FG_OK) {
        words.length_at =
            path->path.longest.view.address + offsetof(struct fgi_reduction, greatest);
        if (options->filter) {
            path->path.passing = options->filter->mask.column;
        }
        fgi_gpu_path_write(&path->path, &words);
    }
    return result;
}

enum fg_result fg_gpu_path_create(const struct fg_gpu_path_options *options,
                                  struct fg_gpu_path **out_path)
{
    if (!options || !options->gpu || !out_path || options->end_ns < options->start_ns ||
        (options->links && fgi_gpu_links_inside(options->links)->gpu != options->gpu)) {
        return FG_ERR_ARGUMENT;
    }
    const bool is_all = options->start_ns == 0 && options->end_ns == 0;
    struct fg_gpu_path *path = fgi_calloc(options->gpu->allocator, 1, sizeof *path);
    if (!path) {
        return FG_ERR_NO_MEMORY;
    }
    path->gpu = options->gpu;
    path->is_forest = !options->links;
    const enum fg_result result =
        path->is_forest ? take_forest(path, options, is_all) : take_path(path, options, is_all);
    if (result != FG_OK) {
        fg_gpu_path_destroy(path);
        return result;
    }
    *out_path = path;
    return FG_OK;
}

void fg_gpu_path_destroy(struct fg_gpu_path *path)
{
    if (path) {
        fgi_gpu_forest_end(&path->forest);
        fgi_gpu_path_end(&path->path);
        fgi_free(path->gpu->allocator, path, sizeof *path);
    }
}

enum fg_result fg_gpu_path_add(struct fg_gpu_path *path, enum fg_gpu_path_stage stage,
                               const struct fg_compute_sink *sink)
{
    const bool has_tails = fgi_gpu_column_is_there(&path->path.tails.column);
    if (path->is_forest) {
        return stage == FG_GPU_PATH_BEGIN     ? fgi_gpu_forest_climb(&path->forest, sink)
               : stage == FG_GPU_PATH_FIGURES ? fgi_gpu_forest_figures(&path->forest, sink)
                                              : FG_ERR_NOT_FOUND;
    }
    switch (stage) {
    case FG_GPU_PATH_BEGIN:
        return fgi_gpu_path_begin(&path->path, sink);
    case FG_GPU_PATH_TURNS:
        return fgi_gpu_path_turns(&path->path, sink);
    case FG_GPU_PATH_ENDS:
        return fgi_gpu_path_longest(&path->path, sink);
    case FG_GPU_PATH_TAILS:
        return has_tails ? fgi_gpu_path_tails(&path->path, sink) : FG_ERR_NOT_FOUND;
    case FG_GPU_PATH_FIGURES:
        return fgi_gpu_path_figures(&path->path, sink);
    }
    return FG_ERR_ARGUMENT;
}

void fg_gpu_path_get_results(const struct fg_gpu_path *path,
                             struct fg_gpu_path_results *out_results)
{
    const struct fg_compute_view state =
        path->is_forest ? path->forest.counts.view : path->path.state.view;
    const struct fg_compute_view longest =
        path->is_forest ? path->forest.longest.view : path->path.longest.view;
    *out_results = (struct fg_gpu_path_results){
        .state = fg_compute_view_part(state, 0, sizeof(struct fg_gpu_path_state)),
        .length = fg_compute_view_part(longest, offsetof(struct fgi_reduction, greatest),
                                       sizeof(uint64_t)),
        .endpoint = fg_compute_view_part(longest, offsetof(struct fgi_reduction, greatest_row),
                                         sizeof(uint32_t)),
    };
}

static const struct fgi_gpu_column *path_column(const struct fg_gpu_path *path,
                                                enum fg_gpu_path_column column)
{
    const struct fgi_gpu_forest *forest = &path->forest;
    const struct fgi_gpu_path *links = &path->path;
    const struct fgi_gpu_column_memory *columns[][2] = {
        [FG_GPU_PATH_LENGTHS] = { &links->lengths, &forest->times[forest->last] },
        [FG_GPU_PATH_SLACKS] = { &links->slacks, &forest->slacks },
        [FG_GPU_PATH_EARLIEST] = { &links->earliest, &forest->earliest },
        [FG_GPU_PATH_LATEST] = { &links->latest, &forest->latest },
        [FG_GPU_PATH_PREDECESSORS] = { &links->predecessors, &forest->predecessors },
        [FG_GPU_PATH_HOPS] = { &links->hops, &forest->hops },
        [FG_GPU_PATH_ROOTS] = { &links->roots, &forest->roots },
    };
    return &columns[column][path->is_forest]->column;
}
uint32_t fg_gpu_path_chunk_count(const struct fg_gpu_path *path, enum fg_gpu_path_column column)
{
    return path_column(path, column)->chunk_count;
}
struct fg_compute_view fg_gpu_path_chunk(const struct fg_gpu_path *path,
                                         enum fg_gpu_path_column column, uint32_t chunk)
{
    return path_column(path, column)->chunks[chunk];
}
