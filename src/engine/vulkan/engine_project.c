/* SPDX-License-Identifier: MIT */
/* Which visible row stands for a hidden one, asked of the device. */
#include "engine/vulkan/engine_links.h"
#include "engine/vulkan/gpu_project.h"

static const char what[] = "visible ancestors";

/** What one question has on the device. */
struct projecting {
    struct fgi_gpu_project project;
    struct fgi_gpu_column_memory rows, mask, target, spare;
    struct fg_compute_memory counts;
    struct fg_compute_graph *graph;
};

static enum fg_result take_memory(struct fgi_engine_vulkan *vulkan,
                                  const struct fg_project_request *request, struct projecting *p)
{
    struct fg_compute *compute = vulkan->runner.compute;
    const bool is_whole = !request->rows && request->max_depth == UINT32_MAX;
    const struct {
        bool is_wanted;
        uint32_t rows;
        struct fgi_gpu_column_memory *memory;
        struct fgi_gpu_column *column;
    } wanted[] = {
        { true, p->project.count, &p->target, &p->project.target },
        { request->rows != NULL, p->project.count, &p->rows, &p->project.rows },
        { request->mask != NULL, fgi_mask_words(fgi_trace_rows(vulkan->engine.trace)), &p->mask,
          &p->project.mask },
        { is_whole, p->project.count, &p->spare, &p->project.spare },
    };
    enum fg_result result = fg_compute_memory_take(
        compute, FG_COMPUTE_DEVICE, FGI_GPU_PROJECTIONS * sizeof(uint32_t), &p->counts);
    p->project.counts = p->counts.view;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        if (wanted[i].is_wanted) {
            result = fgi_gpu_column_take(compute, vulkan->allocator, wanted[i].rows, 4, 0,
                                         wanted[i].memory);
            *wanted[i].column = wanted[i].memory->column;
        }
    }
    return result;
}

static void end_memory(struct fgi_engine_vulkan *vulkan, struct projecting *p)
{
    struct fg_compute *compute = vulkan->runner.compute;
    fg_compute_graph_destroy(p->graph);
    fgi_gpu_column_free(compute, &p->rows);
    fgi_gpu_column_free(compute, &p->mask);
    fgi_gpu_column_free(compute, &p->target);
    fgi_gpu_column_free(compute, &p->spare);
    fgi_gpu_memory_end(compute, &p->counts);
}

/** What the request lends goes to the device. */
static enum fg_result send_request(struct fgi_engine_vulkan *vulkan,
                                   const struct fg_project_request *request,
                                   const struct projecting *p)
{
    enum fg_result result = FG_OK;
    if (request->rows) {
        const struct fgi_gpu_sending rows = { &p->project.rows, p->project.count,
                                              fgi_gpu_fill_words, request->rows, what };
        result = fgi_gpu_send(vulkan, &rows);
    }
    if (result == FG_OK && request->mask) {
        const struct fgi_gpu_sending mask = { &p->project.mask,
                                              fgi_mask_words(fgi_trace_rows(vulkan->engine.trace)),
                                              fgi_gpu_fill_words, request->mask, what };
        result = fgi_gpu_send(vulkan, &mask);
    }
    return result;
}

static enum fg_result run(struct fgi_engine_vulkan *vulkan, const struct fgi_question *question,
                          struct projecting *p, struct fg_project_reply *reply, uint32_t *shown)
{
    uint32_t counts[FGI_GPU_PROJECTIONS] = { 0 };
    const struct fgi_gpu_read read = { fg_compute_view_part(p->counts.view, 0, sizeof counts),
                                       counts };
    enum fg_result result = fg_compute_graph_create(vulkan->runner.compute, NULL, &p->graph);
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(p->graph);
        result = fgi_gpu_project(&sink, &p->project);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, what);
    }
    result = fgi_gpu_run(vulkan, p->graph, &read, 1, what);
    if (result == FG_OK) {
        result = fgi_gpu_fetch(vulkan, question, &p->project.target, reply->count, shown, what);
    }
    reply->rows = shown;
    reply->visible = counts[FGI_GPU_SELF];
    reply->projected = counts[FGI_GPU_ANCESTOR];
    reply->unresolved = counts[FGI_GPU_UNRESOLVED];
    reply->cut = counts[FGI_GPU_CUT];
    reply->invalid = counts[FGI_GPU_INVALID];
    return result;
}

static enum fg_result project_on_device(struct fgi_engine_vulkan *vulkan,
                                        const struct fgi_question *question,
                                        const struct fg_project_request *request,
                                        struct fg_project_reply *out_reply)
{
    const struct fgi_gpu_column *passing = NULL;
    struct projecting p = { .project.max_depth = request->max_depth };
    struct fg_gpu_trace *gpu = NULL;
    struct fg_project_reply reply = { .count = request->rows
                                                   ? request->row_count
                                                   : fgi_trace_rows(vulkan->engine.trace) };
    enum fg_result result = fgi_gpu_mask_of(vulkan, request->filter, &passing);
    result = result == FG_OK ? fgi_gpu_trace_of(vulkan, &gpu) : result;
    if (result == FG_OK && fgi_question_cancelled(question)) {
        result = FG_ERR_CANCELLED;
    }
    if (result != FG_OK) {
        return result;
    }
    uint32_t *shown = fgi_arena_take(question->arena, (size_t)reply.count + 1, sizeof *shown);
    if (!shown) {
        return FG_ERR_NO_MEMORY;
    }
    p.project.gpu = gpu;
    p.project.count = reply.count;
    if (passing) {
        p.project.passing = *passing;
    }
    result = take_memory(vulkan, request, &p);
    if (result != FG_OK) {
        (void)fgi_gpu_fall_back(vulkan, result, what);
    }
    result = result == FG_OK ? send_request(vulkan, request, &p) : result;
    result = result == FG_OK ? run(vulkan, question, &p, &reply, shown) : result;
    end_memory(vulkan, &p);
    if (result == FG_OK) {
        question->visits->spans += reply.count;
        *out_reply = reply;
    }
    return result;
}

enum fg_result fgi_vulkan_project(struct fg_engine *engine, const struct fgi_question *question,
                                  const struct fg_project_request *request,
                                  struct fg_project_reply *out_reply)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    enum fg_result result = FG_ERR_STATE;
    if (request->rows && request->row_count > FGI_GPU_COLUMN_MAX_ROWS) {
        return fgi_host_project(engine, question, request, out_reply);
    }
    if (fgi_gpu_ready(vulkan)) {
        result = project_on_device(vulkan, question, request, out_reply);
    }
    return fgi_gpu_answered(vulkan, result)
               ? result
               : fgi_host_project(engine, question, request, out_reply);
}
