/* SPDX-License-Identifier: MIT */
/*
 * Flows: s, t and f, known by category and id (and process, where the id is local); and slices with
 * a bind_id. By time, then in the order of the file, s opens a flow, t goes on, f ends it: each t
 * and f of an open flow makes a dependency from the slice before. Another s begins anew; what has
 * no open flow is counted, and so is a flow of which one end binds to no slice.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

static uint32_t key_of(struct fgi_chrome *c, uint32_t category, uint32_t id)
{
    const struct fgi_chrome_event *e = &c->event;
    uint32_t key = fgi_chrome_pair(c, FGI_PAIR_FLOW_ID, category, id, NULL);
    return fgi_chrome_pair(c, FGI_PAIR_FLOW_PID, key, e->id_is_local ? e->pid : FG_NONE, NULL);
}

void fgi_chrome_flow_event(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    uint32_t thread = fgi_chrome_thread(c, e->pid, e->tid);
    if (thread == FG_NONE) {
        return;
    }
    struct fgi_chrome_flow flow = {
        .ns = fgi_chrome_start_ns(c, thread),
        .offset = e->offset,
        .key = key_of(c, e->category, e->id),
        .loose_key = e->has_id2 ? e->category : FG_NONE,
        .thread = thread,
        .row = FG_NONE,
        .bits = e->phase == 's'   ? FGI_CHROME_FLOW_START
                : e->phase == 't' ? FGI_CHROME_FLOW_STEP
                                  : FGI_CHROME_FLOW_END,
    };
    if (e->phase == 'f' && !e->binds_enclosing) {
        flow.bits |= FGI_CHROME_FLOW_NEXT;
    }
    (void)FGI_CHROME_PUSH(c, c->flows, flow);
}

void fgi_chrome_flow_of_span(struct fgi_chrome *c, uint32_t row, int64_t ns)
{
    const struct fgi_chrome_event *e = &c->event;
    struct fgi_chrome_flow flow = {
        .ns = ns,
        .offset = e->offset,
        .key = key_of(c, FG_NONE, e->bind_id),
        .loose_key = FG_NONE,
        .thread = FG_NONE,
        .row = row,
        .bits =
            (e->flow_in ? FGI_CHROME_FLOW_END : 0u) | (e->flow_out ? FGI_CHROME_FLOW_START : 0u),
    };
    if (flow.bits != 0) {
        (void)FGI_CHROME_PUSH(c, c->flows, flow);
    }
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_chrome_flow *flows = context;
    return flows[a].key != flows[b].key ? flows[a].key < flows[b].key : flows[a].ns < flows[b].ns;
}

static bool is_on_gpu(const struct fgi_chrome *c, const struct fgi_chrome_flow *flow)
{
    return flow->thread != FG_NONE && c->threads.items[flow->thread].is_gpu;
}

static void link_flows(struct fgi_chrome *c, const struct fgi_chrome_flow *from,
                       const struct fgi_chrome_flow *to)
{
    if (from->row == FG_NONE || to->row == FG_NONE || from->row == to->row) {
        fgi_chrome_repair_at(c, "flow_unbound", 1, to->offset);
        return;
    }
    bool is_launch = is_on_gpu(c, to) && !is_on_gpu(c, from);
    fgi_builder_dependency(c->builder,
                           &(struct fg_trace_dependency){
                               .source = from->row,
                               .target = to->row,
                               .family = is_launch ? FG_DEPENDENCY_SUBMIT : FG_DEPENDENCY_FLOW,
                           });
    if (is_launch) {
        fgi_builder_fail(c->builder,
                         fgi_map64_put(&c->linked, (uint64_t)from->row << 32 | to->row, 0));
    }
}

/* One point of a flow; *open is the slice that it goes on from. */
static void follow(struct fgi_chrome *c, const struct fgi_chrome_flow *flow,
                   const struct fgi_chrome_flow **open)
{
    if (flow->bits & (FGI_CHROME_FLOW_STEP | FGI_CHROME_FLOW_END)) {
        if (*open == NULL) {
            fgi_chrome_repair_at(c, "flow_without_start", 1, flow->offset);
        } else {
            link_flows(c, *open, flow);
            *open = flow->bits & FGI_CHROME_FLOW_STEP ? flow : NULL;
        }
    }
    if (flow->bits & FGI_CHROME_FLOW_START) {
        if (*open != NULL) {
            fgi_chrome_repair_at(c, "flow_without_end", 1, (*open)->offset);
        }
        *open = flow;
    }
}

