/* SPDX-License-Identifier: MIT */
/*
 * generate_spans SHAPE COUNT OUT.sgpt [--dependencies N]: a capture of COUNT spans. The seed is
 * fixed: the same arguments make the same spans.
 *
 *   frames       a renderer: 300 spans a frame, about 300 names, 8 tracks, depth 4
 *   lanes        64 tracks of 4 nested lanes, evenly spread spans of about 1 us
 *   adversarial  one track: bursts, towers of depth 1,000, overlaps, zero lengths, equal starts,
 *                long pauses, up to a million names
 *   processes    16 processes of 4 threads of 4 lanes: the data set that luma.gl measures with
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "cli/process_dataset.h"
#include "span_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_NS = 16666667,
    SPANS_A_FRAME = 300,
    NAMES = 300,
    MANY_NAMES = 1000000,
    TOWER = 1000,
    LINK_SPAN = 512,
    LINKS_A_SOURCE_MAX = 64
};

struct generation {
    struct span_file *file;
    uint64_t random;
    uint32_t *names;
    uint32_t name_count;
    uint32_t left; /* spans still to make */
};

static int64_t below(struct generation *g, int64_t limit)
{
    g->random += UINT64_C(0x9e3779b97f4a7c15);
    return (int64_t)(fgi_mix64(g->random) % (uint64_t)limit);
}

static void add(struct generation *g, uint32_t track, uint32_t depth, uint32_t name, int64_t start,
                int64_t length)
{
    if (g->left > 0) {
        g->left--;
        span_file_add(g->file, track,
                      &(const struct fg_cap_block_span){ .begin_ticks = start,
                                                         .end_ticks = start + length,
                                                         .depth = depth,
                                                         .name = g->names[name % g->name_count],
                                                         .frame = FG_CAP_UNKNOWN,
                                                         .object = FG_CAP_UNKNOWN });
    }
}

/* ---- frames and lanes ------------------------------------------------------------------------ */

/* A span and what it holds: a scope of a few groups, each of a few passes, some with parts. */
static void add_tree(struct generation *g, uint32_t track, uint32_t name, int64_t start,
                     int64_t length, uint32_t depth)
{
    add(g, track, depth, name, start, length);
    if (depth == 3) {
        return;
    }
    uint32_t children = depth == 0 ? 4 : depth == 1 ? 5 : 1;
    int64_t room = length / (int64_t)children;
    for (uint32_t i = 0; i < children && room > 4; i++) {
        int64_t from = start + room * i + below(g, room / 4);
        add_tree(g, track, name * 7 + i + 1, from, room / 2 + below(g, room / 4), depth + 1);
    }
}

static void make_frames(struct generation *g)
{
    for (int64_t at = 0; g->left > 0; at += FRAME_NS) {
        uint32_t before = g->left;
        for (uint32_t track = 0; track < 8 && before - g->left < SPANS_A_FRAME; track++) {
            int64_t busy = 6000000 + below(g, 8000000);
            add_tree(g, track, track * 31, at + below(g, 1000000), busy, 0);
        }
    }
}

static void make_lanes(struct generation *g)
{
    int64_t at[64] = { 0 };
    while (g->left > 0) {
        for (uint32_t track = 0; track < 64; track++) {
            int64_t length = 500 + below(g, 1500);
            for (uint32_t depth = 0; depth < 4; depth++) {
                add(g, track, depth, track + depth * 64, at[track] + depth * 10,
                    length - depth * 100);
            }
            at[track] += length + below(g, 400);
        }
    }
}

/* ---- adversarial ----------------------------------------------------------------------------- */

/* Begins differ by one and ends by one, or both are the same. */
static int64_t add_tower(struct generation *g, int64_t at)
{
    uint32_t name = (uint32_t)below(g, MANY_NAMES);
    int64_t step = below(g, 2);
    for (uint32_t depth = 0; depth < TOWER; depth++) {
        add(g, 0, depth, name + depth, at + step * depth, 4 * TOWER - 2 * step * depth);
    }
    return 4 * TOWER;
}

