/* SPDX-License-Identifier: MIT */
/* What is of whole frames: their CPU and GPU times, and the counters that differ. */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include <math.h>
#include <string.h>

/* ---- times of frames ------------------------------------------------------------------------- */

static int64_t gpu_time(const struct fg_frame_row *row)
{
    return row->gpu_ns;
}
static int64_t cpu_time(const struct fg_frame_row *row)
{
    return row->cpu_ns;
}

/* The spread of the frames' own times; frames of which they are not known are left out. */
static enum fg_result spread_of(const struct fgi_compare_side *side,
                                int64_t (*time)(const struct fg_frame_row *),
                                const struct fg_frame_row *rows, uint32_t count,
                                struct fgi_compare_value *values, struct fgi_compare_spread *out)
{
    uint32_t known = 0, compared = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t ns = time(&rows[i]);
        uint32_t frame = side->wide_first + i;
        if (ns >= 0) {
            values[known++] = (struct fgi_compare_value){ frame, (double)ns };
            compared += frame >= side->first && frame < side->end;
        }
    }
    return fgi_compare_spread(side, values, known, compared, 1, 1, out);
}

static enum fg_result see_frames(struct fgi_compare_side *side, const struct fgi_question *question)
{
    struct fg_engine *engine = side->query->engine;
    const struct fg_frame_row *rows = NULL;
    uint32_t count = 0;
    enum fg_result result = FG_OK;
    if (!side->is_frameless && side->wide_first < side->wide_end) {
        result =
            engine->ops->frames(engine, question, side->wide_first, side->wide_end, &rows, &count);
    }
    size_t bytes = ((size_t)count + 1) * sizeof(struct fgi_compare_value);
    struct fgi_compare_value *values = NULL;
    if (result == FG_OK) {
        values = fgi_malloc(side->allocator, bytes);
        result = values ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result == FG_OK) {
        result = spread_of(side, cpu_time, rows, count, values, &side->times[0]);
    }
    if (result == FG_OK) {
        result = spread_of(side, gpu_time, rows, count, values, &side->times[1]);
    }
    fgi_free(side->allocator, values, bytes);
    return result;
}

static void put_total(const struct fgi_compare_side sides[2], bool is_gpu,
                      struct fg_compare_total *out)
{
    const struct fgi_compare_spread *base = &sides[FG_COMPARE_BASE].times[is_gpu];
    const struct fgi_compare_spread *other = &sides[FG_COMPARE_NEW].times[is_gpu];
    bool is_known = base->mean_ns >= 0 && other->mean_ns >= 0;
    out->mean_ns[FG_COMPARE_BASE] = base->mean_ns;
    out->mean_ns[FG_COMPARE_NEW] = other->mean_ns;
    out->delta_ns = is_known ? other->mean_ns - base->mean_ns : 0;
    out->noise_ns = is_known ? fgi_compare_noise(base, other) : -1;
}

enum fg_result fgi_compare_times(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_compare_side *side = &c->sides[c->which];
    if (!fgi_compare_take_one(step, (uint64_t)(side->wide_end - side->wide_first) + 1)) {
        return step->result;
    }
    enum fg_result result = see_frames(side, step->question);
    if (result == FG_OK && c->which == FG_COMPARE_NEW) {
        put_total(c->sides, false, &c->base.reply.cpu);
        put_total(c->sides, true, &c->base.reply.gpu);
    }
    c->is_over = true;
    return result;
}

/* ---- counters -------------------------------------------------------------------------------- */

static double value_of(const struct fg_trace_counter *counter, uint64_t bits)
{
    union fg_counter_value value;
    memcpy(&value, &bits, sizeof value);
    return counter->is_double ? value.real : (double)value.integer;
}

/* Where a frame ends: the next one begins. */
static int64_t end_of_frame(const struct fg_trace *trace, uint32_t frame)
{
    return frame + 1 < trace->frames.count ? trace->frames.items[frame + 1].start_ns : INT64_MAX;
}

/* Mean of the value that a counter has at the end of each frame; false when it never had one. */
static bool mean_of(const struct fgi_compare_side *side, uint32_t counter, double *out_mean)
{
    const struct fgi_counter_data *data = &side->trace->counter_data.items[counter];
    double sum = 0;
    uint32_t frames = 0;
    for (uint32_t frame = side->first; frame < side->end && !side->is_frameless; frame++) {
        int64_t end_ns = end_of_frame(side->trace, frame);
        size_t low = 0;
        size_t high = data->times.count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (data->times.items[middle] < end_ns) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low > 0) {
            sum += value_of(&side->trace->counters.items[counter], data->values.items[low - 1]);
            frames++;
        }
    }
    *out_mean = frames > 0 ? sum / frames : 0;
    return frames > 0 && isfinite(*out_mean);
}

