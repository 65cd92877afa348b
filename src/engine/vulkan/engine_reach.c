/* SPDX-License-Identifier: MIT */
/* Asking the device what is reached: some hops a run, until there are no more. */
#include "engine/vulkan/engine_links.h"

#include <string.h>

static enum fg_result make_graphs(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_linked *linked)
{
    struct fg_compute *compute = vulkan->runner.compute;
    enum fg_result result = fgi_gpu_reach_take(&linked->links, &linked->reach);
    result = result == FG_OK ? fg_compute_graph_create(compute, NULL, &linked->begin) : result;
    result = result == FG_OK ? fg_compute_graph_create(compute, NULL, &linked->go_on) : result;
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(linked->begin);
        result = fgi_gpu_reach_begin(&linked->reach, &sink);
    }
    if (result == FG_OK) {
        const struct fg_compute_sink sink = fg_compute_graph_sink(linked->go_on);
        result = fgi_gpu_reach_go_on(&linked->reach, &sink);
    }
    return result;
}

/** Everything that a question of these families needs, made where it is not there. */
static enum fg_result prepare(struct fgi_engine_vulkan *vulkan, uint32_t families,
                              struct fgi_gpu_linked **out_linked)
{
    enum fg_result result = fgi_gpu_links_of(vulkan, families, out_linked);
    if (result == FG_OK && !(*out_linked)->reach.links) {
        result = make_graphs(vulkan, *out_linked);
        if (result != FG_OK) {
            fgi_gpu_linked_drop(*out_linked);
            return fgi_gpu_fall_back(vulkan, result, "rows along dependencies");
        }
    }
    return result;
}

/** Room for the records of one more run. */
static bool make_room(const struct fgi_question *question, struct fgi_gpu_reached *reached)
{
    if (reached->record_count + FGI_GPU_REACH_RECORDS <= reached->record_room) {
        return true;
    }
    const uint32_t room = reached->record_room * 2 + FGI_GPU_REACH_RECORDS;
    struct fgi_gpu_reach_record *records =
        fgi_arena_take(question->arena, room, sizeof *reached->records);
    if (!records) {
        return false;
    }
    if (reached->record_count > 0) {
        memcpy(records, reached->records, reached->record_count * sizeof *records);
    }
    reached->records = records;
    reached->record_room = room;
    return true;
}

static enum fg_result run_hops(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_linked *linked,
                               const struct fgi_question *question, struct fgi_gpu_reached *reached)
{
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    if (!make_room(question, reached)) {
        return FG_ERR_NO_MEMORY;
    }
    const struct fgi_gpu_reach *reach = &linked->reach;
    struct fgi_gpu_reach_record *records = reached->records + reached->record_count;
    const struct fgi_gpu_read reads[] = {
        { fg_compute_view_part(reach->state.view, 0, sizeof reached->state), &reached->state },
        { fg_compute_view_part(reach->records.view, 0, FGI_GPU_REACH_RECORDS * sizeof *records),
          records },
    };
    const enum fg_result result =
        fgi_gpu_run(vulkan, linked->go_on, reads, 2, "rows along dependencies");
    reached->record_count += result == FG_OK ? reached->state.record_count : 0;
    return result;
}

enum fg_result fgi_gpu_reach_all(struct fgi_engine_vulkan *vulkan,
                                 const struct fgi_question *question,
                                 struct fgi_gpu_reach_words *words, const uint32_t *seeds,
                                 struct fgi_gpu_reached *out_reached)
{
    struct fgi_gpu_linked *linked = NULL;
    struct fgi_gpu_reached reached = { .count = 0 };
    enum fg_result result = prepare(vulkan, words->wanted, &linked);
    if (result != FG_OK) {
        return result;
    }
    words->alone_rows = FGI_GPU_ALONE_ROWS;
    words->alone_edges = 4 * FGI_GPU_ALONE_ROWS;
    fgi_gpu_reach_write(&linked->reach, words);
    const struct fgi_gpu_sending sending = { &linked->reach.rows.column, words->seed_count,
                                             fgi_gpu_fill_words, seeds, "rows along dependencies" };
    result = fgi_gpu_send(vulkan, &sending);
    if (result == FG_OK) {
        result = fgi_gpu_run(vulkan, linked->begin, NULL, 0, "rows along dependencies");
    }
    while (result == FG_OK && !reached.state.is_done) {
        result = run_hops(vulkan, linked, question, &reached);
    }
    reached.linked = linked;
    reached.count = reached.state.first + reached.state.count;
    *out_reached = reached;
    return result;
}

void fgi_gpu_reached_visits(const struct fgi_gpu_reached *reached, struct fg_visits *visits)
{
    for (uint32_t i = 0; i < reached->record_count; i++) {
        visits->spans += reached->records[i].expanded;
        visits->dependencies += reached->records[i].edges;
    }
}
