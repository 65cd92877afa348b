/* SPDX-License-Identifier: MIT */
/* A detailed capture: when a frame is captured, and the tree of its nodes. */
#include "record/detail_priv.h"
#include "base/alloc.h"
#include "base/clock.h"

#include <string.h>

enum {
    NODES_DEFAULT = 16384,
    NODES_LIMIT = 1 << 22,
    SHARE_LIMIT = 1 << 28, /* of attributes, and of bytes of names */
};

/* ---- create and destroy ---------------------------------------------------------------------- */

static void free_detail(struct fg_detail *detail)
{
    const struct fg_allocator *allocator = detail->allocator;
    struct fg_nodes *nodes = &detail->nodes;
    fgi_free(allocator, nodes->costs, nodes->nodes_max * sizeof *nodes->costs);
    fgi_free(allocator, nodes->attributes, nodes->attributes_max * sizeof *nodes->attributes);
    fgi_free(allocator, nodes->texts, nodes->text_bytes_max);
    fgi_free(allocator, detail->chunk, sizeof *detail->chunk);
    fgi_free(allocator, detail->track, detail->track_size + 1);
    fgi_free(allocator, detail, sizeof *detail);
}

static bool take_memory(struct fg_detail *detail, const char *track)
{
    const struct fg_allocator *allocator = detail->allocator;
    struct fg_nodes *nodes = &detail->nodes;
    detail->track_size = strlen(track);
    detail->track = fgi_malloc(allocator, detail->track_size + 1);
    detail->chunk = fgi_malloc(allocator, sizeof *detail->chunk);
    nodes->costs = fgi_malloc(allocator, nodes->nodes_max * sizeof *nodes->costs);
    nodes->attributes = fgi_malloc(allocator, nodes->attributes_max * sizeof *nodes->attributes);
    nodes->texts = fgi_malloc(allocator, nodes->text_bytes_max);
    if (detail->track == NULL || detail->chunk == NULL || nodes->costs == NULL ||
        nodes->attributes == NULL || nodes->texts == NULL) {
        return false;
    }
    memcpy(detail->track, track, detail->track_size + 1);
    return true;
}