/* Spans of one depth that overlap each other. */
static int64_t add_overlaps(struct generation *g, int64_t at)
{
    int64_t count = 1 + below(g, 12);
    for (int64_t i = 0; i < count; i++) {
        add(g, 0, 0, (uint32_t)below(g, MANY_NAMES), at + 3 * i, 40);
    }
    return 3 * count + 40;
}

static void make_adversarial(struct generation *g)
{
    int64_t at = 0;
    while (g->left > 0) {
        for (uint32_t i = 0; i < 20000; i++) {
            uint32_t name = (uint32_t)below(g, MANY_NAMES);
            int64_t kind = below(g, 2000);
            if (kind == 0) {
                at += add_tower(g, at);
            } else if (kind < 60) {
                at += add_overlaps(g, at);
            } else if (kind < 300) {
                add(g, 0, 0, name, at, 5);
                add(g, 0, 1, name, at, 5);
                add(g, 0, 2, name + 1, at, 0);
                add(g, 0, 2, name + 1, at, 0);
                at += 5;
            } else {
                add(g, 0, 0, name, at, 3);
                at += 4 + below(g, 3);
            }
        }
        at += INT64_C(1000000000) * (1 + below(g, 100));
    }
}

/* ---- dependencies of the three shapes -------------------------------------------------------- */

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Evenly spread over the rows, each to one of the next 512. */
static void make_links(struct generation *g, uint32_t rows, uint32_t links)
{
    uint64_t made = 0;
    for (uint32_t source = 0; source + 1 < rows; source++) {
        uint32_t targets[LINKS_A_SOURCE_MAX];
        uint32_t count = 0;
        uint64_t due = ((uint64_t)source + 1) * links / (rows - 1);
        for (; made < due; made++) {
            uint32_t most = rows - 1 - source < LINK_SPAN ? rows - 1 - source : LINK_SPAN;
            if (count < LINKS_A_SOURCE_MAX) {
                targets[count++] = source + 1 + (uint32_t)below(g, most);
            }
        }
        qsort(targets, count, sizeof *targets, compare_u32);
        for (uint32_t i = 0; i < count; i++) {
            span_file_link(g->file, source, targets[i], FG_CAP_DEPENDENCY_FLOW, 0);
        }
    }
}

/* ---- 16 processes, 256 lanes ----------------------------------------------------------------- */

/* 1 unit is 1 ms, so that the doubles of the lanes' clocks survive as whole ns. */
static int64_t units_ns(double units)
{
    return (int64_t)(units * 1e6);
}

struct thread_order {
    const struct fgi_dataset *dataset;
    uint32_t *rows; /* by thread; inside by begin, longer first, row */
    uint32_t first[FGI_DATASET_THREADS + 1];
};

struct placed {
    int64_t begin, end;
    uint32_t row;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a;
    const struct placed *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->end != y->end) {
        return x->end > y->end ? -1 : 1;
    }
    return x->row < y->row ? -1 : 1;
}

static bool order_threads(struct thread_order *order)
{
    const struct fgi_dataset *dataset = order->dataset;
    size_t bytes = ((size_t)dataset->span_count + 1) * sizeof(struct placed);
    struct placed *placed = fgi_malloc(NULL, bytes);
    if (!placed) {
        return false;
    }
    uint32_t next[FGI_DATASET_THREADS] = { 0 };
    for (uint32_t row = 0; row < dataset->span_count; row++) {
        order->first[dataset->spans[row].lane / 4 + 1]++;
    }
    for (uint32_t t = 0; t < FGI_DATASET_THREADS; t++) {
        order->first[t + 1] += order->first[t];
        next[t] = order->first[t];
    }
    for (uint32_t row = 0; row < dataset->span_count; row++) {
        const struct fgi_dataset_span *span = &dataset->spans[row];
        placed[next[span->lane / 4]++] =
            (struct placed){ units_ns(span->start), units_ns(span->start + span->duration), row };
    }
    for (uint32_t t = 0; t < FGI_DATASET_THREADS; t++) {
        qsort(placed + order->first[t], order->first[t + 1] - order->first[t], sizeof *placed,
              compare_placed);
    }
    for (uint32_t i = 0; i < dataset->span_count; i++) {
        order->rows[i] = placed[i].row;
    }
    fgi_free(NULL, placed, bytes);
    return true;
}

