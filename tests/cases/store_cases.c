/* SPDX-License-Identifier: MIT */
/* Cases of storing: scenes, their dependencies as rows, and the data set they are measured with. */
#include "cli/process_dataset.h"
#include "cases.h"
#include "trace/build.h"
#include "trace/model.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS_MAX = 64 };

/* ---- dependencies ---------------------------------------------------------------------------- */

/* A trace of so many spans and these dependencies; NULL: one of them has no span. */
static struct fg_trace *make(uint32_t spans, const uint32_t (*links)[4], size_t link_count)
{
    struct fgi_builder *builder = NULL;
    struct fg_trace *trace = NULL;
    if (fgi_builder_create(NULL, 0, &builder) != FG_OK) {
        return NULL;
    }
    (void)fgi_builder_process(builder, 0, 1);
    (void)fgi_builder_clock(builder, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_track(builder, &(struct fg_trace_track){ .process = 0 }, false);
    for (uint32_t i = 0; i < spans; i++) {
        struct fgi_span_in in = fgi_span_in_make(0, 0, 10 * i, 10 * i + 5);
        (void)fgi_builder_span(builder, &in);
    }
    for (size_t i = 0; i < link_count; i++) {
        fgi_builder_dependency(builder, &(struct fg_trace_dependency){ links[i][0], links[i][1],
                                                                       links[i][2], links[i][3] });
    }
    enum fg_result result = fgi_builder_finish(builder, &trace);
    fgi_builder_destroy(builder);
    return result == FG_OK ? trace : NULL;
}

/* Offsets and neighbours of both directions, as the case has them, from the trace's rows. */
static bool agree_on_rows(const struct fgt_case *c, const struct fg_trace *trace)
{
    double offsets[2][ITEMS_MAX] = { { 0 } }, neighbors[2][ITEMS_MAX] = { { 0 } };
    uint32_t rows = fgi_trace_rows(trace);
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t first = 0;
        uint32_t end = fgi_links_out(trace, row, &first);
        offsets[0][row + 1] = end;
        for (uint32_t i = first; i < end; i++) {
            neighbors[0][i] = fgi_link_target(trace, i);
        }
        end = fgi_links_in(trace, row, &first);
        offsets[1][row + 1] = end;
        for (uint32_t i = first; i < end; i++) {
            neighbors[1][i] = fgi_link_source(trace, fgi_link_in(trace, i));
        }
    }
    uint32_t links = fgi_link_count(trace);
    return fgt_case_agree(c, "outgoingOffsets", offsets[0], rows + 1) &&
           fgt_case_agree(c, "outgoingNeighbors", neighbors[0], links) &&
           fgt_case_agree(c, "incomingOffsets", offsets[1], rows + 1) &&
           fgt_case_agree(c, "incomingNeighbors", neighbors[1], links);
}

/* Four numbers each, in one list or in lists of their own. */
static size_t read_links(const json_t *from, uint32_t (*links)[4])
{
    bool is_flat = json_is_number(json_array_get(from, 0));
    size_t count = json_array_size(from) / (is_flat ? 4 : 1);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++) {
            links[i][k] = (uint32_t)(is_flat ? fgt_case_natural_at(from, 4 * i + k)
                                             : fgt_case_natural_at(json_array_get(from, i), k));
        }
    }
    return count;
}

static bool try_rows(const struct fgt_case *c)
{
    uint32_t links[ITEMS_MAX][4];
    size_t count = read_links(fgt_case_input(c, "links"), links);
    const json_t *spans = fgt_case_input(c, "spans");
    uint32_t rows = spans ? (uint32_t)json_array_size(spans)
                          : (uint32_t)fgt_case_natural(fgt_case_input(c, "spanCount"));
    struct fg_trace *trace = make(rows, links, count);
    bool same = trace && agree_on_rows(c, trace);
    for (uint32_t i = 0; same && i < fgi_link_count(trace); i++) {
        uint32_t at = 0;
        while (at < count && (links[at][0] != fgi_link_source(trace, i) ||
                              links[at][1] != fgi_link_target(trace, i) ||
                              links[at][2] != fgi_link_family(trace, i) ||
                              links[at][3] != fgi_link_flags(trace, i))) {
            at++;
        }
        same = at < count || fgt_case_differs(c, "dependency %u is none of the case's", i);
    }
    fgi_trace_destroy(trace);
    return same;
}

/* ---- the data set ---------------------------------------------------------------------------- */

static uint32_t fnv(uint32_t hash, uint32_t word)
{
    return (hash ^ word) * 0x01000193u;
}

static bool agree_on_hash(const struct fgt_case *c, const char *key, uint32_t hash)
{
    const char *text = json_string_value(json_object_get(fgt_case_expected(c, "fnv32"), key));
    char ours[16];
    (void)snprintf(ours, sizeof ours, "%08x", hash);
    return text && strcmp(text, ours) == 0 ? true
                                           : fgt_case_differs(c, "hash of %s: %s", key, ours);
}

