/* SPDX-License-Identifier: MIT */
/* Indices that must lie inside their lists, for writers and readers alike. FORMAT.md, 6. */
#include "capture/cap_frame.h"

static bool bad_pass(struct fgi_frame_outcome *outcome, uint32_t index)
{
    outcome->pass_range = true;
    outcome->bad_pass = index;
    return false;
}

static bool bad_resource(struct fgi_frame_outcome *outcome, uint32_t index)
{
    outcome->resource_range = true;
    outcome->bad_resource = index;
    return false;
}

/* An index that is none, or inside. */
static bool inside(uint32_t index, size_t count)
{
    return index == FG_CAP_NONE || index < count;
}

static bool check_resource_list(const uint32_t *list, size_t count, size_t resource_count,
                                struct fgi_frame_outcome *outcome)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] >= resource_count) {
            return bad_resource(outcome, list[i]);
        }
    }
    return true;
}

/* Indices of scopes and passes: all of these come before any index of a resource. */
static bool check_pass_indices(const struct fg_cap_topology *topology,
                               struct fgi_frame_outcome *outcome)
{
    size_t count = topology->pass_count;
    for (size_t i = 0; i < topology->scope_count; i++) {
        if (!inside(topology->scopes[i].parent, i)) {
            return bad_pass(outcome, topology->scopes[i].parent);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!inside(topology->passes[i].scope, topology->scope_count)) {
            return bad_pass(outcome, topology->passes[i].scope);
        }
    }
    for (size_t i = 0; i < topology->resource_count; i++) {
        if (!inside(topology->resources[i].producer, count)) {
            return bad_pass(outcome, topology->resources[i].producer);
        }
    }
    for (size_t i = 0; i < topology->gpu_pass_count; i++) {
        if (!inside(topology->gpu_passes[i].owner, count)) {
            return bad_pass(outcome, topology->gpu_passes[i].owner);
        }
    }
    for (size_t i = 0; i < topology->edge_count; i++) {
        const struct fg_cap_edge *edge = &topology->edges[i];
        if (edge->from >= count || edge->to >= count) {
            return bad_pass(outcome, edge->from >= count ? edge->from : edge->to);
        }
    }
    return true;
}

bool fgi_topology_check(const struct fg_cap_topology *topology, struct fgi_frame_outcome *outcome)
{
    *outcome = (struct fgi_frame_outcome){ 0 };
    if (!check_pass_indices(topology, outcome)) {
        return false;
    }
    size_t count = topology->resource_count;
    for (size_t i = 0; i < topology->pass_count; i++) {
        const struct fg_cap_graph_pass *pass = &topology->passes[i];
        if (!check_resource_list(pass->reads, pass->read_count, count, outcome) ||
            !check_resource_list(pass->writes, pass->write_count, count, outcome) ||
            !check_resource_list(pass->creates, pass->create_count, count, outcome)) {
            return false;
        }
    }
    return true;
}

/* References inside the frame itself. */
static bool check_in_frame(const struct fg_cap_frame *frame, size_t index,
                           struct fgi_frame_outcome *outcome)
{
    const struct fg_cap_gpu_pass *pass = &frame->gpu_passes[index];
    if (!inside(pass->submission, frame->submission_count)) {
        return bad_pass(outcome, pass->submission);
    }
    if (!inside(pass->parent, index)) {
        return bad_pass(outcome, pass->parent);
    }
    if (!inside(pass->logical, frame->gpu_pass_count)) {
        return bad_pass(outcome, pass->logical);
    }
    return true;
}

/* What pass, GPU pass and resource indices of a frame point into. */
struct bounds {
    bool known; /* false: the topology is lost, nothing can be said */
    size_t pass_count;
    size_t gpu_pass_count;
    size_t resource_count;
};

/* In the order of the fields. A spelled-out pass has its own graph_pass. */
static bool check_gpu_pass(const struct fg_cap_frame *frame, size_t index,
                           const struct bounds *bounds, struct fgi_frame_outcome *outcome)
{
    const struct fg_cap_gpu_pass *pass = &frame->gpu_passes[index];
    if (bounds->known && !inside(pass->gpu_pass, bounds->gpu_pass_count)) {
        return bad_pass(outcome, pass->gpu_pass);
    }
    if (bounds->known && pass->gpu_pass == FG_CAP_NONE &&
        !inside(pass->graph_pass, bounds->pass_count)) {
        return bad_pass(outcome, pass->graph_pass);
    }
    return check_in_frame(frame, index, outcome);
}

static bool check_attachments(const struct fg_cap_gpu_pass *pass, size_t resource_count,
                              struct fgi_frame_outcome *outcome)
{
    for (size_t i = 0; i < pass->attachment_count; i++) {
        if (!inside(pass->attachments[i].resource, resource_count)) {
            return bad_resource(outcome, pass->attachments[i].resource);
        }
    }
    return true;
}

bool fgi_frame_check(const struct fg_cap_frame *frame, const struct fg_cap_topology *topology,
                     struct fgi_frame_outcome *outcome)
{
    struct bounds bounds = { .known = topology != NULL || frame->topology == FG_CAP_NONE };
    if (topology != NULL) {
        bounds.pass_count = topology->pass_count;
        bounds.gpu_pass_count = topology->gpu_pass_count;
        bounds.resource_count = topology->resource_count;
    }
    for (size_t i = 0; i < frame->pass_count && bounds.known; i++) {
        if (frame->passes[i].graph_pass >= bounds.pass_count) {
            return bad_pass(outcome, frame->passes[i].graph_pass);
        }
    }
    for (size_t i = 0; i < frame->gpu_pass_count; i++) {
        if (!check_gpu_pass(frame, i, &bounds, outcome)) {
            return false;
        }
    }
    for (size_t i = 0; i < frame->gpu_pass_count && bounds.known; i++) {
        if (!check_attachments(&frame->gpu_passes[i], bounds.resource_count, outcome)) {
            return false;
        }
    }
    return true;
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_refs(const struct fg_cap_ref *a, const struct fg_cap_ref *b)
{
    int order = compare_u64(a->kind, b->kind);
    order = order != 0 ? order : compare_u64(a->a, b->a);
    return order != 0 ? order : compare_u64(a->b, b->b);
}

size_t fgi_dependencies_check(const struct fg_cap_dependencies *list)
{
    for (size_t i = 1; i < list->dependency_count; i++) {
        const struct fg_cap_dependency *dependency = &list->dependencies[i];
        int order = compare_refs(&dependency[-1].from, &dependency->from);
        if (order > 0 || (order == 0 && compare_refs(&dependency[-1].to, &dependency->to) > 0)) {
            return i;
        }
    }
    return list->dependency_count;
}

bool fgi_resource_details_check(const struct fg_cap_resource_events *list)
{
    for (size_t i = 0; i < list->detail_count; i++) {
        uint32_t event = list->details[i].event;
        if (event >= list->event_count || (i != 0 && list->details[i - 1].event >= event)) {
            return false;
        }
    }
    return true;
}

size_t fgi_block_spans_check(const struct fg_cap_span_block *block)
{
    for (size_t i = 0; i < block->span_count; i++) {
        const struct fg_cap_block_span *span = &block->spans[i];
        if (span->end_ticks < span->begin_ticks ||
            (i != 0 && (span[-1].begin_ticks > span->begin_ticks ||
                        (span[-1].begin_ticks == span->begin_ticks &&
                         span[-1].end_ticks < span->end_ticks)))) {
            return i;
        }
    }
    return block->span_count;
}
