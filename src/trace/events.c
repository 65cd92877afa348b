/* SPDX-License-Identifier: MIT */
/*
 * The event list of a frame: submissions in their order; in each the GPU passes in the order in
 * which they were encoded, under their graph pass and its scopes; in each of these its calls.
 */
#include "base/alloc.h"
#include "trace/events_priv.h"
#include <string.h>

enum { DEPTH_MAX = 255, SCOPE_DEPTH_MAX = 64 };

bool fgi_events_grow(struct fgi_events *m, void **items, size_t *capacity, size_t item_size,
                     size_t count)
{
    if (m->result != FG_OK || count < *capacity) {
        return m->result == FG_OK;
    }
    size_t more = *capacity == 0 ? 64 : *capacity * 2;
    void *moved =
        count >= FGI_EVENTS_MAX ? NULL : fgi_arena_alloc(m->question->arena, more, item_size);
    if (!moved) {
        m->result = count >= FGI_EVENTS_MAX ? FG_ERR_LIMIT : FG_ERR_NO_MEMORY;
        return false;
    }
    if (count > 0) {
        memcpy(moved, *items, count * item_size);
    }
    *items = moved;
    *capacity = more;
    return true;
}

/* ---- one event ------------------------------------------------------------------------------- */

/* Where in the tree the next event goes. */
struct place {
    uint32_t depth;                   /* of what is directly in the submission (or the frame) */
    uint32_t scopes[SCOPE_DEPTH_MAX]; /* open ones, outermost first; indices in the topology */
    uint32_t scope_count;
    uint32_t graph_pass; /* open one, or FG_NONE */
    uint32_t next_graph; /* passes before it had their turn in the order of the graph */
};

static struct fg_event *put_event(struct fgi_events *m, uint8_t kind, uint32_t depth, uint32_t name)
{
    struct fg_event event = { .kind = kind,
                              .depth = (uint8_t)(depth < DEPTH_MAX ? depth : DEPTH_MAX),
                              .row = FG_NONE,
                              .name = name,
                              .pass = FG_NONE,
                              .track = FG_NONE,
                              .duration_ns = -1 };
    return FGI_EVENTS_PUT(m, m->items, event) ? &m->items.items[m->items.count - 1] : NULL;
}

static void close_scopes(struct place *at)
{
    at->scope_count = 0;
    at->graph_pass = FG_NONE;
}

/* Open the scopes of a pass: what is open of its chain stays so. */
static void open_scopes(struct fgi_events *m, struct place *at, const struct fg_topology_pass *pass)
{
    const struct fg_topology *topology = m->topology;
    uint32_t chain[SCOPE_DEPTH_MAX];
    uint32_t depth = 0;
    for (uint32_t scope = pass->scope_at; scope < topology->scope_count && depth < SCOPE_DEPTH_MAX;
         scope = topology->scopes[scope].parent) {
        chain[depth++] = scope;
    }
    uint32_t same = 0;
    while (same < depth && same < at->scope_count && at->scopes[same] == chain[depth - 1 - same]) {
        same++;
    }
    at->scope_count = same;
    at->graph_pass = FG_NONE;
    for (; at->scope_count < depth; at->scope_count++) {
        const struct fg_topology_scope *scope =
            &topology->scopes[chain[depth - 1 - at->scope_count]];
        if (!put_event(m, FG_EVENT_SCOPE, at->depth + at->scope_count, scope->name) ||
            !FGI_EVENTS_PUT(m, m->scope_paths, scope->path)) {
            return;
        }
        at->scopes[at->scope_count] = chain[depth - 1 - at->scope_count];
    }
}

/* A graph pass by itself, in its scopes. */
static void put_pass(struct fgi_events *m, struct place *at, uint32_t pass, uint8_t kind)
{
    const struct fg_topology_pass *p = &m->topology->passes[pass];
    open_scopes(m, at, p);
    struct fg_event *event = put_event(m, kind, at->depth + at->scope_count, p->name);
    if (event) {
        event->pass = pass;
        fgi_events_put_uses(m, pass);
    }
    at->graph_pass = kind == FG_EVENT_GRAPH_PASS ? pass : FG_NONE;
}

