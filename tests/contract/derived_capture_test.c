/* SPDX-License-Identifier: MIT */
/*
 * A recorded capture with a frame graph: paths, slices and focus go through the dependencies that
 * follow from the graph, and say that they were not recorded. The graph is that of record_some.h:
 * shadow -> gbuffer -> bloom -> tonemap, also gbuffer -> tonemap, and shadow and gbuffer -> unused.
 */
#include "support/cmocka_all.h"
#include "support/record_some.h"
#include <frameglass/open.h>
#include <frameglass/trace_path.h>
#include <stdlib.h>
#include <string.h>

enum pass { SHADOW, GBUFFER, BLOOM, UNUSED, TONEMAP, PASSES };
static const char *const names[PASSES] = { "shadow, \"near\"", "gbuffer", "bloom", "unused",
                                           "tonemap" };
static const uint64_t costs_ns[PASSES] = { 500001, 2000003, 700007, 100000, 300000 };
enum { FRAME = 1 /* nothing is culled in it */, GRAPH = FG_FAMILY(FG_DEPENDENCY_GRAPH) };

struct opened {
    uint8_t *bytes;
    struct fg_memory_view view;
    struct fg_document *document;
    struct fg_query *query;
    uint32_t rows[PASSES]; /* GPU spans of FRAME */
};

static void find_rows(struct opened *o)
{
    const struct fg_trace *trace = fg_document_trace(o->document);
    struct fg_trace_span span;
    uint32_t count;
    for (uint32_t i = 0; i < PASSES; i++) {
        o->rows[i] = FG_NONE;
    }
    for (uint32_t row = 0;; row++) {
        assert_int_equal(fg_trace_spans(trace, row, &span, 1, &count), FG_OK);
        if (count == 0) {
            break;
        }
        for (uint32_t i = 0; i < PASSES && span.frame == FRAME; i++) {
            if ((span.classes & FG_CLASS_GPU_PASS) &&
                strcmp(fg_trace_text(trace, span.name), names[i]) == 0) {
                o->rows[i] = row;
            }
        }
    }
    for (uint32_t i = 0; i < PASSES; i++) {
        assert_true(o->rows[i] != FG_NONE);
    }
}

static int open_some(void **state)
{
    static struct opened opened;
    size_t size = 0;
    opened.bytes = record_some(3, &size);
    assert_non_null(opened.bytes);
    opened.view = (struct fg_memory_view){ opened.bytes, size };
    const struct fg_source source = fg_memory_source(&opened.view);
    assert_int_equal(fg_open_source(&source, NULL, NULL, &opened.document), FG_OK);
    assert_int_equal(fg_document_load(opened.document, NULL), FG_OK);
    assert_int_equal(
        fg_query_create(fg_document_engine(opened.document), NULL, NULL, NULL, &opened.query),
        FG_OK);
    find_rows(&opened);
    *state = &opened;
    return 0;
}

static int close_some(void **state)
{
    struct opened *o = *state;
    fg_query_destroy(o->query);
    fg_document_close(o->document);
    free(o->bytes);
    return 0;
}

static void a_path_goes_from_pass_to_pass_and_says_by_what(void **state)
{
    static const enum pass chain[] = { SHADOW, GBUFFER, BLOOM, TONEMAP };
    struct opened *o = *state;
    const struct fg_path_request request = { .has_row = true,
                                             .row = o->rows[TONEMAP],
                                             .families = GRAPH };
    struct fg_path_reply reply;
    uint64_t length_ns = 0;
    assert_int_equal(fg_query_path(o->query, &request, &reply), FG_OK);
    assert_int_equal(reply.chain_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(reply.chain[i], o->rows[chain[i]]);
        length_ns += costs_ns[chain[i]];
    }
    assert_true(reply.length_ns == length_ns);
    uint32_t links = 0;
    for (uint32_t i = 0; i < reply.piece_count; i++) {
        const struct fg_path_piece *piece = &reply.pieces[i];
        if (piece->kind == FG_PIECE_WORK && piece->link != FG_NONE) {
            struct fg_trace_dependency link;
            assert_int_equal(piece->family, FG_DEPENDENCY_GRAPH);
            assert_true(piece->flags & FG_DEPENDENCY_DERIVED);
            assert_int_equal(fg_query_dependency(o->query, piece->link, &link), FG_OK);
            assert_int_equal(link.target, piece->row);
            links++;
        }
    }
    assert_int_equal(links, 3);
}

static void slices_hold_the_passes_before_and_behind(void **state)
{
    static const int hops_back[PASSES] = { -2, -1, -1, 1, 0 }; /* of tonemap */
    static const int hops_forward[PASSES] = { 0, 1, 2, 1, 2 }; /* of shadow */
    struct opened *o = *state;
    for (int is_forward = 0; is_forward < 2; is_forward++) {
        const struct fg_slice_request request = {
            .row = o->rows[is_forward ? SHADOW : TONEMAP],
            .direction = is_forward ? FG_SLICE_FORWARD : FG_SLICE_BACKWARD,
            .families = GRAPH,
        };
        struct fg_slice_reply reply;
        assert_int_equal(fg_query_slice(o->query, &request, &reply), FG_OK);
        assert_int_equal(reply.count, is_forward ? PASSES : PASSES - 1);
        for (uint32_t i = 0; i < reply.count; i++) {
            const struct fg_slice_item *item = &reply.items[i];
            uint32_t pass = 0;
            while (pass < PASSES && o->rows[pass] != item->row) {
                pass++;
            }
            assert_true(pass < PASSES);
            assert_int_equal(item->hops, is_forward ? hops_forward[pass] : hops_back[pass]);
            if (item->hops != 0) {
                assert_int_equal(item->family, FG_DEPENDENCY_GRAPH);
                assert_true(item->flags & FG_DEPENDENCY_DERIVED);
            }
        }
    }
}

static void focus_reaches_the_readers_and_without_the_family_nobody(void **state)
{
    struct opened *o = *state;
    struct fg_focus_request request = { .seeds = &o->rows[SHADOW],
                                        .seed_count = 1,
                                        .hops = 1,
                                        .direction = FG_LINKS_OUT,
                                        .families = GRAPH };
    struct fg_focus_reply reply;
    assert_int_equal(fg_query_focus(o->query, &request, &reply), FG_OK);
    assert_int_equal(reply.count, 3);
    for (uint32_t i = 1; i < 3; i++) {
        assert_true(reply.rows[i] == o->rows[GBUFFER] || reply.rows[i] == o->rows[UNUSED]);
    }
    request.families = FG_FAMILY(FG_DEPENDENCY_DATA);
    assert_int_equal(fg_query_focus(o->query, &request, &reply), FG_OK);
    assert_int_equal(reply.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_goes_from_pass_to_pass_and_says_by_what),
        cmocka_unit_test(slices_hold_the_passes_before_and_behind),
        cmocka_unit_test(focus_reaches_the_readers_and_without_the_family_nobody),
    };
    return cmocka_run_group_tests(tests, open_some, close_some);
}
