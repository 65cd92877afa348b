/* SPDX-License-Identifier: MIT */
#include "engine/cpu/scores.h"
#include "base/alloc.h"
#include <string.h>

/* ---- sets ------------------------------------------------------------------------------------ */

enum fg_result fgi_score_set_create(struct fgi_engine_cpu *cpu, struct fgi_score_set **out_set)
{
    size_t rows = fgi_trace_rows(cpu->engine.trace);
    struct fgi_score_set *set = fgi_calloc(cpu->allocator, 1, sizeof *set);
    if (!set) {
        return FG_ERR_NO_MEMORY;
    }
    set->fine_count = (rows + FGI_SCORE_FAN - 1) / FGI_SCORE_FAN;
    set->coarse_count = (set->fine_count + FGI_SCORE_FAN - 1) / FGI_SCORE_FAN;
    set->tints = fgi_calloc(cpu->allocator, rows + 1, 1);
    set->reasons = fgi_malloc(cpu->allocator, rows + 1);
    set->maxima = fgi_calloc(cpu->allocator, set->fine_count + set->coarse_count + 1, 1);
    if (!set->tints || !set->reasons || !set->maxima) {
        fgi_score_set_destroy(cpu, set);
        return FG_ERR_NO_MEMORY;
    }
    memset(set->reasons, FG_SCORE_NOT_SELECTED, rows + 1);
    *out_set = set;
    return FG_OK;
}

void fgi_score_set_destroy(struct fgi_engine_cpu *cpu, struct fgi_score_set *set)
{
    size_t rows = fgi_trace_rows(cpu->engine.trace);
    if (set) {
        fgi_free(cpu->allocator, set->tints, rows + 1);
        fgi_free(cpu->allocator, set->reasons, rows + 1);
        fgi_free(cpu->allocator, set->maxima, set->fine_count + set->coarse_count + 1);
        fgi_free(cpu->allocator, set, sizeof *set);
    }
}

enum fg_result fgi_scores_keep(struct fgi_engine_cpu *cpu, struct fgi_score_set *set)
{
    const uint32_t *order = cpu->all.set.rows;
    uint32_t rows = fgi_trace_rows(cpu->engine.trace);
    enum fg_result result = FGI_GROW(cpu->allocator, cpu->scores.items, cpu->scores.capacity,
                                     cpu->scores.count + 1, FG_NONE - 1);
    if (result != FG_OK) {
        return result;
    }
    uint8_t *coarse = set->maxima + set->fine_count;
    for (uint32_t i = 0; i < rows; i++) {
        uint8_t tint = set->tints[order[i]];
        uint8_t *fine = &set->maxima[i / FGI_SCORE_FAN];
        *fine = tint > *fine ? tint : *fine;
        uint8_t *above = &coarse[i / FGI_SCORE_FAN / FGI_SCORE_FAN];
        *above = tint > *above ? tint : *above;
    }
    set->id = ++cpu->next_scores;
    cpu->scores.items[cpu->scores.count++] = set;
    return FG_OK;
}

void fgi_scores_finish(struct fgi_engine_cpu *cpu)
{
    for (size_t i = 0; i < cpu->scores.count; i++) {
        fgi_score_set_destroy(cpu, cpu->scores.items[i]);
    }
    fgi_free(cpu->allocator, cpu->scores.items, cpu->scores.capacity * sizeof *cpu->scores.items);
}

static struct fgi_score_set *find(const struct fgi_engine_cpu *cpu, uint32_t id)
{
    for (size_t i = 0; i < cpu->scores.count; i++) {
        if (cpu->scores.items[i]->id == id) {
            return cpu->scores.items[i];
        }
    }
    return NULL;
}

enum fg_result fgi_cpu_scores_destroy(struct fg_engine *engine, uint32_t id)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    for (size_t i = 0; i < cpu->scores.count; i++) {
        if (cpu->scores.items[i]->id == id) {
            fgi_score_set_destroy(cpu, cpu->scores.items[i]);
            cpu->scores.items[i] = cpu->scores.items[--cpu->scores.count];
            return FG_OK;
        }
    }
    return FG_ERR_NOT_FOUND;
}

enum fg_result fgi_cpu_scores(struct fg_engine *engine, uint32_t id, const uint32_t *rows,
                              uint32_t count, uint8_t *out_tints, uint8_t *out_reasons)
{
    const struct fgi_score_set *set = find(fgi_cpu(engine), id);
    if (!set) {
        return FG_ERR_NOT_FOUND;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (out_tints) {
            out_tints[i] = set->tints[rows[i]];
        }
        if (out_reasons) {
            out_reasons[i] = set->reasons[rows[i]];
        }
    }
    return FG_OK;
}

/* ---- tints of bins --------------------------------------------------------------------------- */

struct tinting {
    const struct fgi_engine_cpu *cpu;
    const struct fgi_score_set *set;
    struct fgi_cursor cursor;
    unsigned level;
    int64_t first_bin;
    uint32_t bin_count;
    uint64_t seen, steps;
};

/* The largest of bytes [first, end). */
static uint8_t largest(const uint8_t *items, size_t first, size_t end, uint8_t so_far)
{
    for (size_t i = first; i < end; i++) {
        so_far = items[i] > so_far ? items[i] : so_far;
    }
    return so_far;
}

