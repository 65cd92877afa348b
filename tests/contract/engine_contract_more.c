/* SPDX-License-Identifier: MIT */
/* The oracle for statistics, frames, series, counters, marks, search and single spans. */
#include "contract/contract_selection.h"
#include "base/hitch.h"
#include "base/verdict.h"
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include <string.h>

static bool is_finished(const struct plain_span *s)
{
    return s->status == FG_SPAN_COMPLETE || s->status == FG_SPAN_ERROR;
}

static uint64_t length_of(const struct plain_span *s)
{
    return (uint64_t)s->end - (uint64_t)s->start;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* ---- statistics ------------------------------------------------------------------------------ */

static uint32_t lane_of(const struct contract *c, uint32_t row)
{
    struct fg_trace_span span;
    uint32_t count = 0;
    assert_int_equal(fg_trace_spans(c->plain->trace, row, &span, 1, &count), FG_OK);
    assert_int_equal(count, 1);
    return span.lane;
}

static uint32_t key_by_force(const struct contract *c, uint32_t row, uint32_t by)
{
    const struct plain_span *s = &c->plain->spans[row];
    switch (by) {
    case FG_STATS_BY_PASS:
        return s->pass;
    case FG_STATS_BY_TRACK:
        return s->track;
    case FG_STATS_BY_SCOPE:
        return s->classes & FG_CLASS_SCOPE ? s->scope : FG_NONE;
    case FG_STATS_BY_CATEGORY:
        return s->classes & FG_CLASS_SCOPE ? FG_NONE : s->category;
    case FG_STATS_BY_ALL:
        return 0;
    case FG_STATS_BY_PROCESS:
        return c->plain->track_process[s->track];
    case FG_STATS_BY_LANE:
        return lane_of(c, row);
    case FG_STATS_BY_DEPTH:
        return s->depth;
    case FG_STATS_BY_STATUS:
        return s->status;
    case FG_STATS_BY_CLASSES:
        return s->classes;
    case FG_STATS_BY_FRAME:
        return s->frame;
    default:
        return s->classes & FG_CLASS_SCOPE ? FG_NONE : s->name;
    }
}

/* The value at position ceil(percent / 100 * n) of the sorted ones. */
static uint64_t percentile(const uint64_t *sorted, uint64_t count, uint64_t percent)
{
    uint64_t rank = 0;
    while (rank * 100 < percent * count) {
        rank++;
    }
    return sorted[rank - 1];
}

static bool is_counted(const struct contract *c, const struct fg_stats_request *r, uint32_t row)
{
    const struct plain_span *s = &c->plain->spans[row];
    bool in_tracks = r->tracks == NULL;
    for (uint32_t i = 0; i < r->track_count; i++) {
        in_tracks |= r->tracks[i] == s->track;
    }
    bool in_frames = !r->has_frames ||
                     (s->frame != FG_NONE && s->frame >= r->first_frame && s->frame < r->end_frame);
    bool whole = r->start_ns == 0 && r->end_ns == 0;
    return c->passes[row] && in_tracks && in_frames &&
           (whole || contract_meets(s->start, s->end, r->start_ns, r->end_ns));
}

static void check_stats_row(const struct contract *c, const struct fg_stats_request *r,
                            const struct fg_stats_row *row)
{
    const struct plain_trace *p = c->plain;
    uint64_t lengths[PLAIN_SPANS_MAX];
    int64_t intervals[PLAIN_SPANS_MAX][2];
    uint32_t count = 0, unfinished = 0, zeroes = 0, longest = FG_NONE, track = FG_NONE;
    uint64_t total = 0, self = 0;
    bool several = false;
    for (uint32_t i = 0; i < p->span_count; i++) {
        const struct plain_span *s = &p->spans[i];
        if (!is_counted(c, r, i) || key_by_force(c, i, r->by) != row->key ||
            p->track_clock[s->track] != row->clock) {
            continue;
        }
        several |= track != FG_NONE && track != s->track;
        track = s->track;
        if (!is_finished(s)) {
            unfinished++;
            continue;
        }
        uint64_t length = length_of(s);
        uint32_t at = count;
        for (; at > 0 && lengths[at - 1] > length; at--) {
            lengths[at] = lengths[at - 1];
        }
        lengths[at] = length;
        intervals[count][0] = s->start;
        intervals[count++][1] = s->end;
        total = add(total, length);
        self = add(self, s->self);
        zeroes += length == 0;
        if (longest == FG_NONE || length > length_of(&p->spans[longest])) {
            longest = i;
        }
    }
    assert_int_equal(row->count, count);
    assert_int_equal(row->unfinished, unfinished);
    assert_int_equal(row->zeroes, zeroes);
    assert_int_equal(row->track, several ? FG_NONE : track);
    assert_true(row->total_ns == total && row->self_ns == self);
    assert_int_equal(row->longest, longest);
    if (count > 0) {
        assert_true(row->min_ns == lengths[0] && row->max_ns == lengths[count - 1]);
        assert_true(row->median_ns == percentile(lengths, count, 50));
        assert_true(row->p95_ns == percentile(lengths, count, 95));
        assert_true(row->busy_ns ==
                    contract_union((const int64_t(*)[2])intervals, count, INT64_MIN, INT64_MAX));
    }
}

void contract_check_stats(struct contract *c)
{
    struct plain_trace *p = c->plain;
    uint32_t tracks[2] = { plain_below(p, p->track_count), plain_below(p, p->track_count) };
    struct fg_stats_request r = { .by = plain_below(p, FG_STATS_BY_FRAME + 1),
                                  .filter = c->filter };
    struct fg_stats_reply reply;
    if (plain_below(p, 3) == 0) {
        r.start_ns = (int64_t)plain_below(p, 3000) - 900;
        r.end_ns = r.start_ns + 1 + plain_below(p, 3000);
    }
    if (plain_below(p, 3) == 0) {
        r.has_frames = true;
        r.first_frame = plain_below(p, 5);
        r.end_frame = r.first_frame + plain_below(p, 9);
    }
    if (plain_below(p, 3) == 0) {
        r.tracks = tracks;
        r.track_count = 2;
    }
    struct fg_task *task = NULL;
    if (plain_below(p, 2)) {
        assert_int_equal(fg_task_stats(c->query, &r, FG_TASK_BACKGROUND, &task), FG_OK);
        assert_int_equal(fg_task_result_stats(task, &reply), FG_ERR_STATE);
        contract_run_task(c, task);
        assert_int_equal(fg_task_result_stats(task, &reply), FG_OK);
    } else {
        assert_int_equal(fg_query_stats(c->query, &r, &reply), FG_OK);
    }
    uint64_t counted = 0, sum = 0;
    for (uint32_t i = 0; i < reply.count; i++) {
        const struct fg_stats_row *row = &reply.rows[i];
        check_stats_row(c, &r, row);
        counted += row->count + row->unfinished;
        sum = add(sum, row->total_ns);
        if (i > 0) {
            int order =
                strcmp(fg_trace_text(p->trace, row[-1].name), fg_trace_text(p->trace, row->name));
            assert_true(row[-1].total_ns > row->total_ns ||
                        (row[-1].total_ns == row->total_ns && order <= 0));
        }
        for (uint32_t k = 0; k < i; k++) {
            assert_false(reply.rows[k].key == row->key && reply.rows[k].clock == row->clock);
        }
    }
    assert_true(sum == reply.sum_ns);
    for (uint32_t i = 0; i < p->span_count; i++) {
        counted -= is_counted(c, &r, i) && key_by_force(c, i, r.by) != FG_NONE;
    }
    assert_int_equal(counted, 0);
    fg_task_destroy(task);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static int64_t cpu_of(const void *rows, size_t i)
{
    return ((const struct fg_frame_row *)rows)[i].cpu_ns;
}

static int64_t gpu_of(const void *rows, size_t i)
{
    return ((const struct fg_frame_row *)rows)[i].gpu_ns;
}

/* By what is known of the GPU: all, a part, nothing; of a program without one nothing is said. */
static void check_verdict(const struct contract *c, const struct fg_frame_row *row,
                          const struct fgi_verdict_input *frame)
{
    const struct plain_trace *p = c->plain;
    struct fgi_verdict_input input = *frame;
    bool has_gpu = false;
    for (uint32_t i = 0; i < p->track_count; i++) {
        has_gpu |= fg_trace_track(p->trace, i)->kind == FG_TRACK_GPU_QUEUE;
    }
    int64_t done = row->cpu_ns > row->gpu_busy_ns ? row->cpu_ns : row->gpu_busy_ns;
    bool is_pause = input.frame_ns >= 0 && done >= 0 && input.frame_ns - done > 1000000000;
    input.frame_ns = is_pause ? -1 : input.frame_ns;
    enum fgi_verdict measured = fgi_verdict_of_frame(&input);
    bool is_whole = input.gpu_ns >= 0 && p->frames[row->frame].missing == 0;
    bool is_guessed = is_whole || measured == FGI_VERDICT_GPU ? false
                      : input.gpu_ns >= 0                     ? true
                                          : has_gpu && !p->frames[row->frame].is_lost;
    enum fgi_verdict wanted = is_guessed ? fgi_verdict_inferred(&input) : measured;
    assert_int_equal(row->verdict, wanted);
    assert_int_equal(!!(row->flags & FG_FRAME_INFERRED),
                     is_guessed && wanted != FGI_VERDICT_UNKNOWN);
    assert_int_equal(!!(row->flags & FG_FRAME_PAUSE), is_pause);
}

/* Any range of frames is bound by what bounds more than half of it. */
static void check_windows(struct contract *c, const struct fg_frame_row *rows, uint32_t count)
{
    for (uint32_t first = 0; first <= count; first += 1 + count / 8) {
        struct fg_verdict_window window;
        uint32_t counts[FG_VERDICTS] = { 0 };
        uint32_t inferred = 0;
        for (uint32_t f = first; f < count; f++) {
            counts[rows[f].verdict]++;
            inferred += (rows[f].flags & FG_FRAME_INFERRED) != 0;
        }
        assert_int_equal(fg_query_verdict(c->query, first, FG_NONE, &window), FG_OK);
        assert_int_equal(window.frame_count, count - first);
        assert_memory_equal(window.counts, counts, sizeof counts);
        assert_int_equal(window.inferred_count, inferred);
        assert_int_equal(window.verdict, fgi_verdict_of_window(counts));
    }
}

void contract_check_frames(struct contract *c)
{
    struct plain_trace *p = c->plain;
    const struct fg_frame_row *rows;
    uint32_t count = 0;
    int64_t gpu[PLAIN_FRAMES_MAX];
    uint8_t hitches[PLAIN_FRAMES_MAX] = { 0 };
    assert_int_equal(fg_query_frames(c->query, 0, FG_NONE, &rows, &count), FG_OK);
    assert_int_equal(count, p->frame_count);
    bool nominal = false;
    for (uint32_t i = 0; i < p->clock_count; i++) {
        nominal |= p->clock_kind[i] == FG_CLOCK_NOMINAL;
    }
    for (uint32_t f = 0; f < count; f++) {
        int64_t intervals[PLAIN_SPANS_MAX][2];
        uint32_t passes = 0, spans = 0, clock = FG_NONE;
        bool mixed = false;
        int64_t first = 0, last = 0;
        for (uint32_t i = 0; i < p->span_count; i++) {
            const struct plain_span *s = &p->spans[i];
            spans += s->frame == f;
            if (s->frame != f || !(s->classes & FG_CLASS_GPU_PASS) || !is_finished(s)) {
                continue;
            }
            mixed |= clock != FG_NONE && clock != p->track_clock[s->track];
            clock = p->track_clock[s->track];
            first = passes == 0 || s->start < first ? s->start : first;
            last = passes == 0 || s->end > last ? s->end : last;
            intervals[passes][0] = s->start;
            intervals[passes++][1] = s->end;
        }
        bool known = passes > 0 && !(mixed && nominal);
        uint64_t length = (uint64_t)last - (uint64_t)first;
        uint64_t busy =
            contract_union((const int64_t(*)[2])intervals, passes, INT64_MIN, INT64_MAX);
        gpu[f] = !known ? -1 : length > INT64_MAX ? INT64_MAX : (int64_t)length;
        assert_int_equal(rows[f].spans, spans);
        assert_true(rows[f].gpu_ns == gpu[f]);
        assert_true(rows[f].gpu_busy_ns == (!known             ? -1
                                            : busy > INT64_MAX ? INT64_MAX
                                                               : (int64_t)busy));
        assert_true(rows[f].cpu_ns == p->frames[f].cpu_end_ns - p->frames[f].start_ns);
        int64_t step = f + 1 < count ? p->frames[f + 1].start_ns - p->frames[f].start_ns : 0;
        assert_true(rows[f].frame_ns == (step > 0 ? step : -1));
        assert_true(rows[f].cpu_work_ns ==
                    rows[f].cpu_ns - (p->frames[f].wait_ns > 0 ? p->frames[f].wait_ns : 0));
        struct fgi_verdict_input input = {
            .frame_ns = rows[f].frame_ns,
            .cpu_work_ns = rows[f].cpu_work_ns,
            .gpu_ns = rows[f].gpu_busy_ns,
            .present_wait_ns = p->frames[f].present_wait_ns,
        };
        check_verdict(c, &rows[f], &input);
        assert_int_equal(!!(rows[f].flags & FG_FRAME_DROPPED), p->frames[f].dropped > 0);
        assert_int_equal(!!(rows[f].flags & FG_FRAME_NEW_TOPOLOGY),
                         f > 0 && p->frames[f].topology != p->frames[f - 1].topology);
        assert_int_equal(!!(rows[f].flags & FG_FRAME_LOST), p->frames[f].is_lost);
        bool has_note = false;
        for (uint32_t i = 0; i < p->instant_count; i++) {
            has_note |= p->instants[i].is_note && p->instants[i].frame == f;
        }
        assert_int_equal(!!(rows[f].flags & FG_FRAME_NOTE), has_note);
    }
    check_windows(c, rows, count);
    static const fgi_hitch_time times[] = { cpu_of, gpu_of };
    static const uint8_t flags[] = { FG_FRAME_CPU_HITCH, FG_FRAME_GPU_HITCH };
    fgi_hitch_mark(times, rows, count, flags, hitches);
    for (uint32_t f = 0; f < count; f++) {
        assert_int_equal(rows[f].flags & (FG_FRAME_GPU_HITCH | FG_FRAME_CPU_HITCH), hitches[f]);
    }
}

void contract_check_series(struct contract *c)
{
    struct plain_trace *p = c->plain;
    if (p->span_count == 0) {
        return;
    }
    uint32_t row = plain_below(p, p->span_count);
    uint32_t first = plain_below(p, 4);
    uint32_t end = first + plain_below(p, 14);
    const struct fg_series_item *items = NULL;
    uint32_t count = 0, at = 0;
    const struct plain_span *wanted = &p->spans[row];
    assert_int_equal(fg_query_series(c->query, row, first, end, &items, &count), FG_OK);
    for (uint32_t f = first; f < end && f < p->frame_count; f++) {
        uint32_t found = 0;
        uint64_t total = 0;
        for (uint32_t i = 0; i < p->span_count; i++) {
            const struct plain_span *s = &p->spans[i];
            bool same = wanted->pass != FG_NONE ? s->pass == wanted->pass
                                                : s->pass == FG_NONE && s->name == wanted->name;
            if (same && s->frame == f && is_finished(s) &&
                p->track_clock[s->track] == p->track_clock[wanted->track]) {
                found++;
                total = add(total, length_of(s));
            }
        }
        if (found > 0) {
            assert_true(at < count);
            assert_int_equal(items[at].frame, f);
            assert_int_equal(items[at].count, found);
            assert_true(items[at].total_ns == total);
            at++;
        }
    }
    assert_int_equal(at, count);
}

/* ---- counters -------------------------------------------------------------------------------- */

static void sort_samples(struct plain_trace *p)
{
    for (uint32_t i = 1; i < p->sample_count; i++) {
        struct plain_sample sample = p->samples[i];
        uint32_t k = i;
        for (; k > 0 && p->samples[k - 1].time > sample.time; k--) {
            p->samples[k] = p->samples[k - 1];
        }
        p->samples[k] = sample;
    }
}

void contract_check_counters(struct contract *c)
{
    struct plain_trace *p = c->plain;
    uint32_t counter = 0;
    struct fg_counters_request r = { .counters = &counter, .counter_count = 1 };
    struct fg_counters_reply reply;
    r.start_ns = (int64_t)plain_below(p, 5000) - 1200;
    r.end_ns = r.start_ns + 1 + plain_below(p, 3000);
    r.width_px = 1 + plain_below(p, 60);
    sort_samples(p);
    assert_int_equal(fg_query_counters(c->query, &r, &reply), FG_OK);
    const struct fg_counter_answer *answer = &reply.answers[0];
    uint32_t first = 0, inside = 0;
    while (first < p->sample_count && p->samples[first].time < r.start_ns) {
        first++;
    }
    while (first + inside < p->sample_count && p->samples[first + inside].time < r.end_ns) {
        inside++;
    }
    assert_true(answer->answered);
    assert_int_equal(answer->has_bins, inside > r.width_px);
    if (!answer->has_bins) {
        uint32_t before = first > 0;
        assert_int_equal(answer->count, inside + before);
        for (uint32_t i = 0; i < answer->count; i++) {
            assert_true(reply.samples[i].time_ns == p->samples[first - before + i].time);
            assert_true(reply.samples[i].value.integer == p->samples[first - before + i].value);
        }
        return;
    }
    uint32_t at = 0;
    int64_t last_bin = (r.end_ns - 1) >> reply.level;
    for (int64_t bin = r.start_ns >> reply.level; bin <= last_bin; bin++) {
        uint32_t count = 0;
        int64_t low = 0, high = 0, last = 0;
        for (uint32_t i = 0; i < p->sample_count; i++) {
            if (p->samples[i].time >> reply.level != bin) {
                continue;
            }
            int64_t value = p->samples[i].value;
            low = count == 0 || value < low ? value : low;
            high = count == 0 || value > high ? value : high;
            last = value;
            count++;
        }
        if (count > 0) {
            assert_true(at < answer->count);
            assert_true(reply.bins[at].bin == bin);
            assert_int_equal(reply.bins[at].count, count);
            assert_true(reply.bins[at].low.integer == low && reply.bins[at].high.integer == high);
            assert_true(reply.bins[at].last.integer == last);
            at++;
        }
    }
    assert_int_equal(at, answer->count);
}

/* ---- marks and search ------------------------------------------------------------------------ */

static bool mark_is_wanted(const struct fg_marks_request *r, const struct fg_trace_instant *mark)
{
    return mark->is_loss ? r->with_losses : mark->is_note ? !r->skip_notes : !r->skip_instants;
}

/* Every mark of the window is in exactly one bin: that of its track and time. */
static void check_mark_bins(const struct plain_trace *p, const struct fg_marks_request *r,
                            const struct fg_marks_reply *reply)
{
    uint32_t counted = 0;
    assert_false(reply->is_cut);
    for (uint32_t b = 0; b < reply->bin_count; b++) {
        const struct fg_mark_bin *bin = &reply->bins[b];
        uint32_t count = 0, first = FG_NONE;
        bool notes = false, losses = false, instants = false;
        for (uint32_t i = 0; i < p->instant_count; i++) {
            const struct fg_trace_instant *mark = &p->instants[i];
            int64_t width = (int64_t)1 << reply->level;
            if (!mark_is_wanted(r, mark) || mark->track != bin->track ||
                mark->time_ns < r->start_ns || mark->time_ns >= r->end_ns ||
                mark->time_ns < bin->bin * width || mark->time_ns >= (bin->bin + 1) * width) {
                continue;
            }
            bool is_earlier = first == FG_NONE || mark->time_ns < p->instants[first].time_ns;
            first = is_earlier ? i : first;
            count++;
            losses |= mark->is_loss;
            notes |= !mark->is_loss && mark->is_note;
            instants |= !mark->is_loss && !mark->is_note;
        }
        assert_int_equal(bin->count, count);
        assert_int_equal(bin->instant, first);
        assert_int_equal(bin->has_losses, losses);
        assert_int_equal(bin->has_notes, notes);
        assert_int_equal(bin->has_instants, instants);
        counted += count;
        if (b > 0) {
            const struct fg_mark_bin *before = &reply->bins[b - 1];
            int64_t time = p->instants[before->instant].time_ns;
            assert_true(time < p->instants[first].time_ns ||
                        (time == p->instants[first].time_ns && before->instant < first));
        }
    }
    assert_int_equal(counted, reply->total);
}

void contract_check_marks(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_marks_request r = { .skip_notes = plain_below(p, 3) == 0,
                                  .skip_instants = plain_below(p, 3) == 0,
                                  .with_losses = plain_below(p, 2) == 0,
                                  .first = plain_below(p, 4),
                                  .limit = 1 + plain_below(p, 20) };
    struct fg_marks_reply reply;
    r.start_ns = (int64_t)plain_below(p, 40) - 11;
    r.end_ns = r.start_ns + 1 + plain_below(p, 40);
    assert_int_equal(fg_query_marks(c->query, &r, &reply), FG_OK);
    uint32_t total = 0, at = 0;
    for (int64_t time = r.start_ns; time < r.end_ns; time++) {
        for (uint32_t i = 0; i < p->instant_count; i++) {
            const struct fg_trace_instant *instant = &p->instants[i];
            if (instant->time_ns != time || !mark_is_wanted(&r, instant)) {
                continue;
            }
            if (total >= r.first && at < r.limit) {
                assert_true(at < reply.count);
                assert_int_equal(reply.instants[at++], i);
            }
            total++;
        }
    }
    assert_int_equal(reply.total, total);
    assert_int_equal(reply.count, at);
    assert_false(reply.has_bins);
    r.width_px = 1 + plain_below(p, 12);
    assert_int_equal(fg_query_marks(c->query, &r, &reply), FG_OK);
    assert_int_equal(reply.total, total);
    assert_int_equal(reply.has_bins, total > r.limit);
    if (reply.has_bins) {
        check_mark_bins(p, &r, &reply);
    }
}

void contract_check_search(struct contract *c)
{
    struct plain_trace *p = c->plain;
    static const char *const texts[] = { "b", "OW", "light", "none of these" };
    static const char *const lower[] = { "b", "ow", "light", "none of these" };
    uint32_t which = plain_below(p, 4);
    struct fg_search_request r = { .text = texts[which],
                                   .limit = 1 + plain_below(p, 12),
                                   .filter = c->filter };
    uint32_t total = 0, seen = 0;
    bool matches[PLAIN_SPANS_MAX];
    for (uint32_t row = 0; row < p->span_count; row++) {
        char name[32] = { 0 };
        const char *text = fg_trace_text(p->trace, p->spans[row].name);
        for (size_t i = 0; text[i] && i < sizeof name - 1; i++) {
            name[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
        }
        matches[row] = c->passes[row] && strstr(name, lower[which]) != NULL;
        total += matches[row];
    }
    for (uint32_t row = 0; seen < total; r.has_after = true) { /* page by page */
        struct fg_search_reply reply;
        assert_int_equal(fg_query_search(c->query, &r, &reply), FG_OK);
        assert_int_equal(reply.total, total);
        assert_int_equal(reply.count, total - seen < r.limit ? total - seen : r.limit);
        for (uint32_t i = 0; i < reply.count; i++, row++, seen++) {
            while (!matches[row]) {
                row++;
            }
            assert_int_equal(reply.spans[i].row, row);
        }
        assert_int_equal(reply.next, seen < total ? reply.spans[reply.count - 1].row : FG_NONE);
        r.after = reply.next;
    }
}

/* ---- one span -------------------------------------------------------------------------------- */

static void check_links(struct contract *c, const struct fg_span_detail *detail)
{
    struct plain_trace *p = c->plain;
    uint32_t row = detail->span.row, waits = 0, wakes = 0;
    for (uint32_t i = 0; i < p->dependency_count; i++) {
        const struct fg_trace_dependency *d = &p->dependencies[i];
        waits += d->target == row;
        wakes += d->source == row;
        for (int side = 0; side < 2; side++) {
            if ((side ? d->target : d->source) != row) {
                continue;
            }
            const struct fg_span_link *links = side ? detail->waits : detail->wakes;
            uint32_t count = side ? detail->wait_count : detail->wake_count;
            uint32_t found = 0;
            for (uint32_t k = 0; k < count; k++) {
                found += links[k].flags == d->flags; /* the test numbers them */
            }
            assert_int_equal(found, 1);
        }
    }
    contract_check_graph_links(c, detail, waits, wakes);
}

void contract_check_span(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_span_detail detail;
    if (p->span_count == 0) {
        assert_int_equal(fg_query_span(c->query, 0, &detail), FG_ERR_NOT_FOUND);
        return;
    }
    uint32_t row = plain_below(p, p->span_count);
    assert_int_equal(fg_query_span(c->query, row, &detail), FG_OK);
    assert_int_equal(detail.span.row, row);
    assert_true(detail.self_ns == p->spans[row].self);
    assert_int_equal(detail.clock_kind, p->clock_kind[p->track_clock[p->spans[row].track]]);
    uint32_t children = 0;
    for (uint32_t i = 0; i < p->span_count; i++) {
        children += p->spans[i].parent == row;
    }
    assert_int_equal(detail.child_count, children);
    for (uint32_t i = 0; i < children; i++) {
        assert_int_equal(p->spans[detail.children[i]].parent, row);
        assert_true(i == 0 || contract_before(p, detail.children[i - 1], detail.children[i]));
    }
    assert_int_equal(detail.arg_count, row % 3 == 0 ? 1 : 0);
    if (detail.arg_count == 1) {
        assert_int_equal(detail.args[0].value.natural, row);
    }
    check_links(c, &detail);
    uint32_t other = plain_below(p, p->span_count);
    struct fg_gap gap;
    uint32_t a = p->track_clock[p->spans[row].track], b = p->track_clock[p->spans[other].track];
    bool refused =
        a != b && (p->clock_kind[a] == FG_CLOCK_NOMINAL || p->clock_kind[b] == FG_CLOCK_NOMINAL);
    enum fg_result result = fg_query_gap(c->query, row, other, &gap);
    assert_int_equal(result, refused ? FG_ERR_CLOCK : FG_OK);
    if (!refused) {
        assert_true(gap.bound_ns == (a == b ? 0 : 5 * (uint64_t)a + 5 * (uint64_t)b));
    }
}
