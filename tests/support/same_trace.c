/* SPDX-License-Identifier: MIT */
#include "same_trace.h"
#include "cmocka_all.h"
#include "trace/build.h"
#include <frameglass/trace_state.h>

#include <stdlib.h>
#include <string.h>

static void same_text(const struct fgt_both *t, uint32_t a, uint32_t b)
{
    assert_string_equal(fg_trace_text(t->a, a), fg_trace_text(t->b, b));
}

static void same_args(const struct fgt_both *t, uint32_t row)
{
    static struct fg_trace_arg a[64], b[64];
    uint32_t count_a = 0, count_b = 0;
    assert_int_equal(fg_trace_span_args(t->a, row, a, 64, &count_a), FG_OK);
    assert_int_equal(fg_trace_span_args(t->b, row, b, 64, &count_b), FG_OK);
    assert_int_equal(count_a, count_b);
    for (uint32_t i = 0; i < count_a; i++) {
        same_text(t, a[i].key, b[i].key);
        assert_int_equal(a[i].kind, b[i].kind);
        assert_int_equal(a[i].quality, b[i].quality);
        assert_int_equal(a[i].depth, b[i].depth);
        if (a[i].kind == FG_ARG_TEXT) {
            same_text(t, a[i].value.text, b[i].value.text);
        } else if (a[i].kind != FG_ARG_GROUP && a[i].kind != FG_ARG_UNKNOWN) {
            assert_int_equal(a[i].value.natural, b[i].value.natural);
        }
    }
}

void fgt_same_rows(const struct fgt_both *t, uint64_t count)
{
    for (uint32_t row = 0; row < count; row++) {
        struct fg_trace_span a, b;
        uint32_t got = 0;
        assert_int_equal(fg_trace_spans(t->a, row, &a, 1, &got), FG_OK);
        assert_int_equal(fg_trace_spans(t->b, row, &b, 1, &got), FG_OK);
        assert_int_equal(a.track, b.track);
        assert_int_equal(a.lane, b.lane);
        assert_int_equal(a.depth, b.depth);
        assert_int_equal(a.parent, b.parent);
        same_text(t, a.name, b.name);
        same_text(t, a.category, b.category);
        assert_int_equal(a.classes, b.classes);
        assert_int_equal(a.status, b.status);
        assert_int_equal(a.frame, b.frame);
        assert_int_equal(a.object, b.object);
        assert_int_equal(a.start_ns, b.start_ns);
        assert_int_equal(a.end_ns, b.end_ns);
        same_args(t, row);
    }
}

void fgt_same_tracks(const struct fgt_both *t)
{
    const struct fg_trace_track *a, *b;
    for (uint32_t i = 0; (a = fg_trace_track(t->a, i)) != NULL; i++) {
        b = fg_trace_track(t->b, i);
        same_text(t, a->name, b->name);
        assert_int_equal(a->process, b->process);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->clock, b->clock);
        assert_int_equal(a->id, b->id);
        assert_int_equal(a->first_lane, b->first_lane);
        assert_int_equal(a->lane_count, b->lane_count);
        assert_int_equal(a->span_count, b->span_count);
    }
    for (uint32_t i = 0; fg_trace_process(t->a, i) != NULL; i++) {
        same_text(t, fg_trace_process(t->a, i)->name, fg_trace_process(t->b, i)->name);
        assert_int_equal(fg_trace_process(t->a, i)->id, fg_trace_process(t->b, i)->id);
    }
    for (uint32_t i = 0; fg_trace_clock(t->a, i) != NULL; i++) {
        const struct fg_trace_clock *x = fg_trace_clock(t->a, i), *y = fg_trace_clock(t->b, i);
        same_text(t, x->name, y->name);
        same_text(t, x->reason, y->reason);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->bound_ns, y->bound_ns);
        assert_int_equal(x->valid_bits, y->valid_bits);
    }
}

void fgt_same_instants(const struct fgt_both *t)
{
    const struct fg_trace_instant *a, *b;
    for (uint32_t i = 0; (a = fg_trace_instant(t->a, i)) != NULL; i++) {
        b = fg_trace_instant(t->b, i);
        assert_int_equal(a->time_ns, b->time_ns);
        assert_int_equal(a->track, b->track);
        same_text(t, a->name, b->name);
        same_text(t, a->category, b->category);
        assert_int_equal(a->frame, b->frame);
        assert_int_equal(a->is_note, b->is_note);
        assert_int_equal(a->is_loss, b->is_loss);
        assert_int_equal(a->has_value, b->has_value);
        assert_int_equal(a->value, b->value);
    }
}

