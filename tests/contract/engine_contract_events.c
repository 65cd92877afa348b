/* SPDX-License-Identifier: MIT */
/* The oracle for the event list: the same order, worked out pass by pass, by recursion. */
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include "trace/frame_work.h"
#include <string.h>

enum {
    WORK_PASSES_MAX = 14,
    WORK_CALLS_MAX = 3,
    WORK_SUBMISSIONS_MAX = 4,
    EVENTS_MAX = 4096,
};

/* Work of one frame, at random; the loader hands it out. */
struct plain_work {
    struct fgi_work_pass passes[WORK_PASSES_MAX];
    struct fgi_work_call calls[WORK_PASSES_MAX][WORK_CALLS_MAX];
    struct fgi_work_binding bindings[WORK_PASSES_MAX][WORK_CALLS_MAX];
    struct fgi_work_submission submissions[WORK_SUBMISSIONS_MAX];
    struct fgi_work_semaphore semaphores[WORK_SUBMISSIONS_MAX][2];
    struct fgi_frame_work work;
};

static void make_work(struct plain_work *w, struct plain_trace *p)
{
    memset(w, 0, sizeof *w);
    w->work = (struct fgi_frame_work){ .passes = w->passes,
                                       .submissions = w->submissions,
                                       .submission_count = plain_below(p, WORK_SUBMISSIONS_MAX + 1),
                                       .pass_count = plain_below(p, WORK_PASSES_MAX + 1),
                                       .wait_name = p->names[0],
                                       .signal_name = p->names[0] };
    for (uint32_t i = 0; i < w->work.submission_count; i++) {
        w->semaphores[i][0] = (struct fgi_work_semaphore){ 7, i };
        w->semaphores[i][1] = (struct fgi_work_semaphore){ 8, i };
        w->submissions[i] = (struct fgi_work_submission){ .waits = w->semaphores[i],
                                                          .signals = w->semaphores[i] + 1,
                                                          .wait_count = plain_below(p, 3),
                                                          .signal_count = plain_below(p, 2) };
    }
    for (uint32_t i = 0; i < w->work.pass_count; i++) {
        struct fgi_work_pass *pass = &w->passes[i];
        *pass = (struct fgi_work_pass){
            .row = p->span_count > 0 && plain_below(p, 3) ? plain_below(p, p->span_count) : FG_NONE,
            .graph_pass = plain_below(p, 4) ? plain_below(p, PLAIN_PASSES_MAX) : FG_NONE,
            .submission = plain_below(p, 5) ? plain_below(p, WORK_SUBMISSIONS_MAX) : FG_NONE,
            .parent = plain_below(p, 3) == 0 && i > 0 ? plain_below(p, i) : FG_NONE,
            .calls = w->calls[i],
            .call_count = plain_below(p, WORK_CALLS_MAX + 1),
        };
        for (uint32_t k = 0; k < pass->call_count; k++) {
            w->bindings[i][k] = (struct fgi_work_binding){ .resource = plain_below(p, 8),
                                                           .is_read_only = plain_below(p, 2) };
            w->calls[i][k] = (struct fgi_work_call){ .kind = FG_EVENT_DRAW,
                                                     .quality = FG_EVENT_ENCODED,
                                                     .x = 100 * i + k,
                                                     .bindings = &w->bindings[i][k],
                                                     .binding_count = 1 };
        }
    }
}

static enum fg_result load_work(void *context, uint32_t frame, struct fgi_arena *arena,
                                struct fgi_frame_work *out_work)
{
    const struct plain_work *work = context;
    (void)frame;
    (void)arena;
    *out_work = work->work;
    return FG_OK;
}

/* ---- what must come out ---- */

