/* SPDX-License-Identifier: MIT */
/* The oracle for the structure of frames: what follows from the lists of a graph, by scanning. */
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include <string.h>

bool contract_list_has(const struct plain_list *list, uint32_t item)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i] == item) {
            return true;
        }
    }
    return false;
}

static bool makes(const struct plain_graph *graph, uint32_t pass, uint32_t resource)
{
    return contract_list_has(&graph->passes[pass].writes, resource) ||
           contract_list_has(&graph->passes[pass].creates, resource);
}

/* Who makes a version: who is said to, or else the first that writes it. */
uint32_t contract_producer(const struct plain_graph *graph, uint32_t resource)
{
    if (graph->resources[resource].producer < graph->pass_count) {
        return graph->resources[resource].producer;
    }
    for (uint32_t p = 0; p < graph->pass_count; p++) {
        if (makes(graph, p, resource)) {
            return p;
        }
    }
    return FG_NONE;
}

static void check_list(const struct plain_list *in, uint32_t limit, const uint32_t *out,
                       uint32_t out_count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        if (in->items[i] < limit) {
            assert_true(kept < out_count);
            assert_int_equal(out[kept++], in->items[i]);
        }
    }
    assert_int_equal(kept, out_count);
}

/* ---- lifetimes ---- */

static void check_resource(const struct plain_graph *graph, uint32_t index,
                           const struct fg_topology_resource *r)
{
    uint32_t first_write = FG_NONE, last_read = FG_NONE, previous = FG_NONE, readers = 0;
    for (uint32_t p = graph->pass_count; p-- > 0;) {
        if (makes(graph, p, index) || contract_producer(graph, index) == p) {
            first_write = p;
        }
    }
    for (uint32_t p = 0; p < graph->pass_count; p++) {
        if (contract_list_has(&graph->passes[p].reads, index)) {
            assert_true(readers < r->reader_count);
            assert_int_equal(r->readers[readers++], p);
            last_read = p;
        }
    }
    for (uint32_t i = 0; i < graph->resource_count; i++) {
        const struct plain_graph_resource *other = &graph->resources[i];
        if (other->id == r->id && other->version < r->version &&
            (previous == FG_NONE || other->version > graph->resources[previous].version)) {
            previous = i;
        }
    }
    assert_int_equal(r->reader_count, readers);
    assert_int_equal(r->producer, contract_producer(graph, index));
    assert_int_equal(r->first_write, first_write);
    assert_int_equal(r->last_read, last_read);
    assert_int_equal(r->previous, previous);
}

/* True when any version of the resource is touched at or before (or at or after) a pass. */
static bool is_touched(const struct plain_graph *graph, uint64_t id, uint32_t first, uint32_t end)
{
    for (uint32_t i = 0; i < graph->resource_count; i++) {
        for (uint32_t p = first; p < end && graph->resources[i].id == id; p++) {
            if (makes(graph, p, i) || contract_list_has(&graph->passes[p].reads, i) ||
                contract_producer(graph, i) == p) {
                return true;
            }
        }
    }
    return false;
}

/* What a resource takes in all its versions; false when that is not known. */
static bool footprint_of(const struct plain_graph *graph, uint64_t id, uint64_t *out_bytes,
                         bool *out_imported)
{
    bool known = false;
    *out_bytes = 0;
    *out_imported = false;
    for (uint32_t i = 0; i < graph->resource_count; i++) {
        const struct plain_graph_resource *r = &graph->resources[i];
        if (r->id != id) {
            continue;
        }
        *out_imported |= r->imported;
        if (r->footprint_bytes != FG_UNKNOWN_BYTES) {
            known = true;
            *out_bytes = r->footprint_bytes > *out_bytes ? r->footprint_bytes : *out_bytes;
        }
    }
    return known;
}

static bool is_first_of_its_id(const struct plain_graph *graph, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (graph->resources[i].id == graph->resources[index].id) {
            return false;
        }
    }
    return true;
}

static void check_sums(const struct plain_graph *graph, const struct fg_topology *t)
{
    uint64_t declared = 0, peak = 0, bytes;
    uint32_t unknown = 0;
    bool imported;
    for (uint32_t i = 0; i < graph->resource_count; i++) {
        if (is_first_of_its_id(graph, i)) {
            bool known = footprint_of(graph, graph->resources[i].id, &bytes, &imported);
            unknown += !known;
            declared += known ? bytes : 0;
        }
    }
    for (uint32_t p = 0; p < graph->pass_count; p++) {
        uint64_t alive = 0;
        for (uint32_t i = 0; i < graph->resource_count; i++) {
            uint64_t id = graph->resources[i].id;
            if (is_first_of_its_id(graph, i) && footprint_of(graph, id, &bytes, &imported) &&
                (imported || (is_touched(graph, id, 0, p + 1) &&
                              is_touched(graph, id, p, graph->pass_count)))) {
                alive += bytes;
            }
        }
        peak = alive > peak ? alive : peak;
    }
    assert_int_equal(t->declared_bytes, declared);
    assert_int_equal(t->peak_bytes, peak);
    assert_int_equal(t->unknown_bytes_count, unknown);
}

