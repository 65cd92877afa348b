/* SPDX-License-Identifier: MIT */
/* What a window shows: for each target the bins of one level, or the spans themselves. */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"

/* Room for so many bins is taken at once, more as they come. */
#define GUESSED_BINS_MAX (UINT32_C(1) << 17)

struct viewing {
    struct fgi_engine_cpu *cpu;
    const struct fgi_question *question;
    const struct fg_view_request *request;
    struct fgi_population *population;
    struct fgi_cursor cursor;
    unsigned level;
    int64_t first_bin, last_bin;
    bool has_wide; /* spans can be wide at all in this window */
    uint64_t wide_ns;
    struct fg_view_bins *bins;
    size_t bins_count, bins_capacity;
    struct fg_trace_span *spans;
    size_t span_count, span_capacity;
    uint32_t *wide; /* rows, for one answer */
    size_t wide_count, wide_capacity;
    enum fg_result result;
    /* The answer at hand. */
    bool has_previous;
    struct fgi_bin previous;
    uint64_t starts;
    bool is_full; /* a budget was reached */
};

/* ---- bins ------------------------------------------------------------------------------------ */

static bool put_bins(struct viewing *v, const struct fg_view_bins *bins)
{
    if (v->bins_count >= v->request->max_bins) {
        v->is_full = true;
        return false;
    }
    if (!FGI_ANSWER_GROW(v->question->arena, v->bins, v->bins_capacity, v->bins_count + 1)) {
        v->result = FG_ERR_NO_MEMORY;
        return false;
    }
    v->bins[v->bins_count++] = *bins;
    return true;
}

static void copy_description(struct fg_view_bins *to, const struct fgi_bin *from)
{
    to->longest_ns = from->longest_ns;
    to->name = from->name;
    to->category = from->category;
    to->classes = from->classes;
    to->status = (enum fg_span_status)from->status;
    to->is_described = from->is_described;
}

/* The bins between two stored ones, as far as they are in the window and covered. */
static bool put_run(struct viewing *v, int64_t next_index)
{
    if (!v->has_previous || v->previous.run == FG_NONE) {
        return true;
    }
    int64_t first = v->previous.index + 1 > v->first_bin ? v->previous.index + 1 : v->first_bin;
    int64_t end = next_index - 1 < v->last_bin ? next_index : v->last_bin + 1;
    if (first >= end) {
        return true;
    }
    struct fg_view_bins run = { .first = first,
                                .count = (uint64_t)(end - first),
                                .covered_ns = fgi_bin_width(v->level),
                                .row = v->previous.run };
    if (v->previous.run == v->previous.row) { /* mostly so: then all is known of it */
        copy_description(&run, &v->previous);
    }
    return put_bins(v, &run);
}

static bool see_bin(void *context, const struct fgi_bin *bin)
{
    struct viewing *v = context;
    if (!put_run(v, bin->index)) {
        return false;
    }
    if (bin->index >= v->first_bin && bin->index <= v->last_bin) {
        v->starts += bin->starts;
        struct fg_view_bins one = { .first = bin->index,
                                    .count = 1,
                                    .covered_ns = bin->covered_ns,
                                    .starts = bin->starts,
                                    .row = bin->row };
        copy_description(&one, bin);
        if (!put_bins(v, &one)) {
            return false;
        }
    }
    v->has_previous = true;
    v->previous = *bin;
    return bin->index <= v->last_bin;
}

/* ---- spans ----------------------------------------------------------------------------------- */

static bool put_span(struct viewing *v, uint32_t row)
{
    if (v->span_count >= v->request->max_spans) {
        v->is_full = true;
        return false;
    }
    if (!FGI_ANSWER_GROW(v->question->arena, v->spans, v->span_capacity, v->span_count + 1)) {
        v->result = FG_ERR_NO_MEMORY;
        return false;
    }
    if (!fgi_cursor_at(&v->cursor, row)) {
        v->result = v->cursor.result;
        return false;
    }
    fgi_trace_fill_span(v->cpu->engine.trace, v->cursor.block, row - v->cursor.first_row,
                        &v->spans[v->span_count++]);
    return true;
}

static void put_exact_spans(struct viewing *v, const struct fgi_lanes *lanes)
{
    int64_t a = v->request->start_ns;
    int64_t b = v->request->end_ns;
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    v->result = fgi_row_stream_open(&stream, v->cpu->allocator, v->cpu->engine.trace,
                                    &v->population->set, lanes, a, NULL, 0, 0);
    while (v->result == FG_OK && fgi_row_stream_next(&stream, &head) && head.start < b) {
        if (fgi_meets(head.start, head.end, a, b) && !put_span(v, head.row)) {
            break;
        }
    }
    enum fg_result closed = fgi_row_stream_close(&stream);
    v->result = v->result != FG_OK ? v->result : closed;
}

