/* SPDX-License-Identifier: MIT */
/* The oracle for minimaps and for the rows of a view. */
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include "trace/query_priv.h"
#include <string.h>

/* ---- minimap --------------------------------------------------------------------------------- */

/* Rows that pass, by lane. */
struct lane_rows {
    uint32_t rows[PLAIN_SPANS_MAX];
    uint32_t count;
};
static struct lane_rows by_lane[PLAIN_SPANS_MAX];
static struct fg_minimap_cell cells[PLAIN_SPANS_MAX];

static int64_t last_bin_of(const struct plain_span *s, unsigned level)
{
    return (s->end > s->start ? s->end - 1 : s->start) >> level;
}

/* What one lane has in one bin; false when no span meets it. */
static bool lane_cell(const struct plain_trace *p, const struct lane_rows *lane, unsigned level,
                      int64_t bin, struct fg_minimap_cell *out)
{
    static int64_t intervals[PLAIN_SPANS_MAX][2];
    uint32_t count = 0;
    int64_t from = (int64_t)((uint64_t)bin << level);
    int64_t last = (int64_t)((uint64_t)from + (UINT64_C(1) << level) - 1);
    *out = (struct fg_minimap_cell){ .bin = bin, .lanes = 1, .row = FG_NONE };
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct plain_span *s = &p->spans[lane->rows[i]];
        uint64_t ns = (uint64_t)s->end - (uint64_t)s->start;
        if (s->start >> level > bin || last_bin_of(s, level) < bin) {
            continue;
        }
        out->starts += s->start >> level == bin;
        intervals[count][0] = s->start;
        intervals[count++][1] = s->end;
        if (out->row == FG_NONE || ns > out->longest_ns ||
            (ns == out->longest_ns && lane->rows[i] < out->row)) {
            out->row = lane->rows[i];
            out->longest_ns = ns;
        }
    }
    int64_t end = last == INT64_MAX ? INT64_MAX : last + 1;
    out->covered_ns = contract_union((const int64_t(*)[2])intervals, count, from, end);
    out->category = out->row != FG_NONE ? p->spans[out->row].category : 0;
    return out->row != FG_NONE;
}

/* Lanes of one category are one cell; by category. */
static uint32_t add_cell(uint32_t count, const struct fg_minimap_cell *cell)
{
    uint32_t at = 0;
    while (at < count && cells[at].category < cell->category) {
        at++;
    }
    if (at == count || cells[at].category != cell->category) {
        memmove(&cells[at + 1], &cells[at], (count - at) * sizeof *cells);
        cells[at] = *cell;
        return count + 1;
    }
    struct fg_minimap_cell *sum = &cells[at];
    sum->lanes++;
    sum->starts += cell->starts;
    sum->covered_ns = sum->covered_ns > UINT64_MAX - cell->covered_ns
                          ? UINT64_MAX
                          : sum->covered_ns + cell->covered_ns;
    if (cell->longest_ns > sum->longest_ns ||
        (cell->longest_ns == sum->longest_ns && cell->row < sum->row)) {
        sum->longest_ns = cell->longest_ns;
        sum->row = cell->row;
    }
    return count;
}

static void check_group(struct contract *c, const struct fg_minimap_reply *reply, uint32_t kind,
                        uint32_t group, uint32_t lanes)
{
    const struct fg_minimap_answer *answer = &reply->answers[group];
    uint32_t at = answer->first_cell;
    assert_true(answer->is_answered);
    for (int64_t bin = reply->first_bin; bin <= reply->last_bin; bin++) {
        uint32_t count = 0;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            struct fg_minimap_cell cell;
            uint32_t track = fg_trace_lane(c->plain->trace, lane)->track;
            uint32_t owner = kind == FG_VIEW_TRACK ? track : c->plain->track_process[track];
            if (owner == group && by_lane[lane].count > 0 &&
                lane_cell(c->plain, &by_lane[lane], reply->level, bin, &cell)) {
                count = add_cell(count, &cell);
            }
        }
        for (uint32_t i = 0; i < count; i++, at++) {
            assert_true(at < answer->first_cell + answer->cell_count);
            const struct fg_minimap_cell *sent = &reply->cells[at];
            assert_true(sent->bin == bin);
            assert_int_equal(sent->category, cells[i].category);
            assert_int_equal(sent->lanes, cells[i].lanes);
            assert_int_equal(sent->starts, cells[i].starts);
            assert_int_equal(sent->row, cells[i].row);
            assert_true(sent->longest_ns == cells[i].longest_ns);
            assert_true(sent->covered_ns == cells[i].covered_ns);
        }
    }
    assert_int_equal(at, answer->first_cell + answer->cell_count);
}

