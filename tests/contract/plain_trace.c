/* SPDX-License-Identifier: MIT */
#include "plain_trace.h"
#include "support/cmocka_all.h"
#include <string.h>

uint64_t plain_random(struct plain_trace *plain)
{
    plain->random += UINT64_C(0x9e3779b97f4a7c15);
    return fgi_mix64(plain->random);
}

uint32_t plain_below(struct plain_trace *plain, uint32_t limit)
{
    return (uint32_t)(plain_random(plain) % limit);
}

/* ---- times ----------------------------------------------------------------------------------- */

enum shape {
    SHAPE_TINY, /* everything within 30 ns: ties everywhere */
    SHAPE_MEDIUM,
    SHAPE_FRAMES,  /* bursts with long gaps between them */
    SHAPE_SPREAD,  /* gaps and durations of every magnitude */
    SHAPE_EXTREME, /* at the ends of int64 */
    SHAPE_POINTS,  /* nearly all of zero length, on few times */
    SHAPE_DEEP,    /* each inside the one before */
    SHAPE_COUNT
};

static int64_t clamp_time(int64_t time)
{
    return time > FG_TIME_MAX ? FG_TIME_MAX : time;
}

static void random_interval(struct plain_trace *p, enum shape shape, uint32_t i, int64_t *start,
                            int64_t *end)
{
    uint64_t length = 0;
    switch (shape) {
    case SHAPE_TINY:
        *start = (int64_t)plain_below(p, 30) - 10;
        length = plain_below(p, 8);
        break;
    case SHAPE_MEDIUM:
        *start = (int64_t)plain_below(p, 100000) - 30000;
        length = plain_below(p, 4) == 0 ? plain_below(p, 50000) : plain_below(p, 300);
        break;
    case SHAPE_FRAMES:
        *start = (int64_t)(i / 20) * 16666667 + plain_below(p, 2000);
        length = plain_below(p, 400);
        break;
    case SHAPE_SPREAD:
        *start = (int64_t)(plain_random(p) >> (2 + plain_below(p, 62)));
        *start = plain_below(p, 2) ? *start : -*start;
        length = plain_random(p) >> (2 + plain_below(p, 62));
        break;
    case SHAPE_EXTREME:
        *start = plain_below(p, 2) ? INT64_MIN + (int64_t)plain_below(p, 5)
                                   : INT64_MAX - (int64_t)plain_below(p, 5);
        length = plain_below(p, 3) == 0 ? UINT64_MAX : plain_below(p, 4);
        break;
    case SHAPE_POINTS:
        *start = (int64_t)plain_below(p, 12) * 1000;
        length = plain_below(p, 10) == 0 ? plain_below(p, 3000) : 0;
        break;
    default:
        *start = (int64_t)i * 3;
        length = (uint64_t)(PLAIN_SPANS_MAX - i) * 7;
        break;
    }
    uint64_t room = (uint64_t)INT64_MAX - (uint64_t)*start;
    *end = (int64_t)((uint64_t)*start + (length < room ? length : room));
}

/* ---- nesting by brute force ------------------------------------------------------------------ */

static bool span_before(const struct plain_trace *p, uint32_t a, uint32_t b)
{
    const struct plain_span *x = &p->spans[a], *y = &p->spans[b];
    if (x->start != y->start) {
        return x->start < y->start;
    }
    return x->end != y->end ? x->end > y->end : a < b;
}