struct want {
    struct {
        uint8_t kind, depth;
        uint32_t pass, row;
        uint64_t x;
    } items[EVENTS_MAX];
    uint32_t count;
    const struct plain_trace *plain;
    const struct plain_work *work;
    const struct plain_graph *graph;      /* may be NULL */
    const struct fg_frame_pass *of_frame; /* may be NULL */
    uint32_t open_pass;                   /* FG_NONE: none */
    uint32_t idle_from;                   /* passes before it had their turn */
};

static uint32_t graph_pass_of(const struct want *w, uint32_t i)
{
    uint32_t pass = w->work->passes[i].graph_pass;
    return w->graph && pass < w->graph->pass_count ? pass : FG_NONE;
}

static void want_event(struct want *w, uint8_t kind, uint32_t depth, uint32_t pass, uint32_t row,
                       uint64_t x)
{
    assert_true(w->count < EVENTS_MAX);
    w->items[w->count].kind = kind;
    w->items[w->count].depth = (uint8_t)depth;
    w->items[w->count].pass = pass;
    w->items[w->count].row = row;
    w->items[w->count++].x = x;
}

static void want_idle(struct want *w, uint32_t depth, uint32_t end)
{
    for (; w->of_frame && w->idle_from < end; w->idle_from++) {
        bool works = false;
        for (uint32_t i = 0; i < w->work->work.pass_count; i++) {
            works |= graph_pass_of(w, i) == w->idle_from;
        }
        if (w->of_frame[w->idle_from].is_known && !works) {
            bool culled = w->of_frame[w->idle_from].culled;
            want_event(w, culled ? FG_EVENT_CULLED : FG_EVENT_GRAPH_PASS, depth, w->idle_from,
                       FG_NONE, 0);
            w->open_pass = FG_NONE;
        }
    }
}

static void want_tree(struct want *w, uint32_t depth, uint32_t i)
{
    const struct fgi_work_pass *pass = &w->work->passes[i];
    want_event(w, FG_EVENT_GPU_PASS, depth, graph_pass_of(w, i), pass->row, 0);
    for (uint32_t k = 0; k < pass->call_count; k++) {
        want_event(w, FG_EVENT_DRAW, depth + 1, graph_pass_of(w, i), FG_NONE, pass->calls[k].x);
    }
    for (uint32_t k = i + 1; k < w->work->work.pass_count; k++) {
        if (w->work->passes[k].parent == i) {
            want_tree(w, depth + 1, k);
        }
    }
}

/* Is there another outermost pass of the graph behind (submission, number)? */
static bool comes_more(const struct want *w, uint32_t submission, uint32_t number)
{
    uint32_t submissions = w->work->work.submission_count;
    for (uint32_t i = 0; i < w->work->work.pass_count; i++) {
        const struct fgi_work_pass *pass = &w->work->passes[i];
        uint32_t in = pass->submission < submissions ? pass->submission : submissions;
        if (pass->parent == FG_NONE && graph_pass_of(w, i) != FG_NONE &&
            (in > submission || (in == submission && i > number))) {
            return true;
        }
    }
    return false;
}

static void want_passes(struct want *w, uint32_t depth, uint32_t submission)
{
    uint32_t submissions = w->work->work.submission_count;
    w->open_pass = FG_NONE;
    for (uint32_t i = 0; i < w->work->work.pass_count; i++) {
        const struct fgi_work_pass *pass = &w->work->passes[i];
        uint32_t in = pass->submission < submissions ? pass->submission : submissions;
        uint32_t graph_pass = graph_pass_of(w, i);
        if (in != submission || pass->parent != FG_NONE) {
            continue;
        }
        if (graph_pass == FG_NONE) {
            want_tree(w, depth, i);
            w->open_pass = FG_NONE;
            continue;
        }
        want_idle(w, depth, graph_pass);
        if (w->open_pass != graph_pass) {
            want_event(w, FG_EVENT_GRAPH_PASS, depth, graph_pass, FG_NONE, 0);
            w->open_pass = graph_pass;
        }
        want_tree(w, depth + 1, i);
        if (!comes_more(w, submission, i)) {
            want_idle(w, depth, w->graph->pass_count);
        }
    }
}

