/* SPDX-License-Identifier: MIT */
#include "contract_selection.h"
#include "support/cmocka_all.h"
#include <string.h>

static bool is_listed(const uint32_t *items, uint32_t count, uint32_t item)
{
    for (uint32_t i = 0; items && i < count; i++) {
        if (items[i] == item) {
            return true;
        }
    }
    return items == NULL;
}

static void random_selection(struct contract *c, struct chosen *out)
{
    struct plain_trace *p = c->plain;
    struct fg_selection *s = &out->selection;
    struct fg_trace_info info;
    fg_trace_get_info(p->trace, &info);
    s->filter = c->filter;
    if (plain_below(p, 2)) {
        s->start_ns = (int64_t)plain_below(p, 2500) - 500;
        s->end_ns = s->start_ns + 1 + plain_below(p, plain_below(p, 2) ? 50 : 3000);
    }
    if (plain_below(p, 5) == 0) {
        s->has_frames = true;
        s->first_frame = plain_below(p, 4);
        s->end_frame = s->first_frame + plain_below(p, 9);
    }
    for (uint32_t i = 0; i < 4; i++) {
        out->numbers[0][i] = plain_below(p, p->track_count);
        out->numbers[1][i] = info.lanes > 0 ? plain_below(p, (uint32_t)info.lanes) : 0;
    }
    if (plain_below(p, 4) == 0) {
        s->tracks = out->numbers[0];
        s->track_count = plain_below(p, 5);
    }
    if (plain_below(p, 3) == 0 && info.lanes > 0) {
        s->lanes = out->numbers[1];
        s->lane_count = plain_below(p, 5);
    }
}

void contract_choose(struct contract *c, struct chosen *out)
{
    memset(out, 0, sizeof *out);
    random_selection(c, out);
    const struct fg_selection *s = &out->selection;
    bool is_all = s->start_ns == 0 && s->end_ns == 0;
    out->start = is_all ? FG_TIME_MIN : s->start_ns;
    out->end = is_all ? INT64_MAX : s->end_ns;
    for (uint32_t row = 0; row < c->plain->span_count; row++) {
        const struct plain_span *span = &c->plain->spans[row];
        struct fg_trace_span real;
        uint32_t count = 0;
        assert_int_equal(fg_trace_spans(c->plain->trace, row, &real, 1, &count), FG_OK);
        out->lane[row] = real.lane;
        out->has[row] =
            c->passes[row] && contract_meets(span->start, span->end, out->start, out->end) &&
            (!s->has_frames || (span->frame >= s->first_frame && span->frame < s->end_frame)) &&
            is_listed(s->tracks, s->track_count, span->track) &&
            is_listed(s->lanes, s->lane_count, real.lane);
        out->count += out->has[row];
    }
}

uint32_t contract_key(const struct contract *c, const struct chosen *chosen, uint32_t by,
                      uint32_t class_mask, uint32_t row)
{
    const struct plain_span *s = &c->plain->spans[row];
    switch (by) {
    case FG_AGGREGATE_NAME:
        return s->name;
    case FG_AGGREGATE_CATEGORY:
        return s->category;
    case FG_AGGREGATE_LANE:
        return chosen->lane[row];
    case FG_AGGREGATE_TRACK:
        return s->track;
    case FG_AGGREGATE_PROCESS:
        return c->plain->track_process[s->track];
    case FG_AGGREGATE_CLASSES:
        return s->classes & (class_mask ? class_mask : UINT32_MAX);
    case FG_AGGREGATE_STATUS:
        return s->status;
    case FG_AGGREGATE_FRAME:
        return s->frame;
    case FG_AGGREGATE_PASS:
        return s->pass;
    case FG_AGGREGATE_SCOPE:
        return s->scope ? s->scope : FG_NONE;
    case FG_AGGREGATE_DEPTH:
        return s->depth;
    default:
        return 0;
    }
}

bool contract_is_open(const struct plain_span *span)
{
    return span->status == FG_SPAN_UNFINISHED || span->status == FG_SPAN_LOST ||
           span->status == FG_SPAN_FORCED;
}

void contract_run_task(struct contract *c, struct fg_task *task)
{
    struct fg_task_progress progress;
    uint64_t done = 0;
    fg_task_progress(task, &progress);
    while (!progress.is_done) {
        uint32_t stage = progress.stage;
        assert_int_equal(fg_task_step(task, plain_below(c->plain, 60), &progress), FG_OK);
        assert_true(progress.done_rows >= done && progress.done_rows <= progress.total_rows);
        assert_true(progress.stage >= stage && progress.stage <= progress.stage_count);
        done = progress.done_rows;
    }
    assert_int_equal(progress.stage, progress.stage_count);
    assert_int_equal(fg_task_step(task, 1, &progress), FG_OK);
}

void contract_sort(uint64_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t value = values[i];
        uint32_t at = i;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
        }
        values[at] = value;
    }
}
