/* SPDX-License-Identifier: MIT */
/*
 * What is conserved: the bins of a lane, a track or a process, at every level there is, start as
 * many spans and cover as much time as its spans do, whatever is stored and whatever is made anew.
 */
#include "engine/cpu/engine_cpu_priv.h"
#include "plain_trace.h"
#include "support/cmocka_all.h"
#include <stdlib.h>

static struct plain_trace plain;

struct sums {
    uint64_t starts, covered_ns;
    unsigned level;
    bool has_bin;
    int64_t last; /* index of the last bin */
    uint32_t run; /* and what covers the gap behind it */
};

static bool add_bin(void *context, const struct fgi_bin *bin)
{
    struct sums *sums = context;
    assert_true(!sums->has_bin || bin->index > sums->last);
    assert_true(bin->covered_ns <= fgi_bin_width(sums->level));
    if (sums->has_bin && sums->run != FG_NONE) {
        uint64_t bins = (uint64_t)bin->index - (uint64_t)sums->last - 1;
        sums->covered_ns += bins * fgi_bin_width(sums->level);
    }
    sums->starts += bin->starts;
    sums->covered_ns += bin->covered_ns;
    sums->last = bin->index;
    sums->run = bin->run;
    sums->has_bin = true;
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct plain_span *s = *(const struct plain_span *const *)a;
    const struct plain_span *t = *(const struct plain_span *const *)b;
    return (s->start > t->start) - (s->start < t->start);
}

static bool is_of(uint32_t row, uint32_t kind, uint32_t index, const struct fg_trace_span *spans)
{
    return index == (kind == FG_VIEW_LANE    ? spans[row].lane
                     : kind == FG_VIEW_TRACK ? spans[row].track
                                             : plain.track_process[spans[row].track]);
}

/* The truth, of plain spans. */
static void sum_spans(uint32_t kind, uint32_t index, const struct fg_trace_span *spans,
                      struct sums *out)
{
    const struct plain_span *found[PLAIN_SPANS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < plain.span_count; i++) {
        if (is_of(i, kind, index, spans)) {
            found[count++] = &plain.spans[i];
        }
    }
    qsort(found, count, sizeof *found, by_start);
    *out = (struct sums){ .starts = count };
    int64_t until = FG_TIME_MIN;
    for (uint32_t i = 0; i < count; i++) {
        int64_t from = found[i]->start > until ? found[i]->start : until;
        if (found[i]->end > from) {
            out->covered_ns += (uint64_t)found[i]->end - (uint64_t)from;
            until = found[i]->end;
        }
    }
}

static void check_target(struct fgi_engine_cpu *cpu, uint32_t kind, uint32_t index,
                         const struct fg_trace_span *spans)
{
    struct fgi_cursor cursor = fgi_trace_cursor(plain.trace);
    struct fg_visits visits = { 0 };
    const struct fgi_index_reader reader = {
        .trace = plain.trace, .set = &cpu->all.set, .cursor = &cursor, .visits = &visits
    };
    const struct fgi_lanes lanes = fgi_target_lanes(cpu, kind, index);
    const struct fgi_index *stored = NULL;
    struct sums truth;
    sum_spans(kind, index, spans, &truth);
    assert_int_equal(fgi_index_get(cpu, &cpu->all, kind, index, &stored), FG_OK);
    assert_int_equal(stored->span_count, truth.starts);
    for (unsigned level = 0; level < 64 && truth.starts > 0; level++) {
        struct sums sums = { .level = level };
        const struct fgi_bin_sink sink = { add_bin, &sums };
        assert_int_equal(fgi_index_read(&reader, stored, &lanes, level, stored->first_ns >> level,
                                        stored->last_ns >> level, &sink),
                         FG_OK);
        assert_true(sums.starts == truth.starts && sums.covered_ns == truth.covered_ns);
    }
    fgi_cursor_finish(&cursor);
}

static void the_bins_of_every_level_start_and_cover_what_the_spans_do(void **state)
{
    static struct fg_trace_span spans[PLAIN_SPANS_MAX];
    (void)state;
    for (uint64_t seed = 1; seed <= TRACES; seed++) {
        struct fg_engine *engine = NULL;
        struct fg_trace_info info;
        uint32_t count = 0;
        plain_make(&plain, 2000000 + seed);
        assert_int_equal(fgi_engine_cpu_create(NULL, plain.trace, &engine), FG_OK);
        if (plain.span_count > 0) {
            assert_int_equal(fg_trace_spans(plain.trace, 0, spans, PLAIN_SPANS_MAX, &count), FG_OK);
        }
        assert_int_equal(count, plain.span_count);
        fg_trace_get_info(plain.trace, &info);
        for (uint32_t i = 0; i < info.lanes; i++) {
            check_target(fgi_cpu(engine), FG_VIEW_LANE, i, spans);
        }
        for (uint32_t i = 0; i < plain.track_count; i++) {
            check_target(fgi_cpu(engine), FG_VIEW_TRACK, i, spans);
        }
        for (uint32_t i = 0; i < plain.process_count; i++) {
            check_target(fgi_cpu(engine), FG_VIEW_PROCESS, i, spans);
        }
        fgi_engine_destroy(engine);
        plain_finish(&plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bins_of_every_level_start_and_cover_what_the_spans_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