void fgt_same_counters(const struct fgt_both *t)
{
    const struct fg_trace_counter *a, *b;
    const struct fg_trace_metric *m, *n;
    for (uint32_t i = 0; (a = fg_trace_counter(t->a, i)) != NULL; i++) {
        b = fg_trace_counter(t->b, i);
        same_text(t, a->name, b->name);
        same_text(t, a->unit, b->unit);
        assert_int_equal(a->track, b->track);
        assert_int_equal(a->is_double, b->is_double);
        assert_int_equal(a->sample_count, b->sample_count);
        for (uint32_t k = 0; k < a->sample_count; k++) {
            struct fg_trace_sample x, y;
            assert_int_equal(fg_trace_samples(t->a, i, k, &x, 1), 1);
            assert_int_equal(fg_trace_samples(t->b, i, k, &y, 1), 1);
            assert_int_equal(x.time_ns, y.time_ns);
            assert_int_equal(x.value.integer, y.value.integer);
        }
    }
    for (uint32_t i = 0; (m = fg_trace_metric(t->a, i)) != NULL; i++) {
        n = fg_trace_metric(t->b, i);
        same_text(t, m->name, n->name);
        same_text(t, m->unit, n->unit);
        same_text(t, m->description, n->description);
        assert_int_equal(m->kind, n->kind);
        assert_int_equal(m->accuracy, n->accuracy);
        assert_int_equal(m->counter, n->counter);
    }
}

void fgt_same_objects(const struct fgt_both *t)
{
    const struct fg_trace_object_event *a, *b;
    for (uint32_t i = 0; fg_trace_object(t->a, i) != NULL; i++) {
        const struct fg_trace_object *x = fg_trace_object(t->a, i), *y = fg_trace_object(t->b, i);
        assert_int_equal(x->id, y->id);
        assert_int_equal(x->event_count, y->event_count);
        assert_int_equal(x->made_ns, y->made_ns);
        assert_int_equal(x->gone_ns, y->gone_ns);
    }
    for (uint32_t i = 0; (a = fg_trace_object_event(t->a, i)) != NULL; i++) {
        b = fg_trace_object_event(t->b, i);
        same_text(t, a->name, b->name);
        same_text(t, a->type, b->type);
        assert_int_equal(a->time_ns, b->time_ns);
        assert_int_equal(a->object, b->object);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->frame, b->frame);
        assert_int_equal(a->size_bytes, b->size_bytes);
        assert_int_equal(a->accuracy, b->accuracy);
        assert_int_equal(a->format, b->format);
        assert_int_equal(a->width, b->width);
        assert_int_equal(a->height, b->height);
        assert_int_equal(a->depth, b->depth);
        assert_int_equal(a->mip_count, b->mip_count);
        assert_int_equal(a->layer_count, b->layer_count);
    }
}

void fgt_same_stacks(const struct fgt_both *t)
{
    const struct fg_trace_stack *a, *b;
    for (uint32_t i = 0; (a = fg_trace_stack(t->a, i)) != NULL; i++) {
        b = fg_trace_stack(t->b, i);
        assert_int_equal(a->time_ns, b->time_ns);
        assert_int_equal(a->track, b->track);
        assert_int_equal(a->weight, b->weight);
        assert_int_equal(a->frame_count, b->frame_count);
        for (uint32_t k = 0; k < a->frame_count; k++) {
            same_text(t, fg_trace_stack_frame(t->a, a->first_frame + k),
                      fg_trace_stack_frame(t->b, b->first_frame + k));
        }
    }
}

static int by_all(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct fg_trace_dependency));
}