/* Passes up to `end` that gave the device nothing: culled, or kept without anything to do. */
static void put_idle_passes(struct fgi_events *m, struct place *at, uint32_t end)
{
    for (; m->of_frame && at->next_graph < end && m->result == FG_OK; at->next_graph++) {
        const struct fg_frame_pass *pass = &m->of_frame[at->next_graph];
        if (pass->is_known && !(m->pass_marks[at->next_graph] & FGI_EVENT_PASS_HAS_WORK)) {
            put_pass(m, at, at->next_graph, pass->culled ? FG_EVENT_CULLED : FG_EVENT_GRAPH_PASS);
        }
    }
}

/* ---- GPU passes ------------------------------------------------------------------------------ */

static uint32_t pass_count(const struct fgi_events *m)
{
    return m->topology ? m->topology->pass_count : 0;
}

static void put_calls(struct fgi_events *m, uint32_t depth, const struct fgi_work_pass *pass)
{
    uint32_t graph_pass = pass->graph_pass < pass_count(m) ? pass->graph_pass : FG_NONE;
    for (uint32_t i = 0; i < pass->call_count && m->result == FG_OK; i++) {
        const struct fgi_work_call *call = &pass->calls[i];
        struct fg_event *event = put_event(m, call->kind, depth, call->name);
        if (!event) {
            return;
        }
        event->pass = graph_pass;
        event->quality = call->quality;
        event->x = call->x;
        event->y = call->y;
        event->z = call->z;
        event->pipeline = call->pipeline;
        fgi_events_put_bindings(m, graph_pass, call);
        for (uint32_t d = 0; d < call->draw_count; d++) {
            event = put_event(m, call->kind, depth + 1, call->draws[d].name);
            if (!event) {
                return;
            }
            event->pass = graph_pass;
            event->quality = FG_EVENT_RESOLVED;
            event->x = call->draws[d].x;
            event->y = call->draws[d].y;
            event->z = call->draws[d].z;
        }
    }
}

static void put_gpu_pass(struct fgi_events *m, uint32_t depth, const struct fgi_work_pass *pass)
{
    struct fg_event *event = put_event(m, FG_EVENT_GPU_PASS, depth, pass->name);
    if (event) {
        event->row = pass->row;
        event->pass = pass->graph_pass < pass_count(m) ? pass->graph_pass : FG_NONE;
        fgi_events_put_attachments(m, pass);
        put_calls(m, depth + 1, pass);
    }
}

/* Passes by what they lie in: `first` and `next` are lists in the order of numbers. */
struct nesting {
    uint32_t *first; /* by pass, then by submission, then of no submission */
    uint32_t *next;
};

static bool make_nesting(struct fgi_events *m, struct nesting *out)
{
    uint32_t count = m->work.pass_count;
    uint32_t submissions = m->work.submission_count;
    size_t lists = (size_t)count + submissions + 1;
    out->first = fgi_arena_alloc(m->question->arena, lists, sizeof *out->first);
    out->next = fgi_arena_alloc(m->question->arena, (size_t)count + 1, sizeof *out->next);
    if (!out->first || !out->next) {
        m->result = FG_ERR_NO_MEMORY;
        return false;
    }
    memset(out->first, 0xff, lists * sizeof *out->first); /* FG_NONE */
    for (uint32_t i = count; i-- > 0;) {
        const struct fgi_work_pass *pass = &m->work.passes[i];
        uint32_t list = pass->parent < i                 ? pass->parent
                        : pass->submission < submissions ? count + pass->submission
                                                         : count + submissions;
        out->next[i] = out->first[list];
        out->first[list] = i;
    }
    return true;
}

/* A pass with all that is in it. */
static void put_tree(struct fgi_events *m, const struct nesting *nesting, uint32_t depth,
                     uint32_t root)
{
    uint32_t i = root;
    uint32_t below = 0;
    while (m->result == FG_OK) {
        put_gpu_pass(m, depth + below, &m->work.passes[i]);
        if (nesting->first[i] != FG_NONE) {
            i = nesting->first[i];
            below++;
            continue;
        }
        while (i != root && nesting->next[i] == FG_NONE) {
            i = m->work.passes[i].parent;
            below--;
        }
        if (i == root) {
            return;
        }
        i = nesting->next[i];
    }
}