/* Pieces of the threads in turn, as a recording has them. `positions`: of each row in the file. */
static void write_threads(struct generation *g, const struct thread_order *order,
                          uint32_t *positions)
{
    enum { PIECE = 16384 };
    static const char *const groups[] = { "compute", "network", "storage" };
    uint32_t categories[FGI_DATASET_GROUPS];
    uint32_t position = 0;
    for (uint32_t i = 0; i < FGI_DATASET_GROUPS; i++) {
        categories[i] = span_file_name(g->file, groups[i]);
    }
    for (uint32_t piece = 0, any = 1; any; piece++) {
        any = 0;
        for (uint32_t t = 0; t < FGI_DATASET_THREADS; t++) {
            uint32_t count = order->first[t + 1] - order->first[t];
            for (uint32_t i = piece * PIECE; i < count && i < (piece + 1) * PIECE; i++) {
                uint32_t row = order->rows[order->first[t] + i];
                const struct fgi_dataset_span *span = &order->dataset->spans[row];
                any = 1;
                positions[row] = position++;
                span_file_add(g->file, t,
                              &(const struct fg_cap_block_span){
                                  .begin_ticks = units_ns(span->start),
                                  .end_ticks = units_ns(span->start + span->duration),
                                  .depth = span->lane % 4,
                                  .name = g->names[span->group * 4 + (span->classes & 3)],
                                  .category = categories[span->group],
                                  .frame = FG_CAP_UNKNOWN,
                                  .object = FG_CAP_UNKNOWN });
            }
            span_file_end_block(g->file, t);
        }
    }
}

/* Dependencies by position of the source, then of the target: two counting sorts. */
static bool write_links(struct generation *g, const struct fgi_dataset *dataset,
                        const uint32_t *positions)
{
    size_t rows = (size_t)dataset->span_count + 1;
    uint32_t *first = fgi_calloc(NULL, rows, sizeof *first);
    uint32_t *by_target = fgi_calloc(NULL, (size_t)dataset->link_count + 1, sizeof *by_target);
    uint32_t *order = fgi_calloc(NULL, (size_t)dataset->link_count + 1, sizeof *order);
    bool ok = first && by_target && order;
    for (int pass = 0; ok && pass < 2; pass++) {
        memset(first, 0, rows * sizeof *first);
        for (uint32_t i = 0; i < dataset->link_count; i++) {
            const struct fgi_dataset_link *link = &dataset->links[i];
            first[positions[pass == 0 ? link->target : link->source] + 1]++;
        }
        for (uint32_t row = 0; row < dataset->span_count; row++) {
            first[row + 1] += first[row];
        }
        for (uint32_t i = 0; i < dataset->link_count; i++) {
            uint32_t index = pass == 0 ? i : by_target[i];
            const struct fgi_dataset_link *link = &dataset->links[index];
            uint32_t *at = &first[positions[pass == 0 ? link->target : link->source]];
            (pass == 0 ? by_target : order)[(*at)++] = index;
        }
    }
    for (uint32_t i = 0; ok && i < dataset->link_count; i++) {
        const struct fgi_dataset_link *link = &dataset->links[order[i]];
        span_file_link(g->file, positions[link->source], positions[link->target],
                       link->family == 0 ? FG_CAP_DEPENDENCY_FLOW : FG_CAP_DEPENDENCY_WAKE,
                       link->flags);
    }
    fgi_free(NULL, first, rows * sizeof *first);
    fgi_free(NULL, by_target, ((size_t)dataset->link_count + 1) * sizeof *by_target);
    fgi_free(NULL, order, ((size_t)dataset->link_count + 1) * sizeof *order);
    return ok;
}