/* Links that are there, of what is known by id2 only. */
static uint64_t count_local(const struct fgi_chrome *c, const uint32_t *order)
{
    uint64_t links = 0;
    bool is_open = false;
    for (size_t i = 0; i < c->flows.count; i++) {
        const struct fgi_chrome_flow *flow = &c->flows.items[order[i]];
        is_open &= i > 0 && c->flows.items[order[i - 1]].key == flow->key;
        bool is_start = (flow->bits & FGI_CHROME_FLOW_START) != 0;
        links += flow->loose_key != FG_NONE && is_open && !is_start;
        is_open = is_start || (is_open && (flow->bits & FGI_CHROME_FLOW_STEP) != 0);
    }
    return links;
}

static bool loosely_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_chrome_flow *flows = context;
    return flows[a].loose_key != flows[b].loose_key ? flows[a].loose_key < flows[b].loose_key
           : flows[a].ns != flows[b].ns             ? flows[a].ns < flows[b].ns
                                                    : a < b;
}

/*
 * Readers that know no id2 join a start with whatever ends next in its category. We do not: where
 * that would be more than the ids say, those are flows whose other end is not in the file.
 */
static void count_loose(struct fgi_chrome *c, uint32_t *order)
{
    uint64_t local = count_local(c, order);
    uint64_t loose = 0, first_offset = UINT64_MAX;
    bool is_open = false;
    enum fg_result result =
        fgi_sort_u32(c->allocator, order, c->flows.count, loosely_before, c->flows.items);
    fgi_builder_fail(c->builder, result);
    for (size_t i = 0; i < c->flows.count && result == FG_OK; i++) {
        const struct fgi_chrome_flow *flow = &c->flows.items[order[i]];
        if (flow->loose_key == FG_NONE) {
            break; /* they come last */
        }
        is_open &= i > 0 && c->flows.items[order[i - 1]].loose_key == flow->loose_key;
        bool is_start = (flow->bits & FGI_CHROME_FLOW_START) != 0;
        if (is_open && !is_start) {
            loose++;
            first_offset = flow->offset < first_offset ? flow->offset : first_offset;
        }
        is_open = is_start || (is_open && (flow->bits & FGI_CHROME_FLOW_STEP) != 0);
    }
    fgi_chrome_repair_at(c, "flow_unbound", loose > local ? loose - local : 0, first_offset);
}

static void link_all(struct fgi_chrome *c, const uint32_t *order)
{
    const struct fgi_chrome_flow *flows = c->flows.items;
    const struct fgi_chrome_flow *open = NULL;
    for (size_t i = 0; i < c->flows.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_flow *flow = &flows[order[i]];
        follow(c, flow, &open);
        bool is_last = i + 1 == c->flows.count || flows[order[i + 1]].key != flow->key;
        if (is_last && open != NULL) {
            fgi_chrome_repair_at(c, "flow_without_end", 1, open->offset);
        }
        open = is_last ? NULL : open;
    }
}

void fgi_chrome_finish_flows(struct fgi_chrome *c)
{
    size_t count = c->flows.count;
    if (count == 0 || fgi_builder_result(c->builder) != FG_OK) {
        return;
    }
    fgi_chrome_bind_flows(c);
    uint32_t *order = fgi_malloc(c->allocator, count * sizeof *order);
    enum fg_result result = order != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        order[i] = (uint32_t)i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(c->allocator, order, count, before, c->flows.items);
    }
    fgi_builder_fail(c->builder, result);
    if (result == FG_OK) {
        link_all(c, order);
        count_loose(c, order);
    }
    fgi_free(c->allocator, order, count * sizeof *order);
}