static void want_frame(struct want *w)
{
    for (uint32_t s = 0; s < w->work->work.submission_count; s++) {
        const struct fgi_work_submission *submission = &w->work->submissions[s];
        want_event(w, FG_EVENT_SUBMISSION, 0, FG_NONE, FG_NONE, 0);
        for (uint32_t i = 0; i < submission->wait_count; i++) {
            want_event(w, FG_EVENT_WAIT, 1, FG_NONE, FG_NONE, submission->waits[i].id);
        }
        want_passes(w, 1, s);
        for (uint32_t i = 0; i < submission->signal_count; i++) {
            want_event(w, FG_EVENT_SIGNAL, 1, FG_NONE, FG_NONE, submission->signals[i].id);
        }
    }
    want_passes(w, 0, w->work->work.submission_count);
    want_idle(w, 0, w->graph ? w->graph->pass_count : 0);
}

/* ---- times and uses ---- */

static void check_times(const struct want *w, const struct fg_events_reply *reply, uint32_t index)
{
    const struct plain_trace *p = w->plain;
    const struct fg_event *event = &reply->events[index];
    int64_t first = INT64_MAX, last = INT64_MIN;
    uint32_t clock = FG_NONE;
    bool is_told = true;
    if (event->kind == FG_EVENT_DRAW || event->kind > FG_EVENT_GPU_PASS) {
        assert_true(event->duration_ns == -1);
        return;
    }
    for (uint32_t i = index; i < reply->count && (i == index || w->items[i].depth > event->depth);
         i++) {
        if (w->items[i].kind != FG_EVENT_GPU_PASS || w->items[i].row == FG_NONE ||
            (event->kind == FG_EVENT_GPU_PASS && i != index)) {
            continue;
        }
        const struct plain_span *s = &p->spans[w->items[i].row];
        is_told &= s->status == FG_SPAN_COMPLETE;
        is_told &= clock == FG_NONE || clock == p->track_clock[s->track];
        clock = p->track_clock[s->track];
        first = s->start < first ? s->start : first;
        last = s->end > last ? s->end : last;
    }
    is_told &= clock != FG_NONE;
    uint64_t length = is_told ? (uint64_t)last - (uint64_t)first : 0;
    assert_true(event->start_ns == (is_told ? first : 0));
    assert_true(event->duration_ns == (!is_told             ? -1
                                       : length > INT64_MAX ? INT64_MAX
                                                            : (int64_t)length));
}

static uint8_t access_of(const struct plain_graph *graph, uint32_t pass, uint32_t resource)
{
    const struct plain_graph_pass *p = &graph->passes[pass];
    return (uint8_t)((contract_list_has(&p->reads, resource) ? FG_EVENT_READS : 0) |
                     (contract_list_has(&p->writes, resource) ? FG_EVENT_WRITES : 0) |
                     (contract_list_has(&p->creates, resource) ? FG_EVENT_CREATES : 0));
}

/* Each declared use is told once in the frame, at the pass's first event, with what made it. */
static void check_uses(const struct want *w, const struct fg_events_reply *reply, uint32_t pass)
{
    uint32_t first = 0;
    while (first < reply->count && !(reply->events[first].pass == pass &&
                                     (reply->events[first].kind == FG_EVENT_GRAPH_PASS ||
                                      reply->events[first].kind == FG_EVENT_CULLED))) {
        first++;
    }
    for (uint32_t r = 0; first < reply->count && r < w->graph->resource_count; r++) {
        uint8_t access = access_of(w->graph, pass, r);
        uint32_t told = 0;
        for (uint32_t i = 0; i < reply->binding_count; i++) {
            const struct fg_event_binding *b = &reply->bindings[i];
            const struct fg_event *event = &reply->events[b->event];
            if (b->kind != FG_EVENT_BINDING_USE || event->pass != pass || b->resource != r) {
                continue;
            }
            told++;
            assert_int_equal(b->event, first);
            assert_int_equal(b->access, access);
            uint32_t producer = contract_producer(w->graph, r);
            if (!(access & FG_EVENT_READS)) {
                assert_int_equal(b->producer, FG_NONE);
            } else if (producer != pass) {
                assert_int_equal(b->producer, producer);
            }
        }
        assert_int_equal(told, access != 0);
    }
}

