/* SPDX-License-Identifier: MIT */
#include "graph_bed.h"
#include "support/cmocka_all.h"
#include <string.h>

uint64_t bed_random(struct bed *bed)
{
    bed->random += UINT64_C(0x9e3779b97f4a7c15);
    return fgi_mix64(bed->random);
}

uint32_t bed_below(struct bed *bed, uint32_t limit)
{
    return (uint32_t)(bed_random(bed) % limit);
}

uint64_t bed_duration(const struct bed *bed, uint32_t row)
{
    return (uint64_t)bed->spans[row].end_ns - (uint64_t)bed->spans[row].start_ns;
}

bool bed_meets(int64_t start, int64_t end, int64_t a, int64_t b)
{
    return start == end ? start >= a && start < b : start < b && end > a;
}

bool bed_family(uint32_t families, uint32_t family)
{
    return families == 0 || (families & (1u << (family > 31 ? 31 : family))) != 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

enum shape {
    SHAPE_USUAL,
    SHAPE_TIES,    /* few times, many of no length */
    SHAPE_EXTREME, /* at the ends of int64 */
    SHAPE_SPREAD,  /* lengths of every magnitude */
    SHAPE_DEEP,    /* one chain of parents and of dependencies */
};

static void make_tables(struct bed *bed, struct fgi_builder *b, uint32_t *tracks, bool is_stored)
{
    uint32_t processes = 1 + bed_below(bed, 3);
    uint32_t clocks = 1 + bed_below(bed, 3);
    *tracks = 1 + bed_below(bed, 5);
    for (uint32_t i = 0; i < processes; i++) {
        (void)fgi_builder_process(b, fgi_builder_cstr(b, "process"), i);
    }
    for (uint32_t i = 0; i < clocks; i++) {
        struct fg_trace_clock clock = { .kind = i == 0 ? FG_CLOCK_HOST
                                                       : (enum fg_clock_kind)bed_below(bed, 3),
                                        .bound_ns = 4 * i };
        (void)fgi_builder_clock(b, &clock);
    }
    for (uint32_t i = 0; i < *tracks; i++) {
        struct fg_trace_track track = { .process = bed_below(bed, 6) == 0
                                                       ? FG_NONE
                                                       : bed_below(bed, processes),
                                        .kind = FG_TRACK_THREAD,
                                        .clock = bed_below(bed, clocks) };
        (void)fgi_builder_track(b, &track, is_stored);
    }
    for (uint32_t i = 0; i < BED_FRAMES; i++) {
        bed_add_frame(bed, b, i);
    }
}

static void interval(struct bed *bed, enum shape shape, uint32_t i, int64_t *start, int64_t *end)
{
    uint64_t length = 0;
    switch (shape) {
    case SHAPE_TIES:
        *start = bed_below(bed, 12);
        length = bed_below(bed, 2) ? 0 : bed_below(bed, 4);
        break;
    case SHAPE_EXTREME:
        *start =
            bed_below(bed, 2) ? INT64_MIN + bed_below(bed, 9) : INT64_MAX - 12 + bed_below(bed, 9);
        length = bed_below(bed, 3) ? bed_below(bed, 5) : UINT64_MAX;
        break;
    case SHAPE_SPREAD:
        *start = (int64_t)(bed_random(bed) >> (3 + bed_below(bed, 58)));
        *start = bed_below(bed, 2) ? *start : -*start;
        length = bed_random(bed) >> (3 + bed_below(bed, 58));
        break;
    case SHAPE_DEEP:
        *start = i;
        length = UINT64_C(4000) - 2 * i;
        break;
    default:
        *start = (int64_t)i * 10 + bed_below(bed, 60) - 30;
        length = bed_below(bed, 5) ? bed_below(bed, 30) : bed_below(bed, 400);
        break;
    }
    uint64_t room = (uint64_t)FG_TIME_MAX - (uint64_t)*start;
    *end = (int64_t)((uint64_t)*start + (length < room ? length : room));
}

static uint32_t random_parent(struct bed *bed, uint32_t i, uint32_t rows)
{
    switch (bed_below(bed, 8)) {
    case 0:
        return bed_below(bed, 6) == 0 ? rows + bed_below(bed, 5) : FG_NONE;
    case 1:
        return bed_below(bed, 3) == 0 ? bed_below(bed, rows) : FG_NONE;
    case 2:
        return FG_NONE;
    default:
        return i > 0 ? i - 1 - bed_below(bed, i < 4 ? i : 4) : FG_NONE;
    }
}

static void make_spans(struct bed *bed, struct fgi_builder *b, enum shape shape, uint32_t tracks,
                       bool is_stored)
{
    uint32_t name = fgi_builder_cstr(b, "span");
    for (uint32_t i = 0; i < bed->rows; i++) {
        int64_t start, end;
        interval(bed, shape, i, &start, &end);
        struct fgi_span_in in =
            fgi_span_in_make(shape == SHAPE_DEEP ? 0 : bed_below(bed, tracks), name, start, end);
        in.status = bed_below(bed, 12) == 0 ? FG_SPAN_FORCED : FG_SPAN_COMPLETE;
        in.frame = bed_below(bed, 3) == 0 ? FG_NONE : bed_below(bed, BED_FRAMES);
        if (shape != SHAPE_DEEP && in.frame != FG_NONE && bed_below(bed, 3)) {
            uint32_t count = bed->graphs[in.frame].count;
            in.classes = FG_CLASS_GPU_PASS;
            in.pass = count > 0 ? bed->graphs[in.frame].identities[bed_below(bed, count)] : FG_NONE;
        }
        if (is_stored) {
            in.depth = shape == SHAPE_DEEP ? 0 : bed_below(bed, 3);
            in.parent = shape == SHAPE_DEEP ? i - 1 : random_parent(bed, i, bed->rows);
        }
        (void)fgi_builder_span(b, &in);
    }
}

static void make_links(struct bed *bed, struct fgi_builder *b, enum shape shape)
{
    bool is_forward = bed_below(bed, 2) == 0;
    bed->recorded = bed->rows == 0 ? 0 : bed_below(bed, bed->rows * 2 + 1);
    for (uint32_t i = 0; i < bed->recorded; i++) {
        struct fg_trace_dependency link = { .source = bed_below(bed, bed->rows),
                                            .target = bed_below(bed, bed->rows),
                                            .family =
                                                bed_below(bed, 20) == 0 ? 40 : bed_below(bed, 7),
                                            .flags = i };
        if (shape == SHAPE_DEEP) {
            link.source = i % bed->rows;
            link.target = link.source + 1 < bed->rows ? link.source + 1 : link.source;
        } else if (bed_below(bed, 3)) {
            uint32_t near = link.source + 1 + bed_below(bed, 4);
            link.target = near < bed->rows ? near : link.target;
        }
        if (is_forward && link.target < link.source) {
            uint32_t swap = link.source;
            link.source = link.target;
            link.target = swap;
        }
        if (is_forward && link.target == link.source && bed->rows > 1) {
            link.source = link.source > 0 ? link.source - 1 : 0;
            link.target = link.source + 1;
        }
        fgi_builder_dependency(b, &link);
    }
}

/* ---- blocks that are made again -------------------------------------------------------------- */

static enum fg_result load_block(void *context, const struct fgi_block *into)
{
    const struct bed *bed = context;
    for (uint32_t i = 0; i < into->count; i++) {
        const struct fg_trace_span *s = &bed->spans[into->first_row + i];
        into->start_ns[i] = s->start_ns;
        into->end_ns[i] = s->end_ns;
        const uint32_t extras[FGI_COLUMN_COUNT] = {
            [FGI_COLUMN_FRAME] = s->frame,     [FGI_COLUMN_PASS] = s->pass,
            [FGI_COLUMN_SCOPE] = s->scope,     [FGI_COLUMN_ORIGIN] = s->origin,
            [FGI_COLUMN_LOGICAL] = s->logical, [FGI_COLUMN_ARGS] = FG_NONE,
        };
        for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
            if (into->extra[c]) {
                into->extra[c][i] = extras[c];
            }
        }
    }
    return FG_OK;
}