void contract_check_minimap(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_trace_info info;
    struct fg_minimap_reply reply;
    struct fg_minimap_request r = { .kind = plain_below(p, 2) ? FG_VIEW_TRACK : FG_VIEW_PROCESS,
                                    .filter = c->filter };
    uint32_t groups = r.kind == FG_VIEW_TRACK ? p->track_count : p->process_count;
    fg_trace_get_info(p->trace, &info);
    memset(by_lane, 0, sizeof by_lane);
    for (uint32_t row = 0; row < p->span_count; row++) {
        struct fg_trace_span span;
        uint32_t count = 0;
        assert_int_equal(fg_trace_spans(p->trace, row, &span, 1, &count), FG_OK);
        if (c->passes[row]) {
            by_lane[span.lane].rows[by_lane[span.lane].count++] = row;
        }
    }
    assert_int_equal(fg_query_minimap(c->query, &r, &reply), FG_OK);
    assert_int_equal(reply.unanswered, 0);
    assert_true(reply.answer_count >= groups);
    assert_true(reply.last_bin - reply.first_bin < 512);
    for (uint32_t group = 0; group < groups; group++) {
        check_group(c, &reply, r.kind, group, (uint32_t)info.lanes);
    }
    if (reply.cell_count > 1) { /* what is not answered is counted, and nothing is half answered */
        struct fg_minimap_reply small;
        r.max_cells = reply.cell_count - 1;
        enum fg_result result = fg_query_minimap(c->query, &r, &small);
        if (result == FG_ERR_LIMIT) {
            assert_true(reply.answers[0].cell_count > r.max_cells);
        } else {
            assert_int_equal(result, FG_OK);
            assert_true(small.unanswered > 0 && small.cell_count < reply.cell_count);
        }
    }
}

/* ---- rows of a view -------------------------------------------------------------------------- */

void contract_check_visible_rows(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_view_target targets[3];
    struct fgi_rows_request r = { .filter = c->filter, .targets = targets };
    struct fgi_rows rows;
    uint32_t count = 0;
    r.start_ns = (int64_t)plain_below(p, 4000) - 1000;
    r.end_ns = r.start_ns + 1 + plain_below(p, 9000);
    if (plain_below(p, 3) == 0) {
        r.start_ns = FG_TIME_MIN;
        r.end_ns = INT64_MAX;
    }
    r.target_count = 1 + plain_below(p, 3);
    for (uint32_t i = 0; i < r.target_count; i++) {
        if (!contract_target(c, &targets[i])) {
            return;
        }
    }
    if (plain_below(p, 3) == 0) {
        r.targets = NULL;
    }
    assert_int_equal(fgi_visible_rows(c->engine, &c->query->question, &r, &rows), FG_OK);
    for (uint32_t row = 0; row < p->span_count; row++) {
        const struct plain_span *s = &p->spans[row];
        bool is_in = r.targets == NULL;
        for (uint32_t i = 0; r.targets && i < r.target_count; i++) {
            is_in = is_in || contract_in_target(c, &targets[i], row);
        }
        is_in = is_in && c->passes[row] && contract_meets(s->start, s->end, r.start_ns, r.end_ns);
        assert_int_equal(rows.bits[row / 64] >> (row % 64) & 1, is_in);
        count += is_in;
    }
    assert_int_equal(rows.count, count);
}