/* ---- inputs ---- */

/* needs[a][b]: a depends on b, directly at first, then until nothing is added. */
static void find_needs(const struct plain_graph *graph,
                       bool needs[PLAIN_PASSES_MAX][PLAIN_PASSES_MAX])
{
    for (uint32_t a = 0; a < graph->pass_count; a++) {
        for (uint32_t r = 0; r < graph->resource_count; r++) {
            if (contract_list_has(&graph->passes[a].reads, r) &&
                contract_producer(graph, r) != FG_NONE) {
                needs[a][contract_producer(graph, r)] = true;
            }
        }
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        needs[graph->edges[2 * i + 1]][graph->edges[2 * i]] = true;
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t a = 0; a < graph->pass_count; a++) {
            for (uint32_t b = 0; b < graph->pass_count; b++) {
                for (uint32_t c = 0; c < graph->pass_count && needs[a][b]; c++) {
                    grew |= needs[b][c] && !needs[a][c];
                    needs[a][c] |= needs[b][c];
                }
            }
        }
    }
}

static void check_inputs(const struct plain_graph *graph, const struct fg_topology *t)
{
    bool needs[PLAIN_PASSES_MAX][PLAIN_PASSES_MAX] = { { false } };
    uint8_t passes[PLAIN_PASSES_MAX], resources[PLAIN_RESOURCES_MAX];
    find_needs(graph, needs);
    for (uint32_t a = 0; a < graph->pass_count; a++) {
        memset(passes, 7, sizeof passes);
        memset(resources, 7, sizeof resources);
        assert_int_equal(fg_topology_inputs(t, a, passes, resources), FG_OK);
        for (uint32_t b = 0; b < graph->pass_count; b++) {
            assert_int_equal(passes[b], needs[a][b]);
        }
        for (uint32_t r = 0; r < graph->resource_count; r++) {
            bool is_read = contract_list_has(&graph->passes[a].reads, r);
            for (uint32_t b = 0; b < graph->pass_count; b++) {
                is_read |= needs[a][b] && contract_list_has(&graph->passes[b].reads, r);
            }
            assert_int_equal(resources[r], is_read);
        }
    }
    assert_int_equal(fg_topology_inputs(t, graph->pass_count, passes, resources), FG_ERR_ARGUMENT);
}

/* ---- what frames made of it ---- */

static void check_frames_of(const struct plain_trace *p, uint32_t topology,
                            const struct fg_topology *t)
{
    uint32_t count = 0, first = FG_NONE;
    for (uint32_t f = p->frame_count; f-- > 0;) {
        if (p->frames[f].topology != topology) {
            continue;
        }
        const struct fg_frame_pass *passes = fg_trace_frame_passes(p->trace, f);
        count++;
        first = f;
        assert_int_equal(fg_trace_frame(p->trace, f)->topology, topology);
        assert_true((passes != NULL) == (p->frame_has_passes[f] && t->pass_count > 0));
        for (uint32_t i = 0; i < t->pass_count && passes; i++) {
            assert_int_equal(passes[i].is_known, p->frame_passes[f][i].is_known);
            assert_int_equal(passes[i].culled, p->frame_passes[f][i].culled);
            assert_int_equal(passes[i].ref_count, p->frame_passes[f][i].ref_count);
        }
    }
    assert_int_equal(t->frame_count, count);
    assert_int_equal(t->first_frame, first);
}

void contract_check_structure(struct contract *c)
{
    const struct plain_trace *p = c->plain;
    uint64_t bad_count = 0, repaired = 0;
    struct fg_trace_info info;
    fg_trace_get_info(p->trace, &info);
    assert_int_equal(info.topologies, p->graph_count);
    for (uint32_t i = 0; i < p->graph_count; i++) {
        const struct plain_graph *graph = &p->graphs[i];
        const struct fg_topology *t = fg_trace_topology(p->trace, i);
        assert_int_equal(t->pass_count, graph->pass_count);
        assert_int_equal(t->resource_count, graph->resource_count);
        for (uint32_t k = 0; k < graph->pass_count; k++) {
            const struct plain_graph_pass *pass = &graph->passes[k];
            uint32_t limit = graph->resource_count;
            check_list(&pass->reads, limit, t->passes[k].reads, t->passes[k].read_count);
            check_list(&pass->writes, limit, t->passes[k].writes, t->passes[k].write_count);
            check_list(&pass->creates, limit, t->passes[k].creates, t->passes[k].create_count);
        }
        for (uint32_t k = 0; k < graph->resource_count; k++) {
            check_resource(graph, k, &t->resources[k]);
        }
        check_sums(graph, t);
        check_inputs(graph, t);
        check_frames_of(p, i, t);
        bad_count += graph->bad_count;
    }
    assert_null(fg_trace_topology(p->trace, p->graph_count));
    for (uint32_t i = 0; i < info.repairs; i++) {
        const struct fg_trace_repair *repair = fg_trace_repair(p->trace, i);
        repaired += strcmp(repair->kind, "bad_graph_index") == 0 ? repair->count : 0;
    }
    assert_int_equal(repaired, bad_count);
}