/* Every third trace: there is room for about two of its blocks. */
static void evict(struct bed *bed)
{
    bed->trace->store->budget_bytes = (uint64_t)FGI_BLOCK_SPANS * 120;
    fgi_blocks_set_loader(bed->trace->store, &(struct fgi_block_loader){ load_block, bed });
}

void bed_open(struct bed *bed, const struct contract_engine *engine, uint64_t seed)
{
    struct fgi_builder *b = NULL;
    memset(bed, 0, sizeof *bed);
    bed->random = seed * 6007 + 3;
    enum shape shape = seed % 97 == 0 ? SHAPE_DEEP : (enum shape)bed_below(bed, SHAPE_DEEP);
    bool is_stored = bed_below(bed, 2) == 0;
    uint32_t tracks;
    bed->rows = shape == SHAPE_DEEP       ? 1001
                : bed_below(bed, 10) == 0 ? bed_below(bed, 4)
                                          : bed_below(bed, 70);
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    make_tables(bed, b, &tracks, is_stored);
    make_spans(bed, b, shape, tracks, is_stored);
    make_links(bed, b, shape);
    assert_int_equal(fgi_builder_finish(b, &bed->trace), FG_OK);
    fgi_builder_destroy(b);
    uint32_t count = 0;
    if (bed->rows > 0) {
        assert_int_equal(fg_trace_spans(bed->trace, 0, bed->spans, BED_ROWS_MAX, &count), FG_OK);
    }
    assert_int_equal(count, bed->rows);
    for (uint32_t i = 0; i < bed->recorded; i++) {
        assert_true(fg_trace_dependency(bed->trace, i, &bed->dependencies[i]));
    }
    bed_derive(bed);
    if (seed % 3 == 0) {
        evict(bed);
    }
    bed->kind = engine;
    assert_int_equal(engine->create(NULL, bed->trace, &bed->engine), FG_OK);
    assert_int_equal(fg_query_create(bed->engine, NULL, NULL, NULL, &bed->query), FG_OK);
    bed_drop_filter(bed);
}