/* Remember a row that is wide and meets the window. */
static void see_wide(struct viewing *v, uint32_t row)
{
    if (v->result != FG_OK || (v->wide_count > 0 && v->wide[v->wide_count - 1] == row)) {
        return;
    }
    if (!fgi_cursor_at(&v->cursor, row)) {
        v->result = v->cursor.result;
        return;
    }
    int64_t start = fgi_cursor_start(&v->cursor, row);
    int64_t end = fgi_cursor_end(&v->cursor, row);
    if (fgi_duration(start, end) < v->wide_ns ||
        !fgi_meets(start, end, v->request->start_ns, v->request->end_ns)) {
        return;
    }
    if (!FGI_ANSWER_GROW(v->question->arena, v->wide, v->wide_capacity, v->wide_count + 1)) {
        v->result = FG_ERR_NO_MEMORY;
        return;
    }
    v->wide[v->wide_count++] = row;
}

static bool wide_before(void *context, uint32_t a, uint32_t b)
{
    struct viewing *v = context;
    int64_t start[2], end[2];
    uint32_t rows[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        if (!fgi_cursor_at(&v->cursor, rows[i])) {
            return false;
        }
        start[i] = fgi_cursor_start(&v->cursor, rows[i]);
        end[i] = fgi_cursor_end(&v->cursor, rows[i]);
    }
    if (start[0] != start[1]) {
        return start[0] < start[1];
    }
    return end[0] != end[1] ? end[0] > end[1] : a < b;
}

/*
 * Spans wide enough to read. They are at least four pixels, so more than two bins wide: a lane's is
 * the longest of a bin of the window, unless it only reaches into the window's first or last bin.
 */