static bool are_alike(const struct fgi_compare_side sides[2], const uint32_t counters[2])
{
    const struct fg_trace_counter *items[2];
    for (int i = 0; i < 2; i++) {
        items[i] = &sides[i].trace->counters.items[counters[i]];
    }
    return strcmp(fg_trace_text(sides[0].trace, items[0]->name),
                  fg_trace_text(sides[1].trace, items[1]->name)) == 0 &&
           strcmp(fg_trace_text(sides[0].trace, items[0]->unit),
                  fg_trace_text(sides[1].trace, items[1]->unit)) == 0;
}

/* The counter of the new side with name and unit of one of the base that no other one has. */
static uint32_t other_of(const struct fgi_compare_side sides[2], uint32_t counter,
                         const uint8_t *taken)
{
    uint32_t count = (uint32_t)sides[FG_COMPARE_NEW].trace->counters.count;
    for (uint32_t i = 0; i < count; i++) {
        /* Of one trace mostly the same number. */
        uint32_t at = (uint32_t)(((uint64_t)counter + i) % count);
        if (!taken[at] && are_alike(sides, (const uint32_t[2]){ counter, at })) {
            return at;
        }
    }
    return FG_NONE;
}

/* How many times as much; changes of sign and to or from nothing are beyond all of these. */
static double ratio_of(const struct fg_compare_counter *counter)
{
    double a = fabs(counter->mean[0]);
    double b = fabs(counter->mean[1]);
    bool is_beyond = a == 0 || b == 0 || (counter->mean[0] < 0) != (counter->mean[1] < 0);
    return is_beyond ? INFINITY : a > b ? a / b : b / a;
}

static bool counter_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_compare_counter *x = (const struct fg_compare_counter *)context + a;
    const struct fg_compare_counter *y = (const struct fg_compare_counter *)context + b;
    double ratios[2] = { ratio_of(x), ratio_of(y) };
    if (ratios[0] != ratios[1]) {
        return ratios[0] > ratios[1];
    }
    int order = strcmp(x->name, y->name);
    return order != 0 ? order < 0 : strcmp(x->unit, y->unit) < 0;
}

/* Adds what differs to the answer. */
static enum fg_result see_counter(struct fgi_comparison *c, struct fgi_arena *arena, uint32_t index)
{
    const struct fgi_compare_side *sides = c->sides;
    const struct fg_trace_counter *counter = &sides->trace->counters.items[index];
    struct fg_compare_counter item;
    uint32_t other = other_of(sides, index, c->taken);
    if (other == FG_NONE) {
        return FG_OK;
    }
    c->taken[other] = 1;
    if (!mean_of(&sides[0], index, &item.mean[0]) || !mean_of(&sides[1], other, &item.mean[1]) ||
        item.mean[0] == item.mean[1]) {
        return FG_OK;
    }
    const char *name = fg_trace_text(sides->trace, counter->name);
    const char *unit = fg_trace_text(sides->trace, counter->unit);
    item.name = fgi_arena_text(arena, name, strlen(name));
    item.unit = fgi_arena_text(arena, unit, strlen(unit));
    c->counters[c->base.reply.counter_count++] = item;
    return item.name && item.unit ? FG_OK : FG_ERR_NO_MEMORY;
}

static enum fg_result begin_counters(struct fgi_comparison *c, struct fgi_arena *arena)
{
    size_t count = c->sides[FG_COMPARE_BASE].trace->counters.count;
    size_t others = c->sides[FG_COMPARE_NEW].trace->counters.count;
    c->counters = fgi_arena_alloc(arena, count + 1, sizeof *c->counters);
    c->taken = fgi_arena_alloc(arena, others + 1, 1);
    return c->counters && c->taken ? FG_OK : FG_ERR_NO_MEMORY;
}

static enum fg_result put_counters(struct fgi_comparison *c, struct fgi_arena *arena)
{
    uint32_t count = c->base.reply.counter_count;
    struct fg_compare_counter *sorted = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *sorted);
    uint32_t *order = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *order);
    if (!sorted || !order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(c->allocator, order, count, counter_before, c->counters);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = c->counters[order[i]];
    }
    c->base.reply.counters = sorted;
    return result;
}

enum fg_result fgi_compare_counters(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_arena *arena = step->question->arena;
    const struct fgi_compare_side *sides = c->sides;
    uint64_t frames = (uint64_t)(sides[0].end - sides[0].first) + (sides[1].end - sides[1].first);
    uint32_t count = (uint32_t)sides->trace->counters.count;
    enum fg_result result = c->counters ? FG_OK : begin_counters(c, arena);
    for (; c->at < count && result == FG_OK && fgi_compare_take_one(step, frames + 1); c->at++) {
        result = see_counter(c, arena, (uint32_t)c->at);
    }
    result = result == FG_OK ? step->result : result;
    if (result != FG_OK || c->at < count) {
        return result;
    }
    c->is_over = true;
    return put_counters(c, arena);
}