static void nest(struct plain_trace *p)
{
    uint32_t order[PLAIN_SPANS_MAX];
    uint32_t count = p->span_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i;
        for (; k > 0 && span_before(p, i, order[k - 1]); k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct plain_span *span = &p->spans[order[i]];
        span->parent = FG_NONE;
        for (uint32_t k = i; k-- > 0 && span->parent == FG_NONE;) {
            const struct plain_span *other = &p->spans[order[k]];
            if (other->track != span->track) {
                continue;
            }
            if (p->track_stored[span->track]) {
                if (span->depth > 0 && other->depth == span->depth - 1) {
                    bool open = other->end > span->start || other->end >= span->end;
                    span->parent = open ? order[k] : FG_NONE;
                    break;
                }
            } else if (other->end >= span->end && other->end > span->start) {
                span->parent = order[k];
            }
        }
        if (!p->track_stored[span->track]) {
            span->depth = span->parent == FG_NONE ? 0 : p->spans[span->parent].depth + 1;
        }
        for (span->overlap = 0;; span->overlap++) {
            bool taken = false;
            for (uint32_t k = 0; k < i; k++) {
                const struct plain_span *other = &p->spans[order[k]];
                taken |= other->track == span->track && other->depth == span->depth &&
                         other->overlap == span->overlap && other->end > span->start;
            }
            if (!taken) {
                break;
            }
        }
    }
    /* Self: what no direct child covers, child by child in order of start. */
    for (uint32_t i = 0; i < count; i++) {
        p->spans[i].self = (uint64_t)p->spans[i].end - (uint64_t)p->spans[i].start;
        int64_t until = p->spans[i].start;
        for (uint32_t k = 0; k < count; k++) {
            const struct plain_span *child = &p->spans[order[k]];
            if (child->parent != i) {
                continue;
            }
            int64_t from = child->start > until ? child->start : until;
            int64_t to = child->end < p->spans[i].end ? child->end : p->spans[i].end;
            if (to > from) {
                p->spans[i].self -= (uint64_t)to - (uint64_t)from;
                until = to;
            }
        }
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

static void make_tables(struct plain_trace *p, struct fgi_builder *b)
{
    p->process_count = 1 + plain_below(p, 3);
    p->clock_count = 1 + plain_below(p, 3);
    p->track_count = plain_below(p, 3) == 0 ? 1 : 1 + plain_below(p, 6);
    p->name_count = 1 + plain_below(p, 9);
    for (uint32_t i = 0; i < p->process_count; i++) {
        (void)fgi_builder_process(b, fgi_builder_cstr(b, "process"), i);
    }
    for (uint32_t i = 0; i < p->clock_count; i++) {
        p->clock_kind[i] = i == 0 ? FG_CLOCK_HOST : (enum fg_clock_kind)plain_below(p, 3);
        (void)fgi_builder_clock(
            b, &(struct fg_trace_clock){ .kind = p->clock_kind[i], .bound_ns = 5 * i });
    }
    for (uint32_t i = 0; i < p->track_count; i++) {
        p->track_process[i] = plain_below(p, p->process_count);
        p->track_clock[i] = plain_below(p, p->clock_count);
        p->track_stored[i] = plain_below(p, 4) == 0 && !p->is_deepest;
        struct fg_trace_track track = { .name = fgi_builder_cstr(b, i % 2 ? "gpu" : "cpu"),
                                        .process = p->track_process[i],
                                        .kind = i % 2 ? FG_TRACK_GPU_QUEUE : FG_TRACK_THREAD,
                                        .clock = p->track_clock[i] };
        assert_int_equal(fgi_builder_track(b, &track, p->track_stored[i]), i);
    }
    static const char *const words[] = { "Shadow", "blur", "BLUR",  "light map", "",
                                         "shade",  "ow",   "Bloom", "b" };
    for (uint32_t i = 0; i < p->name_count; i++) {
        p->names[i] = fgi_builder_cstr(b, words[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const paths[] = { "a", "a/b", "c" };
        p->scopes[i] = fgi_builder_cstr(b, paths[i]);
        p->passes[i] = fgi_builder_pass(b, p->names[i % p->name_count], p->scopes[i], i % 2);
    }
    for (uint32_t i = 0; i < PLAIN_PASSES_MAX; i++) {
        p->passes[3 + i] = fgi_builder_pass(b, fgi_builder_cstr(b, "pass"), 0, i);
    }
    p->pass_count = 3 + PLAIN_PASSES_MAX;
    p->scope_count = 3;
}

static void make_graphs(struct plain_trace *p, struct fgi_builder *b)
{
    p->graph_count = plain_below(p, PLAIN_GRAPHS_MAX + 1);
    for (uint32_t i = 0; i < p->graph_count; i++) {
        plain_graph_make(&p->graphs[i], p);
        assert_int_equal(plain_graph_add(&p->graphs[i], b, p->passes + 3), i);
    }
}

/* What a frame made of its graph, or of the one before: builders share equal answers. */
static const struct fg_frame_pass *frame_passes(struct plain_trace *p, uint32_t frame,
                                                uint32_t count)
{
    struct fg_frame_pass *passes = p->frame_passes[frame];
    p->frame_has_passes[frame] = plain_below(p, 4) > 0;
    if (frame > 0 && plain_below(p, 2)) {
        memcpy(passes, p->frame_passes[frame - 1], sizeof p->frame_passes[frame]);
    }
    for (uint32_t i = 0; i < count && (frame == 0 || plain_below(p, 3) == 0); i++) {
        passes[i].is_known = plain_below(p, 5) > 0;
        passes[i].culled = plain_below(p, 5) == 0;
        passes[i].ref_count = plain_below(p, 4);
    }
    return p->frame_has_passes[frame] ? passes : NULL;
}

static void make_frames(struct plain_trace *p, struct fgi_builder *b)
{
    p->frame_count = plain_below(p, PLAIN_FRAMES_MAX);
    int64_t at = 0;
    for (uint32_t i = 0; i < p->frame_count; i++) {
        int64_t cpu = plain_below(p, 3000);
        uint32_t topology = plain_below(p, p->graph_count + 1);
        topology = topology < p->graph_count ? topology : FG_NONE;
        uint32_t passes = topology != FG_NONE ? p->graphs[topology].pass_count : 0;
        p->frames[i] = (struct fg_trace_frame){
            .id = 100 + 2 * i,
            .start_ns = at,
            .cpu_end_ns = at + cpu,
            .topology = topology,
            .track = FG_NONE,
            .dropped = plain_below(p, 4) == 0 ? 3 : 0,
            .missing = plain_below(p, 6) == 0,
            .wait_ns = plain_below(p, 2) ? -1 : cpu / 2,
            .present_wait_ns = plain_below(p, 2) ? -1 : (int64_t)plain_below(p, 2000),
            .is_lost = plain_below(p, 10) == 0,
        };
        assert_int_equal(fgi_builder_frame(b, &p->frames[i], frame_passes(p, i, passes), passes),
                         i);
        at += plain_below(p, 8) == 0 ? 0 : plain_below(p, 4000);
    }
}

static void make_spans(struct plain_trace *p, struct fgi_builder *b)
{
    enum shape shape = (enum shape)plain_below(p, SHAPE_COUNT);
    p->span_count = plain_below(p, 12) == 0 ? plain_below(p, 4) : plain_below(p, PLAIN_SPANS_USUAL);
    if (plain_below(p, 3) > 0) {
        p->span_count = p->span_count % 90;
    }
    bool one_track = plain_below(p, 4) == 0 || p->is_deepest;
    if (p->is_deepest) {
        shape = SHAPE_DEEP;
        p->span_count = PLAIN_SPANS_MAX;
    }
    for (uint32_t i = 0; i < p->span_count; i++) {
        struct plain_span *s = &p->spans[i];
        random_interval(p, shape, i, &s->start, &s->end);
        s->track = one_track ? 0 : plain_below(p, p->track_count);
        s->name = p->names[plain_below(p, p->name_count)];
        s->category = plain_below(p, 3) == 0 ? p->names[0] : 0;
        s->classes = plain_below(p, 3) == 0 ? FG_CLASS_SCOPE
                     : plain_below(p, 2)    ? FG_CLASS_GPU_PASS
                                            : FG_CLASS_ZONE;
        static const enum fg_span_status ends[] = { FG_SPAN_UNFINISHED, FG_SPAN_FORCED,
                                                    FG_SPAN_ERROR };
        s->status = plain_below(p, 8) == 0 ? ends[plain_below(p, 3)] : FG_SPAN_COMPLETE;
        s->open_end = s->status == FG_SPAN_UNFINISHED && plain_below(p, 2);
        s->frame =
            p->frame_count > 0 && plain_below(p, 2) ? plain_below(p, p->frame_count) : FG_NONE;
        s->pass = plain_below(p, 2) ? p->passes[plain_below(p, p->pass_count)] : FG_NONE;
        s->scope = plain_below(p, 2) ? p->scopes[plain_below(p, p->scope_count)] : 0;
        s->depth = p->track_stored[s->track] ? plain_below(p, 4) : 0;
        struct fgi_span_in in = fgi_span_in_make(s->track, s->name, s->start, s->end);
        in.category = s->category;
        in.classes = s->classes;
        in.status = s->status;
        in.open_end = s->open_end;
        in.frame = s->frame;
        in.pass = s->pass;
        in.scope = s->scope;
        in.depth = s->depth;
        struct fg_trace_arg arg = { .key = s->name, .kind = FG_ARG_UINT, .value.natural = i };
        in.args = &arg;
        in.arg_count = i % 3 == 0;
        assert_int_equal(fgi_builder_span(b, &in), i);
        s->start = clamp_time(s->start);
        s->end = s->open_end ? s->start : clamp_time(s->end);
    }
}

static void make_events(struct plain_trace *p, struct fgi_builder *b)
{
    struct fg_trace_track track = { .process = 0, .kind = FG_TRACK_COUNTER };
    struct fg_trace_counter counter = { .track = fgi_builder_track(b, &track, false) };
    uint32_t index = fgi_builder_counter(b, &counter);
    p->sample_count = plain_below(p, 256);
    for (uint32_t i = 0; i < p->sample_count; i++) {
        p->samples[i].time = (int64_t)plain_below(p, 5000) - 1000;
        p->samples[i].value = (int64_t)plain_below(p, 100) - 50;
        fgi_builder_sample(b, index,
                           &(struct fg_trace_sample){ .time_ns = p->samples[i].time,
                                                      .value.integer = p->samples[i].value });
    }
    p->instant_count = plain_below(p, 32);
    for (uint32_t i = 0; i < p->instant_count; i++) {
        p->instants[i] = (struct fg_trace_instant){
            .time_ns = (int64_t)plain_below(p, 50) - 10,
            .track = plain_below(p, 3) == 0 ? FG_NONE : plain_below(p, p->track_count),
            .name = p->names[0],
            .frame = p->frame_count > 0 ? plain_below(p, p->frame_count) : FG_NONE,
            .is_note = plain_below(p, 2) != 0,
            .is_loss = plain_below(p, 4) == 0,
            .has_value = true,
            .value = 1 + (int64_t)plain_below(p, 9),
        };
        (void)fgi_builder_instant(b, &p->instants[i]);
    }
    p->dependency_count = p->span_count > 0 ? plain_below(p, 64) : 0;
    for (uint32_t i = 0; i < p->dependency_count; i++) {
        p->dependencies[i] = (struct fg_trace_dependency){ plain_below(p, p->span_count),
                                                           plain_below(p, p->span_count),
                                                           plain_below(p, 7), PLAIN_FLAGS + i };
        fgi_builder_dependency(b, &p->dependencies[i]);
    }
}

void plain_make(struct plain_trace *p, uint64_t seed)
{
    struct fgi_builder *b = NULL;
    memset(p, 0, sizeof *p);
    p->random = seed * 7919 + 1;
    p->is_deepest = seed % 499 == 100;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    make_tables(p, b);
    make_graphs(p, b);
    make_frames(p, b);
    make_spans(p, b);
    make_events(p, b);
    assert_int_equal(fgi_builder_finish(b, &p->trace), FG_OK);
    fgi_builder_destroy(b);
    struct fg_trace_info info;
    fg_trace_get_info(p->trace, &info);
    for (uint32_t i = 0; i < p->span_count; i++) {
        p->spans[i].end = p->spans[i].open_end ? info.last_ns : p->spans[i].end;
    }
    nest(p);
}

void plain_finish(struct plain_trace *p)
{
    fgi_trace_destroy(p->trace);
    p->trace = NULL;
}

/* ---- blocks that are made again -------------------------------------------------------------- */

static enum fg_result load_block(void *context, const struct fgi_block *into)
{
    const struct plain_trace *p = context;
    uint32_t args = 0; /* headers lie in order of rows, two items each */
    for (uint32_t row = 0; row < into->first_row; row++) {
        args += row % 3 == 0 ? 2 : 0;
    }
    for (uint32_t i = 0; i < into->count; i++) {
        uint32_t row = into->first_row + i;
        const struct plain_span *s = &p->spans[row];
        into->start_ns[i] = s->start;
        into->end_ns[i] = s->end;
        const uint32_t extras[FGI_COLUMN_COUNT] = {
            [FGI_COLUMN_FRAME] = s->frame,  [FGI_COLUMN_PASS] = s->pass,
            [FGI_COLUMN_SCOPE] = s->scope,  [FGI_COLUMN_ORIGIN] = FG_NONE,
            [FGI_COLUMN_LOGICAL] = FG_NONE, [FGI_COLUMN_ARGS] = row % 3 == 0 ? args : FG_NONE,
        };
        args += row % 3 == 0 ? 2 : 0;
        for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
            if (into->extra[c]) {
                into->extra[c][i] = extras[c];
            }
        }
    }
    return FG_OK;
}

void plain_evict(struct plain_trace *p)
{
    p->trace->store->budget_bytes = (uint64_t)FGI_BLOCK_SPANS * 120;
    fgi_blocks_set_loader(p->trace->store, &(struct fgi_block_loader){ load_block, p });
}
