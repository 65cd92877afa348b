/* SPDX-License-Identifier: MIT */
/* The oracle for what GPU passes wait for by their frame graph and by the order of their queue. */
#include "engine_contract.h"
#include "support/cmocka_all.h"

struct expected {
    uint32_t rows[PLAIN_PASSES_MAX + 1], families[PLAIN_PASSES_MAX + 1];
    uint32_t count;
};

static bool is_gpu_pass_of(const struct plain_span *s, uint32_t frame)
{
    return (s->classes & FG_CLASS_GPU_PASS) && s->frame == frame;
}

/* Does the pass at `reader` read something that the one at `producer` made? */
static bool hands_over(const struct plain_graph *graph, uint32_t producer, uint32_t reader)
{
    for (uint32_t r = 0; r < graph->resource_count; r++) {
        if (contract_producer(graph, r) == producer &&
            contract_list_has(&graph->passes[reader].reads, r)) {
            return producer != reader;
        }
    }
    return false;
}

/* Last of the pass to end, or first to begin. */
static uint32_t row_for(const struct plain_trace *p, uint32_t frame, uint32_t pass, bool is_wait)
{
    uint32_t best = FG_NONE;
    for (uint32_t i = 0; i < p->span_count; i++) {
        const struct plain_span *s = &p->spans[i];
        if (!is_gpu_pass_of(s, frame) || s->pass != p->passes[3 + pass]) {
            continue;
        }
        if (best == FG_NONE ||
            (is_wait ? s->end > p->spans[best].end : s->start < p->spans[best].start)) {
            best = i;
        }
    }
    return best;
}

static void expect_data(const struct plain_trace *p, const struct plain_span *s, bool is_wait,
                        struct expected *out)
{
    uint32_t topology = p->frames[s->frame].topology;
    const struct plain_graph *graph = topology == FG_NONE ? NULL : &p->graphs[topology];
    for (uint32_t at = 0; graph && at < graph->pass_count; at++) {
        for (uint32_t i = 0; i < graph->pass_count && s->pass == p->passes[3 + at]; i++) {
            bool is_linked = is_wait ? hands_over(graph, i, at) : hands_over(graph, at, i);
            uint32_t row = is_linked ? row_for(p, s->frame, i, is_wait) : FG_NONE;
            if (row != FG_NONE) {
                out->families[out->count] = FG_DEPENDENCY_GRAPH;
                out->rows[out->count++] = row;
            }
        }
    }
}

static bool encloses(const struct fg_trace *trace, const struct plain_trace *p, uint32_t outer,
                     uint32_t inner)
{
    struct fg_trace_span a, b;
    uint32_t count;
    assert_int_equal(fg_trace_spans(trace, outer, &a, 1, &count), FG_OK);
    assert_int_equal(fg_trace_spans(trace, inner, &b, 1, &count), FG_OK);
    return a.depth < b.depth && p->spans[outer].start <= p->spans[inner].start &&
           p->spans[outer].end >= p->spans[inner].end;
}

static void expect_queue(const struct plain_trace *p, uint32_t row, bool is_wait,
                         struct expected *out)
{
    const struct plain_span *s = &p->spans[row];
    for (uint32_t distance = 0; distance <= 4; distance++) {
        int64_t frame = (int64_t)s->frame + (is_wait ? -1 : 1) * (int64_t)distance;
        uint32_t best = FG_NONE;
        for (uint32_t i = 0; frame >= 0 && i < p->span_count; i++) {
            const struct plain_span *o = &p->spans[i];
            bool is_before = o->start != s->start ? o->start < s->start : i < row;
            if (i == row || !is_gpu_pass_of(o, (uint32_t)frame) || o->track != s->track ||
                is_before != is_wait || encloses(p->trace, p, i, row) ||
                encloses(p->trace, p, row, i)) {
                continue;
            }
            const struct plain_span *b = best == FG_NONE ? NULL : &p->spans[best];
            if (!b || (is_wait ? o->start >= b->start : o->start < b->start)) {
                best = i;
            }
        }
        if (best != FG_NONE) {
            out->families[out->count] = FG_DEPENDENCY_QUEUE;
            out->rows[out->count++] = best;
            return;
        }
    }
}

/* A gap is claimed only where clocks, frames and ends allow it. */
static void check_claim(struct contract *c, const struct fg_span_link *link, uint32_t from,
                        uint32_t to)
{
    const struct plain_trace *p = c->plain;
    const struct plain_span *a = &p->spans[from];
    const struct plain_span *b = &p->spans[to];
    uint32_t clock = p->track_clock[a->track];
    struct fg_gap gap;
    bool is_known = fg_query_gap(c->query, from, to, &gap) == FG_OK && gap.is_ordered &&
                    a->status == FG_SPAN_COMPLETE &&
                    (a->frame == b->frame || p->clock_kind[clock] != FG_CLOCK_NOMINAL);
    assert_int_equal(link->is_claimed, is_known);
    assert_true(link->gap_ns == (is_known ? gap.gap_ns : 0));
}

static void check_side(struct contract *c, uint32_t row, bool is_wait,
                       const struct fg_span_link *links, uint32_t count, uint32_t recorded)
{
    const struct plain_trace *p = c->plain;
    const struct plain_span *s = &p->spans[row];
    struct expected expected = { .count = 0 };
    uint32_t next = recorded;
    if ((s->classes & FG_CLASS_GPU_PASS) && s->frame != FG_NONE) {
        expect_data(p, s, is_wait, &expected);
        expect_queue(p, row, is_wait, &expected);
    }
    for (uint32_t i = 0; i < expected.count; i++) {
        bool is_told = false;
        for (uint32_t k = 0; k < recorded; k++) {
            is_told |=
                links[k].row == expected.rows[i] && (links[k].family == expected.families[i] ||
                                                     (links[k].family == FG_DEPENDENCY_DATA &&
                                                      expected.families[i] == FG_DEPENDENCY_GRAPH));
        }
        if (!is_told) {
            assert_true(next < count);
            assert_int_equal(links[next].row, expected.rows[i]);
            assert_int_equal(links[next].family, expected.families[i]);
            assert_int_equal(links[next++].flags, FG_DEPENDENCY_DERIVED);
        }
    }
    assert_int_equal(next, count);
    for (uint32_t i = 0; i < count; i++) {
        check_claim(c, &links[i], is_wait ? links[i].row : row, is_wait ? row : links[i].row);
    }
}

void contract_check_graph_links(struct contract *c, const struct fg_span_detail *detail,
                                uint32_t waits, uint32_t wakes)
{
    check_side(c, detail->span.row, true, detail->waits, detail->wait_count, waits);
    check_side(c, detail->span.row, false, detail->wakes, detail->wake_count, wakes);
}