static bool make_processes(struct generation *g, uint32_t spans, uint32_t links)
{
    struct fgi_dataset dataset = { 0 };
    struct thread_order order = { .dataset = &dataset };
    if (fgi_dataset_make(NULL, spans, links, &dataset) != FG_OK) {
        return false;
    }
    size_t bytes = ((size_t)spans + 1) * sizeof(uint32_t);
    uint32_t *positions = fgi_malloc(NULL, bytes);
    order.rows = fgi_malloc(NULL, bytes);
    bool ok = positions && order.rows && order_threads(&order);
    if (ok) {
        write_threads(g, &order, positions);
        span_file_end_spans(g->file);
        ok = write_links(g, &dataset, positions);
    }
    fgi_free(NULL, positions, bytes);
    fgi_free(NULL, order.rows, bytes);
    fgi_dataset_finish(&dataset);
    return ok;
}

/* ---- the program ----------------------------------------------------------------------------- */

static const struct shape {
    const char *name;
    uint32_t processes, tracks, names;
    void (*make)(struct generation *g);
} shapes[] = {
    { "frames", 1, 8, NAMES, make_frames },
    { "lanes", 4, 64, NAMES, make_lanes },
    { "adversarial", 1, 1, MANY_NAMES, make_adversarial },
    { "processes", FGI_DATASET_PROCESSES, FGI_DATASET_THREADS, 4 * FGI_DATASET_GROUPS, NULL },
};

static bool make_names(struct generation *g, uint32_t most)
{
    /* Names that no span can have are not written. */
    g->name_count = most < g->left ? most : g->left;
    g->name_count = most <= NAMES ? most : g->name_count;
    g->names = fgi_calloc(NULL, most, sizeof *g->names);
    for (uint32_t i = 0; g->names && i < g->name_count; i++) {
        char text[32];
        snprintf(text, sizeof text, "pass %u", i);
        g->names[i] = span_file_name(g->file, text);
    }
    return g->names != NULL;
}

static bool generate(const struct shape *shape, const struct fg_sink *sink, uint32_t spans,
                     uint32_t links)
{
    struct generation g = { .random = 1, .left = spans };
    if (span_file_create(sink, shape->processes, shape->tracks, &g.file) != FG_OK) {
        return false;
    }
    bool ok = make_names(&g, shape->names);
    if (ok && shape->make) {
        shape->make(&g);
        span_file_end_spans(g.file);
        make_links(&g, spans, links);
    } else if (ok) {
        ok = make_processes(&g, spans, links);
    }
    ok = ok && span_file_close(g.file) == FG_OK;
    fgi_free(NULL, g.names, shape->names * sizeof *g.names);
    span_file_destroy(g.file);
    return ok;
}

static bool parse(const char *text, uint32_t *out_number)
{
    char *end = NULL;
    unsigned long long number = strtoull(text, &end, 10);
    *out_number = (uint32_t)number;
    return *text >= '0' && *text <= '9' && !*end && number < UINT32_MAX / 2;
}

int main(int argc, char **argv)
{
    uint32_t spans = 0, links = 0;
    const struct shape *shape = NULL;
    for (size_t i = 0; argc > 1 && i < sizeof shapes / sizeof *shapes; i++) {
        shape = strcmp(argv[1], shapes[i].name) == 0 ? &shapes[i] : shape;
    }
    bool ok = shape && (argc == 4 || argc == 6) && parse(argv[2], &spans) && spans > 0;
    if (ok && argc == 6) {
        ok = strcmp(argv[4], "--dependencies") == 0 && parse(argv[5], &links);
    }
    if (!ok) {
        fputs("usage: generate_spans frames|lanes|adversarial|processes COUNT OUT.sgpt "
              "[--dependencies N]\n",
              stderr);
        return 2;
    }
    struct fg_file_sink *file = NULL;
    struct fg_sink sink;
    if (fg_file_sink_open(argv[3], &file, &sink) != FG_OK) {
        fprintf(stderr, "generate_spans: %s cannot be written\n", argv[3]);
        return 3;
    }
    ok = generate(shape, &sink, spans, links);
    fg_file_sink_close(file);
    if (!ok) {
        fputs("generate_spans: the capture could not be made\n", stderr);
    }
    return ok ? 0 : 1;
}