/* The order of those of one source is not kept. */
void fgt_same_links(const struct fgt_both *t)
{
    uint32_t count = fgi_link_count(t->a);
    struct fg_trace_dependency *x = test_calloc(count + 1, sizeof *x);
    struct fg_trace_dependency *y = test_calloc(count + 1, sizeof *y);
    assert_int_equal(count, fgi_link_count(t->b));
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (struct fg_trace_dependency){ fgi_link_source(t->a, i), fgi_link_target(t->a, i),
                                             fgi_link_family(t->a, i), fgi_link_flags(t->a, i) };
        y[i] = (struct fg_trace_dependency){ fgi_link_source(t->b, i), fgi_link_target(t->b, i),
                                             fgi_link_family(t->b, i), fgi_link_flags(t->b, i) };
    }
    qsort(x, count, sizeof *x, by_all);
    qsort(y, count, sizeof *y, by_all);
    assert_memory_equal(x, y, count * sizeof *x);
    test_free(x);
    test_free(y);
}

static void same_tallies(const struct fgt_both *t,
                         const struct fg_trace_tally *(*get)(const struct fg_trace *, uint32_t))
{
    for (uint32_t i = 0; get(t->a, i) != NULL; i++) {
        same_text(t, get(t->a, i)->name, get(t->b, i)->name);
        assert_int_equal(get(t->a, i)->count, get(t->b, i)->count);
    }
}

void fgt_same_report(const struct fgt_both *t)
{
    same_tallies(t, fg_trace_loss);
    same_tallies(t, fg_trace_skipped);
    for (uint32_t i = 0; fg_trace_meta(t->a, i) != NULL; i++) {
        same_text(t, fg_trace_meta(t->a, i)->key, fg_trace_meta(t->b, i)->key);
        same_text(t, fg_trace_meta(t->a, i)->value, fg_trace_meta(t->b, i)->value);
    }
    for (uint32_t i = 0; fg_trace_repair(t->a, i) != NULL; i++) {
        const struct fg_trace_repair *x = fg_trace_repair(t->a, i), *y = fg_trace_repair(t->b, i);
        assert_string_equal(x->kind, y->kind);
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->first_offset, y->first_offset);
    }
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        assert_int_equal(fg_trace_loss_counter(t->a, i), fg_trace_loss_counter(t->b, i));
    }
    for (uint32_t i = 0; fg_trace_frame(t->a, i) != NULL; i++) {
        const struct fg_trace_frame *x = fg_trace_frame(t->a, i), *y = fg_trace_frame(t->b, i);
        assert_int_equal(x->id, y->id);
        assert_int_equal(x->start_ns, y->start_ns);
        assert_int_equal(x->cpu_end_ns, y->cpu_end_ns);
        assert_int_equal(x->submit_ns, y->submit_ns);
        assert_int_equal(x->level, y->level);
        assert_int_equal(x->track, y->track);
        assert_int_equal(x->dropped, y->dropped);
        assert_int_equal(x->missing, y->missing);
        assert_int_equal(x->overhead_ns, y->overhead_ns);
        assert_int_equal(x->latency_ns, y->latency_ns);
        assert_int_equal(x->wait_ns, y->wait_ns);
        assert_int_equal(x->present_wait_ns, y->present_wait_ns);
        assert_int_equal(x->has_submit, y->has_submit);
        assert_int_equal(x->has_gpu, y->has_gpu);
        assert_int_equal(x->is_lost, y->is_lost);
    }
}

static void same_info(const struct fgt_both *t, uint64_t *out_spans)
{
    struct fg_trace_info a, b;
    fg_trace_get_info(t->a, &a);
    fg_trace_get_info(t->b, &b);
    assert_string_equal(b.format, "sgpt");
    assert_true(b.closed);
    assert_false(b.recovered);
    /* What is of the container and not of the trace; texts that nothing uses are not kept. */
    b.format = a.format;
    b.version = a.version;
    b.closed = a.closed;
    b.recovered = a.recovered;
    b.is_growing = a.is_growing;
    b.names = a.names;
    b.firm_rows = a.firm_rows;
    /* A capture has at least one process and one clock. */
    a.processes += a.processes == 0;
    a.clocks += a.clocks == 0;
    assert_memory_equal(&a, &b, sizeof a);
    *out_spans = a.spans;
}

void fgt_assert_same(const struct fg_trace *a, const struct fg_trace *b)
{
    const struct fgt_both t = { a, b };
    uint64_t spans = 0;
    same_info(&t, &spans);
    fgt_same_tracks(&t);
    fgt_same_rows(&t, spans);
    fgt_same_instants(&t);
    fgt_same_counters(&t);
    fgt_same_objects(&t);
    fgt_same_stacks(&t);
    fgt_same_links(&t);
    fgt_same_report(&t);
}