/* The largest tint of positions [first, end) in lane order. */
static uint8_t tint_of(struct tinting *t, size_t first, size_t end)
{
    const uint32_t *order = t->cpu->all.set.rows;
    const uint8_t *fine = t->set->maxima;
    const uint8_t *coarse = fine + t->set->fine_count;
    uint8_t tint = 0;
    size_t whole = (first + FGI_SCORE_FAN - 1) / FGI_SCORE_FAN;
    size_t whole_end = end / FGI_SCORE_FAN;
    size_t head_end = whole < whole_end ? whole * FGI_SCORE_FAN : end;
    size_t tail = whole < whole_end ? whole_end * FGI_SCORE_FAN : end;
    for (size_t i = first; i < end; i = i + 1 == head_end ? tail : i + 1) {
        tint = t->set->tints[order[i]] > tint ? t->set->tints[order[i]] : tint;
        t->seen++;
    }
    if (whole >= whole_end) {
        return tint;
    }
    size_t top = (whole + FGI_SCORE_FAN - 1) / FGI_SCORE_FAN;
    size_t top_end = whole_end / FGI_SCORE_FAN;
    if (top >= top_end) {
        return largest(fine, whole, whole_end, tint);
    }
    tint = largest(fine, whole, top * FGI_SCORE_FAN, tint);
    tint = largest(coarse, top, top_end, tint);
    return largest(fine, top_end * FGI_SCORE_FAN, whole_end, tint);
}

/* First position from `low` that starts at or after `time`: steps that double, then halves. */
static uint32_t gallop(struct tinting *t, uint32_t low, uint32_t limit, int64_t time)
{
    const uint32_t *rows = t->cpu->all.set.rows;
    uint32_t step = 1;
    while (low + step < limit && step < limit) {
        t->steps++;
        if (!fgi_cursor_at(&t->cursor, rows[low + step])) {
            return limit;
        }
        if (fgi_cursor_start(&t->cursor, rows[low + step]) >= time) {
            break;
        }
        low += step;
        step *= 2;
    }
    uint32_t high = limit - low > step ? low + step : limit;
    return fgi_lower_bound_steps(&t->cursor, rows, low, high, time, &t->steps);
}

static int64_t bin_start(const struct tinting *t, int64_t bin)
{
    int64_t least = INT64_MIN >> t->level;
    int64_t most = INT64_MAX >> t->level;
    return bin < least ? INT64_MIN : bin > most ? INT64_MAX : (int64_t)((uint64_t)bin << t->level);
}

/* Does the span at a position reach beyond `time`? */
static bool reaches(struct tinting *t, uint32_t position, int64_t time)
{
    uint32_t row = t->cpu->all.set.rows[position];
    return fgi_cursor_at(&t->cursor, row) && fgi_cursor_end(&t->cursor, row) > time;
}

static void tint_lane(struct tinting *t, uint32_t lane, uint8_t *tints)
{
    const struct fgi_row_set *set = &t->cpu->all.set;
    uint32_t first = set->lane_first[lane];
    uint32_t limit = set->lane_first[lane + 1];
    uint32_t at = fgi_lower_bound_steps(&t->cursor, set->rows, first, limit,
                                        bin_start(t, t->first_bin), &t->steps);
    for (uint32_t b = 0; b < t->bin_count && t->cursor.result == FG_OK && first < limit; b++) {
        int64_t start = bin_start(t, t->first_bin + b);
        uint32_t end = gallop(t, at, limit, bin_start(t, t->first_bin + b + 1));
        bool has_before = at > first && reaches(t, at - 1, start);
        uint8_t tint = tint_of(t, has_before ? at - 1 : at, end);
        tints[b] = tint > tints[b] ? tint : tints[b];
        at = end;
    }
}

enum fg_result fgi_cpu_tints(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_tints_request *request,
                             struct fg_tints_reply *out_reply)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct tinting t = { .cpu = cpu,
                         .set = find(cpu, request->scores),
                         .cursor = fgi_trace_cursor(engine->trace),
                         .level = fgi_view_level(request->start_ns, request->end_ns,
                                                 request->width_px) };
    if (!t.set) {
        return FG_ERR_NOT_FOUND;
    }
    t.first_bin = request->start_ns >> t.level;
    t.bin_count = (uint32_t)(((request->end_ns - 1) >> t.level) - t.first_bin + 1);
    uint8_t *tints =
        fgi_arena_alloc(question->arena, (size_t)t.bin_count * request->target_count + 1, 1);
    if (!tints) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < request->target_count && t.cursor.result == FG_OK; i++) {
        struct fgi_lanes lanes =
            fgi_target_lanes(cpu, request->targets[i].kind, request->targets[i].index);
        for (uint32_t k = 0; k < lanes.count; k++) {
            tint_lane(&t, fgi_lane_at(&lanes, k), tints + (size_t)i * t.bin_count);
        }
    }
    enum fg_result result = t.cursor.result;
    fgi_cursor_finish(&t.cursor);
    question->visits->spans += t.seen;
    question->visits->steps += t.steps;
    *out_reply = (struct fg_tints_reply){
        .level = t.level, .first_bin = t.first_bin, .bin_count = t.bin_count, .tints = tints
    };
    return result;
}