/* The passes of one submission, or of none; `left` counts those of the graph still to come. */
static void put_list(struct fgi_events *m, struct place *at, const struct nesting *nesting,
                     uint32_t first, uint32_t *left)
{
    for (uint32_t i = first; i != FG_NONE && m->result == FG_OK; i = nesting->next[i]) {
        uint32_t graph_pass = m->work.passes[i].graph_pass;
        if (graph_pass >= pass_count(m)) {
            close_scopes(at);
            put_tree(m, nesting, at->depth, i);
            continue;
        }
        put_idle_passes(m, at, graph_pass);
        if (at->graph_pass != graph_pass) {
            put_pass(m, at, graph_pass, FG_EVENT_GRAPH_PASS);
        }
        put_tree(m, nesting, at->depth + at->scope_count + 1, i);
        if (--*left == 0) {
            put_idle_passes(m, at, pass_count(m)); /* those behind the last one with work */
        }
    }
}

/* ---- the frame ------------------------------------------------------------------------------- */

static void put_semaphores(struct fgi_events *m, uint8_t kind, uint32_t name,
                           const struct fgi_work_semaphore *semaphores, uint32_t count)
{
    for (uint32_t i = 0; i < count && m->result == FG_OK; i++) {
        struct fg_event *event = put_event(m, kind, 1, name);
        if (event) {
            event->quality = FG_EVENT_ENCODED;
            event->x = semaphores[i].id;
            event->y = semaphores[i].value;
        }
    }
}

static void put_all(struct fgi_events *m)
{
    struct nesting nesting;
    struct place at = { .depth = 1, .graph_pass = FG_NONE };
    const uint32_t *lists;
    uint32_t left = 0;
    if (!make_nesting(m, &nesting)) {
        return;
    }
    for (uint32_t i = 0; i < m->work.pass_count; i++) {
        const struct fgi_work_pass *pass = &m->work.passes[i];
        if (pass->graph_pass < pass_count(m)) {
            m->pass_marks[pass->graph_pass] |= FGI_EVENT_PASS_HAS_WORK;
            left += pass->parent >= i;
        }
    }
    lists = nesting.first + m->work.pass_count;
    for (uint32_t s = 0; s < m->work.submission_count && m->result == FG_OK; s++) {
        const struct fgi_work_submission *submission = &m->work.submissions[s];
        (void)put_event(m, FG_EVENT_SUBMISSION, 0, submission->name);
        put_semaphores(m, FG_EVENT_WAIT, m->work.wait_name, submission->waits,
                       submission->wait_count);
        put_list(m, &at, &nesting, lists[s], &left);
        close_scopes(&at);
        put_semaphores(m, FG_EVENT_SIGNAL, m->work.signal_name, submission->signals,
                       submission->signal_count);
    }
    at.depth = 0;
    put_list(m, &at, &nesting, lists[m->work.submission_count], &left);
    put_idle_passes(m, &at, pass_count(m));
}

enum fg_result fgi_events_make(const struct fg_trace *trace, const struct fgi_question *question,
                               uint32_t frame, struct fg_events_reply *out_reply)
{
    uint32_t topology = trace->frames.items[frame].topology;
    struct fgi_events m = { .trace = trace,
                            .question = question,
                            .topology = fg_trace_topology(trace, topology),
                            .of_frame = fg_trace_frame_passes(trace, frame),
                            .frame = frame };
    if (m.topology) {
        size_t resources = (size_t)m.topology->resource_count + 1;
        m.pass_marks = fgi_arena_alloc(question->arena, (size_t)m.topology->pass_count + 1, 1);
        m.resource_marks = fgi_arena_alloc(question->arena, resources, 1);
        m.result = m.pass_marks && m.resource_marks ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (m.result == FG_OK && trace->work_loader.load) {
        m.result =
            trace->work_loader.load(trace->work_loader.context, frame, question->arena, &m.work);
    }
    if (m.result == FG_OK) {
        m.result = fgi_event_uses_make(&m);
    }
    if (m.result == FG_OK) {
        put_all(&m);
    }
    if (m.result == FG_OK) {
        fgi_events_measure(&m);
    }
    fgi_event_uses_finish(&m.uses);
    *out_reply = (struct fg_events_reply){ .topology = m.topology ? topology : FG_NONE,
                                           .events = m.items.items,
                                           .count = (uint32_t)m.items.count,
                                           .bindings = m.bindings.items,
                                           .binding_count = (uint32_t)m.bindings.count };
    return m.result;
}