void bed_close(struct bed *bed)
{
    if (bed->kind->check_end) {
        bed->kind->check_end(bed->engine);
    }
    fg_query_destroy(bed->query);
    fgi_engine_destroy(bed->engine);
    fgi_trace_destroy(bed->trace);
    bed->trace = NULL;
}

void bed_take_filter(struct bed *bed)
{
    uint64_t mask[BED_ROWS_MAX / 64 + 1] = { 0 };
    uint32_t rows;
    bed_drop_filter(bed);
    if (bed_below(bed, 3) == 0) {
        return;
    }
    uint32_t hidden = bed_below(bed, 6);
    for (uint32_t i = 0; i < bed->rows; i++) {
        bed->passes[i] = bed_below(bed, 7) > hidden;
        mask[i / 64] |= (uint64_t)bed->passes[i] << (i % 64);
    }
    struct fg_filter_terms terms = { .mask = mask, .mask_rows = bed->rows };
    assert_int_equal(fg_query_filter_create(bed->query, &terms, &bed->filter, &rows), FG_OK);
}

void bed_drop_filter(struct bed *bed)
{
    if (bed->filter) {
        assert_int_equal(fg_query_filter_destroy(bed->query, bed->filter), FG_OK);
    }
    bed->filter = 0;
    for (uint32_t i = 0; i < BED_ROWS_MAX; i++) {
        bed->passes[i] = true;
    }
}

void bed_range(struct bed *bed, int64_t *out_start, int64_t *out_end)
{
    *out_start = *out_end = 0;
    if (bed->rows > 0 && bed_below(bed, 2)) {
        int64_t a = bed->spans[bed_below(bed, bed->rows)].start_ns;
        int64_t b = bed->spans[bed_below(bed, bed->rows)].end_ns;
        *out_start = a < b ? a : b;
        *out_end = (a < b ? b : a) + 1;
    }
}