/* A binding means a version that its pass uses of the resource with that number. */
static void check_binding(const struct want *w, const struct fg_events_reply *reply,
                          const struct fg_event_binding *b)
{
    const struct fg_event *event = &reply->events[b->event];
    uint32_t i = (uint32_t)(event->x / 100), k = (uint32_t)(event->x % 100);
    const struct fgi_work_binding *from = &w->work->bindings[i][k];
    bool is_used = false, is_read = false;
    for (uint32_t r = 0; event->pass != FG_NONE && r < w->graph->resource_count; r++) {
        if (from->resource != 0 && w->graph->resources[r].id == from->resource) {
            is_used |= access_of(w->graph, event->pass, r) != 0;
            is_read |= (access_of(w->graph, event->pass, r) & FG_EVENT_READS) != 0;
        }
    }
    assert_int_equal(b->resource != FG_NONE, is_used);
    assert_int_equal(b->access != 0, is_used);
    if (is_used) {
        uint8_t access = access_of(w->graph, event->pass, b->resource);
        assert_int_equal(w->graph->resources[b->resource].id, from->resource);
        assert_true(access != 0 && (!is_read || (access & FG_EVENT_READS)));
        assert_true(!from->is_read_only || b->access == FG_EVENT_READS);
    }
}

void contract_check_events(struct contract *c)
{
    static struct plain_work work;
    static struct want want;
    struct plain_trace *p = c->plain;
    struct fg_events_reply reply;
    assert_int_equal(fg_query_events(c->query, p->frame_count, &reply), FG_ERR_NOT_FOUND);
    if (p->frame_count == 0) {
        return;
    }
    uint32_t frame = plain_below(p, p->frame_count);
    uint32_t topology = p->frames[frame].topology;
    make_work(&work, p);
    want = (struct want){ .plain = p,
                          .work = &work,
                          .graph = topology == FG_NONE ? NULL : &p->graphs[topology],
                          .of_frame = fg_trace_frame_passes(p->trace, frame) };
    want_frame(&want);
    p->trace->work_loader = (struct fgi_work_loader){ load_work, &work };
    assert_int_equal(fg_query_events(c->query, frame, &reply), FG_OK);
    p->trace->work_loader = (struct fgi_work_loader){ 0 };
    assert_int_equal(reply.topology, topology);
    assert_int_equal(reply.count, want.count);
    for (uint32_t i = 0; i < want.count; i++) {
        assert_int_equal(reply.events[i].kind, want.items[i].kind);
        assert_int_equal(reply.events[i].depth, want.items[i].depth);
        assert_int_equal(reply.events[i].pass, want.items[i].pass);
        assert_true(reply.events[i].x == want.items[i].x);
        if (want.items[i].kind == FG_EVENT_GPU_PASS) {
            assert_int_equal(reply.events[i].row, want.items[i].row);
        }
        check_times(&want, &reply, i);
    }
    for (uint32_t i = 0; want.graph && i < want.graph->pass_count; i++) {
        check_uses(&want, &reply, i);
    }
    for (uint32_t i = 0; i < reply.binding_count; i++) {
        assert_true(i == 0 || reply.bindings[i - 1].event <= reply.bindings[i].event);
        if (reply.bindings[i].kind == FG_EVENT_BINDING_CALL) {
            check_binding(&want, &reply, &reply.bindings[i]);
        }
    }
}