static bool try_dataset(const struct fgt_case *c)
{
    struct fgi_dataset dataset;
    uint32_t spans = (uint32_t)fgt_case_natural(fgt_case_input(c, "spanCount"));
    if (fgi_dataset_make(NULL, spans, UINT32_MAX, &dataset) != FG_OK) {
        return fgt_case_differs(c, "no memory");
    }
    uint32_t hashes[3] = { 0x811c9dc5u, 0x811c9dc5u, 0x811c9dc5u };
    double parents = 0;
    for (uint32_t row = 0; row < spans; row++) {
        uint32_t words[8];
        fgi_dataset_words(&dataset, row, words);
        for (int i = 0; i < 8; i++) {
            hashes[0] = fnv(hashes[0], words[i]);
        }
        hashes[2] = fnv(hashes[2], dataset.parents[row]);
        parents += dataset.parents[row] != FGI_DATASET_NONE;
    }
    for (uint32_t i = 0; i < dataset.link_count; i++) {
        const struct fgi_dataset_link *link = &dataset.links[i];
        const uint32_t words[4] = { link->source, link->target, link->family, link->flags };
        for (int k = 0; k < 4; k++) {
            hashes[1] = fnv(hashes[1], words[k]);
        }
    }
    double links = dataset.link_count;
    bool same = agree_on_hash(c, "spans", hashes[0]) &&
                agree_on_hash(c, "dependencies", hashes[1]) &&
                agree_on_hash(c, "parents", hashes[2]) &&
                fgt_case_near(fgt_case_real(fgt_case_expected(c, "duration")), dataset.duration) &&
                fgt_case_real(fgt_case_expected(c, "dependencyCount")) == links &&
                fgt_case_real(fgt_case_expected(c, "parentsPresent")) == parents;
    fgi_dataset_finish(&dataset);
    return same;
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* Nothing is refused as a whole: what has no span is left out and counted. */
static bool try_validation(const struct fgt_case *c)
{
    uint32_t links[ITEMS_MAX][4];
    const json_t *override = fgt_case_input(c, "override");
    size_t count = read_links(json_object_get(override, "links"), links);
    struct fg_trace *trace = make(3, links, count);
    if (!trace) {
        return fgt_case_differs(c, "no trace");
    }
    uint64_t repairs = 0;
    const struct fg_trace_repair *repair;
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        repairs += repair->count;
    }
    const double ours[2] = { fgi_link_count(trace), (double)repairs };
    fgi_trace_destroy(trace);
    if (json_is_true(fgt_case_expected(c, "rejected"))) {
        return fgt_case_differs(c, "nothing is refused: %g kept", ours[0]);
    }
    return fgt_case_agree(c, "kept_and_repaired", ours, 2);
}

/* How the original cuts its own buffers: there are no such pieces here. */
static bool try_layout(const struct fgt_case *c)
{
    return json_is_true(fgt_case_expected(c, "is_layout"))
               ? true
               : fgt_case_differs(c, "we have no such pieces");
}

#define LAYOUT "it fixes only the original's internal layout: columns live in blocks here"
#define REPAIR "invalid topology is reported, not assumed away: what has no span is counted"
#define BUILT  "nobody hands in compressed rows: the trace makes them from the dependencies alone"

static const struct fgt_case_operation operations[] = {
    { "scene", try_rows },
    { "csr", try_rows },
    { "dataset-generator", try_dataset },
    { "scene-validation", try_validation },
    { "adjacency-chunks", try_layout },
    { "span-batches", try_layout },
    { "capacity-preflight", try_layout },
    { NULL, NULL },
};

static const struct fgt_case_yield yields[] = {
    { "test-002", "row numbers are the identity; an object is what a span is about, and may repeat",
      "{\"rejected\": false, \"kept_and_repaired\": [0, 0]}" },
    { "test-004", "a span's process is that of its track, of which the builder knows that it is",
      "{\"rejected\": false, \"kept_and_repaired\": [0, 0]}" },
    { "test-005", REPAIR, "{\"rejected\": false, \"kept_and_repaired\": [0, 1]}" },
    { "test-007", BUILT, "{\"rejected\": false, \"kept_and_repaired\": [0, 0]}" },
    { "test-008", BUILT, "{\"rejected\": false, \"kept_and_repaired\": [1, 0]}" },
    { "test-070", LAYOUT, "{\"is_layout\": true}" },
    { "test-071", LAYOUT, "{\"is_layout\": true}" },
    { "test-074", LAYOUT, "{\"is_layout\": true}" },
    { "test-076", LAYOUT, "{\"is_layout\": true}" },
    { NULL, NULL, NULL },
};

const struct fgt_case_part fgt_cases_store = { "store", operations, yields };