enum fg_result fg_detail_create(const struct fg_detail_options *options,
                                struct fg_detail **out_detail)
{
    static const struct fg_detail_options defaults = { 0 };
    options = options != NULL ? options : &defaults;
    const size_t nodes_max = options->nodes_max != 0 ? options->nodes_max : NODES_DEFAULT;
    const size_t attributes_max =
        options->attributes_max != 0 ? options->attributes_max : 4 * nodes_max;
    const size_t text_bytes_max =
        options->text_bytes_max != 0 ? options->text_bytes_max : 32 * nodes_max;
    if (out_detail == NULL || (options->track != NULL && *options->track == '\0')) {
        return FG_ERR_ARGUMENT;
    }
    if (nodes_max > NODES_LIMIT || attributes_max > SHARE_LIMIT || text_bytes_max > SHARE_LIMIT) {
        return FG_ERR_LIMIT;
    }
    const struct fg_allocator *allocator = fgi_allocator(options->allocator);
    struct fg_detail *detail = fgi_calloc(allocator, 1, sizeof *detail);
    if (detail == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    detail->allocator = allocator;
    detail->nodes.draws_so_far = options->draws_so_far;
    detail->nodes.draws_context = options->draws_context;
    detail->nodes.nodes_max = nodes_max + 1; /* the frame itself is one */
    detail->nodes.attributes_max = attributes_max;
    detail->nodes.text_bytes_max = text_bytes_max;
    if (!take_memory(detail, options->track != NULL ? options->track : "nodes")) {
        free_detail(detail);
        return FG_ERR_NO_MEMORY;
    }
    *out_detail = detail;
    return FG_OK;
}

void fg_detail_destroy(struct fg_detail *detail)
{
    if (detail != NULL) {
        free_detail(detail);
    }
}

/* ---- which frames ---------------------------------------------------------------------------- */

static bool runs(struct fg_session *session)
{
    if (!fgi_recorder_is_ours(session->recorder)) {
        return false;
    }
    fgi_session_lock(session);
    const bool is_running = fgi_session_is_running(session);
    fgi_session_unlock(session);
    return is_running;
}

enum fg_result fg_detail_begin(struct fg_detail *detail, struct fg_session *session,
                               uint32_t frame_count)
{
    if (detail == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if ((detail->is_open && detail->session != session) || (session != NULL && !runs(session))) {
        return FG_ERR_STATE;
    }
    detail->session = session;
    detail->is_endless = frame_count == 0;
    detail->frames_left = frame_count;
    detail->is_on = 1;
    return FG_OK;
}

void fg_detail_end(struct fg_detail *detail)
{
    if (detail != NULL) {
        detail->is_endless = false;
        detail->frames_left = 0;
        detail->is_on = detail->is_open;
    }
}

bool fg_detail_is_on(const struct fg_detail *detail)
{
    return detail != NULL && detail->is_on != 0;
}

const struct fg_detail_tree *fg_detail_get(const struct fg_detail *detail)
{
    return detail != NULL && detail->nodes.tree.nodes != NULL ? &detail->nodes.tree : NULL;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static int64_t now_ns(struct fg_nodes *nodes)
{
    const int64_t host_ns =
        nodes->recorder != NULL ? fgi_host_now(nodes->recorder) : fgi_clock_monotonic_ns();
    const int64_t ns = (int64_t)((uint64_t)host_ns - (uint64_t)nodes->begin_ns);
    nodes->last_ns = ns > nodes->last_ns ? ns : nodes->last_ns;
    return nodes->last_ns;
}

/** A counter that is stopped says 0, and starts from there: draws never go back either. */
static uint64_t draws_now(struct fg_nodes *nodes)
{
    const uint64_t answer =
        nodes->draws_so_far != NULL ? nodes->draws_so_far(nodes->draws_context) : 0;
    nodes->counted += answer < nodes->last_counted ? answer : answer - nodes->last_counted;
    nodes->last_counted = answer;
    return nodes->counted + nodes->told_draws;
}

static const char *keep_name(struct fg_nodes *nodes, const char *name)
{
    const size_t room = nodes->text_bytes_max - nodes->text_bytes;
    if (name == NULL || *name == '\0') {
        return "";
    }
    const size_t size = strlen(name) + 1;
    if (size > room) {
        nodes->tree.cut_names++;
        return "";
    }
    char *kept = nodes->texts + nodes->text_bytes;
    memcpy(kept, name, size);
    nodes->text_bytes += size;
    return kept;
}

static void keep_attributes(struct fg_nodes *nodes, struct fg_node_cost *cost,
                            const struct fg_node *node)
{
    const size_t room = nodes->attributes_max - nodes->attribute_count;
    uint32_t count = node->attributes != NULL ? node->attribute_count : 0;
    const uint32_t given = count;
    count = count < FG_NODE_ATTRIBUTES_MAX ? count : FG_NODE_ATTRIBUTES_MAX;
    count = count < room ? count : (uint32_t)room;
    cost->attributes = nodes->attributes + nodes->attribute_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_node_attribute *attribute = &node->attributes[i];
        if (attribute->key != NULL && *attribute->key != '\0') {
            nodes->attributes[nodes->attribute_count + cost->attribute_count++] = *attribute;
        }
    }
    nodes->attribute_count += cost->attribute_count;
    nodes->tree.lost_attributes += given - cost->attribute_count;
}

/** The clock is read last here, and first at the end: what is done here is the parent's time. */
static void open_node(struct fg_nodes *nodes, const struct fg_node *node, uint32_t parent)
{
    const uint32_t index = nodes->tree.node_count++;
    struct fg_node_cost *cost = &nodes->costs[index];
    *cost = (struct fg_node_cost){
        .id = node->id,
        .name = keep_name(nodes, node->name),
        .parent = parent,
        .depth = index != 0 ? nodes->costs[parent].depth + 1 : 0,
    };
    keep_attributes(nodes, cost, node);
    cost->draws = draws_now(nodes);
    nodes->innermost = index;
    cost->begin_ns = now_ns(nodes);
}

static void close_node(struct fg_nodes *nodes, uint32_t flags)
{
    const int64_t end_ns = now_ns(nodes);
    struct fg_node_cost *cost = &nodes->costs[nodes->innermost];
    cost->total_ns = end_ns - cost->begin_ns;
    cost->draws = draws_now(nodes) - cost->draws;
    cost->self_ns = cost->total_ns - cost->self_ns;
    cost->self_draws = cost->draws - cost->self_draws;
    cost->flags |= flags;
    if (nodes->innermost != 0) {
        struct fg_node_cost *parent = &nodes->costs[cost->parent];
        parent->self_ns += cost->total_ns;
        parent->self_draws += cost->draws;
        nodes->innermost = cost->parent;
    }
}

void fg_nodes_push(struct fg_nodes *nodes, const struct fg_node *node)
{
    if (nodes->skipped != 0 || nodes->tree.node_count == nodes->nodes_max ||
        nodes->costs[nodes->innermost].depth == FG_NODE_DEPTH_MAX) {
        nodes->skipped++;
        nodes->tree.lost_nodes++;
    } else {
        open_node(nodes, node, nodes->innermost);
    }
}

void fg_nodes_pop(struct fg_nodes *nodes)
{
    if (nodes->skipped != 0) {
        nodes->skipped--;
    } else if (nodes->innermost == 0) {
        nodes->tree.stray_ends++;
    } else {
        close_node(nodes, 0);
    }
}

void fg_nodes_mark_culled(struct fg_nodes *nodes)
{
    struct fg_node_cost *cost = &nodes->costs[nodes->innermost];
    if (nodes->skipped == 0 && nodes->innermost != 0 && (cost->flags & FG_NODE_CULLED) == 0) {
        cost->flags |= FG_NODE_CULLED;
        nodes->tree.culled_count++;
    }
}

void fg_nodes_add_draws(struct fg_nodes *nodes, uint64_t count)
{
    nodes->told_draws += count;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static struct fg_nodes *open_frame(struct fg_detail *detail)
{
    static const struct fg_node whole = { .id = UINT64_MAX, .name = "frame" };
    struct fg_nodes *nodes = &detail->nodes;
    nodes->recorder = detail->session != NULL ? detail->session->recorder : NULL;
    nodes->tree = (struct fg_detail_tree){ .number = detail->next_number++ };
    nodes->attribute_count = 0;
    nodes->text_bytes = 0;
    nodes->skipped = 0;
    nodes->told_draws = 0;
    nodes->last_ns = 0;
    nodes->last_counted = 0;
    nodes->counted = 0;
    nodes->begin_ns =
        nodes->recorder != NULL ? fgi_host_now(nodes->recorder) : fgi_clock_monotonic_ns();
    open_node(nodes, &whole, UINT32_MAX);
    detail->is_open = true;
    return nodes;
}

struct fg_nodes *fg_detail_frame_begin(struct fg_detail *detail)
{
    if (detail == NULL || detail->is_on == 0) {
        return NULL;
    }
    if (detail->is_open) {
        (void)fg_detail_frame_end(detail);
        if (detail->is_on == 0) {
            return NULL;
        }
    }
    return open_frame(detail);
}

enum fg_result fg_detail_frame_end(struct fg_detail *detail)
{
    if (detail == NULL || !detail->is_open) {
        return FG_OK;
    }
    struct fg_nodes *nodes = &detail->nodes;
    nodes->skipped = 0;
    while (nodes->innermost != 0) {
        close_node(nodes, FG_NODE_UNCLOSED);
        nodes->tree.unclosed_count++;
    }
    close_node(nodes, 0);
    nodes->tree.nodes = nodes->costs;
    detail->is_open = false;
    if (detail->frames_left != 0) {
        detail->frames_left--;
    }
    detail->is_on = detail->is_endless || detail->frames_left != 0;
    return detail->session != NULL ? fgi_detail_write(detail) : FG_OK;
}