static void put_wide_spans(struct viewing *v, const struct fg_view_target *target,
                           size_t first_bins)
{
    v->wide_count = 0;
    for (size_t i = first_bins; i < v->bins_count; i++) {
        if (v->bins[i].longest_ns >= v->wide_ns) {
            see_wide(v, v->bins[i].row);
        }
    }
    if (target->kind == FG_VIEW_LANE) {
        const uint32_t *rows = v->population->set.rows;
        uint32_t first = v->population->set.lane_first[target->index];
        uint32_t end = v->population->set.lane_first[target->index + 1];
        uint32_t at = fgi_lower_bound(&v->cursor, rows, first, end, v->request->start_ns);
        uint32_t to = fgi_lower_bound(&v->cursor, rows, at, end, v->request->end_ns);
        if (at > first) {
            see_wide(v, rows[at - 1]);
        }
        if (to > at) {
            see_wide(v, rows[to - 1]);
        }
    }
    if (v->result == FG_OK) {
        v->result = fgi_sort_u32(v->cpu->allocator, v->wide, v->wide_count, wide_before, v);
    }
    if (v->result == FG_OK) {
        v->result = v->cursor.result;
    }
    for (size_t i = 0; i < v->wide_count && v->result == FG_OK; i++) {
        if ((i == 0 || v->wide[i] != v->wide[i - 1]) && !put_span(v, v->wide[i])) {
            return;
        }
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

/*
 * By pixels per span: exact from 4 on, representative from 1/4 on. What is on screen stays a little
 * longer than it would newly appear, so that the edge of a window does not make it flicker.
 */
static uint8_t choose_mode(uint64_t spans, uint64_t width_px, uint8_t previous)
{
    bool was_exact = previous == FG_VIEW_EXACT;
    bool was_bins = previous == FG_VIEW_REPRESENTATIVE || previous == FG_VIEW_DENSITY;
    uint64_t exact_px = was_exact ? 3 : was_bins ? 5 : 4;
    if (spans <= width_px / exact_px) {
        return FG_VIEW_EXACT;
    }
    uint64_t most_a_px = previous == FG_VIEW_REPRESENTATIVE ? 5
                         : previous == FG_VIEW_DENSITY      ? 3
                                                            : 4;
    return spans <= width_px * most_a_px ? FG_VIEW_REPRESENTATIVE : FG_VIEW_DENSITY;
}

static void describe_bins(struct viewing *v, size_t first)
{
    for (size_t i = first; i < v->bins_count; i++) {
        struct fg_view_bins *bins = &v->bins[i];
        if (bins->is_described) {
            continue;
        }
        if (!fgi_cursor_at(&v->cursor, bins->row)) {
            v->result = v->cursor.result;
            return;
        }
        const struct fgi_block *block = v->cursor.block;
        uint32_t at = bins->row - v->cursor.first_row;
        bins->name = block->name[at];
        bins->category = fgi_block_extra(block, FGI_COLUMN_CATEGORY, at);
        bins->classes = block->classes[at];
        bins->status = (enum fg_span_status)block->status[at];
        bins->longest_ns = fgi_duration(block->start_ns[at], block->end_ns[at]);
        bins->is_described = true;
    }
}

static void answer_target(struct viewing *v, const struct fg_view_target *target,
                          struct fg_view_answer *answer)
{
    struct fgi_lanes lanes = fgi_target_lanes(v->cpu, target->kind, target->index);
    const struct fgi_index *index = NULL;
    size_t first_span = v->span_count;
    size_t first_bins = v->bins_count;
    v->has_previous = false;
    v->starts = 0;
    v->result = fgi_index_get(v->cpu, v->population, target->kind, target->index, &index);
    if (v->result == FG_OK) {
        struct fgi_bin_sink sink = { see_bin, v };
        enum fg_result read = fgi_index_read(v->cpu, index, &v->population->set, &lanes, v->level,
                                             v->first_bin, v->last_bin, &sink);
        v->result = v->result != FG_OK ? v->result : read;
    }
    if (v->result == FG_OK && !v->is_full) {
        answer->mode = choose_mode(v->starts, v->request->width_px, target->previous_mode);
        if (answer->mode == FG_VIEW_EXACT) {
            v->bins_count = first_bins;
            put_exact_spans(v, &lanes);
        } else {
            describe_bins(v, first_bins);
            if (v->result == FG_OK && v->has_wide) {
                put_wide_spans(v, target, first_bins);
            }
        }
    }
    if (v->is_full) {
        v->span_count = first_span;
        v->bins_count = first_bins;
        answer->mode = FG_VIEW_NONE;
    }
    answer->first_span = (uint32_t)first_span;
    answer->span_count = (uint32_t)(v->span_count - first_span);
    answer->first_bins = (uint32_t)first_bins;
    answer->bins_count = (uint32_t)(v->bins_count - first_bins);
}

/* The duration from which a span is `wide_px` pixels wide, rounded up; false: none is that long. */
static bool wide_duration(const struct fg_view_request *request, uint64_t *out_ns)
{
    uint64_t window = fgi_duration(request->start_ns, request->end_ns);
    uint64_t whole = window / request->width_px;
    uint64_t rest = window % request->width_px * request->wide_px;
    uint64_t rounded = (rest + request->width_px - 1) / request->width_px;
    if (whole > (UINT64_MAX - rounded) / request->wide_px) {
        return false;
    }
    *out_ns = whole * request->wide_px + rounded;
    return true;
}

enum fg_result fgi_cpu_view(struct fg_engine *engine, const struct fgi_question *question,
                            const struct fg_view_request *request, struct fg_view_reply *out_reply)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct viewing v = { .cpu = cpu,
                         .question = question,
                         .request = request,
                         .cursor = fgi_trace_cursor(engine->trace) };
    const uint64_t *bits;
    enum fg_result result = fgi_filter_find(cpu, request->filter, &v.population, &bits);
    struct fg_view_answer *answers = NULL;
    if (result == FG_OK && request->target_count > 0) {
        answers = fgi_arena_alloc(question->arena, request->target_count, sizeof *answers);
        result = answers ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result != FG_OK) {
        return result;
    }
    v.level = fgi_view_level(request->start_ns, request->end_ns, request->width_px);
    v.first_bin = request->start_ns >> v.level;
    v.last_bin = (request->end_ns - 1) >> v.level;
    uint64_t guess = (uint64_t)request->target_count * request->width_px * 3 / 2 + 64;
    guess = guess < request->max_bins ? guess : request->max_bins;
    guess = guess < GUESSED_BINS_MAX ? guess : GUESSED_BINS_MAX;
    if (!FGI_ANSWER_GROW(question->arena, v.bins, v.bins_capacity, (size_t)guess)) {
        return FG_ERR_NO_MEMORY;
    }
    v.has_wide = wide_duration(request, &v.wide_ns);
    *out_reply = (struct fg_view_reply){ .level = v.level, .answers = answers };
    for (uint32_t i = 0; i < request->target_count; i++) {
        if (fgi_question_cancelled(question)) {
            v.result = FG_ERR_CANCELLED;
        }
        if (v.is_full) {
            answers[i] = (struct fg_view_answer){ .mode = FG_VIEW_NONE,
                                                  .first_span = (uint32_t)v.span_count,
                                                  .first_bins = (uint32_t)v.bins_count };
        } else if (v.result == FG_OK) {
            answer_target(&v, &request->targets[i], &answers[i]);
        }
        out_reply->unanswered += answers[i].mode == FG_VIEW_NONE;
        if (v.is_full && i == 0) {
            v.result = FG_ERR_LIMIT;
        }
        if (v.result != FG_OK) {
            break;
        }
    }
    fgi_cursor_finish(&v.cursor);
    out_reply->spans = v.spans;
    out_reply->span_count = (uint32_t)v.span_count;
    out_reply->bins = v.bins;
    out_reply->bins_count = (uint32_t)v.bins_count;
    return v.result;
}
